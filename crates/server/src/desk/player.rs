//! One player at the desk: versions, what changed between them, and what is done for the player.

use super::super::Shared;
use super::super::guard::{Fields, Who};
use super::super::page as frame;
use super::super::trouble::Trouble;
use super::super::worker::{self, Check, Differences};
use super::hall::{self, Version, View};
use super::{Opened, views};
use axum::extract::{Extension, Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_core::digest::hex;
use decklaw_core::text::counted;
use decklaw_engine::solve::Difference;
use decklaw_event::{Counting, Decision, EntryId, Personal, Player, PlayerId};
use maud::{Markup, html};
use std::sync::Arc;

/// A player as the page shows them.
struct Known {
    player: Player,
    versions: Vec<Version>,
    counting: Counting,
    addresses: Vec<String>,
    /// What each version changed of the one before it.
    changes: Vec<Vec<Difference>>,
}

async fn known(
    app: &Shared,
    who: &Who,
    opened: &Opened,
    player: PlayerId,
) -> Result<Known, Trouble> {
    let found = opened.hall.with(move |event| {
        let roster = event.roster();
        let player = roster.real(player);
        let Some(known) = roster.players.get(&player).filter(|known| !known.forgotten) else {
            return Err(Trouble::none("such player"));
        };
        let counting = event.standing()?.players.get(&player).copied();
        let addresses = roster.addresses_of(player).into_iter();
        let addresses: Vec<String> = addresses.map(str::to_owned).collect();
        let versions = hall::versions(event, player)?;
        Ok((known.clone(), counting, addresses, versions))
    });
    let (player, counting, addresses, versions) = found.await?;
    let versions = hall::judged(app, who, &opened.hall, versions).await?;
    let differences = Differences {
        event: opened.hall.folder(),
        decks: versions
            .iter()
            .map(|version| version.deck.clone())
            .collect(),
    };
    Ok(Known {
        player,
        counting: counting.unwrap_or(Counting::Missing),
        addresses,
        changes: app.workers.ask(who.address, differences).await?,
        versions,
    })
}

fn id_of(text: &str) -> Result<PlayerId, Trouble> {
    text.parse().map_err(|_| Trouble::none("such player"))
}

/// `GET /e/ID/desk/player/N`
pub(in super::super) async fn player(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, player)): Path<(String, String)>,
) -> Result<Response, Trouble> {
    let known = known(&app, &who, &opened, id_of(&player)?).await?;
    Ok(page(&who, &opened.event, &known, None, ("", "")))
}

