//! What `fix` and `build` are asked for: wishes, collections, and how hard to look.

use super::marked::{QUERY, marked};
use super::{Refusal, Run, inputs};
use crate::format::Rulebook;
use crate::judge::Judge;
use crate::origin::{Given, Origin};
use crate::query::QueryError;
use crate::resolve::Decklist;
use crate::solve::{self, TASTE, Taste, Wish, Wishes};
use crate::table;
use crate::text::harmless;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The preferences of a game; one without such a file has none.
pub(super) fn taste(judge: &Judge, game: &str) -> Result<Option<Arc<Taste>>, Refusal> {
    let Some((name, bytes)) = judge.game_file(game, "taste", TASTE) else {
        return Ok(None);
    };
    let taste = Taste::of_file(&name, bytes).map_err(|error| inputs::explain(&error))?;
    Ok(Some(Arc::new(taste)))
}

// Options that `fix` and `build` share.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Asked {
    /// Use only cards that you own: a table with columns count and name
    #[arg(long, value_name = "FILE")]
    own: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

// How hard to look.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Effort {
    /// Stop after about this much work
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = search_steps)]
    effort: u64,
}

impl Effort {
    /// The steps that may be taken.
    pub(super) fn steps(self) -> u64 {
        self.effort
    }
}

fn search_steps(text: &str) -> Result<u64, String> {
    steps(text, solve::STEPS_A_SECOND)
}

/// The steps that are so many seconds of work.
pub(super) fn steps(text: &str, a_second: u64) -> Result<u64, String> {
    /// A day.
    const MOST: f64 = 86_400.0;
    let seconds: Option<f64> = text.trim().parse().ok();
    match seconds.filter(|seconds| *seconds > 0.0 && *seconds <= MOST) {
        Some(seconds) => Ok(((seconds * a_second as f64) as u64).max(1)),
        None => Err("a number of seconds is wanted, above 0 and at most a day".to_owned()),
    }
}

impl Asked {
    /// No wish, and so much effort.
    pub(super) fn with(effort: Effort) -> Asked {
        Asked { own: None, effort }
    }

    /// Wishes with what these options say.
    ///
    /// # Errors
    /// A collection that cannot be read.
    pub(super) fn wishes(
        &self,
        run: &Run,
        judge: &Judge,
        rulebook: &Rulebook,
    ) -> Result<Wishes, Refusal> {
        let mut wishes = Wishes {
            effort: self.effort.effort,
            ..Wishes::default()
        };
        if let Some(file) = &self.own {
            wishes.must.push(owned(run, file, judge, rulebook)?);
        }
        Ok(wishes)
    }
}

/// Reads a wish with `read`, and explains what is wrong with it.
pub(super) fn understood(
    option: &str,
    text: &str,
    read: impl FnOnce(&str) -> Result<Wish, QueryError>,
) -> Result<Wish, Refusal> {
    read(text).map_err(|error| misread(option, text, &error))
}

/// What is wrong with a wish.
pub(super) fn misread(option: &str, text: &str, error: &QueryError) -> Refusal {
    let message = format!("in `{option}`: {error}");
    Refusal(message + &marked(text, error.span, QUERY))
}

/// What wishes ask for in vain, a sentence each, said on standard error too.
pub(super) fn remarks(run: &Run, wishes: &Wishes, before: &Decklist) -> Vec<String> {
    let all = wishes.must.iter().chain(&wishes.prefer);
    let told = all.flat_map(|wish| {
        let remarks = wish.remarks(before).into_iter();
        remarks.map(|remark| format!("in `{}`: {remark}", wish.text()))
    });
    let told: Vec<String> = told.collect();
    for remark in &told {
        run.complain("notice", remark);
    }
    told
}

/// The collection of a file: copies of each card, all sections together. Cards that the pool
/// does not have are passed over, since a collection may hold those of other games.
fn owned(run: &Run, file: &Path, judge: &Judge, rulebook: &Rulebook) -> Result<Wish, Refusal> {
    let pool = rulebook.pool();
    let (bytes, sheet) = inputs::read_table(run, file)?;
    let (game, digest) = (rulebook.format().game().id(), crate::digest::sha256(&bytes));
    let shown = file.display().to_string();
    Given::file(game, "collection", &shown, &digest, &Origin::Call)
        .into_iter()
        .for_each(|given| judge.names(given));
    let name = harmless(&file.display().to_string(), false).into_owned();
    let wrong = |what: String| Refusal(format!("{name}: {what}"));
    let table = table::read(&bytes, sheet.as_deref()).map_err(|error| wrong(error.to_string()))?;
    for note in &table.notes {
        run.complain("note", &format!("{name}: {note}"));
    }
    let column = |wanted: &str, spellings| match table::column(&table.header, spellings) {
        Ok(Some(at)) => Ok(at),
        Ok(None) => Err(wrong(format!(
            "a collection has the columns `count` and `name`, and `{wanted}` is missing; the header names {}",
            table::quoted(&table.header)
        ))),
        Err(table::Doubled(names)) => Err(wrong(format!(
            "the columns {} may each be `{wanted}`; call one of them so",
            table::quoted(&names)
        ))),
    };
    let count = column("count", table::COUNTS)?;
    let card = column("name", crate::pool::NAMES)?;
    let mut copies = vec![0_i64; pool.len()];
    let mut others: Vec<String> = Vec::new();
    for row in &table.rows {
        let (line, count, card) = (row.number, row.cell(count), row.cell(card));
        let number: u32 = count.parse().map_err(|_| {
            wrong(format!(
                "line {line}: the count `{}` is no whole number",
                harmless(count, false)
            ))
        })?;
        if let Some(card) = pool.find(card) {
            let owned = &mut copies[card.index()];
            *owned = owned.saturating_add(i64::from(number));
        } else if number > 0 {
            others.push(format!("`{card}`"));
        }
    }
    if !others.is_empty() {
        let shown = others.iter().take(3).map(String::as_str);
        let shown: Vec<&str> = shown.collect();
        let rest = others.len() - shown.len();
        let more = if rest > 0 {
            format!(", and {rest} more")
        } else {
            String::new()
        };
        let message = format!(
            "{name}: passed over, since this game does not have them: {}{more}",
            shown.join(", ")
        );
        run.complain("notice", &message);
    }
    Ok(Wish::own(copies, &name))
}

/// Why there is no such deck, for people.
pub(super) fn explained(sentences: &[String], irreducible: bool) -> String {
    let mut out = match sentences {
        [] => "No such deck exists.\n".to_owned(),
        [_] => "No such deck exists, because this cannot hold:\n".to_owned(),
        _ => "No such deck exists, because these cannot hold together:\n".to_owned(),
    };
    for sentence in sentences {
        out.push_str(&format!("  - {sentence}\n"));
    }
    match (irreducible, sentences.len()) {
        (_, 0) | (true, 1) => {}
        (true, _) => out.push_str("Without any one of them the others can hold together.\n"),
        (false, _) => out.push_str(
            "The work limit was reached, so some of them may be needless; `--effort` raises it.\n",
        ),
    }
    harmless(&out, true).into_owned()
}
