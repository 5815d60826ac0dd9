//! The setups of a format file, read and checked against the rest of it.

use super::Setup;
use crate::format::{Format, Game};
use crate::pool::Pool;
use crate::query::Query;
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
        let told = |setup: &Setup| {
            let misfits = setup.misfits(game).into_iter();
            let at = game.file.game.span;
            let misfits = misfits.map(move |told| Problem::new(format!("setup: {told}"), at));
            misfits.chain(setup.unread_queries(game)).collect()
        };
        let problems: Vec<Problem> = setups
            .iter()
            .flat_map(|setup| -> Vec<_> { told(setup) })
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
        let found = unknown.chain(sections);
        found.chain(self.problems()).collect()
    }

    /// What is wrong with the queries of what it records.
    fn unread_queries(&self, game: &Game) -> Vec<Problem> {
        let wrong = self.records.values().filter_map(|record| {
            let query = Query::parse(&record.of.value);
            let error = query.and_then(|query| query.check(game.fields())).err()?;
            Some(Problem::in_query(&record.of, &error.message))
        });
        wrong.collect()
    }

    /// What the queries of what it records ask for that no card of a pool has; see
    /// [`Query::remarks`].
    pub fn asked_in_vain(&self, pool: &Pool) -> Vec<Problem> {
        let told = self.records.values().flat_map(|record| {
            let query = Query::parse(&record.of.value);
            let remarks = query.map(|query| query.remarks(pool)).unwrap_or_default();
            let told = remarks.into_iter();
            told.map(|remark| Problem::in_query(&record.of, &remark.message))
        });
        told.collect()
    }
}
