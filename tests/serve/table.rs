//! Players at a table, each in a browser of their own, from the decks that they bring to the file
//! of the match.

use super::support::{
    Answer, BROKEN, Browser, LEGAL, Process, Running, between, program, read_until, server, start,
};
use decklaw::format::Catalogue;
use decklaw::matches::{
    Match, MatchDeck, MatchRules, NewMatch, Randomness, RegisteredDeck, UnverifiedMatch,
};
use decklaw::serve::ToPlay;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

const OTHER: &str = include_str!("../../decks/shell/ash-and-acorn.txt");
const PENNY: &str = include_str!("../../decks/vanquishers/every-penny.txt");

/// A table: its id, and the key of each place.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) keys: BTreeMap<String, String>,
}

impl Table {
    /// The address of a place.
    pub(crate) fn path(&self, place: &str) -> String {
        format!("/t/{}/{}", self.id, self.keys[place])
    }

    /// The table of a seat's address, with the links that the page of the seat shows.
    fn of_seat(browser: &mut Browser, path: &str) -> Table {
        let mut table = links(&browser.get(path));
        let (before, key) = path.rsplit_once('/').unwrap();
        before.trim_start_matches("/t/").clone_into(&mut table.id);
        table.keys.insert("A".to_owned(), key.to_owned());
        table
    }
}

/// The table that the links of a page lead to.
fn links(page: &Answer) -> Table {
    let text = page.text();
    assert_eq!(page.status, 200, "{text}");
    let (mut keys, mut id) = (BTreeMap::new(), String::new());
    for part in text.split("aria-label=\"QR code of the link for ").skip(1) {
        let place = part.split('"').next().unwrap();
        let place =
            if place == "spectators" { "onlooker" } else { place.trim_start_matches("seat ") };
        let mut link = between(part, "class=\"key\" href=\"", '"').rsplit('/');
        keys.insert(place.to_owned(), link.next().unwrap().to_owned());
        link.next().unwrap().clone_into(&mut id);
    }
    Table { id, keys }
}

/// The random bytes of a browser.
fn random(number: usize) -> String {
    format!("{number:02x}").repeat(32)
}

/// Opens a table by a form with fields `deck-1`, `deck-2`, …: the opener has the first deck, each
/// other seat brings the next one.
pub(crate) fn open(mut opener: Browser, fields: &[(&str, &str)]) -> Table {
    let is_deck = |key: &str| key.starts_with("deck-");
    let decks = fields.iter().filter(|(key, _)| is_deck(key));
    let mut decks = decks.map(|(_, deck)| ("deck", *deck));
    let own = random(1);
    let mut form: Vec<(&str, &str)> = vec![("random", &own), ("do", "open")];
    form.extend(fields.iter().filter(|(key, _)| !is_deck(key)));
    form.extend(decks.next());
    let opened = opener.form("/play", &form);
    assert_eq!(opened.status, 303, "{}", opened.text());
    let table = Table::of_seat(&mut opener, opened.header("location").unwrap());
    for (number, seat) in [(2, "B"), (3, "C"), (4, "D")] {
        if table.keys.contains_key(seat) {
            let own = random(number);
            let mut form = vec![("random", own.as_str())];
            form.extend(decks.next());
            let joined = Browser::new(opener.address).form(&table.path(seat), &form);
            assert_eq!(joined.status, 303, "{}", joined.text());
        }
    }
    table
}

/// A place at a table, and every byte that was sent to it.
pub(crate) struct Chair {
    pub(crate) browser: Browser,
    /// The seat's letter, or `onlooker`.
    pub(crate) place: String,
    pub(crate) base: String,
    pub(crate) sent: Vec<u8>,
    pub(crate) view: Value,
}

impl Chair {
    fn new(address: SocketAddr, table: &Table, place: &str) -> Chair {
        let page = table.path(place);
        let mut chair = Chair {
            browser: Browser::new(address),
            place: place.to_owned(),
            base: format!("/api{page}"),
            sent: Vec::new(),
            view: Value::Null,
        };
        let shown = chair.browser.get(&page);
        assert_eq!(shown.status, 200, "{}", shown.text());
        chair.receives(&shown);
        chair.look();
        chair
    }

    fn receives(&mut self, answer: &Answer) {
        self.sent.extend(answer.head.as_bytes());
        self.sent.extend(&answer.body);
    }

