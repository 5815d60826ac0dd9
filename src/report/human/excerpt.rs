//! The few lines of a deck that a finding marks, however large the deck is.

use crate::text::{Span, harmless, place};
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// The most bytes of a line that are shown.
const LONGEST: usize = 160;
/// The most places of one finding that are shown.
const MOST_PLACES: usize = 5;

/// One marked line.
#[derive(Debug, Clone)]
struct Line {
    /// Where the line's text begins in the excerpt.
    start: usize,
    text: String,
    /// Line number, from 0.
    number: usize,
    /// The mark, in bytes of the excerpt.
    mark: Span,
}

/// The marked lines of a deck, one after the other, each with its own number.
#[derive(Debug, Clone)]
pub(super) struct Excerpt {
    lines: Vec<Line>,
    main: Vec<Span>,
}

impl Excerpt {
    /// The lines that some spans mark; spans that do not fit the source are dropped.
    pub(super) fn of(source: &str, spans: &[Span]) -> Option<Excerpt> {
        let fits = |span: &&Span| source.get(span.start..span.end).is_some();
        let wanted: Vec<Span> = spans
            .iter()
            .filter(fits)
            .take(MOST_PLACES)
            .copied()
            .collect();
        let mut sorted = wanted.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let mut lines: Vec<Line> = Vec::new();
        let mut main = vec![Span::default(); wanted.len()];
        let mut next = 0;
        for span in sorted {
            let from = source[..span.start].rfind('\n').map_or(0, |at| at + 1);
            let until = source[span.start..]
                .find('\n')
                .map_or(source.len(), |at| span.start + at);
            let (from, until) = (clamp(source, from, span.start.saturating_sub(40)), until);
            let mut until = until.min(from + LONGEST);
            while !source.is_char_boundary(until) {
                until -= 1;
            }
            let text = harmless(&source[from..until], false).into_owned();
            let end = span.end.min(until).max(span.start);
            let mark = Span::new(next + span.start - from, next + end - from);
            for (at, _) in wanted
                .iter()
                .enumerate()
                .filter(|(_, other)| **other == span)
            {
                main[at] = mark;
            }
            let number = place(source, span.start).line - 1;
            let length = text.len();
            lines.push(Line {
                start: next,
                text: text + "\n",
                number,
                mark,
            });
            next += length + 1;
        }
        (!lines.is_empty()).then_some(Excerpt { lines, main })
    }

    /// The marks, the one where the finding stands first.
    pub(super) fn marks(&self) -> impl Iterator<Item = SourceSpan> {
        self.main
            .iter()
            .map(|mark| SourceSpan::new(mark.start.into(), mark.len()))
    }
}

/// The later of two places when they are far apart, on a character's boundary.
fn clamp(source: &str, line: usize, near: usize) -> usize {
    let mut at = if near > line + LONGEST / 2 {
        near
    } else {
        line
    };
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let within = |line: &&Line| {
            line.start <= span.offset() && span.offset() < line.start + line.text.len()
        };
        let line = self
            .lines
            .iter()
            .find(within)
            .ok_or(MietteError::OutOfBounds)?;
        debug_assert!(line.mark.start >= line.start);
        Ok(Box::new(MietteSpanContents::new(
            line.text.as_bytes(),
            SourceSpan::new(line.start.into(), line.text.len()),
            line.number,
            0,
            1,
        )))
    }
}
