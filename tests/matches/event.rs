//! Rounds, further games and sheets.

use crate::games::{DecideJson, Dice, Mode, all, json_of, play_out, shell, vastrix};
use crate::independent::redeal;
use decklaw::matches::{GameResult, MatchError, Randomness, Reader, Unproved};
use serde_json::json;
use sha2::{Digest, Sha256};

#[test]
fn a_match_has_as_many_games_as_its_format_says() {
    let chance = Randomness::from_text;
    let mut made = play_out(&shell(), "games", &mut Dice::new(1), |_| ());
    let unfinished = made
        .next_game(
            &shell().game(),
            GameResult::parse("draw").unwrap(),
            chance("2"),
        )
        .unwrap();
    assert!(
        unfinished
            .next_game(
                &shell().game(),
                GameResult::parse("draw").unwrap(),
                chance("3")
            )
            .is_err(),
        "not set up yet"
    );
    for number in [2, 3] {
        let next = made
            .next_game(
                &shell().game(),
                GameResult::parse("draw").unwrap(),
                chance(&number.to_string()),
            )
            .unwrap();
        assert_eq!(json_of(&next)["inputs"]["options"]["game"], json!(number));
        assert_eq!(
            next.inputs.seats, made.inputs.seats,
            "from the registered decks"
        );
        let swap = |seat: &str| json!({"step": "swap", "seat": seat});
        let keep =
            |seat: &str| json!({"step": "mulligan", "seat": seat, "choice": "keep", "bottom": []});
        let first = json!({"step": "first-player", "by": "random"});
        made = next
            .decide_json(
                &shell().game(),
                &[swap("A"), swap("B"), first, keep("A"), keep("B")],
                None,
            )
            .unwrap();
    }
    let over = made.next_game(
        &shell().game(),
        GameResult::parse("draw").unwrap(),
        chance("4"),
    );
    assert!(
        matches!(over, Err(MatchError::Refused(reason)) if reason.contains("the match is over"))
    );
}

#[test]
fn what_is_hidden_stands_on_pages_of_its_own() {
    for mode in all() {
        let made = play_out(&mode, "sheet", &mut Dice::new(2), |_| ());
        let sheet = made.sheet();
        let open = serde_json::to_value(made.view(Reader::Public).unwrap()).unwrap();
        assert_eq!(sheet.pages.len(), 2 + made.table.seats.len());
        assert!(
            sheet.pages[0].only_for.is_empty()
                && sheet.pages[1..]
                    .iter()
                    .all(|page| !page.only_for.is_empty())
        );
        let text = sheet.to_text();
        let (table, hidden) = text.split_once('\u{c}').unwrap();
        for card in &made.table.instances {
            let (on_table, on_hidden) = (
                table.contains(&format!("[{}]", card.id)),
                hidden.contains(&format!("[{}]", card.id)),
            );
            assert_eq!(
                on_table,
                open["cards"].get(&card.id).is_some(),
                "{}: {}",
                mode.name,
                card.id
            );
            assert!(on_table || on_hidden, "every card is somewhere");
        }
        assert!(
            table.contains("is from a text"),
            "a guessable seed is said to be one"
        );
    }
}

#[test]
fn names_cannot_write_into_a_sheet() {
    let base = vastrix();
    let mut wanted = base.wanted.clone();
    wanted.players = vec!["<script>&\"x\u{1b}[2J".to_owned()];
    let html = play_out(&Mode { wanted, ..base }, "html", &mut Dice::new(2), |_| ())
        .sheet()
        .to_html();
    assert!(
        html.contains("&lt;script&gt;&amp;&quot;x?[2J")
            && !html.contains("<script")
            && !html.contains('\u{1b}')
    );
}

