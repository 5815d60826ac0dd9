//! `values`: how many different values of a field the cards of a deck have.

mod cover;

use super::amount::Amount;
use super::contents::{each_card, picked};
use super::fields::Key;
use super::groups::Groups;
use super::linear::Unknown;
use super::range::{Asked, Bounds, Range};
use super::relation::Mode;
use super::{Cards, Compile, Constraint, Contents, Failing, Linear, SectionSet, Violation};
use crate::name::fold;
use crate::pool::{CardId, Pool};
use crate::text::{counted, listed, singular, some_of, spaced, there_are};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::collections::BTreeMap;
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
    /// The field: a word, a number, text, `name`, or a list, each item of which is a value.
    pub field: Spanned<String>,
    /// The values that count; all without it.
    #[serde(default)]
    pub among: Option<Vec<Spanned<String>>>,
    /// A value counts only where at least so many copies have it; 1 without it.
    #[serde(default)]
    pub with_at_least: Option<Spanned<i64>>,
    /// Whether all values of a card count, or any one of them will do: with `any`, the most is
    /// how many values there may be of which each card has one. All without it.
    #[serde(default)]
    pub mode: Option<Spanned<Mode>>,
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
    /// Which cards, behind the word for them; nothing where the range says it.
    of: String,
    groups: Arc<Groups>,
    /// Values that should count, that no card of the pool has and that the game does not name.
    vain: Vec<String>,
    least: i64,
    /// Whether one value of a card will do.
    any: bool,
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
        let mut different = format!("different {}", singular(&spaced(&self.field.value)));
        if let Some(among) = &self.among {
            let among: Vec<&str> = among.iter().map(|value| value.value.as_str()).collect();
            different += &format!(" among {}", listed(&among, "and"));
        }
        let called = (self.called.as_deref().unwrap_or(&different), false);
        let of = self.cards.as_ref().filter(|_| self.called.is_none());
        if let Some(least) = self.with_at_least.as_ref().filter(|least| least.value < 1) {
            with.refuse("`with-at-least` must be at least 1".to_owned(), least.span);
        }
        let any = self.mode.as_ref().filter(|mode| mode.value == Mode::Any);
        if let Some(any) = any
            && (self.min.is_some() || self.exactly.is_some() || self.with_at_least.is_some())
        {
            let message = "where any value of a card will do, there is a `max` and nothing else";
            with.refuse(message.to_owned(), any.span);
        }
        let groups = with.grouped(&[Key::One(self.field.clone())], false);
        let mut groups = groups.map(|(_, groups)| groups).unwrap_or_default();
        let mut vain = Vec::new();
        if let Some(among) = &self.among {
            let counts = self.counting(among, &groups, &mut vain, with);
            groups = Arc::new(groups.only(|group| counts.contains(&group)));
        }
        Valued {
            sections,
            name: with.section_names(sections),
            cards: with.cards(self.cards.as_ref()),
            field: self.field.value.clone(),
            of: with.which(self.cards.as_ref().filter(|_| of.is_none())),
            groups,
            vain,
            least: self
                .with_at_least
                .as_ref()
                .map_or(1, |least| least.value.max(1)),
            any: any.is_some(),
            range: bounds.compile("values", called, of, sections, with),
        }
    }

    /// The groups of the values that count; `vain` takes those that no card has and the game
    /// does not name, which are most likely misspelt.
    fn counting(
        &self,
        among: &[Spanned<String>],
        groups: &Groups,
        vain: &mut Vec<String>,
        with: &mut Compile<'_>,
    ) -> Vec<u32> {
        if among.is_empty() {
            with.refuse("`among` names no value".to_owned(), self.field.span);
        }
        let mut fields = with.pool.fields().iter();
        let field = fields.find(|own| own.name == self.field.value).cloned();
        let named: Vec<&str> = field.iter().flat_map(crate::pool::Field::words).collect();
        let mut counting = Vec::new();
        for value in among {
            let word = match &field {
                Some(field) => field.canonical(&value.value),
                None => Some(std::borrow::Cow::Borrowed(value.value.as_str())),
            };
            let Some(word) = word else {
                let known = listed(&named, "and");
                let message = format!(
                    "no `{}` of `{}`; the values are {known}",
                    value.value, self.field.value
                );
                with.refuse(message, value.span);
                continue;
            };
            match groups.find(&fold(&word)) {
                Some(group) => counting.push(group),
                None if named.contains(&&*word) => {}
                None => vain.push(value.value.clone()),
            }
        }
        counting
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

    /// The values that count: all, or the fewest of which each card has one.
    fn counted(&self, contents: &Contents<'_>) -> Vec<u32> {
        let mut all = Vec::new();
        if !self.any {
            self.each(contents, |group| all.push(group));
            return all;
        }
        let mut cards: Vec<&[u32]> = Vec::new();
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, _| {
                let own = self.groups.of_card(card);
                if self.cards.has(card) && !own.is_empty() {
                    cards.push(own);
                }
            },
        );
        cover::smallest(cards)
    }

    /// The copies that the deck has of each value that counts, the fewest first.
    fn by_copies(&self, contents: &Contents<'_>) -> Vec<(i64, u32)> {
        let mut copies: BTreeMap<u32, i64> = BTreeMap::new();
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, held| {
                if self.cards.has(card) {
                    for group in self.groups.of_card(card) {
                        *copies.entry(*group).or_default() += held;
                    }
                }
            },
        );
        let mut copies: Vec<(i64, u32)> = copies.into_iter().map(|(at, held)| (held, at)).collect();
        copies.sort_by_key(|(held, group)| (*held, self.groups.name(*group)));
        copies
    }

    /// So many values of which the deck has the fewest copies.
    fn rarest(&self, contents: &Contents<'_>, count: usize) -> Vec<&str> {
        let all = self.by_copies(contents).into_iter().take(count);
        all.map(|(_, group)| self.groups.name(group)).collect()
    }

    /// What to take out, so that each card that is left has one of so many values: the cards that
    /// lack those which most copies have, one value after the other.
    #[cold]
    fn all_but(&self, contents: &Contents<'_>, limit: i64) -> String {
        let mut left: Vec<(CardId, i64)> = Vec::new();
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, held| {
                if self.cards.has(card) && !self.groups.of_card(card).is_empty() {
                    left.push((card, held));
                }
            },
        );
        let mut kept: Vec<&str> = Vec::new();
        for _ in 0..limit {
            let mut copies: BTreeMap<u32, i64> = BTreeMap::new();
            for (card, held) in &left {
                for group in self.groups.of_card(*card) {
                    *copies.entry(*group).or_default() += held;
                }
            }
            let most = |(group, held): &(&u32, &i64)| (**held, self.groups.name(**group));
            let Some((most, _)) = copies.iter().max_by_key(most) else {
                break;
            };
            left.retain(|(card, _)| !self.groups.of_card(*card).contains(most));
            kept.push(self.groups.name(*most));
        }
        kept.sort_unstable();
        if kept.is_empty() || left.is_empty() {
            return format!("leave only cards of {}", self.range.counted(limit));
        }
        let others = left
            .iter()
            .map(|(card, _)| format!("`{}`", contents.name(*card)));
        format!(
            "take out what is not {}: {}",
            listed(&kept, "or"),
            some_of(&others.collect::<Vec<String>>(), 5)
        )
    }

    fn with_so_many(&self) -> String {
        match self.least {
            _ if self.any => " of which each card has one".to_owned(),
            1 => String::new(),
            least => format!(" with at least {} each", counted(least, "card")),
        }
    }
}

