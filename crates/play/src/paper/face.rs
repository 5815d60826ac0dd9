//! The content of a card.

use super::art::{Art, Motifs};
use crate::look::{ColourEntry, FaceEntry, GREY, Look, Part, parts, titled};
use decklaw_cards::pool::{CardId, FieldKind, NameField, Pool};
use decklaw_cards::query::Query;
use serde::Serialize;

/// The field that says what kind of card it is, where the game names no places.
const KIND: &str = "type";

/// The most letters of a word that goes along the bottom like a number, such as a rank.
const RANK: usize = 2;

/// The content of a card's face.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Face {
    /// The card's name.
    pub name: String,
    /// The text of the badge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
    /// The type line; may be empty.
    pub kind: String,
    /// Paragraphs.
    pub text: Vec<String>,
    /// Labels and numbers, and words as short as these.
    pub numbers: Vec<(String, String)>,
    /// The colour of the frame, as `#c8402f`.
    pub colour: String,
    /// The colours of its dots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pips: Vec<String>,
    /// The texts at the top, right, bottom and left of the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<[String; 4]>,
    /// What is drawn where there is no picture.
    #[serde(skip)]
    pub(super) art: Art,
}

impl Face {
    /// The face of the card of a name, as its game says; of a card that the pool does not know,
    /// its name.
    pub fn of(pool: &Pool, look: &Look, motifs: &Motifs, name: &str) -> Face {
        match pool.look_up(name, NameField::Name).card() {
            None => {
                // No query picks it.
                let art = Art::of(look.face(), name, motifs, |_| false);
                Face { art, ..Face::named(name) }
            }
            Some(card) => Face::of_card(look.face(), pool, card, motifs),
        }
    }

    /// The face of a card of a pool, as its game says; without that, with all that is known of it.
    ///
    /// # Panics
    /// If the card is of another pool.
    pub fn of_card(entry: Option<&FaceEntry>, pool: &Pool, card: CardId, motifs: &Motifs) -> Face {
        let picks = |query: &str| Query::parse(query).is_ok_and(|query| query.picks(pool, card));
        let art = Art::of(entry, pool.name(card), motifs, picks);
        match entry {
            Some(entry) => Sight { entry, pool, card }.face(art),
            None => Face { art, ..Face::plain(pool, card) },
        }
    }

    /// The file of a card's picture in the game's [`PICTURES`](super::PICTURES), as `face` names
    /// it;
    /// `None`: it names none.
    pub fn picture(pool: &Pool, look: &Look, name: &str) -> Option<String> {
        let form = &look.face()?.picture.as_ref()?.value;
        let card = pool.look_up(name, NameField::Name).card()?;
        let file = form.strip_prefix(super::PICTURES)?.strip_prefix('/')?;
        let file = parts(file).map(|part| match part {
            Part::Text(text) => text.to_owned(),
            Part::Field("name") => pool.name(card).to_owned(),
            Part::Field(field) => pool.shown(card, field),
        });
        Some(file.collect())
    }

    /// The face of a card with nothing known but its name.
    pub fn named(name: &str) -> Face {
        Face {
            name: name.to_owned(),
            cost: None,
            kind: String::new(),
            text: Vec::new(),
            numbers: Vec::new(),
            colour: GREY.to_owned(),
            pips: Vec::new(),
            edges: None,
            art: Art::of(None, name, &Motifs::default(), |_| false),
        }
    }

    /// All that is known of a card, field by field.
    fn plain(pool: &Pool, card: CardId) -> Face {
        let mut face = Face::named(pool.name(card));
        if let Some(colour) = ColourEntry::plain(pool) {
            let word = pool.words(card, &colour.by.value).first();
            let own = word.and_then(|word| colour.of.get(&**word));
            face.colour = own.unwrap_or(&colour.otherwise).value.clone();
        }
        for field in pool.fields() {
            let shown = shown(pool, card, &field.name, None);
            if shown.is_empty() {
                continue;
            }
            let label = titled(&field.name);
            match field.kind {
                _ if field.name == KIND => face.kind = shown,
                FieldKind::Text => face.text.push(shown),
                FieldKind::Number { .. } => face.numbers.push((label, shown)),
                FieldKind::Word { .. } if shown.chars().count() <= RANK => {
                    face.numbers.push((label, shown));
                }
                _ => face.text.push(format!("{label}: {shown}")),
            }
        }
        face
    }
}

