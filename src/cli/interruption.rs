//! What is put in order when the process ends before its time: by Ctrl-C, by a signal to
//! terminate, or by a defect.

use super::terminal;
use std::sync::{LazyLock, Mutex, PoisonError};

type Actions = Mutex<Vec<fn()>>;

/// What is done before the process ends.
static ACTIONS: LazyLock<Actions> = LazyLock::new(|| {
    // Where no handler can be set, the process ends as it does without one.
    let _ = ctrlc::set_handler(|| end(130));
    Mutex::default()
});

/// Puts everything in order and ends the process.
fn end(status: i32) -> ! {
    // A defect may lie in what is done here.
    if let Ok(actions) = ACTIONS.try_lock() {
        for action in actions.iter() {
            action();
        }
    }
    #[allow(clippy::exit)]
    std::process::exit(status)
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

/// Ends the process with this status at a defect, once it has been told of.
pub(super) fn end_at_defects(status: i32) {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |defect| {
        tell(defect);
        terminal::complain(
            "error",
            "this is a defect in decklaw; please report it with the call that caused it",
        );
        end(status)
    }));
}

/// A defect ends no more than the work in which it shows itself: others go on.
pub(super) fn outlive_defects() {
    // That which ends the process, and so the one of Rust is in its place.
    let _ = std::panic::take_hook();
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |defect| {
        tell(defect);
        terminal::complain(
            "error",
            "this is a defect in decklaw, and the server goes on; please report it",
        );
    }));
}

/// Does something first when the process is told to end, besides what else is to be done then.
pub(super) fn first(action: fn()) {
    let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    actions.push(action);
}
