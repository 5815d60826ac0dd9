//! Thousands of random questions, answered twice.

use crate::oracle::*;
use decklaw::odds::{self, *};

fn deck(random: &mut Random, size: usize) -> Vec<Card> {
    (0..size).map(|_| *random.pick(&CARDS)).collect()
}

fn query(ask: &Ask) -> HandQuery {
    HandQuery::parse(&ask.text()).unwrap_or_else(|error| panic!("{}: {error}", ask.text()))
}

#[test]
fn every_hand_size_agrees_with_dealing_every_hand() {
    let pool = pool();
    for seed in 0..2000 {
        let random = &mut Random(seed);
        let size = 4 + random.below(5);
        let deck = deck(random, size);
        let ask = Ask::random(random, 3);
        let text = ask.text();
        let population = population(&pool, &deck);
        let most = deck.len() as u32;
        let request = Request {
            turns: (0..=most).map(|drawn| (drawn, drawn)).collect(),
            ..Request::without_mulligan(0)
        };
        let answer = odds::ask(&population, &query(&ask), &request).unwrap();
        for (hand, turn) in (0..).zip(&answer.turns) {
            let all = subsets((1 << deck.len()) - 1, hand);
            let found = all
                .iter()
                .filter(|set| ask.holds(&cards(&deck, **set), &deck))
                .count();
            assert!(
                Ratio(found as u128, all.len() as u128).same(&turn.value),
                "seed {seed}: {text}, {hand} of {deck:?}"
            );
        }
    }
}

#[test]
fn mulligan_chains_agree_with_playing_them_card_by_card() {
    let pool = pool();
    for seed in 0..300 {
        let random = &mut Random(seed);
        let hand = 1 + random.below(3) as u32;
        let size = 2 * hand as usize + random.below(3);
        let deck = deck(random, size);
        let (goal, keep) = (Ask::random(random, 2), Ask::random(random, 1));
        let given = (random.below(4) == 0).then(|| Ask::random(random, 1));
        let aside = random.below(3) > 0;
        let limit = random.below(3);
        let bottom: Vec<u32> = (0..=limit).map(|_| random.below(2) as u32).collect();
        let how = random.below(3);
        let left = (size as u32 - hand).min(3);
        let draws = random.below(1 + left as usize) as u32;
        let policy = Policy {
            mulligan: if aside {
                Mulligan::Aside
            } else {
                Mulligan::Shuffle
            },
            limit: limit as u32,
            bottom: bottom.clone(),
            keep: match how {
                0 => Keep::Best,
                1 => Keep::Goal,
                _ => Keep::Query(query(&keep)),
            },
        };
        let request = Request {
            hand,
            policy,
            given: given.as_ref().map(query),
            draws,
            turns: vec![(1, 0), (2, 1.min(left))],
            work: DEFAULT_WORK,
        };
        let keep = [None, Some(&goal), Some(&keep)][how];
        let answer = odds::ask(&population(&pool, &deck), &query(&goal), &request);
        let mut game = Game {
            deck: &deck,
            hand,
            aside,
            limit,
            bottom: &bottom,
            keep,
            goal: &goal,
            draws,
            total: None,
        };
        let Some(slow) = game.odds(given.as_ref()) else {
            assert!(
                matches!(answer, Err(OddsError::NeverGiven { .. })),
                "seed {seed}"
            );
            continue;
        };
        let answer = answer.unwrap();
        let what = format!("seed {seed}: {} draws {draws}, {slow:?}", goal.text());
        assert!(slow.same(&answer.value), "{what}, {:?}", answer.value);
        for turn in &answer.turns {
            game.draws = turn.seen - hand;
            let slow = game.odds(given.as_ref()).unwrap();
            assert!(slow.same(&turn.value), "{what}, turn {turn:?}");
        }
        if let Some(best) = &answer.best {
            let (draws, limit) = (draws, 0);
            let never = Game {
                draws,
                limit,
                ..game
            }
            .odds(given.as_ref())
            .unwrap();
            assert!(never.same(&best.never), "{what}");
        }
    }
}

#[test]
fn paths_agree_with_dealing_in_order() {
    let pool = pool();
    for seed in 0..100 {
        let random = &mut Random(seed);
        let size = 5 + random.below(3);
        let deck = deck(random, size);
        let (first, second) = (Ask::random(random, 2), Ask::random(random, 2));
        let few = 1 + random.below(2) as u32;
        let more = few + 1 + random.below(2) as u32;
        let path = format!("{few}: {}; {more}: {}", first.text(), second.text());
        let path = Path::parse(&path).unwrap();
        let all = (1 << size) - 1;
        let (mut found, mut dealt) = (0, 0);
        for hand in subsets(all, few) {
            for drawn in subsets(all & !hand, more - few) {
                dealt += 1;
                let holds = first.holds(&cards(&deck, hand), &deck)
                    && second.holds(&cards(&deck, hand | drawn), &deck);
                found += u128::from(holds);
            }
        }
        let fast = path
            .likelihood(&population(&pool, &deck), DEFAULT_WORK)
            .unwrap();
        assert!(
            Ratio(found, dealt).same(&fast),
            "seed {seed}: {} {found}/{dealt} {fast}",
            path.text()
        );
    }
}

