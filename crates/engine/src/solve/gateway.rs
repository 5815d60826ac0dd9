//! Gates that open together: what thousands of cards need is said once for all of them, and
//! becomes rows only of those that are distinguished.

use super::program::Bounds;
use super::propagate::SharedImplication;
use super::rows::{Place, Row, substitute};
use decklaw_rules::rules::linear::{Gate, Linear};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What gates say: of several cards together, and as rows of those that are about one card or
/// that are on both sides. Unknowns that have a place are others by it.
pub(super) fn gateways<'g>(
    gates: impl Iterator<Item = &'g Gate>,
    linear: &Linear<'_>,
    places: &[Option<Place>],
    upper: &[i64],
) -> (Vec<SharedImplication>, Vec<Row>) {
    let mut known: FxHashMap<(*const (), i64), usize> = FxHashMap::default();
    let mut found: Vec<SharedImplication> = Vec::new();
    let mut rows = Vec::new();
    for gate in gates {
        let at = gate.unknown.index();
        if upper[at] <= 0 {
            continue;
        }
        let shared = (Arc::as_ptr(&gate.flags).cast::<()>(), gate.constant);
        let nth = *known.entry(shared).or_insert_with(|| {
            let flags = gate.flags.iter().map(|(flag, by)| (flag.index(), *by));
            let mut flags: Vec<(usize, i64)> = flags.collect();
            substitute(&mut flags, places);
            found.push(SharedImplication { flags, constant: gate.constant, behind: Vec::new() });
            found.len() - 1
        });
        let gateway = &mut found[nth];
        match &gateway.flags[..] {
            [(flag, 1)] if *flag == at => {}
            flags if places[at].is_some() || flags.iter().any(|(flag, _)| *flag == at) => {
                rows.push(gateway.row(at, upper[at]));
            }
            _ => gateway.behind.push(at),
        }
    }
    let card = |at: &usize| linear.domains[*at].card;
    found.retain(|gateway| {
        let flags = gateway.flags.iter().map(|(flag, _)| flag);
        let mut cards = flags.chain(&gateway.behind).filter_map(card);
        let first = cards.next();
        let several = cards.any(|card| Some(card) != first);
        if !several {
            let behind = gateway.behind.iter();
            rows.extend(behind.map(|at| gateway.row(*at, upper[*at])));
        }
        several
    });
    (found, rows)
}

impl SharedImplication {
    /// What it says of one unknown behind it that is at most so much.
    pub(super) fn row(&self, at: usize, most: i64) -> Row {
        let flags = self.flags.iter().map(|(flag, by)| (*flag, -by * most));
        let mut terms = Vec::with_capacity(self.flags.len() + 1);
        terms.push((at, 1));
        terms.extend(flags);
        Row { gated: Some((at, most)), ..Row::new(terms, None, Some(self.constant * most)) }
    }

    /// Takes out what is settled; `false` if what is left always holds. Where something behind it
    /// is certainly there, it is open, and a row says so.
    pub(super) fn settle(&mut self, bounds: &Bounds, rows: &mut Vec<Row>) -> bool {
        if self.is_passed(bounds) {
            let flags = std::mem::take(&mut self.flags);
            rows.push(Row::new(flags, Some(1 - self.constant), None));
            return false;
        }
        self.behind.retain(|at| bounds.upper[*at] > 0);
        if self.behind.is_empty() || self.end(false, bounds) >= 1 {
            return false;
        }
        for (flag, by) in self.flags.iter().filter(|(flag, _)| bounds.is_fixed(*flag)) {
            self.constant += by * bounds.lower[*flag];
        }
        self.flags.retain(|(flag, _)| !bounds.is_fixed(*flag));
        true
    }
}
