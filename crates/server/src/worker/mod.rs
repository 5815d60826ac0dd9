//! What is asked of the library: whatever a stranger sends is read, judged and worked out off the
//! threads that serve, within the limits of its [`Question`]. How questions wait for their turn is in
//! [`pool`], and what each is answered in [`questions`].

mod answers;
mod pool;
mod questions;

pub(crate) use pool::{Bench, Workers};
pub(crate) use questions::{
    Bring, Games, Lay, Lock, Opening, Openings, PictureOf, ReadFile, Rewrite, SECONDS, Title, Tried,
};

use crate::trouble::Trouble;

/// What can be asked.
pub(crate) trait Question {
    /// What it answers.
    type Answer;
    /// Whether it takes longer than the few milliseconds of reading and judging.
    fn is_slow(&self) -> bool {
        false
    }
    /// Answers it.
    ///
    /// # Errors
    /// What is wrong with the question, for whoever asked it.
    fn answer(self, bench: &Bench) -> Result<Self::Answer, Trouble>;
}
