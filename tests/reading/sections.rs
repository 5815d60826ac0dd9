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

/// A way to write a card.
type Item = fn(u32, &str) -> String;

#[test]
fn a_blank_line_that_may_begin_the_sideboard_is_found() {
    let judge = judge();
    let mut silent = Silent::default();
    let heads = [
        "",
        "Deck\n",
        "Main\n",
        "[Main]\n",
        "main:\n",
        "Main deck\n",
        "MAINDECK:\n",
        "**Main**\n",
        "=== Main ===\n",
        "About\nName Tide\n\nDeck\n",
        "Name: Tide\n\nDeck\n",
        "Shells\n1 Verdant Bastion\n\nMain\n",
        "Maybeboard\n1 Azure Keep\n\nDeck\n",
        "Deck\n# all of them\n",
        "Shells\n1 Verdant Bastion\n\nDeck\n1 Azure Keep\nMain\n",
        "Companion\n1 Azure Keep\n\nDeck\n",
    ];
    let breaks = [
        "\n",
        "\n\n\n",
        " \n",
        "\t\n",
        "\u{a0}\n",
        "\u{200b}\n",
        ">\n",
        "\r\n",
        "\n# flexible\n",
        "# flexible\n\n",
        "\n// against control\n\n",
        "\n# flexible\n# slots\n",
        "\n\u{1a}\n",
    ];
    let tails = ["", "\nMaybeboard\n1 Azure Keep\n", "\nTokens\n1 Azure Keep\n", "\n\n# the end\n"];
    let items: [Item; 6] = [
        |count, name| format!("{count} {name}"),
        |count, name| format!("{count}x {name}"),
        |count, name| format!("{count} {name} (ABC) 12"),
        |count, name| format!("- {count} {name}"),
        |count, name| format!("{name} x{count}"),
        |count, name| format!("{count} [[{name}]]"),
    ];
    for head in heads {
        for between in breaks {
            for tail in tails {
                for item in items {
                    let lines = |cards: &[(u32, &str)]| -> String {
                        cards.iter().map(|(count, name)| item(*count, name) + "\n").collect()
                    };
                    let text = format!("{head}{}{between}{}{tail}", lines(&MAIN), lines(&SIDE));
                    silent.text(&judge, &text, &[line_of(&text, "Verdant Spire")]);
                }
            }
        }
    }
    silent.check(0);
}

#[test]
fn code_blocks_and_groups_that_begin_again_are_as_blank_lines() {
    let judge = judge();
    let mut silent = Silent::default();
    let (main, side) = (
        "6 Acorn Courier\n3 Moss Sprite\n1 Loam Titan's Cradle\n",
        "2 Verdant Spire\n1 Garden Without a Gate\n",
    );
    for text in [
        format!("```\n{main}```\n```\n{side}```\n"),
        format!("Deck\n```\n{main}```\n\n```\n{side}```\n"),
        format!("Deck\nGreen\n{main}\nGreen\n{side}"),
        format!("Deck\n{main}SB: 2 Verdant Spire\n1 Garden Without a Gate\n"),
        format!("{main}Side: 2 Verdant Spire\n1 Garden Without a Gate\n"),
        format!("{main}# Sideboard against control\n{side}"),
        format!("Deck\n{main}// my sideboard\n{side}"),
        format!("Deck\n{main}// SB cards\n{side}"),
        format!("{main}\nSB 2 Verdant Spire\nSB 1 Garden Without a Gate\n"),
        format!("{main}\nSide - 2 Verdant Spire\n\nSide - 1 Garden Without a Gate\n"),
        format!("Deck\n{main}\n[SB] 2 Verdant Spire\n[SB] 1 Garden Without a Gate\n"),
    ] {
        let spire = line_of(&text, "Verdant Spire");
        silent.text(&judge, &text, &[spire - 1, spire, spire + 1, spire + 2]);
    }
    silent.check(0);
}

