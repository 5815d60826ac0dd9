//! The schemas of setups and looks for editors.

#[path = "../../rules/src/format/schemas.rs"]
mod files;

use files::fresh;

#[test]
fn the_schemas_for_editors_are_fresh() {
    fresh("formats/setup.schema.json", &schemars::schema_for!(crate::matches::Setup));
    fresh("formats/look.schema.json", &schemars::schema_for!(crate::look::Look));
}
