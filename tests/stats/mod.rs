//! `decklaw stats` from outside.

use crate::common::{command, root, text};
use std::collections::BTreeMap;
use std::path::Path;

fn stats(arguments: &[&str], columns: &str) -> (i32, String, String) {
    let mut call = command(root(), &[&["stats"], arguments].concat());
    let ran = call.env("COLUMNS", columns).output().unwrap();
    let status = ran.status.code().unwrap();
    (status, text(&ran.stdout), text(&ran.stderr))
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
        // A row is about a section or about a key.
        let about = format!("{}{}", &row[4], &row[6]);
        rows.insert((row[5].to_owned(), about), row[7].to_owned());
    }
    let row = |metric: &str, key: &str| {
        rows[&(metric.to_owned(), key.to_owned())].parse::<f64>().unwrap()
    };
    let by_hand = curve(Path::new(deck));
    for (mana, copies) in &by_hand {
        assert_eq!(row("curve", &mana.to_string()), *copies as f64, "mana {mana}");
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
fn keys_of_many_decks_stand_as_those_of_one() {
    let keys = |decks: &[&str]| -> Vec<String> {
        let (_, out, err) = stats(decks, "80");
        let lines = out.lines().skip_while(|line| *line != "Top sides" && *line != "Top");
        let lines: Vec<&str> = lines.skip(1).take_while(|line| line.starts_with("  ")).collect();
        assert!(!lines.is_empty(), "{out}{err}");
        let key = |line: &&str| line.split_whitespace().next().unwrap().to_owned();
        lines.iter().map(key).collect()
    };
    let order = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
    let decks = ["decks/versus/two-rivers.txt", "decks/versus/market-day.txt"];
    for decks in [&decks[..1], &decks] {
        let keys = keys(decks);
        let places: Vec<usize> = keys
            .iter()
            .filter_map(|key| order.iter().position(|known| known.eq_ignore_ascii_case(key)))
            .collect();
        assert!(places.len() > 3 && places.is_sorted(), "{keys:?}");
    }
}
