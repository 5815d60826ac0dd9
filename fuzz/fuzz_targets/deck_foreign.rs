//! Decks of other programs: never a crash, every place is inside, and what was read can be
//! written as text and read again as the same cards.
#![no_main]

use decklaw::banlist::Lists;
use decklaw::deck::{Input, Listing, read, to_text};
use decklaw::format::Catalogue;
use decklaw::judge::Judge;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static JUDGES: LazyLock<[Judge; 2]> = LazyLock::new(|| {
    ["shell", "any"].map(|format| {
        let day = "2026-01-01".parse().expect("a day");
        Judge::new(Catalogue::built_in(), Lists::default(), day)
            .with_format(Some(format.to_owned()))
    })
});

fuzz_target!(|bytes: &[u8]| {
    let kinds = [Input::Pasted, Input::Ydk, Input::Cockatrice, Input::Lackey, Input::Csv];
    for (judge, input) in JUDGES.iter().flat_map(|judge| kinds.map(|input| (judge, input))) {
        let report = judge.judge("deck", bytes, input).expect("the built-in inputs are in order");
        let length = decklaw::text::without_bom(bytes).len();
        for span in report.findings.iter().flat_map(|finding| &finding.spans) {
            assert!(span.start <= span.end && span.end <= length);
        }
    }
    if let Ok(deck) = read(bytes, Input::Csv, &mut |_| None) {
        let copies = |lines: &[decklaw::deck::CardLine<'_>]| -> u64 {
            lines.iter().map(|line| u64::from(line.count)).sum()
        };
        let text = to_text(&Listing::from(&deck));
        if let Ok(again) = read(text.as_bytes(), Input::Text, &mut |_| None) {
            assert_eq!(copies(&deck.lines), copies(&again.lines));
        }
    }
});
