//! An evening of 300 with planted truth: four shapes of form in several languages, a folder, every
//! kind of doubt. What the program says is held against what was planted, not against itself.

use super::{decklaw, text};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Output;

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

const GIVEN: [&str; 20] = [
    "Ada", "Bea", "Cai", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lev", "Mia",
    "Noa", "Oz", "Pia", "Quinn", "Rae", "Sol", "Tess",
];
const FAMILY: [&str; 15] = [
    "Abelard",
    "Brightwater",
    "Corvin",
    "Dunmore",
    "Eastgate",
    "Fairweather",
    "Grünwald",
    "Hollister",
    "Iglesias",
    "Jankowski",
    "Kowalczyk",
    "Lindqvist",
    "Montague",
    "Nakamura",
    "Ostrander",
];

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
    for at in 0..300_usize {
        let name = format!("{} {}", GIVEN[at % 20], FAMILY[at / 20]);
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
            verdict: if status == "missing" {
                ""
            } else {
                verdict(deck)
            },
            deck,
        };
        let (rows, own) = match at % 25 {
            0 => (vec![], truth("missing", "")),
            1 => (vec![row(650, LEGAL)], truth("late", LEGAL)),
            2 => (
                vec![row(minute, LEGAL), row(700, BANNED)],
                truth("counts", LEGAL),
            ),
            3 => (
                vec![row(20, BANNED), row(30, OTHER)],
                truth("counts", OTHER),
            ),
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
                let row = Row {
                    name: wrong,
                    ..row(minute, OTHER)
                };
                (vec![row], truth("counts", OTHER))
            }
            // The family name first: also nearly on the list.
            8 => {
                let (given, family) = name.split_once(' ').unwrap();
                let turned = format!("{family} {given}");
                evening.asked.insert(turned.clone(), Some(name.clone()));
                (
                    vec![Row {
                        name: turned,
                        ..row(minute, LEGAL)
                    }],
                    truth("counts", LEGAL),
                )
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
        0 => format!(
            "2026/08/01 {half}:{rest:02}:05 {} GMT+2",
            if after { "PM" } else { "AM" }
        ),
        1 => format!(
            "01.08.2026, {half}:{rest:02}:05 {} MESZ",
            if after { "nachm." } else { "vorm." }
        ),
        2 => format!("8/1/26 {hour:02}:{rest:02}:05"),
        _ => format!(
            "1/8/2026 {half}:{rest:02}:05 {}",
            if after { "p. m." } else { "a. m." }
        ),
    }
}

fn csv(rows: &[Vec<String>], separator: u8) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(separator)
        .from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}

/// A form as another program exports it.
fn form(shape: usize, rows: &[Row]) -> Vec<u8> {
    let header: &[&str] = match shape {
        0 => &[
            "Timestamp",
            "Email Address",
            "What is your name?",
            "Paste your decklist (one card a line)",
            "Deck name",
        ],
        1 => &[
            "Zeitstempel",
            "E-Mail-Adresse",
            "Wie heißt du?",
            "Bitte füge hier deine Deckliste ein",
            "Anmerkungen",
        ],
        2 => &[
            "ID",
            "Start time",
            "Completion time",
            "Email",
            "Name",
            "Decklist",
        ],
        _ => &[
            "Marca temporal",
            "Dirección de correo electrónico",
            "Nombre",
            "Apellidos",
            "Lista del mazo",
        ],
    };
    let mut all = vec![
        header
            .iter()
            .map(|cell| (*cell).to_owned())
            .collect::<Vec<_>>(),
    ];
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
        let early = [
            "13/7/2026 6:00:00 p. m.",
            "gil@example.org",
            "Gil",
            "Unlisted",
            LEGAL,
        ];
        all.push(early.map(str::to_owned).to_vec());
    }
    if shape == 2 {
        let early = [
            "900",
            "7/30/26 10:00:00",
            "7/30/26 10:00:01",
            "val@example.org",
            "Val Unlisted",
            BANNED,
        ];
        all.push(early.map(str::to_owned).to_vec());
    }
    csv(&all, if shape == 1 { b';' } else { b',' })
}

pub(super) fn ran(folder: &Path, call: &[&str], status: i32) -> String {
    let run: Output = decklaw(folder, call);
    assert_eq!(
        run.status.code(),
        Some(status),
        "{call:?}: {}{}",
        text(&run.stdout),
        text(&run.stderr)
    );
    text(&run.stdout)
}

/// The rows of the event's table by their players' names.
fn exported(folder: &Path) -> Vec<BTreeMap<String, String>> {
    let out = ran(folder, &["event", "export", "cup", "-o", "csv"], 0);
    let mut reader = csv::Reader::from_reader(out.as_bytes());
    let header: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    reader
        .records()
        .map(|row| {
            header
                .iter()
                .cloned()
                .zip(row.unwrap().iter().map(str::to_owned))
                .collect()
        })
        .collect()
}

/// Opens an event for the players of a list.
fn opened_for(folder: &Path, (name, list): (&str, &str), more: &[&str]) {
    std::fs::write(folder.join(name), list).unwrap();
    let new = [
        "event",
        "new",
        "cup",
        "--format",
        "vainqueur",
        "--players",
        name,
    ];
    ran(folder, &[&new[..], more].concat(), 0);
}

