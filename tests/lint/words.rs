//! What rules say of themselves and of decks, for a person to read: every kind that counts, with
//! every source of its number. `words.txt` has a game, its cards and a deck; then each rule, its
//! sentence, and what it says of the deck. No term of a rule is left out of its sentence.

use crate::common::{json, root, run, text};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

#[test]
fn every_demand_is_a_sentence_that_a_person_has_read() {
    let file = root().join("tests/lint/words.txt");
    let read = std::fs::read_to_string(&file).unwrap().replace('\r', "");
    let parts: Vec<&str> = read.split("---\n").collect();
    let [head, cards, deck, rules] = parts[..] else { panic!("{} parts", parts.len()) };
    let rules: Vec<&str> = rules.lines().filter(|line| !line.starts_with(' ')).collect();
    assert!(rules.len() > 140, "{}", rules.len());
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("config/formats/words");
    std::fs::create_dir_all(&own).unwrap();
    let mut game = head.to_owned();
    for (at, rule) in rules.iter().enumerate() {
        let is_written = ["demand: ", "each: "].iter().any(|key| rule.starts_with(key));
        let must = if is_written { (*rule).to_owned() } else { format!("must: {{{rule}}}") };
        writeln!(game, "  - {{id: rule-{at}, source: s, about: a, {must}}}").unwrap();
    }
    std::fs::write(own.join("game.yaml"), game).unwrap();
    std::fs::write(own.join("cards.csv"), cards).unwrap();
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let shown = text(&run(folder.path(), "formats show words -v").stdout);
    let checked = json(&run(folder.path(), "check deck.txt -o json"));
    let findings = checked["decks"][0]["findings"].as_array().unwrap();
    let mut said = String::new();
    let mut sentences = BTreeMap::new();
    for (at, rule) in rules.iter().enumerate() {
        let id = format!("rule-{at}");
        let lines = shown.lines().skip_while(|line| line.trim() != id).skip(1);
        let words: Vec<&str> = lines.take_while(|line| line.starts_with("      ")).collect();
        let words = words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let demand = words.trim_start_matches("a ").trim_end_matches(" [s]");
        writeln!(said, "{rule}\n  {demand}").unwrap();
        if let Some(other) = sentences.insert(demand.to_owned(), rule) {
            panic!("two rules with one sentence:\n{other}\n{rule}\n{demand}");
        }
        if let Some(found) = findings.iter().find(|found| found["rule"] == *id) {
            let of = |key: &str| found[key].as_str().unwrap().to_owned();
            writeln!(said, "  - {}\n  = {}", of("message"), of("help")).unwrap();
        }
    }
    let said = [head, cards, deck, &said].join("---\n");
    if std::env::var_os("DECKLAW_BLESS").is_some() {
        std::fs::write(&file, &said).unwrap();
    }
    let other = said.lines().filter(|line| !read.contains(line)).collect::<Vec<_>>().join("\n");
    assert!(said == read, "read these again, then `DECKLAW_BLESS=1` writes them:\n{other}");
}

/// For each key of each kind, two rules of `words.txt` differ in it alone; the test above finds that
/// their sentences differ.
#[test]
fn every_term_of_a_rule_makes_a_difference_to_its_sentence() {
    let file = include_str!("words.txt").replace('\r', "");
    let rules = file.split("---\n").nth(3).unwrap().lines().filter(|line| !line.starts_with(' '));
    let rules: Vec<(&str, Value)> = rules
        .filter_map(|rule| {
            let (kind, _) = rule.split_once(": ")?;
            let mut terms: Value = serde_yaml::from_str(&format!("{{{rule}}}")).unwrap();
            Some((kind, terms[kind].take()))
        })
        .collect();
    let schema: Value =
        serde_json::from_str(include_str!("../../formats/format.schema.json")).unwrap();
    let mut missing = BTreeSet::new();
    for kind in schema["$defs"]["RuleKind"]["oneOf"].as_array().unwrap() {
        let (kind, terms) = kind["properties"].as_object().unwrap().iter().next().unwrap();
        let Some(name) = terms["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/"))
        else {
            continue;
        };
        let own = rules.iter().filter(|(of, _)| of == kind).map(|(_, terms)| terms);
        let own: Vec<&Value> = own.collect();
        for key in schema["$defs"][name]["properties"].as_object().unwrap().keys() {
            let without = |terms: &Value| {
                let mut terms = terms.as_object().unwrap().clone();
                terms.remove(key);
                terms
            };
            let differ = |one: &&Value, other: &&Value| {
                one[key] != other[key] && without(one) == without(other)
            };
            if !own.iter().any(|one| own.iter().any(|other| differ(one, other))) {
                missing.insert(format!("{kind}: {key}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
