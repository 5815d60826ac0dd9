//! One whole game of each, typed by its players in a pseudo-terminal and ended as the texts end
//! them. The table judges nothing: what the rules ask, the players here do.

use crate::calls::{Desk, FIRST, sample};
use crate::terminal::Terminal;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

struct Game {
    desk: Desk,
    table: Terminal,
    cards: BTreeMap<String, BTreeMap<String, String>>,
}

impl Game {
    /// A match that seat A begins.
    fn new(game: &str, call: &str) -> Game {
        // The same hands on every run, so that what a script needs is there.
        Game::set_up(game, &format!("{call} --seed whole --decide '{FIRST}'"))
    }

    /// Makes a match with this call, and sits down at it.
    fn set_up(game: &str, call: &str) -> Game {
        let desk = Desk::new();
        desk.run(&format!("new {call} --to m.json")).assert(0, &[]);
        let file = format!("{}/formats/{game}/cards.csv", env!("CARGO_MANIFEST_DIR"));
        let mut rows = csv::Reader::from_path(file).unwrap();
        let head = rows.headers().unwrap().clone();
        let cards = rows.records().map(|row| {
            let row = row.unwrap();
            let fields = head
                .iter()
                .zip(&row)
                .map(|(key, value)| (key.to_owned(), value.to_owned()));
            (row[0].to_owned(), fields.collect())
        });
        let mut table = Terminal::new(&desk.path(""), &["match", "play", "m.json"]);
        table.sees("take the keyboard");
        table.press("\r");
        Game {
            cards: cards.collect(),
            desk,
            table,
        }
    }

    fn moves(&self) -> usize {
        match std::fs::read_to_string(self.desk.path("m.play.json")) {
            Ok(text) => text.matches("\"hash\"").count(),
            Err(_) => 0,
        }
    }