/// What proves that a blank line begins nothing: a total, or a heading of the sideboard.
#[test]
fn a_blank_line_that_begins_nothing_is_no_finding() {
    let judge = judge();
    for text in [
        "Main (9)\n6 Acorn Courier\n\n3 Moss Sprite\n",
        "Main\n6 Acorn Courier\n\n3 Moss Sprite\n\nSide\n2 Verdant Spire\n\n1 Azure Keep\n",
        "Side\n2 Verdant Spire\n\nMain\n6 Acorn Courier\n\n3 Moss Sprite\n",
        "Deck\n\n6 Acorn Courier\n3 Moss Sprite\n\n",
        "Green (6)\n6 Acorn Courier\n\nSide\n3 Moss Sprite\n",
    ] {
        let report = judge.judge("deck.txt", text.as_bytes(), Input::Text).unwrap();
        let found = report.findings.iter().find(|finding| finding.rule == "syntax");
        assert!(found.is_none(), "{text}{found:?}");
    }
}

/// Words of many games for the main deck and the side deck name those of every format and kind of
/// file, though the format calls them otherwise.
#[test]
fn usual_words_name_main_and_side_in_every_kind_of_file() {
    let judge = judge();
    let mut silent = Silent::default();
    for main in ["main", "Main Deck", "MAINDECK", "Mainboard", "Deck"] {
        for side in ["side", "Side Deck", "sidedeck", "Sideboard", "Side Board", "SB"] {
            let lines = |count: &dyn Fn(u32, &str) -> String, cards: &[(u32, &str)]| {
                let each = cards.iter().map(|(copies, name)| count(*copies, name));
                each.collect::<Vec<_>>()
            };
            let plain = |copies: u32, name: &str| format!("{copies} {name}\n");
            let (own, other) = (lines(&plain, &MAIN).concat(), lines(&plain, &SIDE).concat());
            silent.text(&judge, &format!("{main}\n{own}\n{side}\n{other}"), &[]);
            silent.text(&judge, &format!("[{main}]\n{own}\n{side} (3):\n{other}"), &[]);
            let quoted = |copies: u32, name: &str| format!("\"{copies} {name}\"");
            let [own, other] = [&MAIN[..], &SIDE].map(|cards| lines(&quoted, cards).join(", "));
            let keyed = format!("{{\"sections\": {{\"{main}\": [{own}], \"{side}\": [{other}]}}}}");
            silent.attempt(&judge, "deck.json", keyed.as_bytes(), &[]);
            silent.attempt(&judge, "deck.yaml", keyed.as_bytes(), &[]);
            let rows = |word: &str, cards: &[(u32, &str)]| {
                let row = |copies: u32, name: &str| format!("{copies},\"{name}\",{word}\n");
                lines(&row, cards).concat()
            };
            let table = format!("count,name,section\n{}{}", rows(main, &MAIN), rows(side, &SIDE));
            silent.attempt(&judge, "deck.csv", table.as_bytes(), &[]);
        }
    }
    let all = silent.tried;
    silent.check(all);
}

