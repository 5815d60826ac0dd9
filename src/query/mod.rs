//! The card query: one small language that picks cards, in rules, lists, odds and wishes.
//!
//! `type:monster mana>=3 -set:alpha` is read as *and*, binds closer than `or`, and nothing at
//! all is every card. A quoted text is a whole name, a bare word a part of one.
//!
//! ```
//! use decklaw::{pool::{Field, FieldKind, Pool}, query::Query};
//! let mana = Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 99 } };
//! let pool = Pool::read_csv(b"name,mana\nRain Caller,1\nMoss Sprite,2\nMoss King,6\n", &[mana])?;
//! let cheap = Query::parse("moss mana<=2")?.select(&pool)?;
//! assert_eq!(cheap.iter().map(|card| pool.name(card)).collect::<Vec<_>>(), ["Moss Sprite"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cursor;
mod parse;

pub(crate) use cursor::Cursor;

use crate::name::fold;
use crate::pool::{CardId, CardSet, Column, Field, FieldKind, Pool};
use crate::text::{Span, listed};

/// A comparison between a card's field and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `:`: equals, or for a list: holds; for free text: contains.
    Is,
    /// `=`: as [`Comparison::Is`], but free text must be equal.
    Equal,
    /// `!=`: has a value, and not this one.
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Whether `left` compares so with `right`.
    pub fn holds<T: Ord>(self, left: &T, right: &T) -> bool {
        match self {
            Comparison::Is | Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::More => left > right,
            Comparison::AtLeast => left >= right,
        }
    }

    fn is_order(self) -> bool {
        matches!(
            self,
            Comparison::Less | Comparison::AtMost | Comparison::More | Comparison::AtLeast
        )
    }
}

/// A query that cannot be understood, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// What is wrong and what would mend it.
    pub message: String,
    /// The bytes of the query's text to blame.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    text: String,
    span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    /// Part of a name, folded.
    NameHolds(String),
    /// A whole name.
    Name(Word),
    Field {
        field: Word,
        comparison: Comparison,
        values: Vec<Word>,
    },
}

/// A parsed card query. It is checked against a game's fields when it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    text: String,
    root: Node,
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    /// A stray bracket or quotation mark, a missing value, a dangling `or`, or more than 100
    /// brackets inside each other.
    pub fn parse(text: &str) -> Result<Query, QueryError> {
        let root = parse::query(text)?;
        Ok(Query {
            text: text.to_owned(),
            root,
        })
    }

    /// The query as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it picks every card because it says nothing.
    pub fn is_everything(&self) -> bool {
        matches!(&self.root, Node::All(terms) if terms.is_empty())
    }

    /// The cards of a pool that the query picks.
    ///
    /// # Errors
    /// As for [`Query::check`].
    pub fn select(&self, pool: &Pool) -> Result<CardSet, QueryError> {
        self.check(pool.fields())?;
        Ok(CardSet::of(pool.len(), |card| {
            matches(&self.root, pool, card)
        }))
    }

    /// Whether the query picks a card. Fields that the pool does not have are empty.
    pub(crate) fn picks(&self, pool: &Pool, card: CardId) -> bool {
        matches(&self.root, pool, card)
    }

    /// Whether the query can be asked of cards with these fields.
    ///
    /// # Errors
    /// An unknown field, a comparison that the field's kind does not allow, a value that it
    /// cannot have.
    pub fn check(&self, fields: &[Field]) -> Result<(), QueryError> {
        let mut result = Ok(());
        visit(&self.root, &mut |node| {
            if let Node::Field {
                field,
                comparison,
                values,
            } = node
                && result.is_ok()
            {
                result = check_field(fields, field, *comparison, values);
            }
        });
        result
    }

    /// The fields that the query asks about, `name` not among them.
    pub fn fields(&self) -> Vec<&str> {
        let mut fields = Vec::new();
        visit(&self.root, &mut |node| {
            if let Node::Field { field, .. } = node
                && field.text != "name"
            {
                fields.push(field.text.as_str());
            }
        });
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// The whole names in the query that a pool does not have, with their places.
    pub fn unknown_names(&self, pool: &Pool) -> Vec<(String, Span)> {
        let mut unknown = Vec::new();
        let mut meet = |word: &Word| {
            if pool.find(&word.text).is_none() {
                unknown.push((word.text.clone(), word.span));
            }
        };
        visit(&self.root, &mut |node| match node {
            Node::Name(word) => meet(word),
            Node::Field {
                field,
                values,
                comparison: Comparison::Is | Comparison::Equal,
            } if field.text == "name" => {
                values.iter().for_each(&mut meet);
            }
            _ => {}
        });
        unknown
    }
}

