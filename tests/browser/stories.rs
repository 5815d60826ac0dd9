//! The stories.

pub(crate) use super::builder::Played;
use super::driver::{Stage, Story};
use fantoccini::Locator;

const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");
const BROKEN: &str = include_str!("../../decks/shell/too-many-copies.txt");

/// Every story by its name.
pub(crate) const ALL: [(&str, Story); 3] = [
    (
        "a_deck_is_handed_in_from_a_phone_changed_and_locked",
        from_a_phone,
    ),
    ("an_organisers_evening", evening),
    ("a_table_by_keys_and_menus", super::table::by_keys),
];

/// Opens an event as whoever runs the server; the players' link and the organiser's.
pub(crate) async fn open_event(stage: &Stage) -> Result<(String, String), String> {
    stage.go(&stage.link).await?;
    stage.until("the key is known", "!location.hash").await?;
    stage.go("/desk/new?format=shell").await?;
    stage.fill("#title", "Friday night").await?;
    stage.fill("#due", "2999-03-01T18:00").await?;
    stage.fill("#players", "Ada\nBen").await?;
    stage.accessible("a new event").await?;
    stage.click("form .btn.main").await?;
    stage.sees("The event is open").await?;
    let links = "return [...document.querySelectorAll('a.private')].map((link) => link.href)";
    let links = stage.script(links, vec![]).await?;
    let link = |at: usize| links[at].as_str().unwrap_or_default().to_owned();
    Ok((link(0), link(1)))
}

async fn forget_cookies(stage: &Stage) -> Result<(), String> {
    let done = stage.client.delete_all_cookies().await;
    done.map_err(|error| error.to_string())
}

fn from_a_phone(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(390, 844).await?;
        let (event, desk) = open_event(stage).await?;
        stage.go(&event).await?;
        stage.accessible("the hand-in page").await?;
        // A deck is built for the event, and comes back with it.
        stage.click("a[href^='/deck/']").await?;
        stage.find("#app[data-ready]").await?;
        let hand_in = "[...document.querySelectorAll('#bar button')].find((one) => one.textContent === 'Hand in')";
        let is_there = format!("!!{hand_in}");
        stage.until("the builder hands in", &is_there).await?;
        stage.script(&format!("{hand_in}.click()"), vec![]).await?;
        let came = "document.querySelector('#deck')?.value.startsWith('Format: shell')";
        stage.until("the deck of the builder", came).await?;
        stage.fill("#name", "Ada").await?;
        stage.fill("#deck", BROKEN).await?;
        stage.find("#verdict .verdict.illegal").await?;
        stage.sees("Hand in anyway").await?;
        stage.picture("hand-in-390").await?;
        stage.fill("#deck", LEGAL).await?;
        stage.find("#verdict .verdict.legal").await?;
        stage.click("button[value=hand-in]").await?;
        stage.sees("Handed in").await?;
        stage.accessible("a deck that was handed in").await?;
        let key = "return document.querySelector('a.private').href";
        let key = stage.script(key, vec![]).await?;
        let key = key.as_str().unwrap_or_default().to_owned();
        // The private link alone opens it, in a browser that knows nothing yet.
        forget_cookies(stage).await?;
        stage.go(&format!("{event}/mine")).await?;
        stage.sees("Open with a key").await?;
        stage.accessible("a page that asks for a key").await?;
        stage.go(&key).await?;
        stage.sees("version 1").await?;
        // And where it is open already it opens it again.
        stage.go("/").await?;
        stage.go(&key).await?;
        stage.sees("version 1").await?;
        let gone = "the key is out of the address";
        stage.until(gone, "!location.hash").await?;
        stage.accessible("a player's own page").await?;
        stage.fill("#deck", BROKEN).await?;
        stage.click("button[value=anyway]").await?;
        stage.sees("version 2").await?;
        let wide = "document.documentElement.scrollWidth <= innerWidth";
        stage.until("nothing is wider than the phone", wide).await?;
        // A deck check is ticked on the organiser's phone.
        stage.go(&desk).await?;
        stage.sees("Draw a deck check").await?;
        stage.accessible("the organiser's page on a phone").await?;
        stage.until("nothing is wider than the phone", wide).await?;
        stage.click("#acts .main").await?;
        stage.click("dialog .tick").await?;
        stage.sees("1 of ").await?;
        stage.accessible("a deck check on a phone").await?;
        stage.picture("deck-check-390").await?;
        stage.click("dialog .foot .main").await?;
        stage.sees("matches").await?;
        // Nobody changes a deck after hand-in was closed.
        stage.click("#acts button").await?;
        stage.sees("Open hand-in").await?;
        stage.go(&key).await?;
        stage.sees("takes no more decks").await?;
        let forms = stage.client.find_all(Locator::Css("#hand-in")).await;
        match forms.map_err(|error| error.to_string())?.is_empty() {
            true => Ok(()),
            false => Err("a locked deck can be changed".to_owned()),
        }
    })
}

