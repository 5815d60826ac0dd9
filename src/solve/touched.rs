//! Which rules may say another thing once a section holds more copies of a card.

use crate::rules::linear::{Linear, MEANING, Tag};

/// The bit of a rule; those beyond the 63rd share one.
pub(super) fn bit(rule: usize) -> u64 {
    1 << rule.min(63)
}

/// For each card and section, in the order of the unknowns, the bits of the rules that the
/// copies there can matter to: those whose rows have them, or have a number that other rows
/// make of them. A rule may be named for too many copies, never for too few.
pub(super) fn touched(linear: &Linear<'_>) -> Vec<u64> {
    let copies = linear.copy_unknowns();
    let mut of = vec![0_u64; linear.domains.len()];
    let own = |tag: Tag| match tag {
        MEANING => 0,
        tag => bit(tag as usize),
    };
    // Every row as the unknowns that it binds together, and whose it is.
    let rows = linear.rows.iter().map(|row| {
        let terms = row.terms.iter().map(|(at, _)| at.index());
        (
            terms.chain(row.when.map(|at| at.index())).collect(),
            own(row.tag),
        )
    });
    let bounds = linear
        .bounds
        .iter()
        .map(|bound| (vec![bound.unknown.index()], own(bound.tag)));
    let gates = linear.gates.iter().map(|gate| {
        let flags = gate.flags.iter().map(|(at, _)| at.index());
        (flags.chain([gate.unknown.index()]).collect(), own(gate.tag))
    });
    let mut bound_together: Vec<(Vec<usize>, u64)> = rows.chain(bounds).chain(gates).collect();
    for (all, rules) in &bound_together {
        all.iter().for_each(|at| of[*at] |= rules);
    }
    // What is asked of a number is asked of what it is made of; numbers are made of numbers.
    bound_together.retain(|(all, _)| all.iter().any(|at| *at >= copies));
    loop {
        let mut changed = false;
        for (all, _) in &bound_together {
            let numbers = all.iter().filter(|at| **at >= copies);
            let rules = numbers.fold(0, |rules, at| rules | of[*at]);
            for at in all {
                changed |= of[*at] | rules != of[*at];
                of[*at] |= rules;
            }
        }
        if !changed {
            break;
        }
    }
    of.truncate(copies);
    of
}
