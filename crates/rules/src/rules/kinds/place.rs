//! Where cards may be, and where they must be: `accept`, `avoid`, `disjoint`, `within` and
//! `whole-pool`.

use crate::rules::demand::{BrokenDemand, Demand, Lazy, Of, Unknown};
use crate::rules::tree::{Cond, Leaf, Num};
use crate::rules::violation::{Failing, Fault, Where};
use crate::rules::{Compile, SectionSet};
use decklaw_cards::pool::{CardId, CardSet, Pool};
use decklaw_cards::query::Query;
use decklaw_text::text::{counted, listed};
use decklaw_text::yaml::Spanned;
use serde::Deserialize;

/// The terms of an `accept` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Accept {
    /// The section.
    pub section: Spanned<String>,
    /// A card query: what it takes.
    pub cards: Spanned<String>,
    /// Why others are refused, a clause.
    pub because: String,
}

impl Accept {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let here = SectionSet::only(with.section(&self.section));
        let takes = with.card_set(&self.cards);
        let refused = CardSet::of(with.pool.len(), |card| !takes.has(card));
        let (place, because) = (with.section_names(here), self.because.clone());
        let which = with.which(Some(&self.cards));
        let slip = self.slip(takes.len(), &place, with.pool);
        let words = format!("The {place} takes only cards{which}: {because}.");
        let demand = Demand::new(here, Of::Absent(refused), words, move |broken, was, found| {
            let message = format!("{} cannot be in the {place}: {because}", broken.name());
            let help = format!("remove it from the {place}, or move it to another section");
            found.push(was.say(message, help));
        });
        Demand { is_gate: true, slip, fault: Some(Fault::Refused), has_numbers: false, ..demand }
    }

    /// Says that a section takes no card of the pool, or every one, also cards of which only the
    /// name is known.
    fn slip(&self, takes: usize, place: &str, pool: &Pool) -> Option<String> {
        let blank = Pool::of_names(["\u{fffd}"]);
        let query = Query::parse(&self.cards.value).ok()?;
        match takes {
            0 => Some(format!("the {place} takes no card of the pool")),
            all if all == pool.len() && query.picks(&blank, CardId(0)) => {
                Some(format!("the {place} takes every card, so every deck satisfies this rule"))
            }
            _ => None,
        }
    }
}

/// The terms of an `avoid` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Avoid {
    /// The sections judged.
    pub sections: Vec<Spanned<String>>,
    /// A card query: what to leave out.
    pub cards: Spanned<String>,
    /// Why, a clause.
    pub because: String,
}

impl Avoid {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let here = with.section_set(&self.sections);
        let (place, because) = (with.section_names(here), self.because.clone());
        let cards = with.card_set(&self.cards);
        let which = with.which(Some(&self.cards));
        let words = format!("The {place} must have no cards{which}: {because}.");
        let demand = Demand::new(here, Of::Absent(cards), words, move |broken, was, found| {
            let message = format!("{}: {because}", broken.name());
            found.push(was.say(message, format!("remove it from the {place}")));
        });
        Demand { fault: Some(Fault::Unwise), ..demand }
    }
}

/// The terms of a `disjoint` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Disjoint {
    /// The sections whose cards are judged.
    pub sections: Vec<Spanned<String>>,
    /// The sections in which those cards must not be.
    pub from: Vec<Spanned<String>>,
}

impl Disjoint {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let (here, from) = (with.section_set(&self.sections), with.section_set(&self.from));
        if here.0 & from.0 != 0 {
            let message = "a section cannot be kept apart from itself";
            with.refuse(message.to_owned(), with.rule);
        }
        let (place, known) = (with.section_names(here), with.pool.len());
        let names: Vec<String> = with.sections.iter().map(|one| one.name.clone()).collect();
        let words =
            format!("A card of the {place} must not also be in the {}.", in_any(&names, from));
        let apart = move |card: u32| {
            let absent = |sections| Leaf::of_card(CardId(card), sections, known).is_absent();
            Some(Cond::Any(vec![absent(from), absent(here)]))
        };
        let of = each_card(known, apart);
        let demand = Demand::new(here, of, words, move |broken, mut was, found| {
            let held = broken.contents.of_card(broken.card()).iter();
            let held = held.map(|held| usize::from(held.section));
            let also: Vec<&str> = held
                .filter(|section| from.has(*section))
                .filter_map(|section| names.get(section))
                .map(String::as_str)
                .collect();
            let message = format!(
                "{} is in the {place} and also in the {}",
                broken.name(),
                listed(&also, "and the")
            );
            was.keep = None;
            found.push(was.say(message, "keep it in only one of them".to_owned()));
        });
        Demand {
            fault: Some(Fault::InBoth),
            has_numbers: false,
            unknown: Unknown::Judged,
            ..demand
        }
    }
}

