//! What leaves the desk: the code for the wall, sheets, what was done, files.

use super::super::builder::sheet_page;
use super::super::guard::Who;
use super::super::trouble::Trouble;
use super::super::work::Weight;
use super::super::{Shared, chooser, page as frame, qr};
use super::{Opened, views};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use decklaw_core::report::workbook::{Sheet, of_sheets};
use decklaw_core::spreadsheet::{Cell, Flavour, Table};
use decklaw_event::{Event, LISTS, Paper, columns, rows};
use maud::html;
use std::collections::BTreeMap;
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
    let hall = Arc::clone(&opened.hall);
    let pages = move |event: &mut Event| {
        let (standing, tables) = (event.standing()?, BTreeMap::new());
        let players = event.in_order(None);
        Ok(event.papers(&standing, paper, &players, None, &tables)?)
    };
    let html = app
        .work
        .out(who.address, Weight::Export, move || hall.now(pages));
    Ok(sheet_page(html.await?))
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
    let (name, hall) = (file.clone(), Arc::clone(&opened.hall));
    let made = move |event: &mut Event| {
        let wrong = |error: &dyn std::fmt::Display| Trouble::new(500, error.to_string(), "");
        match name.as_str() {
            "decks.csv" => table(event).map_err(|error| wrong(&error)),
            "decks.xlsx" => workbook(event),
            "event.json" => {
                let json = event.to_json(&event.standing()?)?;
                let text = serde_json::to_string_pretty(&json).map_err(|error| wrong(&error))?;
                Ok((text + "\n").into_bytes())
            }
            "verdicts.ndjson" => {
                let mut lines = Vec::new();
                for one in event.listed(&event.standing()?)? {
                    if let (Some(report), "counts") = (&one.report, one.status) {
                        let line = decklaw_core::report::json::write_line(&mut lines, report);
                        line.map_err(|error| wrong(&error))?;
                    }
                }
                Ok(lines)
            }
            _ => Err(Trouble::new(404, "there is no such file", "")),
        }
    };
    let bytes = app
        .work
        .out(who.address, Weight::Export, move || hall.now(made));
    let bytes = bytes.await?;
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

/// Every player as a row, safe to open in a spreadsheet.
fn table(event: &Event) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let listed = event.listed(&event.standing()?)?;
    let columns = columns(&listed);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::of_report(Vec::new(), Flavour::Excel, &columns, &[])?;
    for row in rows(&listed, event.seal(), |_| true) {
        table.row(row.iter().map(Cell::shown))?;
    }
    Ok(table.finish()?)
}

/// A workbook with a sheet for each list.
fn workbook(event: &Event) -> Result<Vec<u8>, Trouble> {
    let listed = event.listed(&event.standing()?)?;
    let columns = columns(&listed);
    let seal = event.seal();
    let sheets = LISTS.iter().map(|list| -> Sheet<'_> {
        let rows = rows(&listed, seal, move |one| one.is_on(list));
        (list, columns.clone(), Box::new(rows))
    });
    let judge = event.judge();
    let met = judge.met();
    let rules = met
        .iter()
        .map(|(id, rulebook)| (id.clone(), &**rulebook))
        .collect();
    let book = of_sheets(sheets, &rules, &judge.day().to_string(), judge.lock());
    book.map_err(|error| Trouble::new(500, error.to_string(), ""))
}
