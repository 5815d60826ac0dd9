//! A section's heading, as decks write it and as other programs do.

use super::count::{Wrong, example, is_digits};
use super::{board, quoted};
use crate::pool::NameField;
use crate::sections::SectionNames;
use decklaw_text::text::listed;

/// A heading: its word, and the total after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading<'a> {
    pub word: &'a str,
    /// Digits, as they are written.
    pub total: Option<&'a str>,
}

/// Reads a heading as decklaw writes it: `Main`, `main:`, `[Main]`, `Main (25)`, `[Main] (25):`,
/// `Main: (25)`. Square brackets keep a word as it is.
pub fn heading(line: &str) -> Heading<'_> {
    let line = without_colon(line.trim());
    let (word, total) = match (bracketed(line), total(line)) {
        (None, Some((word, digits))) => (without_colon(word), Some(digits)),
        _ => (line, None),
    };
    let word = bracketed(word).unwrap_or(word);
    Heading { word, total }
}

/// Reads a heading as other programs and people write it: `=== Side ===`, `**Side (12)**`,
/// `##Side - 12`, `Side: 12 cards`, `Side [12]`, `SIDE 12/15 cards`.
pub fn framed(line: &str) -> Heading<'_> {
    let text = unframed(line);
    let own = heading(text);
    let (word, total) = match own.total {
        None => behind(text).map_or((own.word, None), |(word, digits)| (word, Some(digits))),
        total => (own.word, total),
    };
    let word = unframed(word);
    Heading { word, total }
}

/// Returns the total at the end of a heading, in brackets, behind a sign or before what is counted,
/// and the word. Of `12/15` the first number is what is there.
fn behind(text: &str) -> Option<(&str, &str)> {
    const SIGNS: [char; 5] = ['-', '–', '—', ':', ','];
    let bracketed = |open, close| text.strip_suffix(close)?.rsplit_once(open);
    let (before, number) = match bracketed('(', ')').or_else(|| bracketed('[', ']')) {
        Some((before, inside)) => (before.trim_end(), without_noun(inside.trim())),
        None => {
            let counted = without_noun(text);
            let before = counted.trim_end_matches(|c: char| c.is_ascii_digit() || c == '/');
            let number = counted.get(before.len()..)?;
            let before = before.trim_end();
            match before.strip_suffix(SIGNS) {
                None if counted.len() == text.len() => return None,
                apart => (apart.unwrap_or(before).trim_end(), number),
            }
        }
    };
    let (digits, goal) = number.split_once('/').unwrap_or((number, "0"));
    let is_word = !before.is_empty() && !before.ends_with(SIGNS);
    (is_word && is_digits(digits) && is_digits(goal)).then_some((before, digits))
}

/// Returns a number without the cards that it counts: `12 cards`.
fn without_noun(text: &str) -> &str {
    let nouns = ["cards", "card", "copies", "copy"];
    let noun = nouns.iter().find(|noun| {
        let start = text.len().saturating_sub(noun.len());
        text.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(noun))
    });
    noun.map_or(text, |noun| text[..text.len() - noun.len()].trim_end())
}

/// Whether a heading's word is in square brackets.
pub fn is_bracketed(line: &str) -> bool {
    let line = without_colon(line.trim());
    let word = total(line).map_or(line, |(word, _)| without_colon(word));
    bracketed(word).is_some()
}

fn without_colon(text: &str) -> &str {
    text.strip_suffix(':').unwrap_or(text).trim_end()
}

fn bracketed(text: &str) -> Option<&str> {
    Some(text.strip_prefix('[')?.strip_suffix(']')?.trim())
}

/// Returns the total in brackets at the end of a heading, and the text before it.
fn total(text: &str) -> Option<(&str, &str)> {
    let (before, inside) = text.strip_suffix(')')?.rsplit_once('(')?;
    let digits = without_noun(inside.trim());
    is_digits(digits).then_some((before.trim_end(), digits))
}

/// Whether a text is a total and nothing else: `(25)`.
pub fn is_total(text: &str) -> bool {
    total(text).is_some_and(|(before, _)| before.is_empty())
}

/// Returns a heading without the signs that other programs draw around it.
pub fn unframed(text: &str) -> &str {
    let sign = |c: char| c.is_whitespace() || "#/=*_~-".contains(c);
    let text = text.trim_matches(sign).trim_start_matches('!');
    without_colon(text).trim_matches(sign)
}

/// Whether a line is between rules: `=== Side ===`, `*** Side ***`.
pub fn is_ruled(text: &str) -> bool {
    ['*', '=', '-', '~', '_'].iter().any(|sign| {
        let sides = [text.trim_start_matches(*sign), text.trim_end_matches(*sign)];
        sides.iter().all(|side| text.len() - side.len() >= 3)
    })
}

