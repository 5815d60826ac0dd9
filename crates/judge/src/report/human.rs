//! Reports for terminals: a verdict line for each deck, each finding with the deck's line, the
//! meters of budgets, and a summary. Control characters of a deck are replaced.

mod layout;
mod summary;

pub use summary::{Totals, locked, summary};

use crate::judge::{Finding, Report, Verdict};
use decklaw_rules::rules::{Fault, Severity};
use decklaw_text::problem::Problem;
use decklaw_text::text::{Span, counted, escape_control, listed};
use layout::{clip, wrap};
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, MietteError,
    NamedSource, SourceCode, SourceSpan, SpanContents,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use textwrap::{WordSeparator, WordSplitter};

/// The most findings of a deck that are shown unless more is asked for.
const MOST_FINDINGS: usize = 20;
/// The most errors that are shown of one of many decks.
const MOST_OF_MANY: usize = 3;
/// The most findings with `--verbose`.
const MOST_OF_ALL: usize = 500;
/// The most lines of the deck that one finding shows.
const MOST_LINES: usize = 4;
/// The most columns of a deck's name, or of an id.
const LONGEST_NAME: usize = 60;
/// The most columns of a message or a hint.
const LONGEST_MESSAGE: usize = 800;
/// The most bytes of a line that is shown.
const LONGEST_LINE: usize = 400;
/// The most bytes of a deck whose lines are shown: each finding searches the text.
const LARGEST_SHOWN: usize = 1 << 20;
/// The most lines of an entry that is shown as it came.
const MOST_AS_IT_CAME: usize = 40;

/// How a report looks.
#[derive(Debug, Clone)]
pub struct Style {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether colours may be used.
    pub colour: bool,
    /// Print only the errors of decks that are not legal.
    pub quiet: bool,
    /// Print every finding, and all meters.
    pub verbose: bool,
}

