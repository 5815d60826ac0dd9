//! `brings`: cards that must be there because another one is, such as what a hero brings along.

use crate::rules::amount::{Amount, Bound};
use crate::rules::demand::{BrokenDemand, Demand, Lazy, Notice, Of};
use crate::rules::fields::{Fields, Key};
use crate::rules::groups::Groups;
use crate::rules::identity::{IdentityCards, IdentitySource, Passes, Words};
use crate::rules::tree::{Cond, Leaf};
use crate::rules::violation::{Failing, Fault, Where};
use crate::rules::{Compile, Contents, SectionSet, Violation};
use decklaw_cards::pool::{CardId, Pool, Word};
use decklaw_text::text::{listed, singular, some_of, spaced, there_are, with_article};
use decklaw_text::yaml::Spanned;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The terms of a `brings` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Brings {
    /// The sections in which what is brought must be, added up.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards of the pool can be brought; all without one. No card brings
    /// itself.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The field of the cards that are brought: a word, a list, text, or `name`.
    pub field: Spanned<String>,
    /// Where the cards are that bring them: a section, a list of sections, or those cards of some
    /// sections that a query picks. Each of them brings what is its own.
    pub by: Spanned<IdentitySource>,
    /// The field of the cards that bring them: a word, a list, text, or `name`; the same as `field`
    /// without it. Cards are brought that have a word of it; of several fields, of any.
    #[serde(default)]
    pub among: Option<Fields>,
    /// How many copies of each: a number, a setting, or a field of the card that is brought; 1
    /// without it, and of a card that says none.
    #[serde(default)]
    pub copies: Option<Spanned<Amount>>,
    /// A field whose values make the cards that one card brings replace each other, such as a
    /// signature and its replacement: of those with the same value one is enough. A card with
    /// several values may replace each; one without any, none.
    #[serde(default)]
    pub any_of: Option<Spanned<String>>,
}

/// Cards that can fill one slot, each with the copies needed.
type Slot = Vec<(CardId, i64)>;

/// What cards bring.
struct BringSlots {
    sections: SectionSet,
    heads: IdentityCards,
    /// The slots that each bringing card fills; cards of one slot can replace each other.
    by: FxHashMap<CardId, Vec<Slot>>,
    known: usize,
}

impl Brings {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let place = with.section_names(sections);
        let bound = match &self.copies {
            Some(copies) => Bound::compile(copies, true, with),
            None => Bound::fixed(1),
        };
        if let Some(copies) = self.copies.as_ref().filter(|_| !bound.is_of_card()) {
            let message =
                "how many copies are brought is a number, or a field of the card that is brought";
            with.refuse(message.to_owned(), copies.span);
        }
        let words = Words::compile(&self.field, self.among.as_ref(), with);
        let cards = with.cards(self.cards.as_ref());
        let slots = self.any_of.as_ref();
        let slots = slots.and_then(|field| with.grouped(&[Key::One(field.clone())], true));
        let heads = IdentityCards::compile(&self.by, Passes::Everything, with);
        let what = format!("number of copies that are brought to the {place}");
        let unset = Violation::unset(&what, &bound.unset, sections);
        let shared = bound.num().constant().filter(|_| unset.is_none());
        let needed = |card: CardId| {
            let shared = shared.filter(|_| cards.has(card))?;
            let own = bound.own(card);
            let needed = own.map_or(1, |own| shared.saturating_add(own));
            (needed > 0).then_some(needed)
        };
        let groups = slots.as_ref().map(|(_, groups)| &**groups);
        let brought = Arc::new(BringSlots {
            by: brought(with.pool, &heads, &words, &needed, groups),
            sections,
            known: with.pool.len(),
            heads,
        });
        let copies = match bound.constant() {
            Some(1) => String::new(),
            _ => format!("; copies of each: {}", bound.words()),
        };
        let one_of = match &slots {
            Some((field, _)) => format!("; one card of the same {} is enough", spaced(field)),
            None => String::new(),
        };
        let words = format!(
            "The {place} must have every card{} with {} that is among the {} of {}{copies}{one_of}.",
            with.which(self.cards.as_ref()),
            with_article(&singular(&spaced(&words.field))),
            words.fields(),
            brought.heads.who("each"),
        );
        let own = Arc::clone(&brought);
        let of = Of::Each {
            groups: None,
            cond: Lazy::new(brought.known, move |head| own.cond(CardId(head))),
            always: Vec::new(),
        };
        let own = Arc::clone(&brought);
        let notice: Notice = Box::new(move |rule, contents| own.open(rule, contents));
        let (own, at) = (Arc::clone(&brought), brought.heads.sections);
        let demand = Demand::new(at, of, words, move |broken, was, found| {
            found.push(own.lacking(broken, was, &place));
        });
        Demand {
            unset,
            heads: brought.heads.own_sections(),
            filled_in: Some(sections),
            notice: Some(notice),
            ..demand
        }
    }
}

