//! How players spread the cards of a deck: kinds and numbers in proportion, playsets of some and
//! single copies of others.

use super::taste::Taste;
use decklaw_cards::pool::{CardId, FieldKind, Pool};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The most ranges that the numbers of cards are grouped into.
const RANGES: usize = 8;

/// No rule limits copies where a card may have more than this many.
const LIMITED: i64 = 8;

/// The copies of a playset where no rule limits them.
const PLAYSET: i64 = 4;

/// The values that a theme has.
const THEMES: usize = 2;

/// What a card counts as in a shape: a word, or a range of numbers.
pub(super) type Value = String;

/// A field that gives a deck its shape, and the share of the deck that each of its values should
/// have; without shares, that of the pool.
pub(super) struct Dimension<'t> {
    field: &'t str,
    pub(super) shares: Option<BTreeMap<Value, i64>>,
}

/// The fields that give decks of a pool their shape: the maker's curve, or else the first number,
/// and the first word, of those that measure likeness or of all.
pub(super) fn dimensions<'t>(pool: &'t Pool, taste: Option<&'t Taste>) -> Vec<Dimension<'t>> {
    let is_of = |name: &str, number: bool| {
        let field = pool.fields().iter().find(|field| field.name == name);
        field.is_some_and(|field| match field.kind {
            FieldKind::Number { .. } => number,
            FieldKind::Word { .. } => !number,
            _ => false,
        })
    };
    let like = || taste.iter().flat_map(|taste| taste.like.iter().map(|like| &*like.field.value));
    let all = || pool.fields().iter().map(|field| field.name.as_str());
    let first = |number: bool| like().chain(all()).find(|name| is_of(name, number));
    let word = first(false).map(|field| Dimension { field, shares: None });
    let number = match taste.and_then(|taste| taste.curve.as_ref()) {
        Some(curve) => {
            let parts = curve.parts.iter().map(|(value, part)| (value.clone(), part.value));
            Some(Dimension { field: &curve.field.value, shares: Some(parts.collect()) })
        }
        None => first(true).map(|field| Dimension { field, shares: None }),
    };
    word.into_iter().chain(number).collect()
}

/// The cards by value. Numbers without shares of their own are grouped into ranges with about as
/// many cards each.
pub(super) fn values(
    pool: &Pool,
    dimension: &Dimension<'_>,
    cards: &[CardId],
) -> BTreeMap<Value, Vec<CardId>> {
    let field = dimension.field;
    let mut by: BTreeMap<Value, Vec<CardId>> = BTreeMap::new();
    if dimension.shares.is_some() || cards.iter().all(|card| pool.number(*card, field).is_none()) {
        for card in cards.iter().filter(|card| !pool.shown(**card, field).is_empty()) {
            by.entry(pool.shown(*card, field)).or_default().push(*card);
        }
        return by;
    }
    let numbered = cards.iter().filter_map(|card| Some((pool.number(*card, field)?, *card)));
    let mut numbered: Vec<(i64, CardId)> = numbered.collect();
    numbered.sort_unstable();
    for (number, card) in &numbered {
        let below = numbered.partition_point(|(other, _)| other < number);
        let range = below * RANGES / numbered.len();
        by.entry(format!("{range:02}")).or_default().push(*card);
    }
    by
}

/// The position of each card in the order in which alike cards of a new deck are taken: those of
/// the theme first, then each value as often as in the pool, and cards of one value as a seed
/// shuffles them.
pub(super) fn spread_ranks(pool: &Pool, taste: Option<&Taste>, seed: &str) -> Vec<u64> {
    let cards: Vec<CardId> = pool.ids().collect();
    let mut cells: Vec<Vec<Value>> = vec![Vec::new(); cards.len()];
    for dimension in dimensions(pool, taste) {
        for (value, own) in values(pool, &dimension, &cards) {
            own.iter().for_each(|card| cells[card.index()].push(value.clone()));
        }
    }
    let mut by: BTreeMap<&[Value], Vec<CardId>> = BTreeMap::new();
    for card in cards {
        by.entry(&cells[card.index()]).or_default().push(card);
    }
    let mut ranks = vec![0; cells.len()];
    for own in by.values_mut() {
        own.sort_by_cached_key(|card| digest(seed, pool.folded(*card)));
        let count = own.len() as u64;
        for (at, card) in (0..).zip(own) {
            ranks[card.index()] = ((2 * at + 1) << 32) / (2 * count);
        }
    }
    let Some(theme) = taste.and_then(|taste| taste.theme.as_ref()) else {
        return ranks;
    };
    /// Above every position within a value.
    const OFF_THEME: u64 = 1 << 40;
    let of = |card: CardId| pool.shown(card, &theme.value);
    let mut themes: Vec<String> = pool.ids().map(of).filter(|value| !value.is_empty()).collect();
    themes.sort_by_cached_key(|value| digest(seed, value));
    themes.dedup();
    for card in pool.ids() {
        if themes.iter().skip(THEMES).any(|other| *other == of(card)) {
            ranks[card.index()] += OFF_THEME;
        }
    }
    ranks
}

/// Copies of alike cards as players have them: playsets as far as `owed` goes, then half ones,
/// then single cards. `most`: the copies of a card; `cards`: how many cards there are, enough for
/// all copies.
pub(super) fn shares(total: i64, most: i64, cards: usize, owed: i64) -> Vec<i64> {
    if total <= 0 {
        return Vec::new();
    }
    let set = if most > LIMITED { most.min(PLAYSET.max(total / 3)) } else { most };
    let full = owed.clamp(0, total) / set;
    let half = (set + 1) / 2;
    let left = total - full * set;
    let halves = if set > 2 { left / 2 / half } else { 0 };
    let single = left - halves * half;
    let parts = [(set, full), (half, halves), (1, single)];
    let mut shares: Vec<i64> =
        parts.iter().flat_map(|(copies, times)| vec![*copies; *times as usize]).collect();
    while shares.len() > cards.max(1) {
        for _ in 0..shares.pop().unwrap_or(0) {
            let below = |most: i64| shares.iter().position(|share| *share < most);
            let at = below(set).or(below(most)).unwrap_or(0);
            shares[at] += 1;
        }
    }
    shares
}

/// What a seed makes of a name: cards are shuffled in the order of these.
pub(super) fn digest(seed: &str, name: &str) -> [u8; 32] {
    Sha256::digest(format!("decklaw/build/1\0{seed}\0{name}")).into()
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn copies_are_playsets_and_single_cards() {
        assert_eq!(shares(22, 3, 40, 13), [3, 3, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1]);
        assert_eq!(shares(3, 3, 9, 3), [3]);
        assert_eq!(shares(3, 3, 9, 1), [1, 1, 1]);
        assert_eq!(shares(5, 1, 5, 3), [1, 1, 1, 1, 1]);
        // Where there are few cards, each has more copies.
        assert_eq!(shares(8, 4, 2, 0), [4, 4]);
        assert_eq!(shares(7, 4, 3, 4), [4, 2, 1]);
        // Where no rule limits them.
        assert_eq!(shares(15, 99, 6, 9), [5, 5, 2, 1, 1, 1]);
        for (total, most, cards) in [(1, 1, 1), (60, 4, 15), (17, 9, 3), (30, 99, 1), (9, 2, 5)] {
            for owed in 0..=total {
                let shares = shares(total, most, cards, owed);
                assert_eq!(shares.iter().sum::<i64>(), total);
                assert!(shares.len() <= cards && shares.iter().all(|own| *own <= most));
            }
        }
    }
}
