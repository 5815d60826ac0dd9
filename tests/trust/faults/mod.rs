//! Faults at system calls, in every command that writes: whatever fails, a file has its old bytes
//! or its new ones, whole; no draft is left; and an output that was lost is reported.

mod traced;

use super::{decklaw, root, text};
use crate::common::{Files, leaves, table, tree};
use crate::fetch::desk::list;
use crate::fetch::server::{Server, ok};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

/// A call that writes files.
#[derive(Clone, Copy)]
struct Call {
    /// Its words; `URL` is where a list can be fetched.
    words: &'static str,
    /// Whether it writes in a way of its own, so that each of its system calls is tried: most
    /// commands have the outputs that all have.
    own_way: bool,
    /// Whether it writes something else each time: a secret, a time, or the place of its data.
    varies: bool,
}

/// A call of each command that writes.
fn calls() -> Vec<Call> {
    let rows = table("calls that write").map(|row| row.split_once("| ").unwrap());
    rows.map(|(marks, words)| Call {
        words,
        own_way: marks.contains("own"),
        varies: marks.contains("varies"),
    })
    .collect()
}

/// Makes a folder hold these files and nothing else.
fn lay_out(folder: &Path, files: &Files) {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir(folder).unwrap();
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// A folder to work in, and a place next to it.
struct Room {
    _place: tempfile::TempDir,
    folder: PathBuf,
    log: PathBuf,
}

impl Room {
    fn new(files: &Files) -> Room {
        let place = tempfile::tempdir().unwrap();
        let canonical = place.path().canonicalize().unwrap();
        let (folder, log) = (canonical.join("work"), canonical.join("log"));
        lay_out(&folder, files);
        Room { _place: place, folder, log }
    }
}

/// What a call finds: decks, matches in every state, a form, and files to replace.
fn found_by_calls() -> Files {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("deck.txt", "Format: shell\n\nShells\n1 Crimson Bulwark\n\nMain\n7 Moss Sprite\n");
    write("typo.txt", "Format: shell\n\nMain\n2 Mos Sprite\n");
    write("out", "old\n");
    write("form.csv", "Player,Decklist\nAnn,\"Format: shell\nMain\n7 Moss Sprite\"\n");
    write(
        "list.yaml",
        "schema: decklaw/banlist/1\nid: x\ngame: shell\nname: X\neffective: 2026-01-01\nbanned:\n  - Moss Sprite\n",
    );
    // No engine, but as far as `publish` looks one.
    write("engine.wasm", &format!("\0asm {}", decklaw::ENGINE));
    write("cards.csv", "name,type,colour,mana\nNewt,spell,red,1\n");
    std::fs::copy(root("decks/shell/ebb.txt"), folder.join("legal.txt")).unwrap();
    let run = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let made = decklaw(folder, &words);
        let (said, error) = (text(&made.stdout), text(&made.stderr));
        assert_eq!(made.status.code(), Some(0), "{words:?}: {error}");
        said
    };
    run(
        "match new shell --deck legal.txt --deck legal.txt --seed qorvith-blenska-uthmar-a --to game.json",
    );
    std::fs::copy(folder.join("game.json"), folder.join("done.json")).unwrap();
    for step in [
        "swap\",\"seat\":\"A",
        "swap\",\"seat\":\"B",
        "first-player\",\"by\":\"random",
        "mulligan\",\"seat\":\"A\",\"choice\":\"keep\",\"bottom\":[],\"z\":\"",
        "mulligan\",\"seat\":\"B\",\"choice\":\"keep\",\"bottom\":[],\"z\":\"",
    ] {
        let step = format!("{{\"step\":\"{step}\"}}").replace(",\"z\":\"\"", "");
        run(&format!("match decide done.json {step} --to done.json"));
    }
    run(
        "match new vastrix --option battlerealm=true --seed qorvith-blenska-uthmar-p --to battle.json",
    );
    run("formats new lantern");
    tree(folder)
}

/// The words of a call.
fn words(call: &Call, server: &str) -> Vec<String> {
    let words = call.words.split(' ').map(|word| match word {
        "URL" => server.to_owned(),
        word => word.to_owned(),
    });
    words.collect()
}

/// Runs a call in its folder, with nothing to read.
fn finished(command: &mut Command, folder: &Path) -> Output {
    command
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder.join("configuration"))
        .env("RAYON_NUM_THREADS", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The address of a list, on a server that runs as long as the tests.
fn serving() -> String {
    let server = Server::start();
    server.put("/list.yaml", ok(&list("web", "2026-01-01", 0)));
    server.url("/list.yaml")
}

/// What a call writes when nothing fails: files before and after, and its exit status.
struct Written<'c> {
    call: &'c Call,
    before: &'c Files,
    after: Files,
    status: Option<i32>,
}

