//! A card line: a count and a name.
//!
//! The items of a list in YAML and JSON are card lines too.

use super::{MOST_COPIES, quoted};

/// Why a line could not be understood, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) message: String,
    pub(super) help: String,
}

impl Wrong {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Wrong {
            message: message.into(),
            help: help.into(),
        }
    }
}

/// Reads a card line that begins with a digit: `3 Name`, `3x Name`, `3× Name`.
pub(super) fn card(line: &str) -> Result<(u32, &str), Wrong> {
    let bytes = line.as_bytes();
    let mut end = 0;
    let mut number = 0u32;
    while let Some(digit) = bytes.get(end).filter(|byte| byte.is_ascii_digit()) {
        number = number
            .saturating_mul(10)
            .saturating_add(u32::from(digit - b'0'));
        end += 1;
    }
    let rest = &line[end..];
    let rest = rest.strip_prefix(['x', 'X', '×']).unwrap_or(rest);
    // Nearly every line has one space here, so that one is looked at first.
    let name = match rest.as_bytes() {
        [b' ', next, ..] if next.is_ascii_graphic() => &rest[1..],
        _ => rest.trim_start(),
    };
    let none = name.is_empty() || (!name.is_ascii() && crate::name::tidy(name).is_empty());
    if none || name.len() == rest.len() || number == 0 || number > MOST_COPIES {
        return Err(wrong_card(line, &line[..end]));
    }
    Ok((number, name))
}

/// Whether a text begins as `3 Name` or `3x Name` does.
pub(super) fn is_card(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - rest.len();
    let name = rest.strip_prefix(['x', 'X', '×']).unwrap_or(rest);
    (1..=6).contains(&digits) && name.starts_with(char::is_whitespace)
}

#[cold]
fn wrong_card(line: &str, digits: &str) -> Wrong {
    let rest = &line[digits.len()..];
    let name = rest
        .strip_prefix(['x', 'X', '×'])
        .unwrap_or(rest)
        .trim_matches(|c: char| c.is_whitespace() || crate::name::is_mark(c));
    let fraction = rest.strip_prefix(['.', ',', ';']);
    if let Some(after) = fraction {
        if after.starts_with(|c: char| c.is_ascii_digit()) {
            let number: &str = line.split_whitespace().next().unwrap_or(line);
            let message = format!("The count {} is not a whole number.", quoted(number));
            return Wrong::new(
                message,
                format!("Copies are whole numbers from 1 to {MOST_COPIES}, in digits alone."),
            );
        }
        let message = format!("{} has a mark behind its count.", quoted(line));
        let mut help = format!("Write it without: {}.", example(digits, after.trim()));
        if let Some(sign @ (',' | ';')) = rest.chars().next() {
            help.push_str(&format!(
                " Of a table, the first line is `count{sign}name`."
            ));
        }
        return Wrong::new(message, help);
    }
    let number = line.split_whitespace().next().unwrap_or(line);
    let rest_of_number = &number[digits.len().min(number.len())..];
    let sign = |c: char| "/-+–—−~".contains(c);
    let is_sum = rest_of_number
        .trim_start_matches(sign)
        .starts_with(|c: char| c.is_ascii_digit())
        && rest_of_number.starts_with(sign);
    let is_fraction = rest_of_number.starts_with(|c: char| !c.is_ascii() && c.is_numeric());
    if is_sum || is_fraction {
        return Wrong::new(
            format!("The count {} is not a whole number.", quoted(number)),
            format!("Copies are whole numbers from 1 to {MOST_COPIES}, in digits alone."),
        );
    }
    if name.is_empty() {
        let message = format!("The count {} has no card.", quoted(digits));
        return Wrong::new(
            message,
            format!("Write the card's name after it: `{} NAME`.", short(digits)),
        );
    }
    if let Err(wrong) = count(digits) {
        return wrong;
    }
    let message = format!(
        "There is no space between the count {} and the name.",
        quoted(digits)
    );
    let name = name.trim_start_matches([')', ':', '.', ' ']);
    Wrong::new(
        message,
        format!("If it is a card line, write {}.", example(digits, name)),
    )
}

/// Whether a line begins as a card's does: with a digit.
pub(super) fn looks_counted(line: &str) -> bool {
    line.starts_with(|first: char| first.is_ascii_digit())
}

/// Reads a count from its digits.
pub(super) fn count(digits: &str) -> Result<u32, Wrong> {
    let range = format!("Copies are whole numbers from 1 to {MOST_COPIES}.");
    let shown = quoted(digits);
    if digits.is_empty() {
        return Err(Wrong::new("There is no count.", range));
    }
    // Spreadsheets write whole numbers so.
    let digits = digits
        .strip_suffix(".0")
        .or_else(|| digits.strip_suffix(",0"))
        .filter(|whole| !whole.is_empty())
        .unwrap_or(digits);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let help = match meant(digits) {
            Some(number) => format!("Write {}.", quoted(&number)),
            None => range,
        };
        return Err(Wrong::new(
            format!("The count {shown} is not a whole number."),
            help,
        ));
    }
    match digits.trim_start_matches('0').parse() {
        Ok(number) if number <= MOST_COPIES => Ok(number),
        Err(_) if digits.bytes().all(|byte| byte == b'0') => {
            let help = "Leave the card out, or give at least 1 copy.";
            Err(Wrong::new(
                format!("The count {shown} is no copy at all."),
                help,
            ))
        }
        _ => Err(Wrong::new(
            format!("The count {shown} is larger than any deck."),
            range,
        )),
    }
}

