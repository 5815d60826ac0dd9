//! Whole games in two browsers, by a script: every player uses the link of their seat and plays by
//! click, drag and key, until all agree that the game is over.

use super::driver::{Browser, Server, Stage, Told, within};
use super::script::{self, Game};
use fantoccini::wd::WindowHandle;
use serde_json::json;
use std::time::{Duration, Instant};

/// A game, and how it is played.
#[derive(Clone, Copy)]
pub(crate) enum Played {
    /// On a grid, both players at phones.
    Versus,
    /// With zones and counters, one player at a phone.
    Shell,
}

impl Played {
    /// The widths of the windows of both browsers.
    fn widths(self) -> [u32; 2] {
        match self {
            Played::Versus => [390, 390],
            Played::Shell => [1280, 390],
        }
    }
}

/// Every game by the name of its test.
pub(crate) const ALL: [(&str, Played); 2] = [
    ("a_game_of_versus", Played::Versus),
    ("a_game_of_shell", Played::Shell),
];

/// How long a table may take to show what was done.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a player answers before the game, where there is a choice.
const ANSWERS: [&str; 4] = [
    "Player A begins",
    "Keep this hand",
    "Swap nothing",
    "Chance rolls",
];

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Plays a game in two browsers.
pub(crate) fn run(browsers: [Browser; 2], played: Played) -> Told {
    let game = match played {
        Played::Versus => &script::VERSUS,
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
            Played::Versus => script::versus(self, &cards).await?,
            Played::Shell => script::shell(self, &cards).await?,
        };
        self.over(&end).await
    }

    /// The first opens a table for a deck of their browser, and the others come by the links that its
    /// page shows, and bring theirs.
    async fn sit_down(&mut self, game: &Game, widths: [u32; 2]) -> Told {
        for (stage, width) in self.stages.iter().zip(widths) {
            stage.size(width, 844).await?;
            stage.go("/").await?;
        }
        let host = &self.stages[0];
        host.keeps(game.format, game.decks[0]).await?;
        let format = game.format.replace('/', "%2F");
        host.go(&format!("/play?format={format}")).await?;
        // The newest deck of this browser is offered.
        let offered = "document.getElementById('deck').value.length > 20";
        host.until("a deck", offered).await?;
        host.fill("#name", "player A").await?;
        host.click("button[value=open]").await?;
        host.sees("Copy the link").await?;
        let links =
            "return [...document.querySelectorAll('.seats a.key')].map((link) => link.href)";
        let links = host.script(links, vec![]).await?;
        self.seats.push(Chair {
            letter: "A".to_owned(),
            stage: 0,
            window: host.client.window().await.map_err(text)?,
        });
        let links = links.as_array().ok_or("no links")?.iter();
        for (at, link) in (1..).zip(links) {
            let here = &self.stages[at];
            here.go(link.as_str().ok_or("no link")?).await?;
            here.sees("Take your seat").await?;
            let letter = char::from(b'A' + at as u8).to_string();
            here.fill("#deck", &listed(game.decks[at])?).await?;
            here.fill("#name", &format!("player {letter}")).await?;
            here.click("#gather .actions button").await?;
            let window = here.client.window().await.map_err(text)?;
            self.seats.push(Chair {
                letter,
                stage: at,
                window,
            });
        }
        for chair in &self.seats {
            self.sits(chair).await?.find("body.table[data-rev]").await?;
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
        let caught_up = format!("Number(document.body.dataset.rev) >= {rev}");
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
            let number = "return Number(document.body.dataset.rev)";
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
            let number = "return Number(document.body.dataset.rev)";
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
                     if (document.body.dataset.phase === 'game') return 'begun';
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
                        stage.tap(&format!("[data-key='{key}']")).await?;
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
        stage.tap("[data-key=more]").await?;
        stage.tap("[data-key=over]").await?;
        stage.fill("#how", end).await?;
        stage.tap("#won-A").await?;
        self.goes_on("A", "the question whether it is over").await?;
        let letters: Vec<String> = self
            .seats
            .iter()
            .map(|chair| chair.letter.clone())
            .collect();
        for seat in letters.iter().skip(1) {
            self.at(seat).await?.tap("[data-key=agree]").await?;
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
        stage.reload().await?;
        stage.find("[data-key=next]").await.map(drop)
    }
}

/// The list of a sample deck.
fn listed(deck: &str) -> Result<String, String> {
    let file = format!("{}/decks/{deck}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(file).map_err(text)
}

impl Stage {
    /// Keeps a deck in this browser.
    async fn keeps(&self, format: &str, deck: &str) -> Told {
        let keep = "const [format, deck, done] = arguments;
            fetch('/api/ask', {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({ask: 'read', format, deck})})
                .then((answer) => answer.json())
                .then(async (told) => (await import('/assets/decks.js')).create({format, deck: told.deck}))
                .then(() => done(true), (error) => done(String(error)));";
        let with = vec![json!(format), json!(listed(deck)?)];
        let told = self.client.execute_async(keep, with).await.map_err(text)?;
        match told == json!(true) {
            true => Ok(()),
            false => Err(format!("the deck is not kept: {told}")),
        }
    }

    /// Clicks an element that others may lie over, such as a card of a fan.
    async fn tap(&self, css: &str) -> Told {
        self.find(css).await?;
        let tap = "document.querySelector(arguments[0]).click()";
        self.script(tap, vec![json!(css)]).await.map(drop)
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

    /// Keys to the page, and to nothing on it.
    async fn keys(&self, keys: &str) -> Told {
        self.script("document.activeElement.blur()", vec![]).await?;
        self.press(keys).await
    }

    /// Makes a move by click, by drag or by key.
    async fn makes(&self, seat: &str, line: &str, way: usize) -> Told {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["draw"] if way == 2 => self.keys("d").await,
            ["draw"] => self.tap("#play [data-key^='draw ']").await,
            ["count", rest @ ..] => {
                let (whose, counter, change) = match rest {
                    [counter, change] => (seat, counter, change),
                    [whose, counter, change] => (*whose, counter, change),
                    _ => return Err(line.to_owned()),
                };
                let step = format!("[data-key='{whose} {counter} {change}']");
                if whose == seat && self.has(&step).await? {
                    return self.tap(&step).await;
                }
                self.tap(&format!("[data-key='{whose} {counter}']")).await?;
                self.fill(".menu .number", change.trim_start_matches(['-', '+']))
                    .await?;
                let way = if change.starts_with('-') {
                    "down"
                } else {
                    "up"
                };
                self.tap(&format!("[data-key='count {way}']")).await
            }
            ["m", zone, slot, to, rest @ ..] => {
                let zone = match *zone {
                    "h" => format!("{seat}.hand"),
                    zone => zone.to_owned(),
                };
                let is_own = self
                    .has(&format!("section[data-zone='{seat}.{to}']"))
                    .await?;
                let to = if is_own {
                    format!("{seat}.{to}")
                } else {
                    (*to).to_owned()
                };
                let square = rest
                    .first()
                    .filter(|word| word.len() == 2 && **word != "up");
                let is_down = rest.contains(&"down");
                let card = format!("[data-key='{zone}/{slot}']");
                let place = match square {
                    Some(square) => format!("[data-cell='{square}']"),
                    None => format!("section[data-zone='{to}']"),
                };
                let is_reached = is_own || square.is_some();
                if way == 1 && is_reached && !is_down {
                    return self.drag(&card, &place).await;
                }
                match slot.parse::<usize>() {
                    Ok(slot) if way == 2 && zone.ends_with(".hand") && slot < 8 => {
                        self.keys(&(slot + 1).to_string()).await?;
                    }
                    _ => self.tap(&card).await?,
                }
                self.find(".card[aria-pressed=true]").await?;
                if is_down {
                    self.tap("[data-key=down]").await?;
                }
                match square {
                    Some(square) => self.tap(&format!("[data-key='{to}@{square}']")).await,
                    None if is_reached => self.tap(&place).await,
                    None => {
                        self.tap("[data-key='card more']").await?;
                        self.tap(&format!("[data-key='to {to}']")).await
                    }
                }
            }
            _ => Err(format!("no such move: {line}")),
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
        self.ready(seat).await?.makes(seat, line, way).await?;
        self.goes_on(seat, line).await
    }

    /// Ends the turn of a seat: step by step, by click or by key.
    pub(crate) async fn pass(&mut self, seat: &str) -> Told {
        let is_key = self.done.is_multiple_of(2);
        let stage = self.ready(seat).await?;
        for _ in 0..12 {
            let rev = "return Number(document.body.dataset.rev)";
            let before = stage.script(rev, vec![]).await?;
            let word = "return document.querySelector('[data-key=next]').textContent";
            let is_last = stage.reads(word).await? == "End turn";
            match is_key {
                true => stage.keys("n").await?,
                false => stage.tap("[data-key=next]").await?,
            }
            if is_last {
                return self.goes_on(seat, "the end of the turn").await;
            }
            if stage.script(rev, vec![]).await? != before {
                return Err("a step changed the table".to_owned());
            }
        }
        Err("the turn has no end".to_owned())
    }

    /// The cards of a seat's own zone by their names, as its player sees them.
    pub(crate) async fn names(&mut self, seat: &str, zone: &str) -> Result<Vec<String>, String> {
        let names = match zone {
            "hand" => "return [...document.querySelectorAll('#hand .card')].map((card) => card.dataset.name)".to_owned(),
            zone => format!(
                "return [...document.querySelectorAll('section[data-zone=\"{seat}.{zone}\"] .card')].map((card) => card.dataset.name)"
            ),
        };
        let names = self.at(seat).await?.script(&names, vec![]).await?;
        serde_json::from_value(names).map_err(text)
    }

    /// How many cards a seat's zone has.
    pub(crate) async fn count(&mut self, seat: &str, zone: &str) -> Result<i64, String> {
        let count = format!(
            "return /(\\d+) cards/.exec(document.querySelector('[data-key=\"zone {seat}.{zone}\"]').getAttribute('aria-label'))[1]"
        );
        self.at(seat).await?.reads_number(&count).await
    }

    /// What a counter of a seat stands at.
    pub(crate) async fn counter(&mut self, seat: &str, name: &str) -> Result<i64, String> {
        let counter = format!(
            "return document.querySelector('.who[data-seat={seat}] [data-counter={name}] b').textContent"
        );
        self.at("B").await?.reads_number(&counter).await
    }

    /// Whose card lies on a square of the grid.
    pub(crate) async fn on(&mut self, square: &str) -> Result<Option<String>, String> {
        let owner = format!(
            "return {{mine: 'B', foe: 'A'}}[/mine|foe/.exec(document.querySelector(\"[data-cell='{square}'] .card\")?.className)?.[0]] ?? ''"
        );
        let owner = self.at("B").await?.reads(&owner).await?;
        Ok(Some(owner).filter(|owner| !owner.is_empty()))
    }

    /// What the table remarked of the last move.
    pub(crate) async fn remark(&mut self, seat: &str) -> Result<String, String> {
        let message = "return document.querySelector('.toast')?.textContent ?? ''";
        self.at(seat).await?.reads(message).await
    }
}
