//! Games and their formats, read from format files and checked before anything uses them.

mod catalogue;
mod raw;

pub use catalogue::{Catalogue, CatalogueError};
pub use raw::{
    FieldEntry, FieldKindEntry, FormatEntry, GameFile, Remark, RuleEntry, SectionEntry,
    SettingEntry,
};

use crate::deck::SectionNames;
use crate::name::fold;
use crate::pool::{CardFileError, Field, Pool, infer_fields};
use crate::rules::{Compile, Term};
use crate::text::listed;
use crate::yaml::{FileError, Problem, Spanned, read};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A section of a game's decks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its id.
    pub id: String,
    /// What messages call it.
    pub name: String,
    /// Whether it is shuffled to play.
    pub shuffled: bool,
}

/// What a setting stands at.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum SettingValue {
    /// A whole number.
    Number(i64),
    /// One of the setting's words.
    Word(String),
}

impl std::fmt::Display for SettingValue {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SettingValue::Number(number) => number.fmt(out),
            SettingValue::Word(word) => out.write_str(word),
        }
    }
}

/// A setting that every game has: what an unknown card is, an `error` or a `notice`.
pub const UNKNOWN: &str = "unknown";

/// A game: a format file that has been checked.
#[derive(Debug)]
pub struct Game {
    /// What the file says.
    pub file: GameFile,
    /// The file's name as shown.
    pub source: String,
    /// SHA-256 of the file's bytes, lower-case hex.
    pub sha256: String,
    sections: Vec<Section>,
    ids: Vec<String>,
    names: Vec<(String, String)>,
    fields: Vec<Field>,
}

impl Game {
    /// Reads a format file and checks all it says.
    ///
    /// # Errors
    /// Every problem found, with its place: keys, kinds, fields, sections, settings or
    /// formats that do not exist, doubled ids, queries that do not fit the fields, a rule
    /// without its numbers.
    pub fn read(source: &str, text: &str) -> Result<Game, FileError> {
        let refuse = |problems| FileError {
            name: source.to_owned(),
            text: text.to_owned(),
            problems,
        };
        let file: GameFile = read(text).map_err(|problem| refuse(vec![problem]))?;
        let entries = file.sections.iter();
        let game = Game {
            source: source.to_owned(),
            sha256: crate::digest::sha256(text.as_bytes()),
            sections: entries
                .clone()
                .map(|entry| Section {
                    id: entry.id.value.clone(),
                    name: entry.name.clone(),
                    shuffled: entry.shuffled,
                })
                .collect(),
            ids: entries
                .clone()
                .map(|entry| entry.id.value.clone())
                .collect(),
            names: entries
                .flat_map(|entry| {
                    let words = [&entry.id.value, &entry.name]
                        .into_iter()
                        .chain(&entry.aliases);
                    words.map(|word| (fold(word).into_owned(), entry.id.value.clone()))
                })
                .collect(),
            fields: file.fields.iter().map(FieldEntry::field).collect(),
            file,
        };
        let mut problems = Vec::new();
        game.check(&mut problems);
        if problems.is_empty() {
            Ok(game)
        } else {
            Err(refuse(problems))
        }
    }

