//! A game that two people play in two windows.

use super::builder::Played;
use super::driver::{Stage, Told};
use serde_json::{Value, json};

const ONE: &str = include_str!("../../decks/versus/steam-rises.txt");
const OTHER: &str = include_str!("../../decks/versus/hedge-and-harrow.txt");

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Lays a table for two, who sit in one browser; the pages of their seats.
pub(crate) async fn lay(stage: &Stage) -> Result<(String, String), String> {
    stage.go("/play?format=versus%2Fnormal").await?;
    stage.fill("#deck", ONE).await?;
    stage.accessible("opening a table").await?;
    stage.click("form[action='/play'] .primary").await?;
    stage.sees("Copy the link").await?;
    let a = stage.script("return location.href", vec![]).await?;
    let link = "return document.querySelector('#there .private a').href";
    let link = stage.script(link, vec![]).await?;
    stage.go(link.as_str().unwrap_or_default()).await?;
    stage.sees("Sit down").await?;
    stage.fill("#deck", OTHER).await?;
    stage.click("#gather form .primary").await?;
    stage.sees("Who begins?").await?;
    let b = stage.script("return location.href", vec![]).await?;
    let path = |at: &Value| at.as_str().unwrap_or_default().to_owned();
    Ok((path(&a), path(&b)))
}

