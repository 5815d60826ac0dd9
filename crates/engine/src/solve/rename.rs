//! Names that are no cards, and the cards that were meant.

use super::rewrite::OTHER_DECK;
use decklaw_cards::pool::NameField;
use decklaw_decks::deck::{self, CardLine, Input};
use decklaw_judge::resolve::Resolved;
use decklaw_text::name::fold;
use std::collections::{BTreeMap, BTreeSet};

/// A name of a deck that is no card's, and what was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misspelling {
    /// The name as the deck first writes it, without marks around it.
    pub name: String,
    /// The names of its lines, folded, with the marks around them.
    marked: BTreeSet<String>,
    /// The numbers of its lines in the deck's file, from 1.
    pub lines: Vec<u32>,
    /// The cards whose names are nearest, the likeliest first, at most three.
    pub near: Vec<String>,
    /// Whether the likeliest is the one that was meant, beyond doubt: a slip of one letter, or
    /// of two in a long name, and no other card is called nearly so. See
    /// [`Pool::near`](decklaw_cards::pool::Pool::near).
    pub certain: bool,
}

impl Misspelling {
    /// The card that was meant, where that is certain.
    pub fn meant(&self) -> Option<&str> {
        self.near.first().filter(|_| self.certain).map(String::as_str)
    }

    /// Takes what was meant from a person, who says it of some names, and of others nothing.
    pub fn decide<'c>(&mut self, means: impl Fn(&str) -> Option<&'c str>) {
        let mut names = std::iter::once(&self.name).chain(&self.marked);
        let card = names.find_map(|name| means(name));
        self.certain = card.is_some();
        self.near = card.map(str::to_owned).into_iter().collect();
    }
}

/// The names of a deck that are no cards', in the order of its lines.
pub fn misnamed(deck: &Resolved<'_>) -> Vec<Misspelling> {
    let list = deck.list();
    let (mut at, mut of_name) = (BTreeMap::new(), BTreeMap::new());
    let mut found: Vec<Misspelling> = Vec::new();
    for (line, card) in deck.deck().lines.iter().zip(deck.cards()) {
        if list.knows(*card) {
            continue;
        }
        let own = *at.entry(*card).or_insert_with(|| {
            let near = deck.pool().near(&line.name, NameField::Name);
            *of_name.entry(fold(near.name).into_owned()).or_insert_with(|| {
                found.push(Misspelling {
                    name: near.name.to_owned(),
                    marked: BTreeSet::new(),
                    lines: Vec::new(),
                    near: near.names.iter().copied().map(str::to_owned).collect(),
                    certain: near.is_certain,
                });
                found.len() - 1
            })
        });
        found[own].marked.insert(fold(&line.name).into_owned());
        found[own].lines.push(line.line);
    }
    found
}

/// The bytes of a deck's file with the names that are certainly meant; all else stays. `deck`
/// was read from `bytes` as `input`. What comes out is read as the same deck with those names.
///
/// # Errors
/// A file in which a name cannot be written so.
pub fn renamed(
    bytes: &[u8],
    input: Input,
    deck: &Resolved<'_>,
    misnamed: &[Misspelling],
) -> Result<Vec<u8>, &'static str> {
    // Where marks around a name are read as part of it, they cannot stay.
    let with = |marks_stay| renamed_with(bytes, input, deck, misnamed, marks_stay);
    with(true).or_else(|_| with(false))
}

