//! `formats check` on a game of one's own: the files beside the format file count too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::decklaw;
use std::path::Path;

/// A copy of a built-in game, one of its files changed.
fn checked(file: &str, from: &str, to: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats/shell");
    for entry in std::fs::read_dir(game).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let changed = folder.path().join(file);
    let text = std::fs::read_to_string(&changed).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(&changed, text.replacen(from, to, 1)).unwrap();
    let run = decklaw(folder.path(), &["formats", "check", "game.yaml"]);
    (run.status.code(), String::from_utf8(run.stdout).unwrap())
}

#[test]
fn every_file_of_a_game_is_checked_with_its_place() {
    let (status, said) = checked("stats.yaml", "sections", "sections");
    assert_eq!(status, Some(0), "{said}");
    let files: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(
        files,
        [
            "game.yaml",
            "stats.yaml",
            "odds.yaml",
            "taste.yaml",
            "paper.yaml"
        ]
    );
    for (file, from, to, blamed, word) in [
        (
            "stats.yaml",
            "sections:",
            "section:",
            "section: [main]",
            "section",
        ),
        (
            "stats.yaml",
            "[main]",
            "[mian]",
            "mian]",
            "no section `mian`",
        ),
        (
            "stats.yaml",
            "id: colours",
            "id: curve",
            "curve, name: Colours",
            "twice",
        ),
        (
            "stats.yaml",
            ", count: mana",
            "",
            "curve, name",
            "needs a `count`",
        ),
        (
            "stats.yaml",
            "count: mana",
            "count: manna",
            "manna",
            "no field `manna`",
        ),
        (
            "stats.yaml",
            "sum: mana",
            "sum: colour",
            "colour",
            "is no number",
        ),
        ("stats.yaml", "type:spell", "tpye:spell", "\"tpye", "tpye"),
        (
            "odds.yaml",
            "section: main",
            "section: mian",
            "mian",
            "no section `mian`",
        ),
        ("odds.yaml", "presets:", "preset:", "preset:", "preset"),
        (
            "odds.yaml",
            "query: ",
            "query: 1+ [manna<3] or ",
            "1+ [manna",
            "manna",
        ),
        ("odds.yaml", "query: ", "query: 1+ [ or ", "1+ [ or", ""),
        (
            "paper.yaml",
            "{mana}",
            "{manna}",
            "\"{manna}",
            "did you mean mana?",
        ),
        ("paper.yaml", "{mana}", "{mana", "\"{mana\"", "has no `}`"),
        (
            "paper.yaml",
            "#b3261e",
            "red",
            "{red: \"red\"",
            "a colour is six digits",
        ),
        (
            "paper.yaml",
            "by: colour",
            "by: color",
            "color",
            "no field `color`",
        ),
        ("paper.yaml", "type:shell", "tpye:shell", "\"tpye", "tpye"),
        (
            "paper.yaml",
            "size: 18",
            "size: 1800",
            "1800",
            "from 4 to 150",
        ),
    ] {
        let (status, said) = checked(file, from, to);
        assert_eq!(status, Some(1), "{to}: {said}");
        let place = said
            .lines()
            .find(|line| line.starts_with(&format!("{file}:")));
        let place = place.unwrap_or_else(|| panic!("{to}: {said}"));
        assert!(place.contains(word), "{to}: {said}");
        // The marks stand under what is to blame.
        let lines: Vec<&str> = said.lines().collect();
        let marks = lines
            .iter()
            .position(|line| line.trim_start().starts_with('^'));
        let marks = marks.unwrap_or_else(|| panic!("{to}: {said}"));
        let column = lines[marks].find('^').unwrap();
        assert!(
            lines[marks - 1][column..].starts_with(blamed),
            "{to}: {said}"
        );
    }
}

