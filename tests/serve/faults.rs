//! Faults at the system calls of the server's data, as `strace` injects them: what was
//! acknowledged stays, what was not is told, and the server goes on.

use super::lasting::{Process, serve};
use super::support::{Browser, LEGAL, event};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

/// Starts a server of which some system calls fail. `None`: nothing traces here; no address: it
/// did not begin to serve.
fn failing(data: &Path, inject: &str) -> Option<(Process, Option<SocketAddr>)> {
    // The tracer is a process of its own, so that the child is the server.
    let mut child = Command::new("strace")
        .args(["-D", "-f", "-qq", "-o", "/dev/null"])
        .args(["-e", "trace=pwrite64,fdatasync,fsync,ftruncate"])
        .args(["-e", inject])
        .arg(env!("CARGO_BIN_EXE_decklaw"))
        .args(["serve", "--port", "0", "--data"])
        .arg(data)
        .env("DECKLAW_CONFIG", data.join("none"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let address = line
        .split("http://")
        .nth(1)
        .map(|link| link.split('/').next().unwrap().parse().unwrap());
    if address.is_none() {
        let told = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&told.stderr).into_owned();
        if said.contains("ptrace") || said.contains("PTRACE") || said.contains("strace:") {
            return None;
        }
        assert_eq!(told.status.code(), Some(2), "{inject}: {said}");
        assert!(!said.is_empty(), "{inject}: without a word");
        let ended = Command::new("true").spawn().unwrap();
        return Some((Process(ended), None));
    }
    Some((Process(child), address))
}

#[allow(clippy::print_stdout)]
#[test]
fn what_was_acknowledged_outlasts_faults_of_the_disk() {
    let place = tempfile::tempdir().unwrap();
    let kept = place.path().join("kept");
    let (process, address, key) = serve(&kept, &[]);
    let mut host = Browser::new(address);
    let entered = host.form("/enter", &[("key", &key), ("next", "/")]);
    assert_eq!(entered.status, 303);
    let (path, organiser) = event(&mut host, &[]);
    drop(host);
    drop(process);
    let mut tried = 0;
    for (at, inject) in [
        "inject=pwrite64:error=ENOSPC:when=8",
        "inject=pwrite64:error=ENOSPC:when=50",
        "inject=pwrite64:error=EIO:when=60+",
        "inject=pwrite64:error=EDQUOT:when=40+3",
        "inject=fdatasync:error=EIO:when=2",
        "inject=fdatasync:error=EIO:when=4+",
        "inject=fsync:error=EIO:when=1+",
        "inject=ftruncate:error=EIO:when=1+",
        "inject=pwrite64:signal=SIGKILL:when=60",
        "inject=fdatasync:signal=SIGTERM:when=3",
    ]
    .into_iter()
    .enumerate()
    {
        let data = place.path().join(format!("data{at}"));
        copied(&kept, &data);
        let Some((process, address)) = failing(&data, inject) else {
            println!("skipped: strace is not here, or may not look at processes");
            return;
        };
        let served = address.is_some();
        let (mut acknowledged, mut told) = (Vec::new(), Vec::new());
        for number in 0..12 {
            let Some(address) = address else { break };
            let name = format!("P{number}");
            // A server that ends answers nobody.
            let page = std::panic::catch_unwind(|| {
                let mut player = Browser::new(address);
                let hand_in = [("name", &*name), ("deck", LEGAL), ("do", "hand-in")];
                let page = player.form(&path, &hand_in);
                (page.status, page.text())
            });
            match page {
                Ok((_, text)) if text.contains("Handed in") => acknowledged.push(name),
                Ok((status, text)) => told.push((status, text)),
                Err(_) => {}
            }
        }
        for (status, text) in told {
            assert!(
                // No answer at all is that of a server that was killed.
                status == 0 && text.is_empty() || status >= 500 && !text.contains("panicked"),
                "{inject}: {status}: {text}"
            );
        }
        drop(process);
        tried += usize::from(served);
        let (_process, address, _) = serve(&data, &[]);
        let mut desk = Browser::new(address);
        let page = format!("{path}/desk");
        let enter = [("key", &*organiser), ("next", &*page)];
        let entered = desk.form(&format!("{path}/enter"), &enter);
        assert_eq!(entered.status, 303, "{inject}");
        let table = desk.get(&format!("{page}/export/decks.csv")).text();
        for name in &acknowledged {
            let row = format!(",{name},counts,");
            assert!(table.contains(&row), "{inject}: {name} was lost");
        }
        // A single fault costs no more than what it hit, once the server serves.
        let single = !inject.contains('+');
        if single && served && inject.contains("error=") {
            assert!(acknowledged.len() > 5, "{inject}: {acknowledged:?}");
        }
    }
    assert!(tried > 2, "{tried} of them served");
}

/// A folder with all that is in it.
fn copied(from: &Path, to: &Path) {
    if from.is_file() {
        std::fs::copy(from, to).unwrap();
        return;
    }
    std::fs::create_dir(to).unwrap();
    for file in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        copied(&file.path(), &to.join(file.file_name()));
    }
}
