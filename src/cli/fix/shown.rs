//! What `decklaw fix` found, for people and for programs.

use super::{Reasoned, rename};
use crate::cli::terminal;
use crate::judge::Report;
use crate::resolve::{Change, Decklist};
use crate::rules::{Failing, Judgement, Severity};
use crate::solve::{Found, Misnamed, Substitute};
use crate::text::{counted, harmless, listed};
use unicode_width::UnicodeWidthStr;

const GREEN: &str = "\u{1b}[32m";
const RED: &str = "\u{1b}[31m";
const YELLOW: &str = "\u{1b}[33m";
const PLAIN: &str = "\u{1b}[0m";
/// For so many unknown names the nearest ones are looked up.
const HINTS: u32 = 50;

/// A repair, for people: a diff with the reason for each line.
pub(super) struct Shown<'a> {
    pub(super) before: &'a Decklist,
    /// The deck's file.
    pub(super) name: &'a str,
    pub(super) found: &'a Found,
    pub(super) reasons: &'a [Reasoned],
    /// What is said of the deck as it is then.
    pub(super) report: &'a Report,
    /// What may stand in for cards of the banlist.
    pub(super) substitutes: &'a [Substitute],
    /// The names that were corrected.
    pub(super) misnamed: &'a [Misnamed],
    /// Whether the file was changed.
    pub(super) written: bool,
    /// Columns of the terminal.
    pub(super) width: usize,
    pub(super) colour: bool,
}

