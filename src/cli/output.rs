//! The outputs of a command: `-o KIND`, `-o KIND=FILE`, `-o FILE.ending` and `--to FILE`.

use super::files::{Draft, Readers};
use super::options::Output;
use super::{Answer, CliError, Outcome, Run, terminal};
use crate::render::{DeckNotes, Kind, Render, Rendered, Rendering, TextStyle, Written, render};
use crate::text::{counted, listed};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// The endings of files of a kind.
fn endings(kind: Kind) -> &'static [&'static str] {
    match kind.name() {
        "human" | "deck" | "text" | "list" => &["txt"],
        "json" | "match" => &["json"],
        "ndjson" => &["ndjson", "jsonl"],
        "csv" | "csv-excel" => &["csv"],
        "junit" | "cockatrice" => &["xml"],
        "xlsx" => &["xlsx"],
        "html" => &["html", "htm"],
        "pdf" => &["pdf"],
        _ => &[],
    }
}

/// The kind of those that a command knows which a file's ending means.
fn kind_of(file: &Path, known: &[Kind]) -> Option<Kind> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    let mut known = known.iter();
    known.find(|kind| endings(**kind).contains(&&*ending)).copied()
}

/// Whether the ending of a file means another kind than this one.
fn is_other(file: &Path, kind: Kind) -> bool {
    const KNOWN: [&str; 14] = [
        "csv", "htm", "html", "jpeg", "jpg", "json", "ndjson", "ods", "pdf", "png", "svg", "txt",
        "xlsx", "yaml",
    ];
    let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
    let is = |known: &str| ending.as_ref().is_some_and(|ending| *ending == *known);
    let own = endings(kind);
    !own.is_empty() && !own.iter().any(|known| is(known)) && KNOWN.iter().any(|known| is(known))
}

/// An output and where it goes.
#[derive(Debug)]
pub(super) struct Sink {
    /// What is written.
    pub(super) kind: Kind,
    to: Target,
    /// The file as it was named; empty for standard output.
    name: String,
    /// How often a sheet of a workbook was named: an archive names each of its files twice.
    sheets: usize,
}

#[derive(Debug)]
enum Target {
    Screen(BufWriter<Stdout>),
    File(Draft),
}

/// Opens the outputs of a call, of the kinds that a command knows; without any, the first of
/// those goes to standard output. Files are begun at once, so that what cannot be written is
/// reported before the work is done. The file `changed` may be replaced in any case.
///
/// # Errors
/// A kind that the command does not have, two outputs to one place, and a file that cannot be
/// written.
pub(super) fn open(
    output: &Output,
    known: &[Kind],
    readers: Readers,
    changed: Option<&Path>,
) -> Result<Vec<Sink>, CliError> {
    let to = output.place.to.as_ref();
    let mut asked: Vec<(Kind, Option<PathBuf>)> = Vec::new();
    for arg in &output.output {
        let file = arg.file.as_ref().or(to);
        let kind = match &arg.kind {
            Some(word) => known.iter().copied().find(|kind| kind.name() == word),
            None => file.and_then(|file| kind_of(file, known)),
        };
        let Some(kind) = kind else {
            let names: Vec<&str> = known.iter().map(|kind| kind.name()).collect();
            let names = listed(&names, "or");
            let what = match (&arg.kind, file) {
                (Some(word), _) => format!("this command has no output `{word}`"),
                (None, file) => format!(
                    "{}: unknown output type",
                    file.map_or(String::new(), |file| file.display().to_string())
                ),
            };
            return Err(CliError::call(format!("{what}; use {names}")));
        };
        if asked.iter().any(|(_, other)| other.as_ref() == file) {
            let place =
                file.map_or("standard output".to_owned(), |file| file.display().to_string());
            let message = format!("two outputs would go to {place}; use `-o KIND=FILE`");
            return Err(CliError::call(message));
        }
        asked.push((kind, file.cloned()));
    }
    if asked.is_empty()
        && let Some(first) = known.first()
    {
        let of_ending = to.and_then(|to| kind_of(to, known));
        if let (None, Some(to)) = (of_ending, to.filter(|to| is_other(to, *first))) {
            let own = known.iter().filter_map(|kind| endings(*kind).first());
            let own: BTreeSet<String> = own.map(|ending| format!("`.{ending}`")).collect();
            let own = listed(&own.into_iter().collect::<Vec<_>>(), "or");
            return Err(CliError::call(format!("{}: this command writes {own}", to.display())));
        }
        asked.push((of_ending.unwrap_or(*first), to.cloned()));
    }
    if let Some(to) = to
        && !asked.iter().any(|(_, file)| file.as_ref() == Some(to))
    {
        let message = "every `-o KIND=FILE` names its own file; leave `--to` out";
        return Err(CliError::call(message));
    }
    let sink = |(kind, file): (Kind, Option<PathBuf>)| {
        let name = file.as_ref().map(|file| file.display().to_string());
        let to = match &file {
            Some(file) => {
                let changes = changed.is_some_and(|changed| is_same(file, changed));
                Target::File(Draft::new(file, readers, output.place.replace || changes)?)
            }
            None => Target::screen(kind)?,
        };
        Ok(Sink { kind, to, name: name.unwrap_or_default(), sheets: 0 })
    };
    asked.into_iter().map(sink).collect()
}

