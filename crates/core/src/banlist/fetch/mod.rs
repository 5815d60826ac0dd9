//! Banlists from the web: what is asked for, what is refused, and what is kept.
//!
//! A fetched list is admitted only when nothing speaks against it, and nothing here writes a
//! file: [`fetch`] says what to write, so whatever goes wrong, the last good copy stands.

mod admit;
mod copies;
#[cfg(feature = "fetch")]
mod web;

pub use crate::limits::list::LARGEST_LIST;
pub use admit::{ExpectedList, NotAdmitted, admit};
pub use copies::{Copies, CopyState, STATE_FILE};
#[cfg(feature = "fetch")]
pub use web::Network;

use super::{Banlist, Date};
use std::path::PathBuf;

/// An address from which a list is fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAddress {
    /// What the user calls it; a folder of that name keeps its copies.
    pub name: String,
    /// The address.
    pub url: String,
    /// The game that the list must be for; `None`: any that is known.
    pub game: Option<String>,
    /// Whether only the configuration of the current folder names it, so that it applies
    /// nowhere else.
    pub local: bool,
}

/// Why a source cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A name that makes no folder.
    #[error(
        "`{0}` cannot be a list's name: use a to z, 0 to 9, `-`, `_` and `.`, beginning with a letter or digit, 64 at most"
    )]
    Name(String),
    /// A user's name or password in an address, which would end up in files and reports.
    #[error(
        "an address ({0}) holds a user's name or password; take it out, since addresses stand in reports and locks"
    )]
    Credentials(String),
}

impl ListAddress {
    /// A source under a name.
    ///
    /// # Errors
    /// A name that cannot be a folder's, or an address with a password.
    pub fn new(name: &str, url: &str, game: Option<String>) -> Result<ListAddress, SourceError> {
        let fits = |at: usize, byte: u8| {
            byte.is_ascii_lowercase()
                || byte.is_ascii_digit()
                || (at > 0 && matches!(byte, b'-' | b'_' | b'.'))
        };
        let good = name.bytes().enumerate().all(|(at, byte)| fits(at, byte));
        if name.is_empty() || name.len() > 64 || !good {
            return Err(SourceError::Name(name.to_owned()));
        }
        if has_credentials(url) {
            return Err(SourceError::Credentials(name.to_owned()));
        }
        Ok(ListAddress {
            name: name.to_owned(),
            url: url.to_owned(),
            game,
            local: false,
        })
    }

    /// The name of the folder that keeps its copies. What a folder's configuration names is kept
    /// by its address, so that it is never mistaken for what the user calls so.
    pub fn folder(&self) -> String {
        match self.local {
            true => ListAddress::name_for(&self.url),
            false => self.name.clone(),
        }
    }

    /// The name for an address that the configuration does not name: its host, and a digest
    /// that tells it from others there.
    pub fn name_for(url: &str) -> String {
        let host = url.split_once("://").map_or(url, |(_, rest)| rest);
        let host = host.split(['/', '?', '#']).next().unwrap_or(host);
        let plain = |letter: char| match letter.to_ascii_lowercase() {
            letter if letter.is_ascii_alphanumeric() || letter == '.' => letter,
            _ => '-',
        };
        let host: String = host.chars().map(plain).take(50).collect();
        let host = host.trim_matches(['-', '.']);
        let digest = crate::digest::sha256(url.as_bytes());
        match host {
            "" => digest[..8].to_owned(),
            host => format!("{host}-{}", &digest[..8]),
        }
    }
}

/// Whether an address holds a user's name or password: whatever stands before an `@`, but for
/// paths and what is behind them.
pub fn has_credentials(url: &str) -> bool {
    let rest = url.split_once(':').map_or(url, |(_, rest)| rest);
    let rest = rest.trim_start_matches(['/', '\\']);
    let host = rest.split(['/', '\\', '?', '#']).next().unwrap_or(rest);
    host.contains('@')
}

/// An address without the user's name and password that it holds.
pub fn without_credentials(url: &str) -> String {
    match (has_credentials(url), url.find(':'), url.find('@')) {
        (true, Some(scheme), Some(at)) if scheme < at => {
            without_credentials(&format!("{}://{}", &url[..scheme], &url[at + 1..]))
        }
        (true, _, Some(at)) => without_credentials(&url[at + 1..]),
        _ => url.to_owned(),
    }
}

/// What a server said of an earlier copy, so that it may answer that nothing has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// Its `ETag`.
    pub etag: Option<String>,
    /// Its `Last-Modified`.
    pub last_modified: Option<String>,
}

/// A server's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebReply {
    /// The copy of the validators is still the newest.
    Unchanged,
    /// What the address holds.
    Body(Body),
}

