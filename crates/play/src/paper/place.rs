//! Where everything on a card stands.

use super::face::Face;
use super::fit::{Area, Letters, Placed, Room};
use super::fonts::{Line, Shaper, Weight};
use super::{HEIGHT, MM, WIDTH};

/// A colour: red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

/// Something to draw, in points from the card's upper left corner.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// A line of text: where it begins on its base line.
    Text {
        x: f32,
        y: f32,
        size: f32,
        colour: Colour,
        line: Line,
    },
    /// A rectangle with round corners, filled, drawn around or both.
    Panel {
        area: Area,
        radius: f32,
        fill: Option<Colour>,
        stroke: Option<(Colour, f32)>,
    },
}

/// A card's face, laid out.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Laid {
    pub(super) items: Vec<Item>,
    /// The words that had no room, in their order.
    pub(super) cut: Vec<String>,
}

const BLACK: Colour = Colour(0x16, 0x18, 0x1d);
const GREY: Colour = Colour(0x6b, 0x70, 0x7a);
pub(super) const WHITE: Colour = Colour(0xff, 0xff, 0xff);
/// The colour of frames, headings and backs.
pub(super) const FRAME: Colour = Colour(0x3a, 0x3f, 0x4b);

/// From the card's edge to its frame, and to what stands on it.
const TO_FRAME: f32 = 2.0 * MM;
const TO_TEXT: f32 = 4.2 * MM;

/// Letters' sizes in points: the largest that are tried, and the smallest.
const TITLE: (f32, f32) = (13.0, 7.0);
/// A title in letters smaller than these may have two lines.
const TITLE_ALONE: f32 = 10.0;
const KIND: (f32, f32) = (7.5, 5.5);
const TEXT: (f32, f32) = (10.0, 5.5);
const LABEL: (f32, f32) = (5.5, 3.5);
const NUMBER: (f32, f32) = (13.0, 6.0);
const SMALLER: f32 = 0.5;
/// The most numbers side by side.
const CELLS: usize = 5;
const CELL: f32 = 23.0;

/// How far above the base line capitals reach, in parts of the letters' size.
pub(super) const CAPITALS: f32 = 0.714;
/// Where the base line is in a line, from its top, in parts of the letters' size.
const BASE: f32 = 0.95;

/// Lays a face out.
pub(super) fn place(face: &Face, shaper: &Shaper<'_>) -> Laid {
    let card = Area {
        left: 0.0,
        top: 0.0,
        right: WIDTH,
        bottom: HEIGHT,
    };
    let mut sheet = Sheet {
        face,
        laid: Laid::default(),
        room: Room {
            shaper,
            area: card.wider(-TO_TEXT),
        },
    };
    sheet.laid.items.push(Item::Panel {
        area: card.wider(-TO_FRAME),
        radius: 2.5 * MM,
        fill: None,
        stroke: Some((FRAME, 1.4)),
    });
    sheet.numbers();
    sheet.flow();
    sheet.laid
}

struct Sheet<'s, 'f> {
    face: &'s Face,
    laid: Laid,
    room: Room<'s, 'f>,
}

impl Sheet<'_, '_> {
    /// The largest size, from the first down to the second, at which a text is so wide at most.
    fn size(&self, text: &str, weight: Weight, sizes: (f32, f32), most: f32) -> Option<f32> {
        let width = self.room.shaper.width(text, weight);
        steps(sizes).find(|size| width * size <= most)
    }

    fn text(&mut self, text: &str, letters: Letters, colour: Colour, (x, y): (f32, f32)) {
        let line = self.room.shaper.line(text, letters.weight);
        self.laid.items.push(Item::Text {
            x,
            y,
            size: letters.size,
            colour,
            line,
        });
    }

    /// Numbers in cells along the bottom.
    fn numbers(&mut self) {
        let numbers = &self.face.numbers;
        if numbers.is_empty() {
            return;
        }
        let rows = numbers.len().div_ceil(CELLS);
        let columns = numbers.len().div_ceil(rows);
        let high = CELL * rows as f32;
        let (left, right) = (self.room.area.left, self.room.area.right);
        let top = self.room.area.bottom - high;
        for (row, numbers) in numbers.chunks(columns).enumerate() {
            let wide = (right - left) / numbers.len() as f32;
            for (column, (label, number)) in numbers.iter().enumerate() {
                let left = left + wide * column as f32;
                let cell = Area {
                    left,
                    top: top + CELL * row as f32,
                    right: left + wide,
                    bottom: top + CELL * (row + 1) as f32,
                };
                self.cell(label, number, cell);
            }
        }
        self.room.area.bottom = top - 3.0;
    }

