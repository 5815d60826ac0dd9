//! How fast odds are found, deck and query being prepared each time.

#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use decklaw::odds::{self, *};
use decklaw::pool::{NameField, Pool};
use std::hint::black_box;

/// Groups `g0`, `g1`… with so many copies each, and other cards up to a deck's size.
struct Deck {
    pool: Pool,
    copies: Vec<(String, u32)>,
}

impl Deck {
    fn new(groups: &[u32], size: u32) -> Deck {
        let named = groups.iter().enumerate();
        let mut copies: Vec<(String, u32)> =
            named.map(|(at, copies)| (format!("g{at}"), *copies)).collect();
        copies.push(("other".to_owned(), size - groups.iter().sum::<u32>()));
        let pool = Pool::of_names(copies.iter().map(|(name, _)| name.as_str()));
        Deck { pool, copies }
    }

    fn population(&self) -> Population<'_> {
        let cards = self.copies.iter();
        let cards = cards.map(|(name, copies)| {
            (self.pool.look_up(name, NameField::Name).card().unwrap(), *copies)
        });
        Population::new(&self.pool, cards, 0).unwrap()
    }
}

fn joined(parts: impl Iterator<Item = String>, word: &str) -> String {
    parts.collect::<Vec<_>>().join(word)
}

fn asked(criterion: &mut Criterion) {
    let request = |hand, draws, policy| Request {
        hand,
        policy,
        given: None,
        draws,
        turns: vec![],
        work: DEFAULT_WORK,
        memory: DEFAULT_MEMORY,
    };
    let none = || Policy { mulligan: Mulligan::None, limit: 0, bottom: vec![], keep: Keep::Goal };
    let pairs = (0..4).map(|at| format!("(1+ \"g{}\" and 1+ \"g{}\")", 2 * at, 2 * at + 1));
    let combos = (0..9).map(|at| format!("(1+ \"g{}\" and 1+ \"g{}\")", at, 17 - at));
    let all = "1+ \"g0\" and 1+ \"g1\" and 1- \"g2\" and 1- \"g3\" and 1- \"g4\" and no \"g5\" and 1+ \"g6\" and 1..3 \"g7\"";
    let best =
        Policy { mulligan: Mulligan::Aside, limit: 3, bottom: vec![0, 0, 1, 2], keep: Keep::Best };
    let eight = || Deck::new(&[4, 4, 4, 4, 3, 3, 8, 10], 60);
    let cases = [
        ("conjunction of 8 groups, 7 of 60", eight(), all.to_owned(), request(7, 0, none())),
        (
            "8 groups in 4 or-clauses, 7 of 60",
            eight(),
            joined(pairs, " or "),
            request(7, 0, none()),
        ),
        (
            "union of 9 two-card combos, 17 of 40",
            Deck::new(&[2; 18], 40),
            joined(combos, " or "),
            request(17, 0, none()),
        ),
        (
            "3 mulligans with bottoms and 3 draws, best keep, 4 groups, 7 of 60",
            Deck::new(&[4, 6, 8, 10], 60),
            "1+ \"g0\" and 1+ \"g1\" or 2+ \"g2\" and 1+ \"g3\"".to_owned(),
            request(7, 3, best),
        ),
    ];
    for (name, deck, query, request) in cases {
        let (population, query) = (deck.population(), HandQuery::parse(&query).unwrap());
        criterion.bench_function(name, |bench| {
            bench.iter(|| odds::ask(&population, black_box(&query), &request).unwrap());
        });
    }
}

criterion_group!(benches, asked);
criterion_main!(benches);
