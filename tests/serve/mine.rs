//! The page of one's own decks, by forms alone.

use super::support::{Browser, start};
use serde_json::{Value, json};

fn begin(browser: &mut Browser, name: &str) -> String {
    let deck = json!({"format": "shell", "name": name, "sections": {"main": ["2 Moss Sprite"]}});
    let made = browser.json(
        "POST",
        "/api/drafts",
        &json!({"format": "shell", "deck": deck}),
    );
    made.json()["id"].as_str().unwrap().to_owned()
}

fn names(browser: &mut Browser) -> Vec<String> {
    let listed = browser.get("/api/drafts").json();
    let each = listed.as_array().unwrap().iter();
    let name = |deck: &Value| deck["name"].as_str().unwrap().to_owned();
    each.map(name).collect()
}

#[test]
fn decks_are_named_noted_sought_copied_and_deleted_by_whose_they_are() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut browser = Browser::new(running.address);
    let mut stranger = Browser::new(running.address);
    let id = begin(&mut browser, "Tide");
    begin(&mut browser, "Ember");
    stranger.get("/");

    let keep = [
        ("do", "keep"),
        ("draft", id.as_str()),
        ("name", "Low <b>Tide</b>"),
        ("note", "for #Club nights"),
    ];
    let copy = [("do", "copy"), ("draft", id.as_str())];
    let delete = [("do", "delete"), ("draft", id.as_str())];
    for act in [&keep[..], &copy, &delete] {
        assert_eq!(stranger.form("/mine", act).status, 404);
    }
    assert_eq!(browser.form("/mine", &keep).status, 303);
    // Nothing else of the deck is another, and its states go on being counted.
    let kept = browser.get(&format!("/api/drafts/{id}")).json();
    assert_eq!(kept["rev"], 2);
    let deck = json!({"format": "shell", "name": "Low <b>Tide</b>", "note": "for #Club nights", "sections": {"main": ["2 Moss Sprite"]}});
    assert_eq!(kept["deck"], deck);

    let shown = |browser: &mut Browser, path: &str| {
        let page = browser.get(path);
        assert_eq!(page.status, 200);
        let page = page.text();
        assert!(!page.contains("<b>Tide"), "{page}");
        (page.contains("Low &lt;b&gt;Tide"), page.contains("Ember"))
    };
    for (path, found) in [
        ("/mine", (true, true)),
        ("/mine?q=%23club", (true, false)),
        ("/mine?q=NIGHTS+tide", (true, false)),
        ("/mine?q=ember", (false, true)),
        ("/mine?q=shell+nights+ember", (false, false)),
    ] {
        assert_eq!(shown(&mut browser, path), found, "{path}");
    }

    assert_eq!(browser.form("/mine", &copy).status, 303);
    let copied = ["Low <b>Tide</b> (copy)", "Low <b>Tide</b>", "Ember"];
    assert_eq!(names(&mut browser), copied);
    assert_eq!(browser.form("/mine", &delete).status, 303);
    assert_eq!(names(&mut browser), [copied[0], copied[2]]);
    assert_eq!(browser.form("/mine", &delete).status, 404);
    // An empty field takes the header away.
    let id = browser.get("/api/drafts").json()[0]["id"].clone();
    let bare = [("do", "keep"), ("draft", id.as_str().unwrap())];
    assert_eq!(browser.form("/mine", &bare).status, 303);
    assert_eq!(names(&mut browser), ["Unnamed deck", "Ember"]);
}
