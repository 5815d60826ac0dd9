//! `event status`: who counts, who is missing, what is asked, and what is illegal and why.

use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, Run};
use super::{Folder, shown};
use crate::event::{AmbiguityReason, Counting, Event, PlayerReport, StatusReport, sheet};
use crate::render::{FIGURES, Kind, Render, TextStyle, Written};
use crate::rules::{Severity, Verdict};
use crate::spreadsheet::Sheet;
use crate::text::{counted, escape_control};
use serde_json::Value;
use std::fmt::Write as _;

/// Show who counts, who is missing, what is asked and what is illegal
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<StatusScreen>), after_help = "Example:\n  decklaw event status autumn")]
pub(in super::super) struct Status {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    output: Output,
}

impl Status {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let event = self.folder.open()?;
        let outputs = Outputs::<StatusScreen>::open(&self.output)?;
        super::warn_of_lists(run, &event)?;
        let report = StatusScreen {
            folder: shown(&self.folder.folder),
            report: event.status()?,
            event,
            verbose: run.screen.verbose,
        };
        outputs.emit(run, &report)
    }
}

/// An event on one screen.
pub(in super::super) struct StatusScreen {
    pub(super) folder: String,
    pub(super) event: Event,
    pub(super) report: StatusReport,
    pub(super) verbose: bool,
}

impl Written for StatusScreen {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Render for StatusScreen {
    fn human(&self, _: &TextStyle) -> String {
        self.summary()
    }

    fn json(&self) -> serde_json::Result<Value> {
        Ok(self.report.to_json(&self.event))
    }

    fn sheets(&self) -> Vec<Sheet<'_>> {
        vec![sheet("players", &self.report.players, |_| true)]
    }

    fn is_ok(&self) -> bool {
        self.report.questions.is_empty()
            && self.report.players.iter().all(|one| fault(one).is_none())
    }
}

impl StatusScreen {
    /// A heading with lines below it, the first of them without `-v`.
    fn list(&self, out: &mut String, title: &str, lines: &[String]) {
        const MOST: usize = 10;
        if lines.is_empty() {
            return;
        }
        let most = if self.verbose { lines.len() } else { MOST };
        // Writing to a string cannot fail; so below.
        let _ = writeln!(out, "{title} ({})", lines.len());
        for line in lines.iter().take(most) {
            let _ = writeln!(out, "  {line}");
        }
        if lines.len() > most {
            let _ = writeln!(out, "  and {} more; `-v` shows them", lines.len() - most);
        }
    }

    /// The questions, each with the words that answer it.
    fn questions(&self) -> Vec<String> {
        let each = self.report.questions.iter().map(|question| {
            let (id, name) = (question.entry, question.name.as_deref().unwrap_or("no name"));
            let address = question.address.as_ref();
            let address = address.map_or_else(String::new, |address| format!(" <{address}>"));
            let answer = match (question.reason, &question.likely) {
                (AmbiguityReason::Time, _) => {
                    let time = question.time.as_deref().unwrap_or("no time");
                    format!("`{time}`: `{id} in-time` or `{id} late`")
                }
                (_, likely) => {
                    let new = || "a new player".to_owned();
                    let likely = likely.as_ref();
                    let likely =
                        likely.map_or_else(new, |one| format!("{} ({})", one.name, one.id));
                    format!("most likely {likely}: `{id} yes`, `{id} is PLAYER` or `{id} is new`")
                }
            };
            format!("{id} {}, {name}{address}: {}\n      {answer}", question.place, question.why)
        });
        each.collect()
    }

