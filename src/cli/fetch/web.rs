//! The network: HTTPS, or plain HTTP that does not leave the machine.

use super::{Body, FetchError, LARGEST_LIST, Validators};
use flate2::read::MultiGzDecoder;
use reqwest::blocking::{Client, Response};
use reqwest::header::{self, HeaderMap, HeaderName};
use reqwest::{StatusCode, Url};
use std::cell::OnceCell;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most redirects that are followed.
const MOST_REDIRECTS: usize = 5;

/// The longest validator that is kept, in bytes.
const LONGEST_VALIDATOR: usize = 1024;

/// The network. Nothing is set up before the first request.
#[derive(Debug)]
pub(crate) struct Network {
    seconds: u64,
    beyond: OnceCell<Client>,
    loopback: OnceCell<Client>,
}

impl Network {
    /// The network, where each address has `seconds` to answer in full.
    pub(crate) fn new(seconds: u64) -> Network {
        Network { seconds, beyond: OnceCell::new(), loopback: OnceCell::new() }
    }

    /// The client for an address. What is for this machine is never sent to a proxy.
    fn client(&self, url: &Url) -> Result<&Client, FetchError> {
        let local = is_loopback(url);
        let slot = if local { &self.loopback } else { &self.beyond };
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let trusted = webpki_roots::TLS_SERVER_ROOTS.iter().cloned();
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| no_connection(&error))?
            .with_root_certificates(rustls::RootCertStore::from_iter(trusted))
            .with_no_client_auth();
        let mut builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("decklaw/", env!("CARGO_PKG_VERSION")));
        if local {
            // Whatever name servers say: `localhost` is this machine.
            let here = [([127, 0, 0, 1], 0).into(), ([0u16, 0, 0, 0, 0, 0, 0, 1], 0).into()];
            builder = builder.no_proxy().resolve_to_addrs("localhost", &here);
        }
        let client = builder.build().map_err(|error| no_connection(&error))?;
        Ok(slot.get_or_init(|| client))
    }

    fn timed_out(&self) -> FetchError {
        let seconds = self.seconds;
        FetchError::Unusable(format!("not all of it came within {seconds} seconds"))
    }

    fn ask(
        &self,
        url: &Url,
        known: &Validators,
        deadline: Instant,
    ) -> Result<Response, FetchError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.timed_out());
        }
        let mut request = self
            .client(url)?
            .get(url.clone())
            .timeout(left)
            .header(header::ACCEPT_ENCODING, "gzip");
        if let Some(etag) = &known.etag {
            request = request.header(header::IF_NONE_MATCH, etag);
        }
        if let Some(day) = &known.last_modified {
            request = request.header(header::IF_MODIFIED_SINCE, day);
        }
        request.send().map_err(|error| {
            if error.is_timeout() { self.timed_out() } else { no_connection(&error) }
        })
    }

    fn body(&self, response: Response, deadline: Instant) -> Result<Body, FetchError> {
        let most = LARGEST_LIST;
        let too_large =
            || FetchError::Unusable(format!("more than {most} bytes, which no list has"));
        let headers = response.headers();
        let length = text(headers, header::CONTENT_LENGTH);
        let length = length.and_then(|length| length.parse::<u64>().ok());
        if length.is_some_and(|length| length > most) {
            return Err(too_large());
        }
        let kind = text(headers, header::CONTENT_TYPE).unwrap_or_default();
        let kind = kind.to_ascii_lowercase();
        let html = kind.starts_with("text/html") || kind.starts_with("application/xhtml");
        let encoding = text(headers, header::CONTENT_ENCODING).unwrap_or_default();
        let gzip = match encoding.to_ascii_lowercase().as_str() {
            "" | "identity" => false,
            "gzip" | "x-gzip" => true,
            _ => {
                return Err(FetchError::Unusable(format!(
                    "the server encodes it as `{encoding}`, which was not asked for"
                )));
            }
        };
        let chunked = headers.contains_key(header::TRANSFER_ENCODING);
        let short = |name| text(headers, name).filter(|value| value.len() <= LONGEST_VALIDATOR);
        let validators =
            Validators { etag: short(header::ETAG), last_modified: short(header::LAST_MODIFIED) };
        let mut bytes = Vec::new();
        let sent = TimedResponse { response, deadline }.take(most + 1);
        let read = if gzip {
            let mut decoded = MultiGzDecoder::new(sent).take(most + 1);
            decoded.read_to_end(&mut bytes)
        } else {
            let mut sent = sent;
            sent.read_to_end(&mut bytes)
        };
        if bytes.len() as u64 > most {
            return Err(too_large());
        }
        read.map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => self.timed_out(),
            _ => FetchError::Unusable(format!("it broke off or came damaged: {}", deepest(&error))),
        })?;
        Ok(Body { bytes, whole: length.is_some() || chunked || gzip, html, validators })
    }
}

