//! Forms as people export them: times, zones, columns, row numbers, other programs' decks.

use super::{checked, checked_in, decklaw, text};
use decklaw::submissions::Columns;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A form with these times, each of a player of its own, and a deck that is legal.
fn form(times: &[&str]) -> Vec<u8> {
    let row = |(at, time): (usize, &&str)| format!("\"{time}\",P{at},\"Format: any\n\n1 A\"\n");
    let rows: String = times.iter().enumerate().map(row).collect();
    format!("Timestamp,Player,Deck\n{rows}").into_bytes()
}

fn rows(document: &Value, key: &str) -> Vec<u64> {
    let rows = document["submissions"][key].as_array().unwrap();
    rows.iter().map(|row| row.as_u64().unwrap()).collect()
}

#[test]
fn a_time_that_is_not_understood_is_never_on_time_in_silence() {
    let strange = [
        "2026-03-01 17:00",
        "46082.695",
        "1.3.2026 6:04 abends",
        "2026-03-01 17:00 Europe/Berlin",
        "",
        "2026-03-01 19:00",
        "soon",
    ];
    let table = form(&strange);
    let (_, document, told) = checked(&table, &["--deadline", "2026-03-01T18:00"]);
    assert_eq!(rows(&document, "late"), [7]);
    assert_eq!(rows(&document, "times_not_understood"), [3, 4, 5, 6, 8]);
    assert!(told.contains("time missing or not understood: rows 3, 4, 5, 6 and 8"));
    assert_eq!(
        document["decks"][1]["submission"]["times_not_understood"],
        json!([3])
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("form.csv"), &table).unwrap();
    let call = [
        "check",
        "--submissions",
        "form.csv",
        "--deadline",
        "2026-03-01T18:00",
    ];
    let shown = text(&decklaw(folder.path(), &[&call[..], &["-v"]].concat()).stdout);
    assert_eq!(shown.matches("(time not understood)").count(), 4, "{shown}");
    assert!(shown.contains("(no time)") && shown.contains("(late)"));
    let shown = text(&decklaw(folder.path(), &call).stdout);
    assert!(
        shown.contains("time not understood  5  P1 (row 3), P2 (row 4)"),
        "{shown}"
    );
    let csv = decklaw(
        folder.path(),
        &[&call[..], &["--summary", "-o", "csv"]].concat(),
    );
    let mut reader = csv::Reader::from_reader(&csv.stdout[..]);
    let at = reader
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == "remark");
    let remarks: Vec<String> = reader
        .records()
        .map(|record| record.unwrap()[at.unwrap()].to_owned())
        .collect();
    let unread = "time not understood";
    assert_eq!(
        remarks,
        ["", unread, unread, unread, "no time", "late", unread]
    );
    // Without a deadline nobody asks for the time of a single row.
    let (_, document, _) = checked(&table, &[]);
    assert_eq!(rows(&document, "times_not_understood"), [0_u64; 0]);
}

#[test]
fn the_latest_row_says_that_a_time_of_its_player_is_not_understood() {
    let deck = "\"Format: any\n\n1 A\"";
    let table = format!(
        "Timestamp,Player,Deck\n2026-03-01 10:00,Ana,{deck}\ntomorrow,ana,{deck}\n2026-03-01 10:00,Ben,{deck}\n2026-03-01 11:00,BEN,{deck}\n"
    );
    let (_, document, told) = checked(table.as_bytes(), &[]);
    let decks = document["decks"].as_array().unwrap();
    assert_eq!(decks.len(), 2);
    assert_eq!(decks[0]["submission"]["row"], 2);
    assert_eq!(decks[0]["submission"]["times_not_understood"], json!([3]));
    assert_eq!(decks[1]["submission"]["row"], 5);
    assert_eq!(decks[1]["submission"]["times_not_understood"], json!([]));
    assert!(
        told.contains("time missing or not understood: row 2"),
        "{told}"
    );
}

