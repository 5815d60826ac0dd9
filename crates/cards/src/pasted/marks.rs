//! What pasted lists write around a card: quotes, bullets, bold letters, sets, numbers, tags.
//!
//! Marks around a name are removed only until the pool knows the name.

use super::count::{self, CountedName};
use super::heading::heading;

/// Returns a line without what quotes it: `> > 3 Name` is `3 Name`.
pub fn unquoted(line: &str) -> &str {
    line.trim_start_matches(|c: char| c == '>' || c.is_whitespace())
}

/// Returns the word after a code fence, empty for most; `None`: the line is no fence.
pub fn fence(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("```").or(line.strip_prefix("~~~"))?;
    let is_word = rest.chars().all(|c| c.is_ascii_alphanumeric());
    is_word.then_some(rest)
}

/// Whether the word after a fence names a language. Any other may be a heading on the wrong line.
pub fn is_language(word: &str) -> bool {
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
    LANGUAGES.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns the inside of a line that is bold or italic as a whole.
pub fn emphasized(line: &str) -> Option<&str> {
    ["**", "__", "*", "_"].into_iter().find_map(|mark| {
        let inner = line.strip_prefix(mark)?.strip_suffix(mark)?;
        let is_whole = !inner.contains(mark) && inner.trim() == inner;
        is_whole.then_some(inner)
    })
}

/// Returns a line without its bullet.
pub fn bullet(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '•', '–', '—', '·', '◦', '▪'])?;
    let is_apart = rest.starts_with(char::is_whitespace);
    is_apart.then(|| rest.trim_start())
}

/// Whether a line is a rule: one sign, at least three times.
pub fn is_rule(line: &str) -> bool {
    let Some(first) = line.chars().next().filter(|c| !c.is_alphanumeric()) else {
        return false;
    };
    line.trim_start_matches(first).is_empty() && line.len() >= 3 * first.len_utf8()
}

/// Returns a group's word and total, and whether it is a group within a group: `**Asset** (13)`,
/// `_Hand_ (2)`.
pub fn group(line: &str) -> Option<(&str, &str, bool)> {
    let (inner, mark) = match line.strip_prefix("**") {
        Some(inner) => (inner, "**"),
        None => (line.strip_prefix('_')?, "_"),
    };
    let (word, rest) = inner.split_once(mark)?;
    let rest = heading(rest.trim_start().trim_end_matches(':'));
    let (word, total) = (word.trim(), rest.total?);
    (!word.is_empty() && rest.word.is_empty()).then_some((word, total, mark == "_"))
}

/// Reads a count in the wide digits of Chinese and Japanese keyboards, and the name after it.
pub fn wide_count(text: &str) -> Option<(u32, &str)> {
    let is_wide = |c: char| ('\u{ff10}'..='\u{ff19}').contains(&c);
    let (digits, rest) = text.split_at(text.find(|c| !is_wide(c))?);
    let narrow = digits.chars().map(|c| char::from_digit(u32::from(c) - 0xff10, 10));
    let count = count::count(&narrow.collect::<Option<String>>()?).ok()?;
    let name = rest.strip_prefix(['x', 'X', '×', 'ｘ', 'Ｘ']).unwrap_or(rest);
    let bare = name.trim_start();
    (!bare.is_empty() && bare.len() < name.len()).then_some((count, bare))
}

/// Returns what follows a line's number in a list: `1. 4 Name`, `2) Name x3`, `3.Name`.
pub fn numbered(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix(['.', ')']).filter(|_| rest.len() < line.len())?;
    let card = rest.trim_start();
    // `4.0 Name` and `1.5 Name` are counts.
    let is_number = card.len() < rest.len() || !count::looks_counted(card);
    (is_number && !card.is_empty()).then_some(card)
}

/// Splits names between commas or semicolons, `A, B, C`; `None`: there is no such sign.
pub fn listed_names(text: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = text.split([',', ';']).map(str::trim).collect();
    (parts.len() > 1 && parts.iter().all(|part| !part.is_empty())).then_some(parts)
}

/// Returns the cells of a row of a Markdown table; `None`: the line is none.
pub fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?;
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    Some(inner.split('|').map(str::trim).collect())
}

/// Splits a list on one line, `3 A, 2 B` or `A x3, B x2`, into its cards; `None`: the text is one
/// card.
pub fn listed_cards(text: &str) -> Option<Vec<CountedName<'_>>> {
    let mut cards = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices([',', ';']) {
        let (part, rest) = (text.get(start..at)?, text.get(at + 1..)?.trim_start());
        if count::is_card(rest) || count::trailing_count(part.trim()).is_some() {
            cards.push(CountedName::either(part)?);
            start = text.len() - rest.len();
        }
    }
    cards.push(CountedName::either(text.get(start..)?)?);
    let is_named = |card: &CountedName<'_>| card.name.contains(char::is_alphabetic);
    (cards.len() > 1 && cards.iter().all(is_named)).then_some(cards)
}

