//! Whether two names may be one person's: never decided here, only asked about.

use decklaw_core::name::fold;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Short names that do not begin as the long ones do, spelt as [`plain`] spells them.
const SHORT: [(&str, &str); 42] = [
    ("tom", "thomas"),
    ("tommy", "thomas"),
    ("bill", "william"),
    ("bob", "robert"),
    ("dick", "richard"),
    ("ted", "edward"),
    ("ted", "theodore"),
    ("ned", "edward"),
    ("jack", "john"),
    ("hank", "henry"),
    ("harry", "henry"),
    ("chuck", "charles"),
    ("jim", "james"),
    ("mike", "michael"),
    ("tony", "anthony"),
    ("peggy", "margaret"),
    ("meg", "margaret"),
    ("maggie", "margaret"),
    ("liz", "elizabeth"),
    ("beth", "elizabeth"),
    ("betty", "elizabeth"),
    ("kate", "catherine"),
    ("kate", "katherine"),
    ("becky", "rebecca"),
    ("molly", "mary"),
    ("polly", "mary"),
    ("sepp", "josef"),
    ("hans", "johannes"),
    ("hannes", "johannes"),
    ("jens", "johannes"),
    ("fritz", "friedrich"),
    ("klaus", "nikolaus"),
    ("uli", "ulrich"),
    ("pepe", "jose"),
    ("paco", "francisco"),
    ("nacho", "ignacio"),
    ("lola", "dolores"),
    ("gianni", "giovanni"),
    ("ze", "jose"),
    ("kasia", "katarzyna"),
    ("gosia", "malgorzata"),
    ("jasiek", "jan"),
];

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
pub(crate) struct Plain {
    text: String,
    words: Vec<Word>,
    /// Its words in the order of the alphabet, without spaces.
    sorted: String,
    /// Its words as they stand, without spaces.
    joined: String,
    /// The text with `ue` for `ü` and the like as one letter.
    umlauts: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    text: String,
    letters: usize,
    /// A bit for each letter that is in it; letters may share one.
    mask: u64,
}

impl Plain {
    /// Takes a name apart.
    pub(crate) fn of(name: &str) -> Plain {
        let text = plain(name);
        let mut sorted: Vec<&str> = text.split(' ').collect();
        let joined = sorted.concat();
        let words = sorted.iter().map(|word| Word::of(word)).collect();
        sorted.sort_unstable();
        let umlauts = text
            .replace("ae", "a")
            .replace("oe", "o")
            .replace("ue", "u");
        Plain {
            sorted: sorted.concat(),
            words,
            joined,
            umlauts,
            text,
        }
    }

    /// The name as it is compared.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// How far two names are from each other that may be one person's; `None`: they are two
    /// persons'. 0 is the nearest.
    pub(crate) fn distance(&self, other: &Plain) -> Option<usize> {
        if self.text == other.text {
            return Some(0);
        }
        if self.sorted == other.sorted {
            return Some(1);
        }
        let (first, second) = (&self.words, &other.words);
        if first.len() == second.len() {
            if let Some(edits) = misspelt(first, second.iter()) {
                return Some(1 + edits);
            }
            // The family name first.
            let turned = second.iter().cycle().skip(second.len() - 1);
            if let Some(edits) = misspelt(first, turned) {
                return Some(2 + edits);
            }
        }
        // A space too many or missing; `ue` for `ü` and the like.
        if self.joined == other.joined || self.umlauts == other.umlauts {
            return Some(1);
        }
        let (few, many) = if first.len() <= second.len() {
            (first, second)
        } else {
            (second, first)
        };
        // Second names, and names of which one alone is said.
        if few.iter().all(|word| many.contains(word)) {
            return Some(if few.len() > 1 { 3 } else { 5 });
        }
        let ([one_given, .., one_family], [other_given, .., other_family]) =
            (first.as_slice(), second.as_slice())
        else {
            return None;
        };
        let short = one_family == other_family
            && (may_be_short(&one_given.text, &other_given.text)
                || may_be_short(&other_given.text, &one_given.text));
        short.then_some(4)
    }
}

