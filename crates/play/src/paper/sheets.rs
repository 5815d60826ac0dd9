//! Cards on sheets: nine to a page of a PDF, with lines to cut along; and many in one picture.

use super::draw::{self, HEIGHT, Size, WIDTH};
use super::face::Face;
use super::fonts::Fonts;
use super::pdf::{Canvas, Side, broken};
use super::picture::Picture;
use crate::look::Look;
use decklaw_rules::format::Game;
use decklaw_text::text::markup;
use decklaw_text::{Problem, ProblemKind};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Group, Node, Tree};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The most cards that are printed at once: some 560 pages.
pub const MOST_CARDS: u64 = 5000;

/// Cards side by side, and below each other.
const COLUMNS: usize = 3;
const ROWS: usize = 3;
const NINE: usize = COLUMNS * ROWS;

/// A millimetre in points; an inch has 72 points.
const MM: f32 = 72.0 / 25.4;
/// A card in points.
const WIDE: f32 = 63.0 * MM;
const HIGH: f32 = 88.0 * MM;

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

/// The front of a card.
#[derive(Debug, Clone)]
pub struct Front {
    /// Its content.
    pub face: Face,
    /// The maker's picture: the whole card where it has a card's shape, or else in the frame.
    pub picture: Option<Picture>,
}

impl Front {
    /// The front as SVG.
    pub fn draw(&self) -> draw::Drawing {
        match &self.picture {
            Some(picture) if picture.is_whole_card() => {
                draw::Drawing { svg: picture.svg(), cut: Vec::new() }
            }
            picture => {
                let address = picture.as_ref().map(Picture::address);
                self.face.draw(Size::Full, address)
            }
        }
    }
}

/// What is on the back of cards.
#[derive(Debug, Clone)]
pub enum Behind {
    /// A pattern in a colour, with this text on it.
    Drawn(String, Option<String>),
    /// A picture.
    Picture(Picture),
}

impl Behind {
    /// The back of a game's cards: its name, in the first of its colours.
    pub fn of(game: &Game, look: &Look) -> Behind {
        Behind::Drawn(game.file.name.clone(), super::back_colour(game, look))
    }

    /// The back as SVG.
    pub fn draw(&self) -> String {
        match self {
            Behind::Drawn(text, colour) => draw::back(text, colour.as_deref()),
            Behind::Picture(picture) => picture.svg(),
        }
    }
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
pub struct PrintedCards {
    /// The document.
    pub pdf: Vec<u8>,
    /// How many cards are on it.
    pub cards: u64,
    /// How many pages it has, those of backs included.
    pub pages: usize,
    /// What is missing on paper, each once, in the order of the cards.
    pub flaws: Vec<Flaw>,
}

/// Something that is missing on a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The card's name.
    pub of: String,
    /// What is missing.
    pub wrong: Wrong,
}

/// What is missing on a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// These words have no room, in the smallest letters.
    Cut(Vec<String>),
    /// These letters are in no font.
    Letters(BTreeSet<char>),
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
                let letters = letters.iter();
                let letters =
                    letters.map(|letter| format!("{letter} (U+{:04X})", u32::from(*letter)));
                let letters: Vec<String> = letters.collect();
                let letters = decklaw_text::text::listed(&letters, "and");
                write!(out, "`{of}`: no font of this machine has {letters}")
            }
        }
    }
}

fn side(svg: &str, fonts: &mut Fonts) -> Result<Side, Problem> {
    fonts.tree(svg).map(Side::of).map_err(broken)
}

