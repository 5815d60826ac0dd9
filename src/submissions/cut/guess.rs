//! Where rows begin if quotes come in pairs.

use crate::submissions::SubmissionError;
use crate::submissions::table::{Source, Table};
use rayon::prelude::*;
use std::io::{BufRead, BufReader, Read};

/// Where the first row behind each bound begins if the first bound is between rows and quotes
/// come in pairs; `None` where that is behind the next bound.
pub(super) fn beginnings<S: Source + ?Sized>(
    table: &Table<'_, S>,
    bounds: &[u64],
) -> Result<Vec<Option<u64>>, SubmissionError> {
    let odd = bounds.par_windows(2).map(|region| {
        let mut quotes = 0;
        each_piece(table, region[0], region[1], |piece| {
            quotes += memchr::memchr_iter(b'"', piece).count();
            true
        })?;
        Ok(quotes % 2 == 1)
    });
    let odd: Vec<bool> = odd.collect::<Result<_, SubmissionError>>()?;
    let mut quoted = vec![false];
    for odd in odd {
        quoted.push(quoted[quoted.len() - 1] ^ odd);
    }
    let first = |(at, quoted): (usize, bool)| -> Result<Option<u64>, SubmissionError> {
        if at == 0 {
            return Ok(Some(bounds[0]));
        }
        let end = bounds.get(at + 1).copied();
        let end = end.unwrap_or(bounds[at] + (bounds[1] - bounds[0]));
        let mut row = RowEnd {
            bound: bounds[at],
            quoted,
            at: bounds[at] - 1,
            before: 0,
            content: quoted,
        };
        let mut found = None;
        each_piece(table, row.at, end, |piece| {
            found = piece.iter().find_map(|byte| row.next(*byte));
            found.is_none()
        })?;
        Ok(found)
    };
    quoted.into_par_iter().enumerate().map(first).collect()
}

/// Looks for the place where a reader stops behind the first row that ends beyond a bound. It
/// is given the bytes from the one before the bound on.
struct RowEnd {
    bound: u64,
    quoted: bool,
    /// Where the next byte is.
    at: u64,
    /// The byte before it.
    before: u8,
    /// Whether the line has anything so far: empty lines are no rows.
    content: bool,
}

impl RowEnd {
    fn next(&mut self, byte: u8) -> Option<u64> {
        let at = self.at;
        self.at += 1;
        let before = std::mem::replace(&mut self.before, byte);
        if at < self.bound {
            self.content |= byte != b'\n' && byte != b'\r';
            return None;
        }
        match byte {
            b'\n' if !self.quoted => {
                // The reader stops behind the CR.
                let end = if before == b'\r' { at } else { at + 1 };
                let is_end = self.content && end > self.bound;
                self.content = false;
                return is_end.then_some(end);
            }
            b'\r' => {}
            b'"' => {
                self.quoted = !self.quoted;
                self.content = true;
            }
            _ => self.content = true,
        }
        None
    }
}

/// Gives the bytes between two places piece by piece, as long as more are wanted.
fn each_piece<S: Source + ?Sized>(
    table: &Table<'_, S>,
    from: u64,
    to: u64,
    mut more: impl FnMut(&[u8]) -> bool,
) -> Result<(), SubmissionError> {
    let bytes = table.source.read_from(from)?.take(to - from);
    let mut bytes = BufReader::with_capacity(1 << 16, bytes);
    loop {
        let piece = bytes.fill_buf()?;
        let length = piece.len();
        if length == 0 || !more(piece) {
            return Ok(());
        }
        bytes.consume(length);
    }
}
