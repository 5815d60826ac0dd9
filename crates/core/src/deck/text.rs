//! Decks in text: decklaw's own, and lists as players paste them from other programs.
//!
//! One pass over the lines, by three rules:
//! 1. Marks around a name are removed only until the pool knows the name.
//! 2. A line that is no card, heading or header is prose: noted above a heading or at the end, an
//!    error next to cards.
//! 3. A total that the list states must be right.
//!
//! What other programs write and decklaw does not, such as `- 3 Name` or `// Side`, is understood
//! where most lines of the list are written so. A single line of that kind is noted, and a single
//! comment that names a section is an error.
//!
//! Folders of 100,000 decks are read in seconds, so a plain line costs no allocation.

mod cards;
mod ending;

use super::builder::Builder;
use super::group::Open;
use super::heading::{self, Heading, heading, section_in_comment};
use super::line::{self, Wrong};
use super::marks;
use super::{
    CardLine, Deck, HEADERS, MOST_ERRORS, Note, SectionNames, SyntaxError, header, quoted,
};
use crate::rules::{Fault, Severity};
use crate::table;
use crate::text::{Span, listed};
use std::borrow::Cow;
use std::cell::Cell;

/// Sections of a deck whose format nobody knows.
pub(super) const OPEN: SectionNames<'static> = SectionNames {
    names: &[],
    ids: &[],
    first: "main",
    open: true,
    pool: None,
};

/// Sections of other programs that are no part of a deck.
const LEFT_OUT: [&str; 6] = [
    "maybeboard",
    "maybe",
    "considering",
    "tokens",
    "token",
    "companion",
];

/// The longest text that is looked up as a name, in bytes.
const LONGEST_NAME: usize = 1 << 10;

/// What NetrunnerDB writes below a list besides numbers.
const ASIDE: [&str; 3] = [
    "Cards up to ",
    "Decklist published on ",
    "Decklist [published on ",
];

/// The most notes of one kind.
const MOST_NOTES: usize = 5;

/// The most lookups of parts of names that no card has: longer lists of them are of another game.
const MOST_LOOKUPS: u32 = 200_000;

/// Whether a word names a section of other programs that is no part of a deck.
pub(super) fn is_left_out(word: &str) -> bool {
    LEFT_OUT
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether a section's bare name would be read as something else: a total, a counted card.
pub(super) fn is_ambiguous(id: &str) -> bool {
    id == "about"
        || line::in_letters(id).is_some()
        || marks::trailing_count(id).is_some()
        || ["total", "cards", "deck total"]
            .iter()
            .any(|word| id.starts_with(word))
}

/// Reads a deck in text. See [`super::read`].
pub(super) fn read<'a, 'f>(
    source: &'a str,
    ask: &mut dyn FnMut(Option<&str>) -> Option<SectionNames<'f>>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    if let Some(at) = odd_line_break(source) {
        let message = "This line has a line break that is neither LF nor CRLF.";
        let help = "Save the deck with lines that end in LF or CRLF.";
        let span = Span::new(at, at + 1);
        return Err(vec![SyntaxError::at(source, span, message, help)]);
    }
    let mut reader = Reader::new(source);
    reader.headers();
    reader.deck.ask(ask);
    reader.lines();
    reader.finish()
}

/// Returns the totals of a deck's headings that are wrong, each with the copies counted.
pub(super) fn wrong_totals(source: &str, names: SectionNames<'_>) -> Vec<(Span, u64)> {
    let mut reader = Reader::new(source);
    reader.wrong_totals = Some(Vec::new());
    reader.headers();
    reader.deck.names = names;
    reader.lines();
    reader.end();
    reader.wrong_totals.unwrap_or_default()
}

/// Where the cards of a line go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A section of the deck.
    Section(u16),
    /// One of [`Reader::left_out`].
    LeftOut(usize),
    /// Nowhere: the heading was not understood.
    Lost,
}

/// What the line before was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Blank,
    Heading,
    Card,
    Other,
}

/// A total that the list states, while the copies under it are counted.
struct Total<'a> {
    word: &'a str,
    digits: &'a str,
    /// The copies listed before it.
    before: u64,
    /// The errors found before it: a line that is not understood may be what is missing.
    errors: usize,
    /// Whether it is in a comment.
    in_comment: bool,
}

