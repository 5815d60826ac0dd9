//! What pasted lists write around a card: quotes, bullets, bold letters, sets, numbers, tags.
//!
//! Marks around a name are removed only until the pool knows the name.

use super::line::{self, Wrong};
use super::{MOST_COPIES, quoted};

/// Returns a line without what quotes it: `> > 3 Name` is `3 Name`.
pub(super) fn unquoted(line: &str) -> &str {
    let mut line = line;
    while let Some(rest) = line.strip_prefix('>') {
        line = rest.trim_start();
    }
    line
}

/// Returns the word after a code fence, empty for most; `None`: the line is no fence.
pub(super) fn fence(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("```")
        .or_else(|| line.strip_prefix("~~~"))?;
    rest.chars()
        .all(|c| c.is_ascii_alphanumeric())
        .then_some(rest)
}

/// Whether the word after a fence names a language. Any other may be a heading on the wrong line.
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

/// Returns the inside of a line that is bold or italic as a whole; a colon may follow.
pub(super) fn emphasized(line: &str) -> Option<&str> {
    let inner = line.strip_suffix(':').unwrap_or(line);
    ["**", "__", "*", "_"].into_iter().find_map(|mark| {
        let inner = inner.strip_prefix(mark)?.strip_suffix(mark)?;
        let whole = !inner.is_empty() && !inner.contains(mark) && inner.trim() == inner;
        (whole && !inner.starts_with(['*', '_'])).then_some(inner)
    })
}

/// Returns a line without its bullet.
pub(super) fn bullet(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '•', '–', '—', '·', '◦', '▪'])?;
    rest.starts_with(char::is_whitespace)
        .then(|| rest.trim_start())
}

/// Whether a line is a rule: one sign, at least three times.
pub(super) fn is_rule(line: &str) -> bool {
    let mut signs = line.chars();
    let first = signs.next();
    first.is_some_and(|first| !first.is_alphanumeric())
        && signs.clone().count() >= 2
        && signs.all(|sign| Some(sign) == first)
}

/// Returns a group's word and total, and whether it is a group within a group: `**Asset** (13)`,
/// `_Hand_ (2)`.
pub(super) fn group(line: &str) -> Option<(&str, &str, bool)> {
    let (inner, mark) = match line.strip_prefix("**") {
        Some(inner) => (inner, "**"),
        None => (line.strip_prefix('_')?, "_"),
    };
    let (word, rest) = inner.split_once(mark)?;
    let rest = rest.trim();
    let total = super::heading::heading(rest)
        .total
        .filter(|_| super::heading::is_total(rest))?;
    (!word.trim().is_empty()).then_some((word.trim(), total, mark == "_"))
}

/// Reads a count in wide digits (of Chinese and Japanese keyboards) and the name after it.
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
        let message = format!("There is no space after the count of {}.", quoted(text));
        return Some(Err(Wrong::new(message, help)));
    }
    Some(line::count(&narrow).map(|count| (count, trimmed)))
}

/// Reads the count after a name: `Name x3`, `Name ×3`, `Name (x3)`, `Name x 3`. Returns the count,
/// its digits and the name.
pub(super) fn trailing_count(text: &str) -> Option<(u32, &str, &str)> {
    let inner = text.strip_suffix([')', ']']);
    let body = inner.unwrap_or(text);
    let start = body.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = body.get(start.len()..)?;
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
    (!name.is_empty() && (1..=MOST_COPIES).contains(&count)).then_some((count, digits, name))
}

/// Returns what follows a line's number in a list: `1. 4 Name`, `2) Name x3`, `3.Name`.
pub(super) fn numbered(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest
        .strip_prefix(['.', ')'])
        .filter(|_| rest.len() < line.len())?;
    let card = rest.trim_start();
    // `4.0 Name` and `1.5 Name` are counts.
    let is_number = card.len() < rest.len() || !line::looks_counted(card);
    (is_number && !card.is_empty()).then_some(card)
}

/// Splits names between commas or semicolons, `A, B, C`; `None`: there is no such sign.
pub(super) fn listed_names(text: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = text.split([',', ';']).map(str::trim).collect();
    (parts.len() > 1 && parts.iter().all(|part| !part.is_empty())).then_some(parts)
}

/// Returns the cells of a row of a Markdown table; `None`: the line is none.
pub(super) fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?;
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    Some(inner.split('|').map(str::trim).collect())
}

