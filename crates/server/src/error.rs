//! Why there is no answer, as a page or as JSON.

use crate::page;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use decklaw_play::matches::MatchError;
use decklaw_text::{Problem, ProblemKind};
use maud::{Markup, html};

/// Why there is no answer: a status of HTTP, and the problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HttpError {
    /// The status.
    pub(crate) status: u16,
    /// What is wrong, and what to do about it.
    pub(crate) problem: Box<Problem>,
    /// The path of the page that needs a key.
    locked: Option<String>,
}

impl HttpError {
    /// An error of a status; its help may be empty.
    pub(crate) fn new(status: u16, message: impl Into<String>, help: impl AsRef<str>) -> HttpError {
        let kind = match status {
            404 => ProblemKind::NotFound,
            500.. => ProblemKind::Defect,
            _ => ProblemKind::Query,
        };
        let problem = Problem::new(kind, message).with_help(help);
        HttpError { status, problem: Box::new(problem), locked: None }
    }

    /// The request is wrong.
    pub(crate) fn wrong(message: impl Into<String>) -> HttpError {
        HttpError::new(400, message, "")
    }

    /// A page that needs a key: its answer asks for one.
    pub(crate) fn locked(path: &str, message: &str) -> HttpError {
        let help = "Open your link again in another window, and then send this once more.";
        HttpError { locked: Some(path.to_owned()), ..HttpError::new(403, message, help) }
    }

    /// There is no such thing.
    pub(crate) fn none(what: &str) -> HttpError {
        HttpError::new(
            404,
            format!("There is no {what} here."),
            "Check the address, or begin at the start page.",
        )
    }

    /// Too much is asked at once.
    pub(crate) fn busy() -> HttpError {
        HttpError::new(503, "This server is busy.", "Try again in a few seconds; nothing was lost.")
    }

    /// A question takes more time or memory than any may.
    pub(crate) fn too_much() -> HttpError {
        HttpError::new(
            422,
            "This question needs more time or memory than the server allows.",
            "Ask for less at once. `decklaw` at a command line has no such limit.",
        )
    }

    /// Something other than this program changed the data.
    pub(crate) fn damaged(what: &str) -> HttpError {
        HttpError::new(
            500,
            format!("The data of this {what} is damaged."),
            "The host of this server must restore a copy of its data.",
        )
    }

    /// A defect.
    pub(crate) fn defect() -> HttpError {
        HttpError::new(500, "This is a defect in decklaw.", "Please report it with what you did.")
    }

    /// The same as JSON.
    pub(crate) fn json(&self) -> Response {
        // Plain data is always written.
        let body = serde_json::to_string(&self.problem).unwrap_or_default();
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (self.code(), kind, body).into_response()
    }

    /// What is wrong with a form, and what to do about it.
    pub(crate) fn note(&self) -> Markup {
        let Problem { message, help, .. } = &*self.problem;
        html! { p.message role="alert" { (message) " " (help.as_deref().unwrap_or_default()) } }
    }

    /// The status as HTTP has it.
    pub(crate) fn code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<Problem> for HttpError {
    fn from(problem: Problem) -> HttpError {
        let status = match problem.kind {
            ProblemKind::NotFound => 404,
            ProblemKind::Impossible | ProblemKind::Limit | ProblemKind::Match => 422,
            ProblemKind::Defect => 500,
            _ => 400,
        };
        HttpError { status, problem: Box::new(problem), locked: None }
    }
}

impl From<MatchError> for HttpError {
    fn from(error: MatchError) -> HttpError {
        Problem::from(error).into()
    }
}

impl From<getrandom::Error> for HttpError {
    fn from(error: getrandom::Error) -> HttpError {
        let message = format!("This system gives no random numbers: {error}");
        HttpError::new(500, message, "")
    }
}

/// The form that takes a key: one that is typed, or the one of the link that led to the page.
fn key_form(next: &str) -> Markup {
    html! {
        form.panel.box #key-form method="post" action="/enter" {
            input type="hidden" name="next" value=(next);
            label for="key" { "Key" }
            input.input #key name="key" autocomplete="off" autocapitalize="none" spellcheck="false" required;
            p { button.btn.main.big { "Open" } }
            p.quiet { "The key is the end of your link, after " code { "#key=" } ". Capitals, spaces and dashes do not matter." }
        }
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let title = match (self.status, &self.locked) {
            (_, Some(_)) => "Open with a key",
            (401 | 403, _) => "This needs a key",
            (404, _) => "Not found",
            (507, _) => "Not stored",
            _ => "This did not work",
        };
        let main = html! {
            main.desk.narrow {
                h1 { (title) }
                @if let Some(next) = &self.locked {
                    p.note { (self.problem.message) }
                    (key_form(next))
                } @else {
                    p.message role="alert" { (self.problem.message) }
                    @if let Some(help) = &self.problem.help { p { (help) } }
                    p { a.btn href="/" { "Start page" } }
                }
            }
        };
        let scripts: &[&str] = if self.locked.is_some() { &["key.js"] } else { &[] };
        (self.code(), page::desk(title, scripts, &main)).into_response()
    }
}

/// An error as the answer to a program.
pub(crate) struct JsonError(pub(crate) HttpError);

impl<E: Into<HttpError>> From<E> for JsonError {
    fn from(error: E) -> JsonError {
        JsonError(error.into())
    }
}

impl IntoResponse for JsonError {
    fn into_response(self) -> Response {
        self.0.json()
    }
}