#[test]
fn totals_agree_and_add_up_to_one() {
    let pool = pool();
    for seed in 0..60 {
        let random = &mut Random(seed);
        let hand = 1 + random.below(3) as u32;
        let size = 2 * hand as usize + random.below(4);
        let deck = deck(random, size);
        let keep = Ask::random(random, 1);
        let given = (random.below(4) == 0).then(|| Ask::random(random, 1));
        let limit = random.below(3);
        let aside = random.below(2) == 0;
        let bottom: Vec<u32> = (0..=limit).map(|_| random.below(2) as u32).collect();
        let draws = random.below(2) as u32;
        let (text, group) = *random.pick(&[
            ("sum(mana)", None),
            ("sum(mana) [suit:red]", Some("suit:red")),
        ]);
        let request = Request {
            policy: Policy {
                mulligan: if aside {
                    Mulligan::Aside
                } else {
                    Mulligan::Shuffle
                },
                limit: limit as u32,
                bottom: bottom.clone(),
                keep: Keep::Query(query(&keep)),
            },
            given: given.as_ref().map(query),
            draws,
            turns: vec![(1, 0), (2, draws + 1)],
            ..Request::without_mulligan(hand)
        };
        let total = TotalQuery::parse(text).unwrap();
        let Ok(answer) = odds::ask_total(&population(&pool, &deck), &total, &request) else {
            continue;
        };
        let turns = answer
            .turns
            .iter()
            .map(|turn| (turn.seen - hand, &turn.value));
        for (draws, found) in turns.chain([(draws, &answer.value)]) {
            let mut sum = Ratio(0, 1);
            for (value, fraction) in &found.values {
                let game = Game {
                    deck: &deck,
                    hand,
                    aside,
                    limit,
                    bottom: &bottom,
                    keep: Some(&keep),
                    goal: &Ask::Sum(group, "=", *value as i64),
                    draws,
                    total: Some(group),
                };
                let slow = game.odds(given.as_ref()).unwrap();
                let what = format!("seed {seed}: {value} {fraction} {slow:?}");
                assert!(slow.same(fraction), "{what}");
                sum = sum.plus(slow);
            }
            assert_eq!(sum.0, sum.1, "seed {seed}: the distribution adds up to 1");
        }
    }
}

/// A rule of the best hands is read by `--keep-hand` and makes the goal as likely; a group has just
/// the cards of its atom. Returns whether there is a rule.
fn rules_are_read_back(
    population: &Population<'_>,
    goal: &HandQuery,
    request: &Request,
    what: &str,
) -> bool {
    let Ok(answer) = odds::ask(population, goal, request) else {
        return false;
    };
    for atom in answer.work.iter().flat_map(|work| &work.atoms) {
        if !atom.is_group {
            continue;
        }
        // As many of the group as the atom has copies, in a hand that is the whole deck.
        let all = HandQuery::parse(&format!("{} {}", atom.copies, atom.label)).unwrap();
        let whole = Request::without_mulligan(population.size());
        let found = odds::ask(population, &all, &whole).unwrap();
        assert_eq!(found.value.to_string(), "1/1", "{what}: {}", atom.label);
    }
    let Some(best) = answer.best else {
        return false;
    };
    let queries: Option<Vec<&str>> = best.rule.iter().map(KeepRule::query).collect();
    let Some(queries) = queries.filter(|all| all.windows(2).all(|two| two[0] == two[1])) else {
        return false;
    };
    let keep = HandQuery::parse(queries[0]);
    let keep = keep.unwrap_or_else(|error| panic!("{what}: {}: {error}", queries[0]));
    let policy = Policy {
        keep: Keep::Query(keep),
        ..request.policy.clone()
    };
    let again = Request {
        policy,
        ..request.clone()
    };
    let again = odds::ask(population, goal, &again).unwrap();
    assert_eq!(&again.value, &answer.value, "{what}: {}", queries[0]);
    true
}

fn best(hand: u32, mulligan: Mulligan, limit: u32, bottom: Vec<u32>) -> Request {
    Request {
        policy: Policy {
            mulligan,
            limit,
            bottom,
            keep: Keep::Best,
        },
        ..Request::without_mulligan(hand)
    }
}

#[test]
fn the_best_rule_of_random_questions_is_one_that_keep_reads() {
    let pool = pool();
    let mut rules = 0;
    for seed in 0..600 {
        let random = &mut Random(seed);
        let size = 9 + random.below(12);
        let deck = deck(random, size);
        let hand = 2 + random.below(3) as u32;
        let goal = Ask::random(random, 3);
        let mulligan = *random.pick(&[Mulligan::Aside, Mulligan::Shuffle]);
        let limit = 1 + random.below(2) as u32;
        let bottom = vec![0, random.below(2) as u32];
        let mut request = best(hand, mulligan, limit, bottom);
        request.draws = random.below(2) as u32;
        let what = format!("seed {seed}: {}", goal.text());
        let population = population(&pool, &deck);
        rules += usize::from(rules_are_read_back(
            &population,
            &query(&goal),
            &request,
            &what,
        ));
    }
    assert!(rules >= 300, "{rules}");
}
