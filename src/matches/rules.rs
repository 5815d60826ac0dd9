//! What a match needs to know of its format, by itself.

use super::{Game, Setup};

/// A format as matches play it: made of a format by
/// [`Format::of_matches`](crate::format::Format::of_matches).
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
    /// The same, lent to a match.
    pub fn game(&self) -> Game<'_> {
        Game {
            format: &self.format,
            rules_sha256: &self.sha256,
            setup: &self.setup,
            legality_settings: &self.settings,
            rules: &self.rules,
        }
    }
}
