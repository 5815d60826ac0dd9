//! `decklaw formats` and `decklaw explain`: what the games demand, and lint for your own.

use super::output::{self, Form};
use super::{Answer, Options, Outcome, Refusal, inputs, odds, stats, terminal, uses, wishes};
use crate::format::{Format, FormatEntry, Game, Remark, RuleEntry, Rulebook};
use crate::judge::Judge;
use crate::matches::Setup;
use crate::odds::{OddsDefaults, Population};
use crate::pool::Pool;
use crate::rules::Severity;
use crate::solve::Taste;
use crate::yaml::FileError;
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Formats {
    /// The games and formats known here
    List,
    /// All that a format demands, permits and leaves open
    Show {
        /// The format's id
        id: String,
    },
    /// A game of your own to begin with: a folder with a format file, cards, statistics and odds
    New(super::maker::New),
    /// Check format files of your own, and stats.yaml, odds.yaml, taste.yaml and paper.yaml beside them
    Check {
        /// The files, or the folders of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw explain points\n  decklaw explain shell/points\n  decklaw explain queries"
)]
pub(super) struct Explain {
    /// A rule's id, or FORMAT/RULE; `queries`: the language of card and hand queries
    rule: String,
}

impl Formats {
    pub(super) fn run(&self, options: &Options) -> Answer {
        let judge = || inputs::judge(options);
        match self {
            Formats::New(new) => new.run(options),
            Formats::List => list(&judge()?, options),
            Formats::Show { id } => {
                let judge = judge()?;
                let format = judge
                    .catalogue()
                    .format(id)
                    .map_err(|error| inputs::refuse(&error.into()))?;
                let shown = show(&judge, &format)?;
                inputs::fitting(&judge)?;
                output::answer(options, &output::TEXT, |()| Ok(shown.clone()))?;
                Ok(Outcome::Yes)
            }
            Formats::Check { files } => check(files, options),
        }
    }
}

/// Every game known, by id.
fn games(judge: &Judge) -> Result<Vec<Arc<Game>>, Refusal> {
    let games = judge.catalogue().games();
    games
        .map(|id| {
            judge
                .catalogue()
                .game(id)
                .map_err(|error| inputs::refuse(&error.into()))
        })
        .collect()
}

fn list(judge: &Judge, options: &Options) -> Answer {
    let mut formats: Vec<Format> = Vec::new();
    for game in games(judge)? {
        formats.extend(game.formats());
    }
    output::answer(options, &output::FORMS, |form| {
        Ok(if form == Form::Json {
            let entry = |format: &Format| {
                let FormatEntry {
                    name,
                    aliases,
                    about,
                    ..
                } = format.entry();
                json!({"format": format.id(), "game": format.game().id(), "name": name, "aliases": aliases, "about": about})
            };
            let formats: Vec<_> = formats.iter().map(entry).collect();
            let mut given = Vec::new();
            for game in judge.catalogue().games() {
                given.extend(judge.given_rules(game));
            }
            super::json_text(
                &json!({"schema": "decklaw/formats/1", "formats": formats, "inputs": given}),
            )?
        } else {
            let mut table = terminal::table(&["Format", "Game", "What sets it apart"]);
            for format in &formats {
                table.add_row(vec![
                    format.id(),
                    format.game().file.name.as_str(),
                    format.entry().about.as_str(),
                ]);
            }
            terminal::shown(&table)
        })
    })?;
    Ok(Outcome::Yes)
}

