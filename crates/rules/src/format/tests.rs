#![allow(clippy::unwrap_used)]

use super::schemas::fresh;
use super::*;
use crate::banlist::BanlistFile;
use crate::rules::{Compile, Contents, Failing, Holding, SectionSet, Where};
use decklaw_cards::pool::CardId;

const GAME: &str = "schema: decklaw/format/1\ngame: toy\nname: Toy\ntext: none\n";

/// A small game with a setup.
pub(crate) const KITE: &str = "schema: decklaw/format/1
game: kite
name: Kite
text: none
fields:
  - {name: type, kind: word, values: [bird, kite]}
  - {name: might, kind: number}
sections: [{id: main, name: main deck, shuffled: true}, {id: lead, name: Lead}]
formats: [{id: kite, name: Kite}, {id: kite/fast, name: Fast kite}]
setups:
  - zones: {shared: {field: {}}, seat: {deck: {}, row: {play: {most: 3}}}}
    counters: {life: {most: 20}}
";

/// What is wrong with [`KITE`] with more keys.
pub(crate) fn wrong(more: &str) -> Vec<String> {
    let read = Game::read("game.yaml", &format!("{KITE}{more}"));
    let problems = read.err().map(|error| error.problems).unwrap_or_default();
    let messages = problems.into_iter().map(|problem| problem.message);
    messages.collect()
}

/// What is wrong with a rule of [`KITE`] over two cards, a line each.
pub(crate) fn tried(rule: &str) -> String {
    let text = format!("{KITE}rules: [{{id: a, source: s, about: a, {rule}}}]\n");
    let game = std::sync::Arc::new(Game::read("game.yaml", &text).unwrap());
    let pool = game.read_cards(b"name,type,might\nAsh,bird,1\nElm,kite,2\n").unwrap();
    let problems = game.try_rules(&pool, &decklaw_decks::deck::lines_of).into_iter();
    let messages: Vec<String> = problems.map(|problem| problem.message).collect();
    messages.join("\n")
}

/// The example of a new kind in `CONTRIBUTING.md` is the code that is compiled and tested.
#[test]
fn the_example_of_a_new_kind_is_true() {
    let manual = include_str!("../../../../CONTRIBUTING.md");
    let kind = include_str!("../rules/kinds/packs.rs");
    assert!(manual.contains(&format!("```rust\n{kind}```")));
    assert!(kind.lines().count() <= 60);
}

#[test]
fn cards_of_a_group_come_in_whole_packs() {
    let must = "must: {packs: {sections: [main], by: type, of: 3}}";
    let tried = |example| tried(&format!("{must}, {example}"));
    assert_eq!(tried("passes: 'Main\n\n6 Ash', fails: 'Main\n\n5 Ash'"), "");
    let message = "the main deck has 5 cards of type bird; packs have 3";
    assert!(tried("passes: 'Main\n\n5 Ash'").ends_with(message));

    let text = format!("{KITE}rules: [{{id: a, source: s, about: a, {must}}}]\n");
    let game = Game::read("game.yaml", &text).unwrap();
    let pool = game.read_cards(b"name,type,might\nAsh,bird,1\nElm,kite,2\n").unwrap();
    let settings = game.settings_of(0, &BTreeMap::new()).unwrap();
    let mut compile = Compile::new(game.sections(), &settings, &pool);
    let rule = game.file.rules[0].compile(&mut compile);
    let held = |card, copies| Holding { card: CardId(card), section: 0, copies };
    let oak = 2;
    let contents =
        Contents::new(&pool, vec![held(0, 5), held(oak, 1)], vec![("oak".into(), "Oak".into())]);
    let found = rule.judge(&contents);
    let places: Vec<Where> = found.iter().map(|violation| violation.place).collect();
    let line_of_the_fourth = Where::Passing(CardId(0), SectionSet::only(0), 3);
    assert_eq!(places, [line_of_the_fourth, Where::Deck]);
    assert_eq!((found[0].limit, found[0].actual), (Some(3), Some(5)));
    assert_eq!(found[1].failing, Failing::Unverified);
}

#[test]
fn a_wrong_format_file_is_refused_where_it_is_wrong() {
    for (rest, blamed, word) in [
        ("formats: []\n", "toy", "needs a format"),
        ("formats: [{id: other, name: X}]\n", "other", "begins with its game's"),
        (
            "formats: [{id: toy, name: X}]\nsections: [{id: main, name: m}, {id: main, name: m}]\n",
            "main",
            "twice",
        ),
        ("formats: [{id: toy, name: X}]\nrulez: []\n", "rulez", "did you mean `rules`"),
        (
            "formats: [{id: toy, name: X}]\nrules:\n  - {id: a, source: s, about: b, must: {sighs: {}}}\n",
            "sighs",
            "no value `sighs`",
        ),
        (
            "formats: [{id: toy, name: X}]\nrules:\n  - {id: a, source: s, about: b, must: {size: {sections: [attic], min: 1}}}\n",
            "attic",
            "no section",
        ),
        (
            "formats: [{id: toy, name: X}]\nsections: [{id: main, name: m}]\nrules:\n  - {id: a, source: s, about: b, must: {size: {sections: [main], min: least}}}\n",
            "least",
            "no setting or value",
        ),
        (
            "formats: [{id: toy, name: X}]\nsections: [{id: main, name: m}]\nrules:\n  - {id: a, source: s, about: b, must: {avoid: {sections: [main], cards: 'manna:1', because: c}}}\n",
            "manna:1",
            "no field",
        ),
        (
            "formats: [{id: toy, name: X}]\nrules:\n  - {id: a, source: s, about: b, only: [toy/two], must: {size: {sections: [], min: 1}}}\n",
            "toy/two",
            "no format",
        ),
    ] {
        let error = Game::read("toy.yaml", &format!("{GAME}{rest}")).unwrap_err();
        let problem = &error.problems[0];
        assert!(problem.message.contains(word), "{rest}: {problem:?}");
        assert!(error.text[problem.span.start..].starts_with(blamed), "{rest}: {problem:?}");
    }
}

#[test]
fn the_schemas_for_editors_are_fresh() {
    fresh("formats/format.schema.json", &schemars::schema_for!(GameFile));
    fresh("banlists/banlist.schema.json", &schemars::schema_for!(BanlistFile));
}

/// The setups of a format file, whose types are those of matches: a schema of its own.
pub(super) fn setups(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "array", "items": {"$ref": "setup.schema.json"}})
}

#[test]
fn what_pages_show_is_of_another_file() {
    for key in ["face: {cost: might}", "mat: {}", "builder: {curve: might}", "start: []"] {
        let found = wrong(key);
        assert!(found.iter().any(|one| one.contains("move it to `look.yaml`")), "{key}: {found:?}");
    }
}
