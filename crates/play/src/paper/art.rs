//! Card art as data: a motif is an SVG file whose colours, numbers and choices the card's name and
//! colour fill, so that a card looks the same everywhere and its neighbours differ. Games bring
//! motifs of their own in `art/`; `docs/games.md` has the grammar.

use super::colour::{Colour, oklch};
use crate::look::{ArtEntry, FaceEntry};
use decklaw_text::text::{Span, listed, markup};
use decklaw_text::yaml::{FileError, Problem, Spanned};
use roxmltree::{Document, Node};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::sync::{Arc, LazyLock};

/// The motifs that are built in, by name.
#[cfg(feature = "motifs")]
fn built_in() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    use include_dir::{Dir, include_dir};
    static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/paper/motifs");
    let named = |file: &'static include_dir::File<'static>| {
        Some((file.path().file_stem()?.to_str()?, file.contents()))
    };
    FILES.files().filter_map(named)
}

#[cfg(not(feature = "motifs"))]
fn built_in() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    std::iter::empty()
}

/// Behind every scene.
const SKY: &str = "sky";
/// Scenes of a game that names none.
const SCENES: [&str; 14] = [
    "hills", "forest", "sea", "ruins", "mountain", "tower", "bridge", "field", "isle", "stars",
    "town", "keep", "grove", "gate",
];

/// How wide and high a motif is, in its own units.
const AREA: (f64, f64) = (160.0, 100.0);
/// The most bytes of a motif.
const LARGEST: usize = 6 << 10;
/// The most elements that a motif draws.
const MOST_DRAWN: usize = 4000;

const ELEMENTS: [&str; 11] = [
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "use",
    "defs",
    "clipPath",
    "linearGradient",
    "radialGradient",
    "stop",
];
const ATTRIBUTES: &str = "id class href transform opacity fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin d x y x1 y1 x2 y2 cx cy r rx ry fx fy width height offset stop-color stop-opacity clip-path clip-rule gradientUnits gradientTransform";

/// Words of the palette. The last four do not follow the frame's hue.
const COLOURS: [&str; 11] =
    ["sky", "haze", "far", "mid", "near", "ink", "light", "glow", "fire", "accent", "skin"];
/// Of each of the first seven at dawn, day, dusk and night: its lightness, its part of the frame's
/// chroma, and how far its hue turns to warm, or with a negative number to cool.
const SHADES: [[(f64, f64, f64); 4]; 7] = [
    [(0.74, 0.6, 0.0), (0.70, 0.85, -0.1), (0.40, 0.95, -0.4), (0.235, 0.55, -0.5)],
    [(0.93, 0.42, 0.6), (0.94, 0.3, 0.3), (0.80, 0.9, 0.6), (0.53, 0.8, -0.1)],
    [(0.73, 0.65, 0.1), (0.69, 0.8, 0.0), (0.55, 0.95, 0.2), (0.42, 0.8, -0.2)],
    [(0.57, 0.9, 0.0), (0.55, 1.0, 0.0), (0.43, 1.0, -0.1), (0.335, 0.78, -0.3)],
    [(0.40, 0.85, -0.2), (0.38, 0.9, -0.2), (0.30, 0.8, -0.3), (0.235, 0.62, -0.4)],
    [(0.24, 0.5, -0.4), (0.23, 0.5, -0.4), (0.18, 0.45, -0.5), (0.14, 0.42, -0.5)],
    [(0.91, 0.5, 0.5), (0.91, 0.5, 0.4), (0.87, 0.75, 0.6), (0.83, 0.5, 0.25)],
];
/// The sun or moon by hour: lightness and chroma.
const GLOW: [(f64, f64); 4] = [(0.97, 0.05), (0.985, 0.035), (0.93, 0.10), (0.95, 0.05)];
/// How far the name turns the frame's hue, in degrees.
const TINT: f64 = 15.0;
/// How much darker a skin is by hour.
const DUSK: [f64; 4] = [0.0, 0.0, 0.04, 0.10];
const SKINS: [(f64, f64); 5] =
    [(0.86, 0.045), (0.80, 0.07), (0.70, 0.085), (0.58, 0.08), (0.46, 0.065)];
/// The hues that lights and shadows turn to, in degrees.
const WARM: f64 = 85.0;
const COOL: f64 = 275.0;

