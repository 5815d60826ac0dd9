//! What rules say of themselves and of decks, for a person to read: every kind that counts, with
//! every source of its number. `words.txt` has a game, its cards and a deck; then each rule, its
//! sentence, and what it says of the deck.

use crate::common::{json, root, run, text};
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
    for (at, rule) in rules.iter().enumerate() {
        let id = format!("rule-{at}");
        let lines = shown.lines().skip_while(|line| line.trim() != id).skip(1);
        let words: Vec<&str> = lines.take_while(|line| line.starts_with("      ")).collect();
        let words = words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let demand = words.trim_start_matches("a ").trim_end_matches(" [s]");
        writeln!(said, "{rule}\n  {demand}").unwrap();
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
