//! What players see: the form, the verdict before handing in, their own deck and its link.
//! All of it works without scripts.

use super::super::builder::{Json, JsonResult, body as ask_of, sheet_page};
use super::super::guard::{Fields, Who, set_cookie};
use super::super::trouble::Trouble;
use super::super::worker::{self, Judged, Sheet};
use super::super::{Shared, keys, page as frame};
use super::hall::{self, Version, View};
use super::opening::{NAME, player_name};
use super::{Opened, player_cookie, views};
use axum::body;
use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use decklaw_core::digest::hex;
use decklaw_event::{EventError, Person, Player, PlayerId, Roster, Whose, Why};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;

/// What somebody typed, and what came of it.
#[derive(Default)]
struct Typed<'t> {
    name: &'t str,
    deck: &'t str,
    file: &'t str,
    /// The verdict, where it was asked for.
    handed: Option<&'t Judged>,
    trouble: Option<&'t Trouble>,
}

/// `GET /e/ID`
pub(in super::super) async fn page(
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let names = expected(&opened).await?;
    let body = html! {
        @if opened.player.is_some() {
            p.note { "You have handed in a deck here. " a href={ "/e/" (opened.event.id) "/mine" } { "See or change it" } "." }
        }
        (form(&opened.event, &who, &Typed::default(), None, &names))
    };
    Ok(shown(&opened.event, &who, body))
}

/// Players of the organiser's list of whom there is no deck yet: they choose themselves from it.
async fn expected(opened: &Opened) -> Result<Vec<String>, Trouble> {
    let names = opened.hall.with(|event| {
        let has = event.roster().entries_by_player();
        let missing = event.roster().present();
        let missing = missing.filter(|player| player.expected && !has.contains_key(&player.id));
        Ok(missing.map(|player| player.name.to_string()).collect())
    });
    names.await
}

fn shown(event: &View, who: &Who, inner: Markup) -> Response {
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { bdi { (event.title) } }
            (views::about(event))
            (inner)
        }
    };
    frame::page(who, &event.title, &["desk.js"], body).into_response()
}

/// The form of a deck; `own` is the player whose deck it changes.
fn form(
    event: &View,
    who: &Who,
    typed: &Typed<'_>,
    own: Option<&Player>,
    names: &[String],
) -> Markup {
    let late = event.is_late();
    let open = event.may_hand_in(own.is_some_and(|own| own.locked));
    let to = match own {
        Some(_) => format!("/e/{}/mine", event.id),
        None => format!("/e/{}", event.id),
    };
    // What was typed stays, whether it can be handed in now or not.
    html! {
        @if let (Err(trouble), None) = (&open, typed.trouble) {
            p.message role="status" { (trouble.message) " " (trouble.help) }
        } @else {
            @if late { p.note { "The deadline is over: what you hand in now is late, and the organiser decides whether it counts." } }
            form #hand-in method="post" action=(to) data-event=(event.id) {
                (frame::token(who))
                @if let Some(trouble) = typed.trouble { p.message role="alert" { (trouble.message) " " (trouble.help) } }
                @if own.is_none() {
                    label for="name" { "Your name" }
                    input #name name="name" value=(typed.name) maxlength=(NAME) required autocomplete="name" list=[(!names.is_empty()).then_some("expected")];
                    @if !names.is_empty() {
                        datalist #expected { @for name in names { option value=(name) {} } }
                        p.quiet { "Choose yourself from the organiser's list, or type your name as it stands there." }
                    }
                }
                label for="deck" { "Your deck" }
                textarea #deck name="deck" rows="14" required spellcheck="false" autocapitalize="none" placeholder="3 Rain Caller\n2 Moss Sprite" { "\n" (typed.deck) }
                input #file type="hidden" name="file" value=(typed.file);
                p.quiet { "Paste a list from anywhere, or " a href={ "/deck/" (event.format) } { "build a deck" } " and copy it here." }
                div #verdict aria-live="polite" { @if let Some(handed) = typed.handed { (verdict(handed)) } }
                div.row {
                    button name="do" value="check" { "Check" }
                    @match typed.handed {
                        Some(handed) if handed.verdict == "legal" => { button.primary name="do" value="hand-in" { "Hand in" } }
                        Some(handed) if handed.verdict != "unreadable" => {
                            button.primary name="do" value="anyway" { "Hand in as it is, " (handed.verdict) }
                        }
                        _ => { button.primary name="do" value="hand-in" { "Hand in" } }
                    }
                }
            }
        }
    }
}

