//! Card queries in the words of people, for messages.

use super::tree::{Node, Word};
use super::{Comparison, Query};
use crate::pool::{FieldKind, Pool};
use crate::text::{listed, spaced};

/// Words of a field that say whether something is so.
const YES_AND_NO: [&str; 4] = ["true", "false", "yes", "no"];

impl Query {
    /// Which cards it picks, in words that stand behind "cards"; none where it picks every card.
    ///
    /// ```
    /// use decklaw_core::{pool::{Field, FieldKind, Pool}, query::Query};
    /// let mana = Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 99 } };
    /// let pool = Pool::read_csv(b"name,mana\nRain Caller,1\n", &[mana])?;
    /// let words = Query::parse("mana<=2 -rain")?.words(&pool);
    /// assert_eq!(words, "of mana 2 or less and without \"rain\" in the name");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn words(&self, pool: &Pool) -> String {
        match self.is_everything() {
            true => String::new(),
            false => said(&self.root, true, pool).words,
        }
    }
}

/// What a part of a query says, and how its own parts are joined: what joins it to others must
/// be told apart from that.
struct Said {
    words: String,
    joined: Joined,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Joined {
    /// It says one thing.
    Not,
    /// By a word, as in `a or b`.
    ByWords,
    /// By a comma, too, as in `a or b, and c`.
    ByCommas,
}

/// What a part says of a card, or where `holds` is false, that it does not hold.
fn said(node: &Node, holds: bool, pool: &Pool) -> Said {
    let words = match node {
        Node::Not(inner) => return said(inner, !holds, pool),
        Node::All(nodes) if holds => return join(nodes, true, "and", pool),
        // One of them does not hold.
        Node::All(nodes) => return join(nodes, false, "or", pool),
        Node::Any(nodes) if holds => return join(nodes, true, "or", pool),
        Node::Any(nodes) => return join(nodes, false, "and", pool),
        Node::NameHolds(part) => holding(&format!("\"{}\"", part.text), "name", holds),
        Node::Name(name) => called(std::slice::from_ref(name), holds, pool),
        Node::Has(field) => {
            let with = if holds { "with" } else { "without" };
            format!("{with} any {}", spaced(&field.text))
        }
        Node::Field {
            field,
            comparison: Comparison::NotEqual,
            values,
        } if field.text == "name" => called(values, !holds, pool),
        Node::Field { field, values, .. } if field.text == "name" => called(values, holds, pool),
        Node::Field {
            field,
            comparison,
            values,
        } => of_field(&field.text, *comparison, values, holds, pool),
    };
    let joined = match node {
        Node::Field { values, .. } if values.len() > 1 => Joined::ByWords,
        _ => Joined::Not,
    };
    Said { words, joined }
}

/// Parts joined by a word, so that what belongs together is heard.
fn join(nodes: &[Node], holds: bool, word: &str, pool: &Pool) -> Said {
    let parts: Vec<Said> = nodes.iter().map(|node| said(node, holds, pool)).collect();
    let words: Vec<&str> = parts.iter().map(|part| part.words.as_str()).collect();
    let (words, joined) = match parts.iter().map(|part| part.joined).max() {
        // Nothing is asked, or nothing would do.
        None if word == "and" => ("of any kind".to_owned(), Joined::Not),
        None => ("of no kind".to_owned(), Joined::Not),
        Some(own) if parts.len() == 1 => (words.concat(), own),
        Some(Joined::Not) => (listed(&words, word), Joined::ByWords),
        Some(Joined::ByWords) => (words.join(&format!(", {word} ")), Joined::ByCommas),
        Some(Joined::ByCommas) => (words.join(&format!("; {word} ")), Joined::ByCommas),
    };
    Said { words, joined }
}

/// That the name is one of some.
fn called(names: &[Word], holds: bool, pool: &Pool) -> String {
    let own = |name: &Word| {
        let card = pool.find(&name.text);
        format!(
            "`{}`",
            card.map_or(name.text.as_str(), |card| pool.name(card))
        )
    };
    let names: Vec<String> = names.iter().map(own).collect();
    let how = if holds { "called" } else { "other than" };
    format!("{how} {}", listed(&names, "or"))
}

/// That a text holds another one.
fn holding(what: &str, field: &str, holds: bool) -> String {
    let with = if holds { "with" } else { "without" };
    format!("{with} {what} in the {field}")
}

/// What a comparison says of a field.
fn of_field(
    field: &str,
    comparison: Comparison,
    values: &[Word],
    holds: bool,
    pool: &Pool,
) -> String {
    let known = pool.fields().iter().find(|known| known.name == field);
    let free = known.is_some_and(|known| matches!(known.kind, FieldKind::Text | FieldKind::Query));
    let value = |value: &Word| match value.refers() {
        Some((section, says)) if says == field => format!("that of the {}", spaced(section)),
        Some((section, says)) => format!("the {} of the {}", spaced(says), spaced(section)),
        None if free => format!("\"{}\"", value.text),
        None => {
            let word = known.and_then(|known| known.canonical(&value.text));
            let word = word.unwrap_or_else(|| value.text.as_str().into());
            pool.written(field, &word).to_owned()
        }
    };
    let refers = values.iter().any(|value| value.refers().is_some());
    let values: Vec<String> = values.iter().map(value).collect();
    let either = listed(&values, "or");
    let yes_or_no = |value: &String| YES_AND_NO.contains(&value.as_str());
    let is_said = refers || values.iter().all(yes_or_no);
    let field = spaced(field);
    let not = if holds { "" } else { "not " };
    match comparison {
        Comparison::Is if free => holding(&either, &field, holds),
        Comparison::Is | Comparison::Equal if free || is_said => {
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
