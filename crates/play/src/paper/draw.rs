//! A card's face as SVG, 250 by 350 units: 63 by 88 mm on paper.

use super::colour::{BLACK, Colour, WHITE};
use super::face::Face;
use super::letters::{Lines, Weight, cut, fit, steps, width};
use crate::look::GREY;
use decklaw_text::text::markup;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A face's width in its own units.
pub const WIDTH: f64 = 250.0;
/// A face's height in its own units.
pub const HEIGHT: f64 = 350.0;

/// How much a face shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// All of it, to be read.
    #[default]
    Full,
    /// All but its text, with a larger picture.
    Small,
    /// All of it, with room for a number next to the title.
    Stack,
    /// Picture, cost and a name that can be read in 60 pixels.
    Thumb,
    /// The picture alone, in a strip of 226 by 60 units.
    Slice,
}

/// A face as SVG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// The picture.
    pub svg: String,
    /// The words that have no room on it, in their order.
    pub cut: Vec<String>,
}

/// The colour behind text.
const PAPER: &str = "#fbf9f4";
const INK: &str = "#1b1f26";
/// The families of letters: the first is the built-in one, the others are for browsers. None is
/// wider, so that no line leaves its room.
const FAMILIES: &str =
    "'Noto Sans',-apple-system,'Segoe UI',Roboto,'Liberation Sans',Arial,sans-serif";

/// Sizes of letters in units, which are 0.71 points on paper: largest and least.
const TITLE: (f64, f64) = (20.0, 16.0);
const TITLE_OF_TWO: (f64, f64) = (18.0, 9.0);
const KIND: (f64, f64) = (14.0, 8.0);
const TEXT: (f64, f64) = (15.5, 7.5);
const LABEL: (f64, f64) = (11.0, 6.0);
const NUMBER: (f64, f64) = (21.0, 9.0);
const LEADING: f64 = 1.24;
/// Between paragraphs, in parts of the letters' size.
const GAP: f64 = 0.45;

/// The most numbers side by side, and how high a row of them is.
const CELLS: usize = 6;
const CELL: f64 = 40.0;

/// How wide a name is on a thumb, with room for a browser's wider letters.
const ROOM: f64 = 206.0;

/// Where the picture begins, and how wide it is.
const ART: (f64, f64, f64) = (12.0, 52.0, 226.0);

/// How large a strip of a picture is.
const SLICE: (f64, f64) = (226.0, 60.0);

/// How much room the number of copies takes from the title.
const COUNT: f64 = 34.0;

pub(super) fn opened(svg: &mut String, (wide, high): (f64, f64)) {
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" aria-hidden=\"true\" \
         focusable=\"false\" text-rendering=\"geometricPrecision\" font-family=\"{FAMILIES}\">"
    );
}

