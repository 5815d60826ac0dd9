//! The randomness of match files, [`decklaw-sha256ctr-2`](Scheme).
//!
//! Anyone can deal again with nothing but SHA-256. Nothing here may
//! change after a release: another scheme has another name, and files of this one still verify.

use decklaw_text::digest::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How the seed of a match becomes orders, rolls and the ids of cards. There is one scheme; a file
/// that names another one cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Scheme {
    /// SHA-256 in counter mode; the ids of cards are dealt like cards.
    #[default]
    #[serde(rename = "decklaw-sha256ctr-2")]
    Sha256Ctr2,
}

/// The numbers in the ids of an owner's cards, in the cards' canonical order. The owner is a
/// seat's letter, or `S` for the deck in the middle.
pub(super) fn id_numbers(seed: &Seed, owner: &str, cards: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> = (1..=cards).collect();
    shuffle(&mut numbers, &mut Stream::new(seed, &format!("ids/{owner}")));
    numbers
}

/// 32 bytes from which every random choice of a match follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The seed made from a text: for files that anyone can repeat, never for secret ones.
    ///
    /// ```
    /// let seed = decklaw_play::matches::Seed::from_text("redeal");
    /// assert!(seed.hex().starts_with("78436b84a5912679"));
    /// ```
    pub fn from_text(text: &str) -> Seed {
        Seed(tagged("decklaw/seed-text/1\0", &[text.as_bytes()]))
    }

    /// The seed of several people's contributions, whatever their order.
    ///
    /// ```
    /// use decklaw_play::matches::Seed;
    /// let (a, b) = ([1; 32], [2; 32]);
    /// assert_eq!(Seed::combined(&[a, b]), Seed::combined(&[b, a]));
    /// ```
    pub fn combined(contributions: &[[u8; 32]]) -> Seed {
        let mut sorted = contributions.to_vec();
        sorted.sort_unstable();
        let parts: Vec<&[u8]> = sorted.iter().map(<[u8; 32]>::as_slice).collect();
        Seed(tagged("decklaw/seed-combined/1\0", &parts))
    }

    /// A seed from its 32 bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Seed {
        Seed(bytes)
    }

    /// The 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The seed as 64 lower-case hex digits.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }
}

/// SHA-256 of a tag followed by some parts.
pub(crate) fn tagged(tag: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(tag.as_bytes());
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// 32 bytes from 64 lower-case hex digits.
///
/// ```
/// assert_eq!(decklaw_play::matches::bytes_of_hex(&"0a".repeat(32)), Some([10; 32]));
/// assert_eq!(decklaw_play::matches::bytes_of_hex(&"0A".repeat(32)), None);
/// ```
pub fn bytes_of_hex(text: &str) -> Option<[u8; 32]> {
    let bytes = data_encoding::HEXLOWER.decode(text.as_bytes()).ok()?;
    bytes.try_into().ok()
}

/// The endless words of one label: `key = SHA-256(tag ‖ seed ‖ u16be(len) ‖ label)`, block
/// k = `SHA-256(key ‖ u64be(k))`, read as eight big-endian words.
#[derive(Debug, Clone)]
pub struct Stream {
    key: [u8; 32],
    next_block: u64,
    block: [u8; 32],
    at: usize,
}

impl Stream {
    /// The stream of a label. Labels are short; more than 65,535 bytes are cut.
    pub fn new(seed: &Seed, label: &str) -> Stream {
        let length = u16::try_from(label.len()).unwrap_or(u16::MAX);
        let label = &label.as_bytes()[..usize::from(length)];
        let key = tagged("decklaw/stream/1\0", &[&seed.0, &length.to_be_bytes(), label]);
        Stream { key, next_block: 0, block: [0; 32], at: 32 }
    }
}

impl Iterator for Stream {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.at == self.block.len() {
            let mut hasher = Sha256::new();
            hasher.update(self.key);
            hasher.update(self.next_block.to_be_bytes());
            self.block = hasher.finalize().into();
            self.next_block += 1;
            self.at = 0;
        }
        let word = &self.block[self.at..self.at + 4];
        self.at += 4;
        Some(u32::from_be_bytes([word[0], word[1], word[2], word[3]]))
    }
}

/// A number below `limit`, each as likely as any other: words at or above the largest
/// multiple of `limit` are passed over. Answers 0 where `limit` is 0 or the words run out.
///
/// ```
/// use decklaw_play::matches::below;
/// // 2³² mod 3 = 1: the highest word is rejected, the next one decides.
/// assert_eq!(below(&mut [u32::MAX, 5].into_iter(), 3), 2);
/// ```
pub fn below(words: &mut impl Iterator<Item = u32>, limit: u32) -> u32 {
    if limit == 0 {
        return 0;
    }
    let range = 1_u64 << 32;
    let end = range - range % u64::from(limit);
    words.find(|word| u64::from(*word) < end).map_or(0, |word| word % limit)
}

/// Fisher–Yates from the end: for i = len − 1 … 1, j = below(i + 1), swap i and j.
///
/// The pile must be in its fixed order before: see the match file's scheme.
pub fn shuffle<T>(pile: &mut [T], words: &mut impl Iterator<Item = u32>) {
    for i in (1..pile.len()).rev() {
        let limit = u32::try_from(i + 1).unwrap_or(u32::MAX);
        pile.swap(i, below(words, limit) as usize);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_published_vector() {
        let words: Vec<u32> = Stream::new(&Seed::from_text("redeal"), "main/0").take(4).collect();
        assert_eq!(words, [0x3c18_6470, 0x3367_908a, 0x4c36_50c6, 0x8a4b_83ee]);
    }

    #[test]
    fn words_at_the_rejection_limit_are_passed_over() {
        // 2³² mod 6 = 4, so the four highest words are rejected and no other.
        let highest_kept = u32::MAX - 4;
        for rejected in highest_kept + 1..=u32::MAX {
            assert_eq!(below(&mut [rejected, 7].into_iter(), 6), 1);
        }
        assert_eq!(below(&mut [highest_kept].into_iter(), 6), highest_kept % 6);
        assert_eq!(
            below(&mut [u32::MAX].into_iter(), 1 << 31),
            (1 << 31) - 1,
            "a power of two rejects none"
        );
        assert_eq!(below(&mut std::iter::empty(), 6), 0);
    }

    #[test]
    fn every_order_of_a_small_pile_can_come_up() {
        for n in 1..=5_usize {
            let mut seen = std::collections::HashSet::new();
            for k in 0..3000 {
                let mut pile: Vec<usize> = (0..n).collect();
                let seed = Seed::from_text("orders");
                shuffle(&mut pile, &mut Stream::new(&seed, &format!("{n}/{k}")));
                seen.insert(pile);
            }
            assert_eq!(seen.len(), (1..=n).product::<usize>());
        }
    }
}