#[test]
fn what_no_card_has_is_told_in_every_file_with_its_place() {
    for (file, from, to, told) in [
        (
            "odds.yaml",
            "mana<=2]",
            "mana<=2 colour:gren]",
            "no card has the `colour` `gren`; did you mean `green`?",
        ),
        (
            "odds.yaml",
            "expect: sum(mana)",
            "expect: 'sum(mana) [mana>=77]'",
            "no card has `mana>=77`; cards have 0 to",
        ),
        (
            "odds.yaml",
            "[type:spell mana>=1 mana<=2]",
            "[type:shell mana>=1]",
            "no card is in `[type:shell mana>=1]`",
        ),
        (
            "taste.yaml",
            "main: 8+ [colour:red]",
            "main: 8+ [colour:rde]",
            "did you mean `red`?",
        ),
        (
            "stats.yaml",
            "type:spell colour:green",
            "type:spell colour:geen",
            "did you mean `green`?",
        ),
        (
            "paper.yaml",
            "type:shell",
            "type:shell Gtae",
            "no card's name holds `gtae`; did you mean `gate`?",
        ),
    ] {
        let (status, said) = checked(file, from, to);
        // None of it is wrong: a pool may lag behind its files.
        assert_eq!(status, Some(0), "{to}: {said}");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats/shell");
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let line = text[..text.find(from).unwrap()].lines().count();
        let place = format!("{file}:{line}:");
        let notice = said.lines().find(|line| line.starts_with(&place));
        let notice = notice.unwrap_or_else(|| panic!("{place} {said}"));
        assert!(notice.contains("notice: in the query `"), "{notice}");
        assert!(notice.contains(told), "{notice}");
    }
    // What cannot be asked at all is wrong.
    for (from, to, told) in [
        (
            "main: 8+ [colour:red]",
            "main: 8+ [color:red]",
            "no field `color`",
        ),
        (
            "main: 8+ [colour:red]",
            "mian: 8+ [colour:red]",
            "no section `mian`",
        ),
        (
            "main: 8+ [colour:red]",
            "main: 8+ [colour:red",
            "never closed",
        ),
    ] {
        let (status, said) = checked("taste.yaml", from, to);
        assert_eq!(status, Some(1), "{to}: {said}");
        assert!(said.contains(told), "{to}: {said}");
    }
}

#[test]
fn what_no_card_has_is_told_of_a_setup_too() {
    let setup = "setups:\n  - seats: {between: [1, 1]}\n    decks: own\n    sections: [main]\n    records: {cost: {of: 'kind:QUERY'}}\n    zones: {seat: {pile: {seen: by-nobody, holds: main}}}\n    steps: [{do: {shuffle: {pile: pile}}}]\n";
    let check = |query: &str| {
        let folder = own_game(
            &format!("{TOY}{}", setup.replace("QUERY", query)),
            TOY_CARDS,
        );
        let run = decklaw(
            folder.path(),
            &["formats", "check", "formats/toy/game.yaml"],
        );
        String::from_utf8(run.stdout).unwrap()
    };
    assert!(!check("tree").contains("notice"), "{}", check("tree"));
    let said = check("tre");
    assert!(
        said.contains(":14:") && said.contains("notice: in the query `kind:tre`"),
        "{said}"
    );
    assert!(said.contains("did you mean `tree`?"), "{said}");
    let said = check("tree brid:2");
    assert!(
        said.contains("no field `brid`") && said.contains("^"),
        "{said}"
    );
}

#[test]
fn how_matches_start_is_told_to_who_starts_one() {
    let (status, said) = checked("game.yaml", "deck: {seen", "dekc: {seen");
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("the zone `deck`, which is not there"),
        "{said}"
    );

    // Judging a deck does not ask for it.
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = folder.path().join("formats/shell");
    std::fs::create_dir_all(&own).unwrap();
    for file in ["game.yaml", "cards.csv"] {
        let text = std::fs::read_to_string(root.join("formats/shell").join(file)).unwrap();
        std::fs::write(
            own.join(file),
            text.replacen("deck: {seen", "dekc: {seen", 1),
        )
        .unwrap();
    }
    let deck = root.join("decks/shell/ash-and-acorn.txt");
    let deck = deck.to_str().unwrap();
    let run = decklaw(folder.path(), &["check", deck]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    let run = decklaw(
        folder.path(),
        &["match", "new", "shell", "--deck", deck, "--deck", deck],
    );
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{said}");
    assert!(
        said.contains("the zone `deck`, which is not there"),
        "{said}"
    );
}

#[test]
fn a_section_that_no_deck_has_is_no_row_of_zeros() {
    let folder = tempfile::tempdir().unwrap();
    let deck = "Format: any\n\nRoad\n1 Moss\n\nWeather\n2 Fog\n";
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let counts = |section| decklaw(folder.path(), &["stats", "deck.txt", "--section", section]);
    let run = counts("weather");
    assert_eq!(run.status.code(), Some(0));
    let run = counts("Wether");
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(
        said.contains("no section `Wether`; it has road and weather"),
        "{said}"
    );
}

/// A game of one's own in a folder: its format file and its cards.
fn own_game(game: &str, cards: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/toy");
    std::fs::create_dir_all(&own).unwrap();
    let head = "schema: decklaw/format/1\ngame: toy\nname: Toy\ntext: none\n";
    std::fs::write(own.join("game.yaml"), format!("{head}{game}")).unwrap();
    std::fs::write(own.join("cards.csv"), cards).unwrap();
    folder
}

const TOY: &str = "fields:
  - {name: kind, kind: word}
  - {name: cost, kind: number}
sections: [{id: main, name: main deck, shuffled: true}, {id: side, name: side deck}]
formats: [{id: toy, name: Toy}]
";

