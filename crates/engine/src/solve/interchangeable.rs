//! Cards that no rule distinguishes, whatever a deck holds.

use super::propagate::Lists;
use crate::partition::partition;
use decklaw_rules::rules::linear::{Gate, Linear, Unknown};
use rustc_hash::FxHashMap;

/// What the numbers that follow are about.
const DOMAIN: i64 = 0;
const BOUND: i64 = 1;
const OWN_ROW: i64 = 2;
const ROW: i64 = 3;
const CONDITION: i64 = 4;
const GATE: i64 = 5;
const FLAG: i64 = 6;
const OWN_GATE: i64 = 7;

/// For each card the first of those that no demand distinguishes from it: exchanging two of them in
/// a deck exchanges them in all that is said of it, and changes nothing else. Where different
/// rules come to the same, cards are distinguished.
pub(super) fn representatives(linear: &Linear<'_>) -> Vec<u32> {
    let cards = linear.copy_unknowns() / linear.sections().max(1);
    let signatures = SignatureBuilder::new(linear).lists(cards);
    let mut first_cards: Vec<u32> = Vec::new();
    (0..)
        .zip(partition((0..cards).map(|card| signatures.own(card))))
        .map(|(card, class)| {
            if class == first_cards.len() {
                first_cards.push(card);
            }
            first_cards[class]
        })
        .collect()
}

struct SignatureBuilder<'l, 'c> {
    linear: &'l Linear<'c>,
    /// Which of its card's unknowns each one is.
    nth: Vec<u32>,
    /// Equal lists of flags of gates have one number: by gate.
    lists: Vec<usize>,
    /// The first gate of each list.
    gates: Vec<usize>,
}

impl<'l, 'c> SignatureBuilder<'l, 'c> {
    fn new(linear: &'l Linear<'c>) -> SignatureBuilder<'l, 'c> {
        let mut unknowns: FxHashMap<u32, u32> = FxHashMap::default();
        let sections = linear.sections().max(1);
        let domains = linear.domains.iter().enumerate();
        let nth = domains.map(|(at, domain)| match domain.card {
            Some(_) if at < linear.copy_unknowns() => (at % sections) as u32,
            Some(card) => {
                let others = unknowns.entry(card).or_insert(sections as u32);
                *others += 1;
                *others - 1
            }
            None => 0,
        });
        let nth = nth.collect();
        // Neighbours mostly share a list, and hashing a long one takes a while.
        let mut found: FxHashMap<&[(Unknown, i64)], usize> = FxHashMap::default();
        let (mut lists, mut gates) = (Vec::with_capacity(linear.gates.len()), Vec::new());
        for (at, gate) in linear.gates.iter().enumerate() {
            let same = at > 0 && std::sync::Arc::ptr_eq(&gate.flags, &linear.gates[at - 1].flags);
            let list = match lists.last() {
                Some(last) if same => *last,
                _ => *found.entry(&gate.flags).or_insert(gates.len()),
            };
            if list == gates.len() {
                gates.push(at);
            }
            lists.push(list);
        }
        SignatureBuilder { linear, nth, lists, gates }
    }

    fn card(&self, unknown: Unknown) -> Option<usize> {
        Some(self.linear.domains[unknown.index()].card? as usize)
    }

    /// The card of a gate whose flags are all of the same card: they are called by their places
    /// among its unknowns, as in a row of its own.
    fn only_card(&self, gate: &Gate) -> Option<usize> {
        let card = self.card(gate.unknown)?;
        let mut flags = gate.flags.iter();
        flags.all(|(flag, _)| self.card(*flag) == Some(card)).then_some(card)
    }

    fn nth(&self, unknown: Unknown) -> i64 {
        i64::from(self.nth[unknown.index()])
    }

    /// What is said of each card. Of the unknowns of others nothing is said but in rows that
    /// have no other card: there one that is no card's is called by its own number.
    fn lists(&self, cards: usize) -> Lists<i64> {
        // Lists of flags that gates of several cards have.
        let mut is_shared = vec![false; self.gates.len()];
        for (gate, list) in self.linear.gates.iter().zip(&self.lists) {
            is_shared[*list] |= self.only_card(gate).is_none();
        }
        let ends = |low: Option<i64>, high: Option<i64>| {
            [low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX)]
        };
        Lists::of(cards, |add| {
            let domains = (0..).map(Unknown).zip(&self.linear.domains);
            for (unknown, domain) in domains {
                if let Some(card) = self.card(unknown) {
                    add(card, &[DOMAIN, self.nth(unknown), domain.lower, domain.upper]);
                }
            }
            for bound in &self.linear.bounds {
                if let Some(card) = self.card(bound.unknown) {
                    let [low, high] = ends(bound.lower, bound.upper);
                    let nth = self.nth(bound.unknown);
                    add(card, &[BOUND, i64::from(bound.tag), nth, low, high]);
                }
            }
            for (number, row) in (0..).zip(&self.linear.rows) {
                let unknowns = row.terms.iter().map(|(unknown, _)| *unknown);
                let mut owners = unknowns.chain(row.when).filter_map(|own| self.card(own));
                let Some(card) = owners.next() else { continue };
                if owners.all(|other| other == card) {
                    let called = |unknown: Unknown| match self.card(unknown) {
                        Some(_) => self.nth(unknown),
                        None => -1 - i64::from(unknown.0),
                    };
                    let when = row.when.map_or(i64::MIN, called);
                    let [low, high] = ends(row.low, row.high);
                    let terms = row.terms.len() as i64;
                    let tag = i64::from(row.tag);
                    add(card, &[OWN_ROW, tag, low, high, when, terms]);
                    for (unknown, by) in &row.terms {
                        add(card, &[called(*unknown), *by]);
                    }
                    continue;
                }
                for (unknown, by) in &row.terms {
                    if let Some(card) = self.card(*unknown) {
                        add(card, &[ROW, number, self.nth(*unknown), *by]);
                    }
                }
                if let Some((card, when)) = row.when.and_then(|when| Some((self.card(when)?, when)))
                {
                    add(card, &[CONDITION, number, self.nth(when)]);
                }
            }
            for (gate, list) in self.linear.gates.iter().zip(&self.lists) {
                if let Some(card) = self.only_card(gate) {
                    let (tag, nth) = (i64::from(gate.tag), self.nth(gate.unknown));
                    let flags = gate.flags.len() as i64;
                    add(card, &[OWN_GATE, tag, nth, gate.constant, flags]);
                    for (flag, by) in &*gate.flags {
                        add(card, &[self.nth(*flag), *by]);
                    }
                } else if let Some(card) = self.card(gate.unknown) {
                    let nth = self.nth(gate.unknown);
                    let tag = i64::from(gate.tag);
                    add(card, &[GATE, tag, nth, *list as i64, gate.constant]);
                }
            }
            let lists = (0..).zip(&self.gates).zip(&is_shared);
            for ((list, gate), _) in lists.filter(|(_, is_shared)| **is_shared) {
                for (flag, by) in &*self.linear.gates[*gate].flags {
                    if let Some(card) = self.card(*flag) {
                        add(card, &[FLAG, list, self.nth(*flag), *by]);
                    }
                }
            }
        })
    }
}
