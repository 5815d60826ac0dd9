//! Counts and totals that a wish asks of a deck: the linear form of a hand query.

use super::Decklist;
use crate::pool::{CardSet, FieldKind, Pool};
use crate::query::hand::Hand;
use crate::query::{Comparison, QueryError, no_field};
use crate::rules::SectionSet;
use crate::rules::linear::{Linear, Unknown};
use crate::text::Span;

/// A hand query about the cards of a deck.
#[derive(Debug, Clone)]
pub(super) enum Formula {
    All(Vec<Formula>),
    Any(Vec<Formula>),
    /// The weights of the cards, in these sections, come to a number from the first to the
    /// second.
    Sum(Vec<i64>, SectionSet, Option<i64>, Option<i64>),
}

/// The formula of a hand query, or of its opposite.
pub(super) fn formula(
    hand: &Hand,
    pool: &Pool,
    sections: SectionSet,
    not: bool,
) -> Result<Formula, QueryError> {
    let parts = |hands: &[Hand]| {
        let parts = hands.iter().map(|hand| formula(hand, pool, sections, not));
        parts.collect::<Result<Vec<Formula>, QueryError>>()
    };
    let refuse = |word: &str, why: &str, span: Span| {
        let message = format!("a wish cannot have `{word}`: {why}");
        Err(QueryError { message, span })
    };
    match (hand, not) {
        (Hand::All(hands), false) | (Hand::Any(hands), true) => Ok(Formula::All(parts(hands)?)),
        (Hand::Any(hands), false) | (Hand::All(hands), true) => Ok(Formula::Any(parts(hands)?)),
        (Hand::Not(hand), _) => formula(hand, pool, sections, !not),
        (Hand::Some(field, _), _) => refuse(
            "some",
            "which value it is about would have to be chosen first; write the value out",
            field.span,
        ),
        (Hand::Different(_, span), _) => refuse(
            "different",
            "which card serves which count has no linear form; ask for the counts of each group",
            *span,
        ),
        (Hand::Count(count), _) => {
            let cards = count.group.select(pool)?;
            let weights = pool.ids().map(|card| i64::from(cards.has(card))).collect();
            let (low, high) = (i64::from(count.low), count.high.map(i64::from));
            Ok(between(
                weights,
                sections,
                Some(low).filter(|low| *low > 0),
                high,
                not,
            ))
        }
        (
            Hand::Total {
                field,
                group,
                comparison,
                number,
            },
            _,
        ) => {
            let known = pool.fields().iter().find(|known| known.name == field.name);
            if !known.is_some_and(|known| matches!(known.kind, FieldKind::Number { .. })) {
                let message = match known {
                    None => no_field(&field.name, pool.fields()),
                    Some(known) => format!("`{}` is no number, so it has no sum", known.name),
                };
                let span = field.span;
                return Err(QueryError { message, span });
            }
            let cards = match group {
                Some(group) => group.select(pool)?,
                None => CardSet::of(pool.len(), |_| true),
            };
            let weigh = |card| match cards.has(card) {
                true => pool.number(card, &field.name).unwrap_or(0),
                false => 0,
            };
            let weights = pool.ids().map(weigh).collect();
            let number = *number;
            let (low, high, outside) = match comparison {
                Comparison::Is | Comparison::Equal => (Some(number), Some(number), false),
                Comparison::NotEqual => (Some(number), Some(number), true),
                Comparison::Less => (None, Some(number.saturating_sub(1)), false),
                Comparison::AtMost => (None, Some(number), false),
                Comparison::More => (Some(number.saturating_add(1)), None, false),
                Comparison::AtLeast => (Some(number), None, false),
            };
            Ok(between(weights, sections, low, high, not != outside))
        }
    }
}

/// A sum within bounds, or outside them.
fn between(
    weights: Vec<i64>,
    sections: SectionSet,
    low: Option<i64>,
    high: Option<i64>,
    outside: bool,
) -> Formula {
    if !outside {
        return Formula::Sum(weights, sections, low, high);
    }
    let below =
        low.map(|low| Formula::Sum(weights.clone(), sections, None, Some(low.saturating_sub(1))));
    let above = high.map(|high| {
        Formula::Sum(
            weights.clone(),
            sections,
            Some(high.saturating_add(1)),
            None,
        )
    });
    Formula::Any(below.into_iter().chain(above).collect())
}

