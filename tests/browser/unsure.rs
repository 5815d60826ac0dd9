//! Answers that are late, lost or open: nothing is called legal, saved or likely that is not known to
//! be so of the deck on the screen.

use super::driver::Stage;
use super::stories::Played;

const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");

/// Answers to questions called `held` wait until that is another word; those to paths that begin with
/// `lost` never reach the page, though the server has done what was asked.
const NET: &str = "
    const real = window.fetch;
    window.held = window.lost = 'none';
    window.fetch = async (path, ...more) => {
        const answer = await real(path, ...more);
        const asked = path.startsWith('/api/ask') ? JSON.parse(more[0].body) : {};
        while ((asked.odds ? 'odds' : asked.ask) === window.held) await new Promise((over) => setTimeout(over, 20));
        if (path.startsWith(window.lost)) throw new TypeError('lost');
        return answer;
    };";

pub(crate) fn builder(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        let does = async |script: &str| stage.script(script, vec![]).await.map(drop);
        let green = |is: &str| {
            format!(
                "document.querySelectorAll('.verdict.legal:not(.open)').length === {is} && document.querySelectorAll('.verdict.legal.open').length === {}",
                if is == "0" { "2" } else { "0" }
            )
        };
        // No rule of it is broken by no card, and most have no number.
        stage.go("/deck/vainqueur").await?;
        stage.find("#app[data-ready]").await?;
        stage.sees("no cards yet").await?;
        stage.until("nothing is green", &green("0")).await?;
        stage.accessible("a verdict that is open").await?;
        stage.click("#cards [data-step='+']").await?;
        stage
            .until(
                "what is open",
                r"/legal, but \d not verified/.test(document.body.innerText)",
            )
            .await?;
        stage.until("nothing is green", &green("0")).await?;

        // Saved, and the answer lost; then taken back: it is not saved until the server says so.
        let saved = "document.querySelector('.saved').textContent === 'Saved'";
        stage.until("it is saved", saved).await?;
        does(NET).await?;
        does("window.lost = '/api/drafts'").await?;
        stage.click("#deck [data-step='+']").await?;
        let unsaved = "document.querySelector('.saved').textContent.startsWith('Not saved')";
        stage.until("it is not saved", unsaved).await?;
        stage.click("[data-key=undo]").await?;
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        stage
            .until("it is not known", &format!("!({saved})"))
            .await?;
        does("window.lost = 'none'").await?;
        stage.until("it is saved", saved).await?;
        stage
            .until(
                "nobody else changed it",
                "document.querySelector('.conflict').hidden",
            )
            .await?;
        does("fetch('/api/drafts/' + /d=(\\w+)/.exec(location.hash)[1]).then((one) => one.json()).then((one) => { window.kept = one.deck.sections.main[0].count; })").await?;
        stage.until("one copy is kept", "window.kept === 1").await?;

        // Odds of the deck before are not shown as if they were this one's.
        stage.go("/").await?;
        stage.fill("#deck", LEGAL).await?;
        stage.click("form[action='/open'] .primary").await?;
        stage.verdict("legal").await?;
        does(NET).await?;
        stage.click("#deck [data-step='-']").await?;
        stage
            .until(
                "odds of this deck",
                "!document.querySelector('[data-other]')",
            )
            .await?;
        does("window.held = 'odds'").await?;
        stage.click("#deck [data-step='-']").await?;
        stage.find("[data-other] .odds").await?;
        does("window.held = 'none'").await?;
        stage
            .until(
                "odds of this deck",
                "!document.querySelector('[data-other]')",
            )
            .await?;
        // A question that nobody can answer stays with its deck, and goes when it is told to.
        for question in ["1+ [type:spell", "1+ [type:spell]"] {
            stage.fill("[data-key=ask-odds]", question).await?;
            stage.click("#rules form button").await?;
            stage.sees(question).await?;
        }
        stage.until("one has an answer, one has not", "document.querySelectorAll('.odds .message').length === 1 && !document.querySelector('[data-other]')").await?;

        // A repair of the deck before is not offered for this one.
        does("window.held = 'fix'").await?;
        stage.click("[data-key=repair]").await?;
        stage.click("#deck [data-step='-']").await?;
        stage.until("it is saved", saved).await?;
        does("window.held = 'none'").await?;
        stage.sees("changed meanwhile").await?;
        stage
            .until("no repair", "!document.querySelector('dialog')")
            .await?;

        stage.go("/deck/any").await?;
        stage.go("/deck/shell").await?;
        stage.verdict("incomplete").await?;
        stage.until("the question that had an answer", "[...document.querySelectorAll('.odds code')].map((one) => one.textContent).join() === '1+ [type:spell]'").await
    })
}

/// A deck that a link shows is nobody's here until it is kept, and then stands among one's own.
pub(crate) fn lent(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/shell").await?;
        stage.verdict("incomplete").await?;
        let does = async |script: &str| stage.script(script, vec![]).await.map(drop);
        does("
            const deck = {format: 'shell', name: 'Lent deck', sections: {main: [{count: 2, name: 'Moss Sprite'}]}};
            import('/assets/deck.js').then((one) => one.packed(deck)).then((one) => { document.body.dataset.code = one; })").await?;
        stage
            .until("it is a link", "Boolean(document.body.dataset.code)")
            .await?;
        let code = stage
            .script("return document.body.dataset.code", vec![])
            .await?;
        stage.go("/").await?;
        let code = code.as_str().unwrap_or_default();
        stage.go(&format!("/deck/shell#z={code}")).await?;
        stage.verdict("incomplete").await?;
        let decks = async |count: &str| {
            does("fetch('/api/drafts').then((one) => one.json()).then((all) => { window.decks = all.filter((one) => one.name === 'Lent deck').length; })").await?;
            stage
                .until(
                    "so many decks of this name",
                    &format!("window.decks === {count}"),
                )
                .await
        };
        tokio::time::sleep(std::time::Duration::from_millis(600)).await;
        decks("0").await?;
        stage.accessible("a deck of others").await?;
        stage.click("[data-key=keep]").await?;
        stage.until("it is kept", "document.querySelector('.saved').textContent === 'Saved' && document.querySelector('[data-key=keep]').hidden").await?;
        does("window.decks = null").await?;
        decks("1").await?;
        stage.go("/").await?;
        stage.sees("Lent deck").await
    })
}
