//! What a panic ends, and what the system would end.

use super::Run;

impl Run {
    /// Ends the process with this status at a defect, once it was printed, and leaves no draft.
    pub(super) fn end_at_defects(&self, status: i32) {
        self.at_defects(
            "this is a defect in decklaw; please report it with the call that caused it",
            {
                #[allow(clippy::exit)]
                move || {
                    super::files::remove_drafts();
                    std::process::exit(status)
                }
            },
        );
    }

    /// A defect ends only the work in which it occurs: others go on.
    #[cfg(feature = "server")]
    pub(super) fn outlive_defects(&self) {
        // That which ends the process, so that the one of Rust is in its place.
        let _ = std::panic::take_hook();
        self.at_defects(
            "this is a defect in decklaw, and the server goes on; please report it",
            || (),
        );
    }

    fn at_defects(&self, message: &'static str, end: impl Fn() + Send + Sync + 'static) {
        let run = self.clone();
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |defect| {
            print(defect);
            run.complain("error", message);
            end();
        }));
    }
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
