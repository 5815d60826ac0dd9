//! An evening of 60 players that is planted: who hands in what, and from this alone what the pages
//! and the program must say.
#![allow(dead_code, reason = "each suite needs its part")]

use serde_json::json;

const DECKS: [&str; 4] = [
    include_str!("../../decks/shell/ash-and-acorn.txt"),
    include_str!("../../decks/shell/ebb.txt"),
    include_str!("../../decks/shell/free-water.txt"),
    include_str!("../../decks/shell/nineteen-trees.txt"),
];
const TOO_MANY: &str = include_str!("../../decks/shell/too-many-copies.txt");

const FIRST: &str =
    "Ada Benedek Caoimhe Dimitri Esperanza Friedrich Giulia Hyacinth Ignatius Jolanta";
const FAMILY: &str = "Lindqvist Moreau Okonkwo Petrov Szabó Thornbury";

/// Somebody whom nobody expected.
pub(crate) const UNEXPECTED: &str = "Zebulon Quartermaine";

/// What becomes of a player's deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Legal,
    /// Two green Shells, where the rules want one.
    Illegal,
    /// No blue Shell, where the rules want one.
    Unfinished,
    Unreadable,
    /// Never comes.
    Missing,
    /// Comes by the player's page, and is taken back there.
    Withdrawn,
    /// Comes after the deadline, and is accepted.
    Late,
    /// Comes after the deadline, and is refused.
    Refused,
    /// Comes by the player's page after the deadline, and is accepted.
    LateAtPage,
    /// An illegal deck, and a legal one before the deadline.
    Twice,
    /// A legal deck, and an illegal one after the deadline.
    LateToo,
    /// Under a name that is nearly the player's.
    Misspelt,
    /// Illegal, and replaced by a legal deck after the deadline.
    Corrected,
}

pub(crate) const PLAYERS: usize = 60;

pub(crate) const fn fate(player: usize) -> Fate {
    match player {
        2 => Fate::Corrected,
        5 => Fate::Late,
        8 | 9 | 50 => Fate::Twice,
        7 | 23 | 41 => Fate::Missing,
        11 => Fate::Withdrawn,
        13 => Fate::Misspelt,
        17 => Fate::LateAtPage,
        29 => Fate::LateToo,
        31 => Fate::Refused,
        3 | 19 | 33 | 47 => Fate::Illegal,
        37 => Fate::Unreadable,
        44 => Fate::Unfinished,
        _ => Fate::Legal,
    }
}

impl Fate {
    /// The word of the player's row: once the form is read, and once all is decided.
    const fn words(self) -> [&'static str; 2] {
        match self {
            Fate::Legal | Fate::Twice | Fate::LateToo => ["Legal", "Legal"],
            Fate::Illegal => ["Not legal", "Not legal"],
            Fate::Corrected => ["Not legal", "Legal"],
            Fate::Unfinished => ["Not finished", "Not finished"],
            Fate::Unreadable => ["Not readable", "Not readable"],
            Fate::Missing => ["Missing", "Missing"],
            Fate::LateAtPage | Fate::Misspelt => ["Missing", "Legal"],
            Fate::Withdrawn => ["Withdrawn", "Withdrawn"],
            Fate::Late => ["Late", "Legal"],
            Fate::Refused => ["Late", "Excluded"],
        }
    }
}

pub(crate) fn name(player: usize) -> String {
    let word = |words: &'static str, at| words.split(' ').nth(at).unwrap_or_default();
    format!("{} {}", word(FIRST, player % 10), word(FAMILY, player / 10))
}

/// A sample deck without its headers, but for its format and its name.
fn plain(deck: &str) -> String {
    let is_header = |line: &&str| {
        ["Player:", "Event:", "Date:", "Note:"].iter().any(|header| line.starts_with(header))
    };
    deck.lines().filter(|line| !is_header(line)).map(|line| format!("{line}\n")).collect()
}

pub(crate) fn deck(player: usize) -> String {
    let deck = plain(DECKS[player % 4]);
    let is_blue =
        |line: &str| ["Azure Keep", "Cistern of Stars"].iter().any(|it| line.ends_with(it));
    match fate(player) {
        Fate::Illegal => deck.replace("Shells\n", "Shells\n1 Verdant Spire\n"),
        Fate::Unfinished => {
            deck.lines().filter(|line| !is_blue(line)).map(|line| format!("{line}\n")).collect()
        }
        Fate::Unreadable => "I forgot it, sorry.".to_owned(),
        Fate::Corrected => plain(TOO_MANY),
        _ => deck,
    }
}

/// The lines of a deck: section, copies, name.
pub(crate) fn lines(deck: &str) -> Vec<(String, u32, String)> {
    let (mut section, mut lines) = (String::new(), Vec::new());
    for line in deck.lines().filter(|line| !line.starts_with('#') && !line.contains(": ")) {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first.parse() {
            Ok(copies) => lines.push((section.clone(), copies, rest.to_owned())),
            Err(_) if !first.is_empty() => section = first.to_lowercase(),
            Err(_) => {}
        }
    }
    lines
}

