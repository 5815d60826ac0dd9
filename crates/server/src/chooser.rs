//! What opening an event and laying a table ask alike: the format, and where links lead.

use super::app::App;
use axum::http::{HeaderMap, header};
use decklaw_ask::GameEntry;
use maud::{Markup, html};

/// The form that asks for one of all formats, and comes back with it.
pub(super) fn formats(games: &[GameEntry]) -> Markup {
    html! {
        form method="get" {
            label for="format" { "Format" }
            select.input #format name="format" {
                (options(games, &[], ""))
            }
            p { button.btn.main.big { "Continue" } }
        }
    }
}

/// All formats as options: first those of the games that are likely, and one of them chosen.
pub(super) fn options(games: &[GameEntry], likely: &[String], chosen: &str) -> Markup {
    let place = |game: &&GameEntry| likely.iter().position(|id| *id == game.id);
    let usable = games.iter().filter(|game| game.wrong.is_none());
    let mut games: Vec<&GameEntry> = usable.collect();
    games.sort_by_key(|game| place(game).unwrap_or(likely.len()));
    html! {
        @for game in games {
            optgroup label=(game.name) {
                @for one in &game.formats { option value=(one.format) selected[one.format == chosen] { (one.name) } }
            }
        }
    }
}

/// The format that was chosen, sent on with a form, and the way to another one.
pub(super) fn chosen(format: &str, again: &str) -> Markup {
    html! {
        input type="hidden" name="format" value=(format);
        p { "Format: " b { (format) } " · " a href=(again) { "another one" } }
    }
}

/// The address by which whoever asks reached this server, without a path: links that are
/// sent on begin with it.
pub(super) fn origin(app: &App, headers: &HeaderMap) -> String {
    if let Some(url) = &app.public_url {
        return url.trim_end_matches('/').to_owned();
    }
    let host = headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    format!("http://{host}")
}
