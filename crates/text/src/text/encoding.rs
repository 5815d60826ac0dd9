//! Bytes as text: UTF-8, and UTF-16 where a byte order mark says so. Of Windows-1252 only the names
//! of cards can decide: see `decklaw_judge::Judge::open`. All else is not text.

use std::borrow::Cow;
use std::fmt;

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
    /// use decklaw_text::text::Encoding;
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
pub struct DecodedText<'b> {
    /// The text, without a byte order mark.
    pub text: Cow<'b, str>,
    /// What it was written in.
    pub encoding: Encoding,
}

/// Why bytes cannot be read as a text or a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The line or row of the error, from 1, if it has one.
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
}

impl ReadError {
    /// An error of the whole.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> ReadError {
        ReadError { line: None, message: message.into(), help: help.into() }
    }

    /// An error in a line or row.
    pub fn at(line: u64, message: impl Into<String>, help: impl Into<String>) -> ReadError {
        ReadError { line: Some(line), ..ReadError::new(message, help) }
    }
}

impl fmt::Display for ReadError {
    /// `line 3: what is wrong; what to do`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(out, "line {line}: ")?;
        }
        out.write_str(&self.message)?;
        if self.help.is_empty() { Ok(()) } else { write!(out, "; {}", self.help) }
    }
}

impl std::error::Error for ReadError {}

/// What to do with a file whose encoding is unknown.
pub const SAVE_AS_UTF8: &str = "save the file as UTF-8 (a spreadsheet calls it `CSV UTF-8`, an editor offers it as the encoding of `Save as`)";

/// Reads bytes as text.
///
/// # Errors
/// Bytes in an encoding that is not read; a NUL, which no text has;
/// and `\u{fffd}`, which marks where another program has lost a letter.
///
/// ```
/// use decklaw_text::text::{Encoding, decode};
/// let decoded = decode(b"\xff\xfe1\0 \0A\0").unwrap();
/// assert_eq!((&*decoded.text, decoded.encoding), ("1 A", Encoding::Utf16Le));
/// assert!(decode(b"1 Caf\xe9").is_err());
/// ```
pub fn decode(bytes: &[u8]) -> Result<DecodedText<'_>, ReadError> {
    let plain = crate::text::without_bom(bytes);
    let wrong = match std::str::from_utf8(plain) {
        Ok(text) => match unfit(plain) {
            None => {
                return Ok(DecodedText { text: Cow::Borrowed(text), encoding: Encoding::Utf8 });
            }
            Some(at) => at,
        },
        Err(error) => error.valid_up_to(),
    };
    if let Some((text, encoding)) = utf16(bytes) {
        return Ok(DecodedText { text: Cow::Owned(text), encoding });
    }
    let line = memchr::memchr_iter(b'\n', &plain[..wrong]).count() + 1;
    let marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let message = match plain[wrong] {
        _ if marked => "this starts like UTF-16 but is not: perhaps it was cut off".to_owned(),
        0 => "a NUL byte: not a text file, or UTF-16 without a mark".to_owned(),
        0xef if plain[wrong..].starts_with("\u{fffd}".as_bytes()) => {
            "`\u{fffd}` marks where another program lost a letter".to_owned()
        }
        byte => format!("the byte {byte:02X} is not UTF-8, and may mean several letters"),
    };
    Err(ReadError::at(line as u64, message, SAVE_AS_UTF8))
}

/// Where text in UTF-8 first has what no text has: a NUL, or the mark of a lost letter.
pub fn unfit(text: &[u8]) -> Option<usize> {
    if let Some(at) = memchr::memchr(0, text) {
        return Some(at);
    }
    if text.is_ascii() {
        return None;
    }
    memchr::memmem::find(text, "\u{fffd}".as_bytes())
}

/// UTF-16 with a mark.
fn utf16(bytes: &[u8]) -> Option<(String, Encoding)> {
    let (encoding, units) = match bytes {
        // The mark of UTF-32.
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, units @ ..] => (Encoding::Utf16Le, units),
        [0xfe, 0xff, units @ ..] => (Encoding::Utf16Be, units),
        _ => return None,
    };
    if !units.len().is_multiple_of(2) {
        return None;
    }
    let pairs = units.chunks_exact(2).map(|pair| match encoding {
        Encoding::Utf16Le => u16::from_le_bytes([pair[0], pair[1]]),
        _ => u16::from_be_bytes([pair[0], pair[1]]),
    });
    let text: String = char::decode_utf16(pairs).collect::<Result<_, _>>().ok()?;
    let written = |c: char| {
        let control = c.is_control() && !matches!(c, '\t' | '\n' | '\r');
        !control && !matches!(c, '\u{fffd}' | '\u{fffe}' | '\u{ffff}')
    };
    text.chars().all(written).then_some((text, encoding))
}

/// The letters of the bytes 0x80 to 0x9f in Windows-1252; every other byte is its own code point.
/// The crate `encoding_rs` has this table, too, but all tables of Chinese, Japanese and Korean come
/// with it.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Bytes as Windows-1252, where no byte is unused there and none of it is UTF-8.
pub fn western(bytes: &[u8]) -> Option<String> {
    let unused = |byte: &u8| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d);
    let control =
        |byte: &u8| (*byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')) || *byte == 0x7f;
    // Where some of it is UTF-8, all of it was.
    let mixed = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if mixed || bytes.iter().any(|byte| unused(byte) || control(byte)) {
        return None;
    }
    let letter = |byte: &u8| {
        let place = usize::from(byte.wrapping_sub(0x80));
        WINDOWS_1252.get(place).copied().unwrap_or(char::from(*byte))
    };
    Some(bytes.iter().map(letter).collect())
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
    fn other_encodings_are_refused() {
        // Windows-1252, which only a pool of cards can decide; café as old Macintoshes and DOS
        // wrote it, Cyrillic, Shift JIS, UTF-8 cut in two, UTF-16 without a mark, and UTF-32.
        for bytes in [
            &b"3 Caf\xe9 Noir"[..],
            b"3\0 \0A\0n\0t\0",
            b"3 Caf\x8e Noir",
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
        assert_eq!(error.line, Some(2));
        assert!(error.to_string().contains("save the file as UTF-8"));
    }

    proptest! {
        #[test]
        fn utf16_is_read_with_a_mark_alone(
            text in "([1-9] [A-Za-zé’月ß♠]{1,9} [a-z]{3,9}\r\n){1,6}", low_first: bool,
        ) {
            prop_assert_eq!(read(&utf16_bytes(&text, low_first)), None);
            let encoding = if low_first { Encoding::Utf16Le } else { Encoding::Utf16Be };
            let marked = utf16_bytes(&format!("\u{feff}{text}"), low_first);
            // A byte less is no text any more.
            prop_assert_eq!(read(&marked[..marked.len() - 1]), None);
            prop_assert_eq!(read(&marked), Some((text, encoding)));
        }

        #[test]
        fn utf8_is_never_read_as_anything_else(text in "[^\0\u{fffd}\u{feff}]{0,60}") {
            prop_assert_eq!(read(text.as_bytes()), Some((text, Encoding::Utf8)));
        }
    }
}
