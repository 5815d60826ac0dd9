//! Readers of other files than decks, and outputs, on inputs of a size.

use crate::cases::{Case, HEAD, banlist, call, cards, lines};
use crate::{run, workbooks};
use std::path::Path;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/decks");

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// A deck of so many names that no card has, and a call about it.
fn unknown(to: &Path, number: usize, told: &str) -> Vec<String> {
    let text = format!("{HEAD}{}", lines(number, |at| format!("1 Card {at}")));
    call(to, "d.txt", &text, told)
}

/// A deck of so many cards that are there, and a call about it.
fn known(to: &Path, number: usize, told: &str) -> Vec<String> {
    cards(to, number);
    unknown(to, number, told)
}

fn form(to: &Path, number: usize, told: &str) -> Vec<String> {
    let rows = lines(number, |at| {
        format!("P{at},p{at}@example.org,\"Format: shell\nMain\n6 Moss Sprite\n\"")
    });
    call(to, "f.csv", &format!("Player,Email,Decklist\n{rows}"), told)
}

/// A folder of a game with so many rules.
fn game(to: &Path, number: usize) {
    let _ = std::fs::remove_dir_all(to.join("lantern"));
    run(to, &words("formats new lantern"));
    let file = to.join("lantern/game.yaml");
    let mut text = std::fs::read_to_string(&file).unwrap();
    let end = text.find("\n  # Rules that other games").unwrap();
    let rules = lines(number, |at| {
        format!(
            "  - id: r{at}\n    source: p. 2\n    about: Few.\n    must: {{copies: {{sections: [main], max: most-copies}}}}"
        )
    });
    text.insert_str(end, &format!("\n{rules}"));
    std::fs::write(file, text).unwrap();
}

