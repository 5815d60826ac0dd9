//! `event check`, `event stats` and `event export`: questions about the decks that
//! count.

use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, Outcome, Refusal, Run, inputs};
use super::{Folder, Only, player, write_all};
use crate::deck::Input;
use crate::event::{Checked, Decision, Event, Listed, Meta, Personal, Standing, sheet};
use crate::judge::Verdict;
use crate::origin::Given;
use crate::render::{FIGURES, Kind, Render, Rendered, Rendering, TextStyle, Written};
use crate::report::json;
use crate::spreadsheet::{Cell, Flavour, Sheet};
use crate::text::harmless;
use decklaw_engine::report::registered::Registered;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Check that a deck is the registered one
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Registered<'_>>))]
pub(in super::super) struct Check {
    #[command(flatten)]
    folder: Folder,
    /// The player, by id or name
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The deck at the table, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// Do not record the check
    #[arg(long)]
    dry: bool,
    #[command(flatten)]
    output: Output,
}

impl Check {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let mut event = self.folder.opened(run)?;
        let outputs = Outputs::<Registered<'_>>::open(run, &self.output)?;
        let whose = player(&event, &self.player)?;
        let bytes = inputs::deck_bytes(event.judge(), run, &self.deck)?;
        let checked = event.check(whose, &bytes)?;
        if !self.dry {
            let decision = Decision::Checked {
                player: whose,
                answer: checked.word().to_owned(),
            };
            let who = super::organiser(None);
            event.decide(&who, decision, Personal::default(), Some(bytes.clone()))?;
        }
        let played = match &checked {
            Checked::Played(played) => played,
            Checked::Unreadable(why) => {
                run.complain("error", why);
                return Ok(Outcome::No);
            }
        };
        let standing = event.standing()?;
        let entry = standing
            .players
            .get(&whose)
            .and_then(|counting| counting.counts());
        let entry = entry.and_then(|entry| event.roster().entries.get(&entry));
        let before = match entry {
            Some(entry) => event.report(&standing, entry)?.0,
            None => return Ok(Outcome::No),
        };
        let format = before.format.as_deref();
        let after = event.judge().judge_as("", &bytes, Input::default(), format);
        let after = after.map_err(|error| inputs::refuse(&error))?;
        let name = self.deck.display().to_string();
        let registered = event.roster().called(whose);
        let answer = Registered {
            deck: &name,
            registered: &registered,
            hashes: [
                after.hash.unwrap_or_default(),
                before.hash.unwrap_or_default(),
            ],
            played,
            judge: event.judge(),
        };
        outputs.emit(run, &answer, &[])
    }
}

/// Count the cards that are played, by decks and copies
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Played>))]
pub(in super::super) struct Stats {
    #[command(flatten)]
    folder: Folder,
    /// Count only decks with this verdict
    #[arg(long, value_name = "WORD")]
    verdict: Option<Word>,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Word {
    Legal,
    Incomplete,
    Illegal,
}

/// What is played at an event.
pub(in super::super) struct Played {
    name: String,
    meta: Meta,
    seal: String,
    verbose: bool,
}

impl Written for Played {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Render for Played {
    fn human(&self, _: &TextStyle) -> String {
        /// More cards than these are counted.
        const MOST: usize = 40;
        let meta = &self.meta;
        let verdicts: Vec<String> = meta
            .verdicts
            .iter()
            .map(|(word, number)| format!("{number} {word}"))
            .collect();
        let number = i64::try_from(meta.decks).unwrap_or(i64::MAX);
        let mut out = format!("{}: {}", self.name, crate::text::counted(number, "deck"));
        if !verdicts.is_empty() {
            let _ = write!(out, " ({})", verdicts.join(", "));
        }
        out.push('\n');
        let most = if self.verbose { meta.cards.len() } else { MOST };
        let width = meta
            .cards
            .iter()
            .take(most)
            .map(|card| {
                unicode_width::UnicodeWidthStr::width(card.card.as_str()) + card.section.len() + 1
            })
            .max();
        let width = width.unwrap_or(0).max(10);
        let _ = write!(
            out,
            "{:width$}  {:>6}  {:>7}  {:>6}  {:>6}",
            "", "decks", "share", "copies", "a deck"
        );
        out.push('\n');
        for card in meta.cards.iter().take(most) {
            let name = format!("{} {}", card.section, card.card);
            let fill = " "
                .repeat(width.saturating_sub(unicode_width::UnicodeWidthStr::width(name.as_str())));
            let mean = card.copies as f64 / card.decks.max(1) as f64;
            let _ = write!(
                out,
                "{name}{fill}  {:>6}  {:>5.1} %  {:>6}  {mean:>6.2}",
                card.decks,
                meta.share(card),
                card.copies
            );
            out.push('\n');
        }
        if meta.cards.len() > most {
            let _ = writeln!(out, "and {} more; `-v` shows them", meta.cards.len() - most);
        }
        harmless(&out, true).into_owned()
    }

