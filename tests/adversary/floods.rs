//! Clients that fill and dawdle, many at a time: whoever hands a deck in meanwhile is answered, and
//! the server takes no more memory than it may.
#![cfg(target_os = "linux")]

use super::support::{Browser, LEGAL};
use super::world::{EVENT, Folders, Served, asked, form, times};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The most that the server itself may take, in MiB.
const MOST: u64 = 512;

/// Where the adversary is; who hands in is at 127.0.0.1.
const ELSEWHERE: &str = "127.0.0.2";

/// How long each flood goes on in a run of the tests.
const LASTS: Duration = Duration::from_secs(3);

/// Hands a deck in every 100 ms until it is told to end; how long each took.
fn bystander(address: SocketAddr, flood: &str, ended: &AtomicBool) -> Vec<Duration> {
    let browser = Browser::new(address);
    let mut took = Vec::new();
    while !ended.load(Ordering::Relaxed) {
        let name = format!("Bystander of {flood} {}", took.len());
        let fields = [("name", &*name), ("deck", LEGAL), ("do", "hand-in")];
        let began = Instant::now();
        let told = browser.clone().form(EVENT, &fields);
        took.push(began.elapsed());
        assert!(
            told.text().contains("Handed in"),
            "{name}: {} {}",
            told.status,
            told.text()
        );
        std::thread::sleep(Duration::from_millis(100).saturating_sub(began.elapsed()));
    }
    took
}

/// A flood, beside which somebody hands in.
fn flood(served: &mut Served, name: &str, attack: impl FnOnce(SocketAddr, Instant) + Send) {
    let ended = AtomicBool::new(false);
    let address = served.address;
    let until = Instant::now() + LASTS * times() as u32;
    let mut most = 0;
    let mut took = std::thread::scope(|scope| {
        let hands_in = scope.spawn(|| bystander(address, name, &ended));
        let attack = scope.spawn(move || attack(address, until));
        while !attack.is_finished() {
            most = most.max(served.memory());
            std::thread::sleep(Duration::from_millis(50));
        }
        ended.store(true, Ordering::Relaxed);
        attack.join().unwrap();
        hands_in.join().unwrap()
    });
    took.sort_unstable();
    let p99 = took[(took.len() * 99 / 100).min(took.len() - 1)];
    println!("{name}: {} hand-ins, p99 {p99:?}; {most} MiB", took.len());
    assert!(!took.is_empty());
    assert!(most < MOST, "{name}: {most} MiB");
}

/// A connection from an address of this machine.
fn connect(from: &str, to: SocketAddr) -> std::io::Result<TcpStream> {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build()?;
    let line = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind(format!("{from}:0").parse().unwrap())?;
        socket.connect(to).await?.into_std()
    })?;
    line.set_nonblocking(false)?;
    line.set_read_timeout(Some(Duration::from_secs(10)))?;
    line.set_write_timeout(Some(Duration::from_secs(10)))?;
    Ok(line)
}

/// Many connections that each begin with these bytes and go on byte by byte with others.
fn drip(address: SocketAddr, many: usize, until: Instant, begin: &[u8], on: &[u8]) {
    let begun = || {
        let mut line = connect(ELSEWHERE, address).ok()?;
        line.write_all(begin).ok()?;
        Some(line)
    };
    let mut lines: Vec<Option<TcpStream>> = (0..many).map(|_| begun()).collect();
    let mut turn = 0;
    while Instant::now() < until {
        for line in &mut lines {
            let went_on = line
                .as_mut()
                .is_some_and(|line| line.write_all(&[on[turn % on.len()]]).is_ok());
            // One that was closed comes again.
            if !went_on {
                *line = begun();
            }
        }
        turn += 1;
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends requests over and over, from some threads; each tells whether it was answered.
fn over_and_over(until: Instant, threads: usize, send: impl Fn(usize) -> bool + Sync) {
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (send, answered) = (&send, &answered);
            scope.spawn(move || {
                let mut number = thread;
                while Instant::now() < until {
                    answered.fetch_add(usize::from(send(number)), Ordering::Relaxed);
                    number += threads;
                }
            });
        }
    });
    let answered = answered.into_inner();
    println!("{answered} of the flood were answered");
    assert!(answered > 0);
}

/// Sends bytes from elsewhere; whether they are answered.
fn send(address: SocketAddr, bytes: &[u8]) -> bool {
    let Ok(mut line) = connect(ELSEWHERE, address) else {
        return false;
    };
    let _ = line.write_all(bytes);
    let _ = line.shutdown(Shutdown::Write);
    let mut told = Vec::new();
    let _ = line.read_to_end(&mut told);
    told.starts_with(b"HTTP/1.1 ")
}