impl Word {
    fn of(text: &str) -> Word {
        let bit = |letter: char| 1u64 << (u32::from(letter) % u64::BITS);
        Word {
            text: text.to_owned(),
            letters: text.chars().count(),
            mask: text.chars().map(bit).fold(0, |mask, bit| mask | bit),
        }
    }

    /// By how many letters two words differ, where no more than a slip of the pen makes one the
    /// other: letters that changed places in a short word, one letter in a longer, two in a long
    /// one.
    fn slip(&self, other: &Word) -> Option<usize> {
        if self.text == other.text {
            return Some(0);
        }
        let most = match self.letters.min(other.letters) {
            0..=3 => 0,
            4..=7 => 1,
            _ => 2,
        };
        // A letter that is another one changes two bits at most, one that is missing or too many
        // one, and letters that changed places none.
        let apart = (self.mask ^ other.mask).count_ones() as usize;
        if self.letters.abs_diff(other.letters) > most || apart > 2 * most {
            return None;
        }
        let edits = strsim::osa_distance(&self.text, &other.text);
        if edits > most.max(1) || (most == 0 && !self.is_anagram(other)) {
            return None;
        }
        Some(edits)
    }

    fn is_anagram(&self, other: &Word) -> bool {
        let letters = |word: &Word| {
            let mut letters: Vec<char> = word.text.chars().collect();
            letters.sort_unstable();
            letters
        };
        letters(self) == letters(other)
    }
}

/// By how many letters two names of equally many words differ, word by word, where no word is
/// another one.
fn misspelt<'a>(first: &[Word], second: impl Iterator<Item = &'a Word>) -> Option<usize> {
    let mut all = 0;
    for (one, other) in first.iter().zip(second) {
        all += one.slip(other)?;
    }
    (all <= 2).then_some(all)
}

/// Whether one given name may be short for another: `Max` and `Maximilian`, `K` and `Kim`,
/// `Bob` and `Robert`.
fn may_be_short(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    // The last vowel of a short name is often its own: `Tommy`, `Uli`.
    let stem = short.trim_end_matches(['y', 'i', 'e', 'o']);
    let stem = if stem.len() < 2 { short } else { stem };
    let doubled = |stem: &str| {
        let mut letters = stem.chars().rev();
        letters
            .next()
            .is_some_and(|last| letters.next() == Some(last))
    };
    let single = if doubled(stem) {
        &stem[..stem.len() - 1]
    } else {
        stem
    };
    let listed = SHORT.contains(&(short, long)) || SHORT.contains(&(long, short));
    long.starts_with(stem) || long.starts_with(single) || listed
}

/// The distance of two names as it is defined, letter by letter, and names that come near each
/// other.
#[cfg(test)]
pub(crate) mod slow {
    use super::{may_be_short, plain};
    use proptest::prelude::*;

    /// How far two names are from each other.
    pub(crate) fn between(one: &str, other: &str) -> Option<usize> {
        distance(&plain(one), &plain(other))
    }

    fn distance(one: &str, other: &str) -> Option<usize> {
        if one == other {
            return Some(0);
        }
        let [first, second]: [Vec<&str>; 2] = [one, other].map(|name| name.split(' ').collect());
        let sorted = |words: &[&str]| {
            let mut words = words.to_vec();
            words.sort_unstable();
            words.concat()
        };
        if sorted(&first) == sorted(&second) {
            return Some(1);
        }
        if let Some(edits) = misspelt(&first, &second) {
            return Some(1 + edits);
        }
        let mut turned = second.clone();
        turned.rotate_right(1);
        if let Some(edits) = misspelt(&first, &turned) {
            return Some(2 + edits);
        }
        // A space too many or missing.
        if first.concat() == second.concat() {
            return Some(1);
        }
        // `ue` for `ü` and the like.
        let umlauts = |name: &str| {
            name.replace("ae", "a")
                .replace("oe", "o")
                .replace("ue", "u")
        };
        if umlauts(one) == umlauts(other) {
            return Some(1);
        }
        let (few, many) = if first.len() <= second.len() {
            (&first, &second)
        } else {
            (&second, &first)
        };
        // Second names, and names of which one alone is said.
        if few.iter().all(|word| many.contains(word)) {
            return Some(if few.len() > 1 { 3 } else { 5 });
        }
        let ([one_given, .., one_family], [other_given, .., other_family]) =
            (first.as_slice(), second.as_slice())
        else {
            return None;
        };
        let short = may_be_short(one_given, other_given) || may_be_short(other_given, one_given);
        (one_family == other_family && short).then_some(4)
    }

