//! Runs the examples of README and of the pages in `docs`, and compares their output.

use super::console::{Part, copy, parts, shell, steps};
use crate::common::root;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// A program of `examples/`, run as a test.
macro_rules! example {
    ($name:ident, $runs:ident, $file:literal) => {
        #[path = $file]
        mod $name;

        #[test]
        fn $runs() {
            let ran = $name::main().map_err(|error| error.to_string());
            assert_eq!(ran, Ok(()));
            assert!(include_str!($file).lines().count() < 40);
            assert!(types_named(include_str!($file)) <= 6);
        }
    };
}

example!(deck, deck_runs, "../../examples/deck.rs");
example!(web, web_runs, "../../examples/web.rs");
example!(deal, match_runs, "../../examples/match.rs");
example!(bot, bot_runs, "../../examples/bot.rs");

/// How many types of the library a program names: what a reader has to know first.
fn types_named(program: &str) -> usize {
    let named = program.lines().filter_map(|line| line.strip_prefix("use decklaw::"));
    named
        .flat_map(|names| names.split([',', '{', '}', ' ', ';']))
        .filter(|name| name.starts_with(|first: char| first.is_ascii_uppercase()))
        .count()
}

/// A copy of the files that the examples read, for what they write.
pub(crate) fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for part in ["banlists", "decks", "docs", "examples", "formats", "README.md"] {
        copy(&root().join(part), &folder.path().join(part));
    }
    folder
}

/// Whether a line of a page matches a line of output; `[..]` matches any text.
fn line_matches(shown: &str, printed: &str) -> bool {
    let mut parts = shown.trim_end().split("[..]");
    let Some(mut rest) = printed.trim_end().strip_prefix(parts.next().unwrap()) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether the lines of a page match the lines of output; `...` matches any number of lines.
fn output_matches(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], printed) => printed.is_empty(),
        (["...", shown @ ..], _) => {
            (0..=printed.len()).any(|at| output_matches(shown, &printed[at..]))
        }
        ([first, shown @ ..], [line, printed @ ..]) => {
            line_matches(first, line) && output_matches(shown, printed)
        }
        (_, []) => false,
    }
}

/// The lines of a text without empty ones at its ends.
fn trimmed(text: &str) -> Vec<&str> {
    text.trim_matches('\n').lines().collect()
}

/// Runs every `console` block of a page in a copy of the project. Returns the page with the output
/// that it should show, and the number of commands.
fn run_page(text: &str, mistakes: &mut Vec<String>) -> (String, usize) {
    let (folder, mut commands, mut page) = (project(), 0, String::new());
    for part in parts(text) {
        let (info, body) = match part {
            Part::Prose(prose) => {
                page += prose;
                continue;
            }
            Part::Block { info, body } => (info, body),
        };
        page += &format!("\n```{info}");
        if !info.starts_with("console") {
            page += &format!("\n{body}\n```");
            continue;
        }
        let steps = steps(info, body);
        for (at, step) in steps.iter().enumerate() {
            let command = step.command;
            let output = shell(&format!("exec 2>&1; {command}"), folder.path());
            let printed: String = String::from_utf8(output.stdout)
                .unwrap()
                .lines()
                .map(|line| format!("{}\n", line.trim_end()))
                .collect();
            let printed = printed.trim_matches('\n');
            let status = output.status.code();
            let matches = output_matches(&trimmed(step.below), &trimmed(printed));
            if status != Some(step.status) || !matches {
                let expected = step.status;
                mistakes.push(format!(
                    "$ {command}\n{printed}\nexit status {status:?}; the page has {expected}"
                ));
            }
            let lines = if matches { step.below.trim_matches('\n') } else { printed };
            page += format!("\n$ {command}\n{lines}").trim_end();
            if !lines.is_empty() && at + 1 < steps.len() {
                page += "\n";
            }
            commands += 1;
        }
        page += "\n```";
    }
    (page, commands)
}

/// README and the pages of the documentation.
pub(crate) fn pages() -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join("docs")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    std::iter::once(root().join("README.md")).chain(pages).collect()
}

/// Every page begins with a command, and shows what the program prints. `UPDATE_PAGES=1` writes
/// changed output into the pages.
#[test]
fn pages_show_what_the_program_prints() {
    let pages = pages();
    let (mut mistakes, mut all) = (Vec::new(), 0);
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let before = mistakes.len();
        let (updated, commands) = run_page(&text, &mut mistakes);
        assert!(commands > 0, "{} shows no command", page.display());
        if mistakes.len() > before && std::env::var_os("UPDATE_PAGES").is_some() {
            std::fs::write(&page, updated).unwrap();
        }
        all += commands;
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
    assert!(all > 50, "{all} commands");
}

/// Every link of a page to a file or a heading leads there.
#[test]
fn links_of_pages_lead_somewhere() {
    let anchor = |heading: &str| {
        let kept = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || " -".contains(*letter));
        kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect::<String>()
    };
    let mut pages = pages();
    pages.push(root().join("CONTRIBUTING.md"));
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let (link, _) = link.split_once(')').unwrap();
            if link.contains("://") {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let file =
                if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            assert!(file.exists(), "{}: {link}", page.display());
            let there = heading.is_empty()
                || std::fs::read_to_string(&file)
                    .unwrap()
                    .lines()
                    .any(|line| line.starts_with('#') && anchor(line) == heading);
            assert!(there, "{}: {link}", page.display());
        }
    }
}

/// `docs/architecture.md` draws the packages as they are.
#[test]
fn packages_use_those_above_them_in_the_picture() {
    let page = std::fs::read_to_string("docs/architecture.md").unwrap();
    let picture = page.split("```text\n").find(|part| part.starts_with("text\n")).unwrap();
    let picture = picture.split("```").next().unwrap();
    let lines: BTreeMap<&str, usize> = (picture.lines().enumerate())
        .flat_map(|(line, words)| words.split_whitespace().map(move |word| (word, line)))
        .collect();

    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"])
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&cargo.stdout).unwrap();
    let short = |name: &Value| {
        let name = name.as_str().unwrap();
        name.strip_prefix("decklaw-").unwrap_or(name).to_owned()
    };
    let (mut met, mut wrong) = (Vec::new(), Vec::new());
    for package in metadata["packages"].as_array().unwrap() {
        let name = short(&package["name"]);
        met.push(name.clone());
        for used in package["dependencies"].as_array().unwrap() {
            if used["path"].is_null() || used["kind"] == "dev" {
                continue;
            }
            let used = short(&used["name"]);
            let line = |name: &str| lines.get(name).copied();
            if line(&used).is_none() || line(&used) >= line(&name) {
                wrong.push(format!("{name} uses {used}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{picture}");
    met.sort();
    let mut drawn: Vec<String> = lines.keys().map(|name| (*name).to_owned()).collect();
    drawn.sort();
    assert_eq!(met, drawn);
}