/// Splits a list on one line, `3 A, 2 B`, into its parts; `None`: the text is one card.
pub(super) fn listed_cards(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices([',', ';']) {
        let rest = text.get(at + 1..)?.trim_start();
        if line::is_card(rest) {
            parts.push(text.get(start..at)?.trim());
            start = text.len() - rest.len();
        }
    }
    parts.push(text.get(start..)?.trim());
    (parts.len() > 1 && parts.iter().all(|part| line::card(part).is_ok())).then_some(parts)
}

/// Returns a text with the characters that HTML writes as `&amp;` or `&#39;`.
pub(super) fn unescaped(text: &str) -> Option<String> {
    const NAMED: [(&str, char); 6] = [
        ("amp", '&'),
        ("quot", '"'),
        ("apos", '\''),
        ("nbsp", ' '),
        ("lt", '<'),
        ("gt", '>'),
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut found = false;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let entity = after.split_once(';').and_then(|(name, behind)| {
            let number = match name.strip_prefix("#x").or(name.strip_prefix("#X")) {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => name.strip_prefix('#')?.parse().ok(),
            };
            Some((number.and_then(char::from_u32)?, behind))
        });
        let named = || {
            let (name, behind) = after.split_once(';')?;
            let known = NAMED.iter().find(|(known, _)| *known == name)?;
            Some((known.1, behind))
        };
        match entity.or_else(named) {
            Some((character, behind)) if !character.is_control() => {
                found = true;
                out.push(character);
                rest = behind;
            }
            _ => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    found.then_some(out)
}

/// The longest text that may be a card's name with marks in it, in bytes.
const LONGEST: usize = 1 << 10;

/// Whether a name ends or begins as one with marks does: a quick look at most.
pub(super) fn may_be_marked(name: &str) -> bool {
    let bytes = name.as_bytes();
    let last = bytes.last().copied().unwrap_or_default();
    let first = bytes.first().copied().unwrap_or_default();
    matches!(
        last,
        b')' | b']' | b'}' | b'*' | b'_' | b'^' | b'`' | b'0'..=b'9' | b'"'
    ) || matches!(
        first,
        b'[' | b'(' | b'"' | b'*' | b'`' | b'_' | b'x' | b'X' | b'A'
    ) && (first != b'A' || bytes.get(1) == Some(&b'-'))
        && (!matches!(first, b'x' | b'X') || bytes.get(1) == Some(&b' '))
        || last >= 0x80
        || first >= 0x80
        || memchr::memchr3(b'#', b'\t', b'|', bytes).is_some()
        || memchr::memchr3(b',', b';', b'/', bytes).is_some()
        || memchr::memmem::find(bytes, b" -- ").is_some()
}

/// Removes marks from a name until it is `known`; where it never is, only those that no name has.
///
/// Returns the name, and whether it is known.
pub(super) fn strip<'t>(text: &'t str, known: &dyn Fn(&str) -> bool) -> (&'t str, bool) {
    // Of long texts each part is not looked up: that would take the square of their length.
    let known = |name: &str| name.len() <= LONGEST && known(name);
    let (name, found) = without_marks(text, &known);
    if found || name.len() > LONGEST {
        return (name, found);
    }
    match within(name, &known, 0).or_else(|| within(text, &known, 0)) {
        Some(found) => (found, true),
        None => (name, false),
    }
}

/// Removes the marks that no name has, until the name is known.
fn without_marks<'t>(text: &'t str, known: &dyn Fn(&str) -> bool) -> (&'t str, bool) {
    let mut name = text;
    loop {
        if known(name) {
            return (name, true);
        }
        match without_mark(name).or_else(|| bare(name)) {
            Some(shorter) => name = shorter,
            None => return (name, false),
        }
    }
}

/// Removes the marks that no name has, whether it is known or not.
pub(super) fn strip_plain(text: &str) -> &str {
    without_marks(text, &|_| false).0
}

/// Finds a known name inside a text whose first or last words could be part of it.
fn within<'t>(text: &'t str, known: &dyn Fn(&str) -> bool, steps: usize) -> Option<&'t str> {
    let before = |sign: &str| {
        let (name, _) = text.split_once(sign)?;
        Some(name.trim_end())
    };
    let shorter = [
        without_plain_printing(text),
        in_brackets(text),
        text.strip_suffix(['†', '‡', '+']).map(str::trim_end),
        times(text),
        before(" #"),
        before(" // "),
        before(" -- "),
        before("\t"),
        before("|"),
        text.strip_prefix("A-"),
    ];
    let mut shorter = shorter
        .into_iter()
        .flatten()
        .filter(|name| !name.is_empty());
    shorter.find_map(|name| match without_marks(name, known) {
        (name, true) => Some(name),
        (name, false) if steps < 2 => within(name, known, steps + 1),
        _ => None,
    })
}

