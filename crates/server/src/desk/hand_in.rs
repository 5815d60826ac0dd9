//! The pages of players: the form, the verdict before handing in, their own deck and its link. All
//! of it works without scripts.

use super::answers;
use super::opening::{NAME, player_name};
use super::{AtEvent, player_cookie, views};
use crate::actor::set_cookie;
use crate::answering::Speed;
use crate::builder::{Json, JsonResult, answered, body as ask_of, sheet_page};
use crate::error::HttpError;
use crate::events::View;
use crate::guard::Fields;
use crate::{keys, page as frame};
use axum::body::Bytes;
use axum::extract::Extension;
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_ask::Answer;
use decklaw_event::{
    AmbiguityReason, Author, Decision, EntryDetail, EventError, Person, Player, PlayerId,
    PlayerMatch, Roster,
};
use decklaw_judge::Report;
use decklaw_rules::rules::Verdict;
use decklaw_text::digest::hex;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// The text of a form, and what is wrong with it.
#[derive(Default)]
struct FormInput<'t> {
    name: &'t str,
    deck: &'t str,
    file: &'t str,
    report: Option<&'t Report>,
    error: Option<&'t HttpError>,
}

/// A player with their decks, the newest first.
struct Own {
    player: Player,
    versions: Vec<EntryDetail>,
}

/// `GET /e/ID`
pub(crate) async fn page(Extension(at): Extension<AtEvent>) -> Result<Response, HttpError> {
    let names = missing_names(&at).await?;
    let event = &at.event;
    let body = html! {
        @if event.published { p.note { "The decks of this event are public. " a href={ "/e/" (event.id) "/decks" } { "Read them" } "." } }
        @if at.player().is_some() {
            p.note { "You have handed in a deck here. " a href={ "/e/" (event.id) "/mine" } { "See or change it" } "." }
        }
        (form(event, &FormInput::default(), None, &names))
    };
    Ok(shown(event, body, None))
}

/// The names on the organiser's list without a deck: players choose theirs.
async fn missing_names(at: &AtEvent) -> Result<Vec<String>, HttpError> {
    let names = at.handle.with(|event| {
        let has = event.roster().entries_by_player();
        let missing = event.roster().present();
        let missing = missing.filter(|player| player.listed && !has.contains_key(&player.id));
        Ok(missing.map(|player| player.name.clone()).collect())
    });
    names.await
}

/// A page of a player, with the status of an error.
fn shown(event: &View, inner: Markup, error: Option<&HttpError>) -> Response {
    let main = html! {
        main.desk.narrow {
            (views::head(event, &html! {}))
            (inner)
            (views::judged_by(event))
        }
    };
    let mut page = frame::desk(&event.title, &["handin.js"], &main);
    if let Some(error) = error {
        *page.status_mut() = error.code();
    }
    page
}

