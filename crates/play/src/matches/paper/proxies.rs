//! Plain card faces: names on white and what else is known of a card in small letters beneath,
//! on sheets of ten by seven, as SVG and as PNG. The PNG's letters are in the program, so that
//! no system font matters.

use crate::paper::{Edge, Fonts, Shaper, Weight};
use decklaw_core::text::markup;
use std::collections::BTreeMap;

/// The card faces of one sheet: ten by seven, the last left to the back.
pub const SHEET_SLOTS: usize = COLUMNS * ROWS - 1;

const COLUMNS: usize = 10;
const ROWS: usize = 7;
/// A card's size in pixels.
const WIDTH: usize = 240;
const HEIGHT: usize = 336;
const MARGIN: usize = 16;

/// The size of letters in pixels: for names, and for what stands beneath.
const LARGE: f32 = 22.0;
const SMALL: f32 = 13.0;

/// From one line to the next, in pixels.
fn leading(size: f32) -> usize {
    (size * 1.3) as usize
}

/// A line of a face: its letters, and how far below the margin it begins, in pixels.
struct Placed {
    size: f32,
    down: usize,
    text: String,
}

/// The faces of some cards, each name in one slot.
#[derive(Debug, Clone)]
pub struct Proxies<'a> {
    slots: BTreeMap<&'a str, (usize, String)>,
}

impl<'a> Proxies<'a> {
    /// A slot for each name, in order of the names.
    ///
    /// ```
    /// let faces = decklaw_play::matches::Proxies::new(["Rain", "Moss", "Rain"]);
    /// assert_eq!((faces.sheets(), faces.slot("Rain")), (1, Some((0, 1))));
    /// ```
    pub fn new(names: impl IntoIterator<Item = &'a str>) -> Proxies<'a> {
        let names = names.into_iter();
        let mut slots: BTreeMap<&str, (usize, String)> =
            names.map(|name| (name, Default::default())).collect();
        for (number, (slot, _)) in slots.values_mut().enumerate() {
            *slot = number;
        }
        Proxies { slots }
    }

    /// The same with what is known of each card, by its name, in small letters beneath it:
    /// line by line, wrapped where need be.
    #[must_use]
    pub fn telling(mut self, known: impl Fn(&str) -> String) -> Proxies<'a> {
        for (name, (_, told)) in &mut self.slots {
            *told = known(name);
        }
        self
    }

    /// How many sheets there are.
    pub fn sheets(&self) -> usize {
        self.slots.len().div_ceil(SHEET_SLOTS)
    }

    /// The sheet of a name, from 0, and the slot in it, row by row from 0.
    pub fn slot(&self, name: &str) -> Option<(usize, usize)> {
        let (slot, _) = self.slots.get(name)?;
        Some((slot / SHEET_SLOTS, slot % SHEET_SLOTS))
    }

    /// Columns and rows of every sheet.
    pub fn grid() -> (usize, usize) {
        (COLUMNS, ROWS)
    }

    /// The names with letters that the built-in fonts lack.
    pub fn misspelt(&self) -> impl Iterator<Item = &str> {
        let shaper = Fonts::built_in().shaper();
        let names = self.slots.keys().copied();
        names.filter(move |name| spelled(name, &shaper) != *name)
    }

    /// The faces of a sheet: where each is, and its lines, spelled as the picture needs it.
    fn faces(
        &self,
        sheet: usize,
        shaper: &Shaper<'_>,
        spelled: impl Fn(&str) -> String,
    ) -> impl Iterator<Item = (usize, usize, Vec<Placed>)> {
        let slots = self.slots.iter().skip(sheet * SHEET_SLOTS);
        let faces = slots.take(SHEET_SLOTS).enumerate();
        faces.map(move |(slot, (name, (_, told)))| {
            let (x, y) = (slot % COLUMNS * WIDTH, slot / COLUMNS * HEIGHT);
            (x, y, placed(&spelled(name), &spelled(told), shaper))
        })
    }

