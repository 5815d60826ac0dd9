//! Unknowns that follow from others: flags of what holds and of what is there, sums, products and
//! quotients. Rows tagged [`MEANING`] define them, for every tag.

use super::{Gate, Linear, MEANING, Row, Unknown};
use crate::rules::SectionSet;
use decklaw_cards::pool::CardId;
use std::sync::Arc;

impl Linear<'_> {
    /// A flag that must be 1 where two others are.
    pub fn both(&mut self, one: Unknown, other: Unknown) -> Unknown {
        let flag = self.flag();
        let terms = vec![(one, 1), (other, 1), (flag, -1)];
        self.meaning(|linear| linear.row(terms, None, Some(1)));
        flag
    }

    /// The flag that is 1 just where another is 0.
    pub fn opposite(&mut self, other: Unknown) -> Unknown {
        let flag = self.flag();
        self.means(vec![(flag, 1), (other, 1)], Some(1), Some(1));
        flag
    }

    /// The unknown that is a sum where a flag is 1, and else 0. The factors of the sum all have
    /// one sign, and its unknowns are never negative.
    pub fn product(&mut self, flag: Unknown, sum: Vec<(Unknown, i64)>) -> Unknown {
        const MOST: i64 = 1 << 36;
        let negative = sum.iter().any(|(_, by)| *by < 0);
        let (least, most) = if negative { (-MOST, 0) } else { (0, MOST) };
        let product = self.number(least, most);
        let mut terms = sum;
        terms.push((product, -1));
        // Between 0 and the sum, whatever the flag.
        let between = if negative { (None, Some(0)) } else { (Some(0), None) };
        self.means(terms.clone(), between.0, between.1);
        let off = self.opposite(flag);
        self.meaning(|linear| {
            linear.row_if(Some(flag), terms, Some(0), Some(0));
            linear.row_if(Some(off), vec![(product, 1)], Some(0), Some(0));
        });
        product
    }

    /// A flag that must be 1 unless one of some others is.
    pub(crate) fn unless(&mut self, others: &[Unknown]) -> Unknown {
        let flag = self.flag();
        let mut terms: Vec<(Unknown, i64)> = others.iter().map(|other| (*other, 1)).collect();
        terms.push((flag, 1));
        self.meaning(|linear| linear.row(terms, Some(1), None));
        flag
    }

    /// A flag that may be 1 only where a sum stays between two numbers.
    pub(crate) fn off(
        &mut self,
        terms: Vec<(Unknown, i64)>,
        low: Option<i64>,
        high: Option<i64>,
    ) -> Unknown {
        let key = (terms, low, high);
        if let Some(known) = self.offs.get(&key) {
            return *known;
        }
        let flag = self.flag();
        let terms = key.0.clone();
        self.offs.insert(key, flag);
        self.meaning(|linear| linear.row_if(Some(flag), terms, low, high));
        flag
    }

    /// The flag that is 1 just where one of some copies is there.
    pub fn any(&mut self, held: &[(Unknown, i64)]) -> Unknown {
        let mut held = held.to_vec();
        held.sort_unstable();
        held.dedup();
        if let Some(known) = self.anys.get(&*held) {
            return *known;
        }
        let flag = self.flag();
        let gate = |unknown, flags| Gate { unknown, flags, constant: 0, tag: MEANING };
        let own: Arc<[_]> = [(flag, 1)].into();
        let held: Arc<[_]> = held.into();
        for (copies, _) in &*held {
            self.gates.push(gate(*copies, Arc::clone(&own)));
        }
        self.gates.push(gate(flag, Arc::clone(&held)));
        self.anys.insert(held, flag);
        flag
    }

    /// The flags that are 1 just where one of some copies is there, with these copies, in the
    /// order of the copies.
    pub fn anys(&self) -> Vec<(&[(Unknown, i64)], Unknown)> {
        let anys = self.anys.iter();
        let mut anys: Vec<_> = anys.map(|(held, flag)| (&**held, *flag)).collect();
        anys.sort_unstable();
        anys
    }

    /// The flag that is 1 just where all of some flags are.
    pub fn each(&mut self, flags: &[Unknown]) -> Unknown {
        if let [only] = flags {
            return *only;
        }
        let all = self.flag();
        for one in flags {
            self.means(vec![(all, 1), (*one, -1)], None, Some(0));
        }
        let mut terms: Vec<(Unknown, i64)> = flags.iter().map(|one| (*one, 1)).collect();
        terms.push((all, -1));
        self.means(terms, None, Some(flags.len() as i64 - 1));
        all
    }

    /// The whole number `(a × sum + b) / per`, rounded down.
    pub(crate) fn quotient(
        &mut self,
        sum: Vec<(Unknown, i64)>,
        a: i64,
        b: i64,
        per: i64,
    ) -> Unknown {
        const MOST: i64 = 1 << 36;
        let quotient = self.number(-MOST, MOST);
        let mut terms: Vec<(Unknown, i64)> =
            sum.into_iter().map(|(unknown, by)| (unknown, by * a)).collect();
        terms.push((quotient, -per));
        self.meaning(|linear| linear.row(terms, Some(-b), Some(per - 1 - b)));
        quotient
    }

    /// The unknown that is a sum.
    pub fn total(&mut self, mut terms: Vec<(Unknown, i64)>) -> Unknown {
        terms.sort_unstable();
        if let [(only, 1)] = terms.as_slice() {
            return *only;
        }
        if let Some(known) = self.totals.get(&terms) {
            return *known;
        }
        let total = self.number(i64::MIN / 4, i64::MAX / 4);
        self.totals.insert(terms.clone(), total);
        terms.push((total, -1));
        self.rows.push(Row { terms, low: Some(0), high: Some(0), when: None, tag: MEANING });
        total
    }

    /// The flag that must be 1 where a card is in any of some sections.
    pub fn present(&mut self, card: CardId, sections: SectionSet) -> Unknown {
        if let Some(known) = self.presents.get(&(card, sections)) {
            return *known;
        }
        let flag = self.unknown(0, 1, Some(card.0));
        self.presents.insert((card, sections), flag);
        let own: Arc<[_]> = [(flag, 1)].into();
        for section in self.within(sections) {
            self.gates.push(Gate {
                unknown: self.copies(card, section),
                flags: Arc::clone(&own),
                constant: 0,
                tag: MEANING,
            });
        }
        flag
    }
}
