//! A game that two people play in two windows, and deals that a browser makes again.

use super::driver::{Stage, Told};
use super::games::{Dice, all, json_of, play_out};
use super::stories::Played;
use serde_json::{Value, json};

const ONE: &str = include_str!("../../decks/versus/steam-rises.txt");
const OTHER: &str = include_str!("../../decks/versus/hedge-and-harrow.txt");

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Lays a table for two; the links of their seats.
pub(crate) async fn lay(stage: &Stage) -> Result<(String, String), String> {
    stage.go(&stage.link).await?;
    stage.go("/t/new?format=versus%2Fnormal").await?;
    stage.fill("#deck-1", ONE).await?;
    stage.fill("#deck-2", OTHER).await?;
    stage.accessible("laying a table").await?;
    stage.click("main form .primary").await?;
    stage.sees("For onlookers").await?;
    let links = "return [...document.querySelectorAll('.private a')].map((link) => link.href)";
    let links = stage.script(links, vec![]).await?;
    let link = |at: usize| links[at].as_str().unwrap_or_default().to_owned();
    Ok((link(0), link(1)))
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
        stage.fill("#say", "Your move <b>next</b>").await?;
        stage.click("[data-key=say]:not(input)").await?;
        stage.sees("Your move <b>next</b>").await?;
        let title = "document.title.startsWith('● Your turn')";
        stage.until("whose turn it is", title).await?;
        to(&second).await?;
        stage.sees("Your move <b>next</b>").await?;
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
        stage.click("#again").await?;
        stage
            .sees("It agrees: this browser dealt every card again")
            .await?;
        to(&first).await?;
        stage.sees("The game is over").await?;
        stage.click("#again").await?;
        stage.sees("It agrees").await
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

/// Two players make the seed together; at the end each page compares the shares with what was
/// committed to, and finds one that was exchanged.
pub(crate) fn shares(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(390, 844).await?;
        stage.go(&stage.link).await?;
        stage.go("/t/new?format=vastrix").await?;
        stage.click("#chance-shares").await?;
        stage.click("main form .primary").await?;
        stage.sees("For onlookers").await?;
        let links = "return [...document.querySelectorAll('.private a')].map((link) => link.href)";
        let links = stage.script(links, vec![]).await?;
        let link = |at: usize| links[at].as_str().unwrap_or_default().to_owned();
        stage.go(&link(0)).await?;
        stage.sees("Shuffling together").await?;
        stage.accessible("shares of a seed").await?;
        stage.click("[data-key=share]").await?;
        stage.sees("You have shuffled").await?;
        let narrow = "document.documentElement.scrollWidth <= innerWidth";
        stage
            .until("nothing is wider than the phone", narrow)
            .await?;
        stage.picture("shares-390").await?;
        // A page that is loaded anew still has its share.
        stage.client.refresh().await.map_err(text)?;
        stage.sees("You have shuffled").await?;
        let first = stage.client.window().await.map_err(text)?;
        let second = stage.client.new_window(false).await.map_err(text)?.handle;
        let to = async |window: &fantoccini::wd::WindowHandle| -> Told {
            let switched = stage.client.switch_to_window(window.clone()).await;
            switched.map_err(text)
        };
        // A browser that has lost its share: the table waits, says for whom, and since when.
        let lose = "for (const key of Object.keys(localStorage)) if (key.startsWith('decklaw-share-')) localStorage.removeItem(key);";
        stage.script(lose, vec![]).await?;
        stage.go("/").await?;
        to(&second).await?;
        stage.go(&link(1)).await?;
        stage.click("[data-key=share]").await?;
        stage
            .sees("Waits for the share of seat A, whose page must be open")
            .await?;
        stage.sees("has not shown their share since").await?;
        stage.accessible("shares that are waited for").await?;
        stage
            .until("nothing is wider than the phone", narrow)
            .await?;
        stage.picture("shares-wait-390").await?;
        stage.size(1280, 900).await?;
        stage.picture("shares-wait").await?;
        stage.size(390, 844).await?;
        stage.click("[data-key=anew]").await?;
        stage.sees("waits for seat A").await?;
        to(&first).await?;
        stage.go(&link(0)).await?;
        stage
            .sees("for round 2? Seat A has not shown theirs")
            .await?;
        stage.accessible("asked for new shares").await?;
        stage.click("[data-key=agree]").await?;
        stage.sees("Shuffling together, round 2").await?;
        stage
            .sees("round 1: seat A had not shown theirs; seat B asked for new ones")
            .await?;
        stage.click("[data-key=share]").await?;
        to(&second).await?;
        stage.click("[data-key=share]").await?;
        // Both pages show their shares of themselves, and the cards are dealt.
        to(&first).await?;
        stage.sees("Who begins?").await?;
        stage.sees("dealt from shares of all seats").await?;
        stage.click("[data-key='answer 0']").await?;
        stage.sees("to act").await?;
        let whose = "return document.getElementById('facts').textContent.includes('seat A to act') ? 'A' : 'B'";
        let whose = stage.script(whose, vec![]).await?;
        to(if whose == "A" { &first } else { &second }).await?;
        stage.sees("to act").await?;
        hasty(stage).await?;
        to(&first).await?;
        stage.click("[data-key=over]").await?;
        stage.fill("dialog input", "we stop here").await?;
        stage.click("#won-A").await?;
        to(&second).await?;
        stage.click("[data-key=agree]").await?;
        stage.sees("The game is over").await?;
        stage.click("#again").await?;
        stage.sees("It agrees: this browser dealt").await?;
        stage.sees("Shares, round 1: not shown by seat A").await?;
        stage.accessible("shares that were opened").await?;
        stage.picture("shares-opened").await?;
        // Had somebody else been named, or another share been brought than the one that was
        // committed to.
        let rename = "for (const key of Object.keys(localStorage)) {
            if (!key.startsWith('decklaw-seen-')) continue;
            const kept = JSON.parse(localStorage.getItem(key));
            kept.rounds[0].missing = ['B'];
            localStorage.setItem(key, JSON.stringify(kept));
        }";
        stage.script(rename, vec![]).await?;
        stage.click("#again").await?;
        stage
            .sees(
                "It does not agree: round 1 of the shares is not what this browser was told before",
            )
            .await?;
        // Had another share been brought than the one that was committed to.
        let exchange = "for (const key of Object.keys(localStorage)) {
            if (!key.startsWith('decklaw-seen-')) continue;
            const kept = JSON.parse(localStorage.getItem(key));
            kept.commitments[0] = '00'.repeat(32);
            localStorage.setItem(key, JSON.stringify(kept));
        }";
        stage.script(exchange, vec![]).await?;
        stage.click("#again").await?;
        stage
            .sees("It does not agree: the shares and what was committed to")
            .await?;
        // What is worked out where a browser gives no SHA-256 is what the browser gives.
        let ask = "const [done] = arguments;
            import('/assets/sha256.js').then(async ({plain, hexOf}) => {
                for (let length = 0; length < 200; length += 1) {
                    const message = crypto.getRandomValues(new Uint8Array(length));
                    const due = new Uint8Array(await crypto.subtle.digest('SHA-256', message));
                    if (hexOf(plain(message)) !== hexOf(due)) return done(`of ${length} bytes`);
                }
                done('the same');
            }).catch((error) => done(String(error)));";
        let told = stage.client.execute_async(ask, vec![]).await;
        match told.map_err(text)? {
            told if told == json!("the same") => Ok(()),
            told => Err(format!("SHA-256 {told}")),
        }
    })
}