impl Network {
    /// Asks an address for its list, of at most [`LARGEST_LIST`] decoded bytes; `None`: the copy
    /// of the validators is the newest.
    ///
    /// # Errors
    /// Why no list came.
    pub(crate) fn get(&self, url: &str, known: &Validators) -> Result<Option<Body>, FetchError> {
        let mut url = Url::parse(url).map_err(|_| no_address(url))?;
        permit(&url)?;
        let deadline = Instant::now() + Duration::from_secs(self.seconds);
        for _ in 0..=MOST_REDIRECTS {
            let response = self.ask(&url, known, deadline)?;
            match response.status() {
                StatusCode::OK => return self.body(response, deadline).map(Some),
                StatusCode::NOT_MODIFIED => return Ok(None),
                StatusCode::MOVED_PERMANENTLY
                | StatusCode::FOUND
                | StatusCode::SEE_OTHER
                | StatusCode::TEMPORARY_REDIRECT
                | StatusCode::PERMANENT_REDIRECT => {
                    let to = text(response.headers(), header::LOCATION);
                    url = follow(
                        &url,
                        &to.ok_or_else(|| {
                            FetchError::unusable("the server redirects without saying where to")
                        })?,
                    )?;
                }
                other => return Err(FetchError::Unusable(format!("the server answers {other}"))),
            }
        }
        Err(FetchError::Unusable(format!("more than {MOST_REDIRECTS} redirects")))
    }
}

/// A response that is read until a deadline, however slowly it drips.
struct TimedResponse {
    response: Response,
    deadline: Instant,
}

impl Read for TimedResponse {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if Instant::now() >= self.deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.response.read(buffer).map_err(|error| {
            let late = error
                .get_ref()
                .and_then(|inner| inner.downcast_ref::<reqwest::Error>())
                .is_some_and(reqwest::Error::is_timeout);
            if late { io::ErrorKind::TimedOut.into() } else { error }
        })
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// Whether an address is on this machine.
fn is_loopback(url: &Url) -> bool {
    let Some(host) = url.host_str() else {
        return false;
    };
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    match plain.parse::<std::net::IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host == "localhost",
    }
}

/// Permits HTTPS, and plain HTTP that does not leave the machine.
fn permit(url: &Url) -> Result<(), FetchError> {
    if !url.username().is_empty() || url.password().is_some() {
        let message = "an address must not hold a user's name or password";
        return Err(FetchError::unusable(message));
    }
    if url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url)) {
        return Ok(());
    }
    Err(FetchError::Unusable(format!("`{url}` is not HTTPS; use an https:// address")))
}

/// Where a redirect leads: to HTTPS, or from this machine to this machine.
fn follow(from: &Url, to: &str) -> Result<Url, FetchError> {
    let to = from.join(to).map_err(|_| no_address(to))?;
    if to.scheme() != "https" && !(is_loopback(from) && is_loopback(&to)) {
        return Err(FetchError::Unusable(format!(
            "the server redirects to `{to}`, which is not HTTPS"
        )));
    }
    permit(&to)?;
    Ok(to)
}

fn no_address(url: &str) -> FetchError {
    FetchError::Unusable(format!("`{url}` is not an address; use an https:// address"))
}

fn no_connection(error: &dyn std::error::Error) -> FetchError {
    FetchError::Unusable(format!("no connection: {}", deepest(error)))
}

/// What an error comes down to.
fn deepest(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(inner) = error.source() {
        error = inner;
    }
    error.to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_https_leaves_the_machine() {
        let permitted = |url: &str| permit(&Url::parse(url).unwrap()).is_ok();
        for url in [
            "https://example.org/list.yaml",
            "https://192.0.2.7/list.yaml",
            "http://127.0.0.1:8000/list.yaml",
            "http://127.9.9.9/",
            "http://[::1]:8000/",
            "http://localhost/list.yaml",
            "HTTP://LOCALHOST/",
        ] {
            assert!(permitted(url), "{url}");
        }
        for url in [
            "http://example.org/list.yaml",
            "http://localhost.example.org/",
            "http://127.0.0.1.example.org/",
            "http://0.0.0.0/",
            "http://128.0.0.1/",
            "http://[::2]/",
            "http://[::ffff:192.0.2.7]/",
            "ftp://example.org/",
            "file:///etc/passwd",
            "data:text/plain,x",
            "https://user:word@example.org/",
            "https://user@example.org/",
        ] {
            assert!(!permitted(url), "{url}");
        }
    }

    #[test]
    fn redirects_stay_with_https_or_on_the_machine() {
        let follows = |from: &str, to: &str| follow(&Url::parse(from).unwrap(), to);
        let (web, here) = ("https://example.org/a/list", "http://127.0.0.1:1/list");
        assert_eq!(follows(web, "../b?x").unwrap().as_str(), "https://example.org/b?x");
        assert!(follows(web, "https://other.example/x").is_ok());
        assert!(follows(here, "/x").is_ok());
        assert!(follows(here, "http://localhost:2/x").is_ok());
        assert!(follows(here, "https://example.org/x").is_ok());
        for (from, to) in [
            (web, "http://example.org/list"),
            (web, here),
            (here, "http://example.org/list"),
            (web, "file:///etc/passwd"),
            (web, "//user:word@example.org/"),
            (web, "https://"),
        ] {
            assert!(follows(from, to).is_err(), "{from} {to}");
        }
    }
}