const TOY_CARDS: &str = "name,kind,cost\nAsh,tree,1\nElm,tree,2\nRook,bird,3\n";

/// The rules of a toy game, one a line, each `must` in braces.
fn rules(rules: &[&str]) -> String {
    let rule = |must: &&str| format!("  - {{id: only, source: s, about: a, {must}}}\n");
    let rules: String = rules.iter().map(rule).collect();
    format!("{TOY}rules:\n{rules}")
}

#[test]
fn rules_of_one_id_are_all_asked_whatever_their_kinds() {
    let game = rules(&[
        "must: {accept: {section: main, cards: 'kind:tree', because: only trees grow}}",
        "must: {size: {sections: [main], min: 3}}",
        "must: {copies: {sections: [main], max: 1}}",
    ]);
    let folder = own_game(&game, TOY_CARDS);
    let deck = "Format: toy\nMain\n2 Ash\n1 Rook\n";
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "csv"]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("only trees grow"), "{said}");
    assert!(said.contains("must have at least 3 cards"), "{said}");
    assert!(said.contains("2 copies of `Ash`"), "{said}");
}

#[test]
fn a_rule_that_cannot_do_its_work_is_refused() {
    for (must, blamed) in [
        (
            "must: {size: {sections: [main], min: 5, max: 4}}",
            "cannot both be",
        ),
        ("must: {size: {sections: [main]}}", "needs a number"),
        (
            "must: {size: {sections: [main], min: 0}}",
            "no deck can ever fail",
        ),
        (
            "must: {size: {sections: [], min: 1}}",
            "`sections` names none",
        ),
        (
            "must: {size: {sections: [main], min: {of: [main], field: csot}}}",
            "no field `csot`; did you mean `cost`?",
        ),
        (
            "if: {not: {sections: [side]}, sections: [main]}, must: {size: {sections: [main], min: 1}}",
            "`not` stands alone",
        ),
        (
            "must: {values: {sections: [main], field: kind, mode: any, min: 1}}",
            "there is a `max` and nothing else",
        ),
        (
            "must: {total: {sections: [main], max: 1, parts: [{cards: 'kind:tree'}]}}",
            "needs what a card counts",
        ),
        (
            "must: {size: {sections: [main], max: -1}}",
            "no deck can ever pass",
        ),
        (
            "must: {size: {sections: [main], cards: 'kind:fish', min: 1, called: fish}}",
            "no fish is in the pool, so no deck can ever pass",
        ),
        (
            "must: {avoid: {sections: [main], cards: 'kind:fish', because: b}}",
            "can never fail",
        ),
        (
            "must: {accept: {section: main, cards: 'kind:fish', because: b}}",
            "takes no card",
        ),
        (
            "must: {accept: {section: main, cards: '-kind:fish', because: b}}",
            "can never fail",
        ),
        (
            "must: {disjoint: {sections: [main], from: [main, side]}}",
            "kept apart from itself",
        ),
        (
            "must: {copies: {sections: [main], max: 3, weight: kind}}",
            "does not hold a whole number",
        ),
        (
            "must: {matching: {sections: [main], field: cost, by: side, among: kind}}",
            "does not hold a word",
        ),
        (
            "must: {permitted: {sections: [main], by: side, field: kind}}",
            "does not hold a card query",
        ),
        (
            "must: {size: {sections: [main], min: 2}}, passes: \"Main\\n1 Ash\\n\"",
            "is to pass, and it does not: the main deck must have at least 2 cards; there is 1",
        ),
        (
            "must: {size: {sections: [main], min: 2}}, fails: \"Main\\n2 Ash\\n\"",
            "is to fail, and it passes",
        ),
        (
            "must: {size: {sections: [main], min: 2}}, fails: \"Main\\n1 Oak\\n\"",
            "no card of the pool is called `Oak`",
        ),
        (
            "must: {size: {sections: [main], min: 2}}, fails: \"Main\\nOne Ash\\n\"",
            "is no deck",
        ),
    ] {
        let folder = own_game(&rules(&[must]), TOY_CARDS);
        let run = decklaw(
            folder.path(),
            &["formats", "check", "formats/toy/game.yaml"],
        );
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(1), "{must}: {said}");
        assert!(said.contains(blamed), "{must}: {said}");
        assert!(!said.contains("in order"), "{must}: {said}");
    }
    let good = "must: {size: {sections: [main], min: 2}}, passes: \"Main\\n2 Ash\\n\", fails: \"Main\\n1 Ash\\n\"";
    let folder = own_game(&rules(&[good]), TOY_CARDS);
    let run = decklaw(
        folder.path(),
        &["formats", "check", "formats/toy/game.yaml"],
    );
    assert_eq!(run.status.code(), Some(0), "{run:?}");
}

