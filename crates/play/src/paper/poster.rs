//! A deck as one picture of 1600 × 900 units, to be shown: its leaders as a banner, and every card
//! as a face in columns.

use super::colour::{BLACK, Colour};
use super::draw::{HEIGHT, Place, Size, WIDTH, at, centred, opened, text};
use super::face::Face;
use super::letters::{Weight, cut, fit, width};
use crate::look::GREY;
use decklaw_rules::rules::Verdict;
use std::fmt::Write;

/// What a picture of a deck shows.
#[derive(Debug, Clone)]
pub struct Poster {
    /// The deck's name.
    pub name: String,
    /// Its verdict; `None`: its format has no rules.
    pub verdict: Option<Verdict>,
    /// Its game and how many cards it has.
    pub about: String,
    /// What it is known by, such as its Hero; at most three are shown.
    pub leaders: Vec<PosterCard>,
    /// Its cards.
    pub columns: Vec<PosterColumn>,
}

/// A column of cards, such as those of one cost.
#[derive(Debug, Clone)]
pub struct PosterColumn {
    /// What they have in common.
    pub label: String,
    /// The cards with their copies.
    pub cards: Vec<(PosterCard, u32)>,
}

/// A card of a picture.
#[derive(Debug, Clone)]
pub struct PosterCard {
    /// What is printed on it.
    pub face: Face,
    /// The address of its maker's picture.
    pub picture: Option<String>,
}

const WIDE: f64 = 1600.0;
const HIGH: f64 = 900.0;
/// The height of the banner.
const TOP: f64 = 190.0;
/// The room at the sides, between cards, between columns, and of a column's head.
const SIDE: f64 = 36.0;
const GAP: f64 = 10.0;
const APART: f64 = 22.0;
const HEAD: f64 = 30.0;
/// The widest and the narrowest face, and one whose text can be read.
const WIDEST: f64 = 230.0;
const NARROWEST: f64 = 24.0;
const READABLE: f64 = 130.0;

/// How large the faces are, and how many side by side each column has.
struct Fit {
    wide: f64,
    subs: Vec<usize>,
}

fn fitted(columns: &[PosterColumn]) -> Fit {
    let (width, height) = (WIDE - 2.0 * SIDE, HIGH - TOP - 42.0);
    let mut wide = WIDEST;
    loop {
        let rows = ((height - HEAD + GAP) / (wide * 1.4 + GAP)).floor().max(1.0) as usize;
        let subs: Vec<usize> = columns.iter().map(|one| one.cards.len().div_ceil(rows)).collect();
        let all: f64 = subs.iter().map(|subs| *subs as f64 * (wide + GAP) - GAP).sum();
        if all + APART * columns.len().saturating_sub(1) as f64 <= width || wide <= NARROWEST {
            return Fit { wide, subs };
        }
        wide -= 1.0;
    }
}

fn colour_of(face: &Face) -> Colour {
    Colour::parse(&face.colour).or(Colour::parse(GREY)).unwrap_or(BLACK)
}

fn copies(column: &PosterColumn) -> u32 {
    column.cards.iter().map(|(_, copies)| copies).sum()
}

impl Poster {
    /// The picture as SVG.
    pub fn draw(&self) -> String {
        let mut svg = String::new();
        opened(&mut svg, (WIDE, HIGH));
        // Programs that turn it into pixels ask for its size.
        svg = svg.replacen("<svg ", &format!("<svg width=\"{WIDE}\" height=\"{HIGH}\" "), 1);
        let _ = write!(
            svg,
            "<linearGradient id=\"ground\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop stop-color=\"#1b2029\"/>\
             <stop offset=\"1\" stop-color=\"#0d0f13\"/></linearGradient><linearGradient id=\"veil\">\
             <stop stop-color=\"#0b0d11\" stop-opacity=\".86\"/><stop offset=\".46\" stop-color=\"#0b0d11\" stop-opacity=\".28\"/>\
             <stop offset=\".66\" stop-color=\"#0b0d11\" stop-opacity=\".2\"/><stop offset=\"1\" stop-color=\"#0b0d11\" stop-opacity=\".8\"/>\
             </linearGradient><rect width=\"{WIDE}\" height=\"{HIGH}\" fill=\"url(#ground)\"/>"
        );
        self.banner(&mut svg);
        self.curve(&mut svg);
        self.cards(&mut svg);
        text(
            &mut svg,
            "made with decklaw",
            at(WIDE - SIDE - width("made with decklaw", Weight::Regular) * 14.0, HIGH - 14.0),
            14.0,
            Weight::Regular,
            "#8f98a8",
        );
        svg.push_str("</svg>");
        svg
    }

