//! A table on a screen of so many columns and rows: what a seat sees, the most important last.
//!
//! Names are never broken. Where all does not fit, what can be asked for is told shorter, step
//! by step: empty zones, then long piles, then the names on squares.

mod board;

use crate::matches::error::MatchError;
use crate::matches::file::Match;
use crate::matches::seat::SeatId;
use crate::matches::view::{CardView, LyingView, Reader, SeatView, View, ZoneView};
use crate::text::harmless;
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// What stands between two things on a line.
const BETWEEN: &str = " · ";

/// How much is told, from all of it to what must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    All,
    /// Empty zones are left out.
    Held,
    /// Long zones of others, and in the middle, have one line.
    Short,
    /// So have one's own, but for the hand.
    Shorter,
    /// Squares are told by signs, without names.
    Signs,
    /// Every zone has one line.
    Least,
}

const STEPS: [Told; 6] = [
    Told::All,
    Told::Held,
    Told::Short,
    Told::Shorter,
    Told::Signs,
    Told::Least,
];

impl Match {
    /// What a reader sees of the table while it is set up, in at most so many rows of so many
    /// columns. `more` says how what does not fit is asked for.
    ///
    /// # Errors
    /// A seat at which nobody sits.
    pub fn screen(
        &self,
        reader: Reader,
        columns: usize,
        rows: usize,
        more: &str,
    ) -> Result<Vec<String>, MatchError> {
        let view = self.view(reader)?;
        let mut head = vec![
            harmless(&view.format, false).into_owned(),
            view.phase.to_owned(),
        ];
        head.extend(view.first.map(|seat| format!("seat {seat} begins")));
        for roll in view.shared.rolls.iter().flatten() {
            let values = roll
                .iter()
                .map(|(seat, value)| format!("{seat} rolled {value}"));
            head.extend(values);
        }
        Ok(drawn(&view, reader, head, (columns, rows), more))
    }
}

/// A view in at most so many columns and rows, a line for its head above it. `more` says how
/// what does not fit is asked for.
pub(super) fn drawn(
    view: &View,
    reader: Reader,
    head: Vec<String>,
    (columns, rows): (usize, usize),
    more: &str,
) -> Vec<String> {
    let sketch = Sketch {
        head,
        view,
        reader,
        columns: columns.max(20),
    };
    let mut lines = Vec::new();
    for told in STEPS {
        lines = sketch.lines(told);
        if lines.len() <= rows {
            return lines;
        }
    }
    // What stands last is one's own: the hand, and how the turn stands.
    let over = lines.len() - rows.saturating_sub(1);
    lines.splice(
        1..=over.min(lines.len() - 1),
        [format!("… more than fits: {more}")],
    );
    lines.truncate(rows.max(1));
    lines
}

/// What is drawn, for whom, and how wide.
struct Sketch<'a> {
    /// What stands on the first line.
    head: Vec<String>,
    view: &'a View,
    reader: Reader,
    columns: usize,
}

