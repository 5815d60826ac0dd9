//! The file: as written, and checked.

use super::{Banlist, Date, Entry, Status};
use crate::name::fold;
use crate::origin::Origin;
use crate::text::place;
use crate::yaml::{FileError, Problem, Spanned, read};
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;

/// A banlist as it is written, strict to the key.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BanlistFile {
    /// Always `decklaw/banlist/1`.
    pub schema: Spanned<String>,
    /// What `--banlist` calls it.
    pub id: Spanned<String>,
    /// The game's id.
    pub game: Spanned<String>,
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
    /// Cards that must not be in a deck.
    #[serde(default)]
    pub banned: Vec<Spanned<Named>>,
    /// Cards whose copies are limited.
    #[serde(default)]
    pub restricted: Vec<RestrictedEntry>,
    /// Points that cards cost, and the most that a deck may have.
    #[serde(default)]
    pub points: Option<PointsEntry>,
}

/// A banned card: its name, or its name and where it is banned.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Named {
    /// Banned everywhere.
    Name(String),
    /// Banned in some sections.
    Scoped(Scoped),
}

/// A name and the sections where something is said of it.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scoped {
    /// The card.
    pub name: String,
    /// The ids of the sections.
    #[serde(default)]
    pub sections: Vec<String>,
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Named;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a card's name, or `{name: …, sections: […]}`")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Named, E> {
                Ok(Named::Name(name.to_owned()))
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Named, A::Error> {
                Scoped::deserialize(de::value::MapAccessDeserializer::new(map)).map(Named::Scoped)
            }
        }
        // As text, so that `1984` and `Yes` are names.
        deserializer.deserialize_str(Visitor)
    }
}

/// A restricted card.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RestrictedEntry {
    /// The card.
    pub name: Spanned<String>,
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
    /// What cards cost.
    pub cards: Vec<PointedCard>,
}

/// A card and its points.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PointedCard {
    /// The card.
    pub name: Spanned<String>,
    /// Points for each copy, at least 1.
    pub points: Spanned<i64>,
}

impl Banlist {
    /// Reads a list.
    ///
    /// # Errors
    /// Every problem with its place: not UTF-8, unknown keys, another schema, dates that are
    /// none or contradict each other, numbers out of range, a card named twice.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Banlist, FileError> {
        let refuse = |text: &str, problems| FileError {
            name: file.to_owned(),
            text: text.to_owned(),
            problems,
        };
        let content = crate::text::without_bom(bytes);
        let text = std::str::from_utf8(content).map_err(|_| {
            refuse(
                "",
                vec![Problem::new(
                    "not UTF-8; save the file as UTF-8",
                    Default::default(),
                )],
            )
        })?;
        let raw: BanlistFile = read(text).map_err(|problem| refuse(text, vec![problem]))?;
        let mut problems = Vec::new();
        if raw.schema.value != "decklaw/banlist/1" {
            problems.push(Problem::new(
                "the schema must be `decklaw/banlist/1`",
                raw.schema.span,
            ));
        }
        if raw.id.value.trim().is_empty() {
            problems.push(Problem::new("a list needs an id", raw.id.span));
        }
        let mut date = |written: &Spanned<String>| match written.value.parse::<Date>() {
            Ok(date) if date.to_string() == written.value => Some(date),
            _ => {
                let message = format!("`{}` is no day; write YYYY-MM-DD", written.value);
                problems.push(Problem::new(message, written.span));
                None
            }
        };
        let effective = date(&raw.effective);
        let announced = raw.announced.as_ref().and_then(&mut date);
        let ends = raw.ends.as_ref().and_then(&mut date);
        if let (Some(effective), Some(ends), Some(at)) = (effective, ends, &raw.ends)
            && ends < effective
        {
            problems.push(Problem::new(
                "the list ends before it is effective",
                at.span,
            ));
        }
        if let (Some(effective), Some(announced), Some(at)) = (effective, announced, &raw.announced)
            && announced > effective
        {
            problems.push(Problem::new(
                "the list is announced after it is effective",
                at.span,
            ));
        }
        let entries = entries(&raw, text, &mut problems);
        let points_limit = raw.points.as_ref().map(|points| points.limit.value);
        if let Some(points) = raw.points.as_ref().filter(|points| points.limit.value < 0) {
            problems.push(Problem::new(
                "the limit must be at least 0",
                points.limit.span,
            ));
        }
        match effective {
            Some(effective) if problems.is_empty() => Ok(Banlist {
                id: raw.id.value,
                game: raw.game.value,
                name: raw.name,
                announced,
                effective,
                ends,
                source: raw.source,
                sample: raw.sample,
                entries,
                points_limit,
                sha256: crate::digest::sha256(bytes),
                origin: Origin::Call,
                file: file.to_owned(),
                text: text.to_owned(),
            }),
            _ => {
                problems.sort_by_key(|problem| problem.span);
                Err(refuse(text, problems))
            }
        }
    }
}

