//! `decklaw publish`: a page for one game that needs no server.

use super::answer::io_message;
use super::files::{self, Draft, Readers};
use super::options::{Judging, Settled};
use super::{Answer, CliError, Outcome, Run, inputs};
use crate::format::GAME;
use crate::serve::{self, Folder};
use crate::text::counted;
use std::path::{Path, PathBuf};

/// The library as WebAssembly, under its file name next to the program.
const ENGINE: &str = "decklaw.wasm";

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw publish shell site\n  decklaw publish formats/vastrix cards --engine decklaw.wasm\n\nPut the folder on any web server, or open its index.html from disk."
)]
pub(super) struct Publish {
    /// A game's id, or its folder
    game: String,
    /// The folder to write the page into
    #[arg(value_name = "DIR")]
    to: PathBuf,
    /// The engine, decklaw.wasm [default: next to the program]
    ///
    /// In a clone `bash .ci/engine` makes it, and it is found there; a release's archive has it.
    #[arg(long, value_name = "FILE")]
    engine: Option<PathBuf>,
    /// Replace files
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    settled: Settled,
}

impl Publish {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let folder = Path::new(&self.game);
        let judging = Judging::from(self.settled.clone());
        let (judge, game) = if folder.join(GAME).is_file() {
            let judge = inputs::judge_with_game(run, &judging, folder)?;
            let own = folder.canonicalize();
            let own = own.map_err(|error| CliError::call(format!("{}: {error}", self.game)))?;
            let id = own.file_name().unwrap_or_default().to_string_lossy();
            (judge, id.into_owned())
        } else {
            (inputs::judge(run, &judging)?, self.game.clone())
        };
        if let Ok(format) = judge.catalogue().format(&game)
            && format.game().id() != game
        {
            return Err(CliError::call(format!(
                "`{game}` is a format of `{}`, whose page has all its formats; name the game",
                format.game().id()
            )));
        }
        let known = judge.catalogue().game(&game)?;
        for format in known.formats() {
            judge.rulebook(format.id())?;
        }
        inputs::fitting(run, &judge)?;
        let engine = self.engine()?;
        let refuse = |problem: crate::Problem| CliError::from(problem);
        let folder = Folder::of(&judge, &game, judging.as_of().is_some()).map_err(refuse)?;
        let mut files = serve::published(&folder, &known.file.name, &engine).map_err(refuse)?;
        if let Some(from) = judge.catalogue().folder(&game) {
            for picture in &folder.pictures {
                let bytes = files::read_file(&from.join("pictures").join(picture))?;
                files.insert(format!("pictures/{picture}"), bytes);
            }
        }
        let made = |folder: &Path| {
            std::fs::create_dir_all(folder).map_err(|error| {
                CliError::call(format!("{}: {}", folder.display(), io_message(&error)))
            })
        };
        // What is there already is refused before anything is written.
        let mut drafts = Vec::new();
        made(&self.to)?;
        if !folder.pictures.is_empty() {
            made(&self.to.join("pictures"))?;
        }
        for (name, bytes) in &files {
            let path = self.to.join(name);
            if std::fs::read(&path).is_ok_and(|found| found == *bytes) {
                continue;
            }
            let draft = Draft::new(&path, Readers::Anyone, self.replace)?;
            drafts.push((name, draft, bytes));
        }
        // The page names its files by what is in them, so that it comes after them.
        drafts.sort_by_key(|(name, ..)| *name == "index.html");
        for (_, draft, bytes) in drafts {
            draft.whole(bytes)?;
        }
        let count = counted(i64::try_from(files.len()).unwrap_or(i64::MAX), "file");
        let index = self.to.join("index.html");
        run.complain(
            "note",
            &format!("{}: the page of {game}, {count}; it opens from here, too", index.display()),
        );
        Ok(Outcome::Yes)
    }

    /// The engine that is named, or the one next to the program.
    ///
    /// # Errors
    /// None there, and how to get one; one of another version.
    fn engine(&self) -> Result<Vec<u8>, CliError> {
        // Where archives, packages and a clone have it: next to the program, in a folder for what
        // programs share, or where `.ci/engine` builds it.
        let next_to_program = || {
            let program = std::env::current_exe().ok()?;
            let folder = program.parent()?;
            let near = ["", "../share/decklaw", "../engine"];
            let places = near.map(|place| folder.join(place));
            let mut files = places.iter().map(|place| place.join(ENGINE));
            files.find(|file| file.is_file())
        };
        let Some(file) = self.engine.clone().or_else(next_to_program) else {
            return Err(CliError::call(format!(
                "a page needs the engine {ENGINE}. In a clone `bash .ci/engine` makes it; a release's archive has it, for `--engine FILE`"
            )));
        };
        let engine = files::read_file(&file)?;
        let name = file.display();
        if !engine.starts_with(b"\0asm") {
            return Err(CliError::call(format!("{name}: not WebAssembly")));
        }
        let has = |mark: &str| memchr::memmem::find(&engine, mark.as_bytes()).is_some();
        let version = env!("CARGO_PKG_VERSION");
        if !has(&format!("decklaw-engine {version} ")) {
            return Err(CliError::call(format!(
                "{name}: this is not the engine of decklaw {version}; take the one of the same release"
            )));
        }
        if !has(crate::ENGINE) {
            return Err(CliError::call(format!(
                "{name}: this engine was built from other sources than this program; in a clone `bash .ci/engine` makes it anew"
            )));
        }
        Ok(engine)
    }
}
