//! One name, one card: each place that takes a name takes every spelling that decks take, and no
//! other.

use crate::common::{command, root, table};
use decklaw::{Library, Question};
use serde_json::{Value, json};

/// A card of the shipped game, another name for it, spellings of that name, and what decks do not
/// take for it.
const SPELLINGS: [[&str; 4]; 2] = [
    [
        "Nettle Oath",
        "Mûr-Dûl's Vault",
        "MÛR-DÛL\u{2019}S  VAULT|Mu\u{302}r\u{2011}Du\u{302}l\u{2032}s\u{a0}Vault|Ｍûr-Dûl＇s Vault|Mûr\u{ad}-Dûl\u{b4}s\u{200b} Vault|Mur-Dul's Vault|Mûr-Dûls Vault|mur dul\u{2018}s vault|Murduls Vault",
        "Mur Dul Vault|Mûr-Dûl's|Mûr-Dûls\u{2014}Vaul|Mûr-Dûl's Vaults|Nettle Oath|Twin Moth",
    ],
    [
        "Wicker Herald",
        "Frost\u{2013}Æsh // Oﬃce's",
        "Frost-Aesh // Office's|Frost-Aesh/Office's|FROST-ÆSH//OFFICE\u{2019}S|frost\u{2014}aesh /Office's|Frost Aesh//Offices|Frost\u{a0}Æsh\u{a0}/\u{a0}Offices|Frost-Æsh|frost aesh",
        "Office's|Frost|Frost-Æsh // Ofice's|Frost-Æsh Office's|/|Twin Moth",
    ],
];

/// A folder with a deck of cards whose names are hard to type.
struct World {
    folder: tempfile::TempDir,
    library: Library,
    deck: String,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let renamed = |text: String| {
            SPELLINGS.iter().fold(text, |text, [old, name, ..]| text.replace(old, name))
        };
        let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
        let titled = |row: &str| {
            let name = SPELLINGS.iter().find(|[_, name, ..]| row.starts_with(name));
            name.map_or(row.to_owned(), |[_, name, ..]| row.replace(",SAMPLE", &format!(",{name}")))
        };
        let cards = renamed(read("formats/shell/cards.csv"));
        let cards = cards.lines().map(|row| titled(row) + "\n").collect::<String>();
        // Two cards that one loose spelling fits.
        let cards = cards + "Twin-Móth,spell,red,1,red,,\nTwin Moth\u{300},spell,red,1,red,,\n";
        let deck = renamed(read("decks/shell/ash-and-acorn.txt"));
        let deck = deck + "\nSide\n1 Rain Caller\n";
        let library = Library::built_in().with_cards("cards.csv", cards.as_bytes());
        let world = World { folder, library, deck };
        world.write("cards.csv", &cards);
        world.write("deck.txt", &world.deck);
        world
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.folder.path().join(file), text).unwrap();
    }

    /// What the program answers: its status and JSON, without what differs by the name alone.
    fn run(&self, arguments: &[&str]) -> Value {
        let all = [arguments, &["--cards", "shell=cards.csv"]].concat();
        let ran = command(self.folder.path(), &all).output().unwrap();
        let mut answer: Value = serde_json::from_slice(&ran.stdout).unwrap_or_default();
        unnamed(&mut answer);
        json!([ran.status.code(), answer])
    }

    /// What a question in the format is answered; nothing where it is refused.
    fn about(&self, mut question: Value) -> Value {
        question["format"] = "shell".into();
        let question: Question = serde_json::from_value(question).unwrap();
        let answer = decklaw::ask(&self.library, question);
        let mut answer = serde_json::to_value(answer.ok()).unwrap();
        unnamed(&mut answer);
        answer
    }

    /// The verdict on the deck by a list that has these lines.
    fn listed(&self, lines: &str) -> Value {
        let head =
            "schema: decklaw/banlist/1\nid: x\ngame: shell\nname: X\neffective: 2026-01-01\n";
        self.write("list.yaml", &format!("{head}{lines}"));
        self.run(&["check", "deck.txt", "--banlist", "list.yaml", "-o", "json"])
    }
}

/// Takes out what quotes the name as it was given, notices about it, and digests of files.
fn unnamed(answer: &mut Value) {
    match answer {
        Value::Object(object) => {
            for key in ["inputs", "keep", "message", "notes", "query", "rules", "sha256", "wish"] {
                object.remove(key);
            }
            object.retain(|_, value| value["code"] != "banned.lookalike");
            object.values_mut().for_each(unnamed);
        }
        Value::Array(items) => {
            items.retain(|item| {
                let code = item["code"].as_str().unwrap_or_default();
                !["banned.lookalike", "unknown-card.lookalike"].contains(&code)
            });
            items.iter_mut().for_each(unnamed);
        }
        _ => {}
    }
}

