//! The known names nearest to an unknown one.

use memchr::memmem::Finder;

/// Returns the candidates nearest to an unknown word, best first, at most three.
///
/// Both the word and the candidates must be folded. A candidate is near when a few edits
/// (about one in three characters) turn one into the other, or when it contains the word.
///
/// ```
/// let known = ["moss sprite", "rain caller"];
/// assert_eq!(decklaw_text::name::nearest("mos sprite", known), ["moss sprite"]);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let Some(mut near) = Near::to(word) else {
        return Vec::new();
    };
    candidates.into_iter().for_each(|candidate| near.consider(candidate));
    near.names()
}

/// Returns a hint with near names, "; did you mean \`a\` or \`b\`?", or nothing.
///
/// ```
/// use decklaw_text::name::did_you_mean;
/// assert_eq!(did_you_mean(&["Ash", "Ant"]), "; did you mean `Ash` or `Ant`?");
/// assert_eq!(did_you_mean::<&str>(&[]), "");
/// ```
pub fn did_you_mean<S: AsRef<str>>(near: &[S]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let quoted = near.iter().map(|name| format!("`{}`", name.as_ref()));
    let names = crate::text::listed(&quoted.collect::<Vec<_>>(), "or");
    format!("; did you mean {names}?")
}

/// Longer words than this are not names, and comparing them would take long.
const LONGEST: usize = 100;
/// The most names in a hint.
const MOST: usize = 3;

/// The nearest candidates of a word so far.
struct Near<'w, 'a> {
    pattern: Pattern,
    finder: Finder<'w>,
    /// The most edits that are near.
    limit: usize,
    /// The best so far, sorted.
    found: Vec<(usize, &'a str)>,
}

impl<'w, 'a> Near<'w, 'a> {
    /// Returns `None` for a word that has no near names.
    fn to(word: &'w str) -> Option<Near<'w, 'a>> {
        let pattern = Pattern::of(word)?;
        Some(Near {
            limit: (pattern.length / 3).max(1),
            pattern,
            finder: Finder::new(word),
            found: Vec::with_capacity(MOST + 1),
        })
    }

    /// The greatest distance of a candidate that would be added.
    fn most(&self) -> usize {
        let worst = self.found.get(MOST - 1);
        worst.map_or(self.limit, |(worst, _)| *worst)
    }

    fn consider(&mut self, candidate: &'a str) {
        let most = self.most();
        if candidate.len() > 4 * LONGEST {
            return;
        }
        let length = self.pattern.length;
        let far = || candidate.chars().count().abs_diff(length) > most;
        // What contains the word is near, whatever else it contains.
        let distance = if length >= 4 && self.finder.find(candidate.as_bytes()).is_some() {
            self.limit
        } else if far() {
            return;
        } else {
            self.pattern.edits(candidate)
        };
        let near = (distance, candidate);
        if distance > most || self.found.contains(&near) {
            return;
        }
        let place = self.found.partition_point(|known| *known < near);
        self.found.insert(place, near);
        self.found.truncate(MOST);
    }

    fn names(self) -> Vec<&'a str> {
        let found = self.found.into_iter();
        found.map(|(_, candidate)| candidate).collect()
    }
}

/// The places of each letter in a word of at most [`LONGEST`] letters, a bit each.
struct Pattern {
    length: usize,
    ascii: [u128; 128],
    others: Vec<(char, u128)>,
}

impl Pattern {
    /// Returns `None` for an empty word and a long one.
    fn of(word: &str) -> Option<Pattern> {
        let length = word.chars().count();
        if !(1..=LONGEST).contains(&length) {
            return None;
        }
        let (mut ascii, mut others) = ([0; 128], Vec::new());
        for (at, letter) in word.chars().enumerate() {
            match ascii.get_mut(letter as usize) {
                Some(places) => *places |= 1 << at,
                None => others.push((letter, 1 << at)),
            }
        }
        Some(Pattern { length, ascii, others })
    }

    fn places(&self, letter: char) -> u128 {
        if let Some(places) = self.ascii.get(letter as usize) {
            return *places;
        }
        let same = self.others.iter().filter(|(other, _)| *other == letter);
        same.fold(0, |all, (_, place)| all | place)
    }

    /// The edits that turn the word into another, a swap of two neighbours being one: the optimal
    /// string alignment, a column of its table at once (Hyyrö 2003, "A bit-vector algorithm for
    /// computing Levenshtein and Damerau edit distances").
    fn edits(&self, other: &str) -> usize {
        let last = 1_u128 << (self.length - 1);
        let mut distance = self.length;
        // Where the table grows and shrinks from row to row; where its diagonal stays the same.
        let (mut grows, mut shrinks, mut stays, mut before) = (u128::MAX, 0_u128, 0_u128, 0_u128);
        for letter in other.chars() {
            let places = self.places(letter);
            let swapped = ((!stays & places) << 1) & before;
            let carried = (places & grows).wrapping_add(grows) ^ grows;
            stays = carried | places | shrinks | swapped;
            let (more, less) = (shrinks | !(stays | grows), stays & grows);
            distance += usize::from(more & last != 0);
            distance -= usize::from(less & last != 0);
            let (more, less) = ((more << 1) | 1, less << 1);
            grows = less | !(stays | more);
            shrinks = more & stays;
            before = places;
        }
        distance
    }
}