    fn json(&self) -> serde_json::Result<Value> {
        let meta = &self.meta;
        let cards = meta.cards.iter().map(|card| {
            serde_json::json!({
                "section": card.section, "card": card.card, "decks": card.decks,
                "share": meta.share(card) / 100.0, "copies": card.copies, "legal": card.legal,
            })
        });
        Ok(serde_json::json!({
            "schema": "decklaw/event-stats/1", "event": self.name, "lock": self.seal,
            "decks": meta.decks, "unread": meta.unread, "verdicts": meta.verdicts,
            "cards": cards.collect::<Vec<_>>(),
        }))
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        (Meta::COLUMNS.to_vec(), self.meta.rows())
    }
}

impl Stats {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let (event, standing) = self.folder.open(run)?;
        let outputs = Outputs::<Played>::open(run, &self.output)?;
        let only = self.verdict.map(|word| match word {
            Word::Legal => Verdict::Legal,
            Word::Incomplete => Verdict::Incomplete,
            Word::Illegal => Verdict::Illegal,
        });
        let played = Played {
            name: event.about.name.clone(),
            meta: Meta::of(&event, &standing, only)?,
            seal: event.seal().to_owned(),
            verbose: run.screen.verbose,
        };
        outputs.emit(run, &played, &[])
    }
}

/// Export everything as a table, workbook or JSON
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Whole>))]
pub(in super::super) struct Export {
    #[command(flatten)]
    folder: Folder,
    /// Write each counting deck into this folder too
    #[arg(long, value_name = "DIR")]
    decks: Option<PathBuf>,
    #[command(flatten)]
    only: Only,
    #[command(flatten)]
    output: Output,
}

/// All of an event.
pub(in super::super) struct Whole {
    listed: Vec<Listed>,
    event: Event,
    json: Value,
}

impl Written for Whole {
    const KINDS: &'static [Kind] = &[
        Kind::Csv(Flavour::Plain),
        Kind::Csv(Flavour::Excel),
        Kind::Xlsx,
        Kind::Json,
        Kind::Ndjson,
    ];
}

impl Render for Whole {
    fn json(&self) -> serde_json::Result<Value> {
        Ok(self.json.clone())
    }

    fn sheets(&self) -> Vec<Sheet<'_>> {
        self.event.workbook_sheets(&self.listed)
    }

    fn body(&self, kind: Kind, given: &[Given]) -> Rendered<Option<Rendering>> {
        let bytes = match kind {
            Kind::Csv(flavour) => {
                let sheet = sheet("decks", &self.listed, self.event.seal(), |_| true);
                sheet.with_inputs(given).csv(flavour)?
            }
            Kind::Ndjson => {
                let mut lines = Vec::new();
                let counting = self.listed.iter().filter(|one| one.status == "counts");
                for report in counting.filter_map(|one| one.report.as_ref()) {
                    json::write_line(&mut lines, report)?;
                }
                lines
            }
            _ => return Ok(None),
        };
        Ok(Some(Rendering::Report(bytes)))
    }
}

impl Export {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let (event, standing) = self.folder.open(run)?;
        let outputs = Outputs::<Whole>::open(run, &self.output)?;
        let is_meant = self.only.chosen(&event)?;
        let mut listed = event.listed(&standing)?;
        listed.retain(|one| is_meant(one));
        if let Some(folder) = &self.decks {
            let decks = decks(&event, &standing, &listed)?;
            write_all(run, folder, &decks, self.output.place.replace)?;
        }
        let json = event.to_json(&standing)?;
        outputs.emit(
            run,
            &Whole {
                listed,
                event,
                json,
            },
            &[],
        )
    }
}

/// The decks that count, each as a text with its player, and the names of their files.
fn decks(
    event: &Event,
    standing: &Standing,
    listed: &[Listed],
) -> Result<Vec<(String, String)>, Refusal> {
    let mut all = Vec::new();
    for one in listed.iter().filter(|one| one.status == "counts") {
        let Some(player) = one.player.and_then(|id| event.roster().players.get(&id)) else {
            continue;
        };
        let known = crate::event::of_player(event, standing, player)?;
        if known.report.hash.is_none() {
            continue;
        }
        let mut listing = known.listing;
        listing.format.clone_from(&known.report.format);
        let words = player.name.split(|letter: char| !letter.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).collect::<Vec<_>>();
        let stem: String = words.join("-").chars().take(60).collect();
        let name = format!("{}-{stem}", player.id);
        all.push((
            format!("{}.txt", name.trim_end_matches('-')),
            crate::deck::to_text(&listing),
        ));
    }
    Ok(all)
}
