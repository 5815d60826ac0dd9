//! Pictures on the pages of a PDF: shapes as shapes, text as text.

use decklaw_text::{Problem, ProblemKind};
use krilla::color::rgb;
use krilla::error::KrillaError;
use krilla::geom::{Path, PathBuilder, Point, Size, Transform};
use krilla::graphic::Graphic;
use krilla::image::Image;
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{
    Fill, FillRule, LineCap, LineJoin, LinearGradient, Paint, RadialGradient, SpreadMethod, Stop,
    Stroke,
};
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use krilla::{Data, Document};
use resvg::tiny_skia::{self, PathSegment};
use resvg::usvg::fontdb::{Database, ID};
use resvg::usvg::{self, Group, ImageKind, Node, PaintOrder, Text, Tree};
use std::cell::OnceCell;
use std::collections::HashMap;

/// A document that is being made.
pub(super) struct Canvas {
    document: Document,
    fonts: HashMap<ID, Option<Font>>,
}

/// A document that cannot be made.
pub(super) fn broken(why: impl std::fmt::Display) -> Problem {
    Problem::new(ProblemKind::Defect, format!("the document cannot be made: {why}"))
}

impl Canvas {
    pub(super) fn new(title: &str) -> Canvas {
        let mut document = Document::new();
        let creator = concat!("decklaw ", env!("CARGO_PKG_VERSION")).to_owned();
        document.set_metadata(Metadata::new().title(title.to_owned()).creator(creator));
        Canvas { document, fonts: HashMap::new() }
    }

    /// Adds a page of this size in points, with pictures: their upper left corners and widths.
    pub(super) fn page<'p>(
        &mut self,
        (width, height): (f32, f32),
        pictures: impl Iterator<Item = (&'p Side, (f32, f32), f32)>,
    ) -> Result<(), Problem> {
        let settings = PageSettings::from_wh(width, height);
        let settings = settings.ok_or_else(|| broken("a page of no size"))?;
        let mut page = self.document.start_page_with(settings);
        let mut surface = page.surface();
        for (side, (x, y), wide) in pictures {
            let scale = wide / side.tree.size().width();
            surface.push_transform(&Transform::from_row(scale, 0.0, 0.0, scale, x, y));
            // A picture that is there again is in the document once.
            let graphic = side.graphic.get_or_init(|| {
                let mut builder = surface.stream_builder();
                let mut inner = builder.surface();
                let (known, fonts) = (side.tree.fontdb(), &mut self.fonts);
                Painter { known, fonts }.group(side.tree.root(), &mut inner);
                inner.finish();
                Graphic::new(builder.finish(), false)
            });
            surface.draw_graphic(graphic.clone());
            surface.pop();
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, Problem> {
        self.document.finish().map_err(|error| match error {
            KrillaError::Font(_, why) => broken(why),
            other => broken(format!("{other:?}")),
        })
    }
}

/// A side of a card, to be drawn any number of times.
pub(super) struct Side {
    pub(super) tree: Tree,
    graphic: OnceCell<Graphic>,
}

impl Side {
    pub(super) fn of(tree: Tree) -> Side {
        Side { tree, graphic: OnceCell::new() }
    }
}

/// Draws the shapes and letters of a tree.
struct Painter<'t> {
    known: &'t Database,
    fonts: &'t mut HashMap<ID, Option<Font>>,
}

impl Painter<'_> {
    fn group(&mut self, group: &Group, surface: &mut Surface<'_>) {
        surface.push_transform(&moved(group.transform()));
        let clip = group.clip_path().and_then(outline_of);
        if let Some(clip) = &clip {
            surface.push_clip_path(clip, &FillRule::NonZero);
        }
        let opacity = group.opacity().get();
        if opacity < 1.0 {
            surface.push_opacity(part(opacity));
        }
        for node in group.children() {
            match node {
                Node::Group(inner) => self.group(inner, surface),
                Node::Path(path) => draw_path(path, surface),
                Node::Image(image) => draw_image(image, surface),
                Node::Text(text) => self.text(text, surface),
            }
        }
        let pushed = 1 + usize::from(clip.is_some()) + usize::from(opacity < 1.0);
        (0..pushed).for_each(|_| surface.pop());
    }