impl Formula {
    pub(super) fn holds(&self, deck: &Decklist) -> bool {
        match self {
            Formula::All(parts) => parts.iter().all(|part| part.holds(deck)),
            Formula::Any(parts) => parts.iter().any(|part| part.holds(deck)),
            Formula::Sum(..) => self.missed(deck) == 0,
        }
    }

    /// How far a deck is from it: what its sums lack or have too much, all added up; 1 where
    /// none of several holds.
    pub(super) fn missed(&self, deck: &Decklist) -> i64 {
        match self {
            Formula::All(parts) => parts.iter().map(|part| part.missed(deck)).sum(),
            Formula::Any(_) => i64::from(!self.holds(deck)),
            Formula::Sum(weights, sections, low, high) => {
                let counted = deck.holdings().filter(|held| {
                    deck.knows(held.card) && sections.has(usize::from(held.section))
                });
                let sum = counted
                    .map(|held| weights[held.card.index()].saturating_mul(held.copies))
                    .fold(0_i64, i64::saturating_add);
                let short = low.map_or(0, |low| low.saturating_sub(sum).max(0));
                let over = high.map_or(0, |high| sum.saturating_sub(high).max(0));
                short.saturating_add(over)
            }
        }
    }

    /// Demands it; with `when`, only if that flag is 1.
    pub(super) fn linear(&self, linear: &mut Linear<'_>, when: Option<Unknown>) {
        match self {
            Formula::All(parts) => parts.iter().for_each(|part| part.linear(linear, when)),
            Formula::Any(parts) => {
                let flags: Vec<(Unknown, i64)> = parts
                    .iter()
                    .map(|part| {
                        let flag = linear.flag();
                        part.linear(linear, Some(flag));
                        (flag, 1)
                    })
                    .collect();
                linear.row_if(when, flags, Some(1), None);
            }
            Formula::Sum(weights, sections, low, high) => {
                let total = total(linear, weights, *sections);
                linear.row_if(when, vec![(total, 1)], *low, *high);
            }
        }
    }

    pub(super) fn miss(&self, linear: &mut Linear<'_>) -> Vec<(Unknown, i64)> {
        match self {
            Formula::All(parts) => parts.iter().flat_map(|part| part.miss(linear)).collect(),
            Formula::Any(_) => {
                let (met, missed) = (linear.flag(), linear.flag());
                self.linear(linear, Some(met));
                linear.row(vec![(met, 1), (missed, 1)], Some(1), None);
                vec![(missed, 1)]
            }
            Formula::Sum(weights, sections, low, high) => {
                let total = total(linear, weights, *sections);
                let mut missed = Vec::new();
                let largest = i64::MAX / 4;
                if low.is_some() {
                    let short = linear.number(0, largest);
                    linear.row(vec![(total, 1), (short, 1)], *low, None);
                    missed.push((short, 1));
                }
                if high.is_some() {
                    let over = linear.number(0, largest);
                    linear.row(vec![(total, 1), (over, -1)], None, *high);
                    missed.push((over, 1));
                }
                missed
            }
        }
    }

    pub(super) fn largest(&self) -> i64 {
        match self {
            Formula::All(parts) | Formula::Any(parts) => {
                parts.iter().map(Formula::largest).max().unwrap_or(0)
            }
            Formula::Sum(_, _, low, high) => {
                let ends = [low.unwrap_or(0), high.unwrap_or(0)];
                ends.into_iter().map(i64::abs).max().unwrap_or(0)
            }
        }
    }
}

fn total(linear: &mut Linear<'_>, weights: &[i64], sections: SectionSet) -> Unknown {
    let mut terms = Vec::new();
    for card in linear.pool().ids() {
        let weight = weights[card.index()];
        if weight != 0 {
            terms.extend(linear.sum(card, sections, weight));
        }
    }
    linear.total(terms)
}
