//! What pages ask: the same that the library answers, short for hostile questions, and a file
//! that is edited.

use super::support::{BROKEN, Browser, LEGAL, server, start};
use decklaw::Library;
use decklaw::serve::ToEdit;
use serde_json::{Value, json};

/// `tests/program/library.rs` holds the library to the command line. A page searches for less long.
#[test]
fn a_page_is_answered_as_the_library_answers() {
    let (running, _data) = server();
    let mut browser = Browser::new(running.address);
    let day = "2026-03-01".parse().unwrap();
    let library = Library::from(decklaw::judge::Judge::built_in(day));
    for deck in [LEGAL, BROKEN] {
        let search = json!({"query": "", "most": 80});
        let mut questions = vec![
            json!({"ask": "view", "stats": true, "into": "main", "search": search, "odds": [{}]}),
            json!({"ask": "write", "to_format": "yaml"}),
            json!({"ask": "compare", "with": LEGAL}),
        ];
        questions.extend(["read", "check", "stats", "odds"].map(|ask| json!({"ask": ask})));
        for mut question in questions {
            (question["deck"], question["format"]) = (deck.into(), "shell".into());
            let name = question["ask"].as_str().unwrap().to_owned();
            let own = serde_json::from_value(question.clone()).unwrap();
            let own = serde_json::to_value(decklaw::ask(&library, own).unwrap()).unwrap();
            let answer = browser.ask(&name, &question).json();
            // A server answers for its own day.
            for (key, value) in own.as_object().unwrap().iter().filter(|(key, _)| *key != "as_of") {
                assert!(answer[key] == *value, "{name}: {key}");
            }
        }
    }
    // A setting that is none of the game's is refused and not passed over.
    for settings in [json!({"sideboard": "15"}), json!({"min": "many"}), json!(["min=40"])] {
        let deck = json!({"format": "vainqueur", "sections": {}, "settings": settings});
        for name in ["view", "odds", "fix", "build"] {
            let ask = json!({"format": "vainqueur", "deck": deck});
            assert_eq!(browser.ask(name, &ask).status, 400, "{name} {deck}");
        }
    }
}

#[test]
fn every_format_has_its_page_and_its_faces() {
    let (running, _data) = server();
    let mut browser = Browser::new(running.address);
    let all = browser.ask("format", &json!({})).json();
    for game in all["games"].as_array().unwrap() {
        let mut samples = all["samples"].as_array().unwrap().iter();
        let sample = samples.find(|sample| sample["game"] == game["id"]).unwrap();
        assert_eq!(sample["verdict"], "legal", "{game}");
    }
    for format in ["shell", "vainqueur", "versus/fast", "vanquishers/advanced", "vastrix", "any"] {
        assert_eq!(browser.get(&format!("/deck/{format}")).status, 200);
        let game = browser.ask("format", &json!({"format": format})).json();
        let deck = json!({"format": format, "sections": {}});
        let ask = json!({"format": format, "deck": deck, "search": {"query": "", "most": 9},
            "stats": true, "odds": [{}]});
        let view = browser.ask("view", &ask).json();
        assert_eq!(view["search"]["total"], game["cards"], "{format}");
    }
    assert_eq!(browser.get("/deck/nonesuch").status, 404);
    let mut svg = |format: &str, name: &str| {
        let ask = json!({"format": format, "cards": [name]});
        let face = browser.ask("faces", &ask).json()["faces"][0]["svg"].clone();
        face.as_str().unwrap().to_owned()
    };
    assert!(svg("vainqueur", "clock heron").contains(">Clock Heron<"));
    // The name of an unknown card is text, whatever is in it.
    let hostile = svg("any", "<b>Moss</b>");
    assert!(hostile.contains("&lt;b&gt;Moss") && !hostile.contains("<b>"));
}

#[test]
fn a_hostile_question_gets_a_short_answer() {
    let (running, _data) = server();
    let mut browser = Browser::new(running.address);
    let view = |main: Value, odds: Value| {
        let deck = json!({"format": "shell", "sections": {"main": main}});
        json!({"format": "shell", "deck": deck, "odds": odds})
    };
    for count in [2900, 4000] {
        let unknown: Vec<String> = (0..count).map(|at| format!("1 x{at}")).collect();
        let answer = browser.ask("view", &view(json!(unknown), json!([])));
        assert_eq!(answer.status, 200);
        assert!(answer.body.len() < 200_000, "{}", answer.body.len());
    }
    let nested = format!("{}1+ []{}", "(".repeat(20_000), ")".repeat(20_000));
    let odds = json!([{"queries": ["1+ [colour:green]"]}, {"queries": ["1+ [colour"]}, {"queries": [nested]}]);
    let deck = json!(["6 First Shoot", "3 Moss Sprite", "3 Ivy over the Door"]);
    let odds = browser.ask("view", &view(deck, odds)).json()["odds"].clone();
    assert_eq!(odds[0]["answers"][0]["fraction"], "1/1");
    assert_eq!(odds[1]["place"]["source"], "1+ [colour");
    assert!(odds[2]["message"].is_string());
    // No page opens a workbook, however small it is.
    let packed = json!({"format": "shell", "collection": "PK\u{3}\u{4}xl/workbook"});
    assert_eq!(browser.ask("cards", &packed).status, 400);
}

#[test]
fn the_file_that_is_edited_is_never_overwritten_unseen() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("mine.txt");
    let text = "Format: shell\n\n# The green ones\nMain\n3 Moss Sprite\n";
    std::fs::write(&path, text).unwrap();
    let file = path.clone();
    let running = start(&data.path().join("data"), move |config| {
        config.edited = Some(ToEdit {
            path: file,
            format: None,
            write: Box::new(|path, _, after| {
                let written = std::fs::write(path, after);
                written.map(|()| true).map_err(|error| error.to_string())
            }),
        })
    });
    let mut host = Browser::host(&running);
    let read = || std::fs::read_to_string(&path).unwrap();
    let deck = json!({"format": "shell", "sections": {"main": ["2 Moss Sprite", "1 Rain Caller"]}});
    let save = |host: &mut Browser, rev: &Value| {
        host.json("PUT", "/api/file", &json!({"rev": rev, "deck": deck}))
    };
    let opened = host.get("/api/file").json();
    let saved = save(&mut host, &opened["rev"]).json();
    assert!(read().contains("# The green ones\nMain\n2 Moss Sprite\n"));
    assert!(read().contains("1 Rain Caller"));
    let other = "Format: shell\n\nMain\n1 Azure Keep\n";
    std::fs::write(&path, other).unwrap();
    assert_eq!(save(&mut host, &saved["rev"]).status, 409);
    assert_eq!(read(), other);
}
