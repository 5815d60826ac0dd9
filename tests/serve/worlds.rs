//! Non-interference, at the server's own door: two tables that are equal in what a place saw send
//! it the same bytes, heads, pages, views, refusals and the stream of changes included. What a
//! table has for itself is left out: its address, the page's token, times, and digests, which
//! bind what is hidden and tell nothing of it. `tests/matches/worlds.rs` compares the views of
//! every game and mode, with moves of every kind.

use super::chairs::{Chair, games, set_up, sit_down};
use super::support::{Browser, Laid, Running, start};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
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
            let read = self.line.read(&mut next).unwrap();
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
            assert!(frame || last.parse::<i64>().is_ok() || last.is_empty());
        }
        format!("{head}\n{last}\n")
    }
}

/// What was sent, without what is of this table alone.
fn plain(sent: &[u8], laid: &Laid, token: &str) -> String {
    let text = String::from_utf8_lossy(sent).replace(&laid.id, "TABLE");
    let text = text.replace(token, "TOKEN");
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
    sent: BTreeMap<String, String>,
    /// What each seat holds at the end.
    hands: Vec<Value>,
    /// Who began, and all that lies open for everybody, state after state.
    open: Vec<Value>,
}

/// Where cards lie hidden from others, or face by face.
const HIDING: [&str; 4] = ["grid", "point_row", "enduring_row", "abilities"];

