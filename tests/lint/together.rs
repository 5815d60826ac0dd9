//! Rules that only all together, or over these cards, cannot do their work: the solver says so.

use crate::{TOY, TOY_CARDS, rules, told_of};

/// What is said of rules that stand beside two that part trees from birds; `None`: nothing.
fn said(musts: &[&str]) -> Option<String> {
    let parted = [
        "must: {accept: {section: main, cards: 'kind:tree', because: only trees grow}}",
        "must: {accept: {section: side, cards: 'kind:bird', because: only birds fly}}",
    ];
    let (status, said) = told_of(&rules(&[&parted[..], musts].concat()), TOY_CARDS);
    match status {
        Some(0) => None,
        _ => Some(said),
    }
}

/// Each with a twin that differs in a number or a word and is in order.
#[test]
fn what_no_deck_can_break_or_is_asked_never_or_always_is_refused() {
    let size = "must: {size: {sections: [main], max: 3}}";
    let asked = |condition: &str| format!("if: {condition}, {size}");
    let at_most = |most: u8| {
        asked(&format!(
            "[{{sections: [main, side], at-least: 5}}, {{sections: [side], at-most: 2}}, {{sections: [main], at-most: {most}}}]"
        ))
    };
    let part = |least: u8| {
        format!(
            "must: {{total: {{sections: [main], field: cost, max: 4, parts: [{{}}, {{times: 2, if: {{sections: [main], at-least: {least}}}}}]}}}}"
        )
    };
    let total = |section: &str, times: u8| {
        format!(
            "must: {{total: {{sections: [{section}], field: cost, max: {{base: 0, of: [{section}], times: {times}}}}}}}"
        )
    };
    let grows =
        |of: &str| format!("must: {{size: {{sections: [main], max: {{base: 5, of: [{of}]}}}}}}");
    for (bad, good, blamed) in [
        // A bound that grows with what it bounds.
        (
            grows("main"),
            grows("side"),
            "no deck over these cards can break this",
        ),
        // So does this, since trees cost two at most, and birds three.
        (
            total("main", 2),
            total("main", 1),
            "no deck over these cards can break this",
        ),
        (
            total("side", 3),
            total("side", 2),
            "no deck over these cards can break this",
        ),
        (
            asked("{sections: [side], cards: 'kind:tree'}"),
            asked("{sections: [side], cards: 'kind:bird'}"),
            "it is never so that the side deck has a card of kind tree, so this is never asked",
        ),
        (
            asked("{sections: [side], cards: 'kind:tree', at-most: 0}"),
            asked("{sections: [side], cards: 'kind:bird', at-most: 0}"),
            "it is always so that the side deck has no card of kind tree",
        ),
        // In words of its own.
        (
            "demand: 'main <= main + side'".to_owned(),
            "demand: 'main <= side'".to_owned(),
            "no deck over these cards can break this",
        ),
        (
            "demand: 'not (main > 4 and main < 3)'".to_owned(),
            "demand: 'not (main > 4 and main < 6)'".to_owned(),
            "no deck over these cards can break this",
        ),
        (
            "demand: 'sum(cost) of main <= highest(cost) of main * 0 + 3 * main'".to_owned(),
            "demand: 'sum(cost) of main <= main'".to_owned(),
            "no deck over these cards can break this",
        ),
        (
            "each: kind, demand: 'main / 2 <= main'".to_owned(),
            "each: kind, demand: 'main / 2 <= 1'".to_owned(),
            "no deck over these cards can break this",
        ),
        (
            asked("'side [kind:tree]'"),
            asked("'side [kind:bird]'"),
            "it is never so that the side deck has a card of kind tree, so this is never asked",
        ),
        (
            asked("'side >= 0 or main'"),
            asked("'side >= 1 or main'"),
            "it is always so that",
        ),
        // Conditions that cannot hold together.
        (at_most(2), at_most(4), "so this is never asked"),
        // And those of a part of a sum.
        (part(0), part(2), "it is always so that"),
    ] {
        let told = said(&[&bad]).unwrap_or_else(|| panic!("{bad}"));
        assert!(told.contains(blamed), "{bad}: {told}");
        assert_eq!(said(&[&good]), None, "{good}");
    }
}

