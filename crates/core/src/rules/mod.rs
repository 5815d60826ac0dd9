//! The rule kinds: what a rule demands of a deck, one file a kind.
//!
//! A kind is two types: its *terms*, as a format file writes them, and its *constraint*, made
//! once for a format, a pool and a banlist. It judges decks by touching nothing but their own
//! holdings, and says what it demands as a condition, from which the solver's rows follow.

pub mod accept;
pub mod agreement;
pub mod amount;
pub mod avoid;
mod bounded;
pub mod brings;
pub mod budget;
mod common_words;
pub mod condition;
pub mod copies;
pub mod demand;
pub mod demanded;
pub mod disjoint;
pub mod distinct;
pub mod fields;
mod groups;
pub mod linear;
pub(crate) mod listed;
pub mod matching;
pub mod options;
mod permits;
pub mod permitted;
mod range;
pub mod relation;
pub mod several;
pub mod size;
pub mod total;
pub mod unknown;
pub mod values;
pub mod whole_pool;
pub mod within;

mod code;
mod compile;
mod constraint;
mod contents;
mod kind;
mod meter;
mod rule;
mod saying;
mod verdict;
mod violation;

pub use code::{Code, Fault};
pub use compile::{Cards, Compile, Grouped, Number, Unset};
pub use constraint::{Asking, Constraint};
pub use contents::{Contents, Holding, SectionSet};
pub use kind::RuleKind;
pub use linear::{Linear, Tag};
pub use meter::{Meter, Reading};
pub use rule::{Judgement, Rule, Severity};
pub(crate) use saying::{filled, wrong as wrong_saying};
pub use verdict::Verdict;
pub use violation::{Failing, Violation, Where};

/// The ids of the rules of every game: what a deck is written like, which cards there are, and
/// what a banlist says.
pub const EVERYWHERE: [&str; 8] = [
    "syntax",
    unknown::ID,
    listed::BANNED,
    listed::RESTRICTED,
    listed::POINTS,
    listed::GROUP,
    listed::ROTATION,
    listed::CHANGES,
];
