//! `decklaw man`: manual pages, made of what the commands say of themselves.

use super::files::Readers;
use super::output::{self, Text};
use super::{Answer, Refusal, Run};
use clap::Command;
use clap_mangen::Man;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(super) struct Manual {
    /// Write a page for every command into this folder, as `man` looks for them
    #[arg(long, value_name = "DIR")]
    to_dir: Option<PathBuf>,
}

impl Manual {
    /// The page of the whole program, or a page for each of its commands.
    pub(super) fn run(&self, program: Command, run: &Run) -> Answer {
        let text = match &self.to_dir {
            None => String::from_utf8_lossy(&page(&Man::new(program))?).into_owned(),
            Some(folder) => {
                if run.options.to.is_some() {
                    let why = "--to-dir writes a file for each command, and --to names one";
                    return Err(Refusal(why.to_owned()));
                }
                std::fs::create_dir_all(folder)?;
                let mut program = program.disable_help_subcommand(true);
                program.build();
                let pages = write(run, &program, folder)?;
                let pages = crate::text::counted(pages, "page");
                format!("{}: {pages}\n", folder.display())
            }
        };
        output::emit(run, &Text::from(text), &[])
    }
}

fn page(man: &Man) -> Result<Vec<u8>, Refusal> {
    let mut page = Vec::new();
    man.render(&mut page)?;
    Ok(page)
}

/// Writes the pages of a command and of those below it; tells how many.
fn write(run: &Run, command: &Command, folder: &Path) -> Result<i64, Refusal> {
    let shown = command
        .get_subcommands()
        .filter(|below| !below.is_hide_set());
    let mut pages = 1;
    for below in shown {
        pages += write(run, below, folder)?;
    }
    let man = Man::new(command.clone());
    let file = folder.join(man.get_filename());
    run.write(&file, &page(&man)?, Readers::Anyone)?;
    Ok(pages)
}
