//! The published vector, golden files of every game and mode, and both dealt again by a
//! second implementation.

use crate::games::{Dice, all, chances, json_of, play_out_by, vastrix};
use crate::independent::redeal;
use decklaw::matches::{Match, Randomness, Unproved, read_json};
use serde_json::{Value, json};
use std::path::Path;

fn assert_redealt(file: &Value) {
    let again = redeal(&file["inputs"]);
    for part in ["pending", "cards", "state"] {
        assert_eq!(again[part], file[part], "{part} of {}", file["inputs"]);
    }
}

#[test]
fn the_published_vector() {
    let mode = vastrix();
    let decisions = vec![json!({"step": "first-player", "by": "random"})];
    let randomness = Randomness::from_text("redeal");
    let made = Match::start(
        &mode.game(),
        mode.wanted.clone(),
        randomness,
        decisions,
        None,
    )
    .unwrap();
    let file = json_of(&made);
    let seed = "78436b84a5912679085c61a48eb04a6af292b9128f9fc34cba0142804045120b";
    assert_eq!(file["inputs"]["randomness"]["seed"], seed);
    let names = ["S001", "S002", "S005", "S054"].map(|id| file["cards"][id].as_str().unwrap());
    assert_eq!(names, ["10♠", "10♣", "2♠", "RJ"]);
    let hash = "99fc3bb52bd8927bc027f3fd1da10df654ca7c4a9b5fd229cbab934fb1271b0a";
    assert_eq!(file["inputs"]["shared"]["deck"]["hash"], hash);
    let digest = "27fbf52d265f4160daa675d04e647454c86926f355192346c028679612492510";
    assert_eq!(file["digests"]["state"], digest);
    assert_redealt(&file);
}

#[test]
fn a_second_implementation_deals_every_stage_of_every_mode_the_same() {
    for mode in all() {
        for round in 0..5 {
            for chance in chances(&format!("seed {round}")) {
                let mut dice = Dice::new(round);
                play_out_by(&mode, chance, &mut dice, |made| {
                    assert_redealt(&json_of(made))
                });
            }
        }
    }
}

#[test]
fn golden_files_still_verify_and_still_come_out() {
    let folders = ["tests/matches/golden", "tests/matches/golden-2"];
    for (folder, chance) in folders.into_iter().zip(chances("golden")) {
        assert_golden(Path::new(folder), &chance);
    }
}

/// Golden files pin a scheme: one for each mode, ready to play. `DECKLAW_BLESS=1` writes them.
fn assert_golden(folder: &Path, chance: &Randomness) {
    let bless = std::env::var_os("DECKLAW_BLESS").is_some();
    let mut expected: Vec<String> = Vec::new();
    for (number, mode) in all().iter().enumerate() {
        let made = play_out_by(mode, chance.clone(), &mut Dice::new(number as u64), |_| ());
        let name = format!("{number:02}-{}.json", mode.name.replace(['/', ' '], "-"));
        let path = folder.join(&name);
        if bless {
            std::fs::write(&path, made.to_json()).unwrap();
        }
        let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let golden = read_json(&text).unwrap();
        assert_redealt(&golden);
        let proved = Unproved::read(&text).unwrap().verify(&mode.game()).unwrap();
        assert_eq!(json_of(&proved)["digests"], golden["digests"], "{name}");
        assert_eq!(json_of(&made)["digests"], golden["digests"], "{name}");
        expected.push(name);
    }
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let mut files: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, expected, "every golden file belongs to a mode");
}

/// Files that an earlier edition of a format file made verify and go on by its steps.
#[test]
fn files_of_earlier_editions_go_on() {
    let mut others = 0;
    for mode in all().iter().filter(|mode| mode.name.starts_with("versus/")) {
        let name = mode.name.replace('/', "-");
        let text = std::fs::read(format!("tests/matches/former/{name}.json")).unwrap();
        let rules = "f".repeat(64);
        let game = decklaw::matches::MatchFormat {
            rules_sha256: &rules,
            ..mode.game()
        };
        let read = Unproved::read(&text).unwrap();
        let former = read.verify(&game).unwrap();
        let golden = read_json(&text).unwrap();
        assert_eq!(json_of(&former)["state"], golden["state"], "{name}");
        // Of its own edition a file must be what its steps make.
        others += usize::from(read.verify(&mode.game()).is_err());
        let mut changed = golden;
        let hands = &mut changed["state"]["seats"];
        let hand = hands["A"]["zones"]["hand"].take();
        hands["A"]["zones"]["hand"] = hands["B"]["zones"]["hand"].take();
        hands["B"]["zones"]["hand"] = hand;
        let changed = Unproved::read(changed.to_string().as_bytes()).unwrap();
        assert!(changed.verify(&game).is_err(), "{name}");
    }
    assert!(others > 0, "some deal of a shared deck was another one");
}

/// Reports and matches both tell a deck's digest; it is one and the same.
#[test]
fn reports_and_matches_agree_on_the_hash_of_a_deck() {
    use decklaw::matches::{Line, MatchDeck};
    use decklaw::pool::{CardId, Pool};
    use decklaw::rules::{Contents, Holding};
    let known = [
        "Ürsula",
        "apple",
        "Zebra \"9\"",
        "\u{1f0a1} Ace",
        "\u{fb01}sh",
    ];
    let strangers = ["Moth", "\u{10ffff}"];
    let pool = Pool::of_names(known);
    let sections = ["side", "main"];
    let mut holdings = Vec::new();
    let mut lines = Vec::new();
    for (number, name) in known.iter().chain(&strangers).enumerate() {
        let stranger = CardId((pool.len() + number).saturating_sub(known.len()) as u32);
        let card = pool.find(name).unwrap_or(stranger);
        for (section, id) in sections.iter().enumerate().take(1 + number % 2) {
            let copies = 1 + number as i64;
            holdings.push(Holding {
                card,
                section: section as u16,
                copies,
            });
            let line = Line {
                count: copies as u32,
                name: (*name).to_owned(),
                records: Default::default(),
            };
            lines.push((*id, line));
        }
    }
    let strangers = strangers.map(|name| (decklaw::name::fold(name).into_owned(), name.to_owned()));
    let contents = Contents::new(&pool, holdings, strangers.to_vec());
    let reported = decklaw::resolve::deck_hash(
        "shell",
        &Default::default(),
        &sections.map(String::from),
        &contents,
    );
    assert_eq!(MatchDeck::register("shell", "", lines).hash, reported);
}