/// The digits of a count that is plainly one, written otherwise: `3x`, `3.0`, `３`, `three`.
fn meant(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    if let Some(at) = WRITTEN.iter().position(|word| *word == text) {
        return Some((at + 1).to_string());
    }
    let plain = text.trim_matches(['x', '×']).trim();
    let plain = plain
        .strip_suffix(".0")
        .or(plain.strip_suffix(",0"))
        .unwrap_or(plain);
    let digits: String = plain
        .chars()
        .map(|c| match c {
            '\u{ff10}'..='\u{ff19}' => char::from(b'0' + (u32::from(c) - 0xff10) as u8),
            other => other,
        })
        .collect();
    let number: u32 = digits.parse().ok()?;
    let plainly = digits.bytes().all(|byte| byte.is_ascii_digit());
    ((1..=MOST_COPIES).contains(&number) && plainly).then(|| number.to_string())
}

/// Reads an item of a list: a card line, and nothing else will do.
pub(super) fn item(text: &str) -> Result<(u32, &str), Wrong> {
    let line = text.trim();
    if line.starts_with(|c: char| c.is_ascii_digit()) {
        return card(line);
    }
    Err(odd_count(line).unwrap_or_else(|| {
        if let Some(counted) = in_letters(line) {
            let otherwise = format!("{} if it is the card's name", example("1", line));
            return counted_in_letters(line, counted, &otherwise);
        }
        let message = format!("{} has no count.", quoted(line));
        let name = if line.is_empty() { "NAME" } else { line };
        Wrong::new(
            message,
            format!(
                "Write the number of copies before the name: {}.",
                example("1", name)
            ),
        )
    }))
}

/// Whether a line that does not begin with a digit was meant for a card line, and what is
/// wrong with its count: a sign, a bullet, digits of another script, or digits behind an `x`.
pub(super) fn odd_count(line: &str) -> Option<Wrong> {
    let first = line.chars().next()?;
    if first.is_ascii_alphabetic() && !matches!(first, 'x' | 'X') {
        return None;
    }
    let rest = &line[first.len_utf8()..];
    let trimmed = rest.trim_start();
    let digits = &trimmed[..trimmed.bytes().take_while(u8::is_ascii_digit).count()];
    let name = trimmed[digits.len()..]
        .trim_start_matches(['x', 'X', '×', '.'])
        .trim();
    let whole = format!("Copies are whole numbers from 1 to {MOST_COPIES}.");
    match first {
        '-' | '*' | '•' | '–' | '—' if !digits.is_empty() && trimmed.len() < rest.len() => {
            let message = format!("{} begins with a bullet.", quoted(line));
            Some(Wrong::new(
                message,
                format!("Write it without: {}.", example(digits, name)),
            ))
        }
        '-' | '−' | '–' if !digits.is_empty() => {
            let message = format!(
                "The count {} is negative.",
                quoted(&line[..line.len() - trimmed.len() + digits.len()])
            );
            Some(Wrong::new(message, whole))
        }
        '+' if !digits.is_empty() => {
            let message = format!(
                "The count {} has a sign.",
                quoted(&line[..line.len() - trimmed.len() + digits.len()])
            );
            Some(Wrong::new(
                message,
                format!("Write it without: {}.", example(digits, name)),
            ))
        }
        '.' | ',' if !digits.is_empty() && trimmed.len() == rest.len() => {
            let message = format!(
                "The count {} is not a whole number.",
                quoted(&line[..=digits.len()])
            );
            Some(Wrong::new(message, whole))
        }
        'x' | 'X' | '×'
            if !digits.is_empty() && trimmed.len() == rest.len() && !name.is_empty() =>
        {
            let message = format!("{} has its `x` before the number.", quoted(line));
            Some(Wrong::new(
                message,
                format!("Write {}.", example(digits, name)),
            ))
        }
        _ if !first.is_ascii() && first.is_numeric() => {
            let message = format!(
                "The count of {} is not written in the digits 0 to 9.",
                quoted(line)
            );
            Some(Wrong::new(
                message,
                "Write the count in those, as in `3 NAME`.",
            ))
        }
        _ => None,
    }
}

/// Counts as people write them out.
const WRITTEN: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// A line that begins with a count in letters, or with a name that begins so: the count, and
/// what follows.
pub(super) fn in_letters(line: &str) -> Option<(usize, &str)> {
    let (first, rest) = line.split_once(char::is_whitespace)?;
    let at = WRITTEN
        .iter()
        .position(|word| first.eq_ignore_ascii_case(word))?;
    let rest = rest.trim_start();
    let name = ["copies of ", "copy of ", "x ", "× "]
        .iter()
        .find_map(|of| rest.strip_prefix(of));
    Some((at + 1, name.unwrap_or(rest).trim_start()))
}

