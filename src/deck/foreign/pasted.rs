//! Lists as players paste them from the deck builders of other games.

use super::{Ask, Builder, SAY_HEADING, printing, quoted};
use crate::deck::heading::{self, card_or_cards, heading, section_in_comment};
use crate::deck::line::{self, Wrong};
use crate::deck::{Deck, HEADERS, SyntaxError, header};
use crate::text::Span;
use std::borrow::Cow;

/// Reads a pasted list: `4 Name (SET) 123`, `4x Name *F* #tag`, bullets, headings such as
/// `##Name - 12`, `//Name` or `=== Name ===`, `SB: 2 Name`, and `Total - 60`. A heading
/// that is no section, and cards behind a blank line without a heading, are errors.
pub(in crate::deck) fn read<'a, 'f>(
    source: &'a str,
    ask: Ask<'_, 'f>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let mut reader = Reader {
        builder: Builder::new(source),
        section: None,
        total: None,
        grand: None,
        cards: 0,
        group: false,
        gap: false,
    };
    // The headers first: they say which words are sections.
    let headers = reader.headers();
    reader.builder.ask(ask);
    for (line, is_header) in source
        .lines()
        .zip(headers.into_iter().chain(std::iter::repeat(false)))
    {
        if reader.builder.full() {
            break;
        }
        if !is_header {
            reader.line(line.trim());
        }
    }
    reader.judge_total();
    reader.judge_grand_total();
    reader.builder.finish()
}

/// A total that a heading states, and how many cards stood in the list before it.
struct Total<'a> {
    word: &'a str,
    digits: &'a str,
    before: u64,
}

struct Reader<'a, 'f> {
    builder: Builder<'a, 'f>,
    section: Option<u16>,
    total: Option<Total<'a>>,
    /// The total of the whole list.
    grand: Option<Total<'a>>,
    cards: u64,
    /// Whether a card stood since the last heading, and a blank line behind it.
    group: bool,
    gap: bool,
}

