//! `decklaw build`: a legal deck from wishes, or the reason that there is none.

use super::files::Readers;
use super::inputs;
use super::wishes::{self, Asked};
use super::{Answer, Options, Outcome, Refusal, output, terminal};
use crate::deck::{CardLine, Input, to_text};
use crate::judge::{DeckReport, Judge};
use crate::report::repair;
use crate::resolve::{Decklist, Resolved};
use crate::rules::{Rulebook, Severity};
use crate::solve::{self, Advice, Found, Repair, Wish, Wishes};
use crate::text::{harmless, place};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw build shell > deck.txt\n  decklaw build versus/fast --wish '12+ [type:character]' --prefer '4+ [element:water]'\n  decklaw build shell --wish 'side: 3+ [colour:blue]' --wish 'sum(mana) [colour:green] <= 110'\n  decklaw build vanquishers --use core.txt --own collection.csv\n\nA wish counts cards as a hand query does: in the whole deck, or in the one section that stands before it. Cards are added to those of --use (or the deck of --near is changed) as few as will do."
)]
pub(super) struct Build {
    /// The format
    #[arg(value_name = "FORMAT", required_unless_present = "edit")]
    game: Option<String>,
    /// What the deck must be, as a hand query; 'SECTION: QUERY' is about one section
    #[arg(long, value_name = "WISH", allow_hyphen_values = true)]
    wish: Vec<String>,
    /// What it should be as far as can be; the first matters more than the second
    #[arg(long, value_name = "WISH", allow_hyphen_values = true)]
    prefer: Vec<String>,
    /// A deck or part of one: at least these cards
    #[arg(long = "use", value_name = "DECK")]
    uses: Option<PathBuf>,
    /// A deck to stay as near to as can be
    #[arg(long, value_name = "DECK")]
    near: Option<PathBuf>,
    /// Which of alike cards are taken: another text, another choice
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// Build a deck by hand, in the terminal; it may be there already
    #[arg(long, value_name = "DECK", conflicts_with_all = ["wish", "prefer", "uses", "near", "seed", "own"])]
    edit: Option<PathBuf>,
    /// With --edit: in a browser instead of the terminal
    #[cfg(feature = "serve")]
    #[arg(long, requires = "edit", conflicts_with = "hand")]
    browser: bool,
    /// Cards of the opening hand whose odds the editor shows [default: the game's]
    #[arg(long, value_name = "N", requires = "edit")]
    hand: Option<u32>,
    #[command(flatten)]
    asked: Asked,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Human,
    Json,
}

const KINDS: [(&str, Kind); 2] = [("human", Kind::Human), ("json", Kind::Json)];

impl Build {
    pub(super) fn run(&self, options: &Options) -> Answer {
        #[cfg(feature = "serve")]
        if let (Some(deck), true) = (&self.edit, self.browser) {
            return super::serve::edit(deck, self.game.as_deref(), options);
        }
        if let Some(deck) = &self.edit {
            return super::editor::edit(deck, self.game.as_deref(), self.hand, options);
        }
        if options.format.is_some() {
            let message = "`build` names its format itself; leave `--format` out";
            return Err(Refusal(message.to_owned()));
        }
        let outputs = output::asked(options, &KINDS, Readers::Anyone)?;
        let judge = inputs::judge(options)?;
        let rulebook = judge
            .rulebook(self.game.as_deref().unwrap_or_default())
            .map_err(|error| inputs::refuse(&error))?;
        if rulebook.format().game().sections().is_empty() {
            return Err(Refusal(format!(
                "`{}` has no rules, so there is nothing to build by",
                rulebook.format().id()
            )));
        }
        let mut wishes = self.asked.wishes(rulebook.pool())?;
        wishes.seed.clone_from(&self.seed);
        wishes.varied = true;
        // Whoever names a deck to stay near to has chosen what to make of the advice.
        wishes.advice = match self.near {
            None => Advice::First,
            Some(_) => Advice::AtNoCost,
        };
        let parse = |text: &str| Wish::parse(text, &rulebook);
        for text in &self.wish {
            wishes.must.push(wishes::understood("--wish", text, parse)?);
        }
        for text in &self.prefer {
            wishes
                .prefer
                .push(wishes::understood("--prefer", text, parse)?);
        }
        let mut start = Decklist::empty(Arc::clone(&rulebook));
        if let Some(file) = &self.uses {
            let Some(used) = read(&judge, options, file, &rulebook)? else {
                return Ok(Outcome::No);
            };
            let name = file.display().to_string();
            wishes.must.push(Wish::uses(&used, &harmless(&name, false)));
            start = used;
        }
        if let Some(file) = &self.near {
            let Some(near) = read(&judge, options, file, &rulebook)? else {
                return Ok(Outcome::No);
            };
            start = near;
        }
        let notes = wishes::remarks(&wishes, &start);
        let solved = solve::repair(&start, &wishes);
        let built = match &solved {
            Repair::Found(found) => Some(Built::of(found, &judge)?),
            Repair::Impossible(_) | Repair::Unknown => None,
        };
        let reasons = match &solved {
            Repair::Found(_) => Vec::new(),
            Repair::Impossible(conflict) => conflict.sentences(&start, &wishes),
            Repair::Unknown => vec![UNKNOWN.to_owned()],
        };
        for mut output in outputs {
            let text = match (output.kind, &built) {
                (Kind::Human, Some(built)) => {
                    told(built, &wishes);
                    built.text.clone()
                }
                (Kind::Human, None) => {
                    // Standard output is for a deck.
                    let message = match &solved {
                        Repair::Impossible(conflict) => {
                            wishes::explained(&reasons, conflict.irreducible)
                        }
                        _ => UNKNOWN.to_owned(),
                    };
                    terminal::complain("error", message.trim_end());
                    continue;
                }
                (Kind::Json, Some(built)) => {
                    repair::build(built.found, &wishes.prefer, &notes, &built.report)?
                }
                (Kind::Json, None) => {
                    let impossible = matches!(solved, Repair::Impossible(_));
                    repair::no_build(rulebook.format().id(), impossible, &reasons, &notes)?
                }
            };
            output.write(text.as_bytes())?;
            output.finish()?;
        }
        Ok(match built {
            Some(_) => Outcome::Yes,
            None => Outcome::No,
        })
    }
}

