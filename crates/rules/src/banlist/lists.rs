//! Where banlists come from: built in, and from a user's folders.

use super::Banlist;
use crate::origin::Origin;
use decklaw_text::yaml::FileError;
use include_dir::{Dir, include_dir};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

static BUILT_IN: Dir<'static> = include_dir!("$DECKLAW_BANLISTS");

/// The banlists known. Those built in are parsed only for the games that are asked for. A list
/// is known by its publisher, its game and its id.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    brought: Vec<Arc<Banlist>>,
    /// Whether there are none but those that were brought.
    alone: bool,
}

impl Lists {
    /// Just these, and none that are built in.
    pub fn of_copies(lists: impl IntoIterator<Item = Banlist>) -> Lists {
        Lists { brought: lists.into_iter().map(Arc::new).collect(), alone: true }
    }

    /// Adds the lists of a folder: every `.yaml` file in it and in its folders. A list replaces
    /// those with its game and id that are built in or were added before the folder; never one
    /// that was fetched. Gives the ids of those that it replaces by others.
    ///
    /// # Errors
    /// A file or folder that cannot be read or used.
    pub fn add_folder(
        &mut self,
        folder: &Path,
        origin: &Origin,
    ) -> Result<Vec<(String, String)>, FileError> {
        let mut replaced = Vec::new();
        let mut added: Vec<Arc<Banlist>> = Vec::new();
        for mut list in read_folder(folder)? {
            list.origin = origin.clone();
            let same = |known: &Arc<Banlist>| {
                !known.origin.is_fetched() && known.game == list.game && known.id == list.id
            };
            let before = self.of(&list.game)?.into_iter().find(same);
            if before.is_some_and(|before| before.sha256 != list.sha256) {
                replaced.push((list.game.clone(), list.id.clone()));
            }
            self.brought.retain(|known| !same(known));
            if added.iter().all(|known| known.sha256 != list.sha256) {
                added.push(Arc::new(list));
            }
        }
        self.brought.append(&mut added);
        Ok(replaced)
    }

    /// Adds the lists that were fetched from one address; several may have one id and
    /// different days. They replace none of anybody else's.
    ///
    /// # Errors
    /// A file that cannot be read or used.
    pub fn add_copies(&mut self, folder: &Path, origin: &Origin) -> Result<(), FileError> {
        let copies = read_folder(folder)?.into_iter();
        self.brought.extend(copies.map(|mut list| {
            list.origin = origin.clone();
            Arc::new(list)
        }));
        Ok(())
    }

    /// The lists of a game, sorted by effective date and id.
    ///
    /// # Errors
    /// A built-in list that cannot be used (a defect of the build).
    pub fn of(&self, game: &str) -> Result<Vec<Arc<Banlist>>, FileError> {
        let brought = self.brought.iter().filter(|list| list.game == game);
        let mut lists: Vec<Arc<Banlist>> = brought.cloned().collect();
        let folder = BUILT_IN.get_dir(game).filter(|_| !self.alone);
        let files = folder.into_iter().flat_map(Dir::files);
        for file in files.filter(|file| is_yaml(file.path())) {
            let name = format!("banlists/{}", file.path().display());
            let mut list = Banlist::read(&name, file.contents())?;
            list.origin = Origin::BuiltIn;
            let same = |known: &Arc<Banlist>| !known.origin.is_fetched() && known.id == list.id;
            if !lists.iter().any(same) {
                lists.push(Arc::new(list));
            }
        }
        let publisher = |list: &Arc<Banlist>| list.origin.publisher().to_owned();
        lists.sort_by_cached_key(|list| (list.effective, list.id.clone(), publisher(list)));
        Ok(lists)
    }

    /// Every list, by game.
    ///
    /// # Errors
    /// As [`Lists::of`].
    pub fn all(&self) -> Result<Vec<Arc<Banlist>>, FileError> {
        let mut games: Vec<String> =
            BUILT_IN.dirs().map(|folder| folder.path().to_string_lossy().into_owned()).collect();
        games.extend(self.brought.iter().map(|list| list.game.clone()));
        games.sort_unstable();
        games.dedup();
        let lists = games.iter().map(|game| self.of(game));
        Ok(lists.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The lists that a word names: an id, or `PUBLISHER/ID`. Of several of one publisher and
    /// game, the one that is effective last; of several with the same bytes, one.
    ///
    /// # Errors
    /// As [`Lists::of`].
    pub fn find(&self, named: &str) -> Result<Vec<Arc<Banlist>>, FileError> {
        let mut found: Vec<Arc<Banlist>> = Vec::new();
        for list in self.all()?.into_iter().rev() {
            let publisher = list.origin.publisher();
            let is = list.id == named || list.shown() == named;
            let same = |known: &Arc<Banlist>| {
                let named = (known.origin.publisher(), &known.game);
                known.sha256 == list.sha256 || named == (publisher, &list.game)
            };
            if is && !found.iter().any(same) {
                found.push(list);
            }
        }
        Ok(found)
    }
}

/// Reads every `.yaml` file in a folder and in its folders, in the order of their names; none
/// where there is no folder.
///
/// # Errors
/// A file that cannot be read, or is no list.
pub fn read_folder(folder: &Path) -> Result<Vec<Banlist>, FileError> {
    let mut lists = Vec::new();
    let missing = std::fs::metadata(folder).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    if !missing {
        read_into(&mut lists, folder)?;
    }
    Ok(lists)
}

fn read_into(lists: &mut Vec<Banlist>, folder: &Path) -> Result<(), FileError> {
    // A list that is passed over could be the one that bans a card.
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = entries.map_err(|error| unreadable(folder, &error))?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // What a link leads to is not the folder's.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => read_into(lists, &path)?,
            Ok(kind) if kind.is_file() && is_yaml(&path) => {
                let bytes = std::fs::read(&path).map_err(|error| unreadable(&path, &error))?;
                lists.push(Banlist::read(&path.display().to_string(), &bytes)?);
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_yaml(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ending == "yaml" || ending == "yml")
}

fn unreadable(path: &Path, error: &std::io::Error) -> FileError {
    let message = format!("it cannot be read: {error}");
    let problem = decklaw_text::yaml::Problem::new(message, Default::default());
    FileError::of(&path.display().to_string(), "", vec![problem])
}
