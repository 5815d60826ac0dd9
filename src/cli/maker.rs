//! `decklaw formats new`: a game's folder to begin with, from what is asked for or answered.

use super::formats::check_lines;
use super::{Answer, Outcome, Refusal, Run, files, inputs, terminal};
use crate::format::{Draft, DraftSection, cards_of, example_cards};
use crate::name::fold;
use crate::pool::Pool;
use crate::table;
use crate::text::listed;
use decklaw_core::records::{self, Mapping};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw formats new formats/lantern\n  decklaw formats new formats/lantern --cards my-cards.csv --section main=40..60 --section side=..15 --copies 3 --hand 5\n\n`--cards FILE` is a table with a column `name`; its other columns become fields. Without it cards are invented."
)]
pub(super) struct New {
    /// The folder, which is made; its name is the game's id
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The game's name [default: the folder's]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// A section and how many cards it has [default: main=40..]
    #[arg(long = "section", value_name = "ID=NUMBERS")]
    sections: Vec<String>,
    /// The most copies of a card [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99))]
    copies: Option<u32>,
    /// Cards of an opening hand [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99))]
    hand: Option<u32>,
}

impl New {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let id = id_of(&self.folder)?;
        if is_taken(run, &self.folder)? {
            return Err(Refusal(format!(
                "{}: there is something already; name a folder that is not there yet",
                self.folder.display()
            )));
        }
        let asks = io::stdin().is_terminal() && io::stdout().is_terminal();
        let name = match &self.name {
            Some(name) => name.trim().to_owned(),
            None => asked(run, asks, "The game's name", &title(&id), |text| {
                Ok(text.to_owned())
            })?,
        };
        let from = match run.options.cards.as_slice() {
            [file] => Some(PathBuf::from(file)),
            [_, _, ..] => return Err(Refusal("one table of cards is taken".to_owned())),
            [] => asked(
                run,
                asks,
                "A table of its cards (a file; nothing: invented ones)",
                "",
                |text| Ok((!text.is_empty()).then(|| PathBuf::from(text))),
            )?,
        };
        let given = from.as_ref().map(|file| cards(run, file)).transpose()?;
        let copies = match self.copies {
            Some(copies) => copies,
            None => asked(run, asks, "The most copies of a card", "3", number)?,
        };
        let copies_in_all = |pool: &Pool| {
            let cards = u32::try_from(pool.len()).unwrap_or(u32::MAX);
            cards.saturating_mul(copies)
        };
        let most = given.as_ref().map_or(u32::MAX, copies_in_all);
        let sections = match self.sections.as_slice() {
            [] => {
                let least = most.min(40);
                let default = format!("main={least}..");
                asked(
                    run,
                    asks,
                    "Sections and their cards, as `main=40..60 side=..15`",
                    &default,
                    |text| {
                        text.split_whitespace()
                            .map(section)
                            .collect::<Result<Vec<_>, _>>()
                    },
                )?
            }
            given => {
                let read = given.iter().map(|text| section(text));
                read.collect::<Result<Vec<_>, _>>().map_err(Refusal)?
            }
        };
        distinct(&sections)?;
        let least = sections.iter().map(|one| one.least);
        let least = least.fold(0, u32::saturating_add);
        let pool = match given {
            Some(pool) => pool,
            None => invented(least.div_ceil(copies))?,
        };
        let most = copies_in_all(&pool);
        let large = least > most;
        if large {
            let message = format!(
                "no deck of {least} cards can be built: {} with {copies} of each make {most}",
                crate::text::counted(i64::try_from(pool.len()).unwrap_or(i64::MAX), "card")
            );
            run.complain("warning", &message);
        }
        // What is written can be mended, and is not yet a game that anybody can play.
        let outcome = match large {
            true => Outcome::No,
            false => Outcome::Yes,
        };
        let hand = match self.hand {
            Some(hand) => hand,
            None => asked(run, asks, "Cards of an opening hand", "5", number)?,
        };
        let draft = Draft {
            id,
            name,
            sections,
            copies,
            hand,
            pool,
        };
        self.write(run, &draft, outcome)
    }

    /// Writes the folder and checks it; `outcome` is the answer where it is in order.
    fn write(&self, run: &Run, draft: &Draft, mut outcome: Outcome) -> Answer {
        let cannot = |error: io::Error| {
            Refusal(format!(
                "{}: cannot be written: {error}",
                self.folder.display()
            ))
        };
        std::fs::create_dir_all(&self.folder).map_err(cannot)?;
        for (name, bytes) in draft.files()? {
            run.write(&self.folder.join(name), &bytes, files::Readers::Anyone)?;
        }
        let mut lines = String::new();
        for line in check_lines(run, &self.folder)? {
            let line = line.unwrap_or_else(|error| {
                outcome = Outcome::No;
                inputs::explain(&error).0
            });
            lines.push_str(&crate::text::harmless(&line, true));
            lines.push('\n');
        }
        let folder = self.folder.display();
        let parent = self.folder.parent().unwrap_or(Path::new(""));
        let parent = match parent.as_os_str().is_empty() {
            true => ".".to_owned(),
            false => parent.display().to_string(),
        };
        let id = &draft.id;
        lines.push_str(&format!(
            "\nNext: change {folder}/game.yaml, and try it with `decklaw formats check {folder}`.\nEvery command knows the game where `decklaw.yaml` has the line `formats: [{parent}]`:\n  decklaw build {id} --to deck.txt\n  decklaw check deck.txt\n"
        ));
        terminal::print(lines.as_bytes())?;
        Ok(outcome)
    }
}