/// A deck that was found, as it is written.
struct Built<'f> {
    found: &'f Found,
    text: String,
    /// What is said of the text.
    report: DeckReport,
}

impl Built<'_> {
    /// Writes a deck, and reads what was written: it must be the deck that was found.
    fn of<'f>(found: &'f Found, judge: &Judge) -> Result<Built<'f>, Refusal> {
        let text = to_text(&found.deck.listing());
        let report = judge.judge("-", text.as_bytes(), Input::Text);
        let report = report.map_err(|error| inputs::refuse(&error))?;
        if report.hash.as_deref() != Some(found.deck.hash().as_str()) {
            let message = "a name in the deck that was found cannot stand in a deck's text, so that it would be read as another deck";
            return Err(Refusal(message.to_owned()));
        }
        Ok(Built {
            found,
            text,
            report,
        })
    }
}

/// Says what of a deck is not as it should be.
fn told(built: &Built<'_>, wishes: &Wishes) {
    let found = built.found;
    for (wish, missed) in wishes.prefer.iter().zip(&found.missed) {
        if *missed > 0 {
            let message = format!("{}; it is {missed} away", wish.text());
            terminal::complain("not met", &message);
        }
    }
    for judgement in found.deck.judge() {
        let rulebook = found.deck.rulebook();
        if rulebook.severity(&judgement) == Severity::Warning {
            let rule = &rulebook.rules()[judgement.rule].id;
            let message = format!("{rule}: {}", judgement.violation.message);
            terminal::complain("warning", &message);
        }
    }
    if !found.optimal {
        let message = "the work limit was reached (`--effort` raises it): the deck is legal, but one that is nearer or meets more of what is preferred may exist";
        terminal::complain("notice", message);
    }
}

const UNKNOWN: &str = "the work limit was reached before any deck was found; whether there is one is not known (`--effort` raises the limit)\n";

/// Reads a deck of the format, whatever format it names itself; `None`: it is no deck.
fn read(
    judge: &Judge,
    options: &Options,
    file: &Path,
    rulebook: &Arc<Rulebook>,
) -> Result<Option<Decklist>, Refusal> {
    let options = Options {
        format: Some(rulebook.format().id().to_owned()),
        ..options.clone()
    };
    let bytes = inputs::deck_bytes(file)?;
    let read = inputs::deck(judge, &options, file, None, &bytes)?;
    match read {
        Ok(resolved) => {
            known(file, &resolved)?;
            Ok(Some(resolved.into_list()))
        }
        Err(message) => {
            terminal::complain("error", &message);
            Ok(None)
        }
    }
}

/// Refuses a list with cards that the pool does not know, unless the rules bear them: they
/// would be left out without a word.
fn known(file: &Path, resolved: &Resolved<'_>) -> Result<(), Refusal> {
    /// More places are counted only.
    const SHOWN: usize = 20;
    let (list, pool) = (resolved.list(), resolved.pool());
    let lines = resolved.deck().lines.iter().zip(resolved.cards());
    let strange: Vec<&CardLine<'_>> = lines
        .filter(|(_, card)| !list.knows(**card))
        .map(|(line, _)| line)
        .collect();
    if strange.is_empty() || resolved.rulebook().bears_unknown() {
        return Ok(());
    }
    let each = strange.iter().take(SHOWN).map(|line| {
        let place = place(resolved.text(), line.span.start);
        let wrong = crate::query::no_card(&line.name, pool);
        let name = file.display();
        format!(
            "{name}: line {}, column {}: {wrong}",
            place.line, place.column
        )
    });
    let mut lines: Vec<String> = each.collect();
    if strange.len() > SHOWN {
        lines.push(format!("and {} more", strange.len() - SHOWN));
    }
    Err(Refusal(lines.join("\n")))
}
