//! `whole-pool`: every card of the pool, each the same number of times.

use super::demand::{Cond, Leaf, Num};
use super::{Compile, Constraint, Contents, Failing, Linear, SectionSet, Violation, Where};
use crate::pool::{CardId, Pool};
use crate::text::counted;
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;

/// The terms of a `whole-pool` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WholePool {
    /// The section.
    pub section: Spanned<String>,
    /// Copies of each card.
    pub each: u32,
}

#[derive(Debug)]
pub(super) struct Whole {
    section: usize,
    name: String,
    each: i64,
}

impl WholePool {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Whole {
        let section = with.section(&self.section);
        Whole {
            section,
            name: with.section_name(section),
            each: i64::from(self.each),
        }
    }
}

impl Whole {
    fn off(&self, contents: &Contents<'_>, card: CardId, copies: i64) -> Violation {
        let name = contents.name(card);
        let (failing, place, message, help) = if copies < self.each {
            let missing = self.each - copies;
            (
                Failing::Shortfall,
                Where::Deck,
                format!("`{name}` is missing from the {}", self.name),
                format!("add {} of it", counted(missing, "copy")),
            )
        } else {
            (
                Failing::Excess,
                Where::Passing(card, SectionSet::only(self.section), self.each),
                format!(
                    "{} of `{name}`, and the {} has {}",
                    counted(copies, "copy"),
                    self.name,
                    self.each
                ),
                format!("take out {}", counted(copies - self.each, "copy")),
            )
        };
        Violation::of_deck(failing, message, help)
            .in_section(Some(self.section))
            .with_numbers(self.each, copies)
            .about(card, place)
    }
}

impl Constraint for Whole {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let mut held = contents
            .known()
            .iter()
            .filter(|holding| usize::from(holding.section) == self.section)
            .peekable();
        for card in contents.pool.ids() {
            let copies = held
                .next_if(|holding| holding.card == card)
                .map_or(0, |holding| holding.copies);
            if copies != self.each {
                found.push(self.off(contents, card, copies));
            }
        }
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        let (here, each) = (SectionSet::only(self.section), Some(Num::Const(self.each)));
        let held = |card| {
            let copies = Leaf::of_card(card, here).num();
            Cond::Within(copies, each.clone(), each.clone())
        };
        Cow::Owned(Cond::All(of.pool().ids().map(held).collect()))
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        pool.is_empty()
            .then(|| "the pool has no card, so this can never fail".to_owned())
    }

    fn demand(&self) -> String {
        format!(
            "The {} must have {} of every card of the pool.",
            self.name,
            counted(self.each, "copy")
        )
    }
}
