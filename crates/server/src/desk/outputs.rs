//! What leaves the desk: the code for the wall, sheets, what was done, files.

use super::super::builder::sheet_page;
use super::super::guard::Who;
use super::super::trouble::Trouble;
use super::super::worker::{Bytes, Export, Papers};
use super::super::{Shared, chooser, page as frame, qr};
use super::{Opened, views};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::html;

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
    printed(&app, &who, &opened, false).await
}

/// `GET /e/ID/desk/slips`
pub(in super::super) async fn slips(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    printed(&app, &who, &opened, true).await
}

async fn printed(
    app: &Shared,
    who: &Who,
    opened: &Opened,
    slips: bool,
) -> Result<Response, Trouble> {
    let papers = Papers {
        event: opened.hall.folder(),
        slips,
    };
    Ok(sheet_page(app.workers.ask(who.client(), papers).await?))
}

/// `GET /e/ID/desk/audit`
pub(in super::super) async fn audit(
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    // Every record is held against the one before it, as it is read.
    let records = opened.hall.with(|event| Ok(event.records()));
    let records = records.await?;
    let body = html! {
        (frame::top())
        main.narrow {
            p { a href={ "/e/" (event.id) "/desk" } { "← " bdi { (event.title) } } }
            h1 { "What was done" }
            @match &records {
                Err(error) => p.message role="alert" { (error) },
                Ok(records) => {
                    p { "Every record holds the digest of the one before it, and all of them fit." @if let Some(last) = records.last() { " The last digest is " code.hash { (last.digest) } "." } }
                    ol.audit {
                        @for record in records {
                            @let fact = serde_json::to_value(&record.fact).unwrap_or_default();
                            @let what = fact["decision"].as_str().or(fact["what"].as_str()).unwrap_or_default();
                            li value=(record.number) {
                                (views::time(&record.at)) " " b { (what) } " by " bdi { (record.who) } " "
                                @match &record.personal {
                                    Some(personal) => { @if let Some(name) = &personal.name { bdi { (name) } " " } @if let Some(words) = &personal.words { q { (words) } " " } },
                                    None => span.quiet { "(removed) " },
                                }
                                span.quiet { (fact) } " " code.hash { (record.digest.get(..12).unwrap_or_default()) }
                            }
                        }
                    }
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
    let export = Export {
        event: opened.hall.folder(),
        file: file.clone(),
    };
    let Bytes(bytes) = app.workers.ask(who.client(), export).await?;
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
