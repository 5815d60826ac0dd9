//! One deck of a call, and the questions that commands ask about it.

use super::inputs::{self, InputKind, NamedDeck};
use super::options::Judging;
use super::wishes::Collection;
use super::{CliError, Outcome, Run};
use crate::judge::ReadDeck;
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

    /// What a question about this deck is about.
    pub(super) fn named(&self) -> About<'_> {
        About { name: self.name(), deck: Some(&self.deck), library: &self.library }
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
        let answer = self.named().answered(run, answer)?;
        inputs::fitting(run, &self.judge()?.judge)?;
        Ok(answer)
    }
}

/// What a question is about, and what answers it.
#[derive(Clone, Copy)]
pub(super) struct About<'a> {
    /// The deck's file, or the format.
    pub(super) name: &'a str,
    /// The deck, where there is one.
    pub(super) deck: Option<&'a NamedDeck>,
    pub(super) library: &'a Library,
}

impl About<'_> {
    /// An answer; `None` after a problem was printed: the command then answers no. The notes of the
    /// deck, which an answer has, are printed with the problem.
    ///
    /// # Errors
    /// A call that is wrong.
    pub(super) fn answered<A>(
        &self,
        run: &Run,
        answer: Result<A, Problem>,
    ) -> Result<Option<A>, CliError> {
        let problem = match answer {
            Ok(answer) => return Ok(Some(answer)),
            Err(problem) => problem,
        };
        let judge = self.library.judge()?;
        if let Some(Ok(ReadDeck::Deck(deck))) = self.deck.map(|deck| judge.read(&deck.opened, None))
        {
            run.print_notes(self.name, &deck.notes());
        }
        match problem.kind {
            ProblemKind::Deck | ProblemKind::Impossible | ProblemKind::Limit => {
                let lines = problem.message.lines();
                let lines: Vec<String> =
                    lines.map(|line| format!("{}: {line}", self.name)).collect();
                let help = problem.help.as_deref().unwrap_or_default();
                run.complain("error", &super::answer::with_help(&lines.join("\n"), help));
                Ok(None)
            }
            _ => Err(refused(&problem)),
        }
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
    about: About<'_>,
    question: Q,
    (proving, replace): (&super::proofs::Proving, bool),
    own: Option<&Collection>,
) -> Result<Option<(Q::Answer, Outcome)>, CliError> {
    if let Some(own) = own {
        own.takes_part(&about.library.judge()?.judge);
    }
    let search = run.search();
    let certified = question.certified(about.library, proving.is_wanted());
    drop(search);
    let certified = about.answered(run, certified)?;
    inputs::fitting(run, &about.library.judge()?.judge)?;
    let Some((answer, proof)) = certified else {
        return Ok(None);
    };
    let proof = proof.unwrap_or(Err(Uncertified::Unproven));
    Ok(Some((answer, proving.write(run, replace, proof)?)))
}
