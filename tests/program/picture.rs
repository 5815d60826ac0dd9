//! `docs/architecture.md` draws the packages as they are.

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

#[test]
fn packages_use_those_above_them_in_the_picture() {
    let page = std::fs::read_to_string("docs/architecture.md").unwrap();
    let picture = page.split("```text\n").find(|part| part.starts_with("text\n")).unwrap();
    let picture = picture.split("```").next().unwrap();
    let lines: BTreeMap<&str, usize> = (picture.lines().enumerate())
        .flat_map(|(line, words)| words.split_whitespace().map(move |word| (word, line)))
        .collect();

    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"])
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&cargo.stdout).unwrap();
    let short = |name: &Value| {
        let name = name.as_str().unwrap();
        name.strip_prefix("decklaw-").unwrap_or(name).to_owned()
    };
    let (mut met, mut wrong) = (Vec::new(), Vec::new());
    for package in metadata["packages"].as_array().unwrap() {
        let name = short(&package["name"]);
        met.push(name.clone());
        for used in package["dependencies"].as_array().unwrap() {
            if used["path"].is_null() || used["kind"] == "dev" {
                continue;
            }
            let used = short(&used["name"]);
            let line = |name: &str| lines.get(name).copied();
            if line(&used).is_none() || line(&used) >= line(&name) {
                wrong.push(format!("{name} uses {used}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{picture}");
    met.sort();
    let mut drawn: Vec<String> = lines.keys().map(|name| (*name).to_owned()).collect();
    drawn.sort();
    assert_eq!(met, drawn);
}
