//! A table that waits for its players, each with a deck of their own. Until all are there, a player
//! sees of another's deck only that it is there.

use super::create::{MatchPlan, TriedDeck, invite, key_of, try_deck};
use super::deal::{Secret, random_bytes};
use super::terms::MatchTerms;
use super::{AtTable, ONLOOKER, Stage, locked, path};
use crate::error::HttpError;
use crate::guard::Fields;
use crate::page as frame;
use crate::store::now;
use axum::extract::Extension;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_ask::ReadAnswer;
use decklaw_play::matches::SeatId;
use decklaw_play::matches::setup::{Decks, Setup};
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The most letters of a name.
const NAME: usize = 80;
/// The most findings that a page lists.
const FINDINGS: usize = 50;

/// The players who are at a table so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Gathering {
    terms: MatchTerms,
    secret: Secret,
    seats: usize,
    #[serde(rename = "came")]
    arrivals: BTreeMap<SeatId, Arrival>,
    /// When it was opened, or the last player came.
    since: String,
}

/// A player who is at the table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Arrival {
    pub(super) name: String,
    /// `None` where the match asks for no deck of this seat.
    pub(super) deck: Option<Box<RawValue>>,
    /// The random bytes of the player's browser.
    #[serde(rename = "chance")]
    pub(super) random: String,
}

/// For how many days a visitor's table waits for the next deck.
pub(super) const WAITS: i64 = 7;

impl Gathering {
    /// A table with its first player, at seat A.
    pub(super) fn new(
        terms: MatchTerms,
        secret: Secret,
        seats: usize,
        first: Arrival,
    ) -> Gathering {
        Gathering {
            terms,
            secret,
            seats,
            arrivals: BTreeMap::from([(SeatId::A, first)]),
            since: now(),
        }
    }

    pub(super) fn seats(&self) -> Vec<SeatId> {
        SeatId::ALL.into_iter().take(self.seats).collect()
    }

    /// The names of those who are there.
    pub(super) fn names(&self) -> BTreeMap<SeatId, String> {
        let each = self.arrivals.iter();
        each.map(|(seat, one)| (*seat, one.name.clone())).collect()
    }

    pub(super) fn format(&self) -> &str {
        &self.terms.format
    }

    /// The match, once all are there.
    fn plan(&self) -> Result<Option<MatchPlan>, HttpError> {
        if self.arrivals.len() < self.seats {
            return Ok(None);
        }
        let all = || self.arrivals.values();
        let decks = all().filter_map(|one| one.deck.as_ref());
        Ok(Some(MatchPlan {
            terms: self.terms.clone(),
            players: all().map(|one| one.name.clone()).collect(),
            decks: decks.map(|deck| deck.get().to_owned()).collect(),
            chance: self.secret.first(all().map(|one| one.random.clone()))?,
            secret: Some(self.secret.clone()),
        }))
    }

    /// The day on which it is removed.
    fn until(&self) -> String {
        let since = self.since.parse::<Timestamp>();
        let until = since.ok().and_then(|since| {
            let until = since.checked_add(SignedDuration::from_hours(WAITS * 24));
            until.ok()
        });
        until.map_or_else(String::new, |until| format!("{until:.0}")[..10].to_owned())
    }
}

/// Whether a seat brings a deck.
pub(super) fn brings_deck(setup: &Setup, seat: SeatId) -> bool {
    match setup.decks {
        Decks::Own => true,
        Decks::Shared => seat == SeatId::A,
        Decks::WholePool(_) => false,
    }
}

/// The fields of a form, and what is wrong with it.
pub(super) struct Form<'f> {
    pub(super) fields: &'f Fields,
    pub(super) wrong: Option<Markup>,
}