/// The rows of the form: the time, who, a remark, the deck.
pub(crate) fn rows() -> Vec<[String; 4]> {
    let mut rows = Vec::new();
    let on_the_day = |hour: usize, minute: usize| format!("2026-03-01 {hour:02}:{minute:02}");
    for player in 0..PLAYERS {
        let written = match fate(player) {
            Fate::Missing | Fate::Withdrawn | Fate::LateAtPage => continue,
            // One letter has changed its place.
            Fate::Misspelt => name(player).replace("tri", "tir"),
            // Whose keyboard has no such letter.
            _ => name(player).replace('ó', "o"),
        };
        let remark: String = name(player).chars().rev().collect();
        let mut hand_in = |time: String, remark: &str, deck: String| {
            rows.push([time, written.clone(), remark.to_owned(), deck]);
        };
        match fate(player) {
            Fate::Late | Fate::Refused => hand_in(on_the_day(18, 20), &remark, deck(player)),
            Fate::Twice => {
                hand_in(on_the_day(9, 30), &remark, plain(TOO_MANY));
                hand_in(on_the_day(10, player), &format!("{player} again"), deck(player));
            }
            Fate::LateToo => {
                hand_in(on_the_day(10, player), &remark, deck(player));
                hand_in(on_the_day(18, 30), &format!("{player} again"), plain(TOO_MANY));
            }
            _ => hand_in(on_the_day(10, player), &remark, deck(player)),
        }
    }
    let unexpected = [on_the_day(11, 0), UNEXPECTED.to_owned(), "new".to_owned(), deck(0)];
    rows.push(unexpected);
    rows
}

fn csv(rows: &[[String; 4]]) -> String {
    let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
    let rows = rows.iter().map(|row| row.each_ref().map(quoted).join(",") + "\n");
    format!("Timestamp,Gast,Anmerkung,Deckliste\n{}", rows.collect::<String>())
}

/// The tiles of the organiser's page; `at`: 0 once the form is read, 1 once all is decided.
fn tiles(at: usize) -> String {
    let fates: Vec<Fate> = (0..PLAYERS).map(fate).collect();
    let count =
        |words: &[&str]| fates.iter().filter(|fate| words.contains(&fate.words()[at])).count();
    let those = |wanted: &[Fate]| fates.iter().filter(|fate| wanted.contains(fate)).count();
    let open = usize::from(at == 0);
    let tiles = [
        ("Players", PLAYERS + 1),
        // The unexpected deck is legal.
        ("Legal", count(&["Legal"]) + 1),
        ("Not legal", count(&["Not legal", "Not finished", "Not readable"])),
        ("Question", open * those(&[Fate::Misspelt])),
        ("Late", count(&["Late"]) + open * those(&[Fate::LateToo])),
        ("Missing", count(&["Missing"])),
        ("Withdrawn", count(&["Withdrawn"])),
        ("Not on the list", 1),
    ];
    tiles.map(|(word, number)| format!("{word} {number}")).join(", ")
}

/// Each player with the word of the row, once all is decided.
fn settled() -> String {
    let rows = (0..PLAYERS).map(|player| format!("{}: {}", name(player), fate(player).words()[1]));
    let mut rows: Vec<String> = rows.chain([format!("{UNEXPECTED}: Legal")]).collect();
    rows.sort();
    rows.join("; ")
}

/// The cards of a player's main deck, as the builder's gallery shows them.
fn built_of(player: usize) -> Vec<String> {
    let lines = lines(&deck(player)).into_iter().filter(|(section, ..)| section == "main");
    lines.map(|(_, copies, name)| format!("{name}×{copies}")).collect()
}

/// What a story may say of the evening, by name.
pub(crate) fn planted() -> Vec<(String, String)> {
    let rows = rows();
    assert_eq!(rows.len(), 60, "a form of 60 rows");
    let people = (0..PLAYERS).map(|player| {
        let address = name(player).to_lowercase().replace(' ', ".").replace('ó', "o");
        format!("{},{address}@example.org,{}\n", name(player), player / 2 + 1)
    });
    let with = |wanted: Fate| {
        let player = (0..PLAYERS).find(|player| fate(*player) == wanted);
        name(player.unwrap_or_default())
    };
    let ticks = lines(&deck(0)).into_iter();
    let mut ticks: Vec<String> =
        ticks.map(|(section, copies, name)| format!("{section}: {copies} {name}")).collect();
    ticks.sort();
    let mut built = built_of(1);
    built.sort();
    let main: u32 = lines(&deck(0)).iter().filter(|line| line.0 == "main").map(|line| line.1).sum();
    let counting = (0..PLAYERS).filter(|player| {
        !matches!(fate(*player).words()[1], "Missing" | "Withdrawn" | "Excluded" | "Not readable")
    });
    let known = [
        ("people", format!("Name,Email,Table\n{}", people.collect::<String>())),
        ("form", csv(&rows)),
        ("misread", (PLAYERS + rows.len()).to_string()),
        ("players", PLAYERS.to_string()),
        ("all", (PLAYERS + 1).to_string()),
        ("imported", json!(tiles(0)).to_string()),
        ("decided", json!(tiles(1)).to_string()),
        ("settled", json!(settled()).to_string()),
        // With the deck that nobody expected.
        ("published", (counting.count() + 1).to_string()),
        ("checked", name(0)),
        ("ticks", json!(ticks.join("; ")).to_string()),
        ("main", main.to_string()),
        ("main lines", built_of(0).len().to_string()),
        ("opened", name(1)),
        ("built", json!(built.join("; ")).to_string()),
        ("withdrawn", with(Fate::Withdrawn)),
        ("late", with(Fate::Late)),
        ("refused", with(Fate::Refused)),
        ("late at the page", with(Fate::LateAtPage)),
        ("late too", with(Fate::LateToo)),
        ("misspelt", with(Fate::Misspelt).replace("tri", "tir")),
        ("meant", with(Fate::Misspelt)),
        ("corrected", with(Fate::Corrected)),
    ];
    known.map(|(name, value)| (name.to_owned(), value)).to_vec()
}
