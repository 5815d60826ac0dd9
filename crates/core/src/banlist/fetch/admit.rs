//! Whether a list that was fetched may take the place of the one that is kept.

use super::WebError;
use crate::banlist::{Banlist, Date};
use crate::text::counted;
use crate::yaml::FileError;

/// What a list is held against.
pub struct ExpectedList<'e> {
    /// The game that it must be for.
    pub game: Option<&'e str>,
    /// Whether a game is known.
    pub knows_game: &'e dyn Fn(&str) -> bool,
    /// The latest list that is kept.
    pub latest: Option<&'e Banlist>,
    /// Whether a list is taken that looks like a mistake: an older one, one without cards, or
    /// with less than half of those before. A publisher may mean it.
    pub replace: bool,
}

impl std::fmt::Debug for ExpectedList<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ExpectedList")
            .field("game", &self.game)
            .field("latest", &self.latest.map(|list| &list.id))
            .field("replace", &self.replace)
            .finish_non_exhaustive()
    }
}

/// Why a list was not taken.
#[derive(Debug, thiserror::Error)]
pub enum NotAdmitted {
    /// Nothing came.
    #[error(transparent)]
    Web(#[from] WebError),
    /// No bytes, or only white space.
    #[error("the server sent nothing")]
    Nothing,
    /// A web page, as log-in pages and errors are.
    #[error("the server sent a web page (HTML), not a list")]
    Html,
    /// A part could pass for the whole.
    #[error(
        "the server does not say where the list ends, so a part of it could pass for the whole"
    )]
    EndUnmarked,
    /// Not a banlist.
    #[error(transparent)]
    Malformed(#[from] FileError),
    /// A game that does not exist here.
    #[error("it is for a game `{0}`, which is not known here")]
    UnknownGame(String),
    /// Another game.
    #[error("it is for {found}, and this is the address of a list for {expected}")]
    WrongGame {
        /// The game of the list.
        found: String,
        /// The game that was expected.
        expected: String,
    },
    /// An older list than the one that is kept.
    #[error("it is older ({day_word} {found}) than the copy that is kept ({day_word} {kept})")]
    Older {
        /// Which day was compared.
        day_word: &'static str,
        /// The day of the list that came.
        found: Date,
        /// The day of the list that is kept.
        kept: Date,
    },
    /// A list that says nothing.
    #[error("it names no card")]
    NoCards,
    /// A list that lost more than half.
    #[error(
        "it names {}, and the copy that is kept names {before}: less than half",
        counted(*.after, "card")
    )]
    Shrunken {
        /// Cards in the list that is kept.
        before: i64,
        /// Cards in the list that came.
        after: i64,
    },
}

impl NotAdmitted {
    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            NotAdmitted::Older { .. } | NotAdmitted::NoCards | NotAdmitted::Shrunken { .. } => {
                Some("take it on purpose with `--replace`")
            }
            _ => None,
        }
    }
}

/// Whether some bytes begin as a web page does.
pub(super) fn looks_like_html(bytes: &[u8]) -> bool {
    let text = crate::text::without_bom(bytes).trim_ascii_start();
    text.first() == Some(&b'<')
}

/// Reads a list and holds it against what is expected. A wrong game and a malformed list are
/// never taken; an older or shrunken one only with [`ExpectedList::replace`].
///
/// # Errors
/// The first reason against it.
pub fn admit(
    file: &str,
    bytes: &[u8],
    expected: &ExpectedList<'_>,
) -> Result<Banlist, NotAdmitted> {
    let list = Banlist::read(file, bytes)?;
    let game = expected.latest.map(|kept| kept.game.as_str());
    match expected.game.or(game) {
        Some(game) if game != list.game => {
            return Err(NotAdmitted::WrongGame {
                found: list.game,
                expected: game.to_owned(),
            });
        }
        _ if !(expected.knows_game)(&list.game) => return Err(NotAdmitted::UnknownGame(list.game)),
        _ => {}
    }
    if let Some(kept) = expected.latest.filter(|_| !expected.replace) {
        let older = |day_word, found, kept| NotAdmitted::Older {
            day_word,
            found,
            kept,
        };
        if list.effective < kept.effective {
            return Err(older("effective", list.effective, kept.effective));
        }
        if let (Some(found), Some(before)) = (list.announced, kept.announced)
            && list.effective == kept.effective
            && found < before
        {
            return Err(older("announced", found, before));
        }
    }
    if !expected.replace {
        if list.is_empty() {
            return Err(NotAdmitted::NoCards);
        }
        let before = expected.latest.map_or(0, |kept| kept.len());
        if list.len() < before.div_ceil(2) {
            return Err(NotAdmitted::Shrunken {
                before: before as i64,
                after: list.len() as i64,
            });
        }
    }
    Ok(list)
}
