//! Queries printed: in their plainest spelling, which reads as the same query, and in words.

use super::cards::reserved;
use super::hand::{Count, Group, Hand, HandTest};
use super::parser::{COMPARES, closing};
use super::tree::{CardTest, Tree, Word};
use super::{Comparison, HandQuery, Query};
use crate::pool::{FieldKind, NameField, Pool};
use decklaw_text::text::{listed, spaced};
use std::fmt::{Display, Formatter, Result, Write as _};

impl Display for Query {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let mut text = String::new();
        write_tree(&self.root, " ", &mut text, &mut write_card_test)?;
        out.write_str(whole(&self.root, &text))
    }
}

impl Display for HandQuery {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let mut text = String::new();
        write_tree(&self.root, " and ", &mut text, &mut write_hand_test)?;
        out.write_str(whole(&self.root, &text))
    }
}

/// The text of a tree; at the top nothing needs brackets.
fn whole<'t, L>(tree: &Tree<L>, text: &'t str) -> &'t str {
    let inner = match tree {
        Tree::Any(_) | Tree::All(_) => {
            text.strip_prefix('(').and_then(|text| text.strip_suffix(')'))
        }
        Tree::Not(_) | Tree::Is(_) => None,
    };
    inner.unwrap_or(text)
}

/// A tree that may be a part of another one.
fn write_tree<L>(
    tree: &Tree<L>,
    and: &str,
    out: &mut String,
    leaf: &mut impl FnMut(&L, &mut String) -> Result,
) -> Result {
    let (parts, between) = match tree {
        Tree::Is(test) => return leaf(test, out),
        Tree::Not(part) => {
            out.push_str("not ");
            return write_tree(part, and, out, leaf);
        }
        Tree::All(parts) => (parts, and),
        Tree::Any(parts) => (parts, " or "),
    };
    out.push('(');
    joined(out, parts, between, |part, out| write_tree(part, and, out, leaf))?;
    out.push(')');
    Ok(())
}

fn joined<T>(
    out: &mut String,
    parts: &[T],
    between: &str,
    mut write: impl FnMut(&T, &mut String) -> Result,
) -> Result {
    for (at, part) in parts.iter().enumerate() {
        out.push_str(if at > 0 { between } else { "" });
        write(part, out)?;
    }
    Ok(())
}

fn write_card_test(test: &CardTest, out: &mut String) -> Result {
    match test {
        CardTest::NameHolds(word) => out.write_str(&word.text),
        CardTest::Name(word) => write!(out, "\"{}\"", word.text),
        CardTest::Has(field) => write!(out, "{}:*", field.text),
        CardTest::Field { field, comparison, values } => {
            write!(out, "{}{}", field.text, comparison.sign())?;
            if let [only] = values.as_slice() {
                return write_value(only, out);
            }
            out.push('(');
            joined(out, values, " ", write_value)?;
            out.push(')');
            Ok(())
        }
    }
}

fn write_value(word: &Word, out: &mut String) -> Result {
    let text = word.text.as_str();
    let breaks = |next: char| next.is_whitespace() || "()\"".contains(next);
    let begins = |next: char| closing(next).is_some() || COMPARES.contains(next);
    let is_quoted = text.is_empty()
        || text.contains(breaks)
        || text.starts_with(begins)
        || reserved(text).is_some()
        || text == "*"
        || text.starts_with('$') && word.reference().is_none();
    if is_quoted {
        return write!(out, "\"{text}\"");
    }
    out.write_str(text)
}

fn write_hand(hand: &Hand, out: &mut String) -> Result {
    write_tree(hand, " and ", out, &mut write_hand_test)
}

fn write_hand_test(test: &HandTest, out: &mut String) -> Result {
    match test {
        HandTest::Some(field, inner) => {
            write!(out, "some {} (", field.name)?;
            write_hand(inner, out)?;
            out.push(')');
        }
        HandTest::Different(counts, _) => {
            out.push_str("different(");
            joined(out, counts, ", ", write_count)?;
            out.push(')');
        }
        HandTest::Count(count) => write_count(count, out)?,
        HandTest::Total { field, group, comparison, number } => {
            write!(out, "sum({})", field.name)?;
            if let Some(Group { cards, .. }) = group {
                write!(out, " [{cards}]")?;
            }
            write!(out, " {} {number}", comparison.sign())?;
        }
    }
    Ok(())
}

fn write_count(count: &Count, out: &mut String) -> Result {
    let cards = &count.group.cards;
    match (count.low, count.high) {
        (low, None) => write!(out, "{low}+ [{cards}]"),
        (low, Some(high)) if low == high => write!(out, "{low} [{cards}]"),
        (low, Some(high)) => write!(out, "{low}..{high} [{cards}]"),
    }
}

/// Words of a field that is true or false.
const YES_AND_NO: [&str; 4] = ["true", "false", "yes", "no"];

