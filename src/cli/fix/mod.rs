//! `decklaw fix`: the smallest edit that makes a deck legal.

mod rename;
mod shown;

use super::files::{self, Exchange, Readers};
use super::inputs::{self, InputKind};
use super::wishes::{self, Asked, AtHand};
use super::{Answer, Outcome, Refusal, Run, output, room, terminal};
use crate::deck::{Deck, Input};
use crate::judge::{DeckReport, Judge};
use crate::report::repair;
use crate::resolve::{Change, Decklist};
use crate::solve::{self, Advice, Choosing, Found, Repair, Substitute, Swap, Wish, Wishes};
use crate::text::{counted, listed};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw fix my-deck.txt\n  decklaw fix my-deck.txt --write\n  decklaw fix my-deck.txt --keep 'colour:blue' --only 'set:alpha' --max 10\n  decklaw fix my-deck.txt --rename --write\n\nOf edits that are equally small the same one is always given: it leaves alone what the game's `taste.yaml` names, or without it the cards by which rules judge others, takes out what the deck has fewest of, and brings in what is most like what left; last come the names."
)]
pub(super) struct Fix {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// What the deck is written in [default: as its extension tells, otherwise text]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Change the file in place; comments, order and headings stay
    #[arg(long)]
    write: bool,
    /// Cards that must stay (a card query; may be repeated)
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    keep: Vec<String>,
    /// The only cards that may come in (a card query)
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    only: Option<String>,
    /// The most copies that may change
    #[arg(long, value_name = "N")]
    max: Option<i64>,
    /// Show so many different repairs, the nearest first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=20))]
    ways: Option<u8>,
    /// Put names right that are nearly those of cards: what is certain, with --write in the file; what is in doubt is listed
    #[arg(long, conflicts_with_all = ["ways", "keep", "only", "max", "own"])]
    rename: bool,
    /// What comes in from the side deck, of [`Swapping`].
    #[arg(skip)]
    swap: Option<String>,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    at_hand: AtHand,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Human,
    Json,
    Deck,
}

const KINDS: [(&str, Kind); 3] = [
    ("human", Kind::Human),
    ("json", Kind::Json),
    ("deck", Kind::Deck),
];

/// The call with what `--to FILE` means: the mended deck goes there, and reports where `-o` says.
fn mended_to(run: &Run) -> Run {
    let mut options = (*run.options).clone();
    if let Some(to) = options.to.take() {
        if options.output.is_empty() {
            options.output.push("human".to_owned());
        }
        options.output.retain(|kind| kind != "deck");
        options.output.push(format!("deck={}", to.display()));
    }
    run.with(options)
}

/// A deck read, and what is to become of it.
struct Work<'a> {
    name: String,
    bytes: &'a [u8],
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

/// The smallest exchange with the side deck.
#[derive(Debug, clap::Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw swap my-deck.txt 'in: \"Rain Caller\" 2'\n  decklaw swap my-deck.txt 'in: \"Rain Caller\" 2; out: \"Moss King\"' --write"
)]
pub(super) struct Swapping {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// What comes in, and perhaps what goes out, as 'in: "Card" 2; out: "Other"'
    #[arg(value_name = "WISH")]
    wish: String,
    /// What the deck is written in [default: as its extension tells, otherwise text]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Change the file in place; comments, order and headings stay
    #[arg(long)]
    write: bool,
    /// The most copies that may change
    #[arg(long, value_name = "N")]
    max: Option<i64>,
    #[command(flatten)]
    effort: wishes::Effort,
}

impl Swapping {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let fix = Fix {
            deck: self.deck.clone(),
            from: self.from,
            write: self.write,
            keep: Vec::new(),
            only: None,
            max: self.max,
            ways: None,
            rename: false,
            swap: Some(self.wish.clone()),
            asked: Asked::with(self.effort),
            at_hand: AtHand::default(),
        };
        fix.run(run)
    }
}

/// How many more copies of each card fit.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  decklaw room my-deck.txt")]
pub(super) struct RoomOf {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// What the deck is written in [default: as its extension tells, otherwise text]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
}

