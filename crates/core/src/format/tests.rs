#![allow(clippy::unwrap_used)]

use super::schemas::fresh;
use super::*;
use crate::banlist::BanlistFile;

const GAME: &str = "schema: decklaw/format/1\ngame: toy\nname: Toy\ntext: none\n";

#[test]
fn a_wrong_format_file_is_refused_where_it_is_wrong() {
    for (rest, blamed, word) in [
        ("formats: []\n", "toy", "needs a format"),
        (
            "formats: [{id: other, name: X}]\n",
            "other",
            "begins with its game's",
        ),
        (
            "formats: [{id: toy, name: X}]\nsections: [{id: main, name: m}, {id: main, name: m}]\n",
            "main",
            "twice",
        ),
        (
            "formats: [{id: toy, name: X}]\nrulez: []\n",
            "rulez",
            "did you mean `rules`",
        ),
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
        assert!(
            error.text[problem.span.start..].starts_with(blamed),
            "{rest}: {problem:?}"
        );
    }
}

#[test]
fn the_schemas_for_editors_are_fresh() {
    fresh(
        "formats/format.schema.json",
        &schemars::schema_for!(GameFile),
    );
    fresh(
        "banlists/banlist.schema.json",
        &schemars::schema_for!(BanlistFile),
    );
}

/// The setups of a format file, whose types are those of matches: a schema of its own.
pub(super) fn setups(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "array", "items": {"$ref": "setup.schema.json"}})
}
