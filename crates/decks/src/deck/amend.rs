//! A deck in text with other numbers of copies: comments, order, headings and spelling stay.

use super::write::heading_line;
use super::{CardLine, Deck, SectionNames, text};
use decklaw_cards::pool::NameField;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

/// A card whose copies in a section change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amendment<'a> {
    /// The section's id.
    pub section: &'a str,
    /// The card's name, for a line that must be added.
    pub name: &'a str,
    /// Copies in all, all lines of the card in the section together.
    pub copies: u32,
}

/// A stretch of the source and its new text.
type Edit = (Range<usize>, String);

/// Writes a deck in text again with other numbers of copies. `source` is what `deck` was read
/// from, less a byte order mark; `card` returns the card that a name means, and `names` are the
/// sections of the deck's format, with its cards. `None`: a line has no count that can be edited.
///
/// More copies go to the card's last line in the section, or to a new line below the section's
/// last card, in a [group](super::Group) that it fits if there are groups; a section that is not
/// there yet is added at the end. Copies are taken from the last lines first; a line without
/// copies is removed. Totals that the list states follow.
///
/// The caller must read the result again: that it is the deck that was meant is likely, and not
/// proven.
pub fn amend<K: Ord>(
    source: &str,
    deck: &Deck<'_>,
    amendments: &[Amendment<'_>],
    card: impl Fn(&str) -> K,
    names: SectionNames<'_>,
) -> Option<String> {
    let is_windows = source.contains("\r\n");
    let newline = if is_windows { "\r\n" } else { "\n" };
    let section = |line: &CardLine<'_>| {
        let section = deck.sections.get(usize::from(line.section));
        section.map_or("", |section| &*section.id)
    };
    let mut written: BTreeMap<(&str, K), Vec<&CardLine<'_>>> = BTreeMap::new();
    for line in &deck.lines {
        let lines = written.entry((section(line), card(&line.name))).or_default();
        lines.push(line);
    }
    let mut edits: Vec<Edit> = Vec::new();
    let mut added: Vec<(&str, String)> = Vec::new();
    for amendment in amendments {
        let own = written.get(&(amendment.section, card(amendment.name)));
        let own = own.map_or(&[][..], Vec::as_slice);
        let held: u64 = own.iter().map(|line| u64::from(line.count)).sum();
        let wanted = u64::from(amendment.copies);
        match own.last() {
            Some(last) if wanted > held => {
                edits.push(recount(last, u64::from(last.count) + wanted - held)?);
            }
            None if wanted > 0 => {
                let name = decklaw_text::name::tidy(amendment.name);
                let text = format!("{wanted} {name}");
                match below(deck, amendment, &names) {
                    Some(line) => insert(source, line.span.end, &text, newline, &mut edits),
                    None => added.push((amendment.section, text)),
                }
            }
            _ => {}
        }
        let mut fewer = held.saturating_sub(wanted);
        for line in own.iter().rev() {
            let taken = fewer.min(u64::from(line.count));
            if taken == 0 {
                break;
            }
            fewer -= taken;
            edits.push(match u64::from(line.count) - taken {
                0 => (whole_line(source, line.span.start), String::new()),
                left => recount(line, left)?,
            });
        }
    }
    let mut end = String::new();
    let mut last = "";
    for (id, text) in added {
        let mut sections = deck.sections.iter();
        let own = sections.find(|section| section.id == id && !section.span.is_empty());
        if let Some(section) = own {
            insert(source, section.span.end, &text, newline, &mut edits);
            continue;
        }
        if id != last {
            let _ = write!(end, "{newline}{}{newline}", heading_line(id));
            last = id;
        }
        let _ = write!(end, "{text}{newline}");
    }
    let mut out = patched(source, edits);
    if !end.is_empty() {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push_str(newline);
        }
        out.push_str(&end);
    }
    let totals = text::wrong_totals(&out, names);
    let edits = totals.into_iter();
    let edits = edits.map(|(span, counted)| (span.start..span.end, counted.to_string()));
    Some(patched(&out, edits.collect()))
}

/// Returns the edit that gives a line other copies; `None`: it has no digits.
fn recount(line: &CardLine<'_>, copies: u64) -> Option<Edit> {
    let digits = line.digits.start..line.digits.end;
    (!line.digits.is_empty()).then(|| (digits, copies.to_string()))
}

