//! Findings: violations made concrete, with their lines.

use crate::deck::{CardLine, SyntaxError};
use crate::format::Rulebook;
use crate::pool::CardId;
use crate::remedy::{Remedy, Words, plainly};
use crate::resolve::Resolved;
use crate::rules::{Code, Contents, Fault, Judgement, Severity, Where};
use crate::text::{LineColumn, Lines, Span};
use std::cell::OnceCell;

/// One thing found of a deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id.
    pub rule: String,
    /// What is wrong, for programs.
    pub code: Code,
    /// What it means.
    pub severity: Severity,
    /// The section's id, where it concerns just one.
    pub section: Option<String>,
    /// The names of the cards concerned.
    pub cards: Vec<String>,
    /// What is wrong, a sentence.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// What whoever asked could give to mend it, for programs; `help` has it in words.
    pub remedy: Option<Remedy>,
    /// The number that the rule allows.
    pub limit: Option<i64>,
    /// The number that the deck has.
    pub actual: Option<i64>,
    /// The section of the rules text that says so.
    pub source: Option<String>,
    /// Where it stands; `None`: the deck as a whole.
    pub place: Option<LineColumn>,
    /// The bytes of the deck file to mark, the first being where it stands.
    pub spans: Vec<Span>,
}

impl Finding {
    /// The finding of a place that could not be read.
    pub fn of_syntax(error: SyntaxError, words: Words) -> Finding {
        let remedy = error.remedy.clone();
        let error = error.worded(words);
        let at = LineColumn {
            line: error.line as usize,
            column: error.column as usize,
        };
        Finding {
            rule: "syntax".to_owned(),
            code: Code::of_deck(Fault::Unreadable),
            severity: Severity::Error,
            section: None,
            cards: Vec::new(),
            message: error.message,
            help: error.help,
            remedy,
            limit: None,
            actual: None,
            source: None,
            place: Some(at),
            spans: vec![error.span],
        }
    }

    /// A finding about a file as a whole that is no deck.
    pub fn of_file(message: String, help: String) -> Finding {
        let error = SyntaxError {
            message,
            help,
            remedy: None,
            span: Span::default(),
            line: 0,
            column: 0,
        };
        Finding {
            place: None,
            spans: Vec::new(),
            ..Finding::of_syntax(error, plainly)
        }
    }

    /// Makes a judgement concrete.
    pub(super) fn of(
        judgement: Judgement,
        rulebook: &Rulebook,
        contents: &Contents<'_>,
        written: &Written<'_>,
        words: Words,
    ) -> Finding {
        let severity = rulebook.severity(&judgement);
        let rule = &rulebook.rules()[judgement.rule];
        let violation = judgement.violation;
        let spans = written.spans_of_all(violation.place, &violation.cards);
        let section = violation
            .section
            .and_then(|section| rulebook.format().game().sections().get(section));
        Finding {
            rule: rule.id.clone(),
            code: Code {
                kind: rule.kind,
                fault: violation.fault,
            },
            severity,
            section: section.map(|section| section.id.clone()),
            cards: violation
                .cards
                .iter()
                .map(|card| contents.name(*card).to_owned())
                .collect(),
            message: violation.message,
            help: violation.remedy.as_ref().map_or(violation.help, words),
            remedy: violation.remedy,
            limit: violation.limit,
            actual: violation.actual,
            source: Some(rule.source.clone()).filter(|source| !source.is_empty()),
            place: spans.first().map(|span| written.place(*span)),
            spans,
        }
    }

    /// The order of a report: the deck as a whole, then by line, then by rule.
    pub(crate) fn order(&self) -> impl Ord + '_ {
        (
            self.place.map(|place| place.line),
            &self.rule,
            self.place,
            &self.section,
            &self.cards,
            &self.message,
        )
    }
}

/// A deck as it is written: what its findings point at.
pub(super) struct Written<'d> {
    resolved: &'d Resolved<'d>,
    /// The lines by card, once they are asked for.
    by_card: OnceCell<Vec<usize>>,
    lines: OnceCell<Lines<'d>>,
}

impl<'d> Written<'d> {
    /// Of a deck whose names were looked up.
    pub(super) fn of(resolved: &'d Resolved<'d>) -> Written<'d> {
        Written {
            resolved,
            by_card: OnceCell::new(),
            lines: OnceCell::new(),
        }
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

    /// The lines of several cards that a violation concerns together, the one where it stands
    /// first; where they are many, that one alone.
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

    /// The lines that a violation concerns, the one where it stands first.
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

    /// Where a span begins.
    fn place(&self, span: Span) -> LineColumn {
        let lines = self.lines.get_or_init(|| Lines::of(self.resolved.text()));
        lines.place(span.start)
    }
}
