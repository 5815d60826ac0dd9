//! Every target of `targets/mod.rs`: the first byte of an input says which reads the rest.
#![no_main]

#[path = "../targets/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let [first, rest @ ..] = bytes {
        let (_, target) = targets::ALL[usize::from(*first) % targets::ALL.len()];
        target(rest);
    }
});
