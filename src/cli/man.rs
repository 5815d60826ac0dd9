//! `decklaw man`: the manual page, made of what the commands say of themselves.

use super::output::{self, Text};
use super::{Answer, Run};
use clap::Command;
use clap_mangen::Man;

/// Writes the page of the whole program.
pub(super) fn run(program: Command, run: &Run) -> Answer {
    let mut page = Vec::new();
    Man::new(program).render(&mut page)?;
    let page = String::from_utf8_lossy(&page).into_owned();
    output::emit(run, &Text::from(page), &[])
}
