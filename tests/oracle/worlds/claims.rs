//! What the solver claims of a format's rules together, held against decks that the slow judge
//! judged: no deck may contradict a claim.

use super::*;

/// All questions of a world take long, so that there are fewer.
const SHARE: usize = 5;

#[test]
fn what_is_claimed_of_the_rules_of_random_formats_together_is_so() {
    let mut claims: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..worlds() / SHARE {
        let (world, rulebook, mut random) = made(seed);
        let text = world.format();
        let game = rulebook.format().game();
        let claimed: Vec<(usize, String)> = decklaw::solve::tried(game, rulebook.pool())
            .wrong
            .into_iter()
            .map(|claim| {
                let id = &text[claim.span.start..claim.span.end];
                let at = (0..world.rules.len()).find(|at| *id == format!("r{at}"));
                (at.unwrap_or_else(|| panic!("{id}: {text}")), claim.message)
            })
            .collect();
        let decks: Vec<Deck> = (0..4 * DECKS)
            .map(|_| random_deck(&world, &mut random))
            .collect();
        for (at, message) in &claimed {
            let why = |deck: &Deck| format!("seed {seed}, r{at}: {message}\n{text}\n{deck:?}");
            for deck in &decks {
                let broken = world.judge(deck);
                let kind = match message {
                    told if told.contains("can keep this") => {
                        let without_list = broken.keys().filter(|rule| **rule <= world.rules.len());
                        assert!(without_list.count() > 0, "{}", why(deck));
                        "impossible"
                    }
                    told if told.contains("this is never asked") || told.contains("can break") => {
                        assert!(!broken.contains_key(at), "{}", why(deck));
                        "idle"
                    }
                    told => {
                        let always = told.contains("always so that");
                        let held = world.conditions_held(*at, deck);
                        let refused = world.rules.iter().any(|rule| {
                            matches!(rule.kind, Kind::Accept(..)) && rule.conditions.is_empty()
                        });
                        let so = held.contains(&always);
                        assert!(so || refused, "{}", why(deck));
                        "condition"
                    }
                };
                *claims.entry(kind).or_default() += 1;
            }
        }
    }
    eprintln!("{claims:?}");
    assert!(
        claims.contains_key("impossible") && claims.len() > 1,
        "{claims:?}"
    );
}
