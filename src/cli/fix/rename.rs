//! Misspelt names: those with one near card are corrected before a deck is mended.

use crate::cli::Run;
use crate::deck::Input;
use crate::resolve::Resolved;
use crate::solve::{self, Misnamed};
use crate::text::listed;

/// The text of a deck with its misspelt names corrected, and those names; `None`: there are none,
/// or the file is written so that none can be corrected.
pub(super) fn corrected(
    run: &Run,
    name: &str,
    (bytes, input): (&[u8], Input),
    deck: &Resolved<'_>,
) -> Option<(Vec<u8>, Vec<Misnamed>)> {
    let mut misnamed = solve::misnamed(deck);
    misnamed.retain(|one| one.certain);
    if misnamed.is_empty() {
        return None;
    }
    match solve::renamed(bytes, input, deck, &misnamed) {
        Ok(text) => Some((text, misnamed)),
        Err(error) => {
            let message = format!("{name}: misspelt names are not corrected: {error}");
            run.complain("note", &message);
            None
        }
    }
}

/// A name that was corrected: its lines, and what it is now.
pub(super) fn text(one: &Misnamed) -> String {
    let meant = one.meant().unwrap_or_default();
    format!("{}: {} → {meant}", lines(one), one.name)
}

fn lines(one: &Misnamed) -> String {
    const MOST: usize = 5;
    let mut numbers: Vec<String> = one.lines.iter().take(MOST).map(u32::to_string).collect();
    if one.lines.len() > MOST {
        numbers.push(format!("{} more", one.lines.len() - MOST));
    }
    let noun = if one.lines.len() == 1 {
        "line"
    } else {
        "lines"
    };
    format!("{noun} {}", listed(&numbers, "and"))
}
