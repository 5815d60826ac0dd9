//! Findings: violations with their lines.

#![warn(missing_docs)]

use crate::resolve::Resolved;
use decklaw_cards::pool::CardId;
use decklaw_decks::deck::{CardLine, ReaderNote, SyntaxError};
use decklaw_rules::banlist::ListNotice;
use decklaw_rules::format::Rulebook;
use decklaw_rules::rules::{
    Code, Contents, Failing, Fault, Judgement, SectionSet, Severity, Where,
};
use decklaw_text::text::{LineColumn, Lines, ReadError, Span};
use serde::Serialize;
use std::cell::OnceCell;
use std::fmt;

/// One thing found in a deck. Its serde form is a finding of `decklaw/verdict/1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule's id in its format.
    pub rule: String,
    /// The kind of the rule and what is wrong, for programs.
    pub code: Code,
    /// Its effect on the verdict.
    pub severity: Severity,
    /// The section's id, if it concerns only one.
    pub section: Option<String>,
    /// The names of its cards.
    pub cards: Vec<String>,
    /// What is wrong, as a sentence.
    pub message: String,
    /// What to do about it, as a sentence.
    pub help: Option<String>,
    /// Numbers of copies that fix it, if there are some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fix: Vec<Fix>,
    /// The number that the rule allows.
    pub limit: Option<i64>,
    /// The number that the deck has.
    pub actual: Option<i64>,
    /// The heading of the rules text.
    pub source: Option<String>,
    /// The line in the deck's text, from 1; `None`: the deck as a whole.
    pub line: Option<usize>,
    /// The column there, in characters from 1.
    pub column: Option<usize>,
    /// The bytes of the deck's text to mark. The first are those at [`line`](Finding::line).
    #[serde(skip)]
    pub spans: Vec<Span>,
}

/// How many copies of a card a section should have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// The section's id.
    pub section: String,
    /// The card's name.
    pub card: String,
    /// Copies after the fix.
    pub to: i64,
}

impl Finding {
    /// A finding about a whole file.
    pub fn of_file(fault: Fault, severity: Severity, message: String, help: &str) -> Finding {
        Finding {
            rule: "syntax".to_owned(),
            code: Code::of_deck(fault),
            severity,
            section: None,
            cards: Vec::new(),
            message,
            help: Some(help.to_owned()).filter(|help| !help.is_empty()),
            fix: Vec::new(),
            limit: None,
            actual: None,
            source: None,
            line: None,
            column: None,
            spans: Vec::new(),
        }
    }

    /// A notice about the banlist of a format.
    pub(super) fn of_list(notice: &ListNotice) -> Finding {
        Finding {
            rule: decklaw_rules::banlist::listed::BANNED.to_owned(),
            code: Code::new(decklaw_rules::banlist::listed::BANNED, notice.fault),
            cards: notice.cards.clone(),
            ..Finding::of_file(notice.fault, Severity::Notice, notice.message.clone(), "")
        }
    }

    /// The finding of what a reader noted. The places are in `text`.
    pub(super) fn of_note(note: &ReaderNote, text: &str) -> Finding {
        let finding =
            Finding::of_file(note.code.fault, note.severity, note.message.clone(), &note.help);
        let finding = Finding {
            rule: match &*note.code.kind {
                "deck" => finding.rule,
                kind => kind.to_owned(),
            },
            code: note.code.clone(),
            cards: note.cards.clone(),
            ..finding
        };
        match note.spans.first() {
            Some(first) => {
                finding.at(decklaw_text::text::place(text, first.start), note.spans.clone())
            }
            None => finding,
        }
    }

    /// The finding of a file that is not a deck.
    pub fn unreadable(message: String, help: &str) -> Finding {
        Finding::of_file(Fault::Unreadable, Severity::Error, message, help)
    }

    /// Adds the place, and the bytes of the deck's text to mark.
    #[must_use]
    pub fn at(mut self, place: LineColumn, spans: Vec<Span>) -> Finding {
        self.line = Some(place.line);
        self.column = Some(place.column);
        self.spans = spans;
        self
    }

    /// Its place, what is wrong and how to fix it.
    pub fn sentence(&self) -> String {
        let mut out = String::new();
        if let (Some(line), Some(column)) = (self.line, self.column) {
            out = format!("line {line}, column {column}: ");
        }
        out + &self.advice()
    }

    /// What is wrong and how to fix it.
    pub(super) fn advice(&self) -> String {
        let message = &self.message;
        match &self.help {
            None => message.clone(),
            // Two sentences, or one with a semicolon.
            Some(help) if message.ends_with('.') => format!("{message} {help}"),
            Some(help) => format!("{message}; {help}"),
        }
    }