/// A number with one decimal at most.
fn short(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// A name for parts of a picture that no other card's has.
fn identity(text: &str, size: Size) -> String {
    let hash = |seed: u64, byte: u8| (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, hash);
    let letter = match size {
        Size::Full => 'f',
        Size::Small => 's',
        Size::Stack => 'k',
        Size::Thumb => 't',
        Size::Slice => 'l',
    };
    format!("{letter}{hash:x}")
}

impl Face {
    /// The face as SVG. `picture` is the address of the maker's picture, in the place of drawn art.
    ///
    /// ```
    /// use decklaw_play::paper::{Face, Size};
    /// let drawing = Face::named("Moss & Sprite").draw(Size::Full, None);
    /// assert!(drawing.svg.starts_with("<svg ") && drawing.svg.contains(">Moss &amp; Sprite<"));
    /// assert!(drawing.cut.is_empty());
    /// ```
    pub fn draw(&self, size: Size, picture: Option<&str>) -> Drawing {
        let mut pen = self.pen(size, picture);
        let area = if size == Size::Slice { SLICE } else { (WIDTH, HEIGHT) };
        opened(&mut pen.svg, area);
        match size {
            Size::Full | Size::Small | Size::Stack => pen.full(size),
            Size::Thumb => pen.thumb(),
            Size::Slice => pen.slice(),
        }
        pen.svg.push_str("</svg>");
        Drawing { svg: pen.svg, cut: pen.cut }
    }

    fn pen<'f>(&'f self, size: Size, picture: Option<&'f str>) -> Pen<'f> {
        Pen {
            face: self,
            colour: Colour::parse(&self.colour).or(Colour::parse(GREY)).unwrap_or(BLACK),
            id: identity(&format!("{self:?}"), size),
            picture,
            svg: String::new(),
            cut: Vec::new(),
        }
    }

    /// Its picture or art alone, which fills an area.
    pub(super) fn strip(&self, area: (f64, f64), picture: Option<&str>) -> String {
        self.pen(Size::Slice, picture).drawn(area)
    }
}

/// The back of the cards of a game, in its first colour, as SVG.
pub fn back(name: &str, colour: Option<&str>) -> String {
    let colour = colour.and_then(Colour::parse).or(Colour::parse(GREY)).unwrap_or(BLACK);
    let dark = colour.mix(BLACK, 0.6);
    let mut svg = String::new();
    opened(&mut svg, (WIDTH, HEIGHT));
    let _ = write!(
        svg,
        "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{dark}\"/><g fill=\"none\" stroke=\"#ffffff\" \
         stroke-opacity=\".22\" stroke-width=\"3\"><rect x=\"14\" y=\"14\" width=\"222\" height=\"322\" rx=\"10\"/>\
         <path d=\"M125 50l78 125-78 125-78-125Z\"/><path d=\"M125 90l52 85-52 85-52-85Z\"/></g>"
    );
    let size = fit(name, 190.0, (24.0, 8.0), Weight::Bold).unwrap_or(8.0);
    let wide = width(name, Weight::Bold) * size + 24.0;
    let _ = write!(
        svg,
        "<rect x=\"{}\" y=\"155\" width=\"{}\" height=\"40\" rx=\"8\" fill=\"{dark}\"/>",
        short(125.0 - wide / 2.0),
        short(wide)
    );
    let place = Place { x: 125.0, y: 175.0 + size * 0.36, is_centred: true };
    text(&mut svg, name, place, size, Weight::Bold, "#ffffff");
    svg.push_str("</svg>");
    svg
}

/// A text that is one line in a room, cut short if it must be.
#[cfg(feature = "paper")]
pub(super) fn shortened(line: &str, room: f64, size: f64) -> String {
    match fit(line, room, (size, size), Weight::Regular) {
        Some(_) => line.to_owned(),
        None => cut(line, room, size, Weight::Regular).0,
    }
}

/// Where a line of text begins, or its middle, on its base line.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) is_centred: bool,
}

pub(super) fn at(x: f64, y: f64) -> Place {
    Place { x, y, is_centred: false }
}

pub(super) fn centred(x: f64, y: f64) -> Place {
    Place { x, y, is_centred: true }
}

pub(super) fn text(
    svg: &mut String,
    line: &str,
    place: Place,
    size: f64,
    weight: Weight,
    fill: &str,
) {
    let anchor = if place.is_centred { " text-anchor=\"middle\"" } else { "" };
    let _ = write!(
        svg,
        "<text x=\"{}\" y=\"{}\"{anchor} font-size=\"{}\" font-weight=\"{}\" fill=\"{fill}\">{}</text>",
        short(place.x),
        short(place.y),
        short(size),
        weight.css(),
        markup(line)
    );
}

/// A face that is being drawn.
struct Pen<'f> {
    face: &'f Face,
    colour: Colour,
    id: String,
    picture: Option<&'f str>,
    svg: String,
    cut: Vec<String>,
}

