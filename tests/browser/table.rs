//! A table that one player plays by keys, menus and quick clicks.

use super::builder::Played;
use super::driver::{Stage, Told};
use serde_json::json;

const DECK: &str = include_str!("../../decks/vanquishers/quiet-ledgers.txt");

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Keys to the page, and to nothing on it.
async fn keys(stage: &Stage, keys: &str) -> Told {
    stage
        .script("document.activeElement.blur()", vec![])
        .await?;
    stage.press(keys).await
}

/// Every key of the table, the menus of a zone, a card and a counter, and where things stand: one's own
/// side is never covered, and the log ends at its newest line.
pub(crate) fn by_keys(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/play?format=vanquishers").await?;
        stage.fill("#deck", DECK).await?;
        stage.fill("#set-starting_energy", "5").await?;
        stage.fill("#name", "Ann").await?;
        stage.accessible("opening a table").await?;
        stage.click("button[value=alone]").await?;
        stage
            .until("the game", "document.body.dataset.phase === 'game'")
            .await?;
        let hand = "document.querySelectorAll('#hand .card').length";
        stage.until("a hand", &format!("{hand} === 7")).await?;
        keys(stage, "d").await?;
        stage
            .until("a card drawn", &format!("{hand} === 8"))
            .await?;
        // A picked card is put back by Esc, and played by a click on the zone that takes it.
        let picked = "document.querySelectorAll('#hand .card[aria-pressed=true]').length";
        keys(stage, "3").await?;
        stage
            .until("a card picked", &format!("{picked} === 1"))
            .await?;
        keys(stage, "\u{e00c}").await?;
        stage
            .until("none picked", &format!("{picked} === 0"))
            .await?;
        keys(stage, "1").await?;
        stage.find(".zone.takes").await?;
        stage.accessible("a picked card").await?;
        stage.picture("table-picked").await?;
        covers(stage).await?;
        stage.click("#ours .acts .btn.main").await?;
        stage
            .until("a card played", &format!("{hand} === 7"))
            .await?;
        stage.until("the newest line", "(() => { const log = document.querySelector('.log'); return log.lastElementChild.lastElementChild.textContent.includes('played') && log.scrollTop + log.clientHeight >= log.scrollHeight - 2; })()").await?;
        // Quick clicks all count; Ctrl+Z takes the newest back.
        let energy =
            "Number(document.querySelector('[data-counter=storage_energy] b').textContent)";
        let plus = "document.querySelector(\"[data-key='A storage_energy +1']\").click()";
        stage
            .script(&format!("{plus}; {plus}; {plus}"), vec![])
            .await?;
        stage
            .until("three clicks", &format!("{energy} === 8"))
            .await?;
        keys(stage, "\u{e009}z\u{e000}").await?;
        stage
            .until("one taken back", &format!("{energy} === 7"))
            .await?;
        pressed(stage, energy).await?;
        // By a menu: past the cap it stays at the cap.
        stage.click("[data-key='A storage_energy']").await?;
        stage.accessible("the menu of a counter").await?;
        stage.fill(".menu .number", "50").await?;
        stage.click("[data-key='count up']").await?;
        stage.until("the cap", &format!("{energy} === 20")).await?;
        stage
            .until(
                "no further",
                "document.querySelector(\"[data-key='A storage_energy +1']\").disabled",
            )
            .await?;
        stage.click("[data-key='zone A.deck']").await?;
        stage.accessible("the menu of a zone").await?;
        stage.picture("table-menu").await?;
        stage.click("[data-key='Shuffle']").await?;
        stage.sees("shuffled Deck").await?;
        stage.click("[data-key=roll]").await?;
        stage.find(".log .die").await?;
        // Step by step to the next turn.
        for _ in 0..6 {
            keys(stage, "n").await?;
        }
        stage.sees("Turn 1").await?;
        // A page that is loaded anew goes on where it was.
        stage.reload().await?;
        stage.until("the same", &format!("{energy} === 20")).await?;
        for (width, name) in [(390, "table-390"), (1920, "table-1920")] {
            stage.size(width, 844).await?;
            covers(stage).await?;
            stage.picture(name).await?;
        }
        stage.accessible("the table").await
    })
}

/// Nothing lies on top of one's own zones.
async fn covers(stage: &Stage) -> Told {
    let on_top = "[...document.querySelectorAll('#ours .zone')].every((zone) => {
        const {left, top, width, height} = zone.getBoundingClientRect();
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        return there && zone.contains(there);
    })";
    stage.until("one's own side", on_top).await
}

/// What is pressed stays where it is until it is let go, whatever others do meanwhile.
async fn pressed(stage: &Stage, value: &str) -> Told {
    let press = "const [done] = arguments;
         const plus = document.querySelector(\"[data-key='A storage_energy +1']\");
         plus.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}));
         const {table, key, rev} = document.body.dataset;
         const move = {do: 'count', by: 'A', seat: 'A', counter: 'storage_energy', change: 2};
         fetch(`/api/t/${table}/${key}/do`, {
             method: 'POST',
             headers: {'content-type': 'application/json'},
             body: JSON.stringify({rev: Number(rev), do: {move}}),
         }).then((told) => setTimeout(() => {
             const there = plus.isConnected;
             if (there) plus.click();
             window.dispatchEvent(new PointerEvent('pointerup'));
             done([told.status, there]);
         }, 300));";
    let told = stage.client.execute_async(press, vec![]).await;
    let told = told.map_err(text)?;
    if told != json!([200, true]) {
        return Err(format!("what is pressed does not stay: {told}"));
    }
    stage.until("both count", &format!("{value} === 10")).await
}
