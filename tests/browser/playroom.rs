//! Two players, each in a browser of their own, from an unfinished deck to the next game.

use super::driver::{Browser, Server, Stage, Told, within};

const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");
const OTHER: &str = include_str!("../../decks/shell/ash-and-acorn.txt");
const BROKEN: &str = include_str!("../../decks/shell/too-many-copies.txt");

/// Plays the story.
pub(crate) fn run([one, other]: [Browser; 2]) -> Told {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut server = Server::start(folder.path())?;
    within(12, async {
        let ann = Stage::open(one, &folder.path().join("ann"), &server).await?;
        let ben = Stage::open(other, &folder.path().join("ben"), &server).await?;
        let told = match play(&ann, &ben, &mut server).await {
            Err(why) => Err(ben.with_page(ann.with_page(why).await).await),
            Ok(()) => Ok(()),
        };
        ann.close().await;
        ben.close().await;
        told
    })
}

/// Looks at a page on a desk and on a phone.
async fn seen(stage: &Stage, name: &str) -> Told {
    stage.accessible(name).await?;
    for (width, name) in [(390, format!("{name}-390")), (1280, name.to_owned())] {
        stage.size(width, 844).await?;
        stage.picture(&name).await?;
    }
    Ok(())
}

async fn play(ann: &Stage, ben: &Stage, server: &mut Server) -> Told {
    for stage in [ann, ben] {
        stage.size(1280, 844).await?;
    }
    ann.go("/play?format=shell").await?;
    ann.fill("#deck", LEGAL).await?;
    ann.fill("#name", "Ann").await?;
    seen(ann, "play").await?;
    ann.click("button[value=open]").await?;
    ann.sees("Copy the link").await?;
    seen(ann, "gathering").await?;
    let link = "return document.querySelector('.seats a.key').href";
    let link = ann.script(link, vec![]).await?;
    // The other follows the link. A deck that is not legal can be fixed in the builder.
    ben.go(link.as_str().unwrap_or_default()).await?;
    ben.sees("Ann’s table").await?;
    ben.fill("#deck", BROKEN).await?;
    ben.fill("#name", "Ben").await?;
    ben.click("#gather .actions button").await?;
    ben.sees("This deck cannot be played yet").await?;
    seen(ben, "unfit").await?;
    let fix = "document.getElementById('fix').href.includes('/deck/shell#z=')";
    ben.until("the way to the builder", fix).await?;
    // Another one is brought, and both pages go on by themselves.
    ben.fill("#deck", OTHER).await?;
    ben.click("#gather .actions button").await?;
    for stage in [ann, ben] {
        stage.sees("Swap cards with the side deck").await?;
    }
    for _ in 0..2 {
        ann.click("[data-key='main Drizzle in']").await?;
    }
    ann.sees("0 out, 2 in").await?;
    seen(ann, "swap").await?;
    ann.click("[data-key='answer 1']").await?;
    ann.sees("Waiting for Ben").await?;
    set_up(ann, ben).await?;
    let deck = "document.querySelector('[data-key=\"zone A.deck\"]').getAttribute('aria-label').includes(' 52 cards')";
    ann.until("two cards more", deck).await?;
    seen(ann, "shell").await?;
    // A card by a drag and one by keys, the machine fails in between, and both pages show all of it.
    let active = "return document.querySelector('[data-key=next]:not(:disabled)') !== null";
    let (first, second) = if ann.script(active, vec![]).await? == true {
        (ann, ben)
    } else {
        (ben, ann)
    };
    let zone = "#ours section[data-zone$='.shell_green']";
    let drag = "const [card, place] = ['#hand .card', arguments[0]].map((css) => document.querySelector(css));
        const data = new DataTransfer();
        const event = (kind) => new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true});
        card.dispatchEvent(event('dragstart'));
        place.dispatchEvent(event('dragover'));
        place.dispatchEvent(event('drop'));";
    let held = "document.querySelectorAll('#hand .card').length";
    let before = first.script(&format!("return {held}"), vec![]).await?;
    let before = before.as_i64().unwrap_or_default();
    first.find(zone).await?;
    first.script(drag, vec![zone.into()]).await?;
    first
        .until("a card by a drag", &format!("{held} === {}", before - 1))
        .await?;
    server.again()?;
    for stage in [first, second] {
        stage.reload().await?;
        stage.until("the same", &format!("{held} > 0")).await?;
    }
    first.size(390, 844).await?;
    first
        .script("document.activeElement.blur()", vec![])
        .await?;
    first.press("1").await?;
    first.find("#hand .card[aria-pressed=true]").await?;
    let tap = "document.querySelector(arguments[0]).click()";
    first.script(tap, vec![zone.into()]).await?;
    first
        .until("a card by keys", &format!("{held} === {}", before - 2))
        .await?;
    let theirs =
        "document.querySelectorAll(\"section[data-zone$='.shell_green'] .card\").length >= 3";
    for stage in [first, second] {
        stage.until("both cards", theirs).await?;
    }
    first.size(1280, 844).await?;
    // Who won is a choice; both say so, and the score is kept.
    ann.click("[data-key=more]").await?;
    ann.click("[data-key=over]").await?;
    ann.sees("Is the game over?").await?;
    seen(ann, "over").await?;
    ann.click("#won-B").await?;
    ben.sees("Ann says that the game is over. Ben won.").await?;
    ben.click("[data-key=agree]").await?;
    for stage in [ann, ben] {
        stage.sees("Ben won.").await?;
        stage
            .sees("Score after 1 game: Ann 0, Ben 1, drawn 0")
            .await?;
    }
    // The page remembers what it was told and what it brought.
    let told = "[...document.querySelectorAll('#before code')].filter((code) => code.textContent.length === 64).length === 2";
    ben.until("what was told before the deal", told).await?;
    seen(ben, "ended").await?;
    // The next game has the same links, and this browser's tables are listed.
    ann.click("#next").await?;
    ann.sees("Swap cards with the side deck").await?;
    ben.go("/play").await?;
    ben.sees("Game over").await?;
    seen(ben, "tables").await?;
    ben.click("#tables a").await?;
    ben.click("#next").await?;
    ben.sees("Swap cards with the side deck").await
}

/// Answers whatever is asked, the first answer first, until the game begins.
async fn set_up(ann: &Stage, ben: &Stage) -> Told {
    let begun = "return document.body.dataset.phase === 'game'";
    let next = "return document.querySelector('[data-key=agree]') ? 'agree'
        : document.querySelector('[data-key=refuse]') ? '' : document.querySelector(\"[data-key='answer 0']\") ? 'answer 0' : ''";
    for _ in 0..100 {
        for stage in [ann, ben] {
            if stage.script(begun, vec![]).await? == true {
                return Ok(());
            }
            let next = stage.script(next, vec![]).await?;
            if let Some(key) = next.as_str().filter(|key| !key.is_empty()) {
                stage.click(&format!("[data-key='{key}']")).await?;
            }
            tokio::time::sleep(std::time::Duration::from_millis(150)).await;
        }
    }
    Err("the setup does not end".to_owned())
}
