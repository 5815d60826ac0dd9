//! The answers to a page without a server, through the doors that JavaScript has.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use decklaw_ask::{Folder, Library, WRITERS};
use decklaw_judge::Judge;
use decklaw_wasm::{LONGEST, VERSION, answer, answer_length, answered, reserve, version};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

const DAY: &str = "2026-06-01";

/// What lies in the module's memory at the answer's place.
#[allow(unsafe_code, reason = "JavaScript reads this memory, too")]
fn lies(place: *const u8, length: usize) -> Vec<u8> {
    unsafe { std::slice::from_raw_parts(place, length) }.to_vec()
}

/// Hands a message in as JavaScript does, and gives the bytes of the answer.
#[allow(unsafe_code, reason = "JavaScript writes into this memory, too")]
fn answer_bytes(message: &[u8]) -> Vec<u8> {
    let place = reserve(message.len());
    assert!(!place.is_null());
    unsafe { std::ptr::copy_nonoverlapping(message.as_ptr(), place, message.len()) };
    let place = answer();
    lies(place, answer_length())
}

fn answered_json(message: &Value) -> Value {
    let bytes = answer_bytes(message.to_string().as_bytes());
    serde_json::from_slice(&bytes).unwrap()
}

/// The message that asks a question.
fn asking(question: &Value) -> Value {
    let mut message = question.clone();
    message["day"] = json!(DAY);
    message
}

/// Whether it is a problem and no answer.
fn is_problem(answered_json: &Value) -> bool {
    answered_json["kind"].is_string() && answered_json["message"].is_string()
}

/// The answer to a question.
fn asked(question: Value) -> Value {
    let answered_json = answered_json(&asking(&question));
    assert!(!is_problem(&answered_json), "{answered_json}");
    answered_json
}

/// Why there is none.
fn refused(message: &[u8]) -> Value {
    let answered_json: Value = serde_json::from_slice(&answer_bytes(message)).unwrap();
    assert!(is_problem(&answered_json), "{answered_json}");
    assert_ne!(answered_json["kind"], "defect", "{answered_json}");
    answered_json
}

/// The message that makes a game that is built in.
fn beginning(game: &str) -> Value {
    let judge = Judge::built_in(DAY.parse().unwrap());
    let folder = Folder::of(&judge, game, true).unwrap();
    json!({"day": DAY, "begin": folder})
}

fn begin(game: &str) {
    assert_eq!(answered_json(&beginning(game)), json!({"version": VERSION.trim_end()}));
}

fn games() -> Vec<String> {
    let judge = Judge::built_in(DAY.parse().unwrap());
    judge.catalogue().games().map(str::to_owned).collect()
}

/// Numbers that look like chance and are the same at each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((self.0 >> 33) % most as u64).unwrap()
    }
}

/// A format with its sections, some of its cards, and one query.
struct Made {
    format: String,
    sections: Vec<String>,
    cards: Vec<String>,
    query: Option<String>,
}

impl Made {
    /// The formats of the game that is begun.
    fn all() -> Vec<Made> {
        let games = asked(json!({"ask": "format"}));
        let formats = games["games"][0]["formats"].as_array().unwrap().iter();
        formats.map(|format| Made::of(format["format"].as_str().unwrap())).collect()
    }

    fn of(format: &str) -> Made {
        let page = asked(json!({"ask": "format", "format": format}));
        let deck = json!({"format": format, "sections": {}});
        let search = json!({"query": "", "most": 200});
        let view = asked(json!({"ask": "view", "format": format, "deck": deck, "search": search}));
        let texts = |list: &Value, key: &str| -> Vec<String> {
            let each = list.as_array().unwrap().iter();
            each.map(|entry| entry[key].as_str().unwrap().to_owned()).collect()
        };
        Made {
            format: format.to_owned(),
            sections: texts(&page["sections"], "id"),
            cards: texts(&view["search"]["cards"], "name"),
            query: page["hands"][0]["query"].as_str().map(str::to_owned),
        }
    }

    /// A deck that is often wrong, in whatever way.
    fn deck(&self, dice: &mut Dice) -> Value {
        let mut sections = serde_json::Map::new();
        for section in &self.sections {
            let lines = (0..dice.below(30)).map(|_| {
                let copies = 1 + dice.below(5);
                match dice.below(40) {
                    0 => json!("2 Nobody Has Heard Of It"),
                    _ if self.cards.is_empty() => json!(format!("{copies} Anything")),
                    _ => json!(format!("{copies} {}", self.cards[dice.below(self.cards.len())])),
                }
            });
            sections.insert(section.clone(), lines.collect());
        }
        json!({"format": self.format, "name": "Made", "sections": sections})
    }

    /// All that a click asks.
    fn view(&self, deck: &Value) -> Value {
        let queries: Vec<&String> = self.query.iter().collect();
        let odds = [
            json!({"effort": 0.04}),
            json!({"queries": queries, "deal": 3, "seed": "spring", "effort": 0.04}),
        ];
        json!({"ask": "view", "format": self.format, "deck": deck, "odds": odds, "stats": true, "search": {"query": "", "most": 5}})
    }

