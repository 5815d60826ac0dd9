//! A game on a screen of so many columns and rows: what a seat sees, the most important last.
//!
//! Names are never broken. Where all does not fit, what can be asked for with `zone` is told
//! shorter, step by step: empty zones, then long piles, then the names on squares.

use super::Play;
use crate::matches::error::MatchError;
use crate::matches::seat::SeatId;
use crate::matches::table::{Cell, Grid};
use crate::matches::view::{CardView, LyingView, Reader, SeatView, View, ZoneView};
use crate::text::{counted, harmless};
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

impl Play {
    /// What a reader sees of the game, in at most so many rows of so many columns.
    ///
    /// # Errors
    /// A seat at which nobody sits.
    pub fn screen(
        &self,
        reader: Reader,
        columns: usize,
        rows: usize,
    ) -> Result<Vec<String>, MatchError> {
        let view = self.as_match().view(reader)?;
        let sketch = Sketch {
            play: self,
            view: &view,
            reader,
            columns: columns.max(20),
        };
        let mut lines = Vec::new();
        for told in STEPS {
            lines = sketch.lines(told);
            if lines.len() <= rows {
                return Ok(lines);
            }
        }
        // What stands last is one's own: the hand, and how the turn stands.
        let over = lines.len() - rows.saturating_sub(1);
        lines.splice(
            1..=over.min(lines.len() - 1),
            ["… more than fits: `zone NAME` shows one".to_owned()],
        );
        lines.truncate(rows.max(1));
        Ok(lines)
    }

    /// A zone with all that is known of it: every card with its slot, and how it is played with.
    ///
    /// # Errors
    /// A zone or seat that is not there.
    pub fn zone_told(&self, reader: Reader, by: SeatId, name: &str) -> Result<String, MatchError> {
        let place = self.now.named(by, name)?;
        let zone = self.now.table.zone(place);
        let mut text = harmless(name, false).into_owned();
        text.push_str(&format!(": {}", counted(zone.slots.len() as i64, "card")));
        if let Some(most) = zone.terms.most {
            text.push_str(&format!(", at most {most}"));
        }
        if let Some(told) = &zone.terms.told {
            text.push_str(&format!("; {told}"));
        }
        if let Some(touch) = zone
            .terms
            .grid
            .as_ref()
            .and_then(|grid| grid.touch.as_ref())
        {
            text.push_str(&format!("; {touch}"));
        }
        text.push('\n');
        for (slot, held) in zone.slots.iter().enumerate() {
            let name = match self.now.sees(reader, place, slot) {
                true => self.now.table.instance(held.card).name.as_str(),
                false => "(hidden)",
            };
            let lies = self.now.table.lies(place.seat, zone, slot);
            let lies = match lies.is_empty() {
                true => lies,
                false => format!(" ({lies})"),
            };
            let line = format!("{name}{lies}");
            text.push_str(&format!("  {slot:>2}. {}\n", harmless(&line, false)));
        }
        Ok(text)
    }
}

struct Sketch<'a> {
    play: &'a Play,
    view: &'a View,
    reader: Reader,
    columns: usize,
}

