//! Plain card faces: names on white and what else is known of a card in small letters beneath,
//! on sheets of ten by seven, as SVG and as PNG. The PNG's letters are in the program, so that
//! no system font matters.

use decklaw_core::text::markup;
use font8x8::UnicodeFonts;
use std::collections::BTreeMap;

/// The card faces of one sheet: ten by seven, the last left to the back.
pub const SHEET_SLOTS: usize = COLUMNS * ROWS - 1;

const COLUMNS: usize = 10;
const ROWS: usize = 7;
/// A card's size in pixels.
const WIDTH: usize = 240;
const HEIGHT: usize = 336;
const MARGIN: usize = 16;

/// Letters of a size: eight dots wide and high.
#[derive(Debug, Clone, Copy)]
struct Letters {
    /// How many pixels wide and high a dot is.
    dot: usize,
    /// The size of the same letters in an SVG picture.
    font_size: usize,
}

/// For names.
const LARGE: Letters = Letters {
    dot: 2,
    font_size: 22,
};

/// For what stands beneath.
const SMALL: Letters = Letters {
    dot: 1,
    font_size: 11,
};

impl Letters {
    fn width(self) -> usize {
        8 * self.dot
    }

    /// From one line to the next, in pixels.
    fn line(self) -> usize {
        12 * self.dot
    }
}

/// A line of a face: its letters, and how far below the margin it begins, in pixels.
struct Placed {
    letters: Letters,
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

    /// The names with letters that the built-in font lacks.
    pub fn misspelt(&self) -> impl Iterator<Item = &str> {
        let names = self.slots.keys().copied();
        names.filter(|name| spelled(name) != *name)
    }

    /// The faces of a sheet: where each is, and its lines, spelled as the picture needs it.
    fn faces(
        &self,
        sheet: usize,
        spelled: fn(&str) -> String,
    ) -> impl Iterator<Item = (usize, usize, Vec<Placed>)> {
        let slots = self.slots.iter().skip(sheet * SHEET_SLOTS);
        let faces = slots.take(SHEET_SLOTS).enumerate();
        faces.map(move |(slot, (name, (_, told)))| {
            let (x, y) = (slot % COLUMNS * WIDTH, slot / COLUMNS * HEIGHT);
            (x, y, placed(&spelled(name), &spelled(told)))
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
        for (x, y, lines) in self.faces(sheet, str::to_owned) {
            let (left, top) = (x + 4, y + 4);
            let (wide, high) = (WIDTH - 8, HEIGHT - 8);
            svg.push_str(&format!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"12\" \
                 fill=\"none\" stroke=\"black\" stroke-width=\"3\"/>\n"
            ));
            for Placed {
                letters,
                down,
                text,
            } in lines
            {
                let (x, y) = (x + MARGIN, y + MARGIN + letters.width() + down);
                let (size, text) = (letters.font_size, markup(&text));
                svg.push_str(&format!(
                    "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{text}</text>\n"
                ));
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// A sheet as a PNG picture. Letters that the built-in font lacks are written as their
    /// code points.
    pub fn png(&self, sheet: usize) -> Vec<u8> {
        let mut picture = Picture::new(COLUMNS * WIDTH, ROWS * HEIGHT);
        for (x, y, lines) in self.faces(sheet, spelled) {
            picture.frame(x + 4, y + 4, WIDTH - 8, HEIGHT - 8);
            for Placed {
                letters,
                down,
                text,
            } in lines
            {
                picture.write(x + MARGIN, y + MARGIN + down, &text, letters.dot);
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

/// A name in the letters of the built-in font: others as code points, such as `[706B 7ADC]`.
fn spelled(name: &str) -> String {
    let mut text = String::new();
    let mut foreign = false;
    for letter in name.chars() {
        let known = letter.is_whitespace() || glyph(letter).is_some();
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
fn placed(name: &str, told: &str) -> Vec<Placed> {
    let (mut lines, mut down) = (Vec::new(), 0);
    for (letters, text) in [(LARGE, name), (SMALL, told)] {
        let most = (WIDTH - 2 * MARGIN) / letters.width();
        for text in text.lines().flat_map(|line| wrapped(line, most)) {
            if down + letters.line() > HEIGHT - 2 * MARGIN {
                return lines;
            }
            lines.push(Placed {
                letters,
                down,
                text,
            });
            down += letters.line();
        }
        // A little room between the name and what stands beneath.
        down += SMALL.line();
    }
    lines
}

/// A text in lines of so many letters.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().filter(|letter| !letter.is_control()).collect();
        for part in letters.chunks(most) {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + part.len() <= most => {
                    line.push(' ');
                    line.extend(part);
                }
                _ => lines.push(part.iter().collect()),
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

    fn write(&mut self, x: usize, y: usize, line: &str, size: usize) {
        for (number, letter) in line.chars().enumerate() {
            let dots = glyph(letter).unwrap_or_default();
            for (down, row) in dots.iter().enumerate() {
                for right in (0..8).filter(|right| row >> right & 1 == 1) {
                    for dot in 0..size * size {
                        let left = x + (8 * number + right) * size + dot % size;
                        self.ink(left, y + down * size + dot / size);
                    }
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

/// A letter's rows of dots, the lowest bit to the left; `None` where the font lacks it.
fn glyph(letter: char) -> Option<[u8; 8]> {
    let drawn = match letter {
        '♠' => [0x08, 0x1c, 0x3e, 0x7f, 0x7f, 0x2a, 0x08, 0x1c],
        '♥' => [0x36, 0x7f, 0x7f, 0x7f, 0x3e, 0x1c, 0x08, 0],
        '♦' => [0x08, 0x1c, 0x3e, 0x7f, 0x3e, 0x1c, 0x08, 0],
        '♣' => [0x1c, 0x1c, 0x6b, 0x7f, 0x6b, 0x08, 0x1c, 0],
        _ => font8x8::BASIC_FONTS
            .get(letter)
            .or_else(|| font8x8::LATIN_FONTS.get(letter))
            .or_else(|| font8x8::GREEK_FONTS.get(letter))?,
    };
    // The font's tables hold blanks for letters that nobody has drawn.
    Some(drawn).filter(|dots| dots.iter().any(|row| *row != 0))
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn letters_without_a_picture_are_told_by_their_code_points() {
        assert_eq!(spelled("10♠ Ürsula, Größe"), "10♠ Ürsula, Größe");
        assert_eq!(spelled("火竜"), "[706B 7ADC]");
        assert_eq!(spelled("a火 Ж🂡"), "a[706B] [0416 1F0A1]");
        assert_eq!(spelled("\u{1b}[2J\u{200b}"), "[001B][2J[200B]");
    }
}
