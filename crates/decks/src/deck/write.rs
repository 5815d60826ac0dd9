//! Decks written out: as text, YAML or JSON.

use super::count::misplaced;
use super::{Deck, text};
use decklaw_text::fault::Fault;
use decklaw_text::name::tidy;
use decklaw_text::text::escape_control;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;
use std::fmt::Write as _;

/// What a deck says, apart from any source: what is written out.
///
/// ```
/// use decklaw_decks::deck::{Input, Listing, SectionNames, read, to_text};
/// let deck = read(b"Name: Tide\n3x Moss   Sprite", Input::Text, SectionNames::OPEN).unwrap();
/// assert_eq!(to_text(&Listing::from(&deck)), "Name: Tide\n\nMain\n3 Moss Sprite\n");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The header `Format`.
    pub format: Option<String>,
    /// The header `Name`.
    pub name: Option<String>,
    /// The header `Player`.
    pub player: Option<String>,
    /// The headers `Event`, `Date` and `Note` with their values.
    pub remarks: Vec<(String, String)>,
    /// Sections by id, each with its counts and names in order.
    pub sections: Vec<(String, Vec<(u32, String)>)>,
    /// What its file has and the deck has not, a line each: comments where the kind has comments.
    pub left_out: Vec<String>,
}

impl From<&Deck<'_>> for Listing {
    /// The deck's own words, white space tidied; lines of a section together.
    fn from(deck: &Deck<'_>) -> Self {
        let own = |value: &Option<super::Located<Cow<'_, str>>>| {
            value.as_ref().map(|value| tidy(&value.value).into_owned())
        };
        let mut sections: Vec<(String, Vec<(u32, String)>)> = deck
            .sections
            .iter()
            .map(|section| (section.id.clone().into_owned(), Vec::new()))
            .collect();
        for line in &deck.lines {
            if let Some((_, cards)) = sections.get_mut(usize::from(line.section)) {
                cards.push((line.count, tidy(&line.name).into_owned()));
            }
        }
        Listing {
            format: own(&deck.format),
            name: own(&deck.name),
            player: own(&deck.player),
            remarks: deck
                .remarks
                .iter()
                .map(|(key, value)| ((*key).to_owned(), tidy(&value.value).into_owned()))
                .collect(),
            sections,
            left_out: left_out(deck),
        }
    }
}

/// What a file has and its deck has not, a line for each card.
fn left_out(deck: &Deck<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for section in &deck.left_out {
        let word = tidy(&section.section);
        let cards = section.cards.iter();
        lines
            .extend(cards.map(|(count, name)| format!("Left out, {word}: {count} {}", tidy(name))));
        let listed: u64 = section.cards.iter().map(|(count, _)| u64::from(*count)).sum();
        let more = section.copies.saturating_sub(listed);
        if more > 0 {
            lines.push(format!("Left out, {word}: {more} more"));
        }
    }
    // Those of sections name their cards.
    let others = deck.notes.iter();
    let others = others.filter(|note| note.code.fault == Fault::LeftOut && note.cards.is_empty());
    lines.extend(others.map(|note| note.message.clone()));
    lines.iter().map(|line| escape_control(line, false).into_owned()).collect()
}

impl Listing {
    /// The headers that it has, with their keys as the text dialect writes them.
    pub(super) fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        let own = [("Format", &self.format), ("Name", &self.name), ("Player", &self.player)];
        let own = own.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?)));
        own.chain(self.remarks.iter().map(|(key, value)| (key.as_str(), value.as_str())))
    }
}

/// A deck in the native text dialect.
pub fn to_text(deck: &Listing) -> String {
    let mut out = String::new();
    for (key, value) in deck.headers() {
        let _ = writeln!(out, "{key}: {}", tidy(value));
    }
    for (id, cards) in &deck.sections {
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "{}", heading_line(id));
        for (count, name) in cards {
            let _ = writeln!(out, "{count} {}", tidy(name));
        }
    }
    if !deck.left_out.is_empty() {
        out.push('\n');
    }
    for line in &deck.left_out {
        let _ = writeln!(out, "# {line}");
    }
    out
}

/// A section's heading, its first letter a capital; in brackets where the bare word would
/// mean something else.
pub(super) fn heading_line(id: &str) -> String {
    let mut characters = id.chars();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-');
    match characters.next() {
        Some(first)
            if first.is_alphabetic()
                && id.chars().all(plain)
                && misplaced(id).is_none()
                && !text::is_ambiguous(id) =>
        {
            if first.is_ascii() {
                format!("{}{}", first.to_ascii_uppercase(), characters.as_str())
            } else {
                id.to_owned()
            }
        }
        _ => format!("[{id}]"),
    }
}

/// A deck in YAML.
pub fn to_yaml(deck: &Listing) -> String {
    let mut out = String::new();
    for (key, value) in deck.headers() {
        let _ = writeln!(out, "{}: {}", key.to_ascii_lowercase(), yaml_quoted(&tidy(value)));
    }
    out.push_str(if deck.sections.is_empty() { "sections: {}\n" } else { "sections:\n" });
    for (id, cards) in &deck.sections {
        let empty = if cards.is_empty() { " []" } else { "" };
        let id = yaml_quoted(id);
        // A long key must be marked as one.
        let _ = match id.len() {
            ..=60 => writeln!(out, "  {id}:{empty}"),
            _ => writeln!(out, "  ? {id}\n  :{empty}"),
        };
        for (count, name) in cards {
            let _ = writeln!(out, "    - {}", yaml_quoted(&format!("{count} {}", tidy(name))));
        }
    }
    for line in &deck.left_out {
        let _ = writeln!(out, "# {line}");
    }
    out
}

/// A YAML scalar that is read as this string: bare where it is plain words, otherwise in
/// double quotes, with escapes for whatever a parser might fold or refuse.
fn yaml_quoted(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '\'' | '/' | '-' | ',');
    // A word alone, such as `no` or `null`, may be read as something else.
    let words = text.starts_with(char::is_alphanumeric)
        && text.contains(' ')
        && text.contains(char::is_alphabetic);
    if words && text.chars().all(plain) && !text.ends_with(' ') {
        return Cow::Borrowed(text);
    }
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            ' '..='~' => out.push(character),
            _ if character.is_alphanumeric() => out.push(character),
            _ => {
                let _ = write!(out, "\\U{:08X}", u32::from(character));
            }
        }
    }
    out.push('"');
    Cow::Owned(out)
}

/// A deck in JSON.
pub fn to_json(deck: &Listing) -> String {
    // Writing text as JSON cannot fail.
    let json = serde_json::to_string_pretty(&Json(deck)).unwrap_or_default();
    json + "\n"
}

struct Json<'a>(&'a Listing);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in self.0.headers() {
            map.serialize_entry(&key.to_ascii_lowercase(), &tidy(value))?;
        }
        map.serialize_entry("sections", &JsonSections(&self.0.sections))?;
        map.end()
    }
}

struct JsonSections<'a>(&'a [(String, Vec<(u32, String)>)]);

impl Serialize for JsonSections<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let card = |(count, name): &(u32, String)| format!("{count} {}", tidy(name));
        let sections = self.0.iter();
        serializer.collect_map(sections.map(|(id, cards)| {
            let cards: Vec<String> = cards.iter().map(card).collect();
            (id, cards)
        }))
    }
}
