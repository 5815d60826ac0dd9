//! Cards on sheets: nine to a page, with marks to cut by.

use super::canvas::Canvas;
use super::face::Face;
use super::fit::Area;
use super::fonts::{Fonts, Shaper, Weight};
use super::picture::Picture;
use super::place::{CAPITALS, Colour, FRAME, Item, Laid, WHITE, place};
use super::{HEIGHT, MM, WIDTH};
use std::collections::BTreeSet;

/// The most cards that are printed at once: some 560 pages.
pub const MOST_CARDS: u64 = 5000;

/// Cards side by side, and below each other.
const COLUMNS: usize = 3;
const ROWS: usize = 3;
const NINE: usize = COLUMNS * ROWS;

/// What a printer puts the cards on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paper {
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl Paper {
    /// Width and height in points.
    pub fn size(self) -> (f32, f32) {
        match self {
            Paper::A4 => (210.0 * MM, 297.0 * MM),
            Paper::Letter => (612.0, 792.0),
        }
    }
}

/// What is on the front of a card.
#[derive(Debug, Clone)]
pub enum Front {
    /// What is known of it.
    Drawn(Face),
    /// A picture.
    Picture(Picture),
}

/// What is on the back of cards.
#[derive(Debug, Clone)]
pub enum Behind {
    /// A pattern with this text on it.
    Drawn(String),
    /// A picture.
    Picture(Picture),
}

/// A card to print.
#[derive(Debug, Clone)]
pub struct Card {
    /// Its front.
    pub front: Front,
    /// How often it is printed.
    pub copies: u32,
    /// Which of [`Sheets::backs`] it has.
    pub back: usize,
}

/// How cards are put on sheets.
#[derive(Debug, Clone, Default)]
pub struct Sheets {
    /// The paper.
    pub paper: Paper,
    /// The backs. With any, each page of fronts is followed by one of backs, mirrored, so that
    /// they meet when the sheet is turned over its long edge.
    pub backs: Vec<Behind>,
    /// What is printed: the document's title, in the margin too.
    pub title: String,
}

/// A document of printed cards.
#[derive(Debug, Clone)]
pub struct Printed {
    /// The document.
    pub pdf: Vec<u8>,
    /// How many cards are on it.
    pub cards: u64,
    /// How many pages it has, those of backs included.
    pub pages: usize,
    /// What is not on paper as it should be, each once, in the order of the cards.
    pub flaws: Vec<Flaw>,
}

/// Something that is not on paper as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The card's name, or the picture's.
    pub of: String,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with a printed card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// These words have no room on the card, in the smallest letters.
    Cut(Vec<String>),
    /// These letters are in no font.
    Letters(BTreeSet<char>),
    /// The picture is not of a card's shape, so that it leaves white edges. It is whole.
    Shape,
}

impl Flaw {
    /// Whether something of the card is missing.
    pub fn is_loss(&self) -> bool {
        self.wrong != Wrong::Shape
    }
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let of = &self.of;
        match &self.wrong {
            Wrong::Cut(words) => write!(
                out,
                "`{of}`: not all of it fits the card; left out is \"{}\"",
                words.join(" ")
            ),
            Wrong::Letters(letters) => {
                let letters: Vec<String> = letters
                    .iter()
                    .map(|letter| format!("{letter} (U+{:04X})", u32::from(*letter)))
                    .collect();
                let letters = decklaw_core::text::listed(&letters, "and");
                write!(out, "`{of}`: no font at hand has {letters}")
            }
            Wrong::Shape => write!(
                out,
                "{of}: the picture is not of a card's shape, 63 by 88, so that white edges stay"
            ),
        }
    }
}

/// Why nothing was printed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrintError {
    /// There is no card.
    #[error("there is no card to print")]
    NoCards,
    /// There are too many.
    #[error("{0} cards are more than are printed at once; {MOST_CARDS} are the most")]
    TooMany(u64),
    /// A picture that is broken inside.
    #[error("{name}: this picture cannot be read: {why}")]
    Picture {
        /// The picture.
        name: String,
        /// Why.
        why: String,
    },
    /// The document could not be made.
    #[error("the document cannot be made: {0}")]
    Document(String),
}

