//! Documents of other programs, recognised by their first bytes: no text, and no table either.

/// What a file is, and how to come by its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document {
    /// What it is, a sentence without its full stop.
    pub message: &'static str,
    /// What to do about it, likewise.
    pub help: &'static str,
}

const COPY: &str = "copy the list in it into a text file";
const TYPE: &str = "type the list into a text file, or use the export of the program that shows it";
const UNPACK: &str = "unpack it, and give the file that is in it";

/// The first bytes of such documents. Letters are in lower case, and match either.
const KNOWN: [(&[u8], Document); 13] = [
    (b"%pdf-", kind("this is a PDF, and no text", COPY)),
    (
        b"{\\rtf",
        kind(
            "this is a document with styles (RTF), and no plain text",
            "save it as plain text (`.txt`)",
        ),
    ),
    (
        b"\xd0\xcf\x11\xe0",
        kind(
            "this is a document in an old format of Word or Excel (`.doc` or `.xls`)",
            "save a table as `.xlsx` or as `CSV UTF-8`, and a letter as plain text (`.txt`)",
        ),
    ),
    (b"<!doctype html", kind(PAGE, COPY)),
    (b"<html", kind(PAGE, COPY)),
    (b"\x89png", kind(PICTURE, TYPE)),
    (b"\xff\xd8\xff", kind(PICTURE, TYPE)),
    (b"gif8", kind(PICTURE, TYPE)),
    (b"\x1f\x8b", kind(PACKED, UNPACK)),
    (b"7z\xbc\xaf", kind(PACKED, UNPACK)),
    (b"rar!\x1a", kind(PACKED, UNPACK)),
    (b"bzh9", kind(PACKED, UNPACK)),
    (b"\xfd7zxz", kind(PACKED, UNPACK)),
];

const PAGE: &str = "this is a web page, and no list";
const PICTURE: &str = "this is a picture, and no text";
const PACKED: &str = "this is a packed file";

const fn kind(message: &'static str, help: &'static str) -> Document {
    Document { message, help }
}

/// Which document these bytes are, if they are one.
///
/// ```
/// let page = decklaw_text::text::document(b"\n<!DOCTYPE html><p>3 Ant").unwrap();
/// assert_eq!(page.message, "this is a web page, and no list");
/// assert!(decklaw_text::text::document(b"3 Ant").is_none());
/// ```
pub fn document(bytes: &[u8]) -> Option<Document> {
    let start = super::without_bom(bytes).trim_ascii_start();
    let begins = |known: &[u8]| {
        let own = start.get(..known.len());
        own.is_some_and(|own| own.eq_ignore_ascii_case(known))
    };
    let known = KNOWN.iter().find(|(known, _)| begins(known));
    known.map(|(_, document)| *document)
}
