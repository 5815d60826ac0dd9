//! Non-interference at the server's own door: two games that are equal in what a place saw send it
//! the same bytes, heads, pages, views, refusals and the stream of changes included. What a table
//! has for itself is left out: its address, times, and digests, which bind what is hidden and
//! reveal nothing of it. `tests/matches/worlds.rs` compares the views of every game and mode.
//!
//! A game is played once, and then once for each place in another world: every card whose name that
//! place never received has another name there, other numbers and another text, and copies of one
//! card are copies of two. Names keep their order, so that the deal is the same.

use super::support::{Browser, Running, judge, read_until, start};
use super::table::{Chair, Table, chairs, open, set_up};
use crate::common::root;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

type Fields = Vec<(&'static str, String)>;

/// Games whose zones are hidden in every way: hands, side decks, faces, secret choices and picks.
const GAMES: &str = "\
format=shell deck-1=shell/ebb.txt deck-2=shell/ash-and-acorn.txt
format=vanquishers deck-1=vanquishers/harbour-battery.txt deck-2=vanquishers/quiet-ledgers.txt set-starting_energy=5
format=versus/fast-shared deck-1=versus/kitchen-table.txt
format=vastrix option-players=3
format=vastrix option-deffy=classic option-battlerealm=true";

/// The fields of the form that opens each of them.
fn games() -> impl Iterator<Item = Fields> {
    let field = |field: &'static str| {
        let (key, value) = field.split_once('=').unwrap();
        let value = if key.starts_with("deck-") {
            std::fs::read_to_string(root().join("decks").join(value)).unwrap()
        } else {
            value.to_owned()
        };
        (key, value)
    };
    GAMES.lines().map(move |game| game.split(' ').map(field).collect())
}

/// The stream of changes of a place.
struct Stream {
    line: TcpStream,
    bytes: Vec<u8>,
}

impl Stream {
    fn of(chair: &Chair) -> Stream {
        let mut line = TcpStream::connect(chair.browser.address).unwrap();
        line.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let path = format!("{}/changes", chair.base);
        let request = chair.browser.request("GET", &path, &[], b"");
        line.write_all(&request).unwrap();
        Stream { line, bytes: Vec::new() }
    }

    /// The head and the newest state: between them are numbers of states, and how many is a matter
    /// of time.
    fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let (head, stream) = text.split_once("\r\n\r\n").unwrap();
        let mut newest = "";
        for line in stream.lines().map(str::trim) {
            // The sizes of chunks, and comments that keep the stream open.
            let is_frame = line.bytes().all(|byte| byte.is_ascii_hexdigit()) || line == ":";
            match line.strip_prefix("data: ") {
                Some(rev) => newest = rev,
                None => assert!(is_frame || line == "event: changed", "{line}"),
            }
        }
        assert!(newest.parse::<i64>().is_ok(), "{newest}");
        format!("{head}\n{newest}\n")
    }
}

/// What was sent, without what is of this table alone.
fn plain(sent: &[u8], table: &Table) -> String {
    let mut text = String::from_utf8_lossy(sent).replace(&table.id, "TABLE");
    for key in table.keys.values() {
        text = text.replace(key, "KEY");
    }
    let is_common = |line: &&str| {
        let line = line.to_ascii_lowercase();
        !line.starts_with("date:") && !line.starts_with("set-cookie:")
    };
    let kept: Vec<&str> = text.lines().filter(is_common).collect();
    let is_hex = |letter: char| letter.is_ascii_digit() || ('a'..='f').contains(&letter);
    let text = kept.join("\n");
    let parts = text.split_inclusive(|letter| !is_hex(letter));
    let parts = parts.map(|part| {
        let digits = part.trim_end_matches(|letter| !is_hex(letter));
        if digits.len() == 64 { part.replace(digits, "DIGEST") } else { part.to_owned() }
    });
    parts.collect()
}

