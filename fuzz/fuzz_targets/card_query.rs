//! Card queries: never a crash, and what is refused is blamed inside the text.
#![no_main]

use decklaw::query::Query;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = Query::parse(text) {
        assert!(text.get(error.span.start..error.span.end).is_some());
    }
});