/// Plays a game: the seats of `openly` lay cards open, others show nothing.
fn played(
    running: &Running,
    host: &mut Browser,
    fields: &[(&'static str, String)],
    openly: &[&str],
) -> Played {
    let (laid, mut chairs, mut onlooker) = sit_down(running, host, fields);
    let mut heard: Vec<Heard> = chairs.iter().chain([&onlooker]).map(Heard::of).collect();
    set_up(&mut chairs);
    let mut open = Vec::new();
    for step in 0..14 {
        let rev = onlooker.look()["rev"].clone();
        for heard in &mut heard {
            heard.until(&rev);
        }
        let zones = onlooker.view["zones"].as_array().unwrap().iter();
        let names = zones.flat_map(|zone| zone["cards"].as_array().into_iter().flatten());
        let names: Vec<&Value> = names.map(|card| &card["name"]).collect();
        open.push(json!([
            onlooker.view["first"],
            onlooker.view["rolls"],
            names
        ]));
        let active = onlooker.view["active"].as_str().unwrap().to_owned();
        for chair in &mut chairs {
            chair.look();
        }
        let chair = &mut chairs[usize::from(active.as_bytes()[0] - b'A')];
        let zones = chair.view["zones"].as_array().unwrap().clone();
        let hides = zones.iter().filter_map(|zone| zone["zone"].as_str());
        let hides = hides.filter(|zone| zone.starts_with(&active) || !zone.contains('.'));
        let hides: Vec<&str> = hides
            .filter(|zone| HIDING.contains(&zone.rsplit('.').next().unwrap()))
            .collect();
        let row = hides.first().copied().unwrap_or("hand");
        let line = match step % 7 {
            0 => "draw".to_owned(),
            1 => format!("move hand 0 {row} down"),
            2 => "shuffle hand".to_owned(),
            3 if openly.contains(&active.as_str()) => format!("move hand 1 {row} up"),
            3 => "draw 2".to_owned(),
            4 => "look hand 0".to_owned(),
            // Refused, in words.
            5 => "move hand 99 hand".to_owned(),
            _ => "pass".to_owned(),
        };
        let told = chair.act(json!({ "move": line }));
        assert!([200, 422].contains(&told.status), "{line}: {}", told.text());
    }
    let mut hands = Vec::new();
    for chair in &mut chairs {
        let seat = chair.base.rsplit('/').next().unwrap().to_owned();
        chair.look();
        hands.push(json!(chair.names(&format!("{seat}.hand"))));
    }
    let rev = onlooker.look()["rev"].clone();
    let mut sent = BTreeMap::new();
    for (chair, heard) in chairs.iter().chain([&onlooker]).zip(&mut heard) {
        heard.until(&rev);
        let all = [&chair.sent[..], heard.told().as_bytes()].concat();
        let place = chair.base.rsplit('/').next().unwrap().to_owned();
        sent.insert(place, plain(&all, &laid, &chair.browser.token));
    }
    Played { sent, hands, open }
}

/// The first lines in which two texts differ.
fn differ<'t>(one: &'t str, other: &'t str) -> Option<(&'t str, &'t str)> {
    let mut lines = one.lines().zip(other.lines());
    let found = lines.find(|(a, b)| a != b);
    found.or((one != other).then_some((one, other)))
}

/// The fields of a form with other cards in the second deck, as many and where nobody else sees
/// them, and still a deck that may be played.
fn other_cards(
    host: &mut Browser,
    fields: &[(&'static str, String)],
) -> Vec<(&'static str, String)> {
    let game = fields[0].1.split('/').next().unwrap();
    let csv = format!("{}/formats/{game}/cards.csv", env!("CARGO_MANIFEST_DIR"));
    let mut rows = csv::Reader::from_path(csv).unwrap();
    let pool: Vec<String> = rows
        .records()
        .map(|row| row.unwrap()[0].to_owned())
        .collect();
    let mut now = fields.to_vec();
    let at = now.iter().position(|(key, _)| *key == "deck-2").unwrap();
    let mut changed = 0;
    let lines: Vec<String> = now[at].1.lines().map(str::to_owned).collect();
    let main = lines.iter().position(|line| line.starts_with("Main"));
    for line in &lines[main.unwrap_or(0)..] {
        let Some((count, name)) = line.split_once(' ').filter(|_| changed < 3) else {
            continue;
        };
        let Some(known) = pool.iter().position(|card| card == name) else {
            continue;
        };
        let near = pool[known + 1..].iter().take(8);
        for card in near.filter(|card| !now[at].1.contains(card.as_str())) {
            let mut tried = now.clone();
            tried[at].1 = now[at]
                .1
                .replace(&format!("\n{line}\n"), &format!("\n{count} {card}\n"));
            let form: Vec<(&str, &str)> = tried.iter().map(|(a, b)| (*a, b.as_str())).collect();
            if tried != now && host.form("/t/new", &form).status == 200 {
                now = tried;
                changed += 1;
                break;
            }
        }
    }
    assert!(changed > 1, "{game}: another deck can be played");
    now
}

#[test]
fn what_another_seat_holds_changes_no_byte_that_is_sent() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let own = games().into_iter();
    for mut fields in own.filter(|fields| fields.iter().any(|(key, _)| *key == "deck-2")) {
        fields.extend([
            ("chance", "text".to_owned()),
            ("seed", "worlds apart".to_owned()),
            ("title", "A table".to_owned()),
        ]);
        let others = other_cards(&mut host, &fields);
        let one = played(&running, &mut host, &fields, &["A"]);
        let other = played(&running, &mut host, &others, &["A"]);
        let game = &fields[0].1;
        assert_eq!(one.hands[0], other.hands[0], "{game}");
        assert!(differ(&one.sent["B"], &other.sent["B"]).is_some(), "{game}");
        for place in ["A", "onlooker"] {
            let found = differ(&one.sent[place], &other.sent[place]);
            assert_eq!(found, None, "{game}, {place}");
        }
    }
}

#[test]
fn onlookers_are_sent_the_same_bytes_of_every_deal_that_shows_them_the_same() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let all = games();
    let wanted = [
        "versus/normal",
        "versus/fast-shared",
        "vainqueur",
        "vastrix",
    ];
    for game in wanted {
        let fields = all.iter().find(|fields| fields[0].1 == game).unwrap();
        let mut alike: BTreeMap<String, Played> = BTreeMap::new();
        let (mut compared, tables) = (0, if game == "vastrix" { 30 } else { 5 });
        for number in 0..tables {
            let mut fields = fields.clone();
            fields.extend([
                ("chance", "text".to_owned()),
                ("seed", format!("world {number}")),
                ("title", "A table".to_owned()),
            ]);
            let now = played(&running, &mut host, &fields, &[]);
            let seen = json!(now.open).to_string();
            let Some(before) = alike.get(&seen) else {
                alike.insert(seen, now);
                continue;
            };
            assert_ne!(before.hands, now.hands, "{game}: the deals differ");
            let found = differ(&before.sent["onlooker"], &now.sent["onlooker"]);
            assert_eq!(found, None, "{game}");
            compared += 1;
        }
        assert!(compared > 0, "{game}: some deals look alike");
    }
}
