//! Which hands are best kept, as a query.

use super::hands::Hands;
use super::work::Work;
use decklaw_core::query::HandQuery;

/// A rule has no more alternatives than this.
const MOST_LISTED: usize = 12;
/// More different hands than this are not gone through for a short rule.
const MOST_HANDS: usize = 2000;

/// Every hand satisfies this query, and none the other.
const EVERY: &str = "0+ []";
const NONE: &str = "not 0+ []";

/// Which hands are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeepRule {
    /// Those that satisfy this hand query, which [`Keep::Query`](super::Keep::Query) takes.
    Query(String),
    /// No query that is short says it: so many of so many different hands.
    Hands {
        /// How many different hands are kept.
        kept: usize,
        /// How many there are.
        of: usize,
    },
}

impl KeepRule {
    /// The query, where there is a short one.
    pub fn query(&self) -> Option<&str> {
        match self {
            KeepRule::Query(query) => Some(query),
            KeepRule::Hands { .. } => None,
        }
    }
}

impl std::fmt::Display for KeepRule {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            KeepRule::Query(query) if query == EVERY => write!(out, "every hand: {EVERY}"),
            KeepRule::Query(query) if query == NONE => write!(out, "no hand: {NONE}"),
            KeepRule::Query(query) => write!(out, "{query}"),
            KeepRule::Hands { kept, of } => write!(
                out,
                "{kept} of the {of} different hands; no short rule says which"
            ),
        }
    }
}

/// Which hands are kept, by their cards of each atom: alternatives, each a range for some
/// atoms. Where more than twelve would be needed: the hands that satisfy the query (those of
/// which `goal` says so), and alternatives besides; or how many of the different hands.
///
/// The ranges are found greedily: each begins with a kept hand that no range has yet and grows
/// atom by atom as long as every hand in it is kept. They are exact, not always the fewest.
pub(crate) fn keeping_rule(
    hands: &Hands,
    kept: &[bool],
    query: &HandQuery,
    goal: impl Fn(&[u32]) -> bool,
    work: &Work,
) -> KeepRule {
    let count = kept.iter().filter(|kept| **kept).count();
    if count == hands.len() {
        return KeepRule::Query(EVERY.to_owned());
    }
    if count == 0 {
        return KeepRule::Query(NONE.to_owned());
    }
    let written = |ranges: Vec<Range>| -> Option<Vec<String>> {
        ranges.iter().map(|range| range.query(work)).collect()
    };
    let short = || {
        if hands.len() > MOST_HANDS {
            return None;
        }
        if let Some(found) = ranges(hands, kept, |_| true) {
            return written(found);
        }
        let satisfies = |hand: usize| goal(hands.counts(hand));
        if (0..hands.len()).any(|hand| satisfies(hand) && !kept[hand]) {
            return None;
        }
        let besides = ranges(hands, kept, |hand| !satisfies(hand))?;
        let mut each = written(besides)?;
        each.insert(0, format!("({})", query.text()));
        Some(each)
    };
    match short() {
        Some(each) => KeepRule::Query(each.join(" or ")),
        None => KeepRule::Hands {
            kept: count,
            of: hands.len(),
        },
    }
}

/// Hands with so many cards of each atom, both ends included; the last place is the cards in no
/// atom.
struct Range {
    least: Vec<u32>,
    most: Vec<u32>,
    /// The fewest and the most that any hand has.
    ends: (Vec<u32>, Vec<u32>),
}

/// Ranges of kept hands that have every kept hand that is `wanted`, at most twelve.
fn ranges(hands: &Hands, kept: &[bool], wanted: impl Fn(usize) -> bool) -> Option<Vec<Range>> {
    let all: Vec<Vec<u32>> = (0..hands.len())
        .map(|hand| {
            let mut counts = hands.counts(hand).to_vec();
            counts.push(hands.rest(hand));
            counts
        })
        .collect();
    let end = |pick: fn(u32, u32) -> u32| {
        let mut ends = all[0].clone();
        for counts in &all {
            for (end, count) in ends.iter_mut().zip(counts) {
                *end = pick(*end, *count);
            }
        }
        ends
    };
    let (fewest, largest) = (end(u32::min), end(u32::max));
    let refused: Vec<&Vec<u32>> = all
        .iter()
        .zip(kept)
        .filter_map(|(counts, kept)| (!kept).then_some(counts))
        .collect();
    // Hands with few cards in atoms first: their ranges reach furthest.
    let mut open: Vec<usize> = (0..all.len())
        .filter(|hand| kept[*hand] && wanted(*hand))
        .collect();
    open.sort_by_key(|hand| all[*hand].iter().rev().skip(1).sum::<u32>());
    let mut found = Vec::new();
    while let Some(seed) = open.first() {
        if found.len() == MOST_LISTED {
            return None;
        }
        let mut range = Range {
            least: all[*seed].clone(),
            most: all[*seed].clone(),
            ends: (fewest.clone(), largest.clone()),
        };
        range.grow(&refused);
        open.retain(|hand| !range.has(&all[*hand]));
        found.push(range);
    }
    Some(found)
}