/// VASTRIX 21.5: with four, the team that lost the previous game goes first, and chooses who of
/// the two. Partners sit two apart. No other game says who begins the next one.
#[test]
fn with_four_the_team_that_lost_begins_the_next_game() {
    let four = vastrix().with(&[("players", "4")]);
    let made = play_out(&four, "teams", &mut Dice::new(1), |_| ());
    let next = |won: &str, seed: &str| {
        let chance = Randomness::from_text(seed);
        let won = GameResult::parse(won).unwrap();
        made.next_game(&four.game(), won, chance).unwrap()
    };
    let choose = |seat: &str| json!({"step": "first-player", "by": "choice", "seat": seat});
    let random = json!({"step": "first-player", "by": "random"});
    for (won, losers, winners) in [
        ("A", ["B", "D"], ["A", "C"]),
        ("C", ["B", "D"], ["A", "C"]),
        ("B", ["A", "C"], ["B", "D"]),
        ("D", ["A", "C"], ["B", "D"]),
    ] {
        let game = next(won, "a");
        let awaited = json!([{"step": "first-player", "seats": losers}]);
        assert_eq!(json_of(&game)["pending"], awaited);
        assert_eq!(redeal(&json_of(&game)["inputs"])["pending"], awaited);
        for seat in losers {
            let begun = game
                .decide_json(&four.game(), &[choose(seat)], None)
                .unwrap();
            assert_eq!(begun.table.first.unwrap().letter(), seat);
        }
        for seat in winners {
            let refused = game.decide_json(&four.game(), &[choose(seat)], None);
            assert!(
                matches!(refused, Err(MatchError::Refused(why)) if why.contains("lost the last game"))
            );
        }
        let mut begun = std::collections::BTreeSet::new();
        for number in 0..24 {
            let game = next(won, &number.to_string());
            let game = game.decide_json(&four.game(), std::slice::from_ref(&random), None);
            let game = game.unwrap();
            let file = json_of(&game);
            let again = redeal(&file["inputs"]);
            assert_eq!(again["state"], file["state"]);
            Unproved::read(file.to_string().as_bytes())
                .unwrap()
                .verify(&four.game())
                .unwrap();
            begun.insert(game.table.first.unwrap().letter());
        }
        assert!(
            begun.into_iter().eq(losers),
            "chance picks either of the two"
        );
    }
    for seat in ["A", "B", "C", "D"] {
        let any = next("draw", "a").decide_json(&four.game(), &[choose(seat)], None);
        assert!(any.is_ok(), "nobody lost");
    }
    let two = play_out(&vastrix(), "teams", &mut Dice::new(1), |_| ());
    let won = GameResult::parse("A").unwrap();
    let game = two.next_game(&vastrix().game(), won, Randomness::from_text("b"));
    let game = game.unwrap();
    assert!(
        game.decide_json(&vastrix().game(), &[choose("A")], None)
            .is_ok()
    );
    assert_eq!(
        game.score().unwrap(),
        "Score after 1 game: seat A 1, seat B 0, drawn 0"
    );
    assert!(game.sheet().to_text().contains("seat A 1, seat B 0"));
}

/// A stranger with what each brought to the seed, and the results, deals the games of a match again: with SHA-256 and the document of the scheme, nothing else.
#[test]
fn a_stranger_deals_the_later_games_of_a_match_again() {
    let sha256 = |parts: &[&[u8]]| Sha256::digest(parts.concat()).to_vec();
    let hex = |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
    let brought = |game: usize| {
        let mut parts = [[0x5a; 32], [0x5b; 32], [0x5c; 32]];
        parts[0][0] = u8::try_from(game).unwrap();
        parts
    };
    let chance = |mut parts: [[u8; 32]; 3]| {
        parts.sort_unstable();
        let [one, two, three] = &parts;
        let seed = sha256(&[b"decklaw/seed-combined/1\0", one, two, three]);
        json!({"scheme": "decklaw-sha256ctr-2", "seed": hex(&seed), "seed_source": "combined",
            "contributions": parts.map(|part| hex(&part))})
    };
    let four = vastrix().with(&[("players", "4")]);
    for (mode, results) in [(four, ["C", "B", "draw"]), (shell(), ["B", "draw", ""])] {
        let mut made = play_out(&mode, "round", &mut Dice::new(7), |_| ());
        let mut expected = json_of(&made)["inputs"].clone();
        for (game, won) in results
            .iter()
            .enumerate()
            .filter(|(_, won)| !won.is_empty())
        {
            let parts = brought(game).map(|part| hex(&part));
            let randomness = Randomness::from_parts(&parts).unwrap();
            let won = (won, GameResult::parse(won).unwrap());
            made = made.next_game(&mode.game(), won.1, randomness).unwrap();
            expected["randomness"] = chance(brought(game));
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
                made = made
                    .decide_json(&mode.game(), std::slice::from_ref(&decision), None)
                    .unwrap();
                expected["decisions"].as_array_mut().unwrap().push(decision);
            }
        }
    }
}
