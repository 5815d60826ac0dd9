//! A web server of a few lines, which says whatever a test wants.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a path holds.
#[derive(Clone)]
pub(crate) enum Page {
    /// These bytes, head and all.
    Raw(Vec<u8>),
    /// These bytes, and then a byte every tenth of a second without end.
    Drip(Vec<u8>),
    /// A list with an `ETag` and `Last-Modified`, which answers 304 to either.
    Versioned(String, &'static str, &'static str),
}

/// The head of a request after its first line, in lower case.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    lines: Vec<String>,
}

impl Asked {
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        let found = self.lines.iter().find_map(|line| line.strip_prefix(name));
        found.map(|rest| rest.trim_start_matches(':').trim())
    }
}

#[derive(Clone)]
pub(crate) struct Server {
    port: u16,
    pages: Arc<Mutex<BTreeMap<String, Page>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Server {
            port: listener.local_addr().unwrap().port(),
            pages: Arc::default(),
            asked: Arc::default(),
        };
        let own = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let own = own.clone();
                // A client that hangs up early is part of the tests.
                std::thread::spawn(move || own.answer(stream.unwrap()));
            }
        });
        server
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn put(&self, path: &str, page: Page) {
        self.pages.lock().unwrap().insert(path.to_owned(), page);
    }

    /// The requests since the last call.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    fn answer(&self, mut stream: TcpStream) -> Option<()> {
        let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
        let first = lines.next()?.ok()?;
        let path = first.split(' ').nth(1)?.to_owned();
        let mut head = Vec::new();
        for line in lines {
            match line.ok()?.to_ascii_lowercase() {
                line if line.is_empty() => break,
                line => head.push(line),
            }
        }
        let asked = Asked { lines: head };
        let page = self.pages.lock().unwrap().get(&path).cloned();
        let reply = match page {
            None => raw("404 Not Found", "", b"no such page"),
            Some(Page::Raw(bytes)) => bytes,
            Some(Page::Drip(bytes)) => {
                stream.write_all(&bytes).ok()?;
                loop {
                    std::thread::sleep(Duration::from_millis(100));
                    stream.write_all(b"#").ok()?;
                }
            }
            Some(Page::Versioned(body, etag, day)) => {
                let known = asked.value("if-none-match") == Some(&etag.to_ascii_lowercase())
                    || asked.value("if-modified-since") == Some(&day.to_ascii_lowercase());
                let head = format!("ETag: {etag}\r\nLast-Modified: {day}\r\n");
                match known {
                    true => format!("HTTP/1.1 304 Not Modified\r\n{head}\r\n").into_bytes(),
                    false => raw("200 OK", &head, body.as_bytes()),
                }
            }
        };
        self.asked.lock().unwrap().push(asked);
        stream.write_all(&reply).ok()?;
        stream.shutdown(std::net::Shutdown::Write).ok()
    }
}

/// A whole answer, with its length.
pub(crate) fn raw(status: &str, head: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut bytes =
        format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n")
            .into_bytes();
    bytes.extend(body);
    bytes
}

/// A list, plainly served.
pub(crate) fn ok(body: &str) -> Page {
    Page::Raw(raw("200 OK", "Content-Type: text/plain\r\n", body.as_bytes()))
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
