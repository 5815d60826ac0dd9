//! `decklaw banlist`: dated lists.

mod fetch;
pub(super) mod lock;

use super::options::{ConfigurationOptions, Day, Output, Pool, kinds};
use super::output::{self, Text, TextAndJson};
use super::{Answer, CliError, Run, files, inputs, terminal};
use crate::banlist::{Banlist, diff, in_force};
use crate::judge::Judge;
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Lists {
    /// List the known banlists, and which of them are in force
    #[command(mut_arg("output", kinds::<TextAndJson<'_>>))]
    List {
        #[command(flatten)]
        day: Day,
        #[command(flatten)]
        output: Output,
    },
    /// Show a list
    #[command(
        mut_arg("output", kinds::<TextAndJson<'_>>),
        after_help = "Example:\n  decklaw banlist show vainqueur-sample-2026-07"
    )]
    Show {
        /// The list's id or file
        list: String,
        #[command(flatten)]
        day: Day,
        #[command(flatten)]
        output: Output,
    },
    /// Show what changes from one list to another
    #[command(
        mut_arg("output", kinds::<TextAndJson<'_>>),
        after_help = "Example:\n  decklaw banlist diff vainqueur-sample-2026-01 vainqueur-sample-2026-07"
    )]
    Diff {
        /// The old list's id or file
        old: String,
        /// The new list's id or file
        new: String,
        #[command(flatten)]
        configured: ConfigurationOptions,
        #[command(flatten)]
        output: Output,
    },
    /// Check your own lists against the game's cards
    #[command(
        mut_arg("output", kinds::<Text>),
        mut_arg("format", |arg| arg.requires("cards")),
        after_help = "Example:\n  decklaw banlist check banlists/vainqueur/sample-2026-07.yaml"
    )]
    Check {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        pool: Pool,
        #[command(flatten)]
        output: Output,
    },
    /// Fetch lists from the web; the last good copy is kept
    Fetch(fetch::Fetch),
    /// Lock the lists, rules and cards of an event, for `check --locked`
    Lock(lock::Locking),
}

impl Lists {
    pub(super) fn run(&self, run: &Run) -> Answer {
        match self {
            Lists::List { day, output } => {
                list(&inputs::judge(run, &day.clone().into())?, output, run)
            }
            Lists::Show { list, day, output } => {
                let judge = inputs::judge(run, &day.clone().into())?;
                let list = inputs::banlist(list, judge.lists())?;
                show(&list.as_of(judge.day()), output, run)
            }
            Lists::Diff { old, new, configured, output } => {
                let judge = inputs::judge(run, &configured.clone().into())?;
                let (old, new) =
                    (inputs::banlist(old, judge.lists())?, inputs::banlist(new, judge.lists())?);
                if old.game != new.game {
                    return Err(CliError::call(format!(
                        "{} is for {} and {} for {}",
                        old.id, old.game, new.id, new.game
                    )));
                }
                // A list may be for a game that is not there.
                let Ok(game) = judge.catalogue().game(&old.game) else {
                    return changes(&old, &new, output, run);
                };
                let pool = judge.pool(&game)?;
                changes(&old.spelt_as_in(&pool), &new.spelt_as_in(&pool), output, run)
            }
            Lists::Check { files, pool, output } => {
                check(&inputs::judge(run, &pool.clone().into())?, files, output, run)
            }
            Lists::Fetch(command) => command.run(run),
            Lists::Lock(command) => command.run(run),
        }
    }
}

fn list(judge: &Judge, output: &Output, run: &Run) -> Answer {
    let lists = judge.lists().all()?;
    let state = |list: &Banlist| {
        let force = |format: Option<&str>| {
            let current = in_force(&lists, &list.game, format, judge.day());
            current.ok().flatten().is_some_and(|current| current.sha256 == list.sha256)
        };
        let mut own = list.formats.iter().map(|id| Some(id.value.as_str()));
        if list.sample {
            "sample: only when named"
        } else if force(None) || own.any(force) {
            "in force"
        } else {
            "not in force"
        }
    };
    let day = |day: Option<jiff::civil::Date>| day.map_or_else(String::new, |day| day.to_string());
    let json = || {
        let entry = |list: &std::sync::Arc<Banlist>| {
            json!({"id": list.id, "game": list.game, "formats": list.format_ids(), "name": list.name, "effective": list.effective.to_string(),
                "ends": list.ends.map(|day| day.to_string()), "sample": list.sample, "state": state(list), "sha256": list.sha256, "from": list.origin.publisher()})
        };
        let lists: Vec<_> = lists.iter().map(entry).collect();
        Ok(
            json!({"schema": "decklaw/banlists/1", "as_of": judge.day().to_string(), "lists": lists}),
        )
    };
    let human = || {
        let mut table = terminal::table(&["Id", "Game", "Effective", "Ends", "State"]);
        for list in &lists {
            table.add_row(vec![
                list.id.clone(),
                list.scope(),
                list.effective.to_string(),
                day(list.ends),
                state(list).to_owned(),
            ]);
        }
        run.shown(table)
    };
    let report = TextAndJson { human: &human, json: &json };
    output::emit(run, output, &report)
}

fn show(list: &Banlist, output: &Output, run: &Run) -> Answer {
    let report = TextAndJson { human: &|| list.text_for_people(), json: &|| Ok(list.to_json()) };
    output::emit(run, output, &report)
}

fn changes(old: &Banlist, new: &Banlist, output: &Output, run: &Run) -> Answer {
    let changes = diff(old, new);
    let json = || {
        Ok(
            json!({"schema": "decklaw/banlist-diff/1", "old": old.id, "new": new.id, "changes": changes}),
        )
    };
    let human = || {
        if changes.is_empty() {
            return format!("{} and {} say the same.\n", old.id, new.id);
        }
        let mut out = format!("From {} to {}, effective {}\n", old.id, new.id, new.effective);
        for (kind, title) in
            [("banned", "Newly banned"), ("freed", "Freed"), ("changed", "Changed")]
        {
            let mut of_kind = changes.iter().filter(|change| change.kind == kind).peekable();
            if of_kind.peek().is_some() {
                let _ = writeln!(out, "{title}");
            }
            for change in of_kind {
                let _ = writeln!(out, "  {change}");
            }
        }
        crate::text::escape_control(&out, true).into_owned()
    };
    let report = TextAndJson { human: &human, json: &json };
    output::emit(run, output, &report)
}

fn check(judge: &Judge, files: &[PathBuf], output: &Output, run: &Run) -> Answer {
    let (mut is_ok, mut out) = (true, String::new());
    for path in files {
        let name = path.display().to_string();
        let text = match judge.check_list(&name, &files::read_file(path)?) {
            Ok((list, notes)) => {
                for note in notes {
                    run.complain("note", &format!("{name}: {note}"));
                }
                format!("{name}: ok, {}\n", list.size_in_words())
            }
            Err(error) => {
                is_ok = false;
                CliError::from(error).message + "\n"
            }
        };
        out.push_str(&run.printable(&text));
    }
    inputs::fitting(run, judge)?;
    let text = Text { text: out, is_ok };
    output::emit(run, output, &text)
}
