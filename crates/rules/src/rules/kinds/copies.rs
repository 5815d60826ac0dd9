//! `copies`: how many copies of one card there may be, flat or by a weight.

use crate::rules::amount::{Amount, Bound};
use crate::rules::contents::each_card;
use crate::rules::demand::{BrokenDemand, Demand, Lazy, Notice, Of, Unknown};
use crate::rules::fields::{Key, apart_from_name};
use crate::rules::groups::Groups;
use crate::rules::tree::{Cond, Leaf, Num, Weights, bracketed};
use crate::rules::violation::Where;
use crate::rules::{Cards, Compile, Contents, SectionSet, Violation};
use decklaw_cards::pool::CardId;
use decklaw_text::text::{counted, listed};
use decklaw_text::yaml::Spanned;
use serde::Deserialize;
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
    /// A list within the list are fields whose values make them so together: `by: [[title,
    /// pitch]]`; of these a card may lack some, and is then alike to those that lack the same.
    #[serde(default)]
    pub by: Vec<Key>,
    /// The most copies, or with a weight, the most of copies times weight. A
    /// card whose own number is asked for and has none is not limited.
    pub max: Spanned<Amount>,
    /// A number field that weighs each copy; 1 without one.
    #[serde(default)]
    pub weight: Option<Spanned<String>>,
    /// Only cards that this section holds too; with `by`, where it holds any of the same.
    #[serde(default)]
    pub also_in: Option<Spanned<String>>,
}

/// The limit of each card, or of cards that are one and the same.
struct Limit {
    sections: SectionSet,
    also_in: Option<SectionSet>,
    /// What it is called, where cards must be in it, too.
    also: Option<String>,
    cards: Cards,
    max: Bound,
    /// What the deck's cards make of it, but for a card's own number.
    shared: Num,
    weights: Option<Vec<i64>>,
    /// How many cards the pool has.
    known: usize,
}

impl Limit {
    fn weight(&self, card: CardId) -> i64 {
        match &self.weights {
            Some(column) => column[card.index()],
            None => 1,
        }
    }

    /// That a number is at most the limit of a card with such a number of its own.
    fn at_most(&self, num: Num, own: i64, mut unless: Vec<Cond>) -> Cond {
        unless.extend(self.max.silent.iter().cloned());
        Cond::Within(num, None, Some(self.shared.plus(own))).unless(unless)
    }

    /// What is demanded of a card by itself.
    fn of_card(&self, card: CardId) -> Option<Cond> {
        if card.index() >= self.known {
            return Some(self.of_unknown(card));
        }
        let own = self.max.own(card).filter(|_| self.cards.has(card))?;
        let copies = Leaf::of_card(card, self.sections, self.known);
        let also = self.also_in;
        let also = also.map(|also| Leaf::of_card(card, also, self.known).is_absent());
        let weight = self.weight(card);
        let mut unless: Vec<Cond> = also.into_iter().collect();
        match self.shared.plus(own) {
            Num::Const(0..) if weight <= 0 => return None,
            Num::Const(0..) => {}
            // A negative bound lets no copy in, and says nothing where there is none.
            _ => unless.push(copies.is_absent()),
        }
        let weighed = Leaf::of(Weights::Few(vec![(card, weight)]), self.sections);
        Some(self.at_most(weighed.num(), own, unless))
    }

    /// The same of a card that the pool does not know.
    fn of_unknown(&self, card: CardId) -> Cond {
        // Nobody knows what a copy weighs.
        if self.weights.is_some() {
            return Cond::never();
        }
        let copies = Leaf::of_card(card, self.sections, self.known);
        let also = self.also_in;
        let also = also.map(|also| Leaf::of_card(card, also, self.known).is_absent());
        let unless = also.into_iter().collect();
        // One copy of an unknown card is no news next to that it is unknown.
        if self.max.is_own() {
            Cond::at_most(copies.num(), 1).unless(unless)
        } else {
            self.at_most(copies.num(), 0, unless)
        }
    }

