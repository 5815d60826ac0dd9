//! Words of the command line that are not UTF-8: paths work, and everything else is a wrong call. And
//! what a pseudo-terminal gets.

use crate::common::{command, leaves, said};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

const WORD: &[u8] = b"caf\xe9.txt";

#[test]
fn no_word_ends_a_command_with_a_defect() {
    let folder = tempfile::tempdir().unwrap();
    let odd = OsStr::from_bytes(WORD);
    let all = leaves();
    assert!(all.len() > 40, "{}", all.len());
    for (words, _) in &all {
        let words: Vec<&str> = words.split(' ').collect();
        let calls: [&[&OsStr]; 5] = [
            &[odd, OsStr::new("--no-such")],
            &[OsStr::from_bytes(b"--caf\xe9")],
            &[OsStr::new("--format"), odd, OsStr::new("--no-such")],
            &[OsStr::new("--to"), odd, OsStr::new("--no-such")],
            &[OsStr::from_bytes(b"-ocaf\xe9=x"), OsStr::new("--no-such")],
        ];
        for call in calls {
            let run = command(folder.path(), &words).args(call).output().unwrap();
            assert_eq!(run.status.code(), Some(2), "{words:?} {call:?}: {}", said(&run));
            assert!(!said(&run).contains("panicked"), "{words:?} {call:?}: {}", said(&run));
        }
        // These wait for a browser.
        if !matches!(words[..], ["edit" | "serve"] | ["match", "play"]) {
            let run = command(folder.path(), &words).arg(odd).output().unwrap();
            assert!(matches!(run.status.code(), Some(0..=2)), "{words:?}: {}", said(&run));
        }
    }
    for call in [&[odd][..], &[OsStr::new("--color"), odd]] {
        let run = command(folder.path(), &[]).args(call).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{call:?}: {}", said(&run));
    }
}

#[test]
fn paths_that_are_not_utf_8_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let odd = OsStr::from_bytes(WORD);
    let deck = crate::common::root().join("decks/shell/ash-and-acorn.txt");
    if std::fs::copy(deck, folder.path().join(odd)).is_err() {
        // A file system that takes no such name.
        return;
    }
    for words in [
        &["check"][..],
        &["odds", "--hand", "6"],
        &["stats"],
        &["fix"],
        &["room"],
        &["print", "--sheet"],
    ] {
        let run = command(folder.path(), words).arg(odd).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{words:?}: {}", said(&run));
    }
    let to = OsStr::from_bytes(b"\xe9.json");
    let mut call = command(folder.path(), &["convert", "--to-format", "json", "--to"]);
    let run = call.arg(to).arg(odd).output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    assert!(Path::new(&folder.path().join(to)).exists());
    let run = command(folder.path(), &["check", "."]).output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
}

#[test]
fn what_is_no_text_never_goes_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "Format: any\n\n1 A\n").unwrap();
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let device = || {
        let name = OsStr::from_bytes(name.as_bytes());
        File::options().read(true).write(true).open(name).unwrap()
    };
    for call in [
        &["check", "a.txt", "-o", "xlsx"][..],
        &["cards", "list", "--format", "shell", "-o", "xlsx"],
    ] {
        let ran = command(folder.path(), call).stdout(device()).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{call:?}: {said}");
        assert!(said.contains("-o xlsx=FILE.xlsx"), "{said}");
    }
}