    fn font(&mut self, id: ID) -> Option<Font> {
        let known = self.known;
        let load = || {
            known
                .with_face_data(id, |bytes, index| Font::new(Data::from(bytes.to_vec()), index))
                .flatten()
        };
        self.fonts.entry(id).or_insert_with(load).clone()
    }

    /// The lines of a text, each part in one font as one run.
    fn text(&mut self, text: &Text, surface: &mut Surface<'_>) {
        for span in text.layouted().iter().filter(|span| span.visible) {
            let size = span.font_size.get();
            let mut glyphs = span.positioned_glyphs.as_slice();
            while let Some(first) = glyphs.first() {
                let start = first.transform();
                let is_same = |glyph: &&usvg::layout::PositionedGlyph| {
                    glyph.font == first.font && (glyph.transform().ty - start.ty).abs() < 0.01
                };
                let number = glyphs.iter().take_while(is_same).count().max(1);
                let (run, rest) = glyphs.split_at(number);
                glyphs = rest;
                let Some(font) = self.font(first.font) else {
                    continue;
                };
                let mut words = String::new();
                let mut letters = Vec::new();
                for (at, glyph) in run.iter().enumerate() {
                    let begin = words.len();
                    words.push_str(&glyph.text);
                    let next = run
                        .get(at + 1)
                        .map_or(0.0, |next| next.transform().tx - glyph.transform().tx);
                    let id = GlyphId::new(glyph.id.0);
                    letters.push(KrillaGlyph::new(
                        id,
                        next / size,
                        0.0,
                        0.0,
                        0.0,
                        begin..words.len(),
                        None,
                    ));
                }
                let place = Point::from_xy(start.tx, start.ty);
                let fill = span.fill.as_ref().map(filled);
                if let (Some(stroke), PaintOrder::StrokeAndFill) = (&span.stroke, span.paint_order)
                {
                    surface.set_fill(None);
                    surface.set_stroke(Some(stroked(stroke)));
                    surface.draw_glyphs(place, &letters, font.clone(), &words, size, true);
                }
                surface.set_stroke(None);
                surface.set_fill(fill);
                surface.draw_glyphs(place, &letters, font, &words, size, false);
            }
        }
    }
}

fn moved(by: tiny_skia::Transform) -> Transform {
    Transform::from_row(by.sx, by.ky, by.kx, by.sy, by.tx, by.ty)
}

fn part(value: f32) -> NormalizedF32 {
    NormalizedF32::new(value).unwrap_or(NormalizedF32::ONE)
}

fn add_to(builder: &mut PathBuilder, path: &tiny_skia::Path) {
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(to) => builder.move_to(to.x, to.y),
            PathSegment::LineTo(to) => builder.line_to(to.x, to.y),
            PathSegment::QuadTo(by, to) => builder.quad_to(by.x, by.y, to.x, to.y),
            PathSegment::CubicTo(by, and, to) => {
                builder.cubic_to(by.x, by.y, and.x, and.y, to.x, to.y)
            }
            PathSegment::Close => builder.close(),
        }
    }
}

/// The shapes within which something is seen.
fn outline_of(clip: &usvg::ClipPath) -> Option<Path> {
    fn add(builder: &mut PathBuilder, group: &Group, by: tiny_skia::Transform) {
        let by = by.pre_concat(group.transform());
        for node in group.children() {
            match node {
                Node::Group(inner) => add(builder, inner, by),
                Node::Path(path) => {
                    if let Some(path) = path.data().clone().transform(by) {
                        add_to(builder, &path);
                    }
                }
                Node::Image(_) | Node::Text(_) => {}
            }
        }
    }
    let mut builder = PathBuilder::new();
    add(&mut builder, clip.root(), clip.transform());
    builder.finish()
}