/// What an address holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// The bytes, decoded.
    pub bytes: Vec<u8>,
    /// Whether the server said where they end; without that, a part could pass for the whole.
    pub whole: bool,
    /// Whether the server calls it a web page.
    pub html: bool,
    /// What to ask with the next time.
    pub validators: Validators,
}

/// Why nothing came from an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebError {
    /// Not an address.
    #[error("`{0}` is no address; it begins with https://")]
    NoAddress(String),
    /// Plain HTTP, or another scheme.
    #[error("`{0}` is not HTTPS, so anybody on the way could change the list")]
    NotHttps(String),
    /// A user's name or password in an address, which would end up in reports.
    #[error("an address must not hold a user's name or password")]
    Credentials,
    /// A redirect to nowhere.
    #[error("the server redirects without saying where to")]
    RedirectToNowhere,
    /// A redirect that leaves HTTPS.
    #[error("the server redirects to `{0}`, which is not HTTPS")]
    RedirectFromHttps(String),
    /// Redirects without end.
    #[error("more than {0} redirects")]
    TooManyRedirects(usize),
    /// An answer other than the list.
    #[error("the server answers {0}")]
    Status(String),
    /// More than a list can have.
    #[error("more than {0} bytes, which no list has")]
    TooLarge(u64),
    /// A deadline passed.
    #[error("not all of it came within {0} seconds")]
    TimedOut(u64),
    /// An encoding that was not asked for.
    #[error("the server encodes it as `{0}`, which was not asked for")]
    Encoding(String),
    /// Broken off, or not decodable.
    #[error("it broke off or came damaged: {0}")]
    BrokenOff(String),
    /// No connection.
    #[error("no connection: {0}")]
    NoConnection(String),
}

/// Where answers come from: the network, or a test.
pub trait Web {
    /// Asks for what an address holds, at most `most` decoded bytes of it.
    ///
    /// # Errors
    /// Why nothing came.
    fn get(&self, url: &str, known: &Validators, most: u64) -> Result<WebReply, WebError>;
}

/// What came of a fetch.
#[derive(Debug)]
pub enum Fetched {
    /// The server says that the copy is the newest.
    Unchanged,
    /// The same bytes came again; what is known of them is to be written.
    Confirmed(CopyState),
    /// Another list came; it is to be written.
    New(Box<New>),
}

/// A list that was admitted, and what to write.
#[derive(Debug)]
pub struct New {
    /// The list.
    pub list: Banlist,
    /// Its bytes, as they came.
    pub bytes: Vec<u8>,
    /// Where they belong.
    pub file: PathBuf,
    /// What is known of them, for [`STATE_FILE`].
    pub state: CopyState,
    /// Copies of later lists that it takes out of force, being accepted though older.
    pub withdrawn: Vec<PathBuf>,
}

/// Fetches a list and judges whether it may take the place of the copy that is kept.
///
/// # Errors
/// Why not; whatever it is, the copy that is kept stands.
pub fn fetch(
    source: &ListAddress,
    copies: &Copies,
    knows_game: &dyn Fn(&str) -> bool,
    replace: bool,
    web: &dyn Web,
    today: Date,
) -> Result<Fetched, NotAdmitted> {
    let known = copies.validators(source);
    let body = match web.get(&source.url, &known, LARGEST_LIST)? {
        // Nothing was asked that this could answer.
        WebReply::Unchanged if known == Validators::default() => {
            return Err(WebError::Status("304 Not Modified to a first request".to_owned()).into());
        }
        WebReply::Unchanged => return Ok(Fetched::Unchanged),
        WebReply::Body(body) => body,
    };
    if body.bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(NotAdmitted::Nothing);
    }
    if body.html || admit::looks_like_html(&body.bytes) {
        return Err(NotAdmitted::Html);
    }
    if !body.whole {
        return Err(NotAdmitted::EndUnmarked);
    }
    let expected = ExpectedList {
        game: source.game.as_deref(),
        knows_game,
        latest: copies.latest(),
        replace,
    };
    let list = admit(&source.url, &body.bytes, &expected)?;
    let mut state = CopyState::new(source, &list, body.validators, today);
    // What the user has asked for himself stays his.
    state.local = source.local && copies.state_kept().is_none_or(|kept| kept.local);
    if copies
        .latest()
        .is_some_and(|kept| kept.sha256 == list.sha256)
    {
        return Ok(Fetched::Confirmed(state));
    }
    Ok(Fetched::New(Box::new(New {
        file: copies.file_for(&list),
        withdrawn: copies.later_than(&list),
        bytes: body.bytes,
        list,
        state,
    })))
}

#[cfg(test)]
mod tests;