#[test]
fn settings_that_contradict_each_other_are_no_rules() {
    let deck = "Format: vainqueur\nMain\n3 Clock Heron\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let call = ["check", "deck.txt", "--set", "min=60", "--set", "max=50"];
    let run = decklaw(folder.path(), &call);
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{said}");
    assert!(said.contains("at least 60 and at most 50"), "{said}");
}

#[test]
fn lines_of_card_files_are_counted_alike_however_they_end() {
    for ending in ["\n", "\r\n"] {
        let cards = [
            "name,kind,cost",
            "Ash,tree,1",
            "",
            "Elm,tree,many",
            "Ash,tree,2",
            "Oak,tree",
        ];
        let folder = own_game(&rules(&[]).replace("rules:\n", ""), &cards.join(ending));
        let file = "formats/toy/cards.csv";
        let run = decklaw(folder.path(), &["cards", "check", file, "--format", "toy"]);
        let said = String::from_utf8([run.stdout, run.stderr].concat()).unwrap();
        for line in [
            "line 4, column `cost`: `many`",
            "line 5, column `name`: `Ash` stands on line 2",
            "line 6: 2 cells",
        ] {
            assert!(said.contains(line), "{ending:?}: {said}");
        }
    }
}

#[test]
fn a_game_says_which_format_its_id_alone_means() {
    let formats = |default: &str| {
        format!(
            "sections: [{{id: main, name: main deck}}]\n{default}formats: [{{id: toy/a, name: A}}, {{id: toy/b, name: B}}]\n"
        )
    };
    let deck = "Format: toy\nMain\n1 Ash\n";
    for (default, status, told) in [("default: toy/b\n", 0, "toy/b"), ("", 1, "did you mean")] {
        let folder = own_game(&formats(default), "name\nAsh\n");
        std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
        let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(status), "{said}");
        assert!(said.contains(told), "{said}");
    }
    let folder = own_game(&formats("default: toy/c\n"), "name\nAsh\n");
    let run = decklaw(
        folder.path(),
        &["formats", "check", "formats/toy/game.yaml"],
    );
    assert_eq!(run.status.code(), Some(1));
    assert!(
        String::from_utf8(run.stdout)
            .unwrap()
            .contains("no format `toy/c`")
    );
}

#[test]
fn one_unknown_card_is_one_error_and_at_most_one_notice_however_many_rules_ask_about_it() {
    let spent = "must: {budget: {sections: [main], start: 9, spend: {cards: 'kind:bird', field: cost, called: points}, refund: {cards: 'name:Elm', field: cost, called: elms}, remainder: 9}}";
    let birds = "must: {size: {sections: [main], cards: 'kind:bird', called: bird, max: 0}}";
    let told = |rules_of_toy: &[String], deck: &str, asked: &[&str]| -> Vec<[String; 4]> {
        let game = format!("{TOY}rules:\n{}", rules_of_toy.concat());
        let folder = own_game(&game, TOY_CARDS);
        std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
        let mut call = vec!["check", "deck.txt", "-o", "json"];
        call.extend_from_slice(asked);
        let run = decklaw(folder.path(), &call);
        let said = String::from_utf8(run.stdout).unwrap();
        let document: serde_json::Value = serde_json::from_str(&said).expect(&said);
        let findings = document["decks"][0]["findings"].as_array().expect(&said);
        let word = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
        let finding = |of: &serde_json::Value| {
            let line = of["line"].to_string();
            [
                word(&of["severity"]),
                word(&of["code"]),
                line,
                word(&of["message"]),
            ]
        };
        findings.iter().map(finding).collect()
    };
    let rule = |id: &str, must: &str| format!("  - {{id: {id}, source: s, about: a, {must}}}\n");
    let error = "error unknown-card.not-in-pool 4";
    let heads = |found: &[[String; 4]]| -> Vec<String> {
        found.iter().map(|of| of[..3].join(" ")).collect()
    };
    let deck = "Format: toy\nMain\n2 Ash\n1 Ahs\n";

    // One rule that is left open speaks for itself.
    let one = told(&[rule("spent", spent)], deck, &[]);
    assert_eq!(
        heads(&one),
        ["notice budget.unverified null", error],
        "{one:?}"
    );

    let two = [rule("spent", spent), rule("birds", birds)];
    let found = told(&two, deck, &[]);
    let notice = "notice unknown-card.unverified 4";
    assert_eq!(heads(&found), [error, notice], "{found:?}");
    let says = "not verified: the rules `spent` and `birds` depend on `Ahs`";
    assert_eq!(found[1][3], says);

    // The same where unknown cards are borne.
    let found = told(&two, deck, &["--set", "unknown=notice"]);
    let borne = "notice unknown-card.not-in-pool 4";
    assert_eq!(heads(&found), [borne, notice], "{found:?}");

    // What is wrong without the unknown card stays, each on its own.
    let rook = "Format: toy\nMain\n1 Rook\n1 Ahs\n";
    let found = told(&two, rook, &[]);
    let codes = heads(&found);
    assert!(
        codes
            .iter()
            .any(|code| code.starts_with("error size.too-many")),
        "{codes:?}"
    );
    assert!(codes.contains(&error.to_owned()), "{codes:?}");
    assert_eq!(codes.len(), 3, "the budget is open, alone: {codes:?}");

    // Two unknown cards, and a rule for each of many cards.
    let many: Vec<String> = (0..300).map(|at| rule(&format!("r{at}"), birds)).collect();
    let found = told(&many, "Format: toy\nMain\n1 Ahs\n1 Roko\n", &[]);
    assert_eq!(
        heads(&found),
        [
            "notice unknown-card.unverified null",
            "error unknown-card.not-in-pool 3",
            error
        ],
        "{found:?}"
    );
    let says = "not verified: the rules `r0`, `r1`, `r2`, `r3`, `r4` and 295 more depend on the 2 unknown cards";
    assert_eq!(found[0][3], says);
}

