//! Decks in text: decklaw's own, and lists as players paste them from other programs.
//!
//! Three rules decide how a list is read:
//! 1. Marks around a name are removed only until the pool knows the name.
//! 2. A line that is no card, heading or header is prose: noted above a heading or at the end, an
//!    error next to cards.
//! 3. A total that the list states must be right.
//!
//! Each line is first classified ([`Reader::classify`], with `words.rs` for lines without a count)
//! and then added to the deck ([`Reader::add`], with `card.rs` for cards). What only the whole list
//! shows is decided at its end (`end.rs`): what other programs write and decklaw does not, such as
//! `- 3 Name` or `// Side`, is understood where most lines of the list are written so. A single
//! line of that kind is noted, and a single comment that names a section is an error.
//!
//! Folders of 100,000 decks are read in seconds, so a plain line costs no allocation.

mod card;
mod end;
mod gaps;
mod words;

pub(super) use words::note_comments;

use super::builder::{BREAK_OR_JOIN, Builder, Gap};
use super::count::{self, CountedName, Wrong};
use super::heading::{self, Heading, heading};
use super::table::{Columns, SectionCell};
use super::{
    CardLine, Deck, Group, HEADERS, LeftOut, MOST_ERRORS, SectionNames, SyntaxError, board, header,
    marks, quoted,
};
use decklaw_cards::pool::Pool;
use decklaw_text::fault::Fault;
use decklaw_text::text::Span;
use gaps::Gaps;
use std::borrow::Cow;
use std::cell::Cell;

/// The most notes of one kind.
const MOST_NOTES: usize = 5;

/// The most lookups of parts of names that no card has: longer lists of them are of another game.
const MOST_LOOKUPS: u32 = 200_000;

/// Whether a section's bare name would be read as something else: a total, a counted card.
pub(super) fn is_ambiguous(id: &str) -> bool {
    id == "about"
        || count::in_letters(id).is_some()
        || count::trailing_count(id).is_some()
        || ["total", "cards", "deck total"].iter().any(|word| id.starts_with(word))
}

/// Reads the headers, which are before the first card: they name the format. Returns whether the
/// list begins with Arena's `About` and `Name NAME`.
pub(super) fn headers(builder: &mut Builder<'_, '_>) -> Result<bool, Vec<SyntaxError>> {
    let source = builder.source;
    if let Some(at) = odd_line_break(source) {
        let message = "This line has a line break that is neither LF nor CRLF.";
        let help = "Save the deck with lines that end in LF or CRLF.";
        let span = Span::new(at, at + 1);
        return Err(vec![SyntaxError::at(source, span, message, help)]);
    }
    let (mut about, mut has_about) = (false, false);
    for line in source.lines() {
        let line = trimmed(line);
        if line.starts_with(|first: char| first.is_ascii_digit() || first == '|') {
            break;
        }
        if let Some((at, value)) = header_line(line, about)
            && !builder.deck.has(at)
        {
            let span = builder.span(value);
            builder.deck.set(at, Cow::Borrowed(value), span);
        }
        has_about |= about && line.starts_with("Name ");
        about = line == "About" || about && line.is_empty();
    }
    Ok(has_about)
}

/// Reads the cards of a deck in text, whose headers were read.
pub(super) fn read<'a>(
    builder: Builder<'a, '_>,
    about: bool,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let mut reader = Reader::new(builder, about);
    reader.lines();
    reader.finish()
}

/// Returns the totals of a deck's headings that are wrong, each with the copies counted.
pub(super) fn wrong_totals(source: &str, names: SectionNames<'_>) -> Vec<(Span, u64)> {
    let mut builder = Builder::new(source, names);
    let about = headers(&mut builder).unwrap_or_default();
    let mut reader = Reader::new(builder, about);
    reader.totals.wrong = Some(Vec::new());
    reader.lines();
    reader.close_list();
    reader.totals.wrong.unwrap_or_default()
}

