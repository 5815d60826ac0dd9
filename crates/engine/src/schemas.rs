//! The schemas of the files about odds, statistics and taste for editors, and the manual's reference
//! of them.

#[path = "../../core/src/format/schemas.rs"]
mod files;

use files::{fresh, is_fresh, reference};

#[test]
fn the_schemas_for_editors_are_fresh() {
    fresh(
        "formats/stats.schema.json",
        &schemars::schema_for!(crate::stats::Spec),
    );
    fresh(
        "formats/odds.schema.json",
        &schemars::schema_for!(crate::odds::OddsDefaults),
    );
    fresh(
        "formats/taste.schema.json",
        &schemars::schema_for!(crate::solve::Taste),
    );
}

#[test]
#[allow(clippy::unwrap_used)]
fn the_reference_of_figures_is_fresh() {
    let schema = |schema: schemars::Schema| serde_json::to_value(schema).unwrap();
    let odds = schema(schemars::schema_for!(crate::odds::OddsDefaults));
    let stats = schema(schemars::schema_for!(crate::stats::Spec));
    is_fresh(
        "figures.md",
        &reference(&[("`odds.yaml`", odds), ("`stats.yaml`", stats)], &[]),
        &["`draws`", "`presets`", "`metrics`"],
    );
}
