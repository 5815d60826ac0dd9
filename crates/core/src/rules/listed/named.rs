//! From what a list names to cards: a card, all cards of one value of a field, or what a query
//! picks.

use crate::banlist::{Banlist, Listed};
use crate::name::fold;
use crate::pool::CardId;
use crate::rules::contents::each_card;
use crate::rules::demand::{Leaf, Weights};
use crate::rules::fields::Key;
use crate::rules::groups::Groups;
use crate::rules::{Compile, Contents, Linear, SectionSet};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How a list names cards.
#[derive(Debug)]
pub(super) struct Naming {
    /// With a field: the cards of each value.
    by: Option<Arc<Groups>>,
}

/// Cards that a list takes for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum One {
    /// Cards of the pool, in canonical order.
    Cards(Vec<CardId>),
    /// A name that no card of the pool has, folded: a deck may have it all the same.
    Stranger(String),
}

impl Naming {
    pub(super) fn new(list: &Banlist, with: &mut Compile<'_>) -> Naming {
        let by = list.by.as_ref().and_then(|field| {
            let (_, groups) = with.grouped(&[Key::One(field.clone())], true)?;
            Some(groups)
        });
        Naming { by }
    }

    /// Whether what a card is called depends on what the pool tells of it.
    pub(super) fn asks(&self) -> bool {
        self.by.is_some()
    }

    /// What is named, each that counts by itself apart, and under a key of its own.
    pub(super) fn each(&self, listed: &Listed, with: &mut Compile<'_>) -> Vec<(u32, One)> {
        let pool = with.pool;
        if listed.query {
            let set = with.card_set(&super::query(listed));
            let Some(groups) = &self.by else {
                let one = |card: CardId| (card.0, One::Cards(vec![card]));
                return set.iter().map(one).collect();
            };
            let picked = |group| {
                let members = groups.members(group).iter().copied();
                let picked: Vec<CardId> = members.filter(|card| set.has(*card)).collect();
                (!picked.is_empty()).then_some((group, One::Cards(picked)))
            };
            return (0..groups.len() as u32).filter_map(picked).collect();
        }
        let known = match &self.by {
            None => pool.find(&listed.name).map(|card| (card.0, vec![card])),
            Some(groups) => {
                let group = groups.find(&fold(&listed.name));
                group.map(|group| (group, groups.members(group).to_vec()))
            }
        };
        vec![match known {
            Some((key, cards)) => (key, One::Cards(cards)),
            None => (u32::MAX, One::Stranger(fold(&listed.name).into_owned())),
        }]
    }
}

/// Some [`One`]s with their cards looked up both ways.
#[derive(Debug, Default)]
pub(super) struct Ones {
    ones: Vec<One>,
    known: FxHashMap<CardId, Vec<u32>>,
    strangers: FxHashMap<String, Vec<u32>>,
}

impl Ones {
    /// Adds one.
    pub(super) fn add(&mut self, one: One) {
        let at = self.ones.len() as u32;
        match &one {
            One::Cards(cards) => {
                for card in cards {
                    self.known.entry(*card).or_default().push(at);
                }
            }
            One::Stranger(name) => self.strangers.entry(name.clone()).or_default().push(at),
        }
        self.ones.push(one);
    }

    /// Those of several entries together, each once.
    pub(super) fn joined(all: impl IntoIterator<Item = (u32, One)>) -> Ones {
        let mut cards: BTreeMap<u32, Vec<CardId>> = BTreeMap::new();
        let mut strangers = BTreeSet::new();
        for (key, one) in all {
            match one {
                One::Cards(more) => cards.entry(key).or_default().extend(more),
                One::Stranger(name) => {
                    strangers.insert(name);
                }
            }
        }
        let mut ones = Ones::default();
        for mut own in cards.into_values() {
            own.sort_unstable();
            own.dedup();
            ones.add(One::Cards(own));
        }
        strangers
            .into_iter()
            .map(One::Stranger)
            .for_each(|one| ones.add(one));
        ones
    }

    /// Whether a card is named.
    pub(super) fn has(&self, card: CardId) -> bool {
        self.known.contains_key(&card)
    }

    /// By their places.
    pub(super) fn all(&self) -> &[One] {
        &self.ones
    }

    /// Calls `see` with each that the deck holds: its place, the first card of it, and the
    /// copies of all its cards, in the sections that `scope` gives for it.
    pub(super) fn each_held(
        &self,
        contents: &Contents<'_>,
        scope: impl Fn(usize) -> SectionSet,
        mut see: impl FnMut(usize, CardId, i64),
    ) {
        let everywhere = SectionSet(u64::MAX);
        let copies = |card: CardId, scope: SectionSet| -> i64 {
            let held = contents.of_card(card).iter();
            let inside = held.filter(|holding| scope.has(usize::from(holding.section)));
            inside.map(|holding| holding.copies).sum()
        };
        let mut meet = |card: CardId, places: &[u32]| {
            for at in places {
                let at = *at as usize;
                let scope = scope(at);
                let own = copies(card, scope);
                let cards: &[CardId] = match &self.ones[at] {
                    One::Cards(cards) => cards,
                    One::Stranger(_) => &[],
                };
                // Several cards that are one are met at the first that is held.
                let first = |other: &CardId| *other < card && copies(*other, scope) > 0;
                if own == 0 || (cards.len() > 1 && cards.iter().any(first)) {
                    continue;
                }
                let others = cards.iter().filter(|other| **other > card);
                let others: i64 = others.map(|other| copies(*other, scope)).sum();
                see(at, card, own.saturating_add(others));
            }
        };
        if !self.known.is_empty() {
            each_card(contents.known(), everywhere, |card, _| {
                if let Some(places) = self.known.get(&card) {
                    meet(card, places);
                }
            });
        }
        if !self.strangers.is_empty() {
            each_card(contents.unknown(), everywhere, |card, _| {
                if let Some(places) = self.strangers.get(contents.folded(card)) {
                    meet(card, places);
                }
            });
        }
    }

    /// The cards of one that a deck holds in some sections.
    pub(super) fn held(
        &self,
        at: usize,
        first: CardId,
        contents: &Contents<'_>,
        scope: SectionSet,
    ) -> Vec<CardId> {
        let One::Cards(cards) = &self.ones[at] else {
            return vec![first];
        };
        let held = |card: &&CardId| {
            let mut own = contents.of_card(**card).iter();
            own.any(|holding| scope.has(usize::from(holding.section)))
        };
        cards.iter().filter(held).copied().collect()
    }

    /// The copies of one, each `weight` times.
    pub(super) fn leaf(&self, at: usize, scope: SectionSet, weight: i64, of: &Linear<'_>) -> Leaf {
        let all: Vec<CardId> = match &self.ones[at] {
            One::Cards(cards) => cards.clone(),
            One::Stranger(name) => {
                let mut strangers = of.strangers();
                strangers.retain(|card| of.contents().folded(*card) == name);
                strangers
            }
        };
        let few = all.into_iter().map(|card| (card, weight)).collect();
        Leaf::of(Weights::Few(few), scope)
    }
}
