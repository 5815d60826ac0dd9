//! The few lines of a deck that a finding marks, however large the deck is.

use super::Style;
use super::layout::{columns, cost, ellipsis};
use crate::text::{Lines, Span, harmless};
use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// The most columns of a line that are shown.
const WIDEST: usize = 200;
/// The fewest, however narrow the terminal.
const NARROWEST: usize = 16;
/// What the diagnostics library draws between a mark and its label.
const CONNECTOR: usize = 4;

/// A span on one line of a deck: bytes of the source, and of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    line: usize,
    from: usize,
    until: usize,
    start: usize,
    end: usize,
}

impl Mark {
    /// Whether two marks share a place.
    fn meets(&self, other: &Mark) -> bool {
        self.line == other.line
            && self.start < other.end.max(other.start + 1)
            && other.start < self.end.max(self.start + 1)
    }
}

/// What a span marks of the line where it begins; nothing if it does not fit the text.
fn mark(lines: &Lines<'_>, span: Span) -> Option<Mark> {
    let text = lines.text;
    if span.start > span.end || span.end > text.len() {
        return None;
    }
    let (line, from) = lines.line(span.start);
    let mut until = lines.breaks.get(line).copied().unwrap_or(text.len());
    if text[from..until].ends_with('\r') {
        until -= 1;
    }
    let (mut start, mut end) = (span.start.min(until), span.end.min(until));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    end = end.max(start);
    Some(Mark {
        line,
        from,
        until,
        start,
        end,
    })
}

/// One line of an excerpt: its bytes in the excerpt's text, and its number from 0.
#[derive(Debug)]
struct Row {
    start: usize,
    end: usize,
    line: usize,
    whole: bool,
}

/// The marked lines of a deck, one after the other, each with its own number. A line too
/// long for the terminal is cut around its mark.
#[derive(Debug)]
pub(super) struct Excerpt {
    text: String,
    rows: Vec<Row>,
    /// The marks and what is said of them.
    pub(super) labels: Vec<LabeledSpan>,
    /// Whether what was to be said of the first span is said.
    pub(super) said: bool,
}

impl Excerpt {
    /// The lines that some spans mark, with `first` said of the first span. `None` when not
    /// one of them fits the source.
    pub(super) fn of(
        lines: &Lines<'_>,
        spans: &[Span],
        first: Option<&str>,
        style: &Style,
    ) -> Option<Excerpt> {
        let mut marks = Vec::with_capacity(spans.len());
        for (at, span) in spans.iter().enumerate() {
            match mark(lines, *span) {
                // Marks that run into each other could not be told apart; the first stays.
                Some(mark) if !marks.iter().any(|(known, _)| mark.meets(known)) => {
                    marks.push((mark, at == 0));
                }
                _ => {}
            }
        }
        marks.sort_unstable();
        let last = marks.last()?.0.line + 1;
        let frame = last.ilog10() as usize + 1 + CONNECTOR;
        let room = style.width.saturating_sub(frame).clamp(NARROWEST, WIDEST);
        let several = marks.len() > 1;
        let mut excerpt = Excerpt {
            text: String::new(),
            rows: Vec::new(),
            labels: Vec::new(),
            said: false,
        };
        for (mark, is_first) in marks {
            let span = excerpt.row(lines.text, mark, room, style);
            let say = match (is_first, first) {
                (true, Some(first)) => first,
                (true, None) => "here",
                (false, _) => "also here",
            };
            let say = Some(say).filter(|_| several || first.is_some());
            let (say, span) = match say.and_then(|say| excerpt.label(say, span, room)) {
                Some((say, span)) => (Some(say), span),
                None => (None, span),
            };
            excerpt.said |= is_first && say.is_some();
            let span = SourceSpan::new(span.start.into(), span.len());
            excerpt.labels.push(if is_first {
                LabeledSpan::new_primary_with_span(say, span)
            } else {
                LabeledSpan::new_with_span(say, span)
            });
        }
        Some(excerpt)
    }

