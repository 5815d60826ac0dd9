//! Format files as written: one for each game. Unknown keys are errors.

use crate::game::Term;
use crate::rules::condition::{Conditions, compiled};
use crate::rules::kinds::language::Text;
use crate::rules::{Compile, Rule, RuleKind, Severity};
use decklaw_cards::pool::{Field, FieldKind, Value};
use decklaw_cards::records::Mapping;
use decklaw_text::yaml::{Problem, Spanned};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A format file: a game, its cards, sections, settings, rules and formats.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GameFile {
    /// Always `decklaw/format/1`.
    pub schema: Spanned<String>,
    /// The game's id, which card files and banlists name, and which is the folder's name.
    pub game: Spanned<String>,
    /// The game's name.
    pub name: String,
    /// The rules text that `source` entries cite.
    pub text: String,
    /// The cards' fields, besides `name`.
    #[serde(default)]
    pub fields: Vec<FieldEntry>,
    /// How records of a public JSON database become cards.
    #[serde(default)]
    pub cards: Mapping,
    /// Whether card files may have further columns, whose kinds are inferred.
    #[serde(default)]
    pub open_fields: bool,
    /// Other spellings of card names: spelling to name.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
    /// The sections of a deck, in the order of lists.
    #[serde(default)]
    pub sections: Vec<SectionEntry>,
    /// Whether a deck may name any section.
    #[serde(default)]
    pub open_sections: bool,
    /// What the rules text leaves to the organiser.
    #[serde(default)]
    pub settings: Vec<SettingEntry>,
    /// The id of the format that the game's id means; a game with one format needs none.
    #[serde(default)]
    pub default: Option<Spanned<String>>,
    /// The formats of the game.
    pub formats: Vec<FormatEntry>,
    /// The rules for decks.
    #[serde(default)]
    pub rules: Vec<RuleEntry>,
    /// How a match of each format starts.
    // Read when a match starts.
    #[serde(default)]
    #[cfg_attr(test, schemars(schema_with = "super::tests::setups"))]
    pub setups: IgnoredAny,
    // Keys of `look.yaml`, for the message about a file that still has them.
    #[serde(default)]
    #[cfg_attr(test, schemars(skip))]
    pub(super) face: Option<Spanned<IgnoredAny>>,
    #[serde(default)]
    #[cfg_attr(test, schemars(skip))]
    pub(super) mat: Option<Spanned<IgnoredAny>>,
    #[serde(default)]
    #[cfg_attr(test, schemars(skip))]
    pub(super) builder: Option<Spanned<IgnoredAny>>,
    #[serde(default)]
    #[cfg_attr(test, schemars(skip))]
    pub(super) start: Option<Spanned<IgnoredAny>>,
    /// What the text expressly permits.
    #[serde(default)]
    pub allowed: Vec<Remark>,
    /// What the program cannot check.
    #[serde(default)]
    pub unchecked: Vec<Remark>,
    /// What the text leaves open and no setting decides.
    #[serde(default)]
    pub gaps: Vec<Remark>,
}

/// A field of a game's cards.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FieldEntry {
    /// The column.
    pub name: Spanned<String>,
    /// What a cell holds: `text` (`:` finds a part of it), `word` (such as a colour, in any case of
    /// letters), `list` (words separated by `;`), `number` (a whole number), or `query` (a card
    /// query).
    pub kind: FieldKindEntry,
    /// The allowed words, as people read them [default: any, spelled as the card file first has
    /// them].
    #[serde(default)]
    pub values: Vec<String>,
    /// Other spellings of those words.
    #[serde(default)]
    pub spellings: BTreeMap<String, Spanned<Vec<String>>>,
    /// Whether other words are allowed too.
    #[serde(default)]
    pub open: bool,
    /// The smallest number [default: 0].
    #[serde(default)]
    pub min: i64,
    /// The largest number [default: 9999].
    #[serde(default = "largest")]
    pub max: i64,
    /// Whether tables of cards leave it out, such as a long text.
    #[serde(default)]
    pub unlisted: bool,
    /// A card query: cards that must have a value here.
    #[serde(default)]
    pub filled: Option<Spanned<String>>,
}

fn largest() -> i64 {
    9999
}

/// The kinds of field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FieldKindEntry {
    /// Free text.
    Text,
    /// One word.
    Word,
    /// Words separated by `;`.
    List,
    /// A whole number.
    Number,
    /// A card query.
    Query,
}

impl FieldEntry {
    /// The field that this entry describes.
    pub fn field(&self) -> Field {
        let fold = |word: &String| decklaw_text::name::fold(word).into_owned();
        let value = |word: &String| Value {
            aliases: self.spellings.get(word).iter().flat_map(|own| &own.value).map(fold).collect(),
            ..Value::new(word)
        };
        let values: Vec<Value> = self.values.iter().map(value).collect();
        let kind = match self.kind {
            FieldKindEntry::Text => FieldKind::Text,
            FieldKindEntry::Query => FieldKind::Query,
            FieldKindEntry::List => FieldKind::List { values },
            FieldKindEntry::Number => FieldKind::Number { min: self.min, max: self.max },
            FieldKindEntry::Word => {
                FieldKind::Word { open: self.open || values.is_empty(), values }
            }
        };
        Field { name: self.name.value.clone(), kind }
    }
}

