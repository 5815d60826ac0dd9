//! What is printed and mailed: a sheet, a slip and a letter for each player, the missing ones too.

use crate::event::{Event, EventError};
use crate::record::{PlayerId, Whose};
use crate::roster::{Entry, Player, Roster};
use crate::standing::{Counting, Standing};
use crate::verdict;
use decklaw_core::deck::Listing;
use decklaw_core::judge::{DeckReport, ReadDeck};
use decklaw_core::name::fold;
use decklaw_core::report::letter::{self, Letters};
use decklaw_core::report::sheet::{self, Besides};
use decklaw_core::report::slip;
use decklaw_core::submissions::Submission;
use std::collections::BTreeMap;

/// A paper about one deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// The registration sheet.
    Sheet,
    /// The list with a box for every copy, for a deck check.
    Slip,
}

/// What is known of a player's deck.
#[derive(Debug)]
pub struct Known {
    /// What the lock says of it; of a player without a deck, nothing.
    pub report: DeckReport,
    /// The deck's text as it was judged.
    pub text: Vec<u8>,
    /// The deck's cards.
    pub listing: Listing,
    /// What it is to the event.
    pub counting: Counting,
    /// A sentence of that, where it does not simply count.
    pub standing: Option<String>,
}

/// Everything that a paper says of a player's deck: the one that counts, or else a late one.
///
/// # Errors
/// A lock that judges nothing of the kind.
pub fn of_player(event: &Event, standing: &Standing, player: &Player) -> Result<Known, EventError> {
    let roster = event.roster();
    let counting = standing.players.get(&player.id).copied();
    let counting = counting.unwrap_or(Counting::Missing);
    let entry = counting
        .entry()
        .and_then(|entry| roster.entries.get(&entry));
    let sentence = match (counting, asked_of(roster, player.id)) {
        (Counting::Counts(_), _) => None,
        (Counting::Late(_), _) => Some("Late: it counts once the organiser says so.".to_owned()),
        (Counting::Out(_), _) => {
            Some("The organiser took this deck out: it does not count.".to_owned())
        }
        (Counting::Missing, Some(entry)) => Some(format!(
            "No deck counts yet: {} may be this player's, and the organiser has still to say so.",
            entry.place()
        )),
        (Counting::Missing, None) => match roster.of(player.id).next() {
            Some(_) => {
                Some("No deck counts yet: the organiser has still to say when it came.".to_owned())
            }
            None => Some("No deck was handed in.".to_owned()),
        },
    };
    let Some(entry) = entry else {
        let mut report = DeckReport::blank(String::new());
        report.player = Some(player.name.to_string());
        return Ok(Known {
            report,
            text: Vec::new(),
            listing: Listing {
                player: Some(player.name.to_string()),
                ..Listing::default()
            },
            counting,
            standing: sentence,
        });
    };
    let (mut report, text) = event.report(standing, entry)?;
    report.player = Some(player.name.to_string());
    let mut listing = listing(event, entry, &text, report.format.as_deref())?;
    listing.player = Some(player.name.to_string());
    Ok(Known {
        report,
        text,
        listing,
        counting,
        standing: sentence,
    })
}

/// The deck of which an organiser has still to say whether it is this player's.
fn asked_of(roster: &Roster, player: PlayerId) -> Option<&Entry> {
    roster.entries.values().find(|entry| match &entry.whose {
        Whose::Asked(question) => question.likely == Some(player) && entry.counts != Some(false),
        Whose::Player(_) => false,
    })
}

/// The cards of an entry; none where it is no deck.
fn listing(
    event: &Event,
    entry: &Entry,
    text: &[u8],
    format: Option<&str>,
) -> Result<Listing, EventError> {
    let input = match entry.read_as {
        Some(_) => decklaw_core::deck::Input::default(),
        None => verdict::input(entry),
    };
    let Ok(opened) = event.judge().open(text, input, format) else {
        return Ok(Listing::default());
    };
    Ok(
        match event.judge().read(&opened.source, opened.input, format)? {
            ReadDeck::Deck(resolved) => Listing::from(resolved.deck()),
            ReadDeck::Formatless { deck, .. } => Listing::from(&*deck),
            ReadDeck::Unreadable { .. } => Listing::default(),
        },
    )
}

