//! `--submissions`: the decks of a form's export.

use super::configuration::found;
use super::jobs::{Job, Jobs, Origin, Work};
use super::{Refusal, Run, inputs, remedies};
use crate::deck::Input;
use crate::format::Game;
use crate::submissions::{
    Carry, Columns, Counted, Deadline, Late, Layout, SubmissionError, Survey, Table, TableFile,
    Terms, TimeOrder, zone,
};
use jiff::tz::TimeZone;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "A form's submissions")]
pub(super) struct Form {
    /// A form's export, a row a player: CSV, .xlsx, .ods (FILE.xlsx#SHEET), or -
    #[arg(long, value_name = "FILE")]
    submissions: Option<PathBuf>,
    /// Which columns are player, id, deck (or deck.SECTION), time, format, choice.NAME [default: by their names]
    #[arg(long, value_name = "ROLE=COLUMN,…")]
    columns: Vec<String>,
    /// When the form closed: 2026-03-01, 2026-03-01T18:00 or 2026-03-01T18:00+01:00
    #[arg(long, value_name = "TIME", value_parser = deadline)]
    deadline: Option<Deadline>,
    /// The deadline's zone [default: this machine's]
    #[arg(long, value_name = "ZONE", requires = "deadline", value_parser = known_zone)]
    zone: Option<Zone>,
    /// Which deck counts of who handed in before and after
    #[arg(long, value_name = "POLICY", requires = "deadline")]
    late: Option<LatePolicy>,
    /// How the form writes dates
    #[arg(long, value_name = "ORDER")]
    dates: Option<Dates>,
    /// Columns that outputs repeat
    #[arg(long, value_name = "all|NAME,…")]
    carry: Option<String>,
}

/// The game that the call names, or all that are known where it names none.
fn games_of(run: &Run) -> Vec<Arc<Game>> {
    // What cannot be found or read is told where the decks are judged.
    let Ok(found) = found(run) else {
        return Vec::new();
    };
    let games = &found.catalogue;
    match &run.options.format {
        Some(format) => {
            let format = games.format(format).into_iter();
            format.map(|format| Arc::clone(format.game())).collect()
        }
        None => games
            .games()
            .filter_map(|game| games.game(game).ok())
            .collect(),
    }
}

fn deadline(text: &str) -> Result<Deadline, String> {
    let example = "it must be a time such as 2026-03-01T18:00 or 2026-03-01T18:00+01:00, or a day such as 2026-03-01";
    Deadline::read(text).ok_or_else(|| example.to_owned())
}

/// A zone, as it was named.
#[derive(Debug, Clone)]
struct Zone(String, TimeZone);

