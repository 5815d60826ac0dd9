//! A start position on paper: what a table sets up from, the hidden part on pages of its own.

use crate::matches::file::Match;
use crate::matches::inputs::SeedSource;
use crate::matches::log::pending_words;
use crate::matches::seat::SeatId;
use crate::matches::table::{Slot, Visibility, Zone};
use decklaw_text::text::{counted, escape_control, listed, markup};
use std::fmt::Write;

/// A start position, page by page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The pages in the order in which they are printed; the first one is for everybody.
    pub pages: Vec<Page>,
}

/// One page of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// What it is.
    pub title: String,
    /// Whose eyes it is for; empty for everybody's.
    pub only_for: String,
    /// What it says: a heading and its lines, in order.
    pub blocks: Vec<Block>,
}

/// A heading and the lines under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The heading.
    pub heading: String,
    /// The lines, in order; cards from the top of the pile down, counted from 0.
    pub lines: Vec<String>,
    /// Whether the order of the lines matters.
    pub ordered: bool,
}

impl Match {
    /// The match on paper: a page for the table, one for each player's eyes, and one for
    /// the dealer with every pile in order.
    pub fn sheet(&self) -> Sheet {
        let mut pages = vec![self.table_page()];
        for seat in &self.inputs.seats {
            let zones = &self.table.seats[seat.seat.index()].zones;
            let own = zones
                .iter()
                .filter(|zone| zone.seen == Visibility::ByOwner && !zone.slots.is_empty());
            pages.push(Page {
                title: format!("Seat {}: {}", seat.seat, escape_control(&seat.name, false)),
                only_for: escape_control(&seat.name, false).into_owned(),
                blocks: own.map(|zone| self.block(None, zone, |_| true)).collect(),
            });
        }
        let hidden = self.zones().filter(|(_, zone)| match zone.seen {
            Visibility::ByNobody => !zone.slots.is_empty(),
            Visibility::CardByCard => zone.slots.iter().any(|slot| !slot.up),
            Visibility::ByAll | Visibility::ByOwner => false,
        });
        pages.push(Page {
            title: "Piles, from the top".to_owned(),
            only_for: "the person who sets up the table".to_owned(),
            blocks: hidden.map(|(owner, zone)| self.block(owner, zone, |_| true)).collect(),
        });
        Sheet { pages }
    }

    fn zones(&self) -> impl Iterator<Item = (Option<SeatId>, &Zone)> {
        let shared = self.table.shared.iter().map(|zone| (None, zone));
        let seats = self.table.seat_ids().zip(&self.table.seats);
        shared
            .chain(seats.flat_map(|(id, seat)| seat.zones.iter().map(move |zone| (Some(id), zone))))
    }

    fn table_page(&self) -> Page {
        let inputs = &self.inputs;
        let mut facts = vec![match self.table.first {
            Some(first) => format!("Seat {first} begins"),
            None => "Who begins is not yet decided".to_owned(),
        }];
        for seat in &inputs.seats {
            facts.push(format!("Seat {}: {}", seat.seat, escape_control(&seat.name, false)));
        }
        if self.table.partners {
            let team = |first: usize| {
                let seats: Vec<&str> =
                    self.table.seat_ids().skip(first).step_by(2).map(SeatId::letter).collect();
                listed(&seats, "and")
            };
            facts.push(format!(
                "Partners sit opposite each other: {} against {}; turns go clockwise",
                team(0),
                team(1)
            ));
        }
        facts.extend(inputs.options.iter().map(|(name, value)| format!("{name}: {value}")));
        facts.extend(self.score());
        for roll in self.table.rolls.iter().flatten() {
            let values: Vec<String> =
                roll.iter().map(|(seat, value)| format!("{seat} {value}")).collect();
            facts.push(format!("Rolled: {}", values.join(", ")));
        }
        for entry in &inputs.assumed {
            let why = escape_control(&entry.why, false);
            facts.push(format!("Assumed: {} = {} ({why})", entry.setting, entry.value));
        }
        let pending = self.pending.iter();
        facts.extend(pending.map(|entry| format!("Still to decide: {}", pending_words(entry))));
        if inputs.randomness.seed_source == SeedSource::Text {
            facts.push(
                "The seed is from a text: anyone who knows the text can deal this again".to_owned(),
            );
        }
        facts.push("Cards of a zone are counted from 0, the top, as moves and picks do".to_owned());
        facts.push(format!("Digest of the inputs: {}", self.inputs_digest()));
        let mut blocks =
            vec![Block { heading: "This match".to_owned(), lines: facts, ordered: false }];
        for seat in &inputs.seats {
            let on_table = &self.table.seats[seat.seat.index()];
            let counters = on_table.counters.iter();
            let counters = counters.map(|(name, value)| format!("{}: {value}", words(name)));
            let mut lines: Vec<String> = counters.collect();
            if let Some(Some(spec)) = &on_table.spec {
                lines.push(format!("spec: {}", escape_control(spec, false)));
            }
            if !lines.is_empty() {
                blocks.push(Block {
                    heading: format!("{}: counters", seat.seat),
                    lines,
                    ordered: false,
                });
            }
        }
        for (owner, zone) in self.zones() {
            let block = match zone.seen {
                Visibility::ByAll | Visibility::CardByCard => {
                    self.block(owner, zone, |slot| zone.seen == Visibility::ByAll || slot.up)
                }
                Visibility::ByOwner | Visibility::ByNobody => self.block(owner, zone, |_| false),
            };
            if !zone.slots.is_empty() {
                blocks.push(block);
            }
        }
        let format = escape_control(&inputs.format, false);
        Page { title: format!("Start position: {format}"), only_for: String::new(), blocks }
    }

