//! One whole game of each, typed by its players line by line.

use crate::calls::{Desk, sample};
use crate::script::{self, Game, SEED, Table, Told};
use serde_json::Value;
use std::io::{Read, Write};
use std::pin::pin;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// How long an answer may take on a machine that is busy; nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A keyboard at which all seats type.
struct Keyboard {
    desk: Desk,
    child: Child,
    keys: ChildStdin,
    /// All that was printed so far.
    text: Arc<Mutex<String>>,
    /// How much of it stood there before the last line was typed.
    before: usize,
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
        let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args(["match", "play", "m.json"])
            .current_dir(desk.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (keys, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let text = Arc::new(Mutex::new(String::new()));
        let printed = Arc::clone(&text);
        std::thread::spawn(move || {
            let (mut bytes, mut all) = ([0; 4096], Vec::new());
            while let Ok(read @ 1..) = out.read(&mut bytes) {
                all.extend_from_slice(&bytes[..read]);
                *printed.lock().unwrap() = String::from_utf8_lossy(&all).into_owned();
            }
        });
        Keyboard {
            desk,
            child,
            keys,
            text,
            before: 0,
        }
    }

    fn press(&mut self, line: &str) {
        self.before = self.text.lock().unwrap().len();
        writeln!(self.keys, "{line}").unwrap();
    }

    /// What was printed since the last line was typed.
    fn said(&self) -> String {
        self.text.lock().unwrap()[self.before..].to_owned()
    }

    /// The same once it has a text in it.
    fn sees(&self, text: &str) -> String {
        let begun = Instant::now();
        loop {
            let said = self.said();
            if said.contains(text) {
                return said;
            }
            assert!(begun.elapsed() < PATIENCE, "{text}: {said}");
            std::thread::sleep(Duration::from_millis(2));
        }
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
        self.press("quit");
        self.sees("the last hash is");
        assert!(self.child.wait().unwrap().success());
        self.desk.run("verify m.play.json").assert(0, &[]);
    }
}

impl Table for Keyboard {
    async fn does(&mut self, _: &str, line: &str) -> Told {
        let before = self.moves();
        self.press(line);
        let begun = Instant::now();
        while self.moves() == before {
            if begun.elapsed() > PATIENCE {
                return Err(format!("{line}: {}", self.said()));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    async fn pass(&mut self, seat: &str) -> Told {
        self.does(seat, "pass").await
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
        self.press("points");
        let line = format!("{seat}.{zone}: ");
        let text = self.sees(&line);
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
        Ok(self.sees(&format!("{seat}> ")))
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
        panic!("{}: {told:?}\n{}", game.format, table.said());
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