impl Sketch<'_> {
    fn lines(&self, told: Told) -> Vec<String> {
        let mut lines = self.wrapped("", &self.head(), 1);
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

    /// The game, the turn and the last roll.
    fn head(&self) -> Vec<String> {
        let now = &self.play.now;
        let mut parts = vec![
            harmless(&self.view.format, false).into_owned(),
            format!("turn {}", now.turns + 1),
            format!("seat {} to act", now.active),
        ];
        if let Some((who, value)) = now.last_roll {
            parts.push(format!("{who} rolled {value}"));
        }
        parts
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

    /// A grid, seen from the reader's side, and below it what is not told on its squares.
    fn board(&self, name: &str, zone: &ZoneView, told: Told) -> Vec<String> {
        let Some(grid) = &zone.terms.grid else {
            return Vec::new();
        };
        let width = ((self.columns - 3) / usize::from(grid.columns)).saturating_sub(1);
        let width = width.min(18);
        let flipped = self.reader == Reader::Seat(SeatId::B);
        let mut rows: Vec<u8> = (0..grid.rows).rev().collect();
        let mut columns: Vec<u8> = (0..grid.columns).collect();
        if flipped {
            rows.reverse();
            columns.reverse();
        }
        let mut top = format!("{:3}", "");
        for column in &columns {
            let letter = Cell {
                column: *column,
                row: 0,
            };
            let letter = letter.to_string();
            top.push_str(&format!("{:<1$}", &letter[..1], width + 1));
        }
        let mut lines = vec![top.trim_end().to_owned()];
        let mut legend = Vec::new();
        for row in rows {
            let cells = columns.iter().map(|column| {
                let cell = Cell {
                    column: *column,
                    row,
                };
                self.square(zone, grid, cell, width, told, &mut legend)
            });
            let cells: Vec<[String; 2]> = cells.collect();
            let number = usize::from(row) + 1;
            let high = if told >= Told::Signs { 1 } else { 2 };
            for line in 0..high {
                let mut text = match line {
                    0 => format!("{number:<2} "),
                    _ => "   ".to_owned(),
                };
                for cell in &cells {
                    let blank = width.saturating_sub(cell[line].width());
                    text.push_str(&cell[line]);
                    text.push_str(&" ".repeat(blank));
                    text.push('|');
                }
                lines.push(text);
            }
        }
        let loose = zone.cards.iter().flatten().enumerate().filter(|(slot, _)| {
            let lying = zone.lying.iter().find(|it| it.slot == *slot);
            lying.is_none_or(|it| it.at.is_none())
        });
        for (slot, card) in loose {
            let lying = zone.lying.iter().find(|it| it.slot == slot);
            legend.push(format!("{slot} {}{}", self.name(card), told_of(lying)));
        }
        if !legend.is_empty() {
            let most = if told >= Told::Signs { 1 } else { usize::MAX };
            lines.extend(self.wrapped(&format!("{}: ", harmless(name, false)), &legend, most));
        }
        lines
    }

    /// What is told on a square: whose card lies there, and its name where it fits.
    fn square(
        &self,
        zone: &ZoneView,
        grid: &Grid,
        cell: Cell,
        width: usize,
        told: Told,
        legend: &mut Vec<String>,
    ) -> [String; 2] {
        let lying: Vec<&LyingView> = zone.lying.iter().filter(|it| it.at == Some(cell)).collect();
        let cards = zone.cards.as_deref().unwrap_or_default();
        let Some((top, card)) = lying
            .first()
            .and_then(|it| Some((*it, cards.get(it.slot)?)))
        else {
            return [".".to_owned(), String::new()];
        };
        let name = self.name(card);
        let owner = top.owner.map_or("?", SeatId::letter);
        let plain = lying.len() == 1 && top.counters.is_empty() && !top.sideways;
        let words: Vec<&str> = name.split(' ').collect();
        let mut square = [owner.to_owned(), String::new()];
        let mut line = 0;
        let mut fits = told < Told::Signs && plain;
        for word in words {
            let wide = square[line].width();
            let gap = usize::from(wide > 0);
            if wide + gap + word.width() > width {
                line += 1;
                if line == 2 || word.width() > width {
                    fits = false;
                    break;
                }
                square[line].push_str(word);
                continue;
            }
            if gap == 1 {
                square[line].push(' ');
            }
            square[line].push_str(word);
        }
        if fits {
            return square;
        }
        let sign = match card {
            CardView::Down { .. } => "(down)",
            _ => "*",
        };
        for it in &lying {
            if let Some(card) = cards.get(it.slot)
                && !(plain && matches!(card, CardView::Down { .. }))
            {
                let told = told_of(Some(it));
                legend.push(format!("{} {}{told}", grid.name(cell), self.name(card)));
            }
        }
        let more = match lying.len() {
            1 => String::new(),
            several => format!(" +{}", several - 1),
        };
        [format!("{owner} {sign}{more}"), String::new()]
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
