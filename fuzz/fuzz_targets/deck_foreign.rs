//! The target `deck_foreign` of `targets/mod.rs`.
#![no_main]

#[path = "../targets/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::ALL
    .iter()
    .filter(|(name, _)| *name == "deck_foreign")
    .for_each(|(_, target)| target(bytes)));