#[test]
fn a_flood_keeps_nobody_from_handing_in() {
    // A handle for each connection at this end, too.
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let limit = rustix::process::Rlimit {
        current: limit.maximum,
        ..limit
    };
    let _ = rustix::process::setrlimit(rustix::process::Resource::Nofile, limit);
    let folders = Folders::new(&[]);
    let mut served = folders.serve();
    let address = served.address;
    let browser = Browser::new(address);
    let host = format!("Host: {address}\r\n");
    let get = format!("GET / HTTP/1.1\r\n{host}");
    let before = served.memory();
    println!("before: the server {before} MiB");

    flood(&mut served, "slow heads", |address, until| {
        drip(address, 200, until, get.as_bytes(), b"X-A: b\r\n");
    });
    let body = browser.request("POST", "/api/ask", &[("Content-Length", "60000")], b"{");
    let endless = [("Content-Length", ""), ("Transfer-Encoding", "chunked")];
    let chunked = browser.request("POST", EVENT, &endless, b"");
    flood(&mut served, "bodies that never end", |address, until| {
        std::thread::scope(|scope| {
            scope.spawn(|| drip(address, 100, until, &body, b" "));
            scope.spawn(|| drip(address, 100, until, &chunked, b"1\r\na\r\n"));
        });
    });
    let many = |count: usize| {
        let lines: String = (0..count).map(|at| format!("X-{at}: {at}\r\n")).collect();
        format!("{get}{lines}\r\n").into_bytes()
    };
    let long = format!("{get}X-Long: {}\r\n\r\n", "a".repeat(1 << 20)).into_bytes();
    let heads = [many(90), many(1_000), many(50_000), long];
    flood(&mut served, "huge heads", |address, until| {
        over_and_over(until, 8, |number| {
            send(address, &heads[number % heads.len()])
        });
    });
    let pipelined = format!("{get}\r\n").repeat(500).into_bytes();
    flood(&mut served, "pipelined requests", |address, until| {
        // Answers that nobody reads, beside such as are read.
        let unread: Vec<_> = (0..50)
            .filter_map(|_| {
                let mut line = connect(ELSEWHERE, address).ok()?;
                line.set_write_timeout(Some(Duration::from_millis(200)))
                    .ok()?;
                let _ = line.write_all(&pipelined);
                Some(line)
            })
            .collect();
        over_and_over(until, 4, |_| send(address, &pipelined));
        drop(unread);
    });
    let ask = |method: &str, to: &str, text: String| {
        let body = json!({"ask": "read", "format": "shell", "deck": text});
        asked(&browser, method, to, &body)
    };
    let fill = |part: &str| part.repeat((60 << 10) / part.len());
    let cards = fill("4 Moss Sprite\\n");
    let deck = format!(
        "{{\"ask\": \"view\", \"format\": \"shell\", \"deck\": {}1{}}}",
        "[".repeat(30_000),
        "]".repeat(30_000)
    );
    let json_head = [("Content-Type", "application/json")];
    let bodies = [
        ask("POST", "/api/ask", fill("4 Moss Sprite\n")),
        ask("POST", "/api/ask", fill("1 a\n")),
        ask("POST", "/api/ask", fill("- - ")),
        ask("POST", "/api/ask", fill("<a>")),
        ask("POST", "/api/ask", fill("&a [*a]\n")),
        ask("POST", "/api/ask", fill("[")),
        browser.request("POST", "/api/ask", &json_head, deck.as_bytes()),
        form(
            &browser,
            EVENT,
            &[("name", "x"), ("deck", &cards), ("do", "check")],
        ),
        form(
            &browser,
            EVENT,
            &[("name", &fill("y")), ("deck", LEGAL), ("do", "hand-in")],
        ),
        form(
            &browser,
            "/play",
            &[("deck", &fill("3 Rain Caler\n")), ("format", "shell")],
        ),
        browser.request(
            "POST",
            "/enter",
            &[("Content-Type", "application/x-www-form-urlencoded")],
            fill("a=&").as_bytes(),
        ),
    ];
    flood(&mut served, "bodies of 64 KiB", |address, until| {
        over_and_over(until, 8, |number| {
            send(address, &bodies[number % bodies.len()])
        });
    });
    // Once all of them are gone, so is what they took.
    std::thread::sleep(Duration::from_secs(1));
    let after = served.memory();
    println!("after: the server {after} MiB");
    let said = served.end();
    assert!(!said.contains("panicked"), "{said}");
}
