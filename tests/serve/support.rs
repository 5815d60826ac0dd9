//! A server on loopback, and a browser that is no more than its cookies.

use decklaw::banlist::Lists;
use decklaw::judge::{Judge, WhichList};
use decklaw::serve::{Config, Server};
use decklaw::{JudgeOptions, Problem};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

pub(crate) const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");
pub(crate) const BROKEN: &str = include_str!("../../decks/shell/too-many-copies.txt");

/// A judge by the games that are built in.
pub(crate) fn judge(options: &JudgeOptions) -> Result<Judge, Problem> {
    let day = options.day.unwrap_or_else(|| "2026-03-01".parse().unwrap());
    options.applied(Judge::built_in(day))
}

/// The same with a banlist of the program's own in force.
pub(crate) fn judge_by(list: &str, options: &JudgeOptions) -> Result<Judge, Problem> {
    let list = Lists::default().find(list).unwrap().remove(0);
    Ok(judge(options)?.with_list(WhichList::Named(list)))
}

/// A server that runs until it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) key: String,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// Starts one with its data in a folder; `set` changes how it is set up.
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
    Running {
        address,
        key,
        end: Some(end),
        thread: Some(thread),
    }
}

/// A server, and the folder of its data.
pub(crate) fn server() -> (Running, tempfile::TempDir) {
    let data = tempfile::tempdir().unwrap();
    (start(data.path(), |_| ()), data)
}

/// A server, the folder of its data, and a visitor's browser.
pub(crate) fn visited() -> (Running, tempfile::TempDir, Browser) {
    let (running, data) = server();
    let browser = Browser::new(running.address);
    (running, data, browser)
}

/// The part of a text between a mark and the next end.
pub(crate) fn between<'t>(text: &'t str, mark: &str, end: char) -> &'t str {
    let (_, rest) = text.split_once(mark).unwrap();
    rest.split(end).next().unwrap()
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.end.take().map(|end| end.send(()));
        let _ = self.thread.take().map(std::thread::JoinHandle::join);
    }
}

/// An answer.
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
}

/// Reads what comes next. A process that ends, such as a worker, may interrupt the waiting.
pub(crate) fn next(line: &mut impl Read, into: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match line.read(into) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Sends bytes and reads all that is answered.
pub(crate) fn raw(address: SocketAddr, request: &[u8]) -> Answer {
    let mut line = TcpStream::connect(address).unwrap();
    line.set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    // A server that has heard enough may close before all is sent.
    let _ = line.write_all(request);
    answer(&mut line)
}

pub(crate) fn answer(line: &mut TcpStream) -> Answer {
    let mut all = Vec::new();
    let _ = line.read_to_end(&mut all);
    let split = all
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap_or(all.len());
    let head = String::from_utf8_lossy(&all[..split]).into_owned();
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0);
    let rest = all.get(split + 4..).unwrap_or_default().to_vec();
    let chunked = head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked");
    let body = if chunked { unchunked(&rest) } else { rest };
    Answer { status, head, body }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&rest[..end]).unwrap_or("0");
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        let Some(chunk) = rest.get(end + 2..end + 2 + size) else {
            break;
        };
        body.extend_from_slice(chunk);
        rest = rest.get(end + 4 + size..).unwrap_or_default();
        if size == 0 {
            break;
        }
    }
    body
}

/// A browser.
#[derive(Debug, Clone)]
pub(crate) struct Browser {
    pub(crate) address: SocketAddr,
    pub(crate) cookies: BTreeMap<String, String>,
}

impl Browser {
    /// One that has just loaded the first page.
    pub(crate) fn new(address: SocketAddr) -> Browser {
        let mut browser = Browser {
            address,
            cookies: BTreeMap::new(),
        };
        assert_eq!(browser.get("/").status, 200);
        browser
    }

    /// One that has the server's key.
    pub(crate) fn host(running: &Running) -> Browser {
        Browser::enters(running.address, &running.key, "/")
    }

    /// One that entered by a key.
    pub(crate) fn enters(address: SocketAddr, key: &str, next: &str) -> Browser {
        let mut browser = Browser::new(address);
        let entered = browser.form("/enter", &[("key", key), ("next", next)]);
        assert_eq!(entered.status, 303, "{}", entered.text());
        browser
    }

    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        more: &[(&str, &str)],
        body: &[u8],
    ) -> Vec<u8> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        let named = |name: &str| more.iter().any(|(key, _)| key.eq_ignore_ascii_case(name));
        if !named("host") {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        if method != "GET" && !named("origin") {
            head.push_str(&format!("Origin: http://{}\r\n", self.address));
        }
        if method != "GET" && !named("content-length") {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        if !cookies.is_empty() && !named("cookie") {
            head.push_str(&format!("Cookie: {}\r\n", cookies.join("; ")));
        }
        for (key, value) in more.iter().filter(|(_, value)| !value.is_empty()) {
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
            let Some(cookie) = line
                .to_ascii_lowercase()
                .starts_with("set-cookie:")
                .then(|| line[11..].trim())
            else {
                continue;
            };
            assert!(
                cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
                "{cookie}"
            );
            let (key, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(key.to_owned(), value.to_owned());
        }
        answer
    }

    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    pub(crate) fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let pairs: Vec<String> = fields
            .iter()
            .map(|(key, value)| format!("{}={}", encoded(key), encoded(value)))
            .collect();
        let kind = [("Content-Type", "application/x-www-form-urlencoded")];
        self.send("POST", path, &kind, pairs.join("&").as_bytes())
    }

    /// The answer to a question about decks, games and cards.
    pub(crate) fn ask(&mut self, name: &str, asked: &Value) -> Answer {
        let mut question = asked.clone();
        question["ask"] = name.into();
        self.json("POST", "/api/ask", &question)
    }

    pub(crate) fn json(&mut self, method: &str, path: &str, body: &Value) -> Answer {
        let head = [("Content-Type", "application/json")];
        self.send(method, path, &head, body.to_string().as_bytes())
    }
}

