//! What leaves the desk: the code for the wall, sheets, files.

use super::super::builder::sheet_page;
use super::super::guard::Who;
use super::super::trouble::Trouble;
use super::super::worker::{Export, Sheets};
use super::super::{Shared, chooser, qr};
use super::Opened;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

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
    let sheets = Sheets {
        event: opened.hall.folder(),
    };
    Ok(sheet_page(app.workers.ask(who.address, sheets).await?))
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
    let bytes = app.workers.ask(who.address, export).await?;
    let kind = match file.ends_with(".csv") {
        true => "text/csv; charset=utf-8",
        false => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
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