/// Returns the line below which a card is added: the last of its section, in a group that it fits.
fn below<'d, 'a>(
    deck: &'d Deck<'a>,
    amendment: &Amendment<'_>,
    names: &SectionNames<'_>,
) -> Option<&'d CardLine<'a>> {
    let card = names
        .pool
        .and_then(|pool| Some((pool.look_up(amendment.name, NameField::Name).card()?, pool)));
    let fits = |at: usize| {
        let group = deck.groups.iter().find(|group| group.lines.contains(&at));
        group.is_none_or(|group| card.is_some_and(|(card, pool)| group.has(card, pool)))
    };
    let inside = |line: &CardLine<'_>| {
        let section = deck.sections.get(usize::from(line.section));
        section.is_some_and(|section| section.id == amendment.section)
    };
    let mut lines = deck.lines.iter().enumerate();
    let found = lines.rfind(|(at, line)| inside(line) && fits(*at));
    found.map(|(_, line)| line)
}

/// Returns the source with its edits. Of stretches that begin at one place, the shorter comes
/// first.
fn patched(source: &str, mut edits: Vec<Edit>) -> String {
    // Stable, so that lines added at one place stay in order.
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(source.len() + 64);
    let mut at = 0;
    for (range, text) in edits {
        out.push_str(source.get(at..range.start.max(at)).unwrap_or_default());
        out.push_str(&text);
        at = range.end.max(at);
    }
    out.push_str(source.get(at..).unwrap_or_default());
    out
}

/// Returns the line around a place, its end included.
fn whole_line(source: &str, at: usize) -> Range<usize> {
    let bytes = source.as_bytes();
    let before = bytes.get(..at).unwrap_or_default();
    let behind = bytes.get(at..).unwrap_or_default();
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', behind).map_or(source.len(), |end| at + end + 1);
    start..end
}

/// Adds a line below the one around a place.
fn insert(source: &str, at: usize, text: &str, newline: &str, edits: &mut Vec<Edit>) {
    let end = whole_line(source, at).end;
    let text = match source.as_bytes().get(end.saturating_sub(1)) {
        Some(b'\n') => format!("{text}{newline}"),
        _ => format!("{newline}{text}"),
    };
    edits.push((end..end, text));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::deck::{Amendment, Input, SectionNames, amend, read};
    use decklaw_text::name::fold;

    fn amended(source: &str, changes: &[(&str, &str, u32)]) -> String {
        let deck = read(source.as_bytes(), Input::Text, SectionNames::OPEN).unwrap();
        let amendments: Vec<Amendment<'_>> = changes
            .iter()
            .map(|(section, name, copies)| Amendment { section, name, copies: *copies })
            .collect();
        let card = |name: &str| fold(name).into_owned();
        amend(source, &deck, &amendments, card, SectionNames::OPEN).unwrap()
    }

    #[test]
    fn comments_order_headings_and_spelling_stay() {
        let source = "# mine\r\nName: Tide (3)\r\n\r\nMain (9)\r\n// first\r\n3x Moss  Sprite\r\n  4 Rain Caller\r\n2 moss sprite\r\n\r\nSide\r\n1 Owl\r\n# end";
        let text = amended(
            source,
            &[
                ("main", "Moss Sprite", 2),
                ("main", "Kite", 1),
                ("side", "Owl", 0),
                ("extra", "Elk", 3),
            ],
        );
        assert_eq!(
            text,
            "# mine\r\nName: Tide (3)\r\n\r\nMain (7)\r\n// first\r\n2x Moss  Sprite\r\n  4 Rain Caller\r\n1 Kite\r\n\r\nSide\r\n# end\r\n\r\nExtra\r\n3 Elk\r\n"
        );
    }

    #[test]
    fn counts_after_names_and_totals_of_lists_are_edited() {
        let source = "##Main - 5\n* Ant x3\n* 2 Bee\n\nTotal Cards - 5\n";
        let text = amended(source, &[("main", "Ant", 4), ("main", "Bee", 0)]);
        assert_eq!(text, "##Main - 4\n* Ant x4\n\nTotal Cards - 4\n");
    }

    #[test]
    fn a_line_is_added_where_the_text_ends_and_below_a_bare_heading() {
        assert_eq!(amended("Main\n1 A", &[("main", "B", 2)]), "Main\n1 A\n2 B");
        assert_eq!(
            amended("Main\nSide\n", &[("main", "B", 2), ("side", "C", 1)]),
            "Main\n2 B\nSide\n1 C\n"
        );
        assert_eq!(amended("", &[("main", "B", 2)]), "\nMain\n2 B\n");
        assert_eq!(amended("3 A", &[("main", "A", 4)]), "4 A");
    }
}
