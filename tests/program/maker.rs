//! The folder that `formats new` makes, and what `formats check` reports of pictures.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn decklaw(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(arguments)
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder.join("no-configuration"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn said(run: &Output) -> String {
    let (out, told) = (&run.stdout, &run.stderr);
    String::from_utf8_lossy(out).into_owned() + &String::from_utf8_lossy(told)
}

/// The folder that is made, as `formats check` sees it with every `#` of its rules taken away.
#[test]
fn what_is_in_comments_is_in_order_too() {
    let folder = tempfile::tempdir().unwrap();
    let made = decklaw(folder.path(), &["formats", "new", "hex-roots"]);
    assert_eq!(made.status.code(), Some(0), "{}", said(&made));
    // Nothing that it writes is of no use.
    assert!(!said(&made).contains("notice"), "{}", said(&made));
    let path = folder.path().join("hex-roots/game.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("game: hex-roots\nname: Hex Roots\n"),
        "{text}"
    );
    let (before, comments) = text.split_once("  # Rules that other games have").unwrap();
    let (comments, after) = comments.split_once("\n# How a match starts").unwrap();
    let rules: String = comments
        .lines()
        .skip_while(|line| !line.starts_with("  # - id"))
        .map(|line| line.replacen("# ", "", 1) + "\n")
        .collect();
    assert!(rules.matches("- id").count() >= 5, "{rules}");
    std::fs::write(
        &path,
        format!("{before}{rules}\n# How a match starts{after}"),
    )
    .unwrap();
    let run = decklaw(folder.path(), &["formats", "check", "hex-roots"]);
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    // It is neither made again nor written over.
    let again = decklaw(folder.path(), &["formats", "new", "hex-roots"]);
    assert_eq!(again.status.code(), Some(2), "{}", said(&again));
}

#[test]
fn what_cannot_be_a_game_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let run = decklaw(folder.path(), &["formats", "new", "My Game"]);
    assert_eq!(run.status.code(), Some(2), "{}", said(&run));
    assert!(
        said(&run).contains("cannot be the id of a game"),
        "{}",
        said(&run)
    );
    assert!(!folder.path().join("My Game").exists());
}

/// Each seat brings a deck of its own format of the game.
#[test]
fn a_corporation_plays_against_a_runner() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/games");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json");
    let file = file.to_str().unwrap();
    let decks = [
        "decks/netrunner/restoring-humanity.txt",
        "decks/netrunner/zahya.txt",
    ];
    let both = [
        &["match", "new"],
        &decks[..],
        &["--seed", "qorvith-blenska-uthmar-x", "--to", file],
    ]
    .concat();
    let made = decklaw(&games, &both);
    assert_eq!(made.status.code(), Some(0), "{}", said(&made));
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(json["inputs"]["format"], "netrunner/corp");
    assert_eq!(json["inputs"]["seats"][1]["format"], "netrunner/runner");
    for (seat, hash) in json["inputs"]["seats"]
        .as_array()
        .unwrap()
        .iter()
        .zip(decks)
    {
        let run = decklaw(&games, &["check", hash, "-o", "ndjson"]);
        let told: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(seat["deck"]["hash"], told["hash"], "each by its own format");
    }
    let run = decklaw(&games, &["match", "verify", file]);
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
}

#[test]
fn the_check_says_what_is_among_the_pictures() {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and more";
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("lantern");
    let made = decklaw(folder.path(), &["formats", "new", "lantern"]);
    assert!(made.status.success(), "{}", said(&made));
    let cards = game.join("cards.csv");
    let text = std::fs::read_to_string(&cards).unwrap();
    let own = "Moss Sprite,spell,1\nWho? Me!,spell,1\nDew Ledger,spell,1\n";
    std::fs::write(&cards, text + own).unwrap();
    let check = || {
        let run = decklaw(folder.path(), &["formats", "check", "lantern"]);
        assert!(run.status.success(), "{}", said(&run));
        said(&run)
    };
    assert!(!check().contains("picture"), "there are none");
    let pictures = game.join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    let large = [PNG, &vec![0; 2 << 20]].concat();
    for (name, bytes) in [
        ("Moss Sprite.png", PNG),
        ("moss sprite.JPG", &[0xff, 0xd8, 0xff]),
        ("who me.webp", b"RIFF----WEBP"),
        ("Dew Legder.png", PNG),
        ("dew ledger.gif", &large),
        ("Nobody's.png", b"%PDF-1.7"),
        ("notes.txt", b"to do"),
    ] {
        std::fs::write(pictures.join(name), bytes).unwrap();
    }
    let told = check();
    let about = |name: &str| -> Vec<&str> {
        let lines = told.lines().filter(|line| line.contains(name));
        lines.collect()
    };
    assert!(
        told.contains("lantern/pictures: 6 pictures, for 3 of 23 cards"),
        "{told}"
    );
    let two = about("moss sprite.JPG");
    assert!(two[0].contains("both pictures of `Moss Sprite`"), "{told}");
    assert!(
        about("Dew Legder")[0].contains("did you mean Dew Ledger?"),
        "{told}"
    );
    assert!(
        about("dew ledger.gif")[0].contains("larger than 2 MiB"),
        "{told}"
    );
    let other = about("Nobody's").join("\n");
    assert!(other.contains("no card has this name"), "{told}");
    assert!(other.contains("no PNG, JPEG, WebP or GIF"), "{told}");
    assert!(about("who me").is_empty(), "{told}");
}