    /// What is demanded of cards that are one and the same: together they stay within the limit
    /// of each of them that is there.
    fn of_group(&self, groups: &Groups, group: u32) -> Option<Cond> {
        let members = groups.members(group).iter().copied();
        let members: Vec<CardId> = members.filter(|card| self.cards.has(*card)).collect();
        let first = *members.first()?;
        let weighed = members.iter().map(|card| (*card, self.weight(*card)));
        let total = Leaf::of(Weights::Few(weighed.collect()), self.sections).num();
        let few = |sections| Leaf::of_few(members.iter().copied(), sections).is_absent();
        let also: Vec<Cond> = self.also_in.map(few).into_iter().collect();
        let own = self.max.own(first);
        if members.iter().all(|card| self.max.own(*card) == own) {
            let own = own?;
            let fixed = self.shared.constant().is_some_and(|most| most + own >= 0);
            let here = (!fixed).then(|| few(self.sections));
            return Some(self.at_most(total, own, also.into_iter().chain(here).collect()));
        }
        // The smallest limit is blamed first.
        let mut limits: Vec<(i64, CardId)> =
            members.iter().filter_map(|card| Some((self.max.own(*card)?, *card))).collect();
        limits.sort_unstable();
        let limit = |(own, card): (i64, CardId)| {
            let here = Leaf::of_card(card, self.sections, self.known).is_absent();
            let unless = also.iter().cloned().chain([here]).collect();
            self.at_most(total.clone(), own, unless)
        };
        Some(Cond::All(limits.into_iter().map(limit).collect()))
    }
}

impl Copies {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let also_in = self.also_in.as_ref().map(|name| with.section(name));
        let also = also_in.map(|section| with.section_name(section));
        let also_in = also_in.map(SectionSet::only);
        let place = with.section_names(sections);
        let max = Bound::compile(&self.max, true, with);
        let what = format!("number of copies of a card for the {place}");
        let unset = Violation::unset(&what, &max.unset, sections);
        let by = with.grouped(apart_from_name(&self.by), true);
        let weight = self.weight.as_ref();
        let limit = Arc::new(Limit {
            sections,
            also_in,
            also,
            cards: with.cards(self.cards.as_ref()),
            shared: max.num(),
            max: max.clone(),
            weights: weight.map(|field| with.numbers(field)),
            known: with.pool.len(),
        });
        let fields = by.as_ref().map(|(fields, _)| fields);
        let counted_in = place.clone() + &limit.also("if ", fields.is_some());
        let words = self.words(&counted_in, fields, &max, with);
        let plain = weight.is_none() && !max.is_own() && limit.cards.is_all() && by.is_none();
        let (own, is_unset) = (Arc::clone(&limit), unset.is_some());
        let groups = by.as_ref().map(|(_, groups)| Arc::clone(groups));
        let unsure = Arc::clone(&limit);
        let cond = match groups.clone() {
            _ if is_unset => Lazy::new(0, |_| None),
            None => Lazy::new(limit.known, move |card| own.of_card(CardId(card))),
            Some(groups) => Lazy::new(groups.len(), move |group| own.of_group(&groups, group)),
        };
        let of = Of::Each { groups, cond, always: Vec::new() };
        let field = weight.map(|field| field.value.clone());
        let demand = Demand::new(sections, of, words, move |broken, was, found| {
            let group = by.as_ref().map(|(fields, groups)| (&**fields, groups.name(broken.item)));
            found.push(limit.explain(was, broken, group, field.as_deref(), &place));
        });
        let (unknown, notice): (Unknown, Option<Notice>) = match (plain, &demand.of) {
            _ if is_unset => (Unknown::Pass, None),
            (true, _) => (Unknown::Judged, None),
            (false, Of::Each { groups: None, .. }) => (Unknown::Unsure, None),
            // An unknown card may be of any group.
            (false, _) => {
                (Unknown::Pass, Some(Box::new(move |rule, contents| unsure.unsure(rule, contents))))
            }
        };
        Demand { unset, unknown, notice, ..demand }
    }

    fn words(
        &self,
        place: &str,
        fields: Option<&String>,
        max: &Bound,
        with: &Compile<'_>,
    ) -> String {
        let of = with.which(self.cards.as_ref());
        let what = match fields {
            Some(fields) => format!("cards{of} of the same {fields}"),
            None => format!("a card{of}"),
        };
        let limit = match max.constant() {
            Some(_) => String::new(),
            None => "this: ".to_owned(),
        };
        match (&self.weight, max.constant()) {
            (Some(field), _) => format!(
                "The {} of all copies of {what} in the {place} is at most {limit}{}.",
                field.value,
                max.words()
            ),
            (None, Some(max)) => {
                format!("At most {} of {what} in the {place}.", counted(max, "copy"))
            }
            (None, None) => {
                format!("At most this many copies of {what} in the {place}: {}.", max.words())
            }
        }
    }
}

