//! What decks declare of themselves, from the outside: read, judged, mended, built, played.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// A game whose decks have a class and a size: of a class are the cards, and the size is how
/// many there are.
const GAME: &str = r#"
schema: decklaw/format/1
game: guild
name: Guild
text: An example
fields:
  - {name: class, kind: word, values: [rogue, seeker, mystic, neutral]}
  - {name: level, kind: number}
  - {name: classes, kind: list}
  - {name: allows, kind: query}
sections:
  - {id: head, name: head}
  - {id: main, name: main deck, shuffled: true}
choices:
  - {name: class, about: Whose cards the deck may have., values: [rogue, seeker, mystic]}
  - {name: size, about: How many cards it has., values: [3, 4, 5], default: 3}
formats:
  - {id: guild, name: Guild}
rules:
  - id: size
    source: p. 1
    about: As many cards as the deck says.
    must: {size: {sections: [main], exactly: size}}
    passes: "Choice: size=4\nMain\n4 Cloak\n"
    fails: "Main\n4 Cloak\n"
  - id: class
    source: p. 1
    about: Only cards of the class that the deck says, and neutral ones.
    must: {accept: {section: main, cards: "class:($class neutral)", because: the deck is of another class}}
    passes: "Choice: class=seeker\nMain\n1 Map\n"
    fails: "Choice: class=rogue\nMain\n1 Map\n"
  - id: offered
    source: p. 2
    about: The class is one that the head offers.
    must: {choice: {of: class, offered: {by: [head], field: classes}}}
    passes: "Choice: class=seeker\nHead\n1 Ann\n"
    fails: "Choice: class=mystic\nHead\n1 Ann\n"
  - id: heads
    source: p. 2
    about: There is one head.
    must: {size: {sections: [head], exactly: 1}}
  - id: mystic
    source: p. 3
    about: Mystics have a rune.
    when: {class: mystic}
    must: {size: {sections: [main], cards: 'name:Rune', min: 1, called: rune}}
    passes: "Main\n1 Rune\n"
    fails: "Main\n1 Cloak\n"
setups:
  - seats: {between: [2, 2]}
    decks: own
    sections: [main, head]
    zones:
      seat:
        deck: {seen: by-nobody, holds: main}
        head: {seen: by-all, holds: head}
    steps:
      - do: {first-player: {}}
      - do: {shuffle: {pile: deck}}
"#;

const CARDS: &str = "name,class,level,classes,allows\nAnn,neutral,,rogue;seeker,\nBob,neutral,,mystic,\nKnife,rogue,1,,\nCloak,neutral,0,,\nMap,seeker,1,,\nRune,mystic,1,,\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/guild");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("game.yaml"), GAME).unwrap();
    std::fs::write(own.join("cards.csv"), CARDS).unwrap();
    folder
}

fn decklaw(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(arguments)
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What `check` says of a deck, as JSON.
fn checked(folder: &Path, name: &str, deck: &str) -> Value {
    std::fs::write(folder.join(name), deck).unwrap();
    let run = decklaw(folder, &["check", name, "-o", "json"]);
    let said: Value = serde_json::from_slice(&run.stdout).unwrap();
    said["decks"][0].clone()
}

/// The findings as `severity rule line`.
fn findings(deck: &Value) -> Vec<String> {
    let each = deck["findings"].as_array().unwrap().iter();
    each.map(|finding| {
        let word = |key: &str| finding[key].as_str().unwrap().to_owned();
        format!("{} {} {}", word("severity"), word("rule"), finding["line"])
    })
    .collect()
}

#[test]
fn the_game_is_in_order_and_shows_what_decks_declare() {
    let folder = folder();
    let run = decklaw(
        folder.path(),
        &["formats", "check", "formats/guild/game.yaml"],
    );
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stdout));
    let shown = text(&decklaw(folder.path(), &["formats", "show", "guild"]).stdout);
    assert!(shown.contains("What a deck declares"), "{shown}");
    assert!(shown.contains("It is 3, 4 or 5. Without it: 3."), "{shown}");
    assert!(shown.contains("Mystics have a rune."), "{shown}");
    let told = text(&decklaw(folder.path(), &["explain", "guild/mystic"]).stdout);
    assert!(told.contains("at least 1 rune"), "{told}");
    // What waits for a choice is told as it is of a deck that makes one.
    let told = text(&decklaw(folder.path(), &["explain", "guild/class"]).stdout);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let waits = "It depends on the `class` (rogue, seeker or mystic) that the deck declares.";
    let then = "With `class=rogue`: the main deck takes only cards of class rogue or neutral";
    assert!(told.contains(waits) && told.contains(then), "{told}");
}

