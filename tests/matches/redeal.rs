//! The published vector, golden files of every game and mode, and both dealt again by a
//! second implementation.

use crate::games::{Dice, Mode, all, json_of, play_out, vastrix};
use crate::independent::redeal;
use decklaw::matches::{Decision, FirstPlayer, Match, Randomness, Unproved, read_json};
use serde_json::Value;
use std::collections::BTreeSet;

fn assert_redealt(file: &Value) {
    let again = redeal(&file["inputs"]);
    for part in ["pending", "cards", "state"] {
        assert_eq!(again[part], file[part], "{part} of {}", file["inputs"]);
    }
}

#[test]
fn the_published_vector() {
    let mode = vastrix();
    let decisions = vec![Decision::FirstPlayer(FirstPlayer::Random)];
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
    assert_eq!(names, ["5♣", "10♣", "K♥", "5♦"]);
    let hash = "99fc3bb52bd8927bc027f3fd1da10df654ca7c4a9b5fd229cbab934fb1271b0a";
    assert_eq!(file["inputs"]["shared"]["deck"]["hash"], hash);
    let digest = "3715b2de6986acc1211c7d8d1d2f91024c18d91c4b5be4210931a924d13883a0";
    assert_eq!(file["digests"]["state"], digest);
    assert_redealt(&file);
}

#[test]
fn a_second_implementation_deals_every_stage_of_every_mode_the_same() {
    for mode in all() {
        for round in 0..5 {
            let mut dice = Dice::new(round);
            play_out(&mode, &format!("seed {round}"), &mut dice, |made| {
                assert_redealt(&json_of(made))
            });
        }
    }
}

/// The modes that have a golden file, together every game and every kind of step, with the seeds
/// of the dice that decide.
const GOLDEN: [(u64, &str); 8] = [
    (0, "shell game=3"),
    (3, "vainqueur"),
    (4, "vanquishers"),
    (7, "versus/fast"),
    (8, "versus/fast-shared"),
    (13, "any"),
    (15, "vastrix players=2 battlerealm=true traps=true"),
    (
        36,
        "vastrix deffy=classic mirror_me=true just_checking=true speed_run=true thats_urz=true",
    ),
];

/// Golden files pin the scheme, each ready to play. `DECKLAW_BLESS=1` writes them.
#[test]
fn golden_files_still_verify_and_still_come_out() {
    let bless = std::env::var_os("DECKLAW_BLESS").is_some();
    let modes = all();
    let mut covered = BTreeSet::new();
    for (dice, name) in GOLDEN {
        let mode = modes.iter().find(|mode| mode.name == name).unwrap();
        let made = play_out(mode, "golden", &mut Dice::new(dice), |_| ());
        let path = format!(
            "tests/matches/golden/{}.json",
            name.replace(['/', ' '], "-")
        );
        if bless {
            std::fs::write(&path, made.to_json_line()).unwrap();
        }
        let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let golden = read_json(&text).unwrap();
        assert_redealt(&golden);
        let proved = Unproved::read(&text).unwrap().verify(&mode.game()).unwrap();
        assert_eq!(json_of(&proved)["digests"], golden["digests"], "{name}");
        assert_eq!(json_of(&made)["digests"], golden["digests"], "{name}");
        covered.extend(steps_of(mode, &made));
    }
    let files = std::fs::read_dir("tests/matches/golden").unwrap().count();
    assert_eq!(files, GOLDEN.len(), "every golden file belongs to a mode");
    for mode in &modes {
        let made = play_out(mode, "golden", &mut Dice::new(0), |_| ());
        for step in steps_of(mode, &made) {
            assert!(covered.contains(&step), "no golden file has {step:?}");
        }
    }
}

/// The game of a match and the kinds of its steps.
fn steps_of(mode: &Mode, made: &Match) -> Vec<String> {
    let setup = serde_json::to_value(&mode.setup).unwrap();
    let options = json_of(made)["inputs"]["options"].clone();
    let happens = |step: &&Value| {
        let when = step["when"].as_object().into_iter().flatten();
        when.into_iter()
            .all(|(name, among)| among.as_array().unwrap().contains(&options[name]))
    };
    let steps = setup["steps"].as_array().unwrap().iter();
    let kinds = steps.filter(happens).map(|step| {
        let kind = step["do"].as_object().unwrap().keys().next().unwrap();
        kind.clone()
    });
    let game = mode.format.split('/').next().unwrap().to_owned();
    kinds.chain([game]).collect()
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
    let reported = decklaw::resolve::deck_hash("shell", &sections.map(String::from), &contents);
    assert_eq!(MatchDeck::register("shell", "", lines).hash, reported);
}
