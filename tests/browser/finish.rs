//! *Finish this deck*: from nothing to a legal deck by the page alone, whole or in part.

use super::driver::Stage;
use super::stories::Played;

const GAMES: [&str; 5] = [
    "shell",
    "vainqueur",
    "vanquishers/advanced",
    "vastrix",
    "versus/normal",
];

const CROWN: &str = include_str!("../../decks/vainqueur/barley-crown.txt");

/// Copies in all of the deck's sections, as the page shows them.
const SOME: &str = "document.querySelectorAll('#deck .line').length > 0";
/// Nothing stands out to the side.
const FITS: &str = "(() => { const box = document.querySelector('dialog'); return box.scrollWidth <= box.clientWidth; })()";
const CLOSED: &str = "!document.querySelector('dialog')";

/// On a phone the rules are a tab.
async fn opened(stage: &Stage, width: u32) -> Result<(), String> {
    if width < 900 {
        stage.click("#tab-rules").await?;
    }
    stage.click("[data-key=finish]").await?;
    stage.find("dialog [data-key=go]").await.map(drop)
}

async fn chosen(stage: &Stage, css: &str, value: &str) -> Result<(), String> {
    stage.find(css).await?;
    let script = format!(
        "(() => {{ const field = document.querySelector(\"{css}\"); field.value = [...field.options].find((one) => one.textContent === '{value}').value; field.dispatchEvent(new Event('change', {{bubbles: true}})); return true; }})()"
    );
    stage.until(value, &script).await
}

pub(crate) fn from_nothing(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        for width in [1280, 390] {
            stage.size(width, 844).await?;
            for game in GAMES {
                let name = game.replace('/', "-");
                stage.go("/").await?;
                stage.go(&format!("/deck/{game}")).await?;
                stage.find("#app[data-ready]").await?;
                opened(stage, width).await?;
                if width == 1280 {
                    stage
                        .accessible(&format!("finishing a deck of {game}"))
                        .await?;
                }
                stage.until("all of it is in sight", FITS).await?;
                stage.picture(&format!("finish-{name}-{width}")).await?;
                stage.click("dialog [data-key=go]").await?;
                stage.find("dialog [data-key=take]").await?;
                if width == 1280 {
                    stage
                        .accessible(&format!("what finishes a deck of {game}"))
                        .await?;
                }
                stage.until("all of it is in sight", FITS).await?;
                stage.picture(&format!("finished-{name}-{width}")).await?;
                // None of it first: nothing is taken by a click too many.
                stage
                    .until("nothing is in yet", &format!("!({SOME})"))
                    .await?;
                stage.click("dialog [data-key=take]").await?;
                stage.until("the dialog is gone", CLOSED).await?;
                stage.verdict("legal").await?;
                stage.until("cards", SOME).await?;
                // One step back takes all of it out.
                stage.click("[data-key=undo]").await?;
                stage.until("no cards", &format!("!({SOME})")).await?;
                stage.click("[data-key=redo]").await?;
                stage.verdict("legal").await?;
            }
        }
        Ok(())
    })
}

