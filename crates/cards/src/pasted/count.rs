//! The count and the name of a card: `3 Name`.
//!
//! Lines of text and the items of a list in YAML and JSON are read alike.

use super::quoted;
use decklaw_text::limits::deck::MOST_COPIES;

/// Why a line could not be understood, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    pub message: String,
    pub help: String,
}

impl Wrong {
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Wrong { message: message.into(), help: help.into() }
    }

    /// The error of a line with more than one card.
    #[cold]
    pub fn several(line: &str) -> Self {
        let message = format!("{} is more than one card.", quoted(line));
        Wrong::new(message, "Write one card a line.")
    }

    /// The error of a line that is a card, `count` copies of `name`, in another form than
    /// `3 Name`.
    #[cold]
    pub fn form(line: &str, count: &str, name: &str) -> Self {
        let message = format!("{} has no count before its name.", quoted(line));
        let help = if count.is_empty() {
            "Write the count in the digits 0 to 9.".to_owned()
        } else {
            format!("Write {}.", example(count, name))
        };
        Wrong::new(message, help)
    }
}

/// A card as a line gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedName<'a> {
    pub count: u32,
    /// The digits of the count; empty where it has none that can be edited.
    pub digits: &'a str,
    pub name: &'a str,
}

impl<'a> CountedName<'a> {
    /// Reads `3 Name`.
    pub fn leading(text: &'a str) -> Option<CountedName<'a>> {
        if !looks_counted(text) {
            return None;
        }
        let (count, name) = card(text).ok()?;
        let (digits, _) = split_digits(text);
        Some(CountedName { count, digits, name })
    }

    /// Reads `3 Name` or `Name x3`, with white space around it.
    pub fn either(text: &'a str) -> Option<CountedName<'a>> {
        CountedName::leading(text.trim()).or(CountedName::trailing(text.trim()))
    }

    /// Reads `Name x3`.
    pub fn trailing(text: &'a str) -> Option<CountedName<'a>> {
        let (count, digits, name) = trailing_count(text)?;
        Some(CountedName { count, digits, name })
    }
}

/// Reads `3 Name`, `3x Name` or `3× Name`.
pub fn card(line: &str) -> Result<(u32, &str), Wrong> {
    let (digits, rest) = split_digits(line);
    let rest = without_times(rest);
    // Nearly every line has one space here.
    let name = match rest.as_bytes() {
        [b' ', next, ..] if next.is_ascii_graphic() => &rest[1..],
        _ => rest.trim_start(),
    };
    let number = digits.parse().unwrap_or(0);
    let is_empty =
        name.chars().all(|next| next.is_whitespace() || decklaw_text::name::is_mark(next));
    if is_empty || name.len() == rest.len() || !(1..=MOST_COPIES).contains(&number) {
        return Err(wrong_card(line));
    }
    Ok((number, name))
}

/// Reads the count after a name: `Name x3`, `Name ×3`, `Name (x3)`, `Name x 3`. Returns the count,
/// its digits and the name.
pub fn trailing_count(text: &str) -> Option<(u32, &str, &str)> {
    let inner = text.strip_suffix([')', ']']);
    let body = inner.unwrap_or(text);
    let start = body.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = body.get(start.len()..)?;
    let before = start.trim_end().strip_suffix(['x', 'X', '×'])?;
    let name = match inner {
        Some(_) => before.strip_suffix(['(', '['])?,
        None => before.strip_suffix(char::is_whitespace)?,
    };
    let (name, count) = (name.trim_end(), digits.parse().ok()?);
    (!name.is_empty() && (1..=MOST_COPIES).contains(&count)).then_some((count, digits, name))
}

/// Whether a text begins as `3 Name` or `3x Name` does.
pub fn is_card(text: &str) -> bool {
    let (digits, rest) = split_digits(text);
    (1..=6).contains(&digits.len()) && without_times(rest).starts_with(char::is_whitespace)
}

/// Whether a text begins with a digit.
pub fn looks_counted(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether a text consists of digits.
pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

fn without_times(text: &str) -> &str {
    text.strip_prefix(['x', 'X', '×']).unwrap_or(text)
}

#[cold]
fn wrong_card(line: &str) -> Wrong {
    if let Some((digits, name)) = misplaced(line).or_else(|| in_letters(line)) {
        return Wrong::form(line, digits, name);
    }
    let (digits, rest) = split_digits(line);
    if digits.is_empty() {
        let (digits, name) = behind(line).unwrap_or(("1", line));
        return Wrong::form(line, digits, name);
    }
    if let Err(wrong) = count(digits) {
        return wrong;
    }
    let sign = |c: char| !c.is_alphanumeric() && c != '"';
    let name = without_times(rest).trim_start_matches(sign);
    if name.starts_with(char::is_numeric) || rest.starts_with(char::is_numeric) {
        let number = line.split_whitespace().next().unwrap_or(line);
        return not_whole(number);
    }
    let mut wrong = Wrong::form(line, digits, name);
    if let Some(sign @ (',' | ';')) = rest.chars().next() {
        let table = format!(" If it is a table, begin it with the line `count{sign}name`.");
        wrong.help.push_str(&table);
    }
    wrong
}

/// Reads a number of copies, which may be written as spreadsheets write whole numbers: `3.0`.
/// `None`: the text is no such number.
///
/// ```
/// use decklaw_cards::pasted::count::copies;
/// assert_eq!((copies("4.0"), copies("0"), copies("-1"), copies("1.5")), (Some(4), Some(0), None, None));
/// ```
pub fn copies(text: &str) -> Option<u32> {
    let whole = text.strip_suffix(".0").or(text.strip_suffix(",0"));
    let digits = Some(whole.unwrap_or(text)).filter(|digits| is_digits(digits));
    digits.and_then(|digits| digits.parse().ok())
}

/// Reads the count of a card.
pub fn count(text: &str) -> Result<u32, Wrong> {
    copies(text).filter(|number| (1..=MOST_COPIES).contains(number)).ok_or_else(|| not_whole(text))
}

#[cold]
fn not_whole(count: &str) -> Wrong {
    let message =
        format!("The count {} is not a whole number from 1 to {MOST_COPIES}.", quoted(count));
    let help = match copies(count) {
        Some(0) => "Take the card out, or give at least 1 copy.".to_owned(),
        _ if is_digits(count) => format!("Give at most {MOST_COPIES} copies."),
        _ => "Write one number in the digits 0 to 9.".to_owned(),
    };
    Wrong::new(message, help)
}

/// Returns the count and the name of a line that ends with its count, in another form than
/// `Name x3`: `Name - 3`, `Name: 3`, `Name (3)`. A number after a space alone may be the name's.
pub fn behind(line: &str) -> Option<(&str, &str)> {
    let body = line.strip_suffix([')', ']', '}']).unwrap_or(line);
    let before = body.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = body.get(before.len()..)?;
    let name = before.trim_end_matches(|c: char| c.is_whitespace() || "-–—:;,=([{|".contains(c));
    let sign = before.get(name.len()..)?;
    let is_apart = sign.contains([':', ';', ',', '=', '(', '[', '{', '|', '\t'])
        || sign.starts_with(char::is_whitespace) && !sign.trim().is_empty();
    (is_apart && !name.is_empty() && !digits.is_empty()).then_some((digits, name))
}

/// Returns the count and the name of a line that begins with a sign before its count: `x3 Name`,
/// `(3) Name`, `-3 Name`. The count is empty where its digits are of another script.
pub fn misplaced(line: &str) -> Option<(&str, &str)> {
    let first = line.chars().next()?;
    let rest = line.get(first.len_utf8()..)?;
    if !first.is_ascii() && first.is_numeric() {
        return Some(("", rest.trim_start()));
    }
    let (digits, behind) = split_digits(rest.trim_start());
    let is_near = looks_counted(rest);
    let (fits, behind) = match first {
        '(' => (true, behind.trim_start().strip_prefix(')')?),
        '[' => (true, behind.trim_start().strip_prefix(']')?),
        '{' => (true, behind.trim_start().strip_prefix('}')?),
        'x' | 'X' | '×' | '.' | ',' => (is_near, behind),
        '*' | '•' => (!is_near, behind),
        '-' | '−' | '–' | '—' | '+' => (true, behind),
        _ => return None,
    };
    let name = behind.trim_start_matches(['x', 'X', '×', '.', ':', ';', ',']);
    let name = name.trim();
    let is_named = !name.is_empty() && name != ":" || !"xX×([{".contains(first);
    (fits && !digits.is_empty() && is_named).then_some((digits, name))
}

/// Returns the count, in digits, and the name of a line that begins with a count in letters.
pub fn in_letters(line: &str) -> Option<(&'static str, &str)> {
    const WORDS: [(&str, &str); 12] = [
        ("one", "1"),
        ("two", "2"),
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
        ("eleven", "11"),
        ("twelve", "12"),
    ];
    let (first, rest) = line.split_once(char::is_whitespace)?;
    let word = WORDS.iter().find(|(word, _)| first.eq_ignore_ascii_case(word));
    word.map(|(_, digits)| (*digits, rest.trim_start()))
}

/// Returns a card line as an example, in quotes.
pub fn example(digits: &str, name: &str) -> String {
    let is_none = digits.bytes().all(|byte| byte == b'0') || digits.len() > 6;
    let digits = if is_none { "1" } else { digits };
    let name = if name.is_empty() { "NAME" } else { name };
    quoted(&format!("{digits} {name}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_count_and_a_name() {
        for line in [
            "3 Moss Sprite",
            "3x Moss Sprite",
            "3X Moss Sprite",
            "3× Moss Sprite",
            "003\tMoss Sprite",
            "3\u{a0}Moss Sprite",
        ] {
            assert_eq!(card(line), Ok((3, "Moss Sprite")), "{line}");
        }
        assert_eq!(card("3 x Name"), Ok((3, "x Name")));
        assert_eq!(card("1 2001: A # Space // Odyssey"), Ok((1, "2001: A # Space // Odyssey")));
        assert_eq!(card("2 月のカード"), Ok((2, "月のカード")));
        assert_eq!(card("999999 Ant"), Ok((999_999, "Ant")));
    }

    #[test]
    fn other_forms_are_errors_with_an_example() {
        let range = "from 1 to 999999";
        for (line, help) in [
            ("0 Ant", range),
            ("1000000 Ant", range),
            ("100000000000000000000 Ant", range),
            ("3.5 Ant", range),
            ("1/2 Ant", range),
            ("1½ Ant", range),
            ("2–3 Ant", range),
            ("-3 Ant", "`3 Ant`"),
            ("− 3 Ant", "`3 Ant`"),
            ("+3 Ant", "`3 Ant`"),
            (".5 Ant", "`5 Ant`"),
            ("3. Ant", "`3 Ant`"),
            ("3,Ant", "`count,name`"),
            ("Ant", "`1 Ant`"),
            ("3", "`3 NAME`"),
            ("3x", "`3 NAME`"),
            ("3Ant", "`3 Ant`"),
            ("x3 Ant", "`3 Ant`"),
            ("(3) Ant", "`3 Ant`"),
            ("- 3 Ant", "`3 Ant`"),
            ("• 3x Ant", "`3 Ant`"),
            ("Three Ants", "`3 Ants`"),
            ("３ Ant", "digits 0 to 9"),
            ("+ 3;Ant", "`3 Ant`"),
            ("Ant - 3", "`3 Ant`"),
            ("Ant: 3", "`3 Ant`"),
            ("X-9", "`1 X-9`"),
            ("Area 51", "`1 Area 51`"),
            ("0 Ant", "at least 1 copy"),
            ("", "`1 NAME`"),
        ] {
            let wrong = card(line).unwrap_err();
            let is_said = wrong.help.contains(help) || wrong.message.contains(help);
            assert!(is_said, "{line}: {wrong:?}");
        }
    }
}
