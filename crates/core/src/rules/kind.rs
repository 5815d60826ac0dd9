//! The kinds that a format file may write.

use super::{Compile, Constraint};
use super::{
    accept, avoid, brings, budget, copies, demanded, disjoint, distinct, matching, options,
    permitted, several, size, total, values, whole_pool, within,
};
use serde::Deserialize;

/// A rule kind with its terms: what stands under `must:` in a format file.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum RuleKind {
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
    /// Cards that must stand in another place, too.
    Within(within::Within),
    /// Cards that must be there because another one is.
    Brings(brings::Brings),
    /// Cards that are better left out.
    Avoid(avoid::Avoid),
    /// Cards that an identity card must permit.
    Permitted(permitted::Permitted),
    /// A word of a card that must be among those of an identity card.
    Matching(matching::Matching),
    /// A bounded sum over cards.
    Total(Box<total::Total>),
    /// How many different values of a field there may be.
    Values(values::Values),
    /// A condition in the language of demands; a format file writes it in place of `must`.
    #[serde(skip)]
    Demand(demanded::Demand),
    /// Options for cards, some of which have room for so many.
    Options(options::Options),
    /// Every card of the pool, each the same number of times.
    WholePool(whole_pool::WholePool),
    /// One of several demands.
    Any(Vec<several::Part>),
    /// Several demands, all of them.
    All(Vec<several::Part>),
}

impl RuleKind {
    /// The kind's name, as a format file writes it.
    pub fn name(&self) -> &'static str {
        match self {
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
        }
    }

    /// Whether what it finds wrong is about cards.
    pub(super) fn tells_cards(&self) -> bool {
        !matches!(self, RuleKind::Budget(_))
    }

    /// Whether what it finds wrong has a number that is allowed, and one that the deck has.
    pub(super) fn tells_numbers(&self) -> bool {
        match self {
            RuleKind::Accept(_)
            | RuleKind::Disjoint(_)
            | RuleKind::Matching(_)
            | RuleKind::Any(_) => false,
            RuleKind::All(parts) => parts.iter().all(|part| match part {
                several::Part::Kind(kind) => kind.tells_numbers(),
                several::Part::Text(_) => true,
            }),
            RuleKind::Within(within) => within.copies,
            RuleKind::Size(_)
            | RuleKind::Copies(_)
            | RuleKind::Budget(_)
            | RuleKind::Distinct(_)
            | RuleKind::Brings(_)
            | RuleKind::Avoid(_)
            | RuleKind::Permitted(_)
            | RuleKind::Total(_)
            | RuleKind::Values(_)
            | RuleKind::Demand(_)
            | RuleKind::Options(_)
            | RuleKind::WholePool(_) => true,
        }
    }

    /// The constraint that these terms mean for a pool and settings.
    pub(crate) fn compile(&self, with: &mut Compile<'_>) -> Box<dyn Constraint> {
        match self {
            RuleKind::Accept(terms) => Box::new(terms.compile(with)),
            RuleKind::Size(terms) => Box::new(terms.compile(with)),
            RuleKind::Copies(terms) => Box::new(terms.compile(with)),
            RuleKind::Budget(terms) => Box::new(terms.compile(with)),
            RuleKind::Distinct(terms) => Box::new(terms.compile(with)),
            RuleKind::Disjoint(terms) => Box::new(terms.compile(with)),
            RuleKind::Within(terms) => Box::new(terms.compile(with)),
            RuleKind::Brings(terms) => Box::new(terms.compile(with)),
            RuleKind::Avoid(terms) => Box::new(terms.compile(with)),
            RuleKind::Permitted(terms) => Box::new(terms.compile(with)),
            RuleKind::Matching(terms) => Box::new(terms.compile(with)),
            RuleKind::Total(terms) => Box::new(terms.compile(with)),
            RuleKind::Values(terms) => Box::new(terms.compile(with)),
            RuleKind::Demand(terms) => Box::new(terms.compile(with)),
            RuleKind::Options(terms) => Box::new(terms.compile(with)),
            RuleKind::WholePool(terms) => Box::new(terms.compile(with)),
            RuleKind::Any(parts) => Box::new(several::Several::compile(parts, true, with)),
            RuleKind::All(parts) => Box::new(several::Several::compile(parts, false, with)),
        }
    }
}
