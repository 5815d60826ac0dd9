//! The reference of game files is right, and its keys are those of the schemas. `calls/manual.md` plays
//! its game.

use crate::common::{run, table_text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file or folder in `docs`.
fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)
}

/// Every rule of the table of verbs is in order in a game with its fields and sections, and each
/// kind of rule is in the table.
#[test]
fn every_rule_of_the_table_of_verbs_is_in_order() {
    let manual = std::fs::read_to_string(docs("games-reference.md")).unwrap();
    let (_, table) = manual.split_once("| a deck | write |\n|---|---|\n").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let mut rules = String::new();
    let mut kinds = BTreeSet::new();
    for (at, row) in table.lines().enumerate() {
        let written: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        assert!(!written.is_empty(), "{row}");
        for (nth, rule) in written.iter().enumerate() {
            rules += &format!("  - {{id: r{at}-{nth}, source: s, about: a, {rule}}}\n");
            let kind = rule.split_once("must: {").map_or("demand", |(_, kind)| kind);
            kinds.insert(kind.split(':').next().unwrap().to_owned());
        }
    }
    let game = table_text("game of the table of verbs") + &rules;
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("config/formats/verbs");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("game.yaml"), &game).unwrap();
    let run = run(folder.path(), "formats check config/formats/verbs");
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    assert!(said.contains("ok, 1 format"), "{said}");
    let schema = include_str!("../../formats/format.schema.json");
    let all = schema.lines().filter_map(|line| {
        let (_, terms) = line.split_once("\"The terms of ")?;
        Some(terms.split('`').nth(1)?.to_owned())
    });
    let missing: Vec<String> = all.filter(|kind| !kinds.contains(kind)).collect();
    assert!(missing.is_empty() && kinds.len() > 14, "{missing:?} {kinds:?}");
}

/// A schema, and a line for each of its mappings.
struct Keys {
    schema: Value,
    seen: BTreeSet<String>,
    lines: String,
}

impl Keys {
    /// Adds the keys of the value `name`, and of the values below it.
    fn add(&mut self, name: &str, value: &Value) {
        if let Some(definition) = value["$ref"].as_str() {
            let Some(definition) = definition.strip_prefix("#/$defs/") else {
                return;
            };
            if self.seen.insert(definition.to_owned()) {
                let value = self.schema["$defs"][definition].clone();
                self.add(name, &value);
            }
            return;
        }
        let empty = serde_json::Map::new();
        let keys = value["properties"].as_object().unwrap_or(&empty);
        let required: Vec<&str> = value["required"]
            .as_array()
            .map_or(vec![], |names| names.iter().filter_map(Value::as_str).collect());
        if !keys.is_empty() {
            let (bold, plain): (Vec<_>, Vec<_>) =
                keys.keys().partition(|key| required.contains(&key.as_str()));
            let bold = bold.iter().map(|key| format!(" **`{key}`**"));
            let plain = plain.iter().map(|key| format!(" `{key}`"));
            self.lines += &format!("- `{name}`:{}\n", bold.chain(plain).collect::<String>());
        }
        for (key, value) in keys {
            self.add(key, value);
        }
        for list in ["oneOf", "anyOf", "prefixItems"] {
            for part in value[list].as_array().into_iter().flatten() {
                // One of several kinds, named by its key.
                match part["properties"].as_object().map(|keys| keys.iter().collect::<Vec<_>>()) {
                    Some(only) if only.len() == 1 => self.add(only[0].0, only[0].1),
                    _ => self.add(name, part),
                }
            }
        }
        for inner in ["items", "additionalProperties"] {
            if value[inner].is_object() {
                self.add(name, &value[inner]);
            }
        }
    }
}

/// The last section of the reference is generated from the schemas.
#[test]
fn the_keys_of_the_manual_are_those_of_the_schemas() {
    let path = docs("games-reference.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let heading = "\n## Keys\n";
    let mut fresh = page.split(heading).next().unwrap().to_owned() + heading;
    fresh += "\nGenerated from the schemas. Keys in bold are required.\n";
    for (file, schema) in [
        ("game.yaml", include_str!("../../formats/format.schema.json")),
        ("setups", include_str!("../../formats/setup.schema.json")),
        ("odds.yaml", include_str!("../../formats/odds.schema.json")),
        ("stats.yaml", include_str!("../../formats/stats.schema.json")),
        ("taste.yaml", include_str!("../../formats/taste.schema.json")),
        ("look.yaml", include_str!("../../formats/look.schema.json")),
    ] {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let mut keys =
            Keys { schema: schema.clone(), seen: BTreeSet::new(), lines: "\n".to_owned() };
        keys.add(file, &schema);
        fresh += &keys.lines;
    }
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    assert!(page == fresh, "`UPDATE_PAGES=1 cargo test --test program manual` writes it");
}
