//! Playing on: the table does what is said, hides what is hidden, and its transcript holds.

use crate::games::{Dice, Mode, json_of, play_out, shell, vanquishers, vastrix};
use crate::lines;
use crate::onlooker::seen;
use decklaw::matches::{Match, Move, Reader, SeatId, Unproved, read_json};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn begin(mode: &Mode) -> Match {
    play_out(mode, "play", &mut Dice::new(4), |_| ())
}

fn say(play: &mut Match, by: SeatId, line: &str) -> Result<(), String> {
    let done = lines::read(play, by, line)?;
    play.act(done).map_err(|error| error.to_string())
}

fn sizes(play: &Match, seat: usize) -> Vec<(&str, usize)> {
    let zones = play.table.seats[seat].zones.iter();
    zones
        .map(|zone| (zone.name.as_str(), zone.slots.len()))
        .filter(|(_, cards)| *cards > 0)
        .collect()
}

#[test]
fn a_few_turns_of_a_game() {
    let mut play = begin(&vanquishers(Some(20)));
    let start = play.clone();
    let (first, other) = (
        play.active,
        if play.active == SeatId::A {
            SeatId::B
        } else {
            SeatId::A
        },
    );
    let hand = |play: &Match| {
        sizes(play, first.index())
            .into_iter()
            .find(|(zone, _)| *zone == "hand")
            .unwrap()
            .1
    };
    say(&mut play, first, "draw").unwrap();
    assert_eq!(hand(&play), 8);
    say(&mut play, first, "move hand 0 abilities top down").unwrap();
    say(&mut play, first, "flip abilities 0").unwrap();
    say(&mut play, first, "turn abilities 0").unwrap();
    say(&mut play, first, &format!("count {other} life -3")).unwrap();
    let life = play.table.seats[other.index()].counters["life"];
    assert_eq!(start.table.seats[other.index()].counters["life"] - life, 3);
    say(&mut play, first, "count quest -3").unwrap();
    assert_eq!(play.table.seats[first.index()].counters["quest"], -3);
    say(&mut play, first, "move hand 0 deck bottom").unwrap();
    say(&mut play, first, "shuffle deck").unwrap();
    say(&mut play, first, "roll 20").unwrap();
    assert!((1..=20).contains(&play.last_roll.unwrap().1));
    say(&mut play, first, "pass").unwrap();
    assert_eq!(play.active, other);
    for (line, reason) in [
        ("pass", "turn"),
        ("draw 99", "too few"),
        ("move hand 50 discard", "no card 50"),
        ("flip hand 0", "all lie alike"),
        ("turn hand 0", "lie open"),
        ("move pocket 0 hand", "no zone"),
        ("move discard 0 discard", "no card 0"),
        ("roll 1", "two sides"),
    ] {
        let before = play.to_json();
        let answer = say(&mut play, first, line).unwrap_err();
        assert!(answer.contains(reason), "{line}: {answer}");
        assert_eq!(play.to_json(), before, "a refused move changes nothing");
    }
    for zone in ["hand", "deck"] {
        let theirs = say(&mut play, first, &format!("move {other}.{zone} 0 hand")).unwrap_err();
        assert!(theirs.contains("to touch"), "{theirs}");
    }
}

/// "Undo takes back the newest entry of the log if it is one's own and showed nobody a card."
#[test]
fn the_newest_move_is_taken_back_by_who_made_it_where_it_showed_no_card() {
    let mode = vastrix();
    let mut play = begin(&mode);
    let state = |play: &Match| json_of(play)["state"].clone();
    say(&mut play, SeatId::A, "count goal -2").unwrap();
    let before = state(&play);
    say(&mut play, SeatId::A, "turn swap_bar 0").unwrap();
    let theirs = say(&mut play, SeatId::B, "undo").unwrap_err();
    assert!(theirs.contains("another seat's"), "{theirs}");
    say(&mut play, SeatId::A, "undo").unwrap();
    assert_eq!(state(&play), before);
    let again = say(&mut play, SeatId::A, "undo").unwrap_err();
    assert!(again.contains("no move to take back"), "{again}");
    assert_eq!(play.moves().len(), 3, "the log remembers both");
    for shows in [
        "draw",
        "move hand 0 point_row",
        "flip swap_bar 0",
        "look hand 0",
        "reveal hand 0",
        "random hand B.hand",
        "shuffle draw_pile",
        "roll",
    ] {
        let by = play.active;
        if say(&mut play, by, shows).is_err() {
            continue;
        }
        let refusal = say(&mut play, by, "undo").unwrap_err();
        assert!(
            refusal.contains("cannot be taken back"),
            "{shows}: {refusal}"
        );
    }
    // A file that was read again takes back what it could before.
    say(&mut play, SeatId::A, "move hand 0 hand 1").unwrap();
    let mut read = proved(&mode, &play.to_json()).unwrap();
    say(&mut read, SeatId::A, "undo").unwrap();
    proved(&mode, &read.to_json()).unwrap();
}

