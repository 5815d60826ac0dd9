//! The summary of a form as JSON, as sentences, and as lines of a terminal.

use super::{FormSummary, Kind};
use decklaw_text::text::{counted, escape_control, listed, wrapped};
use serde_json::{Value, json};
use std::fmt::Write;

/// The most lines of one kind, unless more is asked for.
const MOST_LINES: usize = 2;
/// The most rules that are listed, unless more is asked for.
const MOST_RULES: usize = 8;
/// The most rows that a sentence lists.
const MOST_LISTED: usize = 20;

impl FormSummary<'_> {
    /// The value in a JSON document.
    pub fn to_json(&self) -> Value {
        let (facts, seen) = (self.facts, &self.overview);
        let pairs = |pairs: &[(u64, u64)]| -> Vec<Value> {
            let pairs = pairs.iter();
            pairs.map(|(row, by)| json!({"row": row, "by": by})).collect()
        };
        let asked = seen.asked.iter();
        let asked =
            asked.map(|(row, player, why, _)| json!({"row": row, "player": player, "why": why}));
        let due = facts.deadline.as_ref();
        json!({
            "rows": facts.rows,
            "players": facts.players,
            "deadline": due.map(|due| &due.at),
            "deadline_means": due.map(|due| &due.means),
            "policy": due.map(|due| due.policy),
            "late": seen.late,
            "beside": pairs(&seen.beside),
            "times_not_understood": seen.unread,
            "replaced": pairs(&facts.replaced),
            "identical": self.same,
            "asked": asked.collect::<Vec<_>>(),
            "unused": facts.unused.iter().map(|column| &column.name).collect::<Vec<_>>(),
        })
    }

    /// The summary as sentences, one a line.
    pub fn sentences(&self) -> Vec<String> {
        let (facts, seen) = (self.facts, &self.overview);
        let mut said = vec![format!("{} read", number(facts.rows, "row"))];
        said.extend(self.formatless());
        said.extend(self.deadline());
        if !seen.late.is_empty() {
            said.push(format!("late: {}", rows(&seen.late)));
        }
        if !seen.unread.is_empty() {
            let rows = rows(&seen.unread);
            said.push(format!("time missing or not understood: {rows}"));
        }
        let replaced = &facts.replaced;
        if !replaced.is_empty() {
            let each = first(replaced, |(row, by)| format!("{row} by {by}"));
            said.push(format!("replaced by another row of the same player: {each}"));
        }
        said.extend(self.warnings());
        for same in self.same.iter().take(MOST_LISTED) {
            said.push(format!("the same deck: {}", rows(same)));
        }
        if let Some(left) = more(self.same.len()) {
            said.push(format!("the same deck: {left} groups of rows"));
        }
        said
    }

    fn deadline(&self) -> Option<String> {
        let due = self.facts.deadline.as_ref()?;
        Some(format!("deadline: {}", due.means))
    }

    /// How many decks name no format, and the option that gives them one.
    fn formatless(&self) -> Option<String> {
        let formatless = &self.overview.formatless;
        let decks: usize = formatless.values().sum();
        let (nearest, _) = formatless.iter().max_by_key(|(_, decks)| **decks)?;
        let all = counted(i64::try_from(decks).unwrap_or(i64::MAX), "deck");
        let name = if decks == 1 { "names" } else { "name" };
        Some(format!(
            "{all} {name} no format; use `--format {nearest}`: most of the cards are there"
        ))
    }

    /// The rows that need a decision, and columns that were not read.
    fn warnings(&self) -> Vec<String> {
        let mut said = Vec::new();
        for (row, player, why, counts) in self.overview.asked.iter().take(MOST_LISTED) {
            let player = if player.is_empty() { "nobody" } else { player };
            let counts = if *counts { "counts as a player of its own" } else { "does not count" };
            said.push(format!("row {row}, {player}, {counts}: {why}"));
        }
        if let Some(left) = more(self.overview.asked.len()) {
            said.push(format!("{left} rows are in doubt"));
        }
        if !self.overview.asked.is_empty() {
            said.push("an event keeps your answers: `decklaw event new`".to_owned());
        }
        said.extend(self.facts.unused.iter().map(ToString::to_string));
        said
    }

    /// The summary in lines for a terminal of `columns` columns. `title` names the form; with
    /// `verbose` nothing is left out.
    pub fn lines(&self, title: &str, width: usize, verbose: bool) -> String {
        let (facts, seen) = (self.facts, &self.overview);
        let title = escape_control(title, false);
        let players = counted(i64::try_from(facts.players).unwrap_or(i64::MAX), "player");
        let mut out = format!("{title}: {}, {players}\n", number(facts.rows, "row"));
        if let Some(sentence) = self.deadline() {
            fold_into(&mut out, &sentence, width);
        }
        if let Some(sentence) = self.formatless() {
            fold_into(&mut out, &sentence, width);
        }
        let common = seen.common.iter().flatten().filter(|_| seen.judged > 1);
        for sentence in common {
            let sentence = format!("every deck: {sentence}");
            fold_into(&mut out, &escape_control(&sentence, false), width);
        }
        let mut rules: Vec<(&String, &Kind)> = seen.broken.iter().collect();
        rules.sort_by(|a, b| b.1.all.cmp(&a.1.all).then(a.0.cmp(b.0)));
        let most = if verbose { usize::MAX } else { MOST_RULES };
        let left = rules.len().saturating_sub(most);
        let mut kinds: Vec<(String, usize, Vec<String>)> = Vec::new();
        for (rule, players) in rules.into_iter().take(most) {
            let rule = escape_control(rule, false).into_owned();
            kinds.push((rule, players.all, players.shown.clone()));
        }
        if left > 0 {
            kinds.push((format!("and {left} more rules"), 0, Vec::new()));
        }
        let people = |what: &str, some: &Kind| (what.to_owned(), some.all, some.shown.clone());
        let list = |what: &str, some: &[String]| (what.to_owned(), some.len(), some.to_vec());
        let replaced: Vec<String> =
            facts.replaced.iter().map(|(row, by)| format!("row {row} by {by}")).collect();
        let same: Vec<String> = self.same.iter().map(|group| rows(group)).collect();
        let others = [
            people("no deck", &seen.without_deck),
            people("section unclear", &seen.unclear),
            people("late", &seen.late_players),
            people("time not understood", &seen.unread_players),
            list("replaced", &replaced),
            list("the same deck", &same),
        ];
        kinds.extend(others.into_iter().filter(|(_, all, _)| *all > 0));
        let label = |kind: &(String, usize, Vec<String>)| width_of(&kind.0);
        let labels = kinds.iter().map(label).max().unwrap_or_default();
        let labels = labels.min(width / 3);
        let counts = kinds.iter().map(|kind| kind.1.to_string().len());
        let counts = counts.max().unwrap_or_default();
        for (what, all, names) in &kinds {
            group(&mut out, (what, *all), names, (labels, counts, width), verbose);
        }
        for doubt in self.warnings() {
            fold_into(&mut out, &escape_control(&doubt, false), width);
        }
        out
    }
}

