//! Presets and policies of the games, and reports.

use decklaw::banlist::Lists;
use decklaw::deck::Input;
use decklaw::format::Catalogue;
use decklaw::judge::{Judge, ReadDeck};
use decklaw::odds::render::{HEADER, rows, to_human, to_svg};
use decklaw::odds::{self, *};
use decklaw::pool::{Pool, infer_fields};

fn game(game: &str) -> (Pool, OddsDefaults) {
    let cards = std::fs::read(format!("formats/{game}/cards.csv")).unwrap();
    let pool = Pool::read_csv(&cards, &infer_fields(&cards).unwrap()).unwrap();
    let text = std::fs::read_to_string(format!("formats/{game}/odds.yaml")).unwrap();
    (pool, OddsDefaults::read(&text).unwrap())
}

/// Copies of every card of a game that a query selects.
fn deck<'p>(pool: &'p Pool, cards: &str, copies: u32) -> Population<'p> {
    let set = decklaw::query::Query::parse(cards)
        .unwrap()
        .select(pool)
        .unwrap();
    Population::new(pool, set.iter().map(|card| (card, copies)), 0).unwrap()
}

fn ask(
    game_id: &str,
    cards: &str,
    copies: u32,
    asked: &OddsQuestion,
) -> Result<OddsReport, OddsError> {
    let (pool, defaults) = game(game_id);
    odds::answer("a deck", &deck(&pool, cards, copies), &defaults, asked)
}

fn probabilities(report: &OddsReport) -> Vec<f64> {
    let answers = report.answers.iter();
    answers
        .filter_map(|entry| entry.answer.value.probability())
        .collect()
}

#[test]
fn every_game_answers_its_presets() {
    for (id, cards, hand, answers) in [
        ("shell", "type:spell", None, 4),
        ("vainqueur", "", Some(5), 2),
        ("versus", "", None, 2),
        ("vanquishers", "-type:hero", None, 2),
        ("vastrix", "", None, 6),
    ] {
        let asked = OddsQuestion {
            hand,
            turns: Some(3),
            ..OddsQuestion::default()
        };
        // With a hand of its own, a preset is answered for that alone.
        let report = ask(id, cards, 1, &asked).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(report.answers.len(), answers, "{id}");
        assert!(
            probabilities(&report)
                .iter()
                .all(|found| 0.0 < *found && *found <= 1.0),
            "{id}"
        );
    }
}

#[test]
fn a_pair_in_five_and_six_of_the_whole_deck() {
    let report = ask("vastrix", "", 1, &OddsQuestion::default()).unwrap();
    let pairs: Vec<String> = report.answers[..2]
        .iter()
        .map(|entry| entry.answer.value.fraction().unwrap())
        .collect();
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
        (1..=6)
            .map(|turn| hand + draws.drawn(turn, hand, events))
            .collect()
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
fn the_policy_is_the_games_by_default() {
    let asked = OddsQuestion {
        queries: vec!["1+ [colour:green]".into()],
        ..OddsQuestion::default()
    };
    let report = ask("shell", "type:spell", 1, &asked).unwrap();
    assert_eq!(
        (report.hand, report.policy.mulligan, report.policy.limit),
        (Some(6), Mulligan::Aside, 1)
    );
    let asked = OddsQuestion {
        mulligans: Some(3),
        ..asked
    };
    let report = ask("shell", "type:spell", 1, &asked).unwrap();
    assert_eq!(report.policy.bottoms(), [0, 0, 1, 2]);
    let asked = OddsQuestion {
        keep: Some("best".into()),
        ..asked
    };
    let best = ask("shell", "type:spell", 1, &asked).unwrap();
    assert!(probabilities(&best)[0] >= probabilities(&report)[0]);
    let text = to_human(&best);
    assert!(
        text.contains("points more than") && text.contains("after 0 mulligans, keep 1+"),
        "{text}"
    );
}

#[test]
fn a_path_needs_no_hand() {
    let asked = OddsQuestion {
        path: Some("7: 1+ [type:master]; 9: 1+ [rank:alpha]".into()),
        ..OddsQuestion::default()
    };
    let report = ask("vainqueur", "", 1, &asked).unwrap();
    assert_eq!(report.answers.len(), 1);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["hand"], serde_json::Value::Null);
}

#[test]
fn json_is_as_promised() {
    let pool = Pool::of_names(["Moss Sprite", "Rain Caller"]);
    let deck = Population::new(&pool, pool.ids().zip([4, 46]), 0).unwrap();
    let defaults = "hand: [6]\nmulligan: {kind: aside, limit: 1, most: 7}\ndraws: {steady: {number: 1, from: 2}}\nempty-deck: Play goes on.\n";
    let defaults = OddsDefaults::read(defaults).unwrap();
    let query = "1+ \"Moss Sprite\"";
    let asked = OddsQuestion {
        queries: vec![query.into()],
        turns: Some(2),
        ..OddsQuestion::default()
    };
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
    assert_eq!(rows[0][8].shown(), "4471/6580");
    let svg = to_svg(&report);
    assert!(svg.starts_with("<svg") && svg.matches("<rect").count() == 4);
}

#[test]
fn sample_hands_are_the_same_for_the_same_seed() {
    let asked = OddsQuestion {
        queries: vec!["1+ [type:trap]".into()],
        deal: Some((5, "Tuesday".into())),
        ..OddsQuestion::default()
    };
    let (first, again) = (
        ask("versus", "", 1, &asked).unwrap(),
        ask("versus", "", 1, &asked).unwrap(),
    );
    assert_eq!(first.deals, again.deals);
    assert_eq!(first.deals.len(), 5);
    assert!(
        first
            .deals
            .iter()
            .all(|deal| deal.cards.len() == 5 && deal.satisfies.len() == 1)
    );
    assert!(to_human(&first).contains("   1. "));
}

#[test]
fn a_decks_cards_are_read_as_its_lines_have_them() {
    let text = "Format: any\n\nMain\n3 Moss Sprite\n2 moss  sprite\n5 Rain Caller\n";
    let judge = Judge::new(
        Catalogue::built_in(),
        Lists::default(),
        "2026-06-01".parse().unwrap(),
    );
    let read = judge.read(text.as_bytes(), Input::Text, None).unwrap();
    let ReadDeck::Deck(deck) = read else {
        panic!("{read:?}");
    };
    let population = Population::of_section(&deck, "main").unwrap();
    assert_eq!((population.size(), population.cards().len()), (10, 2));
    let error = Population::of_section(&deck, "side").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the deck has no section `side`; it has main"
    );
}
