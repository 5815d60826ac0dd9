//! The target `match_file` of `targets/mod.rs`.
#![no_main]

#[path = "../targets/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::ALL
    .iter()
    .filter(|(name, _)| *name == "match_file")
    .for_each(|(_, target)| target(bytes)));
