//! A card query fitted to a pool: checked against its fields and made into typed tests, once;
//! then asked of each card.

use super::tree::{Node, Word, visit};
use super::{Comparison, QueryError, remark};
use crate::name::fold;
use crate::pool::{CardId, Column, Field, FieldKind, Pool};
use crate::text::listed;

/// What is asked of a card.
pub(super) enum Test<'a> {
    All(Vec<Test<'a>>),
    Any(Vec<Test<'a>>),
    Not(Box<Test<'a>>),
    /// The folded name contains this.
    NameHolds(&'a str),
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
    /// It has a value here, and the test fails.
    Other(&'a Column, Box<Test<'a>>),
    /// It has a value here.
    Has(&'a Column),
    /// The card file has no such column.
    Never,
}

impl Test<'_> {
    pub(super) fn holds(&self, pool: &Pool, card: CardId) -> bool {
        match self {
            Test::All(tests) => tests.iter().all(|test| test.holds(pool, card)),
            Test::Any(tests) => tests.iter().any(|test| test.holds(pool, card)),
            Test::Not(test) => !test.holds(pool, card),
            Test::NameHolds(part) => pool.folded(card).contains(part),
            Test::Is(cards) => cards.contains(&card),
            Test::Number(cells, comparison, values) => cells[card.index()]
                .is_some_and(|number| values.iter().any(|value| comparison.holds(&number, value))),
            Test::Words(column, values) => column
                .words(card)
                .iter()
                .any(|word| values.iter().any(|value| **value == **word)),
            Test::Holds(column, values) => column.words(card).iter().any(|text| {
                let text = fold(text);
                values.iter().any(|value| text.contains(value.as_str()))
            }),
            Test::Texts(column, values) => column.words(card).iter().any(|text| {
                let text = fold(text);
                values.iter().any(|value| text == value.as_str())
            }),
            Test::Other(column, test) => column.has_value(card) && !test.holds(pool, card),
            Test::Has(column) => column.has_value(card),
            Test::Never => false,
        }
    }
}

/// The test that a checked query means for the cards of a pool.
pub(super) fn fit<'a>(node: &'a Node, pool: &'a Pool) -> Test<'a> {
    match node {
        Node::All(nodes) => Test::All(nodes.iter().map(|node| fit(node, pool)).collect()),
        Node::Any(nodes) => Test::Any(nodes.iter().map(|node| fit(node, pool)).collect()),
        Node::Not(node) => Test::Not(Box::new(fit(node, pool))),
        Node::NameHolds(part) => Test::NameHolds(&part.text),
        Node::Name(name) => Test::Is(pool.find(&name.text).into_iter().collect()),
        Node::Field {
            field,
            comparison,
            values,
        } => fit_field(field, *comparison, values, pool),
        // Every card has a name.
        Node::Has(field) if field.text == "name" => Test::All(Vec::new()),
        Node::Has(field) => pool.column(&field.text).map_or(Test::Never, Test::Has),
    }
}

/// The test of one comparison.
pub(super) fn fit_field<'a>(
    field: &Word,
    comparison: Comparison,
    values: &[Word],
    pool: &'a Pool,
) -> Test<'a> {
    let negated = comparison == Comparison::NotEqual;
    let texts = || values.iter().map(|value| value.text.as_str());
    if field.text == "name" {
        let named = Test::Is(texts().filter_map(|name| pool.find(name)).collect());
        return if negated {
            Test::Not(Box::new(named))
        } else {
            named
        };
    }
    let known = pool.fields().iter().find(|known| known.name == field.text);
    let (Some(known), Some(column)) = (known, pool.column(&field.text)) else {
        return Test::Never;
    };
    let test = match (column, &known.kind) {
        (Column::Number(cells), _) => {
            let numbers = texts().filter_map(|value| value.parse().ok());
            return Test::Number(cells, comparison, numbers.collect());
        }
        (_, FieldKind::Text | FieldKind::Query) => {
            let folded = texts().map(|value| fold(value).into_owned()).collect();
            match comparison {
                Comparison::Is => Test::Holds(column, folded),
                _ => Test::Texts(column, folded),
            }
        }
        _ => {
            let words = texts().filter_map(|value| known.canonical(value));
            Test::Words(column, words.map(String::from).collect())
        }
    };
    if negated {
        Test::Other(column, Box::new(test))
    } else {
        test
    }
}

/// Whether a query can be asked of cards with these fields; with `values`, whether the fields
/// can have the values named, too.
pub(super) fn check(root: &Node, fields: &[Field], values: bool) -> Result<(), QueryError> {
    let with_values = values;
    let mut result = Ok(());
    visit(root, &mut |node| {
        if result.is_err() {
            return;
        }
        match node {
            Node::Field {
                field,
                comparison,
                values,
            } => result = check_field(fields, field, *comparison, (values, with_values)),
            Node::Has(field) if field.text != "name" => {
                result = known_field(fields, field).map(|_| ());
            }
            _ => {}
        }
    });
    result
}

fn known_field<'f>(fields: &'f [Field], field: &Word) -> Result<&'f Field, QueryError> {
    let known = fields.iter().find(|known| known.name == field.text);
    known.ok_or_else(|| QueryError::at(remark::no_field(&field.text, fields), field.span))
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
    for value in values {
        let message = match &known.kind {
            FieldKind::Number { .. } if value.text.parse::<i64>().is_err() => format!(
                "`{}` is compared with whole numbers, and `{}` is none{}",
                known.name,
                value.text,
                remark::number_meant(&known.name, &value.text)
            ),
            FieldKind::Number { .. } => continue,
            _ if comparison.is_order() => format!(
                "`{}` is not a number, so only `:`, `=` and `!=` compare it",
                known.name
            ),
            _ if with_values && known.canonical(&value.text).is_none() => {
                let (field, words) = (&known.name, listed(&known.words(), "or"));
                match remark::meant(&value.text, known.words()).as_str() {
                    "" => format!("`{field}` is never `{}`; it is {words}", value.text),
                    meant => format!("`{field}` is never `{}`; {meant} It is {words}", value.text),
                }
            }
            _ => continue,
        };
        return Err(QueryError::at(message, value.span));
    }
    Ok(())
}
