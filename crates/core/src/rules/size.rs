//! `size`: how many cards there are, all or those that a query picks.

use super::amount::Amount;
use super::bounded::{Bounded, BoundedKind, Explanation, OutOfBounds};
use super::contents::such_as;
use super::demand::{Leaf, Num};
use super::range::Bounds;
use super::{Compile, Contents, Failing, Reading};
use crate::game::Term;
use crate::pool::Pool;
use crate::text::{counted, there_are, with_article};
use crate::yaml::Spanned;
use serde::Deserialize;

/// The terms of a `size` rule. At least one of the numbers is given.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Size {
    /// The sections counted, together.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards count; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The fewest.
    #[serde(default)]
    pub min: Option<Spanned<Amount>>,
    /// The most.
    #[serde(default)]
    pub max: Option<Spanned<Amount>>,
    /// Just so many.
    #[serde(default)]
    pub exactly: Option<Spanned<Amount>>,
    /// Any of these numbers.
    #[serde(default)]
    pub one_of: Vec<Spanned<Term>>,
    /// What is counted, in the singular: `card` without it.
    #[serde(default)]
    pub called: Option<String>,
}

/// How many cards there are.
#[derive(Debug)]
pub(super) struct Counted;

impl Size {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Bounded<Counted> {
        let sections = with.section_set(&self.sections);
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            one_of: &self.one_of,
        };
        let called = self.called.as_deref().unwrap_or("card");
        let of = self.cards.as_ref().filter(|_| self.called.is_none());
        let range = bounds.compile("size", (called, false), of, sections, with);
        let num = Num::Sum(Box::new(Leaf::of_cards(
            self.cards.as_ref(),
            sections,
            with,
        )));
        Bounded::new(sections, num, range, Counted, with)
    }
}

impl BoundedKind for Counted {
    fn missed(of: &Bounded<Self>, contents: &Contents<'_>, missed: OutOfBounds) -> Explanation {
        let cards = match missed.failing {
            Failing::Excess if !of.num.is_all() => of.num.there(contents),
            _ => Vec::new(),
        };
        Explanation {
            message: format!(
                "the {} must have {}; {}",
                of.name,
                of.range.wanted_here(contents),
                there_are(missed.number)
            ),
            help: of.range.help(missed.number, missed.limit) + &such_as(contents, &cards),
            cards,
        }
    }

    fn meter(of: &Bounded<Self>, contents: &Contents<'_>) -> Option<Reading> {
        let called = match of.num.is_all() {
            true => of.name.clone(),
            false => format!("{} in the {}", of.range.plural(), of.name),
        };
        of.reading(contents, called, of.num.value(contents).0)
    }

    fn open(of: &Bounded<Self>, contents: &Contents<'_>) -> String {
        let strangers = contents.count_unknown(of.sections);
        if of.num.is_all() || strangers == 0 {
            return format!(
                "not verified: how many cards the {} must have depends on unknown cards",
                of.name
            );
        }
        // Any of the unknown cards may be of those counted.
        format!(
            "not verified: {} in the {} may or may not be {}",
            counted(strangers, "unknown card"),
            of.name,
            with_article(&of.range.called())
        )
    }

    fn idle(of: &Bounded<Self>, pool: &Pool) -> Option<String> {
        let counts = of.num.counts();
        let none = counts.is_some_and(|leaf| leaf.weighed(pool.len()).is_empty());
        let (most, why) = match none {
            true => (0, format!("no {} is in the pool, so ", of.range.called())),
            false => (i64::MAX, String::new()),
        };
        let idle = of.range.idle(most)?;
        Some(format!("{why}{idle}"))
    }

    fn demand(of: &Bounded<Self>) -> String {
        match of.range.wanted("") {
            Some(wanted) => format!("The {} must have {wanted}.", of.name),
            None => format!(
                "A number for the {} that the rules text does not give.",
                of.name
            ),
        }
    }
}
