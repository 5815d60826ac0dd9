#![allow(clippy::unwrap_used)]

use super::Look;
use decklaw_rules::format::{Catalogue, Game};
use std::sync::Arc;

/// A small game with a setup.
const KITE: &str = "schema: decklaw/format/1
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

fn kite() -> Arc<Game> {
    Arc::new(Game::read("game.yaml", KITE).unwrap())
}

/// What is wrong with a look of [`KITE`].
fn wrong(look: &str) -> Vec<String> {
    let problems = Look::read(&kite(), "look.yaml", look).err().map(|error| error.problems);
    problems.unwrap_or_default().into_iter().map(|problem| problem.message).collect()
}

fn right(look: &str) -> Look {
    Look::read(&kite(), "look.yaml", look).unwrap()
}

#[test]
fn faces_are_linted() {
    let fine = "face: {cost: might, colour: {by: type, of: {bird: \"#112233\"}}, type: [\"{type}\"], numbers: [{Might: might}], art: [{of: \"type:bird\", is: [wolf, bear]}, {is: sea}], sign: [{is: []}], hour: [{is: night}], words: {type: {kite: Dragon}}}";
    assert_eq!(wrong(fine), Vec::<String>::new());
    for (face, message) in [
        ("{cost: mana}", "no field `mana`"),
        ("{type: [\"{kind}\"]}", "no field `kind`"),
        ("{text: [\"Might {mite}\"]}", "no field `mite`"),
        ("{numbers: [{A: might, B: might}]}", "one label"),
        ("{picture: \"art/{name}.png\"}", "a picture lies in `pictures/`"),
        ("{picture: \"pictures/../{name}.png\"}", "a picture lies in `pictures/`"),
        ("{colour: {by: type, of: {bird: red}}}", "not a colour"),
        ("{colour: {by: type, of: {fish: \"#112233\"}}}", "never `fish`"),
        ("{words: {type: {fish: Fish}}}", "never `fish`"),
        ("{art: [{of: \"hue:red\", is: sea}]}", "hue"),
        ("{frame: red}", "frame"),
    ] {
        let found = wrong(&format!("face: {face}"));
        assert!(found.iter().any(|one| one.contains(message)), "{face}: {found:?}");
    }
}

/// A card file of a game with open fields adds fields to those of the game.
#[test]
fn looks_of_open_fields_are_linted_over_the_cards() {
    let open = KITE.replace("sections:", "open-fields: true\nsections:");
    let game = Game::read("game.yaml", &open).unwrap();
    let cards = game.read_cards(b"name,type,might,artist\nRook,bird,1,Ann\n").unwrap();
    let wrong = |face: &str, cards| {
        let look = Look::check(&game, cards, "look.yaml", &format!("face: {face}"));
        look.err().map(|error| error.problems[0].message.clone()).unwrap_or_default()
    };
    for face in
        ["{cost: artst}", "{text: [\"By {artst}\"]}", "{art: [{of: \"artst:ann\", is: sea}]}"]
    {
        assert_eq!(wrong(face, None), "", "{face}");
        assert!(wrong(face, Some(&cards)).contains("artst"), "{face}");
        assert_eq!(wrong(&face.replace("artst", "artist"), Some(&cards)), "", "{face}");
    }
}

