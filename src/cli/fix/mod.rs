//! `decklaw fix`: the smallest edit that makes a deck legal.

mod rename;
mod shown;

use super::files::{self, Exchange, Readers};
use super::inputs::{self, InputKind};
use super::options::{Judging, Output, kinds};
use super::output::{OutputArg, Outputs};
use super::proofs::Proving;
use super::wishes::{self, Asked};
use super::{Answer, Outcome, Refusal, Run, room, walk};
use crate::deck::{Deck, Input};
use crate::judge::{Judge, Report};
use crate::matches::Setup;
use crate::origin::Given;
use crate::render::{Kind, Render, Rendered, Rendering, TextStyle, Written};
use crate::resolve::{Change, Decklist};
use crate::solve::{
    self, Advice, Found, Misnamed, Repair, RewriteError, Substitute, Swap, Wish, Wishes,
};
use crate::text::listed;
use decklaw_engine::report::repair;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<FixReport<'_>>),
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
    /// What comes in from the side deck, of [`Swapping`].
    #[arg(skip)]
    swap: Option<String>,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    proving: Proving,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

/// The mended deck.
const DECK: Kind = Kind::Data("deck");

const KINDS: &[Kind] = &[Kind::Human, Kind::Json, DECK];

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

/// A deck read, and what is to become of it.
struct Work<'a> {
    name: String,
    /// The deck's text, its names corrected.
    bytes: &'a [u8],
    /// The deck's text as it was read.
    read: &'a [u8],
    /// The names that were corrected.
    misnamed: &'a [Misnamed],
    input: Input,
    deck: &'a Deck<'a>,
    before: &'a Decklist,
    swap: Option<Swap>,
    wishes: Wishes,
    /// What the wishes ask for in vain.
    notes: Vec<String>,
    judge: &'a Judge,
}

/// A change and why it is needed.
type Reasoned = (Change, Vec<String>);

// Bring cards in from the side deck with the fewest changes
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<FixReport<'_>>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw swap my-deck.txt 'in: \"Rain Caller\" 2'\n  decklaw swap my-deck.txt 'in: \"Rain Caller\" 2; out: \"Moss King\"' --write"
)]
pub(super) struct Swapping {
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
    effort: wishes::Effort,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl Swapping {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let fix = Fix {
            deck: self.deck.clone(),
            from: self.from,
            write: self.write,
            keep: Vec::new(),
            only: None,
            swap: Some(self.wish.clone()),
            asked: Asked::with(self.effort),
            proving: Proving::default(),
            judging: self.judging.clone(),
            output: self.output.clone(),
        };
        fix.run(run)
    }
}

// How many more copies of each card fit.
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<room::RoomReport<'_>>), after_help = "Example:\n  decklaw room my-deck.txt")]
pub(super) struct RoomOf {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    #[command(flatten)]
    effort: wishes::Effort,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl RoomOf {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let judge = inputs::judge(run, &self.judging)?;
        let bytes = inputs::deck_bytes(&judge, run, &self.deck)?;
        match inputs::deck(&judge, run, &self.deck, self.from, &bytes)? {
            Ok(resolved) => {
                let name = self.deck.display().to_string();
                room::run(
                    &judge,
                    run,
                    &self.output,
                    (&name, resolved.list()),
                    self.effort.steps(),
                )
            }
            Err(message) => {
                run.complain("error", &message);
                Ok(Outcome::No)
            }
        }
    }
}

