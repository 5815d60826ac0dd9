//! `--own FILE`: the cards that somebody has.

use super::{Refusal, Run, inputs};
use crate::Owned;
use crate::digest::sha256;
use crate::judge::Judge;
use crate::origin::{Given, Origin};
use crate::table;
use crate::text::harmless;
use std::path::PathBuf;

// The cards that may be used.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Own {
    /// Use only cards that you own: a table with columns count and name
    #[arg(long, value_name = "FILE")]
    own: Option<PathBuf>,
}

/// A collection that was read.
pub(super) struct Collection {
    name: String,
    sha256: String,
    owned: Owned,
}

impl Own {
    /// Reads the collection of a call.
    ///
    /// # Errors
    /// A file that cannot be read, or is no such table.
    pub(super) fn read(&self, run: &Run) -> Result<Option<Collection>, Refusal> {
        let Some(file) = &self.own else {
            return Ok(None);
        };
        let (bytes, sheet) = inputs::read_table(run, file)?;
        let name = harmless(&file.display().to_string(), false).into_owned();
        let wrong = |what: String| Refusal(format!("{name}: {what}"));
        let table = table::read(&bytes, sheet.as_deref());
        let table = table.map_err(|error| wrong(error.to_string()))?;
        for note in &table.notes {
            run.complain("note", &format!("{name}: {note}"));
        }
        let column = |wanted: &str, spellings| match table::column(&table.header, spellings) {
            Ok(Some(at)) => Ok(at),
            Ok(None) => Err(wrong(format!(
                "the column `{wanted}` is missing; the header has {}",
                table::quoted(&table.header)
            ))),
            Err(table::Doubled(names)) => Err(wrong(format!(
                "the columns {} may each be `{wanted}`; give one of them this name",
                table::quoted(&names)
            ))),
        };
        let count = column("count", table::COUNTS)?;
        let card = column("name", crate::pool::NAMES)?;
        let mut owned = Owned::new();
        for row in &table.rows {
            let (line, count, card) = (row.number, row.cell(count), row.cell(card));
            let number: u32 = count.parse().map_err(|_| {
                let count = harmless(count, false);
                wrong(format!(
                    "line {line}: the count `{count}` is not a whole number"
                ))
            })?;
            let copies = owned.entry(card.to_owned()).or_default();
            *copies = copies.saturating_add(number);
        }
        let sha256 = sha256(&bytes);
        Ok(Some(Collection {
            name,
            sha256,
            owned,
        }))
    }
}

impl Collection {
    /// The copies of each card.
    pub(super) fn owned(&self) -> Owned {
        self.owned.clone()
    }

    /// Names the collection among what decided the answer, and reports the names that are no
    /// cards of the game: a collection may hold those of other games.
    pub(super) fn report(&self, run: &Run, judge: &Judge) {
        for rulebook in judge.met().values() {
            let game = rulebook.format().game().id();
            let given = Given::file(game, "collection", &self.name, &self.sha256, &Origin::Call);
            given.into_iter().for_each(|given| judge.names(given));
            let others = self.owned.iter().filter(|(_, copies)| **copies > 0);
            let others = others.filter(|(name, _)| rulebook.pool().find(name).is_none());
            let others: Vec<String> = others.map(|(name, _)| format!("`{name}`")).collect();
            if others.is_empty() {
                continue;
            }
            let shown = others.iter().take(3).map(String::as_str);
            let shown = shown.collect::<Vec<_>>().join(", ");
            let more = match others.len() {
                0..=3 => String::new(),
                all => format!(", and {} more", all - 3),
            };
            let message = format!("{}: not cards of this game: {shown}{more}", self.name);
            run.complain("notice", &message);
        }
    }
}