    /// A sheet as an SVG picture.
    pub fn svg(&self, sheet: usize) -> String {
        let (width, height) = (COLUMNS * WIDTH, ROWS * HEIGHT);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        let shaper = Fonts::built_in().shaper();
        for (x, y, lines) in self.faces(sheet, &shaper, str::to_owned) {
            let (left, top) = (x + 4, y + 4);
            let (wide, high) = (WIDTH - 8, HEIGHT - 8);
            svg.push_str(&format!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"12\" \
                 fill=\"none\" stroke=\"black\" stroke-width=\"3\"/>\n"
            ));
            for Placed { size, down, text } in lines {
                let (x, y) = (x + MARGIN, y + MARGIN + down + size as usize);
                let text = markup(&text);
                svg.push_str(&format!(
                    "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{text}</text>\n"
                ));
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// A sheet as a PNG picture. Letters that the built-in fonts lack are written as their
    /// code points.
    pub fn png(&self, sheet: usize) -> Vec<u8> {
        let mut picture = Picture::new(COLUMNS * WIDTH, ROWS * HEIGHT);
        let shaper = Fonts::built_in().shaper();
        for (x, y, lines) in self.faces(sheet, &shaper, |text| spelled(text, &shaper)) {
            picture.frame(x + 4, y + 4, WIDTH - 8, HEIGHT - 8);
            for Placed { size, down, text } in lines {
                let place = ((x + MARGIN) as f32, (y + MARGIN + down) as f32 + size);
                let line = shaper.line(&text, Weight::Regular);
                picture.fill(&shaper.edges(&line, size, place));
            }
        }
        picture.png()
    }

    /// The back of every card, as a PNG picture.
    pub fn back() -> Vec<u8> {
        let mut picture = Picture::new(WIDTH, HEIGHT);
        picture.frame(4, 4, WIDTH - 8, HEIGHT - 8);
        for y in 16..HEIGHT - 16 {
            for x in (16..WIDTH - 16).filter(|x| (x + y) % 16 < 3 || (x + HEIGHT - y) % 16 < 3) {
                picture.ink(x, y);
            }
        }
        picture.png()
    }
}

/// A name in the letters of the built-in fonts: others as code points, such as `[706B 7ADC]`.
fn spelled(name: &str, shaper: &Shaper<'_>) -> String {
    shaper.line(name, Weight::Regular);
    let lacking = shaper.take_lacking();
    let mut text = String::new();
    let mut foreign = false;
    for letter in name.chars() {
        let known = letter.is_whitespace() || !letter.is_control() && !lacking.contains(&letter);
        match (known, foreign) {
            (true, true) => text.push(']'),
            (false, true) => text.push(' '),
            (false, false) => text.push('['),
            (true, false) => (),
        }
        match known {
            true => text.push(letter),
            false => text.push_str(&format!("{:04X}", u32::from(letter))),
        }
        foreign = !known;
    }
    if foreign {
        text.push(']');
    }
    text
}

/// The lines of a face; what goes beyond the card is left out.
fn placed(name: &str, told: &str, shaper: &Shaper<'_>) -> Vec<Placed> {
    let (mut lines, mut down) = (Vec::new(), 0);
    for (size, text) in [(LARGE, name), (SMALL, told)] {
        let most = (WIDTH - 2 * MARGIN) as f32 / size;
        for text in text.lines().flat_map(|line| wrapped(line, most, shaper)) {
            if down + leading(size) > HEIGHT - 2 * MARGIN {
                return lines;
            }
            lines.push(Placed { size, down, text });
            down += leading(size);
        }
        // A little room between the name and what stands beneath.
        down += leading(SMALL);
    }
    lines
}

/// A text in lines that are so wide at most, in parts of the letters' size.
fn wrapped(text: &str, most: f32, shaper: &Shaper<'_>) -> Vec<String> {
    let fits = |text: &str| shaper.width(text, Weight::Regular) <= most;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word: String = word.chars().filter(|letter| !letter.is_control()).collect();
        match lines.last_mut() {
            Some(line) if fits(&format!("{line} {word}")) => {
                line.push(' ');
                line.push_str(&word);
            }
            _ if fits(&word) => lines.push(word),
            // A word wider than the card is broken, letter by letter.
            _ => {
                let mut part = String::new();
                for letter in word.chars() {
                    if !part.is_empty() && !fits(&format!("{part}{letter}")) {
                        lines.push(std::mem::take(&mut part));
                    }
                    part.push(letter);
                }
                lines.push(part);
            }
        }
    }
    lines
}

/// A picture in black and white, a bit a pixel.
struct Picture {
    width: usize,
    height: usize,
    bits: Vec<u8>,
}

impl Picture {
    fn new(width: usize, height: usize) -> Picture {
        let bits = vec![0xff; width.div_ceil(8) * height];
        Picture {
            width,
            height,
            bits,
        }
    }

    fn ink(&mut self, x: usize, y: usize) {
        let at = y * self.width.div_ceil(8) + x / 8;
        if let Some(byte) = self.bits.get_mut(at) {
            *byte &= !(0x80 >> (x % 8));
        }
    }

    fn frame(&mut self, x: usize, y: usize, width: usize, height: usize) {
        for thick in 0..3 {
            for along in 0..width {
                self.ink(x + along, y + thick);
                self.ink(x + along, y + height - 1 - thick);
            }
            for along in 0..height {
                self.ink(x + thick, y + along);
                self.ink(x + width - 1 - thick, y + along);
            }
        }
    }

    /// Inks what lies within edges: every pixel whose middle they go around.
    fn fill(&mut self, edges: &[Edge]) {
        let ends = edges.iter().flat_map(|((_, from), (_, to))| [*from, *to]);
        let (top, bottom) = ends.fold((f32::MAX, 0.0), |(top, bottom), y| {
            (f32::min(top, y), f32::max(bottom, y))
        });
        for y in top.max(0.0) as usize..=bottom as usize {
            let middle = y as f32 + 0.5;
            let crossed = edges.iter().filter_map(|((x1, y1), (x2, y2))| {
                let way = i32::from(*y1 <= middle) - i32::from(*y2 <= middle);
                (way != 0).then(|| (x1 + (middle - y1) / (y2 - y1) * (x2 - x1), way))
            });
            let mut crossed: Vec<(f32, i32)> = crossed.collect();
            crossed.sort_by(|(one, _), (other, _)| one.total_cmp(other));
            let mut around = 0;
            for pair in crossed.windows(2) {
                around += pair[0].1;
                if around != 0 {
                    let (from, to) = ((pair[0].0 + 0.5) as usize, (pair[1].0 + 0.5) as usize);
                    (from..to).for_each(|x| self.ink(x, y));
                }
            }
        }
    }

    fn png(&self) -> Vec<u8> {
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, side(self.width), side(self.height));
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::One);
        // Writing to memory cannot fail, and the bits are as many as the picture has.
        let written = encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&self.bits));
        debug_assert!(written.is_ok());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use crate::paper::Fonts;

    #[test]
    fn letters_without_a_picture_are_told_by_their_code_points() {
        let shaper = Fonts::built_in().shaper();
        let spelled = |name| super::spelled(name, &shaper);
        assert_eq!(spelled("10♠ Ürsula, Größe Ж"), "10♠ Ürsula, Größe Ж");
        assert_eq!(spelled("火竜"), "[706B 7ADC]");
        assert_eq!(spelled("a火 竜b"), "a[706B] [7ADC]b");
        assert_eq!(spelled("\u{1b}[2J"), "[001B][2J");
    }
}
