//! Places in a text, text made harmless for a terminal, and bytes made text.

mod document;
mod encoding;
mod tags;

pub use document::{Document, document};
pub use encoding::{DecodedText, Encoding, ReadError, SAVE_AS_UTF8, decode};
pub use encoding::{unfit, western};
pub use tags::boundless;

use serde::Deserialize;
use std::borrow::Cow;

/// A text's bytes less a leading UTF-8 byte order mark: what the spans of a deck count from.
///
/// ```
/// assert_eq!(decklaw_text::text::without_bom(b"\xef\xbb\xbf1 Card"), b"1 Card");
/// ```
pub fn without_bom(source: &[u8]) -> &[u8] {
    source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source)
}

/// A stretch of bytes of a source text: `start` and `end` are byte offsets, `end` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset just past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to but not including `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether there is no byte in it.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// Line and column, both from 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line number, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// The place of a byte offset in a text. An offset past the end is the end.
///
/// ```
/// let place = decklaw_text::text::place("one\ntwo", 5);
/// assert_eq!((place.line, place.column), (2, 2));
/// ```
pub fn place(text: &str, offset: usize) -> LineColumn {
    let offset = boundary(text, offset);
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    LineColumn {
        line: memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

/// The character's first byte where an offset is within one. An offset past the end is the end.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// How many characters begin in some bytes of a text.
fn characters(bytes: &[u8]) -> usize {
    let begins = |byte: &&u8| !(0x80..0xc0).contains(*byte);
    bytes.iter().filter(begins).count()
}

/// A text with an index of its lines, which finds many places in it quickly.
#[derive(Debug)]
pub struct Lines<'t> {
    pub text: &'t str,
    /// The line feeds.
    pub breaks: Vec<usize>,
    /// The characters before each block of bytes: a line may be as long as the text.
    before: Vec<usize>,
}

impl<'t> Lines<'t> {
    const BLOCK: usize = 1 << 10;

    /// Finds the lines of a text.
    pub fn of(text: &'t str) -> Self {
        let mut before = vec![0];
        for block in text.as_bytes().chunks(Self::BLOCK) {
            before.push(before[before.len() - 1] + characters(block));
        }
        Lines { text, breaks: memchr::memchr_iter(b'\n', text.as_bytes()).collect(), before }
    }

    /// The same as [`place`].
    pub fn place(&self, offset: usize) -> LineColumn {
        let offset = boundary(self.text, offset);
        let (line, start) = self.line(offset);
        let before = if start / Self::BLOCK == offset / Self::BLOCK {
            characters(&self.text.as_bytes()[start..offset])
        } else {
            self.characters(offset) - self.characters(start)
        };
        LineColumn { line: line + 1, column: before + 1 }
    }

    /// The characters before a byte.
    fn characters(&self, offset: usize) -> usize {
        let block = offset / Self::BLOCK;
        let rest = &self.text.as_bytes()[block * Self::BLOCK..offset];
        self.before[block] + characters(rest)
    }

    /// The line of a byte, from 0, and the byte at which it begins.
    pub fn line(&self, offset: usize) -> (usize, usize) {
        let line = self.breaks.partition_point(|at| *at < offset);
        let before = line.checked_sub(1).map(|before| self.breaks[before]);
        (line, before.map_or(0, |at| at + 1))
    }
}

/// Text escaped for HTML, XML and SVG, in an attribute too. Characters that XML cannot
/// hold become question marks.
///
/// ```
/// assert_eq!(decklaw_text::text::markup("<b> & \"c\"\u{1}"), "&lt;b&gt; &amp; &quot;c&quot;?");
/// ```
pub fn markup(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(character),
            '\u{fffe}' | '\u{ffff}' => safe.push('?'),
            control if control.is_control() => safe.push('?'),
            other => safe.push(other),
        }
    }
    safe
}

/// Whether a terminal would act on this character instead of showing it, or show the text
/// around it in another order than it is stored.
fn acts(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Text that may be shown in a terminal: escape sequences, control characters and
/// direction overrides become stand-ins **of the same length in bytes**, so that spans into
/// the original still fit. New lines stay when `keep_lines`; tabs become spaces. What a CI service
/// would take for a command in its log, `::error` or `##[group]`, is disarmed too.
///
/// ```
/// assert_eq!(decklaw_text::text::escape_control("a\u{1b}[2Jb", false), "a?[2Jb");
/// assert_eq!(decklaw_text::text::escape_control("::error::no", false), "?:error::no");
/// ```
pub fn escape_control(text: &str, keep_lines: bool) -> Cow<'_, str> {
    match without_controls(text, keep_lines) {
        Cow::Borrowed(text) => without_commands(text),
        Cow::Owned(text) => Cow::Owned(without_commands(&text).into_owned()),
    }
}

