//! Tables that have been known for a long time, and the schedules of the games.

use decklaw::odds::{self, *};
use decklaw::pool::{Field, FieldKind, Pool, infer_fields};

fn cards() -> Pool {
    let word = |name: &str| Field {
        name: name.into(),
        kind: FieldKind::Word { values: vec![], open: true },
    };
    let number =
        |name: &str| Field { name: name.into(), kind: FieldKind::Number { min: 0, max: 99 } };
    let mut csv = "name,rank,suit,points\n".to_owned();
    for suit in ["clubs", "diamonds", "hearts", "spades"] {
        for (at, rank) in "2 3 4 5 6 7 8 9 10 J Q K A".split(' ').enumerate() {
            let points = at.saturating_sub(8);
            csv += &format!("{rank} of {suit},{rank},{suit},{points}\n");
        }
    }
    Pool::read_csv(csv.as_bytes(), &[word("rank"), word("suit"), number("points")]).unwrap()
}

fn ways(pool: &Pool, query: &str, hand: u32) -> String {
    let population = Population::new(pool, pool.ids().map(|card| (card, 1)), 0).unwrap();
    let query = HandQuery::parse(query).unwrap();
    let answer = odds::ask(&population, &query, &Request::without_mulligan(hand)).unwrap();
    answer.work.unwrap().favourable.unwrap().to_string()
}

#[test]
fn poker_hands() {
    let pool = cards();
    let ranks: Vec<&str> = "A 2 3 4 5 6 7 8 9 10 J Q K A".split(' ').collect();
    let run = |suit: &str| {
        let runs: Vec<String> = ranks
            .windows(5)
            .map(|run| {
                let each: Vec<String> =
                    run.iter().map(|rank| format!("1+ [rank:{rank}{suit}]")).collect();
                format!("({})", each.join(" and "))
            })
            .collect();
        format!("({})", runs.join(" or "))
    };
    let flush = "some suit (5 [])";
    let straight = run("");
    let straight_flush = format!("some suit {}", run(""));
    let pairs = "some rank (2 [])";
    let threes = "some rank (3 [])";
    let two_pair = {
        let each: Vec<String> = ranks[1..].iter().map(|rank| format!("2 [rank:{rank}]")).collect();
        let mut pairs = Vec::new();
        for (at, one) in each.iter().enumerate() {
            pairs.extend(each[..at].iter().map(|other| format!("({one} and {other})")));
        }
        format!("({})", pairs.join(" or "))
    };
    for (name, query, expected) in [
        ("straight flush", straight_flush.clone(), "40"),
        ("four of a kind", "some rank (4 [])".to_owned(), "624"),
        ("full house", format!("{pairs} and {threes}"), "3744"),
        ("flush", format!("{flush} and not {straight}"), "5108"),
        ("straight", format!("{straight} and not {flush}"), "10200"),
        ("three of a kind", format!("{threes} and not {pairs}"), "54912"),
        ("two pair", two_pair.clone(), "123552"),
        ("one pair", format!("{pairs} and not {threes} and not {two_pair}"), "1098240"),
    ] {
        assert_eq!(ways(&pool, &query, 5), expected, "{name}");
    }
}

#[test]
fn high_card_points_are_distributed_as_tables_say() {
    let pool = cards();
    let population = Population::new(&pool, pool.ids().map(|card| (card, 1)), 0).unwrap();
    let total = TotalQuery::parse("sum(points)").unwrap();
    let request = Request {
        hand: 13,
        policy: Policy::none(),
        given: None,
        draws: 0,
        turns: vec![],
        work: DEFAULT_WORK,
        memory: DEFAULT_MEMORY,
    };
    let found = odds::ask_total(&population, &total, &request).unwrap().value;
    assert_eq!(found.mean.to_string(), "10/1");
    let all = choose(52, 13);
    for (points, hands) in [(0, 2_310_789_600_u64), (10, 59_723_754_816), (37, 4)] {
        let (_, fraction) = &found.values[points];
        assert_eq!(*fraction, Fraction::new(hands.into(), all.clone()), "{points} points");
    }
    assert_eq!(found.values.len(), 38);
}

/// Cards that differ in their numbers alone.
fn numbered(count: usize) -> Pool {
    let names: Vec<String> = (0..count).map(|number| format!("card {number:03}")).collect();
    Pool::of_names(names.iter().map(String::as_str))
}

