//! `decklaw room`: how many more copies of each card fit, and what limits them.

use super::files::Readers;
use super::{Answer, Outcome, Refusal, Run, output, terminal};
use crate::cli::output::Figures;
use crate::judge::Judge;
use crate::origin::Given;
use crate::pool::CardSet;
use crate::report::repair;
use crate::resolve::Decklist;
use crate::solve::{Room, Rooms};
use crate::spreadsheet::{Flavour, Table};

/// The most cards of the pool in a deck whose room is counted: for each of them the whole deck is
/// judged again. Names of no card take time in proportion.
const MOST_CARDS: usize = 10_000;

/// Shows the room of every card in a deck.
pub(super) fn run(judge: &Judge, run: &Run, name: &str, deck: &Decklist) -> Answer {
    let cards = deck.holdings().filter(|held| deck.knows(held.card)).count();
    if cards > MOST_CARDS {
        return Err(Refusal(format!(
            "{name}: `room` is for decks of at most {MOST_CARDS} different cards, and this one has {cards}"
        )));
    }
    let outputs = output::asked(run, &output::FIGURES, Readers::Anyone)?;
    let rooms = Rooms::of(deck);
    let all = rooms.all(&CardSet::of(deck.pool().len(), |_| true));
    let inputs = judge.given_so_far();
    for mut output in outputs {
        let text = match output.kind {
            Figures::Human => {
                (human(run, deck, &rooms, &all) + &output::foot(&judge.given_so_far())).into_bytes()
            }
            Figures::Json => repair::room(name, deck, &rooms, &all, &inputs)?.into_bytes(),
            Figures::Csv(flavour) => csv(deck, &rooms, &all, (flavour, &inputs))?,
        };
        output.write(&text)?;
        output.finish()?;
    }
    Ok(Outcome::Yes)
}

fn section<'d>(deck: &'d Decklist, room: &Room) -> &'d str {
    &deck.sections()[usize::from(room.section)]
}

fn rule<'d>(deck: &'d Decklist, room: &Room) -> &'d str {
    let rules = deck.rulebook().rules();
    room.rule.map_or("", |rule| rules[rule].id.as_str())
}

fn human(run: &Run, deck: &Decklist, rooms: &Rooms<'_>, all: &[Room]) -> String {
    // Where there is no room for the sentence, the rule's id has to do.
    let narrow = terminal::width() < 70;
    let mut table = terminal::table(&["section", "card", "has", "more", "what more would break"]);
    for room in all {
        let why = match room.rule {
            None => String::new(),
            Some(_) if narrow => rule(deck, room).to_owned(),
            Some(_) => format!(
                "{}: {}",
                rule(deck, room),
                rooms.why(room).unwrap_or_default()
            ),
        };
        table.add_row(vec![
            section(deck, room).to_owned(),
            deck.name(room.card).to_owned(),
            deck.copies(room.section, room.card).to_string(),
            room.more.map_or("any".to_owned(), |more| more.to_string()),
            why,
        ]);
    }
    run.shown(table)
}

fn csv(
    deck: &Decklist,
    rooms: &Rooms<'_>,
    all: &[Room],
    (flavour, inputs): (Flavour, &[Given]),
) -> Result<Vec<u8>, Refusal> {
    let header = ["section", "card", "has", "more", "rule", "message"];
    let mut table = Table::of_report(Vec::new(), flavour, &header, inputs)?;
    for room in all {
        table.row([
            section(deck, room),
            deck.name(room.card),
            &deck.copies(room.section, room.card).to_string(),
            &room.more.map_or(String::new(), |more| more.to_string()),
            rule(deck, room),
            &rooms.why(room).unwrap_or_default(),
        ])?;
    }
    Ok(table.finish()?)
}
