//! Which hands are best kept, as a hand query.

use super::hands::Hands;
use super::work::Work;
use std::ops::RangeInclusive;

/// The most alternatives of a rule.
const MOST_LISTED: usize = 12;
/// The most different hands that a short rule is searched for.
const MOST_HANDS: usize = 2000;

/// A query that every hand satisfies, and one that none does.
const EVERY: &str = "0+ []";
const NONE: &str = "not 0+ []";

/// Which hands are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeepRule {
    /// Hands that satisfy this query; [`Keep::Query`](super::Keep::Query) takes it.
    Query(String),
    /// No short query selects these hands.
    Hands {
        /// The number of different hands that are kept.
        kept: usize,
        /// The number of different hands.
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
            KeepRule::Hands { kept, of } => {
                write!(out, "{kept} of the {of} different hands; no short query selects them")
            }
        }
    }
}

/// The rule by which hands are kept: at most twelve alternatives, each a range of the cards of each
/// atom; where more are needed, the hands that satisfy `query` and at most twelve alternatives.
/// `satisfies` says which hands do, by their atoms.
///
/// The ranges are found greedily: each begins with a kept hand that is in no range yet, and grows
/// as long as every hand in it is kept. They are exact, but not always the fewest.
pub(crate) fn keep_rule(
    hands: &Hands,
    kept: &[bool],
    query: &str,
    satisfies: impl Fn(&[u32]) -> bool,
    work: &Work,
) -> KeepRule {
    let count = kept.iter().filter(|kept| **kept).count();
    if count == hands.len() {
        return KeepRule::Query(EVERY.to_owned());
    }
    if count == 0 {
        return KeepRule::Query(NONE.to_owned());
    }
    let short = || {
        if hands.len() > MOST_HANDS {
            return None;
        }
        let satisfies = |hand: usize| satisfies(hands.counts(hand));
        if let Some(boxes) = Boxes::cover(hands, kept, |_| true) {
            return boxes.queries(work);
        }
        if (0..hands.len()).any(|hand| satisfies(hand) && !kept[hand]) {
            return None;
        }
        let mut queries = Boxes::cover(hands, kept, |hand| !satisfies(hand))?.queries(work)?;
        queries.insert(0, format!("({query})"));
        Some(queries)
    };
    let of = hands.len();
    short().map_or(KeepRule::Hands { kept: count, of }, |queries| {
        KeepRule::Query(queries.join(" or "))
    })
}

/// Sets of hands by ranges of the cards of each atom; the last range is of the cards of no atom.
struct Boxes {
    boxes: Vec<Vec<RangeInclusive<u32>>>,
    /// The ranges of all hands.
    whole: Vec<RangeInclusive<u32>>,
}

fn has(ranges: &[RangeInclusive<u32>], hand: &[u32]) -> bool {
    ranges.iter().zip(hand).all(|(range, cards)| range.contains(cards))
}

impl Boxes {
    /// Boxes that hold every kept hand that is `wanted`, and no hand that is not kept; `None`:
    /// more than twelve would be needed.
    fn cover(hands: &Hands, kept: &[bool], wanted: impl Fn(usize) -> bool) -> Option<Boxes> {
        let all: Vec<Vec<u32>> = (0..hands.len())
            .map(|hand| [hands.counts(hand), &[hands.rest(hand)]].concat())
            .collect();
        let whole: Vec<RangeInclusive<u32>> = (0..=hands.counts(0).len())
            .map(|at| {
                let cards = || all.iter().map(|hand| hand[at]);
                cards().min().unwrap_or(0)..=cards().max().unwrap_or(0)
            })
            .collect();
        let refused = all.iter().zip(kept).filter(|(_, kept)| !**kept);
        let refused: Vec<&Vec<u32>> = refused.map(|(hand, _)| hand).collect();
        let open = (0..all.len()).filter(|hand| kept[*hand] && wanted(*hand));
        let mut open: Vec<&Vec<u32>> = open.map(|hand| &all[hand]).collect();
        // Hands with few cards in atoms first: their boxes grow largest.
        open.sort_by_key(|hand| hand.iter().rev().skip(1).sum::<u32>());
        let mut boxes = Vec::new();
        while let Some(seed) = open.first() {
            if boxes.len() == MOST_LISTED {
                return None;
            }
            let widened = widened(seed, &whole, &refused);
            open.retain(|hand| !has(&widened, hand));
            boxes.push(widened);
        }
        Some(Boxes { boxes, whole })
    }

