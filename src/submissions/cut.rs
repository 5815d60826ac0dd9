//! A table cut between its rows, so that several threads can read it.
//!
//! Where a row begins is only known for certain by reading all before it, since new lines may
//! stand within quotes. So a few regions are read at once: the first from where the rows
//! before it end, and the others from where a row begins if quotes come in pairs. What then
//! does not begin where the rows before it end is left, and the next regions begin there: the
//! cut is exact whatever the table holds.

use super::SubmissionError;
use super::survey::Looked;
use super::table::{Place, Records, Source, Stretch, Table};
use rayon::prelude::*;
use std::io::{BufRead, BufReader, Read};
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
        let until = |at: usize| match bounds.get(at + 1) {
            Some(bound) => *bound,
            None if bound(at as u64 + 1) < length => bound(at as u64 + 1),
            None => u64::MAX,
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

/// Where the first row behind each bound begins if the first bound is between rows and quotes
/// come in pairs; `None` where that is behind the next bound.
fn beginnings<S: Source + ?Sized>(
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::submissions::{Columns, Row, Survey, read_header};
    use proptest::prelude::*;
    use std::sync::atomic::{AtomicU64, Ordering};

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
        rows: usize::MAX,
        together: 1,
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
            most in 1_usize..10,
            together in 1_u64..6,
        ) {
            let mut table = "Player,Deck,Timestamp\n".to_owned();
            for (cells, end) in rows {
                table.push_str(&cells.join(","));
                table.push_str(end);
            }
            if crlf {
                table = table.replace("\r\n", "\n").replace('\n', "\r\n");
            }
            let pieces = learnt(table.as_bytes(), Cut { region, stretch, rows: most, together });
            prop_assert_eq!(pieces, learnt(table.as_bytes(), WHOLE), "{:?}", table);
        }
    }

    #[test]
    fn guesses_are_right_where_quotes_come_in_pairs() {
        for (end, between) in [("\n", ""), ("\r\n", ""), ("\n", "\n"), ("\r\n", "\r\n")] {
            let mut table = format!("Player,Deck{end}");
            let mut ends = Vec::new();
            for row in 0..200 {
                table.push_str(&format!("P{row},\"{row} Ant{end}2 \"\"Bee\"\"{end}\"{end}"));
                // The reader stops behind the CR.
                ends.push((table.len() + 1 - end.len()) as u64);
                table.push_str(between);
            }
            let (header, layout) = read_header(table.as_bytes()).unwrap();
            let whole = Table {
                source: table.as_bytes(),
                layout,
                columns: Columns::of(&header, &[]).unwrap(),
            };
            let bounds: Vec<u64> = (0..table.len() as u64).step_by(100).collect();
            let begins = beginnings(&whole, &bounds).unwrap();
            for (bound, begin) in bounds.iter().zip(begins).skip(1) {
                let row = ends.iter().copied().find(|end| end > bound);
                // Its last byte must be before the next bound.
                let last = (end.len() - 1) as u64;
                let row = row.filter(|row| row + last <= bound + 100);
                assert_eq!(begin, row, "behind {bound} of {table:?}");
            }
        }
    }

    /// A table of which it is counted how much is read.
    struct Counting<'t>(&'t [u8], AtomicU64);

    impl Source for Counting<'_> {
        fn length(&self) -> std::io::Result<u64> {
            self.0.length()
        }

        fn read_from(&self, start: u64) -> std::io::Result<impl Read> {
            struct Counted<'c, R>(R, &'c AtomicU64);
            impl<R: Read> Read for Counted<'_, R> {
                fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
                    let read = self.0.read(into)?;
                    self.1.fetch_add(read as u64, Ordering::Relaxed);
                    Ok(read)
                }
            }
            Ok(Counted(self.0.read_from(start)?, &self.1))
        }
    }

    #[test]
    fn no_table_is_read_again_and_again() {
        let lines = 400_000;
        let plain = "P,\"1 A\n\"\n".repeat(lines);
        for rows in [
            plain.clone(),
            format!("5\" disc,x\n{plain}"),
            // Each line leaves the reader within quotes, wherever it began.
            "\"x\",\"yzzz\n".repeat(lines),
            "\n".repeat(10 * lines),
            format!("\"{}", "x\n".repeat(5 * lines)),
            "x\n\n".repeat(2 * lines),
        ] {
            let table = format!("Player,Deck\n{rows}");
            let (header, layout) = read_header(table.as_bytes()).unwrap();
            let source = Counting(table.as_bytes(), AtomicU64::new(0));
            let whole = Table {
                source: &source,
                layout,
                columns: Columns::of(&header, &[]).unwrap(),
            };
            let cut = Cut {
                region: 1 << 18,
                together: 4,
                ..Cut::default()
            };
            look_through(&whole, cut).unwrap();
            // Once to count quotes and once to read, and what guesses read in vain.
            let read = source.1.load(Ordering::Relaxed);
            let most = 4 * table.len() as u64;
            assert!(read <= most, "{read} of {}: {:.60}", table.len(), rows);
        }
    }
}