    fn banner(&self, svg: &mut String) {
        let count = self.leaders.len().min(3);
        for (place, card) in self.leaders.iter().take(3).enumerate() {
            let wide = WIDE / count as f64;
            let art = card.face.strip((wide, TOP), card.picture.as_deref());
            let _ = write!(
                svg,
                "<svg x=\"{:.1}\" y=\"0\" width=\"{wide:.1}\" height=\"{TOP}\" viewBox=\"0 0 {wide:.1} {TOP}\">{art}</svg>",
                wide * place as f64
            );
        }
        let _ = write!(svg, "<rect width=\"{WIDE}\" height=\"{TOP}\" fill=\"url(#veil)\"/>");
        let sizes = (58.0, 22.0);
        let size = fit(&self.name, 1050.0, sizes, Weight::Bold);
        let name = match size {
            Some(_) => self.name.clone(),
            None => cut(&self.name, 1050.0, sizes.1, Weight::Bold).0,
        };
        text(svg, &name, at(44.0, 84.0), size.unwrap_or(sizes.1), Weight::Bold, "#ffffff");
        let (word, ground, ink) = match self.verdict {
            Some(Verdict::Legal) => ("Legal", "#dff3e6", "#146c3a"),
            Some(Verdict::Incomplete) => ("Not finished", "#fcefd4", "#83500a"),
            Some(Verdict::Illegal | Verdict::Unreadable) => ("Not legal", "#fde7e4", "#b4231a"),
            None => ("Not checked", "#eceef2", "#4a515d"),
        };
        let wide = width(word, Weight::Bold) * 19.0 + 36.0;
        let _ = write!(
            svg,
            "<rect x=\"44\" y=\"112\" width=\"{wide:.1}\" height=\"38\" rx=\"19\" fill=\"{ground}\"/>"
        );
        text(svg, word, centred(44.0 + wide / 2.0, 138.0), 19.0, Weight::Bold, ink);
        text(svg, &self.about, at(60.0 + wide, 138.0), 20.0, Weight::Regular, "#e6e9ef");
        let names = self.leaders.iter().take(3).map(|card| card.face.name.as_str());
        let names = names.collect::<Vec<_>>().join(" · ");
        let (names, _) = match fit(&names, 1000.0, (16.0, 16.0), Weight::Regular) {
            Some(_) => (names, String::new()),
            None => cut(&names, 1000.0, 16.0, Weight::Regular),
        };
        text(svg, &names, at(44.0, 174.0), 16.0, Weight::Regular, "#c9cfda");
    }

    /// The number of cards of each column, in the colours of their frames.
    fn curve(&self, svg: &mut String) {
        let most = self.columns.iter().map(copies).max().unwrap_or(0).max(1);
        let step = f64::min(40.0, 420.0 / self.columns.len().max(1) as f64);
        for (place, column) in self.columns.iter().enumerate() {
            let x = WIDE - 44.0 - (self.columns.len() - place) as f64 * step;
            let mut y = 148.0;
            let mut colours: Vec<(Colour, u32)> = Vec::new();
            for (card, copies) in &column.cards {
                let colour = colour_of(&card.face);
                match colours.iter_mut().find(|(known, _)| *known == colour) {
                    Some((_, sum)) => *sum += copies,
                    None => colours.push((colour, *copies)),
                }
            }
            for (colour, copies) in colours {
                let high = f64::from(copies) / f64::from(most) * 84.0;
                y -= high;
                let _ = write!(
                    svg,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{high:.1}\" fill=\"{colour}\"/>",
                    step - 8.0
                );
            }
            let middle = x + (step - 8.0) / 2.0;
            let number = copies(column).to_string();
            text(svg, &number, centred(middle, y - 6.0), 16.0, Weight::Bold, "#ffffff");
            let last = column.label.rsplit(' ').next().unwrap_or_default();
            let (label, _) = match fit(last, step - 2.0, (14.0, 14.0), Weight::Regular) {
                Some(_) => (last.to_owned(), String::new()),
                None => cut(last, step - 2.0, 14.0, Weight::Regular),
            };
            text(svg, &label, centred(middle, 168.0), 14.0, Weight::Regular, "#e6e9ef");
        }
    }