    fn check(&self, problems: &mut Vec<Problem>) {
        let file = &self.file;
        if file.schema.value != "decklaw/format/1" {
            let message = "the schema must be `decklaw/format/1`";
            problems.push(Problem::new(message, file.schema.span));
        }
        distinct(
            "field",
            file.fields.iter().map(|entry| &entry.name),
            problems,
        );
        distinct(
            "section",
            file.sections.iter().map(|entry| &entry.id),
            problems,
        );
        distinct(
            "setting",
            file.settings.iter().map(|entry| &entry.name),
            problems,
        );
        distinct(
            "format",
            file.formats.iter().map(|entry| &entry.id),
            problems,
        );
        if file.sections.len() > 64 {
            problems.push(Problem::new("more than 64 sections", file.game.span));
        }
        if file.formats.is_empty() {
            problems.push(Problem::new("a game needs a format", file.game.span));
        }
        for entry in &file.formats {
            let id = &entry.id.value;
            let own = id.strip_prefix(file.game.value.as_str());
            if !own.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
                let message = format!(
                    "a format's id begins with its game's: `{0}` or `{0}/…`",
                    file.game.value
                );
                problems.push(Problem::new(message, entry.id.span));
            }
        }
        for rule in &file.rules {
            for format in &rule.only {
                if !file
                    .formats
                    .iter()
                    .any(|entry| entry.id.value == format.value)
                {
                    let message = format!("no format `{}`", format.value);
                    problems.push(Problem::new(message, format.span));
                }
            }
            for (setting, word) in &rule.when {
                let known = file
                    .settings
                    .iter()
                    .find(|entry| entry.name.value == *setting);
                if !known.is_some_and(|entry| entry.choices.contains(word)) {
                    let message =
                        format!("`when` asks for `{setting}: {word}`, and no setting can stand so");
                    problems.push(Problem::new(message, rule.id.span));
                }
            }
        }
        self.check_setups(problems);
        if !problems.is_empty() {
            return;
        }
        let Ok(empty) = Pool::read_csv(b"name\n", &self.fields) else {
            return;
        };
        let mut seen = BTreeSet::new();
        for at in 0..file.formats.len() {
            let Ok(settings) = self.settings_of(at, &BTreeMap::new()) else {
                continue;
            };
            let mut compile = Compile {
                sections: &self.sections,
                settings: &settings,
                pool: &empty,
                needed: Vec::new(),
                problems: Vec::new(),
            };
            for rule in self.rules_of(at, &settings) {
                rule.must.compile(&mut compile);
            }
            for query in file.fields.iter().filter_map(|entry| entry.filled.as_ref()) {
                compile.card_set(query);
            }
            let new = |problem: &Problem| seen.insert((problem.span, problem.message.clone()));
            problems.extend(compile.problems.into_iter().filter(new));
        }
        problems.sort_by_key(|problem| problem.span);
    }

    fn check_setups(&self, problems: &mut Vec<Problem>) {
        let file = &self.file;
        for setup in &file.setups {
            let unknown = setup
                .only
                .iter()
                .filter(|id| !file.formats.iter().any(|entry| entry.id.value == **id));
            let unknown = unknown.map(|id| format!("no format `{id}`"));
            let sections = setup
                .sections
                .iter()
                .filter(|id| !file.open_sections && !self.ids.contains(id));
            let sections = sections.map(|id| format!("no section `{id}`"));
            let records = setup.records.values().filter_map(|record| {
                let query = crate::query::Query::parse(&record.of);
                query.and_then(|query| query.check(&self.fields)).err()
            });
            let records = records.map(|error| error.message);
            for message in unknown
                .chain(sections)
                .chain(records)
                .chain(setup.problems())
            {
                problems.push(Problem::new(format!("setup: {message}"), file.game.span));
            }
        }
    }

    fn rules_of<'g>(
        &'g self,
        format: usize,
        settings: &'g BTreeMap<String, Option<SettingValue>>,
    ) -> impl Iterator<Item = &'g RuleEntry> {
        let id = &self.file.formats[format].id.value;
        self.file.rules.iter().filter(move |rule| {
            let stands = |(name, word): (&String, &String)| {
                settings.get(name) == Some(&Some(SettingValue::Word(word.clone())))
            };
            (rule.only.is_empty() || rule.only.iter().any(|only| only.value == *id))
                && rule.when.iter().all(stands)
        })
    }

    fn settings_of(
        &self,
        format: usize,
        given: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, Option<SettingValue>>, String> {
        let mut settings: BTreeMap<String, Option<SettingValue>> = BTreeMap::new();
        for (name, number) in &self.file.formats[format].values {
            settings.insert(name.clone(), Some(SettingValue::Number(*number)));
        }
        for entry in &self.file.settings {
            let default = entry.default.as_ref().map(|term| match &term.value {
                Term::Number(number) => SettingValue::Number(*number),
                Term::Named(word) => SettingValue::Word(word.clone()),
            });
            settings.insert(entry.name.value.clone(), default);
        }
        settings.insert(
            UNKNOWN.to_owned(),
            Some(SettingValue::Word("error".to_owned())),
        );
        for (name, value) in given {
            settings.insert(name.clone(), Some(self.setting(name, value)?));
        }
        Ok(settings)
    }

    /// Reads a value for a setting.
    fn setting(&self, name: &str, value: &str) -> Result<SettingValue, String> {
        let one_of = |choices: &[String]| {
            if choices.iter().any(|choice| choice == value) {
                return Ok(SettingValue::Word(value.to_owned()));
            }
            Err(format!(
                "the setting `{name}` is {}, not `{value}`",
                listed(choices, "or")
            ))
        };
        if name == UNKNOWN {
            return one_of(&["error".to_owned(), "notice".to_owned()]);
        }
        let Some(entry) = self
            .file
            .settings
            .iter()
            .find(|entry| entry.name.value == name)
        else {
            let mut known: Vec<&str> = self
                .file
                .settings
                .iter()
                .map(|entry| entry.name.value.as_str())
                .collect();
            known.push(UNKNOWN);
            return Err(format!(
                "{} has no setting `{name}`; it has {}",
                self.file.name,
                listed(&known, "and")
            ));
        };
        if !entry.choices.is_empty() {
            return one_of(&entry.choices);
        }
        match value.parse::<i64>() {
            Ok(number) if (entry.min..=entry.max).contains(&number) => {
                Ok(SettingValue::Number(number))
            }
            _ => Err(format!(
                "the setting `{name}` is a whole number from {} to {}, not `{value}`",
                entry.min, entry.max
            )),
        }
    }

    /// Whether the game has a setting of this name.
    pub fn has_setting(&self, name: &str) -> bool {
        name == UNKNOWN
            || self
                .file
                .settings
                .iter()
                .any(|entry| entry.name.value == name)
    }

    /// The game's id.
    pub fn id(&self) -> &str {
        &self.file.game.value
    }

    /// The sections of its decks; empty where a deck may name any.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The fields of its cards.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// What a deck's reader must know of the sections.
    pub fn section_names(&self) -> SectionNames<'_> {
        let first = self.sections.iter().find(|section| section.shuffled);
        SectionNames {
            names: &self.names,
            ids: &self.ids,
            first: first
                .or(self.sections.first())
                .map_or("main", |section| &section.id),
            open: self.file.open_sections,
            pool: None,
        }
    }

    /// Reads a card file for this game.
    ///
    /// # Errors
    /// As [`Pool::read_csv`]; besides, a cell that must be filled and is empty.
    pub fn read_cards(&self, bytes: &[u8]) -> Result<Pool, CardFileError> {
        let mut fields = self.fields.clone();
        if self.file.open_fields {
            let more = infer_fields(bytes)?;
            fields.extend(
                more.into_iter()
                    .filter(|field| !self.fields.iter().any(|known| known.name == field.name)),
            );
        }
        let mut pool = Pool::read_csv(bytes, &fields)?;
        for entry in &self.file.fields {
            if let Some(query) = &entry.filled {
                pool.demand_filled(&entry.name.value, &query.value)?;
            }
        }
        pool.add_aliases(
            self.file
                .aliases
                .iter()
                .map(|(alias, name)| (alias.as_str(), name.as_str())),
        );
        Ok(pool)
    }

    /// The formats of this game, by id.
    pub fn formats(self: &Arc<Game>) -> Vec<Format> {
        (0..self.file.formats.len())
            .map(|at| Format {
                game: Arc::clone(self),
                at,
            })
            .collect()
    }
}

