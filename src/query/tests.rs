#![allow(clippy::unwrap_used)]

use super::*;
use crate::pool::Value;
use proptest::prelude::*;

fn words(words: &[&str]) -> Vec<Value> {
    let value = |word: &&str| Value {
        word: (*word).to_owned(),
        aliases: Vec::new(),
    };
    words.iter().map(value).collect()
}

fn pool() -> Pool {
    let fields = [
        Field {
            name: "type".into(),
            kind: FieldKind::Word {
                values: words(&["monster", "item", "trap"]),
                open: false,
            },
        },
        Field {
            name: "mana".into(),
            kind: FieldKind::Number { min: 0, max: 99 },
        },
        Field {
            name: "sides".into(),
            kind: FieldKind::List {
                values: words(&["red", "blue"]),
            },
        },
        Field {
            name: "text".into(),
            kind: FieldKind::Text,
        },
    ];
    let csv = "name,type,mana,sides,text\n\
               Ash Or Oak,monster,3,red;blue,Draw a card\n\
               Bell,item,,blue,\n\
               Cinder Bell,trap,0,,Burn it\n\
               Dune,monster,7,red,\n";
    Pool::read_csv(csv.as_bytes(), &fields).unwrap()
}

fn pick(query: &str) -> String {
    let pool = pool();
    let set = Query::parse(query).unwrap().select(&pool).unwrap();
    set.iter()
        .map(|card| pool.name(card).chars().next().unwrap())
        .collect()
}

fn refuse(query: &str) -> (String, &str) {
    let error = Query::parse(query)
        .and_then(|parsed| parsed.select(&pool()))
        .unwrap_err();
    (error.message, &query[error.span.start..error.span.end])
}

#[test]
fn picks_what_the_language_says() {
    for (query, cards) in [
        ("", "ABCD"),
        ("()", "ABCD"),
        ("type:monster", "AD"),
        ("TYPE:Monster", "AD"),
        ("type:(item trap)", "BC"),
        ("mana>=3", "AD"),
        ("mana!=0", "AD"),
        ("-mana:0", "ABD"),
        ("mana:0", "C"),
        ("sides:red", "AD"),
        ("sides!=red", "B"),
        ("bell", "BC"),
        ("\"bell\"", "B"),
        ("name:\"cinder  BELL\"", "C"),
        ("-bell", "AD"),
        ("type:monster mana>5 or type:trap", "CD"),
        ("type:monster (mana>5 or sides:blue)", "AD"),
        ("-(type:monster or bell)", ""),
        ("\"ash or oak\"", "A"),
        ("text:DRAW", "A"),
        ("text=burn", ""),
        ("type!=monster", "BC"),
        ("oak or dune", "AD"),
    ] {
        assert_eq!(pick(query), cards, "{query}");
    }
}

#[test]
fn errors_point_at_what_is_wrong() {
    for (query, place, word) in [
        (
            "colour:red",
            "colour",
            "fields are name, type, mana, sides and text",
        ),
        ("type>monster", "monster", "not a number"),
        ("mana:three", "three", "whole numbers"),
        ("type:montser", "montser", "monster, item or trap"),
        ("bell or", "or", "both sides"),
        ("or bell", "or", "both sides"),
        ("(bell", "(", "never closed"),
        ("bell)", ")", "closing bracket"),
        ("\"bell", "\"", "never closed"),
        ("mana:", "", "value is missing"),
        ("type:()", "", "value is missing"),
        ("- bell", "-", "excludes"),
        (":red", "", "field before"),
        ("bell!", "!", "quote"),
        ("name<b", "name", "no order"),
    ] {
        let (message, blamed) = refuse(query);
        assert_eq!(blamed, place, "{query}: {message}");
        assert!(message.contains(word), "{query}: {message}");
    }
}

#[test]
fn deep_brackets_are_refused_and_many_terms_are_not() {
    let deep = format!("{}bell{}", "(".repeat(1000), ")".repeat(1000));
    assert!(refuse(&deep).0.contains("too many brackets"));
    let long = "bell or ".repeat(10_000) + "dune";
    assert_eq!(pick(&long), "BCD");
}

proptest! {
    #[test]
    fn reading_any_text_neither_panics_nor_points_outside(text in "\\PC{0,40}|[-()\": =<>!a-c]{0,20}") {
        if let Err(error) = Query::parse(&text) {
            prop_assert!(text.get(error.span.start..error.span.end).is_some());
        }
    }

    #[test]
    fn not_picks_the_rest(query in "((type:monster|mana>=[0-9]|sides:red|bell) ){1,4}") {
        let pool = pool();
        let set = Query::parse(&query).unwrap().select(&pool).unwrap();
        let rest = Query::parse(&format!("-({query})")).unwrap().select(&pool).unwrap();
        prop_assert!(pool.ids().all(|card| set.has(card) != rest.has(card)));
    }
}
