//! What decks declare, in columns of a form.

use crate::{decklaw, text};
use serde_json::{Value, json};

/// What `check` says of a form of decks of grove, whose decks declare things.
fn checked(table: &str, more: &[&str]) -> (Option<i32>, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/guild");
    std::fs::create_dir_all(&own).unwrap();
    let game = "schema: decklaw/format/1
game: guild
name: Guild
text: none
fields: [{name: class, kind: word}]
sections: [{id: main, name: main deck}]
choices:
  - {name: class, about: Its class., values: [rogue, seeker]}
  - {name: size, about: Its size., min: 1, max: 9, default: 2}
formats: [{id: guild, name: Guild}]
rules:
  - {id: size, source: p, about: As large as it says., must: {size: {sections: [main], exactly: size}}}
  - {id: class, source: p, about: Of its class., must: {accept: {section: main, cards: 'class:$class', because: it is of another class}}}
";
    std::fs::write(own.join("game.yaml"), game).unwrap();
    std::fs::write(
        own.join("cards.csv"),
        "name,class\nKnife,rogue\nMap,seeker\n",
    )
    .unwrap();
    std::fs::write(folder.path().join("form.csv"), table).unwrap();
    std::fs::write(folder.path().join("ana.txt"), "1 Knife\n").unwrap();
    let call = [
        "check",
        "--submissions",
        "form.csv",
        "--format",
        "guild",
        "-o",
        "json",
    ];
    let run = decklaw(folder.path(), &[&call[..], more].concat());
    let document = serde_json::from_slice(&run.stdout).unwrap_or(Value::Null);
    (run.status.code(), document, text(&run.stderr))
}

fn verdicts(document: &Value) -> Vec<&str> {
    let decks = document["decks"].as_array().unwrap().iter();
    decks
        .map(|deck| deck["verdict"].as_str().unwrap())
        .collect()
}

#[test]
fn a_column_says_what_decks_declare() {
    let table = "Player,Class,Size,Deck\nAna,rogue,,2 Knife\nBen,rogue,3,3 Knife\nCy,seeker,2,2 Knife\nDi,,,2 Knife\nEve,bard,,2 Knife\nFay,rogue,,\"Choice: class=rogue\n2 Knife\"\nGus,rogue,,ana.txt\n";
    let columns = ["--columns", "choice.class=Class,choice.size=Size"];
    let (status, document, told) = checked(table, &columns);
    assert_eq!(status, Some(1), "{told}");
    let expected = ["legal", "legal", "illegal", "incomplete"];
    assert_eq!(verdicts(&document)[..4], expected, "{document}");
    assert_eq!(verdicts(&document)[4..], ["unreadable"; 3], "{document}");
    assert_eq!(
        document["decks"][1]["choices"],
        json!({"class": "rogue", "size": "3"})
    );
    let said = |at: usize| document["decks"][at]["findings"][0]["message"].to_string();
    assert!(said(4).contains("is never `bard`"), "{}", said(4));
    assert!(said(5).contains("declared twice"), "{}", said(5));
    assert!(said(6).contains("name of a file"), "{}", said(6));
}

#[test]
fn a_column_called_choice_is_read() {
    let table = "Player,Choice,Deck\nAna,class=rogue; size=3,3 Knife\nBen,\"class=seeker\nsize=1\",1 Map\nCy,rogue,2 Knife\nDi,class=rogue,\n";
    let (_, document, told) = checked(table, &[]);
    let expected = ["legal", "legal", "unreadable"];
    assert_eq!(verdicts(&document)[..3], expected, "{told} {document}");
    assert_eq!(document["submissions"]["unused"], json!([]));
    // Who hands in nothing declares nothing.
    assert_eq!(
        document["decks"][3]["submission"]["empty"], true,
        "{document}"
    );
    for (wrong, said) in [
        ("choice.=Choice", "no role `choice.`"),
        ("choice.class=Choice,choice.class=Deck", "is given twice"),
        ("choice.class=Klasse", "no column `Klasse`"),
        ("class=Choice", "`choice.NAME` for what decks declare"),
    ] {
        let (status, _, told) = checked(table, &["--columns", wrong]);
        assert!(status == Some(2) && told.contains(said), "{told}");
    }
}
