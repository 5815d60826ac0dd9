//! Forms as people export them: times, zones, columns, row numbers, other programs' decks.

use super::checked;
use super::event::{LEGAL, OTHER, ran};
use decklaw::submissions::Columns;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn a_large_form_is_read_by_several_threads_as_by_one() {
    for end in ["\n", "\r\n"] {
        // Enough for several threads.
        let mut table = format!("Player,Deck{end}");
        for row in 0..9_000 {
            let player = match row % 1_000 {
                0 => format!("\"The {row}\"\" disc\""),
                7 => "Twin".to_owned(),
                _ => format!("P{row}"),
            };
            let cards: String = (0..40).map(|at| format!("1 Card {at}{end}")).collect();
            table.push_str(&format!("{player},\"Format: any{end}{end}{cards}\"{end}"));
        }
        assert!(table.len() > 3 << 20);
        let (status, document, _) = checked(table.as_bytes(), &[]);
        assert_eq!(status, Some(0));
        let twins: Vec<u64> = (0..9_u64).map(|at| 1_000 * at + 7 + 2).collect();
        let (last, earlier) = twins.split_last().unwrap();
        let replaced: Vec<Value> =
            earlier.iter().map(|row| json!({"row": row, "by": last})).collect();
        assert_eq!(document["submissions"]["rows"], 9_000);
        assert_eq!(document["submissions"]["replaced"], json!(replaced));
        let decks = document["decks"].as_array().unwrap();
        let names: Vec<&str> = decks.iter().map(|deck| deck["deck"].as_str().unwrap()).collect();
        let counts: Vec<String> = (2..9_002)
            .filter(|row| !earlier.contains(row))
            .map(|row| format!("form.csv row {row}"))
            .collect();
        assert_eq!(names, counts);
        assert!(decks.iter().all(|deck| deck["cards"]["main"] == 40));
    }
}

/// A line of a table as a spreadsheet would write it, or an empty one.
fn line() -> impl Strategy<Value = Option<[String; 2]>> {
    let cell = "[a-c\",; \n]{0,6}|[a-c]{1,3}";
    let said = cell.prop_filter("it says something", |cell| !cell.trim().is_empty());
    let cells = (said, cell).prop_map(|(player, deck)| [player, deck]);
    proptest::option::weighted(0.7, cells)
}

proptest! {
    #[test]
    fn rows_are_counted_as_they_were_written(
        lines in proptest::collection::vec(line(), 0..12),
        crlf: bool,
        ended: bool,
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let mut table = "Player,Deck".to_owned();
        let mut written = Vec::new();
        for (row, line) in (2_u64..).zip(&lines) {
            table.push_str(end);
            if let Some([player, deck]) = line {
                table.push_str(&format!("{},{}", quoted(player), quoted(deck)));
                written.push((row, deck.clone()));
            }
        }
        table.push_str(if ended { end } else { "" });
        let sheet = decklaw::table::read(table.as_bytes(), None).unwrap();
        let columns = Columns::of(&sheet.header, &BTreeSet::new(), &[], |_| false).unwrap();
        let rows = sheet.rows.iter().map(|row| columns.row(row));
        let read: Vec<(u64, String)> = rows
            .map(|row| (row.number, String::from_utf8(row.deck).unwrap()))
            .collect();
        for (_, deck) in &mut written {
            *deck = deck.trim().to_owned();
        }
        prop_assert_eq!(read, written, "{:?}", table);
    }
}

/// A form in Windows-1252: the names of cards in its decks tell it, as they tell it of a deck's
/// file.
#[test]
fn the_cards_of_its_decks_tell_a_forms_encoding() {
    let arkham = crate::reading::corpus::pasted("arkhambuild-brand.txt");
    assert!(arkham.contains('\u{2020}') && !arkham.contains('"'));
    let plain = "Main\n3 Moss Sprite";
    let row = |player: &str, deck: &str| format!("2026-03-01 10:00,{player},\"{deck}\"\r\n");
    let table = |rows: &[String]| format!("Timestamp,Player,Deck\r\n{}", rows.concat());
    let western = |text: &str| {
        let (bytes, _, lost) = encoding_rs::WINDOWS_1252.encode(text);
        assert!(!lost);
        bytes.into_owned()
    };
    let decks = |bytes: &[u8]| {
        let (_, document, said) = checked(bytes, &["--format", "shell"]);
        let decks = document["decks"].as_array().unwrap_or_else(|| panic!("{said}"));
        let hashes = decks.iter().map(|deck| deck["hash"].clone());
        (hashes.collect::<Vec<Value>>(), said)
    };
    let rows = [row("Zo\u{eb}", &arkham), row("Ben", plain)];
    let (truth, quiet) = decks(table(&rows).as_bytes());
    assert!(truth.iter().all(Value::is_string), "{quiet}");
    assert!(!quiet.contains("Windows-1252"));
    let (read, said) = decks(&western(&table(&rows)));
    assert_eq!(read, truth);
    assert!(said.contains("read as Windows-1252"), "{said}");
    // A row whose names with such letters are not cards cannot be read.
    let unknown = plain.replace("Moss", "M\u{f6}ss");
    let rows = [row("Ana", &arkham), row("Ben", &unknown)];
    let (status, document, said) = checked(&western(&table(&rows)), &["--format", "shell"]);
    assert_eq!(status, Some(1), "{said}");
    assert_ne!(document["decks"][0]["verdict"], "unreadable");
    assert_eq!(document["decks"][1]["verdict"], "unreadable");
    assert!(document.to_string().contains("UTF-8"), "{document}");
}

/// A file's name is compared with the list before anything is cut from it.
#[test]
fn a_zip_of_decks_is_imported_by_the_names_of_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    write("players.txt", "Jan van-der-Berg\nSeán O'Neil\nAda Birch\n".as_bytes());
    ran(folder, "event new cup --format vainqueur --players players.txt", 0);
    let named = format!("Player: Ada Birch\n\n{LEGAL}");
    let zip = crate::common::packed(&[
        ("lists/jan_van-der-Berg.txt", LEGAL.as_bytes()),
        ("lists/Sean O\u{2019}Neil.txt", OTHER.as_bytes()),
        ("lists/1.txt", named.as_bytes()),
        ("lists/picture.png", b""),
    ]);
    write("decks.zip", &zip);
    let read = ran(folder, "event import cup decks.zip --yes", 0);
    assert!(read.contains("picture.png"), "{read}");
    let all = ran(folder, "event export cup -o csv", 0);
    assert_eq!((all.lines().count(), all.matches(",counts,").count()), (4, 3), "{all}");
    write("no.zip", b"no archive");
    ran(folder, "event import cup no.zip --yes", 2);
}
