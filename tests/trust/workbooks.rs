//! Workbooks of a few kilobytes that say they are vast: each is refused or read within the
//! memory that a table of cards needs, and none ends the program.

use crate::common::Random;
use crate::common::hostile::{HEADER, ODS_HEADER, cell, ods, ods_row, workbooks, xlsx};
use decklaw::table;

/// Each is refused, or read as the table that it is, within the memory that
/// `trust::bounds::the_hostile_corpus` measures.
#[test]
fn vast_sheets_are_no_decks() {
    for (name, bytes) in workbooks() {
        assert!(bytes.len() < 5 << 20, "{name}: {}", bytes.len());
        if let Ok(sheet) = table::read(&bytes, None) {
            assert!(
                name.starts_with("many") || name.starts_with("much") || name.starts_with("text of"),
                "{name}"
            );
            let mut named = sheet.header.iter().filter(|cell| !cell.is_empty());
            assert!(named.by_ref().take(2).eq(["count", "name"]), "{name}");
        }
    }
}

/// What may be in one cell, and in all of them.
#[test]
fn a_text_has_a_limit_and_so_have_all_texts() {
    let text = |bytes: usize| "x".repeat(bytes);
    let book = |cells: &[&str]| {
        let cells: String = cells
            .iter()
            .map(|text| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>"))
            .collect();
        table::read(&xlsx(&format!("{HEADER}<row r=\"2\">{cells}</row>"), b"<sst/>"), None)
    };
    let sheet = |text: &str| {
        let cell = format!(
            "<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>"
        );
        table::read(&ods(&format!("{ODS_HEADER}<table:table-row>{cell}</table:table-row>")), None)
    };
    let (most, more) = (text((1 << 20) - 1), text(1 << 20));
    for read in [book(&[&most]), sheet(&most)] {
        assert_eq!(read.unwrap().rows[0].cell(0), most);
    }
    for read in [book(&[&more]), sheet(&more), book(&[&most[..]; 65])] {
        assert!(read.unwrap_err().message.contains("larger than any table"));
    }
    // Runs of a text are one cell, tags within it or not.
    let run = format!("<r><t>{most}</t></r>");
    let strings = |runs: usize| format!("<sst><si>{}</si></sst>", run.repeat(runs));
    let of_runs = |runs| {
        let rows = format!("{HEADER}<row r=\"2\"><c r=\"A2\" t=\"s\"><v>0</v></c></row>");
        table::read(&xlsx(&rows, strings(runs).as_bytes()), None)
    };
    assert_eq!(of_runs(3).unwrap().rows[0].cell(0).len(), 3 * most.len());
    assert!(of_runs(64).is_err());
}

/// The order of cells in the file is not that of the sheet, and of two at one place the last counts.
#[test]
fn cells_are_where_they_say_they_are() {
    let at =
        |at: &str, text: &str| format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let rows = format!(
        "<row>{}{}</row><row>{}{}{}</row>",
        at("B3", "Ant"),
        at("A3", "2"),
        at("A1", "count"),
        at("B1", "name"),
        at("A3", "4")
    );
    let sheet = table::read(&xlsx(&rows, b"<sst/>"), None).unwrap();
    assert_eq!(sheet.header, ["count", "name"]);
    assert_eq!(sheet.rows[0].cells().collect::<Vec<_>>(), ["4", "Ant"]);
    assert_eq!(sheet.rows[0].number, 3);
}

/// What a spreadsheet writes itself is read: cells without end behind the last one, styles alone,
/// a few rows that repeat.
#[test]
fn what_a_spreadsheet_pads_a_sheet_with_is_no_cell() {
    let end = "<table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell \
               table:style-name=\"c\" table:number-columns-repeated=\"16384\"/></table:table-row>";
    let row = "<table:table-row table:number-rows-repeated=\"3\"><table:table-cell \
               office:value-type=\"float\" office:value=\"2\"><text:p>2</text:p>\
               </table:table-cell><table:table-cell office:value-type=\"string\"><text:p>Ant\
               </text:p></table:table-cell><table:table-cell table:style-name=\"c\" \
               table:number-columns-repeated=\"16382\"/></table:table-row>";
    let sheet = decklaw::table::read(&ods(&format!("{ODS_HEADER}{row}{end}")), None).unwrap();
    assert_eq!(sheet.header, ["count", "name"]);
    assert_eq!(sheet.rows.len(), 3);
    assert!(sheet.rows.iter().all(|row| row.cell(0) == "2" && row.cell(1) == "Ant"));
}

/// Numbers and letters in a workbook's parts are changed at random; it is read or it is not.
#[test]
fn a_changed_workbook_is_read_or_refused() {
    let mut random = Random::of("workbook");
    let numbers = ["0", "-1", "4294967296", "18446744073709551616", "1e9", ""];
    let strings = "<sst count=\"2\" uniqueCount=\"2\"><si><t>a</t></si><si><t>b</t></si></sst>";
    let rows = format!(
        "{HEADER}<row r=\"2\"><c r=\"A2\" s=\"0\"><v>3</v></c><c r=\"B2\" t=\"s\"><v>1</v></c></row>\
         <row r=\"3\"><c r=\"A3\" t=\"d\"><v>2026-01-01</v></c><c r=\"B3\"><f t=\"shared\" ref=\"B3:B9\" \
         si=\"0\">A3</f><v>1</v></c></row>"
    );
    let sheet = format!("{ODS_HEADER}{}", ods_row("table:number-rows-repeated=\"2\"", ""));
    let mut read = 0;
    for round in 0..600 {
        let part = [&rows, strings, &sheet][round % 3];
        let mut changed = part.as_bytes().to_vec();
        let at = random.below(changed.len());
        let digit = changed[at..].iter().position(u8::is_ascii_digit);
        match digit.filter(|_| random.below(2) == 0) {
            Some(digit) => {
                let number = numbers[random.below(numbers.len())].bytes();
                changed.splice(at + digit..=at + digit, number);
            }
            None => changed[at] = b"<>/\"=aA9 "[random.below(9)],
        }
        let changed = String::from_utf8_lossy(&changed);
        let bytes = match round % 3 {
            0 => xlsx(&changed, strings.as_bytes()),
            1 => xlsx(&rows, changed.as_bytes()),
            _ => ods(&changed),
        };
        read += usize::from(decklaw::table::read(&bytes, None).is_ok());
    }
    assert!(read > 30, "{read}");
}

/// Uploads are text: no uploaded workbook is unpacked, whatever its name.
#[test]
fn an_uploaded_workbook_is_no_deck() {
    use decklaw::deck::{Input, open, open_file};
    let book = xlsx(&format!("{HEADER}<row r=\"2\">{}{}</row>", cell("A2"), cell("B2")), b"<sst/>");
    for input in [Input::Text, Input::Table, Input::Json] {
        let error = open(&book, input).unwrap_err();
        assert!(error.message.contains("workbook"), "{error}");
    }
    assert!(open_file(&book, Input::Text).is_ok());
    assert!(decklaw::table::read_text(&book).is_err());
}
