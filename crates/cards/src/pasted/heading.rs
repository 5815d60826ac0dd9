//! A section's heading, as decks write it and as other programs do.

use super::count::is_digits;

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
