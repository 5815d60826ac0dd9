//! What others start the server with: the container's file and the service's unit.

use super::support::Process;
use std::process::Command;

const CONTAINER: &str = include_str!("../../Containerfile");
const UNIT: &str = include_str!("../../docs/run/decklaw.service");

/// The rest of each line that begins with a word.
fn after<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let lines = text.lines();
    lines.filter_map(|line| line.strip_prefix(word)).collect()
}

#[test]
fn the_program_takes_the_calls_of_the_container_and_the_unit() {
    let entry: Vec<String> = serde_json::from_str(after(CONTAINER, "ENTRYPOINT ")[0]).unwrap();
    let started = after(UNIT, "ExecStart=")[0].split(' ').map(str::to_owned);
    for call in [entry, started.collect()] {
        assert!(call[0].ends_with("decklaw") && call[1] == "serve", "{call:?}");
        let data = tempfile::tempdir().unwrap();
        let words = call[1..].iter().map(|word| match word.as_str() {
            "/data" | "%S/decklaw" => ".",
            // Nobody else reaches a test.
            "0.0.0.0" => "127.0.0.1",
            other => other,
        });
        let words: Vec<&str> = words.chain(["--port", "0"]).collect();
        let _running = Process::start(data.path(), &words);
        assert!(data.path().join("decklaw.sqlite").is_file(), "{call:?}");
    }
}

#[test]
fn the_container_writes_to_one_folder_without_rights() {
    assert_eq!(after(CONTAINER, "FROM ").last(), Some(&"scratch"));
    assert_eq!(after(CONTAINER, "VOLUME "), ["/data"]);
    // SQLite's own files would go to folders that an empty image does not have.
    assert_eq!(after(CONTAINER, "ENV SQLITE_TMPDIR="), ["/data"]);
    let user = after(CONTAINER, "USER ")[0];
    assert!(user.split(':').all(|id| id.parse::<u32>().unwrap() > 0));
}

#[test]
fn systemd_understands_every_line_of_the_unit() {
    let folder = tempfile::tempdir().unwrap();
    let unit = folder.path().join("decklaw.service");
    let own = UNIT.replace("/usr/local/bin/decklaw", env!("CARGO_BIN_EXE_decklaw"));
    std::fs::write(&unit, own).unwrap();
    let mut analyze = Command::new("systemd-analyze");
    let Ok(run) = analyze.args(["verify", "--man=no"]).arg(&unit).output() else {
        println!("skipped: systemd-analyze is missing");
        return;
    };
    // An unknown line is a warning, and no failure.
    let said = String::from_utf8_lossy(&run.stderr);
    let is_fine = run.status.success() && !said.contains("decklaw.service");
    assert!(is_fine, "{said}");
}
