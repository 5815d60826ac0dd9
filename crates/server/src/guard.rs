//! What holds for every request before a handler sees it.
//!
//! 1. `Host` is one of this server's own names, so that no other site's name leads here.
//! 2. An address asks no more often than people do.
//! 3. What changes something comes from a page of this server (`Origin`, `Sec-Fetch-Site`).
//! 4. A body is small and arrives in time.
//! 5. Every answer loads nothing from elsewhere and is framed by nobody.
//!
//! The referrer policy is `same-origin` and not `no-referrer`: with the latter a browser sends
//! `Origin: null` with a form, and over plain HTTP there is no `Sec-Fetch-Site` either, so that the
//! server's own form looks like one of another site.

use crate::actor::{Actor, HOST, Visit, cookie};
use crate::app::Shared;
use crate::connection::Peer;
use crate::error::HttpError;
use crate::keys;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The most bytes of a deck.
const DECK: usize = 64 << 10;
/// The most bytes of a list: players, or the cards that a player owns.
const LIST: usize = 512 << 10;
/// The most bytes of a form's export, and of a match.
const FORM: usize = 4 << 20;

/// A path of this server; the start page for anything else.
pub(crate) fn own_path(path: &str) -> &str {
    let own = path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if own { path } else { "/" }
}

/// Whether a path is UTF-8 once its `%` are read.
fn is_text(path: &str) -> bool {
    let mut bytes = Vec::with_capacity(path.len());
    let mut parts = path.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => bytes.extend([byte].into_iter().chain(part.bytes().skip(2))),
            None => bytes.extend(part.bytes()),
        }
    }
    String::from_utf8(bytes).is_ok()
}

/// Guards every route.
pub(crate) async fn guard(
    State(app): State<Shared>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let is_json = request.uri().path().starts_with("/api/");
    let mut response = match admit(&app, &peer, request).await {
        Ok(request) => next.run(request).await,
        Err(error) if is_json => error.json(),
        Err(error) => error.into_response(),
    };
    close_in(response.headers_mut());
    response
}

async fn admit(app: &Shared, peer: &Peer, mut request: Request) -> Result<Request, HttpError> {
    let headers = request.headers();
    let origin = own_origin(app, peer, headers)?;
    let address = address(app, peer, headers);
    let path = request.uri().path().to_owned();
    if !is_text(&path) {
        return Err(HttpError::none("such page"));
    }
    // This machine's own programs are not limited, and an asset costs no more than a refusal.
    let is_free = address.is_loopback() || path.starts_with("/assets/");
    if !is_free && !app.rates.permits(address) {
        return Err(HttpError::new(
            429,
            "Too many requests came from this address.",
            "Wait a few seconds.",
        ));
    }
    let cookies = headers.get_all(header::COOKIE).iter();
    let cookies: Vec<&str> = cookies.filter_map(|value| value.to_str().ok()).collect();
    let cookies = cookies.join("; ");
    let is_host = cookie(&cookies, &app.cookie(HOST)).is_some_and(|key| app.is_host(key));
    let mut visit = Visit {
        app: Arc::clone(app),
        address,
        actor: if is_host { Actor::Host } else { Actor::Visitor },
        form: None,
        cookies,
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        from_own_page(headers, &origin)?;
        let (parts, body) = whole(request, limit(&path), app.patience).await?;
        let fields = Fields::read(&parts.headers, &body)?;
        let sent = text_of(&parts.headers, "x-decklaw-form").or(fields.get("form"));
        // A form with other contents is another form.
        visit.form = sent
            .filter(|form| !form.is_empty())
            .map(|form| keys::derived(&app.secret, &[path.as_bytes(), form.as_bytes(), &body]));
        request = Request::from_parts(parts, Body::from(body));
        request.extensions_mut().insert(fields);
    }
    request.extensions_mut().insert(visit);
    Ok(request)
}

