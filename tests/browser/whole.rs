//! One whole game of each in two browsers, by a script: every
//! player from the link of their seat, by click, drag and key, until all say that it is over.

use super::driver::{Browser, Server, Stage, Told, within};
use super::script::{self, Game};
use fantoccini::wd::WindowHandle;
use serde_json::json;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A game, and how it is played.
#[derive(Clone, Copy)]
pub(crate) enum Played {
    Vastrix(usize),
    Versus,
    Vainqueur,
    Vanquishers,
    Shell,
}

impl Played {
    /// How wide the windows of both browsers are: somebody sits at a phone in each game, and in
    /// some everybody does.
    fn widths(self) -> [u32; 2] {
        match self {
            Played::Vastrix(_) | Played::Vanquishers => [1280, 390],
            Played::Versus | Played::Vainqueur | Played::Shell => [390, 390],
        }
    }
}

/// Every game by the name of its test, the longest first.
pub(crate) const ALL: [(&str, Played); 7] = [
    ("a_game_of_vanquishers", Played::Vanquishers),
    ("a_game_of_vastrix_with_two", Played::Vastrix(2)),
    ("a_game_of_vastrix_with_three", Played::Vastrix(3)),
    ("a_game_of_vastrix_with_four", Played::Vastrix(4)),
    ("a_game_of_versus", Played::Versus),
    ("a_game_of_vainqueur", Played::Vainqueur),
    ("a_game_of_shell", Played::Shell),
];

/// How long a table may take to show what was done.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a player answers before the game, where there is a choice.
const ANSWERS: [&str; 4] = [
    "seat A begins",
    "keep this hand",
    "swap nothing",
    "chance throws",
];

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Plays a game in two browsers; a third player and a fourth have windows of their own there.
pub(crate) fn run(browsers: [Browser; 2], played: Played) -> Told {
    let game = match played {
        Played::Vastrix(players) => &script::VASTRIX[players - 2],
        Played::Versus => &script::VERSUS,
        Played::Vainqueur => &script::VAINQUEUR,
        Played::Vanquishers => &script::VANQUISHERS,
        Played::Shell => &script::SHELL,
    };
    let folder = tempfile::tempdir().map_err(text)?;
    let server = Server::start(folder.path())?;
    within(20, async {
        let [one, other] = browsers;
        let one = Stage::open(one, &folder.path().join("one"), &server).await?;
        let other = Stage::open(other, &folder.path().join("other"), &server).await?;
        let mut room = Room {
            stages: [one, other],
            seats: Vec::new(),
            server,
            rev: 0,
            done: 0,
        };
        let mut told = room.play(played, game).await;
        if let Err(why) = told {
            let [one, other] = &room.stages;
            told = Err(other.with_page(one.with_page(why).await).await);
        }
        for stage in room.stages {
            stage.close().await;
        }
        told
    })
}

/// Somebody's seat: its letter, and the window of a browser that shows it.
struct Chair {
    letter: String,
    stage: usize,
    window: WindowHandle,
}

/// Everybody at the table.
pub(crate) struct Room {
    stages: [Stage; 2],
    seats: Vec<Chair>,
    server: Server,
    /// The number of the state that every page must show by now.
    rev: i64,
    /// Moves that were made by hand so far.
    done: usize,
}

impl Room {
    async fn play(&mut self, played: Played, game: &Game) -> Told {
        self.sit_down(game, played.widths()).await?;
        self.set_up().await?;
        let cards = game.cards();
        let end = match played {
            Played::Vastrix(players) => {
                let seats = &["A", "B", "C", "D"][..players];
                script::vastrix(self, &cards, seats).await?
            }
            Played::Versus => script::versus(self, &cards).await?,
            Played::Vainqueur => script::vainqueur(self, &cards).await?,
            Played::Vanquishers => script::vanquishers(self, &cards).await?,
            Played::Shell => script::shell(self, &cards).await?,
        };
        self.folded().await?;
        self.over(&end).await
    }

