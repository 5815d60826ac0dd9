//! `decklaw odds`: exact draw probabilities.

use super::files::{Draft, Readers};
use super::inputs::{self, InputKind, NamedDeck};
use super::options::{Judging, Output, kinds};
use super::output::Outputs;
use super::question::{About, Subject};
use super::walk::{self, DeckSource};
use super::{Answer, CliError, Outcome, Run};
use crate::odds::render::HEADER;
use crate::render::{DeckNotes, FIGURES, Kind, Render, TextStyle, Written, deck_columns};
use crate::spreadsheet::Cell;
use crate::{Ask, Library, OddsAnswer, Problem, ProblemKind};
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
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    #[command(flatten)]
    question: crate::Odds,
    /// Write a chart as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Turns in which an event of the game changes the draws
    ///
    /// `formats show FORMAT` names the events of a game. Example: `--event NAME=2,4`
    #[arg(long, value_name = "NAME=TURN,…", value_parser = event)]
    event: Option<(String, Vec<u32>)>,
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

/// The answer for one of many decks, or why this deck cannot be asked.
type OneOfMany = Result<OddsAnswer, (NamedDeck, Problem)>;

impl Odds {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let outputs = Outputs::<OddsReport>::open(&self.output)?;
        let is_table = !outputs.any(|kind| matches!(kind, Kind::Human | Kind::Json));
        if is_table && (self.question.show_work || self.question.deal > 0) {
            let message = "tables show neither `--show-work` nor `--deal`; use -o human or -o json";
            return Err(CliError::call(message));
        }
        let sources = walk::decks(run, std::slice::from_ref(&self.deck))?;
        if self.svg.is_some() && sources.len() != 1 {
            let (all, number) = (self.deck.display(), sources.len());
            let message =
                format!("`--svg` draws one deck, and {all} has {number}; name one of them");
            return Err(CliError::call(message));
        }
        let is_one = matches!(sources.as_slice(), [source] if !source.is_met());
        let draft = |file: &PathBuf| Draft::new(file, Readers::Anyone, self.output.place.replace);
        let svg = self.svg.as_ref().map(draft).transpose()?;
        let (library, answers) = if is_one {
            let subject = Subject::read(run, &self.judging, &self.deck, self.from)?;
            let answer = subject.named().answered(run, self.ask(&subject))?;
            let Some(answer) = answer else {
                return Ok(Outcome::No);
            };
            (subject.library, vec![Some(answer)])
        } else {
            let library = Arc::new(Library::from(inputs::judge(run, &self.judging)?));
            super::run::start_threads()?;
            let bar = run.progress(run.screen.quiet, sources.len());
            let one = |source: &DeckSource| {
                let answer = self.of_many(run, &library, source);
                bar.add(1);
                answer
            };
            let found: Result<Vec<_>, CliError> = sources.par_iter().map(one).collect();
            let (mut answers, mut refused) = (Vec::new(), Vec::new());
            for answer in found? {
                answers.push(match answer {
                    Some(Err(one)) => {
                        refused.push(one);
                        None
                    }
                    answer => answer.and_then(Result::ok),
                });
            }
            // What no deck can be asked is a wrong call.
            let is_wrong_call = answers.iter().all(Option::is_none);
            for (deck, mut problem) in refused {
                if !is_wrong_call {
                    problem.kind = ProblemKind::Deck;
                }
                let about = About { name: &deck.name, deck: Some(&deck), library: &library };
                about.answered::<OddsAnswer>(run, Err(problem))?;
            }
            (library, answers)
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
        if let (Some(svg), [answer]) = (svg, report.answers.as_slice()) {
            svg.whole(answer.to_svg().as_bytes())?;
        }
        Ok(outcome)
    }

    /// The answer for one of many decks, or why this deck cannot be asked; `None`: it cannot be read,
    /// which is reported.
    fn of_many(
        &self,
        run: &Run,
        library: &Arc<Library>,
        source: &DeckSource,
    ) -> Result<Option<OneOfMany>, CliError> {
        let deck = match NamedDeck::of(&library.judge()?.judge, source, self.from) {
            Ok(deck) => deck,
            Err(message) => {
                run.complain("error", &message);
                return Ok(None);
            }
        };
        let subject = Subject { deck, library: Arc::clone(library) };
        Ok(match self.ask(&subject) {
            // A query that is wrong for every deck has the place of its mistake.
            Err(problem) if problem.kind == ProblemKind::Query && problem.place.is_none() => {
                Some(Err((subject.deck, problem)))
            }
            answer => subject.named().answered(run, answer)?.map(Ok),
        })
    }

    fn ask(&self, subject: &Subject) -> Result<OddsAnswer, Problem> {
        let event = self.event.iter().cloned().collect();
        let question = crate::Odds { event, ..self.question.clone() };
        let mut answer = subject.about(question).ask(&subject.library)?;
        subject.name().clone_into(&mut answer.report.deck);
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
