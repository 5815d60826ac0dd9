//! Playing a deck: any visitor opens a table for it, and sends the others its links.

use super::create::{Wanted, chairs as keys_of};
use super::deal::{self, Secret};
use super::gather::{
    Came, Form, Gathering, brings, brought, build, chance, deck_of, key_of, name_of, named, own_of,
    said, unfit,
};
use super::kept::New;
use super::terms::{self, MatchTerms, most_seats};
use super::{Live, Stage, chairs, found, seats_of};
use crate::drafts::{self, DRAFTS};
use crate::guard::{Fields, Who};
use crate::keys::Kept;
use crate::store::Fault;
use crate::trouble::Trouble;
use crate::worker::{Bring, Games, Lay, Tried};
use crate::{Shared, chooser, keys, page as frame};
use axum::extract::{Extension, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_play::matches::setup::{Decks, Seats};
use decklaw_play::matches::{Randomness, SeatId};
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;

/// For how many days a visitor's table waits for the next deck.
pub(super) const WAITS: i64 = 7;
/// For how many days a visitor's table is kept at which nobody does anything.
const LASTS: i64 = 90;
/// The most tables of one browser that are not over.
const OWN: i64 = 30;
/// The most tables of all visitors that are not over.
const ALL: i64 = 3000;

/// How long tables last, for people.
pub(super) fn lasting() -> String {
    format!(
        "A table that a visitor opened goes when it has waited {WAITS} days for the next deck, and when nobody has done anything at it for {LASTS} days."
    )
}

/// `GET /play`: what is to be played, and with which deck.
pub(in super::super) async fn ask(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Trouble> {
    let asked = |name: &str| query.get(name).map_or("", String::as_str);
    let draft = asked("deck");
    let format = match draft {
        "" => asked("format").to_owned(),
        draft => drafts::kept(&app, &who, draft.to_owned()).await?.format,
    };
    let fields = Fields::default();
    let form = Form {
        fields: &fields,
        draft,
        wrong: None,
    };
    match format.as_str() {
        "" => begin(&app, &who).await,
        format => ask_of(&app, &who, format, form).await,
    }
}

/// The page that asks which deck, or which game, is to be played.
async fn begin(app: &Shared, who: &Who) -> Result<Response, Trouble> {
    let games = app.workers.ask(who.client(), Games).await?;
    let own = drafts::of(app, who, DRAFTS).await?;
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "Play a deck" }
            @if !own.is_empty() {
                h2 { "One of yours" }
                ul.decks {
                    @for entry in &own {
                        li { a href={ "/play?deck=" (entry.id) } { bdi { (entry.name) } span.quiet { (entry.format) } } }
                    }
                }
            }
            h2 { "With a list that you paste, or where the game brings its own cards" }
            (chooser::formats(&games))
        }
    };
    Ok(frame::page(who, "Play a deck", &[], body).into_response())
}

/// The page that asks what is to be played in a format.
async fn ask_of(
    app: &Shared,
    who: &Who,
    format: &str,
    form: Form<'_>,
) -> Result<Response, Trouble> {
    let setup = seats_of(app, format).await?.1.setup;
    let own = own_of(app, who, format).await?;
    let tables = found::of(app, who, DRAFTS).await?;
    let waiting = tables.iter();
    let waiting = waiting.filter(|found| found.format == format && found.wants_deck());
    let waiting: Vec<&found::Found> = waiting.collect();
    let chosen: usize = form.fields.text("seats").parse().unwrap_or_default();
    // A page that is shown again since something on it was wrong stays the same.
    let fresh = keys::new().map_err(Trouble::from)?;
    let page_key = match form.fields.text("page") {
        "" => fresh.as_str(),
        known => known,
    };
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "Play a deck" }
            @if !waiting.is_empty() && form.wrong.is_none() {
                section.receipt {
                    h2 { "A table waits for your deck" }
                    ul.decks {
                        @for table in &waiting { li { a href={ (table.path()) "?deck=" (form.draft) } { (found::about(table)) span { "Bring it there" } } } }
                    }
                }
                h2 { "Or open another table" }
            }
            form method="post" action="/play" {
                (frame::token(who))
                (chooser::chosen(format, "/play"))
                @if let Some(wrong) = &form.wrong { (wrong) }
                @match &setup.decks {
                    Decks::Own => { (deck_of(&own, &form)) }
                    Decks::Shared => {
                        p { "One deck lies in the middle, for all who play: the one that you choose here." }
                        (deck_of(&own, &form))
                    }
                    Decks::WholePool(_) => { p { "Nobody brings a deck: every card of the game lies in the middle once." } }
                }
                (named(form.fields, &tables))
                label for="title" { "What the table is called" }
                input #title name="title" maxlength="200" placeholder=(format) value=(form.fields.text("title"));
                @if let (Seats::Between(least, most), Decks::Own) = (&setup.seats, &setup.decks) {
                    @if least < most {
                        label for="seats" { "How many play" }
                        select #seats name="seats" {
                            @for number in *least..=*most { option value=(number) selected[usize::from(number) == chosen] { (number) } }
                        }
                    }
                }
                (terms::asked(&setup, setup.game_option(), form.fields))
                input type="hidden" name="page" value=(page_key);
                (chance(&Secret::of_page(app, page_key), None))
                button.primary { "Open the table" }
                " " button name="do" value="alone" { "Try it alone" }
                p.quiet { "Alone, a deck may be unfinished. At a table you sit at seat A. You get a link for each of the others, who bring their own decks; nobody sees another's." }
            }
        }
    };
    let wrong = form.wrong.is_some();
    let mut page = frame::page(who, "Play a deck", &["deal.js"], body).into_response();
    if wrong {
        *page.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Ok(page)
}

