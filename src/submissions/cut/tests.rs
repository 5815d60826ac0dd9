//! Tables in pieces, compared with tables as a whole.

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
