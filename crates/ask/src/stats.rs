//! What a deck is made of.

use crate::deck::Source;
use crate::library::{JudgeEntry, Library, STATISTICS};
use crate::notes::Notes;
use crate::problem;
use crate::question::{Ask, Stats};
use decklaw_engine::stats::{self, DeckStats};
use decklaw_judge::render::{
    DeckLabel, DeckNotes, FIGURES_BY_DECK, Kind, Render, Rendered, Rendering, TextStyle, Written,
    deck_columns,
};
use decklaw_judge::resolve::Resolved;
use decklaw_rules::rules::Holding;
use decklaw_text::digest::{canonical, sha256, whole};
use decklaw_text::name::fold;
use decklaw_text::spreadsheet::{Cell, Sheet};
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
    /// Which cards are in the decks, where tables list them in place of the statistics.
    #[serde(skip)]
    pub cards: Option<Vec<DeckCards>>,
}

/// Which cards are in a deck.
#[derive(Debug, Clone)]
pub struct DeckCards {
    deck: String,
    label: DeckLabel,
    /// The fields of the pool's cards.
    fields: Vec<String>,
    /// The cells of [`CARD_COLUMNS`], and of the fields.
    rows: Vec<Vec<Cell>>,
}

/// The columns of the table of cards behind those of the deck, before the pool's.
const CARD_COLUMNS: [&str; 3] = ["section", "card", "count"];

impl DeckCards {
    /// The cards of a deck in some sections; none: in all. `name` is what the deck is called.
    ///
    /// # Errors
    /// A section that the deck cannot have.
    pub fn of(name: &str, resolved: &Resolved<'_>, asked: &[String]) -> Result<DeckCards, Problem> {
        let (list, pool) = (resolved.list(), resolved.pool());
        let asked = sections(resolved, asked)?;
        let fields: Vec<String> = pool.fields().iter().map(|field| field.name.clone()).collect();
        let section = |held: &Holding| list.sections()[usize::from(held.section)].as_str();
        let row = |held: Holding| {
            let field = |field: &String| match pool.number(held.card, field) {
                _ if !list.knows(held.card) => Cell::empty(),
                Some(number) => Cell::Number(number),
                None => Cell::text(pool.shown(held.card, field)),
            };
            let own = [Cell::text(section(&held)), Cell::text(list.name(held.card))];
            let own = own.into_iter().chain([Cell::Number(held.copies)]);
            own.chain(fields.iter().map(field)).collect()
        };
        let is_asked =
            |held: &Holding| asked.is_empty() || asked.iter().any(|id| id == section(held));
        let mut held: Vec<Holding> = list.holdings().filter(is_asked).collect();
        held.sort_by_key(|held| (held.section, held.card));
        let rows = held.into_iter().map(row).collect();
        Ok(DeckCards { deck: name.to_owned(), label: DeckLabel::of(resolved), fields, rows })
    }
}

/// The columns of the table of cards with these fields. A field that is called as another column
/// begins with `card_`.
#[doc(hidden)]
pub fn card_columns(fields: &[&str]) -> Vec<String> {
    let own = deck_columns(&CARD_COLUMNS);
    let column =
        |name: &&str| if own.contains(name) { format!("card_{name}") } else { (*name).to_owned() };
    own.iter().map(|name| (*name).to_owned()).chain(fields.iter().map(column)).collect()
}

/// A card of each deck a row.
fn cards_table(decks: &[DeckCards]) -> (Vec<String>, Vec<Vec<Cell>>) {
    let mut names: Vec<&str> = Vec::new();
    for name in decks.iter().flat_map(|deck| &deck.fields) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let rows = decks.iter().flat_map(|deck| {
        let place = |name: &&str| deck.fields.iter().position(|field| field == name);
        let places: Vec<Option<usize>> = names.iter().map(place).collect();
        deck.rows.iter().map(move |row| {
            let (own, fields) = row.split_at(CARD_COLUMNS.len());
            let field =
                |place: &Option<usize>| place.map_or_else(Cell::empty, |at| fields[at].clone());
            deck.label.row(&deck.deck, own.iter().cloned().chain(places.iter().map(field)))
        })
    });
    (card_columns(&names), rows.collect())
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
            cards: None,
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
                "unknown section `{word}`; the sections are {}",
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
        let cards = self.lists_cards.then(|| DeckCards::of("-", &resolved, &self.section));
        Ok(StatsAnswer {
            as_of: entry.judge.day().to_string(),
            rules,
            decks: vec![measured(&entry, "-", &resolved, &self.section)?],
            is_complete: true,
            cards: cards.transpose()?.map(|cards| vec![cards]),
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
        let rows = self.decks.iter().flat_map(|deck| {
            let (player, format, name) = (&deck.player, &deck.format, &deck.name);
            let (player, format, name) = (player.clone(), format.clone(), name.clone());
            let label = DeckLabel { player, format, name };
            stats::csv_rows(deck).into_iter().map(move |row| label.row(&deck.deck, row))
        });
        (deck_columns(&stats::COLUMNS), rows.collect())
    }

    fn sheets(&self) -> Vec<Sheet<'_>> {
        let Some(cards) = &self.cards else {
            let (columns, rows) = self.table();
            return vec![Sheet::new("answers", columns, rows)];
        };
        let (columns, rows) = cards_table(cards);
        vec![Sheet::new("cards", columns, rows)]
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
            whole(serde_json::to_writer(&mut lines, &line));
            lines.push(b'\n');
        }
        Ok(Some(Rendering::Report(lines)))
    }

    fn is_ok(&self) -> bool {
        self.is_complete
    }
}