/// A label, a number, and names in a few lines.
fn group(
    out: &mut String,
    (what, all): (&str, usize),
    names: &[String],
    (labels, counts, width): (usize, usize, usize),
    verbose: bool,
) {
    let pad = " ".repeat(labels.saturating_sub(width_of(what)));
    let count = if all > 0 { all.to_string() } else { String::new() };
    let indent = labels + counts + 6;
    let room = width.saturating_sub(indent).max(20);
    let joined = |shown: &[String]| wrapped(&shown.join(", "), room);
    let mut shown = names.len();
    let mut lines = joined(names);
    if !verbose && (lines.len() > MOST_LINES || all > shown) {
        // As many whole names as fit, with the number of the others.
        shown = shown.min(MOST_LINES * room);
        loop {
            let left = all - shown;
            let mut some = names[..shown].to_vec();
            if left > 0 {
                some.push(format!("and {left} more"));
            }
            lines = joined(&some);
            if lines.len() <= MOST_LINES || shown <= 1 {
                break;
            }
            shown -= 1;
        }
    }
    let mut lines = lines.into_iter();
    let first = lines.next().unwrap_or_default();
    let line = format!("  {what}{pad}  {count:>counts$}  {first}");
    out.push_str(line.trim_end());
    out.push('\n');
    for line in lines {
        let _ = writeln!(out, "{}{line}", " ".repeat(indent));
    }
}

fn width_of(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// A sentence in lines; further lines are indented.
fn fold_into(out: &mut String, sentence: &str, width: usize) {
    for (at, line) in wrapped(sentence, width.saturating_sub(2).max(20)).into_iter().enumerate() {
        let indent = if at == 0 { "" } else { "  " };
        let _ = writeln!(out, "{indent}{line}");
    }
}

fn number(count: u64, noun: &str) -> String {
    counted(i64::try_from(count).unwrap_or(i64::MAX), noun)
}

fn rows(rows: &[u64]) -> String {
    let noun = if rows.len() == 1 { "row" } else { "rows" };
    format!("{noun} {}", first(rows, u64::to_string))
}

/// The first few of some things, and the number of the others.
fn first<T>(all: &[T], shown: impl Fn(&T) -> String) -> String {
    let each: Vec<String> = all.iter().take(MOST_LISTED).map(shown).collect();
    match more(all.len()) {
        Some(left) => format!("{} and {left}", each.join(", ")),
        None => listed(&each, "and"),
    }
}

fn more(length: usize) -> Option<String> {
    let left = length.saturating_sub(MOST_LISTED);
    (left > 0).then(|| format!("{left} more"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_of_many_names_stays_within_two_lines_and_says_how_many_are_left() {
        let names: Vec<String> = (0..300).map(|at| format!("Player {at} (row {at})")).collect();
        let mut out = String::new();
        group(&mut out, ("copies", 300), &names, (10, 3, 80), false);
        assert_eq!(out.lines().count(), 2, "{out}");
        assert!(out.lines().all(|line| line.len() <= 80), "{out}");
        let named = out.matches("Player").count();
        assert!(out.contains(&format!("and {} more", 300 - named)), "{out}");
    }
}
