//! `decklaw fix` and `decklaw swap`: the smallest change that makes a deck legal, and the smallest
//! exchange with its side deck.

use super::files::{self, Exchange, Readers};
use super::inputs::{self, InputKind};
use super::options::{Judging, Output, OutputArg, kinds};
use super::output::Outputs;
use super::proofs::Proving;
use super::question::{Subject, proven};
use super::wishes::OwnedCards;
use super::{Answer, CliError, Outcome, Run};
use crate::deck::Input;
use crate::text::listed;
use decklaw_ask::{self as ask, DECK, DeckFile, FixAnswer};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<FixAnswer>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw fix decks/shell/overspent.txt\n  decklaw fix decks/shell/overspent.txt --keep '\"Moss Sprite\"' --only 'colour:red'\n  decklaw fix decks/shell/overspent.txt --write\n\n`decklaw explain queries` explains CARDS."
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
    #[command(flatten)]
    question: ask::Fix,
    #[command(flatten)]
    own: OwnedCards,
    #[command(flatten)]
    proving: Proving,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
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

// Bring cards in from the side deck with the fewest changes
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<FixAnswer>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw swap decks/shell/ebb.txt 'in: \"Rain Caller\" 2'\n  decklaw swap decks/shell/ebb.txt 'in: \"Rain Caller\" 2; out: \"Old Peat\"' --write"
)]
pub(super) struct Swapping {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Change the file itself; text keeps comments and order
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    question: ask::Swap,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl Fix {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let call = Call { run, deck: &self.deck, write: self.write };
        let subject = call.subject(&self.judging, self.from)?;
        let outputs = Outputs::open(&deck_to(&self.output))?;
        let own = self.own.collection(run)?;
        let question = subject.about(ask::Fix {
            own: own.as_ref().map(|own| own.owned.clone()),
            ..self.question.clone()
        });
        let proving = (&self.proving, self.output.place.replace);
        let Some((answer, proven)) = proven(run, subject.named(), question, proving, own.as_ref())?
        else {
            return Ok(Outcome::No);
        };
        Ok(call.emit(&subject, outputs, answer)?.max(proven))
    }
}

impl Swapping {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let call = Call { run, deck: &self.deck, write: self.write };
        let subject = call.subject(&self.judging, self.from)?;
        let outputs = Outputs::open(&deck_to(&self.output))?;
        match subject.ask(run, self.question.clone())? {
            Some(answer) => call.emit(&subject, outputs, answer),
            None => Ok(Outcome::No),
        }
    }
}

/// What both commands do with the changed deck.
struct Call<'c> {
    run: &'c Run,
    deck: &'c Path,
    /// Whether the file itself is changed.
    write: bool,
}

impl Call<'_> {
    fn subject(&self, judging: &Judging, from: Option<InputKind>) -> Result<Subject, CliError> {
        if self.write && self.deck.as_os_str() == "-" {
            let message = "standard input cannot be changed; leave `--write` out and use `-o deck`";
            return Err(CliError::call(message));
        }
        Subject::read(self.run, judging, self.deck, from)
    }

    fn emit(
        &self,
        subject: &Subject,
        outputs: Outputs<FixAnswer>,
        mut answer: FixAnswer,
    ) -> Answer {
        let run = self.run;
        subject.name().clone_into(&mut answer.deck);
        let found = answer.outcome.found().ok();
        if found.is_none() || outputs.any(|kind| kind == DECK) {
            for one in &answer.renamed {
                run.complain("note", &format!("{}: {one}", subject.name()));
            }
        }
        let is_renamed = !answer.renamed.is_empty();
        let changed = found.filter(|found| found.distance > 0 || is_renamed);
        if let Some(found) = changed.filter(|_| self.write) {
            self.write_in_place(subject, &found.file)?;
            answer.written = true;
        }
        outputs.emit(run, &answer)
    }

    /// Changes the deck's file.
    fn write_in_place(&self, subject: &Subject, file: &DeckFile) -> Result<(), CliError> {
        let (run, name, opened) = (self.run, subject.name(), &subject.deck.opened);
        let foreign = super::walk::is_sheet(self.deck).then(|| "a workbook".to_owned());
        if let Some(why) = foreign.as_ref().or(file.rewritten.as_ref()) {
            return Err(CliError::call(format!(
                "{name}: not changed in place: {why}; write the new deck to another file: `-o deck --to FILE`"
            )));
        }
        let read = &*opened.source;
        let same = |found: &[u8]| inputs::is_text(self.deck, found, read);
        let done = files::exchange_if(self.deck, same, &file.bytes, Readers::Anyone)?;
        if done == Exchange::Changed {
            return Err(CliError::call(format!(
                "{name}: the file changed since it was read, so it is left as it is; run the command again"
            )));
        }
        if opened.input == Input::Yaml && opened.source.contains(&b'#') {
            let message = format!("{name}: YAML is rewritten, without its comments");
            run.complain("note", &message);
        }
        if let Some(format) = &file.format {
            run.complain("note", &format!("{name}: the line `Format` now says {format}"));
        }
        if !file.at_registration.is_empty() {
            let message = format!(
                "{name}: the file is now the deck as it is played after the swap; as a list to hand in it is illegal ({})",
                listed(&file.at_registration, "and")
            );
            run.complain("warning", &message);
        }
        Ok(())
    }
}
