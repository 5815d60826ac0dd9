//! Pages whose server ends in the midst and is started again: nothing that is shown is about another
//! deck than the one that is there, and what a page promises to send is sent, once.

use super::builder::Played;
use super::driver::{Browser, Server, Stage, Told, within};

const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");
const BROKEN: &str = include_str!("../../decks/shell/too-many-copies.txt");

/// A story with a server that it may end and start.
pub(crate) type Story = for<'s> fn(&'s Stage, &'s mut Server) -> Played<'s>;

/// Every story by its name.
pub(crate) const ALL: [(&str, Story); 3] = [
    (
        "no_verdict_outlives_its_deck_while_the_server_is_away",
        builder,
    ),
    ("a_move_is_sent_once_when_the_server_is_back", table),
    ("a_hand_in_is_judged_when_the_server_is_back", hand_in),
];

/// Plays a story.
pub(crate) fn run(browser: Browser, story: Story) -> Told {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut server = Server::start(folder.path())?;
    within(5, async {
        let profile = folder.path().join("profile");
        let stage = Stage::open(browser, &profile, &server).await?;
        let told = match story(&stage, &mut server).await {
            Err(why) => Err(stage.with_page(why).await),
            Ok(()) => Ok(()),
        };
        stage.close().await;
        told
    })
}

fn builder<'s>(stage: &'s Stage, server: &'s mut Server) -> Played<'s> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/shell").await?;
        stage.find("#app[data-ready]").await?;
        super::builder::paste(stage, LEGAL).await?;
        stage.verdict("legal").await?;
        server.stop();
        let count = "document.querySelector('#tabs [data-tab=deck]').textContent";
        let before = stage.script(&format!("return {count}"), vec![]).await?;
        stage.script("document.querySelector('#deck .card').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))", vec![]).await?;
        // The old verdict is dimmed, and what is wrong is said; the change is stored all the same.
        stage.sees("Not checked").await?;
        stage.find(".strip.stale").await?;
        let stored = format!(
            "{count} !== {before} && document.querySelector('.saved').textContent === 'Saved'"
        );
        stage.until("the change is stored", &stored).await?;
        server.again()?;
        stage.verdict("incomplete").await?;
        stage.reload().await?;
        stage.verdict("incomplete").await?;
        stage
            .until("the change is there", &format!("{count} !== {before}"))
            .await
    })
}

fn table<'s>(stage: &'s Stage, server: &'s mut Server) -> Played<'s> {
    Box::pin(async move {
        stage.size(1280, 900).await?;
        stage.go("/play?format=vastrix").await?;
        stage.click("button[value=alone]").await?;
        stage.find("[data-key=roll]").await?;
        let facts = "return [Number(document.body.dataset.rev), document.querySelectorAll('.log .die').length]";
        let number = |facts: &serde_json::Value, at: usize| facts[at].as_i64().unwrap_or(-9);
        let before = stage.script(facts, vec![]).await?;
        server.stop();
        stage.click("[data-key=roll]").await?;
        stage.sees("Reconnecting").await?;
        // Another is not promised.
        stage.click("[data-key=roll]").await?;
        stage.sees("Not done").await?;
        server.again()?;
        let next = number(&before, 0) + 1;
        let done = format!("document.body.dataset.rev === '{next}'");
        stage.until("the move is done", &done).await?;
        tokio::time::sleep(std::time::Duration::from_secs(3)).await;
        let after = stage.script(facts, vec![]).await?;
        if number(&after, 0) != next || number(&after, 1) != number(&before, 1) + 1 {
            return Err(format!("one move made {after} of {before}"));
        }
        let connected = "!document.querySelector('#bar').textContent.includes('Reconnecting')";
        stage.until("it is connected again", connected).await
    })
}

fn hand_in<'s>(stage: &'s Stage, server: &'s mut Server) -> Played<'s> {
    Box::pin(async move {
        stage.size(390, 844).await?;
        let (event, _) = super::stories::open_event(stage).await?;
        stage.go(&event).await?;
        stage.fill("#deck", LEGAL).await?;
        stage.find("#verdict .verdict.legal").await?;
        server.stop();
        stage.fill("#deck", BROKEN).await?;
        let gone = "!document.querySelector('#verdict .verdict')";
        stage.until("the verdict is gone", gone).await?;
        stage.sees("does not answer").await?;
        server.again()?;
        stage.find("#verdict .verdict.illegal").await.map(drop)
    })
}
