//! The file as it is written.

use super::{Count, Per};
use decklaw_text::yaml::Spanned;
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// A banlist as it is written, strict to the key.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BanlistFile {
    /// Always `decklaw/banlist/1`.
    pub schema: Spanned<String>,
    /// The id by which it is named.
    pub id: Spanned<String>,
    /// The game's id.
    pub game: Spanned<String>,
    /// The formats of the game to which it applies, by id; none: all of them.
    #[serde(default)]
    pub formats: Vec<Spanned<String>>,
    /// Its name.
    pub name: String,
    /// The day it was announced, `YYYY-MM-DD`.
    #[serde(default)]
    pub announced: Option<Spanned<String>>,
    /// The first day on which it applies.
    pub effective: Spanned<String>,
    /// The last day on which it applies.
    #[serde(default)]
    pub ends: Option<Spanned<String>>,
    /// Where it was published, an address.
    #[serde(default)]
    pub source: Option<String>,
    /// Whether it is a sample, which applies only when it is named.
    #[serde(default)]
    pub sample: bool,
    /// A field of the game's cards whose values the names of this list are, such as a title
    /// that several printings share; the cards' own names without it.
    #[serde(default)]
    pub by: Option<Spanned<String>>,
    /// Cards that must not be in a deck.
    #[serde(default)]
    pub banned: Vec<Spanned<ListedCard>>,
    /// Cards whose copies are limited; by a name alone, to one copy.
    #[serde(default)]
    pub restricted: Vec<Spanned<NameOr<RestrictedEntry>>>,
    /// Points that cards cost, and the most that a deck may have.
    #[serde(default)]
    pub points: Option<PointsEntry>,
    /// Cards that a deck may have only some of.
    #[serde(default)]
    pub groups: Vec<Spanned<GroupEntry>>,
    /// Which sets may be played, and from when until when.
    #[serde(default)]
    pub rotation: Option<Spanned<RotationEntry>>,
    /// Cards that the list describes differently from the card file.
    #[serde(default)]
    pub changes: Vec<Spanned<ChangeEntry>>,
}

/// A card by its name alone, or an entry with more terms.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum NameOr<T> {
    /// By its name, everywhere.
    Name(String),
    /// By its name or a query, with more terms.
    Entry(T),
}

/// A card by its name, or cards with the sections to which the entry applies.
pub(super) type ListedCard = NameOr<ScopedName>;

/// A name or a card query, and the sections to which the entry applies.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScopedName {
    /// The card.
    #[serde(default)]
    pub name: Option<String>,
    /// Instead of a name: a card query, for every card that it picks.
    #[serde(default)]
    pub cards: Option<String>,
    /// The ids of the sections.
    #[serde(default)]
    pub sections: Vec<String>,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for NameOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NameOr<T>, D::Error> {
        struct Visitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
            type Value = NameOr<T>;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a card's name, `{name: …, sections: […]}` or `{cards: QUERY}`")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<NameOr<T>, E> {
                Ok(NameOr::Name(name.to_owned()))
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<NameOr<T>, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(NameOr::Entry)
            }
        }
        // As text, so that `1984` and `Yes` are names.
        deserializer.deserialize_str(Visitor(PhantomData))
    }
}

/// A restricted card.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RestrictedEntry {
    /// The card.
    #[serde(default)]
    pub name: Option<Spanned<String>>,
    /// Instead of a name: a card query. Each card that it picks is restricted.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The most copies, at least 1.
    pub copies: Spanned<u32>,
    /// The ids of the sections where that applies.
    #[serde(default)]
    pub sections: Vec<String>,
}

/// The points of a list.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PointsEntry {
    /// The most points that a deck may have.
    pub limit: Spanned<i64>,
    /// Whether each copy costs its points, or each card once.
    #[serde(default)]
    pub per: Per,
    /// What cards cost.
    pub cards: Vec<PointedCard>,
}

/// A card and its points.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PointedCard {
    /// The card.
    #[serde(default)]
    pub name: Option<Spanned<String>>,
    /// Instead of a name: a card query. Each card that it picks costs so much, unless the list
    /// names it or an earlier query picks it.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// Points, at least 1.
    pub points: Spanned<i64>,
}

/// Cards that a deck may have only some of: at most a number of `cards`, or none of
/// `cards` together with any of `not-with`.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GroupEntry {
    /// The cards: names, or `{cards: QUERY}`.
    pub cards: Vec<Spanned<ListedCard>>,
    /// The most of them; 1 without it.
    #[serde(default)]
    pub at_most: Option<Spanned<u32>>,
    /// Whether different cards are counted, or copies of any of them.
    #[serde(default)]
    pub count: Count,
    /// Instead of a number: cards that must not be in a deck with any of `cards`.
    #[serde(default)]
    pub not_with: Vec<Spanned<ListedCard>>,
    /// What one of these cards is called, in the singular, as in `restricted card`.
    #[serde(default)]
    pub called: Option<String>,
    /// The ids of the sections where that applies.
    #[serde(default)]
    pub sections: Vec<String>,
}

/// Cards, and what the list says of them instead of what the card file does.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChangeEntry {
    /// The card.
    #[serde(default)]
    pub name: Option<Spanned<String>>,
    /// Instead of a name: a card query over the card file. Each card that it picks is changed,
    /// unless the list names it or an earlier query picks it.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// What fields say instead, each written as in a card file.
    #[serde(default)]
    pub set: BTreeMap<String, Spanned<String>>,
    /// What is added to the numbers of fields.
    #[serde(default)]
    pub add: BTreeMap<String, Spanned<i64>>,
}

/// Which sets may be played, and when.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RotationEntry {
    /// The field of the game's cards that names their sets, a word, a text or a list. A card of
    /// several sets may be played while one of them may.
    pub field: Spanned<String>,
    /// A field of the game's cards whose values make several of them one: a card may be played
    /// while another with the same value may, such as a later printing of its title. Without it,
    /// each goes by its own sets.
    #[serde(default)]
    pub by: Option<Spanned<String>>,
    /// The sets that may be played.
    pub sets: Vec<SetEntry>,
    /// What holds for sets that are not named here.
    #[serde(default)]
    pub others: OtherSets,
}

/// A set and its days.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SetEntry {
    /// What the cards' field calls it.
    pub name: Spanned<String>,
    /// The first day on which its cards may be played; without it, they always could.
    #[serde(default)]
    pub from: Option<Spanned<String>>,
    /// The last day; without it, it has none.
    #[serde(default)]
    pub until: Option<Spanned<String>>,
}

/// What holds for sets that a rotation does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OtherSets {
    /// Their cards must not be played.
    #[default]
    Out,
    /// Their cards may be played.
    In,
}
