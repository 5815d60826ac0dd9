//! The planted evening by the program: four shapes of form in several languages, a folder, every kind
//! of doubt. What the program says is held against what was planted, not against itself.

use crate::common::evening::{Fate, PLAYERS, UNEXPECTED, deck, fate, lines, name, rows};
use crate::common::{run, said, text};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub(super) const LEGAL: &str = "3 Squire Without a Lord\n3 Penny-Bright Page\n3 Lancer of the Wet Field\n2 Ostler of Grey Horses";
pub(super) const OTHER: &str =
    "3 Orchard Boar\n3 Tollbridge Hound\n2 Saltpan Jackal\n1 Clock Heron";

/// Players whose decks are in a folder, besides those who hand in at a page elsewhere; one who gives
/// the family name first, which is nearly on the list; one who writes in capitals, twice.
const IN_FOLDER: [usize; 4] = [11, 17, 20, 22];
const TURNED: usize = 12;
const LOUD: usize = 14;

/// The forms: their header, a row, the time in the morning and in the afternoon, and their separator.
/// An early row shows in the last two which number is the month.
const FORMS: [[&str; 6]; 4] = [
    [
        "Timestamp|Email Address|What is your name?|Paste your decklist (one card a line)|Deck name",
        "TIME|MAIL|NAME|DECK|My deck",
        "2026/03/01 HALF:MINUTE:05 AM GMT+1",
        "2026/03/01 HALF:MINUTE:05 PM GMT+1",
        ",",
        "",
    ],
    [
        "Zeitstempel|E-Mail-Adresse|Wie heißt du?|Bitte füge hier deine Deckliste ein|Anmerkungen",
        "TIME|MAIL|NAME|DECK|",
        "01.03.2026, HALF:MINUTE:05 vorm. MEZ",
        "01.03.2026, HALF:MINUTE:05 nachm. MEZ",
        ";",
        "",
    ],
    [
        "ID|Start time|Completion time|Email|Name|Decklist",
        "1|TIME|TIME|MAIL|NAME|DECK",
        "3/1/26 HOUR:MINUTE:05",
        "3/1/26 HOUR:MINUTE:05",
        ",",
        "900|2/27/26 10:00:00|2/27/26 10:00:01|val@example.org|Val Unlisted|DECK",
    ],
    [
        "Marca temporal|Dirección de correo electrónico|Nombre|Apellidos|Lista del mazo",
        "TIME|MAIL|GIVEN|FAMILY|DECK",
        "1/3/2026 HALF:MINUTE:05 a. m.",
        "1/3/2026 HALF:MINUTE:05 p. m.",
        ",",
        "27/2/2026 6:00:00 p. m.|gil@example.org|Gil|Unlisted|DECK",
    ],
];

/// A form as another program exports it.
fn form([header, row, am, pm, separator, early]: [&str; 6], rows: &[[String; 4]]) -> Vec<u8> {
    let mut writer =
        csv::WriterBuilder::new().delimiter(separator.as_bytes()[0]).from_writer(vec![]);
    writer.write_record(header.split('|')).unwrap();
    for [time, name, address, deck] in rows {
        let (hour, minute) = time.rsplit_once(' ').unwrap().1.split_once(':').unwrap();
        let number: u32 = hour.parse().unwrap();
        let time = if number < 12 { am } else { pm };
        let half = ((number + 11) % 12 + 1).to_string();
        let time = time.replace("HOUR", hour).replace("HALF", &half).replace("MINUTE", minute);
        let (given, family) = name.split_once(' ').unwrap();
        let parts = [("TIME", &*time), ("MAIL", address), ("NAME", name), ("GIVEN", given)];
        let parts = parts.into_iter().chain([("FAMILY", family), ("DECK", deck)]);
        let cell = |cell: &str| {
            parts.clone().fold(cell.to_owned(), |cell, (key, to)| cell.replace(key, to))
        };
        writer.write_record(row.split('|').map(cell)).unwrap();
    }
    if !early.is_empty() {
        writer.write_record(early.split('|').map(|cell| cell.replace("DECK", &deck(1)))).unwrap();
    }
    writer.into_inner().unwrap()
}

