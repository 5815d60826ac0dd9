//! How fast `decklaw serve` answers: a server of its own on loopback, asked by a client over HTTP
//! beside it, and every figure beside its goal. Nothing fails for being slow; what fails is an
//! answer that is not the right one. All of it takes well under a minute: each part has a bound
//! in count and in time.
//!
//! Without `--bench`, as `cargo test --benches` runs it, each part is only tried for a moment.
#![allow(clippy::print_stdout, missing_docs)]

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Request, Uri, header};
use hyper_util::client::legacy::{Client, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

type Error = Box<dyn std::error::Error + Send + Sync>;

const FORMAT: &str = "shell";
const LEGAL: &str = include_str!("../decks/shell/ebb.txt");
const ILLEGAL: &str = include_str!("../decks/shell/too-many-copies.txt");
/// The longest that any answer is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
const PHONES: usize = 200;
/// How long a person types between two verdicts.
const THINKS: Duration = Duration::from_secs(1);

/// How much is asked.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    starts: usize,
    clicks: usize,
    most: usize,
    each: Duration,
    rounds: u32,
}

const WHOLE: Bounds = Bounds {
    starts: 5,
    clicks: 500,
    most: 20_000,
    each: Duration::from_secs(5),
    rounds: 6,
};
const MOMENT: Bounds = Bounds {
    starts: 1,
    clicks: 5,
    most: 20,
    each: Duration::from_millis(500),
    rounds: 1,
};

/// A server of its own, ended when it is dropped.
struct Process {
    child: Child,
    address: SocketAddr,
    key: String,
}

