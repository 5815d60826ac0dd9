//! `edit FILE` and `match play FILE`, started as a person starts them: what is done in the browser
//! is in the file.

use super::driver::{Browser, Done, Served, Stage, within};
use serde_json::Value;
use std::path::Path;
use std::pin::Pin;
use std::process::Command;
use std::time::{Duration, Instant};

const DECK: &str = include_str!("../../decks/shell/ebb.txt");
const ONE: &str = include_str!("../../decks/versus/steam-rises.txt");
const OTHER: &str = include_str!("../../decks/versus/hedge-and-harrow.txt");

type Played<'s> = Pin<Box<dyn Future<Output = Done> + 's>>;

/// What is done to the files of a folder.
type Story = for<'s> fn(&'s Stage, &'s Path) -> Played<'s>;

/// Writes files into a folder; how the program is then started.
type Prepare = fn(&Path) -> Result<Vec<String>, String>;

/// Every story by its name: what lies in the folder, how the program is started, what is done.
pub(crate) const ALL: [(&str, Prepare, Story); 3] = [
    ("a_deck_file_is_edited_and_tuned", a_deck, edited),
    ("a_game_of_two_thousand_cards", a_large_game, thousands),
    ("a_match_file_is_played", a_match, played),
];

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn a_deck(folder: &Path) -> Result<Vec<String>, String> {
    std::fs::write(folder.join("deck.txt"), format!("# mine\n{DECK}")).map_err(text)?;
    Ok(words(&["edit", "deck.txt", "--no-open"]))
}

fn a_large_game(folder: &Path) -> Result<Vec<String>, String> {
    super::published::large(folder)?;
    std::fs::write(folder.join("decklaw.yaml"), "formats: [.]\n").map_err(text)?;
    std::fs::write(folder.join("deck.txt"), "Format: thousands\nMain\n4 Card 0000\n")
        .map_err(text)?;
    Ok(words(&["edit", "deck.txt", "--no-open"]))
}

fn a_match(folder: &Path) -> Result<Vec<String>, String> {
    for (name, deck) in [("one.txt", ONE), ("other.txt", OTHER)] {
        std::fs::write(folder.join(name), deck).map_err(text)?;
    }
    let made = decklaw(folder, &["match", "new", "one.txt", "other.txt"])?;
    std::fs::write(folder.join("m.json"), made).map_err(text)?;
    Ok(words(&["match", "play", "m.json", "--no-open"]))
}