/// A section of a deck.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SectionEntry {
    /// Its id: lower-case letters, digits and `-`.
    pub id: Spanned<String>,
    /// Its name in messages, as in "the main deck".
    pub name: String,
    /// Other headings that mean it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Whether players draw from it. Cards before any heading go to the first such section.
    #[serde(default)]
    pub shuffled: bool,
}

/// A value that the rules text leaves to the organiser.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SettingEntry {
    /// Its name.
    pub name: Spanned<String>,
    /// Its meaning, and why the text leaves it open.
    pub about: String,
    /// The allowed words [default: it is a number].
    #[serde(default)]
    pub choices: Vec<String>,
    /// The smallest number.
    #[serde(default)]
    pub min: i64,
    /// The largest number [default: 9999].
    #[serde(default = "largest")]
    pub max: i64,
    /// Its value if none is given [default: unset].
    #[serde(default)]
    pub default: Option<Spanned<Term>>,
}

/// A format of the game.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FormatEntry {
    /// Its id.
    pub id: Spanned<String>,
    /// Its name.
    pub name: String,
    /// Other ids that mean it.
    #[serde(default)]
    pub aliases: Vec<Spanned<String>>,
    /// How it differs from the game's other formats.
    #[serde(default)]
    pub about: String,
    /// Numbers that rules name.
    #[serde(default)]
    pub values: BTreeMap<String, i64>,
}

impl FormatEntry {
    /// The ids that mean it: its own first.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &Spanned<String>> {
        std::iter::once(&self.id).chain(&self.aliases)
    }
}

/// A rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RuleEntry {
    /// Its id. Rules of the same id count as one rule.
    pub id: Spanned<String>,
    /// The section of the rules text.
    pub source: String,
    /// What it demands, in words.
    pub about: String,
    /// The severity of breaking it.
    #[serde(default)]
    pub severity: Severity,
    /// The formats that have it [default: all].
    #[serde(default)]
    pub only: Option<Vec<Spanned<String>>>,
    /// The values that settings must have for the rule to apply.
    #[serde(default)]
    pub when: BTreeMap<String, String>,
    /// The condition for the rule to apply to a deck, or a list of conditions that must all hold.
    #[serde(default, rename = "if")]
    pub conditions: Conditions,
    /// The demand.
    #[serde(default)]
    pub must: Spanned<RuleKind>,
    /// In place of `must`, a condition on numbers of the deck, such as
    /// `sum(mana) of main <= 20`.
    #[serde(default)]
    demand: Option<Spanned<String>>,
    /// With `demand`: `card`. The demand then holds for each card alone.
    #[serde(default)]
    each: Option<Spanned<String>>,
    /// The reason, a clause after the message about a broken rule.
    #[serde(default)]
    pub because: Option<String>,
    /// The message about a deck that breaks it, in place of the rule's own: `{card}` is the card,
    /// `{cards}` all of them, `{limit}` the allowed number, `{actual}` the deck's number.
    #[serde(default)]
    pub says: Option<Spanned<String>>,
    /// The help, likewise.
    #[serde(default)]
    pub mends: Option<Spanned<String>>,
    /// A deck, or a part of one, that meets it.
    #[serde(default)]
    pub passes: Option<Spanned<String>>,
    /// A deck, or a part of one, that breaks it.
    #[serde(default)]
    pub fails: Option<Spanned<String>>,
}

impl RuleEntry {
    /// Uses `demand` as the demand of the rule, and reports keys that exclude each other.
    pub(super) fn settle(&mut self) -> Option<Problem> {
        let is_missing = matches!(self.must.value, RuleKind::Unwritten);
        let message = match (self.demand.take(), self.each.take()) {
            (Some(demand), each) if is_missing => {
                let span = demand.span;
                self.must = Spanned { value: RuleKind::Demand(Text { demand, each }), span };
                None
            }
            (Some(_), _) => Some("a rule has `must` or a `demand`, and not both"),
            (None, _) if is_missing => Some("a rule needs `must`, or a `demand`"),
            (None, Some(_)) => Some("`each` needs a `demand`"),
            (None, None) => None,
        };
        let names_none = self.only.as_ref().is_some_and(Vec::is_empty);
        let message = message.or(names_none
            .then_some("`only` names no format: leave it out where all formats have the rule"));
        message.map(|message| Problem::new(message, self.id.span))
    }

    /// Whether a format has the rule under some settings.
    pub fn is_of(&self, format: &str) -> bool {
        let only = self.only.as_ref();
        only.is_none_or(|only| only.iter().any(|only| only.value == format))
    }

    /// Compiles the rule for a pool and settings.
    pub(crate) fn compile(&self, with: &mut Compile<'_>) -> Rule {
        with.rule = self.must.span;
        Rule {
            id: self.id.value.clone(),
            kind: self.must.value.name(),
            severity: self.severity,
            source: self.source.clone(),
            about: self.about.clone(),
            because: self.because.clone(),
            says: [&self.says, &self.mends].map(|text| Some(text.as_ref()?.value.clone())),
            place: self.id.span.start,
            demand: self.must.value.demand(with),
            when: compiled(&self.conditions, with),
            ceases: OnceLock::new(),
        }
    }
}

/// A remark about the rules text, and its place.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// The remark.
    pub about: String,
    /// The section of the rules text.
    pub source: String,
}