#[test]
fn rules_that_no_deck_keeps_together_are_named() {
    for (bad, good, blamed) in [
        (
            [
                "must: {size: {sections: [main], min: 5}}",
                "must: {size: {sections: [main], max: 4}}",
            ],
            [
                "must: {size: {sections: [main], min: 5}}",
                "must: {size: {sections: [main], max: 5}}",
            ],
            "no deck over these cards can keep this and `only` (The main deck must have at least 5 cards.)",
        ),
        // Two trees, two copies each: only the cards make it impossible.
        (
            [
                "must: {size: {sections: [main], min: 5}}",
                "must: {copies: {sections: [main], max: 2}}",
            ],
            [
                "must: {size: {sections: [main], min: 4}}",
                "must: {copies: {sections: [main], max: 2}}",
            ],
            "`only` (",
        ),
        // Five trees cost ten at most.
        (
            [
                "must: {total: {sections: [main], field: cost, exactly: 11}}",
                "must: {size: {sections: [main], max: 5}}",
            ],
            [
                "must: {total: {sections: [main], field: cost, exactly: 10}}",
                "must: {size: {sections: [main], max: 5}}",
            ],
            "11 cost",
        ),
    ] {
        let told = said(&bad).unwrap_or_else(|| panic!("{bad:?}"));
        assert!(told.contains(blamed), "{bad:?}: {told}");
        assert_eq!(said(&good), None, "{good:?}");
    }
    // One rule alone that only the cards make impossible.
    let told = said(&["must: {size: {sections: [side], exactly: {base: 1, of: [side]}}}"]);
    let told = told.unwrap_or_default();
    let alone = told.contains("can keep this") && !told.contains("can keep this and");
    assert!(alone, "{told}");
}

/// A condition that only decks meet which break another rule is told, with that rule; a twin that
/// legal decks meet is not.
#[test]
fn a_condition_that_another_rule_makes_impossible_is_told() {
    for (condition, told) in [
        ("{sections: [main], at-least: 4}", true),
        ("{sections: [main], at-least: 3}", false),
        ("'main [kind:bird] and main [kind:tree]'", true),
        ("'main [kind:bird] or main [kind:tree]'", false),
    ] {
        let game = format!(
            "{TOY}rules:
  - {{id: most, source: s, about: a, must: {{size: {{sections: [main], max: 3}}}}}}
  - {{id: apart, source: s, about: a, demand: 'no main [kind:bird] or no main [kind:tree]'}}
  - {{id: only, source: s, about: a, if: {condition}, must: {{size: {{sections: [side], min: 1}}}}}}
"
        );
        let (status, said) = told_of(&game, TOY_CARDS);
        assert_eq!(status, Some(0), "{said}");
        let blamed = if condition.contains("kind") {
            "`apart`"
        } else {
            "`most`"
        };
        let is_told = said.contains(&format!("in no deck that keeps {blamed}"));
        assert_eq!(is_told, told, "{condition}: {said}");
    }
}

/// What a condition's opposite keeps out of a section is not kept out for the other rules: whoever
/// brings a card may be in the deck where the condition holds.
#[test]
fn a_condition_that_some_legal_deck_meets_is_no_news() {
    let game = "fields:
  - {name: type, kind: word, values: [hero, card]}
  - {name: owner, kind: word, values: [ann, ben]}
sections: [{id: hero, name: hero}, {id: main, name: deck, shuffled: true}]
formats: [{id: toy, name: Toy}]
rules:
  - {id: heroes, source: x, about: A., must: {accept: {section: hero, cards: 'type:hero', because: so}}}
  - {id: cards, source: x, about: B., must: {accept: {section: main, cards: 'type:card', because: so}}}
  - {id: one, source: x, about: C., must: {size: {sections: [hero], exactly: 1, called: hero}}}
  - {id: own, source: x, about: D., must: {matching: {sections: [main], cards: 'owner:(ann ben)', field: owner, by: [hero]}}}
  - {id: book, source: x, about: E., must: {size: {sections: [main], cards: 'name:Book', exactly: 1, called: book}}}
  - id: rocks
    source: x
    about: F.
    if: {sections: [hero], cards: 'name:Ann'}
    must: {size: {sections: [main], cards: 'name:Rock', min: 2, called: rock}}
";
    let cards = |owner: &str| {
        format!("name,type,owner\nAnn,hero,ann\nBen,hero,ben\nBook,card,{owner}\nRock,card,\n")
    };
    let vain = "asked of no legal deck";
    let (status, said) = told_of(game, &cards("ann"));
    assert!(status == Some(0) && !said.contains(vain), "{said}");
    let (status, said) = told_of(game, &cards("ben"));
    assert!(status == Some(0) && said.contains(vain), "{said}");
}