/// Prints cards in their order, nine to a page.
///
/// # Errors
/// No cards, or more than [`MOST_CARDS`]; a picture that is broken inside.
pub fn print(cards: &[Card], fonts: &Fonts, sheets: &Sheets) -> Result<Printed, PrintError> {
    let number: u64 = cards.iter().map(|card| u64::from(card.copies)).sum();
    match number {
        0 => return Err(PrintError::NoCards),
        number if number > MOST_CARDS => return Err(PrintError::TooMany(number)),
        _ => {}
    }
    let shaper = fonts.shaper();
    let mut flaws = Vec::new();
    let fronts: Vec<Side<'_>> = cards
        .iter()
        .map(|card| match &card.front {
            Front::Drawn(face) => Side::Drawn(checked(face, &shaper, &mut flaws)),
            Front::Picture(picture) => Side::of_picture(picture, &mut flaws),
        })
        .collect();
    let backs: Vec<Side<'_>> = sheets
        .backs
        .iter()
        .map(|back| match back {
            Behind::Drawn(text) => Side::Drawn(drawn(text, &shaper, &mut flaws)),
            Behind::Picture(picture) => Side::of_picture(picture, &mut flaws),
        })
        .collect();
    let places: Vec<usize> = cards
        .iter()
        .enumerate()
        .flat_map(|(at, card)| std::iter::repeat_n(at, card.copies as usize))
        .collect();
    let pages = places.len().div_ceil(NINE);
    let mut canvas = Canvas::new(fonts, &sheets.title);
    for (page, places) in places.chunks(NINE).enumerate() {
        let margin = margin(sheets, page, pages, &shaper);
        canvas.page(sheets.paper.size(), |page| {
            for (slot, at) in places.iter().enumerate() {
                page.at(corner(sheets.paper, slot, false), &fronts[*at])?;
            }
            page.at((0.0, 0.0), &Side::Drawn(margin))
        })?;
        if !backs.is_empty() {
            canvas.page(sheets.paper.size(), |page| {
                for (slot, at) in places.iter().enumerate() {
                    let back = cards.get(*at).and_then(|card| backs.get(card.back));
                    if let Some(back) = back {
                        page.at(corner(sheets.paper, slot, true), back)?;
                    }
                }
                Ok(())
            })?;
        }
    }
    let pictures = cards.iter().filter_map(|card| match &card.front {
        Front::Picture(picture) => Some(picture),
        Front::Drawn(_) => None,
    });
    let behind = sheets.backs.iter().filter_map(|back| match back {
        Behind::Picture(picture) => Some(picture),
        Behind::Drawn(_) => None,
    });
    Ok(Printed {
        pdf: canvas.finish(pictures.chain(behind))?,
        cards: number,
        pages: pages * if backs.is_empty() { 1 } else { 2 },
        flaws,
    })
}

/// A side of a card, ready to be drawn.
pub(super) enum Side<'p> {
    Drawn(Laid),
    /// A picture, and where it stands on the card.
    Picture(&'p Picture, Area),
}

/// A picture whose shape differs from a card's by less than this part is made to fit.
const NEARLY: f32 = 0.015;

