//! `decklaw match export` from the outside.
#![allow(clippy::unwrap_used)]

mod save;

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn run(arguments: &[&str]) -> i32 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
    let output = command.arg("match").args(arguments).output().unwrap();
    output.status.code().unwrap()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_save_holds_every_card_where_the_match_has_it() {
    let folder = TempDir::new().unwrap();
    let (file, save) = (
        folder.path().join("m.json"),
        folder.path().join("my game.json"),
    );
    let (file_name, save_name) = (file.to_str().unwrap(), save.to_str().unwrap());
    let first = r#"{"step":"first-player","by":"choice","seat":"B"}"#;
    let deck = ["--deck", "decks/vainqueur/barley-crown.txt"];
    let new = [
        "new",
        "vainqueur",
        "--set",
        "opening_hand=5",
        "--seed",
        "qorvith-blenska-uthmar-x",
        "--decide",
        first,
    ];
    assert_eq!(
        run(&[&new[..], &deck, &deck, &["--to", file_name]].concat()),
        0
    );
    let export = ["export", file_name, "--tabletop-simulator", save_name];
    let web = ["--image-base-url", "https://example.org/c/"];
    assert_eq!(run(&[&export[..], &web].concat()), 0);
    let (made, saved) = (json(&file), json(&save));
    let objects = saved["ObjectStates"].as_array().unwrap();
    let kind = |name: &str| {
        objects
            .iter()
            .filter(|object| object["Name"] == name)
            .collect::<Vec<_>>()
    };
    // A pile face down for each seat, in the match's order, under its own instances' ids.
    for (pile, seat) in kind("DeckCustom").iter().zip(["A", "B"]) {
        let notes = pile["ContainedObjects"].as_array().unwrap().iter();
        let order: Vec<&Value> = notes.map(|card| &card["GMNotes"]).collect();
        let zone = made["state"]["seats"][seat]["zones"]["deck"]
            .as_array()
            .unwrap();
        assert_eq!(order, zone.iter().collect::<Vec<_>>());
        assert_eq!(pile["Transform"]["rotZ"], 180.0);
        let ids = pile["ContainedObjects"].as_array().unwrap().iter();
        let ids: Vec<&Value> = ids.map(|card| &card["CardID"]).collect();
        assert_eq!(
            ids,
            pile["DeckIDs"]
                .as_array()
                .unwrap()
                .iter()
                .collect::<Vec<_>>()
        );
    }
    // Hands lie in the hand zones.
    assert_eq!((kind("DeckCustom").len(), kind("Card").len()), (2, 10));
    let zones = kind("HandTrigger");
    assert_eq!(zones.len(), 2);
    assert_eq!(
        saved["Hands"]["HandTransforms"].as_array().unwrap().len(),
        2
    );
    for (number, card) in kind("Card").iter().enumerate() {
        let zone = &zones[number / 5]["Transform"];
        for (place, size) in [("posX", "scaleX"), ("posZ", "scaleZ")] {
            let off = card["Transform"][place].as_f64().unwrap() - zone[place].as_f64().unwrap();
            assert!(off.abs() <= zone[size].as_f64().unwrap() / 2.0);
        }
    }
    // One slot a name, and a card's number says sheet and slot.
    let mut slots = std::collections::BTreeMap::new();
    let piles = kind("DeckCustom").into_iter();
    for card in piles.flat_map(|pile| pile["ContainedObjects"].as_array().unwrap()) {
        let id = card["CardID"].as_u64().unwrap();
        let sheet = &card["CustomDeck"][(id / 100).to_string()];
        assert_eq!(
            sheet["FaceURL"],
            format!("https://example.org/c/my%20game-{}.png", id / 100)
        );
        let cells = sheet["NumWidth"].as_u64().unwrap() * sheet["NumHeight"].as_u64().unwrap();
        assert!(id % 100 < cells - 1, "the last slot is the hidden face");
        assert_eq!(
            slots.entry(id).or_insert(&card["Nickname"]),
            &&card["Nickname"]
        );
    }
    let names: std::collections::BTreeSet<&str> =
        slots.values().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names.len(), slots.len());
    assert!(
        saved["Note"]
            .as_str()
            .unwrap()
            .contains("Green begins\nWhite life: 250")
    );
    // Every object has an id of its own and a script, those in piles too.
    let inside = objects
        .iter()
        .filter_map(|object| object["ContainedObjects"].as_array());
    let all: Vec<&Value> = objects.iter().chain(inside.flatten()).collect();
    assert_eq!(all.len(), 2 + 2 + 100);
    let guids: std::collections::BTreeSet<&str> = all
        .iter()
        .map(|object| object["GUID"].as_str().unwrap())
        .collect();
    assert_eq!(guids.len(), all.len());
    assert!(guids.iter().all(|guid| guid.len() == 6));
    assert!(all.iter().all(|object| object["LuaScript"] == ""));
    // The picture: a PNG of whole cards.
    let picture = std::fs::read(folder.path().join("my game-1.png")).unwrap();
    assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
    let side = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    assert_eq!((side(16) % 10, side(20) % 7), (0, 0));
    assert!(folder.path().join("my game-back.png").exists());
    // The same again, byte by byte; without an address the files of this machine.
    let before = std::fs::read(&save).unwrap();
    assert_eq!(run(&[&export[..], &web, &["--replace"]].concat()), 0);
    assert_eq!(std::fs::read(&save).unwrap(), before);
    assert_eq!(run(&export), 2, "a file that is there already stays");
    assert_eq!(run(&[&export[..], &["--replace"]].concat()), 0);
    let saved = std::fs::read_to_string(&save).unwrap();
    assert!(saved.contains("file:///") && !saved.contains("example.org"));
}

