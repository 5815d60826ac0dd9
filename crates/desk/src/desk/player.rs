//! One player at the desk: versions, what changed between them, and what is done for the player.

use super::super::guard::{Fields, Who};
use super::super::trouble::Trouble;
use super::super::work::Weight;
use super::super::{Shared, answers, page as frame};
use super::record::{self, HandIn, Player, Version};
use super::{Event, Opened, now, views};
use axum::extract::{Extension, Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use rusqlite::params;
use serde_json::{Value, json};
use std::sync::Arc;

async fn known(
    app: &Shared,
    event: &Event,
    player: i64,
) -> Result<(Player, Vec<Version>), Trouble> {
    let id = event.id.clone();
    let found = app
        .store
        .read(move |data| {
            Ok(match record::player(data, &id, player)? {
                Some(known) => Some((known, record::versions(data, player)?)),
                None => None,
            })
        })
        .await?;
    found.ok_or_else(|| Trouble::none("such player"))
}

/// `GET /e/ID/desk/player/N`
pub(in super::super) async fn player(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, player)): Path<(String, i64)>,
) -> Result<Response, Trouble> {
    player_page(&app, &who, &opened.event, player, None, ("", "")).await
}

async fn player_page(
    app: &Shared,
    who: &Who,
    event: &Arc<Event>,
    player: i64,
    told: Option<Markup>,
    (played, entered): (&str, &str),
) -> Result<Response, Trouble> {
    let (player, versions) = known(app, event, player).await?;
    let (state, of, decks) = (Arc::clone(app), Arc::clone(event), versions.clone());
    // What each version changed of the one before it.
    let work = move || {
        let judge = state.site.judge(&of.terms)?;
        let pairs = decks.windows(2);
        pairs
            .map(|pair| {
                answers::deck_check(&judge, &of.format, &pair[1].deck, pair[0].deck.as_bytes())
            })
            .collect::<Result<Vec<Value>, _>>()
    };
    let differences = app.work.out(who.address, Weight::Light, work).await?;
    let path = format!("/e/{}/desk", event.id);
    let act = format!("{path}/player/{}", player.id);
    let body = html! {
        (frame::top())
        main.narrow {
            p { a href=(path) { "← " bdi { (event.title) } } }
            h1 { bdi { (player.name) } @if player.locked { " " span.quiet { "locked" } } }
            @if let Some(told) = told { section.note role="status" { (told) } }
            form.row method="post" action=(act) {
                (frame::token(who))
                @if player.locked { button name="do" value="unlock" { "Unlock" } } @else { button name="do" value="lock" { "Lock" } }
                button name="do" value="key" { "New private link" }
            }
            @for (at, version) in versions.iter().enumerate() {
                section.version {
                    h2 { "Version " (version.number) " " (views::state(version)) }
                    p { (views::time(&version.at)) " by the " (version.who) @if let Some(hash) = &version.hash { " · " code.hash { (hash) } } }
                    (views::findings(&version.report))
                    @if let Some(difference) = differences.get(at) { (changes(difference)) }
                    details open[at == 0] { summary { "The deck" } pre { (version.deck) } }
                }
            }
            @if !versions.is_empty() {
                form method="post" action=(act) {
                    h2 { "Deck check" }
                    (frame::token(who))
                    label for="played" { "The deck as it was found at the table" }
                    textarea #played name="deck" rows="8" spellcheck="false" { "\n" (played) }
                    button name="do" value="check" { "Compare with the last version" }
                }
            }
            form method="post" action=(act) {
                h2 { "Enter a deck for this player" }
                (frame::token(who))
                label for="entered" { "The deck" }
                textarea #entered name="deck" rows="8" spellcheck="false" { "\n" (entered) }
                button name="do" value="enter" { "Enter it as a new version" }
            }
        }
    };
    Ok(frame::page(who, &player.name, &[], body).into_response())
}