/// The form of a deck; `own` is the player whose deck it changes.
fn form(event: &View, typed: &FormInput<'_>, own: Option<&Player>, names: &[String]) -> Markup {
    let may = event.may_hand_in(own.is_some_and(|own| own.locked));
    let to = match own {
        Some(_) => format!("/e/{}/mine", event.id),
        None => format!("/e/{}", event.id),
    };
    // What was typed stays on the page, even if hand-in has closed.
    if let (Err(error), None) = (&may, typed.error) {
        return error.note();
    }
    html! {
        form.panel.box #hand-in method="post" action=(to) data-event=(event.id) {
            (frame::token())
            h2 { @if own.is_some() { "Change your deck" } @else { "Hand in your deck" } }
            @if event.is_late() { p.note { "The deadline has passed: what you hand in now is late, and the organiser decides whether it counts." } }
            @if let Some(error) = typed.error { (error.note()) }
            @if own.is_none() {
                label for="name" { "Your name" }
                input.input #name name="name" value=(typed.name) maxlength=(NAME) required autocomplete="name" list=[(!names.is_empty()).then_some("listed")];
                @if !names.is_empty() {
                    datalist #listed { @for name in names { option value=(name) {} } }
                    p.quiet { "Choose your name from the organiser\u{2019}s list." }
                }
            }
            label for="deck" { "Your deck" }
            textarea.input #deck name="deck" rows="12" required spellcheck="false" autocapitalize="none" placeholder="3 Card Name\n2 Another Card" { "\n" (typed.deck) }
            input #file type="hidden" name="file" value=(typed.file);
            p.acts { label.btn #choose hidden { "Choose a file" input.away #deck-file type="file"; } }
            p.quiet {
                "Paste a list from anywhere, or choose or drop a file."
                @if !event.format.is_empty() { " Or " a href={ "/deck/" (event.format) "?event=" (event.id) } { "build a deck for this event" } "." }
            }
            div #verdict aria-live="polite" {
                @if let Some(report) = typed.report { (frame::verdict(report.verdict)) (frame::findings(&report.findings)) }
            }
            p.acts {
                @match typed.report.map(|report| report.verdict) {
                    Some(Verdict::Illegal | Verdict::Incomplete) => { button.btn.main.big name="do" value="anyway" { "Hand in anyway" } }
                    _ => { button.btn.main.big name="do" value="hand-in" { "Hand in" } }
                }
                button.btn.big name="do" value="check" { "Check" }
            }
        }
    }
}

/// The player whose deck is submitted under a name; `None`: a new one. `mine` is the player whose
/// link was opened.
fn meant(
    roster: &Roster,
    person: &Person,
    mine: Option<PlayerId>,
) -> Result<Option<PlayerId>, EventError> {
    let refuse = |why: String| Err(EventError::Refused(why));
    let free = |player: PlayerId| {
        let own = roster.players.get(&player);
        own.is_some_and(|own| own.key.is_none()) && roster.entries_of(player).next().is_none()
    };
    match roster.whose(person) {
        PlayerMatch::New => Ok(None),
        PlayerMatch::Player(player) if mine == Some(player) || free(player) => Ok(Some(player)),
        PlayerMatch::Player(_) => refuse(
            "A deck was handed in under this name already. If it is yours, change it by your private link; the organiser can give you a new one.".to_owned(),
        ),
        PlayerMatch::Ask { reason, likely, others } => {
            let mut near = likely.iter().chain(&others).copied();
            let own = mine.filter(|mine| near.clone().any(|one| one == *mine));
            let listed = |one: &PlayerId| roster.players.get(one).is_some_and(|one| one.listed);
            match (own, reason, near.find(|one| listed(one) && free(*one))) {
                (Some(mine), ..) => Ok(Some(mine)),
                (None, AmbiguityReason::NearlyNamed, Some(listed)) => refuse(format!(
                    "The organiser\u{2019}s list has {}. If that is you, choose this name; else ask the organiser.",
                    roster.name(listed)
                )),
                // Nobody learns the names of those who were here before.
                (None, AmbiguityReason::NearlyNamed, None) => Ok(None),
                _ => refuse(
                    "Several players have this name. Ask the organiser for your private link."
                        .to_owned(),
                ),
            }
        }
    }
}

/// Refuses a deck that a player may not hand in any more.
fn may(view: &View, player: Option<&Player>) -> Result<(), EventError> {
    let may = view.may_hand_in(player.is_some_and(|player| player.locked));
    may.map_err(|HttpError { problem, .. }| {
        let help = problem.help.unwrap_or_default();
        EventError::Refused(format!("{} {help}", problem.message))
    })
}

/// The report of a deck that is typed.
async fn judged(at: &AtEvent, deck: &str, file: &str) -> Result<Report, HttpError> {
    let (deck, file) = (deck.to_owned(), file.to_owned());
    let judge = move |event: &_| answers::judge(event, deck.as_bytes(), &file);
    at.read(Speed::Quick, judge).await
}

