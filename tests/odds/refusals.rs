//! What cannot be answered: a clear error at its place, quickly.

use decklaw::odds::{self, *};
use decklaw::pool::{Field, FieldKind, NameField, Pool};
use std::time::{Duration, Instant};

fn pool() -> Pool {
    let mana =
        Field { name: "mana".into(), kind: FieldKind::Number { min: i64::MIN, max: i64::MAX } };
    let kind = Field { name: "type".into(), kind: FieldKind::Word { values: vec![], open: true } };
    let mut csv = "name,mana,type\n".to_owned();
    for number in 0..1000 {
        csv += &format!("card {number},{number},monster\n");
    }
    Pool::read_csv(csv.as_bytes(), &[mana, kind]).unwrap()
}

fn refuse(query: &str) -> (String, String) {
    let pool = pool();
    let population = Population::new(&pool, pool.ids().map(|card| (card, 1)), 0).unwrap();
    let start = Instant::now();
    let error =
        HandQuery::parse(query).and_then(|query| odds::check(&query, &population)).unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(2), "{query:.60}");
    (error.message, query[error.span.start..error.span.end].to_owned())
}

/// A row is a query, the words of it that the error names, and words of the message.
#[test]
fn errors_point_at_what_is_wrong() {
    for row in crate::common::table("wrong queries of hands") {
        let mut parts = row.split(" @ ");
        let [query, place, word] = [(); 3].map(|()| parts.next().unwrap());
        let (message, blamed) = refuse(query);
        assert_eq!(blamed, place, "{query}: {message}");
        assert!(message.contains(word), "{query}: {message}");
    }
}

#[test]
fn endless_queries_are_refused_soon() {
    assert!(
        refuse(&format!("{}1+ []", "1+ [] or ".repeat(10_000))).0.contains("too many conditions")
    );
    assert!(
        refuse(&format!("{}1+ []{}", "(".repeat(1000), ")".repeat(1000))).0.contains("brackets")
    );
    assert!(refuse(&format!("{}1+ []", "not ".repeat(1000))).0.contains("brackets"));
    assert!(refuse(&"(".repeat(100_000)).0.contains("brackets"));
    assert!(refuse(&format!("different({}1+ [])", "1+ [],".repeat(20))).0.contains("at most 8"));
    let nested = "some type (".repeat(50) + "1+ []" + &")".repeat(50);
    let pool = pool();
    let population = Population::new(&pool, pool.ids().map(|card| (card, 1)), 0).unwrap();
    assert_eq!(odds::check(&HandQuery::parse(&nested).unwrap(), &population), Ok(()));
}

