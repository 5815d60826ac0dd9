//! A card query fitted to a pool: checked against its fields and made into typed tests once, then
//! applied to each card.

use super::hint::{meant, no_field, number_meant};
use super::tree::{CardTest, Tree, Word};
use super::{Comparison, MissingValue, Query, QueryError};
use crate::pool::{CardId, Column, Field, FieldKind, NameField, Pool};
use decklaw_text::name::fold;
use decklaw_text::text::listed;
use std::convert::Infallible;

/// A condition on a card of one pool.
pub(super) enum BoundCondition<'a> {
    /// The name has this part.
    NameHolds(Box<dyn Fn(CardId) -> bool + 'a>),
    /// It is one of these cards.
    Is(Vec<CardId>),
    /// The number compares so with one of these.
    Number(&'a [Option<i64>], Comparison, Vec<i64>),
    /// One of its words is one of these.
    Words(&'a Column, Vec<String>),
    /// One of its texts contains one of these, which are folded.
    Holds(&'a Column, Vec<String>),
    /// One of its texts is one of these, which are folded.
    Texts(&'a Column, Vec<String>),
    /// It has a value here.
    Has(&'a Column),
}

impl BoundCondition<'_> {
    fn holds(&self, card: CardId) -> bool {
        let text = |column: &Column, is: &dyn Fn(&str) -> bool| {
            column.words(card).iter().any(|text| is(&fold(text)))
        };
        match self {
            BoundCondition::NameHolds(has_part) => has_part(card),
            BoundCondition::Is(cards) => cards.contains(&card),
            BoundCondition::Number(cells, comparison, values) => cells[card.index()]
                .is_some_and(|number| values.iter().any(|value| comparison.holds(&number, value))),
            BoundCondition::Words(column, values) => {
                let mut words = column.words(card).iter();
                words.any(|word| values.iter().any(|value| **value == **word))
            }
            BoundCondition::Holds(column, values) => {
                text(column, &|text| values.iter().any(|value| text.contains(value.as_str())))
            }
            BoundCondition::Texts(column, values) => {
                text(column, &|text| values.iter().any(|value| text == value))
            }
            BoundCondition::Has(column) => column.has_value(card),
        }
    }
}

impl Tree<BoundCondition<'_>> {
    pub(super) fn picks(&self, card: CardId) -> bool {
        self.holds(&|test| test.holds(card))
    }
}

/// The cards of some names.
fn named<'n>(names: impl IntoIterator<Item = &'n str>, pool: &Pool) -> Vec<CardId> {
    names.into_iter().filter_map(|name| pool.look_up(name, NameField::Name).card()).collect()
}

/// The tests of a checked query for the cards of a pool. Fields that the pool lacks are empty.
pub(super) fn fit<'a>(tree: &'a Tree<CardTest>, pool: &'a Pool) -> Tree<BoundCondition<'a>> {
    let Ok(fitted) = tree.try_map(&mut |test| {
        Ok::<_, Infallible>(match test {
            CardTest::NameHolds(part) => {
                Tree::Is(BoundCondition::NameHolds(Box::new(pool.names_with(&part.text))))
            }
            CardTest::Name(name) => Tree::Is(BoundCondition::Is(named([&*name.text], pool))),
            CardTest::Field { field, comparison, values } => {
                fit_field(field, *comparison, values, pool)
            }
            // Every card has a name.
            CardTest::Has(field) if field.text == "name" => Tree::All(Vec::new()),
            CardTest::Has(field) => {
                let column = pool.column(&field.text);
                column.map_or(Tree::Any(Vec::new()), |column| Tree::Is(BoundCondition::Has(column)))
            }
        })
    });
    fitted
}

/// The test of one comparison.
pub(super) fn fit_field<'a>(
    field: &Word,
    comparison: Comparison,
    values: &[Word],
    pool: &'a Pool,
) -> Tree<BoundCondition<'a>> {
    let not = |test| Tree::Not(Box::new(Tree::Is(test)));
    let is_negated = comparison == Comparison::NotEqual;
    let texts = || values.iter().map(|value| value.text.as_str());
    if field.text == "name" {
        let named = BoundCondition::Is(named(texts(), pool));
        return if is_negated { not(named) } else { Tree::Is(named) };
    }
    let known = pool.fields().iter().find(|known| known.name == field.text);
    let (Some(known), Some(column)) = (known, pool.column(&field.text)) else {
        return Tree::Any(Vec::new());
    };
    let test = match (column, &known.kind) {
        (Column::Number(cells), _) => {
            let numbers = texts().filter_map(|value| value.parse().ok());
            return Tree::Is(BoundCondition::Number(cells, comparison, numbers.collect()));
        }
        (_, FieldKind::Text | FieldKind::Query) => {
            let folded = texts().map(|value| fold(value).into_owned()).collect();
            match comparison {
                Comparison::Is => BoundCondition::Holds(column, folded),
                _ => BoundCondition::Texts(column, folded),
            }
        }
        _ => {
            let words = texts().filter_map(|value| known.canonical(value));
            BoundCondition::Words(column, words.map(String::from).collect())
        }
    };
    if is_negated {
        Tree::All(vec![Tree::Is(BoundCondition::Has(column)), not(test)])
    } else {
        Tree::Is(test)
    }
}

