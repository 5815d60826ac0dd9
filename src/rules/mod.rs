//! The rule kinds: what a rule demands of a deck, one file a kind.
//!
//! A kind is two types: its *terms*, as a format file writes them, and its *constraint*, made
//! once for a format, a pool and a banlist, which [judges](Constraint::judge) decks by
//! touching nothing but their own holdings.

pub mod accept;
pub mod amount;
pub mod avoid;
pub mod budget;
pub mod condition;
pub mod copies;
pub mod disjoint;
pub mod distinct;
mod groups;
pub mod linear;
pub mod listed;
pub mod matching;
pub mod permitted;
mod range;
pub mod relation;
pub mod size;
pub mod total;
pub(crate) mod unknown;
pub mod values;
pub mod whole_pool;

mod code;
mod compile;
mod contents;
mod ledger;
mod rulebook;
mod verdict;

pub use code::{Code, Fault};
pub use compile::{Cards, Compile, Number, Term, Unset};
pub use contents::{Contents, Holding, SectionSet};
pub use ledger::{Ledger, Points};
pub use linear::{Linear, Tag};
pub use rulebook::{Judgement, Rule, Rulebook, RulebookError, Severity};
pub use verdict::Verdict;

use crate::pool::{CardId, Pool};
use serde::Deserialize;
use std::fmt::Debug;

/// The ids of the rules of every game: what a deck is written like, which cards there are, and
/// what a banlist says.
pub const EVERYWHERE: [&str; 5] = [
    "syntax",
    unknown::ID,
    listed::BANNED,
    "restricted",
    "points-list",
];

/// A rule kind with its terms: what stands under `must:` in a format file.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Kind {
    /// Which cards a section takes.
    Accept(accept::Accept),
    /// How many cards there are.
    Size(size::Size),
    /// How many copies of one card there may be.
    Copies(copies::Copies),
    /// Points that must be spent.
    Budget(budget::Budget),
    /// How many different cards there may be.
    Distinct(distinct::Distinct),
    /// Cards that must not be in two places.
    Disjoint(disjoint::Disjoint),
    /// Cards that are better left out.
    Avoid(avoid::Avoid),
    /// Cards that an identity card must permit.
    Permitted(permitted::Permitted),
    /// A word of a card that must be among those of an identity card.
    Matching(matching::Matching),
    /// A bounded sum over cards.
    Total(total::Total),
    /// How many different values of a field there may be.
    Values(values::Values),
    /// Every card of the pool, each the same number of times.
    WholePool(whole_pool::WholePool),
}

impl Kind {
    /// The kind's name, as a format file writes it.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Accept(_) => "accept",
            Kind::Size(_) => "size",
            Kind::Copies(_) => "copies",
            Kind::Budget(_) => "budget",
            Kind::Distinct(_) => "distinct",
            Kind::Disjoint(_) => "disjoint",
            Kind::Avoid(_) => "avoid",
            Kind::Permitted(_) => "permitted",
            Kind::Matching(_) => "matching",
            Kind::Total(_) => "total",
            Kind::Values(_) => "values",
            Kind::WholePool(_) => "whole-pool",
        }
    }

    /// The constraint that these terms mean for a pool and settings.
    pub fn compile(&self, with: &mut Compile<'_>) -> Box<dyn Constraint> {
        match self {
            Kind::Accept(terms) => Box::new(terms.compile(with)),
            Kind::Size(terms) => Box::new(terms.compile(with)),
            Kind::Copies(terms) => Box::new(terms.compile(with)),
            Kind::Budget(terms) => Box::new(terms.compile(with)),
            Kind::Distinct(terms) => Box::new(terms.compile(with)),
            Kind::Disjoint(terms) => Box::new(terms.compile(with)),
            Kind::Avoid(terms) => Box::new(terms.compile(with)),
            Kind::Permitted(terms) => Box::new(terms.compile(with)),
            Kind::Matching(terms) => Box::new(terms.compile(with)),
            Kind::Total(terms) => Box::new(terms.compile(with)),
            Kind::Values(terms) => Box::new(terms.compile(with)),
            Kind::WholePool(terms) => Box::new(terms.compile(with)),
        }
    }
}

