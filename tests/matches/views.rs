//! What each reader may see, and every digest, made again from the specification alone: the
//! tables of who sees which zone, blinded commitments, decks' digests. Shares no code with the
//! library.

use super::games::{Dice, all, json_of, play_out};
use decklaw::matches::{Match, Randomness, Reader, SeatId};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

fn sha256(parts: &[&[u8]]) -> String {
    let digest = Sha256::digest(parts.concat());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()).collect()
}

/// RFC 8785.
fn canonical(value: &Value) -> String {
    serde_json_canonicalizer::to_string(value).unwrap()
}

/// Who may look at a zone: `p` everybody, `o` its owner, `n` nobody, `f` card by card.
fn seen(game: &str, zone: &str) -> char {
    match (game, zone) {
        (_, "hand") => 'o',
        (_, "deck" | "draw_pile") => 'n',
        ("shell", "extra" | "side") => 'o',
        ("vastrix", "swap_bar" | "pool" | "point_row" | "enduring_row") => 'f',
        ("versus", "grid") => 'f',
        ("vanquishers", "abilities" | "weapons" | "hero_item" | "armor") => 'f',
        ("any", _) => 'o',
        _ => 'p',
    }
}

/// What one reader, a seat's letter or `public`, may see of a match file.
fn view(file: &Value, reader: &str) -> Value {
    let (inputs, state) = (&file["inputs"], &file["state"]);
    let format = inputs["format"].as_str().unwrap();
    let game = format.split('/').next().unwrap();
    let seed = bytes(inputs["randomness"]["seed"].as_str().unwrap());
    let mut cards = Map::new();
    let mut zone = |owner: &str, name: &str, list: &Value| -> Value {
        let slots = list.as_array().unwrap();
        let mut view = json!({"count": slots.len()});
        let mut hidden = true;
        match seen(game, name) {
            'f' => {
                hidden = slots.iter().any(|slot| slot["face"] == "down");
                let shown = slots.iter().map(|slot| {
                    if slot["face"] == "down" {
                        return json!({"face": "down"});
                    }
                    let id = slot["card"].as_str().unwrap();
                    cards.insert(id.to_owned(), file["cards"][id].clone());
                    slot.clone()
                });
                view["cards"] = shown.collect();
            }
            who if who == 'p' || (who == 'o' && owner == reader) => {
                hidden = false;
                for id in slots.iter().map(|id| id.as_str().unwrap()) {
                    cards.insert(id.to_owned(), file["cards"][id].clone());
                }
                view["cards"] = list.clone();
            }
            _ => {}
        }
        if hidden {
            // Every decision makes another commitment.
            let decided = inputs["decisions"].as_array().unwrap().len();
            let label = format!("{owner}.{name}/{decided}");
            let blind = bytes(&sha256(&[b"decklaw/blind/1\0", &seed, label.as_bytes()]));
            let zone = canonical(list);
            view["commitment"] = json!(sha256(&[b"decklaw/commit/1\0", &blind, zone.as_bytes()]));
        }
        view
    };
    let mut zones = |owner: &str, zones: &Value| -> Value {
        let zones = zones.as_object().unwrap().iter();
        let views: Map<String, Value> =
            zones.map(|(name, list)| (name.clone(), zone(owner, name, list))).collect();
        json!(views)
    };
    let mut shared = json!({"zones": zones("shared", &state["shared"]["zones"])});
    if let Some(rolls) = state["shared"].get("rolls") {
        shared["rolls"] = rolls.clone();
    }
    let mut seats = Map::new();
    for seat in inputs["seats"].as_array().unwrap() {
        let letter = seat["seat"].as_str().unwrap();
        let table = &state["seats"][letter];
        let mut view = json!({"name": seat["name"], "counters": table["counters"],
            "zones": zones(letter, &table["zones"])});
        if let Some(spec) = table.get("spec") {
            view["spec"] = spec.clone();
        }
        seats.insert(letter.to_owned(), view);
    }
    json!({"schema": "decklaw/view/1", "for": reader, "format": format,
        "options": inputs["options"], "settings": inputs["settings"], "phase": state["phase"],
        "first": state["first"], "turn_order": state["turn_order"], "cards": cards,
        "shared": shared, "seats": seats, "pending": file["pending"]})
}

