//! Building and repair: what may be added to a deck, the smallest edit that makes it legal,
//! and decks made from wishes.
//!
//! Every answer comes from the rules themselves: a rule's linear form is what is solved, and
//! its judgement is what the answer must pass.

mod alike;
mod answer;
mod branching;
mod certificate;
mod columns;
mod conflict;
mod floor;
mod fold;
mod formula;
mod gateway;
mod interchangeable;
mod levels;
mod local;
mod making;
mod minimise;
mod perturb;
mod problem;
mod program;
mod proof;
mod propagate;
mod reduce;
mod reduced;
mod registered;
mod rename;
mod repair;
mod rewrite;
mod room;
mod rows;
mod search;
mod shape;
mod simplex;
mod solved;
mod spread;
mod substitutes;
mod swap;
mod taste;
mod ties;
mod touched;
mod trial;
pub mod tune;
mod warm_start;
mod why;
mod wish;
mod wishes;

pub use certificate::{Certificate, Uncertified, certify};
pub use decklaw_rules::format::TASTE;
pub use floor::Floor;
pub use fold::search;
pub use making::{DeckBuilder, Goal, Start};
pub use program::{Column, Demand, Program};
pub use registered::{DeckComparison, Difference, played};
pub use rename::{Misspelling, misnamed, renamed};
pub use repair::{program, repair};
pub use rewrite::{anew, rewrite};
pub use room::{Room, Rooms};
pub use search::Outcome;
pub use solved::{Conflict, Repair, SolvedDeck};
pub use substitutes::{Instead, Substitute, substitutes};
pub use swap::{Exchange, Swap};
pub use taste::{Aim, Curve, Likeness, Taste};
pub use trial::{TrialReport, tried};
pub use why::reasons;
pub use wish::Wish;
pub use wishes::{Advice, DEFAULT_EFFORT, STEPS_A_SECOND, Wishes};

use decklaw_decks::deck::MOST_COPIES;
use decklaw_judge::resolve::{Change, Decklist};

/// What is wrong with a deck: each error with its rule.
fn broken(deck: &Decklist) -> Vec<String> {
    let sentence = |(rule, wrong)| format!("{rule}: {wrong}");
    deck.errors().into_iter().map(sentence).collect()
}

/// How a rulebook looks at the cards of its pool.
fn shape(rulebook: &decklaw_rules::format::Rulebook) -> &decklaw_rules::format::Shape {
    rulebook.shape(|| {
        let pool = rulebook.pool();
        let contents = decklaw_rules::rules::Contents::new(pool, Vec::new(), Vec::new());
        let sections = rulebook.format().game().sections().len().max(1);
        let linear = rulebook.linear(&contents, sections, i64::from(MOST_COPIES), false);
        let alike = interchangeable::representatives(&linear);
        let (touched, wavering, repairable) = touched::touched(&linear);
        decklaw_rules::format::Shape { alike, touched, wavering, repairable }
    })
}
