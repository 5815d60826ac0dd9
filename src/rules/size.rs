//! `size`: how many cards there are, all or those that a query picks.

use super::{
    Cards, Compile, Constraint, Contents, Failing, Linear, SectionSet, Term, Unset, Violation,
};
use crate::pool::Pool;
use crate::text::{counted, listed};
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
    pub min: Option<Spanned<Term>>,
    /// The most.
    #[serde(default)]
    pub max: Option<Spanned<Term>>,
    /// Just so many.
    #[serde(default)]
    pub exactly: Option<Spanned<Term>>,
    /// Any of these numbers.
    #[serde(default)]
    pub one_of: Vec<Spanned<Term>>,
    /// What is counted, in the singular: `card` without it.
    #[serde(default)]
    pub called: Option<String>,
}

#[derive(Debug)]
pub(super) struct Sized {
    sections: SectionSet,
    name: String,
    cards: Cards,
    min: Option<i64>,
    max: Option<i64>,
    one_of: Vec<i64>,
    called: String,
    unset: Option<Violation>,
}

impl Size {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Sized {
        let sections = with.section_set(&self.sections);
        let mut unset = Unset::new();
        let exactly = with.given(self.exactly.as_ref(), &mut unset);
        let min = with.given(self.min.as_ref(), &mut unset);
        let max = with.given(self.max.as_ref(), &mut unset);
        let one_of: Vec<i64> = (self.one_of.iter())
            .filter_map(|term| with.given(Some(term), &mut unset))
            .collect();
        let numbers = [&self.exactly, &self.min, &self.max];
        let first = numbers.into_iter().flatten().chain(&self.one_of).next();
        match (min, max) {
            (Some(least), Some(most)) if least > most => with.refuse(
                format!("at least {least} and at most {most} cards cannot both be"),
                self.min
                    .as_ref()
                    .map_or_else(Default::default, |term| term.span),
            ),
            _ if first.is_none() => with.refuse(
                "a `size` needs a number: `min`, `max`, `exactly` or `one-of`".to_owned(),
                self.sections
                    .first()
                    .map_or_else(Default::default, |name| name.span),
            ),
            _ => {}
        }
        if let (Some(exactly), true) = (&self.exactly, self.min.is_some() || self.max.is_some()) {
            with.refuse(
                "`exactly` leaves nothing for `min` and `max` to say".to_owned(),
                exactly.span,
            );
        }
        let name = with.section_names(sections);
        let names: Vec<&str> = unset.iter().map(String::as_str).collect();
        let what = format!("{} number of cards for the {name}", listed(&names, "and"));
        Sized {
            sections,
            name,
            unset: (!names.is_empty())
                .then(|| Violation::unset(&what, &names).in_section(sections.single())),
            cards: with.cards(self.cards.as_ref()),
            min: exactly.or(min),
            max: exactly.or(max),
            one_of,
            called: self.called.clone().unwrap_or_else(|| "card".to_owned()),
        }
    }
}

impl Sized {
    fn wanted(&self) -> String {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => counted(min, &self.called),
            (Some(min), Some(max)) => format!("{min} to {}", counted(max, &self.called)),
            (Some(min), None) => format!("at least {}", counted(min, &self.called)),
            (None, Some(max)) => format!("at most {}", counted(max, &self.called)),
            (None, None) => {
                let numbers: Vec<String> = self.one_of.iter().map(i64::to_string).collect();
                format!("{} {}s", listed(&numbers, "or"), self.called)
            }
        }
    }

    /// The number that a count should have been, and whether more cards would reach it.
    fn missed(&self, count: i64) -> Option<(i64, Failing)> {
        if let Some(min) = self.min.filter(|min| count < *min) {
            return Some((min, Failing::Shortfall));
        }
        if let Some(max) = self.max.filter(|max| count > *max) {
            return Some((max, Failing::Excess));
        }
        if self.one_of.is_empty() || self.one_of.contains(&count) {
            return None;
        }
        let above = self
            .one_of
            .iter()
            .copied()
            .filter(|option| *option > count)
            .min();
        let most = self.one_of.iter().copied().max().unwrap_or(0);
        Some(above.map_or((most, Failing::Excess), |next| (next, Failing::Shortfall)))
    }
}

