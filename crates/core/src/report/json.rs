//! The machine-readable forms `decklaw/check/1` and `decklaw/verdict/1`: frozen copies of the
//! model, so that the model may change.

use crate::banlist::lock::Lock;
use crate::format::Rulebook;
use crate::game::SettingValue;
use crate::judge::{Finding, Judge, Report, Verdict};
use crate::origin::Given;
use crate::rules::{Code, Severity};
use crate::submissions::Submission;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// A finding as it stands in any document.
#[derive(Serialize)]
pub struct FindingJson<'r> {
    rule: &'r str,
    severity: Severity,
    section: Option<&'r str>,
    cards: &'r [String],
    message: &'r str,
    limit: Option<i64>,
    actual: Option<i64>,
    source: Option<&'r str>,
    line: Option<usize>,
    column: Option<usize>,
    code: Code,
    kind: &'static str,
    help: Option<&'r str>,
}

impl<'r> From<&'r Finding> for FindingJson<'r> {
    fn from(finding: &'r Finding) -> Self {
        FindingJson {
            rule: &finding.rule,
            severity: finding.severity,
            section: finding.section.as_deref(),
            cards: &finding.cards,
            message: &finding.message,
            limit: finding.limit,
            actual: finding.actual,
            source: finding.source.as_deref(),
            line: finding.place.map(|place| place.line),
            column: finding.place.map(|place| place.column),
            code: finding.code,
            kind: finding.code.kind,
            help: Some(finding.help.as_str()).filter(|help| !help.is_empty()),
        }
    }
}

/// Findings as they stand in a verdict.
///
/// # Errors
/// None in practice.
pub fn findings(findings: &[Finding]) -> serde_json::Result<serde_json::Value> {
    let findings: Vec<FindingJson<'_>> = findings.iter().map(FindingJson::from).collect();
    serde_json::to_value(findings)
}

struct Counts<'r>(&'r [(String, i64)]);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (section, count) in self.0 {
            map.serialize_entry(section, count)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct DeckJson<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'static str>,
    deck: &'r str,
    format: Option<&'r str>,
    name: Option<&'r str>,
    player: Option<&'r str>,
    verdict: Verdict,
    cards: Counts<'r>,
    hash: Option<&'r str>,
    findings: Vec<FindingJson<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    submission: Option<&'r Submission>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Option<&'r str>>,
    #[serde(skip_serializing_if = "<[Given]>::is_empty")]
    inputs: &'r [Given],
}

impl<'r> From<&'r Report> for DeckJson<'r> {
    fn from(report: &'r Report) -> Self {
        DeckJson {
            schema: None,
            deck: &report.deck,
            format: report.format.as_deref(),
            name: report.name.as_deref(),
            player: report.player.as_deref(),
            verdict: report.verdict,
            cards: Counts(&report.cards),
            hash: report.hash.as_deref(),
            findings: report.findings.iter().map(FindingJson::from).collect(),
            submission: report.submission.as_ref(),
            rules: None,
            inputs: &[],
        }
    }
}

/// What decided the decks of one format: an entry of `rules`.
#[derive(Debug, Serialize)]
pub struct Inputs<'r> {
    format: &'r str,
    cards: Option<&'r str>,
    settings: BTreeMap<&'r str, &'r SettingValue>,
    banlist: Option<ListJson<'r>>,
}

#[derive(Debug, Serialize)]
struct ListJson<'r> {
    id: &'r str,
    effective: String,
    sha256: &'r str,
    /// The day as of which sets come and go, where the list says that they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<String>,
}

#[derive(Debug, Serialize)]
struct LockJson<'r> {
    day: String,
    seal: &'r str,
}

impl<'r> From<&'r Rulebook> for Inputs<'r> {
    fn from(rulebook: &'r Rulebook) -> Self {
        Inputs {
            format: &rulebook.format().game().sha256,
            cards: Some(rulebook.pool().sha256()).filter(|digest| !digest.is_empty()),
            settings: rulebook.settings(),
            banlist: rulebook.list().map(|list| ListJson {
                id: &list.id,
                effective: list.effective.to_string(),
                sha256: &list.sha256,
                as_of: list.rotation.as_ref().map(|_| list.day.to_string()),
            }),
        }
    }
}

/// What decided the decks of each format that a judge has met, by the format's id: the `rules`
/// of a document.
///
/// # Errors
/// None in practice.
pub fn rules(judge: &Judge) -> serde_json::Result<serde_json::Value> {
    let met = judge.met();
    let rules: BTreeMap<&str, Inputs<'_>> = met
        .iter()
        .map(|(id, rulebook)| (id.as_str(), Inputs::from(&**rulebook)))
        .collect();
    serde_json::to_value(rules)
}

/// The digest of what decides the decks of a format: SHA-256 of the canonical JSON of its
/// entry in `rules`.
pub fn inputs_digest(rulebook: &Rulebook) -> &str {
    rulebook.digest(|| crate::digest::sha256(&crate::digest::canonical(&Inputs::from(rulebook))))
}

/// Adds one deck as a line of `ndjson`, with its new line and the [`inputs_digest`] of its
/// rules.
///
/// # Errors
/// Those of writing.
pub fn write_line(mut out: impl Write, report: &Report) -> serde_json::Result<()> {
    let mut deck = DeckJson::from(report);
    deck.schema = Some("decklaw/verdict/1");
    deck.rules = Some(report.rulebook.as_deref().map(inputs_digest));
    let rulebook = report.rulebook.as_deref();
    deck.inputs = rulebook.map_or(&[], Rulebook::given);
    serde_json::to_writer(&mut out, &deck)?;
    out.write_all(b"\n").map_err(serde_json::Error::io)
}

/// Writes all decks of a run as one document, piece by piece. `rules` gives the rulebook of each
/// format met; `as_of` is the day of the run, `lock` what it was held to; `submissions` what is
/// to be said of a form as a whole.
///
/// # Errors
/// Those of writing.
pub fn document<'r>(
    mut out: impl Write,
    reports: &'r [Report],
    rules: &BTreeMap<String, &'r Rulebook>,
    as_of: &str,
    lock: Option<&Lock>,
    submissions: Option<&serde_json::Value>,
) -> serde_json::Result<()> {
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        as_of: &'r str,
        #[serde(skip_serializing_if = "Option::is_none")]
        submissions: Option<&'r serde_json::Value>,
        decks: Vec<DeckJson<'r>>,
        rules: BTreeMap<&'r str, Inputs<'r>>,
        inputs: BTreeSet<&'r Given>,
        #[serde(skip_serializing_if = "Option::is_none")]
        lock: Option<LockJson<'r>>,
    }
    let document = Document {
        schema: "decklaw/check/1",
        as_of,
        submissions,
        decks: reports.iter().map(DeckJson::from).collect(),
        rules: rules
            .iter()
            .map(|(id, rulebook)| (id.as_str(), Inputs::from(*rulebook)))
            .collect(),
        inputs: rules
            .values()
            .flat_map(|rulebook| rulebook.given())
            .collect(),
        lock: lock.map(|lock| LockJson {
            day: lock.day.to_string(),
            seal: &lock.seal,
        }),
    };
    serde_json::to_writer_pretty(&mut out, &document)?;
    out.write_all(b"\n").map_err(serde_json::Error::io)
}
