//! Faults at each system call, as `strace` injects them.

use super::super::text;
use super::{Call, Room, Written, for_each_call, found_by_calls, lay_out, serving, written};
use crate::common::{Files, tree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

const WATCHED: &str = "-etrace=openat,read,write,fsync,fchmod,close,link,linkat,rename,renameat,renameat2,unlink,unlinkat,flock,mkdir,mkdirat";

/// What is injected at a system call.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// It fails.
    Error(&'static str),
    /// The process is killed.
    Killed,
}

/// Runs a call under strace. `None`: there is no strace, or it may not look.
fn traced(room: &Room, call: &Call, server: &str, inject: Option<&str>) -> Option<Output> {
    let mut command = Command::new("strace");
    command
        .args(["-f", "-y", "-qq", "-o"])
        .arg(&room.log)
        .arg(WATCHED)
        .args(inject)
        .arg(env!("CARGO_BIN_EXE_decklaw"))
        .args(super::words(call, server));
    let there = Command::new("strace").arg("-V").output().is_ok();
    let output = there.then(|| super::finished(&mut command, &room.folder))?;
    let said = text(&output.stderr);
    let barred = said.contains("PTRACE") || said.contains("ptrace") || said.contains("strace:");
    (!barred).then_some(output)
}

/// The system calls that concern files that are written, their drafts and their folders: of each
/// its name and which call of that name it is in its thread, counted from 1.
fn concerned(log: &Path, folder: &Path, written: &Written<'_>) -> Vec<(String, usize)> {
    let log = std::fs::read_to_string(log).unwrap();
    let folder = folder.to_str().unwrap();
    let mut own = vec![".decklaw-".to_owned(), "\".\"".to_owned()];
    for name in written.changed() {
        own.push(format!("{name}\""));
        if let Some((inner, _)) = name.rsplit_once('/') {
            own.push(format!("{inner}\""));
            own.push(format!("/{inner}>"));
        }
    }
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let mut synced: BTreeMap<&str, &str> = BTreeMap::new();
    for line in log.lines() {
        let Some((thread, rest)) = line.split_once(char::is_whitespace) else {
            continue;
        };
        let Some((name, arguments)) = rest.trim_start().split_once('(') else {
            continue;
        };
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if !name.chars().all(is_name) {
            continue;
        }
        let count = counts.entry((thread, name)).or_default();
        *count += 1;
        // What else is read of the folder may fail, too, and then another answer is written whole.
        // A folder that is put on the disk is closed next; of one that is listed the standard
        // library takes no error.
        let descriptor = arguments.split(')').next().unwrap_or_default();
        let of_folder = match name {
            "fsync" => arguments.contains(&format!("<{folder}>")),
            "close" => synced.get(thread) == Some(&descriptor),
            _ => false,
        };
        synced.insert(thread, if name == "fsync" { descriptor } else { "" });
        let listed = name == "close" && !arguments.contains(".decklaw-");
        // Other threads close their files where this one's programs are still being loaded.
        if name == "close" && !log.starts_with(thread) {
            continue;
        }
        let is_own = of_folder || !listed && own.iter().any(|own| arguments.contains(own));
        if is_own && seen.insert((name, *count)) {
            found.push((name.to_owned(), *count));
        }
    }
    found
}

/// Tries a call with something injected at each of its system calls, and returns their number.
fn matrix(call: &Call, server: &str, faults: fn(&str, bool) -> Vec<Fault>) -> Option<usize> {
    let before = found_by_calls_once();
    let written = written(call, before, server);
    let room = Room::new(before);
    traced(&room, call, server, None)?;
    let mut places = concerned(&room.log, &room.folder, &written);
    if !call.own_way || std::env::var_os("DECKLAW_FAULTS").is_none() {
        // The first and the last of each kind; a run for hours tries each.
        let last: BTreeMap<String, usize> = places.iter().cloned().collect();
        let mut first = BTreeSet::new();
        places.retain(|(name, at)| first.insert(name.clone()) || last.get(name) == Some(at));
    }
    assert!(!places.is_empty(), "no system call of {}", call.words);
    let mut tried = 0;
    for (name, at) in places {
        for fault in faults(&name, call.own_way) {
            lay_out(&room.folder, before);
            let what = match fault {
                Fault::Error(error) => format!("error={error}"),
                Fault::Killed => "signal=SIGKILL".to_owned(),
            };
            let inject = format!("-einject={name}:{what}:when={at}");
            let about = format!("{} with {inject}", call.words);
            let ran = traced(&room, call, server, Some(&inject))?;
            let mut now = tree(&room.folder);
            if fault == Fault::Killed {
                // Nobody clears its draft away; every other file is whole.
                now.retain(|name, _| !name.contains(".decklaw-"));
            }
            let all = written.holds(&now, &about);
            match (ran.status.code(), fault) {
                (None, Fault::Killed) => {}
                (status, _) if status == written.status => {
                    let is_reported = status == Some(1) && !ran.stderr.is_empty();
                    assert!(all || is_reported, "{about}: lost without a word");
                }
                (Some(1 | 2), _) => assert!(!ran.stderr.is_empty(), "{about}: without a word"),
                // Every thread's call of that number fails, one that wakes another thread of the
                // library for the web, too: no full disk does that.
                (Some(3), Fault::Error(_))
                    if text(&ran.stderr).contains("failed to wake I/O driver") => {}
                (other, _) => panic!("{about}: {other:?}\n{}", text(&ran.stderr)),
            }
            tried += 1;
        }
    }
    Some(tried)
}

/// What calls find, made once.
fn found_by_calls_once() -> &'static Files {
    static FOUND: std::sync::OnceLock<Files> = std::sync::OnceLock::new();
    FOUND.get_or_init(found_by_calls)
}