/// Returns the parts of a text that marks stand between, such as `|` and brackets.
pub fn parts(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| "|,;/#^()[]{}\t".contains(c);
    let is_around = |c: char| c.is_whitespace() || c == '-';
    text.split(is_mark).map(move |part| part.trim_matches(is_around))
}

/// A mark around a name: the sign before it, a space for none, and its words.
pub type Mark<'t> = (char, &'t str);

/// Returns the marks in a text that is before or behind a name: `(ABC) 12 [Ramp] *F*` has `(ABC)`,
/// `12`, `[Ramp]` and `*F*`.
pub fn around(text: &str) -> impl Iterator<Item = Mark<'_>> {
    let mut rest = Some((' ', text));
    std::iter::from_fn(move || {
        let (sign, text) = rest?;
        let end = text.find(|c| closing(sign).map_or("([{<*^|\t#/".contains(c), |end| c == end));
        let (words, behind) = text.split_at(end.unwrap_or(text.len()));
        let mut behind = behind.chars();
        rest = behind.next().map(|c| {
            let sign = if closing(sign) == Some(c) { ' ' } else { c };
            (sign, behind.as_str())
        });
        Some((sign, words))
    })
    .map(|(sign, words)| (sign, words.trim_matches(|c: char| !c.is_alphanumeric() && c != '}')))
    .filter(|(_, words)| !words.is_empty())
}

/// Returns what is before and behind a name in a text that it is a part of.
pub fn split<'t>(text: &'t str, name: &str) -> (&'t str, &'t str) {
    let start = (name.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    let before = text.get(..start).unwrap_or_default();
    (before, text.get(start.saturating_add(name.len())..).unwrap_or_default())
}

/// Returns the sign that ends the mark that another begins.
fn closing(sign: char) -> Option<char> {
    let pairs = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('*', '*'), ('^', '^')];
    pairs.iter().find(|(open, _)| *open == sign).map(|(_, close)| *close)
}

/// Returns the last mark of a text that ends with one, and what is before it: `Name (side)`,
/// `Name\tside`.
pub fn last_mark(text: &str) -> Option<(&str, &str)> {
    let cell = || text.rsplit_once(['\t', '|']);
    let bracket = |(open, close): (char, char)| text.strip_suffix(close)?.rsplit_once(open);
    let pairs = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')];
    let (before, words) = pairs.into_iter().find_map(bracket).or_else(cell)?;
    let (before, words) = (before.trim_end(), words.trim());
    (!before.is_empty() && !words.is_empty()).then_some((before, words))
}

/// Returns a text with the characters that HTML writes as `&amp;` or `&#39;`; `None`: it has none.
pub fn unescaped(text: &str) -> Option<String> {
    let named = |name: &str| match name {
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        "lt" => Some('<'),
        "gt" => Some('>'),
        _ => None,
    };
    let character = |name: &str| {
        let Some(number) = name.strip_prefix('#') else {
            return named(name);
        };
        let number = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        char::from_u32(number.ok()?).filter(|c| !c.is_control())
    };
    let mut parts = text.split('&');
    let mut out = parts.next()?.to_owned();
    let mut is_found = false;
    for part in parts {
        let entity =
            part.split_once(';').and_then(|(name, behind)| Some((character(name)?, behind)));
        is_found |= entity.is_some();
        let (character, rest) = entity.unwrap_or(('&', part));
        out.push(character);
        out.push_str(rest);
    }
    is_found.then_some(out)
}

/// The longest text in which a card's name is looked for, in bytes: of longer ones, looking up
/// each part would take the square of their length.
pub const LONGEST: usize = 1 << 10;

/// Which bytes are letters or signs within words, by their number.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        plain[byte as usize] = byte.is_ascii_alphabetic()
            || matches!(byte, b' ' | b'\'' | b'-' | b'.' | b':' | b'!' | b'?');
        byte += 1;
    }
    plain
};

/// Whether a name may have marks around it: whether it is more than letters and words. Every card
/// line is asked.
pub fn may_be_marked(name: &str) -> bool {
    !name.bytes().all(|byte| PLAIN[usize::from(byte)])
        || ["x ", "X ", "A-"].iter().any(|start| name.starts_with(start))
        || name.as_bytes().windows(4).any(|part| part == b" -- ")
}

