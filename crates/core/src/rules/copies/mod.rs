//! `copies`: how many copies of one card there may be, flat or by a weight.

mod cond;
mod findings;

use super::amount::{Amount, Bound};
use super::contents::each_card;
use super::demand::{Cond, Num, Span};
use super::fields::Key;
use super::groups::Groups;
use super::{Cards, Compile, Constraint, Contents, Linear, SectionSet, Violation};
use crate::pool::{CardId, Pool};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::Arc;

/// The terms of a `copies` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Copies {
    /// The sections in which copies are added up, together.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards are limited; all without one. Others are not counted, either.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// Fields whose values make cards one and the same: their copies are added up. A card with
    /// several values counts for each; one without any, for its name. `name` is the name.
    /// A list within the list are fields whose values make them so together: `by: [[title, pitch]]`;
    /// of these a card may lack some, and is then alike to those that lack the same.
    #[serde(default)]
    pub by: Vec<Key>,
    /// The most copies, or with a weight, the most that copies times weight may come to. A
    /// card whose own number is asked for and has none is not limited.
    pub max: Spanned<Amount>,
    /// A number field that weighs each copy; 1 without one.
    #[serde(default)]
    pub weight: Option<Spanned<String>>,
    /// Only cards that this section holds too; with `by`, where it holds any of the same.
    #[serde(default)]
    pub also_in: Option<Spanned<String>>,
}

#[derive(Debug)]
pub(super) struct Limited {
    sections: SectionSet,
    name: String,
    cards: Cards,
    /// Which cards, behind the word for them.
    of: String,
    max: Bound,
    /// What the deck's cards make of it, beside a card's own number, and the conditions on which
    /// there is none.
    shared: (Num, Vec<Cond>),
    /// What to say when nobody gave the number; made once, since any deck may need it.
    unset: Option<Violation>,
    weight: Option<(String, Vec<i64>)>,
    also_in: Option<SectionSet>,
    by: Option<(String, Arc<Groups>)>,
}

impl Copies {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Limited {
        let sections = with.section_set(&self.sections);
        let also_in = self
            .also_in
            .as_ref()
            .map(|name| SectionSet::only(with.section(name)));
        let name = with.section_names(sections);
        let max = Bound::compile(&self.max, true, with);
        let what = format!("number of copies of a card for the {name}");
        Limited {
            sections,
            unset: max.unset_notice(&what, sections),
            name,
            cards: with.cards(self.cards.as_ref()),
            of: with.which(self.cards.as_ref()),
            shared: (max.num(), max.silent()),
            max,
            weight: self
                .weight
                .as_ref()
                .map(|field| (field.value.clone(), with.numbers(field))),
            also_in,
            by: with.grouped(&self.by, true),
        }
    }
}

/// What a group, or a card alone, comes to.
#[derive(Debug, Clone, Copy)]
struct Sum {
    copies: i64,
    /// Copies times weight.
    total: i64,
    /// The smallest bound of the cards there, by what unknown cards may be, and the card whose it
    /// is.
    max: Option<(Span, CardId)>,
}

impl Limited {
    fn weight(&self, card: CardId) -> i64 {
        match &self.weight {
            Some((_, column)) => column[card.index()],
            None => 1,
        }
    }

    /// What the deck's cards make of the bound; `None`: there is none, as far as cards are known.
    #[inline]
    fn shared(&self, contents: &Contents<'_>) -> Option<Span> {
        let (num, silent) = &self.shared;
        let mut silent = silent.iter().map(|silent| silent.holds(contents));
        let spoken = silent.all(|silent| silent == Some(false));
        spoken.then(|| num.value(contents))
    }

    /// The most copies of a card, at least and at most, where the bound without its own number is
    /// `shared`; `None`: it is not limited.
    #[inline]
    fn most(&self, shared: Span, card: CardId) -> Option<Span> {
        let own = self.max.own(card)?;
        Some((shared.0.saturating_add(own), shared.1.saturating_add(own)))
    }

    /// Whether a card is limited at all.
    #[inline]
    fn counts(&self, contents: &Contents<'_>, card: CardId) -> bool {
        self.cards.has(card)
            && self.also_in.is_none_or(|section| {
                let held = contents.of_card(card).iter();
                let mut inside = held.map(|holding| section.has(usize::from(holding.section)));
                inside.any(|inside| inside)
            })
    }

