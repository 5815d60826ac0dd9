//! Whether two names may be one person's: never decided here, only asked about.

use decklaw_core::name::fold;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A name for comparison: without marks above letters, points and dashes.
pub(crate) fn plain(name: &str) -> String {
    let folded = fold(name);
    let mut plain = String::new();
    for letter in folded.nfd().filter(|letter| !is_combining_mark(*letter)) {
        match letter {
            'ß' => plain.push_str("ss"),
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' => plain.push('d'),
            'ı' => plain.push('i'),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            letter if letter.is_alphanumeric() => plain.push(letter),
            '\'' | '\u{2019}' => {}
            _ => plain.push(' '),
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name taken apart once, so that holding it against thousands of others is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameKey {
    text: String,
    words: Vec<String>,
    /// Its words in the order of the alphabet, without spaces.
    sorted: String,
    /// Its words in their order, without spaces.
    joined: String,
}

impl NameKey {
    /// Takes a name apart.
    pub(crate) fn of(name: &str) -> NameKey {
        let text = plain(name);
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let mut sorted = words.clone();
        sorted.sort_unstable();
        NameKey { sorted: sorted.concat(), joined: words.concat(), words, text }
    }

    /// The name as it is compared.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// How far two names are from each other that may be one person's; `None`: they are two
    /// persons'. 0 is the nearest.
    pub(crate) fn distance(&self, other: &NameKey) -> Option<usize> {
        if self.text == other.text {
            return Some(0);
        }
        // The family name first; a space too many or missing.
        if self.sorted == other.sorted || self.joined == other.joined {
            return Some(1);
        }
        if let Some(edits) = misspelt(&self.words, &other.words) {
            return Some(1 + edits);
        }
        let (few, many) = if self.words.len() <= other.words.len() {
            (&self.words, &other.words)
        } else {
            (&other.words, &self.words)
        };
        // Second names, and names with only one part given.
        if few.iter().all(|word| many.contains(word)) {
            return Some(if few.len() > 1 { 3 } else { 5 });
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
}

/// By how many letters two names of equally many words differ, where a slip of the pen makes each
/// word the other one's: letters that changed places in a short word, one letter in a longer, two
/// in a long one.
fn misspelt(first: &[String], second: &[String]) -> Option<usize> {
    if first.len() != second.len() {
        return None;
    }
    let mut all = 0;
    for (one, other) in first.iter().zip(second) {
        let lengths = [one, other].map(|word| word.chars().count());
        let most = match lengths[0].min(lengths[1]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_may_be_one_persons_are_near_and_others_are_not() {
        let near =
            |one: &str, other: &str| NameKey::of(one).distance(&NameKey::of(other)).is_some();
        for (one, other) in [
            ("Iov Zeller", "Ivo Zeller"),
            ("Zeller Ivo", "Ivo Zeller"),
            ("Zeller, Ivo", "Ivo Zeller"),
            ("José García", "Jose Garcia"),
            ("Max Huber", "Maximilian Huber"),
            ("K. Lee", "Kim Lee"),
            ("Ana María López", "Ana López"),
            ("Łukasz Nowak", "Lukasz Nowak"),
            ("Ivo", "Ivo Zeller"),
            ("Marta Falk", "Marte Falk"),
        ] {
            assert!(near(one, other), "{one} {other}");
            assert!(near(other, one), "{other} {one}");
        }
        for (one, other) in [
            ("Ana Berg", "Tom Berg"),
            ("Kim Lee", "Kim Li Wong"),
            ("Ada Birch", "Ben Cole"),
            ("Jo", "Al"),
            ("Kim Ferris", "Tom Ferris"),
            ("Jan Berg", "Jon Berg"),
        ] {
            assert!(!near(one, other), "{one} {other}");
        }
    }
}