#[test]
fn mats_are_linted_and_caps_come_from_the_setup() {
    for (mat, message) in [
        ("{wide: {columns: [1], rows: [deck row]}}", "2 zones, and there are 1 columns"),
        ("{wide: {columns: [1], rows: [hand]}}", "`hand`"),
        ("{wide: {columns: [1], rows: [field]}}", "`field`"),
        ("{wide: {columns: [1], rows: [deck], middle: [deck]}}", "`deck`"),
        ("{wide: {columns: [0], rows: [deck]}}", "0 wide"),
        ("{wide: {columns: [1, 1], rows: [deck row, row deck]}}", "not a rectangle"),
        (
            "{wide: {columns: [1], rows: [deck]}, zones: {sky: {row: true}}}",
            "no setup has a zone `sky`",
        ),
        ("{wide: {columns: [1], rows: [deck]}, zones: {row: {takes: \"hue:red\"}}}", "hue"),
        ("{wide: {columns: [1], rows: [deck]}, counters: {mana: Mana}}", "no setup counts `mana`"),
        ("{wide: {columns: [1], rows: [deck]}, steps: [Draw, Draw]}", "a name of its own"),
    ] {
        let found = wrong(&format!("mat: {mat}"));
        assert!(found.iter().any(|one| one.contains(message)), "{mat}: {found:?}");
    }
    let fine = "mat: {wide: {columns: [1, 2], rows: [deck row], middle: [field]}, zones: {row: {takes: \"type:bird\"}}, steps: [Draw]}";
    let mat = right(fine).mat(&kite().formats()[0]).unwrap();
    let zones: Vec<_> =
        mat.zones.iter().map(|zone| (&*zone.name, zone.most, zone.shared)).collect();
    assert_eq!(zones, [("Field", None, true), ("Deck", None, false), ("Row", Some(3), false)]);
    assert_eq!((&*mat.counters[0].name, mat.counters[0].most), ("Life", Some(20)));
}

#[test]
fn every_shipped_game_with_cards_says_how_it_looks() {
    let catalogue = Catalogue::built_in();
    for id in catalogue.games().filter(|id| *id != "any") {
        let game = catalogue.game(id).unwrap();
        let look = Look::of(&catalogue, &game).unwrap();
        assert!(look.face.is_some() && look.mat.is_some(), "{id}");
        for format in game.formats() {
            let mat = look.mat(&format).unwrap();
            let shown: Vec<&str> = (mat.wide.rows.iter().chain(&mat.wide.middle))
                .flat_map(|row| row.value.split(' '))
                .collect();
            for zone in mat.zones.iter().filter(|zone| zone.id != "hand") {
                assert!(shown.contains(&&*zone.id), "{}: {}", format.id(), zone.id);
            }
        }
    }
}

#[test]
fn what_the_deck_builder_shows_is_linted() {
    let fine = "builder: {filters: [type], more: [might], curve: might, groups: [type]}
start:
  - {title: Lead, pick: lead, cards: \"type:bird\", only: [kite/fast]}
  - {title: Deck, choose: [{title: Any}, {title: Birds, wish: [\"main: 3+ [type:bird]\"]}]}
";
    assert_eq!(wrong(fine), Vec::<String>::new());
    for (more, message) in [
        ("builder: {filters: [colour]}", "no field `colour`"),
        ("builder: {curve: mana}", "no field `mana`"),
        ("start: [{title: A}]", "either `pick` or `choose`"),
        ("start: [{title: A, pick: lead, choose: [{title: B}]}]", "either `pick` or `choose`"),
        ("start: [{title: A, pick: side}]", "no section `side`"),
        ("start: [{title: A, pick: lead, only: [slow]}]", "no format `slow`"),
        ("start: [{title: A, pick: lead, cards: \"hue:red\"}]", "hue"),
        (
            "start: [{title: A, choose: [{title: A}, {title: B}, {title: C}, {title: D}]}]",
            "at most 3 decks",
        ),
    ] {
        let found = wrong(more);
        let is_there = found.iter().any(|one| one.contains(message));
        assert!(is_there, "{more}: {found:?}");
    }
}

#[test]
fn a_game_that_says_nothing_has_filters_and_a_curve() {
    let (game, look) = (kite(), Look::default());
    let format = game.formats().swap_remove(0);
    let builder = look.builder(game.fields());
    assert_eq!(builder.filters, ["type"]);
    assert_eq!(builder.curve, Some("might"));
    assert_eq!(builder.groups, ["might", "type"]);
    assert!(look.start(&format).is_empty());
}

#[test]
fn a_step_has_a_query_for_each_card_and_formats_of_its_own() {
    let more = "start:
  - {title: Lead, pick: lead, cards: \"might>=1\", each: {type: [bird, kite]}, only: [kite/fast]}
";
    let look = right(more);
    let formats = kite().formats();
    assert!(look.start(&formats[0]).is_empty());
    let steps = look.start(&formats[1]);
    assert_eq!(steps[0].each, ["might>=1 type:\"bird\"", "might>=1 type:\"kite\""]);
    assert_eq!(steps[0].by, Some("type"));
}
