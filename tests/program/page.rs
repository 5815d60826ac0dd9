//! `decklaw publish`: what it writes, what it leaves out, and what it refuses. The page itself is
//! opened in browsers by `tests/browser/published.rs`.

use crate::common::{root, run, said, tree};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

fn publish(folder: &Path, call: &str) -> Output {
    run(folder, &format!("publish {call}"))
}

/// As much of an engine as the command looks at.
fn engine(folder: &Path, mark: &str) {
    std::fs::write(folder.join("engine.wasm"), format!("\0asm {mark}")).unwrap();
}

fn made() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    engine(place.path(), decklaw::ENGINE);
    place
}

/// A value that a script of the page gives: `(…).NAME = JSON.parse("…");`.
fn given(site: &Path, file: &str, name: &str) -> Value {
    let script = std::fs::read_to_string(site.join(file)).unwrap();
    let start = format!("(globalThis.decklaw ??= {{}}).{name} = JSON.parse(");
    let line = script.lines().find_map(|line| line.strip_prefix(&start));
    let text = line.unwrap().strip_suffix(");").unwrap();
    let text: String = serde_json::from_str(text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The names behind `from '…'`, `import '…'` and `import('…')`.
fn imported(module: &str) -> BTreeSet<String> {
    let starts = ["from '", "import '", "import('"];
    let each = starts.iter().flat_map(|start| module.split(start).skip(1));
    each.filter_map(|rest| Some(rest.split_once('\'')?.0.to_owned())).collect()
}

#[test]
fn a_page_is_whole_and_fetches_nothing_from_elsewhere() {
    let place = made();
    for game in ["shell", "vainqueur", "vanquishers", "vastrix", "versus"] {
        let told = publish(place.path(), &format!("{game} {game} --engine engine.wasm"));
        assert_eq!(told.status.code(), Some(0), "{}", said(&told));
        let site = place.path().join(game);
        let index = std::fs::read_to_string(site.join("index.html")).unwrap();
        // Each file that the page names is there, and each module that a module names.
        for part in index.split(['"', '=']).filter(|part| part.contains("?v=")) {
            assert!(site.join(part.split('?').next().unwrap()).is_file(), "{part}");
        }
        let modules = given(&site, "page.js", "modules");
        let modules: BTreeMap<String, String> = serde_json::from_value(modules).unwrap();
        for (name, module) in &modules {
            for other in imported(module) {
                let other = other.strip_prefix("decklaw/").unwrap_or(&other).to_owned();
                assert!(modules.contains_key(&other), "{name} imports {other}");
            }
        }
        let worker = given(&site, "page.js", "worker");
        let texts = modules.values().map(String::as_str).chain([&*index, worker.as_str().unwrap()]);
        for text in texts {
            assert!(!text.contains("http://") && !text.contains("https://"), "{text}");
        }
        // It begins with the game's own files.
        let folder = given(&site, "game.js", "game");
        assert_eq!(folder["game"], game);
        assert!(folder["files"]["game.yaml"].is_string());
        // What its cards are drawn with, and no other game's drawings.
        let drawings = folder["files"].as_object().unwrap().keys();
        let drawings = drawings.filter(|name| name.starts_with("art/")).count();
        assert!((2..90).contains(&drawings), "{game}: {drawings}");
    }
}

/// What a module exports, by name.
fn exported(module: &str) -> BTreeSet<String> {
    let words = |rest: &str| -> Option<String> {
        let rest = rest.strip_prefix("async ").unwrap_or(rest);
        let rest = rest.strip_prefix("function ").or_else(|| rest.strip_prefix("const "))?;
        Some(rest.split(|letter: char| !letter.is_alphanumeric()).next()?.to_owned())
    };
    module.lines().filter_map(|line| words(line.strip_prefix("export ")?)).collect()
}

#[test]
fn both_carriers_carry_the_same() {
    let [served, published] = ["carrier.js", "published/carrier.js"].map(|file| {
        let assets = root().join("crates/server/src/assets");
        exported(&std::fs::read_to_string(assets.join(file)).unwrap())
    });
    assert!(served.contains("ask") && served.len() > 5, "{served:?}");
    assert_eq!(served, published);
}

#[test]
fn what_else_lies_in_a_folder_is_not_published() {
    let place = made();
    let game = place.path().join("grove");
    std::fs::create_dir_all(game.join("pictures")).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(game.join(name), bytes).unwrap();
    write("game.yaml", b"schema: decklaw/format/1\ngame: grove\nname: Grove\ntext: none\nsections: [{id: main, name: Main, shuffled: true}]\nformats: [{id: grove, name: Grove}]\nrules:\n  - {id: size, source: p. 1, about: a, must: {size: {sections: [main], min: 4}}}\n");
    write("cards.csv", b"name\nAsh\nElm\n");
    write("notes.yaml", b"to: nobody but me");
    write("letters.txt", b"to nobody but me");
    std::fs::create_dir(game.join("decks")).unwrap();
    write("decks/four.txt", b"Format: grove\nName: Four\n\nMain\n4 Ash\n");
    write("decks/plan.md", b"to nobody but me");
    write("prices.csv", b"name,price\nAsh,900\n");
    write("pictures/Ash.svg", b"<svg/>");
    write("pictures/Ash.png", b"\x89PNG");
    let told = publish(place.path(), "grove site --engine engine.wasm");
    assert_eq!(told.status.code(), Some(0), "{}", said(&told));
    let site = place.path().join("site");
    let folder = given(&site, "game.js", "game");
    let names: Vec<&String> = folder["files"].as_object().unwrap().keys().collect();
    let (drawings, files): (Vec<&String>, Vec<&String>) =
        names.into_iter().partition(|name| name.starts_with("art/"));
    assert_eq!(files, ["cards.csv", "game.yaml"]);
    // A game without `face:` is drawn with any scene and with nothing else.
    assert_eq!(drawings.len(), 15, "{drawings:?}");
    let samples: Vec<&String> = folder["samples"].as_object().unwrap().keys().collect();
    assert_eq!(samples, ["four.txt"]);
    assert_eq!(folder["pictures"], serde_json::json!(["Ash.png"]));
    assert!(tree(&site.join("pictures")).keys().eq(["Ash.png"]));
}

#[test]
fn what_decides_besides_the_rules_goes_with_the_page() {
    let place = made();
    std::fs::write(place.path().join("own.csv"), "name,type,colour,mana\nNewt,spell,red,1\n")
        .unwrap();
    let own = place.path().join("own.csv").display().to_string();
    let folder = |more: &str| {
        let site = place.path().join("site");
        let call = format!("shell site --engine engine.wasm --replace {more}");
        let told = publish(place.path(), &call);
        assert_eq!(told.status.code(), Some(0), "{}", said(&told));
        given(&site, "game.js", "game")
    };
    let plain = folder("");
    assert_eq!(
        (&plain["day"], &plain["cards"], &plain["list"]),
        (&Value::Null, &Value::Null, &"in-force".into())
    );
    let all =
        folder(&format!("--cards {own} --set unknown=notice --as-of 2026-03-01 --banlist none"));
    assert_eq!(all["day"], "2026-03-01");
    assert_eq!(all["settings"]["unknown"], "notice");
    assert_eq!((&all["list"], &all["lists"]), (&"always".into(), &serde_json::json!([])));
    // Where it lies on the publisher's machine is nobody's business.
    assert_eq!(all["cards"][0], "own.csv");
    // The cards of the game's own folder are then nobody's.
    assert!(all["files"]["cards.csv"].is_null());
}

#[test]
fn a_page_that_is_there_is_replaced_when_that_is_wished() {
    let place = made();
    let call = "shell site --engine engine.wasm";
    for _ in 0..2 {
        // The same again is no change.
        assert_eq!(publish(place.path(), call).status.code(), Some(0));
    }
    let index = place.path().join("site/index.html");
    std::fs::write(&index, "my own page").unwrap();
    let told = publish(place.path(), call);
    assert_eq!(told.status.code(), Some(2));
    assert!(said(&told).contains("--replace"), "{}", said(&told));
    assert_eq!(std::fs::read_to_string(&index).unwrap(), "my own page");
    let told = publish(place.path(), &format!("{call} --replace"));
    assert_eq!(told.status.code(), Some(0), "{}", said(&told));
    assert!(std::fs::read_to_string(&index).unwrap().contains("game.js"));
}

#[test]
fn what_cannot_be_a_page_is_refused_before_anything_is_written() {
    let place = made();
    let refused = |call: &str, why: &str| {
        let told = publish(place.path(), call);
        assert_eq!(told.status.code(), Some(2), "{call}");
        assert!(said(&told).contains(why), "{call}: {}", said(&told));
        assert!(!place.path().join("site").exists(), "{call}");
    };
    // A program that no engine lies near says how to get one.
    let alone = place.path().join("decklaw");
    std::fs::copy(env!("CARGO_BIN_EXE_decklaw"), &alone).unwrap();
    let told = Command::new(alone)
        .args(["publish", "shell", "site"])
        .current_dir(place.path())
        .output()
        .unwrap();
    assert_eq!(told.status.code(), Some(2));
    assert!(said(&told).contains("`bash .ci/engine`"), "{}", said(&told));
    refused("no-game site --engine engine.wasm", "no-game");
    refused("shell site --engine none.wasm", "none.wasm");
    refused("shell site --engine engine.wasm --set no-setting=1", "no-setting");
    refused("versus/fast site --engine engine.wasm", "is a format of `versus`");
    std::fs::write(place.path().join("text.wasm"), decklaw::ENGINE).unwrap();
    refused("shell site --engine text.wasm", "not WebAssembly");
    // Another version, and other sources of the same version.
    let version = env!("CARGO_PKG_VERSION");
    for (mark, said) in [
        (format!("decklaw-engine {version}1 0\n"), "same release"),
        (format!("decklaw-engine {version} 0\n"), "other sources"),
    ] {
        engine(place.path(), &mark);
        refused("shell site --engine engine.wasm", said);
    }
}