/// A page of a paper about a player's deck. `remarks` are what it says of the occasion, such as
/// `("Round", "3")`.
pub(crate) fn page(
    event: &Event,
    known: &Known,
    paper: Paper,
    remarks: &[(&str, String)],
) -> String {
    let mut listing = known.listing.clone();
    for (key, value) in remarks {
        listing.remarks.retain(|(own, _)| own != key);
        listing.remarks.push(((*key).to_owned(), value.clone()));
    }
    let day = event.judge().day().to_string();
    let besides = Besides {
        day: &day,
        lock: Some(event.seal()).filter(|seal| !seal.is_empty()),
        standing: known.standing.as_deref(),
        missing: known.counting.entry().is_none(),
    };
    let rulebook = known.report.rulebook.as_deref();
    match paper {
        Paper::Sheet => sheet::page(&known.report, &listing, rulebook, &besides),
        Paper::Slip => slip::page(&known.report, &listing, rulebook, &besides),
    }
}

impl Event {
    /// A document with a page for each of these players, in this order.
    ///
    /// # Errors
    /// A lock that judges nothing of the kind.
    pub fn papers(
        &self,
        standing: &Standing,
        paper: Paper,
        players: &[PlayerId],
        round: Option<&str>,
        tables: &BTreeMap<PlayerId, String>,
    ) -> Result<String, EventError> {
        let mut html = sheet::head();
        for id in players {
            let Some(player) = self.roster().players.get(id) else {
                continue;
            };
            let known = of_player(self, standing, player)?;
            let table = tables.get(id).or(player.table.as_ref());
            let remarks = [
                ("Event", Some(self.about.name.clone())),
                ("Date", self.about.day.clone()),
                ("Round", round.map(str::to_owned)),
                ("Table", table.cloned()),
                ("Player id", Some(id.to_string())),
            ];
            let remarks: Vec<(&str, String)> = remarks
                .into_iter()
                .filter_map(|(key, value)| Some((key, value?)))
                .collect();
            html.push_str(&page(self, &known, paper, &remarks));
        }
        html.push_str(sheet::FOOT);
        Ok(html)
    }

    /// The players in the order of their names, or in that of their tables.
    pub fn in_order(&self, tables: Option<&BTreeMap<PlayerId, String>>) -> Vec<PlayerId> {
        let mut players: Vec<&Player> = self
            .roster()
            .present()
            .filter(|player| !player.forgotten)
            .collect();
        let seat = |player: &Player| {
            let table = tables.and_then(|tables| tables.get(&player.id).or(player.table.as_ref()));
            let number = table.and_then(|table| table.trim().parse::<u64>().ok());
            (
                table.is_none(),
                number.unwrap_or(u64::MAX),
                table.cloned().unwrap_or_default(),
            )
        };
        players.sort_by_key(|player| {
            let seat = tables.map(|_| seat(player));
            (
                seat,
                player.name.plain(),
                fold(&player.name).into_owned(),
                player.id,
            )
        });
        players.into_iter().map(|player| player.id).collect()
    }
}

/// A letter to each player: the file's name and the text.
///
/// # Errors
/// A lock that judges nothing of the kind.
pub fn letters(
    event: &Event,
    standing: &Standing,
    template: &Letters,
    players: &[PlayerId],
) -> Result<Vec<(String, String)>, EventError> {
    let mut all = Vec::new();
    for id in players {
        let Some(player) = event.roster().players.get(id) else {
            continue;
        };
        let known = of_player(event, standing, player)?;
        let row = known
            .report
            .submission
            .clone()
            .unwrap_or_else(|| nothing(player));
        let answer = match (&known.standing, known.counting) {
            (None, _) => letter::answer(known.report.verdict, row.late).to_owned(),
            (Some(standing), Counting::Late(_)) => {
                let verdict = letter::answer(known.report.verdict, false);
                format!("It came after the deadline. {standing} {verdict}")
            }
            (Some(standing), _) => standing.clone(),
        };
        let letter = template.saying(&known.report, &known.text, &answer, &row);
        let name = letter::stem(&player.name);
        let name = match name.is_empty() {
            true => format!("{id}.txt"),
            false => format!("{id}-{name}.txt"),
        };
        all.push((name, letter));
    }
    Ok(all)
}

/// What a form says of a player of whom it says nothing.
fn nothing(player: &Player) -> Submission {
    Submission {
        row: 0,
        time: None,
        late: false,
        replaces: Vec::new(),
        times_not_understood: Vec::new(),
        identity: player.addresses.first().cloned(),
        counts: false,
        beside: None,
        asked: None,
        empty: true,
        file: None,
        carried: Vec::new(),
    }
}
