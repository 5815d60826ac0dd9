//! Misspelt names with one near card are corrected as part of a repair; all else stays.

use crate::calls::{run, text};
use std::fs::{read_to_string, write};

/// Five cards that a legal deck may be without.
const CARDS: &str = "name,type,colour,mana\nMoss Sprite,spell,red,1\nRain Caller,spell,red,1\nÉmigré Bees,spell,red,1\n";

#[test]
fn slips_are_corrected_in_every_way_of_writing_a_deck() {
    let files = [
        (
            "deck.txt",
            "Format: toy\r\n# mine\r\nMain\r\n3 Mos Sprite\r\n2x Rain Callr\r\n1 Émigré Bes\r\n",
        ),
        (
            "deck.yaml",
            "format: toy\nmain: # mine\n  - 3 Mos Sprite\n  - \"2 Rain Callr\"\n  - {name: 'Émigré Bes', count: 1}\n",
        ),
        (
            "deck.json",
            "{\"format\": \"toy\", \"main\": [\"3 Mos Sprite\",\n {\"count\": 2, \"name\": \"Rain Callr\"}, \"1 Émigré Bes\"]}",
        ),
        (
            "deck.csv",
            "count,name,section\n3,Mos Sprite,main\n2,\"Rain Callr\",main\n1,Émigré Bes,main\n",
        ),
    ];
    for (name, before) in files {
        let folder = toy();
        let path = folder.path().join(name);
        write(&path, before).unwrap();
        let call = ["fix", name, "--format", "toy"];
        let looked = run(folder.path(), &call);
        assert_eq!(looked.status.code(), Some(0), "{name}: {looked:?}");
        assert_eq!(
            read_to_string(&path).unwrap(),
            before,
            "only --write writes"
        );
        let told = text(&looked.stdout);
        assert!(
            told.contains("legal with its names corrected")
                && told.contains("Rain Callr → Rain Caller"),
            "{told}"
        );
        let json = run(folder.path(), &[&call[..], &["-o", "json"]].concat());
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(json["distance"], 0, "{json}");
        assert_eq!(json["renamed"].as_array().map(Vec::len), Some(3), "{json}");
        assert_eq!(json["renamed"][0]["to"], "Moss Sprite", "{json}");
        let done = run(folder.path(), &[&call[..], &["--write"]].concat());
        assert_eq!(done.status.code(), Some(0), "{name}: {done:?}");
        let after = before
            .replace("Mos Sprite", "Moss Sprite")
            .replace("Rain Callr", "Rain Caller")
            .replace("Émigré Bes", "Émigré Bees");
        assert_eq!(read_to_string(&path).unwrap(), after, "{name}");
        let again = run(folder.path(), &call);
        assert!(text(&again.stdout).contains("legal as it is"), "{again:?}");
    }
}

/// A game in which every deck of its cards is legal.
fn toy() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("toy");
    std::fs::create_dir(&game).unwrap();
    let rules = "schema: decklaw/format/1\ngame: toy\nname: Toy\ntext: none\nfields:\n  - {name: type, kind: word, values: [spell]}\n  - {name: colour, kind: word, values: [red]}\n  - {name: mana, kind: number}\nsections: [{id: main, name: main deck, shuffled: true}]\nformats: [{id: toy, name: Toy}]\nrules:\n  - {id: size, source: s, about: Few cards., must: {size: {sections: [main], max: 60}}}\n";
    write(game.join("game.yaml"), rules).unwrap();
    write(game.join("cards.csv"), CARDS).unwrap();
    write(folder.path().join("decklaw.yaml"), "formats: [.]\n").unwrap();
    folder
}