impl Fix {
    pub(super) fn run(&self, run: &Run) -> Answer {
        if self.write && self.deck.as_os_str() == "-" {
            let message = "standard input cannot be changed in place; leave `--write` out and take the deck from `-o deck`";
            return Err(Refusal(message.to_owned()));
        }
        let judge = inputs::judge(run, &self.judging)?;
        let bytes = inputs::deck_bytes(&judge, run, &self.deck)?;
        let read = inputs::deck(&judge, run, &self.deck, self.from, &bytes)?;
        let resolved = match read {
            Ok(resolved) => resolved,
            Err(message) => {
                run.complain("error", &message);
                return Ok(Outcome::No);
            }
        };
        let name = self.deck.display().to_string();
        let input = inputs::input_of(&self.deck, self.from);
        let corrected = match self.swap {
            None => rename::corrected(run, &name, (&bytes, input), &resolved),
            Some(_) => None,
        };
        let (text, misnamed) = match &corrected {
            Some((text, misnamed)) => (text.as_slice(), misnamed.as_slice()),
            None => (bytes.as_slice(), &[][..]),
        };
        let resolved = match &corrected {
            Some(_) => match inputs::deck_as(&judge, &name, input, text)? {
                Ok(resolved) => resolved,
                Err(message) => {
                    run.complain("error", &message);
                    return Ok(Outcome::No);
                }
            },
            None => resolved,
        };
        let before = resolved.list();
        let outputs = Outputs::open(run, &deck_to(&self.output))?;
        let swap = match &self.swap {
            Some(text) => {
                let exchange = Setup::exchange_of(before.rulebook().format());
                let exchange = exchange.map_err(|error| inputs::explain(&error))?;
                let read = Swap::parse(text, before, exchange.as_ref());
                Some(read.map_err(|error| Refusal(format!("in the wish: {error}")))?)
            }
            None => None,
        };
        let wishes = match &swap {
            Some(swap) => Wishes {
                effort: self.asked.wishes(run, &judge, before.rulebook())?.effort,
                ..swap.wishes(before)
            },
            None => Wishes {
                taste: wishes::taste(&judge, before.rulebook().format().game().id())?
                    .or_else(|| Some(Arc::default())),
                ..self.wishes(run, &judge, before)?
            },
        };
        let work = Work {
            name,
            bytes: text,
            read: &bytes,
            misnamed,
            input,
            deck: resolved.deck(),
            notes: wishes::remarks(run, &wishes, before),
            wishes,
            before,
            swap,
            judge: &judge,
        };
        let solved = match &work.swap {
            Some(swap) => swap.solve(work.before, work.wishes.effort),
            None => solve::repair(work.before, &work.wishes),
        };
        let answer = match self.answer(&solved, &work) {
            Ok(found) => Ok((found, self.mended(&work, found, run)?)),
            Err(reasons) => Err(reasons),
        };
        let report = FixReport {
            work: &work,
            solved: &solved,
            answer,
        };
        if report.answer.is_err() || outputs.any(|kind| kind == DECK) {
            for one in misnamed {
                run.complain(
                    "note",
                    &format!("{}: {}", report.work.name, rename::text(one)),
                );
            }
        }
        let certify = || solve::certify(work.before, &work.wishes, &solved);
        let proven = self
            .proving
            .write(run, self.output.place.replace, certify)?;
        Ok(outputs
            .emit(run, &report, &judge.given_so_far())?
            .max(proven))
    }

    fn wishes(&self, run: &Run, judge: &Judge, before: &Decklist) -> Result<Wishes, Refusal> {
        let pool = before.pool();
        let mut wishes = self.asked.wishes(run, judge, before.rulebook())?;
        wishes.advice = Advice::AtNoCost;
        for keep in &self.keep {
            let read = |text: &str| Wish::keep(text, pool);
            wishes.must.push(wishes::understood("--keep", keep, read)?);
        }
        if let Some(only) = &self.only {
            let read = |text: &str| Wish::only(text, pool);
            wishes.must.push(wishes::understood("--only", only, read)?);
        }
        Ok(wishes)
    }

    /// What there is to say of a repair; the deck is written in place where that is asked for.
    fn mended(&self, work: &Work<'_>, found: &Found, run: &Run) -> Result<Mended, Refusal> {
        if self.write && walk::workbook_of(&self.deck).is_some() {
            return Err(not_in_place(&work.name, RewriteError::Foreign));
        }
        let (changed, input) = work.text_of(&found.deck, self.write)?;
        let mut report = work.judged(&changed, input)?;
        // What is written must be read as what was found.
        if report.hash.as_deref() != Some(found.deck.hash().as_str()) {
            let message = "the deck's text could not be changed to what was found; this is a defect in decklaw";
            return Err(Refusal(message.to_owned()));
        }
        let at_registration = match &work.swap {
            Some(_) => report.as_played(),
            None => Vec::new(),
        };
        let (before, wishes) = (work.before, &work.wishes);
        let reasons = match &work.swap {
            Some(_) => {
                let changes = before.changes_to(&found.deck);
                changes
                    .into_iter()
                    .map(|change| (change, Vec::new()))
                    .collect()
            }
            None => solve::reasons(before, &found.deck, wishes),
        };
        let mut notes = work.notes.clone();
        if found.optimal() && !found.settled {
            let note = "the choice among equally small edits was cut short (`--effort` raises the limit); \
                        another of them may follow advice or be liked better";
            run.complain("notice", note);
            notes.push(note.to_owned());
        }
        let substitutes: Vec<Substitute> = match &work.wishes.taste {
            Some(taste) => solve::substitutes(before, &found.deck, taste),
            None => Vec::new(),
        };
        let written = self.write && (found.distance > 0 || !work.misnamed.is_empty());
        if written {
            let done = {
                let same = |found: &[u8]| inputs::is_text(&self.deck, found, work.read);
                files::exchange_if(run, &self.deck, same, &changed, Readers::Anyone)?
            };
            if done == Exchange::Changed {
                return Err(Refusal(format!(
                    "{}: the file changed since it was read, so it is left as it is; run the command again",
                    work.name
                )));
            }
            if input == Input::Yaml && work.bytes.contains(&b'#') {
                let message = format!("{}: YAML is written anew, without its comments", work.name);
                run.complain("note", &message);
            }
            if !at_registration.is_empty() {
                let message = format!(
                    "{}: the file is now the deck as it is played after the swap, and no longer the list that was handed in; as a list to hand in `check` calls it illegal ({})",
                    work.name,
                    listed(&at_registration, "and")
                );
                run.complain("warning", &message);
            }
        }
        Ok(Mended {
            changed,
            report,
            reasons,
            notes,
            substitutes,
            written,
        })
    }