fn draw_path(path: &usvg::Path, surface: &mut Surface<'_>) {
    let mut builder = PathBuilder::new();
    add_to(&mut builder, path.data());
    let (fill, stroke) = (path.fill().map(filled), path.stroke().map(stroked));
    let Some(line) = builder.finish().filter(|_| fill.is_some() || stroke.is_some()) else {
        return;
    };
    surface.set_fill(fill);
    surface.set_stroke(stroke);
    surface.draw_path(&line);
}

fn draw_image(image: &usvg::Image, surface: &mut Surface<'_>) {
    let read: fn(Data, bool) -> Result<Image, String> = match image.kind() {
        ImageKind::PNG(_) => Image::from_png,
        ImageKind::JPEG(_) => Image::from_jpeg,
        ImageKind::GIF(_) => Image::from_gif,
        ImageKind::WEBP(_) => Image::from_webp,
        ImageKind::SVG(_) => return,
    };
    let (ImageKind::PNG(bytes)
    | ImageKind::JPEG(bytes)
    | ImageKind::GIF(bytes)
    | ImageKind::WEBP(bytes)) = image.kind()
    else {
        return;
    };
    let size = Size::from_wh(image.size().width(), image.size().height());
    if let (Ok(picture), Some(size)) = (read(Data::from(bytes.to_vec()), true), size) {
        surface.draw_image(picture, size);
    }
}

fn painted(paint: &usvg::Paint) -> Paint {
    let colour = |colour: usvg::Color| rgb::Color::new(colour.red, colour.green, colour.blue);
    let stops = |stops: &[usvg::Stop]| {
        let stop = |stop: &usvg::Stop| Stop {
            offset: part(stop.offset().get()),
            color: colour(stop.color()).into(),
            opacity: part(stop.opacity().get()),
        };
        stops.iter().map(stop).collect()
    };
    match paint {
        usvg::Paint::Color(plain) => colour(*plain).into(),
        usvg::Paint::LinearGradient(gradient) => LinearGradient {
            x1: gradient.x1(),
            y1: gradient.y1(),
            x2: gradient.x2(),
            y2: gradient.y2(),
            transform: moved(gradient.transform()),
            spread_method: SpreadMethod::Pad,
            stops: stops(gradient.stops()),
            anti_alias: false,
        }
        .into(),
        usvg::Paint::RadialGradient(gradient) => RadialGradient {
            cx: gradient.cx(),
            cy: gradient.cy(),
            cr: gradient.r().get(),
            fx: gradient.fx(),
            fy: gradient.fy(),
            fr: 0.0,
            transform: moved(gradient.transform()),
            spread_method: SpreadMethod::Pad,
            stops: stops(gradient.stops()),
            anti_alias: false,
        }
        .into(),
        // No face has another.
        usvg::Paint::Pattern(_) => rgb::Color::black().into(),
    }
}

fn filled(fill: &usvg::Fill) -> Fill {
    Fill {
        paint: painted(fill.paint()),
        opacity: part(fill.opacity().get()),
        rule: match fill.rule() {
            usvg::FillRule::NonZero => FillRule::NonZero,
            usvg::FillRule::EvenOdd => FillRule::EvenOdd,
        },
    }
}

fn stroked(stroke: &usvg::Stroke) -> Stroke {
    Stroke {
        paint: painted(stroke.paint()),
        width: stroke.width().get(),
        miter_limit: stroke.miterlimit().get(),
        line_cap: match stroke.linecap() {
            usvg::LineCap::Butt => LineCap::Butt,
            usvg::LineCap::Round => LineCap::Round,
            usvg::LineCap::Square => LineCap::Square,
        },
        line_join: match stroke.linejoin() {
            usvg::LineJoin::Round => LineJoin::Round,
            usvg::LineJoin::Bevel => LineJoin::Bevel,
            usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => LineJoin::Miter,
        },
        opacity: part(stroke.opacity().get()),
        dash: None,
    }
}