impl Written<'_> {
    /// The files that it changes or makes.
    fn changed(&self) -> impl Iterator<Item = &String> {
        let other = |(name, bytes): &(&String, &Vec<u8>)| self.before.get(*name) != Some(bytes);
        self.after.iter().filter(other).map(|(name, _)| name)
    }

    /// Whether a file is as it is written when nothing fails.
    fn is_new(&self, name: &str, now: Option<&Vec<u8>>) -> bool {
        let new = self.after.get(name);
        // Secrets and times are others in each run.
        now == new || self.call.varies && now.map(Vec::len) == new.map(Vec::len)
    }

    /// Holds a folder against what may be in it after a fault. Whether all is written.
    fn holds(&self, now: &Files, about: &str) -> bool {
        let all = self.changed().all(|name| self.is_new(name, now.get(name)));
        for (name, bytes) in self.before {
            let kept = now.get(name) == Some(bytes);
            let changed = self.changed().any(|changed| changed == name);
            // What the call takes away goes once all that it writes is there.
            let gone = all && !now.contains_key(name) && !self.after.contains_key(name);
            assert!(
                kept || gone || changed && self.is_new(name, now.get(name)),
                "{about}: {name} was lost, or is half a file"
            );
        }
        for (name, bytes) in now.iter().filter(|(name, _)| !self.before.contains_key(*name)) {
            assert!(self.after.contains_key(name), "{about}: {name} was left behind");
            assert!(self.is_new(name, Some(bytes)), "{about}: {name} is half a file");
        }
        all
    }
}

/// Does something for each call, on as many threads as there are processors.
fn for_each_call(each: impl Fn(&Call) + Sync) {
    let calls = calls();
    let (calls, failed) = (Mutex::new(calls.iter()), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(call) = { calls.lock().unwrap().next() } {
                    if catch_unwind(AssertUnwindSafe(|| each(call))).is_err() {
                        failed.lock().unwrap().push(call.words);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Runs a call in its folder as it is.
fn plain(room: &Room, call: &Call, server: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
    command.args(words(call, server));
    finished(&mut command, &room.folder)
}

/// What a call writes when nothing fails.
fn written<'c>(call: &'c Call, before: &'c Files, server: &str) -> Written<'c> {
    let room = Room::new(before);
    let ran = plain(&room, call, server);
    let after = tree(&room.folder);
    let written = Written { call, before, after, status: ran.status.code() };
    let error = text(&ran.stderr);
    assert!(
        written.changed().next().is_some() && matches!(written.status, Some(0 | 1)),
        "{} writes: {error}",
        call.words
    );
    written
}

/// Every command is in the table, or it is said why it need not be.
#[test]
fn every_command_is_tried() {
    let leaves = leaves();
    assert!(leaves.len() > 40, "{}", leaves.len());
    for (leaf, _) in &leaves {
        let mut elsewhere = table("calls that are tried elsewhere");
        let elsewhere = elsewhere.any(|row| row.starts_with(&format!("{leaf} | ")));
        let tried = calls().iter().any(|call| call.words.starts_with(&format!("{leaf} ")));
        assert!(tried != elsewhere, "`{leaf}` has to be among the calls of tests/tables.txt, once");
    }
}

/// Standard error closed or full, and standard input closed: what is written is written, and
/// the run ends as it ends otherwise.
#[cfg(unix)]
#[test]
fn closed_and_full_streams_lose_no_file() {
    let (before, server) = (found_by_calls(), serving());
    for_each_call(|call| {
        let written = written(call, &before, &server);
        let mut streams = vec!["2>&-", "2>/dev/full", "<&-", "2>&- <&-"];
        if !Path::new("/dev/full").exists() {
            streams.retain(|stream| !stream.contains("full"));
        }
        for stream in streams {
            let room = Room::new(&before);
            let mut command = Command::new("sh");
            command
                .args(["-c", &format!("exec \"$0\" \"$@\" {stream}")])
                .arg(env!("CARGO_BIN_EXE_decklaw"))
                .args(words(call, &server));
            let ran = finished(&mut command, &room.folder);
            let about = format!("{} {stream}", call.words);
            assert_eq!(ran.status.code(), written.status, "{about}");
            assert!(written.holds(&tree(&room.folder), &about), "{about}: lost");
        }
    });
}

/// A limit on the sizes of files is an error like a full disk.
#[cfg(unix)]
#[test]
fn a_limit_on_sizes_leaves_what_was_there() {
    let (before, server) = (found_by_calls(), serving());
    for_each_call(|call| {
        let written = written(call, &before, &server);
        let room = Room::new(&before);
        let mut command = Command::new("sh");
        command
            .args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_decklaw"))
            .args(words(call, &server));
        // What is said goes into a pipe, which has no limit.
        let ran = finished(&mut command, &room.folder);
        let (now, about) = (tree(&room.folder), format!("{} ulimit -f 0", call.words));
        assert!(!written.holds(&now, &about), "{about}: it can be written?");
        assert_eq!(now, before, "{about}");
        assert!(matches!(ran.status.code(), Some(1 | 2)), "{about}: {ran:?}");
        assert!(!ran.stderr.is_empty(), "{about}: lost without a word");
    });
}

/// Many who change one file at once: each change is whole, and the last one stays.
#[test]
fn processes_that_write_one_file_leave_one_of_their_files() {
    let room = Room::new(&found_by_calls());
    for format in ["json", "csv"] {
        let alone = decklaw(&room.folder, &["check", "deck.txt", "-o", format]);
        std::fs::write(room.folder.join(format), alone.stdout).unwrap();
    }
    let start = |at: usize| {
        let kind = ["json=out", "csv=out"][at % 2];
        let call = ["check", "deck.txt", "--replace", "-o", kind];
        super::command(&room.folder, &call).spawn().unwrap()
    };
    let running: Vec<_> = (0..12).map(start).collect();
    for mut child in running {
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
    let all = tree(&room.folder);
    assert!(all["out"] == all["json"] || all["out"] == all["csv"]);
    let drafts = all.keys().filter(|name| name.starts_with(".decklaw-"));
    assert_eq!(drafts.count(), 0, "{:?}", all.keys());
}
