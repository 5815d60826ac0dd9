//! The plain model: names, cards, a pool read from CSV, and decks read from text.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

/// The identity of a card (SPEC 2.1 V2, 2.4 (4)): NFC, trimmed, white space collapsed, case
/// folded. Upper case first and lower case next, character by character, folds `ß` with `SS` and
/// the two small sigmas with each other.
pub(crate) fn fold(name: &str) -> String {
    if name.is_ascii() {
        // The same for plain names, sooner.
        let words: Vec<_> = name.split_whitespace().collect();
        return words.join(" ").to_ascii_lowercase();
    }
    let composed: String = name.nfc().collect();
    let collapsed = composed.split_whitespace().collect::<Vec<_>>().join(" ");
    let folded = collapsed
        .chars()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase);
    folded.nfc().collect()
}

/// The folded name of a card of one format. Only VASTRIX has aliases: `AS`, `TC`, `Red Joker`.
pub(crate) fn identity(format: &str, name: &str) -> String {
    let folded = fold(name);
    if format != "vastrix" {
        return folded;
    }
    match folded.as_str() {
        "red joker" => return "rj".to_owned(),
        "black joker" => return "bj".to_owned(),
        _ => {}
    }
    for (letter, suit) in [("s", "♠"), ("h", "♥"), ("d", "♦"), ("c", "♣")] {
        if let Some(rank) = folded.strip_suffix(letter) {
            let rank = if rank == "t" { "10" } else { rank };
            if RANKS.contains(&rank.to_uppercase().as_str()) {
                return format!("{rank}{suit}");
            }
        }
    }
    folded
}

/// The thirteen ranks of SPEC 5.1 X1.
pub(crate) const RANKS: [&str; 13] = [
    "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K",
];
/// The four suits of SPEC 5.1 X1.
pub(crate) const SUITS: [&str; 4] = ["♠", "♥", "♦", "♣"];

/// A card: its name, and the other columns of its row in lower case (values ignore case).
#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) name: String,
    pub(crate) folded: String,
    columns: BTreeMap<String, String>,
}

impl Card {
    /// A column's value; empty where the pool has no such column.
    pub(crate) fn value(&self, column: &str) -> &str {
        self.columns.get(column).map_or("", String::as_str)
    }

    pub(crate) fn is(&self, column: &str, wanted: &str) -> bool {
        self.value(column) == wanted
    }

    /// A whole number; nothing where the cell is empty.
    pub(crate) fn number(&self, column: &str) -> Option<u32> {
        self.value(column).parse().ok()
    }

    /// The items of a `;` list.
    pub(crate) fn list(&self, column: &str) -> Vec<&str> {
        let items = self.value(column).split(';').map(str::trim);
        items.filter(|item| !item.is_empty()).collect()
    }
}

/// All cards of a game, by folded name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    cards: BTreeMap<String, Card>,
}

impl Pool {
    pub(crate) fn read(csv_text: &str) -> Self {
        let mut reader = csv::Reader::from_reader(csv_text.as_bytes());
        let header = reader.headers().unwrap().clone();
        let is_name = |column: &str| column.trim().eq_ignore_ascii_case("name");
        let name_column = header.iter().position(is_name).unwrap();
        let mut pool = Self::default();
        for row in reader.records() {
            let row = row.unwrap();
            let mut columns: BTreeMap<String, String> = header
                .iter()
                .zip(row.iter())
                .map(|(column, value)| (column.trim().to_lowercase(), value.trim().to_lowercase()))
                .collect();
            columns.remove("name");
            let name = row[name_column].trim().to_owned();
            let folded = fold(&name);
            let card = Card {
                name,
                folded: folded.clone(),
                columns,
            };
            pool.cards.insert(folded, card);
        }
        pool
    }

    pub(crate) fn find(&self, folded: &str) -> Option<&Card> {
        self.cards.get(folded)
    }

    /// The card of that name, in any spelling.
    pub(crate) fn named(&self, name: &str) -> Option<&Card> {
        self.find(&fold(name))
    }

    pub(crate) fn cards(&self) -> impl Iterator<Item = &Card> {
        self.cards.values()
    }

    /// Names of the cards that answer to a description.
    pub(crate) fn names(&self, wanted: impl Fn(&Card) -> bool) -> Vec<String> {
        let found = self.cards().filter(|card| wanted(card));
        found.map(|card| card.name.clone()).collect()
    }
}

/// A line of a deck: so many copies of a name, in the deck's own spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) count: u32,
    pub(crate) name: String,
}

/// A deck: its format and its sections in the order written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deck {
    pub(crate) format: String,
    pub(crate) name: String,
    pub(crate) sections: Vec<(String, Vec<Line>)>,
}

impl Deck {
    pub(crate) fn new(format: &str) -> Self {
        Self {
            format: format.to_owned(),
            name: "Trial".to_owned(),
            sections: Vec::new(),
        }
    }

    /// The lines of one section; none where the deck has no such section.
    pub(crate) fn lines(&self, section: &str) -> &[Line] {
        let found = self.sections.iter().find(|(id, _)| id == section);
        found.map_or(&[], |(_, lines)| lines)
    }

    pub(crate) fn lines_mut(&mut self, section: &str) -> &mut Vec<Line> {
        let place = self.sections.iter().position(|(id, _)| id == section);
        let place = place.unwrap_or_else(|| {
            self.sections.push((section.to_owned(), Vec::new()));
            self.sections.len() - 1
        });
        &mut self.sections[place].1
    }

    pub(crate) fn add(&mut self, section: &str, count: u32, name: &str) {
        if count == 0 {
            return;
        }
        let lines = self.lines_mut(section);
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.count += count,
            None => lines.push(Line {
                count,
                name: name.to_owned(),
            }),
        }
    }

    /// Copies of each folded name, added up over every line and spelling.
    pub(crate) fn copies(&self, section: &str) -> BTreeMap<String, u32> {
        let mut copies = BTreeMap::new();
        for line in self.lines(section) {
            *copies
                .entry(identity(&self.format, &line.name))
                .or_default() += line.count;
        }
        copies
    }

    /// Cards in a section, every copy counted.
    pub(crate) fn size(&self, section: &str) -> u32 {
        self.lines(section).iter().map(|line| line.count).sum()
    }

    /// Reads the native text dialect, as far as these tests write it.
    pub(crate) fn read(text: &str) -> Self {
        let mut deck = Self::default();
        let mut section = "main".to_owned();
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.trim();
            let comment = line.starts_with('#') || line.starts_with("//");
            if line.is_empty() || comment {
                continue;
            }
            if line.starts_with(|first: char| first.is_ascii_digit()) {
                let (count, name) = line.split_once(' ').unwrap();
                let count = count.trim_end_matches(['x', '×']).parse().unwrap();
                let name = name.trim().to_owned();
                deck.lines_mut(&section).push(Line { count, name });
            } else if let (Some((key, value)), true) =
                (line.split_once(": "), deck.sections.is_empty())
            {
                match key {
                    "Format" => value.trim().clone_into(&mut deck.format),
                    "Name" => value.trim().clone_into(&mut deck.name),
                    _ => {}
                }
            } else {
                let title = line.split('(').next().unwrap();
                let title = title.trim_matches(|c: char| !c.is_alphabetic());
                section = match title.to_lowercase().as_str() {
                    "deck" => "main".to_owned(),
                    "sideboard" => "side".to_owned(),
                    other => other.to_owned(),
                };
                deck.lines_mut(&section);
            }
        }
        deck
    }
}
