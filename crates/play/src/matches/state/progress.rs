//! How far a step is that awaits decisions.

use crate::matches::log::decision::Pending;
use crate::matches::seat::SeatId;

/// How far the step is that goes on now.
#[derive(Debug, Clone, Default)]
pub(in crate::matches) struct Progress {
    /// The seats that are still to decide.
    pub(in crate::matches) left: Vec<SeatId>,
    /// Rounds or picks made.
    pub(in crate::matches) number: usize,
    /// Mulligans taken, by seat.
    pub(in crate::matches) taken: [usize; SeatId::ALL.len()],
    /// Cards picked, by seat.
    pub(in crate::matches) picked: [Picked; SeatId::ALL.len()],
    /// Secret choices that were opened.
    pub(in crate::matches) revealed: Vec<(SeatId, String)>,
}

impl Progress {
    /// A seat has decided.
    pub(in crate::matches) fn answered(&mut self, seat: SeatId) {
        self.left.retain(|other| *other != seat);
    }

    /// What each seat that is still to decide is asked for.
    pub(in crate::matches) fn each(&self, entry: impl Fn(SeatId) -> Pending) -> Vec<Pending> {
        self.left.iter().map(|seat| entry(*seat)).collect()
    }
}

/// How often a seat has picked.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::matches) struct Picked {
    pub(in crate::matches) up: usize,
    pub(in crate::matches) down: usize,
}