/// A time of day, which decides how light the colours are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hour {
    Dawn,
    Day,
    Dusk,
    Night,
}

impl Hour {
    const ALL: [(&'static str, Hour); 4] =
        [("dawn", Hour::Dawn), ("day", Hour::Day), ("dusk", Hour::Dusk), ("night", Hour::Night)];

    fn of(word: &str) -> Option<Hour> {
        Hour::ALL.into_iter().find(|(known, _)| *known == word).map(|(_, hour)| hour)
    }
}

/// A drawing with open colours, numbers and choices.
#[derive(Clone, PartialEq)]
pub struct Motif {
    name: String,
    root: Vec<Element>,
}

impl fmt::Debug for Motif {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[derive(Clone, PartialEq)]
struct Element {
    tag: String,
    class: Class,
    attributes: Vec<(String, Vec<Piece>)>,
    children: Vec<Element>,
}

/// When and how often an element is drawn.
#[derive(Clone, PartialEq)]
enum Class {
    Once,
    /// One of its children.
    OneOf,
    /// From the first to the second number of times.
    Times(u32, u32),
    At(Vec<Hour>),
}

/// A part of an attribute.
#[derive(Clone, PartialEq)]
enum Piece {
    Text(String),
    /// The name of a part of this motif.
    Id(String),
    /// An index into [`COLOURS`].
    Colour(usize),
    /// A number from one to the other, in units of a decimal place more than is written.
    Range {
        low: i64,
        high: i64,
        places: u32,
        is_step: bool,
    },
}

impl Motif {
    /// Reads a motif; `name`: its file, for what is wrong with it.
    ///
    /// # Errors
    /// A file that is no SVG of the grammar: each problem with its place.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Motif, FileError> {
        let text = decklaw_text::yaml::text_of(name, bytes)?;
        let refuse =
            |problems| FileError { name: name.to_owned(), text: text.to_owned(), problems };
        let whole = |message: String| refuse(vec![Problem::new(message, Span::default())]);
        if bytes.len() > LARGEST {
            return Err(whole(format!("a motif has at most {} kB", LARGEST >> 10)));
        }
        let document = Document::parse(text).map_err(|error| whole(error.to_string()))?;
        let mut reader = Reader { problems: Vec::new() };
        let svg = document.root_element();
        if svg.tag_name().name() != "svg" || svg.attribute("viewBox") != Some("0 0 160 100") {
            reader.refuse(svg, "a motif is an `svg` with `viewBox=\"0 0 160 100\"`".to_owned());
        }
        let root = reader.children(svg);
        if root.iter().map(Element::most_drawn).fold(0, usize::saturating_add) > MOST_DRAWN {
            reader.refuse(svg, format!("a motif draws at most {MOST_DRAWN} elements"));
        }
        if !reader.problems.is_empty() {
            return Err(refuse(reader.problems));
        }
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        Ok(Motif { name: file.trim_end_matches(".svg").to_owned(), root })
    }
}

impl Element {
    /// The most elements that it draws.
    fn most_drawn(&self) -> usize {
        let each = self.children.iter().map(Element::most_drawn);
        let inner = match self.class {
            Class::OneOf => each.max().unwrap_or(0),
            _ => each.fold(0, usize::saturating_add),
        };
        let times = match self.class {
            Class::Times(_, most) => most as usize,
            _ => 1,
        };
        inner.saturating_add(1).saturating_mul(times)
    }
}

struct Reader {
    problems: Vec<Problem>,
}

impl Reader {
    fn refuse(&mut self, node: Node<'_, '_>, message: String) {
        let range = node.range();
        // The tag alone.
        let end = range.end.min(range.start + 1 + node.tag_name().name().len());
        self.problems.push(Problem::new(message, Span::new(range.start, end)));
    }

    fn children(&mut self, node: Node<'_, '_>) -> Vec<Element> {
        let mut elements = Vec::new();
        for child in node.children() {
            if child.is_element() {
                elements.push(self.element(child));
            } else if child.is_text() && !child.text().unwrap_or_default().trim().is_empty() {
                self.refuse(node, "a motif has no text".to_owned());
            }
        }
        elements
    }

    fn element(&mut self, node: Node<'_, '_>) -> Element {
        let tag = node.tag_name().name();
        if !ELEMENTS.contains(&tag) {
            self.refuse(
                node,
                format!("a motif has no `{tag}`; it has {}", listed(&ELEMENTS, "and")),
            );
        }
        let mut attributes = Vec::new();
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            if attribute.namespace().is_some() || !ATTRIBUTES.split(' ').any(|known| known == name)
            {
                self.refuse(node, format!("a motif has no attribute `{name}`"));
            } else if name != "class" {
                match pieces(name, value) {
                    Ok(pieces) => attributes.push((name.to_owned(), pieces)),
                    Err(message) => self.refuse(node, format!("`{name}`: {message}")),
                }
            }
        }
        let class = match class(node.attribute("class").unwrap_or_default()) {
            Ok(class) => class,
            Err(message) => {
                self.refuse(node, message);
                Class::Once
            }
        };
        let children = self.children(node);
        if class == Class::OneOf && children.is_empty() {
            self.refuse(node, "`one-of` needs an element to choose".to_owned());
        }
        Element { tag: tag.to_owned(), class, attributes, children }
    }
}

fn class(text: &str) -> Result<Class, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [] => Ok(Class::Once),
        ["one-of"] => Ok(Class::OneOf),
        ["times", number] => {
            let (low, high) = number.split_once("..").unwrap_or((number, number));
            match (low.parse(), high.parse()) {
                (Ok(low), Ok(high)) if low <= high => Ok(Class::Times(low, high)),
                _ => Err(format!("`{number}` is not a number of times such as `3..5`")),
            }
        }
        words => {
            let hours: Option<Vec<Hour>> = words.iter().map(|word| Hour::of(word)).collect();
            hours.map(Class::At).ok_or_else(|| {
                format!(
                    "class `{text}` is none of `one-of`, `times 3..5`, `dawn`, `day`, `dusk` and `night`"
                )
            })
        }
    }
}

