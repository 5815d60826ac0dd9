//! More connections than a server has handles: whoever has something to say is answered.
#![cfg(target_os = "linux")]

use super::lasting::Process;
use super::support::{Browser, LEGAL, event, next};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A server that has so many handles and no more, and a limit on its memory.
fn serve(data: &Path, handles: u32) -> (Process, SocketAddr, String) {
    const MOST_KIB: u64 = 2 << 20;
    let limits = format!("ulimit -n {handles} && ulimit -v {MOST_KIB} && exec \"$0\" \"$@\"");
    let mut child = Command::new("sh")
        .args(["-c", &limits, env!("CARGO_BIN_EXE_decklaw")])
        .args(["serve", "--port", "0", "--data"])
        .arg(data)
        .env("DECKLAW_CONFIG", data.join("none"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let link = line.split("http://").nth(1).unwrap();
    let (address, rest) = link.split_once('/').unwrap();
    let key = rest.split("#key=").nth(1).unwrap().trim();
    (Process(child), address.parse().unwrap(), key.to_owned())
}

/// A connection from an address of this machine.
fn connect(from: &str, to: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let line = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
        socket.connect(to).await.unwrap().into_std().unwrap()
    });
    line.set_nonblocking(false).unwrap();
    line.set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    line
}

#[test]
fn connections_that_say_nothing_keep_nobody_out() {
    let data = tempfile::tempdir().unwrap();
    let (mut process, address, key) = serve(data.path(), 128);
    let mut host = Browser::new(address);
    let entered = host.form("/enter", &[("key", &key), ("next", "/")]);
    assert_eq!(entered.status, 303);
    let (path, _) = event(&mut host, &[]);
    let hands_in = |name: &str| {
        let mut player = Browser::new(address);
        let fields = [("name", name), ("deck", LEGAL), ("do", "hand-in")];
        let told = player.form(&path, &fields);
        assert!(told.text().contains("Handed in"), "{name}: {}", told.text());
    };
    // From the address of the players themselves, and from another one.
    let mut held: Vec<TcpStream> = Vec::new();
    for from in ["127.0.0.1", "127.0.0.2"] {
        held.extend((0..150).map(|_| connect(from, address)));
        hands_in(&format!("Beside those of {from} that say nothing"));
    }
    // Heads that do not end.
    for _ in 0..100 {
        let mut line = connect("127.0.0.2", address);
        let _ = line.write_all(b"GET / HTTP/1.1\r\n");
        held.push(line);
    }
    hands_in("Beside heads");
    drop(held);
    // Answers that never end, all of them asked for by one other address.
    let request = format!("GET /api/changes HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let mut streams: Vec<TcpStream> = Vec::new();
    for _ in 0..150 {
        let mut line = connect("127.0.0.2", address);
        let _ = line.write_all(request.as_bytes());
        streams.push(line);
    }
    let mut answered = 0;
    for line in &mut streams {
        let mut first = [0; 12];
        let read = next(line, &mut first).unwrap_or(0);
        answered += usize::from(read > 0 && first.starts_with(b"HTTP/1.1 200"));
    }
    assert!(answered > 40, "{answered}");
    hands_in("Beside streams");
    drop(streams);
    // Requests whose bodies do not come, one from each of more addresses than there are places: none
    // has more than another. Where a key was shown, people are answered all the same.
    let request = format!(
        "POST /api/share HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nContent-Length: 9\r\n\r\n"
    );
    let mut strangers: Vec<TcpStream> = Vec::new();
    for at in 0..120 {
        let mut line = connect(&format!("127.0.1.{at}"), address);
        let _ = line.write_all(request.as_bytes());
        strangers.push(line);
    }
    hands_in("Beside strangers of many addresses");
    let export = host.get(&format!("{path}/desk/export/decks.csv"));
    assert_eq!(export.status, 200);
    assert_eq!(
        export.text().matches("Beside").count(),
        5,
        "{}",
        export.text()
    );
    assert!(process.0.try_wait().unwrap().is_none(), "it goes on");
}
