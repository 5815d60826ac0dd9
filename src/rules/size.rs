//! `size`: how many cards there are, all or those that a query picks.

use super::amount::Amount;
use super::contents::{picked, such_as};
use super::range::{Asked, Bounds, Range};
use super::{Cards, Compile, Constraint, Contents, Failing, Linear, SectionSet, Violation};
use crate::game::Term;
use crate::pool::{CardId, Pool};
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

#[derive(Debug)]
pub(super) struct Counted {
    sections: SectionSet,
    name: String,
    cards: Cards,
    range: Range,
}

impl Size {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Counted {
        let sections = with.section_set(&self.sections);
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            one_of: &self.one_of,
        };
        let called = self.called.as_deref().unwrap_or("card");
        let of = self.cards.as_ref().filter(|_| self.called.is_none());
        Counted {
            sections,
            name: with.section_names(sections),
            cards: with.cards(self.cards.as_ref()),
            range: bounds.compile("size", (called, false), of, sections, with),
        }
    }
}

impl Counted {
    /// The cards of a deck that a query picks, each once; none where all count.
    #[cold]
    fn picked(&self, contents: &Contents<'_>) -> Vec<CardId> {
        match self.cards.is_all() {
            true => Vec::new(),
            false => self.counted(contents),
        }
    }
}

impl Constraint for Counted {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let section = self.sections.single();
        found.extend(self.range.unset().cloned());
        let mut count = contents.count(self.sections, |card| self.cards.has(card));
        let mut strangers = contents.count_unknown(self.sections);
        if self.cards.is_all() {
            count = count.saturating_add(strangers);
            strangers = 0;
        }
        let (limit, failing) = match self.range.asked(
            count,
            count.saturating_add(strangers),
            contents,
        ) {
            Asked::Met => return,
            Asked::Missed(limit, failing) => (limit, failing),
            Asked::Open => {
                let message = match strangers {
                    0 => format!(
                        "not verified: how many cards the {} must have depends on unknown cards",
                        self.name
                    ),
                    // Any of the unknown cards may be of those counted.
                    _ => format!(
                        "not verified: {} in the {} may or may not be {}",
                        counted(strangers, "unknown card"),
                        self.name,
                        with_article(&self.range.called())
                    ),
                };
                found.push(Violation::unverified(message).in_section(section));
                return;
            }
        };
        let message = format!(
            "the {} must have {}; {}",
            self.name,
            self.range.wanted_here(contents),
            there_are(count)
        );
        let picked = match failing {
            Failing::Excess => self.picked(contents),
            Failing::Shortfall | Failing::Unverified => Vec::new(),
        };
        let mend = self.range.mend(count, limit) + &such_as(contents, &picked);
        let violation = Violation::of_deck(failing, message, mend)
            .advising(self.range.advised(&self.name, count, contents))
            .in_section(section)
            .with_numbers(limit, count);
        found.push(violation.naming(picked));
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        let mut terms = Vec::new();
        for card in linear.pool().ids().filter(|card| self.cards.has(*card)) {
            terms.extend(linear.sum(card, self.sections, 1));
        }
        let mut strangers = linear.stranger_copies(self.sections);
        if self.cards.is_all() {
            for card in linear.strangers() {
                terms.extend(linear.sum(card, self.sections, 1));
            }
            strangers = 0;
        }
        self.range.linear(linear, terms, 0, strangers);
    }

    fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        picked(contents, self.sections, |card| self.cards.has(card))
    }

    fn full(&self, contents: &Contents<'_>, full: SectionSet) -> SectionSet {
        let count = || contents.count(self.sections, |_| true);
        let all = || count().saturating_add(contents.count_unknown(self.sections));
        let most = || self.range.most(contents, full);
        match self.cards.is_all() && most().is_some_and(|most| all() >= most) {
            true => self.sections,
            false => SectionSet::default(),
        }
    }

    fn filled_in(&self) -> Option<SectionSet> {
        Some(self.sections.and(self.range.least_of()))
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        let (most, why) = match self.cards.count(pool) {
            0 => (0, format!("no {} is in the pool, so ", self.range.called())),
            _ => (i64::MAX, String::new()),
        };
        let idle = self.range.idle(most)?;
        Some(format!("{why}{idle}"))
    }

    fn demand(&self) -> String {
        match self.range.wanted("") {
            Some(wanted) => format!("The {} must have {wanted}.", self.name),
            None => format!(
                "A number for the {} that the rules text does not give.",
                self.name
            ),
        }
    }
}
