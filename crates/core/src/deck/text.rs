//! The native dialect: headers, sections and card lines.
//!
//! One pass over the bytes. Folders of 100,000 decks are read in seconds, so a line that is
//! in order costs no allocation; only what must be explained is worked out at leisure.

use super::group::Open;
use super::heading::{self, Heading, section_in_comment};
use super::line::{self, Wrong};
use super::sections::Sections;
use super::{
    CardLine, Deck, HEADERS, MOST_CARD_LINES, MOST_ERRORS, MOST_SECTIONS, SectionNames,
    SyntaxError, header, quoted,
};
use crate::text::{Span, listed};
use std::borrow::Cow;

/// Sections of a deck whose format nobody knows.
pub(super) const OPEN: SectionNames<'static> = SectionNames {
    names: &[],
    ids: &[],
    first: "main",
    open: true,
    pool: None,
};

/// Reads a deck in the native dialect. See [`super::read`].
pub(super) fn read<'a, 'f>(
    source: &'a str,
    names: &mut dyn FnMut(Option<&str>) -> Option<SectionNames<'f>>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    // A card line has some 20 bytes: mostly, the lines are allocated once.
    let lines = Vec::with_capacity((source.len() / 16).min(256));
    let mut reader = Reader {
        source,
        ask: names,
        names: None,
        deck: Deck {
            lines,
            ..Deck::default()
        },
        sections: Sections::default(),
        current: None,
        total: None,
        group: None,
        seen: 0,
        passed_over: false,
        line: 0,
        line_start: 0,
        errors: Vec::new(),
    };
    reader.lines();
    reader.finish()
}

/// A group whose cards are being read, where its heading stands, and its first line.
struct Grouping<'a> {
    open: Open<'a>,
    line: u32,
    column: u32,
    first: usize,
}

/// A total that a heading states, while the cards below it are counted.
struct Total<'a> {
    heading: &'a str,
    digits: &'a str,
    span: Span,
    line: u32,
    column: u32,
    counted: u64,
}

struct Reader<'a, 'f, 'n> {
    source: &'a str,
    ask: &'n mut dyn FnMut(Option<&str>) -> Option<SectionNames<'f>>,
    /// Known from the first line that is no header on.
    names: Option<SectionNames<'f>>,
    deck: Deck<'a>,
    sections: Sections<'a>,
    /// The section to which card lines go.
    current: Option<u16>,
    total: Option<Total<'a>>,
    /// The group within the section.
    group: Option<Grouping<'a>>,
    /// One bit a header.
    seen: u8,
    /// Whether lines stand among the headers whose words could not yet be compared: comments, and
    /// what looks like a header and is none.
    passed_over: bool,
    line: u32,
    line_start: usize,
    errors: Vec<SyntaxError>,
}

