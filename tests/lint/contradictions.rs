//! What cannot be kept together, where decks declare choices: the rules and wishes that are named
//! are impossible whatever is declared, and none of them can be left out.

use super::{decklaw, own_game};
use serde_json::Value;

const HEAD: &str = "fields:
  - {name: side, kind: word, values: [day, night, both]}
  - {name: cost, kind: number}
sections: [{id: main, name: main deck, shuffled: true}, {id: side, name: side deck}]
choices:
  - {name: side, about: Whose cards the deck may have., values: [day, night]}
  - {name: depth, about: How deep it goes., min: 1, max: 3, default: 2}
formats: [{id: toy, name: Toy}]
rules:
";
const CARDS: &str =
    "name,side,cost\nSun,day,1\nNoon,day,3\nMoon,night,1\nStar,night,3\nDusk,both,2\n";

/// Rules of which many pairs contradict each other, some only of decks that declare one thing.
const RULES: [(&str, &str); 14] = [
    ("must: {size: {sections: [main], min: 4}}", "least"),
    ("must: {size: {sections: [main], max: 3}}", "most"),
    ("must: {copies: {sections: [main], max: 1}}", "singles"),
    (
        "must: {accept: {section: main, cards: 'side:($side both)', because: it is of another side}}",
        "sided",
    ),
    (
        "must: {size: {sections: [main], cards: 'cost>=3', min: 2}}",
        "dear",
    ),
    (
        "must: {size: {sections: [main], cards: 'cost>=3', max: 0}}",
        "cheap",
    ),
    ("must: {size: {sections: [side], exactly: depth}}", "depth"),
    ("must: {size: {sections: [side], max: 0}}", "bare"),
    (
        "when: {side: day}\n    must: {size: {sections: [main], cards: 'name:Sun', min: 3}}",
        "suns",
    ),
    (
        "when: {side: night}\n    must: {size: {sections: [main], cards: 'name:Moon', min: 3}}",
        "moons",
    ),
    (
        "must: {size: {sections: [main], cards: 'cost=1', max: 2}}",
        "few",
    ),
    (
        "when: {side: night}\n    must: {size: {sections: [main], cards: 'name:Dusk', max: 0}}",
        "dark",
    ),
    (
        "must: {total: {sections: [main], field: cost, min: 8}}",
        "heavy",
    ),
    (
        "must: {size: {sections: [main], cards: 'name:Dusk', min: 2}}",
        "dusk",
    ),
];
const WISHES: [&str; 4] = ["2+ \"Sun\"", "3+ \"Moon\"", "1- [cost=1]", "side: 0 []"];

fn drawn(seed: &mut u64, below: usize) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % below
}

/// What `build` says: a deck, or the rules and wishes that cannot be kept together.
fn built(rules: &[usize], wishes: &[&str]) -> Result<(), Vec<String>> {
    let rule = |at: &usize| {
        let (must, id) = RULES[*at];
        format!("  - id: {id}\n    source: p\n    about: As {id} as said.\n    {must}\n")
    };
    let rules: String = rules.iter().map(rule).collect();
    let rules = match rules.is_empty() {
        true => {
            "  - {id: any, source: p, about: Any., must: {size: {sections: [main], max: 99}}}\n"
                .to_owned()
        }
        false => rules,
    };
    let folder = own_game(&format!("{HEAD}{rules}"), CARDS);
    let mut call = vec!["build", "toy", "-o", "json"];
    for wish in wishes {
        call.extend(["--wish", wish]);
    }
    let run = decklaw(folder.path(), &call);
    let told: Value = serde_json::from_slice(&run.stdout).unwrap();
    if run.status.code() == Some(0) {
        return Ok(());
    }
    assert_eq!(told["impossible"], true, "{told}");
    let reasons = told["reasons"].as_array().unwrap().iter();
    Err(reasons
        .map(|reason| reason.as_str().unwrap().to_owned())
        .collect())
}

#[test]
fn what_is_impossible_whatever_is_declared_is_named_and_nothing_else() {
    let (mut seen, mut asked, mut several) = (0, 0, 0);
    for seed in 0..60_u64 {
        let mut state = seed * 7919 + 3;
        let mut rules: Vec<usize> = (0..6).map(|_| drawn(&mut state, RULES.len())).collect();
        rules.sort_unstable();
        rules.dedup();
        let mut wishes: Vec<&str> = (0..2)
            .map(|_| WISHES[drawn(&mut state, WISHES.len())])
            .collect();
        wishes.truncate(drawn(&mut state, 3));
        wishes.dedup();
        asked += 1;
        let Err(reasons) = built(&rules, &wishes) else {
            continue;
        };
        seen += 1;
        let is_named = |id: &str| {
            reasons
                .iter()
                .any(|reason| reason.split(':').next() == Some(id))
        };
        let named: Vec<usize> = rules
            .iter()
            .copied()
            .filter(|at| is_named(RULES[*at].1))
            .collect();
        let what = format!("{seed}: {reasons:?} of {rules:?} and {wishes:?}");
        let mut own = wishes.clone();
        own.truncate(reasons.len() - named.len());
        // Which wishes are named is not told by an id: all are tried, or those that are.
        let own = match reasons.len() - named.len() == wishes.len() {
            true => wishes.clone(),
            false => {
                let each = wishes.iter().copied();
                let only = each
                    .filter(|wish| reasons.len() > named.len() && built(&named, &[wish]).is_err());
                only.take(1).collect()
            }
        };
        assert_eq!(reasons.len(), named.len() + own.len(), "{what}");
        assert!(built(&named, &own).is_err(), "{what}: these can be kept");
        for at in 0..named.len() {
            let mut rest = named.clone();
            let left_out = RULES[rest.remove(at)].1;
            assert!(
                built(&rest, &own).is_ok(),
                "{what}: {left_out} has no part in it"
            );
        }
        for at in 0..own.len() {
            let mut rest = own.clone();
            let left_out = rest.remove(at);
            assert!(
                built(&named, &rest).is_ok(),
                "{what}: {left_out} has no part in it"
            );
        }
        several += usize::from(named.iter().any(|at| RULES[*at].0.starts_with("when")));
    }
    assert!(
        seen > 15 && seen < asked && several > 0,
        "{seen} of {asked}, {several}"
    );
}
