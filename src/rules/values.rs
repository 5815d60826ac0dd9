//! `values`: how many different values of a field the cards of a deck have.

use super::amount::Amount;
use super::contents::each_card;
use super::groups::Groups;
use super::range::{Asked, Bounds, Range};
use super::{Cards, Compile, Constraint, Contents, Failing, Linear, SectionSet, Violation};
use crate::pool::Pool;
use crate::text::{counted, listed};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::sync::Arc;

/// The terms of a `values` rule. At least one of the numbers is given.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Values {
    /// The sections whose cards are looked at.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The field: a word, a number, or a list, each item of which is a value.
    pub field: Spanned<String>,
    /// A value counts only where at least so many copies have it; 1 without it.
    #[serde(default)]
    pub with_at_least: Option<Spanned<i64>>,
    /// The fewest.
    #[serde(default)]
    pub min: Option<Spanned<Amount>>,
    /// The most.
    #[serde(default)]
    pub max: Option<Spanned<Amount>>,
    /// Just so many.
    #[serde(default)]
    pub exactly: Option<Spanned<Amount>>,
    /// What a value is, in the singular, as in `ink`.
    #[serde(default)]
    pub called: Option<String>,
}

#[derive(Debug)]
pub(super) struct Valued {
    sections: SectionSet,
    name: String,
    cards: Cards,
    field: String,
    groups: Arc<Groups>,
    least: i64,
    range: Range,
}

impl Values {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Valued {
        let sections = with.section_set(&self.sections);
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            one_of: &[],
        };
        let different = format!("different {}", self.field.value);
        let called = match &self.called {
            Some(called) => (called.as_str(), false),
            None => (different.as_str(), true),
        };
        if let Some(least) = self.with_at_least.as_ref().filter(|least| least.value < 1) {
            with.refuse("`with-at-least` must be at least 1".to_owned(), least.span);
        }
        let groups = with.grouped(std::slice::from_ref(&self.field), false);
        Valued {
            sections,
            name: with.section_names(sections),
            cards: with.cards(self.cards.as_ref()),
            field: self.field.value.clone(),
            groups: groups.map(|(_, groups)| groups).unwrap_or_default(),
            least: self
                .with_at_least
                .as_ref()
                .map_or(1, |least| least.value.max(1)),
            range: bounds.compile("values", called, sections, with),
        }
    }
}

impl Valued {
    /// Calls `see` with each value that counts.
    #[inline]
    fn each(&self, contents: &Contents<'_>, mut see: impl FnMut(u32)) {
        let chosen = |held| self.cards.has(held);
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, _| {
                if !chosen(card) {
                    return;
                }
                for group in self.groups.of_card(card) {
                    if !self
                        .groups
                        .is_first(*group, card, contents, self.sections, chosen)
                    {
                        continue;
                    }
                    let mut copies = 0_i64;
                    if self.least > 1 {
                        self.groups
                            .each_held(*group, contents, self.sections, |held, more| {
                                copies = copies.saturating_add(if chosen(held) { more } else { 0 });
                                copies < self.least
                            });
                    }
                    if self.least == 1 || copies >= self.least {
                        see(*group);
                    }
                }
            },
        );
    }

    fn with_so_many(&self) -> String {
        match self.least {
            1 => String::new(),
            least => format!(" with at least {} each", counted(least, "card")),
        }
    }
}

impl Constraint for Valued {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let section = self.sections.single();
        found.extend(self.range.unset().cloned());
        let mut count = 0_i64;
        self.each(contents, |_| count += 1);
        let strangers = contents.count_unknown(self.sections);
        let high = if strangers > 0 { i64::MAX } else { count };
        let (limit, failing) = match self.range.asked(count, high, contents) {
            Asked::Met => return,
            Asked::Missed(limit, failing) => (limit, failing),
            Asked::Open => {
                let message = format!(
                    "not verified: the pool does not tell the {} of {} in the {}",
                    self.field,
                    counted(strangers.max(1), "unknown card"),
                    self.name
                );
                found.push(Violation::unverified(message).in_section(section));
                return;
            }
        };
        let mut names: Vec<&str> = Vec::new();
        self.each(contents, |group| names.push(self.groups.name(group)));
        names.sort_unstable();
        let which = match names.as_slice() {
            [] => String::new(),
            names => format!(" ({})", listed(names, "and")),
        };
        let so_many = self.with_so_many();
        let message = format!(
            "the {} must have {}{so_many}, and has {count}{which}",
            self.name,
            self.range.wanted_here(contents)
        );
        let off = (limit - count).abs();
        let mend = match failing {
            Failing::Shortfall => format!("add cards{so_many} of {} more", self.range.counted(off)),
            _ if self.least > 1 => format!("take out cards of {}", self.range.counted(off)),
            _ => format!("take out all cards of {}", self.range.counted(off)),
        };
        found.push(
            Violation::of_deck(failing, message, mend)
                .advising(self.range.advised(&self.name, count, contents))
                .in_section(section)
                .with_numbers(limit, count),
        );
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        let mut terms = Vec::new();
        for group in 0..self.groups.len() as u32 {
            let chosen = self
                .groups
                .members(group)
                .iter()
                .filter(|card| self.cards.has(**card));
            let held: Vec<_> = chosen
                .flat_map(|card| linear.sum(*card, self.sections, 1))
                .collect();
            if held.is_empty() {
                continue;
            }
            let flag = match self.least {
                1 => linear.any(&held),
                least => {
                    let enough = linear.off(held.clone(), Some(least), None);
                    let short = linear.off(held, None, Some(least - 1));
                    linear.means(vec![(enough, 1), (short, 1)], Some(1), Some(1));
                    enough
                }
            };
            terms.push((flag, 1));
        }
        let strangers = match linear.stranger_copies(self.sections) {
            0 => 0,
            _ => 1 << 36,
        };
        self.range.linear(linear, terms, 0, strangers);
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        let chosen = |card: &crate::pool::CardId| self.cards.has(*card);
        let values = (0..self.groups.len() as u32)
            .filter(|group| self.groups.members(*group).iter().any(chosen))
            .count() as i64;
        let idle = self.range.idle(values)?;
        let _ = pool;
        Some(format!(
            "the pool has {} in all, so {idle}",
            self.range.counted(values)
        ))
    }

    fn demand(&self) -> String {
        match self.range.wanted() {
            Some(wanted) => format!(
                "The {} must have {wanted}{}.",
                self.name,
                self.with_so_many()
            ),
            None => format!(
                "A number of {} for the {} that the rules text does not give.",
                self.field, self.name
            ),
        }
    }
}
