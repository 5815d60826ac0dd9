//! Where cards go: whatever a list looks like, the cards of its sideboard are in the sideboard, or a
//! finding names their line.

use super::tables::ods;
use decklaw::banlist::Lists;
use decklaw::deck::Input;
use decklaw::format::Catalogue;
use decklaw::judge::{Judge, Report, Verdict};
use rust_xlsxwriter::{Format, Workbook};

fn judge() -> Judge {
    let day = jiff::civil::date(2026, 3, 1);
    Judge::new(Catalogue::built_in(), Lists::default(), day).with_format(Some("shell".to_owned()))
}

/// The deck of all lists here.
const MAIN: [(u32, &str); 3] =
    [(6, "Acorn Courier"), (3, "Moss Sprite"), (1, "Loam Titan's Cradle")];
const SIDE: [(u32, &str); 2] = [(2, "Verdant Spire"), (1, "Garden Without a Gate")];

/// What lists have in them, by a table of strings: MAIN and SIDE are the lines of the deck, N and NAME
/// a card, WORD a word for the side deck, MARK such a word as a mark.
fn all(name: &str) -> Vec<String> {
    let rows = crate::common::table(&format!("lists {name}"));
    rows.map(|row| serde_json::from_str(&format!("\"{row}\"")).unwrap()).collect()
}

/// The lines of some cards, each as `item` writes it.
fn lines(cards: &[(u32, &str)], item: &str) -> String {
    let each = cards
        .iter()
        .map(|(count, name)| item.replace("NAME", name).replace('N', &count.to_string()) + "\n");
    each.collect()
}

/// Lists that were read as another deck, and not refused, without a finding that names a line.
#[derive(Default)]
struct Silent {
    tried: usize,
    right: usize,
    found: Vec<String>,
}

impl Silent {
    /// Tries a list. `lines` are those of which a finding must name one where the deck is another.
    fn attempt(&mut self, judge: &Judge, name: &str, bytes: &[u8], lines: &[usize]) {
        self.tried += 1;
        let input = Input::of_path(std::path::Path::new(name));
        let report = judge.judge_file(name, bytes, input).unwrap();
        let copies = |id: &str| report.cards.iter().find(|(section, _)| section == id);
        let of = |id: &str| copies(id).map(|(_, copies)| *copies);
        let is_right = of("main") == Some(10) && of("side") == Some(3);
        self.right += usize::from(is_right);
        let is_refused = report.verdict == Verdict::Unreadable;
        if !is_right && !is_refused && !names_one_of(&report, lines) {
            let text = String::from_utf8_lossy(bytes);
            let text = if bytes.starts_with(b"PK") { "a workbook" } else { &text };
            let findings = report.findings.iter().filter(|finding| finding.rule == "syntax");
            let findings: Vec<_> = findings.map(|found| (&found.message, found.line)).collect();
            self.found.push(format!("{name} {:?} {findings:?}\n{text}", report.cards));
        }
    }

    fn text(&mut self, judge: &Judge, text: &str, lines: &[usize]) {
        self.attempt(judge, "deck.txt", text.as_bytes(), lines);
    }

    /// Checks that no list was misread in silence, and that some were read as they are meant.
    fn check(self, least_right: usize) {
        let shown: Vec<&str> = self.found.iter().take(6).map(String::as_str).collect();
        let (tried, silent) = (self.tried, self.found.len());
        assert!(silent == 0, "{silent} of {tried}:\n{}", shown.join("\n----\n"));
        assert!(self.right >= least_right, "{} of {tried} are right", self.right);
    }
}

/// Whether a finding about reading or about a name is of one of some lines.
fn names_one_of(report: &Report, lines: &[usize]) -> bool {
    report.findings.iter().any(|finding| {
        matches!(finding.rule.as_str(), "syntax" | "unknown-card")
            && finding.line.is_some_and(|line| lines.contains(&line))
    })
}

