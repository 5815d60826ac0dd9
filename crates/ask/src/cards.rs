//! Which cards there are, and which a collection holds.

use crate::library::Library;
use crate::notes::no_such_word;
use crate::problem;
use crate::question::{Ask, Cards, Owned};
use decklaw_cards::pool;
use decklaw_cards::pool::{CardId, NameField, Pool};
use decklaw_cards::query::Query;
use decklaw_decks::deck;
use decklaw_judge::Note;
use decklaw_text::{Problem, table};
use serde::Serialize;
use serde_json::value::RawValue;

/// Cards that a query selects: `decklaw/cards/1`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "schema", rename = "decklaw/cards/1")]
#[non_exhaustive]
pub struct CardsAnswer {
    /// The cards with their fields.
    pub cards: Vec<Box<RawValue>>,
    /// Notes on what the query asks for that no card has.
    pub notes: Vec<Note>,
    /// What a collection holds.
    #[serde(flatten)]
    pub collection: Option<Collection>,
}

/// What a collection holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Collection {
    /// The game's id.
    pub game: String,
    /// The copies by the card's folded name.
    pub owned: Owned,
    /// Names that the game does not have.
    pub unknown: Vec<String>,
}

/// The most unknown names of an answer.
const MOST_UNKNOWN: usize = 200;

/// A collection from a table with the columns count and name, in any order.
///
/// # Errors
/// A table without these columns, or with a count that is not a number.
pub fn collection(sheet: &table::Sheet) -> Result<Owned, Problem> {
    let wrong = |why: String| problem::query(format!("not a collection: {why}"));
    let column = |wanted: &str, spellings| match table::column(&sheet.header, spellings) {
        Ok(Some(at)) => Ok(at),
        Ok(None) => Err(wrong(format!(
            "the column `{wanted}` is missing; the header has {}",
            table::quoted(&sheet.header)
        ))),
        Err(table::RepeatedColumn(names)) => Err(wrong(format!(
            "the columns {} may each be `{wanted}`; name one of them so",
            table::quoted(&names)
        ))),
    };
    let count = column("count", table::COUNTS)?;
    let card = column("name", pool::NAMES)?;
    let mut owned = Owned::new();
    for row in &sheet.rows {
        let (line, count, card) = (row.number, row.cell(count), row.cell(card));
        let number = deck::copies(count.trim());
        let number = number.ok_or_else(|| {
            wrong(format!("line {line}: the count `{count}` is not a whole number of copies"))
        })?;
        if number > 0 {
            let copies = owned.entry(card.to_owned()).or_default();
            *copies = copies.saturating_add(number);
        }
    }
    Ok(owned)
}

/// A collection by the folded names of a game's cards, and the names that the game does not have.
fn known(collected: Owned, pool: &Pool) -> (Owned, Vec<String>) {
    let (mut owned, mut unknown) = (Owned::new(), Vec::new());
    for (name, number) in collected {
        match pool.look_up(&name, NameField::Name).card() {
            Some(card) => {
                let copies = owned.entry(pool.folded(card).to_owned()).or_default();
                *copies = copies.saturating_add(number);
            }
            None => unknown.push(name),
        }
    }
    unknown.truncate(MOST_UNKNOWN);
    (owned, unknown)
}

impl Ask for Cards {
    type Answer = CardsAnswer;

    fn ask(self, library: &Library) -> Result<CardsAnswer, Problem> {
        let entry = library.judge()?;
        let rulebook = entry.rules(&self.format)?;
        let pool = rulebook.pool();
        let query = Query::parse(&self.query);
        let selected = query.and_then(|query| Ok((query.select(pool)?, query.remarks(pool))));
        let (selected, remarks) =
            selected.map_err(|error| problem::of_query("", &self.query, &error))?;
        let collected = match &self.collection {
            None => None,
            Some(table) => {
                let table = table::read_text(table.as_bytes());
                let table = table.map_err(problem::query)?;
                let (owned, unknown) = known(collection(&table)?, pool);
                let game = rulebook.format().game().id().to_owned();
                Some(Collection { game, owned, unknown })
            }
        };
        let is_owned = |card: &CardId| {
            let owned = collected.as_ref().map(|collected| &collected.owned);
            owned.is_none_or(|owned| owned.contains_key(pool.folded(*card)))
        };
        let cache = entry.cards(&rulebook);
        let most = self.most.unwrap_or(usize::MAX);
        let cards = selected.iter().filter(is_owned).take(most);
        let cards = cards.map(|card| cache.card(pool, card));
        Ok(CardsAnswer {
            cards: cards.collect::<Result<_, _>>()?,
            notes: remarks.into_iter().map(|remark| no_such_word(remark.message)).collect(),
            collection: collected,
        })
    }
}