#[test]
fn the_smallest_repair_is_that_of_the_deck_with_correct_names() {
    let folder = tempfile::tempdir().unwrap();
    let right = read_to_string("decks/shell/too-many-copies.txt").unwrap();
    let wrong = right.replace("Moss Sprite", "Mos Sprite");
    assert_ne!(right, wrong);
    write(folder.path().join("right.txt"), &right).unwrap();
    write(folder.path().join("wrong.txt"), &wrong).unwrap();
    let fixed = |name: &str| -> serde_json::Value {
        let output = run(folder.path(), &["fix", name, "-o", "json"]);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (right, wrong) = (fixed("right.txt"), fixed("wrong.txt"));
    for key in ["distance", "optimal", "bound", "changes", "after"] {
        assert_eq!(right[key], wrong[key], "{key}");
    }
    assert!(right.get("renamed").is_none(), "{right}");
    assert_eq!(wrong["renamed"][0]["from"], "Mos Sprite", "{wrong}");
}

#[test]
fn what_is_in_doubt_is_not_corrected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deck.txt");
    let cards = "name,type,colour,mana\nStorm Call,spell,red,1\nStorm Cali,spell,red,1\nGolem 3,spell,red,2\nAsh,spell,red,1\n";
    write(folder.path().join("cards.csv"), cards).unwrap();
    let deck = "Format: shell\nMain\n1 Storm Cal\n1 Golem 2\n1 Ask\n1 Frobnicator\n1 Storm Cal\n";
    write(&path, deck).unwrap();
    let call = ["fix", "deck.txt", "--cards", "shell=cards.csv", "--write"];
    let output = run(folder.path(), &[&call[..], &["-o", "json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(read_to_string(&path).unwrap(), deck);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found.get("renamed").is_none(), "{found}");
}

/// One trouble, however many names: they come first, each with its likeliest name, and what
/// depends on them is one line.
#[test]
fn unknown_cards_are_one_group_before_all_else() {
    let folder = tempfile::tempdir().unwrap();
    let deck = "Format: shell\nShells\n1 Azure Keep\nMain\n40 Dew Ledger\n3 Mos Sprite\n2 Rain Callr\n1 Frobnicator\n";
    write(folder.path().join("deck.txt"), deck).unwrap();
    let output = run(folder.path(), &["check", "deck.txt"]);
    let told = text(&output.stdout);
    let at = |words: &str| {
        told.find(words)
            .unwrap_or_else(|| panic!("{words}: {told}"))
    };
    assert_eq!(told.matches("error unknown-card").count(), 1, "{told}");
    assert!(at("3 unknown cards") < at("6  Mos Sprite  did you mean `Moss Sprite`?"));
    assert!(at("8  Frobnicator") < at("error copies"), "{told}");
    assert_eq!(told.matches("depend on").count(), 1, "{told}");
    assert!(at("depend on") < at("error copies"), "{told}");
    assert!(
        told.contains("`decklaw fix deck.txt` corrects names"),
        "{told}"
    );
}

/// Thousands of unknown names are answered like a few.
#[test]
fn thousands_of_names_are_answered_like_a_few() {
    let folder = tempfile::tempdir().unwrap();
    let answer = |count: usize, call: &[&str], status: i32| -> serde_json::Value {
        let lines: String = (0..count)
            .map(|at| format!("1 Nobody Knows {at}\n"))
            .collect();
        let deck = format!("Format: shell\nMain\n{lines}");
        write(folder.path().join("deck.txt"), deck).unwrap();
        let output = run(folder.path(), &[call, &["-o", "json"]].concat());
        assert_eq!(output.status.code(), Some(status), "{call:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let pairs = |found: &serde_json::Value| -> Vec<(String, String)> {
        let rooms = found["room"].as_array().unwrap().iter();
        let text = |room: &serde_json::Value, key: &str| room[key].as_str().unwrap().to_owned();
        rooms
            .map(|room| (text(room, "section"), text(room, "card")))
            .collect()
    };
    let few = answer(3, &["room", "deck.txt"], 0);
    for count in [3, 2400] {
        let checked = answer(count, &["check", "deck.txt"], 1);
        let unknown = checked["decks"][0]["findings"].as_array().unwrap().iter();
        let unknown = unknown.filter(|found| found["rule"] == "unknown-card");
        assert!(unknown.count() >= count, "every name is told");
        let fixed = answer(count, &["fix", "deck.txt"], 0);
        let gone = fixed["changes"].as_array().unwrap().iter();
        assert_eq!(gone.filter(|change| change["to"] == 0).count(), count);
        assert_eq!(fixed["optimal"], true);
        let rooms = answer(count, &["room", "deck.txt"], 0);
        assert_eq!(pairs(&rooms), pairs(&few));
    }
}
