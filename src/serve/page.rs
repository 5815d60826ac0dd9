//! The frame of every page.

use super::guard::Who;
use axum::response::Html;
use maud::{DOCTYPE, Markup, html};

/// A page: its title, the modules that it runs, and its body.
pub(super) fn page(who: &Who, title: &str, scripts: &[&str], body: Markup) -> Html<String> {
    framed(title, scripts, Some(&who.token), body)
}

/// A page that nothing is sent from.
pub(super) fn plain(title: &str, body: Markup) -> Html<String> {
    framed(title, &[], None, body)
}

fn framed(title: &str, scripts: &[&str], token: Option<&str>, body: Markup) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if let Some(token) = token { meta name="token" content=(token); }
                title { (title) " · decklaw" }
                link rel="stylesheet" href="/assets/style.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                @for script in scripts { script type="module" src={ "/assets/" (script) } {} }
            }
            body { (body) }
        }
    };
    Html(page.into_string())
}

/// The bar on top of pages that are no builder.
pub(super) fn top() -> Markup {
    html! {
        header.top {
            a.mark href="/" { "decklaw" }
        }
    }
}

/// The hidden field that a form needs.
pub(super) fn token(who: &Who) -> Markup {
    html! { input type="hidden" name="token" value=(who.token); }
}

/// A verdict in words and colour.
pub(super) fn verdict(word: &str) -> Markup {
    html! { span.verdict.(word) { (word) } }
}
