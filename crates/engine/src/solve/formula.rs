//! Hand queries as conditions on the cards of some sections of a deck: what a wish demands.

use crate::lowering::{Lowering, Sum, lower};
use decklaw_cards::pool::{CardId, CardSet, Pool};
use decklaw_cards::query::QueryError;
use decklaw_cards::query::hand::{Count, FieldName, Hand};
use decklaw_rules::rules::SectionSet;
use decklaw_rules::rules::tree::{Cond, Leaf, Name, Num, UnknownCards, Weights};
use decklaw_text::text::Span;

/// The condition that a hand query is on the cards in some sections.
///
/// # Errors
/// `some` and `different`, which have no linear form; a field that is not a number.
pub(super) fn condition(
    hand: &Hand,
    pool: &Pool,
    sections: SectionSet,
) -> Result<Cond, QueryError> {
    lower(&mut DeckConditions { pool, sections }, hand, None)
}

/// The sum of the weights of cards in some sections. A wish does not count cards that the pool does
/// not know.
pub(super) fn counted(cards: Weights, sections: SectionSet) -> Num {
    Num::Sum(Box::new(Leaf {
        cards,
        sections,
        unknown: UnknownCards::Nothing,
        name: Name::default(),
    }))
}

struct DeckConditions<'p> {
    pool: &'p Pool,
    sections: SectionSet,
}

impl Lowering for DeckConditions<'_> {
    type Condition = Cond;

    fn pool(&self) -> &Pool {
        self.pool
    }

    fn cards(&self) -> impl Iterator<Item = CardId> {
        self.pool.ids()
    }

    fn sum(&mut self, sum: Sum<'_>) -> Result<Cond, QueryError> {
        let weights = self.pool.ids().map(|card| sum.weight(self.pool, card));
        let num = counted(Weights::Each(weights.collect()), self.sections);
        let far = |bound: i128| if bound < 0 { i64::MIN } else { i64::MAX };
        let number = |bound: i128| Num::Const(i64::try_from(bound).unwrap_or(far(bound)));
        let (low, high) = sum.range;
        // A count of cards is never negative.
        let is_bound = low > 0 || (low > i128::MIN && sum.field.is_some());
        let within = Cond::Within(
            num,
            is_bound.then(|| number(low)),
            (high < i128::MAX).then(|| number(high)),
        );
        Ok(if sum.outside { within.negated() } else { within })
    }

    fn all(parts: Vec<Cond>) -> Cond {
        Cond::All(parts)
    }

    fn any(parts: Vec<Cond>) -> Cond {
        Cond::Any(parts)
    }

    fn not(part: Cond) -> Cond {
        part.negated()
    }

    fn some(
        &mut self,
        field: &FieldName,
        _: &Hand,
        _: Option<&CardSet>,
    ) -> Result<Cond, QueryError> {
        let message = "a wish cannot have `some`: which value it is about would have to be \
                       chosen first; write the value out";
        Err(QueryError::at(message, field.span))
    }

    fn different(
        &mut self,
        _: &[Count],
        span: Span,
        _: Option<&CardSet>,
    ) -> Result<Cond, QueryError> {
        let message = "a wish cannot have `different`: which card serves which count has no \
                       linear form; ask for the counts of each group";
        Err(QueryError::at(message, span))
    }
}
