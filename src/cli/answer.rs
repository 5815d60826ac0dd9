//! What a command comes to: an exit status, or why it could not be carried out.

use super::remedies;

/// What a command answered, as an exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// Every deck is legal, or the command did its job.
    Yes = 0,
    /// A deck is not legal or cannot be read, or the answer is no.
    No = 1,
}

/// Why a command could not be carried out: the call or a file that it names is wrong.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) String);

impl<E: std::error::Error + 'static> From<E> for Refusal {
    fn from(error: E) -> Self {
        Refusal(remedies::message(&error))
    }
}

pub(super) type Answer = Result<Outcome, Refusal>;
