//! Files and questions that say they are vast: what tests refuse and `cargo bench --bench hostile`
//! measures. All of them are made here.

use super::packed;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A workbook of one sheet with these rows, and these shared strings.
pub(crate) fn xlsx(rows: &str, strings: &[u8]) -> Vec<u8> {
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

/// A workbook of one sheet with these rows.
pub(crate) fn ods(rows: &str) -> Vec<u8> {
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

pub(crate) const HEADER: &str = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>count</t></is></c>\
                                 <c r=\"B1\" t=\"inlineStr\"><is><t>name</t></is></c></row>";
pub(crate) const ODS_HEADER: &str = "<table:table-row><table:table-cell office:value-type=\"string\"><text:p>count</text:p>\
     </table:table-cell><table:table-cell office:value-type=\"string\"><text:p>name</text:p>\
     </table:table-cell></table:table-row>";

pub(crate) fn cell(at: &str) -> String {
    format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>1</t></is></c>")
}

pub(crate) fn ods_row(rows: &str, columns: &str) -> String {
    format!(
        "<table:table-row {rows}><table:table-cell office:value-type=\"string\" {columns}>\
         <text:p>1</text:p></table:table-cell></table:table-row>"
    )
}

/// Workbooks that say they are vast, by what makes them so: none is a deck.
pub(crate) fn workbooks() -> Vec<(&'static str, Vec<u8>)> {
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
    let huge = "A".repeat(200 << 20);
    let inline = format!("<row><c t=\"inlineStr\"><is><t>{huge}</t></is></c></row>");
    let huge_shared = format!("<sst><si><t>{huge}</t></si></sst>");
    // Just as much as is unpacked: one text of many runs, many texts, many cells.
    let runs =
        format!("<sst><si>{}</si></sst>", format!("<r><t>{}</t></r>", &long[1..]).repeat(60));
    let texts = format!("<sst>{}</sst>", "<si><t>a</t></si>".repeat(3_600_000));
    let cells = format!("<row>{}</row>", "<c><v>1</v></c>".repeat(1_000)).repeat(4_000);
    let own_row = "<row><c><v>1</v></c></row>".repeat(1_000_000);
    let counted = b"<sst uniqueCount=\"99999999999\"><si><t>a</t></si></sst>";
    let none: &[u8] = b"<sst/>";
    let books: [(_, String, &[u8]); 12] = [
        ("counted texts.xlsx", row_of("A2"), counted),
        ("one text everywhere.xlsx", shared, one_text.as_bytes()),
        ("far row.xlsx", row_of("B4294967295"), none),
        ("last column.xlsx", many + &row_of("ALA9000"), none),
        ("no such column.xlsx", row_of("ZZZZZZZZZ9"), none),
        ("bomb.xlsx", String::new(), &blanks),
        ("huge cell.xlsx", inline, none),
        ("huge shared text.xlsx", row_of("A2"), huge_shared.as_bytes()),
        ("text of many runs.xlsx", "<row><c t=\"s\"><v>0</v></c></row>".repeat(2), runs.as_bytes()),
        ("many texts.xlsx", row_of("A2"), texts.as_bytes()),
        ("many cells.xlsx", cells, none),
        ("many rows.xlsx", own_row, none),
    ];
    let sheets_of: [(_, String); 13] = [
        ("long and repeated.ods", long_row),
        ("spaces.ods", row(&text(spaces, ""), "")),
        ("sheets.ods", sheets.repeat(20)),
        ("rows.ods", ods_row(&repeated("1000000000"), "")),
        ("columns.ods", ods_row("", &columns("4000000000"))),
        ("both.ods", ods_row(&repeated("100000"), &columns("1000"))),
        ("endless.ods", ods_row(&repeated("18446744073709551615"), "")),
        ("empty between.ods", empty.repeat(40) + &wide),
        ("many wide.ods", wide.repeat(30_000)),
        ("huge cell.ods", row(&text(&huge, ""), "")),
        ("many cells.ods", ods_row(&repeated("990"), &columns("1000"))),
        ("many rows.ods", ods_row("", "").repeat(480_000)),
        ("much text.ods", row(&text(&long[..60_000], &columns("1000")), "")),
    ];
    let books =
        books.map(|(name, rows, strings)| (name, xlsx(&format!("{HEADER}{rows}"), strings)));
    let sheets_of = sheets_of.map(|(name, rows)| (name, ods(&format!("{ODS_HEADER}{rows}"))));
    let parts: Vec<String> = (0..20_000).map(|at| format!("xl/{at}.xml")).collect();
    let mut parts: Vec<(&str, &[u8])> =
        parts.iter().map(|name| (name.as_str(), &b"<a/>"[..])).collect();
    parts.push(("xl/workbook.xml", b"<workbook/>"));
    let zeros = packed(&[("0.xml", &vec![0; 100 << 20])]);
    let nested = packed(&[("xl/workbook.xml", &zeros), ("xl/1.xml", &zeros)]);
    let mut all =
        vec![("lying.xlsx", lying), ("parts.xlsx", packed(&parts)), ("nested.xlsx", nested)];
    all.extend(books);
    all.extend(sheets_of);
    all
}

/// A form of this many rows: each of another player, or all of one, with or without one address,
/// at times or at none.
pub(crate) fn form(rows: usize, player: impl Fn(usize) -> String) -> String {
    let mut form = "Timestamp,Name,Email,Deck\n".to_owned();
    for row in 0..rows {
        let (hour, minute, second) = (row / 3600 % 24, row / 60 % 60, row % 60);
        let _ = writeln!(
            form,
            "2026-03-{:02}T{hour:02}:{minute:02}:{second:02}Z,{},\"Main\n{} Moss Sprite\"",
            1 + row / 86_400,
            player(row),
            1 + row % 9,
        );
    }
    form
}

/// Forms by who submits their rows.
pub(crate) fn forms(rows: usize) -> Vec<(&'static str, String)> {
    let word = |mut number: usize| {
        let mut letters = String::new();
        for _ in 0..5 {
            letters.push(char::from(b'a' + (number % 23) as u8));
            number = number / 23 + number * 7;
        }
        letters
    };
    let named = |row| format!("{} {}", word(row), word(row * 31 + 7));
    vec![
        ("players.csv", form(rows, |row| format!("{},{row}@example.org", named(row)))),
        ("no-address.csv", form(rows, |row| format!("{},", named(row)))),
        ("one-player.csv", form(rows, |_| "Ada Birch,ada@example.org".to_owned())),
        ("one-name.csv", form(rows, |row| format!("Ada Birch,{row}@example.org"))),
        ("one-address.csv", form(rows, |row| format!("{},club@example.org", named(row)))),
        ("nobody.csv", form(rows, |_| ",".to_owned())),
    ]
}

/// A deck of many different cards, and hand queries over them that take much memory where groups
/// are not counted before they are built. The effort of the vastest is this many times the usual.
pub(crate) fn odds(effort: &str) -> (String, Vec<(&'static str, Vec<String>)>) {
    let card = |at: usize| format!("\"Card {at:02}\"");
    let deck: String = (0..40).map(|at| format!("3 Card {at:02}\n")).collect();
    let each = |number: usize, term: &str, between: &str| {
        let terms: Vec<String> = (0..number).map(|at| format!("{term} {}", card(at))).collect();
        terms.join(between)
    };
    let sums: Vec<String> = (0..12).map(|at| format!("{}- {}", 1 + at % 3, card(at))).collect();
    let mulligan = ["--hand", "6", "--policy", "shuffle, at most 1", "--effort", effort];
    let with = |query: String, more: &[&str]| -> Vec<String> {
        let more = more.iter().map(|word| (*word).to_owned());
        std::iter::once(query).chain(more).collect()
    };
    let path: Vec<String> =
        (1..=12).map(|at| format!("{}: {}", 5 * at, each(8, "2-", " or "))).collect();
    let questions = vec![
        ("30 absences and a mulligan", with(each(30, "no", " and "), &mulligan)),
        ("30 groups and a mulligan", with(each(30, "2-", " and "), &mulligan)),
        ("30 alternatives and a mulligan", with(each(30, "1", " or "), &mulligan)),
        (
            "best hands of 20 groups",
            with(
                each(20, "1", " or "),
                &[&mulligan[..], &["--keep-hand", "best", "--turns", "9"]].concat(),
            ),
        ),
        (
            "40 groups, 60 cards",
            with(each(40, "1-", " and "), &["--hand", "60", "--effort", effort]),
        ),
        (
            "large numbers",
            with(
                sums.join(" and "),
                &[
                    "--hand",
                    "9",
                    "--draws",
                    "50",
                    "--policy",
                    "aside, at most 3",
                    "--effort",
                    effort,
                ],
            ),
        ),
        (
            "a path of 12 steps",
            with(
                "1+ []".to_owned(),
                &["--hand", "5", "--path", &path.join("; "), "--effort", effort],
            ),
        ),
    ];
    (format!("Format: any\n\nMain\n{deck}"), questions)
}

/// Decks that unpack, repeat or nest without end, by their files' names.
pub(crate) fn decks() -> Vec<(&'static str, Vec<u8>)> {
    let mut aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for at in 1..30 {
        let before: Vec<String> = (0..9).map(|_| format!("*a{}", at - 1)).collect();
        let _ = writeln!(aliases, "a{at}: &a{at} [{}]", before.join(", "));
    }
    let deep =
        |open: &str, close: &str| (open.repeat(1_000_000) + &close.repeat(1_000_000)).into_bytes();
    let entities = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
                    <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]><cockatrice_deck version=\"1\">&c;</cockatrice_deck>";
    vec![
        ("aliases.yaml", aliases.into_bytes()),
        ("deep.yaml", deep("[", "]")),
        ("deep.json", deep("[", "]")),
        ("deep objects.json", deep("{\"a\":", "}")),
        ("deep.cod", deep("<a>", "</a>")),
        ("entities.cod", entities.as_bytes().to_vec()),
        ("link.txt", link(&vec![b' '; 400 << 20]).into_bytes()),
        ("long line.txt", vec![b'x'; 15 << 20]),
        ("lines.txt", b"1 a\n".repeat(3_900_000)),
        (
            "quotes.csv",
            b"count,name\n".iter().chain(b"\"\"\"\"\n".repeat(3_000_000).iter()).copied().collect(),
        ),
    ]
}

/// A link to a deck that unpacks to these bytes.
pub(crate) fn link(unpacked: &[u8]) -> String {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(unpacked).unwrap();
    let packed = packed.finish().unwrap();
    format!("https://example.org/deck/any#z={}\n", data_encoding::BASE64URL_NOPAD.encode(&packed))
}

/// A call over the hostile corpus.
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) words: Vec<String>,
}

