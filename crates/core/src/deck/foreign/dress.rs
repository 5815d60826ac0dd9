//! What lists wear in chats, forums and notes: quotation marks, fences, bold letters, tables.

use crate::deck::line::{self, Wrong};
use crate::deck::{MOST_COPIES, quoted};

/// A line without what quotes it: `> > 3 Name` is `3 Name`.
pub(super) fn unquoted(line: &str) -> &str {
    let mut line = line;
    while let Some(rest) = line.strip_prefix('>') {
        line = rest.trim_start();
    }
    line
}

/// The word behind a fence of code, which is empty for most; `None`: the line is no fence.
pub(super) fn fence(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("```")
        .or_else(|| line.strip_prefix("~~~"))?;
    rest.chars()
        .all(|c| c.is_ascii_alphanumeric())
        .then_some(rest)
}

/// Whether the word behind a fence says which language is written there. Any other may be a
/// heading that lost its line.
pub(super) fn is_language(word: &str) -> bool {
    const LANGUAGES: [&str; 13] = [
        "",
        "text",
        "txt",
        "plain",
        "plaintext",
        "none",
        "nohighlight",
        "md",
        "markdown",
        "yaml",
        "yml",
        "ini",
        "css",
    ];
    LANGUAGES
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word))
}

/// A line in bold or slanted letters as a whole, without them; a colon may stand behind.
pub(super) fn plain(line: &str) -> Option<&str> {
    let inner = line.strip_suffix(':').unwrap_or(line);
    ["**", "__", "*", "_"].into_iter().find_map(|mark| {
        let inner = inner.strip_prefix(mark)?.strip_suffix(mark)?;
        let whole = !inner.is_empty() && !inner.contains(mark) && inner.trim() == inner;
        (whole && !inner.starts_with(['*', '_'])).then_some(inner)
    })
}

/// The word and the rest of a line that begins with a bold word: `**Main** (25)`.
pub(super) fn bold_word(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.strip_prefix("**")?.split_once("**")?;
    Some((word.trim(), rest.trim()))
}

/// A name without what is put around it: `[[Name]]`, `"Name"`, `**Name**`, `[Name](https://…)`.
pub(super) fn bare(name: &str) -> Option<&str> {
    const AROUND: [(&str, &str); 6] = [
        ("[[", "]]"),
        ("**", "**"),
        ("`", "`"),
        ("\"", "\""),
        ("\u{201c}", "\u{201d}"),
        ("\u{ab}", "\u{bb}"),
    ];
    if let Some((inner, address)) = name
        .strip_prefix('[')
        .and_then(|name| name.split_once("]("))
    {
        let link = address.ends_with(')') && address.contains("://") && !inner.trim().is_empty();
        return link.then_some(inner.trim());
    }
    AROUND.into_iter().find_map(|(open, close)| {
        let inner = name.strip_prefix(open)?.strip_suffix(close)?.trim();
        (!inner.is_empty() && !inner.contains(open)).then_some(inner)
    })
}

/// A count in the wide digits of Chinese and Japanese keyboards, and the name behind it.
pub(super) fn wide_count(text: &str) -> Option<Result<(u32, &str), Wrong>> {
    let digit = |c: char| ('\u{ff10}'..='\u{ff19}').contains(&c);
    let end = text.find(|c| !digit(c)).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() {
        return None;
    }
    let narrow: String = digits
        .chars()
        .filter_map(|c| char::from_digit(u32::from(c) - 0xff10, 10))
        .collect();
    let name = rest
        .strip_prefix(['x', 'X', '×', 'ｘ', 'Ｘ'])
        .unwrap_or(rest);
    let trimmed = name.trim_start();
    if trimmed.is_empty() || trimmed.len() == name.len() {
        let help = format!("Write {}.", line::example(&narrow, trimmed));
        let message = format!("There is no space behind the count of {}.", quoted(text));
        return Some(Err(Wrong::new(message, help)));
    }
    Some(line::count(&narrow).map(|count| (count, trimmed)))
}

/// The count behind a name: `Name x3`, `Name ×3`, `Name (x3)`, `Name x 3`.
pub(super) fn trailing_count(text: &str) -> Option<(u32, &str)> {
    let inner = text.strip_suffix([')', ']']);
    let body = inner.unwrap_or(text);
    let start = body.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &body[start.len()..];
    let before = start.trim_end().strip_suffix(['x', 'X', '×'])?;
    let name = match inner {
        Some(_) => before.strip_suffix(['(', '['])?,
        None => before,
    };
    let name = match name.strip_suffix(char::is_whitespace) {
        Some(name) => name.trim_end(),
        None if inner.is_some() => name,
        None => return None,
    };
    let count: u32 = digits.parse().ok()?;
    (!name.is_empty() && (1..=MOST_COPIES).contains(&count)).then_some((count, name))
}

/// The cells of a row of a Markdown table; `None`: it is none.
pub(super) fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?;
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    Some(inner.split('|').map(str::trim).collect())
}

/// Whether a row of a Markdown table is the rule below its header.
pub(super) fn is_rule(cells: &[&str]) -> bool {
    let rule = |cell: &&str| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':'));
    cells.iter().all(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_behind_a_name() {
        for (text, found) in [
            ("Rain Caller x3", Some((3, "Rain Caller"))),
            ("Rain Caller ×3", Some((3, "Rain Caller"))),
            ("Rain Caller (x12)", Some((12, "Rain Caller"))),
            ("Rain Caller x 3", Some((3, "Rain Caller"))),
            ("Rain Caller", None),
            ("Max3", None),
            ("Model x", None),
            ("x3", None),
            ("Rain Caller x0", None),
        ] {
            assert_eq!(trailing_count(text), found, "{text}");
        }
    }

    #[test]
    fn what_is_put_around_a_line_or_a_name() {
        assert_eq!(unquoted("> > 3 Ant"), "3 Ant");
        assert_eq!(plain("**Main (25)**:"), Some("Main (25)"));
        assert_eq!(plain("*F* 3 *F*"), None);
        assert_eq!(bare("[[Rain Caller]]"), Some("Rain Caller"));
        assert_eq!(bare("\"Red\" Ant"), None);
        assert_eq!(fence("```text"), Some("text"));
        assert_eq!(fence("``` 3 Ant"), None);
        assert!(is_language("") && is_language("Text") && !is_language("Main"));
        assert_eq!(cells("| 3 | Ant |"), Some(vec!["3", "Ant"]));
        assert!(is_rule(&["---", ":-:"]));
    }
}
