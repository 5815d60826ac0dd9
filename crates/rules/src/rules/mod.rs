//! The rules of a game: what each demands of a deck, as a tree of numbers and conditions.
//!
//! A kind of rule (`kinds`) is its terms, as a format file writes them, and one function that makes
//! a [`Demand`] of them over a pool: what it is about, as conditions of the [tree], and one
//! sentence for what broke. Judging, blame, meters, solver rows and lint are recursions over the
//! tree, the same for all kinds.

pub mod amount;
pub(crate) mod bounded;
mod compile;
pub mod condition;
pub(crate) mod contents;
pub(crate) mod demand;
pub mod fields;
pub(crate) mod groups;
pub mod identity;
pub mod kinds;
mod language;
pub mod linear;
pub(crate) mod meter;
mod rule;
mod saying;
pub mod tree;
pub mod unknown;
mod verdict;
pub(crate) mod violation;
mod written;

pub use compile::{Cards, Compile, GroupCache};
pub use condition::RuleCondition;
pub use contents::{Contents, Holding, SectionSet};
pub use decklaw_text::fault::{Code, Fault, Severity};
pub use demand::Demand;
pub use kinds::RuleKind;
pub use linear::{Linear, Tag};
pub use meter::{Meter, Reading};
pub use rule::{Judgement, Rule};
pub(crate) use saying::{filled, wrong as wrong_saying};
pub use verdict::Verdict;
pub use violation::{Failing, Violation, Where};
