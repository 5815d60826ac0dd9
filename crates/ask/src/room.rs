//! How many more copies of each card fit.

use crate::deck::Source;
use crate::library::Library;
use crate::notes::Notes;
use crate::problem;
use crate::question::{Ask, Room, steps};
use decklaw_cards::pool::CardSet;
use decklaw_engine::solve::{self, Rooms};
use decklaw_judge::render::{
    DeckLabel, DeckNotes, FIGURES, Kind, Render, TextStyle, Written, deck_columns,
};
use decklaw_judge::resolve::Decklist;
use decklaw_text::Problem;
use decklaw_text::spreadsheet::Cell;
use decklaw_text::text::{escape_control, wrapped};
use serde::Serialize;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

/// The most different cards in a deck: for each of them the whole deck is judged again.
const MOST_CARDS: usize = 10_000;

/// How many more copies of each card fit: `decklaw/room/1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "schema", rename = "decklaw/room/1")]
#[non_exhaustive]
pub struct RoomAnswer {
    /// What the deck is called.
    pub deck: String,
    /// The room of each card in each section that takes it.
    pub room: Vec<RoomEntry>,
    /// What is to be known of the deck and of the answer.
    pub notes: Notes,
    /// What tables say of the deck.
    #[serde(skip)]
    pub label: DeckLabel,
    /// What decided the answer: an entry of its format.
    pub rules: Value,
}

/// How many more copies of a card fit into a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RoomEntry {
    /// The section's id.
    pub section: String,
    /// The card.
    pub card: String,
    /// The copies in the section.
    pub has: i64,
    /// How many more can come in, one at a time, with no card taken out: each breaks no rule, or
    /// only such that adding cards repairs, or some legal deck has all these cards. `None`: no
    /// limit.
    pub more: Option<i64>,
    /// The rule that one copy more would break.
    pub rule: Option<String>,
    /// In a page's answer, where that rule bounds the whole section: how many more the rules about
    /// the card alone let in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone: Option<i64>,
    /// What the rule would say then.
    pub message: Option<String>,
}

/// For which cards the reason is given why no more copies fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reasons {
    /// All.
    All,
    /// Those with no room for another copy.
    Full,
}

/// The entries for some rooms of a deck.
pub(crate) fn entries(
    deck: &Decklist,
    rooms: &Rooms<'_>,
    all: &[solve::Room],
    reasons: Reasons,
) -> Vec<RoomEntry> {
    let rules = deck.rulebook().rules();
    let entry = |room: &solve::Room| RoomEntry {
        section: deck.sections()[usize::from(room.section)].clone(),
        card: deck.name(room.card).to_owned(),
        has: deck.copies(room.section, room.card),
        more: room.more,
        rule: room.rule.map(|rule| rules[rule].id.clone()),
        alone: None,
        message: if reasons == Reasons::All || room.more == Some(0) {
            rooms.why(room)
        } else {
            None
        },
    };
    all.iter().map(entry).collect()
}

impl Ask for Room {
    type Answer = RoomAnswer;

    fn ask(self, library: &Library) -> Result<RoomAnswer, Problem> {
        let entry = library.judge_of(self.subject())?;
        let source = Source::of(&entry, self.subject())?;
        let resolved = source.resolved(&entry)?;
        let deck = resolved.list();
        let cards = deck.holdings().filter(|held| deck.knows(held.card)).count();
        if cards > MOST_CARDS {
            return Err(problem::query(format!(
                "room is for decks of at most {MOST_CARDS} different cards, and this one has {cards}"
            )));
        }
        let rooms = Rooms::of(deck).within(steps(self.effort)?);
        let all = rooms.all(&CardSet::of(deck.pool().len(), |_| true));
        let mut notes = Notes::of(&resolved);
        let room = entries(deck, &rooms, &all, Reasons::All);
        if rooms.is_cut() {
            notes.limit("the work limit was reached: some cards may have more room; a larger `--effort` searches on");
        }
        Ok(RoomAnswer {
            deck: "-".to_owned(),
            room,
            notes,
            rules: entry.rules_of(resolved.rulebook(), &[])?,
            label: DeckLabel::of(&resolved),
        })
    }
}

impl Written for RoomAnswer {
    const KINDS: &'static [Kind] = FIGURES;
}

/// The columns of the table behind those of the deck.
const COLUMNS: [&str; 6] = ["section", "card", "has", "more", "rule", "message"];

impl Render for RoomAnswer {
    fn human(&self, page: &TextStyle) -> String {
        // A narrow terminal has no room for the sentence.
        let narrow = page.width < 70;
        let row = |room: &RoomEntry| {
            let rule = room.rule.clone().unwrap_or_default();
            let why = match &room.message {
                Some(message) if !narrow => format!("{rule}: {message}"),
                _ => rule,
            };
            let more = room.more.map_or("any".to_owned(), |more| more.to_string());
            let words = [&room.section, &room.card, &room.has.to_string(), &more, &why];
            words.map(|word| escape_control(word, false).into_owned())
        };
        let head = ["section", "card", "has", "more", "what more would break"];
        let mut rows = vec![head.map(str::to_owned)];
        rows.extend(self.room.iter().map(row));
        let widths: Vec<usize> =
            (0..4).map(|at| rows.iter().map(|row| row[at].width()).max().unwrap_or(0)).collect();
        let used: usize = widths.iter().map(|width| width + 2).sum();
        let mut out = String::new();
        for row in &rows {
            let mut line = String::new();
            for (word, width) in row.iter().zip(&widths) {
                line.push_str(word);
                line.push_str(&" ".repeat(width + 2 - word.width()));
            }
            for (at, part) in
                wrapped(&row[4], page.width.saturating_sub(used).max(24)).iter().enumerate()
            {
                if at > 0 {
                    line = " ".repeat(used);
                }
                out.push_str(format!("{line}{part}").trim_end());
                out.push('\n');
            }
        }
        out
    }

    fn json(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self)
    }

    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        self.notes.about(&self.deck)
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        let text = |text: &Option<String>| Cell::text(text.clone().unwrap_or_default());
        let row = |room: &RoomEntry| {
            let cells = [
                Cell::text(&room.section),
                Cell::text(&room.card),
                Cell::Number(room.has),
                Cell::maybe(room.more),
                text(&room.rule),
                text(&room.message),
            ];
            self.label.row(&self.deck, cells)
        };
        (deck_columns(&COLUMNS), self.room.iter().map(row).collect())
    }
}