/// The deck of a form, in any form that is read.
///
/// # Errors
/// That there is none.
pub(super) fn deck_text(fields: &Fields) -> Result<String, HttpError> {
    let text = fields.get("deck").unwrap_or_default();
    if text.trim().is_empty() {
        Err(HttpError::wrong("Choose a deck, or paste one."))
    } else {
        Ok(text.to_owned())
    }
}

/// Why a deck cannot be played, and the way to fix it in the builder.
pub(super) fn unfit(format: &str, answer: &ReadAnswer) -> Markup {
    let findings = &answer.check.0.findings;
    html! {
        div.wrong role="alert" {
            p { b { "This deck cannot be played yet." } " Nobody else sees why." }
            (frame::findings(findings.iter().take(FINDINGS)))
            @if findings.len() > FINDINGS { p { (findings.len() - FINDINGS) " more" } }
            @if let Some(deck) = &answer.deck {
                p { a.btn #fix href={ "/deck/" (format) } data-deck=(deck.get()) { "Fix it in the builder" } }
            }
        }
    }
}

/// The field of a deck: one of this browser's, a file, or a list. The page's script fills the
/// choices.
pub(super) fn deck_field(format: &str, form: &Form<'_>) -> Markup {
    let text = form.fields.get("deck").unwrap_or_default();
    html! {
        div #bring data-format=(format) {
            label for="deck" { "Your deck" }
            div.row #choices {}
            textarea.input #deck name="deck" rows="7" spellcheck="false" placeholder="Paste a list or a link, or drop a file here" { "\n" (text) }
        }
    }
}

/// The name of a form; the seat's letter where it is empty.
pub(super) fn name_of(fields: &Fields, seat: SeatId) -> Result<String, HttpError> {
    let name = decklaw_text::name::tidy(fields.text("name")).into_owned();
    match name.chars().count() {
        0 => Ok(seat.to_string()),
        count if count > NAME => {
            Err(HttpError::wrong(format!("A name has at most {NAME} letters.")))
        }
        _ => Ok(name),
    }
}

/// The field of a name; the page's script fills in the last one.
pub(super) fn name_field(fields: &Fields) -> Markup {
    html! {
        div.field {
            label for="name" { "Your name" }
            input.input #name name="name" maxlength=(NAME) autocomplete="nickname" value=(fields.text("name"));
        }
    }
}

/// The field of the browser's random bytes, which its page fills, and where the deal comes from.
pub(super) fn deal_fields(secret: &Secret, sent: Option<&str>) -> Markup {
    html! {
        input type="hidden" name="random";
        details #deal data-secret=(secret.shown()) data-brought=[sent] {
            summary { "Why the deal is fair" }
            p { "Every shuffle and die follows from a secret of this server and from 32 random bytes of each browser. The server chose its secret before; its SHA-256 is " code { (secret.shown()) } ". After the game, the file shows the secret and all bytes, and " code { "decklaw match verify" } " deals it again." }
            @if let Some(sent) = sent { p { "Your browser sent " code { (sent) } "." } }
        }
    }
}

