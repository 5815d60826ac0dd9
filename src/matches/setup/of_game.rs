//! The setups of a format file, read and checked against the rest of it.

use super::Setup;
use crate::format::{Format, Game};
use crate::yaml::{FileError, Problem, read};

impl Setup {
    /// How a match of each format of a game starts, as its format file says. The file is read
    /// anew: whoever judges decks need not know of it.
    ///
    /// # Errors
    /// Every problem found: a step, zone, option or query that does not fit.
    pub fn all_of(game: &Game) -> Result<Vec<Setup>, FileError> {
        #[derive(serde::Deserialize)]
        struct Setups {
            #[serde(default)]
            setups: Vec<Setup>,
        }
        let refuse = |problems| FileError {
            name: game.source.clone(),
            text: game.text().to_owned(),
            problems,
        };
        let Setups { setups } = read(game.text()).map_err(|problem| refuse(vec![problem]))?;
        let problems: Vec<Problem> = setups
            .iter()
            .flat_map(|setup| setup.misfits(game))
            .map(|message| Problem::new(format!("setup: {message}"), game.file.game.span))
            .collect();
        match problems.is_empty() {
            true => Ok(setups),
            false => Err(refuse(problems)),
        }
    }

    /// How a match of a format starts; `None`: the game's file does not say.
    ///
    /// # Errors
    /// As [`all_of`](Setup::all_of).
    pub fn of_format(format: &Format) -> Result<Option<Setup>, FileError> {
        let mut setups = Setup::all_of(format.game())?.into_iter();
        let own =
            |setup: &Setup| setup.only.is_empty() || setup.only.iter().any(|id| id == format.id());
        Ok(setups.find(own))
    }

    /// What does not fit the game, or does not work at all.
    fn misfits(&self, game: &Game) -> Vec<String> {
        let file = &game.file;
        let formats = self.only.iter();
        let unknown = formats.filter(|id| !file.formats.iter().any(|entry| entry.id.value == **id));
        let unknown = unknown.map(|id| format!("no format `{id}`"));
        let known = |id: &str| game.sections().iter().any(|section| section.id == *id);
        let sections = self.sections.iter();
        let sections = sections.filter(|id| !file.open_sections && !known(id));
        let sections = sections.map(|id| format!("no section `{id}`"));
        let records = self.records.values().filter_map(|record| {
            let query = crate::query::Query::parse(&record.of);
            query.and_then(|query| query.check(game.fields())).err()
        });
        let records = records.map(|error| error.message);
        let found = unknown.chain(sections).chain(records);
        found.chain(self.problems()).collect()
    }
}
