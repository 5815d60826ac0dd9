//! Games and their formats, read from format files and checked before anything uses them.

mod catalogue;
mod cells;
mod examples;
mod lint;
mod raw;
mod remarks;
mod rulebook;

pub use catalogue::{ART, BESIDE, Catalogue, GAME, LOOK, ODDS, TASTE, unread_files};
pub use examples::{ExampleReader, RuleLint};
pub use lint::Lint;
pub use raw::{
    FieldEntry, FieldKindEntry, FormatEntry, GameFile, Remark, RuleEntry, SectionEntry,
    SettingEntry,
};
pub use remarks::remarks_on;
pub use rulebook::Shape;
pub use rulebook::{EVERYWHERE, Rulebook};

use crate::game::{Section, SettingValue, Term, UNKNOWN};
use decklaw_cards::pool::{Field, Pool, infer_fields_of};
use decklaw_cards::sections::SectionNames;
use decklaw_text::name::fold;
use decklaw_text::text::listed;
use decklaw_text::yaml::{FileError, Problem, read};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    text: String,
}

impl Game {
    /// Reads a format file and checks all it says of decks; how matches start is
    /// read where one starts.
    ///
    /// # Errors
    /// Every problem found, with its place: keys, kinds, fields, sections, settings or
    /// formats that do not exist, doubled ids, queries that do not fit the fields, a rule
    /// without its numbers.
    pub fn read(source: &str, text: &str) -> Result<Game, FileError> {
        let refuse = |problems| FileError::of(source, text, problems);
        let mut file: GameFile = read(text).map_err(|problem| refuse(vec![problem]))?;
        let wrong = file.rules.iter_mut().filter_map(RuleEntry::settle);
        let mut problems: Vec<Problem> = wrong.collect();
        let entries = file.sections.iter();
        let game = Game {
            source: source.to_owned(),
            sha256: decklaw_text::digest::sha256(text.as_bytes()),
            sections: entries
                .clone()
                .map(|entry| Section {
                    id: entry.id.value.clone(),
                    name: entry.name.clone(),
                    shuffled: entry.shuffled,
                })
                .collect(),
            ids: entries.clone().map(|entry| entry.id.value.clone()).collect(),
            names: entries
                .flat_map(|entry| {
                    let words = [&entry.id.value, &entry.name].into_iter().chain(&entry.aliases);
                    words.map(|word| (fold(word).into_owned(), entry.id.value.clone()))
                })
                .collect(),
            fields: file.fields.iter().map(FieldEntry::field).collect(),
            text: text.to_owned(),
            file,
        };
        game.check(&mut problems);
        if problems.is_empty() { Ok(game) } else { Err(refuse(problems)) }
    }

    fn rules_of<'g>(
        &'g self,
        format: usize,
        settings: &'g BTreeMap<String, Option<SettingValue>>,
    ) -> impl Iterator<Item = &'g RuleEntry> {
        let id = &self.file.formats[format].id.value;
        self.file.rules.iter().filter(move |rule| {
            let has_value = |(name, word): (&String, &String)| {
                let value = settings.get(name).and_then(Option::as_ref);
                value.is_some_and(|value| value.to_string() == *word)
            };
            rule.is_of(id) && rule.when.iter().all(has_value)
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
        settings.insert(UNKNOWN.to_owned(), Some(SettingValue::Word("error".to_owned())));
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
            Err(format!("the setting `{name}` is {}, not `{value}`", listed(choices, "or")))
        };
        if name == UNKNOWN {
            return one_of(&["error".to_owned(), "notice".to_owned()]);
        }
        let Some(entry) = self.file.settings.iter().find(|entry| entry.name.value == name) else {
            let mut known: Vec<&str> =
                self.file.settings.iter().map(|entry| entry.name.value.as_str()).collect();
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
        name == UNKNOWN || self.file.settings.iter().any(|entry| entry.name.value == name)
    }

    /// The game's id.
    pub fn id(&self) -> &str {
        &self.file.game.value
    }

    /// Whether the game is called as its folder is: by another name it would never be found, or
    /// another game in its place.
    ///
    /// # Errors
    /// What is wrong with its name.
    pub fn is_called(&self, folder: &str) -> Result<(), Problem> {
        let own = &self.file.game;
        if own.value == folder {
            return Ok(());
        }
        let message = format!(
            "the game is called `{}` here, and its folder `{folder}`; give the one the other's name",
            own.value
        );
        Err(Problem::new(message, own.span))
    }

    /// The sections of its decks; empty where a deck may name any.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The format file, as it is written.
    pub fn text(&self) -> &str {
        &self.text
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
            first: first.or(self.sections.first()).map_or("main", |section| &section.id),
            open: self.file.open_sections,
            pool: None,
        }
    }

    /// Reads a card file for this game.
    ///
    /// # Errors
    /// As [`Pool::read_csv`]; also an empty cell that must be filled, and a card query
    /// that cannot be read or asked.
    pub fn read_cards(&self, bytes: &[u8]) -> Result<Pool, decklaw_text::Problem> {
        self.read_cards_in(bytes, None)
    }

    /// The same of a sheet of a workbook: the one of that name, or the only one.
    ///
    /// # Errors
    /// As [`read_cards`](Game::read_cards).
    pub fn read_cards_in(
        &self,
        bytes: &[u8],
        sheet: Option<&str>,
    ) -> Result<Pool, decklaw_text::Problem> {
        let sheet = decklaw_cards::records::sheet(bytes, sheet, &self.file.cards, &self.fields)?;
        let mut fields = self.fields.clone();
        if self.file.open_fields {
            let more = infer_fields_of(&sheet)?;
            fields.extend(
                more.into_iter()
                    .filter(|field| !self.fields.iter().any(|known| known.name == field.name)),
            );
        }
        let mut pool = Pool::of_sheet(&sheet, &decklaw_text::digest::sha256(bytes), &fields)?;
        cells::check(&pool, &self.file.fields)?;
        pool.add_aliases(
            self.file.aliases.iter().map(|(alias, name)| (alias.as_str(), name.as_str())),
        );
        Ok(pool)
    }

    /// The format that the game's id alone means: the one of that id or with that alias, the one
    /// that the file names so, or the only one.
    pub fn default_format(self: &Arc<Game>) -> Option<Format> {
        let formats = self.formats();
        let only = formats.len() == 1;
        formats.into_iter().find(|format| {
            let entry = format.entry();
            let named = self.file.default.as_ref();
            match named {
                Some(named) => named.value == entry.id.value,
                None => only || entry.ids().any(|id| id.value == self.id()),
            }
        })
    }

    /// The formats of this game, by id.
    pub fn formats(self: &Arc<Game>) -> Vec<Format> {
        (0..self.file.formats.len()).map(|at| Format { game: Arc::clone(self), at }).collect()
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

    /// The values of settings when some are given; `None`: unset.
    ///
    /// # Errors
    /// A setting that the game does not have, or a value that it cannot have, in words.
    pub fn settings(
        &self,
        given: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, Option<SettingValue>>, String> {
        self.game.settings_of(self.at, given)
    }

    /// The rules that apply with these settings, in the order of the file.
    pub fn rules<'g>(
        &'g self,
        settings: &'g BTreeMap<String, Option<SettingValue>>,
    ) -> impl Iterator<Item = &'g RuleEntry> {
        self.game.rules_of(self.at, settings)
    }
}

#[cfg(test)]
mod records;
#[cfg(test)]
mod schemas;
#[cfg(test)]
pub(crate) mod tests;