/// Whether a query can be asked of cards with these fields; with `values`, whether the fields
/// can have the values named, too.
pub(super) fn check(
    root: &Tree<CardTest>,
    fields: &[Field],
    values: bool,
) -> Result<(), QueryError> {
    let with_values = values;
    root.leaves().into_iter().try_for_each(|test| match test {
        CardTest::Field { field, comparison, values } => {
            check_field(fields, field, *comparison, (values, with_values))
        }
        CardTest::Has(field) if field.text != "name" => known_field(fields, field).map(|_| ()),
        _ => Ok(()),
    })
}

fn known_field<'f>(fields: &'f [Field], field: &Word) -> Result<&'f Field, QueryError> {
    let known = fields.iter().find(|known| known.name == field.text);
    known.ok_or_else(|| QueryError::at(no_field(&field.text, fields), field.span))
}

fn check_field(
    fields: &[Field],
    field: &Word,
    comparison: Comparison,
    (values, with_values): (&[Word], bool),
) -> Result<(), QueryError> {
    if field.text == "name" {
        if comparison.is_order() {
            let message = "names have no order; use `name:\"…\"`";
            return Err(QueryError::at(message, field.span));
        }
        return Ok(());
    }
    let known = known_field(fields, field)?;
    let name = &known.name;
    for value in values {
        let text = &value.text;
        let mut missing = None;
        let message = match &known.kind {
            FieldKind::Number { .. } if text.parse::<i64>().is_err() => format!(
                "`{name}` is compared with whole numbers, not with `{text}`{}",
                number_meant(name, text)
            ),
            FieldKind::Number { .. } => continue,
            _ if comparison.is_order() => {
                format!("`{name}` is not a number, so only `:`, `=` and `!=` compare it")
            }
            _ if with_values && known.canonical(text).is_none() => {
                missing = Some(MissingValue { field: name.clone(), value: text.clone() });
                let words = listed(&known.words(), "or");
                match meant(text, known.words()).as_str() {
                    "" => format!("`{name}` is never `{text}`; it is {words}"),
                    meant => format!("`{name}` is never `{text}`; {meant} It is {words}"),
                }
            }
            _ => continue,
        };
        return Err(QueryError { missing, ..QueryError::at(message, value.span) });
    }
    Ok(())
}

impl Query {
    /// The first word that names what identity cards say.
    fn reference(&self) -> Option<&Word> {
        let mut tests = self.root.leaves().into_iter();
        tests.find_map(|test| match test {
            CardTest::Field { values, .. } => {
                values.iter().find(|value| value.reference().is_some())
            }
            _ => None,
        })
    }

    /// The query, which must not name what identity cards say.
    ///
    /// # Errors
    /// It does.
    pub fn plain(self) -> Result<Query, QueryError> {
        let Some(word) = self.reference() else {
            return Ok(self);
        };
        let message = format!(
            "`{}` is a field of an identity card: write `must: {{matching: …}}`, `{{permitted: …}}`, or `matched` in a `total`",
            word.text
        );
        Err(QueryError::at(message, word.span))
    }
}