/// Removes marks from a name until it is `known`; `None`: it never is.
pub fn strip<'t>(text: &'t str, known: &dyn Fn(&str) -> bool) -> Option<&'t str> {
    if text.len() > LONGEST {
        return None;
    }
    match without_marks(text, known) {
        (name, true) => Some(name),
        (name, false) => within(name, known, 0).or_else(|| within(text, known, 0)),
    }
}

/// Removes the marks that no name has, whether it is known or not.
pub fn strip_plain(text: &str) -> &str {
    without_marks(text, &|_| false).0
}

/// Removes the marks that no name has until the name is `known`, and returns whether it is.
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

/// Finds a known name inside a text whose first or last words could be part of it.
fn within<'t>(text: &'t str, known: &dyn Fn(&str) -> bool, steps: usize) -> Option<&'t str> {
    shortened(text).find_map(|name| match without_marks(name, known) {
        (name, true) => Some(name),
        (name, false) if steps < 2 => within(name, known, steps + 1),
        _ => None,
    })
}

/// What is left of a text without all that may be marks, in at most four readings, the fewest marks
/// first. None is a text that has no marks.
pub(crate) fn bare_names(text: &str) -> Vec<&str> {
    const MOST: usize = 4;
    fn add<'t>(text: &'t str, steps: usize, found: &mut Vec<&'t str>) {
        let bare = strip_plain(text);
        if found.len() == MOST || found.contains(&bare) {
            return;
        }
        found.push(bare);
        if steps < 2 {
            shortened(bare).for_each(|shorter| add(shorter, steps + 1, found));
        }
    }
    let mut found = Vec::new();
    if may_be_marked(text) && text.len() <= LONGEST {
        add(text, 0, &mut found);
    }
    found.retain(|bare| bare.len() < text.len());
    found
}

/// Returns a text without its first or last words, where those may be marks or part of a name.
fn shortened(text: &str) -> impl Iterator<Item = &str> {
    let before = |sign: &str| text.split_once(sign).map(|(name, _)| name.trim_end());
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
    shorter.into_iter().flatten().filter(|name| !name.is_empty())
}

/// Returns a name after the sign that is apart from its count: `3 x Name`, `3 × Name`.
fn times(text: &str) -> Option<&str> {
    let name = text.strip_prefix(['x', 'X', '×', '*'])?;
    name.starts_with(char::is_whitespace).then(|| name.trim_start())
}

/// Returns a name without the brackets after it.
fn in_brackets(text: &str) -> Option<&str> {
    let text = text.strip_suffix("**").unwrap_or(text);
    let open = match text.as_bytes().last()? {
        b')' => " (",
        b']' => " [",
        b'}' => " {",
        _ => return None,
    };
    let (name, _) = text.rsplit_once(open)?;
    let name = name.trim_end();
    Some(name.strip_suffix("**").unwrap_or(name).trim_end())
}

/// Returns a name without the words in round brackets after it.
pub fn phrase(text: &str) -> Option<&str> {
    let (name, inner) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let name = name.trim_end();
    (inner.contains(char::is_alphabetic) && !name.is_empty()).then_some(name)
}

/// Returns a name and the category in brackets after it: `Name (set) 1 [Ramp] ^Label^`.
pub fn category(text: &str) -> Option<(&str, &str)> {
    let text = without_label(text).unwrap_or(text);
    let (before, word) = text.strip_suffix(']')?.rsplit_once(" [")?;
    let (before, word) = (before.trim_end(), word.trim());
    let is_plain = !word.is_empty()
        && !word.contains(['[', ']'])
        && !is_code(word, true)
        && !count::is_card(word);
    (is_plain && !before.is_empty()).then_some((before, word))
}

/// Returns the first of several categories without its own marks: `Ramp{top},Land` has `Ramp`.
pub fn first_category(words: &str) -> &str {
    words.split([',', '{']).next().unwrap_or(words).trim()
}

/// Returns a text without the label after it: `Name ^Have it,#37d67a^`.
fn without_label(text: &str) -> Option<&str> {
    let (before, _) = text.strip_suffix('^')?.rsplit_once(" ^")?;
    Some(before.trim_end()).filter(|before| !before.is_empty())
}