#[test]
fn more_names_than_a_sheet_holds_take_several_and_hostile_ones_do_no_harm() {
    let folder = TempDir::new().unwrap();
    let deck = folder.path().join("deck.txt");
    let mut text = String::from("Format: any\n\nMain (101)\n");
    for number in 0..100 {
        text.push_str(&format!("1 Card {number}\n"));
    }
    text.push_str("1 <script>&\"七 a-very-long-word-that-fits-no-line-of-a-card\n");
    std::fs::write(&deck, text).unwrap();
    let (file, save) = (folder.path().join("m.json"), folder.path().join("s.json"));
    let (deck, file, save) = (
        deck.to_str().unwrap(),
        file.to_str().unwrap(),
        save.to_str().unwrap(),
    );
    let new = [
        "new",
        "any",
        "--set",
        "opening_hand=5",
        "--deck",
        deck,
        "--deck",
        deck,
    ];
    let first = r#"{"step":"first-player","by":"random"}"#;
    assert_eq!(
        run(&[&new[..], &["--decide", first, "--to", file]].concat()),
        0
    );
    assert_eq!(run(&["export", file, "--tabletop-simulator", save]), 0);
    assert!(folder.path().join("s-2.png").exists());
    assert!(!folder.path().join("s-3.png").exists());
    assert_eq!(
        run(&["export", file, "--tabletop-simulator", "save.txt"]),
        2
    );
    assert_eq!(run(&["export", file]), 2);
    assert_eq!(run(&["export", deck, "--tabletop-simulator", save]), 1);
}

