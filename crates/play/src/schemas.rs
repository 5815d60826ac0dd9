//! The schema of setups for editors.

#[path = "../../rules/src/format/schemas.rs"]
mod files;

use files::fresh;

#[test]
fn the_schema_for_editors_is_fresh() {
    fresh("formats/setup.schema.json", &schemars::schema_for!(crate::matches::Setup));
}
