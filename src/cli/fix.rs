//! `decklaw fix`: the smallest edit that makes a deck legal.

use super::files::{self, Readers};
use super::inputs::{self, InputKind};
use super::wishes::{self, Asked};
use super::{Answer, Options, Outcome, Refusal, output, room, terminal};
use crate::deck::{Deck, Input};
use crate::report::{DeckReport, Judge, json};
use crate::rules::Severity;
use crate::solve::{self, Advice, Change, Decklist, Found, Repair, Swap, Wish, Wishes};
use crate::text::{counted, harmless};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw fix my-deck.txt\n  decklaw fix my-deck.txt --write\n  decklaw fix my-deck.txt --keep 'colour:blue' --only 'set:alpha' --max 10\n  decklaw fix my-deck.txt --room\n  decklaw fix my-deck.txt --swap 'in: \"Rain Caller\" 2'\n\nOf edits that are equally small the same one is always given: the first that the search meets, cards being tried by name."
)]
pub(super) struct Fix {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// What the deck is written in [default: as its extension tells, otherwise text]
    #[arg(long, value_name = "KIND")]
    input: Option<InputKind>,
    /// Change the file in place; comments, order and headings stay
    #[arg(long)]
    write: bool,
    /// Cards that must stay (a card query; may be repeated)
    #[arg(long, value_name = "QUERY")]
    keep: Vec<String>,
    /// The only cards that may come in (a card query)
    #[arg(long, value_name = "QUERY")]
    only: Option<String>,
    /// The most copies that may change
    #[arg(long, value_name = "N")]
    max: Option<i64>,
    /// Show how many more copies of each card fit, and what limits them
    #[arg(long, conflicts_with_all = ["write", "keep", "only", "max", "own", "swap"])]
    room: bool,
    /// Bring cards in from the side deck: the smallest exchange, as 'in: "Card" 2; out: "Other"'
    #[arg(long, value_name = "WISH", conflicts_with_all = ["keep", "only", "own"])]
    swap: Option<String>,
    #[command(flatten)]
    asked: Asked,
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

/// A deck read, and what is to become of it.
struct Work<'a> {
    name: String,
    bytes: &'a [u8],
    input: Input,
    deck: &'a Deck<'a>,
    before: Decklist,
    wishes: Wishes,
    judge: &'a Judge,
}

/// A change and why it is needed.
type Reasoned = (Change, Vec<String>);

impl Fix {
    pub(super) fn run(&self, options: &Options) -> Answer {
        if self.max.is_some_and(|most| most < 0) {
            return Err(Refusal("`--max` is at least 0".to_owned()));
        }
        if self.write && self.deck.as_os_str() == "-" {
            let message = "standard input cannot be changed in place; leave `--write` out and take the deck from `-o deck`";
            return Err(Refusal(message.to_owned()));
        }
        let judge = inputs::judge(options)?;
        let bytes = inputs::deck_bytes(&self.deck)?;
        let read = inputs::deck(&judge, options, &self.deck, self.input, &bytes)?;
        let (deck, rulebook) = match read {
            Ok(read) => read,
            Err(message) => {
                terminal::complain("error", &message);
                return Ok(Outcome::No);
            }
        };
        let rulebook = Decklist::rulebook_for(&deck, rulebook)?;
        let before = Decklist::of(&deck, Arc::clone(&rulebook));
        if self.room {
            return room::run(options, &self.deck.display().to_string(), &before);
        }
        let input = inputs::input_of(&self.deck, self.input);
        if self.write && input == Input::Yaml {
            let message = "a YAML deck is not changed in place, since its comments would be lost; write the new deck elsewhere: `-o deck --to FILE`";
            return Err(Refusal(message.to_owned()));
        }
        let outputs = output::asked(options, &KINDS, Readers::Anyone)?;
        let swap = match &self.swap {
            Some(text) => {
                let read = Swap::parse(text, &before);
                Some(read.map_err(|error| Refusal(format!("in `--swap`: {error}")))?)
            }
            None => None,
        };
        let work = Work {
            name: self.deck.display().to_string(),
            bytes: &bytes,
            input,
            deck: &deck,
            wishes: match &swap {
                Some(swap) => Wishes {
                    effort: self.asked.wishes(before.pool())?.effort,
                    ..swap.wishes(&before)
                },
                None => self.wishes(&before)?,
            },
            before,
            judge: &judge,
        };
        let solved = match &swap {
            Some(swap) => swap.solve(&work.before, work.wishes.effort),
            None => solve::repair(&work.before, &work.wishes),
        };
        let mut texts = Vec::new();
        let outcome = match &solved {
            Repair::Found(found) if self.max.is_none_or(|most| found.distance <= most) => {
                self.found(&work, found, &outputs, &mut texts)?;
                Outcome::Yes
            }
            other => {
                let reasons = self.refusal(other, &work);
                for output in &outputs {
                    texts.push(match output.kind {
                        Kind::Human => harmless(&reasons.join("\n"), true).into_owned() + "\n",
                        Kind::Json => work.no(&reasons)?,
                        Kind::Deck => {
                            terminal::complain("error", &reasons.join("\n"));
                            return Ok(Outcome::No);
                        }
                    });
                }
                Outcome::No
            }
        };
        for (mut output, text) in outputs.into_iter().zip(texts) {
            output.write(text.as_bytes())?;
            output.finish()?;
        }
        Ok(outcome)
    }