/// A card's value in words: `energy-class` is Energy Class, unless the game says otherwise.
fn shown(pool: &Pool, card: CardId, field: &str, entry: Option<&FaceEntry>) -> String {
    if field == "name" {
        return pool.name(card).to_owned();
    }
    let words = entry.and_then(|entry| entry.words.get(field));
    let known = pool.fields().iter().find(|known| known.name == field);
    let text = match known.map(|field| &field.kind) {
        Some(FieldKind::Word { .. } | FieldKind::List { .. }) => {
            let each = pool.words(card, field).iter().map(|word| {
                let own = words.and_then(|words| words.get(&**word));
                own.map_or_else(|| titled(word), |own| own.value.clone())
            });
            each.collect::<Vec<_>>().join(", ")
        }
        _ => pool.shown(card, field),
    };
    text.trim().to_owned()
}

/// A card as its game shows it.
struct Sight<'g> {
    entry: &'g FaceEntry,
    pool: &'g Pool,
    card: CardId,
}

impl Sight<'_> {
    fn face(&self, art: Art) -> Face {
        let Sight { entry, pool, card } = *self;
        let colour = entry.colour.as_ref();
        let colours = |word: &str| Some(colour?.of.get(word)?.value.clone());
        let first = |field: &str| pool.words(card, field).first().map(ToString::to_string);
        let own = colour.and_then(|colour| colours(&first(&colour.by.value)?));
        let otherwise = || colour.map_or(GREY, |colour| &colour.otherwise.value).to_owned();
        let dots = entry.pips.iter().flat_map(|field| pool.words(card, &field.value));
        let edges = entry
            .edges
            .as_ref()
            .map(|edges| edges.each_ref().map(|field| self.shown(&field.value)));
        let rows = entry.numbers.iter().flatten();
        let numbers = rows.map(|(label, field)| (label.clone(), self.shown(&field.value)));
        let kinds = entry.kind.iter().map(|form| self.filled(&form.value));
        let kinds: Vec<String> = kinds.filter(|kind| !kind.is_empty()).collect();
        Face {
            name: self.shown(&entry.title.value),
            cost: entry
                .cost
                .as_ref()
                .map(|field| self.shown(&field.value))
                .filter(|cost| !cost.is_empty()),
            kind: kinds.join(" · "),
            text: entry
                .text
                .iter()
                .map(|text| self.paragraph(&text.value))
                .filter(|text| !text.is_empty())
                .collect(),
            numbers: numbers.filter(|(_, value)| !value.is_empty()).collect(),
            colour: own.unwrap_or_else(otherwise),
            pips: dots.filter_map(|word| colours(word)).collect(),
            edges: edges.filter(|edges| edges.iter().any(|edge| !edge.is_empty())),
            art,
        }
    }

    fn shown(&self, field: &str) -> String {
        shown(self.pool, self.card, field, Some(self.entry))
    }

    /// A text with its fields filled in.
    fn filled(&self, form: &str) -> String {
        let filled: String = parts(form)
            .map(|part| match part {
                Part::Text(text) => text.to_owned(),
                Part::Field(field) => self.shown(field),
            })
            .collect();
        filled.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A field, or a text with fields; empty where all of them are.
    fn paragraph(&self, text: &str) -> String {
        if !text.contains('{') {
            return self.shown(text);
        }
        let has_value = parts(text).any(|part| match part {
            Part::Text(_) => false,
            Part::Field(field) => !self.shown(field).is_empty(),
        });
        if has_value { self.filled(text) } else { String::new() }
    }
}
