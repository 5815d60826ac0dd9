//! Faults at system calls, in every command that writes: whatever fails, the file has its old
//! bytes or its new ones, whole; no draft is left; and an output that was lost is told.

use crate::{command, decklaw, root, text};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

const DECK: &str = "Format: shell\n\nShells\n1 Crimson Bulwark\n\nMain\n7 Moss Sprite\n";

/// A command that writes a file: its words, and the file.
struct Call {
    words: &'static [&'static str],
    writes: &'static str,
}

const CALLS: [Call; 9] = [
    Call {
        words: &["check", "deck.txt", "-o", "json=out", "--replace"],
        writes: "out",
    },
    Call {
        words: &["check", "deck.txt", "-o", "xlsx=out", "--replace"],
        writes: "out",
    },
    Call {
        words: &["check", "deck.txt", "-o", "csv", "--to", "new"],
        writes: "new",
    },
    Call {
        words: &["fix", "deck.txt", "--write"],
        writes: "deck.txt",
    },
    Call {
        words: &[
            "convert",
            "deck.txt",
            "--to-format",
            "yaml",
            "--to",
            "out",
            "--replace",
        ],
        writes: "out",
    },
    Call {
        words: &["stats", "deck.txt", "--svg", "out", "--replace"],
        writes: "out",
    },
    Call {
        words: &["cards", "template", "shell", "-o", "csv=new"],
        writes: "new",
    },
    Call {
        words: &[
            "banlist",
            "lock",
            "shell",
            "--as-of",
            "2026-01-01",
            "--to",
            "out",
            "--replace",
        ],
        writes: "out",
    },
    Call {
        words: &[
            "match",
            "decide",
            "game.json",
            "{\"step\":\"swap\",\"seat\":\"A\"}",
            "--to",
            "game.json",
        ],
        writes: "game.json",
    },
];

/// Sets a folder out: a deck, a file that is to be replaced, and a match in which A decides.
fn set_out(folder: &Path) {
    std::fs::write(folder.join("deck.txt"), DECK).unwrap();
    std::fs::write(folder.join("out"), "old\n").unwrap();
    let ebb = root("decks/shell/ebb.txt");
    let ebb = ebb.to_str().unwrap();
    let words = [
        "match",
        "new",
        "shell",
        "--deck",
        ebb,
        "--deck",
        ebb,
        "--seed",
        "a",
        "--to",
        "game.json",
    ];
    let made = decklaw(folder, &words);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .filter(|entry| entry.path().is_file())
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                std::fs::read(entry.path()).unwrap(),
            )
        })
        .collect()
}

/// Runs a command under strace with some options; `None`: there is no strace, or it may not look.
fn traced(folder: &Path, options: &[String], words: &[&str], log: &Path) -> Option<Output> {
    let output = Command::new("strace")
        .args(["-f", "-y", "-qq", "-o"])
        .arg(log)
        .args(options)
        .arg(env!("CARGO_BIN_EXE_decklaw"))
        .args(words)
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder)
        .env("NO_COLOR", "1")
        .output()
        .ok()?;
    let said = text(&output.stderr);
    let barred = said.contains("PTRACE") || said.contains("ptrace") || said.contains("strace:");
    (!barred).then_some(output)
}

/// The system calls of the program's first thread that concern a file that it writes in a folder,
/// its draft, or the folder: of each its name and
/// which call of that name it is, counted from 1.
fn concerned(log: &Path, folder: &Path, writes: &str) -> Vec<(String, usize)> {
    let log = std::fs::read_to_string(log).unwrap();
    let folder = folder.to_str().unwrap();
    let first = log.split_whitespace().next().unwrap_or_default().to_owned();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for line in log.lines() {
        let mut words = line.splitn(2, char::is_whitespace);
        if words.next() != Some(&first) {
            continue;
        }
        let rest = words.next().unwrap_or_default().trim_start();
        let Some((name, arguments)) = rest.split_once('(') else {
            continue;
        };
        if !name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        {
            continue;
        }
        let count = counts.entry(name.to_owned()).or_default();
        *count += 1;
        // `-y` shows where a descriptor leads, and names of files stand as they were given. What
        // else is read of the folder may fail, too, and then another answer is written whole.
        let named = format!("\"{writes}\"");
        let own = [".decklaw-", named.as_str(), "\".\""];
        let of_folder = name == "fsync" && arguments.contains(folder);
        if of_folder || own.iter().any(|name| arguments.contains(name)) {
            found.push((name.to_owned(), *count));
        }
    }
    found
}

const WATCHED: &str =
    "openat,write,fsync,fchmod,linkat,link,rename,renameat,renameat2,unlink,unlinkat,flock,read";