impl Process {
    /// Starts one; it has told its address.
    fn start(data: &Path) -> Result<Process, Error> {
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
    fn memory(&self) -> Option<f64> {
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
struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A browser: its cookies, its token, its connections.
#[derive(Clone)]
struct Browser {
    client: Client<HttpConnector, Body>,
    server: SocketAddr,
    cookies: String,
    token: String,
}

impl Browser {
    /// One that has loaded a page; where the system lets it, from an address of its own.
    async fn at(server: SocketAddr, page: &str, from: Option<Ipv4Addr>) -> Result<Browser, Error> {
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
    fn keep(&mut self, answer: &Answer) {
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            let pair = cookie.to_str().ok().and_then(|text| text.split(';').next());
            if let Some(pair) = pair {
                self.cookies = [self.cookies.as_str(), pair].join("; ");
            }
        }
    }

    async fn send(
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
    async fn get(&self, path: &str) -> Result<Answer, Error> {
        let answer = self.send("GET", path, "", Bytes::new()).await?;
        expect(&answer, 200, "")?;
        Ok(answer)
    }

    async fn json(&self, path: &str, body: Bytes) -> Result<Answer, Error> {
        let answer = self.send("POST", path, "application/json", body).await?;
        expect(&answer, 200, "")?;
        Ok(answer)
    }

    async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Result<Answer, Error> {
        let pairs: Vec<String> = fields
            .iter()
            .map(|(key, value)| format!("{key}={}", encoded(value)))
            .collect();
        let kind = "application/x-www-form-urlencoded";
        self.send("POST", path, kind, pairs.join("&").into()).await
    }

    /// Hands a deck in, and has the receipt.
    async fn hand_in(&self, event: &str, name: &str) -> Result<(), Error> {
        let fields = [("name", name), ("deck", LEGAL), ("do", "hand-in")];
        expect(&self.form(event, &fields).await?, 200, "Handed in")
    }
}

/// Whether an answer is the one that was due.
fn expect(answer: &Answer, status: u16, words: &str) -> Result<(), Error> {
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

/// What is asked at each click: the same as the builder's page asks.
fn click(deck: &Value) -> Bytes {
    let find = json!({"query": "", "most": 60, "sort": "", "own": false});
    let ask = json!({"format": FORMAT, "deck": deck, "find": find, "stats": true, "tell": []});
    ask.to_string().into()
}

/// Times that were taken, in milliseconds.
#[derive(Debug, Default)]
struct Times(Vec<f64>);

impl Times {
    fn add(&mut self, time: Duration) {
        self.0.push(time.as_secs_f64() * 1e3);
    }

    /// The time that this share of all is not above; 0 without any.
    fn share(&mut self, share: f64) -> f64 {
        self.0.sort_by(f64::total_cmp);
        let last = self.0.len().saturating_sub(1);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss
        )]
        let at = (last as f64 * share).ceil() as usize;
        self.0.get(at).copied().unwrap_or_default()
    }
}

/// Asks from many tasks, each the next thing as soon as it has an answer; how many each second.
async fn rate<F, T>(bounds: Bounds, tasks: usize, ask: F) -> Result<f64, Error>
where
    F: Fn(usize) -> T + Clone + Send + 'static,
    T: Future<Output = Result<(), Error>> + Send,
{
    let begun = Arc::new(AtomicUsize::new(0));
    let mut all = JoinSet::new();
    let start = Instant::now();
    for _ in 0..tasks {
        let (begun, ask) = (Arc::clone(&begun), ask.clone());
        all.spawn(async move {
            let mut done = 0_u32;
            while start.elapsed() < bounds.each {
                let number = begun.fetch_add(1, Ordering::Relaxed);
                if number >= bounds.most {
                    break;
                }
                ask(number).await?;
                done += 1;
            }
            Ok::<_, Error>(done)
        });
    }
    let mut done = 0;
    while let Some(one) = all.join_next().await {
        done += one??;
    }
    Ok(f64::from(done) / start.elapsed().as_secs_f64())
}

/// Phones in one room: each loads the page, sees a verdict at each pause of its typing, and hands
/// in. An answer's time counts from when it was due to be asked, so that a server that falls
/// behind does not look fast.
async fn phones(server: SocketAddr, event: &str, rounds: u32) -> Result<Times, Error> {
    let mut all = JoinSet::new();
    let start = Instant::now();
    for phone in 0..PHONES {
        let event = event.to_owned();
        all.spawn(async move {
            let number = u8::try_from(phone)?;
            // On Linux all of 127/8 is this machine.
            let from = cfg!(target_os = "linux").then(|| Ipv4Addr::new(127, 0, 1, number + 1));
            let mut due = start + THINKS * u32::from(number) / u32::try_from(PHONES)?;
            let mut times = Vec::new();
            tokio::time::sleep_until(due.into()).await;
            let browser = Browser::at(server, &event, from).await?;
            times.push(due.elapsed());
            let ask = Bytes::from(json!({"deck": ILLEGAL}).to_string());
            for _ in 0..rounds {
                due += THINKS;
                tokio::time::sleep_until(due.into()).await;
                browser
                    .json(&format!("/api{event}/check"), ask.clone())
                    .await?;
                times.push(due.elapsed());
            }
            due += THINKS;
            tokio::time::sleep_until(due.into()).await;
            browser.hand_in(&event, &format!("Phone {number}")).await?;
            times.push(due.elapsed());
            Ok::<_, Error>(times)
        });
    }
    let mut times = Times::default();
    while let Some(one) = all.join_next().await {
        one??.into_iter().for_each(|time| times.add(time));
    }
    Ok(times)
}

/// What a page and all that it loads weigh as they are sent, in kB; cards are not among it.
async fn weight(browser: &Browser, page: &str) -> Result<f64, Error> {
    let mut due = vec![page.to_owned()];
    let mut seen: BTreeSet<String> = due.iter().cloned().collect();
    let mut bytes = 0_u32;
    while let Some(path) = due.pop() {
        let answer = browser.get(&path).await?;
        bytes += u32::try_from(answer.body.len())?;
        let text = match answer.headers.contains_key(header::CONTENT_ENCODING) {
            true => {
                let mut text = String::new();
                let mut packed = flate2::read::GzDecoder::new(&answer.body[..]);
                std::io::Read::read_to_string(&mut packed, &mut text)?;
                text
            }
            false => answer.text(),
        };
        let quoted = text.split(['"', '\'']);
        let files = quoted.filter_map(|file| {
            let name = file.strip_prefix("./").or(file.strip_prefix("/assets/"))?;
            Some(format!("/assets/{name}"))
        });
        for file in files {
            if seen.insert(file.clone()) {
                due.push(file);
            }
        }
    }
    Ok(f64::from(bytes) / 1e3)
}

/// A figure beside its goal.
fn row(what: &str, measured: f64, unit: &str, goal: f64, met: bool) {
    let sign = if unit.starts_with('/') { '≥' } else { '≤' };
    let told = if met { "met" } else { "NOT MET" };
    println!("{what:<58} {measured:>9.1} {unit:<4} {sign} {goal:>6} {unit:<4} {told}");
}

fn at_most(what: &str, measured: f64, unit: &str, goal: f64) {
    row(what, measured, unit, goal, measured <= goal);
}

fn at_least(what: &str, measured: f64, goal: f64) {
    row(what, measured, "/s", goal, measured >= goal);
}

async fn measure(bounds: Bounds) -> Result<(), Error> {
    let data = tempfile::tempdir()?;
    let page = format!("/deck/{FORMAT}");
    let mut ready = Times::default();
    let mut shown = Times::default();
    for _ in 0..bounds.starts {
        let start = Instant::now();
        let process = Process::start(data.path())?;
        Browser::at(process.address, "/", None).await?;
        ready.add(start.elapsed());
        let start = Instant::now();
        let browser = Browser::at(process.address, &page, None).await?;
        weight(&browser, &page).await?;
        browser.get(&format!("/api/game/{FORMAT}")).await?;
        browser
            .json(
                "/api/answer",
                click(&json!({"format": FORMAT, "sections": {}})),
            )
            .await?;
        shown.add(start.elapsed());
    }
    at_most(
        "start to the first page, p50",
        ready.share(0.5),
        "ms",
        300.0,
    );
    at_most(
        "builder's files, cards and first verdict, p50",
        shown.share(0.5),
        "ms",
        300.0,
    );

    let process = Process::start(data.path())?;
    let mut host = Browser::at(process.address, "/", None).await?;
    at_most(
        "builder besides the cards, compressed",
        weight(&host, &page).await?,
        "kB",
        40.0,
    );

    let mut asks = Vec::new();
    for (text, verdict) in [(LEGAL, "legal"), (ILLEGAL, "illegal")] {
        let read = json!({"text": text, "format": FORMAT}).to_string();
        let read = host.json("/api/read", read.into()).await?;
        let deck: Value = serde_json::from_slice(&read.body)?;
        asks.push((click(&deck["deck"]), verdict));
    }
    let mut clicks = Times::default();
    let start = Instant::now();
    for (ask, verdict) in asks.iter().cycle().take(bounds.clicks) {
        let asked = Instant::now();
        let answer = host.json("/api/answer", ask.clone()).await?;
        clicks.add(asked.elapsed());
        let told: Value = serde_json::from_slice(&answer.body)?;
        if told["check"]["verdict"] != *verdict {
            return Err(format!("not {verdict}: {}", told["check"]).into());
        }
        if start.elapsed() > bounds.each {
            break;
        }
    }
    at_most(
        "click to verdict over HTTP, p50",
        clicks.share(0.5),
        "ms",
        16.0,
    );
    at_most(
        "click to verdict over HTTP, p95",
        clicks.share(0.95),
        "ms",
        16.0,
    );

    let (browser, live) = (host.clone(), Arc::new(asks));
    let answers = rate(bounds, 8, move |number| {
        let (browser, ask) = (browser.clone(), live[number % live.len()].0.clone());
        async move { browser.json("/api/answer", ask).await.map(drop) }
    });
    at_least("full live answers", answers.await?, 1000.0);

    let entered = host
        .form("/enter", &[("key", &process.key), ("next", "/")])
        .await?;
    expect(&entered, 303, "")?;
    host.keep(&entered);
    let fields = [
        ("format", FORMAT),
        ("title", "Bench"),
        ("day", "2026-03-01"),
        ("list", "none"),
    ];
    let opened = host.form("/desk/new", &fields).await?;
    expect(&opened, 200, "href=\"/e/")?;
    let text = opened.text();
    let id = text
        .split_once("href=\"/e/")
        .and_then(|(_, rest)| rest.split('"').next());
    let event = format!("/e/{}", id.ok_or("no event")?);
    let (player, to) = (
        Browser::at(process.address, &event, None).await?,
        event.clone(),
    );
    let kept = rate(bounds, 64, move |number| {
        let (player, to) = (player.clone(), to.clone());
        async move { player.hand_in(&to, &format!("Player {number}")).await }
    });
    at_least(
        "hand-ins, on the disk before they are acknowledged",
        kept.await?,
        1000.0,
    );

    let mut phones = phones(process.address, &event, bounds.rounds).await?;
    let what = format!("{PHONES} phones, each asking once a second");
    at_most(&format!("{what}, p50"), phones.share(0.5), "ms", 20.0);
    at_most(&format!("{what}, p99"), phones.share(0.99), "ms", 20.0);
    match process.memory() {
        Some(memory) => at_most("the most memory, after all of this", memory, "MiB", 50.0),
        None => println!("the most memory: this system does not tell"),
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let whole = std::env::args().any(|argument| argument == "--bench");
    let build = if cfg!(debug_assertions) {
        "a debug build"
    } else {
        "an optimised build"
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    println!("{build}, {processors} processors, load {load} before");
    let bounds = if whole { WHOLE } else { MOMENT };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(measure(bounds))
}