#[test]
fn zones_count_where_both_sides_say_theirs() {
    let google = ["2026/03/01 6:30:00 PM GMT+2", "2026/03/01 6:30:00 PM GMT+1"];
    // 18:30 two hours east is 16:30 in Greenwich; the deadline is 17:00 there.
    let (_, document, _) = checked(&form(&google), &["--deadline", "2026-03-01T18:00+01:00"]);
    assert_eq!(rows(&document, "late"), [3]);
    // A deadline without a zone is one of the organiser's, which is named.
    let due = ["--deadline", "2026-03-01T18:00", "--zone", "+01:00"];
    let (_, document, told) = checked(&form(&google), &due);
    assert_eq!(rows(&document, "late"), [3]);
    assert!(
        told.contains("deadline: 2026-03-01T18:00:00 (+01:00)"),
        "{told}"
    );
    let (_, _, told) = checked(&form(&google), &["--deadline", "2026-03-01T18:00"]);
    assert!(told.contains("deadline: 2026-03-01T18:00:00 ("), "{told}");
    let mixed = ["2026-03-01T17:30Z", "2026-03-01 18:30"];
    let (_, document, told) = checked(&form(&mixed), &["--deadline", "2026-03-01T18:00Z"]);
    assert_eq!(rows(&document, "late"), [3]);
    assert!(
        told.contains("some times say their zone and some do not"),
        "{told}"
    );
    // The latest row by the clock of one place, not by the letters.
    let deck = "\"Format: any\n\n1 A\"";
    let table = format!(
        "Timestamp,Player,Deck\n2026-03-01T12:00+05:00,Ana,{deck}\n2026-03-01T10:00+01:00,Ana,{deck}\n"
    );
    let (_, document, _) = checked(table.as_bytes(), &[]);
    assert_eq!(document["decks"][0]["submission"]["row"], 3);
    let (status, _, told) = checked(&form(&google), &["--deadline", "tonight"]);
    assert!(
        status == Some(2) && told.contains("2026-03-01T18:00+01:00"),
        "{told}"
    );
}

#[test]
fn columns_may_be_named_in_many_ways_and_only_once() {
    let deck = "\"Format: any\n\n1 A\"";
    let table = format!("Who,\"Paste, your deck\"\nAna,{deck}\n");
    for columns in [
        &["--columns", "deck=Paste, your deck,player=Who"][..],
        &[
            "--columns",
            "player=Who",
            "--columns",
            "deck=Paste, your deck",
        ],
        &["--columns", "player=Who,\"deck=Paste, your deck\""],
    ] {
        let (status, document, told) = checked(table.as_bytes(), columns);
        assert_eq!(status, Some(0), "{columns:?}: {told}");
        assert_eq!(document["decks"][0]["player"], "Ana");
    }
    for (columns, said) in [
        (
            &["--columns", "player=Who,player=Who"][..],
            "`player=` is given twice",
        ),
        (
            &["--columns", "player=Who", "--columns", "player=Who"],
            "is given twice",
        ),
    ] {
        let (status, _, told) = checked(table.as_bytes(), columns);
        assert!(status == Some(2) && told.contains(said), "{told}");
    }
    let two = format!("Player,Deck,Decklist\nAna,Tide,{deck}\n");
    let (status, _, told) = checked(two.as_bytes(), &[]);
    assert_eq!(status, Some(2));
    assert!(
        told.contains("`Deck` and `Decklist`") && told.contains("--columns deck="),
        "{told}"
    );
    let (status, ..) = checked(two.as_bytes(), &["--columns", "deck=Decklist"]);
    assert_eq!(status, Some(0));
    // A form asks for the name and for the address, and that is plain.
    let both = format!("Email Address,Name,Deck\na@example.org,Ana,{deck}\n");
    let (_, document, _) = checked(both.as_bytes(), &[]);
    assert_eq!(document["decks"][0]["player"], "Ana");
}

