//! Hand queries as conditions on sums: what odds count, and what wishes demand of a deck.
//!
//! Every card has a weight, and the sum of the weights lies in a range: a count weighs each card
//! of its group 1, a total weighs it by a field. How a condition is represented is up to the
//! caller, see [`Lowering`].

use decklaw_cards::pool::{CardId, CardSet, FieldKind, Pool};
use decklaw_cards::query::hand::{Count, FieldName, Group, Hand, HandTest};
use decklaw_cards::query::{Comparison, QueryError, no_field};
use decklaw_text::text::Span;

/// What hand queries are lowered to.
pub(crate) trait Lowering {
    /// A condition of the target.
    type Condition;

    /// The pool of the cards.
    fn pool(&self) -> &Pool;
    /// The cards that queries select from.
    fn cards(&self) -> impl Iterator<Item = CardId>;
    /// The condition that a sum lies in its range.
    fn sum(&mut self, sum: Sum<'_>) -> Result<Self::Condition, QueryError>;
    /// All of these.
    fn all(parts: Vec<Self::Condition>) -> Self::Condition;
    /// One of these.
    fn any(parts: Vec<Self::Condition>) -> Self::Condition;
    /// The opposite.
    fn not(part: Self::Condition) -> Self::Condition;
    /// `hand` holds for the cards of one value of a field.
    fn some(
        &mut self,
        field: &FieldName,
        hand: &Hand,
        within: Option<&CardSet>,
    ) -> Result<Self::Condition, QueryError>;
    /// Different cards satisfy the counts.
    fn different(
        &mut self,
        counts: &[Count],
        span: Span,
        within: Option<&CardSet>,
    ) -> Result<Self::Condition, QueryError>;

    /// The cards for which `test` holds.
    fn cards_of(&self, test: impl Fn(CardId) -> bool) -> CardSet {
        let cards = self.cards().filter(|card| test(*card));
        CardSet::among(self.pool().len(), cards)
    }

    /// Called before the cards of a group are selected.
    fn selecting(&mut self, _span: Span) -> Result<(), QueryError> {
        Ok(())
    }
}

/// A sum over cards, and the range that it must lie in.
pub(crate) struct Sum<'a> {
    /// The cards that count; `None`: every card, also one that the pool does not know.
    pub(crate) cards: Option<CardSet>,
    /// The field that is added up; `None`: each card counts 1.
    pub(crate) field: Option<&'a str>,
    /// The group as the query has it, where nothing around the query narrows it.
    pub(crate) group: Option<&'a Group>,
    /// The least and the greatest sum, both included.
    pub(crate) range: (i128, i128),
    /// Whether the sum must lie outside the range instead.
    pub(crate) outside: bool,
    /// Where the condition is in the query.
    pub(crate) span: Span,
}

impl Sum<'_> {
    /// The weight of a card of the pool.
    pub(crate) fn weight(&self, pool: &Pool, card: CardId) -> i64 {
        if self.cards.as_ref().is_some_and(|cards| !cards.has(card)) {
            return 0;
        }
        self.field.map_or(1, |field| pool.number(card, field).unwrap_or(0))
    }

    /// The weight of a card that the pool does not know.
    pub(crate) fn weight_of_unknown(&self) -> i64 {
        i64::from(self.cards.is_none() && self.field.is_none())
    }
}

/// Lowers a hand query. `within` limits all of its groups to some cards.
///
/// # Errors
/// An unknown field or card, a comparison that the field does not allow, a `sum` over a field that
/// is not a number, and what the target refuses.
pub(crate) fn lower<L: Lowering>(
    target: &mut L,
    hand: &Hand,
    within: Option<&CardSet>,
) -> Result<L::Condition, QueryError> {
    let parts = |target: &mut L, parts: &[Hand]| {
        let parts = parts.iter().map(|part| lower(target, part, within));
        parts.collect::<Result<Vec<_>, _>>()
    };
    match hand {
        Hand::All(all) => Ok(L::all(parts(target, all)?)),
        Hand::Any(any) => Ok(L::any(parts(target, any)?)),
        Hand::Not(part) => Ok(L::not(lower(target, part, within)?)),
        Hand::Is(HandTest::Some(field, inner)) => target.some(field, inner, within),
        Hand::Is(HandTest::Different(counts, span)) => target.different(counts, *span, within),
        Hand::Is(HandTest::Count(count)) => {
            let group = &count.group;
            let cards = select(target, group, within)?;
            target.sum(Sum {
                cards,
                field: None,
                group: within.is_none().then_some(group),
                range: (count.low.into(), count.high.map_or(i128::MAX, i128::from)),
                outside: false,
                span: group.span,
            })
        }
        Hand::Is(HandTest::Total { field, group, comparison, number }) => {
            let number = i128::from(*number);
            let range = match comparison {
                Comparison::Less => (i128::MIN, number - 1),
                Comparison::AtMost => (i128::MIN, number),
                Comparison::More => (number + 1, i128::MAX),
                Comparison::AtLeast => (number, i128::MAX),
                Comparison::Is | Comparison::Equal | Comparison::NotEqual => (number, number),
            };
            let outside = *comparison == Comparison::NotEqual;
            let sum = total(target, field, group.as_ref(), within)?;
            target.sum(Sum { range, outside, ..sum })
        }
    }
}

/// The sum of a field over a group, in any range.
///
/// # Errors
/// As for [`lower`].
pub(crate) fn total<'a, L: Lowering>(
    target: &mut L,
    field: &'a FieldName,
    group: Option<&'a Group>,
    within: Option<&CardSet>,
) -> Result<Sum<'a>, QueryError> {
    let kind = known_field(target.pool(), field)?;
    if !matches!(kind, Some(FieldKind::Number { .. })) {
        let message = format!("`{}` is not a number, so it has no sum", field.name);
        return Err(QueryError::at(message, field.span));
    }
    Ok(Sum {
        cards: match group {
            Some(group) => select(target, group, within)?,
            None => within.cloned(),
        },
        field: Some(&field.name),
        group: group.filter(|_| within.is_none()),
        range: (i128::MIN, i128::MAX),
        outside: false,
        span: field.span,
    })
}

/// The cards of a group; `None` for every card.
pub(crate) fn select<L: Lowering>(
    target: &mut L,
    group: &Group,
    within: Option<&CardSet>,
) -> Result<Option<CardSet>, QueryError> {
    target.selecting(group.span)?;
    let cards = group.select(target.pool(), target.cards())?;
    Ok(match within {
        None if group.cards.is_everything() => None,
        None => Some(cards),
        Some(within) => Some(target.cards_of(|card| within.has(card) && cards.has(card))),
    })
}

/// The kind of a field; `None` for `name`, which every card has.
///
/// # Errors
/// A field that the pool does not have.
pub(crate) fn known_field<'p>(
    pool: &'p Pool,
    field: &FieldName,
) -> Result<Option<&'p FieldKind>, QueryError> {
    if field.name == "name" {
        return Ok(None);
    }
    let known = pool.fields().iter().find(|known| known.name == field.name);
    known.map(|known| Some(&known.kind)).ok_or_else(|| {
        let message = no_field(&field.name, pool.fields());
        QueryError::at(message, field.span)
    })
}
