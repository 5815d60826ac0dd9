//! A table that gathers its players: each brings a deck of their own. Until the last one has, nobody is
//! told more of another's deck than that it was brought.

use super::create::{self, Wanted};
use super::deal::{self, Secret};
use super::found::{self, Found};
use super::kept::{Standing, update};
use super::opening::WAITS;
use super::terms::MatchTerms;
use super::{Opened, Stage, Table, chairs, standing};
use crate::clock::now;
use crate::drafts::{self, DRAFTS, Entry};
use crate::guard::{BROWSER, Fields, Who};
use crate::store::Fault;
use crate::trouble::Trouble;
use crate::worker::{Bring, Lay, ReadFile, Tried};
use crate::{Shared, chooser, keys, page as frame};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_ask::ReadAnswer;
use decklaw_core::deck::settings_apart;
use decklaw_play::matches::setup::{Decks, Setup};
use decklaw_play::matches::{Reader, SeatId};
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The tables that are looked at for somebody's name.
const LATELY: i64 = 5;
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
    /// The deck of one's own that is chosen.
    pub(super) draft: &'f str,
    pub(super) wrong: Option<Markup>,
}

/// A deck that is brought: as a form has it, in any reader's words.
pub(super) struct Brought {
    /// One's own deck; empty: it was pasted.
    draft: String,
    pub(super) text: String,
}

/// The deck that a form brings; `None`: none.
pub(super) async fn brought(
    app: &Shared,
    who: &Who,
    format: &str,
    fields: &Fields,
) -> Result<Option<Brought>, Trouble> {
    let text = fields.get("deck").unwrap_or_default();
    if !text.trim().is_empty() {
        return Ok(Some(Brought {
            draft: String::new(),
            text: text.to_owned(),
        }));
    }
    let draft = fields.text("draft");
    if draft.is_empty() {
        return Ok(None);
    }
    let kept = drafts::kept(app, who, draft.to_owned()).await?;
    if kept.format != format {
        return Err(Trouble::wrong("That deck is one of another format."));
    }
    // The table's settings count there, as the form says.
    let apart = settings_apart(&kept.deck).map_err(|_| Trouble::damaged("deck"))?;
    Ok(Some(Brought {
        draft: draft.to_owned(),
        text: apart.map_or(kept.deck, |(_, rest)| rest),
    }))
}

/// What a deck cannot be played for, and the ways on: in place, or in the builder.
pub(super) fn unfit(format: &str, brought: &Brought, import: &ReadAnswer) -> Markup {
    let own = !brought.draft.is_empty();
    let findings = &import.check.0.findings;
    html! {
        p.message role="alert" { "This deck cannot be played as it is. Nobody else is told." }
        ul.findings {
            @for finding in findings.iter().take(FINDINGS) {
                li class={ "finding " (finding.severity.word()) } {
                    @if let Some(line) = finding.line.filter(|_| !own) { b { "Line " (line) } " " }
                    (finding.message)
                    @if let Some(help) = &finding.help { " " span.quiet { (help) } }
                }
            }
            @if findings.len() > FINDINGS { li.finding { (findings.len() - FINDINGS) " more" } }
        }
        @if own {
            p { a.button href={ "/deck/" (format) "#d=" (brought.draft) } { "Mend it in the builder" } " " span.quiet { "Its button " b { "Play" } " leads back here." } }
        } @else if import.deck.is_some() {
            p { button name="do" value="build" { "Open it in the builder" } " " span.quiet { "It becomes one of your decks there; the button " b { "Play" } " leads back here. Or mend it below." } }
        } @else {
            p { "Mend these lines below, and bring it again." }
        }
    }
}

pub(super) fn said(trouble: &Trouble) -> Markup {
    html! { p.message role="alert" { (trouble.message) " " (trouble.help) } }
}

/// Makes one of one's own decks of what a form brings, and goes to the builder with it.
pub(super) async fn build(
    app: &Shared,
    who: &Who,
    format: &str,
    brought: &Brought,
) -> Result<Response, Trouble> {
    let read = ReadFile {
        format: Some(format.to_owned()),
        bytes: brought.text.clone().into_bytes(),
        input: String::new(),
        file: String::new(),
    };
    let import = app.workers.ask(who.client(), read).await?;
    let Some(deck) = &import.deck else {
        return Err(Trouble::new(
            422,
            "The builder cannot open this, since not every line of it can be read.",
            "Mend the lines first.",
        ));
    };
    let draft = drafts::make(app, who, format, deck).await?;
    Ok(Redirect::to(&format!("/deck/{format}#d={draft}")).into_response())
}

