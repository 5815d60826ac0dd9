//! How long repairs take: 60 broken decks a format, over pools of 160 and of 2,000 cards.
//!
//! Prints the median, the 95th of 100 and the worst time in milliseconds, how many answers were
//! settled with proof, the time for the room of every card, and at the end the ten slowest repairs
//! with their reasons at `--effort 2`. `rough` decks are cards at random; `broken` ones were legal
//! before a few edits; `hard` ones have crowded extra and side decks, and some of them cannot be
//! fixed.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/repair/hard.rs"]
mod hard;
#[path = "../tests/repair/known.rs"]
mod known;
#[allow(dead_code)]
#[path = "../tests/repair/support.rs"]
mod support;

use decklaw::format::{Catalogue, Rulebook};
use decklaw::pool::{CardId, CardSet};
use decklaw::resolve::Decklist;
use decklaw::rules::Holding;
use decklaw::solve::{Advice, Repair, Rooms, Wish, Wishes, reasons, repair};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use support::Random;

fn rough(rulebook: &Arc<Rulebook>, random: &mut Random) -> Decklist {
    let mut deck = Decklist::empty(Arc::clone(rulebook));
    let cards: Vec<CardId> = deck.pool().ids().collect();
    let sections = deck.sections().len() as u16;
    for section in 0..sections {
        let shuffled = rulebook.format().game().sections()[usize::from(section)].shuffled;
        let lines = if shuffled { 20 + random.below(15) } else { 2 + random.below(8) };
        for _ in 0..lines {
            let card = cards[random.below(cards.len())];
            let copies = 1 + random.below(3) as i64;
            let holding = Holding { card, section, copies };
            // Few cards stand where they cannot be.
            if !rulebook.refuses(&holding) || random.below(20) == 0 {
                deck.add(section, card, copies);
            }
        }
    }
    deck
}

/// One to three copies of every card that the first shuffled section takes.
fn everything(rulebook: &Arc<Rulebook>, random: &mut Random) -> Decklist {
    let empty = Decklist::empty(Arc::clone(rulebook));
    let sections = rulebook.format().game().sections();
    let section = sections.iter().position(|section| section.shuffled).unwrap() as u16;
    let all = empty.pool().ids().map(|card| Holding {
        card,
        section,
        copies: 1 + random.below(3) as i64,
    });
    empty.holding(all.filter(|held| !rulebook.refuses(held)))
}

fn broken(legal: &Decklist, random: &mut Random) -> Decklist {
    let mut deck = legal.clone();
    let cards: Vec<CardId> = deck.pool().ids().collect();
    for _ in 0..3 + random.below(10) {
        let held: Vec<Holding> = deck.holdings().collect();
        let one = held[random.below(held.len())];
        match random.below(4) {
            0 => deck.add(one.section, one.card, -1),
            1 => deck.add(one.section, one.card, 1 + random.below(3) as i64),
            2 => deck.set(one.section, one.card, 0),
            _ => {
                let section = random.below(deck.sections().len()) as u16;
                deck.add(section, cards[random.below(cards.len())], 1);
            }
        }
    }
    deck
}

/// Does work, and returns the seconds that it took.
fn clocked<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed().as_secs_f64())
}

fn report(what: &str, mut times: Vec<f64>, proven: usize) {
    times.sort_by(f64::total_cmp);
    let count = times.len();
    let at = |part: f64| times[((count as f64 * part) as usize).min(count - 1)];
    println!("{what:<58} {:>8.2} {:>8.2} {:>8.2}   {proven}/{count}", at(0.5), at(0.95), at(1.0));
}

/// Repairs decks as `fix` does, reports the times, and returns the legal decks.
fn timed(what: &str, decks: Vec<Decklist>, slowest: &mut Vec<(f64, String)>) -> Vec<Decklist> {
    let (mut times, mut proven, mut legal) = (Vec::new(), 0, Vec::new());
    for (number, deck) in decks.into_iter().enumerate() {
        let wishes =
            Wishes { advice: Advice::AtNoCost, taste: Some(Arc::default()), ..Wishes::default() };
        let (solved, seconds) = clocked(|| {
            let solved = repair(&deck, &wishes);
            if let Repair::Found(found) = &solved {
                reasons(&deck, &found.deck, &wishes);
            }
            solved
        });
        times.push(seconds * 1000.0);
        slowest.push((seconds, format!("{what}, number {number}")));
        match solved {
            Repair::Found(found) => {
                assert!(found.deck.is_legal());
                proven += usize::from(found.optimal());
                legal.push(found.deck);
            }
            Repair::Impossible(conflict) => proven += usize::from(conflict.irreducible),
            Repair::Unknown => {}
        }
    }
    report(what, times, proven);
    legal
}

