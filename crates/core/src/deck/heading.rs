//! A section's heading, as decks write it and as other programs do.

use super::line::{Wrong, counted_in_letters, example, in_letters};
use super::{SectionNames, quoted};
use crate::name::folds_by_case;
use crate::text::listed;

/// Words by which deck builders of many games mean a section when they stand in a comment.
const COMMON: [&str; 13] = [
    "main",
    "main deck",
    "maindeck",
    "mainboard",
    "deck",
    "side",
    "side deck",
    "sidedeck",
    "sideboard",
    "extra",
    "extra deck",
    "extradeck",
    "maybeboard",
];

/// A section's heading: its word, and the total in brackets behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Heading<'a> {
    pub(super) word: &'a str,
    /// Digits, as they are written.
    pub(super) total: Option<&'a str>,
}

/// Takes a heading apart: `Main`, `main:`, `[Main]`, `Main (25)`, `[Main] (25):`, `Main: (25)`.
/// What stands in square brackets is the word as it is.
pub(super) fn heading(line: &str) -> Heading<'_> {
    let line = without_colon(line.trim());
    if let Some(word) = bracketed(line) {
        return Heading { word, total: None };
    }
    match total(line) {
        Some((word, digits)) => {
            let word = without_colon(word);
            Heading {
                word: bracketed(word).unwrap_or(word),
                total: Some(digits),
            }
        }
        None => Heading {
            word: line,
            total: None,
        },
    }
}

