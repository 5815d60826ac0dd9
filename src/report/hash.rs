//! The digest of a deck's content.

use crate::rules::Contents;
use sha2::{Digest, Sha256};

/// The digest of what a deck holds: the same in any order, spelling or file format.
///
/// SHA-256 of `decklaw/deck/1`, a NUL byte and the canonical JSON (RFC 8785) of the format
/// and, for each section that holds cards, the folded names and counts in canonical order.
/// `sections` gives the id of each section that holdings name by index.
pub fn deck_hash(format: &str, sections: &[&str], contents: &Contents<'_>) -> String {
    let mut order: Vec<usize> = (0..sections.len()).collect();
    order.sort_by(|a, b| sections[*a].encode_utf16().cmp(sections[*b].encode_utf16()));
    let mut bytes = Vec::with_capacity(64 + 40 * contents.all().len());
    bytes.extend_from_slice(b"decklaw/deck/1\0{\"format\":");
    string(&mut bytes, format);
    bytes.extend_from_slice(b",\"sections\":{");
    let mut holdings: Vec<_> = contents.all().iter().collect();
    if !contents.unknown().is_empty() {
        // Unknown cards are numbered after all others; their names stand among them.
        holdings.sort_by(|a, b| contents.folded(a.card).cmp(contents.folded(b.card)));
    }
    let mut first_section = true;
    for section in order {
        let mut first_card = true;
        for holding in holdings
            .iter()
            .filter(|holding| usize::from(holding.section) == section)
        {
            if first_card {
                if !first_section {
                    bytes.push(b',');
                }
                string(&mut bytes, sections[section]);
                bytes.extend_from_slice(b":[[");
            } else {
                bytes.extend_from_slice(b",[");
            }
            string(&mut bytes, contents.folded(holding.card));
            bytes.push(b',');
            number(&mut bytes, holding.copies);
            bytes.push(b']');
            first_card = false;
            first_section = false;
        }
        if !first_card {
            bytes.push(b']');
        }
    }
    bytes.extend_from_slice(b"}}");
    crate::digest::hex(&Sha256::digest(&bytes))
}

/// A JSON string; `serde_json` escapes just what RFC 8785 does.
fn string(bytes: &mut Vec<u8>, text: &str) {
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

fn number(bytes: &mut Vec<u8>, number: i64) {
    match u8::try_from(number) {
        Ok(digit @ 0..=9) => bytes.push(b'0' + digit),
        _ => bytes.extend_from_slice(number.to_string().as_bytes()),
    }
}
