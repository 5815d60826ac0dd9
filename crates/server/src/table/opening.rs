//! Opening a table: any visitor does, and sends the others their links.

use super::create::{MatchPlan, SeatKeys, TriedDeck, try_deck};
use super::deal::{Secret, random_bytes};
use super::lobby::{
    Arrival, Form, Gathering, WAITS, brings_deck, deal_fields, deck_field, deck_text, name_field,
    name_of, unfit,
};
use super::stored::TableRow;
use super::terms::{self, MatchTerms, most_seats};
use super::{Live, Stage, Tables, path, rules_of};
use crate::actor::Visit;
use crate::error::HttpError;
use crate::guard::Fields;
use crate::{keys, page as frame};
use axum::extract::{Extension, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_ask::{ReadAnswer, games};
use decklaw_play::matches::setup::{Decks, Seats};
use decklaw_play::matches::{Randomness, SeatId};
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;
use std::sync::Arc;

/// For how many days a visitor's table is kept without a move.
const LASTS: i64 = 90;
/// The most tables of one address that are not over: a club's visitors may share one.
const OWN: i64 = 300;
/// The most tables of all visitors that are not over.
const ALL: i64 = 3000;

/// `GET /play`: which game, or what is asked before a table opens.
pub(crate) async fn ask(
    Extension(visit): Extension<Visit>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, HttpError> {
    match query.get("format").filter(|format| !format.is_empty()) {
        None => choose_game(&visit).await,
        Some(format) => {
            let form = Form { fields: &Fields::default(), wrong: None };
            ask_of(&visit, format, form).await
        }
    }
}

/// The page that asks which game is played, with this browser's tables.
async fn choose_game(visit: &Visit) -> Result<Response, HttpError> {
    let games = visit.judged(|judge| Ok(games(&judge.judge))).await?;
    let main = html! {
        main {
            h1 { "Play" }
            section #tables hidden { h2 { "Your tables" } }
            section {
                h2 { "Open a table" }
                ul.games {
                    @for game in games.iter().filter(|game| game.wrong.is_none()) {
                        li.panel {
                            @let to = |format: &str| format!("/play?format={}", format.replace('/', "%2F"));
                            @if let [only] = game.formats.as_slice() { h3 { a href=(to(&only.format)) { (game.name) } } }
                            @else {
                                h3 { (game.name) }
                                ul { @for one in &game.formats { li { a href=(to(&one.format)) { (one.name) } } } }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(frame::lobby("Play", "", &main))
}

/// The page that asks what is played in a format.
async fn ask_of(visit: &Visit, format: &str, form: Form<'_>) -> Result<Response, HttpError> {
    let (book, rules) = rules_of(&visit.app, format).await?;
    let setup = &rules.setup;
    let chosen: usize = form.fields.text("seats").parse().unwrap_or_default();
    // A page that is shown again since something on it was wrong stays the same.
    let fresh = keys::new()?;
    let page_key = match form.fields.text("page") {
        "" => fresh.as_str(),
        known => known,
    };
    let name = &book.format().entry().name;
    let main = html! {
        main {
            h1 { "Play " (name) }
            p { a href="/play" { "Another game" } }
            form.panel method="post" action="/play" {
                // The same form opens the same table.
                input type="hidden" name="form" value=(page_key);
                input type="hidden" name="page" value=(page_key);
                input type="hidden" name="format" value=(format);
                @if let Some(wrong) = &form.wrong { (wrong) }
                @match &setup.decks {
                    Decks::Own => { (deck_field(format, &form)) }
                    Decks::Shared => {
                        p { "All play with one deck: the one that you choose here." }
                        (deck_field(format, &form))
                    }
                    Decks::WholePool(_) => { p { "Nobody brings a deck: all cards of the game lie in the middle." } }
                }
                @if let (Seats::Between(least, most), Decks::Own) = (&setup.seats, &setup.decks) {
                    @if least < most {
                        fieldset.players {
                            legend { "Players" }
                            @for number in *least..=*most {
                                label.chip {
                                    input.away type="radio" name="seats" value=(number) checked[usize::from(number) == chosen.max(usize::from(*least))];
                                    (number)
                                }
                            }
                        }
                    }
                }
                (terms::asked(setup, setup.game_option(), form.fields))
                (name_field(form.fields))
                (deal_fields(&Secret::of_page(&visit.app, page_key), None))
                p.actions {
                    button.btn.main.big name="do" value="open" { "Open a table" }
                    button.btn.big name="do" value="alone" { "Play alone" }
                }
                p.quiet {
                    "You get a link for each other player."
                    @if matches!(setup.decks, Decks::Own) { " Everybody brings a deck, which the others do not see." }
                    @if brings_deck(setup, SeatId::A) { " Alone, you can play an unfinished deck." }
                }
            }
        }
    };
    let mut page = frame::lobby(&format!("Play {name}"), "", &main);
    if form.wrong.is_some() {
        *page.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Ok(page)
}

/// `POST /play`: opens a table with a seat for the visitor. Without `do` it is a page with a deck, and asks
/// for the rest.
pub(crate) async fn open(
    State(tables): State<Arc<Tables>>,
    Extension(visit): Extension<Visit>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, HttpError> {
    let format = fields.text("format").to_owned();
    let again = async |wrong: Option<Markup>| {
        let form = Form { fields: &fields, wrong };
        ask_of(&visit, &format, form).await
    };
    if fields.text("do").is_empty() {
        return again(None).await;
    }
    match opened(&visit, &tables, &format, &fields).await {
        Ok(Ok(to)) => Ok(Redirect::to(&to).into_response()),
        Ok(Err(answer)) => again(Some(unfit(&format, &answer))).await,
        Err(error) if error.status >= 500 && error.status != 507 => Err(error),
        Err(error) => again(Some(error.note())).await,
    }
}

/// Opens the table of a form; its address, or what is wrong with the deck.
async fn opened(
    visit: &Visit,
    tables: &Tables,
    format: &str,
    fields: &Fields,
) -> Result<Result<String, Box<ReadAnswer>>, HttpError> {
    let app = &visit.app;
    let setup = rules_of(app, format).await?.1.setup;
    let deck = if brings_deck(&setup, SeatId::A) { Some(deck_text(fields)?) } else { None };
    let name = name_of(fields, SeatId::A)?;
    let terms = MatchTerms::of(format, fields);
    let (seats, title, live) = if terms.alone() {
        let plan = MatchPlan {
            terms,
            players: vec![name],
            decks: deck.into_iter().collect(),
            chance: Randomness::from_system()?,
            secret: None,
        };
        let started = visit.judged(move |judge| plan.start(judge)).await?;
        (started.seats, "Alone".to_owned(), started.live)
    } else {
        let random = random_bytes(fields)?;
        let least = match &setup.seats {
            Seats::Between(least, _) => usize::from(*least),
            Seats::Option(_) => most_seats(&setup),
        };
        let seats = fields.text("seats").parse().unwrap_or(least);
        let own = terms.clone();
        let tried = visit.judged(move |judge| try_deck(judge, own, seats, deck.as_deref()));
        let (seats, deck) = match tried.await? {
            TriedDeck::Fits { seats, deck } => (seats, deck),
            TriedDeck::Unfit(answer) => return Ok(Err(answer)),
        };
        let secret = match fields.text("page") {
            "" => Secret::new()?,
            page => Secret::of_page(app, page),
        };
        let title = if name == SeatId::A.letter() {
            "Your table".to_owned()
        } else {
            format!("{name}’s table")
        };
        let first = Arrival { name, deck, random };
        let gathering = Gathering::new(terms, secret, seats, first);
        let live = Live::new(Stage::Gathering(Box::new(gathering)), None);
        (seats, title, live)
    };
    // The same form opens the same table.
    let id: String = visit.key("table")?.chars().take(10).collect();
    let first = visit.key("seat")?;
    let SeatKeys { digests, .. } = SeatKeys::of(&app.secret, &id, &first, seats)?;
    let to = path(&id, &first);
    let row = TableRow {
        id,
        title,
        format: format.to_owned(),
        keys: digests,
        opened_by: (!visit.is_host()).then(|| visit.address.to_string()),
        state: live.stored(None)?,
    };
    let gone = app.store.write(move |data| {
        let sql = "select 1 from sitting where id = ?1";
        let found = data.query_row(sql, [&row.id], |_| Ok(())).optional()?;
        if found.is_some() {
            return Ok(Vec::new());
        }
        let gone = expire(data)?;
        if let Some(address) = &row.opened_by {
            has_room(data, address)?;
        }
        row.insert(data)?;
        Ok(gone)
    });
    tables.forget(&gone.await?);
    Ok(Ok(to))
}

/// Removes tables of visitors that were left for long. At most two go for a new one: after a clock
/// was set forward by mistake nearly all are still there.
fn expire(data: &Connection) -> rusqlite::Result<Vec<String>> {
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
    gone.collect()
}

/// Whether a visitor may open another table.
fn has_room(data: &Connection, address: &str) -> Result<(), HttpError> {
    let open = "from sitting where opened_by is not null and ended is null";
    let own: i64 =
        data.query_row(&format!("select count(*) {open} and opened_by = ?1"), [address], |row| {
            row.get(0)
        })?;
    if own >= OWN {
        return Err(HttpError::new(
            429,
            format!("{OWN} tables from this address are not over, which is the limit."),
            "End a game, or close a table that waits.",
        ));
    }
    let all: i64 = data.query_row(&format!("select count(*) {open}"), [], |row| row.get(0))?;
    if all >= ALL {
        return Err(HttpError::new(
            507,
            format!("{ALL} tables are open here, which is the limit."),
            "Try again another day.",
        ));
    }
    Ok(())
}
