//! A table that waits for its players: each brings a deck of their own. Until the last one has, nobody is
//! told more of another's deck than that it was brought.

use super::create::{self, Wanted};
use super::deal::{self, Secret};
use super::opening::WAITS;
use super::stored::{Standing, update};
use super::terms::MatchTerms;
use super::{ONLOOKER, Opened, Stage, Table, path, standing};
use crate::clock::now;
use crate::guard::{Fields, Who};
use crate::store::Fault;
use crate::trouble::Trouble;
use crate::worker::{Bring, Lay, Tried};
use crate::{Shared, chooser, page as frame};
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_ask::ReadAnswer;
use decklaw_play::matches::SeatId;
use decklaw_play::matches::setup::{Decks, Setup};
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The most letters of a name.
const NAME: usize = 80;
/// The most findings that a page lists.
const FINDINGS: usize = 50;

/// A table whose players gather.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Gathering {
    terms: MatchTerms,
    secret: Secret,
    seats: usize,
    /// Who is there, and what each has brought.
    came: BTreeMap<SeatId, Came>,
    /// When it was opened, or somebody came last.
    since: String,
}

/// Somebody who is there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Came {
    pub(super) name: String,
    /// `None`: the match asks for none of theirs.
    pub(super) deck: Option<Box<RawValue>>,
    /// The bytes of chance of their browser.
    pub(super) chance: String,
}

impl Gathering {
    /// A table that somebody opens, who sits down at seat A.
    pub(super) fn new(terms: MatchTerms, secret: Secret, seats: usize, came: Came) -> Gathering {
        Gathering {
            terms,
            secret,
            seats,
            came: BTreeMap::from([(SeatId::A, came)]),
            since: now(),
        }
    }

    pub(super) fn seats(&self) -> Vec<SeatId> {
        SeatId::ALL.into_iter().take(self.seats).collect()
    }

    /// What those are called who are there.
    pub(super) fn names(&self) -> BTreeMap<SeatId, String> {
        let came = self.came.iter();
        came.map(|(seat, came)| (*seat, came.name.clone()))
            .collect()
    }

    /// Whose deck is waited for.
    pub(super) fn missing(&self) -> Vec<SeatId> {
        let mut seats = self.seats();
        seats.retain(|seat| !self.came.contains_key(seat));
        seats
    }

    pub(super) fn format(&self) -> &str {
        &self.terms.format
    }

    /// The match, once all are there.
    fn wanted(&self) -> Result<Option<Wanted>, Trouble> {
        if !self.missing().is_empty() {
            return Ok(None);
        }
        let came = || self.came.values();
        let decks = came().filter_map(|came| came.deck.as_ref());
        Ok(Some(Wanted {
            terms: self.terms.clone(),
            players: came().map(|came| came.name.clone()).collect(),
            decks: decks.map(|deck| deck.get().to_owned()).collect(),
            chance: self.secret.first(came().map(|came| came.chance.clone()))?,
            secret: Some(self.secret.clone()),
        }))
    }

    /// The day on which it goes.
    fn until(&self) -> String {
        let since = self.since.parse::<Timestamp>();
        let until = since.ok().and_then(|since| {
            let until = since.checked_add(SignedDuration::from_hours(WAITS * 24));
            until.ok()
        });
        until.map_or_else(String::new, |until| format!("{until:.0}")[..10].to_owned())
    }
}

/// Whether a seat brings a deck of its own.
pub(super) fn brings(setup: &Setup, seat: SeatId) -> bool {
    match setup.decks {
        Decks::Own => true,
        Decks::Shared => seat == SeatId::A,
        Decks::WholePool(_) => false,
    }
}

/// What stands in the fields of a form, and what is wrong with it.
pub(super) struct Form<'f> {
    pub(super) fields: &'f Fields,
    pub(super) wrong: Option<Markup>,
}

/// The deck that a form brings, in any reader's words.
///
/// # Errors
/// That there is none.
pub(super) fn brought(fields: &Fields) -> Result<String, Trouble> {
    let text = fields.get("deck").unwrap_or_default();
    match text.trim().is_empty() {
        true => Err(Trouble::wrong("Choose a deck, or paste one.")),
        false => Ok(text.to_owned()),
    }
}

/// Why a deck cannot be played, and the way to fix it in the builder.
pub(super) fn unfit(format: &str, answer: &ReadAnswer) -> Markup {
    let findings = &answer.check.0.findings;
    html! {
        div.wrong role="alert" {
            p { b { "This deck cannot be played yet." } " Nobody else sees why." }
            ul {
                @for finding in findings.iter().take(FINDINGS) {
                    li {
                        @if let Some(line) = finding.line { b { "Line " (line) ". " } }
                        (finding.message) "."
                        @if let Some(help) = &finding.help { " " span.quiet { (help) } }
                    }
                }
                @if findings.len() > FINDINGS { li { (findings.len() - FINDINGS) " more" } }
            }
            @if let Some(deck) = &answer.deck {
                p { a.btn #fix href={ "/deck/" (format) } data-deck=(deck.get()) { "Fix it in the builder" } }
            }
        }
    }
}

pub(super) fn said(trouble: &Trouble) -> Markup {
    html! { p.wrong role="alert" { (trouble.message) " " (trouble.help) } }
}

/// Asks for a deck: one of this browser's, a file, or a list. The page's script fills the box.
pub(super) fn deck_of(format: &str, form: &Form<'_>) -> Markup {
    let text = form.fields.get("deck").unwrap_or_default();
    html! {
        div #bring data-format=(format) {
            label for="deck" { "Your deck" }
            div.row #choices {}
            textarea.input #deck name="deck" rows="7" spellcheck="false" placeholder="Paste a list or a link, or drop a file here" { "\n" (text) }
        }
    }
}