    /// Adds the line of a mark, if it is not there, and tells where in the excerpt the mark is.
    fn row(&mut self, source: &str, mark: Mark, room: usize, style: &Style) -> Span {
        if let Some(row) = self.rows.last()
            && row.line == mark.line
            && row.whole
        {
            let place = |byte: usize| row.start + (byte - mark.from);
            return Span::new(place(mark.start), place(mark.end));
        }
        let begin = self.text.len();
        let left = &source[mark.from..mark.start];
        let right = &source[mark.start..mark.until];
        let near_left = left.char_indices().rev().take(room).last();
        let near_left = near_left.map_or(left.len(), |(at, _)| at);
        let near_right = right.char_indices().nth(room);
        let near_right = near_right.map_or(right.len(), |(at, _)| at);
        let left_shown = harmless(&left[near_left..], false);
        let right_shown = harmless(&right[..near_right], false);
        let total: usize = left_shown
            .chars()
            .chain(right_shown.chars())
            .map(cost)
            .sum();
        let whole = near_left == 0 && near_right == right.len() && total <= room;
        let (mut lead, mut tail) = (left_shown.len(), right_shown.len());
        if !whole {
            let dots = columns(ellipsis(style));
            let room = room.saturating_sub(2 * dots);
            lead = fitting(left_shown.chars().rev(), room / 4);
            let used: usize = left_shown[left_shown.len() - lead..]
                .chars()
                .map(cost)
                .sum();
            tail = fitting(right_shown.chars(), room - used);
            let used: usize = right_shown[..tail].chars().map(cost).sum();
            lead = fitting(left_shown.chars().rev(), room - used);
        }
        if lead < left.len() {
            self.text.push_str(ellipsis(style));
        }
        self.text.push_str(&left_shown[left_shown.len() - lead..]);
        let start = self.text.len();
        self.text.push_str(&right_shown[..tail]);
        if tail < right.len() {
            self.text.push_str(ellipsis(style));
        }
        self.text.push('\n');
        self.rows.push(Row {
            start: begin,
            end: self.text.len(),
            line: mark.line,
            whole,
        });
        Span::new(start, start + (mark.end - mark.start).min(tail))
    }

    /// A label that fits beside the mark's middle, where it is drawn: in one line, in several,
    /// or at a mark made shorter.
    fn label(&self, say: &str, span: Span, room: usize) -> Option<(String, Span)> {
        let row = self.rows.last()?;
        let start = columns(&self.text[row.start..span.start]);
        let end = start + columns(&self.text[span.start..span.end]).max(1);
        let free = room.saturating_sub((start + end) / 2 + CONNECTOR);
        if columns(say) <= free {
            return Some((say.to_owned(), span));
        }
        let narrow = say.replace(", ", ",\n");
        let needs = narrow.lines().map(columns).max().unwrap_or(0);
        if needs <= free {
            return Some((narrow, span));
        }
        let middle = room.checked_sub(CONNECTOR + needs)?;
        let most = 2 * middle.checked_sub(start)? + 1;
        let mark = fitting(self.text[span.start..span.end].chars(), most);
        Some((narrow, Span::new(span.start, span.start + mark)))
    }
}

/// The bytes of as many characters as fit some columns.
fn fitting(characters: impl Iterator<Item = char>, room: usize) -> usize {
    let mut used = 0;
    characters
        .take_while(|character| {
            used += cost(*character);
            used <= room
        })
        .map(char::len_utf8)
        .sum()
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let until = span.offset() + span.len().max(1);
        let first = self.rows.partition_point(|row| row.end <= span.offset());
        let last = self.rows.partition_point(|row| row.start < until);
        // Only lines that are neighbours in the deck may be shown in one frame.
        match self.rows.get(first..last) {
            Some(rows @ [one, ..])
                if until <= self.text.len()
                    && rows.windows(2).all(|two| two[0].line + 1 == two[1].line) =>
            {
                let end = rows.last().map_or(one.end, |row| row.end);
                Ok(Box::new(MietteSpanContents::new(
                    &self.text.as_bytes()[one.start..end],
                    SourceSpan::new(one.start.into(), end - one.start),
                    one.line,
                    0,
                    rows.len(),
                )))
            }
            _ => Err(MietteError::OutOfBounds),
        }
    }
}
