//! Decks and collections as files: what is imported, what is written.

use super::{Bytes, MOST_CARDS, MOST_FINDINGS, Owned, line, read};
use crate::looks::Looks;
use crate::refusal::Refusal;
use crate::site::rulebook;
use decklaw_core::deck::{self, Input, Listing};
use decklaw_core::format::Rulebook;
use decklaw_core::judge::{Judge, ReadDeck};
use decklaw_core::pool::CardId;
use decklaw_core::report::sheet;
use decklaw_core::resolve::Resolved;
use decklaw_core::table;
use decklaw_play::paper::Pictures;
#[cfg(feature = "paper")]
use decklaw_play::paper::{self, Fonts, Front, Picture, Sheets};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A deck of any reader, as it was read.
#[derive(Debug, Serialize, Deserialize)]
pub struct Import {
    /// The deck in JSON; `None`: it is none, and the findings say where and why.
    pub deck: Option<Box<RawValue>>,
    /// What it was read as.
    pub input: String,
    /// Its format, where it is known.
    pub format: Option<String>,
    /// The games whose cards its names are, by their ids, the likeliest first, where nothing says its
    /// format.
    pub likely: Vec<String>,
    /// What is wrong with it, as a verdict has it.
    pub check: Box<RawValue>,
}

/// A finding, as far as whoever has no script is told of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Found {
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// The line of the deck, from 1.
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Import {
    /// What is wrong with the deck.
    pub fn findings(&self) -> Vec<Found> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Check {
            findings: Vec<Found>,
        }
        let check: Check = serde_json::from_str(self.check.get()).unwrap_or_default();
        check.findings
    }
}

/// What a deck may be written in, by the words of `--from`.
pub const INPUTS: [(&str, Input, &str); 8] = [
    ("text", Input::Text, "decklaw's text"),
    (
        "pasted",
        Input::Pasted,
        "a list pasted from another program",
    ),
    ("yaml", Input::Yaml, "YAML"),
    ("json", Input::Json, "JSON"),
    ("csv", Input::Csv, "a table: count, name, section"),
    ("cod", Input::Cockatrice, "Cockatrice's XML"),
    ("dek", Input::Lackey, "LackeyCCG's XML"),
    ("ydk", Input::Ydk, "card numbers"),
];

/// The reader that a word names, or that a file's name tells; `None`: any that fits.
pub fn input(told: &str, file: &str) -> Option<Input> {
    let named = INPUTS.iter().find(|(word, ..)| *word == told);
    let named = named.map(|(_, input, _)| *input);
    named.or_else(|| Input::of_ending(std::path::Path::new(file)))
}

/// Reads a deck with the reader that is told, or else with the first that understands it.
///
/// # Errors
/// Inputs of the server that are wrong.
pub fn import(
    judge: &Judge,
    format: Option<&str>,
    bytes: &[u8],
    told: Option<Input>,
) -> Result<Import, Refusal> {
    let looks_like = |input: Input| {
        let start = bytes.trim_ascii_start();
        match input {
            Input::Cockatrice | Input::Lackey => start.starts_with(b"<"),
            Input::Json => start.starts_with(b"{"),
            Input::Ydk => start.starts_with(b"#created") || start.starts_with(b"#main"),
            _ => true,
        }
    };
    let mut first = None;
    for (word, input, _) in INPUTS {
        if told.is_some_and(|told| told != input) || (told.is_none() && !looks_like(input)) {
            continue;
        }
        // What is no text at all is no deck of this kind.
        let opened = judge.open(bytes, input, format).map_err(|error| {
            Refusal::new(
                400,
                format!("This cannot be read: {}", error.message),
                error.help,
            )
        })?;
        let read = judge
            .read(&opened.source, opened.input, format)
            .map_err(|error| Refusal::from(&error))?;
        let mut report = judge.report("-", &read, format);
        report.note(opened.clone());
        report.findings.truncate(MOST_FINDINGS);
        let deck = match &read {
            ReadDeck::Formatless { deck, .. } => Some(&**deck),
            ReadDeck::Deck(resolved) => Some(resolved.deck()),
            ReadDeck::Unreadable { .. } => None,
        };
        let deck = match deck {
            Some(deck) => {
                let mut listing = match &read {
                    ReadDeck::Deck(resolved) => merged(resolved),
                    _ => Listing::from(deck),
                };
                listing.format.clone_from(&report.format);
                let text = deck::to_json(&listing);
                Some(
                    RawValue::from_string(text.trim_end().to_owned())
                        .map_err(|_| Refusal::defect())?,
                )
            }
            None => None,
        };
        let likely = match &read {
            ReadDeck::Formatless { deck, .. } => {
                let names: BTreeSet<&str> = deck.lines.iter().map(|line| &*line.name).collect();
                let names: Vec<&str> = names.into_iter().collect();
                let games = judge.games_of(&names).into_iter();
                games.map(|(id, _)| id.to_owned()).collect()
            }
            ReadDeck::Deck(_) | ReadDeck::Unreadable { .. } => Vec::new(),
        };
        let import = Import {
            likely,
            input: word.to_owned(),
            format: report.format.clone(),
            check: line(&report)?,
            deck,
        };
        if import.deck.is_some() {
            return Ok(import);
        }
        // What is said of a deck that nothing reads is what the plainest reader says that
        // might have.
        let keep = first.is_none()
            || looks_like(input)
                && input != Input::Pasted
                && !matches!(input, Input::Yaml | Input::Csv);
        if keep {
            first = Some(import);
        }
    }
    first.ok_or_else(Refusal::defect)
}

