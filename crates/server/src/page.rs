//! The frame of every page.

use super::guard::Who;
use super::keys;
use super::trouble::Trouble;
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
                (head(&format!("{title} · decklaw"), "/assets/style.css", "/assets/icon.svg"))
                @if let Some(token) = token { meta name="token" content=(token); }
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

/// The hidden fields that a form needs: whose it is, and which it is.
pub(super) fn token(who: &Who) -> Markup {
    // Without chance a form cannot be told from others, and nothing secret is made of it either.
    let form = keys::new().unwrap_or_default();
    html! {
        input type="hidden" name="token" value=(who.token);
        input type="hidden" name="form" value=(form);
    }
}

/// A verdict in words and colour.
pub(super) fn verdict(word: &str) -> Markup {
    html! { span.verdict.(word) { (word) } }
}

/// The most letters of a field that is shown as one line.
const LINE: usize = 200;

/// A form that was refused: why, and all that was typed into it, to be mended and sent again.
pub(super) fn refused<'f>(
    who: &Who,
    trouble: &Trouble,
    path: &str,
    fields: impl Iterator<Item = (&'f str, &'f str)> + Clone,
) -> Html<String> {
    let label = |name: &str| match name {
        "name" => "Your name".to_owned(),
        "deck" => "Your deck".to_owned(),
        other => {
            let mut letters = other.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(letters).collect()
        }
    };
    let action = fields.clone().find(|(name, _)| *name == "do");
    let body = html! {
        (top())
        main.narrow {
            h1 { "That did not work" }
            p.message role="alert" { (trouble.message) " " (trouble.mend) }
            form #again method="post" action=(path) {
                (token(who))
                @for (at, (name, value)) in fields.filter(|(name, _)| *name != "do").enumerate() {
                    @if name == "file" || name == "next" {
                        input type="hidden" name=(name) value=(value);
                    } @else if name == "deck" || value.len() > LINE || value.contains(['\n', '\r']) {
                        label for={ "field-" (at) } { (label(name)) }
                        // A reader of HTML takes the first new line away.
                        textarea id={ "field-" (at) } name=(name) rows="14" spellcheck="false" { "\n" (value) }
                    } @else {
                        label for={ "field-" (at) } { (label(name)) }
                        input id={ "field-" (at) } name=(name) value=(value);
                    }
                }
                @if let Some((_, action)) = action {
                    button.primary name="do" value=(action) { "Send it again" }
                } @else {
                    button.primary { "Send it again" }
                }
            }
        }
    };
    page(who, "That did not work", &[], body)
}