fn verdict(handed: &Judged) -> Markup {
    html! {
        p { "This deck is " (frame::verdict(&handed.verdict)) "." }
        (views::findings(&handed.report))
    }
}

/// Has what was typed judged by the event's lock.
async fn judged(
    app: &Shared,
    who: &Who,
    opened: &Opened,
    player: &str,
    (deck, file): (&str, &str),
) -> Result<Judged, Trouble> {
    let judge = worker::Judge {
        event: opened.hall.folder(),
        player: Some(player.to_owned()),
        deck: deck.as_bytes().to_vec(),
        file: file.to_owned(),
    };
    app.workers.ask(who.address, judge).await
}

/// What is to be done with a deck that was judged.
enum Next {
    HandIn,
    /// Its verdict is shown.
    Show,
    /// It is not handed in.
    Refuse(Trouble),
}

/// What an action of the form comes to.
fn next(action: &str, handed: &Judged, open: Result<(), Trouble>) -> Next {
    match (action, handed.verdict.as_str(), open) {
        (_, _, Err(trouble)) => Next::Refuse(trouble),
        ("hand-in" | "anyway", "unreadable", _) => Next::Refuse(Trouble::new(
            422,
            "Not handed in: this cannot be read as a deck.",
            "Mend what is named below.",
        )),
        ("hand-in", "legal", _) | ("anyway", ..) => Next::HandIn,
        ("hand-in", verdict, _) => Next::Refuse(Trouble::new(
            422,
            format!("Not handed in yet: this deck is {verdict}."),
            "Mend it, or hand it in as it is.",
        )),
        _ => Next::Show,
    }
}

/// A page with the status of what it tells.
fn with_status(mut page: Response, trouble: Option<&Trouble>) -> Response {
    if let Some(trouble) = trouble {
        *page.status_mut() =
            StatusCode::from_u16(trouble.status).unwrap_or(StatusCode::BAD_REQUEST);
    }
    page
}

/// Why a deck is not taken under a name.
fn taken(why: &str, help: &str) -> EventError {
    EventError::Said(format!("{why} {help}"))
}

