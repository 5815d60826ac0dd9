//! `decklaw odds`: exact draw probabilities.

use super::files::{Draft, Readers};
use super::inputs::{self, InputKind, NamedDeck};
use super::options::{Judging, Output, hand_size, kinds};
use super::output::Outputs;
use super::question::{self, Subject};
use super::walk::{self, DeckSource};
use super::wishes::Effort;
use super::{Answer, CliError, Outcome, Run};
use crate::odds::render::HEADER;
use crate::render::{DeckNotes, FIGURES, Kind, Render, TextStyle, Written, deck_columns};
use crate::spreadsheet::Cell;
use crate::{Ask, Library, OddsAnswer};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::slice::from_ref;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<OddsReport>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw odds decks/shell/ebb.txt\n  decklaw odds decks/versus/two-rivers.txt '1+ [type:trap] and no [type:item]' --turns 6\n  decklaw odds decks/shell/ebb.txt --expect 'sum(mana)'\n\nHAND counts groups of cards: `1+ [type:trap]`, `no \"Rain Caller\"`, `2..4 [mana<=2]`, joined with and, or, not.\n`decklaw explain queries` explains queries."
)]
pub(super) struct Odds {
    /// The deck, a folder or pattern of decks, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// What the hand must hold [default: the game's usual questions]
    #[arg(value_name = "HAND")]
    queries: Vec<String>,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Show turns 1 to N too
    #[arg(long, value_name = "N")]
    turns: Option<u32>,
    /// Keep opening hands that match [default: those that match the query]
    ///
    /// Other hands are mulliganed while the game allows it; `best` keeps whatever is best for the
    /// query. Example: `--keep-hand '2+ [mana<=2]'`
    #[arg(long, value_name = "HAND|best", allow_hyphen_values = true)]
    keep_hand: Option<String>,
    /// Show mean and distribution of a total, such as 'sum(mana)'
    ///
    /// Example: `--expect 'sum(mana) [type:spell]'`
    #[arg(long, value_name = "TOTAL", allow_hyphen_values = true)]
    expect: Option<String>,
    /// Conditions on the first cards drawn: '7: HAND; 9: HAND'
    ///
    /// Example: `--path '7: 1+ [type:trap]; 9: 2+ [type:trap]'` asks for one among the first 7 cards
    /// and two among the first 9.
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    path: Option<String>,
    /// Deal N sample hands
    #[arg(long, value_name = "N")]
    deal: Option<u32>,
    /// Seed of the sample hands
    #[arg(long, value_name = "TEXT", default_value = "decklaw", requires = "deal")]
    seed: String,
    /// Show the counts behind the numbers
    #[arg(long)]
    show_work: bool,
    /// Write a chart as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Cards in the opening hand [default: the game's]
    #[arg(long, value_name = "N", value_parser = hand_size)]
    hand: Option<u32>,
    /// Draw from this section [default: the game's]
    #[arg(long, value_name = "ID")]
    section: Option<String>,
    /// Condition on the opening hand matching HAND
    ///
    /// The odds are those of hands that match. Example: `--given '1+ [type:trap]'`
    #[arg(long, value_name = "HAND", allow_hyphen_values = true)]
    given: Option<String>,
    /// Mulligan, such as 'shuffle, at most 2, bottom 0 1 2' [default: the game's]
    ///
    /// Its kind is none, aside or shuffle; then the most mulligans, and the cards bottomed after
    /// each. `--policy none` plays without.
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    /// Draw N more cards after the opening hand
    #[arg(long, value_name = "N", default_value_t = 0)]
    draws: u32,
    /// Turns in which an event of the game changes the draws
    ///
    /// `formats show FORMAT` names the events of a game. Example: `--event NAME=2,4`
    #[arg(long, value_name = "NAME=TURN,…", value_parser = event)]
    event: Option<(String, Vec<u32>)>,
    /// Seat at the table, where seats draw differently
    #[arg(long, value_name = "SEAT", value_parser = seat, conflicts_with = "hand")]
    seat: Option<u32>,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

/// Reads an event of a game and the turns in which it happens.
fn event(text: &str) -> Result<(String, Vec<u32>), &'static str> {
    let help = "write an event's name and its turns, such as destroyed=2,4";
    let (name, turns) = text.split_once('=').ok_or(help)?;
    let turns = turns.split(',').map(|turn| turn.trim().parse());
    let turns: Result<Vec<u32>, _> = turns.collect();
    Ok((name.trim().to_owned(), turns.map_err(|_| help)?))
}

/// Reads a seat as a number or a letter.
fn seat(text: &str) -> Result<u32, &'static str> {
    match text.as_bytes() {
        [only] if only.is_ascii_alphabetic() => Ok(u32::from(only.to_ascii_uppercase() - b'A') + 1),
        _ => text.parse().map_err(|_| "write a seat as a letter or a number, such as A or 1"),
    }
}

