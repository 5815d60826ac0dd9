//! Reports for people: each finding with the deck's own line, the account of a budget, and a
//! summary. All text of a deck is made harmless before it is shown.

mod excerpt;
mod layout;
mod summary;
mod unknown;

pub use summary::{Totals, given, locked, summary};

use crate::judge::{Finding, Report, Verdict};
use crate::remedy::{Remedy, Words};
use crate::rules::{Ledger, Points, Severity};
use crate::text::{Lines, counted, harmless, listed};
use excerpt::Excerpt;
use layout::{Piece, clip, lay};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};

/// The most findings of a deck that are shown unless more is asked for.
const MOST_FINDINGS: usize = 20;
/// The most findings of one rule that are shown where all are asked for.
const MOST_OF_A_RULE: usize = 100;
/// The most lines of the deck that one finding shows; as many more when more is asked for.
const MOST_LINES: usize = 4;
/// The most columns of a deck's name, or of an id.
const LONGEST_NAME: usize = 60;
/// The most columns of a message or a hint.
const LONGEST_MESSAGE: usize = 800;

/// How a report looks.
#[derive(Debug, Clone)]
pub struct Style {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether colours may be used.
    pub colour: bool,
    /// Whether signs and frames may go beyond ASCII.
    pub unicode: bool,
    /// Say less: nothing of decks that are legal, and of others only what makes them not so.
    pub quiet: bool,
    /// Say more: every finding, and the accounts of legal decks.
    pub verbose: bool,
    /// How what whoever asked could give is worded.
    pub words: Words,
}

impl Style {
    /// The first sign, or the second where only ASCII will do.
    fn sign(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }

    /// Someone else's words, fit to be shown in a line of their own.
    fn words(&self, text: &str, most: usize) -> String {
        let shown = clip(text, most, self);
        let shown = harmless(&shown, false);
        if self.unicode {
            shown.into_owned()
        } else {
            shown.replace('›', ">")
        }
    }

    /// How findings are drawn.
    fn handler(&self) -> GraphicalReportHandler {
        let theme = match (self.unicode, self.colour) {
            (true, true) => GraphicalTheme::unicode(),
            (true, false) => GraphicalTheme::unicode_nocolor(),
            (false, true) => GraphicalTheme::ascii(),
            (false, false) => GraphicalTheme::none(),
        };
        GraphicalReportHandler::new_themed(theme)
            .with_width(self.width)
            .with_urls(false)
            .with_context_lines(0)
            .without_cause_chain()
            .without_primary_span_start()
            .without_syntax_highlighting()
    }
}

/// One deck: its verdict, each finding where it stands in `source` (the deck's text, without a
/// byte order mark), and how its budgets add up. A legal deck with nothing to say about is a
/// single line, or none with [`quiet`](Style::quiet).
pub fn deck(report: &Report, source: &str, style: &Style) -> String {
    if style.quiet && report.verdict == Verdict::Legal {
        return String::new();
    }
    let mut out = heading(report, style);
    let wanted = |finding: &Finding| !style.quiet || finding.severity == Severity::Error;
    let mut findings: Vec<&Finding> = report.findings.iter().filter(|one| wanted(one)).collect();
    let unknown = unknown::take(&mut findings);
    let (shown, left) = choose(findings, style);
    if !unknown.is_empty() {
        out.push('\n');
        out.push_str(&unknown::group(report, &unknown, style));
    }
    if !shown.is_empty() {
        let lines = Lines::of(source);
        let handler = style.handler();
        for finding in &shown {
            out.push('\n');
            draw(&mut out, &handler, &Shown::of(finding, &lines, style));
        }
    }
    if !left.is_empty() {
        out.push('\n');
        out.push_str(&more(&left, style));
    }
    let accounts = style.verbose || report.verdict != Verdict::Legal;
    if accounts && !report.ledgers.is_empty() {
        if !(shown.is_empty() && unknown.is_empty()) {
            out.push('\n');
        }
        for ledger in &report.ledgers {
            out.push_str(&match ledger {
                Ledger::Points(points) => account(points, style),
                Ledger::Sum { .. } => sum(ledger, style),
            });
        }
    }
    let nothing = shown.is_empty() && unknown.is_empty();
    if out.lines().nth(1).is_some() && !(nothing && report.verdict == Verdict::Legal) {
        out.push('\n');
    }
    out
}

