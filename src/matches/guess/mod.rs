//! Seeds that a dictionary finds. A text that somebody chose is a secret only as long as nobody
//! guesses it: whoever does deals the match again and sees every hidden card.
//!
//! What is found is said in `docs/fair-deals.md`, exactly.

use crate::matches::file::Match;
use crate::matches::inputs::{Inputs, SeedSource};
use crate::matches::random::Seed;
use crate::matches::table::Seen;
use crate::name::fold;
use std::collections::HashSet;

/// Words that are tried first: English that everybody uses, common passwords, first names, and
/// the words of card games.
const WORDS: &str = include_str!("words.txt");

/// The fewest characters of a text that is no guess.
const SHORTEST: usize = 16;

/// The fewest different characters of one.
const FEWEST: usize = 8;

/// The fewest letters and digits that must be left of one, known words taken away.
const LEFT: usize = 12;

/// The most digits of a number that counts as known, such as a date.
const KNOWN_DIGITS: usize = 8;

/// What is tried for a match: words that everybody knows, and the names in its file.
struct Dictionary {
    /// As they are written.
    names: Vec<String>,
    /// Folded, names and words.
    folded: HashSet<String>,
}

impl Dictionary {
    /// The names of formats, decks, players and cards of a match, beside the words.
    fn of(inputs: &Inputs) -> Dictionary {
        let mut names = vec![inputs.format.clone()];
        names.extend(inputs.format.split('/').map(str::to_owned));
        let own = inputs.seats.iter().filter_map(|seat| seat.deck.as_ref());
        for deck in own.chain(inputs.shared.iter().map(|shared| &shared.deck)) {
            names.push(deck.name.clone());
            let lines = deck.sections.values().flatten();
            names.extend(lines.map(|line| line.name.clone()));
        }
        names.extend(inputs.seats.iter().map(|seat| seat.name.clone()));
        names.sort_unstable();
        names.dedup();
        let words = WORDS.split_whitespace().map(str::to_owned);
        let folded = names.iter().map(|name| fold(name).into_owned());
        Dictionary {
            folded: folded.chain(words).collect(),
            names,
        }
    }

    /// Why a text is easily found; `None` where it is not.
    fn finds(&self, text: &str) -> Option<String> {
        let text = fold(text);
        let letters: Vec<char> = text.chars().collect();
        if letters.len() < SHORTEST {
            return Some(format!("it has fewer than {SHORTEST} characters"));
        }
        let different: HashSet<&char> = letters.iter().collect();
        if different.len() < FEWEST {
            return Some(format!("it has fewer than {FEWEST} different characters"));
        }
        (self.left(&letters) < LEFT).then(|| {
            format!(
                "without the common words, names of this match and numbers in it, fewer than \
                 {LEFT} letters and digits are left"
            )
        })
    }

    /// How many letters and digits are left once as much as can be is taken away: known words
    /// and names of three letters or more, numbers of few digits, and what is neither letter
    /// nor digit.
    fn left(&self, letters: &[char]) -> usize {
        let longest = self.folded.iter().map(|word| word.chars().count()).max();
        let longest = longest.unwrap_or_default();
        // `least[at]`: the fewest that are left of the first `at` characters.
        let mut least = vec![0_usize];
        for at in 1..=letters.len() {
            let letter = letters[at - 1];
            let counts = usize::from(letter.is_alphanumeric());
            let mut best = least[at - 1] + counts;
            for first in at.saturating_sub(longest)..at.saturating_sub(2) {
                let word: String = letters[first..at].iter().collect();
                if least[first] < best && self.folded.contains(&word) {
                    best = least[first];
                }
            }
            let digits = letters[..at].iter().rev();
            let digits = digits.take_while(|it| it.is_ascii_digit()).count();
            let ends = !letters.get(at).is_some_and(char::is_ascii_digit);
            if ends && (1..=KNOWN_DIGITS).contains(&digits) {
                best = best.min(least[at - digits]);
            }
            least.push(best);
        }
        least.last().copied().unwrap_or_default()
    }

    /// The text that a seed is of, where it is one of those that are tried.
    fn opens(&self, seed: &Seed) -> Option<String> {
        tried(&self.names, &mut |text| Seed::from_text(text) == *seed)
    }
}