impl Valued {
    /// Demands that of each card's values one is chosen.
    fn demand_one(&self, flags: &[Option<Unknown>], linear: &mut Linear<'_>) {
        for card in linear.pool().ids().filter(|card| self.cards.has(*card)) {
            let own = self.groups.of_card(card).iter();
            let own = own.filter_map(|group| flags.get(*group as usize).copied().flatten());
            let own: Vec<(Unknown, i64)> = own.map(|flag| (flag, 1)).collect();
            if !own.is_empty() {
                linear.needs(card, self.sections, &own, 0);
            }
        }
    }
}

impl Constraint for Valued {
    fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let counts = |card: CardId| self.cards.has(card) && !self.groups.of_card(card).is_empty();
        picked(contents, self.sections, counts)
    }

    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let section = self.sections.single();
        found.extend(self.range.unset().cloned());
        let mut count = 0_i64;
        match self.any {
            true => count = self.counted(contents).len() as i64,
            false => self.each(contents, |_| count += 1),
        }
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
        let those = self.counted(contents).into_iter();
        let mut names: Vec<&str> = those.map(|group| self.groups.name(group)).collect();
        names.sort_unstable();
        let which = match names.as_slice() {
            [] => String::new(),
            names => format!(" ({})", listed(names, "and")),
        };
        let so_many = self.with_so_many();
        let wanted = self.range.wanted_here(contents);
        let message = match self.any {
            true if limit == 1 && failing == Failing::Excess => format!(
                "the cards of the {} have no {} in common; it takes {count} for each card to have one of them{which}",
                self.name,
                self.range.called()
            ),
            true => format!(
                "the {} must have {wanted}{so_many}, and it takes {count}{which}",
                self.name
            ),
            false => format!(
                "the {} must have {wanted}{so_many}; {}{which}",
                self.name,
                there_are(count)
            ),
        };
        let (off, cards) = (self.range.amount((limit - count).abs()), self.range.cards());
        let more = off.replacen(' ', " more ", 1);
        let least = counted(self.least, "card");
        let each = if (limit - count).abs() > 1 {
            " each"
        } else {
            ""
        };
        let mend = match failing {
            Failing::Shortfall if self.least > 1 => {
                format!("bring {more} to at least {least}{each}")
            }
            Failing::Shortfall => format!("add {cards} of {more}"),
            _ if self.least > 1 => format!("leave fewer than {least} of {off}"),
            _ if self.any => self.all_but(contents, limit),
            _ => {
                let rare = self.rarest(contents, (count - limit).unsigned_abs() as usize);
                let such = if limit > 0 { ", such as" } else { ":" };
                format!(
                    "take out all {cards} of {off}{such} {}",
                    listed(&rare, "and")
                )
            }
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
        let mut flags: Vec<Option<Unknown>> = vec![None; self.groups.len()];
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
                // One that may be chosen, where it is needed.
                _ if self.any => linear.flag(),
                1 => linear.any(&held),
                least => {
                    let enough = linear.off(held.clone(), Some(least), None);
                    let short = linear.off(held, None, Some(least - 1));
                    linear.means(vec![(enough, 1), (short, 1)], Some(1), Some(1));
                    enough
                }
            };
            flags[group as usize] = Some(flag);
            terms.push((flag, 1));
        }
        if self.any {
            self.demand_one(&flags, linear);
        }
        let strangers = match linear.stranger_copies(self.sections) {
            0 => 0,
            _ => 1 << 36,
        };
        self.range.linear(linear, terms, 0, strangers);
    }

    fn filled_in(&self) -> Option<SectionSet> {
        Some(self.sections.and(self.range.least_of()))
    }

    fn idle(&self, _pool: &Pool) -> Option<String> {
        if let [first, ..] = self.vain.as_slice() {
            return Some(format!(
                "no card of the pool has the {} `{first}`, which `among` names",
                spaced(&self.field)
            ));
        }
        let chosen = |card: &crate::pool::CardId| self.cards.has(*card);
        let values = (0..self.groups.len() as u32)
            .filter(|group| self.groups.members(*group).iter().any(chosen))
            .count() as i64;
        let idle = self.range.idle(values)?;
        Some(format!(
            "the pool has {} in all, so {idle}",
            self.range.counted(values)
        ))
    }

    fn demand(&self) -> String {
        let counting = match self.of.as_str() {
            "" => String::new(),
            of => format!(", counting only cards{of}"),
        };
        match self.range.wanted(&self.with_so_many()) {
            Some(wanted) => format!("The {} must have {wanted}{counting}.", self.name),
            None => format!(
                "A number of {} for the {} that the rules text does not give.",
                self.field, self.name
            ),
        }
    }
}