/// What may fail at a system call: the errors that its manual page names.
fn errors(name: &str, own_way: bool) -> Vec<Fault> {
    let errors: &[&str] = match (name, own_way) {
        ("write", true) => &["ENOSPC", "EIO", "EDQUOT"],
        ("write", false) => &["ENOSPC"],
        ("fsync", true) => &["EIO", "EINTR"],
        ("openat", true) => &["EMFILE", "EDQUOT"],
        ("link" | "linkat", true) => &["EDQUOT", "EPERM"],
        ("link" | "linkat", false) => &["EDQUOT"],
        ("rename" | "renameat" | "renameat2", true) => &["EIO", "ENOSPC"],
        ("rename" | "renameat" | "renameat2", false) => &["EIO"],
        ("mkdir" | "mkdirat", _) => &["ENOSPC"],
        ("close", true) => &["EIO"],
        ("flock", true) => &["ENOLCK", "EINTR"],
        ("fchmod", true) => &["EPERM"],
        ("read", true) => &["EIO"],
        _ => &[],
    };
    errors.iter().map(|error| Fault::Error(error)).collect()
}

/// Where a process is killed: where a file takes its place.
fn killed(name: &str, own_way: bool) -> Vec<Fault> {
    let last = matches!(name, "fsync" | "link" | "linkat" | "rename" | "renameat" | "renameat2");
    if own_way && last { vec![Fault::Killed] } else { Vec::new() }
}

/// Errors lose no file, and a process that is killed or interrupted leaves no half file.
#[allow(clippy::print_stdout)]
#[test]
fn a_fault_loses_no_file() {
    let server = serving();
    let (tried, skipped) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for_each_call(|call| {
        for faults in [errors, killed] {
            if skipped.load(Ordering::Relaxed) == 0 {
                match matrix(call, &server, faults) {
                    Some(more) => tried.fetch_add(more, Ordering::Relaxed),
                    None => skipped.fetch_add(1, Ordering::Relaxed),
                };
            }
        }
    });
    if skipped.into_inner() > 0 {
        println!("skipped: strace is not here, or may not look at processes");
        return;
    }
    let tried = tried.into_inner();
    println!("{tried} faults");
    assert!(tried >= 260, "{tried} faults are few");
}