impl Pen<'_> {
    fn text(&mut self, line: &str, place: Place, size: f64, weight: Weight, fill: &str) {
        text(&mut self.svg, line, place, size, weight, fill);
    }

    fn slice(&mut self) {
        let art = self.drawn(SLICE);
        self.svg.push_str(&art);
    }

    fn full(&mut self, detail: Size) {
        let face = self.face;
        let (dark, deep) = (self.colour.mix(BLACK, 0.3), self.colour.mix(BLACK, 0.58));
        let rows = face.numbers.len().div_ceil(CELLS);
        let bottom = if rows == 0 { 338.0 } else { 342.0 - CELL * rows as f64 };
        // Rules text as large as it can be with a picture of some size, and without one at last.
        let room = |size: f64| bottom - 223.0 + (TEXT.0 - size) * 9.0;
        let is_small = detail == Size::Small;
        let mut rules = if is_small { Rules::default() } else { self.wrapped(TEXT.1) };
        for size in steps(TEXT.0, TEXT.1).filter(|_| !is_small) {
            let lines = self.wrapped(size);
            if lines.height() <= room(size).min(bottom - 120.0) {
                rules = lines;
                break;
            }
        }
        // Short rules leave more room for the picture, in steps, so that a grid stays calm.
        let high = rules.height();
        let art_high = match rules.lines.len() {
            0 => bottom - 86.0,
            lines => {
                let lines = lines.max(2).div_ceil(2) * 2;
                let calm = lines as f64 * rules.size * LEADING
                    + (high - rules.lines.len() as f64 * rules.size * LEADING);
                f64::max(bottom - 101.0 - f64::max(calm, high), 0.0)
            }
        };
        let kind_at = ART.1 + art_high + 19.0;
        self.frame(dark, deep);
        if art_high > 8.0 {
            self.art(art_high);
        }
        let taken = if detail == Size::Stack { COUNT } else { 0.0 };
        self.heading(deep, WIDTH - 24.0 - taken);
        self.kind(kind_at);
        self.edges(art_high, deep);
        if !rules.lines.is_empty() {
            self.rules(rules, kind_at + 10.0, bottom);
        }
        self.numbers(bottom);
    }

    fn frame(&mut self, dark: Colour, deep: Colour) {
        let id = &self.id;
        let rim = self.colour.mix(WHITE, 0.35);
        let _ = write!(
            self.svg,
            "<linearGradient id=\"{id}g\" x1=\"0\" y1=\"0\" x2=\".4\" y2=\"1\"><stop stop-color=\"{dark}\"/>\
             <stop offset=\"1\" stop-color=\"{deep}\"/></linearGradient>\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"url(#{id}g)\"/>\
             <rect x=\"1.5\" y=\"1.5\" width=\"247\" height=\"347\" rx=\"14.5\" fill=\"none\" stroke=\"{rim}\" \
             stroke-opacity=\".55\" stroke-width=\"2\"/>"
        );
    }

    fn art(&mut self, high: f64) {
        let (left, top, wide) = ART;
        let high = short(high);
        let id = &self.id;
        let _ = write!(
            self.svg,
            "<clipPath id=\"{id}a\"><rect width=\"{wide}\" height=\"{high}\" rx=\"8\"/></clipPath>\
             <g transform=\"translate({left} {top})\" clip-path=\"url(#{id}a)\">"
        );
        let art = self.drawn((wide, high));
        self.svg.push_str(&art);
        self.svg.push_str("</g>");
    }

    /// The maker's picture, or the art in its place.
    fn drawn(&self, (wide, high): (f64, f64)) -> String {
        let face = self.face;
        match self.picture {
            Some(picture) => format!(
                "<image href=\"{}\" width=\"{wide}\" height=\"{high}\" preserveAspectRatio=\"xMidYMid slice\"/>",
                markup(picture)
            ),
            None => face.art.draw(&face.name, self.colour, (wide, high)),
        }
    }

    fn badge(&mut self, (x, y): (f64, f64), radius: f64, deep: Colour) {
        let Some(cost) = &self.face.cost else {
            return;
        };
        let _ = write!(self.svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{PAPER}\"/>");
        let sizes = (radius * 1.2, radius * 0.4);
        let size = fit(cost, radius * 1.65, sizes, Weight::Bold).unwrap_or(sizes.1);
        self.text(cost, centred(x, y + size * 0.36), size, Weight::Bold, &deep.to_string());
    }

    fn heading(&mut self, deep: Colour, right: f64) {
        self.badge((31.0, 28.0), 19.0, deep);
        let left = if self.face.cost.is_some() { 56.0 } else { 17.0 };
        // Letters of a browser may be a tenth wider than those that are built in.
        let room = right - left;
        let name = self.face.name.clone();
        if let Some(size) = fit(&name, room, TITLE, Weight::Bold) {
            self.text(&name, at(left, 35.0), size, Weight::Bold, "#ffffff");
            return;
        }
        let is_named = name.contains(", ");
        let [first, second] = halves(&name, if is_named { ", " } else { " " });
        let largest = if is_named { 15.0 } else { TITLE_OF_TWO.0 };
        for (line, largest, y) in [(first, TITLE_OF_TWO.0, 25.0), (second, largest, 43.0)] {
            let sizes = (largest, TITLE_OF_TWO.1);
            let size = fit(&line, room, sizes, Weight::Bold);
            let line =
                if size.is_some() { line } else { self.cut(&line, room, sizes.1, Weight::Bold) };
            self.text(&line, at(left, y), size.unwrap_or(sizes.1), Weight::Bold, "#ffffff");
        }
    }

    /// A line cut short, and its rest among what has no room.
    fn cut(&mut self, line: &str, room: f64, size: f64, weight: Weight) -> String {
        let (shown, rest) = cut(line, room, size, weight);
        self.cut.push(rest);
        shown
    }

    fn kind(&mut self, y: f64) {
        let pips = &self.face.pips;
        for (number, colour) in pips.iter().rev().enumerate() {
            let x = 231.0 - number as f64 * 17.0;
            let _ = write!(
                self.svg,
                "<circle cx=\"{x}\" cy=\"{}\" r=\"6\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"1.6\"/>",
                short(y - 5.0),
                markup(colour)
            );
        }
        let room = WIDTH - 34.0 - pips.len() as f64 * 17.0;
        let kind = self.face.kind.clone();
        if kind.is_empty() {
            return;
        }
        let size = fit(&kind, room, KIND, Weight::Bold);
        let kind = if size.is_some() { kind } else { self.cut(&kind, room, KIND.1, Weight::Bold) };
        self.text(&kind, at(17.0, y), size.unwrap_or(KIND.1), Weight::Bold, "#ffffff");
    }

    fn edges(&mut self, high: f64, deep: Colour) {
        let (_, top, _) = ART;
        let middle = top + high / 2.0 + 10.0;
        let places =
            [(125.0, top + 32.0), (218.0, middle), (125.0, top + high - 8.0), (32.0, middle)];
        self.edges_at(places, 32.0, deep);
    }

    /// The values of the four sides: top, right, bottom, left.
    fn edges_at(&mut self, places: [(f64, f64); 4], size: f64, deep: Colour) {
        let Some(edges) = &self.face.edges else {
            return;
        };
        let stroke = short(size * 0.19);
        for (edge, (x, y)) in edges.iter().zip(places) {
            let _ = write!(
                self.svg,
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"{size}\" font-weight=\"700\" fill=\"#ffffff\" \
                 stroke=\"{deep}\" stroke-width=\"{stroke}\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</text>",
                short(y),
                markup(edge)
            );
        }
    }

    /// The rules text in letters of a size.
    fn wrapped(&self, size: f64) -> Rules {
        let mut rules = Rules { lines: Vec::new(), size };
        for (number, text) in self.face.text.iter().enumerate() {
            let wrapped = Lines::wrap(text, 204.0, size, Weight::Regular).lines.into_iter();
            rules.lines.extend(
                wrapped
                    .enumerate()
                    .map(|(line, text)| RulesLine { text, starts: number > 0 && line == 0 }),
            );
        }
        rules
    }

    fn rules(&mut self, mut rules: Rules, top: f64, bottom: f64) {
        let size = rules.size;
        let mut rest: Vec<String> = Vec::new();
        while rules.lines.len() > 1 && rules.height() > bottom - top - 8.0 {
            rest.extend(rules.lines.pop().map(|line| line.text));
        }
        if !rest.is_empty() {
            rest.reverse();
            if let Some(last) = rules.lines.last_mut() {
                last.text.push_str(" …");
                if width(&last.text, Weight::Regular) * size > 204.0 {
                    let (start, word) =
                        last.text.trim_end_matches(" …").rsplit_once(' ').unwrap_or_default();
                    rest.insert(0, word.to_owned());
                    last.text = format!("{start} …");
                }
            }
            self.cut.push(rest.join(" "));
        }
        let _ = write!(
            self.svg,
            "<rect x=\"12\" y=\"{}\" width=\"226\" height=\"{}\" rx=\"8\" fill=\"{PAPER}\"/>",
            short(top),
            short(bottom - top)
        );
        let mut y = top + 9.0 + size * 0.9;
        for line in rules.lines {
            if line.starts {
                y += size * GAP;
            }
            self.text(&line.text, at(23.0, y), size, Weight::Regular, INK);
            y += size * LEADING;
        }
    }

    fn numbers(&mut self, bottom: f64) {
        let face = self.face;
        let rows = face.numbers.len().div_ceil(CELLS).max(1);
        let columns = face.numbers.len().div_ceil(rows).max(1);
        for (row, numbers) in face.numbers.chunks(columns).enumerate() {
            let wide = 226.0 / numbers.len() as f64;
            let top = bottom + CELL * row as f64;
            for (column, (label, number)) in numbers.iter().enumerate() {
                let x = 12.0 + wide * (column as f64 + 0.5);
                let cell = [
                    (number, NUMBER, top + 23.0, Weight::Bold),
                    (label, LABEL, top + 36.0, Weight::Regular),
                ];
                for (line, sizes, y, weight) in cell {
                    let size = fit(line, wide - 4.0, sizes, weight);
                    let line = if size.is_some() {
                        line.clone()
                    } else {
                        self.cut(line, wide - 4.0, sizes.1, weight)
                    };
                    self.text(&line, centred(x, y), size.unwrap_or(sizes.1), weight, "#ffffff");
                }
            }
        }
    }

    fn thumb(&mut self) {
        let deep = self.colour.mix(BLACK, 0.6);
        let name = self.face.name.clone();
        let widest = |lines: &Lines| {
            let widths = lines.lines.iter().map(|line| width(line, Weight::Bold) * lines.size);
            widths.fold(0.0, f64::max)
        };
        // No word is broken while smaller letters keep it whole.
        let words = name.split_whitespace().count();
        let is_whole = |lines: &Lines| {
            let parts = lines.lines.iter().map(|line| line.split(' ').count());
            parts.sum::<usize>() == words && lines.lines.len() <= 3 && widest(lines) <= ROOM
        };
        let wrapped = |size| Lines::wrap(&name, ROOM, size, Weight::Bold);
        let lines = steps(36.0, 20.0).map(wrapped).find(is_whole).unwrap_or_else(|| wrapped(20.0));
        let size = lines.size;
        let mut lines = lines.lines;
        if lines.len() > 4 {
            lines.truncate(4);
            if let Some(last) = lines.last_mut() {
                *last = cut(&format!("{last}…"), ROOM, size, Weight::Bold).0;
            }
        }
        let top = HEIGHT - 20.0 - lines.len() as f64 * size * 1.06;
        let id = self.id.clone();
        let _ = write!(
            self.svg,
            "<clipPath id=\"{id}m\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\"/></clipPath>\
             <g clip-path=\"url(#{id}m)\">"
        );
        let art = self.drawn((WIDTH, short(top + 2.0)));
        self.svg.push_str(&art);
        let rim = self.colour.mix(WHITE, 0.25);
        let _ = write!(
            self.svg,
            "<rect y=\"{}\" width=\"{WIDTH}\" height=\"{}\" fill=\"{deep}\"/></g>\
             <rect x=\"4\" y=\"4\" width=\"242\" height=\"342\" rx=\"15\" fill=\"none\" stroke=\"{rim}\" stroke-width=\"8\"/>",
            short(top),
            short(HEIGHT - top)
        );
        for (number, line) in lines.iter().enumerate() {
            let y = top + (number as f64 + 0.92) * size * 1.06;
            self.text(line, centred(125.0, y), size, Weight::Bold, "#ffffff");
        }
        let middle = top / 2.0 + 24.0;
        let places = [(125.0, 66.0), (206.0, middle), (125.0, top - 12.0), (44.0, middle)];
        self.edges_at(places, 62.0, deep);
        self.badge((46.0, 46.0), 34.0, deep);
    }
}

