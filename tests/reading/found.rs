//! Lists as people bring them, from `found.yaml`: read as the deck that they mean, or refused with
//! the line and a useful word.

use super::decklaw;
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

#[derive(Deserialize)]
struct Found {
    game: String,
    cards: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(default = "deck_txt")]
    name: String,
    #[serde(default = "trial")]
    format: String,
    text: String,
    is: Option<String>,
    refused: Option<u64>,
    unknown: Option<String>,
    at: Option<u64>,
    #[serde(default)]
    says: String,
    never: Option<String>,
}

fn deck_txt() -> String {
    "deck.txt".to_owned()
}

fn trial() -> String {
    "trial/open".to_owned()
}

/// The reports of files, in the order of their paths.
fn checked(root: &Path, files: &[String], format: &str) -> Vec<Value> {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let call = [&["check", "-o", "json", "--format", format], &files[..]].concat();
    let run = decklaw(root, &call);
    let document = crate::common::json(&run);
    document["decks"].as_array().unwrap().clone()
}

/// Compares the answer to a case with its expectation.
fn judged(case: &Case, deck: &Value, meant: Option<&Value>) -> Result<(), String> {
    let all = serde_json::to_string(&deck["findings"]).unwrap();
    let expect = |right: bool, what: &str| if right { Ok(()) } else { Err(what.to_owned()) };
    expect(all.contains(&case.says), &format!("does not say `{}`", case.says))?;
    if let Some(never) = &case.never {
        expect(!all.contains(never.as_str()), &format!("says `{never}`"))?;
    }
    let findings = deck["findings"].as_array().unwrap();
    if let Some(line) = case.at {
        let is_at = findings.iter().any(|finding| finding["line"] == line);
        expect(is_at, "has no finding there")?;
    }
    if let Some(line) = case.refused {
        let is_first = findings.first().is_some_and(|finding| finding["line"] == line);
        return expect(deck["verdict"] == "unreadable" && is_first, "is not refused there");
    }
    if let Some(name) = &case.unknown {
        let is_unknown = findings.iter().any(|finding| {
            finding["code"] == "unknown-card.not-in-pool" && finding["cards"][0] == name.as_str()
        });
        return expect(is_unknown, "has no unknown card of that name");
    }
    expect(
        !deck["hash"].is_null() && meant.is_some_and(|meant| meant["hash"] == deck["hash"]),
        "is another deck",
    )
}

#[test]
fn lists_are_read_as_they_are_meant_or_refused_with_a_useful_word() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reading/found.yaml");
    let found: Found = serde_yaml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    std::fs::create_dir_all(root.join("game/trial")).unwrap();
    std::fs::write(root.join("decklaw.yaml"), "formats: [game]\n").unwrap();
    std::fs::write(root.join("game/trial/game.yaml"), &found.game).unwrap();
    std::fs::write(root.join("game/trial/cards.csv"), &found.cards).unwrap();
    let mut wrong = Vec::new();
    for format in ["trial/open", "any"] {
        let cases: Vec<&Case> = found.cases.iter().filter(|case| case.format == format).collect();
        let of = format.replace('/', "-");
        let written = |folder: &str, name: &str, text: &str| {
            std::fs::create_dir_all(root.join(folder)).unwrap();
            std::fs::write(root.join(folder).join(name), text).unwrap();
            format!("{folder}/{name}")
        };
        let numbered = || cases.iter().enumerate();
        let files =
            numbered().map(|(at, case)| written(&format!("{of}-{at:03}"), &case.name, &case.text));
        let decks = checked(root, &files.collect::<Vec<_>>(), format);
        let files = numbered().map(|(at, case)| {
            let text = case.is.as_deref().unwrap_or("1 Ant\n");
            written(&format!("{of}-meant-{at:03}"), "deck.txt", text)
        });
        let meant = checked(root, &files.collect::<Vec<_>>(), format);
        assert_eq!((decks.len(), meant.len()), (cases.len(), cases.len()));
        for ((case, deck), meant) in cases.into_iter().zip(&decks).zip(&meant) {
            let meant = case.is.as_ref().map(|_| meant);
            if let Err(what) = judged(case, deck, meant) {
                wrong.push(format!("{:?} {what}: {}", case.text, deck["findings"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
