//! Which rules may say another thing once a section holds more copies of a card.

use decklaw_rules::rules::linear::{Bound, Gate, Linear, MEANING, Row, Tag};

/// The bit of a rule; those beyond the 63rd share one.
pub(super) fn bit(rule: usize) -> u64 {
    1 << rule.min(63)
}

/// What binds unknowns together.
enum Bond<'l> {
    Row(&'l Row),
    Bound(&'l Bound),
    Gate(&'l Gate),
}

impl Bond<'_> {
    /// The unknowns.
    fn each(&self, mut see: impl FnMut(usize)) {
        match self {
            Bond::Row(row) => {
                let terms = row.terms.iter().map(|(at, _)| *at);
                terms.chain(row.when).for_each(|at| see(at.index()));
            }
            Bond::Bound(bound) => see(bound.unknown.index()),
            Bond::Gate(gate) => {
                gate.flags.iter().for_each(|(at, _)| see(at.index()));
                see(gate.unknown.index());
            }
        }
    }

    /// Whether copies that come in open a gate.
    fn is_opened(&self) -> bool {
        matches!(self, Bond::Gate(gate) if gate.flags.iter().any(|(_, by)| *by > 0))
    }

    /// Whether some of the unknowns add to it and others take off.
    fn weighs_both_ways(&self) -> bool {
        let Bond::Row(row) = self else {
            return false;
        };
        let is = |sign: i64| row.terms.iter().any(|(_, by)| by.signum() == sign);
        is(1) && is(-1)
    }

    /// The bit of the rule that says so, if one does.
    fn rule(&self) -> u64 {
        let tag: Tag = match self {
            Bond::Row(row) => row.tag,
            Bond::Bound(bound) => bound.tag,
            Bond::Gate(gate) => gate.tag,
        };
        match tag {
            MEANING => 0,
            tag => bit(tag as usize),
        }
    }
}

/// For each card and section, in the order of the unknowns, the bits of the rules that the
/// copies there can matter to: those whose rows have them, or have a number that other rows
/// make of them. A rule may be named for too many copies, never for too few. And the bits of
/// the rules that have such numbers, or to which some copies add and others take off: a copy may
/// break one that a further copy keeps again. And of these and of those whose gates other copies
/// open: a copy may break one that other cards keep again.
pub(super) fn touched(linear: &Linear<'_>) -> (Vec<u64>, u64, u64) {
    let copies = linear.copy_unknowns();
    let mut of = vec![0_u64; linear.domains.len()];
    let rows = linear.rows.iter().map(Bond::Row);
    let bounds = linear.bounds.iter().map(Bond::Bound);
    let gates = linear.gates.iter().map(Bond::Gate);
    // What is asked of a number is asked of what it is made of; numbers are made of numbers.
    let mut of_numbers = Vec::new();
    let (mut wavering, mut gated) = (0, 0);
    for bond in rows.chain(bounds).chain(gates) {
        let rule = bond.rule();
        let mut has_number = false;
        bond.each(|at| {
            of[at] |= rule;
            has_number |= at >= copies;
        });
        if has_number {
            wavering |= rule;
            of_numbers.push(bond);
        } else if bond.weighs_both_ways() {
            wavering |= rule;
        } else if bond.is_opened() {
            gated |= rule;
        }
    }
    loop {
        let mut changed = false;
        for bond in &of_numbers {
            let mut rules = 0;
            bond.each(|at| rules |= if at >= copies { of[at] } else { 0 });
            bond.each(|at| {
                changed |= of[at] | rules != of[at];
                of[at] |= rules;
            });
        }
        if !changed {
            break;
        }
    }
    of.truncate(copies);
    (of, wavering, wavering | gated)
}
