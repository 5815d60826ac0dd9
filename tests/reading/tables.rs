//! Tables wherever one is read: separators, spellings of columns, workbooks.

use super::{checked, decklaw, text};
use crate::common::{json, packed, run, said};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};
use serde_json::Value;

/// A workbook of sheets by name, their cells as text; whole numbers are numbers, and times
/// are times.
pub(crate) fn xlsx(sheets: &[(&str, &[&[&str]])]) -> Vec<u8> {
    let mut book = Workbook::new();
    for (name, rows) in sheets {
        let sheet = book.add_worksheet();
        sheet.set_name(*name).unwrap();
        for (row, cells) in (0..).zip(*rows) {
            for (column, cell) in (0..).zip(*cells) {
                let time = Some(*cell).filter(|cell| cell.starts_with("20"));
                let time = time.and_then(|cell| ExcelDateTime::parse_from_str(cell).ok());
                match (cell.parse::<i32>(), time) {
                    (Ok(number), _) => sheet.write_number(row, column, f64::from(number)),
                    (_, Some(time)) => {
                        let shown = Format::new().set_num_format("yyyy-mm-dd hh:mm");
                        sheet.write_datetime_with_format(row, column, &time, &shown)
                    }
                    _ => sheet.write_string(row, column, *cell),
                }
                .unwrap();
            }
        }
    }
    book.save_to_buffer().unwrap()
}

/// The same as an `.ods`.
pub(crate) fn ods(sheets: &[(&str, &[&[&str]])]) -> Vec<u8> {
    let mut content = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><office:document-content \
         xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" office:version=\"1.2\">\
         <office:body><office:spreadsheet>",
    );
    for (name, rows) in sheets {
        content.push_str(&format!("<table:table table:name=\"{name}\">"));
        for cells in *rows {
            content.push_str("<table:table-row>");
            for cell in *cells {
                let shown = decklaw::text::markup(cell);
                content.push_str(&match cell.parse::<i32>() {
                    Ok(number) => format!("<table:table-cell office:value-type=\"float\" office:value=\"{number}\"><text:p>{number}</text:p></table:table-cell>"),
                    Err(_) if cell.is_empty() => "<table:table-cell/>".to_owned(),
                    Err(_) => format!("<table:table-cell office:value-type=\"string\"><text:p>{shown}</text:p></table:table-cell>"),
                });
            }
            content.push_str("</table:table-row>");
        }
        content.push_str("</table:table>");
    }
    content.push_str("</office:spreadsheet></office:body></office:document-content>");
    let manifest = "<?xml version=\"1.0\"?><manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"><manifest:file-entry manifest:full-path=\"/\" manifest:media-type=\"application/vnd.oasis.opendocument.spreadsheet\"/></manifest:manifest>";
    packed(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", manifest.as_bytes()),
        ("content.xml", content.as_bytes()),
    ])
}

const DECK: &[&[&str]] = &[
    &["Card Name", "Qty", "Section"],
    &["Moss, Sprite", "3", "main"],
    &["Rain Caller", "2", "side"],
];

#[test]
fn a_mistake_in_a_workbook_is_reported_by_its_row() {
    let rows: &[&[&str]] = &[&["count", "name"], &["3", "Ant"], &[""], &["many", "Bee"]];
    for (name, bytes) in [("d.xlsx", xlsx(&[("S", rows)])), ("d.ods", ods(&[("S", rows)]))] {
        let read = checked(name, &bytes, &["--format", "any"]);
        let finding = &read["decks"][0]["findings"][0];
        assert_eq!(finding["line"], 4, "{finding}");
        assert!(finding["message"].as_str().unwrap().contains("`many`"));
    }
}