#[test]
fn a_pool_becomes_a_cockatrice_set() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("set.xml");
    let export = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
        let output = command
            .args(["cards", "export"])
            .args(more)
            .output()
            .unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let (status, xml) = export(&["--cockatrice", "--format", "shell"]);
    assert_eq!(status, 0);
    assert!(xml.starts_with("<?xml version=\"1.0\""));
    assert!(xml.contains("<cockatrice_carddatabase version=\"4\">"));
    let pool = std::fs::read_to_string("formats/shell/cards.csv").unwrap();
    let records = pool.lines().skip(1).filter(|line| !line.trim().is_empty());
    assert!(xml.matches("<card>").count() <= records.count());
    assert_eq!(
        xml.matches("<card>").count(),
        xml.matches("<set>SHELL</set>").count()
    );
    assert!(xml.contains("<name>Moss Sprite</name>") && xml.contains("Miller&#39;s Thirst"));
    let to = [
        "--cockatrice",
        "--format",
        "shell",
        "--to",
        file.to_str().unwrap(),
    ];
    assert_eq!(export(&to), (0, String::new()));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), xml);
    assert_eq!(export(&["--format", "shell"]).0, 2, "for which program?");
    assert_eq!(
        export(&["--cockatrice", "--format", "any"]).0,
        2,
        "no cards"
    );
}

