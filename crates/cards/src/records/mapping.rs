//! How the records of a public database become cards of a game, as the game's file says it.

use super::tree::{Path, Tree};
use crate::pool::{Field, FieldKind, IDS};
use decklaw_text::yaml::{Problem, Spanned};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// How the records of a card file in JSON become cards. Tables have the columns of the game
/// itself.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(any(test, feature = "schemas"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Mapping {
    /// Where the records lie, as in `data[]`: keys parted by `.`, and `[]` for each of several.
    /// Without it, the records are the outermost list.
    #[serde(default)]
    pub rows: Option<Path>,
    /// The columns, and where their cells come from; none: every value of a record is the column
    /// of its own name.
    #[serde(default)]
    pub columns: Vec<ColumnEntry>,
}

/// A column of cards that are read from records.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(any(test, feature = "schemas"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ColumnEntry {
    /// The column: `name`, `id`, or a field of the game.
    pub name: Spanned<String>,
    /// Where in a record its cell is, or several such places, whose words are put
    /// together, each once.
    pub from: Places,
    /// What parts the words of a text; `""`: each of its letters is a word.
    #[serde(default)]
    pub split: Option<String>,
    /// What words become, as they are written here: another word, several parted by `;`, or none.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// What all words become that `map` does not list; without it, they stay.
    #[serde(default, rename = "else")]
    pub otherwise: Option<String>,
    /// The separator between several words in one text.
    #[serde(default)]
    pub join: Option<String>,
}

/// One place in a record, or several.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(any(test, feature = "schemas"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Places {
    /// One.
    One(Path),
    /// Several.
    Several(Vec<Path>),
}

impl Places {
    pub(super) fn all(&self) -> &[Path] {
        match self {
            Places::One(path) => std::slice::from_ref(path),
            Places::Several(paths) => paths,
        }
    }
}

impl Mapping {
    /// What is wrong with a mapping for cards of these fields, and any other where `open`.
    pub fn check(&self, fields: &[Field], open: bool, problems: &mut Vec<Problem>) {
        for (at, entry) in self.columns.iter().enumerate() {
            let name = &entry.name;
            let mut refuse = |message| problems.push(Problem::new(message, name.span));
            let field = fields.iter().find(|field| field.name == name.value);
            if self.columns[..at].iter().any(|other| other.name.value == name.value) {
                refuse(format!("the column `{}` is given twice", name.value));
            } else if field.is_none() && !open && name.value != "name" && name.value != IDS {
                refuse(format!("this game's cards have no field `{}`", name.value));
            }
            let words = entry.map.values().chain(&entry.otherwise);
            for word in words.filter(|_| entry.join.is_none()) {
                if let Some(Err(message)) = field.map(|field| field.cell(word)) {
                    refuse(format!("in what `{}` becomes: {message}", name.value));
                }
            }
        }
        let named = |entry: &ColumnEntry| entry.name.value == "name";
        if let Some(first) = self.columns.first()
            && !self.columns.iter().any(named)
        {
            let message = "no column is `name`, and a card needs a name";
            problems.push(Problem::new(message, first.name.span));
        }
    }

    /// The paths that it reads.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.columns.iter().flat_map(|entry| entry.from.all())
    }
}

impl ColumnEntry {
    /// The cell of a record; `kind` is that of the field, if there is one.
    ///
    /// # Errors
    /// What is wrong with it, a clause.
    pub(super) fn cell(&self, record: &Tree, kind: Option<&FieldKind>) -> Result<String, String> {
        let mut words: Vec<&str> = Vec::new();
        for path in self.from.all() {
            let texts = path.texts(record)?;
            match self.split.as_deref() {
                None => words.extend(texts),
                Some(split) => {
                    let parts = texts.into_iter().flat_map(|text| text.split(split));
                    words.extend(parts.map(str::trim).filter(|part| !part.is_empty()));
                }
            }
        }
        let several = words.len() > 1;
        let mut cell: Vec<&str> = Vec::with_capacity(words.len());
        for word in words {
            let mapped = self.map.get(word).or(self.otherwise.as_ref());
            match mapped {
                Some(mapped) => cell.push(mapped),
                None if several && self.join.is_none() && word.contains(';') => {
                    return Err(format!(
                        "`{word}` is one of several words, and `;` would part it: say with `map` what it becomes"
                    ));
                }
                None => cell.push(word),
            }
        }
        let apart = self.from.all().len() > 1 || self.split.is_some();
        if apart && self.join.is_none() {
            // A word that several places or parts have comes once.
            let parts = cell.iter().flat_map(|word| word.split(';')).map(str::trim);
            let mut seen = BTreeSet::new();
            cell = parts.filter(|word| seen.insert(*word)).collect();
        }
        cell.retain(|word| !word.is_empty());
        match (&self.join, kind) {
            (Some(between), _) => Ok(cell.join(between)),
            (None, Some(FieldKind::List { .. })) => Ok(cell.join("; ")),
            (None, None) if self.name.value == IDS => Ok(cell.join("; ")),
            (None, _) => match cell.as_slice() {
                [] => Ok(String::new()),
                [only] => Ok((*only).to_owned()),
                several => Err(format!(
                    "{} where one is expected ({}); `map` can leave some out, and `join` makes a text of them",
                    decklaw_text::text::counted(several.len() as i64, "word"),
                    super::listed(several)
                )),
            },
        }
    }
}
