//! A visitor's decks, and the tables that they sit at, in another browser.
//!
//! A browser is known by the key in its cookie, and the server keeps the digest of that key alone,
//! as the owner of the browser's decks. The link to the decks is that key: a browser that is given
//! it has the same decks from then on, and brings its own along. A new link is a new key, to which
//! the decks go over; the key before it is no browser's any more.

use super::drafts::DRAFTS;
use super::guard::{BROWSER, Fields, Who, set_cookie};
use super::store::Fault;
use super::table::chairs;
use super::trouble::Trouble;
use super::{Shared, keys, page as frame};
use axum::extract::{Extension, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::PoisonError;

/// `GET /decks`
pub(super) async fn page(Extension(who): Extension<Who>) -> Response {
    shown(&who, html! {})
}

fn shown(who: &Who, told: Markup) -> Response {
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "Your decks in another browser" }
            (told)
            @if who.host {
                p { "The decks that you see here are this machine's. Its own key opens them in any browser." }
            } @else {
                form method="post" action="/decks" {
                    (frame::token(who))
                    label for="key" { "The key of decks that you made in another browser" }
                    input #key name="key" autocomplete="off" autocapitalize="none" spellcheck="false" required;
                    button.primary name="do" value="open" { "Open them here" }
                }
                p.quiet { "It is the part behind " code { "#key=" } " of the link. The decks of this browser join them, so that whoever has that link sees these, too: take none that is not your own." }
                form.row method="post" action="/decks" {
                    (frame::token(who))
                    button name="do" value="show" { "Show the link to this browser's decks" }
                    button name="do" value="anew" { "Make another link…" }
                }
            }
        }
    };
    frame::page(who, "Your decks in another browser", &["decks.js"], body).into_response()
}

fn link(key: &str) -> Markup {
    let link = format!("/decks#key={key}");
    html! {
        p { a.private href=(link) { "The link to your decks" } }
        p { "Its key, to be typed: " code.private { (key) } }
    }
}

/// `POST /decks`
pub(super) async fn act(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    if who.host {
        return Err(Trouble::new(
            409,
            "The decks that are shown here are this machine's, and no visitor's.",
            "The key of the server opens them in any browser.",
        ));
    }
    match fields.text("do") {
        "show" => {
            let told = html! {
                section.note role="status" {
                    (link(who.cookie(BROWSER).unwrap_or_default()))
                    p { "Keep it where others do not see it: it opens these decks in any browser, also when this one has forgotten them." }
                }
            };
            Ok(shown(&who, told))
        }
        "anew" => {
            let key = keys::new()?;
            let told = html! {
                section.note role="status" {
                    (link(&key))
                    p { "Keep this link, and then take it. From then on the one before it opens nothing, and another browser that has these decks must be given this one." }
                    form method="post" action="/decks" {
                        (frame::token(&who))
                        input type="hidden" name="key" value=(key);
                        input type="hidden" name="made" value=(keys::token(&app.secret, &key));
                        button.primary name="do" value="open" { "I have kept it: take it" }
                    }
                }
            };
            Ok(shown(&who, told))
        }
        "open" => open(&app, &who, &fields).await,
        _ => Err(Trouble::wrong("There is no such action.")),
    }
}

