//! Files that are made from the types of game files: schemas for editors, and references of the manual.
//! `UPDATE_SCHEMAS=1` writes them. The package of matches makes its own with this file, too.

#![allow(clippy::unwrap_used)]

/// Compares a generated schema with the file that editors use; `UPDATE_SCHEMAS=1` writes it.
pub(crate) fn fresh(path: &str, schema: &schemars::Schema) {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    let expected = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{path} is stale: run the tests with UPDATE_SCHEMAS=1"
    );
}

/// The keys of files as their types have them: a part of a page of the manual, told without those
/// that another page tells.
pub(crate) fn reference(files: &[(&str, serde_json::Value)], elsewhere: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for (title, schema) in files {
        let mut seen = Vec::new();
        let mut next = vec![((*title).to_owned(), String::new(), schema.clone())];
        while !next.is_empty() {
            let (title, _, node) = next.remove(0);
            let Some(keys) = node["properties"].as_object() else {
                continue;
            };
            let told = |node: &serde_json::Value| {
                let text = node["description"].as_str().unwrap_or("");
                text.replace('\n', " ").replace('|', "\\|")
            };
            out += &format!(
                "\n### {title}\n\n{}\n\n| key | what |\n|---|---|\n",
                told(&node)
            );
            let required = node["required"].as_array().cloned().unwrap_or_default();
            for (key, value) in keys {
                let needed = if required.contains(&serde_json::json!(key)) {
                    ""
                } else {
                    "(optional) "
                };
                match elsewhere.iter().find(|(known, _)| known == key) {
                    Some((_, told)) => out += &format!("| `{key}` | {needed}{told} |\n"),
                    None => {
                        let (told, words) = (told(value), words(value, schema));
                        // Some tell their words themselves.
                        let first = words.split(':').next().unwrap_or("").trim();
                        let told = match told.contains(first) && !first.is_empty() {
                            true => told,
                            false => told + &words,
                        };
                        out += &format!("| `{key}` | {needed}{told} |\n");
                        refer(value, key, schema, &mut seen, &mut next);
                    }
                }
            }
        }
    }
    out
}

/// The words that a key's value is one of, each with what it means; empty for other values.
fn words(value: &serde_json::Value, schema: &serde_json::Value) -> String {
    let parts = value["anyOf"].as_array().into_iter().flatten();
    let mut types = std::iter::once(value).chain(parts);
    let path = types.find_map(|one| one["$ref"].as_str());
    let name = path.and_then(|path| path.rsplit('/').next());
    let found = name.map(|name| &schema["$defs"][name]["oneOf"]);
    let told = |one: &serde_json::Value| {
        let (word, about) = (one["const"].as_str()?, one["description"].as_str()?);
        let unless_said = match value["default"].as_str() == Some(word) {
            true => " (unless said)",
            false => "",
        };
        let about = about.replace('\n', " ");
        Some(format!(
            "`{word}`{unless_said}: {}",
            about.trim_end_matches('.')
        ))
    };
    let each = found
        .and_then(|found| found.as_array())
        .into_iter()
        .flatten();
    match each.map(told).collect::<Option<Vec<String>>>().as_deref() {
        None | Some([]) => String::new(),
        Some(each) => format!(" {}.", each.join("; ")),
    }
}

/// Notes the types that a key's value may have, the first time they are met.
fn refer(
    value: &serde_json::Value,
    key: &str,
    schema: &serde_json::Value,
    seen: &mut Vec<String>,
    next: &mut Vec<(String, String, serde_json::Value)>,
) {
    match value {
        serde_json::Value::Object(entries) => {
            for (name, inner) in entries {
                let Some(path) = inner.as_str().filter(|_| name == "$ref") else {
                    if name == "properties" {
                        for (key, inner) in inner.as_object().into_iter().flatten() {
                            refer(inner, key, schema, seen, next);
                        }
                    } else {
                        refer(inner, key, schema, seen, next);
                    }
                    continue;
                };
                let type_name = path.rsplit('/').next().unwrap_or("").to_owned();
                if seen.contains(&type_name) {
                    let known = next.iter_mut().find(|(_, of, _)| *of == type_name);
                    let more = format!("`{key}`");
                    if let Some((title, ..)) = known.filter(|(title, ..)| !title.contains(&more)) {
                        title.push_str(&format!(", {more}"));
                    }
                    continue;
                }
                seen.push(type_name.clone());
                let found = schema["$defs"][&type_name].clone();
                match found["properties"].is_object() {
                    true => next.push((format!("`{key}`"), type_name, found)),
                    false => refer(&found, key, schema, seen, next),
                }
            }
        }
        serde_json::Value::Array(parts) => {
            for part in parts {
                refer(part, key, schema, seen, next);
            }
        }
        _ => {}
    }
}

/// Whether the generated part of a page is what it should be, and tells of some keys.
pub(crate) fn is_fresh(page: &str, reference: &str, keys: &[&str]) {
    const BEGIN: &str = "<!-- generated: begin -->\n";
    const END: &str = "<!-- generated: end -->";
    let path = format!("{}/../../docs/{page}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let fresh = format!("{before}{BEGIN}{reference}\n{END}{after}");
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    assert!(
        text == fresh || std::env::var_os("UPDATE_SCHEMAS").is_some(),
        "{path} is stale: run the tests with UPDATE_SCHEMAS=1"
    );
    for key in keys {
        assert!(fresh.contains(key), "{key} is not in the reference");
    }
}
