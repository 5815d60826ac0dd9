//! Every command that README, the pages and the help show outside of blocks: it runs as written in
//! a copy of the clone, or is a call that the program takes.

use super::console::{Part, parts, shell};
use super::readme::{pages, project};
use std::path::Path;

/// Commands that run until they are ended, or need what only a network or a browser has: their words
/// are read and not run.
const ENDLESS: [&str; 5] = ["edit", "serve", "match play", "banlist fetch", "publish"];

fn is_endless(call: &str) -> bool {
    ENDLESS.iter().any(|command| call.starts_with(&format!("decklaw {command}")))
}

/// The words of a call without its redirection, as a shell splits them.
fn words(call: &str) -> Vec<String> {
    let end = [" > ", " < ", " | "].iter().filter_map(|sign| call.find(sign)).min();
    let call = &call[..end.unwrap_or(call.len())];
    let printed = shell(&format!("printf '%s\\n' {call}"), Path::new("."));
    let printed = String::from_utf8(printed.stdout).unwrap();
    printed.lines().map(str::to_owned).collect()
}

/// Whether the program takes a call; an upper-case word that is a number or a day is one.
fn is_taken(call: &str) -> Result<(), String> {
    let taken = decklaw::cli::command().try_get_matches_from(words(call));
    taken.map(drop).map_err(|error| format!("{call}\n{error}"))
}

/// The commands between backticks in the prose of a page.
fn inline(page: &str) -> Vec<String> {
    let prose = parts(page).into_iter().filter_map(|part| match part {
        Part::Prose(prose) => Some(prose),
        Part::Block { .. } => None,
    });
    let code = prose.flat_map(|prose| prose.split('`').skip(1).step_by(2));
    code.filter(|code| code.starts_with("decklaw ")).map(|code| code.replace('\n', " ")).collect()
}

#[test]
fn each_row_of_the_readme_runs() {
    let page = std::fs::read_to_string(crate::common::root().join("README.md")).unwrap();
    let (_, table) = page.split_once("\n## What to use\n").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(2);
    let folder = project();
    let (mut run, mut mistakes) = (0, Vec::new());
    for row in rows {
        let calls = row.split('`').skip(1).step_by(2);
        for call in calls {
            if is_endless(call) {
                mistakes.extend(is_taken(call).err());
                continue;
            }
            let output = shell(call, folder.path());
            run += 1;
            // The samples have broken decks, so the answer of what judges many is "no".
            let may_say_no = call.contains("check decks") || call.contains("stream");
            let code = output.status.code();
            if code != Some(0) && !(may_say_no && code == Some(1)) {
                let shown = String::from_utf8_lossy(&output.stderr).into_owned();
                mistakes.push(format!("$ {call}\n{shown}{:?}", output.status));
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
    assert!(run > 15, "{run} calls");
}

#[test]
fn each_command_in_the_prose_of_a_page_is_taken() {
    let mut mistakes = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for call in inline(&text) {
            // A command alone is its name.
            let is_name = call.split(' ').count() <= 3
                && !call.contains(['-', '/', '.'])
                && decklaw::cli::command()
                    .try_get_matches_from(words(&format!("{call} --help")))
                    .is_err_and(|error| error.kind() == clap::error::ErrorKind::DisplayHelp);
            if !is_name && !call.contains("COMMAND") {
                mistakes.extend(
                    is_taken(&call).err().map(|error| format!("{}: {error}", page.display())),
                );
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
}

/// The examples below the help of every command, in the order of the commands.
fn examples(command: &clap::Command, found: &mut Vec<String>) {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().filter_map(|line| line.strip_prefix("  "));
    found.extend(lines.filter(|line| line.contains("decklaw ")).map(str::to_owned));
    for inner in command.get_subcommands() {
        examples(inner, found);
    }
}

#[test]
fn each_example_of_the_help_runs() {
    let mut command = decklaw::cli::command();
    command.build();
    let mut calls = Vec::new();
    examples(&command, &mut calls);
    let folder = project();
    let mut mistakes = Vec::new();
    for call in &calls {
        if is_endless(call) {
            mistakes.extend(is_taken(call).err());
            continue;
        }
        let output = shell(call, folder.path());
        let code = output.status.code();
        // The answer "no" is one too: a sample that is broken on purpose, a question that is open.
        if !matches!(code, Some(0 | 1)) {
            let shown = String::from_utf8_lossy(&output.stderr).into_owned();
            mistakes.push(format!("$ {call}\n{shown}{code:?}"));
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
    assert!(calls.len() > 60, "{} examples", calls.len());
}
