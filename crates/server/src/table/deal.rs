//! The randomness of a table: a secret of the server, whose SHA-256 is shown before any deck comes,
//! and random bytes of each browser.
//!
//! The server could choose its secret for bytes that it knows, and a browser its bytes for a secret
//! that it knows. So the secret is fixed before the bytes come, and stays unknown until the game is
//! over. The secrets of later games of the match are fixed as well: the SHA-256 of each is the
//! secret of the game before.

use crate::app::App;
use crate::error::HttpError;
use crate::guard::Fields;
use crate::keys;
use decklaw_play::matches::{Inputs, Randomness, bytes_of_hex};
use decklaw_text::digest::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// More games than any match has.
const GAMES: usize = 100;

/// The server's secrets for all games of a match: that of the last one there may be, as 64 hex
/// digits.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Secret(String);

impl Secret {
    /// A new secret.
    ///
    /// # Errors
    /// A system without random numbers.
    pub(super) fn new() -> Result<Secret, HttpError> {
        let bytes = keys::random::<32>()?;
        Ok(Secret(hex(&bytes)))
    }

    /// The secret of a page that asks for a deck: it follows from the page and the server's secret.
    pub(super) fn of_page(app: &App, page: &str) -> Secret {
        let bytes: [u8; 32] = Sha256::new()
            .chain_update(app.secret)
            .chain_update(b"deal")
            .chain_update(page)
            .finalize()
            .into();
        Secret(hex(&bytes))
    }

    /// The secret of a game of the match, from 1.
    fn of_game(&self, game: usize) -> String {
        let last = bytes_of_hex(&self.0).unwrap_or_default();
        let secret = (game..GAMES).fold(last, |next, _| Sha256::digest(next).into());
        hex(&secret)
    }

    /// The SHA-256 of the first game's secret, which is shown before decks come.
    pub(super) fn shown(&self) -> String {
        self.of_game(0)
    }

    /// The randomness of the first game, with the bytes of the browsers.
    ///
    /// # Errors
    /// Bytes that came twice.
    pub(super) fn first(
        &self,
        bytes: impl Iterator<Item = String>,
    ) -> Result<Randomness, HttpError> {
        combined(bytes.chain([self.of_game(1)]))
    }

    /// The randomness of the next game: its own secret, and the bytes of the browsers.
    pub(super) fn after(&self, before: &Inputs) -> Result<Randomness, HttpError> {
        let game = before.results.as_ref().map_or(0, Vec::len) + 1;
        let bytes = before.randomness.contributions.iter().flatten();
        let own = self.of_game(game);
        let bytes = bytes.filter(|part| **part != own).cloned();
        combined(bytes.chain([self.of_game(game + 1)]))
    }
}

fn combined(parts: impl Iterator<Item = String>) -> Result<Randomness, HttpError> {
    let parts: Vec<String> = parts.collect();
    Ok(Randomness::from_parts(&parts)?)
}

/// The random bytes of a browser: 32, as 64 hex digits.
///
/// # Errors
/// None, or something else.
pub(super) fn random_bytes(fields: &Fields) -> Result<String, HttpError> {
    let bytes = bytes_of_hex(fields.text("random"));
    bytes.map(|bytes| hex(&bytes)).ok_or_else(|| {
        HttpError::new(
            422,
            "This browser sent no random bytes for the deal.",
            "A table needs JavaScript. Load the page again, and send it once more.",
        )
    })
}