#[test]
fn card_files_have_the_leniency_of_forms() {
    let folder = tempfile::tempdir().unwrap();
    let table = "Card Name;Type;Color;Mana;Viable\r\nAnt;Spell;green;1;\"red, blue\"\r\nBee;spell;red;2;red\r\n";
    for (name, bytes) in [
        ("c.csv", table.as_bytes().to_vec()),
        ("c.tsv", table.replace(';', "\t").into_bytes()),
        (
            "c.xlsx",
            xlsx(&[(
                "S",
                &[
                    &["Card Name", "Type", "Color", "Mana", "Viable"],
                    &["Ant", "Spell", "green", "1", "red, blue"],
                    &["Bee", "spell", "red", "2", "red"],
                ],
            )]),
        ),
    ] {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let call = format!("cards list viable:blue --format shell --cards {name} -o json");
        let read = json(&run(folder.path(), &call));
        assert_eq!(read["cards"][0]["name"], "Ant");
        assert_eq!(read["cards"][0]["mana"], 1);
        assert_eq!(read["cards"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_collection_may_be_a_workbook_or_another_programs_export() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cards.csv"), "name\nAnt\nBee\n").unwrap();
    std::fs::write(folder.path().join("deck.txt"), "Format: vainqueur\n\n4 Ant\n").unwrap();
    let export =
        "Folder Name,Quantity,Trade Quantity,Card Name,Set Code\nA,3,0,Ant,X\nA,2,0,Bee,X\n";
    std::fs::write(folder.path().join("own.csv"), export).unwrap();
    let rows: &[&[&str]] = &[&["Name", "Count"], &["Ant", "3"], &["Bee", "2"]];
    std::fs::write(folder.path().join("own.xlsx"), xlsx(&[("S", rows)])).unwrap();
    std::fs::write(folder.path().join("own.ods"), ods(&[("S", rows)])).unwrap();
    for own in ["own.csv", "own.xlsx", "own.ods"] {
        let call = format!(
            "fix deck.txt --cards cards.csv --own {own} --set min=4 --set max=4 --set copies=4 -o json"
        );
        let fixed = json(&run(folder.path(), &call));
        assert_eq!(fixed["distance"], 2, "{own}");
    }
}

#[test]
fn a_form_is_the_same_in_any_table() {
    let rows: &[&[&str]] = &[
        &["Timestamp", "Name", "Decklist"],
        &["2026-03-01 10:00:00", "Ann", "Format: any\n\nMain\n3 Ant"],
        &["2026-03-01 11:00:00", "Ñandú", "Format: any\n\nMain\n2 Bee; red"],
        &["2026-03-02", "Cy", "Format: any\n\nMain\n3 Ant"],
    ];
    let csv = |separator: char| {
        let line = |row: &&[&str]| {
            let cells: Vec<String> = row.iter().map(|cell| format!("\"{cell}\"")).collect();
            cells.join(&separator.to_string())
        };
        rows.iter().map(line).collect::<Vec<_>>().join("\r\n") + "\r\n"
    };
    let utf16 =
        format!("\u{feff}{}", csv('\t')).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut all = Vec::new();
    for (name, bytes) in [
        ("f.csv", csv(',').into_bytes()),
        ("f.csv", csv(';').into_bytes()),
        ("f.txt", utf16),
        ("f.xlsx", xlsx(&[("Form Responses 1", rows)])),
        ("f.ods", ods(&[("Form", rows)])),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let call = format!("check --submissions {name} -o json");
        let read = json(&run(folder.path(), &call));
        let decks = read["decks"].as_array().unwrap().iter();
        let decks: Vec<[Value; 4]> = decks
            .map(|deck| {
                let submission = &deck["submission"];
                [&deck["player"], &deck["hash"], &submission["row"], &submission["time"]]
                    .map(Value::clone)
            })
            .collect();
        all.push(decks);
    }
    assert_eq!(all[0].len(), 3);
    assert_eq!(all[0][1][0], "Ñandú");
    for decks in &all[1..] {
        assert_eq!(decks, &all[0]);
    }
}

#[test]
fn what_is_no_workbook_says_what_to_do() {
    let word = packed(&[("word/document.xml", b"<w/>")]);
    let mut cut = xlsx(&[("S", DECK)]);
    cut.truncate(cut.len() - 100);
    for (bytes, help) in [(word, "Copy what it holds"), (cut, "save it again")] {
        let read = checked("d.xlsx", &bytes, &["--format", "any"]);
        assert_eq!(read["decks"][0]["verdict"], "unreadable");
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("d.xlsx"), &bytes).unwrap();
        let run = run(folder.path(), "check d.xlsx --format any");
        assert!(text(&run.stdout).contains(help), "{}", text(&run.stdout));
    }
}

#[test]
fn every_games_template_and_own_cards_are_card_files_of_it() {
    let catalogue = decklaw::format::Catalogue::built_in();
    let folder = tempfile::tempdir().unwrap();
    let games: Vec<String> = catalogue.games().map(str::to_owned).collect();
    for id in games {
        let game = catalogue.game(&id).unwrap();
        let own = catalogue.cards(&id).is_some();
        for (name, kind) in [("t.csv", "csv"), ("u.csv", "csv-excel")] {
            let write = |more: &[&str]| {
                let output = format!("{kind}={name}");
                let call = ["cards", "template", &id, "-o", &output, "--replace"];
                let run = decklaw(folder.path(), &[&call[..], more].concat());
                assert!(run.status.success(), "{id}: {}", text(&run.stderr));
                let bytes = std::fs::read(folder.path().join(name)).unwrap();
                game.read_cards(&bytes).unwrap_or_else(|error| panic!("{id} {name}: {error}"))
            };
            assert_eq!(write(&[]).len(), 1, "{id}");
            if own {
                let (_, bytes) = catalogue.cards(&id).unwrap();
                let truth = game.read_cards(bytes).unwrap();
                let again = write(&["--pool"]);
                assert_eq!(again.len(), truth.len());
                for card in truth.ids() {
                    assert_eq!(again.card(card), truth.card(card), "{id} {name}");
                }
            }
        }
    }
}

#[test]
fn a_sheet_of_a_workbook_is_named_behind_its_file_for_every_command() {
    let (old, new): (&[&[&str]], &[&[&str]]) =
        (&[&["count", "name"], &["2", "Pip"]], &[&["count", "name"], &["20", "Pip"]]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("decks.xlsx"), xlsx(&[("Old", old), ("New one", new)]))
        .unwrap();
    for command in ["check", "stats", "fix", "odds"] {
        let run = |deck: &str| decklaw(folder.path(), &[command, deck, "--format", "shell"]);
        // What is said of the whole workbook can be typed.
        let whole = said(&run("decks.xlsx"));
        assert!(
            whole.contains("several sheets") && whole.contains(".xlsx#Old"),
            "{command}: {whole}"
        );
        let told = said(&run("decks.xlsx#New one"));
        assert!(
            !told.contains("no such file") && !told.contains("unreadable"),
            "{command}: {told}"
        );
        assert!(told.contains("decks.xlsx#New one"), "{command}: {told}");
    }
    assert!(
        said(&decklaw(folder.path(), &["check", "decks.xlsx#Third"])).contains("no sheet `Third`")
    );
    let call = "check 'decks.xlsx#New one' --format shell -o json";
    let counts = json(&run(folder.path(), call));
    assert_eq!(counts["decks"][0]["cards"]["main"], 20);
}
