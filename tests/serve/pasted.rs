//! A deck that is pasted on the first page.

use super::support::{Browser, start};
use serde_json::json;

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
    assert_eq!(browser.get("/api/drafts").json(), json!([]));
    let cut = browser.form("/open", &[("deck", &link[..link.len() - 5])]);
    assert_eq!(cut.status, 400);
    let told = cut.text();
    assert!(told.contains("the link was"), "{told}");
}
