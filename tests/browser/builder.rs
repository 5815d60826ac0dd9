//! The deck builder, as its players use it.

use super::driver::{Stage, Story, Told};
use serde_json::{Value, json};
use std::pin::Pin;

const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");
const LISTED: &str = include_str!("../../decks/vainqueur/barley-crown.txt");
const BROKEN: &str = include_str!("../../decks/shell/too-many-copies.txt");

pub(crate) type Played<'s> = Pin<Box<dyn Future<Output = Told> + 's>>;

/// Every story by its name.
pub(crate) const ALL: [(&str, Story); 8] = [
    (
        "a_legal_deck_of_each_game_by_who_reads_nothing",
        from_nothing,
    ),
    ("a_broken_list_is_pasted_and_fixed", fixed),
    ("another_card_comes_in_for_a_banned_one", substituted),
    ("a_deck_by_keyboard_alone", by_keyboard),
    ("a_deck_on_a_phone", on_a_phone),
    ("what_the_rules_leave_open_is_said_and_set", left_open),
    ("two_tabs_have_one_deck", two_tabs),
    ("nothing_moves_and_clicks_are_answered", clicks),
];

/// The formats with first steps of their own.
const FORMATS: [&str; 6] = [
    "shell",
    "vainqueur",
    "vanquishers",
    "vanquishers/advanced",
    "versus/normal",
    "vastrix",
];

/// Clicks what stands out, as who reads nothing does: a face of each row, *Continue*, the first deck.
const NEXT: &str = "
    const offer = document.querySelector('.offer:not(:disabled)');
    if (offer) return offer.click();
    for (const row of document.querySelectorAll('.picks')) {
      if (!row.querySelector('[aria-pressed=true]')) row.querySelector('.card:not(.nowhere)')?.click();
    }
    document.querySelector('[data-continue]:not(:disabled)')?.click();";

fn from_nothing(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        for format in FORMATS {
            stage.size(1280, 800).await?;
            stage.go(&format!("/deck/{format}#new")).await?;
            stage.reload().await?;
            stage.find("#app[data-ready] .guide").await?;
            stage.sees("Empty").await?;
            for _ in 0..200 {
                stage.script(NEXT, vec![]).await?;
                if stage
                    .script("return !document.querySelector('.guide')", vec![])
                    .await?
                    == true
                {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
            stage.verdict("legal").await?;
            stage.accessible(format).await?;
            let name = format.replace('/', "-");
            for (width, height) in [(390, 844), (1280, 800), (1920, 1080)] {
                stage.size(width, height).await?;
                tokio::time::sleep(std::time::Duration::from_millis(600)).await;
                stage.picture(&format!("builder-{name}-{width}")).await?;
            }
        }
        Ok(())
    })
}

/// Pastes a list, as into any page.
pub(crate) async fn paste(stage: &Stage, text: &str) -> Told {
    // Firefox hides what is on the clipboard of an event that a script makes.
    let script = "const [text] = arguments, event = new Event('paste', { bubbles: true, cancelable: true });
        Object.defineProperty(event, 'clipboardData', { value: { getData: () => text, files: [], types: ['text/plain'] } });
        window.dispatchEvent(event);";
    stage.script(script, vec![json!(text)]).await.map(drop)
}

/// The lines of the deck that is stored in the address.
async fn stored(stage: &Stage) -> Told {
    let saved =
        "document.querySelector('.saved').textContent === 'Saved' && location.hash.includes('z=')";
    stage.until("the deck is stored", saved).await
}

/// The number of copies of a card as the deck pane says it.
fn copies(name: &str, number: u32) -> String {
    format!(
        "[...document.querySelectorAll('#deck li')].some((one) => one.querySelector('[data-name]')?.dataset.name === {} && one.querySelector('.n').textContent === '{number}')",
        json!(name)
    )
}

