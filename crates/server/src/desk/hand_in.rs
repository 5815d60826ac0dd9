//! What players see: the form, the verdict before handing in, their own deck and its link. All of
//! it works without scripts.

use super::super::builder::{Json, JsonResult, body as ask_of, sheet_page};
use super::super::guard::{Fields, Who, set_cookie};
use super::super::trouble::Trouble;
use super::super::{Shared, keys, page as frame};
use super::handle::View;
use super::opening::{NAME, player_name};
use super::questions::{AskLock, Judge, Sheets, Version, Versions};
use super::{Opened, player_cookie, views};
use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use decklaw_ask::Answer;
use decklaw_core::Report;
use decklaw_core::digest::hex;
use decklaw_core::rules::Verdict;
use decklaw_event::{
    AmbiguityReason, EntryId, EventError, Person, Player, PlayerId, PlayerMatch, Roster,
};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};

/// What somebody typed, and what came of it.
#[derive(Default)]
struct Typed<'t> {
    name: &'t str,
    deck: &'t str,
    file: &'t str,
    /// The verdict on it.
    report: Option<&'t Report>,
    trouble: Option<&'t Trouble>,
}

/// The player whose page it is, with their decks, the newest first.
struct Own {
    player: Player,
    versions: Vec<Version>,
}

/// `GET /e/ID`
pub(in super::super) async fn page(
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let names = listed(&opened).await?;
    let event = &opened.event;
    let body = html! {
        @if opened.player.is_some() {
            p.note { "You have handed in a deck here. " a href={ "/e/" (event.id) "/mine" } { "See or change it" } "." }
        }
        (form(event, &who, &Typed::default(), None, &names))
    };
    Ok(shown(event, body, None))
}

/// Players of the organiser's list who have no deck yet: they choose themselves from it.
async fn listed(opened: &Opened) -> Result<Vec<String>, Trouble> {
    let names = opened.handle.with(|event| {
        let has = event.roster().entries_by_player();
        let missing = event.roster().present();
        let missing = missing.filter(|player| player.listed && !has.contains_key(&player.id));
        Ok(missing.map(|player| player.name.clone()).collect())
    });
    names.await
}

/// A page of a player, with the status of what went wrong.
fn shown(event: &View, inner: Markup, trouble: Option<&Trouble>) -> Response {
    let main = html! {
        main.desk.narrow {
            (views::head(event, &html! {}))
            (inner)
            (views::judged_by(event))
        }
    };
    let mut page = views::page(&event.title, &["handin.js"], main).into_response();
    if let Some(trouble) = trouble {
        *page.status_mut() =
            StatusCode::from_u16(trouble.status).unwrap_or(StatusCode::BAD_REQUEST);
    }
    page
}

/// The form of a deck; `own` is the player whose deck it changes.
fn form(
    event: &View,
    who: &Who,
    typed: &Typed<'_>,
    own: Option<&Player>,
    names: &[String],
) -> Markup {
    let may = event.may_hand_in(own.is_some_and(|own| own.locked));
    let to = match own {
        Some(_) => format!("/e/{}/mine", event.id),
        None => format!("/e/{}", event.id),
    };
    // What was typed stays, whether it can be handed in now or not.
    if let (Err(trouble), None) = (&may, typed.trouble) {
        return html! { p.message role="status" { (trouble.message) " " (trouble.help) } };
    }
    html! {
        form.panel.box #hand-in method="post" action=(to) data-event=(event.id) {
            (frame::token(who))
            h2 { @if own.is_some() { "Change your deck" } @else { "Hand in your deck" } }
            @if event.is_late() { p.note { "The deadline has passed: what you hand in now is late, and the organiser decides whether it counts." } }
            @if let Some(trouble) = typed.trouble { p.message role="alert" { (trouble.message) " " (trouble.help) } }
            @if own.is_none() {
                label for="name" { "Your name" }
                input.input #name name="name" value=(typed.name) maxlength=(NAME) required autocomplete="name" list=[(!names.is_empty()).then_some("listed")];
                @if !names.is_empty() {
                    datalist #listed { @for name in names { option value=(name) {} } }
                    p.quiet { "Choose your name from the organiser\u{2019}s list." }
                }
            }
            label for="deck" { "Your deck" }
            textarea.input #deck name="deck" rows="12" required spellcheck="false" autocapitalize="none" placeholder="3 Rain Caller\n2 Moss Sprite" { "\n" (typed.deck) }
            input #file type="hidden" name="file" value=(typed.file);
            p.quiet {
                "Paste a list from anywhere, or drop a file."
                @if !event.format.is_empty() { " Or " a href=(builder(event)) { "build a deck for this event" } "." }
            }
            div #verdict aria-live="polite" {
                @if let Some(report) = typed.report { (views::verdict(report.verdict)) (views::findings(&report.findings)) }
            }
            p.acts {
                @match typed.report.map(|report| report.verdict) {
                    Some(Verdict::Legal) => { button.btn.main.big name="do" value="hand-in" { "Hand in" } }
                    Some(Verdict::Illegal | Verdict::Incomplete) => { button.btn.main.big name="do" value="anyway" { "Hand in anyway" } }
                    _ => { button.btn.main.big name="do" value="hand-in" { "Hand in" } }
                }
                button.btn.big name="do" value="check" { "Check" }
            }
        }
    }
}

