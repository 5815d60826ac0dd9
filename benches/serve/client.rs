//! A server of its own, and a client that asks it over HTTP.

use super::{Error, LEGAL, PATIENCE};
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Request, Uri, header};
use hyper_util::client::legacy::{Client, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use std::io::{BufRead, BufReader};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server of its own, ended when it is dropped.
pub(super) struct Process {
    child: Child,
    pub(super) address: SocketAddr,
    pub(super) key: String,
}

impl Process {
    /// Starts one; it has told its address.
    pub(super) fn start(data: &Path) -> Result<Process, Error> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args(["serve", "--port", "0", "--data"])
            .arg(data)
            .env("DECKLAW_CONFIG", data.join("none"))
            .current_dir(data)
            .stdout(Stdio::piped())
            .spawn()?;
        let out = child.stdout.take().ok_or("no output")?;
        let mut process = Process {
            child,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            key: String::new(),
        };
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line)?;
        let link = line.split_once("http://").ok_or("no address")?.1;
        let (address, rest) = link.split_once('/').ok_or("no path")?;
        process.address = address.parse()?;
        let key = rest.split_once("#key=").ok_or("no key")?.1;
        key.trim().clone_into(&mut process.key);
        Ok(process)
    }

    /// The most memory that it ever had, in MiB, where the system tells.
    pub(super) fn memory(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib / 1024.0)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came back.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Answer {
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A browser: its cookies, its token, its connections.
#[derive(Clone)]
pub(super) struct Browser {
    client: Client<HttpConnector, Body>,
    server: SocketAddr,
    cookies: String,
    token: String,
}

impl Browser {
    /// One that has loaded a page; where the system lets it, from an address of its own.
    pub(super) async fn at(
        server: SocketAddr,
        page: &str,
        from: Option<Ipv4Addr>,
    ) -> Result<Browser, Error> {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        connector.set_local_address(from.map(IpAddr::V4));
        let mut browser = Browser {
            client: Client::builder(TokioExecutor::new()).build(connector),
            server,
            cookies: String::new(),
            token: String::new(),
        };
        let page = browser.get(page).await?;
        browser.keep(&page);
        let text = page.text();
        let token = text
            .split_once("name=\"token\" content=\"")
            .ok_or("no token")?;
        let token = token.1.split('"').next().unwrap_or_default();
        token.clone_into(&mut browser.token);
        Ok(browser)
    }

    /// Keeps the cookies of an answer.
    pub(super) fn keep(&mut self, answer: &Answer) {
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            let pair = cookie.to_str().ok().and_then(|text| text.split(';').next());
            if let Some(pair) = pair {
                self.cookies = [self.cookies.as_str(), pair].join("; ");
            }
        }
    }

    pub(super) async fn send(
        &self,
        method: &str,
        path: &str,
        kind: &str,
        body: Bytes,
    ) -> Result<Answer, Error> {
        let uri: Uri = format!("http://{}{path}", self.server).parse()?;
        let mut request = Request::builder()
            .method(method)
            .uri(uri)
            .header(header::COOKIE, self.cookies.trim_start_matches("; "))
            .header(header::ACCEPT_ENCODING, "gzip");
        if method != "GET" {
            request = request
                .header(header::ORIGIN, format!("http://{}", self.server))
                .header(header::CONTENT_TYPE, kind)
                .header("x-decklaw-token", &self.token);
        }
        let asked = async {
            let response = self.client.request(request.body(Body::from(body))?).await?;
            let (head, body) = response.into_parts();
            Ok::<_, Error>(Answer {
                status: head.status.as_u16(),
                headers: head.headers,
                body: to_bytes(Body::new(body), usize::MAX).await?,
            })
        };
        tokio::time::timeout(PATIENCE, asked).await?
    }

    /// Gets what is there; anything else is an error.
    pub(super) async fn get(&self, path: &str) -> Result<Answer, Error> {
        let answer = self.send("GET", path, "", Bytes::new()).await?;
        expect(&answer, 200, "")?;
        Ok(answer)
    }

    pub(super) async fn json(&self, path: &str, body: Bytes) -> Result<Answer, Error> {
        let answer = self.send("POST", path, "application/json", body).await?;
        expect(&answer, 200, "")?;
        Ok(answer)
    }

    pub(super) async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Result<Answer, Error> {
        let pairs: Vec<String> = fields
            .iter()
            .map(|(key, value)| format!("{key}={}", encoded(value)))
            .collect();
        let kind = "application/x-www-form-urlencoded";
        self.send("POST", path, kind, pairs.join("&").into()).await
    }

    /// Hands a deck in, and has the receipt.
    pub(super) async fn hand_in(&self, event: &str, name: &str) -> Result<(), Error> {
        let fields = [("name", name), ("deck", LEGAL), ("do", "hand-in")];
        expect(&self.form(event, &fields).await?, 200, "Handed in")
    }
}

/// Whether an answer is the one that was due.
pub(super) fn expect(answer: &Answer, status: u16, words: &str) -> Result<(), Error> {
    if answer.status == status && (words.is_empty() || answer.text().contains(words)) {
        return Ok(());
    }
    let text = answer.text();
    let start: String = text.chars().take(600).collect();
    Err(format!("not {status} {words} but {}: {start}", answer.status).into())
}

fn encoded(text: &str) -> String {
    let each = text.bytes().map(|byte| match byte.is_ascii_alphanumeric() {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    each.collect()
}