impl Sketch<'_> {
    fn lines(&self, told: Told) -> Vec<String> {
        let mut lines = self.wrapped("", &self.head, 1);
        let shared = &self.view.shared.zones;
        for (name, zone) in shared.iter().filter(|(_, zone)| is_board(zone)) {
            lines.extend(self.board(name, zone, told));
        }
        lines.extend(self.zones("", shared, Vec::new(), told, false));
        let own = match self.reader {
            Reader::Seat(seat) => Some(seat),
            Reader::Public => None,
        };
        let others = self
            .view
            .seats
            .iter()
            .filter(|(seat, _)| Some(**seat) != own);
        for (seat, table) in others {
            lines.extend(self.seat(*seat, table, told, false));
        }
        if let Some((seat, table)) = own.and_then(|seat| self.view.seats.get_key_value(&seat)) {
            lines.extend(self.seat(*seat, table, told, true));
        }
        lines
    }

    fn seat(&self, seat: SeatId, table: &SeatView, told: Told, own: bool) -> Vec<String> {
        let name = harmless(&table.name, false);
        let whose = match (own, name.as_ref() == seat.letter()) {
            (true, true) => format!("{seat} (you)"),
            (true, false) => format!("{seat} {name} (you)"),
            (false, true) => seat.to_string(),
            (false, false) => format!("{seat} {name}"),
        };
        let mut parts = vec![whose];
        let counters = table.counters.iter();
        parts.extend(counters.map(|(name, value)| format!("{} {value}", harmless(name, false))));
        if let Some(Some(spec)) = &table.spec {
            parts.push(harmless(spec, false).into_owned());
        }
        self.zones("== ", &table.zones, parts, told, own)
    }

    /// Zones of which only numbers are told stand on the first line, each other one below.
    fn zones(
        &self,
        mark: &str,
        zones: &BTreeMap<String, ZoneView>,
        mut parts: Vec<String>,
        told: Told,
        own: bool,
    ) -> Vec<String> {
        let mut below = Vec::new();
        let mut hands = Vec::new();
        let mut empty = Vec::new();
        for (name, zone) in zones.iter().filter(|(_, zone)| own_line(mark, zone)) {
            let shown = harmless(name, false).into_owned();
            let count = match zone.terms.most {
                Some(most) if zone.count > most as usize => format!("{} (most {most})", zone.count),
                _ => zone.count.to_string(),
            };
            match &zone.cards {
                None => parts.push(format!("{shown} {count}")),
                Some(cards) if cards.is_empty() => empty.push(shown),
                Some(cards) => {
                    let is_hand = own && name == "hand";
                    let long = match own {
                        _ if told == Told::Least => false,
                        true => is_hand || told < Told::Shorter,
                        false => told < Told::Short,
                    };
                    let most = if long { usize::MAX } else { 1 };
                    let items = self.items(zone, cards);
                    let lines = self.wrapped(&format!("{shown} {count}: "), &items, most);
                    match is_hand {
                        true => hands.extend(lines),
                        false => below.extend(lines),
                    }
                }
            }
        }
        if told == Told::All && !empty.is_empty() {
            parts.push(format!("empty: {}", empty.join(", ")));
        }
        let mut lines = match parts.is_empty() {
            true => Vec::new(),
            false => self.wrapped(mark, &parts, usize::MAX),
        };
        lines.extend(below);
        lines.extend(hands);
        lines
    }

    /// The cards of a zone, each with its slot or its square, and how it lies.
    fn items(&self, zone: &ZoneView, cards: &[CardView]) -> Vec<String> {
        let row = zone.terms.grid.as_ref();
        let item = |(slot, card): (usize, &CardView)| {
            let lying = zone.lying.iter().find(|it| it.slot == slot);
            let at = lying.and_then(|it| Some(row?.name(it.at?)));
            let at = at.unwrap_or_else(|| slot.to_string());
            format!("{at} {}{}", self.name(card), told_of(lying))
        };
        cards.iter().enumerate().map(item).collect()
    }

    fn name(&self, card: &CardView) -> String {
        match card {
            CardView::Open(id) | CardView::Up { card: id, .. } => {
                let name = self.view.cards.get(id).map_or("", String::as_str);
                harmless(name, false).into_owned()
            }
            CardView::Down { .. } => "(down)".to_owned(),
        }
    }

    /// Items one after the other, none broken, on at most so many lines.
    fn wrapped(&self, start: &str, items: &[String], most: usize) -> Vec<String> {
        let indent = "    ";
        let mut lines: Vec<String> = vec![start.to_owned()];
        let mut fresh = true;
        for (number, item) in items.iter().enumerate() {
            let line = lines.last().map_or(0, |line| line.width());
            let between = if fresh { "" } else { BETWEEN };
            // Room is kept for saying how many are left out.
            let last = lines.len() == most && number + 1 < items.len();
            let room = self.columns.saturating_sub(if last { 8 } else { 0 });
            if !fresh && line + between.width() + item.width() > room {
                if lines.len() == most {
                    let left = items.len() - number;
                    if let Some(line) = lines.last_mut() {
                        line.push_str(&format!(" … +{left}"));
                    }
                    return lines;
                }
                lines.push(format!("{indent}{item}"));
                continue;
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(between);
                line.push_str(item);
            }
            fresh = false;
        }
        lines
    }
}

/// How a card lies beside its square, for the end of its name.
fn told_of(lying: Option<&LyingView>) -> String {
    let Some(lying) = lying else {
        return String::new();
    };
    let mut parts = Vec::new();
    if lying.at.is_none() {
        parts.extend(lying.owner.map(|owner| format!("of {owner}")));
    }
    parts.extend(lying.on.map(|host| format!("on {host}")));
    if lying.sideways {
        parts.push("sideways".to_owned());
    }
    let counters = lying.counters.iter();
    parts.extend(counters.map(|(name, value)| format!("{} {value}", harmless(name, false))));
    match parts.is_empty() {
        true => String::new(),
        false => format!(" ({})", parts.join(", ")),
    }
}

/// Whether a zone has squares in several rows.
fn is_board(zone: &ZoneView) -> bool {
    zone.terms.grid.as_ref().is_some_and(|grid| grid.rows > 1)
}

/// Whether a zone is told on lines of its own kind: a board in the middle is drawn.
fn own_line(mark: &str, zone: &ZoneView) -> bool {
    !(mark.is_empty() && is_board(zone))
}