/// A deck with each card on one line of a section, by the name that its game gives it: what a
/// page changes by name.
fn merged(resolved: &Resolved<'_>) -> Listing {
    let deck = resolved.deck();
    let mut listing = Listing::from(deck);
    for (_, cards) in &mut listing.sections {
        cards.clear();
    }
    let mut places: BTreeMap<(u16, CardId), usize> = BTreeMap::new();
    for (line, card) in deck.lines.iter().zip(resolved.cards()) {
        let Some((_, cards)) = listing.sections.get_mut(usize::from(line.section)) else {
            continue;
        };
        match places
            .get(&(line.section, *card))
            .and_then(|at| cards.get_mut(*at))
        {
            Some((copies, _)) => *copies = copies.saturating_add(line.count).min(deck::MOST_COPIES),
            None => {
                places.insert((line.section, *card), cards.len());
                cards.push((line.count, resolved.list().name(*card).to_owned()));
            }
        }
    }
    listing
}

/// What a deck can be written as: word, name, ending, media type.
pub const WRITERS: &[(&str, &str, &str, &str)] = &[
    ("text", "decklaw's text", "txt", "text/plain; charset=utf-8"),
    ("yaml", "YAML", "yaml", "application/yaml"),
    ("json", "JSON", "json", "application/json"),
    ("csv", "a table", "csv", "text/csv; charset=utf-8"),
    ("list", "a bare list", "txt", "text/plain; charset=utf-8"),
    ("cod", "Cockatrice", "cod", "application/xml"),
    (
        "sheet",
        "a sheet to print",
        "html",
        "text/html; charset=utf-8",
    ),
    #[cfg(feature = "paper")]
    ("proxies", "its cards, to cut out", "pdf", "application/pdf"),
];

/// A deck that was written out, and what of it the file does not show.
#[derive(Debug, Serialize, Deserialize)]
pub struct Written {
    /// The bytes of the file.
    pub bytes: Bytes,
    /// What it does not show.
    pub remarks: Vec<String>,
}

impl From<Vec<u8>> for Written {
    fn from(bytes: Vec<u8>) -> Written {
        let (bytes, remarks) = (Bytes(bytes), Vec::new());
        Written { bytes, remarks }
    }
}

/// A deck written out. What is written is read again, so that nothing is lost in silence.
///
/// # Errors
/// A deck that cannot be read, or one that the file format cannot hold.
pub(crate) fn write(
    judge: &Judge,
    format: &str,
    deck: &RawValue,
    kind: &str,
    #[cfg_attr(not(feature = "paper"), expect(unused_variables))] pictures: Option<&Pictures>,
) -> Result<Written, Refusal> {
    let bytes = deck.get().as_bytes();
    let Some(read) = read(judge, format, bytes, Input::Json)? else {
        return Err(Refusal::wrong("The deck cannot be read."));
    };
    let mut listing = Listing::from(read.deck());
    listing.format = Some(read.rulebook().format().id().to_owned());
    listing.sections.retain(|(_, cards)| !cards.is_empty());
    let (written, input) = match kind {
        "text" => (deck::to_text(&listing).into_bytes(), Input::Text),
        "yaml" => (deck::to_yaml(&listing).into_bytes(), Input::Yaml),
        "json" => (deck::to_json(&listing).into_bytes(), Input::Json),
        "cod" => (
            deck::to_cockatrice(&listing, read.rulebook().section_names().first).into_bytes(),
            Input::Cockatrice,
        ),
        "list" => (deck::to_list(&listing).into_bytes(), Input::Text),
        "csv" => {
            let table = deck::to_csv(&listing).map_err(|_| Refusal::defect())?;
            (table, Input::Csv)
        }
        "sheet" => {
            let written = page_of(judge, format, deck, &listing, read.rulebook());
            return written.map(Written::from);
        }
        #[cfg(feature = "paper")]
        "proxies" => return proxies(judge, &read, pictures),
        _ => return Err(Refusal::none("such file format")),
    };
    let hash = |bytes: &[u8], input: Input| -> Result<Option<String>, Refusal> {
        let report = judge.judge_as("-", bytes, input, Some(format));
        Ok(report.map_err(|error| Refusal::from(&error))?.hash)
    };
    if hash(&written, input)? != hash(bytes, Input::Json)? {
        return Err(Refusal::new(
            409,
            "This file format cannot hold every section and name of this deck.",
            "Choose another one, such as YAML.",
        ));
    }
    Ok(written.into())
}