/// Writes the corpus into a folder, with forms of this many rows; the calls that read it, with this
/// many times the usual effort.
pub(crate) fn calls(folder: &Path, rows: usize, effort: &str) -> Vec<Call> {
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    let call = |name: &str, words: &[&str]| Call {
        name: name.to_owned(),
        words: words.iter().map(|word| (*word).to_owned()).collect(),
    };
    let mut calls = Vec::new();
    for (name, bytes) in workbooks().into_iter().chain(decks()) {
        write(name, &bytes);
        calls.push(call(name, &["check", name, "--format", "any"]));
    }
    calls.push(call(
        "huge cell as a form",
        &["check", "--submissions", "huge cell.xlsx", "--format", "any"],
    ));
    calls.push(call("a new event", &["event", "new", "event", "--format", "any"]));
    for name in ["huge cell.xlsx", "many cells.xlsx", "huge cell.ods"] {
        calls.push(call(
            &format!("event import {name}"),
            &["event", "import", "event", name, "--yes"],
        ));
    }
    for (name, form) in forms(rows) {
        write(name, form.as_bytes());
        let name_of = format!("{rows} rows of {name}");
        calls.push(call(
            &name_of,
            &["check", "--submissions", name, "--format", "any", "-o", "json"],
        ));
    }
    let (deck, questions) = odds(effort);
    write("odds.txt", deck.as_bytes());
    for (name, question) in questions {
        let mut own = call(name, &["odds", "odds.txt"]);
        own.words.extend(question);
        calls.push(own);
    }
    calls
}

/// A line of what the system says of a process, in KiB, such as `VmHWM`: the most memory that it held;
/// nothing where the system does not say. A process that has just begun still has the memory and the
/// words of the one that began it.
pub(crate) fn memory(child: &Child, line: &str) -> Option<u64> {
    let words = |of: &str| std::fs::read(format!("/proc/{of}/cmdline")).ok();
    if words(&child.id().to_string()) == words("self") {
        return None;
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let number = status.lines().find_map(|own| own.strip_prefix(line)?.strip_prefix(':'))?;
    number.trim().split(' ').next()?.parse().ok()
}

/// Runs a command without showing what it prints: how it ended, and the most memory that it held,
/// in KiB; 0 where the system does not say.
pub(crate) fn peak(command: &mut Command) -> (Option<i32>, u64) {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut most = 0;
    loop {
        most = most.max(memory(&child, "VmHWM").unwrap_or(0));
        if let Some(ended) = child.try_wait().unwrap() {
            return (ended.code(), most);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}
