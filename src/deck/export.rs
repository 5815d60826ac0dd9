//! Decks written for other programs: bare lists, tables and Cockatrice's XML.

use super::{COLUMNS, Listing};
use crate::name::tidy;
use crate::spreadsheet::{Flavour, Table};
use crate::text::markup;
use std::fmt::Write as _;

/// The bare list: a line `3 Name` for each card, without headers and sections. It holds
/// what stands in one section; which one, whoever reads it must know.
///
/// ```
/// use decklaw::deck::{Listing, to_list};
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

/// A table with the columns `count`, `name` and `section`, and `choice` where the deck declares
/// any: one a row, from the first row on. It has no place for other headers.
///
/// # Errors
/// None in practice.
pub fn to_csv(deck: &Listing) -> csv::Result<Vec<u8>> {
    let choices: Vec<String> = deck.choice_headers().collect();
    let columns = match choices.is_empty() {
        true => &COLUMNS[..3],
        false => &COLUMNS[..],
    };
    let mut table = Table::new(Vec::new(), Flavour::Plain, columns)?;
    let sections = deck.sections.iter();
    let cards = sections.flat_map(|(id, cards)| cards.iter().map(move |card| (id, card)));
    let row = |(id, (count, name)): (&String, &(u32, String))| {
        [count.to_string(), tidy(name).into_owned(), id.clone()]
    };
    let rows: Vec<[String; 3]> = cards.map(row).collect();
    let empty = <[String; 3]>::default();
    for at in 0..rows.len().max(choices.len()) {
        let choice = choices.get(at).map_or("", String::as_str);
        let choice = (!choices.is_empty()).then_some(choice);
        let cells = rows.get(at).unwrap_or(&empty).iter().map(String::as_str);
        table.row(cells.chain(choice))?;
    }
    table.finish()
}

/// A Cockatrice deck. Headers other than the name stand in its comments, a line each.
///
/// ```
/// use decklaw::deck::{Listing, to_cockatrice};
/// let deck = Listing { sections: vec![("main".into(), vec![(3, "A & B".into())])], ..Listing::default() };
/// assert!(to_cockatrice(&deck).contains("<card number=\"3\" name=\"A &amp; B\"/>"));
/// ```
pub fn to_cockatrice(deck: &Listing) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cockatrice_deck version=\"1\">\n",
    );
    let name = deck.name.as_deref().map(|name| markup(&tidy(name)));
    let _ = writeln!(out, "  <deckname>{}</deckname>", name.unwrap_or_default());
    let comments: Vec<String> = deck
        .headers()
        .filter(|(key, _)| *key != "Name")
        .map(|(key, value)| markup(&format!("{key}: {}", tidy(value))))
        .chain(
            deck.choice_headers()
                .map(|choice| markup(&format!("Choice: {choice}"))),
        )
        .collect();
    let _ = writeln!(out, "  <comments>{}</comments>", comments.join("\n"));
    for (section, cards) in &deck.sections {
        let _ = writeln!(out, "  <zone name=\"{}\">", markup(section));
        for (count, name) in cards {
            let name = markup(&tidy(name));
            let _ = writeln!(out, "    <card number=\"{count}\" name=\"{name}\"/>");
        }
        out.push_str("  </zone>\n");
    }
    out.push_str("</cockatrice_deck>\n");
    out
}