/// The letters of many names. They show quickly that most names are not near a word.
#[derive(Debug, Clone)]
pub struct Names(Vec<Letters>);

impl Names {
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Names {
        Names(names.into_iter().map(Letters::of).collect())
    }

    /// The same as [`nearest`] of all the names; `name` returns each by its place.
    pub fn nearest<'a>(&self, word: &str, name: impl Fn(usize) -> &'a str) -> Vec<&'a str> {
        let Some(mut near) = Near::to(word) else {
            return Vec::new();
        };
        let own = Letters::of(word);
        let least: Vec<usize> = self.0.iter().map(|other| own.edits(other)).collect();
        let limit = near.limit;
        for step in 0..=limit {
            if step > near.most() {
                break;
            }
            for (at, _) in least.iter().enumerate().filter(|(_, least)| **least == step) {
                near.consider(name(at));
            }
        }
        // Beyond that, only names that contain the word are near.
        if near.most() == limit && near.pattern.length >= 4 {
            for (at, other) in self.0.iter().enumerate() {
                if least[at] > limit && own.surplus(other) == 0 {
                    near.consider(name(at));
                }
            }
        }
        near.names()
    }
}

/// The number of each letter in a word; letters far apart share a place.
#[derive(Debug, Clone)]
struct Letters([u8; 32]);

impl Letters {
    fn of(word: &str) -> Letters {
        let mut letters = [0_u8; 32];
        for letter in word.chars() {
            let count = &mut letters[letter as usize % 32];
            *count = count.saturating_add(1);
        }
        Letters(letters)
    }

    /// The number of letters that the other word lacks.
    fn surplus(&self, other: &Letters) -> usize {
        let pairs = self.0.iter().zip(&other.0);
        let surplus: u16 = pairs.map(|(one, other)| u16::from(one.saturating_sub(*other))).sum();
        usize::from(surplus)
    }

    /// The fewest edits that could turn one word into the other: each edit removes at most one
    /// letter and adds at most one.
    fn edits(&self, other: &Letters) -> usize {
        self.surplus(other).max(other.surplus(self))
    }
}

/// Whether the first of the [nearest] words is the one that was meant, beyond doubt: one edit
/// away, or two where the word is long, the digits the same, and no other nearly as near.
///
/// ```
/// use decklaw_text::name::is_slip;
/// assert!(is_slip("mos sprite", &["moss sprite"]));
/// assert!(!is_slip("storm cal", &["storm call", "storm cali"]));
/// assert!(!is_slip("golem 2", &["golem 3"]), "a digit is no slip");
/// ```
pub fn is_slip(word: &str, nearest: &[&str]) -> bool {
    let (Some((meant, others)), Some(pattern)) = (nearest.split_first(), Pattern::of(word)) else {
        return false;
    };
    let most = match pattern.length {
        0..=4 => return false,
        5..=9 => 1,
        _ => 2,
    };
    let edits = pattern.edits(meant);
    let digits = |word: &str| -> String { word.chars().filter(|next| next.is_numeric()).collect() };
    let alone = |other: &&str| pattern.edits(other) > edits + 1;
    edits <= most && digits(word) == digits(meant) && others.iter().all(alone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Letters never demand more edits than there are.
        #[test]
        fn letters_bound_the_edits(one in "[a-dé ]{1,12}", other in "[a-dé ]{0,12}") {
            let whole = strsim::osa_distance(&one, &other);
            prop_assert!(Letters::of(&one).edits(&Letters::of(&other)) <= whole);
            prop_assert_eq!(Pattern::of(&one).map(|one| one.edits(&other)), Some(whole));
        }

        /// The nearest by their definition: all distances, sorted.
        #[test]
        fn the_nearest_are_those_of_all(
            word in "[a-c ]{1,9}", names in proptest::collection::vec("[a-d ]{0,14}", 0..40),
        ) {
            let length = word.chars().count();
            let limit = (length / 3).max(1);
            let mut all: Vec<(usize, &str)> = names
                .iter()
                .map(|name| {
                    let within = length >= 4 && name.contains(&word);
                    let edits = || strsim::osa_distance(&word, name);
                    (if within { limit } else { edits() }, name.as_str())
                })
                .filter(|(distance, _)| *distance <= limit)
                .collect();
            all.sort_unstable();
            all.dedup();
            let all: Vec<&str> = all.into_iter().take(MOST).map(|(_, name)| name).collect();
            prop_assert_eq!(&nearest(&word, names.iter().map(String::as_str)), &all);
            let index = Names::of(names.iter().map(String::as_str));
            prop_assert_eq!(&index.nearest(&word, |at| &names[at]), &all);
        }
    }
}
