//! `match goldfish`: one player alone, to see how a deck draws.

use super::games::Format;
use super::new::TableOptions;
use super::play::show;
use super::{Chance, Failure, Options, files, inputs, terminal};
use crate::cli::odds;
use crate::matches::{Alone, EVENTS, MOVES_HELP, Match, Move, Play, SeatId, UnprovedPlay};
use crate::odds::{DrawSchedule, OddsDefaults};
use crate::text::{counted, harmless};
use serde_json::{Value, json};
use std::io::{self, BufRead};
use std::path::PathBuf;

const HELP: &str = "\
next [N]                         your next turn: draws as the game does, or N cards
event                            something happened that draws more from the next turn on
save FILE                        keep the game and every move in a file";

/// Plays a deck alone: opening hand, the game's mulligan, then turn after turn with the
/// game's own draws. No card text is judged. With `--to FILE` every move is kept there; such
/// a file is carried on in place of a deck.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  printf 'next\\nnext\\n' | decklaw match goldfish deck.txt --seed monday"
)]
pub(crate) struct Goldfish {
    /// The deck, or a file of such a game
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    #[command(flatten)]
    table: TableOptions,
    #[command(flatten)]
    chance: Chance,
}

/// A game that is on, and how its game draws.
struct Session {
    play: Play,
    odds: OddsDefaults,
    to: Option<PathBuf>,
}

/// The lines of the player, or of a script.
type Lines<'a> = &'a mut dyn Iterator<Item = io::Result<String>>;

impl Goldfish {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        if self.deck.as_os_str() == "-" {
            return Err(Failure::call(
                "standard input is for your moves: name the deck's file",
            ));
        }
        let text = files::read(&self.deck)?;
        let stdin = io::stdin();
        let mut lines = stdin.lock().lines();
        let session = match UnprovedPlay::is_one(&text) {
            true => Some(self.carried_on(&text, options)?),
            false => self.begun(options, &mut lines)?,
        };
        match session {
            Some(session) => session.run(&mut lines),
            None => Ok(()),
        }
    }

    fn carried_on(&self, text: &[u8], options: &Options) -> Result<Session, Failure> {
        let (play, format) = files::prove_play(text, &self.deck, options)?;
        if play.alone.is_none() {
            return Err(Failure::refused(
                "this is a game of several players: carry on with `match play`",
            ));
        }
        Ok(Session {
            odds: format.odds(options)?,
            play,
            to: Some(options.to.clone().unwrap_or_else(|| self.deck.clone())),
        })
    }

    /// Deals the deck and has the opening hand kept; nothing where the lines end before.
    fn begun(&self, options: &Options, lines: Lines<'_>) -> Result<Option<Session>, Failure> {
        let judge = inputs::judge(options)?;
        let bytes = inputs::deck_bytes(&self.deck)?;
        let read = inputs::deck(&judge, options, &self.deck, inputs::InputKind::Text, &bytes)?;
        let (deck, rulebook) = read.map_err(Failure::Refused)?;
        let first = deck.sections.first().map(|section| section.id.to_string());
        let (mut format, mut wanted) = self.table.wanted(rulebook.format().id(), options)?;
        wanted.decks = vec![format.deck(&self.deck, self.table.allow_illegal)?.1];
        let section = format.setup.dealt_instead(&wanted, first.as_deref());
        format.setup = format.setup.alone(section.as_deref())?;
        let chance = self.chance.randomness()?;
        let mut start = Match::start(&format.game(), wanted, chance, Vec::new(), None)?;
        files::print(&format!(
            "One player alone. No card text is judged: the table does what you say.\n{}",
            start
                .view(crate::matches::Reader::Seat(SeatId::A))?
                .to_text()
        ))?;
        while let Some(pending) = start.pending.first() {
            let bottom = pending["bottom"].as_u64().unwrap_or(0);
            let under = match bottom {
                0 => String::new(),
                _ => format!(
                    " SLOT… (slots of the hand from 0; {} to the bottom)",
                    counted(bottom as i64, "card")
                ),
            };
            files::print(&format!("keep{under}, or mulligan? "))?;
            let Some(line) = next_line(lines)? else {
                return Ok(None);
            };
            let decided = decision(&start, &line)
                .and_then(|decision| Ok(start.decide(&format.game(), &[decision], None)?));
            match decided {
                Ok(decided) => {
                    start = decided;
                    let view = start.view(crate::matches::Reader::Seat(SeatId::A))?;
                    files::print(&format!("\n{}", view.to_text()))?;
                }
                Err(Failure::Call(told) | Failure::Refused(told)) => {
                    files::print("\n")?;
                    terminal::complain("not done", &told);
                }
            }
        }
        let mut play = Play::begin(start)?;
        play.alone = Some(Alone { section });
        let session = Session {
            play,
            odds: format.odds(options)?,
            to: options.to.clone(),
        };
        session.keep()?;
        Ok(Some(session))
    }
}

fn next_line(lines: Lines<'_>) -> Result<Option<String>, Failure> {
    match lines.next() {
        None => Ok(None),
        Some(Ok(line)) => Ok(Some(line.trim().to_owned())),
        Some(Err(error)) => Err(Failure::refused(format!("cannot read: {error}"))),
    }
}

