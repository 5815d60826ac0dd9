//! What the lock says of the decks of an event: the one verdict that every paper and table has.

use crate::record::{EntryId, PlayerId};
use crate::roster::{Entry, Roster};
use crate::standing::Standing;
use decklaw_core::deck::{Deck, Input};
use decklaw_core::judge::{Finding, Judge, JudgeError, ReadDeck, Report};
use decklaw_core::name::fold;
use decklaw_core::submissions::Submission;
use decklaw_engine::solve::{Played, played};
use decklaw_play::matches::Setup;
use std::path::Path;

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

/// A deck of an event, ready to be read.
#[derive(Debug, Clone)]
pub struct Handed {
    /// Where it is from, for people.
    pub place: String,
    /// Its text.
    pub text: Vec<u8>,
    /// What that is written in.
    pub input: Input,
    /// The format that the form or the event says.
    pub format: Option<String>,
    /// Why there is no deck, and what to do about it.
    pub unfit: Option<(String, String)>,
    /// The player, as the entry calls them, or else as the roster does.
    pub player: Option<String>,
    /// What is said of it besides.
    pub submission: Submission,
}

/// An entry as it is judged: by what a person read where one did, and with the names that mean a
/// card.
///
/// # Errors
/// Only where the judge's own inputs are wrong.
pub fn handed(
    judge: &Judge,
    roster: &Roster,
    standing: &Standing,
    entry: &Entry,
    format: Option<&str>,
) -> Result<Handed, JudgeError> {
    let blank = entry.deck.iter().all(u8::is_ascii_whitespace);
    let none = blank.then(|| {
        (
            "there is no deck in it".to_owned(),
            "ask for the deck".to_owned(),
        )
    });
    let why = entry.personal.unfit.clone();
    let unfit = why.map(|why| (why, "ask for the deck itself".to_owned()));
    let unfit = unfit.or(none).filter(|_| entry.read_as.is_none());
    let player = match entry.whose {
        crate::Whose::Player(player) => roster.players.get(&roster.real(player)),
        crate::Whose::Asked(_) => None,
    };
    // As the entry says it: a paper says it as the roster does.
    let own = entry.person.name.clone();
    Ok(Handed {
        place: entry.place(),
        text: match &unfit {
            Some(_) => entry.deck.clone(),
            None => text_of(judge, roster, entry, format)?,
        },
        input: input(entry),
        format: entry
            .personal
            .format
            .as_deref()
            .or(format)
            .map(str::to_owned),
        unfit,
        player: own.or_else(|| player.map(|player| player.name.to_string())),
        submission: submission(roster, standing, entry, player.map(|player| player.id)),
    })
}

/// The report of an entry.
pub(crate) fn report(
    judge: &Judge,
    roster: &Roster,
    standing: &Standing,
    entry: &Entry,
    format: Option<&str>,
) -> Result<(Report, Vec<u8>), JudgeError> {
    let handed = handed(judge, roster, standing, entry, format)?;
    let mut report = match handed.unfit {
        Some((why, help)) => Report::unreadable(handed.place, Finding::unreadable(why, &help)),
        None => judge.judge_as(
            &handed.place,
            &handed.text,
            handed.input,
            handed.format.as_deref(),
        )?,
    };
    report.player = handed.player;
    report.submission = Some(handed.submission);
    Ok((report, handed.text))
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
    // Without a deadline times matter where they tell the latest of several.
    let own = player.and_then(|player| standing.entries.get(&player));
    let own = own
        .into_iter()
        .flatten()
        .filter_map(|id| roster.entries.get(id));
    let mut own: Vec<&Entry> = own.collect();
    own.sort_unstable_by_key(|one| one.id);
    if own.is_empty() {
        own.push(entry);
    }
    let matters = own.len() > 1 && own.iter().any(|one| one.at.is_some());
    let open = |one: &&&Entry| {
        let unknown = standing.came(one) == crate::Came::Unknown;
        (counts || one.id == entry.id) && (unknown || (matters && one.at.is_none()))
    };
    let timeless = own
        .iter()
        .filter(open)
        .map(|one| one.row.unwrap_or_default())
        .collect();
    let beside = match (counts, player) {
        (true, Some(player)) => standing.beside.get(&player).copied(),
        (false, Some(_)) => counting.and_then(|counting| counting.counts()),
        (_, None) => None,
    };
    Submission {
        row: entry.row.unwrap_or_default(),
        time: entry.personal.time.clone(),
        at: standing.local(entry),
        late: late == crate::Came::Late,
        replaces: replaced
            .filter(|_| counts)
            .map(|all| all.iter().map(|id| row(*id)).collect())
            .unwrap_or_default(),
        times_not_understood: timeless,
        identity: entry.person.addresses.first().cloned(),
        counts,
        beside: beside.map(row),
        asked: match &entry.whose {
            crate::Whose::Asked(question) => Some(question.why.words()),
            crate::Whose::Player(_) if late == crate::Came::Unknown && !counts => {
                Some(crate::Why::Time.words())
            }
            crate::Whose::Player(_) => None,
        },
        empty: entry.deck.iter().all(u8::is_ascii_whitespace),
        file: entry.personal.file.clone(),
    }
}

/// Holds a deck at a table against the one that counts.
pub(crate) fn check(
    judge: &Judge,
    registered: (&[u8], Input),
    played_deck: &[u8],
    format: Option<&str>,
) -> Result<Checked, JudgeError> {
    let why = |report: Report, whose: &str| {
        let why = report.findings.first();
        let why = why.map_or("it is no deck", |finding| finding.message.as_str());
        Checked::Unreadable(format!("{whose} cannot be read: {why}"))
    };
    let opened = match judge.open(registered.0, registered.1, format) {
        Ok(opened) => opened,
        Err(error) => return Ok(Checked::Unreadable(error.to_string())),
    };
    let before = match judge.read(&opened.source, opened.input, format)? {
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
