//! `decklaw build`: a legal deck from wishes, or the reason that there is none.

use super::files::Readers;
use super::inputs;
use super::wishes::{self, Asked};
use super::{Answer, Options, Outcome, Refusal, output, terminal};
use crate::deck::{CardLine, Listing, to_text};
use crate::judge::Judge;
use crate::report::json;
use crate::resolve::{Decklist, Resolved};
use crate::rules::{Rulebook, Severity};
use crate::solve::{self, Advice, Found, Repair, Wish, Wishes};
use crate::text::{harmless, place};
use serde_json::json;
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
        let outcome = match &solved {
            Repair::Found(_) => Outcome::Yes,
            Repair::Impossible(_) | Repair::Unknown => Outcome::No,
        };
        for mut output in outputs {
            let text = match output.kind {
                Kind::Human => self.shown(&solved, &start, &wishes),
                Kind::Json => self.json(&solved, &start, &wishes, &notes, &judge)?,
            };
            if outcome == Outcome::No && output.kind == Kind::Human {
                // Standard output is for a deck.
                terminal::complain("error", text.trim_end());
                continue;
            }
            output.write(text.as_bytes())?;
            output.finish()?;
        }
        Ok(outcome)
    }

    fn shown(&self, solved: &Repair, start: &Decklist, wishes: &Wishes) -> String {
        match solved {
            Repair::Found(found) => {
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
                to_text(&found.deck.listing())
            }
            Repair::Impossible(conflict) => {
                let sentences = conflict.sentences(start, wishes);
                wishes::explained(&sentences, conflict.irreducible)
            }
            Repair::Unknown => UNKNOWN.to_owned(),
        }
    }

    fn json(
        &self,
        solved: &Repair,
        start: &Decklist,
        wishes: &Wishes,
        notes: &[String],
        judge: &Judge,
    ) -> Result<String, Refusal> {
        let format = start.rulebook().format().id();
        let (deck, reasons): (Option<&Found>, Vec<String>) = match solved {
            Repair::Found(found) => (Some(found), Vec::new()),
            Repair::Impossible(conflict) => (None, conflict.sentences(start, wishes)),
            Repair::Unknown => (None, vec![UNKNOWN.to_owned()]),
        };
        let Some(found) = deck else {
            return super::json_text(&json!({
                "schema": "decklaw/build/1",
                "format": format,
                "deck": null,
                "impossible": matches!(solved, Repair::Impossible(_)),
                "reasons": reasons,
                "notes": notes,
            }));
        };
        let listing: Listing = found.deck.listing();
        let sections: serde_json::Map<String, serde_json::Value> = listing
            .sections
            .iter()
            .map(|(id, cards)| {
                let cards: Vec<serde_json::Value> = cards
                    .iter()
                    .map(|(count, name)| json!({"count": count, "name": name}))
                    .collect();
                (id.clone(), cards.into())
            })
            .collect();
        let text = to_text(&listing);
        let report = judge
            .judge("-", text.as_bytes(), crate::deck::Input::Text)
            .map_err(|error| inputs::refuse(&error))?;
        let preferred: Vec<serde_json::Value> = wishes
            .prefer
            .iter()
            .zip(&found.missed)
            .map(|(wish, missed)| json!({"wish": wish.text(), "missed": missed}))
            .collect();
        super::json_text(&json!({
            "schema": "decklaw/build/1",
            "format": format,
            "deck": {"format": format, "sections": sections},
            "distance": found.distance,
            "optimal": found.optimal,
            "bound": found.bound,
            "preferred": preferred,
            "notes": notes,
            "after": {
                "verdict": report.verdict,
                "hash": report.hash,
                "findings": json::findings(&report.findings)?,
            },
        }))
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
