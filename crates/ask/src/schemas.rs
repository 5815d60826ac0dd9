//! The options of Python's calls, made from the questions.

use crate::question::{Build, Fix, Odds, Room, Stats, Swap, Tune};
use schemars::{Schema, schema_for};
use serde_json::{Map, Value};
use std::fmt::Write;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../python/python/decklaw/options.py");

const HEAD: &str = r#""""The options of questions: those of the program's commands, by the names of its JSON.

Made from the questions themselves: `UPDATE_SCHEMAS=1 cargo test -p decklaw-ask --lib schemas`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict
"#;

/// A JSON schema as a type of Python.
fn python(schema: &Value) -> String {
    if let Some(kinds) = schema["anyOf"].as_array() {
        return kinds.iter().map(python).collect::<Vec<_>>().join(" | ");
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.as_slice(),
        kind => std::slice::from_ref(kind),
    };
    let names = kinds.iter().map(|kind| match kind.as_str() {
        Some("null") => "None".to_owned(),
        Some("boolean") => "bool".to_owned(),
        Some("integer") => "int".to_owned(),
        Some("number") => "float".to_owned(),
        Some("string") => "str".to_owned(),
        // A single text is a list of one.
        Some("array") if schema["items"]["type"] == "string" => "str | Sequence[str]".to_owned(),
        Some("array") => format!("Sequence[{}]", python(&schema["items"])),
        Some("object") => format!("Mapping[str, {}]", python(&schema["additionalProperties"])),
        _ => panic!("no type of Python for {schema}"),
    });
    names.collect::<Vec<_>>().join(" | ")
}

/// The options of a question as a class; `own` are arguments of the call, and no options.
fn class(name: &str, question: &Schema, own: &[&str]) -> String {
    let none = Map::new();
    let fields = question.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let fields = fields.iter().filter(|(field, _)| !own.contains(&&***field));
    let about = |schema: &Value| {
        let text = schema["description"].as_str().expect("every option is documented");
        let first = text.split("\n\n").next().unwrap_or_default();
        first.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (mut base, mut doc, mut keys) = (String::new(), String::new(), String::new());
    let mut parent = "TypedDict".to_owned();
    for (field, schema) in fields {
        let _ = writeln!(doc, "    {field}: {}", about(schema));
        // A word of the language is no name in a class.
        if field == "for" {
            parent = format!("_{name}");
            base = format!("{parent} = TypedDict(\"{parent}\", {{\"{field}\": ");
            base += &format!("{}}}, total=False)\n\n\n", python(schema));
        } else {
            let _ = writeln!(keys, "    {field}: {}", python(schema));
        }
    }
    let title = about(question.as_value());
    format!(
        "\n\n{base}class {name}({parent}, total=False):\n    \"\"\"{title}\n\n{doc}    \"\"\"\n\n{keys}"
    )
}

#[test]
fn options_of_python_are_those_of_the_questions() {
    let options = [
        class("BuildOptions", &schema_for!(Build), &[]),
        class("FixOptions", &schema_for!(Fix), &[]),
        class("OddsOptions", &schema_for!(Odds), &["queries"]),
        class("RoomOptions", &schema_for!(Room), &[]),
        class("StatsOptions", &schema_for!(Stats), &[]),
        class("SwapOptions", &schema_for!(Swap), &["wish"]),
        class("TuneOptions", &schema_for!(Tune), &["queries"]),
    ];
    let expected = HEAD.to_owned() + &options.concat();
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(PATH, &expected).unwrap();
    }
    let found = std::fs::read_to_string(PATH).unwrap();
    assert!(found == expected, "{PATH} is stale: run the tests with UPDATE_SCHEMAS=1");
}
