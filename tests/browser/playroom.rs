//! Two players, each in a browser of their own, from a saved deck to the next game.

use super::driver::{Browser, Server, Stage, Told, within};

const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");
const OTHER: &str = include_str!("../../decks/shell/ash-and-acorn.txt");
const BROKEN: &str = include_str!("../../decks/shell/too-many-copies.txt");

/// Plays the story.
pub(crate) fn run([one, other]: [Browser; 2]) -> Told {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let server = Server::start(folder.path())?;
    within(12, async {
        let ann = Stage::open(one, &folder.path().join("ann"), &server).await?;
        let ben = Stage::open(other, &folder.path().join("ben"), &server).await?;
        let told = match play(&ann, &ben).await {
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

async fn play(ann: &Stage, ben: &Stage) -> Told {
    for stage in [ann, ben] {
        stage.size(1280, 844).await?;
        stage.go("/").await?;
    }
    // From a deck that is saved to a table with one's own seat.
    ann.fill("#deck", LEGAL).await?;
    ann.click("form[action='/open'] .primary").await?;
    ann.verdict("legal").await?;
    ann.click("[data-key=play]").await?;
    ann.sees("How many play").await?;
    seen(ann, "play").await?;
    ann.fill("#name", "Ann").await?;
    ann.click("form[action='/play'] .primary").await?;
    ann.sees("nobody has come yet").await?;
    ann.sees("Copy the link").await?;
    seen(ann, "gathering").await?;
    let link = "return document.querySelector('#there .private a').href";
    let link = ann.script(link, vec![]).await?;
    // The other follows the link, and is seen to have come.
    ben.go(link.as_str().unwrap_or_default()).await?;
    ben.sees("Sit down").await?;
    ben.sees("has brought a deck").await?;
    ben.sees("Ann’s table").await?;
    ann.sees("has come, and has not brought a deck yet").await?;
    ann.sees("Copy the link").await?;
    // A deck that is not legal is a deck of one's own in the builder, which leads back.
    ben.fill("#deck", BROKEN).await?;
    ben.fill("#name", "Ben").await?;
    ben.click("#gather form .primary").await?;
    ben.sees("This deck cannot be played as it is").await?;
    seen(ben, "unfit").await?;
    ben.click("button[value=build]").await?;
    ben.verdict("illegal").await?;
    ben.click("[data-key=play]").await?;
    ben.sees("A table waits for your deck").await?;
    seen(ben, "waiting").await?;
    ben.click("section.receipt a").await?;
    let chosen = "document.getElementById('draft')?.value.length === 10";
    ben.until("the deck is chosen", chosen).await?;
    ben.click("#gather form .primary").await?;
    ben.sees("Mend it in the builder").await?;
    // Another one is brought, and both pages go on by themselves.
    ben.click("#paste summary").await?;
    ben.fill("#deck", OTHER).await?;
    ben.fill("#name", "Ben").await?;
    ben.click("#gather form .primary").await?;
    for stage in [ann, ben] {
        stage.sees("Swap cards with the side deck").await?;
    }
    // Lines with − n +; what is chosen stays chosen when the page is drawn anew.
    for _ in 0..2 {
        ann.click("[data-key='main Drizzle in']").await?;
    }
    ann.sees("0 out, 2 in").await?;
    seen(ann, "swap").await?;
    ann.click("[data-key='answer 1']").await?;
    ann.sees("Seat B decides.").await?;
    set_up(ann, ben).await?;
    ann.until(
        "two cards more",
        "[...document.querySelectorAll('[data-zone=\"A.deck\"] .quiet')].some((one) => one.textContent === '52')",
    )
    .await?;
    // Who won is a choice; both say so, and the score is kept.
    ann.click("[data-key=over]").await?;
    ann.sees("Is the game over?").await?;
    seen(ann, "over").await?;
    ann.click("#won-B").await?;
    ben.sees("Is the game over: seat B (Ben) won?").await?;
    ben.click("[data-key=agree]").await?;
    for stage in [ann, ben] {
        stage.sees("seat B (Ben) won").await?;
        stage
            .sees("Score after 1 game: seat A 0, seat B 1, drawn 0")
            .await?;
    }
    seen(ben, "ended").await?;
    // The next game has the same seats, and is found again without a link.
    ann.click("#next").await?;
    ann.sees("Swap cards with the side deck").await?;
    ben.sees("The next game is laid").await?;
    ben.go("/").await?;
    ben.sees("setup: you decide").await?;
    ben.accessible("the first page with tables").await?;
    ben.go("/tables").await?;
    ben.sees("ended: seat B (Ben) won").await?;
    seen(ben, "tables").await?;
    ben.click("ul.decks a").await?;
    ben.sees("Swap cards with the side deck").await?;
    ben.click("[data-key='answer 0']").await?;
    ben.sees("Seat A decides.").await
}

/// Answers whatever is asked, the first answer first, until the game begins.
async fn set_up(ann: &Stage, ben: &Stage) -> Told {
    let begun = "return Boolean(document.querySelector('[data-key=over]'))";
    let next = "return document.querySelector('[data-key=agree]') ? 'agree'
        : document.querySelector('[data-key=refuse]') ? '' : document.querySelector(\"[data-key='answer 0']\") ? 'answer 0' : ''";
    for _ in 0..100 {
        for stage in [ann, ben] {
            if stage.script(begun, vec![]).await? == true {
                return ann.sees("to act").await;
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
