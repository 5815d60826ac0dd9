//! Papers and pairings say what `check --submissions` says: by the same lock, of the decks that
//! count and of no others.

use crate::{checked_in, decklaw, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const FORM: [&str; 2] = ["--deadline", "2026-08-01T18:00Z"];

fn repository(inside: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(inside)).unwrap()
}

/// Six players: legal, banned by the list that is locked and by no other, in time and late,
/// replaced, unreadable, and late alone.
fn form() -> String {
    let (good, banned) = (
        repository("decks/vainqueur/barley-crown.txt"),
        repository("decks/vainqueur/low-water.txt"),
    );
    let (good, banned) = (without_player(&good), without_player(&banned));
    let rows = [
        ("2026-08-01 10:00Z", "Ann", banned.as_str()),
        ("2026-08-01 11:00Z", "Bob", good.as_str()),
        ("2026-08-01 19:00Z", "Bob", banned.as_str()),
        ("2026-08-01 12:00Z", "Cleo", banned.as_str()),
        ("2026-08-01 13:00Z", "Cleo", good.as_str()),
        ("2026-08-01 14:00Z", "Dan", "what is a deck?\nnothing"),
        ("2026-08-01 20:00Z", "Eve", good.as_str()),
        ("2026-08-01 15:00Z", "Fay", good.as_str()),
    ];
    let mut table = "Timestamp,Name,Deck\n".to_owned();
    for (time, name, deck) in rows {
        table += &format!("{time},{name},\"{}\"\n", deck.replace('"', "\"\""));
    }
    table
}