    pub(crate) fn look(&mut self) -> &Value {
        let answer = self.browser.get(&format!("{}/view", self.base));
        assert_eq!(answer.status, 200, "{}", answer.text());
        self.receives(&answer);
        self.view = answer.json();
        &self.view
    }

    /// Acts on the table as it was last seen.
    pub(crate) fn act(&mut self, act: Value) -> Answer {
        let act = json!({"rev": self.view["rev"], "do": act});
        let to = format!("{}/do", self.base);
        let answer = self.browser.json("POST", &to, &act);
        self.receives(&answer);
        if answer.status == 200 {
            self.view = answer.json();
        }
        answer
    }

    #[track_caller]
    pub(crate) fn acts(&mut self, act: Value) {
        self.look();
        let answer = self.act(act.clone());
        assert_eq!(answer.status, 200, "{act}: {}", answer.text());
    }

    #[track_caller]
    pub(crate) fn moves(&mut self, line: &str) -> &Value {
        self.look();
        let answer = self.tries(line);
        assert_eq!(answer.status, 200, "{line}: {}", answer.text());
        &self.view
    }

    pub(crate) fn tries(&mut self, line: &str) -> Answer {
        let entry = self.entry(line);
        self.act(json!({"move": entry}))
    }

    /// The move that a line such as `count A goal 2` means.
    pub(crate) fn entry(&self, line: &str) -> Value {
        let words: Vec<&str> = line.split(' ').collect();
        let mut entry = match words[..] {
            ["count", seat, counter, change] => {
                json!({"seat": seat, "counter": counter, "change": change.parse::<i64>().unwrap()})
            }
            ["draw"] => {
                let seat = self.place.as_str();
                let is_pile = |zone: &&Value| {
                    (zone["owner"] == seat || zone["owner"].is_null())
                        && zone["seen"] == "by-nobody"
                };
                let mut zones = self.view["zones"].as_array().unwrap().iter();
                let pile = zones.find(is_pile).map_or(Value::Null, |zone| zone["zone"].clone());
                json!({"from": pile, "to": "hand", "count": 1})
            }
            ["look", zone] => json!({"zone": zone, "slot": 0, "count": 1, "to": [self.place]}),
            ["shuffle", zone] => json!({"zone": zone}),
            ["roll"] => json!({"sides": 6}),
            _ => json!({}),
        };
        entry["do"] = json!(words[0]);
        entry["by"] = json!(self.place);
        entry
    }

    fn file(&mut self) -> Answer {
        self.browser.get(&format!("{}/file", self.base))
    }
}

/// Answers every question with its first answer until the game begins.
pub(crate) fn set_up(chairs: &mut [Chair]) {
    for _ in 0..200 {
        for chair in &mut *chairs {
            let view = chair.look().clone();
            if view["phase"] == "game" {
                return;
            }
            let Some(answers) = view["question"]["answers"].as_array() else {
                continue;
            };
            let lists = answers[0]["cards"].as_array().unwrap().iter();
            let cards: Vec<Vec<u64>> =
                lists.map(|list| (0..list["count"].as_u64().unwrap_or(0)).collect()).collect();
            chair.acts(json!({"answer": {"option": 0, "cards": cards}}));
        }
    }
    panic!("the setup does not end: {}", chairs[0].view);
}

/// The seats of a table.
pub(crate) fn chairs_at(address: SocketAddr, table: &Table) -> Vec<Chair> {
    let seats = table.keys.keys().filter(|place| *place != "onlooker");
    seats.map(|place| Chair::new(address, table, place)).collect()
}

/// The seats of a table, and an onlooker.
pub(crate) fn chairs(running: &Running, table: &Table) -> (Vec<Chair>, Chair) {
    let onlooker = Chair::new(running.address, table, "onlooker");
    (chairs_at(running.address, table), onlooker)
}

/// A match ends once every seat has said so, all at once.
fn end(chairs: &mut [Chair], won: &str) {
    for chair in &mut *chairs {
        chair.look();
    }
    for chair in chairs {
        assert_eq!(chair.act(json!({"end": {"won": won}})).status, 200);
    }
}

