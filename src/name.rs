//! The identity of a card: its name, folded.
//!
//! Two spellings are the same card when their [folds](fold) are equal. The fold is
//! Unicode NFC, trimmed, each run of white space one space, full case folding
//! (Unicode's C and F mappings, not the Turkic ones), and NFC again. Marks of zero width are
//! no part of a name. What people type in place of a name is found by the
//! [lenient fold](lenient()).

mod lenient;

pub use lenient::lenient;
pub(crate) use lenient::may_differ;

use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Folds a name into the form by which cards are compared and ordered.
///
/// ```
/// use decklaw::name::fold;
/// assert_eq!(fold("  Rain   CALLER "), "rain caller");
/// assert_eq!(fold("Stra\u{df}e"), fold("STRASSE"));
/// ```
pub fn fold(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        return fold_ascii(name);
    }
    let tidy = tidy(name);
    let folded = caseless::default_case_fold_str(&tidy);
    Cow::Owned(folded.nfc().collect())
}

/// Whether nothing but the case of ASCII letters tells a name from its fold.
pub(crate) fn folds_by_case(name: &str) -> bool {
    // A name that begins or ends with a space has two with one before and behind it.
    let mut space = true;
    let plain = name.bytes().all(|byte| {
        let two = space && byte == b' ';
        space = byte == b' ';
        !two && matches!(byte, b' '..=b'~')
    });
    plain && (!space || name.is_empty())
}

fn fold_ascii(name: &str) -> Cow<'_, str> {
    let spaced = collapse(name);
    if spaced.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(spaced.to_ascii_lowercase())
    } else {
        spaced
    }
}

/// A name as it is shown: NFC, trimmed, each run of white space one space.
///
/// ```
/// assert_eq!(decklaw::name::tidy(" Moss\t Sprite "), "Moss Sprite");
/// ```
pub fn tidy(name: &str) -> Cow<'_, str> {
    if name.is_ascii() || (is_nfc(name) && !name.contains(is_mark)) {
        collapse(name)
    } else {
        let letters = name.chars().filter(|character| !is_mark(*character));
        Cow::Owned(collapse(&letters.nfc().collect::<String>()).into_owned())
    }
}

/// Whether a character is a mark of zero width: one that joins, parts or turns what stands
/// beside it, or says how it is drawn, and is not seen itself.
pub(crate) fn is_mark(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e01ef}')
}

fn collapse(name: &str) -> Cow<'_, str> {
    if folds_by_case(name) {
        return Cow::Borrowed(name);
    }
    let trimmed = name.trim();
    let mut before_was_space = false;
    let ragged = trimmed.chars().any(|character| {
        let space = character.is_whitespace();
        let wrong = space && (before_was_space || character != ' ');
        before_was_space = space;
        wrong
    });
    if !ragged {
        return Cow::Borrowed(trimmed);
    }
    let mut out = String::with_capacity(trimmed.len());
    for word in trimmed.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

/// The candidates nearest to a word that was not found, best first, at most three.
///
/// Both the word and the candidates must be folded. A candidate is near when a few edits
/// (about one in three characters) turn one into the other, or when it contains the word.
///
/// ```
/// let known = ["moss sprite", "rain caller"];
/// assert_eq!(decklaw::name::nearest("mos sprite", known), ["moss sprite"]);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    /// Longer words than this are not names, and comparing them would take long.
    const LONGEST: usize = 100;
    /// More than these nobody would look at.
    const MOST: usize = 3;
    let length = word.chars().count();
    if length == 0 || length > LONGEST {
        return Vec::new();
    }
    let limit = (length / 3).max(1);
    let letters = Letters::of(word);
    // The best so far, sorted. Once there are enough, only what is as near as the last of them
    // is compared letter by letter.
    let mut found: Vec<(usize, &str)> = Vec::with_capacity(MOST + 1);
    for candidate in candidates {
        let limit_now = match found.get(MOST - 1) {
            Some((worst, _)) => *worst,
            None => limit,
        };
        if candidate.len() > 4 * LONGEST {
            continue;
        }
        let distance = if length >= 4 && candidate.contains(word) {
            limit
        } else if candidate.chars().count().abs_diff(length) > limit_now
            || letters.edits(&Letters::of(candidate)) > limit_now
        {
            continue;
        } else {
            strsim::osa_distance(word, candidate)
        };
        let near = (distance, candidate);
        if distance > limit_now || found.contains(&near) {
            continue;
        }
        let place = found.partition_point(|known| *known < near);
        found.insert(place, near);
        found.truncate(MOST);
    }
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Whether the first of the [nearest] words is the one that was meant, beyond doubt: one edit
/// away, or two where the word is long, the digits the same, and no other nearly as near.
///
/// ```
/// use decklaw::name::is_slip;
/// assert!(is_slip("mos sprite", &["moss sprite"]));
/// assert!(!is_slip("storm cal", &["storm call", "storm cali"]));
/// assert!(!is_slip("golem 2", &["golem 3"]), "a digit is no slip");
/// ```
pub fn is_slip(word: &str, nearest: &[&str]) -> bool {
    let Some((meant, others)) = nearest.split_first() else {
        return false;
    };
    let most = match word.chars().count() {
        0..=4 => return false,
        5..=9 => 1,
        _ => 2,
    };
    let edits = strsim::osa_distance(word, meant);
    let digits = |word: &str| -> String { word.chars().filter(|next| next.is_numeric()).collect() };
    let alone = |other: &&str| strsim::osa_distance(word, other) > edits + 1;
    edits <= most && digits(word) == digits(meant) && others.iter().all(alone)
}