/// The text of a log without what CI services run: a word that begins with `::` and a letter, since
/// services look behind white space and lines may be wrapped, and `##[`, `##vso[` and the like
/// wherever they are.
fn without_commands(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let begins = |at: usize| {
        let before = text[..at].chars().next_back();
        before.is_none_or(char::is_whitespace)
    };
    let runs = |at: usize| {
        let rest = &bytes[at..];
        let letters = rest.iter().skip(2).take_while(|byte| byte.is_ascii_alphabetic());
        let letters = letters.count();
        match rest {
            [b':', b':', ..] => begins(at) && letters > 0,
            [b'#', b'#', ..] => rest.get(2 + letters) == Some(&b'['),
            _ => false,
        }
    };
    let found: Vec<usize> =
        memchr::memchr2_iter(b':', b'#', bytes).filter(|at| runs(*at)).collect();
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut disarmed = text.to_owned();
    for at in found {
        disarmed.replace_range(at..=at, "?");
    }
    Cow::Owned(disarmed)
}

/// The same of escape sequences, control characters and direction overrides alone.
fn without_controls(text: &str, keep_lines: bool) -> Cow<'_, str> {
    let safe = |character: char| !acts(character) || (keep_lines && character == '\n');
    if text.chars().all(safe) {
        return Cow::Borrowed(text);
    }
    let stand_in = |character: char| match character {
        _ if safe(character) => character,
        '\t' => ' ',
        '\r' if keep_lines => ' ',
        _ => match character.len_utf8() {
            1 => '?',
            2 => '\u{b7}',
            3 => '\u{fffd}',
            _ => '\u{1f7a1}',
        },
    };
    Cow::Owned(text.chars().map(stand_in).collect())
}

/// A cell of a table that may be shown in a terminal: control characters that are no white space
/// become stand-ins of the same length.
pub(crate) fn escape_cell(cell: &str) -> Cow<'_, str> {
    let acts = |character: char| character.is_control() && !matches!(character, '\t' | '\n' | '\r');
    if !cell.contains(acts) {
        Cow::Borrowed(cell)
    } else {
        let stand_in = |character: char| match (acts(character), character.len_utf8()) {
            (false, _) => character,
            (true, 1) => '?',
            (true, _) => '\u{b7}',
        };
        Cow::Owned(cell.chars().map(stand_in).collect())
    }
}

/// The name of a field as a sentence has it: `deck limit` of `deck_limit`.
pub fn spaced(field: &str) -> String {
    field.replace(['_', '-'], " ")
}

/// A number and its noun: `1 card`, `3 cards`.
///
/// ```
/// assert_eq!(decklaw_text::text::counted(1, "card"), "1 card");
/// assert_eq!(decklaw_text::text::counted(3, "copy"), "3 copies");
/// ```
pub fn counted(number: i64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {}", plural(noun)),
    }
}

