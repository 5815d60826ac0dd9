//! What pages share: their frame, the choice of a format, and links.

use crate::keys;
use axum::response::{Html, IntoResponse, Response};
use decklaw_ask::GameEntry;
use decklaw_judge::judge::Finding;
use decklaw_rules::rules::Verdict;
use decklaw_text::text::sentence;
use decklaw_text::{Problem, ProblemKind};
use fast_qr::convert::svg::SvgBuilder;
use fast_qr::qr::QRBuilder;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A page: its title, its style sheets in their order, the modules that it runs, and its body
/// element.
pub(crate) fn styled(title: &str, styles: &[&str], scripts: &[&str], body: Markup) -> Html<String> {
    let styles: Vec<String> = styles.iter().map(|name| format!("/assets/{name}")).collect();
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

/// A page of an event, with its title in the bar.
pub(crate) fn desk(title: &str, scripts: &[&str], main: &Markup) -> Response {
    let body = html! {
        body {
            header.bar { (logo()) span.quiet.cut { "/ " bdi { (title) } } }
            (main)
        }
    };
    styled(title, &["base.css", "desk.css"], scripts, body).into_response()
}

/// A page before a match; `game` is its format, in words.
pub(crate) fn lobby(title: &str, game: &str, main: &Markup) -> Response {
    let body = html! {
        body.lobby {
            header.bar { (logo()) @if !game.is_empty() { span.quiet { (game) } } }
            (main)
        }
    };
    styled(title, &["base.css", "table.css"], &["gather.js"], body).into_response()
}

/// A verdict in colour, shape and word.
pub(crate) fn verdict(verdict: Verdict) -> Markup {
    let words = match verdict {
        Verdict::Legal => "Legal",
        Verdict::Incomplete => "Not finished",
        Verdict::Illegal => "Not legal",
        Verdict::Unreadable => "Not readable",
    };
    html! { span.verdict.(verdict.word()) { (words) } }
}

/// Findings of a deck, as `findings.js` shows them.
pub(crate) fn findings<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Markup {
    html! {
        ul.findings {
            @for finding in findings {
                li.finding.(finding.severity.word()) {
                    span {
                        @if let Some(line) = finding.line { b { "Line " (line) ": " } }
                        (words(&finding.message))
                        @if let Some(help) = &finding.help { " " span.quiet { (words(help)) } }
                        @if let Some(source) = &finding.source { " " cite { (source) } }
                    }
                }
            }
        }
    }
}

/// A message, with the names between its backticks in bold.
fn words(message: &str) -> Markup {
    let message = sentence(message);
    html! {
        bdi {
            @for (at, part) in message.split('`').enumerate() {
                @if at % 2 == 1 { b { (part) } } @else { (part) }
            }
        }
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

/// An address as a QR code.
///
/// # Errors
/// An address that is too long for one.
pub(crate) fn qr_code(address: &str) -> Result<String, Problem> {
    let code = QRBuilder::new(address)
        .build()
        .map_err(|_| Problem::new(ProblemKind::Query, "The address is too long for a QR code."))?;
    Ok(SvgBuilder::default().to_str(&code))
}
