//! `options`: every card takes one of several options, some of which have room for so many.

use super::demand::{Cond, Leaf, Name, Num, Strangers, Weights};
use super::{
    Compile, Constraint, Contents, Failing, Fault, Linear, Number, SectionSet, Violation, Where,
};
use crate::game::Term;
use crate::pool::{CardId, CardSet, Pool};
use crate::text::{counted, listed};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// So many options, at most, may have a limit.
const MOST_LIMITED: usize = 10;

/// The terms of an `options` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// The sections whose cards take options, together.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards need an option; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The options. A card that fits several may take any of them: a deck is right if its copies
    /// can be shared out so that no option has too many.
    pub options: Vec<OptionTerms>,
}

/// One option.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OptionTerms {
    /// A card query: which cards may take it.
    pub cards: Spanned<String>,
    /// How many copies may take it; any number without it.
    #[serde(default)]
    pub limit: Option<Spanned<Term>>,
}

/// Options, ready to be asked. Copies can be shared out just where, for each set of limited
/// options, the cards that fit no other are no more than the set has room for (Hall's theorem).
#[derive(Debug)]
pub(super) struct SharedOut {
    sections: SectionSet,
    name: String,
    /// Which cards need one, behind the word for them.
    which: String,
    /// The options that have room for any number, in words behind "cards".
    free: Vec<String>,
    /// Those that have room for so many.
    limited: Vec<(String, i64)>,
    /// By set of limited options, that those who fit no other are not too many.
    shares: Vec<Share>,
    unset: Option<Violation>,
}

/// What the cards that fit only some of the limited options may come to.
#[derive(Debug)]
struct Share {
    /// The options, a bit each; none: cards that fit no option at all.
    options: u32,
    limit: i64,
    cards: Leaf,
    cond: Cond,
}

impl Options {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> SharedOut {
        let sections = with.section_set(&self.sections);
        let needing = with.cards(self.cards.as_ref());
        let (mut free, mut limited) = (Vec::new(), Vec::new());
        let (mut any, mut of_limited): (Vec<CardSet>, Vec<CardSet>) = (Vec::new(), Vec::new());
        let mut unset = Vec::new();
        if self.options.is_empty() {
            with.refuse("`options` names no option".to_owned(), with.rule);
        }
        for option in &self.options {
            let (set, words) = (
                with.card_set(&option.cards),
                with.which(Some(&option.cards)),
            );
            let Some(limit) = &option.limit else {
                free.push(words);
                any.push(set);
                continue;
            };
            match with.number(limit) {
                Number::Is(number) => {
                    limited.push((words, number));
                    of_limited.push(set);
                }
                Number::Unset(name) => unset.push(name),
            }
        }
        if limited.len() > MOST_LIMITED {
            let message = format!("at most {MOST_LIMITED} options may have a `limit`");
            with.refuse(message, with.rule);
            limited.clear();
            of_limited.clear();
        }
        let name = with.section_names(sections);
        let names: Vec<&str> = unset.iter().map(String::as_str).collect();
        let what = format!("limit of an option for the {name}");
        let mut optional = SharedOut {
            unset: (!names.is_empty())
                .then(|| Violation::unset(&what, &names).in_section(sections.single())),
            sections,
            name,
            which: with.which(self.cards.as_ref()),
            free,
            limited,
            shares: Vec::new(),
        };
        // The limited options of each card that fits no other.
        let masks: Vec<Option<u32>> = with
            .pool
            .ids()
            .map(|card| {
                let is_free = any.iter().any(|set| set.has(card));
                let bits = of_limited.iter().enumerate();
                let bits = bits.filter(|(_, set)| set.has(card));
                (needing.has(card) && !is_free)
                    .then(|| bits.fold(0, |mask, (at, _)| mask | 1 << at))
            })
            .collect();
        optional.share_out(&masks, with);
        optional
    }
}

impl SharedOut {
    fn share_out(&mut self, masks: &[Option<u32>], with: &Compile<'_>) {
        let mut sets: BTreeSet<u32> = BTreeSet::from([0]);
        for mask in masks.iter().flatten().collect::<BTreeSet<&u32>>() {
            let more: Vec<u32> = sets.iter().map(|set| set | mask).collect();
            sets.extend(more);
        }
        for options in sets {
            // Cards that fit no option at all are told by themselves.
            let within = |mask: &Option<u32>| {
                mask.is_some_and(|mask| mask & !options == 0 && (mask == 0) == (options == 0))
            };
            let cards = CardSet::of(masks.len(), |card| within(&masks[card.index()]));
            let own = self.limited.iter().enumerate();
            let own = own.filter(|(at, _)| options >> at & 1 == 1);
            let limit = own.fold(0_i64, |sum, (_, (_, limit))| sum.saturating_add(*limit));
            let cards = Leaf {
                cards: Weights::Set(cards),
                sections: self.sections,
                // Nobody knows what an unknown card fits.
                strangers: Strangers::Any(0, 1),
                name: Name {
                    which: self.words(options),
                    place: with.section_names(self.sections),
                    ..Name::default()
                },
            };
            let num = Num::Sum(Box::new(cards.clone()));
            self.shares.push(Share {
                options,
                limit,
                cond: Cond::Within(num, None, Some(Num::Const(limit))),
                cards,
            });
        }
        self.shares.sort_by_key(|share| share.options.count_ones());
    }

