//! Small games: the rules of the built-in formats with small numbers, and invented cards.

use crate::support::Random;
use decklaw::banlist::Banlist;
use decklaw::format::{Format, Game, Rulebook};
use decklaw::pool::CardId;
use decklaw::resolve::Decklist;
use decklaw::rules::Holding;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// The ids of the formats for which there are small games.
pub(crate) const FORMATS: [&str; 8] = [
    "shell",
    "vainqueur",
    "versus/normal",
    "versus/fast-shared",
    "vanquishers",
    "vanquishers/advanced",
    "vanquishers/competitive-advanced",
    "vastrix",
];

/// A format's rules with small numbers, over a random pool.
pub(crate) fn rulebook(format: &str, random: &mut Random) -> Arc<Rulebook> {
    rulebook_with(format, random, &|_, _| true)
}

/// The same, where only those rules are errors that `counts` lets be, by id and by what they
/// are about; the others are advice or ask for nothing, and a banlist's are left out.
pub(crate) fn rulebook_with(
    format: &str,
    random: &mut Random,
    counts: &dyn Fn(&str, &str) -> bool,
) -> Arc<Rulebook> {
    let game = format.split('/').next().unwrap();
    let smaller: &[(&str, &str)] = match game {
        "shell" => &[
            ("start: 100", "start: 8"),
            ("one-of: [0, 15]", "one-of: [0, 3]"),
            ("max: 10\n        plus", "max: 1\n        plus"),
            ("per: 12", "per: 3"),
        ],
        "versus" => &[("size: 30", "size: 6"), ("size: 40", "size: 5")],
        "vanquishers" => &[
            ("min: 30", "min: 4"),
            ("min: 45", "min: 5"),
            ("max: 70", "max: 7"),
        ],
        _ => &[],
    };
    let mut text = std::fs::read_to_string(format!("formats/{game}/game.yaml")).unwrap();
    for (large, small) in smaller {
        assert!(text.contains(large), "{game}: {large}");
        text = text.replace(large, small);
    }
    let rules = text.find("\nrules:").unwrap();
    for rule in text.clone()[rules..].split("\n  - id: ").skip(1) {
        let id = rule.lines().next().unwrap();
        let about = rule
            .lines()
            .find_map(|line| line.strip_prefix("    about: "));
        let about = about.map_or("", |about| about.trim_matches('"'));
        if !rule.contains("\n    severity:") && !counts(id, about) {
            let weaker = match rule.split_once("\n        cards: ") {
                // A card that is refused takes no part in other rules, so all are let in.
                Some((begins, rest)) if id == "accepts" => {
                    let (_, rest) = rest.split_once('\n').unwrap();
                    format!("{begins}\n        cards: \"\"\n{rest}")
                }
                _ => rule.replacen('\n', "\n    severity: warning\n", 1),
            };
            text = text.replacen(rule, &weaker, 1);
        }
    }
    let game_file = Arc::new(Game::read("small.yaml", &text).unwrap());
    let format: Format = game_file
        .formats()
        .into_iter()
        .find(|known| known.id() == format)
        .unwrap();
    let pool = game_file
        .read_cards(cards(game, random).as_bytes())
        .unwrap();
    let settings: BTreeMap<String, String> = match game {
        "vainqueur" => [("min", "4"), ("max", "6"), ("copies", "2")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        _ => BTreeMap::new(),
    };
    let list = (game != "vastrix" && random.below(2) == 0)
        .then(|| Arc::new(list(game, random, &|id| counts(id, ""))));
    Arc::new(Rulebook::new(&format, Arc::new(pool), list, &settings).unwrap())
}

fn list(game: &str, random: &mut Random, counts: &dyn Fn(&str) -> bool) -> Banlist {
    let mut text = format!(
        "schema: decklaw/banlist/1\nid: small\ngame: {game}\nname: Small\neffective: 2020-01-01\nsample: true\n"
    );
    let banned = random.below(9);
    if counts("banned") {
        let _ = writeln!(text, "banned: [Card {banned}]");
    }
    if counts("restricted") {
        text.push_str("restricted:\n  - {name: Card 9, copies: 1}\n");
    }
    if counts("points-list") {
        text.push_str("points:\n  limit: 2\n  cards:\n    - {name: Card 10, points: 1}\n    - {name: Card 11, points: 2}\n");
    }
    Banlist::read("small.yaml", text.as_bytes()).unwrap()
}

fn cards(game: &str, random: &mut Random) -> String {
    let mut csv = String::new();
    match game {
        "shell" => {
            csv.push_str("name,type,colour,mana\n");
            for (name, colour) in [
                ("Red", "red"),
                ("Green", "green"),
                ("Blue", "blue"),
                ("Rose", "red"),
            ] {
                let _ = writeln!(csv, "{name} Shell,shell,{colour},");
            }
            for card in 0..8 + random.below(5) {
                let colour = ["green", "green", "red", "blue"][random.below(4)];
                let mana = [0, 1, 1, 2, 3, 4, 6, 7][random.below(8)];
                let kind = if random.below(12) == 0 {
                    "token"
                } else {
                    "spell"
                };
                let _ = writeln!(csv, "Card {card},{kind},{colour},{mana}");
            }
        }
        "versus" => {
            csv.push_str("name,type\n");
            for card in 0..4 + random.below(8) {
                let kind = ["character", "item", "trap"][random.below(3)];
                let _ = writeln!(csv, "Card {card},{kind}");
            }
        }
        "vainqueur" => {
            csv.push_str("name,type\n");
            for card in 0..3 + random.below(9) {
                let _ = writeln!(csv, "Card {card},monster");
            }
        }
        "vanquishers" => {
            csv.push_str("name,type,kind,unique,energy,energies,allows\n");
            for hero in 0..1 + random.below(3) {
                let allows = [
                    "",
                    "type:ability",
                    "-type:weapon",
                    "type:(weapon ammunition energy-class)",
                ];
                let energies = ["solar", "arc;dark", "dark", "solar;arc"];
                let _ = writeln!(
                    csv,
                    "Hero {hero},hero,,,,{},{}",
                    energies[random.below(4)],
                    allows[random.below(4)]
                );
            }
            for card in 0..6 + random.below(6) {
                let (kind, energy) = match random.below(5) {
                    0 => ("weapon", ""),
                    1 => ("ammunition", ""),
                    2 => ("energy-class", ["solar", "arc", "dark"][random.below(3)]),
                    _ => ("ability", ""),
                };
                let unique = random.below(4) == 0;
                let _ = writeln!(csv, "Card {card},{kind},,{unique},{energy},,");
            }
        }
        _ => {
            csv.push_str("name,rank,suit,colour,points\n");
            for card in 0..4 + random.below(5) {
                let _ = writeln!(csv, "Card {card},joker,,red,1");
            }
        }
    }
    csv
}

/// The places where a card may be at all, or is.
pub(crate) fn slots(deck: &Decklist) -> Vec<(u16, CardId)> {
    let sections = deck.sections().len() as u16;
    let mut slots = Vec::new();
    for card in deck.pool().ids() {
        for section in 0..sections {
            let holding = Holding {
                card,
                section,
                copies: 1,
            };
            if deck.copies(section, card) > 0 || !deck.rulebook().refuses(&holding) {
                slots.push((section, card));
            }
        }
    }
    slots
}

/// A deck of a few cards anywhere.
pub(crate) fn garbage(rulebook: &Arc<Rulebook>, random: &mut Random) -> Decklist {
    let mut deck = Decklist::empty(Arc::clone(rulebook));
    let cards: Vec<CardId> = deck.pool().ids().collect();
    let sections = deck.sections().len();
    for _ in 0..random.below(9) {
        let card = cards[random.below(cards.len())];
        deck.add(
            random.below(sections) as u16,
            card,
            1 + random.below(3) as i64,
        );
    }
    deck
}

/// A deck with a few copies more or fewer.
pub(crate) fn mutated(deck: &Decklist, edits: usize, random: &mut Random) -> Decklist {
    let mut changed = deck.clone();
    let cards: Vec<CardId> = deck.pool().ids().collect();
    for _ in 0..edits {
        let held: Vec<Holding> = changed.holdings().collect();
        if random.below(2) == 0 && !held.is_empty() {
            let one = held[random.below(held.len())];
            changed.add(one.section, one.card, -1);
        } else {
            let section = random.below(deck.sections().len()) as u16;
            changed.add(section, cards[random.below(cards.len())], 1);
        }
    }
    changed
}
