//! The names and addresses of players: which names are one person's, and which are near.

use crate::id::PlayerId;
use decklaw_text::name::fold;
use decklaw_text::text::listed;
use std::collections::{BTreeSet, HashMap};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A name taken apart once, so that holding it against thousands of others is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameKey {
    /// Equal for equal names.
    pub(crate) key: String,
    words: Vec<String>,
}

impl NameKey {
    pub(crate) fn of(name: &str) -> NameKey {
        let folded = fold(name);
        let (mut key, mut plain) = (String::new(), String::new());
        // Marks of other scripts are letters: without them, other names would be equal.
        let letters = folded.nfd().filter(|letter| !matches!(letter, '\u{300}'..='\u{36f}'));
        for letter in letters {
            let spelt = match letter {
                '\'' | '`' | '\u{b4}' | '\u{2bb}' | '\u{2bc}' | '\u{2018}' | '\u{2019}' => continue,
                '-' | '\u{ad}' | '\u{2010}'..='\u{2015}' => " ",
                'ß' => "ss",
                'ø' => "o",
                'ł' => "l",
                'đ' => "d",
                'ı' => "i",
                'æ' => "ae",
                'œ' => "oe",
                letter if letter.is_whitespace() => " ",
                letter => {
                    key.push(letter);
                    let is_letter = letter.is_alphanumeric() || is_combining_mark(letter);
                    plain.push(if is_letter { letter } else { ' ' });
                    continue;
                }
            };
            key.push_str(spelt.trim());
            plain.push_str(spelt);
        }
        if key.is_empty() {
            key = folded.into_owned();
        }
        NameKey { key, words: plain.split_whitespace().map(str::to_owned).collect() }
    }

    /// The name in the order of a list.
    pub(crate) fn text(&self) -> String {
        self.words.join(" ")
    }

    /// How far two names are from each other that may be one person's; `None`: they are two
    /// persons'. 0 is the nearest.
    pub(crate) fn distance(&self, other: &NameKey) -> Option<usize> {
        if self.key == other.key {
            return Some(0);
        }
        if let Some(edits) = misspelt(&self.words, &other.words) {
            return Some(1 + edits);
        }
        let [few, many] = match self.words.len() <= other.words.len() {
            true => [&self.words, &other.words],
            false => [&other.words, &self.words],
        };
        // The family name first, second names, and names with only one part given.
        if !few.is_empty() && few.iter().all(|word| many.contains(word)) {
            return Some(match few.len() {
                all if all == many.len() => 1,
                1 => 5,
                _ => 3,
            });
        }
        let ([one, .., one_family], [other, .., other_family]) =
            (self.words.as_slice(), other.words.as_slice())
        else {
            return None;
        };
        // An initial, or a name cut short.
        let short = one.starts_with(other.as_str()) || other.starts_with(one.as_str());
        (one_family == other_family && short).then_some(4)
    }

    /// Words, and words without one letter: near names have one of these in common.
    pub(crate) fn parts(&self) -> BTreeSet<String> {
        let mut parts: BTreeSet<String> = self.words.iter().cloned().collect();
        for word in self.words.iter().filter(|word| word.len() > 2 && !has_digit(word)) {
            parts.extend(
                word.char_indices()
                    .map(|(at, letter)| [&word[..at], &word[at + letter.len_utf8()..]].concat()),
            );
        }
        parts
    }
}

fn has_digit(word: &str) -> bool {
    word.contains(|letter: char| letter.is_numeric())
}

/// By how many letters two names of equally many words differ, where a slip of the pen makes each
/// word the other one's: letters that changed places in a short word, one letter in a longer, two
/// in a long one. A number is never a slip of another one.
fn misspelt(first: &[String], second: &[String]) -> Option<usize> {
    if first.len() != second.len() {
        return None;
    }
    let mut all = 0;
    for (one, other) in first.iter().zip(second) {
        let lengths = [one, other].map(|word| word.chars().count());
        let most = match lengths[0].min(lengths[1]) {
            _ if has_digit(one) || has_digit(other) => 0,
            0..=3 => usize::from(letters(one) == letters(other)),
            4..=7 => 1,
            _ => 2,
        };
        if lengths[0].abs_diff(lengths[1]) > most {
            return None;
        }
        let edits = strsim::osa_distance(one, other);
        if edits > most {
            return None;
        }
        all += edits;
    }
    (all <= 2).then_some(all)
}

/// The letters of a word in the order of the alphabet.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// The names and addresses by which players are known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Directory {
    pub(crate) names: HashMap<String, BTreeSet<PlayerId>>,
    pub(crate) addresses: HashMap<String, BTreeSet<PlayerId>>,
    /// Every name, and where names with a part are.
    pub(crate) known: Vec<(NameKey, PlayerId)>,
    pub(crate) parts: HashMap<String, Vec<usize>>,
}

impl Directory {
    /// The most names with a part by which near names are found: a word of more says little.
    pub(crate) const MOST_ALIKE: usize = 100;

    pub(crate) fn learn(&mut self, player: PlayerId, name: Option<&str>, email: Option<&str>) {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let key = NameKey::of(name);
            if self.names.entry(key.key.clone()).or_default().insert(player) {
                for part in key.parts() {
                    let known = self.parts.entry(part).or_default();
                    if known.len() <= Directory::MOST_ALIKE {
                        known.push(self.known.len());
                    }
                }
                self.known.push((key, player));
            }
        }
        if let Some(email) = email {
            let known = self.addresses.entry(fold(email).into_owned());
            known.or_default().insert(player);
        }
    }

    pub(crate) fn forget(&mut self, player: PlayerId) {
        let others = |players: &mut BTreeSet<PlayerId>| {
            players.remove(&player);
            !players.is_empty()
        };
        self.names.retain(|_, players| others(players));
        self.addresses.retain(|_, players| others(players));
        for (name, _) in self.known.iter_mut().filter(|(_, own)| *own == player) {
            *name = NameKey::of("");
        }
    }
}

/// The end of a message about a name that nothing has: names that are near, if there are any.
pub(crate) fn did_you_mean(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", listed(near, "or")) }
}