/// Tries a command with something injected at each of its system calls. `told`: whether the
/// run can end by a signal, of which nothing is said.
fn matrix(call: &Call, injected: impl Fn(&str) -> Vec<String>, by_signal: bool) -> Option<usize> {
    let place = tempfile::tempdir().unwrap();
    let (folder, log) = (place.path().join("work"), place.path().join("log"));
    std::fs::create_dir(&folder).unwrap();
    let folder = folder.canonicalize().unwrap();
    set_out(&folder);
    let before = files(&folder);
    let watched = [format!("-etrace={WATCHED}")];
    traced(&folder, &watched, call.words, &log)?;
    let after = files(&folder);
    let (old, new) = (before.get(call.writes), after.get(call.writes));
    assert!(new.is_some() && new != old, "{:?} writes", call.words);
    let mut tried = 0;
    for (name, number) in concerned(&log, &folder, call.writes) {
        for what in injected(&name) {
            for file in files(&folder).keys() {
                std::fs::remove_file(folder.join(file)).unwrap();
            }
            for (file, bytes) in &before {
                std::fs::write(folder.join(file), bytes).unwrap();
            }
            let inject = format!("-einject={name}:{what}:when={number}");
            let about = format!("{:?} with {inject}", call.words);
            let ran = traced(&folder, &[watched[0].clone(), inject], call.words, &log)?;
            let now = files(&folder);
            let written = now.get(call.writes);
            assert!(written == old || written == new, "{about}: half a file");
            for (file, bytes) in &before {
                assert!(
                    file == call.writes || now.get(file) == Some(bytes),
                    "{about}: {file}"
                );
            }
            let drafts = now.keys().filter(|file| !before.contains_key(*file));
            let drafts: Vec<&String> = drafts.filter(|file| *file != call.writes).collect();
            assert!(drafts.is_empty(), "{about}: {drafts:?}");
            match ran.status.code() {
                Some(0) if !by_signal => assert!(written == new, "{about}: lost without a word"),
                Some(1 | 2) => assert!(
                    written == new || !ran.stderr.is_empty(),
                    "{about}: lost without a word"
                ),
                Some(0 | 130) | None => {}
                other => panic!("{about}: {other:?}\n{}", text(&ran.stderr)),
            }
            tried += 1;
        }
    }
    Some(tried)
}

/// What may fail at a call: the errors that its manual page names.
fn errors(name: &str) -> Vec<String> {
    let errors: &[&str] = match name {
        "write" => &["ENOSPC", "EIO"],
        "fsync" => &["EIO", "EINTR"],
        "openat" => &["ENOSPC", "EMFILE"],
        "linkat" | "link" => &["EPERM", "ENOSPC"],
        "rename" | "renameat" | "renameat2" => &["EIO", "ENOSPC"],
        "flock" => &["EINTR", "ENOLCK"],
        "fchmod" => &["EPERM"],
        "read" => &["EIO"],
        _ => &[],
    };
    errors
        .iter()
        .map(|error| format!("error={error}"))
        .collect()
}

#[allow(clippy::print_stdout)]
fn all(injected: impl Fn(&str) -> Vec<String> + Copy, by_signal: bool, at_least: usize) {
    let mut tried = 0;
    for call in &CALLS {
        let Some(more) = matrix(call, injected, by_signal) else {
            println!("skipped: strace is not here, or may not look at processes");
            return;
        };
        assert!(
            more > 0,
            "{:?} has no system call that concerns its folder",
            call.words
        );
        tried += more;
    }
    assert!(tried >= at_least, "{tried} faults are few");
}

#[test]
fn a_fault_loses_no_file() {
    all(errors, false, 100);
}

#[test]
fn a_signal_leaves_nothing_behind() {
    let signals = |name: &str| match name {
        "write" | "fsync" | "linkat" | "link" | "rename" => {
            vec!["signal=SIGTERM".to_owned(), "signal=SIGINT".to_owned()]
        }
        _ => Vec::new(),
    };
    all(signals, true, 30);
}

/// Standard error closed, and standard output: what is written into files is written.
#[cfg(unix)]
#[test]
fn closed_streams_lose_no_file() {
    for (closed, status) in [("2>&-", 1), (">&-", 1), ("2>&- >&-", 1), ("<&-", 1)] {
        let folder = tempfile::tempdir().unwrap();
        set_out(folder.path());
        let call = format!("exec \"$0\" check deck.txt -o json=new {closed}");
        let ran = Command::new("sh")
            .args(["-c", &call, env!("CARGO_BIN_EXE_decklaw")])
            .current_dir(folder.path())
            .env("DECKLAW_CONFIG", folder.path())
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(status), "{closed}");
        let written = std::fs::read(folder.path().join("new")).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&written).unwrap();
        assert_eq!(json["schema"], "decklaw/check/1", "{closed}");
    }
}

/// Many who change one file at once: each change is whole, and the last one stands.
#[test]
fn processes_that_write_one_file_leave_one_of_their_files() {
    let folder = tempfile::tempdir().unwrap();
    set_out(folder.path());
    for format in ["json", "csv"] {
        let alone = decklaw(folder.path(), &["check", "deck.txt", "-o", format]);
        std::fs::write(folder.path().join(format), alone.stdout).unwrap();
    }
    let start = |at: usize| {
        let kind = ["json=out", "csv=out"][at % 2];
        let call = ["check", "deck.txt", "--replace", "-o", kind];
        command(folder.path(), &call).spawn().unwrap()
    };
    let running: Vec<_> = (0..12).map(start).collect();
    for mut child in running {
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
    let all = files(folder.path());
    assert!(all["out"] == all["json"] || all["out"] == all["csv"]);
    assert!(
        !all.keys().any(|name| name.starts_with(".decklaw-")),
        "{:?}",
        all.keys()
    );
}
