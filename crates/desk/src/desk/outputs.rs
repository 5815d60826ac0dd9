//! What leaves the desk: the code for the wall, sheets, what was done, files.

use super::super::answers::Paper;
use super::super::builder::sheet_page;
use super::super::guard::Who;
use super::super::trouble::Trouble;
use super::super::work::Weight;
use super::super::{Shared, chooser, page as frame, qr};
use super::{Opened, archive, hand_in, record, views};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use decklaw_core::spreadsheet::Flavour;
use maud::html;
use serde_json::Value;
use std::sync::Arc;

/// `GET /e/ID/desk/code.svg`: the players' address, for the wall.
pub(in super::super) async fn code(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let origin = chooser::origin(&app, &headers);
    let svg = qr::svg(&format!("{origin}/e/{}", opened.event.id))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// `GET /e/ID/desk/sheets`
pub(in super::super) async fn sheets(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    printed(&app, &who, &opened, Paper::Sheet).await
}

/// `GET /e/ID/desk/slips`
pub(in super::super) async fn slips(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    printed(&app, &who, &opened, Paper::Slip).await
}

async fn printed(
    app: &Shared,
    who: &Who,
    opened: &Opened,
    paper: Paper,
) -> Result<Response, Trouble> {
    let id = opened.event.id.clone();
    let players = app
        .store
        .read(move |data| record::players(data, &id))
        .await?;
    let decks = players
        .into_iter()
        .filter_map(|player| Some((player.name, player.last?.deck)))
        .collect();
    let html = hand_in::sheets_of(app, who, &opened.event, decks, paper).await?;
    Ok(sheet_page(html))
}

/// `GET /e/ID/desk/audit`
pub(in super::super) async fn audit(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    let id = event.id.clone();
    let (entries, whole) = app
        .store
        .read(move |data| {
            let entries = record::entries(data, &id)?;
            Ok((entries, archive::Archive::of(data, &id)?))
        })
        .await?;
    let broken = record::broken_at(&event.id, &entries);
    let changed = whole.changed_at();
    // Digests say nothing to who reads.
    let shown = |detail: &Value| {
        let mut shown = detail.clone();
        shown.as_object_mut().map(|shown| shown.remove("kept"));
        shown.to_string()
    };
    let body = html! {
        (frame::top())
        main.narrow {
            p { a href={ "/e/" (event.id) "/desk" } { "← " bdi { (event.title) } } }
            h1 { "What was done" }
            @match (broken, changed) {
                (Some(number), _) => p.message role="alert" { "Entry " (number) " was changed, or one before it is missing." }
                (None, Some(field)) => p.message role="alert" { "The event is not what these entries made of it: " code { (field) } " was changed otherwise." }
                (None, None) => p { "Every entry holds the digest of the one before it, and all of them fit: they make the event as it is kept here." @if let Some((_, last)) = entries.last() { " The last digest is " code.hash { (last) } "." } }
            }
            ol.audit {
                @for (entry, digest) in &entries {
                    li value=(entry.number) { (views::time(&entry.at)) " " b { (entry.what) } " by the " (entry.who) " " span.quiet { (shown(&entry.detail)) } " " code.hash { (digest.get(..12).unwrap_or_default()) } }
                }
            }
        }
    };
    Ok(frame::page(&who, "What was done", &[], body).into_response())
}

/// `GET /e/ID/desk/export/FILE`
pub(in super::super) async fn export(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, file)): Path<(String, String)>,
) -> Result<Response, Trouble> {
    let event = Arc::clone(&opened.event);
    let id = event.id.clone();
    let whole = app
        .store
        .read(move |data| archive::Archive::of(data, &id))
        .await?;
    let (state, name) = (Arc::clone(&app), file.clone());
    let work = move || {
        // What was handed in goes out whether it can be judged or not.
        let judge = || state.site.of_commands(&event.terms);
        match name.as_str() {
            "decks.csv" => whole.table(&judge()?, Flavour::Excel),
            "decks.xlsx" => whole.workbook(&judge()?),
            "submissions.csv" => whole.submissions(),
            "verdicts.ndjson" => whole.verdicts(&judge()?),
            "event.json" => whole.json(),
            _ => Err(archive::ArchiveError::new("there is no such file")),
        }
        .map_err(|error| Trouble::new(404, error.to_string(), ""))
    };
    let bytes = app.work.out(who.address, Weight::Export, work).await?;
    let kind = match file.rsplit('.').next() {
        Some("csv") => "text/csv; charset=utf-8",
        Some("xlsx") => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Some("ndjson") => "application/x-ndjson",
        _ => "application/json",
    };
    let about = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{file}\""),
        ),
    ];
    Ok((about, bytes).into_response())
}
