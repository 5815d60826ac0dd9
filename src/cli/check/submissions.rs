//! `check --submissions`: the decks of a form's export.

use super::stream::{Done, Job, Jobs};
use crate::cli::{Refusal, terminal};
use crate::submissions::{
    Columns, Counted, Rows, Separator, SubmissionError, Survey, TimeOrder, read_header,
};
use crate::text::{counted, listed};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most bytes of a table that are looked at for its header.
const HEADER: u64 = 1 << 16;
/// The most rows that a remark lists.
const MOST_LISTED: usize = 20;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "A form's submissions")]
pub(super) struct Form {
    /// A form's export: a row a player, the deck in a cell or in a file that the row names
    #[arg(long, value_name = "FILE.csv", conflicts_with = "paths")]
    submissions: Option<PathBuf>,
    /// Which columns are what: player=Name,deck=Decklist,time=Timestamp,format=… [default: by their plain names]
    #[arg(long, value_name = "ROLE=COLUMN,…", requires = "submissions")]
    columns: Option<String>,
    /// Later rows are marked as late; a time such as 2026-03-01T18:00
    #[arg(long, value_name = "TIME", requires = "submissions")]
    deadline: Option<jiff::civil::DateTime>,
    /// How the form writes dates that can be read in two ways
    #[arg(long, value_name = "ORDER", requires = "submissions")]
    dates: Option<Dates>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Dates {
    /// 2026/03/01
    #[value(name = "year-first")]
    Year,
    /// 1/3/2026
    #[value(name = "day-first")]
    Day,
    /// 3/1/2026
    #[value(name = "month-first")]
    Month,
}

impl From<Dates> for TimeOrder {
    fn from(dates: Dates) -> TimeOrder {
        match dates {
            Dates::Year => TimeOrder::YearFirst,
            Dates::Day => TimeOrder::DayFirst,
            Dates::Month => TimeOrder::MonthFirst,
        }
    }
}

/// A form's export, looked through once.
pub(super) struct Submitted {
    /// The table as it was named.
    pub(super) name: String,
    /// Where files that rows name are.
    pub(super) folder: PathBuf,
    survey: Survey,
    rows: Rows<File>,
    deadline: Option<jiff::civil::DateTime>,
    /// Rows of players who have a later one, and that one's number.
    replaced: Vec<(u64, u64)>,
    read: u64,
}

impl Form {
    /// The table, if one was named.
    pub(super) fn open(&self) -> Result<Option<Submitted>, Refusal> {
        let Some(path) = &self.submissions else {
            return Ok(None);
        };
        let name = path.display().to_string();
        let refuse = |error: SubmissionError| Refusal(format!("{name}: {error}"));
        let open = || File::open(path).map_err(|error| Refusal(format!("{name}: {error}")));
        if !path.is_file() {
            return Err(Refusal(format!(
                "{name}: a table is read twice, so it must be a file"
            )));
        }
        let mut first = Vec::new();
        open()?
            .take(HEADER)
            .read_to_end(&mut first)
            .map_err(|error| Refusal(format!("{name}: {error}")))?;
        let (header, separator): (_, Separator) = read_header(&first).map_err(refuse)?;
        let columns = Columns::of(&header, self.columns.as_deref()).map_err(refuse)?;
        if self.deadline.is_some() && columns.time.is_none() {
            return Err(Refusal(format!(
                "{name}: no column is plainly the time, which `--deadline` needs; say which is, with `--columns time=COLUMN`"
            )));
        }
        let order = self.dates.map(TimeOrder::from);
        let survey = Survey::of(open()?, separator, &columns, order).map_err(refuse)?;
        Ok(Some(Submitted {
            folder: match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
                _ => Path::new(".").to_owned(),
            },
            rows: Rows::of(open()?, separator, columns),
            name,
            survey,
            deadline: self.deadline,
            replaced: Vec::new(),
            read: 0,
        }))
    }
}

impl Jobs for Submitted {
    fn next(&mut self, most: usize) -> Result<Vec<Job>, Refusal> {
        let mut jobs = Vec::new();
        while jobs.len() < most {
            let row = self.rows.next_row();
            let row = row.map_err(|error| Refusal(format!("{}: {error}", self.name)))?;
            let Some(row) = row else { break };
            self.read += 1;
            let time = row.time.as_deref();
            match self.survey.counted(row.number, time, self.deadline) {
                Counted::Yes(submission) => jobs.push(Job::Row(Box::new((row, submission)))),
                Counted::ReplacedBy(by) => self.replaced.push((row.number, by)),
            }
        }
        Ok(jobs)
    }
}

/// What is said of a form as a whole.
pub(super) struct Remarks {
    rows: u64,
    late: Vec<u64>,
    replaced: Vec<(u64, u64)>,
    /// Rows that hand in the same deck, ascending.
    same: Vec<Vec<u64>>,
}

impl Remarks {
    pub(super) fn of(form: Submitted, done: &mut Done) -> Remarks {
        done.decks.sort_unstable();
        let alike = done.decks.chunk_by(|(one, _), (next, _)| one == next);
        let mut same: Vec<Vec<u64>> = alike
            .filter(|alike| alike.len() > 1)
            .map(|alike| alike.iter().map(|(_, row)| *row).collect())
            .collect();
        same.sort_unstable();
        Remarks {
            rows: form.read,
            late: std::mem::take(&mut done.late),
            replaced: form.replaced,
            same,
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let replaced = self.replaced.iter();
        let replaced: Vec<Value> = replaced
            .map(|(row, by)| json!({"row": row, "by": by}))
            .collect();
        json!({"rows": self.rows, "late": self.late, "replaced": replaced, "identical": self.same})
    }

    /// In sentences, a line each.
    pub(super) fn sentences(&self) -> Vec<String> {
        let mut said = vec![format!("{} read", number(self.rows, "row"))];
        if !self.late.is_empty() {
            said.push(format!("late: {}", rows(&self.late)));
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