impl Target {
    /// Standard output.
    ///
    /// # Errors
    /// A terminal that should show what is no text.
    fn screen(kind: Kind) -> Result<Target, CliError> {
        let name = kind.name();
        if ["xlsx", "pdf"].contains(&name) && io::stdout().is_terminal() {
            return Err(CliError::call(format!(
                "cannot print {} to a terminal; use `-o {name}=FILE.{name}`",
                name.to_uppercase()
            )));
        }
        let screen = BufWriter::with_capacity(1 << 16, io::stdout());
        Ok(Target::Screen(screen))
    }
}

/// Whether two paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// The outputs of a command whose answer is of type `R`.
#[derive(Debug)]
pub(super) struct Outputs<R> {
    each: Vec<Sink>,
    of: PhantomData<fn(&R)>,
}

impl<R: Written> Outputs<R> {
    /// Opens those that the call asks for, as [`open`] says.
    ///
    /// # Errors
    /// As for [`open`].
    pub(super) fn open(output: &Output) -> Result<Outputs<R>, CliError> {
        let each = open(output, R::KINDS, Readers::Anyone, None)?;
        let of = PhantomData;
        Ok(Outputs { each, of })
    }

    /// Whether one of them is of this sort.
    pub(super) fn any(&self, is: impl Fn(Kind) -> bool) -> bool {
        self.each.iter().any(|output| is(output.kind))
    }

    /// Each of them.
    pub(super) fn each(self) -> Vec<Sink> {
        self.each
    }
}

impl<R: Written + Render> Outputs<R> {
    /// Writes an answer into all of them, and ends the command. Where an answer has no such data, no file of it is begun.
    ///
    /// # Errors
    /// When it cannot be rendered or written.
    pub(super) fn emit(self, run: &Run, report: &R) -> Answer {
        emit_into(self.each, run, report)
    }
}

/// As [`Outputs::emit`], once for all types of answers.
fn emit_into(outputs: Vec<Sink>, run: &Run, report: &dyn Render) -> Answer {
    for DeckNotes { deck, notes } in report.notes().into_iter().flatten() {
        run.print_notes(deck, notes);
    }
    let (mut missing, mut written) = (None, false);
    for mut output in outputs {
        let page =
            TextStyle { width: terminal::width(), colour: output.is_screen() && run.colour() };
        match render(report, output.kind, &page)? {
            Rendering::Missing(why) => {
                missing = missing.or(Some(why));
                continue;
            }
            Rendering::Report(bytes) if output.kind == Kind::Human => {
                let mut text = String::from_utf8_lossy(&bytes).into_owned();
                if output.is_screen() {
                    text = terminal::fitted(&text);
                }
                output.write(text.as_bytes())?;
            }
            Rendering::Report(bytes) => output.write_data(&bytes, true)?,
            Rendering::Data(bytes) => {
                output.write_data(&bytes, output.kind != Kind::Human)?;
            }
        }
        output.finish(run)?;
        written = true;
    }
    if let Some(why) = missing.filter(|_| !written) {
        run.complain("error", &why);
    }
    Ok(if report.is_ok() { Outcome::Yes } else { Outcome::No })
}

/// Opens the outputs that the call asks for and writes an answer into them, where that costs no
/// work before.
///
/// # Errors
/// As for [`Outputs::open`] and [`Outputs::emit`].
pub(super) fn emit<R: Written + Render>(run: &Run, output: &Output, report: &R) -> Answer {
    Outputs::open(output)?.emit(run, report)
}

/// An answer that is only text.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) is_ok: bool,
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text { text, is_ok: true }
    }
}

impl Written for Text {
    const KINDS: &'static [Kind] = &[Kind::Human];
}

impl Render for Text {
    fn body(&self, _: Kind) -> Rendered<Option<Rendering>> {
        Ok(Some(Rendering::Data(self.text.clone().into_bytes())))
    }