fn show(judge: &Judge, format: &Format) -> Result<String, Refusal> {
    let rulebook = judge
        .rulebook(format.id())
        .map_err(|error| inputs::refuse(&error))?;
    let game = format.game();
    let mut out = String::new();
    let entry = format.entry();
    let _ = writeln!(
        out,
        "{} — {}: {}\n{}",
        format.id(),
        game.file.name,
        entry.name,
        entry.about
    );
    if !entry.aliases.is_empty() {
        let _ = writeln!(out, "Also called {}.", entry.aliases.join(", "));
    }
    let _ = writeln!(out, "Rules text: {}", game.file.text);
    let sections: Vec<&str> = game
        .sections()
        .iter()
        .map(|section| section.id.as_str())
        .collect();
    let sections = if sections.is_empty() {
        "whatever the deck names".to_owned()
    } else {
        sections.join(", ")
    };
    let _ = writeln!(out, "Sections: {sections}");
    let fields: Vec<&str> = game
        .fields()
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    if !fields.is_empty() {
        let _ = writeln!(out, "Card fields: name, {}", fields.join(", "));
    }
    out.push_str("\nRules\n");
    let faces = Rulebook::faces(&rulebook);
    for rule in Rulebook::rules_of(&faces) {
        let severity = match rule.severity {
            Severity::Error => "",
            Severity::Warning => " (advice)",
            Severity::Notice => " (notice)",
        };
        let source = if rule.source.is_empty() {
            "every game"
        } else {
            &rule.source
        };
        item(
            &mut out,
            &format!("{}{severity}", rule.id),
            &format!("{} {} [{source}]", rule.about, rule.demand()),
        );
    }
    if !game.file.settings.is_empty() {
        out.push_str("\nSettings that the rules text leaves open (--set NAME=VALUE)\n");
        let stands = rulebook.settings();
        for setting in &game.file.settings {
            let name = setting.name.value.as_str();
            let stands = match stands.get(name) {
                Some(crate::game::SettingValue::Number(number)) => number.to_string(),
                Some(crate::game::SettingValue::Word(word)) => word.clone(),
                None => "not given".to_owned(),
            };
            item(&mut out, name, &format!("{} Now: {stands}.", setting.about));
        }
    }
    if !game.choices().is_empty() {
        out.push_str("\nWhat a deck declares (with a line `Choice: NAME=VALUE` above its cards)\n");
        for (choice, entry) in game.choices().iter().zip(&game.file.choices) {
            let stands = entry.default.as_ref().map_or_else(String::new, |default| {
                format!(" Without it: {}.", default.value)
            });
            let text = format!("{} It is {}.{stands}", entry.about, choice.words());
            item(&mut out, &choice.name, &text);
        }
    }
    if let Some(taste) = wishes::taste(judge, game.id())? {
        let mut aims = taste.aims(format.id()).peekable();
        if aims.peek().is_some() {
            out.push_str(
                "\nThe maker's advice for decks, no rules (`build` reaches for it, the first before the second)\n",
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
    let width = terminal::width();
    let _ = writeln!(out, "  {head}");
    for line in terminal::wrapped(text, width.saturating_sub(6)) {
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

/// Checks format files, and the statistics and odds that stand beside them.
fn check(files: &[PathBuf], options: &Options) -> Answer {
    let (mut outcome, mut out) = (Outcome::Yes, String::new());
    for path in files {
        for line in told(path)? {
            let line = line.unwrap_or_else(|error| {
                outcome = Outcome::No;
                inputs::explain(&error).0
            });
            out.push_str(&terminal::tame(&(line + "\n")));
        }
    }
    output::answer(options, &output::TEXT, |()| Ok(out.clone()))?;
    Ok(outcome)
}

/// What `formats check` says of the format file of a folder.
#[cfg(feature = "serve")]
pub(super) fn told_of(folder: &Path) -> String {
    let lines = match told(folder) {
        Ok(lines) => lines,
        Err(Refusal(message)) => return message,
    };
    let lines: Vec<String> = lines
        .into_iter()
        .map(|line| line.unwrap_or_else(|error| inputs::explain(&error).0))
        .collect();
    lines.join("\n")
}

/// What is to be said of a format file and those beside it: that each is in order, or why not.
pub(super) fn told(path: &Path) -> Result<Vec<Result<String, FileError>>, Refusal> {
    let (folder, path) = match path.is_dir() {
        true => (Some(path), &*path.join("game.yaml")),
        false => (None, path),
    };
    let (name, text) = text_of(path)?;
    let mut lines = Vec::new();
    let mut game = Game::read(&name, &text);
    if let (Some(folder), Ok(read)) = (folder, &game) {
        let own = folder.canonicalize()?;
        let own = own.file_name().unwrap_or_default().to_string_lossy();
        if let Err(problem) = read.is_called(&own) {
            game = Err(FileError {
                name: name.clone(),
                text: text.clone(),
                problems: vec![problem],
            });
        }
    }
    match game.and_then(|game| Setup::all_of(&game).map(|_| game)) {
        Ok(game) => {
            let game = Arc::new(game);
            let cards = beside(&game, path)?;
            let problems = cards.as_ref().map(|cards| game.try_rules(cards));
            let problems = problems.unwrap_or_default();
            if !problems.is_empty() {
                lines.push(Err(FileError {
                    name: name.clone(),
                    text: text.clone(),
                    problems,
                }));
            } else {
                let formats = crate::text::counted(game.file.formats.len() as i64, "format");
                let untried = match cards {
                    Some(_) => String::new(),
                    None if game.file.rules.is_empty() => String::new(),
                    None => format!(" (no {CARDS} beside it, so its examples were not tried)"),
                };
                lines.push(Ok(format!("{name}: in order, {formats}{untried}")));
            }
            for remark in cards.iter().flat_map(|cards| game.asked_in_vain(cards)) {
                let place = crate::text::place(&text, remark.span.start);
                lines.push(Ok(format!(
                    "{name}:{}:{}: notice: {}",
                    place.line, place.column, remark.message
                )));
            }
            for beside in BESIDE.iter().copied() {
                let path = path.with_file_name(beside);
                if path.is_file() {
                    lines.push(lint(&game, beside, &path)?);
                }
            }
        }
        Err(error) => lines.push(Err(error)),
    }
    Ok(lines)
}

fn text_of(path: &Path) -> Result<(String, String), Refusal> {
    let name = path.display().to_string();
    let bytes = inputs::read_file(path)?;
    match std::str::from_utf8(crate::text::without_bom(&bytes)) {
        Ok(text) => Ok((name, text.to_owned())),
        Err(_) => Err(Refusal(format!("{name}: not UTF-8"))),
    }
}

/// The files beside a format file that are checked with it, in this order.
const BESIDE: &[&str] = &[
    stats::STATS,
    odds::ODDS,
    wishes::TASTE,
    #[cfg(feature = "paper")]
    super::print::PAPER,
];

/// The card file that stands beside a format file.
const CARDS: &str = "cards.csv";

/// The cards beside a format file, if there is a card file.
fn beside(game: &Game, path: &Path) -> Result<Option<Pool>, Refusal> {
    let path = path.with_file_name(CARDS);
    if !path.is_file() {
        return Ok(None);
    }
    let cards = game.read_cards(&inputs::read_file(&path)?);
    let wrong = |error| Refusal(format!("{}: {error}", path.display()));
    cards.map(Some).map_err(wrong)
}

/// Checks a file beside a game's format file, with the cards that stand there too. `Err`
/// inside: what is wrong with it.
fn lint(game: &Game, file: &str, path: &Path) -> Result<Result<String, FileError>, Refusal> {
    let (name, text) = text_of(path)?;
    let ids = game.sections().iter().map(|section| section.id.as_str());
    let ids: Vec<&str> = ids.collect();
    let refuse = |problems| FileError {
        name: name.clone(),
        text: text.clone(),
        problems,
    };
    let read = if file == stats::STATS {
        let read = crate::stats::Spec::read(&name, &text, game.fields(), &ids);
        read.map(|spec| crate::text::counted(spec.metrics.len() as i64, "statistic"))
    } else if file == wishes::TASTE {
        match Taste::read(&text) {
            Err(problem) => Err(refuse(vec![problem])),
            Ok(taste) => match taste.lint(game) {
                problems if problems.is_empty() => {
                    Ok(crate::text::counted(taste.aims.len() as i64, "aim"))
                }
                problems => Err(refuse(problems)),
            },
        }
    } else if let Some(read) = lint_paper(game, file, &name, &text) {
        read
    } else {
        // Cards that are wrong are for `cards check` to say.
        let cards = beside(game, path).ok().flatten();
        let one_each = |pool| Population::new(pool, pool.ids().map(|card| (card, 1)), 0).ok();
        let population = cards.as_ref().and_then(one_each);
        match OddsDefaults::read(&text) {
            Err(problem) => Err(refuse(vec![problem])),
            Ok(defaults) => match defaults.lint(&ids, population.as_ref()) {
                problems if problems.is_empty() => {
                    let presets = defaults.presets.len() as i64;
                    Ok(crate::text::counted(presets, "preset"))
                }
                problems => Err(refuse(problems)),
            },
        }
    };
    Ok(read.map(|counted| format!("{name}: in order, {counted}")))
}

/// Checks how a game's cards look on paper, if the file is the one that says so.
#[cfg(feature = "paper")]
fn lint_paper(
    game: &Game,
    file: &str,
    name: &str,
    text: &str,
) -> Option<Result<String, FileError>> {
    (file == super::print::PAPER).then(|| {
        let read = crate::paper::Layout::read(name, text, game.fields(), &game.file.name);
        read.map(|layout| crate::text::counted(layout.len() as i64, "face"))
    })
}

#[cfg(not(feature = "paper"))]
fn lint_paper(_: &Game, _: &str, _: &str, _: &str) -> Option<Result<String, FileError>> {
    None
}

/// Rules that hold for every game and stand in no format file.
pub(super) const EVERYWHERE: [(&str, &str); 7] = [
    (
        "syntax",
        "A deck file is headers, sections and card lines such as `3 NAME`. What cannot be read is an error that points at its place, and the deck is unreadable.",
    ),
    (
        "unknown-card",
        "Every card of a deck is one of the game's cards, by name; case and spacing do not matter. An unknown card still counts toward sizes and copies. `--cards FILE` brings other cards, and `--set unknown=notice` lets unknown names pass.",
    ),
    (
        "banned",
        "No card that the banlist in force bans, in the sections for which it bans it. `--banlist ID|FILE|none` says which list applies, `--as-of DAY` as of which day.",
    ),
    (
        "restricted",
        "No more copies of a card than the banlist in force allows.",
    ),
    (
        "points-list",
        "The points that the banlist gives to cards, every copy or each card counted as it says, stay within its limit.",
    ),
    (
        "group-list",
        "Of cards that the banlist in force keeps apart, no more than it allows are in a deck together.",
    ),
    (
        "rotation",
        "Every card is of a set that the banlist in force lets be played on the day; `--as-of DAY` says which day.",
    ),
];

impl Explain {
    pub(super) fn run(&self, options: &Options) -> Answer {
        if self.rule == "queries" {
            uses::only_writing("explain queries", options)?;
            let text = || crate::query::REFERENCE.to_owned();
            output::answer(options, &output::TEXT, |()| Ok(text()))?;
            return Ok(Outcome::Yes);
        }
        let judge = inputs::judge(options)?;
        if let (Some((named, _)), Some(option)) = (self.rule.rsplit_once('/'), &options.format) {
            return Err(Refusal(format!(
                "the format is named twice: `{named}`, and `--format {option}`; leave one of them out"
            )));
        }
        let (format, id) = match self.rule.rsplit_once('/') {
            Some((format, rule)) => {
                let format = judge
                    .catalogue()
                    .format(format)
                    .map_err(|error| inputs::refuse(&error.into()))?;
                (Some(format), rule)
            }
            None => (
                match &options.format {
                    Some(id) => {
                        let format = judge.catalogue().format(id);
                        Some(format.map_err(|error| inputs::refuse(&error.into()))?)
                    }
                    None => None,
                },
                self.rule.as_str(),
            ),
        };
        let mut out = String::new();
        if let Some((_, text)) = EVERYWHERE.iter().find(|(known, _)| *known == id) {
            item(&mut out, &format!("{id} (every game)"), text);
        }
        let mut ids: Vec<String> = EVERYWHERE.iter().map(|(id, _)| (*id).to_owned()).collect();
        for game in games(&judge)? {
            ids.extend(game.file.rules.iter().map(|rule| rule.id.value.clone()));
            if format
                .as_ref()
                .is_some_and(|format| format.game().id() != game.id())
            {
                continue;
            }
            for format in format
                .clone()
                .map_or_else(|| game.formats(), |only| vec![only])
            {
                explain(&mut out, &judge, &format, id)?;
            }
        }
        if out.is_empty() {
            let near = crate::name::nearest(id, ids.iter().map(String::as_str));
            let hint = match near.as_slice() {
                [] => "`decklaw formats show FORMAT` lists a format's rules".to_owned(),
                near => format!("did you mean {}?", crate::text::listed(near, "or")),
            };
            return Err(Refusal(format!("there is no rule `{}`; {hint}", self.rule)));
        }
        inputs::fitting(&judge)?;
        output::answer(options, &output::TEXT, |()| Ok(out.clone()))?;
        Ok(Outcome::Yes)
    }
}

fn explain(out: &mut String, judge: &Judge, format: &Format, id: &str) -> Result<(), Refusal> {
    let rulebook = judge
        .rulebook(format.id())
        .map_err(|error| inputs::refuse(&error))?;
    let entries: Vec<&RuleEntry> = format
        .game()
        .file
        .rules
        .iter()
        .filter(|rule| rule.id.value == id)
        .collect();
    let faces = Rulebook::faces(&rulebook);
    for rule in Rulebook::rules_of(&faces)
        .into_iter()
        .filter(|rule| rule.id == id && !rule.source.is_empty())
    {
        let advice = if rule.severity == Severity::Warning {
            ", advice"
        } else {
            ""
        };
        item(
            out,
            &format!("{}/{id}{advice}", format.id()),
            &format!("{} {}", rule.about, rule.demand()),
        );
        let _ = writeln!(out, "      Rules text: {}", rule.source);
        let example = entries
            .iter()
            .find(|entry| entry.about == rule.about && entry.source == rule.source);
        for (title, text) in example
            .into_iter()
            .flat_map(|entry| [("Passes", &entry.passes), ("Fails", &entry.fails)])
        {
            let lines = text.iter().flat_map(|text| text.value.lines());
            for (at, line) in lines.enumerate() {
                let _ = writeln!(
                    out,
                    "      {:<7} {line}",
                    if at == 0 {
                        format!("{title}:")
                    } else {
                        String::new()
                    }
                );
            }
        }
    }
    Ok(())
}
