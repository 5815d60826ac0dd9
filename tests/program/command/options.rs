//! The options of every command, and how values are refused.

use super::{folder, root};
use std::collections::BTreeSet;
use std::process::Output;

fn decklaw(arguments: &[&str]) -> Output {
    super::decklaw(root(), arguments)
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The options of each command besides those that all have: its own, and the groups that it takes.
const OPTIONS: &[(&str, &str, &[&str])] = &[
    (
        "check",
        "from only summary submissions columns deadline zone dates late",
        &[JUDGING, OUTPUT],
    ),
    ("stream", "brief", &[JUDGING]),
    (
        "fix",
        "from write keep only own effort proof",
        &[JUDGING, OUTPUT],
    ),
    ("room", "from effort", &[JUDGING, OUTPUT]),
    ("swap", "from write effort", &[JUDGING, OUTPUT]),
    (
        "build",
        "from wish prefer own for turn seed effort proof locked",
        &[RULES, SET, OUTPUT],
    ),
    ("edit", "no-open", &[JUDGING]),
    (
        "odds",
        "from hand turns section given keep-hand policy draws expect path event seat deal seed svg show-work effort",
        &[JUDGING, OUTPUT],
    ),
    (
        "tune",
        "from changes keep only wish own turn keep-hand hand policy effort proof",
        &[JUDGING, OUTPUT],
    ),
    ("stats", "from section svg", &[JUDGING, OUTPUT]),
    ("convert", "to-format from section to replace", &[JUDGING]),
    (
        "print",
        "from only paper backs pictures sheet",
        &[JUDGING, OUTPUT],
    ),
    (
        "match new",
        "deck player option allow-illegal seed decide count",
        &[JUDGING, OUTPUT],
    ),
    ("match decide", "seal", &[RULES, OUTPUT]),
    ("match view", "seat no-local", &[OUTPUT]),
    ("match show", "no-local", &[OUTPUT]),
    ("match sheet", "no-local", &[OUTPUT]),
    ("match verify", "", &[RULES, OUTPUT]),
    ("match next", "won seed no-local", &[OUTPUT]),
    ("match play", "no-open", &[JUDGING]),
    (
        "match export",
        "tabletop-simulator image-base-url replace",
        &[RULES],
    ),
    ("explain", "", &[JUDGING, OUTPUT]),
    ("cards list", "", &[POOL, OUTPUT]),
    ("cards show", "", &[POOL, OUTPUT]),
    ("cards check", "format no-local", &[OUTPUT]),
    ("cards template", "pool", &[POOL, OUTPUT]),
    ("cards export", "cockatrice", &[POOL, OUTPUT]),
    ("formats list", "no-local", &[OUTPUT]),
    ("formats show", "locked", &[RULES, SET, OUTPUT]),
    ("formats check", "", &[OUTPUT]),
    ("formats new", "", &[]),
    ("banlist list", "as-of no-local", &[OUTPUT]),
    ("banlist show", "as-of no-local", &[OUTPUT]),
    ("banlist check", "", &[POOL, OUTPUT]),
    ("banlist diff", "no-local", &[OUTPUT]),
    ("banlist fetch", "all timeout offline no-local", &[OUTPUT]),
    ("banlist lock", "format", &[RULES, SET, OUTPUT]),
    (
        "serve",
        "port open listen public-url data event",
        &[RULES, SET],
    ),
    ("publish", "engine replace", &[RULES, SET]),
    (
        "event new",
        "name deadline zone late players format",
        &[RULES, SET],
    ),
    ("event import", "yes players columns dates at", &[OUTPUT]),
    ("event status", "", &[OUTPUT]),
    ("event print", "only", &[OUTPUT]),
    ("event export", "only decks", &[OUTPUT]),
    ("event decide", "why by", &[OUTPUT]),
    ("event check", "dry", &[OUTPUT]),
    ("event stats", "verdict", &[OUTPUT]),
    ("completions", "", &[OUTPUT]),
    ("man", "", &[OUTPUT]),
];

const JUDGING: &str = "format cards banlist as-of set locked no-local";
const RULES: &str = "cards banlist as-of no-local";
const SET: &str = "set";
const POOL: &str = "format cards no-local";
const OUTPUT: &str = "output to replace";
/// What every command has.
const COMMON: &str = "color quiet verbose help";

#[test]
fn every_command_has_the_options_of_the_interface_and_no_others() {
    let mut command = decklaw::cli::command();
    command.build();
    let mut found = Vec::new();
    leaves(&command, "", &mut found);
    let mut known: Vec<(String, BTreeSet<String>)> = OPTIONS
        .iter()
        .map(|(name, own, groups)| {
            let words = [*own, COMMON].into_iter().chain(groups.iter().copied());
            let words = words.flat_map(str::split_whitespace);
            ((*name).to_owned(), words.map(str::to_owned).collect())
        })
        .collect();
    known.sort();
    found.sort();
    let names = |all: &[(String, _)]| all.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&found), names(&known));
    for (found, known) in found.iter().zip(&known) {
        assert_eq!(found, known);
    }
}

