//! A page for one game that needs no server: the files of a folder, which any web space and any
//! disk can hold.
//!
//! It is the first page and the builder of `decklaw serve` with another carrier
//! (`assets/published/carrier.js`): the engine runs as WebAssembly in workers of the browser. What
//! a browser will not fetch from a disk is in scripts.

use crate::assets::FILES;
use crate::page::head;
use crate::{builder, replay, start};
use data_encoding::BASE64;
use decklaw_ask::{Folder, problem};
use decklaw_text::Problem;
use decklaw_text::digest::sha256;
use flate2::Compression;
use flate2::write::GzEncoder;
use maud::{DOCTYPE, html};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;

/// The modules that a page starts with, and its style sheets.
const STARTS: [(&str, [&str; 2]); 3] = [
    (start::MODULE, start::SHEETS),
    (builder::MODULE, builder::SHEETS),
    (replay::MODULE, replay::SHEETS),
];

/// The text of a file of `assets`.
fn asset(name: &str) -> Result<&'static str, Problem> {
    let file = FILES.get_file(name).and_then(|file| file.contents_utf8());
    file.ok_or_else(problem::defect)
}

/// The modules that those of [`STARTS`] import, by name; one of `published` goes before another of
/// its name.
fn modules() -> Result<BTreeMap<&'static str, String>, Problem> {
    const IMPORT: &str = "'./";
    let mut modules = BTreeMap::new();
    let mut open = STARTS.map(|(module, _)| module).to_vec();
    while let Some(name) = open.pop() {
        if modules.contains_key(name) {
            continue;
        }
        let text = asset(&format!("published/{name}")).or_else(|_| asset(name))?;
        let imports = text.split(IMPORT).skip(1);
        let imports = imports.filter_map(|rest| rest.split_once('\'').map(|(name, _)| name));
        open.extend(imports.filter(|name| name.ends_with(".js")));
        // The address of a module that is not a file has no folder.
        let lines = text.lines().filter(|line| !is_comment(line));
        let lines: String = lines.flat_map(|line| [line, "\n"]).collect();
        modules.insert(name, lines.replace(IMPORT, "'decklaw/"));
    }
    Ok(modules)
}

/// Whether a line of a module is a comment and nothing else: a page goes without.
fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("// ") || (line.starts_with("/**") && line.ends_with("*/"))
}

/// The files of a page for a game that is called so, by their names; `engine` is the library as
/// WebAssembly. Pictures of cards belong next to them, in `pictures`.
///
/// # Errors
/// None in practice: it is plain data.
pub fn published(
    folder: &Folder,
    name: &str,
    engine: &[u8],
) -> Result<BTreeMap<String, Vec<u8>>, Problem> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let packed = packer.write_all(engine).and_then(|()| packer.finish());
    let packed = packed.map_err(|_| problem::defect())?;
    let mut sheets = BTreeMap::new();
    for (module, names) in STARTS {
        let texts: Result<Vec<&str>, Problem> = names.iter().map(|name| asset(name)).collect();
        sheets.insert(module, texts?.concat());
    }
    let page = [
        given("worker", &json!(asset("published/worker.js")?))?,
        given("modules", &json!(modules()?))?,
        given("sheets", &json!(sheets))?,
        asset("published/boot.js")?.to_owned(),
    ];
    let mut files = BTreeMap::from([
        ("icon.svg", asset("icon.svg")?.into()),
        ("game.js", given("game", &json!(folder))?.into_bytes()),
        ("engine.js", given("engine", &json!(BASE64.encode(&packed)))?.into_bytes()),
        ("page.js", page.concat().into_bytes()),
    ]);
    // A browser that has an older file does not take it for this one.
    let address = |name: &str| {
        let digest = files.get(name).map(|bytes: &Vec<u8>| sha256(bytes));
        format!("{name}?v={:.12}", digest.unwrap_or_default())
    };
    let (page, rest) = (address("page.js"), ["game.js", "engine.js"].map(address));
    let index = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (head(name, &[], "icon.svg"))
                meta name="description" content={ "Build decks of " (name) ": judged by its rules, with exact odds" };
            }
            body {
                div #app { noscript { p { "This page needs JavaScript: it checks decks in the browser." } } }
                template #start { (start::published(name)) }
                template #replay { (replay::content()) }
                script src=(page) {}
                @for script in &rest { script src=(script) defer {} }
            }
        }
    };
    let index = index.into_string().into_bytes();
    let all = sha256(&index);
    let names: Vec<&str> = [".", "index.html", "icon.svg", &page]
        .into_iter()
        .chain(rest.iter().map(String::as_str))
        .collect();
    let cache = format!("decklaw {} {all:.16}", folder.game);
    let kept = asset("published/sw.js")?
        .replace("FILES = []", &format!("FILES = {}", json!(names)))
        .replace("NAME = 'decklaw'", &format!("NAME = {}", json!(cache)));
    files.insert("sw.js", kept.into_bytes());
    files.insert("index.html", index);
    Ok(files.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect())
}

/// A script that gives the page a value.
fn given(name: &str, value: &serde_json::Value) -> Result<String, Problem> {
    // A text of JSON is read faster than a script, and no name in it is the script's own.
    let text = serde_json::to_string(&value.to_string()).map_err(|_| problem::defect())?;
    Ok(format!("(globalThis.decklaw ??= {{}}).{name} = JSON.parse({text});\n"))
}