impl<'a> Reader<'a, '_> {
    /// Takes the headers: the lines `Key: value` before the first card or heading. Says of
    /// the lines at the top which ones they are.
    fn headers(&mut self) -> Vec<bool> {
        let mut about = false;
        let mut seen = 0_u8;
        let mut are = Vec::new();
        for line in self.builder.source.lines().map(str::trim) {
            let header = match line.split_once(':') {
                Some((key, value)) => header(key.trim_end()).map(|at| (at, value.trim())),
                None => line
                    .strip_prefix("Name ")
                    .filter(|_| about)
                    .map(|name| (1, name.trim())),
            };
            let starts = line.starts_with(['#', '!']) || line.starts_with("//");
            match header {
                Some((at, value)) => {
                    if seen & (1 << at) != 0 {
                        let message = format!("The header `{}` is given twice.", HEADERS[at]);
                        self.wrong(line, Wrong::new(message, "Keep one of the two lines."));
                    }
                    seen |= 1 << at;
                    let span = self.builder.span(value);
                    self.builder.deck.set(at, Cow::Borrowed(value), span);
                    are.push(true);
                }
                None if line == "About" => {
                    about = true;
                    are.push(true);
                }
                None if line.is_empty() || starts || ruled(line).is_some() => are.push(false),
                None => break,
            }
        }
        are
    }

    fn line(&mut self, line: &'a str) {
        if line.is_empty() {
            self.gap = self.group;
            return;
        }
        if let Some(word) = ruled(line) {
            return self.ruled(line, word);
        }
        if let Some(word) = line.strip_prefix("##") {
            return self.heading(line, word.trim_start_matches('#').trim());
        }
        if line.starts_with(['#', '!']) || line.starts_with("//") {
            return self.comment(line);
        }
        if let Some(rest) = bullet(line) {
            return match rest.starts_with(|first: char| first.is_ascii_digit()) {
                true => self.card(line, rest, None),
                false => {
                    let message = format!("{} has a bullet and no count.", quoted(line));
                    let mend = format!("Write the number of copies: {}.", line::example("1", rest));
                    self.wrong(line, Wrong::new(message, mend));
                }
            };
        }
        if let Some(rest) = line.strip_prefix("SB:") {
            return self.card(line, rest.trim(), Some("sideboard"));
        }
        if line.starts_with(|first: char| first.is_ascii_digit()) {
            return self.card(line, line, None);
        }
        match line::odd_count(line) {
            Some(wrong) if self.builder.names.find(heading(line).word).is_none() => {
                self.wrong(line, wrong);
            }
            _ => self.heading(line, line),
        }
    }

    /// A line between rules: a heading, or above everything else the list's title.
    fn ruled(&mut self, line: &'a str, word: &'a str) {
        let title = self.cards == 0 && self.section.is_none();
        let names_section = self.builder.names.find(counted(word).0).is_some();
        if !word.is_empty() && (names_section || !title) {
            self.heading(line, word);
        }
    }

    /// A line that begins as comments do: a heading where it names a section or has a total.
    fn comment(&mut self, line: &'a str) {
        let text = line.trim_matches(|c: char| c.is_whitespace() || "#/!".contains(c));
        let (_, total) = counted(text);
        let names_section = section_in_comment(line, &self.builder.names).is_some();
        if line.starts_with('!') || total.is_some() || names_section {
            self.heading(line, text);
        }
    }

    fn heading(&mut self, line: &'a str, text: &'a str) {
        let (word, digits) = counted(text);
        let folded = crate::name::fold(word);
        if let Some(digits) =
            digits.filter(|_| matches!(&*folded, "total" | "total cards" | "cards"))
        {
            self.judge_total();
            self.grand = Some(Total {
                word,
                digits,
                before: 0,
            });
            self.section = None;
            return;
        }
        self.judge_total();
        (self.group, self.gap) = (false, false);
        let names = self.builder.names;
        let id = match names.find(word) {
            Some(id) => Cow::Borrowed(id),
            None if names.open && !word.is_empty() => folded,
            None => {
                self.section = None;
                let mut wrong = heading::no_section(word, &names);
                wrong.mend.push_str(SAY_HEADING);
                return self.wrong(line, wrong);
            }
        };
        let span = self.builder.span(word);
        self.section = self.builder.enter(&id, span);
        self.total = digits.map(|digits| Total {
            word,
            digits,
            before: self.cards,
        });
    }

    fn card(&mut self, line: &'a str, text: &'a str, section: Option<&str>) {
        let (count, name) = match line::card(text) {
            Ok(card) => card,
            Err(wrong) => match self.builder.names.find(heading(text).word) {
                Some(_) => return self.heading(line, text),
                None => return self.wrong(line, wrong),
            },
        };
        let pool = self.builder.names.pool;
        let known = |name: &str| pool.is_some_and(|pool| pool.find(name).is_some());
        let name = printing::name(name, &known);
        let span = self.builder.span(name);
        if section.is_none() && std::mem::take(&mut self.gap) {
            let message = "A blank line stands before this card, and many programs begin another section with one.";
            let mend = "Write the section's name on a line above it, or take the blank line out.";
            self.wrong(line, Wrong::new(message, mend));
            return;
        }
        let section = match (section, self.section) {
            (Some(word), _) => self.builder.section(word, self.builder.span(line)),
            (None, Some(section)) => Some(section),
            (None, None) => self
                .builder
                .enter(self.builder.names.first, Span::new(span.start, span.start)),
        };
        self.group = true;
        self.cards += u64::from(count);
        if let Some(section) = section {
            self.builder.card(section, count, Cow::Borrowed(name), span);
        }
    }

    fn judge_total(&mut self) {
        if let Some(total) = self.total.take() {
            self.compare(&total, self.cards - total.before, "below it");
        }
    }

    fn judge_grand_total(&mut self) {
        if let Some(total) = self.grand.take() {
            self.compare(&total, self.cards, "in the list");
        }
    }

    fn compare(&mut self, total: &Total<'a>, counted: u64, place: &str) {
        // Where a line was not understood, its cards are missing from the count.
        if total.digits.parse() == Ok(counted) || !self.builder.errors.is_empty() {
            return;
        }
        let verb = if counted == 1 { "is" } else { "are" };
        let message = format!(
            "{} should have {} {}, but {counted} {verb} {place}.",
            quoted(total.word),
            quoted(total.digits),
            card_or_cards(total.digits)
        );
        let span = self.builder.span(total.word);
        self.builder.wrong(
            span,
            message,
            "Correct the total or the lines, or leave the total out.",
        );
    }

    fn wrong(&mut self, line: &'a str, wrong: Wrong) {
        let span = self.builder.span(line);
        self.builder.wrong_line(span, wrong);
    }
}

/// What stands between rules: `=== Side ===`, `*** Side ***`; empty for a rule alone.
fn ruled(line: &str) -> Option<&str> {
    ['*', '=', '-', '~', '_'].into_iter().find_map(|rule| {
        let of = |c: char| c == rule;
        let inner = line.trim_matches(of);
        let sides = line.len() - line.trim_start_matches(of).len() >= 3
            && line.len() - line.trim_end_matches(of).len() >= 3;
        sides.then_some(inner.trim())
    })
}

/// A line without the bullet that it begins with.
fn bullet(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '•', '–', '—', '·', '◦', '▪'])?;
    rest.starts_with(char::is_whitespace)
        .then(|| rest.trim_start())
}

/// A heading's word and its total: `Side (12)`, `Side - 12`, `Side: 12`, or `Side`.
fn counted(text: &str) -> (&str, Option<&str>) {
    let found = heading(text);
    if found.total.is_some() {
        return (found.word, found.total);
    }
    let digits = text
        .rsplit_once(['-', '–', '—', ':'])
        .and_then(|(word, digits)| {
            let (word, digits) = (word.trim(), digits.trim());
            let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            (number && !word.is_empty()).then_some((word, Some(digits)))
        });
    digits.unwrap_or((found.word, None))
}