#[test]
fn a_deck_is_judged_by_what_it_declares() {
    let folder = folder();
    let check = |deck: &str| checked(folder.path(), "deck.txt", &format!("Format: guild\n{deck}"));
    let legal = check("Choice: class=rogue\n\nHead\n1 Ann\nMain\n2 Knife\n1 Cloak\n");
    assert_eq!(legal["verdict"], "legal", "{legal}");
    assert_eq!(legal["choices"]["class"], "rogue");
    // Pairs that differ in what is declared alone.
    let cases: [(&str, &str, &[&str]); 6] = [
        (
            "Choice: class=rogue\nChoice: size=4\n\nHead\n1 Ann\nMain\n2 Knife\n1 Cloak\n",
            "incomplete",
            &["error size null"],
        ),
        (
            "Choice: class=seeker\n\nHead\n1 Ann\nMain\n2 Knife\n1 Cloak\n",
            "illegal",
            &["error size null", "error class 7"],
        ),
        (
            "Choice: class=mystic\n\nHead\n1 Ann\nMain\n2 Rune\n1 Cloak\n",
            "illegal",
            &["error offered 2"],
        ),
        (
            // Three cards are the most, so that no card can be added.
            "Choice: class=mystic\n\nHead\n1 Bob\nMain\n3 Cloak\n",
            "illegal",
            &["error mystic null"],
        ),
        (
            "Choice: class=mystic\n\nHead\n1 Bob\nMain\n1 Rune\n2 Cloak\n",
            "legal",
            &[],
        ),
        (
            "\nHead\n1 Ann\nMain\n2 Knife\n1 Cloak\n",
            "incomplete",
            &["error class null"],
        ),
    ];
    for (deck, verdict, expected) in cases {
        let found = check(deck);
        assert_eq!(findings(&found), expected, "{deck}");
        assert_eq!(found["verdict"], verdict, "{deck}");
    }
    let undeclared = check("\nHead\n1 Ann\nMain\n2 Knife\n1 Cloak\n");
    let finding = &undeclared["findings"][0];
    assert_eq!(finding["code"], "accept.undeclared");
    assert_eq!(
        finding["message"],
        "the deck does not declare its `class`: rogue, seeker or mystic"
    );
    assert_eq!(
        finding["mend"],
        "write it among the headers, as in `Choice: class=rogue`"
    );
    let wrong = check("Choice: class=rouge\n\n3 Cloak\n");
    assert_eq!(
        (wrong["verdict"].as_str(), findings(&wrong)),
        (Some("unreadable"), vec!["error syntax 2".to_owned()])
    );
}