    /// Types a move and waits until it is kept.
    #[track_caller]
    fn does(&mut self, line: &str) {
        let before = self.moves();
        self.table.press(&format!("{line}\r"));
        let begun = Instant::now();
        while self.moves() == before {
            assert!(
                begun.elapsed() < Duration::from_secs(30),
                "{line}: {}",
                self.table.text()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn pass(&mut self) {
        self.does("pass");
        self.table.sees("take the keyboard");
        self.table.press("\r");
    }

    /// What a seat sees, as its player would look.
    fn view(&self, seat: &str) -> Value {
        let file = match self.moves() {
            0 => "m.json",
            _ => "m.play.json",
        };
        let told = self.desk.run(&format!("view {file} --seat {seat} -o json"));
        serde_json::from_str(&told.out).unwrap()
    }

    /// The cards of a seat's own zone, by their names.
    fn names(&self, seat: &str, zone: &str) -> Vec<String> {
        let view = self.view(seat);
        let cards = view["seats"][seat]["zones"][zone]["cards"]
            .as_array()
            .unwrap();
        let ids = cards
            .iter()
            .map(|card| card["card"].as_str().or(card.as_str()).unwrap());
        ids.map(|id| view["cards"][id].as_str().unwrap().to_owned())
            .collect()
    }

    fn counter(&self, seat: &str, name: &str) -> i64 {
        self.view(seat)["seats"][seat]["counters"][name]
            .as_i64()
            .unwrap()
    }

    /// Where in hand a card lies that is wanted.
    fn held(
        &self,
        seat: &str,
        wanted: impl Fn(&BTreeMap<String, String>) -> bool,
    ) -> Option<(usize, String)> {
        let names = self.names(seat, "hand");
        let mut found = names.into_iter().enumerate();
        found.find(|(_, name)| wanted(&self.cards[name]))
    }

    fn number(&self, name: &str, field: &str) -> i64 {
        let value = &self.cards[name][field];
        let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    }

    fn ends(mut self) {
        self.table.press("quit\r");
        self.table.sees("the last hash is");
        let Game { desk, table, .. } = self;
        table.ends_with(0);
        desk.run("verify m.play.json").assert(0, &[]);
    }
}

/// 3.3: who has 21 secured points at the end of a full turn wins; with four, so does the team.
#[test]
fn vastrix_with_two_three_and_four() {
    for players in [2, 3, 4] {
        let mut game = Game::new("vastrix", &format!("vastrix --option players={players}"));
        let seats = &["A", "B", "C", "D"][..players];
        let winner = 'game: loop {
            for seat in seats {
                match game.names(seat, "hand").is_empty() {
                    true => game.does("draw 2"),
                    false => game.does("m h 0 point_row"),
                }
                game.table.press("points\r");
                let line = format!("{seat}.point_row: ");
                let text = game
                    .table
                    .until(|text| text.contains(&line) && text.contains("Enter goes on"));
                game.table.press("\r");
                let points = text.split(&line).nth(1).unwrap();
                let points: i64 = points.split(' ').next().unwrap().parse().unwrap();
                // What the table adds up is what the cards say.
                let row = game.names(seat, "point_row");
                assert_eq!(
                    points,
                    row.iter()
                        .map(|name| game.number(name, "points"))
                        .sum::<i64>()
                );
                if points >= game.counter(seat, "goal") {
                    break 'game *seat;
                }
                game.pass();
            }
        };
        assert!(seats.contains(&winner));
        game.ends();
    }
}

/// The first to have a character on the other's home base, undefeated, wins.
#[test]
fn versus_to_the_other_home_base() {
    let deck = sample("versus/low-tide-irregulars.txt");
    let mut game = Game::new(
        "versus",
        &format!("versus/fast --deck {deck} --deck {deck}"),
    );
    let ways = [["a1", "a2", "a3", "a4"], ["d4", "d3", "d2", "c2"]];
    for turn in 0..4 {
        for (seat, way) in ["A", "B"].iter().zip(&ways) {
            if turn > 0 {
                game.does("draw");
            }
            let (slot, _) = game.held(seat, |card| card["type"] == "character").unwrap();
            let face = if turn == 0 { "down" } else { "up" };
            game.does(&format!("m h {slot} grid {} {face}", way[turn]));
            if turn == 3 {
                break;
            }
            game.pass();
        }
    }
    let view = game.view("public");
    let lying = view["shared"]["zones"]["grid"]["lying"].as_array().unwrap();
    let on = |square: &str| {
        lying
            .iter()
            .find(|it| it["at"] == square)
            .map(|it| it["owner"].clone())
    };
    assert_eq!(on("a4"), Some("A".into()));
    assert_eq!(on("b4"), None, "nobody stands beside it");
    let text = game.table.sees("A> ");
    assert!(!text.contains("touches none"), "{text}");
    game.ends();
}

/// Each player has 250 Life; who brings the other's to 0 wins.
#[test]
fn vainqueur_to_no_life() {
    let deck = sample("vainqueur/barley-crown.txt");
    let call = format!("vainqueur --deck {deck} --deck {deck} --set opening_hand=5");
    let mut game = Game::new("vainqueur", &call);
    'game: loop {
        game.does("draw");
        for _ in 0..2 {
            let alpha = game.held("A", |card| {
                card["type"] == "monster" && card["rank"] == "alpha"
            });
            if let Some((slot, _)) = alpha.filter(|_| game.names("A", "monster_field").len() < 6) {
                game.does(&format!("m h {slot} monster_field"));
            }
        }
        for monster in game.names("A", "monster_field") {
            let strength = game.number(&monster, "str");
            game.does(&format!("count B life -{strength}"));
            if game.counter("B", "life") <= 0 {
                break 'game;
            }
        }
        game.pass();
        game.does("draw");
        game.pass();
    }
    game.ends();
}

/// A Hero without Life Points has lost: here by cards that strike, and shields that break first.
#[test]
fn vanquishers_to_no_life_points() {
    let decks =
        ["harbour-battery", "quiet-ledgers"].map(|deck| sample(&format!("vanquishers/{deck}.txt")));
    let call = format!(
        "vanquishers --deck {} --deck {} --set starting_energy=5",
        decks[0], decks[1]
    );
    let call =
        call + " --decide '{\"step\":\"roll\",\"by\":\"given\",\"values\":{\"A\":6,\"B\":1}}'";
    let mut game = Game::set_up("vanquishers", &call);
    for _ in 0..200 {
        for (seat, other) in [("A", "B"), ("B", "A")] {
            let deck = game.view(seat)["seats"][seat]["zones"]["deck"]["count"]
                .as_i64()
                .unwrap();
            match deck {
                // One Life Point is lost for each card that cannot be drawn.
                0 => game.does("count life -1"),
                _ => game.does("draw"),
            }
            // One card is exiled for a point of energy, and no more than eight are kept.
            if !game.names(seat, "hand").is_empty() {
                game.does("m h 0 exile");
                game.does("count storage_energy +1");
            }
            let energy = game.counter(seat, "storage_energy");
            let strike = game.held(seat, |card| {
                let cost: i64 = card["cost"].parse().unwrap_or(99);
                cost <= energy && card["damage"].starts_with(|first: char| first.is_ascii_digit())
            });
            if let Some((slot, name)) = strike {
                game.does(&format!("m h {slot} discard"));
                let mut damage = game.number(&name, "damage").max(1);
                let shield = game.counter(other, "shield").min(damage);
                if shield > 0 {
                    game.does(&format!("count {other} shield -{shield}"));
                    damage -= shield;
                }
                if damage > 0 {
                    game.does(&format!("count {other} life -{damage}"));
                }
            }
            if ["A", "B"]
                .iter()
                .any(|seat| game.counter(seat, "life") <= 0)
            {
                return game.ends();
            }
            game.pass();
        }
    }
    panic!("no end: {}", game.table.text());
}

/// A player without Shells loses to any Stored Damage.
#[test]
fn shell_to_no_shells() {
    let deck = sample("shell/ash-and-acorn.txt");
    let other = sample("shell/nineteen-trees.txt");
    let keep = |seat: &str| {
        format!(
            "--decide '{{\"step\":\"mulligan\",\"seat\":\"{seat}\",\"choice\":\"keep\",\"bottom\":[]}}'"
        )
    };
    let call = format!("shell --deck {deck} --deck {other}");
    let mut game = Game::set_up(
        "shell",
        &format!(
            "{call} --decide '{{\"step\":\"swap\",\"seat\":\"A\"}}' --decide '{FIRST}' {} {}",
            keep("A"),
            keep("B")
        ),
    );
    for shell in ["shell_red", "shell_green", "shell_blue"] {
        // A casts a Spell whose effect stores damage, B one into its outermost Shell.
        game.does("m h 0 shell_green bottom");
        game.does("count stored_damage +9");
        game.pass();
        game.does(&format!("m h 0 {shell} bottom"));
        game.pass();
        // Damage is distributed: each Spell there is destroyed for its mana, then the Shell.
        let view = game.view("A");
        let zone = &view["seats"]["B"]["zones"][shell]["cards"];
        let spell = view["cards"][zone[1].as_str().unwrap()]
            .as_str()
            .unwrap()
            .to_owned();
        let mana = game.number(&spell, "mana");
        assert!(mana <= game.counter("A", "stored_damage"), "{spell}");
        game.does(&format!("m B.{shell} 1 B.remnant"));
        game.does(&format!("m B.{shell} 0 B.remnant"));
        game.does(&format!(
            "count stored_damage -{}",
            game.counter("A", "stored_damage")
        ));
        game.does("draw");
    }
    game.does("count stored_damage +1");
    let view = game.view("public");
    for shell in ["shell_red", "shell_green", "shell_blue"] {
        assert_eq!(view["seats"]["B"]["zones"][shell]["count"], 0);
    }
    assert!(game.counter("A", "stored_damage") > 0);
    game.ends();
}
