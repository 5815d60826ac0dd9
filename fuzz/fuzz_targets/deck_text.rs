//! Deck files of all three kinds, read and judged: never a crash, and every place is inside.
#![no_main]

use decklaw::banlist::Lists;
use decklaw::deck::Input;
use decklaw::format::Catalogue;
use decklaw::judge::Judge;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static JUDGE: LazyLock<Judge> = LazyLock::new(|| {
    let day = "2026-01-01".parse().expect("a day");
    Judge::new(Catalogue::built_in(), Lists::default(), day)
});

fuzz_target!(|bytes: &[u8]| {
    for input in [Input::Text, Input::Yaml, Input::Json] {
        let report = JUDGE.judge("deck", bytes, input).expect("the built-in inputs are in order");
        let length = decklaw::text::without_bom(bytes).len();
        for span in report.findings.iter().flat_map(|finding| &finding.spans) {
            assert!(span.start <= span.end && span.end <= length);
        }
    }
});