/// The address of the builder for an event.
fn builder(event: &View) -> String {
    format!("/deck/{}?event={}", event.format, event.id)
}

/// What is to be done with a deck that was judged.
enum Next {
    HandIn,
    /// Its verdict is shown.
    Show,
    /// It is not handed in.
    Refuse(Trouble),
}

/// What a button of the form comes to.
fn next(action: &str, verdict: Verdict, may: Result<(), Trouble>) -> Next {
    let refuse = |message: &str, help: &str| Next::Refuse(Trouble::new(422, message, help));
    match (action, verdict, may) {
        (_, _, Err(trouble)) => Next::Refuse(trouble),
        ("hand-in" | "anyway", Verdict::Unreadable, _) => refuse(
            "Not handed in: this is not a readable deck.",
            "Fix what is listed below.",
        ),
        ("hand-in", Verdict::Legal, _) | ("anyway", ..) => Next::HandIn,
        ("hand-in", ..) => refuse(
            "Not handed in yet: this deck is not legal.",
            "Fix it, or hand it in anyway.",
        ),
        _ => Next::Show,
    }
}

/// The player whom a person means who hands in a deck under a name; `None`: somebody new. `mine` is
/// the player whose link they opened.
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
        PlayerMatch::Ask {
            reason,
            likely,
            others,
        } => match (reason, mine, likely.or(others.first().copied())) {
            (_, Some(mine), likely) if likely == Some(mine) || others.contains(&mine) => {
                Ok(Some(mine))
            }
            (AmbiguityReason::NearlyNamed, _, Some(likely)) => refuse(format!(
                "The organiser\u{2019}s list has {}. If that is you, choose this name; else ask the organiser.",
                roster.name(likely)
            )),
            _ => refuse(
                "Several players have this name. Ask the organiser for your private link."
                    .to_owned(),
            ),
        },
    }
}

/// Whether a player may hand in, as it is by then.
fn may(view: &View, player: Option<&Player>) -> Result<(), EventError> {
    let may = view.may_hand_in(player.is_some_and(|player| player.locked));
    may.map_err(|trouble| EventError::Refused(format!("{} {}", trouble.message, trouble.help)))
}