#[test]
fn impossible_requests_are_refused() {
    let pool = pool();
    let population = Population::new(&pool, pool.ids().map(|card| (card, 1)), 0).unwrap();
    let query = HandQuery::parse("1+ \"card 1\"").unwrap();
    let refused = |hand: u32, limit: u32, bottom: Vec<u32>, given: Option<&str>| {
        let policy = Policy { mulligan: Mulligan::Aside, limit, bottom, keep: Keep::Goal };
        let given = given.map(|given| HandQuery::parse(given).unwrap());
        let request = Request { policy, given, ..Request::without_mulligan(hand) };
        let error = odds::ask(&population, &query, &request).unwrap_err();
        error.to_string()
    };
    for (error, words) in [
        (refused(1001, 0, vec![], None), "1001 cards cannot be drawn from 1000"),
        (refused(501, 1, vec![], None), "leaves 499 cards of 1000"),
        (refused(7, 1, vec![0, 8], None), "8 cards cannot be bottomed from a hand of 7"),
        (refused(7, 0, vec![], Some("8+ []")), "no opening hand satisfies"),
        (refused(7, u32::MAX, vec![], None), "mulligans are too many"),
        (Population::new(&pool, [], 0).unwrap_err().to_string(), "no card"),
        (
            Population::new(
                &pool,
                [(pool.look_up("card 1", NameField::Name).card().unwrap(), u32::MAX); 3],
                5,
            )
            .unwrap_err()
            .to_string(),
            "too many",
        ),
    ] {
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn hard_questions_are_soon_refused() {
    let pool = pool();
    let population = Population::new(&pool, pool.ids().map(|card| (card, 900)), 7).unwrap();
    let start = Instant::now();
    let query = HandQuery::parse("some type (sum(mana) = 7777) or sum(mana) != 31").unwrap();
    let request = Request {
        hand: 60,
        policy: Policy::none(),
        given: None,
        draws: 0,
        turns: vec![],
        work: 1_000_000,
        ..Request::without_mulligan(60)
    };
    let answer = odds::ask(&population, &query, &request);
    assert!(matches!(answer, Err(OddsError::Limit { limit: Limit::Work, .. })));
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// Absences that hold together are one group, however they are written, and so are presences of
/// which one is enough: each is the fraction of the group of all their cards.
#[test]
fn absences_that_hold_together_are_one_group() {
    let names: Vec<String> = (0..40).map(|number| format!("card {number:02}")).collect();
    let pool = Pool::of_names(names.iter().map(String::as_str));
    let population = Population::new(&pool, pool.ids().map(|card| (card, 3)), 0).unwrap();
    let each = |term: &str, between: &str| {
        let terms = names[..30].iter().map(|name| format!("{term} \"{name}\""));
        terms.collect::<Vec<_>>().join(between)
    };
    let either = each("", " or ");
    let absent = each("no", " and ");
    let (front, back) = absent.split_at(absent.find("no \"card 15").unwrap());
    let nested = format!(
        "({}) and not ({})",
        front.trim_end_matches(" and "),
        back.replace("no ", "1+ ").replace(" and ", " or ")
    );
    for policy in [
        Policy::none(),
        Policy { mulligan: Mulligan::Shuffle, limit: 1, bottom: vec![], keep: Keep::Goal },
    ] {
        let request = Request { policy, ..Request::without_mulligan(6) };
        let answer = |query: &str| {
            odds::ask(&population, &HandQuery::parse(query).unwrap(), &request).unwrap()
        };
        for (query, one) in [
            (absent.clone(), format!("no [{either}]")),
            (nested.clone(), format!("no [{either}]")),
            (each("1+", " or "), format!("1+ [{either}]")),
            (format!("not ({absent})"), format!("1+ [{either}]")),
        ] {
            let (many, one) = (answer(&query), answer(&one));
            assert_eq!(many.value, one.value, "{query}");
            assert_eq!(many.work.unwrap().atoms.len(), 1, "{query}");
        }
    }
}

/// A question beyond its memory is refused as such, however much work it may take, and before the
/// memory is taken: the budget holds what is resident.
#[test]
fn questions_beyond_their_memory_say_so() {
    let names: Vec<String> = (0..40).map(|number| format!("card {number:02}")).collect();
    let pool = Pool::of_names(names.iter().map(String::as_str));
    let population = Population::new(&pool, pool.ids().map(|card| (card, 3)), 0).unwrap();
    let terms: Vec<String> = names[..30].iter().map(|name| format!("2- \"{name}\"")).collect();
    let query = terms.join(" and ");
    let policy = Policy { mulligan: Mulligan::Shuffle, limit: 1, bottom: vec![], keep: Keep::Goal };
    let request =
        Request { policy, work: u64::MAX, memory: 32 << 20, ..Request::without_mulligan(6) };
    let error = odds::ask(&population, &HandQuery::parse(&query).unwrap(), &request).unwrap_err();
    assert!(matches!(error, OddsError::Limit { limit: Limit::Memory, .. }), "{error:?}");
    let problem = decklaw::Problem::from(error);
    assert!(problem.message.contains("more memory than the limit of 32 MiB"), "{problem:?}");
    assert!(!format!("{problem:?}").contains("effort"), "{problem:?}");
    let question = OddsQuestion {
        queries: vec![query],
        hand: Some(6),
        mulligan: Some(Mulligan::Shuffle),
        mulligans: Some(1),
        work: Some(u64::MAX),
        memory: Some(32 << 20),
        ..OddsQuestion::default()
    };
    let report = odds::answer("-", &population, &OddsDefaults::default(), &question).unwrap();
    let notes: Vec<&str> =
        report.answers[0].notes.iter().map(|note| note.message.as_str()).collect();
    let notes = notes.join("\n");
    assert!(notes.contains("more memory than the limit of 32 MiB"), "{notes}");
    assert!(!notes.contains("raise"), "{notes}");
    // As many groups without a mulligan need no list of hands.
    let request = Request { policy: Policy::none(), ..request };
    assert!(
        odds::ask(&population, &HandQuery::parse(&question.queries[0]).unwrap(), &request).is_ok()
    );
}

#[test]
fn paths_that_make_no_sense() {
    for (path, word) in [
        ("", "number of cards"),
        ("7 1+ []", "number of cards"),
        ("x: 1+ []", "begins with a number"),
        ("7: 1+ []; 7: 1+ []", "more cards"),
        ("7: 1+ [", "never closed"),
    ] {
        let error = Path::parse(path).unwrap_err();
        assert!(error.to_string().contains(word), "{path}: {error}");
    }
}

/// Conditions times cards must fit in memory, or the query is refused.
#[test]
fn more_conditions_than_memory_holds_are_refused() {
    let names: Vec<String> = (0..50_000).map(|number| format!("card {number}")).collect();
    let pool = Pool::of_names(names.iter().map(String::as_str));
    let population = Population::new(&pool, pool.ids().map(|card| (card, 1)), 0).unwrap();
    let counts: Vec<String> = (100..500).map(|number| format!("2+ [{number}]")).collect();
    let query = HandQuery::parse(&counts.join(" or ")).unwrap();
    let error = odds::check(&query, &population).unwrap_err();
    assert!(error.message.contains("too many conditions for a deck of 50000"), "{error}");
    let few = HandQuery::parse(&counts[..20].join(" or ")).unwrap();
    assert_eq!(odds::check(&few, &population), Ok(()));
}

/// What a query multiplies is bounded before it is made: each is answered or refused, and none
/// goes on for ever or takes the memory of the machine.
#[test]
fn what_stands_in_one_another_is_bounded_in_work() {
    let names: Vec<String> = (0..60).map(|at| format!("Card {at}")).collect();
    let pool = Pool::of_names(names.iter().map(String::as_str));
    let deck = Population::new(&pool, pool.ids().zip([1; 60]), 0).unwrap();
    let nested = |opening: &str, inner: &str, depth: usize| {
        opening.repeat(depth) + inner + &")".repeat(depth)
    };
    let eight: Vec<String> = (0..8).map(|at| format!("1+ \"Card {at}\"")).collect();
    let different = format!("different({})", eight.join(", "));
    let request = Request::without_mulligan(7);
    let asked = |text: &str| ask(&deck, &HandQuery::parse(text).unwrap(), &request).map(|_| ());
    for depth in [1, 2] {
        assert!(asked(&nested("some name (", "1+ []", depth)).is_ok(), "{depth}");
    }
    for depth in [20, 40] {
        for inner in ["1+ []", "no \"Card 3\" or 2+ []", &different, &format!("not {different}")] {
            for opening in ["some name (", "not some name (", "1+ [] and some name ("] {
                let error = asked(&nested(opening, inner, depth)).unwrap_err();
                assert!(error.to_string().contains("too many conditions"), "{error}");
            }
        }
    }
    let many = vec![different.as_str(); 100].join(" or ");
    let _ = asked(&many);
    let _ = asked(&nested("not (", &many, 40));
}
