//! Who may ask: what holds for every request before anything looks at it.
//!
//! 1. `Host` is one of this server's own names, so that no other site's name leads here.
//! 2. An address asks no more often than people do.
//! 3. What changes something comes from a page of this server (`Origin`, `Sec-Fetch-Site`).
//! 4. A body is small and arrives in time.
//! 5. Every answer says that it loads nothing from elsewhere and is framed by nobody.
//!
//! The referrer policy is `same-origin` and not `no-referrer`: with the latter a browser sends
//! `Origin: null` with a form, and where a phone talks plain HTTP to a shop's machine there is
//! no `Sec-Fetch-Site` either, so that its own form could not be told from a stranger's.

use super::connection::Peer;
use super::trouble::Trouble;
pub(super) use super::who::Who;
use super::who::cookie;
use super::{App, Shared, keys};
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, FromRequest, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The most bytes of a deck.
pub(super) const DECK: usize = 64 << 10;
/// The most bytes of a list: players, or the cards that somebody owns.
pub(super) const LIST: usize = 512 << 10;

/// The most bytes of a form's export.
const FORM: usize = 4 << 20;

/// The cookie of whoever runs the server.
pub(super) const HOST: &str = "decklaw-host";

/// A cookie that only this server reads, and no script. It comes along when somebody follows a
/// link from another site, and with nothing else that another site begins (`SameSite=Lax`): reading
/// a page changes nothing, and whatever does is held against its origin.
pub(super) fn set_cookie(app: &App, name: &str, value: &str, path: &str, days: u32) -> String {
    let secure = match &app.public_url {
        Some(url) if url.starts_with("https:") => "; Secure",
        _ => "",
    };
    let age = u64::from(days) * 24 * 60 * 60;
    format!("{name}={value}; Path={path}; Max-Age={age}; HttpOnly; SameSite=Lax{secure}")
}

/// A path of this server; anything else is the first page.
pub(super) fn own_path(path: &str) -> String {
    let own = path.starts_with('/')
        && !path.starts_with("//")
        && path
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if own { path.to_owned() } else { "/".to_owned() }
}

/// Guards every route.
pub(super) async fn guard(
    State(app): State<Shared>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let json = request.uri().path().starts_with("/api/");
    let mut response = match admit(&app, &peer, request, next).await {
        Ok(response) => response,
        Err(trouble) if json => trouble.json(),
        Err(trouble) => trouble.into_response(),
    };
    close_in(response.headers_mut());
    response
}

async fn admit(
    app: &Shared,
    peer: &Peer,
    mut request: Request,
    next: Next,
) -> Result<Response, Trouble> {
    let headers = request.headers();
    let origin = own_origin(app, peer, headers)?;
    let address = address(app, peer, headers);
    let path = request.uri().path().to_owned();
    let asset = path.starts_with("/assets/");
    // This machine's own programs ask as often as they like, and files cost no more than a refusal.
    if !asset && !address.is_loopback() && !app.rates.permits(address, 1.0) {
        return Err(Trouble::new(
            429,
            "Too many requests came from this address.",
            "Wait a few seconds.",
        ));
    }
    let cookies = joined(headers, &header::COOKIE);
    let host = cookie(&cookies, HOST).is_some_and(|key| app.is_host(key));
    let mut who = Who {
        address,
        host,
        form: None,
        cookies,
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        from_own_page(headers, &origin)?;
        let (parts, body) = whole(request, most(&path), app.patience).await?;
        let fields = fields(&parts.headers, &body).await?;
        let brought = parts.headers.get("x-decklaw-form");
        let brought = brought.and_then(|form| form.to_str().ok());
        let once = brought.or(fields.get("form"));
        // Filled in otherwise, it is another form.
        who.form = once
            .filter(|once| !once.is_empty())
            .map(|once| keys::of_form(&app.secret, &[path.as_bytes(), once.as_bytes(), &body]));
        request = Request::from_parts(parts, Body::from(body));
        request.extensions_mut().insert(fields);
    }
    request.extensions_mut().insert(who);
    Ok(next.run(request).await)
}

fn joined(headers: &HeaderMap, name: &header::HeaderName) -> String {
    let values = headers.get_all(name).iter();
    let values: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
    values.join("; ")
}

