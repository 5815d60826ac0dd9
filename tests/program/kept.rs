//! `formats add` and `formats remove`: games of others, in folders and in archives that anybody may
//! have made.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const GAME: &str = "schema: decklaw/format/1
game: lantern
name: Lantern
text: A test
fields: [{name: kind, kind: word, values: [a, b]}]
formats: [{id: lantern, name: Lantern}]
sections: [{id: main, name: deck, shuffled: true}]
rules:
  - id: size
    source: Its rules
    about: At most two cards.
    must: {size: {sections: [main], max: 2}}
    passes: \"Main\\n2 Wick\\n\"
    fails: \"Main\\n3 Wick\\n\"
";
const CARDS: &str = "name,kind\nWick,a\nOil,b\n";

/// A folder to work in, and the user's configuration in it.
struct Room(tempfile::TempDir);

impl Room {
    fn new() -> Room {
        let room = Room(tempfile::tempdir().unwrap());
        std::fs::create_dir(room.at("work")).unwrap();
        room
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, call: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args(call)
            .current_dir(self.at("work"))
            .env("DECKLAW_CONFIG", self.at("configuration"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs a call that ends so; what it says.
    fn ends(&self, call: &[&str], status: i32) -> String {
        let output = self.run(call);
        let said =
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{call:?}: {said}");
        said
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at("work").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// A game's folder.
    fn game(&self, folder: &str, game: &str, cards: &str) {
        self.write(&format!("{folder}/game.yaml"), game);
        self.write(&format!("{folder}/cards.csv"), cards);
    }

    /// All that is kept, by its path.
    fn kept(&self) -> BTreeMap<String, Vec<u8>> {
        fn of(folder: &Path, before: &str, found: &mut BTreeMap<String, Vec<u8>>) {
            let Ok(entries) = std::fs::read_dir(folder) else {
                return;
            };
            for entry in entries.map(Result::unwrap) {
                let name = format!("{before}{}", entry.file_name().to_str().unwrap());
                match entry.path().is_dir() {
                    true => {
                        found.insert(format!("{name}/"), Vec::new());
                        of(&entry.path(), &format!("{name}/"), found);
                    }
                    false => drop(found.insert(name, std::fs::read(entry.path()).unwrap())),
                }
            }
        }
        let mut found = BTreeMap::new();
        of(&self.at("configuration/kept"), "", &mut found);
        found
    }

    /// The files of kept games, by name alone.
    fn files(&self) -> Vec<String> {
        let kept = self.kept();
        let files = kept
            .keys()
            .filter(|name| !name.ends_with('/') && name.contains('/'));
        files
            .map(|name| name.split_once('/').unwrap().1.to_owned())
            .collect()
    }

    /// Packs files.
    fn pack(&self, name: &str, files: &[(&str, &[u8])]) {
        let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, bytes) in files {
            archive
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            archive.write_all(bytes).unwrap();
        }
        self.write(name, archive.finish().unwrap().into_inner());
    }

    fn knows(&self, game: &str) -> bool {
        let known = self.ends(&["formats", "list", "-o", "json"], 0);
        let known = known.split("\n").map(str::trim).collect::<String>();
        known.contains(&format!("\"game\":{game:?}"))
            || known.contains(&format!("\"game\": {game:?}"))
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// What `sha256sum` says of the files, in the order of their names, digested.
fn digest(files: &[(&str, &str)]) -> String {
    let lines: String = files
        .iter()
        .map(|(name, text)| format!("{}  {name}\n", sha256(text.as_bytes())))
        .collect();
    sha256(lines.as_bytes())
}

#[test]
fn a_game_is_known_everywhere_once_it_is_kept() {
    let room = Room::new();
    room.game("some-name", GAME, CARDS);
    room.write("some-name/README.md", "not read");
    room.write("some-name/.git/config", "not read");
    room.write("some-name/pictures/Wick.png", "no picture");
    room.write("some-name/pictures/notes.txt", "not read");
    assert!(!room.knows("lantern"));
    let said = room.ends(&["formats", "add", "some-name"], 0);
    let own = digest(&[
        ("cards.csv", CARDS),
        ("game.yaml", GAME),
        ("pictures/Wick.png", "no picture"),
    ]);
    assert!(
        said.contains(&format!("lantern is kept: 3 files, sha256 {own}")),
        "{said}"
    );
    assert!(
        said.contains("some-name/game.yaml: in order, 1 format"),
        "{said}"
    );
    assert!(said.contains("README.md and pictures/notes.txt"), "{said}");
    assert!(!said.contains("configuration"), "{said}");
    assert_eq!(
        room.files(),
        [
            "lantern/cards.csv",
            "lantern/game.yaml",
            "lantern/pictures/Wick.png"
        ]
    );
    // What was given is needed no more.
    std::fs::remove_dir_all(room.at("work/some-name")).unwrap();
    assert!(room.knows("lantern"));
    let listed = room.ends(&["formats", "list"], 0);
    assert!(
        listed.contains(&format!("lantern is kept by `formats add`: sha256 {own}\n")),
        "{listed}"
    );
    room.write("deck.txt", "Format: lantern\nMain\n3 Wick\n");
    assert!(room.ends(&["check", "deck.txt"], 1).contains("size"));
    assert!(
        room.ends(&["cards", "list", "--format", "lantern"], 0)
            .contains("Oil")
    );
    // And no more once it is removed.
    room.ends(&["formats", "remove", "lantern"], 0);
    assert!(!room.knows("lantern"));
    assert_eq!(room.files(), [""; 0]);
    assert!(
        room.ends(&["formats", "remove", "lantern"], 2)
            .contains("none is")
    );
}

#[test]
fn another_game_of_the_same_id_takes_its_place_only_when_told() {
    let room = Room::new();
    room.game("one", GAME, CARDS);
    room.game(
        "two",
        &GAME.replace("max: 2", "max: 3").replace("3 Wick", "4 Wick"),
        CARDS,
    );
    room.ends(&["formats", "add", "one"], 0);
    let before = room.kept();
    assert!(
        room.ends(&["formats", "add", "one"], 0)
            .contains("here already")
    );
    assert!(
        room.ends(&["formats", "add", "one", "--replace"], 0)
            .contains("here already")
    );
    let said = room.ends(&["formats", "add", "two"], 2);
    let own = digest(&[("cards.csv", CARDS), ("game.yaml", GAME)]);
    assert!(
        said.contains(&own) && said.contains("`--replace`"),
        "{said}"
    );
    assert_eq!(room.kept(), before);
    room.write("deck.txt", "Format: lantern\nMain\n3 Wick\n");
    room.ends(&["check", "deck.txt"], 1);
    let said = room.ends(&["formats", "add", "two", "--replace"], 0);
    assert!(
        said.contains(&format!(
            "in the place of the one that is kept, sha256 {own}"
        )),
        "{said}"
    );
    room.ends(&["check", "deck.txt"], 0);
    assert_eq!(room.files(), ["lantern/cards.csv", "lantern/game.yaml"]);
    // What somebody changed in the place where it is kept is another game, too, and is told.
    let kept = room.kept();
    let cards = kept
        .keys()
        .find(|name| name.ends_with("cards.csv"))
        .unwrap();
    std::fs::write(
        room.at("configuration/kept").join(cards),
        "name,kind\nWick,b\n",
    )
    .unwrap();
    assert!(
        room.ends(&["formats", "list"], 0)
            .contains(", and changed since")
    );
    assert!(
        room.ends(&["formats", "add", "two"], 2)
            .contains("has been changed since")
    );
    room.ends(&["formats", "add", "two", "--replace"], 0);
    assert_eq!(room.files().len(), 2);
    assert!(!room.ends(&["formats", "list"], 0).contains("changed since"));
}

#[test]
fn games_from_elsewhere_are_replaced_only_when_told_and_come_back() {
    let room = Room::new();
    let shell = GAME.replace("lantern", "shell");
    room.game("mine", &shell, CARDS);
    assert!(
        room.ends(&["formats", "add", "mine"], 2)
            .contains("built in")
    );
    assert!(
        !room
            .ends(&["formats", "show", "shell"], 0)
            .contains("A test")
    );
    assert!(
        room.ends(&["formats", "add", "mine", "--replace"], 0)
            .contains("in the place of the one that is built in")
    );
    assert!(
        room.ends(&["formats", "show", "shell"], 0)
            .contains("A test")
    );
    room.ends(&["formats", "remove", "shell"], 0);
    assert!(
        !room
            .ends(&["formats", "show", "shell"], 0)
            .contains("A test")
    );
    // A folder of the user's own is never touched.
    room.game("../configuration/formats/lantern", GAME, CARDS);
    room.game("theirs", &GAME.replace("A test", "Theirs"), CARDS);
    let said = room.ends(&["formats", "add", "theirs"], 2);
    assert!(said.contains("formats/lantern"), "{said}");
    room.ends(&["formats", "add", "theirs", "--replace"], 0);
    assert!(
        room.ends(&["formats", "show", "lantern"], 0)
            .contains("Theirs")
    );
    room.ends(&["formats", "remove", "lantern"], 0);
    assert!(
        room.ends(&["formats", "show", "lantern"], 0)
            .contains("A test")
    );
    assert!(
        room.ends(&["formats", "remove", "lantern"], 2)
            .contains("no game `lantern` is kept")
    );
}

#[test]
fn what_is_not_in_order_is_not_kept() {
    let room = Room::new();
    for (game, cards, told) in [
        // An example that does not hold; a key that there is not; a card of no kind; no game.
        (GAME.replace("2 Wick", "3 Wick"), CARDS, "passes"),
        (GAME.replace("text:", "txt:"), CARDS, "wrong/game.yaml:4"),
        (GAME.to_owned(), "name,kind\nWick,c\n", "wrong/cards.csv"),
        (String::new(), CARDS, "game.yaml"),
        ("game: [".to_owned(), CARDS, "game.yaml"),
        (
            GAME.replace("lantern", "../../lantern"),
            CARDS,
            "cannot be the id of a game",
        ),
    ] {
        room.game("wrong", &game, cards);
        let output = room.run(&["formats", "add", "wrong"]);
        let said =
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{said}");
        assert!(
            said.contains(told) && !said.contains("configuration"),
            "{told}: {said}"
        );
        assert_eq!(room.files(), [""; 0], "{said}");
        assert!(room.kept().len() <= 1, "{:?}", room.kept());
    }
    // A file beside that is wrong.
    room.game("wrong", GAME, CARDS);
    room.write("wrong/odds.yaml", "nothing: [");
    assert!(
        room.ends(&["formats", "add", "wrong"], 1)
            .contains("nothing is kept")
    );
    // What is there stays.
    std::fs::remove_file(room.at("work/wrong/odds.yaml")).unwrap();
    room.ends(&["formats", "add", "wrong"], 0);
    let before = room.kept();
    room.write("wrong/odds.yaml", "nothing: [");
    room.ends(&["formats", "add", "wrong", "--replace"], 1);
    assert_eq!(room.kept(), before);
    for (path, told) in [
        ("nowhere", "no such"),
        ("deck.txt", "neither a folder nor a .zip"),
        ("empty", "no game.yaml"),
        ("x.tar.gz", "gzip"),
    ] {
        room.write("deck.txt", "Main\n");
        room.write("x.tar.gz", [0x1f, 0x8b, 8, 0]);
        std::fs::create_dir_all(room.at("work/empty")).unwrap();
        let said = room.ends(&["formats", "add", path], 2);
        assert!(said.contains(told), "{path}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let room = Room::new();
    room.game("linked", GAME, CARDS);
    room.write("secret", CARDS);
    std::fs::remove_file(room.at("work/linked/cards.csv")).unwrap();
    std::os::unix::fs::symlink(room.at("work/secret"), room.at("work/linked/cards.csv")).unwrap();
    assert!(
        room.ends(&["formats", "add", "linked"], 2)
            .contains("no regular file")
    );
    assert_eq!(room.files(), [""; 0]);
}

#[test]
fn an_archive_is_a_folder_of_one_game() {
    let room = Room::new();
    let (game, cards) = (GAME.as_bytes(), CARDS.as_bytes());
    for files in [
        &[("game.yaml", game), ("cards.csv", cards)][..],
        &[
            ("lantern-1.2/game.yaml", game),
            ("lantern-1.2/cards.csv", cards),
            ("lantern-1.2/docs/more.md", b"x"),
        ],
        &[
            ("__MACOSX/._lantern", b"x"),
            (".DS_Store", b"x"),
            ("l/game.yaml", game),
            ("l/cards.csv", cards),
        ],
    ] {
        room.pack("game.zip", files);
        let said = room.ends(&["formats", "add", "game.zip"], 0);
        assert!(
            said.contains(&digest(&[("cards.csv", CARDS), ("game.yaml", GAME)])),
            "{said}"
        );
        assert!(said.contains("game.zip/game.yaml: in order"), "{said}");
        assert_eq!(room.files(), ["lantern/cards.csv", "lantern/game.yaml"]);
        room.ends(&["formats", "remove", "lantern"], 0);
    }
}

#[test]
fn hostile_archives_are_refused_and_leave_nothing() {
    let room = Room::new();
    let (game, cards) = (GAME.as_bytes(), CARDS.as_bytes());
    let refused = |told: &str| {
        let said = room.ends(&["formats", "add", "game.zip"], 2);
        assert!(said.contains(told), "{told}: {said}");
        assert_eq!(room.files(), [""; 0]);
        let outside: Vec<_> = std::fs::read_dir(room.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert!(
            outside
                .iter()
                .all(|name| name == "work" || name == "configuration"),
            "{outside:?}"
        );
    };
    for path in [
        "../evil",
        "pictures/../../evil",
        "/tmp/evil",
        "C:/evil",
        "a\\..\\evil",
        "a//b",
        "./a",
        "a\nb",
    ] {
        room.pack(
            "game.zip",
            &[("game.yaml", game), ("cards.csv", cards), (path, b"x")],
        );
        refused("is no path to a place within it");
    }
    // Two files where many systems have one, and two of one name altogether.
    room.pack(
        "game.zip",
        &[
            ("game.yaml", game),
            ("cards.csv", cards),
            ("Cards.CSV", b"x"),
        ],
    );
    refused("are one name on many computers");
    room.pack(
        "game.zip",
        &[
            ("game.yaml", game),
            ("cards.csv", cards),
            ("cardX.csv", b"x"),
        ],
    );
    let mut bytes = std::fs::read(room.at("work/game.zip")).unwrap();
    let name = b"cardX.csv";
    while let Some(at) = bytes.windows(name.len()).position(|part| part == name) {
        bytes[at + 4] = b's';
    }
    room.write("game.zip", bytes);
    refused("one name");
    // A link, as archives have them.
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive
        .start_file("game.yaml", SimpleFileOptions::default())
        .unwrap();
    archive.write_all(game).unwrap();
    archive
        .add_symlink("cards.csv", "/etc/passwd", SimpleFileOptions::default())
        .unwrap();
    room.write("game.zip", archive.finish().unwrap().into_inner());
    refused("is a link or a device");
    // Two games, none, and a game too deep.
    room.pack("game.zip", &[("a/game.yaml", game), ("b/game.yaml", game)]);
    refused("here it is a/game.yaml and b/game.yaml");
    room.pack("game.zip", &[("a/b/game.yaml", game)]);
    refused("here it is a/b/game.yaml");
    room.pack("game.zip", &[("cards.csv", cards)]);
    refused("there is no game.yaml in it");
    // Cut off, and with a byte changed.
    room.pack("game.zip", &[("game.yaml", game), ("cards.csv", cards)]);
    let whole = std::fs::read(room.at("work/game.zip")).unwrap();
    room.write("game.zip", &whole[..whole.len() - 30]);
    refused("broken");
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in [("game.yaml", game), ("cards.csv", cards)] {
        archive.start_file(name, stored).unwrap();
        archive.write_all(bytes).unwrap();
    }
    let mut changed = archive.finish().unwrap().into_inner();
    let at = changed.windows(4).position(|part| part == b"Wick").unwrap();
    changed[at] = b'K';
    room.write("game.zip", changed);
    refused("game.yaml` in it");
    // More files than any game has.
    let many: Vec<String> = (0..50_001).map(|at| format!("pictures/{at}.png")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    room.pack("game.zip", &many);
    refused("more than 50000 files");
}

/// A file that unpacks to far more than it is takes no more memory or time than the limit.
#[test]
fn a_bomb_goes_off_nowhere() {
    let room = Room::new();
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive
        .start_file("game.yaml", SimpleFileOptions::default())
        .unwrap();
    archive.write_all(GAME.as_bytes()).unwrap();
    archive
        .start_file("cards.csv", SimpleFileOptions::default())
        .unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..513 {
        archive.write_all(&zeros).unwrap();
    }
    let bytes = archive.finish().unwrap().into_inner();
    assert!(bytes.len() < 2 << 20);
    room.write("bomb.zip", bytes);
    let said = room.ends(&["formats", "add", "bomb.zip"], 2);
    assert!(said.contains("more than 512 MiB"), "{said}");
    assert_eq!(room.files(), [""; 0]);
}

#[test]
fn what_is_kept_and_gone_is_told_and_can_be_forgotten() {
    let room = Room::new();
    room.game("one", GAME, CARDS);
    room.ends(&["formats", "add", "one"], 0);
    for entry in std::fs::read_dir(room.at("configuration/kept"))
        .unwrap()
        .map(Result::unwrap)
    {
        if entry.path().is_dir() {
            std::fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    let said = room.ends(&["formats", "list"], 2);
    assert!(said.contains("`decklaw formats remove lantern`"), "{said}");
    room.ends(&["formats", "remove", "lantern"], 0);
    room.ends(&["formats", "list"], 0);
    // A file that is none is named, and nothing is thrown away for it.
    room.ends(&["formats", "add", "one"], 0);
    let index = room.at("configuration/kept/games.json");
    let good = std::fs::read(&index).unwrap();
    for bad in [
        "{",
        "{\"schema\": \"decklaw/kept-games/2\", \"games\": {}}",
        "{\"games\": {}}",
    ] {
        std::fs::write(&index, bad).unwrap();
        for call in [
            &["formats", "list"][..],
            &["formats", "remove", "lantern"],
            &["formats", "add", "one"],
        ] {
            assert!(room.ends(call, 2).contains("games.json"), "{bad}");
        }
    }
    std::fs::write(&index, good).unwrap();
    assert!(room.knows("lantern"));
}

/// Many at once: each of the games is kept, and each file is whole.
#[test]
fn several_processes_keep_games_at_once() {
    let room = Room::new();
    let ids = ["amber", "birch", "cedar", "delta", "ember", "frost"];
    for id in ids {
        room.game(id, &GAME.replace("lantern", id), CARDS);
    }
    let start = |id: &str| {
        Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args(["formats", "add", id])
            .current_dir(room.at("work"))
            .env("DECKLAW_CONFIG", room.at("configuration"))
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let running: Vec<_> = ids.map(start).into_iter().collect();
    for mut child in running {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    assert!(ids.iter().all(|id| room.knows(id)));
    assert_eq!(room.files().len(), 2 * ids.len());
}

/// The manual's commands, in one folder; the lines below each are said, in their order. A digest is
/// any: it changes with what `formats new` writes.
#[test]
fn the_manual_shows_what_is_said() {
    let manual = include_str!("../../docs/formats.md");
    let block = manual
        .split("```console kept\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let room = Room::new();
    room.ends(
        &[
            "formats",
            "new",
            "skirmish",
            "--section",
            "main=20..30",
            "--section",
            "side=..10",
            "--copies",
            "3",
            "--hand",
            "5",
        ],
        0,
    );
    let file = |name: &str| std::fs::read(room.at("work/skirmish").join(name)).unwrap();
    let names = ["game.yaml", "cards.csv", "stats.yaml", "odds.yaml"];
    let files = names.map(|name| (format!("skirmish/{name}"), file(name)));
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    room.pack("skirmish.zip", &files);
    let plain = |text: &str| {
        let words = text.split(' ').map(|word| {
            let bare = word.trim_end_matches(')');
            match bare.len() == 64 && bare.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                true => word.replace(bare, "DIGEST"),
                false => word.to_owned(),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let mut steps = 0;
    for step in block.split("$ decklaw ").skip(1) {
        let mut lines = step.lines();
        let call: Vec<&str> = lines.next().unwrap().split(' ').collect();
        let said = room.ends(&call, 0);
        let said: Vec<String> = said.lines().map(plain).collect();
        for line in lines {
            assert!(
                said.contains(&plain(line)),
                "{call:?}: no `{line}` in {said:#?}"
            );
        }
        steps += 1;
    }
    assert_eq!(steps, 3);
}
