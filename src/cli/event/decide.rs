//! `event decide`: records a decision that is given in words.

use super::super::options::{Output, kinds};
use super::super::output::{Text, emit};
use super::super::{Answer, Run, files};
use super::{Folder, organiser};
use std::path::Path;

/// Record a decision
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<Text>),
    after_help = "About a deck:    e012 yes | is PLAYER | is new | in-time | late | counts | out | read-as FILE
About a player:  p017 same PLAYER | table 4 | name TEXT | lock | unlock | expected | unexpected
                 | forget
About the event: all yes | all lock | all unlock | all publish | all unpublish
                 | card NAME means CARD | draw N

Example:
  decklaw event decide autumn e010 is \"Eve Falk\" --why \"asked at the door\""
)]
pub(in super::super) struct Decide {
    #[command(flatten)]
    folder: Folder,
    /// The entry, player or card, and the decision
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// The reason
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Who decides [default: you]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Decide {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let mut event = self.folder.open()?;
        let author = organiser(self.by.as_deref());
        let mut words = self.words.clone();
        if let [_, word, file] = words.as_mut_slice()
            && word == "read-as"
        {
            let bytes = files::read_file(Path::new(file))?;
            *file = String::from_utf8_lossy(&bytes).into_owned();
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let decided = event.decide_in_words(&author, &words, self.why.clone())?;
        emit(run, &self.output, &Text::from(decided.text))
    }
}