fn fixed(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/shell").await?;
        stage.find("#app[data-ready]").await?;
        // A list with a name that has a letter wrong, and a line that is none.
        let list = BROKEN.replacen("Moss Sprite", "Moss Sprit", 1);
        let text = format!("{list}\nthree of these\n");
        paste(stage, &text).await?;
        stage.sees("cannot be read").await?;
        stage.accessible("a list that cannot be read").await?;
        stage.script("[...document.querySelectorAll('dialog .btn')].find((one) => one.textContent.startsWith('Leave out'))?.click()", vec![]).await?;
        stage.verdict("illegal").await?;
        // Each finding is fixed where it stands, by one click.
        stage.accessible("a deck with findings").await?;
        stage.picture("builder-findings").await?;
        stage.click("#deck .fix").await?;
        for _ in 0..8 {
            let fix = "const fix = document.querySelector('.says .fixes .btn'); fix?.click(); return fix === null";
            if stage.script(fix, vec![]).await? == true {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(900)).await;
            let offered = "document.querySelector('dialog .offer:not(:disabled)')?.click()";
            stage.script(offered, vec![]).await?;
        }
        stage.verdict("legal").await?;
        stored(stage).await?;
        // The address holds the deck; undo goes back to the broken one, and redo forward.
        stage.click("[aria-label=Undo]").await?;
        stage
            .until(
                "it is not legal",
                "document.querySelector('[data-verdict]').dataset.verdict !== 'legal'",
            )
            .await?;
        stage.click("[aria-label=Redo]").await?;
        stage.verdict("legal").await?;
        stored(stage).await?;
        stage.reload().await?;
        stage.verdict("legal").await?;
        // What is shared is the deck that stands there.
        stage.click_text("#bar .btn", "Share").await?;
        stage
            .until(
                "the deck as text",
                "document.querySelector('dialog textarea')?.value.includes('Format: shell')",
            )
            .await?;
        stage.accessible("sharing").await?;
        let link = stage
            .script(
                "return document.querySelector('dialog input').value",
                vec![],
            )
            .await?;
        stage.go("about:blank").await.ok();
        stage.go(link.as_str().unwrap_or_default()).await?;
        stage.verdict("legal").await?;
        stage.sees("Shared deck").await
    })
}

fn substituted(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/vainqueur").await?;
        stage.find("#app[data-ready]").await?;
        paste(stage, &format!("{LISTED}\n2 Wolf Who Ate the Map\n")).await?;
        stage.verdict("illegal").await?;
        stage.click(".says [data-fix=banned]").await?;
        stage.accessible("cards that are alike").await?;
        stage.picture("builder-substitutes").await?;
        let name = "return document.querySelector('[data-instead]').dataset.instead";
        let name = stage.script(name, vec![]).await?;
        stage.click("[data-instead]").await?;
        stage.verdict("legal").await?;
        let there = copies(name.as_str().unwrap_or_default(), 2);
        stage.until("the other card", &there).await
    })
}

fn by_keyboard(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/shell").await?;
        stage.find("#app[data-ready]").await?;
        let focus = "document.activeElement.id === 'query'";
        stage.press("/").await?;
        stage.until("the search has the focus", focus).await?;
        // A number and a part of a name add copies, and the focus stays for the next.
        for (typed, name, number) in [
            ("3 moss spri", "Moss Sprite", 3),
            ("6 bark lan", "Bark Lantern", 6),
        ] {
            stage.press(typed).await?;
            stage
                .until(
                    "what Enter does",
                    &format!(
                        "document.querySelector('.hint').textContent.includes({})",
                        json!(name)
                    ),
                )
                .await?;
            stage.press("\u{e007}").await?;
            stage.until(name, &copies(name, number)).await?;
            stage
                .until(
                    "the focus stays",
                    &format!("{focus} && document.activeElement.value === ''"),
                )
                .await?;
        }
        // No more than fit, and the reason.
        stage.press("2 moss spri").await?;
        stage.shows(".cell", 1).await?;
        stage.press("\u{e007}").await?;
        stage.find(".toast").await?;
        stage.until("no more", &copies("Moss Sprite", 3)).await?;
        // Into the list: digits set the number, minus takes one away, and undo brings it back.
        stage.press("moss spri").await?;
        stage.shows(".cell", 1).await?;
        stage.press("\u{e015}").await?;
        stage
            .until(
                "the card has the focus",
                "document.activeElement.dataset.name === 'Moss Sprite'",
            )
            .await?;
        stage.press("1").await?;
        stage.until("one", &copies("Moss Sprite", 1)).await?;
        stage.press("+").await?;
        stage.until("two", &copies("Moss Sprite", 2)).await?;
        stage.press("-").await?;
        stage.until("one again", &copies("Moss Sprite", 1)).await?;
        stage.press("\u{e009}z\u{e000}").await?;
        stage.until("undone", &copies("Moss Sprite", 2)).await?;
        // A word that no card has, with the nearest one.
        stage.press("/").await?;
        stage.fill("#query", "Moss Sprit").await?;
        stage.shows(".cell", 1).await?;
        stage.fill("#query", "Moss Spirte").await?;
        stage.sees("Did you mean").await?;
        stage.fill("#query", "mana>=7").await?;
        stage.until("a query", "document.querySelectorAll('.cell').length > 0 && document.querySelectorAll('.cell').length < 40").await?;
        stage.press("\u{e00c}").await?;
        stage.sees("176 of 176 cards").await
    })
}