    /// How many players count, with their verdicts, and how many do not.
    fn totals(&self, out: &mut String) {
        let counting =
            |word: &'static str| self.report.players.iter().filter(move |one| one.status == word);
        let players = i64::try_from(self.report.standing.players.len()).unwrap_or(i64::MAX);
        let verdict = |word: &&str| {
            let same = |one: &&PlayerReport| {
                let report = one.report.as_ref();
                report.is_some_and(|report| report.verdict.word() == *word)
            };
            match counting("counts").filter(same).count() {
                0 => None,
                number => Some(format!("{number} {word}")),
            }
        };
        let words = ["legal", "incomplete", "illegal", "unreadable"];
        let verdicts: Vec<String> = words.iter().filter_map(verdict).collect();
        let _ = writeln!(out, "{}", counted(players, "player"));
        let colon = if verdicts.is_empty() { "" } else { ": " };
        let (counts, verdicts) = (counting("counts").count(), verdicts.join(", "));
        let _ = writeln!(out, "  {counts} count{colon}{verdicts}");
        for (word, what) in [
            ("late", "only late"),
            ("out", "excluded"),
            ("withdrawn", "withdrawn"),
            ("missing", "missing"),
        ] {
            let number = counting(word).count();
            if number > 0 {
                let _ = writeln!(out, "  {number} {what}");
            }
        }
    }

    /// The event on one screen.
    pub(super) fn summary(&self) -> String {
        let (event, roster) = (&self.event, self.event.roster());
        let about = &event.about;
        let format = about.format.as_ref();
        let format = format.map_or_else(String::new, |format| format!(": {format}"));
        let mut out = format!("{}{format}\n", about.name);
        if let Some(due) = about.due_in_words() {
            let _ = writeln!(out, "decks are due {due}");
        }
        self.totals(&mut out);
        let title = format!("To answer with `decklaw event decide {} …`", self.folder);
        self.list(&mut out, &title, &self.questions());
        let each = |line: &dyn Fn(&PlayerReport) -> Option<String>| -> Vec<String> {
            let lines = self.report.players.iter().filter_map(|one| {
                let name = one.player.map(|player| format!("{player} {}", one.name));
                Some(name? + &line(one)?)
            });
            lines.collect()
        };
        let faults = each(&|one| Some(format!(", {}", fault(one)?)));
        self.list(&mut out, "Not legal", &faults);
        let late = each(&|one| {
            let own = self.report.standing.player(one.player?);
            match (own.counting, own.beside) {
                (Counting::Late(entry), _) => Some(format!(": {entry}")),
                (_, Some(entry)) => Some(format!(": {entry}, next to one in time")),
                _ => None,
            }
        });
        let title = format!("Late, `decklaw event decide {} eNNN counts` accepts one", self.folder);
        self.list(&mut out, &title, &late);
        let doubles = roster.doubles();
        let missing = each(&|one| {
            let player = one.player.filter(|_| one.status == "missing")?;
            let double = doubles.iter().find(|(_, missing)| *missing == player);
            Some(double.map_or_else(String::new, |(other, _)| {
                let name = roster.name_and_id(*other);
                format!("; if this is {name}: `{other} same {player}`")
            }))
        });
        self.list(&mut out, "Missing", &missing);
        let unlisted = each(&|one| one.unlisted.then(String::new));
        self.list(&mut out, "Not on the list", &unlisted);
        let activity = event.activity(&self.report.standing, if self.verbose { 1000 } else { 20 });
        let decided = activity.iter().filter_map(|one| {
            let at = one.local.as_deref().unwrap_or(&one.at).replace('T', " ");
            let at: String = at.chars().take(16).collect();
            Some(format!("{} {at}, {}: {}", one.undo?, one.by, one.text))
        });
        let title = format!("Decided last, `decklaw event undo {} N` takes one back", self.folder);
        let decided: Vec<String> = decided.take(if self.verbose { 1000 } else { 3 }).collect();
        self.list(&mut out, &title, &decided);
        let (day, seal) = (event.judge().day(), event.seal());
        let _ = writeln!(out, "judged by the lock of {day}\n  (seal {seal})");
        escape_control(&out, true).into_owned()
    }
}

/// Why a deck that counts is not legal; `None`: it is.
fn fault(one: &PlayerReport) -> Option<String> {
    let report = one.report.as_ref().filter(|_| one.status == "counts")?;
    if report.verdict == Verdict::Legal {
        return None;
    }
    let mut errors = report.findings.iter();
    let first = errors.find(|finding| finding.severity == Severity::Error);
    let why = first.map(|finding| format!(" ({}: {})", finding.rule, finding.message));
    let (place, verdict) = (&one.place, report.verdict.word());
    Some(format!("{place}: {verdict}{}", why.unwrap_or_default()))
}
