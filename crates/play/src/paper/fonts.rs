//! The letters of printed cards, and how wide a text is in them.

use rustybuzz::ttf_parser::{GlyphId, OutlineBuilder};
use rustybuzz::{Face, UnicodeBuffer};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// A font file and what a PDF makes of it.
#[derive(Clone)]
struct Font {
    bytes: &'static [u8],
    embedded: krilla::text::Font,
}

/// The fonts in which cards are printed.
#[derive(Clone)]
pub struct Fonts {
    /// Two for texts, regular and bold, and then those for letters that they lack.
    fonts: Vec<Font>,
}

impl std::fmt::Debug for Fonts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Fonts({})", self.fonts.len())
    }
}

/// The built-in fonts, regular and bold first: `src/paper/fonts/README.md` says what is in them.
const BUILT_IN: [&[u8]; 4] = [
    include_bytes!("fonts/NotoSans-Regular.ttf"),
    include_bytes!("fonts/NotoSans-Bold.ttf"),
    include_bytes!("fonts/NotoSansSymbols2-Regular.ttf"),
    include_bytes!("fonts/NotoSansMath-Regular.ttf"),
];
const REGULAR: usize = 0;
const BOLD: usize = 1;

impl Fonts {
    /// The built-in fonts: Latin, Greek and Cyrillic letters, suits, arrows and other signs.
    pub fn built_in() -> Fonts {
        let font = |bytes: &'static [u8]| {
            let embedded = krilla::text::Font::new(bytes.to_vec().into(), 0)?;
            Some(Font { bytes, embedded })
        };
        Fonts {
            fonts: BUILT_IN.into_iter().filter_map(font).collect(),
        }
    }

    /// What a PDF makes of a font.
    pub(super) fn embedded(&self, font: usize) -> Option<krilla::text::Font> {
        self.fonts.get(font).map(|font| font.embedded.clone())
    }

    /// A shaper of texts in these fonts.
    pub(crate) fn shaper(&self) -> Shaper<'static> {
        let faces = self.fonts.iter();
        Shaper {
            faces: faces
                .filter_map(|font| Face::from_slice(font.bytes, 0))
                .collect(),
            widths: RefCell::default(),
            lacking: RefCell::default(),
        }
    }
}

/// A letter's form and place, in parts of the letters' size.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Glyph {
    pub(super) id: u32,
    /// The bytes of the run's text that it stands for.
    pub(super) range: Range<usize>,
    pub(super) advance: f32,
    pub(super) x: f32,
    pub(super) y: f32,
}

/// A part of a line in one font.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub(super) font: usize,
    pub(super) text: String,
    pub(super) glyphs: Vec<Glyph>,
}

/// A line of text, ready to be drawn in letters of any size.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Line {
    pub(super) runs: Vec<Run>,
    /// Its width in parts of the letters' size.
    pub(super) width: f32,
    /// How far its letters reach below the base line, in parts of their size.
    pub(super) below: f32,
}

/// How heavy letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// A straight piece of a letter's edge, from one point to the other.
pub(crate) type Edge = ((f32, f32), (f32, f32));

/// Follows a letter's outline.
struct Pen<'e> {
    edges: &'e mut Vec<Edge>,
    origin: (f32, f32),
    scale: f32,
    from: (f32, f32),
    start: (f32, f32),
}