    /// A pile in sight of many cards shows those on top, and all of them where that is asked for.
    async fn folded(&mut self) -> Told {
        let stage = self.at("A").await?;
        let long = "return String([...document.querySelectorAll('.zone:not(.own-hand) > [data-strip]')].filter((strip) => strip.children.length > 12).length)";
        if stage.reads_number(long).await? > 0 {
            return Err("a long pile is not folded".to_owned());
        }
        let piles = "return [...document.querySelectorAll('[data-key^=\"open \"]')].map((one) => one.dataset.key.slice(5))";
        let piles = stage.script(piles, vec![]).await?;
        for pile in piles.as_array().into_iter().flatten() {
            let pile = pile.as_str().ok_or("no name")?;
            let many = format!("document.querySelectorAll('[data-strip=\"{pile}\"] .card').length");
            let few = stage
                .reads_number(&format!("return String({many})"))
                .await?;
            stage.click(&format!("[data-key='open {pile}']")).await?;
            stage
                .until("all cards of a pile", &format!("{many} > {few}"))
                .await?;
            stage.click(&format!("[data-key='open {pile}']")).await?;
        }
        Ok(())
    }

    /// Each keeps a deck in a browser of their own; the first opens a table for theirs, and the
    /// others come by the links that its page shows, and bring theirs.
    async fn sit_down(&mut self, game: &Game, widths: [u32; 2]) -> Told {
        for (stage, width) in self.stages.iter().zip(widths) {
            stage.size(width, 844).await?;
            stage.go("/").await?;
        }
        let mut decks = Vec::new();
        for (at, deck) in game.decks.iter().enumerate() {
            decks.push(self.stages[at % 2].keeps(deck).await?);
        }
        let host = &self.stages[0];
        let format = game.format.replace('/', "%2F");
        host.go(&format!("/play?format={format}")).await?;
        host.brings(decks.first(), "A").await?;
        for (name, value) in game.set {
            host.fill(&format!("#set-{name}"), value).await?;
        }
        for (name, value) in game.options {
            host.click(&format!("#option-{name} option[value='{value}']"))
                .await?;
        }
        host.click("form[action='/play'] .primary").await?;
        host.sees("Copy the link").await?;
        let links = "return [...document.querySelectorAll('#there .private a')]
            .filter((link) => !link.closest('details')).map((link) => link.href)";
        let links = host.script(links, vec![]).await?;
        let links: BTreeSet<&str> = (links.as_array().ok_or("no links")?.iter())
            .filter_map(serde_json::Value::as_str)
            .collect();
        self.seats.push(Chair {
            letter: "A".to_owned(),
            stage: 0,
            window: host.client.window().await.map_err(text)?,
        });
        for (at, link) in (1..).zip(links) {
            let stage = at % 2;
            let here = &self.stages[stage];
            if at >= 2 {
                let window = here.client.new_window(false).await.map_err(text)?.handle;
                here.client.switch_to_window(window).await.map_err(text)?;
                here.size(widths[stage], 844).await?;
            }
            here.go(link).await?;
            here.sees("Sit down").await?;
            let letter = char::from(b'A' + at as u8).to_string();
            here.brings(decks.get(at), &letter).await?;
            here.click("#gather form .primary").await?;
            let window = here.client.window().await.map_err(text)?;
            self.seats.push(Chair {
                letter,
                stage,
                window,
            });
        }
        for chair in &self.seats {
            self.sits(chair).await?.find("#facts").await?;
        }
        Ok(())
    }

    /// The window of somebody who sits there.
    async fn sits(&self, chair: &Chair) -> Result<&Stage, String> {
        let stage = &self.stages[chair.stage];
        let window = chair.window.clone();
        stage.client.switch_to_window(window).await.map_err(text)?;
        Ok(stage)
    }

    /// The page of a seat, once it shows all that was done.
    async fn at(&self, seat: &str) -> Result<&Stage, String> {
        let mut seats = self.seats.iter();
        let chair = seats
            .find(|chair| chair.letter == seat)
            .ok_or("no such seat")?;
        let stage = self.sits(chair).await?;
        let rev = self.rev;
        let caught_up = format!("Number(document.getElementById('table').dataset.rev) >= {rev}");
        stage.until("what was done", &caught_up).await?;
        Ok(stage)
    }