/// One match over HTTP: decks that nobody else sees, a restart, a refused deck, sealed swaps, the
/// deal that anyone repeats, and three games by the same links.
#[test]
fn two_players_gather_play_three_games_and_verify_the_deal() {
    let (running, data) = server();
    let mut ann = Browser::new(running.address);
    let own = random(1);
    let mut fields = vec![
        ("format", "shell"),
        ("do", "open"),
        ("random", own.as_str()),
        ("name", "Ann"),
        ("form", "once"),
        ("deck", BROKEN),
    ];
    assert_eq!(ann.form("/play", &fields).status, 422, "an illegal deck");
    fields[5].1 = LEGAL;
    let [path, again] = [(); 2].map(|()| {
        let opened = ann.form("/play", &fields);
        assert_eq!(opened.status, 303, "{}", opened.text());
        opened.header("location").unwrap().to_owned()
    });
    assert_eq!(path, again, "the same form opens one table");
    let mut table = Table::of_seat(&mut ann, &path);
    let secret = between(&ann.get(&path).text(), "data-secret=\"", '"').to_owned();
    let mut ben = Browser::new(running.address);
    let to = table.path("B");
    let waiting = ben.get(&to);
    assert!(!waiting.text().contains(&table.keys["A"]));
    let bring = |browser: &mut Browser, random: &str, deck: &str| {
        browser.form(&to, &[("random", random), ("deck", deck), ("name", "Ben")])
    };
    let before = ann.get(&path).text();
    assert_eq!(bring(&mut ben, &random(2), BROKEN).status, 422);
    assert_eq!(ann.get(&path).text(), before, "Ann does not learn of it");
    for wrong in [random(1), String::new(), "ab".repeat(31)] {
        assert_eq!(bring(&mut ben, &wrong, OTHER).status, 422, "{wrong}");
    }
    drop(running);

    let running = start(data.path(), |_| ());
    ben.address = running.address;
    assert_eq!(bring(&mut ben, &random(2), OTHER).status, 303);
    for game in 1..=3 {
        let (mut seats, mut onlooker) = chairs(&running, &table);
        let own = |list: &str| -> BTreeSet<String> {
            let lines = list.lines().filter_map(|line| line.split_once(' '));
            let cards = lines.filter(|(count, _)| count.parse::<u32>().is_ok());
            cards.map(|(_, name)| name.trim().to_owned()).collect()
        };
        // Swaps are sealed: that a seat has decided is public, what it decided is not.
        seats[0].acts(json!({"answer": {"option": 0}}));
        assert_eq!(seats[1].look()["awaited"], json!(["B"]));
        if game == 1 {
            let sent = [waiting.body.as_slice(), &seats[1].sent].concat();
            let sent = String::from_utf8_lossy(&sent).into_owned();
            // What everybody sees; the view of a seat that is sent more would show it too.
            let open = onlooker.look()["zones"].to_string();
            for name in own(LEGAL).difference(&own(OTHER)) {
                assert!(open.contains(name) || !sent.contains(name), "{name}");
            }
            assert_eq!(seats[1].view["seats"]["A"]["name"], "Ann");
        }
        set_up(&mut seats);
        assert_eq!(seats[0].file().status, 403, "the game is not over");
        end(&mut seats, "B");
        assert!(onlooker.look()["ended"].is_string());
        let file = onlooker.file().json();
        let dealt = &file["inputs"]["randomness"];
        assert_eq!(dealt["seed_source"], "combined");
        if game == 1 {
            let parts: Vec<String> =
                serde_json::from_value(dealt["contributions"].clone()).unwrap();
            assert_eq!(parts.len(), 3);
            assert!(parts.contains(&random(1)) && parts.contains(&random(2)));
            let digest = |part: &String| {
                let bytes = data_encoding::HEXLOWER.decode(part.as_bytes()).unwrap();
                data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
            };
            assert!(parts.iter().map(digest).any(|digest| digest == secret));
        }
        std::fs::write(data.path().join("m.json"), file.to_string()).unwrap();
        let verified = program(data.path(), &["match", "verify", "m.json", "-o", "json"], "");
        let verified: Value = serde_json::from_slice(&verified).unwrap();
        assert_eq!(verified["ok"], true, "{verified}");
        let next = format!("{}/next", seats[0].base);
        let [one, other] = [(); 2].map(|()| seats[0].browser.json("POST", &next, &json!({})));
        assert_eq!((one.status, one.text()), (other.status, other.text()));
        assert_eq!(one.status, if game == 3 { 422 } else { 200 });
        if game < 3 {
            let to = one.json()["to"].as_str().unwrap().to_owned();
            let (id, key) = to.trim_start_matches("/t/").split_once('/').unwrap();
            assert_eq!(key, table.keys["A"], "the links stay");
            id.clone_into(&mut table.id);
        }
    }
}

