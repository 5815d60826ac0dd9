//! Commands on inputs of a size.

use std::fmt::Write as _;
use std::path::Path;

/// Writes the input of a size and gives the call; a `<FILE` at its end is its standard input.
pub(crate) type Make = fn(&Path, usize) -> Vec<String>;

/// A case: its name, its first size, and what it makes.
pub(crate) type Case = (&'static str, usize, Make);

pub(crate) const HEAD: &str = "Format: shell\n\nMain\n";

pub(crate) fn lines(number: usize, line: impl Fn(usize) -> String) -> String {
    let mut all = String::new();
    for at in 0..number {
        let _ = writeln!(all, "{}", line(at));
    }
    all
}

/// Writes a file and gives a call about it.
pub(crate) fn call(folder: &Path, file: &str, text: &str, words: &str) -> Vec<String> {
    std::fs::write(folder.join(file), text).unwrap();
    words.split(' ').map(str::to_owned).collect()
}

/// A card file of the game `shell`.
pub(crate) fn cards(folder: &Path, number: usize) {
    let rows = lines(number, |at| format!("Card {at},spell,red,{}", at % 9));
    std::fs::write(
        folder.join("c.csv"),
        format!("name,type,colour,mana\n{rows}"),
    )
    .unwrap();
}

pub(crate) fn banlist(folder: &Path, file: &str, number: usize, word: &str) {
    let entries = lines(number, |at| format!("  - {word} {at}"));
    let head =
        "schema: decklaw/banlist/1\nid: x\ngame: shell\nname: X\neffective: 2026-01-01\nbanned:\n";
    std::fs::write(folder.join(file), format!("{head}{entries}")).unwrap();
}

pub(crate) fn cockatrice(inside: &str) -> String {
    format!("<cockatrice_deck version=\"1\"><zone name=\"main\">{inside}</zone></cockatrice_deck>")
}

fn folder_of_decks(folder: &Path, number: usize) {
    let decks = folder.join("decks");
    let _ = std::fs::remove_dir_all(&decks);
    std::fs::create_dir(&decks).unwrap();
    for at in 0..number {
        std::fs::write(
            decks.join(format!("{at}.txt")),
            format!("{HEAD}6 Moss Sprite\n"),
        )
        .unwrap();
    }
}

pub(crate) const CASES: &[Case] = &[
    ("cards check", 20_000, |to, n| {
        cards(to, n);
        call(to, "x", "", "cards check c.csv --format shell")
    }),
    ("cards list", 20_000, |to, n| {
        cards(to, n);
        call(
            to,
            "x",
            "",
            "cards list mana:3 -o json --format shell --cards c.csv",
        )
    }),
    ("rules over many cards", 20_000, |to, n| {
        cards(to, n);
        call(
            to,
            "d.txt",
            &format!("{HEAD}6 Card 1\n6 Card 2\n"),
            "check d.txt --cards c.csv",
        )
    }),
    ("deck of many cards", 10_000, |to, n| {
        cards(to, n);
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "check d.txt --cards c.csv",
        )
    }),
    ("banlist check", 10_000, |to, n| {
        banlist(to, "b.yaml", n, "Card");
        call(to, "x", "", "banlist check b.yaml")
    }),
    ("banlist check, near names", 5_000, |to, n| {
        banlist(to, "b.yaml", n, "Carx");
        cards(to, n);
        call(to, "x", "", "banlist check b.yaml --cards shell=c.csv")
    }),
    ("banlist diff", 5_000, |to, n| {
        banlist(to, "b.yaml", n, "Card");
        banlist(to, "c.yaml", n, "Cord");
        call(to, "x", "", "banlist diff b.yaml c.yaml")
    }),
    ("form", 2_000, |to, n| {
        call(
            to,
            "f.csv",
            &format!(
                "Player,Decklist\n{}",
                lines(n, |at| format!(
                    "P{at},\"Format: shell\nMain\n6 Moss Sprite\n\""
                ))
            ),
            "check --submissions f.csv -o json",
        )
    }),
    ("form, one player", 5_000, |to, n| {
        call(
            to,
            "f.csv",
            &format!(
                "Timestamp,Player,Decklist\n{}",
                lines(n, |_| "2026-01-01 10:00,Bob,\"Main\n6 Moss Sprite\n\""
                    .to_owned())
            ),
            "check --submissions f.csv -o json --format shell",
        )
    }),
    ("folder", 500, |to, n| {
        folder_of_decks(to, n);
        call(to, "x", "", "check decks")
    }),
    ("stream", 2_000, |to, n| {
        call(
            to,
            "s.ndjson",
            &"{\"format\":\"shell\",\"main\":[\"6 Moss Sprite\"]}\n".repeat(n),
            "stream <s.ndjson",
        )
    }),
    ("stats", 10_000, |to, n| {
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "stats d.txt",
        )
    }),
    ("odds", 12_000, |to, n| {
        let mut words = call(
            to,
            "d.txt",
            &("Format: any\n\nMain\n".to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "odds d.txt --hand 5",
        );
        words.push("1+ \"Card 1\"".to_owned());
        words
    }),
    ("convert to yaml", 10_000, |to, n| {
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "convert d.txt --to-format yaml --to o --replace",
        )
    }),
    ("convert to a sheet", 5_000, |to, n| {
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "print d.txt --sheet --to o --replace",
        )
    }),
    ("fix --own", 40_000, |to, n| {
        call(
            to,
            "own.csv",
            &format!("count,name\n{}", lines(n, |at| format!("1,Card {at}"))),
            &format!(
                "fix {}/decks/shell/overspent.txt --own own.csv",
                env!("CARGO_MANIFEST_DIR")
            ),
        )
    }),
    ("card query, terms", 3_500, |_, n| {
        vec![
            "cards".into(),
            "list".into(),
            "--format".into(),
            "shell".into(),
            "-mana:1 ".repeat(n),
        ]
    }),
    ("hand query, terms", 200, |to, n| {
        let mut words = call(
            to,
            "d.txt",
            &format!("{HEAD}6 Moss Sprite\n6 Rain Caller\n"),
            "odds d.txt --hand 5",
        );
        words.push(vec!["1+ [mana:1]"; n].join(" or "));
        words
    }),
];
