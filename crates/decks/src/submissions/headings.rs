//! What the name of a form's column asks for. The words are data: `columns.txt`.

use decklaw_text::name::fold;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What a column of a form holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Player,
    Identity,
    Deck,
    Time,
    Format,
}

impl Role {
    /// The roles, in the order in which they choose their columns.
    pub(super) const ALL: [Role; 5] =
        [Role::Player, Role::Identity, Role::Deck, Role::Time, Role::Format];

    /// What `--columns` and `columns.txt` call the role.
    pub(super) fn word(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Identity => "id",
            Role::Deck => "deck",
            Role::Time => "time",
            Role::Format => "format",
        }
    }
}

/// The words of each group.
static GROUPS: LazyLock<BTreeMap<&'static str, BTreeSet<&'static str>>> = LazyLock::new(|| {
    let mut groups: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    let lines = include_str!("columns.txt").lines();
    for (group, words) in lines.filter_map(|line| line.split_once(": ")) {
        let words = words.split(" | ");
        groups.entry(group).or_default().extend(words);
    }
    groups
});

/// The subjects of the words of each group.
static SUBJECTS: LazyLock<BTreeSet<(&'static str, String)>> = LazyLock::new(|| {
    let words =
        GROUPS.iter().flat_map(|(group, words)| words.iter().map(move |word| (*group, *word)));
    words.map(|(group, word)| (group, subject(word))).collect()
});

fn contains(group: &str, word: &str) -> bool {
    GROUPS.get(group).is_some_and(|words| words.contains(word))
}

/// The subject of a question: its words without those around and without brackets. The subject of
/// `Your side deck (one card a line)?` is `side deck`.
fn subject(name: &str) -> String {
    let plain = plain(name);
    let words = plain.split(' ').filter(|word| !contains("around", word));
    words.collect::<Vec<_>>().join(" ")
}

/// A column's name folded, without brackets and punctuation.
fn plain(name: &str) -> String {
    let folded = fold(name);
    let mut plain = String::new();
    let mut depth = 0_usize;
    for letter in folded.chars() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '?' | '\u{bf}' | ':' | '*' | '!' | '\u{a1}' | '.' | ',' | ';' | '_' => plain.push(' '),
            '"' | '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{2039}' | '\u{203a}' => {
                plain.push(' ');
            }
            '\u{2018}'..='\u{201b}' => plain.push('\''),
            '\u{2010}'..='\u{2014}' => plain.push('-'),
            other => plain.push(other),
        }
    }
    // A word in single quotation marks, such as `'Deck'`; an apostrophe stays.
    let words = plain.split_whitespace().map(|word| word.trim_matches('\''));
    words.filter(|word| !matches!(*word, "" | "-")).collect::<Vec<_>>().join(" ")
}

/// A column's name in the forms that are compared with words.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    /// The folded name.
    pub(super) folded: String,
    /// The folded name without brackets and punctuation.
    plain: String,
    /// The subject of the name, where it is a question.
    pub(super) subject: String,
}

impl Heading {
    pub(super) fn of(name: &str) -> Heading {
        Heading { folded: fold(name).into_owned(), plain: plain(name), subject: subject(name) }
    }

    /// Whether it is a word of this group, or a question with the same subject.
    pub(super) fn is_in(&self, group: &'static str) -> bool {
        let has_plain = |plain: &str| contains(group, plain);
        has_plain(&self.folded)
            || has_plain(&self.plain)
            // `Deck-Liste` is one word with a hyphen, or two words.
            || (self.plain.contains('-')
                && (has_plain(&self.plain.replace('-', ""))
                    || has_plain(&self.plain.replace('-', " "))))
            || (!self.subject.is_empty() && SUBJECTS.contains(&(group, self.subject.clone())))
    }

    /// How plainly the name asks for a role: 3 points for a plain name, 2 for another name, 1 for
    /// a word in a longer question, 0 for none.
    pub(super) fn score(&self, role: Role) -> u8 {
        let [plain, also, word, not] = match role {
            Role::Player => ["player.plain", "player.also", "player.word", "player.not"],
            Role::Identity => ["id.plain", "id.also", "id.word", "id.not"],
            Role::Deck => ["deck.plain", "deck.also", "deck.word", "deck.not"],
            Role::Time => ["time.plain", "time.also", "time.word", "time.not"],
            Role::Format => ["format.plain", "format.also", "format.word", "format.not"],
        };
        let has_word = |group| {
            let mut words = self.plain.split([' ', '/', '-']);
            words.any(|word| contains(group, word))
        };
        if self.is_in(plain) {
            3
        } else if self.is_in(also) {
            2
        } else {
            u8::from(has_word(word) && !has_word(not))
        }
    }
}

/// The columns of given and family names, where just one free column of each is present.
pub(super) fn name_in_two(headings: &[Heading], taken: &BTreeSet<usize>) -> Option<(usize, usize)> {
    let only = |group, other: Option<usize>| {
        let mut places = (0..headings.len()).filter(|at| {
            let is_free = !taken.contains(at) && Some(*at) != other;
            is_free && headings[*at].is_in(group)
        });
        places.next().filter(|_| places.next().is_none())
    };
    let family = only("family.plain", None)?;
    Some((only("given.plain", Some(family))?, family))
}

#[cfg(test)]
mod tests {
    use super::{Heading, Role, subject};

    #[test]
    fn a_column_scores_by_its_name_its_subject_or_a_word() {
        for (question, thing) in [
            ("Your side deck (one card a line):", "side deck"),
            ("Who are you?", "who"),
            ("(optional)", ""),
            ("Wklej tutaj swoj\u{105} list\u{119}", "list\u{119}"),
        ] {
            assert_eq!(subject(question), thing, "{question}");
        }
        for (name, role, score) in [
            ("What is your name?", Role::Player, 3),
            ("\u{bf}Cu\u{e1}l es tu nombre?", Role::Player, 3),
            ("Quel est votre nom ?", Role::Player, 3),
            ("Paste your DECKLIST here *", Role::Deck, 3),
            ("Bitte f\u{fc}ge hier deine Deckliste ein", Role::Deck, 3),
            ("Email", Role::Identity, 2),
            ("Paste the decklist that you registered", Role::Deck, 1),
            ("Name as on your passport", Role::Player, 1),
            ("Name of your deck", Role::Deck, 0),
            ("Name of your deck", Role::Player, 0),
            ("Discord name", Role::Player, 0),
            ("\u{201e}Deckliste\u{201c}", Role::Deck, 3),
            ("\u{ab} Deck \u{bb}", Role::Deck, 3),
            ("'Deck list'", Role::Deck, 3),
            ("Deck\u{2011}list", Role::Deck, 3),
            ("player_name", Role::Player, 3),
        ] {
            assert_eq!(Heading::of(name).score(role), score, "{name}");
        }
    }
}
