//! Layouts that have been checked, and the faces that they make of cards.

use super::entry::{
    Anchor, Colour, FaceEntry, HueEntry, LayoutFile, MarkEntry, NumberEntry, WordsEntry,
};
use super::face::{Face, Mark};
use super::sheets::Back;
use decklaw_core::format::{Catalogue, Game};
use decklaw_core::pool::{CardId, Field, FieldKind, Pool};
use decklaw_core::query::Query;
use decklaw_core::text::Template;
use decklaw_core::yaml::{self, FileError, Problem, Spanned};
use std::collections::BTreeMap;

/// The file of a game's folder that declares how its cards look on paper.
pub const LAYOUT_FILE: &str = "paper.yaml";
/// The field of every card that no column declares.
const NAME: &str = "name";
/// The field that says what kind of card it is, where a layout is made of bare fields.
const KIND: &str = "type";
/// The size of a mark's letters in points: what is allowed, and what it is without one.
const SIZES: std::ops::RangeInclusive<i64> = 4..=150;
const SIZE: i64 = 14;

/// How a game's cards look on paper.
#[derive(Debug, Clone)]
pub struct Layout {
    words: BTreeMap<String, BTreeMap<String, String>>,
    faces: Vec<FaceLayout>,
    /// The face of cards that have none of those.
    bare: FaceLayout,
    back: Back,
}

/// A face whose texts and query have been read.
#[derive(Debug, Clone)]
struct FaceLayout {
    of: Option<Query>,
    /// The same as it stands in the file.
    asked: Option<Spanned<String>>,
    colour: HueEntry,
    title: Option<Template>,
    centred: bool,
    kind: Vec<Template>,
    text: Vec<Template>,
    numbers: Vec<(String, Template)>,
    foot: Vec<Template>,
    marks: Vec<MarkLayout>,
}

#[derive(Debug, Clone)]
struct MarkLayout {
    at: Anchor,
    show: Vec<Template>,
    size: f32,
    badge: bool,
    turned: bool,
}

/// What a layout file is checked against.
struct Check<'f> {
    fields: &'f [Field],
    problems: Vec<Problem>,
}

impl Layout {
    /// The layout that a game's folder declares; `None`: it declares none.
    ///
    /// # Errors
    /// Those of [`Layout::read`], and bytes that are no text.
    pub fn declared(catalogue: &Catalogue, game: &Game) -> Result<Option<Layout>, FileError> {
        let Some(bytes) = catalogue.file(game.id(), LAYOUT_FILE) else {
            return Ok(None);
        };
        let name = format!("{}/{LAYOUT_FILE}", game.id());
        let text = yaml::text_of(&name, bytes)?;
        Layout::read(&name, text, game.fields(), &game.file.name).map(Some)
    }

    /// Reads the layout of a game with these fields; `game` is its name, for the cards' back.
    ///
    /// # Errors
    /// Keys, fields, words, queries and texts that do not exist or fit, each with its place; a
    /// size that no mark can have.
    pub fn read(name: &str, text: &str, fields: &[Field], game: &str) -> Result<Layout, FileError> {
        let refuse = |problems| FileError {
            name: name.to_owned(),
            text: text.to_owned(),
            problems,
        };
        let file: LayoutFile = yaml::read(text).map_err(|problem| refuse(vec![problem]))?;
        let mut check = Check {
            fields,
            problems: Vec::new(),
        };
        let words = file.words.iter().filter_map(|entry| check.words(entry));
        let words = words.collect();
        let faces = file.faces.iter().map(|entry| check.face(entry)).collect();
        let Check { problems, .. } = check;
        if !problems.is_empty() {
            return Err(refuse(problems));
        }
        Ok(Layout {
            words,
            faces,
            bare: FaceLayout::bare(fields),
            back: Back {
                text: file.back.text.unwrap_or_else(|| game.to_owned()),
                colour: file.back.colour,
            },
        })
    }

    /// The layout of a game that declares none: each card's name, kind, numbers and texts.
    pub fn inferred(fields: &[Field], game: &str) -> Layout {
        Layout {
            words: BTreeMap::new(),
            faces: Vec::new(),
            bare: FaceLayout::bare(fields),
            back: Back {
                text: game.to_owned(),
                colour: Colour::default(),
            },
        }
    }

    /// What the queries of the faces ask for that no card of a pool has; see
    /// [`Query::remarks`].
    pub fn asked_in_vain(&self, pool: &Pool) -> Vec<Problem> {
        let asked = |face: &FaceLayout| face.of.clone().zip(face.asked.clone());
        let told = self.faces.iter().filter_map(asked).flat_map(|(of, asked)| {
            let told = of.remarks(pool).into_iter();
            told.map(move |remark| Problem::in_query(&asked, &remark.message))
        });
        told.collect()
    }