/// Tries texts until one is it: every word and name by itself and with a number, a year or a mark
/// behind it, numbers, dates, and all that is as short as three letters and digits.
fn tried(names: &[String], is_it: &mut dyn FnMut(&str) -> bool) -> Option<String> {
    let mut it = |text: &str| is_it(text).then(|| text.to_owned());
    let words = names.iter().map(String::as_str);
    for word in words.chain(WORDS.split_whitespace()) {
        let lower = fold(word);
        let mut letters = lower.chars();
        let first = letters
            .next()
            .map(|it| it.to_uppercase().collect::<String>());
        let capital = first.unwrap_or_default() + letters.as_str();
        for spelt in [word, &lower, &capital, &word.to_uppercase()] {
            if let Some(found) = it(spelt) {
                return Some(found);
            }
        }
        let numbers = (0..100).chain(1950..2040).map(|number| number.to_string());
        let games = (1..=20).map(|number| format!("/{number}"));
        for behind in numbers.chain(games).chain(["!".to_owned()]) {
            for spelt in [lower.as_ref(), &capital] {
                if let Some(found) = it(&format!("{spelt}{behind}")) {
                    return Some(found);
                }
            }
        }
    }
    (0..100_000)
        .find_map(|number: u32| it(&number.to_string()))
        .or_else(|| dates().find_map(|date| it(&date)))
        .or_else(|| short().find_map(|text| it(&text)))
}

/// The days from 1950 to 2039 as people write them.
fn dates() -> impl Iterator<Item = String> {
    let days = (1950..2040).flat_map(|year| {
        (1..=12).flat_map(move |month| (1..=31).map(move |day| (year, month, day)))
    });
    days.flat_map(|(year, month, day)| {
        [
            format!("{year}-{month:02}-{day:02}"),
            format!("{year}{month:02}{day:02}"),
            format!("{day:02}.{month:02}.{year}"),
            format!("{day}.{month}.{year}"),
            format!("{month}/{day}/{year}"),
        ]
    })
}

/// Every text of one to three small letters and digits.
fn short() -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').chain('0'..='9').map(String::from);
    let two =
        move || letters().flat_map(move |one| letters().map(move |two| format!("{one}{two}")));
    let three = two().flat_map(move |two| letters().map(move |one| format!("{two}{one}")));
    letters().chain(two()).chain(three)
}

impl Match {
    /// Whether there is something at the table that not everybody may see.
    pub fn hides(&self) -> bool {
        let shared = &self.table.shared;
        let mut zones = shared
            .iter()
            .chain(self.table.seats.iter().flat_map(|it| &it.zones));
        self.table.seats.len() > 1 && zones.any(|zone| zone.seen != Seen::ByAll)
    }

    /// Why a dictionary finds the text that seeds this match, which hides something.
    pub fn guessed(&self, text: &str) -> Option<String> {
        self.hides()
            .then(|| Dictionary::of(&self.inputs).finds(text))?
    }

    /// The text that seeds this match, which hides something, where a dictionary finds it.
    pub fn opened(&self) -> Option<String> {
        let chance = &self.inputs.randomness;
        let text = chance.seed_source == SeedSource::Text;
        let seed = chance.seed().ok().filter(|_| text && self.hides())?;
        Dictionary::of(&self.inputs).opens(&seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dictionary() -> Dictionary {
        let names = ["shell", "Ebb and Flow of the Western Tides", "Ann-Marie"].map(str::to_owned);
        let words = WORDS.split_whitespace().map(str::to_owned);
        Dictionary {
            folded: names
                .iter()
                .map(|name| fold(name).into_owned())
                .chain(words)
                .collect(),
            names: names.into(),
        }
    }

    #[test]
    fn texts_that_people_choose_are_found_and_random_ones_are_not() {
        let dictionary = dictionary();
        for text in [
            "redeal",
            "x",
            "summer tournament 2026 table 12",
            "correcthorsebatterystaple",
            "aaaaaaaaaaaaaaaaaaaaaaaaa",
            "EBB AND FLOW OF THE WESTERN TIDES!!! 1999",
            "2026-11-22 2026-11-23 2026-11-24",
            "ann-marie Password123 shell",
        ] {
            assert!(dictionary.finds(text).is_some(), "{text}");
        }
        for text in [
            "x7Kq-2vZp-Lw9d-RtB4-mQ",
            "zuvqoyxkafhrwmtj",
            "78436b84a5912679085c61a48eb04a6a",
            "93840217560284713956",
            "gorblax quintish vemmerly thrunk",
        ] {
            assert_eq!(dictionary.finds(text), None, "{text}");
        }
    }

    /// What a file's seed is compared with is a part of what is refused as a text.
    #[test]
    fn all_that_is_tried_is_refused() {
        let dictionary = dictionary();
        let mut long = 0;
        let found = tried(&dictionary.names, &mut |text| {
            // Short ones are refused for their length alone.
            if text.chars().count() >= SHORTEST {
                long += 1;
                return dictionary.finds(text).is_none();
            }
            false
        });
        assert_eq!(found, None);
        assert!(long > 200, "long ones were tried: {long}");
        let seed = Seed::from_text("ebb and flow of the western tides7");
        assert!(dictionary.opens(&seed).is_some());
        let other = Seed::from_text("ebb and flow of the western tides x");
        assert_eq!(dictionary.opens(&other), None);
    }
}
