//! How a card looks: which field is where, in which colours, and what is drawn on it.

use decklaw_cards::pool::{FieldKind, Pool};
use decklaw_rules::format::Lint;
use decklaw_text::text::Span;
use decklaw_text::yaml::Spanned;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The folder of a game that holds the pictures of its cards.
pub const PICTURES: &str = "pictures";

#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FaceEntry {
    /// The field at the top [default: `name`].
    #[serde(default = "name_field")]
    pub title: Spanned<String>,
    /// The field in the badge next to the title.
    #[serde(default)]
    pub cost: Option<Spanned<String>>,
    /// The colour of the frame.
    #[serde(default)]
    pub colour: Option<ColourEntry>,
    /// The parts of the type line: fields in braces, such as `{colour} {type}`.
    #[serde(default, rename = "type")]
    pub kind: Vec<Spanned<String>>,
    /// The paragraphs: a field each, or a text with fields in braces.
    #[serde(default)]
    pub text: Vec<Spanned<String>>,
    /// The numbers along the bottom: a label and its field each, as `- {Life: life}`.
    #[serde(default)]
    pub numbers: Vec<BTreeMap<String, Spanned<String>>>,
    /// The field whose words are dots in their colours.
    #[serde(default)]
    pub pips: Option<Spanned<String>>,
    /// The fields at the sides of the picture: top, right, bottom, left.
    #[serde(default)]
    pub edges: Option<[Spanned<String>; 4]>,
    /// The maker's picture of a card, such as `pictures/{name}.webp`; a file that is called like
    /// its card needs no mention.
    #[serde(default)]
    pub picture: Option<Spanned<String>>,
    /// What is drawn where there is no picture: the motifs of the first line whose query picks the
    /// card. Of several motifs the card's name picks one.
    #[serde(default)]
    pub art: Vec<Spanned<ArtEntry>>,
    /// The motif in front of it, in the same way, such as what the card does [default: none].
    #[serde(default)]
    pub sign: Vec<Spanned<ArtEntry>>,
    /// The time of day, in the same way: `dawn`, `day`, `dusk` or `night` [default: the card's name
    /// picks one].
    #[serde(default)]
    pub hour: Vec<Spanned<ArtEntry>>,
    /// How words are written on a card, by field: word to text [default: with a capital].
    #[serde(default)]
    pub words: BTreeMap<String, BTreeMap<String, Spanned<String>>>,
}

fn name_field() -> Spanned<String> {
    Spanned { value: "name".to_owned(), span: Span::default() }
}

/// The colour of a card.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ColourEntry {
    /// The field that decides.
    pub by: Spanned<String>,
    /// The colour of each word, as `"#c8402f"`.
    pub of: BTreeMap<String, Spanned<String>>,
    /// The colour of all others [default: grey].
    #[serde(default = "grey")]
    pub otherwise: Spanned<String>,
}

impl ColourEntry {
    /// The colours of cards whose game gives none: a colour for each value of the first word that
    /// has a few.
    pub fn plain(pool: &Pool) -> Option<ColourEntry> {
        const COLOURS: [&str; 10] = [
            "#c8402f", "#2f6fb8", "#2f8f4e", "#8a4fb0", "#b07a1e", "#2a8c8c", "#b0447a", "#5f6f2a",
            "#4a55a8", "#8c5a3a",
        ];
        let spanned = |value: &str| Spanned { value: value.to_owned(), span: Span::default() };
        let words =
            pool.fields().iter().filter(|field| matches!(field.kind, FieldKind::Word { .. }));
        let mut colours = words.filter_map(|field| {
            let mut values: BTreeSet<&str> = BTreeSet::new();
            for card in pool.ids() {
                values.extend(pool.words(card, &field.name).iter().map(|word| &**word));
                if values.len() > COLOURS.len() {
                    return None;
                }
            }
            let each = values.iter().zip(COLOURS);
            let of = each.map(|(word, colour)| ((*word).to_owned(), spanned(colour)));
            let by = spanned(&field.name);
            (values.len() > 1).then(|| ColourEntry { by, of: of.collect(), otherwise: grey() })
        });
        colours.next()
    }
}

/// The colour of a card whose game gives none.
pub const GREY: &str = "#5b6472";

