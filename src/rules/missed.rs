//! The opposite of a demand in linear form: the ways in which it is missed.

use super::linear::{Linear, Tag, Unknown};

impl Linear<'_> {
    /// Adds each way in which what is tagged `of` can be missed, with tags from `first` on, one
    /// a way; gives the tag behind the last. A deck that breaks the demand satisfies one of the
    /// ways at least, for some value of what is no copies: where none can be satisfied, no deck
    /// breaks it.
    pub(crate) fn ways_to_miss(&mut self, of: Tag, first: Tag) -> Tag {
        let mut ways: Vec<Vec<Missing>> = Vec::new();
        let mut outside = |terms: &[(Unknown, i64)], low, high, when: Option<Unknown>| {
            let ends = [
                Option::<i64>::map(low, |low| (None, Some(low - 1))),
                Option::<i64>::map(high, |high| (Some(high + 1), None)),
            ];
            for (low, high) in ends.into_iter().flatten() {
                let mut way = vec![(terms.to_vec(), low, high)];
                way.extend(when.map(|flag| (vec![(flag, 1)], Some(1), None)));
                ways.push(way);
            }
        };
        for bound in self.bounds.iter().filter(|bound| bound.tag == of) {
            outside(&[(bound.unknown, 1)], bound.lower, bound.upper, None);
        }
        for row in self.rows.iter().filter(|row| row.tag == of) {
            outside(&row.terms, row.low, row.high, row.when);
        }
        for gate in self.gates.iter().filter(|gate| gate.tag == of) {
            ways.push(vec![
                (vec![(gate.unknown, 1)], Some(1), None),
                (gate.flags.to_vec(), None, Some(-gate.constant)),
            ]);
        }
        let mut tag = first;
        for way in ways {
            self.tagged(tag);
            for (terms, low, high) in way {
                self.row(terms, low, high);
            }
            tag += 1;
        }
        tag
    }
}

/// A sum that stays between two numbers where a demand is missed.
type Missing = (Vec<(Unknown, i64)>, Option<i64>, Option<i64>);
