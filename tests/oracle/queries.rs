//! Random card queries: each text with what it means for one card.

use super::random::Random;
use super::world::{Card, Query, fold};

/// The fields that random queries name: words with their values, and a number.
pub(crate) struct Fields {
    pub(crate) words: &'static [(&'static str, &'static [&'static str])],
    pub(crate) number: &'static str,
    /// Parts of names, and whole names.
    pub(crate) parts: &'static [&'static str],
    pub(crate) names: &'static [&'static str],
}

pub(crate) const WORLD: Fields = Fields {
    words: &[("kind", &["oak", "elm", "ash"]), ("traits", &["sun", "rain", "wind"])],
    number: "cost",
    parts: &[],
    names: &[],
};

pub(crate) fn compares(sign: &str, one: i64, other: i64) -> bool {
    match sign {
        ":" | "=" => one == other,
        "!=" => one != other,
        "<" => one < other,
        "<=" => one <= other,
        ">" => one > other,
        ">=" => one >= other,
        _ => panic!("{sign}"),
    }
}

/// A query of one condition.
pub(crate) fn simple(fields: &Fields, random: &mut Random) -> Query {
    let (field, values) = random.pick(fields.words);
    let value = random.pick(values);
    let number = fields.number;
    match random.below(8) {
        0 if !fields.parts.is_empty() => {
            let part = random.pick(fields.parts);
            Query::new(part, move |card| fold(&card.name).contains(&part.to_lowercase()))
        }
        1 if !fields.names.is_empty() => {
            let name = random.pick(fields.names);
            Query::new(format!("\"{name}\""), move |card| fold(&card.name) == name.to_lowercase())
        }
        0..=2 => Query::is(field, value),
        3 => Query::new(format!("-{field}:{value}"), move |card| !card.has(field, value)),
        4 => {
            let other = random.pick(values);
            let text = format!("{field}:({value}{}{other})", random.pick(&[" ", " or "]));
            Query::new(text, move |card| card.has(field, value) || card.has(field, other))
        }
        5 => Query::new(format!("{field}!={value}"), move |card| {
            !card.words(field).is_empty() && !card.has(field, value)
        }),
        _ => {
            let sign = random.pick(&[":", "=", "!=", "<", "<=", ">", ">=", ">=", ">="]);
            let space = random.pick(&["", "", " "]);
            let space = if sign == ":" { "" } else { space };
            let least = random.below(5) as i64;
            let text = format!("{number}{space}{sign}{space}{least}");
            Query::new(text, move |card| {
                let own = card.number(number);
                own.is_some_and(|own| compares(sign, own, least))
            })
        }
    }
}

/// A query of several conditions.
pub(crate) fn deep(fields: &Fields, random: &mut Random, depth: usize) -> Query {
    if depth == 0 || random.percent(45) {
        return simple(fields, random);
    }
    let one = deep(fields, random, depth - 1);
    let other = deep(fields, random, depth - 1);
    let (left, right) = (one.text.clone(), other.text.clone());
    let part = move |query: &Query, card: &Card| query.picks(card);
    match random.below(4) {
        0 => Query::new(
            format!("({left}){}({right})", random.pick(&[" or ", " OR "])),
            move |card| part(&one, card) || part(&other, card),
        ),
        1 => Query::new(format!("{}({left})", random.pick(&["-", "not ", "NOT "])), move |card| {
            !part(&one, card)
        }),
        // `and` binds more than `or`.
        2 => {
            let third = simple(fields, random);
            Query::new(
                format!("({left}){}({right}) or {}", random.pick(&[" ", " and "]), third.text),
                move |card| part(&one, card) && part(&other, card) || part(&third, card),
            )
        }
        _ => Query::new(format!("({left}) ({right})"), move |card| {
            part(&one, card) && part(&other, card)
        }),
    }
}

impl Query {
    /// Mostly one condition or none.
    pub(crate) fn random(random: &mut Random) -> Query {
        match random.below(10) {
            0..=3 => Query::all(),
            9 => deep(&WORLD, random, 2),
            _ => simple(&WORLD, random),
        }
    }
}
