//! `event status`: who counts, who is missing, what is asked, and what is illegal and why.

use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, Run};
use super::{Folder, shown};
use crate::event::{Counting, Event, Listed, PlayerId, Standing, Why};
use crate::render::{FIGURES, Kind, Render, TextStyle, Written};
use crate::spreadsheet::Sheet;
use crate::text::{counted, harmless};
use serde_json::Value;
use std::fmt::Write as _;

/// Show who counts, who is missing, what is asked and what is illegal
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Told>))]
pub(in super::super) struct Status {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    output: Output,
}

/// An event on one screen.
pub(in super::super) struct Told {
    folder: String,
    event: Event,
    standing: Standing,
    listed: Vec<Listed>,
    json: Value,
    verbose: bool,
}

impl Written for Told {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Status {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let event = self.folder.opened(run)?;
        let standing = event.standing()?;
        let outputs = Outputs::<Told>::open(run, &self.output)?;
        let told = Told {
            folder: shown(&self.folder.folder),
            listed: event.listed(&standing)?,
            json: event.to_json(&standing)?,
            event,
            standing,
            verbose: run.screen.verbose,
        };
        outputs.emit(run, &told, &[])
    }
}

/// A list of names on lines of their own, the first of them where there are many.
fn names(out: &mut String, title: &str, names: &[String], verbose: bool) {
    /// More names than these are counted.
    const MOST: usize = 10;
    if names.is_empty() {
        return;
    }
    let most = if verbose { names.len() } else { MOST };
    // Writing to a string cannot fail; so below.
    let _ = writeln!(out, "{title} ({})", names.len());
    for name in names.iter().take(most) {
        let _ = writeln!(out, "  {name}");
    }
    if names.len() > most {
        let _ = writeln!(out, "  and {} more; `-v` shows them", names.len() - most);
    }
}

impl Told {
    fn called(&self, player: PlayerId) -> String {
        format!("{player} {}", self.event.roster().name(player))
    }

    /// The questions, each with how it is answered.
    fn questions(&self, out: &mut String) {
        /// More questions than these are counted.
        const MOST: usize = 12;
        let roster = self.event.roster();
        let all = &self.standing.asked;
        if all.is_empty() {
            return;
        }
        let _ = writeln!(
            out,
            "To answer ({}); until then they count for nobody",
            all.len()
        );
        let most = if self.verbose { all.len() } else { MOST };
        for (id, why) in all.iter().take(most) {
            let Some(entry) = roster.entries.get(id) else {
                continue;
            };
            let who = entry
                .person
                .name
                .clone()
                .unwrap_or_else(|| "no name".to_owned());
            let address = entry.person.addresses.first();
            let address = address.map_or_else(String::new, |address| format!(" <{address}>"));
            let _ = writeln!(
                out,
                "  {id} {}, {who}{address}: {}",
                entry.place(),
                why.words()
            );
            let answer = match why {
                Why::Time => {
                    let time = entry.personal.time.as_deref().unwrap_or_default();
                    let time = match time {
                        "" => "it says no time".to_owned(),
                        time => format!("it says `{time}`"),
                    };
                    format!("{time}: `{id} in-time` or `{id} late`")
                }
                _ => {
                    let likely = self.event.likely(*id);
                    let likely = likely.map_or_else(
                        || "somebody who is not on the roster".to_owned(),
                        |player| self.called(player),
                    );
                    format!(
                        "most likely {likely}: `{id} yes`, or `{id} is PLAYER`, or `{id} is new`"
                    )
                }
            };
            let _ = writeln!(out, "      {answer}");
        }
        if all.len() > most {
            let _ = writeln!(out, "  and {} more; `-v` shows them", all.len() - most);
        }
        let _ = writeln!(
            out,
            "  each by `decklaw event decide {} …`; `all yes` takes what is most likely",
            self.folder
        );
    }
}

