//! Decks as files: read, written and compared.

use crate::bytes::Bytes;
use crate::check::CheckAnswer;
use crate::deck::{INPUTS, Source, Subject, input, known};
#[cfg(feature = "paper")]
use crate::faces::CardRenderer;
use crate::library::{JudgeEntry, Library};
use crate::notes::Notes;
use crate::picture::picture;
use crate::problem;
use crate::question::{Ask, Compare, Read, Write};
use decklaw_cards::pool::CardId;
use decklaw_decks::deck::{self, Input, Listing};
use decklaw_engine::solve::{self, Difference};
use decklaw_judge::Note;
use decklaw_judge::judge::{Finding, Judge, ReadDeck};
use decklaw_judge::report::sheet;
use decklaw_judge::resolve::{Decklist, Resolved};
use decklaw_play::matches::Setup;
#[cfg(feature = "paper")]
use decklaw_play::paper::Pictures;
#[cfg(feature = "paper")]
use decklaw_play::paper::{self, Fonts, Front, Sheets};
use decklaw_rules::rules::{Fault, Severity};
use decklaw_text::{Problem, ProblemKind};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
#[cfg(feature = "paper")]
use std::sync::Arc;

/// The most findings of an answer.
const MOST_FINDINGS: usize = 200;

/// A deck of any reader: `decklaw/read/1`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "schema", rename = "decklaw/read/1")]
#[non_exhaustive]
pub struct ReadAnswer {
    /// The deck as JSON; `None`: there is none, and the findings say where and why.
    pub deck: Option<Box<RawValue>>,
    /// What it was read as.
    pub input: String,
    /// Its format, where it is known.
    pub format: Option<String>,
    /// Ids of the games that have its cards, the likeliest first, where nothing says its format.
    pub likely: Vec<String>,
    /// What is wrong with it.
    pub check: CheckAnswer,
    /// What its reader left out, moved, split, decoded, read loosely and did not know: the deck as
    /// JSON says nothing of that.
    pub notes: Notes,
}

impl ReadAnswer {
    /// What is wrong with the deck.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.check.0.findings.iter();
        findings.filter(|finding| finding.severity == Severity::Error)
    }
}

impl Ask for Read {
    type Answer = ReadAnswer;

    fn ask(self, library: &Library) -> Result<ReadAnswer, Problem> {
        let subject = self.subject();
        let entry = library.judge_of(subject)?;
        let (text, known) = subject.deck.bytes();
        let stated = self.from.as_deref().filter(|word| !word.is_empty());
        let stated = stated.map(input).transpose()?.or(known);
        let stated = stated.or_else(|| Input::of_ending(Path::new(self.file.as_deref()?)));
        import(&entry, subject.format, text, stated)
    }
}

/// Reads a deck with the stated reader, or else with the first that understands it.
///
/// # Errors
/// A file of another program; games or lists that are wrong.
pub fn import(
    entry: &JudgeEntry,
    format: Option<&str>,
    bytes: &[u8],
    stated: Option<Input>,
) -> Result<ReadAnswer, Problem> {
    let judge = &entry.judge;
    let looks_like = |input: Input| {
        let start = bytes.trim_ascii_start();
        match input {
            Input::Xml => start.starts_with(b"<"),
            Input::Json => start.starts_with(b"{"),
            Input::Ydk => start.starts_with(b"#created") || start.starts_with(b"#main"),
            _ => true,
        }
    };
    let mut first = None;
    for (word, input, _) in INPUTS {
        if stated.is_some_and(|stated| stated != input) || (stated.is_none() && !looks_like(input))
        {
            continue;
        }
        // What is no text at all is no deck of this kind.
        let opened = judge.open(bytes, input, format).map_err(|error| {
            let message = format!("this cannot be read: {}", error.message);
            Problem::new(ProblemKind::Deck, message).with_help(error.help)
        })?;
        let read = judge.read(&opened, format)?;
        let mut report = judge.report("-", &read, format);
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
                        .map_err(|_| problem::defect())?,
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
        let notes = match &read {
            ReadDeck::Deck(resolved) => Notes::of(resolved),
            ReadDeck::Formatless { .. } | ReadDeck::Unreadable { .. } => Notes::without_deck(),
        };
        let import = ReadAnswer {
            likely,
            input: word.to_owned(),
            format: report.format.clone(),
            check: CheckAnswer(report),
            deck,
            notes,
        };
        if import.deck.is_some() {
            return Ok(import);
        }
        // Of a deck that no reader accepts, report the error of the simplest reader that could
        // have.
        let keep =
            first.is_none() || looks_like(input) && !matches!(input, Input::Yaml | Input::Table);
        if keep {
            first = Some(import);
        }
    }
    first.ok_or_else(problem::defect)
}

