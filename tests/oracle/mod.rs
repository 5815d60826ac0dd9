//! A slow judge, written from the rules alone, against everything that knows them: verdicts, fixes,
//! builds, room, swaps and tuning, over random games and the built-in ones.

mod brute_rooms;
pub(crate) mod checker;
mod dealing;
mod demands;
mod games;
mod lists;
mod printings;
mod queries;
mod random;
mod reasons;
mod repairs;
mod rules;
mod solver;
mod swaps;
mod tuning;
mod verdicts;
mod world;
mod written;

use decklaw::resolve::Decklist;
use decklaw::solve::{Repair, Wishes, repair};
use random::Random;
use std::sync::Arc;
use world::{Deck, World};

/// How many random games a test makes; `DECKLAW_WORLDS` sets another number.
fn worlds() -> usize {
    let asked = std::env::var("DECKLAW_WORLDS").ok();
    asked.and_then(|number| number.parse().ok()).unwrap_or(300)
}

/// Random games, and among them built-in ones with few cards and small numbers.
fn world(seed: usize) -> (World, Random) {
    if !seed.is_multiple_of(3) {
        return World::made(seed);
    }
    let mut random = Random::new(&format!("small {seed}"));
    let format = games::FORMATS[seed / 3 % games::FORMATS.len()];
    (World::shipped(format, games::Size::Small, true, &mut random), random)
}

/// Decks that the library builds: the slow judge finds nothing wrong with them. A small game may
/// have none.
fn legal_decks(world: &World, count: usize, random: &mut Random) -> Vec<Deck> {
    let rulebook = world.rulebook();
    let mut built = Vec::new();
    for _ in 0..count {
        let wishes = Wishes {
            shaped: true,
            seed: Some(random.below(1 << 20).to_string()),
            ..Wishes::default()
        };
        let empty = Decklist::empty(Arc::clone(&rulebook));
        if let Repair::Found(found) = repair(&empty, &wishes) {
            let deck = world.deck(&found.deck);
            assert!(world.is_legal(&deck), "{}\n{:?}", world.format, found.deck.listing());
            built.push(deck);
        }
    }
    built
}