impl Sized {
    /// Whether some count from `low` to `high` would do.
    fn may_be_met(&self, low: i64, high: i64) -> bool {
        let first = self.min.map_or(low, |min| min.max(low));
        let options = self.one_of.iter().copied();
        std::iter::once(first)
            .chain(options)
            .any(|count| (low..=high).contains(&count) && self.missed(count).is_none())
    }
}

impl Constraint for Sized {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let section = self.sections.single();
        found.extend(self.unset.clone());
        let mut count = contents.count(self.sections, |card| self.cards.has(card));
        let strangers = contents.count_unknown(self.sections);
        if self.cards.is_all() {
            count += strangers;
        } else if strangers > 0 {
            // Any of the unknown cards may be of those counted.
            if self.may_be_met(count, count.saturating_add(strangers)) {
                if self.missed(count).is_some() || self.missed(count + strangers).is_some() {
                    let message = format!(
                        "not verified: {} in the {} may or may not be a {}",
                        counted(strangers, "unknown card"),
                        self.name,
                        self.called
                    );
                    found.push(Violation::unverified(message).in_section(section));
                }
                return;
            }
        }
        let Some((limit, failing)) = self.missed(count) else {
            return;
        };
        let message = format!(
            "the {} must have {}, and has {count}",
            self.name,
            self.wanted()
        );
        let change = counted((limit - count).abs(), &self.called);
        let mend = match failing {
            Failing::Shortfall => format!("add {change}"),
            Failing::Excess | Failing::Unverified => format!("take out {change}"),
        };
        found.push(
            Violation::of_deck(failing, message, mend)
                .in_section(section)
                .with_numbers(limit, count),
        );
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        if self.min.is_none() && self.max.is_none() && self.one_of.is_empty() {
            return;
        }
        let mut terms = Vec::new();
        for card in linear.pool().ids().filter(|card| self.cards.has(*card)) {
            terms.extend(linear.sum(card, self.sections, 1));
        }
        let strangers = linear.stranger_copies(self.sections);
        if self.cards.is_all() {
            for card in linear.strangers() {
                terms.extend(linear.sum(card, self.sections, 1));
            }
        } else if strangers > 0 {
            // Any of the unknown cards may be of those counted.
            terms.push((linear.number(0, strangers), 1));
        }
        let total = linear.total(terms);
        if let Some(min) = self.min {
            linear.at_least(total, min);
        }
        if let Some(max) = self.max {
            linear.at_most(total, max);
        }
        if self.one_of.is_empty() {
            return;
        }
        let options: Vec<_> = self
            .one_of
            .iter()
            .map(|option| (linear.flag(), *option))
            .collect();
        linear.row(
            options.iter().map(|(flag, _)| (*flag, 1)).collect(),
            Some(1),
            Some(1),
        );
        let mut terms: Vec<_> = options
            .iter()
            .map(|(flag, option)| (*flag, -option))
            .collect();
        terms.push((total, 1));
        linear.row(terms, Some(0), Some(0));
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        if self.unset.is_some() {
            return None;
        }
        let most = match self.cards.count(pool) {
            0 => 0,
            _ => i64::MAX,
        };
        let of_what = match most {
            0 => format!("no {} is in the pool, so ", self.called),
            _ => String::new(),
        };
        if !self.may_be_met(0, most) {
            return Some(format!("{of_what}no deck can ever pass"));
        }
        let breaks = |count: i64| (0..=most).contains(&count) && self.missed(count).is_some();
        let ends = [
            Some(0),
            self.min.map(|min| min - 1),
            self.max.and_then(|max| max.checked_add(1)),
        ];
        let beyond = self
            .one_of
            .iter()
            .max()
            .and_then(|last| last.checked_add(1));
        (!ends.into_iter().chain([beyond]).flatten().any(breaks))
            .then(|| format!("{of_what}no deck can ever fail"))
    }

    fn demand(&self) -> String {
        if self.min.is_none() && self.max.is_none() && self.one_of.is_empty() {
            return format!(
                "A number for the {} that the rules text does not give.",
                self.name
            );
        }
        format!("The {} must have {}.", self.name, self.wanted())
    }
}
