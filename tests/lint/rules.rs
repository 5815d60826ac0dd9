//! Rules and heads of a format file that cannot do their work, or that nothing asks for.

use crate::common::decklaw;
use crate::{TOY_CARDS, own_game, rules, told_of};

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
            "cannot both hold",
        ),
        ("must: {size: {sections: [main]}}", "needs a number"),
        ("demand: 'main <= 3', only: []", "`only` names no format"),
        ("severity: warning", "a rule needs `must`, or a `demand`"),
        (
            "demand: 'main <= 3', must: {size: {sections: [main], max: 3}}",
            "and not both",
        ),
        (
            "each: kind, must: {size: {sections: [main], max: 3}}",
            "`each` needs a `demand`",
        ),
        (
            "demand: 'main <= points'",
            "no section, setting or value `points`",
        ),
        ("demand: 'attic [] <= 3'", "no section `attic`"),
        (
            "demand: 'sum(csot) <= 3'",
            "no field `csot`; did you mean `cost`?",
        ),
        ("demand: 'sum(kind) <= 3'", "`kind` is not a number"),
        (
            "demand: 'main <= card.cost'",
            "it stands in a demand with `each: card`",
        ),
        ("demand: 'main / side <= 3'", "a whole number of at least 1"),
        (
            "demand: 'main * side <= 3'",
            "two numbers of the deck have no product",
        ),
        ("demand: 'main <= 3 and'", "a number is missing here"),
        (
            "must: {any: [{size: {sections: [main], max: 3}}]}",
            "`any` takes a list of at least two demands",
        ),
        (
            "must: {all: ['main <= 3', {accept: {section: main, cards: 'kind:tree', because: b}}]}",
            "`accept` cannot stand in `all`",
        ),
        (
            "must: {any: ['main <= 3', 'mian <= 4']}",
            "no section, setting or value `mian`",
        ),
        (
            "must: {options: {sections: [main], options: []}}",
            "`options` names no option",
        ),
        (
            "must: {options: {sections: [main], options: [{cards: 'kind:tree', limit: points}]}}",
            "`points`",
        ),
        (
            "demand: 'main [kind:$main.knid] <= 3'",
            "no field `knid`; did you mean `kind`?",
        ),
        (
            "demand: 'main [kind:$attic.kind] <= 3'",
            "no section `attic`",
        ),
        (
            "demand: 'highest(cost) of main [kind:$side.kind] <= 3'",
            "added up by `sum`",
        ),
        (
            "must: {size: {sections: [main], cards: 'kind:$side.kind', max: 3}}",
            "is for a `demand:`",
        ),
        ("each: csot, demand: 'main <= 3'", "no field `csot`"),
        (
            "if: 'main <=', must: {size: {sections: [main], max: 3}}",
            "in the condition `main <=`",
        ),
        (
            "must: {size: {sections: [main], min: 0}}",
            "no deck over these cards can break this",
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
            "must: {values: {sections: [main], field: kind, among: [], max: 1}}",
            "`among` names no value",
        ),
        (
            "must: {values: {sections: [main], field: kind, among: [tree, fish], max: 1}}",
            "no card of the pool has the kind `fish`, which `among` names",
        ),
        (
            "must: {total: {sections: [main], max: 1, parts: [{cards: 'kind:tree'}]}}",
            "needs what a card counts",
        ),
        (
            "must: {size: {sections: [main], max: -1}}",
            "no deck over these cards can keep this",
        ),
        (
            "must: {size: {sections: [main], cards: 'kind:fish', min: 1, called: fish}}",
            "no deck over these cards can keep this",
        ),
        (
            "must: {avoid: {sections: [main], cards: 'kind:fish', because: b}}",
            "no deck over these cards can break this",
        ),
        (
            "must: {accept: {section: main, cards: 'kind:fish', because: b}}",
            "takes no card",
        ),
        (
            "must: {accept: {section: main, cards: '-kind:fish', because: b}}",
            "no deck can break this",
        ),
        (
            "must: {disjoint: {sections: [main], from: [main, side]}}",
            "kept apart from itself",
        ),
        (
            "must: {within: {sections: [main], of: [main, side]}}",
            "no deck over these cards can break this",
        ),
        (
            "if: {not: [{sections: [main]}, {sections: [side]}]}, must: {size: {sections: [main], min: 2}}",
            "that none of several holds is `not: {any: [one, other]}`",
        ),
        (
            "must: {copies: {sections: [main], max: 3, weight: kind}}",
            "does not hold a whole number",
        ),
        (
            "must: {matching: {sections: [main], field: cost, by: side, among: kind}}",
            "does not hold words or text",
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
fn a_value_that_its_field_does_not_know_is_refused() {
    let must = "must: {values: {sections: [main], field: kind, among: [tree, rock], max: 1}}";
    let game = rules(&[must]).replace("kind: word}", "kind: word, values: [tree, bird]}");
    let folder = own_game(&game, TOY_CARDS);
    let call = ["formats", "check", "formats/toy/game.yaml"];
    let run = decklaw(folder.path(), &call);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(1), "{said}");
    let told = "no `rock` of `kind`; the values are tree and bird";
    assert!(said.contains(told), "{said}");
    // One that the game names may wait for its first card.
    let game = game.replace("values: [tree, bird]", "values: [tree, bird, rock]");
    let game = game.replace("[tree, rock]", "[tree, bird, rock]");
    let folder = own_game(&game, TOY_CARDS);
    let run = decklaw(folder.path(), &call);
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
    let text = "sections: [{id: main, name: main deck}, {id: side, name: side deck}]\nsettings: [{name: points, about: a, default: 5}]\naliases: {Asch: Aesch}\nformats: [{id: toy, name: A, values: {least: 1, most: 3}}]\nrules:\n  - {id: size, source: s, about: a, must: {size: {sections: [main], min: least}}}\n  - {id: again, source: s, about: b, must: {size: {sections: [main], min: least}}}\n";
    let folder = own_game(text, "name\nAsh\n");
    std::fs::write(folder.path().join("formats/toy/card.csv"), "name\n").unwrap();
    let run = decklaw(folder.path(), &["formats", "check", "formats/toy"]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    for told in [
        "no rule asks for the setting `points`",
        "no rule of `toy` asks for its value `most`",
        "no rule is about the section `side`",
        "the alias `Asch` is for `Aesch`, which is no card",
        "this demands the same as `size` above",
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

/// What is wrong inside a demand or a query is pointed at where it stands, however it is quoted.
#[test]
fn a_word_of_a_demand_is_pointed_at() {
    for (rule, word) in [
        ("demand: 'main <= pionts'", "pionts"),
        ("demand: \"main + side <= pionts\"", "pionts"),
        ("demand: main <= pionts", "pionts"),
        ("demand: 'main [kind:tree csot>=2] <= 3'", "csot"),
        ("each: card, demand: 'main + attic [] <= 3'", "attic"),
        (
            "must: {size: {sections: [main], cards: 'kind:tree csot:1', max: 3}}",
            "csot",
        ),
        (
            "must: {size: {sections: [main], cards: \"-(kind:tree csot:1)\", max: 3}}",
            "csot",
        ),
    ] {
        let game = rules(&[rule]);
        let (status, said) = told_of(&game, TOY_CARDS);
        assert_eq!(status, Some(1), "{rule}: {said}");
        let head = "schema: decklaw/format/1\ngame: toy\nname: Toy\ntext: none\n";
        let text = format!("{head}{game}");
        let line = text.lines().position(|line| line.contains(word)).unwrap();
        let column = text.lines().nth(line).unwrap().find(word).unwrap();
        let place = format!("game.yaml:{}:{}:", line + 1, column + 1);
        assert!(said.contains(&place), "{rule}: {place}: {said}");
    }
    // What no card has is only told, at its place too.
    let rule = "must: {size: {sections: [main], cards: 'cost:1 kind:tere', max: 3}}";
    let game = rules(&[rule]);
    let (_, said) = told_of(&game, TOY_CARDS);
    let column = game.lines().find(|line| line.contains("tere")).unwrap();
    let column = column.find("tere").unwrap() + 1;
    assert!(
        said.contains(&format!(":{column}: notice: in the query")),
        "{said}"
    );
}
