//! Whole games, each seat in a browser of its own, one of them on a phone, and a spectator: played
//! to an end that every seat says, saved, verified, and replayed. At every step no page holds the
//! name of a card that its reader may not know.

use super::driver::{self, Browser, Done, SERVE, Server, Stage, decklaw, shell};
use super::steps::{give, seen};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

const EBB: &str = include_str!("../../decks/shell/ebb.txt");
const ASH: &str = include_str!("../../decks/shell/ash-and-acorn.txt");
const SHELL: &str = include_str!("../../formats/shell/cards.csv");
const VASTRIX: &str = include_str!("../../formats/vastrix/cards.csv");

const NAMES: [&str; 4] = ["Ann", "Ben", "Cem", "Dora"];
const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

/// What is played, and by how many; the decks that they bring, if any.
pub(crate) struct Game {
    name: &'static str,
    seats: usize,
    decks: &'static [&'static str],
    /// The cards of the first hands.
    hands: &'static [usize],
}

pub(crate) const ALL: [(&str, Game); 4] = [
    // 5 and 6 cards; 5, 6 and 6; 5 each (2 Setup, 21.4, 21.5).
    ("a_game_of_vastrix_for_two", Game { name: "vastrix", seats: 2, decks: &[], hands: &[5, 6] }),
    (
        "a_game_of_vastrix_for_three",
        Game { name: "vastrix", seats: 3, decks: &[], hands: &[5, 6, 6] },
    ),
    (
        "a_game_of_vastrix_for_four",
        Game { name: "vastrix", seats: 4, decks: &[], hands: &[5, 5, 5, 5] },
    ),
    ("a_game_of_shell", Game { name: "shell", seats: 2, decks: &[EBB, ASH], hands: &[6, 6] }),
];

/// A game has up to five browsers: one game at a time.
static ONE: Mutex<()> = Mutex::new(());

/// A field of each card, by the cards' names.
fn field(cards: &str, name: &str) -> BTreeMap<String, String> {
    let mut rows = csv::Reader::from_reader(cards.as_bytes());
    let at = rows.headers().unwrap().iter().position(|header| header == name).unwrap();
    rows.records().map(Result::unwrap).map(|row| (row[0].to_owned(), row[at].to_owned())).collect()
}

/// The names in a list.
fn names(deck: &str) -> BTreeSet<String> {
    let lines = deck.lines().filter_map(|line| line.split_once(' '));
    let cards = lines.filter(|(copies, _)| copies.parse::<u32>().is_ok());
    cards.map(|(_, name)| name.to_owned()).collect()
}

/// Which of some names a page has in it, or is sent.
const PRESENT: &str = r"
    const [names] = arguments, { table, key } = document.body.dataset;
    return (async () => {
        const sent = table ? await (await fetch(`/api/t/${table}/${key}/view`)).text() : '';
        const text = document.documentElement.outerHTML + sent;
        const plain = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        const is = (name) => new RegExp(`(?<![\\p{L}\\p{N}])(${plain(name)}|${plain(encodeURIComponent(name))})(?![\\p{L}\\p{N}])`, 'u').test(text);
        return names.filter(is);
    })();";

const HAND: &str =
    "return [...document.querySelectorAll('#hand .card')].map((card) => card.dataset.name)";

/// A game that is played; the last stage is the spectator's.
struct Play<'g> {
    game: &'g Game,
    stages: &'g [Stage],
    /// Every name that a card of the game may have.
    all: BTreeSet<String>,
    /// What everybody may know.
    open: BTreeSet<String>,
    /// What one seat may know besides its hand.
    own: Vec<BTreeSet<String>>,
    /// How many cards each seat holds.
    hands: Vec<usize>,
    moves: usize,
    rev: i64,
}

fn list(value: &Value) -> Vec<String> {
    let all = value.as_array().into_iter().flatten();
    all.map(|one| one.as_str().unwrap_or_default().to_owned()).collect()
}

