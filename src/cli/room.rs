//! `decklaw room`: how many more copies of each card fit, and what limits them.

use super::options::Output;
use super::{Answer, Refusal, Run, output, terminal};
use crate::judge::Judge;
use crate::pool::CardSet;
use crate::render::{FIGURES, Kind, Render, TextStyle, Written};
use crate::resolve::Decklist;
use crate::solve::{Room, Rooms};
use crate::spreadsheet::Cell;
use decklaw_engine::report::repair;
use serde_json::Value;

/// The most cards of the pool in a deck whose room is counted: for each of them the whole deck is
/// judged again. Names of no card take time in proportion.
const MOST_CARDS: usize = 10_000;

/// Shows the room of every card in a deck.
pub(super) fn run(
    judge: &Judge,
    run: &Run,
    output: &Output,
    (name, deck): (&str, &Decklist),
    effort: u64,
) -> Answer {
    let cards = deck.holdings().filter(|held| deck.knows(held.card)).count();
    if cards > MOST_CARDS {
        return Err(Refusal(format!(
            "{name}: `room` is for decks of at most {MOST_CARDS} different cards, and this one has {cards}"
        )));
    }
    let outputs = output::Outputs::open(run, output)?;
    let rooms = Rooms::of(deck).within(effort);
    let report = RoomReport {
        run,
        name,
        deck,
        all: rooms.all(&CardSet::of(deck.pool().len(), |_| true)),
        rooms,
    };
    outputs.emit(run, &report, &judge.given_so_far())
}

/// The room of every card in a deck.
pub(super) struct RoomReport<'d> {
    run: &'d Run,
    name: &'d str,
    deck: &'d Decklist,
    rooms: Rooms<'d>,
    all: Vec<Room>,
}

impl RoomReport<'_> {
    fn section(&self, room: &Room) -> &str {
        &self.deck.sections()[usize::from(room.section)]
    }

    fn rule(&self, room: &Room) -> &str {
        let rules = self.deck.rulebook().rules();
        room.rule.map_or("", |rule| rules[rule].id.as_str())
    }
}

impl Written for RoomReport<'_> {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Render for RoomReport<'_> {
    fn human(&self, page: &TextStyle) -> String {
        // Where there is no room for the sentence, the rule's id has to do.
        let narrow = page.width < 70;
        let mut table =
            terminal::table(&["section", "card", "has", "more", "what more would break"]);
        for room in &self.all {
            let rule = self.rule(room);
            let why = match room.rule {
                None => String::new(),
                Some(_) if narrow => rule.to_owned(),
                Some(_) => format!("{rule}: {}", self.rooms.why(room).unwrap_or_default()),
            };
            table.add_row(vec![
                self.section(room).to_owned(),
                self.deck.name(room.card).to_owned(),
                self.deck.copies(room.section, room.card).to_string(),
                room.more.map_or("any".to_owned(), |more| more.to_string()),
                why,
            ]);
        }
        self.run.shown(table)
    }

    fn json(&self) -> serde_json::Result<Value> {
        repair::room(self.name, self.deck, &self.rooms, &self.all)
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        let row = |room: &Room| {
            vec![
                Cell::text(self.section(room)),
                Cell::text(self.deck.name(room.card)),
                Cell::Number(self.deck.copies(room.section, room.card)),
                Cell::maybe(room.more),
                Cell::text(self.rule(room)),
                Cell::text(self.rooms.why(room).unwrap_or_default()),
            ]
        };
        (
            vec!["section", "card", "has", "more", "rule", "message"],
            self.all.iter().map(row).collect(),
        )
    }
}
