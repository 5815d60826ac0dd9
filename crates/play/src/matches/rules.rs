//! What a match needs to know of its format, by itself.

use super::{MatchDeck, MatchError, MatchFormat, RegisteredDeck, Setup};
use decklaw_judge::resolve::Resolved;
use decklaw_rules::format::{EVERYWHERE, Format};
use decklaw_text::text::escape_control;
use decklaw_text::yaml::FileError;

/// A format as matches play it: made of a format by
/// [`MatchRules::of_format`].
#[derive(Debug, Clone)]
pub struct MatchRules {
    /// The format's id.
    pub format: String,
    /// SHA-256 of the format file.
    pub sha256: String,
    /// How the format is set up.
    pub setup: Setup,
    /// The settings of its deck-building rules.
    pub settings: Vec<String>,
    /// The ids of the rules that a deck of it can break.
    pub rules: Vec<String>,
}

impl MatchRules {
    /// What a match of a format needs to know; `None`: the game's file does not say how one
    /// starts.
    ///
    /// # Errors
    /// As [`Setup::all_of`].
    pub fn of_format(format: &Format) -> Result<Option<MatchRules>, FileError> {
        let file = &format.game().file;
        let own = file.rules.iter().map(|rule| rule.id.value.as_str());
        Ok(Setup::of_format(format)?.map(|setup| MatchRules {
            format: format.id().to_owned(),
            sha256: format.game().sha256.clone(),
            setup,
            settings: file.settings.iter().map(|entry| entry.name.value.clone()).collect(),
            rules: own.chain(EVERYWHERE).map(str::to_owned).collect(),
        }))
    }

    /// Registers a legal deck whose names were looked up: they are written as the pool has them,
    /// and what setup needs to know of each card is kept with them.
    ///
    /// # Errors
    /// A deck that breaks a rule of its format, with each rule and what is wrong; a setup whose
    /// records do not fit the pool.
    pub fn register(&self, deck: &Resolved<'_>) -> Result<RegisteredDeck, MatchError> {
        let broken = deck.list().errors();
        if !broken.is_empty() {
            let mut message = "the deck is not legal".to_owned();
            for (rule, reason) in &broken {
                message.push_str(&format!("\n  {rule}: {}", escape_control(reason, false)));
            }
            return Err(MatchError::call(message));
        }
        Ok(RegisteredDeck::unjudged(MatchDeck::of_deck(&self.setup, deck)?))
    }

    /// The same of a deck that may be illegal: the rules that it breaks are recorded in it.
    ///
    /// # Errors
    /// A setup whose records do not fit the pool.
    pub fn register_even_illegal(&self, deck: &Resolved<'_>) -> Result<RegisteredDeck, MatchError> {
        Ok(RegisteredDeck::unjudged(MatchDeck::of_deck(&self.setup, deck)?))
    }

    /// The same, lent to a match.
    pub fn game(&self) -> MatchFormat<'_> {
        MatchFormat {
            format: &self.format,
            rules_sha256: &self.sha256,
            setup: &self.setup,
            legality_settings: &self.settings,
            rules: &self.rules,
        }
    }
}