/// What a player is to the event, and the deck's verdict.
fn truth(player: usize) -> (&'static str, &'static str) {
    match fate(player) {
        _ if IN_FOLDER.contains(&player) => ("counts", "legal"),
        Fate::Missing | Fate::Withdrawn | Fate::LateAtPage => ("missing", ""),
        Fate::Late | Fate::Refused => ("late", "legal"),
        Fate::Illegal | Fate::Corrected => ("counts", "illegal"),
        Fate::Unfinished => ("counts", "incomplete"),
        Fate::Unreadable => ("counts", "unreadable"),
        Fate::Legal | Fate::Twice | Fate::LateToo | Fate::Misspelt => ("counts", "legal"),
    }
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

/// Opens the event and writes its forms and its folder; the names that must be asked about.
fn opened(folder: &Path) -> BTreeSet<String> {
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    let names: Vec<String> = (0..PLAYERS).map(name).collect();
    write("players.txt", names.join("\n").as_bytes());
    let new = "event new cup --format shell --players players.txt --as-of 2026-03-01 \
        --deadline 2026-03-01T18:00 --zone Europe/Berlin";
    ran(folder, new, 0);
    let mut of_forms: [Vec<[String; 4]>; 4] = Default::default();
    let mut asked = BTreeSet::new();
    for [time, written, remark, list] in rows() {
        // A remark is the name from behind, or says whose row it is.
        let plain: String = remark.chars().rev().collect();
        let number = remark.split(' ').next().and_then(|number| number.parse().ok());
        let player = number.or_else(|| names.iter().position(|name| *name == plain));
        let address = format!("player{}@example.org", player.unwrap_or(PLAYERS));
        let rows = &mut of_forms[player.unwrap_or(0) % 4];
        match player {
            Some(player) if IN_FOLDER.contains(&player) => {}
            Some(TURNED) => {
                let (given, family) = written.split_once(' ').unwrap();
                asked.insert(format!("{family} {given}"));
                rows.push([time, format!("{family} {given}"), address, list]);
            }
            Some(LOUD) => {
                rows.push([time, written.clone(), address.clone(), deck(3)]);
                let at = "2026-03-01 17:59".to_owned();
                rows.push([at, written.to_uppercase(), address.to_uppercase(), list]);
            }
            _ => {
                asked.extend(
                    player.filter(|it| fate(*it) == Fate::Misspelt).map(|_| written.clone()),
                );
                rows.push([time, written, address, list]);
            }
        }
    }
    for (at, rows) in of_forms.iter().enumerate() {
        write(&format!("form{at}.csv"), &form(FORMS[at], rows));
    }
    std::fs::create_dir(folder.join("lists")).unwrap();
    for player in IN_FOLDER {
        let deck = format!("Player: {}\n{}", names[player], deck(player));
        write(&format!("lists/{player}.txt"), deck.as_bytes());
    }
    asked
}

fn imported(folder: &Path) {
    ran(folder, "event import cup --yes form0.csv form1.csv form2.csv form3.csv", 0);
    ran(folder, "event import cup lists --at 2026-03-01T10:00 --yes", 0);
}

#[test]
fn an_evening_is_what_was_planted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let planted = opened(folder);
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
    assert_eq!(planted.len(), 2);
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
    for player in 0..PLAYERS {
        let row = by_name[name(player).as_str()];
        let own = (row["status"].as_str(), row["verdict"].as_str());
        assert_eq!((own, &*row["unlisted"]), (truth(player), ""), "{row:?}");
    }
    let unlisted = ["Gil Unlisted", "Val Unlisted", UNEXPECTED].map(str::to_owned);
    assert_eq!(names(&rows, "unlisted", "yes"), unlisted.into());
    assert_eq!(rows.len(), PLAYERS + 3);

    sheets(folder);
    statistics(folder);

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
fn sheets(folder: &Path) {
    let html = ran(folder, "event print cup", 0);
    let pages: Vec<&str> = html.split("<section").skip(1).collect();
    assert_eq!(pages.len(), PLAYERS + 3);
    for player in 0..PLAYERS {
        let own = format!("<dt>Player</dt><dd><bdi>{}</bdi>", name(player));
        let found: Vec<&&str> = pages.iter().filter(|page| page.contains(&own)).collect();
        let [page] = found[..] else { panic!("{} sheets of {}", found.len(), name(player)) };
        let (status, verdict) = truth(player);
        let says = page.contains(&format!("Verdict: <strong>{verdict}</strong>"));
        assert!(match status {
            "missing" => page.contains("No deck was submitted.") && !page.contains("Verdict:"),
            "late" => says && page.contains("Late:"),
            _ => says && page.contains("<dt>Lock</dt>"),
        });
    }
}

/// The table of cards by section, counted from what was planted alone.
fn statistics(folder: &Path) {
    let number = |row: &Line, key: &str| row[key].parse::<u32>().unwrap();
    let rows = table(folder, "event stats cup -o csv");
    let key = |section: &str, card: &str| format!("{section}: {card}").to_lowercase();
    let each = |row: &Line| {
        let counts = (number(row, "decks"), number(row, "copies"));
        (key(&row["section"], &row["card"]), counts)
    };
    let said: BTreeMap<String, (u32, u32)> = rows.iter().map(each).collect();
    let counting = (0..PLAYERS).filter(|player| truth(*player).0 == "counts").map(deck);
    let mut planted: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    // And the three whom nobody expected.
    for deck in counting.chain([deck(0), deck(1), deck(1)]) {
        let mut held: BTreeMap<String, u32> = BTreeMap::new();
        for (section, copies, card) in lines(&deck) {
            *held.entry(key(&section, &card)).or_default() += copies;
        }
        for (card, copies) in held {
            let (decks, all) = planted.entry(card).or_default();
            (*decks, *all) = (*decks + 1, *all + copies);
        }
    }
    assert_eq!(said, planted);
}
