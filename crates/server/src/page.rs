//! The frame of every page.

use super::guard::Who;
use super::keys;
use axum::response::Html;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A page: its title, its style sheets in their order, the modules that it runs, and its body element.
pub(super) fn styled(title: &str, styles: &[&str], scripts: &[&str], body: Markup) -> Html<String> {
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
pub(super) fn head(title: &str, styles: &[String], icon: &str) -> Markup {
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
pub(super) fn logo() -> Markup {
    html! {
        a.logo href="/" {
            (mark())
            span.wide { "decklaw" }
            span.away { "Start page" }
        }
    }
}

/// The mark of the program.
pub(super) fn mark() -> Markup {
    PreEscaped(LOGO.to_owned())
}

/// Two cards, the front one ticked.
const LOGO: &str = r#"<svg viewBox="0 0 24 24" fill="none" aria-hidden="true"><rect x="3.2" y="5" width="11" height="15" rx="2.4" fill="currentColor" opacity=".28" transform="rotate(-12 8 12)"/><rect x="9" y="4" width="11" height="15.5" rx="2.4" fill="currentColor"/><path d="M12 12.2l2 2 3.4-4.2" stroke="var(--surface, Canvas)" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></svg>"#;

/// The hidden field that a form needs: which it is.
pub(super) fn token(_: &Who) -> Markup {
    // Without chance a form cannot be told from others, and nothing secret is made of it either.
    let form = keys::new().unwrap_or_default();
    html! {
        input type="hidden" name="form" value=(form);
    }
}