#[test]
fn marks_that_speak_of_the_side_are_not_removed_in_silence() {
    let judge = judge();
    let mut silent = Silent::default();
    let words = [
        "side",
        "Side",
        "SIDE",
        "sb",
        "SB",
        "Sb",
        "sideboard",
        "Sideboard",
        "SIDEBOARD",
        "side deck",
        "Side Deck",
        "+1 side",
        "2 in side",
        "1 SB",
        "SB: 1",
        "side x1",
        "in sideboard",
        "sideboarded",
        "side-deck",
        "SB!",
        "*side*",
        "Sideboard{noDeck}",
        "Sideboard{noDeck}{noPrice}",
        "Sideboard,Ramp",
        "Ramp,Sideboard{noDeck}",
        "side 2",
        "SB2",
        "1 main, 1 side",
    ];
    let marks: [fn(&str) -> String; 14] = [
        |word| format!(" ({word})"),
        |word| format!(" [{word}]"),
        |word| format!(" {{{word}}}"),
        |word| format!(" *{word}*"),
        |word| format!("\t{word}"),
        |word| format!("|{word}"),
        |word| format!(" # {word}"),
        |word| format!(" #{word}"),
        |word| format!(" // {word}"),
        |word| format!(" -- {word}"),
        |word| format!(" ^{word},#37d67a^"),
        |word| format!(" <{word}>"),
        |word| format!(" - {word}"),
        |word| format!(" {word}"),
    ];
    let more: [fn(&str) -> String; 6] = [
        |mark| mark.to_owned(),
        |mark| format!("{mark} *F*"),
        |mark| format!(" (ABC) 12{mark}"),
        |mark| format!(" (ABC) 12{mark} *F*"),
        |mark| format!("{mark} (ABC) 12"),
        |mark| format!(" [Ramp]{mark}"),
    ];
    let heads = ["", "Deck\n", "Main (10)\n"];
    for word in words {
        for mark in marks {
            for more in more {
                for head in heads {
                    let mark = more(&mark(word));
                    let main: String =
                        MAIN.iter().map(|(count, name)| format!("{count} {name}\n")).collect();
                    let text = format!(
                        "{head}{main}2 Verdant Spire{mark}\n1 Garden Without a Gate{mark}\n"
                    );
                    silent.text(&judge, &text, &[line_of(&text, "Verdant Spire")]);
                }
            }
        }
    }
    silent.check(500);
}

