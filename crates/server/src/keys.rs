//! Keys: 128 random bits, of which only the SHA-256 is kept.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Letters of a typed key: none that are mistaken for another, in upper case or lower.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Letters of a key of 128 bits.
const LENGTH: usize = 26;

/// The digest of a key, which is what is kept.
pub(super) type Kept = [u8; 32];

/// Random bytes from the system.
///
/// # Errors
/// A system that has none; nothing secret can be made then.
pub(super) fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// A new key, as people type it.
///
/// # Errors
/// As [`random`].
pub(super) fn new() -> Result<String, getrandom::Error> {
    let number = u128::from_be_bytes(random::<16>()?);
    Ok(written(number, LENGTH))
}

/// The key that a form's sender gets: the same each time that the same form is sent,
/// and known to nobody who lacks the server's secret. `parts` is what makes it the same form.
pub(super) fn of_form(secret: &[u8; 32], parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    digest.update(secret);
    digest.update(b"receipt");
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    let number = digest
        .finalize()
        .iter()
        .take(16)
        .fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
    written(number, LENGTH)
}

/// A short name for something that is found by its address; it is no secret.
///
/// # Errors
/// As [`random`].
pub(super) fn name(letters: usize) -> Result<String, getrandom::Error> {
    let number = u128::from_be_bytes(random::<16>()?);
    Ok(written(number, letters))
}

fn written(mut number: u128, letters: usize) -> String {
    let mut text = String::with_capacity(letters);
    for _ in 0..letters {
        text.push(char::from(LETTERS[(number & 31) as usize]));
        number >>= 5;
    }
    text
}

/// The digest of a key as somebody typed it: case, spaces and dashes do not matter, nor that
/// `o` was meant as `0`, and `i` or `l` as `1`.
pub(super) fn kept(typed: &str) -> Kept {
    let plain: String = typed
        .chars()
        .filter(|next| next.is_ascii_alphanumeric())
        .map(|next| match next.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            'u' => 'v',
            next => next,
        })
        .collect();
    Sha256::digest(plain.as_bytes()).into()
}

/// Whether two digests are the same; how long it takes tells nothing.
pub(super) fn same(one: &[u8], other: &[u8]) -> bool {
    one.ct_eq(other).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_known_again_however_it_is_typed() {
        let key = new().unwrap_or_default();
        assert_eq!(key.len(), 26);
        let spaced = format!(" {}-{} ", &key[..13].to_uppercase(), &key[13..]);
        assert_eq!(kept(&key), kept(&spaced));
        assert_eq!(kept("o1lI-u"), kept("0111v"));
        assert_ne!(kept(&key), kept(&new().unwrap_or_default()));
    }
}
