//! The one deck that a command is about.

use super::refuse;
use crate::cli::walk::{self, DeckSource};
use crate::cli::{CliError, Run, answer};
use crate::deck::{self, Input, OpenedDeck};
use crate::judge::{Judge, ReadDeck};
use crate::resolve::Resolved;
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

/// The one deck that a command is about: its name, what it is written in, and its bytes.
///
/// # Errors
/// A file that cannot be read, or is larger than a deck may be.
pub(in crate::cli) fn deck_bytes(
    run: &Run,
    path: &Path,
    from: Option<InputKind>,
) -> Result<(String, Input, Vec<u8>), CliError> {
    if path.is_dir() {
        return Err(CliError(format!(
            "{}: this is a folder; name one of its decks",
            path.display()
        )));
    }
    let sources = walk::decks(run, &[path.to_owned()])?;
    let [source] = sources.as_slice() else {
        let message = format!("{}: {} decks", path.display(), sources.len());
        return Err(CliError(format!("{message}; name one of them")));
    };
    let (name, input) = (source.name(), source.input(from.map(Input::from)));
    let bytes = source.alone().map_err(|(message, help)| {
        CliError(format!("{name}: {}", answer::with_help(&message, &help)))
    })?;
    Ok((name, input, bytes))
}

/// A deck that a call names: its file, decoded.
pub(in crate::cli) struct NamedDeck {
    /// The file as it is named.
    pub(in crate::cli) name: String,
    /// Its text, and what is to be known of it.
    pub(in crate::cli) opened: OpenedDeck<'static>,
}

impl NamedDeck {
    /// Reads the one deck that a command is about; `-` is standard input.
    ///
    /// # Errors
    /// A file that cannot be read, or is larger than a deck may be.
    pub(in crate::cli) fn open(
        judge: &Judge,
        run: &Run,
        path: &Path,
        from: Option<InputKind>,
    ) -> Result<NamedDeck, CliError> {
        let (name, input, bytes) = deck_bytes(run, path, from)?;
        NamedDeck::decoded(judge, name, input, &bytes)
    }

    /// Reads a deck that a call names or a walk met. `Err` inside: it cannot be read, and why.
    ///
    /// # Errors
    /// A file that holds a link.
    pub(in crate::cli) fn of(
        judge: &Judge,
        source: &DeckSource,
        named: Option<Input>,
    ) -> Result<Result<NamedDeck, String>, CliError> {
        let (name, input) = (source.name(), source.input(named));
        let mut bytes = Vec::new();
        if let Err((message, help)) = source.read(&mut bytes) {
            return Ok(Err(format!("{name}: {}", answer::with_help(&message, &help))));
        }
        NamedDeck::decoded(judge, name, input, &bytes).map(Ok)
    }

    fn decoded(
        judge: &Judge,
        name: String,
        input: Input,
        bytes: &[u8],
    ) -> Result<NamedDeck, CliError> {
        let opened = judge.open_file(bytes, input, None);
        let opened = opened.map_err(|error| CliError(format!("{name}: {error}")))?;
        if opened.input == Input::Json && input != Input::Json {
            return Err(CliError(format!("{name}: this file holds a link; name the link itself")));
        }
        Ok(NamedDeck { name, opened: opened.into_owned() })
    }

    /// The deck by the rules of the format that it is for; its notes are printed. `Err` inside: it is
    /// no deck, and why.
    ///
    /// # Errors
    /// A format, card file or banlist that is wrong.
    pub(in crate::cli) fn resolved(
        &self,
        judge: &Judge,
        run: &Run,
    ) -> Result<Result<Resolved<'_>, String>, CliError> {
        let name = &self.name;
        let read = judge.read(&self.opened, None).map_err(|error| refuse(&error))?;
        Ok(match read {
            ReadDeck::Deck(resolved) => {
                run.print_notes(name, &resolved.notes());
                Ok(*resolved)
            }
            ReadDeck::Unreadable { errors, .. } => Err(syntax(name, &errors)),
            ReadDeck::Formatless { deck, unknown, .. } => {
                let missing = judge.without_format(&deck, unknown.as_deref());
                let (message, help) = (missing.message, missing.help);
                Err(format!("{name}: {}", answer::with_help(&message, &help)))
            }
        })
    }
}

/// Whether a deck's file still holds the text that was read from it.
pub(in crate::cli) fn is_text(path: &Path, found: &[u8], text: &[u8]) -> bool {
    deck::open_file(found, Input::of_path(path)).is_ok_and(|opened| match opened.western {
        Some(western) => western.as_bytes() == text || found == text,
        None => *opened.source == *text,
    })
}

/// The places at which a file is no deck, a line each.
fn syntax(name: &str, errors: &[deck::SyntaxError]) -> String {
    let each: Vec<String> = errors.iter().map(|error| format!("{name}: {error}")).collect();
    each.join("\n")
}
