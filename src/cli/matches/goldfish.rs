//! `match goldfish`: a deck tried alone, at the same table that knows no rules.

use super::asides::{self, answered};
use super::asking::is_screen;
use super::asking::{Ended, set_up};
use super::brought::format_of;
use super::games::PlayedFormat;
use super::kept::{Kept, Written, told};
use super::line::ask_with;
use super::pages::shown;
use super::play::leave;
use super::turns::{Below, show};
use super::{Chance, Failure, Run, files, new, warn};
use crate::cli::output::is_same;
use crate::matches::{Match, Move, NewMatch, Play, SeatId, Unproved, UnprovedPlay, moves_help};
use crate::odds::{DrawEvent, OddsDefaults};
use crate::text::counted;
use std::path::PathBuf;

/// What can be typed.
fn help(draws: &OddsDefaults) -> String {
    let mut text = format!(
        "{}\n\
         next [N]                         the next turn; N cards instead of the game's own draw\n",
        moves_help()
    );
    if let Some(DrawEvent { name, told, .. }) = &draws.event {
        text.push_str(&format!("{:32} {told}\n", format!("event {name}")));
    }
    text.push_str(&format!("Also:\n{}\n", asides::HELP));
    text
}

/// Try a deck alone: opening hand, mulligans, turn after turn, no rules
///
/// Mulligans follow the game's own rule, turns its own draw; `event` says what changes that
/// draw. It never judges what a
/// card says. With `--to FILE` every move is kept; such a file is carried on.
#[derive(Debug, clap::Args)]
pub(crate) struct Goldfish {
    /// The deck, or a file of a game begun
    deck: PathBuf,
    #[command(flatten)]
    chance: Chance,
    /// Let a deck in that is not legal; the file records what it breaks
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
                ("--seed-part", !self.chance.seed_part.is_empty()),
                ("--share-file", self.chance.share_file.is_some()),
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
        let mut kept = match run.options.to.as_deref() {
            Some(to) if !in_place => Some(Kept::new(to, run.options.replace, run)),
            to => begun.then(|| Kept::read(to.unwrap_or(&self.deck), &text, run)),
        };
        turns(run, play, &format, kept.as_mut())
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
        let randomness = self.chance.randomness(run)?;
        let start = Match::start(&format.game(), wanted, randomness, Vec::new(), None)?;
        Ok(match set_up(run, start, format, |_| Ok(None))? {
            Ended::Ready(start) => Some(*start),
            Ended::Left(_) => None,
        })
    }
}

/// Turn after turn, until the player leaves.
fn turns(
    run: &Run,
    mut play: Play,
    format: &PlayedFormat,
    mut kept: Option<&mut Kept<'_>>,
) -> Result<(), Failure> {
    let (by, screen) = (SeatId::A, is_screen());
    let draws = format.draws()?;
    let mut below = Below::default();
    if screen {
        below.say(
            run,
            "note",
            "`next` begins a turn; `help` lists the rest, Tab completes, `quit` leaves",
        )?;
    } else {
        files::print(&help(&draws))?;
    }
    if draws.draws.is_none() {
        below.say(
            run,
            "note",
            "how this game draws is not known: `next N` draws N cards",
        )?;
    }
    if let Some(kept) = &mut kept {
        below.say(
            run,
            "note",
            &format!("every move is kept in {}", kept.shown()),
        )?;
        let before = play.entries.len();
        if let Written::Meanwhile(newer) = kept.write(&play, before)? {
            play = *newer;
        }
    }
    if !screen {
        show(&play, by)?;
    }
    // What was typed while something was shown.
    let mut typed = String::new();
    loop {
        if screen {
            below.draw(&play, by, &[])?;
        }
        let complete = |line: &str| {
            let mut words = play.completions(line, by);
            let next = !line.is_empty() && "next".starts_with(line);
            words.extend(next.then(|| "next".to_owned()));
            words
        };
        let question = format!("turn {}> ", play.now.turns);
        let line = match std::mem::take(&mut typed) {
            typed if typed.is_empty() => ask_with(&question, &complete)?,
            typed => Some(typed),
        };
        let Some(line) = line else {
            return kept.as_ref().map_or(Ok(()), |_| leave(&play));
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let (done, missing) = match words.as_slice() {
            [] => continue,
            ["quit" | "q"] => return kept.as_ref().map_or(Ok(()), |_| leave(&play)),
            ["help" | "?"] => {
                typed = shown(&help(&draws))?;
                continue;
            }
            ["show"] => {
                if !screen {
                    show(&play, by)?;
                }
                continue;
            }
            ["undo" | "u"] => (Ok(Move::Undo { by: vec![by] }), 0),
            ["next" | "pass" | "p"] => {
                let (done, missing) = play.next_turn(&draws, None);
                (Ok(done), missing)
            }
            ["next", number] => match number.parse() {
                Ok(number) => {
                    let (done, missing) = play.next_turn(&draws, Some(number));
                    (Ok(done), missing)
                }
                Err(_) => {
                    below.say(run, "not done", "`next N` draws a whole number of cards")?;
                    continue;
                }
            },
            ["event", name] => (play.event(draws.event.as_ref(), name), 0),
            _ => {
                if let Some(told) = answered(&line, &play, by, Some(format))? {
                    typed = shown(&told)?;
                    continue;
                }
                (play.typed(&line, by), 0)
            }
        };
        let before = play.entries.len();
        let remarked = done.clone();
        match done.and_then(|done| play.act(done)) {
            Ok(()) => {
                if let Some(kept) = &mut kept
                    && let Written::Meanwhile(newer) = kept.write(&play, before)?
                {
                    below.say(run, "not done", &told(&newer, before, by)?)?;
                    play = *newer;
                }
                if !screen {
                    show(&play, by)?;
                }
                if missing > 0 {
                    let what = draws.empty_deck.as_deref().unwrap_or("");
                    let cards = counted(i64::from(missing), "card");
                    below.say(run, "note", &format!("{cards} could not be drawn. {what}"))?;
                }
                for remark in remarked.iter().flat_map(|done| play.remarks(done)) {
                    below.say(run, "note", &remark)?;
                }
            }
            // A slip of the keyboard ends no game.
            Err(error) => below.say(run, "not done", &error.to_string())?,
        }
    }
}