    /// A zone's cards; those that are not shown are counted where all are hidden, and said
    /// to be face down otherwise.
    fn block(&self, owner: Option<SeatId>, zone: &Zone, shown: impl Fn(&Slot) -> bool) -> Block {
        let whose = owner.map_or(String::new(), |seat| format!("{seat}: "));
        let cards = counted(zone.slots.len() as i64, "card");
        let heading = format!("{whose}{} ({cards})", words(&zone.name));
        let line = |(at, slot): (usize, &Slot)| {
            let mut line = if shown(slot) {
                let card = self.table.instance(slot.card);
                format!("{} [{}]", escape_control(&card.name, false), card.id)
            } else {
                "(face down)".to_owned()
            };
            let lies = self.table.lies(owner, zone, at);
            if !lies.is_empty() {
                line.push_str(&format!(" ({})", escape_control(&lies, false)));
            }
            line
        };
        let lines = match zone.seen {
            Visibility::ByOwner | Visibility::ByNobody if !zone.slots.iter().any(&shown) => {
                Vec::new()
            }
            _ => zone.slots.iter().enumerate().map(line).collect(),
        };
        Block { heading, lines, ordered: true }
    }
}

/// A zone's or counter's name as people write it.
fn words(name: &str) -> String {
    escape_control(&name.replace('_', " "), false).into_owned()
}

impl Sheet {
    /// The sheet as text; each page begins with a form feed but the first.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (number, page) in self.pages.iter().enumerate() {
            if number > 0 {
                text.push('\u{c}');
            }
            // Writing to a string cannot fail; so below.
            let _ = writeln!(text, "{}", page.title);
            if !page.only_for.is_empty() {
                let _ = writeln!(text, "HIDDEN: only for {}", page.only_for);
            }
            for block in &page.blocks {
                let _ = writeln!(text, "\n{}", block.heading);
                for (number, line) in block.lines.iter().enumerate() {
                    let _ = if block.ordered {
                        writeln!(text, "  {number:>3}. {line}")
                    } else {
                        writeln!(text, "  {line}")
                    };
                }
            }
            text.push('\n');
        }
        text
    }

    /// The sheet as an HTML document that loads nothing; each page prints on its own.
    pub fn to_html(&self) -> String {
        let title = self.pages.first().map_or("", |page| page.title.as_str());
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n{STYLE}</head>\n<body>\n",
            markup(title)
        );
        for page in &self.pages {
            let _ = writeln!(html, "<section>\n<h1>{}</h1>", markup(&page.title));
            if !page.only_for.is_empty() {
                let only_for = markup(&page.only_for);
                let _ = writeln!(html, "<p class=\"hidden\">Hidden: only for {only_for}</p>");
            }
            for block in &page.blocks {
                let (open, list) =
                    if block.ordered { ("ol start=\"0\"", "ol") } else { ("ul", "ul") };
                let _ = writeln!(html, "<h2>{}</h2>\n<{open}>", markup(&block.heading));
                for line in &block.lines {
                    let _ = writeln!(html, "<li>{}</li>", markup(line));
                }
                let _ = writeln!(html, "</{list}>");
            }
            html.push_str("</section>\n");
        }
        html.push_str("</body>\n</html>\n");
        html
    }
}

const STYLE: &str = "<style>
body { font: 11pt/1.3 sans-serif; margin: 2em; }
section { break-after: page; }
section:last-child { break-after: auto; }
ol, ul { columns: 3 14em; }
li { break-inside: avoid; overflow-wrap: anywhere; }
h1, h2 { break-after: avoid; overflow-wrap: anywhere; }
.hidden { border: 2px solid; padding: 0.3em; font-weight: bold; }
</style>
";
