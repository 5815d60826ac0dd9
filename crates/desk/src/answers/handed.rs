//! Decks that are handed in at the desk.

use super::super::trouble::Trouble;
use super::{Answer, MOST_FINDINGS, compare, import, read, rulebook};
use decklaw_core::deck::{self, Input, Listing};
use decklaw_core::judge::{DeckReport, Judge};
use decklaw_core::name::fold;
use decklaw_core::report::{json, sheet, slip};
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::BTreeSet;

/// A deck as it is handed in: what is kept of it besides its bytes.
#[derive(Debug, Clone)]
pub(crate) struct Handed {
    /// The deck in decklaw's text, which is what is judged.
    pub(crate) text: String,
    /// Its digest; `None`: it is no deck.
    pub(crate) hash: Option<String>,
    /// The word for its verdict.
    pub(crate) verdict: &'static str,
    /// The report, as a line of `ndjson`.
    pub(crate) report: String,
    /// The digest of what decided it.
    pub(crate) rules: Option<String>,
}

/// Reads and judges a deck that is handed in. What is written in decklaw's own text is judged
/// as it is; everything else is made text first.
///
/// # Errors
/// Inputs of the server that are wrong.
pub(crate) fn hand_in(
    judge: &Judge,
    format: &str,
    player: &str,
    bytes: &[u8],
    told: Option<Input>,
) -> Result<Handed, Trouble> {
    let import = import(judge, Some(format), bytes, told)?;
    let text = match (&import.deck, import.input) {
        (Some(deck), input) if input != "text" => {
            let names = rulebook(judge, format)?;
            let read = deck::read(deck.get().as_bytes(), Input::Json, &mut |_| {
                Some(names.section_names())
            });
            match read {
                Ok(deck) => {
                    let listing = Listing {
                        format: None,
                        player: None,
                        ..Listing::from(&deck)
                    };
                    deck::to_text(&listing)
                }
                Err(_) => return Err(Trouble::defect()),
            }
        }
        _ => match decklaw_core::text::decode(bytes) {
            Ok(decoded) => decoded.text.into_owned(),
            Err(error) => return Err(Trouble::wrong(error.to_string())),
        },
    };
    let (report, line) = line_of(judge, format, player, &text)?;
    Ok(Handed {
        hash: report.hash.clone(),
        verdict: report.verdict.word(),
        rules: report
            .rulebook
            .as_deref()
            .map(|rules| decklaw_core::report::json::inputs_digest(rules).to_owned()),
        report: line,
        text,
    })
}

/// The verdict of a deck's text, as a line of `ndjson`, capped.
///
/// # Errors
/// Inputs of the server that are wrong.
pub(crate) fn line_of(
    judge: &Judge,
    format: &str,
    player: &str,
    text: &str,
) -> Result<(DeckReport, String), Trouble> {
    let report = judge.judge_as("-", text.as_bytes(), Input::Text, Some(format));
    let mut report = report.map_err(|error| Trouble::from(&error))?;
    report.player = Some(player.to_owned());
    report.findings.truncate(MOST_FINDINGS);
    let mut line = Vec::new();
    json::write_line(&mut line, &report).map_err(|_| Trouble::defect())?;
    let line = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
    Ok((report, line))
}

/// What a deck that was handed in is printed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paper {
    /// The registration sheet.
    Sheet,
    /// The list with a box for every copy, for a deck check.
    Slip,
}

/// The sheet or the slip of a deck that was handed in.
///
/// # Errors
/// Inputs of the server that are wrong.
pub(crate) fn sheet_of(
    judge: &Judge,
    format: &str,
    player: &str,
    remark: &[(String, String)],
    text: &str,
    paper: Paper,
) -> Result<String, Trouble> {
    let (report, _) = line_of(judge, format, player, text)?;
    let read = read(judge, format, text.as_bytes(), Input::Text)?;
    let mut listing = read
        .as_ref()
        .map(|read| Listing::from(read.deck()))
        .unwrap_or_default();
    listing.player = Some(player.to_owned());
    let known: BTreeSet<&str> = remark.iter().map(|(key, _)| key.as_str()).collect();
    listing
        .remarks
        .retain(|(key, _)| !known.contains(key.as_str()));
    listing.remarks.extend(remark.iter().cloned());
    let rulebook = report.rulebook.clone();
    let rulebook = rulebook.as_deref();
    let day = judge.day().to_string();
    let besides = sheet::Besides {
        day: &day,
        lock: judge.lock().map(|lock| lock.seal.as_str()),
        ..sheet::Besides::default()
    };
    Ok(match paper {
        Paper::Sheet => sheet::page(&report, &listing, rulebook, &besides),
        Paper::Slip => slip::page(&report, &listing, rulebook, &besides),
    })
}

/// What a deck that was played is to the one that was registered, with sentences.
///
/// # Errors
/// Inputs of the server that are wrong.
pub(crate) fn deck_check(judge: &Judge, format: &str, registered: &str, bytes: &[u8]) -> Answer {
    let import = import(judge, Some(format), bytes, None)?;
    let Some(played) = import.deck else {
        return Ok(json!({"answer": "unreadable", "check": import.check}));
    };
    let registered = super::import(
        judge,
        Some(format),
        registered.as_bytes(),
        Some(Input::Text),
    )?;
    let Some(registered) = registered.deck else {
        return Ok(json!({"answer": "unreadable", "check": registered.check}));
    };
    let value = |raw: &RawValue| serde_json::from_str(raw.get()).map_err(|_| Trouble::defect());
    compare(judge, format, &value(&registered)?, &value(&played)?)
}

/// A name by which players are the same.
pub(crate) fn folded(name: &str) -> String {
    fold(name).into_owned()
}
