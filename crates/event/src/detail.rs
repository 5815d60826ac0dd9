//! An entry as it came, and how it was read: for `event show` and the pages.

use crate::error::EventError;
use crate::event::Event;
use crate::id::{EntryId, PlayerId};
use crate::report::Named;
use crate::roster::Entry;
use crate::standing::Standing;
use decklaw_judge::Report;
use decklaw_judge::judge::Finding;
use decklaw_judge::render::{Kind, Render, TextStyle, Written};
use decklaw_text::text::{counted, escape_control};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;

/// The cards of a section: copies and names.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct SectionDetail {
    pub section: String,
    pub title: String,
    pub cards: Vec<(u32, String)>,
}

/// An entry as it came, and how it was read.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct EntryDetail {
    pub entry: EntryId,
    pub player: Option<Named>,
    /// The name and address that it gives, and other columns of its form.
    pub given: Vec<(String, String)>,
    /// Which of the player's decks it is, from 1.
    pub number: usize,
    /// `player`, `import` or an organiser's name.
    pub author: String,
    pub place: String,
    /// When it came, as clocks at the event show it.
    pub local: Option<String>,
    pub time: Option<String>,
    pub late: bool,
    pub counts: bool,
    pub name: Option<String>,
    pub format: Option<String>,
    pub verdict: &'static str,
    /// The hash of a deck that can be read.
    pub hash: Option<String>,
    pub findings: Vec<Finding>,
    pub deck: String,
    pub read_as: Option<String>,
    pub sections: Vec<SectionDetail>,
    #[serde(skip)]
    pub at: Option<Timestamp>,
    #[serde(skip)]
    pub report: Report,
    #[serde(skip)]
    pub text: Vec<u8>,
}

impl Event {
    /// An entry as it came, and how it was read.
    ///
    /// # Errors
    /// Rules, cards or lists in the lock that are wrong.
    pub fn detail(&self, standing: &Standing, entry: &Entry) -> Result<EntryDetail, EventError> {
        let (report, text) = self.report(standing, entry)?;
        let listing = self.listing(entry, &text, report.format.as_deref())?;
        let roster = self.roster();
        let player = entry.player.map(|player| roster.real(player));
        let own = player.map(|player| standing.player(player)).unwrap_or_default();
        let mut all = own.entries;
        all.sort_unstable();
        let own = [("name", &entry.name), ("address", &entry.email), ("format", &entry.format)];
        let own = own.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value.clone()?)));
        Ok(EntryDetail {
            entry: entry.id,
            player: player.map(|id| Named { id, name: roster.name(id) }),
            given: own.chain(entry.extra.clone()).collect(),
            number: all.iter().position(|id| *id == entry.id).unwrap_or_default() + 1,
            author: entry.author.clone(),
            place: entry.place(),
            local: standing.local(entry).map(|at| at.to_string()),
            time: entry.time.clone(),
            late: report.submission.as_ref().is_some_and(|own| own.late),
            counts: report.counts(),
            name: report.name.clone(),
            format: report.format.clone(),
            verdict: report.verdict.word(),
            hash: report.hash.clone(),
            findings: report.findings.clone(),
            deck: String::from_utf8_lossy(&entry.deck).into_owned(),
            read_as: entry.read_as.clone(),
            sections: {
                let rules = report.rulebook.as_deref();
                let title = |id: &String| {
                    let known =
                        rules.into_iter().flat_map(|rules| rules.format().game().sections());
                    let named = known.into_iter().find(|section| section.id == *id);
                    named.map_or(id, |section| &section.name).clone()
                };
                let each = listing.sections.into_iter();
                each.map(|(section, cards)| SectionDetail {
                    title: title(&section),
                    section,
                    cards,
                })
                .collect()
            },
            at: entry.at,
            report,
            text,
        })
    }

    /// The decks of a player, the newest first.
    ///
    /// # Errors
    /// As [`Event::detail`].
    pub fn details_of(
        &self,
        standing: &Standing,
        player: PlayerId,
    ) -> Result<Vec<EntryDetail>, EventError> {
        let own: Vec<&Entry> = self.roster().entries_of(self.roster().real(player)).collect();
        own.into_iter().rev().map(|entry| self.detail(standing, entry)).collect()
    }
}

impl Written for EntryDetail {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json];
}

impl Render for EntryDetail {
    fn human(&self, _: &TextStyle) -> String {
        let nobody = || "no player yet".to_owned();
        let whose = self.player.as_ref();
        let whose = whose.map_or_else(nobody, |own| format!("{} ({})", own.name, own.id));
        let mut out = format!("{}: {whose}\n", self.entry);
        let time = self.local.as_deref().or(self.time.as_deref()).unwrap_or("at an unknown time");
        // Writing to a string cannot fail; so below.
        let _ = writeln!(out, "  {}, {}, by {}", self.place, time.replace('T', " "), self.author);
        let late = if self.late { ", late" } else { "" };
        let counts = if self.counts { "counts" } else { "does not count" };
        let _ = writeln!(out, "  {counts}{late}, version {}", self.number);
        for (key, value) in &self.given {
            let _ = writeln!(out, "  {key}: {value}");
        }
        let _ = writeln!(out, "As it came");
        for line in self.deck.lines() {
            let _ = writeln!(out, "  {line}");
        }
        if let Some(text) = &self.read_as {
            let _ = writeln!(out, "As a person read it");
            for line in text.lines() {
                let _ = writeln!(out, "  {line}");
            }
        }
        let format = self.format.as_ref().map_or_else(String::new, |id| format!(" ({id})"));
        let _ = writeln!(out, "As it is judged: {}{format}", self.verdict);
        for SectionDetail { title, cards, .. } in &self.sections {
            let copies = cards.iter().map(|(copies, _)| i64::from(*copies)).sum();
            let _ = writeln!(out, "  {title}: {}", counted(copies, "card"));
            for (copies, name) in cards {
                let _ = writeln!(out, "    {copies} {name}");
            }
        }
        for finding in &self.findings {
            let _ = writeln!(out, "  {}: {}", finding.rule, finding.message);
        }
        escape_control(&out, true).into_owned()
    }

    fn json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }
}
