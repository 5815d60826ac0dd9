//! A deck as it is put together from a file.
//!
//! Nothing is guessed. A section that the format does not have, a heading that is not understood
//! and a card without a number are errors with their lines.

use super::count::Wrong;
use super::{
    CardLine, Deck, HEADERS, LeftOut, MOST_CARD_LINES, MOST_COPIES, MOST_ERRORS, MOST_SECTIONS,
    ReaderNote, Section, SectionNames, SyntaxError, board, quoted,
};
use decklaw_text::fault::{Fault, Severity};
use decklaw_text::text::Span;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What to do about a blank line that may begin a section.
pub(super) const BREAK_OR_JOIN: &str =
    "write the section's name on a line above it, or take the blank line out";

/// A card below a blank line, which cards of the same list are above.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// The card's name.
    pub(super) span: Span,
    /// The card's line.
    pub(super) line: u32,
    /// The section that the card is read into.
    pub(super) section: u16,
    /// Whether a total says that the cards above and below are of one section.
    pub(super) is_proven: bool,
    /// Whether a comment is next to the blank line.
    pub(super) is_commented: bool,
}

/// The most lines that one message lists.
const MOST_LINES: usize = 8;

/// A deck as it is put together from a file.
pub(super) struct Builder<'a, 'f> {
    pub(super) source: &'a str,
    pub(super) names: SectionNames<'f>,
    pub(super) deck: Deck<'a>,
    /// Positions of sections by id. In open formats the file chooses the ids, which are never
    /// hashed therefore.
    sections: BTreeMap<String, u16>,
    /// Positions of sections that are no part of a deck.
    left_out: Vec<u16>,
    pub(super) errors: Vec<SyntaxError>,
    /// Which of [`HEADERS`] the file has.
    pub(super) seen: [bool; HEADERS.len()],
    /// Lines of cards that are repeated for each copy, by section and name.
    copies: FxHashMap<(u16, String), usize>,
    /// A place whose line is known: from there on lines are counted.
    known: (usize, u32),
}

impl<'a, 'f> Builder<'a, 'f> {
    pub(super) fn new(source: &'a str, names: SectionNames<'f>) -> Builder<'a, 'f> {
        Builder {
            source,
            names,
            deck: Deck::default(),
            sections: BTreeMap::new(),
            left_out: Vec::new(),
            errors: Vec::new(),
            seen: [false; HEADERS.len()],
            copies: FxHashMap::default(),
            known: (0, 1),
        }
    }

    /// The same with the sections of the format that the headers name.
    pub(super) fn with_names(mut self, names: SectionNames<'f>) -> Self {
        self.names = names;
        self
    }

    /// Whether nothing more is read: there are too many errors, or lines of cards.
    pub(super) fn full(&self) -> bool {
        self.errors.len() >= MOST_ERRORS || self.deck.lines.len() > MOST_CARD_LINES
    }

    #[cold]
    pub(super) fn wrong(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if !self.full() {
            let error = SyntaxError::at(self.source, span, message, help);
            self.errors.push(error);
        }
    }

    /// Adds to the help of the error that was just found at a place.
    pub(super) fn add_help(&mut self, span: Span, more: &str) {
        if let Some(last) = self.errors.last_mut().filter(|last| last.span == span) {
            last.add_help(more);
        }
    }

    pub(super) fn wrong_line(&mut self, span: Span, wrong: Wrong) {
        self.wrong(span, wrong.message, wrong.help);
    }

    /// Returns the place of a part of the source; an empty one for other texts.
    pub(super) fn span(&self, part: &str) -> Span {
        let start = (part.as_ptr() as usize).wrapping_sub(self.source.as_ptr() as usize);
        if start <= self.source.len() {
            Span::new(start, start + part.len())
        } else {
            Span::default()
        }
    }

    /// Finds the section that a word names, or reports an error that lists those of the format.
    pub(super) fn section(&mut self, word: &str, span: Span) -> Option<u16> {
        let id = match self.names.find(word) {
            Some(id) => Cow::Borrowed(id),
            None if self.names.open && !word.trim().is_empty() => decklaw_text::name::fold(word),
            None if board::is_left_out(word) => return self.left_out(word, span),
            None => {
                self.wrong_line(span, self.names.unknown_section(word));
                return None;
            }
        };
        self.enter(&id, span)
    }

    /// Finds or adds a section whose cards are left out with a notice.
    pub(super) fn left_out(&mut self, word: &str, span: Span) -> Option<u16> {
        let section = self.enter(&decklaw_text::name::fold(word), span)?;
        if !self.left_out.contains(&section) {
            self.left_out.push(section);
        }
        Some(section)
    }

    /// Notes that cards are no part of the deck.
    pub(super) fn note_left_out(&mut self, section: LeftOut<'a>, span: Span) {
        /// The most names of a note.
        const MOST_NAMED: usize = 100;
        if section.copies == 0 {
            return;
        }
        let cards = decklaw_text::text::counted(section.copies.cast_signed(), "card");
        let word = quoted(&section.section);
        let message = format!("{word} is not part of the deck: {cards} left out");
        self.deck.note(Fault::LeftOut, message, "", Some(span));
        if let Some(note) = self.deck.notes.last_mut() {
            let names =
                section.cards.iter().map(|(_, name)| decklaw_text::name::tidy(name).into_owned());
            note.cards = names.take(MOST_NAMED).collect();
        }
        self.deck.left_out.push(section);
    }

