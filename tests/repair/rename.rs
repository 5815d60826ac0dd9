//! `fix --rename`: certain slips are put right in the file, doubtful ones are listed, and all
//! else stays.

use crate::command::{run, text};
use std::fs::{read_to_string, write};

#[test]
fn slips_are_put_right_in_every_way_of_writing_a_deck() {
    let files = [
        (
            "deck.txt",
            "Format: shell\r\n# mine\r\nMain\r\n3 Mos Sprite\r\n2x Rain Callr\r\n1 Émigré Bes\r\n",
        ),
        (
            "deck.yaml",
            "format: shell\nmain: # mine\n  - 3 Mos Sprite\n  - \"2 Rain Callr\"\n  - {name: 'Émigré Bes', count: 1}\n",
        ),
        (
            "deck.json",
            "{\"format\": \"shell\", \"main\": [\"3 Mos Sprite\",\n {\"count\": 2, \"name\": \"Rain Callr\"}, \"1 Émigré Bes\"]}",
        ),
        (
            "deck.csv",
            "count,name,section\n3,Mos Sprite,main\n2,\"Rain Callr\",main\n1,Émigré Bes,main\n",
        ),
    ];
    for (name, before) in files {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        write(&path, before).unwrap();
        let looked = run(
            folder.path(),
            &["fix", name, "--format", "shell", "--rename"],
        );
        assert_eq!(looked.status.code(), Some(0), "{name}: {looked:?}");
        assert_eq!(
            read_to_string(&path).unwrap(),
            before,
            "only --write writes"
        );
        let told = text(&looked.stdout);
        assert!(
            told.contains("Rain Callr → Rain Caller") && told.contains("3 names"),
            "{told}"
        );
        let done = run(
            folder.path(),
            &["fix", name, "--format", "shell", "--rename", "--write"],
        );
        assert_eq!(done.status.code(), Some(0), "{name}: {done:?}");
        let after = before
            .replace("Mos Sprite", "Moss Sprite")
            .replace("Rain Callr", "Rain Caller")
            .replace("Émigré Bes", "Émigré Bees");
        assert_eq!(read_to_string(&path).unwrap(), after, "{name}");
        let again = run(
            folder.path(),
            &["fix", name, "--format", "shell", "--rename"],
        );
        assert!(
            text(&again.stdout).contains("every name is a card's"),
            "{again:?}"
        );
    }
}

#[test]
fn what_is_in_doubt_is_listed_and_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deck.txt");
    let cards = "name,type,colour,mana\nStorm Call,spell,red,1\nStorm Cali,spell,red,1\nGolem 3,spell,red,2\nAsh,spell,red,1\n";
    write(folder.path().join("cards.csv"), cards).unwrap();
    let deck = "Format: shell\nMain\n1 Storm Cal\n1 Golem 2\n1 Ask\n1 Frobnicator\n1 Storm Cal\n";
    write(&path, deck).unwrap();
    let call = [
        "fix",
        "deck.txt",
        "--cards",
        "shell=cards.csv",
        "--rename",
        "--write",
    ];
    let output = run(folder.path(), &call);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(read_to_string(&path).unwrap(), deck);
    let told = text(&output.stdout);
    for line in [
        "deck.txt: 4 names in doubt",
        "lines 3 and 7: Storm Cal: `Storm Cali` or `Storm Call`?",
        "line 4: Golem 2: `Golem 3`?",
        "line 6: Frobnicator: no card is called nearly so",
    ] {
        assert!(told.contains(line), "{told}");
    }
    let output = run(folder.path(), &[&call[..], &["-o", "json"]].concat());
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["schema"], "decklaw/rename/1");
    assert_eq!(found["renamed"].as_array().map(Vec::len), Some(0));
    assert_eq!(found["doubtful"][0]["lines"], serde_json::json!([3, 7]));
    assert_eq!(found["written"], false);
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
    assert!(at("3 names of no card") < at("6  Mos Sprite  did you mean `Moss Sprite`?"));
    assert!(at("8  Frobnicator") < at("error copies"), "{told}");
    assert_eq!(told.matches("depend on").count(), 1, "{told}");
    assert!(at("depend on") < at("error copies"), "{told}");
    assert!(told.contains("`decklaw fix deck.txt --rename`"), "{told}");
}

/// Thousands of unknown names are answered like a few; `--bench growth` prints what they take.
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
        let renamed = answer(count, &["fix", "deck.txt", "--rename"], 1);
        assert_eq!(renamed["doubtful"].as_array().map(Vec::len), Some(count));
        let fixed = answer(count, &["fix", "deck.txt"], 0);
        let gone = fixed["changes"].as_array().unwrap().iter();
        assert_eq!(gone.filter(|change| change["to"] == 0).count(), count);
        assert_eq!(fixed["optimal"], true);
        let rooms = answer(count, &["room", "deck.txt"], 0);
        assert_eq!(pairs(&rooms), pairs(&few));
    }
}
