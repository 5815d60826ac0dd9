//! `options`: every card takes one of several options, and some options have a limit.

use crate::game::Term;
use crate::rules::bounded::such_as;
use crate::rules::demand::{BrokenDemand, Demand, Of};
use crate::rules::tree::{Cond, Leaf, Name, UnknownCards, Weights};
use crate::rules::violation::{Fault, Where};
use crate::rules::{Compile, SectionSet, Violation};
use decklaw_cards::pool::CardSet;
use decklaw_text::text::{counted, listed};
use decklaw_text::yaml::Spanned;
use serde::Deserialize;
use std::collections::BTreeSet;

/// The most options that may have a limit.
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

/// The most of the cards that fit only some of the limited options. Copies can be shared out
/// just where each such set has room for them (Hall's theorem).
struct Share {
    /// The options, a bit each; none: cards that fit no option at all.
    options: u32,
    words: String,
    limit: i64,
    cond: Cond,
}

impl Options {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let place = with.section_names(sections);
        let needing = with.cards(self.cards.as_ref());
        let (mut parts, mut free, mut limited) = (Vec::new(), Vec::new(), Vec::new());
        let mut unset = Vec::new();
        if self.options.is_empty() {
            with.refuse("`options` names no option".to_owned(), with.rule);
        }
        for option in &self.options {
            let cards = with.card_set(&option.cards);
            let words = with.which(Some(&option.cards));
            match &option.limit {
                None => {
                    parts.push(format!("cards{words}"));
                    free.push(cards);
                }
                Some(limit) => {
                    if let Some(limit) = with.given(Some(limit), &mut unset) {
                        parts.push(format!("at most {}{words}", counted(limit, "card")));
                        limited.push((words.trim_start().to_owned(), limit, cards));
                    }
                }
            }
        }
        if limited.len() > MOST_LIMITED {
            let message = format!("at most {MOST_LIMITED} options may have a `limit`");
            with.refuse(message, with.rule);
            limited.clear();
        }
        // The limited options of each card that fits no other.
        let masks: Vec<Option<u32>> = with
            .pool
            .ids()
            .map(|card| {
                let is_free = free.iter().any(|set| set.has(card));
                let bits = limited.iter().enumerate();
                let bits = bits.filter(|(_, (_, _, set))| set.has(card));
                (needing.has(card) && !is_free)
                    .then(|| bits.fold(0, |mask, (at, _)| mask | 1 << at))
            })
            .collect();
        let limits = limited.into_iter().map(|(words, limit, _)| (words, limit));
        let limits: Vec<(String, i64)> = limits.collect();
        let unset =
            Violation::unset(&format!("limit of an option for the {place}"), &unset, sections);
        let shares = match &unset {
            Some(_) => Vec::new(),
            None => shares(&masks, &limits, sections, &place),
        };
        let of = Of::Deck(Cond::All(shares.iter().map(|share| share.cond.clone()).collect()));
        let words = format!(
            "Every card{} in the {place} must take one of these options: {}.",
            with.which(self.cards.as_ref()),
            parts.join("; ")
        );
        let demand = Demand::new(sections, of, words, move |broken, was, found| {
            let Some(share) = shares.get(broken.item as usize) else {
                return;
            };
            // Fewer options that have too many cards say it more plainly.
            let is_smaller = |less: &&Share| {
                less.options != 0
                    && less.options != share.options
                    && less.options & !share.options == 0
            };
            let mut smaller = shares.iter().filter(is_smaller);
            if smaller.any(|less| less.cond.holds(broken.contents) == Some(false)) {
                return;
            }
            match share.options {
                0 => fit_none(broken, &was, &place, found),
                _ => found.push(share.too_many(broken, was, &place)),
            }
        });
        Demand { unset, reports_each: true, filled_in: None, ..demand }
    }
}

/// The shares of all sets of limited options.
fn shares(
    masks: &[Option<u32>],
    limits: &[(String, i64)],
    sections: SectionSet,
    place: &str,
) -> Vec<Share> {
    let mut sets: BTreeSet<u32> = BTreeSet::from([0]);
    for mask in masks.iter().flatten().collect::<BTreeSet<&u32>>() {
        let more: Vec<u32> = sets.iter().map(|set| set | mask).collect();
        sets.extend(more);
    }
    let share = |options: u32| {
        // A card that fits no option has a violation of its own.
        let within = |mask: &Option<u32>| {
            mask.is_some_and(|mask| mask & !options == 0 && (mask == 0) == (options == 0))
        };
        let cards = CardSet::of(masks.len(), |card| within(&masks[card.index()]));
        let own = limits.iter().enumerate();
        let own = own.filter(|(at, _)| options >> at & 1 == 1);
        let own: Vec<&(String, i64)> = own.map(|(_, limit)| limit).collect();
        let limit = own.iter().map(|(_, limit)| *limit);
        let limit = limit.fold(0, i64::saturating_add);
        let words: Vec<&str> = own.iter().map(|(words, _)| words.as_str()).collect();
        let words = format!(" {}", listed(&words, "or"));
        let leaf = Leaf {
            name: Name { which: words.clone(), place: place.to_owned(), ..Name::default() },
            // Nobody knows what an unknown card fits.
            ..Leaf::of(Weights::Set(cards), sections).with_unknown(UnknownCards::Any(0, 1))
        };
        Share { options, words, limit, cond: Cond::at_most(leaf.num(), limit) }
    };
    let mut shares: Vec<Share> = sets.into_iter().map(share).collect();
    shares.sort_by_key(|share| share.options.count_ones());
    shares
}

/// That cards fit no option at all, one by one.
#[cold]
fn fit_none(
    broken: &BrokenDemand<'_, '_>,
    was: &Violation,
    place: &str,
    found: &mut Vec<Violation>,
) {
    broken.blame.num.leaves(&mut |leaf| {
        leaf.held(broken.contents, |card, copies, _| {
            let name = broken.contents.name(card);
            let mut violation = was.clone().with_numbers(0, copies).say(
                format!("`{name}` fits none of the options of the {place}"),
                "remove it".to_owned(),
            );
            violation.fault = Fault::Forbidden;
            violation.keep = Some((leaf.sections, 0));
            found.push(violation.about(card, Where::First(card, leaf.sections)));
        });
    });
}

impl Share {
    #[cold]
    fn too_many(&self, broken: &BrokenDemand<'_, '_>, was: Violation, place: &str) -> Violation {
        let cards = broken.blame.num.there(broken.contents);
        let number = broken.blame.least;
        let fit = if number == 1 { "fits" } else { "fit" };
        let (options, room) = match self.options.count_ones() {
            1 => ("option", "which has room"),
            _ => ("options", "which together have room"),
        };
        let message = format!(
            "{} in the {place} {fit} only the {options} of cards{}, {room} for {}",
            counted(number, "card"),
            self.words,
            self.limit
        );
        let such = such_as(broken.contents, cards.iter().map(|card| (1, *card)));
        let mut violation =
            was.say(message, format!("remove {} of them{such}", broken.blame.off()));
        violation.name(cards);
        violation
    }
}
