//! How fast `decklaw serve` answers: a server of its own on loopback, asked by a client over HTTP
//! beside it, and every figure beside its goal. Nothing fails for being slow; what fails is an
//! answer that is not the right one. All of it takes well under a minute: each part has a bound
//! in count and in time.
//!
//! Without `--bench`, as `cargo test --benches` runs it, each part is only tried for a moment.
#![allow(clippy::print_stdout, missing_docs)]

mod client;

use axum::body::Bytes;
use axum::http::header;
use client::{Browser, Process, expect};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

type Error = Box<dyn std::error::Error + Send + Sync>;

const FORMAT: &str = "shell";
const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");
const ILLEGAL: &str = include_str!("../../decks/shell/too-many-copies.txt");
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

/// What the builder's page asks first: of its deck, and which cards there are.
fn first(deck: &Value) -> Bytes {
    let find = json!({"query": "", "most": 60, "sort": "", "own": false});
    let ask = json!({"format": FORMAT, "deck": deck, "into": "main", "find": find, "stats": true, "tell": []});
    ask.to_string().into()
}

/// What it asks at each click: of another deck, while the same cards are looked at.
fn click(deck: &Value, look: &[Value]) -> Bytes {
    let ask = json!({"format": FORMAT, "deck": deck, "into": "main", "look": look, "stats": true, "tell": []});
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

/// A phone that asks for a verdict again and again, alone at first, then while another address
/// asks without a pause for what takes most: the largest deck there may be of cards that nobody
/// knows, with names near to others, a query that nests as deep as it may, and repairs of it.
async fn beside_a_hostile_one(
    server: SocketAddr,
    event: &str,
    bounds: Bounds,
) -> Result<[Times; 2], Error> {
    let own = |last| cfg!(target_os = "linux").then(|| Ipv4Addr::new(127, 0, 2, last));
    let phone = Browser::at(server, event, own(1)).await?;
    let (check, ask) = (
        format!("/api{event}/check"),
        json!({"deck": LEGAL}).to_string(),
    );
    let mut times = [Times::default(), Times::default()];
    let mut lines = String::from("Main\n");
    for number in 0.. {
        let line = format!("1 Rain Caler {number}\n");
        if lines.len() + line.len() > 60_000 {
            break;
        }
        lines.push_str(&line);
    }
    let mut sections = serde_json::Map::new();
    let cards =
        (0..1_200).map(|number| json!({"name": format!("Moss Sprit {number}"), "count": 1}));
    sections.insert("main".to_owned(), cards.collect());
    let deck = json!({"format": FORMAT, "sections": sections});
    let nested = format!("{}type:spell{}", "-(".repeat(60), ")".repeat(60));
    let find = json!({"query": nested, "most": 60, "sort": "", "own": false});
    let asks = Arc::new([
        (check.clone(), json!({ "deck": lines })),
        (
            "/api/answer".to_owned(),
            json!({"format": FORMAT, "deck": deck, "find": find}),
        ),
        (
            "/api/fix".to_owned(),
            json!({"format": FORMAT, "deck": deck}),
        ),
    ]);
    for (hostile, times) in [false, true].into_iter().zip(&mut times) {
        let over = Arc::new(AtomicBool::new(!hostile));
        let mut all = JoinSet::new();
        for task in 0..12 {
            let (over, asks) = (Arc::clone(&over), Arc::clone(&asks));
            let event = event.to_owned();
            all.spawn(async move {
                let browser = Browser::at(server, &event, own(66)).await?;
                let mut number = task;
                while !over.load(Ordering::Relaxed) {
                    let (path, ask) = &asks[number % asks.len()];
                    number += 1;
                    let body = Bytes::from(ask.to_string());
                    // Refusals are welcome; no answer at all within the patience is not.
                    browser.send("POST", path, "application/json", body).await?;
                }
                Ok::<_, Error>(())
            });
        }
        let start = Instant::now();
        for _ in 0..bounds.clicks {
            let asked = Instant::now();
            phone.json(&check, ask.clone().into()).await?;
            times.add(asked.elapsed());
            if start.elapsed() > bounds.each {
                break;
            }
        }
        over.store(true, Ordering::Relaxed);
        while let Some(one) = all.join_next().await {
            one??;
        }
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
                first(&json!({"format": FORMAT, "sections": {}})),
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

    let (mut asks, mut firsts) = (Vec::new(), Vec::new());
    for (text, verdict) in [(LEGAL, "legal"), (ILLEGAL, "illegal")] {
        let read = json!({"text": text, "format": FORMAT}).to_string();
        let read = host.json("/api/read", read.into()).await?;
        let deck: Value = serde_json::from_slice(&read.body)?;
        firsts.push(first(&deck["deck"]));
        let found = host.json("/api/answer", first(&deck["deck"])).await?;
        let found: Value = serde_json::from_slice(&found.body)?;
        let cards = found["found"]["cards"].as_array().ok_or("no cards")?;
        let look: Vec<Value> = cards.iter().map(|card| card["name"].clone()).collect();
        asks.push((click(&deck["deck"], &look), verdict));
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

    let clicks = asks.into_iter().map(|(ask, _)| ask).collect();
    for (what, asks) in [
        ("full live answers", clicks),
        ("the same with what is looked for", firsts),
    ] {
        let (browser, live): (_, Arc<Vec<Bytes>>) = (host.clone(), Arc::new(asks));
        let answers = rate(bounds, 8, move |number| {
            let (browser, ask) = (browser.clone(), live[number % live.len()].clone());
            async move { browser.json("/api/answer", ask).await.map(drop) }
        });
        at_least(what, answers.await?, 1000.0);
    }

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

    let memory = |when: &str| match process.memory() {
        Some(memory) => at_most(&format!("the most memory, {when}"), memory, "MiB", 50.0),
        None => println!("the most memory: this system does not tell"),
    };
    let mut phones = phones(process.address, &event, bounds.rounds).await?;
    let what = format!("{PHONES} phones, each asking once a second");
    at_most(&format!("{what}, p50"), phones.share(0.5), "ms", 20.0);
    at_most(&format!("{what}, p99"), phones.share(0.99), "ms", 20.0);
    memory("after all of this");
    let [mut alone, mut beside] = beside_a_hostile_one(process.address, &event, bounds).await?;
    for (share, name) in [(0.5, "p50"), (0.95, "p95")] {
        let more = beside.share(share) - alone.share(share);
        let what = format!("what a hostile neighbour costs a verdict, {name}");
        at_most(&what, more.max(0.0), "ms", 20.0);
    }
    memory("after the hostile one");
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