    /// The deck that was found, or why there is no answer, as sentences.
    fn answer<'r>(&self, solved: &'r Repair, work: &Work<'_>) -> Result<&'r Found, Vec<String>> {
        Err(match solved {
            Repair::Found(found) => {
                let wrong = match &work.swap {
                    Some(swap) => swap.wrong_besides(&found.deck),
                    None => Vec::new(),
                };
                if wrong.is_empty() {
                    return Ok(found);
                }
                vec![format!(
                    "{}: no swap makes this deck legal, since this stays as it is:\n  - {}\nMend it first with `decklaw fix`.",
                    work.name,
                    wrong.join("\n  - ")
                )]
            }
            Repair::Impossible(conflict) => {
                let sentences = conflict.sentences(work.before, &work.wishes);
                let text = wishes::explained(&sentences, conflict.irreducible);
                vec![format!("{}: {}", work.name, text.trim_end())]
            }
            Repair::Unknown => vec![format!(
                "{}: the work limit was reached before any repair was found; whether there is one is not known (`--effort` raises the limit)",
                work.name
            )],
        })
    }
}

/// What there is to say of a repair.
struct Mended {
    /// The deck's file as it is then.
    changed: Vec<u8>,
    report: Report,
    reasons: Vec<Reasoned>,
    notes: Vec<String>,
    substitutes: Vec<Substitute>,
    /// Whether it was written in place.
    written: bool,
}

/// The smallest edit, or why there is none.
pub(super) struct FixReport<'a> {
    work: &'a Work<'a>,
    solved: &'a Repair,
    answer: Result<(&'a Found, Mended), Vec<String>>,
}

impl Written for FixReport<'_> {
    const KINDS: &'static [Kind] = KINDS;
}

impl Render for FixReport<'_> {
    fn human(&self, page: &TextStyle) -> String {
        let (found, mended) = match &self.answer {
            Ok(answer) => answer,
            Err(reasons) => return shown::refused(reasons, page.width),
        };
        let shown = shown::Shown {
            before: self.work.before,
            name: &self.work.name,
            found,
            reasons: &mended.reasons,
            report: &mended.report,
            substitutes: &mended.substitutes,
            misnamed: self.work.misnamed,
            written: mended.written,
            width: page.width,
            colour: page.colour,
        };
        shown.text()
    }

    fn json(&self) -> serde_json::Result<Value> {
        let work = self.work;
        match &self.answer {
            Ok((found, mended)) => repair::fix(
                &work.name,
                work.before,
                (found, &mended.reasons),
                &mended.notes,
                &mended.report,
                &mended.substitutes,
                work.misnamed,
            ),
            Err(reasons) => repair::no_fix(&work.name, self.solved.into(), reasons, &work.notes),
        }
    }

    fn body(&self, kind: Kind, _: &[Given]) -> Rendered<Option<Rendering>> {
        Ok((kind == DECK).then(|| match &self.answer {
            Ok((_, mended)) => Rendering::Data(mended.changed.clone()),
            Err(reasons) => Rendering::Missing(reasons.join("\n")),
        }))
    }

    fn is_well(&self) -> bool {
        self.answer.is_ok()
    }
}

/// That a deck's file is not changed in place, and what to do instead.
fn not_in_place(name: &str, error: RewriteError) -> Refusal {
    Refusal(format!(
        "{name}: not changed in place: {error}; write the new deck to another file: `-o deck --to FILE`"
    ))
}

impl Work<'_> {
    /// The deck's file with other cards. What cannot be changed in place is written anew,
    /// unless it is to stand in that place.
    fn text_of(&self, after: &Decklist, in_place: bool) -> Result<(Vec<u8>, Input), Refusal> {
        let (bytes, input) = (self.bytes, self.input);
        match solve::rewrite(bytes, input, self.deck, self.before, after) {
            Ok(changed) => Ok((changed, input)),
            Err(error) if in_place => Err(not_in_place(&self.name, error)),
            Err(_) => Ok(solve::anew(input, self.deck, after)),
        }
    }

    fn judged(&self, bytes: &[u8], input: Input) -> Result<Report, Refusal> {
        let judged = self.judge.judge(&self.name, bytes, input);
        judged.map_err(|error| inputs::refuse(&error))
    }
}