impl Odds {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let outputs = Outputs::<OddsReport>::open(run, &self.output)?;
        let is_table = !outputs.any(|kind| matches!(kind, Kind::Human | Kind::Json));
        if is_table && (self.show_work || self.deal.is_some()) {
            let message = "tables show neither `--show-work` nor `--deal`; use -o human or -o json";
            return Err(CliError(message.to_owned()));
        }
        let sources = walk::decks(run, std::slice::from_ref(&self.deck))?;
        let is_one = matches!(sources.as_slice(), [source] if !source.is_met());
        let draft =
            |file: &PathBuf| Draft::new(run, file, Readers::Anyone, self.output.place.replace);
        let svg = self.svg.as_ref().map(draft).transpose()?;
        let (library, answers) = if is_one {
            let subject = Subject::read(run, &self.judging, &self.deck, self.from)?;
            let Some(answer) = self.answer(run, &subject)? else {
                return Ok(Outcome::No);
            };
            (subject.library, vec![Some(answer)])
        } else {
            let library = Arc::new(Library::from(inputs::judge(run, &self.judging)?));
            super::jobs::start_threads()?;
            let bar = run.progress(run.screen.quiet, sources.len());
            let one = |source: &DeckSource| {
                let answer = self.of_many(run, &library, source);
                bar.add(1);
                answer
            };
            let answers: Result<Vec<_>, CliError> = sources.par_iter().map(one).collect();
            (library, answers?)
        };
        let report = OddsReport {
            is_one,
            is_ok: answers.iter().all(Option::is_some),
            answers: answers.into_iter().flatten().collect(),
        };
        let judge = library.judge()?;
        inputs::fitting(run, &judge)?;
        if is_table {
            for answer in &report.answers {
                let notes = answer.report.answers.iter().flat_map(|entry| &entry.notes);
                notes.for_each(|note| run.print_notes(&answer.report.deck, from_ref(note)));
            }
        }
        let outcome = outputs.emit(run, &report)?;
        match (svg, report.answers.as_slice()) {
            (Some(svg), [answer]) => svg.whole(answer.to_svg().as_bytes())?,
            (Some(_), _) => return Err(CliError("`--svg` draws one deck".to_owned())),
            (None, _) => {}
        }
        Ok(outcome)
    }

    /// The answer for one of many decks; `None`: it cannot be read, which is reported.
    fn of_many(
        &self,
        run: &Run,
        library: &Arc<Library>,
        source: &DeckSource,
    ) -> Result<Option<OddsAnswer>, CliError> {
        let deck = NamedDeck::of(&library.judge()?.judge, source, self.from.map(Into::into))?;
        let deck = match deck {
            Ok(deck) => deck,
            Err(message) => {
                run.complain("error", &message);
                return Ok(None);
            }
        };
        let subject = Subject { deck, library: Arc::clone(library) };
        self.answer(run, &subject)
    }

    fn answer(&self, run: &Run, subject: &Subject) -> Result<Option<OddsAnswer>, CliError> {
        let question = crate::Odds {
            queries: self.queries.clone(),
            hand: self.hand,
            turns: self.turns,
            section: self.section.clone(),
            given: self.given.clone(),
            keep_hand: self.keep_hand.clone(),
            policy: self.policy.clone(),
            draws: self.draws,
            expect: self.expect.clone(),
            path: self.path.clone(),
            event: self.event.iter().cloned().collect(),
            seat: self.seat,
            deal: self.deal.unwrap_or(0),
            seed: Some(self.seed.clone()),
            show_work: self.show_work,
            effort: Some(self.effort.seconds()),
            ..crate::Odds::default()
        };
        let answer = subject.about(question).ask(&subject.library);
        let mut answer = question::answered(run, subject.name(), answer)?;
        if let Some(answer) = &mut answer {
            subject.name().clone_into(&mut answer.report.deck);
        }
        Ok(answer)
    }
}

/// The odds of one deck, or of several.
struct OddsReport {
    answers: Vec<OddsAnswer>,
    /// Whether the call named one deck.
    is_one: bool,
    /// Whether every deck could be read.
    is_ok: bool,
}

impl Written for OddsReport {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Render for OddsReport {
    fn human(&self, page: &TextStyle) -> String {
        let each = self.answers.iter().map(|answer| answer.human(page));
        each.collect::<Vec<String>>().join("\n")
    }

    fn json(&self) -> serde_json::Result<Value> {
        match self.answers.as_slice() {
            [answer] if self.is_one => answer.json(),
            answers => {
                let decks = serde_json::to_value(answers)?;
                Ok(json!({"schema": "decklaw/odds-many/1", "decks": decks}))
            }
        }
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        let rows = self.answers.iter().flat_map(|answer| answer.table().1);
        (deck_columns(&HEADER), rows.collect())
    }

    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        Some(self.answers.iter().filter_map(Render::notes).flatten().collect())
    }

    fn is_ok(&self) -> bool {
        self.is_ok && self.answers.iter().all(Render::is_ok)
    }
}
