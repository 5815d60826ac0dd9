//! Where banlists come from: built in, and from a user's folders.

use super::Banlist;
use crate::yaml::FileError;
use include_dir::{Dir, include_dir};
use std::path::Path;
use std::sync::Arc;

static BUILT_IN: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/banlists");

/// The banlists known. Those built in are parsed only for the games that are asked for.
#[derive(Debug, Default)]
pub struct Lists {
    brought: Vec<Arc<Banlist>>,
}

impl Lists {
    /// Adds the lists of a folder: every `.yaml` file in it and in its folders. A list with
    /// the id of one that is known replaces it.
    ///
    /// # Errors
    /// A file that cannot be read or used.
    pub fn add_folder(&mut self, folder: &Path) -> Result<(), FileError> {
        for list in read_folder(folder)? {
            self.brought.retain(|known| known.id != list.id);
            self.brought.push(Arc::new(list));
        }
        Ok(())
    }

    /// Adds the lists that were fetched from one address, of which several may have one id and
    /// different days. Lists with their ids that are known are replaced.
    ///
    /// # Errors
    /// A file that cannot be read or used.
    pub fn add_copies(&mut self, folder: &Path) -> Result<(), FileError> {
        let copies = read_folder(folder)?;
        self.brought
            .retain(|known| !copies.iter().any(|copy| copy.id == known.id));
        self.brought.extend(copies.into_iter().map(Arc::new));
        Ok(())
    }

    /// The lists of a game, sorted by effective date and id.
    ///
    /// # Errors
    /// A built-in list that cannot be used (a defect of the build).
    pub fn of(&self, game: &str) -> Result<Vec<Arc<Banlist>>, FileError> {
        let mut lists: Vec<Arc<Banlist>> = self
            .brought
            .iter()
            .filter(|list| list.game == game)
            .cloned()
            .collect();
        for file in BUILT_IN.get_dir(game).into_iter().flat_map(Dir::files) {
            if file
                .path()
                .extension()
                .is_none_or(|ending| ending != "yaml")
            {
                continue;
            }
            let name = format!("banlists/{}", file.path().display());
            let list = Banlist::read(&name, file.contents())?;
            if !lists.iter().any(|known| known.id == list.id) {
                lists.push(Arc::new(list));
            }
        }
        lists.sort_by(|a, b| (a.effective, &a.id).cmp(&(b.effective, &b.id)));
        Ok(lists)
    }

    /// Every list, by game.
    ///
    /// # Errors
    /// As [`Lists::of`].
    pub fn all(&self) -> Result<Vec<Arc<Banlist>>, FileError> {
        let mut games: Vec<String> = BUILT_IN
            .dirs()
            .map(|folder| folder.path().to_string_lossy().into_owned())
            .collect();
        games.extend(self.brought.iter().map(|list| list.game.clone()));
        games.sort_unstable();
        games.dedup();
        let lists = games
            .iter()
            .map(|game| self.of(game))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(lists.into_iter().flatten().collect())
    }

    /// The list of an id; of several, the one that is effective last.
    ///
    /// # Errors
    /// As [`Lists::of`].
    pub fn find(&self, id: &str) -> Result<Option<Arc<Banlist>>, FileError> {
        Ok(self.all()?.into_iter().rfind(|list| list.id == id))
    }
}

/// Reads every `.yaml` file in a folder and in its folders, in the order of their names. What
/// cannot be looked into is passed over.
pub(super) fn read_folder(folder: &Path) -> Result<Vec<Banlist>, FileError> {
    let mut lists = Vec::new();
    read_into(&mut lists, folder)?;
    Ok(lists)
}

fn read_into(lists: &mut Vec<Banlist>, folder: &Path) -> Result<(), FileError> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut entries: Vec<std::fs::DirEntry> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // What a link leads to is none of the folder's.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => read_into(lists, &path)?,
            Ok(kind) if kind.is_file() => lists.extend(read_list(&path)?),
            _ => {}
        }
    }
    Ok(())
}

/// The list of a file, if its ending is that of one.
fn read_list(path: &Path) -> Result<Option<Banlist>, FileError> {
    if !path
        .extension()
        .is_some_and(|ending| ending == "yaml" || ending == "yml")
    {
        return Ok(None);
    }
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| FileError {
        name: name.clone(),
        text: String::new(),
        problems: vec![crate::yaml::Problem::new(
            error.to_string(),
            Default::default(),
        )],
    })?;
    Banlist::read(&name, &bytes).map(Some)
}