    fn is_ok(&self) -> bool {
        self.is_ok
    }
}

/// An answer that is a text for people or a document, and has no table.
pub(super) struct TextAndJson<'a> {
    /// Makes the text.
    pub(super) human: &'a dyn Fn() -> String,
    /// Makes the document.
    pub(super) json: &'a dyn Fn() -> serde_json::Result<Value>,
}

impl Written for TextAndJson<'_> {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json];
}

impl Render for TextAndJson<'_> {
    fn human(&self, _: &TextStyle) -> String {
        (self.human)()
    }

    fn json(&self) -> serde_json::Result<Value> {
        (self.json)()
    }
}

impl Sink {
    /// Whether it goes to standard output.
    pub(super) fn is_screen(&self) -> bool {
        matches!(self.to, Target::Screen(_))
    }

    /// The file that it goes to, as it was named.
    pub(super) fn file(&self) -> Option<&str> {
        (!self.is_screen()).then_some(&self.name)
    }

    /// Whether it goes to a terminal, which acts on control characters.
    pub(super) fn is_terminal(&self) -> bool {
        self.is_screen() && io::stdout().is_terminal()
    }

    /// Writes some more of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        if self.kind == Kind::Xlsx {
            self.sheets += memchr::memmem::find_iter(bytes, b"xl/worksheets/sheet").count();
        }
        match &mut self.to {
            Target::Screen(screen) => seen(screen.write_all(bytes)),
            Target::File(draft) => draft.write_all(bytes).map_err(|error| {
                CliError::call(format!("{}: cannot be written: {error}", self.name))
            }),
        }
    }

    /// Writes some more of it. Answers whether anybody still reads.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write_on(&mut self, bytes: &[u8]) -> Result<bool, CliError> {
        if let Target::Screen(screen) = &mut self.to
            && let Err(error) = screen.write_all(bytes).and_then(|()| screen.flush())
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            return Ok(false);
        }
        if !self.is_screen() {
            self.write(bytes)?;
        }
        Ok(true)
    }

    /// Writes some more of it. Data is for programs and as it is in a file; a terminal would
    /// act on some of it, and so gets it harmless.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write_data(&mut self, bytes: &[u8], data: bool) -> Result<(), CliError> {
        if data && self.is_terminal() {
            let text = String::from_utf8_lossy(bytes);
            return self.write(crate::text::escape_control(&text, true).as_bytes());
        }
        self.write(bytes)
    }

    /// Lets data be written as it is made, and not put together first.
    ///
    /// # Errors
    /// When it cannot be written, and those of what is made.
    pub(super) fn stream(
        &mut self,
        make: impl FnOnce(&mut Data<'_>) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let mut data =
            Data { shown: self.is_terminal(), output: self, line: Vec::new(), failed: None };
        let made = make(&mut data);
        let rest = std::mem::take(&mut data.line);
        match data.failed {
            Some(refusal) => Err(refusal),
            None => made.and_then(|()| self.write_data(&rest, true)),
        }
    }

    /// Ends it: a file takes its place now.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(self, run: &Run) -> Result<(), CliError> {
        match self.to {
            Target::Screen(mut screen) => seen(screen.flush()),
            Target::File(draft) => {
                draft.finish()?;
                let sheets = i64::try_from(self.sheets / 2).unwrap_or(i64::MAX);
                run.wrote(&match sheets {
                    0 => self.name,
                    sheets => format!("{}, {}", self.name, counted(sheets, "sheet")),
                });
                Ok(())
            }
        }
    }
}

/// Data on its way into an output.
#[derive(Debug)]
pub(super) struct Data<'o> {
    output: &'o mut Sink,
    /// Whether a terminal shows it.
    shown: bool,
    /// What a terminal was not shown yet: the begun line.
    line: Vec<u8>,
    failed: Option<CliError>,
}

impl Write for Data<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if !self.shown {
            self.output.write(bytes)
        } else {
            self.line.extend_from_slice(bytes);
            let whole = memchr::memrchr(b'\n', &self.line).map_or(0, |end| end + 1);
            let lines: Vec<u8> = self.line.drain(..whole).collect();
            self.output.write_data(&lines, true)
        };
        match written {
            Ok(()) => Ok(bytes.len()),
            Err(refusal) => {
                self.failed = Some(refusal);
                Err(io::Error::other("it cannot be written"))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader of standard output who has seen enough is no error.
fn seen(result: io::Result<()>) -> Result<(), CliError> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CliError::call(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}