/// How often letters stand in a word, in whatever order; letters far apart share a place.
/// It says quickly that two words are not near, which is so of nearly all.
struct Letters([u16; 32]);

impl Letters {
    fn of(word: &str) -> Letters {
        let mut letters = [0; 32];
        for letter in word.chars() {
            letters[letter as usize % 32] += 1;
        }
        Letters(letters)
    }

    /// The fewest edits that could turn the one word into the other: each edit takes away at
    /// most one letter too many and brings at most one that lacks.
    fn edits(&self, other: &Letters) -> usize {
        let (mut surplus, mut lack) = (0_usize, 0_usize);
        for (one, other) in self.0.iter().zip(&other.0) {
            surplus += usize::from(one.saturating_sub(*other));
            lack += usize::from(other.saturating_sub(*one));
        }
        surplus.max(lack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What is passed over unread is no nearer than the edit distance says.
        #[test]
        fn letters_never_ask_for_more_edits_than_there_are(
            one in "[a-dé ]{0,12}", other in "[a-dé ]{0,12}",
        ) {
            let edits = Letters::of(&one).edits(&Letters::of(&other));
            prop_assert!(edits <= strsim::osa_distance(&one, &other));
            let length = one.chars().count().abs_diff(other.chars().count());
            prop_assert!(edits >= length);
        }
    }

    #[test]
    fn composed_and_decomposed_spellings_are_one_name() {
        assert_eq!(fold("Cafe\u{301}"), fold("CAF\u{c9}"));
        assert_eq!(fold("\u{2126}"), fold("\u{3c9}"), "ohm sign and omega");
        assert_ne!(fold("I"), fold("\u{131}"), "no Turkic folding");
    }

    #[test]
    fn marks_of_zero_width_are_no_part_of_a_name() {
        assert_eq!(fold("Moss\u{200b} Spr\u{ad}ite\u{feff}"), "moss sprite");
        assert_eq!(tidy("\u{200e}Moss \u{2060} Sprite"), "Moss Sprite");
        assert_eq!(fold("e\u{200d}\u{301}"), fold("\u{e9}"));
        assert_eq!(fold("\u{200b}"), "");
    }

    #[test]
    fn every_kind_of_white_space_collapses() {
        assert_eq!(fold("a\u{a0}\u{2003}\tb"), "a b");
        assert_eq!(fold("\u{3000}"), "");
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(name in "\\PC{0,20}") {
            let once = fold(&name).into_owned();
            prop_assert_eq!(fold(&once), once.as_str());
        }

        #[test]
        fn what_folds_by_case_does(name in "[ a-cA-C\t\u{e9}]{0,8}") {
            let folds = fold(&name) == name.to_ascii_lowercase();
            prop_assert_eq!(folds_by_case(&name), folds && name.is_ascii());
        }

        #[test]
        fn ascii_shortcut_agrees_with_the_full_fold(name in "[ -~\t]{0,20}") {
            let tidy = tidy(&name);
            let slow: String = caseless::default_case_fold_str(&tidy).nfc().collect();
            prop_assert_eq!(fold(&name), slow.as_str());
        }
    }
}
