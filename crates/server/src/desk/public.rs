//! The public page of an event whose decks are published: each deck that counts, by verdict and
//! name. It needs no scripts; `public.js` adds faces and the search.

use super::{AtEvent, views};
use crate::answering::Speed;
use crate::error::HttpError;
use crate::page as frame;
use axum::extract::Extension;
use axum::response::{IntoResponse, Response};
use decklaw_decks::deck::{Listing, to_link};
use decklaw_event::{EntryDetail, EventStats};
use decklaw_rules::rules::Verdict;
use maud::{Markup, html};

/// The most cards in the list of what was played.
const MOST_PLAYED: usize = 12;

/// `GET /e/ID/decks`
pub(crate) async fn page(Extension(at): Extension<AtEvent>) -> Result<Response, HttpError> {
    let event = &at.event;
    if !event.published {
        return Err(HttpError::none("such page"));
    }
    let read = at.read(Speed::Slow, |event| {
        let standing = event.standing()?;
        let mut decks = Vec::new();
        for (player, entry) in standing.counting() {
            if let Some(entry) = event.roster().entries.get(&entry) {
                let name = event.roster().name(player);
                decks.push((name, event.detail(&standing, entry)?));
            }
        }
        decks.retain(|(_, deck)| deck.hash.is_some());
        decks.sort_by_cached_key(|(name, deck)| {
            (deck.report.verdict != Verdict::Legal, decklaw_text::name::fold(name).into_owned())
        });
        Ok((decks, EventStats::of(event, &standing, None)?))
    });
    let (decks, stats) = read.await?;
    let number = decks.len();
    let body = html! {
        body data-event=(event.id) data-format=(event.format) {
            header.bar { (frame::logo()) span.quiet.cut { "/ " bdi { (event.title) } } }
            main.public {
                header {
                    h1 { bdi { (event.title) } }
                    p.quiet {
                        @if !event.format_name.is_empty() { (event.format_name) " · " }
                        @if let Some(day) = &event.about.day { (day) " · " }
                        (number) @if number == 1 { " deck" } @else { " decks" } ", published by the organiser"
                    }
                }
                div.pubcols {
                    section aria-label="Decks" {
                        div.find hidden { label.away for="q" { "Search decks" } input.input #q type="search" placeholder="Player, deck or card"; span.quiet #n aria-live="polite" {} }
                        div.decklist { @for (player, deck) in &decks { (played(&event.id, player, deck)) } }
                        @if decks.is_empty() { p.quiet { "No deck counts yet." } }
                    }
                    aside.panel.box aria-labelledby="most" {
                        h2 #most { "Most played" }
                        ul.share {
                            @for card in stats.cards.iter().take(MOST_PLAYED) {
                                li { bdi { (card.card) } " " b { (card.decks) " of " (number) } meter min="0" max=(number) value=(card.decks) aria-label=(card.card) {} }
                            }
                        }
                    }
                }
            }
        }
    };
    let styles = ["base.css", "desk.css"];
    Ok(frame::styled(&event.title, &styles, &["public.js"], body).into_response())
}

/// A deck with its player, its verdict and its list. The builder judges it by the lock of the event,
/// so that it says the same.
fn played(event: &str, player: &str, deck: &EntryDetail) -> Markup {
    let named = deck.name.as_deref().filter(|name| !name.trim().is_empty());
    let sections = deck.sections.iter().map(|part| (part.section.clone(), part.cards.clone()));
    let listing = Listing {
        format: deck.format.clone(),
        name: deck.name.clone(),
        sections: sections.collect(),
        ..Listing::default()
    };
    let builder = to_link(&listing).replacen('#', &format!("?event={event}&published#"), 1);
    html! {
        article.panel.played data-format=[deck.format.as_deref()] {
            div.top { h2 { bdi { (named.unwrap_or("Deck")) } } (frame::verdict(deck.report.verdict)) }
            p.quiet { bdi { (player) } }
            div.faces aria-hidden="true" {}
            details { summary { "List" } (views::list(&deck.sections)) }
            p.acts { a.btn href=(builder) { "Open in the builder" } }
        }
    }
}