    /// The page of a seat, once it shows all that any page does: what comes after that is what
    /// this seat does. A click may be followed by more than one step of the table.
    async fn ready(&mut self, seat: &str) -> Result<&Stage, String> {
        let letters: Vec<String> = (self.seats.iter())
            .map(|chair| chair.letter.clone())
            .collect();
        for letter in letters {
            let number = "return Number(document.getElementById('table').dataset.rev)";
            let number = self.at(&letter).await?.script(number, vec![]).await?;
            self.rev = (number.as_f64()).map_or(self.rev, |number| self.rev.max(number as i64));
        }
        self.at(seat).await
    }

    /// Waits until something was done, by what the page of a seat shows.
    async fn goes_on(&mut self, seat: &str, what: &str) -> Told {
        let begun = Instant::now();
        let before = self.rev;
        loop {
            let stage = self.at(seat).await?;
            let number = "return Number(document.getElementById('table').dataset.rev)";
            let number = stage.script(number, vec![]).await?;
            self.rev = number.as_f64().map_or(before, |number| number as i64);
            if self.rev > before {
                return Ok(());
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("seat {seat} waited in vain for: {what}"));
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Everybody answers what is asked of them, until the game begins.
    async fn set_up(&mut self) -> Told {
        let letters: Vec<String> = self
            .seats
            .iter()
            .map(|chair| chair.letter.clone())
            .collect();
        for _ in 0..60 {
            for seat in &letters {
                let stage = self.at(seat).await?;
                let pick = format!(
                    "const agree = document.querySelector('[data-key=agree]');
                     if (agree) return 'agree';
                     if (document.querySelector('[data-key=refuse]')) return 'waits';
                     if (document.querySelector('[data-key=pass]')) return 'begun';
                     const answers = [...document.querySelectorAll('.answer > button')];
                     const wanted = {ANSWERS:?};
                     const one = answers.find((one) => wanted.includes(one.textContent)) ?? answers[0];
                     return one ? one.dataset.key : 'waits';"
                );
                let pick = stage.script(&pick, vec![]).await?;
                let pick = pick.as_str().unwrap_or("waits").to_owned();
                match pick.as_str() {
                    "begun" => return Ok(()),
                    "waits" => {}
                    key => {
                        let stage = self.ready(seat).await?;
                        stage.click(&format!("[data-key='{key}']")).await?;
                        self.goes_on(seat, key).await?;
                    }
                }
            }
        }
        Err("the setup does not end".to_owned())
    }

    /// All say that it is over.
    async fn over(&mut self, end: &str) -> Told {
        let stage = self.at("A").await?;
        stage.click("[data-key=over]").await?;
        stage.fill("dialog input", end).await?;
        stage.click("#won-A").await?;
        self.goes_on("A", "the question whether it is over").await?;
        let letters: Vec<String> = self
            .seats
            .iter()
            .map(|chair| chair.letter.clone())
            .collect();
        for seat in letters.iter().skip(1) {
            self.at(seat).await?.click("[data-key=agree]").await?;
            self.goes_on(seat, "agreement").await?;
        }
        for seat in &letters {
            let stage = self.at(seat).await?;
            stage.sees("The game is over").await?;
            stage.sees(end).await?;
        }
        Ok(())
    }

    /// The server is killed and started again, and a page is loaded anew.
    async fn interrupted(&mut self, seat: &str) -> Told {
        self.server.again()?;
        let stage = self.at(seat).await?;
        stage.client.refresh().await.map_err(text)?;
        stage.find("[data-key=pass]").await.map(drop)
    }
}

impl Stage {
    /// Makes one of this browser's own decks, by the first page; what it is called by the page that
    /// asks for one.
    async fn keeps(&self, deck: &str) -> Result<String, String> {
        let file = format!("{}/decks/{deck}", env!("CARGO_MANIFEST_DIR"));
        let deck = std::fs::read_to_string(file).map_err(text)?;
        self.go("/").await?;
        self.fill("#deck", &deck).await?;
        self.click("form[action='/open'] .primary").await?;
        self.verdict("legal").await?;
        self.reads("return location.hash.slice(3)").await
    }

    /// Fills in who comes, and with which deck, where the match asks for one.
    async fn brings(&self, deck: Option<&String>, name: &str) -> Told {
        if let Some(deck) = deck {
            self.click(&format!("#draft option[value='{deck}']"))
                .await?;
        }
        self.fill("#name", &format!("player {name}")).await
    }

    /// Lays a card somewhere by a drag, as a hand does it with the pointer held.
    async fn drag(&self, from: &str, to: &str) -> Told {
        self.find(from).await?;
        self.find(to).await?;
        let drag = "const [card, place] = [...arguments].map((css) => document.querySelector(css));
            const data = new DataTransfer();
            const event = (kind) => new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true});
            card.dispatchEvent(event('dragstart'));
            place.dispatchEvent(event('dragover'));
            place.dispatchEvent(event('drop'));";
        self.script(drag, vec![json!(from), json!(to)])
            .await
            .map(drop)
    }

