//! What several answers have: changes, the deck after them, and why there is no deck.

use decklaw_engine::solve::{Conflict, Repair, SolvedDeck};
use decklaw_judge::Note;
use decklaw_judge::judge::{Finding, Report};
use decklaw_judge::resolve::{self, Decklist};
use decklaw_rules::Verdict;
use decklaw_text::{Problem, ProblemKind};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// An answer about a deck.
pub trait DeckAnswer {
    /// What is to be known of its deck and of the answer itself; `None`: it has a verdict, whose
    /// findings say so.
    fn notes(&self) -> Option<&[Note]>;
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
    /// The ids of the rules, and the wishes, that the change serves, where the question asks why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<String>>,
}

impl Change {
    /// Changes of a deck, by names.
    pub(crate) fn all(
        before: &Decklist,
        changes: impl IntoIterator<Item = (resolve::Change, Option<Vec<String>>)>,
    ) -> Vec<Change> {
        let named = |(change, rules): (resolve::Change, Option<Vec<String>>)| Change {
            section: before.sections()[usize::from(change.section)].clone(),
            card: before.name(change.card).to_owned(),
            from: change.from,
            to: change.to,
            rules,
        };
        changes.into_iter().map(named).collect()
    }

    /// What changes from one deck to another.
    pub(crate) fn between(before: &Decklist, after: &Decklist) -> Vec<Change> {
        let changes = before.changes_to(after).into_iter();
        Change::all(before, changes.map(|change| (change, None)))
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
    pub(crate) fn because(reason: String) -> NoDeck {
        NoDeck { impossible: false, irreducible: None, reasons: vec![reason] }
    }
}

impl fmt::Display for NoDeck {
    /// The reasons for people, a line each.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.impossible {
            return writeln!(out, "{}", self.reasons.join("\n"));
        }
        out.write_str(match self.reasons.as_slice() {
            [] => "No such deck exists.\n",
            [_] => "No such deck exists, because this cannot hold:\n",
            _ => "No such deck exists, because these cannot hold together:\n",
        })?;
        for reason in &self.reasons {
            writeln!(out, "  - {reason}")?;
        }
        match (self.irreducible, self.reasons.len()) {
            (_, 0) | (Some(true), 1) => Ok(()),
            (Some(true), _) => {
                out.write_str("Without any one of them the others can hold together.\n")
            }
            _ => out.write_str("The search limit was reached, so some of them may not be needed; `--effort` raises it.\n"),
        }
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

/// What a search for a deck came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<F> {
    /// A deck, and what is known of it.
    Found(F),
    /// Why there is none.
    None(NoDeck),
}

impl<F> Outcome<F> {
    /// What was found.
    ///
    /// # Errors
    /// Why there is no deck.
    pub fn found(&self) -> Result<&F, Problem> {
        match self {
            Outcome::Found(found) => Ok(found),
            Outcome::None(none) => Err(none.into()),
        }
    }

    /// Why there is no deck.
    pub fn none(&self) -> Option<&NoDeck> {
        match self {
            Outcome::Found(_) => None,
            Outcome::None(none) => Some(none),
        }
    }
}

impl<'r> Outcome<&'r SolvedDeck> {
    /// That of a solver; `sentences` says what contradicts.
    pub(crate) fn of(
        solved: &'r Repair,
        sentences: impl Fn(&Conflict) -> Vec<String>,
    ) -> Outcome<&'r SolvedDeck> {
        Outcome::None(match solved {
            Repair::Found(found) => return Outcome::Found(found),
            Repair::Impossible(conflict) => NoDeck {
                impossible: true,
                irreducible: Some(conflict.irreducible),
                reasons: sentences(conflict),
            },
            Repair::Unknown => NoDeck::because(
                "no deck found within the search limit; allow more with `effort`".to_owned(),
            ),
        })
    }
}

/// What an answer says of a deck that was found.
pub trait FoundDeck: Serialize {
    /// The keys that its answer has without a deck as well, with their values.
    const ABSENT: &'static [(&'static str, Value)];
}

/// The keys about the deck, whether there is one or not.
pub(crate) struct Found<'a, F>(pub(crate) &'a Outcome<F>);

impl<F: FoundDeck> Serialize for Found<'_, F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Outcome::Found(found) => found.serialize(to),
            Outcome::None(_) => to.collect_map(F::ABSENT.iter().cloned()),
        }
    }
}

impl<F: FoundDeck> Serialize for Outcome<F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Keys<'a, F: FoundDeck> {
            #[serde(flatten)]
            found: Found<'a, F>,
            #[serde(flatten)]
            none: Option<&'a NoDeck>,
        }
        Keys { found: Found(self), none: self.none() }.serialize(to)
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