impl Query {
    /// The cards that it picks, in words after "cards"; empty where it picks every card.
    ///
    /// ```
    /// use decklaw_cards::{pool::{Field, FieldKind, Pool}, query::Query};
    /// let mana = Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 99 } };
    /// let pool = Pool::read_csv(b"name,mana\nRain Caller,1\n", &[mana])?;
    /// let words = Query::parse("mana<=2 -rain")?.words(&pool);
    /// assert_eq!(words, "of mana 2 or less and without \"rain\" in the name");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn words(&self, pool: &Pool) -> String {
        if self.is_everything() {
            return String::new();
        }
        words_of(&self.root, true, pool).1
    }
}

/// What joins the parts of a text: parts of a longer text are joined more strongly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Joint {
    /// It has no parts.
    None,
    /// A word, as in `a or b`.
    Word,
    /// A comma, too, as in `a or b, and c`.
    Comma,
}

/// A tree in words, or where `holds` is false, that it does not hold.
fn words_of(tree: &Tree<CardTest>, holds: bool, pool: &Pool) -> (Joint, String) {
    let (parts, word) = match tree {
        Tree::Not(part) => return words_of(part, !holds, pool),
        Tree::Is(test) => {
            let several = matches!(test, CardTest::Field { values, .. } if values.len() > 1);
            let joint = if several { Joint::Word } else { Joint::None };
            return (joint, words_of_test(test, holds, pool));
        }
        Tree::All(parts) => (parts, if holds { "and" } else { "or" }),
        Tree::Any(parts) => (parts, if holds { "or" } else { "and" }),
    };
    let parts = parts.iter().map(|part| words_of(part, holds, pool));
    let (joints, words): (Vec<Joint>, Vec<String>) = parts.unzip();
    match joints.into_iter().max() {
        None if word == "and" => (Joint::None, "of any kind".to_owned()),
        None => (Joint::None, "of no kind".to_owned()),
        Some(joint) if words.len() == 1 => (joint, words.concat()),
        Some(Joint::None) => (Joint::Word, listed(&words, word)),
        Some(Joint::Word) => (Joint::Comma, words.join(&format!(", {word} "))),
        Some(Joint::Comma) => (Joint::Comma, words.join(&format!("; {word} "))),
    }
}

fn words_of_test(test: &CardTest, holds: bool, pool: &Pool) -> String {
    let with = if holds { "with" } else { "without" };
    match test {
        CardTest::NameHolds(part) => format!("{with} \"{}\" in the name", part.text),
        CardTest::Name(name) => called(std::slice::from_ref(name), holds, pool),
        CardTest::Has(field) => format!("{with} any {}", spaced(&field.text)),
        CardTest::Field { field, comparison, values } if field.text == "name" => {
            let is_equal = *comparison != Comparison::NotEqual;
            called(values, holds == is_equal, pool)
        }
        CardTest::Field { field, comparison, values } => {
            words_of_field(&field.text, *comparison, values, holds, pool)
        }
    }
}

fn called(names: &[Word], holds: bool, pool: &Pool) -> String {
    let names = names.iter().map(|name| {
        let card = pool.look_up(&name.text, NameField::Name).card();
        format!("`{}`", card.map_or(&*name.text, |card| pool.name(card)))
    });
    let how = if holds { "called" } else { "other than" };
    format!("{how} {}", listed(&Vec::from_iter(names), "or"))
}

fn words_of_field(
    field: &str,
    comparison: Comparison,
    values: &[Word],
    holds: bool,
    pool: &Pool,
) -> String {
    let known = pool.fields().iter().find(|known| known.name == field);
    let is_text =
        known.is_some_and(|known| matches!(known.kind, FieldKind::Text | FieldKind::Query));
    let values = values.iter().map(|value| {
        if is_text {
            return format!("\"{}\"", value.text);
        }
        let word = known.and_then(|known| known.canonical(&value.text));
        let word = word.unwrap_or_else(|| value.text.as_str().into());
        pool.written(field, &word).to_owned()
    });
    let values: Vec<String> = values.collect();
    let is_said = values.iter().all(|value| YES_AND_NO.contains(&&**value));
    let either = listed(&values, "or");
    let field = spaced(field);
    let not = if holds { "" } else { "not " };
    match comparison {
        Comparison::Is if is_text => {
            let with = if holds { "with" } else { "without" };
            format!("{with} {either} in the {field}")
        }
        Comparison::Is | Comparison::Equal if is_text || is_said => {
            format!("whose {field} is {not}{either}")
        }
        Comparison::Is | Comparison::Equal => format!("{not}of {field} {either}"),
        Comparison::NotEqual => format!("{not}with {field} other than {either}"),
        Comparison::Less => format!("{not}of {field} below {either}"),
        Comparison::AtMost => format!("{not}of {field} {either} or less"),
        Comparison::More => format!("{not}of {field} above {either}"),
        Comparison::AtLeast => format!("{not}of {field} {either} or more"),
    }
}
