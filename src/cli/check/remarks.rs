//! What is said of a form as a whole.

use super::stream::Done;
use crate::cli::form::Submitted;
use crate::cli::terminal;
use crate::submissions::Moment;
use crate::text::{counted, listed};
use serde_json::{Value, json};

/// The most rows that a remark lists.
const MOST_LISTED: usize = 20;

/// What is said of a form as a whole.
pub(super) struct Remarks {
    rows: u64,
    deadline: Option<Moment>,
    /// What is to be said of the zones of its times.
    zones: Option<&'static str>,
    late: Vec<u64>,
    /// Rows whose time, or that of one they replace, is missing or not understood.
    unread: Vec<u64>,
    replaced: Vec<(u64, u64)>,
    /// Rows that hand in the same deck, ascending.
    same: Vec<Vec<u64>>,
}

impl Remarks {
    pub(super) fn of(form: &Submitted, done: &mut Done) -> Remarks {
        done.decks.sort_unstable();
        let alike = done.decks.chunk_by(|(one, _), (next, _)| one == next);
        let mut same: Vec<Vec<u64>> = alike
            .filter(|alike| alike.len() > 1)
            .map(|alike| alike.iter().map(|(_, row)| *row).collect())
            .collect();
        same.sort_unstable();
        Remarks {
            rows: form.survey.rows(),
            deadline: form.deadline,
            zones: form.survey.of_zones(form.deadline),
            unread: std::mem::take(&mut done.unread),
            late: std::mem::take(&mut done.late),
            replaced: form.survey.replaced(),
            same,
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let replaced = self.replaced.iter();
        let replaced: Vec<Value> = replaced
            .map(|(row, by)| json!({"row": row, "by": by}))
            .collect();
        json!({
            "rows": self.rows,
            "deadline": self.deadline.map(|deadline| deadline.to_string()),
            "late": self.late,
            "times_not_understood": self.unread,
            "zones": self.zones,
            "replaced": replaced,
            "identical": self.same,
        })
    }

    /// In sentences, a line each.
    pub(super) fn sentences(&self) -> Vec<String> {
        let mut said = vec![format!("{} read", number(self.rows, "row"))];
        said.extend(self.zones.map(str::to_owned));
        if !self.late.is_empty() {
            said.push(format!("late: {}", rows(&self.late)));
        }
        if !self.unread.is_empty() {
            let rows = rows(&self.unread);
            said.push(format!("time missing or not understood: {rows}"));
        }
        if !self.replaced.is_empty() {
            let each: Vec<String> = self
                .replaced
                .iter()
                .take(MOST_LISTED)
                .map(|(row, by)| format!("{row} by {by}"))
                .collect();
            let more = more(self.replaced.len());
            said.push(format!(
                "replaced by a later row of the same player: {}{more}",
                listed(&each, "and")
            ));
        }
        for same in self.same.iter().take(MOST_LISTED) {
            said.push(format!("the same deck: {}", rows(same)));
        }
        let more = more(self.same.len());
        if !more.is_empty() {
            said.push(format!("the same deck:{more}"));
        }
        said
    }

    /// On standard error, where no output says it.
    pub(super) fn complain(&self) {
        for sentence in self.sentences() {
            terminal::complain("note", &sentence);
        }
    }
}

fn number(count: u64, noun: &str) -> String {
    counted(i64::try_from(count).unwrap_or(i64::MAX), noun)
}

fn rows(rows: &[u64]) -> String {
    let shown: Vec<String> = rows.iter().take(MOST_LISTED).map(u64::to_string).collect();
    let noun = if rows.len() == 1 { "row" } else { "rows" };
    format!("{noun} {}{}", listed(&shown, "and"), more(rows.len()))
}

fn more(length: usize) -> String {
    match length.checked_sub(MOST_LISTED) {
        Some(left) if left > 0 => format!(" and {left} more"),
        _ => String::new(),
    }
}
