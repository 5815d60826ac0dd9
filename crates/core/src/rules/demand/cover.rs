//! The fewest values of which each card of a deck has one.

/// More steps than any deck of a real game takes; beyond them the answer may be one too large.
const MOST_STEPS: usize = 200_000;

/// A smallest set of values of which each of these sets has one; sorted. None of the sets is
/// empty.
pub(super) fn smallest(mut sets: Vec<&[u32]>) -> Vec<u32> {
    // What has fewer values decides more, and decides for all that have them too.
    sets.sort_by_key(|set| set.len());
    sets.dedup();
    let mut best = greedy(&sets);
    let mut steps = 0;
    search(&sets, &mut Vec::new(), &mut best, &mut steps);
    best.sort_unstable();
    best
}

/// Some such set: the value that most of what is left has, again and again.
fn greedy(sets: &[&[u32]]) -> Vec<u32> {
    let mut chosen: Vec<u32> = Vec::new();
    loop {
        let left = sets.iter().filter(|set| misses(set, &chosen));
        let mut values: Vec<u32> = left.flat_map(|set| set.iter().copied()).collect();
        values.sort_unstable();
        let count = |value: &u32| values.iter().filter(|other| *other == value).count();
        let mut each = values.clone();
        each.dedup();
        // The least of equals, so that one deck has one answer.
        let Some(most) = each.into_iter().rev().max_by_key(count) else {
            return chosen;
        };
        chosen.push(most);
    }
}

fn misses(set: &[u32], chosen: &[u32]) -> bool {
    !set.iter().any(|value| chosen.contains(value))
}

/// Looks for a smaller one: one of the values of the first set that has none yet is in it.
fn search(sets: &[&[u32]], chosen: &mut Vec<u32>, best: &mut Vec<u32>, steps: &mut usize) {
    *steps += 1;
    if chosen.len() >= best.len() || *steps > MOST_STEPS {
        return;
    }
    let Some(at) = sets.iter().position(|set| misses(set, chosen)) else {
        best.clone_from(chosen);
        return;
    };
    for value in sets[at] {
        chosen.push(*value);
        search(&sets[at + 1..], chosen, best, steps);
        chosen.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::smallest;

    #[test]
    fn one_value_of_each_set_is_enough() {
        assert_eq!(smallest(vec![]), Vec::<u32>::new());
        let both = smallest(vec![&[1, 2], &[2, 3], &[3]]);
        assert!(both == [1, 3] || both == [2, 3], "{both:?}");
        assert_eq!(smallest(vec![&[1], &[2], &[3], &[1, 2, 3]]), [1, 2, 3]);
        // The value that most sets have is not always one of the fewest.
        let sets: Vec<&[u32]> = vec![&[0, 1], &[0, 2], &[1, 9], &[2, 8], &[0, 1, 2]];
        assert_eq!(smallest(sets), [1, 2]);
    }
}