/// The line, from 1, of the first line of a text that has a word.
fn line_of(text: &str, word: &str) -> usize {
    let at = text.lines().position(|line| line.contains(word));
    at.unwrap_or_else(|| panic!("no {word}: {text}")) + 1
}

#[test]
fn a_blank_line_that_may_begin_the_sideboard_is_found() {
    let (judge, mut silent) = (judge(), Silent::default());
    let (breaks, tails, items) = (all("breaks"), all("tails"), all("items"));
    for head in all("heads") {
        for between in &breaks {
            for (tail, item) in tails.iter().flat_map(|tail| items.iter().map(move |it| (tail, it)))
            {
                let (main, side) = (lines(&MAIN, item), lines(&SIDE, item));
                let text = format!("{head}{main}{between}{side}{tail}");
                silent.text(&judge, &text, &[line_of(&text, "Verdant Spire")]);
            }
        }
    }
    silent.check(0);
}

#[test]
fn code_blocks_and_groups_that_begin_again_are_as_blank_lines() {
    let (judge, mut silent) = (judge(), Silent::default());
    for text in all("blocks") {
        let text = text.replace("MAIN", &lines(&MAIN, "N NAME"));
        let text = text.replace("SIDE", &lines(&SIDE, "N NAME"));
        let spire = line_of(&text, "Verdant Spire");
        silent.text(&judge, &text, &[spire - 1, spire, spire + 1, spire + 2]);
    }
    silent.check(0);
}

/// What proves that a blank line begins nothing: a total, or a heading of the sideboard.
#[test]
fn a_blank_line_that_begins_nothing_is_no_finding() {
    let judge = judge();
    for text in all("nothing") {
        let report = judge.judge("deck.txt", text.as_bytes(), Input::Text).unwrap();
        let found = report.findings.iter().find(|finding| finding.rule == "syntax");
        assert!(found.is_none(), "{text}{found:?}");
    }
}

/// Words of many games for the main deck and the side deck name those of every format and kind of
/// file, though the format calls them otherwise.
#[test]
fn usual_words_name_main_and_side_in_every_kind_of_file() {
    let (judge, mut silent) = (judge(), Silent::default());
    for main in ["main", "Main Deck", "MAINDECK", "Mainboard", "Deck"] {
        for side in ["side", "Side Deck", "sidedeck", "Sideboard", "Side Board", "SB"] {
            let both = |item: &str| [&MAIN[..], &SIDE].map(|cards| lines(cards, item));
            let [own, other] = both("N NAME");
            silent.text(&judge, &format!("{main}\n{own}\n{side}\n{other}"), &[]);
            silent.text(&judge, &format!("[{main}]\n{own}\n{side} (3):\n{other}"), &[]);
            let [own, other] = both("\"N NAME\"").map(|all| all.trim_end().replace('\n', ", "));
            let keyed = format!("{{\"sections\": {{\"{main}\": [{own}], \"{side}\": [{other}]}}}}");
            silent.attempt(&judge, "deck.json", keyed.as_bytes(), &[]);
            silent.attempt(&judge, "deck.yaml", keyed.as_bytes(), &[]);
            let [own, other] = both("N,\"NAME\",@");
            let (own, other) = (own.replace('@', main), other.replace('@', side));
            let table = format!("count,name,section\n{own}{other}");
            silent.attempt(&judge, "deck.csv", table.as_bytes(), &[]);
        }
    }
    let tried = silent.tried;
    silent.check(tried);
}

#[test]
fn marks_that_speak_of_the_side_are_not_removed_in_silence() {
    let (judge, mut silent) = (judge(), Silent::default());
    let (marks, more, main) = (all("marks"), all("more"), lines(&MAIN, "N NAME"));
    for word in all("words") {
        for mark in marks.iter().map(|mark| mark.replace("WORD", &word)) {
            for mark in more.iter().map(|more| more.replace("MARK", &mark)) {
                for head in ["", "Deck\n", "Main (10)\n"] {
                    let side = lines(&SIDE, "N NAME@").replace('@', &mark);
                    let text = format!("{head}{main}{side}");
                    silent.text(&judge, &text, &[line_of(&text, "Verdant Spire")]);
                }
            }
        }
    }
    silent.check(500);
}

