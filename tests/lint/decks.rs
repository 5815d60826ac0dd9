//! What a game's files mean for decks and card files.

use crate::common::decklaw;
use crate::{TOY, TOY_CARDS, own_game, rules};

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
    assert_eq!(said.matches("points for").count(), 1, "{said}");
    assert!(said.contains("tree cost"), "{said}");
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
    // One wrong folder hides no other game.
    let listed = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(listed.contains("vainqueur"), "{listed}");
    let run = decklaw(folder.path(), &["explain", "vainqueur/copies"]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    assert!(run.stderr.is_empty(), "{run:?}");
    let run = decklaw(folder.path(), &["explain", "copies"]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(said.contains("folder `mine`"), "{said}");
    std::fs::rename(&mine, folder.path().join("formats/shell")).unwrap();
    let check = ["formats", "check", "formats/shell"];
    assert_eq!(decklaw(folder.path(), &check).status.code(), Some(0));
    let run = decklaw(folder.path(), &["formats", "list"]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
}

/// Of several identity cards, those are named that do not permit a card.
#[test]
fn only_who_refuses_a_card_is_named() {
    let game = "fields: [{name: lets, kind: query}]
sections: [{id: head, name: head section}, {id: main, name: main deck}]
formats: [{id: toy, name: Toy}]
rules:
  - {id: only, source: s, about: a, must: {permitted: {sections: [main], by: [head], field: lets, mode: all, empty: nothing}}}
";
    let cards = "name,lets\nAda,name:Map or name:Rope\nBen,name:Map\nCleo,\nMap,\nRope,\nKey,\n";
    let folder = own_game(game, cards);
    for (heads, card, told) in [
        ("1 Ada\n1 Ben", "Map", None),
        (
            "1 Ada\n1 Ben",
            "Rope",
            Some("`Ben` may not use `Rope`; permitted: cards called `Map`"),
        ),
        (
            "1 Ada\n1 Ben",
            "Key",
            Some(
                "`Ada` and `Ben` may not use `Key`; permitted: by `Ada` cards called `Map` or called `Rope`; by `Ben` cards called `Map`",
            ),
        ),
        (
            "1 Ada\n1 Cleo",
            "Map",
            Some("`Cleo` may not use `Map`; permitted: nothing"),
        ),
    ] {
        let deck = format!("Format: toy\nHead\n{heads}\nMain\n1 {card}\n");
        std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
        let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
        let said: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        let findings = said["decks"][0]["findings"].as_array().unwrap().iter();
        let messages: Vec<&str> = findings.filter_map(|one| one["message"].as_str()).collect();
        assert_eq!(
            messages,
            told.into_iter().collect::<Vec<_>>(),
            "{heads}, {card}"
        );
    }
}
