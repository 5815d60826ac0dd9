//! An evening of 300 with planted truth: four shapes of form in several languages, a folder, every
//! kind of doubt. What the program says is held against what was planted, not against itself.

use crate::common::{run, said, text};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub(super) const LEGAL: &str = "3 Squire Without a Lord\n3 Penny-Bright Page\n3 Lancer of the Wet Field\n2 Ostler of Grey Horses";
pub(super) const OTHER: &str =
    "3 Orchard Boar\n3 Tollbridge Hound\n2 Saltpan Jackal\n1 Clock Heron";
const BANNED: &str = "3 Candle-End Wisp\n2 Small Regret\n1 The Guest at Every Siege";
const UNKNOWN: &str = "3 Orchard Boar\n2 Saltpan Jakcal";

/// Who hands in what, and when.
#[derive(Debug, Clone)]
struct Row {
    name: String,
    address: String,
    /// Minutes from 08:00; the deadline is at 600.
    minute: u32,
    deck: &'static str,
}

/// What a player is to the event.
#[derive(Debug, Clone, PartialEq)]
struct Truth {
    status: &'static str,
    verdict: &'static str,
    deck: &'static str,
}

fn verdict(deck: &str) -> &'static str {
    match deck {
        LEGAL | OTHER => "legal",
        BANNED | UNKNOWN => "illegal",
        _ => "unreadable",
    }
}

const GIVEN: &str =
    "Ada Bea Cai Dov Eli Fay Gus Hal Ida Jon Kim Lev Mia Noa Oz Pia Quinn Rae Sol Tess";
const FAMILY: &str = "Abelard Brightwater Corvin Dunmore Eastgate Fairweather Grünwald Hollister \
    Iglesias Jankowski Kowalczyk Lindqvist Montague Nakamura Ostrander";

/// An evening: the list, the rows of each form, the files of the folder, the truth by name, and
/// the answers that an organiser gives.
struct Evening {
    listed: Vec<String>,
    forms: [Vec<Row>; 4],
    folder: Vec<Row>,
    truth: BTreeMap<String, Truth>,
    /// Rows that must be asked about, by what they say their name is, and whose they are.
    asked: BTreeMap<String, Option<String>>,
}

fn evening() -> Evening {
    let mut evening = Evening {
        listed: Vec::new(),
        forms: Default::default(),
        folder: Vec::new(),
        truth: BTreeMap::new(),
        asked: BTreeMap::new(),
    };
    let families = FAMILY.split_whitespace();
    let names =
        families.flat_map(|family| GIVEN.split(' ').map(move |given| format!("{given} {family}")));
    for (at, name) in names.enumerate() {
        evening.listed.push(name.clone());
        let address = format!("player{at}@example.org");
        let row = |minute: usize, deck| Row {
            name: name.clone(),
            address: address.clone(),
            minute: minute as u32,
            deck,
        };
        let form = at % 4;
        let minute = at % 590;
        let truth = |status, deck| Truth {
            status,
            verdict: if status == "missing" { "" } else { verdict(deck) },
            deck,
        };
        let (rows, own) = match at % 25 {
            0 => (vec![], truth("missing", "")),
            1 => (vec![row(650, LEGAL)], truth("late", LEGAL)),
            2 => (vec![row(minute, LEGAL), row(700, BANNED)], truth("counts", LEGAL)),
            3 => (vec![row(20, BANNED), row(30, OTHER)], truth("counts", OTHER)),
            4 => (vec![row(minute, BANNED)], truth("counts", BANNED)),
            5 => (vec![row(minute, UNKNOWN)], truth("counts", UNKNOWN)),
            6 => (vec![row(minute, "")], truth("counts", "")),
            // Nearly on the list: two letters changed places.
            7 => {
                let mut letters: Vec<char> = name.chars().collect();
                let end = letters.len();
                letters.swap(end - 2, end - 3);
                let wrong: String = letters.into_iter().collect();
                evening.asked.insert(wrong.clone(), Some(name.clone()));
                let row = Row { name: wrong, ..row(minute, OTHER) };
                (vec![row], truth("counts", OTHER))
            }
            // The family name first: also nearly on the list.
            8 => {
                let (given, family) = name.split_once(' ').unwrap();
                let turned = format!("{family} {given}");
                evening.asked.insert(turned.clone(), Some(name.clone()));
                (vec![Row { name: turned, ..row(minute, LEGAL) }], truth("counts", LEGAL))
            }
            // In another case and with an address in capitals, twice.
            9 => {
                let second = Row {
                    name: name.to_uppercase(),
                    address: address.to_uppercase(),
                    ..row(31, OTHER)
                };
                (vec![row(30, BANNED), second], truth("counts", OTHER))
            }
            10 => {
                evening.folder.push(row(0, LEGAL));
                (vec![], truth("counts", LEGAL))
            }
            _ => (
                vec![row(minute, if at % 2 == 0 { LEGAL } else { OTHER })],
                truth("counts", if at % 2 == 0 { LEGAL } else { OTHER }),
            ),
        };
        evening.forms[form].extend(rows);
        evening.truth.insert(name, own);
    }
    evening
}