/// The player whom somebody means who hands a deck in under a name; `None`: somebody new. `mine` is
/// the player whose key they hold.
fn meant(
    roster: &Roster,
    person: &Person,
    mine: Option<PlayerId>,
) -> Result<Option<PlayerId>, EventError> {
    let free = |player: PlayerId| {
        let own = roster.players.get(&player);
        own.is_some_and(|own| own.key.is_none()) && roster.of(player).next().is_none()
    };
    match roster.whose(person) {
        whose if whose.is_new() => Ok(None),
        Whose::Player(player) if mine == Some(player) || free(player) => Ok(Some(player)),
        Whose::Player(_) => Err(taken(
            "A deck was handed in under this name already.",
            "If it is yours, change it by your private link; the organiser can give you a new one.",
        )),
        Whose::Asked(question) => match (question.why, mine) {
            (_, Some(mine)) if question.likely == Some(mine) || question.others.contains(&mine) => {
                Ok(Some(mine))
            }
            (Why::NearlyNamed, _) => {
                let likely = question.likely.or(question.others.first().copied());
                let name = likely.map(|player| roster.name(player)).unwrap_or_default();
                Err(taken(
                    &format!("The organiser's list has {name}."),
                    "If that is you, type the name as it stands there; else ask the organiser.",
                ))
            }
            _ => Err(taken(
                "Several players have this name.",
                "Ask the organiser for your private link.",
            )),
        },
    }
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
    let names = expected(&opened).await?;
    let again = |handed: Option<&Judged>, trouble: Option<&Trouble>| {
        let typed = Typed {
            name: &name,
            deck,
            file,
            handed,
            trouble,
        };
        with_status(
            shown(event, &who, form(event, &who, &typed, None, &names)),
            trouble,
        )
    };
    if name.is_empty() || name.chars().count() > NAME {
        let trouble = Trouble::wrong(format!("A name is needed, of at most {NAME} letters."));
        return Ok(again(None, Some(&trouble)));
    }
    // The answer to a form may be lost on its way: the same form gets the same link again.
    let key = who.key(&app, "player")?;
    let kept = hex(&keys::kept(&key));
    let done = |version: &Version| {
        let path = format!("/e/{}", event.id);
        let cookie = set_cookie(&app, &player_cookie(&event.id), &key, &path, 30);
        let told = handed_in(event, &name, version, "Handed in", Some(&key));
        ([(header::SET_COOKIE, cookie)], shown(event, &who, told)).into_response()
    };
    if matches!(fields.text("do"), "hand-in" | "anyway") {
        let (kept, bytes) = (kept.clone(), deck.as_bytes().to_vec());
        let read = opened.hall.with(move |event| {
            let roster = event.roster();
            let mut own = roster.players.values();
            let Some(own) = own.find(|player| player.key.as_ref() == Some(&kept)) else {
                return Ok(None);
            };
            let versions = hall::versions(event, roster.real(own.id))?;
            let same =
                |version: &Version<()>| version.deck.as_bytes() == bytes && version.who == "player";
            Ok(versions.into_iter().find(same))
        });
        if let Some(version) = read.await? {
            return Ok(done(&judged_version(&app, &who, &opened, version).await?));
        }
    }
    let handed = match judged(&app, &who, &opened, &name, (deck, file)).await {
        Ok(handed) => handed,
        Err(trouble) => return Ok(again(None, Some(&trouble))),
    };
    match next(fields.text("do"), &handed, event.may_hand_in(false)) {
        Next::HandIn => {}
        Next::Show => return Ok(again(Some(&handed), None)),
        Next::Refuse(trouble) => return Ok(again(Some(&handed), Some(&trouble))),
    }
    let (bytes, file_name) = (deck.as_bytes().to_vec(), named(file));
    let (person, mine, id) = (Person::named(&name), opened.player, event.id.clone());
    let again_kept = kept.clone();
    let written = opened.hall.with(move |event| {
        let view = View::of(&id, event)?;
        let (player, entry) =
            event.hand_in("player", &person, &bytes, file_name, Some(kept), |roster| {
                // Sent twice at once, the first of them is done by now.
                let mut known = roster.players.values();
                let sent = known.find(|player| player.key.as_ref() == Some(&again_kept));
                if let Some(player) = sent {
                    return Ok(Some(roster.real(player.id)));
                }
                let player = meant(roster, &person, mine)?;
                let locked = player.and_then(|player| roster.players.get(&player));
                let may = view.may_hand_in(locked.is_some_and(|player| player.locked));
                may.map_err(|trouble| taken(&trouble.message, &trouble.help))?;
                Ok(player)
            })?;
        let versions = hall::versions(event, event.roster().real(player))?;
        let own = versions.into_iter().find(|version| version.entry == entry);
        own.ok_or_else(Trouble::defect)
    });
    match written.await {
        Ok(version) => Ok(done(&judged_version(&app, &who, &opened, version).await?)),
        Err(trouble) => Ok(again(Some(&handed), Some(&trouble))),
    }
}

/// The name of a deck's file, where it is one.
fn named(file: &str) -> Option<String> {
    Some(file.to_owned()).filter(|file| !file.is_empty())
}

/// A version that was handed in, with what a worker says of it.
async fn judged_version(
    app: &Shared,
    who: &Who,
    opened: &Opened,
    version: Version<()>,
) -> Result<Version, Trouble> {
    let judged = hall::judged(app, who, &opened.hall, vec![version]).await?;
    judged.into_iter().next().ok_or_else(Trouble::defect)
}

/// What was handed in, with the link that opens it again where it is new.
fn handed_in(
    event: &View,
    name: &str,
    version: &Version,
    heading: &str,
    key: Option<&str>,
) -> Markup {
    html! {
        section.receipt {
            h2 { (heading) }
            p { bdi { (name) } ", version " (version.number) ", " (views::time(&version.at)) " " (views::state(version)) }
            (views::findings(&version.judged.report))
            @if let Some(hash) = &version.judged.hash { p { "The deck's hash: " code.hash { (hash) } } }
            @if let Some(key) = key {
                @let link = format!("/e/{}/mine#key={key}", event.id);
                p { "Your private link, to see and change this deck until the deadline. Keep it, and show it to nobody:" }
                p { a.private href=(link) { (link) } }
                p.quiet { "Without the link, the key opens it too: " code { (key) } }
            }
            p.row {
                a.button href={ "/e/" (event.id) "/mine/sheet" } { "Sheet to print" }
                a.button href={ "/e/" (event.id) "/mine" } { "See or change it" }
            }
        }
    }
}

async fn own(app: &Shared, who: &Who, opened: &Opened) -> Result<(Player, Vec<Version>), Trouble> {
    let player = opened.player;
    let found = opened.hall.with(move |event| {
        let known = player.and_then(|player| event.roster().players.get(&player));
        let known = known.cloned().ok_or_else(|| Trouble::none("such player"))?;
        let versions = hall::versions(event, known.id)?;
        Ok((known, versions))
    });
    let (known, versions) = found.await?;
    Ok((known, hall::judged(app, who, &opened.hall, versions).await?))
}

