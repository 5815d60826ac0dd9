//! `decklaw banlist`: dated lists.

mod fetch;
pub(super) mod lock;

use super::options::{Configured, Day, Output, Pool, kinds};
use super::output::{self, Text, TextAndJson};
use super::{Answer, Refusal, Run, inputs, terminal};
use crate::banlist::{Banlist, CellEdit, Count, Entry, Group, Listed, Per, diff, in_force, lint};
use crate::judge::Judge;
use crate::origin::Given;
use crate::yaml::{FileError, Spanned};
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
    #[command(mut_arg("output", kinds::<TextAndJson<'_>>))]
    Show {
        /// The list's id or file
        list: String,
        #[command(flatten)]
        day: Day,
        #[command(flatten)]
        output: Output,
    },
    /// Show what changes from one list to another
    #[command(mut_arg("output", kinds::<TextAndJson<'_>>))]
    Diff {
        /// The old list's id or file
        old: String,
        /// The new list's id or file
        new: String,
        #[command(flatten)]
        configured: Configured,
        #[command(flatten)]
        output: Output,
    },
    /// Check your own lists against the game's cards
    #[command(mut_arg("output", kinds::<Text>), mut_arg("format", |arg| arg.requires("cards")))]
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
                let list = inputs::banlist(run, list, judge.lists())?;
                show(&list.as_of(judge.day()), output, run)
            }
            Lists::Diff {
                old,
                new,
                configured,
                output,
            } => {
                let judge = inputs::judge(run, &configured.clone().into())?;
                let (old, new) = (
                    inputs::banlist(run, old, judge.lists())?,
                    inputs::banlist(run, new, judge.lists())?,
                );
                if old.game != new.game {
                    return Err(Refusal(format!(
                        "{} is for {} and {} for {}",
                        old.id, old.game, new.id, new.game
                    )));
                }
                changes(&old, &new, output, run)
            }
            Lists::Check {
                files,
                pool,
                output,
            } => check(
                &inputs::judge(run, &pool.clone().into())?,
                files,
                output,
                run,
            ),
            Lists::Fetch(command) => command.run(run),
            Lists::Lock(command) => command.run(run),
        }
    }
}

/// Those of some lists that are not built in.
fn given<'l>(lists: impl IntoIterator<Item = &'l Banlist>) -> Vec<Given> {
    let given = lists.into_iter().filter_map(|list| {
        let (name, digest) = (list.shown(), &list.sha256);
        Given::file(&list.game, "banlist", &name, digest, &list.origin)
    });
    given.collect()
}