/// Returns a name after the sign that is apart from its count: `3 x Name`, `3 × Name`.
fn times(text: &str) -> Option<&str> {
    let name = text.strip_prefix(['x', 'X', '×', '*'])?;
    let bare = name.trim_start();
    (bare.len() < name.len() && !bare.is_empty()).then_some(bare)
}

/// Returns a name without the brackets after it.
fn in_brackets(text: &str) -> Option<&str> {
    let text = text.strip_suffix("**").unwrap_or(text);
    let (open, close) = match text.as_bytes().last()? {
        b')' => (" (", ')'),
        b']' => (" [", ']'),
        b'}' => (" {", '}'),
        _ => return None,
    };
    let (name, _) = text.strip_suffix(close)?.rsplit_once(open)?;
    Some(name)
        .map(|name| name.trim_end().trim_end_matches('*').trim_end())
        .filter(|name| !name.is_empty())
        .or_else(|| {
            let (name, _) = text.rsplit_once(" **[")?;
            Some(name.trim_end())
        })
}

/// Returns a name without the words in round brackets after it.
pub(super) fn phrase(text: &str) -> Option<&str> {
    let (name, inner) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let words = inner.contains(char::is_alphabetic);
    (words && !name.trim_end().is_empty()).then_some(name.trim_end())
}

/// Returns a name and the category in brackets after it, as Archidekt writes it:
/// `Name (set) 1 [Ramp] ^Label^`.
pub(super) fn category(text: &str) -> Option<(&str, &str)> {
    let text = match text.strip_suffix('^') {
        Some(label) => label
            .rsplit_once(" ^")
            .map_or(text, |(before, _)| before.trim_end()),
        None => text,
    };
    let (before, word) = text.strip_suffix(']')?.rsplit_once(" [")?;
    let word = word.trim();
    let plain = !word.is_empty() && !word.contains(['[', ']']) && !is_code(word, true);
    (plain && !before.trim_end().is_empty()).then_some((before.trim_end(), word))
}