fn without_player(deck: &str) -> String {
    let lines = deck.lines().filter(|line| !line.starts_with("Player:"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The verdict of each player's deck that counts, as the lock has it.
fn judged(folder: &Path, locked: &str) -> BTreeMap<String, String> {
    let (_, document, told) =
        checked_in(folder, form().as_bytes(), &[&FORM[..], &[locked]].concat());
    let decks = document["decks"]
        .as_array()
        .unwrap_or_else(|| panic!("{told}"));
    let counting = decks
        .iter()
        .filter(|deck| deck["submission"]["counts"] == Value::Bool(true));
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    counting
        .map(|deck| (word(&deck["player"]), word(&deck["verdict"])))
        .collect()
}

#[test]
fn papers_and_pairings_agree_with_the_verdict_by_the_lock() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |arguments: &[&str]| {
        let run = decklaw(folder, arguments);
        (run.status.code(), text(&run.stdout), text(&run.stderr))
    };
    let list = "vainqueur-sample-2026-07";
    let (status, _, told) = run(&[
        "banlist",
        "lock",
        "vainqueur",
        "--banlist",
        list,
        "--as-of",
        "2026-08-01",
        "--to",
        "event.lock",
    ]);
    assert_eq!(status, Some(0), "{told}");
    let locked = "--locked=event.lock";
    let truth = judged(folder, locked);
    assert_eq!(truth["Ann"], "illegal", "{truth:?}");
    assert_eq!(
        (truth["Bob"].as_str(), truth["Cleo"].as_str()),
        ("legal", "legal")
    );
    assert_eq!(truth["Dan"], "unreadable");

    // A sheet and a slip for each, and the verdict on the sheet.
    let asked = [
        "convert",
        "--submissions",
        "form.csv",
        FORM[0],
        FORM[1],
        locked,
        "--to-format",
    ];
    let (_, sheets, told) = run(&[&asked[..], &["sheet"]].concat());
    let pages: Vec<&str> = sheets.split("Verdict: <strong>").skip(1).collect();
    let mut said: Vec<&str> = pages
        .iter()
        .map(|page| page.split('<').next().unwrap())
        .collect();
    let mut expected: Vec<&str> = truth.values().map(String::as_str).collect();
    said.sort_unstable();
    expected.sort_unstable();
    assert_eq!(said, expected, "{told}");
    for (player, verdict) in &truth {
        // What stands between a player's name and the next verdict is that player's.
        let after = &sheets[sheets
            .find(&format!(">{player}<"))
            .unwrap_or_else(|| panic!("{player}"))..];
        let found = after
            .split("Verdict: <strong>")
            .nth(1)
            .unwrap()
            .split('<')
            .next()
            .unwrap();
        assert_eq!(found, verdict, "{player}");
    }
    let (_, slips, _) = run(&[&asked[..], &["slip"]].concat());
    assert_eq!(slips.matches("<section").count(), truth.len());
    for player in truth.keys() {
        assert!(slips.contains(&format!(">{player}<")), "{player}");
    }

    // A letter for each.
    let (_, _, told) = run(&[
        "check",
        "--submissions",
        "form.csv",
        FORM[0],
        FORM[1],
        locked,
        "--letters",
        "letters",
    ]);
    let letters: BTreeMap<String, String> = std::fs::read_dir(folder.join("letters"))
        .unwrap_or_else(|error| panic!("{error}: {told}"))
        .map(|file| {
            let path = file.unwrap().path();
            let player = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (player, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    assert!(letters.keys().eq(truth.keys()), "{:?}", letters.keys());
    assert!(letters["Ann"].contains("banned"), "{}", letters["Ann"]);
    assert!(!letters["Bob"].contains("banned"), "{}", letters["Bob"]);

    // Tables seat whom the lock calls legal.
    let (_, _, told) = run(&[&asked[..], &["text", "--to", "decks"]].concat());
    assert!(told.contains("late deck"), "{told}");
    run(&["match", "commit", "--secret-file", "secret"]);
    let round = |one: &str, other: &str, locked: &[&str]| {
        std::fs::write(
            folder.join("pairs.csv"),
            format!("table,A,B\n1,{one},{other}\n"),
        )
        .unwrap();
        let to = format!("round-{one}-{other}-{}", locked.len());
        let call = [
            "match",
            "round",
            "vainqueur",
            "--pairings",
            "pairs.csv",
            "--decks",
            "decks",
            "--secret-file",
            "secret",
            "--set",
            "opening_hand=5",
            "--to",
            &to,
        ];
        run(&[&call[..], locked].concat())
    };
    let (status, _, told) = round("Ann", "Bob", &[locked]);
    assert_eq!(status, Some(1), "{told}");
    assert!(
        told.contains("banned") || told.contains("not legal") || told.contains("illegal"),
        "{told}"
    );
    let (status, _, told) = round("Bob", "Cleo", &[locked]);
    assert_eq!(status, Some(0), "{told}");
    // Without the lock nobody would know of the list.
    let (status, _, told) = round("Ann", "Bob", &[]);
    assert_eq!(status, Some(0), "{told}");
}

/// A new list changes verdicts of decks that count; a late one beside is shown, and decides nothing.
#[test]
fn a_comparison_counts_the_decks_that_count() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let compared = |form: &str| {
        std::fs::write(folder.join("form.csv"), form).unwrap();
        let call = [
            "compare",
            "none",
            "vainqueur-sample-2026-07",
            "--submissions",
            "form.csv",
            FORM[0],
            FORM[1],
            "--as-of",
            "2026-08-01",
        ];
        let run = decklaw(folder, &call);
        (run.status.code(), text(&run.stdout))
    };
    // Of Ann, Bob, Cleo, Dan, Eve and Fay the list bans Ann's deck and Bob's late one.
    let (status, said) = compared(&form());
    assert_eq!(status, Some(1), "{said}");
    let late = "form.csv row 4 (Bob): legal, now illegal (late; row 3 counts)";
    assert!(said.contains(late), "{said}");
    let total = "6 decks: 1 with another verdict, 1 unreadable";
    assert!(said.contains(total), "{said}");
    // Where nothing else changes, a late deck is no reason to say no.
    let all = form();
    let mut bob_alone = String::new();
    let mut wanted = true;
    for line in all.lines() {
        if line.starts_with("2026-") {
            wanted = line.contains(",Bob,");
        }
        if wanted {
            bob_alone += line;
            bob_alone.push('\n');
        }
    }
    let (status, said) = compared(&bob_alone);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("1 deck: 0 with another verdict"), "{said}");
}