/// Lets a browser have the decks of a key. Whatever becomes of the answer, no deck is lost: whoever
/// asks has the key.
async fn open(app: &Shared, who: &Who, fields: &Fields) -> Result<Response, Trouble> {
    app.may_try(who)?;
    let none = || {
        Trouble::new(
            403,
            "No decks open with that key.",
            "Look at the link again; where another one was made since, take that.",
        )
    };
    let key = keys::typed(fields.text("key")).filter(|key| !app.has_ended(key));
    let key = key.ok_or_else(none)?;
    // A key that this server has just made for this has no decks yet.
    let made = keys::token(&app.secret, &key);
    let made = keys::same(fields.text("made").as_bytes(), made.as_bytes());
    let (from, to) = (who.owner, keys::kept(&key));
    app.store
        .write(move |data| {
            if !made && !has(data, &to)? {
                return Err(none().into());
            }
            join(data, &from, &to)?;
            if made && from != to {
                end(data, from)?;
            }
            Ok(())
        })
        .await?;
    if made && from != to {
        let mut ended = app.ended.write().unwrap_or_else(PoisonError::into_inner);
        ended.insert(from);
    }
    let mut response = Redirect::to("/").into_response();
    let own = set_cookie(app, BROWSER, &key, "/", 365);
    // What the browser was on its first visit is over.
    let over = who
        .first()
        .map(|(name, _)| set_cookie(app, name, "", "/", 0));
    for cookie in std::iter::once(own).chain(over) {
        let cookie = HeaderValue::from_str(&cookie).map_err(|_| Trouble::defect())?;
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Gives the decks of other owners to one, where they have any.
///
/// # Errors
/// Data that cannot be reached, and more decks than one browser may have.
pub(super) async fn gather(
    app: &Shared,
    from: Vec<keys::Kept>,
    to: keys::Kept,
) -> Result<(), Trouble> {
    let others = from.clone();
    let any = app.store.read(move |data| {
        let each = others.iter().map(|other| has(data, other));
        Ok(each.collect::<Result<Vec<bool>, _>>()?.contains(&true))
    });
    if !any.await? {
        return Ok(());
    }
    let all = move |data: &Connection| from.iter().try_for_each(|from| join(data, from, &to));
    app.store.write(all).await
}

/// The most keys that are remembered as ended.
const ENDED: usize = 4096;

/// The keys that ended, the latest last.
pub(super) fn ended(data: &Connection) -> rusqlite::Result<Vec<keys::Kept>> {
    let sql = "select value from setting where name = 'ended'";
    let kept: Option<Vec<u8>> = data.query_row(sql, [], |row| row.get(0)).optional()?;
    let kept = kept.unwrap_or_default();
    let keys = kept.chunks(32).filter_map(|key| key.try_into().ok());
    Ok(keys.collect())
}

/// Lets a key be no browser's any more: who found it sees nothing of what another browser does that
/// has it still.
fn end(data: &Connection, key: keys::Kept) -> rusqlite::Result<()> {
    let mut keys = ended(data)?;
    keys.push(key);
    let first = keys.len().saturating_sub(ENDED);
    let kept = keys.get(first..).unwrap_or_default().concat();
    data.execute(
        "insert into setting (name, value) values ('ended', ?1)
         on conflict do update set value = excluded.value",
        [kept],
    )?;
    Ok(())
}

/// Whether an owner has anything.
fn has(data: &Connection, owner: &keys::Kept) -> rusqlite::Result<bool> {
    let sql = "select exists (select 1 from draft where owner = ?1)
               or exists (select 1 from collection where owner = ?1)";
    let decks: bool = data.query_row(sql, [&owner[..]], |row| row.get(0))?;
    Ok(decks || chairs::any(data, owner)?)
}

/// Makes all that one owner has another's. Of a card that both own it is the greater number.
fn join(data: &Connection, from: &keys::Kept, to: &keys::Kept) -> Result<(), Fault> {
    if from == to {
        return Ok(());
    }
    let both = params![&from[..], &to[..]];
    let sql = "select count(*) from draft where owner in (?1, ?2)";
    let decks: i64 = data.query_row(sql, both, |row| row.get(0))?;
    if decks > DRAFTS {
        return Err(Trouble::new(
            409,
            format!("Together these would be {decks} decks, and a browser has at most {DRAFTS}."),
            "Delete some in one of the browsers first.",
        )
        .into());
    }
    data.execute("update draft set owner = ?2 where owner = ?1", both)?;
    data.execute(
        "insert into collection (owner, game, cards, at)
         select ?2, game, cards, at from collection where owner = ?1
         on conflict do update set at = excluded.at, cards = (
           select json_group_object(key, most) from (
             select key, max(value) as most from (
               select key, value from json_each(collection.cards)
               union all select key, value from json_each(excluded.cards)
             ) group by key))",
        both,
    )?;
    data.execute("delete from collection where owner = ?1", [&from[..]])?;
    chairs::give(data, from, to)?;
    Ok(())
}
