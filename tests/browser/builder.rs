//! What stories do in the deck builder: paste, and time clicks.

use super::driver::{Done, Stage};
use serde_json::{Value, json};

/// Pastes a list, as into any page.
pub(crate) async fn paste(stage: &Stage, text: &str) -> Done {
    // Firefox hides what is on the clipboard of an event that a script makes.
    let script = "const [text] = arguments, event = new Event('paste', { bubbles: true, cancelable: true });
        Object.defineProperty(event, 'clipboardData', { value: { getData: () => text, files: [], types: ['text/plain'] } });
        window.dispatchEvent(event);";
    stage.script(script, vec![json!(text)]).await.map(drop)
}

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
