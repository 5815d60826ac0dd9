//! The work and the memory that a question may take.

/// The most work of a question unless it says otherwise: around two seconds.
pub const DEFAULT_WORK: u64 = 200_000_000;

/// The most bytes that a question holds at a time unless it says otherwise.
pub const DEFAULT_MEMORY: u64 = 256 << 20;

/// The part of its budget that a question does not fit in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Steps.
    Work,
    /// Bytes.
    Memory,
}

/// The work and the memory that a question has left.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    /// Steps of a few nanoseconds.
    work: u64,
    /// Bytes, as they are resident: what a list or a table keeps free for more counts too.
    memory: u64,
}

impl Budget {
    pub(crate) fn new(work: u64, memory: u64) -> Budget {
        Budget { work, memory }
    }

    /// Spends steps, before they are done.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Limit> {
        self.work = self.work.checked_sub(steps).ok_or(Limit::Work)?;
        Ok(())
    }

    /// Checks that steps are left, without spending them.
    pub(crate) fn allows(&self, steps: u64) -> Result<(), Limit> {
        self.clone().spend(steps)
    }

    /// The steps left.
    pub(crate) fn left(&self) -> u64 {
        self.work
    }

    /// Holds this many bytes, before they are allocated.
    pub(crate) fn hold(&mut self, bytes: u64) -> Result<(), Limit> {
        self.memory = self.memory.checked_sub(bytes).ok_or(Limit::Memory)?;
        Ok(())
    }

    /// How many things of `bytes` bytes each there is memory for.
    pub(crate) fn room(&self, bytes: u64) -> u64 {
        self.memory / bytes.max(1)
    }

    /// Releases bytes, after they are freed.
    pub(crate) fn release(&mut self, bytes: u64) {
        self.memory += bytes;
    }
}
