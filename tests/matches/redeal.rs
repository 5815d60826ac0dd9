//! The published vector, golden files of every game and mode, and both dealt again by a
//! second implementation.

use crate::games::{Dice, all, json_of, play_out, vastrix};
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
        for round in 0..8 {
            let mut dice = Dice::new(round);
            play_out(&mode, &format!("seed {round}"), &mut dice, |made| {
                assert_redealt(&json_of(made))
            });
        }
    }
}

/// Golden files pin the scheme: one for each mode, ready to play. `DECKLAW_BLESS=1` writes them.
#[test]
fn golden_files_still_verify_and_still_come_out() {
    let folder = Path::new("tests/matches/golden");
    let bless = std::env::var_os("DECKLAW_BLESS").is_some();
    let mut expected: Vec<String> = Vec::new();
    for (number, mode) in all().iter().enumerate() {
        let made = play_out(mode, "golden", &mut Dice::new(number as u64), |_| ());
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