/// Of each card that brings others, what it brings.
fn brought(
    pool: &Pool,
    heads: &IdentityCards,
    words: &Words,
    needed: &dyn Fn(CardId) -> Option<i64>,
    groups: Option<&Groups>,
) -> FxHashMap<CardId, Vec<Slot>> {
    let mut by_word: FxHashMap<&Word, Slot> = FxHashMap::default();
    for card in pool.ids() {
        if let Some(needed) = needed(card) {
            for word in words.has(pool, card) {
                by_word.entry(word).or_default().push((card, needed));
            }
        }
    }
    let mut all = FxHashMap::default();
    for head in pool.ids().filter(|head| heads.has(*head)) {
        let says = words.says(pool, head).iter();
        let cards = says.filter_map(|word| by_word.get(word)).flatten();
        let mut slots: BTreeMap<u32, Slot> = BTreeMap::new();
        for (card, needed) in cards.filter(|(card, _)| *card != head) {
            let own = [card.0];
            for slot in groups.map_or(&own[..], |groups| groups.of_card(*card)) {
                let slot = slots.entry(*slot).or_default();
                if slot.iter().all(|(known, _)| known != card) {
                    slot.push((*card, *needed));
                }
            }
        }
        if !slots.is_empty() {
            all.insert(head, slots.into_values().collect());
        }
    }
    all
}

impl BringSlots {
    /// That what a card brings is there where the card is.
    fn cond(&self, head: CardId) -> Option<Cond> {
        let absent = Leaf::of_card(head, self.heads.sections, self.known).is_absent();
        let enough = |(card, needed): &(CardId, i64)| {
            let copies = Leaf::of_card(*card, self.sections, self.known).num();
            Cond::at_least(copies, *needed)
        };
        let slots = self.by.get(&head)?.iter().map(|slot| {
            let enough = slot.iter().map(enough);
            Cond::Any([absent.clone()].into_iter().chain(enough).collect())
        });
        Some(Cond::All(slots.collect()))
    }

    /// The notice that an unknown card may bring others.
    fn open(&self, rule: &str, contents: &Contents<'_>) -> Vec<Violation> {
        let at = self.heads.sections;
        let here = |section: u16| at.has(usize::from(section));
        let mut unknown = contents.unknown().iter();
        let unknown = unknown.find(|held| here(held.section));
        let open = unknown.map(|held| {
            let open = Violation::open(contents, &[rule]).in_section(at.single());
            open.about(held.card, Where::First(held.card, at))
        });
        open.into_iter().collect()
    }

    /// What a card brings and is not there.
    #[cold]
    fn lacking(&self, broken: &BrokenDemand<'_, '_>, mut was: Violation, place: &str) -> Violation {
        const MOST_NAMED: usize = 6;
        let (head, contents) = (broken.card(), broken.contents);
        // Each with how many are needed, and how many there are.
        let held = |(card, needed): &(CardId, i64)| {
            let held = Leaf::of_card(*card, self.sections, self.known).copies(contents, *card);
            (*card, *needed, held)
        };
        let slots = self.by.get(&head).into_iter().flatten();
        let slots = slots.map(|slot| slot.iter().map(held).collect());
        let slots: Vec<Vec<(CardId, i64, i64)>> = slots
            .filter(|slot: &Vec<_>| slot.iter().all(|(_, needed, held)| held < needed))
            .collect();
        let each = |number: &dyn Fn(i64, i64) -> i64| -> String {
            let copies = |(card, needed, held): &(CardId, i64, i64)| {
                let name = contents.name(*card);
                match number(*needed, *held) {
                    1 => format!("`{name}`"),
                    number => format!("{number} copies of `{name}`"),
                }
            };
            let each = slots.iter().map(|slot| {
                let slot: Vec<String> = slot.iter().map(copies).collect();
                listed(&slot, "or")
            });
            some_of(&each.collect::<Vec<_>>(), MOST_NAMED)
        };
        // For each slot, the card with the fewest missing copies.
        let nearest = |slot: &Vec<(CardId, i64, i64)>| {
            let mut slot = slot.iter().copied();
            let first = slot.next()?;
            Some(slot.fold(
                first,
                |near, one| {
                    if one.1 - one.2 < near.1 - near.2 { one } else { near }
                },
            ))
        };
        let near: Vec<(CardId, i64, i64)> = slots.iter().filter_map(nearest).collect();
        let (name, needed) = (broken.name(), each(&|needed, _| needed));
        let missing = each(&|needed, held| needed - held);
        let message = match near.as_slice() {
            [(_, _, held)] => {
                format!("{name} brings {needed}; {} in the {place}", there_are(*held))
            }
            near => format!(
                "{name} brings {} cards of which the {place} has too few: {needed}",
                near.len()
            ),
        };
        was.failing = Failing::Shortfall;
        was.section = self.sections.single();
        was.keep = None;
        was.fault = if slots.iter().flatten().all(|(_, _, held)| *held == 0) {
            Fault::Absent
        } else {
            Fault::TooFew
        };
        was.place = match near.as_slice() {
            [(card, _, held)] if *held > 0 => Where::First(*card, self.sections),
            _ => Where::First(head, self.heads.sections),
        };
        let sum = |of: fn(&(CardId, i64, i64)) -> i64| near.iter().map(of).sum();
        let cards = slots.iter().flatten().map(|(card, ..)| *card).collect();
        was.cards = vec![head];
        was.name(cards);
        was.with_numbers(sum(|one| one.1), sum(|one| one.2))
            .say(message, format!("add {missing} to the {place}"))
    }
}
