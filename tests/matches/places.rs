//! Where cards lie: squares, spaces, faces, stacks, counters, tokens and limits, as the games'
//! data declare them. What a seat is sent of them is in `worlds`.

use crate::games::{Dice, Mode, of_format, play_out};
use crate::lines;
use decklaw::matches::{Match, Reader, SeatId, Unproved};
use serde_json::Value;
use std::collections::BTreeSet;

fn begin(mode: &Mode) -> Match {
    play_out(mode, "places", &mut Dice::new(7), |_| ())
}

fn say(play: &mut Match, by: SeatId, line: &str) -> Result<Vec<String>, String> {
    let done = lines::read(play, by, line)?;
    play.act(done.clone()).map_err(|error| error.to_string())?;
    Ok(play.remarks(&done, None))
}

fn view(play: &Match, reader: Reader) -> Value {
    serde_json::to_value(play.view(reader).unwrap()).unwrap()
}

fn verifies(mode: &Mode, play: &Match) {
    let read = Unproved::read(play.to_json().as_bytes()).unwrap();
    let again = read.verify(&mode.game()).unwrap();
    for reader in [Reader::Public, Reader::Seat(SeatId::A)] {
        assert_eq!(view(&again, reader), view(play, reader));
    }
}

const A: SeatId = SeatId::A;
const B: SeatId = SeatId::B;

#[test]
fn a_grid_has_squares_homes_and_owners_and_tells_what_touches_nothing() {
    for (format, last, beyond) in [
        ("versus/fast", "d4", "e4"),
        ("versus/normal", "e5", "e6"),
        ("versus/vs", "f6", "g1"),
        ("versus/fast-shared", "d4", "a5"),
    ] {
        let mode = of_format(format);
        let mut play = begin(&mode);
        // The first card touches nothing yet; the next one must be told so where it does not.
        assert_eq!(
            say(&mut play, A, "move hand 0 grid a1 down").unwrap(),
            [""; 0]
        );
        assert_eq!(
            say(&mut play, B, &format!("move hand 0 grid {last} down")).unwrap(),
            [""; 0]
        );
        assert_eq!(say(&mut play, A, "move hand 0 grid a2").unwrap(), [""; 0]);
        let told = say(&mut play, A, "move hand 0 grid c3").unwrap();
        assert!(told[0].starts_with("c3 touches no card of "), "{told:?}");
        let diagonal = say(&mut play, B, "move hand 0 grid b1").unwrap();
        assert_eq!(diagonal.len(), 1, "the other's card is not one's own");
        let error = say(&mut play, A, &format!("move hand 0 grid {beyond}")).unwrap_err();
        assert!(
            error.contains(&format!("the last one is {last}")),
            "{error}"
        );
        let shown = view(&play, Reader::Public);
        let lying = shown["shared"]["zones"]["grid"]["lying"]
            .as_array()
            .unwrap();
        let of = |square: &str| lying.iter().find(|it| it["at"] == square).unwrap();
        assert_eq!(of("a1")["owner"], "A");
        assert_eq!(of(last)["owner"], "B");
        let cards = shown["shared"]["zones"]["grid"]["cards"]
            .as_array()
            .unwrap();
        let slot = of("a1")["slot"].as_u64().unwrap() as usize;
        assert_eq!(cards[slot]["face"], "down");
        // A square names the card on it.
        say(&mut play, B, "flip grid a1").unwrap();
        say(&mut play, B, "own grid a1 B").unwrap();
        say(&mut play, B, "move grid a1 grid a2").unwrap();
        say(&mut play, A, "move grid c3 A.graveyard")
            .or_else(|_| say(&mut play, A, "move grid c3 graveyard"))
            .unwrap();
        assert!(
            say(&mut play, A, "flip grid c3")
                .unwrap_err()
                .contains("no card lies at c3")
        );
        let shown = view(&play, Reader::Public);
        let lying = shown["shared"]["zones"]["grid"]["lying"]
            .as_array()
            .unwrap();
        assert_eq!(
            lying.iter().filter(|it| it["at"] == "a2").count(),
            2,
            "a stack"
        );
        assert_eq!(lying[0]["owner"], "B", "the one on top was taken over");
        verifies(&mode, &play);
    }
}

