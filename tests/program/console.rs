//! Commands in the `console` blocks of Markdown pages.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A part of a page.
pub(crate) enum Part<'t> {
    Prose(&'t str),
    /// A fenced block: the words after its fence, and its lines.
    Block {
        info: &'t str,
        body: &'t str,
    },
}

/// The parts of a page, in order.
pub(crate) fn parts(page: &str) -> Vec<Part<'_>> {
    let (mut parts, mut rest) = (Vec::new(), page);
    while let Some((prose, after)) = rest.split_once("\n```") {
        let (info, after) = after.split_once('\n').unwrap();
        let (body, after) = after.split_once("\n```").unwrap();
        parts.extend([Part::Prose(prose), Part::Block { info, body }]);
        rest = after;
    }
    parts.push(Part::Prose(rest));
    parts
}

/// A command of a block: its line, the lines below it, and its exit status.
pub(crate) struct Step<'t> {
    pub(crate) command: &'t str,
    pub(crate) below: &'t str,
    pub(crate) status: i32,
}

/// The commands of a `console` block. `exit=N` is the status of the last command, `each=N` that of
/// all; otherwise it is 0.
pub(crate) fn steps<'t>(info: &str, body: &'t str) -> Vec<Step<'t>> {
    let number = |key: &str| info.split(' ').find_map(|word| word.strip_prefix(key));
    let number = |key| number(key).map(|status| status.parse().unwrap());
    let (last, each) = (number("exit="), number("each="));
    let lines = body.strip_prefix("$ ").unwrap();
    let mut steps: Vec<Step> = lines
        .split("\n$ ")
        .map(|step| {
            let (command, below) = step.split_once('\n').unwrap_or((step, ""));
            let status = each.unwrap_or(0);
            Step { command, below, status }
        })
        .collect();
    if let (Some(step), Some(status)) = (steps.last_mut(), last) {
        step.status = status;
    }
    steps
}

/// Runs a command in a folder by the shell. The configuration is that of its folder `config`.
/// `DECKLAW` names another program than the one that was built, such as that of the wheel.
pub(crate) fn shell(command: &str, folder: &Path) -> Output {
    let program = std::env::var("DECKLAW");
    let program = program.unwrap_or_else(|_| env!("CARGO_BIN_EXE_decklaw").to_owned());
    let program = Path::new(&program).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("COLUMNS", "80")
        .env("DECKLAW_CONFIG", "config")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Copies a file, or a folder with all that is in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        std::fs::copy(from, to).unwrap();
        return;
    }
    std::fs::create_dir_all(to).unwrap();
    for inside in std::fs::read_dir(from).unwrap() {
        let inside = inside.unwrap();
        copy(&inside.path(), &to.join(inside.file_name()));
    }
}
