//! SHA-256 in the two shapes that reports use, and the text that is hashed.

use sha2::{Digest, Sha256};

/// Bytes as lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

/// Adds a text as a JSON string in canonical form (RFC 8785), whose escapes are just those of
/// `serde_json`.
pub fn canonical_string(bytes: &mut Vec<u8>, text: &str) {
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
/// assert!(decklaw_text::digest::sha256(b"").starts_with("e3b0c44298fc1c14"));
/// ```
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A value's canonical JSON (RFC 8785): what digests are made of.
pub fn canonical(value: &impl serde::Serialize) -> Vec<u8> {
    whole(serde_json_canonicalizer::to_vec(value))
}

/// What was written; never less. What is written here is plain data and goes to memory: where
/// that fails it is a defect, and the program says so rather than digest or write an empty text.
#[allow(clippy::panic)]
pub fn whole<T, E: std::fmt::Display>(written: Result<T, E>) -> T {
    match written {
        Ok(written) => written,
        Err(error) => panic!("plain data cannot be written: {error}"),
    }
}
