#![allow(clippy::unwrap_used)]

use super::*;
use crate::pool::{FieldKind, Value};
use proptest::prelude::*;

fn words(words: &[&str]) -> Vec<Value> {
    words.iter().map(|word| Value::new(word)).collect()
}

fn pool() -> Pool {
    let fields = [
        Field {
            name: "type".into(),
            kind: FieldKind::Word { values: words(&["monster", "item", "trap"]), open: false },
        },
        Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 99 } },
        Field { name: "sides".into(), kind: FieldKind::List { values: words(&["red", "blue"]) } },
        Field { name: "text".into(), kind: FieldKind::Text },
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
    set.iter().map(|card| pool.name(card).chars().next().unwrap()).collect()
}

fn refuse(query: &str) -> (String, &str) {
    let error = Query::parse(query).and_then(|parsed| parsed.select(&pool())).unwrap_err();
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
        ("type:monster and mana>5 OR type:trap", "CD"),
        ("not bell", "AD"),
        ("NOT (type:monster or bell)", ""),
        ("not not bell", "BC"),
        ("not -bell", "BC"),
        ("type:monster And Not mana>5", "A"),
        ("(type:monster and mana>5)or(type:trap)", "CD"),
        ("not(bell)", "AD"),
        ("and bell", "BC"),
        ("bell or and dune", "BCD"),
        ("type:(item or trap)", "BC"),
        ("mana >= 3", "AD"),
        ("mana>= 3 and type : monster", "AD"),
        ("type: (item trap)", "BC"),
        ("\"and\"", ""),
        ("type:monster and \"ash or oak\"", "A"),
        // As phones and word processors write it.
        ("“bell”", "B"),
        ("„ash or oak“", "A"),
        ("name:«Bell»", "B"),
        ("text:“burn it”", "C"),
        ("mana≥3", "AD"),
        ("mana ≤ 3 and type≠trap", "A"),
        // Any value.
        ("mana:*", "ACD"),
        ("not mana:*", "B"),
        ("-sides: *", "C"),
        ("text=*", "AC"),
        ("name:*", "ABCD"),
        ("text:\"*\"", ""),
        ("name:\"*\"", ""),
    ] {
        assert_eq!(pick(query), cards, "{query}");
    }
}

#[test]
fn errors_point_at_what_is_wrong() {
    for (query, place, word) in [
        ("colour:red", "colour", "fields are name, type, mana, sides and text"),
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
        ("bell and", "and", "both sides"),
        ("bell and and dune", "and", "both sides"),
        ("bell AND or dune", "AND", "both sides"),
        ("(bell and)", "and", "both sides"),
        ("bell or or dune", "or", "both sides"),
        ("bell not", "not", "after it"),
        ("not", "not", "after it"),
        ("-or", "or", "quoted"),
        ("-not bell", "not", "quoted"),
        ("mana: or bell", "", "value is missing"),
        ("mana:(1 and 3)", "and", "name the field again"),
        ("mana:(or 3)", "or", "both sides"),
        ("mana:(3 or)", "or", "both sides"),
        ("mana=(1 3)", "(", "are for `:` only"),
        ("manna:3", "manna", "did you mean `mana`?"),
        ("mana=>3", "=>", "did you mean `>=`?"),
        ("mana == 3", "==", "did you mean `=`?"),
        ("mana<>3", "<>", "did you mean `!=`?"),
        ("mana:two", "two", "write `mana:2`"),
        ("mana:2..4", "2..4", "write `mana>=2 mana<=4`"),
        ("mana:2-4", "2-4", "write `mana>=2 mana<=4`"),
        ("mana:3+", "3+", "write `mana>=3`"),
        ("“bell", "“", "never closed"),
        ("type:traps", "traps", "did you mean `trap`?"),
        ("colour:*", "colour", "fields are name, type"),
        ("mana!=*", "*", "cards without one are `not mana:*`"),
        ("mana>*", "*", "as in `mana:*`"),
        ("type:(trap *)", "*", "any value"),
    ] {
        let (message, blamed) = refuse(query);
        assert_eq!(blamed, place, "{query}: {message}");
        assert!(message.contains(word), "{query}: {message}");
    }
}

/// A query that can match no card gets a remark: every leaf of these is misspelled.
#[test]
fn what_no_card_has_is_reported_with_the_nearest() {
    let pool = pool();
    for (query, place, message) in [
        ("bel", "", ""),
        ("type:monster -bell", "", ""),
        ("belll", "belll", "no card name contains `belll`; did you mean `bell`?"),
        ("not belll", "belll", "did you mean `bell`?"),
        ("monster", "monster", "did you mean `type:monster`?"),
        ("mana", "mana", "`mana` is a field: `mana:…`"),
        ("\"dunes\"", "\"dunes\"", "unknown card `dunes`; did you mean Dune?"),
        ("name!=dunes", "dunes", "unknown card `dunes`"),
        ("mana:5", "5", "no card has `mana:5`; the nearest are 3 and 7"),
        ("mana!=9", "9", "no card has `mana=9`; the nearest is 7"),
        ("mana>7", "7", "no card has `mana>7`; cards have 0 to 7"),
        ("text:burns", "burns", "no card's `text` holds `burns`; did you mean `burn`?"),
        ("text=burn", "burn", "no card has the `text` `burn`; did you mean `burn` or `burn it`?"),
    ] {
        let remarks = Query::parse(query).unwrap().remarks(&pool);
        let remark = remarks.first().map_or("", |remark| remark.message.as_str());
        assert!(
            remark.contains(message) && remark.is_empty() == place.is_empty(),
            "{query}: {remark}"
        );
        let span = remarks.first().map_or(Span::new(0, 0), |remark| remark.span);
        assert_eq!(&query[span.start..span.end], place, "{query}");
    }
    let many = "belll ".repeat(1000);
    assert_eq!(Query::parse(&many).unwrap().remarks(&pool).len(), 10);
}