fn proved(mode: &Mode, text: &str) -> Result<Match, String> {
    let read = Unproved::read(text.as_bytes()).map_err(|error| error.to_string())?;
    read.verify(&mode.game()).map_err(|error| error.to_string())
}

#[test]
fn a_spliced_log_is_refused() {
    let mode = vastrix();
    let mut play = begin(&mode);
    for line in [
        "draw",
        "roll",
        "draw 2",
        "count goal 1",
        "shuffle draw_pile",
    ] {
        say(&mut play, SeatId::A, line).unwrap();
    }
    let text = play.to_json();
    let file: Value = read_json(text.as_bytes()).unwrap();
    assert_eq!(proved(&mode, &text).unwrap().to_json(), text);
    let splices: [&dyn Fn(&mut Value); 7] = [
        &|file| drop(file["log"].as_array_mut().unwrap().remove(1)),
        &|file| file["log"].as_array_mut().unwrap().swap(0, 1),
        &|file| file["log"][2]["count"] = json!(3),
        &|file| file["log"][1]["extra"] = json!(3),
        &|file| file["log"] = json!([]),
        &|file| file["digests"]["log"] = json!("00".repeat(32)),
        &|file| file["inputs"]["randomness"]["seed"] = json!("00".repeat(32)),
    ];
    for splice in splices {
        let mut changed = file.clone();
        splice(&mut changed);
        assert!(proved(&mode, &changed.to_string()).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn whatever_is_played_no_card_is_lost_and_the_file_verifies(moves in proptest::collection::vec((0usize..9, 0u32..8, any::<bool>()), 0..40)) {
        let mode = vastrix();
        let mut play = begin(&mode);
        for (kind, number, seat) in moves {
            let by = if seat { SeatId::A } else { SeatId::B };
            let line = match kind {
                0 => format!("draw {number}"),
                1 => format!("move hand {number} point_row bottom down"),
                2 => format!("move point_row {number} graveyard"),
                3 => format!("flip point_row {number}"),
                4 => format!("turn point_row {number}"),
                5 => format!("count goal -{number}"),
                6 => "shuffle draw_pile".to_owned(),
                7 => "pass".to_owned(),
                _ => {
                    let _ = play.act(Move::Undo { by });
                    continue;
                }
            };
            let _ = say(&mut play, by, &line);
        }
        let table = &play.table;
        let zones = table.shared.iter().chain(table.seats.iter().flat_map(|seat| &seat.zones));
        let mut cards: Vec<_> = zones.flat_map(|zone| zone.slots.iter().map(|slot| slot.card)).collect();
        cards.sort();
        cards.dedup();
        prop_assert_eq!(cards.len(), 54);
        let text = play.to_json();
        let again = proved(&mode, &text).map_err(TestCaseError::fail)?;
        prop_assert_eq!(again.to_json(), text);
    }
}

/// The ids that a seat may know: what lies open, and its own hand and secret piles.
fn known(play: &Match, reader: &str) -> BTreeSet<String> {
    let file = json_of(play);
    let game = file["inputs"]["format"].as_str().unwrap().to_owned();
    let mut known = BTreeSet::new();
    let mut look = |owner: &str, zones: &Value| {
        for (name, list) in zones.as_object().unwrap() {
            for slot in list.as_array().unwrap() {
                let id = slot["card"].as_str().or(slot.as_str()).unwrap();
                if match seen(&game, name) {
                    'f' => slot["face"] == "up",
                    'o' => owner == reader,
                    'n' => false,
                    _ => true,
                } {
                    known.insert(id.to_owned());
                }
            }
        }
    };
    look("shared", &file["state"]["shared"]["zones"]);
    for (seat, table) in file["state"]["seats"].as_object().unwrap() {
        look(seat, &table["zones"]);
    }
    known
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever is played, nothing that a seat is shown or told names a card that it may not know.
    #[test]
    fn nothing_that_is_shown_names_a_hidden_card(game in 0usize..3, seed in any::<u64>(), length in 1usize..40) {
        let mode = [vastrix(), shell(), vanquishers(Some(20))].into_iter().nth(game).unwrap();
        let (mut play, mut dice) = (begin(&mode), Dice::new(seed));
        let mut zones: Vec<String> = Vec::new();
        let table = &play.table;
        zones.extend(table.shared.iter().map(|zone| zone.name.clone()));
        for (seat, on_table) in table.seat_ids().zip(&table.seats) {
            zones.extend(on_table.zones.iter().map(|zone| format!("{seat}.{}", zone.name)));
        }
        for _ in 0..length {
            let by = [SeatId::A, SeatId::B][dice.below(2)];
            let zone = zones[dice.below(zones.len())].clone();
            let to = zones[dice.below(zones.len())].clone();
            let (slot, at) = (dice.below(4), dice.below(3));
            let said = match dice.below(12) {
                0 => say(&mut play, by, &format!("draw {slot} {zone} {to}")),
                1 => say(&mut play, by, &format!("move {zone} {slot} {to} {at} up")),
                2 | 3 => say(&mut play, by, &format!("move {zone} {slot} {to} {at} down")),
                4 | 5 => say(&mut play, by, &format!("flip {zone} {slot}")),
                6..=8 => say(&mut play, by, &format!("turn {zone} {slot}")),
                9 => say(&mut play, by, &format!("shuffle {zone}")),
                10 => say(&mut play, by, "pass"),
                _ => say(&mut play, by, "undo"),
            };
            let told = said.err().unwrap_or_default();
            for seat in [SeatId::A, SeatId::B] {
                let known = known(&play, seat.letter());
                let shown = play.view(Reader::Seat(seat)).unwrap().to_text();
                let view = play.view(Reader::Seat(seat)).unwrap().to_json();
                for card in &play.table.instances {
                    if known.contains(&card.id) {
                        prop_assert!(shown.contains(&format!("[{}]", card.id)), "{}", shown);
                        continue;
                    }
                    for text in [&shown, &view, &told] {
                        prop_assert!(!text.contains(&card.id), "{}: {}", card.id, text);
                    }
                }
            }
        }
    }
}

/// The slots of the Swap Bar whose cards lie sideways.
fn sideways(play: &Match) -> Vec<usize> {
    let view = play.view(Reader::Public).unwrap();
    let lying = &view.shared.zones["swap_bar"].lying;
    let turned = lying.iter().filter(|lying| lying.sideways);
    turned.map(|lying| lying.slot).collect()
}

/// A card that lies sideways and face down in a pile that is shuffled would be followed.
#[test]
fn shuffling_and_drawing_lay_cards_straight() {
    let mut play = begin(&vastrix());
    for line in ["turn swap_bar 0", "turn swap_bar 2", "shuffle swap_bar"] {
        say(&mut play, SeatId::A, line).unwrap();
    }
    assert!(sideways(&play).is_empty());
    for line in ["turn swap_bar 0", "turn swap_bar 1"] {
        say(&mut play, SeatId::A, line).unwrap();
    }
    assert_eq!(sideways(&play), [0, 1]);
    say(&mut play, SeatId::A, "move swap_bar 0 swap_bar bottom down").unwrap();
    assert_eq!(sideways(&play), [0, 2]);
    say(&mut play, SeatId::A, "draw 1 swap_bar hand").unwrap();
    assert_eq!(sideways(&play), [1]);
}
