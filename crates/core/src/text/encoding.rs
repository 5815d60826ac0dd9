//! Bytes as text: which encoding they are in, where that can be told with certainty.
//!
//! UTF-8 is read as it is. UTF-16 is read where a byte order mark says so, or where every other
//! byte of plain words is zero; Windows-1252 where each of its letters stands as letters do in
//! Western languages. Whatever is left in doubt is not text.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// What a text was written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
    /// Windows-1252, the code page of Western Europe.
    Windows1252,
}

impl Encoding {
    /// What a reader must know of a text that was in this encoding; `None` for UTF-8.
    ///
    /// ```
    /// use decklaw_core::text::Encoding;
    /// assert_eq!(Encoding::Utf8.note(), None);
    /// assert!(Encoding::Windows1252.note().unwrap().starts_with("read as Windows-1252"));
    /// ```
    pub fn note(self) -> Option<&'static str> {
        match self {
            Encoding::Utf8 => None,
            Encoding::Utf16Le | Encoding::Utf16Be => Some("read as UTF-16"),
            Encoding::Windows1252 => {
                Some("read as Windows-1252; if letters look wrong, save the file as UTF-8")
            }
        }
    }
}

/// Bytes as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'b> {
    /// The text, without a byte order mark.
    pub text: Cow<'b, str>,
    /// What it was written in.
    pub encoding: Encoding,
}

/// Bytes whose encoding cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}; {mend}")]
pub struct Undecided {
    /// The line of the first byte in doubt, from 1, lines being what ends in LF.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// What would mend it.
    pub mend: &'static str,
}

/// What to do with a file whose encoding cannot be told.
pub const SAVE_AS_UTF8: &str = "save the file as UTF-8 (a spreadsheet calls it `CSV UTF-8`, an editor offers it as the encoding of `Save as`)";

/// Reads bytes as text.
///
/// # Errors
/// Bytes that may be in several encodings, or in none that is read; a NUL, which no text has;
/// and `\u{fffd}`, which stands where another program has lost a letter.
///
/// ```
/// use decklaw_core::text::{Encoding, decode};
/// let decoded = decode(b"1 Caf\xe9").unwrap();
/// assert_eq!((&*decoded.text, decoded.encoding), ("1 Caf\u{e9}", Encoding::Windows1252));
/// assert!(decode(b"1 Caf\x8e").is_err());
/// ```
pub fn decode(bytes: &[u8]) -> Result<Decoded<'_>, Undecided> {
    let plain = crate::text::without_bom(bytes);
    let wrong = match std::str::from_utf8(plain) {
        Ok(text) => match unfit(plain) {
            None => {
                return Ok(Decoded {
                    text: Cow::Borrowed(text),
                    encoding: Encoding::Utf8,
                });
            }
            Some(at) => at,
        },
        Err(error) => error.valid_up_to(),
    };
    let certain = || {
        let western = western(bytes)?;
        let certain = western.doubtful.is_empty();
        certain.then_some((western.text, Encoding::Windows1252))
    };
    if let Some((text, encoding)) = utf16(bytes).or_else(certain) {
        return Ok(Decoded {
            text: Cow::Owned(text),
            encoding,
        });
    }
    let line = memchr::memchr_iter(b'\n', &plain[..wrong]).count() + 1;
    let marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let message = match plain[wrong] {
        _ if marked => "this begins as UTF-16 does, and is none: perhaps it was cut off".to_owned(),
        0 => "a NUL byte: this is no text file".to_owned(),
        0xef if plain[wrong..].starts_with("\u{fffd}".as_bytes()) => {
            "`\u{fffd}` stands where another program has lost a letter".to_owned()
        }
        byte => format!("the byte {byte:02X} is not UTF-8, and may mean several letters"),
    };
    Err(Undecided {
        line,
        message,
        mend: SAVE_AS_UTF8,
    })
}

/// Where text in UTF-8 first has what no text has: a NUL, or the mark of a lost letter.
pub(crate) fn unfit(text: &[u8]) -> Option<usize> {
    if let Some(at) = memchr::memchr(0, text) {
        return Some(at);
    }
    if text.is_ascii() {
        return None;
    }
    memchr::memmem::find(text, "\u{fffd}".as_bytes())
}