/// The parts of an attribute's value.
fn pieces(name: &str, value: &str) -> Result<Vec<Piece>, String> {
    let is_colour = ["fill", "stroke", "stop-color"].contains(&name);
    if name == "id" {
        return Ok(vec![Piece::Id(value.to_owned())]);
    }
    if let Some(id) = value.strip_prefix('#').filter(|_| name == "href") {
        return Ok(vec![Piece::Text("#".to_owned()), Piece::Id(id.to_owned())]);
    }
    if let Some(id) = value.strip_prefix("url(#").and_then(|rest| rest.strip_suffix(')')) {
        let text = |text: &str| Piece::Text(text.to_owned());
        return Ok(vec![text("url(#"), Piece::Id(id.to_owned()), text(")")]);
    }
    if name == "href" || value.contains("url(") || value.contains(':') {
        return Err("a motif refers to its own parts alone, such as `#tree`".to_owned());
    }
    let mut pieces = Vec::new();
    let mut rest = value;
    while let Some((text, hole)) = rest.split_once('{') {
        let (hole, after) = hole.split_once('}').ok_or("a `{` has no `}`")?;
        if !text.is_empty() {
            pieces.push(Piece::Text(text.to_owned()));
        }
        let filling = filling(hole)?;
        if text.ends_with('-') && matches!(filling, Piece::Range { low, .. } if low < 0) {
            return Err(format!("`-{{{hole}}}` has two signs"));
        }
        pieces.push(filling);
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    match pieces.as_slice() {
        [Piece::Text(text)] if is_colour && text != "none" => {
            Err(format!("name a colour, such as `{{mid}}`; `{text}` suits no other frame"))
        }
        _ => Ok(pieces),
    }
}

/// What fills a hole.
fn filling(hole: &str) -> Result<Piece, String> {
    if let Some(colour) = COLOURS.iter().position(|known| *known == hole) {
        return Ok(Piece::Colour(colour));
    }
    let (ends, is_step) = match (hole.split_once(".."), hole.split_once("->")) {
        (Some(ends), _) => (Some(ends), false),
        (None, ends) => (ends, true),
    };
    let unknown = || {
        let colours = listed(&COLOURS, "and");
        format!(
            "`{{{hole}}}` is neither a range such as `{{2..5}}` or `{{0->160}}` nor a colour; there are {colours}"
        )
    };
    let (low, high) = ends.ok_or_else(unknown)?;
    let decimals = |number: &str| number.split_once('.').map_or(0, |(_, part)| part.len());
    let places = 1 + decimals(low).max(decimals(high)) as u32;
    let scaled = |number: &str| -> Option<i64> {
        let (sign, digits) = match number.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, number),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = !whole.is_empty() && part.len() < 6 && whole.len() < 6;
        let digits = format!("{whole}{part:0<width$}", width = places as usize);
        let all = digits.bytes().all(|digit| digit.is_ascii_digit());
        (is_number && all).then(|| digits.parse::<i64>().ok().map(|number| sign * number))?
    };
    match (scaled(low), scaled(high)) {
        (Some(low), Some(high)) if low <= high || is_step => {
            Ok(Piece::Range { low, high, places, is_step })
        }
        (Some(_), Some(_)) => Err(format!("`{{{hole}}}` begins with the larger number")),
        _ => Err(unknown()),
    }
}

