//! Schemas for editors, made from the types of game files. `UPDATE_SCHEMAS=1` writes them.
//! The package of matches makes its own with this file, too.

#![allow(clippy::unwrap_used)]

/// Compares a generated schema with the file that editors use; `UPDATE_SCHEMAS=1` writes it.
pub(crate) fn fresh(path: &str, schema: &schemars::Schema) {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    let expected = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{path} is stale: run the tests with UPDATE_SCHEMAS=1");
}