    /// Judges cards that a field makes one and the same.
    fn judge_groups(
        &self,
        groups: &Groups,
        contents: &Contents<'_>,
        shared: Span,
        found: &mut Vec<Violation>,
    ) {
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, _| {
                if !self.cards.has(card) {
                    return;
                }
                for group in groups.of_card(card) {
                    let first = groups.is_first(*group, card, contents, self.sections, |held| {
                        self.cards.has(held)
                    });
                    if !first {
                        continue;
                    }
                    let mut sum = Sum {
                        copies: 0,
                        total: 0,
                        max: None,
                    };
                    let mut also = self.also_in.is_none();
                    if let Some(section) = self.also_in {
                        groups.each_held(*group, contents, section, |held, _| {
                            also |= self.cards.has(held);
                            !also
                        });
                    }
                    groups.each_held(*group, contents, self.sections, |held, copies| {
                        if !self.cards.has(held) {
                            return true;
                        }
                        sum.copies = sum.copies.saturating_add(copies);
                        sum.total = sum
                            .total
                            .saturating_add(copies.saturating_mul(self.weight(held)));
                        let own = self.most(shared, held).map(|own| (own, held));
                        sum.max = match (sum.max, own) {
                            (Some((most, limiting)), Some((own, held))) => {
                                let limiting = if own.1 < most.1 { held } else { limiting };
                                Some(((most.0.min(own.0), most.1.min(own.1)), limiting))
                            }
                            (most, own) => most.or(own),
                        };
                        true
                    });
                    let over = |((least, _), _): &(Span, CardId)| also && sum.total > *least;
                    if let Some(((_, max), _)) = sum.max.filter(over) {
                        found.push(match sum.total > max {
                            true => {
                                let mut cards = Vec::new();
                                groups.each_held(*group, contents, self.sections, |held, _| {
                                    cards.extend(self.cards.has(held).then_some(held));
                                    true
                                });
                                let named = Some((groups.name(*group), cards.as_slice()));
                                let mut violation = self.excess(contents, card, named, sum, max);
                                violation.cards = cards;
                                violation
                            }
                            false => self.unsure(contents, card),
                        });
                    }
                }
            },
        );
    }
}

impl Constraint for Limited {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        if let Some(unset) = &self.unset {
            found.push(unset.clone());
            return;
        }
        let Some(shared) = self.shared(contents) else {
            return;
        };
        if let Some((_, groups)) = &self.by {
            self.judge_groups(groups, contents, shared, found);
        } else {
            each_card(
                contents.known_in(self.sections),
                self.sections,
                |card, copies| {
                    let Some((least, max)) = self.most(shared, card) else {
                        return;
                    };
                    let total = copies.saturating_mul(self.weight(card));
                    if total > least && self.counts(contents, card) {
                        let sum = Sum {
                            copies,
                            total,
                            max: None,
                        };
                        found.push(match total > max {
                            true => self.excess(contents, card, None, sum, max),
                            false => self.unsure(contents, card),
                        });
                    }
                },
            );
        }
        if contents.unknown().is_empty() {
            return;
        }
        let plain = self.weight.is_none() && !self.max.is_own();
        each_card(contents.unknown(), self.sections, |card, copies| {
            let also = self.also_in.is_none_or(|section| {
                let held = contents.of_card(card).iter();
                held.clone()
                    .any(|holding| section.has(usize::from(holding.section)))
            });
            // One copy of a card that the pool does not know is no news beside that.
            let few = copies <= if self.max.is_own() { 1 } else { shared.0 };
            if self.weight.is_none() && (few || !also) {
                return;
            }
            let sum = Sum {
                copies,
                total: copies,
                max: None,
            };
            found.push(
                match plain && self.cards.is_all() && copies > shared.1 && self.by.is_none() {
                    true => self.excess(contents, card, None, sum, shared.1),
                    false => self.unsure(contents, card),
                },
            );
        });
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        if self.unset.is_some() {
            return None;
        }
        if self.cards.count(pool) == 0 {
            return Some("no card of the pool is limited, so this can never fail".to_owned());
        }
        let mut limited = pool.ids().filter(|card| self.cards.has(*card));
        let weighs = |card: CardId| self.weight(card) > 0 && self.max.own(card).is_some();
        if !limited.any(weighs) {
            return Some("no card's copies come to anything, so this can never fail".to_owned());
        }
        let never = self.max.constant().is_some_and(|max| max < 0);
        never.then(|| "less than no copies can never be".to_owned())
    }

    fn doubt(&self, pool: &Pool) -> Option<String> {
        let (fields, groups) = self.by.as_ref().filter(|_| self.max.is_own())?;
        (0..groups.len() as u32).find_map(|group| {
            let members = groups.members(group).iter().copied();
            let mut members = members.filter(|card| self.cards.has(*card));
            let first = members.next()?;
            let other = members.find(|card| self.max.own(first) != self.max.own(*card))?;
            let [one, two] = [first, other].map(|card| {
                let number = self.max.own(card);
                let number = number.map_or("none".to_owned(), |number| number.to_string());
                format!("`{}` ({number})", pool.name(card))
            });
            Some(format!(
                "{one} and {two} are of one {fields} and differ in their own number: the least of those that a deck holds counts for all of them, so give each the number that is meant"
            ))
        })
    }

    fn demand(&self) -> String {
        self.words()
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        Cow::Owned(self.demanded(of))
    }
}