fn opened(folder: &Path, evening: &Evening) {
    let listed = evening.listed.join("\n");
    let deadline = [
        "--banlist",
        "vainqueur-sample-2026-07",
        "--as-of",
        "2026-08-01",
        "--deadline",
        "2026-08-01T18:00",
        "--zone",
        "Europe/Berlin",
    ];
    opened_for(folder, ("players.txt", &listed), &deadline);
    for shape in 0..4 {
        std::fs::write(
            folder.join(format!("form{shape}.csv")),
            form(shape, &evening.forms[shape]),
        )
        .unwrap();
    }
    std::fs::create_dir(folder.join("lists")).unwrap();
    for (at, row) in evening.folder.iter().enumerate() {
        let deck = format!("Player: {}\n\n{}\n", row.name, row.deck);
        std::fs::write(folder.join(format!("lists/{at}.txt")), deck).unwrap();
    }
}

const FORMS: [&str; 4] = ["form0.csv", "form1.csv", "form2.csv", "form3.csv"];

fn imported(folder: &Path) {
    let call = [&["event", "import", "cup", "--yes"], &FORMS[..]].concat();
    ran(folder, &call, 0);
    ran(
        folder,
        &[
            "event",
            "import",
            "cup",
            "lists",
            "--at",
            "2026-08-01T10:00",
            "--yes",
        ],
        0,
    );
}

#[test]
fn an_evening_of_three_hundred_is_what_was_planted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let evening = evening();
    opened(folder, &evening);
    // Nothing is taken in before somebody says so.
    ran(folder, &["event", "import", "cup", "form0.csv"], 1);
    assert!(
        exported(folder)
            .iter()
            .all(|row| row["status"] == "missing")
    );
    imported(folder);

    // What cannot be told is asked, and counts for nobody.
    let rows = exported(folder);
    let asked: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row["status"] == "asked")
        .map(|row| row["player"].as_str())
        .collect();
    let planted: BTreeSet<&str> = evening.asked.keys().map(String::as_str).collect();
    assert_eq!(asked, planted);

    // Importing once more, a newer export too, changes nothing that was there.
    let before = ran(folder, &["event", "export", "cup", "-o", "json"], 0);
    imported(folder);
    assert_eq!(
        before,
        ran(folder, &["event", "export", "cup", "-o", "json"], 0)
    );

    let said = ran(folder, &["event", "decide", "cup", "all", "yes"], 0);
    assert_eq!(said.lines().count(), planted.len(), "{said}");
    let rows = exported(folder);
    let by_name: BTreeMap<&str, &BTreeMap<String, String>> = rows
        .iter()
        .map(|row| (row["player"].as_str(), row))
        .collect();
    for (name, truth) in &evening.truth {
        let row = by_name[name.as_str()];
        let own = (
            row["status"].as_str(),
            row["verdict"].as_str(),
            row["unlisted"].as_str(),
        );
        assert_eq!(own, (truth.status, truth.verdict, ""), "{name}: {row:?}");
    }
    let unlisted: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row["unlisted"] == "yes")
        .map(|row| row["player"].as_str())
        .collect();
    assert_eq!(unlisted, ["Gil Unlisted", "Val Unlisted"].into());
    assert_eq!(rows.len(), 302);

    sheets(folder, &evening);
    statistics(folder, &evening);

    // One late deck is accepted, and no other.
    let late = rows.iter().find(|row| row["status"] == "late").unwrap();
    ran(
        folder,
        &[
            "event",
            "decide",
            "cup",
            &late["entry"],
            "counts",
            "--why",
            "the train",
        ],
        0,
    );
    let after = exported(folder);
    let changed: Vec<&BTreeMap<String, String>> = after
        .iter()
        .zip(&rows)
        .filter(|(one, other)| one["status"] != other["status"])
        .map(|(one, _)| one)
        .collect();
    assert_eq!(changed.len(), 1);
    assert_eq!(
        (&changed[0]["id"], changed[0]["status"].as_str()),
        (&late["id"], "counts")
    );
}

/// Every sheet says what the verdict says, one for each player, the missing ones too.
fn sheets(folder: &Path, evening: &Evening) {
    let html = ran(folder, &["event", "print", "cup"], 0);
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
            _ => assert!(
                says(truth.verdict) && page.contains("<dt>Lock</dt>"),
                "{name}: {page}"
            ),
        }
    }
}

/// The table of cards, counted from what was planted alone.
fn statistics(folder: &Path, evening: &Evening) {
    let out = ran(folder, &["event", "stats", "cup", "-o", "csv"], 0);
    let mut reader = csv::Reader::from_reader(out.as_bytes());
    let said: BTreeMap<String, (u64, u64)> = reader
        .records()
        .map(|row| {
            let row = row.unwrap();
            (
                row[1].to_owned(),
                (row[2].parse().unwrap(), row[4].parse().unwrap()),
            )
        })
        .collect();
    let mut planted: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let counting = evening
        .truth
        .values()
        .filter(|truth| truth.status == "counts");
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

/// Copies an event's folder as anybody copies a folder.
pub(super) fn copied(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for file in std::fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}