/// A name as somebody typed it; one that is none is the seat's letter.
pub(super) fn name_of(fields: &Fields, seat: SeatId) -> Result<String, Trouble> {
    let name = decklaw_core::name::tidy(fields.text("name")).into_owned();
    match name.chars().count() {
        0 => Ok(seat.to_string()),
        count if count > NAME => Err(Trouble::wrong(format!(
            "A name has at most {NAME} letters."
        ))),
        _ => Ok(name),
    }
}

/// Asks for a name; the page's script fills in the last one.
pub(super) fn named(fields: &Fields) -> Markup {
    html! {
        div.field {
            label for="name" { "Your name" }
            input.input #name name="name" maxlength=(NAME) autocomplete="nickname" value=(fields.text("name"));
        }
    }
}

/// What the deal follows from, and the field of what this browser brings to it, which its page fills.
pub(super) fn chance(secret: &Secret, brought: Option<&str>) -> Markup {
    html! {
        input type="hidden" name="random";
        details #deal data-secret=(secret.shown()) data-brought=[brought] {
            summary { "Why nobody can choose the deal" }
            p { "Every shuffle and die follows from a secret of this server and from 32 random bytes of each browser. The server chose its secret before; its SHA-256 is " code { (secret.shown()) } ". After the game, the file shows the secret and all bytes, and " code { "decklaw match verify" } " deals it again." }
            @if let Some(brought) = brought { p { "Your browser brought " code { (brought) } "." } }
        }
    }
}

/// The page of a place at a table that waits for its players.
fn shown(
    app: &Shared,
    opened: &Opened,
    gathering: &Gathering,
    headers: &HeaderMap,
    form: Form<'_>,
) -> Result<Response, Trouble> {
    let table = &opened.table;
    let setup = &table.rules.1.setup;
    let seat = opened.seat();
    let origin = chooser::origin(app, headers);
    let state = |seat: SeatId| match (gathering.came.contains_key(&seat), brings(setup, seat)) {
        (true, true) => "Deck brought",
        (true, false) => "Ready",
        (false, _) if opened.seat() == Some(seat) => "Your turn to bring a deck",
        (false, _) => "Waiting for a player",
    };
    // Seat A sends the links of the others.
    let link = |place: &str| {
        let key = create::key_of(&app.secret, &table.id, &opened.key, place);
        create::link(&origin, &table.id, place, &key)
    };
    let is_host = seat == Some(SeatId::A);
    let mine = seat.and_then(|seat| gathering.came.get(&seat));
    let is_wrong = form.wrong.is_some();
    let to = path(&table.id, &opened.key);
    let body = html! {
        body.lobby {
            header.bar { (frame::logo()) span.quiet { (table.rules.0.format().entry().name) } }
            main #gather {
                h1 { bdi { (table.title) } }
                div #there {
                    ul.seats aria-label="Players" {
                        @for seat in gathering.seats() {
                            @let came = gathering.came.get(&seat);
                            li.panel.here[came.is_some()] {
                                h2 {
                                    i { (seat) }
                                    @match came.filter(|came| came.name != seat.letter()) {
                                        Some(came) => { bdi { (came.name) } }
                                        None => { "Seat " (seat) }
                                    }
                                    @if opened.seat() == Some(seat) { " (you)" }
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
                            summary { "A link for onlookers" }
                            (link(ONLOOKER)?)
                        }
                    }
                }
                noscript { p { "Load this page again to see who is here." } }
                @if let Some(seat) = seat {
                    form.panel method="post" action=(to) {
                        h2 { @if mine.is_none() { "Take your seat" } @else { "Your deck" } }
                        @if let Some(wrong) = &form.wrong { (wrong) }
                        @if let Some(deck) = mine.and_then(|came| came.deck.as_ref()) {
                            p { b { bdi { (deck_name(deck)) } } ". You can bring another one until all are here." }
                        }
                        @if brings(setup, seat) { (deck_of(gathering.format(), &form)) }
                        @else { p { @if setup.decks == Decks::Shared { "All play with the deck of seat A." } @else { "Nobody brings a deck: all cards of the game lie in the middle." } } }
                        (named(form.fields))
                        (chance(&gathering.secret, mine.map(|came| came.chance.as_str())))
                        p.actions {
                            button.btn.main.big { @if !brings(setup, seat) { "Take your seat" } @else if mine.is_none() { "Bring this deck" } @else { "Bring this deck instead" } }
                        }
                    }
                    @if is_host {
                        form method="post" action=(to) {
                            button.btn.plain name="do" value="close" { "Close the table" }
                        }
                    }
                } @else {
                    p { "You are an onlooker. The table appears here when the cards are dealt." }
                }
            }
        }
    };
    let page = frame::styled(
        &table.title,
        &["base.css", "table.css"],
        &["gather.js"],
        body,
    );
    let mut page = page.into_response();
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
    app: &Shared,
    opened: &Opened,
    gathering: &Gathering,
    headers: &HeaderMap,
) -> Result<Response, Trouble> {
    let mine = opened
        .seat()
        .and_then(|seat| Some((seat, gathering.came.get(&seat)?)));
    let name = mine.filter(|(seat, came)| came.name != seat.letter());
    let name = name.map(|(_, came)| ("name".to_owned(), came.name.clone()));
    let form = Form {
        fields: &Fields::of(name),
        wrong: None,
    };
    shown(app, opened, gathering, headers, form)
}