/// `POST /e/ID`
pub(in super::super) async fn hand_in(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    let name = player_name(fields.text("name"));
    let (deck, file) = (fields.get("deck").unwrap_or_default(), fields.text("file"));
    let names = listed(&opened).await?;
    let again = |report: Option<&Report>, trouble: Option<&Trouble>| {
        let typed = Typed {
            name: &name,
            deck,
            file,
            report,
            trouble,
        };
        shown(event, form(event, &who, &typed, None, &names), trouble)
    };
    if name.is_empty() || name.chars().count() > NAME {
        let trouble = Trouble::wrong(format!("Type your name, at most {NAME} letters."));
        return Ok(again(None, Some(&trouble)));
    }
    // An answer may be lost on its way: the same form gets the same link, whenever it comes again.
    let key = who.key(&app, "player")?;
    let kept = hex(&keys::kept(&key));
    let of_key = |roster: &Roster, kept: &str| {
        let mut all = roster.players.values();
        let known = all.find(|player| player.key.as_deref() == Some(kept));
        known.map(|player| roster.real(player.id))
    };
    let known = {
        let kept = kept.clone();
        let known = opened
            .handle
            .with(move |event| Ok(of_key(event.roster(), &kept)));
        known.await?
    };
    let player = match known {
        Some(player) => player,
        None => {
            let report = match judged(&app, &who, &opened, deck, file).await {
                Ok(report) => report,
                Err(trouble) => return Ok(again(None, Some(&trouble))),
            };
            match next(fields.text("do"), report.verdict, event.may_hand_in(false)) {
                Next::HandIn => {}
                Next::Show => return Ok(again(Some(&report), None)),
                Next::Refuse(trouble) => return Ok(again(Some(&report), Some(&trouble))),
            }
            let (person, mine, id) = (Person::named(&name), opened.player, event.id.clone());
            let deck = (deck.to_owned(), named(file));
            let written = opened.handle.with(move |event| {
                let view = View::of(&id, event)?;
                let (text, file) = deck;
                let deck = (text.as_bytes(), file);
                let (player, _) =
                    event.hand_in("player", &person, deck, Some(kept.clone()), |roster| {
                        // Of two that come at once, the other one is stored by now.
                        if let Some(player) = of_key(roster, &kept) {
                            return Ok(Some(player));
                        }
                        let player = meant(roster, &person, mine)?;
                        may(&view, player.and_then(|player| roster.players.get(&player)))?;
                        Ok(player)
                    })?;
                Ok(player)
            });
            match written.await {
                Ok(player) => player,
                Err(trouble) => return Ok(again(Some(&report), Some(&trouble))),
            }
        }
    };
    let own = own(&app, &who, &opened, player).await?;
    let path = format!("/e/{}", event.id);
    let cookie = set_cookie(&app, &player_cookie(&event.id), &key, &path, 30);
    let page = shown(event, receipt(event, &own, "Handed in", Some(&key)), None);
    Ok(([(header::SET_COOKIE, cookie)], page).into_response())
}

/// The name of a deck's file, if it was one.
fn named(file: &str) -> Option<String> {
    Some(file.to_owned()).filter(|file| !file.is_empty())
}

async fn judged(
    app: &Shared,
    who: &Who,
    opened: &Opened,
    deck: &str,
    file: &str,
) -> Result<Report, Trouble> {
    let judge = Judge {
        event: opened.handle.folder(),
        deck: deck.as_bytes().to_vec(),
        file: file.to_owned(),
    };
    app.workers.ask(who.address, judge).await
}

/// The newest deck of a player, with the link that opens it again if it is new.
fn receipt(event: &View, own: &Own, heading: &str, key: Option<&str>) -> Markup {
    let Some(version) = own.versions.first() else {
        return html! {};
    };
    html! {
        section.panel.box.receipt {
            div.top { h2 { (heading) } (views::verdict(version.report.verdict)) }
            p { bdi { (own.player.name) } ", version " (version.number)
                @if let Some(at) = version.entry.at { " · " (views::time(event, at)) }
                @if version.is_late { " " span.verdict.late { "Late" } } }
            (views::findings(&version.report.findings))
            @if let Some(hash) = &version.report.hash { p.quiet { "Hash " code.hash { (hash) } } }
            @if let Some(key) = key {
                @let link = format!("/e/{}/mine#key={key}", event.id);
                p { "Your private link shows and changes this deck until hand-in closes. Keep it, and show it to nobody:" }
                p { a.private href=(link) { (link) } }
            }
            p.acts {
                a.btn href={ "/e/" (event.id) "/mine/sheet" } { "Print a sheet" }
                @if key.is_some() { a.btn href={ "/e/" (event.id) "/mine" } { "See or change it" } }
            }
        }
    }
}

async fn own(app: &Shared, who: &Who, opened: &Opened, player: PlayerId) -> Result<Own, Trouble> {
    let found = opened.handle.with(move |event| {
        let known = event.roster().players.get(&player).cloned();
        known.ok_or_else(|| Trouble::none("such player"))
    });
    let player = found.await?;
    let versions = Versions {
        event: opened.handle.folder(),
        player: player.id,
    };
    let versions = app.workers.ask(who.address, versions).await?;
    Ok(Own { player, versions })
}

