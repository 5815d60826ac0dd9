//! The deck builder: a deck from nothing, and how fast it is.

use super::driver::{Done, Stage, Story};
use serde_json::{Value, json};
use std::pin::Pin;

const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");

pub(crate) type Played<'s> = Pin<Box<dyn Future<Output = Done> + 's>>;

/// Every story by its name.
pub(crate) const ALL: [(&str, Story); 2] = [
    ("a_legal_deck_of_each_game_by_who_reads_nothing", from_nothing),
    ("nothing_moves_and_clicks_are_answered", clicks),
];

/// The formats with first steps of their own.
const FORMATS: [&str; 6] =
    ["shell", "vainqueur", "vanquishers", "vanquishers/advanced", "versus/normal", "vastrix"];

/// Clicks what is largest, as people do who read nothing: a face of each row, *Continue*, the first
/// deck.
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
                if stage.script("return !document.querySelector('.guide')", vec![]).await? == true {
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
pub(crate) async fn paste(stage: &Stage, text: &str) -> Done {
    // Firefox hides what is on the clipboard of an event that a script makes.
    let script = "const [text] = arguments, event = new Event('paste', { bubbles: true, cancelable: true });
        Object.defineProperty(event, 'clipboardData', { value: { getData: () => text, files: [], types: ['text/plain'] } });
        window.dispatchEvent(event);";
    stage.script(script, vec![json!(text)]).await.map(drop)
}

/// Files of the page besides the cards: their bytes as sent, and how many.
const WEIGHT: &str = "
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const own = all.filter((one) => !one.name.includes('/api/'));
    return [own.reduce((sum, one) => sum + one.encodedBodySize, 0), own.length];";

/// Adds one card after another, each click timed until the page shows the verdict; and
/// whether anything of the pool or the strip ever moved.
const CLICKS: &str = "
    const done = arguments[0], times = [], mark = performance.mark;
    let answered = null;
    performance.mark = (...answer) => {
      document.body.getBoundingClientRect();
      if (answer[0] === 'answered') answered?.(performance.now());
      return mark.apply(performance, answer);
    };
    const places = () => JSON.stringify([...document.querySelectorAll('.cell, .chip, .strip > div, #pool .scroll')].map((one) => { const at = one.getBoundingClientRect(); return [at.x, at.y, at.width, at.height]; }));
    const before = places();
    let moved = 0;
    const clicks = async () => {
      for (let click = 0; click < 40; click += 1) {
        await new Promise((over) => setTimeout(over, 250));
        const buttons = [...document.querySelectorAll('.cell .card')].slice(0, 8);
        const shown = new Promise((over) => { answered = over; });
        const from = performance.now();
        const how = { bubbles: true, cancelable: true, key: '-' };
        buttons[click % 8].dispatchEvent(click % 3 === 2 ? new KeyboardEvent('keydown', how) : new MouseEvent('click', how));
        const at = await Promise.race([shown, new Promise((over) => setTimeout(over, 400, null))]);
        if (at !== null) times.push(at - from);
        moved += Number(places() !== before);
      }
    };
    clicks().then(() => done({ times, moved }), (error) => done(error.message));";

/// From click to verdict on the page that is shown, printed; nothing of it moves.
pub(crate) async fn timed(stage: &Stage, what: &str) -> Done {
    let answer = stage.client.execute_async(CLICKS, vec![]).await;
    let answer = answer.map_err(|error| error.to_string())?;
    let times =
        answer["times"].as_array().ok_or_else(|| format!("a click is not answered: {answer}"))?;
    let mut times: Vec<f64> = times.iter().filter_map(Value::as_f64).collect();
    times.sort_by(f64::total_cmp);
    if times.len() < 20 {
        return Err(format!("too few clicks are answered: {answer}"));
    }
    println!(
        "{what} in {}: click to verdict p50 {:.1} ms, p95 {:.1} ms (goal 16)",
        stage.browser.name(),
        times[times.len() / 2],
        times[times.len() * 95 / 100],
    );
    if answer["moved"] != 0 {
        return Err(format!("{} of 40 clicks moved something", answer["moved"]));
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
            .script("[...document.querySelectorAll('.guide .btn')].at(-1).click()", vec![])
            .await?;
        // The deck is not empty, so that a verdict is said of every click.
        paste(stage, LEGAL).await?;
        stage.verdict("legal").await?;
        timed(stage, "served").await
    })
}