/// What a line is.
enum Line<'a> {
    Blank,
    /// A line that says nothing of the deck.
    Aside,
    /// A bullet without a count, further in than the card above it.
    Detail,
    /// A code fence and the word after it.
    Fence(&'a str),
    /// A header, by its position in [`HEADERS`].
    Header(usize),
    /// A line of signs.
    Rule,
    /// The cells of a row of a Markdown table.
    Row(Vec<&'a str>),
    Comment {
        holds_card: bool,
    },
    /// A comment that other programs begin a section with.
    CommentHeading(Heading<'a>),
    /// A section's heading.
    Heading {
        heading: Heading<'a>,
        foreign: bool,
    },
    /// A group with a total in bold or italics.
    BoldGroup {
        heading: Heading<'a>,
        level: Level,
    },
    /// A group in the game's own words, and its total.
    Group(Group<'a>, Option<&'a str>),
    /// The total of the whole list.
    Total(Heading<'a>),
    /// A number of cards above or below them: `60 cards`.
    Count(Heading<'a>),
    /// A card; `foreign`: only other programs write its line so.
    Card {
        given: CountedName<'a>,
        foreign: bool,
    },
    /// Cards on one line with their section.
    Inline {
        word: &'a str,
        cards: &'a str,
        key: &'a str,
    },
    /// A card above a list, without a count.
    Identity(&'a str),
    Prose,
    /// A heading of no section: the cards below it go nowhere.
    NoSection(Wrong),
    Wrong(Wrong),
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
    Heading,
    Card,
    Other,
}

/// What a total counts, the largest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Section,
    Bold,
    Italic,
    Words,
}

/// A total that the list states, while the copies below it are counted.
struct Total<'a> {
    heading: Heading<'a>,
    level: Level,
    /// The copies listed before it.
    before: u64,
    /// Copies listed below it that a mark puts elsewhere: it may count them or not.
    moved: u64,
    /// The errors found before it: a line that is not understood may be what is missing.
    errors: usize,
    is_comment: bool,
}

struct Reader<'a, 'f> {
    builder: Builder<'a, 'f>,
    line: u32,
    /// The place of cards without one of their own; `None` before the first heading.
    place: Option<Place>,
    /// Whether a heading was read.
    headed: bool,
    before: Before,
    gaps: Gaps,
    /// Whether the last line above that is not blank has a bullet.
    below_bullet: bool,
    /// All copies listed, and those above the last heading.
    copies: u64,
    above: u64,
    /// Sections that are no part of a deck, and where each is first named.
    left_out: Vec<(LeftOut<'a>, Span)>,
    totals: Totals<'a>,
    group: Option<Group<'a>>,
    aside: Aside<'a>,
    /// Whether the list begins with Arena's `About` and `Name NAME`.
    about: bool,
    columns: Option<Columns>,
    style: Style,
    /// Whether the list ends as NetrunnerDB's do.
    footed: bool,
    lookups: Cell<u32>,
}

/// The totals that a list states.
#[derive(Default)]
struct Totals<'a> {
    /// Those whose cards are not counted to the end, the outer ones first.
    open: Vec<Total<'a>>,
    /// That of the whole list.
    grand: Option<Total<'a>>,
    /// Those that are wrong, where they are collected instead of reported.
    wrong: Option<Vec<(Span, u64)>>,
}

/// Lines that are no part of a deck, or only in some lists.
#[derive(Default)]
struct Aside<'a> {
    /// Lines of prose since the last heading.
    prose: Vec<&'a str>,
    /// Comments, and whether each may hold a card or a section.
    comments: Vec<(&'a str, bool)>,
    /// Lines that only other programs write, and whether they are noted in pasted lists, too.
    foreign: Vec<(&'a str, bool)>,
    /// Errors of pasted lists (`true`) or of all others.
    undecided: Vec<(bool, &'a str, Wrong)>,
}

/// How a list is written.
#[derive(Default)]
struct Style {
    /// Card lines, and those of them with marks of other programs.
    cards: usize,
    marked: usize,
    /// Whether something means nothing but a pasted list, such as a code fence.
    pasted: bool,
    /// Whether a name was found by removing marks.
    unmarked: bool,
}

impl<'a, 'f> Reader<'a, 'f> {
    fn new(mut builder: Builder<'a, 'f>, about: bool) -> Reader<'a, 'f> {
        let source = builder.source;
        // A card line has some 20 bytes: mostly, the lines are allocated once.
        builder.deck.lines = Vec::with_capacity((source.len() / 16).min(256));
        let is_foot = |at: usize| {
            let (before, behind) = source.as_bytes().split_at(at);
            let is =
                |first: &[u8], last: &[u8]| before.ends_with(first) && behind.starts_with(last);
            is(b" influence spent ", b"(max ") || is(b" cards ", b"(min ")
        };
        Reader {
            builder,
            line: 0,
            place: None,
            headed: false,
            before: Before::Other,
            gaps: Gaps::default(),
            below_bullet: false,
            copies: 0,
            above: 0,
            left_out: Vec::new(),
            totals: Totals::default(),
            group: None,
            aside: Aside::default(),
            about,
            columns: None,
            style: Style::default(),
            footed: memchr::memchr_iter(b'(', source.as_bytes()).any(is_foot),
            lookups: Cell::new(0),
        }
    }

    fn names(&self) -> SectionNames<'f> {
        self.builder.names
    }

    fn pool(&self) -> Option<&'f Pool> {
        self.names().pool.filter(|pool| !pool.is_empty())
    }

    /// Whether no heading and no card was read yet.
    fn is_top(&self) -> bool {
        self.place.is_none() && self.style.cards == 0
    }

    fn lines(&mut self) {
        let source = self.builder.source;
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', source.as_bytes()).chain([source.len()]) {
            self.line = self.line.saturating_add(1);
            let raw = source.get(start..end).unwrap_or_default();
            let line = trimmed(raw);
            match CountedName::leading(line) {
                Some(given) if !marks::may_be_marked(given.name) && !is_count(given.name) => {
                    self.push(given, Cow::Borrowed(given.name), None);
                }
                _ => {
                    let read = self.classify(raw, line);
                    self.add(line, read);
                    if !line.is_empty() {
                        self.below_bullet = marks::bullet(marks::unquoted(line)).is_some();
                    }
                }
            }
            if self.builder.full() {
                return;
            }
            start = end + 1;
        }
    }

    fn classify(&self, raw: &str, line: &'a str) -> Line<'a> {
        let text = marks::unquoted(line);
        // DOS ends a file with Ctrl-Z.
        if text.is_empty() || text == "\u{1a}" {
            return Line::Blank;
        }
        let foreign = text.len() < line.len();
        if let Some(given) = CountedName::leading(text) {
            // Of an unknown game it may be the name of a card.
            if is_count(given.name) && !self.names().open && !self.is_known(given.name) {
                return Line::Count(Heading { word: text, total: Some(given.digits) });
            }
            return Line::Card { given, foreign };
        }
        if let Some(word) = marks::fence(text) {
            return Line::Fence(word);
        }
        if let Some(cells) = marks::cells(text) {
            return Line::Row(cells);
        }
        if let Some(header) = self.header(line) {
            return header;
        }
        if marks::is_rule(text) {
            return Line::Rule;
        }
        if let Some(rest) = marks::bullet(text) {
            return self.bullet(raw, line, rest);
        }
        if text.starts_with(['#', '!']) || text.starts_with("//") {
            return self.comment(text);
        }
        if let Some((heading, framed)) = self.section(text) {
            let foreign = foreign || framed;
            return Line::Heading { heading, foreign };
        }
        if self.names().open && heading::is_bracketed(text) {
            return self.open_section(text);
        }
        if let Some(card) = self.leading_count(text) {
            return card;
        }
        stated_total(text)
            .or_else(|| self.inline_section(text))
            .or_else(|| self.trailing_count(text))
            .or_else(|| self.group(text))
            .unwrap_or_else(|| self.words(text))
    }

    /// Reads a header; one below cards is an error.
    fn header(&self, line: &'a str) -> Option<Line<'a>> {
        if line.starts_with(['[', '#', '/']) {
            return None;
        }
        if line == "About" && self.about && self.is_top() && self.names().find(line).is_none() {
            return Some(Line::Aside);
        }
        let (at, value) = header_line(line, self.about && self.is_top())?;
        if self.is_top() {
            return Some(Line::Header(at));
        }
        let key = line.split(':').next().unwrap_or_default();
        if value.is_empty() && self.names().find(key).is_some() {
            return None;
        }
        let message = format!("The header `{}` is below the first section or card.", HEADERS[at]);
        let help = "Move the line to the top of its deck, and give each deck a file of its own; or begin the line with `#` to make it a comment.";
        Some(Line::Wrong(Wrong::new(message, help)))
    }

    /// Returns the section that a line names, and whether only other programs write it so.
    fn section(&self, text: &'a str) -> Option<(Heading<'a>, bool)> {
        let names = self.names();
        let is_section = |heading: &Heading<'_>| names.find(heading.word).is_some();
        let own = heading(text);
        let whole = Heading { word: text, total: None };
        let inner = match own.total {
            None => heading(own.word),
            Some(_) => own,
        };
        if let Some(own) = [own, whole, inner].into_iter().find(is_section) {
            return Some((own, false));
        }
        let framed = heading::framed(text);
        let is_left_out = !names.open && board::is_left_out(framed.word);
        (is_section(&framed) || is_left_out).then_some((framed, framed.word != own.word))
    }

    /// Reads a group within a section: one with a total in bold or italics, or one in the game's
    /// own words.
    fn group(&self, text: &'a str) -> Option<Line<'a>> {
        let names = self.names();
        let is_near_section = |word: &str| {
            let known = names.names.iter().map(|(name, _)| name.as_str());
            !decklaw_text::name::nearest(&decklaw_text::name::fold(word), known).is_empty()
        };
        if let Some((word, total, is_inner)) = marks::group(text)
            && matches!(self.place, Some(Place::Section(_)))
            && !is_near_section(word)
        {
            let level = if is_inner { Level::Italic } else { Level::Bold };
            let total = Some(total);
            let heading = Heading { word, total };
            return Some(Line::BoldGroup { heading, level });
        }
        let Heading { word, total } = heading::framed(text);
        let group = Group::of(word, &names)?;
        Some(Line::Group(group, total))
    }

    /// Adds a line to the deck.
    fn add(&mut self, line: &'a str, read: Line<'a>) {
        if !matches!(read, Line::Row(_) | Line::Card { .. }) {
            self.columns = None;
        }
        match read {
            Line::Blank => {
                self.gaps.blank();
                if self.before == Before::Card {
                    self.before = Before::Other;
                }
            }
            Line::Aside => {}
            Line::Detail => {
                self.note_once(Fault::LeftOut, "ignored: lines further in, below a card");
            }
            Line::Fence(word) => {
                self.style.pasted = true;
                self.gaps.blank();
                if !marks::is_language(word) {
                    let message = format!("{} is after the marks of a code block.", quoted(word));
                    let help = format!("Write {} on a line of its own.", quoted(word));
                    self.wrong(line, Wrong::new(message, help));
                }
            }
            Line::Header(at) => {
                if std::mem::replace(&mut self.builder.seen[at], true) {
                    let message = format!("The header `{}` is given twice.", HEADERS[at]);
                    self.wrong(line, Wrong::new(message, "Keep one of the two lines."));
                }
            }
            Line::Rule => {
                // A rule below a heading underlines it.
                if self.style.cards > 0 && self.before != Before::Heading {
                    self.add_prose(line);
                }
            }
            Line::Row(cells) => self.row(line, &cells),
            Line::Comment { holds_card } => {
                if self.aside.comments.len() < MOST_ERRORS {
                    self.aside.comments.push((line, holds_card));
                }
                self.gaps.comment();
                self.before = Before::Other;
            }
            Line::CommentHeading(heading) => self.comment_heading(line, heading),
            Line::Heading { heading, foreign } => self.heading(line, heading, foreign),
            Line::BoldGroup { heading, level } => {
                self.close(level);
                self.open_total(heading, level);
                let about = "is read as a group of cards, and not as a section";
                self.note_once(Fault::Recoded, &format!("{} {about}", quoted(heading.word)));
                self.gaps.heading();
                self.before = Before::Heading;
            }
            Line::Group(mut group, total) => {
                self.close(Level::Words);
                self.note_prose();
                let word = group.word;
                let groups = &self.builder.deck.groups;
                // A group that begins again may be that of another section.
                if !groups.iter().any(|known| known.of == group.of) {
                    self.gaps.heading();
                }
                group.lines.start = self.builder.deck.lines.len();
                self.group = Some(group);
                self.open_total(Heading { word, total }, Level::Words);
                self.before = Before::Heading;
            }
            Line::Total(heading) => {
                self.close(Level::Section);
                self.note_prose();
                self.set_grand(heading);
                self.style.pasted |= heading::is_plain_total(line);
                if !self.is_top() {
                    self.place = Some(Place::Lost);
                }
                self.gaps.heading();
                self.before = Before::Other;
            }
            Line::Count(heading) => {
                let here = self.copies - self.above;
                if self.is_top() {
                    self.set_grand(heading);
                } else if here == 0 {
                    self.open_total(heading, Level::Section);
                } else {
                    // It may be the section's, or that of the list so far.
                    let total = Total { errors: 0, ..self.total(heading, Level::Section) };
                    self.judge(&total, &[here, self.copies]);
                }
            }
            Line::Card { given, foreign } => self.card(line, given, None, foreign),
            Line::Inline { word, cards, key } => self.inline_cards(line, word, cards, key),
            Line::Identity(name) => self.identity(line, name),
            Line::Prose => self.add_prose(line),
            Line::NoSection(wrong) => {
                self.wrong(line, wrong);
                if self.place.is_some() {
                    self.place = Some(Place::Lost);
                }
                // The lines below it are no prose either.
                self.gaps.card(true);
                self.before = Before::Card;
            }
            Line::Wrong(wrong) => self.wrong(line, wrong),
        }
    }

    fn add_prose(&mut self, line: &'a str) {
        if self.aside.prose.len() < MOST_ERRORS {
            self.aside.prose.push(line);
        }
        self.before = Before::Other;
    }

    /// Begins a section.
    fn heading(&mut self, line: &'a str, heading: Heading<'a>, foreign: bool) {
        self.close(Level::Section);
        self.note_prose();
        if foreign {
            self.aside.foreign.push((line, false));
            self.style.cards += 1;
            self.style.marked += 1;
            self.style.pasted |= heading::is_plain_total(line);
        }
        self.headed = true;
        self.above = self.copies;
        self.gaps.heading();
        self.before = Before::Heading;
        self.place = Some(self.enter(heading.word, self.builder.span(heading.word)));
        self.open_total(heading, Level::Section);
    }

    /// Returns the place of a section's cards. A word that is no section of the format is left out.
    fn enter(&mut self, word: &str, span: Span) -> Place {
        let names = self.names();
        let section = match names.find(word) {
            Some(id) => self.builder.enter(id, span),
            None if names.open => self.builder.enter(&decklaw_text::name::fold(word), span),
            None => return self.leave_out(word, span),
        };
        section.map_or(Place::Lost, Place::Section)
    }

    /// Returns the place of cards that are no part of the deck.
    fn leave_out(&mut self, word: &str, span: Span) -> Place {
        let known = self.left_out.iter().position(|(known, _)| known.section == word);
        Place::LeftOut(known.unwrap_or_else(|| {
            self.left_out.push((LeftOut::of(Cow::Owned(word.to_owned())), span));
            self.left_out.len() - 1
        }))
    }

    /// Reads a comment with which other programs begin a section.
    fn comment_heading(&mut self, line: &'a str, heading: Heading<'a>) {
        let names = self.names();
        let is_known = names.find(heading.word).is_some() || names.open;
        if self.aside.undecided.len() < MOST_ERRORS {
            let message = format!(
                "{} is a comment here, but other programs begin a section with it.",
                quoted(line)
            );
            let mut help = "To keep a comment, add a word to it.".to_owned();
            if is_known {
                help = format!("To begin the section, write {}. {help}", quoted(heading.word));
            }
            self.aside.undecided.push((false, line, Wrong::new(message, help)));
        }
        if !is_known && !board::is_left_out(heading.word) {
            let wrong = names.no_section(heading.word);
            self.aside.undecided.push((true, line, wrong));
            self.place = Some(Place::Lost);
            return;
        }
        self.heading(line, heading, false);
        if let Some(total) = self.totals.open.last_mut() {
            total.is_comment = true;
        }
    }

    /// The total of the cards from here on.
    fn total(&self, heading: Heading<'a>, level: Level) -> Total<'a> {
        let (before, errors) = (self.copies, self.builder.errors.len());
        Total { heading, level, before, moved: 0, errors, is_comment: false }
    }

    fn open_total(&mut self, heading: Heading<'a>, level: Level) {
        if heading.total.is_some() {
            self.totals.open.push(self.total(heading, level));
        }
    }

    fn set_grand(&mut self, heading: Heading<'a>) {
        let total = self.total(heading, Level::Section);
        self.totals.grand = Some(Total { before: 0, errors: 0, ..total });
    }

    /// Ends a section or the groups in it: every total in it must be right.
    fn close(&mut self, level: Level) {
        if let Some(mut group) = self.group.take() {
            group.lines.end = self.builder.deck.lines.len();
            self.builder.deck.groups.push(group);
        }
        while let Some(total) = self.totals.open.pop_if(|total| total.level >= level) {
            let counted = self.copies - total.before;
            self.judge(&total, &[counted - total.moved, counted]);
        }
    }

    /// Compares a total with the copies counted.
    fn judge(&mut self, total: &Total<'a>, counted: &[u64]) {
        let Heading { word, total: digits } = total.heading;
        let digits = digits.unwrap_or_default();
        let is_right = counted.iter().any(|counted| digits.parse() == Ok(*counted));
        let counted = counted.first().copied().unwrap_or_default();
        if is_right || self.builder.errors.len() > total.errors {
            return;
        }
        if let Some(wrong) = &mut self.totals.wrong {
            wrong.push((self.builder.span(digits), counted));
            return;
        }
        let cards = if digits == "1" { "card" } else { "cards" };
        let message =
            format!("{} should have {} {cards}, but has {counted}.", quoted(word), quoted(digits));
        let mut help = "Correct the total or the lines.".to_owned();
        if self.names().open {
            let card = count::example(digits, word);
            help.push_str(&format!(" If the line is a card, write {card}."));
        }
        let wrong = Wrong::new(message, help);
        if total.is_comment {
            self.aside.undecided.push((true, word, wrong));
        } else {
            self.wrong(word, wrong);
        }
    }

    #[cold]
    fn wrong(&mut self, line: &str, wrong: Wrong) {
        let span = self.builder.span(line);
        self.builder.wrong(span, wrong.message, wrong.help);
    }
}

/// Whether what a line counts are cards and no card: `60 cards`, `60 cards in total`.
fn is_count(name: &str) -> bool {
    let word = name.split(' ').next().unwrap_or_default();
    let is = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    (is(word, "cards") || is(word, "card"))
        && ["", " total", " in total"].iter().any(|rest| is(&name[word.len()..], rest))
}

/// Reads a total of the whole list: `Total: 60`, `Total Cards - 60`, `Total 60`.
fn stated_total<'a>(text: &'a str) -> Option<Line<'a>> {
    let framed = heading::framed(text);
    let framed = match (framed.total, framed.word.strip_suffix(" cards")) {
        (None, Some(total)) => heading::framed(total),
        _ => framed,
    };
    let behind = framed.word.rsplit_once(' ').filter(|(_, digits)| count::is_digits(digits));
    let (word, digits) = match framed.total {
        Some(digits) => (framed.word, digits),
        None => behind?,
    };
    let folded = decklaw_text::name::fold(word);
    let total = Some(digits);
    let is_total = matches!(&*folded, "total" | "total cards" | "cards" | "deck total");
    is_total.then_some(Line::Total(Heading { word, total }))
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

/// Finds a vertical tab or a line or paragraph separator between two words: Word and web pages
/// break lines with them.
fn odd_line_break(source: &str) -> Option<usize> {
    memchr::memchr2(0x0b, 0xe2, source.as_bytes())?;
    let mut found = source.match_indices(['\u{b}', '\u{2028}', '\u{2029}']);
    found.find_map(|(at, sign)| {
        let before = source.get(..at)?.chars().next_back();
        let after = source.get(at + sign.len()..)?.chars().next();
        let is_inside = |next: Option<char>| next.is_some_and(|next| !matches!(next, '\r' | '\n'));
        (is_inside(before) && is_inside(after)).then_some(at)
    })
}

/// Returns a line without white space around it. Nearly every line has none.
fn trimmed(line: &str) -> &str {
    match line.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => line,
        _ => line.trim_matches(|c: char| c.is_whitespace() || decklaw_text::name::is_mark(c)),
    }
}