/// Asks for a deck: one of one's own of a format, or a list.
pub(super) fn deck_of(own: &[Entry], form: &Form<'_>) -> Markup {
    let text = form.fields.get("deck").unwrap_or_default();
    // The one that was changed last comes first, and is offered.
    let offered = own.first().map_or("", |entry| entry.id.as_str());
    let chosen = match (form.draft, form.fields.get("draft")) {
        ("", None) => offered,
        (draft, _) => draft,
    };
    html! {
        @if !own.is_empty() {
            label for="draft" { "One of your decks" }
            select #draft name="draft" {
                option value="" { "the list below" }
                @for entry in own { option value=(entry.id) selected[entry.id == chosen && text.is_empty()] { (entry.name) } }
            }
            @for entry in own.iter().filter(|entry| !entry.settings.is_empty()) {
                p.quiet { bdi { (entry.name) } " is judged in the builder with " (entry.settings) ". A table judges by the settings of its server alone." }
            }
        }
        details #paste open[own.is_empty() || !text.is_empty()] {
            summary { @if own.is_empty() { "Paste a list" } @else { "Or paste a list, which is taken instead" } }
            label for="deck" { "Your deck, in any form that decklaw reads" }
            textarea #deck name="deck" rows=(if text.is_empty() { 6 } else { 14 }) spellcheck="false" { "\n" (text) }
        }
    }
}

/// One's own decks of a format.
pub(super) async fn own_of(app: &Shared, who: &Who, format: &str) -> Result<Vec<Entry>, Trouble> {
    let mut own = drafts::of(app, who, DRAFTS).await?;
    own.retain(|entry| entry.format == format);
    Ok(own)
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

/// Asks for a name: the one that was typed, or else the last one at another table.
pub(super) fn named(fields: &Fields, others: &[Found]) -> Markup {
    let last = || others.iter().find_map(Found::name).unwrap_or_default();
    let name = fields.get("name").unwrap_or_else(last);
    html! {
        label for="name" { "Your name" }
        input #name name="name" maxlength=(NAME) autocomplete="nickname" value=(name);
    }
}

/// What the deal follows from, and the field of what this browser brings to it, which its page fills.
pub(super) fn chance(secret: &Secret, brought: Option<&str>) -> Markup {
    html! {
        input type="hidden" name="random";
        details #deal data-secret=(secret.shown()) data-brought=[brought] {
            summary { "How nobody can choose the deal" }
            p { "Every shuffle and every die follows from a secret of this server and from bytes of chance that each browser brings with its deck. The secret was made before, and has the SHA-256 " code.hash { (secret.shown()) } ". After the game its file shows the secret and all bytes, and " code { "decklaw match verify" } " deals it again." }
            @if let Some(brought) = brought { p { "Your browser brought " code.hash { (brought) } "." } }
        }
    }
}

/// The key of a place at a table that somebody opened. It is made of the key of their browser, of which
/// the server keeps the digest alone: nobody else can make it, and that browser can show it again.
pub(super) fn key_of(app: &Shared, who: &Who, id: &str, chair: &str) -> String {
    let browser = who.cookie(BROWSER).unwrap_or_default();
    let parts = ["chair", browser, id, chair].map(str::as_bytes);
    keys::of_form(&app.secret, &parts)
}

/// The places of the others, each with its key, where this browser can make it.
fn links_of<'t>(app: &Shared, who: &Who, table: &'t Table) -> Vec<(&'t String, String)> {
    let others = table.keys.iter();
    let others = others.filter(|(chair, _)| *chair != SeatId::A.letter());
    let each = others.filter_map(|(chair, kept)| {
        let key = key_of(app, who, &table.id, chair);
        let own = decklaw_core::digest::hex(&keys::kept(&key));
        keys::same(own.as_bytes(), kept.as_bytes()).then_some((chair, key))
    });
    each.collect()
}

