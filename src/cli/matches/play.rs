//! `match play`: a table that knows no rules, in the browser.

use super::entered::format_of;
use super::games::JudgedFormat;
use super::{CliError, Judging, Run, files, options, warn};
use crate::cli::files::{Exchange, Readers, exchange};
use crate::cli::inputs::DeckBytes;
use crate::matches::{Match, NewMatch, Randomness, UnverifiedMatch};
use crate::serve::{ToPlay, WriteMatch};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Play a match, or a deck alone, at a table in the browser
// What is decided and moved there is kept in the match file. A deck alone has one seat, the game's
// own opening hand and its own draws, and nothing of it is kept.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw match play match.json\n  decklaw match play decks/shell/ebb.txt"
)]
pub(crate) struct PlayOn {
    /// The match file, or a deck
    #[arg(value_name = "FILE|DECK")]
    file: PathBuf,
    /// Print the address instead of opening a browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    judging: Judging,
}

impl PlayOn {
    pub(super) fn run(&self, run: &Run) -> Result<(), CliError> {
        if self.file.as_os_str() == "-" {
            return Err(CliError::call("what is played is kept, so it must be in a file"));
        }
        let file = DeckBytes::open(run, &self.file, None)?;
        let (made, write): (Match, WriteMatch) = if UnverifiedMatch::is_like(&file.bytes) {
            let (made, _, warning) = files::prove_match(&file.bytes, &self.file, &self.judging)?;
            warning.iter().for_each(|warning| warn(run, warning));
            (made, self.keeping(file.bytes))
        } else {
            (self.alone(file, run)?, Box::new(|_: &str| Ok(())))
        };
        let file_name = self.file.file_stem().unwrap_or_default();
        let to_play =
            ToPlay { title: file_name.to_string_lossy().into_owned(), file: made.to_json(), write };
        crate::cli::serve::play(to_play, self.judging.of(None), !self.no_open, run).map(drop)
    }

    /// Keeps what is played in the file that held `before`, unless another program changes it.
    fn keeping(&self, before: Vec<u8>) -> WriteMatch {
        let path = self.file.clone();
        let known = Mutex::new(before);
        Box::new(move |text| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            match exchange(&path, &known, text.as_bytes(), Readers::Owner) {
                Ok(Exchange::Done) => {
                    *known = text.as_bytes().to_vec();
                    Ok(())
                }
                Ok(Exchange::Changed) => Err(format!(
                    "{} was changed meanwhile; call `decklaw match play` again to go on from it",
                    path.display()
                )),
                Err(error) => Err(error.message),
            }
        })
    }

    /// A match of one seat with this deck.
    fn alone(&self, deck: DeckBytes, run: &Run) -> Result<Match, CliError> {
        let id = format_of(&deck, run, &self.judging)?;
        let format = JudgedFormat::load(&id, run, &self.judging)?.alone();
        let (player, deck) = format.registered(run, deck, true)?;
        let wanted = NewMatch {
            decks: vec![deck],
            players: player.into_iter().collect(),
            settings: options::settings(&self.judging.by.settled.set)?,
            ..NewMatch::default()
        };
        let chance = Randomness::from_system()?;
        let made = Match::start(&format.game(), wanted, chance, Vec::new(), None)?;
        Ok(made.begin_alone(&format.game())?)
    }
}