impl Style {
    /// A text in a terminal's colour, by its number.
    fn paint(&self, text: &str, colour: &str) -> String {
        if self.colour { format!("\u{1b}[{colour}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// How findings and problems are drawn.
    fn handler(&self) -> GraphicalReportHandler {
        let theme =
            if self.colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        GraphicalReportHandler::new_themed(theme)
            .with_width(self.width)
            .with_urls(false)
            .with_context_lines(1)
            .with_break_words(false)
            .with_word_separator(WordSeparator::AsciiSpace)
            .with_word_splitter(WordSplitter::NoHyphenation)
            .without_cause_chain()
            .without_syntax_highlighting()
    }
}

/// Foreign text without control characters, for a single line.
fn shown(text: &str, most: usize) -> String {
    escape_control(&clip(text, most), false).into_owned()
}

/// A number of things, in words.
fn number_of(number: usize, noun: &str) -> String {
    counted(i64::try_from(number).unwrap_or(i64::MAX), noun)
}

/// A sentence with a capital letter.
fn capital(sentence: &str) -> String {
    let mut rest = sentence.chars();
    let first = rest.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(rest).collect()
}

/// One deck: its verdict, each finding with its place in `source` (the deck's text without a byte
/// order mark), errors first, and the meters of its budgets. A legal deck without findings is a
/// single line, or none with [`quiet`](Style::quiet).
pub fn deck(report: &Report, source: &str, style: &Style) -> String {
    if style.quiet && report.is_legal() {
        return String::new();
    }
    let mut out = heading(report, style);
    let wanted = |finding: &&Finding| !style.quiet || finding.severity == Severity::Error;
    let findings: Vec<&Finding> = report.by_severity().into_iter().filter(wanted).collect();
    let (unknown, others) = take_unknown(findings);
    if !unknown.is_empty() {
        out.push('\n');
        out.push_str(&unknown_cards(report, &unknown, style));
    }
    let most = if style.verbose { MOST_OF_ALL } else { MOST_FINDINGS };
    let (shown, left) = others.split_at(others.len().min(most));
    let text = Source::of(&report.deck, source);
    for finding in shown {
        out.push('\n');
        out.push_str(&one_finding(finding, &text, style));
    }
    if !left.is_empty() {
        out.push('\n');
        out.push_str(&more(left, style));
    }
    let is_quiet_deck = shown.is_empty() && unknown.is_empty();
    let meters = meters(report, &others, style);
    if !(meters.is_empty() || is_quiet_deck) {
        out.push('\n');
    }
    out.push_str(&meters);
    if !is_quiet_deck {
        out.push('\n');
    }
    let is_entry = report.submission.is_some() && report.verdict == Verdict::Unreadable;
    if style.verbose && is_entry && !source.trim().is_empty() {
        out.push_str(&as_it_came(source));
    }
    out
}

/// A cell of a form that should be a deck and is not.
fn as_it_came(source: &str) -> String {
    let mut out = "  as it came:\n".to_owned();
    for line in source.lines().take(MOST_AS_IT_CAME) {
        out.push_str(&format!("    {}\n", shown(line, LONGEST_LINE)));
    }
    let left = source.lines().skip(MOST_AS_IT_CAME).count();
    if left > 0 {
        out.push_str(&format!("    … and {}\n", number_of(left, "more line")));
    }
    out.push('\n');
    out
}

/// One of many decks: nothing of a legal one, else its verdict and a line for each of its first
/// errors.
pub fn one_of_many(report: &Report, style: &Style) -> String {
    if report.is_legal() {
        return String::new();
    }
    let mut out = heading(report, style);
    let errors = report.findings.iter().filter(|one| one.severity == Severity::Error);
    let errors: Vec<&Finding> = errors.collect();
    let (shown_here, left) = errors.split_at(errors.len().min(MOST_OF_MANY));
    for finding in shown_here {
        let place = finding.line.map_or_else(String::new, |line| format!("line {line}: "));
        let message = shown(&finding.message, LONGEST_MESSAGE);
        let rule = shown(&finding.rule, LONGEST_NAME);
        out.push_str(&wrap(&format!("  {place}{message} ({rule})"), 4, style.width));
    }
    if !left.is_empty() {
        out.push_str(&format!("  … and {}\n", number_of(left.len(), "more error")));
    }
    out
}

/// A problem with the lines of its place, from the file that the place names or from its source.
pub fn problem(problem: &Problem, file: Option<&str>, style: &Style) -> String {
    let place = problem.place.as_ref();
    let source = place.map(|place| match file {
        Some(text) => Source::of(&place.source, text),
        None => Source::of("", &place.source),
    });
    let spans = place.map(|place| Span::new(place.from, place.to));
    let diagnostic = MietteDiagnostic::new(shown(&problem.message, LONGEST_MESSAGE));
    let help = problem.help.as_ref();
    let diagnostic = match help.map(|help| shown(help, LONGEST_MESSAGE)) {
        Some(help) => diagnostic.with_help(capital(&help)),
        None => diagnostic,
    };
    let source = source.unwrap_or_else(|| Source::of("", ""));
    draw(diagnostic, &source, spans.as_slice(), style)
}

/// The sign of a verdict and its colour.
fn sign(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Legal => ("✓", "32"),
        Verdict::Incomplete => ("○", "33"),
        Verdict::Illegal => ("✗", "31"),
        Verdict::Unreadable => ("?", "35"),
    }
}

fn heading(report: &Report, style: &Style) -> String {
    let (sign, colour) = sign(report.verdict);
    let mut out = style.paint(sign, colour);
    out.push(' ');
    out.push_str(&escape_control(&report.deck, false));
    let mut add = |text: &str| {
        out.push_str("  ");
        out.push_str(text);
    };
    add(&style.paint(report.verdict.word(), colour));
    if let Some(format) = &report.format {
        add(&shown(format, LONGEST_NAME));
    }
    if let Some(name) = &report.name {
        add(&format!("\"{}\"", shown(name, LONGEST_NAME)));
    }
    if let Some(submission) = &report.submission {
        if let Some(player) = &report.player {
            add(&shown(player, LONGEST_NAME));
        }
        let remark = submission.remark();
        if !remark.is_empty() {
            let remark = shown(&remark, LONGEST_MESSAGE);
            add(&style.paint(&format!("({remark})"), "33"));
        }
    }
    wrap(&out, 2, style.width)
}

/// The line with the number of findings that are not shown.
fn more(left: &[&Finding], style: &Style) -> String {
    let of = |severity| left.iter().filter(|one| one.severity == severity).count();
    let kinds = [Severity::Error, Severity::Warning, Severity::Notice];
    let kinds: Vec<String> = kinds
        .into_iter()
        .filter(|severity| of(*severity) > 0)
        .map(|severity| number_of(of(severity), severity.word()))
        .collect();
    let text =
        format!("  … and {} more ({}); {}", left.len(), listed(&kinds, "and"), where_all(style));
    wrap(&text, 4, style.width)
}

/// The option that lists all findings.
fn where_all(style: &Style) -> &'static str {
    if style.verbose { "JSON and tables list them" } else { "`-v` shows them" }
}

/// The meters of budgets and sizes that no finding is about.
fn meters(report: &Report, findings: &[&Finding], style: &Style) -> String {
    let rules: BTreeSet<&str> = findings.iter().map(|one| one.rule.as_str()).collect();
    let mut out = String::new();
    for meter in &report.meters {
        if rules.contains(meter.rule.as_str()) || (meter.is_ok() && !style.verbose) {
            continue;
        }
        let (sign, colour) = sign(if meter.is_ok() { Verdict::Legal } else { Verdict::Illegal });
        let text = shown(&meter.text, LONGEST_MESSAGE);
        let line = format!("  {} {text}", style.paint(sign, colour));
        out.push_str(&wrap(&line, 4, style.width));
    }
    out
}

/// A deck's text as findings show it.
struct Source {
    name: String,
    text: Arc<String>,
}

impl Source {
    fn of(name: &str, text: &str) -> Source {
        let text = if text.len() > LARGEST_SHOWN {
            String::new()
        } else {
            escape_control(text, true).into_owned()
        };
        Source { name: escape_control(name, false).into_owned(), text: Arc::new(text) }
    }

