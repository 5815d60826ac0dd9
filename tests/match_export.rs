//! `decklaw match export` from the outside.
#![allow(clippy::unwrap_used)]

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
        "x",
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
    let guids: std::collections::BTreeSet<&str> = objects
        .iter()
        .map(|object| object["GUID"].as_str().unwrap())
        .collect();
    assert_eq!(guids.len(), objects.len());
    // The pictures: a PNG of whole cards, and the same names as SVG.
    let picture = std::fs::read(folder.path().join("my game-1.png")).unwrap();
    assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
    let side = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    assert_eq!((side(16) % 10, side(20) % 7), (0, 0));
    let svg = std::fs::read_to_string(folder.path().join("my game-1.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.matches("<rect ").count() > 1);
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
    let svgs = ["s-1.svg", "s-2.svg"]
        .map(|name| std::fs::read_to_string(folder.path().join(name)).unwrap());
    assert!(svgs.iter().any(|svg| svg.contains("&lt;script&gt;&amp;")));
    assert!(svgs.iter().all(|svg| !svg.contains("<script>")));
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
    new.extend(["--seed", "open", "--to", file_name]);
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