/// The decision that a line means: to keep, with slots of the hand, or to draw another.
fn decision(start: &Match, line: &str) -> Result<Value, Failure> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let hand = start.table.place(SeatId::A, "hand")?;
    let hand = &start.table.zone(hand).slots;
    match words.as_slice() {
        ["mulligan"] => Ok(json!({"step": "mulligan", "seat": "A", "choice": "mulligan"})),
        ["keep", slots @ ..] => {
            let id = |word: &&str| {
                let slot = word.parse::<usize>().ok().and_then(|slot| hand.get(slot));
                let slot =
                    slot.ok_or_else(|| Failure::refused("there is no such slot in the hand"));
                Ok(start.table.instance(slot?.card).id.clone())
            };
            let bottom: Result<Vec<String>, Failure> = slots.iter().map(id).collect();
            Ok(json!({"step": "mulligan", "seat": "A", "choice": "keep", "bottom": bottom?}))
        }
        _ => Err(Failure::refused("type `keep` or `mulligan`")),
    }
}

impl Session {
    fn run(mut self, lines: Lines<'_>) -> Result<(), Failure> {
        files::print(&format!("{MOVES_HELP}\n{HELP}\nAlso: show, help, quit. "))?;
        files::print(&match &self.to {
            Some(to) => format!("Every move is kept in {}\n", shown(to)),
            None => "Nothing is kept unless you `save FILE`.\n".to_owned(),
        })?;
        loop {
            files::print(&format!("turn {}> ", self.play.now.turns))?;
            let Some(line) = next_line(lines)? else {
                return files::print("\n");
            };
            let words: Vec<&str> = line.split_whitespace().collect();
            let done = match words.as_slice() {
                [] => continue,
                ["quit"] => return Ok(()),
                ["help"] => {
                    files::print(&format!("{MOVES_HELP}\n{HELP}\n"))?;
                    continue;
                }
                ["show"] => {
                    show(&self.play, SeatId::A)?;
                    continue;
                }
                ["save", ..] => {
                    self.to = Some(PathBuf::from(line["save".len()..].trim()));
                    self.keep()
                }
                ["next"] => self.next(None),
                ["next", number] => match number.parse() {
                    Ok(number) => self.next(Some(number)),
                    Err(_) => Err(Failure::refused("`next N` takes a whole number")),
                },
                ["event"] => self.event(),
                ["pass"] => Err(Failure::refused("nobody else is there: type `next`")),
                ["undo"] => self.act(Move::Undo {
                    by: vec![SeatId::A],
                }),
                _ => match self.play.typed(&line, SeatId::A) {
                    Ok(done) => self.act(done),
                    Err(error) => Err(error.into()),
                },
            };
            if let Err(Failure::Call(told) | Failure::Refused(told)) = done {
                // A slip of the keyboard ends no game.
                files::print("\n")?;
                terminal::complain("not done", &told);
            }
        }
    }

    fn act(&mut self, done: Move) -> Result<(), Failure> {
        self.play.act(done)?;
        self.keep()?;
        show(&self.play, SeatId::A)
    }

    fn next(&mut self, number: Option<u32>) -> Result<(), Failure> {
        let turn = u32::try_from(self.play.now.turns + 1).unwrap_or(u32::MAX);
        let done = self.play.next_turn(self.odds.draws, number);
        let drawn = match &done {
            Move::Next { count, .. } => *count,
            _ => 0,
        };
        self.play.act(done)?;
        self.keep()?;
        let mut told = format!("Turn {turn}: {}", counted(i64::from(drawn), "card"));
        told.push_str(" drawn.");
        if number.is_none() {
            told.push_str(match self.odds.draws {
                None => " This game says nothing of draws: `next N` draws.",
                Some(DrawSchedule::Action { .. }) => " Drawing is an action; one is reckoned.",
                Some(_) => "",
            });
        }
        files::print(&format!("{told}\n"))?;
        show(&self.play, SeatId::A)?;
        let table = &self.play.now.table;
        let mut zones = table
            .seats
            .iter()
            .flat_map(|seat| &seat.zones)
            .chain(&table.shared);
        let empty = zones.any(|zone| {
            zone.seen == crate::matches::setup::Seen::ByNobody && zone.slots.is_empty()
        });
        match &self.odds.empty_deck {
            Some(what) if empty => files::print(&format!("The deck is empty. {what}\n")),
            None if empty => files::print("The deck is empty.\n"),
            _ => Ok(()),
        }
    }

    fn event(&mut self) -> Result<(), Failure> {
        match self.odds.draws {
            Some(DrawSchedule::Growing { .. } | DrawSchedule::Switching { .. }) => {
                self.act(Move::Count {
                    by: SeatId::A,
                    seat: SeatId::A,
                    counter: EVENTS.to_owned(),
                    change: 1,
                })
            }
            _ => Err(Failure::refused("nothing changes how this game draws")),
        }
    }

    fn keep(&self) -> Result<(), Failure> {
        match &self.to {
            Some(to) => files::write_file(to, &self.play.to_json()),
            None => Ok(()),
        }
    }
}

fn shown(path: &std::path::Path) -> String {
    harmless(&path.display().to_string(), false).into_owned()
}

impl Format {
    /// How the game draws.
    fn odds(&self, options: &Options) -> Result<OddsDefaults, Failure> {
        let judge = inputs::judge(&Options {
            format: None,
            cards: Vec::new(),
            set: Vec::new(),
            ..options.clone()
        })?;
        Ok(odds::defaults(&judge, self.game_id())?)
    }
}
