//! One whole game of each, typed by its players in a pseudo-terminal.

use crate::calls::{Desk, sample};
use crate::script::{self, Game, SEED, Table, Told};
use crate::terminal::Terminal;
use serde_json::Value;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// A keyboard that is handed over from seat to seat.
struct Keyboard {
    desk: Desk,
    table: Terminal,
}

impl Keyboard {
    /// Makes the match, and sits down at it.
    fn at(game: &Game) -> Keyboard {
        let mut call = format!("new {} --seed {SEED}", game.format);
        for deck in game.decks {
            call.push_str(&format!(" --deck {}", sample(deck)));
        }
        for (name, value) in game.set {
            call.push_str(&format!(" --set {name}={value}"));
        }
        for (name, value) in game.options {
            call.push_str(&format!(" --option {name}={value}"));
        }
        for decision in game.decisions {
            call.push_str(&format!(" --decide '{decision}'"));
        }
        let desk = Desk::new();
        desk.run(&format!("{call} --to m.json")).assert(0, &[]);
        let mut table = Terminal::new(&desk.path(""), &["match", "play", "m.json"]);
        table.sees("take the keyboard");
        table.press("\r");
        Keyboard { desk, table }
    }

    fn moves(&self) -> usize {
        match std::fs::read_to_string(self.desk.path("m.play.json")) {
            Ok(text) => text.matches("\"hash\"").count(),
            Err(_) => 0,
        }
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

    fn ends(mut self) {
        self.table.press("quit\r");
        self.table.sees("the last hash is");
        let Keyboard { desk, table } = self;
        table.ends_with(0);
        desk.run("verify m.play.json").assert(0, &[]);
    }
}

impl Table for Keyboard {
    async fn does(&mut self, _: &str, line: &str) -> Told {
        let before = self.moves();
        self.table.press(&format!("{line}\r"));
        let begun = Instant::now();
        while self.moves() == before {
            if begun.elapsed() > Duration::from_secs(30) {
                return Err(format!("{line}: {}", self.table.text()));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    async fn pass(&mut self, seat: &str) -> Told {
        self.does(seat, "pass").await?;
        self.table.sees("take the keyboard");
        self.table.press("\r");
        Ok(())
    }

    async fn names(&mut self, seat: &str, zone: &str) -> Result<Vec<String>, String> {
        let view = self.view(seat);
        let cards = view["seats"][seat]["zones"][zone]["cards"]
            .as_array()
            .ok_or(zone)?;
        let ids = cards
            .iter()
            .map(|card| card["card"].as_str().or(card.as_str()).unwrap());
        Ok(ids
            .map(|id| view["cards"][id].as_str().unwrap().to_owned())
            .collect())
    }

    async fn count(&mut self, seat: &str, zone: &str) -> Result<i64, String> {
        let view = self.view("public");
        let count = view["seats"][seat]["zones"][zone]["count"].as_i64();
        count.ok_or_else(|| zone.to_owned())
    }

    async fn counter(&mut self, seat: &str, name: &str) -> Result<i64, String> {
        let view = self.view(seat);
        let value = view["seats"][seat]["counters"][name].as_i64();
        value.ok_or_else(|| name.to_owned())
    }

    async fn sum(&mut self, seat: &str, zone: &str) -> Result<i64, String> {
        self.table.press("points\r");
        let line = format!("{seat}.{zone}: ");
        let text = self
            .table
            .until(|text| text.contains(&line) && text.contains("Enter goes on"));
        self.table.press("\r");
        let sum = text
            .split(&line)
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        sum.and_then(|sum| sum.parse().ok()).ok_or(text)
    }

    async fn on(&mut self, square: &str) -> Result<Option<String>, String> {
        let view = self.view("public");
        let lying = view["shared"]["zones"]["grid"]["lying"].as_array();
        let mut lying = lying.into_iter().flatten();
        let there = lying.find(|it| it["at"] == square);
        Ok(there.and_then(|it| it["owner"].as_str()).map(str::to_owned))
    }

    async fn remark(&mut self, seat: &str) -> Result<String, String> {
        Ok(self.table.sees(&format!("{seat}> ")))
    }

    async fn active(&mut self) -> Result<String, String> {
        let view = self.view("public");
        let first = view["first"].as_str().ok_or("nobody begins")?;
        Ok(first.to_owned())
    }
}

/// Plays a game to its end at a keyboard.
fn played(game: &Game, play: impl AsyncFnOnce(&mut Keyboard) -> Result<String, String>) {
    let mut table = Keyboard::at(game);
    let told = {
        let play = pin!(play(&mut table));
        // A keyboard waits by itself, so that nothing is ever left pending.
        play.poll(&mut Context::from_waker(Waker::noop()))
    };
    if let Poll::Pending | Poll::Ready(Err(_)) = told {
        panic!("{}: {told:?}\n{}", game.format, table.table.text());
    }
    table.ends();
}

#[test]
fn vastrix_with_two_three_and_four() {
    for (game, players) in script::VASTRIX.iter().zip(2..) {
        let seats = &["A", "B", "C", "D"][..players];
        let cards = game.cards();
        played(game, async |table| {
            script::vastrix(table, &cards, seats).await
        });
    }
}

#[test]
fn versus_to_the_other_home_base() {
    let cards = script::VERSUS.cards();
    played(&script::VERSUS, async |table| {
        script::versus(table, &cards).await
    });
}

#[test]
fn vainqueur_to_no_life() {
    let cards = script::VAINQUEUR.cards();
    played(&script::VAINQUEUR, async |table| {
        script::vainqueur(table, &cards).await
    });
}

#[test]
fn vanquishers_to_no_life_points() {
    let cards = script::VANQUISHERS.cards();
    played(&script::VANQUISHERS, async |table| {
        script::vanquishers(table, &cards).await
    });
}

#[test]
fn shell_to_no_shells() {
    let cards = script::SHELL.cards();
    played(&script::SHELL, async |table| {
        script::shell(table, &cards).await
    });
}
