//! `--only`: which players a command is about.

use super::super::CliError;
use super::player;
use crate::event::{Event, PlayerReport};

/// Which players are meant.
#[derive(Debug, Clone, Default, clap::Args)]
pub(in super::super) struct Only {
    /// Only these: statuses, verdicts, or players by id or name
    #[arg(long, value_name = "WORD,…", value_delimiter = ',')]
    only: Vec<String>,
}

/// The words of `--only` apart from ids and names of players.
const STATUSES: [&str; 7] = ["counts", "late", "out", "withdrawn", "missing", "asked", "unlisted"];
const VERDICTS: [&str; 4] = ["legal", "incomplete", "illegal", "unreadable"];

impl Only {
    /// Which lines are meant: all where nobody says it.
    ///
    /// # Errors
    /// A word that is no status, no verdict and no player.
    pub(super) fn chosen(
        &self,
        event: &Event,
    ) -> Result<impl Fn(&PlayerReport) -> bool + use<>, CliError> {
        let mut players = Vec::new();
        let mut words = Vec::new();
        for word in &self.only {
            let word = word.trim();
            if STATUSES.contains(&word) || VERDICTS.contains(&word) {
                words.push(word.to_owned())
            } else {
                players.push(player(event, word)?)
            }
        }
        let all = self.only.is_empty();
        Ok(move |one: &PlayerReport| {
            let verdict = one.report.as_ref().map(|report| report.verdict.word());
            let says = |word: &String| match word.as_str() {
                "unlisted" => one.unlisted,
                "asked" => one.question.is_some(),
                word => word == one.status || Some(word) == verdict,
            };
            all || words.iter().any(says) || one.player.is_some_and(|id| players.contains(&id))
        })
    }
}