pub(crate) fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    let each = text.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    each.collect()
}

/// Opens an event; its path and the organiser's key.
pub(crate) fn event(host: &mut Browser, more: &[(&str, &str)]) -> (String, String) {
    let fields = [
        &[
            ("format", "shell"),
            ("title", "Friday"),
            ("day", "2026-03-01"),
            ("list", "none"),
        ][..],
        more,
    ]
    .concat();
    let opened = host.form("/desk/new", &fields);
    assert_eq!(opened.status, 200, "{}", opened.text());
    let text = opened.text();
    let key = between(&text, "#key=", '"').to_owned();
    let path = between(&text, "href=\"/e/", '"');
    (format!("/e/{path}"), key)
}

/// A table that was opened: its id, and the key of each place.
pub(crate) struct Laid {
    pub(crate) id: String,
    pub(crate) keys: BTreeMap<String, String>,
}

impl Laid {
    /// The address of a place.
    pub(crate) fn path(&self, place: &str) -> String {
        format!("/t/{}/{}", self.id, self.keys[place])
    }
}

/// Bytes of chance that a browser brings.
pub(crate) fn chance(number: usize) -> String {
    format!("{number:02x}").repeat(32)
}

/// Lays a table: somebody opens it with the first deck and what else a form asks, and each other seat
/// brings the next one.
pub(crate) fn lay(mut opener: Browser, fields: &[(&str, &str)]) -> Laid {
    let decks: Vec<&str> = fields
        .iter()
        .filter(|(key, _)| key.starts_with("deck-"))
        .map(|(_, deck)| *deck)
        .collect();
    let own = chance(1);
    let mut form: Vec<(&str, &str)> = vec![("random", own.as_str()), ("do", "open")];
    form.extend(fields.iter().filter(|(key, _)| !key.starts_with("deck-")));
    form.extend(decks.first().map(|deck| ("deck", *deck)));
    let opened = opener.form("/play", &form);
    assert_eq!(opened.status, 303, "{}", opened.text());
    let path = opened.header("location").unwrap().to_owned();
    let page = opener.get(&path);
    assert!(page.text().contains("<svg"), "a code for phones");
    let mut laid = links(&page);
    let (_, own) = path.rsplit_once('/').unwrap();
    laid.keys.insert("A".to_owned(), own.to_owned());
    for (at, seat) in ["B", "C", "D"].into_iter().enumerate() {
        if !laid.keys.contains_key(seat) {
            continue;
        }
        let mut browser = Browser::new(opener.address);
        let brought = chance(at + 2);
        let mut form = vec![("random", brought.as_str())];
        form.extend(decks.get(at + 1).map(|deck| ("deck", *deck)));
        let came = browser.form(&laid.path(seat), &form);
        assert_eq!(came.status, 303, "{}", came.text());
    }
    laid
}

/// The table that the links of a page lead to, and the key of each place: each link stands under the
/// name of its place.
pub(crate) fn links(page: &Answer) -> Laid {
    let text = page.text();
    assert_eq!(page.status, 200, "{text}");
    let (mut keys, mut id) = (BTreeMap::new(), String::new());
    for part in text.split("aria-label=\"QR code of the link for ").skip(1) {
        let place = part.split('"').next().unwrap();
        let place = match place {
            "onlookers" => "onlooker",
            seat => seat.trim_start_matches("seat "),
        };
        let (_, link) = part.split_once("class=\"key\" href=\"").unwrap();
        let mut link = link.split('"').next().unwrap().rsplit('/');
        keys.insert(place.to_owned(), link.next().unwrap().to_owned());
        link.next().unwrap().clone_into(&mut id);
    }
    Laid { id, keys }
}

/// The folder of an event that was opened at a server with these data.
pub(crate) fn folder(data: &std::path::Path, path: &str) -> std::path::PathBuf {
    data.join("events").join(path.rsplit('/').next().unwrap())
}

/// How many decks an event's folder keeps.
pub(crate) fn entries(folder: &std::path::Path) -> i64 {
    let file = rusqlite::Connection::open(folder.join("entries.db")).unwrap();
    let decks = "select count(*) from entry";
    file.query_row(decks, [], |row| row.get(0)).unwrap()
}

/// Decides at an event's page.
pub(crate) fn decide(desk: &mut Browser, path: &str, words: &[&str]) -> Answer {
    let words = serde_json::json!({"do": "decide", "words": words});
    desk.json("POST", &format!("{path}/desk/do"), &words)
}

/// Everything that an event's page shows.
pub(crate) fn state(desk: &mut Browser, path: &str) -> Value {
    let state = desk.get(&format!("{path}/desk/state"));
    assert_eq!(state.status, 200, "{}", state.text());
    state.json()
}

/// Imports a file at an event's page; what it says.
pub(crate) fn import(
    desk: &mut Browser,
    path: &str,
    upload: &Value,
    bytes: &[u8],
    confirm: bool,
) -> Value {
    let upload = encoded(&upload.to_string());
    let to = format!("{path}/desk/import?upload={upload}&confirm={confirm}");
    let said = desk.send(
        "POST",
        &to,
        &[("Content-Type", "application/octet-stream")],
        bytes,
    );
    assert_eq!(said.status, 200, "{}", said.text());
    said.json()
}

/// What the program says of an event's folder.
pub(crate) fn event_command(folder: &std::path::Path, word: &str, more: &[&str]) -> Vec<u8> {
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["event", word])
        .arg(folder)
        .args(more)
        .env("DECKLAW_CONFIG", folder)
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    run.stdout
}
