//! The machine-readable forms `decklaw/check/1` and `decklaw/verdict/1`.

use crate::judge::{Judge, Report};
use decklaw_rules::banlist::lock::Lock;
use decklaw_rules::format::Rulebook;
use decklaw_rules::game::SettingValue;
use decklaw_rules::origin::Sources;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{BufWriter, Write};

/// The inputs that the decks of one format were judged by: an entry of `rules`.
#[derive(Debug, Serialize)]
pub struct Inputs<'r> {
    format: &'r str,
    cards: Option<&'r str>,
    settings: BTreeMap<&'r str, &'r SettingValue>,
    banlist: Option<ListJson<'r>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    from: Sources,
}

#[derive(Debug, Serialize)]
struct ListJson<'r> {
    id: &'r str,
    effective: String,
    sha256: &'r str,
    /// The day that sets rotate by, if the list has a rotation.
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
        Inputs::with(rulebook, rulebook.sources().clone())
    }
}

impl<'r> Inputs<'r> {
    /// The entry of a rulebook with these sources.
    pub fn with(rulebook: &'r Rulebook, from: Sources) -> Inputs<'r> {
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
            from,
        }
    }
}

/// The inputs of each format that a judge has met, by the format's id: the `rules` of a document.
///
/// # Errors
/// None in practice.
pub fn rules(judge: &Judge) -> serde_json::Result<serde_json::Value> {
    let met = judge.met();
    let rules: BTreeMap<&str, Inputs<'_>> =
        met.iter().map(|(id, rulebook)| (id.as_str(), Inputs::from(&**rulebook))).collect();
    serde_json::to_value(rules)
}

/// The digest of a format's inputs: SHA-256 of the canonical JSON of its entry in `rules` without
/// `from`.
pub fn inputs_digest(rulebook: &Rulebook) -> &str {
    let inputs = Inputs::with(rulebook, Sources::new());
    rulebook.digest(|| decklaw_text::digest::sha256(&decklaw_text::digest::canonical(&inputs)))
}

/// A deck as a line of `ndjson`.
#[derive(Serialize)]
struct Line<'r> {
    schema: &'static str,
    #[serde(flatten)]
    report: &'r Report,
    rules: Option<&'r str>,
}

/// Adds one deck as a line of `ndjson`, with its new line and the [`inputs_digest`] of its
/// rules.
///
/// # Errors
/// An error of the writer.
pub fn write_line(out: &mut dyn Write, report: &Report) -> serde_json::Result<()> {
    let mut out = BufWriter::new(out);
    let rulebook = report.rulebook.as_deref();
    let line = Line { schema: "decklaw/verdict/1", report, rules: rulebook.map(inputs_digest) };
    serde_json::to_writer(&mut out, &line)?;
    out.write_all(b"\n").and_then(|()| out.flush()).map_err(serde_json::Error::io)
}

/// Writes all decks of a run as one document, piece by piece. `rules` returns the rulebook of each
/// format met, `as_of` is the day of the run, `lock` its lock, and `submissions` the summary of a
/// form.
///
/// # Errors
/// An error of the writer.
pub fn document<'r>(
    out: &mut dyn Write,
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
        decks: &'r [Report],
        rules: BTreeMap<&'r str, Inputs<'r>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        lock: Option<LockJson<'r>>,
    }
    let document = Document {
        schema: "decklaw/check/1",
        as_of,
        submissions,
        decks: reports,
        rules: rules.iter().map(|(id, rulebook)| (id.as_str(), Inputs::from(*rulebook))).collect(),
        lock: lock.map(|lock| LockJson { day: lock.day.to_string(), seal: &lock.seal }),
    };
    let mut out = BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, &document)?;
    out.write_all(b"\n").and_then(|()| out.flush()).map_err(serde_json::Error::io)
}