#[test]
fn a_row_of_spaces_fills_by_itself_and_tells_when_it_is_full() {
    let mode = of_format("vainqueur");
    let mut play = begin(&mode);
    say(&mut play, A, "draw 8").unwrap();
    for card in 0..6 {
        let told = say(&mut play, A, "move hand 0 monster_field").unwrap();
        assert_eq!(told, [""; 0], "card {card}");
    }
    say(&mut play, A, "move monster_field c1 cemetery down").unwrap();
    say(&mut play, A, "turn monster_field b1").unwrap();
    say(&mut play, A, "move hand 0 monster_field").unwrap();
    let seen = view(&play, Reader::Public);
    let field = seen["seats"]["A"]["zones"]["monster_field"].clone();
    let squares: BTreeSet<&str> = field["lying"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["at"].as_str().unwrap())
        .collect();
    assert_eq!(
        squares,
        BTreeSet::from(["a1", "b1", "c1", "d1", "e1", "f1"])
    );
    let sideways: Vec<&str> = field["lying"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["sideways"] == true)
        .map(|it| it["at"].as_str().unwrap())
        .collect();
    assert_eq!(sideways, ["b1"]);
    let told = say(&mut play, A, "move hand 0 monster_field").unwrap();
    assert!(
        told[0].contains("has 7 cards; the rules allow 6"),
        "{told:?}"
    );
    verifies(&mode, &play);
}

#[test]
fn cards_come_to_the_cemetery_face_up_and_lie_there_face_down_where_one_says_so() {
    let mode = of_format("vainqueur");
    let mut play = begin(&mode);
    say(&mut play, A, "draw 2 deck cemetery").unwrap();
    say(&mut play, A, "move hand 0 cemetery top down").unwrap();
    let seen = view(&play, Reader::Seat(A));
    let faces: Vec<&str> = seen["seats"]["A"]["zones"]["cemetery"]["cards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["face"].as_str().unwrap())
        .collect();
    assert_eq!(faces, ["down", "up", "up"]);
    // Nobody but its owner looks at what lies face down without leave.
    let look = lines::read(&play, B, "look A.cemetery 0").unwrap();
    assert_eq!(play.needs_leave(&look).unwrap(), [A]);
    let own = lines::read(&play, A, "look cemetery 0").unwrap();
    assert!(play.needs_leave(&own).unwrap().is_empty());
    verifies(&mode, &play);
}

#[test]
fn cards_are_attached_counted_on_and_brought_along() {
    let mode = of_format("vanquishers");
    let mut play = begin(&mode);
    say(&mut play, A, "draw 2").unwrap();
    for line in [
        "move hand 0 weapons",
        "attach hand 0 weapons 0",
        "attach hand 0 weapons 0 down",
        "move hand 0 weapons bottom",
        "mark weapons 0 durability 3",
        "mark weapons 0 durability -1",
        "token Drone abilities",
    ] {
        say(&mut play, A, line).unwrap();
    }
    let seen = view(&play, Reader::Public);
    let weapons = &seen["seats"]["A"]["zones"]["weapons"];
    assert_eq!(weapons["count"], 4);
    let lying = weapons["lying"].as_array().unwrap();
    assert_eq!(lying[0]["counters"]["durability"], 2);
    assert_eq!([&lying[1]["on"], &lying[2]["on"]], [0, 0]);
    assert_eq!(weapons["cards"][2]["face"], "down");
    let token = &seen["seats"]["A"]["zones"]["abilities"]["cards"][0]["card"];
    assert_eq!(seen["cards"][token.as_str().unwrap()], "Drone");
    // With it goes what is attached; alone it leaves that behind, loose.
    say(&mut play, A, "move weapons 0 B.weapons with").unwrap();
    let seen = view(&play, Reader::Public);
    assert_eq!(seen["seats"]["A"]["zones"]["weapons"]["count"], 1);
    let theirs = &seen["seats"]["B"]["zones"]["weapons"];
    assert_eq!(theirs["count"], 3);
    let lying = theirs["lying"].as_array().unwrap();
    assert_eq!(lying[0]["owner"], "A", "whose it is stays known");
    assert_eq!([&lying[1]["on"], &lying[2]["on"]], [0, 0]);
    say(&mut play, A, "move B.weapons 0 A.discard").unwrap();
    let seen = view(&play, Reader::Public);
    let theirs = &seen["seats"]["B"]["zones"]["weapons"];
    assert!(
        theirs["lying"]
            .as_array()
            .unwrap()
            .iter()
            .all(|it| it["on"].is_null())
    );
    assert!(
        seen["seats"]["A"]["zones"]["discard"]
            .get("lying")
            .is_none()
    );
    say(&mut play, A, "remove abilities 0").unwrap();
    let error = say(&mut play, A, "remove weapons 0").unwrap_err();
    assert!(error.contains("only a token"), "{error}");
    let error = say(&mut play, A, "mark hand 0 x 1").unwrap_err();
    assert!(error.contains("lie open"), "{error}");
    // A hand above its limit is told, and nothing more.
    let mut told = Vec::new();
    while told.is_empty() {
        told = say(&mut play, A, "draw").unwrap();
    }
    assert!(
        told[0].contains("has 9 cards; the rules allow 8"),
        "{told:?}"
    );
    verifies(&mode, &play);
}
