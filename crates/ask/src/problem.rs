//! Errors of the packages beneath, as problems.

use decklaw_core::format::CatalogueError;
use decklaw_core::judge::JudgeError;
use decklaw_core::query::QueryError;
use decklaw_core::text::sentence;
use decklaw_core::{Problem, ProblemKind};
use decklaw_engine::odds::{OddsError, Part};
use decklaw_engine::solve::tune::TuneError;
use decklaw_play::matches::MatchError;
use std::fmt::Display;

/// A fault of decklaw itself.
pub fn defect() -> Problem {
    Problem::new(ProblemKind::Defect, "This is a defect in decklaw.")
        .with_help("Please report it with what you did.")
}

/// A game's files, cards, lists or settings that are wrong.
pub(crate) fn game(error: &impl Display) -> Problem {
    Problem::new(ProblemKind::Game, error.to_string())
}

/// A question that cannot be asked.
pub(crate) fn query(message: impl Display) -> Problem {
    Problem::new(ProblemKind::Query, message.to_string())
}

/// A deck that cannot be read, where its verdict says why.
pub(crate) fn unreadable() -> Problem {
    Problem::new(ProblemKind::Deck, "the deck cannot be read")
}

/// Inputs of a judge that are wrong.
pub fn of_judge(error: &JudgeError) -> Problem {
    let kind = match error {
        JudgeError::Format(CatalogueError::Unknown { .. }) => ProblemKind::NotFound,
        _ => ProblemKind::Game,
    };
    Problem::new(kind, error.to_string()).with_help(sentence(&error.help().unwrap_or_default()))
}

/// A match that cannot be dealt or continued so.
pub fn of_match(error: &MatchError) -> Problem {
    let (MatchError::Call(told) | MatchError::Refused(told)) = error;
    Problem::new(ProblemKind::Match, told.message.clone())
        .with_help(sentence(told.help.as_deref().unwrap_or_default()))
}

/// A query that cannot be understood; `what` says which one it is, if need be.
pub(crate) fn of_query(what: &str, text: &str, error: &QueryError) -> Problem {
    let message = match what {
        "" => error.to_string(),
        what => format!("in {what}: {error}"),
    };
    query(message).at(text, error.span)
}

/// A question about odds that cannot be answered.
pub fn of_odds(error: &OddsError) -> Problem {
    let problem = query(error).with_help(sentence(error.help().unwrap_or_default()));
    match error {
        OddsError::Query { what, text, error } => {
            let option = match what {
                Part::Expect => "`expect`",
                Part::Keep => "`keep-hand`",
                Part::Given => "`given`",
                Part::Query | Part::Preset | Part::Path => "",
            };
            of_query(option, text, error)
        }
        OddsError::Path { text, span, .. } => problem.at(text, *span),
        OddsError::GameFile { .. } => game(error),
        OddsError::TooMuchWork { .. } => {
            let mut problem = problem;
            problem.kind = ProblemKind::Limit;
            problem
        }
        _ => problem,
    }
}

/// A deck that cannot be tuned; of one that cannot be repaired, `reasons` says why.
pub(crate) fn of_tune(error: &TuneError, reasons: &[String]) -> Problem {
    match error {
        TuneError::Odds(error) => of_odds(error),
        TuneError::Call(_) => query(error),
        TuneError::Impossible(_) => {
            let message = format!("{error}: {}", reasons.join("; "));
            Problem::new(ProblemKind::Impossible, message)
        }
        TuneError::Unknown => Problem::new(ProblemKind::Limit, error.to_string())
            .with_help("allow more work with `effort`"),
    }
}
