//! Tuning against brute force: of small decks every legal one within the exchanges is tried,
//! and none may have better odds.

use crate::support::Random;
use crate::worlds::{FORMATS, garbage, mutated, rulebook, slots};
use decklaw::odds::{
    DEFAULT_WORK, Fraction, HandQuery, Keep, Mulligan, Policy, Population, Request, ask,
};
use decklaw::pool::CardId;
use decklaw::resolve::Decklist;
use decklaw::solve::tune::{Tuned, Tuning, tune};
use decklaw::solve::{Repair, Wish, Wishes, repair};
use std::cmp::Ordering;
use std::sync::Arc;

fn order(one: &Fraction, other: &Fraction) -> Ordering {
    let left = one.numerator() * other.denominator();
    left.cmp(&(other.numerator() * one.denominator()))
}

/// The odds of a deck, if such hands can be drawn from it.
fn odds(deck: &Decklist, tuning: &Tuning) -> Option<Vec<Fraction>> {
    let population = Population::of_list(deck, usize::from(tuning.section)).ok()?;
    let each = tuning
        .queries
        .iter()
        .map(|query| Some(ask(&population, query, &tuning.request).ok()?.value));
    each.collect()
}

/// Every deck that differs by at most so many copies out and so many in.
fn around(
    deck: &Decklist,
    slots: &[(u16, CardId)],
    (out, into): (i64, i64),
    see: &mut dyn FnMut(&Decklist),
) {
    let Some(((section, card), rest)) = slots.split_first() else {
        see(deck);
        return;
    };
    let held = deck.copies(*section, *card);
    for by in -out.min(held)..=into {
        let mut next = deck.clone();
        next.set(*section, *card, held + by);
        around(&next, rest, (out + by.min(0), into - by.max(0)), see);
    }
}

fn asked(random: &mut Random, deck: &Decklist) -> Vec<HandQuery> {
    let name = |random: &mut Random| {
        let card = random.below(deck.pool().len());
        format!("\"{}\"", deck.pool().name(CardId(card as u32)))
    };
    let mut texts = Vec::new();
    for _ in 0..1 + random.below(2) {
        let (a, b, c) = (name(random), name(random), name(random));
        texts.push(match random.below(6) {
            0 => format!("1+ {a}"),
            1 => format!("1+ [{a} or {b}] and no {c}"),
            2 => format!("different(1+ {a}, 1+ [{a} or {b}])"),
            3 => format!("1 [{a} or {b} or {c}]"),
            4 => format!("2- [-({a} or {b})]"),
            _ => format!("2+ [{a} or {b} or card]"),
        });
    }
    let parse = |text: String| HandQuery::parse(&text).unwrap();
    texts.into_iter().map(parse).collect()
}

fn policy(random: &mut Random, keep: &HandQuery) -> Policy {
    let mulligan = [Mulligan::None, Mulligan::Aside, Mulligan::Shuffle][random.below(3)];
    let keep = match random.below(3) {
        0 => Keep::Goal,
        1 => Keep::Query(keep.clone()),
        _ => Keep::Best,
    };
    Policy {
        mulligan,
        limit: match mulligan {
            Mulligan::None => 0,
            _ => 1 + random.below(2) as u32,
        },
        bottom: vec![0, random.below(2) as u32, 1],
        keep,
    }
}

/// Compares a tuning with brute force; how many steps had something to compare.
fn compare(deck: &Decklist, tuning: &Tuning, what: &str) -> usize {
    let Ok(tuned) = tune(deck, tuning) else {
        return 0;
    };
    let slots = slots(&tuned.start);
    let mut compared = 0;
    for step in &tuned.steps {
        let most = i64::from(step.exchanges);
        let mut best: Option<Vec<Fraction>> = None;
        around(&tuned.start, &slots, (most, most), &mut |other| {
            let wished = &tuning.wishes.must;
            if !other.is_legal() || !wished.iter().all(|wish| wish.holds(&tuned.start, other)) {
                return;
            }
            let Some(found) = odds(other, tuning) else {
                return;
            };
            let is_better = best.as_ref().is_none_or(|best| {
                let mut parts = found.iter().zip(best);
                let first = parts.find_map(|(one, other)| {
                    Some(order(one, other)).filter(|order| *order != Ordering::Equal)
                });
                first == Some(Ordering::Greater)
            });
            if is_better {
                best = Some(found);
            }
        });
        check(&tuned, tuning, step.exchanges, best.as_ref(), what);
        compared += usize::from(best.is_some());
    }
    compared
}