/// Prints cards in their order, nine to a page.
///
/// # Errors
/// No cards, or more than [`MOST_CARDS`].
pub fn print(cards: &[Card], fonts: &mut Fonts, sheets: &Sheets) -> Result<PrintedCards, Problem> {
    let number: u64 = cards.iter().map(|card| u64::from(card.copies)).sum();
    match number {
        0 => return Err(Problem::new(ProblemKind::Query, "no cards to print")),
        number if number > MOST_CARDS => {
            let message = format!(
                "{number} cards are more than are printed at once; {MOST_CARDS} are the most"
            );
            return Err(Problem::new(ProblemKind::Query, message));
        }
        _ => {}
    }
    let mut flaws = Vec::new();
    let mut fronts = Vec::new();
    for card in cards {
        let drawing = card.front.draw();
        let side = side(&drawing.svg, fonts)?;
        let letters = lacking(&side.tree);
        let cut = Some(Wrong::Cut(drawing.cut)).filter(|cut| *cut != Wrong::Cut(Vec::new()));
        let lost =
            Some(Wrong::Letters(letters)).filter(|lost| *lost != Wrong::Letters(BTreeSet::new()));
        for wrong in cut.into_iter().chain(lost) {
            let flaw = Flaw { of: card.front.face.name.clone(), wrong };
            if !flaws.contains(&flaw) {
                flaws.push(flaw);
            }
        }
        fronts.push(side);
    }
    let backs = sheets.backs.iter().map(|back| side(&back.draw(), fonts));
    let backs = backs.collect::<Result<Vec<Side>, _>>()?;
    let places: Vec<(usize, &Card)> = cards
        .iter()
        .enumerate()
        .flat_map(|(at, card)| std::iter::repeat_n((at, card), card.copies as usize))
        .collect();
    let pages = places.len().div_ceil(NINE);
    let mut canvas = Canvas::new(&sheets.title);
    let size = sheets.paper.size();
    for (page, places) in places.chunks(NINE).enumerate() {
        let slots = |mirrored| (0..).map(move |slot| corner(sheets.paper, slot, mirrored));
        let margin = side(&margin(sheets, page, pages), fonts)?;
        let cards = places.iter().zip(slots(false));
        let cards = cards.filter_map(|((at, _), corner)| Some((fronts.get(*at)?, corner, WIDE)));
        canvas.page(size, cards.chain([(&margin, (0.0, 0.0), size.0)]))?;
        if !backs.is_empty() {
            let cards = places.iter().zip(slots(true));
            let cards =
                cards.filter_map(|((_, card), corner)| Some((backs.get(card.back)?, corner, WIDE)));
            canvas.page(size, cards)?;
        }
    }
    Ok(PrintedCards {
        pdf: canvas.finish()?,
        cards: number,
        pages: pages * if backs.is_empty() { 1 } else { 2 },
        flaws,
    })
}

/// The letters of a picture that no font has.
fn lacking(tree: &Tree) -> BTreeSet<char> {
    fn add(group: &Group, found: &mut BTreeSet<char>) {
        for node in group.children() {
            match node {
                Node::Group(inner) => add(inner, found),
                Node::Text(text) => {
                    let spans = text.layouted().iter();
                    let glyphs = spans.flat_map(|span| &span.positioned_glyphs);
                    let drawn = glyphs.filter(|glyph| glyph.id.0 != 0);
                    let drawn: BTreeSet<char> =
                        drawn.flat_map(|glyph| glyph.text.chars()).collect();
                    let letters = text.chunks().iter().flat_map(|chunk| chunk.text().chars());
                    found.extend(
                        letters.filter(|letter| !drawn.contains(letter) && is_seen(*letter)),
                    );
                }
                Node::Path(_) | Node::Image(_) => {}
            }
        }
    }
    let mut found = BTreeSet::new();
    add(tree.root(), &mut found);
    found
}

/// Whether a letter is drawn at all: neither space nor joiner.
fn is_seen(letter: char) -> bool {
    let is_joiner = matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}');
    !(letter.is_whitespace() || letter.is_control() || is_joiner)
}

/// The upper left corner of the cards on a page.
fn origin(paper: Paper) -> (f32, f32) {
    let (width, height) = paper.size();
    ((width - COLUMNS as f32 * WIDE) / 2.0, (height - ROWS as f32 * HIGH) / 2.0)
}

