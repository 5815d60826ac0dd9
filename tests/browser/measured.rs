//! How heavy the builder is and how soon it answers, as the browser itself says; printed beside
//! the goals. No time is asserted, only what does not depend on the machine. `DECKLAW_PROGRAM`
//! names a program to measure, such as one that is built as releases are.

use super::driver::Stage;
use super::stories::Played;
use serde_json::Value;

/// Files of the builder's page besides the cards: their bytes as sent, and how many.
const WEIGHT: &str = "
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const own = all.filter((one) => !one.name.includes('/api/'));
    return [own.reduce((sum, one) => sum + one.encodedBodySize, 0), own.length];";

const READY: &str = "return performance.getEntriesByName('drawn')[0].startTime";

/// Adds one card after another, each click timed until the verdict stands on the page and the
/// page is laid out, and until all of it is. Between two clicks a deck's odds are told, too.
const CLICKS: &str = "
    const done = arguments[0], times = [], mark = performance.mark;
    const until = {};
    performance.mark = (...told) => {
      document.body.getBoundingClientRect();
      until[told[0]]?.(performance.now());
      return mark.apply(performance, told);
    };
    const stands = (name) => new Promise((over) => { until[name] = over; });
    const clicks = async () => {
      for (let click = 0; click < 40; click += 1) {
        await new Promise((over) => setTimeout(over, 250));
        const buttons = document.querySelectorAll(\"#cards [data-step='+']:not(:disabled)\");
        const both = Promise.all([stands('answered'), stands('drawn')]);
        const from = performance.now();
        buttons[click % 20].click();
        times.push((await both).map((at) => at - from));
      }
    };
    clicks().then(() => done(times), (error) => done(error.message));";

/// From click to verdict on a page whose builder is at an address; printed.
pub(crate) async fn clicks(stage: &Stage, address: &str) -> Result<(), String> {
    let text = |error: fantoccini::error::CmdError| error.to_string();
    stage.size(1280, 800).await?;
    stage.client.goto("about:blank").await.map_err(text)?;
    stage.client.goto(address).await.map_err(text)?;
    stage.find("#app[data-ready]").await?;
    let told = stage.client.execute_async(CLICKS, vec![]).await;
    let told = told.map_err(text)?;
    let times = told.as_array();
    let times = times.ok_or_else(|| format!("a click is not answered: {told}"))?;
    let mut times: Vec<f64> = times.iter().filter_map(|both| both[0].as_f64()).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "published in {}: click to verdict p50 {:.1} ms, p95 {:.1} ms (goal 16)",
        stage.browser.name(),
        times[times.len() / 2],
        times[times.len() * 95 / 100],
    );
    Ok(())
}

pub(crate) fn builder(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/shell").await?;
        stage.verdict("incomplete").await?;
        let first = stage.script(READY, vec![]).await?;
        let weight = stage.script(WEIGHT, vec![]).await?;
        let text = |error: fantoccini::error::CmdError| error.to_string();
        stage.client.refresh().await.map_err(text)?;
        stage.verdict("incomplete").await?;
        let again = stage.script(READY, vec![]).await?;
        let told = stage.client.execute_async(CLICKS, vec![]).await;
        let told = told.map_err(text)?;
        let Some(times) = told.as_array() else {
            return Err(format!("a click is not answered: {told}"));
        };
        let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
        let sorted = |which: usize| {
            let mut times: Vec<f64> = times.iter().map(|both| number(&both[which])).collect();
            times.sort_by(f64::total_cmp);
            times
        };
        let (times, whole) = (sorted(0), sorted(1));
        let bytes = number(&weight[0]);
        println!(
            "builder in {}: {:.1} kB in {} files (goal 40 kB), ready after {:.0} ms, loaded again {:.0} ms (goal 300), click to verdict p50 {:.1} ms, p95 {:.1} ms, worst of {} {:.1} ms (goal 16 at p95), to all of the page p50 {:.1} ms, p95 {:.1} ms",
            stage.browser.name(),
            bytes / 1000.0,
            weight[1],
            number(&first),
            number(&again),
            times[times.len() / 2],
            times[times.len() * 95 / 100],
            times.len(),
            times[times.len() - 1],
            whole[whole.len() / 2],
            whole[whole.len() * 95 / 100],
        );
        if bytes > 40_000.0 {
            return Err(format!("the builder weighs {bytes} bytes"));
        }
        Ok(())
    })
}
