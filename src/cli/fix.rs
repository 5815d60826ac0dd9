//! `decklaw fix` and `swap`: the smallest change that makes a deck legal, and the smallest exchange
//! with its side deck.

use super::collection::{Collection, Own};
use super::files::{self, Exchange, Readers};
use super::inputs::{self, InputKind};
use super::options::{Judging, Output, kinds};
use super::output::{OutputArg, Outputs};
use super::proofs::Proving;
use super::question::{Effort, NO, Subject};
use super::{Answer, Refusal, Run, walk};
use crate::deck::Input;
use crate::origin::Given;
use crate::text::listed;
use crate::{DeckFile, FixAnswer};
use decklaw_ask::{Answer as Any, DECK};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<FixAnswer>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw fix my-deck.txt\n  decklaw fix my-deck.txt --write\n  decklaw fix my-deck.txt --keep 'colour:blue' --only 'set:alpha'"
)]
pub(super) struct Fix {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Change the file itself; text keeps comments and order
    #[arg(long)]
    write: bool,
    /// Keep these cards
    #[arg(long, value_name = "CARDS", allow_hyphen_values = true)]
    keep: Vec<String>,
    /// Add only these cards
    #[arg(long, value_name = "CARDS", allow_hyphen_values = true)]
    only: Option<String>,
    #[command(flatten)]
    own: Own,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    proving: Proving,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<FixAnswer>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw swap my-deck.txt 'in: \"Rain Caller\" 2'\n  decklaw swap my-deck.txt 'in: \"Rain Caller\" 2; out: \"Moss King\"' --write"
)]
pub(super) struct Swap {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// Cards in and out, as 'in: "Card" 2; out: "Other"'
    #[arg(value_name = "WISH")]
    wish: String,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Change the file itself; text keeps comments and order
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl Fix {
    pub(super) fn run(&self, run: &Run) -> Answer {
        can_write(&self.deck, self.write)?;
        let collection = self.own.read(run)?;
        let subject = Subject::read(run, &self.judging, &self.deck, self.from)?;
        let outputs = Outputs::open(run, &deck_to(&self.output))?;
        let question = crate::Fix {
            deck: subject.deck(),
            from: subject.from.clone(),
            keep: self.keep.clone(),
            only: self.only.clone(),
            own: collection.as_ref().map(Collection::owned),
            effort: Some(self.effort.effort),
            ..crate::Fix::default()
        };
        let own = |answer| match answer {
            Any::Fix(answer) => Some(answer),
            _ => None,
        };
        let answer = subject.prove(question, self.proving.is_wanted(), own)?;
        let Some((answer, proof)) = answer else {
            return Ok(NO);
        };
        let given = subject.given(collection.as_ref())?;
        let proven = self.proving.write(run, self.output.place.replace, proof)?;
        let written = self.write.then_some(self.deck.as_path());
        Ok(emit(run, &subject, answer, (outputs, &given), written)?.max(proven))
    }
}

impl Swap {
    pub(super) fn run(&self, run: &Run) -> Answer {
        can_write(&self.deck, self.write)?;
        let subject = Subject::read(run, &self.judging, &self.deck, self.from)?;
        let outputs = Outputs::open(run, &deck_to(&self.output))?;
        let answer = subject.ask(crate::Swap {
            deck: subject.deck(),
            from: subject.from.clone(),
            wish: self.wish.clone(),
            effort: Some(self.effort.effort),
            ..crate::Swap::default()
        })?;
        let Some(answer) = answer else {
            return Ok(NO);
        };
        let written = self.write.then_some(self.deck.as_path());
        let given = subject.given(None)?;
        emit(run, &subject, answer, (outputs, &given), written)
    }
}

/// The outputs of a call, where `--to FILE` gets the fixed deck and `-o` says what reports are
/// written.
fn deck_to(output: &Output) -> Output {
    let mut output = output.clone();
    if let Some(to) = output.place.to.take() {
        if output.output.is_empty() {
            output.output.push(OutputArg::new("human", None));
        }
        output.output.retain(|arg| !arg.is("deck"));
        output.output.push(OutputArg::new("deck", Some(to)));
    }
    output
}

/// Whether the deck's file can be changed in place.
fn can_write(deck: &Path, write: bool) -> Result<(), Refusal> {
    match write && deck.as_os_str() == "-" {
        true => Err(Refusal(
            "standard input cannot be changed in place; use `-o deck` instead of `--write`"
                .to_owned(),
        )),
        false => Ok(()),
    }
}

/// Writes an answer into all outputs, and the changed deck into the file `written`.
fn emit(
    run: &Run,
    subject: &Subject<'_>,
    mut answer: FixAnswer,
    (outputs, given): (Outputs<FixAnswer>, &[Given]),
    written: Option<&Path>,
) -> Answer {
    answer.deck.clone_from(&subject.name);
    let name = &subject.name;
    for note in &answer.notes {
        run.complain("notice", note);
    }
    if !answer.is_found() || outputs.any(|kind| kind == DECK) {
        for renamed in &answer.renamed {
            run.complain("note", &format!("{name}: {renamed}"));
        }
    }
    let is_changed = answer.distance != Some(0) || !answer.renamed.is_empty();
    if let (Some(path), Some(deck), true) = (written, &answer.text, is_changed) {
        write(run, path, subject, deck)?;
    }
    let outcome = outputs.emit(run, &answer, given)?;
    if written.is_some() && answer.is_found() && is_changed {
        run.wrote(name);
    }
    Ok(outcome)
}

/// Writes the changed deck in the place of the file that was read.
fn write(run: &Run, path: &Path, subject: &Subject<'_>, deck: &DeckFile) -> Result<(), Refusal> {
    let name = &subject.name;
    let workbook = walk::workbook_of(path).map(|_| "it is a workbook");
    if let Some(why) = deck.rewritten.as_deref().or(workbook) {
        return Err(Refusal(format!(
            "{name}: not changed in place: {why}; write the new deck to another file: `--to FILE`"
        )));
    }
    let before = subject.text.as_bytes();
    let same = |found: &[u8]| inputs::is_text(path, found, before);
    match files::exchange_if(run, path, same, &deck.bytes, Readers::Anyone)? {
        Exchange::Done => {}
        Exchange::Changed => {
            return Err(Refusal(format!(
                "{name}: the file changed since it was read and stays as it is; run the command again"
            )));
        }
    }
    if deck.input == Input::Yaml && subject.text.contains('#') {
        let message = format!("{name}: YAML is written without its comments");
        run.complain("note", &message);
    }
    if !deck.at_registration.is_empty() {
        let message = format!(
            "{name}: the file is now the deck after the swap; as a list to register it is illegal ({})",
            listed(&deck.at_registration, "and")
        );
        run.complain("warning", &message);
    }
    Ok(())
}