/// The motifs that a game's cards are drawn with: its own come before those that are built in.
#[derive(Debug, Clone, Default)]
pub struct Motifs {
    own: BTreeMap<String, Arc<Motif>>,
}

impl Motifs {
    /// The folder of a game that holds its motifs.
    pub const FOLDER: &str = "art";

    /// Those among the files of a game, by names such as `art/keep.svg`.
    ///
    /// # Errors
    /// The first file that cannot be read as a motif.
    pub fn of<'f>(files: impl Iterator<Item = (&'f str, &'f [u8])>) -> Result<Motifs, FileError> {
        let own = files.filter_map(|(name, bytes)| {
            let own = name.strip_prefix(Motifs::FOLDER)?.strip_prefix('/')?;
            let own = own.strip_suffix(".svg")?.to_owned();
            Some(Motif::read(name, bytes).map(|motif| (own, Arc::new(motif))))
        });
        Ok(Motifs { own: own.collect::<Result<_, _>>()? })
    }

    /// The motif of a name.
    pub fn find(&self, name: &str) -> Option<Arc<Motif>> {
        static READ: LazyLock<BTreeMap<String, Arc<Motif>>> = LazyLock::new(|| {
            let read = built_in().filter_map(|(name, bytes)| {
                Some((name.to_owned(), Arc::new(Motif::read(name, bytes).ok()?)))
            });
            read.collect()
        });
        self.own.get(name).or_else(|| READ.get(name)).cloned()
    }

    /// The files that are built in and that a game's cards are drawn with, by names such as
    /// `art/keep.svg`: with them its folder is whole where nothing is built in.
    pub fn files_for(
        face: Option<&FaceEntry>,
    ) -> impl Iterator<Item = (String, &'static [u8])> + use<> {
        let art = face.map_or(&[][..], |face| &face.art);
        let signs = face.map_or(&[][..], |face| &face.sign);
        let named = art.iter().chain(signs).flat_map(|line| line.value.is.all());
        let mut names: BTreeSet<String> = named.cloned().collect();
        names.insert(SKY.to_owned());
        // A card that no line takes has any scene.
        if art.iter().all(|line| line.value.of.is_some()) {
            names.extend(SCENES.map(str::to_owned));
        }
        let own = built_in().filter(move |(name, _)| names.contains(*name));
        own.map(|(name, bytes)| (format!("{}/{name}.svg", Motifs::FOLDER), bytes))
    }

    /// What the lines of a face name that is not a motif, or no time of day.
    pub fn unknown(&self, face: &FaceEntry) -> Vec<Problem> {
        let motifs = |name: &str| self.find(name).is_some();
        let hours = |name: &str| Hour::of(name).is_some();
        let mut problems = Vec::new();
        for (lines, is_known, what) in [
            (&face.hour, &hours as &dyn Fn(&str) -> bool, "time of day: dawn, day, dusk or night"),
            (&face.art, &motifs, "motif: there is no such file in `art`"),
            (&face.sign, &motifs, "motif: there is no such file in `art`"),
        ] {
            for line in lines {
                for name in line.value.is.all().iter().filter(|name| !is_known(name)) {
                    problems.push(Problem::new(format!("`{name}` is not a {what}"), line.span));
                }
            }
        }
        problems
    }
}

