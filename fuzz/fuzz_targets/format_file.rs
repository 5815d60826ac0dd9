//! Format files: read and checked, or refused.
#![no_main]

use decklaw::format::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(game) = Game::read("game.yaml", text) {
        let _ = decklaw::matches::Setup::all_of(&game);
    }
});