impl Shown<'_> {
    pub(super) fn text(&self) -> String {
        let found = self.found;
        let what = counted(found.distance, "copy");
        let said = match (found.distance, found.optimal()) {
            (0, _) if !self.misnamed.is_empty() => "legal with its names corrected".to_owned(),
            (0, _) => "legal as it is".to_owned(),
            (_, true) => format!("{what} to change, and no fewer will do"),
            (_, false) => format!(
                "{what} to change; the work limit was reached, and {} or more it must be (`--effort` raises the limit)",
                found.bound()
            ),
        };
        let mut out = String::new();
        self.paragraph(&mut out, &format!("{}: {said}", self.name), "");
        if !self.misnamed.is_empty() {
            out.push_str("\nnames corrected\n");
            for one in self.misnamed {
                let line = format!("  {}", rename::text(one));
                out.push_str(&format!("{}\n", harmless(&line, false)));
            }
        }
        let mut section = None;
        let mut hints = HINTS;
        for reasoned in self.reasons {
            let own = reasoned.0.section;
            if section != Some(own) {
                section = Some(own);
                let id = &self.before.sections()[usize::from(own)];
                out.push_str(&format!("\n{}\n", harmless(id, false)));
            }
            self.change(&mut out, reasoned, &mut hints);
        }
        if found.distance == 0 {
            self.tell_written(&mut out);
            return out;
        }
        if !self.report.findings.is_empty() {
            out.push('\n');
        }
        for finding in &self.report.findings {
            let word = finding.severity.word();
            let text = format!("{word}: {}: {}", finding.rule, finding.message);
            let colour = match finding.severity {
                Severity::Error => RED,
                Severity::Warning | Severity::Notice => YELLOW,
            };
            self.paragraph(&mut out, &text, colour);
        }
        if found.is_mostly_new(self.before) {
            let plain = |next: char| next.is_alphanumeric() || "./_-".contains(next);
            let name = match self.name.chars().all(plain) {
                true => self.name.to_owned(),
                false => format!("'{}'", self.name.replace('\'', "'\\''")),
            };
            let told = format!(
                "More than half of this deck comes in: `decklaw build --from {name}` finishes it by wishes and by what its maker advises."
            );
            out.push('\n');
            self.paragraph(&mut out, &told, "");
        }
        self.leader(&mut out);
        self.substitutes(&mut out);
        self.tell_written(&mut out);
        out
    }

    fn tell_written(&self, out: &mut String) {
        if self.written {
            out.push_str("\nwritten\n");
        }
    }

    /// That a card by which others are judged goes, and how it is kept.
    fn leader(&self, out: &mut String) {
        let heads = self.before.rulebook().heads();
        let goes = |change: &&Change| {
            heads.has(usize::from(change.section))
                && self.found.deck.copies(change.section, change.card) == 0
                && !self.before.name(change.card).contains('"')
                && self.may_stay(change)
        };
        let mut changes = self.reasons.iter().map(|reasoned| &reasoned.0);
        if let Some(change) = changes.find(goes) {
            let name = harmless(self.before.name(change.card), false).replace('\'', "'\\''");
            let told =
                format!("`--keep '\"{name}\"'` finds a repair that leaves it, where there is one");
            out.push('\n');
            self.paragraph(out, &told, "");
        }
    }

    /// Whether a card may be where it is as far as it alone decides.
    fn may_stay(&self, change: &Change) -> bool {
        let mut alone = self.before.clone();
        for held in self.before.holdings() {
            alone.set(held.section, held.card, 0);
        }
        alone.set(change.section, change.card, 1);
        let barred = |found: &Judgement| {
            let violation = &found.violation;
            violation.failing == Failing::Excess && violation.is_of(change.card, change.section)
        };
        !alone.judge().iter().any(barred)
    }

    /// What may stand in for cards of the banlist.
    fn substitutes(&self, out: &mut String) {
        for one in self.substitutes {
            let each = one.instead.iter().map(|(card, differs)| {
                let name = self.before.name(*card);
                match differs.is_empty() {
                    true => name.to_owned(),
                    false => format!("{name} ({})", differs.join(", ")),
                }
            });
            let each: Vec<String> = each.collect();
            if each.is_empty() {
                continue;
            }
            let name = self.before.name(one.card);
            let copies = counted(one.copies, "copy");
            let text = format!("instead of {copies} of {name}: {}", each.join("; "));
            out.push('\n');
            self.paragraph(out, &text, "");
        }
    }

    /// A change as a line, and its colour.
    fn line(&self, change: &Change) -> (String, &'static str) {
        let name = self.before.name(change.card);
        let (sign, copies, colour) = match change.to > change.from {
            true => ('+', change.to - change.from, GREEN),
            false => ('-', change.from - change.to, RED),
        };
        let mut line = format!("  {sign} {copies} {}", harmless(name, false));
        if change.from > 0 && change.to > 0 {
            line.push_str(&format!(" (now {})", change.to));
        }
        (line, colour)
    }

    /// A line of the diff: the change, why it is needed, and what may have been meant instead.
    fn change(&self, out: &mut String, (change, rules): &Reasoned, hints: &mut u32) {
        let name = self.before.name(change.card);
        let (line, colour) = self.line(change);
        let used = line.width();
        out.push_str(&self.painted(&line, colour));
        if !rules.is_empty() {
            let why = rules.join(", ");
            let why = harmless(&why, false);
            let start = used.max(40) + 2;
            // Where it does not fit beside its change, a reason stands below.
            if start + why.width() <= self.width {
                out.push_str(&format!("{}{why}", " ".repeat(start - used)));
            } else {
                self.below(out, &why);
            }
        }
        out.push('\n');
        if self.before.knows(change.card) || *hints == 0 {
            return;
        }
        *hints -= 1;
        let (near, _) = self.before.pool().slip_of(name);
        if !near.is_empty() {
            let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
            let hint = format!(
                "if {} was meant, correct the name first",
                listed(&near, "or")
            );
            out.pop();
            self.below(out, &harmless(&hint, false));
            out.push('\n');
        }
    }

    /// Lines further in, each begun with a line break.
    fn below(&self, out: &mut String, text: &str) {
        for line in terminal::wrapped(text, self.width.saturating_sub(6)) {
            out.push_str("\n      ");
            out.push_str(&line);
        }
    }

    fn paragraph(&self, out: &mut String, text: &str, colour: &str) {
        for line in terminal::wrapped(&harmless(text, false), self.width) {
            out.push_str(&self.painted(&line, colour));
            out.push('\n');
        }
    }

    fn painted(&self, text: &str, colour: &str) -> String {
        match self.colour && !colour.is_empty() {
            true => format!("{colour}{text}{PLAIN}"),
            false => text.to_owned(),
        }
    }
}

/// Why there is no repair, for people; lines that are indented stay so.
pub(super) fn refused(reasons: &[String], width: usize) -> String {
    let text = reasons.join("\n");
    let mut out = String::new();
    for line in harmless(&text, true).lines() {
        let (mark, rest) = match line.strip_prefix("  - ") {
            Some(rest) => ("  - ", rest),
            None => ("", line),
        };
        for (at, part) in terminal::wrapped(rest, width.saturating_sub(mark.len()))
            .iter()
            .enumerate()
        {
            let indent = " ".repeat(mark.len());
            let start = if at == 0 { mark } else { indent.as_str() };
            out.push_str(&format!("{start}{part}\n"));
        }
    }
    out
}