#[test]
fn only_budgets_that_matter_to_a_deck_have_a_line() {
    let budget = |kind: &str, start: i64| {
        format!(
            "must: {{budget: {{sections: [main], start: {start}, spend: {{cards: 'kind:{kind}', field: cost, called: {kind} cost}}, refund: {{cards: 'name:Elm', field: cost, called: elms}}, remainder: 0}}}}"
        )
    };
    let (birds, trees, fish) = (budget("bird", 0), budget("tree", 1), budget("fish", 0));
    let game = rules(&[&birds, &trees, &fish]);
    let folder = own_game(&game, TOY_CARDS);
    std::fs::write(folder.path().join("deck.txt"), "Format: toy\nMain\n1 Ash\n").unwrap();
    let run = decklaw(folder.path(), &["check", "deck.txt", "-v"]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    assert_eq!(said.matches("points:").count(), 1, "{said}");
    assert!(said.contains("tree cost"), "{said}");
}

/// The text of a fenced block of the manual for game makers.
fn block<'m>(manual: &'m str, info: &str) -> &'m str {
    let fence = format!("```{info}\n");
    let (_, rest) = manual.split_once(&fence).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn the_game_of_the_manual_is_in_order_and_judges() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/lantern");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("game.yaml"), block(&manual, "yaml game.yaml")).unwrap();
    std::fs::write(own.join("cards.csv"), block(&manual, "csv cards.csv")).unwrap();
    let run = decklaw(
        folder.path(),
        &["formats", "check", "formats/lantern/game.yaml"],
    );
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    assert!(said.ends_with("in order, 2 formats\n"), "{said}");

    // Pairs of decks that differ in one card, and what a player is told of the second.
    for (legal, one_more, rule, told) in [
        (
            "Leader\n1 Captain Ember\nMain\n3 Wick\n2 Flood\n",
            "2 Fog",
            "two-houses",
            "must have at most 2 houses; there are 3 (ember, mist and tide)",
        ),
        (
            "Leader\n1 Captain Ember\nMain\n3 Wick\n3 Flood\n",
            "1 Buoy",
            "influence",
            "the main deck must have at most 9 influence; there are 11",
        ),
        (
            "Leader\n1 Captain Tide\nMain\n3 Flood\n1 Buoy\n",
            "1 Beacon",
            "relics",
            "must have at most 1 relic; there are 2",
        ),
        (
            "Leader\n1 Captain Ember\nMain\n5 Spark\n",
            "1 Spark (old print)",
            "copies",
            "6 copies of `Spark` in the main deck and side deck, and at most 5 may be there (its copies)",
        ),
        (
            "Leader\n1 Captain Ember\nMain\n3 Wick\n1 Spark\n",
            "1 Match",
            "levels",
            "",
        ),
    ] {
        let deck = |more: &str| format!("Format: lantern\n{legal}{more}\n");
        std::fs::write(folder.path().join("deck.txt"), deck("")).unwrap();
        let run = decklaw(folder.path(), &["check", "deck.txt"]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(0), "{rule}: {said}");
        std::fs::write(folder.path().join("deck.txt"), deck(one_more)).unwrap();
        let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
        let said = String::from_utf8(run.stdout).unwrap();
        if told.is_empty() {
            // Four levels are just enough for five cards.
            assert_eq!(run.status.code(), Some(0), "{rule}: {said}");
            continue;
        }
        assert_eq!(run.status.code(), Some(1), "{rule}: {said}");
        assert!(
            said.contains(&format!("\"rule\": \"{rule}\"")),
            "{rule}: {said}"
        );
        assert!(said.contains(told), "{rule}: {said}");
        // The smallest edit takes what was added out again, or is as small.
        let run = decklaw(folder.path(), &["fix", "deck.txt", "-o", "json"]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(0), "{rule}: {said}");
        assert!(said.contains("\"optimal\": true"), "{rule}: {said}");
    }
}