fn distinct<'s>(
    what: &str,
    names: impl Iterator<Item = &'s Spanned<String>>,
    problems: &mut Vec<Problem>,
) {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.value.is_empty() {
            problems.push(Problem::new(format!("a {what} needs a name"), name.span));
        } else if !seen.insert(&name.value) {
            problems.push(Problem::new(
                format!("the {what} `{}` stands here twice", name.value),
                name.span,
            ));
        }
    }
}

/// A format of a game.
#[derive(Debug, Clone)]
pub struct Format {
    game: Arc<Game>,
    at: usize,
}

impl Format {
    /// Its id, never an alias.
    pub fn id(&self) -> &str {
        &self.entry().id.value
    }

    /// What the format file says of it.
    pub fn entry(&self) -> &FormatEntry {
        &self.game.file.formats[self.at]
    }

    /// Its game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// What settings and values stand at when some are given; `None`: unset.
    ///
    /// # Errors
    /// A setting that the game does not have, or a value that it cannot have, in words.
    pub fn settings(
        &self,
        given: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, Option<SettingValue>>, String> {
        self.game.settings_of(self.at, given)
    }

    /// The rules that hold when the settings stand so, in the order of the file.
    pub fn rules<'g>(
        &'g self,
        settings: &'g BTreeMap<String, Option<SettingValue>>,
    ) -> impl Iterator<Item = &'g RuleEntry> {
        self.game.rules_of(self.at, settings)
    }
}

#[cfg(test)]
mod tests;
