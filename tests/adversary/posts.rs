//! Whatever bytes come to a route that takes any: it is answered, with no defect, and the server
//! goes on. What a route understands is changed further, so that a new route is tried by itself.

use super::support::{Answer, Browser, LEGAL, raw};
use super::world::{EVENT, Folders, Served, Table, path, times};
use decklaw::serve::{Needs, Route, routes};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Requests of each route in a run of the tests, and how long all of them may take: some routes
/// work something out.
const EACH: usize = 60;
const LONGEST: Duration = Duration::from_millis(1500);

/// The most that the server itself may take, in MiB.
const MOST: u64 = 512;

/// Decks and tables in whatever readers take.
const CORPUS: [&[u8]; 11] = [
    include_bytes!("../../fuzz/corpus/deck_foreign/d.cod"),
    include_bytes!("../../fuzz/corpus/deck_foreign/d.csv"),
    include_bytes!("../../fuzz/corpus/deck_foreign/d.dek"),
    include_bytes!("../../fuzz/corpus/deck_foreign/d.ydk"),
    include_bytes!("../../fuzz/corpus/deck_foreign/pasted.txt"),
    include_bytes!("../../fuzz/corpus/deck_text/deck.json"),
    include_bytes!("../../fuzz/corpus/deck_text/deck.yaml"),
    include_bytes!("../../fuzz/corpus/deck_text/ebb.txt"),
    include_bytes!("../../fuzz/corpus/form/1.csv"),
    include_bytes!("../../fuzz/corpus/format_file/vastrix.yaml"),
    include_bytes!("../../fuzz/corpus/card_query/1"),
];

/// Numbers at their limits and parts of JSON, forms and heads, one between two bars.
const WORDS: &[u8] = b"0|-1|4294967296|18446744073709551616|-9223372036854775809|1e999|1e-999|\
    99999999999999999999999999999999999999999999|NaN|null|true|[]|{}|\"|\\u0000|\\ud800|\0|\
    \xff\xfe|\xc3\x28|\xed\xa0\x80|\xe2\x80\xae\xef\xbb\xbf|%|%00|%ff%fe|&|=|\r\n\r\n|../../";

/// One of the words.
fn word(chance: &mut Chance) -> Vec<u8> {
    let words: Vec<&[u8]> = WORDS.split(|byte| *byte == b'|').collect();
    chance.of(&words).to_vec()
}

/// Numbers that are the same in each run from the same start.
struct Chance(u64);

impl Chance {
    /// A number below another one.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16;
        (drawn % end.max(1) as u64) as usize
    }

    /// One of some.
    fn of<'a, T: ?Sized>(&mut self, some: &[&'a T]) -> &'a T {
        some[self.below(some.len())]
    }
}

/// A workbook's first bytes, and one whole.
fn workbooks() -> Vec<Vec<u8>> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write(0, 0, "name").unwrap();
    sheet.write(0, 1, "count").unwrap();
    sheet.write(1, 0, "Rain Caller").unwrap();
    sheet.write(1, 1, 3).unwrap();
    let whole = book.save_to_buffer().unwrap();
    let base64 = data_encoding::BASE64.encode(&whole).into_bytes();
    vec![base64, whole[..60].to_vec(), whole]
}

struct World {
    served: Served,
    /// A browser that has every key.
    browser: Browser,
    parts: BTreeMap<&'static str, Vec<String>>,
    /// The state that the last answer told of.
    rev: i64,
    folders: Folders,
}

/// Where a body has this number, it is sent with the state that the last answer told of.
const REV: i64 = 987_654_321;

/// Another event than the one that is attacked, in which whoever closes that one closes nothing.
const OTHER: &str = "/e/saturday";

