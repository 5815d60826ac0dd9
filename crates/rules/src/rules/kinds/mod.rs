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
use serde::Deserialize;

/// A rule kind with its terms: the value of `must:` in a format file.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum RuleKind {
    /// Nothing: the rule has a `demand` instead, or is wrong.
    #[default]
    #[serde(skip)]
    Unwritten,
    /// Which cards a section takes.
    Accept(place::Accept),
    /// How many cards there are.
    Size(number::Size),
    /// How many copies of one card there may be.
    Copies(copies::Copies),
    /// Points that must be spent.
    Budget(budget::Budget),
    /// How many different cards there may be.
    Distinct(number::Distinct),
    /// Cards that must not be in two places.
    Disjoint(place::Disjoint),
    /// Cards that must also be in another section.
    Within(place::Within),
    /// Cards that must be there because another one is.
    Brings(brings::Brings),
    /// Cards that are better left out.
    Avoid(place::Avoid),
    /// Cards that an identity card must permit.
    Permitted(identity::Permitted),
    /// A word of a card that must be among those of an identity card.
    Matching(identity::Matching),
    /// A bounded sum over cards.
    Total(Box<total::Total>),
    /// How many different values of a field there may be.
    Values(number::Values),
    /// A condition in the language of demands; a format file writes it in place of `must`.
    #[serde(skip)]
    Demand(language::Text),
    /// Options for cards, some with a limit.
    Options(options::Options),
    /// Every card of the pool, each the same number of times.
    WholePool(place::WholePool),
    /// One of several demands.
    Any(Vec<several::Part>),
    /// Several demands, all of them.
    All(Vec<several::Part>),
    /// The example of `CONTRIBUTING.md`, which tests compile and no game has.
    #[cfg(test)]
    #[schemars(skip)]
    Packs(packs::Packs),
}

impl RuleKind {
    /// The kind's name, as a format file writes it.
    pub fn name(&self) -> &'static str {
        match self {
            RuleKind::Unwritten => "unwritten",
            RuleKind::Accept(_) => "accept",
            RuleKind::Size(_) => "size",
            RuleKind::Copies(_) => "copies",
            RuleKind::Budget(_) => "budget",
            RuleKind::Distinct(_) => "distinct",
            RuleKind::Disjoint(_) => "disjoint",
            RuleKind::Within(_) => "within",
            RuleKind::Brings(_) => "brings",
            RuleKind::Avoid(_) => "avoid",
            RuleKind::Permitted(_) => "permitted",
            RuleKind::Matching(_) => "matching",
            RuleKind::Total(_) => "total",
            RuleKind::Values(_) => "values",
            RuleKind::Demand(_) => "demand",
            RuleKind::Options(_) => "options",
            RuleKind::WholePool(_) => "whole-pool",
            RuleKind::Any(_) => "any",
            RuleKind::All(_) => "all",
            #[cfg(test)]
            RuleKind::Packs(_) => "packs",
        }
    }

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
            RuleKind::All(parts) => parts.iter().all(|part| match part {
                several::Part::Kind(kind) => kind.has_numbers(),
                several::Part::Text(_) => true,
            }),
            RuleKind::Within(within) => within.copies,
            _ => true,
        }
    }

    /// What these terms demand over a pool and under settings.
    pub fn demand(&self, with: &mut Compile<'_>) -> Demand {
        match self {
            RuleKind::Accept(terms) => terms.demand(with),
            RuleKind::Size(terms) => terms.demand(with),
            RuleKind::Copies(terms) => terms.demand(with),
            RuleKind::Budget(terms) => terms.demand(with),
            RuleKind::Distinct(terms) => terms.demand(with),
            RuleKind::Disjoint(terms) => terms.demand(with),
            RuleKind::Within(terms) => terms.demand(with),
            RuleKind::Brings(terms) => terms.demand(with),
            RuleKind::Avoid(terms) => terms.demand(with),
            RuleKind::Permitted(terms) => terms.demand(with),
            RuleKind::Matching(terms) => terms.demand(with),
            RuleKind::Total(terms) => terms.demand(with),
            RuleKind::Values(terms) => terms.demand(with),
            RuleKind::Demand(terms) => terms.demand(with),
            RuleKind::Options(terms) => terms.demand(with),
            RuleKind::WholePool(terms) => terms.demand(with),
            RuleKind::Any(parts) => several::demand(parts, true, with),
            RuleKind::Unwritten => several::demand(&[], false, with),
            RuleKind::All(parts) => several::demand(parts, false, with),
            #[cfg(test)]
            RuleKind::Packs(terms) => terms.demand(with),
        }
    }
}
