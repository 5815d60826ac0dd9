//! Banlists: read and checked, or refused.
#![no_main]

use decklaw::banlist::Banlist;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = Banlist::read("list.yaml", bytes);
});
