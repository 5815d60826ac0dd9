//! Gates that open together: what thousands of cards need is said once for all of them, and
//! becomes rows only of those that are told apart.

use super::program::{Sum, tighten};
use super::reduced::Place;
use super::rows::Working;
use decklaw_core::rules::linear::{Gate, Linear};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Unknowns that are 0 unless a sum, and a number, is at least 1.
#[derive(Debug)]
pub(super) struct Gateway {
    /// Terms by index of their unknowns; none of these is behind it.
    pub(super) flags: Vec<(usize, i64)>,
    pub(super) constant: i64,
    /// The unknowns by index.
    pub(super) behind: Vec<usize>,
}

/// What gates say: of several cards together, and as rows of those that are about one card or
/// that stand on both sides. Unknowns that have a place are others by it.
pub(super) fn gateways<'g>(
    gates: impl Iterator<Item = &'g Gate>,
    linear: &Linear<'_>,
    places: &[Option<Place>],
    upper: &[i64],
) -> (Vec<Gateway>, Vec<Working>) {
    let mut known: FxHashMap<(*const (), i64), usize> = FxHashMap::default();
    let mut found: Vec<Gateway> = Vec::new();
    let mut rows = Vec::new();
    for gate in gates {
        let at = gate.unknown.index();
        if upper[at] <= 0 {
            continue;
        }
        let shared = (Arc::as_ptr(&gate.flags).cast::<()>(), gate.constant);
        let nth = *known.entry(shared).or_insert_with(|| {
            let flags = gate.flags.iter().map(|(flag, by)| (flag.index(), *by));
            found.push(Gateway {
                flags: placed(flags, places),
                constant: gate.constant,
                behind: Vec::new(),
            });
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

/// A sum in which unknowns that are others stand as these.
fn placed(
    terms: impl Iterator<Item = (usize, i64)>,
    places: &[Option<Place>],
) -> Vec<(usize, i64)> {
    let mut row = Working {
        terms: terms.collect(),
        low: None,
        high: None,
        gated: None,
    };
    row.stand_in(places);
    row.terms
}

impl Gateway {
    /// What it says of one unknown behind it that is at most so much.
    pub(super) fn row(&self, at: usize, most: i64) -> Working {
        let flags = self.flags.iter().map(|(flag, by)| (*flag, -by * most));
        let mut terms = Vec::with_capacity(self.flags.len() + 1);
        terms.push((at, 1));
        terms.extend(flags);
        Working {
            terms,
            low: None,
            high: Some(self.constant * most),
            gated: Some((at, most)),
        }
    }

    /// The largest or smallest that the sum and the number can be.
    fn end(&self, largest: bool, lower: &[i64], upper: &[i64]) -> i64 {
        let ends = self.flags.iter().map(|(flag, by)| {
            by.saturating_mul(match (*by > 0) == largest {
                true => upper[*flag],
                false => lower[*flag],
            })
        });
        ends.fold(self.constant, i64::saturating_add)
    }

    fn is_passed(&self, lower: &[i64]) -> bool {
        self.behind.iter().any(|at| lower[*at] > 0)
    }

    /// Narrows bounds by it, and calls `note` for each that became narrower; `false`: nothing
    /// satisfies it.
    pub(super) fn narrow(
        &self,
        lower: &mut [i64],
        upper: &mut [i64],
        mut note: impl FnMut(usize),
    ) -> bool {
        if self.is_passed(lower) {
            let sum = Sum {
                terms: &self.flags,
                low: Some(1 - self.constant),
                high: None,
            };
            return tighten(sum, lower, upper, |at, _, _| note(at));
        }
        if self.end(true, lower, upper) < 1 {
            for at in &self.behind {
                if upper[*at] > 0 {
                    upper[*at] = 0;
                    note(*at);
                }
            }
        }
        true
    }

    /// Takes out what is settled; `false` if what is left always holds. Where something behind it
    /// is there for certain, it is open, and a row says so.
    pub(super) fn settle(&mut self, lower: &[i64], upper: &[i64], rows: &mut Vec<Working>) -> bool {
        if self.is_passed(lower) {
            rows.push(Working {
                terms: std::mem::take(&mut self.flags),
                low: Some(1 - self.constant),
                high: None,
                gated: None,
            });
            return false;
        }
        self.behind.retain(|at| upper[*at] > 0);
        if self.behind.is_empty() || self.end(false, lower, upper) >= 1 {
            return false;
        }
        let is_settled = |at: usize| lower[at] == upper[at];
        for (flag, by) in self.flags.iter().filter(|(flag, _)| is_settled(*flag)) {
            self.constant += by * lower[*flag];
        }
        self.flags.retain(|(flag, _)| !is_settled(*flag));
        true
    }
}
