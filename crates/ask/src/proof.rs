//! Answers with proofs that a checker of proofs reads.

use crate::library::Library;
use crate::question::Ask;
use decklaw_engine::solve::{Certificate, Uncertified};
use decklaw_text::Problem;

/// An answer and, where a proof is wanted, the certificates of its claims or why there are none.
pub type Certified<A> = (A, Option<Result<Vec<Certificate>, Uncertified>>);

/// A question whose answer can be proven.
pub trait Prove: Ask {
    /// Answers the question; `prove`: with a proof.
    ///
    /// # Errors
    /// As for [`Ask::ask`].
    fn certified(self, library: &Library, prove: bool) -> Result<Certified<Self::Answer>, Problem>;
}
