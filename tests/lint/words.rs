//! What rules say of themselves and of decks, for a person to read: every kind that counts, with
//! every source of its number, in `words.txt` next to this file.

use crate::common::run;
use std::fmt::Write as _;

const HEAD: &str = "schema: decklaw/format/1
game: words
name: Words
text: none
fields:
  - {name: type, kind: word, values: [hero, spell, relic]}
  - {name: house, kind: list}
  - {name: title, kind: text}
  - {name: cost, kind: number}
  - {name: own, kind: number}
  - {name: size, kind: number}
sections:
  - {id: hero, name: hero section}
  - {id: main, name: main deck, shuffled: true}
  - {id: side, name: side deck}
settings: [{name: given, about: a number, default: 7}]
formats: [{id: words, name: Words}]
rules:
";

const CARDS: &str = "name,type,house,title,cost,own,size
Ann,hero,ember,,,,6
Wick,spell,ember,Wick,1,,
Wick II,spell,ember,Wick,2,1,
Flood,spell,tide;mist,,4,,
Fog,relic,mist,,2,3,
Beam,relic,,,0,,
";

const DECK: &str = "Format: words
Hero
1 Ann
Main
9 Wick
9 Wick II
2 Flood
9 Fog
1 Beam
Side
1 Beam
";

/// Sources of a number, each with its name.
const BOUNDS: &str = "\
one = 1
setting = given
own = {field: own, else: 2}
of = {field: size, of: [hero]}
of-else = {field: size, of: [side], else: 5}
per = {base: 2, of: [main], per: 15, times: 2}
per-field = {base: 1, field: cost, of: [main], cards: 'house:ember', per: 12, round: up}
count = {of: [main, side], cards: 'type:relic'}
sum = [4, {base: 0, field: size, of: [hero]}]
less = {base: 3, of: [side], times: -1}
several = [{field: size, of: [hero]}, {base: 0, of: [main], cards: 'type:relic', per: 5}]";

/// Kinds of rules with their terms.
const KINDS: &str = "\
size = sections: [main]
size = sections: [main, side], cards: 'type:spell', called: spell
copies = sections: [main, side]
copies = sections: [main], by: [title], cards: 'type:spell'
copies = sections: [main], weight: cost
distinct = sections: [main, side], by: [title]
total = sections: [main], field: cost
total = sections: [main], field: cost, called: influence, matched: {by: [hero], field: house, mode: all}
total = sections: [main], price: 1, called: other cards
values = sections: [main], field: house
values = sections: [main], field: house, called: house, with-at-least: 12";

fn pairs(rows: &'static str) -> Vec<(&'static str, &'static str)> {
    rows.lines().filter_map(|row| row.split_once(" = ")).collect()
}

