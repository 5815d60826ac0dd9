//! Forms as people make them: questions for columns, and a question for each part of a deck.

use crate::checked;
use serde_json::{Value, json};

/// A deck of the samples as a form with a question for each section has it: what stands in each.
fn parts() -> Vec<(String, String)> {
    let deck = std::fs::read_to_string("decks/shell/ebb.txt").unwrap();
    let mut parts: Vec<(String, String)> = Vec::new();
    for block in deck.split("\n\n").skip(1) {
        let (heading, cards) = block.split_once('\n').unwrap();
        let section = heading.split(" (").next().unwrap();
        parts.push((section.to_owned(), cards.trim().to_owned()));
    }
    parts
}

fn csv(rows: &[Vec<String>]) -> String {
    let cell = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
    let row = |row: &Vec<String>| row.iter().map(cell).collect::<Vec<_>>().join(",");
    rows.iter().map(|cells| row(cells) + "\r\n").collect()
}

/// A form with a column for each section, called as `question` asks for it; Ines brings the
/// sample, Oda the same without her side deck's first line.
fn form(question: impl Fn(&str) -> String) -> String {
    let parts = parts();
    assert!(parts.len() > 2, "{parts:?}");
    let mut header = vec!["Timestamp".to_owned(), "What is your name?".to_owned()];
    header.extend(parts.iter().map(|(section, _)| question(section)));
    let row = |name: &str, cards: Vec<String>| {
        [vec!["2026-03-01 10:00".to_owned(), name.to_owned()], cards].concat()
    };
    let whole: Vec<String> = parts.iter().map(|(_, cards)| cards.clone()).collect();
    let mut broken = whole.clone();
    broken[1] = broken[1].split_once('\n').unwrap().1.to_owned();
    csv(&[header, row("Ines", whole), row("Oda", broken)])
}

fn verdict(document: &Value, at: usize) -> (&str, &str) {
    let deck = &document["decks"][at];
    (
        deck["player"].as_str().unwrap_or_default(),
        deck["verdict"].as_str().unwrap_or_default(),
    )
}

#[test]
fn a_question_for_each_section_fills_it() {
    let questions: [&dyn Fn(&str) -> String; 4] = [
        &|section| section.to_owned(),
        &|section| format!("{}?", section.to_lowercase()),
        &|section| format!("Paste your {section} here (a card on each line):"),
        &|section| format!("[{section}]"),
    ];
    for (at, question) in questions.iter().enumerate() {
        let table = form(question);
        let (status, document, output) = checked(table.as_bytes(), &["--format", "shell"]);
        // What stands in brackets alone asks for nothing.
        if at == 3 {
            assert!(output.contains("no column is plainly the deck"), "{output}");
            assert_eq!(status, Some(2));
            continue;
        }
        assert_eq!(status, Some(1), "{output}");
        assert_eq!(verdict(&document, 0), ("Ines", "legal"), "{document}");
        let (player, broken) = verdict(&document, 1);
        assert_eq!(player, "Oda");
        assert_ne!(broken, "legal");
        assert_eq!(document["submissions"]["unused"], json!([]), "{output}");
    }
}

/// Whatever a form calls its columns and in whatever order they stand: an address is nobody's name
/// where a column asks for one, and it is said which column was read as what.
#[test]
fn a_name_is_the_player_and_an_address_tells_who_is_who() {
    let names = [
        "Name",
        "Player",
        "What is your name?",
        "Your name:",
        "Full name *",
        "Please enter your name",
    ];
    let addresses = ["Email Address", "E-mail", "Username", "Your email address?"];
    let decks = [
        "Decklist",
        "Paste your deck here",
        "Your deck list?",
        "Deck file",
    ];
    let mut tried = 0;
    for (at, name) in names.iter().enumerate() {
        for (nth, address) in addresses.iter().enumerate() {
            let deck = decks[(at + nth) % decks.len()];
            let columns = [
                (*name, "Ines"),
                (*address, "ines@example.org"),
                (deck, "Format: any\n\n1 A"),
                ("Timestamp", "2026-03-01 10:00:00"),
            ];
            let mut columns = columns;
            columns.rotate_left(at % 4);
            let header = columns.map(|(name, _)| name.to_owned()).to_vec();
            let row = columns.map(|(_, cell)| cell.to_owned()).to_vec();
            let (status, document, output) = checked(csv(&[header, row]).as_bytes(), &[]);
            assert_eq!(status, Some(0), "{output}");
            assert_eq!(document["decks"][0]["player"], "Ines", "{output}");
            for (role, column) in [
                ("player", name),
                ("id", address),
                ("deck", &deck),
                ("time", &"Timestamp"),
            ] {
                let read = format!("{role} \u{2190} \"{column}\"");
                assert!(output.contains(&read), "{read}: {output}");
            }
            tried += 1;
        }
    }
    assert_eq!(tried, 24);
}

/// A whole deck goes before parts of one: they may say the same again.
#[test]
fn a_column_of_whole_decks_goes_before_its_parts() {
    let deck = std::fs::read_to_string("decks/shell/ebb.txt").unwrap();
    let header = [
        "Your name",
        "Your decklist (with all sections)",
        "Side deck",
    ];
    let row = ["Ines", &deck, "3 Rain Caller\n1 Pip"];
    let rows = [header, row].map(|row| row.map(str::to_owned).to_vec());
    let (_, document, output) = checked(csv(&rows).as_bytes(), &[]);
    assert_eq!(verdict(&document, 0).1, "legal", "{output}");
    // The other is output, since it looks like a part of the deck.
    assert!(
        document["submissions"]["unused"]
            .to_string()
            .contains("Side deck"),
        "{document}"
    );
}