/// The origin that a request is addressed to, if it is this server's own.
fn own_origin(app: &App, peer: &Peer, headers: &HeaderMap) -> Result<String, Trouble> {
    let refuse = || {
        Trouble::new(
            421,
            "This server is not known by that name.",
            "Use the address that it printed when it was started; behind a proxy, start it with --public-url.",
        )
    };
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err(refuse());
    };
    let host = host.to_str().map_err(|_| refuse())?.to_ascii_lowercase();
    if let Some(url) = &app.public_url {
        let url = url.trim_end_matches('/').to_ascii_lowercase();
        if url.split_once("://").is_some_and(|(_, name)| name == host) {
            return Ok(url);
        }
    }
    // Only whoever owns a name can let it lead elsewhere; an address in digits is what it says.
    let own = |host: &str| -> bool {
        if host == format!("localhost:{}", app.port) || (app.port == 80 && host == "localhost") {
            return peer.remote.ip().is_loopback();
        }
        let told: Option<SocketAddr> = match host.parse() {
            Ok(told) => Some(told),
            Err(_) if app.port == 80 => host.parse().ok().map(|ip| SocketAddr::new(ip, 80)),
            Err(_) => None,
        };
        told.is_some_and(|told| {
            told.port() == app.port
                && peer
                    .local
                    .is_some_and(|local| canonical(local.ip()) == canonical(told.ip()))
        })
    };
    match own(&host) {
        true => Ok(format!("http://{host}")),
        false => Err(refuse()),
    }
}

fn canonical(ip: IpAddr) -> IpAddr {
    ip.to_canonical()
}

/// Who asks: the peer, or behind this machine's own proxy, whom that one names last.
fn address(app: &App, peer: &Peer, headers: &HeaderMap) -> IpAddr {
    let direct = canonical(peer.remote.ip());
    if app.public_url.is_none() || !direct.is_loopback() {
        return direct;
    }
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    let last = forwarded
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.rsplit(',').next())
        .and_then(|last| last.trim().parse().ok());
    last.map_or(direct, canonical)
}

/// Refuses what comes from a page of another origin, or from nobody knows where.
fn from_own_page(headers: &HeaderMap, own: &str) -> Result<(), Trouble> {
    let refuse = || {
        Trouble::new(
            403,
            "This came from a page of another site.",
            "Open the page here, and send the form from there.",
        )
    };
    let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match (value("origin"), value("sec-fetch-site")) {
        (Some(origin), None | Some("same-origin")) if origin.eq_ignore_ascii_case(own) => Ok(()),
        (None, Some("same-origin")) => Ok(()),
        _ => Err(refuse()),
    }
}

fn most(path: &str) -> usize {
    match path {
        "/api/ask" | "/desk/new" => LIST,
        path if path.starts_with("/api/e/") && path.ends_with("/ask") => LIST,
        path if path.starts_with("/e/") && path.ends_with("/desk/import") => FORM,
        _ => DECK,
    }
}

fn too_large(most: usize) -> Trouble {
    Trouble::new(
        413,
        format!(
            "This is larger than the {} KiB that are taken here.",
            most >> 10
        ),
        "A deck is a few kilobytes: send the deck alone.",
    )
}

/// The request's head and all of its body, which is small and came in time.
async fn whole(
    request: Request,
    most: usize,
    patience: std::time::Duration,
) -> Result<(Parts, Bytes), Trouble> {
    let told = request.headers().get(header::CONTENT_LENGTH);
    let told = told.and_then(|told| told.to_str().ok()?.parse::<usize>().ok());
    if told.is_some_and(|told| told > most) {
        return Err(too_large(most));
    }
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(patience, axum::body::to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok((parts, bytes)),
        Ok(Err(_)) => Err(too_large(most)),
        Err(_) => Err(Trouble::new(
            408,
            "This took too long to arrive.",
            "Try again where the connection is better.",
        )),
    }
}

/// The fields of a form, in their order: the same for everything that looks at the form.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields(Arc<[(String, String)]>);

impl Fields {
    /// Some fields, with what stands in each.
    pub(super) fn of(fields: impl IntoIterator<Item = (String, String)>) -> Fields {
        Fields(fields.into_iter().collect())
    }

    /// The value of a field.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Every value of a field.
    pub(super) fn all<'f>(&'f self, name: &str) -> impl Iterator<Item = &'f str> {
        let named = self.0.iter().filter(move |(key, _)| key == name);
        named.map(|(_, value)| value.as_str())
    }

    /// The value of a field without the white space around it; empty where there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default().trim()
    }

    /// Fields whose names begin so, with the rest of their names.
    pub(super) fn beginning<'f>(
        &'f self,
        start: &'f str,
    ) -> impl Iterator<Item = (&'f str, &'f str)> {
        let all = self.0.iter();
        all.filter_map(move |(key, value)| Some((key.strip_prefix(start)?, value.as_str())))
    }
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| {
        kind.as_bytes()
            .starts_with(b"application/x-www-form-urlencoded")
    })
}

/// The form that a request is; other requests have no fields.
async fn fields(headers: &HeaderMap, body: &Bytes) -> Result<Fields, Trouble> {
    if !is_form(headers) {
        return Ok(Fields::default());
    }
    let mut request = Request::new(Body::from(body.clone()));
    *request.method_mut() = Method::POST;
    let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
    request.headers_mut().insert(header::CONTENT_TYPE, kind);
    match axum::Form::<Vec<(String, String)>>::from_request(request, &()).await {
        Ok(axum::Form(fields)) => Ok(Fields(fields.into())),
        Err(_) => Err(Trouble::wrong("This form cannot be read.")),
    }
}

/// What every answer says of itself.
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
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ));
}