impl Range {
    fn has(&self, counts: &[u32]) -> bool {
        let ends = self.least.iter().zip(&self.most);
        ends.zip(counts)
            .all(|((least, most), count)| (least..=most).contains(&count))
    }

    /// Widens each end as far as no refused hand comes in; the ends that say "more is as good"
    /// first.
    fn grow(&mut self, refused: &[&Vec<u32>]) {
        for upward in [true, false] {
            for at in (0..self.least.len()).rev() {
                let goal = if upward {
                    self.ends.1[at]
                } else {
                    self.ends.0[at]
                };
                loop {
                    let end = if upward {
                        &mut self.most[at]
                    } else {
                        &mut self.least[at]
                    };
                    if *end == goal {
                        break;
                    }
                    let before = *end;
                    *end = if upward { before + 1 } else { before - 1 };
                    if refused.iter().any(|counts| self.has(counts)) {
                        let end = if upward {
                            &mut self.most[at]
                        } else {
                            &mut self.least[at]
                        };
                        *end = before;
                        break;
                    }
                }
            }
        }
    }

    /// The range as a query; what it leaves free is not said. `None`: cards that it speaks of
    /// have no name in the language.
    fn query(&self, work: &Work) -> Option<String> {
        let mut parts = Vec::new();
        for (at, atom) in work.atoms.iter().enumerate() {
            if let Some(count) = self.count(at) {
                parts.push(format!("{count} {}", atom.is_group.then_some(&atom.label)?));
            }
        }
        // So many other cards are so few of all that are named.
        let rest = work.atoms.len();
        let (fewest, largest) = (self.ends.0[rest], self.ends.1[rest]);
        if (self.least[rest], self.most[rest]) != (fewest, largest) {
            let groups = work.atoms.iter().map(|atom| {
                let inner = atom.label.strip_prefix('[')?.strip_suffix(']')?;
                atom.is_group.then(|| format!("({inner})"))
            });
            let named = groups.collect::<Option<Vec<_>>>()?.join(" or ");
            let least = (self.most[rest] < largest).then(|| work.seen - self.most[rest]);
            let most = (self.least[rest] > fewest).then(|| work.seen - self.least[rest]);
            let count = match (least, most) {
                (Some(least), Some(most)) => format!("{least}..{most}"),
                (Some(least), None) => format!("{least}+"),
                (None, most) => format!("{}-", most.unwrap_or(work.seen)),
            };
            parts.push(format!("{count} [{named}]"));
        }
        Some(parts.join(" and "))
    }

    /// How many cards of an atom it has, as a query says it; `None`: any number.
    fn count(&self, at: usize) -> Option<String> {
        let (least, most) = (self.least[at], self.most[at]);
        Some(match (least == self.ends.0[at], most == self.ends.1[at]) {
            (true, true) => return None,
            (false, true) => format!("{least}+"),
            (true, false) if most == 0 => "no".to_owned(),
            (true, false) => format!("{most}-"),
            (false, false) if least == most => least.to_string(),
            (false, false) => format!("{least}..{most}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::odds::atoms::Atoms;
    use crate::odds::chart::Budget;

    #[test]
    fn ranges_hold_every_kept_hand_and_no_other() {
        let mut dice = crate::odds::dice::Dice::seeded("rules");
        for _ in 0..300 {
            let sizes: Vec<u32> = (0..1 + dice.below(3)).map(|_| 1 + dice.below(4)).collect();
            let atoms = Atoms {
                weights: Vec::new(),
                members: vec![Vec::new(); sizes.len()],
                sizes,
                rest: 3 + dice.below(4),
            };
            let Ok(hands) = Hands::new(&atoms, 3, &mut Budget::new(u64::MAX)) else {
                unreachable!("the budget is boundless");
            };
            let kept: Vec<bool> = (0..hands.len()).map(|_| dice.below(3) > 0).collect();
            let Some(ranges) = ranges(&hands, &kept, |_| true) else {
                continue;
            };
            for (hand, kept) in kept.iter().enumerate() {
                let mut counts = hands.counts(hand).to_vec();
                counts.push(hands.rest(hand));
                assert_eq!(ranges.iter().any(|range| range.has(&counts)), *kept);
            }
        }
    }
}
