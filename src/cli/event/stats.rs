//! `event stats`: which cards are played.

use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, Run};
use super::Folder;
use crate::event::{Event, EventStats};
use crate::judge::Verdict;
use crate::render::{FIGURES, Kind, Render, TextStyle, Written};
use crate::spreadsheet::Cell;
use crate::text::{counted, escape_control};
use serde_json::Value;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// Count the cards that are played, by decks and copies
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<StatsReport>), after_help = "Example:\n  decklaw event stats autumn --verdict legal")]
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

impl Stats {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let (event, report) = self.folder.open_with_notes(run)?;
        let outputs = Outputs::<StatsReport>::open(&self.output)?;
        let only = self.verdict.map(|word| match word {
            Word::Legal => Verdict::Legal,
            Word::Incomplete => Verdict::Incomplete,
            Word::Illegal => Verdict::Illegal,
        });
        let report = StatsReport {
            stats: EventStats::of(&event, &report.standing, only)?,
            event,
            verbose: run.screen.verbose,
        };
        outputs.emit(run, &report)
    }
}

/// The cards that are played at an event.
pub(in super::super) struct StatsReport {
    event: Event,
    stats: EventStats,
    verbose: bool,
}

impl Written for StatsReport {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Render for StatsReport {
    fn human(&self, _: &TextStyle) -> String {
        /// Without `-v`, this many cards are printed.
        const MOST: usize = 40;
        let stats = &self.stats;
        let number = i64::try_from(stats.decks).unwrap_or(i64::MAX);
        let mut out = format!("{}: {}", self.event.about.name, counted(number, "deck"));
        let verdicts = stats.verdicts.iter();
        let verdicts: Vec<String> = verdicts.map(|(word, n)| format!("{n} {word}")).collect();
        if !verdicts.is_empty() {
            // Writing to a string cannot fail; so below.
            let _ = write!(out, " ({})", verdicts.join(", "));
        }
        if stats.unread > 0 {
            let _ = write!(out, "; shares are of the {} that can be read", stats.read());
        }
        let most = if self.verbose { stats.cards.len() } else { MOST };
        let shown = stats.cards.iter().take(most);
        let rows = shown.map(|card| (format!("{} {}", card.section, card.card), card));
        let rows: Vec<_> = rows.collect();
        let width = rows.iter().map(|(name, _)| name.width()).max();
        let width = width.unwrap_or_default().max(10);
        let _ = writeln!(
            out,
            "\n{:width$}  {:>6}  {:>7}  {:>6}  {:>6}",
            "", "decks", "share", "copies", "a deck"
        );
        for (name, card) in rows {
            let fill = " ".repeat(width.saturating_sub(name.width()));
            let _ = writeln!(
                out,
                "{name}{fill}  {:>6}  {:>5.1} %  {:>6}  {:>6.2}",
                card.decks,
                100.0 * stats.share(card),
                card.copies,
                card.copies as f64 / card.decks.max(1) as f64
            );
        }
        if stats.cards.len() > most {
            let _ = writeln!(out, "and {} more; `-v` shows them", stats.cards.len() - most);
        }
        escape_control(&out, true).into_owned()
    }

    fn json(&self) -> serde_json::Result<Value> {
        Ok(self.stats.to_json(&self.event))
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        (EventStats::COLUMNS.to_vec(), self.stats.rows())
    }
}
