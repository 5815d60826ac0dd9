//! The save of Tabletop Simulator, by a reader of its own.

use super::script::Desk;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const RANDOM: &str = r#"{"step":"first-player","by":"random"}"#;

/// The parts of a save with their keys, as the public description of the format has them
/// (kb.tabletopsimulator.com, "Save File Format"). Behind a key is the type of its value (text,
/// number, flag, list, object) or the part that it is; `[` is a list and `{` an object of such parts;
/// `?` may be missing.
const SHAPES: &str = "\
save SaveName:t GameMode:t Date:t Table:t Sky:t Note:t Rules:t LuaScript:t LuaScriptState:t XmlUI:t Gravity:n PlayArea:n Hands:hands SnapPoints:[snap VectorLines:[line ObjectStates:[object
hands Enable:f DisableUnused:f Hiding:n HandTransforms:[hand
hand Color:t Transform:o
transform posX:n posY:n posZ:n rotX:n rotY:n rotZ:n scaleX:n scaleY:n scaleZ:n
snap Position:point Rotation:o
point x:n y:n z:n
line points3:[point color:o thickness:n rotation:o loop:f square:f
object Name:t GUID:t Transform:transform Nickname:t Description?:t GMNotes?:t Locked?:f FogColor?:t HideWhenFaceDown?:f Hands?:f CardID?:n DeckIDs?:l CustomDeck?:{sheet ContainedObjects?:[object LuaScript:t LuaScriptState:t XmlUI:t
sheet FaceURL:t BackURL:t NumWidth:n NumHeight:n BackIsHidden:f UniqueBack:f";

/// Holds a part of a save, with all that is in it, against its shape.
fn fits(name: &str, value: &Value) {
    let shape = SHAPES.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap();
    let mut keys: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    for (key, kind) in shape.split(' ').map(|field| field.split_once(':').unwrap()) {
        let (key, may_miss) = key.strip_suffix('?').map_or((key, false), |key| (key, true));
        if !keys.remove(key) {
            assert!(may_miss, "{name} has no {key}");
            continue;
        }
        let value = &value[key];
        let is_right = match kind {
            "t" => value.is_string(),
            "n" => value.is_number(),
            "f" => value.is_boolean(),
            "l" => value.is_array(),
            "o" => value.is_object(),
            part => {
                match part.split_at(1) {
                    ("[", part) => list(value).iter().for_each(|one| fits(part, one)),
                    ("{", part) => {
                        value.as_object().unwrap().values().for_each(|one| fits(part, one))
                    }
                    _ => fits(part, value),
                }
                true
            }
        };
        assert!(is_right, "{name}: {key} is {value}");
    }
    assert!(keys.is_empty(), "{name} has {keys:?}");
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn objects<'s>(save: &'s Value, name: &str) -> Vec<&'s Value> {
    let all = list(&save["ObjectStates"]).iter();
    all.filter(|object| object["Name"] == name).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The position of an object from above.
fn place(object: &Value) -> (f64, f64) {
    let transform = &object["Transform"];
    (number(&transform["posX"]), number(&transform["posZ"]))
}

/// Whether a card lies within a hand zone, edges and all.
fn is_within(zone: &Value, card: &Value) -> bool {
    let ((x, z), (card_x, card_z)) = (place(zone), place(card));
    let transform = &zone["Transform"];
    let turned = number(&transform["rotY"]).to_radians();
    let (off_x, off_z) = (card_x - x, card_z - z);
    let along = off_x * turned.cos() - off_z * turned.sin();
    let on = off_x * turned.sin() + off_z * turned.cos();
    along.abs() + 1.1 <= number(&transform["scaleX"]) / 2.0
        && on.abs() + 1.55 <= number(&transform["scaleZ"]) / 2.0
}

/// Checks a card of a save; its name.
fn card(object: &Value) -> String {
    let (id, sheets) = (object["CardID"].as_u64().unwrap(), &object["CustomDeck"]);
    assert_eq!(sheets.as_object().unwrap().len(), 1);
    let sheet = &sheets[(id / 100).to_string()];
    let [width, height] = ["NumWidth", "NumHeight"].map(|key| sheet[key].as_u64().unwrap());
    assert!((1..=10).contains(&width) && (1..=7).contains(&height));
    assert!(id % 100 < width * height);
    assert_eq!(sheet["BackIsHidden"], true);
    assert_eq!((&object["Hands"], &object["HideWhenFaceDown"]), (&json!(true), &json!(true)));
    object["Nickname"].as_str().unwrap().to_owned()
}

/// Checks all that a save says; the names of its cards, each with its number.
fn names(save: &Value, seats: usize) -> BTreeMap<String, u32> {
    fits("save", save);
    let hands = list(&save["Hands"]["HandTransforms"]);
    let zones = objects(save, "HandTrigger");
    assert_eq!((hands.len(), zones.len()), (seats, seats));
    for hand in hands {
        let zone = zones.iter().find(|zone| zone["FogColor"] == hand["Color"]);
        assert_eq!(zone.unwrap()["Transform"], hand["Transform"]);
    }
    let (mut names, mut ids) = (BTreeMap::new(), BTreeSet::new());
    for object in list(&save["ObjectStates"]) {
        let empty = Vec::new();
        let inside = object["ContainedObjects"].as_array().unwrap_or(&empty);
        for one in inside.iter().chain([object]) {
            assert!(ids.insert(one["GUID"].to_string()), "{one}");
            assert_eq!(one["LuaScript"], "");
            if one["Name"] == "Card" {
                *names.entry(card(one)).or_default() += 1;
            }
        }
        match object["Name"].as_str().unwrap() {
            "DeckCustom" => {
                assert!(inside.len() > 1, "a pile of one card is a card");
                let cards = inside.iter().map(|card| &card["CardID"]);
                assert!(cards.eq(list(&object["DeckIDs"])));
            }
            name => assert!(["Card", "HandTrigger"].contains(&name), "{name}"),
        }
    }
    names
}

/// A match with these options and decisions, and its save.
fn saved(desk: &mut Desk, new: &str, decisions: &[String]) -> (Value, Value) {
    let decisions: String = decisions.iter().map(|one| format!(" --decide '{one}'")).collect();
    let call = format!("match new {new}{decisions} --seed table --replace --to m.json");
    assert_eq!(desk.line(&call), 0, "{call}");
    let export = "match export m.json --replace --tabletop-simulator 'my save.json'";
    assert_eq!(desk.line(export), 0, "{call}");
    (desk.json("m.json"), desk.json("my save.json"))
}

#[test]
fn saves_of_every_game_hold_the_cards_where_the_match_has_them() {
    let roll = r#"{"step":"roll","by":"given","values":{"A":4,"B":2}}"#.to_owned();
    let each = |text: &str| ["A", "B"].map(|seat| text.replace('@', seat));
    let random = || vec![RANDOM.to_owned()];
    let swaps = each(r#"{"step":"swap","seat":"@"}"#);
    let keep = each(r#"{"step":"mulligan","seat":"@","choice":"keep","bottom":[]}"#);
    let shell = [&swaps[..], &random(), &keep].concat();
    let mut moment = vec![r#"{"step":"first-player","by":"choice","seat":"A"}"#.to_owned()];
    moment.extend(each(r#"{"step":"pick","seat":"@","slot":0}"#).into_iter().cycle().take(12));
    moment.extend(each(
        r#"{"step":"vote","when":"after-selection","seat":"@","choice":"graveyard"}"#,
    ));
    let games: [(&str, &str, Vec<String>, usize); 8] = [
        ("shell", "shell/ebb shell/ash-and-acorn", shell, 2),
        ("vainqueur --set opening_hand=5", &"vainqueur/barley-crown ".repeat(2), random(), 2),
        (
            "vanquishers --set starting_energy=5",
            &"vanquishers/harbour-battery ".repeat(2),
            vec![roll],
            2,
        ),
        ("versus/normal", "versus/steam-rises versus/steam-rises", random(), 2),
        ("versus/fast-shared", "versus/kitchen-table", random(), 2),
        ("vastrix --option players=3", "", random(), 3),
        ("vastrix --option players=4", "", random(), 4),
        ("vastrix --option deffy=deffy-moment", "", moment, 2),
    ];
    let mut open_piles = 0;
    let mut desk = Desk::new();
    for (options, decks, decisions, seats) in games {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/decks");
        let decks = decks.split_whitespace();
        let decks: String = decks.map(|deck| format!(" --deck={folder}/{deck}.txt")).collect();
        let (made, save) = saved(&mut desk, &format!("{options}{decks}"), &decisions);
        let mut due: BTreeMap<String, u32> = BTreeMap::new();
        for name in made["cards"].as_object().unwrap().values() {
            *due.entry(name.as_str().unwrap().to_owned()).or_default() += 1;
        }
        assert_eq!(names(&save, seats), due, "{options}");
        // A pile face down has the match's order, from the top; one that lies open is the same deck
        // turned over.
        let seats_of = || made["state"]["seats"].as_object().unwrap().values();
        for pile in objects(&save, "DeckCustom") {
            let cards = list(&pile["ContainedObjects"]).iter();
            let mut listed: Vec<&Value> = cards.map(|card| &card["GMNotes"]).collect();
            if pile["Transform"]["rotZ"] == 0.0 {
                listed.reverse();
                open_piles += usize::from(listed.len() == 42);
            }
            let mut tables = seats_of().chain([&made["state"]["shared"]]);
            let listed = json!(listed);
            let is_same = |table: &Value| {
                table["zones"].as_object().unwrap().values().any(|zone| *zone == listed)
            };
            let is_open = pile["Transform"]["rotZ"] == 0.0 && pile["Nickname"] != "graveyard";
            assert!(is_open || tables.any(is_same), "{options}: {}", pile["Nickname"]);
        }
        // Each hand lies in the zone of one seat, whole.
        let zones = objects(&save, "HandTrigger");
        let cards = objects(&save, "Card");
        let held = cards.iter().filter(|card| card["Description"] == "hand");
        let mut hands: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for card in held {
            let zone = zones.iter().position(|zone| is_within(zone, card));
            let id = card["GMNotes"].as_str().unwrap();
            hands.entry(zone.unwrap()).or_default().insert(id);
        }
        let hands: BTreeSet<BTreeSet<&str>> = hands.into_values().collect();
        let state = seats_of().map(|seat| {
            list(&seat["zones"]["hand"]).iter().map(|id| id.as_str().unwrap()).collect()
        });
        assert_eq!(hands, state.collect(), "{options}");
        // Nothing lies on another zone.
        let zone = |object: &Value| match object["Name"].as_str() {
            Some("DeckCustom") => object["Nickname"].clone(),
            _ => object["Description"].clone(),
        };
        let lying: Vec<&Value> = [cards, objects(&save, "DeckCustom")].concat();
        for (at, one) in lying.iter().enumerate() {
            for other in &lying[at + 1..] {
                let ((x, z), (other_x, other_z)) = (place(one), place(other));
                let is_apart = (x - other_x).abs() >= 2.2 || (z - other_z).abs() >= 3.1;
                assert!(is_apart || zone(one) == zone(other), "{one} {other}");
            }
        }
        // Seats follow each other clockwise; two, and seats two apart, sit opposite.
        let angle = |zone: &Value| place(zone).1.atan2(place(zone).0).to_degrees();
        let steps = zones.windows(2).map(|two| (angle(two[0]) - angle(two[1])).rem_euclid(360.0));
        assert!(steps.clone().all(|step| step >= 89.0) && steps.sum::<f64>() < 360.0);
        let across = if seats == 2 { 1 } else { 2 };
        for at in across..seats {
            let ((x, z), (other_x, other_z)) = (place(zones[at - across]), place(zones[at]));
            assert_eq!((x, z), (-other_x, -other_z));
        }
        let squares = list(&save["SnapPoints"]).len();
        let grid = match options {
            "versus/normal" => 25,
            "versus/fast-shared" => 16,
            _ => squares,
        };
        assert_eq!((squares, list(&save["VectorLines"]).len()), (grid, squares), "{options}");
    }
    assert_eq!(open_piles, 1, "the graveyard of the last game");
}

#[test]
fn pictures_are_sheets_of_whole_cards_at_the_address_that_is_given() {
    let mut desk = Desk::new();
    let mut deck = String::from(
        "Format: any\n\nMain (71)\n1 <script>&\"七 a-word-that-fits-no-line-of-a-card\n",
    );
    for number in 0..70 {
        deck.push_str(&format!("1 Card {number}\n"));
    }
    std::fs::write(desk.path().join("deck.txt"), deck).unwrap();
    let new = "any --set opening_hand=5 --deck deck.txt --deck deck.txt";
    let (_, save) = saved(&mut desk, new, &[RANDOM.to_owned()]);
    assert!(save.to_string().contains("file:///"));
    let file = |desk: &Desk, name: &str| std::fs::read(desk.path().join(name));
    let picture = file(&desk, "my save-1.png").unwrap();
    let side = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    assert_eq!((&picture[..8], side(16) % 10, side(20) % 7), (&b"\x89PNG\r\n\x1a\n"[..], 0, 0));
    assert!(file(&desk, "my save-2.png").is_ok() && file(&desk, "my save-3.png").is_err());
    assert!(file(&desk, "my save-back.png").is_ok());
    let export = "match export m.json --tabletop-simulator 'my save.json' --replace \
        --image-base-url https://example.org/c/";
    let mut exported = || {
        assert_eq!(desk.line(export), 0);
        file(&desk, "my save.json").unwrap()
    };
    let once = exported();
    assert_eq!(exported(), once, "the same bytes");
    let text = String::from_utf8(once).unwrap();
    assert!(text.contains("https://example.org/c/my%20save-1.png") && !text.contains("file:"));
    // A setup that waits is no game to export.
    assert_eq!(desk.line("match new vastrix --to w.json"), 0);
    assert_eq!(desk.line("match export w.json --tabletop-simulator w2.json"), 1);
    assert!(file(&desk, "w2.json").is_err());
}
