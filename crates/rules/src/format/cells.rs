//! What a game demands of the cells of a card file beyond their kind: values that must be there,
//! and card queries that can be asked of its cards.

use super::{FieldEntry, Game};
use decklaw_cards::pool::{CardFileProblems, CardId, FieldKind, Pool};
use decklaw_cards::query::Query;
use decklaw_text::Problem;
use rustc_hash::FxHashSet;

/// Checks the cells of a card file.
///
/// # Errors
/// Cells that lack a value they must have, and queries that cannot be read or asked of these
/// cards, in the order of the file.
pub(super) fn check(pool: &Pool, entries: &[FieldEntry]) -> Result<(), Problem> {
    let mut problems = CardFileProblems::default();
    let mut refuse = |card: CardId, field: &str, message: String| {
        problems.add(pool.at(card), Some(field), message);
    };
    for entry in entries {
        // A file without the column meets the demand.
        let name = entry.name.value.as_str();
        let (Some(query), Some(column)) = (&entry.filled, pool.column(name)) else {
            continue;
        };
        // A wrong query is reported by the lint of the format file.
        let cards = Query::parse(&query.value).and_then(|query| query.select(pool));
        for card in cards.iter().flat_map(|cards| cards.iter()) {
            if !column.has_value(card) {
                refuse(card, name, format!("`{}` needs a value here", pool.name(card)));
            }
        }
    }
    for field in pool.fields() {
        let Some(column) = pool.column(&field.name).filter(|_| field.kind == FieldKind::Query)
        else {
            continue;
        };
        // Many cards say the same.
        let mut fine: FxHashSet<&str> = FxHashSet::default();
        for card in pool.ids() {
            for text in column.words(card) {
                if fine.contains(&**text) {
                    continue;
                }
                let checked = Query::parse(text)
                    .and_then(Query::plain)
                    .and_then(|query| query.check_fields(pool.fields()));
                if let Err(error) = checked {
                    let message = format!("in the query `{text}`: {error}");
                    refuse(card, &field.name, message);
                } else {
                    fine.insert(text);
                }
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.refusal()) }
}

/// The most remarks on the queries of a card file.
const MOST_REMARKS: usize = 10;

impl Game {
    /// Remarks on the card queries in the cells of a card file, sentences: values that their fields
    /// cannot have, words and names that no card has. Cards may be right all the same, where the
    /// file has only a part of them.
    pub fn remarks_on_cells(&self, pool: &Pool) -> Vec<String> {
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut remarks: Vec<String> = Vec::new();
        let fields = pool.fields().iter();
        for field in fields.filter(|field| field.kind == FieldKind::Query) {
            let words = pool.ids().flat_map(|card| {
                let words = pool.words(card, &field.name).iter();
                words.map(move |text| (card, text))
            });
            for (card, text) in words.filter(|(_, text)| seen.insert(text)) {
                let Ok(query) = Query::parse(text) else {
                    continue;
                };
                let wrong = query.check(pool.fields()).err().map(|error| error.message);
                let unknown = query.remarks(pool).into_iter().map(|remark| remark.message);
                let (name, at) = (pool.name(card), pool.at(card));
                let remark = |why| format!("`{}` of `{name}` ({at}): {why}", field.name);
                remarks.extend(wrong.into_iter().chain(unknown).map(remark));
            }
        }
        let more = remarks.len().saturating_sub(MOST_REMARKS);
        remarks.truncate(MOST_REMARKS);
        if more > 0 {
            remarks.push(format!("{more} more such remarks on queries of cards"));
        }
        remarks
    }
}