#[test]
fn choices_are_part_of_the_hash_in_every_file_format() {
    let folder = folder();
    let legal = "Format: guild\nChoice: class=rogue\nChoice: size=4\n\nHead\n1 Ann\nMain\n2 Knife\n2 Cloak\n";
    let hash = |name: &str, deck: &str| {
        checked(folder.path(), name, deck)["hash"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let own = hash("deck.txt", legal);
    // SHA-256 of the canonical JSON, choices first.
    let canonical = "decklaw/deck/1\0{\"choices\":{\"class\":\"rogue\",\"size\":\"4\"},\"format\":\"guild\",\"sections\":{\"head\":[[\"ann\",1]],\"main\":[[\"cloak\",2],[\"knife\",2]]}}";
    let digest: String =
        sha2::Digest::finalize(<sha2::Sha256 as sha2::Digest>::new_with_prefix(canonical))
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
    assert_eq!(own, digest);
    assert_ne!(own, hash("other.txt", &legal.replace("size=4", "size=5")));
    assert_ne!(
        own,
        hash("none.txt", &legal.replace("Choice: size=4\n", ""))
    );
    assert_eq!(
        own,
        hash(
            "order.txt",
            "Format: guild\nChoice: SIZE=4\nChoice: Class = Rogue\n\n2 cloak\n2 knife\nHead\n1 ann\n"
        )
    );
    for kind in ["text", "yaml", "json", "csv", "cod"] {
        let name = format!("again.{}", if kind == "text" { "txt" } else { kind });
        let run = decklaw(
            folder.path(),
            &["convert", "deck.txt", "--to-format", kind, "--to", &name],
        );
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        let run = decklaw(
            folder.path(),
            &["check", &name, "--format", "guild", "-o", "json"],
        );
        let said: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(said["decks"][0]["hash"], own.as_str(), "{kind}");
    }
    let list = decklaw(
        folder.path(),
        &[
            "convert",
            "deck.txt",
            "--to-format",
            "list",
            "--section",
            "main",
        ],
    );
    assert!(
        text(&list.stderr).contains("Choice"),
        "{}",
        text(&list.stderr)
    );
    // People and spreadsheets see them, too.
    let human = text(&decklaw(folder.path(), &["check", "deck.txt"]).stdout);
    assert!(
        human.contains("class: rogue") && human.contains("size: 4"),
        "{human}"
    );
    let table = text(
        &decklaw(
            folder.path(),
            &["check", "deck.txt", "-o", "csv", "--summary"],
        )
        .stdout,
    );
    assert!(table.contains("class=rogue; size=4"), "{table}");
}

#[test]
fn a_repair_may_declare_something_else() {
    let folder = folder();
    let fixed = |deck: &str| -> Value {
        std::fs::write(
            folder.path().join("deck.txt"),
            format!("Format: guild\n{deck}"),
        )
        .unwrap();
        let run = decklaw(folder.path(), &["fix", "deck.txt", "-o", "json"]);
        serde_json::from_slice(&run.stdout).unwrap()
    };
    // One word, or two cards out and two in.
    let found = fixed("Choice: class=seeker\n\nHead\n1 Ann\nMain\n2 Knife\n1 Cloak\n");
    assert_eq!(
        (&found["distance"], &found["optimal"]),
        (&1.into(), &true.into()),
        "{found}"
    );
    let choices = found["choices"].as_array().unwrap();
    assert_eq!(choices.len(), 1);
    assert_eq!(
        (&choices[0]["from"], &choices[0]["to"]),
        (&"seeker".into(), &"rogue".into())
    );
    assert_eq!(found["after"]["verdict"], "legal");
    // What is not declared at all.
    let found = fixed("\nHead\n1 Ann\nMain\n2 Map\n1 Cloak\n");
    assert_eq!(found["distance"], 1, "{found}");
    assert_eq!(found["choices"][0]["to"], "seeker");
    // A card and a word.
    let found = fixed("Choice: class=rogue\n\nHead\n1 Ann\nMain\n3 Knife\n1 Map\n");
    assert_eq!(
        (&found["distance"], &found["optimal"]),
        (&1.into(), &true.into()),
        "{found}"
    );
    // The file is changed where the choice stands.
    std::fs::write(
        folder.path().join("deck.txt"),
        "# mine\nFormat: guild\nChoice: class=seeker # no\n\nHead\n1 Ann\nMain\n3 Knife\n",
    )
    .unwrap();
    let run = decklaw(folder.path(), &["fix", "deck.txt", "--write"]);
    assert_eq!(
        run.status.code(),
        Some(1),
        "a comment is no part of a value: {}",
        text(&run.stdout)
    );
    std::fs::write(
        folder.path().join("deck.txt"),
        "# mine\nFormat: guild\nChoice: class=seeker\n\nHead\n1 Ann\nMain\n3 Knife\n",
    )
    .unwrap();
    let run = decklaw(folder.path(), &["fix", "deck.txt", "--write"]);
    let said = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{said}");
    assert!(
        said.contains("1 choice to change, and no fewer will do"),
        "{said}"
    );
    assert!(
        said.contains("- Choice: class=seeker") && said.contains("+ Choice: class=rogue"),
        "{said}"
    );
    assert_eq!(
        std::fs::read_to_string(folder.path().join("deck.txt")).unwrap(),
        "# mine\nFormat: guild\nChoice: class=rogue\n\nHead\n1 Ann\nMain\n3 Knife\n"
    );
}

#[test]
fn a_deck_is_built_with_choices() {
    let folder = folder();
    let built = |arguments: &[&str]| -> Value {
        let all = [&["build", "guild", "-o", "json"], arguments].concat();
        let run = decklaw(folder.path(), &all);
        serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{}", text(&run.stderr)))
    };
    let deck = built(&[]);
    assert_eq!(deck["after"]["verdict"], "legal", "{deck}");
    assert_eq!(
        deck["deck"]["choices"]["class"], "rogue",
        "the first that will do: {deck}"
    );
    let deck = built(&["--wish", "2+ [\"Map\"]"]);
    assert_eq!(deck["deck"]["choices"]["class"], "seeker", "{deck}");
    std::fs::write(folder.path().join("deck.txt"), "Format: guild\n3 Cloak\n").unwrap();
    let run = decklaw(
        folder.path(),
        &["check", "deck.txt", "--set", "class=rogue"],
    );
    assert!(
        text(&run.stderr).contains("Choice: class=rogue"),
        "{}",
        text(&run.stderr)
    );
}

#[test]
fn a_match_keeps_what_a_deck_declares() {
    let folder = folder();
    let deck = "Format: guild\nChoice: class=rogue\n\nHead\n1 Ann\nMain\n2 Knife\n1 Cloak\n";
    let hash = checked(folder.path(), "deck.txt", deck)["hash"].clone();
    let run = decklaw(
        folder.path(),
        &[
            "match",
            "new",
            "guild",
            "--deck",
            "deck.txt",
            "--deck",
            "deck.txt",
            "--seed",
            "qorvith-blenska-uthmar-x",
            "--to",
            "match.json",
        ],
    );
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let file = std::fs::read_to_string(folder.path().join("match.json")).unwrap();
    let json: Value = serde_json::from_str(&file).unwrap();
    let seat = &json["inputs"]["seats"][0]["deck"];
    assert_eq!(seat["choices"]["class"], "rogue", "{file}");
    assert_eq!(seat["hash"], hash);
    let run = decklaw(folder.path(), &["match", "verify", "match.json"]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stdout));
    std::fs::write(
        folder.path().join("match.json"),
        file.replace("rogue", "seeker"),
    )
    .unwrap();
    let run = decklaw(folder.path(), &["match", "verify", "match.json"]);
    assert_ne!(run.status.code(), Some(0), "another choice is another deck");
}

#[test]
fn a_format_file_with_wrong_choices_is_refused_at_the_place() {
    for (from, to, told) in [
        ("of: class", "of: clas", "no choice `clas`"),
        (
            "when: {class: mystic}",
            "when: {class: wizard}",
            "no setting or choice can stand so",
        ),
        (
            "class:($class neutral)",
            "class:($clas neutral)",
            "no choice `clas`",
        ),
        ("default: 3", "default: 2", "is never `2`"),
        (
            "name: size, about",
            "name: class, about",
            "stands here twice",
        ),
        (
            "values: [rogue, seeker, mystic]}",
            "values: [rogue, seeker, mystic, wizard]}",
            "`class` is never `wizard`",
        ),
        ("exactly: size", "exactly: class", "is a word, not a number"),
        (
            "Choice: size=4",
            "Choice: size=6",
            "this example is no deck",
        ),
    ] {
        let folder = folder();
        let path = folder.path().join("formats/guild/game.yaml");
        assert!(GAME.contains(from), "{from}");
        std::fs::write(&path, GAME.replacen(from, to, 1)).unwrap();
        let run = decklaw(
            folder.path(),
            &["formats", "check", "formats/guild/game.yaml"],
        );
        let said = text(&run.stdout);
        assert_eq!(run.status.code(), Some(1), "{to}: {said}");
        assert!(said.contains(told), "{to}: {said}");
    }
}

/// Grove decks may declare a hundred different things, more than are tried: what is left out
/// changes several choices, and one copy is fewer.
#[test]
fn ways_to_declare_that_cost_more_need_not_be_tried_for_a_proof() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for deck in ["by_bad", "within_bad", "disjoint_bad"] {
        let run = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .current_dir(root)
            .env("DECKLAW_CONFIG", "tests/cases/configuration")
            .args(["fix", &format!("tests/cases/grove/{deck}.txt")])
            .output()
            .unwrap();
        let said = text(&run.stdout);
        let proof = "1 copy to change, and no fewer will do";
        assert!(said.contains(proof), "{said}");
    }
}