/// The windows of two players: one card at the other's home ends the game.
pub(crate) fn two_windows(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 900).await?;
        let (a, b) = lay(stage).await?;
        stage.go(&a).await?;
        stage.sees("Who begins?").await?;
        let first = stage.client.window().await.map_err(text)?;
        let second = stage.client.new_window(false).await.map_err(text)?.handle;
        let to = async |window: &fantoccini::wd::WindowHandle| -> Told {
            stage
                .client
                .switch_to_window(window.clone())
                .await
                .map_err(text)
        };
        // A wants to begin; B agrees, and both windows go on by themselves.
        stage.click("[data-key='answer 1']").await?;
        stage.sees("waits for seat B").await?;
        to(&second).await?;
        stage.go(&b).await?;
        stage.click("[data-key=agree]").await?;
        stage.sees("seat A to act").await?;
        to(&first).await?;
        stage.sees("seat A to act").await?;
        stage
            .until(
                "a grid of 25 squares",
                "document.querySelectorAll('.square').length === 25",
            )
            .await?;
        // By click: a card of the hand, then a square.
        stage.click("[data-key='A.hand/0']").await?;
        stage.click("[data-key='grid@a1']").await?;
        stage
            .until(
                "a card on a1",
                "document.querySelectorAll(\"[data-cell=a1] .card\").length === 1",
            )
            .await?;
        ranks(stage).await?;
        stage.accessible("the table").await?;
        stage.picture("table").await?;
        // On a phone the whole grid is in view.
        stage.size(390, 844).await?;
        stage
            .until(
                "nothing is wider than the phone",
                "document.documentElement.scrollWidth <= innerWidth",
            )
            .await?;
        stage.accessible("the table on a phone").await?;
        stage.picture("table-390").await?;
        stage.size(1280, 900).await?;
        to(&second).await?;
        stage
            .until(
                "B sees it",
                "document.querySelectorAll(\"[data-cell=a1] .card\").length === 1",
            )
            .await?;
        stage
            .until(
                "nothing of A's hand",
                "document.querySelectorAll(\"[data-zone='A.hand'] .card\").length === 0",
            )
            .await?;
        to(&first).await?;
        // By drag.
        let drag = "const [card, square] = ['[data-key=\"A.hand/0\"]', '[data-cell=a2]'].map((css) => document.querySelector(css));
            const data = new DataTransfer();
            card.dispatchEvent(new DragEvent('dragstart', {dataTransfer: data, bubbles: true}));
            square.dispatchEvent(new DragEvent('dragover', {dataTransfer: data, bubbles: true, cancelable: true}));
            square.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));";
        stage.script(drag, vec![]).await?;
        stage
            .until(
                "a card on a2",
                "document.querySelectorAll(\"[data-cell=a2] .card\").length === 1",
            )
            .await?;
        // By key; what the rules say of a card that touches nothing is told.
        stage
            .script("document.activeElement.blur()", vec![])
            .await?;
        stage.press("/").await?;
        stage.press("m hand 0 grid a5\u{e007}").await?;
        stage
            .until(
                "a card on a5",
                "document.querySelectorAll(\"[data-cell=a5] .card\").length === 1",
            )
            .await?;
        stage.sees("touches none of A's cards").await?;
        // The line that was typed last comes back, and what is typed wrong stays.
        stage.press("\u{e013}").await?;
        stage
            .until(
                "the last line",
                "document.getElementById('line').value === 'm hand 0 grid a5'",
            )
            .await?;
        stage.fill("#line", "count lfie 3").await?;
        stage.click("[data-key=do]").await?;
        stage.sees("there is no counter `lfie`").await?;
        stage
            .until(
                "what was typed",
                "document.getElementById('line').value === 'count lfie 3'",
            )
            .await?;
        // A counter that is new is made by its own button, and counted by any number.
        stage.click("[data-key='counters A']").await?;
        stage.fill("dialog form input", "Rain").await?;
        stage.click("dialog form button").await?;
        let counted = "document.querySelector('[data-seat=A] .counter b')?.textContent";
        stage
            .until("a new counter", &format!("{counted} === '1'"))
            .await?;
        stage.click("[data-key='counters A']").await?;
        stage.fill("dialog p input", "41").await?;
        stage.click("dialog p button:last-child").await?;
        stage
            .until("a counter of 42", &format!("{counted} === '42'"))
            .await?;
        // What lies on another goes with it; whose it is changes by a button.
        for key in ["grid/1", "tool Attach…", "grid/0"] {
            stage.click(&format!("[data-key='{key}']")).await?;
        }
        stage
            .until(
                "a card on its host",
                "document.querySelectorAll('.stack .card').length === 2",
            )
            .await?;
        stage.click("[data-key='grid/0']").await?;
        stage.click("[data-key='tool To B’s control']").await?;
        stage
            .until(
                "a card of B",
                "document.querySelector('.card.of-B') !== null",
            )
            .await?;
        // The menu of a zone is reached by key, too.
        stage.click("[data-key='menu A.deck']").await?;
        stage.accessible("the menu of a zone").await?;
        stage.picture("table-menu").await?;
        stage.click("[data-key='shuffle A.deck']").await?;
        stage.sees("A: A.deck shuffled").await?;
        let title = "document.title.startsWith('● Your turn')";
        stage.until("whose turn it is", title).await?;
        to(&second).await?;
        stage
            .until("whose turn it is", &format!("!{title}"))
            .await?;
        to(&first).await?;
        // A page that is loaded anew goes on where it was.
        stage.client.refresh().await.map_err(text)?;
        stage
            .until(
                "it goes on",
                "document.querySelectorAll('.square .card').length === 3",
            )
            .await?;
        stage.click("[data-key=over]").await?;
        stage
            .fill("dialog input", "seat A is at B's home base")
            .await?;
        stage.click("#won-A").await?;
        stage.sees("waits for seat B").await?;
        to(&second).await?;
        stage.click("[data-key=agree]").await?;
        stage.sees("The game is over").await?;
        // The page remembers what it was told and what it brought, and the file holds both.
        stage.sees("the server’s secret had the SHA-256").await?;
        let file = "const [done] = arguments;
            const {pathname} = location;
            fetch(`/api${pathname}/file`).then((answer) => answer.json()).then(async (match) => {
                const parts = match.inputs.randomness.contributions;
                const [secret, own] = [...document.querySelectorAll('#before code')].map((code) => code.textContent);
                const digests = await Promise.all(parts.map(async (part) => {
                    const bytes = Uint8Array.from(part.match(/../g), (pair) => parseInt(pair, 16));
                    return [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
                }));
                done([parts.length, parts.includes(own), digests.includes(secret)]);
            }).catch((error) => done(String(error)));";
        let told = stage.client.execute_async(file, vec![]).await;
        match told.map_err(text)? {
            told if told == json!([3, true, true]) => {}
            told => return Err(format!("the file does not hold what was told: {told}")),
        }
        to(&first).await?;
        stage.sees("The game is over").await
    })
}