fn list(judge: &Judge, output: &Output, run: &Run) -> Answer {
    let lists = judge
        .lists()
        .all()
        .map_err(|error| inputs::explain(&error))?;
    let state = |list: &Banlist| {
        let force = |format: Option<&str>| {
            let current = in_force(&lists, &list.game, format, judge.day());
            current
                .ok()
                .flatten()
                .is_some_and(|current| current.sha256 == list.sha256)
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
    let given = given(lists.iter().map(|list| &**list));
    let json = || {
        let entry = |list: &std::sync::Arc<Banlist>| {
            json!({"id": list.id, "game": list.game, "formats": formats(list), "name": list.name, "effective": list.effective.to_string(),
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
    let report = TextAndJson {
        human: &human,
        json: &json,
    };
    output::emit(run, output, &report, &given)
}

fn show(list: &Banlist, output: &Output, run: &Run) -> Answer {
    let given = given([list]);
    let human = || {
        let mut out = format!("{} — {} ({})\n", list.id, list.name, list.scope());
        if let Some(day) = list.announced {
            let _ = writeln!(out, "Announced {day}");
        }
        let until = list
            .ends
            .map_or_else(String::new, |day| format!(" until {day}"));
        let _ = writeln!(out, "Effective from {}{until}", list.effective);
        if let Some(source) = &list.source {
            let _ = writeln!(out, "Published at {source}");
        }
        if list.sample {
            let _ = writeln!(out, "A sample: it applies only when it is named.");
        }
        if let Some(limit) = list.points_limit {
            let each = match list.points_per {
                Per::Copy => "",
                Per::Card => ", each card once",
            };
            let _ = writeln!(
                out,
                "At most {}{each}",
                crate::text::counted(limit, "point")
            );
        }
        if let Some(by) = &list.by {
            let _ = writeln!(out, "Cards of one {} are one card.", by.value);
        }
        for entry in &list.entries {
            let scope = if entry.sections.is_empty() {
                String::new()
            } else {
                format!(" in {}", entry.sections.join(", "))
            };
            let _ = writeln!(out, "  {}: {}{scope}", entry.shown(), entry.status);
        }
        for group in &list.groups {
            let _ = writeln!(out, "  {}", group.words());
        }
        for change in &list.changes {
            let _ = writeln!(out, "  {}: {}", change.listed.shown(), change.words());
        }
        if let Some(rotation) = &list.rotation {
            let by = rotation.by.as_ref();
            let by = by.map_or_else(String::new, |by| format!(", all of one {} alike", by.value));
            let _ = writeln!(out, "By {}{by}, as of {}", rotation.field.value, list.day);
            for set in &rotation.sets {
                let state = if set.covers(list.day) {
                    "legal"
                } else {
                    "not legal"
                };
                let days = match set.days().as_str() {
                    "" => String::new(),
                    days => format!(" ({days})"),
                };
                let _ = writeln!(out, "  {}: {state}{days}", set.name);
            }
            let others = if rotation.others {
                "legal"
            } else {
                "not legal"
            };
            let _ = writeln!(out, "  every other {}: {others}", rotation.field.value);
        }
        crate::text::harmless(&out, true).into_owned()
    };
    let report = TextAndJson {
        human: &human,
        json: &|| Ok(json_of(list)),
    };
    output::emit(run, output, &report, &given)
}

/// The formats that a list is for; none: all of its game.
fn formats(list: &Banlist) -> Vec<&str> {
    list.formats.iter().map(|id| id.value.as_str()).collect()
}

fn json_of(list: &Banlist) -> serde_json::Value {
    let name = |one: &Listed| match one.query {
        true => json!({"cards": one.name, "line": one.line}),
        false => json!({"name": one.name, "line": one.line}),
    };
    let names = |all: &[Listed]| all.iter().map(name).collect::<Vec<_>>();
    let entry = |entry: &Entry| {
        let mut of = json!({"name": entry.name, "status": entry.status.to_string(),
            "sections": entry.sections, "line": entry.line});
        if entry.query {
            of["query"] = json!(true);
        }
        of
    };
    let entries: Vec<_> = list.entries.iter().map(entry).collect();
    let mut shown = json!({"schema": "decklaw/banlist-show/1", "id": list.id, "game": list.game, "formats": formats(list), "name": list.name,
        "effective": list.effective.to_string(), "points_limit": list.points_limit, "entries": entries});
    if let Some(by) = &list.by {
        shown["by"] = json!(by.value);
    }
    if !list.groups.is_empty() {
        let group = |group: &Group| {
            let most = group.not_with.is_empty().then_some(group.at_most);
            json!({"cards": names(&group.cards), "not_with": names(&group.not_with), "at_most": most,
                "count": if group.count == Count::Cards { "cards" } else { "copies" },
                "called": group.called, "sections": group.sections, "line": group.line})
        };
        shown["groups"] = list.groups.iter().map(group).collect();
    }
    if !list.changes.is_empty() {
        let change = |change: &crate::banlist::CellChange| {
            let field = |(field, edit): &(String, Spanned<CellEdit>)| match &edit.value {
                CellEdit::Set(text) => json!({"field": field, "set": text}),
                CellEdit::Add(number) => json!({"field": field, "add": number}),
            };
            let mut of = name(&change.listed);
            of["fields"] = change.fields.iter().map(field).collect();
            of
        };
        shown["changes"] = list.changes.iter().map(change).collect();
    }
    if let Some(rotation) = &list.rotation {
        let day = |day: Option<jiff::civil::Date>| day.map(|day| day.to_string());
        let set = |set: &crate::banlist::DatedSet| {
            json!({"name": set.name, "from": day(set.from), "until": day(set.until),
                "legal": set.covers(list.day), "line": set.line})
        };
        let sets: Vec<_> = rotation.sets.iter().map(set).collect();
        shown["rotation"] = json!({"field": rotation.field.value, "as_of": list.day.to_string(),
            "sets": sets, "others": rotation.others});
        if let Some(by) = &rotation.by {
            shown["rotation"]["by"] = json!(by.value);
        }
    }
    shown
}

fn changes(old: &Banlist, new: &Banlist, output: &Output, run: &Run) -> Answer {
    let changes = diff(old, new);
    let given = given([old, new]);
    let json = || {
        Ok(
            json!({"schema": "decklaw/banlist-diff/1", "old": old.id, "new": new.id, "changes": changes}),
        )
    };
    let human = || {
        if changes.is_empty() {
            return format!("{} and {} say the same.\n", old.id, new.id);
        }
        let mut out = format!(
            "From {} to {}, effective {}\n",
            old.id, new.id, new.effective
        );
        for (kind, title) in [
            ("banned", "Newly banned"),
            ("freed", "Freed"),
            ("changed", "Changed"),
        ] {
            let mut of_kind = changes
                .iter()
                .filter(|change| change.kind == kind)
                .peekable();
            if of_kind.peek().is_some() {
                let _ = writeln!(out, "{title}");
            }
            for change in of_kind {
                let _ = writeln!(out, "  {change}");
            }
        }
        crate::text::harmless(&out, true).into_owned()
    };
    let report = TextAndJson {
        human: &human,
        json: &json,
    };
    output::emit(run, output, &report, &given)
}

/// How much a list says.
fn said(list: &Banlist) -> String {
    let queries = list.listed().filter(|one| one.query).count();
    let sets = list
        .rotation
        .as_ref()
        .map_or(0, |rotation| rotation.sets.len());
    let counts = [
        (list.listed().count() - queries, "card"),
        (queries, "query"),
        (list.groups.len(), "group"),
        (sets, "set"),
    ];
    let counts: Vec<String> = counts
        .into_iter()
        .enumerate()
        .filter(|(at, (number, _))| *at == 0 || *number > 0)
        .map(|(_, (number, noun))| crate::text::counted(number as i64, noun))
        .collect();
    crate::text::listed(&counts, "and")
}

fn check(judge: &Judge, files: &[PathBuf], output: &Output, run: &Run) -> Answer {
    let (mut is_well, mut out) = (true, String::new());
    for path in files {
        let name = path.display().to_string();
        let found = Banlist::read(&name, &inputs::read_file(run, path)?).and_then(|list| {
            let game = match judge.catalogue().game(&list.game) {
                Err(crate::format::CatalogueError::File(error)) => return Err(error),
                game => game,
            };
            let Ok(game) = game else {
                let at = list.text.find("game:").unwrap_or(0);
                let message = format!("there is no game `{}`", list.game);
                let problems = vec![crate::yaml::Problem::new(
                    message,
                    crate::text::Span::new(at, at + 4),
                )];
                return Err(FileError {
                    name: name.clone(),
                    text: list.text,
                    problems,
                });
            };
            let sections: Vec<&str> = game
                .sections()
                .iter()
                .map(|section| section.id.as_str())
                .collect();
            let formats = game.formats();
            let formats: Vec<&str> = formats.iter().map(|format| format.id()).collect();
            judge
                .given_rules(game.id())
                .into_iter()
                .for_each(|given| judge.names(given));
            let problems = match judge.pool(&game) {
                Ok(pool) => {
                    let cards = judge.given_cards(game.id(), &pool);
                    cards.into_iter().for_each(|given| judge.names(given));
                    lint(&list, &pool, &sections, &formats)
                }
                Err(error) => vec![crate::yaml::Problem::new(
                    super::answer::message(&error),
                    Default::default(),
                )],
            };
            if problems.is_empty() {
                return Ok(list);
            }
            Err(FileError {
                name: name.clone(),
                text: list.text,
                problems,
            })
        });
        let text = match found {
            Ok(list) => format!("{name}: in order, {}\n", said(&list)),
            Err(error) => {
                is_well = false;
                inputs::explain(&error).0 + "\n"
            }
        };
        out.push_str(&run.tame(&text));
    }
    // The lists are what is checked; this is what they are held against.
    out.push_str(&output::foot(&judge.given_so_far()));
    let text = Text { text: out, is_well };
    output::emit(run, output, &text, &[])
}
