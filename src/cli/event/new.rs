//! `event new`: opens an event.

use super::super::banlist::lock;
use super::super::options::{Judging, Settled};
use super::super::{Answer, CliError, Outcome, Run, files, inputs, terminal};
use super::shown;
use crate::event::{About, Event, Late, read_people};
use jiff::tz::TimeZone;
use std::path::PathBuf;

/// Create an event: a folder with its rules locked
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  decklaw event new autumn --format vainqueur --deadline 2026-08-01T18:00 --players docs/evening/players.csv"
)]
pub(in super::super) struct New {
    /// The new folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The name of the event
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// When decks are due, such as 2026-08-01T18:00 or 2026-08-01
    #[arg(long, value_name = "TIME")]
    deadline: Option<String>,
    /// Time zone of the deadline [default: this machine's]
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// How to treat decks submitted after the deadline
    #[arg(long, value_name = "POLICY")]
    late: Option<Policy>,
    /// Expected players: one name per line, or a table
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,
    /// The format of all decks; `each`: every deck names its own
    #[arg(long, value_name = "ID", help_heading = "Common options")]
    format: Option<String>,
    #[command(flatten)]
    settled: Settled,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Policy {
    // They wait for your word
    Beside,
    // The desk takes none
    Refuse,
    // The last deck counts
    Last,
}

impl New {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let format = match self.format.as_deref() {
            Some("each") => None,
            Some(format) => Some(format.to_owned()),
            None => {
                return Err(CliError::call(
                    "an event needs the format of its decks; use `--format ID`, or `--format each` if every deck names its own",
                ));
            }
        };
        let judging = Judging::from(self.settled.clone()).of(format.as_deref());
        let folder = self.folder.file_name().unwrap_or(self.folder.as_os_str());
        let own = folder.to_string_lossy().into_owned();
        let zone = self.zone.clone().unwrap_or_else(|| {
            let zone = TimeZone::system();
            zone.iana_name().unwrap_or("UTC").to_owned()
        });
        let mut about = About {
            name: self.name.clone().unwrap_or(own),
            format,
            day: judging.as_of().map(|day| day.to_string()),
            deadline: self.deadline.clone(),
            zone,
            late: match self.late {
                None | Some(Policy::Beside) => Late::Beside,
                Some(Policy::Refuse) => Late::Refuse,
                Some(Policy::Last) => Late::Last,
            },
        };
        about.check()?;
        let players = self.players.as_deref().map(|path| {
            let (bytes, sheet) = files::read_table(path)?;
            let people = read_people(&bytes, sheet.as_deref(), &[]);
            people.map_err(|error| CliError::call(format!("{}: {error}", shown(path))))
        });
        let players = players.transpose()?.unwrap_or_default();
        let mut open: Vec<String> = Vec::new();
        let games = match &about.format {
            Some(format) => {
                let judge = inputs::judge(run, &judging)?;
                let rulebook = judge.rulebook(format)?;
                about.format = Some(rulebook.format().id().to_owned());
                let known = rulebook.settings();
                let settings = rulebook.format().game().file.settings.iter();
                let names = settings.map(|setting| setting.name.value.clone());
                open.extend(names.filter(|name| !known.contains_key(name.as_str())));
                vec![rulebook.format().game().id().to_owned()]
            }
            None => Vec::new(),
        };
        let lock = lock::made(&inputs::judge(run, &judging)?, &games)?;
        let text = lock.text();
        let mut event = Event::create(&self.folder, &about, &text)?;
        let list = self.players.as_deref().map(shown).unwrap_or_default();
        let (expected, notes) = event.expect("import", &list, &players)?;
        for note in notes {
            run.complain("note", &note);
        }
        super::warn_of_lists(run, &event)?;
        let folder = shown(&self.folder);
        let mut out = format!("{folder}: {} is open\n", about.name);
        let due = about.due_in_words();
        out.push_str(&match due {
            Some(due) => format!("  decks are due {due}\n"),
            None => "  no deadline\n".to_owned(),
        });
        for (game, list) in &lock.lists {
            let list = list.as_ref().map_or("no list".to_owned(), |list| {
                format!("{} (effective {})", list.id, list.effective)
            });
            out.push_str(&format!("  {game}: {list}\n"));
        }
        if !open.is_empty() {
            out.push_str(&format!(
                "  not set: {}; a new event takes `--set NAME=VALUE`\n",
                crate::text::listed(&open, "and")
            ));
        }
        out.push_str(&format!("  locked for {}, seal {}\n", lock.day, lock.seal));
        if expected > 0 {
            let number = i64::try_from(expected).unwrap_or(i64::MAX);
            out.push_str(&format!("  {} expected\n", crate::text::counted(number, "player")));
        }
        out.push_str(&format!(
            "`decklaw event import {folder} FORM` imports decks, `decklaw serve --event {folder}` opens its page\n"
        ));
        let out = run.printable(&out);
        terminal::print(out.as_bytes())?;
        Ok(Outcome::Yes)
    }
}
