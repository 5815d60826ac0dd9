//! Questions about the deck that a command names.

use super::collection::Collection;
use super::inputs::{self, InputKind};
use super::options::Judging;
use super::{Outcome, Refusal, Run};
use crate::Question;
use crate::deck::Input;
use crate::origin::Given;
use crate::solve::{Certificate, Uncertified};
use crate::{Ask, DeckText, Library, Problem, ProblemKind};
use decklaw_ask::{Answer, INPUTS};
use std::path::Path;
use std::sync::Arc;

/// A deck that was read, and the library that is asked about it.
pub(super) struct Subject<'r> {
    run: &'r Run,
    /// How reports name the deck.
    pub(super) name: String,
    /// The deck's text.
    pub(super) text: String,
    /// What it is written in, in the word of a question.
    pub(super) from: Option<String>,
    library: Arc<Library>,
}

impl<'r> Subject<'r> {
    /// Reads the deck of a command.
    ///
    /// # Errors
    /// Rules, cards or lists that are wrong, and a file that cannot be read.
    pub(super) fn read(
        run: &'r Run,
        judging: &Judging,
        path: &Path,
        kind: Option<InputKind>,
    ) -> Result<Subject<'r>, Refusal> {
        let judge = inputs::judge(run, judging)?;
        let bytes = inputs::deck_bytes(&judge, run, path)?;
        let input = inputs::input_of(path, kind);
        let name = path.display().to_string();
        Ok(Subject::of(
            run,
            &Arc::new(Library::from(judge)),
            name,
            (&bytes, input),
        ))
    }

    /// A deck that was read.
    pub(super) fn of(
        run: &'r Run,
        library: &Arc<Library>,
        name: String,
        (bytes, input): (&[u8], Input),
    ) -> Subject<'r> {
        let from = INPUTS.iter().find(|(_, known, _)| *known == input);
        Subject {
            run,
            name,
            text: String::from_utf8_lossy(bytes).into_owned(),
            from: from.map(|(word, ..)| (*word).to_owned()),
            library: Arc::clone(library),
        }
    }

    /// No deck: a question about a format.
    ///
    /// # Errors
    /// Rules, cards or lists that are wrong.
    pub(super) fn new(run: &'r Run, judging: &Judging) -> Result<Subject<'r>, Refusal> {
        Ok(Subject {
            run,
            name: judging.format.clone().unwrap_or_default(),
            text: String::new(),
            from: None,
            library: Arc::new(Library::from(inputs::judge(run, judging)?)),
        })
    }

    /// The deck in a question.
    pub(super) fn deck(&self) -> DeckText {
        DeckText::from(self.text.as_str())
    }

    /// Asks about the deck. `None`: the answer is no, and why was reported.
    ///
    /// # Errors
    /// A question that cannot be asked.
    pub(super) fn ask<Q: Ask>(&self, question: Q) -> Result<Option<Q::Answer>, Refusal> {
        self.answered(question.ask(&self.library))
    }

    /// Asks about the deck, with a proof of the answer where one is wanted; `own` takes the answer
    /// of this question out of all that there are.
    ///
    /// # Errors
    /// As for [`ask`](Subject::ask).
    pub(super) fn prove<Q: Ask>(
        &self,
        question: Q,
        is_wanted: bool,
        own: impl FnOnce(Answer) -> Option<Q::Answer>,
    ) -> Result<Option<(Q::Answer, Option<Proof>)>, Refusal> {
        if !is_wanted {
            return Ok(self.ask(question)?.map(|answer| (answer, None)));
        }
        let question: Question = question.into();
        let certified = self.answered(decklaw_ask::prove(&self.library, question))?;
        Ok(certified.and_then(|certified| {
            let answer = own(certified.answer)?;
            Some((answer, Some(certified.proof)))
        }))
    }

    fn answered<A>(&self, answer: Result<A, Problem>) -> Result<Option<A>, Refusal> {
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(problem) if is_no(problem.kind) => {
                let lines = problem.message.lines();
                let lines = lines.map(|line| format!("{}: {line}", self.name));
                let message = lines.collect::<Vec<_>>().join("\n");
                let help = problem.help.unwrap_or_default();
                let message = inputs::with_help(&message, &help);
                self.run.complain("error", &message);
                Ok(None)
            }
            Err(problem) => Err(problem.into()),
        }
    }

    /// What decided the answers and is not built in, the collection among it.
    ///
    /// # Errors
    /// Cards, a list or settings of the call that fit no deck.
    pub(super) fn given(&self, collection: Option<&Collection>) -> Result<Vec<Given>, Refusal> {
        let judge = self.library.judge()?;
        inputs::fitting(self.run, &judge)?;
        if let Some(collection) = collection {
            collection.report(self.run, &judge);
        }
        Ok(judge.given_so_far())
    }
}

/// Whether a problem is an answer of the deck, and not a fault of the call.
fn is_no(kind: ProblemKind) -> bool {
    use ProblemKind::{Deck, Impossible, Limit, NotFound};
    matches!(kind, Deck | Impossible | Limit | NotFound)
}

/// The proof of an answer, or why there is none.
type Proof = Result<Vec<Certificate>, Uncertified>;

/// The command's outcome where no answer came.
pub(super) const NO: Outcome = Outcome::No;

/// An effort in seconds.
pub(super) fn seconds(text: &str) -> Result<f64, &'static str> {
    /// A day.
    const MOST: f64 = 86_400.0;
    let seconds: Option<f64> = text.trim().parse().ok();
    seconds
        .filter(|seconds| *seconds > 0.0 && *seconds <= MOST)
        .ok_or("write a number of seconds above 0, at most a day")
}

// How long to search.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Effort {
    /// Stop after about this much work
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub(super) effort: f64,
}
