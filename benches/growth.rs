//! How time and memory grow with what is read: every reader and command on inputs of a size, twice
//! it and four times it, with the exponent of the last doubling (1: linear, 2: the square) and the
//! most memory that was held. `cargo bench --bench growth [NAME]`; `--profile dev` will do, since
//! exponents are the same.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs
)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Writes the input of a size and gives the call; a `<FILE` at its end is its standard input.
type Make = fn(&Path, usize) -> Vec<String>;

/// A case: its name, its first size, and what it makes.
type Case = (&'static str, usize, Make);

const HEAD: &str = "Format: shell\n\nMain\n";

fn lines(number: usize, line: impl Fn(usize) -> String) -> String {
    let mut all = String::new();
    for at in 0..number {
        let _ = writeln!(all, "{}", line(at));
    }
    all
}

/// Writes a file and gives a call about it.
fn call(folder: &Path, file: &str, text: &str, words: &str) -> Vec<String> {
    std::fs::write(folder.join(file), text).unwrap();
    words.split(' ').map(str::to_owned).collect()
}

/// A card file of the game `shell`.
fn cards(folder: &Path, number: usize) {
    let rows = lines(number, |at| format!("Card {at},spell,red,{}", at % 9));
    std::fs::write(
        folder.join("c.csv"),
        format!("name,type,colour,mana\n{rows}"),
    )
    .unwrap();
}

fn banlist(folder: &Path, file: &str, number: usize, word: &str) {
    let entries = lines(number, |at| format!("  - {word} {at}"));
    let head =
        "schema: decklaw/banlist/1\nid: x\ngame: shell\nname: X\neffective: 2026-01-01\nbanned:\n";
    std::fs::write(folder.join(file), format!("{head}{entries}")).unwrap();
}

fn cockatrice(inside: &str) -> String {
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

const CASES: &[Case] = &[
    ("text, one card", 40_000, |to, n| {
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &"1 Moss Sprite\n".repeat(n)),
            "check d.txt",
        )
    }),
    ("text, unknown names", 10_000, |to, n| {
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "check d.txt",
        )
    }),
    ("text, unknown names, json", 10_000, |to, n| {
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "check d.txt -o json",
        )
    }),
    ("text, no pool", 10_000, |to, n| {
        call(
            to,
            "d.txt",
            &("Format: any\n\nMain\n".to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "check d.txt",
        )
    }),
    ("text, one long name", 100_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("{HEAD}1 {}\n", "x".repeat(n)),
            "check d.txt",
        )
    }),
    ("text, marks in a name", 20_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("{HEAD}1 {}\n", "a\u{301}\u{323}".repeat(n)),
            "check d.txt",
        )
    }),
    ("text, comments", 20_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("{HEAD}{}1 Moss Sprite\n", "# Extra\n".repeat(n)),
            "check d.txt",
        )
    }),
    ("yaml", 10_000, |to, n| {
        call(
            to,
            "d.yaml",
            &format!(
                "format: shell\nmain:\n{}",
                lines(n, |at| format!("  - 1 Card {at}"))
            ),
            "check d.yaml",
        )
    }),
    ("json", 8_000, |to, n| {
        let cards: Vec<String> = (0..n).map(|at| format!("\"1 Card {at}\"")).collect();
        call(
            to,
            "d.json",
            &format!("{{\"format\":\"shell\",\"main\":[{}]}}", cards.join(",")),
            "check d.json",
        )
    }),
    ("pasted, lines", 10_000, |to, n| {
        call(
            to,
            "d.txt",
            &lines(n, |at| format!("1 Card {at} (M21) {at} *F*")),
            "check d.txt --input pasted --format shell",
        )
    }),
    ("pasted, foil marks", 50_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("1 Moss Sprite {}\n", "*F* ".repeat(n)),
            "check d.txt --input pasted --format shell",
        )
    }),
    ("pasted, labels", 50_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("1 Moss Sprite {}\n", "^x^ ".repeat(n)),
            "check d.txt --input pasted --format shell",
        )
    }),
    ("pasted, tags", 50_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("1 Moss Sprite {}\n", "#x ".repeat(n)),
            "check d.txt --input pasted --format shell",
        )
    }),
    ("card numbers", 10_000, |to, n| {
        call(
            to,
            "d.ydk",
            &format!("#main\n{}", lines(n, |at| at.to_string())),
            "check d.ydk --format shell",
        )
    }),
    ("cockatrice", 10_000, |to, n| {
        call(
            to,
            "d.cod",
            &cockatrice(&lines(n, |at| {
                format!("<card number=\"1\" name=\"C{at}\"/>")
            })),
            "check d.cod --format shell",
        )
    }),
    ("cockatrice, attributes", 20_000, |to, n| {
        call(
            to,
            "d.cod",
            &cockatrice(&format!(
                "<card{}/>",
                lines(n, |at| format!(" a{at}=\"1\""))
            )),
            "check d.cod --format shell",
        )
    }),
    ("cockatrice, namespaces", 20_000, |to, n| {
        call(
            to,
            "d.cod",
            &cockatrice(&"<card xmlns:q=\"z\" number=\"1\" name=\"C\"/>".repeat(n)),
            "check d.cod --format shell",
        )
    }),
    ("lackey", 10_000, |to, n| {
        call(
            to,
            "d.dek",
            &format!(
                "<deck version=\"0.8\"><superzone name=\"Deck\">{}</superzone></deck>",
                lines(n, |at| format!("<card><name>C{at}</name></card>"))
            ),
            "check d.dek --format shell",
        )
    }),
    ("table", 10_000, |to, n| {
        call(
            to,
            "d.csv",
            &format!(
                "count,name,section\n{}",
                lines(n, |at| format!("1,Card {at},main"))
            ),
            "check d.csv --format shell",
        )
    }),
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
    ("banlist check", 5_000, |to, n| {
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
    ("check --compare", 5_000, |to, n| {
        banlist(to, "b.yaml", n, "Card");
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "check d.txt --compare none b.yaml",
        )
    }),
    ("check --registered", 5_000, |to, n| {
        std::fs::write(
            to.join("e.txt"),
            HEAD.to_owned() + &lines(n, |at| format!("1 Cord {at}")),
        )
        .unwrap();
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "check d.txt --registered e.txt",
        )
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
            "check --stream <s.ndjson",
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
    ("odds", 10_000, |to, n| {
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
            "convert d.txt --to-format sheet --to o --replace",
        )
    }),
    ("fix --own", 5_000, |to, n| {
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
    ("card query, terms", 2_000, |_, n| {
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
    ("match verify, shuffles undone", 600, |to, n| {
        let deck = format!(
            "{}/decks/vastrix/travelling-pack.txt",
            env!("CARGO_MANIFEST_DIR")
        );
        let _ = std::fs::remove_file(to.join("g.json"));
        let moves = format!(
            "keep\n{}{}q\n",
            "shuffle deck\n".repeat(n),
            "undo\n".repeat(n)
        );
        let mut words: Vec<String> = ["match", "goldfish", &deck, "--seed", "a", "--to", "g.json"]
            .map(str::to_owned)
            .into();
        std::fs::write(to.join("moves"), moves).unwrap();
        words.push("<moves".to_owned());
        run(to, &words);
        call(to, "x", "", "match verify g.json")
    }),
];

/// The time of a run, and the most memory that it held in MiB, where the system tells.
fn run(folder: &Path, words: &[String]) -> (Duration, Option<u64>) {
    let (words, input) = match words.split_last() {
        Some((last, words)) if last.starts_with('<') => (words, Some(&last[1..])),
        _ => (words, None),
    };
    let input = input.map_or_else(Stdio::null, |file| {
        std::fs::File::open(folder.join(file)).unwrap().into()
    });
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(words)
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = None;
    loop {
        let told = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = told.lines().find_map(|line| {
            line.strip_prefix("VmHWM:")?
                .trim()
                .split(' ')
                .next()?
                .parse::<u64>()
                .ok()
        });
        most = most.max(peak.map(|kib| kib >> 10));
        if let Some(ended) = child.try_wait().unwrap() {
            assert!(
                ended.code().is_some_and(|code| code < 3),
                "{words:.60?}: {ended}"
            );
            return (begun.elapsed(), most);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn main() {
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let start = (0..5)
        .map(|_| run(folder, &["formats".to_owned(), "list".to_owned()]).0)
        .min()
        .unwrap();
    println!(
        "{:<32}{:>8}{:>9}{:>9}{:>9}{:>10}{:>8}",
        "", "n", "n ms", "2n ms", "4n ms", "exponent", "MiB"
    );
    for (name, first, make) in CASES {
        if !asked.is_empty() && !asked.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let mut most = None;
        let times = [1, 2, 4].map(|times| {
            let words = make(folder, first * times);
            let runs = (0..2).map(|_| run(folder, &words));
            let (time, memory) = runs.min_by_key(|(time, _)| *time).unwrap();
            most = most.max(memory);
            // Less what every start takes.
            time.saturating_sub(start).as_secs_f64().max(1e-4)
        });
        let exponent = (times[2] / times[1]).log2();
        let [one, two, four] = times.map(|time| time * 1e3);
        let memory = most.map_or("?".to_owned(), |most| most.to_string());
        println!("{name:<32}{first:>8}{one:>9.1}{two:>9.1}{four:>9.1}{exponent:>10.2}{memory:>8}");
    }
}
