//! The games and the list in `docs` are in order and judge as their comments say.

use crate::common::decklaw;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file or folder in `docs`.
fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs")
        .join(name)
}

/// A folder that knows the game of `docs/lantern`.
fn with_game() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/lantern");
    std::fs::create_dir_all(&own).unwrap();
    for file in std::fs::read_dir(docs("lantern")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), own.join(file.file_name())).unwrap();
    }
    folder
}

/// Every rule of the table of verbs is in order in a game with its fields and sections, and each
/// kind of rule is in the table.
#[test]
fn every_rule_of_the_table_of_verbs_is_in_order() {
    let manual = std::fs::read_to_string(docs("games-reference.md")).unwrap();
    let (_, table) = manual
        .split_once("| a deck | write |\n|---|---|\n")
        .unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let mut rules = String::new();
    let mut kinds = BTreeSet::new();
    for (at, row) in table.lines().enumerate() {
        let written: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        assert!(!written.is_empty(), "{row}");
        for (nth, rule) in written.iter().enumerate() {
            rules += &format!("  - {{id: r{at}-{nth}, source: s, about: a, {rule}}}\n");
            let kind = rule
                .split_once("must: {")
                .map_or("demand", |(_, kind)| kind);
            kinds.insert(kind.split(':').next().unwrap().to_owned());
        }
    }
    let game = format!(
        "schema: decklaw/format/1
game: verbs
name: Verbs
text: none
fields:
  - {{name: type, kind: word}}
  - {{name: house, kind: list}}
  - {{name: rarity, kind: word, values: [common, rare]}}
  - {{name: title, kind: text}}
  - {{name: owner, kind: text}}
  - {{name: cost, kind: number}}
  - {{name: influence, kind: number}}
  - {{name: allows, kind: query}}
sections:
  - {{id: leader, name: leader section}}
  - {{id: main, name: main deck}}
  - {{id: side, name: side deck}}
  - {{id: opening, name: opening hand}}
settings: [{{name: points, about: points, default: 10}}]
formats: [{{id: verbs, name: Verbs}}]
rules:
{rules}"
    );
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/verbs");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("game.yaml"), &game).unwrap();
    let run = decklaw(folder.path(), &["formats", "check", "formats/verbs"]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    assert!(said.contains("in order, 1 format"), "{said}");
    let schema = include_str!("../../formats/format.schema.json");
    let all = schema.lines().filter_map(|line| {
        let (_, terms) = line.split_once("\"The terms of ")?;
        Some(terms.split('`').nth(1)?.to_owned())
    });
    let missing: Vec<String> = all.filter(|kind| !kinds.contains(kind)).collect();
    assert!(
        missing.is_empty() && kinds.len() > 14,
        "{missing:?} {kinds:?}"
    );
}

/// A schema, and a line for each of its mappings.
struct Keys {
    schema: Value,
    seen: BTreeSet<String>,
    lines: String,
}

impl Keys {
    /// Adds the keys of the value `name`, and of the values below it.
    fn add(&mut self, name: &str, value: &Value) {
        if let Some(definition) = value["$ref"].as_str() {
            let Some(definition) = definition.strip_prefix("#/$defs/") else {
                return;
            };
            if self.seen.insert(definition.to_owned()) {
                let value = self.schema["$defs"][definition].clone();
                self.add(name, &value);
            }
            return;
        }
        let empty = serde_json::Map::new();
        let keys = value["properties"].as_object().unwrap_or(&empty);
        let required: Vec<&str> = value["required"].as_array().map_or(vec![], |names| {
            names.iter().filter_map(Value::as_str).collect()
        });
        if !keys.is_empty() {
            let (bold, plain): (Vec<_>, Vec<_>) = keys
                .keys()
                .partition(|key| required.contains(&key.as_str()));
            let bold = bold.iter().map(|key| format!(" **`{key}`**"));
            let plain = plain.iter().map(|key| format!(" `{key}`"));
            self.lines += &format!("- `{name}`:{}\n", bold.chain(plain).collect::<String>());
        }
        for (key, value) in keys {
            self.add(key, value);
        }
        for list in ["oneOf", "anyOf", "prefixItems"] {
            for part in value[list].as_array().into_iter().flatten() {
                // One of several kinds, named by its key.
                match part["properties"]
                    .as_object()
                    .map(|keys| keys.iter().collect::<Vec<_>>())
                {
                    Some(only) if only.len() == 1 => self.add(only[0].0, only[0].1),
                    _ => self.add(name, part),
                }
            }
        }
        for inner in ["items", "additionalProperties"] {
            if value[inner].is_object() {
                self.add(name, &value[inner]);
            }
        }
    }
}

/// The last section of the reference is generated from the schemas.
#[test]
fn the_keys_of_the_manual_are_those_of_the_schemas() {
    let path = docs("games-reference.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let heading = "\n## Keys\n";
    let mut fresh = page.split(heading).next().unwrap().to_owned() + heading;
    fresh += "\nGenerated from the schemas. Keys in bold are required.\n";
    for (file, schema) in [
        (
            "game.yaml",
            include_str!("../../formats/format.schema.json"),
        ),
        ("setups", include_str!("../../formats/setup.schema.json")),
        ("odds.yaml", include_str!("../../formats/odds.schema.json")),
        (
            "stats.yaml",
            include_str!("../../formats/stats.schema.json"),
        ),
        (
            "taste.yaml",
            include_str!("../../formats/taste.schema.json"),
        ),
    ] {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let mut keys = Keys {
            schema: schema.clone(),
            seen: BTreeSet::new(),
            lines: "\n".to_owned(),
        };
        keys.add(file, &schema);
        fresh += &keys.lines;
    }
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    assert!(
        page == fresh,
        "`UPDATE_PAGES=1 cargo test --test lint manual` writes it"
    );
}

#[test]
fn the_game_of_the_manual_is_in_order_and_judges() {
    let folder = with_game();
    let run = decklaw(
        folder.path(),
        &["formats", "check", "formats/lantern/game.yaml"],
    );
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    assert!(said.contains("in order, 2 formats\n"), "{said}");

    // Pairs of decks that differ in one card, and what a player is told of the second.
    for (legal, one_more, rule, told) in [
        (
            "Leader\n1 Captain Ember\nMain\n3 Wick\n2 Flood\n",
            "2 Fog",
            "two-houses",
            "must have at most 2 houses; there are 3 (ember, mist and tide)",
        ),
        (
            "Leader\n1 Captain Ember\nMain\n3 Wick\n3 Flood\n",
            "1 Buoy",
            "influence",
            "the main deck must have at most 9 influence; there are 11",
        ),
        (
            "Leader\n1 Captain Tide\nMain\n3 Flood\n1 Buoy\n",
            "1 Beacon",
            "relics",
            "must have at most 1 relic; there are 2",
        ),
        (
            "Leader\n1 Captain Ember\nMain\n5 Spark\n",
            "1 Spark (old print)",
            "copies",
            "6 cards of the title `Spark` (`Spark` and `Spark (old print)`) in the main deck and side deck; at most 5 allowed (its copies)",
        ),
        (
            "Leader\n1 Captain Ember\nMain\n3 Wick\n1 Spark\n",
            "1 Match",
            "levels",
            "",
        ),
    ] {
        let deck = |more: &str| format!("Format: lantern\n{legal}{more}\n");
        std::fs::write(folder.path().join("deck.txt"), deck("")).unwrap();
        let run = decklaw(folder.path(), &["check", "deck.txt"]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(0), "{rule}: {said}");
        std::fs::write(folder.path().join("deck.txt"), deck(one_more)).unwrap();
        let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
        let said = String::from_utf8(run.stdout).unwrap();
        if told.is_empty() {
            // Four levels are just enough for five cards.
            assert_eq!(run.status.code(), Some(0), "{rule}: {said}");
            continue;
        }
        assert_eq!(run.status.code(), Some(1), "{rule}: {said}");
        assert!(
            said.contains(&format!("\"rule\": \"{rule}\"")),
            "{rule}: {said}"
        );
        assert!(said.contains(told), "{rule}: {said}");
        // The smallest edit takes what was added out again, or is as small.
        let run = decklaw(folder.path(), &["fix", "deck.txt", "-o", "json"]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(0), "{rule}: {said}");
        assert!(said.contains("\"optimal\": true"), "{rule}: {said}");
    }
}

#[test]
fn the_list_of_the_manual_is_in_order_and_judges() {
    let folder = with_game();
    std::fs::copy(
        docs("banlists/lantern-winter.yaml"),
        folder.path().join("list.yaml"),
    )
    .unwrap();
    let run = decklaw(folder.path(), &["banlist", "check", "list.yaml"]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    let mut lines = said.lines();
    assert_eq!(
        lines.next(),
        Some("list.yaml: in order, 12 cards, 3 queries, 2 groups and 3 sets")
    );
    // The game that decides what the list means is none of the built-in ones.
    assert!(lines.any(|line| line.contains("lantern")), "{said}");
    let shown = decklaw(
        folder.path(),
        &["banlist", "show", "list.yaml", "--as-of", "2026-01-15"],
    );
    let shown = String::from_utf8(shown.stdout).unwrap();
    for line in [
        "Cards of one title are one card.",
        "  every card `type:relic cost>=3`: banned",
        "At most 3 points, each card once",
        "  at most 1 of Spark, Flood and Buoy (wonder) in main",
        "  Wick not with Fog or Match",
        "  tide: not legal (from 2026-02-01)",
        "  every other house: not legal",
        "  Long Night: size 1",
        "  every card `cost>=4`: price +1",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }

    let base = "Format: lantern\nLeader\n1 Captain Ember\nMain\n3 Wick\n2 Spark\n";
    let check = |more: &str, day: &str| {
        std::fs::write(folder.path().join("deck.txt"), format!("{base}{more}")).unwrap();
        let arguments = ["deck.txt", "--banlist", "list.yaml", "--as-of", day];
        let run = decklaw(
            folder.path(),
            &[&["check", "-o", "json"][..], &arguments].concat(),
        );
        let fixed = decklaw(
            folder.path(),
            &[&["fix", "-o", "json"][..], &arguments].concat(),
        );
        let said = String::from_utf8(run.stdout).unwrap();
        let fixed = String::from_utf8(fixed.stdout).unwrap();
        (run.status.code(), said, fixed)
    };
    let (status, said, _) = check("", "2026-03-01");
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("\"as_of\": \"2026-03-01\""), "{said}");
    for (more, rule, told, distance) in [
        (
            "1 Match\n",
            "banned",
            "`Match` is banned (list lantern-winter, line 9)",
            1,
        ),
        (
            "3 Spark (old print)\n",
            "restricted",
            "5 copies of `Spark`; it is restricted to 4 (list lantern-winter, line 13)",
            1,
        ),
        (
            "1 Flood\n",
            "group-list",
            "2 wonders in the main deck (`Flood` and `Spark`); at most 1 allowed (list lantern-winter, line 22)",
            1,
        ),
        (
            "1 Fog\n",
            "group-list",
            "`Wick` cannot be in a deck with `Fog` (list lantern-winter, line 25)",
            1,
        ),
    ] {
        let (status, said, fixed) = check(more, "2026-03-01");
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains(&format!("\"rule\": \"{rule}\"")), "{said}");
        assert!(said.contains(told), "{told}: {said}");
        assert!(
            fixed.contains(&format!("\"distance\": {distance}")),
            "{more}: {fixed}"
        );
        assert!(fixed.contains("\"optimal\": true"), "{more}: {fixed}");
    }
    // By the card file the lamp asks for six more cards.
    let (status, said, _) = check("Lamp\n1 Long Night\n", "2026-03-01");
    let told = "by the list lantern-winter `Long Night` has size 1 (else 6)";
    assert!(said.contains(told), "{said}");
    assert_eq!(status, Some(0), "{said}");
    let (status, said, _) = check("", "2026-06-15");
    assert_eq!(status, Some(1), "{said}");
    let told = "`Wick` may not be played on 2026-06-15: ember was last legal on 2026-05-31, nor may another card of the same title (list lantern-winter)";
    assert!(said.contains(told), "{said}");
    // What nobody knows of a card is not guessed.
    let (_, said, _) = check("1 Wikc\n", "2026-03-01");
    assert_eq!(said.matches("\"severity\": \"error\"").count(), 1, "{said}");
    assert_eq!(said.matches("depend on `Wikc`").count(), 1, "{said}");
}

/// The setup, the odds and the figures of the manual, over its game: two decks are dealt, counted
/// and asked, and the match is dealt again.
#[test]
fn the_setup_and_the_figures_of_the_manual_do_what_it_says() {
    let folder = with_game();
    let told = |call: &[&str]| {
        let run = decklaw(folder.path(), call);
        let said = String::from_utf8(run.stdout).unwrap();
        let complained = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(0), "{call:?}: {said}{complained}");
        said
    };
    let said = told(&["formats", "check", "formats/lantern"]);
    for line in [
        "in order, 2 formats",
        "in order, 3 statistics",
        "in order, 3 presets",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert!(!said.contains("notice"), "{said}");
    let deck = |name: &str, cards: &str| {
        let text = format!("Format: lantern/night\n{cards}");
        std::fs::write(folder.path().join(name), text).unwrap();
    };
    deck(
        "ann.txt",
        "Leader\n1 Captain Ember\nMain\n3 Wick\n2 Flood\n3 Spark\n",
    );
    deck(
        "ben.txt",
        "Leader\n1 Captain Tide\nMain\n3 Flood\n1 Buoy\n2 Wick\nSide\n1 Fog\n",
    );
    // Every step up to the mulligans, by a choice and by lot.
    let options = [
        "--seed",
        "lantern",
        "--option",
        "lights=bright",
        "--to",
        "match.json",
    ];
    told(&[&["match", "new", "ann.txt", "ben.txt"], &options[..]].concat());
    let first = "{\"step\": \"first-player\", \"by\": \"choice\", \"seat\": \"B\"}";
    let said = told(&["match", "decide", "match.json", first]);
    std::fs::write(folder.path().join("match.json"), &said).unwrap();
    let dealt: serde_json::Value = serde_json::from_str(&said).unwrap();
    let seat = |seat: &str| &dealt["state"]["seats"][seat];
    let cards = |of: &str, zone: &str| seat(of)["zones"][zone].as_array().unwrap().len();
    assert_eq!((cards("B", "hand"), cards("A", "hand")), (3, 4), "{dealt}");
    assert_eq!((cards("B", "deck"), cards("A", "deck")), (3, 4), "{dealt}");
    assert_eq!(seat("A")["counters"]["oil"], 3);
    assert!(seat("A")["zones"].get("shore").is_some(), "{dealt}");
    assert_eq!(dealt["pending"][0]["step"], "mulligan", "{dealt}");
    told(&["match", "verify", "match.json"]);
    // By day nobody said how a match starts.
    let call = [
        "match",
        "new",
        "ann.txt",
        "ben.txt",
        "--format",
        "lantern/day",
    ];
    let run = decklaw(folder.path(), &call);
    assert_eq!(
        run.status.code(),
        Some(2),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    // Two Floods among eight cards: 1 - (C(6,3)/C(8,3))² with one mulligan.
    let said = told(&["odds", "ann.txt", "1+ \"Flood\""]);
    assert!(said.contains("171/196"), "{said}");
    // Three cards, one each from turn 2 on, and one more in turn 3: six by then.
    let said = told(&[
        "odds",
        "ann.txt",
        "1+ \"Flood\"",
        "--turns",
        "3",
        "--event",
        "beacon=2",
    ]);
    assert!(
        said.lines()
            .any(|line| line.trim_start().starts_with("3           6 ")),
        "{said}"
    );
    let said = told(&["stats", "ann.txt"]);
    for line in ["Oil curve", "Oil in all: 14 on 8 cards"] {
        assert!(said.contains(line), "{said}");
    }
}
