//! The organiser's desk: who handed in what, and what is done with all of them.

use super::super::guard::{Fields, Who};
use super::super::trouble::Trouble;
use super::super::work::Weight;
use super::super::{Shared, answers, page as frame};
use super::opening::names;
use super::record::{self, Player};
use super::{Event, Opened, now, views};
use axum::extract::{Extension, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;

/// Which players a desk shows.
fn shows(filter: &str, player: &Player) -> bool {
    match (filter, &player.last) {
        ("missing", last) => last.is_none(),
        ("late", Some(last)) => last.late,
        ("locked", _) => player.locked,
        ("legal" | "illegal" | "incomplete", Some(last)) => last.verdict == filter,
        ("legal" | "illegal" | "incomplete" | "late", None) => false,
        _ => true,
    }
}

/// `GET /e/ID/desk`
pub(in super::super) async fn desk(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Trouble> {
    let event = Arc::clone(&opened.event);
    let id = event.id.clone();
    let players = app
        .store
        .read(move |data| record::players(data, &id))
        .await?;
    let state = Arc::clone(&app);
    let asked = Arc::clone(&event);
    let lists = app
        .work
        .out(who.address, Weight::Light, move || {
            answers::lists(&*state.site.own()?, &asked.format)
        })
        .await?;
    let filter = query.get("show").map_or("", String::as_str);
    let path = format!("/e/{}", event.id);
    let count = |filter: &str| {
        players
            .iter()
            .filter(|player| shows(filter, player))
            .count()
    };
    let body = html! {
        (frame::top())
        main.wide {
            h1 { bdi { (event.title) } }
            (views::about(&event))
            p.row {
                a.button href={ (path) "/desk/code.svg" } { "QR code" }
                a.button href={ (path) "/desk/sheets" } { "All sheets" }
                a.button href={ (path) "/desk/slips" } { "Deck-check slips" }
                a.button href={ (path) "/desk/export/decks.csv" } { "CSV" }
                a.button href={ (path) "/desk/export/decks.xlsx" } { "XLSX" }
                a.button href={ (path) "/desk/export/submissions.csv" } { "Submissions" }
                a.button href={ (path) "/desk/audit" } { "What was done" }
                a href=(path) { "The players' page" }
            }
            nav.filters aria-label="Which players" {
                @for (word, name) in [("", "all"), ("legal", "legal"), ("illegal", "illegal"), ("incomplete", "incomplete"), ("late", "late"), ("locked", "locked"), ("missing", "missing")] {
                    a.chip href={ (path) "/desk?show=" (word) } aria-current=[(filter == word).then_some("page")] { (name) " " b { (count(word)) } }
                }
            }
            (table(&event, &players, filter))
            form.row method="post" action={ (path) "/desk/all" } {
                (frame::token(&who))
                button name="do" value="lock" { "Lock all" }
                button name="do" value="unlock" { "Unlock all" }
                @if event.closed { button name="do" value="reopen" { "Take decks again" } }
                @else { button name="do" value="close" { "Take no more decks" } }
                @if event.published { button name="do" value="unpublish" { "Withdraw the decks" } }
                @else { button name="do" value="publish" { "Publish all decks" } }
            }
            details {
                summary { "Players and banlist" }
                form method="post" action={ (path) "/desk/players" } {
                    (frame::token(&who))
                    label for="players" { "More players: a name a line" }
                    textarea #players name="players" rows="5" {}
                    button { "Add them" }
                }
                form method="post" action={ (path) "/desk/list" } {
                    (frame::token(&who))
                    label for="list" { "Another banlist: first it is shown whose verdict it changes" }
                    div.row {
                        select #list name="list" {
                            option value="none" { "none" }
                            @for (id, _, name) in &lists { option value=(id) { (name) } }
                        }
                        button name="do" value="show" { "Show what changes" }
                    }
                }
            }
        }
    };
    Ok(frame::page(&who, &event.title, &["desk.js"], body).into_response())
}

fn table(event: &Event, players: &[Player], filter: &str) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Players" {
            table.players {
                thead { tr { th scope="col" { "Player" } th scope="col" { "Verdict" } th scope="col" { "Handed in" } th.number scope="col" { "Version" } th scope="col" { "Hash" } } }
                tbody {
                    @for player in players.iter().filter(|player| shows(filter, player)) {
                        tr {
                            th scope="row" { a href={ "/e/" (event.id) "/desk/player/" (player.id) } { bdi { (player.name) } } @if player.locked { " " span.quiet { "locked" } } @if !player.expected && players.iter().any(|known| known.expected) { " " span.quiet { "not on the list" } } }
                            @match &player.last {
                                Some(last) => {
                                    td { (views::state(last)) }
                                    td { (views::time(&last.at)) }
                                    td.number { (last.number) }
                                    td { code.hash { (last.hash.as_deref().unwrap_or_default().get(..12).unwrap_or_default()) } }
                                }
                                None => { td colspan="4" { span.quiet { "nothing yet" } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// `POST /e/ID/desk/all`
pub(in super::super) async fn act_on_all(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let sql = match fields.text("do") {
        "lock" => "update player set locked = 1 where event = ?1",
        "unlock" => "update player set locked = 0 where event = ?1",
        "close" => "update event set closed = 1 where id = ?1",
        "reopen" => "update event set closed = 0 where id = ?1",
        "publish" => "update event set published = 1 where id = ?1",
        "unpublish" => "update event set published = 0 where id = ?1",
        _ => return Err(Trouble::wrong("There is no such action.")),
    };
    let (id, action) = (opened.event.id.clone(), fields.text("do").to_owned());
    app.store
        .write(move |data| {
            data.execute(sql, [&id])?;
            let what = format!("{action}-all");
            record::audit(data, &id, &now(), "organiser", &what, &json!({}))
        })
        .await?;
    match fields.text("do") {
        "close" => app.opens(&opened.event.id, false),
        "reopen" => app.opens(&opened.event.id, true),
        _ => {}
    }
    Ok(back(&opened))
}

/// Back to the desk.
pub(super) fn back(opened: &Opened) -> Response {
    Redirect::to(&format!("/e/{}/desk", opened.event.id)).into_response()
}

/// `POST /e/ID/desk/players`: players who are expected.
pub(in super::super) async fn players(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let names = names(fields.get("players").unwrap_or_default())?;
    let id = opened.event.id.clone();
    app.store
        .write(move |data| {
            let mut expected = Vec::new();
            for name in names {
                match record::named(data, &id, &answers::folded(&name))? {
                    Some((player, _)) => {
                        data.execute("update player set expected = 1 where id = ?1", [player])?;
                        let known = record::player(data, &id, player)?;
                        expected.extend(known.map(|known| known.name));
                    }
                    None => {
                        record::add_player(data, &id, &name, true)?;
                        expected.push(name);
                    }
                }
            }
            let detail = json!({"players": expected});
            record::audit(data, &id, &now(), "organiser", "expect", &detail)
        })
        .await?;
    Ok(back(&opened))
}
