//! A page for one game that needs no server: the files of a folder, which any web space and any
//! disk can hold.
//!
//! It is the builder of `decklaw serve` with another carrier (`assets/published/carrier.js`): questions go
//! to the library as WebAssembly in workers of the browser, and decks are kept there, too. What a
//! browser will not fetch from a disk stands in scripts.

use crate::assets::FILES;
use crate::page::head;
use data_encoding::BASE64;
use decklaw_ask::{Folder, problem};
use decklaw_core::Problem;
use decklaw_core::digest::sha256;
use flate2::Compression;
use flate2::write::GzEncoder;
use maud::{DOCTYPE, html};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;

/// The modules that the page runs, by the names under which they import each other.
const MODULES: [(&str, &str); 12] = [
    ("api.js", "api.js"),
    ("builder.js", "builder.js"),
    ("card.js", "card.js"),
    ("cards.js", "cards.js"),
    ("carrier.js", "published/carrier.js"),
    ("deck.js", "deck.js"),
    ("finish.js", "finish.js"),
    ("list.js", "list.js"),
    ("problem.js", "problem.js"),
    ("rules.js", "rules.js"),
    ("start.js", "published/start.js"),
    ("tools.js", "tools.js"),
];

/// The files of a page for a game that is called so, by their names; `engine` is the library as
/// WebAssembly. Pictures of cards are to be laid beside them, in `pictures`.
///
/// # Errors
/// None in practice: it is plain data.
pub fn published(
    folder: &Folder,
    name: &str,
    engine: &[u8],
) -> Result<BTreeMap<String, Vec<u8>>, Problem> {
    let asset = |name: &str| {
        let file = FILES.get_file(name).and_then(|file| file.contents_utf8());
        file.ok_or_else(problem::defect)
    };
    let mut modules = BTreeMap::new();
    for (name, file) in MODULES {
        // The address of a module that is no file has no folder.
        modules.insert(name, asset(file)?.replace("'./", "'decklaw/"));
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let packed = packer.write_all(engine).and_then(|()| packer.finish());
    let packed = packed.map_err(|_| problem::defect())?;
    let page = format!(
        "{}{}",
        given("worker", &json!(asset("published/worker.js")?))?
            + &given("modules", &json!(modules))?,
        asset("published/boot.js")?
    );
    let mut files = BTreeMap::from([
        ("style.css", asset("style.css")?.into()),
        ("icon.svg", asset("icon.svg")?.into()),
        ("game.js", given("game", &json!(folder))?.into_bytes()),
        (
            "engine.js",
            given("engine", &json!(BASE64.encode(&packed)))?.into_bytes(),
        ),
        ("page.js", page.into_bytes()),
    ]);
    // A browser that has an older file does not take it for this one.
    let address = |name: &str| {
        let digest = files.get(name).map(|bytes: &Vec<u8>| sha256(bytes));
        format!("{name}?v={:.12}", digest.unwrap_or_default())
    };
    let scripts = ["game.js", "engine.js", "page.js"].map(address);
    let style = address("style.css");
    let index = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (head(name, std::slice::from_ref(&style), "icon.svg"))
                meta name="description" content={ "Build decks of " (name) ": judged by its rules, with exact odds" };
            }
            body {
                div #app {
                    p.loading { (name) }
                    noscript { p { "This page needs JavaScript: it judges decks in the browser." } }
                }
                @for script in &scripts { script src=(script) {} }
            }
        }
    };
    let index = index.into_string().into_bytes();
    let all = sha256(&index);
    let names: Vec<&str> = [".", "index.html", &style, "icon.svg"]
        .into_iter()
        .chain(scripts.iter().map(String::as_str))
        .collect();
    let cache = format!("decklaw {} {all:.16}", folder.game);
    let kept = asset("published/sw.js")?
        .replace("FILES = []", &format!("FILES = {}", json!(names)))
        .replace("NAME = 'decklaw'", &format!("NAME = {}", json!(cache)));
    files.insert("sw.js", kept.into_bytes());
    files.insert("index.html", index);
    Ok(files
        .into_iter()
        .map(|(name, bytes)| (name.to_owned(), bytes))
        .collect())
}

/// A script that gives the page a value.
fn given(name: &str, value: &serde_json::Value) -> Result<String, Problem> {
    // A text of JSON is read faster than a script, and no name in it is the script's own.
    let text = serde_json::to_string(&value.to_string()).map_err(|_| problem::defect())?;
    Ok(format!(
        "(globalThis.decklaw ??= {{}}).{name} = JSON.parse({text});\n"
    ))
}
