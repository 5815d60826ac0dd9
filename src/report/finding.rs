//! Findings: violations made concrete, with their lines.

use crate::deck::{Deck, SyntaxError};
use crate::rules::{Contents, Judgement, Rulebook, Severity, Where};
use crate::text::{Place, Span, place};

/// One thing found of a deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id.
    pub rule: String,
    /// What it means.
    pub severity: Severity,
    /// The section's id, where it concerns just one.
    pub section: Option<String>,
    /// The names of the cards concerned.
    pub cards: Vec<String>,
    /// What is wrong, a sentence.
    pub message: String,
    /// What would mend it; may be empty.
    pub mend: String,
    /// The number that the rule allows.
    pub limit: Option<i64>,
    /// The number that the deck has.
    pub actual: Option<i64>,
    /// The section of the rules text that says so.
    pub source: Option<String>,
    /// Where it stands; `None`: the deck as a whole.
    pub place: Option<Place>,
    /// The bytes of the deck file to mark, the first being where it stands.
    pub spans: Vec<Span>,
}

impl Finding {
    /// The finding of a place that could not be read.
    pub fn of_syntax(error: SyntaxError) -> Finding {
        let at = Place {
            line: error.line as usize,
            column: error.column as usize,
        };
        Finding {
            rule: "syntax".to_owned(),
            severity: Severity::Error,
            section: None,
            cards: Vec::new(),
            message: error.message,
            mend: error.mend,
            limit: None,
            actual: None,
            source: None,
            place: Some(at),
            spans: vec![error.span],
        }
    }

    /// A finding about a file as a whole that is no deck.
    pub fn of_file(message: String, mend: String) -> Finding {
        let error = SyntaxError {
            message,
            mend,
            span: Span::default(),
            line: 0,
            column: 0,
        };
        Finding {
            place: None,
            spans: Vec::new(),
            ..Finding::of_syntax(error)
        }
    }

    /// Makes a judgement concrete.
    pub(super) fn of(
        judgement: Judgement,
        rulebook: &Rulebook,
        contents: &Contents<'_>,
        deck: &Deck<'_>,
        section_of: &dyn Fn(usize) -> Option<usize>,
        source: &str,
    ) -> Finding {
        let severity = rulebook.severity(&judgement);
        let rule = &rulebook.rules()[judgement.rule];
        let violation = judgement.violation;
        let spans = spans(violation.place, contents, deck, section_of);
        let section = violation
            .section
            .and_then(|section| rulebook.format().game().sections().get(section));
        Finding {
            rule: rule.id.clone(),
            severity,
            section: section.map(|section| section.id.clone()),
            cards: violation
                .cards
                .iter()
                .map(|card| contents.name(*card).to_owned())
                .collect(),
            message: violation.message,
            mend: violation.mend,
            limit: violation.limit,
            actual: violation.actual,
            source: Some(rule.source.clone()).filter(|source| !source.is_empty()),
            place: spans.first().map(|span| place(source, span.start)),
            spans,
        }
    }

    /// The order of a report: the deck as a whole, then by line, then by rule.
    pub(super) fn order(&self) -> impl Ord + '_ {
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

/// The deck's lines that a violation concerns, the one where it stands first.
fn spans(
    at: Where,
    contents: &Contents<'_>,
    deck: &Deck<'_>,
    section_of: &dyn Fn(usize) -> Option<usize>,
) -> Vec<Span> {
    let (card, sections, allowed) = match at {
        Where::Deck => return Vec::new(),
        Where::First(card, sections) => (card, sections, 0),
        Where::Passing(card, sections, allowed) => (card, sections, allowed),
    };
    let wanted = contents.folded(card);
    let named = |name: &str| match contents.pool.find(name) {
        Some(found) => found == card,
        None => crate::name::fold(name) == wanted,
    };
    let mut total = 0_i64;
    let mut spans = Vec::new();
    let mut main = 0;
    for line in &deck.lines {
        let section = section_of(usize::from(line.section));
        if !section.is_some_and(|section| sections.has(section)) || !named(&line.name) {
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
