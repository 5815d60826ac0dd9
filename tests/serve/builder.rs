//! What the builder asks: the same that the command line says, and nothing lost.

use super::support::{Browser, judge_by, start, visited};
use decklaw::serve::ToEdit;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

fn deck(sections: Value) -> Value {
    json!({"format": "shell", "name": "Tide", "sections": sections})
}

#[test]
fn the_answer_is_the_verdict_of_the_command_line() {
    let (_running, data, mut browser) = visited();
    let deck =
        deck(json!({"main": ["5 Moss Sprite", "1 No Such Card"], "shells": ["2 Azure Keep"]}));
    let told = browser
        .ask(
            "view",
            &json!({"format": "shell", "deck": deck, "stats": true}),
        )
        .json();
    let mut check = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args([
            "check",
            "-",
            "--from",
            "json",
            "--as-of",
            "2026-03-01",
            "-o",
            "ndjson",
        ])
        .env("DECKLAW_CONFIG", data.path())
        .current_dir(data.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    check
        .stdin
        .take()
        .unwrap()
        .write_all(deck.to_string().as_bytes())
        .unwrap();
    let said: Value = serde_json::from_slice(&check.wait_with_output().unwrap().stdout).unwrap();
    // The command line says by which option a card file is given; a page has none.
    let plain = |mut check: Value| {
        for finding in check["findings"].as_array_mut().unwrap() {
            if finding["code"] == "unknown-card.not-in-pool" {
                let help = finding["help"].as_str().unwrap().to_owned();
                assert!(help.starts_with("check the spelling"), "{help}");
                finding["help"] = Value::Null;
            }
        }
        check
    };
    assert_eq!(plain(told["check"].clone()), plain(said));
    assert_eq!(told["check"]["verdict"], "illegal");
    // What of the cards of the deck still fits, and why no more do.
    let room = told["room"].as_array().unwrap();
    let sprite = room
        .iter()
        .find(|room| room["card"] == "Moss Sprite" && room["section"] == "main")
        .unwrap();
    assert_eq!(
        (&sprite["has"], &sprite["more"], &sprite["rule"]),
        (&json!(5), &json!(0), &json!("copies"))
    );
    assert!(sprite["message"].as_str().unwrap().contains("Moss Sprite"));
    assert_eq!(told["check"]["meters"][0]["rule"], "points");
}

/// What the command and the page say of mending a deck, where the command reads it at all.
fn mended(
    browser: &mut Browser,
    (game, deck): (&str, &std::path::Path),
    more: &[&str],
) -> Option<(Value, Value)> {
    let nowhere = deck.with_extension("none");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["fix", "--as-of", "2026-03-01", "-o", "json"])
        .args(more)
        .arg(deck)
        .env("DECKLAW_CONFIG", nowhere)
        .current_dir(deck.parent()?)
        .output()
        .unwrap();
    let told: Value = serde_json::from_slice(&output.stdout).ok()?;
    let text = std::fs::read_to_string(deck).ok()?;
    let named = text
        .lines()
        .find_map(|line| line.strip_prefix("Format: "))
        .unwrap_or(game)
        .trim();
    let read = json!({"deck": text, "format": named});
    let read = browser.ask("read", &read).json();
    let ask = json!({"format": named, "deck": read["deck"]});
    Some((told, browser.ask("fix", &ask).json()))
}

#[test]
fn the_page_names_what_may_stand_in_for_a_banned_card() {
    const LIST: &str = "vainqueur-sample-2026-01";
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| {
        config.judges = Box::new(|terms| judge_by(LIST, terms));
    });
    let mut browser = Browser::new(running.address);
    let deck = data.path().join("deck.txt");
    let sample = std::fs::read_to_string("decks/vainqueur/barley-crown.txt").unwrap();
    std::fs::write(&deck, sample + "\n1 Wolf Who Ate the Map\n").unwrap();
    let (told, fix) = mended(&mut browser, ("vainqueur", &deck), &["--banlist", LIST]).unwrap();
    assert_eq!(fix["changes"], told["changes"]);
    assert_eq!(fix["substitutes"], told["substitutes"]);
    let one = &fix["substitutes"][0];
    assert_eq!(one["card"], "Wolf Who Ate the Map", "{fix}");
    assert_eq!(one["instead"].as_array().unwrap().len(), 3, "{fix}");
}