#[test]
fn a_mark_counts_wherever_the_line_has_it() {
    let (judge, mut silent) = (judge(), Silent::default());
    let main = lines(&MAIN, "N NAME");
    for word in ["SB", "sb", "side", "Sideboard", "Side Deck"] {
        for line in all("lines").iter().map(|line| line.replace("WORD", word)) {
            for last in ["", "\n"] {
                let card = line.replace('2', "1").replace("Verdant Spire", "Garden Without a Gate");
                let last = if line.contains(", 1") {
                    "SB: 1 Garden Without a Gate"
                } else if last.is_empty() {
                    &card
                } else {
                    "Side\n1 Garden Without a Gate"
                };
                let text = format!("{main}{line}\n{last}\n");
                silent.text(&judge, &text, &[4]);
            }
        }
    }
    silent.check(50);
}

#[test]
fn cells_of_sections_are_read_in_every_table() {
    let (judge, mut silent) = (judge(), Silent::default());
    let orders = [[0, 1, 2], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0], [1, 2, 0]];
    for words in all("cells") {
        let (main, side) = words.split_once('|').unwrap();
        for column in all("columns") {
            let column = column.replace("MAIN", main).replace("SIDE", side);
            let column: Vec<&str> = column.split('|').collect();
            let counts: Vec<String> =
                MAIN.iter().chain(&SIDE).map(|(count, _)| count.to_string()).collect();
            let names = MAIN.iter().chain(&SIDE).map(|(_, name)| *name);
            let cards = counts.iter().map(String::as_str).zip(names);
            let rows = [("count", "name")].into_iter().chain(cards).zip(&column);
            let rows: Vec<[&str; 3]> =
                rows.map(|((count, name), cell)| [count, name, cell]).collect();
            for order in orders {
                let table: Vec<Vec<&str>> =
                    rows.iter().map(|row| order.map(|at| row[at]).to_vec()).collect();
                let joined = |sign: &str, with_header: bool| -> String {
                    let rows = table.iter().skip(usize::from(!with_header));
                    rows.map(|row| row.join(sign) + "\n").collect()
                };
                let side_lines = [5, 6];
                for sign in [",", ";", "\t"] {
                    silent.attempt(&judge, "d.csv", joined(sign, true).as_bytes(), &side_lines);
                    silent.text(&judge, &joined(sign, true), &side_lines);
                    // Without a header nobody knows what `yes` means.
                    if column[0] != "sideboarded" {
                        silent.text(&judge, &joined(sign, false), &[1, 2, 3, 4, 5]);
                    }
                    let trimmed = joined(sign, true).replace(&format!("{sign}\n"), "\n");
                    silent.attempt(&judge, "d.csv", trimmed.as_bytes(), &[2, 3, 4, 5, 6]);
                }
                let markdown = joined(" | ", true).replace('\n', " |\n| ");
                let markdown = format!("| {}", markdown.trim_end_matches("| "));
                let markdown = markdown.replacen(" |\n", " |\n|---|---|---|\n", 1);
                silent.text(&judge, &markdown, &[6, 7]);
                // A workbook is read as the table in text that it is.
                if order == orders[0] {
                    let rows: Vec<&[&str]> = table.iter().map(Vec::as_slice).collect();
                    silent.attempt(&judge, "d.ods", &ods(&[("Deck", &rows)]), &side_lines);
                    silent.attempt(&judge, "d.xlsx", &xlsx_merged(&table), &side_lines);
                }
            }
        }
    }
    silent.check(2_000);
}