#[test]
fn what_is_about_a_form_needs_one() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deck.txt"), "Format: any\n\n1 A\n").unwrap();
    for option in [
        &["--deadline", "2026-03-01T18:00"][..],
        &["--columns", "deck=Deck"],
        &["--dates", "day-first"],
    ] {
        let run = decklaw(folder.path(), &[&["check", "deck.txt"], option].concat());
        assert_eq!(run.status.code(), Some(2), "{option:?}");
        assert!(text(&run.stderr).contains(option[0]), "{option:?}");
    }
    let of = |path: &str| {
        let run = decklaw(folder.path(), &["check", "--submissions", path]);
        assert_eq!(run.status.code(), Some(2));
        text(&run.stderr)
    };
    assert!(of("none.csv").contains("there is no such file"));
    assert!(of(".").contains("this is a folder"));
}

#[test]
fn decks_of_other_programs_are_read_from_cells_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let cod = "<cockatrice_deck version=\"1\"><zone name=\"main\"><card number=\"2\" name=\"A\"/></zone></cockatrice_deck>";
    std::fs::write(folder.path().join("ana.COD"), cod).unwrap();
    std::fs::write(
        folder.path().join("ben.Csv"),
        "count,name,section\n2,A,main\n",
    )
    .unwrap();
    let table = "Player,Format,Deck\nAna,any,ana.COD\nBen,any,ben.Csv\n";
    let (status, document, told) = checked_in(folder.path(), table.as_bytes(), &[]);
    assert_eq!(status, Some(0), "{told} {document}");
    assert_eq!(document["decks"][0]["hash"], document["decks"][1]["hash"]);
    // Cells as players paste them are read as what they plainly are.
    let pasted = "Player,Format,Deck\nAna,any,\"- 2 A\n- 1 B\"\n";
    let (status, document, _) = checked(pasted.as_bytes(), &[]);
    assert_eq!(status, Some(0));
    assert_eq!(document["decks"][0]["cards"], json!({"main": 3}));
    let (status, document, told) = checked(pasted.as_bytes(), &["--from", "pasted"]);
    assert_eq!(status, Some(0), "{told}");
    assert_eq!(document["decks"][0]["cards"], json!({"main": 3}));
    // And files that the call names.
    std::fs::write(folder.path().join("list.txt"), "Format: any\n\n- 2 A\n").unwrap();
    for command in ["check", "stats"] {
        let plain = decklaw(folder.path(), &[command, "list.txt"]);
        assert_eq!(plain.status.code(), Some(0), "{command}");
        let told = decklaw(folder.path(), &[command, "list.txt", "--from", "pasted"]);
        assert_eq!(
            told.status.code(),
            Some(0),
            "{command}: {}",
            text(&told.stderr)
        );
    }
    std::fs::write(folder.path().join("UPPER.TXT"), "Format: any\n\n2 A\n").unwrap();
    let run = decklaw(folder.path(), &["check", ".", "-o", "ndjson"]);
    assert!(
        text(&run.stdout).contains("UPPER.TXT"),
        "{}",
        text(&run.stdout)
    );
}

