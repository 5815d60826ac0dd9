//! `match goldfish`: a deck tried alone, at the same table that knows no rules.

use super::asking::{Ended, set_up};
use super::brought::format_of;
use super::games::PlayedFormat;
use super::kept::Kept;
use super::turns::turns;
use super::{Chance, Failure, Run, files, new, warn};
use crate::cli::output::is_same;
use crate::matches::{Match, NewMatch, Play, Unproved, UnprovedPlay};
use std::path::PathBuf;

/// Try a deck alone: opening hand, mulligans, turns, no rules; --to keeps every move
// Mulligans follow the game's own rule, turns its own draw; `event` says what changes that
// draw. It never judges what a
// card says. With `--to FILE` every move is kept; such a file is carried on.
#[derive(Debug, clap::Args)]
pub(crate) struct Goldfish {
    /// The deck, or a file of a game begun
    deck: PathBuf,
    #[command(flatten)]
    chance: Chance,
    /// Take decks that are not legal; the file says so
    #[arg(long)]
    allow_illegal: bool,
}

impl Goldfish {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        files::only_to_screen(run)?;
        let text = files::read(run, &self.deck)?;
        let begun = UnprovedPlay::is_one(&text);
        let in_place = begun
            && run
                .options
                .to
                .as_ref()
                .is_none_or(|to| is_same(to, &self.deck));
        if let Some(to) = run
            .options
            .to
            .as_ref()
            .filter(|_| !in_place && !run.options.replace)
            && std::fs::metadata(to).is_ok_and(|found| found.is_file() && found.len() > 0)
        {
            return Err(Failure::call(format!(
                "{} exists already; name another file, or let this one take its place with \
                 `--replace`",
                to.display()
            )));
        }
        let (play, format) = if begun {
            let idle = [
                ("--seed", self.chance.seed.is_some()),
                ("--allow-illegal", self.allow_illegal),
                ("--format", run.options.format.is_some()),
                ("--set", !run.options.set.is_empty()),
            ];
            if let Some((option, _)) = idle.iter().find(|(_, given)| *given) {
                return Err(Failure::call(format!(
                    "this game has begun, with its own deck and chance; `{option}` is for a \
                     deck, leave it out"
                )));
            }
            let (play, format, warning) = files::prove_play(&text, &self.deck, run)?;
            warning.iter().for_each(|warning| warn(run, warning));
            if play.now.table.seats.len() > 1 {
                return Err(Failure::refused(
                    "several people play this game: carry it on with `match play`",
                ));
            }
            {
                let settings = play.start.inputs.settings.clone();
                (play, format.judging(&settings, run)?.alone())
            }
        } else if Unproved::read(&text).is_ok() {
            return Err(Failure::refused(
                "this is a match, not a deck: play it on with `match play`",
            ));
        } else {
            let format = PlayedFormat::load(&format_of(&self.deck, &text, run)?, run)?.alone();
            let Some(start) = self.opening(&format, run)? else {
                return Ok(());
            };
            (Play::begin(start)?, format)
        };
        let kept = match run.options.to.as_deref() {
            Some(to) if !in_place => Some(Kept::new(to, run.options.replace, run)),
            to => begun.then(|| Kept::read(to.unwrap_or(&self.deck), &text, run)),
        };
        let draws = format.draws()?;
        turns(run, play, kept, Some(&format), Some(&draws))
    }

    /// Sets up, and asks about the opening hand. `None`: the player left.
    fn opening(&self, format: &PlayedFormat, run: &Run) -> Result<Option<Match>, Failure> {
        let (player, deck) = format.deck(run, &self.deck, self.allow_illegal)?;
        let wanted = NewMatch {
            decks: vec![deck],
            players: player.into_iter().collect(),
            settings: new::settings(run)?,
            ..NewMatch::default()
        };
        let randomness = self.chance.randomness()?;
        let start = Match::start(&format.game(), wanted, randomness, Vec::new(), None)?;
        Ok(match set_up(run, start, format, |_| Ok(None))? {
            Ended::Ready(start) => Some(*start),
            Ended::Left(_) => None,
        })
    }
}
