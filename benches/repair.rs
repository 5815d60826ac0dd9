//! How long repairs take: decks that were legal before a few edits, over pools of 160 and of 2,000
//! cards, and `hard` ones with crowded extra and side decks; some of these cannot be fixed.
//!
//! Prints the median, the 95th of 100 and the worst time in milliseconds, and how many answers were
//! settled with proof.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    clippy::expect_used,
    reason = "a bench prints"
)]

#[path = "../tests/common/mod.rs"]
mod common;
#[allow(dead_code)]
#[path = "../tests/repair/worlds.rs"]
mod worlds;

use common::Random;
use decklaw::resolve::Decklist;
use decklaw::solve::{Advice, Repair, Wishes, reasons, repair};
use std::sync::Arc;
use std::time::Instant;

/// Repairs decks as `fix` does, and reports the times.
fn timed(what: &str, decks: Vec<Decklist>) {
    let (mut times, mut proven) = (Vec::new(), 0);
    for deck in decks {
        let wishes =
            Wishes { advice: Advice::AtNoCost, taste: Some(Arc::default()), ..Wishes::default() };
        let start = Instant::now();
        let solved = repair(&deck, &wishes);
        if let Repair::Found(found) = &solved {
            reasons(&deck, &found.deck, &wishes);
        }
        times.push(start.elapsed().as_secs_f64() * 1000.0);
        proven += usize::from(match solved {
            Repair::Found(found) => {
                assert!(found.deck.is_legal());
                found.optimal()
            }
            Repair::Impossible(conflict) => conflict.irreducible,
            Repair::Unknown => false,
        });
    }
    times.sort_by(f64::total_cmp);
    let count = times.len();
    let at = |part: f64| times[((count as f64 * part) as usize).min(count - 1)];
    println!("{what:<40} {:>8.2} {:>8.2} {:>8.2}   {proven}/{count}", at(0.5), at(0.95), at(1.0));
}

fn main() {
    println!("{:<40} {:>8} {:>8} {:>8}   proven", "milliseconds", "median", "95 %", "worst");
    timed("shell, 40 to 500 cards, hard", (0..worlds::HARD).map(worlds::hard).collect());
    for game in worlds::GAMES {
        for size in [160, 2000, 35_000] {
            // Tens of thousands of cards are what one of them has.
            if size > 2000 && game != "commander" {
                continue;
            }
            let mut random = Random::new(size as u64);
            let rulebook = worlds::rulebook(game, size, &mut random);
            let whole = worlds::legal(&rulebook, 1);
            let count = if size > 2000 { 8 } else { 40 };
            let edited = |at: usize| worlds::edited(&whole, 1 + at % 12, &mut random);
            timed(&format!("{game}, {size} cards"), (0..count).map(edited).collect());
        }
    }
}