#[test]
fn a_format_may_be_told_by_its_name_and_must_be_the_decks_own() {
    let table = "Player,Format,Deck\nAna,Shell game,\"1 Pip\"\nBen,SHELL  GAME,\"Format: vainqueur\n\n1 Pip\"\nCleo,shell,\"Format: Shell Game\n\n1 Pip\"\n";
    let (_, document, _) = checked(table.as_bytes(), &[]);
    let decks = document["decks"].as_array().unwrap();
    assert!(
        decks.iter().all(|deck| deck["format"] == "shell"),
        "{document}"
    );
    let notices = |deck: &Value| -> Vec<String> {
        let findings = deck["findings"].as_array().unwrap();
        let syntax = findings
            .iter()
            .filter(|finding| finding["rule"] == "syntax");
        syntax
            .map(|finding| finding["message"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(notices(&decks[0]).len(), 0);
    let said = notices(&decks[1]);
    assert!(
        said[0].contains("`vainqueur`") && said[0].contains("`SHELL  GAME`"),
        "{said:?}"
    );
    assert_eq!(notices(&decks[2]).len(), 0);
}

#[test]
fn names_are_harmless_in_every_log_and_players_are_named() {
    let table = "Player,Format,Deck\nAna,vainqueur,\"2 Evil \u{9b}2J\u{202e}Card\"\nBen,any,\"Name: -\n\n1 A\"\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("form.csv"), table).unwrap();
    let call = ["check", "--submissions", "form.csv", "-o"];
    let run = |kind: &str| text(&decklaw(folder.path(), &[&call[..], &[kind]].concat()).stdout);
    for kind in ["github", "junit"] {
        let out = run(kind);
        assert!(out.contains("form.csv row 2 (Ana)"), "{out}");
        assert!(!out.contains(['\u{9b}', '\u{202e}', '\u{1b}']), "{out}");
    }
    let excel = text(
        &decklaw(
            folder.path(),
            &[&call[..], &["csv-excel", "--summary"]].concat(),
        )
        .stdout,
    );
    assert!(excel.contains(",-,legal,"), "{excel}");
}

#[test]
fn verdicts_are_the_same_wherever_a_list_lies() {
    let list = "schema: decklaw/banlist/1\nid: spring\ngame: vainqueur\nname: Spring\neffective: 2026-01-01\npoints: {limit: 1, cards: [{name: Chapel Lynx, points: 1}]}\nbanned:\n  - Wolf Who Ate the Map\n";
    let outputs: Vec<Vec<u8>> = ["one", "one/place"]
        .iter()
        .map(|inside| {
            let folder = tempfile::tempdir().unwrap();
            let lists = folder.path().join("fetched").join(inside);
            std::fs::create_dir_all(&lists).unwrap();
            std::fs::write(lists.join("2026.yaml"), list).unwrap();
            let deck = "Format: vainqueur\n\n2 Chapel Lynx\n1 Wolf Who Ate the Map\n";
            std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
            let call = ["check", "deck.txt", "--as-of", "2026-05-01", "-o", "json"];
            let run = decklaw(folder.path(), &call);
            assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
            run.stdout
        })
        .collect();
    assert_eq!(text(&outputs[0]), text(&outputs[1]));
    let said = text(&outputs[0]);
    for words in ["(list spring, line 8)", "2 listed points", "(list spring)"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

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
        let replaced: Vec<Value> = earlier
            .iter()
            .map(|row| json!({"row": row, "by": last}))
            .collect();
        assert_eq!(document["submissions"]["rows"], 9_000);
        assert_eq!(document["submissions"]["replaced"], json!(replaced));
        let decks = document["decks"].as_array().unwrap();
        let names: Vec<&str> = decks
            .iter()
            .map(|deck| deck["deck"].as_str().unwrap())
            .collect();
        let counts: Vec<String> = (2..9_002)
            .filter(|row| !earlier.contains(row))
            .map(|row| format!("form.csv row {row}"))
            .collect();
        assert_eq!(names, counts);
        assert!(decks.iter().all(|deck| deck["cards"]["main"] == 40));
    }
}

#[test]
fn a_malformed_row_is_an_entry_that_cannot_be_read_and_replaces_nobody() {
    let good = "\"Format: any\n\n3 A\"";
    let ragged: [(&[u8], &str); 4] = [
        (b"Ann,3 A, 2 B", "row 3 has 3 cells"),
        (b"Ann,\"1 A\n1 B\",,,x", "row 3 has 5 cells"),
        (b",,Ann", "row 3 has 3 cells"),
        (b"\"Ann\",\"3 A\",\"3 A\"", "row 3 has 3 cells"),
    ];
    for (row, why) in ragged {
        let before = format!("Player,Deck\nAnn,{good}\n");
        let behind = format!("\nBob,{good}\n");
        let table = [before.as_bytes(), row, behind.as_bytes()].concat();
        let (status, document, said) = checked(&table, &[]);
        assert_eq!(status, Some(1), "{said}");
        let decks = document["decks"].as_array().unwrap();
        let verdict = |player: &str| {
            let own = decks.iter().filter(|deck| deck["player"] == player);
            own.map(|deck| deck["verdict"].as_str().unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (verdict("Ann"), verdict("Bob")),
            (vec!["legal"], vec!["legal"]),
            "{document}"
        );
        let unread: Vec<&Value> = decks
            .iter()
            .filter(|deck| deck["verdict"] == "unreadable")
            .collect();
        assert_eq!(unread.len(), 1, "{document}");
        assert!(unread[0].to_string().contains(why), "{document}");
    }
    // Cells without anything in them are none, and missing ones are empty.
    let (_, document, said) = checked(
        format!("Player,Deck,Note\nAnn,{good},,,\nBob,{good}\n").as_bytes(),
        &[],
    );
    assert_eq!(document["decks"].as_array().unwrap().len(), 2, "{said}");
    assert!(!document.to_string().contains("unreadable"), "{document}");
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
        let columns = Columns::of(&sheet.header, &[]).unwrap();
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

/// A form in Windows-1252: the names of cards in its decks tell it, as they tell it of a deck's file.
#[test]
fn the_cards_of_its_decks_tell_a_forms_encoding() {
    let list = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/reading/corpus/arkhambuild-brand-utf8.txt");
    let told = std::fs::read_to_string(list).unwrap();
    assert!(told.contains('\u{2020}') && !told.contains('"'));
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
        let decks = document["decks"]
            .as_array()
            .unwrap_or_else(|| panic!("{said}"));
        let hashes = decks.iter().map(|deck| deck["hash"].clone());
        (hashes.collect::<Vec<Value>>(), said)
    };
    let rows = [row("Zo\u{eb}", &told), row("Ben", plain)];
    let (truth, quiet) = decks(table(&rows).as_bytes());
    assert!(truth.iter().all(Value::is_string), "{quiet}");
    assert!(!quiet.contains("Windows-1252"));
    let (read, said) = decks(&western(&table(&rows)));
    assert_eq!(read, truth);
    assert!(said.contains("read as Windows-1252"), "{said}");
    // A row whose names with such letters are not cards cannot be read.
    let unknown = plain.replace("Moss", "M\u{f6}ss");
    let rows = [row("Ana", &told), row("Ben", &unknown)];
    let (status, document, said) = checked(&western(&table(&rows)), &["--format", "shell"]);
    assert_eq!(status, Some(1), "{said}");
    assert_ne!(document["decks"][0]["verdict"], "unreadable");
    assert_eq!(document["decks"][1]["verdict"], "unreadable");
    assert!(document.to_string().contains("UTF-8"), "{document}");
}

#[test]
fn a_spreadsheets_numbers_of_days_are_told_with_what_they_probably_mean() {
    let times = ["2026-03-01 17:00", "46082.695", "46082,75"];
    let (_, document, told) = checked(&form(&times), &["--deadline", "2026-03-01T18:00"]);
    assert_eq!(rows(&document, "times_not_understood"), [3, 4]);
    assert!(
        told.contains("row 3") && told.contains("`46082.695` is probably 2026-03-01T16:40:48"),
        "{told}"
    );
    for (option, number) in [("--deadline", "46082.75"), ("--as-of", "46082")] {
        let (status, _, _) = checked(&form(&["2026-03-01"]), &[option, number]);
        assert_eq!(status, Some(2));
    }
    let folder = tempfile::tempdir().unwrap();
    let list = "schema: decklaw/banlist/1\nid: a\ngame: shell\nname: A\neffective: 46082\n";
    std::fs::write(folder.path().join("list.yaml"), list).unwrap();
    let run = decklaw(folder.path(), &["banlist", "check", "list.yaml"]);
    let said = text(&run.stdout) + &text(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("write `2026-03-01`"), "{said}");
}