fn on_a_phone(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(390, 844).await?;
        stage.go("/deck/vanquishers").await?;
        stage.find("#app[data-ready] .picks .card").await?;
        stage.picture("builder-phone-guide").await?;
        stage.click(".picks .card").await?;
        stage.click("[data-continue]:not(:disabled)").await?;
        stage.click(".offer:not(:disabled)").await?;
        stage.verdict("legal").await?;
        // Filters in a panel, then a card of the pool.
        stage.click("#tabs [data-tab=cards]").await?;
        stage.script("[...document.querySelectorAll('.counted .btn')].find((one) => one.innerText.includes('Filters')).click()", vec![]).await?;
        stage.click(".pop [data-chip='type:armor']").await?;
        stage
            .until(
                "armor alone",
                "document.querySelectorAll('.cell').length < 20",
            )
            .await?;
        stage.picture("builder-phone-filters").await?;
        stage.press("\u{e00c}").await?;
        let deck = "document.querySelector('#tabs [data-tab=deck]').textContent";
        let before = stage.script(&format!("return {deck}"), vec![]).await?;
        stage.click(".cell .card:not(.nowhere)").await?;
        stage
            .until("another number of cards", &format!("{deck} !== {before}"))
            .await?;
        stage.click("#tabs [data-tab=hand]").await?;
        stage.shows("dialog .dealt", 7).await?;
        stage.accessible("a sample hand").await
    })
}

fn left_open(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/vainqueur").await?;
        stage
            .click("#app[data-ready] .offer:not(:disabled)")
            .await?;
        // Nothing is green that is not known.
        stage.sees("Legal so far").await?;
        stage.click(".says [data-fix]").await?;
        stage.accessible("house rules").await?;
        stage.fill("[name=min]", "40").await?;
        stage.fill("[name=max]", "60").await?;
        stage.fill("[name=copies]", "3").await?;
        stage.click("dialog form .main").await?;
        let legal = "document.querySelector('.says .verdict').className === 'verdict legal'";
        stage.until("all is checked", legal).await?;
        // They go with the link.
        stored(stage).await?;
        stage.reload().await?;
        stage.find("#app[data-ready]").await?;
        stage.until("all is checked again", legal).await?;
        // A card beyond the limit does not come in unless its player insists.
        stage.script("const card = [...document.querySelectorAll('.badge.max')].at(0).parentElement.querySelector('.card'); card.click()", vec![]).await?;
        stage.sees("Add anyway").await?;
        stage.click(".toast .btn").await?;
        stage.verdict("illegal").await
    })
}

fn two_tabs(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        let text = |error: fantoccini::error::CmdError| error.to_string();
        stage.size(1280, 800).await?;
        stage.go("/deck/shell").await?;
        stage
            .click("#app[data-ready] .cell .card:not(.nowhere)")
            .await?;
        stored(stage).await?;
        let address = stage.client.current_url().await.map_err(text)?;
        let first = stage.client.window().await.map_err(text)?;
        let other = stage.client.new_window(true).await.map_err(text)?;
        stage
            .client
            .switch_to_window(other.handle)
            .await
            .map_err(text)?;
        stage.go(address.as_str()).await?;
        stage
            .click("#app[data-ready] .cell:nth-child(5) .card")
            .await?;
        stored(stage).await?;
        stage.client.switch_to_window(first).await.map_err(text)?;
        stage
            .until(
                "the other tab's change",
                "document.querySelector('#tabs [data-tab=deck]').textContent === 'Deck 2'",
            )
            .await?;
        // Each state is kept, and can be had back.
        stage.click_text("#bar .btn", "Decks").await?;
        stage.until("the decks", "[...document.querySelectorAll('.pop .btn')].some((one) => one.textContent === 'Versions')").await?;
        stage.accessible("decks").await?;
        stage.click_text(".pop .btn", "Versions").await?;
        stage.shows(".versions li", 2).await?;
        stage
            .script(
                "[...document.querySelectorAll('.versions li .btn')].at(-1).click()",
                vec![],
            )
            .await?;
        stage
            .until(
                "the first state",
                "document.querySelector('#tabs [data-tab=deck]').textContent === 'Deck 1'",
            )
            .await
    })
}

