//! A table cut between its rows, so that several threads can read it.
//!
//! Where a row begins is only known for certain by reading all before it, since new lines may
//! stand within quotes. So regions of the table are read from where a row begins if quotes
//! come in pairs, which is then compared with where the region before it ends, and what does
//! not fit is read again from there: the cut is exact whatever the table holds.

use super::SubmissionError;
use super::survey::Looked;
use super::table::{Place, Records, Source, Stretch, Table};
use rayon::prelude::*;
use std::io::{BufRead, BufReader, Read};

/// How large the pieces of a table are, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// What a thread looks at in one go.
    pub(super) region: u64,
    /// What a stretch has at least.
    pub(super) stretch: u64,
}

impl Default for Cut {
    fn default() -> Cut {
        Cut {
            region: 1 << 20,
            stretch: 1 << 17,
        }
    }
}

/// A part of a table, looked through.
struct Part {
    from: Place,
    end: Place,
    /// The first record's row.
    first: Option<u64>,
    stretches: Vec<Stretch>,
    looked: Looked,
}

/// Looks through a table. The answer is also the table in stretches.
pub(super) fn look_through<S: Source + ?Sized>(
    table: &Table<'_, S>,
    cut: Cut,
) -> Result<(Looked, Vec<Stretch>), SubmissionError> {
    let start = table.layout.start;
    let region = usize::try_from(cut.region).unwrap_or(usize::MAX);
    let length = table.source.length()?;
    let bounds: Vec<u64> = (start..length).step_by(region).skip(1).collect();
    let until = |at: usize| bounds.get(at).copied().unwrap_or(u64::MAX);
    let origin = Place {
        byte: start,
        lines: 0,
        row: 0,
    };
    let mut whole = Part::read(table, origin, until(0), cut)?;
    if bounds.is_empty() {
        return Ok((whole.looked, whole.stretches));
    }
    let guesses = guesses(table, &bounds)?;
    let guessed = guesses.into_par_iter().enumerate().map(|(at, guess)| {
        let from = guess.map(|byte| Place { byte, ..origin });
        let part = from.map(|from| Part::read(table, from, until(at + 1), cut));
        part.transpose()
    });
    let guessed: Vec<Option<Part>> = guessed.collect::<Result<_, _>>()?;
    for (part, at) in guessed.into_iter().zip(1..) {
        if whole.end.byte > until(at) {
            continue;
        }
        // A part that begins at a guess counts its rows from there.
        let fits = |part: &Part| {
            let ascends = |first: u64| whole.end.lines + first > whole.end.row;
            part.from.byte == whole.end.byte && part.first.is_none_or(ascends)
        };
        match part.filter(fits) {
            Some(part) => whole.add(part, whole.end.lines),
            None => whole.add(Part::read(table, whole.end, until(at), cut)?, 0),
        }
    }
    Ok((whole.looked, whole.stretches))
}

impl Part {
    /// Reads records from a place on, until one ends beyond a byte.
    fn read<S: Source + ?Sized>(
        table: &Table<'_, S>,
        from: Place,
        until: u64,
        cut: Cut,
    ) -> Result<Part, SubmissionError> {
        let bytes = table.source.read_from(from.byte)?;
        let mut records = Records::of(bytes, table.layout, from)?;
        let mut part = Part {
            from,
            end: from,
            first: None,
            stretches: Vec::new(),
            looked: Looked::default(),
        };
        let mut begun = from;
        let mut more = true;
        while more && part.end.byte <= until {
            match records.next()? {
                Some(row) => {
                    part.first.get_or_insert(row);
                    part.looked.look(&records, row, &table.columns);
                }
                None => more = false,
            }
            part.end = records.place();
            let length = part.end.byte - begun.byte;
            if length >= cut.stretch || !more || part.end.byte > until {
                part.stretches.push(Stretch {
                    from: begun,
                    to: part.end.byte,
                });
                begun = part.end;
            }
        }
        Ok(part)
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
        self.looked.add(behind.looked, more);
    }
}

/// Where the first row behind each bound begins if quotes come in pairs; `None` where that
/// is behind the next bound.
fn guesses<S: Source + ?Sized>(
    table: &Table<'_, S>,
    bounds: &[u64],
) -> Result<Vec<Option<u64>>, SubmissionError> {
    let starts = [table.layout.start];
    let starts: Vec<u64> = starts.iter().chain(bounds).copied().collect();
    let odd = starts.par_windows(2).map(|region| {
        let mut quotes = 0;
        each_piece(table, region[0], region[1], |piece| {
            quotes += memchr::memchr_iter(b'"', piece).count();
            true
        })?;
        Ok(quotes % 2 == 1)
    });
    let odd: Vec<bool> = odd.collect::<Result<_, SubmissionError>>()?;
    let within = odd.into_iter().scan(false, |within, odd| {
        *within ^= odd;
        Some(*within)
    });
    let within: Vec<bool> = within.collect();
    let first = |(at, quoted): (usize, bool)| -> Result<Option<u64>, SubmissionError> {
        let end = bounds.get(at + 1).copied().unwrap_or(u64::MAX);
        let mut row = FirstRow {
            bound: bounds[at],
            quoted,
            byte: bounds[at] - 1,
            before: 0,
            ended: None,
        };
        let mut found = None;
        // One byte more, since the LF of a CRLF ends no row.
        each_piece(table, row.byte, end, |piece| {
            found = piece.iter().find_map(|byte| row.next(*byte));
            found.is_none()
        })?;
        Ok(found)
    };
    within.into_par_iter().enumerate().map(first).collect()
}

