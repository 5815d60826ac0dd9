//! What a deck is made of.

use crate::deck::Source;
use crate::library::{JudgeEntry, Library, STATISTICS};
use crate::notes::Notes;
use crate::problem;
use crate::question::{Ask, Stats};
use decklaw_engine::stats::{self, DeckStats};
use decklaw_judge::render::{
    DeckNotes, FIGURES_BY_DECK, Kind, Render, Rendered, Rendering, TextStyle, Written,
};
use decklaw_judge::resolve::Resolved;
use decklaw_text::digest::{canonical, sha256};
use decklaw_text::name::fold;
use decklaw_text::spreadsheet::Cell;
use decklaw_text::text::listed;
use decklaw_text::{Problem, ProblemKind};
use serde::Serialize;
use serde_json::Value;

/// What decks are made of: `decklaw/stats/1`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "schema", rename = "decklaw/stats/1")]
#[non_exhaustive]
pub struct StatsAnswer {
    /// The day by which the decks were read.
    pub as_of: String,
    /// What the decks were read by.
    pub rules: Value,
    /// The decks.
    pub decks: Vec<DeckStats>,
    /// Whether each deck that was asked about could be read.
    #[serde(skip)]
    pub is_complete: bool,
}

impl StatsAnswer {
    /// What several decks are made of. `is_complete`: whether each deck that was asked about could be read.
    ///
    /// # Errors
    /// None in practice.
    pub fn of_decks(
        entry: &JudgeEntry,
        decks: Vec<DeckStats>,
        is_complete: bool,
    ) -> Result<StatsAnswer, Problem> {
        let mut rules = serde_json::Map::new();
        for rulebook in entry.judge.met().values() {
            if let Value::Object(of_format) = entry.rules_of(rulebook, &[STATISTICS])? {
                rules.extend(of_format);
            }
        }
        Ok(StatsAnswer {
            as_of: entry.judge.day().to_string(),
            rules: Value::Object(rules),
            decks,
            is_complete,
        })
    }

    /// The statistics as an SVG picture.
    pub fn to_svg(&self) -> String {
        stats::to_svg(&self.decks)
    }
}

/// A deck as a line of `ndjson`.
#[derive(Serialize)]
struct Line<'a> {
    schema: &'static str,
    #[serde(flatten)]
    deck: &'a DeckStats,
    rules: Option<String>,
}

/// The digest of an entry of `rules`, whatever files it comes from.
fn entry_digest(rules: &Value) -> String {
    let mut rules = rules.clone();
    if let Some(entry) = rules.as_object_mut() {
        entry.remove("from");
    }
    sha256(&canonical(&rules))
}

/// The sections of a deck that are counted, by the ids or names that a question has.
///
/// # Errors
/// A section that the deck cannot have.
fn sections(resolved: &Resolved<'_>, asked: &[String]) -> Result<Vec<String>, Problem> {
    let names = resolved.rulebook().format().game().section_names();
    let id = |word: &String| {
        if let Some(id) = names.find(word) {
            return Ok(id.to_owned());
        }
        let id = fold(word).into_owned();
        let own = resolved.deck().sections.iter();
        let own: Vec<&str> = own.map(|section| &*section.id).collect();
        match (names.open, own.contains(&id.as_str())) {
            (true, true) => Ok(id),
            (true, false) => Err(Problem::new(
                ProblemKind::Deck,
                format!("the deck has no section `{word}`; it has {}", listed(&own, "and")),
            )),
            (false, _) => Err(problem::query(format!(
                "there is no section `{word}`; the sections are {}",
                listed(names.ids, "and")
            ))),
        }
    };
    asked.iter().map(id).collect()
}

/// What a deck that was read is made of.
///
/// # Errors
/// A section that the deck cannot have; statistics of the game that do not fit its cards.
pub fn measured(
    entry: &JudgeEntry,
    name: &str,
    resolved: &Resolved<'_>,
    section: &[String],
) -> Result<DeckStats, Problem> {
    counted(entry, name, resolved, section, Notes::of(resolved))
}

/// The same with these notes.
pub(crate) fn counted(
    entry: &JudgeEntry,
    name: &str,
    resolved: &Resolved<'_>,
    section: &[String],
    notes: Notes,
) -> Result<DeckStats, Problem> {
    let spec = entry.stats(resolved.rulebook())?;
    let asked = sections(resolved, section)?;
    let measured = stats::measure(name, resolved, &spec, &asked, notes.into());
    measured.map_err(|error| problem::game(&error.message))
}

impl Ask for Stats {
    type Answer = StatsAnswer;

    fn ask(self, library: &Library) -> Result<StatsAnswer, Problem> {
        let entry = library.judge_of(self.subject())?;
        let source = Source::of(&entry, self.subject())?;
        let resolved = source.resolved(&entry)?;
        let rulebook = resolved.of_format();
        let rules = entry.rules_of(rulebook, &[STATISTICS])?;
        Ok(StatsAnswer {
            as_of: entry.judge.day().to_string(),
            rules,
            decks: vec![measured(&entry, "-", &resolved, &self.section)?],
            is_complete: true,
        })
    }
}

impl Written for StatsAnswer {
    const KINDS: &'static [Kind] = FIGURES_BY_DECK;
}

impl Render for StatsAnswer {
    fn human(&self, page: &TextStyle) -> String {
        stats::human(&self.decks, page.width)
    }

    fn json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        let rows = self.decks.iter().flat_map(stats::csv_rows);
        (stats::csv_header().to_vec(), rows.map(Vec::from).collect())
    }

    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        let decks = self.decks.iter();
        Some(decks.map(|deck| DeckNotes { deck: &deck.deck, notes: &deck.notes }).collect())
    }

    fn body(&self, kind: Kind) -> Rendered<Option<Rendering>> {
        if kind != Kind::Ndjson {
            return Ok(None);
        }
        let mut lines = Vec::new();
        for deck in &self.decks {
            let rules = self.rules.get(&deck.format);
            let line =
                Line { schema: "decklaw/stats-deck/1", deck, rules: rules.map(entry_digest) };
            serde_json::to_writer(&mut lines, &line)?;
            lines.push(b'\n');
        }
        Ok(Some(Rendering::Report(lines)))
    }

    fn is_ok(&self) -> bool {
        self.is_complete
    }
}