impl Play<'_> {
    async fn hand(&self, seat: usize) -> Result<Vec<String>, String> {
        Ok(list(&self.stages[seat].script(HAND, vec![]).await?))
    }

    /// The names that a page knows and should not.
    async fn nothing_beyond(&self, place: usize, may: &BTreeSet<String>) -> Done {
        let found = self.stages[place].script(PRESENT, vec![json!(self.all)]).await?;
        let beyond: Vec<String> =
            list(&found).into_iter().filter(|name| !may.contains(name)).collect();
        if beyond.is_empty() {
            return Ok(());
        }
        Err(format!("after {} moves place {place} knows {beyond:?}", self.moves))
    }

    /// Every page has the state, holds as many cards as it must, and knows no more than it may.
    async fn all_agree(&self) -> Done {
        for stage in self.stages {
            let is = format!("document.body.dataset.rev === '{}'", self.rev);
            stage.until("the newest state", &is).await?;
        }
        let mut held = BTreeSet::new();
        for seat in 0..self.game.seats {
            let hand = self.hand(seat).await?;
            if hand.len() != self.hands[seat] {
                return Err(format!("seat {seat} holds {hand:?}, not {}", self.hands[seat]));
            }
            let mut may: BTreeSet<String> = hand.iter().cloned().collect();
            if self.game.decks.is_empty() && !may.is_disjoint(&held) {
                return Err(format!("two seats hold one of {may:?}"));
            }
            held.extend(may.clone());
            may.extend(self.open.iter().chain(&self.own[seat]).cloned());
            self.nothing_beyond(seat, &may).await?;
        }
        self.nothing_beyond(self.game.seats, &self.open).await
    }

    /// A move of a seat, by a script that answers whether it could be made.
    async fn moves(&mut self, seat: usize, script: &str) -> Done {
        self.stages[seat].until(script, &format!("(() => {{ {script} }})()")).await?;
        self.moves += 1;
        self.rev += 1;
        Ok(())
    }

    async fn clicks(&mut self, seat: usize, key: &str) -> Done {
        let script = format!(
            "const own = document.querySelector(\"[data-key='{key}']:not(:disabled)\"); own?.click(); return Boolean(own);"
        );
        self.moves(seat, &script).await?;
        self.all_agree().await
    }

    /// A card of the hand to a zone of the seat, or of the table.
    async fn plays(&mut self, seat: usize, name: &str, zone: &str, is_down: bool) -> Done {
        let down = if is_down { "document.querySelector('[data-key=down]').click();" } else { "" };
        let name_of = json!(name);
        let script = format!(
            "const own = [...document.querySelectorAll('#hand .card')].find((card) => card.dataset.name === {name_of}); if (!own) return false; own.click(); {down} document.querySelector(\"section[data-zone='{zone}']\").click(); return true;"
        );
        self.moves(seat, &script).await?;
        self.hands[seat] -= 1;
        if is_down { &mut self.own[seat] } else { &mut self.open }.insert(name.to_owned());
        self.all_agree().await
    }

    /// Points as every page counts them.
    async fn points_are(&self, seat: usize, points: u32) -> Done {
        for stage in self.stages {
            let shown = format!(
                "document.querySelector(\".who[data-seat='{}'] .sum b\")?.textContent === '{points}'",
                LETTERS[seat]
            );
            stage.until(&format!("{points} points of seat {seat}"), &shown).await?;
        }
        Ok(())
    }

    /// VASTRIX, as its rules allow it: an Action each turn, and who has 21 Points at the end of a
    /// turn has won.
    async fn vastrix(&mut self) -> Result<usize, String> {
        let worth = field(VASTRIX, "points");
        let worth =
            |name: &String| worth.get(name).and_then(|own| own.parse().ok()).unwrap_or(0u32);
        let mut points = vec![0; self.game.seats];
        for turn in 0..60 {
            let seat = turn % self.game.seats;
            let letter = LETTERS[seat];
            if turn == self.game.seats {
                // Face-Down Swap (6.3A): one card of the Swap Bar into the hand, one back.
                let take = format!(
                    "document.querySelector(\"[data-key='swap_bar/0']\").click(); document.querySelector(\"[data-key='card more']\").click(); const to = document.querySelector(\"[data-key='to {letter}.hand']\"); to?.click(); return Boolean(to);"
                );
                self.moves(seat, &take).await?;
                self.hands[seat] += 1;
                self.all_agree().await?;
                let hand = self.hand(seat).await?;
                let least = hand.iter().min_by_key(|name| worth(name)).ok_or("an empty hand")?;
                self.plays(seat, least, "swap_bar", true).await?;
            }
            self.clicks(seat, "next").await?;
            if turn < self.game.seats {
                self.moves(seat, "const pile = document.querySelector(\"[data-key='draw draw_pile']\"); pile?.click(); return Boolean(pile);").await?;
                self.hands[seat] += 1;
                self.all_agree().await?;
            } else {
                let hand = self.hand(seat).await?;
                let best = hand.iter().max_by_key(|name| worth(name)).ok_or("an empty hand")?;
                points[seat] += worth(best);
                self.plays(seat, best, &format!("{letter}.point_row"), false).await?;
                self.points_are(seat, points[seat]).await?;
            }
            if turn == 2 * self.game.seats - 1 {
                self.pictures("middle").await?;
            }
            self.clicks(seat, "next").await?;
            if points[seat] >= 21 {
                return Ok(seat);
            }
            self.clicks(seat, "next").await?;
        }
        Err("nobody has won".to_owned())
    }

    /// Two rounds of Shell: no Mana in the first, then a card for each; a Spell into a Shell of its
    /// colour; damage that is stored.
    async fn shell(&mut self) -> Result<usize, String> {
        let colours = field(SHELL, "colour");
        for turn in 0..4 {
            let (seat, letter) = (turn % 2, LETTERS[turn % 2]);
            if turn >= 2 {
                self.moves(seat, &format!("const pile = document.querySelector(\"[data-key='draw {letter}.deck']\"); pile?.click(); return Boolean(pile);")).await?;
                self.hands[seat] += 1;
                self.all_agree().await?;
            }
            self.clicks(seat, "next").await?;
            let hand = self.hand(seat).await?;
            let card = &hand[0];
            let zone = format!("{letter}.shell_{}", colours[card]);
            self.plays(seat, card, &zone, false).await?;
            if turn == 2 {
                self.pictures("middle").await?;
            }
            self.clicks(seat, "next").await?;
            self.clicks(seat, "next").await?;
            let other = 1 - seat;
            self.clicks(other, &format!("{} stored_damage +1", LETTERS[other])).await?;
            self.clicks(seat, "next").await?;
        }
        Ok(1)
    }

    async fn pictures(&self, when: &str) -> Done {
        let name = format!("{}-{}", self.game.name, self.game.seats);
        for (seat, stage) in self.stages[..self.game.seats].iter().enumerate() {
            stage.picture(&format!("{name}-{when}-{}", LETTERS[seat])).await?;
        }
        let spectator = &self.stages[self.game.seats];
        if self.game.seats.is_multiple_of(2) && self.game.decks.is_empty() {
            return spectator.picture(&format!("{name}-{when}-spectator")).await;
        }
        seen(spectator, &format!("{name}-{when}-spectator")).await?;
        seen(&self.stages[self.game.seats - 1], &format!("{name}-{when}-seat")).await?;
        self.stages[self.game.seats - 1].size(390, 844).await
    }
}

