//! The built-in games: what is promised of their rules and cards. `calls/games.md` checks them and their
//! examples.

use crate::common::{root, run, said};
use decklaw::banlist::Lists;
use decklaw::format::{Catalogue, Rulebook};
use decklaw::judge::Judge;
use decklaw::rules::Severity;
use std::sync::Arc;

/// The rule ids of each format, as players and programs know them.
const RULES: &str = "\
shell: accepts copies extra-distinct extra-overlap extra-size points shells side-copies side-distinct side-overlap side-shell unpriced-colour zero-mana
vainqueur: advised-size copies size
versus/fast: accepts composition size
vanquishers: accepts copies dead-card hero hero-restriction size unique
vanquishers/advanced: accepts copies energy-class energy-copies energy-off-type hero hero-restriction size unique
vanquishers/competitive-advanced: accepts copies energy-class energy-copies energy-off-type hero hero-restriction size unique
vastrix: whole-deck
any:";

/// The rules that are advice, and only warn.
const ADVICE: &str =
    "zero-mana unpriced-colour advised-size composition energy-off-type energy-copies dead-card";

fn judge() -> Judge {
    Judge::new(Catalogue::built_in(), Lists::default(), "2026-01-01".parse().unwrap())
}

fn rulebook(format: &str) -> Arc<Rulebook> {
    judge().rulebook(format).expect("a built-in format is in order")
}

#[test]
fn rules_bear_the_ids_and_severities_that_are_promised() {
    for (format, expected) in RULES.lines().map(|row| row.split_once(':').unwrap()) {
        let rulebook = rulebook(format);
        let mut ids: Vec<&str> = rulebook.rules().iter().map(|rule| rule.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.retain(|id| *id != "unknown-card");
        assert_eq!(ids.join(" "), expected.trim(), "{format}");
        for rule in rulebook.rules() {
            let advice = rule.severity == Severity::Warning;
            assert_eq!(advice, ADVICE.split(' ').any(|id| id == rule.id), "{format}/{}", rule.id);
            assert!(
                rule.id == "unknown-card" || !rule.source.is_empty(),
                "{format}/{} cites nothing",
                rule.id
            );
        }
    }
}

#[test]
fn pools_are_rich_enough_to_play_with() {
    for (format, least) in [("shell", 150), ("vainqueur", 90), ("versus", 90), ("vanquishers", 140)]
    {
        assert!(rulebook(format).pool().len() >= least, "{format}");
    }
    let whole = rulebook("vastrix");
    assert_eq!(whole.pool().len(), 54);
    let points: i64 =
        whole.pool().ids().filter_map(|card| whole.pool().number(card, "points")).sum();
    assert_eq!(points, 300, "the sum that the rules text's own numbers make");
}

/// Whichever command meets a wrong file of a game shows the line that is wrong.
#[test]
fn a_wrong_file_of_a_game_shows_its_line_in_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("config/formats/shell");
    std::fs::create_dir_all(&own).unwrap();
    for file in ["cards.csv", "stats.yaml", "odds.yaml", "taste.yaml", "look.yaml"] {
        std::fs::copy(root().join("formats/shell").join(file), own.join(file)).unwrap();
    }
    let game = std::fs::read_to_string(root().join("formats/shell/game.yaml")).unwrap();
    let line = 1 + game.split("max:").next().unwrap().matches('\n').count();
    std::fs::write(own.join("game.yaml"), game.replacen("max:", "most:", 1)).unwrap();
    std::fs::copy(root().join("decks/shell/ebb.txt"), folder.path().join("ebb.txt")).unwrap();
    for call in [
        "check ebb.txt",
        "fix ebb.txt",
        "room ebb.txt",
        "swap ebb.txt 'in: \"Moss Sprite\" 1'",
        "stats ebb.txt",
        "odds ebb.txt '1+ [mana:1]'",
        "tune ebb.txt '1+ [mana:1]' --changes 1",
        "convert ebb.txt --to-format json",
        "print ebb.txt --sheet",
        "build shell",
        "match new ebb.txt ebb.txt",
        "cards list --format shell",
        "formats show shell",
        "formats list",
        "explain copies --format shell",
        "banlist lock shell",
        "event new cup --format shell --name Cup",
    ] {
        let ran = run(folder.path(), call);
        let said = said(&ran);
        assert_eq!(ran.status.code(), Some(2), "{call}: {said}");
        assert!(said.contains(&format!("game.yaml:{line}:")), "{call}: {said}");
    }
}