/// UTF-16, with a mark or without.
fn utf16(bytes: &[u8]) -> Option<(String, Encoding)> {
    let (low_first, marked, units) = match bytes {
        // The mark of UTF-32.
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, units @ ..] => (true, true, units),
        [0xfe, 0xff, units @ ..] => (false, true, units),
        _ => {
            let nul = memchr::memchr(0, bytes)?;
            (nul % 2 == 1, false, bytes)
        }
    };
    if !units.len().is_multiple_of(2) {
        return None;
    }
    let pairs = units.chunks_exact(2).map(|pair| match low_first {
        true => u16::from_le_bytes([pair[0], pair[1]]),
        false => u16::from_be_bytes([pair[0], pair[1]]),
    });
    let text: String = char::decode_utf16(pairs).collect::<Result<_, _>>().ok()?;
    let written = |c: char| {
        let control = c.is_control() && !matches!(c, '\t' | '\n' | '\r');
        !control && !matches!(c, '\u{fffd}' | '\u{fffe}' | '\u{ffff}')
    };
    let usual = |c: char| {
        c.is_ascii()
            || c.is_alphanumeric()
            || matches!(c, '\u{a0}'..='\u{bf}' | '\u{d7}' | '\u{2000}'..='\u{27bf}')
            || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}' | '\u{fe0f}')
    };
    let plain = || {
        // Words and lines: with another order of bytes none of them would be ASCII.
        let ascii = text.chars().filter(char::is_ascii).count();
        text.chars().all(usual) && 4 * ascii >= text.chars().count()
    };
    let encoding = match low_first {
        true => Encoding::Utf16Le,
        false => Encoding::Utf16Be,
    };
    (text.chars().all(written) && (marked || plain())).then_some((text, encoding))
}

/// Bytes as Windows-1252, which every one of them can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Western {
    /// The text.
    pub text: String,
    /// Where in it stand the letters and marks that stand elsewhere in Western languages, so
    /// that these bytes may well be of another code page. None: there is no doubt.
    pub doubtful: Vec<usize>,
}

impl Western {
    /// The letters and marks in doubt.
    pub fn marks(&self) -> BTreeSet<char> {
        let at = self.doubtful.iter();
        at.filter_map(|at| self.text.get(*at..)?.chars().next())
            .collect()
    }
}

/// Windows-1252, where no byte is unused there and none of it is UTF-8.
pub(crate) fn western(bytes: &[u8]) -> Option<Western> {
    let unused = |byte: &u8| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d);
    let control =
        |byte: &u8| (*byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')) || *byte == 0x7f;
    // Where some of it is UTF-8, all of it was.
    let mixed = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if mixed || bytes.iter().any(|byte| unused(byte) || control(byte)) {
        return None;
    }
    let text = encoding_rs::WINDOWS_1252
        .decode_without_bom_handling_and_without_replacement(bytes)?
        .into_owned();
    let (mut before, mut doubtful, mut within) = ([None, None], Vec::new(), Vec::new());
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        if character == '\u{2013}' && letter(before[1]) && letter(next) {
            within.push(at);
        } else if !character.is_ascii() && !stands(before, character, next) {
            doubtful.push(at);
        }
        before = [before[1], Some(character)];
    }
    // A dash within a word is a letter of old Macintoshes, unless other letters tell.
    let letters = text.chars().any(|c| !c.is_ascii() && c.is_alphabetic());
    if !letters {
        doubtful.extend(within);
    }
    Some(Western { text, doubtful })
}