pub(crate) const CASES: &[Case] = &[
    ("csv", 5_000, |to, n| unknown(to, n, "check d.txt -o csv")),
    ("csv-excel", 5_000, |to, n| {
        unknown(to, n, "check d.txt -o csv-excel")
    }),
    ("ndjson", 5_000, |to, n| {
        unknown(to, n, "check d.txt -o ndjson")
    }),
    ("junit", 5_000, |to, n| {
        unknown(to, n, "check d.txt -o junit")
    }),
    ("github", 5_000, |to, n| {
        unknown(to, n, "check d.txt -o github")
    }),
    ("xlsx", 4_000, |to, n| unknown(to, n, "check d.txt -o xlsx")),
    ("form to xlsx", 1_000, |to, n| {
        form(to, n, "check --submissions f.csv -o xlsx")
    }),
    ("form in xlsx", 1_000, |to, n| {
        let rows = (0..n).map(|at| {
            vec![
                format!("P{at}"),
                "Format: shell\nMain\n6 Moss Sprite\n".into(),
            ]
        });
        std::fs::write(
            to.join("f.xlsx"),
            workbooks::xlsx(&["Player", "Decklist"], rows),
        )
        .unwrap();
        words("check --submissions f.xlsx")
    }),
    ("fix, unknown names", 2_000, |to, n| {
        unknown(to, n, "fix d.txt")
    }),
    ("fix --rename, unknown names", 2_000, |to, n| {
        unknown(to, n, "fix d.txt --rename")
    }),
    ("room, unknown names", 1_000, |to, n| {
        unknown(to, n, "room d.txt")
    }),
    ("room, held cards", 500, |to, n| {
        known(to, n, "room d.txt --cards c.csv")
    }),
    ("room, cards of the pool", 500, |to, n| {
        cards(to, n);
        call(
            to,
            "d.txt",
            &format!("{HEAD}6 Card 1\n"),
            "room d.txt --cards c.csv",
        )
    }),
    ("fix, cards of the pool", 100, |to, n| {
        known(to, n, "fix d.txt --cards c.csv --effort 10000")
    }),
    ("build, cards of the pool", 200, |to, n| {
        cards(to, n);
        words("build shell --cards c.csv --effort 10000")
    }),
    ("tune", 50, |to, n| {
        cards(to, n);
        let deck = format!("{SAMPLES}/shell/ebb.txt");
        words(&format!("tune {deck} 1+[mana>=2] --effort 10000"))
    }),
    ("stats, cards of the pool", 5_000, |to, n| {
        known(to, n, "stats d.txt --cards c.csv")
    }),
    ("print", 100, |to, n| {
        cards(to, n);
        known(to, n, "print d.txt --cards c.csv --to o.pdf --replace")
    }),
    ("convert to json", 5_000, |to, n| {
        unknown(to, n, "convert d.txt --to-format json")
    }),
    ("convert to cod", 5_000, |to, n| {
        known(to, n, "convert d.txt --to-format cod --cards c.csv")
    }),
    ("cards in xlsx", 5_000, |to, n| {
        let rows = (0..n).map(|at| {
            vec![
                format!("Card {at}"),
                "spell".into(),
                "red".into(),
                "1".into(),
            ]
        });
        let header = ["name", "type", "colour", "mana"];
        std::fs::write(to.join("c.xlsx"), workbooks::xlsx(&header, rows)).unwrap();
        words("cards check c.xlsx --format shell")
    }),
    ("cards list", 5_000, |to, n| {
        cards(to, n);
        words("cards list --format shell --cards c.csv")
    }),
    ("cards show", 5_000, |to, n| {
        cards(to, n);
        words("cards show Carx --format shell --cards c.csv")
    }),
    ("cards template", 5_000, |to, n| {
        cards(to, n);
        words("cards template shell --pool --cards c.csv")
    }),
    ("cards export", 5_000, |to, n| {
        cards(to, n);
        words("cards export --cockatrice --format shell --cards c.csv")
    }),
    ("banlist show", 5_000, |to, n| {
        banlist(to, "b.yaml", n, "Card");
        words("banlist show b.yaml")
    }),
    ("banlist of a check", 5_000, |to, n| {
        banlist(to, "b.yaml", n, "Card");
        unknown(to, 1, "check d.txt --banlist b.yaml")
    }),
    ("lock", 2_000, |to, n| {
        cards(to, n);
        run(
            to,
            &words("banlist lock shell --cards shell=c.csv --to l.lock --replace"),
        );
        call(
            to,
            "d.txt",
            &format!("{HEAD}6 Card 1\n"),
            "check d.txt --locked=l.lock",
        )
    }),
    ("configuration", 2_000, |to, n| {
        let lists = lines(n, |at| {
            format!("  l{at}: {{url: 'https://example.org/{at}.yaml'}}")
        });
        std::fs::write(to.join("decklaw.yaml"), format!("lists:\n{lists}")).unwrap();
        words("formats list")
    }),
    ("game file, rules", 100, |to, n| {
        let _ = std::fs::remove_file(to.join("decklaw.yaml"));
        game(to, n);
        words("formats check lantern")
    }),
    ("collection", 5_000, |to, n| {
        let text = format!("count,name\n{}", lines(n, |at| format!("1,Card {at}")));
        std::fs::write(to.join("own.csv"), text).unwrap();
        words(&format!("fix {SAMPLES}/shell/ebb.txt --own own.csv"))
    }),
    ("match new", 200, |to, n| {
        let text = format!(
            "Format: any\n\nMain\n{}",
            lines(n, |at| format!("1 Card {at}"))
        );
        let told = "match new any --set opening_hand=5 --deck d.txt --deck d.txt --seed a";
        call(to, "d.txt", &text, told)
    }),
    ("match file", 200, |to, n| {
        let text = format!(
            "Format: any\n\nMain\n{}",
            lines(n, |at| format!("1 Card {at}"))
        );
        let told = "match new any --set opening_hand=5 --deck d.txt --deck d.txt --seed a --to m.json --replace";
        run(to, &call(to, "d.txt", &text, told));
        words("match show m.json")
    }),
    ("match file, log", 600, |to, n| {
        let first = r#"{"step":"first-player","by":"random"}"#;
        let new = ["match", "new", "vastrix", "--seed", "a", "--decide", first];
        let to_file = ["--to", "g.json", "--replace"];
        let made: Vec<String> = new
            .iter()
            .chain(&to_file)
            .map(|word| (*word).to_owned())
            .collect();
        run(to, &made);
        let rolled = std::iter::repeat_n(r#"{"do":"roll","by":"A","sides":6}"#.to_owned(), n);
        let mut played = words("match decide g.json --to g.json");
        played.splice(3..3, rolled);
        run(to, &played);
        words("match show g.json")
    }),
];
