//! What a game demands of the cells of a card file beyond their kind: values that must be there,
//! and card queries that can be asked of its cards.

use super::FieldEntry;
use crate::deck::Choosable;
use crate::pool::{CardFileError, CardFileProblem, CardId, FieldKind, MOST_PROBLEMS, Pool};
use crate::query::{Query, QueryError};

/// Checks the cells of a card file.
///
/// # Errors
/// Cells that lack a value they must have, and queries that cannot be read or asked of these
/// cards, in the order of the file.
pub(super) fn check(
    pool: &Pool,
    entries: &[FieldEntry],
    choices: &[Choosable],
) -> Result<(), CardFileError> {
    let mut problems = Vec::new();
    let mut refuse = |card: CardId, field: &str, message: String| {
        problems.push(CardFileProblem {
            line: u64::from(pool.line(card)),
            column: Some(field.to_owned()),
            message,
        });
    };
    for entry in entries {
        // A file without the column meets the demand.
        let name = entry.name.value.as_str();
        let (Some(query), Some(column)) = (&entry.filled, pool.column(name)) else {
            continue;
        };
        // A query that is wrong is the format file's affair, whose lint tells it.
        let cards = Query::parse(&query.value).and_then(|query| query.select(pool));
        for card in cards.iter().flat_map(|cards| cards.iter()) {
            if !column.has_value(card) {
                refuse(
                    card,
                    name,
                    format!("`{}` needs a value here", pool.name(card)),
                );
            }
        }
    }
    for field in pool.fields() {
        let Some(column) = pool
            .column(&field.name)
            .filter(|_| field.kind == FieldKind::Query)
        else {
            continue;
        };
        for card in pool.ids() {
            for text in column.words(card) {
                let checked = Query::parse(text).and_then(|query| {
                    let query = with_choices(query, choices)?;
                    query.check_fields(pool.fields())
                });
                if let Err(error) = checked {
                    let message = format!("in the query `{text}`: {error}");
                    refuse(card, &field.name, message);
                }
            }
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    problems.sort_by_key(|problem| problem.line);
    problems.truncate(MOST_PROBLEMS);
    Err(CardFileError { problems })
}

/// A query with a value that fits in the place of each choice: whether it can be asked does not
/// depend on what a deck declares.
fn with_choices(query: Query, choices: &[Choosable]) -> Result<Query, QueryError> {
    if choices.is_empty() {
        return Ok(query);
    }
    let known = |name: &str| choices.iter().find(|choice| choice.name == name);
    let mut named = query.choices().into_iter();
    if let Some((name, span)) = named.find(|(name, _)| known(name).is_none()) {
        let message = format!("no choice `{name}`; a value that begins with `$` is quoted");
        return Err(QueryError::at(message, span));
    }
    Ok(query.choosing(&|name| known(name).map(Choosable::sample)))
}
