//! A server as a process of its own, on an event's folder of its own, seen from outside alone.

use super::support::{Answer, Browser, lay, raw};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// How many times as much is tried as `cargo test` does.
pub(super) fn times() -> usize {
    let told = std::env::var("DECKLAW_ADVERSARY").ok();
    told.map_or(1, |told| {
        told.parse().expect("DECKLAW_ADVERSARY is a whole number")
    })
}

/// The folders of a server, which outlast its process.
pub(super) struct Folders {
    /// All of them are in it.
    root: tempfile::TempDir,
}

/// The address of the event's pages.
pub(super) const EVENT: &str = "/e/friday";

impl Folders {
    /// New ones, with an event that takes decks.
    pub(super) fn new(more: &[&str]) -> Folders {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders { root };
        let event = folders.event();
        let terms = ["--format", "shell", "--as-of", "2026-03-01"];
        let list = ["--banlist", "none", "--name", "Friday"];
        let made = folders.command(&[&["event", "new"], &[path(&event)][..], &terms, &list, more]);
        assert!(made.status.success(), "{}", said(&made));
        folders
    }

    /// The event's folder.
    pub(super) fn event(&self) -> PathBuf {
        self.root.path().join("friday")
    }

    /// The folder of the server's own data.
    pub(super) fn data(&self) -> PathBuf {
        self.root.path().join("data")
    }

    /// A place for something else.
    pub(super) fn aside(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Runs the program to its end.
    pub(super) fn command(&self, words: &[&[&str]]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
        command.args(words.concat());
        command.env("DECKLAW_CONFIG", self.root.path().join("none"));
        command.output().unwrap()
    }

    /// A call that serves them.
    pub(super) fn call(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
        command.args(["serve", "--port", "0", "--data"]);
        command.arg(self.data()).arg("--event").arg(self.event());
        command.env("DECKLAW_CONFIG", self.root.path().join("none"));
        command
    }

    /// Serves them.
    pub(super) fn serve(&self) -> Served {
        Served::start(self.call()).unwrap_or_else(|refused| panic!("{}", said(&refused)))
    }
}

/// A path as an argument.
pub(super) fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// What a call said that was refused.
pub(super) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A server that runs until it is dropped, and then ends without a word.
pub(super) struct Served {
    child: Child,
    pub(super) address: SocketAddr,
    pub(super) key: String,
}

impl Served {
    /// Starts one; or what it said when it would not.
    pub(super) fn start(mut call: Command) -> Result<Served, Output> {
        call.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = call.spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let Some(link) = line.split("http://").nth(1) else {
            return Err(child.wait_with_output().unwrap());
        };
        let (address, rest) = link.split_once('/').unwrap();
        let key = rest.split("#key=").nth(1).unwrap().trim();
        Ok(Served {
            address: address.parse().unwrap(),
            key: key.to_owned(),
            child,
        })
    }

    /// A browser of whoever runs it.
    pub(super) fn host(&self) -> Browser {
        let mut browser = Browser::new(self.address);
        let entered = browser.form("/enter", &[("key", &self.key), ("next", "/")]);
        assert_eq!(entered.status, 303, "{}", entered.text());
        browser
    }

    /// Ends it as an organiser does; what it said meanwhile.
    pub(super) fn end(mut self) -> String {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        let mut told = String::new();
        let mut errors = self.child.stderr.take().unwrap();
        errors.read_to_string(&mut told).unwrap();
        told
    }

    /// That it still runs, in how many MiB. Where there is no `/proc`, only that it runs.
    pub(super) fn memory(&mut self) -> u64 {
        let ended = self.child.try_wait().unwrap();
        assert!(ended.is_none(), "the server ended: {ended:?}");
        resident(self.child.id()) >> 10
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn resident(process: u32) -> u64 {
    let told = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

/// The fields of a form, as a browser sends them.
pub(super) fn form(browser: &Browser, path: &str, fields: &[(&str, &str)]) -> Vec<u8> {
    let all = fields.iter();
    let encoded = super::support::encoded;
    let pairs = all.map(|(key, value)| format!("{}={}", encoded(key), encoded(value)));
    let body = pairs.collect::<Vec<_>>().join("&");
    let kind = [("Content-Type", "application/x-www-form-urlencoded")];
    browser.request("POST", path, &kind, body.as_bytes())
}

/// A request in JSON, as a page sends it.
pub(super) fn asked(browser: &Browser, method: &str, path: &str, body: &Value) -> Vec<u8> {
    let head = [("Content-Type", "application/json")];
    browser.request(method, path, &head, body.to_string().as_bytes())
}

/// Seat A and seat B of a table whose game has begun.
pub(super) struct Table {
    pub(super) id: String,
    /// The keys of both.
    keys: [String; 2],
    browser: Browser,
    /// The number of the seat whose turn it is.
    at: usize,
}

impl Table {
    /// Lays one, and answers whatever is asked until the game begins.
    pub(super) fn lay(served: &Served) -> Table {
        let fields = [("format", "vastrix"), ("option-players", "2")];
        let laid = lay(Browser::new(served.address), &fields);
        let mut table = Table {
            keys: ["A", "B"].map(|seat| laid.keys[seat].clone()),
            id: laid.id,
            browser: Browser::new(served.address),
            at: 0,
        };
        for _ in 0..100 {
            for at in 0..2 {
                table.at = at;
                let view = table.view();
                if view["phase"] == "game" {
                    table.at = usize::from(view["active"] == "B");
                    return table;
                }
                if view["asked"]["mine"] == true {
                    table.does(&json!({"rev": view["rev"], "do": {"agree": true}}));
                } else if view["question"]["answers"].is_array() && view["asked"].is_null() {
                    let answer = json!({"option": 0});
                    table.does(&json!({"rev": view["rev"], "do": {"answer": answer}}));
                }
            }
        }
        panic!("the setup does not end");
    }

    /// The key of the seat whose turn it is.
    pub(super) fn key(&self) -> &str {
        &self.keys[self.at]
    }

    fn base(&self) -> String {
        format!("/api/t/{}/{}", self.id, self.key())
    }

    /// What the seat sees whose turn it is.
    pub(super) fn view(&mut self) -> Value {
        let to = format!("{}/view", self.base());
        let told = self.browser.get(&to);
        assert_eq!(told.status, 200, "{}", told.text());
        told.json()
    }

    /// The request by which that seat does something.
    pub(super) fn request(&self, act: &Value) -> Vec<u8> {
        let to = format!("{}/do", self.base());
        asked(&self.browser, "POST", &to, act)
    }

    fn does(&self, act: &Value) -> Answer {
        raw(self.browser.address, &self.request(act))
    }
}
