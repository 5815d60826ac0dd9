//! Starting a match at a table, and the links of its places.

use super::deal::Secret;
use super::terms::MatchTerms;
use super::{Live, ONLOOKER, PlayedRules, Stage, Swaps, path, seated};
use crate::error::HttpError;
use crate::{keys, page};
use decklaw_ask::{JudgeEntry, ReadAnswer, import};
use decklaw_decks::deck::{Input, OpenedDeck};
use decklaw_judge::judge::ReadDeck;
use decklaw_play::matches::setup::Decks;
use decklaw_play::matches::{Match, MatchDeck, NewMatch, Randomness, RegisteredDeck, SeatId};
use decklaw_text::digest::hex;
use maud::{Markup, PreEscaped, html};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A match that is to start.
#[derive(Debug)]
pub(super) struct MatchPlan {
    pub(super) terms: MatchTerms,
    /// The names of its players, in the order of the seats.
    pub(super) players: Vec<String>,
    /// The decks of the seats, in any form that is read.
    pub(super) decks: Vec<String>,
    pub(super) chance: Randomness,
    /// What the next games of the match are dealt from.
    pub(super) secret: Option<Secret>,
}

/// A match that started, and how many play it.
pub(super) struct StartedMatch {
    pub(super) live: Live,
    pub(super) seats: usize,
}

impl MatchPlan {
    /// Starts the match.
    ///
    /// # Errors
    /// Decks that cannot be played, and settings or options that do not fit.
    pub(super) fn start(self, judge: &JudgeEntry) -> Result<StartedMatch, HttpError> {
        let seated = self.terms.rules(seated(judge, &self.terms.format)?);
        self.start_by(judge, &seated)
    }

    fn start_by(self, judge: &JudgeEntry, seated: &PlayedRules) -> Result<StartedMatch, HttpError> {
        let (book, rules) = seated;
        let mut new = self.terms.new_match()?;
        new.decks = self.registered(judge, seated)?;
        let swaps = Swaps(Arc::clone(book));
        let start = |new: NewMatch| {
            let game = rules.game();
            let chance = self.chance.clone();
            let made = Match::start(&game, new, chance, Vec::new(), Some(&swaps))?;
            if self.terms.alone() { made.begin_alone(&game) } else { Ok(made) }
        };
        let seats = start(new.clone())?.table.seats.len();
        new.players = self.players.iter().take(seats).cloned().collect();
        let made = start(new)?;
        let prompts = made.prompts(&rules.setup)?;
        if prompts.iter().any(|prompt| prompt.options.is_empty()) {
            return Err(HttpError::new(
                422,
                "This setup begins with a decision that a page does not ask for.",
                "Set it up by `match decide`, where a decision can be written.",
            ));
        }
        let live = Live::new(Stage::Setup(Box::new(made)), self.secret);
        Ok(StartedMatch { live, seats })
    }

    /// The decks of the seats; the whole pool where the format plays it.
    fn registered(
        &self,
        judge: &JudgeEntry,
        (book, rules): &PlayedRules,
    ) -> Result<Vec<RegisteredDeck>, HttpError> {
        if let Decks::WholePool(name) = &rules.setup.decks {
            let deck = MatchDeck::of_pool(&rules.format, name, &rules.setup, book.pool())?;
            return Ok(vec![RegisteredDeck::unjudged(deck)]);
        }
        // A deck that is tried alone may be unfinished; the file records that it is not legal.
        let any = self.terms.alone();
        let each = (1..).zip(&self.decks).map(|(number, text)| {
            let read = import(judge, Some(&rules.format), text.as_bytes(), None)?;
            let errors = read.errors().map(|finding| finding.message.clone());
            let errors: Vec<String> = errors.take(5).collect();
            let (true, Some(deck)) = (any || errors.is_empty(), &read.deck) else {
                return Err(HttpError::new(
                    422,
                    format!("Deck {number} cannot be played: {}", errors.join("; ")),
                    "Fix it in the builder first.",
                ));
            };
            let opened = OpenedDeck::plain(deck.get().as_bytes(), Input::Json);
            let read = judge.read(&opened, Some(&rules.format))?;
            let ReadDeck::Deck(resolved) = read else {
                return Err(HttpError::defect());
            };
            Ok(if any {
                rules.register_even_illegal(&resolved)?
            } else {
                rules.register(&resolved)?
            })
        });
        each.collect()
    }
}