    fn cell(&mut self, label: &str, number: &str, cell: Area) {
        self.laid.items.push(Item::Panel {
            area: cell,
            radius: 0.0,
            fill: None,
            stroke: Some((FRAME, 0.5)),
        });
        let most = cell.width() - 3.0;
        let texts = [
            (label, Weight::Regular, LABEL, GREY, cell.top + 6.5),
            (number, Weight::Bold, NUMBER, BLACK, cell.bottom - 4.5),
        ];
        for (text, weight, sizes, colour, y) in texts {
            let Some(size) = self.size(text, weight, sizes, most) else {
                self.laid.cut.push(text.to_owned());
                continue;
            };
            let width = self.room.shaper.width(text, weight) * size;
            let (middle, _) = cell.middle();
            let letters = Letters { weight, size };
            self.text(text, letters, colour, (middle - width / 2.0, y));
        }
    }

    /// Title, kind and text, from the top down.
    fn flow(&mut self) {
        let mut top = self.room.area.top;
        let face = self.face;
        let bold = |size| Letters {
            weight: Weight::Bold,
            size,
        };
        let regular = |size| Letters {
            weight: Weight::Regular,
            size,
        };
        let fits = |size: &f32| {
            let (lines, rest) = self.room.paragraph(&face.name, bold(*size), top);
            let most = if *size >= TITLE_ALONE { 1 } else { 2 };
            rest.is_empty() && lines.len() <= most && !breaks(&face.name, &lines)
        };
        let size = steps(TITLE).find(fits).unwrap_or(TITLE.1);
        top = self.lines(std::slice::from_ref(&face.name), bold(size), BLACK, top);
        if !face.kind.is_empty() {
            let fits = |size: &f32| {
                let (lines, rest) = self.room.paragraph(&face.kind, regular(*size), top);
                rest.is_empty() && lines.len() <= 1
            };
            let size = steps(KIND).find(fits).unwrap_or(KIND.1);
            top = self.lines(std::slice::from_ref(&face.kind), regular(size), FRAME, top);
        }
        if face.text.is_empty() {
            return;
        }
        top = self.rule(top);
        let fits = |size: &f32| {
            let mut top = top;
            face.text.iter().all(|text| {
                let (lines, rest) = self.room.paragraph(text, regular(*size), top);
                if let Some(last) = lines.last() {
                    top = last.top + regular(*size).leading() + gap(*size);
                }
                rest.is_empty()
            })
        };
        let size = steps(TEXT).find(fits).unwrap_or(TEXT.1);
        self.lines(&face.text, regular(size), BLACK, top);
    }

    /// A thin line from side to side.
    fn rule(&mut self, top: f32) -> f32 {
        if !self.room.holds(top + 1.5, 0.6) {
            return top;
        }
        let area = Area {
            top: top + 1.5,
            bottom: top + 2.1,
            ..self.room.area
        };
        self.laid.items.push(Item::Panel {
            area,
            radius: 0.0,
            fill: Some(FRAME),
            stroke: None,
        });
        area.bottom + 2.5
    }

    /// Writes paragraphs from `top` on, and gives where the next may begin. What has no room is
    /// cut, and an ellipsis says so on the card.
    fn lines(&mut self, texts: &[String], letters: Letters, colour: Colour, mut top: f32) -> f32 {
        let mut lines: Vec<Placed> = Vec::new();
        let mut cut = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            if number > 0 {
                top += gap(letters.size);
            }
            let (more, rest) = self.room.paragraph(text, letters, top);
            if let Some(last) = more.last() {
                top = last.top + letters.leading();
            }
            lines.extend(more);
            cut.extend(rest);
        }
        if let (false, Some(last)) = (cut.is_empty(), lines.last_mut()) {
            cut.splice(0..0, self.shortened(last, letters));
        }
        for line in &lines {
            let place = (self.room.area.left, line.top + BASE * letters.size);
            self.text(&line.text, letters, colour, place);
        }
        self.laid.cut.extend(cut);
        top
    }

    /// Puts an ellipsis at a line's end, and gives the words that gave way to it.
    fn shortened(&self, line: &mut Placed, letters: Letters) -> Vec<String> {
        let most = self.room.area.width() / letters.size;
        let mut words: Vec<&str> = line.text.split(' ').collect();
        let mut gone = Vec::new();
        let shown = loop {
            let shown = format!("{} …", words.join(" "));
            if words.len() <= 1 || self.room.shaper.width(&shown, letters.weight) <= most {
                break shown;
            }
            gone.extend(words.pop().map(str::to_owned));
        };
        line.text = shown;
        gone.reverse();
        gone
    }
}

/// Sizes from the first down to the second.
fn steps((largest, smallest): (f32, f32)) -> impl Iterator<Item = f32> {
    let number = ((largest - smallest) / SMALLER).round() as u32;
    (0..=number).map(move |step| largest - SMALLER * step as f32)
}

/// What stays free between paragraphs.
fn gap(size: f32) -> f32 {
    size * 0.45
}

/// Whether a word of a text was broken on its way into lines.
fn breaks(text: &str, lines: &[Placed]) -> bool {
    let words = |text: &str| text.split_whitespace().count();
    let placed: usize = lines.iter().map(|line| words(&line.text)).sum();
    placed != words(text)
}