/// Cards under a heading that is no part of a deck.
struct LeftOut<'a> {
    word: &'a str,
    copies: u64,
}

/// Where the columns of a Markdown table are, and how many there are.
#[derive(Clone, Copy)]
struct Columns {
    count: usize,
    name: usize,
    section: Option<usize>,
    all: usize,
}

/// A card as a line gives it.
#[derive(Clone, Copy)]
struct Given<'a> {
    count: u32,
    digits: &'a str,
    name: &'a str,
}

impl<'a> Given<'a> {
    /// Reads `3 Name`.
    fn leading(text: &'a str) -> Result<Given<'a>, Wrong> {
        let (count, name) = line::card(text)?;
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let digits = text.get(..digits).unwrap_or_default();
        Ok(Given {
            count,
            digits,
            name,
        })
    }

    /// Reads `Name x3`.
    fn trailing(text: &'a str) -> Option<Given<'a>> {
        let (count, digits, name) = marks::trailing_count(text)?;
        Some(Given {
            count,
            digits,
            name,
        })
    }

    /// A card whose count cannot be edited.
    fn uncounted(count: u32, name: &'a str) -> Given<'a> {
        Given {
            count,
            digits: "",
            name,
        }
    }
}

struct Reader<'a, 'f> {
    deck: Builder<'a, 'f>,
    line: u32,
    /// The place of cards without one of their own; `None` before the first heading.
    place: Option<Place>,
    /// Whether a heading was read.
    headed: bool,
    before: Before,
    /// Whether a blank line is between the last card and here.
    gap: bool,
    /// The first names after such lines.
    gaps: Vec<Span>,
    /// Whether the line before is a card with a bullet, or belongs to one.
    below_bullet: bool,
    /// All copies listed, and those of them that are left out.
    copies: u64,
    copies_left_out: u64,
    left_out: Vec<LeftOut<'a>>,
    total: Option<Total<'a>>,
    /// The totals of a group within a section, and of a group within that.
    groups: [Option<Total<'a>>; 2],
    grand: Option<Total<'a>>,
    /// A group in the game's own words, its total, and its first card line.
    own_group: Option<(Open<'a>, Option<Total<'a>>, usize)>,
    /// Lines that are no card, heading or header, since the last heading.
    prose: Vec<&'a str>,
    /// Comments, and whether each holds a card line.
    comments: Vec<(&'a str, bool)>,
    /// Whether Arena's `About` was read.
    about: bool,
    columns: Option<Columns>,
    /// Card lines, and those of them with marks of other programs.
    cards: usize,
    marked: usize,
    /// Whether something means nothing but a pasted list, such as a code fence.
    pasted: bool,
    /// Lines that only other programs write.
    foreign: Vec<&'a str>,
    /// Lines with marks that are noted in any list.
    noted: Vec<&'a str>,
    /// Names that were found by removing marks.
    unmarked: usize,
    /// The errors of comments that name sections, unless the list is a pasted one.
    comment_headings: Vec<(&'a str, Wrong)>,
    /// The errors of what follows from such comments, if the list is a pasted one.
    pasted_errors: Vec<(&'a str, Wrong)>,
    /// Whether the list is NetrunnerDB's, once that was asked or its end was read.
    footed: Option<bool>,
    lookups: Cell<u32>,
    wrong_totals: Option<Vec<(Span, u64)>>,
}

impl<'a, 'f> Reader<'a, 'f> {
    fn new(source: &'a str) -> Reader<'a, 'f> {
        let mut deck = Builder::new(source);
        // A card line has some 20 bytes: mostly, the lines are allocated once.
        deck.deck.lines = Vec::with_capacity((source.len() / 16).min(256));
        Reader {
            deck,
            line: 0,
            place: None,
            headed: false,
            before: Before::Nothing,
            gap: false,
            gaps: Vec::new(),
            below_bullet: false,
            copies: 0,
            copies_left_out: 0,
            left_out: Vec::new(),
            total: None,
            groups: [None, None],
            grand: None,
            own_group: None,
            prose: Vec::new(),
            comments: Vec::new(),
            about: false,
            columns: None,
            cards: 0,
            marked: 0,
            pasted: false,
            foreign: Vec::new(),
            noted: Vec::new(),
            unmarked: 0,
            comment_headings: Vec::new(),
            pasted_errors: Vec::new(),
            footed: None,
            lookups: Cell::new(0),
            wrong_totals: None,
        }
    }

    /// Reads the headers, which are before the first card: they name the format.
    fn headers(&mut self) {
        let mut about = false;
        for line in self.deck.source.lines() {
            let line = trimmed(line);
            if line.starts_with(|first: char| first.is_ascii_digit() || first == '|') {
                break;
            }
            if let Some((at, value)) = header_line(line, about)
                && !self.deck.deck.has(at)
            {
                let span = self.deck.span(value);
                self.deck.deck.set(at, Cow::Borrowed(value), span);
            }
            about |= line == "About";
        }
    }

    fn lines(&mut self) {
        let source = self.deck.source;
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', source.as_bytes()).chain([source.len()]) {
            self.line = self.line.saturating_add(1);
            let raw = source.get(start..end).unwrap_or_default();
            let line = trimmed(raw);
            match line.as_bytes() {
                [] => self.blank(),
                [b'0'..=b'9', ..] => self.counted(line, line, false),
                _ => self.other(raw, line),
            }
            if self.deck.full() {
                return;
            }
            start = end + 1;
        }
    }

    fn blank(&mut self) {
        self.gap |= self.before == Before::Card;
        if self.before != Before::Heading {
            self.before = Before::Blank;
        }
        self.columns = None;
    }

    /// Reads a line that begins with a digit. `line` is the whole line, `text` what is left of it
    /// without quotes and bullets; `foreign`: only other programs write it so.
    fn counted(&mut self, line: &'a str, text: &'a str, foreign: bool) {
        match Given::leading(text) {
            Ok(given) if foreign || marks::may_be_marked(given.name) => {
                self.marked_card(line, given, None, foreign);
            }
            Ok(given) => {
                let span = self.deck.span(given.name);
                self.push(given, Cow::Borrowed(given.name), span, None);
            }
            Err(wrong) => self.odd_digits(line, text, wrong),
        }
    }

    /// Reads a line that begins with no digit.
    fn other(&mut self, raw: &'a str, line: &'a str) {
        let text = marks::unquoted(line);
        let foreign = text.len() < line.len();
        if let Some(word) = marks::fence(text) {
            self.pasted = true;
            if !marks::is_language(word) {
                let message = format!("{} is after the marks of a code block.", quoted(word));
                let help = format!("Write {} on a line of its own.", quoted(word));
                self.wrong(line, Wrong::new(message, help));
            }
            return;
        }
        if let Some(cells) = marks::cells(text) {
            return self.row(line, &cells);
        }
        self.columns = None;
        match text.as_bytes() {
            // DOS ends a file with Ctrl-Z.
            [] | [0x1a] => return self.blank(),
            [b'0'..=b'9', ..] => return self.counted(line, text, foreign),
            _ => {}
        }
        if self.is_header(line) {
            return;
        }
        if marks::is_rule(text) {
            return self.rule(line);
        }
        if let Some(rest) = marks::bullet(text) {
            return self.bullet(raw, line, rest);
        }
        self.below_bullet = false;
        if text.starts_with(['#', '!']) || text.starts_with("//") {
            return self.comment(line, text);
        }
        if let Some((word, total, dressed)) = self.section_heading(text) {
            return self.heading(line, word, total, foreign || dressed);
        }
        if self.names().open && heading::is_bracketed(text) {
            return self.open_section(line, text);
        }
        if let Some(inner) = marks::emphasized(text)
            && line::looks_counted(inner)
        {
            return self.counted(line, inner, true);
        }
        if let Some(counted) = marks::wide_count(text) {
            return match counted {
                Ok((count, name)) => {
                    self.marked_card(line, Given::uncounted(count, name), None, true);
                }
                Err(wrong) => self.wrong(line, wrong),
            };
        }
        if self.inline_section(line, text) || self.stated_total(line, text) {
            return;
        }
        if let Some(given) = Given::trailing(text) {
            return self.trailing(line, text, given);
        }
        if !self.group(text) {
            self.words(line, text);
        }
    }

    /// Whether a line is a header; one below cards is an error.
    fn is_header(&mut self, line: &'a str) -> bool {
        if line.starts_with(['[', '#', '/']) {
            return false;
        }
        if line == "About" && self.is_top() && self.names().find(line).is_none() {
            let rest = self.deck.source.get(self.deck.span(line).end..);
            let next = rest.and_then(|rest| rest.trim_start().lines().next());
            self.about = next.is_some_and(|next| next.starts_with("Name "));
            return self.about;
        }
        let Some((at, value)) = header_line(line, self.about && self.is_top()) else {
            return false;
        };
        if self.is_top() {
            if std::mem::replace(&mut self.deck.seen[at], true) {
                let message = format!("The header `{}` is given twice.", HEADERS[at]);
                self.wrong(line, Wrong::new(message, "Keep one of the two lines."));
            }
            return true;
        }
        let key = line.split(':').next().unwrap_or_default();
        if value.is_empty() && self.names().find(key).is_some() {
            return false;
        }
        let wrong = match self.deck.seen[at] {
            true => Wrong::new(
                format!(
                    "The header `{}` is here again, as if another deck began.",
                    HEADERS[at]
                ),
                "Give each deck a file of its own, or begin the line with `#` to make it a comment.",
            ),
            false => Wrong::new(
                format!(
                    "The header `{}` is below the first section or card.",
                    HEADERS[at]
                ),
                "Move the line to the top of the deck, or begin it with `#` to make it a comment.",
            ),
        };
        self.wrong(line, wrong);
        true
    }

    /// Whether no heading and no card was read yet.
    fn is_top(&self) -> bool {
        self.place.is_none() && self.cards == 0
    }

    fn names(&self) -> SectionNames<'f> {
        self.deck.names
    }

    /// Returns the section that a line names, its total, and whether only other programs write it
    /// so.
    fn section_heading(&self, text: &'a str) -> Option<(&'a str, Option<&'a str>, bool)> {
        let names = self.names();
        let is_section = |word: &str| names.find(word).is_some();
        let own = heading(text);
        if is_section(own.word) {
            return Some((own.word, own.total, false));
        }
        if is_section(text) {
            return Some((text, None, false));
        }
        let inner = heading(own.word);
        if own.total.is_none() && is_section(inner.word) {
            return Some((inner.word, inner.total, false));
        }
        let (word, total) = heading::with_total(heading::unframed(text));
        let word = heading::unframed(word);
        let left_out = is_left_out(word) && !names.open;
        (is_section(word) || left_out).then_some((word, total, word != own.word))
    }

    /// Begins a section.
    fn heading(&mut self, line: &'a str, word: &'a str, total: Option<&'a str>, foreign: bool) {
        self.close();
        self.note_prose();
        if foreign {
            self.foreign.push(line);
            self.cards += 1;
            self.marked += 1;
            self.pasted |= heading::is_plain_total(line);
        }
        self.headed = true;
        self.before = Before::Heading;
        self.gap = false;
        let names = self.names();
        let span = self.deck.span(word);
        self.place = Some(match names.find(word) {
            Some(id) => self.enter(id, span),
            None if names.open => self.enter(&crate::name::fold(word), span),
            None => {
                self.left_out.push(LeftOut { word, copies: 0 });
                Place::LeftOut(self.left_out.len() - 1)
            }
        });
        self.total = total.map(|digits| self.total_of(word, digits));
    }

    fn enter(&mut self, id: &str, span: Span) -> Place {
        self.deck
            .enter(id, span)
            .map_or(Place::Lost, Place::Section)
    }

    fn total_of(&self, word: &'a str, digits: &'a str) -> Total<'a> {
        Total {
            word,
            digits,
            before: self.copies,
            errors: self.deck.errors.len(),
            in_comment: false,
        }
    }

    /// Ends a section: every total in it must be right.
    fn close(&mut self) {
        self.close_own_group();
        for at in [1, 0] {
            if let Some(total) = self.groups[at].take() {
                let counted = self.copies - total.before;
                self.judge(&total, &[counted], "in this group");
            }
        }
        if let Some(total) = self.total.take() {
            let counted = self.copies - total.before;
            self.judge(&total, &[counted], "listed below it");
        }
    }

    fn close_own_group(&mut self) {
        if let Some((open, total, first)) = self.own_group.take() {
            if let Some(total) = total {
                let counted = self.copies - total.before;
                self.judge(&total, &[counted], "listed below it");
            }
            let lines = first..self.deck.deck.lines.len();
            self.deck.deck.groups.push(open.close(lines));
        }
    }

    /// Compares a total with the copies counted.
    fn judge(&mut self, total: &Total<'a>, counted: &[u64], place: &str) {
        let right = counted
            .iter()
            .any(|counted| total.digits.parse() == Ok(*counted));
        let counted = counted.first().copied().unwrap_or_default();
        if right || self.deck.errors.len() > total.errors {
            return;
        }
        if let Some(wrong) = &mut self.wrong_totals {
            wrong.push((self.deck.span(total.digits), counted));
            return;
        }
        let verb = if counted == 1 { "is" } else { "are" };
        let message = format!(
            "{} should have {} {}, but {counted} {verb} {place}.",
            quoted(total.word),
            quoted(total.digits),
            heading::card_or_cards(total.digits)
        );
        let help = if self.names().open {
            let card = line::example(total.digits, total.word);
            format!("Correct the total or the lines. If the line is a card, write {card}.")
        } else {
            "Correct the total or the lines, or leave the total out.".to_owned()
        };
        match total.in_comment {
            true => self
                .pasted_errors
                .push((total.word, Wrong::new(message, help))),
            false => self.wrong(total.word, Wrong::new(message, help)),
        }
    }

    /// Reads a total of the whole list: `Total: 60`, `Total Cards - 60`.
    fn stated_total(&mut self, line: &'a str, text: &'a str) -> bool {
        let (word, digits) = heading::with_total(heading::unframed(text));
        let behind = word.rsplit_once(' ').filter(|(_, digits)| {
            digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty()
        });
        let (word, digits) = match (digits, behind) {
            (Some(digits), _) => (word, digits),
            (None, Some(found)) => found,
            (None, None) => return false,
        };
        let folded = crate::name::fold(word);
        if !matches!(&*folded, "total" | "total cards" | "cards" | "deck total") {
            return false;
        }
        self.close();
        self.note_prose();
        self.grand = Some(Total {
            before: 0,
            errors: 0,
            ..self.total_of(word, digits)
        });
        self.pasted |= heading::is_plain_total(line);
        if !self.is_top() {
            self.place = Some(Place::Lost);
        }
        (self.gap, self.before) = (false, Before::Other);
        true
    }

    /// Begins a group within a section: one with a total in bold or italics, or one in the game's
    /// own words.
    fn group(&mut self, text: &'a str) -> bool {
        if let Some((word, digits, within)) = marks::group(text)
            && matches!(self.place, Some(Place::Section(_)))
            && !self.is_near_section(word)
        {
            for at in if within { 1..2 } else { 0..2 } {
                if let Some(total) = self.groups[at].take() {
                    let counted = self.copies - total.before;
                    self.judge(&total, &[counted], "in this group");
                }
            }
            self.groups[usize::from(within)] = Some(self.total_of(word, digits));
            let about = "is read as a group of cards, and not as a section";
            self.note_once(&format!("{} {about}", quoted(word)));
            (self.gap, self.before) = (false, Before::Heading);
            return true;
        }
        let names = self.names();
        let (outer, total) = heading::with_total(heading::unframed(text));
        let Some(open) = Open::of(outer, &names) else {
            return false;
        };
        self.close_own_group();
        let total = total.map(|digits| self.total_of(outer, digits));
        self.own_group = Some((open, total, self.deck.deck.lines.len()));
        self.note_prose();
        (self.gap, self.before) = (false, Before::Heading);
        true
    }

    /// Whether a word is nearly the name of a section.
    fn is_near_section(&self, word: &str) -> bool {
        let names = self.names();
        let known = names.names.iter().map(|(name, _)| name.as_str());
        !crate::name::nearest(&crate::name::fold(word), known).is_empty()
    }

    /// Reads a line of signs: it underlines a heading, or may be meant to begin a section.
    fn rule(&mut self, line: &'a str) {
        if self.cards > 0 && self.before != Before::Heading {
            self.add_prose(line);
        }
    }

    /// Reads a line that begins as comments do.
    #[cold]
    fn comment(&mut self, line: &'a str, text: &'a str) {
        let names = self.names();
        let inner = heading::unframed(text);
        let (word, total) = heading::with_total(inner);
        let word = heading::unframed(word);
        // Cockatrice writes `// 12 Maindeck`.
        let before = inner.split_once(' ').filter(|(digits, word)| {
            text.starts_with("//")
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && names.find(word).is_some()
        });
        if let Some((digits, word)) = before {
            return self.heading(line, word, Some(digits), true);
        }
        let named = section_in_comment(text, &names).map(|(word, _)| word);
        if let Some(word) = named.or_else(|| names.find(word).map(|_| word)) {
            if self.comment_headings.len() < MOST_ERRORS {
                let wrong = comment_heading(line, word, &names);
                self.comment_headings.push((line, wrong));
            }
            if names.find(word).is_none() && !names.open && !is_left_out(word) {
                let wrong = heading::no_section(word, &names);
                self.pasted_errors.push((line, wrong));
                self.place = Some(Place::Lost);
                return;
            }
            let total = total.filter(|_| named.is_none_or(|named| named == word));
            self.heading(text, word, total, false);
            if let Some(total) = &mut self.total {
                total.in_comment = true;
            }
            return;
        }
        if text.starts_with('!') {
            let message = format!(
                "{} begins with `!`, which means nothing here.",
                quoted(line)
            );
            return self.wrong(
                line,
                Wrong::new(message, "Begin a comment with `#` or `//`."),
            );
        }
        let is_title = text.starts_with("##") && !word.is_empty();
        if is_title && (total.is_some() || names.open && self.bullets_follow(line)) {
            if names.open {
                return self.heading(line, word, total, true);
            }
            self.place = Some(Place::Lost);
            return self.wrong(line, heading::no_section(word, &names));
        }
        let holds = holds_card(text, &names);
        if self.comments.len() < MOST_ERRORS {
            self.comments.push((line, holds));
        }
        (self.gap, self.before) = (false, Before::Other);
    }

    /// Whether the next line that is not empty has a bullet.
    fn bullets_follow(&self, line: &str) -> bool {
        let end = self.deck.span(line).end;
        let rest = self.deck.source.get(end..).unwrap_or_default();
        let mut lines = rest.lines().map(trimmed).filter(|line| !line.is_empty());
        lines
            .next()
            .is_some_and(|next| marks::bullet(next).is_some())
    }

    /// Reads a line of words: a new section where the format has any, else prose.
    #[cold]
    fn words(&mut self, line: &'a str, text: &'a str) {
        let names = self.names();
        if let Some(wrong) = line::odd_count(text).or_else(|| bracketed_count(text)) {
            return match self.known(text) {
                true => self.no_count(line, text),
                false => self.wrong(line, wrong),
            };
        }
        if self.footed() {
            if ASIDE.iter().any(|start| text.starts_with(start)) {
                return;
            }
            if self.is_top() && heading(text).total.is_none() {
                return self.above(line, text);
            }
        }
        if let Some((key, value)) = text.split_once(':')
            && self.is_top()
            && !text.starts_with('[')
            && !value.trim().is_empty()
            && !heading::is_total(value.trim())
        {
            return match self.is_titled_markdown() {
                true => self.add_prose(line),
                false => self.unknown_header(line, key.trim_end()),
            };
        }
        if let Heading {
            word,
            total: Some(digits),
        } = heading(text)
            && self.known(word)
        {
            let message = format!("{} has its count after the name.", quoted(text));
            let help = format!("Write {}.", line::example(digits, word));
            return self.wrong(line, Wrong::new(message, help));
        }
        if let Some(parts) = marks::listed_names(text)
            && let Some(first) = parts.first()
            && !self.known(text)
        {
            let copies = parts.iter().filter(|part| *part == first).count();
            if copies > 1 || parts.iter().all(|part| self.known(part)) {
                let message = format!("{} is more than one card.", quoted(text));
                let example = line::example(&copies.to_string(), first);
                let help = format!("Write one card a line, with its count: {example}.");
                return self.wrong(line, Wrong::new(message, help));
            }
        }
        let letters = text.trim_matches(|c: char| !c.is_alphabetic());
        if let Some(name) = [text, letters].into_iter().find(|name| self.known(name)) {
            return self.no_count(line, name);
        }
        if names.open {
            return self.open_section(line, text);
        }
        let (word, total) = heading::with_total(heading::unframed(text));
        let word = heading::unframed(word);
        let slip = || {
            let pool = names.pool.filter(|_| text.len() <= LONGEST_NAME);
            pool.is_some_and(|pool| pool.slip_of(text).1)
        };
        let wrong = total.is_some()
            || text.starts_with('[')
            || matches!(self.before, Before::Card | Before::Heading)
            || line::in_letters(text).is_some()
            || slip();
        if wrong {
            let word = if word.is_empty() { text } else { word };
            self.wrong(line, heading::no_section(word, &names));
            self.place = Some(Place::Lost).filter(|_| self.place.is_some());
            // The lines below it are no prose either.
            self.before = Before::Card;
            return;
        }
        self.add_prose(line);
    }

    /// Begins a section of a format in which a deck may name any.
    fn open_section(&mut self, line: &'a str, text: &'a str) {
        let own = heading(text);
        let framed = text.starts_with(['*', '=', '-', '_', '~']);
        let (word, total) = match framed {
            true => heading::with_total(heading::unframed(text)),
            false => (own.word, own.total),
        };
        let word = if framed {
            heading::unframed(word)
        } else {
            word
        };
        // A line between rules above everything else is the list's title.
        if self.is_top() && heading::is_ruled(text) && !heading::is_common(word) {
            return self.add_prose(line);
        }
        let code = |c: char| matches!(c, '=' | '|' | '{' | '}' | '<' | '>' | '\\' | '\t');
        let wrong = if word.is_empty() || (word.contains(code) && !text.starts_with('[')) {
            let help = "Write the section's name on a line of its own.";
            Some(Wrong::new(
                format!("{} names no section.", quoted(text)),
                help,
            ))
        } else {
            heading::may_be_counted(text)
        };
        match wrong {
            Some(wrong) => self.wrong(line, wrong),
            None => self.heading(line, word, total, framed),
        }
    }

    fn add_prose(&mut self, line: &'a str) {
        if self.prose.len() < MOST_ERRORS {
            self.prose.push(line);
        }
        self.before = Before::Other;
    }

    /// Whether the list begins with a Markdown title and has headings below it.
    fn is_titled_markdown(&self) -> bool {
        let source = self.deck.source;
        source.trim_start().starts_with("# ") && source.contains("\n## ")
    }

    /// Whether the list ends as NetrunnerDB's do.
    fn footed(&mut self) -> bool {
        let source = self.deck.source.as_bytes();
        let has = |words: &[u8]| memchr::memmem::find(source, words).is_some();
        *self
            .footed
            .get_or_insert_with(|| has(b" influence spent (max ") || has(b" cards (min "))
    }

    #[cold]
    fn unknown_header(&mut self, line: &'a str, key: &str) {
        let known = HEADERS.map(str::to_ascii_lowercase);
        let near = crate::name::nearest(&crate::name::fold(key), known.iter().map(String::as_str));
        let meant = near.first().and_then(|near| header(near));
        let meant = meant.map_or(String::new(), |at| {
            format!("Did you mean `{}`? ", HEADERS[at])
        });
        let keys = HEADERS.map(|key| format!("`{key}`"));
        let help = format!(
            "{meant}The headers are {}. Write a section on a line of its own.",
            listed(&keys, "and")
        );
        let message = format!("{} is no header of a deck.", quoted(key));
        self.wrong(line, Wrong::new(message, help));
    }

    /// Reports a card without a count.
    #[cold]
    fn no_count(&mut self, line: &'a str, name: &str) {
        let message = format!("{} has no count.", quoted(name));
        let help = format!("Write the number of copies: {}.", line::example("1", name));
        self.wrong(line, Wrong::new(message, help));
    }

    /// Reports an error in a line. It may be a card, so that totals are not compared then.
    #[cold]
    fn wrong(&mut self, line: &'a str, wrong: Wrong) {
        let span = self.deck.span(line);
        self.deck.wrong(span, wrong.message, wrong.help);
    }
}

/// Notes the comments of a deck in YAML that hold a card line or a section.
pub(super) fn note_comments(deck: &mut Deck<'_>, source: &str, names: &SectionNames<'_>) {
    let comments = source.lines().map(str::trim);
    let comments = comments.filter(|line| line.starts_with('#'));
    let holding = comments
        .filter(|line| section_in_comment(line, names).is_some() || holds_card(line, names));
    for line in holding.take(MOST_NOTES) {
        deck.note(format!("passed over as a comment: {}", quoted(line)));
    }
}

/// Reads a header: its position in [`HEADERS`], and its value. `about`: the line follows Arena's
/// `About`.
fn header_line(line: &str, about: bool) -> Option<(usize, &str)> {
    match line.split_once(':') {
        Some((key, value)) => Some((header(key.trim_end())?, value.trim())),
        None if about => Some((1, line.strip_prefix("Name ")?.trim())),
        None => None,
    }
}

/// Returns the error of a comment that names a section.
fn comment_heading(line: &str, word: &str, names: &SectionNames<'_>) -> Wrong {
    let known = names.find(word).is_some() || names.open;
    if line.starts_with('!') {
        let help = match known {
            true => format!("Write {}.", quoted(word)),
            false => heading::sections(names),
        };
        let message = format!("{} is not how a section begins here.", quoted(line));
        return Wrong::new(message, help);
    }
    let help = match known {
        true => format!(
            "To begin the section, write {}; to keep a comment, add a word to it.",
            quoted(word)
        ),
        false => format!(
            "{} To keep a comment, add a word to it.",
            heading::sections(names)
        ),
    };
    let message = format!(
        "{} is a comment here, but other programs begin a section with it.",
        quoted(line)
    );
    Wrong::new(message, help)
}

/// Reports a count in brackets: `(4) Name`.
fn bracketed_count(text: &str) -> Option<Wrong> {
    let close = match text.as_bytes().first()? {
        b'(' => ')',
        b'[' => ']',
        b'{' => '}',
        _ => return None,
    };
    let (digits, name) = text.get(1..)?.split_once(close)?;
    line::count(digits.trim()).ok()?;
    let name = name.trim();
    (!name.is_empty() && name != ":").then(|| {
        Wrong::new(
            format!("{} has brackets around its count.", quoted(text)),
            format!("Write {}.", line::example(digits.trim(), name)),
        )
    })
}

/// Whether a comment is a card line or a heading after its mark, or ends in one: a mark put it
/// aside, or a line break was lost.
fn holds_card(comment: &str, names: &SectionNames<'_>) -> bool {
    let card = |text: &str| {
        let pool = names.pool;
        line::card(text).is_ok_and(|(_, name)| pool.is_some_and(|pool| pool.find(name).is_some()))
    };
    let text = comment.trim_start_matches(['#', '/']).trim_start();
    if card(marks::bullet(text).unwrap_or(text)) {
        return true;
    }
    let letters = text.char_indices();
    let before = text.chars();
    letters.skip(1).zip(before).any(|((at, letter), before)| {
        let rest = text.get(at..).unwrap_or_default();
        match letter {
            '0'..='9' => before.is_alphabetic() && card(rest),
            '[' => names.find(heading(rest).word).is_some(),
            _ => {
                let glued = letter.is_uppercase() && before.is_lowercase();
                glued && names.find(heading(rest).word).is_some()
            }
        }
    })
}

/// Finds a vertical tab or a line or paragraph separator between two words: Word and web pages
/// break lines with them.
fn odd_line_break(source: &str) -> Option<usize> {
    let bytes = source.as_bytes();
    memchr::memchr2(0x0b, 0xe2, bytes)?;
    let mut found = source.match_indices(['\u{b}', '\u{2028}', '\u{2029}']);
    found.find_map(|(at, sign)| {
        let before = source.get(..at)?.chars().next_back();
        let after = source.get(at + sign.len()..)?.chars().next();
        let inside = |next: Option<char>| next.is_some_and(|next| !matches!(next, '\r' | '\n'));
        (inside(before) && inside(after)).then_some(at)
    })
}

/// Returns a line without white space around it. Nearly every line has none.
fn trimmed(line: &str) -> &str {
    match line.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => line,
        _ => line.trim_matches(|c: char| c.is_whitespace() || crate::name::is_mark(c)),
    }
}
