//! What is put in order when the process ends before its time: by Ctrl-C, by a signal to
//! terminate, or by a defect.

use super::Run;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

impl Run {
    /// Has Ctrl-C and the signal to terminate put everything in order before they end the
    /// process. A run that has nothing to put in order needs none of it.
    pub(super) fn end_in_order(&self) {
        self.end_prepared.get_or_init(|| {
            let run = self.clone();
            // Where no handler can be set, the process ends as it does without one.
            let _ = ctrlc::set_handler(move || run.end(130));
        });
    }

    /// Puts everything in order and ends the process.
    fn end(&self, status: i32) -> ! {
        // A defect may lie in what is done here.
        if !self.end_begun.swap(true, Ordering::SeqCst) {
            self.clear_drafts();
            self.clear_bar_at_end();
        }
        #[allow(clippy::exit)]
        std::process::exit(status)
    }

    /// Ends the process with this status at a defect, once it has been told of.
    pub(super) fn end_at_defects(&self, status: i32) {
        let run = self.clone();
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |defect| {
            if is_of_memory(defect) {
                run.complain(
                    "error",
                    "this computer has too little memory left to work on several decks at once; \
                     close other programs, or have one worked on after the other: with \
                     RAYON_NUM_THREADS=1 before the command, as in \
                     `RAYON_NUM_THREADS=1 decklaw check decks`",
                );
                run.end(2)
            }
            tell(defect);
            run.complain(
                "error",
                "this is a defect in decklaw; please report it with the call that caused it",
            );
            run.end(status)
        }));
    }

    /// A defect ends no more than the work in which it shows itself: others go on.
    #[cfg(feature = "server")]
    pub(super) fn outlive_defects(&self) {
        let run = self.clone();
        // That which ends the process, and so the one of Rust is in its place.
        let _ = std::panic::take_hook();
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |defect| {
            tell(defect);
            run.complain(
                "error",
                "this is a defect in decklaw, and the server goes on; please report it",
            );
        }));
    }
}

/// Whether it is the system that has no memory left, for a thread of Rust's own or for its stack:
/// no defect of the program.
fn is_of_memory(defect: &std::panic::PanicHookInfo<'_>) -> bool {
    let told = defect.payload();
    let told = (told.downcast_ref::<String>().map(String::as_str))
        .or_else(|| told.downcast_ref::<&str>().copied());
    let file = defect.location().map(std::panic::Location::file);
    file.zip(told)
        .is_some_and(|(file, told)| lacks_a_thread(file, told))
}

/// Whether a panic in a file is that of Rust's own library where it makes a thread or the stack
/// on which it would tell of an overflow. Others may use the same words.
fn lacks_a_thread(file: &str, told: &str) -> bool {
    let own = file.replace('\\', "/").contains("/library/std/src/");
    let makes = [
        "failed to spawn thread",
        "failed to allocate an alternative stack",
    ];
    own && makes.iter().any(|begins| told.starts_with(begins))
}

/// What a lock holds, when the process ends: whoever holds it may be what has the defect, so it
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

#[cfg(test)]
mod tests {
    use super::lacks_a_thread;

    #[test]
    fn only_where_rust_makes_a_thread_is_memory_to_blame() {
        let stack = "failed to allocate an alternative stack: Cannot allocate memory (os error 12)";
        let spawn = "failed to spawn thread: Os { code: 11, kind: WouldBlock }";
        let of_std = "/rustc/0123abcd/library/std/src/thread/mod.rs";
        assert!(lacks_a_thread(of_std, spawn));
        assert!(lacks_a_thread(
            "/rustc/0123abcd/library/std/src/sys/stack.rs",
            stack
        ));
        assert!(lacks_a_thread(
            "C:\\rust\\library\\std\\src\\thread\\mod.rs",
            spawn
        ));
        for (file, told) in [
            ("src/cli/check/mod.rs", stack),
            (
                "src/odds/mod.rs",
                "writing: Cannot allocate memory (os error 12)",
            ),
            (of_std, "a card is called `failed to spawn thread`"),
            (
                "/registry/rayon-core/src/registry.rs",
                "Cannot allocate memory",
            ),
        ] {
            assert!(!lacks_a_thread(file, told), "{file}: {told}");
        }
    }
}