/// Whether a match can be played with a deck.
#[derive(Debug)]
pub(super) enum TriedDeck {
    /// It can, with this number of seats.
    Fits { seats: usize, deck: Option<Box<RawValue>> },
    /// It cannot, because of its findings.
    Unfit(Box<ReadAnswer>),
}

/// Tries a match with one deck at every seat, so that an error is about that deck alone. Decks that
/// each fit so fit together: a setup asks the same of every deck, and the largest value of a
/// setting is that of the smallest deck. `None`: the seat brings no deck.
///
/// # Errors
/// A match that cannot be played with a deck that is legal.
pub(super) fn try_deck(
    judge: &JudgeEntry,
    terms: MatchTerms,
    seats: usize,
    deck: Option<&str>,
) -> Result<TriedDeck, HttpError> {
    let seated = seated(judge, &terms.format)?;
    let setup = &seated.1.setup;
    let read = deck.map(|text| import(judge, Some(&terms.format), text.as_bytes(), None));
    let deck = match read.transpose()? {
        Some(read) if read.deck.is_none() || read.errors().next().is_some() => {
            return Ok(TriedDeck::Unfit(Box::new(read)));
        }
        Some(read) => read.deck,
        None => None,
    };
    let copies = match &setup.decks {
        Decks::Own => terms.seats(setup, seats)?,
        Decks::Shared => 1,
        Decks::WholePool(_) => 0,
    };
    let decks = deck.iter().map(|deck| deck.get().to_owned()).cycle();
    let plan = MatchPlan {
        decks: decks.take(copies).collect(),
        terms,
        players: Vec::new(),
        chance: Randomness::from_system()?,
        secret: None,
    };
    let seats = plan.start_by(judge, &seated)?.seats;
    Ok(TriedDeck::Fits { seats, deck })
}

/// The keys of a table's places. They follow from the first, that of seat A, so that seat A can
/// show the links of the others again and the server stores digests alone.
pub(super) struct SeatKeys {
    /// The digest of each, as JSON.
    pub(super) digests: String,
    /// The key of each.
    pub(super) keys: Vec<(String, String)>,
}

impl SeatKeys {
    /// The keys of a table.
    pub(super) fn of(
        secret: &[u8; 32],
        id: &str,
        first: &str,
        seats: usize,
    ) -> Result<SeatKeys, HttpError> {
        let keys: Vec<(String, String)> = places(seats)
            .map(|place| {
                let key = key_of(secret, id, first, &place);
                (place, key)
            })
            .collect();
        let digests = keys.iter();
        let digests = digests.map(|(place, key)| (place.as_str(), hex(&keys::digest(key))));
        let digests: BTreeMap<&str, String> = digests.collect();
        let digests = serde_json::to_string(&digests).map_err(|_| HttpError::defect())?;
        Ok(SeatKeys { digests, keys })
    }
}

/// The places at a table: its seats, and one for onlookers where several play.
fn places(seats: usize) -> impl Iterator<Item = String> {
    let letters = SeatId::ALL.into_iter().take(seats);
    let letters = letters.map(|seat| seat.to_string());
    letters.chain((seats > 1).then(|| ONLOOKER.to_owned()))
}

/// The key of a place, which follows from that of seat A.
pub(super) fn key_of(secret: &[u8; 32], id: &str, first: &str, place: &str) -> String {
    if place == SeatId::A.letter() {
        return first.to_owned();
    }
    let parts = [b"chair", first.as_bytes(), id.as_bytes(), place.as_bytes()];
    keys::derived(secret, &parts)
}

/// The link of a place, with its code for phones.
///
/// # Errors
/// A link that no QR code can hold.
pub(super) fn invite(origin: &str, id: &str, place: &str, key: &str) -> Result<Markup, HttpError> {
    let link = format!("{origin}{}", path(id, key));
    Ok(html! {
        div.invite {
            div.code role="img" aria-label={ "QR code of the link for " @if place == ONLOOKER { "spectators" } @else { "seat " (place) } } { (PreEscaped(page::qr_code(&link)?)) }
            p { a.key href=(link) { (link) } }
        }
    })
}