#[test]
fn a_form_asks_for_what_the_rules_leave_open_and_a_deck_is_tried_alone() {
    let (running, _data) = server();
    let mut ann = Browser::new(running.address);
    let page = ann.get("/play?format=vanquishers").text();
    assert!(page.contains("name=\"set-starting_energy\"") && page.contains("max=\"20\""));
    let own = random(1);
    let mut opens = |action: &str, deck: &str, energy: &str| {
        let fields = [
            ("format", "vanquishers"),
            ("do", action),
            ("random", &own),
            ("deck", deck),
            ("set-starting_energy", energy),
        ];
        ann.form("/play", &fields)
    };
    for (energy, deck) in [("21", PENNY), ("5", ""), ("5", BROKEN)] {
        let refused = opens("open", deck, energy);
        assert_eq!(refused.status, 422, "{energy}: {}", refused.text());
        assert!(refused.text().contains(&format!("value=\"{energy}\"")));
    }
    let alone = opens("alone", PENNY, "5");
    let (id, key) = between(alone.header("location").unwrap(), "/t/", ' ').split_once('/').unwrap();
    let table = Table { id: id.to_owned(), keys: [("A".to_owned(), key.to_owned())].into() };
    let mut chair = Chair::new(running.address, &table, "A");
    set_up(std::slice::from_mut(&mut chair));
    let hand = |view: &Value| {
        let mut zones = view["zones"].as_array().unwrap().iter();
        zones.find(|zone| zone["zone"] == "A.hand").unwrap()["count"].clone()
    };
    assert_eq!(hand(&chair.view), 7);
    assert_eq!(hand(chair.moves("pass")), 8, "the next turn has its draw");
    let seat = |view: &Value| view["seats"]["A"]["counters"]["storage_energy"].clone();
    assert_eq!(seat(chair.moves("count A storage_energy 99")), 20, "the cap");
    assert_eq!(chair.tries("count A storage_energy 1").status, 422);
    chair.moves("count A storage_energy -99");
    assert_eq!(seat(&chair.view), 0);
    assert_eq!(seat(chair.moves("undo")), 20);
    // Until all are here a table can be closed, and then its links open nothing.
    let opened = opens("open", PENNY, "5");
    let path = opened.header("location").unwrap();
    let table = Table::of_seat(&mut ann, path);
    assert_eq!(ann.form(path, &[("do", "close")]).status, 303);
    assert_eq!(ann.get(&table.path("B")).status, 404);
}

