//! `decklaw explain`: what a rule demands, where the rules text says so, and examples.

use super::{games, item, paragraph, show};
use crate::cli::options::{Judging, Output, kinds};
use crate::cli::output::{self, Text};
use crate::cli::{Answer, CliError, Run, inputs, manual};
use crate::format::{Format, RuleEntry, Rulebook};
use crate::judge::Judge;
use crate::rules::{Rule, Severity};
use std::fmt::Write;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<Text>),
    after_help = "Examples:\n  decklaw explain points\n  decklaw explain shell\n  decklaw explain shell/points\n  decklaw explain games"
)]
pub(in crate::cli) struct Explain {
    /// RULE, FORMAT, FORMAT/RULE, `queries`, `decks` or `games`
    rule: String,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

/// Rules of every game, which no format file has.
const EVERYWHERE: [(&str, &str); 8] = [
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
    ("restricted", "No more copies of a card than the banlist in force allows."),
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
    (
        "list-changes",
        "Where the banlist in force says something else of a card than the card file, the rules go by the list. A notice names the cards of the deck that it changes.",
    ),
];

/// The reference for makers of games.
const GAMES: &str = include_str!("../../../docs/games-reference.md");

/// How a deck is written as text.
const DECKS: &str = "\
A deck in text

  Format: shell
  Name: Ebb and Flow

  Shells
  1 Crimson Bulwark

