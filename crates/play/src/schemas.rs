//! The schemas of setups and of cards on paper for editors.

#[path = "../../core/src/format/schemas.rs"]
mod files;

use files::fresh;

#[test]
fn the_schemas_for_editors_are_fresh() {
    fresh(
        "formats/setup.schema.json",
        &schemars::schema_for!(crate::matches::Setup),
    );
    fresh(
        "formats/paper.schema.json",
        &schemars::schema_for!(crate::paper::LayoutFile),
    );
}