#[test]
fn moves_need_the_newest_state_and_one_out_of_turn_is_logged_as_one() {
    let (running, data) = server();
    let fields = [("format", "vastrix"), ("option-players", "2")];
    let table = open(Browser::new(running.address), &fields);
    let (mut seats, mut onlooker) = chairs(&running, &table);
    // A page learns of every change.
    let mut line = std::net::TcpStream::connect(running.address).unwrap();
    let wait = std::time::Duration::from_secs(20);
    line.set_read_timeout(Some(wait)).unwrap();
    let changes = format!("{}/changes", onlooker.base);
    let request = onlooker.browser.request("GET", &changes, &[], b"");
    std::io::Write::write_all(&mut line, &request).unwrap();
    let (mut read, rev) = (Vec::new(), seats[0].look()["rev"].as_i64().unwrap());
    read_until(&mut line, &mut read, &format!("data: {rev}\n"));
    seats[0].acts(json!({"answer": {"option": 0}}));
    read_until(&mut line, &mut read, &format!("data: {}\n", rev + 1));
    set_up(&mut seats);

    let active = usize::from(seats[0].look()["active"] == "B");
    let other = 1 - active;
    let stale = seats[active].look()["rev"].clone();
    seats[active].moves("roll");
    let to = format!("{}/do", seats[active].base);
    let late = json!({"rev": stale, "do": {"end": null}});
    let refused = seats[active].browser.json("POST", &to, &late);
    assert_eq!(refused.status, 409);
    // Who begins, and the roll.
    let lines = &refused.json()["view"]["log"]["lines"];
    assert_eq!(lines.as_array().unwrap().len(), 2);
    let name = seats[other].place.clone();
    for (wrong, status) in [
        (json!({"do": "sing", "by": "A"}), 400),
        (json!({"do": "roll", "by": name, "sides": 6}), 422),
    ] {
        assert_eq!(seats[active].act(json!({"move": wrong})).status, status);
    }
    assert_eq!(onlooker.tries("draw").status, 403);
    for path in [format!("/t/{}/{}", table.id, "0".repeat(26)), "/t/none/A".to_owned()] {
        assert_eq!(onlooker.browser.get(&path).status, 404);
    }
    // A move out of turn is made and logged as one; what another seat hides is not looked at.
    let newest = |chair: &mut Chair| {
        let lines = chair.look()["log"]["lines"].as_array().unwrap().last().cloned();
        lines.unwrap()["text"].as_str().unwrap().to_owned()
    };
    seats[other].moves("shuffle draw_pile");
    assert!(newest(&mut onlooker).ends_with(", out of turn."));
    seats[other].moves("look draw_pile");
    assert_ne!(newest(&mut seats[other]), newest(&mut seats[active]));
    assert_eq!(newest(&mut onlooker), newest(&mut seats[active]));
    let hidden = format!("{}.hand", seats[other].place);
    let look = json!({"do": "look", "by": seats[active].place, "zone": hidden, "slot": 0, "count": 1, "to": []});
    assert_eq!(seats[active].act(json!({"move": look})).status, 422);
    // The step of a turn is everybody's to see; one seat alone does not end the game.
    let step = json!({"do": "step", "by": seats[active].place, "name": "Main"});
    seats[active].acts(json!({"move": step}));
    assert_eq!(onlooker.look()["step"], "Main");
    seats[active].acts(json!({"end": {"won": "A"}}));
    assert_eq!(onlooker.look()["said"][&seats[active].place]["won"], "A");
    seats[active].acts(json!({"end": null}));
    assert_eq!(onlooker.look()["said"], json!({}));
    assert_eq!(onlooker.view["phase"], "game");
    let before = seats[active].look().clone();
    drop(running);

    let running = start(data.path(), |_| ());
    for chair in seats.iter_mut().chain([&mut onlooker]) {
        chair.browser.address = running.address;
    }
    assert_eq!(*seats[active].look(), before, "a restart loses nothing");
    seats[active].moves("pass");
    end(&mut seats, "A");
    for chair in seats.iter_mut().chain([&mut onlooker]) {
        let file = chair.file().json();
        assert_eq!(file["digests"]["inputs"], before["digest"]);
    }
    seats[active].look();
    assert_eq!(seats[active].tries("draw").status, 422);
}