/// Gives the page a file, as somebody who drops it there.
async fn drop_file(stage: &Stage, name: &str, text: &str) -> Result<(), String> {
    let script = "
        const files = new DataTransfer();
        files.items.add(new File([arguments[1]], arguments[0]));
        const input = document.querySelector('#file');
        input.files = files.files;
        input.dispatchEvent(new Event('change'));";
    let with = vec![name.into(), text.into()];
    stage.script(script, with).await.map(|_| ())
}

fn evening(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        let (_, desk) = open_event(stage).await?;
        // The organiser's link alone opens the page.
        forget_cookies(stage).await?;
        stage.go("/").await?;
        stage.go(&desk).await?;
        stage.sees("Drop a form export").await?;
        let rows =
            |number: usize| format!("document.querySelectorAll('#rows tr').length === {number}");
        stage.until("the list", &rows(2)).await?;
        // A list of players, and a form of which a column must be named.
        drop_file(
            stage,
            "players.csv",
            "Name,Email\nIvo Zeller,ivo@example.org\n",
        )
        .await?;
        stage.sees("1 players").await?;
        stage.accessible("a list to import").await?;
        stage.click("dialog .foot .main").await?;
        stage.until("three on the list", &rows(3)).await?;
        let quoted = |deck: &str| format!("\"{}\"", deck.replace('"', "\"\""));
        let form = format!(
            "Timestamp,Gast,Deck\n2026-03-01 10:00,Ada,{}\n2026-03-01 10:05,Iov Zeller,{}\n",
            quoted(LEGAL),
            quoted(BROKEN)
        );
        drop_file(stage, "form.csv", &form).await?;
        stage.sees("no column is plainly the player").await?;
        stage.accessible("a form to import").await?;
        stage.picture("import-1280").await?;
        let choose = "
            const select = document.querySelector('dialog [aria-label=Player]');
            select.value = 'Gast';
            select.dispatchEvent(new Event('change'));";
        stage.script(choose, vec![]).await?;
        stage.sees("most likely Ivo Zeller").await?;
        stage.click("dialog .foot .main").await?;
        stage.sees("1 question").await?;
        stage.accessible("the organiser's page").await?;
        stage.picture("desk-1280").await?;
        // The likeliest answer, undone and given again.
        stage.click(".ask .main").await?;
        stage.sees("No open questions").await?;
        stage.click(".toast button").await?;
        stage.sees("1 question").await?;
        stage.click(".ask .main").await?;
        stage.sees("No open questions").await?;
        // Filter, search and sort.
        stage.click(".tile.missing").await?;
        stage.until("who is missing", &rows(1)).await?;
        stage.click(".tile.all").await?;
        stage.fill("#q", "zeller").await?;
        stage.until("who is looked for", &rows(1)).await?;
        stage.fill("#q", "").await?;
        stage.click("#head th:nth-child(3) button").await?;
        let first = "document.querySelector('#rows .verdict').textContent === 'Legal'";
        stage.until("sorted by verdict", first).await?;
        // A player: enter a deck for who has none, and compare one with it.
        stage.click(".tile.missing").await?;
        stage.click("#rows .link").await?;
        stage.click("dialog details:last-of-type summary").await?;
        stage.fill("dialog textarea", LEGAL).await?;
        stage.sees("Enter it for this player").await?;
        stage
            .click("dialog details:last-of-type .acts button:last-child")
            .await?;
        stage.sees("Matches").await?;
        stage.accessible("a player at the organiser's page").await?;
        stage.click("dialog details:last-of-type summary").await?;
        stage
            .fill("dialog details:last-of-type textarea", BROKEN)
            .await?;
        stage
            .click("dialog details:last-of-type .acts button")
            .await?;
        stage.sees("Not the deck that counts").await
    })
}
