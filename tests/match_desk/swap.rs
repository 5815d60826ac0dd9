//! Swaps before a game, secret choices, and what a person needs to see to answer.

use crate::calls::{Desk, FIRST, sample};
use serde_json::{Value, json};

fn ids(file: &Value, zone: &str, name: &str) -> Vec<String> {
    let held = file["state"]["seats"]["A"]["zones"][zone]
        .as_array()
        .unwrap();
    let ids = held.iter().map(|id| id.as_str().unwrap().to_owned());
    let mut ids: Vec<String> = ids.filter(|id| file["cards"][id] == name).collect();
    ids.sort_unstable();
    ids
}

fn shell() -> Desk {
    let (desk, deck) = (Desk::new(), sample("shell/ebb.txt"));
    desk.run(&format!(
        "new shell --deck {deck} --deck {deck} --seed qorvith-blenska-uthmar-x --to m.json"
    ))
    .assert(0, &[]);
    desk
}

/// SPEC 1.7, no. 9: only the main deck must be legal after a swap; a side deck that then
/// breaks its own rules is worth a warning. Blue Mana has no price, so Drizzle comes for free.
#[test]
fn a_side_deck_in_breach_after_a_swap_is_a_warning() {
    let desk = shell();
    let drizzle = ids(&desk.json("m.json"), "side", "Drizzle");
    let swap = |main: Value| json!({"step": "swap", "seat": "A", "main": main}).to_string();
    let some = swap(json!({"out": [], "in": drizzle[..2]}));
    let swapped = desk.run(&format!("decide m.json '{some}' --to out.json"));
    swapped.assert(
        0,
        &["warning: seat A, after the swap: side-overlap", "Drizzle"],
    );
    desk.run("verify out.json").assert(0, &[]);
    let all = swap(json!({"out": [], "in": drizzle}));
    let swapped = desk.run(&format!("decide m.json '{all}' --replace --to out.json"));
    swapped.assert(0, &[]);
    assert!(!swapped.error.contains("warning"), "{}", swapped.error);
    // The main deck must be legal: a point less is refused as before.
    let sprite = ids(&desk.json("m.json"), "deck", "Moss Sprite");
    let fewer = swap(json!({"out": sprite[..1], "in": []}));
    desk.run(&format!("decide m.json '{fewer}'"))
        .assert(1, &["points"]);
}

#[test]
fn a_seat_sees_what_it_needs_to_swap() {
    let desk = shell();
    let file = desk.json("m.json");
    let mine = desk.run("view m.json --seat A").out;
    for zone in ["deck", "side", "shell_red"] {
        for id in file["state"]["seats"]["A"]["zones"][zone]
            .as_array()
            .unwrap()
        {
            assert!(mine.contains(id.as_str().unwrap()), "{zone} {id}: {mine}");
        }
    }
    let deck = file["state"]["seats"]["A"]["zones"]["deck"][0]
        .as_str()
        .unwrap();
    for other in ["B", "public"] {
        assert!(
            !desk
                .run(&format!("view m.json --seat {other}"))
                .out
                .contains(deck)
        );
    }
    let swap = |seat: &str| json!({"step": "swap", "seat": seat}).to_string();
    let (a, b) = (swap("A"), swap("B"));
    desk.run(&format!("decide m.json '{a}' '{b}' '{FIRST}' --to m.json"))
        .assert(0, &[]);
    let (file, mine) = (desk.json("m.json"), desk.run("view m.json --seat A").out);
    let deck = file["state"]["seats"]["A"]["zones"]["deck"]
        .as_array()
        .unwrap();
    assert!(
        deck.iter().all(|id| !mine.contains(id.as_str().unwrap())),
        "{mine}"
    );
    // The bottom of a mulligan is named by ids, and these are in sight.
    for id in file["state"]["seats"]["A"]["zones"]["hand"]
        .as_array()
        .unwrap()
    {
        assert!(
            mine.contains(&format!("[{}]", id.as_str().unwrap())),
            "{mine}"
        );
    }
}

/// The number that stands before a card is the slot that a pick names.
#[test]
fn slots_are_counted_the_same_everywhere() {
    let desk = Desk::new();
    desk.run(&format!(
        "new vastrix --option deffy=classic --seed qorvith-blenska-uthmar-x --decide '{FIRST}' --to m.json"
    ))
    .assert(0, &[]);
    let pool = desk.json("m.json")["state"]["shared"]["zones"]["pool"].clone();
    let cards = desk.json("m.json")["cards"].clone();
    let third = pool[3]["card"].as_str().unwrap();
    let name = cards[third].as_str().unwrap();
    let line = format!("3. {name} [{third}]");
    for call in [
        "view m.json --seat A",
        "sheet m.json -o text",
        "show m.json",
    ] {
        let out = desk.run(call).out;
        assert!(out.contains(&line), "{call}: {out}");
        assert!(out.contains("20. (face down)"), "{call}: {out}");
    }
    assert!(desk.run("sheet m.json").out.contains("<ol start=\"0\">"));
    let pick = r#"{"step":"pick","seat":"A","slot":3}"#;
    desk.run(&format!("decide m.json '{pick}' --to m.json"))
        .assert(0, &[]);
    assert_eq!(
        desk.json("m.json")["state"]["seats"]["A"]["zones"]["hand"],
        json!([third])
    );
}

/// VASTRIX 21.5: with four, seats two apart are partners.
#[test]
fn partners_have_one_score() {
    let desk = Desk::new();
    desk.run(&format!(
        "new vastrix --option players=4 --seed qorvith-blenska-uthmar-x --decide '{FIRST}' --to 1.json"
    ))
    .assert(0, &[]);
    let mut told = String::new();
    for (game, won) in [(1, "C"), (2, "B"), (3, "A"), (4, "draw")] {
        let next = desk.run(&format!(
            "next {game}.json --won {won} --seed qorvith-blenska-uthmar-y --to {}.json",
            game + 1
        ));
        next.assert(0, &[]);
        told = next.out;
        let first = r#"{"step":"first-player","by":"random"}"#;
        let next = game + 1;
        desk.run(&format!("decide {next}.json '{first}' --to {next}.json"))
            .assert(0, &[]);
    }
    let score = "Score after 4 games: seats A and C 2, seats B and D 1, drawn 1";
    assert_eq!(told.lines().next(), Some(score));
    assert!(desk.run("show 5.json").out.contains(score));
    // Four at a table that know no partners stand alone.
    let deck = sample("shell/ebb.txt");
    let decks = format!("--deck {deck} ").repeat(4);
    desk.run(&format!(
        "new shell {decks} --seed qorvith-blenska-uthmar-x --to s.json"
    ))
    .assert(0, &[]);
    let each = |json: &dyn Fn(&str) -> Value| -> String {
        ["A", "B", "C", "D"]
            .map(|seat| format!("'{}' ", json(seat)))
            .concat()
    };
    let swaps = each(&|seat| json!({"step": "swap", "seat": seat}));
    let keeps =
        each(&|seat| json!({"step": "mulligan", "seat": seat, "choice": "keep", "bottom": []}));
    desk.run(&format!(
        "decide s.json {swaps} '{FIRST}' {keeps} --to s.json"
    ))
    .assert(0, &[]);
    let alone = desk
        .run("next s.json --won D --seed qorvith-blenska-uthmar-y --to t.json")
        .out;
    assert_eq!(
        alone.lines().next(),
        Some("Score after 1 game: seat A 0, seat B 0, seat C 0, seat D 1, drawn 0")
    );
}