/// Face down the first card of a list is uppermost; a pile that lies open is the same deck
/// turned over, so that its list begins at the bottom.
#[test]
fn a_pile_that_lies_open_is_listed_from_the_bottom() {
    let folder = TempDir::new().unwrap();
    let (file, save) = (folder.path().join("m.json"), folder.path().join("s.json"));
    let (file_name, save_name) = (file.to_str().unwrap(), save.to_str().unwrap());
    let mut decisions = vec![r#"{"step":"first-player","by":"choice","seat":"A"}"#.to_owned()];
    for pick in 0..12 {
        let seat = ["A", "B"][pick % 2];
        decisions.push(format!(r#"{{"step":"pick","seat":"{seat}","slot":0}}"#));
    }
    for seat in ["A", "B"] {
        decisions.push(format!(
            r#"{{"step":"vote","when":"after-selection","seat":"{seat}","choice":"graveyard"}}"#
        ));
    }
    let mut new = vec!["new", "vastrix", "--option", "deffy=deffy-moment"];
    for decision in &decisions {
        new.extend(["--decide", decision]);
    }
    new.extend(["--seed", "qorvith-blenska-uthmar-open", "--to", file_name]);
    assert_eq!(run(&new), 0);
    assert_eq!(
        run(&["export", file_name, "--tabletop-simulator", save_name]),
        0
    );
    let (made, saved) = (json(&file), json(&save));
    let mut piles = saved["ObjectStates"].as_array().unwrap().iter();
    let pile = piles.find(|pile| pile["Nickname"] == "graveyard").unwrap();
    let listed = pile["ContainedObjects"].as_array().unwrap().iter();
    let listed: Vec<&Value> = listed.map(|card| &card["GMNotes"]).collect();
    let zone = made["state"]["shared"]["zones"]["graveyard"]
        .as_array()
        .unwrap();
    assert_eq!(zone.len(), 42);
    assert!(listed.into_iter().eq(zone.iter().rev()));
    assert_eq!(pile["Transform"]["rotZ"], 0.0);
}

/// A match of these options, set up as far as the decisions go, and its save.
fn saved(new: &[&str], decisions: &[&str]) -> (Value, Value) {
    let folder = TempDir::new().unwrap();
    let (file, save) = (folder.path().join("m.json"), folder.path().join("s.json"));
    let (file_name, save_name) = (file.to_str().unwrap(), save.to_str().unwrap());
    let mut call = vec!["new"];
    call.extend(new);
    for decision in decisions {
        call.extend(["--decide", decision]);
    }
    call.extend(["--seed", "qorvith-blenska-uthmar-table", "--to", file_name]);
    assert_eq!(run(&call), 0, "{call:?}");
    let export = ["export", file_name, "--tabletop-simulator", save_name];
    assert_eq!(run(&export), 0, "{call:?}");
    (json(&file), json(&save))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Where an object is, from above.
fn place(object: &Value) -> (f64, f64) {
    let transform = &object["Transform"];
    (number(&transform["posX"]), number(&transform["posZ"]))
}

const RANDOM: &str = r#"{"step":"first-player","by":"random"}"#;

#[test]
fn seats_follow_each_other_clockwise_and_partners_sit_opposite() {
    for seats in [2, 3, 4] {
        let players = format!("players={seats}");
        let (_, save) = saved(&["vastrix", "--option", &players], &[RANDOM]);
        let objects = save["ObjectStates"].as_array().unwrap();
        let zones = objects
            .iter()
            .filter(|object| object["Name"] == "HandTrigger");
        let zones: Vec<&Value> = zones.collect();
        assert_eq!(zones.len(), seats);
        // Seen from above, an angle from the middle that falls is clockwise.
        let angles = zones.iter().map(|zone| {
            let (x, z) = place(zone);
            z.atan2(x).to_degrees()
        });
        let angles: Vec<f64> = angles.collect();
        let steps: Vec<f64> = (1..seats)
            .map(|at| (angles[at - 1] - angles[at]).rem_euclid(360.0))
            .collect();
        assert!(steps.iter().sum::<f64>() < 360.0, "{angles:?}");
        assert!(steps.iter().all(|step| *step >= 89.0), "{angles:?}");
        // Who sits two apart, or is one of two, sits opposite.
        let across = if seats == 2 { 1 } else { 2 };
        for at in across..seats {
            let ((x, z), (other_x, other_z)) = (place(zones[at - across]), place(zones[at]));
            assert_eq!((x, z), (-other_x, -other_z));
        }
        for zone in &zones {
            // Everybody looks at the middle.
            let (x, z) = place(zone);
            let turned = number(&zone["Transform"]["rotY"]).to_radians();
            assert!(x * turned.sin() + z * turned.cos() < -20.0);
        }
        let note = save["Note"].as_str().unwrap();
        assert_eq!(
            note.matches("are partners").count(),
            if seats == 4 { 2 } else { 0 }
        );
        // Each hand lies in the zone of its seat, whole.
        let zone_of = |id: &Value| {
            let hand = |seat: &str| json_hand(&save, seat);
            ["White", "Red", "Green", "Blue"]
                .iter()
                .find(|colour| hand(colour).contains(id))
                .copied()
        };
        let held = objects
            .iter()
            .filter(|object| object["Description"] == "hand");
        assert!(held.clone().all(|card| zone_of(&card["GMNotes"]).is_some()));
        assert_eq!(held.count(), [0, 0, 11, 17, 20][seats]);
    }
}

/// The ids of the cards that lie within the hand zone of a colour, edges and all.
fn json_hand(save: &Value, colour: &str) -> Vec<Value> {
    let objects = save["ObjectStates"].as_array().unwrap();
    let zone = objects.iter().find(|object| object["FogColor"] == colour);
    let Some(zone) = zone else {
        return Vec::new();
    };
    let (x, z) = place(zone);
    let turned = number(&zone["Transform"]["rotY"]).to_radians();
    let (wide, deep) = (
        number(&zone["Transform"]["scaleX"]) / 2.0,
        number(&zone["Transform"]["scaleZ"]) / 2.0,
    );
    let inside = objects
        .iter()
        .filter(|object| object["Name"] == "Card")
        .filter(|card| {
            let (card_x, card_z) = place(card);
            let (off_x, off_z) = (card_x - x, card_z - z);
            let along = off_x * turned.cos() - off_z * turned.sin();
            let on = off_x * turned.sin() + off_z * turned.cos();
            along.abs() + 1.1 <= wide && on.abs() + 1.55 <= deep
        });
    inside.map(|card| card["GMNotes"].clone()).collect()
}

#[test]
fn hands_of_twenty_lie_within_their_zones() {
    let folder = TempDir::new().unwrap();
    let deck = folder.path().join("deck.txt");
    let cards: String = (0..40).map(|number| format!("1 Card {number}\n")).collect();
    std::fs::write(&deck, format!("Format: any\n\nMain\n{cards}")).unwrap();
    let deck = deck.to_str().unwrap();
    for held in [1, 2, 20, 40] {
        let hand = format!("opening_hand={held}");
        let decks = ["any", "--set", &hand, "--deck", deck, "--deck", deck];
        let (made, save) = saved(&decks, &[RANDOM]);
        for (seat, colour) in [("A", "White"), ("B", "Green")] {
            let own = &made["state"]["seats"][seat]["zones"]["hand"];
            assert_eq!(&Value::from(json_hand(&save, colour)), own, "{held}");
        }
    }
}

#[test]
fn squares_are_drawn_and_nothing_lies_on_another_zone() {
    let deck = "decks/versus/hedge-and-harrow.txt";
    let decks = ["versus/normal", "--deck", deck, "--deck", deck];
    let (_, save) = saved(&decks, &[RANDOM]);
    let snaps = save["SnapPoints"].as_array().unwrap();
    assert_eq!(
        (snaps.len(), save["VectorLines"].as_array().unwrap().len()),
        (25, 25)
    );
    let at = |axis: &str| {
        let mut all: Vec<i64> = snaps
            .iter()
            .map(|snap| (number(&snap["Position"][axis]) * 100.0).round() as i64)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    assert_eq!((at("x").len(), at("z").len()), (5, 5));
    // The grid stands in the middle of the table.
    assert_eq!((at("x")[2], at("z")[2]), (0, 0));
    for deck in ["shell/ebb.txt", "vanquishers/noon-and-gunmetal.txt"] {
        let path = format!("decks/{deck}");
        let game = deck.split('/').next().unwrap();
        let mut decisions: Vec<&str> = Vec::new();
        let mut new = vec![game, "--deck", &path, "--deck", &path];
        if game == "shell" {
            decisions.extend([
                r#"{"step":"swap","seat":"A"}"#,
                r#"{"step":"swap","seat":"B"}"#,
                RANDOM,
                r#"{"step":"mulligan","seat":"A","choice":"keep","bottom":[]}"#,
                r#"{"step":"mulligan","seat":"B","choice":"keep","bottom":[]}"#,
            ]);
        } else {
            new.extend(["--set", "starting_energy=5"]);
            decisions.push(r#"{"step":"roll","by":"given","values":{"A":4,"B":2}}"#);
        }
        let (_, save) = saved(&new, &decisions);
        let objects = save["ObjectStates"].as_array().unwrap().iter();
        let zone = |object: &Value| match object["Name"].as_str() {
            Some("DeckCustom") => object["Nickname"].clone(),
            _ => object["Description"].clone(),
        };
        let cards = objects.filter(|object| object["Name"] != "HandTrigger");
        let cards: Vec<&Value> = cards.collect();
        for (number, one) in cards.iter().enumerate() {
            for other in &cards[number + 1..] {
                let ((x, z), (other_x, other_z)) = (place(one), place(other));
                let apart = (x - other_x).abs() >= 2.2 || (z - other_z).abs() >= 3.1;
                assert!(apart || zone(one) == zone(other), "{one} {other}");
            }
        }
    }
}

#[test]
fn a_setup_that_waits_is_no_game_to_export() {
    let folder = TempDir::new().unwrap();
    let (file, save) = (folder.path().join("m.json"), folder.path().join("s.json"));
    let (file, save_name) = (file.to_str().unwrap(), save.to_str().unwrap());
    assert_eq!(
        run(&[
            "new",
            "vastrix",
            "--seed",
            "qorvith-blenska-uthmar-x",
            "--to",
            file
        ]),
        0
    );
    let export = ["match", "export", file, "--tabletop-simulator", save_name];
    let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
    let output = command.args(export).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("the setup is not finished: 1 decision is still awaited"),
        "{told}"
    );
    assert!(
        told.contains("first-player") && told.contains("match play"),
        "{told}"
    );
    assert!(!save.exists() && std::fs::read_dir(folder.path()).unwrap().count() == 1);
}
