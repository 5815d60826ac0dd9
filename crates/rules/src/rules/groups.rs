//! Cards grouped by the values of a field: one title over many printings, one colour over
//! many cards.

use super::{Contents, SectionSet};
use decklaw_cards::pool::{CardId, Pool};
use decklaw_text::name::fold;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The values of some fields, and the cards that have each. A card of a list has several.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// The groups of each card, one card's behind the other's.
    of: Vec<u32>,
    /// Where each card's groups begin, and where the last one's end.
    of_from: Vec<u32>,
    members: Vec<CardId>,
    members_from: Vec<u32>,
    names: Vec<Box<str>>,
    /// The groups by what their cards have in common, folded.
    folded: FxHashMap<Box<str>, u32>,
    /// The groups of names that no card of the pool has, folded.
    unknown: FxHashMap<Box<str>, Vec<u32>>,
}

/// Between values that make cards one together; no card file has it in a cell.
const APART: &str = "\u{1f}";

/// What a card has in a field; `name` is its name.
fn values<'p>(pool: &'p Pool, card: CardId, field: &str) -> Vec<Cow<'p, str>> {
    if field == "name" {
        return vec![Cow::Borrowed(pool.name(card))];
    }
    match pool.number(card, field) {
        Some(number) => vec![Cow::Owned(number.to_string())],
        None => {
            let words = pool.words(card, field).iter();
            words.map(|word| Cow::Borrowed(pool.written(field, word))).collect()
        }
    }
}

impl Groups {
    /// Groups the cards of a pool by fields, or by several fields together; `name` is a card's
    /// name. Of several together a card may lack some, and is then alike to those that lack the
    /// same. A card without any value is in no group, or where `alone` says so, in that of its
    /// name.
    pub(super) fn of_pool(pool: &Pool, keys: &[Vec<String>], alone: bool) -> Groups {
        let mut groups = Groups::default();
        let mut folded: FxHashMap<Box<str>, u32> = FxHashMap::default();
        // Most values are the same text at several cards.
        let mut spellings: FxHashMap<Box<str>, u32> = FxHashMap::default();
        let mut counts: Vec<u32> = Vec::new();
        let mut own: Vec<u32> = Vec::new();
        let mut join = |value: &str, own: &mut Vec<u32>, names: &mut Vec<Box<str>>| {
            let at = match spellings.get(value) {
                Some(at) => *at,
                None => {
                    let at = *folded.entry(fold(value).into()).or_insert_with(|| {
                        let parts = value.split(APART).filter(|part| !part.is_empty());
                        names.push(parts.collect::<Vec<_>>().join(", ").into());
                        counts.push(0);
                        names.len() as u32 - 1
                    });
                    spellings.insert(value.into(), at);
                    at
                }
            };
            if !own.contains(&at) {
                own.push(at);
                counts[at as usize] += 1;
            }
        };
        for card in pool.ids() {
            groups.of_from.push(groups.of.len() as u32);
            own.clear();
            for key in keys {
                if let [field] = key.as_slice() {
                    for value in values(pool, card, field) {
                        join(&value, &mut own, &mut groups.names);
                    }
                    continue;
                }
                let mut together = vec![String::new()];
                for (at, field) in key.iter().enumerate() {
                    let apart = if at == 0 { "" } else { APART };
                    let mut own = values(pool, card, field);
                    // Cards without a subtitle have the same one.
                    if own.is_empty() {
                        own.push(Cow::Borrowed(""));
                    }
                    let with = |before: &String| -> Vec<String> {
                        own.iter().map(|value| format!("{before}{apart}{value}")).collect()
                    };
                    together = together.iter().flat_map(with).collect();
                }
                let says = |value: &&String| value.split(APART).any(|part| !part.is_empty());
                for value in together.iter().filter(says) {
                    join(value, &mut own, &mut groups.names);
                }
            }
            if own.is_empty() && alone {
                join(pool.name(card), &mut own, &mut groups.names);
            }
            groups.of.extend(&own);
        }
        groups.of_from.push(groups.of.len() as u32);
        let mut end = 0;
        groups.members_from.push(0);
        for count in &counts {
            end += count;
            groups.members_from.push(end);
        }
        let mut next: Vec<u32> = groups.members_from.clone();
        let mut members = vec![CardId(0); groups.of.len()];
        for card in pool.ids() {
            for group in groups.of_card(card) {
                let place = &mut next[*group as usize];
                members[*place as usize] = card;
                *place += 1;
            }
        }
        groups.members = members;
        groups.folded = folded;
        groups
    }

