//! Non-interference, at the server's own door: two tables that are equal in what a place saw send
//! it the same bytes, heads, pages, views, refusals and the stream of changes included. What a
//! table has for itself is left out: its address, times, and digests, which
//! bind what is hidden and tell nothing of it. `tests/matches/worlds.rs` compares the views of
//! every game and mode, with moves of every kind.
//!
//! A game is played once, and then once for each place at it in another world: every card whose
//! name that place was never sent has another name there, other numbers and another text, and
//! copies of one card are copies of two. Names keep their order, so that chance lays the same
//! place of the deck in the same place of the table.

use super::chairs::{Chair, games, set_up_by, sit_down};
use super::support::{Browser, Laid, Running, judge, start};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

/// The stream of changes of a place.
struct Heard {
    line: TcpStream,
    bytes: Vec<u8>,
}

impl Heard {
    fn of(chair: &Chair) -> Heard {
        let mut line = TcpStream::connect(chair.browser.address).unwrap();
        line.set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let path = format!("{}/changes", chair.base);
        line.write_all(&chair.browser.request("GET", &path, &[], b""))
            .unwrap();
        let bytes = Vec::new();
        Heard { line, bytes }
    }

    /// Listens until a state was told.
    fn until(&mut self, rev: &Value) {
        let told = format!("data: {rev}\n");
        let mut next = [0; 1024];
        while !String::from_utf8_lossy(&self.bytes).contains(&told) {
            let read = super::support::next(&mut self.line, &mut next).unwrap();
            assert!(read > 0, "the stream ends before {told}");
            self.bytes.extend(&next[..read]);
        }
    }
}

impl Heard {
    /// The head of what was sent, and the state that was told last: between them nothing but
    /// numbers of states, how many of them being a matter of time.
    fn told(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let (head, stream) = text.split_once("\r\n\r\n").unwrap();
        let mut last = "";
        for line in stream.lines().map(str::trim) {
            // The sizes of chunks, and comments that keep the stream open.
            let frame = line.bytes().all(|byte| byte.is_ascii_hexdigit()) || line == ":";
            match line.strip_prefix("data: ") {
                Some(rev) => last = rev,
                None => assert!(frame || line == "event: changed", "{line}"),
            }
            assert!(frame || serde_json::from_str::<i64>(last).is_ok() || last.is_empty());
        }
        format!("{head}\n{last}\n")
    }
}

/// What was sent, without what is of this table alone.
fn plain(sent: &[u8], laid: &Laid) -> String {
    let mut text = String::from_utf8_lossy(sent).replace(&laid.id, "TABLE");
    for key in laid.keys.values() {
        text = text.replace(key, "KEY");
    }
    let own = |line: &&str| {
        let line = line.to_ascii_lowercase();
        !line.starts_with("date:") && !line.starts_with("set-cookie:")
    };
    let kept: Vec<&str> = text.lines().filter(own).collect();
    let mut out = String::new();
    let mut digits = String::new();
    for next in kept.join("\n").chars().chain(['\n']) {
        match next {
            '0'..='9' | 'a'..='f' => digits.push(next),
            _ => {
                out.push_str(if digits.len() == 64 {
                    "DIGEST"
                } else {
                    &digits
                });
                digits.clear();
                out.push(next);
            }
        }
    }
    out
}

/// A game that was played for a while, as each place was told of it.
struct Played {
    /// All that was sent to a place, as it came.
    sent: BTreeMap<String, String>,
    /// The same without what is of that table alone.
    plain: BTreeMap<String, String>,
    /// The moves that were made, by the word that they begin with.
    made: BTreeSet<String>,
}

/// Where cards lie face by face, in games that have such a place.
const ROWS: [&str; 4] = ["grid", "point_row", "abilities", "battlezone"];

/// The move of a step: by slots, since the names are not the same in every world.
fn line(step: usize, seat: &str, other: &str, zones: &[&str]) -> String {
    let near = |wanted: &[&str], otherwise: &'static str| {
        let own = |zone: &&&str| zone.starts_with(seat) || !zone.contains('.');
        let mut near = zones.iter().filter(own);
        let found = near.find(|zone| wanted.contains(&zone.rsplit('.').next().unwrap_or(zone)));
        found.map_or_else(|| otherwise.to_owned(), |zone| (*zone).to_owned())
    };
    let row = near(&ROWS, "remnant");
    let pile = near(&["deck", "draw_pile"], "deck");
    match step {
        0 => "draw".to_owned(),
        1 => format!("move hand 0 {row} down"),
        2 => format!("move hand 0 {row} up"),
        3 => "shuffle hand".to_owned(),
        4 => format!("look {pile} 0 2"),
        5 => "look hand 0".to_owned(),
        6 => format!("show hand 0 {other}"),
        7 => format!("give hand 0 {other}.hand"),
        8 => format!("random {other}.hand hand"),
        9 => format!("flip {row} 0"),
        10 => format!("mark {row} 0 omen 2"),
        11 => format!("turn {row} 0"),
        12 => "undo".to_owned(),
        13 => format!("move hand 0 {pile} bottom"),
        14 => format!("shuffle {pile}"),
        15 => format!("token Ghost {row}"),
        16 => "roll".to_owned(),
        // Refused, in words.
        17 => "move hand 99 hand".to_owned(),
        18 => "draw 2".to_owned(),
        _ => "pass".to_owned(),
    }
}