    /// How many faces it declares.
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    /// Whether it declares no face.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// The back of every card.
    pub fn back(&self) -> &Back {
        &self.back
    }

    /// The face of a card.
    ///
    /// # Panics
    /// If the card is of another pool.
    pub fn face(&self, pool: &Pool, card: CardId) -> Face {
        let is_of = |face: &&FaceLayout| {
            let of = face.of.as_ref();
            of.is_none_or(|query| query.picks(pool, card))
        };
        let face = self.faces.iter().find(is_of).unwrap_or(&self.bare);
        face.filled(pool.name(card), self.colour(face, pool, card), |field| {
            self.value(pool, card, field)
        })
    }

    /// The face of a card of which nothing is known but its name.
    pub fn face_of_name(&self, name: &str) -> Face {
        self.bare.filled(name, Colour::default(), |field| {
            if field == NAME { name } else { "" }.to_owned()
        })
    }

    /// The face of the card of a name, whether a pool knows it or not.
    pub fn face_of(&self, pool: &Pool, name: &str) -> Face {
        match pool.find(name) {
            Some(card) => self.face(pool, card),
            None => self.face_of_name(name),
        }
    }

    fn colour(&self, face: &FaceLayout, pool: &Pool, card: CardId) -> Colour {
        let hue = &face.colour;
        let by = hue.by.as_ref().map(|field| field.value.as_str());
        let own = by.and_then(|field| {
            let kind = pool.fields().iter().find(|known| known.name == field)?;
            let word = pool.words(card, field).first()?;
            hue.of.get(&*kind.canonical(word)?)
        });
        own.copied().unwrap_or(hue.otherwise)
    }

    /// What stands on a card in the place of a field.
    fn value(&self, pool: &Pool, card: CardId, field: &str) -> String {
        if field == NAME {
            return pool.name(card).to_owned();
        }
        let known = pool.fields().iter().find(|known| known.name == field);
        let Some(known) = known else {
            return String::new();
        };
        match known.kind {
            FieldKind::Word { .. } | FieldKind::List { .. } => {
                let words = pool.words(card, field).iter();
                let shown = words.map(|word| self.word(known, word));
                let shown: Vec<String> = shown.filter(|word| !word.is_empty()).collect();
                shown.join(", ")
            }
            _ => pool.shown(card, field),
        }
    }

    /// What stands on a card in the place of a field's word.
    fn word(&self, field: &Field, written: &str) -> String {
        let canonical = field.canonical(written);
        let shown = self
            .words
            .get(&field.name)
            .and_then(|words| words.get(canonical.as_deref().unwrap_or(written)));
        match shown {
            Some(shown) => shown.clone(),
            None => capital(written),
        }
    }
}

/// A word with a capital letter at its beginning.
fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

impl FaceLayout {
    /// The face of cards for which nothing is declared: everything that is known of them.
    fn bare(fields: &[Field]) -> FaceLayout {
        let text = |text: &str| Template::parse(text).ok();
        let of_field = |field: &Field| text(&format!("{{{}}}", field.name));
        let label = |field: &Field| capital(&field.name.replace(['-', '_'], " "));
        let others = || fields.iter().filter(|field| field.name != KIND);
        let is_number = |field: &Field| matches!(field.kind, FieldKind::Number { .. });
        let labelled = others()
            .filter(|field| !is_number(field))
            .filter_map(|field| {
                match (&field.kind, field.name.contains(['{', '}'])) {
                    (FieldKind::Text, false) => of_field(field),
                    (_, false) => text(&format!("{}: {{{}}}", label(field), field.name)),
                    // A column of a stranger's file; braces in its name would be a field of ours.
                    (_, true) => None,
                }
            });
        let numbers = others().filter(|field| is_number(field));
        FaceLayout {
            of: None,
            asked: None,
            colour: HueEntry::default(),
            title: text("{name}"),
            centred: false,
            kind: fields
                .iter()
                .filter(|field| field.name == KIND)
                .filter_map(of_field)
                .collect(),
            text: labelled.collect(),
            numbers: numbers
                .filter_map(|field| Some((label(field), of_field(field)?)))
                .collect(),
            foot: Vec::new(),
            marks: Vec::new(),
        }
    }

