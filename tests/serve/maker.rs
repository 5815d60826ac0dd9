//! A maker's own game: what is saved is what is shown, and what is wrong with it is said beside.

use super::lasting::serve;
use super::support::{Browser, next};
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
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

#[test]
fn a_makers_page_follows_what_is_saved_with_the_check_beside_it() {
    let data = tempfile::tempdir().unwrap();
    // A game is called as its folder is; this one takes the place of the one that is built in.
    let game = data.path().join("shell");
    std::fs::create_dir(&game).unwrap();
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats/shell");
    for file in std::fs::read_dir(built_in).unwrap() {
        let path = file.unwrap().path();
        std::fs::copy(&path, game.join(path.file_name().unwrap())).unwrap();
    }
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
}
