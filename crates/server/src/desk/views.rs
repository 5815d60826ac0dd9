//! Parts of the pages of an event.

use super::handle::View;
use crate::page as frame;
use axum::response::Html;
use decklaw_core::judge::Finding;
use decklaw_core::rules::Verdict;
use decklaw_core::text::sentence;
use jiff::Timestamp;
use maud::{Markup, html};

/// A page of an event, with its title in the bar.
pub(super) fn page(title: &str, scripts: &[&str], main: Markup) -> Html<String> {
    let body = html! {
        body {
            header.bar { (frame::logo()) span.quiet.cut { "/ " bdi { (title) } } }
            (main)
        }
    };
    frame::styled(title, &["base.css", "desk.css"], scripts, body)
}

/// A verdict in colour, shape and word.
pub(super) fn verdict(verdict: Verdict) -> Markup {
    let words = match verdict {
        Verdict::Legal => "Legal",
        Verdict::Incomplete => "Not finished",
        Verdict::Illegal => "Not legal",
        Verdict::Unreadable => "Not readable",
    };
    html! { span.verdict.(verdict.word()) { (words) } }
}

/// Findings of a deck.
pub(super) fn findings(findings: &[Finding]) -> Markup {
    html! {
        @if !findings.is_empty() {
            ul.findings {
                @for finding in findings {
                    li.finding.(finding.severity.word()) {
                        @if let Some(line) = finding.line { b { "Line " (line) } " " }
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

/// A time as clocks at the event show it.
pub(super) fn time(event: &View, at: Timestamp) -> Markup {
    html! { time datetime=(at) { (event.in_words(at)) } }
}

/// The title of an event, its format, when hand-in closes, and what can be done.
pub(super) fn head(event: &View, acts: &Markup) -> Markup {
    html! {
        header.head {
            div {
                h1 { bdi { (event.title) } }
                p.quiet {
                    (event.format_name)
                    @if let Some(due) = event.due {
                        @if !event.format_name.is_empty() { " · " }
                        @if event.is_late() { "hand-in closed " } @else { "hand-in closes " }
                        b { time datetime=(due) { (event.in_words(due)) } ", " (event.zone()) }
                        span.left data-due=(due) {}
                    }
                }
            }
            (acts)
        }
    }
}

/// What decks are judged by.
pub(super) fn judged_by(event: &View) -> Markup {
    html! {
        p.quiet.by {
            "Judged by the rules of " @if let Some(day) = &event.about.day { (day) } @else { "the lock" }
            @match &event.list { Some(list) => { ", banlist " (list) } None => { ", no banlist" } }
            @for (name, value) in &event.settings { ", " (name) " " (value) }
            ". Lock " code title=(event.seal) { (event.seal.get(..8).unwrap_or_default()) } "."
        }
    }
}
