//! Faults at the system calls of the server's data, as `strace` injects them: what was
//! acknowledged stays, what was not is told, and the server goes on.

use super::lasting::{Process, serve};
use super::support::{Browser, LEGAL, event};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

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
        std::fs::create_dir(&data).unwrap();
        for file in std::fs::read_dir(&kept).unwrap().map(Result::unwrap) {
            std::fs::copy(file.path(), data.join(file.file_name())).unwrap();
        }
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
        let table = desk.get(&format!("{page}/export/submissions.csv")).text();
        for name in &acknowledged {
            let row = format!(",{name},shell,");
            assert!(table.contains(&row), "{inject}: {name} was lost");
        }
        let audit = desk.get(&format!("{page}/audit")).text();
        assert!(audit.contains("all of them fit"), "{inject}");
        // A single fault costs no more than what it hit, once the server serves.
        let single = !inject.contains('+');
        if single && served && inject.contains("error=") {
            assert!(acknowledged.len() > 5, "{inject}: {acknowledged:?}");
        }
    }
    assert!(tried > 2, "{tried} of them served");
}

/// The program under strace, or plain. `None`: nothing traces here.
fn ran(place: &Path, inject: Option<&str>, words: &[&str]) -> Option<Output> {
    let program = env!("CARGO_BIN_EXE_decklaw");
    let mut command = match inject {
        None => Command::new(program),
        Some(inject) => {
            let mut traced = Command::new("strace");
            traced.args(["-f", "-qq", "-o", "/dev/null", "-e", inject, program]);
            traced
        }
    };
    let configuration = place.join("none");
    command.args(words).env("DECKLAW_CONFIG", configuration);
    let output = command.current_dir(place).output().ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let barred = ["ptrace", "PTRACE", "strace:"];
    let barred = inject.is_some() && barred.iter().any(|word| said.contains(word));
    (!barred).then_some(output)
}

/// The files of a folder by name, drafts of killed processes left out; `None`: it is not there.
fn held(folder: &Path) -> Option<BTreeMap<String, Vec<u8>>> {
    let entries = std::fs::read_dir(folder).ok()?.map(Result::unwrap);
    let named = entries.map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        (name, std::fs::read(entry.path()).unwrap())
    });
    let whole = named.filter(|(name, _)| !name.starts_with(".decklaw-"));
    Some(whole.collect())
}

#[allow(clippy::print_stdout)]
#[test]
fn an_event_goes_out_and_in_whole_or_not_at_all() {
    let place = tempfile::tempdir().unwrap();
    let kept = place.path().join("kept");
    let (process, address, key) = serve(&kept, &[]);
    let mut host = Browser::new(address);
    host.form("/enter", &[("key", &key), ("next", "/")]);
    let (path, _) = event(&mut host, &[]);
    let hand_in = [("name", "Ada"), ("deck", LEGAL), ("do", "hand-in")];
    let page = Browser::new(address).form(&path, &hand_in);
    assert_eq!(page.status, 200);
    drop(host);
    drop(process);
    let id = path.rsplit('/').next().unwrap();
    let out = |to: &str, data: &str, inject: Option<&str>| {
        let words = ["event", "desk-export", id, to, "--data", data];
        ran(place.path(), inject, &words)
    };
    let into = |data: &str, inject: Option<&str>| {
        let words = ["event", "desk-import", "whole", "--data", data];
        ran(place.path(), inject, &words)
    };
    let made = out("whole", "kept", None).unwrap();
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let whole = held(&place.path().join("whole")).unwrap();
    assert!(whole.len() > 3, "{:?}", whole.keys());
    let faults = [
        ("write", "error=ENOSPC"),
        ("write", "signal=SIGKILL"),
        ("fsync", "error=EIO"),
        ("fsync", "signal=SIGTERM"),
        ("pwrite64", "error=ENOSPC"),
        ("pwrite64", "signal=SIGKILL"),
        ("fdatasync", "error=EIO"),
        ("rename,renameat,renameat2,link,linkat", "error=EIO"),
        ("mkdir,mkdirat", "error=EACCES"),
    ];
    let (mut failed, mut done) = (0, 0);
    for (at, (call, fault)) in faults.into_iter().enumerate() {
        for nth in [1, 2, 4, 7, 12] {
            let inject = format!("inject={call}:{fault}:when={nth}");
            let (to, data) = (format!("out{at}-{nth}"), format!("data{at}-{nth}"));
            let Some(taken) = out(&to, "kept", Some(&inject)) else {
                println!("skipped: strace is not here, or may not look at processes");
                return;
            };
            let now = held(&place.path().join(&to));
            match taken.status.code() {
                Some(0) => assert_eq!(now.as_ref(), Some(&whole), "{inject}: {taken:?}"),
                // Told why, and nothing is left that looks like an event.
                Some(1 | 2) => {
                    assert_eq!(now, None, "{inject}: {taken:?}");
                    assert!(!taken.stderr.is_empty(), "{inject}");
                }
                // What was killed leaves whole files and no half ones.
                _ => {
                    for (name, bytes) in now.unwrap_or_default() {
                        assert_eq!(Some(&bytes), whole.get(&name), "{inject}: {name}");
                    }
                }
            }
            let taken = into(&data, Some(&inject)).unwrap();
            let again = into(&data, None).unwrap();
            let said = String::from_utf8_lossy(&again.stderr).into_owned();
            match taken.status.code() {
                Some(0) => done += 1,
                _ => failed += 1,
            }
            let there = said.contains("already");
            assert!(
                there || again.status.code() == Some(0),
                "{inject}: {said}, after {taken:?}"
            );
            assert!(
                there || taken.status.code() != Some(0),
                "{inject}: said to be in, and is not"
            );
            let to = format!("{to}-again");
            let back = out(&to, &data, None).unwrap();
            assert_eq!(back.status.code(), Some(0), "{inject}: {back:?}");
            let now = held(&place.path().join(&to));
            assert_eq!(now.as_ref(), Some(&whole), "{inject}: not the same event");
        }
    }
    assert!(
        failed > 5 && done > 5,
        "{failed} failed, {done} did not notice"
    );
}
