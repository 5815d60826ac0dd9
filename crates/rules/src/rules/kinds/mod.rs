//! The kinds of rule that a format file may write: each is its terms and one function that makes
//! a demand of them.

pub mod brings;
pub mod budget;
pub mod copies;
pub mod identity;
pub mod language;
pub mod number;
pub mod options;
#[cfg(test)]
pub mod packs;
pub mod place;
mod range;
pub mod several;
pub mod total;

use super::{Compile, Demand};
use decklaw_text::yaml::Spanned;
use serde::Deserialize;

/// The kinds by their names in a format file: to add one is its module above and a line here.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $name:literal => $Kind:ident($Terms:ty),)*) => {
        /// A rule kind with its terms: the value of `must:` in a format file.
        #[derive(Debug, Clone, Default, Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        pub enum RuleKind {
            /// Nothing: the rule has a `demand` instead, or is wrong.
            #[default]
            #[serde(skip)]
            Unwritten,
            $(
                $(#[doc = $doc])*
                $(#[cfg($cfg)] #[schemars(skip)])?
                #[serde(rename = $name)]
                $Kind($Terms),
            )*
            /// A condition in the language of demands; a format file writes it in place of `must`.
            #[serde(skip)]
            Demand(language::Text),
            /// One of several demands.
            #[serde(rename = "any")]
            Any(Vec<Spanned<several::Part>>),
            /// Several demands, all of them.
            #[serde(rename = "all")]
            All(Vec<Spanned<several::Part>>),
        }

        impl RuleKind {
            /// The kind's name, as a format file writes it.
            pub fn name(&self) -> &'static str {
                match self {
                    RuleKind::Unwritten => "unwritten",
                    $($(#[cfg($cfg)])? RuleKind::$Kind(_) => $name,)*
                    RuleKind::Demand(_) => "demand",
                    RuleKind::Any(_) => "any",
                    RuleKind::All(_) => "all",
                }
            }

            /// What these terms demand over a pool and under settings.
            pub fn demand(&self, with: &mut Compile<'_>) -> Demand {
                match self {
                    RuleKind::Unwritten => several::demand(&[], false, with),
                    $($(#[cfg($cfg)])? RuleKind::$Kind(terms) => terms.demand(with),)*
                    RuleKind::Demand(terms) => terms.demand(with),
                    RuleKind::Any(parts) => several::demand(parts, true, with),
                    RuleKind::All(parts) => several::demand(parts, false, with),
                }
            }
        }
    };
}

kinds! {
    /// Which cards a section takes.
    "accept" => Accept(place::Accept),
    /// How many cards there are.
    "size" => Size(number::Size),
    /// How many copies of one card there may be.
    "copies" => Copies(copies::Copies),
    /// Points that must be spent.
    "budget" => Budget(budget::Budget),
    /// How many different cards there may be.
    "distinct" => Distinct(number::Distinct),
    /// Cards that must not be in two places.
    "disjoint" => Disjoint(place::Disjoint),
    /// Cards that must also be in another section.
    "within" => Within(place::Within),
    /// Cards that must be there because another one is.
    "brings" => Brings(brings::Brings),
    /// Cards that are better left out.
    "avoid" => Avoid(place::Avoid),
    /// Cards that an identity card must permit.
    "permitted" => Permitted(identity::Permitted),
    /// A word of a card that must be among those of an identity card.
    "matching" => Matching(identity::Matching),
    /// A bounded sum over cards.
    "total" => Total(Box<total::Total>),
    /// How many different values of a field there may be.
    "values" => Values(number::Values),
    /// Options for cards, some with a limit.
    "options" => Options(options::Options),
    /// Every card of the pool, each the same number of times.
    "whole-pool" => WholePool(place::WholePool),
    /// The example of `CONTRIBUTING.md`, which tests compile and no game has.
    #[cfg(test)]
    "packs" => Packs(packs::Packs),
}

impl RuleKind {
    /// Whether what it finds wrong is about cards.
    pub(super) fn has_cards(&self) -> bool {
        !matches!(self, RuleKind::Budget(_))
    }

    /// Whether what it finds wrong has a number that is allowed, and one that the deck has.
    pub(super) fn has_numbers(&self) -> bool {
        match self {
            RuleKind::Accept(_)
            | RuleKind::Disjoint(_)
            | RuleKind::Matching(_)
            | RuleKind::Any(_) => false,
            RuleKind::All(parts) => parts.iter().all(|part| match &part.value {
                several::Part::Kind(kind) => kind.has_numbers(),
                several::Part::Text(_) => true,
            }),
            RuleKind::Within(within) => within.copies,
            _ => true,
        }
    }
}
