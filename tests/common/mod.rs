//! What the suites have in common.
#![allow(dead_code, reason = "each suite needs its part")]

pub(crate) mod cases;
pub(crate) mod evening;
pub(crate) mod hostile;

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The folder of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A call of the program in a folder; the configuration is that of its folder `config`.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
    command.args(arguments).current_dir(folder);
    command.env("DECKLAW_CONFIG", folder.join("config"));
    command
}

/// Runs the program in a folder.
pub(crate) fn decklaw(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Files by their paths inside a folder.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Every file in a folder and those in it; none where there is no folder.
pub(crate) fn tree(folder: &Path) -> Files {
    fn of(folder: &Path, before: &str, found: &mut Files) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().map(Result::unwrap) {
            let name = format!("{before}{}", entry.file_name().to_str().unwrap());
            if entry.path().is_dir() {
                of(&entry.path(), &format!("{name}/"), found);
            } else {
                found.insert(name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    let mut found = Files::new();
    of(folder, "", &mut found);
    found
}

/// Every sample deck, by its path from the root.
pub(crate) fn samples() -> Vec<(String, Vec<u8>)> {
    let all = tree(&root().join("decks")).into_iter();
    let decks = all.filter(|(name, _)| name.ends_with(".txt"));
    decks.map(|(name, bytes)| (format!("decks/{name}"), bytes)).collect()
}

/// The commands that do something, by their words, each with its options.
pub(crate) fn leaves() -> Vec<(String, clap::Command)> {
    fn of(command: &clap::Command, words: &str, all: &mut Vec<(String, clap::Command)>) {
        let mut inner = command.get_subcommands().filter(|own| own.get_name() != "help").peekable();
        if inner.peek().is_none() {
            all.push((words.trim_start().to_owned(), command.clone()));
        }
        for own in inner {
            of(own, &format!("{words} {}", own.get_name()), all);
        }
    }
    let (mut program, mut all) = (decklaw::cli::command(), Vec::new());
    // Only a command that is called has its options; its subcommands are there from the start.
    program.build();
    of(&program, "", &mut all);
    all
}

/// The words of a call; `'…'` is one.
pub(crate) fn words(call: &str) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), call.trim());
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('\'');
        let quoted = quoted.and_then(|rest| rest.split_once('\''));
        let (word, after) = quoted.unwrap_or_else(|| rest.split_once(' ').unwrap_or((rest, "")));
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

/// A call that is written as one line.
pub(crate) fn line(folder: &Path, call: &str) -> Command {
    let mut command = command(folder, &[]);
    command.args(words(call));
    command
}

/// Runs a call that is written as one line.
pub(crate) fn run(folder: &Path, call: &str) -> Output {
    line(folder, call).output().unwrap()
}

/// Runs a call with this standard input.
pub(crate) fn fed(mut command: Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // A run that refuses its call does not read on.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// The end of a run.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (out, err) = (text(output.stdout), text(output.stderr));
        Ran { status: output.status.code().unwrap(), out, err }
    }

    /// It ended with this status, and said these words.
    #[track_caller]
    pub(crate) fn expect(self, status: i32, words: &[&str]) -> Ran {
        let all = format!("{}\n{}", self.out, self.err);
        assert_eq!(self.status, status, "{all}");
        for word in words {
            assert!(all.contains(word), "`{word}` is not in:\n{all}");
        }
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap()
    }
}

/// The answer of a run in JSON.
#[track_caller]
pub(crate) fn json(run: &Output) -> Value {
    serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("no JSON: {}", said(run)))
}

/// The text that a run prints, on either stream.
pub(crate) fn said(run: &Output) -> String {
    text(&run.stdout) + &text(&run.stderr)
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The files of an archive: a line `@@@ HEAD` begins each.
pub(crate) fn files(archive: &str) -> impl Iterator<Item = (&str, String)> {
    archive.trim_end().split("\n@@@ ").skip(1).map(|file| {
        let (head, text) = file.split_once('\n').unwrap_or((file, ""));
        (head.trim_end(), text.replace('\r', "") + "\n")
    })
}

/// The rows of a table of `tables.txt`.
pub(crate) fn table(name: &str) -> impl Iterator<Item = &'static str> + use<> {
    let all = include_str!("../tables.txt").trim_end_matches('\n');
    let mut tables = all.split("\n@@@ ").skip(1).filter_map(|table| table.split_once('\n'));
    let (_, rows) =
        tables.find(|(own, _)| own.trim_end() == name).unwrap_or_else(|| panic!("no {name}"));
    rows.lines()
}

/// A table as the text that it is, such as a game's file.
pub(crate) fn table_text(name: &str) -> String {
    table(name).map(|row| format!("{row}\n")).collect()
}

/// The bytes of a text in which `\xNN` is a byte.
pub(crate) fn bytes(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (byte, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(byte, 16).unwrap());
        bytes.extend(rest.as_bytes());
    }
    bytes
}

/// A file of packed parts, as workbooks are.
pub(crate) fn packed(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        let method = match *name {
            "mimetype" => zip::CompressionMethod::Stored,
            _ => zip::CompressionMethod::Deflated,
        };
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        let options = options.compression_level(
            (bytes.len() > 1 << 20 && method == zip::CompressionMethod::Deflated).then_some(1),
        );
        archive.start_file(*name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Numbers that look random and are the same on every run (xorshift64*).
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A stream of its own for each text.
    pub(crate) fn of(seed: &str) -> Random {
        let mixed = seed.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Random::new(mixed)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end.max(1)
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    /// A stretch of some bytes, mostly a short one.
    pub(crate) fn stretch(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(bytes.len() + 1);
        let longest = match self.below(4) {
            0 => bytes.len() - start,
            _ => (bytes.len() - start).min(24),
        };
        start..start + self.below(longest + 1)
    }
}
