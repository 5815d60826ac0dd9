//! `copies`: how many copies of one card there may be, flat or by a weight.

use super::amount::{Amount, Bound, Worth};
use super::contents::each_card;
use super::groups::Groups;
use super::{Cards, Compile, Constraint, Contents, Failing, Linear, SectionSet, Violation, Where};
use crate::pool::{CardId, Pool};
use crate::text::counted;
use crate::yaml::Spanned;
use serde::Deserialize;
use std::sync::Arc;

/// The terms of a `copies` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Copies {
    /// The sections in which copies are added up, together.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards are limited; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// Fields whose values make cards one and the same: their copies are added up. A card with
    /// several values counts for each; one without any, for its name. `name` is the name.
    #[serde(default)]
    pub by: Vec<Spanned<String>>,
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
    max: Bound,
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

/// The cards of a group, for a message: ` (…)`, or nothing where one bears its name, or where
/// they are many.
fn members(group: &str, cards: &[CardId], contents: &Contents<'_>) -> String {
    const MOST_NAMED: usize = 4;
    let called = crate::name::fold(group);
    if cards.len() > MOST_NAMED || cards.iter().any(|card| contents.folded(*card) == called) {
        return String::new();
    }
    let names = cards
        .iter()
        .map(|card| format!("`{}`", contents.name(*card)));
    let names: Vec<String> = names.collect();
    format!(" ({})", crate::text::listed(&names, "and"))
}

/// What a group, or a card alone, comes to.
#[derive(Debug, Clone, Copy)]
struct Sum {
    copies: i64,
    /// Copies times weight.
    total: i64,
    /// The smallest bound of the cards there.
    max: Option<Worth>,
}

