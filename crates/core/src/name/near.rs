//! Names that are nearest to one that was not found.

/// The candidates nearest to a word that was not found, best first, at most three.
///
/// Both the word and the candidates must be folded. A candidate is near when a few edits
/// (about one in three characters) turn one into the other, or when it contains the word.
///
/// ```
/// let known = ["moss sprite", "rain caller"];
/// assert_eq!(decklaw_core::name::nearest("mos sprite", known), ["moss sprite"]);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let Some(mut near) = Near::to(word) else {
        return Vec::new();
    };
    candidates
        .into_iter()
        .for_each(|candidate| near.consider(candidate));
    near.names()
}

/// A hint with the names that are near: "; did you mean \`a\` or \`b\`?", or nothing.
///
/// ```
/// use decklaw_core::name::did_you_mean;
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
/// More than these nobody would look at.
const MOST: usize = 3;

/// What is nearest to a word so far.
struct Near<'w, 'a> {
    word: &'w str,
    length: usize,
    /// The most edits that are near.
    limit: usize,
    /// The best so far, sorted. Once there are enough, only what is as near as the last of them
    /// is compared letter by letter.
    found: Vec<(usize, &'a str)>,
}

impl<'w, 'a> Near<'w, 'a> {
    /// `None`: nothing is near such a word.
    fn to(word: &'w str) -> Option<Near<'w, 'a>> {
        let length = word.chars().count();
        (1..=LONGEST).contains(&length).then(|| Near {
            word,
            length,
            limit: (length / 3).max(1),
            found: Vec::with_capacity(MOST + 1),
        })
    }

    /// No candidate is taken that is farther than this.
    fn most(&self) -> usize {
        let worst = self.found.get(MOST - 1);
        worst.map_or(self.limit, |(worst, _)| *worst)
    }

    fn consider(&mut self, candidate: &'a str) {
        let most = self.most();
        if candidate.len() > 4 * LONGEST {
            return;
        }
        let within = |candidate: &str| self.length >= 4 && candidate.contains(self.word);
        let far = candidate.chars().count().abs_diff(self.length) > most;
        let distance = match far {
            // What contains the word is near, however much there is besides.
            true if most >= self.limit && within(candidate) => self.limit,
            true => return,
            false => match edits(self.word, candidate, most) {
                edits if edits > most && most < self.limit => return,
                _ if within(candidate) => self.limit,
                edits => edits,
            },
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

/// The edits that turn one word into another, where they are no more than `most`; else some
/// larger number. What both begin and end with takes none.
fn edits(one: &str, other: &str, most: usize) -> usize {
    let same = |(one, other): &(char, char)| one == other;
    let begins = one.chars().zip(other.chars()).take_while(same);
    let begins: usize = begins.map(|(letter, _)| letter.len_utf8()).sum();
    let (one, other) = (&one[begins..], &other[begins..]);
    let ends = one.chars().rev().zip(other.chars().rev()).take_while(same);
    let ends: usize = ends.map(|(letter, _)| letter.len_utf8()).sum();
    let (one, other) = (&one[..one.len() - ends], &other[..other.len() - ends]);
    match Letters::of(one).edits(&Letters::of(other)) {
        least if least > most => least,
        _ => strsim::osa_distance(one, other),
    }
}

/// Many names of which is asked again and again what is nearest: which letters each has tells
/// quickly that most of them are not, and which to look at first.
#[derive(Debug, Clone)]
pub(crate) struct Names(Vec<Outline>);

/// Which letters a word has, a bit each; how often, four bits each, up to [`OFTEN`]; and how many
/// there are. Letters far apart share a place.
#[derive(Debug, Clone, Copy)]
struct Outline {
    letters: u64,
    often: [u64; 2],
    length: u16,
}

impl Names {
    pub(crate) fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Names {
        Names(names.into_iter().map(Outline::of).collect())
    }

    /// The same as [`nearest`] of all the names; `name` tells each by its place.
    pub(crate) fn nearest<'a>(&self, word: &str, name: impl Fn(usize) -> &'a str) -> Vec<&'a str> {
        let Some(mut near) = Near::to(word) else {
            return Vec::new();
        };
        let own = Outline::of(word);
        let mut least: Vec<u8> = self.0.iter().map(|other| own.edits(other)).collect();
        let limit = near.limit;
        for step in 0..=limit {
            if step > near.most() {
                break;
            }
            for (at, least) in least.iter_mut().enumerate() {
                if usize::from(*least) != step {
                    continue;
                }
                // How often each letter stands there is asked only where it may matter.
                *least = own.counted_edits(&self.0[at]).max(*least);
                if usize::from(*least) == step {
                    near.consider(name(at));
                }
            }
        }
        // Beyond that are only those that contain the word.
        if near.most() == limit && near.length >= 4 {
            let whole = |at: &usize| {
                usize::from(least[*at]) > limit && own.letters & !self.0[*at].letters == 0
            };
            let longer = (0..least.len()).filter(whole);
            longer.for_each(|at| near.consider(name(at)));
        }
        near.names()
    }
}

/// The most that is counted of a letter.
const OFTEN: u64 = 7;

impl Outline {
    fn of(word: &str) -> Outline {
        let mut outline = Outline {
            letters: 0,
            often: [0; 2],
            length: 0,
        };
        for letter in word.chars() {
            // Digits and small letters have places of their own.
            let place = letter as u32 + 26 * (letter as u32 / 64);
            outline.letters |= 1 << (place % 64);
            let counts = &mut outline.often[place as usize / 16 % 2];
            let shift = place % 16 * 4;
            if *counts >> shift & OFTEN < OFTEN {
                *counts += 1 << shift;
            }
            outline.length = outline.length.saturating_add(1);
        }
        outline
    }

