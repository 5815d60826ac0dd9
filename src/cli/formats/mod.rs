//! `decklaw formats` and `decklaw explain`: what the games demand, and lint for your own.

mod check;
mod explain;
mod new;

pub(super) use explain::Explain;

use super::options::{ConfigurationOptions, OfFormat, Output, kinds};
use super::output::{self, Text, TextAndJson};
use super::{Answer, CliError, Outcome, Run, inputs, terminal};
use crate::banlist::{Banlist, Status};
use crate::format::{Format, FormatEntry, Game, Remark};
use crate::judge::Judge;
use crate::matches::Setup;
use crate::rules::{Rule, Severity};
use crate::solve::{TASTE, Taste};
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Formats {
    /// List the known games and formats
    #[command(mut_arg("output", kinds::<TextAndJson<'_>>))]
    List {
        #[command(flatten)]
        configured: ConfigurationOptions,
        #[command(flatten)]
        output: Output,
    },
    /// Show a format: rules, sections, settings and advice
    #[command(mut_arg("output", kinds::<Text>), after_help = "Example:\n  decklaw formats show shell")]
    Show {
        /// The format's id
        id: String,
        #[command(flatten)]
        by: OfFormat,
        #[command(flatten)]
        output: Output,
    },
    /// Start a game of your own: a folder with a commented format file, cards, statistics and odds
    #[command(after_help = "Example:\n  decklaw formats new lantern")]
    New {
        /// The new folder; its name is the game's id
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Check your own format files, and stats.yaml, odds.yaml and taste.yaml next to them
    #[command(mut_arg("output", kinds::<Text>), after_help = "Example:\n  decklaw formats check formats/shell")]
    Check {
        /// The files, or the folders of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        output: Output,
    },
}

impl Formats {
    pub(super) fn run(&self, run: &Run) -> Answer {
        match self {
            Formats::New { folder } => new::run(folder, run),
            Formats::List { configured, output } => {
                let judge = inputs::judge(run, &configured.clone().into())?;
                list(&judge, output, run)
            }
            Formats::Show { id, by, output } => {
                let judge = inputs::judge(run, &by.clone().into())?;
                let format = judge.catalogue().format(id)?;
                let shown = show(&judge, &format, run.screen.verbose)?;
                inputs::fitting(run, &judge)?;
                output::emit(run, output, &Text::from(shown))
            }
            Formats::Check { files, output } => check::run(files, output, run),
        }
    }
}

/// Every game known, by id, and what is wrong with others.
fn games(judge: &Judge) -> (Vec<Arc<Game>>, Vec<CliError>) {
    let (mut games, mut wrong) = (Vec::new(), Vec::new());
    for id in judge.catalogue().games() {
        match judge.catalogue().game(id) {
            Ok(game) => games.push(game),
            Err(error) => wrong.push(error.into()),
        }
    }
    (games, wrong)
}

fn list(judge: &Judge, output: &Output, run: &Run) -> Answer {
    let (games, mut wrong) = games(judge);
    let formats: Vec<Format> = games.iter().flat_map(Game::formats).collect();
    let json = || {
        let entry = |format: &Format| {
            let FormatEntry { name, aliases, about, .. } = format.entry();
            json!({"format": format.id(), "game": format.game().id(), "name": name, "aliases": aliases, "about": about})
        };
        let formats: Vec<_> = formats.iter().map(entry).collect();
        Ok(json!({"schema": "decklaw/formats/1", "formats": formats}))
    };
    let human = || {
        let mut table = terminal::table(&["Format", "Game", "What sets it apart"]);
        for format in &formats {
            table.add_row(vec![
                format.id(),
                format.game().file.name.as_str(),
                format.entry().about.as_str(),
            ]);
        }
        run.shown(table)
    };
    let report = TextAndJson { human: &human, json: &json };
    output::emit(run, output, &report)?;
    let last = wrong.pop();
    wrong.iter().for_each(|other| run.complain("error", &other.message));
    last.map_or(Ok(Outcome::Yes), Err)
}

/// A format for people; `verbose` adds what each rule demands, in decklaw's words.
fn show(judge: &Judge, format: &Format, verbose: bool) -> Result<String, CliError> {
    let rulebook = judge.rulebook(format.id())?;
    let game = format.game();
    let mut out = String::new();
    let entry = format.entry();
    let _ = writeln!(out, "{} — {}: {}\n{}", format.id(), game.file.name, entry.name, entry.about);
    if !entry.aliases.is_empty() {
        let aliases: Vec<&str> = entry.aliases.iter().map(|alias| &*alias.value).collect();
        let _ = writeln!(out, "Also called {}.", aliases.join(", "));
    }
    let _ = writeln!(out, "Rules text: {}", game.file.text);
    let sections: Vec<&str> = game.sections().iter().map(|section| section.id.as_str()).collect();
    let sections = if sections.is_empty() {
        "whatever the deck names".to_owned()
    } else {
        sections.join(", ")
    };
    let _ = writeln!(out, "Sections: {sections}");
    let fields: Vec<&str> = game.fields().iter().map(|field| field.name.as_str()).collect();
    if !fields.is_empty() {
        let _ = writeln!(out, "Card fields: name, {}", fields.join(", "));
    }
    out.push_str("\nRules\n");
    let says = |rule: &&Rule| rulebook.list().is_none_or(|list| says(list, rule.kind));
    for rule in rulebook.rules().iter().filter(says) {
        let severity = match rule.severity {
            Severity::Error => "",
            Severity::Warning => " (advice)",
            Severity::Notice => " (notice)",
        };
        let source = if rule.source.is_empty() { "every game" } else { &rule.source };
        let mut text = rule.about.clone();
        if verbose {
            text = format!("{text} {}", rule.demand());
        }
        item(&mut out, &format!("{}{severity}", rule.id), &format!("{text} [{source}]"));
    }
    for entry in explain::rules_of(format) {
        if explain::compiled(&rulebook, entry).is_none() {
            let head = format!("{} (only with {})", entry.id.value, explain::values(entry));
            item(&mut out, &head, &format!("{} [{}]", entry.about, entry.source));
        }
    }
    if !game.file.settings.is_empty() {
        out.push_str("\nSettings that the rules text leaves open (--set NAME=VALUE)\n");
        let values = rulebook.settings();
        for setting in &game.file.settings {
            let name = setting.name.value.as_str();
            let value = match values.get(name) {
                Some(crate::game::SettingValue::Number(number)) => number.to_string(),
                Some(crate::game::SettingValue::Word(word)) => word.clone(),
                None => "not given".to_owned(),
            };
            let choices = match setting.choices.as_slice() {
                [] => String::new(),
                choices => format!(" One of {}.", choices.join(", ")),
            };
            item(&mut out, name, &format!("{}{choices} Now: {value}.", setting.about));
        }
    }
    if let Some(setup) = Setup::of_format(format)?.filter(|setup| !setup.settings.is_empty()) {
        out.push_str("\nSettings of a match (`match new --set NAME=NUMBER`)\n");
        for (name, setting) in &setup.settings {
            item(&mut out, name, &format!("Must be given: {}.", setting.why));
        }
    }
    if let Some((name, bytes)) = judge.game_file(game.id(), TASTE) {
        let taste = Taste::of_file(&name, bytes)?;
        let mut aims = taste.aims(format.id()).peekable();
        if aims.peek().is_some() {
            out.push_str(
                "\nAims for decks: advice, not rules (`build` tries to meet them, in this order)\n",
            );
        }
        for aim in aims {
            let text = format!("{} [{}]", aim.because, aim.source);
            item(&mut out, &aim.wish.value, &text);
        }
    }
    remarks(&mut out, "Permitted expressly", &game.file.allowed);
    remarks(&mut out, "What no software can check", &game.file.unchecked);
    remarks(&mut out, "Left open by the rules text", &game.file.gaps);
    Ok(out)
}

fn item(out: &mut String, head: &str, text: &str) {
    let _ = writeln!(out, "  {head}");
    paragraph(out, text);
}

fn paragraph(out: &mut String, text: &str) {
    for line in terminal::wrapped(text, terminal::width().saturating_sub(6)) {
        let _ = writeln!(out, "      {line}");
    }
}

fn remarks(out: &mut String, title: &str, remarks: &[Remark]) {
    if remarks.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}");
    for remark in remarks {
        for (at, line) in terminal::wrapped(
            &format!("{} [{}]", remark.about, remark.source),
            terminal::width() - 4,
        )
        .iter()
        .enumerate()
        {
            let _ = writeln!(out, "  {} {line}", if at == 0 { "-" } else { " " });
        }
    }
}

/// Whether a rule of lists, by its kind, could find anything by this one; of other rules that is
/// so.
fn says(list: &Banlist, kind: &str) -> bool {
    let any = |is_it: fn(&Status) -> bool| list.entries.iter().any(|entry| is_it(&entry.status));
    match kind {
        "banned" => any(|status| matches!(status, Status::Banned)),
        "restricted" => any(|status| matches!(status, Status::Restricted(_))),
        "points-list" => any(|status| matches!(status, Status::Points(_))),
        _ => true,
    }
}
