//! A published page: opened from a disk, and from a plain server of files that then is gone. It needs the
//! engine, which `.ci/engine` builds and holds to the library's answers.

use super::builder::timed;
use super::driver::{self, Browser, Done, Stage, decklaw};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The engine: the file that `DECKLAW_ENGINE` names, if it is there.
pub(crate) fn engine() -> Option<PathBuf> {
    let named = std::env::var_os("DECKLAW_ENGINE").map(PathBuf::from)?;
    named.is_file().then_some(named)
}

/// The built-in games, each with the format that a deck is built of.
const GAMES: [(&str, &str); 5] = [
    ("shell", "shell"),
    ("vainqueur", "vainqueur"),
    ("vanquishers", "vanquishers"),
    ("vastrix", "vastrix"),
    ("versus", "versus/fast"),
];

pub(crate) type Scene = fn(Browser, &Path, &Path) -> Done;

pub(crate) const ALL: [(&str, Scene); 2] = [
    ("a_published_page_opens_from_a_disk", from_a_disk),
    ("a_published_page_needs_its_server_once", without_a_network),
];

fn publish(folder: &Path, engine: &Path, game: &str) -> Result<PathBuf, String> {
    let name = game.rsplit('/').next().unwrap_or(game);
    let to = folder.join("sites").join(name);
    let (site, engine) = (to.display().to_string(), engine.display().to_string());
    decklaw(folder, &["publish", game, &site, "--engine", &engine], "")?;
    Ok(to)
}

/// A game of two thousand cards with English, German and Japanese names, in a folder.
pub(super) fn large(folder: &Path) -> Result<PathBuf, String> {
    let game = folder.join("thousands");
    std::fs::create_dir_all(&game).map_err(|error| error.to_string())?;
    let file = "schema: decklaw/format/1\ngame: thousands\nname: Thousands\ntext: invented\nfields:\n  - {name: kind, kind: word, values: [Beast, Spell, Relic]}\n  - {name: cost, kind: number}\n  - {name: text, kind: text}\nsections: [{id: main, name: Main, shuffled: true}]\nformats: [{id: thousands, name: Thousands}]\nrules:\n  - {id: size, source: p. 1, about: Sixty cards at the least., must: {size: {sections: [main], min: 60}}}\n  - {id: copies, source: p. 1, about: Four copies at the most., must: {copies: {sections: [main], max: 4}}}\n";
    let mut cards = "name,kind,cost,text\n".to_owned();
    for card in 0..2000 {
        let (kind, cost) = (["Beast", "Spell", "Relic"][card % 3], card % 9);
        let name = ["Card", "Größe", "竜の札", "Card", "Card"][card % 5];
        cards.push_str(&format!(
            "{name} {card:04},{kind},{cost},\"Whenever card {card} is played, its player draws {cost} cards.\"\n"
        ));
    }
    std::fs::write(game.join("game.yaml"), file).map_err(|error| error.to_string())?;
    std::fs::write(game.join("cards.csv"), cards).map_err(|error| error.to_string())?;
    Ok(game)
}

/// Everything that a browser loads, packed as a server packs it.
fn weight(site: &Path) -> Result<u64, String> {
    let mut sum = 0;
    for entry in std::fs::read_dir(site).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(&bytes).map_err(|error| error.to_string())?;
        sum += packer.finish().map_err(|error| error.to_string())?.len() as u64;
    }
    Ok(sum)
}

/// When the page showed the first verdict, in milliseconds from its beginning.
const FIRST: &str = "return performance.getEntriesByName('answered')[0].startTime";

/// Plays in a browser whose first page is an address.
fn played(
    browser: Browser,
    folder: &Path,
    address: &str,
    scene: impl AsyncFnOnce(&Stage) -> Done,
) -> Done {
    driver::played(&[browser], folder, address, async |stages| {
        goes(&stages[0], address).await?;
        scene(&stages[0]).await
    })
}

async fn goes(stage: &Stage, address: &str) -> Done {
    // An address that differs behind its `#` alone is the same page to a browser.
    let leave = stage.client.goto("about:blank").await;
    leave.map_err(|error| error.to_string())?;
    let gone = stage.client.goto(address).await;
    gone.map_err(|error| format!("{address}: {error}"))
}

