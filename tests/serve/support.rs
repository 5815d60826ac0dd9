//! A server on loopback, and a browser that is no more than its cookies.

use crate::common::{command, decklaw, fed};
use decklaw::judge::Judge;
use decklaw::serve::{Config, Server};
use decklaw::{JudgeOptions, Problem};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

pub(crate) const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");
pub(crate) const BROKEN: &str = include_str!("../../decks/shell/too-many-copies.txt");
const JSON: (&str, &str) = ("Content-Type", "application/json");

/// A judge by the games that are built in.
pub(crate) fn judge(options: &JudgeOptions) -> Result<Judge, Problem> {
    let day = options.day.unwrap_or_else(|| "2026-03-01".parse().unwrap());
    options.applied(Judge::built_in(day))
}

/// A server that runs until it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) key: String,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// Starts a server with its data in a folder; `set` changes its configuration.
pub(crate) fn start(data: &Path, set: impl FnOnce(&mut Config)) -> Running {
    let mut config = Config::new(Box::new(judge), data.to_owned());
    set(&mut config);
    let server = Server::bind(config, "127.0.0.1:0".parse().unwrap()).unwrap();
    let (address, key) = (server.address(), server.key().to_owned());
    let (end, ended) = tokio::sync::oneshot::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_stack_size(8 << 20)
            .build()
            .unwrap();
        let until = async {
            let _ = ended.await;
        };
        runtime.block_on(server.run(until)).unwrap();
    });
    Running { address, key, end: Some(end), thread: Some(thread) }
}

/// A server, and the folder of its data.
pub(crate) fn server() -> (Running, tempfile::TempDir) {
    let data = tempfile::tempdir().unwrap();
    (start(data.path(), |_| ()), data)
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.end.take().map(|end| end.send(()));
        let _ = self.thread.take().map(std::thread::JoinHandle::join);
    }
}

/// A server that is a process of its own, killed when it is dropped.
pub(crate) struct Process {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) key: String,
}

impl Process {
    /// Runs a call of the program that prints its address.
    pub(crate) fn start(folder: &Path, words: &[&str]) -> Process {
        let mut child = command(folder, words)
            .env("XDG_DATA_HOME", folder.join("home"))
            .env("HOME", folder)
            .env("TMPDIR", folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let (_, link) = line.trim().split_once("http://").unwrap();
        let (address, rest) = link.split_once('/').unwrap();
        let (_, key) = rest.split_once("#key=").unwrap();
        Process { address: address.parse().unwrap(), key: key.to_owned(), child }
    }

    /// Serves a folder of data, with further options.
    pub(crate) fn serve(data: &Path, more: &[&str]) -> Process {
        std::fs::create_dir_all(data).unwrap();
        Process::start(data, &[&["serve", "--port", "0", "--data", "."], more].concat())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // On Unix this is the signal that no process can catch.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The part of a text between a mark and the next end.
pub(crate) fn between<'t>(text: &'t str, mark: &str, end: char) -> &'t str {
    let (_, rest) = text.split_once(mark).unwrap_or_else(|| panic!("no {mark}: {text}"));
    rest.split(end).next().unwrap()
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    /// Whether the event took a deck: then the page has its private link.
    pub(crate) fn is_handed_in(&self) -> bool {
        self.status == 200 && self.text().contains("#key=")
    }
}

/// Sends bytes and reads all that is answered.
pub(crate) fn raw(address: SocketAddr, request: &[u8]) -> Answer {
    let mut line = TcpStream::connect(address).unwrap();
    line.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    // A server may close before all is sent.
    let _ = line.write_all(request);
    answer(&mut line)
}

pub(crate) fn answer(line: &mut TcpStream) -> Answer {
    let mut all = Vec::new();
    let _ = line.read_to_end(&mut all);
    let end = all.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or(all.len());
    let head = String::from_utf8_lossy(&all[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let rest = all.get(end + 4..).unwrap_or_default();
    let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    Answer {
        status: status.unwrap_or(0),
        body: if is_chunked { unchunked(rest) } else { rest.to_vec() },
        head,
    }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&rest[..end]).unwrap_or("0");
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        body.extend_from_slice(rest.get(end + 2..end + 2 + size).unwrap_or_default());
        rest = rest.get(end + 4 + size..).unwrap_or_default();
        if size == 0 {
            break;
        }
    }
    body
}

#[derive(Debug, Clone)]
pub(crate) struct Browser {
    pub(crate) address: SocketAddr,
    pub(crate) cookies: BTreeMap<String, String>,
}

impl Browser {
    /// A browser without cookies.
    pub(crate) fn new(address: SocketAddr) -> Browser {
        Browser { address, cookies: BTreeMap::new() }
    }

    /// A browser that has the server's key.
    pub(crate) fn host(running: &Running) -> Browser {
        Browser::enters(running.address, &running.key, "/")
    }

    /// A browser that entered by a key.
    pub(crate) fn enters(address: SocketAddr, key: &str, next: &str) -> Browser {
        let mut browser = Browser::new(address);
        let entered = browser.form("/enter", &[("key", key), ("next", next)]);
        assert_eq!(entered.status, 303, "{}", entered.text());
        browser
    }