    /// Types a move in the line that `/` leads to.
    async fn types(&self, line: &str) -> Told {
        self.script("document.activeElement.blur()", vec![]).await?;
        self.press("/").await?;
        self.press(&format!("{line}\u{e007}")).await
    }

    /// Sets whether cards are laid face down.
    async fn face(&self, down: bool) -> Told {
        let is = "document.querySelector('[data-key=down]').checked";
        if self.script(&format!("return {is}"), vec![]).await? != json!(down) {
            self.click("[data-key=down]").await?;
            self.until("the face", &format!("{is} === {down}")).await?;
        }
        Ok(())
    }

    async fn has(&self, css: &str) -> Result<bool, String> {
        let script = "return Boolean(document.querySelector(arguments[0]))";
        Ok(self.script(script, vec![json!(css)]).await? == json!(true))
    }

    async fn reads(&self, script: &str) -> Result<String, String> {
        let told = self.script(script, vec![]).await?;
        let told = told.as_str().ok_or_else(|| format!("nothing: {script}"))?;
        Ok(told.to_owned())
    }

    async fn reads_number(&self, script: &str) -> Result<i64, String> {
        let told = self.reads(script).await?;
        told.trim()
            .replace('\u{2212}', "-")
            .parse()
            .map_err(|_| format!("no number: {told}"))
    }

