//! The progress of a long run, on standard error.

use super::Run;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

/// How far a run has come, as a bar on standard error. It is cleared away when it is dropped.
#[derive(Debug)]
pub(super) struct Progress(Option<(ProgressBar, Run)>);

impl Run {
    /// A bar for a number of decks; none with `quiet`, or where standard error is no terminal.
    pub(super) fn progress(&self, quiet: bool, decks: usize) -> Progress {
        let template = "{bar:30} {pos} of {len} decks, {eta} to go";
        self.bar(quiet, Some(decks as u64), template)
    }

    /// The time of a search, once it takes longer than a second.
    pub(super) fn search(&self) -> Progress {
        const SECOND: Duration = Duration::from_secs(1);
        let progress = self.bar(self.screen.quiet, None, "searching, {elapsed}");
        if let Some((bar, _)) = &progress.0 {
            let bar = bar.downgrade();
            // Where the system gives no thread, nothing is shown.
            let _ = std::thread::Builder::new().spawn(move || {
                loop {
                    std::thread::sleep(SECOND);
                    match bar.upgrade() {
                        Some(bar) if !bar.is_finished() => bar.tick(),
                        _ => return,
                    }
                }
            });
        }
        progress
    }

    fn bar(&self, quiet: bool, length: Option<u64>, template: &str) -> Progress {
        if quiet || !std::io::stderr().is_terminal() {
            return Progress(None);
        }
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(5));
        let bar = match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        *self.held_bar() = Some(bar.clone());
        Progress(Some((bar, self.clone())))
    }

    fn held_bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something to standard error with the bar out of its way.
    pub(super) fn aside(&self, say: impl FnOnce()) {
        let bar = self.held_bar().clone();
        match bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }
}

impl Progress {
    /// Counts decks that are done.
    pub(super) fn add(&self, decks: usize) {
        if let Some((bar, _)) = &self.0 {
            bar.inc(decks as u64);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((_, run)) = &self.0
            && let Some(bar) = run.held_bar().take()
        {
            bar.finish_and_clear();
        }
    }
}
