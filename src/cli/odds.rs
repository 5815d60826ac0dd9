//! `decklaw odds`: exact draw probabilities.

use super::files::{Draft, Readers};
use super::inputs::InputKind;
use super::options::{Judging, Output, kinds};
use super::output::Outputs;
use super::question::Subject;
use super::wishes::Effort;
use super::{Answer, Outcome, Refusal, Run};
use crate::render::Kind;
use decklaw_ask::{self as ask, OddsAnswer};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<OddsAnswer>),
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
    #[command(flatten)]
    effort: Effort,
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
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    /// Draw N more cards after the opening hand
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole)]
    draws: u32,
    /// Turns in which an event of the game changes the draws
    #[arg(long, value_name = "NAME=TURN,…", value_parser = events)]
    event: Option<(String, Vec<u32>)>,
    /// Seat at the table, where seats draw differently
    #[arg(long, value_name = "SEAT", value_parser = seat, conflicts_with = "hand")]
    seat: Option<u32>,
}

impl Odds {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let Some(path) = &self.deck else {
            return Err(Refusal("name the deck".to_owned()));
        };
        let outputs = Outputs::<OddsAnswer>::open(run, &self.output)?;
        let is_shown = outputs.any(|kind| !matches!(kind, Kind::Csv(_)));
        for (given, option) in [
            (self.show_work, "--show-work"),
            (self.deal.is_some(), "--deal"),
        ] {
            if given && !is_shown {
                let message = format!("{option} has no place in a table; use -o human or -o json");
                return Err(Refusal(message));
            }
        }
        let Some(subject) = Subject::read(run, &self.judging, path, self.from)? else {
            return Ok(Outcome::No);
        };
        let svg = self.svg.as_ref();
        let svg = svg
            .map(|file| Draft::new(run, file, Readers::Anyone, self.output.place.replace))
            .transpose()?;
        let Some(mut answer) = subject.ask(run, self.question())? else {
            return Ok(Outcome::No);
        };
        answer.call(&subject.name);
        if !is_shown {
            for note in answer.notes() {
                run.complain("notice", note);
            }
        }
        let outcome = outputs.emit(run, &answer, &subject.judge()?.given_so_far())?;
        if let Some(svg) = svg {
            svg.whole(answer.to_svg().as_bytes())?;
        }
        Ok(outcome)
    }

    fn question(&self) -> ask::Odds {
        let drawing = &self.drawing;
        ask::Odds {
            queries: self.queries.clone(),
            hand: drawing.hand,
            turns: self.turns,
            section: drawing.section.clone(),
            given: drawing.given.clone(),
            keep_hand: self.keep_hand.clone(),
            policy: drawing.policy.clone(),
            draws: drawing.draws,
            expect: self.expect.clone(),
            path: self.path.clone(),
            event: drawing.event.clone().into_iter().collect(),
            seat: drawing.seat,
            deal: self.deal.unwrap_or(0),
            seed: Some(self.seed.clone()),
            show_work: self.show_work,
            effort: Some(self.effort.seconds()),
            ..ask::Odds::default()
        }
    }
}

/// An event by its name in the game, and the turns in which it happens.
fn events(text: &str) -> Result<(String, Vec<u32>), String> {
    let Some((name, turns)) = text.split_once('=') else {
        return Err("an event is its name and its turns, as in destroyed=2,4".to_owned());
    };
    let turns: Result<Vec<u32>, String> = turns.split(',').map(|turn| whole(turn.trim())).collect();
    Ok((name.trim().to_owned(), turns?))
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