fn renamed_with(
    bytes: &[u8],
    input: Input,
    deck: &Resolved<'_>,
    misnamed: &[Misspelling],
    marks_stay: bool,
) -> Result<Vec<u8>, &'static str> {
    let plain = decklaw_text::text::without_bom(bytes);
    let text = std::str::from_utf8(plain).map_err(|_| OTHER_DECK)?;
    let names = misnamed.iter();
    let names = names.flat_map(|one| one.marked.iter().map(move |name| (name.as_str(), one)));
    let of_name: BTreeMap<&str, &Misspelling> = names.collect();
    let misspelling = |line: &CardLine<'_>| of_name.get(&*fold(&line.name)).copied();
    let new = |line: &CardLine<'_>| {
        let one = misspelling(line)?;
        let meant = one.meant()?;
        Some(match line.name.split_once(one.name.as_str()).filter(|_| marks_stay) {
            Some((before, behind)) => format!("{before}{meant}{behind}"),
            None => meant.to_owned(),
        })
    };
    let lines = &deck.deck().lines;
    let mut edits: Vec<(&CardLine<'_>, String)> =
        lines.iter().filter_map(|line| Some((line, new(line)?))).collect();
    edits.sort_by_key(|(line, _)| line.span.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (line, name) in edits {
        let before = text.get(at..line.span.start).ok_or(OTHER_DECK)?;
        let old = text.get(line.span.start..line.span.end).unwrap_or_default();
        let writes = |name: &str| written(name, old, &text[..line.span.start], input);
        let new = match input {
            // Of a table and of XML the place of the whole row or element is known.
            Input::Table | Input::Xml => {
                let (before, behind) = around(old, &writes(&line.name)).ok_or(OTHER_DECK)?;
                format!("{before}{}{behind}", writes(&name))
            }
            _ => writes(&name),
        };
        out.push_str(before);
        out.push_str(&new);
        at = line.span.end;
    }
    out.push_str(text.get(at..).ok_or(OTHER_DECK)?);
    let names = deck.of_format().section_names();
    let again = deck::read(out.as_bytes(), input, names).map_err(|_| OTHER_DECK)?;
    let same = |(line, found): (&CardLine<'_>, &CardLine<'_>)| {
        // A line with marks that is read anew may lose those of an unknown name, too.
        let is_same = |name: &str| fold(&found.name) == fold(name);
        let is_right = match misspelling(line) {
            Some(one) => match one.meant() {
                Some(meant) => is_same(meant),
                None => is_same(&line.name) || is_same(&one.name),
            },
            None => is_same(&line.name),
        };
        is_right && (found.count, found.section) == (line.count, line.section)
    };
    let ids = |deck: &deck::Deck<'_>| -> Vec<String> {
        deck.sections.iter().map(|own| own.id.to_string()).collect()
    };
    let kept = again.lines.len() == lines.len()
        && lines.iter().zip(&again.lines).all(same)
        && ids(&again) == ids(deck.deck());
    if !kept {
        return Err(OTHER_DECK);
    }
    Ok([&bytes[..bytes.len() - plain.len()], out.as_bytes()].concat())
}

/// What a row or an element has before a value and behind it. The value is all of a cell, an
/// attribute or a text, and no part of one.
fn around<'r>(row: &'r str, value: &str) -> Option<(&'r str, &'r str)> {
    let ends = |next: Option<char>| next.is_none_or(|next| ",;\t|\"'<>".contains(next));
    let places = row.match_indices(value);
    let mut places = places.map(|(at, _)| (&row[..at], &row[at + value.len()..]));
    places.find(|(before, behind)| {
        ends(before.trim_end_matches(' ').chars().next_back())
            && ends(behind.trim_start_matches(' ').chars().next())
    })
}

/// A name as it is written in the place of another: quoted as that one is.
fn written(name: &str, old: &str, before: &str, input: Input) -> String {
    let json = || serde_json::Value::from(name).to_string();
    let inner = |quoted: String| quoted[1..quoted.len() - 1].to_owned();
    match input {
        Input::Json | Input::Yaml if old.starts_with(['"', '\'']) => json(),
        Input::Json => inner(json()),
        Input::Yaml if before.ends_with('"') || in_quotes(before) == Some('"') => inner(json()),
        Input::Yaml if in_quotes(before) == Some('\'') => name.replace('\'', "''"),
        Input::Xml => {
            let name = name.replace('&', "&amp;").replace('<', "&lt;");
            name.replace('"', "&quot;")
        }
        _ => name.to_owned(),
    }
}

/// The quotation mark around an item such as `- "3 NAME"`, if any.
fn in_quotes(before: &str) -> Option<char> {
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    let count = line.trim_end().trim_end_matches(['x', 'X', '×']);
    let count = count.trim_end_matches(|next: char| next.is_ascii_digit());
    count.chars().next_back().filter(|mark| "\"'".contains(*mark))
}