impl Limit {
    /// In which section cards are, too: ` (it is also in the side deck)`. Nothing where any may be.
    fn also(&self, before: &str, is_group: bool) -> String {
        let what = if is_group { "one of them" } else { "it" };
        let also = self.also.as_ref();
        also.map_or_else(String::new, |also| format!(" ({before}{what} is also in the {also})"))
    }

    /// The notices of unknown cards that may break it.
    fn unsure(&self, rule: &str, contents: &Contents<'_>) -> Vec<Violation> {
        let mut found = Vec::new();
        each_card(contents.unknown(), self.sections, |card, _| {
            if self.of_unknown(card).holds(contents) != Some(true) {
                let open = Violation::open(contents, &[rule]);
                let open = open.in_section(self.sections.single());
                found.push(open.about(card, Where::First(card, self.sections)));
            }
        });
        found
    }

    /// What broke, of a card, or of the cards that are one by some fields and what they have in
    /// common.
    fn explain(
        &self,
        mut was: Violation,
        broken: &BrokenDemand<'_, '_>,
        by: Option<(&str, &str)>,
        field: Option<&str>,
        place: &str,
    ) -> Violation {
        const MOST_NAMED: usize = 4;
        let (contents, card) = (broken.contents, broken.card());
        let (total, most) = (broken.blame.least, broken.blame.limit);
        let copies_of =
            |card| Leaf::of_card(card, self.sections, self.known).copies(contents, card);
        let copies: i64 = broken.cards.iter().map(|card| copies_of(*card)).sum();
        let weight = field.map_or(1, |_| self.weight(card));
        let allowed = match by {
            None => most.checked_div(weight).unwrap_or(copies),
            Some(_) => most,
        };
        if by.is_none() {
            let others = self.also_in.map(|also| SectionSet(self.sections.0 & !also.0));
            was.place = match others {
                Some(others) => Where::Passing(card, others, 0),
                None => Where::Passing(card, self.sections, allowed),
            };
            was.keep = Some((self.sections, allowed.max(0)));
        } else {
            was.place = Where::First(card, self.sections);
        }
        if contents.is_wordless() {
            return was;
        }
        let names = broken.cards.iter().map(|card| format!("`{}`", contents.name(*card)));
        let names: Vec<String> = names.collect();
        let what = match (by, names.as_slice()) {
            (_, [only]) => format!("{} of {only}", counted(copies, "copy")),
            (Some((fields, group)), names) if names.len() <= MOST_NAMED => {
                let cards = counted(copies, "card");
                format!("{cards} of the {fields} `{group}` ({})", listed(names, "and"))
            }
            (by, _) => {
                let (fields, group) = by.unwrap_or_default();
                format!("{} of the {fields} `{group}`", counted(copies, "card"))
            }
        };
        let also = self.also("", by.is_some());
        let origin = self.max.origin_of(&broken.cards, contents);
        let message = match (field, by) {
            (Some(field), None) => {
                let origin = if origin.is_empty() { origin } else { format!(": {origin}") };
                format!(
                    "{} has {weight} {field}: at most {} ({most} {field} per card{origin}), the {place} has {copies}{also}",
                    broken.name(),
                    counted(allowed, "copy")
                )
            }
            (field, _) => {
                let sum = field.map_or(String::new(), |field| format!(" have {total} {field}"));
                let origin = bracketed(&origin);
                format!("{what} in the {place}{sum}; at most {most} allowed{origin}{also}")
            }
        };
        let help = match (field, by) {
            (Some(_), Some(_)) => "remove some of them".to_owned(),
            _ if allowed <= 0 => format!("remove it from the {place}"),
            _ => format!("remove {}", counted(copies - allowed, "copy")),
        };
        was.say(message, help)
    }
}
