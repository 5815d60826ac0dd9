//! Registration sheets: one for each player, the missing ones too.

use crate::event::{Event, EventError};
use crate::record::{PlayerId, Whose};
use crate::roster::{Entry, Player, Roster};
use crate::standing::{Counting, Standing};
use crate::verdict;
use decklaw_core::deck::Listing;
use decklaw_core::judge::{ReadDeck, Report};
use decklaw_core::name::fold;
use decklaw_core::report::sheet::{self, Besides};

/// What is known of a player's deck.
#[derive(Debug)]
pub struct Known {
    /// What the lock says of it; of a player without a deck, nothing.
    pub report: Report,
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
        let mut report = Report::blank(String::new());
        report.player = Some(player.name.to_string());
        return Ok(Known {
            report,
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

impl Event {
    /// A document with a registration sheet for each of these players, in this order.
    ///
    /// # Errors
    /// A lock that judges nothing of the kind.
    pub fn sheets(&self, standing: &Standing, players: &[PlayerId]) -> Result<String, EventError> {
        let day = self.judge().day().to_string();
        let mut html = sheet::head();
        for id in players {
            let Some(player) = self.roster().players.get(id) else {
                continue;
            };
            let known = of_player(self, standing, player)?;
            let mut listing = known.listing;
            for (key, value) in [
                ("Event", Some(&self.about.name)),
                ("Date", self.about.day.as_ref()),
                ("Table", player.table.as_ref()),
            ] {
                if let Some(value) = value {
                    listing.remarks.retain(|(own, _)| own != key);
                    listing.remarks.push((key.to_owned(), value.clone()));
                }
            }
            let besides = Besides {
                day: &day,
                lock: Some(self.seal()).filter(|seal| !seal.is_empty()),
                standing: known.standing.as_deref(),
                missing: known.counting.entry().is_none(),
            };
            let rulebook = known.report.rulebook.as_deref();
            html.push_str(&sheet::page(&known.report, &listing, rulebook, &besides));
        }
        html.push_str(sheet::FOOT);
        Ok(html)
    }

    /// The players in the order of their names.
    pub fn by_name(&self) -> Vec<PlayerId> {
        let mut players: Vec<&Player> = self.roster().present().collect();
        players.sort_by_key(|player| {
            let name = fold(&player.name).into_owned();
            (player.name.plain(), name, player.id)
        });
        players.into_iter().map(|player| player.id).collect()
    }
}
