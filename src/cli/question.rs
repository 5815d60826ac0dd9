//! One deck of a call, and the questions that commands ask about it.

use super::inputs::{self, InputKind, NamedDeck};
use super::options::Judging;
use super::wishes::Collection;
use super::{CliError, Outcome, Run};
use crate::solve::Uncertified;
use decklaw_ask::{AboutDeck, DeckText, JudgeEntry, Library, Prove};
use decklaw_text::{Problem, ProblemKind};
use std::path::Path;
use std::sync::Arc;

/// A deck that a call names, and what answers questions about it.
pub(super) struct Subject {
    /// The deck.
    pub(super) deck: NamedDeck,
    pub(super) library: Arc<Library>,
}

impl Subject {
    /// Reads the deck of a file, `-` being standard input.
    ///
    /// # Errors
    /// A file that cannot be read, and options that are wrong.
    pub(super) fn read(
        run: &Run,
        judging: &Judging,
        path: &Path,
        from: Option<InputKind>,
    ) -> Result<Subject, CliError> {
        let judge = inputs::judge(run, judging)?;
        let deck = NamedDeck::open(&judge, run, path, from)?;
        Ok(Subject { deck, library: Arc::new(Library::from(judge)) })
    }

    /// The file as it is named.
    pub(super) fn name(&self) -> &str {
        &self.deck.name
    }

    /// The judge of the call.
    ///
    /// # Errors
    /// None in practice.
    pub(super) fn judge(&self) -> Result<Arc<JudgeEntry>, CliError> {
        Ok(self.library.judge()?)
    }

    /// A question about this deck.
    pub(super) fn about<Q: AboutDeck>(&self, question: Q) -> Q {
        question.about(DeckText::opened(self.deck.opened.clone()), None, None)
    }

    /// The answer to a question about this deck; `None`: there is none, and that was printed.
    ///
    /// # Errors
    /// A question or an option that is wrong.
    pub(super) fn ask<Q: AboutDeck>(
        &self,
        run: &Run,
        question: Q,
    ) -> Result<Option<Q::Answer>, CliError> {
        let search = run.search();
        let answer = self.about(question).ask(&self.library);
        drop(search);
        let answer = answered(run, self.name(), answer)?;
        inputs::fitting(run, &self.judge()?.judge)?;
        Ok(answer)
    }
}

/// An answer; `None` after a problem was printed: the command then answers no.
///
/// # Errors
/// A call that is wrong.
pub(super) fn answered<A>(
    run: &Run,
    name: &str,
    answer: Result<A, Problem>,
) -> Result<Option<A>, CliError> {
    let problem = match answer {
        Ok(answer) => return Ok(Some(answer)),
        Err(problem) => problem,
    };
    match problem.kind {
        ProblemKind::Deck | ProblemKind::Impossible | ProblemKind::Limit => {
            let lines = problem.message.lines();
            let lines: Vec<String> = lines.map(|line| format!("{name}: {line}")).collect();
            let help = problem.help.as_deref().unwrap_or_default();
            run.complain("error", &super::answer::with_help(&lines.join("\n"), help));
            Ok(None)
        }
        _ => Err(refused(&problem)),
    }
}

/// A problem of the call, with the query and the place in it.
pub(super) fn refused(problem: &Problem) -> CliError {
    CliError::from(problem.clone())
}

/// The answer to a question with its proof where one is wanted. A collection that decides the
/// answer is named in it.
///
/// # Errors
/// As for [`Subject::ask`], and a proof that cannot be written.
pub(super) fn proven<Q: Prove>(
    run: &Run,
    library: &Library,
    (name, question): (&str, Q),
    (proving, replace): (&super::proofs::Proving, bool),
    own: Option<&Collection>,
) -> Result<Option<(Q::Answer, Outcome)>, CliError> {
    if let Some(own) = own {
        own.takes_part(&library.judge()?.judge);
    }
    let search = run.search();
    let certified = question.certified(library, proving.is_wanted());
    drop(search);
    let certified = answered(run, name, certified)?;
    inputs::fitting(run, &library.judge()?.judge)?;
    let Some((answer, proof)) = certified else {
        return Ok(None);
    };
    let proof = proof.unwrap_or(Err(Uncertified::Unproven));
    Ok(Some((answer, proving.write(run, replace, proof)?)))
}
