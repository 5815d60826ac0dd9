//! Answers with proofs that a checker of proofs reads.

use crate::answer::Answer;
use crate::library::Library;
use crate::problem;
use crate::question::Question;
use decklaw_engine::solve::{Certificate, Uncertified};
use decklaw_text::Problem;

/// An answer, and the proof of it or why there is none.
#[derive(Debug)]
#[non_exhaustive]
pub struct Certified {
    /// The answer.
    pub answer: Answer,
    /// The certificates of its claims.
    pub proof: Result<Vec<Certificate>, Uncertified>,
}

/// Answers `fix`, `build` or `tune`, and proves the answer.
///
/// # Errors
/// As for [`ask`](crate::ask); another question.
pub fn prove(library: &Library, question: Question) -> Result<Certified, Problem> {
    let (answer, proof) = match question {
        Question::Fix(fix) => {
            let (answer, proof) = fix.certified(library, true)?;
            (answer.into(), proof)
        }
        Question::Build(build) => {
            let (answer, proof) = build.certified(library, true)?;
            (answer.into(), proof)
        }
        Question::Tune(tune) => {
            let (answer, proof) = tune.certified(library, true)?;
            (answer.into(), proof)
        }
        _ => return Err(problem::query("only `fix`, `build` and `tune` are proven")),
    };
    let proof = proof.unwrap_or(Err(Uncertified::Unproven));
    Ok(Certified { answer, proof })
}
