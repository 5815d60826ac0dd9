//! Findings as annotations that a GitHub workflow shows next to the files.

use crate::judge::Report;
use decklaw_text::text::escape_control;
use std::fmt::Write;
use std::io;

/// Writes a deck's findings, one workflow command a line.
///
/// # Errors
/// An error of the writer.
pub fn annotations(out: &mut dyn io::Write, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        let command = finding.severity.word();
        let mut properties = Vec::new();
        if report.deck != "-" && report.submission.is_none() {
            properties.push(format!("file={}", property(&report.deck)));
            if let (Some(line), Some(column)) = (finding.line, finding.column) {
                properties.push(format!("line={line},col={column}"));
            }
        }
        properties.push(format!("title={}", property(&finding.rule)));
        let mut message = finding.message.clone();
        if let Some(help) = &finding.help {
            let _ = write!(message, " ({help})");
        }
        if report.submission.is_some() {
            message = format!("{}: {message}", report.row_and_player());
        }
        let properties = properties.join(",");
        writeln!(out, "::{command} {properties}::{}", data(&message))?;
    }
    Ok(())
}

/// Text as the message of a command. A log is read in a terminal too.
fn data(text: &str) -> String {
    escape_control(text, true).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text as a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