/// The terms of a `within` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Within {
    /// The sections whose cards are judged.
    pub sections: Vec<Spanned<String>>,
    /// Each of those cards must also be in one of these sections.
    pub of: Vec<Spanned<String>>,
    /// Whether there must be as many copies there at least: decks that are built from drafted or
    /// opened cards. In however many without it.
    #[serde(default)]
    pub copies: bool,
}

impl Within {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let (here, whole) = (with.section_set(&self.sections), with.section_set(&self.of));
        let (place, known) = (with.section_names(here), with.pool.len());
        let names: Vec<String> = with.sections.iter().map(|one| one.name.clone()).collect();
        let in_whole = in_any(&names, whole);
        let many = if self.copies { ", in at least as many copies" } else { "" };
        let words = format!("A card of the {place} must also be in the {in_whole}{many}.");
        // Copies in sections of both sides count on neither.
        let own = SectionSet(here.0 & !whole.0);
        let others = SectionSet(whole.0 & !here.0);
        let by_copies = self.copies;
        let cond = move |card: u32| {
            let copies = |sections| Leaf::of_card(CardId(card), sections, known);
            let there = copies(whole).is_there();
            let there = there.unless(vec![copies(here).is_absent()]);
            if !by_copies {
                return Some(there);
            }
            let more = Num::Times(-1, Box::new(copies(others).num()));
            let no_more = Cond::at_most(Num::Add(vec![copies(own).num(), more]), 0);
            Some(Cond::All(vec![there, no_more]))
        };
        let of = each_card(known, cond);
        let demand = Demand::new(here, of, words, move |broken, mut was, found| {
            let (card, name, contents) = (broken.card(), broken.name(), broken.contents);
            let count = |sections| Leaf::of_card(card, sections, known).copies(contents, card);
            let (held, there) = (count(own), count(others));
            let is_absent = count(whole) == 0;
            let inside = contents.of_card(card).iter();
            let inside = inside.map(|held| usize::from(held.section));
            let inside: Vec<&str> = inside
                .filter(|section| here.has(*section))
                .filter_map(|section| names.get(section))
                .map(String::as_str)
                .collect();
            let place = listed(&inside, "and");
            was.limit = (by_copies && held > there).then_some(there);
            was.actual = was.limit.map(|_| held);
            was.keep = Some((here, was.limit.unwrap_or(0)));
            if is_absent {
                was.fault = Fault::Absent;
                was.place = Where::First(card, here);
                was.keep = Some((here, 0));
                let message = format!("{name} is in the {place}, but not in the {in_whole}");
                // Where copies are counted, those that are too many go first: what was drafted is
                // settled.
                let help = if by_copies {
                    format!("remove it from the {place}, or add it to the {in_whole}")
                } else {
                    format!("add it to the {in_whole}, or choose another card for the {place}")
                };
                if by_copies {
                    was.failing = Failing::Excess;
                }
                found.push(was.say(message, help));
                return;
            }
            was.place = Where::Passing(card, here, there);
            let message = format!(
                "{} of {name} in the {place}, but {there} in the {in_whole}",
                counted(held, "copy")
            );
            let help =
                format!("remove {}, or add them to the {in_whole}", counted(held - there, "copy"));
            found.push(was.say(message, help));
        });
        Demand { unknown: Unknown::Judged, filled_in: Some(whole), ..demand }
    }
}

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

impl WholePool {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let here = SectionSet::only(with.section(&self.section));
        let (place, known) = (with.section_names(here), with.pool.len());
        let each = i64::from(self.each);
        let words =
            format!("The {place} must have {} of every card of the pool.", counted(each, "copy"));
        let just = move |card: u32| {
            let copies = Leaf::of_card(CardId(card), here, known).num();
            let each = Some(Num::Const(each));
            (CardId(card).index() < known).then_some(Cond::Within(copies, each.clone(), each))
        };
        let of = Of::Each {
            groups: None,
            cond: Lazy::new(known, just),
            always: (0..known as u32).collect(),
        };
        Demand::new(here, of, words, move |broken: &BrokenDemand<'_, '_>, mut was, found| {
            let (name, off) = (broken.name(), counted(broken.blame.off(), "copy"));
            found.push(if broken.blame.is_short {
                was.place = Where::Deck;
                let message = format!("{name} is missing from the {place}");
                was.say(message, format!("add {off} of it"))
            } else {
                let copies = counted(broken.blame.least, "copy");
                let message = format!("{copies} of {name} in the {place}; there must be {each}");
                was.say(message, format!("remove {off}"))
            });
        })
    }
}

/// A demand of each card, by its index.
pub(super) fn each_card(
    known: usize,
    cond: impl Fn(u32) -> Option<Cond> + Send + Sync + 'static,
) -> Of {
    Of::Each { groups: None, cond: Lazy::new(known, cond), always: Vec::new() }
}

/// What any one of some sections is called.
fn in_any(names: &[String], sections: SectionSet) -> String {
    let names = sections.iter().filter_map(|section| names.get(section));
    let names: Vec<&str> = names.map(String::as_str).collect();
    listed(&names, "or the")
}