/// The cards of a deck as they are printed, to be cut out, in the order of its lines.
#[cfg(feature = "paper")]
fn proxies(
    judge: &Judge,
    read: &Resolved<'_>,
    pictures: Option<&Pictures>,
) -> Result<Written, Refusal> {
    let looks = Looks::of(judge, Arc::clone(read.of_format()))?.beside(pictures);
    let mut remarks = Vec::new();
    let mut cards = Vec::new();
    for line in &read.deck().lines {
        let given = looks.picture(&line.name);
        let given = given.map_err(|trouble| trouble.message);
        let picture = |bytes| Picture::read(&line.name, bytes);
        let front = match given.and_then(|given| given.map(picture).transpose()) {
            Ok(Some(picture)) => Front::Picture(picture),
            Ok(None) => Front::Drawn(looks.face(&line.name)),
            Err(why) => {
                remarks.push(why);
                Front::Drawn(looks.face(&line.name))
            }
        };
        cards.push(paper::Card {
            front,
            copies: line.count,
            back: 0,
        });
    }
    let sheets = Sheets {
        title: (read.deck().name.as_ref()).map_or_else(String::new, |name| name.value.to_string()),
        ..Sheets::default()
    };
    let printed = paper::print(&cards, &Fonts::built_in(), &sheets);
    let printed = printed.map_err(|error| Refusal::new(422, format!("{error}."), ""))?;
    let lost = printed.flaws.iter().filter(|flaw| flaw.is_loss());
    remarks.extend(lost.map(ToString::to_string));
    Ok(Written {
        bytes: Bytes(printed.pdf),
        remarks,
    })
}

/// The sheet of a deck.
fn page_of(
    judge: &Judge,
    format: &str,
    deck: &RawValue,
    listing: &Listing,
    rulebook: &Rulebook,
) -> Result<Vec<u8>, Refusal> {
    let mut report = judge
        .judge_as("-", deck.get().as_bytes(), Input::Json, Some(format))
        .map_err(|error| Refusal::from(&error))?;
    // Lines are those of a file that nobody sees.
    for finding in &mut report.findings {
        finding.place = None;
    }
    if let Some(name) = listing.name.as_deref() {
        name.clone_into(&mut report.deck);
    }
    let mut html = sheet::head();
    let (rulebook, day) = (Some(rulebook), judge.day().to_string());
    let besides = sheet::Besides {
        day: &day,
        lock: judge.lock().map(|lock| lock.seal.as_str()),
        ..sheet::Besides::default()
    };
    html.push_str(&sheet::page(&report, listing, rulebook, &besides));
    html.push_str(sheet::FOOT);
    Ok(html.into_bytes())
}

/// A collection from a table with the columns count and name, in any order; and the names
/// that this game does not have.
///
/// # Errors
/// A table that is none.
pub(crate) fn collection(
    judge: &Judge,
    format: &str,
    bytes: &[u8],
) -> Result<(Owned, Vec<String>), Refusal> {
    let rulebook = rulebook(judge, format)?;
    let pool = rulebook.pool();
    let wrong = |why: String| Refusal::wrong(format!("This is no collection: {why}"));
    let sheet = table::read_text(bytes).map_err(|error| wrong(error.to_string()))?;
    let column = |wanted: &str, spellings| match table::column(&sheet.header, spellings) {
        Ok(Some(at)) => Ok(at),
        Ok(None) => Err(wrong(format!(
            "the column `{wanted}` is missing; the header names {}",
            table::quoted(&sheet.header)
        ))),
        Err(table::Doubled(names)) => Err(wrong(format!(
            "the columns {} may each be `{wanted}`; call one of them so",
            table::quoted(&names)
        ))),
    };
    let count = column("count", table::COUNTS)?;
    let card = column("name", decklaw_core::pool::NAMES)?;
    let (mut owned, mut others) = (Owned::new(), Vec::new());
    for row in &sheet.rows {
        let (line, count, card) = (row.number, row.cell(count), row.cell(card));
        let number: u32 = count.parse().map_err(|_| {
            wrong(format!(
                "line {line}: the count `{count}` is no whole number"
            ))
        })?;
        match pool.find(card) {
            Some(card) if number > 0 => {
                let copies = owned.entry(pool.folded(card).to_owned()).or_default();
                *copies = copies.saturating_add(number);
            }
            None if number > 0 => others.push(card.to_owned()),
            _ => {}
        }
    }
    others.truncate(MOST_CARDS);
    Ok((owned, others))
}