/// A query without its places.
fn bare(query: &Query) -> String {
    let Ok(tree) = query.root.try_map(&mut |test| {
        Ok::<_, std::convert::Infallible>(Tree::Is(match test {
            CardTest::NameHolds(word) => format!("part {:?}", word.text),
            CardTest::Name(word) => format!("name {:?}", word.text),
            CardTest::Has(field) => format!("has {:?}", field.text),
            CardTest::Field { field, comparison, values } => {
                let values = values.iter().map(|value| (&value.text, value.reference()));
                let values = Vec::from_iter(values);
                format!("{:?}{comparison:?}{values:?}", field.text)
            }
        }))
    });
    format!("{tree:?}")
}

#[test]
fn deep_brackets_are_refused_and_many_terms_are_not() {
    let deep = format!("{}bell{}", "(".repeat(1000), ")".repeat(1000));
    assert!(refuse(&deep).0.contains("too many brackets"));
    let long = "bell or ".repeat(10_000) + "dune";
    assert_eq!(pick(&long), "BCD");
}

/// Pieces of queries about cards and hands.
const PIECES: &[&str] = &[
    "and",
    "OR",
    "not",
    "-",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\"ash\"",
    ":",
    "!=",
    ">=",
    "bell",
    "type",
    "mana:3",
    "type:trap",
    "type:(a b)",
    "no:\"and\"",
    "text:*",
    "text:\"*\"",
    "type:$side",
    "type:\"$side\"",
    "1+ [bell]",
    "2 \"ash\"",
    "0..2 []",
    "no [type:x or y]",
    "3- [mana>1]",
    "sum(mana) > 2",
    "sum(mana) [-x] != -1",
    "some type (",
    "different(1+ [], 2+ [a])",
    ",",
    "é",
    "\u{a0}",
];

#[test]
fn a_query_has_words() {
    let pool = pool();
    for (query, words) in [
        ("", ""),
        ("type:monster", "of type monster"),
        ("-type:(item trap)", "not of type item or trap"),
        ("type:(monster item) mana<=2", "of type monster or item, and of mana 2 or less"),
        ("mana=3 or bell", "of mana 3 or with \"bell\" in the name"),
        (
            "type:item or type:trap mana>2 or sides:*",
            "of type item, or of type trap and of mana above 2, or with any sides",
        ),
        ("(type:item or type:trap) -mana:*", "of type item or of type trap, and without any mana"),
        ("not (type:item mana>=1)", "not of type item or not of mana 1 or more"),
        ("sides!=red", "with sides other than red"),
        ("text:burn", "with \"burn\" in the text"),
        ("-text='burn it'", "whose text is not \"burn it\""),
        ("'ash or oak'", "called `Ash Or Oak`"),
        ("-name:(bell dune)", "other than `Bell` or `Dune`"),
    ] {
        let query = query.replace('\'', "\"");
        let found = Query::parse(&query).unwrap().words(&pool);
        assert_eq!(found, words, "{query}");
    }
}

proptest! {
    #[test]
    fn reading_any_text_neither_panics_nor_points_outside(text in "\\PC{0,40}|[-()\": =<>!a-c]{0,20}") {
        if let Err(error) = Query::parse(&text) {
            prop_assert!(text.get(error.span.start..error.span.end).is_some());
        }
        if let Err(error) = HandQuery::parse(&text) {
            prop_assert!(text.get(error.span.start..error.span.end).is_some());
        }
    }

    /// Texts that are nearly queries: their pieces in any order.
    #[test]
    fn reading_pieces_neither_panics_nor_points_outside(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..14),
        space in proptest::bool::ANY,
    ) {
        let text = pieces.join(if space { " " } else { "" });
        match Query::parse(&text) {
            Err(error) => prop_assert!(text.get(error.span.start..error.span.end).is_some()),
            Ok(query) => {
                let again = Query::parse(&query.to_string());
                prop_assert_eq!(again.as_ref().map(bare), Ok(bare(&query)), "{}", query);
                for remark in query.remarks(&pool()) {
                    prop_assert!(text.get(remark.span.start..remark.span.end).is_some());
                }
            }
        }
        match HandQuery::parse(&text) {
            Err(error) => prop_assert!(text.get(error.span.start..error.span.end).is_some()),
            Ok(query) => {
                let plain = query.to_string();
                let again = HandQuery::parse(&plain).unwrap();
                prop_assert_eq!(again.to_string(), plain);
            }
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

/// A type that no card can have excludes none where a card names it.
#[test]
fn queries_on_cards_may_name_values_that_no_card_has() {
    let pool = pool();
    let query = Query::parse("-type:monument").unwrap();
    assert!(query.check(pool.fields()).is_err());
    let picked = query.select_permitted(&pool).unwrap();
    assert_eq!(picked.len(), pool.len());
    let none = Query::parse("type:monument").unwrap();
    assert!(none.select_permitted(&pool).unwrap().is_empty());
    assert!(Query::parse("-tipe:trap").unwrap().select_permitted(&pool).is_err());
}
