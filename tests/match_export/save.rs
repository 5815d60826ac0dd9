//! Saves of Tabletop Simulator, read by a reader of their own: every key is one that the public
//! description of the save format has (kb.tabletopsimulator.com, "Save File Format"), with the
//! type that it has there, none is missing and none is added; and what one part says of another
//! holds. The cards of the save are those of the match.

use super::{RANDOM, saved};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct Save {
    save_name: String,
    game_mode: String,
    date: String,
    table: String,
    sky: String,
    note: String,
    rules: String,
    lua_script: String,
    lua_script_state: String,
    #[serde(rename = "XmlUI")]
    xml_ui: String,
    gravity: f64,
    play_area: f64,
    hands: Hands,
    snap_points: Vec<Snap>,
    vector_lines: Vec<Drawn>,
    object_states: Vec<Object>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct Hands {
    enable: bool,
    disable_unused: bool,
    hiding: u8,
    hand_transforms: Vec<Hand>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct Hand {
    color: String,
    transform: Transform,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Transform {
    pos_x: f64,
    pos_y: f64,
    pos_z: f64,
    rot_x: f64,
    rot_y: f64,
    rot_z: f64,
    scale_x: f64,
    scale_y: f64,
    scale_z: f64,
}

impl Transform {
    fn numbers(&self) -> [f64; 9] {
        let Transform {
            pos_x,
            pos_y,
            pos_z,
            rot_x,
            rot_y,
            rot_z,
            scale_x,
            scale_y,
            scale_z,
        } = self;
        [
            pos_x, pos_y, pos_z, rot_x, rot_y, rot_z, scale_x, scale_y, scale_z,
        ]
        .map(|it| *it)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct Snap {
    position: Point,
    rotation: Point,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Colour {
    r: f64,
    g: f64,
    b: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Drawn {
    points3: Vec<Point>,
    color: Colour,
    thickness: f64,
    rotation: Point,
    #[serde(rename = "loop")]
    closed: bool,
    square: bool,
}

/// An object of any kind; which of the optional keys it has depends on its kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct Object {
    name: String,
    #[serde(rename = "GUID")]
    guid: String,
    transform: Transform,
    nickname: String,
    description: Option<String>,
    #[serde(rename = "GMNotes")]
    notes: Option<String>,
    locked: Option<bool>,
    fog_color: Option<String>,
    hide_when_face_down: Option<bool>,
    hands: Option<bool>,
    #[serde(rename = "CardID")]
    card: Option<u32>,
    #[serde(rename = "DeckIDs")]
    deck: Option<Vec<u32>>,
    custom_deck: Option<BTreeMap<String, Sheet>>,
    contained_objects: Option<Vec<Object>>,
    lua_script: String,
    lua_script_state: String,
    #[serde(rename = "XmlUI")]
    xml_ui: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
struct Sheet {
    FaceURL: String,
    BackURL: String,
    NumWidth: u32,
    NumHeight: u32,
    BackIsHidden: bool,
    UniqueBack: bool,
}

/// Seats of the program.
const COLOURS: [&str; 10] = [
    "White", "Brown", "Red", "Orange", "Yellow", "Green", "Teal", "Blue", "Purple", "Pink",
];

/// What a card is; what it says must hold.
fn card(object: &Object) -> String {
    assert_eq!(object.name, "Card");
    let (id, sheets) = (object.card.unwrap(), object.custom_deck.as_ref().unwrap());
    let sheet = &sheets[&(id / 100).to_string()];
    assert_eq!(sheets.len(), 1, "a card is of one sheet");
    assert!((1..=10).contains(&sheet.NumWidth) && (1..=7).contains(&sheet.NumHeight));
    assert!(id % 100 < sheet.NumWidth * sheet.NumHeight);
    assert!(!sheet.FaceURL.is_empty() && !sheet.BackURL.is_empty());
    assert!(sheet.BackIsHidden && !sheet.UniqueBack);
    assert!(object.contained_objects.is_none() && object.deck.is_none());
    assert!(object.locked.is_none() && object.fog_color.is_none());
    assert_eq!(object.hands, Some(true), "it may be taken into a hand");
    assert_eq!(object.hide_when_face_down, Some(true));
    assert!(object.notes.as_ref().is_some_and(|id| !id.is_empty()));
    assert!(object.description.is_some());
    object.nickname.clone()
}

/// The names of all cards of a save, each as often as it lies there.
fn cards(save: &Value, seats: usize) -> BTreeMap<String, u32> {
    let save: Save = serde_json::from_value(save.clone()).unwrap();
    assert!(!save.save_name.is_empty() && !save.table.is_empty() && !save.sky.is_empty());
    assert!(save.gravity > 0.0 && save.play_area > 0.0);
    let empty = [&save.game_mode, &save.date, &save.rules, &save.lua_script];
    assert!(empty.iter().all(|text| text.is_empty()));
    assert!(save.lua_script_state.is_empty() && save.xml_ui.is_empty());
    assert!(save.note.lines().all(|line| !line.trim().is_empty()));
    assert!(save.hands.enable && !save.hands.disable_unused && save.hands.hiding == 0);
    let mut finite: Vec<f64> = Vec::new();
    for snap in &save.snap_points {
        let Snap { position, rotation } = snap;
        finite.extend([
            position.x, position.y, position.z, rotation.x, rotation.y, rotation.z,
        ]);
    }
    for line in &save.vector_lines {
        assert!(line.closed && !line.square && line.points3.len() == 4);
        finite.extend(line.points3.iter().flat_map(|it| [it.x, it.y, it.z]));
        finite.extend([
            line.rotation.x,
            line.rotation.y,
            line.rotation.z,
            line.thickness,
        ]);
        let Colour { r, g, b } = line.color;
        assert!([r, g, b].iter().all(|part| (0.0..=1.0).contains(part)));
    }
    assert_eq!(save.snap_points.len(), save.vector_lines.len());
    let hands = &save.hands.hand_transforms;
    let colours: BTreeSet<&str> = hands.iter().map(|hand| hand.color.as_str()).collect();
    assert_eq!((hands.len(), colours.len()), (seats, seats));
    assert!(colours.iter().all(|colour| COLOURS.contains(colour)));

    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    let mut guids = BTreeSet::new();
    let mut zones = 0;
    for object in &save.object_states {
        let inside = object.contained_objects.iter().flatten();
        for one in [object].into_iter().chain(inside) {
            let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            assert!(one.guid.len() == 6 && one.guid.bytes().all(hex), "{one:?}");
            assert!(guids.insert(one.guid.clone()), "{} stands twice", one.guid);
            assert!(one.lua_script.is_empty() && one.lua_script_state.is_empty());
            assert!(one.xml_ui.is_empty());
            finite.extend(one.transform.numbers());
        }
        match object.name.as_str() {
            "HandTrigger" => {
                let colour = object.fog_color.as_ref().unwrap();
                let hand = hands.iter().find(|hand| hand.color == *colour).unwrap();
                assert_eq!(hand.transform, object.transform);
                assert_eq!(object.locked, Some(true));
                assert!(object.card.is_none() && object.contained_objects.is_none());
                zones += 1;
            }
            "DeckCustom" => {
                let held = object.contained_objects.as_ref().unwrap();
                assert!(held.len() > 1, "a pile of one card is a card");
                let ids: Vec<u32> = held.iter().map(|card| card.card.unwrap()).collect();
                assert_eq!(object.deck.as_ref(), Some(&ids));
                let sheets = object.custom_deck.as_ref().unwrap();
                for one in held {
                    for (number, sheet) in one.custom_deck.as_ref().unwrap() {
                        assert_eq!(sheets.get(number), Some(sheet));
                    }
                    *names.entry(card(one)).or_default() += 1;
                }
                assert!(object.card.is_none() && object.hands.is_none());
                assert_eq!(object.hide_when_face_down, Some(true));
                assert!(!object.nickname.is_empty(), "a pile is called by its zone");
            }
            "Card" => *names.entry(card(object)).or_default() += 1,
            other => panic!("there is no object {other}"),
        }
    }
    assert_eq!(zones, seats);
    assert!(finite.iter().all(|number| number.is_finite()));
    names
}

#[test]
fn saves_of_every_game_hold_what_the_format_has_and_the_cards_of_the_match() {
    let roll = r#"{"step":"roll","by":"given","values":{"A":4,"B":2}}"#;
    let keep = ["A", "B"].map(|seat| {
        format!(r#"{{"step":"mulligan","seat":"{seat}","choice":"keep","bottom":[]}}"#)
    });
    let swaps = ["A", "B"].map(|seat| format!(r#"{{"step":"swap","seat":"{seat}"}}"#));
    let ebb = "decks/shell/ebb.txt";
    let ash = "decks/shell/ash-and-acorn.txt";
    let crown = "decks/vainqueur/barley-crown.txt";
    let battery = "decks/vanquishers/harbour-battery.txt";
    let steam = "decks/versus/steam-rises.txt";
    let games: [(&[&str], Vec<&str>, usize); 8] = [
        (
            &["shell", "--deck", ebb, "--deck", ash],
            vec![&swaps[0], &swaps[1], RANDOM, &keep[0], &keep[1]],
            2,
        ),
        (
            &[
                "vainqueur",
                "--set",
                "opening_hand=5",
                "--deck",
                crown,
                "--deck",
                crown,
            ],
            vec![RANDOM],
            2,
        ),
        (
            &[
                "vanquishers",
                "--set",
                "starting_energy=5",
                "--deck",
                battery,
                "--deck",
                battery,
            ],
            vec![roll],
            2,
        ),
        (
            &["versus/normal", "--deck", steam, "--deck", steam],
            vec![RANDOM],
            2,
        ),
        (
            &[
                "versus/fast-shared",
                "--deck",
                "decks/versus/kitchen-table.txt",
            ],
            vec![RANDOM],
            2,
        ),
        (&["vastrix"], vec![RANDOM], 2),
        (&["vastrix", "--option", "players=3"], vec![RANDOM], 3),
        (&["vastrix", "--option", "players=4"], vec![RANDOM], 4),
    ];
    for (new, decisions, seats) in games {
        let (made, save) = saved(new, &decisions);
        let mut due: BTreeMap<String, u32> = BTreeMap::new();
        for name in made["cards"].as_object().unwrap().values() {
            *due.entry(name.as_str().unwrap().to_owned()).or_default() += 1;
        }
        assert_eq!(cards(&save, seats), due, "{new:?}");
    }
}