fn check(tuned: &Tuned, tuning: &Tuning, exchanges: u32, best: Option<&Vec<Fraction>>, what: &str) {
    let step = &tuned.steps[exchanges as usize - 1];
    let what = format!(
        "{what}, {exchanges} exchanges of {:?}",
        tuned.start.listing()
    );
    assert!(step.optimal, "{what}: not proven");
    let Some((deck, said)) = &step.best else {
        assert_eq!(best, None, "{what}");
        return;
    };
    assert!(deck.is_legal(), "{what}");
    let changes = tuned.start.changes_to(deck);
    let by = changes.iter().map(|change| change.to - change.from);
    let came: i64 = by.clone().filter(|by| *by > 0).sum();
    let gone: i64 = by.filter(|by| *by < 0).sum();
    assert!(came.max(-gone) <= i64::from(exchanges), "{what}");
    let again = odds(deck, tuning).unwrap();
    assert_eq!(again, said.each, "{what}");
    assert_eq!(Some(&again), best, "{what}: {:?}", deck.listing());
    assert_eq!(again[0], said.probability, "{what}");
    assert_eq!(step.bound, said.probability, "{what}");
}

fn case(format: &str, seed: u64) -> Option<usize> {
    let mut random = Random::new(seed * 64 + 5 + format.len() as u64);
    let rulebook = rulebook(format, &mut random);
    let empty = Decklist::empty(Arc::clone(&rulebook));
    let start = match (seed % 4, repair(&empty, &Wishes::default())) {
        (0, _) => garbage(&rulebook, &mut random),
        (edits, Repair::Found(found)) => mutated(&found.deck, 2 * edits as usize, &mut random),
        _ => return None,
    };
    let section = rulebook
        .format()
        .game()
        .sections()
        .iter()
        .position(|section| section.shuffled);
    let queries = asked(&mut random, &start);
    let mut wishes = Wishes::default();
    let card = CardId(random.below(start.pool().len()) as u32);
    let query = format!("\"{}\"", start.pool().name(card));
    match random.below(6) {
        0 => wishes.must.push(Wish::keep(&query, start.pool()).unwrap()),
        1 => wishes
            .must
            .push(Wish::only(&format!("-{query}"), start.pool()).unwrap()),
        2 => wishes
            .must
            .push(Wish::parse(&format!("1+ {query}"), &rulebook).unwrap()),
        _ => {}
    }
    let keep = asked(&mut random, &start).remove(0);
    let slots = slots(&start).len();
    let tuning = Tuning {
        section: section.unwrap_or(0) as u16,
        request: Request {
            hand: 1 + random.below(3) as u32,
            policy: policy(&mut random, &keep),
            given: None,
            draws: random.below(2) as u32,
            turns: Vec::new(),
            work: DEFAULT_WORK,
        },
        queries,
        changes: if slots <= 7 { 2 } else { 1 },
        wishes,
    };
    Some(compare(
        &start,
        &tuning,
        &format!("{format} {seed}: {tuning:?}"),
    ))
}

#[test]
fn no_legal_deck_within_the_exchanges_has_better_odds() {
    let (mut cases, mut compared) = (0, 0);
    for format in FORMATS {
        for seed in 0..90 {
            let found = case(format, seed).unwrap_or(0);
            cases += usize::from(found > 0);
            compared += found;
        }
    }
    assert!(
        cases >= 500 && compared >= 600,
        "{cases} cases, {compared} steps"
    );
}

/// What each game's hands are asked for: counts, sums with every comparison, `some`, `different`.
fn every_kind(game: &str) -> Vec<String> {
    let (number, word, value, group) = match game {
        "shell" => ("mana", "colour:red", "colour:green", "colour"),
        "vainqueur" => ("str", "type:monster", "type:spell", "rank"),
        "vanquishers" => ("cost", "type:weapon", "type:ability", "kind"),
        "versus" => ("", "type:character", "type:trap", "element"),
        _ => return Vec::new(),
    };
    let mut queries = vec![
        format!("2+ [{word}] and no [{value}]"),
        format!("1 [{word}] or not 1+ [{value}]"),
        format!("different(1+ [{word}], 1+ [{word} or {value}])"),
        format!("some {group} (2+ [])"),
    ];
    if number.is_empty() {
        return queries;
    }
    for compared in ["<= 14", ">= 12", "< 9", "> 20", "= 10", "!= 10"] {
        queries.push(format!("sum({number}) {compared}"));
    }
    queries.push(format!("sum({number}) [{word}] >= 6 and 1+ [{value}]"));
    queries
}

