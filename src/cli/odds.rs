//! `decklaw odds`: exact draw probabilities.

use super::files::{Draft, Readers};
use super::inputs::{self, InputKind};
use super::marked::{QUERY, marked};
use super::options::{Judging, Output, kinds};
use super::{Answer, Outcome, Refusal, Run, output, remedies};
use crate::judge::Judge;
use crate::odds::render::{ShowWork, Shown, to_svg};
use crate::odds::{
    self, Asked, Drawn, Events, Mulligan, OddsDefaults, OddsError, OddsReport, Part, Population,
};
use crate::render::Kind;
use crate::resolve::Resolved;
use crate::yaml::{FileError, text_of};
use std::path::PathBuf;

/// The file of a game's folder that says how it draws.
pub(super) use crate::odds::ODDS;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<Shown<'_>>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw odds deck.txt\n  decklaw odds deck.txt '1+ [type:monster] and no [mana>=5]' --turns 6\n  decklaw odds deck.txt --expect 'sum(mana)'\n\nHAND counts groups of cards: `1+ [type:monster]`, `no \"Rain Caller\"`, `2..4 [mana<=2]`, joined with and, or, not.\n`decklaw explain queries` explains queries."
)]
pub(super) struct Odds {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK", required = true)]
    deck: Option<PathBuf>,
    /// What the hand must hold [default: the game's usual questions]
    #[arg(value_name = "HAND")]
    queries: Vec<String>,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Show turns 1 to N too
    #[arg(long, value_name = "N", value_parser = whole)]
    turns: Option<u32>,
    /// Keep opening hands that match [default: those that match the query]
    #[arg(long, value_name = "HAND|best", allow_hyphen_values = true)]
    keep_hand: Option<String>,
    /// Show mean and distribution of a total, such as 'sum(mana)'
    #[arg(long, value_name = "TOTAL", allow_hyphen_values = true)]
    expect: Option<String>,
    /// Conditions on the first cards drawn: '7: HAND; 9: HAND'
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    path: Option<String>,
    /// Deal N sample hands
    #[arg(long, value_name = "N", value_parser = whole)]
    deal: Option<u32>,
    /// Seed of the sample hands
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "decklaw",
        requires = "deal"
    )]
    seed: String,
    /// Show the counts behind the numbers
    #[arg(long)]
    show_work: bool,
    /// Write a chart as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Stop after about this much work
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = effort)]
    effort: u64,
    #[command(flatten)]
    drawing: Drawing,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

// What hands are drawn by, for every command that asks for odds.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Drawing {
    /// Cards in the opening hand [default: the game's]
    #[arg(long, value_name = "N", value_parser = whole)]
    hand: Option<u32>,
    /// Draw from this section [default: the game's]
    #[arg(long, value_name = "ID")]
    section: Option<String>,
    /// Condition on the opening hand matching HAND
    #[arg(long, value_name = "HAND", allow_hyphen_values = true)]
    given: Option<String>,
    /// Mulligan, such as 'shuffle, at most 2, bottom 0 1 2' [default: the game's]
    #[arg(long, value_name = "POLICY", value_parser = Policy::parse)]
    policy: Option<Policy>,
    /// Draw N more cards after the opening hand
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole)]
    draws: u32,
    /// Turns in which an event of the game changes the draws
    #[arg(long, value_name = "NAME=TURN,…", value_parser = events)]
    event: Option<Events>,
    /// Seat at the table, where seats draw differently
    #[arg(long, value_name = "SEAT", value_parser = seat, conflicts_with = "hand")]
    seat: Option<u32>,
}

/// What a call says of the mulligan, such as `shuffle, at most 2, bottom 0 1 2`; what it does not
/// say is the game's.
#[derive(Debug, Clone, Default)]
pub(super) struct Policy {
    mulligan: Option<Mulligan>,
    /// The most mulligans taken.
    most: Option<u32>,
    /// The cards bottomed on keeping after 0, 1, 2… mulligans.
    bottom: Option<Vec<u32>>,
}