fn changes(difference: &Value) -> Markup {
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    html! {
        @match difference["changes"].as_array() {
            Some(changes) if !changes.is_empty() => {
                ul.changes {
                    @for change in changes {
                        li { span.quiet { (text(change, "section")) } " " bdi { (text(change, "card")) } ": " (change["from"].as_i64().unwrap_or(0)) " → " (change["to"].as_i64().unwrap_or(0)) }
                    }
                }
            }
            _ => {}
        }
    }
}

/// `POST /e/ID/desk/player/N`
pub(in super::super) async fn act(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, player)): Path<(String, i64)>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    let (named, versions) = known(&app, event, player).await?;
    let id = event.id.clone();
    let here = || Redirect::to(&format!("/e/{}/desk/player/{player}", event.id)).into_response();
    let name = named.name.clone();
    match fields.text("do") {
        action @ ("lock" | "unlock") => {
            let lock = action == "lock";
            let what = if lock { "lock" } else { "unlock" };
            app.store
                .write(move |data| {
                    data.execute(
                        "update player set locked = ?2 where id = ?1",
                        params![player, lock],
                    )?;
                    let detail = json!({"player": name});
                    record::audit(data, &id, &now(), "organiser", what, &detail)
                })
                .await?;
            Ok(here())
        }
        "key" => {
            let (key, kept) = record::new_key()?;
            app.store
                .write(move |data| record::give_key(data, &id, (player, &name), &kept, "organiser"))
                .await?;
            let link = format!("/e/{}/mine#key={key}", event.id);
            let told = html! { "The new private link of this player; the old one opens nothing any more: " code.private { (link) } };
            player_page(&app, &who, event, player, Some(told), ("", "")).await
        }
        "check" => {
            let Some(last) = versions.first().cloned() else {
                return Err(Trouble::none("deck of this player"));
            };
            let played = fields.get("deck").unwrap_or_default().as_bytes().to_vec();
            let (state, of) = (Arc::clone(&app), Arc::clone(event));
            let work = move || {
                answers::deck_check(
                    &*state.site.judge(&of.terms)?,
                    &of.format,
                    &last.deck,
                    &played,
                )
            };
            let checked = app.work.out(who.address, Weight::Light, work).await?;
            let (id, answer) = (event.id.clone(), checked["answer"].clone());
            app.store
                .write(move |data| {
                    record::audit(
                        data,
                        &id,
                        &now(),
                        "organiser",
                        "deck-check",
                        &json!({"player": name, "answer": answer}),
                    )
                })
                .await?;
            let words = match checked["answer"].as_str() {
                Some("same") => "The same deck as the one that was handed in.",
                Some("swapped") => "The deck that was handed in, after a legal swap.",
                Some("illegal-swap") => {
                    "The deck that was handed in, after a swap that leaves no legal deck."
                }
                Some("other") => "Not the deck that was handed in.",
                _ => "This cannot be read as a deck.",
            };
            let played = fields.get("deck").unwrap_or_default();
            let told = html! { b { (words) } (changes(&checked)) @if checked["check"].is_object() { (views::findings(&checked["check"].to_string())) } };
            player_page(&app, &who, event, player, Some(told), (played, "")).await
        }
        "enter" => {
            let deck = fields.get("deck").unwrap_or_default().to_owned();
            let (state, of, called, bytes) = (
                Arc::clone(&app),
                Arc::clone(event),
                name.clone(),
                deck.clone().into_bytes(),
            );
            let work = move || {
                answers::hand_in(
                    &*state.site.judge(&of.terms)?,
                    &of.format,
                    &called,
                    &bytes,
                    None,
                )
            };
            let handed = app.work.out(who.address, Weight::Light, work).await?;
            if handed.hash.is_none() {
                let told = html! { b { "Not entered: this is no deck." } (views::findings(&handed.report)) };
                return player_page(&app, &who, event, player, Some(told), ("", &deck)).await;
            }
            let entered = HandIn {
                bytes: deck.into_bytes(),
                input: String::new(),
                handed,
                who: "organiser",
            };
            app.store
                .write(move |data| record::add_version(data, &id, player, &entered))
                .await?;
            Ok(here())
        }
        _ => Err(Trouble::wrong("There is no such action.")),
    }
}
