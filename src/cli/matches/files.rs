//! Reading and writing match files: never half-written, and readable by their owner alone.

use super::games::Format;
use super::{Failure, Options, terminal};
use crate::cli::files::{self, Draft, Readers};
use crate::matches::{Match, Play, Unproved, UnprovedPlay};
use std::io::{self, Read, Write};
use std::path::Path;

/// The bytes of a file, or of standard input for `-`.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let limit = crate::matches::LARGEST_FILE as u64 + 1;
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().take(limit).read_to_end(&mut bytes),
        _ => {
            files::reads(path);
            std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
        }
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::call(format!(
            "{}: there is no such file",
            path.display()
        ))),
        Err(error) => Err(Failure::refused(format!(
            "{}: cannot be read: {error}",
            path.display()
        ))),
    }
}

/// A proved match and the format that it is of.
pub(super) fn read_match(path: &Path, options: &Options) -> Result<(Match, Format), Failure> {
    prove_match(&read(path)?, path, options)
}

/// A proved match from the bytes of a file.
pub(super) fn prove_match(
    text: &[u8],
    path: &Path,
    options: &Options,
) -> Result<(Match, Format), Failure> {
    let about = |error: crate::matches::MatchError| {
        Failure::from(error.in_file().about(&path.display().to_string()))
    };
    let unproved = Unproved::read(text).map_err(about)?;
    let format = Format::of_file(&unproved.inputs.format, options)?;
    let proved = unproved.verify(&format.game()).map_err(about)?;
    if proved.inputs.rules_sha256 != format.rules_sha256 {
        terminal::complain(
            "warning",
            "the match was made with another edition of the format file; \
                       the rebuilt state agrees all the same",
        );
    }
    Ok((proved, format))
}

/// A game being played: from a play file, or from a match that is ready.
pub(super) fn read_play(path: &Path, options: &Options) -> Result<(Play, Format), Failure> {
    let text = read(path)?;
    if UnprovedPlay::is_one(&text) {
        return prove_play(&text, path, options);
    }
    let (start, format) = prove_match(&text, path, options)?;
    Ok((Play::begin(start)?, format))
}

/// A proved game from the bytes of a play file.
pub(super) fn prove_play(
    text: &[u8],
    path: &Path,
    options: &Options,
) -> Result<(Play, Format), Failure> {
    let about = |error: crate::matches::MatchError| {
        Failure::from(error.in_file().about(&path.display().to_string()))
    };
    let unproved = UnprovedPlay::read(text).map_err(about)?;
    let format = Format::of_file(&unproved.start.inputs.format, options)?;
    Ok((unproved.verify(&format.game()).map_err(about)?, format))
}

/// Writes to a file, or to standard output without one.
pub(super) fn write(to: Option<&Path>, text: &str) -> Result<(), Failure> {
    match to {
        Some(path) => write_file(path, text),
        None => print(text),
    }
}

/// Many lines, written batch by batch: to a file that is whole or not there at all, or to
/// standard output as they come.
#[derive(Debug)]
pub(super) struct Lines(Option<Draft>);

impl Lines {
    /// Begins a file, or standard output without one.
    pub(super) fn new(to: Option<&Path>) -> Result<Lines, Failure> {
        let draft = to.map(|path| Draft::new(path, Readers::Owner)).transpose();
        Ok(Lines(draft?))
    }

    /// Writes a batch. Answers whether anybody still reads.
    pub(super) fn write(&mut self, batch: &str) -> Result<bool, Failure> {
        let written = match &mut self.0 {
            Some(draft) => draft.write_all(batch.as_bytes()),
            None => io::stdout().lock().write_all(batch.as_bytes()),
        };
        match written {
            Ok(()) => Ok(true),
            Err(error) if self.0.is_none() && error.kind() == io::ErrorKind::BrokenPipe => {
                Ok(false)
            }
            Err(error) => Err(Failure::refused(format!("cannot be written: {error}"))),
        }
    }

    /// Puts the file in its place.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self.0 {
            Some(draft) => Ok(draft.finish()?),
            None => print(""),
        }
    }
}

/// Writes to standard output.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    Ok(terminal::print(text.as_bytes())?)
}

/// The kind of output and the file it goes to, of the kinds that a command knows; the first
/// is the default.
pub(super) fn output<'o>(
    options: &'o Options,
    known: &[&'o str],
) -> Result<(&'o str, Option<&'o Path>), Failure> {
    let (kind, file) = match options.output.as_slice() {
        [] => (known.first().copied().unwrap_or_default(), None),
        [one] => match one.split_once('=') {
            Some((kind, file)) => (kind, Some(Path::new(file))),
            None => (one.as_str(), None),
        },
        _ => return Err(Failure::call("this command writes one output (`-o KIND`)")),
    };
    if !known.contains(&kind) {
        let known = crate::text::listed(known, "or");
        return Err(Failure::call(format!(
            "this command's output is {known}, not `{kind}`"
        )));
    }
    Ok((kind, file.or(options.to.as_deref())))
}

/// Writes how a match goes on: to a file, which may be the one that it was read from, or to
/// standard output without one.
pub(super) fn go_on(to: Option<&Path>, text: &str) -> Result<(), Failure> {
    match to {
        Some(path) => keep(path, text),
        None => print(text),
    }
}

/// Writes how a match goes on to a file, which may be the one that it was read from.
pub(super) fn keep(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(files::replace(path, text.as_bytes(), Readers::Owner)?)
}

/// Writes a file that its owner alone may read: a match file holds what a seat must not see.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(files::write(path, text.as_bytes(), Readers::Owner)?)
}