/// What is drawn on a card without a picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Art {
    hour: Hour,
    /// From back to front.
    motifs: Vec<Arc<Motif>>,
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// One of some words, by the name of a card.
fn chosen<T>(words: &[T], name: &str, what: &str) -> Option<usize> {
    let [first, ..] = digest(&format!("{name}/{what}"));
    (!words.is_empty()).then(|| usize::from(first) % words.len())
}

impl Art {
    /// What the lines of a face draw on a card; `picks` asks a query of it.
    pub(super) fn of(
        face: Option<&FaceEntry>,
        name: &str,
        motifs: &Motifs,
        picks: impl Fn(&str) -> bool,
    ) -> Art {
        let word = |lines: fn(&FaceEntry) -> &Vec<Spanned<ArtEntry>>, what: &str| {
            let mut lines = lines(face?).iter().map(|line| &line.value);
            let line = lines.find(|line| line.of.as_ref().is_none_or(|of| picks(&of.value)))?;
            let names = line.is.all();
            Some(names[chosen(names, name, what)?].clone())
        };
        let hour = word(|face| &face.hour, "hour").and_then(|word| Hour::of(&word));
        let scene = word(|face| &face.art, "art");
        let or_any =
            |words: &[&str], what| chosen(words, name, what).map(|at| words[at].to_owned());
        let scene = scene.or_else(|| or_any(&SCENES, "art"));
        let sign = word(|face| &face.sign, "sign");
        let all = [Some(SKY.to_owned()), scene, sign];
        Art {
            hour: hour.unwrap_or_else(|| {
                chosen(&Hour::ALL, name, "hour").map_or(Hour::Day, |at| Hour::ALL[at].1)
            }),
            motifs: all.iter().flatten().filter_map(|name| motifs.find(name)).collect(),
        }
    }

    /// The drawing for a card's name and the colour of its frame, which fills an area.
    pub(super) fn draw(&self, name: &str, colour: Colour, (wide, high): (f64, f64)) -> String {
        let scale = f64::max(wide / AREA.0, high / AREA.1);
        let (left, top) = ((wide - AREA.0 * scale) / 2.0, (high - AREA.1 * scale) / 2.0);
        // Half of all cards are mirrored.
        let is_mirrored = digest(name)[2] % 2 == 1;
        let (left, across) = if is_mirrored { (wide - left, -scale) } else { (left, scale) };
        let palette = palette(colour, self.hour, name);
        let mut svg = String::new();
        let _ =
            write!(svg, "<g transform=\"matrix({across:.4} 0 0 {scale:.4} {left:.1} {top:.1})\">");
        for motif in &self.motifs {
            let mut filler = Filler {
                chance: Chance::of(&format!("{name}/{}", motif.name)),
                hour: self.hour,
                palette: &palette,
                prefix: String::new(),
                svg: &mut svg,
            };
            filler.prefix = format!("a{:07x}", filler.chance.seed());
            for element in &motif.root {
                filler.draw(element, (0, 1));
            }
        }
        svg.push_str("</g>");
        svg
    }
}

/// The colours of a card at an hour, in the order of [`COLOURS`].
fn palette(frame: Colour, hour: Hour, name: &str) -> [Colour; 11] {
    let (hue, chroma) = frame.oklch();
    // Neighbours of one frame differ a little.
    let hue = hue + f64::from(digest(name)[3]) / 255.0 * 2.0 * TINT - TINT;
    let (chroma, at) = (chroma.clamp(0.022, 0.155), hour as usize);
    let [skin, tone, ..] = digest(name);
    let (lightness, part) = SKINS[usize::from(skin) % SKINS.len()];
    let is_warm = toward(hue, 75.0).abs() < 40.0;
    std::array::from_fn(|word| match (COLOURS[word], SHADES.get(word)) {
        (_, Some(shades)) => {
            let (lightness, part, turn) = shades[at];
            let to = toward(hue, if turn > 0.0 { WARM } else { COOL });
            let by = to.abs().min(60.0 * turn.abs()).copysign(to);
            oklch(lightness, part * chroma, hue + by)
        }
        ("glow", _) => oklch(GLOW[at].0, GLOW[at].1, 90.0),
        ("fire", _) => oklch(0.79, 0.155, 66.0),
        ("accent", _) if is_warm => oklch(0.74, 0.10, 215.0),
        ("accent", _) => oklch(0.81, 0.14, 80.0),
        _ => oklch(lightness - DUSK[at], part, 45.0 + f64::from(tone % 20)),
    })
}