    fn wishes(&self, before: &Decklist) -> Result<Wishes, Refusal> {
        let pool = before.pool();
        let mut wishes = self.asked.wishes(pool)?;
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

    /// Renders what was found, and writes the deck where that is asked for.
    fn found(
        &self,
        work: &Work<'_>,
        found: &Found,
        outputs: &[output::Output<Kind>],
        texts: &mut Vec<String>,
    ) -> Result<(), Refusal> {
        let changed = work.text_of(&found.deck)?;
        let report = work.judged(&changed)?;
        // What is written must be read as what was found.
        if report.hash.as_deref() != Some(found.deck.hash().as_str()) {
            let message = "the deck's text could not be changed to what was found; this is a defect in decklaw";
            return Err(Refusal(message.to_owned()));
        }
        let reasons = match self.swap {
            Some(_) => {
                let changes = work.before.changes_to(&found.deck);
                changes
                    .into_iter()
                    .map(|change| (change, Vec::new()))
                    .collect()
            }
            None => solve::reasons(&work.before, &found.deck, &work.wishes),
        };
        if self.write && found.distance > 0 {
            let now = inputs::deck_bytes(&self.deck)?;
            if now != work.bytes {
                return Err(Refusal(format!(
                    "{}: the file changed since it was read, so it is left as it is; run the command again",
                    work.name
                )));
            }
            files::replace(&self.deck, &changed, Readers::Anyone)?;
        }
        for output in outputs {
            texts.push(match output.kind {
                Kind::Human => self.shown(work, found, &reasons, &report),
                Kind::Json => work.yes(found, &reasons, &report)?,
                Kind::Deck => String::from_utf8_lossy(&changed).into_owned(),
            });
        }
        Ok(())
    }

    fn shown(
        &self,
        work: &Work<'_>,
        found: &Found,
        reasons: &[Reasoned],
        report: &DeckReport,
    ) -> String {
        let mut out = format!("{}: ", work.name);
        out.push_str(&match (found.distance, found.optimal) {
            (0, _) => "legal as it is\n".to_owned(),
            (distance, true) => format!("{} to change, and no fewer will do\n", counted(distance, "copy")),
            (distance, false) => format!(
                "{} to change; the work limit was reached, and {} or more it must be (`--effort` raises the limit)\n",
                counted(distance, "copy"),
                found.bound
            ),
        });
        let width = terminal::width();
        // In a narrow terminal a reason stands below its change.
        let narrow = width < 60;
        let mut section = None;
        for (change, rules) in reasons {
            if section != Some(change.section) {
                section = Some(change.section);
                out.push_str(&format!(
                    "\n{}\n",
                    work.before.sections()[usize::from(change.section)]
                ));
            }
            let name = work.before.name(change.card);
            let (sign, copies) = match change.to > change.from {
                true => ('+', change.to - change.from),
                false => ('-', change.from - change.to),
            };
            let mut line = format!("  {sign} {copies} {name}");
            if change.from > 0 && change.to > 0 {
                line.push_str(&format!(" (now {})", change.to));
            }
            if !rules.is_empty() {
                let used = unicode_width::UnicodeWidthStr::width(line.as_str());
                let gap = 40_usize.saturating_sub(used);
                let why = rules.join(", ");
                match narrow {
                    true => line.push_str(&format!("\n      {why}")),
                    false => line.push_str(&format!("{}  {why}", " ".repeat(gap))),
                }
            }
            if !work.before.knows(change.card) {
                let near = work.before.pool().nearest(name);
                if !near.is_empty() {
                    let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
                    let hint = format!(
                        "if {} was meant, mend the name first",
                        crate::text::listed(&near, "or")
                    );
                    let indent = width.saturating_sub(6);
                    for hint in terminal::wrapped(&hint, indent) {
                        line.push_str(&format!("\n      {hint}"));
                    }
                }
            }
            out.push_str(&line);
            out.push('\n');
        }
        if !report.findings.is_empty() && found.distance > 0 {
            out.push('\n');
        }
        for finding in report.findings.iter().filter(|_| found.distance > 0) {
            // What a side deck may hold is asked as it is registered; after a swap it is advice.
            let word = match finding.severity {
                Severity::Error if self.swap.is_some() => Severity::Warning.word(),
                severity => severity.word(),
            };
            let text = format!("{word}: {}: {}", finding.rule, finding.message);
            for line in terminal::wrapped(&text, width) {
                out.push_str(&line);
                out.push('\n');
            }
        }
        if self.write && found.distance > 0 {
            out.push_str("\nwritten\n");
        }
        harmless(&out, true).into_owned()
    }

    /// Why there is no answer, as sentences.
    fn refusal(&self, solved: &Repair, work: &Work<'_>) -> Vec<String> {
        match solved {
            Repair::Impossible(conflict) => {
                let sentences = conflict.sentences(&work.before, &work.wishes);
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
        }
    }
}

impl Work<'_> {
    /// The deck's file with other cards.
    fn text_of(&self, after: &Decklist) -> Result<Vec<u8>, Refusal> {
        let (bytes, input) = (self.bytes, self.input);
        Ok(solve::rewrite(
            bytes,
            input,
            self.deck,
            &self.before,
            after,
        )?)
    }

    fn judged(&self, bytes: &[u8]) -> Result<DeckReport, Refusal> {
        let judged = self.judge.judge(&self.name, bytes, self.input);
        judged.map_err(|error| inputs::refuse(&error))
    }

    fn yes(
        &self,
        found: &Found,
        reasons: &[Reasoned],
        report: &DeckReport,
    ) -> Result<String, Refusal> {
        let change = |(change, rules): &Reasoned| {
            json!({
                "section": self.before.sections()[usize::from(change.section)],
                "card": self.before.name(change.card),
                "from": change.from,
                "to": change.to,
                "rules": rules,
            })
        };
        let changes: Vec<serde_json::Value> = reasons.iter().map(change).collect();
        super::json_text(&json!({
            "schema": "decklaw/fix/1",
            "deck": self.name,
            "distance": found.distance,
            "optimal": found.optimal,
            "bound": found.bound,
            "changes": changes,
            "after": {
                "verdict": report.verdict,
                "hash": report.hash,
                "findings": json::findings(&report.findings)?,
            },
        }))
    }

    fn no(&self, reasons: &[String]) -> Result<String, Refusal> {
        super::json_text(&json!({
            "schema": "decklaw/fix/1",
            "deck": self.name,
            "distance": null,
            "optimal": false,
            "changes": [],
            "after": null,
            "reasons": reasons,
        }))
    }
}
