//! Counts and totals that a wish asks of a deck: a hand query as a condition.

use decklaw_core::pool::{CardSet, FieldKind, Pool};
use decklaw_core::query::hand::{Hand, HandTest};
use decklaw_core::query::{QueryError, no_field};
use decklaw_core::rules::SectionSet;
use decklaw_core::rules::tree::{Cond, Leaf, Name, Num, UnknownCards, Weights};
use decklaw_core::text::Span;

/// The condition that a hand query is about the cards in some sections.
///
/// # Errors
/// What is no condition on sums: `some` and `different`; a field that is no number.
pub(super) fn condition(
    hand: &Hand,
    pool: &Pool,
    sections: SectionSet,
) -> Result<Cond, QueryError> {
    let parts = |hands: &[Hand]| {
        let parts = hands.iter().map(|hand| condition(hand, pool, sections));
        parts.collect::<Result<Vec<Cond>, QueryError>>()
    };
    let refuse = |word: &str, why: &str, span: Span| {
        let message = format!("a wish cannot have `{word}`: {why}");
        Err(QueryError { message, span })
    };
    match hand {
        Hand::All(hands) => Ok(Cond::All(parts(hands)?)),
        Hand::Any(hands) => Ok(Cond::Any(parts(hands)?)),
        Hand::Not(hand) => Ok(condition(hand, pool, sections)?.negated()),
        Hand::Is(HandTest::Some(field, _)) => refuse(
            "some",
            "which value it is about would have to be chosen first; write the value out",
            field.span,
        ),
        Hand::Is(HandTest::Different(_, span)) => refuse(
            "different",
            "which card serves which count has no linear form; ask for the counts of each group",
            *span,
        ),
        Hand::Is(HandTest::Count(count)) => {
            let cards = count.group.select(pool)?;
            let weights = pool.ids().map(|card| i64::from(cards.has(card))).collect();
            let low = Some(i64::from(count.low)).filter(|low| *low > 0);
            let high = count.high.map(i64::from);
            Ok(Cond::Within(
                sum(Weights::Each(weights), sections),
                low.map(Num::Const),
                high.map(Num::Const),
            ))
        }
        Hand::Is(HandTest::Total {
            field,
            group,
            comparison,
            number,
        }) => {
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
            let total = sum(Weights::Each(pool.ids().map(weigh).collect()), sections);
            Ok(total.compared(*comparison, &Num::Const(*number)))
        }
    }
}

/// What cards in some sections weigh together. A card that the pool does not know is not among
/// those that a wish counts.
pub(super) fn sum(cards: Weights, sections: SectionSet) -> Num {
    Num::Sum(Box::new(Leaf {
        cards,
        sections,
        unknown: UnknownCards::Nothing,
        name: Name::default(),
    }))
}
