//! What the lock says of the decks of an event: the one verdict that every paper and table has.

use crate::record::{EntryId, PlayerId};
use crate::roster::{Entry, Roster};
use crate::standing::Standing;
use decklaw_core::deck::{Deck, Input};
use decklaw_core::judge::{DeckReport, Finding, Judge, JudgeError, ReadDeck};
use decklaw_core::name::fold;
use decklaw_core::solve::{Played, played};
use decklaw_core::submissions::Submission;
use decklaw_table::matches::Setup;
use std::collections::BTreeMap;
use std::path::Path;

/// The verdicts of the entries that are looked at: those that count, late ones and those that are
/// asked about.
#[derive(Debug)]
pub struct Verdicts {
    /// By the entry.
    pub reports: BTreeMap<EntryId, DeckReport>,
}

/// What a deck at a table is to the one that counts.
#[derive(Debug)]
pub enum Checked {
    /// It was compared.
    Played(Played),
    /// It is no deck, or the one that counts is none: why.
    Unreadable(String),
}

impl Checked {
    /// The answer in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Checked::Played(played) => played.word(),
            Checked::Unreadable(_) => "unreadable",
        }
    }
}

/// The deck of an entry as it is judged: as a person read it where one did, and names that mean a
/// card as that card.
pub(crate) fn text_of(
    judge: &Judge,
    roster: &Roster,
    entry: &Entry,
    format: Option<&str>,
) -> Result<Vec<u8>, JudgeError> {
    let bytes = match &entry.read_as {
        Some(text) => text.clone().into_bytes(),
        None => entry.deck.clone(),
    };
    if roster.means.is_empty() {
        return Ok(bytes);
    }
    let told = entry.personal.format.as_deref().or(format);
    let report = judge.judge_as("", &bytes, input(entry), told)?;
    let text = report.text.map_or(bytes, String::into_bytes);
    let mut text = text;
    let mut spans: Vec<(usize, usize, String)> = Vec::new();
    for finding in &report.findings {
        let of_cards = finding.rule == "unknown-card";
        let (Some(name), [span, ..]) = (finding.cards.first(), finding.spans.as_slice()) else {
            continue;
        };
        let means = roster.means.get(&*fold(name)).filter(|_| of_cards);
        let Some(card) = means else { continue };
        for span in std::iter::once(span).chain(&finding.spans[1..]) {
            let line = text.get(span.start..span.end).unwrap_or_default();
            let line = String::from_utf8_lossy(line);
            // The span is of the name, or of the line in which it stands.
            if let Some(at) = line.find(name.as_str()) {
                spans.push((span.start + at, span.start + at + name.len(), card.clone()));
            }
        }
    }
    spans.sort();
    for (from, to, card) in spans.into_iter().rev() {
        text.splice(from..to, card.bytes());
    }
    Ok(text)
}

/// What an entry's deck is written in.
pub(crate) fn input(entry: &Entry) -> Input {
    let file = entry.personal.file.as_deref();
    match (&entry.read_as, file) {
        (None, Some(file)) => Input::of_path(Path::new(file)),
        _ => Input::default(),
    }
}

/// The report of an entry.
pub(crate) fn report(
    judge: &Judge,
    roster: &Roster,
    standing: &Standing,
    entry: &Entry,
    format: Option<&str>,
) -> Result<(DeckReport, Vec<u8>), JudgeError> {
    let place = entry.place();
    let told = entry.personal.format.as_deref().or(format);
    let blank = entry.deck.iter().all(u8::is_ascii_whitespace);
    let none = blank.then(|| "there is no deck in it".to_owned());
    let unfit = entry.personal.unfit.clone().or(none);
    let (mut report, text) = match unfit {
        Some(why) if entry.read_as.is_none() => {
            let mend = "hand it in again; an organiser may read it as a text".to_owned();
            let finding = Finding::of_file(why, mend);
            (DeckReport::unreadable(place, finding), entry.deck.clone())
        }
        _ => {
            let text = text_of(judge, roster, entry, format)?;
            (judge.judge_as(&place, &text, input(entry), told)?, text)
        }
    };
    let player = match entry.whose {
        crate::Whose::Player(player) => roster.players.get(&roster.real(player)),
        crate::Whose::Asked(_) => None,
    };
    report.player = player
        .map(|player| player.name.clone())
        .or_else(|| entry.person.name.clone());
    report.submission = Some(submission(
        roster,
        standing,
        entry,
        player.map(|player| player.id),
    ));
    Ok((report, text))
}