    /// Removes the sections that are no part of a deck, with their cards.
    fn remove_left_out(&mut self) {
        self.left_out.sort_unstable();
        while let Some(at) = self.left_out.pop() {
            let section = self.deck.sections.remove(usize::from(at));
            let (out, mut lines): (Vec<_>, Vec<_>) = std::mem::take(&mut self.deck.lines)
                .into_iter()
                .partition(|line| line.section == at);
            for line in &mut lines {
                line.section -= u16::from(line.section > at);
            }
            self.deck.lines = lines;
            let mut left_out = LeftOut::of(section.id);
            out.into_iter().for_each(|line| left_out.push(line.count, line.name));
            self.note_left_out(left_out, section.span);
        }
    }

    /// Finds or adds the section of a known id. An empty span is that of a section which the file
    /// only implies.
    pub(super) fn enter(&mut self, id: &str, span: Span) -> Option<u16> {
        if let Some(at) = self.sections.get(id) {
            let known = self.deck.sections.get_mut(usize::from(*at));
            if let Some(known) = known.filter(|known| known.span.is_empty()) {
                known.span = span;
            }
            return Some(*at);
        }
        let at = self.deck.sections.len();
        if at >= MOST_SECTIONS {
            let message = format!("There are more than {MOST_SECTIONS} sections.");
            let last = self.errors.last();
            if last.is_none_or(|last| last.message != message) {
                let help = "Give cards their counts: a line without a count begins a section.";
                self.wrong(span, message, help);
            }
            return None;
        }
        let written = self.source.get(span.start..span.end).filter(|word| *word == id);
        let own = written.map_or_else(|| Cow::Owned(id.to_owned()), Cow::Borrowed);
        self.deck.sections.push(Section { id: own, span });
        let at = u16::try_from(at).ok()?;
        self.sections.insert(id.to_owned(), at);
        Some(at)
    }

    /// Warns of blank lines that may begin another section, in a format that has several.
    pub(super) fn warn_of_gaps(&mut self, gaps: &[Gap]) {
        let Some(first) = gaps.first().filter(|_| self.names.ids.len() > 1) else {
            return;
        };
        let section = self.deck.sections.get(usize::from(first.section));
        let section = section.map_or(self.names.first, |section| &section.id);
        let mut message = format!(
            "the blank line above this card may begin another section; the cards below it are read as {}",
            quoted(section)
        );
        if gaps.len() > 1 {
            let more = gaps.iter().skip(1).take(MOST_LINES).map(|gap| gap.line.to_string());
            let mut more: Vec<String> = more.collect();
            if gaps.len() > MOST_LINES + 1 {
                more.push(format!("{} more", gaps.len() - MOST_LINES - 1));
            }
            let more = decklaw_text::text::listed(&more, "and");
            message.push_str(&format!("; so may those above the lines {more}"));
        }
        self.deck.notes.push(ReaderNote {
            severity: Severity::Warning,
            help: BREAK_OR_JOIN.to_owned(),
            spans: gaps.iter().map(|gap| gap.span).collect(),
            ..ReaderNote::notice(Fault::BlankLine, message)
        });
    }

    fn line(&mut self, at: usize) -> u32 {
        let (from, line) = match self.known {
            (from, line) if from <= at => (from, line),
            _ => (0, 1),
        };
        let between = self.source.as_bytes().get(from..at).unwrap_or_default();
        let more = memchr::memchr_iter(b'\n', between).count();
        self.known = (at, line.saturating_add(u32::try_from(more).unwrap_or(u32::MAX)));
        self.known.1
    }

    /// Adds a card whose count has no digits in the source that could be edited.
    pub(super) fn card(&mut self, section: u16, count: u32, name: Cow<'a, str>, span: Span) {
        if name.trim().is_empty() || name.contains('\0') {
            return self.wrong(span, "This card has no name.", "Give it one, or take it out.");
        }
        let line = self.line(span.start);
        self.card_at(CardLine { section, count, name, span, digits: Span::default(), line });
    }

    /// Adds a card line.
    pub(super) fn card_at(&mut self, line: CardLine<'a>) {
        if !self.full() {
            self.deck.lines.push(line);
        }
    }

    /// Adds a card of a file that repeats it for each copy.
    pub(super) fn copy(&mut self, section: u16, name: Cow<'a, str>, span: Span) {
        let key = (section, name.clone().into_owned());
        let Some(at) = self.copies.get(&key) else {
            self.copies.insert(key, self.deck.lines.len());
            return self.card(section, 1, name, span);
        };
        if let Some(line) = self.deck.lines.get_mut(*at) {
            line.count = line.count.saturating_add(1);
            if line.count > MOST_COPIES {
                let message = format!("There are more than {MOST_COPIES} copies of this card.");
                self.wrong(span, message, "");
            }
        }
    }

    pub(super) fn finish(mut self) -> Result<Deck<'a>, Vec<SyntaxError>> {
        self.remove_left_out();
        if self.errors.is_empty() {
            return Ok(self.deck);
        }
        self.errors.sort_by_key(|error| error.span.start);
        self.errors.truncate(MOST_ERRORS);
        Err(self.errors)
    }
}
