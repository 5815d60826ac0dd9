//! `decklaw stats` from outside.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use unicode_width::UnicodeWidthStr;

fn stats(arguments: &[&str], columns: &str) -> (i32, String, String) {
    let ran = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .arg("stats")
        .args(arguments)
        .env("DECKLAW_CONFIG", "tests/no-configuration")
        .env("COLUMNS", columns)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        ran.status.code().unwrap(),
        text(ran.stdout),
        text(ran.stderr),
    )
}

/// What a card file and a deck file say, counted by hand: copies in `main` by mana.
fn curve(deck: &Path) -> BTreeMap<i64, i64> {
    let mut cards = csv::Reader::from_path("formats/shell/cards.csv").unwrap();
    let head = cards.headers().unwrap().clone();
    let at = |name: &str| head.iter().position(|cell| cell == name).unwrap();
    let (name, mana) = (at("name"), at("mana"));
    let mut manas = BTreeMap::new();
    for row in cards.records() {
        let row = row.unwrap();
        if let Ok(number) = row[mana].parse::<i64>() {
            manas.insert(row[name].to_lowercase(), number);
        }
    }
    let mut curve = BTreeMap::new();
    let mut main = false;
    for line in std::fs::read_to_string(deck).unwrap().lines() {
        match line.split_once(' ') {
            Some((count, card)) if main && count.starts_with(|c: char| c.is_ascii_digit()) => {
                let copies: i64 = count.trim_end_matches('x').parse().unwrap();
                *curve.entry(manas[&card.trim().to_lowercase()]).or_insert(0) += copies;
            }
            _ if !line.is_empty() && !line.starts_with(|c: char| c.is_ascii_digit()) => {
                main = line.to_lowercase().starts_with("main");
            }
            _ => {}
        }
    }
    curve
}

#[test]
fn the_curve_and_the_mana_of_a_deck() {
    let deck = "decks/shell/ebb.txt";
    let (status, out, err) = stats(&[deck, "-o", "csv"], "80");
    assert_eq!((status, err.as_str()), (0, ""));
    let mut rows = BTreeMap::new();
    for row in csv::Reader::from_reader(out.as_bytes()).records() {
        let row = row.unwrap();
        assert_eq!(&row[0], deck);
        rows.insert((row[1].to_owned(), row[2].to_owned()), row[3].to_owned());
    }
    let row = |metric: &str, key: &str| {
        rows[&(metric.to_owned(), key.to_owned())]
            .parse::<f64>()
            .unwrap()
    };
    let by_hand = curve(Path::new(deck));
    for (mana, copies) in &by_hand {
        assert_eq!(
            row("curve", &mana.to_string()),
            *copies as f64,
            "mana {mana}"
        );
    }
    let copies: i64 = by_hand.values().sum();
    let mana: i64 = by_hand.iter().map(|(mana, copies)| mana * copies).sum();
    assert_eq!(row("cards", "main"), copies as f64);
    assert_eq!(row("mana.sum", ""), mana as f64);
    assert_eq!(row("mana.mean", ""), mana as f64 / copies as f64);
    // The rule of 100 points: green mana is 100 more than red in a legal deck.
    assert_eq!(row("green-mana.sum", "") - row("red-mana.sum", ""), 100.0);
}

#[test]
fn means_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let cards = folder.path().join("cards.csv");
    std::fs::write(&cards, "name,cost,house\nA,1,oak\nB,2,elm\nC,,elm\n").unwrap();
    let deck = folder.path().join("deck.txt");
    std::fs::write(&deck, "Format: any\n\nMain\n2 A\n4 B\n1 C\n3 Stranger\n").unwrap();
    let cards = format!("any={}", cards.display());
    let call = [deck.to_str().unwrap(), "--cards", &cards];
    let (status, out, _) = stats(&[&call[..], &["-o", "json"]].concat(), "80");
    assert_eq!(status, 0);
    let read: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(read["schema"], "decklaw/stats/1");
    let deck = &read["decks"][0];
    assert_eq!(
        (&deck["cards"]["main"], &deck["unknown"], &deck["different"]),
        (&10.into(), &3.into(), &4.into())
    );
    let metric = |id: &str| {
        let all = deck["metrics"].as_array().unwrap();
        all.iter()
            .find(|metric| metric["id"] == id)
            .unwrap()
            .clone()
    };
    let sum = metric("cost-sum");
    // 2·1 + 4·2 = 10 on 6 cards that have a cost.
    assert_eq!(
        (&sum["sum"], &sum["cards"], &sum["mean_fraction"]),
        (&10.into(), &6.into(), &"5/3".into())
    );
    let counts = serde_json::json!([{"key":"elm","value":5},{"key":"oak","value":2},{"key":"(unknown)","value":3}]);
    assert_eq!(metric("house")["counts"], counts);
    let counts = serde_json::json!([{"key":"1","value":2},{"key":"2","value":4},{"key":"(none)","value":1},{"key":"(unknown)","value":3}]);
    assert_eq!(metric("cost")["counts"], counts);
    let (_, out, _) = stats(&call, "80");
    assert!(out.contains("10 on 6 cards, mean 1.667 (5/3)"), "{out}");
}