const STEPS: usize = 20;

/// Plays a game for two turns. What a seat may not do alone the others agree to.
fn played(running: &Running, fields: &[(&'static str, String)]) -> Played {
    let (laid, mut chairs, mut onlooker) = sit_down(running, Browser::new(running.address), fields);
    let mut heard: Vec<Heard> = chairs.iter().chain([&onlooker]).map(Heard::of).collect();
    // Every third answer is the last, so that both pick what lies face down.
    set_up_by(&mut chairs, |number, answers| {
        usize::from(number % 3 == 1) * (answers - 1)
    });
    let mut made = BTreeSet::new();
    for step in 0..2 * STEPS {
        let rev = onlooker.look()["rev"].clone();
        for heard in &mut heard {
            heard.until(&rev);
        }
        let active = onlooker.view["active"].as_str().unwrap();
        let at = usize::from(active.as_bytes()[0] - b'A');
        let next = (at + 1) % chairs.len();
        // Some are done out of turn.
        let (by, to) = match step % 7 {
            3 => (next, at),
            _ => (at, next),
        };
        let letter = |at: usize| char::from(b'A' + at as u8).to_string();
        let told = onlooker.view["zones"].as_array().unwrap().clone();
        let zones: Vec<&str> = told
            .iter()
            .map(|zone| zone["zone"].as_str().unwrap())
            .collect();
        let line = line(step % STEPS, &letter(by), &letter(to), &zones);
        chairs[by].look();
        let told = chairs[by].tries(&line);
        assert!([200, 422].contains(&told.status), "{line}: {}", told.text());
        if told.status == 422 {
            continue;
        }
        made.insert(line.split(' ').next().unwrap().to_owned());
        for chair in &mut chairs {
            if chair.look()["asked"]["mine"] == true {
                assert_eq!(chair.act(json!({"agree": true})).status, 200, "{line}");
            }
        }
    }
    let rev = onlooker.look()["rev"].clone();
    let (mut sent, mut plain_of) = (BTreeMap::new(), BTreeMap::new());
    for (chair, heard) in chairs.iter_mut().chain([&mut onlooker]).zip(&mut heard) {
        chair.look();
        heard.until(&rev);
        let all = [&chair.sent[..], heard.told().as_bytes()].concat();
        let place = chair.place.clone();
        plain_of.insert(place.clone(), plain(&all, &laid));
        sent.insert(place, String::from_utf8_lossy(&all).into_owned());
    }
    Played {
        sent,
        plain: plain_of,
        made,
    }
}

/// The first lines in which two texts differ.
fn differ<'t>(one: &'t str, other: &'t str) -> Option<(&'t str, &'t str)> {
    let mut lines = one.lines().zip(other.lines());
    let found = lines.find(|(a, b)| a != b);
    found.or((one != other).then_some((one, other)))
}

/// A pool, and what a form is filled in with.
struct World {
    cards: Vec<u8>,
    fields: Vec<(&'static str, String)>,
}

/// Numbers that no rule for decks reads.
const FREE: [&str; 8] = [
    "points", "top", "right", "bottom", "left", "str", "def", "damage",
];

impl World {
    fn of(fields: &[(&'static str, String)]) -> World {
        let game = fields[0].1.split('/').next().unwrap();
        let csv = format!("{}/formats/{game}/cards.csv", env!("CARGO_MANIFEST_DIR"));
        World {
            cards: std::fs::read(csv).unwrap(),
            fields: fields.to_vec(),
        }
    }

    /// The world in which everything is another that a place was not sent, and how many cards
    /// of the decks that are.
    fn without(&self, sent: &str) -> (World, usize) {
        let mut rows = csv::Reader::from_reader(&self.cards[..]);
        let head = rows.headers().unwrap().clone();
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(&head).unwrap();
        let mut others = BTreeSet::new();
        for row in rows.records() {
            let row = row.unwrap();
            if sent.contains(&row[0]) {
                out.write_record(&row).unwrap();
                continue;
            }
            others.insert(row[0].to_owned());
            // A space is before all that a longer name goes on with.
            for mark in [" !", " !!"] {
                let cells = head.iter().zip(&row).map(|(field, cell)| match field {
                    "name" => format!("{cell}{mark}"),
                    "text" => "Another text.".to_owned(),
                    _ if FREE.contains(&field) && !cell.is_empty() => {
                        if cell == "2" { "3" } else { "2" }.to_owned()
                    }
                    _ => cell.to_owned(),
                });
                out.write_record(cells).unwrap();
                // Where the whole pool is the deck it keeps its size.
                if self.fields.iter().all(|(key, _)| *key != "deck-1") {
                    break;
                }
            }
        }
        let mut changed = if self.fields.iter().any(|(key, _)| *key == "deck-1") {
            0
        } else {
            others.len()
        };
        let mut fields = self.fields.clone();
        for (_, text) in fields
            .iter_mut()
            .filter(|(key, _)| key.starts_with("deck-"))
        {
            // Elsewhere a deck may have few different cards.
            let mut main = true;
            let lines = text.lines().map(|line| {
                if ["Extra", "Side", "Shells"].contains(&line) {
                    main = false;
                }
                main |= line.starts_with("Main");
                let held = line
                    .split_once(' ')
                    .filter(|(_, name)| others.contains(*name));
                let Some((count, name)) = held else {
                    return line.to_owned();
                };
                let count: usize = count.trim_end_matches('x').parse().unwrap();
                changed += count;
                match count {
                    _ if !main => format!("{count} {name} !"),
                    1 => format!("1 {name} !"),
                    _ => format!("{} {name} !\n1 {name} !!", count - 1),
                }
            });
            *text = lines.collect::<Vec<_>>().join("\n");
        }
        let cards = out.into_inner().unwrap();
        (World { cards, fields }, changed)
    }

    /// Plays in this world.
    fn played(&self) -> Played {
        let data = tempfile::tempdir().unwrap();
        alike(data.path());
        let (game, cards) = (&self.fields[0].1, self.cards.clone());
        let game = game.split('/').next().unwrap().to_owned();
        let running = start(data.path(), |config| {
            config.judges = Box::new(move |terms| {
                let cards = cards.clone();
                judge(terms).map(|judge| {
                    judge.with_cards(Some(game.clone()), "cards.csv".to_owned(), cards)
                })
            });
        });
        played(&running, &self.fields)
    }
}

/// Gives a server that is yet to start the secret that another one had: with the same chance of the
/// browsers both deal the same.
fn alike(data: &std::path::Path) {
    static ONE: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    let file = data.join("decklaw.sqlite");
    let one = ONE.get_or_init(|| {
        let first = tempfile::tempdir().unwrap();
        drop(start(first.path(), |_| ()));
        let to = first.path().join("whole.sqlite");
        let disk = rusqlite::Connection::open(first.path().join("decklaw.sqlite")).unwrap();
        disk.execute("vacuum into ?1", [to.to_str().unwrap()])
            .unwrap();
        std::fs::read(to).unwrap()
    });
    std::fs::write(file, one).unwrap();
}

/// Plays a game in a world, and for each place in the one that is another where it saw nothing;
/// the words of the moves that were made, and for each place whether somebody else was sent another
/// game.
fn compared(mut fields: Vec<(&'static str, String)>) -> (BTreeSet<String>, Vec<bool>) {
    fields.push(("page", "worlds apart".to_owned()));
    let options = fields.iter().filter(|(key, _)| key.starts_with("option-"));
    let game = format!("{} {:?}", fields[0].1, options.collect::<Vec<_>>());
    let world = World::of(&fields);
    let one = world.played();
    let mut apart = Vec::new();
    for (place, sent) in &one.sent {
        let (other, changed) = world.without(sent);
        assert!(changed > 10, "{game}: {place} saw nearly all");
        let other = other.played();
        let found = differ(&one.plain[place], &other.plain[place]);
        assert_eq!(found, None, "{game}, {place}");
        apart.push(one.plain.iter().any(|(at, sent)| *sent != other.plain[at]));
    }
    (one.made, apart)
}

#[test]
fn what_a_place_did_not_see_changes_no_byte_that_is_sent_to_it() {
    let games = std::sync::Mutex::new(games());
    let work = || {
        let (mut made, mut apart) = (BTreeSet::new(), Vec::new());
        loop {
            let next = games.lock().unwrap().pop();
            let Some(game) = next else {
                return (made, apart);
            };
            let (words, each) = compared(game);
            made.extend(words);
            apart.extend(each);
        }
    };
    let (mut made, mut apart) = (BTreeSet::new(), Vec::new());
    std::thread::scope(|scope| {
        for one in [scope.spawn(work), scope.spawn(work)] {
            let (words, each) = one.join().unwrap();
            made.extend(words);
            apart.extend(each);
        }
    });
    // Chance may leave all that a place did not see in a pile that nobody saw. Where somebody saw
    // it, what they were sent is another game, or the worlds would be one.
    let differing = apart.iter().filter(|apart| **apart).count();
    assert!(
        2 * differing > apart.len(),
        "{differing} of {}",
        apart.len()
    );
    for step in 0..STEPS {
        let line = line(step, "A", "B", &[]);
        let word = line.split(' ').next().unwrap();
        assert!(made.contains(word), "step {step}: {word} was never made");
    }
}
