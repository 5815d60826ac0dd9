//! Reports for people: each finding with the deck's own line, the account of a budget, and a
//! summary. All text of a deck is made harmless before it is shown.

mod excerpt;

use super::{DeckReport, Finding, Verdict};
use crate::rules::{Ledger, Severity};
use crate::text::{counted, harmless};
use excerpt::Excerpt;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};

/// The most findings of a deck that are shown unless more is asked for.
const MOST_SHOWN: usize = 20;

/// How a report looks.
#[derive(Debug, Clone)]
pub struct Style {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether colours may be used.
    pub colour: bool,
    /// Whether characters beyond ASCII may be used for frames.
    pub unicode: bool,
    /// Only what is wrong.
    pub quiet: bool,
    /// Everything, also what is in order.
    pub verbose: bool,
}

/// What a run found, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Legal decks.
    pub legal: usize,
    /// Incomplete decks.
    pub incomplete: usize,
    /// Illegal decks.
    pub illegal: usize,
    /// Files that are no deck.
    pub unreadable: usize,
    /// Warnings in all decks.
    pub warnings: usize,
    /// Notices in all decks.
    pub notices: usize,
    /// How many decks break each rule.
    pub by_rule: BTreeMap<String, usize>,
}

impl Totals {
    /// Counts a deck.
    pub fn add(&mut self, report: &DeckReport) {
        match report.verdict {
            Verdict::Legal => self.legal += 1,
            Verdict::Incomplete => self.incomplete += 1,
            Verdict::Illegal => self.illegal += 1,
            Verdict::Unreadable => self.unreadable += 1,
        }
        self.warnings += report.count(Severity::Warning);
        self.notices += report.count(Severity::Notice);
        let errors = report
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error);
        let mut rules: Vec<&str> = errors.map(|finding| finding.rule.as_str()).collect();
        rules.sort_unstable();
        rules.dedup();
        for rule in rules {
            *self.by_rule.entry(rule.to_owned()).or_default() += 1;
        }
    }

    /// How many decks there were.
    pub fn decks(&self) -> usize {
        self.legal + self.incomplete + self.illegal + self.unreadable
    }
}

/// A finding as the diagnostics library wants it.
#[derive(Debug)]
struct Shown {
    message: String,
    code: String,
    severity: miette::Severity,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    source: Option<Excerpt>,
}

impl Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Shown {}

impl Diagnostic for Shown {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        Some(Box::new(&self.code))
    }
    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }
    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn Display>)
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as _)
    }
}

fn shown(finding: &Finding, source: &str) -> Shown {
    let numbers = match (finding.limit, finding.actual) {
        (Some(limit), Some(actual)) => format!("limit {limit}, actual {actual}"),
        _ => "here".to_owned(),
    };
    let excerpt = Excerpt::of(source, &finding.spans);
    let labels = excerpt
        .iter()
        .flat_map(|excerpt| excerpt.marks())
        .enumerate()
        .map(|(at, span)| {
            let text = if at == 0 {
                numbers.clone()
            } else {
                "and here".to_owned()
            };
            LabeledSpan::new_with_span(Some(text), span)
        });
    let labels = labels.collect();
    let mut help = Vec::new();
    if !finding.mend.is_empty() {
        help.push(capital(&finding.mend));
    }
    if let Some(source) = &finding.source {
        help.push(format!("Rule: {source}"));
    }
    Shown {
        message: harmless(&finding.message, false).into_owned(),
        code: match finding.severity {
            Severity::Error => format!("error {}", finding.rule),
            Severity::Warning => format!("warning {}", finding.rule),
            Severity::Notice => format!("notice {}", finding.rule),
        },
        severity: match finding.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Notice => miette::Severity::Advice,
        },
        help: (!help.is_empty()).then(|| harmless(&help.join("\n"), true).into_owned()),
        labels,
        source: excerpt,
    }
}

fn capital(sentence: &str) -> String {
    let mut characters = sentence.chars();
    let first = characters
        .next()
        .map(char::to_uppercase)
        .into_iter()
        .flatten();
    first.chain(characters).collect()
}