/// What a place of the table `places of names` answers to a name of a card. A row has lines of a
/// list, a question with what of its answer counts, or a call. NAME is the name in quotes, BARE the
/// name, DECK the deck, and LONG the deck with two cards too many.
fn answer(world: &World, row: &str, name: &str, card: &str) -> Value {
    let quoted = format!("\"{name}\"");
    let (kind, rest) = row.split_once(' ').unwrap_or((row, ""));
    match kind {
        "list" => world.listed(&rest.replace("; ", "\n").replace("NAME", &quoted)),
        "ask" => {
            let (question, place) = rest.rsplit_once(" @").unwrap();
            let (name, long) = (name.to_owned(), format!("{}2 Moss Sprite\n", world.deck));
            let filled =
                [("NAME", &quoted), ("BARE", &name), ("DECK", &world.deck), ("LONG", &long)];
            let question =
                filled.into_iter().fold(question.to_owned(), |question, (word, text)| {
                    let text = json!(text).to_string();
                    question.replace(word, &text[1..text.len() - 1])
                });
            world.about(serde_json::from_str(&question).unwrap()).pointer(place).cloned().into()
        }
        "call" => {
            let words = rest.split(' ').map(|word| word.replace("BARE", name)).collect::<Vec<_>>();
            world.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
        }
        "deck" => {
            world.write("spelt.txt", &world.deck.replace(card, name));
            world.run(&["check", "spelt.txt", "-o", "ndjson"])[1]["hash"].clone()
        }
        "checked" => {
            world.listed(&format!("banned: [{quoted}]"));
            world.run(&["banlist", "check", "list.yaml"])
        }
        "collection" => {
            let cards = world.deck.lines().filter_map(|line| line.split_once(' '));
            let cards = cards.filter(|(count, _)| count.parse::<u32>().is_ok());
            let rows = cards.map(|(count, own)| {
                format!("{count}.0,\"{}\"\n", if own == card { name } else { own })
            });
            world.write("own.csv", &format!("count,name\n{}", rows.collect::<String>()));
            world.run(&["fix", "deck.txt", "--own", "own.csv", "-o", "json"])
        }
        "print" => {
            let to = ["--to", "faces.pdf", "--replace"];
            let ran = world.run(&[&["print", "deck.txt", "--only", &quoted][..], &to].concat());
            let file = world.folder.path().join("faces.pdf");
            json!([ran, std::fs::metadata(file).map(|file| file.len()).unwrap_or_default()])
        }
        "face" => {
            let answer = world.about(json!({"ask": "faces", "cards": [name]}));
            answer.to_string().contains("\"cost\":").into()
        }
        _ => {
            let _ = std::fs::remove_dir_all(world.folder.path().join("event"));
            world.run(&["event", "new", "event", "--format", "shell"]);
            let decide = ["event", "decide", "event", "card", "Gone", "means", name];
            let ran = command(world.folder.path(), &decide).output().unwrap();
            json!([ran.status.code(), String::from_utf8_lossy(&ran.stdout)])
        }
    }
}

#[test]
fn every_place_takes_the_spellings_that_decks_take() {
    let world = World::new();
    for (about, row) in table("places of names").map(|row| row.split_once(" = ").unwrap()) {
        for [_, card, spellings, others] in SPELLINGS {
            let right = answer(&world, row, card, card);
            for name in spellings.split('|') {
                let found = answer(&world, row, name, card);
                assert_eq!(found, right, "{about}: {name:?} is not {card:?}");
            }
            for name in others.split('|') {
                let found = answer(&world, row, name, card);
                assert_ne!(found, right, "{about}: {name:?} is taken for {card:?}");
            }
        }
    }
}

/// A bare word is a part of a name: no accent, apostrophe or hyphen keeps it from being found.
#[test]
fn each_word_of_a_name_finds_it() {
    let world = World::new();
    let found = |words: &str| {
        let listed = world.run(&["cards", "list", "--format", "shell", words, "-o", "json"]);
        let cards = listed[1]["cards"].as_array().cloned().unwrap_or_default();
        let names = cards.iter().map(|card| card["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<String>>()
    };
    for [_, card, spellings, _] in SPELLINGS {
        for words in spellings.split('|').chain([card]) {
            assert_eq!(found(words), [card], "{words}");
        }
    }
    for (words, card) in [
        ("dul", "Mûr-Dûl's Vault"),
        ("ûl\u{2019}s", "Mûr-Dûl's Vault"),
        ("duls", "Mûr-Dûl's Vault"),
        ("r\u{2010}d", "Mûr-Dûl's Vault"),
        ("murd", "Mûr-Dûl's Vault"),
        ("tan\u{2019}s", "Loam Titan's Cradle"),
        ("nigsb", "Königsbrand"),
        ("KONIGS", "Königsbrand"),
        ("hundredpen", "Hundred-Penny Nail"),
    ] {
        assert_eq!(found(words), [card], "{words}");
    }
    // Across what is left out, a part begins a word.
    for words in ["dpenny", "tansc", "uls"] {
        assert!(found(words).is_empty(), "{words}: {:?}", found(words));
    }
}