/// Seat A opens the table, the others bring what they play; all decide until the game begins.
async fn gathered(game: &Game, stages: &[Stage]) -> Done {
    for (place, stage) in stages.iter().enumerate() {
        let is_phone = place + 1 == game.seats;
        stage.size(if is_phone { 390 } else { 1280 }, 844).await?;
    }
    let opener = &stages[0];
    opener.go(&format!("/play?format={}", game.name)).await?;
    opener.fill("#name", NAMES[0]).await?;
    match game.decks.first() {
        Some(deck) => opener.fill("#deck", deck).await?,
        None => {
            let players =
                format!("document.querySelector('#option-players').value = '{}'", game.seats);
            opener.script(&players, vec![]).await?;
        }
    }
    opener.click("button[value=open]").await?;
    opener.find(".seats a.key").await?;
    let links = "return [...document.querySelectorAll('#there a.key')].map((link) => link.href)";
    let links = list(&opener.script(links, vec![]).await?);
    if links.len() != game.seats {
        return Err(format!("{} links for {} others", links.len(), game.seats));
    }
    for (number, link) in links.iter().enumerate() {
        let stage = &stages[number + 1];
        stage.go(link).await?;
        if number + 1 < game.seats {
            stage.fill("#name", NAMES[number + 1]).await?;
            if let Some(deck) = game.decks.get(number + 1) {
                stage.fill("#deck", deck).await?;
            }
            stage.click("#gather .actions .btn.main").await?;
        } else {
            stage.sees("You are a spectator").await.or(stage.find("#play").await.map(drop))?;
        }
    }
    for stage in stages {
        let is = "['setup', 'game'].includes(document.body.dataset.phase)";
        stage.until("the table", is).await?;
    }
    let decide = "
        const { phase, seat } = document.body.dataset;
        if (phase === 'game') return true;
        const all = [...document.querySelectorAll('[data-key]')].filter((own) => /^answer \\d+$/.test(own.dataset.key) && !own.disabled);
        const named = (words) => all.find((own) => own.textContent.includes(words));
        const again = seat === 'B' && !window.again && named('take another hand');
        if (again) window.again = true;
        (named('Ann begins') ?? (again || all[0]))?.click();
        return false;";
    for _ in 0..300 {
        let mut begun = 0;
        for stage in &stages[..game.seats] {
            begun += usize::from(stage.script(decide, vec![]).await? == true);
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        if begun == game.seats {
            return Ok(());
        }
    }
    Err("the setup does not end".to_owned())
}

async fn played(game: &Game, stages: &[Stage], folder: &std::path::Path) -> Done {
    gathered(game, stages).await?;
    let spectator = &stages[game.seats];
    spectator.until("the game", "document.body.dataset.phase === 'game'").await?;
    let rev = spectator.script("return Number(document.body.dataset.rev)", vec![]).await?;
    let mut play = Play {
        game,
        stages,
        all: match game.decks {
            [] => field(VASTRIX, "points").into_keys().collect(),
            decks => decks.iter().flat_map(|deck| names(deck)).collect(),
        },
        // Each player's Shells lie on the table; of the Swap Bar one card is open (6.2).
        open: BTreeSet::new(),
        own: match game.decks {
            [] => vec![BTreeSet::new(); game.seats],
            decks => decks.iter().map(|deck| names(deck)).collect(),
        },
        hands: game.hands.to_vec(),
        moves: 0,
        rev: rev.as_i64().unwrap_or_default(),
    };
    let shown = "return [...document.querySelectorAll('section.zone .card[data-name]')].map((card) => card.dataset.name)";
    play.open = list(&spectator.script(shown, vec![]).await?).into_iter().collect();
    let shells = game.decks.iter().flat_map(|deck| {
        let after = deck.split("Shells\n").nth(1).unwrap_or_default();
        names(after.split("\n\n").next().unwrap_or_default())
    });
    let is_right = match game.decks {
        [] => play.open.len() == 1,
        _ => play.open == shells.collect(),
    };
    if !is_right {
        return Err(format!("these cards lie open at the beginning: {:?}", play.open));
    }
    play.all_agree().await?;
    let won = match game.decks {
        [] => play.vastrix().await?,
        _ => play.shell().await?,
    };
    // Every seat says that it is over.
    let winner = format!("#won-{}", LETTERS[won]);
    for (seat, stage) in stages[..game.seats].iter().enumerate() {
        if seat == 0 {
            stage.click("[data-key=more]").await?;
            stage.click("[data-key=over]").await?;
            stage.click(&winner).await?;
        } else {
            if stage.script("return document.body.dataset.phase", vec![]).await? == "ended" {
                return Err("the game is over before every seat has said so".to_owned());
            }
            stage.click("[data-key=agree]").await?;
        }
        // An answer to what has changed meanwhile is not taken.
        play.rev += 1;
        for stage in stages {
            let is = format!("document.body.dataset.rev === '{}'", play.rev);
            stage.until("what was said of the end", &is).await?;
        }
    }
    for stage in stages {
        stage.until("the end", "document.body.dataset.phase === 'ended'").await?;
        stage.sees(&format!("{} won", NAMES[won])).await?;
    }
    let last = &stages[game.seats - 1];
    last.accessible("a game that ended, on a phone").await?;
    last.picture(&format!("{}-{}-ended", game.name, game.seats)).await?;
    // The file that its button saves holds what each browser brought, and is dealt again.
    let keep = "URL.createObjectURL = (file) => { window.saved = file; return 'javascript:void 0'; }; document.querySelector('#keep').click()";
    last.script(keep, vec![]).await?;
    last.until("the file", "window.saved !== undefined").await?;
    let saved = last.script("return window.saved.text()", vec![]).await?;
    let saved = saved.as_str().unwrap_or_default();
    std::fs::write(folder.join("saved.json"), saved).map_err(|error| error.to_string())?;
    shell(folder, "decklaw match verify saved.json")?;
    let parsed: Value = serde_json::from_str(saved).map_err(|error| error.to_string())?;
    let brought = parsed["inputs"]["randomness"]["contributions"].as_array().map(Vec::len);
    if brought != Some(game.seats + 1) {
        return Err(format!("{brought:?} contributions of {} browsers and a server", game.seats));
    }
    let shown =
        decklaw(folder, &["match", "view", "saved.json", "--seat", "public", "-o", "json"], "")?;
    let shown: Value = serde_json::from_str(&shown).map_err(|error| error.to_string())?;
    let cards = shown["cards"].as_object().into_iter().flatten();
    let mut cards = cards.filter_map(|(_, name)| name.as_str());
    if let Some(name) = cards.find(|name| !play.open.contains(*name)) {
        return Err(format!("`match view --seat public` shows {name}"));
    }
    replayed(&mut play, saved).await
}

/// The saved file from its beginning to its end, as the spectator saw it, and then with open cards.
async fn replayed(play: &mut Play<'_>, saved: &str) -> Done {
    let spectator = &play.stages[play.game.seats];
    let mut hands = BTreeSet::new();
    for seat in 0..play.game.seats {
        hands.extend(play.hand(seat).await?);
    }
    spectator.go("/replay").await?;
    give(spectator, "saved.json", saved).await?;
    let moves = play.moves;
    for at in 0..=moves {
        spectator.until("the move", &format!("document.body.dataset.at === '{at}'")).await?;
        play.moves = at;
        play.nothing_beyond(play.game.seats, &play.open).await?;
        spectator.press("\u{e014}").await?;
    }
    let end = format!(
        "document.querySelector('#transport [role=status]').textContent === '{moves} of {moves}'"
    );
    spectator.until("the end", &end).await?;
    for at in [0, moves / 2, moves] {
        let slide = format!(
            "const slider = document.querySelector('[data-key=slider]'); slider.value = {at}; slider.dispatchEvent(new Event('input'));"
        );
        spectator.script(&slide, vec![]).await?;
        spectator.until("by the slider", &format!("document.body.dataset.at === '{at}'")).await?;
    }
    seen(spectator, &format!("{}-{}-replay", play.game.name, play.game.seats)).await?;
    spectator.click("[data-key=verified]").await?;
    spectator.sees("fit their digests").await?;
    spectator.press("\u{e00c}").await?;
    spectator.click("[data-key=open]").await?;
    let open = "document.querySelectorAll('#play .backs [data-name] svg').length > 0";
    spectator.until("open hands", open).await?;
    let found = spectator.script(PRESENT, vec![json!(play.all)]).await?;
    let found: BTreeSet<String> = list(&found).into_iter().collect();
    spectator.picture(&format!("{}-{}-replay-open", play.game.name, play.game.seats)).await?;
    match hands.difference(&found).next() {
        Some(name) => Err(format!("{name} is in a hand, and not among the open cards")),
        None => Ok(()),
    }
}

pub(crate) fn run(browsers: &[Browser], game: &Game) -> Done {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let server = Server::start(folder.path(), SERVE)?;
    // The window of a Firefox is never as narrow as a phone: the last seat has the first browser.
    let places = (0..=game.seats).map(|place| browsers[(place + game.seats + 1) % browsers.len()]);
    let places: Vec<Browser> = places.collect();
    driver::played(&places, folder.path(), &server.link, async |stages| {
        played(game, stages, folder.path()).await
    })
}
