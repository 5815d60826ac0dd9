//! `event import`: imports decks that were submitted elsewhere.

use super::super::options::{Dates, Output, kinds};
use super::super::output::{Text, emit};
use super::super::{Answer, CliError, Outcome, Run, files, form, inputs, terminal};
use super::{Folder, organiser, shown};
use crate::event::{EntryId, Event, Form, FormSettings, Preview, read_people};
use crate::submissions::TimeOrder;
use crate::text::{counted, escape_control};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// Import decks from a form's export or a folder
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<Text>),
    after_help = "Examples:\n  decklaw event import autumn docs/evening/form.csv\n  decklaw event import autumn docs/evening/form.csv docs/evening/abend.csv --yes\n  decklaw event import autumn docs/evening/players.csv --players\n  decklaw event import autumn docs/evening/ben-cole.txt --replaces e002 --why \"a card was misprinted\"\n\nImport a newer export again at any time: only new rows are added."
)]
pub(in super::super) struct Import {
    #[command(flatten)]
    folder: Folder,
    /// CSV, XLSX, ODS (FILE.xlsx#SHEET), a folder or ZIP of decks, or -
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Import without asking
    #[arg(long)]
    yes: bool,
    /// The files list the expected players
    #[arg(long, conflicts_with_all = ["dates", "at"])]
    players: bool,
    /// The file is the deck that counts instead of this entry, whenever it comes
    #[arg(long, value_name = "ENTRY", requires = "why", conflicts_with_all = ["players", "columns", "dates", "at"])]
    replaces: Option<EntryId>,
    /// Why it does
    #[arg(long, value_name = "TEXT", requires = "replaces")]
    why: Option<String>,
    /// Columns for player, id, deck (or deck.SECTION), time and format
    #[arg(long, value_name = "ROLE=COLUMN,…")]
    columns: Vec<String>,
    /// The order of dates in the form
    #[arg(long, value_name = "ORDER")]
    dates: Option<Dates>,
    /// Time of decks without one [default: now]
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Import {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let mut event = self.folder.open()?;
        super::warn_of_lists(run, &event)?;
        if self.players {
            return self.expect(run, &mut event);
        }
        if let Some((entry, why)) = self.replaces.zip(self.why.clone()) {
            return self.replace(run, &mut event, entry, why);
        }
        let settings = self.settings(&event)?;
        let mut forms = Vec::new();
        for path in &self.files {
            forms.push(form::for_event(&event, path, &settings)?);
        }
        let (mut out, mut new) = (String::new(), 0);
        for (form, preview) in forms.iter().zip(event.preview(&forms)) {
            new += preview.new;
            describe(&mut out, &event, form, &preview, run.screen.verbose);
        }
        if new == 0 {
            return emit(run, &self.output, &Text::from(out + "nothing new\n"));
        }
        if !self.yes {
            let asks = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
            if !asks || !self.agreed(run, &out)? {
                if !asks {
                    emit(run, &self.output, &Text::from(out))?;
                }
                run.complain("note", "nothing was imported; `--yes` imports it");
                return Ok(Outcome::No);
            }
            out.clear();
        }
        for form in &forms {
            event.import("import", form)?;
        }
        let standing = event.standing()?;
        let counting = i64::try_from(standing.counting().count()).unwrap_or(i64::MAX);
        let _ = write!(out, "imported: {} in the event", counted(counting, "deck"));
        let folder = shown(&self.folder.folder);
        let _ = match standing.questions.len() {
            0 => writeln!(out),
            asked => writeln!(out, ", {asked} to ask about: `decklaw event status {folder}`"),
        };
        emit(run, &self.output, &Text::from(out))
    }

    /// Whether somebody at a terminal wants it.
    fn agreed(&self, run: &Run, preview: &str) -> Result<bool, CliError> {
        terminal::print((run.printable(preview) + "Import? [y/N] ").as_bytes())?;
        let _ = std::io::stdout().flush();
        let mut line = String::new();
        std::io::stdin().read_line(&mut line)?;
        Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    fn settings(&self, event: &Event) -> Result<FormSettings, CliError> {
        let at = self.at.as_deref().map(|text| event.about.time(text));
        let at = at.transpose()?;
        Ok(FormSettings {
            columns: self.columns.clone(),
            dates: self.dates.map(TimeOrder::from),
            at,
        })
    }

    fn replace(&self, run: &Run, event: &mut Event, entry: EntryId, why: String) -> Answer {
        let [path] = self.files.as_slice() else {
            return Err(CliError::call("`--replaces` takes one file, the corrected deck"));
        };
        let deck = inputs::DeckBytes::open(run, path, None)?.bytes;
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let new = event.replace(&organiser(None), entry, (&deck, file), why)?;
        let known = event.roster().entries.get(&new);
        let verdict = match known {
            Some(known) => event.report(&event.standing()?, known)?.0.verdict.word(),
            None => "",
        };
        let said = format!("{new} counts instead of {entry}: {verdict}\n");
        emit(run, &self.output, &Text::from(said))
    }

    fn expect(&self, run: &Run, event: &mut Event) -> Answer {
        let mut out = String::new();
        for path in &self.files {
            let (bytes, sheet) = files::read_table(path)?;
            let people = read_people(&bytes, sheet.as_deref(), &self.columns);
            let people =
                people.map_err(|error| CliError::call(format!("{}: {error}", shown(path))))?;
            let (new, notes) = event.expect("import", &shown(path), &people)?;
            let _ = writeln!(out, "{}: {} on the list, {new} new", shown(path), people.len());
            for note in notes {
                run.complain("note", &note);
            }
        }
        emit(run, &self.output, &Text::from(out))
    }
}

/// What an import would do.
fn describe(out: &mut String, event: &Event, form: &Form, preview: &Preview, verbose: bool) {
    /// Without `-v`, this many rows are printed.
    const MOST: usize = 8;
    // Writing to a string cannot fail; so below.
    let _ = writeln!(out, "{}: {}", form.name, escape_control(&form.read_as, false));
    let unused = form.unused.iter().map(ToString::to_string);
    for note in form.notes.iter().cloned().chain(unused) {
        let _ = writeln!(out, "  {}", escape_control(&note, false));
    }
    let _ = writeln!(out, "  {}", preview.in_words());
    let remarks = preview.remarks(event.roster());
    let shown = if verbose { remarks.len() } else { MOST };
    for remark in remarks.iter().take(shown) {
        let _ = writeln!(out, "  {}", escape_control(remark, false));
    }
    if remarks.len() > shown {
        let _ = writeln!(out, "  and {} more; `-v` shows them", remarks.len() - shown);
    }
}
