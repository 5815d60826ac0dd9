//! Forms that were sent once more, since the answer to them was lost on its way or the page was
//! loaded again: they are not carried out twice, and get the same answer.
//!
//! Each page that is shown has a number of its own, which goes along with its forms. What is typed
//! otherwise, or into a page that was shown anew, is another form.

use super::guard::Fields;
use super::keys;
use super::trouble::Trouble;
use super::who::Who;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::response::Parts as Head;
use axum::response::{IntoResponse, Response};
use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

/// The field that holds the number of a page.
pub(super) const ONCE: &str = "once";

/// The most forms that are known again.
const MOST: usize = 200;

/// The most bytes of an answer that is given again: pages are shorter by far.
const LONGEST: u64 = 256 << 10;

/// What was answered to a form that was carried out. Who sends it again meanwhile waits for that.
type Answered = Arc<tokio::sync::Mutex<Option<(Head, Bytes)>>>;

/// A form: a digest of the sender, where it goes, and all of its fields.
type Form = String;

/// The last forms that were carried out.
#[derive(Debug, Default)]
pub(super) struct Sent(Mutex<VecDeque<(Form, Answered)>>);

impl Sent {
    /// What is known of the form that a request is; `None`: it is no page's form.
    pub(super) fn form(&self, secret: &[u8; 32], who: &Who, request: &Request) -> Option<Answered> {
        let fields = request.extensions().get::<Fields>()?;
        fields.get(ONCE)?;
        let mut parts = vec![who.token.as_bytes(), request.uri().path().as_bytes()];
        for (name, value) in fields.each() {
            parts.extend([name.as_bytes(), value.as_bytes()]);
        }
        let form = keys::of_form(secret, &parts);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, answered)) = known.iter().find(|(other, _)| *other == form) {
            return Some(Arc::clone(answered));
        }
        let answered = Answered::default();
        known.push_back((form, Arc::clone(&answered)));
        if known.len() > MOST {
            known.pop_front();
        }
        Some(answered)
    }
}

/// Carries a form out, unless that was done: then its answer is given again. What was refused is
/// tried again.
pub(super) async fn once(
    answered: Answered,
    carried_out: impl Future<Output = Response>,
) -> Response {
    let mut answered = answered.lock().await;
    if let Some((head, body)) = &*answered {
        return Response::from_parts(head.clone(), Body::from(body.clone()));
    }
    let response = carried_out.await;
    let done = response.status().is_success() || response.status().is_redirection();
    let length = response.body().size_hint().upper();
    if !done || length.is_none_or(|length| length > LONGEST) {
        return response;
    }
    let (head, body) = response.into_parts();
    match axum::body::to_bytes(body, usize::MAX).await {
        Ok(body) => {
            *answered = Some((head.clone(), body.clone()));
            Response::from_parts(head, Body::from(body))
        }
        Err(_) => Trouble::defect().into_response(),
    }
}