  Main (9)
  3 Moss Sprite
  6x Rain Caller

Headers   come before the first card: Format, Name, Player, Event, Date, Note.
          Any other key is an error.
Cards     are a count from 1 to 999,999 and a name: `3 Name`, `3x Name` or `3× Name`.
          Copies on several lines add up.
Sections  are a line with a section's id, name or alias: `Main`, `Main:`, `[Main]` or
          `Main (56)`, `Main: 56 cards`. A wrong total is an error. Cards before the
          first section go to the first shuffled section.
Groups    are a line with a word of a field, such as `Monsters (12)`. Every card below
          must have that word.
Comments  start with # or //. A comment that is only a section's name is an error.

Case, spaces, accents, hyphens and quotes in names do not matter where one card fits;
the front of `A // B` alone is that card. Banlists, collections, queries and wishes read
names as decks do.
`decklaw formats list` lists formats, `decklaw formats show FORMAT` their sections.
";

impl Explain {
    pub(in crate::cli) fn run(&self, run: &Run) -> Answer {
        let reference = match self.rule.as_str() {
            "queries" => Some(manual::page(crate::query::REFERENCE, run)),
            "decks" => Some(DECKS.to_owned()),
            "games" => Some(manual::page(GAMES, run)),
            _ => None,
        };
        if let Some(reference) = reference {
            return output::emit(run, &self.output, &Text::from(reference));
        }
        let judge = inputs::judge(run, &self.judging)?;
        if let Ok(format) = judge.catalogue().format(&self.rule) {
            let shown = show(&judge, &format, run.screen.verbose)?;
            inputs::fitting(run, &judge)?;
            return output::emit(run, &self.output, &Text::from(shown));
        }
        if let (Some((named, _)), Some(option)) = (self.rule.rsplit_once('/'), &self.judging.format)
        {
            return Err(CliError::call(format!(
                "the format is named twice: `{named}`, and `--format {option}`; leave one of them out"
            )));
        }
        let (format, id) = match self.rule.rsplit_once('/') {
            Some((format, rule)) => {
                let format = judge.catalogue().format(format)?;
                (Some(format), rule)
            }
            None => (
                match &self.judging.format {
                    Some(id) => {
                        let format = judge.catalogue().format(id);
                        Some(format?)
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
        let asked = match &format {
            Some(format) => vec![Arc::clone(format.game())],
            None => {
                let (games, wrong) = games(&judge);
                wrong.iter().for_each(|other| run.complain("error", &other.message));
                games
            }
        };
        for game in asked {
            ids.extend(game.file.rules.iter().map(|rule| rule.id.value.clone()));
            for format in format.clone().map_or_else(|| game.formats(), |only| vec![only]) {
                explain(&mut out, &judge, &format, id)?;
            }
        }
        if out.is_empty() {
            // The rule of another format of the same game.
            let others = format.iter().flat_map(|format| format.game().formats());
            let others: Vec<String> = others
                .filter(|other| {
                    let mut text = String::new();
                    explain(&mut text, &judge, other, id).is_ok() && !text.is_empty()
                })
                .map(|other| format!("{}/{id}", other.id()))
                .collect();
            let near = crate::name::nearest(id, ids.iter().map(String::as_str));
            let near: Vec<&str> =
                if others.is_empty() { near } else { others.iter().map(String::as_str).collect() };
            let hint = match near.as_slice() {
                [] => "`decklaw formats show FORMAT` lists a format's rules".to_owned(),
                near => format!("did you mean {}?", crate::text::listed(near, "or")),
            };
            return Err(CliError::call(format!("unknown rule `{}`; {hint}", self.rule)));
        }
        inputs::fitting(run, &judge)?;
        output::emit(run, &self.output, &Text::from(out))
    }
}

fn explain(out: &mut String, judge: &Judge, format: &Format, id: &str) -> Result<(), CliError> {
    let rulebook = judge.rulebook(format.id())?;
    for entry in rules_of(format).filter(|entry| entry.id.value == id) {
        let with;
        let rule = match compiled(&rulebook, entry) {
            Some(rule) => rule,
            None => {
                with = with_values(&rulebook, entry)?;
                let Some(rule) = compiled(&with, entry) else { continue };
                rule
            }
        };
        let advice = if rule.severity == Severity::Warning { ", advice" } else { "" };
        item(out, &format!("{}/{id}{advice}", format.id()), &rule.about);
        paragraph(out, &rule.demand());
        if !entry.when.is_empty() {
            let _ = writeln!(out, "      Only with {}", values(entry));
        }
        let _ = writeln!(out, "      Rules text: {}", rule.source);
        for (title, text) in [("Passes", &entry.passes), ("Fails", &entry.fails)] {
            let lines = text.iter().flat_map(|text| text.value.lines());
            for (at, line) in lines.enumerate() {
                let _ = writeln!(
                    out,
                    "      {:<7} {line}",
                    if at == 0 { format!("{title}:") } else { String::new() }
                );
            }
        }
    }
    Ok(())
}

/// The rules of a format under any settings.
pub(super) fn rules_of(format: &Format) -> impl Iterator<Item = &RuleEntry> {
    let rules = format.game().file.rules.iter();
    rules.filter(|entry| entry.is_of(format.id()))
}

/// A rule as a rulebook has it; `None`: its settings have other values there.
pub(super) fn compiled<'r>(rulebook: &'r Rulebook, entry: &RuleEntry) -> Option<&'r Rule> {
    let mut rules = rulebook.rules().iter();
    rules.find(|rule| rule.place == entry.id.span.start && !rule.source.is_empty())
}

/// The same rules with the values for which a rule asks.
fn with_values(rulebook: &Rulebook, entry: &RuleEntry) -> Result<Rulebook, CliError> {
    let given = rulebook.settings_given();
    let given = given.map(|(name, value)| (name.to_owned(), value.to_string()));
    let settings = given.chain(entry.when.clone()).collect();
    let (pool, list) = (Arc::clone(rulebook.pool()), rulebook.list().cloned());
    Ok(Rulebook::new(rulebook.format(), pool, list, &settings)?)
}

/// The options that give a rule the values for which it asks.
pub(super) fn values(entry: &RuleEntry) -> String {
    let each = entry.when.iter().map(|(name, value)| format!("`--set {name}={value}`"));
    each.collect::<Vec<_>>().join(" ")
}