/// What the program answers.
fn decklaw(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new(super::driver::program());
    let command = command.args(arguments).current_dir(folder);
    let output = command.env("DECKLAW_CONFIG", folder.join("none")).output().map_err(text)?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

pub(crate) fn run(browser: Browser, prepare: Prepare, story: Story) -> Done {
    let folder = tempfile::tempdir().map_err(text)?;
    let arguments = prepare(folder.path())?;
    let served = Served::start(folder.path(), &arguments)?;
    within(8, async {
        let profile = folder.path().join("profile");
        let stage = Stage::at(browser, &profile, &served.link).await?;
        let answer = match story(&stage, folder.path()).await {
            Ok(()) => Ok(()),
            Err(why) => Err(stage.with_page(why).await),
        };
        stage.close().await;
        answer
    })
}

/// Waits until a file holds what it should.
async fn file(path: &Path, what: &str, holds: impl Fn(&str) -> bool) -> Done {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(30) {
        if std::fs::read_to_string(path).is_ok_and(|text| holds(&text)) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    Err(format!("waited in vain for {what} in:\n{text}"))
}

fn edited<'s>(stage: &'s Stage, folder: &'s Path) -> Played<'s> {
    Box::pin(async move {
        stage.size(1920, 1080).await?;
        stage.go(&stage.link).await?;
        stage.verdict("legal").await?;
        // A card that is pointed at, with its odds; the exchange that is best for it.
        let point = "document.querySelector('#deck li .card').dispatchEvent(new PointerEvent('pointerenter'))";
        stage.script(point, vec![]).await?;
        stage.find("#inspect .curve").await?;
        stage.picture("builder-inspector").await?;
        stage.click("#inspect .btn").await?;
        stage.click("dialog .offer .btn").await?;
        stage.verdict("legal").await?;
        let path = folder.join("deck.txt");
        file(&path, "the exchange", |text| {
            text.starts_with("# mine\n") && text != format!("# mine\n{DECK}")
        })
        .await?;
        let judged = decklaw(folder, &["check", "deck.txt", "-o", "ndjson"])?;
        let judged: Value =
            serde_json::from_str(&String::from_utf8_lossy(&judged)).map_err(text)?;
        if judged["verdict"] != "legal" {
            return Err(format!("the file is not legal: {judged}"));
        }
        // What another program writes is not overwritten in silence.
        let other = std::fs::read_to_string(&path).map_err(text)? + "# more\n";
        std::fs::write(&path, &other).map_err(text)?;
        let remove = "document.querySelector('#deck li .card').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))";
        stage.script(remove, vec![]).await?;
        stage.sees("Changed in another tab").await?;
        file(&path, "the other program's words", |text| text == other).await?;
        stage.click(".conflict .btn").await?;
        file(&path, "mine", |text| text != other).await
    })
}

/// A game of two thousand cards: all of them are found, and faces are drawn near the window alone.
fn thousands<'s>(stage: &'s Stage, folder: &'s Path) -> Played<'s> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go(&stage.link).await?;
        stage.find("#app[data-ready]").await?;
        stage.sees("2000 of 2000 cards").await?;
        let few = "document.querySelectorAll('#pool svg.face').length < 120";
        stage.until("few faces are drawn", few).await?;
        stage.press("/").await?;
        stage.press("4 card 1999").await?;
        stage.shows(".cell", 1).await?;
        stage.press("\u{e007}").await?;
        file(&folder.join("deck.txt"), "the cards", |text| text.contains("4 Card 1999")).await?;
        // To the last card by scrolling, a page of cards after another.
        let end = "const scroll = document.querySelector('#pool .scroll'); scroll.scrollTop = scroll.scrollHeight; return [...document.querySelectorAll('.cell .card')].at(-1)?.dataset.name === 'Card 1999'";
        for _ in 0..200 {
            if stage.script(end, vec![]).await? == true {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        stage.until("the last card is drawn", "[...document.querySelectorAll('.cell .card')].at(-1).querySelector('svg') !== null").await?;
        super::builder::timed(stage, "2,000 cards").await
    })
}

fn played<'s>(stage: &'s Stage, folder: &'s Path) -> Played<'s> {
    Box::pin(async move {
        stage.size(1280, 900).await?;
        stage.go(&stage.link).await?;
        stage.sees("Open the link of each seat").await?;
        stage.accessible("a match file").await?;
        let links = "return [...document.querySelectorAll('.seats a')].map((link) => link.href)";
        let links = stage.script(links, vec![]).await?;
        let link = |at: usize| links[at].as_str().unwrap_or_default().to_owned();
        // Who begins is decided at the table, and is in the match file.
        stage.go(&link(0)).await?;
        stage.click("[data-key='answer 1']").await?;
        stage.until("the game begins", "document.body.dataset.phase === 'game'").await?;
        let decided = |text: &str| text.contains("\"decisions\"");
        file(&folder.join("m.json"), "the decision", decided).await?;
        // A card on the table is in the match file, which anyone can verify.
        stage.go(&link(0)).await?;
        stage.click("[data-key='A.hand/0']").await?;
        stage.click("[data-key='grid@a1']").await?;
        let played = "document.querySelectorAll(\"[data-cell=a1] .card\").length === 1";
        stage.until("a card on a1", played).await?;
        let moved = |text: &str| text.contains("\"log\"") && text.contains("a1");
        file(&folder.join("m.json"), "the move", moved).await?;
        decklaw(folder, &["match", "verify", "m.json"])?;
        // What was played is there again when the page is loaded anew.
        stage.reload().await?;
        stage.until("the card", played).await?;
        stage.picture("played-file").await?;
        Ok(())
    })
}
