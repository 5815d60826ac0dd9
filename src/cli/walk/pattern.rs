//! Patterns such as `decks/*.txt`, where no shell has put files in their place.

use super::{DeckSource, by_bytes, entries};
use crate::cli::{Refusal, Run, remedies};
use globset::{ErrorKind, GlobBuilder, GlobSetBuilder};
use std::path::{Path, PathBuf};

/// Why a folder cannot be looked into.
pub(super) fn unread(error: &walkdir::Error) -> Refusal {
    let why = error
        .io_error()
        .map_or_else(|| error.to_string(), remedies::io_message);
    let folder = error.path().unwrap_or(Path::new("."));
    Refusal(format!("{}: {why}", folder.display()))
}

/// Why a pattern is none, and how its marks stand for themselves.
fn broken(text: &str, wrong: &ErrorKind) -> Refusal {
    let why = match wrong {
        ErrorKind::UnclosedClass => "a `[` is not closed".to_owned(),
        ErrorKind::InvalidRange(from, to) => {
            format!("`[{from}-{to}]` runs backwards: nothing is from {from} to {to}")
        }
        ErrorKind::UnopenedAlternates => "a `}` closes nothing".to_owned(),
        ErrorKind::UnclosedAlternates => "a `{` is not closed".to_owned(),
        ErrorKind::DanglingEscape => "nothing stands behind the last `\\`".to_owned(),
        other => other.to_string(),
    };
    Refusal(format!(
        "`{text}` is no pattern: {why}; in a name of a file write `[[]` for `[` and `[{{]` for `{{`"
    ))
}

/// Adds what a pattern matches; `false` when the path is none.
pub(super) fn add(run: &Run, path: &Path, sources: &mut Vec<DeckSource>) -> Result<bool, Refusal> {
    let Some(text) = path
        .to_str()
        .filter(|text| text.contains(['*', '?', '[', '{']))
    else {
        return Ok(false);
    };
    let pattern = GlobBuilder::new(text).literal_separator(true).build();
    // A set of one: it refuses a pattern that takes too much to look for, and does not panic.
    let matcher = GlobSetBuilder::new()
        .add(pattern.map_err(|error| broken(text, error.kind()))?)
        .build()
        .map_err(|_| Refusal("this pattern is too long or too deep; name the folder".to_owned()))?;
    let plain = |part: &std::path::Component<'_>| {
        !part
            .as_os_str()
            .to_string_lossy()
            .contains(['*', '?', '[', '{'])
    };
    let root: PathBuf = path.components().take_while(plain).collect();
    let shown = if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        &root
    };
    let before = sources.len();
    for entry in entries(shown) {
        let entry = match entry {
            Ok(entry) => entry,
            // What the pattern means may be in a folder that cannot be entered.
            Err(error) => match error.path() {
                Some(inner) if error.depth() > 0 => {
                    sources.push(DeckSource::Closed(inner.to_owned()));
                    continue;
                }
                _ => return Err(unread(&error)),
            },
        };
        let path = entry.path();
        let path = if root.as_os_str().is_empty() {
            path.strip_prefix(".").unwrap_or(path)
        } else {
            path
        };
        if entry.file_type().is_file() && matcher.is_match(path) {
            run.meets(path);
            run.names(path);
            sources.push(DeckSource::File(path.to_owned()));
        }
    }
    if sources.len() == before {
        return Err(Refusal(format!("`{text}` matches no file")));
    }
    sources[before..].sort_unstable_by(by_bytes);
    Ok(true)
}