/// So many invented cards, as far as somebody may want to look at them.
fn invented(count: u32) -> Result<Pool, Refusal> {
    const MOST: u32 = 1_000;
    let table = example_cards(count.min(MOST) as usize);
    let sheet = table::read(table.as_bytes(), None);
    let sheet = sheet.map_err(|error| Refusal(error.to_string()))?;
    cards_of(&sheet).map_err(|error| Refusal(error.to_string()))
}

/// A game's id from its folder.
fn id_of(folder: &Path) -> Result<String, Refusal> {
    let name = folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    plain_id(name.unwrap_or_default(), "the folder's name")
}

/// An id that a folder can be called by everywhere; `what` says where it stands.
pub(super) fn plain_id(id: String, what: &str) -> Result<String, Refusal> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match id.starts_with(|c: char| c.is_ascii_lowercase()) && id.chars().all(plain) {
        true => Ok(id),
        false => Err(Refusal(format!(
            "`{}` cannot be the id of a game: {what} must be lower-case letters, digits and `-`",
            crate::text::harmless(&id, false)
        ))),
    }
}

/// Whether anything stands in the folder, but for what a killed process left.
fn is_taken(run: &Run, folder: &Path) -> Result<bool, Refusal> {
    files::clear(run, folder);
    match std::fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Refusal(format!("{}: {error}", folder.display()))),
    }
}

/// An id as a name.
fn title(id: &str) -> String {
    let words = id.split('-').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

fn number(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(number @ 1..=99) => Ok(number),
        _ => Err(format!("`{text}` is no number from 1 to 99")),
    }
}

/// A section with its numbers: `main`, `main=40`, `main=40..60`, `side=..15`.
fn section(text: &str) -> Result<DraftSection, String> {
    let (id, numbers) = text.split_once('=').unwrap_or((text, ""));
    let id = fold(id).into_owned();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !id.starts_with(|c: char| c.is_ascii_lowercase()) || !id.chars().all(plain) {
        return Err(format!("`{text}` names no section, as `main=40..60` does"));
    }
    let number = |text: &str| -> Result<u32, String> {
        match text.parse() {
            Ok(number @ 0..=9999) => Ok(number),
            _ => Err(format!("`{text}` is no number of cards")),
        }
    };
    let (least, most) = match numbers.split_once("..") {
        None if numbers.is_empty() => (0, None),
        None => (number(numbers)?, Some(number(numbers)?)),
        Some((least, most)) => {
            let least = if least.is_empty() { 0 } else { number(least)? };
            let most = if most.is_empty() {
                None
            } else {
                Some(number(most)?)
            };
            (least, most)
        }
    };
    match most.is_some_and(|most| most < least || most == 0) {
        true => Err(format!(
            "`{text}`: the most is less than the least, or nothing"
        )),
        false => Ok(DraftSection { id, least, most }),
    }
}

fn distinct(sections: &[DraftSection]) -> Result<(), Refusal> {
    let mut ids: Vec<&str> = sections.iter().map(|one| one.id.as_str()).collect();
    ids.sort_unstable();
    if ids.is_empty() || ids.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Refusal(format!(
            "a deck needs sections, each once; these are {}",
            listed(&ids, "and")
        )));
    }
    Ok(())
}

/// The cards of a table.
fn cards(run: &Run, file: &Path) -> Result<crate::pool::Pool, Refusal> {
    let (bytes, sheet) = inputs::read_table(run, file)?;
    let wrong = |error: String| Refusal(format!("{}: {error}", file.display()));
    let sheet = records::sheet(&bytes, sheet.as_deref(), &Mapping::default(), &[]);
    let sheet = sheet.map_err(|error| wrong(error.to_string()))?;
    cards_of(&sheet).map_err(|error| wrong(error.to_string()))
}

/// Asks until the answer can be read; an empty one is the default, which is all that is taken
/// where nobody can be asked.
fn asked<T>(
    run: &Run,
    asks: bool,
    question: &str,
    default: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, Refusal> {
    loop {
        let mut line = String::new();
        if asks {
            let shown = match default {
                "" => String::new(),
                default => format!(" [{default}]"),
            };
            let mut out = io::stdout();
            write!(out, "{question}{shown}: ").and_then(|()| out.flush())?;
            io::stdin().lock().read_line(&mut line)?;
        }
        let ended = asks && line.is_empty();
        let text = match line.trim() {
            "" => default,
            text => text,
        };
        match read(text) {
            Ok(value) => return Ok(value),
            Err(wrong) if asks && !ended => run.complain("not understood", &wrong),
            Err(wrong) => return Err(Refusal(wrong)),
        }
    }
}
