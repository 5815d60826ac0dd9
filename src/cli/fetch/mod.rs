//! Banlists from the web.
//!
//! [`fetch`] decides whether a list may take the place of the kept copy and says what to write. It
//! writes nothing itself, so that the last good copy stays whatever goes wrong.

mod copies;
mod web;

pub(super) use copies::{Copies, CopyState, STATE_FILE};
pub(super) use decklaw_text::limits::list::LARGEST_LIST;
pub(super) use web::Network;

use crate::banlist::Banlist;
use crate::text::counted;
use crate::yaml::FileError;
use jiff::civil::Date;
use std::path::PathBuf;

/// Why no list was taken from an address.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    /// The address or its answer cannot be used.
    #[error("{0}")]
    Unusable(String),
    /// The list looks like a mistake of its publisher: only `--replace` takes it.
    #[error("{0}")]
    Doubtful(String),
    /// The answer is no banlist.
    #[error(transparent)]
    Malformed(#[from] FileError),
}

impl FetchError {
    fn unusable(message: impl Into<String>) -> FetchError {
        FetchError::Unusable(message.into())
    }

    /// What to do about it.
    pub(super) fn help(&self) -> Option<&'static str> {
        let doubtful = matches!(self, FetchError::Doubtful(_));
        doubtful.then_some("take it on purpose with `--replace`")
    }
}

/// An address from which a list is fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListAddress {
    /// The user's name for the address, and of the folder with its copies.
    pub(super) name: String,
    /// The address.
    pub(super) url: String,
    /// The game that the list must be for; `None`: any known game.
    pub(super) game: Option<String>,
    /// Whether only the configuration of the current folder names the address: its copies apply
    /// nowhere else.
    pub(super) local: bool,
}

impl ListAddress {
    /// An address under a name.
    ///
    /// # Errors
    /// A name that cannot be a folder's, or an address with a password.
    pub(super) fn new(
        name: &str,
        url: &str,
        game: Option<String>,
    ) -> Result<ListAddress, FetchError> {
        let fits = |(at, byte): (usize, u8)| {
            byte.is_ascii_lowercase()
                || byte.is_ascii_digit()
                || (at > 0 && matches!(byte, b'-' | b'_' | b'.'))
        };
        if name.is_empty() || name.len() > 64 || !name.bytes().enumerate().all(fits) {
            return Err(FetchError::Unusable(format!(
                "`{name}` cannot be a list's name: use a to z, 0 to 9, `-`, `_` and `.`, beginning with a letter or digit, 64 at most"
            )));
        }
        if has_credentials(url) {
            return Err(FetchError::Unusable(format!(
                "the address of {name} holds a user's name or password; remove it, since reports and locks show addresses"
            )));
        }
        Ok(ListAddress { name: name.to_owned(), url: url.to_owned(), game, local: false })
    }

    /// The name of the folder that keeps its copies. An address of the current folder's
    /// configuration goes by its digest, so that it is never mistaken for a name of the user's.
    pub(super) fn folder(&self) -> String {
        if self.local { ListAddress::name_for(&self.url) } else { self.name.clone() }
    }

    /// The name for an address without one: its host and the beginning of its digest.
    pub(super) fn name_for(url: &str) -> String {
        let host = url.split_once("://").map_or(url, |(_, rest)| rest);
        let host = host.split(['/', '?', '#']).next().unwrap_or(host);
        let plain = |letter: char| match letter.to_ascii_lowercase() {
            letter if letter.is_ascii_alphanumeric() || letter == '.' => letter,
            _ => '-',
        };
        let host: String = host.chars().map(plain).take(50).collect();
        let digest = crate::digest::sha256(url.as_bytes());
        let name = format!("{}-{}", host.trim_matches(['-', '.']), &digest[..8]);
        name.trim_start_matches('-').to_owned()
    }
}

/// Whether an address holds a user's name or password: anything before an `@` in its host.
pub(super) fn has_credentials(url: &str) -> bool {
    let rest = url.split_once(':').map_or(url, |(_, rest)| rest);
    let rest = rest.trim_start_matches(['/', '\\']);
    let host = rest.split(['/', '\\', '?', '#']).next().unwrap_or(rest);
    host.contains('@')
}

/// An address without its user's name and password.
pub(super) fn without_credentials(url: &str) -> String {
    match (has_credentials(url), url.find(':'), url.find('@')) {
        (true, Some(scheme), Some(at)) if scheme < at => {
            without_credentials(&format!("{}://{}", &url[..scheme], &url[at + 1..]))
        }
        (true, _, Some(at)) => without_credentials(&url[at + 1..]),
        _ => url.to_owned(),
    }
}

/// What a server said of an earlier copy, so that it can answer that nothing has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Validators {
    /// Its `ETag`.
    pub(super) etag: Option<String>,
    /// Its `Last-Modified`.
    pub(super) last_modified: Option<String>,
}

/// The answer of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Body {
    /// The bytes, decoded.
    pub(super) bytes: Vec<u8>,
    /// Whether the server said where they end; without that, a part could pass for the whole.
    pub(super) whole: bool,
    /// Whether the server calls it a web page.
    pub(super) html: bool,
    /// What to ask with the next time.
    pub(super) validators: Validators,
}