impl Limited {
    fn weight(&self, card: CardId) -> i64 {
        match &self.weight {
            Some((_, column)) => column[card.index()],
            None => 1,
        }
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

    #[cold]
    fn excess(
        &self,
        contents: &Contents<'_>,
        card: CardId,
        group: Option<(&str, &[CardId])>,
        sum: Sum,
        max: i64,
    ) -> Violation {
        let (copies, total) = (sum.copies, sum.total);
        let name = match group {
            Some((group, cards)) => format!("`{group}`{}", members(group, cards, contents)),
            None => format!("`{}`", contents.name(card)),
        };
        let weight = self.weight.as_ref().map(|(field, _)| field);
        let alone = group.is_none();
        let (allowed, message) = match weight {
            Some(field) if alone => {
                let weight = self.weight(card);
                let allowed = max.checked_div(weight).unwrap_or(copies);
                let message = format!(
                    "{} of {name} at {field} {weight} make {total} in the {}; a card's copies may come to {max} {field}{}, so {} may be there",
                    counted(copies, "copy"),
                    self.name,
                    self.max.origin_of(contents, card),
                    counted(allowed, "copy")
                );
                (allowed, message)
            }
            Some(field) => {
                let message = format!(
                    "all copies of {name} in the {} come to {total} {field}, and at most {max} may be there{}",
                    self.name,
                    self.max.origin_of(contents, card)
                );
                (copies - 1, message)
            }
            None => {
                let message = format!(
                    "{} of {name} in the {}, and at most {max} may be there{}",
                    counted(copies, "copy"),
                    self.name,
                    self.max.origin_of(contents, card)
                );
                (max, message)
            }
        };
        let mend = match allowed {
            _ if weight.is_some() && !alone => "take out some of them".to_owned(),
            ..=0 => format!("take it out of the {}", self.name),
            _ => format!("take out {}", counted(copies - allowed, "copy")),
        };
        let sections = self
            .also_in
            .map_or(self.sections, |also| SectionSet(self.sections.0 & !also.0));
        let place = match self.also_in {
            _ if group.is_some() => Where::First(card, self.sections),
            Some(_) => Where::Passing(card, sections, 0),
            None => Where::Passing(card, sections, allowed),
        };
        let unit = weight.map_or_else(String::new, |field| format!(" {field}"));
        let advice = format!(
            "{} of `{name}` in the {}; the rules text recommends at most {max}{unit}{}",
            counted(copies, "copy"),
            self.name,
            self.max.origin(contents)
        );
        Violation::of_deck(Failing::Excess, message, mend)
            .advising(advice)
            .in_section(self.sections.single())
            .with_numbers(max, total)
            .about(card, place)
    }

    /// Judges cards that a field makes one and the same.
    fn judge_groups(
        &self,
        groups: &Groups,
        contents: &Contents<'_>,
        shared: Worth,
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
                        let own = self.max.of_card(shared, held);
                        sum.max = match (sum.max, own) {
                            (Some(least), Some(own)) if own.number >= least.number => Some(least),
                            (least, own) => own.or(least),
                        };
                        true
                    });
                    if let Some(max) = sum.max.filter(|max| also && sum.total > max.number) {
                        found.push(match max.sure {
                            true => {
                                let mut cards = Vec::new();
                                groups.each_held(*group, contents, self.sections, |held, _| {
                                    cards.extend(self.cards.has(held).then_some(held));
                                    true
                                });
                                let named = Some((groups.name(*group), cards.as_slice()));
                                let mut violation =
                                    self.excess(contents, card, named, sum, max.number);
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

    #[cold]
    fn unsure(&self, contents: &Contents<'_>, card: CardId) -> Violation {
        let message = format!(
            "not verified: the pool does not tell how many copies of `{}` are allowed",
            contents.name(card)
        );
        Violation::unverified(message)
            .in_section(self.sections.single())
            .about(card, Where::First(card, self.sections))
    }
}

impl Constraint for Limited {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        if let Some(unset) = &self.unset {
            found.push(unset.clone());
            return;
        }
        let Some(shared) = self.max.worth(contents) else {
            return;
        };
        if let Some((_, groups)) = &self.by {
            self.judge_groups(groups, contents, shared, found);
        } else {
            each_card(
                contents.known_in(self.sections),
                self.sections,
                |card, copies| {
                    let Some(max) = self.max.of_card(shared, card) else {
                        return;
                    };
                    let total = copies.saturating_mul(self.weight(card));
                    if total > max.number && self.counts(contents, card) {
                        let sum = Sum {
                            copies,
                            total,
                            max: None,
                        };
                        found.push(match max.sure {
                            true => self.excess(contents, card, None, sum, max.number),
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
            let few = copies <= if self.max.is_own() { 1 } else { shared.number };
            if self.weight.is_none() && (few || !also) {
                return;
            }
            let sum = Sum {
                copies,
                total: copies,
                max: None,
            };
            found.push(
                match plain && self.cards.is_all() && shared.sure && self.by.is_none() {
                    true => self.excess(contents, card, None, sum, shared.number),
                    false => self.unsure(contents, card),
                },
            );
        });
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        let Some(bound) = self.max.linear(linear).filter(|bound| bound.sure) else {
            return;
        };
        let less: Vec<_> = bound.terms.iter().map(|(at, by)| (*at, -by)).collect();
        if let Some((_, groups)) = &self.by {
            for group in 0..groups.len() as u32 {
                self.linear_group(groups.members(group), &bound, &less, linear);
            }
            return;
        }
        let known = linear.pool().ids().filter(|card| self.cards.has(*card));
        let strangers = match self.weight.is_none() && self.cards.is_all() && !self.max.is_own() {
            true => linear.strangers(),
            false => Vec::new(),
        };
        for card in known.chain(strangers) {
            let known = card.index() < linear.pool().len();
            let own = if known {
                self.max.own_linear(card)
            } else {
                Some(0)
            };
            let Some(own) = own else { continue };
            let max = bound.constant.saturating_add(own);
            let weight = if known { self.weight(card) } else { 1 };
            let mut terms = linear.sum(card, self.sections, weight);
            let high = match (weight, less.is_empty()) {
                (1.., true) => {
                    terms = linear.sum(card, self.sections, 1);
                    max.div_euclid(weight).max(0)
                }
                (_, true) if max < 0 => {
                    terms = linear.sum(card, self.sections, 1);
                    0
                }
                (_, true) => continue,
                (_, false) => {
                    // A negative bound lets no copy in, and says nothing where there is none.
                    terms.extend(&less);
                    max
                }
            };
            let when = self.also_in.map(|also| linear.present(card, also));
            let when = match less.is_empty() {
                true => when,
                false => {
                    let here = linear.present(card, self.sections);
                    Some(when.map_or(here, |when| linear.both(when, here)))
                }
            };
            linear.guarded(bound.when, |linear| {
                linear.row_if(when, terms, None, Some(high))
            });
        }
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        if self.unset.is_some() {
            return None;
        }
        if self.cards.count(pool) == 0 {
            return Some("no card of the pool is limited, so this can never fail".to_owned());
        }
        let mut limited = pool.ids().filter(|card| self.cards.has(*card));
        let weighs = |card: CardId| self.weight(card) > 0 && self.max.own_linear(card).is_some();
        if !limited.any(weighs) {
            return Some("no card's copies come to anything, so this can never fail".to_owned());
        }
        let never = self.max.constant().is_some_and(|max| max < 0);
        never.then(|| "less than no copies can never be".to_owned())
    }

    fn demand(&self) -> String {
        let what = match &self.by {
            Some((fields, _)) => format!("cards of the same {fields}"),
            None => "a card".to_owned(),
        };
        match (self.unset.is_some(), &self.weight) {
            (true, _) => {
                format!(
                    "At most {} copies of {what}, a number that the rules text does not give.",
                    self.max.words()
                )
            }
            (false, Some((field, _))) => format!(
                "The {field} of all copies of {what} in the {} may come to at most {}.",
                self.name,
                self.max.words()
            ),
            (false, None) => match self.max.constant() {
                Some(max) => format!(
                    "At most {} of {what} in the {}.",
                    counted(max, "copy"),
                    self.name
                ),
                None => format!(
                    "At most as many copies of {what} in the {} as this: {}.",
                    self.name,
                    self.max.told()
                ),
            },
        }
    }
}

impl Limited {
    /// Demands the limit of cards that are one and the same: together they stay within the
    /// bound of each of those that are there.
    fn linear_group(
        &self,
        members: &[CardId],
        bound: &super::amount::LinearBound,
        less: &[(super::linear::Unknown, i64)],
        linear: &mut Linear<'_>,
    ) {
        let members: Vec<CardId> = members
            .iter()
            .copied()
            .filter(|card| self.cards.has(*card))
            .collect();
        let Some(first) = members.first().copied() else {
            return;
        };
        let mut terms = less.to_vec();
        for card in &members {
            terms.extend(linear.sum(*card, self.sections, self.weight(*card)));
        }
        // Where all have the same fixed bound, whether one is there need not be asked.
        let same = members.iter().all(|card| self.max.same_own(first, *card));
        let plain = same && less.is_empty() && self.also_in.is_none();
        let enough = self
            .max
            .own_linear(first)
            .map(|own| bound.constant.saturating_add(own));
        if let Some(max) = enough.filter(|max| plain && *max >= 0) {
            linear.guarded(bound.when, |linear| linear.row(terms, None, Some(max)));
            return;
        }
        let copies: Vec<_> = members
            .iter()
            .flat_map(|card| linear.sum(*card, self.sections, 1))
            .collect();
        let also = self.also_in.map(|also| {
            let held: Vec<_> = members
                .iter()
                .flat_map(|card| linear.sum(*card, also, 1))
                .collect();
            linear.any(&held)
        });
        let classes = match same {
            true => vec![(first, copies)],
            false => members
                .iter()
                .map(|card| (*card, linear.sum(*card, self.sections, 1)))
                .collect(),
        };
        for (card, held) in classes {
            let Some(own) = self.max.own_linear(card) else {
                continue;
            };
            let here = linear.any(&held);
            let when = also.map_or(here, |also| linear.both(also, here));
            let max = bound.constant.saturating_add(own);
            let terms = terms.clone();
            linear.guarded(bound.when, |linear| {
                linear.row_if(Some(when), terms, None, Some(max))
            });
        }
    }
}