/// Returns a name without what is put around it: `[[Name]]`, `"Name"`, `**Name**`,
/// `[Name](https://…)`.
fn bare(name: &str) -> Option<&str> {
    const AROUND: [(&str, &str); 7] = [
        ("[[", "]]"),
        ("**", "**"),
        ("`", "`"),
        ("\"", "\""),
        ("\u{201c}", "\u{201d}"),
        ("\u{201e}", "\u{201c}"),
        ("\u{ab}", "\u{bb}"),
    ];
    if let Some((inner, address)) = name.strip_prefix('[').and_then(|name| name.split_once("](")) {
        let is_link = address.ends_with(')')
            && address.contains("://")
            && !address.contains(char::is_whitespace);
        return Some(inner.trim()).filter(|inner| is_link && !inner.is_empty());
    }
    AROUND.into_iter().find_map(|(open, close)| {
        let inner = name.strip_prefix(open)?.strip_suffix(close)?.trim();
        (!inner.is_empty() && !inner.contains(open)).then_some(inner)
    })
}

/// Returns a name without the set's code before it: `[SET] Name`, `[SET#12] Name`.
fn without_set_before(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('[')?;
    // A code is short, and a long text would be searched again for each of its marks.
    let end = inner.bytes().take(20).position(|byte| byte == b']')?;
    let (code, name) = (inner.get(..end)?, inner.get(end..)?.strip_prefix("] ")?);
    let numbered = code.split_once('#').filter(|(_, number)| is_number(number));
    let code = numbered.map_or(code, |(code, _)| code);
    let name = name.trim_start();
    (is_code(code, true) && !name.is_empty()).then_some(name)
}

/// Returns a text without the dots after it that show a card's cost.
fn undotted(text: &str) -> Option<&str> {
    let is_dot = |c: char| matches!(c, '●' | '•');
    let bare = text.trim_end_matches(|c: char| is_dot(c) || c.is_whitespace());
    let behind = text.get(bare.len()..)?;
    let is_found = behind.starts_with(char::is_whitespace) && behind.contains(is_dot);
    (is_found && !bare.is_empty()).then_some(bare)
}

/// Returns a text without one mark that no name has.
fn without_mark(text: &str) -> Option<&str> {
    // Markdown writes a set's name in italics.
    let italic = || text.strip_suffix(")_")?.rsplit_once(" _(");
    let italic = || italic().map(|(name, _)| name.trim_end());
    let shorter = without_set_before(text).or_else(|| undotted(text));
    let shorter = shorter.or_else(|| without_label(text)).or_else(italic);
    if let Some(name) = shorter {
        return Some(name).filter(|name| !name.is_empty());
    }
    let (before, last) = last_word(text)?;
    let is_foil = last.len() >= 3 && last.starts_with('*') && last.ends_with('*');
    let tag = last.strip_prefix('#').map(|tag| tag.trim_start_matches('!'));
    let is_tag = tag.is_some_and(|tag| tag.starts_with(char::is_alphabetic));
    if is_foil || is_tag || is_set(last, true) {
        return Some(before);
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
    let round = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
    let square = || word.strip_prefix('[')?.strip_suffix(']');
    round.or_else(square).is_some_and(|code| is_code(code, capitals))
}

fn is_code(code: &str, capitals: bool) -> bool {
    let fits = |c: u8| match c {
        b'a'..=b'z' => !capitals,
        _ => c.is_ascii_alphanumeric() || c == b'-' || c == b'_',
    };
    let has_letter = code.bytes().any(|c| c.is_ascii_alphabetic());
    (2..=8).contains(&code.len()) && has_letter && code.bytes().all(fits)
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
            ("Agent (SUM) 12 *F* [Ramp] ^Have it,#37d67a^", "Agent"),
            ("Agent # best", "Agent"),
            ("Agent // maybe 3", "Agent"),
            ("Agent\tCore Set", "Agent"),
            ("Agent|FIN|2", "Agent"),
        ] {
            assert_eq!(strip(text, &known), Some(name), "{text}");
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
            assert_eq!(count::trailing_count(text), found, "{text}");
        }
        for (text, counts) in [
            ("3 A, 2 B; 1 C", Some(vec![3, 2, 1])),
            ("A x3, B, C x2, D x4", Some(vec![3, 2, 4])),
            ("1 Rowan, Twice Crowned", None),
            ("4 Ant 1,50 €", None),
        ] {
            let cards = listed_cards(text);
            let listed = cards.map(|cards| cards.iter().map(|card| card.count).collect());
            assert_eq!(listed, counts, "{text}");
        }
        assert_eq!(unescaped("A &amp; B&#039;s").as_deref(), Some("A & B's"));
        assert_eq!(unescaped("A & B; C"), None);
        assert_eq!(numbered("1. 4 Ant"), Some("4 Ant"));
        assert_eq!(numbered("4.Ant x2"), Some("Ant x2"));
        assert_eq!(numbered("4.0 Ant"), None);
    }
}