    /// Each box as a query; `None`: cards of a box cannot be written as a group.
    fn queries(&self, work: &Work) -> Option<Vec<String>> {
        self.boxes.iter().map(|own| self.query(own, work)).collect()
    }

    fn query(&self, own: &[RangeInclusive<u32>], work: &Work) -> Option<String> {
        let (rest, named) = own.split_last()?;
        let (whole_rest, whole) = self.whole.split_last()?;
        let mut parts = Vec::new();
        for ((atom, range), whole) in work.atoms.iter().zip(named).zip(whole) {
            if let Some(count) = count(range, whole) {
                parts.push(format!("{count} {}", atom.is_group.then_some(&atom.label)?));
            }
        }
        if rest != whole_rest {
            // Of all named cards the hand has what it does not have of the rest.
            let groups = work.atoms.iter().map(|atom| {
                let inner = atom.label.strip_prefix('[')?.strip_suffix(']')?;
                atom.is_group.then(|| format!("({inner})"))
            });
            let named = groups.collect::<Option<Vec<_>>>()?.join(" or ");
            let others =
                |range: &RangeInclusive<u32>| work.seen - range.end()..=work.seen - range.start();
            let count = match (rest.end() < whole_rest.end(), rest.start() > whole_rest.start()) {
                (true, true) => {
                    let range = others(rest);
                    format!("{}..{}", range.start(), range.end())
                }
                (true, false) => format!("{}+", others(rest).start()),
                _ => format!("{}-", others(rest).end()),
            };
            parts.push(format!("{count} [{named}]"));
        }
        Some(parts.join(" and "))
    }
}

/// Widens a hand to a box as far as no refused hand is in it, upwards first.
fn widened(
    seed: &[u32],
    whole: &[RangeInclusive<u32>],
    refused: &[&Vec<u32>],
) -> Vec<RangeInclusive<u32>> {
    let mut own: Vec<RangeInclusive<u32>> = seed.iter().map(|cards| *cards..=*cards).collect();
    for upward in [true, false] {
        for at in (0..own.len()).rev() {
            loop {
                let (start, end) = own[at].clone().into_inner();
                let wider = match upward {
                    true if end < *whole[at].end() => start..=end + 1,
                    false if start > *whole[at].start() => start - 1..=end,
                    _ => break,
                };
                let before = std::mem::replace(&mut own[at], wider);
                if refused.iter().any(|hand| has(&own, hand)) {
                    own[at] = before;
                    break;
                }
            }
        }
    }
    own
}

/// A number of cards as a query has it; `None`: any number.
fn count(range: &RangeInclusive<u32>, whole: &RangeInclusive<u32>) -> Option<String> {
    let (least, most) = (range.start(), range.end());
    Some(match (least == whole.start(), most == whole.end()) {
        (true, true) => return None,
        (false, true) => format!("{least}+"),
        (true, false) if *most == 0 => "no".to_owned(),
        (true, false) => format!("{most}-"),
        (false, false) if least == most => least.to_string(),
        (false, false) => format!("{least}..{most}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::odds::atoms::Atoms;
    use crate::odds::budget::Budget;
    use crate::odds::sample::SplitMix64;

    #[test]
    fn boxes_have_every_kept_hand_and_no_other() {
        let mut random = SplitMix64::seeded("rules");
        for _ in 0..300 {
            let sizes: Vec<u32> = (0..1 + random.below(3)).map(|_| 1 + random.below(4)).collect();
            let atoms = Atoms {
                weights: Vec::new(),
                members: vec![Vec::new(); sizes.len()],
                adds: vec![0; sizes.len()],
                sizes,
                rest: 3 + random.below(4),
            };
            let Ok(hands) = Hands::new(&atoms, 3, 0, &mut Budget::new(u64::MAX, u64::MAX)) else {
                unreachable!("the budget has no limit");
            };
            let kept: Vec<bool> = (0..hands.len()).map(|_| random.below(3) > 0).collect();
            let Some(cover) = Boxes::cover(&hands, &kept, |_| true) else {
                continue;
            };
            for (hand, kept) in kept.iter().enumerate() {
                let cards = [hands.counts(hand), &[hands.rest(hand)]].concat();
                assert_eq!(cover.boxes.iter().any(|own| has(own, &cards)), *kept);
            }
        }
    }
}
