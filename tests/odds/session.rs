//! The presets and schedules of the games, and reports.

use decklaw::odds::render::{HEADER, rows, to_svg};
use decklaw::odds::{self, *};
use decklaw::pool::{Pool, infer_fields};

fn game(game: &str) -> (Pool, OddsDefaults) {
    let cards = std::fs::read(format!("formats/{game}/cards.csv")).unwrap();
    let pool = Pool::read_csv(&cards, &infer_fields(&cards).unwrap()).unwrap();
    let text = std::fs::read_to_string(format!("formats/{game}/odds.yaml")).unwrap();
    (pool, OddsDefaults::read(&text).unwrap())
}

#[test]
fn a_pair_in_five_and_six_of_the_whole_deck() {
    let (pool, defaults) = game("vastrix");
    let deck = Population::new(&pool, pool.ids().map(|card| (card, 1)), 0).unwrap();
    let report = odds::answer("a deck", &deck, &defaults, &OddsQuestion::default()).unwrap();
    let pairs: Vec<String> =
        report.answers[..2].iter().map(|entry| entry.answer.value.fraction().unwrap()).collect();
    // No pair: five ranks of thirteen a suit each, or four and a joker of two.
    let none = |hand: u32| {
        let four = |cards: u32| choose(13, cards) * 4_u32.pow(cards);
        let jokers = four(hand - 1) * 2_u32;
        Fraction::new(choose(54, hand) - four(hand) - jokers, choose(54, hand)).to_string()
    };
    assert_eq!(pairs, [none(5), none(6)]);
}

#[test]
fn schedules_are_those_of_the_rules_texts() {
    let seen = |id: &str, hand: u32, events: &Events| -> Vec<u32> {
        let draws = game(id).1.draws.unwrap();
        (1..=6).map(|turn| hand + draws.drawn(turn, hand, events)).collect()
    };
    let none = Events::default();
    assert_eq!(seen("shell", 6, &none), [6, 7, 8, 9, 10, 11]);
    let destroyed = Events::in_turns(&[3, 5]);
    assert_eq!(seen("shell", 6, &destroyed), [6, 7, 8, 10, 12, 15]);
    assert_eq!(seen("vainqueur", 5, &none), [6, 7, 8, 9, 10, 11]);
    assert_eq!(seen("versus", 5, &none), [5, 6, 7, 8, 9, 10]);
    assert_eq!(seen("vanquishers", 7, &none), [8, 9, 10, 11, 12, 13]);
    let switched = Events::in_turns(&[4]);
    assert_eq!(seen("vanquishers", 7, &switched), [8, 9, 10, 11, 13, 15]);
    assert_eq!(seen("vastrix", 5, &none), [6, 7, 8, 9, 10, 11]);
    assert_eq!(seen("vastrix", 0, &none), [2, 3, 4, 5, 6, 7]);
}

#[test]
fn json_is_as_promised() {
    let pool = Pool::of_names(["Moss Sprite", "Rain Caller"]);
    let deck = Population::new(&pool, pool.ids().zip([4, 46]), 0).unwrap();
    let defaults = "hand: [6]\nmulligan: {kind: aside, limit: 1, most: 7}\ndraws: {steady: {number: 1, from: 2}}\nempty-deck: Play goes on.\n";
    let defaults = OddsDefaults::read(defaults).unwrap();
    let query = "1+ \"Moss Sprite\"";
    let asked =
        OddsQuestion { queries: vec![query.into()], turns: Some(2), ..OddsQuestion::default() };
    let report = odds::answer("deck.txt", &deck, &defaults, &asked).unwrap();
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["schema"], "decklaw/odds/1");
    assert_eq!(json["population"], 50);
    assert_eq!(json["hand"], 6);
    let policy =
        serde_json::json!({"mulligan": "aside", "limit": 1, "bottom": [0, 0], "keep": query});
    assert_eq!(json["policy"], policy);
    assert!(json["answers"][0].get("policy").is_none(), "{json}");
    // 6 cards and one for each turn from the second on, of 50.
    let empty = "On turn 46 the deck is empty. Play goes on.".to_owned();
    assert!(report.remarks.contains(&empty), "{:?}", report.remarks);
    let answer = &json["answers"][0];
    assert_eq!(answer["fraction"], "4471/6580");
    assert_eq!(answer["probability"], 0.679_483_282_674_772);
    assert_eq!(answer["method"], "exact");
    assert_eq!(answer["turns"][1]["turn"], 2);
    assert_eq!(answer["turns"][1]["seen"], 7);
    let rows = rows(&report);
    assert!(rows.len() == 3 && rows.iter().all(|row| row.len() == HEADER.len()));
    let fraction = HEADER.iter().position(|name| *name == "fraction").unwrap();
    assert_eq!(rows[0][fraction].shown(), "4471/6580");
    let svg = to_svg(&report);
    assert!(svg.starts_with("<svg") && svg.matches("<rect").count() == 4);
}