#[test]
fn lines_that_cannot_be_read_are_named() {
    let (_running, _data, mut browser) = visited();
    let text = "Format: shell\n\nMain\n3 Moss Sprite\nzwei Rain Caller\n0 Azure Keep\n";
    let read = browser
        .ask("read", &json!({"deck": text, "from": "text"}))
        .json();
    assert_eq!(read["deck"], Value::Null);
    let lines: Vec<&Value> = read["check"]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["line"])
        .collect();
    assert_eq!(lines, [5, 6]);
}

#[test]
fn what_is_owned_limits_search_and_repair() {
    let (_running, _data, mut browser) = visited();
    let table = "name;count\nMoss Sprite;3\nRain Caller;1\nPikachu;4\n";
    let told = browser
        .ask("cards", &json!({"format": "shell", "collection": table}))
        .json();
    let own = told["owned"].clone();
    assert_eq!(own.as_object().unwrap().len(), 2);
    assert_eq!(told["unknown"], json!(["Pikachu"]));
    let ask = json!({"format": "shell", "deck": deck(json!({})), "own": own, "search": {"query": "", "owned": true, "most": 50}});
    let found = browser.ask("view", &ask).json();
    let names: Vec<&Value> = found["search"]["cards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| &card["name"])
        .collect();
    assert_eq!(names, ["Moss Sprite", "Rain Caller"]);
    let ask = json!({"format": "shell", "deck": deck(json!({})), "own": own});
    let fix = browser.ask("fix", &ask).json();
    assert_eq!(fix["distance"], Value::Null);
    assert!(!fix["reasons"].as_array().unwrap().is_empty());
}

#[test]
fn a_wrong_question_is_answered_beside_the_right_ones() {
    let (_running, _data, mut browser) = visited();
    let deck = deck(json!({"main": ["6 First Shoot", "3 Moss Sprite", "3 Ivy over the Door"]}));
    let queries = json!(["1+ [colour:green]", "1+ [colour", "sum(mana)"]);
    let odds = json!([{"queries": [queries[0]]}, {"queries": [queries[1]]}, {"expect": queries[2]}, {"deal": 3, "seed": "a"}]);
    let ask = json!({"format": "shell", "deck": deck, "odds": odds});
    let told = browser.ask("view", &ask).json()["odds"].clone();
    assert_eq!(told[0]["answers"][0]["fraction"], "1/1");
    let wrong = told[1]["message"].as_str().unwrap();
    assert!(wrong.contains("bracket"), "{told}");
    assert_eq!(told[1]["place"]["source"], queries[1]);
    assert!(told[2]["answers"][0]["mean"].is_number());
    assert!(told[3]["answers"].as_array().unwrap().len() > 1);
    assert_eq!(told[3]["deals"].as_array().unwrap().len(), 3);
    assert_eq!(told[3]["deals"][0]["cards"].as_array().unwrap().len(), 6);
    assert_eq!(browser.ask("view", &ask).json()["odds"], told);
}

#[test]
fn a_hostile_deck_gets_a_short_answer() {
    let (_running, _data, mut browser) = visited();
    let unknown: Vec<String> = (0..2900).map(|at| format!("1 x{at}")).collect();
    let ask = json!({"format": "shell", "deck": deck(json!({"main": unknown}))});
    let told = browser.ask("view", &ask);
    assert_eq!(told.status, 200);
    assert!(told.body.len() < 200_000, "{}", told.body.len());
    assert!(told.json()["findings"].as_u64().unwrap() >= 2900);
    let many: Vec<String> = (0..4000).map(|at| format!("1 y{at}")).collect();
    let ask = json!({"format": "shell", "deck": deck(json!({"main": many}))});
    let told = browser.ask("view", &ask);
    assert_eq!((told.status, told.body.len() < 200_000), (200, true));
    let nested = format!("{}1+ []{}", "(".repeat(20_000), ")".repeat(20_000));
    let ask = json!({"format": "shell", "deck": deck(json!({"main": ["60 Moss Sprite"]})), "odds": [{"queries": [nested]}]});
    assert!(browser.ask("view", &ask).json()["odds"][0]["message"].is_string());
}

#[test]
fn the_file_that_is_edited_keeps_its_comments_and_is_never_overwritten_unseen() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("mine.txt");
    let text = "Format: shell\n\n# The green ones\nMain\n3 Moss Sprite   # trusty\n";
    let text = text.replace("   # trusty", "");
    std::fs::write(&path, &text).unwrap();
    let file = path.clone();
    let running = start(&data.path().join("kept"), move |config| {
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
    let told = host.get("/api/file").json();
    let changed =
        json!({"format": "shell", "sections": {"main": ["2 Moss Sprite", "1 Rain Caller"]}});
    let saved = host.json(
        "PUT",
        "/api/file",
        &json!({"rev": told["rev"], "deck": changed}),
    );
    assert_eq!(saved.status, 200, "{}", saved.text());
    let now = std::fs::read_to_string(&path).unwrap();
    assert!(
        now.contains("# The green ones\nMain\n2 Moss Sprite\n") && now.contains("1 Rain Caller"),
        "{now}"
    );
    std::fs::write(&path, "Format: shell\n\nMain\n1 Azure Keep\n").unwrap();
    let lost = host.json(
        "PUT",
        "/api/file",
        &json!({"rev": saved.json()["rev"], "deck": changed}),
    );
    assert_eq!(lost.status, 409, "{}", lost.text());
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .contains("Azure Keep")
    );
    // Nobody without the key reads or writes it.
    assert_eq!(Browser::new(running.address).get("/api/file").status, 403);
}

#[test]
fn every_format_has_its_page_from_its_data() {
    let (_running, _data, mut browser) = visited();
    for format in [
        "shell",
        "vainqueur",
        "versus/fast",
        "vanquishers/advanced",
        "vastrix",
        "any",
    ] {
        let game = browser.ask("format", &json!({"format": format})).json();
        assert_eq!(game["format"], format);
        assert_eq!(browser.get(&format!("/deck/{format}")).status, 200);
        let ask = json!({"format": format, "deck": {"format": format, "sections": {}}, "search": {"query": "", "most": 9}, "stats": true});
        let told = browser.ask("view", &ask);
        assert_eq!(told.status, 200, "{format}: {}", told.text());
        let pool = game["cards"].as_u64().unwrap();
        assert_eq!(
            told.json()["search"]["total"].as_u64().unwrap(),
            pool,
            "{format}"
        );
        let mut ask = ask;
        ask["odds"] = json!([{}]);
        let odds = browser.ask("view", &ask);
        assert_eq!(odds.status, 200, "{format}: {}", odds.text());
    }
    assert_eq!(browser.get("/deck/nonesuch").status, 404);
}

#[test]
fn a_card_is_told_as_it_is_printed() {
    let (_running, _data, mut browser) = visited();
    let mut face = |format: &str, name: &str| {
        let told = browser.ask("faces", &json!({"format": format, "cards": [name]}));
        assert_eq!(told.status, 200, "{}", told.text());
        told.json()["faces"][0].clone()
    };
    let heron = face("vainqueur", "clock heron");
    assert_eq!(heron["name"], "Clock Heron");
    assert_eq!(heron["numbers"], json!([["STR", "20"], ["DEF", "30"]]));
    assert_eq!(heron["cost"], "α");
    let svg = heron["svg"].as_str().unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains(">Clock Heron<") && svg.contains(">20<"));
    // Of a card that no pool knows, the name is all; and it is text, whatever stands in it.
    let other = face("any", "<b>Moss</b>");
    assert_eq!(other["name"], "<b>Moss</b>");
    assert_eq!(other["text"], json!([]));
    let svg = other["svg"].as_str().unwrap();
    assert!(svg.contains("&lt;b&gt;Moss") && !svg.contains("<b>"));
    let small = json!({"format": "vainqueur", "cards": ["Clock Heron"], "size": "thumb"});
    let small = browser.ask("faces", &small).json();
    let small = small["faces"][0]["svg"].as_str().unwrap();
    // A long name may stand in two lines.
    let words = ["Clock", "Heron"].iter().all(|word| small.contains(word));
    assert!(words && !small.contains(">20<"), "{small}");
    let none = browser.ask("faces", &json!({"format": "nonesuch", "cards": ["x"]}));
    assert_eq!(none.status, 404);
}