fn shipped() -> Vec<(String, Decklist)> {
    let judge = crate::support::judge();
    let mut found = Vec::new();
    for game in ["shell", "vainqueur", "vanquishers", "versus"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("decks");
        let mut files: Vec<_> = std::fs::read_dir(folder.join(game))
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            if let Some(deck) = crate::support::read(&judge, &text).filter(Decklist::is_legal) {
                found.push((format!("{game} {}", file.display()), deck));
            }
        }
    }
    found
}

/// Whether one answer is better than another; `None` is no deck at all.
fn best(step: &decklaw::solve::tune::Step) -> Option<&Vec<Fraction>> {
    step.best.as_ref().map(|(_, odds)| &odds.each)
}

fn is_better(one: Option<&Vec<Fraction>>, other: Option<&Vec<Fraction>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => order(&one[0], &other[0]) == Ordering::Greater,
        (one, other) => one.is_some() && other.is_none(),
    }
}

/// Asking for more exchanges, or with more cards to choose from, never makes less known: a step
/// is as good as in a call for just so many exchanges, and as where only some cards may come in.
/// `DECKLAW_TUNINGS` is how many queries each deck is asked.
#[test]
fn no_other_call_knows_better_what_a_step_comes_to() {
    let queries = std::env::var("DECKLAW_TUNINGS").ok();
    let queries = queries
        .and_then(|queries| queries.parse().ok())
        .unwrap_or(3);
    let mut compared = 0;
    for (at, (name, start)) in shipped().into_iter().enumerate() {
        let all = every_kind(name.split(' ').next().unwrap());
        let section = start.rulebook().format().game().sections().iter();
        let section = section
            .clone()
            .position(|section| section.shuffled)
            .unwrap() as u16;
        let own = |deck: &Decklist| {
            let names = deck
                .holdings()
                .map(|held| format!("\"{}\"", deck.name(held.card)));
            names.collect::<Vec<_>>().join(" or ")
        };
        for nth in 0..queries.min(all.len()) {
            let text = &all[(at * 3 + nth * 4) % all.len()];
            let tuning = |changes: u32, only: Option<String>| {
                let only = only.map(|query| Wish::only(&query, start.pool()).unwrap());
                Tuning {
                    section,
                    queries: vec![HandQuery::parse(text).unwrap()],
                    request: Request::without_mulligan(6),
                    changes,
                    wishes: Wishes {
                        must: only.into_iter().collect(),
                        ..Wishes::default()
                    },
                }
            };
            let run = |tuning: &Tuning| {
                let tuned = tune(&start, tuning).unwrap();
                for step in &tuned.steps {
                    let bound = vec![step.bound.clone()];
                    let what = format!("{name} {text} {}", step.exchanges);
                    assert!(
                        !is_better(best(step), Some(&bound)),
                        "{what}: above its bound"
                    );
                    if let Some((deck, odds)) = &step.best {
                        let found = Population::of_list(deck, usize::from(section)).unwrap();
                        let again = ask(&found, &tuning.queries[0], &tuning.request).unwrap();
                        assert_eq!(again.value, odds.each[0], "{what}");
                        assert!(deck.is_legal(), "{what}");
                    }
                }
                tuned
            };
            let whole = run(&tuning(2, None));
            let others = [
                ("fewer exchanges", run(&tuning(1, None))),
                ("its own cards", run(&tuning(2, Some(own(&start))))),
                (
                    "half of the pool",
                    run(&tuning(2, Some("ar or re or li".to_owned()))),
                ),
            ];
            for (what, other) in &others {
                for (step, other) in whole.steps.iter().zip(&other.steps) {
                    let what = format!("{name} {text}, {} exchanges, {what}", step.exchanges);
                    let more = is_better(best(other), best(step));
                    assert!(!(more && step.optimal), "{what}: not the best");
                    if let Some(found) = best(other) {
                        assert!(
                            order(&found[0], &step.bound) != Ordering::Greater,
                            "{what}: above the bound"
                        );
                    }
                    compared += 1;
                }
            }
            for pair in whole.steps.windows(2) {
                assert!(!is_better(best(&pair[0]), best(&pair[1])), "{name} {text}");
            }
        }
    }
    assert!(compared >= 200, "{compared}");
}