fn world() -> World {
    let folders = Folders::new(&[]);
    let other = folders.aside("saturday");
    let terms = [
        "--format",
        "shell",
        "--as-of",
        "2026-03-01",
        "--banlist",
        "none",
    ];
    let made = folders.command(&[&["event", "new", path(&other)], &terms]);
    assert!(made.status.success());
    let mut call = folders.call();
    call.arg("--event").arg(&other);
    let served = Served::start(call).unwrap_or_else(|_| panic!("it does not serve"));
    let mut browser = served.host();
    let fields = [("name", "Ada"), ("deck", LEGAL), ("do", "hand-in")];
    assert_eq!(browser.form(EVENT, &fields).status, 200);
    let table = Table::lay(&served);
    let one = |text: &str| vec![text.to_owned()];
    let parts = BTreeMap::from([
        ("{event}", one("friday")),
        ("{player}", vec!["p001".to_owned(), "p999".to_owned()]),
        ("{table}", one(&table.id)),
        ("{key}", vec![table.key().to_owned(), "none".to_owned()]),
        ("{*format}", one("shell")),
    ]);
    World {
        served,
        browser,
        parts,
        rev: 1,
        folders,
    }
}

/// Bodies that some route understands.
fn seeds(world: &World) -> Vec<Vec<u8>> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let deck: serde_json::Value = serde_json::from_slice(CORPUS[5]).unwrap();
    let find = json!({"query": "mana<=2", "from": 0, "most": 60, "sort": "mana", "own": true});
    let odds = json!({"queries": ["1+ [mana<=2]"], "hand": 7, "deal": 3, "seed": "x"});
    let mut all = vec![
        json!({"format": "shell", "deck": deck, "find": find, "look": ["Rain Caller"],
               "into": "main", "tell": ["Moss Sprite"], "stats": true}),
        json!({"format": "shell", "deck": deck, "odds": odds}),
        json!({"format": "shell", "deck": deck, "own": true}),
        json!({"format": "shell", "deck": deck}),
        json!({"format": "shell", "one": deck, "other": {"format": "shell"}}),
        json!({"rev": REV, "deck": deck, "note": "a state"}),
        json!({"format": "shell", "table": text(CORPUS[1])}),
        json!({"rev": REV, "do": {"move": {"do": "draw", "by": "A", "from": "draw_pile", "to": "hand", "count": 1}}}),
        json!({"rev": REV, "do": {"move": {"do": "count", "by": "B", "seat": "A", "counter": "goal", "change": -1}}}),
        json!({"rev": REV, "do": {"answer": {"option": 0, "cards": [[0, 1]]}}}),
        json!({"rev": REV, "do": {"agree": true}}),
        json!({"rev": REV, "do": {"end": {"won": "A", "words": "at home"}}}),
    ];
    for words in [
        &["e001", "counts"][..],
        &["e001", "is", "Ada"],
        &["p001", "table", "4"],
        &["draw"],
    ] {
        all.push(json!({"do": "decide", "words": words}));
    }
    all.push(json!({"do": "undo", "decision": 1}));
    all.push(json!({"ask": "view", "format": "shell", "deck": deck}));
    all.push(json!({"ask": "faces", "format": "shell", "cards": ["Moss Sprite"], "size": "slice"}));
    all.push(json!({"do": "key", "player": "p001"}));
    all.push(
        json!({"do": "about", "name": "Friday", "deadline": null, "zone": "UTC", "late": "last"}),
    );
    for bytes in CORPUS {
        all.push(json!({"format": "shell", "text": text(bytes)}));
        all.push(json!({"deck": text(bytes)}));
        all.push(json!({"do": "check", "player": "p001", "deck": text(bytes)}));
        all.push(json!({"do": "enter", "player": "p001", "deck": text(bytes)}));
    }
    for (input, at) in [("cod", 0), ("csv", 1), ("dek", 2), ("ydk", 3), ("yaml", 6)] {
        let file = format!("deck.{input}");
        all.push(
            json!({"format": "shell", "text": text(CORPUS[at]), "input": input, "file": file}),
        );
    }
    for book in workbooks() {
        all.push(json!({"format": "shell", "text": text(&book), "file": "deck.xlsx"}));
        all.push(json!({"deck": text(&book), "file": "deck.ods"}));
    }
    let mut all: Vec<Vec<u8>> = all.iter().map(|one| one.to_string().into_bytes()).collect();
    let encoded = super::support::encoded;
    let legal = encoded(LEGAL);
    for form in [
        format!("deck={legal}&format=shell&file="),
        format!("name=Grace&deck={legal}&do=hand-in&file=deck.txt"),
        format!("name=Mary&deck={legal}&do=anyway"),
        format!("deck={legal}&do=check"),
        "list=none&do=show".to_owned(),
        "players=Ada%0AGrace%0AEdsger".to_owned(),
        "format=shell&title=Other&day=2026-03-01&list=none&due=2026-03-01T18:00&zone=UTC&late=mark&players=Ada".to_owned(),
        format!("format=shell&deck-1={legal}&deck-2={legal}&name-1=A&chance=text&seed=x"),
        "format=vastrix&option-players=2&chance=shares".to_owned(),
        format!("format=shell&deck={legal}&seats=4&name=Ann&title=T&option-game=1&chance=system"),
        format!("deck={legal}&name=Ben&do=build"),
        "draft=none&name=Ben&do=close".to_owned(),
        format!("ask={}", encoded(&json!({"format": "shell", "deck": deck}).to_string())),
    ] {
        all.push(form.into_bytes());
    }
    let keys = world.browser.cookies.values().chain([&world.served.key]);
    all.extend(keys.map(|key| format!("key={key}&next=/").into_bytes()));
    all.extend(CORPUS.map(<[u8]>::to_vec));
    all.extend(workbooks());
    all
}

