//! A deck that somebody began, finished by the page as the command line does it: all of it, a part, or
//! why there is none.

use super::support::{Browser, start};
use serde_json::{Value, json};
use std::path::Path;

const GAMES: [&str; 8] = [
    "shell",
    "vainqueur",
    "vanquishers",
    "vanquishers/competitive-advanced",
    "vastrix",
    "versus/fast",
    "versus/normal",
    "versus/vs-shared",
];

/// The same of the command line.
fn command(folder: &Path, arguments: &[&str]) -> Value {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["build", "--as-of", "2026-03-01", "-o", "json"])
        .args(arguments)
        .env("DECKLAW_CONFIG", folder.join("none"))
        .current_dir(folder)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {told}"))
}

fn finish(browser: &mut Browser, format: &str, deck: &Value, more: Value) -> Value {
    let mut ask = json!({"format": format, "deck": deck});
    ask.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    ask["ask"] = "build".into();
    browser.json("POST", "/api/ask", &ask).json()
}

fn copies(deck: &Value, section: &str, card: &str) -> i64 {
    let lines = deck["sections"][section].as_array();
    let own = lines.into_iter().flatten().find_map(|line| {
        let (count, name) = line.as_str()?.split_once(' ')?;
        (name == card).then(|| count.parse().unwrap())
    });
    own.unwrap_or(0)
}

/// A deck after some of the changes that are told.
fn changed<'c>(deck: &Value, changes: impl IntoIterator<Item = &'c Value>) -> Value {
    let mut deck = deck.clone();
    for change in changes {
        let (section, card) = (
            change["section"].as_str().unwrap(),
            change["card"].as_str().unwrap(),
        );
        assert_eq!(copies(&deck, section, card), change["from"], "{change}");
        let sections = deck["sections"].as_object_mut().unwrap();
        let lines = sections.entry(section).or_insert(json!([]));
        let lines = lines.as_array_mut().unwrap();
        let ends = format!(" {card}");
        lines.retain(|line| !line.as_str().unwrap().ends_with(&ends));
        if change["to"] != 0 {
            lines.push(json!(format!("{}{ends}", change["to"])));
        }
    }
    deck
}

fn verdict(browser: &mut Browser, format: &str, deck: &Value) -> Value {
    let ask = json!({"format": format, "deck": deck});
    browser.ask("view", &ask).json()["check"].clone()
}

fn presets(browser: &mut Browser, format: &str, deck: &Value) -> Value {
    let ask = json!({"format": format, "deck": deck});
    browser.ask("odds", &ask).json()["answers"].clone()
}

#[test]
fn from_nothing_to_a_legal_deck_in_every_game_as_the_command_line_does_it() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut browser = Browser::new(running.address);
    let mut asked = 0;
    for format in GAMES {
        let empty = json!({"format": format, "sections": {}});
        let told = finish(&mut browser, format, &empty, json!({}));
        std::fs::write(data.path().join("empty.txt"), format!("Format: {format}\n")).unwrap();
        let said = command(data.path(), &["--from", "empty.txt", "--effort", "0.16"]);
        for key in ["deck", "changes", "aims", "distance", "odds", "optimal"] {
            assert_eq!(told[key], said[key], "{format}: {key}");
        }
        assert_eq!(told["after"]["hash"], said["after"]["hash"], "{format}");
        assert_eq!(told["optimal"], true, "{format}");
        let whole = changed(&empty, told["changes"].as_array().unwrap());
        let judged = verdict(&mut browser, format, &whole);
        assert_eq!(judged["verdict"], "legal", "{format}");
        assert_eq!(judged["hash"], told["after"]["hash"], "{format}");
        // Each card that comes in says what it is for.
        for change in told["changes"].as_array().unwrap() {
            assert!(
                !change["rules"].as_array().unwrap().is_empty(),
                "{format}: {change}"
            );
        }
        // Half of the changes, and then the other half of what is asked anew: legal again.
        let half = told["changes"].as_array().unwrap().iter().step_by(2);
        let half = changed(&empty, half);
        let again = finish(&mut browser, format, &half, json!({}));
        let whole = changed(&half, again["changes"].as_array().unwrap());
        assert_eq!(
            verdict(&mut browser, format, &whole)["verdict"],
            "legal",
            "{format}"
        );
        for change in again["changes"].as_array().unwrap() {
            assert!(
                change["to"].as_i64() > change["from"].as_i64(),
                "{format}: {change}"
            );
        }
        // What it does to the odds is what the odds of both decks are.
        if !told["odds"].is_null() {
            assert_eq!(
                again["odds"],
                presets(&mut browser, format, &whole),
                "{format}"
            );
            asked += 1;
        }
    }
    assert!(asked >= 6, "{asked}");
}

