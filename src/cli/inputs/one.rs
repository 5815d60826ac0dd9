//! The one deck that a command is about.

use super::refuse;
use crate::cli::{CliError, Run, answer, walk};
use crate::deck::{self, Input};
use crate::judge::{Judge, ReadDeck};
use crate::resolve::Resolved;
use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

/// What a deck is written in.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(in crate::cli) enum InputKind {
    // decklaw's text, and pasted lists
    #[value(alias = "pasted")]
    Text,
    Yaml,
    Json,
    // Card numbers
    Ydk,
    // Of Cockatrice, LackeyCCG, Magic Online and OCTGN
    #[value(aliases = ["cod", "dek", "o8d"])]
    Xml,
    // Count, name, section
    #[value(alias = "csv")]
    Table,
    // Holds its deck
    Link,
}

impl From<InputKind> for Input {
    fn from(kind: InputKind) -> Input {
        match kind {
            InputKind::Text => Input::Text,
            InputKind::Yaml => Input::Yaml,
            InputKind::Json | InputKind::Link => Input::Json,
            InputKind::Ydk => Input::Ydk,
            InputKind::Xml => Input::Xml,
            InputKind::Table => Input::Table,
        }
    }
}

/// The bytes of the one deck that a command is about; `-` is standard input.
///
/// # Errors
/// A file that cannot be read, or is larger than a deck may be.
pub(in crate::cli) fn deck_bytes(
    judge: &Judge,
    run: &Run,
    path: &Path,
) -> Result<Vec<u8>, CliError> {
    if path.is_dir() {
        return Err(CliError(format!(
            "{}: this is a folder, and not a deck; name one of the decks in it",
            path.display()
        )));
    }
    if let Some(file) = walk::workbook_of(path) {
        run.reads(&file);
        let read = walk::sheet_text(path);
        return read.map_err(|(message, help)| {
            CliError(format!("{}: {}", path.display(), answer::with_help(&message, &help)))
        });
    }
    if let Some(link) = walk::link_of(path) {
        return as_text(judge, run, (link, Input::Json), link.as_bytes().to_vec());
    }
    let mut bytes = Vec::new();
    let limit = deck::LARGEST_FILE + 1;
    let read = match path.to_str() {
        Some("-") => std::io::stdin().take(limit).read_to_end(&mut bytes),
        _ => {
            run.reads(path);
            std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
        }
    };
    match read {
        Ok(_) if bytes.len() as u64 >= limit => {
            Err(CliError(format!("{}: larger than 16 MiB, so it is no deck", path.display())))
        }
        Ok(_) => {
            let name = path.display().to_string();
            as_text(judge, run, (&name, Input::of_path(path)), bytes)
        }
        Err(error) => Err(CliError(format!("{}: {}", path.display(), answer::io_message(&error)))),
    }
}

/// A deck's file as text; prints a note on how it was decoded.
pub(in crate::cli) fn as_text(
    judge: &Judge,
    run: &Run,
    (name, input): (&str, Input),
    bytes: Vec<u8>,
) -> Result<Vec<u8>, CliError> {
    let refuse = |error| CliError(format!("{name}: {error}"));
    let opened = judge.open_file(&bytes, input, None).map_err(refuse)?;
    if opened.input == Input::Json && input != Input::Json {
        return Err(CliError(format!(
            "{name}: this holds a link and no deck; name the link itself in its place"
        )));
    }
    for note in &opened.notes {
        run.complain("note", &format!("{name}: {note}"));
    }
    Ok(match opened.source {
        Cow::Borrowed(_) => bytes,
        Cow::Owned(text) => text,
    })
}

/// Whether a deck's file still holds the text that was read from it.
pub(in crate::cli) fn is_text(path: &Path, found: &[u8], text: &[u8]) -> bool {
    deck::open_file(found, Input::of_path(path)).is_ok_and(|opened| match opened.western {
        Some(western) => western.as_bytes() == text || found == text,
        None => *opened.source == *text,
    })
}

/// The kind of a deck: the one that the call names, or else that of the file's ending; text for
/// standard input.
pub(in crate::cli) fn input_of(path: &Path, named: Option<InputKind>) -> Input {
    if walk::link_of(path).is_some() {
        return Input::Json;
    }
    let own = || match walk::workbook_of(path) {
        Some(_) => Input::Table,
        None => Input::of_path(path),
    };
    named.map_or_else(own, Input::from)
}

/// Reads a deck of a file format by the rules of the format that it is for. `Err` inside: it is no
/// deck, and why.
///
/// # Errors
/// A format, card file or banlist that is wrong.
pub(in crate::cli) fn deck_as<'b>(
    judge: &Judge,
    name: &str,
    input: Input,
    bytes: &'b [u8],
) -> Result<Result<Resolved<'b>, String>, CliError> {
    let read = judge.read(bytes, input, None).map_err(|error| refuse(&error))?;
    Ok(match read {
        ReadDeck::Deck(resolved) => Ok(*resolved),
        ReadDeck::Unreadable { errors, .. } => Err(syntax(name, &errors)),
        ReadDeck::Formatless { deck, unknown, .. } => {
            let (message, help) = judge.without_format(&deck, unknown.as_deref());
            Err(format!("{name}: {}", answer::with_help(&message, &help)))
        }
    })
}

/// The places at which a file is no deck, a line each.
fn syntax(name: &str, errors: &[deck::SyntaxError]) -> String {
    let each: Vec<String> = errors.iter().map(|error| format!("{name}: {error}")).collect();
    each.join("\n")
}