fn grey() -> Spanned<String> {
    Spanned { value: GREY.to_owned(), span: Span::default() }
}

/// Motifs and the cards that have one of them.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ArtEntry {
    /// A card query [default: every card].
    #[serde(default)]
    pub of: Option<Spanned<String>>,
    /// The motif, or several; an empty list is none.
    pub is: Names,
}

/// A name, or a list of names.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Names {
    /// One.
    One(String),
    /// Any number.
    Several(Vec<String>),
}

impl Names {
    /// Each of them.
    pub fn all(&self) -> &[String] {
        match self {
            Names::One(name) => std::slice::from_ref(name),
            Names::Several(names) => names,
        }
    }
}

/// The names of fields in braces, in their order, and the text around them: `{colour} {type}`.
pub fn parts(form: &str) -> impl Iterator<Item = Part<'_>> {
    form.split_inclusive('}').flat_map(|piece| {
        let field = piece.strip_suffix('}').and_then(|open| open.split_once('{'));
        let (text, field) = field.map_or((piece, None), |(text, field)| (text, Some(field)));
        let text = Some(Part::Text(text)).filter(|_| !text.is_empty());
        text.into_iter().chain(field.map(Part::Field))
    })
}

/// A part of a text with fields in braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'t> {
    /// Text.
    Text(&'t str),
    /// The name of a field.
    Field(&'t str),
}

/// An id as words: `storage_energy` is Storage Energy.
pub fn titled(id: &str) -> String {
    let words = id.split(['_', '-', ' ']).map(|word| {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters.as_str().chars()).collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A field in a face, where the name may be.
fn lint_shown(lint: &mut Lint<'_>, name: &str, span: Span) {
    if name != "name" {
        lint.field(name, span);
    }
}

/// The fields in braces of a text.
fn lint_form(lint: &mut Lint<'_>, form: &Spanned<String>) {
    for part in parts(&form.value) {
        if let Part::Field(name) = part {
            lint_shown(lint, name, form.span);
        }
    }
}

/// What is wrong with how cards look.
pub(super) fn lint(lint: &mut Lint<'_>, Spanned { value: face, span }: &Spanned<FaceEntry>) {
    let single = [&face.cost, &face.pips].into_iter().flatten();
    let by = face.colour.iter().map(|colour| &colour.by);
    let edges = face.edges.iter().flatten();
    let numbers = face.numbers.iter().flat_map(BTreeMap::values);
    let fields = [&face.title].into_iter().chain(single).chain(by).chain(edges).chain(numbers);
    for name in fields.chain(face.text.iter().filter(|text| !text.value.contains('{'))) {
        lint_shown(lint, &name.value, name.span);
    }
    for form in face.kind.iter().chain(&face.picture).chain(&face.text) {
        lint_form(lint, form);
    }
    if let Some(row) = face.numbers.iter().find(|row| row.len() != 1) {
        let place = row.values().next().map_or(*span, |field| field.span);
        let message = "each of the `numbers` is one label with its field, as `- {Life: life}`";
        lint.wrong(message, place);
    }
    if let Some(picture) = &face.picture {
        let file = picture.value.strip_prefix(PICTURES);
        let file = file.and_then(|rest| rest.strip_prefix('/'));
        if file.is_none_or(|file| file.contains(['/', '\\'])) {
            let message = format!("a picture lies in `{PICTURES}/`, as `{PICTURES}/{{name}}.webp`");
            lint.wrong(message, picture.span);
        }
    }
    if let Some(colour) = &face.colour {
        for given in colour.of.values().chain([&colour.otherwise]) {
            let digits = given.value.strip_prefix('#').unwrap_or_default();
            if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                let message = format!("`{}` is not a colour such as `#c8402f`", given.value);
                lint.wrong(message, given.span);
            }
        }
        for (word, given) in &colour.of {
            lint.word(&colour.by.value, word, given.span);
        }
    }
    for (name, words) in &face.words {
        lint_shown(lint, name, words.values().next().map_or(*span, |shown| shown.span));
        for (word, shown) in words {
            lint.word(name, word, shown.span);
        }
    }
    for line in face.art.iter().chain(&face.sign).chain(&face.hour) {
        if let Some(query) = &line.value.of {
            lint.query(query);
        }
    }
}
