//! `edit FILE` and `match play FILE`, started as a person starts them: what is done in the browser
//! is in the file.

use super::driver::{Browser, Done, Served, Stage, within};
use serde_json::Value;
use std::path::Path;
use std::pin::Pin;
use std::process::Command;
use std::time::{Duration, Instant};

const DECK: &str = include_str!("../../decks/shell/ebb.txt");
const SHELL: &str = DECK;
const OTHER_SHELL: &str = include_str!("../../decks/shell/ash-and-acorn.txt");
const ONE: &str = include_str!("../../decks/versus/steam-rises.txt");
const OTHER: &str = include_str!("../../decks/versus/hedge-and-harrow.txt");

type Played<'s> = Pin<Box<dyn Future<Output = Done> + 's>>;

/// What is done to the files of a folder.
type Story = for<'s> fn(&'s Stage, &'s Path) -> Played<'s>;

/// Writes files into a folder; how the program is then started.
type Prepare = fn(&Path) -> Result<Vec<String>, String>;

/// Every story by its name: what lies in the folder, how the program is started, what is done.
pub(crate) const ALL: [(&str, Prepare, Story); 4] = [
    ("a_deck_file_is_edited_and_tuned", a_deck, edited),
    ("a_game_of_two_thousand_cards", a_large_game, thousands),
    ("a_match_file_is_played", a_match, played),
    ("a_match_is_watched_and_replayed", a_long_match, watched),
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

/// A match of Shell whose setup has a mulligan, and in which a Shell holds eleven Spells.
fn a_long_match(folder: &Path) -> Result<Vec<String>, String> {
    for (name, deck) in [("one.txt", SHELL), ("other.txt", OTHER_SHELL)] {
        std::fs::write(folder.join(name), deck).map_err(text)?;
    }
    let by_step = |step: &str, seat: &str, more: &str| {
        format!("{{\"step\":\"{step}\",\"seat\":\"{seat}\"{more}}}")
    };
    let keep = ",\"choice\":\"keep\",\"bottom\":[]";
    let decisions = [
        by_step("swap", "A", ""),
        by_step("swap", "B", ""),
        "{\"step\":\"first-player\",\"by\":\"choice\",\"seat\":\"A\"}".to_owned(),
        by_step("mulligan", "A", keep),
        by_step("mulligan", "B", ",\"choice\":\"mulligan\""),
        by_step("mulligan", "B", keep),
    ];
    let mut new = vec!["match", "new", "one.txt", "other.txt", "--player", "Ann", "--player"];
    new.extend(["Bert", "--seed", "replay"]);
    new.extend(decisions.iter().flat_map(|decision| ["--decide", decision]));
    std::fs::write(folder.join("start.json"), decklaw(folder, &new)?).map_err(text)?;
    let by = |seat: &str, rest: &str| format!("{{\"by\":\"{seat}\",{rest}}}");
    let step = |seat, name| by(seat, &format!("\"do\":\"step\",\"name\":\"{name}\""));
    let draw = |seat, count: u32| {
        by(seat, &format!("\"do\":\"draw\",\"from\":\"deck\",\"to\":\"hand\",\"count\":{count}"))
    };
    let play = |seat, zone, at| {
        let rest = "\"do\":\"move\",\"from\":\"hand\",\"slot\":0,\"up\":true";
        by(seat, &format!("{rest},\"to\":\"{zone}\",\"at\":{at}"))
    };
    let mut moves = vec![step("A", "Exchange"), draw("A", 8)];
    moves.extend((1..=11).map(|at| play("A", "shell_green", at)));
    moves.push(step("A", "Damage Preparation"));
    moves.push(by(
        "A",
        "\"do\":\"count\",\"seat\":\"A\",\"counter\":\"stored_damage\",\"change\":8",
    ));
    moves.push(play("B", "shell_red", 1));
    moves.push(by("A", "\"do\":\"pass\""));
    moves.push(draw("B", 2));
    moves.extend((2..=3).map(|at| play("B", "shell_red", at)));
    moves.push(step("B", "Exchange"));
    let mut decide = vec!["match", "decide", "start.json"];
    decide.extend(moves.iter().map(String::as_str));
    std::fs::write(folder.join("m.json"), decklaw(folder, &decide)?).map_err(text)?;
    Ok(words(&["match", "play", "m.json", "--no-open"]))
}

/// What the program answers.
pub(super) fn decklaw(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
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
        stage.click_text("#inspect .btn", "Better odds…").await?;
        stage.click("dialog .exchange .btn").await?;
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
        let remove = "document.querySelector('#deck .stack .less').click()";
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
        for name in ["größe 0001", "GROSSE 0006", "竜の札 0002"] {
            let search = format!(
                "const box = document.querySelector('input[type=search]'); box.value = '{name}'; box.dispatchEvent(new Event('input', {{ bubbles: true }}));"
            );
            stage.script(&search, vec![]).await?;
            stage.shows(".cell", 1).await?;
        }
        let all = "const box = document.querySelector('input[type=search]'); box.value = ''; box.dispatchEvent(new Event('input', { bubbles: true }));";
        stage.script(all, vec![]).await?;
        stage.sees("2000 of 2000 cards").await?;
        // To the last card by scrolling, a page of cards after another.
        let end = "const scroll = document.querySelector('#pool .scroll'); scroll.scrollTop = scroll.scrollHeight; return [...document.querySelectorAll('.cell .card')].at(-1)?.dataset.name === 'Card 1999'";
        for _ in 0..200 {
            if stage.script(end, vec![]).await? == true {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let drawn = "(() => { const scroll = document.querySelector('#pool .scroll'); scroll.scrollTop = scroll.scrollHeight; return [...document.querySelectorAll('.cell .card')].at(-1).querySelector('svg') !== null; })()";
        stage.until("the last card is drawn", drawn).await?;
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

/// A spectator sees both sides; the file is then replayed, hidden cards staying hidden until they are
/// opened.
fn watched<'s>(stage: &'s Stage, folder: &'s Path) -> Played<'s> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go(&stage.link).await?;
        stage.sees("Open the link of each seat").await?;
        let last = "return [...document.querySelectorAll('.seats a')].at(-1).href";
        let link = stage.script(last, vec![]).await?;
        stage.go(link.as_str().unwrap_or_default()).await?;
        stage.shows("[data-zone='A.shell_green'] .strip-name", 12).await?;
        stage.sees("Bert took a mulligan.").await?;
        stage.sees("out of turn").await?;
        stage.find(".steps [aria-current=step]").await?;
        // Two sides of one width, and each of twelve cards has a strip that can be read and clicked.
        let alike = "(() => { const [one, other] = ['A', 'B'].map((seat) => document.querySelector(`[data-zone='${seat}.shell_green']`).getBoundingClientRect().width); return Math.abs(one - other) < 2 && one > 130; })()";
        stage.until("both sides are of one width", alike).await?;
        let strips = "[...document.querySelectorAll(\"[data-zone='A.shell_green'] li\")].every((strip) => strip.getBoundingClientRect().height >= 20)";
        for (width, height) in [(390, 844), (1920, 1080), (1280, 800)] {
            stage.size(width, height).await?;
            stage.until("strips are legible", strips).await?;
            stage.picture(&format!("spectator-{width}")).await?;
        }
        stage.accessible("a spectator").await?;
        // What is no match is refused in a sentence.
        stage.script("location.assign('/replay')", vec![]).await?;
        stage.find("#opens input[type=file]").await?;
        stage.accessible("the page that replays").await?;
        give(stage, "deck.txt", DECK).await?;
        stage.sees("JSON of a match").await?;
        let file = std::fs::read_to_string(folder.join("m.json")).map_err(text)?;
        give(stage, "m.json", &file).await?;
        stage.until("the beginning", "document.body.dataset.at === '0'").await?;
        stage.press("\u{e014}").await?;
        stage.press("\u{e014}").await?;
        stage.until("two moves", "document.body.dataset.at === '2'").await?;
        stage.until("it follows", "[...document.querySelectorAll('.log li:not(.later)')].at(-1).textContent.includes('Ann drew 8 cards')").await?;
        stage.press("\u{e012}").await?;
        stage.until("one move", "document.body.dataset.at === '1'").await?;
        stage.click("[data-key=verified]").await?;
        stage.sees("fit their digests").await?;
        stage.press("\u{e00c}").await?;
        // By the slider, and played from the beginning to the end.
        let slide = "const slider = document.querySelector('[data-key=slider]'); slider.value = 14; slider.dispatchEvent(new Event('input'));";
        stage.script(slide, vec![]).await?;
        stage.until("by the slider", "document.body.dataset.at === '14'").await?;
        stage.find(".log .later").await?;
        stage.picture("replay-middle").await?;
        stage.accessible("a replay in its middle").await?;
        stage.click(".seg [data-key='4']").await?;
        stage.click("[data-key=play]").await?;
        stage.until("it plays", "Number(document.body.dataset.at) > 15").await?;
        stage.click("[data-key=last]").await?;
        stage
            .until(
                "the end",
                "document.querySelector('#transport [role=status]').textContent === '21 of 21'",
            )
            .await?;
        // Hidden cards have no name in the page until they are opened.
        let hands = "document.querySelectorAll('#play .backs [data-name]').length";
        stage.until("the hands are hidden", &format!("{hands} === 0")).await?;
        for (width, height) in [(390, 844), (1920, 1080), (1280, 800)] {
            stage.size(width, height).await?;
            stage.picture(&format!("replay-{width}")).await?;
        }
        stage.accessible("a replay").await?;
        stage.click("[data-key=open]").await?;
        let faces = "document.querySelectorAll('#play .backs [data-name] svg').length > 3";
        stage.until("the hands are open", faces).await?;
        stage.picture("replay-open").await?;
        stage.accessible("a replay with open cards").await
    })
}

/// Chooses a file in the page that replays.
pub(super) async fn give(stage: &Stage, name: &str, content: &str) -> Done {
    let script = "
        const files = new DataTransfer();
        files.items.add(new File([arguments[1]], arguments[0]));
        const input = document.querySelector('input[type=file]');
        input.files = files.files;
        input.dispatchEvent(new Event('change'));";
    stage.script(script, vec![name.into(), content.into()]).await.map(drop)
}