/// The page of a place at a table that waits for its players.
fn shown(
    at: &AtTable,
    gathering: &Gathering,
    headers: &HeaderMap,
    form: Form<'_>,
) -> Result<Response, HttpError> {
    let table = &at.table;
    let setup = &table.rules.1.setup;
    let own_seat = at.seat();
    let origin = at.origin(headers);
    let state =
        |seat: SeatId| match (gathering.arrivals.contains_key(&seat), brings_deck(setup, seat)) {
            (true, true) => "Deck received",
            (true, false) => "Ready",
            (false, true) if own_seat == Some(seat) => "Your turn to bring a deck",
            (false, false) if own_seat == Some(seat) => "Your turn to take the seat",
            (false, _) => "Waiting for a player",
        };
    // Seat A sends the links of the others.
    let link = |place: &str| {
        let key = key_of(&at.app.secret, &table.id, &at.key, place);
        invite(&origin, &table.id, place, &key)
    };
    let is_host = own_seat == Some(SeatId::A);
    let mine = own_seat.and_then(|seat| gathering.arrivals.get(&seat));
    let is_wrong = form.wrong.is_some();
    let to = path(&table.id, &at.key);
    let main = html! {
        main #gather {
            h1 { bdi { (table.title) } }
            div #there {
                ul.seats aria-label="Players" {
                    @for seat in gathering.seats() {
                        @let came = gathering.arrivals.get(&seat);
                        li.panel.here[came.is_some()] {
                            h2 {
                                i { (seat) }
                                @match came.filter(|came| came.name != seat.letter()) {
                                    Some(came) => { bdi { (came.name) } }
                                    None => { "Seat " (seat) }
                                }
                                @if own_seat == Some(seat) { " (you)" }
                            }
                            p.quiet { (state(seat)) }
                            @if is_host && came.is_none() { (link(seat.letter())?) }
                        }
                    }
                }
                p.quiet role="status" {
                    @if is_host { "Send each player their own link. " }
                    "The cards are dealt when all are here. The table waits until " (gathering.until()) "."
                }
                @if is_host {
                    details {
                        summary { "A link for spectators" }
                        (link(ONLOOKER)?)
                    }
                }
            }
            noscript { p { "Load this page again to see who is here." } }
            @if let Some(seat) = own_seat {
                form.panel method="post" action=(to) {
                    h2 { @if mine.is_none() { "Take your seat" } @else if brings_deck(setup, seat) { "Your deck" } @else { "Your seat" } }
                    @if let Some(wrong) = &form.wrong { (wrong) }
                    @if let Some(deck) = mine.and_then(|own| own.deck.as_ref()) {
                        p { b { bdi { (deck_name(deck)) } } ". You can bring another one until all are here." }
                    }
                    @if brings_deck(setup, seat) { (deck_field(gathering.format(), &form)) }
                    @else { p { @if setup.decks == Decks::Shared { "All play with the deck of seat A." } @else { "Nobody brings a deck: all cards of the game lie in the middle." } } }
                    (name_field(form.fields))
                    (deal_fields(&gathering.secret, mine.map(|own| own.random.as_str())))
                    p.actions {
                        button.btn.main.big { @if !brings_deck(setup, seat) { @if mine.is_none() { "Take your seat" } @else { "Change the name" } } @else if mine.is_none() { "Bring this deck" } @else { "Bring this deck instead" } }
                    }
                }
                @if is_host {
                    form method="post" action=(to) {
                        button.btn.plain name="do" value="close" { "Close the table" }
                    }
                }
            } @else {
                p { "You are a spectator. The table appears here when the cards are dealt." }
            }
        }
    };
    let game = &table.rules.0.format().entry().name;
    let mut page = frame::lobby(&table.title, game, &main);
    if is_wrong {
        *page.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Ok(page)
}

fn deck_name(deck: &RawValue) -> String {
    #[derive(Default, Deserialize)]
    struct Named {
        #[serde(default)]
        name: Option<String>,
    }
    let named: Named = serde_json::from_str(deck.get()).unwrap_or_default();
    let name = named.name.filter(|name| !name.trim().is_empty());
    name.unwrap_or_else(|| "Unnamed deck".to_owned())
}

/// The page of a place at a table that waits for its players.
pub(super) fn page(
    at: &AtTable,
    gathering: &Gathering,
    headers: &HeaderMap,
) -> Result<Response, HttpError> {
    let mine = at.seat().and_then(|seat| Some((seat, gathering.arrivals.get(&seat)?)));
    let name = mine.filter(|(seat, own)| own.name != seat.letter());
    let name = name.map(|(_, own)| ("name".to_owned(), own.name.clone()));
    let form = Form { fields: &Fields::of(name), wrong: None };
    shown(at, gathering, headers, form)
}

