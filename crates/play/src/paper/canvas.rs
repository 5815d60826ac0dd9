//! Pages of a PDF, and what is drawn on them.

use super::fit::Area;
use super::fonts::{Fonts, Line};
use super::picture::Picture;
use super::place::{Colour, Item};
use super::sheets::{PrintError, Side};
use krilla::Document;
use krilla::color::rgb;
use krilla::error::KrillaError;
use krilla::geom::{Path, PathBuilder, Point, Size, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{GlyphId, KrillaGlyph};

/// A document that is being made.
pub(super) struct Canvas<'f> {
    document: Document,
    fonts: &'f Fonts,
}

/// A page that is being drawn on.
pub(super) struct Page<'s, 'f> {
    surface: Surface<'s>,
    fonts: &'f Fonts,
}

fn broken(what: &str) -> PrintError {
    PrintError::Document(what.to_owned())
}

impl<'f> Canvas<'f> {
    pub(super) fn new(fonts: &'f Fonts, title: &str) -> Canvas<'f> {
        let mut document = Document::new();
        let creator = concat!("decklaw ", env!("CARGO_PKG_VERSION")).to_owned();
        let metadata = Metadata::new().title(title.to_owned()).creator(creator);
        document.set_metadata(metadata);
        Canvas { document, fonts }
    }

    /// Adds a page of this size in points.
    pub(super) fn page(
        &mut self,
        (width, height): (f32, f32),
        draw: impl FnOnce(&mut Page<'_, 'f>) -> Result<(), PrintError>,
    ) -> Result<(), PrintError> {
        let settings = PageSettings::from_wh(width, height);
        let settings = settings.ok_or_else(|| broken("a page of no size"))?;
        let mut page = self.document.start_page_with(settings);
        draw(&mut Page {
            surface: page.surface(),
            fonts: self.fonts,
        })
    }

    /// The whole document; `pictures` are those in it, of which one may be broken inside.
    pub(super) fn finish<'p>(
        self,
        mut pictures: impl Iterator<Item = &'p Picture>,
    ) -> Result<Vec<u8>, PrintError> {
        self.document.finish().map_err(|error| match error {
            KrillaError::Image(image, _, why) => {
                let name = pictures.find(|picture| picture.image == image);
                let name = name.map_or_else(String::new, |picture| picture.name.clone());
                PrintError::Picture { name, why }
            }
            KrillaError::Font(_, why) => PrintError::Document(why),
            other => PrintError::Document(format!("{other:?}")),
        })
    }
}

impl Page<'_, '_> {
    /// Draws a side with its upper left corner there.
    pub(super) fn at(&mut self, (x, y): (f32, f32), side: &Side<'_>) -> Result<(), PrintError> {
        self.surface
            .push_transform(&Transform::from_translate(x, y));
        match side {
            Side::Drawn(laid) => laid.items.iter().for_each(|item| self.item(item)),
            Side::Picture(picture, area) => {
                let size = Size::from_wh(area.width(), area.height());
                let size = size.ok_or_else(|| broken("a picture of no size"))?;
                let place = Transform::from_translate(area.left, area.top);
                self.surface.push_transform(&place);
                self.surface.draw_image(picture.image.clone(), size);
                self.surface.pop();
            }
        }
        self.surface.pop();
        Ok(())
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Text {
                x,
                y,
                size,
                colour,
                line,
            } => self.text((*x, *y), *size, *colour, line),
            Item::Panel {
                area,
                radius,
                fill,
                stroke,
            } => {
                let Some(path) = rounded(*area, *radius) else {
                    return;
                };
                self.surface.set_fill(fill.map(filled));
                self.surface
                    .set_stroke(stroke.map(|(colour, width)| Stroke {
                        paint: rgb(colour).into(),
                        width,
                        ..Stroke::default()
                    }));
                self.surface.draw_path(&path);
            }
        }
    }

    fn text(&mut self, (mut x, y): (f32, f32), size: f32, colour: Colour, line: &Line) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(filled(colour)));
        for run in &line.runs {
            let Some(font) = self.fonts.embedded(run.font) else {
                continue;
            };
            let glyphs = run.glyphs.iter().map(|glyph| {
                let id = GlyphId::new(glyph.id);
                let range = glyph.range.clone();
                KrillaGlyph::new(id, glyph.advance, glyph.x, glyph.y, 0.0, range, None)
            });
            let glyphs: Vec<KrillaGlyph> = glyphs.collect();
            let start = Point::from_xy(x, y);
            self.surface
                .draw_glyphs(start, &glyphs, font, &run.text, size, false);
            let advances = run.glyphs.iter().map(|glyph| glyph.advance);
            x += size * advances.sum::<f32>();
        }
    }
}

fn rgb(Colour(red, green, blue): Colour) -> rgb::Color {
    rgb::Color::new(red, green, blue)
}

fn filled(colour: Colour) -> Fill {
    Fill {
        paint: rgb(colour).into(),
        ..Fill::default()
    }
}

/// A rectangle with round corners.
fn rounded(area: Area, radius: f32) -> Option<Path> {
    // A quarter of a circle as a cubic curve.
    let bend = radius * (1.0 - 0.552_284_8);
    let Area {
        left,
        top,
        right,
        bottom,
    } = area;
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    if radius > 0.0 {
        path.cubic_to(right - bend, top, right, top + bend, right, top + radius);
    }
    path.line_to(right, bottom - radius);
    if radius > 0.0 {
        path.cubic_to(
            right,
            bottom - bend,
            right - bend,
            bottom,
            right - radius,
            bottom,
        );
    }
    path.line_to(left + radius, bottom);
    if radius > 0.0 {
        path.cubic_to(
            left + bend,
            bottom,
            left,
            bottom - bend,
            left,
            bottom - radius,
        );
    }
    path.line_to(left, top + radius);
    if radius > 0.0 {
        path.cubic_to(left, top + bend, left + bend, top, left + radius, top);
    }
    path.close();
    path.finish()
}
