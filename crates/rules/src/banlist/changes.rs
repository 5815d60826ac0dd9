//! Cards that a list changes.

use super::file::ChangeEntry;
use super::{Banlist, ListedName};
use decklaw_cards::pool::{CardId, Cell, Column, FieldKind, Pool};
use decklaw_cards::query::Query;
use decklaw_text::name::did_you_mean;
use decklaw_text::yaml::{Problem, Spanned};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a list says otherwise of some cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellChange {
    /// The cards, as the card file has them.
    pub listed: ListedName,
    /// The fields, each once, and what becomes of them.
    pub fields: Vec<(String, Spanned<CellEdit>)>,
}

/// What becomes of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellEdit {
    /// It says this, written as in a card file.
    Set(String),
    /// Added to its number; to 0 where there is none.
    Add(i64),
}

impl std::fmt::Display for CellEdit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CellEdit::Set(text) if text.is_empty() => out.write_str("empty"),
            CellEdit::Set(text) => out.write_str(text),
            CellEdit::Add(number) => write!(out, "{number:+}"),
        }
    }
}

impl CellChange {
    /// What it says of its cards: `cost 3 and copies +1`.
    pub fn words(&self) -> String {
        let each = self.fields.iter();
        let each = each.map(|(field, edit)| format!("{field} {}", edit.value));
        decklaw_text::text::listed(&each.collect::<Vec<_>>(), "and")
    }

    /// A change as it is written: what it says, and why that cannot be.
    pub(super) fn read(
        listed: ListedName,
        raw: &ChangeEntry,
        problems: &mut Vec<Problem>,
    ) -> CellChange {
        let at = |edit, span| Spanned { value: edit, span };
        let set = raw.set.iter().map(|(field, text)| {
            let edit = CellEdit::Set(text.value.trim().to_owned());
            (field.clone(), at(edit, text.span))
        });
        let mut fields: Vec<(String, Spanned<CellEdit>)> = set.collect();
        for (field, number) in &raw.add {
            let (field, edit) = (field.clone(), at(CellEdit::Add(number.value), number.span));
            if fields.iter().any(|(known, _)| *known == field) {
                let message = format!("`{field}` is set and added to; keep one of them");
                problems.push(Problem::new(message, edit.span));
                continue;
            }
            if edit.value == CellEdit::Add(0) {
                problems.push(Problem::new("0 more changes nothing", edit.span));
            }
            fields.push((field, edit));
        }
        if fields.is_empty() {
            let message = "a change needs the fields to `set` or to `add` to";
            problems.push(Problem::new(message, listed.span));
        }
        CellChange { listed, fields }
    }
}

/// What is different of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The field.
    pub field: String,
    /// What the card file says; may be empty.
    pub before: String,
    /// What the list says; may be empty.
    pub after: String,
}

/// The cards of a pool as a list has them.
#[derive(Debug)]
pub(crate) struct ChangedPool {
    /// The cards.
    pub pool: Arc<Pool>,
    /// What is different, by card.
    pub different: BTreeMap<CardId, Vec<Difference>>,
}

impl Banlist {
    /// The cards of a pool as this list has them; `None` where it changes none. Of several
    /// changes of one field of a card one that names the card counts, or else the first.
    ///
    /// # Errors
    /// Fields that the cards do not have, or that cannot say what they are to say.
    pub(crate) fn changed(&self, pool: &Pool) -> Result<Option<ChangedPool>, Vec<Problem>> {
        if self.changes.is_empty() {
            return Ok(None);
        }
        let mut problems = Vec::new();
        let mut cells: BTreeMap<(CardId, usize), Cell> = BTreeMap::new();
        let (queries, names): (Vec<&CellChange>, Vec<&CellChange>) =
            self.changes.iter().partition(|one| one.listed.query);
        for change in names.into_iter().chain(queries) {
            let ListedName { name, query, span, .. } = &change.listed;
            let cards = if *query {
                match Query::parse(name).and_then(|query| query.select(pool)) {
                    Ok(picked) => picked.iter().collect(),
                    Err(error) => {
                        problems
                            .push(Problem::new(format!("in the query `{name}`: {error}"), *span));
                        continue;
                    }
                }
            } else {
                pool.look_up(name, self.names()).cards().to_vec()
            };
            for (field, edit) in &change.fields {
                match edited(pool, field, &edit.value, &cards) {
                    Ok((at, edited)) => {
                        for (card, cell) in edited {
                            cells.entry((card, at)).or_insert(cell);
                        }
                    }
                    Err(message) => problems.push(Problem::new(message, edit.span)),
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let places: Vec<(CardId, usize)> = cells.keys().copied().collect();
        let cells = cells.into_iter();
        let after = pool.with_cells(cells.map(|((card, field), cell)| (card, field, cell)));
        let mut different: BTreeMap<CardId, Vec<Difference>> = BTreeMap::new();
        for (card, field) in places {
            let field = &pool.fields()[field].name;
            let difference = Difference {
                field: field.clone(),
                before: pool.shown(card, field),
                after: after.shown(card, field),
            };
            if difference.before != difference.after {
                different.entry(card).or_default().push(difference);
            }
        }
        Ok(Some(ChangedPool { pool: Arc::new(after), different }))
    }
}

/// The index of a field, and what its cells then say.
fn edited(
    pool: &Pool,
    field: &str,
    edit: &CellEdit,
    cards: &[CardId],
) -> Result<(usize, Vec<(CardId, Cell)>), String> {
    let at = pool.fields().iter().position(|known| known.name == field);
    let Some(at) = at.filter(|_| pool.column(field).is_some()) else {
        let near =
            decklaw_text::name::nearest(field, pool.fields().iter().map(|known| &*known.name));
        let hint = did_you_mean(&near);
        return Err(format!("the cards have no field `{field}`{hint}"));
    };
    let kind = &pool.fields()[at];
    let cells = match edit {
        CellEdit::Set(text) => {
            if let (FieldKind::Query, false) = (&kind.kind, text.is_empty()) {
                Query::parse(text).map_err(|error| format!("in the query `{text}`: {error}"))?;
            }
            let cell = kind.cell(text)?;
            cards.iter().map(|card| (*card, cell.clone())).collect()
        }
        CellEdit::Add(number) => {
            let Some(Column::Number(_)) = pool.column(field) else {
                return Err(format!("`{field}` holds no numbers to add to"));
            };
            let each = cards.iter().map(|card| {
                let before = pool.number(*card, field).unwrap_or(0);
                let sum = before.saturating_add(*number).to_string();
                let of = |message| format!("`{}`: {message}", pool.name(*card));
                Ok((*card, kind.cell(&sum).map_err(of)?))
            });
            each.collect::<Result<_, String>>()?
        }
    };
    Ok((at, cells))
}
