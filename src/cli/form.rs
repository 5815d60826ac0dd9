//! `--submissions`: the decks of a form's export.

use super::jobs::{Job, Jobs, Origin, Work};
use super::{Refusal, files};
use crate::submissions::{
    Columns, Counted, Layout, Moment, SubmissionError, Survey, Table, TableFile, TimeOrder,
};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "A form's submissions")]
pub(super) struct Form {
    /// A form's export, CSV, .xlsx or .ods: a row a player, the deck in a cell or in a file that the row names; FILE.xlsx#SHEET where there are several sheets
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    submissions: Option<PathBuf>,
    /// Which columns are what: player=Name,deck=Decklist,time=Timestamp,format=… (may be repeated) [default: by their plain names]
    #[arg(long, value_name = "ROLE=COLUMN,…")]
    columns: Vec<String>,
    /// Later rows are marked as late; a time such as 2026-03-01T18:00, or 2026-03-01T18:00+01:00 with its zone
    #[arg(long, value_name = "TIME", value_parser = moment)]
    deadline: Option<Moment>,
    /// How the form writes dates that can be read in two ways
    #[arg(long, value_name = "ORDER")]
    dates: Option<Dates>,
}

fn moment(text: &str) -> Result<Moment, String> {
    let example = "it must be a time such as 2026-03-01T18:00, or 2026-03-01T18:00+01:00";
    Moment::read(text).ok_or_else(|| example.to_owned())
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
    file: TableFile,
    layout: Layout,
    columns: Columns,
    pub(super) survey: Survey,
    pub(super) deadline: Option<Moment>,
}

impl Form {
    /// Whether a deadline was given.
    pub(super) fn has_deadline(&self) -> bool {
        self.deadline.is_some()
    }

    /// The table, if one was named.
    ///
    /// # Errors
    /// A table that cannot be read, columns or times that are not plain, and options of a form
    /// where there is none.
    pub(super) fn open(&self) -> Result<Option<Submitted>, Refusal> {
        let Some(path) = &self.submissions else {
            let without = [
                ("--columns", !self.columns.is_empty()),
                ("--deadline", self.deadline.is_some()),
                ("--dates", self.dates.is_some()),
            ];
            return match without.iter().find(|(_, given)| *given) {
                Some((option, _)) => Err(Refusal(format!(
                    "`{option}` is about a form; give `--submissions FILE` too"
                ))),
                None => Ok(None),
            };
        };
        let name = path.display().to_string();
        let (path, sheet) = crate::table::named(path);
        let path = path.as_path();
        let refuse = |error: SubmissionError| Refusal(format!("{name}: {error}"));
        if path.is_dir() {
            return Err(Refusal(format!(
                "{name}: this is a folder; `--submissions` takes a form's export, a table"
            )));
        }
        if !path.is_file() {
            let why = match path.exists() {
                true => "a table is read twice, so it must be a file",
                false => "there is no such file",
            };
            return Err(Refusal(format!("{name}: {why}")));
        }
        files::reads(path);
        let file = TableFile::of_sheet(path, sheet.as_deref()).map_err(refuse)?;
        for note in file.notes() {
            super::terminal::complain("note", &format!("{name}: {note}"));
        }
        let (header, layout) = file.header().map_err(refuse)?;
        let columns = Columns::of(&header, &self.columns).map_err(refuse)?;
        if self.deadline.is_some() && columns.time.is_none() {
            return Err(Refusal(format!(
                "{name}: no column is plainly the time, which `--deadline` needs; say which is, with `--columns time=COLUMN`"
            )));
        }
        let order = self.dates.map(TimeOrder::from);
        let table = Table {
            source: &file,
            layout,
            columns,
        };
        let survey = Survey::of(&table, order).map_err(refuse)?;
        Ok(Some(Submitted {
            file,
            layout,
            columns,
            survey,
            deadline: self.deadline,
        }))
    }
}

impl Submitted {
    fn csv(&self) -> Table<'_, TableFile> {
        Table {
            source: &self.file,
            layout: self.layout,
            columns: self.columns,
        }
    }
}

impl Jobs for Submitted {
    fn length(&self) -> usize {
        usize::try_from(self.survey.counting()).unwrap_or(usize::MAX)
    }

    fn batches(&self) -> usize {
        self.survey.stretches().len()
    }

    fn batch(&self, at: usize, work: &mut Work<'_>) -> Result<(), Refusal> {
        let table = self.csv();
        let failed = |error| Refusal(format!("{}: {error}", self.file.path().display()));
        let mut rows = table.rows(self.survey.stretches()[at]).map_err(failed)?;
        while let Some(row) = rows.next_row().map_err(failed)? {
            let time = row.time.as_deref();
            match self.survey.counted(row.number, time, self.deadline) {
                Counted::Yes(submission) => work(Job::Row(row, &submission))?,
                Counted::ReplacedBy(_) => {}
            }
        }
        Ok(())
    }

    fn table(&self) -> Option<Origin> {
        let path = self.file.path();
        Some(Origin {
            name: path.display().to_string(),
            folder: match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
                _ => Path::new(".").to_owned(),
            },
        })
    }
}