fn text_of<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The origin that a request is addressed to, if it is this server's own.
fn own_origin(app: &Shared, peer: &Peer, headers: &HeaderMap) -> Result<String, HttpError> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().unwrap_or_default().to_ascii_lowercase(),
        _ => String::new(),
    };
    if let Some(url) = &app.public_url {
        let url = url.trim_end_matches('/').to_ascii_lowercase();
        if url.split_once("://").is_some_and(|(_, name)| name == host) {
            return Ok(url);
        }
    }
    // A name may lead anywhere; an address in digits is what it says.
    let is_own =
        if host == format!("localhost:{}", app.port) || (app.port == 80 && host == "localhost") {
            peer.remote.ip().is_loopback()
        } else {
            let ip_alone = || Some(SocketAddr::new(host.parse().ok()?, 80));
            let named: Option<SocketAddr> = host.parse().ok().or_else(ip_alone);
            let local = peer.local.map(|local| local.ip().to_canonical());
            named.is_some_and(|named| {
                named.port() == app.port && local == Some(named.ip().to_canonical())
            })
        };
    if is_own {
        Ok(format!("http://{host}"))
    } else {
        Err(HttpError::new(
            421,
            "This server is not known by that name.",
            "Use the address that it printed when it was started; behind a proxy, start it with --public-url.",
        ))
    }
}

/// The client: the peer, or behind this machine's own proxy the last one that it names.
fn address(app: &Shared, peer: &Peer, headers: &HeaderMap) -> IpAddr {
    let direct = peer.remote.ip().to_canonical();
    if app.public_url.is_none() || !direct.is_loopback() {
        return direct;
    }
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    let last = forwarded
        .and_then(|value| value.to_str().ok()?.rsplit(',').next())
        .and_then(|last| last.trim().parse::<IpAddr>().ok());
    last.map_or(direct, |last| last.to_canonical())
}

/// Refuses what comes from a page of another origin, or from an unknown page.
fn from_own_page(headers: &HeaderMap, own: &str) -> Result<(), HttpError> {
    match (text_of(headers, "origin"), text_of(headers, "sec-fetch-site")) {
        (Some(origin), None | Some("same-origin")) if origin.eq_ignore_ascii_case(own) => Ok(()),
        (None, Some("same-origin")) => Ok(()),
        _ => Err(HttpError::new(
            403,
            "This came from a page of another site.",
            "Open the page here, and send the form from there.",
        )),
    }
}

/// The most bytes of a body at a path.
fn limit(path: &str) -> usize {
    match path {
        path if path.starts_with("/e/") && path.ends_with("/desk/import") => FORM,
        "/api/replay" => FORM,
        "/desk/new" => LIST,
        path if path.starts_with("/api/") && path.ends_with("/ask") => LIST,
        _ => DECK,
    }
}

/// The request's head and its body, which is small and came in time.
async fn whole(
    request: Request,
    limit: usize,
    patience: std::time::Duration,
) -> Result<(Parts, Bytes), HttpError> {
    let too_large = || {
        let message = format!("This is larger than the limit of {} KiB.", limit >> 10);
        let help = "A deck is a few kilobytes: send the deck alone.";
        HttpError::new(413, message, help)
    };
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(patience, axum::body::to_bytes(body, limit)).await {
        Ok(Ok(bytes)) => Ok((parts, bytes)),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(HttpError::new(
            408,
            "This took too long to arrive.",
            "Try again where the connection is better.",
        )),
    }
}

/// The fields of a form, in their order; other requests have none.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Arc<[(String, String)]>);

impl Fields {
    /// Some fields and their values.
    pub(crate) fn of(fields: impl IntoIterator<Item = (String, String)>) -> Fields {
        Fields(fields.into_iter().collect())
    }

    fn read(headers: &HeaderMap, body: &Bytes) -> Result<Fields, HttpError> {
        const FORM: &str = "application/x-www-form-urlencoded";
        let kind = headers.get(header::CONTENT_TYPE);
        if !kind.is_some_and(|kind| kind.as_bytes().starts_with(FORM.as_bytes())) {
            return Ok(Fields::default());
        }
        let fields: Result<Vec<_>, _> = serde_urlencoded::from_bytes(body);
        let fields = fields.map_err(|_| HttpError::wrong("This form cannot be read."))?;
        Ok(Fields(fields.into()))
    }

    /// The value of a field.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.0.iter();
        all.find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The value of a field without the white space around it; empty without the field.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default().trim()
    }

    /// Fields whose names begin with a text, with the rest of their names.
    pub(crate) fn beginning<'f>(
        &'f self,
        start: &'f str,
    ) -> impl Iterator<Item = (&'f str, &'f str)> {
        let all = self.0.iter();
        all.filter_map(move |(key, value)| Some((key.strip_prefix(start)?, value.as_str())))
    }
}

/// The headers of every answer.
fn close_in(headers: &mut HeaderMap) {
    const FIXED: [(&str, &str); 5] = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-frame-options", "DENY"),
    ];
    for (name, value) in FIXED {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ));
}
