//! The digest of a deck's content.

use decklaw_rules::rules::{Contents, Holding};
use decklaw_text::digest::canonical_string as string;

/// The digest of what a deck holds: the same in any order, spelling or file format.
///
/// SHA-256 of `decklaw/deck/1`, a NUL byte and the canonical JSON (RFC 8785) of the format
/// and, for each section that holds cards, the folded names and counts in canonical order.
/// `sections` gives the id of each section that holdings name by index.
pub fn deck_hash(format: &str, sections: &[String], contents: &Contents<'_>) -> String {
    let mut written = HashInput::new(format, contents.all().len());
    // Unknown cards are numbered after all others; their names are among them.
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
    for section in canonical_order(sections.iter().map(String::as_str)) {
        written.section(&sections[section], held(section), |holding, bytes| {
            contents.write_canonical(holding.card, bytes);
            holding.copies
        });
    }
    written.digest()
}

/// The same of names and counts by section: each section's folded names in their order, one
/// line a name.
///
/// ```
/// let main = [("moss sprite", 3)];
/// let hash = decklaw_judge::resolve::content_hash("shell", &[("main", &main[..])]);
/// assert_eq!(hash.len(), 64);
/// ```
pub fn content_hash<N: AsRef<str>>(format: &str, sections: &[(&str, &[(N, u32)])]) -> String {
    let cards = sections.iter().map(|(_, cards)| cards.len()).sum();
    let mut written = HashInput::new(format, cards);
    for section in canonical_order(sections.iter().map(|(id, _)| *id)) {
        let (id, cards) = sections[section];
        written.section(id, cards, |(name, copies), bytes| {
            string(bytes, name.as_ref());
            i64::from(*copies)
        });
    }
    written.digest()
}

/// The order of keys in canonical JSON: by their UTF-16 code units.
fn canonical_order<'s>(ids: impl Iterator<Item = &'s str>) -> Vec<usize> {
    let ids: Vec<&str> = ids.collect();
    let mut order: Vec<usize> = (0..ids.len()).collect();
    order.sort_by(|a, b| ids[*a].encode_utf16().cmp(ids[*b].encode_utf16()));
    order
}

/// A deck's content as it is digested.
struct HashInput {
    bytes: Vec<u8>,
    /// Whether it has a section already.
    begun: bool,
}

impl HashInput {
    fn new(format: &str, cards: usize) -> HashInput {
        let mut bytes = Vec::with_capacity(64 + 32 * cards);
        bytes.extend_from_slice(b"decklaw/deck/1\0{\"format\":");
        string(&mut bytes, format);
        bytes.extend_from_slice(b",\"sections\":{");
        HashInput { bytes, begun: false }
    }

    /// Adds a section, unless it holds nothing. `name` adds a card's name and says how many
    /// copies there are.
    fn section<C>(&mut self, id: &str, cards: &[C], name: impl Fn(&C, &mut Vec<u8>) -> i64) {
        let bytes = &mut self.bytes;
        let mut first = true;
        for card in cards {
            if first {
                if self.begun {
                    bytes.push(b',');
                }
                string(bytes, id);
                bytes.extend_from_slice(b":[[");
            } else {
                bytes.extend_from_slice(b",[");
            }
            let copies = name(card, bytes);
            bytes.push(b',');
            number(bytes, copies);
            bytes.push(b']');
            first = false;
            self.begun = true;
        }
        if !first {
            bytes.push(b']');
        }
    }

    fn digest(mut self) -> String {
        self.bytes.extend_from_slice(b"}}");
        decklaw_text::digest::sha256(&self.bytes)
    }
}

fn number(bytes: &mut Vec<u8>, number: i64) {
    match u8::try_from(number) {
        Ok(digit @ 0..=9) => bytes.push(b'0' + digit),
        _ => bytes.extend_from_slice(number.to_string().as_bytes()),
    }
}