/// The answers of a table do not grow with its log, and its file is replayed at any move.
#[test]
fn a_long_game_has_answers_as_short_as_a_short_one() {
    let (running, data) = server();
    let fields = [("format", "vastrix"), ("option-players", "2")];
    let table = open(Browser::new(running.address), &fields);
    let (mut seats, _) = chairs(&running, &table);
    set_up(&mut seats);
    let count = |number: usize| {
        let change = if number.is_multiple_of(2) { -1 } else { 1 };
        json!({"do": "count", "by": "A", "seat": "A", "counter": "goal", "change": change})
    };
    // Bytes of what a seat is answered: to its last move, and when it looks.
    let play = |seat: &mut Chair| {
        (0..31).for_each(|number| seat.acts(json!({"move": count(number)})));
        [seat.view.to_string().len(), seat.look().to_string().len()]
    };
    let short = play(&mut seats[0]);
    drop(running);
    // As if they had been made one by one, without a disk that is busy with each of them.
    let disk = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    disk.execute_batch("begin").unwrap();
    for number in 31..4_900_u32 {
        let (id, done) = (&table.id, count(number as usize - 30).to_string());
        let sql = "insert into sitting_move (sitting, number, move) values (?1, ?2, ?3)";
        disk.execute(sql, rusqlite::params![id, number, done]).unwrap();
    }
    disk.execute_batch("commit").unwrap();
    drop(disk);
    let running = start(data.path(), |_| ());
    for chair in &mut seats {
        chair.browser.address = running.address;
        chair.look();
    }
    let long = play(&mut seats[0]);
    let mut both = long.iter().zip(short);
    assert!(both.all(|(long, short)| *long < short + 300 * 200), "{short:?} grew to {long:?}");
    let log = seats[1].look()["log"].clone();
    assert!(log["lines"].as_array().unwrap().len() <= 300, "an answer has the newest lines alone");
    end(&mut seats, "A");
    let file = seats[0].file().text();
    let mut visitor = Browser::new(running.address);
    let mut ask = |question: Value| {
        let answer = visitor.json("POST", "/api/replay", &question);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    let whole = ask(json!({"ask": "replay", "match": file}));
    assert_eq!(whole["moves"], 4_931);
    for number in 0..31 {
        let at = 4_931 - 100 * number;
        let view = ask(json!({"ask": "replay", "match": whole["match"], "at": at}));
        assert_eq!(view["at"], at);
        // The log so far, and what comes next.
        assert_eq!(view["later"].as_array().unwrap().len(), 100 * usize::from(number > 0));
    }
    assert_eq!(visitor.json("POST", "/api/replay", &json!({"ask": "check"})).status, 400);
}

/// Every change is in the file before it is shown; a change that cannot be written did not happen.
#[test]
fn a_match_file_is_played_and_every_change_is_written_first() {
    let format = Catalogue::built_in().format("versus/fast-shared").unwrap();
    let rules = MatchRules::of_format(&format).unwrap().unwrap();
    let lines = (0..13).map(|number| {
        let line = decklaw::matches::Line {
            count: 2,
            name: format!("Card {number}"),
            records: BTreeMap::new(),
        };
        ("main", line)
    });
    let deck = MatchDeck::register("versus/fast-shared", "Pile", lines);
    let wanted = NewMatch { decks: vec![RegisteredDeck::unjudged(deck)], ..NewMatch::default() };
    let seed = Randomness::from_text("file");
    let made = Match::start(&rules.game(), wanted, seed, vec![], None).unwrap();
    let written: Arc<Mutex<Vec<String>>> = Arc::default();
    let is_full = Arc::new(Mutex::new(false));
    let (files, full) = (Arc::clone(&written), Arc::clone(&is_full));
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| {
        config.played = Some(ToPlay {
            title: "evening".to_owned(),
            file: made.to_json(),
            write: Box::new(move |text| {
                if *full.lock().unwrap() {
                    return Err("no space".to_owned());
                }
                files.lock().unwrap().push(text.to_owned());
                Ok(())
            }),
        });
    });
    assert_eq!(Browser::new(running.address).get("/t/file").status, 403);
    let table = links(&Browser::host(&running).get("/t/file"));
    let (mut seats, _) = chairs(&running, &table);
    set_up(&mut seats);
    let active = usize::from(seats[0].look()["active"] == "B");
    seats[active].moves("draw");
    let file = written.lock().unwrap().last().unwrap().clone();
    let read = UnverifiedMatch::read(file.as_bytes()).unwrap();
    assert_eq!(read.verify(&rules.game()).unwrap().moves().len(), 1);
    *is_full.lock().unwrap() = true;
    let before = seats[active].look()["rev"].clone();
    assert_eq!(seats[active].tries("draw").status, 507);
    assert_eq!(seats[active].look()["rev"], before);
    *is_full.lock().unwrap() = false;
    end(&mut seats, "draw");
    // The next game would be in no file.
    let next = format!("{}/next", seats[0].base);
    assert_eq!(seats[0].browser.json("POST", &next, &json!({})).status, 422);
}

/// `match play FILE` stores nothing but the file.
#[cfg(unix)]
#[test]
fn a_call_that_plays_a_file_leaves_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let deck = "Format: versus/fast-shared\nMain\n26 Pile\n";
    std::fs::write(folder.join("pile.txt"), deck).unwrap();
    let new = "match new versus/fast-shared --deck pile.txt --allow-illegal --to m.json";
    program(folder, &new.split(' ').collect::<Vec<_>>(), "");
    let mut playing = Process::start(folder, &["match", "play", "m.json", "--no-open"]);
    let mut host = Browser::enters(playing.address, &playing.key, "/");
    assert!(!links(&host.get("/t/file")).keys.is_empty());
    let id = rustix::process::Pid::from_child(&playing.child);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    assert!(playing.child.wait().unwrap().success());
    let names = std::fs::read_dir(folder).unwrap();
    let names: BTreeSet<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["m.json".into(), "pile.txt".into()].into());
}