/// `POST /t/ID/KEY`: brings a deck to a table, or closes the table.
pub(in super::super) async fn bring(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let table = &opened.table;
    let seat = opened.player()?;
    let to = Redirect::to(&path(&table.id, &opened.key));
    let (held, live) = standing(&app, table).await?;
    drop(held);
    let Stage::Gathering(gathering) = &live.stage else {
        return Ok(to.into_response());
    };
    if fields.text("do") == "close" && seat == SeatId::A {
        return close(&app, table).await;
    }
    let again = |wrong: Markup| {
        let form = Form {
            fields: &fields,
            wrong: Some(wrong),
        };
        shown(&app, &opened, gathering, &headers, form)
    };
    let come = async || -> Result<Option<ReadAnswer>, Trouble> {
        let name = name_of(&fields, seat)?;
        let mut deck = None;
        if brings(&table.rules.1.setup, seat) {
            let bring = Bring {
                terms: gathering.terms.clone(),
                seats: gathering.seats,
                deck: Some(brought(&fields)?),
            };
            deck = match app.workers.ask(who.address, bring).await? {
                Tried::Fits { deck, .. } => deck,
                Tried::Unfit(answer) => return Ok(Some(*answer)),
                Tried::Refused(trouble) => return Err(trouble),
            };
        }
        let chance = deal::brought(&fields)?;
        comes(&app, &who, table, seat, Came { name, deck, chance }).await?;
        Ok(None)
    };
    match come().await {
        Ok(None) => Ok(to.into_response()),
        Ok(Some(answer)) => again(unfit(gathering.format(), &answer)),
        Err(trouble) => again(said(&trouble)),
    }
}

/// Lets somebody be there; with the last one the match is laid.
async fn comes(
    app: &Shared,
    who: &Who,
    table: &Table,
    seat: SeatId,
    came: Came,
) -> Result<(), Trouble> {
    let (mut held, mut live) = standing(app, table).await?;
    let before = live.rev;
    live.rev += 1;
    let Stage::Gathering(gathering) = &mut live.stage else {
        return Ok(());
    };
    let mut others = gathering.came.iter().filter(|(other, _)| **other != seat);
    if others.any(|(_, other)| other.chance == came.chance) {
        return Err(Trouble::wrong(
            "Another browser brought the same random bytes. Load the page again.",
        ));
    }
    gathering.came.insert(seat, came);
    gathering.since = now();
    let mut unplayed = None;
    let standing_now: Standing = match gathering.wanted()? {
        None => live.kept()?,
        Some(wanted) => match app.workers.ask(who.address, Lay(wanted)).await {
            Ok(laid) => laid.standing,
            // Each deck could be played when it was brought; by what this machine knows now one
            // cannot. Whose, and why, is nobody else's matter: all others bring theirs anew.
            Err(trouble) if trouble.status < 429 => {
                gathering.came.retain(|other, _| *other == seat);
                unplayed = Some(Trouble::new(
                    422,
                    "The match cannot start: the rules changed since the others brought their decks, so they must bring them again.",
                    "Your deck stays.",
                ));
                live.kept()?
            }
            Err(trouble) => return Err(trouble),
        },
    };
    // Until it is known what came of the writing, memory is not believed.
    held.unsure = true;
    let (id, rev) = (table.id.clone(), live.rev);
    let write = move |data: &Connection| update(data, &id, (before, rev), &standing_now);
    let written = table.write(app, write).await;
    drop(held);
    // Those who look are told of what was written.
    let told = standing(app, table).await.map(|_| ());
    written.and(told)?;
    unplayed.map_or(Ok(()), Err)
}

/// Gives a table up that gathers its players.
async fn close(app: &Shared, table: &Table) -> Result<Response, Trouble> {
    let id = table.id.clone();
    let write = move |data: &Connection| {
        let sql = "delete from sitting where id = ?1 and stage = 'gathering'";
        Ok::<_, Fault>(data.execute(sql, [id])?)
    };
    if app.store.write(write).await? > 0 {
        app.tables.forget(std::slice::from_ref(&table.id));
        table.changes.send_modify(|_| ());
    }
    Ok(Redirect::to("/play").into_response())
}
