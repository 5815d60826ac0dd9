//! The frame of every page.

use super::guard::Who;
use super::keys;
use axum::response::Html;
use maud::{DOCTYPE, Markup, html};

/// A page: its title, the modules that it runs, and its body.
pub(super) fn page(_: &Who, title: &str, scripts: &[&str], body: Markup) -> Html<String> {
    framed(title, scripts, body)
}

/// A page that nothing is sent from.
pub(super) fn plain(title: &str, body: Markup) -> Html<String> {
    framed(title, &[], body)
}

fn framed(title: &str, scripts: &[&str], body: Markup) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (head(&format!("{title} · decklaw"), "/assets/style.css", "/assets/icon.svg"))
                @for script in scripts { script type="module" src={ "/assets/" (script) } {} }
            }
            body { (body) }
        }
    };
    Html(page.into_string())
}

/// What stands in the head of every page: its title, and where its style and its icon are.
pub(super) fn head(title: &str, style: &str, icon: &str) -> Markup {
    html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        title { (title) }
        link rel="stylesheet" href=(style);
        link rel="icon" href=(icon) type="image/svg+xml";
    }
}

/// The bar on top of pages that are no builder.
pub(super) fn top() -> Markup {
    html! {
        header.top {
            a.mark href="/" { "decklaw" }
        }
    }
}

/// The hidden field that a form needs: which it is.
pub(super) fn token(_: &Who) -> Markup {
    // Without chance a form cannot be told from others, and nothing secret is made of it either.
    let form = keys::new().unwrap_or_default();
    html! {
        input type="hidden" name="form" value=(form);
    }
}

/// A verdict in words and colour.
pub(super) fn verdict(word: &str) -> Markup {
    html! { span.verdict.(word) { (word) } }
}
