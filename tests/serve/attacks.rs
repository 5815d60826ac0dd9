//! An adversary: clients that kill, leave, dawdle and flood, and whatever bytes come to a route.
//! What was acknowledged stays, a player who hands a deck in meanwhile is answered, and memory has
//! a bound.

use super::support::{
    Browser, LEGAL, Process, answer, encoded, event, form, hand_in, program, raw, rows,
};
use super::table::{Chair, chairs_at, open, set_up};
use crate::common::Random;
use decklaw::serve::{Needs, Route, routes};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

/// The most memory of the server, in MiB.
const MOST: u64 = 512;

/// How many times as much is tried as `cargo test` does.
fn times() -> u32 {
    let times = std::env::var("DECKLAW_ADVERSARY").ok();
    times.map_or(1, |times| times.parse().unwrap())
}

/// The memory of a server that still runs, in MiB; 0 where there is no `/proc`.
fn memory(served: &mut Process) -> u64 {
    let ended = served.child.try_wait().unwrap();
    assert!(ended.is_none(), "the server ended: {ended:?}");
    crate::common::hostile::memory(&served.child, "VmRSS").unwrap_or(0) >> 10
}

/// Ends a server as its organiser does: it saves its work and reports no defect.
fn end(mut served: Process, data: &Path) {
    let id = rustix::process::Pid::from_child(&served.child);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    let mut said = String::new();
    let mut errors = served.child.stderr.take().unwrap();
    std::io::Read::read_to_string(&mut errors, &mut said).unwrap();
    assert!(!said.contains("panicked"), "{said}");
    // The log is in the database, so that a copy of that file is the data.
    let log = std::fs::metadata(data.join("decklaw.sqlite-wal"));
    assert_eq!(log.map_or(0, |log| log.len()), 0);
}

/// An event of a server that is a process of its own; its path.
fn opened(served: &Process) -> (Browser, String) {
    let mut host = Browser::enters(served.address, &served.key, "/");
    let (path, _) = event(&mut host, &[]);
    (host, path)
}

#[test]
fn what_was_acknowledged_survives_kill_9() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path();
    let served = Process::serve(data, &[]);
    let (_, path) = opened(&served);
    drop(served);
    let acknowledged: Mutex<BTreeSet<String>> = Mutex::default();
    for round in 0..20 {
        let served = Process::serve(data, &[]);
        let (address, begun) = (served.address, AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (acknowledged, begun, path) = (&acknowledged, &begun, &path);
                scope.spawn(move || {
                    for number in 0..50 {
                        let name = format!("P{round}-{thread}-{number}");
                        begun.fetch_add(1, Ordering::Relaxed);
                        let fields = [name.as_str(), LEGAL, "hand-in"];
                        // The process may end at any byte of this.
                        let sent = std::panic::catch_unwind(|| hand_in(address, path, fields).1);
                        match sent {
                            Ok(answer) if answer.text().ends_with("</html>") => {
                                assert!(answer.is_handed_in(), "{}", answer.text());
                                acknowledged.lock().unwrap().insert(name);
                            }
                            _ => return,
                        }
                    }
                });
            }
            // At another moment each time.
            while begun.load(Ordering::Relaxed) < 8 + round * 4 {
                std::thread::sleep(Duration::from_millis(1));
            }
            drop(served);
        });
    }
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.len() > 100, "{}", acknowledged.len());
    let served = Process::serve(data, &[]);
    let mut host = Browser::enters(served.address, &served.key, "/");
    let table = host.get(&format!("{path}/desk/decks.csv")).text();
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let counts: BTreeSet<String> = (rows.records().map(Result::unwrap))
        .filter(|row| row.iter().any(|cell| cell == "counts"))
        .flat_map(|row| row.iter().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    for name in &acknowledged {
        assert!(counts.contains(name), "{name} was lost");
    }
}