/// One deck: its verdict, and each finding where it stands in `source`, the deck's text.
pub fn deck(report: &DeckReport, source: &str, style: &Style) -> String {
    let mut out = heading(report, style);
    let shown_findings = if style.verbose {
        report.findings.len()
    } else {
        MOST_SHOWN
    };
    let mut theme = match (style.unicode, style.colour) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, _) => GraphicalTheme::none(),
    };
    if !style.colour {
        theme.styles = miette::ThemeStyles::none();
    }
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(style.width)
        .with_links(false)
        .with_context_lines(0);
    for finding in report.findings.iter().take(shown_findings) {
        if style.quiet && finding.severity != Severity::Error {
            continue;
        }
        // Rendering into a string fails only if a diagnostic's own text does.
        if handler
            .render_report(&mut out, &shown(finding, source))
            .is_err()
        {
            let _ = writeln!(
                out,
                "{}: {}",
                finding.rule,
                harmless(&finding.message, false)
            );
        }
    }
    if let Some(more) = report
        .findings
        .len()
        .checked_sub(shown_findings)
        .filter(|more| *more > 0)
    {
        let _ = writeln!(out, "  … and {more} more; `--verbose` shows them");
    }
    if style.verbose || report.verdict != Verdict::Legal {
        for ledger in &report.ledgers {
            out.push_str(&account(ledger, style));
        }
    }
    if !report.findings.is_empty() {
        out.push('\n');
    }
    out
}

fn heading(report: &DeckReport, style: &Style) -> String {
    let (sign, colour) = match report.verdict {
        Verdict::Legal => ("✓", "32"),
        Verdict::Incomplete => ("…", "33"),
        Verdict::Illegal => ("✗", "31"),
        Verdict::Unreadable => ("?", "35"),
    };
    let sign = if style.unicode { sign } else { "-" };
    let word = report.verdict.word();
    let verdict = if style.colour {
        format!("\u{1b}[{colour};1m{sign} {word}\u{1b}[0m")
    } else {
        format!("{sign} {word}")
    };
    let mut line = format!("{verdict}  {}", harmless(&report.deck, false));
    let mut rest = String::new();
    if let Some(format) = &report.format {
        rest.push_str(&format!("  {format}"));
    }
    if let Some(name) = &report.name {
        rest.push_str(&format!("  “{}”", clip(&harmless(name, false), 60)));
    }
    let length = |text: &str| unicode_width::UnicodeWidthStr::width(text);
    let plain = word.len() + 4 + length(&harmless(&report.deck, false));
    if plain + length(&rest) > style.width {
        line.push_str("\n ");
    }
    line + &rest + "\n"
}

fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// A budget as one line of account.
fn account(ledger: &Ledger, style: &Style) -> String {
    let Ledger {
        start,
        refunded,
        spent,
        remaining,
        target,
        uncertain,
    } = ledger;
    let state = match remaining == target {
        _ if *uncertain => " (not counting unknown cards)".to_owned(),
        true => String::new(),
        false => format!(" (must be {target})"),
    };
    let sum = format!(
        "{start} + {} {} - {} {}",
        refunded.0, refunded.1, spent.0, spent.1
    );
    let result = format!("= {remaining} remaining{state}");
    let gap = if sum.len() + result.len() + 4 > style.width {
        "\n    "
    } else {
        " "
    };
    format!("  {sum}{gap}{result}\n")
}

/// The end of a run: how many decks are what, and the rules broken most.
pub fn summary(totals: &Totals, style: &Style) -> String {
    let decks = i64::try_from(totals.decks()).unwrap_or(i64::MAX);
    let mut parts = vec![format!("{} legal", totals.legal)];
    for (number, word) in [
        (totals.incomplete, "incomplete"),
        (totals.illegal, "illegal"),
        (totals.unreadable, "unreadable"),
    ] {
        if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    }
    let mut out = format!("{}: {}\n", counted(decks, "deck"), parts.join(", "));
    if totals.decks() < 2 || style.quiet {
        return out;
    }
    let mut broken: Vec<(&String, &usize)> = totals.by_rule.iter().collect();
    broken.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    if !broken.is_empty() {
        let mut table = comfy_table::Table::new();
        table.load_style(comfy_table::presets::NOTHING);
        for (rule, number) in broken.into_iter().take(8) {
            let number = i64::try_from(*number).unwrap_or(i64::MAX);
            table.add_row(vec![format!("  {rule}"), counted(number, "deck")]);
        }
        out.push_str("Rules broken:\n");
        for line in table.to_string().lines() {
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    let more = [(totals.warnings, "warning"), (totals.notices, "notice")];
    let more: Vec<String> = more
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| counted(i64::try_from(number).unwrap_or(i64::MAX), noun))
        .collect();
    if !more.is_empty() {
        let _ = writeln!(out, "Also {}.", more.join(" and "));
    }
    out
}

#[cfg(test)]
mod tests;
