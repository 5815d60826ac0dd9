//! The table on a screen: it fits, words are completed, and messages take a line.

use crate::calls::{Desk, FIRST, sample};
use crate::terminal::Terminal;

#[test]
fn the_table_stands_on_one_screen_with_its_messages_below() {
    let desk = Desk::new();
    let decks = [
        sample("versus/steam-rises.txt"),
        sample("versus/hedge-and-harrow.txt"),
    ];
    desk.run(&format!(
        "new versus/normal --deck {} --deck {} --player Ann --player Bob --decide '{FIRST}' --to m.json",
        decks[0], decks[1]
    ))
    .assert(0, &[]);
    let mut table = Terminal::new(&desk.path(""), &["match", "play", "m.json"]);
    table.sees("Seat A, take the keyboard");
    table.press("\r");
    let text = table.sees("A> ");
    // The head is the first line: nothing scrolled away.
    assert!(
        text.starts_with("versus/normal · turn 1 · seat A to act"),
        "{text}"
    );
    for told in [
        "B Bob · deck 25",
        "A Ann (you) · deck 25",
        "hand 5: 0 ",
        "Tab completes",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    // Words are completed, a letter does for them, and a square for a slot.
    table.press("mov\th\t0 gri\tc3\r");
    let text = table.sees("hand 4: ");
    assert!(
        text.lines()
            .any(|line| line.starts_with("3 ") && line.contains("|A ")),
        "{text}"
    );
    table.press("m h 0 grid e5\r");
    let text = table.sees("note: e5 touches none of A's cards");
    assert!(text.starts_with("versus/normal"), "{text}");
    table.press("sing\r");
    let text = table.sees("not done: `sing` is not understood; `help` lists the moves");
    assert!(
        text.starts_with("versus/normal") && !text.contains("touches none"),
        "{text}"
    );
    table.press("text grid c3\r");
    table.sees("type: ");
    table.press("\rz hand\r");
    table.sees("drawn up to 5 each turn");
    // What is typed where Enter would do is not lost.
    table.press("p\r");
    let handed = table.sees("Seat B, take the keyboard");
    assert!(!handed.contains("hand"), "what A saw is gone: {handed}");
    table.press("\r");
    // Seat B sees the grid from its own side, and what happened is told when A is back.
    let text = table.sees("B> ");
    let rows: Vec<&str> = text.lines().filter(|line| line.contains('|')).collect();
    assert!(rows[0].starts_with("1 "), "{text}");
    table.press("m h 0 grid c5\rp\r");
    table.sees("Seat A, take the keyboard");
    table.press("\r");
    let text = table.sees("A> ");
    assert!(
        text.starts_with("Since your last turn:\nB: a card of hand to grid c5: "),
        "{text}"
    );
    table.press("quit\r");
    table.sees("the last hash is");
    table.ends_with(0);
    desk.run("verify m.play.json").assert(0, &[]);
}

#[test]
fn a_game_alone_has_the_same_screen() {
    let desk = Desk::new();
    let deck = sample("shell/ebb.txt");
    let mut table = Terminal::new(&desk.path(""), &["match", "goldfish", &deck]);
    table.sees("answer (a number");
    table.press("keep\r");
    let text = table.sees("turn 0> ");
    assert!(text.starts_with("shell · turn 1"), "{text}");
    table.press("ne\t\r");
    table.sees("turn 1> ");
    table.press("help\r");
    table.sees("Enter goes on");
    table.press("next\r");
    table.sees("turn 2> ");
    table.press("quit\r");
    table.ends_with(0);
}