impl<'a, 'f> Reader<'a, 'f, '_> {
    fn lines(&mut self) {
        let bytes = self.source.as_bytes();
        for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
            self.line = self.line.saturating_add(1);
            self.one(trimmed(&self.source[self.line_start..end]));
            let lines = self.deck.lines.len();
            if self.errors.len() >= MOST_ERRORS || lines > MOST_CARD_LINES {
                return;
            }
            self.line_start = end + 1;
        }
    }

    fn one(&mut self, line: &'a str) {
        match line.as_bytes() {
            [] => {}
            [b'0'..=b'9', ..] => self.card(line),
            [b'#', ..] | [b'/', b'/', ..] if self.names.is_none() => self.passed_over = true,
            [b'#', ..] | [b'/', b'/', ..] => self.comment(line),
            [b'!', ..] => self.bang(line),
            _ => self.word(line),
        }
    }

    fn card(&mut self, line: &'a str) {
        let (count, name) = match line::card(line) {
            Ok(card) => card,
            // A format may have a section such as `1st pile`.
            Err(wrong) => match self.names().find(heading::heading(line).word) {
                Some(_) => return self.heading(line),
                None => return self.wrong(line, wrong),
            },
        };
        let start = self.offset(name);
        let section = match self.current {
            Some(section) => section,
            None => {
                let first = self.names().first;
                let Some(section) = self.enter(first, Span::new(start, start)) else {
                    return;
                };
                section
            }
        };
        if let Some(total) = &mut self.total {
            total.counted += u64::from(count);
        }
        let pool = self.names().pool;
        if let (Some(grouping), Some(pool)) = (&mut self.group, pool)
            && let Err(wrong) = grouping.open.take(count, name, pool)
        {
            self.group = None;
            return self.wrong(line, wrong);
        }
        self.deck.lines.push(CardLine {
            section,
            count,
            name: Cow::Borrowed(name),
            span: Span::new(start, start + name.len()),
            line: self.line,
        });
    }

    /// A line that begins with no digit and no mark of a comment.
    fn word(&mut self, line: &'a str) {
        let colon = if line.starts_with('[') {
            None
        } else {
            line.split_once(':')
        };
        if let Some((key, value)) = colon {
            let (key, value) = (key.trim_end(), value.trim());
            match header(key) {
                Some(at) if self.names.is_none() => return self.header(line, at, value),
                Some(at) if !value.is_empty() || self.names().find(key).is_none() => {
                    return self.late_header(line, at);
                }
                None if self.names.is_none() && !value.is_empty() && !heading::is_total(value) => {
                    // It may be above the line that names the format.
                    self.passed_over = true;
                    return;
                }
                _ => {}
            }
        }
        match line::odd_count(line) {
            Some(wrong) if self.names().find(heading::heading(line).word).is_none() => {
                self.wrong(line, wrong)
            }
            _ => self.heading(line),
        }
    }

    fn header(&mut self, line: &'a str, at: usize, value: &'a str) {
        if self.seen & (1 << at) != 0 {
            let message = format!("The header `{}` is given twice.", HEADERS[at]);
            return self.wrong(line, Wrong::new(message, "Keep one of the two lines."));
        }
        self.seen |= 1 << at;
        let start = self.offset(value);
        let span = Span::new(start, start + value.len());
        self.deck.set(at, Cow::Borrowed(value), span);
    }

    #[cold]
    fn late_header(&mut self, line: &'a str, at: usize) {
        let again = self.seen & (1 << at) != 0;
        let wrong = match again {
            true => Wrong::new(
                format!(
                    "The header `{}` stands here again, as if another deck began.",
                    HEADERS[at]
                ),
                "Give each deck a file of its own, or begin the line with `#` to make it a comment.",
            ),
            false => Wrong::new(
                format!(
                    "The header `{}` stands behind the first section or card.",
                    HEADERS[at]
                ),
                "Move the line to the top of the deck, or begin it with `#` to make it a comment.",
            ),
        };
        self.wrong(line, wrong);
    }

    #[cold]
    fn unknown_header(&mut self, line: &'a str, key: &str) {
        let folded = crate::name::fold(key);
        let known = HEADERS.map(str::to_ascii_lowercase);
        let near = crate::name::nearest(&folded, known.iter().map(String::as_str));
        let meant = near.first().and_then(|near| header(near));
        let meant = meant.map_or(String::new(), |at| {
            format!("Did you mean `{}`? ", HEADERS[at])
        });
        let keys = HEADERS.map(|key| format!("`{key}`"));
        let help = format!(
            "{meant}The headers are {}. A section stands on a line of its own.",
            listed(&keys, "and")
        );
        self.wrong(
            line,
            Wrong::new(format!("{} is no header of a deck.", quoted(key)), help),
        );
    }

    fn heading(&mut self, line: &'a str) {
        let names = self.names();
        let Heading {
            mut word,
            mut total,
        } = heading::heading(line);
        let mut found = names.find(word);
        if found.is_none() && !names.open {
            // A name with brackets of its own, or a total within the brackets.
            let inner = heading::heading(word);
            if let Some(id) = names.find(line) {
                (found, word, total) = (Some(id), line, None);
            } else if let Some(id) = names.find(inner.word).filter(|_| total.is_none()) {
                (found, word, total) = (Some(id), inner.word, inner.total);
            }
        }
        if word.is_empty() {
            let help = "Write the section's name on a line of its own.";
            let message = format!("{} names no section.", quoted(line));
            return self.wrong(line, Wrong::new(message, help));
        }
        if found.is_none() {
            let inner = heading::heading(word);
            let words = [(word, total), (inner.word, inner.total)];
            let mut groups = words.into_iter().filter_map(|(word, total)| {
                let start = self.offset(word);
                Open::of(word, total, Span::new(start, start + word.len()), &names)
            });
            if let Some(open) = groups.next() {
                self.judge_group();
                self.group = Some(Grouping {
                    column: self.column(open.span.start),
                    open,
                    line: self.line,
                    first: self.deck.lines.len(),
                });
                return;
            }
        }
        if found.is_none() {
            let wrong = match names.open {
                false => Some(heading::no_section(word, &names)),
                true => heading::may_be_counted(line),
            };
            if let Some(wrong) = wrong {
                return self.wrong(line, wrong);
            }
        }
        self.judge_group();
        self.judge_total();
        let start = self.offset(word);
        let span = Span::new(start, start + word.len());
        let id = found.map_or_else(|| crate::name::fold(word), Cow::Borrowed);
        self.current = self.enter(&id, span);
        let column = self.column(start);
        let line = self.line;
        self.total = total.map(|digits| Total {
            heading: word,
            digits,
            span,
            line,
            column,
            counted: 0,
        });
    }

    /// Compares the count behind the last group's heading with the cards below it.
    fn judge_group(&mut self) {
        let Some(Grouping {
            open,
            line,
            column,
            first,
        }) = self.group.take()
        else {
            return;
        };
        if let Err(wrong) = open.judge() {
            self.errors.push(SyntaxError {
                message: wrong.message,
                help: wrong.help,
                span: open.span,
                line,
                column,
            });
        }
        self.deck
            .groups
            .push(open.close(first..self.deck.lines.len()));
    }

    /// Compares the total that the last heading stated with the cards counted since.
    fn judge_total(&mut self) {
        let Some(total) = self.total.take() else {
            return;
        };
        if total.digits.parse() == Ok(total.counted) {
            return;
        }
        let (stated, listed) = (quoted(total.digits), total.counted);
        let verb = if listed == 1 { "is" } else { "are" };
        let noun = heading::card_or_cards(total.digits);
        self.errors.push(SyntaxError {
            message: format!(
                "{} should have {stated} {noun}, but {listed} {verb} listed below it.",
                quoted(total.heading)
            ),
            help: "Correct the total or the lines below it, or leave the total out.".to_owned(),
            span: total.span,
            line: total.line,
            column: total.column,
        });
    }

    fn comment(&mut self, line: &'a str) {
        let names = self.names();
        let Some((word, section)) = section_in_comment(line, &names) else {
            return;
        };
        let message = format!(
            "{} is a comment here, but other programs begin a section with it.",
            quoted(line)
        );
        let help = match section {
            true => format!(
                "To begin the section, write {}; to keep a comment, add a word to it.",
                quoted(word)
            ),
            false => format!(
                "{} To keep a comment, add a word to it.",
                heading::sections(&names)
            ),
        };
        self.wrong(line, Wrong::new(message, help));
    }

    #[cold]
    fn bang(&mut self, line: &'a str) {
        let names = self.names();
        let wrong = match section_in_comment(line, &names) {
            Some((word, true)) => Wrong::new(
                format!("{} is not how a section begins here.", quoted(line)),
                format!("Write {}.", quoted(word)),
            ),
            Some((_, false)) => Wrong::new(
                format!("{} is not how a section begins here.", quoted(line)),
                heading::sections(&names),
            ),
            None => Wrong::new(
                format!(
                    "{} begins with `!`, which means nothing here.",
                    quoted(line)
                ),
                "Begin a comment with `#` or `//`.",
            ),
        };
        self.wrong(line, wrong);
    }

    /// The sections of the deck's format, asked for when the headers are over.
    fn names(&mut self) -> SectionNames<'f> {
        if let Some(names) = self.names {
            return names;
        }
        let format = self.deck.format.as_ref().map(|format| &*format.value);
        let names = (self.ask)(format).unwrap_or(OPEN);
        self.names = Some(names);
        if self.passed_over {
            self.look_again();
        }
        names
    }

    /// Looks again at the lines that were passed over while the sections were not known.
    #[cold]
    fn look_again(&mut self) {
        let (line, line_start) = (self.line, self.line_start);
        (self.line, self.line_start) = (0, 0);
        let before = &self.source[..line_start.min(self.source.len())];
        for text in before.split_inclusive('\n') {
            self.line += 1;
            let line = trimmed(text.trim_end_matches('\n'));
            let key = line.split_once(':').map(|(key, _)| key.trim_end());
            match line.as_bytes() {
                _ if self.errors.len() >= MOST_ERRORS => break,
                [b'#', ..] | [b'/', b'/', ..] => self.comment(line),
                _ => {
                    if let Some(key) = key.filter(|key| header(key).is_none()) {
                        self.unknown_header(line, key);
                    }
                }
            }
            self.line_start += text.len();
        }
        (self.line, self.line_start) = (line, line_start);
    }

    fn enter(&mut self, id: &str, span: Span) -> Option<u16> {
        let section = self.sections.enter(id, span, self.source);
        let message = format!("There are more than {MOST_SECTIONS} sections.");
        if section.is_none()
            && self
                .errors
                .last()
                .is_none_or(|last| last.message != message)
        {
            let column = self.column(span.start);
            self.errors.push(SyntaxError {
                message,
                help: "Give cards their counts: a line without a count begins a section."
                    .to_owned(),
                span,
                line: self.line,
                column,
            });
        }
        section
    }

    /// Records what is wrong with the line at hand. It may have been meant for a card, so
    /// that the section's total can no longer be judged.
    #[cold]
    fn wrong(&mut self, line: &'a str, wrong: Wrong) {
        self.total = None;
        let start = self.offset(line);
        self.errors.push(SyntaxError {
            message: wrong.message,
            help: wrong.help,
            span: Span::new(start, start + line.len()),
            line: self.line,
            column: self.column(start),
        });
    }

    /// Where a part of the source begins in it.
    fn offset(&self, part: &str) -> usize {
        part.as_ptr() as usize - self.source.as_ptr() as usize
    }

    fn column(&self, offset: usize) -> u32 {
        let before = self.source.get(self.line_start..offset).unwrap_or_default();
        u32::try_from(before.chars().count()).map_or(u32::MAX, |count| count.saturating_add(1))
    }

    fn finish(mut self) -> Result<Deck<'a>, Vec<SyntaxError>> {
        self.names();
        self.judge_group();
        self.judge_total();
        if self.errors.is_empty() {
            self.deck.sections = self.sections.into_list();
            return Ok(self.deck);
        }
        self.errors.sort_by_key(|error| error.span.start);
        self.errors.truncate(MOST_ERRORS);
        Err(self.errors)
    }
}

/// A line without white space around it. Nearly every line has none.
fn trimmed(line: &str) -> &str {
    match line.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => line,
        _ => line.trim_matches(|c: char| c.is_whitespace() || crate::name::is_mark(c)),
    }
}
