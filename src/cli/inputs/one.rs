//! The one deck that a command is about.

use crate::cli::walk::{self, DeckSource};
use crate::cli::{CliError, Run, answer};
use crate::deck::{self, Input, OpenedDeck};
use crate::judge::{Judge, ReadDeck};
use crate::resolve::Resolved;
use crate::text::ReadError;
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

/// A deck that a call names: its file's bytes.
pub(in crate::cli) struct DeckBytes {
    /// The file as it is named.
    pub(in crate::cli) name: String,
    /// What it is written in.
    pub(in crate::cli) input: Input,
    pub(in crate::cli) bytes: Vec<u8>,
}

impl DeckBytes {
    /// Reads the one deck that a command is about; `-` is standard input.
    ///
    /// # Errors
    /// A file that cannot be read, or is larger than a deck may be.
    pub(in crate::cli) fn open(
        run: &Run,
        path: &Path,
        from: Option<InputKind>,
    ) -> Result<DeckBytes, CliError> {
        if path.is_dir() {
            let message = format!("{}: this is a folder; name one of its decks", path.display());
            return Err(CliError::call(message));
        }
        let sources = walk::decks(run, &[path.to_owned()])?;
        let [source] = sources.as_slice() else {
            let message = format!("{}: {} decks", path.display(), sources.len());
            return Err(CliError::call(format!("{message}; name one of them")));
        };
        DeckBytes::of(source, from.map(Input::from), source.alone()).map_err(CliError::call)
    }

    /// What was read, or why it is unreadable, with the deck's name.
    fn of(
        source: &DeckSource,
        stated: Option<Input>,
        read: Result<Vec<u8>, ReadError>,
    ) -> Result<DeckBytes, String> {
        let (name, input) = (source.name(), source.input(stated));
        match read {
            Ok(bytes) => Ok(DeckBytes { name, input, bytes }),
            Err(error) => Err(format!("{name}: {error}")),
        }
    }

    /// Decodes it.
    ///
    /// # Errors
    /// What is no text, and a file that holds a link.
    pub(in crate::cli) fn decoded(self, judge: &Judge) -> Result<NamedDeck, String> {
        let DeckBytes { name, input, bytes } = self;
        let opened = judge.open_file(&bytes, input, None);
        let opened = opened.map_err(|error| format!("{name}: {error}"))?;
        if opened.input == Input::Json && input != Input::Json {
            return Err(format!("{name}: this file holds a link; name the link itself"));
        }
        Ok(NamedDeck { opened: opened.into_owned(), name })
    }
}

/// A deck that a call names, decoded.
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
    /// As for [`DeckBytes::open`] and [`DeckBytes::decoded`].
    pub(in crate::cli) fn open(
        judge: &Judge,
        run: &Run,
        path: &Path,
        from: Option<InputKind>,
    ) -> Result<NamedDeck, CliError> {
        DeckBytes::open(run, path, from)?.decoded(judge).map_err(CliError::call)
    }

    /// Reads one of the decks that a call names or a walk met.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub(in crate::cli) fn of(
        judge: &Judge,
        source: &DeckSource,
        stated: Option<InputKind>,
    ) -> Result<NamedDeck, String> {
        let mut bytes = Vec::new();
        let read = source.read(&mut bytes).map(|()| bytes);
        DeckBytes::of(source, stated.map(Input::from), read)?.decoded(judge)
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
        let read = judge.read(&self.opened, None)?;
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