/// A game's folder under another name than the game's own would leave the built-in game of
/// that name in force, and nobody told.
#[test]
fn a_game_is_called_as_its_folder_is() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("formats/mine");
    std::fs::create_dir_all(&mine).unwrap();
    for file in std::fs::read_dir("formats/shell").unwrap() {
        let path = file.unwrap().path();
        std::fs::copy(&path, mine.join(path.file_name().unwrap())).unwrap();
    }
    let check = ["formats", "check", "formats/mine"];
    let run = decklaw(folder.path(), &check);
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(
        said.contains("called `shell` here, and its folder `mine`"),
        "{said}"
    );
    std::fs::write(folder.path().join("decklaw.yaml"), "formats: [formats]\n").unwrap();
    let run = decklaw(folder.path(), &["formats", "list"]);
    assert_eq!(run.status.code(), Some(2), "{run:?}");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(said.contains("folder `mine`"), "{said}");
    std::fs::rename(&mine, folder.path().join("formats/shell")).unwrap();
    let check = ["formats", "check", "formats/shell"];
    assert_eq!(decklaw(folder.path(), &check).status.code(), Some(0));
    let run = decklaw(folder.path(), &["formats", "list"]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
}

#[test]
fn the_list_of_the_manual_is_in_order_and_judges() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/lantern");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("game.yaml"), block(&manual, "yaml game.yaml")).unwrap();
    std::fs::write(own.join("cards.csv"), block(&manual, "csv cards.csv")).unwrap();
    let list = block(&manual, "yaml list.yaml");
    std::fs::write(folder.path().join("list.yaml"), list).unwrap();
    let run = decklaw(folder.path(), &["banlist", "check", "list.yaml"]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    let mut lines = said.lines();
    assert_eq!(
        lines.next(),
        Some("list.yaml: in order, 11 cards, 2 queries, 2 groups and 3 sets")
    );
    // The game that decides what the list means is none of the built-in ones.
    assert!(lines.any(|line| line.contains("lantern")), "{said}");
    let shown = decklaw(
        folder.path(),
        &["banlist", "show", "list.yaml", "--as-of", "2026-01-15"],
    );
    let shown = String::from_utf8(shown.stdout).unwrap();
    for line in [
        "Cards of one title are one card.",
        "  every card `type:relic cost>=3`: banned",
        "At most 3 points, each card once",
        "  at most 1 of Spark, Flood and Buoy (wonder) in main",
        "  Wick not with Fog or Match",
        "  tide: not legal (from 2026-02-01)",
        "  every other house: not legal",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }

    let base = "Format: lantern\nLeader\n1 Captain Ember\nMain\n3 Wick\n2 Spark\n";
    let check = |more: &str, day: &str| {
        std::fs::write(folder.path().join("deck.txt"), format!("{base}{more}")).unwrap();
        let arguments = ["deck.txt", "--banlist", "list.yaml", "--as-of", day];
        let run = decklaw(
            folder.path(),
            &[&["check", "-o", "json"][..], &arguments].concat(),
        );
        let fixed = decklaw(
            folder.path(),
            &[&["fix", "-o", "json"][..], &arguments].concat(),
        );
        let said = String::from_utf8(run.stdout).unwrap();
        let fixed = String::from_utf8(fixed.stdout).unwrap();
        (run.status.code(), said, fixed)
    };
    let (status, said, _) = check("", "2026-03-01");
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("\"as_of\": \"2026-03-01\""), "{said}");
    for (more, rule, told, distance) in [
        (
            "1 Match\n",
            "banned",
            "`Match` is banned (list lantern-winter, line 9)",
            1,
        ),
        (
            "3 Spark (old print)\n",
            "restricted",
            "5 copies of `Spark`, which is restricted to 4 (list lantern-winter, line 13)",
            1,
        ),
        (
            "1 Flood\n",
            "group-list",
            "2 wonders in main (`Flood` and `Spark`), and at most 1 may be there (list lantern-winter, line 22)",
            1,
        ),
        (
            "1 Fog\n",
            "group-list",
            "`Wick` must not be in a deck with `Fog` (list lantern-winter, line 25)",
            1,
        ),
    ] {
        let (status, said, fixed) = check(more, "2026-03-01");
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains(&format!("\"rule\": \"{rule}\"")), "{said}");
        assert!(said.contains(told), "{told}: {said}");
        assert!(
            fixed.contains(&format!("\"distance\": {distance}")),
            "{more}: {fixed}"
        );
        assert!(fixed.contains("\"optimal\": true"), "{more}: {fixed}");
    }
    let (status, said, _) = check("", "2026-06-15");
    assert_eq!(status, Some(1), "{said}");
    let told = "`Wick` may not be played on 2026-06-15: ember was last legal on 2026-05-31 (list lantern-winter)";
    assert!(said.contains(told), "{said}");
    // What nobody knows of a card is not guessed.
    let (_, said, _) = check("1 Wikc\n", "2026-03-01");
    assert_eq!(said.matches("\"severity\": \"error\"").count(), 1, "{said}");
    assert_eq!(said.matches("depend on `Wikc`").count(), 1, "{said}");
}

