//! A deck's file before it is read: its bytes as text.

use super::{Input, ReaderNote, link};
use decklaw_text::ReadError;
use decklaw_text::fault::Fault;
use decklaw_text::table;
use decklaw_text::text::{Encoding, decode, western, without_bom};
use std::borrow::Cow;

/// A deck's file as text, and how it came to be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedDeck<'b> {
    /// What [`read`](super::read) reads. It is not the file's own bytes where it is
    /// [`Cow::Owned`].
    pub source: Cow<'b, [u8]>,
    /// What it is written in.
    pub input: Input,
    /// What a reader must know of the file, in its order: that it was read as UTF-16, say.
    pub notes: Vec<ReaderNote>,
    /// The file's bytes in Windows-1252, where they are in no other encoding: whether the names are
    /// those of cards decides, see `decklaw_judge::Judge::open`.
    pub western: Option<String>,
}

/// As [`open`]; a workbook's only sheet is a table whose lines are its rows. It is for files of
/// the person who asks: what strangers send is text, and no workbook of theirs is unpacked.
///
/// # Errors
/// A document of another program; a workbook that cannot be read, or has several sheets.
pub fn open_file(bytes: &[u8], input: Input) -> Result<OpenedDeck<'_>, ReadError> {
    if !table::is_workbook(bytes) {
        return open(bytes, input);
    }
    let (text, _) = table::as_text(bytes, None, true)?;
    Ok(OpenedDeck::plain(text.into_owned().into_bytes(), Input::Table))
}

/// Turns a deck's bytes into text that [`read`](super::read) reads: text in UTF-16 with a
/// mark is [decoded](decode); a [link](super::is_link) is the JSON in it. All else is
/// left for it to complain of.
///
/// # Errors
/// A workbook, or a document of another program; a link that holds no deck.
///
/// ```
/// use decklaw_decks::deck::{Input, open};
/// let opened = open(b"\xff\xfe3\0 \0A\0n\0t\0", Input::Text)?;
/// assert_eq!(&*opened.source, b"3 Ant");
/// assert_eq!(opened.notes[0].message, "read as UTF-16");
/// # Ok::<(), decklaw_text::ReadError>(())
/// ```
pub fn open(bytes: &[u8], input: Input) -> Result<OpenedDeck<'_>, ReadError> {
    let mut opened = OpenedDeck::plain(bytes, input);
    table::refuse_workbook(bytes)?;
    table::refuse_document(bytes)?;
    // Nearly every deck is UTF-8, and whether it is one is asked again when it is read.
    if let Ok(text) = std::str::from_utf8(without_bom(bytes))
        && memchr::memchr(0, bytes).is_none()
    {
        if link::is_link(text) {
            let (deck, notes) = link::read(text)?;
            opened.source = Cow::Owned(deck.into_bytes());
            opened.input = Input::Json;
            opened.notes = notes;
        }
        return Ok(opened);
    }
    match decode(bytes) {
        Ok(decoded) if decoded.encoding != Encoding::Utf8 => {
            opened.is(decoded.text.into_owned(), decoded.encoding);
        }
        Ok(_) => {}
        Err(_) => opened.western = western(bytes),
    }
    Ok(opened)
}

impl<'b> OpenedDeck<'b> {
    /// A text that needs no decoding.
    pub fn plain(text: impl Into<Cow<'b, [u8]>>, input: Input) -> OpenedDeck<'b> {
        OpenedDeck { source: text.into(), input, notes: Vec::new(), western: None }
    }

    /// The same, whose text is borrowed from this one.
    pub fn borrowed(&self) -> OpenedDeck<'_> {
        let source = Cow::Borrowed(&*self.source);
        OpenedDeck { source, input: self.input, notes: self.notes.clone(), western: None }
    }

    /// The same with a text of its own.
    pub fn into_owned(self) -> OpenedDeck<'static> {
        OpenedDeck { source: Cow::Owned(self.source.into_owned()), ..self }
    }

    /// It is this text, in that encoding.
    pub fn is(&mut self, text: String, encoding: Encoding) {
        let note = encoding.note().map(str::to_owned);
        self.notes.extend(note.map(|note| ReaderNote::notice(Fault::Recoded, note)));
        self.source = Cow::Owned(text.into_bytes());
        self.western = None;
    }
}