/// All of what is asked: a name for it, and its terms.
fn demands() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let kinds = pairs(KINDS);
    for (at, (kind, terms)) in kinds.iter().enumerate() {
        for (source, bound) in pairs(BOUNDS) {
            let is_first = kinds.iter().position(|(same, _)| same == kind) == Some(at);
            let tells = is_first || ["one", "of", "per", "less"].contains(&source);
            if !tells || (source == "own" && *kind != "copies") {
                continue;
            }
            let ends: &[&str] = match (*kind, at) {
                ("copies", _) => &["max"],
                (_, 0) => &["min", "max", "exactly"],
                ("values", _) => &["min", "max"],
                _ => &["max"],
            };
            for end in ends {
                let must = format!("{kind}: {{{terms}, {end}: {bound}}}");
                all.push((format!("{kind}-{at}-{source}-{end}"), must));
            }
        }
    }
    let both = "size: {sections: [side], min: 2, max: 4}";
    all.push(("size-range".to_owned(), both.to_owned()));
    let both = "size: {sections: [side], min: 2, max: {field: size, of: [hero]}}";
    all.push(("size-both".to_owned(), both.to_owned()));
    let both = "size: {sections: [side], min: {base: 2, of: [hero]}, max: {base: 4, of: [hero]}}";
    all.push(("size-between".to_owned(), both.to_owned()));
    // What a rule counts, or asks, where it names no word for it.
    for (at, must) in [
        "size: {sections: [main], cards: 'type:spell', max: 2}",
        "size: {sections: [main], cards: 'type:spell', exactly: {field: size, of: [hero]}}",
        "size: {sections: [main], cards: 'type:spell', called: spell, max: 2}",
        "distinct: {sections: [main], cards: 'type:spell', max: 1}",
        "values: {sections: [main], cards: 'type:spell', field: house, max: 0}",
        "values: {sections: [main], cards: 'type:spell', field: house, max: 0, called: house}",
        "total: {sections: [main], cards: 'type:spell', field: cost, max: 1}",
        "copies: {sections: [main], cards: 'type:spell', max: 1}",
        "matching: {sections: [main], cards: 'type:spell', by: [hero], field: house}",
        "any: [{size: {sections: [main], max: 20}}, {size: {sections: [side], min: 2, called: spare}}]",
        "any: ['main <= 20', 'no hero [house:ember]', {avoid: {sections: [main], cards: 'type:relic', because: relics rust}}]",
        "all: [{size: {sections: [main], max: 20}}, 'side >= 2']",
        "total: {sections: [main], max: 9, parts: [{field: cost, cards: 'type:spell'}, {price: 1, times: 3, per: card}]}",
        "total: {sections: [main], called: points, max: 9, parts: [{field: cost, per: highest}, {field: cost, per: lowest, times: -1}]}",
        "options: {sections: [main], options: [{cards: 'house:ember'}, {cards: 'type:spell', limit: 1}]}",
        "options: {sections: [main], options: [{cards: 'type:spell', limit: given}, {cards: 'house:mist', limit: 3}, {cards: 'type:relic', limit: 2}]}",
    ]
    .iter()
    .enumerate()
    {
        all.push((format!("of-{at}"), (*must).to_owned()));
    }
    for (at, demand) in [
        "demand: 'main <= 20'",
        "demand: '2 <= main [type:relic] <= 4'",
        "demand: 'no main [house:ember]'",
        "demand: '3+ side'",
        "demand: 'sum(cost) of main [type:spell] <= 40'",
        "demand: 'sum(cost) of main [house:ember] - sum(cost) of main [house:tide] = given'",
        "demand: 'sum(cost) of main <= 2 * hero.size / 5'",
        "demand: 'different(house) of main+side >= 5'",
        "demand: 'main [type:relic] = 0 or main [type:relic] = 4'",
        "demand: 'not (main [type:relic] and 10+ main [type:spell])'",
        "each: card, demand: 'main + side <= 3'",
        "each: card, demand: 'main <= card.own'",
    ]
    .iter()
    .enumerate()
    {
        all.push((format!("demand-{at}"), (*demand).to_owned()));
    }
    for mode in ["any", "all"] {
        let by = format!("sections: [main], by: [hero], mode: {mode}");
        all.push((format!("matching-{mode}"), format!("matching: {{{by}, field: house}}")));
        all.push((
            format!("matching-{mode}-title"),
            format!("matching: {{{by}, field: title, among: name}}"),
        ));
    }
    all
}

#[test]
fn every_demand_is_a_sentence_that_a_person_has_read() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("config/formats/words");
    std::fs::create_dir_all(&own).unwrap();
    let mut game = HEAD.to_owned();
    for (id, must) in demands() {
        let written = ["demand: ", "each: "].iter().any(|key| must.starts_with(key));
        let must = if written { must } else { format!("must: {{{must}}}") };
        writeln!(game, "  - {{id: {id}, source: s, about: a, {must}}}").unwrap();
    }
    std::fs::write(own.join("game.yaml"), game).unwrap();
    std::fs::write(own.join("cards.csv"), CARDS).unwrap();
    std::fs::write(folder.path().join("deck.txt"), DECK).unwrap();
    let shown = run(folder.path(), "formats show words -v");
    let shown = String::from_utf8(shown.stdout).unwrap();
    let checked = run(folder.path(), "check deck.txt -o json");
    let checked = crate::common::json(&checked);
    let findings = checked["decks"][0]["findings"].as_array().unwrap();
    let mut told = String::new();
    for (id, must) in demands() {
        let lines = shown.lines().skip_while(|line| line.trim() != id).skip(1);
        let words: Vec<&str> = lines.take_while(|line| line.starts_with("      ")).collect();
        let words = words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let demand = words.trim_start_matches("a ").trim_end_matches(" [s]");
        writeln!(told, "{must}\n  {demand}").unwrap();
        if let Some(found) = findings.iter().find(|found| found["rule"] == *id) {
            let of = |key: &str| found[key].as_str().unwrap().to_owned();
            writeln!(told, "  - {}\n  = {}", of("message"), of("help")).unwrap();
        }
    }
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint/words.txt");
    if std::env::var_os("DECKLAW_BLESS").is_some() {
        std::fs::write(&file, &told).unwrap();
    }
    let read = std::fs::read_to_string(&file).unwrap().replace('\r', "");
    assert!(
        told == read,
        "read these again, then `DECKLAW_BLESS=1` writes them:\n{}",
        told.lines().filter(|line| !read.contains(line)).collect::<Vec<_>>().join("\n")
    );
}
