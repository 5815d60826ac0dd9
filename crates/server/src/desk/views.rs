//! Parts of the pages of an event.

use crate::events::View;
use decklaw_event::SectionDetail;
use jiff::Timestamp;
use maud::{Markup, html};

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

/// The cards of a deck by section.
pub(super) fn list(sections: &[SectionDetail]) -> Markup {
    html! {
        div.list {
            @for part in sections.iter().filter(|part| !part.cards.is_empty()) {
                div {
                    h3 { bdi { (part.title) } " " span.quiet { (part.cards.iter().map(|(copies, _)| u64::from(*copies)).sum::<u64>()) } }
                    ul { @for (copies, name) in &part.cards { li { b { (copies) } " " bdi { (name) } } } }
                }
            }
        }
    }
}