fn known_zone(text: &str) -> Result<Zone, String> {
    let wrong =
        "there is no such zone here; it is a name such as Europe/Berlin, or hours such as +01:00";
    let found = zone(text).ok_or_else(|| wrong.to_owned())?;
    Ok(Zone(text.to_owned(), found))
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum LatePolicy {
    // The last deck in time; the late one is judged and shown beside it
    Beside,
    // The last deck, late or not
    Last,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Dates {
    // 2026/03/01
    #[value(name = "year-first")]
    Year,
    // 1/3/2026
    #[value(name = "day-first")]
    Day,
    // 3/1/2026
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
#[derive(Debug)]
pub(super) struct Submitted {
    file: TableFile,
    layout: Layout,
    pub(super) columns: Columns,
    pub(super) survey: Survey,
}

impl Form {
    /// Whether a form was named.
    pub(super) fn is_given(&self) -> bool {
        self.submissions.is_some()
    }

    /// The options that are about a form, those that were given.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            ("--columns", !self.columns.is_empty()),
            ("--deadline", self.deadline.is_some()),
            ("--dates", self.dates.is_some()),
            ("--carry", self.carry.is_some()),
        ];
        all.into_iter()
            .filter(|(_, given)| *given)
            .map(|(option, _)| option)
    }

    /// The table, if one was named.
    ///
    /// # Errors
    /// A table that cannot be read, columns or times that are not plain, and options of a form
    /// where there is none.
    pub(super) fn open(&self, run: &Run) -> Result<Option<Submitted>, Refusal> {
        match &self.submissions {
            Some(path) => self.table(run, path).map(Some),
            None => self.refuse_given().map(|()| None),
        }
    }

    /// Refuses options that are about a form where there is none.
    ///
    /// # Errors
    /// The first of them that was given.
    pub(super) fn refuse_given(&self) -> Result<(), Refusal> {
        match self.given().next() {
            Some(option) => Err(Refusal(format!(
                "`{option}` is about a form; give `--submissions FILE` too"
            ))),
            None => Ok(()),
        }
    }

    /// The same options for decks that no deadline is about.
    pub(super) fn without_deadline(&self) -> Form {
        Form {
            deadline: None,
            zone: None,
            late: None,
            ..self.clone()
        }
    }

    /// A form by its path, read as these options say.
    ///
    /// # Errors
    /// As for [`open`](Form::open).
    pub(super) fn table(&self, run: &Run, path: &Path) -> Result<Submitted, Refusal> {
        let name = path.display().to_string();
        let refuse =
            |error: SubmissionError| Refusal(format!("{name}: {}", remedies::message(&error)));
        let file = if name == "-" {
            TableFile::of_stream(&name, std::io::stdin().lock()).map_err(refuse)?
        } else {
            let (path, sheet) = crate::table::named(path);
            let path = path.as_path();
            if path.is_dir() {
                return Err(Refusal(format!(
                    "{name}: this is a folder, and a form's export is a table"
                )));
            }
            if !path.is_file() {
                let why = match path.exists() {
                    true => "a table is read twice, so it must be a file; `-` is standard input",
                    false => "there is no such file",
                };
                return Err(Refusal(format!("{name}: {why}")));
            }
            run.reads(path);
            TableFile::of_sheet(path, sheet.as_deref()).map_err(refuse)?
        };
        let (header, layout) = file.header().map_err(refuse)?;
        let carry = self.carry.as_deref().map(Carry::read).unwrap_or_default();
        let games = OnceCell::new();
        let is_section = |word: &str| {
            let games: &Vec<_> = games.get_or_init(|| games_of(run));
            let mut names = games.iter().map(|game| game.section_names());
            names.any(|names| names.find(word).is_some())
        };
        let columns = Columns::in_sections(&header, &self.columns, is_section)
            .and_then(|columns| columns.carrying(&carry))
            .map_err(refuse)?;
        if self.deadline.is_some() && columns.time.is_none() {
            return Err(Refusal(format!(
                "{name}: no column is plainly the time, which `--deadline` needs; say which is, with `--columns time=COLUMN`"
            )));
        }
        let table = Table {
            source: &file,
            layout,
            columns: columns.clone(),
        };
        let survey = Survey::of(&table, self.terms()).map_err(refuse)?;
        if let Some(doubt) = file.doubt() {
            let judge = inputs::judge(run)?;
            let told = judge.tells(doubt, (&table, &survey), Input::default());
            if !told.map_err(refuse)? {
                return Err(refuse(doubt.why.clone().into()));
            }
        }
        for note in file.notes() {
            run.complain("note", &format!("{name}: {note}"));
        }
        let read = crate::text::harmless(&columns.in_words(), false).into_owned();
        run.complain("note", &format!("{name}: read as {read}"));
        let other = columns.passed_over();
        if columns.player.is_none() && !other.is_empty() {
            let other = crate::text::harmless(&other.join("`, `"), false).into_owned();
            let message = format!(
                "{name}: no column is plainly the player, so that each row is one; nothing is read from `{other}`: say which it is, with `--columns player=COLUMN`"
            );
            run.complain("note", &message);
        }
        Ok(Submitted {
            file,
            layout,
            columns,
            survey,
        })
    }

    fn terms(&self) -> Terms {
        let deadline = self.deadline.clone().map(|due| match &self.zone {
            Some(Zone(name, zone)) => due.of_zone(zone, &format!("in {name}")),
            None => {
                let zone = TimeZone::system();
                let name = zone.iana_name().unwrap_or("UTC").to_owned();
                due.of_zone(&zone, &format!("in {name}, this machine's zone"))
            }
        });
        Terms {
            order: self.dates.map(TimeOrder::from),
            deadline,
            late: match self.late {
                None | Some(LatePolicy::Beside) => Late::Beside,
                Some(LatePolicy::Last) => Late::Last,
            },
        }
    }
}

impl Submitted {
    fn csv(&self) -> Table<'_, TableFile> {
        Table {
            source: &self.file,
            layout: self.layout,
            columns: self.columns.clone(),
        }
    }

    /// What the columns are called that are carried along.
    pub(super) fn carried(&self) -> Vec<String> {
        self.columns.carried().map(str::to_owned).collect()
    }

    /// How reports name it.
    pub(super) fn name(&self) -> String {
        self.file.path().display().to_string()
    }
}

impl Jobs for Submitted {
    fn length(&self) -> usize {
        usize::try_from(self.survey.judged()).unwrap_or(usize::MAX)
    }

    fn batches(&self) -> usize {
        self.survey.stretches().len()
    }

    fn batch(&self, at: usize, work: &mut Work<'_>) -> Result<(), Refusal> {
        let table = self.csv();
        let failed = |error| Refusal(format!("{}: {error}", self.name()));
        let mut rows = table.rows(self.survey.stretches()[at]).map_err(failed)?;
        while let Some(row) = rows.next_row().map_err(failed)? {
            match self.survey.counted(row) {
                Counted::Yes(submission) => work(Job::Row(row, &submission))?,
                Counted::ReplacedBy(_) => {}
            }
        }
        Ok(())
    }

    fn table(&self) -> Option<Origin> {
        let path = self.file.path();
        Some(Origin {
            name: self.name(),
            folder: match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
                _ => Path::new(".").to_owned(),
            },
        })
    }
}
