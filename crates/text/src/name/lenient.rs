//! Names as people type them: what editors and phones turn letters and marks into.

use super::{fold, is_mark};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folds a name into a form in which spellings are alike that look alike: Unicode NFKC, with
/// every apostrophe, quotation mark and dash as the plain one, ligatures as their letters, and
/// without marks of zero width.
///
/// It finds the card that is meant where the [identity](fold) finds none; it is no identity
/// itself, and no digest is made of it.
///
/// ```
/// use decklaw_text::name::lenient;
/// assert_eq!(lenient("Mara\u{2019}s \u{fb01}re\u{2013}Blade"), lenient("mara's fire-blade"));
/// assert_ne!(lenient("Caf\u{e9}"), lenient("Cafe"));
/// ```
pub fn lenient(name: &str) -> String {
    let folded = fold(name);
    if !may_differ(&folded) {
        return folded.into_owned();
    }
    let shaped: String = shaped(&folded).nfkc().collect();
    let shaped: String = shaped_again(&shaped);
    fold(&shaped).into_owned()
}

/// Whether the lenient fold of a folded name may be another than the name.
pub fn may_differ(folded: &str) -> bool {
    !folded.is_ascii() || folded.contains('`')
}

/// Folds a name further, into forms without accents and apostrophes, with the same slashes
/// whatever spaces are around them, and without hyphens: as if none were there, and as spaces.
/// The second is empty where it is the first.
///
/// ```text
/// Fire/Ice      -> fire//ice
/// Jötun's Ax-Eye -> jotuns axeye, jotuns ax eye
/// ```
pub fn loose(name: &str) -> [String; 2] {
    loose_of(lenient(name))
}

/// The same of a name's lenient fold.
pub fn loose_of(plain: String) -> [String; 2] {
    // Of nearly every name nothing is left out.
    if plain.is_ascii() && !plain.contains(['\'', '/', '-']) {
        return [plain, String::new()];
    }
    let plain = without_accents(&plain).replace('\'', "");
    let halves = plain.split('/').map(str::trim);
    let halves: Vec<&str> = halves.filter(|half| !half.is_empty()).collect();
    let plain = halves.join("//");
    let joined = plain.replace('-', "");
    let spaced = plain.replace('-', " ");
    let spaced: Vec<&str> = spaced.split_whitespace().collect();
    let spaced = spaced.join(" ");
    let second = if spaced == joined { "" } else { &spaced };
    [joined, second.to_owned()]
}

/// A name without accents.
pub fn without_accents(name: &str) -> String {
    name.nfd().filter(|character| !is_combining_mark(*character)).collect()
}

/// NFKC takes some marks apart, so they are made plain before it, and others after.
fn shaped_again(text: &str) -> String {
    shaped(text).collect()
}

fn shaped(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|character| !is_mark(*character)).flat_map(|character| {
        let (first, second) = plain(character);
        std::iter::once(first).chain(second)
    })
}

/// A character as a plain keyboard would write it.
fn plain(character: char) -> (char, Option<char>) {
    match character {
        '`'
        | '\u{b4}'
        | '\u{2b9}'
        | '\u{2bb}'..='\u{2bd}'
        | '\u{2c8}'
        | '\u{2018}'..='\u{201b}'
        | '\u{2032}'
        | '\u{2035}'
        | '\u{a78c}'
        | '\u{ff07}'
        | '\u{ff40}' => ('\'', None),
        '\u{ab}'
        | '\u{bb}'
        | '\u{2ba}'
        | '\u{201c}'..='\u{201f}'
        | '\u{2033}'
        | '\u{2036}'
        | '\u{301d}'..='\u{301f}'
        | '\u{ff02}' => ('"', None),
        '\u{2010}'..='\u{2015}'
        | '\u{2043}'
        | '\u{2212}'
        | '\u{fe58}'
        | '\u{fe63}'
        | '\u{ff0d}' => ('-', None),
        '\u{e6}' => ('a', Some('e')),
        '\u{c6}' => ('A', Some('E')),
        '\u{153}' => ('o', Some('e')),
        '\u{152}' => ('O', Some('E')),
        other => (other, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_looks_alike_is_alike() {
        for (one, other) in [
            ("Mara’s Blade", "Mara's Blade"),
            ("Mara‘s Blade", "Mara`s Blade"),
            ("Mara´s Blade", "Maraʼs Blade"),
            ("“Red” Ant", "\"Red\" Ant"),
            ("„Red“ Ant", "«Red» Ant"),
            ("Ant–Eater", "Ant-Eater"),
            ("Ant—Eater", "Ant−Eater"),
            ("ﬁre ﬂower", "FIRE FLOWER"),
            ("Æther Œuvre", "aether oeuvre"),
            ("Moss\u{200b} Spr\u{ad}ite\u{200e}", "Moss Sprite"),
            ("Ｍｏｓｓ　Ｓｐｒｉｔｅ", "Moss Sprite"),
            ("Wait…", "Wait..."),
            ("A♠\u{fe0f}", "A♠"),
        ] {
            assert_eq!(lenient(one), lenient(other), "{one}");
        }
        for (one, other) in [("Café", "Cafe"), ("Ant", "Aunt"), ("Ant-Eater", "Ant Eater")] {
            assert_ne!(lenient(one), lenient(other), "{one}");
        }
    }

    #[test]
    fn loose_names_leave_accents_and_marks_out() {
        for (one, other) in [
            ("Jötun's Ax-Eye", "Jotuns Ax Eye"),
            ("Jötun's Ax-Eye", "jotuns axeye"),
            ("Fire // Ice", "fire/ice"),
            ("Émigré Bees", "Emigre Bees"),
        ] {
            let (one, other) = (loose(one), loose(other));
            let mut forms = one.iter().filter(|form| !form.is_empty());
            assert!(forms.any(|form| other.contains(form)), "{one:?}");
        }
        assert_ne!(loose("Ant"), loose("Aunt"));
    }

    proptest! {
        /// That nothing is left out of a name is found without a look at its letters.
        #[test]
        fn a_plain_name_is_its_own_loose_form(name in "[ -~é]{0,12}") {
            let [first, second] = loose(&name);
            let mut letters = lenient(&name).replace('é', "e");
            letters.retain(|letter| letter != '\'');
            if !letters.contains('/') {
                let joined = letters.trim().replace('-', "");
                let spaced = letters.replace('-', " ");
                let spaced = spaced.split_whitespace().collect::<Vec<&str>>().join(" ");
                prop_assert_eq!(&first, &joined);
                prop_assert_eq!(second, if spaced == first { "" } else { &spaced });
            }
        }

        #[test]
        fn what_is_one_name_stays_one(name in "\\PC{0,20}") {
            prop_assert_eq!(lenient(&name), lenient(&fold(&name)));
        }

        #[test]
        fn twice_changes_nothing(name in "[a-zA-Z’“—ﬁæÉ`´…⅓Ａ ]{0,12}") {
            let once = lenient(&name);
            prop_assert_eq!(lenient(&once), once.as_str());
        }

        #[test]
        fn a_plain_name_is_its_fold(name in "[ -_a-~]{0,20}") {
            prop_assert_eq!(lenient(&name), fold(&name).into_owned());
        }
    }
}