impl Render for Told {
    fn human(&self, _: &TextStyle) -> String {
        let (event, standing) = (&self.event, &self.standing);
        let about = &event.about;
        let mut out = about.name.clone();
        if let Some(format) = &about.format {
            let _ = write!(out, ": {format}");
        }
        out.push('\n');
        if let Some(due) = about.due_in_words() {
            let _ = writeln!(out, "decks until {due}");
        }
        let mut by: std::collections::BTreeMap<&str, i64> = std::collections::BTreeMap::new();
        let mut verdicts: std::collections::BTreeMap<&str, i64> = std::collections::BTreeMap::new();
        for counting in standing.players.values() {
            *by.entry(counting.word()).or_default() += 1;
        }
        for one in &self.listed {
            if let (Some(report), "counts") = (&one.report, one.status) {
                *verdicts.entry(report.verdict.word()).or_default() += 1;
            }
        }
        let players = i64::try_from(standing.players.len()).unwrap_or(i64::MAX);
        let number = |word: &str| by.get(word).copied().unwrap_or_default();
        let verdicts: Vec<String> = ["legal", "incomplete", "illegal", "unreadable"]
            .iter()
            .filter_map(|word| Some(format!("{} {word}", verdicts.get(word)?)))
            .collect();
        let _ = writeln!(out, "{}", counted(players, "player"));
        let _ = write!(out, "  {} count", number("counts"));
        let _ = match verdicts.is_empty() {
            true => writeln!(out),
            false => writeln!(out, ": {}", verdicts.join(", ")),
        };
        for (word, what) in [
            ("late", "late only"),
            ("out", "taken out"),
            ("missing", "missing"),
        ] {
            if number(word) > 0 {
                let _ = writeln!(out, "  {} {what}", number(word));
            }
        }
        self.questions(&mut out);
        let mut broken = Vec::new();
        for one in &self.listed {
            let Some(report) = one.report.as_ref().filter(|_| one.status == "counts") else {
                continue;
            };
            if report.verdict == crate::rules::Verdict::Legal {
                continue;
            }
            let id = one.player.map_or_else(String::new, |id| format!("{id} "));
            let first = report
                .findings
                .iter()
                .find(|finding| finding.severity == crate::rules::Severity::Error);
            let why = first.map_or("", |finding| finding.message.as_str());
            let rule = first.map_or("", |finding| finding.rule.as_str());
            broken.push(format!(
                "{id}{}, {}: {} ({rule}: {why})",
                one.name,
                one.place,
                report.verdict.word()
            ));
        }
        names(&mut out, "Not legal", &broken, self.verbose);
        let list = |wanted: fn(&Counting) -> bool| -> Vec<String> {
            let each = standing
                .players
                .iter()
                .filter(|(_, counting)| wanted(counting));
            each.map(|(player, counting)| match counting.entry() {
                Some(entry) => format!("{}: {entry}", self.called(*player)),
                None => self.called(*player),
            })
            .collect()
        };
        let late = list(|counting| matches!(counting, Counting::Late(_)));
        names(
            &mut out,
            "Late; `… decide … eNNN counts` accepts one",
            &late,
            self.verbose,
        );
        let beside: Vec<String> = standing
            .beside
            .iter()
            .map(|(player, entry)| {
                format!(
                    "{}: {entry} came late, beside the one that counts",
                    self.called(*player)
                )
            })
            .collect();
        names(&mut out, "Late beside one in time", &beside, self.verbose);
        let doubles = event.roster().doubles();
        let missing = standing
            .players
            .iter()
            .filter(|(_, counting)| **counting == Counting::Missing);
        let missing: Vec<String> = missing
            .map(|(player, _)| {
                let double = doubles.iter().find(|(_, missing)| missing == player);
                match double {
                    Some((other, _)) => format!(
                        "{}; is it {}? `{other} same {player}`",
                        self.called(*player),
                        self.called(*other)
                    ),
                    None => self.called(*player),
                }
            })
            .collect();
        names(&mut out, "Missing", &missing, self.verbose);
        let unlisted: Vec<String> = self
            .listed
            .iter()
            .filter(|one| one.unlisted)
            .filter_map(|one| Some(self.called(one.player?)))
            .collect();
        names(&mut out, "Not on the list", &unlisted, self.verbose);
        let _ = writeln!(
            out,
            "judged by the lock of {} alone\n  (seal {})",
            event.judge().day(),
            event.seal()
        );
        harmless(&out, true).into_owned()
    }

    fn json(&self) -> serde_json::Result<Value> {
        Ok(self.json.clone())
    }

    fn sheets(&self) -> Vec<Sheet<'_>> {
        let seal = self.event.seal();
        vec![crate::event::sheet("players", &self.listed, seal, |_| true)]
    }

    fn is_well(&self) -> bool {
        let legal = |one: &Listed| {
            let report = one.report.as_ref().filter(|_| one.status == "counts");
            report.is_none_or(|report| report.verdict == crate::rules::Verdict::Legal)
        };
        self.standing.asked.is_empty() && self.listed.iter().all(legal)
    }
}
