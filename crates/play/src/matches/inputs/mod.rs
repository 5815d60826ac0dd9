//! What a match is made from: rules, options, decks, randomness, decisions.

pub(super) mod deck;
pub(super) mod result;

use crate::matches::choice::{Options, Settings};
use crate::matches::error::MatchError;
use crate::matches::inputs::deck::{MatchDeck, RegisteredDeck};
use crate::matches::inputs::result::GameResult;
use crate::matches::log::decision::Decision;
use crate::matches::random::{Scheme, Seed, bytes_of_hex};
use crate::matches::seat::SeatId;
use serde::{Deserialize, Serialize};

/// Everything that a match's state follows from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// The format's id, never an alias.
    pub format: String,
    /// SHA-256 of the format file that was used.
    pub rules_sha256: String,
    /// Every option of the game.
    pub options: Options,
    /// The settings that were given.
    pub settings: Settings,
    /// The deck in the middle, for formats that share one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedDeck>,
    /// Who sits where, with which deck.
    pub seats: Vec<Seat>,
    /// What chance follows from.
    pub randomness: Randomness,
    /// How the earlier games of the same match ended, in order; absent in a first game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<GameResult>>,
    /// What people and chance decided, in order.
    pub decisions: Vec<Decision>,
    /// Why each setting had to be given.
    pub assumed: Vec<Assumption>,
}

/// The deck in the middle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedDeck {
    /// The deck.
    pub deck: RegisteredDeck,
}

/// A seat and who sits there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The seat.
    pub seat: SeatId,
    /// The player's name.
    pub name: String,
    /// The format by which the player's deck was built, where it is another one of the game
    /// than the match's: one that starts alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The player's deck, where the deck is not shared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deck: Option<RegisteredDeck>,
}

/// What chance follows from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Randomness {
    /// The scheme by which the seed becomes orders and rolls.
    pub scheme: Scheme,
    /// 64 lower-case hex digits.
    pub seed: String,
    /// Where the seed came from.
    pub seed_source: SeedSource,
    /// The part of each person in a combined seed, in hex, sorted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributions: Option<Vec<String>>,
}

/// Where a seed came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeedSource {
    /// From a text that somebody chose.
    Text,
    /// From the operating system.
    System,
    /// From several people's contributions.
    Combined,
}

/// A setting that somebody had to give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumption {
    /// The setting.
    pub setting: String,
    /// Its value.
    pub value: i64,
    /// Why it had to be given.
    pub why: String,
}

impl Randomness {
    /// Chance from a text: anyone who knows the text can deal again.
    pub fn from_text(text: &str) -> Randomness {
        Randomness::of(Seed::from_text(text), SeedSource::Text, None)
    }

    /// Chance from the operating system.
    ///
    /// # Errors
    /// Where the operating system has none to give.
    pub fn from_system() -> Result<Randomness, MatchError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            MatchError::refused(format!("the operating system gave no random numbers: {error}"))
        })?;
        Ok(Randomness::of(Seed::from_bytes(bytes), SeedSource::System, None))
    }

    /// Chance from contributions of several people, 64 hex digits each.
    ///
    /// # Errors
    /// Fewer than two, the same one twice, or one that is not 64 lower-case hex digits.
    pub fn from_parts(parts: &[String]) -> Result<Randomness, MatchError> {
        let mut sorted: Vec<String> = parts.iter().map(|part| part.to_ascii_lowercase()).collect();
        sorted.sort_unstable();
        let seed = combine(&sorted)?;
        Ok(Randomness::of(seed, SeedSource::Combined, Some(sorted)))
    }

    fn of(seed: Seed, seed_source: SeedSource, contributions: Option<Vec<String>>) -> Randomness {
        Randomness { scheme: Scheme::default(), seed: seed.hex(), seed_source, contributions }
    }

    /// The seed, once everything about it is right.
    ///
    /// # Errors
    /// A seed that is not 64 hex digits, or contributions that do not make it.
    pub fn seed(&self) -> Result<Seed, MatchError> {
        let Some(bytes) = bytes_of_hex(&self.seed) else {
            return Err(MatchError::refused("the seed must be 64 digits 0-9 and a-f"));
        };
        let seed = Seed::from_bytes(bytes);
        match (self.seed_source, &self.contributions) {
            (SeedSource::Text | SeedSource::System, None) => Ok(seed),
            (SeedSource::Combined, Some(parts)) if parts.is_sorted() => match combine(parts)? {
                combined if combined == seed => Ok(seed),
                _ => Err(MatchError::refused("the contributions do not make this seed")),
            },
            (SeedSource::Combined, Some(_)) => {
                Err(MatchError::refused("the contributions must be sorted"))
            }
            (SeedSource::Combined, None) => {
                Err(MatchError::refused("a combined seed needs its contributions"))
            }
            (SeedSource::Text | SeedSource::System, Some(_)) => {
                Err(MatchError::refused("only a combined seed has contributions"))
            }
        }
    }
}

fn combine(sorted: &[String]) -> Result<Seed, MatchError> {
    if sorted.len() < 2 {
        return Err(MatchError::call("a combined seed needs two contributions or more"));
    }
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(MatchError::call(
            "two contributions are the same; each person brings their own",
        ));
    }
    let bytes: Option<Vec<[u8; 32]>> = sorted.iter().map(|part| bytes_of_hex(part)).collect();
    match bytes {
        Some(bytes) => Ok(Seed::combined(&bytes)),
        None => Err(MatchError::call("a contribution must be 64 digits 0-9 and a-f")),
    }
}

impl Inputs {
    /// The deck that a seat plays: its own, or the one in the middle.
    pub fn deck_of<'a>(&'a self, seat: &'a Seat) -> Option<&'a MatchDeck> {
        let shared = self.shared.as_ref().map(|shared| &shared.deck);
        seat.deck.as_ref().or(shared).map(|deck| &**deck)
    }

    /// Whether the settings are explained, each once, in order.
    pub(crate) fn check_assumed(&self) -> Result<(), MatchError> {
        let said = self.assumed.iter().map(|entry| (&entry.setting, &entry.value));
        if !said.eq(&self.settings) || self.assumed.iter().any(|entry| entry.why.trim().is_empty())
        {
            return Err(MatchError::refused(
                "`assumed` must explain each entry of `settings` once, sorted by name",
            ));
        }
        Ok(())
    }
}