    /// Makes a finding of a judgement.
    pub(super) fn of(
        judgement: Judgement,
        rulebook: &Rulebook,
        contents: &Contents<'_>,
        written: &DeckLines<'_>,
    ) -> Finding {
        let severity = rulebook.severity(&judgement);
        let rule = &rulebook.rules()[judgement.rule];
        let violation = judgement.violation;
        let spans = written.spans_of_all(violation.place, &violation.cards);
        let place = spans.first().map(|span| written.place(*span));
        let sections = rulebook.format().game().sections();
        let section = violation.section.and_then(|section| sections.get(section));
        let fix = match (violation.keep, violation.cards.as_slice()) {
            (Some((among, copies)), [card]) if violation.failing == Failing::Excess => {
                let id = |section: u16| Some(sections.get(usize::from(section))?.id.clone());
                fewer(contents, *card, among, copies, id)
            }
            _ => Vec::new(),
        };
        Finding {
            rule: rule.id.clone(),
            code: Code::new(rule.kind, violation.fault),
            severity,
            section: section.map(|section| section.id.clone()),
            cards: violation.cards.iter().map(|card| contents.name(*card).to_owned()).collect(),
            message: violation.message,
            help: Some(violation.help).filter(|help| !help.is_empty()),
            fix,
            limit: violation.limit,
            actual: violation.actual,
            source: Some(rule.source.clone()).filter(|source| !source.is_empty()),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            spans,
        }
    }

    /// The order of a report: findings of the whole deck, then by line, then by rule.
    pub fn order(&self) -> impl Ord + '_ {
        (self.line, &self.rule, self.column, &self.section, &self.cards, &self.message)
    }
}

/// The changes that leave a given number of copies of a card in some sections. Copies in the first
/// sections stay.
fn fewer(
    contents: &Contents<'_>,
    card: CardId,
    sections: SectionSet,
    copies: i64,
    id: impl Fn(u16) -> Option<String>,
) -> Vec<Fix> {
    let mut left = copies;
    let mut fix = Vec::new();
    for held in contents.of_card(card) {
        if !sections.has(usize::from(held.section)) {
            continue;
        }
        let to = held.copies.min(left);
        left -= to;
        if to < held.copies
            && let Some(section) = id(held.section)
        {
            let card = contents.name(card).to_owned();
            fix.push(Fix { section, card, to });
        }
    }
    fix
}

impl From<ReadError> for Finding {
    fn from(error: ReadError) -> Finding {
        Finding::unreadable(error.message, &error.help)
    }
}

impl From<SyntaxError> for Finding {
    fn from(error: SyntaxError) -> Finding {
        let place = LineColumn { line: error.line as usize, column: error.column as usize };
        Finding::unreadable(error.message, &error.help).at(place, vec![error.span])
    }
}

impl fmt::Display for Finding {
    /// `line 4: error copies.too-many: 12 copies of …`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(out, "line {line}: ")?;
        }
        let (severity, code, message) = (self.severity, &self.code, &self.message);
        write!(out, "{severity} {code}: {message}")
    }
}

/// A deck as written, to find the lines of its findings.
pub(super) struct DeckLines<'d> {
    resolved: &'d Resolved<'d>,
    /// The lines of each card; made at the first use.
    by_card: OnceCell<Vec<usize>>,
    lines: OnceCell<Lines<'d>>,
}

impl<'d> DeckLines<'d> {
    /// The lines of a deck whose names were looked up.
    pub(super) fn of(resolved: &'d Resolved<'d>) -> DeckLines<'d> {
        DeckLines { resolved, by_card: OnceCell::new(), lines: OnceCell::new() }
    }

    /// The lines of a card, in their order.
    fn lines_of(&self, card: CardId) -> impl Iterator<Item = &CardLine<'d>> {
        let cards = self.resolved.cards();
        let by_card = self.by_card.get_or_init(|| {
            let mut lines: Vec<usize> = (0..cards.len()).collect();
            lines.sort_by_key(|line| cards[*line]);
            lines
        });
        let from = by_card.partition_point(|line| cards[*line] < card);
        let lines = by_card[from..].iter();
        let same = lines.take_while(move |line| cards[**line] == card);
        same.map(|line| &self.resolved.deck().lines[*line])
    }

    /// The lines of several cards of one violation, the first place first; that place alone if
    /// they are many.
    fn spans_of_all(&self, at: Where, cards: &[CardId]) -> Vec<Span> {
        const MOST: usize = 8;
        let mut spans = self.spans(at);
        if let Where::First(first, sections) = at {
            let others = cards.iter().filter(|card| **card != first);
            let more: Vec<Span> = others
                .flat_map(|card| self.spans(Where::First(*card, sections)))
                .take(MOST)
                .collect();
            if spans.len() + more.len() <= MOST {
                spans.extend(more);
            }
        }
        spans
    }

    /// The lines of a violation. The first is its place.
    fn spans(&self, at: Where) -> Vec<Span> {
        let (card, sections, allowed) = match at {
            Where::Deck => return Vec::new(),
            Where::First(card, sections) => (card, sections, 0),
            Where::Passing(card, sections, allowed) => (card, sections, allowed),
        };
        let mut total = 0_i64;
        let mut spans = Vec::new();
        let mut main = 0;
        for line in self.lines_of(card) {
            let section = self.resolved.section(usize::from(line.section));
            if !section.is_some_and(|section| sections.has(section)) {
                continue;
            }
            let passes = total <= allowed && total + i64::from(line.count) > allowed;
            total += i64::from(line.count);
            if passes {
                main = spans.len();
            }
            spans.push(line.span);
        }
        if !spans.is_empty() {
            spans[..=main].rotate_right(1);
        }
        spans
    }

    /// The line and column of a span's start.
    fn place(&self, span: Span) -> LineColumn {
        let lines = self.lines.get_or_init(|| Lines::of(self.resolved.text()));
        lines.place(span.start)
    }
}
