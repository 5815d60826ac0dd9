//! The kinds that a format file may write.

use super::{Compile, Constraint};
use super::{
    accept, avoid, budget, choice, copies, disjoint, distinct, matching, permitted, size, total,
    values, whole_pool,
};
use serde::Deserialize;

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
    /// What the deck declares of itself.
    Choice(choice::Choice),
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
            Kind::Choice(_) => "choice",
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
            Kind::Choice(terms) => Box::new(terms.compile(with)),
            Kind::WholePool(terms) => Box::new(terms.compile(with)),
        }
    }
}