/// The sign of a verdict and its colour.
fn sign(verdict: Verdict, style: &Style) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Legal => (style.sign("✓", "+"), "32"),
        Verdict::Incomplete => (style.sign("○", "o"), "33"),
        Verdict::Illegal => (style.sign("✗", "x"), "31"),
        Verdict::Unreadable => ("?", "35"),
    }
}

fn heading(report: &Report, style: &Style) -> String {
    let (sign, colour) = sign(report.verdict, style);
    let mut pieces = vec![
        Piece::painted(0, sign, colour),
        Piece::plain(1, harmless(&report.deck, false)),
        Piece::painted(2, report.verdict.word(), colour),
    ];
    if let Some(format) = &report.format {
        pieces.push(Piece::plain(2, style.words(format, LONGEST_NAME)));
    }
    if let Some(name) = &report.name {
        let name = style.words(name, LONGEST_NAME);
        pieces.push(Piece::plain(2, format!("\"{name}\"")));
    }
    if let Some(submission) = &report.submission {
        if let Some(player) = &report.player {
            pieces.push(Piece::plain(2, style.words(player, LONGEST_NAME)));
        }
        let remark = submission.remark();
        if !remark.is_empty() {
            let remark = style.words(&remark, usize::MAX);
            pieces.push(Piece::painted(2, format!("({remark})"), "33"));
        }
    }
    lay(&pieces, 2, style)
}

/// The findings that are shown, in their order, and those left out: what makes a deck illegal
/// is shown before advice is, and the first of each rule before a further one of any.
fn choose<'f>(findings: Vec<&'f Finding>, style: &Style) -> (Vec<&'f Finding>, Vec<&'f Finding>) {
    if style.verbose {
        // Of one rule as many as a reader would look at.
        let mut of_rule: BTreeMap<&str, usize> = BTreeMap::new();
        return findings.into_iter().partition(|finding| {
            let before = of_rule.entry(&finding.rule).or_default();
            *before += 1;
            *before <= MOST_OF_A_RULE
        });
    }
    if findings.len() <= MOST_FINDINGS {
        return (findings, Vec::new());
    }
    let mut of_rule: BTreeMap<&str, usize> = BTreeMap::new();
    let before = findings.iter().map(|finding| {
        let before = of_rule.entry(&finding.rule).or_default();
        *before += 1;
        *before
    });
    let before: Vec<usize> = before.collect();
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|at| (findings[*at].severity, before[*at]));
    let mut left = order.split_off(MOST_FINDINGS);
    order.sort_unstable();
    left.sort_unstable();
    let pick = |order: Vec<usize>| order.into_iter().map(|at| findings[at]).collect();
    (pick(order), pick(left))
}

/// The line about findings that are not shown.
fn more(left: &[&Finding], style: &Style) -> String {
    let of = |severity| left.iter().filter(|one| one.severity == severity).count();
    let kinds = [
        (of(Severity::Error), "error"),
        (of(Severity::Warning), "warning"),
        (of(Severity::Notice), "notice"),
    ];
    let kinds: Vec<String> = kinds
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| number_of(number, noun))
        .collect();
    let shows = match style.verbose {
        true => "JSON and tables list them".into(),
        false => (style.words)(&Remedy::ShowAll),
    };
    let text = format!(
        "{} and {} more ({}); {shows}",
        style.sign("…", "..."),
        left.len(),
        listed(&kinds, "and"),
    );
    let mut pieces = vec![Piece::plain(1, "")];
    pieces.extend(Piece::words(&text));
    lay(&pieces, 4, style)
}

/// A number of things, in words.
fn number_of(number: usize, noun: &str) -> String {
    counted(i64::try_from(number).unwrap_or(i64::MAX), noun)
}

/// A budget as one line of account: `points: 100 + 12 red mana - 112 green mana = 0 remaining`.
fn account(ledger: &Points, style: &Style) -> String {
    let (sign, colour) = if ledger.uncertain {
        ("?", "33")
    } else if ledger.remaining == ledger.target {
        (style.sign("✓", "+"), "32")
    } else {
        (style.sign("✗", "x"), "31")
    };
    let (added, used) = (&ledger.refunded, &ledger.spent);
    let mut pieces = vec![
        Piece::painted(2, sign, colour),
        Piece::plain(1, "points:"),
        Piece::plain(1, ledger.start.to_string()),
    ];
    for (operator, (number, called)) in [("+", added), ("-", used)] {
        let called = style.words(called, LONGEST_NAME);
        pieces.push(Piece::plain(1, format!("{operator} {number}")));
        pieces.extend(Piece::words(&called));
    }
    pieces.push(Piece::painted(
        1,
        format!("= {} remaining", ledger.remaining),
        colour,
    ));
    if ledger.remaining != ledger.target {
        pieces.push(Piece::plain(1, format!("(must be {})", ledger.target)));
    }
    if ledger.uncertain {
        pieces.extend(Piece::words("(cards of unknown cost are left out)"));
    }
    lay(&pieces, 4, style)
}

