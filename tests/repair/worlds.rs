//! Decks, games and pools for these tests and for the bench: decks that are read, hard repairs, and
//! games as many people know them.

use crate::common::{Random, table_text};
use decklaw::banlist::Lists;
use decklaw::deck::{self, Input};
use decklaw::format::{Catalogue, Format, Game, Rulebook};
use decklaw::judge::Judge;
use decklaw::pool::{CardId, Field, FieldKind};
use decklaw::resolve::Decklist;
use decklaw::rules::Holding;
use decklaw::solve::{Repair, Wishes, repair};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// A judge with the built-in games, on a fixed day.
pub(crate) fn judge() -> Judge {
    let day = "2026-06-01".parse().unwrap();
    Judge::new(Catalogue::built_in(), Lists::default(), day)
}

/// Reads a deck in the native dialect.
pub(crate) fn read(judge: &Judge, text: &str) -> Option<Decklist> {
    let draft = deck::Draft::of(text.as_bytes(), Input::Text).ok()?;
    let rulebook = judge.rulebook(draft.format()?).ok()?;
    let deck = draft.read(rulebook.format().game().section_names()).ok()?;
    Some(Decklist::of(&deck, Arc::clone(&rulebook)))
}

// Hard repairs: Shell decks with crowded extra and side decks over random pools, made again from their
// numbers whenever they are wanted. Some of them cannot be repaired at all: all mana even, or of 3 and 6
// alone, and fewer cards than an extra deck asks for.

/// How many hard repairs there are, numbered from 0.
pub(crate) const HARD: u64 = 240;

const COLOURS: [&str; 5] = ["green", "red", "blue", "green", "colourless"];

/// The deck of a number.
pub(crate) fn hard(number: u64) -> Decklist {
    let mut random = Random::new(1_000 + number);
    let mana: &[usize] = match number % 5 {
        0 | 1 => &[1, 2, 3, 4, 5, 6, 7, 8, 9],
        2 => &[3, 6],
        3 => &[2, 4, 6, 8],
        _ => &[0, 1, 2, 3, 4, 5, 6],
    };
    let spells = [40, 90, 200, 500][random.below(4)];
    let mut cards = "name,type,colour,mana,viable,text,set\n".to_owned();
    for colour in &COLOURS[..3] {
        for at in 0..3 {
            let _ = writeln!(cards, "{colour} Shell {at},shell,{colour},,,,");
        }
    }
    for at in 0..spells {
        let colour = COLOURS[random.below(5)];
        let mana = mana[random.below(mana.len())];
        let _ = writeln!(cards, "Card {at:04},spell,{colour},{mana},,,");
    }
    let format = Catalogue::built_in().format("shell").unwrap();
    let pool = Arc::new(format.game().read_cards(cards.as_bytes()).unwrap());
    let rulebook = Rulebook::new(&format, pool, None, &BTreeMap::new()).unwrap();
    let mut deck = Decklist::empty(Arc::new(rulebook));
    let ids: Vec<CardId> = deck.pool().ids().collect();
    let crowded = [
        ("main", 30 + random.below(30), 4),
        ("extra", 8 + random.below(12), 1 + random.below(2)),
        ("side", 8 + random.below(12), 4),
        ("shells", random.below(5), 1),
    ];
    for (section, lines, most) in crowded {
        let section = deck.section(section).unwrap();
        for _ in 0..lines {
            let card = ids[random.below(ids.len())];
            deck.set(section, card, 1 + random.below(most) as i64);
        }
    }
    deck
}

// Games as many people know them, over invented cards: a commander and her colours, houses and an agenda,
// clans with influence, two regions, heroes of a class, sixty cards and a side deck, monsters and energy.
// Their rules are in `tables.txt`.

/// The games, by their names.
pub(crate) const GAMES: [&str; 6] =
    ["commander", "clans", "regions", "heroes", "constructed", "monsters"];

/// What stands in a card's cell.
fn cell(field: &Field, card: usize, random: &mut Random) -> String {
    let one = |values: &[decklaw::pool::Value], random: &mut Random| {
        values[random.below(values.len())].written.clone()
    };
    match &field.kind {
        // Of each type there are some.
        FieldKind::Word { values, .. } if field.name == "type" && card < 6 * values.len() => {
            values[card % values.len()].written.clone()
        }
        FieldKind::Word { values, .. } if values.len() == 1 => match random.below(5) {
            0 => values[0].written.clone(),
            _ => String::new(),
        },
        // Mostly those of which decks have most.
        FieldKind::Word { values, .. } if field.name == "type" && random.below(2) == 0 => {
            values[values.len() - 1].written.clone()
        }
        FieldKind::Word { values, .. } => one(values, random),
        FieldKind::List { values } => match random.below(6) {
            0 => format!("{};{}", one(values, random), one(values, random)),
            _ => one(values, random),
        },
        FieldKind::Number { .. } if field.name == "limit" => match random.below(8) {
            0 => "99".to_owned(),
            _ => String::new(),
        },
        FieldKind::Number { .. } => random.below(4).to_string(),
        FieldKind::Text | FieldKind::Query => String::new(),
    }
}

/// A game's rules over so many cards.
pub(crate) fn rulebook(game: &str, cards: usize, random: &mut Random) -> Arc<Rulebook> {
    let text = table_text(&format!("known game {game}"));
    let game = Arc::new(Game::read("known.yaml", &text).unwrap());
    let mut csv = String::from("name");
    for field in game.fields() {
        let _ = write!(csv, ",{}", field.name);
    }
    csv.push('\n');
    for card in 0..cards {
        let _ = write!(csv, "Card {card}");
        for field in game.fields() {
            let _ = write!(csv, ",{}", cell(field, card, random));
        }
        csv.push('\n');
    }
    let format: Format = game.formats().into_iter().next().unwrap();
    let pool = Arc::new(game.read_cards(csv.as_bytes()).unwrap());
    Arc::new(Rulebook::new(&format, pool, None, &BTreeMap::new()).unwrap())
}

/// A legal deck of a game.
pub(crate) fn legal(rulebook: &Arc<Rulebook>, seed: usize) -> Decklist {
    let wishes = Wishes { shaped: true, seed: Some(seed.to_string()), ..Wishes::default() };
    match repair(&Decklist::empty(Arc::clone(rulebook)), &wishes) {
        Repair::Found(found) => found.deck,
        none => panic!("{none:?}"),
    }
}

/// The deck after some edits: copies more and fewer, and other cards in the place of some.
pub(crate) fn edited(deck: &Decklist, edits: usize, random: &mut Random) -> Decklist {
    let mut edited = deck.clone();
    let cards: Vec<CardId> = deck.pool().ids().collect();
    for _ in 0..edits {
        let held: Vec<Holding> = edited.holdings().collect();
        let one = held[random.below(held.len())];
        match random.below(4) {
            0 => edited.add(one.section, one.card, -1),
            1 => edited.add(one.section, one.card, 1 + random.below(3) as i64),
            2 => edited.add(one.section, cards[random.below(cards.len())], 1),
            _ => {
                edited.set(one.section, one.card, 0);
                edited.add(one.section, cards[random.below(cards.len())], one.copies);
            }
        }
    }
    edited
}
