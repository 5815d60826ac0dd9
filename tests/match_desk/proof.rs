//! What `verify` recomputes, and digests that two commands tell.

use crate::calls::{Desk, FIRST, sample};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The digest of a value's canonical JSON.
fn digest(value: &Value) -> Value {
    let digest = Sha256::digest(serde_json_canonicalizer::to_vec(value).unwrap());
    json!(
        digest
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    )
}

#[test]
fn registered_fields_that_cannot_be_are_refused() {
    let (desk, deck) = (Desk::new(), sample("shell/ebb.txt"));
    desk.run(&format!(
        "new shell --deck {deck} --deck {deck} --seed qorvith-blenska-uthmar-x --to m.json"
    ))
    .assert(0, &[]);
    let place = |section: &str, card: &str| -> String {
        let file = desk.json("m.json");
        let lines = file["inputs"]["seats"][0]["deck"]["sections"][section]
            .as_array()
            .unwrap();
        let at = lines.iter().position(|line| line["name"] == card).unwrap();
        format!("/inputs/seats/0/deck/sections/{section}/{at}")
    };
    let gate = place("shells", "Gate of Warm Iron");
    let (drizzle, sprite) = (place("side", "Drizzle"), place("main", "Moss Sprite"));
    for (line, colour) in [
        (&gate, Some(json!("purple"))),
        (&gate, Some(json!("green"))),
        (&gate, Some(json!(3))),
        (&gate, None),
        (&drizzle, Some(json!("purple"))),
        (&drizzle, Some(json!(true))),
        (&sprite, Some(json!("green"))),
    ] {
        desk.change("m.json", "bad.json", |file| {
            let line = file.pointer_mut(line).unwrap().as_object_mut().unwrap();
            match &colour {
                Some(colour) => drop(line.insert("colour".to_owned(), colour.clone())),
                None => drop(line.remove("colour")),
            }
            file["digests"]["inputs"] = digest(&file["inputs"]);
        });
        desk.run("verify bad.json").assert(1, &["bad.json"]);
    }
}

#[test]
fn only_rules_of_the_format_can_be_broken() {
    let (desk, deck) = (Desk::new(), sample("shell/overspent.txt"));
    desk.run(&format!(
        "new shell --allow-illegal --deck {deck} --deck {deck} --seed qorvith-blenska-uthmar-x --to m.json"
    ))
    .assert(0, &[]);
    desk.run("verify m.json").assert(0, &[]);
    for (rules, status) in [
        (json!(["points"]), 0),
        (json!(["accepts", "copies", "points"]), 0),
        (json!(["banned", "points"]), 0),
        (json!(["zzz"]), 1),
        (json!(["points", "zzz"]), 1),
        (json!(["size"]), 1),
        (json!([]), 1),
        (json!(["points", "copies"]), 1),
    ] {
        desk.change("m.json", "other.json", |file| {
            file["inputs"]["seats"][0]["deck"]["illegal"] = rules.clone();
            file["digests"]["inputs"] = digest(&file["inputs"]);
        });
        desk.run("verify other.json").assert(status, &[]);
    }
}

/// The digest of a deck's content is one and the same everywhere, also where a deck names its
/// sections as it likes.
#[test]
fn check_and_match_tell_the_same_digest_of_any_deck() {
    let desk = Desk::new();
    for (text, dealt) in [
        ("Format: any\n\nMain\n9 Elf\n\nBox\n1 Boss\n", Value::Null),
        (
            "Format: any\n\nLibrary\n9 Elf\n\nBox\n1 Boss\n",
            json!("library"),
        ),
        ("Format: any\n\nBox\n9 Elf\n1 Boss\n", json!("box")),
        ("Format: any\n\nDeck\n9 Elf\n", json!("deck")),
        ("Format: any\n\n9 Elf\n", Value::Null),
    ] {
        desk.write("any.txt", text);
        let told: Value = serde_json::from_str(&desk.call("check any.txt -o json").out).unwrap();
        desk.run(&format!(
            "new any --deck any.txt --deck any.txt --set opening_hand=4 --seed qorvith-blenska-uthmar-x --decide '{FIRST}' --replace --to m.json"
        ))
        .assert(0, &[]);
        let file = desk.json("m.json");
        let deck = &file["inputs"]["seats"][0]["deck"];
        assert_eq!(deck["hash"], told["decks"][0]["hash"], "{text}");
        assert_eq!(deck.get("dealt").unwrap_or(&Value::Null), &dealt, "{text}");
        let zones = &file["state"]["seats"]["A"]["zones"];
        assert_eq!(zones["hand"].as_array().unwrap().len(), 4, "{text}");
        for id in zones["hand"].as_array().unwrap() {
            let number: usize = id.as_str().unwrap()[1..].parse().unwrap();
            assert!(
                number <= 10,
                "ids begin with the section that is dealt from"
            );
        }
        desk.run("verify m.json").assert(0, &[]);
    }
    for dealt in [json!("box"), json!("main"), json!("nowhere"), json!(1)] {
        desk.change("m.json", "bad.json", |file| {
            file["inputs"]["seats"][0]["deck"]["dealt"] = dealt.clone();
            file["digests"]["inputs"] = digest(&file["inputs"]);
        });
        desk.run("verify bad.json").assert(1, &[]);
    }
}

/// That a card of the side deck is a Shell, a file alone cannot tell: a pool can.
#[test]
fn a_pool_tells_what_should_have_been_registered() {
    let (desk, deck) = (Desk::new(), sample("shell/ebb.txt"));
    desk.run(&format!(
        "new shell --deck {deck} --deck {deck} --seed qorvith-blenska-uthmar-x --to m.json"
    ))
    .assert(0, &[]);
    let pool = concat!(env!("CARGO_MANIFEST_DIR"), "/formats/shell/cards.csv");
    let right = desk.run("verify m.json");
    assert_eq!((right.status, right.error.as_str()), (0, ""));
    // Cards that the call names are no built-in ones, and that is all there is to say.
    let right = desk.run(&format!("verify m.json --cards {pool}"));
    assert_eq!(right.status, 0);
    assert!(
        right
            .error
            .starts_with("note: not built in: cards of shell:")
            && right.error.lines().count() == 1,
        "{}",
        right.error
    );
    desk.change("m.json", "bad.json", |file| {
        let side = &mut file["inputs"]["seats"][1]["deck"]["sections"]["side"];
        let lines = side.as_array_mut().unwrap().iter_mut();
        let mut shells = lines.filter(|line| line["name"] == "Rainward Lodge");
        shells
            .next()
            .unwrap()
            .as_object_mut()
            .unwrap()
            .remove("colour")
            .unwrap();
        file["digests"]["inputs"] = digest(&file["inputs"]);
    });
    let told = "colour of \"Rainward Lodge\" in side: none in the file, `blue` in the card pool";
    desk.run("verify bad.json")
        .assert(0, &["warning: bad.json", told, "--cards FILE"]);
    desk.run(&format!("verify bad.json --cards {pool}"))
        .assert(1, &["refused: bad.json", told]);
    desk.run(&format!("verify bad.json m.json --cards {pool} -o json"))
        .assert(1, &[told]);
    // A pool that knows none of the cards says nothing of them.
    desk.write("other.csv", "name,type,colour,mana\nElf,spell,green,1\n");
    desk.run("verify bad.json --cards other.csv").assert(0, &[]);
}
