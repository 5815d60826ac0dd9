//! What was most likely meant by a name that nothing has.

use crate::pool::{Field, NameField, Pool};
use decklaw_text::name::{fold, nearest};
use decklaw_text::text::{listed, plural};

/// That a game's cards have no such field, with the nearest and all that there are.
pub fn no_field(name: &str, fields: &[Field]) -> String {
    let names = fields.iter().map(|known| known.name.as_str());
    let names: Vec<&str> = ["name"].into_iter().chain(names).collect();
    no_such("field", name, &names)
}

/// Says that no field, section or other thing has this name, with the nearest and all names.
pub fn no_such(what: &str, name: &str, known: &[&str]) -> String {
    let of_several_kinds = what.contains(' ');
    let all = if of_several_kinds { "names" } else { &*plural(what) };
    let all = format!("{all} are {}", listed(known, "and"));
    match meant(name, known.iter().copied()).as_str() {
        "" => format!("no {what} `{name}`; the {all}"),
        meant => format!("no {what} `{name}`; {meant} The {all}"),
    }
}

/// That a pool has no card of a name, and the nearest that it has.
pub(super) fn no_card(name: &str, pool: &Pool) -> String {
    let hint = match pool.near(name, NameField::Name).names.as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", listed(near, "or")),
    };
    format!("unknown card `{name}`{hint}")
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
    const WORDS: [&str; 11] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let range = ["..=", "..", "-", "\u{2013}"].iter().find_map(|between| text.split_once(between));
    if let Some((low, high)) = range
        && let (Some(low), Some(high)) = (number(low), number(high))
    {
        return format!("; write `{field}>={low} {field}<={high}`");
    }
    let more = text.strip_suffix('+').and_then(number);
    if let Some(low) = more {
        return format!("; write `{field}>={low}`");
    }
    let word = WORDS.iter().position(|word| text.eq_ignore_ascii_case(word));
    word.map_or_else(String::new, |number| format!("; write `{field}:{number}`"))
}

pub(super) fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    listed(&words, "or")
}
