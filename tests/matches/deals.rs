//! Deals: the published vector and golden files, every mode dealt again by a second implementation,
//! and the numbers of the rules.

use super::games::{DecideJson, Dice, all, json_of, of_format, play_out, shell, vastrix};
use super::independent::redeal;
use decklaw::matches::{
    Decision, FirstPlayer, GameResult, Line, Match, MatchDeck, Randomness, RegisteredDeck,
    UnverifiedMatch, read_json,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

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
    let made =
        Match::start(&mode.game(), mode.wanted.clone(), randomness, decisions, None).unwrap();
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
    (36, "vastrix deffy=classic mirror_me=true just_checking=true speed_run=true thats_urz=true"),
];

/// Golden files pin the scheme, each ready to play, one a line. `DECKLAW_BLESS=1` writes them; the last
/// line is a file that a program of before wrote.
#[test]
fn golden_files_still_verify_and_still_come_out() {
    let (path, modes) = ("tests/matches/golden.ndjson", all());
    let mut lines: Vec<String> =
        std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), GOLDEN.len() + 1);
    for ((dice, name), line) in GOLDEN.into_iter().zip(&mut lines) {
        let mode = modes.iter().find(|mode| mode.name == name).unwrap();
        let made = play_out(mode, "golden", &mut Dice::new(dice), |_| ());
        if std::env::var_os("DECKLAW_BLESS").is_some() {
            made.to_json_line().trim_end().clone_into(line);
        }
        let golden = read_json(line.as_bytes()).unwrap();
        assert_redealt(&golden);
        let proved = UnverifiedMatch::read(line.as_bytes()).unwrap().verify(&mode.game()).unwrap();
        assert_eq!(json_of(&proved)["digests"], golden["digests"], "{name}");
        assert_eq!(json_of(&made)["digests"], golden["digests"], "{name}");
    }
    if std::env::var_os("DECKLAW_BLESS").is_some() {
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
    }
}

#[test]
fn a_deal_does_not_depend_on_the_order_of_a_deck() {
    let deal = |turn: usize| {
        let mut mode = of_format("vainqueur");
        let mut lines: Vec<(&str, Line)> = (0..30)
            .map(|at| {
                let name = format!("Card {}", at * 7 % 30);
                let (count, records) = (1 + at % 3, BTreeMap::new());
                let line = Line { count, name, records };
                ("main", line)
            })
            .collect();
        lines.rotate_left(turn);
        let deck = MatchDeck::register("vainqueur", "", lines);
        mode.wanted.decks = vec![RegisteredDeck::unjudged(deck); 2];
        play_out(&mode, "bytes", &mut Dice::new(1), |_| ()).to_json()
    };
    assert!((1..4).all(|turn| deal(turn) == deal(0)));
}

/// VASTRIX 21.5: with four, the team that lost the previous game goes first; partners sit two
/// apart.
#[test]
fn with_four_the_team_that_lost_begins_the_next_game() {
    let four = vastrix().with(&[("players", "4")]);
    let made = play_out(&four, "teams", &mut Dice::new(1), |_| ());
    let choose = |seat: &str| json!({"step": "first-player", "by": "choice", "seat": seat});
    let random = json!({"step": "first-player", "by": "random"});
    for (won, losers) in [
        ("A", vec!["B", "D"]),
        ("B", vec!["A", "C"]),
        ("C", vec!["B", "D"]),
        ("D", vec!["A", "C"]),
        ("draw", vec!["A", "B", "C", "D"]),
    ] {
        let next = |seed: &str| {
            let won = GameResult::parse(won).unwrap();
            made.next_game(&four.game(), won, Randomness::from_text(seed)).unwrap()
        };
        let game = next("a");
        for seat in ["A", "B", "C", "D"] {
            let begun = game.decide_json(&four.game(), &[choose(seat)]);
            assert_eq!(begun.is_ok(), losers.contains(&seat), "{won} {seat}");
        }
        let begun: BTreeSet<String> = (0..24)
            .map(|number| {
                let game = next(&number.to_string());
                let random = std::slice::from_ref(&random);
                let game = game.decide_json(&four.game(), random).unwrap();
                assert_redealt(&json_of(&game));
                game.table.first.unwrap().letter().to_owned()
            })
            .collect();
        assert!(begun.iter().eq(&losers), "chance picks any of {losers:?}");
    }
}

/// The later games of a match are dealt again from each player's random bytes and from the results,
/// with SHA-256 alone.
#[test]
fn the_later_games_of_a_match_are_dealt_again() {
    let hex = |bytes: &[u8]| data_encoding::HEXLOWER.encode(bytes);
    let random = |game: usize| {
        let mut parts = [[0x5a; 32], [0x5b; 32], [0x5c; 32]];
        parts[0][0] = u8::try_from(game).unwrap();
        parts
    };
    let chance = |mut parts: [[u8; 32]; 3]| {
        parts.sort_unstable();
        let [one, two, three] = &parts;
        let seed = [&b"decklaw/seed-combined/1\0"[..], one, two, three].concat();
        let seed = Sha256::digest(seed);
        json!({"scheme": "decklaw-sha256ctr-2", "seed": hex(&seed), "seed_source": "combined",
            "contributions": parts.map(|part| hex(&part))})
    };
    let four = vastrix().with(&[("players", "4")]);
    for (mode, results) in [(four, ["C", "B", "draw"]), (shell(), ["B", "draw", ""])] {
        let mut made = play_out(&mode, "round", &mut Dice::new(7), |_| ());
        let mut expected = json_of(&made)["inputs"].clone();
        for (game, won) in results.iter().enumerate().filter(|(_, won)| !won.is_empty()) {
            let parts = random(game).map(|part| hex(&part));
            let randomness = Randomness::from_parts(&parts).unwrap();
            let won = (won, GameResult::parse(won).unwrap());
            made = made.next_game(&mode.game(), won.1, randomness).unwrap();
            expected["randomness"] = chance(random(game));
            let before = expected.get("results").cloned().unwrap_or(json!([]));
            let mut before = before.as_array().unwrap().clone();
            before.push(json!(won.0));
            expected["results"] = json!(before);
            if let Some(number) = expected["options"].get_mut("game") {
                *number = json!(number.as_i64().unwrap() + 1);
            }
            expected["decisions"] = json!([]);
            loop {
                let file = json_of(&made);
                assert_eq!(file["inputs"], expected, "{}", mode.name);
                let again = redeal(&expected);
                for part in ["pending", "cards", "state"] {
                    assert_eq!(again[part], file[part], "{} of {}", part, mode.name);
                }
                if made.pending.is_empty() {
                    break;
                }
                // Chance picks who begins; everything else stays as it is.
                let entry = &file["pending"][0];
                let mut decision = json!({"step": entry["step"]});
                match entry["step"].as_str().unwrap() {
                    "first-player" => decision["by"] = json!("random"),
                    step => {
                        decision["seat"] = entry["seat"].clone();
                        if step == "mulligan" {
                            decision["choice"] = json!("keep");
                            decision["bottom"] = json!([]);
                        }
                    }
                }
                made = made.decide_json(&mode.game(), std::slice::from_ref(&decision)).unwrap();
                expected["decisions"].as_array_mut().unwrap().push(decision);
            }
        }
    }
}