/// Judges the deck of a form. `Ok`: it is to be submitted. `Err`: the form is shown again, with the
/// report and what is wrong.
async fn accepted(
    at: &AtEvent,
    fields: &Fields,
    locked: bool,
) -> Result<Report, (Option<Report>, Option<HttpError>)> {
    let (deck, file) = (fields.get("deck").unwrap_or_default(), fields.text("file"));
    let report = judged(at, deck, file).await;
    let report = report.map_err(|error| (None, Some(error)))?;
    let refuse = |message: &str, help: &str| Some(HttpError::new(422, message, help));
    let error = match (fields.text("do"), report.verdict) {
        _ if at.event.may_hand_in(locked).is_err() => at.event.may_hand_in(locked).err(),
        ("hand-in" | "anyway", Verdict::Unreadable) => {
            refuse("Not handed in: this is not a readable deck.", "Fix what is listed below.")
        }
        ("hand-in", Verdict::Legal) | ("anyway", _) => return Ok(report),
        ("hand-in", _) => {
            refuse("Not handed in yet: this deck is not legal.", "Fix it, or hand it in anyway.")
        }
        _ => None,
    };
    Err((Some(report), error))
}

/// Stores the deck of a form, for the player that `whose` finds or for a new player.
async fn stored(
    at: &AtEvent,
    fields: &Fields,
    person: Person,
    key: Option<String>,
    whose: impl FnOnce(&View, &Roster) -> Result<Option<PlayerId>, EventError> + Send + 'static,
) -> Result<PlayerId, HttpError> {
    let deck = fields.get("deck").unwrap_or_default().to_owned();
    let file = Some(fields.text("file").to_owned()).filter(|file| !file.is_empty());
    let id = at.event.id.clone();
    let written = at.handle.with(move |event| {
        let view = View::of(&id, event)?;
        let deck = (deck.as_bytes(), file);
        let (player, _) =
            event.hand_in("player", &person, deck, key, |roster| whose(&view, roster))?;
        Ok(player)
    });
    written.await
}