    /// Does a move by hand where it can be done so; `way` says by click or by drag.
    async fn by_hand(&self, seat: &str, words: &[&str], way: usize) -> Result<bool, String> {
        match words {
            ["draw"] => {
                for pile in [format!("{seat}.deck"), "deck".to_owned()] {
                    let button = format!("[data-key='draw {pile}']");
                    if way == 0 && self.has(&button).await? {
                        self.click(&button).await?;
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            ["count", counter, change @ ("+1" | "-1")] => {
                let button = format!("[data-key='{seat} {counter} {change}']");
                let there = self.has(&button).await?;
                if there {
                    self.click(&button).await?;
                }
                Ok(there)
            }
            ["m", zone, slot, to, rest @ ..] => {
                let zone = match *zone {
                    "h" => format!("{seat}.hand"),
                    zone => zone.to_owned(),
                };
                let own = format!("{seat}.{to}");
                let to = match self.has(&format!("section[data-zone='{own}']")).await? {
                    true => own,
                    false => (*to).to_owned(),
                };
                let (square, face) = match rest {
                    [] => (None, None),
                    [face @ ("up" | "down")] => (None, Some(*face)),
                    [square, face @ ("up" | "down")] => (Some(*square), Some(*face)),
                    _ => return Ok(false),
                };
                self.face(face == Some("down")).await?;
                let card = format!("[data-key='{zone}/{slot}']");
                match (way, square) {
                    (0, square) => {
                        self.click(&card).await?;
                        let at = match square {
                            Some(square) => format!("{to}@{square}"),
                            None => format!("zone {to}"),
                        };
                        self.click(&format!("[data-key='{at}']")).await?;
                    }
                    (_, Some(square)) => {
                        self.drag(&card, &format!("[data-cell='{square}']")).await?;
                    }
                    (_, None) => {
                        self.drag(&card, &format!("section[data-zone='{to}']"))
                            .await?;
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

impl Room {
    /// By click, by drag and by key in turn.
    pub(crate) async fn does(&mut self, seat: &str, line: &str) -> Told {
        self.done += 1;
        // Once in a game the machine fails, and everybody goes on where they were.
        if self.done == 5 {
            self.interrupted(seat).await?;
        }
        let way = self.done % 3;
        let stage = self.ready(seat).await?;
        let words: Vec<&str> = line.split(' ').collect();
        let done = way < 2 && stage.by_hand(seat, &words, way).await?;
        if !done {
            stage.types(line).await?;
        }
        self.goes_on(seat, line).await
    }

    /// Ends the turn of a seat.
    pub(crate) async fn pass(&mut self, seat: &str) -> Told {
        let stage = self.ready(seat).await?;
        stage.click("[data-key=pass]").await?;
        self.goes_on(seat, "the end of the turn").await
    }

    /// The cards of a seat's own zone by their names, as its player sees them.
    pub(crate) async fn names(&mut self, seat: &str, zone: &str) -> Result<Vec<String>, String> {
        let names = format!(
            "return [...document.querySelectorAll('section[data-zone=\"{seat}.{zone}\"] .card bdi')].map((name) => name.textContent)"
        );
        // What lies open is seen from any seat; a hand from its own alone.
        let names = self.at(seat).await?.script(&names, vec![]).await?;
        serde_json::from_value(names).map_err(text)
    }

    /// How many cards a seat's zone has, as everybody sees.
    pub(crate) async fn count(&mut self, seat: &str, zone: &str) -> Result<i64, String> {
        let count = format!(
            "return /\\d+/.exec(document.querySelector('section[data-zone=\"{seat}.{zone}\"] .head span').textContent)[0]"
        );
        self.at("B").await?.reads_number(&count).await
    }

    /// What a counter of a seat stands at.
    pub(crate) async fn counter(&mut self, seat: &str, name: &str) -> Result<i64, String> {
        let name = name.replace('_', " ");
        let counter = format!(
            "return [...document.querySelectorAll('section.seat[data-seat={seat}] .counter')].find((one) => one.textContent.startsWith('{name} ')).querySelector('b').textContent"
        );
        self.at("B").await?.reads_number(&counter).await
    }

    /// What the table adds up of a seat's zone.
    pub(crate) async fn sum(&mut self, seat: &str, zone: &str) -> Result<i64, String> {
        let sum = format!(
            "return /{seat}\\.{zone}: (-?\\d+)/.exec(document.getElementById('facts').textContent)[1]"
        );
        self.at(seat).await?.reads_number(&sum).await
    }

    /// Whose card lies on a square of the grid.
    pub(crate) async fn on(&mut self, square: &str) -> Result<Option<String>, String> {
        let owner = format!(
            "return /of-([A-D])/.exec(document.querySelector(\"[data-cell='{square}'] .card\")?.className)?.[1] ?? ''"
        );
        let owner = self.at("B").await?.reads(&owner).await?;
        Ok(Some(owner).filter(|owner| !owner.is_empty()))
    }

    /// What the table remarked of the last move.
    pub(crate) async fn remark(&mut self, seat: &str) -> Result<String, String> {
        let message = "return document.getElementById('message').textContent";
        self.at(seat).await?.reads(message).await
    }

    /// Whose turn it is.
    pub(crate) async fn active(&mut self) -> Result<String, String> {
        let active = "return document.querySelector('.seat.active').dataset.seat";
        self.at("B").await?.reads(active).await
    }
}