/// What decides whether a list is taken.
pub(super) struct Policy<'p> {
    /// Whether a game is known.
    pub(super) knows_game: &'p dyn Fn(&str) -> bool,
    /// Whether a list that looks like a mistake is taken: an older one, one without cards, or one
    /// with less than half of the entries before.
    pub(super) replace: bool,
    /// The day of the fetch.
    pub(super) today: Date,
}

impl std::fmt::Debug for Policy<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Policy")
            .field("replace", &self.replace)
            .field("today", &self.today)
            .finish_non_exhaustive()
    }
}

/// The result of a fetch.
#[derive(Debug)]
pub(super) enum FetchResult {
    /// The copy is the newest list.
    Unchanged,
    /// The same bytes came again; this state is to be written.
    Confirmed(CopyState),
    /// Another list came; it is to be written.
    New(Box<New>),
}

/// A list that may take the place of the copy, and what to write.
#[derive(Debug)]
pub(super) struct New {
    /// The list.
    pub(super) list: Banlist,
    /// Its bytes, as they came.
    pub(super) bytes: Vec<u8>,
    /// The file for them.
    pub(super) file: PathBuf,
    /// The content of [`STATE_FILE`].
    pub(super) state: CopyState,
    /// Copies of later lists that it takes out of force, having been taken though older.
    pub(super) withdrawn: Vec<PathBuf>,
}

/// Fetches a list and judges whether it may take the place of the copy that is kept. `get` asks
/// the server; `None`: the copy of the validators is the newest.
///
/// # Errors
/// Why the list was not taken; the copy stays.
pub(super) fn fetch(
    source: &ListAddress,
    copies: &Copies,
    policy: &Policy<'_>,
    get: impl FnOnce(&Validators) -> Result<Option<Body>, FetchError>,
) -> Result<FetchResult, FetchError> {
    let known = copies.validators(source);
    let Some(body) = get(&known)? else {
        if known == Validators::default() {
            let message = "the server answers 304 Not Modified to a first request";
            return Err(FetchError::unusable(message));
        }
        return Ok(FetchResult::Unchanged);
    };
    let trimmed = crate::text::without_bom(&body.bytes).trim_ascii_start();
    if trimmed.is_empty() {
        return Err(FetchError::unusable("the server sent nothing"));
    }
    if body.html || trimmed.starts_with(b"<") {
        let message = "the server sent a web page (HTML), not a list";
        return Err(FetchError::unusable(message));
    }
    if !body.whole {
        let message =
            "the server does not say where the list ends, so a part of it could pass for the whole";
        return Err(FetchError::unusable(message));
    }
    let list = admit(source, &body.bytes, copies.latest(), policy)?;
    let state = CopyState::new(source, copies, &list, body.validators, policy.today);
    let latest = copies.latest().map(|kept| &kept.sha256);
    if latest == Some(&list.sha256) {
        return Ok(FetchResult::Confirmed(state));
    }
    Ok(FetchResult::New(Box::new(New {
        file: copies.file_for(&list),
        withdrawn: copies.later_than(&list),
        bytes: body.bytes,
        list,
        state,
    })))
}

/// Reads a list and compares it with the latest copy. A list of another game and a malformed one
/// are never taken.
fn admit(
    source: &ListAddress,
    bytes: &[u8],
    latest: Option<&Banlist>,
    policy: &Policy<'_>,
) -> Result<Banlist, FetchError> {
    let list = Banlist::read(&source.url, bytes)?;
    let game = source.game.as_ref();
    if let Some(expected) = game.or(latest.map(|kept| &kept.game))
        && *expected != list.game
    {
        return Err(FetchError::Unusable(format!(
            "it is for {}, and this is the address of a list for {expected}",
            list.game
        )));
    }
    if !(policy.knows_game)(&list.game) {
        return Err(FetchError::Unusable(format!(
            "it is for a game `{}`, which is not known here",
            list.game
        )));
    }
    if policy.replace {
        return Ok(list);
    }
    if let Some(kept) = latest {
        let earlier = match (list.announced, kept.announced) {
            _ if list.effective < kept.effective => {
                Some(("effective", list.effective, kept.effective))
            }
            (Some(found), Some(before)) if list.effective == kept.effective && found < before => {
                Some(("announced", found, before))
            }
            _ => None,
        };
        if let Some((word, found, before)) = earlier {
            return Err(FetchError::Doubtful(format!(
                "it is older ({word} {found}) than the copy that is kept ({word} {before})"
            )));
        }
    }
    let (before, after) = (latest.map_or(0, Banlist::len), list.len());
    if after == 0 {
        return Err(FetchError::Doubtful("it lists no cards".to_owned()));
    }
    if after < before.div_ceil(2) {
        let after = counted(i64::try_from(after).unwrap_or(i64::MAX), "card");
        return Err(FetchError::Doubtful(format!(
            "it names {after}, and the copy that is kept names {before}: less than half"
        )));
    }
    Ok(list)
}

#[cfg(test)]
mod tests;
