//! What a search came to.

/// Whether something was found, from what is certainly not there to what is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Answer<T = ()> {
    /// There is none: proven, but where a relaxation says it, which is checked in whole numbers.
    None,
    /// Neither was shown: a limit was reached, or rounding got in the way.
    Limit,
    /// It is there.
    Found(T),
}

impl Answer {
    /// Of what is known to be or not to be.
    pub(super) fn of(is_known: bool) -> Answer {
        if is_known { Answer::Found(()) } else { Answer::None }
    }

    /// Asks, unless something is known to exist: it is enough if it does in any format.
    pub(super) fn or(&mut self, ask: impl FnOnce() -> Answer) {
        if *self != Answer::Found(()) {
            *self = ask().max(*self);
        }
    }
}