    fn cards(&self, svg: &mut String) {
        let Fit { wide, subs } = fitted(&self.columns);
        let each = self.columns.iter().zip(&subs);
        let tall = each.map(|(column, subs)| column.cards.len().div_ceil((*subs).max(1))).max();
        let high = HEAD + tall.unwrap_or(0) as f64 * (wide * 1.4 + GAP);
        let all: f64 = subs.iter().map(|subs| *subs as f64 * (wide + GAP) - GAP).sum();
        let all = all + APART * subs.len().saturating_sub(1) as f64;
        let top = TOP + f64::max(20.0, (HIGH - TOP - 30.0 - high) / 2.0);
        let mut x = (WIDE - all) / 2.0;
        for (column, subs) in self.columns.iter().zip(&subs) {
            let own = *subs as f64 * (wide + GAP) - GAP;
            let number = copies(column).to_string();
            let room = own - width(&number, Weight::Bold) * 17.0 - 8.0;
            let (label, _) = match fit(&column.label, room, (17.0, 17.0), Weight::Bold) {
                Some(_) => (column.label.clone(), String::new()),
                None => cut(&column.label, room, 17.0, Weight::Bold),
            };
            text(svg, &label, at(x, top + 16.0), 17.0, Weight::Bold, "#c9cfda");
            let right = x + own - width(&number, Weight::Bold) * 17.0;
            text(svg, &number, at(right, top + 16.0), 17.0, Weight::Bold, "#ffffff");
            let rows = column.cards.len().div_ceil((*subs).max(1)).max(1);
            for (place, (card, copies)) in column.cards.iter().enumerate() {
                let (sub, row) = ((place / rows) as f64, (place % rows) as f64);
                let (left, upper) = (x + sub * (wide + GAP), top + HEAD + row * (wide * 1.4 + GAP));
                placed(svg, card, (left, upper), wide);
                number_of(svg, *copies, (left + wide, upper + wide * HEIGHT / WIDTH), wide);
            }
            x += own + APART;
        }
    }
}

/// A face at a place.
fn placed(svg: &mut String, card: &PosterCard, (x, y): (f64, f64), wide: f64) {
    let size = if wide < READABLE { Size::Small } else { Size::Full };
    let face = card.face.draw(size, card.picture.as_deref()).svg;
    let at =
        format!("<svg x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide}\" height=\"{:.1}\" ", wide * 1.4);
    svg.push_str(&face.replacen("<svg ", &at, 1));
}

/// The copies of a card, at its lower right corner.
fn number_of(svg: &mut String, copies: u32, (x, y): (f64, f64), wide: f64) {
    let radius = f64::max(11.0, wide * 0.115);
    let words = format!("×{copies}");
    let size = radius * 1.05;
    let half = f64::max(radius * 1.25, width(&words, Weight::Bold) * size / 2.0 + 6.0);
    let (x, y) = (x - half * 0.8, y - radius * 0.9);
    let _ = write!(
        svg,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{radius:.1}\" fill=\"#14171c\" stroke=\"#ffffff\" stroke-width=\"2\"/>",
        x - half,
        y - radius,
        half * 2.0,
        radius * 2.0
    );
    let place = Place { x, y: y + size * 0.36, is_centred: true };
    text(svg, &words, place, size, Weight::Bold, "#ffffff");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(name: &str) -> PosterCard {
        PosterCard { face: Face::named(name), picture: None }
    }

    #[test]
    fn every_card_of_a_deck_is_in_its_picture() {
        for cards in [1, 7, 40, 120] {
            let column = |label: &str, of: std::ops::Range<usize>| PosterColumn {
                label: label.to_owned(),
                cards: of.map(|at| (card(&format!("Card {at}")), 3)).collect(),
            };
            let columns = vec![column("Mana 1", 0..cards / 2), column("Mana 2", cards / 2..cards)];
            let poster = Poster {
                name: "Ash & Acorn".to_owned(),
                verdict: Some(Verdict::Legal),
                about: "Shell".to_owned(),
                leaders: vec![card("Keep")],
                columns: columns.into_iter().filter(|one| !one.cards.is_empty()).collect(),
            };
            let fit = fitted(&poster.columns);
            assert!(fit.wide >= NARROWEST && fit.wide <= WIDEST);
            let svg = poster.draw();
            assert!(svg.contains("Ash &amp; Acorn") && svg.contains(">Legal<"));
            for at in 0..cards {
                assert!(svg.contains(&format!(">Card {at}<")), "{at} of {cards}");
            }
            assert_eq!(svg.matches(">×3<").count(), cards);
        }
    }
}