#[test]
fn every_line_fits_every_terminal() {
    for columns in ["40", "57", "80", "120"] {
        for decks in [
            "decks/vanquishers",
            "decks/shell/ebb.txt",
            "decks",
            "decks/vastrix/travelling-pack.txt",
        ] {
            let (status, out, _) = stats(&[decks], columns);
            assert_eq!(status, 0, "{decks}");
            let width: usize = columns.parse().unwrap();
            for line in out.lines() {
                assert!(line.width() <= width, "{columns}: {line}");
            }
        }
    }
}

#[test]
fn an_unreadable_deck_leaves_the_others_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.txt"), "Format: shell\n\nMain\n2 Pip\n").unwrap();
    std::fs::write(path("b.txt"), "Format: shell\n\nHat\n2 Pip\n").unwrap();
    std::fs::write(path("c.txt"), "no format here\n").unwrap();
    std::fs::write(path("d.txt"), "Format: nothing\n\n1 A\n").unwrap();
    let (status, out, err) = stats(&[folder.path().to_str().unwrap(), "-o", "csv"], "80");
    assert_eq!(status, 1);
    assert!(
        out.contains("a.txt,cards,main,2,\n") && !out.contains("b.txt"),
        "{out}"
    );
    for name in ["b.txt: line 3", "c.txt", "d.txt"] {
        assert!(err.contains(name), "{name}: {err}");
    }
    let path = path("c.txt");
    let (status, _, err) = stats(&[path.to_str().unwrap()], "80");
    let message = "which format it is for";
    assert!(status == 1 && err.contains(message), "{err}");
}

#[test]
fn sections_are_chosen_and_must_exist() {
    let (status, out, _) = stats(
        &["decks/shell/ebb.txt", "--section", "sideboard", "-o", "csv"],
        "80",
    );
    assert!(
        status == 0 && out.contains(",cards,side,31,\n") && !out.contains(",cards,main,"),
        "{out}"
    );
    let (status, _, err) = stats(&["decks/shell/ebb.txt", "--section", "hat"], "80");
    assert!(
        status == 2 && err.contains("shells, main, extra and side"),
        "{err}"
    );
}

#[test]
fn pictures_and_sheets_hold_hostile_names() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("deck.txt");
    std::fs::write(
        &deck,
        "Format: any\nName: <script>\u{1b}[2J\n\n[=1+1]\n2 A\n",
    )
    .unwrap();
    let svg = folder.path().join("s.svg");
    let call = [
        deck.to_str().unwrap(),
        "--svg",
        svg.to_str().unwrap(),
        "-o",
        "csv-excel",
    ];
    let (status, out, _) = stats(&call, "80");
    assert!(status == 0 && out.contains(",'=1+1,2,\r\n"), "{out}");
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg ") && !svg.contains("<script>") && !svg.contains('\u{1b}'));
    let (_, out, _) = stats(&[deck.to_str().unwrap()], "80");
    assert!(!out.contains('\u{1b}'));
}

#[test]
fn every_game_declares_statistics_that_fit_it() {
    for game in std::fs::read_dir("decks").unwrap() {
        let folder = game.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        let (status, _, err) = stats(&[folder.to_str().unwrap(), "-q"], "80");
        // Other files in the folder are noted, and nothing else.
        let is_note = |line: &str| line.starts_with("note: ") && line.contains("no deck");
        assert_eq!(status, 0, "{}: {err}", folder.display());
        assert!(err.lines().all(is_note), "{}: {err}", folder.display());
    }
}

#[test]
fn keys_of_many_decks_stand_as_those_of_one() {
    let keys = |decks: &[&str]| -> Vec<String> {
        let (_, out, err) = stats(decks, "80");
        let lines = out
            .lines()
            .skip_while(|line| *line != "Top sides" && *line != "Top");
        let lines: Vec<&str> = lines
            .skip(1)
            .take_while(|line| line.starts_with("  "))
            .collect();
        assert!(!lines.is_empty(), "{out}{err}");
        let key = |line: &&str| line.split_whitespace().next().unwrap().to_owned();
        lines.iter().map(key).collect()
    };
    let order = [
        "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K",
    ];
    let decks = ["decks/versus/two-rivers.txt", "decks/versus/market-day.txt"];
    for decks in [&decks[..1], &decks] {
        let keys = keys(decks);
        let places: Vec<usize> = keys
            .iter()
            .filter_map(|key| {
                order
                    .iter()
                    .position(|known| known.eq_ignore_ascii_case(key))
            })
            .collect();
        assert!(places.len() > 3 && places.is_sorted(), "{keys:?}");
    }
}

#[test]
fn the_document_names_what_decided() {
    let call = ["decks/shell/ebb.txt", "-o", "json", "--as-of", "2026-02-03"];
    let (_, out, _) = stats(&call, "80");
    let read: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(read["as_of"], "2026-02-03");
    let cards = std::fs::read("formats/shell/cards.csv").unwrap();
    assert_eq!(
        read["rules"]["shell"]["cards"],
        decklaw::digest::sha256(&cards)
    );
}
