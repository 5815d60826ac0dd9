//! The outputs of a command: `-o KIND`, `-o KIND=FILE` and `--to FILE`.

use super::files::{Draft, Readers};
use super::{Answer, Outcome, Refusal, Run, terminal};
use crate::origin::Given;
use crate::render::{Kind, Render, Rendered, Rendering, TextStyle, Written, render};
use crate::report::human::Style;
use crate::text::those;
use serde_json::Value;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// Kinds that are no text: a terminal would show rubbish and act on it.
pub(super) const BINARY: [&str; 3] = ["xlsx", "png", "pdf"];

/// One output of a command and where it goes.
#[derive(Debug)]
pub(super) struct Output {
    /// What is written.
    pub(super) kind: Kind,
    to: Target,
    /// The file as it was named; empty for standard output.
    name: String,
}

#[derive(Debug)]
enum Target {
    Screen(BufWriter<Stdout>),
    File(Draft),
}

/// The outputs that were asked for, of the kinds that a command knows; without any, the first
/// of those on standard output. Files are begun at once, so that what cannot be written is
/// said before the work is done.
///
/// # Errors
/// A kind that the command does not know, two outputs to one place, a file with the ending of
/// another kind, or one that cannot be written.
pub(super) fn asked(run: &Run, known: &[Kind], readers: Readers) -> Result<Vec<Output>, Refusal> {
    begun(run, known, |file| Draft::new(run, file, readers))
}

/// The same for a command that replaces no file, unless the call says so.
///
/// # Errors
/// As for [`asked`]; a file that exists already.
pub(super) fn asked_fresh(
    run: &Run,
    known: &[Kind],
    readers: Readers,
) -> Result<Vec<Output>, Refusal> {
    let fresh = |file: &Path| Draft::fresh(run, file, readers, run.options.replace);
    begun(run, known, fresh)
}

/// The same for a command that changes a file: its output may be put in the place of that one.
///
/// # Errors
/// As for [`asked_fresh`].
pub(super) fn asked_to_change(
    run: &Run,
    known: &[Kind],
    readers: Readers,
    changed: &Path,
) -> Result<Vec<Output>, Refusal> {
    let begin = |file: &Path| match is_same(file, changed) {
        true => Draft::in_place(run, file, readers),
        false => Draft::fresh(run, file, readers, run.options.replace),
    };
    begun(run, known, begin)
}

/// Whether two paths lead to one file.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn begun(
    run: &Run,
    known: &[Kind],
    begin: impl Fn(&Path) -> Result<Draft, Refusal>,
) -> Result<Vec<Output>, Refusal> {
    let names: Vec<&str> = known.iter().map(|kind| kind.name()).collect();
    let default = names.first().map(|name| (*name).to_owned());
    let asked = match run.options.output.as_slice() {
        [] => default.into_iter().collect(),
        asked => asked.to_vec(),
    };
    let mut places: Vec<String> = Vec::new();
    let mut outputs = Vec::new();
    for asked in asked {
        let (word, file) = match asked.split_once('=') {
            Some((word, file)) => (word, Some(PathBuf::from(file))),
            None => (asked.as_str(), run.options.to.clone()),
        };
        let Some(kind) = known.iter().find(|kind| kind.name() == word) else {
            return Err(Refusal(format!(
                "no output `{word}` of this command; {}",
                those(&names)
            )));
        };
        let name = file
            .as_ref()
            .map_or_else(String::new, |file| file.display().to_string());
        if places.contains(&name) {
            let place = if name.is_empty() {
                "standard output"
            } else {
                &name
            };
            return Err(Refusal(format!(
                "two outputs would go to {place}; use `-o KIND=FILE`"
            )));
        }
        let to = match &file {
            Some(file) => {
                let draft = begin(file)?;
                super::ending::fits(file, word, &names)?;
                Target::File(draft)
            }
            None if BINARY.contains(&word) && io::stdout().is_terminal() => {
                return Err(Refusal(format!(
                    "`{word}` is nothing to show in a terminal; say where it goes, with `-o {word}=FILE.{word}`"
                )));
            }
            None => Target::Screen(BufWriter::with_capacity(1 << 16, io::stdout())),
        };
        places.push(name.clone());
        outputs.push(Output {
            kind: *kind,
            to,
            name,
        });
    }
    Ok(outputs)
}

/// The outputs of a command whose answer is of type `R`.
#[derive(Debug)]
pub(super) struct Outputs<R> {
    each: Vec<Output>,
    of: PhantomData<fn(&R)>,
}

impl<R: Written> Outputs<R> {
    /// Opens those that the call asks for, as [`asked`] says.
    ///
    /// # Errors
    /// As for [`asked`].
    pub(super) fn open(run: &Run) -> Result<Outputs<R>, Refusal> {
        let each = asked(run, R::KINDS, Readers::Anyone)?;
        let of = PhantomData;
        Ok(Outputs { each, of })
    }

    /// Whether one of them is of this sort.
    pub(super) fn any(&self, is: impl Fn(Kind) -> bool) -> bool {
        self.each.iter().any(|output| is(output.kind))
    }