/// Totals that no search settles, at the default effort: the time that a person waits at most.
fn unsettled(rulebook: &Arc<Rulebook>, random: &mut Random, slowest: &mut Vec<(f64, String)>) {
    let totals = |random: &mut Random| {
        let each = ["red", "green", "blue"].map(|colour| {
            let exactly = 50 + random.below(30);
            format!("sum(mana) [colour:{colour}] = {exactly}")
        });
        Wish::parse(&each.join(" and "), rulebook).unwrap()
    };
    let mut times = Vec::new();
    for _ in 0..6 {
        let wishes = Wishes {
            prefer: (0..3).map(|_| totals(random)).collect(),
            advice: Advice::First,
            ..Wishes::default()
        };
        let (solved, seconds) = clocked(|| repair(&Decklist::empty(Arc::clone(rulebook)), &wishes));
        times.push(seconds * 1000.0);
        slowest.push((seconds, "totals that no search settles".to_owned()));
        assert!(!matches!(solved, Repair::Impossible(_)));
    }
    report("totals that no search settles, effort 2", times, 0);
}

/// The built-in cards, again and again under other names and with cells of other cards, until
/// there are so many.
fn larger_pool(bytes: &[u8], size: usize, random: &mut Random) -> Vec<u8> {
    let mut table = csv::Reader::from_reader(bytes);
    let header = table.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(&header).unwrap();
    for at in 0..size {
        let record = &records[at % records.len()];
        let mut cells: Vec<String> = record.iter().map(str::to_owned).collect();
        if at >= records.len() {
            cells[0] = format!("{} {}", cells[0], at / records.len());
            for other in ["mana", "colour", "unique"] {
                let column = header.iter().position(|name| name == other);
                let like = &records[random.below(records.len())];
                if let Some(column) = column.filter(|_| like.get(1) == record.get(1)) {
                    cells[column] = like[column].to_owned();
                }
            }
        }
        out.write_record(&cells).unwrap();
    }
    out.into_inner().unwrap()
}

fn main() {
    println!("{:<58} {:>8} {:>8} {:>8}   proven", "milliseconds", "median", "95 %", "worst");
    let mut slowest = Vec::new();
    let decks: Vec<Decklist> = (0..hard::HARD).map(hard::deck).collect();
    timed("shell, 40 to 500 cards, hard", decks, &mut slowest);
    for game in known::GAMES {
        for size in [160, 2000, 35_000] {
            // Tens of thousands of cards are what one of them has.
            if size > 2000 && game != "commander" {
                continue;
            }
            let mut random = Random::new(size as u64);
            let rulebook = known::rulebook(game, size, &mut random);
            let whole = known::legal(&rulebook, 1);
            let count = if size > 2000 { 8 } else { 40 };
            let decks: Vec<Decklist> =
                (0..count).map(|at| known::edited(&whole, 1 + at % 12, &mut random)).collect();
            timed(&format!("{game}, {size} cards"), decks, &mut slowest);
        }
    }
    let catalogue = Catalogue::built_in();
    let mut random = Random::new(20_000);
    let shell = catalogue.format("shell").unwrap();
    let (_, bytes) = catalogue.cards("shell").unwrap();
    let cards = larger_pool(bytes, 20_000, &mut random);
    let pool = Arc::new(shell.game().read_cards(&cards).unwrap());
    let rulebook = Arc::new(Rulebook::new(&shell, pool, None, &BTreeMap::new()).unwrap());
    let whole = vec![everything(&rulebook, &mut random)];
    timed("shell, a list of 20,000 cards", whole, &mut slowest);
    let formats = [
        "shell",
        "vainqueur",
        "versus/fast",
        "versus/vs-shared",
        "vanquishers",
        "vanquishers/competitive-advanced",
    ];
    for id in formats {
        for size in [160, 2000] {
            let mut random = Random::new(size as u64 + 7);
            let format = catalogue.format(id).unwrap();
            let (_, bytes) = catalogue.cards(format.game().id()).unwrap();
            let cards = larger_pool(bytes, size, &mut random);
            let pool = Arc::new(format.game().read_cards(&cards).unwrap());
            let mut settings = BTreeMap::new();
            if id == "vainqueur" {
                for (name, value) in [("min", "40"), ("max", "60"), ("copies", "3")] {
                    settings.insert(name.to_owned(), value.to_owned());
                }
            }
            let rulebook = Arc::new(Rulebook::new(&format, pool, None, &settings).unwrap());
            if id == "shell" {
                unsettled(&rulebook, &mut random, &mut slowest);
            }
            let decks: Vec<Decklist> = (0..60).map(|_| rough(&rulebook, &mut random)).collect();
            let what = format!("{id}, {size} cards");
            let sound = timed(&format!("{what}, rough"), decks, &mut slowest);
            let mut times = Vec::new();
            let decks: Vec<Decklist> =
                (0..60).map(|at| broken(&sound[at % sound.len()], &mut random)).collect();
            for deck in &decks {
                let all = CardSet::of(deck.pool().len(), |_| true);
                let (rooms, seconds) = clocked(|| Rooms::of(deck).all(&all));
                times.push(seconds * 1000.0);
                assert!(!rooms.is_empty());
            }
            timed(&format!("{what}, broken"), decks, &mut slowest);
            report(&format!("{what}, room of all"), times, 0);
        }
    }
    slowest.sort_by(|one, other| other.0.total_cmp(&one.0));
    println!("the slowest repairs at --effort 2, in seconds");
    for (seconds, what) in slowest.iter().take(10) {
        println!("{seconds:>8.2}  {what}");
    }
}