/// Each character that is seen shows its four ranks, as the card table has them.
async fn ranks(stage: &Stage) -> Told {
    stage
        .until(
            "every card that is seen is drawn",
            "document.querySelectorAll('.card:not(.down)').length === document.querySelectorAll('.card .face').length",
        )
        .await?;
    let shown = "return [...document.querySelectorAll('.card .face')].map((face) => [face.querySelector('bdi').textContent,
        [0, 1, 2, 3].map((at) => face.querySelectorAll('.numbers b')[at]?.textContent ?? '')])";
    let shown = stage.script(shown, vec![]).await?;
    let mut rows = csv::Reader::from_reader(&include_bytes!("../../formats/versus/cards.csv")[..]);
    let cards: Vec<csv::StringRecord> = rows.records().collect::<Result<_, _>>().map_err(text)?;
    let mut characters = 0;
    for card in shown.as_array().into_iter().flatten() {
        let row = cards.iter().find(|row| card[0] == row[0]);
        let row = row.ok_or_else(|| format!("no such card: {card}"))?;
        if card[1] != json!([&row[2], &row[3], &row[4], &row[5]]) {
            return Err(format!("another card than that of the table: {card}"));
        }
        characters += usize::from(&row[1] == "character");
    }
    // The hand that was dealt has some, whatever the chance.
    match characters {
        0 => Err(format!("no character is seen: {shown}")),
        _ => Ok(()),
    }
}

/// Clicks that come sooner than the server answers all count, and what is pressed stays where it
/// is until it is let go, whatever others do meanwhile.
async fn hasty(stage: &Stage) -> Told {
    let plus = "const plus = document.querySelector(\".seat.active .step[data-key$='+1']\");";
    let value = "Number(document.querySelector('.seat.active .counter b').textContent)";
    let before = stage.script(&format!("return {value}"), vec![]).await?;
    let before = before.as_f64().ok_or("no counter")?;
    let thrice = format!("{plus} plus.click(); plus.click(); plus.click();");
    stage.script(&thrice, vec![]).await?;
    stage
        .until(
            "three clicks count",
            &format!("{value} === {}", before + 3.0),
        )
        .await?;
    // Meanwhile the table goes on from elsewhere, and the page hears of it.
    let press = format!(
        "const [done] = arguments;
         {plus} plus.dispatchEvent(new PointerEvent('pointerdown', {{bubbles: true}}));
         const {{table, seat, rev}} = document.getElementById('table').dataset;
         const counter = plus.getAttribute('data-key').split(' ')[1];
         fetch(`/api/t/${{table}}/${{seat}}/do`, {{
             method: 'POST',
             headers: {{'content-type': 'application/json'}},
             body: JSON.stringify({{rev: Number(rev), move: `count ${{seat}} ${{counter}} +10`}}),
         }}).then((told) => setTimeout(() => {{
             const there = plus.isConnected;
             if (there) plus.click();
             window.dispatchEvent(new PointerEvent('pointerup'));
             done([told.status, there]);
         }}, 300));"
    );
    let told = stage.client.execute_async(&press, vec![]).await;
    let told = told.map_err(text)?;
    if told != json!([200, true]) {
        return Err(format!("what is pressed does not stay: {told}"));
    }
    stage
        .until("both count", &format!("{value} === {}", before + 14.0))
        .await
}

/// Counters of somebody who tries a deck alone.
pub(crate) fn counters(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(390, 844).await?;
        stage.go("/play?format=vastrix").await?;
        stage.click("button[value=alone]").await?;
        stage.sees("Next turn").await?;
        hasty(stage).await
    })
}
