//! Words and values in a query that no card has, so that they are most likely misspelled.

use super::fit::fit_field;
use super::hint::{meant, no_card, quoted};
use super::tree::{CardTest, Word};
use super::{Comparison, Query};
use crate::pool::{CardId, Column, Field, FieldKind, NameField, Pool};
use decklaw_text::name::fold;
use decklaw_text::text::Span;
use std::collections::BTreeSet;

/// The most remarks about one query.
const MOST: usize = 10;
/// A field with at most this many values has all of them listed.
const LISTED: usize = 8;
/// The most characters of a text that may be one misspelled word.
const LONGEST: usize = 40;

/// A word or value of a query that no card has: not wrong, and most likely not meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// What no card has, and the nearest that a card has; a sentence without its full stop.
    pub message: String,
    /// The bytes of the query's text that it is about.
    pub span: Span,
}

impl Query {
    /// The words that are in no name, the names of no card and the values that no card has in
    /// their field; at most 10, in the order of the text. A query that [`Query::check`] refuses,
    /// and a pool without cards, have none.
    ///
    /// ```
    /// use decklaw_cards::{pool::Pool, query::Query};
    /// let pool = Pool::of_names(["Rain Caller", "Moss Sprite"]);
    /// let remarks = Query::parse("rain or sprit")?.remarks(&pool);
    /// assert!(remarks.is_empty(), "both are parts of names");
    /// let remarks = Query::parse("rain or mosss")?.remarks(&pool);
    /// assert_eq!(remarks[0].message, "no card name contains `mosss`; did you mean `moss`?");
    /// # Ok::<(), decklaw_cards::query::QueryError>(())
    /// ```
    pub fn remarks(&self, pool: &Pool) -> Vec<Remark> {
        if pool.is_empty() || self.check(pool.fields()).is_err() {
            return Vec::new();
        }
        let of_test = |test: &CardTest| match test {
            CardTest::NameHolds(word) => Vec::from_iter(part(word, pool)),
            CardTest::Name(word) => Vec::from_iter(name(word, pool)),
            CardTest::Has(field) => Vec::from_iter(of_any(field, pool)),
            CardTest::Field { field, comparison, values } => {
                let values = values.iter();
                let remarks = values.filter_map(|value| of_value(field, *comparison, value, pool));
                remarks.collect()
            }
        };
        let tests = self.root.leaves().into_iter();
        tests.flat_map(of_test).take(MOST).collect()
    }
}

fn remark(span: Span, message: String) -> Option<Remark> {
    Some(Remark { message, span })
}

fn name(word: &Word, pool: &Pool) -> Option<Remark> {
    let found = pool.look_up(&word.text, NameField::Name);
    match found.card() {
        Some(card) if found.is_loose() => {
            let name = pool.name(card);
            remark(word.span, format!("`{}` is read as `{name}`", word.text))
        }
        Some(_) => None,
        None => remark(word.span, no_card(&word.text, pool)),
    }
}

fn part(word: &Word, pool: &Pool) -> Option<Remark> {
    let text = word.text.as_str();
    if pool.ids().any(pool.names_with(text)) {
        return None;
    }
    let fields = pool.fields();
    // A bare `green` may be meant as the colour.
    let has_value = |field: &&Field| {
        let is_words = matches!(field.kind, FieldKind::Word { .. } | FieldKind::List { .. });
        let wanted = field.canonical(text).filter(|_| is_words);
        wanted.is_some_and(|wanted| {
            let words = |card: CardId| pool.words(card, &field.name).iter();
            pool.ids().any(|card| words(card).any(|word| **word == *wanted))
        })
    };
    let hint = match text {
        // Other languages join so.
        "&" | "&&" | "+" | "," => "did you mean `and`?".to_owned(),
        "|" | "||" | "/" => "did you mean `or`?".to_owned(),
        _ if fields.iter().any(|field| field.name == text) => {
            format!("`{text}` is a field: `{text}:…`")
        }
        _ => match fields.iter().find(has_value) {
            Some(field) => format!("did you mean `{}:{text}`?", field.name),
            None => {
                let words = pool.ids().flat_map(|card| pool.folded(card).split(' '));
                meant(text, words.collect::<BTreeSet<&str>>())
            }
        },
    };
    let separator = if hint.is_empty() { "" } else { "; " };
    let message = format!("no card name contains `{text}`{separator}{hint}");
    remark(word.span, message)
}

fn of_value(field: &Word, comparison: Comparison, value: &Word, pool: &Pool) -> Option<Remark> {
    if field.text == "name" {
        return name(value, pool);
    }
    // What is excluded should be there, too.
    let sought = match comparison {
        Comparison::NotEqual => Comparison::Equal,
        other => other,
    };
    let test = fit_field(field, sought, std::slice::from_ref(value), pool);
    if pool.ids().any(|card| test.picks(card)) {
        return None;
    }
    let (name, text) = (&field.text, &value.text);
    let Some(column) = filled(name, pool) else {
        return of_any(field, pool);
    };
    if let Column::Number(cells) = column {
        let message = format!("no card has `{name}{}{text}`", sought.sign());
        let hint = text.parse().map(|wanted| numbers(cells, sought, wanted));
        return remark(value.span, message + &hint.unwrap_or_default());
    }
    let free = pool.fields().iter().any(|known| {
        known.name == *name && matches!(known.kind, FieldKind::Text | FieldKind::Query)
    });
    let message = match comparison {
        Comparison::Is if free => format!("no card's `{name}` holds `{text}`"),
        _ => format!("no card has the `{name}` `{text}`"),
    };
    let known = values(column, pool, free);
    let meant = meant(text, known.iter().map(String::as_str));
    let hint = if !meant.is_empty() {
        format!("; {meant}")
    } else if !free && known.len() <= LISTED {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        format!("; cards have {}", quoted(&known))
    } else {
        String::new()
    };
    remark(value.span, message + &hint)
}

/// The column of a field, where it gives some card a value.
fn filled<'p>(field: &str, pool: &'p Pool) -> Option<&'p Column> {
    let column = pool.column(field)?;
    let has = |card| column.has_value(card);
    pool.ids().any(has).then_some(column)
}

fn of_any(field: &Word, pool: &Pool) -> Option<Remark> {
    if field.text == "name" || filled(&field.text, pool).is_some() {
        return None;
    }
    let message = format!("the card file gives no card a `{}`", field.text);
    remark(field.span, message)
}

/// The words that cards have in a column; of free texts, short ones and the words in each.
fn values(column: &Column, pool: &Pool, free: bool) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for text in pool.ids().flat_map(|card| column.words(card)) {
        let folded = fold(text);
        if free {
            let punctuation = |letter: char| !letter.is_alphanumeric();
            let words = folded.split(' ').map(|word| word.trim_matches(punctuation));
            known.extend(words.map(str::to_owned));
        }
        if !free || folded.chars().count() <= LONGEST {
            known.insert(folded.into_owned());
        }
    }
    known.remove("");
    known
}

/// The numbers that there are nearest to one that no card has.
fn numbers(cells: &[Option<i64>], comparison: Comparison, wanted: i64) -> String {
    let known: BTreeSet<i64> = cells.iter().flatten().copied().collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        return String::new();
    };
    if comparison.is_order() {
        return format!("; cards have {first} to {last}");
    }
    let below = known.range(..wanted).next_back();
    let above = known.range(wanted..).next();
    match (below, above) {
        (Some(below), Some(above)) => format!("; the nearest are {below} and {above}"),
        (Some(only), None) | (None, Some(only)) => format!("; the nearest is {only}"),
        (None, None) => String::new(),
    }
}
