//! SHA-256 in the two shapes that reports use, and the text of which digests are made.

use sha2::{Digest, Sha256};

/// Bytes as lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = Vec::with_capacity(2 * bytes.len());
    for byte in bytes {
        let digits = [byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]);
        text.extend_from_slice(&digits);
    }
    String::from_utf8(text).unwrap_or_default()
}

/// Adds a text as a JSON string in canonical form (RFC 8785), whose escapes are just those of
/// `serde_json`.
pub(crate) fn canonical_string(bytes: &mut Vec<u8>, text: &str) {
    // Looking at every byte, without stopping at the first, is many at a time.
    let plain = |byte: u8| (byte >= b' ') & (byte != b'"') & (byte != b'\\');
    if text.bytes().fold(true, |all, byte| all & plain(byte)) {
        bytes.push(b'"');
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'"');
    } else {
        // Writing to a vector and from a string cannot fail.
        let _ = serde_json::to_writer(bytes, text);
    }
}

/// The SHA-256 of some bytes, as lower-case hex.
///
/// ```
/// assert!(decklaw::digest::sha256(b"").starts_with("e3b0c44298fc1c14"));
/// ```
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
