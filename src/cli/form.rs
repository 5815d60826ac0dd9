//! `--submissions`: a quick look at a form's export, as an event that lives as long as the call.

use super::answer::with_help;
use super::options::Dates;
use super::{CliError, Run, files};
use crate::deck::Input;
use crate::event::{
    About, EntryDeck, Event, Form as EventForm, FormError, FormSettings, Late, Roster, Standing,
    read_archive, read_folder, read_form, standing_of_form,
};
use crate::judge::Judge;
use crate::report::overview::{Due, FormFacts};
use crate::submissions::{Deadline, TimeOrder, UnreadColumn, zone};
use jiff::tz::TimeZone;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "A form's submissions")]
pub(super) struct Form {
    /// A form's export with one row per player: CSV, XLSX, ODS (FILE.xlsx#SHEET), or -
    #[arg(long, value_name = "FILE")]
    submissions: Option<PathBuf>,
    /// Columns for player, id, deck (or deck.SECTION), time and format [default: by their names]
    ///
    /// A column is a header, a part that only one header has, or a number. Example: `--columns
    /// player=Nickname,deck=3`
    #[arg(long, value_name = "ROLE=COLUMN,…", requires = "submissions", conflicts_with = "paths")]
    columns: Vec<String>,
    /// When the form closed, such as 2026-03-01T18:00 or 2026-03-01T18:00+01:00
    #[arg(long, value_name = "TIME", requires = "submissions", conflicts_with = "paths", value_parser = deadline)]
    deadline: Option<String>,
    /// Time zone of the deadline and of times without one [default: this machine's]
    ///
    /// Example: `--zone Europe/Berlin` or `--zone +01:00`
    #[arg(long, value_name = "ZONE", requires = "deadline", value_parser = known_zone)]
    zone: Option<String>,
    /// How to treat decks submitted after the deadline
    ///
    /// `beside` judges them next to the deck in time; `last` counts the last deck, late or not.
    #[arg(long, value_name = "POLICY", requires = "deadline")]
    late: Option<LatePolicy>,
    /// The order of dates in the form
    #[arg(long, value_name = "ORDER", requires = "submissions", conflicts_with = "paths")]
    dates: Option<Dates>,
}

fn deadline(text: &str) -> Result<String, String> {
    let example = "write 2026-03-01T18:00, 2026-03-01T18:00+01:00 or a day such as 2026-03-01";
    let known = Deadline::read(text).map(|_| text.to_owned());
    known.ok_or_else(|| example.to_owned())
}