impl Policy {
    pub(super) fn parse(text: &str) -> Result<Policy, String> {
        let mut policy = Policy::default();
        for part in text.split(',') {
            let words: Vec<&str> = part.split_whitespace().collect();
            let number = |word: &&str| {
                let number = word.parse::<u32>();
                number.map_err(|_| format!("`{word}` is no whole number"))
            };
            let twice = match words.as_slice() {
                ["none"] => policy.mulligan.replace(Mulligan::None).is_some(),
                ["aside"] => policy.mulligan.replace(Mulligan::Aside).is_some(),
                ["shuffle"] => policy.mulligan.replace(Mulligan::Shuffle).is_some(),
                ["at", "most", most] => policy.most.replace(number(most)?).is_some(),
                ["bottom", first, rest @ ..] => {
                    let all = [&[*first], rest].concat();
                    let all: Result<Vec<u32>, String> = all.iter().map(number).collect();
                    policy.bottom.replace(all?).is_some()
                }
                _ => {
                    return Err(format!(
                        "`{}` is none of `none`, `shuffle`, `aside`, `at most N` and `bottom N N …`",
                        part.trim()
                    ));
                }
            };
            if twice {
                return Err(format!(
                    "`{}` says again what stands before it",
                    part.trim()
                ));
            }
        }
        Ok(policy)
    }

    /// What it says, and nothing else.
    pub(super) fn asked(self) -> Asked {
        Asked {
            mulligan: self.mulligan,
            mulligans: self.most,
            bottom: self.bottom,
            ..Asked::default()
        }
    }
}

impl Odds {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let Some(path) = &self.deck else {
            return Err(Refusal("name the deck".to_owned()));
        };
        let outputs = output::Outputs::<Shown<'_>>::open(run, &self.output)?;
        for (given, option) in [
            (self.show_work, "--show-work"),
            (self.deal.is_some(), "--deal"),
        ] {
            if given && !outputs.any(|kind| !matches!(kind, Kind::Csv(_))) {
                let message = format!("{option} has no place in a table; use -o human or -o json");
                return Err(Refusal(message));
            }
        }
        let judge = inputs::judge(run, &self.judging)?;
        let bytes = inputs::deck_bytes(&judge, run, path)?;
        let svg = self.svg.as_ref();
        let svg = svg
            .map(|file| Draft::new(run, file, Readers::Anyone, self.output.place.replace))
            .transpose()?;
        let resolved = match inputs::deck(&judge, run, path, self.from, &bytes)? {
            Ok(resolved) => resolved,
            Err(message) => {
                run.complain("error", &message);
                return Ok(Outcome::No);
            }
        };
        let game = resolved.rulebook().format().game();
        let defaults = defaults(&judge, game.id())?;
        let drawn = self.drawing.drawn(&defaults, &resolved);
        let population = Population::of_section(&resolved, &drawn.section).map_err(refuse)?;
        let name = path.display().to_string();
        let report = odds::answer(&name, &population, &defaults, &self.asked()).map_err(refuse)?;
        let report = OddsReport {
            remarks: drawn.remark.into_iter().chain(report.remarks).collect(),
            ..report
        };
        if !outputs.any(|kind| !matches!(kind, Kind::Csv(_))) {
            let own = report.answers.iter().flat_map(|found| &found.remarks);
            for remark in own.chain(&report.remarks) {
                run.complain("notice", remark);
            }
        }
        let shown = Shown {
            report: &report,
            show: ShowWork(self.show_work),
        };
        let outcome = outputs.emit(run, &shown, &judge.given_so_far())?;
        if let Some(svg) = svg {
            svg.whole(to_svg(&report).as_bytes())?;
        }
        if report.is_complete() {
            Ok(outcome)
        } else {
            Ok(Outcome::No)
        }
    }

    fn asked(&self) -> Asked {
        Asked {
            queries: self.queries.clone(),
            turns: self.turns,
            keep: self.keep_hand.clone(),
            expect: self.expect.clone(),
            path: self.path.clone(),
            deal: self.deal.map(|count| (count, self.seed.clone())),
            work: Some(self.effort),
            ..self.drawing.asked()
        }
    }
}