/// Numbers of ways of every size, from a few bits to hundreds: one card is sought in hands that are
/// shuffled in or put aside until it is there, and in the cards drawn after the last.
#[test]
fn ways_of_every_size_are_counted() {
    let pool = numbered(60);
    let population = Population::new(&pool, pool.ids().map(|card| (card, 1)), 0).unwrap();
    let query = HandQuery::parse("1+ \"card 007\"").unwrap();
    for mulligan in [Mulligan::Aside, Mulligan::Shuffle] {
        for (hand, limit, draws) in (1..=7)
            .flat_map(|hand| (0..=7).flat_map(move |limit| [(hand, limit, 0), (hand, limit, 3)]))
        {
            let policy = Policy { mulligan, limit, bottom: vec![], keep: Keep::Goal };
            let request = Request { policy, draws, ..Request::without_mulligan(hand) };
            let answer = odds::ask(&population, &query, &request).unwrap();
            // That it is in no hand, which is dealt from all cards or from those not put aside, and
            // not drawn.
            let (hand, draws) = (u128::from(hand), u128::from(draws));
            let again = if mulligan == Mulligan::Aside { 60 - hand } else { 60 };
            let mut missed = ((60 - hand) * (60 - hand - draws), 60 * (60 - hand));
            for _ in 0..limit {
                missed = (missed.0 * (again - hand), missed.1 * again);
            }
            let expected = Fraction::new((missed.1 - missed.0).into(), missed.1.into());
            assert_eq!(answer.value, expected, "{mulligan:?} {hand} {limit} {draws}");
        }
    }
}

#[test]
fn denominators_beyond_128_bits() {
    let pool = numbered(400);
    let population = Population::new(&pool, pool.ids().map(|card| (card, 1)), 0).unwrap();
    let query = HandQuery::parse("1+ \"card 007\" and no [\"card 100\" or \"card 101\"]").unwrap();
    let answer = odds::ask(&population, &query, &Request::without_mulligan(200)).unwrap();
    assert!(choose(400, 200).bits() > 390);
    // Half of 400 cards: the first in, two out.
    let expected = Fraction::new((200_u64 * 200 * 199).into(), (400_u64 * 399 * 398).into());
    assert_eq!(answer.value, expected);
    let policy = Policy { mulligan: Mulligan::Aside, limit: 4, bottom: vec![], keep: Keep::Goal };
    let request = Request {
        hand: 30,
        policy,
        given: None,
        draws: 10,
        turns: vec![],
        work: DEFAULT_WORK,
        memory: DEFAULT_MEMORY,
    };
    let answer =
        odds::ask(&population, &HandQuery::parse("1+ \"card 007\"").unwrap(), &request).unwrap();
    let fraction = answer.value;
    assert!(fraction.nearest() > 0.3 && fraction.nearest() < 0.4, "{fraction}");
}

/// A card that no pool knows is a card of the deck.
#[test]
fn unknown_cards_are_drawn() {
    let pool = numbered(60);
    let half = Population::new(&pool, pool.ids().map(|card| (card, 1)), 60).unwrap();
    for (hand, query, expected) in [(1, "1+ \"card 007\"", "1/120"), (2, "2 []", "1/1")] {
        let query = HandQuery::parse(query).unwrap();
        let answer = odds::ask(&half, &query, &Request::without_mulligan(hand)).unwrap();
        assert_eq!(answer.value.to_string(), expected);
    }
}

/// Every line of the reference that shows a query is one, and asks for nothing in vain.
#[test]
fn the_reference_shows_queries_as_they_are_read() {
    let cards = std::fs::read("formats/shell/cards.csv").unwrap();
    let game = decklaw::format::Catalogue::built_in().game("shell").unwrap();
    let pool = game.read_cards(&cards).unwrap();
    let mut shown = 0;
    for kind in ["cards", "hand"] {
        let text = decklaw::query::REFERENCE;
        let (_, block) = text.split_once(&format!("```{kind}\n")).unwrap();
        let (block, _) = block.split_once("```").unwrap();
        for line in block.lines() {
            let query = line.split_once("  ").map_or(line, |(query, _)| query);
            let remarks = match kind {
                "cards" => {
                    let query = decklaw::query::Query::parse(query).unwrap();
                    assert!(query.select(&pool).is_ok(), "{line}");
                    query.remarks(&pool).into_iter().map(|remark| remark.message).collect()
                }
                _ => {
                    let query = decklaw::query::HandQuery::parse(query).unwrap();
                    let copies = pool.ids().map(|card| (card, 1));
                    let deck = decklaw::odds::Population::new(&pool, copies, 0).unwrap();
                    assert_eq!(decklaw::odds::check(&query, &deck), Ok(()), "{line}");
                    query.remarks(&pool)
                }
            };
            // What is exactly this is shown for its sign.
            assert!(remarks.is_empty() || line.starts_with("text=draw"), "{line}: {remarks:?}");
            shown += 1;
        }
    }
    assert!(shown > 30, "{shown}");
}

/// A game's cards, and how its hands are drawn.
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