/// A demand on decks, ready to be asked.
///
/// This is the one authority on its rule: the same constraint says whether a deck meets it
/// ([`judge`](Constraint::judge)), which decks would ([`linear`](Constraint::linear)), what it
/// demands ([`demand`](Constraint::demand)), how its budget stands
/// ([`ledger`](Constraint::ledger)), and whether a section takes a card at all
/// ([`refuses`](Constraint::refuses)).
pub trait Constraint: Debug + Send + Sync {
    /// Adds what a deck's contents break, or what could not be verified of them. A deck
    /// that meets the demand costs no allocation.
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>);

    /// What the rule demands, as a sentence made from its own numbers.
    fn demand(&self) -> String;

    /// Adds what the rule demands in linear form: whole numbers of copies satisfy it just
    /// where [`judge`](Constraint::judge) finds no error.
    fn linear(&self, linear: &mut Linear<'_>);

    /// The account of a deck's budget, for rules that have one.
    fn ledger(&self, _contents: &Contents<'_>) -> Option<Ledger> {
        None
    }

    /// Whether the demand is about which cards a section takes at all: what it
    /// [refuses](Constraint::refuses) is set aside before other rules are asked.
    fn is_gate(&self) -> bool {
        false
    }

    /// Why no deck over this pool, or every deck, meets the demand, a sentence; `None` where
    /// it can be met and can be broken, as far as can be told.
    fn idle(&self, _pool: &Pool) -> Option<String> {
        None
    }

    /// Whether the section does not take this card. A refused holding takes no further part
    /// in a deck's rules.
    fn refuses(&self, _holding: &Holding) -> bool {
        false
    }

    /// Whether any holding is [refused](Constraint::refuses).
    fn refuses_any(&self, contents: &Contents<'_>) -> bool {
        contents.all().iter().any(|holding| self.refuses(holding))
    }
}

/// Where in a deck a violation stands, in the deck's own terms; made concrete by the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// The deck as a whole.
    Deck,
    /// The first line of a card in one of these sections.
    First(CardId, SectionSet),
    /// The line at which the copies of a card in these sections pass a number.
    Passing(CardId, SectionSet, i64),
}

/// What kind of failing a violation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// Adding cards could mend it.
    Shortfall,
    /// It cannot be mended by adding cards.
    Excess,
    /// It could not be verified; a notice whatever the rule's severity.
    Unverified,
}

/// A rule that a deck breaks, or that could not be verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Whether more cards could mend it.
    pub failing: Failing,
    /// What is wrong, for programs.
    pub fault: Fault,
    /// Index of the section that it concerns, where it is just one.
    pub section: Option<usize>,
    /// The cards that it concerns.
    pub cards: Vec<CardId>,
    /// Where it stands.
    pub place: Where,
    /// The number that the rule allows.
    pub limit: Option<i64>,
    /// The number that the deck has.
    pub actual: Option<i64>,
    /// What is wrong, a sentence.
    pub message: String,
    /// What would mend it, a sentence; may be empty.
    pub mend: String,
    /// Whether only cards that the pool does not know leave it open.
    pub for_strangers: bool,
}

impl Violation {
    /// A violation of the deck as a whole. Unless a [fault](Violation::for_fault) is named, it
    /// is one of number.
    pub fn of_deck(failing: Failing, message: String, mend: String) -> Violation {
        let (section, cards, place) = (None, Vec::new(), Where::Deck);
        Violation {
            failing,
            fault: match failing {
                Failing::Shortfall => Fault::TooFew,
                Failing::Excess => Fault::TooMany,
                Failing::Unverified => Fault::Unverified,
            },
            section,
            cards,
            place,
            limit: None,
            actual: None,
            message,
            mend,
            for_strangers: false,
        }
    }

    /// The same for another fault.
    #[must_use]
    pub fn for_fault(self, fault: Fault) -> Violation {
        Violation { fault, ..self }
    }

    /// The same in one section.
    pub fn in_section(self, section: Option<usize>) -> Violation {
        Violation { section, ..self }
    }

    /// The same with the number allowed and the number found.
    pub fn with_numbers(self, limit: i64, actual: i64) -> Violation {
        Violation {
            limit: Some(limit),
            actual: Some(actual),
            ..self
        }
    }

    /// The same about a card.
    pub fn about(self, card: CardId, place: Where) -> Violation {
        Violation {
            cards: vec![card],
            place,
            ..self
        }
    }

    /// A notice that a rule needs a setting which nobody gave.
    pub fn unset(what: &str, settings: &[&str]) -> Violation {
        let flags: Vec<String> = settings
            .iter()
            .map(|name| format!("`--set {name}=NUMBER`"))
            .collect();
        let message = format!("not verified: the rules text gives no {what}");
        let mend = format!(
            "an organiser can give it: {}",
            crate::text::listed(&flags, "and")
        );
        Violation::of_deck(Failing::Unverified, message, mend).for_fault(Fault::Unset)
    }

    /// A notice that a rule depends on what the pool does not tell of its own cards.
    pub fn untold(message: String) -> Violation {
        let mend = "bring a card file that tells it, with `--cards FILE`".to_owned();
        Violation::of_deck(Failing::Unverified, message, mend)
    }

    /// A notice that a rule depends on cards which the pool does not know.
    pub fn unverified(message: String) -> Violation {
        Violation {
            for_strangers: true,
            ..Violation::untold(message)
        }
    }
}
