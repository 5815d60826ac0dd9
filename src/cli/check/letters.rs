//! `--letters DIR`: a text for each player of a form.

use crate::cli::files::Readers;
use crate::cli::{Refusal, Run, inputs};
use crate::report::letter::{BUILT_IN, Letter, Letters, file_names};
use crate::yaml::{FileError, Problem};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Letters")]
pub(super) struct Mail {
    /// Write a letter to each player into this folder
    #[arg(
        long,
        value_name = "FOLDER",
        requires = "submissions",
        conflicts_with = "registered"
    )]
    letters: Option<PathBuf>,
    /// Your own letter, as docs/letters.md says
    #[arg(long, value_name = "FILE", requires = "letters")]
    template: Option<PathBuf>,
}

impl Mail {
    /// The template, where letters are asked for; `carried` are columns that it may name.
    ///
    /// # Errors
    /// A template that cannot be read, with what it does not know.
    pub(super) fn template(
        &self,
        run: &Run,
        carried: &[String],
    ) -> Result<Option<Letters>, Refusal> {
        if self.letters.is_none() {
            return Ok(None);
        }
        let Some(path) = &self.template else {
            return read("the built-in letter", BUILT_IN, carried).map(Some);
        };
        let name = path.display().to_string();
        let bytes = inputs::read_file(run, path)?;
        let text = crate::yaml::text_of(&name, &bytes).map_err(|error| inputs::explain(&error))?;
        read(&name, text, carried).map(Some)
    }

    /// Writes the letters, and says how many there are.
    ///
    /// # Errors
    /// A folder or a letter that cannot be written, or that is there already.
    pub(super) fn write(&self, run: &Run, letters: &[Letter]) -> Result<(), Refusal> {
        let Some(folder) = &self.letters else {
            return Ok(());
        };
        let cannot = |error| Refusal(format!("{}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(cannot)?;
        for (name, letter) in file_names(letters).iter().zip(letters) {
            run.write(&folder.join(name), letter.text.as_bytes(), Readers::Anyone)?;
        }
        let counted = crate::text::counted(letters.len() as i64, "letter");
        run.complain("note", &format!("{}: {counted}", shown(folder)));
        Ok(())
    }
}

fn shown(path: &Path) -> String {
    crate::text::harmless(&path.display().to_string(), false).into_owned()
}

fn read(name: &str, text: &str, carried: &[String]) -> Result<Letters, Refusal> {
    Letters::read(text, carried).map_err(|error| {
        let hint = "; a column of the form is one with `--carry all`";
        let hint = if carried.is_empty() && error.message.contains("no field") {
            hint
        } else {
            ""
        };
        inputs::explain(&FileError {
            name: name.to_owned(),
            text: text.to_owned(),
            problems: vec![Problem::new(format!("{}{hint}", error.message), error.span)],
        })
    })
}
