//! The outputs of `check`: what is written of a deck at once, and what at the end.

use crate::cli::CliError;
use crate::format::Rulebook;
use crate::judge::{Judge, Report, Verdict};
use crate::render::{Kind, Written};
use crate::report::human::{self, Style};
use crate::report::table::{self, Shape};
use crate::report::{github, json, junit, workbook};
use crate::spreadsheet::Flavour;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The verdicts on decks.
pub(in crate::cli) struct Verdicts;

impl Written for Verdicts {
    const KINDS: &'static [Kind] = &[
        Kind::Human,
        Kind::Json,
        Kind::Ndjson,
        Kind::Csv(Flavour::Plain),
        Kind::Csv(Flavour::Excel),
        Kind::Junit,
        Kind::Github,
        Kind::Xlsx,
    ];
}

/// How decks are written.
#[derive(Debug)]
pub(super) struct Writing<'r> {
    pub(super) judge: &'r Judge,
    pub(super) style: Style,
    /// Whether the terminal shows a few lines for each deck.
    pub(super) is_brief: bool,
    /// What tables have.
    pub(super) shape: Shape,
    /// In tables a row a deck.
    pub(super) summary: bool,
}

impl Writing<'_> {
    /// The text before the first deck.
    pub(super) fn head(&self, kind: Kind) -> csv::Result<Vec<u8>> {
        match kind {
            Kind::Csv(flavour) if !self.summary => table::header(flavour, self.shape),
            Kind::Human => Ok(self.judge.caution().map_or_else(Vec::new, |caution| {
                let caution = crate::text::escape_control(caution, true);
                format!("warning: {caution}\n").into_bytes()
            })),
            _ => Ok(Vec::new()),
        }
    }

    /// Writes what is written of a deck as soon as it is judged. `text` are the deck's bytes.
    ///
    /// # Errors
    /// Those of writing.
    pub(super) fn deck(
        &self,
        kind: Kind,
        out: &mut dyn Write,
        report: &Report,
        text: &[u8],
    ) -> io::Result<()> {
        match kind {
            Kind::Human if self.style.quiet && report.verdict == Verdict::Legal => {}
            Kind::Human if self.is_brief => {
                out.write_all(human::one_of_many(report, &self.style).as_bytes())?;
            }
            Kind::Human => {
                let text = match &report.text {
                    Some(text) => Cow::Borrowed(text.as_str()),
                    None => String::from_utf8_lossy(crate::text::without_bom(text)),
                };
                out.write_all(human::deck(report, &text, &self.style).as_bytes())?;
            }
            Kind::Ndjson => json::write_line(out, report)?,
            Kind::Csv(_) if self.summary => {}
            Kind::Csv(flavour) => {
                let written = table::rows(out, report, flavour, self.shape);
                written.map_err(io::Error::other)?;
            }
            Kind::Github => github::annotations(out, report)?,
            Kind::Json | Kind::Junit | Kind::Xlsx | Kind::Data(_) => {}
        }
        Ok(())
    }

    /// Whether it is written at the end, of all decks together.
    pub(super) fn is_document(&self, kind: Kind) -> bool {
        kind.is_document() || (self.summary && matches!(kind, Kind::Csv(_)))
    }

    /// Whether the output of a deck grows with its findings: the text for people is limited.
    pub(super) fn grows(kind: Kind) -> bool {
        matches!(kind, Kind::Ndjson | Kind::Csv(_) | Kind::Github)
    }

    /// Writes a document about all decks.
    pub(super) fn document(
        &self,
        kind: Kind,
        out: &mut dyn Write,
        reports: &[Report],
        survey: Option<&serde_json::Value>,
    ) -> Result<(), CliError> {
        let met = self.judge.met();
        let rules: BTreeMap<String, &Rulebook> =
            met.iter().map(|(id, rulebook)| (id.clone(), &**rulebook)).collect();
        let (day, lock) = (self.judge.day().to_string(), self.judge.lock());
        match kind {
            Kind::Json => json::document(out, reports, &rules, &day, lock, survey)?,
            Kind::Junit => junit::document(out, reports, &rules, &day, lock)?,
            Kind::Csv(flavour) if self.summary => {
                out.write_all(&table::verdicts(reports, self.shape).csv(flavour)?)?;
            }
            Kind::Xlsx => {
                let mut sheets = vec![table::verdicts(reports, self.shape)];
                if !self.summary {
                    sheets.push(table::findings(reports, self.shape));
                }
                sheets.push(table::judged_by(&rules, &day, lock));
                out.write_all(&workbook::workbook(sheets)?)?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// Which decks are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Only {
    // Legal ones
    Legal,
    // Those that cards must be added to
    Incomplete,
    // Illegal ones
    Illegal,
    // Those that cannot be read
    Unreadable,
    // Those that came after the deadline
    Late,
}

impl Only {
    /// Whether a deck is of this kind.
    pub(super) fn takes(self, report: &Report) -> bool {
        match self {
            Only::Legal => report.verdict == Verdict::Legal,
            Only::Incomplete => report.verdict == Verdict::Incomplete,
            Only::Illegal => report.verdict == Verdict::Illegal,
            Only::Unreadable => report.verdict == Verdict::Unreadable,
            Only::Late => report.submission.as_ref().is_some_and(|row| row.late),
        }
    }
}
