//! Deck-check slips: the registered list of a deck, with a box to tick for every copy.

use super::sheet::{Besides, called, facts, section_name, shown, standing};
use crate::deck::Listing;
use crate::format::Rulebook;
use crate::judge::DeckReport;
use crate::text::counted;
use std::fmt::Write as _;

/// More copies than these are counted, and not ticked one by one.
const MOST_BOXES: u32 = 6;

/// A box to tick.
const BOX: &str = "<i class=\"box\"></i>";

/// What a judge looks at beside the cards.
const CHECKS: [&str; 4] = [
    "Every section counted",
    "Sleeves alike, none marked",
    "No card that is not the game's",
    "Order of the cards random",
];

/// The slip of one deck: who plays it and where, each card of the registered list with its
/// boxes, what else is looked at, and what was found. It ends a document of [`head`] and
/// [`FOOT`].
///
/// [`head`]: super::sheet::head
/// [`FOOT`]: super::sheet::FOOT
pub fn page(
    report: &DeckReport,
    deck: &Listing,
    rulebook: Option<&Rulebook>,
    besides: &Besides<'_>,
) -> String {
    let mut page = format!(
        "<section class=\"slip\">\n<header><div>{}</div></header>\n<div class=\"sheet\">\n<h1>Deck check</h1>\n",
        called(report, deck)
    );
    facts(&mut page, deck, rulebook);
    page.push_str("<div class=\"times\"><div>Began</div><div>Ended</div><div>Time added</div></div>\n<div class=\"cards\">\n");
    for (id, cards) in deck.sections.iter().filter(|(_, cards)| !cards.is_empty()) {
        let total: i64 = cards.iter().map(|(count, _)| i64::from(*count)).sum();
        // Writing to a string cannot fail; so below.
        let _ = writeln!(
            page,
            "<h2><bdi class=\"section\">{}</bdi> <span>{} {BOX}</span></h2>\n<table>",
            shown(section_name(id, rulebook)),
            counted(total, "card")
        );
        for (count, name) in cards {
            let boxes = match *count {
                count if count <= MOST_BOXES => BOX.repeat(count as usize),
                _ => "<u></u>".to_owned(),
            };
            let _ = writeln!(
                page,
                "<tr><td>{count}</td><td>{boxes}</td><td><bdi>{}</bdi></td></tr>",
                shown(name)
            );
        }
        page.push_str("</table>\n");
    }
    page.push_str("</div>\n<div class=\"end\">\n<ul class=\"checks\">\n");
    for check in CHECKS {
        let _ = writeln!(page, "<li>{BOX} {check}</li>");
    }
    page.push_str("</ul>\n");
    standing(&mut page, besides);
    let _ = writeln!(
        page,
        "<p class=\"verdict\">Registered list: <strong>{}</strong></p>\n<p>{BOX} The deck is as registered &emsp; {BOX} It is not: missing, or there and not registered</p>\n<div class=\"found\"></div>\n<div class=\"found\"></div>",
        report.verdict.word()
    );
    let lock = besides.lock.map_or_else(String::new, |lock| {
        format!("<div><dt>Lock</dt><dd>{}</dd></div>", shown(lock))
    });
    let hash = report.hash.as_deref().unwrap_or("none: it is no deck");
    let _ = writeln!(
        page,
        "<dl class=\"small\"><div><dt>Deck hash</dt><dd>{}</dd></div><div><dt>File</dt><dd>{}</dd></div>{lock}</dl>",
        shown(hash),
        shown(&report.deck)
    );
    page.push_str(
        "<div class=\"sign\"><div>Player</div><div>Judge</div></div>\n</div>\n</div>\n</section>\n",
    );
    page
}
