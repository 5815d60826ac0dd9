//! Acts as people act, and the log that each seat sees as far as it may.

use crate::calls::{Desk, sample};
use serde_json::{Value, json};

/// The names of the cards in a seat's zone, in order.
fn names(file: &Value, seat: &str, zone: &str) -> Vec<String> {
    let slots = file["state"]["seats"][seat]["zones"][zone].as_array();
    let ids = slots.unwrap().iter().map(|slot| slot.as_str().unwrap());
    ids.map(|id| file["cards"][id].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_is_given_taken_and_shown_is_told_to_those_who_saw_it() {
    let desk = Desk::new();
    desk.ready("m.json");
    let start = desk.json("m.json");
    let (a, b) = (names(&start, "A", "hand"), names(&start, "B", "hand"));
    let typed = "draw\nreveal hand 0\nreveal hand 1 B\ngive hand 2 B.hand\nlook hand 0\n\
                 random B.hand hand\nyes\nmove hand 0 point_row\nroll\ncount goal -2\nquit\n";
    let played = desk.call("match play m.json", typed);
    played.assert(0, &[]);
    assert!(played.error.is_empty(), "{}", played.error);
    let log = |seat: &str| desk.run(&format!("log m.play.json --seat {seat}")).out;
    let lines = |seat: &str| -> Vec<String> { log(seat).lines().map(str::to_owned).collect() };
    let (for_a, for_b, public) = (lines("A"), lines("B"), lines("public"));
    assert_eq!(for_a.len(), 9);
    // The draw: A knows the card, nobody else.
    assert!(for_a[0].contains("1 card from draw_pile to hand: "));
    assert!(for_b[0].ends_with("to hand") && public[0].ends_with("to hand"));
    // Shown to all, and to B alone.
    for told in [&for_a, &for_b, &public] {
        assert!(
            told[1].ends_with(&format!("shown to all: {}", a[0])),
            "{told:?}"
        );
    }
    assert!(for_b[2].ends_with(&format!("shown to B: {}", a[1])));
    assert!(public[2].ends_with("shown to B"));
    // Given: who gave and who got it know the card.
    assert!(for_a[3].ends_with(&a[2]) && for_b[3].ends_with(&a[2]));
    assert!(public[3].ends_with("given to B.hand"));
    // Looked at: nobody else is told.
    assert!(for_a[4].ends_with(&a[0]) && public[4].ends_with("looked at"));
    assert!(for_b[4].ends_with("looked at"));
    // Taken by chance: whose it was and who has it know which.
    let taken = for_a[5].rsplit(": ").next().unwrap();
    assert!(
        b.iter().chain(&a[2..3]).any(|name| name == taken),
        "{taken}"
    );
    assert_eq!(for_a[5], for_b[5]);
    assert!(public[5].ends_with("by chance to hand"));
    // What everybody sees, everybody is told; where in hand it lay is for who holds it.
    assert_eq!(for_a[6].replace("hand 0", "a card of hand"), public[6]);
    assert_eq!(for_a[7..], public[7..]);
    assert!(public[6].ends_with(&a[0]) && public[6].contains("A: a card of hand to point_row 0"));
    assert!(public[8].ends_with("goal of A -2, now 19"));
    desk.run("verify m.play.json").assert(0, &[]);
    let json = desk.run("log m.play.json -o json").out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["lines"].as_array().unwrap().len(), 9);
    desk.run("log m.json").assert(1, &["nothing has happened"]);
    desk.run("log m.play.json --seat D")
        .assert(2, &["nobody sits"]);
}

#[test]
fn hidden_cards_are_looked_at_with_leave_only() {
    let desk = Desk::new();
    desk.ready("m.json");
    let start = desk.json("m.json");
    let pile = start["state"]["shared"]["zones"]["draw_pile"][0]
        .as_str()
        .unwrap();
    let top = start["cards"][pile].as_str().unwrap();
    // Leave is asked of the owner, of all others for what lies in the middle, and not of oneself.
    let typed = "look B.hand\nno\nlook draw_pile 0\nno\nlook draw_pile 0\nyes\nlook hand\nquit\n";
    let played = desk.call("match play m.json", typed);
    let asked = played.out.matches("Does seat B give leave?").count();
    assert_eq!(asked, 3, "{}", played.out);
    assert!(
        played
            .out
            .contains(&format!("draw_pile 0 looked at: {top}"))
    );
    let file = desk.json("m.play.json");
    assert_eq!(file["moves"].as_array().unwrap().len(), 2);
    assert_eq!(file["moves"][0]["move"]["leave"], json!(["B"]));
    assert_eq!(file["moves"][1]["move"].get("leave"), None);
    // A transcript in which nobody gave leave is refused, whatever its digests say.
    let look =
        json!({"do": "look", "by": "A", "zone": "B.hand", "slot": 0, "count": 1, "to": ["A"]});
    for done in [
        look.clone(),
        json!({"do": "random", "by": "A", "from": "B.hand", "to": "hand"}),
        json!({"do": "look", "by": "A", "zone": "swap_bar", "slot": 0, "count": 3, "to": ["A"], "leave": ["A"]}),
    ] {
        desk.write("evil", crate::play::play_file(&start, &[done]).to_string());
        desk.run("verify evil")
            .assert(1, &["takes the leave of seat B"]);
    }
    let mut far = look;
    far["leave"] = json!(["B"]);
    far["count"] = json!(99);
    desk.write("evil", crate::play::play_file(&start, &[far]).to_string());
    desk.run("verify evil").assert(1, &["no such cards"]);
}

/// A search: all of a pile is shown to who looks, the card that is wanted is taken, and after a
/// shuffle nobody can follow where the others lie.
#[test]
fn a_whole_pile_is_looked_through_and_a_card_is_taken() {
    let desk = Desk::new();
    desk.ready("m.json");
    let start = desk.json("m.json");
    let pile = start["state"]["shared"]["zones"]["draw_pile"].as_array();
    let pile: Vec<&str> = (pile.unwrap().iter())
        .map(|id| start["cards"][id.as_str().unwrap()].as_str().unwrap())
        .collect();
    let typed = "look draw_pile\nyes\nmove draw_pile 7 hand\nshuffle draw_pile\nquit\n";
    let played = desk.call("match play m.json", typed);
    played.assert(0, &[]);
    assert!(played.error.is_empty(), "{}", played.error);
    let log = |seat: &str| -> Vec<String> {
        let told = desk.run(&format!("log m.play.json --seat {seat}")).out;
        told.lines().map(str::to_owned).collect()
    };
    let (for_a, for_b) = (log("A"), log("B"));
    assert_eq!((for_a.len(), for_b.len()), (3, 3));
    // A was shown every card, in its order.
    let shown = for_a[0].split_once("looked at: ").unwrap().1;
    assert_eq!(shown, pile.join(", "));
    assert!(for_a[1].ends_with(pile[7]), "{}", for_a[1]);
    // B knows that it was done, and of no card which it was.
    for line in &for_b {
        assert!(pile.iter().all(|name| !line.contains(name)), "{line}");
    }
    let view = desk.run("view m.play.json --seat B -o json").out;
    let view: Value = serde_json::from_str(&view).unwrap();
    assert_eq!(view["seats"]["A"]["zones"]["hand"]["count"], 6);
    desk.run("verify m.play.json").assert(0, &[]);
}

#[test]
fn others_act_out_of_turn_and_are_told_of_when_one_comes_back() {
    let desk = Desk::new();
    desk.ready("m.json");
    let typed =
        "B: count goal -1\nno\nB: count goal -1\nyes\npass\nmove hand 0 point_row\npass\nquit\n";
    let played = desk.call("match play m.json", typed);
    assert_eq!(
        played
            .out
            .matches("Do the others agree that seat B acts now?")
            .count(),
        2
    );
    let file = desk.json("m.play.json");
    assert_eq!(file["moves"].as_array().unwrap().len(), 4);
    assert_eq!(file["moves"][0]["move"]["by"], "B");
    let back = played.out.split("Since your last turn:\n").nth(1).unwrap();
    assert!(
        back.starts_with("  B: a card of hand to point_row 0: "),
        "{back}"
    );
    assert!(!back.contains("goal of B"), "{back}");
}

#[test]
fn played_files_are_viewed_printed_and_carried_over() {
    let desk = Desk::new();
    let deck = sample("shell/ebb.txt");
    desk.run("new vastrix --decide '{\"step\":\"first-player\",\"by\":\"choice\",\"seat\":\"A\"}' --to m.json")
        .assert(0, &[]);
    desk.call("match play m.json", "move hand 0 point_row\nquit\n")
        .assert(0, &[]);
    let view = desk.run("view m.play.json --public -o json");
    let view: Value = serde_json::from_str(&view.out).unwrap();
    assert_eq!(view["seats"]["A"]["zones"]["point_row"]["count"], 1);
    assert_eq!(view["seats"]["A"]["zones"]["hand"]["count"], 4);
    for call in ["show m.play.json", "sheet m.play.json -o text"] {
        let told = desk.run(call);
        told.assert(0, &[]);
        assert!(
            told.out.contains("point row (1 card)"),
            "{call}: {}",
            told.out
        );
    }
    desk.run("export m.play.json --tabletop-simulator t.json")
        .assert(0, &[]);
    assert!(desk.read("t.json").contains("point_row"));
    // Nobody guesses at an empty text.
    for call in [
        "new vastrix --seed ''".to_owned(),
        "new vastrix --seed ' '".to_owned(),
        format!("goldfish {deck} --seed ''"),
    ] {
        desk.run(&call).assert(2, &["--seed is empty"]);
    }
}