/// Another body: as an adversary would write it.
fn changed(body: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut body = body.to_vec();
    for _ in 0..=chance.below(3) {
        let at = chance.below(body.len() + 1);
        let end = (at + chance.below(40)).min(body.len());
        match chance.below(9) {
            0 if at < body.len() => body[at] ^= 1 << chance.below(8),
            1 => {
                body.splice(at..at, word(chance));
            }
            2 => drop(body.drain(at..end)),
            3 => {
                let part = body[at..end].repeat(1 + chance.below(200));
                body.splice(at..at, part);
            }
            4 => body.truncate(at),
            // A number, or a word in quotes, is another one.
            5 => {
                let digit = (at..body.len()).find(|at| body[*at].is_ascii_digit());
                if let Some(digit) = digit {
                    body.splice(digit..=digit, word(chance));
                }
            }
            6 => {
                let open: &[u8] = chance.of(&[&b"["[..], b"{\"a\":", b"<a>", b"- ", b"("]);
                let many = 1 + chance.below(12_000);
                body.splice(at..at, open.repeat(many));
            }
            7 => {
                let part: &[u8] = chance.of(&CORPUS);
                body.splice(at..end, part.iter().copied());
            }
            _ => {
                let other = chance.below(256) as u8;
                body.splice(at..at, std::iter::repeat_n(other, chance.below(4000)));
            }
        }
    }
    // What is larger is refused by its length alone.
    body.truncate(64 << 10);
    body
}

impl World {
    /// A path of a route: the first one that is there, or another one by chance.
    fn path(&self, route: &Route, chance: &mut Chance) -> String {
        let parts = self.parts.iter();
        let path = parts.fold(route.path.to_owned(), |path, (part, values)| {
            let at = chance.below(4 * values.len());
            path.replace(part, values.get(at).unwrap_or(&values[0]))
        });
        // A part that a new route has.
        match path.split_once('{') {
            Some((before, rest)) => {
                format!(
                    "{before}none{}",
                    rest.split_once('}').map_or("", |(_, after)| after)
                )
            }
            None => path,
        }
    }

