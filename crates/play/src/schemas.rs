//! The schema of setups for editors, and the manual's reference of setups.

#[path = "../../core/src/format/schemas.rs"]
mod files;

use files::{fresh, is_fresh, reference};

#[test]
fn the_schema_for_editors_is_fresh() {
    fresh(
        "formats/setup.schema.json",
        &schemars::schema_for!(crate::matches::Setup),
    );
}

#[test]
#[allow(clippy::unwrap_used)]
fn the_reference_of_setups_is_fresh() {
    let setup = serde_json::to_value(schemars::schema_for!(crate::matches::Setup)).unwrap();
    is_fresh(
        "setups.md",
        &reference(&[("A setup", setup)], &[]),
        &["`mulligan`", "`pick`", "`seat`", "`counters`", "`play`"],
    );
}