/// The lines of rules.
#[derive(Default)]
struct Rules {
    lines: Vec<RulesLine>,
    size: f64,
}

struct RulesLine {
    text: String,
    /// Whether a paragraph starts here, the first excepted.
    starts: bool,
}

impl Rules {
    fn height(&self) -> f64 {
        let gaps = self.lines.iter().filter(|line| line.starts).count();
        (self.lines.len() as f64 * LEADING + gaps as f64 * GAP) * self.size
    }
}

/// A name in two lines, broken where the longer one is shortest.
fn halves(name: &str, between: &str) -> [String; 2] {
    let breaks = name.match_indices(between);
    let halves = breaks.map(|(at, _)| {
        let (first, second) = name.split_at(at);
        [first.to_owned() + between.trim_end(), second.trim_start_matches(between).to_owned()]
    });
    let longest = |[first, second]: &[String; 2]| {
        let widest = f64::max(width(first, Weight::Bold), width(second, Weight::Bold));
        (widest * 1000.0) as u64
    };
    let best = halves.min_by_key(longest);
    best.unwrap_or_else(|| {
        // One long word, or letters without spaces.
        let middle = name.chars().count().div_ceil(2);
        let middle = name.char_indices().nth(middle).map_or(name.len(), |(at, _)| at);
        let (first, second) = name.split_at(middle);
        [first.to_owned(), second.to_owned()]
    })
}