fn tuned_json(folder: &std::path::Path, arguments: &[&str]) -> serde_json::Value {
    let all = [&["tune", "deck.txt"], arguments, &["-o", "json"]].concat();
    let output = crate::command::run(folder, &all);
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

const TRAPS: &str = "1+ [type:item] and 1+ [type:trap]";

#[test]
fn the_command_says_what_each_exchange_brings_and_keeps_what_must_stay() {
    let folder = tempfile::tempdir().unwrap();
    let deck = std::fs::read("decks/versus/hedge-and-harrow.txt").unwrap();
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let free = tuned_json(folder.path(), &[TRAPS, "--changes", "2"]);
    assert_eq!(free["schema"], "decklaw/tune/1");
    assert_eq!(
        (&free["population"], &free["hand"]),
        (&30.into(), &5.into())
    );
    assert_eq!(free["steps"].as_array().unwrap().len(), 2);
    assert_eq!(free["steps"][1]["optimal"], true);
    assert_eq!(free["steps"][1]["after"]["verdict"], "legal");
    // What is said is what `odds` says of the deck as it is.
    let odds = crate::command::run(folder.path(), &["odds", "deck.txt", TRAPS, "-o", "json"]);
    let odds: serde_json::Value = serde_json::from_slice(&odds.stdout).unwrap();
    assert_eq!(free["before"]["fraction"], odds["answers"][0]["fraction"]);
    let only = ["--only", "type:item", "--keep", "type:trap"];
    let kept = tuned_json(
        folder.path(),
        &[&[TRAPS, "--changes", "2"], &only[..]].concat(),
    );
    let better = |told: &serde_json::Value| told["steps"][1]["probability"].as_f64().unwrap();
    assert!(better(&kept) < better(&free));
    // Of two queries the first counts before the second.
    let both = tuned_json(folder.path(), &["1+ [type:trap]", "1+ [type:item]"]);
    let trap = tuned_json(folder.path(), &["1+ [type:trap]"]);
    assert_eq!(both["steps"][4]["fraction"], trap["steps"][4]["fraction"]);
    assert_eq!(both["before"]["each"].as_array().unwrap().len(), 2);
    let table = crate::command::run(folder.path(), &["tune", "deck.txt", TRAPS, "-o", "csv"]);
    let table = crate::command::text(&table.stdout);
    assert!(table.starts_with(
        "exchanges,probability,fraction,optimal,section,card,from,to,not built in\n0,"
    ));
}

#[test]
fn a_step_changes_the_fewest_cards_and_is_called_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let deck = std::fs::read("decks/versus/hedge-and-harrow.txt").unwrap();
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let tuned = tuned_json(folder.path(), &[TRAPS, "--changes", "2"]);
    // Two copies of one card go, and two of one come.
    assert_eq!(tuned["steps"][1]["changes"].as_array().unwrap().len(), 2);
    let human = |arguments: &[&str]| {
        let output = crate::command::run(std::path::Path::new("."), arguments);
        crate::command::text(&output.stdout)
    };
    let deck = "decks/vanquishers/every-penny.txt";
    let weapon = "1+ [type:weapon]";
    let added = human(&["tune", deck, weapon, "--changes", "2", "--keep", "cost>=0"]);
    assert!(
        added.contains("\n2 cards in ") && !added.contains("exchange"),
        "{added}"
    );
    let cut = human(&["tune", deck, weapon, "--changes", "60", "--effort", "1"]);
    assert!(!cut.contains("100.00 %)"), "{cut}");
}

#[test]
fn a_deck_that_is_not_legal_is_tuned_from_its_smallest_repair() {
    let folder = tempfile::tempdir().unwrap();
    let deck = std::fs::read("decks/shell/overspent.txt").unwrap();
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let told = tuned_json(folder.path(), &["1+ [mana:1]", "--changes", "1"]);
    assert_eq!(told["repaired"]["distance"], 1);
    // It is the repair that `fix` names.
    let fixed = crate::command::run(folder.path(), &["fix", "deck.txt", "-o", "json"]);
    let fixed: serde_json::Value = serde_json::from_slice(&fixed.stdout).unwrap();
    assert_eq!(told["repaired"]["distance"], fixed["distance"]);
    assert_eq!(
        told["repaired"]["changes"][0]["card"],
        fixed["changes"][0]["card"]
    );
    assert!(fixed["changes"][0]["card"].is_string());
    let human = crate::command::run(folder.path(), &["tune", "deck.txt", "1+ [mana:1]"]);
    assert!(crate::command::text(&human.stdout).contains("not legal"));
    for (arguments, word) in [
        (&["1+ [mana:1]", "--changes", "0"][..], "from 1 to 60"),
        (&["1+ [manna:1]"], "manna"),
    ] {
        let refused =
            crate::command::run(folder.path(), &[&["tune", "deck.txt"], arguments].concat());
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        let said = crate::command::text(&refused.stderr);
        assert!(said.contains(word), "{said}");
    }
}