#[test]
fn no_table_freezes_when_clients_leave() {
    let place = tempfile::tempdir().unwrap();
    let served = Process::serve(place.path(), &[]);
    let fields = [("format", "vastrix"), ("option-players", "2")];
    let table = open(Browser::new(served.address), &fields);
    let mut seats = chairs_at(served.address, &table);
    set_up(&mut seats);
    let at = usize::from(seats[0].look()["active"] == "B");
    let chair = &mut seats[at];
    let to = format!("{}/do", chair.base);
    let head = [("Content-Type", "application/json")];
    let mut chance = Random::new(7);
    let rev = |chair: &mut Chair| chair.look()["rev"].as_i64().unwrap();
    let before = rev(chair);
    let moves = 150 * i64::from(times());
    for _ in 0..moves {
        let roll = chair.entry("roll");
        let act = json!({"rev": chair.view["rev"], "do": {"move": roll}}).to_string();
        let request = chair.browser.request("POST", &to, &head, act.as_bytes());
        let mut line = TcpStream::connect(served.address).unwrap();
        let part = chance.below(request.len());
        let is_cut = chance.below(8) == 0;
        let _ = line.write_all(&request[..if is_cut { part } else { request.len() }]);
        // A move takes about as long as the longest of these.
        std::thread::sleep(Duration::from_micros(chance.below(6_000) as u64));
        drop(line);
        chair.look();
    }
    let done = rev(chair) - before;
    assert!(done > moves / 4, "{done} of {moves} moves were made");
    // A move may still be under way: then the state is not the one that was seen.
    let is_played = (0..20).any(|_| {
        chair.look();
        chair.tries("roll").status == 200
    });
    assert!(is_played, "the table is frozen");
    let shown = rev(chair);
    drop(served);
    let again = Process::serve(place.path(), &[]);
    chair.browser.address = again.address;
    assert_eq!(rev(chair), shown, "what is shown is stored");
}

/// Hands a deck in every 100 ms.
fn bystander(address: SocketAddr, path: &str, flood: &str, is_over: &AtomicBool) -> usize {
    let mut number = 0;
    while !is_over.load(Ordering::Relaxed) {
        let name = format!("Bystander of {flood} {number}");
        let (_, answer) = hand_in(address, path, [&name, LEGAL, "hand-in"]);
        assert!(answer.is_handed_in(), "{name}: {} {}", answer.status, answer.text());
        number += 1;
        std::thread::sleep(Duration::from_millis(100));
    }
    number
}

/// A connection from another address of this machine than the bystander's.
fn connect(to: SocketAddr) -> std::io::Result<TcpStream> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let line = runtime.enable_all().build()?.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind("127.0.0.2:0".parse().unwrap())?;
        socket.connect(to).await?.into_std()
    })?;
    line.set_nonblocking(false)?;
    line.set_read_timeout(Some(Duration::from_secs(10)))?;
    line.set_write_timeout(Some(Duration::from_secs(10)))?;
    Ok(line)
}

