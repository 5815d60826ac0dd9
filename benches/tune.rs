//! How long it takes to find the best change of up to five cards for a hand's odds: every legal
//! sample deck that hands are drawn from, for each preset of its game, over the built-in cards
//! and over pools of 2,000.
//!
//! Prints the median, the 95th of 100 and the worst time in milliseconds, and how many answers
//! were proven best at every step. The goals are 200 ms in the median over the built-in cards,
//! and 2 s over 2,000.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod larger;
#[allow(dead_code)]
#[path = "../tests/repair/support.rs"]
mod support;

use decklaw::format::Catalogue;
use decklaw::format::Rulebook;
use decklaw::odds::{Asked, HandQuery, OddsDefaults, Population, request};
use decklaw::resolve::Decklist;
use decklaw::solve::Wishes;
use decklaw::solve::tune::{Ranking, Tuning, tune};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use support::Random;

/// The most cards that go and that come.
const CHANGES: u32 = 5;

/// The legal sample decks of a game: format, holdings by section and folded name.
fn samples(game: &str) -> Vec<Decklist> {
    let judge = support::judge();
    let mut files: Vec<_> = std::fs::read_dir(format!("decks/{game}"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect();
    files.sort();
    let read = files.iter().filter_map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        support::read(&judge, &text)
    });
    read.filter(Decklist::is_legal).collect()
}

/// The same deck over a larger pool that begins with the same cards.
fn over(deck: &Decklist, rulebook: &Arc<Rulebook>) -> Decklist {
    let mut moved = Decklist::empty(Arc::clone(rulebook));
    for held in deck.holdings().filter(|held| deck.knows(held.card)) {
        let card = moved.pool().find(deck.name(held.card)).unwrap();
        moved.set(held.section, card, held.copies);
    }
    moved
}

fn report(what: &str, mut times: Vec<f64>, proven: usize) {
    times.sort_by(f64::total_cmp);
    let count = times.len();
    if count == 0 {
        println!("{what:<44} nothing to tune");
        return;
    }
    let at = |part: f64| times[((count as f64 * part) as usize).min(count - 1)];
    println!(
        "{what:<44} {:>9.1} {:>9.1} {:>9.1}   {proven}/{count}",
        at(0.5),
        at(0.95),
        at(1.0)
    );
}

/// Tunes each deck for each preset that can be asked of it.
fn timed(what: &str, decks: &[Decklist], defaults: &OddsDefaults) {
    let (mut times, mut proven) = (Vec::new(), 0);
    for deck in decks {
        let game = deck.rulebook().format().game();
        let first = game.section_names().first;
        let section = defaults.section.as_ref().map_or(first, |own| &own.value);
        let Some(section) = deck.section(section) else {
            continue;
        };
        let Ok(population) = Population::of_list(deck, usize::from(section)) else {
            continue;
        };
        for preset in &defaults.presets {
            let Some(text) = &preset.query else {
                continue;
            };
            let query = HandQuery::parse(&text.value).unwrap();
            if decklaw::odds::check(&query, &population).is_err() {
                continue;
            }
            let Ok(request) = request(&population, defaults, &Asked::default(), None) else {
                continue;
            };
            let tuning = Tuning {
                section,
                queries: vec![query],
                ranking: Ranking::InOrder,
                request,
                changes: CHANGES,
                wishes: Wishes::default(),
            };
            let start = Instant::now();
            let tuned = tune(deck, &tuning).unwrap();
            times.push(start.elapsed().as_secs_f64() * 1000.0);
            proven += usize::from(tuned.steps.iter().all(|step| step.optimal));
        }
    }
    report(what, times, proven);
}

fn main() {
    println!(
        "{:<44} {:>9} {:>9} {:>9}   proven",
        "milliseconds", "median", "95 %", "worst"
    );
    let catalogue = Catalogue::built_in();
    for game in ["shell", "versus", "vanquishers", "vainqueur", "vastrix"] {
        let Some(bytes) = catalogue.file(game, "odds.yaml") else {
            continue;
        };
        let defaults = OddsDefaults::read(&String::from_utf8_lossy(bytes)).unwrap();
        let decks = samples(game);
        timed(&format!("{game}, built-in cards"), &decks, &defaults);
        let Some((_, bytes)) = catalogue.cards(game) else {
            continue;
        };
        let mut random = Random::new(11);
        let cards = larger::pool(bytes, 2000, &mut random);
        let mut larger = Vec::new();
        for deck in &decks {
            let format = deck.rulebook().format();
            let pool = Arc::new(format.game().read_cards(&cards).unwrap());
            let settings = BTreeMap::new();
            let rulebook = Arc::new(Rulebook::new(format, pool, None, &settings).unwrap());
            larger.push(over(deck, &rulebook));
        }
        larger.retain(Decklist::is_legal);
        timed(&format!("{game}, 2,000 cards"), &larger, &defaults);
    }
}