fn visit<'n>(node: &'n Node, see: &mut dyn FnMut(&'n Node)) {
    see(node);
    match node {
        Node::All(nodes) | Node::Any(nodes) => nodes.iter().for_each(|inner| visit(inner, see)),
        Node::Not(inner) => visit(inner, see),
        Node::NameHolds(_) | Node::Name(_) | Node::Field { .. } => {}
    }
}

fn check_field(
    fields: &[Field],
    field: &Word,
    comparison: Comparison,
    values: &[Word],
) -> Result<(), QueryError> {
    if field.text == "name" {
        if comparison.is_order() {
            let message = "names have no order; use `name:\"…\"`".to_owned();
            return Err(QueryError {
                message,
                span: field.span,
            });
        }
        return Ok(());
    }
    let Some(known) = fields.iter().find(|known| known.name == field.text) else {
        let mut names = vec!["name"];
        names.extend(fields.iter().map(|known| known.name.as_str()));
        let message = format!(
            "no field `{}`; the fields are {}",
            field.text,
            listed(&names, "and")
        );
        return Err(QueryError {
            message,
            span: field.span,
        });
    };
    for value in values {
        let message = match &known.kind {
            FieldKind::Number { .. } if value.text.parse::<i64>().is_err() => format!(
                "`{}` is compared with whole numbers, and `{}` is none",
                known.name, value.text
            ),
            FieldKind::Number { .. } => continue,
            _ if comparison.is_order() => format!(
                "`{}` is not a number, so only `:`, `=` and `!=` compare it",
                known.name
            ),
            _ if known.canonical(&value.text).is_none() => format!(
                "`{}` is never `{}`; it is {}",
                known.name,
                value.text,
                listed(&known.words(), "or")
            ),
            _ => continue,
        };
        return Err(QueryError {
            message,
            span: value.span,
        });
    }
    Ok(())
}

fn matches(node: &Node, pool: &Pool, card: CardId) -> bool {
    match node {
        Node::All(nodes) => nodes.iter().all(|inner| matches(inner, pool, card)),
        Node::Any(nodes) => nodes.iter().any(|inner| matches(inner, pool, card)),
        Node::Not(inner) => !matches(inner, pool, card),
        Node::NameHolds(part) => pool.folded(card).contains(part.as_str()),
        Node::Name(word) => pool.find(&word.text) == Some(card),
        Node::Field {
            field,
            comparison,
            values,
        } if field.text == "name" => {
            let named = values
                .iter()
                .any(|value| pool.find(&value.text) == Some(card));
            named != (*comparison == Comparison::NotEqual)
        }
        Node::Field {
            field,
            comparison,
            values,
        } => {
            let any = |test: &dyn Fn(&str) -> bool| match comparison {
                Comparison::NotEqual => values.iter().all(|value| test(&value.text)),
                _ => values.iter().any(|value| test(&value.text)),
            };
            any(&|value| field_matches(pool, card, &field.text, *comparison, value))
        }
    }
}

fn field_matches(
    pool: &Pool,
    card: CardId,
    name: &str,
    comparison: Comparison,
    value: &str,
) -> bool {
    let Some(column) = pool.column(name).filter(|column| column.has_value(card)) else {
        return false;
    };
    let Some(field) = pool.fields().iter().find(|field| field.name == name) else {
        return false;
    };
    let negated = comparison == Comparison::NotEqual;
    match column {
        Column::Number(_) => {
            let wanted = value.parse::<i64>().ok();
            let number = pool.number(card, name);
            number
                .zip(wanted)
                .is_some_and(|(number, wanted)| comparison.holds(&number, &wanted))
        }
        Column::Text(_) | Column::List(_) => {
            let words = pool.words(card, name);
            let found = if matches!(field.kind, FieldKind::Text | FieldKind::Query) {
                let wanted = fold(value);
                words.iter().any(|word| match comparison {
                    Comparison::Is => fold(word).contains(wanted.as_ref()),
                    _ => fold(word) == wanted,
                })
            } else {
                let wanted = field.canonical(value);
                words.iter().any(|word| Some(&**word) == wanted.as_deref())
            };
            found != negated
        }
    }
}

#[cfg(test)]
mod tests;