    /// Some of the limited options, in words behind "cards".
    fn words(&self, options: u32) -> String {
        let own = self.limited.iter().enumerate();
        let own = own.filter(|(at, _)| options >> at & 1 == 1);
        let words = own.map(|(_, (words, _))| words.trim_start().to_owned());
        let words: Vec<String> = words.collect();
        format!(" {}", listed(&words, "or"))
    }

    #[cold]
    fn missed(&self, share: &Share, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let cards = share.cards.there(contents);
        if share.options == 0 {
            for card in cards {
                let copies = share.cards.copies(contents, card);
                let message = format!(
                    "`{}` fits none of the options of the {}",
                    contents.name(card),
                    self.name
                );
                let help = "take it out".to_owned();
                let place = Where::First(card, self.sections);
                found.push(
                    Violation::of_deck(Failing::Excess, message, help)
                        .for_fault(Fault::Forbidden)
                        .in_section(self.sections.single())
                        .with_numbers(0, copies)
                        .about(card, place)
                        .keeping(self.sections, 0),
                );
            }
            return;
        }
        let (number, _) = share.cards.sum(contents);
        let several = share.options.count_ones() > 1;
        let fit = if number == 1 { "fits" } else { "fit" };
        let (options, room) = match several {
            true => ("options", "which together have room"),
            false => ("option", "which has room"),
        };
        let message = format!(
            "{} in the {} {fit} only the {options} of cards{}, {room} for {}",
            counted(number, "card"),
            self.name,
            self.words(share.options),
            share.limit
        );
        let off = number.saturating_sub(share.limit);
        let such = super::contents::such_as(contents, &cards);
        found.push(
            Violation::of_deck(
                Failing::Excess,
                message,
                format!("take out {off} of them{such}"),
            )
            .in_section(self.sections.single())
            .with_numbers(share.limit, number)
            .naming(cards),
        );
    }
}

impl Constraint for SharedOut {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        if let Some(unset) = &self.unset {
            found.push(unset.clone());
            return;
        }
        let mut missed: Vec<u32> = Vec::new();
        let (mut open, mut is_missed) = (false, false);
        for share in &self.shares {
            match share.cond.holds(contents) {
                Some(true) => {}
                None => open = true,
                // Fewer options that have too many cards say it more plainly.
                Some(false) if missed.iter().any(|less| less & !share.options == 0) => {}
                Some(false) => {
                    missed.extend((share.options != 0).then_some(share.options));
                    is_missed = true;
                    self.missed(share, contents, found);
                }
            }
        }
        if open && !is_missed {
            let strangers = contents.count_unknown(self.sections);
            let message = format!(
                "not verified: the pool does not tell which options {} in the {} may take",
                counted(strangers, "unknown card"),
                self.name
            );
            found.push(Violation::unverified(message).in_section(self.sections.single()));
        }
    }

    fn demand(&self) -> String {
        let free = self.free.iter().map(|words| format!("cards{words}"));
        let limited = self.limited.iter();
        let limited =
            limited.map(|(words, limit)| format!("at most {}{words}", counted(*limit, "card")));
        let each: Vec<String> = free.chain(limited).collect();
        format!(
            "Every card{} in the {} must take one of these options: {}.",
            self.which,
            self.name,
            each.join("; ")
        )
    }

    fn cond(&self, _: &Linear<'_>) -> Cow<'_, Cond> {
        let asked = self.shares.iter().filter(|_| self.unset.is_none());
        let each = asked.map(|share| share.cond.clone());
        Cow::Owned(Cond::All(each.collect()))
    }

    fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let each = self
            .shares
            .iter()
            .flat_map(|share| share.cards.there(contents));
        let mut cards: Vec<CardId> = each.collect();
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        let bound = |share: &Share| !share.cards.weighed(pool.len()).is_empty();
        (self.unset.is_none() && !self.shares.iter().any(bound)).then(|| {
            "every card of the pool fits an option without a limit, so this can never fail"
                .to_owned()
        })
    }
}