/// A deck with each card on one line of a section, by the name that its game gives it: what a
/// page changes by name.
pub(crate) fn merged(resolved: &Resolved<'_>) -> Listing {
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
        match places.get(&(line.section, *card)).and_then(|at| cards.get_mut(*at)) {
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
    ("svg", "a picture", "svg", "image/svg+xml"),
    ("sheet", "a sheet to print", "html", "text/html; charset=utf-8"),
    #[cfg(feature = "paper")]
    ("proxies", "its cards, to cut out", "pdf", "application/pdf"),
];

/// A deck as a file: `decklaw/write/1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "schema", rename = "decklaw/write/1")]
#[non_exhaustive]
pub struct WriteAnswer {
    /// The bytes of the file, base64 in JSON.
    pub bytes: Bytes,
    /// What is to be known of the deck, and what the file does not hold.
    pub notes: Notes,
}

impl Ask for Write {
    type Answer = WriteAnswer;

    fn ask(self, library: &Library) -> Result<WriteAnswer, Problem> {
        let entry = library.judge_of(self.subject())?;
        let source = Source::of(&entry, self.subject())?;
        let read = source.resolved(&entry)?;
        let mut notes = Notes::of(&read);
        let bytes = match self.to_format.as_str() {
            "sheet" => page_of(&entry, &source, &read)?,
            "svg" => picture(&entry.judge, library.pictures.as_ref(), &read)?.into_bytes(),
            #[cfg(feature = "paper")]
            "proxies" => proxies(&entry.judge, &read, library.pictures.as_ref(), &mut notes)?,
            kind => write(&entry, &read, kind)?,
        };
        let settings = entry.judge.settings();
        if !settings.is_empty() && settings != library.judge()?.judge.settings() {
            let each = settings.iter().map(|(name, value)| format!("{name}={value}"));
            let each: Vec<String> = each.collect();
            let each = each.join(", ");
            let message =
                format!("A file holds no settings. Give them again with the deck ({each}).");
            notes.extend([Note::new("deck", Fault::LeftOut, message)]);
        }
        Ok(WriteAnswer { bytes: Bytes(bytes), notes })
    }
}

/// A deck as it is written: with its format, and without empty sections.
fn listing(read: &Resolved<'_>) -> Listing {
    let mut listing = Listing::from(read.deck());
    listing.format = Some(read.rulebook().format().id().to_owned());
    listing.sections.retain(|(_, cards)| !cards.is_empty());
    listing
}

/// A deck as a file. The file is read again, so that nothing is lost in silence.
fn write(entry: &JudgeEntry, read: &Resolved<'_>, kind: &str) -> Result<Vec<u8>, Problem> {
    let format = read.rulebook().format().id();
    let listing = listing(read);
    let (written, input) = match kind {
        "text" => (deck::to_text(&listing).into_bytes(), Input::Text),
        "yaml" => (deck::to_yaml(&listing).into_bytes(), Input::Yaml),
        "json" => (deck::to_json(&listing).into_bytes(), Input::Json),
        "link" => (deck::to_link(&listing).into_bytes(), Input::Json),
        "cod" => (
            deck::to_cockatrice(&listing, read.rulebook().section_names().first).into_bytes(),
            Input::Xml,
        ),
        "list" => (deck::to_list(&listing).into_bytes(), Input::Text),
        "csv" => {
            let table = deck::to_csv(&listing).map_err(|_| problem::defect())?;
            (table, Input::Table)
        }
        _ => {
            let message = format!("decks are not written as `{kind}`");
            return Err(Problem::new(ProblemKind::NotFound, message));
        }
    };
    let report = entry.judge.judge_as("-", &written, input, Some(format))?;
    if report.hash.as_deref() != Some(read.list().hash().as_str()) {
        return Err(Problem::new(
            ProblemKind::Deck,
            "this kind of file cannot hold every section and name of this deck",
        )
        .with_help("Choose another kind, such as YAML."));
    }
    Ok(written)
}

/// The cards of a deck as they are printed, to be cut out, in the order of its lines.
#[cfg(feature = "paper")]
fn proxies(
    judge: &Judge,
    read: &Resolved<'_>,
    pictures: Option<&Pictures>,
    notes: &mut Notes,
) -> Result<Vec<u8>, Problem> {
    let looks = CardRenderer::of(judge, Arc::clone(read.of_format()))?.beside(pictures);
    let flaw = |message: String| Note::new("print", Fault::Unverified, message);
    let mut cards = Vec::new();
    for line in &read.deck().lines {
        let front = looks.front(&line.name).unwrap_or_else(|problem| {
            notes.extend([flaw(problem.message)]);
            Front { face: looks.face(&line.name), picture: None }
        });
        cards.push(paper::Card { front, copies: line.count, back: 0 });
    }
    let sheets = Sheets {
        title: (read.deck().name.as_ref()).map_or_else(String::new, |name| name.value.to_string()),
        ..Sheets::default()
    };
    let printed = paper::print(&cards, &mut Fonts::built_in(), &sheets);
    let printed = printed.map_err(|error| Problem::new(ProblemKind::Deck, format!("{error}")))?;
    notes.extend(printed.flaws.iter().map(|one| flaw(one.to_string())));
    Ok(printed.pdf)
}

/// The sheet of a deck.
fn page_of(
    entry: &JudgeEntry,
    source: &Source<'_>,
    read: &Resolved<'_>,
) -> Result<Vec<u8>, Problem> {
    let judge = &entry.judge;
    let listing = listing(read);
    let mut report = judge.report("-", &source.read(entry)?, source.format);
    // The lines are those of a file that is not shown.
    for finding in &mut report.findings {
        finding.line = None;
        finding.column = None;
    }
    if let Some(name) = listing.name.as_deref() {
        name.clone_into(&mut report.deck);
    }
    let mut html = sheet::head();
    let day = judge.day().to_string();
    let besides = sheet::SheetFacts {
        day: &day,
        lock: judge.lock().map(|lock| lock.seal.as_str()),
        ..sheet::SheetFacts::default()
    };
    html.push_str(&sheet::page(&report, &listing, Some(read.rulebook()), &besides));
    html.push_str(sheet::FOOT);
    Ok(html.into_bytes())
}

/// How two decks differ: `decklaw/registered/1`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "schema", rename = "decklaw/registered/1")]
#[non_exhaustive]
pub struct CompareAnswer {
    /// What the deck is to the other one, in a word.
    pub answer: String,
    /// What differs.
    pub changes: Vec<Difference>,
    /// The hash of the deck.
    pub hash: String,
    /// The hash of the deck that it is compared with.
    pub registered_hash: String,
    /// What is to be known of both decks.
    pub notes: Notes,
    /// What decided the answer: an entry of its format.
    pub rules: Value,
}

impl Ask for Compare {
    type Answer = CompareAnswer;

    fn ask(self, library: &Library) -> Result<CompareAnswer, Problem> {
        let entry = library.judge_of(self.subject())?;
        let list = |subject| -> Result<(Decklist, Notes), Problem> {
            let source = Source::of(&entry, subject)?;
            let resolved = source.resolved(&entry)?;
            let notes = Notes::of(&resolved);
            Ok((resolved.into_list(), notes))
        };
        let (after, mut notes) = list(self.subject())?;
        let other = Subject { deck: &self.with, from: None, ..self.subject() };
        let (before, of_other) = list(other)?;
        notes.extend(Vec::from(of_other).into_iter().map(|note| {
            let message = format!("in the other deck: {}", note.message);
            Note { message, ..note }
        }));
        let exchange = Setup::exchange_of(before.rulebook().format()).ok().flatten();
        let played = solve::played(&before, &after, exchange.as_ref());
        Ok(CompareAnswer {
            answer: played.word().to_owned(),
            changes: played.differences().to_vec(),
            hash: after.hash(),
            registered_hash: before.hash(),
            notes,
            rules: entry.rules_of(after.rulebook(), &[])?,
        })
    }
}

/// How one deck differs from another; nothing where one of them cannot be read.
pub fn differences(judge: &Judge, format: &str, (before, after): (&str, &str)) -> Vec<Difference> {
    let list = |text: &str| {
        let opened = judge.open(text.as_bytes(), Input::default(), Some(format)).ok()?;
        let read = judge.read(&opened, Some(format)).ok()?;
        Some(known(read)?.into_list())
    };
    match (list(before), list(after)) {
        (Some(before), Some(after)) => solve::played(&before, &after, None).differences().to_vec(),
        _ => Vec::new(),
    }
}
