//! Workbooks of a few kilobytes that say they are vast: each is refused or read within the
//! memory that a table of cards needs, and none ends the program.

use super::{command, text};
use crate::common::{Random, packed};
use std::path::Path;
use std::process::Command;

/// A workbook of one sheet with these rows, and these shared strings.
fn xlsx(rows: &str, strings: &[u8]) -> Vec<u8> {
    const NS: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let book = format!(
        "<workbook xmlns=\"{NS}\" xmlns:r=\"{R}\"><sheets><sheet name=\"S\" sheetId=\"1\" \
         r:id=\"r1\"/></sheets></workbook>"
    );
    let relations = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"r1\" Type=\"{R}/worksheet\" Target=\"worksheets/sheet1.xml\"/>\
         <Relationship Id=\"r2\" Type=\"{R}/sharedStrings\" Target=\"sharedStrings.xml\"/>\
         </Relationships>"
    );
    let sheet = format!("<worksheet xmlns=\"{NS}\"><sheetData>{rows}</sheetData></worksheet>");
    let root = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"r0\" Type=\"{R}/officeDocument\" Target=\"xl/workbook.xml\"/>\
         </Relationships>"
    );
    packed(&[
        ("_rels/.rels", root.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        ("xl/sharedStrings.xml", strings),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content xmlns:office=\"o\" xmlns:table=\"t\" xmlns:text=\"x\">\
         <office:body><office:spreadsheet><table:table table:name=\"S\">{rows}</table:table>\
         </office:spreadsheet></office:body></office:document-content>"
    );
    packed(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", b"<manifest:manifest xmlns:manifest=\"m\"/>"),
        ("content.xml", content.as_bytes()),
    ])
}

const HEADER: &str = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>count</t></is></c>\
                      <c r=\"B1\" t=\"inlineStr\"><is><t>name</t></is></c></row>";
const ODS_HEADER: &str = "<table:table-row><table:table-cell office:value-type=\"string\">\
                          <text:p>count</text:p></table:table-cell><table:table-cell \
                          office:value-type=\"string\"><text:p>name</text:p></table:table-cell>\
                          </table:table-row>";

fn cell(at: &str) -> String {
    format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>1</t></is></c>")
}

fn ods_row(rows: &str, columns: &str) -> String {
    format!(
        "<table:table-row {rows}><table:table-cell office:value-type=\"string\" {columns}>\
         <text:p>1</text:p></table:table-cell></table:table-row>"
    )
}

/// Workbooks that say they are vast, by what makes them so.
fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let repeated = |number: &str| format!("table:number-rows-repeated=\"{number}\"");
    let columns = |number: &str| format!("table:number-columns-repeated=\"{number}\"");
    let many: String =
        (2..6_000).map(|row| format!("<row>{}</row>", cell(&format!("A{row}")))).collect();
    let mut lying = xlsx(HEADER, &vec![b' '; 400 << 20]);
    // The directory says that no part unpacks to more than a few bytes.
    let entries: Vec<usize> = memchr::memmem::find_iter(&lying, b"PK\x01\x02").collect();
    for at in entries {
        lying[at + 24..at + 28].copy_from_slice(&9_u32.to_le_bytes());
    }
    let empty = "<table:table-row table:number-rows-repeated=\"1000000\"><table:table-cell/></table:table-row>";
    let wide = format!(
        "<table:table-row><table:table-cell {}/><table:table-cell \
         office:value-type=\"string\"><text:p>1</text:p></table:table-cell></table:table-row>",
        columns("1000")
    );
    let long = "x".repeat(1 << 20);
    let shared = "<row><c t=\"s\"><v>0</v></c></row>".repeat(20_000);
    let text = |inside: &str, columns: &str| {
        format!(
            "<table:table-cell office:value-type=\"string\" {columns}><text:p>{inside}</text:p>\
             </table:table-cell>"
        )
    };
    let row =
        |cells: &str, rows: &str| format!("<table:table-row {rows}>{cells}</table:table-row>");
    let spaces = "<text:s text:c=\"99999999999\"/>";
    let sheets = format!(
        "{}</table:table><table:table table:name=\"T\">",
        ods_row(&repeated("3000"), &columns("1000"))
    );
    let row_of = |at: &str| format!("<row>{}</row>", cell(at));
    let one_text = format!("<sst><si><t>{long}</t></si></sst>");
    let long_row = row(&text(&long, &columns("1000")), &repeated("1000"));
    let blanks = vec![b' '; 400 << 20];
    let counted = b"<sst uniqueCount=\"99999999999\"><si><t>a</t></si></sst>";
    let none: &[u8] = b"<sst/>";
    let books: [(_, String, &[u8]); 6] = [
        ("counted texts.xlsx", row_of("A2"), counted),
        ("one text everywhere.xlsx", shared, one_text.as_bytes()),
        ("far row.xlsx", row_of("B4294967295"), none),
        ("last column.xlsx", many + &row_of("ALA9000"), none),
        ("no such column.xlsx", row_of("ZZZZZZZZZ9"), none),
        ("bomb.xlsx", String::new(), &blanks),
    ];
    let sheets_of: [(_, String); 9] = [
        ("long and repeated.ods", long_row),
        ("spaces.ods", row(&text(spaces, ""), "")),
        ("sheets.ods", sheets.repeat(20)),
        ("rows.ods", ods_row(&repeated("1000000000"), "")),
        ("columns.ods", ods_row("", &columns("4000000000"))),
        ("both.ods", ods_row(&repeated("100000"), &columns("1000"))),
        ("endless.ods", ods_row(&repeated("18446744073709551615"), "")),
        ("empty between.ods", empty.repeat(40) + &wide),
        ("many wide.ods", wide.repeat(30_000)),
    ];
    let books =
        books.map(|(name, rows, strings)| (name, xlsx(&format!("{HEADER}{rows}"), strings)));
    let sheets_of = sheets_of.map(|(name, rows)| (name, ods(&format!("{ODS_HEADER}{rows}"))));
    let mut all = vec![("lying.xlsx", lying)];
    all.extend(books);
    all.extend(sheets_of);
    all
}

/// The program with no more memory than this, in KiB.
#[cfg(target_os = "linux")]
fn bounded(folder: &Path, kib: u64, arguments: &[&str]) -> std::process::Output {
    let plain = command(folder, arguments);
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("ulimit -v {kib} && exec \"$0\" \"$@\""))
        .arg(plain.get_program())
        .args(plain.get_args())
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder)
        .env("NO_COLOR", "1")
        .env("RAYON_NUM_THREADS", "1");
    shell.output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn vast_sheets_are_refused_before_there_is_memory_for_them() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in hostile() {
        assert!(bytes.len() < 2 << 20, "{name}: {}", bytes.len());
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let run = bounded(folder.path(), 1 << 20, &["check", name, "--format", "any"]);
        let said = text(&run.stdout) + &text(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains("unreadable") || said.contains("illegal"), "{name}: {said}");
        std::fs::remove_file(folder.path().join(name)).unwrap();
    }
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
