//! What is put in order when the process is told to end: by Ctrl-C, or by a signal to terminate.

use std::sync::{LazyLock, Mutex, PoisonError};

type Actions = Mutex<Vec<fn()>>;

/// What is done before the process ends.
static ACTIONS: LazyLock<Actions> = LazyLock::new(|| {
    // Where no handler can be set, the process ends as it does without one.
    let _ = ctrlc::set_handler(|| {
        let actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
        for action in actions.iter() {
            action();
        }
        #[allow(clippy::exit)]
        std::process::exit(130);
    });
    Mutex::default()
});

/// Does something first when the process is told to end, besides what else is to be done then.
pub(super) fn first(action: fn()) {
    let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    actions.push(action);
}