/// `POST /play`: opens a table, and sits down at it.
pub(in super::super) async fn open(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    drafts::permitted(&app, &who)?;
    let format = fields.text("format").to_owned();
    let setup = seats_of(&app, &format).await?.1.setup;
    let again = async |wrong: Markup| {
        let form = Form {
            fields: &fields,
            draft: fields.text("draft"),
            wrong: Some(wrong),
        };
        ask_of(&app, &who, &format, form).await
    };
    let deck = match brings(&setup, SeatId::A) {
        true => brought(&app, &who, &format, &fields).await?,
        false => None,
    };
    match (&deck, brings(&setup, SeatId::A)) {
        (None, true) => {
            return again(said(&Trouble::wrong("Choose a deck, or paste one."))).await;
        }
        (Some(deck), _) if fields.text("do") == "build" => {
            return build(&app, &who, &format, deck).await;
        }
        _ => {}
    }
    let name = match name_of(&fields, SeatId::A) {
        Ok(name) => name,
        Err(trouble) => return again(said(&trouble)).await,
    };
    let least = match &setup.seats {
        Seats::Between(least, _) => usize::from(*least),
        Seats::Option(_) => most_seats(&setup),
    };
    let terms = MatchTerms::of(&format, &fields);
    if terms.alone() {
        let wanted = Wanted {
            terms,
            players: vec![name],
            decks: deck.into_iter().map(|deck| deck.text).collect(),
            chance: Randomness::from_system().map_err(|error| Trouble::from(&error))?,
            secret: None,
        };
        return match try_alone(&app, &who, &fields, wanted).await {
            Ok(to) => Ok(Redirect::to(&to).into_response()),
            Err(trouble) => again(said(&trouble)).await,
        };
    }
    let chance = match deal::brought(&fields) {
        Ok(chance) => chance,
        Err(trouble) => return again(said(&trouble)).await,
    };
    let bring = Bring {
        terms: terms.clone(),
        seats: fields.text("seats").parse().unwrap_or(least),
        deck: deck.as_ref().map(|deck| deck.text.clone()),
    };
    let (seats, made) = match (app.workers.ask(who.client(), bring).await, &deck) {
        (Ok(Tried::Fits { seats, deck }), _) => (seats, deck),
        (Ok(Tried::Unfit(import)), Some(deck)) => {
            return again(unfit(&format, deck, &import)).await;
        }
        (Ok(Tried::Unfit(_)), None) => return Err(Trouble::defect()),
        (Ok(Tried::Refused(trouble)) | Err(trouble), _) => return again(said(&trouble)).await,
    };
    let table = who.key(&app, "table")?;
    let (id, digests, _) = keys_of(seats, |chair| match chair {
        "table" => Ok(table.clone()),
        chair => Ok(key_of(&app, &who, &table[..10], chair)),
    })?;
    let secret = match fields.text("page") {
        "" => Secret::new()?,
        page => Secret::of_page(&app, page),
    };
    let came = Came {
        name: name.clone(),
        deck: made,
        chance,
    };
    let gathering = Gathering::new(terms, secret, seats, came);
    let title = decklaw_core::name::tidy(fields.text("title")).into_owned();
    let new = New {
        id: id.clone(),
        title: match (title.as_str(), name.as_str() == SeatId::A.letter()) {
            ("", true) => format.clone(),
            ("", false) => format!("{name}’s table"),
            _ => title,
        },
        format: format.clone(),
        keys: digests,
        by: (!who.host).then_some(who.browser),
        standing: Live::new(Stage::Gathering(Box::new(gathering)), None)?.kept()?,
    };
    let to = format!("/t/{id}/{}", SeatId::A);
    match keep_new(&app, &who, new).await {
        Ok(()) => Ok(Redirect::to(&to).into_response()),
        Err(trouble) => again(said(&trouble)).await,
    }
}

