//! The command from outside: exit statuses, outputs, and what bad input gets.

#[path = "command/options.rs"]
mod options;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn decklaw(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments)
        .output()
        .expect("the program runs")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
    command.args(arguments).current_dir(folder);
    command
        .env("DECKLAW_CONFIG", folder.join("no-configuration"))
        .env_remove("NO_COLOR");
    command
}

fn with_input(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child
        .stdin
        .take()
        .expect("it has an input")
        .write_all(input)
        .expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("an answer in JSON")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
    }
    folder
}

#[test]
fn the_exit_status_tells_what_happened() {
    for (arguments, status) in [
        (&["check", "decks/shell/ebb.txt"][..], 0),
        (&["check", "decks/shell/overspent.txt"], 1),
        (&["check", "decks/shell/*.txt"], 1),
        (&["check", "nowhere.txt"], 2),
        (&["check", "nowhere/*.txt"], 2),
        (&["check"], 2),
        (&["check", "decks", "--format", "chess"], 2),
        (&["check", "decks/shell", "--banlist", "nowhere"], 2),
        (
            &[
                "check",
                "decks/shell",
                "--banlist",
                "vainqueur-sample-2026-01",
            ],
            2,
        ),
        (&["check", "decks/shell", "--set", "min=3"], 2),
        (&["check", "decks/vainqueur", "--set", "min=-3"], 2),
        (&["check", "decks/shell", "--cards", "README.md"], 2),
        (&["check", "decks/shell", "--as-of", "2026-02-30"], 2),
        (&["check", "decks/shell", "-o", "telegram"], 2),
        (&["check", "decks/shell", "-o", "json", "-o", "ndjson"], 2),
        (&["formats", "list"], 0),
        (&["formats", "check", "formats/shell/game.yaml"], 0),
        (
            &["formats", "check", "banlists/shell/sample-2026-01.yaml"],
            1,
        ),
        (&["cards", "list", "--format", "shell", "mana>=x"], 2),
        (&["cards", "show", "--format", "shell", "nobody"], 1),
        (&["explain", "nothing"], 2),
        (&["completions", "bash"], 0),
        (&["man"], 0),
        (&["--version"], 0),
        (&["juggle"], 2),
    ] {
        let output = decklaw(root(), arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
        assert!(
            status == 1 || (status == 2) != said.is_empty(),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn there_is_a_manual_page() {
    let run = decklaw(root(), &["man"]);
    assert_eq!(run.status.code(), Some(0));
    let page = String::from_utf8(run.stdout).unwrap();
    assert!(
        page.starts_with(".ie") && page.contains("smallest edit"),
        "{page}"
    );
}