/// Several of what a noun names.
///
/// ```
/// # use decklaw_text::text::plural;
/// assert_eq!([plural("copy"), plural("class"), plural("key")], ["copies", "classes", "keys"]);
/// assert_eq!(plural("other card of level 5"), "other cards of level 5");
/// assert_eq!([plural("jokers"), plural("Hero")], ["jokers", "Heroes"]);
/// ```
pub fn plural(noun: &str) -> String {
    if let Some((noun, more)) = qualified(noun) {
        return plural(noun) + more;
    }
    let vowel = |stem: &str| stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    let hisses = ["s", "x", "z", "ch", "sh"];
    let echoes = noun.strip_suffix('o').is_some_and(|stem| !vowel(stem));
    let many = noun.ends_with('s') && !["ss", "us", "is"].iter().any(|end| noun.ends_with(end));
    match noun.strip_suffix('y') {
        Some(stem) if !vowel(stem) => format!("{stem}ies"),
        // It is a plural already.
        _ if many => noun.to_owned(),
        _ if echoes || hisses.iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A noun, and the words after it that say which, as in ` of level 5`.
fn qualified(noun: &str) -> Option<(&str, &str)> {
    const BEGIN: [&str; 17] = [
        "above", "among", "at", "below", "beyond", "by", "for", "from", "in", "not", "of", "on",
        "over", "that", "to", "with", "without",
    ];
    let spaces = noun.match_indices(' ').map(|(at, _)| at);
    let begins = |at: &usize| {
        let word = noun[at + 1..].split(' ').next();
        word.is_some_and(|word| BEGIN.contains(&word))
    };
    let mut begun = spaces.filter(begins);
    begun.next().map(|at| noun.split_at(at))
}

/// The singular of a word for several, judged by its ending; any other word unchanged.
///
/// ```
/// let singular = ["cities", "boxes", "inks", "class", "gold"].map(|word| decklaw_text::text::singular(word));
/// assert_eq!(singular, ["city", "box", "ink", "class", "gold"]);
/// assert_eq!(decklaw_text::text::singular("other cards of levels"), "other card of levels");
/// ```
pub fn singular(noun: &str) -> String {
    if let Some((noun, more)) = qualified(noun) {
        return singular(noun) + more;
    }
    let hisses = ["sses", "xes", "ches", "shes", "zzes"];
    let whole = ["ss", "us", "is", "series", "species"];
    match noun {
        _ if whole.iter().any(|end| noun.ends_with(end)) => noun.to_owned(),
        _ if hisses.iter().any(|end| noun.ends_with(end)) => noun[..noun.len() - 2].to_owned(),
        // `heroes` and not `shoes`.
        _ if noun.ends_with("oes") && noun.len() > 5 => noun[..noun.len() - 2].to_owned(),
        _ => match (noun.strip_suffix("ies"), noun.strip_suffix('s')) {
            (Some(stem), _) if !stem.is_empty() => format!("{stem}y"),
            (_, Some(stem)) if !stem.is_empty() => stem.to_owned(),
            _ => noun.to_owned(),
        },
    }
}

/// A noun with its article, as it is spoken: `a card`, `an element`, `a unit`.
///
/// ```
/// use decklaw_text::text::with_article;
/// assert_eq!(["card", "element", "unit"].map(with_article), ["a card", "an element", "a unit"]);
/// ```
pub fn with_article(noun: &str) -> String {
    let spoken = ["uni", "use", "usu", "uti", "eu", "one"];
    let starts = |begins: &&str| {
        noun.get(..begins.len()).is_some_and(|own| own.eq_ignore_ascii_case(begins))
    };
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    if vowel && !spoken.iter().any(starts) { format!("an {noun}") } else { format!("a {noun}") }
}

/// What there is, as a sentence of its own: `there are a, b and c`, `there is a`.
///
/// ```
/// assert_eq!(decklaw_text::text::those(&["a"]), "there is a");
/// ```
pub fn those<S: AsRef<str>>(names: &[S]) -> String {
    match names {
        [] => "there is none".to_owned(),
        [one] => format!("there is {}", one.as_ref()),
        many => format!("there are {}", listed(many, "and")),
    }
}

/// How many there are, as a sentence of its own: `there are 3`, `there is 1`, `there is none`.
///
/// ```
/// assert_eq!(decklaw_text::text::there_are(1), "there is 1");
/// ```
pub fn there_are(number: i64) -> String {
    match number {
        0 => "there is none".to_owned(),
        1 => "there is 1".to_owned(),
        fewer @ ..0 => format!("it comes to {fewer}"),
        many => format!("there are {many}"),
    }
}

/// A sentence that goes on behind a colon: its first letter is small.
///
/// ```
/// assert_eq!(decklaw_text::text::begun_small("The deck is full."), "the deck is full.");
/// ```
pub fn begun_small(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Words as a sentence of its own: with a capital letter and a full stop. No words stay none.
///
/// ```
/// assert_eq!(decklaw_text::text::sentence("give a number"), "Give a number.");
/// ```
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let rest = letters.as_str();
    let end = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{rest}{end}", first.to_uppercase())
}

/// Words joined as a sentence would: `a, b and c`.
///
/// ```
/// assert_eq!(decklaw_text::text::listed(&["a", "b", "c"], "and"), "a, b and c");
/// ```
pub fn listed<S: AsRef<str>>(words: &[S], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [most @ .., last] => {
            let most: Vec<&str> = most.iter().map(AsRef::as_ref).collect();
            format!("{} {conjunction} {}", most.join(", "), last.as_ref())
        }
    }
}

/// Words joined by commas and `and`: at most a number of them, and how many more there are.
///
/// ```
/// assert_eq!(decklaw_text::text::some_of(&["a", "b", "c"], 3), "a, b and c");
/// assert_eq!(decklaw_text::text::some_of(&["a", "b", "c"], 2), "a, b and 1 more");
/// ```
pub fn some_of<S: AsRef<str>>(words: &[S], most: usize) -> String {
    let mut shown: Vec<String> =
        words.iter().take(most).map(|word| word.as_ref().to_owned()).collect();
    let more = words.len() - shown.len();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    listed(&shown, "and")
}

/// Text in lines of at most `width` characters, broken at spaces.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        let wide = |text: &str| unicode_width::UnicodeWidthStr::width(text);
        if !line.is_empty() && wide(line) + 1 + wide(word) > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn direction_overrides_and_escapes_are_disarmed() {
        let shown = escape_control("a\u{202e}b\u{9b}c\u{7}\r\n", true);
        assert_eq!(shown, "a\u{fffd}b\u{b7}c? \n");
    }

    proptest! {
        #[test]
        fn harmless_text_keeps_every_length(text in any::<String>()) {
            let shown = escape_control(&text, true);
            prop_assert_eq!(shown.len(), text.len());
            prop_assert!(shown.chars().all(|c| c == '\n' || !acts(c)));
            let lengths = |t: &str| t.chars().map(char::len_utf8).collect::<Vec<_>>();
            prop_assert_eq!(lengths(&shown), lengths(&text));
        }

        #[test]
        fn a_place_is_where_counting_by_hand_ends(text in "[a\u{e9}\n]{0,30}", at in 0usize..40) {
            let at = at.min(text.len());
            let place = place(&text, at);
            let start = if text.is_char_boundary(at) { at } else { at - 1 };
            let lines: Vec<&str> = text[..start].split('\n').collect();
            prop_assert_eq!(place.line, lines.len());
            prop_assert_eq!(place.column, lines[lines.len() - 1].chars().count() + 1);
        }
    }
}