/// What is wrong with such a line; `otherwise` is how to write what else it may mean, and when.
pub(super) fn counted_in_letters(
    line: &str,
    (count, name): (usize, &str),
    otherwise: &str,
) -> Wrong {
    let message = format!("{} has no count in digits.", quoted(line));
    let written = example(&count.to_string(), name);
    Wrong::new(
        message,
        format!("Write {written} if its first word is the count, or {otherwise}."),
    )
}

/// The count that an example shows for these digits.
fn short(digits: &str) -> &str {
    let none = digits.bytes().all(|byte| byte == b'0');
    if none || digits.len() > 6 {
        "1"
    } else {
        digits
    }
}

pub(super) fn example(digits: &str, name: &str) -> String {
    let name = if name.is_empty() { "NAME" } else { name };
    quoted(&format!("{} {name}", short(digits)))
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
        assert_eq!(
            card("3 x Name"),
            Ok((3, "x Name")),
            "the x stands at the number"
        );
        assert_eq!(
            card("1 2001: A # Space // Odyssey"),
            Ok((1, "2001: A # Space // Odyssey"))
        );
        assert_eq!(card("2 月のカード"), Ok((2, "月のカード")));
        assert_eq!(card("999999 Ant"), Ok((999_999, "Ant")));
    }

    #[test]
    fn counts_that_are_none() {
        let wrong = |line: &str| {
            let wrong = item(line).unwrap_err();
            format!("{} {}", wrong.message, wrong.help)
        };
        assert_eq!(
            wrong("0 Ant"),
            "The count `0` is no copy at all. Leave the card out, or give at least 1 copy."
        );
        assert_eq!(
            wrong("000x Ant"),
            "The count `000` is no copy at all. Leave the card out, or give at least 1 copy."
        );
        assert_eq!(
            wrong("-3 Ant"),
            "The count `-3` is negative. Copies are whole numbers from 1 to 999999."
        );
        assert_eq!(
            wrong("− 3 Ant"),
            "The count `− 3` is negative. Copies are whole numbers from 1 to 999999."
        );
        assert_eq!(
            wrong("+3 Ant"),
            "The count `+3` has a sign. Write it without: `3 Ant`."
        );
        assert_eq!(
            wrong("3.5 Ant"),
            "The count `3.5` is not a whole number. Copies are whole numbers from 1 to 999999, in digits alone."
        );
        assert_eq!(
            wrong(".5 Ant"),
            "The count `.5` is not a whole number. Copies are whole numbers from 1 to 999999."
        );
        assert_eq!(
            wrong("3. Ant"),
            "`3. Ant` has a mark behind its count. Write it without: `3 Ant`."
        );
        assert_eq!(
            wrong("1000000 Ant"),
            "The count `1000000` is larger than any deck. Copies are whole numbers from 1 to 999999."
        );
        assert_eq!(
            wrong("100000000000000000000 Ant"),
            "The count `100000000000000000000` is larger than any deck. Copies are whole numbers from 1 to 999999."
        );
        assert_eq!(
            wrong("Ant"),
            "`Ant` has no count. Write the number of copies before the name: `1 Ant`."
        );
        assert_eq!(
            wrong("3"),
            "The count `3` has no card. Write the card's name after it: `3 NAME`."
        );
        assert_eq!(
            wrong("3x"),
            "The count `3` has no card. Write the card's name after it: `3 NAME`."
        );
        assert_eq!(
            wrong("3Ant"),
            "There is no space between the count `3` and the name. If it is a card line, write `3 Ant`."
        );
        assert_eq!(
            wrong("x3 Ant"),
            "`x3 Ant` has its `x` before the number. Write `3 Ant`."
        );
        assert_eq!(
            wrong("- 3 Ant"),
            "`- 3 Ant` begins with a bullet. Write it without: `3 Ant`."
        );
        assert_eq!(
            wrong("• 3x Ant"),
            "`• 3x Ant` begins with a bullet. Write it without: `3 Ant`."
        );
        for number in ["1/2", "2-3", "2+1", "1½", "2–3"] {
            assert_eq!(
                wrong(&format!("{number} Ant")),
                format!(
                    "The count `{number}` is not a whole number. Copies are whole numbers from 1 to 999999, in digits alone."
                )
            );
        }
        assert_eq!(
            wrong("Three copies of Ant"),
            "`Three copies of Ant` has no count in digits. Write `3 Ant` if its first word is the count, or `1 Three copies of Ant` if it is the card's name."
        );
        assert_eq!(
            wrong("３ Ant"),
            "The count of `３ Ant` is not written in the digits 0 to 9. Write the count in those, as in `3 NAME`."
        );
        assert_eq!(
            wrong(""),
            "`` has no count. Write the number of copies before the name: `1 NAME`."
        );
    }
}