fn from_a_disk(browser: Browser, folder: &Path, engine: &Path) -> Done {
    let mut sites = Vec::new();
    for (game, format) in GAMES {
        sites.push((publish(folder, engine, game)?, format));
    }
    let large = large(folder)?.display().to_string();
    sites.push((publish(folder, engine, &large)?, "thousands"));
    let shell =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("decks/shell/ebb.txt"));
    let shell = shell.map_err(|error| error.to_string())?;
    let link = decklaw(folder, &["convert", "-", "--to-format", "link"], &shell)?;
    let code = link.trim().split_once('#').ok_or("no link")?.1.to_owned();
    played(browser, folder, "about:blank", async |stage| {
        for (at, (site, format)) in sites.iter().enumerate() {
            let page = format!("file://{}/index.html", site.display());
            stage.size(1280, 900).await?;
            goes(stage, &page).await?;
            stage.find("[data-ready]").await?;
            if at == 0 {
                stage.accessible("the first page of a published game").await?;
                stage.picture("published-first-1280").await?;
            }
            goes(stage, &format!("{page}#f={format}")).await?;
            stage.find("[data-ready] [data-verdict]").await?;
            let first = stage.script(FIRST, vec![]).await?;
            let weight = weight(site)?;
            println!(
                "published {format} in {}: {} kB packed (goal 1800), first verdict after {:.0} ms (goal 1000)",
                stage.browser.name(),
                weight / 1000,
                first.as_f64().unwrap_or(f64::NAN),
            );
            // With a standard library that is not built for size a tenth of a megabyte comes on top.
            if weight > 2_100_000 {
                return Err(format!("the page of {format} weighs {weight} bytes"));
            }
            stage.accessible(format).await?;
        }
        // What is built stays, here and in its link, and the program reads it.
        let (page, _) = sites.first().ok_or("no site")?;
        let page = format!("file://{}/index.html", page.display());
        goes(stage, &format!("{page}#f=shell&{code}")).await?;
        stage.verdict("legal").await?;
        stage.click_text("#bar button", "Edit a copy").await?;
        stage.script("document.querySelector('#deck .stack .less').click()", vec![]).await?;
        stage.verdict("incomplete").await?;
        stage.until("it is stored", "document.querySelector('.saved').textContent === 'Saved' && location.hash.includes('d=')").await?;
        stage.picture("published-builder-1280").await?;
        let there = stage.script("return location.href", vec![]).await?;
        let there = there.as_str().unwrap_or_default().to_owned();
        let answer = decklaw(folder, &["check", "-", "-o", "json"], &there)?;
        let answer: Value = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
        if answer["decks"][0]["verdict"] != "incomplete" {
            return Err(format!("the program reads another deck from {there}: {answer}"));
        }
        // Finished as the engine suggests, with odds, in the second worker.
        stage.click(".says .fixes .btn").await?;
        stage.click_text("dialog .acts .btn", "Fix").await?;
        stage.verdict("legal").await?;
        stage.click_text("#bar .btn", "Share").await?;
        stage
            .until(
                "the deck as text",
                "document.querySelector('dialog textarea').value.includes('Format: shell')",
            )
            .await?;
        let saved = "document.querySelector('.saved').textContent === 'Saved'";
        stage.until("the mended deck is kept", saved).await?;
        goes(stage, &page).await?;
        stage.find("[data-ready] #mine .decks a").await?;
        stage.size(390, 844).await?;
        stage.picture("published-first-390").await?;
        stage.click("#mine .decks a").await?;
        stage.verdict("legal").await?;
        // A list from anywhere, one line of it wrong.
        goes(stage, &page).await?;
        stage.find("[data-ready]").await?;
        stage.fill("#text", "Main\n3 Moss Sprite\nthree of these\n").await?;
        stage.click("#check button.main").await?;
        stage.sees("Line 3").await?;
        stage.size(1280, 800).await?;
        goes(stage, &format!("{page}#f=shell&{code}")).await?;
        stage.verdict("legal").await?;
        stage.find(".cell .card").await?;
        timed(stage, "published").await
    })
}

/// A server of a folder's files and nothing else, until it is dropped.
struct Files {
    address: String,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Files {
    fn serve(site: &Path) -> Result<Files, String> {
        let site = site.to_owned();
        let give = async move |uri: axum::http::Uri| {
            let path = uri.path().trim_start_matches('/');
            let path = if path.is_empty() { "index.html" } else { path };
            let kind = match path.rsplit('.').next() {
                Some("html") => "text/html",
                Some("js") => "text/javascript",
                Some("css") => "text/css",
                Some("svg") => "image/svg+xml",
                _ => "application/octet-stream",
            };
            let found = std::fs::read(site.join(path));
            found
                .map(|bytes| ([(axum::http::header::CONTENT_TYPE, kind)], bytes))
                .map_err(|_| axum::http::StatusCode::NOT_FOUND)
        };
        let router = axum::Router::new().fallback(give);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = listener.map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        runtime.spawn(async move { axum::serve(listener, router).await });
        Ok(Files { address: format!("http://{address}/"), runtime: Some(runtime) })
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn without_a_network(browser: Browser, folder: &Path, engine: &Path) -> Done {
    let files = Files::serve(&publish(folder, engine, "shell")?)?;
    let page = files.address.clone();
    played(browser, folder, &page, async |stage| {
        goes(stage, &format!("{page}#f=shell")).await?;
        stage.verdict("incomplete").await?;
        stage
            .until("all is kept", "navigator.serviceWorker.controller !== null || (navigator.serviceWorker.ready.then(() => { window.kept = true; }), window.kept === true)")
            .await?;
        let foreign = "return performance.getEntriesByType('resource').map((one) => one.name).filter((name) => !name.startsWith(location.origin) && !name.startsWith('data:') && !name.startsWith('blob:'))";
        let foreign = stage.script(foreign, vec![]).await?;
        if foreign != json!([]) {
            return Err(format!("the page fetches {foreign}"));
        }
        drop(files);
        goes(stage, &page).await?;
        stage.find("[data-ready]").await?;
        goes(stage, &format!("{page}#f=shell")).await?;
        stage.verdict("incomplete").await?;
        stage.click(".cell .card").await?;
        let saved = "document.querySelector('.saved').textContent === 'Saved'";
        stage.until("it is stored", saved).await
    })
}