/// The page of a place at a table that gathers its players.
async fn shown(
    app: &Shared,
    who: &Who,
    Opened { table, reader }: &Opened,
    gathering: &Gathering,
    headers: &HeaderMap,
    form: Form<'_>,
) -> Result<Response, Trouble> {
    let taken = chairs::taken(app, &table.id).await?;
    let setup = &table.rules.1.setup;
    let seat = match reader {
        Reader::Seat(seat) => Some(*seat),
        Reader::Public => None,
    };
    let own = match seat.filter(|seat| brings(setup, *seat)) {
        Some(_) => own_of(app, who, gathering.format()).await?,
        None => Vec::new(),
    };
    let others = found::of(app, who, LATELY).await?;
    let host = seat == Some(SeatId::A);
    let origin = chooser::origin(app, headers);
    let links: Vec<(&String, String)> = match host {
        true => links_of(app, who, table),
        false => Vec::new(),
    };
    let state = |seat: SeatId| match (gathering.came.contains_key(&seat), brings(setup, seat)) {
        (true, true) => "has brought a deck",
        (true, false) => "is there",
        (false, _) if taken.contains(&seat) => "has come, and has not brought a deck yet",
        (false, _) => "nobody has come yet",
    };
    let mine = seat.and_then(|seat| gathering.came.get(&seat));
    let wrong = form.wrong.is_some();
    let body = html! {
        (frame::top())
        main.narrow #gather {
            h1 { bdi { (table.title) } }
            p.quiet { (gathering.format()) " · " (gathering.seats) " seats · nobody sees another's deck" }
            div #there {
                ul.decks aria-label="Who is there" {
                    @for seat in gathering.seats() {
                        li { p.row {
                            b { "Seat " (seat) @if reader == &Reader::Seat(seat) { " (you)" } }
                            @if let Some(came) = gathering.came.get(&seat).filter(|came| came.name != seat.letter()) { bdi { (came.name) } }
                            span.quiet { (state(seat)) }
                        } }
                    }
                }
                p.note role="status" {
                    @if gathering.missing().iter().any(|missing| seat == Some(*missing)) { "The table waits for you. " }
                    "The cards are dealt as soon as all are there. The table waits until " (gathering.until()) "."
                }
                @if host {
                    p.quiet { "Send each player their link, and nobody another's: it opens that seat." }
                    @if links.is_empty() { p { "The links were made with another key than this browser has now. Where they were not sent, give the table up and open another one." } }
                    @for (chair, key) in &links {
                        @match SeatId::parse(chair) {
                            Some(seat) if gathering.came.contains_key(&seat) => {}
                            Some(_) => { (create::link(&origin, &table.id, chair, key)?) }
                            None => { details {
                                summary { "A link for onlookers" }
                                (create::link(&origin, &table.id, chair, key)?)
                            } }
                        }
                    }
                }
            }
            noscript { p { "Load this page again to see who has come." } }
            @if let Some(seat) = seat {
                form method="post" action={ "/t/" (table.id) "/" (seat) } {
                    (frame::token(who))
                    @if let Some(wrong) = &form.wrong { (wrong) }
                    h2 { @if mine.is_none() { "Sit down" } @else { "What you have brought" } }
                    @if let Some(deck) = mine.and_then(|came| came.deck.as_ref()) {
                        p { "Your deck: " b { bdi { (deck_name(deck)) } } ". Until all are there you may bring another one." }
                    }
                    @if brings(setup, seat) { (deck_of(&own, &form)) }
                    @else { p { "You bring no deck: " @if setup.decks == Decks::Shared { "all play the one of seat A." } @else { "every card of the game lies in the middle once." } } }
                    (named(form.fields, &others))
                    (chance(&gathering.secret, mine.map(|came| came.chance.as_str())))
                    button.primary { @if !brings(setup, seat) { "Sit down" } @else if mine.is_none() { "Bring it" } @else { "Bring this one instead" } }
                }
                @if host {
                    details {
                        summary { "Give the table up…" }
                        form method="post" action={ "/t/" (table.id) "/" (seat) } {
                            (frame::token(who))
                            p { "Its links open nothing any more." }
                            button name="do" value="close" { "Give it up" }
                        }
                    }
                }
            } @else {
                p { "You look on: the table is shown here as soon as it is laid." }
            }
        }
    };
    let scripts = ["key.js", "gather.js"];
    let mut page = frame::page(who, &table.title, &scripts, body).into_response();
    if wrong {
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
    name.unwrap_or_else(|| drafts::UNNAMED.to_owned())
}