#[test]
fn wishes_hold_and_cards_stay_that_were_not_let_go() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut browser = Browser::new(running.address);
    let deck =
        json!({"format": "versus/fast", "sections": {"main": ["2 Acorn Prince", "4 Whetstone"]}});
    let wishes = json!({"wish": ["5+ [type:trap]"], "prefer": ["3 [element:fire]"]});
    let told = finish(&mut browser, "versus/fast", &deck, wishes.clone());
    std::fs::write(
        data.path().join("begun.txt"),
        "Format: versus/fast\nMain\n2 Acorn Prince\n4 Whetstone\n",
    )
    .unwrap();
    let said = command(
        data.path(),
        &[
            "--from",
            "begun.txt",
            "--effort",
            "0.16",
            "--wish",
            "5+ [type:trap]",
            "--prefer",
            "3 [element:fire]",
        ],
    );
    for key in ["deck", "changes", "aims", "after"] {
        assert_eq!(told[key], said[key], "{key}");
    }
    let missed: Vec<&Value> = told["preferred"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["missed"])
        .collect();
    assert_eq!(missed, [0, 0]);
    let whole = changed(&deck, told["changes"].as_array().unwrap());
    assert_eq!(
        verdict(&mut browser, "versus/fast", &whole)["verdict"],
        "legal"
    );
    assert!(
        copies(&whole, "main", "Acorn Prince") >= 2 && copies(&whole, "main", "Whetstone") >= 4
    );
    let traps = told["changes"].as_array().unwrap().iter();
    let traps = traps.filter(|one| one["rules"].to_string().contains("wished: 5+ [type:trap]"));
    assert!(traps.count() > 0, "{told}");

    // Whetstones that are let go may go: no item can stay where none is wished for.
    let mut none = wishes;
    none["wish"] = json!(["no [type:item]"]);
    let goes = |told: &Value, card: &str| {
        let mut changes = told["changes"].as_array().unwrap().iter();
        changes
            .find(|one| one["card"] == card)
            .map(|one| one["to"].clone())
    };
    let told = finish(&mut browser, "versus/fast", &deck, none.clone());
    assert_eq!(goes(&told, "Whetstone"), Some(json!(0)), "{told}");
    assert_eq!(
        told["preferred"][0]["missed"], 4,
        "they were to stay: {told}"
    );
    none["keep"] = json!(["Acorn Prince"]);
    let told = finish(&mut browser, "versus/fast", &deck, none);
    assert_eq!(goes(&told, "Whetstone"), Some(json!(0)), "{told}");
    assert_eq!(
        told["preferred"][0]["missed"], 0,
        "nobody wanted them: {told}"
    );

    // Of what somebody owns no more comes in than they have; what they have none of goes.
    let pool = browser
        .ask("view", &json!({"format": "versus/fast", "deck": deck, "search": {"query": "-type:trap -element:fire", "most": 60}}))
        .json();
    let names = pool["search"]["cards"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|card| card["name"].as_str().unwrap()).collect();
    let rows: String = names.iter().map(|name| format!("1,{name}\n")).collect();
    let table = json!({"format": "versus/fast", "collection": format!("count,name\n{rows}")});
    let held = browser.ask("cards", &table).json();
    let own = json!({"own": held["owned"]});
    let told = finish(&mut browser, "versus/fast", &deck, own);
    assert_eq!(told["after"]["verdict"], "legal", "{told}");
    for line in told["deck"]["sections"]["main"].as_array().unwrap() {
        assert!(
            line["count"] == 1 && names.contains(&line["name"].as_str().unwrap()),
            "{line}"
        );
    }

    // An aim that is left out is not reached for, nor told of.
    let all = finish(&mut browser, "versus/fast", &deck, json!({}));
    let aims = all["aims"].as_array().unwrap();
    let out = finish(
        &mut browser,
        "versus/fast",
        &deck,
        json!({"without": [aims[0]["wish"]]}),
    );
    assert_eq!(out["aims"].as_array().unwrap()[..], aims[1..], "{out}");
    let page = browser
        .ask("format", &json!({"format": "versus/fast"}))
        .json();
    assert_eq!(page["aims"][0]["wish"], aims[0]["wish"]);
}