#[test]
fn the_sayings_of_the_manual_are_in_order_and_give_their_reasons() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/harbour");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("game.yaml"), block(&manual, "yaml harbour.yaml")).unwrap();
    std::fs::write(own.join("cards.csv"), block(&manual, "csv harbour.csv")).unwrap();
    let file = "formats/harbour/game.yaml";
    let run = decklaw(folder.path(), &["formats", "check", file]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    for (deck, told) in [
        (
            "Hero\n1 Ada\n1 Ben\n",
            "the hero section must have at most 1 hero; there are 2: only partners lead together",
        ),
        (
            "Hero\n1 Ada\nMain\n10 Rope\n1 Ada's Lantern\n",
            "the main deck must have 2 different signatures; there is 1 (because of `Ada`)",
        ),
        (
            "Hero\n1 Ada\nBase\n1 Long Road\nMain\n10 Rope\n",
            "must have 15 cards (the size of `Ada`, and the adds of `Long Road`); there are 10",
        ),
        (
            "Hero\n1 Ada\nMain\n1 Great Map\n",
            "the main deck must have no other cards above level 0; there is 1",
        ),
    ] {
        std::fs::write(
            folder.path().join("deck.txt"),
            format!("Format: harbour\n{deck}"),
        )
        .unwrap();
        let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert!(said.contains(told), "{told}: {said}");
    }
}

#[test]
fn the_sums_of_the_manual_are_in_order_and_give_their_reasons() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/reef");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("game.yaml"), block(&manual, "yaml reef.yaml")).unwrap();
    std::fs::write(own.join("cards.csv"), block(&manual, "csv reef.csv")).unwrap();
    let file = "formats/reef/game.yaml";
    let run = decklaw(folder.path(), &["formats", "check", file]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(said, "formats/reef/game.yaml: in order, 1 format\n");
    for (deck, told, distance) in [
        (
            "Main\n2 Envoy\n3 Weed\n5 Open Mind\n",
            "must have at most 6 influence; there are 9; `Envoy` counts, since the main deck has at most 3 cards that are `faction:kelp -ally:kelp`",
            1,
        ),
        (
            "Main\n3 Swarm\n2 Titan\n",
            "must have at most 10 experience; there are 15",
            1,
        ),
        (
            "Main\n1 Titan\n2 Ice\n",
            "must have at most 4 runes; there are 5; the highest blood is 3 (`Titan`); the highest frost is 2 (`Ice`)",
            1,
        ),
        (
            "Main\n1 Branch\n1 Weed\n1 Pearl\n1 Brine\n2 Open Mind\n",
            "must have at most 2 factions of which each card has one, and it takes 3 (coral, kelp and pearl)",
            1,
        ),
        (
            "Main\n1 Pearl\n1 Ice\n",
            "`Coral King` may not use `Pearl`; permitted is: faction:(coral none)",
            1,
        ),
        (
            "Leader\n1 Kelp Queen\nMain\n4 Pearl\n",
            "must have at most 2 other cards (the extras of `Kelp Queen`); there are 4",
            2,
        ),
        (
            "Role\n1 Seeker of Air\nPlaces\n2 North\n1 South\n2 East\n",
            "3 copies of `air` (`North` and `South`) in the place deck, and at most 2 may be there",
            2,
        ),
        (
            "Main\n1 Vow\n",
            "`Vow` is seeker, and the role section has no card that it matches",
            1,
        ),
        (
            "Places\n1 North\n",
            "the place deck must have at most 0 places; there is 1: only a role holds places",
            1,
        ),
    ] {
        let leader = if deck.starts_with("Leader") {
            ""
        } else {
            "Leader\n1 Coral King\n"
        };
        let text = format!("Format: reef\n{leader}{deck}");
        std::fs::write(folder.path().join("deck.txt"), text).unwrap();
        let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert!(said.contains(told), "{told}: {said}");
        let fixed = decklaw(folder.path(), &["fix", "deck.txt", "-o", "json"]);
        let fixed = String::from_utf8(fixed.stdout).unwrap();
        let least = format!("\"distance\": {distance},");
        assert!(fixed.contains(&least), "{deck}: {fixed}");
        assert!(fixed.contains("\"optimal\": true"), "{deck}: {fixed}");
    }
}

