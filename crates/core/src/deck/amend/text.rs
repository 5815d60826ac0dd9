//! A deck in the text dialect with other numbers of copies. Totals in headings follow.

use super::{Edit, Step, newline, patched, whole_line};
use crate::deck::heading::heading;
use crate::deck::write::heading_line;
use crate::deck::{CardLine, Deck, Group, header, line};
use crate::pool::Pool;
use std::fmt::Write as _;
use std::ops::Range;

pub(super) fn amend(
    source: &str,
    deck: &Deck<'_>,
    steps: &[Step<'_>],
    pool: Option<&Pool>,
) -> String {
    let newline = newline(source);
    let mut edits: Vec<Edit> = Vec::new();
    let mut added: Vec<(&str, String)> = Vec::new();
    for step in steps {
        match step {
            Step::Count(at, copies) => {
                edits.push((digits(source, &deck.lines[*at]), copies.to_string()));
            }
            Step::Remove(at) => {
                edits.push((
                    whole_line(source, deck.lines[*at].span.start),
                    String::new(),
                ));
            }
            Step::Add {
                section,
                copies,
                name,
            } => {
                let text = format!("{copies} {name}");
                let inside =
                    |line: &CardLine<'_>| deck.sections[usize::from(line.section)].id == *section;
                let card = pool.and_then(|pool| Some((pool.find(name)?, pool)));
                let fits = |at: usize| {
                    let group = deck.groups.iter().find(|group| group.lines.contains(&at));
                    group.is_none_or(|group| card.is_some_and(|(card, pool)| group.has(card, pool)))
                };
                let mut lines = deck.lines.iter().enumerate();
                match lines.rfind(|(at, line)| inside(line) && fits(*at)) {
                    Some((_, last)) => insert(source, last.span.end, &text, newline, &mut edits),
                    None => added.push((section, text)),
                }
            }
        }
    }
    for section in &deck.sections {
        let mut here = added.iter().filter(|(id, _)| *id == section.id).peekable();
        if here.peek().is_none() || section.span.is_empty() {
            continue;
        }
        let texts: Vec<&str> = here.map(|(_, text)| text.as_str()).collect();
        let text = texts.join(newline);
        insert(source, section.span.end, &text, newline, &mut edits);
    }
    let known = |id: &str| {
        deck.sections
            .iter()
            .any(|section| section.id == id && !section.span.is_empty())
    };
    let mut end = String::new();
    let mut last = "";
    for (id, text) in added.iter().filter(|(id, _)| !known(id)) {
        if *id != last {
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
    with_totals(&out, &deck.groups)
}

/// The digits of a card line's count.
fn digits(source: &str, line: &CardLine<'_>) -> Range<usize> {
    let whole = whole_line(source, line.span.start);
    let text = &source[whole.clone()];
    let start = whole.start + (text.len() - text.trim_start().len());
    let count = source[start..].bytes().take_while(u8::is_ascii_digit);
    start..start + count.count()
}

/// Puts a line below the one around a place.
fn insert(source: &str, at: usize, text: &str, newline: &str, edits: &mut Vec<Edit>) {
    let end = whole_line(source, at).end;
    let text = match source[..end].ends_with('\n') {
        true => format!("{text}{newline}"),
        false => format!("{newline}{text}"),
    };
    edits.push((end..end, text));
}

/// The text with the totals of its headings made right.
fn with_totals(text: &str, groups: &[Group<'_>]) -> String {
    let mut totals: Vec<(Range<usize>, u64)> = Vec::new();
    // The section's and the group's.
    let mut current: [Option<usize>; 2] = [None, None];
    let mut begun = false;
    let mut start = 0;
    for full in text.split_inclusive('\n') {
        let trimmed = full.trim();
        let offset = start + (full.len() - full.trim_start().len());
        start += full.len();
        let is_header = |text: &str| {
            let key = text.split_once(':').map(|(key, _)| key.trim_end());
            key.is_some_and(|key| header(key).is_some())
        };
        if trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with("//") {
            continue;
        }
        if let Ok((count, _)) = line::card(trimmed)
            && trimmed.starts_with(|first: char| first.is_ascii_digit())
        {
            begun = true;
            for at in current.into_iter().flatten() {
                totals[at].1 += u64::from(count);
            }
            continue;
        }
        if !begun && is_header(trimmed) {
            continue;
        }
        begun = true;
        let outer = heading(trimmed);
        let inner = heading(outer.word);
        let total = outer.total.or(inner.total);
        let own = total.map(|_| totals.len());
        match groups
            .iter()
            .any(|group| [outer.word, inner.word].contains(&group.word))
        {
            true => current[1] = own,
            false => current = [own, None],
        }
        if let Some(total) = total {
            let at = offset + (total.as_ptr() as usize - trimmed.as_ptr() as usize);
            totals.push((at..at + total.len(), 0));
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, total) in totals {
        out.push_str(&text[at..range.start]);
        if text[range.clone()].parse() == Ok(total) {
            out.push_str(&text[range.clone()]);
        } else {
            let _ = write!(out, "{total}");
        }
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::deck::{Amendment, Input, amend, read};
    use crate::name::fold;

    fn amended(source: &str, changes: &[(&str, &str, u32)]) -> String {
        let deck = read(source.as_bytes(), Input::Text, &mut |_| None).unwrap();
        let amendments: Vec<Amendment<'_>> = changes
            .iter()
            .map(|(section, name, copies)| Amendment {
                section,
                name,
                copies: *copies,
            })
            .collect();
        let card = |name: &str| fold(name).into_owned();
        amend(source, &deck, &amendments, card, None)
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