/// Every game and mode is dealt again by the page's own code, which refuses what was changed.
pub(crate) fn dealt_again(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.go("/").await?;
        let ask = "const [play, setup, done] = arguments;
            import('/assets/redeal.js').then(({redeal}) => redeal(play, setup)).then((why) => done({why}), (error) => done({error: String(error)}));";
        let asked = async |play: &Value, setup: &Value| -> Result<Value, String> {
            let with = vec![play.clone(), setup.clone()];
            stage.client.execute_async(ask, with).await.map_err(text)
        };
        for mode in all() {
            let made = play_out(&mode, "browser", &mut Dice::new(5), |_| ());
            let setup = serde_json::to_value(&mode.setup).map_err(text)?;
            let play = json!({"match": json_of(&made), "moves": []});
            let told = asked(&play, &setup).await?;
            if told != json!({"why": null}) {
                return Err(format!("{}: {told}", mode.name));
            }
            // A pile in another order is not what the secret deals.
            let mut changed = play.clone();
            let seats = &mut changed["match"]["state"]["seats"]["A"]["zones"];
            let Some(hand) = seats["hand"].as_array_mut().filter(|hand| hand.len() > 1) else {
                continue;
            };
            let last = hand.len() - 1;
            hand.swap(0, last);
            let told = asked(&changed, &setup).await?;
            if told["why"] != "the zones of seat A" {
                return Err(format!("{}: a changed hand is taken: {told}", mode.name));
            }
            let mut changed = play.clone();
            changed["match"]["inputs"]["randomness"]["seed"] = json!("00".repeat(32));
            let told = asked(&changed, &setup).await?;
            if told["why"] != "the digest of the inputs" {
                return Err(format!("{}: another seed is taken: {told}", mode.name));
            }
        }
        Ok(())
    })
}