/// How many straight pieces stand for a curve of a letter.
const PIECES: u8 = 6;

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let (left, base) = self.origin;
        (left + x * self.scale, base - y * self.scale)
    }

    fn to(&mut self, point: (f32, f32)) {
        self.edges.push((self.from, point));
        self.from = point;
    }

    /// Follows a curve, whose point at each part of the way is given.
    fn curve(&mut self, point: impl Fn(f32) -> (f32, f32)) {
        for piece in 1..=PIECES {
            self.to(point(f32::from(piece) / f32::from(PIECES)));
        }
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.from = self.at(x, y);
        self.start = self.from;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.to(self.at(x, y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (a, b, c) = (self.from, self.at(x1, y1), self.at(x, y));
        let mix = |a: f32, b: f32, c: f32, t: f32| {
            let s = 1.0 - t;
            s * s * a + 2.0 * s * t * b + t * t * c
        };
        self.curve(|t| (mix(a.0, b.0, c.0, t), mix(a.1, b.1, c.1, t)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (a, b, c, d) = (self.from, self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        let mix = |a: f32, b: f32, c: f32, d: f32, t: f32| {
            let s = 1.0 - t;
            s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
        };
        self.curve(|t| (mix(a.0, b.0, c.0, d.0, t), mix(a.1, b.1, c.1, d.1, t)));
    }

    fn close(&mut self) {
        self.to(self.start);
    }
}

/// Makes lines of texts.
pub(crate) struct Shaper<'f> {
    faces: Vec<Face<'f>>,
    widths: RefCell<HashMap<(Weight, String), f32>>,
    lacking: RefCell<BTreeSet<char>>,
}

impl Shaper<'_> {
    /// A text as one line.
    pub(crate) fn line(&self, text: &str, weight: Weight) -> Line {
        let mut line = Line::default();
        for (font, part) in self.parts(text, weight) {
            let Some(face) = self.faces.get(font) else {
                continue;
            };
            let run = shaped(face, font, part);
            let reach = run.glyphs.iter().filter_map(|glyph| {
                let id = GlyphId(u16::try_from(glyph.id).ok()?);
                let low = face.glyph_bounding_box(id)?.y_min;
                Some(-f32::from(low) / face.units_per_em() as f32)
            });
            line.below = reach.fold(line.below, f32::max);
            line.width += run.glyphs.iter().map(|glyph| glyph.advance).sum::<f32>();
            line.runs.push(run);
        }
        line
    }

    /// A text's width as one line, in parts of the letters' size.
    pub(crate) fn width(&self, text: &str, weight: Weight) -> f32 {
        let key = (weight, text.to_owned());
        if let Some(width) = self.widths.borrow().get(&key) {
            return *width;
        }
        let width = self.line(text, weight).width;
        self.widths.borrow_mut().insert(key, width);
        width
    }

    /// The edges of a line's letters, as straight pieces, where it begins at a point of its base
    /// line. Down is positive.
    pub(crate) fn edges(&self, line: &Line, size: f32, (mut x, y): (f32, f32)) -> Vec<Edge> {
        let mut edges = Vec::new();
        for run in &line.runs {
            let Some(face) = self.faces.get(run.font) else {
                continue;
            };
            let scale = size / face.units_per_em() as f32;
            for glyph in &run.glyphs {
                let mut pen = Pen {
                    edges: &mut edges,
                    origin: (x + glyph.x * size, y - glyph.y * size),
                    scale,
                    from: (0.0, 0.0),
                    start: (0.0, 0.0),
                };
                if let Ok(id) = u16::try_from(glyph.id) {
                    face.outline_glyph(GlyphId(id), &mut pen);
                }
                x += glyph.advance * size;
            }
        }
        edges
    }

    /// The letters that no font had since this was last asked.
    pub(crate) fn take_lacking(&self) -> BTreeSet<char> {
        self.lacking.take()
    }

    /// The parts of a text, each in the first font that has its letters.
    fn parts<'t>(&self, text: &'t str, weight: Weight) -> Vec<(usize, &'t str)> {
        let own = match weight {
            Weight::Regular => REGULAR,
            Weight::Bold => BOLD,
        };
        let mut parts: Vec<(usize, Range<usize>)> = Vec::new();
        for (at, letter) in text.char_indices() {
            let has = |font: &usize| {
                let face = self.faces.get(*font);
                face.is_some_and(|face| face.glyph_index(letter).is_some())
            };
            let before = parts.last().map(|(font, _)| *font);
            // Marks and joiners stay with the letter before them, where its font has them.
            let clings = before.filter(|font| joins(letter) && has(font));
            let others = (0..self.faces.len()).filter(|font| *font != own);
            let found = clings.or_else(|| std::iter::once(own).chain(others).find(has));
            let font = match found {
                Some(font) => font,
                // What is never seen needs no form.
                None if invisible(letter) => before.unwrap_or(own),
                None => {
                    self.lacking.borrow_mut().insert(letter);
                    own
                }
            };
            let end = at + letter.len_utf8();
            match parts.last_mut() {
                Some((last, range)) if *last == font => range.end = end,
                _ => parts.push((font, at..end)),
            }
        }
        let parts = parts.into_iter();
        parts.map(|(font, range)| (font, &text[range])).collect()
    }
}

/// Whether a letter belongs to the one before it: combining marks, joiners and selectors.
fn joins(letter: char) -> bool {
    invisible(letter) || unicode_normalization::char::is_combining_mark(letter)
}

fn invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Letters of one font in their forms.
fn shaped(face: &Face<'_>, font: usize, text: &str) -> Run {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    let shaped = rustybuzz::shape(face, &[], buffer);
    let size = face.units_per_em() as f32;
    let clusters: BTreeSet<usize> = shaped
        .glyph_infos()
        .iter()
        .map(|glyph| glyph.cluster as usize)
        .collect();
    let end_of = |start: usize| clusters.range(start + 1..).next().copied();
    let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions());
    let glyphs = glyphs.map(|(info, position)| {
        let start = info.cluster as usize;
        Glyph {
            id: info.glyph_id,
            range: start..end_of(start).unwrap_or(text.len()),
            advance: position.x_advance as f32 / size,
            x: position.x_offset as f32 / size,
            y: position.y_offset as f32 / size,
        }
    });
    let glyphs = glyphs.filter(|glyph| glyph.id <= u32::from(GlyphId(u16::MAX).0));
    Run {
        font,
        text: text.to_owned(),
        glyphs: glyphs.collect(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use decklaw_core::format::Catalogue;
    use decklaw_core::judge::Judge;

    /// The letters of a text that no font has.
    fn lacking(shaper: &Shaper<'_>, text: &str) -> BTreeSet<char> {
        for weight in [Weight::Regular, Weight::Bold] {
            shaper.line(text, weight);
        }
        shaper.take_lacking()
    }

    #[test]
    fn the_fonts_have_every_letter_of_the_shipped_games() {
        let fonts = Fonts::built_in();
        let shaper = fonts.shaper();
        let judge = Judge::built_in("2026-01-01".parse().unwrap());
        let catalogue = Catalogue::built_in();
        let mut cards = 0;
        for id in catalogue.games() {
            let pool = judge.pool(&catalogue.game(id).unwrap()).unwrap();
            for card in pool.ids() {
                let mut texts = vec![pool.name(card).to_owned()];
                texts.extend(
                    pool.fields()
                        .iter()
                        .map(|field| pool.shown(card, &field.name)),
                );
                for text in texts {
                    assert_eq!(lacking(&shaper, &text), BTreeSet::new(), "{text}");
                }
                cards += 1;
            }
        }
        assert!(cards > 600, "{cards}");
    }

    #[test]
    fn letters_that_no_font_has_are_known() {
        let fonts = Fonts::built_in();
        let shaper = fonts.shaper();
        let lacking = |text| lacking(&shaper, text);
        assert_eq!(lacking("Rain 火 Caller"), BTreeSet::from(['火']));
        assert_eq!(lacking("Ångström ♠♥♦♣ → Ωmega Жук ≥ ½ €"), BTreeSet::new());
        // The accent stands on its own here, and belongs to the letter before it.
        assert_eq!(lacking("Cafe\u{301}\u{200b}"), BTreeSet::new());
    }

    #[test]
    fn a_line_is_as_wide_as_its_letters_together() {
        let fonts = Fonts::built_in();
        let shaper = fonts.shaper();
        let line = shaper.line("10♠", Weight::Bold);
        assert_eq!(line.runs.len(), 2);
        let texts: Vec<&str> = line.runs.iter().map(|run| &*run.text).collect();
        assert_eq!(texts, ["10", "♠"]);
        let advances = line.runs.iter().flat_map(|run| &run.glyphs);
        let sum: f32 = advances.map(|glyph| glyph.advance).sum();
        assert!((line.width - sum).abs() < 1e-6 && sum > 1.0, "{sum}");
    }
}