/// The page of a place at a table that gathers its players.
pub(super) async fn page(
    app: &Shared,
    who: &Who,
    opened: &Opened,
    gathering: &Gathering,
    headers: &HeaderMap,
    draft: &str,
) -> Result<Response, Trouble> {
    let mine = match opened.reader {
        Reader::Seat(seat) => gathering.came.get(&seat).map(|came| (seat, &came.name)),
        Reader::Public => None,
    };
    let name = mine.filter(|(seat, name)| *name != seat.letter());
    let name = name.map(|(_, name)| ("name".to_owned(), name.clone()));
    let form = Form {
        fields: &Fields::of(name),
        draft,
        wrong: None,
    };
    shown(app, who, opened, gathering, headers, form).await
}

/// `POST /t/ID/SEAT`: brings a deck to a table, or gives the table up.
pub(in super::super) async fn bring(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
    Path((id, letter)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let table = &opened.table;
    let Reader::Seat(seat) = opened.reader else {
        return Err(Trouble::new(403, "Who looks on brings no deck.", ""));
    };
    let to = Redirect::to(&format!("/t/{id}/{letter}"));
    let (held, live) = standing(&app, table).await?;
    drop(held);
    let Stage::Gathering(gathering) = &live.stage else {
        return Ok(to.into_response());
    };
    if fields.text("do") == "close" && seat == SeatId::A {
        return close(&app, table).await;
    }
    let again = async |wrong: Markup| {
        let form = Form {
            fields: &fields,
            draft: fields.text("draft"),
            wrong: Some(wrong),
        };
        shown(&app, &who, &opened, gathering, &headers, form).await
    };
    let name = match name_of(&fields, seat) {
        Ok(name) => name,
        Err(trouble) => return again(said(&trouble)).await,
    };
    let format = gathering.format();
    let mut deck = None;
    if brings(&table.rules.1.setup, seat) {
        let Some(brought) = brought(&app, &who, format, &fields).await? else {
            return again(said(&Trouble::wrong("Choose a deck, or paste one."))).await;
        };
        if fields.text("do") == "build" {
            return build(&app, &who, format, &brought).await;
        }
        let bring = Bring {
            terms: gathering.terms.clone(),
            seats: gathering.seats,
            deck: Some(brought.text.clone()),
        };
        deck = match app.workers.ask(who.client(), bring).await {
            Ok(Tried::Fits { deck, .. }) => deck,
            Ok(Tried::Unfit(import)) => return again(unfit(format, &brought, &import)).await,
            Ok(Tried::Refused(trouble)) | Err(trouble) => return again(said(&trouble)).await,
        };
    }
    let came = match deal::brought(&fields) {
        Ok(chance) => Came { name, deck, chance },
        Err(trouble) => return again(said(&trouble)).await,
    };
    match comes(&app, &who, table, seat, came).await {
        Ok(()) => Ok(to.into_response()),
        Err(trouble) => again(said(&trouble)).await,
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
            "Somebody brought the same bytes of chance; bring other ones.",
        ));
    }
    gathering.came.insert(seat, came);
    gathering.since = now();
    let mut unplayed = None;
    let standing_now: Standing = match gathering.wanted()? {
        None => live.kept()?,
        Some(wanted) => match app.workers.ask(who.client(), Lay(wanted)).await {
            Ok(laid) => laid.standing,
            // Each deck could be played when it was brought; by what this machine knows now one
            // cannot. Whose, and why, is nobody else's matter: all others bring theirs anew.
            Err(trouble) if trouble.status < 429 => {
                gathering.came.retain(|other, _| *other == seat);
                unplayed = Some(Trouble::new(
                    422,
                    "The match could not be laid by the rules as they are now: what the others brought before must be brought again.",
                    "Your deck is kept.",
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
    Ok(Redirect::to("/tables").into_response())
}