    /// The fewest edits that could turn the one word into the other: an edit takes away at most
    /// one letter that is too many, and brings at most one.
    fn edits(&self, other: &Outline) -> u8 {
        let surplus = (self.letters & !other.letters).count_ones();
        let lack = (other.letters & !self.letters).count_ones();
        let longer = u32::from(self.length.abs_diff(other.length));
        u8::try_from(surplus.max(lack).max(longer)).unwrap_or(u8::MAX)
    }

    /// The same by how often each letter stands there.
    fn counted_edits(&self, other: &Outline) -> u8 {
        let beyond = |one: &Outline, other: &Outline| {
            let each = one.often.iter().zip(&other.often);
            each.map(|(one, other)| beyond(*one, *other)).sum::<u64>()
        };
        let most = beyond(self, other).max(beyond(other, self));
        u8::try_from(most).unwrap_or(u8::MAX)
    }
}

/// By how much numbers of four bits, none above [`OFTEN`], are larger than others, all together.
fn beyond(one: u64, other: u64) -> u64 {
    const HIGH: u64 = 0x8888_8888_8888_8888;
    // In each place 8 and the difference: the high bit stays where that is not negative.
    let apart = (one | HIGH) - other;
    let larger = (apart & HIGH) >> 3;
    let surplus = apart & (larger * OFTEN);
    let pairs = (surplus & 0x0f0f_0f0f_0f0f_0f0f) + (surplus >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56
}

/// Whether the first of the [nearest] words is the one that was meant, beyond doubt: one edit
/// away, or two where the word is long, the digits the same, and no other nearly as near.
///
/// ```
/// use decklaw_core::name::is_slip;
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

        /// What both have in common at their ends is no part of it.
        #[test]
        fn edits_are_those_of_the_whole_words(
            one in "[a-bé]{0,9}", other in "[a-bé]{0,9}", most in 0_usize..9,
        ) {
            let whole = strsim::osa_distance(&one, &other);
            prop_assert_eq!(edits(&one, &other, 99), whole);
            prop_assert_eq!(edits(&one, &other, most) > most, whole > most);
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
                .map(|name| match length >= 4 && name.contains(&word) {
                    true => (limit, name.as_str()),
                    false => (strsim::osa_distance(&word, name), name.as_str()),
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