    /// Everything that is asked of a deck.
    fn questions(&self, deck: &Value) -> Vec<Value> {
        let queries: Vec<&String> = self.query.iter().collect();
        let mut all = vec![self.view(deck)];
        let ask = |name: &str, more: Value| {
            let mut question = json!({"ask": name, "format": self.format, "deck": deck});
            question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            question
        };
        all.extend([
            ask("tune", json!({"queries": queries, "changes": 1, "effort": 0.08})),
            ask("fix", json!({"effort": 0.08})),
            ask("build", json!({"seed": "a", "effort": 0.16})),
            ask("compare", json!({"with": deck})),
        ]);
        let kinds = WRITERS.iter();
        all.extend(kinds.map(|(kind, ..)| ask("write", json!({"to_format": kind}))));
        all
    }
}

/// A page without a server replays a match of its game.
#[test]
fn a_match_is_replayed() {
    begin("versus");
    let mut files = include_str!("../../../tests/matches/golden.ndjson").lines();
    let file = files.find(|file| file.contains("\"format\":\"versus/fast\"")).unwrap();
    let shown = asked(json!({"ask": "replay", "match": file}));
    let hand = |shown: &Value| {
        let mut zones = shown["zones"].as_array().unwrap().iter();
        zones.find(|zone| zone["zone"] == "A.hand").unwrap()["cards"].clone()
    };
    assert_eq!((&shown["at"], &hand(&shown)), (&json!(0), &Value::Null));
    let open = asked(json!({"ask": "replay", "match": shown["match"], "seat": "open"}));
    assert_eq!(hand(&open).as_array().unwrap().len(), 5);
    for wrong in ["{}", &"0".repeat(64), "no match"] {
        refused(asking(&json!({"ask": "replay", "match": wrong})).to_string().as_bytes());
    }
}

/// An answer without the digests of the rules: a page's game is in a folder, and not built in.
fn plain(mut answer: Value) -> Value {
    match &mut answer {
        Value::Object(object) => {
            object.remove("rules");
            object.values_mut().for_each(|value| *value = plain(value.take()));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| *value = plain(value.take())),
        _ => {}
    }
    answer
}

/// Every question of every format is answered as the library answers it, or refused with the same
/// problem; and the deck after the changes of a repair is the repaired one. With `DECKLAW_TRANSCRIPT`
/// all messages and their answers are written to that file, so that the module in a browser can be held
/// to them.
#[test]
fn a_page_is_told_what_the_library_says() {
    let library = Library::from(Judge::built_in(DAY.parse().unwrap()));
    let mut transcript = String::new();
    let mut note = |message: &Value| {
        let bytes = answer_bytes(message.to_string().as_bytes());
        let answer = String::from_utf8(bytes).unwrap();
        // An answer may have lines of its own.
        writeln!(transcript, "{message}\n{}", json!(answer)).unwrap();
        serde_json::from_str::<Value>(&answer).unwrap()
    };
    let mut dice = Dice(8);
    for game in games() {
        assert!(!is_problem(&note(&beginning(&game))));
        for made in Made::all() {
            let mut same = |question: Value| {
                let answer = note(&asking(&question));
                let own = serde_json::from_value(question.clone()).unwrap();
                let own = match decklaw_ask::ask(&library, own) {
                    Ok(own) => json!(own),
                    Err(problem) => json!(problem),
                };
                assert_ne!(answer["kind"], "defect", "{question}");
                assert_eq!(plain(answer.clone()), plain(own), "{question}");
                answer
            };
            for _ in 0..5 {
                let deck = made.deck(&mut dice);
                let fix =
                    json!({"ask": "fix", "format": made.format, "deck": deck, "effort": 0.08});
                let fixed = same(fix);
                // One as it comes, and what its repair makes of it.
                made.questions(&deck).into_iter().for_each(|question| drop(same(question)));
                if fixed["changes"].is_array() {
                    let deck = repaired(&deck, &fixed["changes"]);
                    let view = same(made.view(&deck));
                    for key in ["verdict", "hash"] {
                        assert_eq!(view["check"][key], fixed["after"][key], "{deck}");
                    }
                    let text = format!("Main\n{}\n", deck["sections"]);
                    same(json!({"ask": "read", "format": made.format, "deck": text}));
                    made.questions(&deck).into_iter().for_each(|question| drop(same(question)));
                }
            }
        }
    }
    if let Some(file) = std::env::var_os("DECKLAW_TRANSCRIPT") {
        std::fs::write(file, transcript).unwrap();
    }
}

