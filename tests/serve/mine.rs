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

#[test]
fn a_list_that_names_no_format_is_asked_for_one_with_the_likeliest_game_first() {
    const DECKS: [(&str, &str); 3] = [
        ("shell", include_str!("../../decks/shell/ebb.txt")),
        ("versus", include_str!("../../decks/versus/kiln-street.txt")),
        (
            "vainqueur",
            include_str!("../../decks/vainqueur/low-water.txt"),
        ),
    ];
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut browser = Browser::new(running.address);
    // One's own decks are where a deck comes in, too.
    assert!(browser.get("/mine").text().contains("action=\"/open\""));
    for (game, deck) in DECKS {
        let lines = deck.lines().filter(|line| !line.starts_with("Format:"));
        let bare = lines.collect::<Vec<_>>().join("\n");
        let asked = browser.form("/open", &[("deck", &bare)]);
        assert_eq!(asked.status, 422, "{game}");
        let page = asked.text();
        assert!(page.contains("Which format is this deck for?"), "{page}");
        // The list is still there, and the first format of its game is chosen.
        let first_line = bare.lines().find(|line| line.starts_with(char::is_numeric));
        assert!(page.contains(first_line.unwrap()), "{page}");
        let (before, _) = page.split_once(" selected").unwrap();
        let (groups, value) = before.rsplit_once("value=\"").unwrap();
        let format = value.trim_end_matches('"');
        assert_eq!(format.split('/').next(), Some(game));
        assert_eq!(groups.matches("<optgroup").count(), 1, "it stands first");
        let opened = browser.form("/open", &[("deck", &bare), ("format", format)]);
        assert_eq!(opened.status, 303, "{}", opened.text());
        let to = opened.header("location").unwrap();
        assert!(to.starts_with(&format!("/deck/{format}#d=")), "{to}");
    }
    // Names of no game are asked for all the same, and none is chosen for them.
    let page = browser.form("/open", &[("deck", "3 Nobody's Card")]).text();
    assert!(page.contains("Which format is this deck for?"), "{page}");
    assert!(!page.contains(" selected"), "{page}");
}

#[test]
fn a_link_that_is_pasted_is_opened_and_not_made_a_deck() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut browser = Browser::new(running.address);
    let made = std::process::Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["convert", "decks/shell/ebb.txt", "--to-format", "link"])
        .env("DECKLAW_CONFIG", data.path().join("none"))
        .output()
        .unwrap();
    let link = String::from_utf8(made.stdout).unwrap();
    let link = link.trim();
    for (before, behind) in [("", ""), ("https://decks.example", "\r\n")] {
        let pasted = format!("{before}{link}{behind}");
        let opened = browser.form("/open", &[("deck", &pasted)]);
        assert_eq!(opened.status, 303, "{}", opened.text());
        assert_eq!(opened.header("location"), Some(link));
    }
    assert_eq!(names(&mut browser), Vec::<String>::new());
    let cut = browser.form("/open", &[("deck", &link[..link.len() - 5])]);
    assert_eq!(cut.status, 400);
    let told = cut.text();
    assert!(told.contains("the link was"), "{told}");
}