/// Looks for the first row behind a bound that begins behind a row, and not behind a line
/// without anything, where a reader would not stop.
struct FirstRow {
    bound: u64,
    quoted: bool,
    /// Where the next byte is.
    byte: u64,
    /// The byte before it.
    before: u8,
    /// Where a row ended, as far as that is seen.
    ended: Option<u64>,
}

impl FirstRow {
    fn next(&mut self, byte: u8) -> Option<u64> {
        let at = self.byte;
        self.byte += 1;
        let before = std::mem::replace(&mut self.before, byte);
        if at < self.bound {
            return None;
        }
        match byte {
            b'\r' => {}
            // The reader stops behind the CR.
            b'\n' if before == b'\r' && !self.quoted => {
                self.ended = Some(at).filter(|at| *at > self.bound)
            }
            b'\n' if !self.quoted => self.ended = Some(at + 1),
            _ if self.ended.is_some() => return self.ended,
            b'"' => self.quoted = !self.quoted,
            _ => {}
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::submissions::{Columns, Row, Survey, read_header};
    use proptest::prelude::*;

    /// Everything that is learnt of a table when it is cut so: the survey, and the rows.
    fn learnt(bytes: &[u8], cut: Cut) -> (String, Vec<Row>) {
        let (header, layout) = read_header(bytes).unwrap();
        let table = Table {
            source: bytes,
            layout,
            columns: Columns::of(&header, &[]).unwrap(),
        };
        let survey = Survey::in_pieces(&table, None, cut).unwrap();
        let mut rows = Vec::new();
        for stretch in survey.stretches() {
            let mut some = table.rows(*stretch).unwrap();
            while let Some(row) = some.next_row().unwrap() {
                rows.push(row.clone());
            }
        }
        let about: Vec<String> = rows
            .iter()
            .map(|row| {
                format!(
                    "{:?}",
                    survey.counted(row.number, row.time.as_deref(), None)
                )
            })
            .collect();
        let survey = (survey.rows(), survey.counting(), survey.replaced(), about);
        (format!("{survey:?}"), rows)
    }

    /// What nothing cuts.
    const WHOLE: Cut = Cut {
        region: u64::MAX,
        stretch: u64::MAX,
    };

    fn cell() -> impl Strategy<Value = &'static str> {
        prop_oneof![
            4 => Just("Ann"),
            4 => Just("Bob"),
            2 => Just("3 Ant"),
            3 => Just("\"3 Ant\n2 Bee\""),
            3 => Just("\"3 Ant\r\n2 Bee\r\n\""),
            2 => Just("\"a \"\"word\"\"\""),
            1 => Just(""),
            1 => Just("5\" disc"),
            1 => Just("\""),
            1 => Just("\"x\"y"),
            1 => Just("\"\n\n\n\""),
            1 => Just("\r"),
            1 => Just("2026/03/01 10:00"),
            1 => Just("Ñandú 月"),
            1 => Just("\u{feff}Ann"),
        ]
    }

    fn end() -> impl Strategy<Value = &'static str> {
        prop_oneof![8 => Just("\n"), 1 => Just("\n\n"), 1 => Just("\r\n"), 1 => Just("\n,,\n")]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Whatever a table holds and however small its pieces are, it reads as in one piece.
        #[test]
        fn a_table_in_pieces_reads_as_a_whole(
            rows in prop::collection::vec((prop::collection::vec(cell(), 1..4), end()), 0..40),
            crlf: bool,
            region in 1_u64..200,
            stretch in 1_u64..100,
        ) {
            let mut table = "Player,Deck,Timestamp\n".to_owned();
            for (cells, end) in rows {
                table.push_str(&cells.join(","));
                table.push_str(end);
            }
            if crlf {
                table = table.replace("\r\n", "\n").replace('\n', "\r\n");
            }
            let pieces = learnt(table.as_bytes(), Cut { region, stretch });
            prop_assert_eq!(pieces, learnt(table.as_bytes(), WHOLE), "{:?}", table);
        }
    }

    #[test]
    fn most_guesses_are_right_where_quotes_come_in_pairs() {
        for end in ["\n", "\r\n"] {
            let mut table = format!("Player,Deck{end}");
            for row in 0..200 {
                table.push_str(&format!("P{row},\"{row} Ant{end}2 \"\"Bee\"\"{end}\"{end}"));
            }
            let (header, layout) = read_header(table.as_bytes()).unwrap();
            let columns = Columns::of(&header, &[]).unwrap();
            let bounds: Vec<u64> = (0..table.len() as u64).step_by(100).skip(1).collect();
            let whole = Table {
                source: table.as_bytes(),
                layout,
                columns,
            };
            let guesses = guesses(&whole, &bounds).unwrap();
            let ends: Vec<usize> = table
                .match_indices(&format!("\"{end}P"))
                .map(|(at, _)| at)
                .collect();
            for (bound, guess) in bounds.iter().zip(guesses) {
                let row = ends.iter().map(|at| *at as u64 + 2).find(|at| at > bound);
                // It is seen by the first byte of the row, which must be before the next bound.
                let begins = |at: &u64| at + end.len() as u64 - 1 < bound + 100;
                assert_eq!(guess, row.filter(begins), "behind {bound}");
            }
        }
    }
}
