//! `decklaw formats check`: the files of a game, strictly.

use crate::cli::options::Output;
use crate::cli::output::{self, Text};
use crate::cli::{Answer, CliError, Run, files};
use crate::format::{BESIDE, GAME, Game, LOOK, unread_files};
use crate::game::CARD_FILES;
use crate::look::{Look, PICTURES};
use crate::matches::Setup;
use crate::paper::{Motif, Motifs, Pictures};
use crate::pool::Pool;
use crate::solve::{TrialReport, tried};
use crate::text::{Lines as Places, counted};
use crate::yaml::{FileError, Problem, text_of};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn run(files: &[PathBuf], output: &Output, run: &Run) -> Answer {
    let mut lines = Lines::new(run);
    for path in files {
        lines.check(path)?;
    }
    output::emit(run, output, &lines.text)
}

/// What is printed about files, a line each, and whether all are right.
pub(super) struct Lines<'r> {
    run: &'r Run,
    pub(super) text: Text,
}

impl<'r> Lines<'r> {
    pub(super) fn new(run: &'r Run) -> Lines<'r> {
        let text = Text::from(String::new());
        Lines { run, text }
    }

    fn print(&mut self, line: String) {
        self.text.text.push_str(&self.run.printable(&(line + "\n")));
    }

    fn refuse(&mut self, error: FileError) {
        self.text.is_ok = false;
        self.print(CliError::from(error).message);
    }

    /// Notices with their places in a file.
    fn notices(&mut self, name: &str, source: &str, mut remarks: Vec<Problem>) {
        remarks.sort_by_key(|remark| remark.span);
        let places = Places::of(source);
        for remark in remarks {
            let remark = remark.placed(source);
            let place = places.place(remark.span.start);
            let (line, column) = (place.line, place.column);
            self.print(format!("{name}:{line}:{column}: notice: {}", remark.message));
        }
    }

    /// Checks the game of a folder or of a format file, with the files next to it.
    pub(super) fn check(&mut self, path: &Path) -> Result<(), CliError> {
        let is_folder = path.is_dir();
        let path = &if is_folder { path.join(GAME) } else { path.to_owned() };
        let (name, source) = read(path)?;
        let (game, mut remarks) = match game_of(&name, &source, path, is_folder) {
            Ok((game, misplaced)) => (Arc::new(game), Vec::from_iter(misplaced)),
            Err(error) => {
                self.refuse(error);
                return Ok(());
            }
        };
        let mut files = CARD_FILES.iter().map(|file| path.with_file_name(file));
        let file = files.find(|file| file.is_file());
        let cards = file.as_ref().map(|file| {
            let wrong = |error| CliError::call(format!("{}: {error}", file.display()));
            let cards = game.read_cards(&files::read_file(file)?);
            cards.map(Arc::new).map_err(wrong)
        });
        let cards = cards.transpose()?;
        let tried = match &cards {
            Some(cards) => tried(&game, cards),
            None => TrialReport { open: game.lint(None).remarks, ..TrialReport::default() },
        };
        if !tried.wrong.is_empty() {
            self.refuse(FileError::of(&name, &source, tried.wrong));
        } else {
            let formats = i64::try_from(game.file.formats.len()).unwrap_or(i64::MAX);
            let formats = counted(formats, "format");
            let untried = match CARD_FILES.first() {
                Some(file) if cards.is_none() && !game.file.rules.is_empty() => {
                    format!(" (no {file} next to it, so its examples were not tried)")
                }
                _ => String::new(),
            };
            self.print(format!("{name}: ok, {formats}{untried}"));
        }
        remarks.extend(tried.open);
        if let (Some(cards), Ok(setups)) = (&cards, Setup::all_of(&game)) {
            remarks.extend(setups.iter().flat_map(|setup| setup.unmatched(cards)));
        }
        self.notices(&name, &source, remarks);
        if let (Some(cards), Some(file)) = (&cards, &file) {
            let unread = cards.passed_over().iter().cloned();
            let all = cards.remarks().into_iter().chain(unread);
            for remark in all.chain(game.remarks_on_cells(cards)) {
                self.print(format!("{}: notice: {remark}", file.display()));
            }
        }
        for file in BESIDE {
            let path = path.with_file_name(file);
            if path.is_file() && file == LOOK {
                self.check_look(&game, &path, cards.as_deref())?;
            } else if path.is_file() {
                self.check_beside(&game, file, &path, cards.as_deref())?;
            }
        }
        let folder = path.parent().filter(|_| path.ends_with(GAME));
        let Some(folder) = folder.map(|folder| Path::new(".").join(folder)) else {
            return Ok(());
        };
        let pictures = path.with_file_name(PICTURES);
        if pictures.is_dir() {
            let found = Pictures::of_folder(&pictures)?;
            let remarks = found.remarks(&pictures, cards.as_deref())?;
            remarks.into_iter().for_each(|remark| self.print(remark));
        }
        for (file, hint) in unread_files(&folder)? {
            let file = path.with_file_name(file.file_name().unwrap_or_default());
            let file = file.display();
            self.print(format!("{file}: notice: nothing reads this file; {hint}"));
        }
        Ok(())
    }

    /// Checks the look of a game, and that there is a motif for each name in it.
    fn check_look(
        &mut self,
        game: &Game,
        path: &Path,
        cards: Option<&Pool>,
    ) -> Result<(), CliError> {
        let (name, source) = read(path)?;
        let look = match Look::check(game, cards, &name, &source) {
            Ok(look) => look,
            Err(error) => {
                self.refuse(error);
                return Ok(());
            }
        };
        let parts = i64::try_from(look.parts()).unwrap_or(i64::MAX);
        self.print(format!("{name}: ok, {}", counted(parts, "part")));
        if let Some(cards) = cards {
            self.notices(&name, &source, look.remarks(game, cards));
        }
        let motifs = self.motifs(&path.with_file_name(Motifs::FOLDER))?;
        if let (Some(motifs), Some(face)) = (motifs, look.face()) {
            let unknown = motifs.unknown(face);
            if !unknown.is_empty() {
                self.refuse(FileError::of(&name, &source, unknown));
            }
        }
        Ok(())
    }

    /// Checks the motifs in a folder; `None`: some are wrong.
    fn motifs(&mut self, folder: &Path) -> Result<Option<Motifs>, CliError> {
        let found = if folder.is_dir() { std::fs::read_dir(folder)?.collect() } else { Vec::new() };
        let mut paths: Vec<PathBuf> =
            found.into_iter().map(|file| Ok(file?.path())).collect::<std::io::Result<_>>()?;
        paths.sort();
        let mut files = Vec::new();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "svg")) {
            let bytes = files::read_file(path)?;
            match Motif::read(&path.display().to_string(), &bytes) {
                Ok(motif) => files.push((format!("{}/{motif:?}.svg", Motifs::FOLDER), bytes)),
                Err(error) => self.refuse(error),
            }
        }
        if !files.is_empty() {
            let number = i64::try_from(files.len()).unwrap_or(i64::MAX);
            self.print(format!("{}: ok, {}", folder.display(), counted(number, "motif")));
        }
        let files = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        Ok(Motifs::of(files).ok())
    }

    /// Checks the statistics, odds or advice of a game.
    fn check_beside(
        &mut self,
        game: &Game,
        file: &str,
        path: &Path,
        cards: Option<&Pool>,
    ) -> Result<(), CliError> {
        let (name, source) = read(path)?;
        match crate::game_files::check(game, file, &source, cards) {
            Ok((count, remarks)) => {
                self.print(format!("{name}: ok, {count}"));
                self.notices(&name, &source, remarks);
            }
            Err(problems) => self.refuse(FileError::of(&name, &source, problems)),
        }
        Ok(())
    }
}

/// The game of a file, and that its folder has another name, which is an error where the folder is
/// what was named.
fn game_of(
    name: &str,
    source: &str,
    path: &Path,
    is_folder: bool,
) -> Result<(Game, Option<Problem>), FileError> {
    let game = Game::read(name, source)?;
    let refuse = |problems| FileError::of(name, source, problems);
    let whole = path.file_name().filter(|name| *name == GAME);
    let folder = whole.and_then(|_| path.canonicalize().ok()?.parent().map(Path::to_owned));
    let called = folder.as_deref().and_then(Path::file_name);
    let misplaced = called.and_then(|own| game.is_called(&own.to_string_lossy()).err());
    if is_folder && let Some(problem) = misplaced {
        return Err(refuse(vec![problem]));
    }
    Setup::all_of(&game)?;
    Ok((game, misplaced))
}

fn read(path: &Path) -> Result<(String, String), CliError> {
    let name = path.display().to_string();
    let bytes = files::read_file(path)?;
    let text = text_of(&name, &bytes)?.to_owned();
    Ok((name, text))
}