/// Whether a heading's word is in square brackets.
pub(super) fn is_bracketed(line: &str) -> bool {
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

/// A total in brackets at the end of a heading, and what stands before it.
fn total(text: &str) -> Option<(&str, &str)> {
    let (before, inside) = text.strip_suffix(')')?.rsplit_once('(')?;
    let inside = inside.trim();
    let digits = inside
        .strip_suffix("cards")
        .or_else(|| inside.strip_suffix("card"));
    let digits = digits.unwrap_or(inside).trim_end();
    let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    number.then_some((before.trim_end(), digits))
}

/// Returns a heading without the signs that other programs draw around it: `=== Side ===`.
pub(super) fn unframed(text: &str) -> &str {
    let sign = |c: char| c.is_whitespace() || "#/=*_~-".contains(c);
    let text = text.trim_matches(sign).trim_start_matches('!');
    without_colon(text).trim_matches(sign)
}

/// Whether a line is between rules: `=== Side ===`, `*** Side ***`.
pub(super) fn is_ruled(text: &str) -> bool {
    ['*', '=', '-', '~', '_'].iter().any(|sign| {
        let sides = [text.trim_start_matches(*sign), text.trim_end_matches(*sign)];
        sides.iter().all(|side| text.len() - side.len() >= 3)
    })
}

/// Takes a heading and its total apart: `Side (12)`, `Side - 12`, `Side: 12`, or `Side`.
pub(super) fn with_total(text: &str) -> (&str, Option<&str>) {
    let found = heading(text);
    if found.total.is_some() {
        return (found.word, found.total);
    }
    let digits = text
        .rsplit_once(['-', '–', '—', ':'])
        .and_then(|(word, digits)| {
            let (word, digits) = (word.trim(), digits.trim());
            let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            (number && !word.is_empty()).then_some((word, Some(digits)))
        });
    digits.unwrap_or((found.word, None))
}

/// Whether a line is a word and the number of cards below it, `Trainer: 27`: a heading of other
/// programs, and nothing in decklaw's text.
pub(super) fn is_plain_total(line: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    line.rsplit_once(':')
        .is_some_and(|(word, total)| !word.trim().is_empty() && number(total.trim()))
}

/// Whether deck builders of many games call a section so.
pub(super) fn is_common(word: &str) -> bool {
    COMMON.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Why a word is no section, which sections there are, and what else it may have meant.
pub(super) fn no_section(word: &str, names: &SectionNames<'_>) -> Wrong {
    if let Some(counted) = in_letters(word) {
        let otherwise = format!("{} if it is a card's name", example("1", word));
        return counted_in_letters(word, counted, &otherwise);
    }
    if names.pool.is_some_and(|pool| pool.find(word).is_some()) {
        let message = format!("{} has no count.", quoted(word));
        let help = format!("Write the number of copies: {}.", example("1", word));
        return Wrong::new(message, help);
    }
    let message = format!("{} is no section of this format.", quoted(word));
    let folded = crate::name::fold(word);
    let known = names.names.iter().map(|(name, _)| name.as_str());
    let near = crate::name::nearest(&folded, known);
    let meant = near.first().map_or(String::new(), |near| {
        format!("Did you mean {}? ", quoted(near))
    });
    let may_be_card = may_be_a_name(word)
        && (names.pool).is_none_or(|pool| pool.is_empty() || pool.slip_of(word).1);
    let counted = if may_be_card {
        format!(" A card line needs a count: {}.", example("1", word))
    } else {
        String::new()
    };
    let help = format!("{meant}{}{counted}", sections(names));
    Wrong::new(message, help)
}

/// Whether a line looks like a card's name, and not like a rule, a tag or a line of code.
fn may_be_a_name(line: &str) -> bool {
    /// No card's name is longer.
    const LONGEST: usize = 100;
    let code = |c: char| matches!(c, '<' | '>' | '{' | '}' | '|' | '\\' | '=' | '\t');
    let begins = |c: char| c.is_alphanumeric() || "\"'“‘«".contains(c);
    line.starts_with(begins) && !line.contains(code) && line.len() <= LONGEST
}

/// What is wrong with a heading that may be a card and its count in letters, where any word is
/// a section; `None`: it is one.
pub(super) fn may_be_counted(line: &str) -> Option<Wrong> {
    let counted = in_letters(line).filter(|_| heading(line).word == line)?;
    let otherwise = format!("{} if it is a section", quoted(&format!("[{line}]")));
    Some(counted_in_letters(line, counted, &otherwise))
}

/// A sentence that lists the sections of a format.
pub(super) fn sections(names: &SectionNames<'_>) -> String {
    match names.ids {
        [] => "The format has no sections.".to_owned(),
        [one] => format!("The only section is {}.", quoted(one)),
        ids => {
            let ids: Vec<String> = ids.iter().map(|id| quoted(id)).collect();
            format!("The sections are {}.", listed(&ids, "and"))
        }
    }
}

/// The noun behind a total.
pub(super) fn card_or_cards(digits: &str) -> &'static str {
    if digits.trim_start_matches('0') == "1" {
        "card"
    } else {
        "cards"
    }
}

/// Whether what follows a heading's colon is its total: `Main: (25)`.
pub(super) fn is_total(value: &str) -> bool {
    total(value).is_some_and(|(before, _)| before.is_empty())
}

/// The section that a comment names if it says nothing else, and whether the format has it.
pub(super) fn section_in_comment<'t>(
    line: &'t str,
    names: &SectionNames<'_>,
) -> Option<(&'t str, bool)> {
    /// No section's name is longer; most comments are.
    const LONGEST: usize = 80;
    let frame = |c: char| matches!(c, '#' | '/' | '!' | '-' | '=' | '*' | '_' | '~');
    let text = line.trim_matches(|c: char| frame(c) || c.is_whitespace());
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let word = heading(text).word;
    if names.find(word).is_some() {
        return Some((word, true));
    }
    let common =
        is_common(word) || !folds_by_case(word) && COMMON.contains(&&*crate::name::fold(word));
    common.then_some((word, names.open))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings() {
        let plain = ["Main", "Main:", "Main :", "[Main]", "[ Main ]:"];
        for line in plain {
            assert_eq!(
                heading(line),
                Heading {
                    word: "Main",
                    total: None
                },
                "{line}"
            );
        }
        let counted = [
            "Main (25)",
            "Main(25):",
            "Main: (25)",
            "[Main] (25)",
            "[Main] (25):",
            "[Main]: ( 25 )",
            "Main (25 cards)",
        ];
        for line in counted {
            assert_eq!(
                heading(line),
                Heading {
                    word: "Main",
                    total: Some("25")
                },
                "{line}"
            );
        }
        assert_eq!(heading("Main (first)").word, "Main (first)");
        assert_eq!(
            heading("[[a]:]").word,
            "[a]:",
            "brackets keep a word as it is"
        );
    }
}
