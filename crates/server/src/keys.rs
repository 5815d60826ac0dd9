//! Keys: 128 random bits. Only their SHA-256 is stored.

use decklaw_event::{PlayerId, Roster};
use decklaw_text::digest::hex;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Letters of a typed key: none that are mistaken for another, in upper case or lower.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Letters of a key of 128 bits.
const LENGTH: usize = 26;

/// The digest of a key.
pub(crate) type KeyDigest = [u8; 32];

/// Random bytes from the system.
///
/// # Errors
/// A system that has none.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// A new key, as people type it.
///
/// # Errors
/// As [`random`].
pub(crate) fn new() -> Result<String, getrandom::Error> {
    name(LENGTH)
}

/// A short name for something that is found by its address; it is no secret.
///
/// # Errors
/// As [`random`].
pub(crate) fn name(letters: usize) -> Result<String, getrandom::Error> {
    Ok(written(u128::from_be_bytes(random()?), letters))
}

/// The key that follows from some parts: nobody can compute it without the server's secret.
pub(crate) fn derived(secret: &[u8; 32], parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    digest.update(secret);
    digest.update(b"receipt");
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    let bytes = digest.finalize();
    let number = bytes.iter().take(16);
    let number = number.fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
    written(number, LENGTH)
}

fn written(mut number: u128, letters: usize) -> String {
    let mut text = String::with_capacity(letters);
    for _ in 0..letters {
        text.push(char::from(LETTERS[(number & 31) as usize]));
        number >>= 5;
    }
    text
}

/// The digest of a key as typed: case, spaces and dashes do not matter, `o` is `0`, and `i`
/// and `l` are `1`.
pub(crate) fn digest(typed: &str) -> KeyDigest {
    let plain: String = typed
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|next| match next.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            'u' => 'v',
            next => next,
        })
        .collect();
    Sha256::digest(plain.as_bytes()).into()
}

/// Whether two digests are equal, in constant time.
pub(crate) fn same(one: &[u8], other: &[u8]) -> bool {
    one.ct_eq(other).into()
}

/// The player whose key has this digest.
pub(crate) fn player(roster: &Roster, key: &KeyDigest) -> Option<PlayerId> {
    let key = hex(key);
    let mut players = roster.players.values();
    let own = players.find(|player| {
        let own = player.key.as_deref().unwrap_or_default();
        same(own.as_bytes(), key.as_bytes())
    });
    own.map(|player| roster.real(player.id))
}

/// Whether the organiser's key has this digest.
pub(crate) fn is_organiser(roster: &Roster, key: &KeyDigest) -> bool {
    let own = roster.key.as_ref();
    own.is_some_and(|own| same(own.as_bytes(), hex(key).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_known_again_however_it_is_typed() {
        let key = new().unwrap_or_default();
        assert_eq!(key.len(), 26);
        let spaced = format!(" {}-{} ", &key[..13].to_uppercase(), &key[13..]);
        assert_eq!(digest(&key), digest(&spaced));
        assert_eq!(digest("o1lI-u"), digest("0111v"));
        assert_ne!(digest(&key), digest(&new().unwrap_or_default()));
    }
}