fn mine_page(event: &View, who: &Who, own: &Own, typed: &Typed<'_>) -> Response {
    // What was typed now is not what counts, and stands first.
    let is_typed = typed.report.is_some() || typed.trouble.is_some();
    let last = own.versions.first();
    let last = last.map(|last| String::from_utf8_lossy(&last.entry.deck).into_owned());
    let last = last.unwrap_or_default();
    let typed = Typed {
        deck: if is_typed { typed.deck } else { &last },
        name: "",
        ..*typed
    };
    let body = html! {
        @if own.player.locked { p.note { "The organiser locked your deck." } }
        @if !is_typed { (receipt(event, own, "Your deck", None)) }
        (form(event, who, &typed, Some(&own.player), &[]))
        @if is_typed { (receipt(event, own, "Handed in before", None)) }
        @if own.versions.len() > 1 {
            section.panel.box {
                h2 { "Versions" }
                ol.versions {
                    @for version in &own.versions {
                        li { (version.number) ". " @if let Some(at) = version.entry.at { (views::time(event, at)) " " } (views::verdict(version.report.verdict))
                            @if version.is_late { " " span.verdict.late { "Late" } }
                            @if version.counts { " " b { "counts" } }
                            @if version.entry.author != "player" { " " span.quiet { "entered by " (version.entry.author) } } }
                    }
                }
            }
        }
    };
    shown(event, body, typed.trouble)
}

/// `GET /e/ID/mine`
pub(in super::super) async fn mine(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let player = opened.player.ok_or_else(|| Trouble::none("such player"))?;
    let own = own(&app, &who, &opened, player).await?;
    Ok(mine_page(&opened.event, &who, &own, &Typed::default()))
}

/// `POST /e/ID/mine`: another version.
pub(in super::super) async fn change(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    let player = opened.player.ok_or_else(|| Trouble::none("such player"))?;
    let before = own(&app, &who, &opened, player).await?;
    let (deck, file) = (fields.get("deck").unwrap_or_default(), fields.text("file"));
    let again = |report: Option<&Report>, trouble: Option<&Trouble>| {
        let typed = Typed {
            deck,
            file,
            report,
            trouble,
            ..Typed::default()
        };
        mine_page(event, &who, &before, &typed)
    };
    let report = match judged(&app, &who, &opened, deck, file).await {
        Ok(report) => report,
        Err(trouble) => return Ok(again(None, Some(&trouble))),
    };
    let allowed = event.may_hand_in(before.player.locked);
    match next(fields.text("do"), report.verdict, allowed) {
        Next::HandIn => {}
        Next::Show => return Ok(again(Some(&report), None)),
        Next::Refuse(trouble) => return Ok(again(Some(&report), Some(&trouble))),
    }
    match changed(&opened, &before.player, (deck, file)).await {
        Ok(_) => {
            let own = own(&app, &who, &opened, player).await?;
            Ok(mine_page(event, &who, &own, &Typed::default()))
        }
        Err(trouble) => Ok(again(Some(&report), Some(&trouble))),
    }
}

/// Stores another version of a player's deck.
async fn changed(
    opened: &Opened,
    player: &Player,
    (deck, file): (&str, &str),
) -> Result<EntryId, Trouble> {
    let (person, number) = (Person::named(&player.name), player.id);
    let (deck, id) = ((deck.to_owned(), named(file)), opened.event.id.clone());
    let written = opened.handle.with(move |event| {
        let view = View::of(&id, event)?;
        let (text, file) = deck;
        let deck = (text.as_bytes(), file);
        let (_, entry) = event.hand_in("player", &person, deck, None, |roster| {
            may(&view, roster.players.get(&number))?;
            Ok(Some(number))
        })?;
        Ok(entry)
    });
    written.await
}

/// `GET /e/ID/mine/sheet`
pub(in super::super) async fn sheet(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let player = opened.player.ok_or_else(|| Trouble::none("such player"))?;
    let sheets = Sheets {
        event: opened.handle.folder(),
        players: Some(vec![player]),
    };
    Ok(sheet_page(app.workers.ask(who.address, sheets).await?))
}

/// `POST /api/e/ID/ask`: a question of the builder, which is open for this event.
pub(in super::super) async fn ask(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    bytes: Bytes,
) -> JsonResult<Answer> {
    let question = AskLock {
        library: opened.handle.library.clone(),
        question: ask_of(bytes)?,
    };
    Ok(Json(app.workers.ask(who.address, question).await?))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckAsk {
    deck: String,
    #[serde(default)]
    file: String,
}

/// `POST /api/e/ID/check`: the verdict while a deck is typed.
pub(in super::super) async fn check(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    bytes: Bytes,
) -> JsonResult {
    let ask: CheckAsk = ask_of(bytes)?;
    let report = judged(&app, &who, &opened, &ask.deck, &ask.file).await?;
    let findings: Value = json!(report.findings);
    Ok(Json(json!({
        "verdict": report.verdict.word(), "hash": report.hash, "findings": findings,
        "cards": report.size(),
    })))
}