#[test]
fn every_reader_sees_what_the_tables_say_at_every_stage() {
    for (number, mode) in all().iter().enumerate() {
        let each = |made: &Match| {
            let file = json_of(made);
            for reader in made.table.seat_ids().map(Some).chain([None]) {
                let (letter, reader) = match reader {
                    Some(seat) => (seat.letter(), Reader::Seat(seat)),
                    None => ("public", Reader::Public),
                };
                let shown = serde_json::from_str::<Value>(&made.view(reader).unwrap().to_json());
                assert_eq!(shown.unwrap(), view(&file, letter), "{}: {letter}", mode.name);
            }
        };
        play_out(mode, "onlooker", &mut Dice::new(number as u64), each);
    }
}

/// NFC, trim, one space for each run of white space, full case folding, NFC.
fn folded(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    let words: String = name.nfc().collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    caseless::default_case_fold_str(&words.join(" ")).nfc().collect()
}

#[test]
fn digests_ids_and_canonical_order_come_out_again() {
    for mode in &all() {
        let file = json_of(&play_out(mode, "digests", &mut Dice::new(2), |_| ()));
        for part in ["inputs", "state"] {
            let digest = sha256(&[canonical(&file[part]).as_bytes()]);
            assert_eq!(file["digests"][part], json!(digest), "{}", mode.name);
        }
        let inputs = &file["inputs"];
        let own = inputs["seats"].as_array().unwrap().iter();
        let decks: Vec<(&str, &Value)> = match inputs.get("shared") {
            Some(shared) => vec![("S", &shared["deck"])],
            None => own.map(|seat| (seat["seat"].as_str().unwrap(), &seat["deck"])).collect(),
        };
        for (owner, deck) in decks {
            let mut content = Map::new();
            let mut total = 0;
            for (section, lines) in deck["sections"].as_object().unwrap() {
                let lines: Vec<(String, i64)> = lines
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|line| {
                        let count = line["count"].as_i64().unwrap();
                        (folded(line["name"].as_str().unwrap()), count)
                    })
                    .collect();
                assert!(
                    lines.is_sorted_by(|a, b| a.0 < b.0) && !lines.is_empty(),
                    "{}: {section} is in canonical order",
                    mode.name
                );
                total += lines.iter().map(|line| line.1).sum::<i64>();
                content.insert(section.clone(), json!(lines));
            }
            let content = json!({"format": inputs["format"], "sections": content});
            let hash = sha256(&[b"decklaw/deck/1\0", canonical(&content).as_bytes()]);
            assert_eq!(deck["hash"], json!(hash), "{}", mode.name);
            let ids: Vec<&String> = file["cards"].as_object().unwrap().keys().collect();
            let ids = ids.into_iter().filter(|id| id.starts_with(owner));
            let expected: Vec<String> = (1..=total).map(|n| format!("{owner}{n:03}")).collect();
            assert!(ids.eq(&expected), "{}: {owner}", mode.name);
        }
    }
}

#[test]
fn seeds_come_from_texts_and_from_what_people_bring() {
    for text in ["", "redeal", "Käse\n\u{0}"] {
        let seed = sha256(&[b"decklaw/seed-text/1\0", text.as_bytes()]);
        assert_eq!(Randomness::from_text(text).seed, seed);
    }
    let parts = ["ff".repeat(32), "0a".repeat(32), "a0".repeat(32)];
    let seed = sha256(&[b"decklaw/seed-combined/1\0", &[0x0a; 32], &[0xa0; 32], &[0xff; 32]]);
    let made = Randomness::from_parts(&parts).unwrap();
    assert_eq!(made.seed, seed);
    let mut sorted = parts.to_vec();
    sorted.sort();
    assert_eq!(made.contributions, Some(sorted));
    let commit = decklaw::matches::spec_commitment(SeatId::C, &[9; 32], "beauty");
    let commit: String = commit.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(commit, sha256(&[b"decklaw/spec/1\0", b"C", &[9; 32], b"beauty"]));
}
