//! The setups of a format file, read and checked against the rest of it.

use super::Setup;
use super::lint::SetupProblem;
use decklaw_cards::pool::{FieldKind, Pool};
use decklaw_cards::query::Query;
use decklaw_engine::solve::Exchange;
use decklaw_rules::format::{Format, Game};
use decklaw_text::yaml::{FileError, Problem, read, tree};

impl Setup {
    /// How a match of each format of a game starts, as its format file says. The file is read
    /// anew: the judge of decks need not know of it.
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
        let problems: Vec<Problem> = (setups.iter().enumerate())
            .flat_map(|(at, setup)| {
                let located_problems = setup.misfitting(game);
                let located_problems = placed(game, at, located_problems);
                located_problems.into_iter().chain(setup.unread_queries(game))
            })
            .collect();
        if problems.is_empty() { Ok(setups) } else { Err(refuse(problems)) }
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

    /// Which sections of a format's decks swap with a side deck, if any do.
    ///
    /// # Errors
    /// As for [`all_of`](Setup::all_of).
    pub fn exchange_of(format: &Format) -> Result<Option<Exchange>, FileError> {
        let setup = Setup::of_format(format)?;
        Ok(setup.and_then(|setup| setup.exchange()))
    }

    /// What does not fit the game, or does not work at all.
    fn misfitting(&self, game: &Game) -> Vec<SetupProblem> {
        let file = &game.file;
        let formats = self.only.iter();
        let unknown = formats.filter(|id| !file.formats.iter().any(|entry| entry.id.value == **id));
        let unknown = unknown.map(|id| ("only", format!("no format `{id}`")));
        let known = |id: &str| game.sections().iter().any(|section| section.id == *id);
        let sections = self.sections.iter();
        let sections = sections.filter(|id| !file.open_sections && !known(id));
        let sections = sections.map(|id| ("sections", format!("no section `{id}`")));
        let settings = self.settings.keys();
        let settings =
            settings.filter(|name| file.settings.iter().any(|own| own.name.value == **name));
        let settings = settings.map(|name| {
            ("settings", format!("the rules for decks have a setting `{name}` of their own"))
        });
        let number = |name: &str| {
            let mut fields = game.fields().iter();
            let field = fields.find(|field| field.name == name);
            field.map_or(file.open_fields, |field| matches!(field.kind, FieldKind::Number { .. }))
        };
        let zones = self.zones.shared.values().chain(self.zones.seat.values());
        let sums = zones.filter_map(|zone| zone.play.sum.as_ref());
        let sums = sums.filter(|sum| !number(&sum.field)).map(|sum| {
            ("zones", format!("a zone adds up `{}`, which is no field of numbers", sum.field))
        });
        let is_field = |name: &str| game.fields().iter().any(|field| field.name == name);
        let records = self.records.keys().filter(|name| !file.open_fields && !is_field(name));
        let records = records.map(|name| ("records", format!("no field `{name}`")));
        let found = unknown
            .chain(sections)
            .chain(records)
            .chain(settings)
            .chain(sums)
            .map(|(at, message)| SetupProblem { at: vec![at.to_owned()], message });
        found.chain(self.located_problems()).collect()
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
    pub fn unmatched(&self, pool: &Pool) -> Vec<Problem> {
        let problems = self.records.values().flat_map(|record| {
            let query = Query::parse(&record.of.value);
            let remarks = query.map(|query| query.remarks(pool)).unwrap_or_default();
            let remarks = remarks.into_iter();
            remarks.map(|remark| Problem::in_query(&record.of, &remark.message))
        });
        problems.collect()
    }
}

/// What does not fit, with its places in the game's file: the place of the name that the message
/// has last, or what it is about.
fn placed(game: &Game, setup: usize, located_problems: Vec<SetupProblem>) -> Vec<Problem> {
    let tree = if located_problems.is_empty() { None } else { tree(game.text()).ok() };
    let place = |misfit: &SetupProblem| {
        let tree = tree.as_ref()?;
        let setup = ["setups".to_owned(), setup.to_string()];
        let under = tree.under(&[&setup, misfit.at.as_slice()].concat());
        let mut names = misfit.message.split('`').skip(1).step_by(2);
        let first = names.next().and_then(|name| under.spelling(name));
        let last = names.filter_map(|name| under.spelling(name)).last();
        Some(last.or(first).unwrap_or(under).span)
    };
    let problem = |misfit: SetupProblem| {
        let span = place(&misfit).unwrap_or(game.file.game.span);
        Problem::new(format!("setup: {}", misfit.message), span)
    };
    located_problems.into_iter().map(problem).collect()
}
