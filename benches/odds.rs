//! How fast odds are found on a prepared deck and query.

#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use decklaw::odds::{self, *};
use decklaw::pool::Pool;
use std::hint::black_box;

/// Groups `g0`, `g1`… with so many copies each, and other cards up to a deck's size.
struct Deck {
    pool: Pool,
    copies: Vec<(String, u32)>,
}

impl Deck {
    fn new(groups: &[u32], size: u32) -> Deck {
        let named = groups.iter().enumerate();
        let mut copies: Vec<(String, u32)> = named
            .map(|(at, copies)| (format!("g{at}"), *copies))
            .collect();
        copies.push(("other".to_owned(), size - groups.iter().sum::<u32>()));
        let pool = Pool::of_names(copies.iter().map(|(name, _)| name.as_str()));
        Deck { pool, copies }
    }

    fn population(&self) -> Population<'_> {
        let cards = self.copies.iter();
        let cards = cards.map(|(name, copies)| (self.pool.find(name).unwrap(), *copies));
        Population::new(&self.pool, cards, 0).unwrap()
    }

    fn question(&self, query: &str, most: u32) -> Question {
        let query = HandQuery::parse(query).unwrap();
        Question::prepare(&self.population(), &query, most, DEFAULT_WORK).unwrap()
    }
}

fn joined(parts: impl Iterator<Item = String>, word: &str) -> String {
    parts.collect::<Vec<_>>().join(word)
}

fn prepared(criterion: &mut Criterion) {
    let eight = Deck::new(&[4, 4, 4, 4, 3, 3, 8, 10], 60);
    let all = "1+ \"g0\" and 1+ \"g1\" and 1- \"g2\" and 1- \"g3\" and 1- \"g4\" and no \"g5\" and 1+ \"g6\" and 1..3 \"g7\"";
    let all = eight.question(all, 7);
    criterion.bench_function("conjunction of 8 groups, 7 of 60", |bench| {
        bench.iter(|| all.favourable(black_box(7)));
    });
    let pairs = (0..4).map(|at| format!("(1+ \"g{}\" and 1+ \"g{}\")", 2 * at, 2 * at + 1));
    let either = eight.question(&joined(pairs, " or "), 7);
    criterion.bench_function("8 groups in 4 or-clauses, 7 of 60", |bench| {
        bench.iter(|| either.favourable(black_box(7)));
    });
    let combos = Deck::new(&[2; 18], 40);
    let pairs = (0..9).map(|at| format!("(1+ \"g{}\" and 1+ \"g{}\")", at, 17 - at));
    let query = joined(pairs, " or ");
    let union = combos.question(&query, 5);
    criterion.bench_function("union of 9 two-card combos, 5 of 40", |bench| {
        bench.iter(|| union.favourable(black_box(5)));
    });
    let union = combos.question(&query, 17);
    criterion.bench_function("the same for every hand of 0 to 17", |bench| {
        bench.iter(|| union.every_size());
    });
    criterion.bench_function("the same, deck and query prepared anew", |bench| {
        bench.iter(|| combos.question(black_box(&query), 17));
    });
}

fn mulligans(criterion: &mut Criterion) {
    let aside = |limit, keep| Policy {
        mulligan: Mulligan::Aside,
        limit,
        bottom: vec![],
        keep,
    };
    let three = Deck::new(&[4, 8, 12], 50);
    let query = "1+ \"g0\" and 1+ \"g1\" or 2+ \"g2\"";
    let query = HandQuery::parse(query).unwrap();
    let population = three.population();
    let once =
        Mulligans::prepare(&population, &query, 6, &aside(1, Keep::Goal), DEFAULT_WORK).unwrap();
    criterion.bench_function("one set-aside mulligan over 3 groups, 6 of 50", |bench| {
        bench.iter(|| once.probability());
    });
    let four = Deck::new(&[4, 6, 8, 10], 60);
    let query = "1+ \"g0\" and 1+ \"g1\" or 2+ \"g2\" and 1+ \"g3\"";
    let query = HandQuery::parse(query).unwrap();
    let population = four.population();
    let best =
        Mulligans::prepare(&population, &query, 7, &aside(3, Keep::Best), DEFAULT_WORK).unwrap();
    criterion.bench_function(
        "3 set-aside mulligans, best keep, 4 groups, 7 of 60",
        |bench| {
            bench.iter(|| best.probability());
        },
    );
    let request = Request {
        hand: 7,
        policy: Policy {
            bottom: vec![0, 0, 1, 2],
            ..aside(3, Keep::Best)
        },
        given: None,
        draws: 3,
        turns: vec![],
        work: DEFAULT_WORK,
    };
    criterion.bench_function(
        "the same with bottoms and 3 draws, prepared anew",
        |bench| {
            bench.iter(|| odds::ask(&population, &query, &request).unwrap());
        },
    );
}

criterion_group!(benches, prepared, mulligans);
criterion_main!(benches);