/// The shorter way from one hue to another, in degrees.
fn toward(hue: f64, other: f64) -> f64 {
    (other - hue + 180.0).rem_euclid(360.0) - 180.0
}

/// Numbers from 0 to 65535: pairs of bytes of a SHA-256, then of the digest's digest.
struct Chance {
    digest: [u8; 32],
    at: usize,
}

impl Chance {
    fn of(text: &str) -> Chance {
        Chance { digest: digest(text), at: 0 }
    }

    fn seed(&self) -> u32 {
        u32::from_be_bytes([self.digest[0], self.digest[1], self.digest[2], self.digest[3]]) >> 4
    }

    fn next(&mut self) -> i64 {
        if self.at == self.digest.len() {
            *self = Chance { digest: Sha256::digest(self.digest).into(), at: 0 };
        }
        self.at += 2;
        i64::from(u16::from_be_bytes([self.digest[self.at - 2], self.digest[self.at - 1]]))
    }

    /// One of so many.
    fn pick(&mut self, of: i64) -> i64 {
        self.next() * of / 65536
    }
}

/// Fills a motif.
struct Filler<'f> {
    chance: Chance,
    hour: Hour,
    palette: &'f [Colour; 11],
    /// Before each id, so that many cards are in one page.
    prefix: String,
    svg: &'f mut String,
}

impl Filler<'_> {
    /// Draws an element; `copy`: which of how many copies it is.
    fn draw(&mut self, element: &Element, copy: (i64, i64)) {
        match &element.class {
            Class::Once => self.element(element, &element.children, copy),
            Class::At(hours) => {
                if hours.contains(&self.hour) {
                    self.element(element, &element.children, copy);
                }
            }
            Class::Times(low, high) => {
                let count = i64::from(*low) + self.chance.pick(i64::from(high - low) + 1);
                for at in 0..count {
                    self.element(element, &element.children, (at, count));
                }
            }
            Class::OneOf => {
                let at = self.chance.pick(element.children.len() as i64) as usize;
                self.element(element, std::slice::from_ref(&element.children[at]), copy);
            }
        }
    }

    fn element(&mut self, element: &Element, children: &[Element], copy: (i64, i64)) {
        let _ = write!(self.svg, "<{}", element.tag);
        for (name, pieces) in &element.attributes {
            let value: String = pieces.iter().map(|piece| self.value(piece, copy)).collect();
            let _ = write!(self.svg, " {name}=\"{}\"", markup(&value));
        }
        if children.is_empty() {
            self.svg.push_str("/>");
            return;
        }
        self.svg.push('>');
        for child in children {
            self.draw(child, (0, 1));
        }
        let _ = write!(self.svg, "</{}>", element.tag);
    }

    fn value(&mut self, piece: &Piece, (at, count): (i64, i64)) -> String {
        match piece {
            Piece::Text(text) => text.clone(),
            Piece::Id(id) => format!("{}{id}", self.prefix),
            Piece::Colour(word) => self.palette[*word].to_string(),
            Piece::Range { low, high, places, is_step } => {
                let (part, whole) =
                    if *is_step { (at, count) } else { (self.chance.next(), 65535) };
                let number = low + ((high - low) * part * 2 + whole).div_euclid(whole * 2);
                decimal(number, *places)
            }
        }
    }
}

