//! What a query asks for in vain: no card has it, so it is most likely misspelt.

use super::fit::fit_field;
use super::tree::{Node, Word, visit};
use super::{Comparison, Query};
use crate::name::{fold, nearest};
use crate::pool::{CardId, Column, Field, FieldKind, Pool};
use crate::text::{Span, listed};
use std::collections::BTreeSet;

/// The most remarks about one query.
const MOST: usize = 10;
/// The most values of a field that are all listed.
const LISTED: usize = 8;
/// The most characters of a text that may be one misspelt word.
const LONGEST: usize = 40;

/// A word or value of a query that no card has: not wrong, and most likely not meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// What no card has, and the nearest that some card has; a sentence without its full stop.
    pub message: String,
    /// The bytes of the query's text that it is about.
    pub span: Span,
}

impl Query {
    /// What the query asks for that no card of the pool has: words that are part of no name,
    /// names of no card, values that no card has in that field; at most 10, in the order of
    /// the text. A query that [`Query::check`] refuses, and a pool without cards, have none.
    ///
    /// ```
    /// use decklaw_core::{pool::Pool, query::Query};
    /// let pool = Pool::of_names(["Rain Caller", "Moss Sprite"]);
    /// let remarks = Query::parse("rain or sprit")?.remarks(&pool);
    /// assert!(remarks.is_empty(), "both are parts of names");
    /// let remarks = Query::parse("rain or mosss")?.remarks(&pool);
    /// assert_eq!(remarks[0].message, "no card's name holds `mosss`; did you mean `moss`?");
    /// # Ok::<(), decklaw_core::query::QueryError>(())
    /// ```
    pub fn remarks(&self, pool: &Pool) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if pool.is_empty() || self.check(pool.fields()).is_err() {
            return remarks;
        }
        visit(&self.root, &mut |node| {
            if remarks.len() >= MOST {
                return;
            }
            match node {
                Node::NameHolds(word) => remarks.extend(part(word, pool)),
                Node::Name(word) => remarks.extend(name(word, pool)),
                Node::Field {
                    field,
                    comparison,
                    values,
                } => {
                    let each = values
                        .iter()
                        .filter_map(|value| of_value(field, *comparison, value, pool));
                    remarks.extend(each);
                }
                Node::Has(field) => remarks.extend(of_any(field, pool)),
                Node::All(_) | Node::Any(_) | Node::Not(_) => {}
            }
        });
        remarks.truncate(MOST);
        remarks
    }
}

/// That a game's cards have no such field, with the nearest and all that there are.
pub fn no_field(name: &str, fields: &[Field]) -> String {
    let mut names = vec!["name"];
    names.extend(fields.iter().map(|known| known.name.as_str()));
    let all = listed(&names, "and");
    match meant(name, names).as_str() {
        "" => format!("no field `{name}`; the fields are {all}"),
        meant => format!("no field `{name}`; {meant} The fields are {all}"),
    }
}

/// That a pool has no card of a name, and the nearest that it has.
pub fn no_card(name: &str, pool: &Pool) -> String {
    let hint = match pool.nearest(name).as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", listed(near, "or")),
    };
    format!("there is no card `{name}`{hint}")
}

/// "did you mean `x`?" with the words nearest to one; empty when none is near.
pub(super) fn meant<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(&fold(word), candidates).as_slice() {
        [] => String::new(),
        near => format!("did you mean {}?", quoted(near)),
    }
}

/// What was meant by a value that is no whole number, where that is plain: `; write …`.
pub(super) fn number_meant(field: &str, text: &str) -> String {
    const WORDS: [&str; 11] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let range = ["..=", "..", "-", "\u{2013}"]
        .iter()
        .find_map(|between| text.split_once(between));
    if let Some((low, high)) = range
        && let (Some(low), Some(high)) = (number(low), number(high))
    {
        return format!("; write `{field}>={low} {field}<={high}`");
    }
    let more = text.strip_suffix('+').and_then(number);
    if let Some(low) = more {
        return format!("; write `{field}>={low}`");
    }
    let word = WORDS
        .iter()
        .position(|word| text.eq_ignore_ascii_case(word));
    word.map_or_else(String::new, |number| format!("; write `{field}:{number}`"))
}

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    listed(&words, "or")
}

fn remark(span: Span, message: String) -> Option<Remark> {
    Some(Remark { message, span })
}

fn name(word: &Word, pool: &Pool) -> Option<Remark> {
    match pool.find(&word.text) {
        Some(_) => None,
        None => remark(word.span, no_card(&word.text, pool)),
    }
}

fn part(word: &Word, pool: &Pool) -> Option<Remark> {
    let text = word.text.as_str();
    if pool.ids().any(|card| pool.folded(card).contains(text)) {
        return None;
    }
    let message = format!("no card's name holds `{text}`; ");
    // Other languages join so.
    let joint = match text {
        "&" | "&&" | "+" | "," => Some("and"),
        "|" | "||" | "/" => Some("or"),
        _ => None,
    };
    if let Some(joint) = joint {
        return remark(word.span, message + &format!("did you mean `{joint}`?"));
    }
    let fields = pool.fields();
    if let Some(field) = fields.iter().find(|field| field.name == text) {
        let field = &field.name;
        return remark(
            word.span,
            message + &format!("`{field}` is a field: `{field}:…`"),
        );
    }
    // Whoever writes `green` may mean the colour.
    let valued = fields.iter().find(|field| {
        let words = matches!(field.kind, FieldKind::Word { .. } | FieldKind::List { .. });
        let wanted = field.canonical(text).filter(|_| words);
        wanted.is_some_and(|wanted| {
            let has = |card: CardId| {
                pool.words(card, &field.name)
                    .iter()
                    .any(|is| **is == *wanted)
            };
            pool.ids().any(has)
        })
    });
    if let Some(field) = valued {
        return remark(
            word.span,
            message + &format!("did you mean `{}:{text}`?", field.name),
        );
    }
    let words: BTreeSet<&str> = pool
        .ids()
        .flat_map(|card| pool.folded(card).split(' '))
        .collect();
    let meant = meant(text, words);
    let message = message + &meant;
    remark(word.span, message.trim_end_matches("; ").to_owned())
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
    if pool.ids().any(|card| test.holds(pool, card)) {
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
