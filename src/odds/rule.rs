//! In words, which hands are best kept.

use super::hands::Hands;
use super::work::Work;

/// More alternatives than this are counted, not listed.
const MOST_LISTED: usize = 8;

/// Which hands are kept: the least of each atom that is enough, where having more of anything
/// never hurts; otherwise how many of the different hands.
pub(crate) fn keeping_rule(hands: &Hands, kept: &[bool], work: &Work) -> String {
    let all: Vec<usize> = (0..hands.len()).collect();
    let covers = |more: usize, less: usize| {
        let both = hands.counts(more).iter().zip(hands.counts(less));
        both.into_iter().all(|(more, less)| more >= less)
    };
    let mut enough: Vec<usize> = Vec::new();
    let mut count = 0;
    // In order of cards in atoms, so that the least come first.
    let mut order = all;
    order.sort_by_key(|hand| hands.counts(*hand).iter().sum::<u32>());
    for hand in &order {
        count += usize::from(kept[*hand]);
        if kept[*hand]
            && enough.len() <= MOST_LISTED
            && !enough.iter().any(|less| covers(*hand, *less))
        {
            enough.push(*hand);
        }
    }
    if count == hands.len() {
        return "every hand".to_owned();
    }
    if count == 0 {
        return "no hand".to_owned();
    }
    let simple = enough.len() <= MOST_LISTED
        && order
            .iter()
            .all(|hand| kept[*hand] == enough.iter().any(|less| covers(*hand, *less)));
    if !simple {
        return format!("{count} of the {} different hands", hands.len());
    }
    let describe = |hand: &usize| {
        let counts = hands.counts(*hand).iter().zip(&work.atoms);
        let parts: Vec<String> = counts
            .filter(|(count, _)| **count > 0)
            .map(|(count, atom)| format!("{count}+ {}", atom.label))
            .collect();
        parts.join(" and ")
    };
    let parts: Vec<String> = enough.iter().map(describe).collect();
    parts.join(", or ")
}