/// The commands without commands of their own, with the names of their options.
fn leaves(command: &clap::Command, words: &str, found: &mut Vec<(String, BTreeSet<String>)>) {
    for inner in command.get_subcommands() {
        let name = format!("{words} {}", inner.get_name());
        if inner.get_name() == "help" {
            continue;
        } else if inner.has_subcommands() {
            leaves(inner, &name, found);
        } else {
            let options = inner.get_arguments().filter_map(clap::Arg::get_long);
            let options = options.map(str::to_owned).collect();
            found.push((name.trim().to_owned(), options));
        }
    }
}

#[test]
fn options_of_another_way_to_work_are_refused() {
    let deck = "decks/shell/ebb.txt";
    for (arguments, named) in [
        (&["check", deck, "--summary"][..], "--summary"),
        (&["stream", "-o", "ndjson"], "-o"),
        (&["stream", "--deadline", "2026-03-01T18:00"], "--deadline"),
        (&["stream", "--columns", "player=Name"], "--columns"),
        (
            &["check", deck, "-o", "json=a.json", "--to", "b.json"],
            "--to",
        ),
        (&["odds", deck, "--hand", "5", "--seat", "B"], "--seat"),
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
            assert!(message.contains(named), "{message}");
            assert!(output.stdout.is_empty() || more[0] != "--set", "{call:?}");
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
fn a_wrong_value_is_refused_with_what_is_wanted() {
    let deck = "decks/shell/ebb.txt";
    for (arguments, wanted) in [
        (&["check", deck, "--as-of", "22.11.2026"][..], "YYYY-MM-DD"),
        (&["check", deck, "--as-of", "2026-02-30"], "YYYY-MM-DD"),
        (&["odds", deck, "--hand", "seven"], "--hand"),
        (
            &["odds", deck, "--policy", "shuffle 2"],
            "`shuffle 2` is not `none`",
        ),
        (&["odds", deck, "--seat", "first"], "A or 1"),
        (&["check", deck, "--set", "min"], "NAME=VALUE"),
        (&["check", deck, "--set", "mim=1"], "did you mean min"),
        (
            &["check", "--submissions", "x.csv", "--deadline", "1.3.2026"],
            "2026-03-01T18:00",
        ),
        (&["check", deck, "-o", "yaml"], "human, json, ndjson"),
        (
            &["check", deck, "-o", "verdicts.docx"],
            "human, json, ndjson",
        ),
        (&["check", deck, "-o", "csv="], "KIND=FILE"),
    ] {
        let output = decklaw(arguments);
        let message = told(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(wanted), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn who_names_no_command_gets_a_suggestion() {
    for (arguments, suggestion) in [
        (&["decks/shell/ebb.txt"][..], "check decks/shell/ebb.txt"),
        (&["no-such-deck.txt"], "check no-such-deck.txt"),
        (&["chek", "deck.txt"], "check"),
        (&["help", "chek"], "check"),
    ] {
        let output = decklaw(arguments);
        let message = told(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(suggestion), "{arguments:?}: {message}");
    }
    for name in ["validate", "verify", "lint"] {
        let output = decklaw(&[name, "decks/shell/ebb.txt"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", told(&output));
    }
}

#[test]
fn the_ending_of_a_file_says_its_kind_and_what_is_written_is_reported() {
    let folder = folder(&[("deck.txt", b"Format: any\n\n3 Ant\n")]);
    let decklaw = |arguments: &[&str]| super::decklaw(folder.path(), arguments);
    let files = ["v.csv", "v.json", "v.ndjson", "v.xlsx", "v.xml", "v.txt"];
    for file in files {
        let output = decklaw(&["check", "deck.txt", "-o", file]);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        assert!(told(&output).contains(&format!("wrote {file}")));
        // The summary stays on the screen.
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 deck"));
    }
    let starts = |file: &str, start: &[u8]| {
        let bytes = std::fs::read(folder.path().join(file)).expect("it was written");
        assert!(bytes.starts_with(start), "{file}");
    };
    starts("v.csv", b"deck,");
    starts("v.json", b"{\n");
    starts("v.ndjson", b"{\"schema\"");
    starts("v.xlsx", b"PK");
    starts("v.xml", b"<?xml");
    starts("v.txt", "✓ deck.txt".as_bytes());
    let again = decklaw(&["check", "deck.txt", "-o", "v.csv"]);
    assert_eq!(again.status.code(), Some(2), "{}", told(&again));
    let quiet = decklaw(&["-q", "check", "deck.txt", "-o", "v.csv", "--replace"]);
    assert!(quiet.stdout.is_empty() && quiet.stderr.is_empty());
    let fixed = decklaw(&["build", "vastrix", "--to", "fixed.txt"]);
    assert!(told(&fixed).contains("wrote fixed.txt"));
}

#[test]
fn a_folder_without_a_deck_is_refused() {
    let folder = folder(&[("README.md", b"nothing")]);
    for path in [".", "*.txt"] {
        let output = super::decklaw(folder.path(), &["check", path]);
        assert_eq!(output.status.code(), Some(2), "{path}: {}", told(&output));
        assert!(output.stdout.is_empty(), "{path}");
    }
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