/// `POST /t/ID/KEY`: takes a seat with a deck, or closes the table.
pub(crate) async fn bring(
    Extension(at): Extension<AtTable>,
    Extension(fields): Extension<Fields>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let seat = at.player()?;
    let to = Redirect::to(&path(&at.table.id, &at.key));
    let live = locked(&at.app, &at.table).await?.1;
    let Stage::Gathering(gathering) = &live.stage else {
        return Ok(to.into_response());
    };
    if fields.text("do") == "close" && seat == SeatId::A {
        return close(&at).await;
    }
    let again = |wrong: Markup| {
        let form = Form { fields: &fields, wrong: Some(wrong) };
        shown(&at, gathering, &headers, form)
    };
    match arrival(&at, gathering, seat, &fields).await {
        Ok(Ok(own)) => match arrive(&at, seat, own).await {
            Ok(()) => Ok(to.into_response()),
            Err(error) => again(error.note()),
        },
        Ok(Err(answer)) => again(unfit(gathering.format(), &answer)),
        Err(error) => again(error.note()),
    }
}

/// The player of a form; or what is wrong with the deck.
async fn arrival(
    at: &AtTable,
    gathering: &Gathering,
    seat: SeatId,
    fields: &Fields,
) -> Result<Result<Arrival, Box<ReadAnswer>>, HttpError> {
    let name = name_of(fields, seat)?;
    let mut deck = None;
    if brings_deck(&at.table.rules.1.setup, seat) {
        let (terms, seats) = (gathering.terms.clone(), gathering.seats);
        let text = deck_text(fields)?;
        let tried = at.judged(move |judge| try_deck(judge, terms, seats, Some(&text)));
        deck = match tried.await? {
            TriedDeck::Fits { deck, .. } => deck,
            TriedDeck::Unfit(answer) => return Ok(Err(answer)),
        };
    }
    let random = random_bytes(fields)?;
    Ok(Ok(Arrival { name, deck, random }))
}

/// Seats a player; with the last one the match starts.
async fn arrive(at: &AtTable, seat: SeatId, own: Arrival) -> Result<(), HttpError> {
    let (memory, live) = locked(&at.app, &at.table).await?;
    let mut live = super::Live::clone(&live);
    live.changed();
    let rev = live.rev;
    let Stage::Gathering(gathering) = &mut live.stage else {
        return Ok(());
    };
    let mut others = gathering.arrivals.iter().filter(|(other, _)| **other != seat);
    if others.any(|(_, other)| other.random == own.random) {
        return Err(HttpError::wrong(
            "Another browser sent the same random bytes. Load the page again.",
        ));
    }
    gathering.arrivals.insert(seat, own);
    gathering.since = now();
    let mut error = None;
    if let Some(plan) = gathering.plan()? {
        match at.judged(move |judge| plan.start(judge)).await {
            Ok(started) => {
                live = started.live;
                live.rev = rev;
            }
            // Each deck could be played when it came, and one cannot now. The others do not learn
            // whose: all of them bring theirs again.
            Err(refused) if refused.status < 429 => {
                gathering.arrivals.retain(|other, _| *other == seat);
                error = Some(HttpError::new(
                    422,
                    "The match cannot start: the rules changed since the others came, so they must bring their decks again.",
                    "Your deck stays.",
                ));
            }
            Err(error) => return Err(error),
        }
    }
    at.store(memory, live, |_| Ok(())).await?;
    error.map_or(Ok(()), Err)
}

/// Closes a table that waits for its players.
async fn close(at: &AtTable) -> Result<Response, HttpError> {
    let id = at.table.id.clone();
    let closed = at.app.store.write(move |data| {
        let sql = "delete from sitting where id = ?1 and stage = 'gathering'";
        Ok(data.execute(sql, [id])?)
    });
    if closed.await? > 0 {
        at.tables.forget(std::slice::from_ref(&at.table.id));
        at.table.changes.send_modify(|_| ());
    }
    Ok(Redirect::to("/play").into_response())
}
