//! Standard output and standard error: the only doors to them.
#![allow(clippy::print_stderr)]

use super::{Colour, Options, Refusal};
use crate::text::harmless;
pub(super) use crate::text::wrapped;
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

/// Says something about the run on standard error.
pub(super) fn complain(kind: &str, message: &str) {
    let say = || eprintln!("{kind}: {}", harmless(message, true));
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match bar {
        Some(bar) => bar.suspend(say),
        None => say(),
    }
}

/// How wide lines may be.
pub(super) fn width() -> usize {
    let told = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(asked).unwrap_or(80).clamp(20, 120)
}

/// The bar that is on the screen, if there is one.
static BAR: Mutex<Option<indicatif::ProgressBar>> = Mutex::new(None);

/// How far a run has come, as a bar on standard error. It is cleared away when it is dropped.
#[derive(Debug)]
pub(super) struct Progress(Option<indicatif::ProgressBar>);

/// A bar for so many decks; none with `quiet`, or where standard error is no terminal.
pub(super) fn progress(quiet: bool, decks: usize) -> Progress {
    if quiet || !std::io::stderr().is_terminal() {
        return Progress(None);
    }
    let target = indicatif::ProgressDrawTarget::stderr_with_hz(5);
    let bar = indicatif::ProgressBar::with_draw_target(Some(decks as u64), target);
    let template = "{bar:30} {pos} of {len} decks, {eta} to go";
    let bar = match indicatif::ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    super::files::mind_interruptions();
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
    Progress(Some(bar))
}

impl Progress {
    /// So many more decks are done.
    pub(super) fn add(&self, decks: usize) {
        if let Some(bar) = &self.0 {
            bar.inc(decks as u64);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        clear_bar();
    }
}

/// Takes the bar off the screen.
pub(super) fn clear_bar() {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

/// Whether colours are wanted on standard output.
pub(super) fn colour(options: &Options) -> bool {
    match options.color {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            !refused && std::io::stdout().is_terminal()
        }
    }
}

/// Writes results to standard output. A reader who has seen enough is no error.
///
/// # Errors
/// When they cannot be written.
pub(super) fn print(text: &[u8]) -> Result<(), Refusal> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Refusal(format!("standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// An empty table as wide as the terminal.
pub(super) fn table(head: &[&str]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width()).unwrap_or(80));
    table.set_header(head.to_vec());
    table
}

/// A table's text, harmless and without trailing spaces.
pub(super) fn shown(table: &comfy_table::Table) -> String {
    let text = table.to_string();
    let lines = text.lines().map(|line| line.trim_end().to_owned() + "\n");
    harmless(&lines.collect::<String>(), true).into_owned()
}
