//! The first page, as somebody uses it who has a deck from elsewhere.

use super::builder::Played;
use super::driver::{Stage, Story};

const BROKEN: &str = include_str!("../../decks/shell/too-many-copies.txt");

/// Every story by its name.
pub(crate) const ALL: [(&str, Story); 1] =
    [("a_deck_is_checked_and_fixed_on_the_first_page", checked)];

fn checked(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.go("/").await?;
        stage.find("[data-ready]").await?;
        // The games and the decks are there with their cards.
        for (what, cards) in [("#showcase", 5), (".games", 15), ("#samples .decks", 8)] {
            let seen = format!("document.querySelector('{what}').scrollIntoView()");
            stage.script(&seen, vec![]).await?;
            let drawn = format!("document.querySelectorAll('{what} .face').length >= {cards}");
            stage.until(what, &drawn).await?;
        }
        for (width, height) in [(390, 844), (1280, 800)] {
            stage.size(width, height).await?;
            stage.accessible("the first page").await?;
            stage.picture(&format!("home-{width}")).await?;
        }
        // The deck says no format: its cards tell the game.
        let bare: Vec<&str> = BROKEN
            .lines()
            .filter(|line| !line.starts_with("Format:"))
            .collect();
        stage.fill("#text", &bare.join("\n")).await?;
        stage.click("#check form .btn.main").await?;
        stage.sees("Shell game: not legal").await?;
        stage.find(".answer .findings .error").await?;
        stage.click(".answer .acts .btn.main").await?;
        stage.sees("proven minimal").await?;
        stage.accessible("a deck checked and fixed").await?;
        stage.click(".answer .fix .btn.main").await?;
        stage.verdict("legal").await?;
        // It is a deck of this browser now, and can be deleted and brought back.
        stage.go("/").await?;
        stage.find("#mine .deck .verdict.legal").await?;
        stage.click("#mine [aria-label^='Delete']").await?;
        stage
            .until("it is gone", "document.querySelector('#mine').hidden")
            .await?;
        stage.click(".toast .btn").await?;
        stage.find("#mine .deck .verdict.legal").await?;
        // What is no deck is said with its line.
        stage
            .fill("#text", "Main\n3 Moss Sprite\nthree of these\n")
            .await?;
        stage.click("#check form .btn.main").await?;
        stage.sees("Line 3").await
    })
}