#[test]
fn why_there_is_no_deck_names_each_wish_that_is_in_the_way() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut browser = Browser::new(running.address);
    let empty = json!({"format": "versus/fast", "sections": {}});
    let mut ask = |more: Value| finish(&mut browser, "versus/fast", &empty, more);
    let none = ask(json!({"wish": ["12+ [type:trap]", "3+ [element:water]", "9+ [type:item]"]}));
    assert_eq!(
        (&none["deck"], &none["impossible"], &none["irreducible"]),
        (&Value::Null, &json!(true), &json!(true))
    );
    let reasons = none["reasons"].to_string();
    assert!(
        reasons.contains("size: ") && reasons.contains("wished: 12+ [type:trap]"),
        "{reasons}"
    );
    assert!(
        reasons.contains("wished: 9+ [type:item]") && !reasons.contains("water"),
        "{reasons}"
    );
    // A wish that cannot be read says where; so does a hand.
    let wrong = ask(json!({"wish": ["3+ [type:trap]", "3+ [typ:trap]"]}));
    assert_eq!(
        wrong["place"],
        json!({"source": "3+ [typ:trap]", "from": 4, "to": 7}),
        "{wrong}"
    );
    let wrong = ask(json!({"for": "1+ [type:"}));
    assert_eq!(wrong["kind"], "query", "{wrong}");
    // What is asked for in vain is told.
    let vain = ask(json!({"prefer": ["1+ [zeppelin]"]}));
    assert!(vain["notes"].to_string().contains("zeppelin"), "{vain}");
    // Nobody owns anything here.
    let own = ask(json!({"own": {}}));
    assert!(own["reasons"].to_string().contains("what you own"), "{own}");

    for (body, status) in [
        (json!({"format": "versus/fast", "deck": 3}), 400),
        (json!({"format": "no-such", "deck": empty}), 404),
        (
            json!({"format": "any", "deck": {"format": "any", "sections": {}}}),
            400,
        ),
        (
            json!({"format": "versus/fast", "deck": empty, "wishes": ["1+ []"]}),
            400,
        ),
        (
            json!({"format": "versus/fast", "deck": empty, "wish": vec!["1+ []"; 25]}),
            400,
        ),
    ] {
        let told = browser.ask("build", &body);
        assert_eq!(told.status, status, "{body}: {}", told.text());
    }
    // A deck of strangers gets an answer in time.
    let strangers: Vec<String> = (0..2900).map(|at| format!("1 x{at}")).collect();
    let deck = json!({"format": "versus/fast", "sections": {"main": strangers}});
    let told = finish(&mut browser, "versus/fast", &deck, json!({}));
    assert_eq!(told["after"]["verdict"], "legal");
}

#[test]
fn a_hand_is_made_as_likely_as_can_be_by_no_card_that_stays() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut browser = Browser::new(running.address);
    let deck =
        json!({"format": "versus/fast", "sections": {"main": ["1 Acorn Prince", "1 Whetstone"]}});
    let hand = "2+ [type:item] and 1+ [element:fire]";
    let odds = |told: &Value, key: &str| {
        let mut all = told[key].as_array().unwrap().iter();
        let own = all.find(|one| one["query"] == hand);
        own.and_then(|own| own["probability"].as_f64()).unwrap()
    };
    let ask = json!({"format": "versus/fast", "deck": deck, "queries": [hand]});
    let plain = finish(&mut browser, "versus/fast", &deck, json!({}));
    let plain = changed(&deck, plain["changes"].as_array().unwrap());
    let mut without = ask.clone();
    without["deck"] = plain;
    let without = browser.ask("odds", &without).json();
    let without = without["answers"][0]["probability"].as_f64().unwrap();
    let told = finish(&mut browser, "versus/fast", &deck, json!({"for": hand}));
    assert!(odds(&told, "odds") >= without, "{told}");
    assert!(told["notes"].to_string().contains("likel"), "{told}");
    let whole = changed(&deck, told["changes"].as_array().unwrap());
    assert_eq!(
        verdict(&mut browser, "versus/fast", &whole)["verdict"],
        "legal"
    );
    assert_eq!(
        verdict(&mut browser, "versus/fast", &whole)["hash"],
        told["after"]["hash"]
    );
    assert!(copies(&whole, "main", "Acorn Prince") > 0 && copies(&whole, "main", "Whetstone") > 0);
    // Where the rules give no hand, the page says how many cards it is.
    let empty = json!({"format": "vainqueur", "sections": {}});
    let none = finish(
        &mut browser,
        "vainqueur",
        &empty,
        json!({"for": "1+ [type:master]"}),
    );
    assert_eq!(none["kind"], "query", "{none}");
    let five = json!({"for": "1+ [type:master]", "hand": 5, "turn": 3});
    let told = finish(&mut browser, "vainqueur", &empty, five);
    assert_eq!(told["after"]["verdict"], "legal", "{told}");
    let whole = changed(&empty, told["changes"].as_array().unwrap());
    let ask = json!({"format": "vainqueur", "deck": whole, "hand": 5});
    let odds = browser.ask("odds", &ask).json();
    assert_eq!(told["odds"], odds["answers"]);
    // Another choice among alike cards, as good.
    let again = json!({"for": "1+ [type:master]", "hand": 5, "turn": 3, "seed": "2"});
    let again = finish(&mut browser, "vainqueur", &empty, again);
    assert_ne!(again["after"]["hash"], told["after"]["hash"]);
    assert_eq!(again["odds"], told["odds"]);
}