impl<'p> Side<'p> {
    fn of_picture(picture: &'p Picture, flaws: &mut Vec<Flaw>) -> Side<'p> {
        let (width, height) = picture.image.size();
        let (width, height) = (width as f32, height as f32);
        let shape = (width / height) / (WIDTH / HEIGHT);
        let scale = (WIDTH / width).min(HEIGHT / height);
        let (mut wide, mut high) = (width * scale, height * scale);
        if (shape - 1.0).abs() <= NEARLY {
            (wide, high) = (WIDTH, HEIGHT);
        } else {
            tell(flaws, &picture.name, Wrong::Shape);
        }
        let (left, top) = ((WIDTH - wide) / 2.0, (HEIGHT - high) / 2.0);
        let area = Area {
            left,
            top,
            right: left + wide,
            bottom: top + high,
        };
        Side::Picture(picture, area)
    }
}

fn tell(flaws: &mut Vec<Flaw>, of: &str, wrong: Wrong) {
    let flaw = Flaw {
        of: of.to_owned(),
        wrong,
    };
    if !flaws.contains(&flaw) {
        flaws.push(flaw);
    }
}

/// Lays a face out, and tells what of it is not on paper.
fn checked(face: &Face, shaper: &Shaper<'_>, flaws: &mut Vec<Flaw>) -> Laid {
    let laid = place(face, shaper);
    if !laid.cut.is_empty() {
        tell(flaws, &face.name, Wrong::Cut(laid.cut.clone()));
    }
    let letters = shaper.take_lacking();
    if !letters.is_empty() {
        tell(flaws, &face.name, Wrong::Letters(letters));
    }
    laid
}

/// A back: its text within frames.
fn drawn(text: &str, shaper: &Shaper<'_>, flaws: &mut Vec<Flaw>) -> Laid {
    let line = shaper.line(text, Weight::Bold);
    let letters = shaper.take_lacking();
    if !letters.is_empty() {
        tell(flaws, text, Wrong::Letters(letters));
    }
    let card = Area {
        left: 0.0,
        top: 0.0,
        right: WIDTH,
        bottom: HEIGHT,
    };
    let (x, y) = card.middle();
    let size = f32::min(20.0, (WIDTH - 12.0 * MM) / line.width.max(0.01));
    let (wide, high) = (line.width * size / 2.0, CAPITALS * size / 2.0);
    let name = Area {
        left: x - wide,
        top: y - high,
        right: x + wide,
        bottom: y + high,
    };
    // Frames within frames say that this is a back, and cost little ink.
    let frames = (0..6).map(|ring| Item::Panel {
        area: card.wider(-(2.0 + 3.0 * ring as f32) * MM),
        radius: 2.0 * MM,
        fill: None,
        stroke: Some((FRAME, 0.7)),
    });
    let mut items: Vec<Item> = frames.collect();
    items.push(Item::Panel {
        area: name.wider(1.2 * MM),
        radius: 1.5 * MM,
        fill: Some(FRAME),
        stroke: None,
    });
    items.push(Item::Text {
        x: name.left,
        y: name.bottom,
        size,
        colour: WHITE,
        line,
    });
    Laid {
        items,
        cut: Vec::new(),
    }
}

/// The upper left corner of the cards on a page.
fn origin(paper: Paper) -> (f32, f32) {
    let (width, height) = paper.size();
    let left = (width - COLUMNS as f32 * WIDTH) / 2.0;
    (left, (height - ROWS as f32 * HEIGHT) / 2.0)
}

/// The upper left corner of a slot; mirrored on a page of backs.
fn corner(paper: Paper, slot: usize, mirrored: bool) -> (f32, f32) {
    let (left, top) = origin(paper);
    let (column, row) = (slot % COLUMNS, slot / COLUMNS);
    let column = if mirrored {
        COLUMNS - 1 - column
    } else {
        column
    };
    (left + column as f32 * WIDTH, top + row as f32 * HEIGHT)
}

/// How far a cutting mark stays from the cards, and how long it is.
const OFF: f32 = 1.0 * MM;
const LONG: f32 = 4.0 * MM;
const THIN: f32 = 0.35;
const INK: Colour = Colour(0, 0, 0);

/// What stands in the margin: marks to cut by, the page and what is printed.
fn margin(sheets: &Sheets, page: usize, pages: usize, shaper: &Shaper<'_>) -> Laid {
    let (left, top) = origin(sheets.paper);
    let (right, bottom) = (left + COLUMNS as f32 * WIDTH, top + ROWS as f32 * HEIGHT);
    let mut items = Vec::new();
    let mut mark = |area: Area| {
        items.push(Item::Panel {
            area,
            radius: 0.0,
            fill: Some(INK),
            stroke: None,
        });
    };
    for column in 0..=COLUMNS {
        let x = left + column as f32 * WIDTH;
        for (from, to) in [
            (top - OFF - LONG, top - OFF),
            (bottom + OFF, bottom + OFF + LONG),
        ] {
            mark(Area {
                left: x - THIN / 2.0,
                top: from,
                right: x + THIN / 2.0,
                bottom: to,
            });
        }
    }
    for row in 0..=ROWS {
        let y = top + row as f32 * HEIGHT;
        for (from, to) in [
            (left - OFF - LONG, left - OFF),
            (right + OFF, right + OFF + LONG),
        ] {
            mark(Area {
                left: from,
                top: y - THIN / 2.0,
                right: to,
                bottom: y + THIN / 2.0,
            });
        }
    }
    let size = 6.0;
    let y = bottom + OFF + 8.0;
    let mut write = |column: usize, text: &str| {
        let line = shaper.line(text, Weight::Regular);
        let x = left + column as f32 * WIDTH + 6.0;
        // A title longer than its room would run over the marks; the document has it whole.
        if line.width * size > (COLUMNS - column) as f32 * WIDTH {
            return;
        }
        items.push(Item::Text {
            x,
            y,
            size,
            colour: INK,
            line,
        });
    };
    let of = format!(
        "Page {} of {pages} · print at 100 %, not fitted to the page",
        page + 1
    );
    write(0, &of);
    write(1, &sheets.title);
    // A title in letters that no font has is no card's loss.
    shaper.take_lacking();
    Laid {
        items,
        cut: Vec::new(),
    }
}