/// What is declared and cannot be, or means two things, is refused where it stands.
#[test]
fn heads_that_contradict_themselves_are_refused() {
    let rule =
        "rules:\n  - {id: size, source: s, about: a, must: {size: {sections: [main], min: 1}}}\n";
    for (head, blamed) in [
        (
            "sections: [{id: main, name: main deck, aliases: [side]}, {id: side, name: side deck}]\n",
            "the heading `side` means both `main` and `side`",
        ),
        (
            "sections: [{id: main, name: main deck}, {id: Side Deck, name: side deck}]\n",
            "lower-case letters",
        ),
        (
            "sections: [{id: main, name: main deck}]\nsettings: [{name: points, about: a, max: 3, default: 5}]\n",
            "`points` is never `5`; it is a whole number from 0 to 3",
        ),
        (
            "sections: [{id: main, name: main deck}]\nsettings: [{name: how, about: a, choices: [x, y], default: z}]\n",
            "`how` is never `z`; it is x or y",
        ),
        (
            "sections: [{id: main, name: main deck}]\nsettings: [{name: points, about: a, min: 4, max: 3}]\n",
            "its least is above its most",
        ),
    ] {
        let text = format!("{head}formats: [{{id: toy, name: A}}]\n{rule}");
        let folder = own_game(&text, "name\nAsh\n");
        let run = decklaw(
            folder.path(),
            &["formats", "check", "formats/toy/game.yaml"],
        );
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(1), "{head}: {said}");
        assert!(said.contains(blamed), "{head}: {said}");
    }
}

/// What nothing asks for, and files that nothing reads, are told and not refused.
#[test]
fn what_nothing_asks_for_is_told() {
    let text = "sections: [{id: main, name: main deck}, {id: side, name: side deck}]\nsettings: [{name: points, about: a, default: 5}]\nchoices: [{name: oath, about: a, values: [x, y]}]\naliases: {Asch: Aesch}\nformats: [{id: toy, name: A, values: {least: 1, most: 3}}]\nrules:\n  - {id: size, source: s, about: a, must: {size: {sections: [main], min: least}}}\n  - {id: again, source: s, about: b, must: {size: {sections: [main], min: least}}}\n";
    let folder = own_game(text, "name\nAsh\n");
    std::fs::write(folder.path().join("formats/toy/card.csv"), "name\n").unwrap();
    let run = decklaw(folder.path(), &["formats", "check", "formats/toy"]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    for told in [
        "no rule asks for the setting `points`",
        "no rule asks for the choice `oath`",
        "no rule of `toy` asks for its value `most`",
        "no rule is about the section `side`",
        "`Asch` is to mean `Aesch`, and no card is called that",
        "this demands what `size` does above",
        "card.csv: notice: nothing reads this file; did you mean cards.csv?",
    ] {
        let times = said.lines().filter(|line| line.contains(told)).count();
        assert_eq!(times, 1, "{told}: {said}");
    }
    assert!(!said.contains("`least`"), "{said}");
}

/// A value that no card has is told, and not refused: a pool may lag behind its rules.
#[test]
fn what_a_rule_asks_for_in_vain_is_told() {
    let rules = |colour: &str| {
        format!(
            "fields: [{{name: colour, kind: word}}]\nsections: [{{id: main, name: main deck}}]\nformats: [{{id: toy, name: A}}]\nrules:\n  - id: accepts\n    source: Text\n    about: Some colours only.\n    must:\n      accept: {{section: main, cards: 'colour:{colour} or colour:red', because: so it is}}\n"
        )
    };
    for (colour, told) in [("green", None), ("gren", Some("did you mean `green`?"))] {
        let folder = own_game(&rules(colour), "name,colour\nAsh,green\nElm,red\n");
        let run = decklaw(
            folder.path(),
            &["formats", "check", "formats/toy/game.yaml"],
        );
        let said = String::from_utf8(run.stdout).unwrap();
        match told {
            None => assert!(!said.contains("notice"), "{said}"),
            Some(told) => {
                let line = said.lines().find(|line| line.contains("notice"));
                let line = line.unwrap_or_else(|| panic!("{said}"));
                assert!(line.contains(told) && line.contains("game.yaml:"), "{line}");
                assert_eq!(run.status.code(), Some(0), "{said}");
            }
        }
    }
}