    /// The text at a span; `None` if the span does not fit the text, or its line is too long.
    fn mark(&self, span: Span) -> Option<SourceSpan> {
        let marked = self.text.get(span.start..span.end)?;
        let marked = marked.lines().next().unwrap_or("");
        let before = self.text.get(..span.start)?.rsplit('\n').next()?;
        let after = self.text.get(span.start..)?.lines().next().unwrap_or("");
        (before.len() + after.len() <= LONGEST_LINE)
            .then(|| SourceSpan::new(span.start.into(), marked.len()))
    }
}

/// A source that shows the marked lines only. By itself miette would begin an excerpt at the mark,
/// and not at the start of its line.
#[derive(Debug)]
struct WholeLines<S>(Arc<String>, S);

impl<S: SourceCode> SourceCode for WholeLines<S> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        if before == 0 && after == 0 {
            return self.1.read_span(span, before, after);
        }
        let text = self.0.as_bytes();
        let head = text.get(..span.offset()).ok_or(MietteError::OutOfBounds)?;
        let end = span.offset() + span.len();
        let tail = text.get(end..).ok_or(MietteError::OutOfBounds)?;
        let start = memchr::memrchr(b'\n', head).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', tail).map_or(text.len(), |at| end + at);
        let whole = SourceSpan::new(start.into(), end - start);
        self.1.read_span(&whole, 0, 0)
    }
}

/// A finding with its lines.
fn one_finding(finding: &Finding, source: &Source, style: &Style) -> String {
    let severity = match finding.severity {
        Severity::Error => miette::Severity::Error,
        Severity::Warning => miette::Severity::Warning,
        Severity::Notice => miette::Severity::Advice,
    };
    let mut code = format!("{} {}", finding.severity, shown(&finding.rule, LONGEST_NAME));
    let spans = &finding.spans[..finding.spans.len().min(MOST_LINES)];
    if !spans.iter().any(|span| source.mark(*span).is_some())
        && let Some(line) = finding.line
    {
        code.push_str(&format!(" (line {line})"));
    }
    let mut help = Vec::new();
    if let Some(text) = &finding.help {
        help.push(capital(&shown(text, LONGEST_MESSAGE)));
    }
    let left = finding.spans.len() - spans.len();
    if left > 0 {
        help.push(format!("Also on {}", number_of(left, "further line")));
    }
    if let Some(source) = &finding.source {
        help.push(format!("Rule: {}", shown(source, LONGEST_MESSAGE)));
    }
    let mut diagnostic = MietteDiagnostic::new(shown(&finding.message, LONGEST_MESSAGE))
        .with_code(code)
        .with_severity(severity);
    if !help.is_empty() {
        diagnostic = diagnostic.with_help(help.join("\n"));
    }
    draw(diagnostic, source, spans, style)
}

