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
    let told = hands_in(&mut Browser::new(running.address), &path, "Mia Moss", LEGAL);
    assert!(told.text().contains("Handed in"), "{}", told.text());
}