/// A time in the afternoon or morning as a form writes it.
fn time(shape: usize, minute: u32) -> String {
    let (hour, rest) = (8 + minute / 60, minute % 60);
    let half = (hour + 11) % 12 + 1;
    let after = hour >= 12;
    match shape {
        0 => format!("2026/08/01 {half}:{rest:02}:05 {} GMT+2", if after { "PM" } else { "AM" }),
        1 => format!(
            "01.08.2026, {half}:{rest:02}:05 {} MESZ",
            if after { "nachm." } else { "vorm." }
        ),
        2 => format!("8/1/26 {hour:02}:{rest:02}:05"),
        _ => format!("1/8/2026 {half}:{rest:02}:05 {}", if after { "p. m." } else { "a. m." }),
    }
}

fn csv(rows: &[Vec<String>], separator: u8) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}

/// A form as another program exports it.
fn form(shape: usize, rows: &[Row]) -> Vec<u8> {
    let header = match shape {
        0 => {
            "Timestamp|Email Address|What is your name?|Paste your decklist (one card a line)|Deck name"
        }
        1 => {
            "Zeitstempel|E-Mail-Adresse|Wie heißt du?|Bitte füge hier deine Deckliste ein|Anmerkungen"
        }
        2 => "ID|Start time|Completion time|Email|Name|Decklist",
        _ => "Marca temporal|Dirección de correo electrónico|Nombre|Apellidos|Lista del mazo",
    };
    let cells = |row: &str| row.split('|').map(str::to_owned).collect::<Vec<_>>();
    let mut all = vec![cells(header)];
    for (at, row) in rows.iter().enumerate() {
        let (when, deck) = (time(shape, row.minute), row.deck.to_owned());
        let (name, address) = (row.name.clone(), row.address.clone());
        let (given, family) = name.split_once(' ').unwrap_or((&name, ""));
        all.push(match shape {
            0 => vec![when, address, name, deck, "My deck".to_owned()],
            1 => vec![when, address, name, deck, String::new()],
            2 => vec![at.to_string(), when.clone(), when, address, name, deck],
            _ => vec![when, address, given.to_owned(), family.to_owned(), deck],
        });
    }
    if shape == 3 {
        // Without a day above 12 nobody could tell the day from the month.
        let early = "13/7/2026 6:00:00 p. m.|gil@example.org|Gil|Unlisted|";
        all.push(cells(&(early.to_owned() + LEGAL)));
    }
    if shape == 2 {
        let early = "900|7/30/26 10:00:00|7/30/26 10:00:01|val@example.org|Val Unlisted|";
        all.push(cells(&(early.to_owned() + BANNED)));
    }
    csv(&all, if shape == 1 { b';' } else { b',' })
}

/// The output of a call that ends with this status.
pub(super) fn ran(folder: &Path, call: &str, status: i32) -> String {
    let run = run(folder, call);
    assert_eq!(run.status.code(), Some(status), "{call}: {}", said(&run));
    text(&run.stdout)
}

type Line = BTreeMap<String, String>;