/// The move of a step: by slots, since names differ between worlds.
fn line(step: usize, seat: &str, other: &str, zones: &[&str]) -> String {
    let nearest = |wanted: &[&str], otherwise: &str| {
        let is_near = |zone: &&&str| zone.starts_with(seat) || !zone.contains('.');
        let mut near = zones.iter().filter(is_near);
        let found = near.find(|zone| wanted.contains(&zone.rsplit('.').next().unwrap_or(zone)));
        found.map_or_else(|| otherwise.to_owned(), |zone| (*zone).to_owned())
    };
    // Where cards lie face by face, in games that have such a place.
    let row = nearest(&["grid", "point_row", "abilities", "battlezone"], "remnant");
    let pile = nearest(&["deck", "draw_pile"], "deck");
    let steps = [
        "draw",
        "move hand 0 ROW down",
        "move hand 0 ROW up",
        "shuffle hand",
        "look PILE 0 2",
        "look hand 0",
        "show hand 0 OTHER",
        "give hand 0 OTHER.hand",
        "random hand OTHER.hand",
        "flip ROW 0",
        "mark ROW 0 omen 2",
        "turn ROW 0",
        "undo",
        "move hand 0 PILE bottom",
        "shuffle PILE",
        "token Ghost ROW",
        "roll",
        // Refused, in words.
        "move hand 99 hand",
        "draw 2",
        "pass",
    ];
    let step = steps[step % steps.len()].replace("ROW", &row);
    step.replace("PILE", &pile).replace("OTHER", other)
}

const STEPS: usize = 20;

/// What each place of a game received.
struct Played {
    /// As it was sent.
    sent: BTreeMap<String, String>,
    /// Without what is of that table alone.
    plain: BTreeMap<String, String>,
    /// The first words of the moves that were made.
    made: BTreeSet<String>,
}

/// Plays two rounds of every kind of move.
fn play(running: &Running, fields: &Fields) -> Played {
    let fields: Vec<(&str, &str)> =
        (fields.iter()).map(|(key, value)| (*key, value.as_str())).collect();
    let table = open(Browser::new(running.address), &fields);
    let (mut seats, mut onlooker) = chairs(running, &table);
    let mut streams: Vec<Stream> = seats.iter().chain([&onlooker]).map(Stream::of).collect();
    // Every third answer is the last, so that both pick what lies face down.
    set_up(&mut seats, |number, answers| usize::from(number % 3 == 1) * (answers - 1));
    let mut made = BTreeSet::new();
    for step in 0..2 * STEPS {
        let rev = onlooker.look()["rev"].clone();
        for stream in &mut streams {
            read_until(&mut stream.line, &mut stream.bytes, &format!("data: {rev}\n"));
        }
        let active = onlooker.view["active"].as_str().unwrap();
        let at = usize::from(active.as_bytes()[0] - b'A');
        let next = (at + 1) % seats.len();
        // Some moves are made out of turn.
        let (by, to) = if step % 7 == 3 { (next, at) } else { (at, next) };
        let zones = onlooker.view["zones"].as_array().unwrap().iter();
        let zones: Vec<&str> = zones.map(|zone| zone["zone"].as_str().unwrap()).collect();
        let line = line(step, &seats[by].place, &seats[to].place, &zones);
        seats[by].look();
        let answer = seats[by].tries(&line);
        if answer.status == 422 {
            continue;
        }
        assert_eq!(answer.status, 200, "{line}: {}", answer.text());
        made.insert(line.split(' ').next().unwrap().to_owned());
    }
    let rev = format!("data: {}\n", onlooker.look()["rev"]);
    let mut played = Played { sent: BTreeMap::new(), plain: BTreeMap::new(), made };
    for (chair, stream) in seats.iter_mut().chain([&mut onlooker]).zip(&mut streams) {
        chair.look();
        read_until(&mut stream.line, &mut stream.bytes, &rev);
        let all = [&chair.sent[..], stream.text().as_bytes()].concat();
        let place = chair.place.clone();
        played.plain.insert(place.clone(), plain(&all, &table));
        let sent = String::from_utf8_lossy(&all).into_owned();
        played.sent.insert(place, sent);
    }
    played
}

/// A pool, and the fields of a table's form.
struct World {
    cards: Vec<u8>,
    fields: Fields,
}

/// Numbers that no rule for decks reads.
const FREE: [&str; 8] = ["points", "top", "right", "bottom", "left", "str", "def", "damage"];

impl World {
    fn game(&self) -> &str {
        self.fields[0].1.split('/').next().unwrap()
    }