/// Whether a character beyond ASCII stands where one would in Western text. `before` are the
/// two characters before it, the nearer one last.
fn stands(before: [Option<char>; 2], character: char, next: Option<char>) -> bool {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let ascii = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
    let space = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let previous = before[1];
    match character {
        '\u{aa}' | '\u{ba}' | '\u{192}' | '\u{b5}' => false,
        _ if character.is_alphabetic() => {
            let high = |c: Option<char>| letter(c) && !ascii(c);
            let capital_within =
                character.is_uppercase() && previous.is_some_and(char::is_lowercase);
            let beside_one = ascii(previous) || ascii(next);
            let run = high(before[0]) && high(previous) || high(previous) && high(next);
            beside_one && !capital_within && !run
        }
        '\u{2019}' => letter(previous) || digit(previous),
        '\u{2018}' | '\u{201c}' | '\u{ab}' | '\u{a1}' | '\u{bf}' => {
            !letter(previous) && !digit(previous) && next.is_some()
        }
        '\u{201d}' | '\u{bb}' | '\u{2026}' => previous.is_some() && !letter(next) && !digit(next),
        '\u{2013}' | '\u{2014}' => space(previous) && space(next) || digit(previous) && digit(next),
        // Several of them are a price or a rating; no word is nothing but one letter again.
        '\u{2022}' => {
            let beside = |c: Option<char>| space(c) || c == Some('\u{2022}');
            beside(previous) && beside(next)
        }
        '\u{b7}' | '\u{a9}' => space(previous) && space(next),
        '\u{d7}' => digit(previous) && (space(next) || digit(next)),
        '\u{a0}' => !letter(previous) || !letter(next) || (ascii(previous) && ascii(next)),
        '\u{2122}' | '\u{ae}' => ascii(previous) && !letter(next),
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Option<(String, Encoding)> {
        let decoded = decode(bytes).ok()?;
        Some((decoded.text.into_owned(), decoded.encoding))
    }

    fn utf16_bytes(text: &str, low_first: bool) -> Vec<u8> {
        let units = text.encode_utf16();
        units
            .flat_map(|unit| match low_first {
                true => unit.to_le_bytes(),
                false => unit.to_be_bytes(),
            })
            .collect()
    }

    #[test]
    fn windows_1252_is_read_where_its_letters_stand_as_letters_do() {
        for text in [
            "3 Café Noir",
            "2 Mara’s “Blade”",
            "1 Ñandú",
            "3× Œuvre d’Art – Opus",
            "• 2 Straße\r\n• 1 ÆON",
            "4x Aunt (Night) •••\n1x Bell ••••• •",
            "4 Rock’n’Roll…",
        ] {
            let (bytes, _, lost) = encoding_rs::WINDOWS_1252.encode(text);
            assert!(!lost, "{text}");
            assert_eq!(
                read(&bytes),
                Some((text.to_owned(), Encoding::Windows1252)),
                "{text}"
            );
        }
    }

    #[test]
    fn other_code_pages_are_refused() {
        // Café as old Macintoshes and DOS wrote it, Cyrillic, Shift JIS, and UTF-8 cut in two.
        for bytes in [
            &b"3 Caf\x8e Noir"[..],
            b"3 Caf\x82 Noir",
            b"3 Mara\xd5s Blade",
            b"3 \xc4\xf0\xe0\xea\xee\xed",
            b"3 \x83J\x81[\x83h",
            b"3 Caf\xc3 Noir",
            b"3 Caf\xa9 Noir",
            b"3 Caf\xc3\xa9 and Caf\xe9",
            b"3 Pi\x96ata",
            b"a\0b",
            "3 Caf\u{fffd}".as_bytes(),
            b"\xff\xfe\0\0a\0\0\0",
            b"\xff\xfea\0b",
        ] {
            assert_eq!(read(bytes), None, "{bytes:x?}");
        }
    }

    #[test]
    fn what_is_in_doubt_is_told_with_its_line_and_what_to_do() {
        let error = decode(b"1 Ant\n3 Caf\x8e\n").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.to_string().contains("save the file as UTF-8"));
    }

    proptest! {
        #[test]
        fn utf16_is_read_with_and_without_a_mark(
            text in "([1-9] [A-Za-zé’月ß♠]{1,9} [a-z]{3,9}\r\n){1,6}", low_first: bool,
        ) {
            let bytes = utf16_bytes(&text, low_first);
            let encoding = if low_first { Encoding::Utf16Le } else { Encoding::Utf16Be };
            prop_assert_eq!(read(&bytes), Some((text.clone(), encoding)));
            let marked = utf16_bytes(&format!("\u{feff}{text}"), low_first);
            prop_assert_eq!(read(&marked), Some((text, encoding)));
            // A byte less is no text any more.
            prop_assert_eq!(read(&bytes[1..]), None);
            prop_assert_eq!(read(&marked[..marked.len() - 1]), None);
        }

        #[test]
        fn utf8_is_never_read_as_anything_else(text in "[^\0\u{fffd}\u{feff}]{0,60}") {
            prop_assert_eq!(read(text.as_bytes()), Some((text, Encoding::Utf8)));
        }
    }
}
