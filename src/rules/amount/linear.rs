//! Numbers in linear form.

use super::{Bound, Part, Round};
use crate::pool::CardId;
use crate::rules::Linear;
use crate::rules::linear::Unknown;

/// A bound in linear form: the sum of terms and a constant, where `when` is 1.
#[derive(Debug, Clone)]
pub(in crate::rules) struct LinearBound {
    pub(in crate::rules) terms: Vec<(Unknown, i64)>,
    pub(in crate::rules) constant: i64,
    pub(in crate::rules) when: Option<Unknown>,
    pub(in crate::rules) sure: bool,
    pub(in crate::rules) grows: bool,
}

impl Bound {
    /// The same in linear form; `None`: no error can come of it.
    pub(in crate::rules) fn linear(&self, linear: &mut Linear<'_>) -> Option<LinearBound> {
        if !self.unset.is_empty() {
            return None;
        }
        let mut bound = LinearBound {
            terms: Vec::new(),
            constant: self.base,
            when: None,
            sure: true,
            grows: true,
        };
        let mut silent = Vec::new();
        for part in &self.parts {
            part.linear(linear, &mut bound, &mut silent);
        }
        if !silent.is_empty() {
            bound.when = Some(linear.unless(&silent));
        }
        Some(bound)
    }

    /// What a card's own number adds to the linear form; `None`: it has no bound.
    pub(in crate::rules) fn own_linear(&self, card: CardId) -> Option<i64> {
        match &self.own {
            None => Some(0),
            Some(own) => own.of(card),
        }
    }

    /// Whether two cards have the same number of their own.
    pub(in crate::rules) fn same_own(&self, one: CardId, other: CardId) -> bool {
        self.own_linear(one) == self.own_linear(other)
    }
}

impl Part {
    fn linear(&self, linear: &mut Linear<'_>, bound: &mut LinearBound, silent: &mut Vec<Unknown>) {
        let mut total = Vec::new();
        for card in linear.pool().ids() {
            let weight = self
                .weights
                .as_ref()
                .map_or(1, |weights| weights[card.index()]);
            if weight != 0 {
                total.extend(linear.sum(card, self.sections, weight));
            }
        }
        let strangers = linear.stranger_copies(self.sections);
        let mut constant = 0;
        if self.weights.is_none() {
            constant = strangers;
        } else if strangers > 0 {
            bound.sure = false;
            bound.grows &= self.grows();
        }
        if let Some(valued) = &self.valued {
            let held: Vec<(Unknown, i64)> = valued
                .iter()
                .flat_map(|card| linear.sum(*card, self.sections, 1))
                .collect();
            match self.otherwise {
                None => silent.push(linear.off(held, None, Some(0))),
                Some(otherwise) => {
                    let any = linear.any(&held);
                    bound.constant = bound.constant.saturating_add(otherwise);
                    bound.terms.push((any, otherwise.saturating_neg()));
                }
            }
        }
        let (times, per) = (self.scale.times, self.scale.per);
        if per == 1 {
            let all = total.into_iter();
            bound
                .terms
                .extend(all.map(|(unknown, by)| (unknown, by.saturating_mul(times))));
            bound.constant = bound
                .constant
                .saturating_add(constant.saturating_mul(times));
            return;
        }
        // per × quotient <= a × total + b < per × quotient + per
        let (a, b, per) = match self.scale.round {
            Round::Down => (1, 0, per),
            Round::Up => (1, per - 1, per),
            Round::Nearest => (2, per, per.saturating_mul(2)),
        };
        let quotient = linear.quotient(total, a, constant.saturating_mul(a).saturating_add(b), per);
        bound.terms.push((quotient, times));
    }
}
