//! The outputs of a command: `-o KIND`, `-o KIND=FILE` and `--to FILE`.

use super::files::{Draft, Readers};
use super::{Refusal, Run};
use crate::judge::Judge;
use crate::origin::Given;
use crate::report::human::Style;
use crate::spreadsheet::Flavour;
use crate::text::those;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::{Path, PathBuf};

/// Kinds that are no text: a terminal would show rubbish and act on it.
pub(super) const BINARY: [&str; 3] = ["xlsx", "png", "pdf"];

/// One output of a command and where it goes.
#[derive(Debug)]
pub(super) struct Output<K> {
    /// What is written.
    pub(super) kind: K,
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
pub(super) fn asked<K: Copy>(
    run: &Run,
    known: &[(&str, K)],
    readers: Readers,
) -> Result<Vec<Output<K>>, Refusal> {
    begun(run, known, |file| Draft::new(run, file, readers))
}

/// The same for a command that replaces no file, unless the call says so.
///
/// # Errors
/// As for [`asked`]; a file that exists already.
pub(super) fn asked_fresh<K: Copy>(
    run: &Run,
    known: &[(&str, K)],
    readers: Readers,
) -> Result<Vec<Output<K>>, Refusal> {
    let fresh = |file: &Path| Draft::fresh(run, file, readers, run.options.replace);
    begun(run, known, fresh)
}

/// The same for a command that changes a file: its output may be put in the place of that one.
///
/// # Errors
/// As for [`asked_fresh`].
pub(super) fn asked_to_change<K: Copy>(
    run: &Run,
    known: &[(&str, K)],
    readers: Readers,
    changed: &Path,
) -> Result<Vec<Output<K>>, Refusal> {
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

fn begun<K: Copy>(
    run: &Run,
    known: &[(&str, K)],
    begin: impl Fn(&Path) -> Result<Draft, Refusal>,
) -> Result<Vec<Output<K>>, Refusal> {
    let default = known.first().map(|(name, _)| (*name).to_owned());
    let asked = match run.options.output.as_slice() {
        [] => default.into_iter().collect(),
        asked => asked.to_vec(),
    };
    let mut places: Vec<String> = Vec::new();
    let mut outputs = Vec::new();
    for asked in asked {
        let (kind, file) = match asked.split_once('=') {
            Some((kind, file)) => (kind, Some(PathBuf::from(file))),
            None => (asked.as_str(), run.options.to.clone()),
        };
        let Some((asked_kind, kind)) = known.iter().find(|(name, _)| *name == kind) else {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            return Err(Refusal(format!(
                "no output `{kind}` of this command; {}",
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
                let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
                let draft = begin(file)?;
                super::ending::fits(file, asked_kind, &names)?;
                Target::File(draft)
            }
            None if BINARY.contains(asked_kind) && io::stdout().is_terminal() => {
                return Err(Refusal(format!(
                    "`{asked_kind}` is nothing to show in a terminal; say where it goes, with `-o {asked_kind}=FILE.{asked_kind}`"
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

/// What commands write that tell of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HumanOrJson {
    /// For people to read.
    Human,
    /// For programs.
    Json,
}

/// The outputs of commands that tell of something.
pub(super) const FORMS: [(&str, HumanOrJson); 2] =
    [("human", HumanOrJson::Human), ("json", HumanOrJson::Json)];

/// The output of commands that have just one.
pub(super) const TEXT: [(&str, ()); 1] = [("human", ())];

/// What commands write that count something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figures {
    /// For people to read.
    Human,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv(Flavour),
}

/// The outputs of commands that count something.
pub(super) const FIGURES: [(&str, Figures); 4] = [
    ("human", Figures::Human),
    ("json", Figures::Json),
    ("csv", Figures::Csv(Flavour::Plain)),
    ("csv-excel", Figures::Csv(Flavour::Excel)),
];

/// The outputs of commands that answer something of many decks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputKind {
    /// For people to read.
    Human,
    /// A document for programs.
    Json,
    /// A line a deck for programs.
    Ndjson,
    /// For spreadsheets.
    Csv(Flavour),
    /// For build servers.
    Junit,
    /// For the workflows of GitHub.
    Github,
    /// A workbook.
    Xlsx,
}

/// The outputs of commands that answer something of many decks, by their names.
pub(super) const KINDS: [(&str, OutputKind); 8] = [
    ("human", OutputKind::Human),
    ("json", OutputKind::Json),
    ("ndjson", OutputKind::Ndjson),
    ("csv", OutputKind::Csv(Flavour::Plain)),
    ("csv-excel", OutputKind::Csv(Flavour::Excel)),
    ("junit", OutputKind::Junit),
    ("github", OutputKind::Github),
    ("xlsx", OutputKind::Xlsx),
];

impl OutputKind {
    /// Whether it is written at the end, of all decks together.
    pub(super) fn is_document(self) -> bool {
        matches!(
            self,
            OutputKind::Json | OutputKind::Junit | OutputKind::Xlsx
        )
    }
}

/// Writes every output that was asked for; `text` makes that of a kind.
///
/// # Errors
/// As for [`asked`], those of `text`, and when something cannot be written.
pub(super) fn answer<K: Copy>(
    run: &Run,
    known: &[(&str, K)],
    mut text: impl FnMut(K) -> Result<String, Refusal>,
) -> Result<(), Refusal> {
    for mut output in asked(run, known, Readers::Anyone)? {
        output.write(text(output.kind)?.as_bytes())?;
        output.finish()?;
    }
    Ok(())
}

/// The line that ends a report for people: what decided and is not built in.
pub(super) fn foot(given: &[Given]) -> String {
    let style = Style {
        width: super::terminal::width(),
        colour: false,
        unicode: true,
        quiet: false,
        verbose: false,
        words: super::words::of,
    };
    crate::report::human::given(given, &style)
}

/// Says the same on standard error, where the output is a deck or data and no report.
pub(super) fn tell_inputs(run: &Run, judge: &Judge) {
    tell_given(run, &judge.given_so_far());
}

/// The same of inputs that are known.
pub(super) fn tell_given(run: &Run, given: &[Given]) {
    if !given.is_empty() {
        let message = format!("not built in: {}", crate::origin::in_one_line(given));
        run.complain("note", &message);
    }
}

impl<K> Output<K> {
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
        make: impl FnOnce(&mut Data<'_, K>) -> Result<(), Refusal>,
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
pub(super) struct Data<'o, K> {
    output: &'o mut Output<K>,
    /// Whether a terminal shows it.
    shown: bool,
    /// What a terminal was not shown yet: the begun line.
    line: Vec<u8>,
    failed: Option<Refusal>,
}

impl<K> Write for Data<'_, K> {
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