#[test]
fn a_mark_counts_wherever_the_line_has_it() {
    let judge = judge();
    let mut silent = Silent::default();
    let main = "6 Acorn Courier\n3 Moss Sprite\n1 Loam Titan's Cradle\n";
    for word in ["SB", "sb", "side", "Sideboard", "Side Deck"] {
        for line in [
            format!("2 [{word}] Verdant Spire"),
            format!("[{word}] 2 Verdant Spire"),
            format!("2 ({word}) Verdant Spire"),
            format!("({word}) 2 Verdant Spire"),
            format!("{word}: 2 Verdant Spire"),
            format!("{word} 2 Verdant Spire"),
            format!("{word} - 2 Verdant Spire"),
            format!("2 {word}: Verdant Spire"),
            format!("Verdant Spire [{word}] x2"),
            format!("Verdant Spire x2 ({word})"),
            format!("- 2 Verdant Spire ({word})"),
            format!("**2 Verdant Spire ({word})**"),
            format!("2 **Verdant Spire** ({word})"),
            format!("2 [[Verdant Spire]] ({word})"),
            format!("2 [Verdant Spire](https://cards.example/1) [{word}]"),
            format!("2 Verdant&nbsp;Spire [{word}]"),
            format!("2 Verdant Spire&nbsp;({word})"),
            format!("{word}\t2\tVerdant Spire"),
            format!("2\t{word}\tVerdant Spire"),
            format!("2\tVerdant Spire\t{word}"),
            format!("2\tVerdant Spire\tABC\t12\t{word}"),
            format!("Verdant Spire\t2\t{word}"),
            format!("2,Verdant Spire,{word}"),
            format!("2;Verdant Spire;{word}"),
            format!("1 Verdant Spire ({word}), 1 Verdant Spire ({word})"),
        ] {
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

/// A list's rows: count, name, section.
fn rows(sections: [&str; 2]) -> Vec<[String; 3]> {
    let of = |cards: &[(u32, &str)], section: &str| -> Vec<[String; 3]> {
        let row = |(count, name): &(u32, &str)| {
            [count.to_string(), (*name).to_owned(), section.to_owned()]
        };
        cards.iter().map(row).collect()
    };
    [of(&MAIN, sections[0]), of(&SIDE, sections[1])].concat()
}

/// The forms of a column of sections: its header, and its cells.
fn columns(main: &str, side: &str) -> Vec<(&'static str, Vec<String>)> {
    let each = |cells: [&str; 5]| cells.map(str::to_owned).to_vec();
    let all = [main, main, main, side, side];
    let grouped = [main, "", "", side, ""];
    let side_alone = ["", "", "", side, side];
    let side_first = ["", "", "", side, ""];
    let flags = ["no", "no", "no", "yes", "yes"];
    let yes = ["", "", "", "yes", "yes"];
    let one_yes = ["", "", "", "yes", ""];
    vec![
        ("section", each(all)),
        ("section", each(grouped)),
        ("section", each(side_alone)),
        ("section", each(side_first)),
        ("", each(all)),
        ("", each(grouped)),
        ("", each(side_alone)),
        ("", each(side_first)),
        ("", each(["", "", "", "1 side", "1 side"])),
        ("board", each(grouped)),
        ("sideboarded", each(flags)),
        ("sideboarded", each(yes)),
        ("sideboarded", each(one_yes)),
    ]
}

#[test]
fn cells_of_sections_are_read_in_every_table() {
    let judge = judge();
    let mut silent = Silent::default();
    let words = [
        ("main", "side"),
        ("Main", "Side"),
        ("main deck", "side deck"),
        ("deck", "sideboard"),
        ("main", "SB"),
        ("MAIN", "SIDEBOARD"),
        ("Mainboard", "Sideboard"),
        ("", "side"),
    ];
    let orders = [[0, 1, 2], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0], [1, 2, 0]];
    for (main, side) in words {
        for (header, cells) in columns(main, side) {
            for order in orders {
                let mut table = vec![["count".to_owned(), "name".to_owned(), header.to_owned()]];
                table.extend(rows(["", ""]));
                for (row, cell) in table.iter_mut().skip(1).zip(&cells) {
                    row[2].clone_from(cell);
                }
                let table: Vec<Vec<&str>> =
                    table.iter().map(|row| order.map(|at| row[at].as_str()).to_vec()).collect();
                let joined = |sign: &str, with_header: bool| -> String {
                    let rows = table.iter().skip(usize::from(!with_header));
                    rows.map(|row| row.join(sign) + "\n").collect()
                };
                let side_lines = [5, 6];
                for sign in [",", ";", "\t"] {
                    silent.attempt(&judge, "d.csv", joined(sign, true).as_bytes(), &side_lines);
                    silent.text(&judge, &joined(sign, true), &side_lines);
                    // Without a header nobody knows what `yes` means.
                    if header != "sideboarded" {
                        silent.text(&judge, &joined(sign, false), &[1, 2, 3, 4, 5]);
                    }
                    let trimmed = joined(sign, true).replace(&format!("{sign}\n"), "\n");
                    silent.attempt(&judge, "d.csv", trimmed.as_bytes(), &[2, 3, 4, 5, 6]);
                }
                let markdown: String = table
                    .iter()
                    .enumerate()
                    .map(|(at, row)| {
                        let rule = if at == 0 { "|---|---|---|\n" } else { "" };
                        format!("| {} |\n{rule}", row.join(" | "))
                    })
                    .collect();
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
    let judge = judge();
    let mut silent = Silent::default();
    for blank in ["\n", ",\n", "\n\n\n", " , \n", "\r\n", "\"\",\"\"\n"] {
        for header in ["count,name\n", "count,name,section\n", "sep=,\ncount,name\n"] {
            for (main_end, side_end) in [("", ""), (",", ",")] {
                let of = |cards: &[(u32, &str)], end: &str| -> String {
                    cards.iter().map(|(count, name)| format!("{count},{name}{end}\n")).collect()
                };
                let text = format!("{header}{}{blank}{}", of(&MAIN, main_end), of(&SIDE, side_end));
                let lines: Vec<usize> = (2..20).collect();
                silent.attempt(&judge, "d.csv", text.as_bytes(), &lines);
                let windows = text.replace('\n', "\r\n").replace("\r\r", "\r");
                silent.attempt(&judge, "d.csv", windows.as_bytes(), &lines);
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
