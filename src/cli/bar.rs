//! The progress of a long run, on standard error.

use super::{Run, interruption};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::io::{self, IsTerminal, Write};
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
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(Screen), 5);
        let bar = ProgressBar::with_draw_target(length, target);
        let bar = match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        self.end_in_order();
        *self.held_bar() = Some(bar.clone());
        Progress(Some((bar, self.clone())))
    }

    fn held_bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the bar off the screen.
    fn clear_bar(&self) {
        let bar = self.held_bar().take();
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
    }

    /// The same when the process ends, whatever holds the bar.
    pub(super) fn clear_bar_at_end(&self) {
        let bar = interruption::held(&self.bar).and_then(|mut bar| bar.take());
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
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
        if let Some((_, run)) = &self.0 {
            run.clear_bar();
        }
    }
}

/// Standard error as the bar's screen. The cursor stays behind the bar's text: what a terminal
/// writes there of itself, such as `^C`, shares the bar's line and is cleared with it.
#[derive(Debug)]
struct Screen;

impl Screen {
    /// Moves the cursor by a number of lines or columns: `direction` is the letter of the sequence.
    fn go(&self, by: usize, direction: char) -> io::Result<()> {
        match by {
            0 => Ok(()),
            by => write!(io::stderr(), "\x1b[{by}{direction}"),
        }
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        u16::try_from(super::terminal::width()).unwrap_or(u16::MAX)
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.go(lines, 'A')
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.go(lines, 'B')
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.go(columns, 'C')
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.go(columns, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        io::stderr().write_all(format!("{text}\n").as_bytes())
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        // The library fills the line with spaces, which would push the cursor to its end.
        if !text.is_empty() && text.bytes().all(|byte| byte == b' ') {
            return io::stderr().write_all(b"\x1b[K");
        }
        io::stderr().write_all(text.as_bytes())
    }

    fn clear_line(&self) -> io::Result<()> {
        io::stderr().write_all(b"\x1b[2K\r")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
}