/// A deck after the changes of a repair.
fn repaired(deck: &Value, changes: &Value) -> Value {
    let mut after = deck.clone();
    for change in changes.as_array().unwrap() {
        let [section, card] = ["section", "card"].map(|key| change[key].as_str().unwrap());
        let mut lines = after["sections"][section].as_array().cloned().unwrap_or_default();
        lines.retain(|line| line.as_str().unwrap().split_once(' ').unwrap().1 != card);
        if change["to"] != 0 {
            lines.push(json!(format!("{} {card}", change["to"])));
        }
        after["sections"][section] = json!(lines);
    }
    after
}

#[test]
fn what_is_no_question_is_refused() {
    let games = json!({"ask": "format"});
    refused(asking(&games).to_string().as_bytes());
    refused(b"");
    refused(b"\xff\xfe{}");
    refused(b"{\"begin\": {}}");
    refused("[".repeat(100_000).as_bytes());
    refused(vec![b'x'; 20 << 20].as_slice());
    begin("shell");
    for wrong in [
        asking(&json!({"ask": "nothing"})),
        asking(&json!({"format": "shell"})),
        json!({"day": "tomorrow", "ask": "format"}),
        json!({"ask": "format"}),
        asking(&json!({"ask": "format", "format": "no-such-format"})),
        asking(
            &json!({"ask": "write", "format": "shell", "deck": {"sections": {}}, "to_format": "spell"}),
        ),
        asking(&json!({"ask": "compare", "format": "shell", "deck": 3, "with": []})),
        asking(&json!({"ask": "fix", "format": "shell", "deck": "no deck"})),
        asking(&json!({"ask": "fix", "format": "shell", "deck": {}, "efort": 1})),
        asking(&json!({"ask": "cards", "format": "shell", "collection": "\u{0}"})),
    ] {
        refused(wrong.to_string().as_bytes());
    }
    // None of it took the game away.
    asked(json!({"ask": "format"}));
}

#[test]
fn a_question_is_as_long_as_its_place() {
    begin("shell");
    assert!(answer_length() > 0);
    assert!(reserve(LONGEST + 1).is_null());
    assert_eq!(answer_length(), 0);
    assert!(reserve(usize::MAX).is_null());
    // A message is answered once, and one that found no place is none.
    answer();
    let none: Value = serde_json::from_slice(&lies(answer(), answer_length())).unwrap();
    assert_eq!(none["kind"], "query");
    let long = "1 Moss Sprite\n".repeat(1_500_000);
    let long = asking(&json!({"ask": "read", "format": "shell", "deck": long, "file": "deck.txt"}));
    assert!(long.to_string().len() > 20 << 20);
    assert_ne!(answered_json(&long)["kind"], "defect");
    asked(json!({"ask": "format"}));
}

#[test]
fn a_game_that_cannot_be_made_leaves_none() {
    begin("shell");
    let judge = Judge::built_in(DAY.parse().unwrap());
    let other = judge.catalogue().games().find(|id| *id != "shell").unwrap();
    begin(other);
    assert_eq!(asked(json!({"ask": "format"}))["games"][0]["id"], other);
    let mut broken = beginning("shell");
    broken["begin"]["day"] = json!("tomorrow");
    let why = refused(broken.to_string().as_bytes());
    assert!(why["message"].as_str().unwrap().contains("tomorrow"), "{why}");
    refused(asking(&json!({"ask": "format"})).to_string().as_bytes());
    // A mistake in its files is reported at once.
    broken = beginning("shell");
    broken["begin"]["files"]["game.yaml"] = json!("name: [");
    let why = refused(broken.to_string().as_bytes());
    assert!(why["message"].as_str().unwrap().contains("game.yaml"), "{why}");
    begin("shell");
}

#[test]
fn a_list_that_comes_into_force_while_a_page_is_open_counts() {
    let judge = Judge::built_in(DAY.parse().unwrap());
    let mut folder = Folder::of(&judge, "shell", false).unwrap();
    // The sample would apply only where it is named.
    let list = &mut folder.lists[0].1;
    *list = list.replace("sample: true", "sample: false");
    assert!(list.contains("effective: 2026-01-01"));
    let (before, from) = ("2025-12-31", "2026-01-01");
    let begun = answered_json(&json!({"day": before, "begin": folder}));
    assert!(!is_problem(&begun), "{begun}");
    let page = |day: &str| {
        answered_json(&json!({"ask": "format", "format": "shell", "day": day})).to_string()
    };
    let (earlier, later) = (page(before), page(from));
    assert_ne!(earlier, later);
    assert_eq!(page(before), earlier);
}

#[test]
fn a_defect_is_the_answer_where_it_ends_the_module() {
    begin("shell");
    let fallen = catch_unwind(AssertUnwindSafe(|| panic!("seven is not a colour")));
    assert!(fallen.is_err());
    let answered_json: Value = serde_json::from_slice(&lies(answered(), answer_length())).unwrap();
    assert_eq!(answered_json["kind"], "defect");
    let message = answered_json["message"].as_str().unwrap();
    assert!(message.contains("seven is not a colour"), "{message}");
}

#[test]
fn the_version_stands_in_one_piece() {
    assert_eq!(lies(version(), VERSION.len()), VERSION.as_bytes());
}
