//! What the deals of a table follow from: a secret of the server, of which the SHA-256 is shown before
//! anybody brings a deck, and the bytes of chance that each browser brings along with one.
//!
//! The server could choose its secret for bytes that it knows, and a browser its bytes for a secret that
//! it knows: so the one is fixed before the other comes, and stays unknown until the game is over. The
//! games that follow in the same match have secrets that are fixed as well: the SHA-256 of the next one's
//! is the secret of the game before.

use crate::app::App;
use crate::guard::Fields;
use crate::keys;
use crate::trouble::Trouble;
use decklaw_core::digest::hex;
use decklaw_play::matches::{Inputs, Randomness, bytes_of_hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// More games than any match has.
const GAMES: usize = 100;

/// The server's secrets for all games of a match: that of the last one there may be, as 64 hex digits.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Secret(String);

impl Secret {
    /// A new secret.
    ///
    /// # Errors
    /// A system without random numbers.
    pub(super) fn new() -> Result<Secret, Trouble> {
        let bytes = keys::random::<32>().map_err(Trouble::from)?;
        Ok(Secret(hex(&bytes)))
    }

    /// The secret of a page that asks for a deck: known to the server alone, and fixed by the page.
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

    /// What is shown before decks are brought: the SHA-256 of the first game's secret.
    pub(super) fn shown(&self) -> String {
        self.of_game(0)
    }

    /// The chance of the first game, with what the browsers brought.
    ///
    /// # Errors
    /// Bytes that are brought twice.
    pub(super) fn first(
        &self,
        brought: impl Iterator<Item = String>,
    ) -> Result<Randomness, Trouble> {
        combined(brought.chain([self.of_game(1)]))
    }

    /// The chance of the next game of a match: its own secret, and what the browsers brought.
    ///
    /// # Errors
    /// None in practice.
    pub(super) fn after(&self, before: &Inputs) -> Result<Randomness, Trouble> {
        let game = before.results.as_ref().map_or(0, Vec::len) + 1;
        let brought = before.randomness.contributions.iter().flatten();
        let own = self.of_game(game);
        let brought = brought.filter(|part| **part != own).cloned();
        combined(brought.chain([self.of_game(game + 1)]))
    }
}

fn combined(parts: impl Iterator<Item = String>) -> Result<Randomness, Trouble> {
    let parts: Vec<String> = parts.collect();
    Randomness::from_parts(&parts).map_err(|error| Trouble::from(&error))
}

/// The bytes of chance that a browser brings: 32, as 64 hex digits.
///
/// # Errors
/// None, or something else.
pub(super) fn brought(fields: &Fields) -> Result<String, Trouble> {
    let bytes = bytes_of_hex(fields.text("random"));
    bytes.map(|bytes| hex(&bytes)).ok_or_else(|| {
        Trouble::new(
            422,
            "This browser brought no chance of its own to the deal.",
            "A table needs JavaScript. Load the page again, and send it once more.",
        )
    })
}
