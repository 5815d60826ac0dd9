//! `match show` and `match sheet`: a whole match, for a judge or on paper.

use super::{CliError, ConfigurationOptions, Output, Run, files, kinds};
use crate::cli::output::Text;
use crate::matches::Reader;
use crate::render::{Kind, Written};
use crate::text::escape_control;
use std::path::PathBuf;

/// Show a whole match with its log, for a judge
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Text>), after_help = "Example:\n  decklaw match show match.json")]
pub(crate) struct Show {
    /// The match file
    file: PathBuf,
    #[command(flatten)]
    configured: ConfigurationOptions,
    #[command(flatten)]
    output: Output,
}

impl Show {
    pub(super) fn run(&self, run: &Run) -> Result<(), CliError> {
        let outputs = files::outputs::<Text>(&self.output, None)?;
        let (made, format) = files::read_match(&self.file, run, &self.configured.clone().into())?;
        let sheet = made.sheet()?.to_text().replace('\u{c}', "\n");
        let log = made.log(&format.rules.setup, format.mat()?.as_ref())?;
        // Decisions of the setup have no number: moves count from 1.
        let (mut text, mut moves) = (String::new(), 0);
        for line in log.lines(0, Reader::Public) {
            let sentence = escape_control(line.text, false);
            match line.turn {
                None => text.push_str(&format!("      {sentence}\n")),
                Some(_) => {
                    moves += 1;
                    text.push_str(&format!("{moves:>4}  {sentence}\n"));
                }
            }
        }
        files::finish(run, outputs, |_| {
            if text.is_empty() { sheet.clone() } else { format!("{sheet}\nLog\n{text}") }
        })
    }
}

/// Print a start position, with hidden parts on their own pages
// HTML, or with `-o text` text, a form feed between pages.
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<SheetOf>), after_help = "Example:\n  decklaw match sheet match.json --to sheet.html")]
pub(crate) struct SheetOf {
    /// The match file
    file: PathBuf,
    #[command(flatten)]
    configured: ConfigurationOptions,
    #[command(flatten)]
    output: Output,
}

const HTML: Kind = Kind::Data("html");

impl Written for SheetOf {
    const KINDS: &'static [Kind] = &[HTML, Kind::Data("text")];
}

impl SheetOf {
    pub(super) fn run(&self, run: &Run) -> Result<(), CliError> {
        let outputs = files::outputs::<SheetOf>(&self.output, None)?;
        let (made, _) = files::read_match(&self.file, run, &self.configured.clone().into())?;
        let sheet = made.sheet()?;
        files::finish(run, outputs, |kind| match kind {
            HTML => sheet.to_html(),
            _ => sheet.to_text(),
        })
    }
}
