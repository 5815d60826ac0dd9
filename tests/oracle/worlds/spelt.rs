//! Rules of random formats, written in the language of demands: they break the same decks.

use super::{contents, made, random_deck, worlds};
use decklaw::format::{Game, Rulebook};
use decklaw::rules::condition::Conditions;
use decklaw::rules::{Contents, Failing};
use std::collections::BTreeMap;
use std::sync::Arc;

fn breaks(rulebook: &Rulebook, rule: &str, contents: &Contents<'_>) -> bool {
    let rule = rulebook.rules().iter().find(|own| own.id == rule);
    let found = rule.unwrap().judge(contents);
    found.iter().any(|one| one.failing != Failing::Unverified)
}

#[test]
fn rules_and_what_explain_says_of_them_break_the_same_decks() {
    let mut seen: BTreeMap<&'static str, (u32, u32)> = BTreeMap::new();
    for seed in 0..8 * worlds() {
        let (world, rulebook, mut random) = made(seed);
        if world.chooses || world.list.is_some() {
            continue;
        }
        let text = world.format();
        let (head, _) = text.split_once("rules:\n").unwrap();
        let entries = &rulebook.format().game().file.rules;
        let mut rules = format!("{head}rules:\n");
        let mut places = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let Some(spelt) = entry.must.spelt() else {
                continue;
            };
            let each = spelt
                .each
                .map_or(String::new(), |each| format!("each: {each}, "));
            let demand = serde_json::Value::from(spelt.demand);
            rules += &format!("  - {{id: r{at}, source: s, about: a, {each}demand: {demand}}}\n");
            places.push((
                at,
                entry.must.name(),
                matches!(entry.conditions, Conditions::None),
            ));
        }
        if places.is_empty() {
            continue;
        }
        let game = Game::read("world.yaml", &rules)
            .unwrap_or_else(|error| panic!("{rules}\n{:?}", error.problems));
        let game = Arc::new(game);
        let pool = game.read_cards(world.csv().as_bytes()).unwrap();
        let format = game.formats().remove(0);
        let made = Rulebook::new(&format, Arc::new(pool), None, &BTreeMap::new());
        let twin = Arc::new(made.unwrap_or_else(|error| panic!("{rules}\n{error}")));
        for _ in 0..20 {
            let deck = random_deck(&world, &mut random);
            let own = contents(&rulebook, &world, &deck);
            let theirs = contents(&twin, &world, &deck);
            for (at, kind, plain) in &places {
                if !plain {
                    continue;
                }
                let id = format!("r{at}");
                let (one, other) = (breaks(&rulebook, &id, &own), breaks(&twin, &id, &theirs));
                assert_eq!(
                    one,
                    other,
                    "seed {seed}, {kind}, r{at}\n{text}\n{rules}\n{}\n{deck:?}",
                    world.csv()
                );
                let count = seen.entry(kind).or_default();
                match one {
                    true => count.1 += 1,
                    false => count.0 += 1,
                }
            }
        }
    }
    assert!(seen.len() >= 10, "{seen:?}");
    for (kind, (kept, broken)) in &seen {
        let few = kept + broken < 400;
        assert!(few || (*kept > 0 && *broken > 0), "{kind}: {kept} {broken}");
    }
}
