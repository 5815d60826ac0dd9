//! A table cut between its rows, so that several threads can read it.
//!
//! Where a row begins is only known for certain by reading all before it, since new lines may
//! stand within quotes. So a few regions are read at once: the first from where the rows
//! before it end, and the others from where a row begins if quotes come in pairs. What then
//! does not begin where the rows before it end is left, and the next regions begin there: the
//! cut is exact whatever the table holds.

mod guess;

use super::SubmissionError;
use super::survey::Looked;
use super::table::{Place, Records, Source, Stretch, Table};
use guess::beginnings;
use rayon::prelude::*;
use std::io::Read;
use std::num::NonZero;

/// How large the pieces of a table are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// The bytes that a thread looks at in one go.
    pub(super) region: u64,
    /// The bytes of a stretch, unless its last row takes it further.
    pub(super) stretch: u64,
    /// The most rows of a stretch.
    pub(super) rows: usize,
    /// How many regions are looked at together.
    pub(super) together: u64,
}

impl Default for Cut {
    fn default() -> Cut {
        let threads = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        Cut {
            region: 1 << 20,
            stretch: 1 << 17,
            rows: 256,
            together: threads.get() as u64,
        }
    }
}

/// A part of a table, looked through.
struct Part {
    from: Place,
    end: Place,
    /// The first record's row.
    first: Option<u64>,
    /// Whether there is nothing behind it.
    ended: bool,
    stretches: Vec<Stretch>,
    looked: Looked,
}

/// Looks through a table. The answer is also the table in stretches.
pub(super) fn look_through<S: Source + ?Sized>(
    table: &Table<'_, S>,
    cut: Cut,
) -> Result<(Looked, Vec<Stretch>), SubmissionError> {
    let length = table.source.length()?;
    let origin = Place {
        byte: table.layout.start,
        lines: 0,
        row: 0,
    };
    let mut whole = Part::empty(origin);
    while !whole.ended {
        let start = whole.end;
        let bound = |at: u64| start.byte.saturating_add(at.saturating_mul(cut.region));
        let bounds: Vec<u64> = (0..cut.together.max(1))
            .map(bound)
            .take_while(|bound| *bound < length || *bound == start.byte)
            .collect();
        let until = |at: usize| match bound(at as u64 + 1) {
            next if next < length => next,
            _ => u64::MAX,
        };
        if bounds.len() == 1 {
            // No thread is worth its start.
            whole.add(Part::read(table, start, until(0), cut)?, 0);
            continue;
        }
        let begins = beginnings(table, &bounds)?;
        let parts = begins.into_par_iter().enumerate().map(|(at, begin)| {
            let part = match (at, begin) {
                (0, _) => Some(Part::read(table, start, until(0), cut)?),
                (_, Some(byte)) => Part::guessed(table, Place { byte, ..origin }, until(at), cut)?,
                (_, None) => None,
            };
            Ok(part)
        });
        let parts: Vec<Option<Part>> = parts.collect::<Result<_, SubmissionError>>()?;
        for (at, part) in parts.into_iter().enumerate() {
            match part {
                Some(first) if at == 0 => whole.add(first, 0),
                // A row that began before goes beyond this region.
                _ if whole.end.byte > until(at) => {}
                Some(part) if part.follows(&whole) => {
                    let lines = whole.end.lines;
                    whole.add(part, lines);
                }
                _ => break,
            }
        }
    }
    Ok((whole.looked, whole.stretches))
}

impl Part {
    fn empty(from: Place) -> Part {
        Part {
            from,
            end: from,
            first: None,
            ended: false,
            stretches: Vec::new(),
            looked: Looked::default(),
        }
    }

    /// Reads records from a place on, until one ends beyond a byte.
    fn read<S: Source + ?Sized>(
        table: &Table<'_, S>,
        from: Place,
        until: u64,
        cut: Cut,
    ) -> Result<Part, SubmissionError> {
        let bytes = table.source.read_from(from.byte)?;
        Part::of(
            Records::of(bytes, table.layout, from)?,
            table,
            from,
            until,
            cut,
        )
    }

    /// The same from where a row may begin, its rows counted from there. If it was none, what
    /// follows may read as a single row to the table's end, so one that goes too far is left.
    fn guessed<S: Source + ?Sized>(
        table: &Table<'_, S>,
        from: Place,
        until: u64,
        cut: Cut,
    ) -> Result<Option<Part>, SubmissionError> {
        let furthest = until.saturating_add(cut.region);
        let bytes = table.source.read_from(from.byte)?;
        let bytes = bytes.take(furthest - from.byte);
        let records = Records::of(bytes, table.layout, from)?;
        let part = Part::of(records, table, from, until, cut)?;
        Ok(Some(part).filter(|part| part.end.byte < furthest))
    }

    fn of<S: Source + ?Sized, R: Read>(
        mut records: Records<R>,
        table: &Table<'_, S>,
        from: Place,
        until: u64,
        cut: Cut,
    ) -> Result<Part, SubmissionError> {
        let mut part = Part::empty(from);
        let mut begun = from;
        let mut rows = 0;
        while !part.ended && part.end.byte <= until {
            match records.next()? {
                Some(row) => {
                    part.first.get_or_insert(row);
                    part.looked.look(&records, row, &table.columns);
                    rows += 1;
                }
                None => part.ended = true,
            }
            part.end = records.place();
            let full = rows >= cut.rows || part.end.byte - begun.byte >= cut.stretch;
            if full || part.ended || part.end.byte > until {
                part.stretches.push(Stretch {
                    from: begun,
                    to: part.end.byte,
                });
                (begun, rows) = (part.end, 0);
            }
        }
        Ok(part)
    }

    /// Whether a part that begins at a guess begins where the rows before it end, and its rows
    /// have greater numbers.
    fn follows(&self, before: &Part) -> bool {
        let ascends = |first: u64| before.end.lines + first > before.end.row;
        self.from.byte == before.end.byte && self.first.is_none_or(ascends)
    }

    /// Adds the part behind, whose rows and lines are so many more than it says.
    fn add(&mut self, behind: Part, more: u64) {
        let moved = |place: Place| Place {
            lines: place.lines + more,
            row: place.row + more,
            ..place
        };
        let stretches = behind.stretches.into_iter();
        self.stretches.extend(stretches.map(|stretch| Stretch {
            from: moved(stretch.from),
            ..stretch
        }));
        self.end = moved(behind.end);
        self.ended = behind.ended;
        self.looked.add(behind.looked, more);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