/// Lays a table for somebody alone; where it is.
async fn try_alone(
    app: &Shared,
    who: &Who,
    fields: &Fields,
    wanted: Wanted,
) -> Result<String, Trouble> {
    let title = decklaw_core::name::tidy(fields.text("title")).into_owned();
    let format = wanted.terms.format.clone();
    let laid = app.workers.ask(who.client(), Lay(wanted)).await?;
    let (id, keys, _) = keys_of(laid.seats, |chair| who.key(app, chair))?;
    let to = format!("/t/{id}/{}", SeatId::A);
    let title = match title.is_empty() {
        true => format!("{format}, alone"),
        false => title,
    };
    let new = New {
        id,
        title,
        format,
        keys,
        by: (!who.host).then_some(who.browser),
        standing: laid.standing,
    };
    keep_new(app, who, new).await?;
    Ok(to)
}

/// Keeps a table that somebody opens, who sits down at seat A.
async fn keep_new(app: &Shared, who: &Who, new: New) -> Result<(), Trouble> {
    let (browser, visitor) = (who.browser, !who.host);
    let write = move |data: &Connection| -> Result<Vec<String>, Fault> {
        let sql = "select 1 from sitting where id = ?1";
        let there: Option<i64> = data
            .query_row(sql, [&new.id], |row| row.get(0))
            .optional()?;
        // The same form opens the same table.
        if there.is_some() {
            return Ok(Vec::new());
        }
        let gone = expire(data)?;
        if visitor {
            has_room(data, &browser)?;
        }
        new.write(data)?;
        chairs::take(data, &browser, &new.id, SeatId::A.letter())?;
        Ok(gone)
    };
    let gone = app.store.write(write).await?;
    app.tables.forget(&gone);
    Ok(())
}

/// Removes tables that visitors opened and that nobody came to, or came back to. Two go for one that
/// comes: where the clock is set forward, nearly all are still there when that is seen.
fn expire(data: &Connection) -> Result<Vec<String>, Fault> {
    let before = |days: i64| {
        let at = Timestamp::now().checked_sub(SignedDuration::from_hours(days * 24));
        at.map_or_else(|_| String::new(), |at| format!("{at:.3}"))
    };
    let mut found = data.prepare(
        "delete from sitting where rowid in (
           select rowid from sitting where opened_by is not null
           and at < case stage when 'gathering' then ?1 else ?2 end limit 2)
         returning id",
    )?;
    let gone = found.query_map(params![before(WAITS), before(LASTS)], |row| row.get(0))?;
    Ok(gone.collect::<Result<_, _>>()?)
}

/// Whether a visitor may open another table.
fn has_room(data: &Connection, browser: &Kept) -> Result<(), Fault> {
    let open = "from sitting where opened_by is not null and ended is null";
    let own: i64 = data.query_row(
        &format!("select count(*) {open} and opened_by = ?1"),
        [&browser[..]],
        |row| row.get(0),
    )?;
    if own >= OWN {
        return Err(Trouble::new(
            429,
            format!("This browser has opened {OWN} tables that are not over, which is the most."),
            "End a game, or give up a table that waits; your tables are listed under /tables.",
        )
        .into());
    }
    let all: i64 = data.query_row(&format!("select count(*) {open}"), [], |row| row.get(0))?;
    if all >= ALL {
        return Err(Trouble::new(
            507,
            format!("Visitors have {ALL} tables open here, which is the most."),
            "Whoever runs this machine can lay one; or try again another day.",
        )
        .into());
    }
    Ok(())
}