    fn filled(&self, name: &str, colour: Colour, value: impl Fn(&str) -> String) -> Face {
        let all = |texts: &[Template]| -> Vec<String> {
            let texts = texts.iter().filter_map(|text| text.fill_if_any(&value));
            texts.filter(|text| !text.trim().is_empty()).collect()
        };
        let title = self.title.as_ref().map(|title| title.fill(&value));
        let numbers = self.numbers.iter().filter_map(|(label, show)| {
            let shown = show.fill_if_any(&value)?;
            Some((label.clone(), shown))
        });
        let marks = self.marks.iter().map(|mark| Mark {
            at: mark.at,
            lines: all(&mark.show),
            size: mark.size,
            badge: mark.badge,
            turned: mark.turned,
        });
        Face {
            name: name.to_owned(),
            colour,
            title: title.unwrap_or_default(),
            centred: self.centred,
            kind: all(&self.kind).join(" · "),
            text: all(&self.text),
            numbers: numbers.filter(|(_, shown)| !shown.is_empty()).collect(),
            foot: all(&self.foot).join(" · "),
            marks: marks.filter(|mark| !mark.lines.is_empty()).collect(),
        }
    }
}

impl Check<'_> {
    fn wrong(&mut self, message: impl Into<String>, at: decklaw_core::text::Span) {
        self.problems.push(Problem::new(message, at));
    }

    fn field(&mut self, named: &Spanned<String>) -> Option<&Field> {
        let found = self.fields.iter().find(|known| known.name == named.value);
        if found.is_none() {
            let known: Vec<&str> = self.fields.iter().map(|own| own.name.as_str()).collect();
            let known = decklaw_core::text::those(&known);
            let message = format!("no field `{}`; {known}", named.value);
            self.wrong(message, named.span);
        }
        found
    }

    /// Whether a field's word exists; one that is open has any.
    fn word(&mut self, named: &Spanned<String>, word: &str) {
        let Some(field) = self.field(named) else {
            return;
        };
        let has_words = matches!(field.kind, FieldKind::Word { .. } | FieldKind::List { .. });
        if has_words && field.canonical(word).as_deref() == Some(word) {
            return;
        }
        let mut message = format!("`{word}` is no word of the field `{}`", field.name);
        let words = field.words();
        if !words.is_empty() {
            message.push_str(&format!("; {}", decklaw_core::text::those(&words)));
        }
        self.wrong(message, named.span);
    }

    fn words(&mut self, entry: &WordsEntry) -> Option<(String, BTreeMap<String, String>)> {
        self.field(&entry.field)?;
        for word in entry.shown.keys() {
            self.word(&entry.field, word);
        }
        Some((entry.field.value.clone(), entry.shown.clone()))
    }

    fn face(&mut self, entry: &FaceEntry) -> FaceLayout {
        let of = entry.of.as_ref().and_then(|of| self.query(of));
        if let Some(by) = &entry.colour.by
            && self.field(by).is_some()
        {
            for word in entry.colour.of.keys() {
                self.word(by, word);
            }
        }
        let title = match &entry.title {
            None => Template::parse("{name}").ok(),
            Some(title) => self.text(title),
        };
        let mut number = |entry: &NumberEntry| {
            let show = self.text(&entry.show)?;
            Some((entry.label.clone(), show))
        };
        let numbers = entry.numbers.iter().filter_map(&mut number).collect();
        FaceLayout {
            of,
            asked: entry.of.clone(),
            colour: entry.colour.clone(),
            title,
            centred: entry.centred,
            kind: self.texts(&entry.kind),
            text: self.texts(&entry.text),
            numbers,
            foot: self.texts(&entry.foot),
            marks: entry.marks.iter().map(|mark| self.mark(mark)).collect(),
        }
    }

    fn mark(&mut self, entry: &MarkEntry) -> MarkLayout {
        if let Some(size) = &entry.size
            && !SIZES.contains(&size.value)
        {
            let (least, most) = (SIZES.start(), SIZES.end());
            let message = format!("a mark's letters are from {least} to {most} points high");
            self.wrong(message, size.span);
        }
        let size = entry.size.as_ref().map_or(SIZE, |size| size.value);
        MarkLayout {
            at: entry.at,
            show: self.texts(&entry.show),
            size: size as f32,
            badge: entry.badge,
            turned: entry.turned,
        }
    }

    fn query(&mut self, text: &Spanned<String>) -> Option<Query> {
        let fields = self.fields;
        let read = Query::parse(&text.value).and_then(|query| {
            query.check(fields)?;
            Ok(query)
        });
        match read {
            Ok(query) => Some(query),
            Err(error) => {
                self.wrong(error.message, text.span);
                None
            }
        }
    }

    fn texts(&mut self, texts: &[Spanned<String>]) -> Vec<Template> {
        texts.iter().filter_map(|text| self.text(text)).collect()
    }

    fn text(&mut self, text: &Spanned<String>) -> Option<Template> {
        let fields = self.fields.iter().map(|field| field.name.as_str());
        let known = std::iter::once(NAME).chain(fields);
        let read = Template::parse(&text.value).and_then(|template| {
            template.check(known)?;
            Ok(template)
        });
        match read {
            Ok(template) => Some(template),
            Err(error) => {
                self.wrong(error.message, text.span);
                None
            }
        }
    }
}