fn page(
    who: &Who,
    event: &Arc<View>,
    known: &Known,
    told: Option<Markup>,
    (played, entered): (&str, &str),
) -> Response {
    let player = &known.player;
    let path = format!("/e/{}/desk", event.id);
    let act = format!("{path}/player/{}", player.id);
    let body = html! {
        (frame::top())
        main.narrow {
            p { a href=(path) { "← " bdi { (event.title) } } }
            h1 { bdi { (player.name) } " " span.quiet { (player.id) } @if player.locked { " " span.quiet { "locked" } } }
            @for address in &known.addresses { p.quiet { bdi { (address) } } }
            @if let Some(told) = told { section.note role="status" { (told) } }
            form.row method="post" action=(act) {
                (frame::token(who))
                @if player.locked { button name="do" value="unlock" { "Unlock" } } @else { button name="do" value="lock" { "Lock" } }
                button name="do" value="key" { "New private link" }
            }
            @if !player.notes.is_empty() {
                h2 { "Noted" }
                ul { @for note in &player.notes { li { (views::time(&note.at)) " " bdi { (note.text) } " " span.quiet { "by " bdi { (note.who) } } } } }
            }
            @for (at, version) in known.versions.iter().enumerate() {
                section.version {
                    h2 { "Version " (version.number) " " (views::state(version)) @if version.judged.counts { " " span.quiet { "counts" } } }
                    p { (views::time(&version.at)) " by " bdi { (version.who) } " · " (version.place) @if let Some(hash) = &version.judged.hash { " · " code.hash { (hash) } } }
                    (views::findings(&version.judged.report))
                    @if let Some(changes) = known.changes.get(at) { (changed(changes)) }
                    details open[at == 0] { summary { "The deck" } pre { (version.deck) } @if let Some(read) = &version.read_as { p { "Read as:" } pre { (read) } } }
                    form.row method="post" action=(act) {
                        (frame::token(who))
                        input type="hidden" name="entry" value=(version.entry);
                        @if !version.judged.counts { button name="do" value="counts" { "Let this one count" } }
                        @else { button name="do" value="out" { "Take it out" } }
                    }
                    @if version.judged.hash.is_none() {
                        form method="post" action=(act) {
                            (frame::token(who))
                            input type="hidden" name="entry" value=(version.entry);
                            label for={ "read-" (version.entry) } { "What a person reads there; what came stays beside it" }
                            textarea id={ "read-" (version.entry) } name="deck" rows="8" spellcheck="false" { "\n" (version.deck) }
                            button name="do" value="read-as" { "Read it so" }
                        }
                    }
                }
            }
            @if known.counting.counts().is_some() {
                form method="post" action=(act) {
                    h2 { "Deck check" }
                    (frame::token(who))
                    label for="played" { "The deck as it was found at the table" }
                    textarea #played name="deck" rows="8" spellcheck="false" { "\n" (played) }
                    button name="do" value="check" { "Compare with the deck that counts" }
                }
            }
            form method="post" action=(act) {
                h2 { "Enter a deck for this player" }
                (frame::token(who))
                label for="entered" { "The deck" }
                textarea #entered name="deck" rows="8" spellcheck="false" { "\n" (entered) }
                button name="do" value="enter" { "Enter it as a new version" }
            }
            form method="post" action=(act) {
                h2 { "Forget this player" }
                (frame::token(who))
                p { "At their wish: name, addresses, decks and all that was noted in words are removed for ever." }
                button name="do" value="forget" { "Forget this player…" }
            }
        }
    };
    frame::page(who, &player.name, &["desk.js"], body).into_response()
}

fn changed(changes: &[Difference]) -> Markup {
    html! {
        @if !changes.is_empty() {
            ul.changes {
                @for change in changes {
                    li { span.quiet { (change.section) } " " bdi { (change.card) } ": " (change.from) " → " (change.to) }
                }
            }
        }
    }
}

/// `POST /e/ID/desk/player/N`
pub(in super::super) async fn act(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, player)): Path<(String, String)>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let player = id_of(&player)?;
    let named = known(&app, &who, &opened, player).await?;
    let player = named.player.id;
    let (event, by) = (&opened.event, opened.by(&who));
    let here = || Redirect::to(&format!("/e/{}/desk/player/{player}", event.id)).into_response();
    let deck = fields.get("deck").unwrap_or_default().to_owned();
    let entry = || {
        fields
            .text("entry")
            .parse::<EntryId>()
            .map_err(Trouble::wrong)
    };
    let mut bytes = None;
    let decision = match fields.text("do") {
        action @ ("lock" | "unlock") => Decision::Lock {
            player: Some(player),
            locked: action == "lock",
        },
        action @ ("counts" | "out") => Decision::Counts {
            entry: entry()?,
            counts: action == "counts",
        },
        "read-as" => {
            bytes = Some(deck.into_bytes());
            Decision::ReadAs { entry: entry()? }
        }
        "key" => {
            let key = who.key(&app, "player")?;
            let kept = hex(&super::super::keys::kept(&key));
            let decision = Decision::Key {
                player: Some(player),
                key: kept,
            };
            let done = opened
                .hall
                .with(move |event| Ok(event.decide(by, decision, Personal::default(), None)?));
            done.await?;
            let link = format!("/e/{}/mine#key={key}", event.id);
            let told = html! { "The new private link of this player; the old one opens nothing any more: " code.private { (link) } };
            return Ok(page(&who, event, &named, Some(told), ("", "")));
        }
        "forget" if fields.text("sure") == "yes" => {
            let done = opened.hall.with(move |event| Ok(event.forget(by, player)?));
            done.await?;
            return Ok(Redirect::to(&format!("/e/{}/desk", event.id)).into_response());
        }
        "forget" => return Ok(sure(&who, event, &named)),
        "check" => return check(&app, &who, &opened, player, &deck).await,
        "enter" => {
            return enter(&app, &who, &opened, &named, &deck)
                .await
                .map(|page| page.unwrap_or_else(here));
        }
        _ => return Err(Trouble::wrong("There is no such action.")),
    };
    let done = opened
        .hall
        .with(move |event| Ok(event.decide(by, decision, Personal::default(), bytes)?));
    done.await?;
    Ok(here())
}

