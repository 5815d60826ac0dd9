//! Reports as JUnit XML: a test case a deck, so that any build server shows them.

use super::json;
use crate::judge::{Finding, Report, Verdict};
use decklaw_decks::submissions::Submission;
use decklaw_rules::banlist::lock::Lock;
use decklaw_rules::format::Rulebook;
use decklaw_rules::rules::Severity;
use decklaw_text::text::{counted, escape_control, markup};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes all decks of a run as one document, finding by finding. The properties hold the day, the
/// lock of the run, and the list and the digest of all inputs of each format.
///
/// # Errors
/// An error of the writer.
pub fn document(
    out: &mut dyn Write,
    reports: &[Report],
    rules: &BTreeMap<String, &Rulebook>,
    as_of: &str,
    lock: Option<&Lock>,
) -> io::Result<()> {
    let cases: Vec<Case<'_>> = reports.iter().map(Case::of).collect();
    let of = |wanted: &str| {
        let failures = cases.iter().filter_map(|case| case.failure.as_ref());
        failures.filter(|failure| failure.0 == wanted).count()
    };
    let (tests, errors, failures) = (cases.len(), of("error"), of("failure"));
    let numbers = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"decklaw\" {numbers}>\n  <testsuite name=\"decks\" {numbers} skipped=\"0\">\n"
    )?;
    out.write_all(properties(rules, as_of, lock).as_bytes())?;
    for case in cases {
        case.write(out)?;
    }
    out.write_all(b"  </testsuite>\n</testsuites>\n")
}

/// A test case of a document.
struct Case<'r> {
    /// Its name.
    name: String,
    /// Its class.
    class: String,
    /// Its facts of a form.
    properties: Vec<(String, String)>,
    /// The element of what is wrong, its type, its first line, and all of it.
    failure: Option<(&'static str, String, String, Vec<&'r Finding>)>,
    /// Further notes.
    said: Vec<&'r Finding>,
}

fn properties(rules: &BTreeMap<String, &Rulebook>, as_of: &str, lock: Option<&Lock>) -> String {
    let mut out = "    <properties>\n".to_owned();
    let mut property = |name: &str, value: &str| {
        let (name, value) = (markup(name), markup(value));
        out.push_str(&format!("      <property name=\"{name}\" value=\"{value}\"/>\n"));
    };
    property("as-of", as_of);
    if let Some(lock) = lock {
        property("lock.day", &lock.day.to_string());
        property("lock.seal", &lock.seal);
    }
    for (id, rulebook) in rules {
        property(&format!("{id}.rules"), json::inputs_digest(rulebook));
        if let Some(list) = rulebook.list() {
            property(&format!("{id}.banlist"), &list.id);
            property(&format!("{id}.banlist.effective"), &list.effective.to_string());
            property(&format!("{id}.banlist.sha256"), &list.sha256);
        }
    }
    out + "    </properties>\n"
}

impl<'r> Case<'r> {
    fn of(report: &'r Report) -> Case<'r> {
        let (errors, others): (Vec<&Finding>, Vec<&Finding>) =
            report.findings.iter().partition(|finding| finding.severity == Severity::Error);
        let failure = errors.first().map(|first| {
            let element = match report.verdict {
                Verdict::Unreadable => "error",
                _ => "failure",
            };
            let more = match errors.len() {
                1 => String::new(),
                many => format!(" (and {})", counted(many as i64 - 1, "more error")),
            };
            let message = format!("{}: {}{more}", first.rule, first.message);
            let verdict = report.verdict.word().to_owned();
            (element, verdict, message)
        });
        let failure =
            failure.map(|(element, verdict, message)| (element, verdict, message, errors));
        let class = report.format.as_deref().unwrap_or("no format");
        Case {
            name: report.row_and_player(),
            class: class.to_owned(),
            properties: report.submission.as_ref().map(form).unwrap_or_default(),
            failure,
            said: others,
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        // One line each, for every file name.
        let line = |text: &str| markup(&escape_control(text, false));
        let (name, class) = (line(&self.name), line(&self.class));
        write!(out, "    <testcase name=\"{name}\" classname=\"{class}\"")?;
        if self.properties.is_empty() && self.failure.is_none() && self.said.is_empty() {
            return out.write_all(b"/>\n");
        }
        out.write_all(b">\n")?;
        if !self.properties.is_empty() {
            out.write_all(b"      <properties>\n")?;
            for (name, value) in &self.properties {
                let (name, value) = (shown(name), shown(value));
                writeln!(out, "        <property name=\"{name}\" value=\"{value}\"/>")?;
            }
            out.write_all(b"      </properties>\n")?;
        }
        if let Some((element, kind, message, said)) = &self.failure {
            let (kind, message) = (shown(kind), shown(message));
            write!(out, "      <{element} type=\"{kind}\" message=\"{message}\">")?;
            out.write_all(lines(said).as_bytes())?;
            writeln!(out, "</{element}>")?;
        }
        if !self.said.is_empty() {
            out.write_all(b"      <system-out>")?;
            out.write_all(lines(&self.said).as_bytes())?;
            out.write_all(b"</system-out>\n")?;
        }
        out.write_all(b"    </testcase>\n")
    }
}

/// A line for each of some findings.
fn lines(findings: &[&Finding]) -> String {
    let each: Vec<String> = findings.iter().map(|one| shown(&line(one))).collect();
    each.join("\n")
}

/// The facts of a form about a deck that are not empty.
fn form(row: &Submission) -> Vec<(String, String)> {
    let rows: Vec<String> = row.replaces.iter().map(u64::to_string).collect();
    let own = |text: &Option<String>| text.clone().unwrap_or_default();
    let facts = [
        ("player id", own(&row.identity)),
        ("row", row.row.to_string()),
        ("time", own(&row.time)),
        ("late", row.lateness().to_owned()),
        ("counts", if row.counts { "yes" } else { "no" }.to_owned()),
        ("replaces", rows.join("; ")),
        ("beside", row.beside.map_or_else(String::new, |row| row.to_string())),
        ("file", own(&row.file)),
    ];
    let facts = facts.map(|(name, value)| (name.to_owned(), value));
    let all = facts.into_iter();
    all.filter(|(_, value)| !value.is_empty()).collect()
}

fn shown(text: &str) -> String {
    markup(&escape_control(text, true))
}

/// A finding in a line.
fn line(finding: &Finding) -> String {
    let place = match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        _ => String::new(),
    };
    let source = finding.source.as_ref();
    let source = source.map_or_else(String::new, |source| format!(" [{source}]"));
    let (rule, message) = (&finding.rule, &finding.message);
    let help = finding.help.as_ref();
    let help = help.map_or_else(String::new, |help| format!("; {help}"));
    format!("{place}{rule}: {message}{help}{source}")
}