impl Drawing {
    /// The section drawn from, as the option or the game's file says.
    pub(super) fn drawn(&self, defaults: &OddsDefaults, resolved: &Resolved<'_>) -> Drawn {
        let own = defaults.section.as_ref();
        let own = own.map(|section| section.value.as_str());
        Drawn::of(resolved, self.section.as_deref(), own)
    }

    /// What these options say.
    pub(super) fn asked(&self) -> Asked {
        Asked {
            hand: self.hand,
            given: self.given.clone(),
            draws: self.draws,
            events: self.event.clone().unwrap_or_default(),
            seat: self.seat,
            ..self.policy.clone().unwrap_or_default().asked()
        }
    }
}

/// How a game draws; a game without such a file says nothing about it.
pub(super) fn defaults(judge: &Judge, game: &str) -> Result<OddsDefaults, Refusal> {
    defaults_of(judge.game_file(game, "odds", ODDS))
}

/// The same of the path and the bytes of a game's file.
pub(super) fn defaults_of(file: Option<(String, &[u8])>) -> Result<OddsDefaults, Refusal> {
    let Some((name, bytes)) = file else {
        return Ok(OddsDefaults::default());
    };
    let text = text_of(&name, bytes).map_err(|error| inputs::explain(&error))?;
    OddsDefaults::read(text).map_err(|problem| {
        inputs::explain(&FileError {
            name,
            text: text.to_owned(),
            problems: vec![problem],
        })
    })
}

/// The work that counts as so many seconds.
fn effort(text: &str) -> Result<u64, String> {
    super::wishes::steps(text, odds::DEFAULT_WORK / 2)
}

/// An event by its name in the game, and the turns in which it happens.
fn events(text: &str) -> Result<Events, String> {
    let Some((name, turns)) = text.split_once('=') else {
        return Err("an event is its name and its turns, as in destroyed=2,4".to_owned());
    };
    let turns: Result<Vec<u32>, String> = turns.split(',').map(|turn| whole(turn.trim())).collect();
    Ok(Events {
        name: Some(name.trim().to_owned()),
        turns: turns?,
    })
}

/// A whole number from the command line.
pub(super) fn whole(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| "a whole number is wanted here, from 0".to_owned())
}

/// A seat by its number or its letter.
fn seat(text: &str) -> Result<u32, String> {
    let letter = |letter: &u8| letter.is_ascii_alphabetic();
    match text.as_bytes() {
        [only] if letter(only) => Ok(u32::from(only.to_ascii_uppercase() - b'A') + 1),
        _ => text
            .parse()
            .map_err(|_| "a seat is a letter or a number, as in A or 1".to_owned()),
    }
}

/// Explains what is wrong, with the query and the place in it.
pub(super) fn refuse(error: OddsError) -> Refusal {
    let option = match &error {
        OddsError::Query { what, .. } => match what {
            Part::Expect => Some("--expect"),
            Part::Keep => Some("--keep-hand"),
            Part::Given => Some("--given"),
            Part::Query | Part::Preset | Part::Path => None,
        },
        _ => None,
    };
    let message = match (&error, option) {
        (OddsError::Query { error, .. }, Some(option)) => format!("{option}: {error}"),
        _ => remedies::message(&error),
    };
    match &error {
        OddsError::Query { text, error, .. } => Refusal(message + &marked(text, error.span, QUERY)),
        OddsError::Path { text, span, .. } => Refusal(message + &marked(text, *span, QUERY)),
        _ => Refusal(message),
    }
}