/// A number of units of a decimal place, as it is written.
fn decimal(number: i64, places: u32) -> String {
    let (whole, unit) = (number.unsigned_abs(), 10_u64.pow(places));
    let sign = if number < 0 { "-" } else { "" };
    let text = format!("{sign}{}.{:0width$}", whole / unit, whole % unit, width = places as usize);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn motif(inner: &str) -> Result<Motif, Vec<String>> {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 100\">{inner}</svg>"
        );
        let read = Motif::read("art/test.svg", svg.as_bytes());
        read.map_err(|error| error.problems.into_iter().map(|one| one.message).collect())
    }

    fn drawn(inner: &str, name: &str) -> String {
        let art = Art { hour: Hour::Day, motifs: vec![Arc::new(motif(inner).unwrap())] };
        art.draw(name, Colour::parse("#c8402f").unwrap(), AREA)
    }

    #[test]
    #[cfg(feature = "motifs")]
    fn every_motif_that_is_built_in_can_be_read() {
        for (name, bytes) in built_in() {
            let read = Motif::read(name, bytes);
            assert!(read.is_ok(), "{:?}", read.err());
        }
        assert!(built_in().count() > 100);
        for scene in SCENES.into_iter().chain([SKY]) {
            assert!(built_in().any(|(name, _)| name == scene), "{scene}");
        }
    }

    #[test]
    fn a_motif_is_filled_by_the_cards_name() {
        let circle = "<circle cx=\"{10..20}\" cy=\"{0->160}\" r=\"3\" fill=\"{accent}\"/>";
        let (ada, ben) = (drawn(circle, "Ada"), drawn(circle, "Ben"));
        assert_eq!(ada, drawn(circle, "Ada"));
        assert_ne!(ada, ben);
        let copies = drawn("<g class=\"times 4\" transform=\"translate({0->160} 0)\"/>", "Ada");
        for at in [0, 40, 80, 120] {
            assert!(copies.contains(&format!("translate({at} 0)")), "{copies}");
        }
        let hours = "<g class=\"night\"><path d=\"M0 0\"/></g><rect class=\"dawn day\"/>";
        assert!(!drawn(hours, "Ada").contains("path") && drawn(hours, "Ada").contains("rect"));
        let picked: std::collections::BTreeSet<String> = (0..40)
            .map(|at| drawn("<g class=\"one-of\"><rect/><circle/></g>", &at.to_string()))
            .map(|svg| svg[svg.find("<g>").unwrap()..].to_owned())
            .collect();
        assert_eq!(picked.len(), 2, "{picked:?}");
    }

    /// Numbers of the trial in another language, which read the same grammar.
    #[test]
    fn numbers_are_pairs_of_bytes_of_the_digest() {
        assert_eq!(decimal(-3, 2), "-0.03");
        assert_eq!(decimal(1250, 2), "12.5");
        let [first, second, ..] = digest("Ada/test");
        let number = i64::from(u16::from_be_bytes([first, second]));
        let place = 100 + (100 * number * 2 + 65535) / (65535 * 2);
        let svg = drawn("<rect x=\"{10..20}\"/>", "Ada");
        assert!(svg.contains(&format!("x=\"{}\"", decimal(place, 1))), "{svg}");
    }

    #[test]
    fn what_a_motif_must_not_have_is_refused() {
        for (inner, message) in [
            ("<script/>", "no `script`"),
            ("<text>x</text>", "no `text`"),
            ("<rect style=\"fill: red\"/>", "no attribute `style`"),
            ("<rect onclick=\"x\"/>", "no attribute `onclick`"),
            ("<rect fill=\"red\"/>", "name a colour"),
            ("<rect fill=\"#123456\"/>", "name a colour"),
            ("<rect fill=\"{red}\"/>", "nor a colour"),
            ("<rect x=\"{5..2}\"/>", "larger number"),
            ("<rect x=\"{a..2}\"/>", "neither a range"),
            ("<path d=\"M0-{-2..2}\"/>", "two signs"),
            ("<rect x=\"{2\"/>", "has no `}`"),
            ("<use href=\"https://example.org/a.svg#a\"/>", "own parts"),
            ("<rect fill=\"url(https://example.org)\"/>", "own parts"),
            ("<g class=\"noon\"/>", "none of"),
            ("<g class=\"times 5..2\"/>", "number of times"),
            ("<g class=\"one-of\"/>", "needs an element"),
            ("<g class=\"times 99\"><g class=\"times 99\"/></g>", "at most 4000"),
            ("hello", "no text"),
        ] {
            let found = motif(inner).err().unwrap_or_default();
            assert!(found.iter().any(|one| one.contains(message)), "{inner}: {found:?}");
        }
        let long = format!("<path d=\"{}\"/>", "M0 0".repeat(2000));
        assert!(motif(&long).unwrap_err()[0].contains("6 kB"));
    }
}