fn mine_page(
    event: &View,
    who: &Who,
    player: &Player,
    versions: &[Version],
    typed: &Typed<'_>,
) -> Response {
    let last = versions.first();
    // What was typed now is not what counts, and stands before it.
    let other = typed.handed.is_some() || typed.trouble.is_some();
    let text = last.map_or("", |last| last.deck.as_str());
    let typed = Typed {
        deck: if other { typed.deck } else { text },
        name: "",
        ..*typed
    };
    let body = html! {
        h2 { bdi { (player.name) } }
        @if player.locked { p.note { "Locked by the organiser." } }
        @if let (false, Some(last)) = (other, last) { (handed_in(event, &player.name, last, "Handed in", None)) }
        (form(event, who, &typed, Some(player), &[]))
        @if let (true, Some(last)) = (other, last) { (handed_in(event, &player.name, last, "What counts", None)) }
        @if versions.len() > 1 {
            h2 { "Versions" }
            ol.versions reversed {
                @for version in versions {
                    li { (views::time(&version.at)) " " (views::state(version)) " " @if version.who != "player" { span.quiet { "entered by the " (version.who) } } }
                }
            }
        }
    };
    with_status(shown(event, who, body), typed.trouble)
}

/// `GET /e/ID/mine`
pub(in super::super) async fn mine(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let (player, versions) = own(&app, &who, &opened).await?;
    Ok(mine_page(
        &opened.event,
        &who,
        &player,
        &versions,
        &Typed::default(),
    ))
}

/// `POST /e/ID/mine`: another version.
pub(in super::super) async fn change(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    let (player, versions) = own(&app, &who, &opened).await?;
    let (deck, file) = (fields.get("deck").unwrap_or_default(), fields.text("file"));
    let again = |handed: Option<&Judged>, trouble: Option<&Trouble>| {
        let typed = Typed {
            deck,
            file,
            handed,
            trouble,
            ..Typed::default()
        };
        mine_page(event, &who, &player, &versions, &typed)
    };
    let handed = match judged(&app, &who, &opened, &player.name, (deck, file)).await {
        Ok(handed) => handed,
        Err(trouble) => return Ok(again(None, Some(&trouble))),
    };
    match next(fields.text("do"), &handed, event.may_hand_in(player.locked)) {
        Next::HandIn => {}
        Next::Show => return Ok(again(Some(&handed), None)),
        Next::Refuse(trouble) => return Ok(again(Some(&handed), Some(&trouble))),
    }
    let (bytes, file_name, number) = (deck.as_bytes().to_vec(), named(file), player.id);
    let (person, id) = (Person::named(&player.name), event.id.clone());
    let written = opened.hall.with(move |event| {
        let view = View::of(&id, event)?;
        event.hand_in("player", &person, &bytes, file_name, None, |roster| {
            let locked = roster
                .players
                .get(&number)
                .is_some_and(|player| player.locked);
            let may = view.may_hand_in(locked);
            may.map_err(|trouble| taken(&trouble.message, &trouble.help))?;
            Ok(Some(number))
        })?;
        Ok(())
    });
    match written.await {
        Ok(()) => {
            let (player, versions) = own(&app, &who, &opened).await?;
            Ok(mine_page(
                event,
                &who,
                &player,
                &versions,
                &Typed::default(),
            ))
        }
        Err(trouble) => Ok(again(Some(&handed), Some(&trouble))),
    }
}

/// `GET /e/ID/mine/sheet`
pub(in super::super) async fn sheet(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let player = opened.player.ok_or_else(|| Trouble::none("such player"))?;
    let sheet = Sheet {
        event: opened.hall.folder(),
        player,
    };
    Ok(sheet_page(app.workers.ask(who.address, sheet).await?))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckAsk {
    deck: String,
    #[serde(default)]
    file: String,
}

/// `POST /api/e/ID/check`: the verdict while it is typed.
pub(in super::super) async fn check(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    bytes: body::Bytes,
) -> JsonResult {
    let ask: CheckAsk = ask_of(bytes)?;
    let handed = judged(&app, &who, &opened, "-", (&ask.deck, &ask.file)).await?;
    let report: Value = serde_json::from_str(&handed.report).map_err(|_| Trouble::defect())?;
    Ok(Json(report))
}