    fn send(&mut self, route: &Route, body: &[u8], chance: &mut Chance) -> Answer {
        let number = REV.to_string();
        let mut body = body.to_vec();
        let at = body
            .windows(number.len())
            .position(|part| part == number.as_bytes());
        if let Some(at) = at {
            body.splice(at..at + number.len(), self.rev.to_string().into_bytes());
        }
        let mut path = self.path(route, chance);
        if path.ends_with("/import") {
            let upload = super::support::encoded(&json!({"name": "form.csv"}).to_string());
            path.push_str(&format!(
                "?upload={upload}&confirm={}",
                chance.below(2) == 0
            ));
        }
        let form = "application/x-www-form-urlencoded";
        let kind = match (chance.below(24), route.path.starts_with("/api/")) {
            (0, _) => "text/plain",
            (1, true) | (2.., false) => form,
            _ => "application/json",
        };
        let head = [("Content-Type", kind)];
        let request = self.browser.request(route.method, &path, &head, &body);
        let told = raw(self.served.address, &request);
        if let Ok(json) = serde_json::from_slice::<serde_json::Value>(&told.body) {
            let rev = json["rev"].as_i64().or(json["view"]["rev"].as_i64());
            self.rev = rev.unwrap_or(self.rev);
        }
        told
    }
}

#[test]
fn no_bytes_make_a_route_fail() {
    let told = std::env::var("DECKLAW_SEED").ok();
    let seed: u64 = told.map_or(7, |told| told.parse().unwrap());
    println!("from DECKLAW_SEED={seed}");
    let mut world = world();
    let seeds = seeds(&world);
    let (mut sent, mut understood, mut hands) = (0, 0, 0);
    let changing = routes().into_iter().filter(|route| route.method != "GET");
    for (number, route) in changing.enumerate() {
        let mut chance = Chance(0x9e37_79b9_7f4a_7c15 ^ (seed << 32) ^ (number as u64 + 1));
        let (mut known, mut turns) = (Vec::<Vec<u8>>::new(), 0);
        let began = Instant::now();
        // What a host opens stays open: of that no more is tried.
        let times = if route.needs == Needs::Host {
            1
        } else {
            times()
        };
        let longest = LONGEST * times as u32;
        for turn in 0..seeds.len() + EACH * times {
            if began.elapsed() > longest {
                break;
            }
            let body = match seeds.get(turn) {
                Some(seed) => seed.clone(),
                None if known.is_empty() => changed(&seeds[chance.below(seeds.len())], &mut chance),
                None => changed(&known[chance.below(known.len())], &mut chance),
            };
            let told = world.send(&route, &body, &mut chance);
            let text = told.text();
            let case = || {
                let begins = String::from_utf8_lossy(&body[..body.len().min(2000)]);
                format!("{} {} turn {turn}: {begins}", route.method, route.path)
            };
            assert!(told.status > 0, "no answer: {}", case());
            assert!(!text.contains("a defect"), "{}\n{text}", case());
            sent += 1;
            turns += 1;
            if told.status < 400 {
                understood += 1;
                known.push(body);
            }
        }
        // It goes on.
        let mut player = Browser::new(world.served.address);
        hands += 1;
        let name = format!("Player {hands}");
        let fields = [("name", &*name), ("deck", LEGAL), ("do", "hand-in")];
        let told = player.form(OTHER, &fields);
        assert!(
            told.text().contains("Handed in"),
            "{}: {}",
            route.path,
            told.text()
        );
        let own = world.served.memory();
        println!(
            "{} {}: {} of {turns} understood; {own} MiB",
            route.method,
            route.path,
            known.len()
        );
        assert!(own < MOST, "{}: {own} MiB", route.path);
    }
    let own = world.served.memory();
    println!("{sent} were sent, {understood} were understood; {own} MiB");
    assert!(understood * 20 > sent, "little of it is understood");
    let told = world
        .folders
        .command(&[&["event", "status", path(&world.folders.event())]]);
    // Some of these decks are illegal.
    assert_ne!(told.status.code(), Some(2), "{}", super::world::said(&told));
    let said = world.served.end();
    assert!(!said.contains("panicked"), "{said}");
}