/// The rows of the table that a call prints.
fn table(folder: &Path, call: &str) -> Vec<Line> {
    let out = ran(folder, call, 0);
    let mut reader = csv::Reader::from_reader(out.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

/// The players of the event.
fn exported(folder: &Path) -> Vec<Line> {
    table(folder, "event export cup -o csv")
}

fn opened(folder: &Path, evening: &Evening) {
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    write("players.txt", evening.listed.join("\n").as_bytes());
    let new = "event new cup --format vainqueur --players players.txt --as-of 2026-08-01 \
        --banlist vainqueur-sample-2026-07 --deadline 2026-08-01T18:00 --zone Europe/Berlin";
    ran(folder, new, 0);
    for shape in 0..4 {
        write(&format!("form{shape}.csv"), &form(shape, &evening.forms[shape]));
    }
    std::fs::create_dir(folder.join("lists")).unwrap();
    for (at, row) in evening.folder.iter().enumerate() {
        let deck = format!("Player: {}\n\n{}\n", row.name, row.deck);
        write(&format!("lists/{at}.txt"), deck.as_bytes());
    }
}

fn imported(folder: &Path) {
    ran(folder, "event import cup --yes form0.csv form1.csv form2.csv form3.csv", 0);
    ran(folder, "event import cup lists --at 2026-08-01T10:00 --yes", 0);
}

#[test]
fn an_evening_of_three_hundred_is_what_was_planted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let evening = evening();
    opened(folder, &evening);
    // Nothing is taken in before somebody says so.
    ran(folder, "event import cup form0.csv", 1);
    let missing = |row: &Line| row["status"] == "missing";
    assert!(exported(folder).iter().all(missing));
    imported(folder);

    // What cannot be told is asked, and counts for nobody.
    let names = |rows: &[Line], key: &str, value: &str| -> BTreeSet<String> {
        let rows = rows.iter().filter(|row| row[key] == value);
        rows.map(|row| row["player"].clone()).collect()
    };
    let planted: BTreeSet<String> = evening.asked.keys().cloned().collect();
    assert_eq!(names(&exported(folder), "status", "asked"), planted);

    // Importing once more, a newer export too, changes nothing that was there.
    let whole = || ran(folder, "event export cup -o json", 0);
    let before = whole();
    imported(folder);
    assert_eq!(before, whole());

    let said = ran(folder, "event decide cup all yes", 0);
    assert_eq!(said.lines().count(), planted.len(), "{said}");
    let rows = exported(folder);
    let by_name: BTreeMap<&str, &Line> =
        rows.iter().map(|row| (row["player"].as_str(), row)).collect();
    for (name, truth) in &evening.truth {
        let row = by_name[name.as_str()];
        let own = (row["status"].as_str(), row["verdict"].as_str(), row["unlisted"].as_str());
        assert_eq!(own, (truth.status, truth.verdict, ""), "{name}: {row:?}");
    }
    let unlisted = ["Gil Unlisted", "Val Unlisted"].map(str::to_owned);
    assert_eq!(names(&rows, "unlisted", "yes"), unlisted.into());
    assert_eq!(rows.len(), 302);

    sheets(folder, &evening);
    statistics(folder, &evening);

    // One late deck is accepted, and no other.
    let late = rows.iter().find(|row| row["status"] == "late").unwrap();
    let accept = format!("event decide cup {} counts --why 'the train'", late["entry"]);
    ran(folder, &accept, 0);
    let after = exported(folder);
    let pairs = after.iter().zip(&rows);
    let changed: Vec<&Line> =
        pairs.filter(|(one, other)| one["status"] != other["status"]).map(|(one, _)| one).collect();
    assert_eq!(changed.len(), 1);
    assert_eq!((&changed[0]["id"], changed[0]["status"].as_str()), (&late["id"], "counts"));
}

/// Every sheet says what the verdict says, one for each player, the missing ones too.
fn sheets(folder: &Path, evening: &Evening) {
    let html = ran(folder, "event print cup", 0);
    let pages: Vec<&str> = html.split("<section").skip(1).collect();
    assert_eq!(pages.len(), 302);
    for (name, truth) in &evening.truth {
        let own = format!("<dt>Player</dt><dd><bdi>{name}</bdi>");
        let mut found = pages.iter().filter(|page| page.contains(&own));
        let page = found.next().unwrap_or_else(|| panic!("no sheet of {name}"));
        assert!(found.next().is_none(), "{name} has two sheets");
        let says = |verdict: &str| page.contains(&format!("Verdict: <strong>{verdict}</strong>"));
        match truth.status {
            "missing" => {
                assert!(page.contains("No deck was submitted.") && !page.contains("Verdict:"))
            }
            "late" => assert!(page.contains("Late:") && says(truth.verdict)),
            _ => assert!(says(truth.verdict) && page.contains("<dt>Lock</dt>"), "{name}: {page}"),
        }
    }
}

/// The table of cards, counted from what was planted alone.
fn statistics(folder: &Path, evening: &Evening) {
    let rows = table(folder, "event stats cup -o csv");
    let number = |row: &Line, key: &str| row[key].parse::<u64>().unwrap();
    let counted = rows.iter().map(|row| {
        let numbers = (number(row, "decks"), number(row, "copies"));
        (row["card"].clone(), numbers)
    });
    let said: BTreeMap<String, (u64, u64)> = counted.collect();
    let mut planted: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let counting = evening.truth.values().filter(|truth| truth.status == "counts");
    // And the two whom nobody expected.
    for deck in counting.map(|truth| truth.deck).chain([LEGAL, BANNED]) {
        for line in deck.lines() {
            let (count, card) = line.split_once(' ').unwrap();
            let own = planted.entry(card.to_owned()).or_default();
            own.0 += 1;
            own.1 += count.parse::<u64>().unwrap();
        }
    }
    assert_eq!(said, planted);
}
