//! Cleanup on Ctrl-C, SIGTERM and panic.

use super::Run;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

impl Run {
    /// Lets Ctrl-C and SIGTERM clean up before they end the process. A run without drafts or a
    /// progress bar does not need it.
    pub(super) fn end_in_order(&self) {
        self.end_prepared.get_or_init(|| {
            let run = self.clone();
            // Where no handler can be set, the process ends as it does without one.
            let _ = ctrlc::set_handler(move || run.end(130));
        });
    }

    /// Cleans up and ends the process.
    fn end(&self, status: i32) -> ! {
        // A defect may lie in what is done here.
        if !self.end_begun.swap(true, Ordering::SeqCst) {
            self.clear_drafts();
            self.clear_bar_at_end();
        }
        #[allow(clippy::exit)]
        std::process::exit(status)
    }

    /// Ends the process with this status at a defect, once it was printed.
    pub(super) fn end_at_defects(&self, status: i32) {
        let run = self.clone();
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |defect| {
            print(defect);
            run.complain(
                "error",
                "this is a defect in decklaw; please report it with the call that caused it",
            );
            run.end(status)
        }));
    }

    /// A defect ends only the work in which it occurs: others go on.
    #[cfg(feature = "server")]
    pub(super) fn outlive_defects(&self) {
        let run = self.clone();
        // That which ends the process, and so the one of Rust is in its place.
        let _ = std::panic::take_hook();
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |defect| {
            print(defect);
            run.complain(
                "error",
                "this is a defect in decklaw, and the server goes on; please report it",
            );
        }));
    }
}

/// What a lock holds, when the process ends: its holder may have the defect, so it
/// is not waited for longer than a tenth of a second.
pub(super) fn held<T>(lock: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    for _ in 0..100 {
        match lock.try_lock() {
            Ok(held) => return Some(held),
            Err(TryLockError::Poisoned(held)) => return Some(held.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    None
}

/// A file that grows past what the system lets it is an error like that of a full disk, and
/// does not end the process by a signal.
pub(super) fn outlive_large_files() {
    #[cfg(unix)]
    {
        let flag = std::sync::Arc::default();
        // Where no handler can be set, the process ends as it does without one.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag);
    }
}