impl RoomOf {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let judge = inputs::judge(run)?;
        let bytes = inputs::deck_bytes(&judge, run, &self.deck)?;
        match inputs::deck(&judge, run, &self.deck, self.from, &bytes)? {
            Ok(resolved) => {
                let name = self.deck.display().to_string();
                room::run(&judge, run, &name, resolved.list())
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
        if self.max.is_some_and(|most| most < 0) {
            return Err(Refusal(
                "`--max` is how many copies may change, from 0, as in `--max 3`".to_owned(),
            ));
        }
        if self.write && self.deck.as_os_str() == "-" {
            let message = "standard input cannot be changed in place; leave `--write` out and take the deck from `-o deck`";
            return Err(Refusal(message.to_owned()));
        }
        let judge = inputs::judge(run)?;
        let bytes = inputs::deck_bytes(&judge, run, &self.deck)?;
        let read = inputs::deck(&judge, run, &self.deck, self.from, &bytes)?;
        let resolved = match read {
            Ok(resolved) => resolved,
            Err(message) => {
                run.complain("error", &message);
                return Ok(Outcome::No);
            }
        };
        let before = resolved.list();
        let input = inputs::input_of(&self.deck, self.from);
        if self.rename {
            return rename::run(run, &self.deck, (&bytes, input), &resolved, self.write);
        }
        let run = &mended_to(run);
        let outputs = output::asked(run, &KINDS, Readers::Anyone)?;
        let swap = match &self.swap {
            Some(text) => {
                let read = Swap::parse(text, before);
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
            name: self.deck.display().to_string(),
            bytes: &bytes,
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
        let (texts, outcome) = match self.answer(&solved, &work) {
            Ok(found) => {
                let texts = self.found(&work, found, run, &outputs)?;
                (texts.into_iter().map(Some).collect(), Outcome::Yes)
            }
            Err(reasons) => {
                let mut texts = Vec::new();
                for output in &outputs {
                    texts.push(match output.kind {
                        Kind::Human => Some(
                            shown::refused(&reasons, terminal::width())
                                + &output::foot(&judge.given_so_far()),
                        ),
                        Kind::Json => Some(repair::no_fix(
                            &work.name,
                            (&solved).into(),
                            &reasons,
                            &work.notes,
                            &judge.given_so_far(),
                        )?),
                        Kind::Deck => None,
                    });
                }
                if texts.iter().all(Option::is_none) {
                    run.complain("error", &reasons.join("\n"));
                }
                (texts, Outcome::No)
            }
        };
        // Where there is no deck, no file of it is begun.
        for (mut output, text) in outputs.into_iter().zip(texts) {
            if let Some(text) = text {
                output.write(text.as_bytes())?;
                output.finish()?;
            }
        }
        Ok(outcome)
    }

    fn wishes(&self, run: &Run, judge: &Judge, before: &Decklist) -> Result<Wishes, Refusal> {
        let pool = before.pool();
        let mut wishes = self.asked.wishes(run, judge, before.rulebook())?;
        wishes.advice = Advice::AtNoCost;
        wishes.at_hand = self.at_hand.wish(run, judge, before.rulebook())?;
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

    /// Renders what was found, and writes the deck where that is asked for.
    fn found(
        &self,
        work: &Work<'_>,
        found: &Found,
        run: &Run,
        outputs: &[output::Output<Kind>],
    ) -> Result<Vec<String>, Refusal> {
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
        // What each change is for is asked of the deck as it declares itself then.
        let before = work.before.choosing(found.deck.choices());
        let wishes = Wishes {
            choosing: Choosing::Nothing,
            ..work.wishes.clone()
        };
        let reasons = match &work.swap {
            Some(_) => {
                let changes = before.changes_to(&found.deck);
                changes
                    .into_iter()
                    .map(|change| (change, Vec::new()))
                    .collect()
            }
            None => solve::reasons(&before, &found.deck, &wishes),
        };
        let solve::Ways {
            found: ways,
            complete,
        } = match self.ways {
            Some(count) => solve::ways(work.before, &work.wishes, found.clone(), count.into()),
            None => solve::Ways {
                found: Vec::new(),
                complete: false,
            },
        };
        let with_reasons = |way: Found| {
            let before = work.before.choosing(way.deck.choices());
            let reasons = solve::reasons(&before, &way.deck, &wishes);
            (way, reasons)
        };
        let ways: Vec<repair::Way> = ways.into_iter().map(with_reasons).collect();
        let mut notes = work.notes.clone();
        if let Some(count) = self.ways.map(usize::from)
            && found.distance > 0
            && ways.len() < count
        {
            let number = match ways.len() {
                0 | 1 => "one way".to_owned(),
                some => format!("{some} ways"),
            };
            let there = match complete {
                true => format!("there is {number} and no other that changes no more than it must"),
                false => format!(
                    "{number} was found before the work limit was reached; there may be others \
                     (`--effort` raises it)"
                ),
            };
            let note = format!("`--ways {count}`: {there}");
            run.complain("notice", &note);
            notes.push(note);
        }
        let substitutes: Vec<Substitute> = match &work.wishes.taste {
            Some(taste) => solve::substitutes(&before, &found.deck, taste),
            None => Vec::new(),
        };
        let besides = repair::Besides {
            ways: &ways,
            complete,
            substitutes: &substitutes,
        };
        let written = self.write && found.distance > 0;
        if written {
            let done = {
                let same = |found: &[u8]| inputs::is_text(&self.deck, found, work.bytes);
                files::exchange_if(run, &self.deck, same, &changed, Readers::Anyone)?
            };
            if done == Exchange::Changed {
                return Err(Refusal(format!(
                    "{}: the file changed since it was read, so it is left as it is; run the command again",
                    work.name
                )));
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
        let text = |output: &output::Output<Kind>| {
            Ok(match output.kind {
                Kind::Human => {
                    shown::Shown {
                        before: work.before,
                        name: &work.name,
                        found,
                        reasons: &reasons,
                        report: &report,
                        besides,
                        at_hand: self.at_hand.told(found.lacking),
                        written,
                        width: terminal::width(),
                        colour: output.is_screen() && run.colour(),
                    }
                    .text()
                        + &output::foot(&work.judge.given_so_far())
                }
                Kind::Json => {
                    let made = (found, reasons.as_slice());
                    repair::fix(
                        &work.name,
                        work.before,
                        made,
                        &notes,
                        &report,
                        besides,
                        &work.judge.given_so_far(),
                    )?
                }
                Kind::Deck => {
                    output::tell_inputs(run, work.judge);
                    String::from_utf8_lossy(&changed).into_owned()
                }
            })
        };
        outputs.iter().map(text).collect()
    }

    /// The deck that was found, or why there is no answer, as sentences.
    fn answer<'r>(&self, solved: &'r Repair, work: &Work<'_>) -> Result<&'r Found, Vec<String>> {
        Err(match solved {
            Repair::Found(found) if self.max.is_none_or(|most| found.distance <= most) => {
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
            Repair::Found(found) => {
                let most = self.max.unwrap_or_default();
                vec![if found.bound > most {
                    format!(
                        "{}: at least {} must change, and `--max` allows {most}",
                        work.name,
                        counted(found.bound, "copy")
                    )
                } else {
                    format!(
                        "{}: no repair of {} was found before the work limit was reached; whether there is one is not known (`--effort` raises the limit)",
                        work.name,
                        counted(most, "copy")
                    )
                }]
            }
            Repair::Unknown => vec![format!(
                "{}: the work limit was reached before any repair was found; whether there is one is not known (`--effort` raises the limit)",
                work.name
            )],
        })
    }
}

impl Work<'_> {
    /// The deck's file with other cards. What cannot be changed in place is written anew,
    /// unless it is to stand in that place.
    fn text_of(&self, after: &Decklist, in_place: bool) -> Result<(Vec<u8>, Input), Refusal> {
        let (bytes, input) = (self.bytes, self.input);
        match solve::rewrite(bytes, input, self.deck, self.before, after) {
            Ok(changed) => Ok((changed, input)),
            Err(error) if in_place => Err(Refusal(format!(
                "{}: not changed in place: {error}; write the new deck to another file: `-o deck --to FILE`",
                self.name
            ))),
            Err(_) => Ok(solve::anew(input, self.deck, after)),
        }
    }

    fn judged(&self, bytes: &[u8], input: Input) -> Result<DeckReport, Refusal> {
        let judged = self.judge.judge(&self.name, bytes, input);
        judged.map_err(|error| inputs::refuse(&error))
    }
}