/// Asks whether a player shall be forgotten, which nothing undoes.
fn sure(who: &Who, event: &View, known: &Known) -> Response {
    let player = &known.player;
    let here = format!("/e/{}/desk/player/{}", event.id, player.id);
    let decks = i64::try_from(known.versions.len()).unwrap_or(i64::MAX);
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "Forget " bdi { (player.name) } "?" }
            p.message {
                "Name, addresses, " (counted(decks, "deck")) " and all that was noted in words are removed from this event for ever, and the private link opens nothing any more. Nothing brings them back but a copy of the folder that was made before."
            }
            p { "What stays: that " (player.id) " was there, when something came or was done, and that they were forgotten." }
            form.row method="post" action=(here) {
                (frame::token(who))
                input type="hidden" name="sure" value="yes";
                button name="do" value="forget" { "Forget them for ever" }
                a href=(here) { "Keep everything" }
            }
        }
    };
    frame::page(who, "Forget a player?", &[], body).into_response()
}

/// Holds a deck at a table against the one that counts, and writes that down.
async fn check(
    app: &Shared,
    who: &Who,
    opened: &Opened,
    player: PlayerId,
    deck: &str,
) -> Result<Response, Trouble> {
    let bytes = deck.as_bytes().to_vec();
    let asked = Check {
        event: opened.hall.folder(),
        player,
        deck: bytes.clone(),
    };
    let checked = app.workers.ask(who.address, asked).await?;
    let (by, answer) = (opened.by(who), checked.word.clone());
    let done = opened.hall.with(move |event| {
        let decision = Decision::Checked { player, answer };
        Ok(event.decide(by, decision, Personal::default(), Some(bytes))?)
    });
    done.await?;
    let words = match checked.word.as_str() {
        "same" => "The same deck as the one that counts.",
        "swapped" => "The deck that counts, after a legal swap.",
        "illegal-swap" => "The deck that counts, after a swap that leaves no legal deck.",
        "other" => "Not the deck that counts.",
        _ => "This cannot be read as a deck.",
    };
    let told = html! {
        b { (words) }
        (changed(&checked.differences))
        @for wrong in &checked.wrong { p { (wrong) } }
    };
    let known = known(app, who, opened, player).await?;
    Ok(page(who, &opened.event, &known, Some(told), (deck, "")))
}

/// Enters a deck for a player who cannot; `None`: it was entered.
async fn enter(
    app: &Shared,
    who: &Who,
    opened: &Opened,
    known: &Known,
    deck: &str,
) -> Result<Option<Response>, Trouble> {
    let (by, player, bytes) = (opened.by(who), known.player.id, deck.as_bytes().to_vec());
    let name = known.player.name.to_string();
    let asked = worker::Judge {
        event: opened.hall.folder(),
        player: None,
        deck: bytes.clone(),
        file: String::new(),
    };
    let judged = app.workers.ask(who.address, asked).await?;
    if judged.hash.is_none() {
        let told =
            html! { b { "Not entered: this is no deck." } (views::findings(&judged.report)) };
        return Ok(Some(page(
            who,
            &opened.event,
            known,
            Some(told),
            ("", deck),
        )));
    }
    let done = opened.hall.with(move |event| {
        let person = decklaw_event::Person::named(&name);
        event.hand_in(by, &person, &bytes, None, None, |_| Ok(Some(player)))?;
        Ok(())
    });
    done.await?;
    Ok(None)
}
