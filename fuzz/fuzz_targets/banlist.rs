//! The target `banlist` of `targets/mod.rs`.
#![no_main]

#[path = "../targets/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::ALL
    .iter()
    .filter(|(name, _)| *name == "banlist")
    .for_each(|(_, target)| target(bytes)));