/// A number of which there are many is not tried to the last: what was not tried is no proof that
/// there is none.
#[test]
fn numbers_that_were_not_all_tried_prove_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/heap");
    std::fs::create_dir_all(&own).unwrap();
    let cards = "name\nStone\nPebble\n";
    std::fs::write(own.join("cards.csv"), cards).unwrap();
    let deck = folder.path().join("deck.txt");
    std::fs::write(&deck, "Format: heap\nMain\n1 Stone\n").unwrap();
    let run = |arguments: &[&str]| {
        let run = decklaw(folder.path(), arguments);
        let told = text(&run.stdout) + &text(&run.stderr);
        (run.status.code(), told)
    };
    for (bounds, least) in [("", 1), ("", 63), ("", 5_000), (", min: 1, max: 300", 200)] {
        let game = format!(
            "schema: decklaw/format/1
game: heap
name: Heap
text: none
sections: [{{id: main, name: main deck}}]
choices: [{{name: weight, about: How heavy it is.{bounds}}}]
formats: [{{id: heap, name: Heap}}]
rules:
  - {{id: heavy, source: p, about: It is heavy., must: {{choice: {{of: weight}}}}}}
  - {{id: only, source: p, about: Of one weight., must: {{choice: {{of: weight, among: [{least}]}}}}}}
"
        );
        std::fs::write(own.join("game.yaml"), game).unwrap();
        let (_, told) = run(&["fix", "deck.txt"]);
        assert!(!told.contains("No such deck exists"), "{least}: {told}");
        let (_, told) = run(&["formats", "check", "formats/heap"]);
        assert!(
            !told.contains("no deck over these cards"),
            "{least}: {told}"
        );
        std::fs::write(
            &deck,
            format!("Format: heap\nChoice: weight={least}\nMain\n1 Stone\n"),
        )
        .unwrap();
        let (status, told) = run(&["check", "deck.txt"]);
        assert_eq!(status, Some(0), "{least}: {told}");
        std::fs::write(&deck, "Format: heap\nMain\n1 Stone\n").unwrap();
        if least < 64 {
            let (status, told) = run(&["fix", "deck.txt"]);
            assert!(
                told.contains(&format!("weight={least}")),
                "{status:?} {least}: {told}"
            );
        }
    }
}
