//! Card files, with a game's fields and with inferred ones.
#![no_main]

use decklaw::pool::{Field, FieldKind, Pool, infer_fields};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mana = Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 99 } };
    let _ = Pool::read_csv(bytes, &[mana]);
    if let Ok(fields) = infer_fields(bytes) {
        let _ = Pool::read_csv(bytes, &fields);
    }
});