    /// Each of them.
    pub(super) fn each(&mut self) -> &mut Vec<Output> {
        &mut self.each
    }
}

impl<R: Render> Outputs<R> {
    /// Writes an answer into all of them, with what decided it and is not built in, and ends the
    /// command. Where an answer has no such data, no file of it is begun.
    ///
    /// # Errors
    /// When it cannot be rendered or written.
    pub(super) fn emit(self, run: &Run, report: &R, given: &[Given]) -> Answer {
        let (mut missing, mut written, mut noted) = (None, false, false);
        for mut output in self.each {
            let page = TextStyle {
                width: terminal::width(),
                colour: output.is_screen() && run.colour(),
            };
            match render(report, output.kind, given, &page)? {
                Rendering::Missing(why) => {
                    missing = missing.or(Some(why));
                    continue;
                }
                Rendering::Report(bytes) if output.kind == Kind::Human => {
                    let mut text = String::from_utf8_lossy(&bytes).into_owned();
                    if output.is_screen() {
                        text = terminal::fitted(&text);
                    }
                    output.write((text + &foot(given)).as_bytes())?;
                }
                Rendering::Report(bytes) => output.write_data(&bytes, true)?,
                Rendering::Data(bytes) => {
                    if !noted {
                        tell_given(run, given);
                    }
                    noted = true;
                    output.write_data(&bytes, output.kind != Kind::Human)?;
                }
            }
            output.finish()?;
            written = true;
        }
        if let Some(why) = missing.filter(|_| !written) {
            run.complain("error", &why);
            tell_given(run, given);
        }
        Ok(match report.is_well() {
            true => Outcome::Yes,
            false => Outcome::No,
        })
    }
}

/// Opens the outputs that the call asks for and writes an answer into them, where that costs no
/// work before.
///
/// # Errors
/// As for [`Outputs::open`] and [`Outputs::emit`].
pub(super) fn emit<R: Render>(run: &Run, report: &R, given: &[Given]) -> Answer {
    Outputs::open(run)?.emit(run, report, given)
}

/// An answer that is a text and nothing else, as it stands.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) is_well: bool,
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text {
            text,
            is_well: true,
        }
    }
}

impl Written for Text {
    const KINDS: &'static [Kind] = &[Kind::Human];
}

impl Render for Text {
    fn body(&self, _: Kind, _: &[Given]) -> Rendered<Option<Rendering>> {
        Ok(Some(Rendering::Data(self.text.clone().into_bytes())))
    }

    fn is_well(&self) -> bool {
        self.is_well
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

/// The line that ends a report for people: what decided and is not built in.
pub(super) fn foot(given: &[Given]) -> String {
    let style = Style {
        width: super::terminal::width(),
        colour: false,
        quiet: false,
        verbose: false,
    };
    crate::report::human::given(given, &style)
}

/// Says the same on standard error, where the output is a deck or data and no report.
pub(super) fn tell_given(run: &Run, given: &[Given]) {
    if !given.is_empty() {
        let message = format!("not built in: {}", crate::origin::in_one_line(given));
        run.complain("note", &message);
    }
}

impl Output {
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
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        match &mut self.to {
            Target::Screen(screen) => seen(screen.write_all(bytes)),
            Target::File(draft) => draft
                .write_all(bytes)
                .map_err(|error| Refusal(format!("{}: cannot be written: {error}", self.name))),
        }
    }

    /// Writes some more of it. Data is for programs and as it is in a file; a terminal would
    /// act on some of it, and so gets it harmless.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write_data(&mut self, bytes: &[u8], data: bool) -> Result<(), Refusal> {
        if data && self.is_terminal() {
            let text = String::from_utf8_lossy(bytes);
            return self.write(crate::text::harmless(&text, true).as_bytes());
        }
        self.write(bytes)
    }

    /// Lets data be written as it is made, and not put together first.
    ///
    /// # Errors
    /// When it cannot be written, and those of what is made.
    pub(super) fn stream(
        &mut self,
        make: impl FnOnce(&mut Data<'_>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut data = Data {
            shown: self.is_terminal(),
            output: self,
            line: Vec::new(),
            failed: None,
        };
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
    pub(super) fn finish(self) -> Result<(), Refusal> {
        match self.to {
            Target::Screen(mut screen) => seen(screen.flush()),
            Target::File(draft) => draft.finish(),
        }
    }
}

/// Data on its way into an output.
#[derive(Debug)]
pub(super) struct Data<'o> {
    output: &'o mut Output,
    /// Whether a terminal shows it.
    shown: bool,
    /// What a terminal was not shown yet: the begun line.
    line: Vec<u8>,
    failed: Option<Refusal>,
}

impl Write for Data<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match self.shown {
            false => self.output.write(bytes),
            true => {
                self.line.extend_from_slice(bytes);
                let whole = memchr::memrchr(b'\n', &self.line).map_or(0, |end| end + 1);
                let lines: Vec<u8> = self.line.drain(..whole).collect();
                self.output.write_data(&lines, true)
            }
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
fn seen(result: io::Result<()>) -> Result<(), Refusal> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Refusal(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}