fn known_zone(text: &str) -> Result<String, String> {
    let wrong = "unknown time zone; use Europe/Berlin or +01:00";
    let known = zone(text).map(|_| text.to_owned());
    known.ok_or_else(|| wrong.to_owned())
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum LatePolicy {
    // They are judged and count for no player
    Beside,
    // The last deck counts, late or not
    Last,
}

/// A form's export: its decks, in the order of its rows, and what else is known of it.
#[derive(Debug)]
pub(super) struct FormExport {
    name: String,
    pub(super) decks: Vec<EntryDeck>,
    pub(super) facts: FormFacts,
}

impl Form {
    /// The event that a call describes.
    fn about(&self, format: Option<&str>) -> About {
        // The zone of the deadline is also the zone of the form's times.
        let own = self.deadline.as_deref().and_then(Deadline::read);
        let own = own.filter(|due| due.at.zone.is_some());
        let own = own.map(|due| due.at.to_string());
        let own = own.and_then(|text| Some(text.get(19..)?.to_owned()));
        let system = || {
            let zone = TimeZone::system();
            zone.iana_name().unwrap_or("UTC").to_owned()
        };
        About {
            name: String::new(),
            format: format.map(str::to_owned),
            day: None,
            deadline: self.deadline.clone(),
            zone: self.zone.clone().or(own).unwrap_or_else(system),
            late: match self.late {
                None | Some(LatePolicy::Beside) => Late::Beside,
                Some(LatePolicy::Last) => Late::Last,
            },
        }
    }

    /// The form's decks, if one was named. `input` is the kind of the decks, if the call names it.
    ///
    /// # Errors
    /// A table that cannot be read, ambiguous columns or times, and options of a form
    /// where there is none.
    pub(super) fn open(
        &self,
        run: &Run,
        judge: &Judge,
        input: Option<Input>,
        format: Option<&str>,
    ) -> Result<Option<FormExport>, CliError> {
        let Some(path) = &self.submissions else {
            return Ok(None);
        };
        let name = path.display().to_string();
        let about = self.about(format);
        let settings = FormSettings {
            columns: self.columns.clone(),
            dates: self.dates.map(TimeOrder::from),
            at: None,
        };
        let (bytes, sheet, folder) = bytes_of(path)?;
        let form = read_form(&name, (&bytes, sheet.as_deref()), &folder, &about, &settings, judge);
        let form = form.map_err(|error| refused(&name, &error))?;
        if self.deadline.is_some() && !form.has_times {
            return Err(CliError::call(format!(
                "{name}: `--deadline` needs a column of times; name it with `--columns time=COLUMN`"
            )));
        }
        let report = |note: &str| {
            let note = crate::text::escape_control(note, false);
            run.complain("note", &format!("{name}: {note}"));
        };
        report(&format!("read as {}", form.read_as));
        form.notes.iter().for_each(|note| report(note));
        let (roster, standing) = standing_of_form(&about, &form)
            .map_err(|error| CliError::call(format!("{name}: {error}")))?;
        let mut shown: Vec<_> = standing
            .players
            .values()
            .flat_map(|own| [own.counting.entry(), own.beside])
            .flatten()
            .chain(standing.questions.iter().map(|question| question.entry))
            .collect();
        // Entries are numbered in the order of the rows.
        shown.sort_unstable();
        shown.dedup();
        let mut decks = Vec::with_capacity(shown.len());
        let format = about.format.as_deref();
        for entry in shown.iter().filter_map(|id| roster.entries.get(id)) {
            let mut deck = EntryDeck::of(judge, &roster, &standing, entry, format)?;
            deck.input = input.unwrap_or(deck.input);
            // Without a column of times they are unknown.
            deck.submission.time = deck.submission.time.filter(|_| form.has_times);
            deck.submission.at = deck.submission.at.filter(|_| form.has_times);
            decks.push(deck);
        }
        let rows = form.entries.len() as u64;
        Ok(Some(FormExport {
            name,
            decks,
            facts: facts(&about, &roster, &standing, rows, form.unused),
        }))
    }
}

/// Reads a form's export or a folder of decks for an event.
///
/// # Errors
/// A file that is neither, and columns or times that are ambiguous.
pub(super) fn for_event(
    event: &Event,
    path: &Path,
    settings: &FormSettings,
) -> Result<EventForm, CliError> {
    let name = path.display().to_string();
    let (about, judge) = (&event.about, event.judge());
    let form = if path.is_dir() {
        read_folder(path, settings, judge, about.format.as_deref()).map_err(FormError::from)
    } else {
        let (bytes, sheet, folder) = bytes_of(path)?;
        let (file, _) = crate::table::named(path);
        let own = file.file_name().unwrap_or(file.as_os_str());
        let own = own.to_string_lossy();
        if own.to_lowercase().ends_with(".zip") {
            let form = read_archive(&own, &bytes, settings, judge, about.format.as_deref());
            return form.map_err(|error| refused(&name, &error.into()));
        }
        let bytes = (bytes.as_slice(), sheet.as_deref());
        read_form(&own, bytes, &folder, about, settings, judge)
    };
    form.map_err(|error| refused(&name, &error))
}

fn refused(name: &str, error: &FormError) -> CliError {
    let why = match error {
        FormError::Form(error) => with_help(&error.message, &error.help),
        other => other.to_string(),
    };
    CliError::call(format!("{name}: {why}"))
}

/// A table's bytes, the sheet that is meant, and the folder of files that its cells name.
fn bytes_of(path: &Path) -> Result<(Vec<u8>, Option<String>, PathBuf), CliError> {
    let name = path.display();
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok((bytes, None, PathBuf::from(".")));
    }
    let (file, sheet) = crate::table::named(path);
    if file.is_dir() {
        return Err(CliError::call(format!(
            "{name}: this is a folder; name a form's export, a table"
        )));
    }
    if !file.exists() {
        return Err(CliError::call(format!("{name}: file not found")));
    }
    let bytes = files::read_file(&file)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).to_owned();
    Ok((bytes, sheet, folder))
}

/// What is known of a form apart from its decks.
fn facts(
    about: &About,
    roster: &Roster,
    standing: &Standing,
    rows: u64,
    unused: Vec<UnreadColumn>,
) -> FormFacts {
    let row = |id| {
        let entry = roster.entries.get(&id);
        entry.and_then(|entry| entry.row).unwrap_or_default()
    };
    let mut replaced = Vec::new();
    for own in standing.players.values() {
        let by = own.counting.entry();
        let each = own.replaced.iter().zip(by.iter().cycle());
        replaced.extend(each.map(|(entry, by)| (row(*entry), row(*by))));
    }
    replaced.sort_unstable();
    let due = about.deadline.as_deref().and_then(Deadline::read);
    FormFacts {
        rows,
        players: roster.entries_by_player().len(),
        deadline: due.map(|due| Due {
            at: due.at.to_string(),
            means: about.due_in_words().unwrap_or_default(),
            policy: match about.late {
                Late::Last => "last",
                Late::Beside | Late::Refuse => "beside",
            },
        }),
        replaced,
        unused,
    }
}

impl FormExport {
    /// How reports name it.
    pub(super) fn name(&self) -> String {
        self.name.clone()
    }
}
