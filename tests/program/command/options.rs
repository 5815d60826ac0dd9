//! Options that a command has no use for are refused: every command, with every common option.

use super::{folder, root};
use std::process::Output;

fn decklaw(arguments: &[&str]) -> Output {
    super::decklaw(root(), arguments)
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The common options, a letter each. `-q`, `-v`, `--color`, `--offline` and `--no-local` are of
/// use everywhere.
const COMMON: [(char, &[&str]); 8] = [
    ('f', &["--format", "shell"]),
    ('c', &["--cards", "shell=no-such.csv"]),
    ('b', &["--banlist", "none"]),
    ('d', &["--as-of", "2026-03-01"]),
    ('s', &["--set", "unknown=notice"]),
    ('o', &["--output", "no-such-kind"]),
    ('t', &["--to", "no-such-folder/out"]),
    ('r', &["--replace"]),
];

/// A call of each command, and what it has a use for. A file that is replaced must be named:
/// `r` stands where the command writes one without `--to`.
const CALLS: &[(&str, &str)] = &[
    ("check no-such.txt", "fcbdsot"),
    ("stream", "fcbdso"),
    ("check --submissions no-such.csv", "fcbdsot"),
    ("fix no-such.txt", "fcbdsot"),
    ("room no-such.txt", "fcbdsot"),
    ("build nothing", "cbdsot"),
    ("edit no-such.cod", "fcbds"),
    ("odds no-such.txt", "fcbdsot"),
    ("odds no-such.txt --svg no-such/a.svg", "fcbdsotr"),
    ("tune no-such.txt QUERY", "fcbdsot"),
    ("stats no-such.txt", "fcbdsot"),
    ("stats no-such.txt --svg no-such/a.svg", "fcbdsotr"),
    ("convert deck.txt --to-format text", "fcbdst"),
    ("print no-such.txt", "fcbdsot"),
    ("match new deck.txt", "fcbdsot"),
    ("match decide no-such.json {}", "cbdot"),
    ("match view no-such.json --seat public", "ot"),
    ("match verify no-such.json", "cbdot"),
    ("match show no-such.json", "ot"),
    ("match sheet no-such.json", "ot"),
    ("match next no-such.json --won A", "ot"),
    ("match play no-such.json", "fcbds"),
    ("explain points", "fcbdsot"),
    ("explain shell/points", "cbdsot"),
    ("explain queries", "ot"),
    ("cards list", "fcot"),
    ("cards template shell", "ot"),
    ("cards template shell --pool", "cot"),
    ("cards template --pool", "fcot"),
    ("cards show Nobody", "fcot"),
    ("cards export --cockatrice", "fcot"),
    ("cards check no-such.csv", "fot"),
    ("banlist list", "dot"),
    ("banlist show no-such", "dot"),
    ("banlist diff no-such other", "ot"),
    ("banlist check no-such.yaml", "cot"),
    ("banlist fetch nothing", "otr"),
    ("banlist lock nothing", "cbdsotr"),
    ("formats list", "ot"),
    ("formats show nothing", "cbdsot"),
    ("formats check no-such.yaml", "ot"),
    ("completions bash", "ot"),
    ("man", "ot"),
    ("serve --event no-such", "cbds"),
    ("event new no-such/x --deadline never", "fcbds"),
    ("event import no-such form.csv", "ot"),
    ("event status no-such", "ot"),
    ("event decide no-such e001 yes", "ot"),
    ("event print no-such", "ot"),
    ("event check no-such p001 deck.txt", "ot"),
    ("event stats no-such", "ot"),
    ("event export no-such", "ot"),
];

/// What is said of an option that is refused for being of no use.
const SAID: [&str; 6] = [
    "has no option",
    "has no use",
    "has a use only with",
    "named twice",
    "this call writes none",
    "convert writes what",
];

#[test]
fn every_command_takes_what_it_uses_and_refuses_the_rest() {
    // Whatever is written by mistake is not written into the tree.
    let folder = folder(&[("deck.txt", b"Format: shell\n")]);
    let decklaw = |arguments: &[&str]| super::decklaw(folder.path(), arguments);
    let mut wrong = Vec::new();
    for (call, uses) in CALLS {
        for (other, (letter, option)) in COMMON.iter().enumerate() {
            let arguments: Vec<&str> = call.split(' ').chain(option.iter().copied()).collect();
            let output = decklaw(&arguments);
            let message = told(&output);
            assert_ne!(output.status.code(), Some(3), "{arguments:?}: {message}");
            let refused = SAID.iter().any(|said| message.contains(said));
            if refused == uses.contains(*letter) {
                wrong.push(format!("{arguments:?}: {message}"));
            } else if refused {
                let option = COMMON[other].1[0];
                let named = option == "--output" && message.contains("`-o`");
                let told = message.contains(option) || named;
                assert!(told, "{arguments:?}: {message}");
                assert_eq!(output.status.code(), Some(2), "{arguments:?}");
                assert!(output.stdout.is_empty(), "{arguments:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn options_of_another_way_to_work_are_refused() {
    let deck = "decks/shell/ebb.txt";
    for (arguments, named) in [
        (&["check", deck, "--summary"][..], "--summary"),
        (&["stream", "--deadline", "2026-03-01T18:00"], "--deadline"),
        (&["stream", "--columns", "player=Name"], "--columns"),
        (
            &["check", deck, "-o", "json=a.json", "--to", "b.json"],
            "--to",
        ),
        (
            &["odds", deck, "--path", "7: 1+ []", "--hand", "5"],
            "--hand",
        ),
        (
            &["odds", deck, "--path", "7: 1+ []", "--keep-hand", "best"],
            "--keep-hand",
        ),
        (&["odds", deck, "--seed", "x"], "--seed"),
        (
            &["odds", deck, "1+ []", "--policy", "none, at most 1"],
            "--policy",
        ),
        (
            &["odds", deck, "1+ []", "--policy", "at most 1, bottom 0 0 1"],
            "--policy",
        ),
    ] {
        let output = decklaw(arguments);
        let message = told(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(named), "{arguments:?}: {message}");
        assert!(!std::path::Path::new("a.json").exists(), "{arguments:?}");
    }
    // With a query beside it a path has company that draws hands.
    let both = decklaw(&["odds", deck, "1+ []", "--path", "7: 1+ []", "--hand", "5"]);
    assert_eq!(both.status.code(), Some(0), "{}", told(&both));
}

#[test]
fn what_fits_no_deck_is_refused_by_every_command_that_judges() {
    let deck = "decks/shell/ebb.txt";
    let calls: [&[&str]; 9] = [
        &["check", deck],
        &["fix", deck],
        &["room", deck],
        &["build", "shell"],
        &["odds", deck],
        &["tune", deck, "1+ [mana:1]", "--changes", "1"],
        &["stats", deck],
        &["convert", deck, "--to-format", "yaml"],
        &["formats", "show", "shell"],
    ];
    for call in calls {
        for (more, named) in [
            (&["--set", "no-such-setting=3"][..], "no-such-setting"),
            (
                &["--banlist", "vainqueur-sample-2026-07"],
                "vainqueur-sample-2026-07",
            ),
            (
                &["--cards", "versus=formats/versus/cards.csv"],
                "formats/versus/cards.csv",
            ),
        ] {
            let output = decklaw(&[call, more].concat());
            let message = told(&output);
            assert_eq!(
                output.status.code(),
                Some(2),
                "{call:?} {more:?}: {message}"
            );
            assert!(
                message.contains(named) && message.contains("fits no deck"),
                "{message}"
            );
        }
    }
}

/// An option stands behind the name of its command: before it nobody takes it.
#[test]
fn an_option_stands_behind_its_command() {
    let deck = "decks/vainqueur/barley-crown.txt";
    for arguments in [
        &["--set", "min=60", "check", deck][..],
        &["--format", "shell", "check", deck],
        &["-ojson", "check", deck],
        &["match", "--set", "a=1", "new", "shell"],
    ] {
        let output = decklaw(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(decklaw(&["-q", "check", deck]).status.code(), Some(0));
    let twice = decklaw(&["check", deck, "--set", "min=1", "--set", "min=60"]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(told(&twice).contains("given twice"), "{}", told(&twice));
}

#[test]
fn values_explain_how_they_are_written() {
    let deck = "decks/shell/ebb.txt";
    for (arguments, example) in [
        (
            &["check", deck, "--as-of", "22.11.2026"][..],
            "`--as-of 2026-11-22`",
        ),
        (
            &["check", deck, "--as-of", "2026-02-30"],
            "there is no such day",
        ),
        (&["odds", deck, "--hand", "seven"], "`--hand 7`"),
        (&["odds", deck, "--hand", "1,5"], "a whole number is wanted"),
        (
            &["odds", deck, "--policy", "shuffle 2"],
            "`shuffle 2` is none of `none`, `shuffle`, `aside`, `at most N` and `bottom N N …`",
        ),
        (
            &["odds", deck, "--policy", "bottom 0;1"],
            "`0;1` is no whole number",
        ),
        (
            &["odds", deck, "--policy", "none, none"],
            "says again what stands before it",
        ),
        (&["odds", deck, "--seat", "first"], "`--seat B`"),
        (&["check", deck, "--set", "min"], "`--set unknown=notice`"),
        (
            &["check", "--submissions", "x.csv", "--deadline", "1.3.2026"],
            "`--deadline 2026-03-01T18:00`",
        ),
        (&["check", deck, "--hand", "7"], "`odds`"),
    ] {
        let output = decklaw(arguments);
        let message = told(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(example), "{arguments:?}: {message}");
    }
    let tomorrow = decklaw(&["check", deck, "--as-of", "tomorrow"]);
    let message = told(&tomorrow);
    let day = message
        .rsplit('`')
        .nth(1)
        .and_then(|typed| typed.strip_prefix("--as-of "));
    let day: Option<jiff::civil::Date> = day.and_then(|day| day.parse().ok());
    assert!(day.is_some(), "{message}");
}

/// Calls that have an answer.
const ANSWERED: &[&str] = &[
    "check decks/shell decks/versus",
    "fix decks/shell/too-many-copies.txt",
    "room decks/shell/ebb.txt",
    "build versus/fast",
    "tune decks/versus/rainy-sunday.txt '1+ [type:trap]' --effort 0.01",
    "stats decks/shell",
    "odds decks/shell/ebb.txt",
    "print decks/versus/rainy-sunday.txt",
    "match new vastrix --seed s",
    "cards list --format shell mana:1",
    "cards template shell",
    "cards show --format shell 'Moss Sprite'",
    "cards export --cockatrice --format shell",
    "banlist list --as-of 2026-08-01",
    "banlist show vainqueur-sample-2026-07",
    "banlist diff vainqueur-sample-2026-01 vainqueur-sample-2026-07",
    "formats list",
];

/// The words of a call; those in quotation marks are one.
fn words(call: &str) -> Vec<&str> {
    let quoted = call.split('\'').enumerate();
    let each = quoted.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    each.collect()
}

/// The kinds of output that the help of a command names.
fn kinds_of(help: &str) -> Vec<String> {
    let Some((_, behind)) = help.split_once("--output <KIND[=FILE]>") else {
        return Vec::new();
    };
    let line = behind.lines().next().unwrap_or_default();
    // Those of forms are not those of one deck.
    let line = line.split(';').next().unwrap_or_default();
    let names = line.split([',', ' ']).filter(|name| !name.is_empty());
    names
        .filter(|name| *name != "or")
        .map(str::to_owned)
        .collect()
}

/// Whatever kind of output the help of a command names, it writes, well formed.
#[test]
fn every_kind_that_help_names_is_written() {
    let folder = folder(&[]);
    let mut tried = 0;
    for call in ANSWERED {
        let plain = decklaw(&words(call));
        let code = plain.status.code();
        assert!(matches!(code, Some(0 | 1)), "{call}: {}", told(&plain));
        let help = decklaw(&[&words(call)[..], &["--help"]].concat());
        let kinds = kinds_of(&String::from_utf8_lossy(&help.stdout));
        for kind in kinds {
            let file = folder.path().join("answer");
            let output = format!("{kind}={}", file.display());
            let call_of = [&words(call)[..], &["-o", &output, "--replace"]].concat();
            let output = decklaw(&call_of);
            assert_eq!(output.status.code(), code, "{call_of:?}: {}", told(&output));
            let bytes = std::fs::read(&file).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            // Where all is well there is nothing to annotate.
            assert!(!bytes.is_empty() || kind == "github", "{call_of:?}");
            let json = |text: &str| serde_json::from_str::<serde_json::Value>(text);
            match kind.as_str() {
                "json" => {
                    let document = json(&text).unwrap();
                    // A card is data; all else says what it is and what decided it.
                    let card = call.starts_with("cards show");
                    for member in ["inputs", "schema"] {
                        let there = document.get(member).is_some();
                        assert_eq!(there, !card, "{call_of:?}: {member}");
                    }
                }
                "ndjson" => {
                    let each = text.lines().map(json);
                    assert!(each.into_iter().all(|line| line.is_ok()), "{call_of:?}");
                }
                "csv" | "csv-excel" => {
                    let rows = csv::Reader::from_reader(&*bytes).into_records();
                    assert!(rows.into_iter().all(|row| row.is_ok()), "{call_of:?}");
                }
                "xlsx" => assert!(bytes.starts_with(b"PK"), "{call_of:?}"),
                "junit" => assert!(text.starts_with("<?xml"), "{call_of:?}: {text}"),
                "pdf" => assert!(bytes.starts_with(b"%PDF"), "{call_of:?}"),
                _ => {}
            }
            tried += 1;
        }
    }
    assert!(tried >= 50, "{tried}");
}
