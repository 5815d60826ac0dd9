//! Standard output and standard error: the only doors to them.
#![allow(clippy::print_stderr)]

use super::{Colour, Options, Refusal};
use crate::text::harmless;
use std::io::{IsTerminal, Write};

/// Says something about the run on standard error.
pub(super) fn complain(kind: &str, message: &str) {
    eprintln!("{kind}: {}", harmless(message, true));
}

/// How wide lines may be.
pub(super) fn width() -> usize {
    let told = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(asked).unwrap_or(80).clamp(20, 120)
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
