//! How people come by the program: what package managers are given of a release, and the action for
//! repositories of decks.
#![cfg(unix)]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

const TARGETS: [(&str, &str); 5] = [
    ("x86_64-unknown-linux-musl", "tar.gz"),
    ("aarch64-unknown-linux-musl", "tar.gz"),
    ("x86_64-apple-darwin", "tar.gz"),
    ("aarch64-apple-darwin", "tar.gz"),
    ("x86_64-pc-windows-msvc", "zip"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn packages(folder: &Path, sums: &str) -> Output {
    std::fs::write(folder.join("SHA256SUMS"), sums).unwrap();
    Command::new("bash")
        .arg(root().join(".ci/packages"))
        .args(["1.2.3", "SHA256SUMS", "out"])
        .env("REPOSITORY", "https://example.org/them/decklaw")
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn package_managers_are_given_each_package_with_its_digest() {
    let folder = tempfile::tempdir().unwrap();
    let digest = |at: usize| char::from(b'a' + at as u8).to_string().repeat(64);
    let each = TARGETS.iter().enumerate();
    let lines: Vec<String> = each
        .map(|(at, (target, ending))| format!("{}  decklaw-1.2.3-{target}.{ending}\n", digest(at)))
        .collect();
    let ran = packages(folder.path(), &lines.concat());
    assert!(ran.status.success(), "{ran:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    let url = |at: usize| {
        let (target, ending) = TARGETS[at];
        format!(
            "https://example.org/them/decklaw/releases/download/v1.2.3/decklaw-1.2.3-{target}.{ending}"
        )
    };
    let formula = read("decklaw.rb");
    for at in 0..4 {
        let both = format!("url \"{}\"\n      sha256 \"{}\"", url(at), digest(at));
        assert!(formula.contains(&both), "{formula}");
    }
    let scoop: Value = serde_json::from_str(&read("decklaw.json")).unwrap();
    let own = &scoop["architecture"]["64bit"];
    assert_eq!(
        (&own["url"], &own["hash"]),
        (&url(4).into(), &digest(4).into())
    );
    assert_eq!(
        scoop["autoupdate"]["architecture"]["64bit"]["extract_dir"],
        "decklaw-$version-x86_64-pc-windows-msvc"
    );
    let winget = read("winget/decklaw.decklaw.installer.yaml");
    assert!(
        winget.contains(&format!("InstallerUrl: {}\n", url(4))),
        "{winget}"
    );
    assert!(winget.contains(&format!("InstallerSha256: {}\n", digest(4).to_uppercase())));
    for name in ["decklaw.decklaw.yaml", "decklaw.decklaw.locale.en-US.yaml"] {
        assert!(read(&format!("winget/{name}")).contains("PackageVersion: 1.2.3\n"));
    }
    // A package that is missing, and a digest that is none.
    for sums in [lines[1..].concat(), lines.concat().replacen("aaaa", "", 1)] {
        let ran = packages(folder.path(), &sums);
        let told = String::from_utf8_lossy(&ran.stderr);
        assert!(
            ran.status.code() == Some(1) && told.contains("missing"),
            "{told}"
        );
    }
}

fn action(paths: &str, options: &str) -> (Output, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let ran = Command::new("bash")
        .arg(root().join(".github/actions/check/run"))
        .env("DECKLAW", env!("CARGO_BIN_EXE_decklaw"))
        .env("DECKLAW_CONFIG", "no-configuration")
        .env("PATHS", paths)
        .env("OPTIONS", options)
        .env("RUNNER_TEMP", folder.path())
        .env("GITHUB_OUTPUT", folder.path().join("output"))
        .env("GITHUB_STEP_SUMMARY", folder.path().join("summary"))
        .current_dir(root())
        .output()
        .unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let verdicts = serde_json::from_str(&read("verdicts.json")).unwrap_or_default();
    (ran, verdicts, read("summary"))
}

#[test]
fn the_action_marks_what_is_wrong_and_fails_where_a_deck_does() {
    let (ran, verdicts, summary) =
        action("decks/shell/ebb.txt\ndecks/shell/too-many-copies.txt", "");
    let told = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    assert!(
        told.contains("::error file=decks/shell/too-many-copies.txt,line=18,"),
        "{told}"
    );
    assert_eq!(verdicts["decks"].as_array().map(Vec::len), Some(2));
    assert!(summary.contains("too-many-copies"), "{summary}");
    let (ran, verdicts, _) = action("decks/shell/ebb.txt", "--as-of\n2026-06-01");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(verdicts["as_of"], "2026-06-01");
    // What is wrong with the call is no verdict; a path is one argument, whatever stands in it.
    assert_eq!(
        action("decks/shell/ebb.txt", "--no-such-option")
            .0
            .status
            .code(),
        Some(2)
    );
    assert_eq!(
        action("decks/shell/ebb.txt; echo owned", "")
            .0
            .status
            .code(),
        Some(2)
    );
}