/// `POST /e/ID`
pub(crate) async fn hand_in(
    Extension(at): Extension<AtEvent>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, HttpError> {
    let event = &at.event;
    let name = player_name(fields.text("name"));
    let names = missing_names(&at).await?;
    let again = |report: Option<&Report>, error: Option<&HttpError>| {
        let typed = FormInput {
            name: &name,
            deck: fields.get("deck").unwrap_or_default(),
            file: fields.text("file"),
            report,
            error,
        };
        shown(event, form(event, &typed, None, &names), error)
    };
    if name.is_empty() || name.chars().count() > NAME {
        let message = format!("Type your name, at most {NAME} letters.");
        return Ok(again(None, Some(&HttpError::wrong(message))));
    }
    // An answer may be lost on its way: the same form gets the same link each time.
    let key = at.key("player")?;
    let digest = keys::digest(&key);
    let known = at.handle.with(move |event| Ok(keys::player(event.roster(), &digest)));
    let player = match known.await? {
        Some(player) => player,
        None => {
            let report = match accepted(&at, &fields, false).await {
                Ok(report) => report,
                Err((report, error)) => return Ok(again(report.as_ref(), error.as_ref())),
            };
            let (person, mine) = (Person::named(&name), at.player());
            let whose = {
                let person = person.clone();
                move |view: &View, roster: &Roster| {
                    // Of two that come at once, the other one is stored by now.
                    if let Some(player) = keys::player(roster, &digest) {
                        return Ok(Some(player));
                    }
                    let player = meant(roster, &person, mine)?;
                    if player.is_none() && !roster.has_room() {
                        let full = "This event takes no more players who are not on its list. Ask the organiser.";
                        return Err(EventError::Refused(full.to_owned()));
                    }
                    may(view, player.and_then(|player| roster.players.get(&player)))?;
                    Ok(player)
                }
            };
            match stored(&at, &fields, person, Some(hex(&digest)), whose).await {
                Ok(player) => player,
                Err(error) => return Ok(again(Some(&report), Some(&error))),
            }
        }
    };
    let own = own(&at, player).await?;
    let path = format!("/e/{}", event.id);
    let cookie = set_cookie(&at.app, &player_cookie(&at.app, &event.id), &key, &path);
    let page = shown(event, receipt(event, &own, "Handed in", Some(&key)), None);
    Ok((cookie, page).into_response())
}

/// The newest deck of a player, with its link if that is new.
fn receipt(event: &View, own: &Own, heading: &str, key: Option<&str>) -> Markup {
    let Some(version) = own.versions.first() else {
        return html! {};
    };
    html! {
        section.panel.box.receipt {
            div.top { h2 { (heading) } (frame::verdict(version.report.verdict)) }
            p { bdi { (own.player.name) } ", version " (version.number)
                @if let Some(at) = version.at { " · " (views::time(event, at)) }
                @if version.late { " " span.verdict.late { "Late" } } }
            (frame::findings(&version.report.findings))
            details open[key.is_some()] {
                summary { "The list as it is judged" }
                (views::list(&version.sections))
                @if let Some(hash) = &version.hash { p.quiet { "Hash " code.hash { (hash) } } }
            }
            @if let Some(key) = key {
                @let link = format!("/e/{}/mine#key={key}", event.id);
                p { "Your private link shows and changes this deck until hand-in closes. Keep it and do not share it:" }
                p { a.private href=(link) { (link) } }
            }
            p.acts {
                a.btn href={ "/e/" (event.id) "/mine/sheet" } { "Print a sheet" }
                @if key.is_some() { a.btn href={ "/e/" (event.id) "/mine" } { "See or change it" } }
            }
        }
    }
}

async fn own(at: &AtEvent, player: PlayerId) -> Result<Own, HttpError> {
    let own = at.read(Speed::Quick, move |event| {
        let known = event.roster().players.get(&player).cloned();
        let player = known.ok_or_else(|| HttpError::none("such player"))?;
        let versions = answers::decks_of(event, player.id)?;
        Ok(Own { player, versions })
    });
    own.await
}

/// The player whose page it is.
async fn me(at: &AtEvent) -> Result<Own, HttpError> {
    let player = at.player().ok_or_else(|| HttpError::none("such player"))?;
    own(at, player).await
}

fn mine_page(event: &View, own: &Own, typed: &FormInput<'_>) -> Response {
    // What was typed does not count yet, and comes first.
    let is_typed = typed.report.is_some() || typed.error.is_some();
    let last = own.versions.first();
    let last = last.map(|last| last.deck.clone());
    let last = last.unwrap_or_default();
    let typed = FormInput { deck: if is_typed { typed.deck } else { &last }, name: "", ..*typed };
    let body = html! {
        @if own.player.locked { p.note { "The organiser locked your deck." } }
        @if own.player.withdrawn {
            section.panel.box {
                h2 { "You have withdrawn" }
                p { "Your deck does not count and is not published. The organiser sees it." }
                (withdrawal(event, &own.player))
            }
        } @else if !is_typed { (receipt(event, own, "Your deck", None)) }
        (form(event, &typed, Some(&own.player), &[]))
        @if is_typed { (receipt(event, own, "Handed in before", None)) }
        @if own.versions.len() > 1 {
            section.panel.box {
                h2 { "Versions" }
                ol.versions {
                    @for version in &own.versions {
                        li { (version.number) ". " @if let Some(at) = version.at { (views::time(event, at)) " " } (frame::verdict(version.report.verdict))
                            @if version.late { " " span.verdict.late { "Late" } }
                            @if version.counts { " " b { "counts" } }
                            @if version.author != "player" { " " span.quiet { "entered by " (version.author) } } }
                    }
                }
            }
        }
        @if !own.player.withdrawn {
            section.leave { (withdrawal(event, &own.player)) }
        }
    };
    shown(event, body, typed.error)
}

/// What takes a player out of the event, or back into it; nothing once hand-in is over.
fn withdrawal(event: &View, own: &Player) -> Markup {
    if event.may_withdraw(own.locked).is_err() {
        return html! {};
    }
    let (what, words) =
        if own.withdrawn { ("return", "Come back") } else { ("withdraw", "Withdraw") };
    html! {
        form method="post" action={ "/e/" (event.id) "/mine/withdraw" } {
            (frame::token())
            button.btn.bad[!own.withdrawn].main[own.withdrawn] name="do" value=(what) { (words) }
        }
        @if !own.withdrawn {
            p.quiet { "If you withdraw, your deck stays with the organiser and does not count. You can come back until hand-in closes." }
        }
    }
}

/// `POST /e/ID/mine/withdraw`
pub(crate) async fn withdraw(
    Extension(at): Extension<AtEvent>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, HttpError> {
    let player = me(&at).await?.player;
    let (id, withdraws) = (at.event.id.clone(), fields.text("do") == "withdraw");
    let author = Author { name: "player".to_owned(), form: at.form.clone(), seen: None };
    let done = at.handle.with(move |event| {
        let now = event.roster().players.get(&player.id);
        let now = now.ok_or_else(|| HttpError::none("such player"))?;
        View::of(&id, event)?.may_withdraw(now.locked)?;
        if now.withdrawn != withdraws {
            event.decide(author, Decision::Withdraw(player.id, withdraws), None)?;
        }
        Ok(())
    });
    done.await?;
    Ok(Redirect::to(&format!("/e/{}/mine", at.event.id)).into_response())
}

/// `GET /e/ID/mine`
pub(crate) async fn mine(Extension(at): Extension<AtEvent>) -> Result<Response, HttpError> {
    Ok(mine_page(&at.event, &me(&at).await?, &FormInput::default()))
}

/// `POST /e/ID/mine`: another version.
pub(crate) async fn change(
    Extension(at): Extension<AtEvent>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, HttpError> {
    let before = me(&at).await?;
    let again = |report: Option<&Report>, error: Option<&HttpError>| {
        let typed = FormInput {
            deck: fields.get("deck").unwrap_or_default(),
            file: fields.text("file"),
            report,
            error,
            ..FormInput::default()
        };
        mine_page(&at.event, &before, &typed)
    };
    let report = match accepted(&at, &fields, before.player.locked).await {
        Ok(report) => report,
        Err((report, error)) => return Ok(again(report.as_ref(), error.as_ref())),
    };
    let (person, player) = (Person::named(&before.player.name), before.player.id);
    let whose = move |view: &View, roster: &Roster| {
        may(view, roster.players.get(&player))?;
        Ok(Some(player))
    };
    match stored(&at, &fields, person, None, whose).await {
        Ok(_) => Ok(mine_page(&at.event, &me(&at).await?, &FormInput::default())),
        Err(error) => Ok(again(Some(&report), Some(&error))),
    }
}

/// `GET /e/ID/mine/sheet`
pub(crate) async fn sheet(Extension(at): Extension<AtEvent>) -> Result<Response, HttpError> {
    let player = me(&at).await?.player.id;
    let sheets = move |event: &_| answers::sheets(event, &[player]);
    Ok(sheet_page(at.read(Speed::Quick, sheets).await?))
}

/// `POST /api/e/ID/ask`: a question of the builder, answered by the event's lock alone.
pub(crate) async fn ask(Extension(at): Extension<AtEvent>, bytes: Bytes) -> JsonResult<Answer> {
    answered(&at, Arc::clone(&at.handle.library), &bytes).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    deck: String,
    #[serde(default)]
    file: String,
}

/// `POST /api/e/ID/check`: the verdict while a deck is typed.
pub(crate) async fn check(Extension(at): Extension<AtEvent>, bytes: Bytes) -> JsonResult {
    let Check { deck, file } = ask_of(&bytes)?;
    let report = judged(&at, &deck, &file).await?;
    Ok(Json(json!({
        "verdict": report.verdict.word(), "hash": report.hash, "findings": report.findings,
        "cards": report.size(),
    })))
}
