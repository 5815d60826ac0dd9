//! The digest of a deck's content.

use crate::digest::canonical_string as string;
use crate::rules::{Contents, Holding};
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
    // Unknown cards are numbered after all others; their names stand among them.
    let mut mixed = Vec::new();
    if !contents.unknown().is_empty() {
        let place = |holding: &Holding| (holding.section, contents.folded(holding.card));
        mixed.extend_from_slice(contents.all());
        mixed.sort_by(|a, b| place(a).cmp(&place(b)));
    }
    let held = |section: usize| {
        if mixed.is_empty() {
            return contents.known_in_section(section);
        }
        let from = mixed.partition_point(|holding| usize::from(holding.section) < section);
        let behind = &mixed[from..];
        let inside = |holding: &Holding| usize::from(holding.section) == section;
        &behind[..behind.partition_point(inside)]
    };
    let mut first_section = true;
    for section in order {
        let mut first_card = true;
        for holding in held(section) {
            if first_card {
                if !first_section {
                    bytes.push(b',');
                }
                string(&mut bytes, sections[section]);
                bytes.extend_from_slice(b":[[");
            } else {
                bytes.extend_from_slice(b",[");
            }
            contents.write_canonical(holding.card, &mut bytes);
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

fn number(bytes: &mut Vec<u8>, number: i64) {
    match u8::try_from(number) {
        Ok(digit @ 0..=9) => bytes.push(b'0' + digit),
        _ => bytes.extend_from_slice(number.to_string().as_bytes()),
    }
}
