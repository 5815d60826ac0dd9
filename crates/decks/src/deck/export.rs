//! Decks written for other programs: bare lists, tables and Cockatrice's XML.

use super::{COLUMNS, Listing};
use decklaw_text::name::tidy;
use decklaw_text::spreadsheet::{Flavour, Table};
use decklaw_text::text::markup;
use std::fmt::Write as _;

/// Returns a line `3 Name` for each card, without headers and sections.
///
/// ```
/// use decklaw_decks::deck::{Listing, to_list};
/// let deck = Listing { sections: vec![("main".into(), vec![(3, "Ant".into())])], ..Listing::default() };
/// assert_eq!(to_list(&deck), "3 Ant\n");
/// ```
pub fn to_list(deck: &Listing) -> String {
    let mut out = String::new();
    for (count, name) in deck.sections.iter().flat_map(|(_, cards)| cards) {
        // Writing to a string cannot fail; so below.
        let _ = writeln!(out, "{count} {}", tidy(name));
    }
    out
}

/// A table with the columns `count`, `name` and `section`. It has no place for headers.
///
/// # Errors
/// None in practice.
pub fn to_csv(deck: &Listing) -> csv::Result<Vec<u8>> {
    let mut table = Table::new(Vec::new(), Flavour::Plain, &COLUMNS)?;
    let sections = deck.sections.iter();
    let cards = sections.flat_map(|(id, cards)| cards.iter().map(move |card| (id, card)));
    let row = |(id, (count, name)): (&String, &(u32, String))| {
        [count.to_string(), tidy(name).into_owned(), id.clone()]
    };
    for cells in cards.map(row) {
        table.row(cells.iter().map(String::as_str))?;
    }
    table.finish()
}

/// The zones of Cockatrice.
const ZONES: [&str; 2] = ["main", "side"];

/// Returns the section that is dealt: `first`, or the first that has cards.
fn dealt<'d>(deck: &'d Listing, first: &'d str) -> &'d str {
    let mut filled = deck.sections.iter().filter(|(_, cards)| !cards.is_empty());
    if filled.clone().any(|(section, _)| section == first) {
        first
    } else {
        filled.next().map_or(first, |(section, _)| section)
    }
}

/// Returns the zone of Cockatrice that holds a section.
fn zone(section: &str, dealt: &str) -> &'static str {
    ZONES[usize::from(section != dealt)]
}

/// The sections of a deck whose cards [`to_cockatrice`] puts into a zone of another name, and
/// that zone.
///
/// ```
/// use decklaw_decks::deck::{Listing, moved_for_cockatrice};
/// let cards = || vec![(1, "Ant".into())];
/// let sections = vec![("main".into(), cards()), ("extra".into(), cards())];
/// let deck = Listing { sections, ..Listing::default() };
/// assert_eq!(moved_for_cockatrice(&deck, "main"), [("extra", "side")]);
/// ```
pub fn moved_for_cockatrice<'d>(deck: &'d Listing, first: &str) -> Vec<(&'d str, &'static str)> {
    let first = dealt(deck, first);
    let filled = deck.sections.iter().filter(|(_, cards)| !cards.is_empty());
    let zones = filled.map(|(section, _)| (section.as_str(), zone(section, first)));
    zones.filter(|(section, zone)| section != zone).collect()
}

/// Returns a Cockatrice deck. The cards of the section `first` are in the zone `main`, all others
/// in `side`: Cockatrice deals no other. Headers other than the name are in the comments, a line
/// each, and so is the section of every card that is in a zone of another name.
///
/// ```
/// use decklaw_decks::deck::{Listing, to_cockatrice};
/// let sections = vec![("main".into(), vec![(3, "A & B".into())]), ("extra".into(), vec![(1, "C".into())])];
/// let deck = to_cockatrice(&Listing { sections, ..Listing::default() }, "main");
/// assert!(deck.contains("<card number=\"3\" name=\"A &amp; B\"/>"));
/// assert!(deck.contains("Zone side, section extra: 1 C"));
/// ```
pub fn to_cockatrice(deck: &Listing, first: &str) -> String {
    let first = dealt(deck, first);
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cockatrice_deck version=\"1\">\n",
    );
    let name = deck.name.as_deref().map(|name| markup(&tidy(name)));
    let _ = writeln!(out, "  <deckname>{}</deckname>", name.unwrap_or_default());
    let mut comments: Vec<String> = deck
        .headers()
        .filter(|(key, _)| *key != "Name")
        .map(|(key, value)| markup(&format!("{key}: {}", tidy(value))))
        .collect();
    for (section, cards) in &deck.sections {
        let zone = zone(section, first);
        for (count, name) in cards.iter().filter(|_| zone != section) {
            let line = format!("Zone {zone}, section {section}: {count} {}", tidy(name));
            comments.push(markup(&line));
        }
    }
    let _ = writeln!(out, "  <comments>{}</comments>", comments.join("\n"));
    for called in ZONES {
        let own = deck.sections.iter().filter(|(id, _)| zone(id, first) == called);
        let mut own = own.flat_map(|(_, cards)| cards).peekable();
        if own.peek().is_none() {
            continue;
        }
        let _ = writeln!(out, "  <zone name=\"{called}\">");
        for (count, name) in own {
            let name = markup(&tidy(name));
            let _ = writeln!(out, "    <card number=\"{count}\" name=\"{name}\"/>");
        }
        out.push_str("  </zone>\n");
    }
    out.push_str("</cockatrice_deck>\n");
    out
}

/// A line of a Cockatrice deck's comments that moves cards of a zone to a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OfSection {
    /// The zone of the card.
    pub(super) zone: String,
    /// Its section.
    pub(super) section: String,
    /// How many copies of it.
    pub(super) count: u32,
    /// Its name.
    pub(super) name: String,
}

impl OfSection {
    /// Reads what [`to_cockatrice`] writes. `None`: the line is of another kind.
    pub(super) fn read(line: &str) -> Option<OfSection> {
        let (zone, rest) = line.trim().strip_prefix("Zone ")?.split_once(", section ")?;
        // A section may have a colon in its name, a number behind it says where the name ends.
        rest.match_indices(": ").find_map(|(at, colon)| {
            let (count, name) = rest[at + colon.len()..].split_once(' ')?;
            Some(OfSection {
                zone: zone.to_owned(),
                section: rest[..at].to_owned(),
                count: count.parse().ok()?,
                name: name.to_owned(),
            })
        })
    }
}
