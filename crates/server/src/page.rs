//! What pages share: their frame, the choice of a format, and links.

use crate::actor::Visit;
use crate::error::HttpError;
use crate::keys;
use axum::http::{HeaderMap, header};
use axum::response::Html;
use decklaw_ask::GameEntry;
use fast_qr::convert::svg::SvgBuilder;
use fast_qr::qr::QRBuilder;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A page: its title, its style sheets in their order, the modules that it runs, and its body
/// element.
pub(crate) fn styled(title: &str, styles: &[&str], scripts: &[&str], body: Markup) -> Html<String> {
    let styles: Vec<String> = styles
        .iter()
        .map(|name| format!("/assets/{name}"))
        .collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (head(&format!("{title} · decklaw"), &styles, "/assets/icon.svg"))
                @for script in scripts { script type="module" src={ "/assets/" (script) } {} }
            }
            (body)
        }
    };
    Html(page.into_string())
}

/// The head of every page: its title, and the addresses of its style sheets and icon.
pub(crate) fn head(title: &str, styles: &[String], icon: &str) -> Markup {
    html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        title { (title) }
        @for style in styles { link rel="stylesheet" href=(style); }
        link rel="icon" href=(icon) type="image/svg+xml";
    }
}

/// The name of the program with its mark, as a link to the first page.
pub(crate) fn logo() -> Markup {
    html! {
        a.logo href="/" {
            (mark())
            span.wide { "decklaw" }
            span.away { "Start page" }
        }
    }
}

/// The mark of the program.
pub(crate) fn mark() -> Markup {
    PreEscaped(LOGO.to_owned())
}

/// Two cards, the front one ticked.
const LOGO: &str = r#"<svg viewBox="0 0 24 24" fill="none" aria-hidden="true"><rect x="3.2" y="5" width="11" height="15" rx="2.4" fill="currentColor" opacity=".28" transform="rotate(-12 8 12)"/><rect x="9" y="4" width="11" height="15.5" rx="2.4" fill="currentColor"/><path d="M12 12.2l2 2 3.4-4.2" stroke="var(--surface, Canvas)" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></svg>"#;

/// The hidden field that makes a form different from every other one.
pub(crate) fn token() -> Markup {
    // Without random numbers the form has no key, and none is derived from it.
    let form = keys::new().unwrap_or_default();
    html! { input type="hidden" name="form" value=(form); }
}

/// The form that asks for a format, and leads back with it.
pub(crate) fn choose_format(games: &[GameEntry]) -> Markup {
    html! {
        form method="get" {
            label for="format" { "Format" }
            select.input #format name="format" {
                @for game in games.iter().filter(|game| game.wrong.is_none()) {
                    optgroup label=(game.name) {
                        @for one in &game.formats { option value=(one.format) { (one.name) } }
                    }
                }
            }
            p { button.btn.main.big { "Continue" } }
        }
    }
}

/// The address by which a client reached this server, without a path.
pub(crate) fn origin(visit: &Visit, headers: &HeaderMap) -> String {
    if let Some(url) = &visit.app.public_url {
        return url.trim_end_matches('/').to_owned();
    }
    let host = headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    format!("http://{host}")
}

/// An address as a QR code.
///
/// # Errors
/// An address that is too long for one.
pub(crate) fn qr_code(address: &str) -> Result<String, HttpError> {
    let code = QRBuilder::new(address).build();
    let code = code.map_err(|_| HttpError::wrong("The address is too long for a QR code."))?;
    Ok(SvgBuilder::default().to_str(&code))
}