/// A workbook in which a cell is merged with the empty ones below it.
fn xlsx_merged(table: &[Vec<&str>]) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for column in 0..3_usize {
        let mut row = 0;
        while row < table.len() {
            let text = table[row][column];
            let below = table[row + 1..].iter().take_while(|cells| cells[column].is_empty());
            let last = row + if text.is_empty() || row == 0 { 0 } else { below.count() };
            let (from, to, at) = (row as u32, last as u32, column as u16);
            match text.parse::<i32>() {
                _ if last > row => {
                    sheet.merge_range(from, at, to, at, text, &Format::new()).unwrap();
                }
                Ok(number) => {
                    sheet.write_number(from, at, f64::from(number)).unwrap();
                }
                Err(_) => {
                    sheet.write_string(from, at, text).unwrap();
                }
            }
            row = last + 1;
        }
    }
    book.save_to_buffer().unwrap()
}

#[test]
fn merged_cells_are_filled() {
    let judge = judge();
    let table: Vec<Vec<&str>> = vec![
        vec!["section", "count", "name"],
        vec!["main", "6", "Acorn Courier"],
        vec!["", "3", "Moss Sprite"],
        vec!["", "1", "Loam Titan's Cradle"],
        vec!["side", "2", "Verdant Spire"],
        vec!["", "1", "Garden Without a Gate"],
    ];
    let mut silent = Silent::default();
    silent.attempt(&judge, "d.xlsx", &xlsx_merged(&table), &[]);
    silent.attempt(&judge, "d.ods", &ods_merged(&table), &[]);
    assert_eq!(silent.right, 2, "{:?}", silent.found);
}

/// The same as an `.ods`.
fn ods_merged(table: &[Vec<&str>]) -> Vec<u8> {
    let rows: Vec<&[&str]> = table.iter().map(Vec::as_slice).collect();
    let plain = ods(&[("Deck", &rows)]);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(plain)).unwrap();
    let mut content = String::new();
    let mut manifest = String::new();
    for (name, text) in [("content.xml", &mut content), ("META-INF/manifest.xml", &mut manifest)] {
        std::io::Read::read_to_string(&mut archive.by_name(name).unwrap(), text).unwrap();
    }
    let cell = |word: &str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{word}</text:p>")
    };
    for (word, rows) in [("main", 3), ("side", 2)] {
        let spanned = cell(word)
            .replace("table-cell ", &format!("table-cell table:number-rows-spanned=\"{rows}\" "));
        assert!(content.contains(&cell(word)));
        content = content.replace(&cell(word), &spanned);
    }
    let content = content.replace("<table:table-cell/>", "<table:covered-table-cell/>");
    crate::common::packed(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", manifest.as_bytes()),
        ("content.xml", content.as_bytes()),
    ])
}

#[test]
fn a_blank_row_in_a_table_is_a_blank_line() {
    let (judge, mut silent) = (judge(), Silent::default());
    for blank in all("blanks") {
        for header in ["count,name\n", "count,name,section\n", "sep=,\ncount,name\n"] {
            for (main_end, side_end) in [("", ""), (",", ",")] {
                let main = lines(&MAIN, &format!("N,NAME{main_end}"));
                let side = lines(&SIDE, &format!("N,NAME{side_end}"));
                let text = format!("{header}{main}{blank}{side}");
                let near: Vec<usize> = (2..20).collect();
                silent.attempt(&judge, "d.csv", text.as_bytes(), &near);
                let windows = text.replace('\n', "\r\n").replace("\r\r", "\r");
                silent.attempt(&judge, "d.csv", windows.as_bytes(), &near);
            }
        }
    }
    let rows: &[&[&str]] =
        &[&["count", "name"], &["10", "Acorn Courier"], &[""], &["3", "Verdant Spire"]];
    silent.attempt(&judge, "d.xlsx", &super::tables::xlsx(&[("Deck", rows)]), &[4]);
    silent.attempt(&judge, "d.ods", &ods(&[("Deck", rows)]), &[4]);
    let tables = "| Count | Name |\n|---|---|\n| 10 | Acorn Courier |\n\n| Count | Name |\n|---|---|\n| 3 | Verdant Spire |\n";
    silent.text(&judge, tables, &[7]);
    silent.check(0);
}
