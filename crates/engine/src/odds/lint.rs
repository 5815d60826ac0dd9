//! How a game's odds file is read, and what no deck could be asked by it.

use super::conditions::Conditions;
use super::run::policy;
use super::schedule::{DrawSchedule, OddsDefaults, PresetQuery};
use super::{DEFAULT_MEMORY, OddsQuestion, Population};
use decklaw_cards::pool::Pool;
use decklaw_text::problem::{self, ProblemKind};
use decklaw_text::text::counted;
use decklaw_text::yaml::{self, Problem};

/// What cannot be asked of any deck, and the keys that lead to it in the file.
struct Misfit(Vec<String>, String);

impl Misfit {
    fn at(keys: &[&str], message: String) -> Misfit {
        Misfit(keys.iter().map(|key| (*key).to_owned()).collect(), message)
    }
}

impl OddsDefaults {
    /// Reads the odds file of a game.
    ///
    /// # Errors
    /// An unknown key or kind, a value of the wrong type, a preset without exactly one of
    /// `query` and `expect`, or with one that cannot be read, an event that changes nothing,
    /// mulligans or turns that this game does not have.
    pub fn read(text: &str) -> Result<OddsDefaults, Problem> {
        let defaults: OddsDefaults = yaml::read(text)?;
        if let Err(Misfit(keys, message)) = defaults.check() {
            return Err(Problem::new(message, yaml::tree(text)?.under(&keys).span));
        }
        defaults.presets.iter().try_for_each(|preset| preset.read().map(|_| ()))?;
        Ok(defaults)
    }

    /// Reads the odds file of a game, as bytes.
    ///
    /// # Errors
    /// As for [`OddsDefaults::read`], and bytes that are not text.
    pub fn of_file(name: &str, bytes: &[u8]) -> Result<OddsDefaults, problem::Problem> {
        let wrong = |message: &str| {
            let message = format!("{name}: {message}");
            problem::Problem::new(ProblemKind::Game, message)
        };
        let text = yaml::text_of(name, bytes).map_err(|error| wrong(&error.to_string()))?;
        OddsDefaults::read(text).map_err(|problem| wrong(&problem.message))
    }

    /// Checks what no deck could be asked.
    fn check(&self) -> Result<(), Misfit> {
        if let Some(event) = &self.event
            && !self.draws.is_some_and(DrawSchedule::changes)
        {
            let message = format!("the event `{}` changes no draw of this game", event.name);
            return Err(Misfit::at(&["event", "name"], message));
        }
        let own = self.mulligan.as_ref();
        if let Some(own) = own {
            self.check_mulligans(own.most, &[], &["mulligan", "most"])?;
            self.check_mulligans(own.most, &self.hand, &["mulligan", "bottom"])?;
            self.check_mulligans(own.limit, &[], &["mulligan", "limit"])?;
            let (given, needed) = (own.bottom.len() as u64, u64::from(own.most) + 1);
            if given != 0 && given != needed {
                let numbers = counted(own.bottom.len() as i64, "number");
                let message = format!(
                    "`bottom` has {numbers}, but needs {needed}: for 0 to {} (`most`)",
                    counted(own.most.into(), "mulligan")
                );
                return Err(Misfit::at(&["mulligan", "bottom"], message));
            }
        }
        for (at, preset) in self.presets.iter().enumerate() {
            let at = at.to_string();
            let place = |key| ["presets", at.as_str(), key];
            if let Some(limit) = preset.mulligans {
                self.check_mulligans(limit, &[], &place("mulligans"))?;
            }
            let limit = preset.mulligans.or(own.map(|own| own.limit)).unwrap_or(0);
            self.check_mulligans(limit, &preset.hands, &place("hands"))?;
            if preset.turn == Some(0) {
                let message = "turns are counted from 1".to_owned();
                return Err(Misfit::at(&place("turn"), message));
            }
            if preset.turn.is_some() && self.draws.is_none() {
                let message = "a `turn` needs `draws`: the cards drawn from turn to turn";
                return Err(Misfit::at(&place("turn"), message.to_owned()));
            }
        }
        Ok(())
    }

    /// Checks that this number of mulligans can be taken, with these hands, from a deck that is large
    /// enough.
    fn check_mulligans(&self, limit: u32, hands: &[u32], at: &[&str]) -> Result<(), Misfit> {
        let question = OddsQuestion { mulligans: Some(limit), ..OddsQuestion::default() };
        let wrong = |problem: problem::Problem| Misfit::at(at, problem.message);
        let policy = policy(self, &question).map_err(wrong)?;
        let smallest = hands.iter().copied().min().unwrap_or(u32::MAX / 2);
        let bottom = policy.checked(smallest, u32::MAX);
        bottom.map(drop).map_err(|error| wrong(error.into()))
    }

    /// Problems of the file for a game with these sections (none: decks name any). With cards, each
    /// preset is asked of them.
    pub fn lint(&self, sections: &[&str], cards: Option<&Population<'_>>) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let Some(section) = &self.section
            && !sections.is_empty()
            && !sections.contains(&section.value.as_str())
        {
            let message =
                format!("no section `{}`; {}", section.value, decklaw_text::text::those(sections));
            problems.push(Problem::new(message, section.span));
        }
        let Some(cards) = cards else {
            return problems;
        };
        for (text, query) in self.presets.iter().filter_map(|preset| preset.read().ok()) {
            let asked = match &query {
                PresetQuery::Hand(query) => super::check(query, cards),
                PresetQuery::Total(total) => {
                    Conditions::of(cards, DEFAULT_MEMORY).total(total).map(drop)
                }
            };
            problems.extend(asked.err().map(|error| Problem::new(error.message, text.span)));
        }
        problems
    }

    /// Words, names and values of the presets that no card of a pool has, and groups without cards.
    pub fn unmatched(&self, pool: &Pool) -> Vec<Problem> {
        let presets = self.presets.iter().filter_map(|preset| preset.read().ok());
        let problems = presets.flat_map(|(text, query)| {
            let warnings = match query {
                PresetQuery::Hand(query) => query.unmatched(pool),
                PresetQuery::Total(total) => total.unmatched(pool),
            };
            let warnings = warnings.into_iter();
            warnings.map(move |warning| Problem::in_query(text, &warning))
        });
        problems.collect()
    }
}
