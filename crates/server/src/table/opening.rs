//! Opening a table: any visitor does, and sends the others their links.

use super::create::{Chairs, Wanted, chairs};
use super::deal::{self, Secret};
use super::lobby::{
    Came, Form, Gathering, brings, brought, chance, deck_of, name_of, named, said, unfit,
};
use super::stored::New;
use super::terms::{self, MatchTerms, most_seats};
use super::{Live, Stage, path, seats_of};
use crate::guard::{Fields, Who};
use crate::store::Fault;
use crate::trouble::Trouble;
use crate::worker::{Bring, Games, Lay, Tried};
use crate::{Shared, keys, page as frame};
use axum::extract::{Extension, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_ask::ReadAnswer;
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
/// The most tables of one address that are not over: a club's visitors may share one.
const OWN: i64 = 300;
/// The most tables of all visitors that are not over.
const ALL: i64 = 3000;

/// `GET /play`: which game, or what is asked before a table opens.
pub(in super::super) async fn ask(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Trouble> {
    match query.get("format").filter(|format| !format.is_empty()) {
        None => games(&app, &who).await,
        Some(format) => {
            let form = Form {
                fields: &Fields::default(),
                wrong: None,
            };
            ask_of(&app, format, form).await
        }
    }
}

fn page_of(title: &str, body: Markup) -> Response {
    let body = html! {
        body.lobby {
            header.bar { (frame::logo()) }
            main { (body) }
        }
    };
    frame::styled(title, &["base.css", "table.css"], &["gather.js"], body).into_response()
}

/// The page that asks which game is played, with this browser's tables.
async fn games(app: &Shared, who: &Who) -> Result<Response, Trouble> {
    let games = app.workers.ask(who.address, Games).await?;
    let body = html! {
        h1 { "Play" }
        section #tables hidden { h2 { "Your tables" } }
        section {
            h2 { "Open a table" }
            ul.games {
                @for game in games.iter().filter(|game| game.wrong.is_none()) {
                    li.panel {
                        h3 { (game.name) }
                        ul { @for one in &game.formats { li { a href={ "/play?format=" (one.format.replace('/', "%2F")) } { (one.name) } } } }
                    }
                }
            }
        }
    };
    Ok(page_of("Play", body))
}

/// The page that asks what is played in a format.
async fn ask_of(app: &Shared, format: &str, form: Form<'_>) -> Result<Response, Trouble> {
    let (book, rules) = seats_of(app, format).await?;
    let setup = &rules.setup;
    let chosen: usize = form.fields.text("seats").parse().unwrap_or_default();
    // A page that is shown again since something on it was wrong stays the same.
    let fresh = keys::new().map_err(Trouble::from)?;
    let page_key = match form.fields.text("page") {
        "" => fresh.as_str(),
        known => known,
    };
    let name = &book.format().entry().name;
    let body = html! {
        h1 { "Play " (name) }
        p { a href="/play" { "Another game" } }
        form.panel method="post" action="/play" {
            // The same form opens the same table.
            input type="hidden" name="form" value=(page_key);
            input type="hidden" name="page" value=(page_key);
            input type="hidden" name="format" value=(format);
            @if let Some(wrong) = &form.wrong { (wrong) }
            @match &setup.decks {
                Decks::Own => { (deck_of(format, &form)) }
                Decks::Shared => {
                    p { "All play with one deck: the one that you choose here." }
                    (deck_of(format, &form))
                }
                Decks::WholePool(_) => { p { "Nobody brings a deck: all cards of the game lie in the middle." } }
            }
            @if let (Seats::Between(least, most), Decks::Own) = (&setup.seats, &setup.decks) {
                @if least < most {
                    fieldset.players {
                        legend { "Players" }
                        @for number in *least..=*most {
                            label.chip {
                                input type="radio" name="seats" value=(number) checked[usize::from(number) == chosen.max(usize::from(*least))];
                                (number)
                            }
                        }
                    }
                }
            }
            (terms::asked(setup, setup.game_option(), form.fields))
            (named(form.fields))
            (chance(&Secret::of_page(app, page_key), None))
            p.actions {
                button.btn.main.big name="do" value="open" { "Open a table" }
                button.btn.big name="do" value="alone" { "Play alone" }
            }
            p.quiet { "You get a link for each other player. They bring their own decks, and nobody sees another's. Alone, a deck need not be finished." }
        }
    };
    let mut page = page_of(&format!("Play {name}"), body);
    if form.wrong.is_some() {
        *page.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Ok(page)
}

/// `POST /play`: opens a table with a seat for who asks. Without `do` it is a page with a deck that asks
/// for the rest.
pub(in super::super) async fn open(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let format = fields.text("format").to_owned();
    let again = async |wrong: Option<Markup>| {
        let form = Form {
            fields: &fields,
            wrong,
        };
        ask_of(&app, &format, form).await
    };
    if fields.text("do").is_empty() {
        return again(None).await;
    }
    match opened(&app, &who, &format, &fields).await {
        Ok(Ok(to)) => Ok(Redirect::to(&to).into_response()),
        Ok(Err(answer)) => again(Some(unfit(&format, &answer))).await,
        Err(trouble) if trouble.status >= 500 && trouble.status != 507 => Err(trouble),
        Err(trouble) => again(Some(said(&trouble))).await,
    }
}

/// Where the table is that a form opens; or what is wrong with the deck.
async fn opened(
    app: &Shared,
    who: &Who,
    format: &str,
    fields: &Fields,
) -> Result<Result<String, Box<ReadAnswer>>, Trouble> {
    let setup = seats_of(app, format).await?.1.setup;
    let deck = match brings(&setup, SeatId::A) {
        true => Some(brought(fields)?),
        false => None,
    };
    let name = name_of(fields, SeatId::A)?;
    let terms = MatchTerms::of(format, fields);
    let (seats, title, live) = if terms.alone() {
        let wanted = Wanted {
            terms,
            players: vec![name],
            decks: deck.into_iter().collect(),
            chance: Randomness::from_system().map_err(|error| Trouble::from(&error))?,
            secret: None,
        };
        let laid = app.workers.ask(who.address, Lay(wanted)).await?;
        (laid.seats, "Alone".to_owned(), laid.standing)
    } else {
        let chance = deal::brought(fields)?;
        let least = match &setup.seats {
            Seats::Between(least, _) => usize::from(*least),
            Seats::Option(_) => most_seats(&setup),
        };
        let bring = Bring {
            terms: terms.clone(),
            seats: fields.text("seats").parse().unwrap_or(least),
            deck,
        };
        let (seats, deck) = match app.workers.ask(who.address, bring).await? {
            Tried::Fits { seats, deck } => (seats, deck),
            Tried::Unfit(answer) => return Ok(Err(answer)),
            Tried::Refused(trouble) => return Err(trouble),
        };
        let secret = match fields.text("page") {
            "" => Secret::new()?,
            page => Secret::of_page(app, page),
        };
        let title = match name == SeatId::A.letter() {
            true => "Your table".to_owned(),
            false => format!("{name}’s table"),
        };
        let gathering = Gathering::new(terms, secret, seats, Came { name, deck, chance });
        let live = Live::new(Stage::Gathering(Box::new(gathering)), None)?;
        (seats, title, live.kept()?)
    };
    // The same form opens the same table.
    let id: String = who.key(app, "table")?.chars().take(10).collect();
    let first = who.key(app, "seat")?;
    let Chairs { digests, .. } = chairs(&app.secret, &id, &first, seats)?;
    let to = path(&id, &first);
    let new = New {
        id,
        title,
        format: format.to_owned(),
        keys: digests,
        by: (!who.host).then(|| who.address.to_string()),
        standing: live,
    };
    keep_new(app, new).await?;
    Ok(Ok(to))
}

/// Keeps a table that somebody opens.
async fn keep_new(app: &Shared, new: New) -> Result<(), Trouble> {
    let write = move |data: &Connection| -> Result<Vec<String>, Fault> {
        let sql = "select 1 from sitting where id = ?1";
        let there: Option<i64> = data
            .query_row(sql, [&new.id], |row| row.get(0))
            .optional()?;
        if there.is_some() {
            return Ok(Vec::new());
        }
        let gone = expire(data)?;
        if let Some(address) = &new.by {
            has_room(data, address)?;
        }
        new.write(data)?;
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
fn has_room(data: &Connection, address: &str) -> Result<(), Fault> {
    let open = "from sitting where opened_by is not null and ended is null";
    let own: i64 = data.query_row(
        &format!("select count(*) {open} and opened_by = ?1"),
        [address],
        |row| row.get(0),
    )?;
    if own >= OWN {
        return Err(Trouble::new(
            429,
            format!("{OWN} tables from this address are not over, which is the limit."),
            "End a game, or close a table that waits.",
        )
        .into());
    }
    let all: i64 = data.query_row(&format!("select count(*) {open}"), [], |row| row.get(0))?;
    if all >= ALL {
        return Err(Trouble::new(
            507,
            format!("{ALL} tables are open here, which is the limit."),
            "Try again another day.",
        )
        .into());
    }
    Ok(())
}