fn submission(
    roster: &Roster,
    standing: &Standing,
    entry: &Entry,
    player: Option<PlayerId>,
) -> Submission {
    let row = |id: EntryId| {
        roster
            .entries
            .get(&id)
            .and_then(|entry| entry.row)
            .unwrap_or_default()
    };
    let counting = player.and_then(|player| standing.players.get(&player));
    let counts = counting.and_then(|counting| counting.counts()) == Some(entry.id);
    let replaced = player.and_then(|player| standing.replaced.get(&player));
    let late = standing.came(entry);
    let beside = match (counts, player) {
        (true, Some(player)) => standing.beside.get(&player).copied(),
        (false, Some(_)) => counting.and_then(|counting| counting.counts()),
        (_, None) => None,
    };
    Submission {
        row: entry.row.unwrap_or_default(),
        time: entry.personal.time.clone(),
        late: late == crate::Came::Late,
        replaces: replaced
            .filter(|_| counts)
            .map(|all| all.iter().map(|id| row(*id)).collect())
            .unwrap_or_default(),
        times_not_understood: match late {
            crate::Came::Unknown => vec![entry.row.unwrap_or_default()],
            _ => Vec::new(),
        },
        identity: entry.person.addresses.first().cloned(),
        counts,
        beside: beside.map(row),
        namesakes: Vec::new(),
        empty: entry.deck.iter().all(u8::is_ascii_whitespace),
        file: entry.personal.file.clone(),
        carried: entry.personal.carried.clone(),
    }
}

impl Verdicts {
    /// Judges every entry that counts, is late or is asked about.
    ///
    /// # Errors
    /// Only where the lock itself is wrong.
    pub fn of(
        judge: &Judge,
        roster: &Roster,
        standing: &Standing,
        format: Option<&str>,
    ) -> Result<Verdicts, JudgeError> {
        let players = standing
            .players
            .values()
            .filter_map(|counting| counting.entry());
        let beside = standing.beside.values().copied();
        let asked = standing.asked.iter().map(|(entry, _)| *entry);
        let mut reports = BTreeMap::new();
        for id in players.chain(beside).chain(asked) {
            if let Some(entry) = roster.entries.get(&id) {
                let (report, _) = report(judge, roster, standing, entry, format)?;
                reports.insert(id, report);
            }
        }
        Ok(Verdicts { reports })
    }
}

/// Holds a deck at a table against the one that counts.
pub(crate) fn check(
    judge: &Judge,
    registered: (&[u8], Input),
    played_deck: &[u8],
    format: Option<&str>,
) -> Result<Checked, JudgeError> {
    let why = |report: DeckReport, whose: &str| {
        let why = report.findings.first();
        let why = why.map_or("it is no deck", |finding| finding.message.as_str());
        Checked::Unreadable(format!("{whose} cannot be read: {why}"))
    };
    let before = match judge.read(registered.0, registered.1, format)? {
        ReadDeck::Deck(resolved) => resolved,
        other => {
            return Ok(why(
                judge.report("", &other, format),
                "the deck that counts",
            ));
        }
    };
    let opened = match judge.open(played_deck, Input::default(), format) {
        Ok(opened) => opened,
        Err(error) => return Ok(Checked::Unreadable(error.to_string())),
    };
    let after = match judge.read(&opened.source, opened.input, format)? {
        ReadDeck::Deck(resolved) => resolved,
        other => {
            return Ok(why(
                judge.report("", &other, format),
                "the deck at the table",
            ));
        }
    };
    let (before, after) = (before.into_list(), after.into_list());
    // A setup that cannot be read lets nothing be swapped.
    let exchange = Setup::exchange_of(before.rulebook().format());
    let found = played(&before, &after, exchange.ok().flatten().as_ref());
    Ok(Checked::Played(found))
}

/// The player that a deck's own text names.
pub(crate) fn player_in(deck: &Deck<'_>) -> Option<String> {
    deck.player.as_ref().map(|player| player.value.to_string())
}