    fn misspelt(first: &[&str], second: &[&str]) -> Option<usize> {
        if first.len() != second.len() {
            return None;
        }
        let mut all = 0;
        for (one, other) in first.iter().zip(second) {
            let edits = strsim::osa_distance(one, other);
            let letters = |word: &str| {
                let mut letters: Vec<char> = word.chars().collect();
                letters.sort_unstable();
                letters
            };
            let most = match one.chars().count().min(other.chars().count()) {
                0..=3 => usize::from(letters(one) == letters(other)),
                4..=7 => 1,
                _ => 2,
            };
            if edits > most {
                return None;
            }
            all += edits;
        }
        (all <= 2).then_some(all)
    }

    /// Names of a few words, some of which differ by a slip.
    pub(crate) fn name() -> impl Strategy<Value = String> {
        let known = prop::sample::select(vec![
            "Ivo",
            "Iov",
            "Zeller",
            "Zeller-",
            "Zell",
            "er",
            "Tom",
            "Tommy",
            "Thomas",
            "Max",
            "Maximilian",
            "K.",
            "Kim",
            "Jürgen",
            "Juergen",
            "José",
            "Pepe",
            "Lee",
            "Li",
            "",
        ]);
        let any = "[aeuüß'. -]{1,9}".prop_map(String::from);
        let word = prop_oneof![3 => known.prop_map(String::from), 1 => any];
        prop::collection::vec((word, 0..6usize, 0..12usize), 0..4).prop_map(|words| {
            let slipped = words.into_iter().map(|(word, slip, at)| {
                let mut letters: Vec<char> = word.chars().collect();
                match slip {
                    0 => letters.insert(at.min(letters.len()), 'e'),
                    1 if at < letters.len() => drop(letters.remove(at)),
                    2 if at + 1 < letters.len() => letters.swap(at, at + 1),
                    3 if at < letters.len() => letters[at] = 'é',
                    _ => {}
                }
                letters.into_iter().collect::<String>()
            });
            slipped.collect::<Vec<_>>().join(" ")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn names_are_as_far_apart_as_the_definition_says(
            names in prop::collection::vec(slow::name(), 2..12)
        ) {
            for one in &names {
                for other in &names {
                    let distance = Plain::of(one).distance(&Plain::of(other));
                    prop_assert_eq!(distance, slow::between(one, other), "{} {}", one, other);
                }
            }
        }
    }

    #[test]
    fn short_names_are_spelt_as_they_are_compared() {
        for (short, long) in SHORT {
            assert_eq!((short, long), (&*plain(short), &*plain(long)));
        }
    }

    #[test]
    fn names_that_may_be_one_persons_are_near_and_others_are_not() {
        let near = |one: &str, other: &str| Plain::of(one).distance(&Plain::of(other)).is_some();
        for (one, other) in [
            ("Iov Zeller", "Ivo Zeller"),
            ("Zeller Ivo", "Ivo Zeller"),
            ("Zeller, Ivo", "Ivo Zeller"),
            ("José García", "Jose Garcia"),
            ("Jürgen Groß", "Juergen Gross"),
            ("Max Huber", "Maximilian Huber"),
            ("Tommy Berg", "Thomas Berg"),
            ("Bob Ray", "Robert Ray"),
            ("K. Lee", "Kim Lee"),
            ("Ana María López", "Ana López"),
            ("Łukasz Nowak", "Lukasz Nowak"),
            ("Ivo", "Ivo Zeller"),
            ("Eva Falk", "Eve Falk"),
        ] {
            assert!(near(one, other), "{one} {other}");
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