/// Connections that each begin with some bytes and go on, byte by byte, with others.
fn drip(address: SocketAddr, until: Instant, begin: &[u8], on: &[u8]) {
    let begun = || {
        let mut line = connect(address).ok()?;
        line.write_all(begin).ok()?;
        Some(line)
    };
    let mut lines: Vec<Option<TcpStream>> = (0..150).map(|_| begun()).collect();
    for turn in 0.. {
        if Instant::now() > until {
            return;
        }
        for line in &mut lines {
            let byte = [on[turn % on.len()]];
            let is_open = line.as_mut().is_some_and(|line| line.write_all(&byte).is_ok());
            if !is_open {
                *line = begun();
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Requests over and over, from some threads; some are answered.
fn repeat(address: SocketAddr, until: Instant, requests: &[Vec<u8>]) {
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let answered = &answered;
            scope.spawn(move || {
                for request in requests.iter().cycle().skip(thread) {
                    if Instant::now() > until {
                        return;
                    }
                    if let Ok(mut line) = connect(address) {
                        let _ = line.write_all(request);
                        let _ = line.shutdown(Shutdown::Write);
                        let is_answered = answer(&mut line).status > 0;
                        answered.fetch_add(usize::from(is_answered), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert!(answered.into_inner() > 0);
}

/// Slow heads, endless and huge requests, answers that nobody reads, and the most expensive bodies.
#[cfg(target_os = "linux")]
#[test]
fn a_flood_keeps_nobody_from_handing_in() {
    let place = tempfile::tempdir().unwrap();
    let mut served = Process::serve(place.path(), &[]);
    let (browser, path) = opened(&served);
    let address = served.address;
    let get = format!("GET / HTTP/1.1\r\nHost: {address}\r\n");
    let headers = |count: usize| -> String {
        let lines = (0..count).map(|at| format!("X-{at}: {at}\r\n"));
        lines.collect()
    };
    let heads = [
        format!("{get}{}\r\n", headers(90)).into_bytes(),
        format!("{get}{}\r\n", headers(50_000)).into_bytes(),
        format!("{get}X-Long: {}\r\n\r\n", "a".repeat(1 << 20)).into_bytes(),
        format!("{get}\r\n").repeat(500).into_bytes(),
    ];
    let fill = |part: &str| part.repeat((60 << 10) / part.len());
    let json_head = [("Content-Type", "application/json")];
    let ask = |deck: String| {
        let body = json!({"ask": "read", "format": "shell", "deck": deck}).to_string();
        browser.request("POST", "/api/ask", &json_head, body.as_bytes())
    };
    let nested = format!("{}1{}", "[".repeat(30_000), "]".repeat(30_000));
    let nested = format!("{{\"ask\":\"view\",\"format\":\"shell\",\"deck\":{nested}}}");
    let form_head = [("Content-Type", "application/x-www-form-urlencoded")];
    let posts = |to: &str, fields: &[(&str, &str)]| {
        browser.request("POST", to, &form_head, form(fields).as_bytes())
    };
    let mut bodies: Vec<Vec<u8>> = ["4 Moss Sprite\n", "1 a\n", "- - ", "<a>", "&a [*a]\n", "["]
        .map(|part| ask(fill(part)))
        .to_vec();
    bodies.extend([
        browser.request("POST", "/api/ask", &json_head, nested.as_bytes()),
        posts(&path, &[("name", "x"), ("deck", &fill("4 Moss Sprite\n")), ("do", "check")]),
        posts(&path, &[("name", &fill("y")), ("deck", LEGAL), ("do", "hand-in")]),
        posts("/play", &[("deck", &fill("3 Rain Caler\n")), ("format", "shell")]),
        browser.request("POST", "/enter", &form_head, fill("a=&").as_bytes()),
    ]);
    let body = browser.request("POST", "/api/ask", &[("Content-Length", "60000")], b"{");
    let chunked = [("Content-Length", ""), ("Transfer-Encoding", "chunked")];
    let chunked = browser.request("POST", &path, &chunked, b"");
    let floods: [(&str, &(dyn Fn(Instant) + Sync)); 5] = [
        ("slow heads", &|until| drip(address, until, get.as_bytes(), b"X-A: b\r\n")),
        ("endless bodies", &|until| drip(address, until, &body, b" ")),
        ("endless chunks", &|until| drip(address, until, &chunked, b"1\r\na\r\n")),
        ("huge heads", &|until| repeat(address, until, &heads)),
        ("bodies of 64 KiB", &|until| repeat(address, until, &bodies)),
    ];
    for (name, flood) in floods {
        let is_over = AtomicBool::new(false);
        let until = Instant::now() + Duration::from_secs(2) * times();
        let mut most = 0;
        std::thread::scope(|scope| {
            let bystander = scope.spawn(|| bystander(address, &path, name, &is_over));
            let flood = scope.spawn(move || flood(until));
            while !flood.is_finished() {
                most = most.max(memory(&mut served));
                std::thread::sleep(Duration::from_millis(50));
            }
            is_over.store(true, Ordering::Relaxed);
            flood.join().unwrap();
            assert!(bystander.join().unwrap() > 0, "{name}");
        });
        assert!(most < MOST, "{name}: {most} MiB");
    }
    end(served, place.path());
}

/// Decks and tables of whatever kind readers take.
static CORPUS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let kinds = ["deck_foreign", "deck_text", "form", "format_file", "card_query"];
    kinds.into_iter().flat_map(crate::trust::fuzz::seeds).collect()
});

/// Numbers at their limits, and parts of JSON, forms and heads, one between two bars.
const WORDS: &[u8] = b"0|-1|4294967296|18446744073709551616|-9223372036854775809|1e999|1e-999|\
    99999999999999999999999999999999999999999999|NaN|null|true|[]|{}|\"|\\u0000|\\ud800|\0|\
    \xff\xfe|\xc3\x28|\xed\xa0\x80|\xe2\x80\xae\xef\xbb\xbf|%|%00|%ff%fe|&|=|\r\n\r\n|../../";

/// Where a body has this number, it is sent with the table's newest state.
const REV: &str = "987654321";

/// Bodies that some route understands; in those of the table `DECK` is a legal deck in a form.
fn seeds(host: &Browser, key: &str) -> Vec<Vec<u8>> {
    let legal = encoded(LEGAL);
    let lines = crate::common::table("bodies of requests");
    let mut all: Vec<String> = lines.map(|line| line.replace("DECK", &legal)).collect();
    for bytes in CORPUS.iter() {
        let deck = String::from_utf8_lossy(bytes);
        all.push(json!({"ask": "read", "format": "shell", "deck": deck}).to_string());
        for what in ["check", "enter"] {
            all.push(json!({"do": what, "player": "p001", "deck": deck}).to_string());
        }
    }
    let mut decks = CORPUS.iter().filter_map(|bytes| serde_json::from_slice::<Value>(bytes).ok());
    let deck = decks.find(Value::is_object).unwrap();
    for ask in ["view", "fix", "room", "stats"] {
        all.push(json!({"ask": ask, "format": "shell", "deck": deck}).to_string());
    }
    let keys = host.cookies.values().map(String::as_str).chain([key]);
    all.extend(keys.map(|key| form(&[("key", key), ("next", "/")])));
    let all = all.into_iter().map(String::into_bytes);
    all.chain(CORPUS.iter().cloned()).collect()
}

/// Another body: as an adversary would write it.
fn changed(body: &[u8], chance: &mut Random) -> Vec<u8> {
    let mut body = body.to_vec();
    let words: Vec<&[u8]> = WORDS.split(|byte| *byte == b'|').collect();
    for _ in 0..=chance.below(3) {
        let at = chance.below(body.len() + 1);
        let end = (at + chance.below(40)).min(body.len());
        let part = match chance.below(8) {
            0 => Vec::new(),
            1 => body[at..end].repeat(1 + chance.below(200)),
            2 | 3 => chance.pick(&words).to_vec(),
            4 => CORPUS[chance.below(CORPUS.len())].clone(),
            5 => {
                let open: &[u8] = chance.pick(&[&b"["[..], b"{\"a\":", b"<a>", b"- ", b"("]);
                open.repeat(1 + chance.below(12_000))
            }
            6 => vec![chance.below(256) as u8; 1 + chance.below(4000)],
            _ => vec![chance.below(256) as u8],
        };
        // A word replaces a number; other parts replace whatever is there.
        let digit = body[at..].iter().position(u8::is_ascii_digit);
        match digit.filter(|_| chance.below(3) == 0) {
            Some(digit) => drop(body.splice(at + digit..=at + digit, part)),
            None => drop(body.splice(at..end, part)),
        }
    }
    // A longer body is refused for its length.
    body.truncate(64 << 10);
    body
}

/// Whatever bytes come to a route, it is answered without a defect, and the server goes on. What a
/// route understands is changed further, so that a new route is tried by itself.
#[test]
fn no_bytes_make_a_route_fail() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path();
    let mut served = Process::serve(data, &[]);
    let (mut host, path) = opened(&served);
    let (_, other) = opened(&served);
    let (player, _) = hand_in(served.address, &path, ["Ada", LEGAL, "hand-in"]);
    host.cookies.extend(player.cookies);
    let fields = [("format", "vastrix"), ("option-players", "2")];
    let table = open(Browser::new(served.address), &fields);
    let mut seats = chairs_at(served.address, &table);
    set_up(&mut seats);
    let at = usize::from(seats[0].look()["active"] == "B");
    let mut rev = seats[at].view["rev"].to_string();
    let key = table.keys[&seats[at].place].clone();
    let parts = BTreeMap::from([
        ("{event}", path.trim_start_matches("/e/")),
        ("{table}", table.id.as_str()),
        ("{key}", key.as_str()),
    ]);
    let seeds = seeds(&host, &served.key);
    let (mut sent, mut understood) = (0, 0);
    let changing = routes().into_iter().filter(|route| route.method != "GET");
    for (number, route) in changing.enumerate() {
        let mut chance = Random::new(number as u64 + 1);
        let mut send = |route: &Route, body: &[u8], chance: &mut Random| {
            let mut path = parts.iter().fold(route.path.to_owned(), |path, (part, value)| {
                path.replace(part, if chance.below(20) == 0 { "none" } else { value })
            });
            if path.ends_with("/import") {
                let upload = encoded(&json!({"name": "form.csv"}).to_string());
                path.push_str(&format!("?upload={upload}&confirm={}", chance.below(2) == 0));
            }
            let is_json = route.path.starts_with("/api/") || route.path.ends_with("/do");
            let kind = match (chance.below(24), is_json) {
                (0, _) => "text/plain",
                (1, true) | (2.., false) => "application/x-www-form-urlencoded",
                _ => "application/json",
            };
            let mut body = body.to_vec();
            let mut windows = body.windows(REV.len());
            if let Some(at) = windows.position(|part| part == REV.as_bytes()) {
                body.splice(at..at + REV.len(), rev.bytes());
            }
            let head = [("Content-Type", kind)];
            let answer = raw(served.address, &host.request(route.method, &path, &head, &body));
            if let Ok(json) = serde_json::from_slice::<Value>(&answer.body) {
                let newest = json["rev"].as_i64().or(json["view"]["rev"].as_i64());
                rev = newest.map_or(rev.clone(), |newest| newest.to_string());
            }
            answer
        };
        let mut known: Vec<Vec<u8>> = Vec::new();
        // What a host opens stays open: of that no more is tried.
        let times = if route.needs == Needs::Host { 1 } else { times() };
        let until = Instant::now() + Duration::from_millis(1500) * times;
        for turn in 0..seeds.len() + 60 * times as usize {
            if Instant::now() > until {
                break;
            }
            let from = if known.is_empty() { &seeds } else { &known };
            let body = match seeds.get(turn) {
                Some(seed) => seed.clone(),
                None => changed(&from[chance.below(from.len())], &mut chance),
            };
            let answer = send(&route, &body, &mut chance);
            let begins = String::from_utf8_lossy(&body[..body.len().min(2000)]);
            let is_answered = answer.status > 0 && answer.status != 500;
            assert!(is_answered, "{route:?} {}: {begins}", answer.status);
            sent += 1;
            if answer.status < 400 {
                understood += 1;
                known.push(body);
            }
        }
        let (_, answer) =
            hand_in(served.address, &other, [&format!("P {number}"), LEGAL, "hand-in"]);
        assert!(answer.is_handed_in(), "{route:?}: {}", answer.text());
        let own = memory(&mut served);
        assert!(own < MOST, "{route:?}: {own} MiB");
    }
    assert!(understood * 20 > sent, "{understood} of {sent} are understood");
    let own = data.join("events").join(path.trim_start_matches("/e/"));
    assert!(rows(&own) > 0);
    program(&own, &["event", "status", "."], "");
    end(served, data);
}
