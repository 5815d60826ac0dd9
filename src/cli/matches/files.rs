//! Reading and writing match files: never half-written, and readable by their owner alone.

use super::games::PlayedFormat;
use super::{Failure, Run, warn};
pub(super) use crate::cli::files::claim;
use crate::cli::files::{Draft, Readers};
use crate::cli::output::{self, Output};
use crate::cli::remedies::io_message;
use crate::cli::terminal;
use crate::matches::{Match, MatchError, Unproved};
use crate::render::{Kind, Written};
use crate::text::harmless;
use std::io::{self, Read, Write};
use std::path::Path;

/// The bytes of a file, or of standard input for `-`.
pub(super) fn read(run: &Run, path: &Path) -> Result<Vec<u8>, Failure> {
    if path.to_str() != Some("-") {
        run.reads(path);
    }
    bytes_of(path)
}

pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, Failure> {
    let limit = crate::matches::LARGEST_FILE as u64 + 1;
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().take(limit).read_to_end(&mut bytes),
        _ => std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes)),
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::call(format!(
            "{}: there is no such file",
            path.display()
        ))),
        Err(error) => Err(Failure::refused(format!(
            "{}: cannot be read: {}",
            path.display(),
            io_message(&error)
        ))),
    }
}

/// A proved match and the format that it is of.
pub(super) fn read_match(path: &Path, run: &Run) -> Result<(Match, PlayedFormat), Failure> {
    let (proved, format, warning) = prove_match(&read(run, path)?, path, run)?;
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
    run: &Run,
) -> Result<(Match, PlayedFormat, Option<String>), Failure> {
    let file = path.display().to_string();
    let about = |error: MatchError| Failure::from(error.in_file().about(&file));
    let unproved = Unproved::read(text).map_err(about)?;
    let format = PlayedFormat::of_file(&unproved.inputs.format, &file, run)?;
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

/// What is to be read, or a document.
#[derive(Debug)]
pub(in crate::cli) struct View;

impl Written for View {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json];
}

/// Where the one kind of output goes that a command has: to the file of `-o KIND=FILE` or
/// `--to`, or to standard output without one.
pub(super) fn only<'o>(run: &'o Run, kind: &str) -> Result<Option<&'o Path>, Failure> {
    let to = run.options.to.as_deref();
    match run.options.output.as_slice() {
        [] => Ok(to),
        [one] if one == kind => Ok(to),
        [one] => match one.split_once('=') {
            Some((given, to)) if given == kind => Ok(Some(Path::new(to))),
            _ => Err(Failure::call(format!(
                "no output `{}` of this command; there is {kind}",
                harmless(one, false)
            ))),
        },
        _ => Err(Failure::call(format!(
            "this command writes one output, {kind}, to one place"
        ))),
    }
}

/// The outputs that were asked for, of those that a command knows; the first is the default.
/// A file that cannot be written, or is there already, is said before the work is done.
pub(super) fn outputs<W: Written>(run: &Run) -> Result<Vec<Output>, Failure> {
    Ok(output::asked_fresh(run, W::KINDS, Readers::Owner)?)
}

/// The same for how a match goes on, which may be put in the place of the file that it is
/// changed from, and of no other.
pub(super) fn outputs_in_place<W: Written>(
    run: &Run,
    changed: &Path,
) -> Result<Vec<Output>, Failure> {
    let outputs = output::asked_to_change(run, W::KINDS, Readers::Owner, changed);
    Ok(outputs?)
}

/// Writes each output: the text of its kind.
pub(super) fn finish(outputs: Vec<Output>, text: impl Fn(Kind) -> String) -> Result<(), Failure> {
    for mut output in outputs {
        output.write(text(output.kind).as_bytes())?;
        output.finish()?;
    }
    Ok(())
}

/// The file to which a match is written, where nothing of it goes to standard output.
pub(super) fn kept_in(outputs: &[Output]) -> Option<String> {
    let names: Option<Vec<&str>> = outputs.iter().map(Output::file).collect();
    Some((*names?.first()?).to_owned())
}

/// Tells what a match waits for that was written to a file, and how it goes on.
pub(super) fn tell_awaited(made: &Match, file: &str) -> Result<(), Failure> {
    let file = harmless(file, false);
    let pending = made.pending.iter().map(crate::matches::pending_told);
    let waits = pending.map(|told| format!("waits for {}\n", harmless(&told, false)));
    let goes_on = match made.pending.is_empty() {
        true => format!("The match is ready: `decklaw match play {file}` plays it\n"),
        false => format!(
            "`decklaw match play {file}` asks at its table, `match decide` takes answers as above\n"
        ),
    };
    print(&(waits.collect::<String>() + &goes_on))
}

/// Refuses kinds of output where a command talks with people.
pub(super) fn only_to_screen(run: &Run) -> Result<(), Failure> {
    match run.options.output.iter().find(|kind| *kind != "human") {
        Some(kind) => Err(Failure::call(format!(
            "this command has no output `{}`; it writes for people to read",
            harmless(kind, false)
        ))),
        None => Ok(()),
    }
}

/// Many lines, written batch by batch: to a file that is whole or not there at all, or to
/// standard output as they come.
#[derive(Debug)]
pub(super) struct Lines(Option<Draft>);

impl Lines {
    /// Begins a file, or standard output without one.
    pub(super) fn new(run: &Run, to: Option<&Path>, replace: bool) -> Result<Lines, Failure> {
        let fresh = |path| Draft::fresh(run, path, Readers::Owner, replace);
        let draft = to.map(fresh).transpose();
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
            Err(error) => Err(Failure::call(format!("cannot be written: {error}"))),
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
