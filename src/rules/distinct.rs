//! `distinct`: how many different cards there may be, with bounds that may grow.

use super::amount::{Amount, FromCards, Round};
use super::contents::{each_card, picked, such_as};
use super::fields::Key;
use super::groups::Groups;
use super::range::{Asked, Bounds, Range};
use super::{Cards, Compile, Constraint, Contents, Failing, Linear, SectionSet, Violation};
use crate::game::Term;
use crate::pool::{CardId, Pool};
use crate::text::{counted, there_are};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::sync::Arc;

/// The terms of a `distinct` rule. At least one of the numbers is given.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Distinct {
    /// The sections whose cards are counted, each name once.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards count; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// Fields whose values make cards one and the same, as for `copies`; a list within the list are fields whose
    /// values do so together.
    #[serde(default)]
    pub by: Vec<Key>,
    /// The fewest.
    #[serde(default)]
    pub min: Option<Spanned<Amount>>,
    /// The most.
    #[serde(default)]
    pub max: Option<Spanned<Amount>>,
    /// Just so many.
    #[serde(default)]
    pub exactly: Option<Spanned<Amount>>,
    /// What is added to the most.
    #[serde(default)]
    pub plus: Option<Share>,
    /// What is counted, in the singular: `card` without it.
    #[serde(default)]
    pub called: Option<String>,
}

/// A share of a total, rounded down.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Share {
    /// The sections totalled.
    pub sections: Vec<Spanned<String>>,
    /// A card query: the cards totalled.
    pub cards: Spanned<String>,
    /// The number field totalled, every copy counted.
    pub field: Spanned<String>,
    /// One more for each so many; at least 1.
    pub per: Spanned<i64>,
}

#[derive(Debug)]
pub(super) struct Different {
    sections: SectionSet,
    name: String,
    cards: Cards,
    by: Option<(String, Arc<Groups>)>,
    range: Range,
}

impl Distinct {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Different {
        let sections = with.section_set(&self.sections);
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            one_of: &[],
        };
        let called = format!("different {}", self.called.as_deref().unwrap_or("card"));
        let of = self.cards.as_ref().filter(|_| self.called.is_none());
        let mut range = bounds.compile("distinct", (&called, false), of, sections, with);
        if let Some(share) = &self.plus {
            if self.max.is_none() {
                with.refuse("`plus` adds to a `max`".to_owned(), share.per.span);
            }
            let from = FromCards {
                base: None,
                of: share.sections.clone(),
                field: Some(share.field.clone()),
                cards: Some(share.cards.clone()),
                per: Some(share.per.clone()),
                round: Round::Down,
                times: None,
                otherwise: Some(Spanned {
                    value: Term::Number(0),
                    span: share.per.span,
                }),
            };
            range = range.more(&from, share.per.span, with);
        }
        Different {
            sections,
            name: with.section_names(sections),
            cards: with.cards(self.cards.as_ref()),
            by: with.grouped(&self.by, true),
            range,
        }
    }
}

impl Different {
    /// How many different known cards a deck has.
    fn count(&self, contents: &Contents<'_>) -> i64 {
        let mut count = 0_i64;
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, _| {
                if !self.cards.has(card) {
                    return;
                }
                count += match &self.by {
                    None => 1,
                    Some((_, groups)) => {
                        let chosen = |held| self.cards.has(held);
                        let own = groups.of_card(card).iter();
                        own.filter(|group| {
                            groups.is_first(**group, card, contents, self.sections, chosen)
                        })
                        .count() as i64
                    }
                };
            },
        );
        count
    }
}