/// With wishes, in part, and then the rest; by keyboard.
pub(crate) fn by_wishes(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 900).await?;
        stage.go("/deck/versus/fast").await?;
        stage.verdict("incomplete").await?;
        opened(stage, 1280).await?;
        // Seven traps, by the chip that counts from four.
        stage.click("dialog [data-key='otype=trap']").await?;
        for _ in 0..3 {
            stage.click("dialog [data-key='w+0']").await?;
        }
        stage
            .until(
                "the wish",
                "document.querySelector('dialog .list .held').textContent === '7+'",
            )
            .await?;
        // What cannot be says so, with the wish that is in the way, and the deck stays as it is.
        stage
            .fill("dialog [data-key=wish]", "15+ [type:item]")
            .await?;
        stage.click("dialog [data-key=add-wish]").await?;
        stage.click("dialog [data-key=go]").await?;
        stage.sees("cannot hold together").await?;
        stage.sees("wished: 7+ type trap").await?;
        stage.accessible("a deck that cannot be").await?;
        stage.click("dialog [data-key=wx1]").await?;
        stage
            .until(
                "no answer to other wishes",
                "document.querySelector('dialog .answer').textContent === ''",
            )
            .await?;
        // A wish that cannot be read.
        stage
            .fill("dialog [data-key=wish]", "3+ [typ:item]")
            .await?;
        stage.click("dialog [data-key=go]").await?;
        stage.find("dialog .answer .message").await?;
        stage.click("dialog [data-key=wx1]").await?;
        chosen(
            stage,
            "dialog [data-key=likely]",
            "An item and a trap in hand",
        )
        .await?;
        stage.click("dialog [data-key=go]").await?;
        stage.find("dialog [data-key=take]").await?;
        stage.click("dialog .answer .plus .step").await?;
        stage.until("what the card says", "document.querySelector('dialog .answer .plus [aria-expanded=true]').closest('li').lastElementChild.childElementCount > 0").await?;
        stage.picture("finish-wishes-1280").await?;
        stage.accessible("a deck by wishes").await?;
        // Every second line: the verdict says what is missing.
        stage.script("[...document.querySelectorAll('dialog .answer .changes input')].forEach((one, at) => { if (at % 2) one.click(); })", vec![]).await?;
        stage.sees("Take ").await?;
        stage
            .until(
                "a part",
                "/^Take \\d+ of \\d+$/.test(document.querySelector('[data-key=take]').textContent)",
            )
            .await?;
        stage.click("dialog [data-key=take]").await?;
        stage.verdict("incomplete").await?;
        stage.until("cards", SOME).await?;
        // The rest: what is in stays, by keyboard alone.
        stage
            .script(
                "document.activeElement.blur(); document.body.focus()",
                vec![],
            )
            .await?;
        stage.press("f").await?;
        stage.find("dialog [data-key=stay]").await?;
        stage
            .until("the focus", "document.activeElement.dataset.key === 'go'")
            .await?;
        stage.press("\u{e007}").await?;
        stage.find("dialog [data-key=take]").await?;
        stage
            .until(
                "nothing goes",
                "document.querySelectorAll('dialog .minus').length === 0",
            )
            .await?;
        stage
            .script(
                "document.querySelector('dialog [data-key=take]').focus()",
                vec![],
            )
            .await?;
        stage.press("\u{e007}").await?;
        stage.verdict("legal").await?;
        stage.click("[data-key=undo]").await?;
        stage.verdict("incomplete").await?;
        // An answer that comes after the deck was changed is not shown.
        stage.script("const real = window.fetch; window.held = true; window.fetch = async (path, ...more) => { const answer = await real(path, ...more); while (window.held && more[0]?.body?.includes('\"ask\":\"build\"')) await new Promise((over) => setTimeout(over, 20)); return answer; };", vec![]).await?;
        opened(stage, 1280).await?;
        stage.click("dialog [data-key=go]").await?;
        stage
            .script("document.querySelector('[data-key=undo]').click()", vec![])
            .await?;
        stage
            .until("the deck before", &format!("!({SOME})"))
            .await?;
        stage.script("window.held = false", vec![]).await?;
        stage.sees("changed meanwhile").await?;
        stage.until("no answer", "!document.querySelector('[data-key=take]') && document.querySelector('dialog .answer').textContent === ''").await
    })
}

/// Beside the finding about a banned card stands what else may come in.
pub(crate) fn exchanged(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 900).await?;
        stage.go("/").await?;
        let deck = format!("{CROWN}\n2 Wolf Who Ate the Map\n1 Nobody At All\n");
        stage.fill("#deck", &deck).await?;
        stage.click("form[action='/open'] .primary").await?;
        stage.verdict("illegal").await?;
        let help = "#rules [data-rule=banned].error .row button:nth-child(2)";
        stage
            .until(
                "its name",
                &format!("document.querySelector('{help}').textContent === 'Exchange…'"),
            )
            .await?;
        stage.click(help).await?;
        stage.find("dialog .instead").await?;
        stage
            .until(
                "several to choose from",
                "document.querySelectorAll('dialog .instead button').length === 3",
            )
            .await?;
        stage.accessible("an exchange for a banned card").await?;
        stage.picture("exchange-1280").await?;
        let name = "return document.querySelector('dialog .instead button:nth-of-type(2) bdi').textContent";
        let name = stage.script(name, vec![]).await?;
        stage.click("dialog .instead button:nth-of-type(2)").await?;
        // These cards alone changed: the name that is no card's is still there.
        stage.until("it is mended", "!document.querySelector('#rules [data-rule=banned].error') && Boolean(document.querySelector('#rules [data-rule=unknown-card]'))").await?;
        let line = format!(
            "[...document.querySelectorAll('#deck .line')].some((line) => line.textContent.includes({name}))"
        );
        stage.until("it came in", &line).await?;
        stage.click("[data-key=repair]").await?;
        stage.click("dialog .primary").await?;
        stage.verdict("legal").await
    })
}

/// Where little is wrong the smallest repair comes first, where much is missing this does; and a repair
/// of which most is new points here.
pub(crate) fn offered(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 900).await?;
        let first = |key: &str| {
            format!("document.querySelector('#rules .verdicts .primary').dataset.key === '{key}'")
        };
        stage.go("/deck/versus/fast").await?;
        stage.verdict("incomplete").await?;
        stage.until("much is missing", &first("finish")).await?;
        stage.click("[data-key=repair]").await?;
        stage.click("dialog [data-key=to-finish]").await?;
        stage.click("dialog [data-key=go]").await?;
        stage.click("dialog [data-key=take]").await?;
        stage.verdict("legal").await?;
        stage.click("#deck [data-step='-']").await?;
        stage.verdict("incomplete").await?;
        stage.until("little is wrong", &first("repair")).await?;
        stage.find("[data-key=finish]").await?;
        stage.click("[data-key=repair]").await?;
        stage.find("dialog .changes").await?;
        stage
            .until(
                "nothing points away",
                "!document.querySelector('[data-key=to-finish]')",
            )
            .await
    })
}