/// The upper left corner of a slot; mirrored on a page of backs.
fn corner(paper: Paper, slot: usize, mirrored: bool) -> (f32, f32) {
    let (left, top) = origin(paper);
    let (column, row) = (slot % COLUMNS, slot / COLUMNS);
    let column = if mirrored { COLUMNS - 1 - column } else { column };
    (left + column as f32 * WIDE, top + row as f32 * HIGH)
}

/// How far a cutting mark stays from the cards, and how long it is.
const OFF: f32 = 1.0 * MM;
const LONG: f32 = 4.0 * MM;
/// The size of letters in the margin.
const SMALL: f32 = 6.0;

/// The parts of a page other than its cards, as SVG: hairlines to cut along, marks in the margin,
/// the page and what is printed.
fn margin(sheets: &Sheets, page: usize, pages: usize) -> String {
    let (width, height) = sheets.paper.size();
    let (left, top) = origin(sheets.paper);
    let (right, bottom) = (left + COLUMNS as f32 * WIDE, top + ROWS as f32 * HIGH);
    let (mut marks, mut lines) = (String::new(), String::new());
    for column in 0..=COLUMNS {
        let x = left + column as f32 * WIDE;
        let _ = write!(lines, "M{x} {top}V{bottom}");
        let _ = write!(marks, "M{x} {}v-{LONG}M{x} {}v{LONG}", top - OFF, bottom + OFF);
    }
    for row in 0..=ROWS {
        let y = top + row as f32 * HIGH;
        let _ = write!(lines, "M{left} {y}H{right}");
        let _ = write!(marks, "M{} {y}h-{LONG}M{} {y}h{LONG}", left - OFF, right + OFF);
    }
    let y = bottom + OFF + 8.0;
    let caption = format!("Page {} of {pages} · print at 100 %, not fitted to the page", page + 1);
    // A title longer than its room would run over the marks; the document has it whole.
    let room = f64::from(2.0 * WIDE - 12.0);
    let title = draw::shortened(&sheets.title, room, f64::from(SMALL));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-size=\"{SMALL}\">\
         <path d=\"{lines}\" stroke=\"#9aa0aa\" stroke-width=\".3\" fill=\"none\"/>\
         <path d=\"{marks}\" stroke=\"#000000\" stroke-width=\".35\" fill=\"none\"/>\
         <text x=\"{}\" y=\"{y}\">{caption}</text><text x=\"{}\" y=\"{y}\">{}</text></svg>",
        left + 6.0,
        left + WIDE + 6.0,
        markup(&title)
    )
}

/// Pictures of a card's shape side by side in one PNG, each this wide in pixels: row by row,
/// `columns` in each. Gives the letters that no font has, too.
///
/// # Errors
/// A picture that cannot be drawn.
pub fn png(
    pictures: &[String],
    columns: u32,
    wide: u32,
    fonts: &mut Fonts,
) -> Result<(Vec<u8>, BTreeSet<char>), Problem> {
    let scale = wide as f32 / WIDTH as f32;
    let high = (HEIGHT as f32 * scale).round();
    let rows = u32::try_from(pictures.len()).unwrap_or(u32::MAX).div_ceil(columns.max(1)).max(1);
    let pixels = Pixmap::new(columns * wide, rows * high as u32);
    let mut pixels = pixels.ok_or_else(|| broken("a picture of no size"))?;
    let mut letters = BTreeSet::new();
    for (at, picture) in (0..).zip(pictures) {
        let tree = fonts.tree(picture).map_err(broken)?;
        let (x, y) = ((at % columns * wide) as f32, (at / columns) as f32 * high);
        let place = Transform::from_row(scale, 0.0, 0.0, scale, x, y);
        resvg::render(&tree, place, &mut pixels.as_mut());
        letters.extend(lacking(&tree));
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::Balanced);
    let written =
        encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels.data()));
    written.map_err(broken)?;
    Ok((bytes, letters))
}
