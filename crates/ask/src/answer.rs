//! Answers, and the parts that several of them have.

use crate::build::BuildAnswer;
use crate::cards::CardsAnswer;
use crate::check::CheckAnswer;
use crate::faces::FacesAnswer;
use crate::files::{CompareAnswer, ReadAnswer, WriteAnswer};
use crate::fix::FixAnswer;
use crate::format::FormatAnswer;
use crate::odds::OddsAnswer;
use crate::replay::ReplayAnswer;
use crate::room::RoomAnswer;
use crate::stats::StatsAnswer;
use crate::tune::TuneAnswer;
use crate::view::ViewAnswer;
use decklaw_engine::solve::{Conflict, Repair};
use decklaw_judge::Note;
use decklaw_judge::judge::{Finding, Report};
use decklaw_judge::resolve::{self, Decklist};
use decklaw_rules::Verdict;
use decklaw_text::{Problem, ProblemKind};
use serde::Serialize;

/// The enum of all answers.
macro_rules! answers {
    ($($(#[$about:meta])* $name:ident($answer:ident),)*) => {
        /// Any answer. Its JSON begins with the `schema`.
        #[derive(Debug, Clone, Serialize)]
        #[serde(untagged)]
        pub enum Answer {
            $($(#[$about])* $name($answer),)*
        }

        $(impl From<$answer> for Answer {
            fn from(answer: $answer) -> Answer {
                Answer::$name(answer)
            }
        })*
    };
}

answers! {
    /// Of `check`.
    Check(CheckAnswer),
    /// Of `odds`.
    Odds(OddsAnswer),
    /// Of `fix` and `swap`.
    Fix(FixAnswer),
    /// Of `build`.
    Build(BuildAnswer),
    /// Of `tune`.
    Tune(TuneAnswer),
    /// Of `room`.
    Room(RoomAnswer),
    /// Of `stats`.
    Stats(StatsAnswer),
    /// Of `read`.
    Read(ReadAnswer),
    /// Of `write`.
    Write(WriteAnswer),
    /// Of `cards`.
    Cards(CardsAnswer),
    /// Of `format`.
    Format(FormatAnswer),
    /// Of `view`.
    View(ViewAnswer),
    /// Of `faces`.
    Faces(FacesAnswer),
    /// Of `compare`.
    Compare(CompareAnswer),
    /// Of `replay`.
    Replay(ReplayAnswer),
}

/// An answer about a deck.
pub trait DeckAnswer {
    /// What is to be known of its deck and of the answer itself; `None`: it has a verdict, whose
    /// findings say so.
    fn notes(&self) -> Option<&[Note]>;
}

/// The answers about a deck, each with its notes.
macro_rules! deck_answers {
    ($($answer:ident: |$self:ident| $notes:expr,)*) => {
        $(impl DeckAnswer for $answer {
            fn notes(&self) -> Option<&[Note]> {
                let $self = self;
                $notes
            }
        })*
    };
}

deck_answers! {
    CheckAnswer: |_verdict| None,
    ReadAnswer: |answer| Some(&answer.notes),
    ViewAnswer: |_verdict| None,
    OddsAnswer: |answer| Some(&answer.report.notes),
    FixAnswer: |answer| Some(&answer.notes),
    BuildAnswer: |answer| Some(&answer.notes),
    TuneAnswer: |answer| Some(&answer.notes),
    RoomAnswer: |answer| Some(&answer.notes),
    StatsAnswer: |answer| answer.decks.first().map(|deck| &*deck.notes),
    WriteAnswer: |answer| Some(&answer.notes),
    CompareAnswer: |answer| Some(&answer.notes),
}

/// A copy count that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The section's id.
    pub section: String,
    /// The card.
    pub card: String,
    /// Copies before.
    pub from: i64,
    /// Copies after.
    pub to: i64,
    /// The ids of the rules, and the wishes, that the change serves.
    pub rules: Vec<String>,
}

impl Change {
    pub(crate) fn of(before: &Decklist, change: &resolve::Change, rules: Vec<String>) -> Change {
        Change {
            section: before.sections()[usize::from(change.section)].clone(),
            card: before.name(change.card).to_owned(),
            from: change.from,
            to: change.to,
            rules,
        }
    }

    pub(crate) fn all(
        before: &Decklist,
        changes: impl IntoIterator<Item = (resolve::Change, Vec<String>)>,
    ) -> Vec<Change> {
        let changes = changes.into_iter();
        changes.map(|(change, rules)| Change::of(before, &change, rules)).collect()
    }

    /// The copies that come in, negative where they go out.
    pub fn copies(&self) -> i64 {
        self.to - self.from
    }
}

/// A deck after its changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct After {
    /// The verdict.
    pub verdict: Verdict,
    /// The hash of its content.
    pub hash: Option<String>,
    /// What is found of it.
    pub findings: Vec<Finding>,
}

impl From<Report> for After {
    fn from(report: Report) -> After {
        After { verdict: report.verdict, hash: report.hash, findings: report.findings }
    }
}

/// Why there is no deck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NoDeck {
    /// Whether it is proven that no legal deck satisfies what was asked; else the work ended
    /// before one was found.
    pub impossible: bool,
    /// Whether it is proven that without any one of the reasons the others can hold together.
    pub irreducible: Option<bool>,
    /// The rules and wishes that cannot hold together, a sentence each.
    pub reasons: Vec<String>,
}

impl NoDeck {
    pub(crate) fn impossible(conflict: &Conflict, reasons: Vec<String>) -> NoDeck {
        NoDeck { impossible: true, irreducible: Some(conflict.irreducible), reasons }
    }

    /// The work ended before a deck was found.
    pub(crate) fn unknown() -> NoDeck {
        NoDeck::because(
            "no deck found within the search limit; allow more with `effort`".to_owned(),
        )
    }

    pub(crate) fn because(reason: String) -> NoDeck {
        NoDeck { impossible: false, irreducible: None, reasons: vec![reason] }
    }

    /// Of a search that found none.
    pub(crate) fn of(
        solved: &Repair,
        reasons: impl Fn(&Conflict) -> Vec<String>,
    ) -> Option<NoDeck> {
        match solved {
            Repair::Found(_) => None,
            Repair::Impossible(conflict) => Some(NoDeck::impossible(conflict, reasons(conflict))),
            Repair::Unknown => Some(NoDeck::unknown()),
        }
    }

    /// The reasons for people, a line each.
    pub(crate) fn human(&self) -> String {
        if !self.impossible {
            return self.reasons.join("\n") + "\n";
        }
        let mut out = match self.reasons.as_slice() {
            [] => "No such deck exists.\n".to_owned(),
            [_] => "No such deck exists, because this cannot hold:\n".to_owned(),
            _ => "No such deck exists, because these cannot hold together:\n".to_owned(),
        };
        for reason in &self.reasons {
            out.push_str(&format!("  - {reason}\n"));
        }
        match (self.irreducible, self.reasons.len()) {
            (_, 0) | (Some(true), 1) => {}
            (Some(true), _) => {
                out.push_str("Without any one of them the others can hold together.\n");
            }
            _ => out.push_str("The search limit was reached, so some of them may not be needed; `--effort` raises it.\n"),
        }
        out
    }
}

impl From<&NoDeck> for Problem {
    fn from(none: &NoDeck) -> Problem {
        let kind = if none.impossible { ProblemKind::Impossible } else { ProblemKind::Limit };
        let reasons = none.reasons.join("; ");
        Problem::new(
            kind,
            if none.impossible { format!("no such deck exists: {reasons}") } else { reasons },
        )
    }
}

/// An answer, or the problem that there is in its place.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum OrProblem<T> {
    /// The answer.
    Answer(T),
    /// Why there is none.
    Problem(Problem),
}

impl<T> From<Result<T, Problem>> for OrProblem<T> {
    fn from(result: Result<T, Problem>) -> OrProblem<T> {
        match result {
            Ok(answer) => OrProblem::Answer(answer),
            Err(problem) => OrProblem::Problem(problem),
        }
    }
}
