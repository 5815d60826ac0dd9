//! A start position on paper: what a table sets up from, the hidden part on pages of its own.

use crate::matches::error::MatchError;
use crate::matches::file::Match;
use crate::matches::inputs::SeedSource;
use crate::matches::seat::{Reader, SeatId};
use crate::matches::table::Visibility;
use crate::matches::view::{View, ZoneView};
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
    /// The match on paper: what everybody sees for the table, what each player sees besides for
    /// that player's eyes, and for the dealer every pile in order.
    ///
    /// # Errors
    /// A seed that is none.
    pub fn sheet(&self) -> Result<Sheet, MatchError> {
        let public = self.view(Reader::Public)?;
        let mut pages = vec![self.table_page(&public)];
        for (seat, on_table) in &public.seats {
            let own = self.view(Reader::Seat(*seat))?;
            let zones = own.zones().filter(|(owner, _, zone)| {
                *owner == Some(*seat) && zone.seen == Visibility::ByOwner && zone.count > 0
            });
            let name = escape_control(&on_table.name, false);
            pages.push(Page {
                title: format!("Seat {seat}: {name}"),
                only_for: name.clone().into_owned(),
                blocks: zones.map(|(_, name, zone)| Block::of(&own, (None, name, zone))).collect(),
            });
        }
        let all = self.view(Reader::Open)?;
        let hidden = public.zones().zip(all.zones()).filter(|((.., public), (.., zone))| {
            let is_hidden = public.commitment.is_some() && zone.seen != Visibility::ByOwner;
            is_hidden && zone.count > 0
        });
        pages.push(Page {
            title: "Piles, from the top".to_owned(),
            only_for: "the person who sets up the table".to_owned(),
            blocks: hidden.map(|(_, zone)| Block::of(&all, zone)).collect(),
        });
        Ok(Sheet { pages })
    }

    fn table_page(&self, view: &View) -> Page {
        let inputs = &self.inputs;
        let mut facts = vec![match view.first {
            Some(first) => format!("Seat {first} begins"),
            None => "Who begins is not yet decided".to_owned(),
        }];
        for (seat, on_table) in &view.seats {
            facts.push(format!("Seat {seat}: {}", escape_control(&on_table.name, false)));
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
        facts.extend(view.options.iter().map(|(name, value)| format!("{name}: {value}")));
        facts.extend(self.score());
        facts.extend(view.rolls().map(|roll| format!("Rolled: {roll}")));
        for entry in &inputs.assumed {
            let why = escape_control(&entry.why, false);
            facts.push(format!("Assumed: {} = {} ({why})", entry.setting, entry.value));
        }
        facts.extend(view.open());
        if inputs.randomness.seed_source == SeedSource::Text {
            facts.push(
                "The seed is from a text: anyone who knows the text can deal this again".to_owned(),
            );
        }
        facts.push("Cards of a zone are counted from 0, the top, as moves and picks do".to_owned());
        facts.push(format!("Digest of the inputs: {}", self.inputs_digest()));
        let facts = Block { heading: "This match".to_owned(), lines: facts, ordered: false };
        let counters = view.seats.iter().map(|(seat, on_table)| Block {
            heading: format!("{seat}: counters"),
            lines: on_table.counted().iter().map(|line| line.replace('_', " ")).collect(),
            ordered: false,
        });
        let counters = counters.filter(|block| !block.lines.is_empty());
        let zones = view.zones().filter(|(.., zone)| zone.count > 0);
        let zones = zones.map(|zone| Block::of(view, zone));
        let format = escape_control(&view.format, false);
        Page {
            title: format!("Start position: {format}"),
            only_for: String::new(),
            blocks: std::iter::once(facts).chain(counters).chain(zones).collect(),
        }
    }
}

impl Block {
    /// A zone of a view: its cards that are shown, and how many there are.
    fn of(view: &View, (owner, name, zone): (Option<SeatId>, &str, &ZoneView)) -> Block {
        let whose = owner.map_or(String::new(), |seat| format!("{seat}: "));
        let (name, cards) = (name.replace('_', " "), counted(zone.count as i64, "card"));
        Block {
            heading: format!("{whose}{} ({cards})", escape_control(&name, false)),
            lines: view.lines(zone),
            ordered: true,
        }
    }
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