/// Whether a line is a word and the number of cards below it, `Trainer: 27`, as only other
/// programs write it.
pub fn is_plain_total(line: &str) -> bool {
    let parts = line.rsplit_once(':');
    parts.is_some_and(|(word, total)| !word.trim().is_empty() && is_digits(total.trim()))
}

/// Returns the section that a comment names if it says nothing else: one of the format, or one
/// of the usual ones.
pub fn in_comment<'t>(line: &'t str, names: &SectionNames<'_>) -> Option<&'t str> {
    /// No section's name is longer; most comments are.
    const LONGEST: usize = 80;
    let text = line.trim_matches(|c: char| c.is_whitespace() || "#/!-=*_~".contains(c));
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let word = heading(text).word;
    (names.find(word).is_some() || board::is_common(word)).then_some(word)
}

/// The error of a line that is no section: it may be a card.
#[cold]
pub fn no_section(word: &str, names: &SectionNames<'_>) -> Wrong {
    /// No card's name is longer.
    const LONGEST: usize = 100;
    if let Some((digits, name)) = super::count::in_letters(word) {
        let mut wrong = Wrong::form(word, digits, name);
        let whole = example("1", word);
        wrong.help.push_str(&format!(" If it is a name, write {whole}."));
        return wrong;
    }
    if names.pool.is_some_and(|pool| pool.look_up(word, NameField::Name).card().is_some()) {
        return Wrong::form(word, "1", word);
    }
    let mut wrong = unknown_section(word, names);
    let is_near = wrong.help.starts_with("Did you mean");
    let may_be_card = match names.pool.filter(|pool| !pool.is_empty()) {
        Some(pool) => word.len() <= LONGEST && pool.near(word, NameField::Name).is_certain,
        None => word.len() <= LONGEST && word.starts_with(char::is_alphanumeric),
    };
    if may_be_card {
        let card = example("1", word);
        wrong.help.push_str(&format!(" A card line needs a count: {card}."));
    } else if !is_near {
        wrong.help.push_str(" If the line is neither a section nor a card, begin it with `#`.");
    }
    wrong
}

/// The error of a word in the place of a section's name: lists the sections.
#[cold]
pub fn unknown_section(word: &str, names: &SectionNames<'_>) -> Wrong {
    let message = format!("{} is not a section of this format.", quoted(word));
    let known = names.names.iter().map(|(name, _)| name.as_str());
    let near = decklaw_text::name::nearest(&decklaw_text::name::fold(word), known);
    let near = near.first().map(|near| format!("Did you mean {}? ", quoted(near)));
    let sections = match names.ids {
        [] => "The format has no sections.".to_owned(),
        [one] => format!("The only section is {}.", quoted(one)),
        ids => {
            let ids: Vec<String> = ids.iter().map(|id| quoted(id)).collect();
            format!("The sections are {}.", listed(&ids, "and"))
        }
    };
    Wrong::new(message, near.unwrap_or_default() + &sections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings() {
        for line in ["Main", "Main:", "Main :", "[Main]", "[ Main ]:"] {
            let (word, total) = ("Main", None);
            assert_eq!(heading(line), Heading { word, total }, "{line}");
        }
        for line in [
            "Main (25)",
            "Main(25):",
            "Main: (25)",
            "[Main] (25)",
            "[Main] (25):",
            "[Main]: ( 25 )",
            "Main (25 cards)",
        ] {
            let (word, total) = ("Main", Some("25"));
            assert_eq!(heading(line), Heading { word, total }, "{line}");
        }
        for line in [
            "## Main (25)",
            "=== Main: 25 ===",
            "**Main** (25):",
            "// Main – 25",
            "Main: 25 cards",
            "Main - 25 Cards",
            "Main, 25 copies",
            "Main 25 cards",
            "Main [25]",
            "Main [25 cards]:",
            "Main (25/60)",
            "Main: 25/60 cards",
        ] {
            let (word, total) = ("Main", Some("25"));
            assert_eq!(framed(line), Heading { word, total }, "{line}");
        }
        for line in [
            "Main 25",
            "Main 2 House of cards",
            "25 cards",
            "Main cards",
            "Main (-25)",
            "Main - 2(5",
            "Main:, 25",
            "Main (25/)",
        ] {
            assert_eq!(framed(line).total, None, "{line}");
        }
        assert_eq!(heading("Main (first)").word, "Main (first)");
        assert_eq!(heading("[[a]:]").word, "[a]:");
    }
}