/// Draws a finding or a problem: without spaces at the ends of lines, and without empty lines.
fn draw(diagnostic: MietteDiagnostic, source: &Source, spans: &[Span], style: &Style) -> String {
    let mut labels: Vec<LabeledSpan> = Vec::new();
    let mut end = 0;
    let mut marks: Vec<(usize, SourceSpan)> = Vec::new();
    for (at, span) in spans.iter().enumerate() {
        marks.extend(source.mark(*span).map(|mark| (at, mark)));
    }
    marks.sort_by_key(|(_, mark)| mark.offset());
    for (at, mark) in marks {
        // Adjacent marks would look like one.
        if mark.offset() >= end {
            end = mark.offset() + mark.len().max(1);
            labels.push(match at {
                0 => LabeledSpan::new_primary_with_span(None, mark),
                _ => LabeledSpan::new_with_span(None, mark),
            });
        }
    }
    let words = diagnostic.message.clone();
    let mut report = miette::Report::new(diagnostic.with_labels(labels.clone()));
    if !labels.is_empty() {
        let text = Arc::clone(&source.text);
        report = if source.name.is_empty() {
            report.with_source_code(WholeLines(Arc::clone(&text), text))
        } else {
            let named = NamedSource::new(&source.name, Arc::clone(&text));
            report.with_source_code(WholeLines(text, named))
        };
    }
    let mut drawn = String::new();
    if style.handler().render_report(&mut drawn, report.as_ref()).is_err() {
        drawn = words;
    }
    let lines = drawn.lines().map(str::trim_end);
    let mut out = String::new();
    for line in lines.filter(|line| !line.is_empty()) {
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Splits unknown cards, and findings that depend on them, from the other findings. A single
/// unknown card stays among these.
fn take_unknown(findings: Vec<&Finding>) -> (Vec<&Finding>, Vec<&Finding>) {
    let is_unknown = |one: &&Finding| one.code.fault == Fault::NotInPool && !one.cards.is_empty();
    let depends = |one: &&Finding| {
        one.code.kind == decklaw_rules::rules::unknown::ID && one.code.fault == Fault::Unverified
    };
    match findings.iter().filter(|one| is_unknown(one)).count() {
        0 | 1 => (Vec::new(), findings),
        _ => findings.into_iter().partition(|one| is_unknown(one) || depends(one)),
    }
}

/// The group of unknown cards: each with its line and the nearest name, then the findings that
/// depend on them, and the fix.
fn unknown_cards(report: &Report, findings: &[&Finding], style: &Style) -> String {
    let (unknown, open): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|one| one.code.fault == Fault::NotInPool);
    let Some(first) = unknown.first() else {
        return String::new();
    };
    let (sign, colour) = match first.severity {
        Severity::Error => ("×", "31"),
        Severity::Warning | Severity::Notice => ("☞", "33"),
    };
    let head = format!("{} {}", first.severity, shown(&first.rule, LONGEST_NAME));
    let count = number_of(unknown.len(), "unknown card");
    let mut out = style.paint(&head, colour) + "\n";
    out.push_str(&format!("  {} {count}\n", style.paint(sign, colour)));
    let most = if style.verbose { MOST_OF_ALL } else { MOST_FINDINGS };
    let listed = &unknown[..unknown.len().min(most)];
    let shared = first.help.as_deref();
    let shared = shared.filter(|help| unknown.iter().all(|one| one.help.as_deref() == Some(help)));
    let lines = listed.iter().filter_map(|one| one.line);
    let digits = lines.max().unwrap_or(1).to_string().len();
    for one in listed {
        let line = one.line.map_or_else(String::new, |line| line.to_string());
        let name = one.cards.first().map_or("", String::as_str);
        let help = match shared {
            Some(_) => "",
            None => one.help.as_deref().unwrap_or_default(),
        };
        let text = format!(
            "    {line:>digits$}  {}  {}",
            shown(name, LONGEST_NAME),
            shown(help, LONGEST_MESSAGE)
        );
        out.push_str(&wrap(text.trim_end(), 4 + digits + 4, style.width));
    }
    let mut last = Vec::new();
    if unknown.len() > listed.len() {
        let left = unknown.len() - listed.len();
        last.push(format!("… and {left} more; {}", where_all(style)));
    }
    last.extend(shared.map(|help| capital(&shown(help, LONGEST_MESSAGE))));
    last.extend(open.iter().map(|one| capital(&shown(&one.message, LONGEST_MESSAGE))));
    // A row of a form and standard input are not files to change. Advice that is the same for all
    // names is not a near card.
    if shared.is_none() && report.submission.is_none() && report.deck != "-" {
        let deck = escape_control(&report.deck, false);
        let deck = if deck.contains([' ', '\'', '"', '$', '&', ';']) {
            format!("'{}'", deck.replace('\'', "'\\''"))
        } else {
            deck.into_owned()
        };
        last.push(format!("`decklaw fix {deck}` corrects names with one near card"));
    }
    for text in last {
        out.push_str(&wrap(&format!("  {text}"), 4, style.width));
    }
    out
}

#[cfg(test)]
mod tests;