/// The entries in the order of the file, doubled and contradictory ones refused.
fn entries(raw: &BanlistFile, text: &str, problems: &mut Vec<Problem>) -> Vec<Entry> {
    let entry = |name: &str, status, sections: &[String], at| Entry {
        name: crate::name::tidy(name).into_owned(),
        status,
        sections: sections.to_vec(),
        line: 0,
        span: at,
    };
    let banned = raw.banned.iter().map(|item| match &item.value {
        Named::Name(name) => entry(name, Status::Banned, &[], item.span),
        Named::Scoped(scoped) => entry(&scoped.name, Status::Banned, &scoped.sections, item.span),
    });
    let mut entries: Vec<Entry> = banned.collect();
    for item in &raw.restricted {
        if item.copies.value == 0 {
            problems.push(Problem::new(
                "restricted to 0 copies is `banned`",
                item.copies.span,
            ));
        }
        let status = Status::Restricted(item.copies.value);
        entries.push(entry(
            &item.name.value,
            status,
            &item.sections,
            item.name.span,
        ));
    }
    for item in raw.points.iter().flat_map(|points| &points.cards) {
        if !(1..=1_000_000).contains(&item.points.value) {
            problems.push(Problem::new(
                "points are from 1 to 1000000",
                item.points.span,
            ));
        }
        entries.push(entry(
            &item.name.value,
            Status::Points(item.points.value),
            &[],
            item.name.span,
        ));
    }
    entries.sort_by_key(|entry| entry.span);
    // Lines are counted once through the text, however many entries there are.
    let (mut at, mut line) = (0, 1);
    for entry in &mut entries {
        let until = entry.span.start.clamp(at, text.len());
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[at..until]).count();
        at = until;
        entry.line = line;
    }
    let mut seen: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.name.is_empty() {
            problems.push(Problem::new("a card needs a name", entry.span));
            continue;
        }
        let before = seen.entry(fold(&entry.name).into_owned()).or_default();
        let clash = before
            .iter()
            .map(|other| &entries[*other])
            .find(|other| overlap(other, entry));
        if let Some(other) = clash {
            let message = format!(
                "`{}` is {} here and {} on line {}; keep one of them",
                entry.name,
                entry.status,
                other.status,
                place(text, other.span.start).line
            );
            problems.push(Problem::new(message, entry.span));
        }
        before.push(index);
    }
    entries
}

/// Whether two entries of one card say something of the same place. Points beside a
/// restriction are no contradiction; points beside a ban are.
fn overlap(one: &Entry, other: &Entry) -> bool {
    let mixed = matches!(
        (one.status, other.status),
        (Status::Points(_), Status::Restricted(_)) | (Status::Restricted(_), Status::Points(_))
    );
    !mixed
        && (one.sections.is_empty()
            || other.sections.is_empty()
            || one
                .sections
                .iter()
                .any(|section| other.sections.contains(section)))
}
