//! The identity of a card: its name, folded.
//!
//! Two spellings are the same card when their [folds](fold) are equal. The fold is
//! Unicode NFC, trimmed, each run of white space one space, full case folding
//! (Unicode's C and F mappings, not the Turkic ones), and NFC again. Marks of zero width are
//! no part of a name. What people type in place of a name is found by the
//! [lenient fold](lenient()).

mod lenient;
mod near;

pub use lenient::lenient;
pub use lenient::{loose, loose_of, may_differ, without_accents};
pub use near::Names;
pub use near::{did_you_mean, is_slip, nearest};

use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Folds a name into the form by which cards are compared and ordered.
///
/// ```
/// use decklaw_text::name::fold;
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

/// Whether a name differs from its fold only in the case of ASCII letters.
pub fn folds_by_case(name: &str) -> bool {
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
/// assert_eq!(decklaw_text::name::tidy(" Moss\t Sprite "), "Moss Sprite");
/// ```
pub fn tidy(name: &str) -> Cow<'_, str> {
    if name.is_ascii() || (is_nfc(name) && !name.contains(is_mark)) {
        collapse(name)
    } else {
        let letters = name.chars().filter(|character| !is_mark(*character));
        Cow::Owned(collapse(&letters.nfc().collect::<String>()).into_owned())
    }
}

/// Whether a character is a mark of zero width: one that joins, parts or turns what is
/// next to it, or says how it is drawn, and is not seen itself.
pub fn is_mark(character: char) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