impl Constraint for Different {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let section = self.sections.single();
        found.extend(self.range.unset().cloned());
        let mut count = self.count(contents);
        let mut strangers = 0_i64;
        each_card(contents.unknown(), self.sections, |_, _| strangers += 1);
        if self.cards.is_all() && self.by.is_none() {
            count += strangers;
            strangers = 0;
        }
        let (limit, failing) = match self.range.asked(count, count + strangers, contents) {
            Asked::Met => return,
            Asked::Missed(limit, failing) => (limit, failing),
            Asked::Open => {
                let (_, most) = self.range.ends(contents);
                let may = most.map_or_else(String::new, |most| {
                    format!("{} may be there, and ", most.number)
                });
                let message = format!(
                    "not verified: the {} has {} different cards, {may}some are unknown",
                    self.name,
                    count + strangers
                );
                found.push(Violation::unverified(message).in_section(section));
                return;
            }
        };
        let picked = match failing == Failing::Excess && !self.cards.is_all() {
            true => self.counted(contents),
            false => Vec::new(),
        };
        let (message, mend) = match failing {
            Failing::Excess => (
                format!(
                    "{} in the {}, and at most {limit} may be there{}",
                    self.range.counted(count),
                    self.name,
                    self.range.origin(contents)
                ),
                format!(
                    "take out all copies of {}{}",
                    counted(count - limit, "card"),
                    such_as(contents, &picked)
                ),
            ),
            _ => (
                format!(
                    "the {} must have {}; {}",
                    self.name,
                    self.range.wanted_here(contents),
                    there_are(count)
                ),
                self.range.mend(count, limit),
            ),
        };
        let violation = Violation::of_deck(failing, message, mend)
            .advising(self.range.advised(&self.name, count, contents))
            .in_section(section)
            .with_numbers(limit, count);
        found.push(violation.naming(picked));
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        let mut terms = Vec::new();
        match &self.by {
            Some((_, groups)) => {
                for group in 0..groups.len() as u32 {
                    let chosen = groups
                        .members(group)
                        .iter()
                        .filter(|card| self.cards.has(**card));
                    let held: Vec<_> = chosen
                        .flat_map(|card| linear.sum(*card, self.sections, 1))
                        .collect();
                    if !held.is_empty() {
                        terms.push((linear.any(&held), 1));
                    }
                }
            }
            None => {
                for card in linear.pool().ids().filter(|card| self.cards.has(*card)) {
                    let flag = match self.range.has_least() {
                        true => linear.any(&linear.sum(card, self.sections, 1).collect::<Vec<_>>()),
                        false => linear.present(card, self.sections),
                    };
                    terms.push((flag, 1));
                }
            }
        }
        let mut strangers = Vec::new();
        for card in linear.strangers() {
            let held = linear.contents().of_card(card).iter();
            let mut inside = held.map(|holding| self.sections.has(usize::from(holding.section)));
            strangers.extend(inside.any(|inside| inside).then_some(card));
        }
        let (sure, open) = match self.cards.is_all() && self.by.is_none() {
            true => (strangers.len() as i64, 0),
            false => (0, strangers.len() as i64),
        };
        self.range.linear(linear, terms, sure, open);
    }

    fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        picked(contents, self.sections, |card| self.cards.has(card))
    }

    fn filled_in(&self) -> Option<SectionSet> {
        Some(self.sections.and(self.range.least_of()))
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        let most = match &self.by {
            None => self.cards.count(pool) as i64,
            Some((_, groups)) => groups.len() as i64,
        };
        let idle = self.range.idle(most)?;
        Some(format!("of {} different cards that count, {idle}", most))
    }

    fn demand(&self) -> String {
        let by = match &self.by {
            Some((fields, _)) => format!(", cards of the same {fields} counted once"),
            None => String::new(),
        };
        match self.range.wanted(&format!(" in the {}{by}", self.name)) {
            Some(wanted) => {
                let mut letters = wanted.chars();
                let first = letters.next().map(|first| first.to_uppercase().to_string());
                format!("{}{}.", first.unwrap_or_default(), letters.as_str())
            }
            None => format!(
                "A number of different cards for the {} that the rules text does not give.",
                self.name
            ),
        }
    }
}
