//! What a flood of visitors may take, and what it leaves to everybody else.

use super::support::{Answer, Browser, LEGAL, event, start};

fn hands_in(browser: &mut Browser, path: &str, name: &str, deck: &str) -> Answer {
    browser.form(path, &[("name", name), ("deck", deck), ("do", "anyway")])
}

#[test]
fn names_that_are_made_up_are_bounded_and_lock_nobody_out() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| config.names = 3);
    let mut host = Browser::host(&running);
    let (open, _) = event(&mut host, &[("players", "Ada Birch\nBen Cole")]);
    let (other, _) = event(&mut host, &[]);
    let new = || Browser::new(running.address);
    let mut first = new();
    for (browser, name) in [
        (&mut first, "Quirin Xavier"),
        (&mut new(), "Mia Moss"),
        (&mut new(), "Ovid Plum"),
    ] {
        let told = hands_in(browser, &open, name, LEGAL);
        assert!(told.text().contains("Handed in"), "{}", told.text());
    }
    let refused = hands_in(&mut new(), &open, "Tara Vole", LEGAL);
    assert_eq!(refused.status, 409);
    let text = refused.text();
    assert!(
        text.contains("Ask the organiser to put you on the list"),
        "{text}"
    );
    assert!(text.contains("Tara Vole"), "what was typed is still there");
    // Who is on the list hands in, and who has a key changes what they handed in.
    for (path, name) in [(&open, "Ada Birch"), (&other, "Tara Vole")] {
        let told = hands_in(&mut new(), path, name, LEGAL);
        assert!(told.text().contains("Handed in"), "{}", told.text());
    }
    let mine = format!("{open}/mine");
    let again = format!("{LEGAL}\n# another one");
    let told = first.form(&mine, &[("deck", &again), ("do", "anyway")]);
    assert!(told.text().contains("version 2"), "{}", told.text());
    // Whom the organiser puts on the list is no made-up name any more.
    let list = [
        ("players", "Ada Birch\nBen Cole\nQuirin Xavier"),
        ("do", "add"),
    ];
    let added = host.form(&format!("{open}/desk/players"), &list);
    assert!(added.status < 400, "{}", added.text());
    let told = hands_in(&mut new(), &open, "Tara Vole", LEGAL);
    assert!(told.text().contains("Handed in"), "{}", told.text());
}

#[test]
fn one_players_decks_take_no_more_than_their_own_room() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| config.most = 8 << 20);
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[]);
    let mut flood = Browser::new(running.address);
    let large = |number: i32| format!("{LEGAL}\n# {number} {}", "x".repeat(45_000));
    let first = hands_in(&mut flood, &path, "Quirin Xavier", &large(0));
    assert!(first.text().contains("Handed in"), "{}", first.text());
    let mine = format!("{path}/mine");
    let refused = (1..20).find(|number| {
        let told = flood.form(&mine, &[("deck", &large(*number)), ("do", "anyway")]);
        told.text().contains("as many decks")
    });
    assert_eq!(refused, Some(2), "two decks of the largest kind are taken");
    let page = host.get("/health").text();
    assert!(
        page.contains("takes no more decks of <bdi>Quirin Xavier</bdi>"),
        "{page}"
    );
    let told = hands_in(&mut Browser::new(running.address), &path, "Mia Moss", LEGAL);
    assert!(told.text().contains("Handed in"), "{}", told.text());
}

/// Machines are told how the server does, and nothing of people; the host is told more.
#[test]
fn health_is_told_to_machines_and_to_the_host() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| {
        config.most = 4 << 20;
        config.names = 7;
    });
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[("players", "Ada Birch\nBen Cole")]);
    let mut player = Browser::new(running.address);
    let told = hands_in(&mut player, &path, "Quirin Xavier", LEGAL);
    assert!(told.text().contains("Handed in"), "{}", told.text());
    let status = |browser: &mut Browser| {
        let told = browser.get("/health");
        assert_eq!(told.status, 200);
        let text = told.text();
        for personal in [
            "Quirin",
            "Ada",
            "Friday",
            "127.0.0.1",
            path.trim_start_matches("/e/"),
        ] {
            assert!(!text.contains(personal), "{text}");
        }
        let json = told.json();
        assert_eq!(json["schema"], "decklaw/health/1");
        assert!(json["connections"]["taken"].as_u64().unwrap() >= 1);
        json["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status(&mut player), "ok");
    let page = host.get("/health").text();
    for words in [
        "All is well",
        "Friday",
        "<td>2</td>",
        "<td>1 of 7</td>",
        "0.5 MiB",
        "Nobody",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    // Once visitors have no more room, it says so.
    let deck = |number: usize| {
        let name = format!("{number} {}", "x".repeat(60_000));
        serde_json::json!({"format": "shell", "deck": {"name": name}})
    };
    let full =
        (0..200).any(|number| player.json("POST", "/api/share", &deck(number)).status == 507);
    assert!(full);
    assert_eq!(status(&mut player), "full");
    assert!(host.get("/health").text().contains("Make room"));
}