    /// Groups of listed cards of a pool of `len` cards, or of a folded name that the pool lacks.
    pub(crate) fn of_lists<'l>(
        len: usize,
        lists: impl Iterator<Item = (&'l [CardId], Option<&'l str>)>,
    ) -> Groups {
        let mut groups = Groups::default();
        let mut of: Vec<Vec<u32>> = vec![Vec::new(); len];
        groups.members_from.push(0);
        for (at, (cards, unknown)) in (0_u32..).zip(lists) {
            for card in cards {
                of[card.index()].push(at);
            }
            if let Some(name) = unknown {
                groups.unknown.entry(name.into()).or_default().push(at);
            }
            groups.members.extend(cards);
            groups.members_from.push(groups.members.len() as u32);
            groups.names.push("".into());
        }
        for own in of {
            groups.of_from.push(groups.of.len() as u32);
            groups.of.extend(own);
        }
        groups.of_from.push(groups.of.len() as u32);
        groups
    }

    /// The groups of a name that no card of the pool has, folded.
    pub(super) fn of_name(&self, folded: &str) -> &[u32] {
        self.unknown.get(folded).map_or(&[], Vec::as_slice)
    }

    /// Those of the groups that `counts` names; they are numbered again, in the same order.
    pub(super) fn only(&self, counts: impl Fn(u32) -> bool) -> Groups {
        let mut groups = Groups::default();
        let mut number = vec![None; self.len()];
        groups.members_from.push(0);
        for group in (0..self.len() as u32).filter(|group| counts(*group)) {
            number[group as usize] = Some(groups.names.len() as u32);
            groups.names.push(self.names[group as usize].clone());
            groups.members.extend(self.members(group));
            groups.members_from.push(groups.members.len() as u32);
        }
        groups.of_from.push(0);
        for ends in self.of_from.windows(2) {
            let own = &self.of[ends[0] as usize..ends[1] as usize];
            groups.of.extend(own.iter().filter_map(|group| number[*group as usize]));
            groups.of_from.push(groups.of.len() as u32);
        }
        let known = self.folded.iter();
        let known =
            known.filter_map(|(value, group)| Some((value.clone(), number[*group as usize]?)));
        groups.folded = known.collect();
        groups
    }

    /// How many groups there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The group of what cards have in common, folded.
    pub(crate) fn find(&self, folded: &str) -> Option<u32> {
        self.folded.get(folded).copied()
    }

    /// The groups of a card; none for a card that the pool does not know.
    #[inline]
    pub(crate) fn of_card(&self, card: CardId) -> &[u32] {
        match self.of_from.get(card.index()..) {
            Some([from, to, ..]) => &self.of[*from as usize..*to as usize],
            _ => &[],
        }
    }

    /// The cards of a group, in canonical order.
    pub(crate) fn members(&self, group: u32) -> &[CardId] {
        let group = group as usize;
        &self.members[self.members_from[group] as usize..self.members_from[group + 1] as usize]
    }

    /// What the cards of a group have in common, as the first of them spells it.
    pub(super) fn name(&self, group: u32) -> &str {
        &self.names[group as usize]
    }

    /// Calls `see` with each card of a group that some sections hold, and its copies there;
    /// stops where `see` says so. It looks only at the deck, or at the group.
    #[inline]
    pub(super) fn each_held(
        &self,
        group: u32,
        contents: &Contents<'_>,
        sections: SectionSet,
        mut see: impl FnMut(CardId, i64) -> bool,
    ) {
        let members = self.members(group);
        let held = contents.known_in(sections);
        let inside = |section: u16| sections.has(usize::from(section));
        if members.len() <= held.len() {
            for card in members {
                let mut copies = 0_i64;
                for holding in contents.of_card(*card) {
                    if inside(holding.section) {
                        copies = copies.saturating_add(holding.copies);
                    }
                }
                if copies > 0 && !see(*card, copies) {
                    return;
                }
            }
            return;
        }
        let mut holdings = held.iter().filter(|holding| inside(holding.section)).peekable();
        while let Some(first) = holdings.next() {
            let mut copies = first.copies;
            while let Some(same) = holdings.next_if(|next| next.card == first.card) {
                copies = copies.saturating_add(same.copies);
            }
            if self.of_card(first.card).contains(&group) && !see(first.card, copies) {
                return;
            }
        }
    }

    /// Whether a card is the first of its group, among those held that `counts` counts.
    #[inline]
    pub(super) fn is_first(
        &self,
        group: u32,
        card: CardId,
        contents: &Contents<'_>,
        sections: SectionSet,
        counts: impl Fn(CardId) -> bool,
    ) -> bool {
        let mut first = None;
        self.each_held(group, contents, sections, |held, _| {
            let chosen = counts(held);
            if chosen {
                first = Some(held);
            }
            !chosen
        });
        first == Some(card)
    }
}