    /// The bytes of a request; a header of `more` replaces what a browser sends, an empty one
    /// leaves it out.
    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        more: &[(&str, &str)],
        body: &[u8],
    ) -> Vec<u8> {
        let cookies: Vec<String> =
            (self.cookies.iter()).map(|(key, value)| format!("{key}={value}")).collect();
        let mut headers = vec![("Host", self.address.to_string())];
        if method != "GET" {
            headers.push(("Origin", format!("http://{}", self.address)));
            headers.push(("Content-Length", body.len().to_string()));
        }
        headers.push(("Cookie", cookies.join("; ")));
        let is_replaced = |name: &str| more.iter().any(|(key, _)| key.eq_ignore_ascii_case(name));
        headers.retain(|(name, _)| !is_replaced(name));
        headers.extend(more.iter().map(|(key, value)| (*key, (*value).to_owned())));
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (key, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            head.push_str(&format!("{key}: {value}\r\n"));
        }
        head.push_str("\r\n");
        [head.as_bytes(), body].concat()
    }

    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        more: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let answer = raw(self.address, &self.request(method, path, more, body));
        for line in answer.head.lines() {
            if !line.to_ascii_lowercase().starts_with("set-cookie:") {
                continue;
            }
            let cookie = line[11..].trim();
            let is_guarded = cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax");
            assert!(is_guarded, "{cookie}");
            let (key, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(key.to_owned(), value.to_owned());
        }
        answer
    }

    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    pub(crate) fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let kind = [("Content-Type", "application/x-www-form-urlencoded")];
        self.send("POST", path, &kind, form(fields).as_bytes())
    }

    /// The answer to a question about decks, games and cards.
    pub(crate) fn ask(&mut self, name: &str, asked: &Value) -> Answer {
        let mut question = asked.clone();
        question["ask"] = name.into();
        self.json("POST", "/api/ask", &question)
    }

    pub(crate) fn json(&mut self, method: &str, path: &str, body: &Value) -> Answer {
        self.send(method, path, &[JSON], body.to_string().as_bytes())
    }

    /// The same with the key of a form, by which a repeated request is recognised.
    pub(crate) fn json_once(&mut self, path: &str, form: &str, body: &Value) -> Answer {
        let head = [JSON, ("X-Decklaw-Form", form)];
        self.send("POST", path, &head, body.to_string().as_bytes())
    }
}

/// The body of a form.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let pairs = fields.iter();
    let pairs = pairs.map(|(key, value)| format!("{}={}", encoded(key), encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}

pub(crate) fn encoded(text: &str) -> String {
    let each = text.bytes().map(|byte| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    each.collect()
}

/// Opens an event; its path and the organiser's key.
pub(crate) fn event(host: &mut Browser, more: &[(&str, &str)]) -> (String, String) {
    let fields =
        [("format", "shell"), ("title", "Friday"), ("day", "2026-03-01"), ("list", "none")];
    let fields = fields.iter().filter(|(key, _)| !more.iter().any(|(other, _)| other == key));
    let fields: Vec<_> = fields.chain(more).copied().collect();
    let opened = host.form("/desk/new", &fields);
    assert_eq!(opened.status, 200, "{}", opened.text());
    let text = opened.text();
    let path = format!("/e/{}", between(&text, "href=\"/e/", '"'));
    (path, between(&text, "#key=", '"').to_owned())
}

/// Hands a deck in from a new browser; `action` is what the form's button says.
pub(crate) fn hand_in(
    address: SocketAddr,
    path: &str,
    [name, deck, action]: [&str; 3],
) -> (Browser, Answer) {
    let mut player = Browser::new(address);
    let answer = player.form(path, &[("name", name), ("deck", deck), ("do", action)]);
    (player, answer)
}

/// The folder of an event that was opened at a server with these data.
pub(crate) fn folder(data: &Path, path: &str) -> PathBuf {
    data.join("events").join(path.rsplit('/').next().unwrap())
}

/// The number of rows in an event's database: decks and decisions.
pub(crate) fn rows(folder: &Path) -> i64 {
    let file = rusqlite::Connection::open(folder.join("entries.db")).unwrap();
    let rows = "select (select count(*) from entry) + (select count(*) from decision)";
    file.query_row(rows, [], |row| row.get(0)).unwrap()
}

/// Decides at an event's page.
pub(crate) fn decide(desk: &mut Browser, path: &str, words: &[&str]) -> Answer {
    let words = json!({"do": "decide", "words": words});
    desk.json("POST", &format!("{path}/desk/do"), &words)
}

/// Imports a file at an event's page.
pub(crate) fn import(
    desk: &mut Browser,
    path: &str,
    upload: &Value,
    bytes: &[u8],
    confirm: bool,
) -> Value {
    let upload = encoded(&upload.to_string());
    let to = format!("{path}/desk/import?upload={upload}&confirm={confirm}&by=Maren");
    let kind = [("Content-Type", "application/octet-stream")];
    let answer = desk.send("POST", &to, &kind, bytes);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Everything that an event's page shows.
pub(crate) fn state(desk: &mut Browser, path: &str) -> Value {
    let state = desk.get(&format!("{path}/desk/state"));
    assert_eq!(state.status, 200, "{}", state.text());
    state.json()
}

/// Runs the program in a folder; its output, if it succeeds.
pub(crate) fn program(folder: &Path, words: &[&str], input: &str) -> Vec<u8> {
    let run = fed(command(folder, words), input.as_bytes());
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(matches!(run.status.code(), Some(0 | 1)), "{words:?}: {said}");
    run.stdout
}

/// The exit status of a server that refuses to start.
pub(crate) fn refused(words: &[&str], folder: &Path) -> Option<i32> {
    decklaw(folder, words).status.code()
}

/// Reads until a stream has sent some words.
pub(crate) fn read_until(line: &mut TcpStream, read: &mut Vec<u8>, words: &str) {
    let mut bytes = [0; 1024];
    while !String::from_utf8_lossy(read).contains(words) {
        match line.read(&mut bytes) {
            // The end of a child process may interrupt the waiting.
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            count => {
                let count = count.unwrap();
                assert!(count > 0, "the stream ends before {words}");
                read.extend(&bytes[..count]);
            }
        }
    }
}
