//! Reading and writing match files: never half-written, and readable by their owner alone.

use super::games::PlayedFormat;
use super::{CliError, Run, warn};
use crate::cli::answer::io_message;
use crate::cli::files::Readers;
pub(super) use crate::cli::files::claim;
use crate::cli::options::{Judging, Output};
use crate::cli::output::{self, Sink};
use crate::cli::terminal;
use crate::matches::{Match, MatchError, UnverifiedMatch};
use crate::render::{Kind, Written};
use crate::text::escape_control;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a file, or of standard input for `-`.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    let limit = crate::matches::LARGEST_FILE as u64 + 1;
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().take(limit).read_to_end(&mut bytes),
        _ => std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes)),
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(CliError::call(format!("{}: file not found", path.display())))
        }
        Err(error) => Err(CliError::refused(format!(
            "{}: cannot be read: {}",
            path.display(),
            io_message(&error)
        ))),
    }
}

/// A proved match and the format that it is of.
pub(super) fn read_match(
    path: &Path,
    run: &Run,
    judging: &Judging,
) -> Result<(Match, PlayedFormat), CliError> {
    let (proved, format, warning) = prove_match(&read(path)?, path, judging)?;
    warning.iter().for_each(|warning| warn(run, warning));
    Ok((proved, format))
}

/// What is to be said of a match that another edition of the format file made.
fn edition(proved: &Match, format: &PlayedFormat, file: &str) -> Option<String> {
    (proved.inputs.rules_sha256 != format.rules.sha256).then(|| {
        format!(
            "{file}: the match was made with another edition of the format file; \
             the rebuilt state agrees all the same"
        )
    })
}

/// A proved match from the bytes of a file, its format, and a warning that names the file.
pub(super) fn prove_match(
    text: &[u8],
    path: &Path,
    judging: &Judging,
) -> Result<(Match, PlayedFormat, Option<String>), CliError> {
    let file = path.display().to_string();
    let about = |error: MatchError| error.in_file().about(&file);
    let unproved = UnverifiedMatch::read(text).map_err(about)?;
    let format = PlayedFormat::of_file(&unproved.inputs.format, &file, judging)?;
    let proved = unproved.verify(&format.game()).map_err(about)?;
    let warning = edition(&proved, &format, &file);
    Ok((proved, format, warning))
}

/// A match file, or what goes on where one ended.
#[derive(Debug)]
pub(in crate::cli) struct MatchFile;

impl Written for MatchFile {
    const KINDS: &'static [Kind] = &[Kind::Json];
}

/// Match files, each in a document or in a line of its own.
#[derive(Debug)]
pub(in crate::cli) struct MatchFiles;

impl Written for MatchFiles {
    const KINDS: &'static [Kind] = &[Kind::Json, Kind::Ndjson];
}

/// Many match files, a line each.
#[derive(Debug)]
pub(in crate::cli) struct Lines;

impl Written for Lines {
    const KINDS: &'static [Kind] = &[Kind::Ndjson];
}

/// What is to be read, or a document.
#[derive(Debug)]
pub(in crate::cli) struct View;

impl Written for View {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json];
}

/// The outputs that were asked for, of those that a command knows; the first is the default.
/// Reports a file that cannot be written, or that exists, before the work is done; only `changed`,
/// the file of the match that continues, may exist.
pub(super) fn outputs<W: Written>(
    output: &Output,
    changed: Option<&Path>,
) -> Result<Vec<Sink>, CliError> {
    output::open(output, W::KINDS, Readers::Owner, changed)
}

/// Writes each output: the text of its kind.
pub(super) fn finish(
    run: &Run,
    outputs: Vec<Sink>,
    text: impl Fn(Kind) -> String,
) -> Result<(), CliError> {
    for mut output in outputs {
        output.write(text(output.kind).as_bytes())?;
        output.finish(run)?;
    }
    Ok(())
}

/// The file to which a match is written, where nothing of it goes to standard output.
pub(super) fn kept_in(outputs: &[Sink]) -> Option<String> {
    let names: Option<Vec<&str>> = outputs.iter().map(Sink::file).collect();
    Some((*names?.first()?).to_owned())
}

/// Prints what a match in a file waits for, and how it goes on.
pub(super) fn print_awaited(made: &Match, file: &str) -> Result<(), CliError> {
    let file = escape_control(file, false);
    let pending = made.pending.iter().map(crate::matches::pending_words);
    let waits = pending.map(|decision| format!("waits for {}\n", escape_control(&decision, false)));
    let goes_on = if made.pending.is_empty() {
        format!("The match is ready: `decklaw match play {file}` plays it\n")
    } else {
        format!(
            "`decklaw match play {file}` asks at its table, `match decide` takes answers as above\n"
        )
    };
    print(&(waits.collect::<String>() + &goes_on))
}

/// Writes to standard output.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    terminal::print(text.as_bytes())
}
