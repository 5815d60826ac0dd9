//! A grid, square by square.

use super::{Sketch, Told, told_of};
use crate::matches::seat::SeatId;
use crate::matches::table::{Cell, Grid};
use crate::matches::view::{CardView, LyingView, Reader, ZoneView};
use crate::text::harmless;
use unicode_width::UnicodeWidthStr;

impl Sketch<'_> {
    /// A grid, seen from the reader's side, and below it what is not told on its squares.
    pub(super) fn board(&self, name: &str, zone: &ZoneView, told: Told) -> Vec<String> {
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
