//! The schemas of the files about odds, statistics and taste for editors.

#[path = "../../rules/src/format/schemas.rs"]
mod files;

use files::fresh;

#[test]
fn the_schemas_for_editors_are_fresh() {
    fresh("formats/stats.schema.json", &schemars::schema_for!(crate::stats::Spec));
    fresh("formats/odds.schema.json", &schemars::schema_for!(crate::odds::OddsDefaults));
    fresh("formats/taste.schema.json", &schemars::schema_for!(crate::solve::Taste));
}