    /// The world in which every card differs that a place was not sent; and the number of those
    /// cards.
    fn without(&self, sent: &str) -> (World, usize) {
        let is_deck = |key: &str| key.starts_with("deck-");
        let has_decks = self.fields.iter().any(|(key, _)| is_deck(key));
        let mut rows = csv::Reader::from_reader(&self.cards[..]);
        let head = rows.headers().unwrap().clone();
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(&head).unwrap();
        let mut others = BTreeSet::new();
        for row in rows.records().map(Result::unwrap) {
            if sent.contains(&row[0]) {
                out.write_record(&row).unwrap();
                continue;
            }
            others.insert(row[0].to_owned());
            // A space sorts before all that a longer name goes on with. A pool that is the deck
            // keeps its size.
            for mark in [" !", " !!"].iter().take(1 + usize::from(has_decks)) {
                let cells = head.iter().zip(&row).map(|(field, cell)| match field {
                    "name" => format!("{cell}{mark}"),
                    "text" => "Another text.".to_owned(),
                    _ if !FREE.contains(&field) || cell.is_empty() => cell.to_owned(),
                    _ if cell == "2" => "3".to_owned(),
                    _ => "2".to_owned(),
                });
                out.write_record(cells).unwrap();
            }
        }
        let mut changed = if has_decks { 0 } else { others.len() };
        let mut fields = self.fields.clone();
        for (_, text) in fields.iter_mut().filter(|(key, _)| is_deck(key)) {
            // Outside the main deck the number of different cards is limited.
            let mut is_main = true;
            let lines = text.lines().map(|line| {
                if ["Extra", "Side", "Shells"].contains(&line) {
                    is_main = false;
                }
                is_main |= line.starts_with("Main");
                let card = line.split_once(' ');
                let Some((count, name)) = card.filter(|(_, name)| others.contains(*name)) else {
                    return line.to_owned();
                };
                let count: usize = count.trim_end_matches('x').parse().unwrap();
                changed += count;
                if is_main && count > 1 {
                    format!("{} {name} !\n1 {name} !!", count - 1)
                } else {
                    format!("{count} {name} !")
                }
            });
            *text = lines.collect::<Vec<_>>().join("\n");
        }
        let cards = out.into_inner().unwrap();
        (World { cards, fields }, changed)
    }

    fn played(&self, secret: &[u8]) -> Played {
        let data = tempfile::tempdir().unwrap();
        // The same secret and the same bytes of the browsers make the same deal.
        std::fs::write(data.path().join("decklaw.sqlite"), secret).unwrap();
        let (game, cards) = (self.game().to_owned(), self.cards.clone());
        let running = start(data.path(), |config| {
            config.judges = Box::new(move |options| {
                let file = ("cards.csv".to_owned(), cards.clone());
                Ok(judge(options)?.with_cards(Some(game.clone()), file.0, file.1))
            });
        });
        play(&running, &self.fields)
    }
}

/// The data of a server, as one file.
fn secret() -> Vec<u8> {
    let data = tempfile::tempdir().unwrap();
    drop(start(data.path(), |_| ()));
    let to = data.path().join("whole.sqlite");
    let disk = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    let whole = to.to_str().unwrap();
    disk.execute("vacuum into ?1", [whole]).unwrap();
    std::fs::read(to).unwrap()
}

#[test]
fn a_place_receives_the_same_bytes_whatever_it_did_not_see() {
    let secret = secret();
    let (mut made, mut differing, mut places) = (BTreeSet::new(), 0, 0);
    for mut fields in games() {
        fields.push(("page", "worlds apart".to_owned()));
        let mut world = World { cards: Vec::new(), fields };
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/formats");
        world.cards = std::fs::read(format!("{folder}/{}/cards.csv", world.game())).unwrap();
        let one = world.played(&secret);
        made.extend(one.made.iter().cloned());
        for (place, sent) in &one.sent {
            let (other, changed) = world.without(sent);
            let about = format!("{:?}, {place}", &world.fields[0]);
            assert!(changed > 10, "{about}: it saw nearly all");
            let other = other.played(&secret);
            let lines = one.plain[place].lines().zip(other.plain[place].lines());
            let differ = lines.clone().find(|(one, other)| one != other);
            assert_eq!(differ, None, "{about}");
            assert_eq!(one.plain[place], other.plain[place], "{about}");
            places += 1;
            let is_apart = |(at, sent): (&String, &String)| *sent != other.plain[at];
            differing += usize::from(one.plain.iter().any(is_apart));
        }
    }
    // The worlds are two: other places see the difference, unless it is in a pile that nobody saw.
    assert!(2 * differing > places, "{differing} of {places}");
    for step in 0..STEPS {
        let line = line(step, "A", "B", &[]);
        assert!(made.contains(line.split(' ').next().unwrap()), "{line}");
    }
}