/// A sum as one line of account: `influence: 12 of at most 15`.
fn sum(ledger: &Ledger, style: &Style) -> String {
    let (sign, colour) = match (ledger.is_uncertain(), ledger.is_right()) {
        (true, _) => ("?", "33"),
        (false, true) => (style.sign("✓", "+"), "32"),
        (false, false) => (style.sign("✗", "x"), "31"),
    };
    let mut pieces = vec![Piece::painted(2, sign, colour)];
    pieces.extend(Piece::words(&style.words(&ledger.words(), LONGEST_MESSAGE)));
    lay(&pieces, 4, style)
}

/// A finding as the diagnostics library wants it.
#[derive(Debug)]
struct Shown {
    message: String,
    code: String,
    severity: miette::Severity,
    help: Option<String>,
    excerpt: Option<Excerpt>,
}

impl Shown {
    fn of(finding: &Finding, lines: &Lines<'_>, style: &Style) -> Shown {
        let (word, severity) = match finding.severity {
            Severity::Error => ("error", miette::Severity::Error),
            Severity::Warning => ("warning", miette::Severity::Warning),
            Severity::Notice => ("notice", miette::Severity::Advice),
        };
        let numbers = match (finding.limit, finding.actual) {
            (Some(limit), Some(actual)) => Some(format!("limit {limit}, actual {actual}")),
            (Some(limit), None) => Some(format!("limit {limit}")),
            (None, Some(actual)) => Some(format!("actual {actual}")),
            (None, None) => None,
        };
        let most = if style.verbose {
            2 * MOST_LINES
        } else {
            MOST_LINES
        };
        let spans = &finding.spans[..finding.spans.len().min(most)];
        let excerpt = Excerpt::of(lines, spans, numbers.as_deref(), style);
        let mut code = format!("{word} {}", style.words(&finding.rule, LONGEST_NAME));
        if let (None, Some(place)) = (&excerpt, finding.place) {
            let _ = write!(code, " (line {})", place.line);
        }
        let unsaid = numbers.filter(|_| !excerpt.as_ref().is_some_and(|excerpt| excerpt.said));
        Shown {
            message: style.words(&finding.message, LONGEST_MESSAGE),
            code,
            severity,
            help: help(finding, unsaid, finding.spans.len() - spans.len(), style),
            excerpt,
        }
    }
}

/// What to do about it, what the marks do not tell, and where the rules text says so.
fn help(finding: &Finding, unsaid: Option<String>, lines: usize, style: &Style) -> Option<String> {
    let mut help = Vec::new();
    if !finding.help.is_empty() {
        help.push(capital(&style.words(&finding.help, LONGEST_MESSAGE)));
    }
    if lines > 0 {
        help.push(format!("Also on {}", number_of(lines, "further line")));
    }
    match (&finding.source, unsaid) {
        (Some(source), Some(numbers)) => {
            let source = style.words(source, LONGEST_MESSAGE);
            help.push(format!("Rule: {source} ({numbers})"));
        }
        (Some(source), None) => {
            help.push(format!("Rule: {}", style.words(source, LONGEST_MESSAGE)));
        }
        (None, Some(numbers)) => help.push(capital(&numbers)),
        (None, None) => {}
    }
    (!help.is_empty()).then(|| help.join("\n"))
}

/// A sentence with a capital letter.
fn capital(sentence: &str) -> String {
    let mut rest = sentence.chars();
    let first = rest.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(rest).collect()
}

/// Draws a finding: without the library's empty line and without spaces at the ends.
fn draw(out: &mut String, handler: &GraphicalReportHandler, shown: &Shown) {
    let mut drawn = String::new();
    if handler.render_report(&mut drawn, shown).is_err() {
        // It fails only where an excerpt contradicts itself; the words are what matters.
        drawn = format!("{}\n  {}\n", shown.code, shown.message);
    }
    for line in drawn.lines().map(str::trim_end) {
        if !line.is_empty() {
            out.push_str(line);
            out.push('\n');
        }
    }
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
        let help = self.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        let excerpt = self.excerpt.as_ref()?;
        Some(excerpt)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        Some(Box::new(excerpt.labels.iter().cloned()))
    }
}

#[cfg(test)]
mod tests;