/// Files of the page besides the cards: their bytes as sent, and how many.
const WEIGHT: &str = "
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const own = all.filter((one) => !one.name.includes('/api/'));
    return [own.reduce((sum, one) => sum + one.encodedBodySize, 0), own.length];";

/// Adds one card after another, each click timed until the verdict stands on the page and the page is
/// laid out; and whether anything of the pool or the strip ever stood elsewhere.
const CLICKS: &str = "
    const done = arguments[0], times = [], mark = performance.mark;
    let answered = null;
    performance.mark = (...told) => {
      document.body.getBoundingClientRect();
      if (told[0] === 'answered') answered?.(performance.now());
      return mark.apply(performance, told);
    };
    const places = () => JSON.stringify([...document.querySelectorAll('.cell, .chip, .strip > div, #pool .scroll')].map((one) => { const at = one.getBoundingClientRect(); return [at.x, at.y, at.width, at.height]; }));
    const before = places();
    let moved = 0;
    const clicks = async () => {
      for (let click = 0; click < 40; click += 1) {
        await new Promise((over) => setTimeout(over, 250));
        const buttons = [...document.querySelectorAll('.cell .card')].slice(0, 8);
        const stands = new Promise((over) => { answered = over; });
        const from = performance.now();
        buttons[click % 8].dispatchEvent(new MouseEvent(click % 3 === 2 ? 'contextmenu' : 'click', { bubbles: true, cancelable: true }));
        const at = await Promise.race([stands, new Promise((over) => setTimeout(over, 400, null))]);
        if (at !== null) times.push(at - from);
        moved += Number(places() !== before);
      }
    };
    clicks().then(() => done({ times, moved }), (error) => done(error.message));";

/// From click to verdict on the page that is shown, printed; nothing of it moves.
pub(crate) async fn timed(stage: &Stage, what: &str) -> Told {
    let told = stage.client.execute_async(CLICKS, vec![]).await;
    let told = told.map_err(|error| error.to_string())?;
    let times = told["times"]
        .as_array()
        .ok_or_else(|| format!("a click is not answered: {told}"))?;
    let mut times: Vec<f64> = times.iter().filter_map(Value::as_f64).collect();
    times.sort_by(f64::total_cmp);
    if times.len() < 20 {
        return Err(format!("too few clicks are answered: {told}"));
    }
    println!(
        "{what} in {}: click to verdict p50 {:.1} ms, p95 {:.1} ms (goal 16)",
        stage.browser.name(),
        times[times.len() / 2],
        times[times.len() * 95 / 100],
    );
    if told["moved"] != 0 {
        return Err(format!("{} of 40 clicks moved something", told["moved"]));
    }
    Ok(())
}

fn clicks(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/shell").await?;
        stage.find("#app[data-ready]").await?;
        let weight = stage.script(WEIGHT, vec![]).await?;
        let ready = "return performance.getEntriesByName('ready')[0].startTime";
        let ready = stage.script(ready, vec![]).await?;
        println!(
            "builder in {}: {weight} bytes and files (goal 60 kB), ready after {ready} ms (goal 300)",
            stage.browser.name(),
        );
        if weight[0].as_f64().is_none_or(|bytes| bytes > 60_000.0) {
            return Err(format!("the builder weighs {weight}"));
        }
        stage
            .script(
                "[...document.querySelectorAll('.guide .btn')].at(-1).click()",
                vec![],
            )
            .await?;
        // The deck is not empty, so that a verdict is said of every click.
        paste(stage, LEGAL).await?;
        stage.verdict("legal").await?;
        timed(stage, "served").await
    })
}
