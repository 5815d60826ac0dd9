//! A table on a screen of 80 columns and 24 rows.

use crate::games::{Dice, all, play_out};
use decklaw::matches::{Move, Play, Reader, SeatId};
use unicode_width::UnicodeWidthStr;

/// Plays on as people do, without regard to rules: draws, cards on squares and rows, graves.
fn mid_game(mut play: Play, dice: &mut Dice) -> Play {
    let names = |zones: &[decklaw::matches::table::Zone]| -> Vec<String> {
        zones.iter().map(|zone| zone.name.clone()).collect()
    };
    let shared = names(&play.now.table.shared);
    let seats: Vec<SeatId> = play.now.table.seat_ids().collect();
    for _ in 0..40 {
        for by in &seats {
            let own = names(&play.now.table.seats[by.index()].zones);
            let zones: Vec<&String> = own.iter().chain(&shared).collect();
            let to = zones[dice.below(zones.len())];
            let cell = format!(
                "{}{}",
                char::from(b'a' + dice.below(6) as u8),
                1 + dice.below(6)
            );
            let down = if dice.below(3) == 0 { "down" } else { "up" };
            for line in [
                "draw".to_owned(),
                match dice.below(2) {
                    0 => format!("move hand 0 grid {cell} {down}"),
                    _ => format!("move hand 0 \"{to}\" {down}"),
                },
                format!("turn \"{to}\" 0"),
                format!("mark \"{to}\" 0 damage 2"),
            ] {
                if let Ok(done) = play.typed(&line, *by) {
                    let _ = play.act(done);
                }
            }
        }
        play.act(Move::Pass {
            by: play.now.active,
        })
        .unwrap();
    }
    play
}

#[test]
fn every_table_fits_a_screen_in_mid_game_and_breaks_no_name() {
    for mode in all() {
        let mut dice = Dice::new(11);
        let start = play_out(&mode, "screen", &mut dice, |_| ());
        let play = mid_game(Play::begin(start).unwrap(), &mut dice);
        let readers = play.now.table.seat_ids().map(Reader::Seat);
        for reader in readers.chain([Reader::Public]) {
            let lines = play.screen(reader, 80, 22).unwrap();
            let text = lines.join("\n");
            assert!(lines.len() <= 22, "{}: {text}", mode.name);
            for line in &lines {
                assert!(line.width() <= 80, "{}: {line}", mode.name);
            }
            let Reader::Seat(seat) = reader else { continue };
            // Every card of the hand is named in full, on one line.
            let hand = play.now.table.place(seat, "hand").unwrap();
            let named = play.now.table.named(hand);
            let told = lines.iter().filter(|line| {
                named.iter().all(|(_, name)| text.contains(name.as_str()))
                    || line.contains("more than fits")
                    || line.contains(" … +")
            });
            assert!(told.count() > 0, "{}: {text}", mode.name);
            assert!(text.contains(&format!("{seat} ")), "{text}");
        }
    }
}

#[test]
fn a_small_table_tells_all_and_a_grid_is_seen_from_ones_own_side() {
    let mode = all()
        .into_iter()
        .find(|mode| mode.format == "versus/fast")
        .unwrap();
    let mut play = Play::begin(play_out(&mode, "screen", &mut Dice::new(3), |_| ())).unwrap();
    for (by, line) in [
        (SeatId::A, "move hand 0 grid a1 down"),
        (SeatId::B, "move hand 0 grid d4 up"),
        (SeatId::A, "move hand 0 grid a1 up"),
    ] {
        let done = play.typed(line, by).unwrap();
        play.act(done).unwrap();
    }
    let of = |seat| play.screen(Reader::Seat(seat), 80, 22).unwrap();
    let (for_a, for_b) = (of(SeatId::A), of(SeatId::B));
    assert!(for_a[1].trim_start().starts_with('a') && for_b[1].trim_start().starts_with('d'));
    let row = |lines: &[String], number: &str| {
        lines
            .iter()
            .position(|line| line.starts_with(number))
            .unwrap()
    };
    assert!(
        row(&for_a, "4 ") < row(&for_a, "1 "),
        "seat A's home is nearest to it"
    );
    assert!(row(&for_b, "1 ") < row(&for_b, "4 "));
    let text = for_a.join("\n");
    assert!(
        text.contains("A * +1") && text.contains("grid: a1 "),
        "{text}"
    );
    assert!(
        text.contains("deck ") && text.contains("empty: graveyard"),
        "{text}"
    );
    // What lies face down has a name for nobody.
    let down = play.now.table.shared[0]
        .slots
        .iter()
        .find(|slot| !slot.up)
        .unwrap();
    let id = &play.now.table.instance(down.card).id;
    for reader in [
        Reader::Public,
        Reader::Seat(SeatId::A),
        Reader::Seat(SeatId::B),
    ] {
        let view = play.as_match().view(reader).unwrap();
        assert!(!view.cards.contains_key(id));
    }
}