/// Returns a name without what is put around it: `[[Name]]`, `"Name"`, `**Name**`,
/// `[Name](https://…)`.
fn bare(name: &str) -> Option<&str> {
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

/// Returns a name without the set's code before it: `[SET] Name`, `[SET#12] Name`.
fn without_set_before(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('[')?;
    // A code is short, and searching each part of a long text takes long.
    let end = inner.bytes().take(20).position(|byte| byte == b']')?;
    let (code, name) = (inner.get(..end)?, inner.get(end + 1..)?);
    let name = name.strip_prefix(' ')?.trim_start();
    let numbered = code.split_once('#').filter(|(_, number)| is_number(number));
    let code = numbered.map_or(code, |(code, _)| code);
    (is_code(code, true) && !name.is_empty()).then_some(name)
}

/// Returns a text without the dots after it that show a card's cost.
fn undotted(text: &str) -> Option<&str> {
    let dots = |next: char| matches!(next, '●' | '•');
    let bare = text.trim_end_matches(|next: char| dots(next) || next.is_whitespace());
    let behind = text.get(bare.len()..)?;
    let found = behind.starts_with(char::is_whitespace) && behind.contains(dots);
    (found && !bare.is_empty()).then_some(bare)
}

/// Returns a text without one mark that no name has.
fn without_mark(text: &str) -> Option<&str> {
    if let Some(name) = without_set_before(text).or_else(|| undotted(text)) {
        return Some(name);
    }
    // Markdown writes a set's name in italics.
    if let Some((name, _)) = text
        .strip_suffix(")_")
        .and_then(|text| text.rsplit_once(" _("))
    {
        return Some(name.trim_end()).filter(|name| !name.is_empty());
    }
    let (before, last) = last_word(text)?;
    let foil = |word: &str| word.len() >= 3 && word.starts_with('*') && word.ends_with('*');
    let tag = |word: &str| {
        let tag = word
            .strip_prefix('#')
            .map(|tag| tag.trim_start_matches('!'));
        tag.is_some_and(|tag| tag.starts_with(char::is_alphabetic))
    };
    if foil(last) || tag(last) || is_set(last, true) {
        return Some(before);
    }
    if let Some(label) = text.strip_suffix('^') {
        let (before, _) = label.rsplit_once(" ^")?;
        return Some(before.trim_end()).filter(|before| !before.is_empty());
    }
    let (name, set) = last_word(before)?;
    (is_number(last) && is_set(set, false)).then_some(name)
}

/// Returns `Name SET 24` without set and number.
fn without_plain_printing(text: &str) -> Option<&str> {
    let (before, number) = last_word(text)?;
    let (name, set) = last_word(before)?;
    (is_number(number) && is_code(set, true)).then_some(name)
}

/// Returns the last word and what is before it, which is never empty.
fn last_word(text: &str) -> Option<(&str, &str)> {
    let (before, last) = text.rsplit_once(char::is_whitespace)?;
    let before = before.trim_end();
    (!before.is_empty() && !last.is_empty()).then_some((before, last))
}

/// Whether a word is a set's code in brackets.
fn is_set(word: &str, capitals: bool) -> bool {
    let code = word
        .strip_prefix('(')
        .and_then(|word| word.strip_suffix(')'));
    let code = code.or_else(|| word.strip_prefix('[')?.strip_suffix(']'));
    code.is_some_and(|code| is_code(code, capitals))
}

fn is_code(code: &str, capitals: bool) -> bool {
    let fits = |c: u8| {
        c.is_ascii_digit()
            || c == b'-'
            || c == b'_'
            || match capitals {
                true => c.is_ascii_uppercase(),
                false => c.is_ascii_alphabetic(),
            }
    };
    (2..=8).contains(&code.len())
        && code.bytes().all(fits)
        && code.bytes().any(|c| c.is_ascii_alphabetic())
}

fn is_number(word: &str) -> bool {
    let word = word.trim_end_matches(['★', '†']);
    let fits = |c: u8| c.is_ascii_alphanumeric() || c == b'-';
    word.len() <= 10 && word.bytes().all(fits) && word.bytes().any(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_removed() {
        for text in [
            "Rain Caller",
            "Rain Caller (ABC)",
            "Rain Caller (abc) 12",
            "Rain Caller (ABC) 12a *F*",
            "Rain Caller [ABC] 7★ #tag #!Leader",
            "Rain Caller (ABC) *F* ^Have it,#37d67a^",
            "[ABC] Rain Caller",
            "[2AB#310] Rain Caller",
            "[[Rain Caller]]",
            "\"Rain Caller\" ●●",
        ] {
            assert_eq!(strip_plain(text), "Rain Caller", "{text}");
        }
        for text in [
            "Robot #5",
            "[ABC#] Robot",
            "Mountain (a)",
            "Deck 2",
            "(ABC) 12",
            "*F*",
            "Number 12",
            "A SUM 24",
            "\"Red\" Ant",
        ] {
            assert_eq!(strip_plain(text), text);
        }
    }

    #[test]
    fn a_known_name_is_left_whole() {
        let known = |name: &str| ["Agent (ABC)", "Agent"].contains(&name);
        for (text, name) in [
            ("Agent (ABC)", "Agent (ABC)"),
            ("Agent (ABC) 12", "Agent"),
            ("Agent (ABC) #x", "Agent (ABC)"),
            ("Agent SUM 24", "Agent"),
            ("Agent (331)", "Agent"),
            ("Agent (Set1 #1821)", "Agent"),
            ("Agent [FDN:12] [foil]", "Agent"),
            ("Agent **[C20]**", "Agent"),
            ("Agent # best", "Agent"),
            ("Agent // maybe 3", "Agent"),
            ("Agent\tCore Set", "Agent"),
            ("Agent|FIN|2", "Agent"),
        ] {
            assert_eq!(strip(text, &known), (name, true), "{text}");
        }
    }

    #[test]
    fn counts_lists_and_escapes() {
        for (text, found) in [
            ("Rain Caller x3", Some((3, "3", "Rain Caller"))),
            ("Rain Caller (x12)", Some((12, "12", "Rain Caller"))),
            ("Rain Caller x 3", Some((3, "3", "Rain Caller"))),
            ("Max3", None),
            ("x3", None),
            ("Rain Caller x0", None),
        ] {
            assert_eq!(trailing_count(text), found, "{text}");
        }
        assert_eq!(
            listed_cards("3 A, 2 B; 1 C"),
            Some(vec!["3 A", "2 B", "1 C"])
        );
        assert_eq!(listed_cards("1 Rowan, Twice Crowned"), None);
        assert_eq!(unescaped("A &amp; B&#039;s").as_deref(), Some("A & B's"));
        assert_eq!(unescaped("A & B; C"), None);
        assert_eq!(numbered("1. 4 Ant"), Some("4 Ant"));
        assert_eq!(numbered("4.Ant x2"), Some("Ant x2"));
        assert_eq!(numbered("4.0 Ant"), None);
    }
}
