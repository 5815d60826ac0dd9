//! Games as many people know them, over invented cards: a commander and her colours, houses and an
//! agenda, clans with influence, two regions, heroes of a class, sixty cards and a side deck,
//! monsters and energy. Their rules are in `known/`.

use super::support::Random;
use decklaw::format::{Format, Game, Rulebook};
use decklaw::pool::{CardId, Field, FieldKind};
use decklaw::resolve::Decklist;
use decklaw::rules::Holding;
use decklaw::solve::{Repair, Wishes, repair};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// The games, by the names of their files.
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
    let text = std::fs::read_to_string(format!("tests/repair/known/{game}.yaml")).unwrap();
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
