//! `decklaw formats add` and `remove`: games of others, kept where every command finds them.

use super::check::check_lines;
use super::parcel::Parcel;
use crate::cli::kept::{Changing, Kept};
use crate::cli::maker::plain_id;
use crate::cli::{Answer, Outcome, Refusal, Run, configuration, inputs, terminal};
use crate::format::{GAME, Game};
use crate::origin::Origin;
use crate::text::{counted, listed};
use crate::yaml::{FileError, text_of};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw formats add netrunner.zip\n  decklaw formats add games/lantern --replace\n\nThe game is checked as by `decklaw formats check`, with its examples; one that is not in order is not kept."
)]
pub(in crate::cli) struct Add {
    /// The folder of a game, or a .zip archive of it
    #[arg(value_name = "FOLDER|ARCHIVE")]
    from: PathBuf,
    /// Let it take the place of a game of the same id
    #[arg(long)]
    replace: bool,
}

impl Add {
    pub(in crate::cli) fn run(&self, run: &Run) -> Answer {
        let parcel = Parcel::read(run, &self.from)?;
        let sha256 = parcel.digest();
        let name = self.from.join(GAME).display().to_string();
        let read = text_of(&name, parcel.game()).and_then(|text| Game::read(&name, text));
        let id = match read {
            Ok(game) => plain_id(game.id().to_owned(), &format!("`game` in {name}"))?,
            Err(error) => return not_kept(run, &[Err(error)]),
        };
        let changing = Changing::begin(run)?;
        let replaced = match known(run, &changing.kept, &id, &sha256)? {
            Known::Here => {
                terminal::print(format!("{id} is here already (sha256 {sha256})\n").as_bytes())?;
                return Ok(Outcome::Yes);
            }
            Known::Other(what) if !self.replace => {
                return Err(Refusal(format!(
                    "{}: there is another game `{id}` already: {what}; `--replace` lets this one take its place",
                    self.from.display()
                )));
            }
            Known::Other(what) => Some(what),
            Known::Nowhere => None,
        };
        let begun = changing.folder(&id, &sha256)?;
        for (path, bytes) in parcel.files() {
            let file = begun.folder.join(path);
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder)?;
            }
            run.write(&file, bytes, crate::cli::files::Readers::Anyone)?;
        }
        // Of the files as they are kept; what is said names them as they were given.
        let (here, given) = (
            begun.folder.display().to_string(),
            self.from.display().to_string(),
        );
        let named = |text: &str| text.replace(&here, &given);
        let lines = check_lines(run, &begun.folder);
        let lines = lines.map_err(|Refusal(why)| Refusal(named(&why)))?;
        let lines: Vec<Line> = (lines.into_iter())
            .map(|line| match line {
                Ok(line) => Ok(named(&line)),
                Err(error) => Err(FileError {
                    name: named(&error.name),
                    ..error
                }),
            })
            .collect();
        if lines.iter().any(Result::is_err) {
            return not_kept(run, &lines);
        }
        let files = parcel.files().count();
        changing.keep(&id, begun, &sha256)?;
        let mut said = told(run, &lines);
        let left = parcel.left();
        if !left.is_empty() {
            let (first, more) = left.split_at(left.len().min(5));
            let mut names: Vec<String> = first.to_vec();
            if !more.is_empty() {
                names.push(counted(more.len() as i64, "other"));
            }
            said.push_str(&format!(
                "left out, since nothing reads it: {}\n",
                listed(&names, "and")
            ));
        }
        if let Some(what) = replaced {
            said.push_str(&format!("in the place of {what}\n"));
        }
        said.push_str(&format!(
            "{id} is kept: {}, sha256 {sha256}\n",
            counted(files as i64, "file")
        ));
        terminal::print(run.tame(&said).as_bytes())?;
        Ok(Outcome::Yes)
    }
}

/// A game of the id of one that is to be kept.
enum Known {
    /// There is none.
    Nowhere,
    /// That very game is kept, and nobody has changed it since.
    Here,
    /// Another one, in words.
    Other(String),
}

fn known(run: &Run, kept: &Kept, id: &str, sha256: &str) -> Result<Known, Refusal> {
    if let Some(entry) = kept.game(id) {
        let now = Parcel::of_folder(&kept.place(entry).join(id)).map(|parcel| parcel.digest());
        return Ok(match now {
            Ok(now) if now == sha256 => Known::Here,
            Ok(now) if now == entry.sha256 => {
                Known::Other(format!("the one that is kept, sha256 {now}"))
            }
            _ => Known::Other("the one that was kept and has been changed since".to_owned()),
        });
    }
    // A folder that this one happens to be called in is none of the account's.
    let mut options = (*run.options).clone();
    options.no_local = true;
    let catalogue = configuration::found(&run.with(options))?.catalogue;
    let is_known = catalogue.games().any(|game| game == id);
    Ok(
        match (is_known, catalogue.origin(id), catalogue.folder(id)) {
            (false, _, _) => Known::Nowhere,
            (true, Origin::BuiltIn, _) | (true, _, None) => {
                Known::Other("the one that is built in".to_owned())
            }
            (true, _, Some(folder)) => Known::Other(format!(
                "the one in {}, which stays there and counts again once this is removed",
                folder.display()
            )),
        },
    )
}

/// What is said of a file: that it is in order, or why not.
type Line = Result<String, FileError>;

fn told(run: &Run, lines: &[Line]) -> String {
    let each = lines.iter().map(|line| match line {
        Ok(line) => run.tame(&format!("{line}\n")),
        Err(error) => run.tame(&format!("{}\n", inputs::explain(error).0)),
    });
    each.collect()
}

/// Says why a game is not kept.
fn not_kept(run: &Run, lines: &[Line]) -> Answer {
    terminal::print((told(run, lines) + "nothing is kept\n").as_bytes())?;
    Ok(Outcome::No)
}

/// Forgets a game that is kept.
pub(super) fn remove(run: &Run, id: &str) -> Answer {
    let changing = Changing::begin(run)?;
    let Some(entry) = changing.kept.game(id) else {
        let kept: Vec<&str> = changing.kept.games().map(|(id, _)| id.as_str()).collect();
        let kept = match kept.as_slice() {
            [] => "; none is".to_owned(),
            kept => format!(", but {}", listed(kept, "and")),
        };
        return Err(Refusal(format!(
            "no game `{id}` is kept by `formats add`{kept}"
        )));
    };
    let sha256 = entry.sha256.clone();
    changing.forget(id)?;
    let text = format!("{id} is kept no longer (sha256 {sha256})\n");
    terminal::print(run.tame(&text).as_bytes())?;
    Ok(Outcome::Yes)
}

/// What `formats list` says of the games that are kept: of each its digest, and whether it has other
/// files by now.
pub(super) fn kept_now(run: &Run) -> Result<Vec<(String, String, bool)>, Refusal> {
    let kept = Kept::read(run)?;
    let each = kept.games().map(|(id, entry)| {
        let now = Parcel::of_folder(&kept.place(entry).join(id));
        let changed = now.is_ok_and(|now| now.digest() != entry.sha256);
        (id.clone(), entry.sha256.clone(), changed)
    });
    Ok(each.collect())
}
