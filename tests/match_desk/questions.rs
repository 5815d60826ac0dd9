//! What a setup asks, on screens of 80 by 24 and of 60 columns: nothing scrolls away, no name is
//! broken, and nothing is left out without a word.

use crate::calls::{Desk, sample};
use crate::terminal::Terminal;

const SIZES: [(u16, u16); 2] = [(80, 24), (60, 24)];

/// Types something, and reads what is shown then until a prompt stands below it, page by page.
fn typed(table: &mut Terminal, keys: &str, prompt: &str) -> Vec<String> {
    let mut before = table.text();
    table.press(keys);
    let mut pages: Vec<String> = Vec::new();
    loop {
        let shown = before.clone();
        let text = table.until(|text| {
            let end = text.trim_end();
            text != shown && (end.ends_with("Enter goes on") || end.ends_with(prompt))
        });
        let more = text.trim_end().ends_with("Enter goes on");
        pages.push(text.clone());
        match more {
            true => table.press("\r"),
            false => return pages,
        }
        before = text;
    }
}

fn sit_down(desk: &Desk, size: (u16, u16)) -> Terminal {
    Terminal::sized(&desk.path(""), &["match", "play", "m.json"], size)
}

/// Takes the keyboard, and reads what is asked then.
fn taken(table: &mut Terminal, seat: &str) -> Vec<String> {
    table.sees(&format!("Seat {seat}"));
    table.sees("take the keyboard");
    typed(table, "\r", ASKED)
}

const ASKED: &str = "quit leaves)>";

#[test]
fn a_pool_of_54_cards_is_asked_on_one_screen() {
    for size in SIZES {
        let desk = Desk::new();
        desk.run("new vastrix --option deffy=deffy-moment --to m.json")
            .assert(0, &[]);
        let mut table = sit_down(&desk, size);
        let first = table.sees(ASKED);
        assert!(
            first.contains("Who begins?") && first.contains("3. seat B begins"),
            "{first}"
        );
        table.press("2\r");
        let all = taken(&mut table, "A").join("\n");
        assert!(all.contains("Seat A: "), "{all}");
        let file = desk.json("m.json");
        let pool = file["state"]["shared"]["zones"]["pool"].as_array().unwrap();
        assert_eq!(pool.len(), 54);
        for (slot, card) in pool.iter().enumerate() {
            let name = file["cards"][card["card"].as_str().unwrap()]
                .as_str()
                .unwrap();
            let number = format!(" {}. ", slot + 1);
            let told = all.split(&number).skip(1).any(|rest| {
                let rest: String = rest.chars().take(24).collect();
                rest.contains(name)
            });
            assert!(told, "{size:?}: {number}{name}\n{all}");
        }
        table.press("quit\r");
        table.ends_with(0);
    }
}

#[test]
fn what_is_swapped_is_listed_whole() {
    for size in SIZES {
        let (desk, deck) = (Desk::new(), sample("shell/ebb.txt"));
        desk.run(&format!(
            "new shell --deck {deck} --deck {deck} --to m.json"
        ))
        .assert(0, &[]);
        let mut table = sit_down(&desk, size);
        let asked = taken(&mut table, "A");
        assert_eq!(asked.len(), 1, "{asked:?}");
        assert!(asked[0].starts_with("shell · setup"), "{}", asked[0]);
        let all = typed(&mut table, "show\r", ASKED).join("\n");
        assert!(all.contains("Your cards that can be swapped"), "{all}");
        let list = typed(&mut table, "2\r", "none>").join("\n");
        let file = desk.json("m.json");
        let main = file["state"]["seats"]["A"]["zones"]["deck"]
            .as_array()
            .unwrap();
        for number in 0..main.len() {
            assert!(
                list.contains(&format!(" {number}. ")),
                "{size:?}: {number}\n{list}"
            );
        }
        for card in main {
            let name = file["cards"][card.as_str().unwrap()].as_str().unwrap();
            assert!(list.contains(name), "{size:?}: {name} is broken\n{list}");
        }
        // A swap that is not allowed is refused in words that stay.
        let mut told = typed(&mut table, "0\r", ">").join("\n");
        for _ in 0..4 {
            if told.contains("not done") {
                break;
            }
            told = typed(&mut table, "\r", ">").join("\n");
        }
        assert!(
            told.contains("not done") && told.contains("points"),
            "{told}"
        );
        table.press("quit\r");
        table.ends_with(0);
    }
}

/// Every question of every game's plain setup stands on its screen, below the table.
#[test]
fn every_game_is_set_up_on_a_screen() {
    let games = [
        (
            "versus",
            "versus/fast --deck {} --deck {}",
            "versus/low-tide-irregulars.txt",
        ),
        (
            "vainqueur",
            "vainqueur --set opening_hand=5 --deck {} --deck {}",
            "vainqueur/barley-crown.txt",
        ),
        (
            "vanquishers",
            "vanquishers --set starting_energy=5 --deck {} --deck {}",
            "vanquishers/quiet-ledgers.txt",
        ),
        ("shell", "shell --deck {} --deck {}", "shell/ebb.txt"),
        ("vastrix", "vastrix --option battlerealm=true", "vastrix"),
    ];
    for (game, call, deck) in games {
        for size in SIZES {
            let desk = Desk::new();
            let call = call.replace("{}", &sample(deck));
            // By chance alone a throw may be undecided twice, and its screen the same both times.
            let call = format!("{call} --seed qorvith-blenska-uthmar-{game}");
            desk.run(&format!("new {call} --to m.json")).assert(0, &[]);
            let mut table = sit_down(&desk, size);
            let mut secrets = 0;
            let mut before = String::new();
            for _ in 0..60 {
                let shown = before.clone();
                let text = table.until(|text| {
                    let end = text.trim_end();
                    let prompts = [ASKED, "press Enter:", "Enter goes on", "\nA>", "\nB>"];
                    text != shown && prompts.iter().any(|prompt| end.ends_with(prompt))
                });
                if text.contains("press Enter:") || text.contains("Enter goes on") {
                    secrets += usize::from(text.contains("\"nonce\""));
                    let phase = desk.json("m.json")["state"]["phase"].clone();
                    if phase == "ready" {
                        break;
                    }
                    table.press("\r");
                } else if text.contains(ASKED) {
                    let head = text.lines().next().unwrap_or_default();
                    let whole = head.contains(" · setup") || head.contains('?');
                    assert!(whole, "{game} {size:?}: the top scrolled away\n{text}");
                    assert!(text.contains("  1. "), "{text}");
                    table.press("1\r");
                }
                before = text;
            }
            let state = desk.json("m.json")["state"]["phase"].clone();
            assert_eq!(state, "ready", "{game} {size:?}");
            assert_eq!(secrets, if game == "vastrix" { 2 } else { 0 });
            table.press("\r");
            table.until(|text| text.trim_end().ends_with('>'));
            table.press("quit\r");
            table.ends_with(0);
        }
    }
}
