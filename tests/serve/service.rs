//! What others start the server with: the container's file and the service's unit.

use super::lasting::Process;
use super::support::Browser;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const CONTAINER: &str = include_str!("../../Containerfile");
const UNIT: &str = include_str!("../../docs/run/decklaw.service");

/// What stands behind a word at the beginning of a line.
fn behind<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    text.lines()
        .filter_map(|line| line.strip_prefix(word))
        .collect()
}

#[test]
fn the_program_takes_what_the_container_and_the_unit_call_it_with() {
    let entry: Vec<String> = serde_json::from_str(behind(CONTAINER, "ENTRYPOINT ")[0]).unwrap();
    let started = behind(UNIT, "ExecStart=")[0]
        .split(' ')
        .map(str::to_owned)
        .collect();
    // The call for a server behind a proxy is the same with other options.
    let proxied = behind(UNIT, "# Behind a proxy: ")[0];
    let proxied = format!("decklaw serve {proxied} --data %S/decklaw");
    let proxied = proxied.split(' ').map(str::to_owned).collect();
    for call in [entry, started, proxied] {
        let call: Vec<String> = call;
        assert!(
            call[0].ends_with("decklaw") && call[1] == "serve",
            "{call:?}"
        );
        let data = tempfile::tempdir().unwrap();
        let arguments = call[1..].iter().map(|word| match word.as_str() {
            "/data" | "%S/decklaw" => data.path().to_str().unwrap().to_owned(),
            // Nobody else reaches a test.
            "0.0.0.0" => "127.0.0.1".to_owned(),
            other => other.to_owned(),
        });
        let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args(arguments)
            .args(["--port", "0"])
            .env_clear()
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let said = child.stdout.take().unwrap();
        let _process = Process(child);
        BufReader::new(said).read_line(&mut line).unwrap();
        assert!(data.path().join("decklaw.sqlite").is_file(), "{call:?}");
        let link = line.split("decklaw is at ").nth(1).unwrap();
        match link.strip_prefix("http://") {
            Some(link) => drop(Browser::new(
                link.split('/').next().unwrap().parse().unwrap(),
            )),
            None => assert!(link.starts_with("https://decks.example/#key="), "{line}"),
        }
    }
}

#[test]
fn the_container_writes_to_one_folder_and_is_nobody() {
    assert_eq!(behind(CONTAINER, "FROM ").last(), Some(&"scratch"));
    assert_eq!(behind(CONTAINER, "VOLUME "), ["/data"]);
    assert_eq!(behind(CONTAINER, "EXPOSE "), ["7333"]);
    let user = behind(CONTAINER, "USER ")[0];
    let ids: Vec<u32> = user.split(':').map(|id| id.parse().unwrap()).collect();
    assert!(ids.len() == 2 && ids.iter().all(|id| *id > 0), "{user}");
    // SQLite looks for a place for its own files in folders that an empty image does not have.
    assert_eq!(behind(CONTAINER, "ENV SQLITE_TMPDIR="), ["/data"]);
}

#[test]
fn systemd_understands_every_line_of_the_unit() {
    let folder = tempfile::tempdir().unwrap();
    let unit = folder.path().join("decklaw.service");
    let own = UNIT.replace("/usr/local/bin/decklaw", env!("CARGO_BIN_EXE_decklaw"));
    std::fs::write(&unit, own).unwrap();
    let analyze = |arguments: &[&str], unit: &Path| {
        let ran = Command::new("systemd-analyze")
            .args(arguments)
            .arg(unit)
            .output();
        ran.ok()
    };
    let Some(ran) = analyze(&["verify", "--man=no"], &unit) else {
        println!("skipped: systemd-analyze is not here");
        return;
    };
    // A line that it does not know is a warning, and no failure.
    let told = String::from_utf8_lossy(&ran.stderr);
    let of_unit: Vec<&str> = told
        .lines()
        .filter(|line| line.contains("decklaw.service"))
        .collect();
    assert!(ran.status.success() && of_unit.is_empty(), "{told}");
    // From 0, wholly shut in, to 100; older editions cannot tell without the service.
    let shut_in = ["security", "--offline=true", "--threshold=20"];
    let Some(ran) = analyze(&shut_in, &unit) else {
        return;
    };
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() || told.is_empty(), "{told}");
}
