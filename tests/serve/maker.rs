//! A maker's own game: what is saved is what is shown, and what is wrong with it is said beside.

use super::lasting::serve;
use super::support::{Browser, next};
use serde_json::json;
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Listens for what the server says of changes.
struct Changes(TcpStream);

impl Changes {
    fn of(browser: &Browser) -> Changes {
        let mut line = TcpStream::connect(browser.address).unwrap();
        line.set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        line.write_all(&browser.request("GET", "/api/changes", &[], b""))
            .unwrap();
        let mut changes = Changes(line);
        changes.until("text/event-stream");
        changes
    }

    /// Reads until it was said.
    fn until(&mut self, words: &str) {
        let mut heard = String::new();
        let mut some = [0; 512];
        while !heard.contains(words) {
            let read = next(&mut self.0, &mut some).unwrap();
            assert_ne!(read, 0, "it ended after: {heard}");
            heard.push_str(&String::from_utf8_lossy(&some[..read]));
        }
    }
}

/// A folder of the Shell game, to be changed.
fn own_shell(data: &Path) -> PathBuf {
    let game = data.join("shell");
    std::fs::create_dir(&game).unwrap();
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats/shell");
    for file in std::fs::read_dir(built_in).unwrap() {
        let path = file.unwrap().path();
        std::fs::copy(&path, game.join(path.file_name().unwrap())).unwrap();
    }
    game
}

#[test]
fn a_makers_page_follows_what_is_saved_with_the_check_beside_it() {
    let data = tempfile::tempdir().unwrap();
    // A game is called as its folder is; this one takes the place of the one that is built in.
    let game = own_shell(data.path());
    let more = ["--game".as_ref(), game.as_os_str()];
    let (_process, address, _) = serve(data.path(), &more);
    let mut browser = Browser::new(address);
    let mut changes = Changes::of(&browser);
    let shown = browser.get("/deck/shell").text();
    assert!(
        shown.contains("formats check") && shown.contains("stats.yaml"),
        "{shown}"
    );
    assert!(shown.contains("/assets/maker.js"), "{shown}");

    let mut save = |file: &str, from: &str, to: &str| {
        let path = game.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        // In one step, as editors save: nobody sees half a file.
        let beside = data.path().join("beside");
        std::fs::write(&beside, text.replacen(from, to, 1)).unwrap();
        std::fs::rename(&beside, &path).unwrap();
        changes.until("event: changed");
        browser.get("/deck/shell").text()
    };
    // What is wrong is said at its place, until it is mended.
    let wrong = save("stats.yaml", "[main]", "[mistaken]");
    assert!(wrong.contains("no section `mistaken`"), "{wrong}");
    let mended = save("stats.yaml", "[mistaken]", "[main]");
    assert!(!mended.contains("mistaken"), "{mended}");
    // A file that is none leaves a page that says so, and that follows the next change, too.
    let none = save("game.yaml", "name: Shell game", "name: [Shell game");
    assert!(
        none.contains("The game cannot be shown") && none.contains("/assets/maker.js"),
        "{none}"
    );
    save("game.yaml", "name: [Shell game", "name: Shell game");
    let renamed = save("game.yaml", "    name: Shell game", "    name: Conch game");
    assert!(renamed.contains("<title>Conch game"), "{renamed}");
    // Pictures are among what is followed: one that comes, and one that is painted over.
    let pictures = game.join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    changes.until("event: changed");
    for paint in [&b"\x89PNG, a first try"[..], b"\x89PNG, a second one"] {
        std::fs::write(pictures.join("Moss Sprite.png"), paint).unwrap();
        changes.until("event: changed");
        let shown = browser.get("/api/picture/shell?name=Moss%20Sprite");
        assert_eq!(shown.body, paint);
        // Nor does a browser keep the one before.
        assert_eq!(shown.header("cache-control"), Some("no-store"));
    }
    std::fs::write(pictures.join("Moss Sprit.png"), "no picture").unwrap();
    changes.until("event: changed");
    let told = browser.get("/deck/shell").text();
    assert!(told.contains("2 pictures, for 1 of "), "{told}");
    assert!(told.contains("did you mean Moss Sprite?"), "{told}");
}

#[test]
fn a_makers_pictures_stand_for_the_cards_that_they_are_called_by() {
    // One pixel, by the PNG specification.
    const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let png = data_encoding::BASE64.decode(PNG.as_bytes()).unwrap();
    let data = tempfile::tempdir().unwrap();
    let game = own_shell(data.path());
    let pictures = game.join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    let page = b"<script>alert(1)</script>".to_vec();
    let large = [&png[..], &vec![0; 3 << 20]].concat();
    for (name, bytes) in [
        ("moss sprite.png", &png),
        // Letters and digits suffice.
        ("Millers Thirst.png", &png),
        ("Azure Keep.png", &page),
        ("Rain Caller.png", &large),
        ("Pip.png", &png),
        ("PIP.jpg", &png),
        ("notes.txt", &page),
    ] {
        std::fs::write(pictures.join(name), bytes).unwrap();
    }
    let more = ["--game".as_ref(), game.as_os_str()];
    let (_process, address, _) = serve(data.path(), &more);
    let mut browser = Browser::new(address);
    let mut of = |what: &str, card: &str| {
        let card = super::support::encoded(card);
        browser.get(&format!("/api/{what}/shell?name={card}"))
    };
    // Two pictures of one card are none of the others' business: with them, none is shown at all.
    assert!(of("face", "Moss Sprite").json()["picture"].is_null());
    std::fs::remove_file(pictures.join("PIP.jpg")).unwrap();
    for card in ["Moss Sprite", "Miller's Thirst", "moss sprite"] {
        let pictured = &of("face", card).json()["picture"];
        assert_eq!(pictured["format"], "shell", "{card}");
        let file = pictured["file"].as_str().unwrap();
        assert!(pictures.join(file).is_file(), "{card}: {file}");
        let picture = of("picture", card);
        assert_eq!((picture.status, &picture.body), (200, &png), "{card}");
        assert_eq!(picture.header("content-type"), Some("image/png"));
        assert_eq!(picture.header("x-content-type-options"), Some("nosniff"));
    }
    let other = of("face", "Dew Ledger").json();
    assert!(
        other["picture"].is_null() && other["title"] == "Dew Ledger",
        "{other}"
    );
    for (card, status) in [
        ("Dew Ledger", 404),
        ("../game", 404),
        ("notes", 404),
        ("Azure Keep", 400),
        ("Rain Caller", 400),
    ] {
        let told = of("picture", card);
        assert_eq!(told.status, status, "{card}: {}", told.text());
    }
    // What is cut out has the pictures, and says which it has not.
    let deck = json!({"sections": {"main": [{"count": 1, "name": "Moss Sprite"}, {"count": 2, "name": "Rain Caller"}]}});
    let ask = json!({"format": "shell", "deck": deck});
    let written = browser.json("POST", "/api/write/proxies", &ask);
    assert_eq!(written.status, 200, "{}", written.text());
    let remarks = written.header("x-decklaw-remarks").unwrap().as_bytes();
    let remarks = data_encoding::BASE64.decode(remarks).unwrap();
    let remarks: Vec<String> = serde_json::from_slice(&remarks).unwrap();
    assert!(
        remarks
            .iter()
            .any(|remark| remark.contains("larger than 2 MiB")),
        "{remarks:?}"
    );
}
