//! The words that decks of many games use for their sections.

use super::SectionNames;
use crate::pasted::count::{Wrong, example, in_letters};
use crate::pasted::heading::heading;
use crate::pasted::quoted;
use crate::pool::NameField;
use decklaw_text::name::{fold, nearest};
use decklaw_text::text::listed;
use std::borrow::Cow;

/// Cards that are no part of a deck.
const LEFT_OUT: [&str; 6] = ["maybeboard", "maybe", "considering", "tokens", "token", "companion"];

/// The cards that are dealt.
const MAIN: [&str; 5] = ["main", "main deck", "maindeck", "mainboard", "deck"];

/// The cards that are exchanged between games.
const SIDE: [&str; 6] = ["sideboard", "side", "side deck", "sidedeck", "side board", "sb"];

const EXTRA: [&str; 3] = ["extra", "extra deck", "extradeck"];

const COMMANDER: [&str; 3] = ["commander", "commanders", "cmdr"];

/// What a word says of the section of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Board<'f> {
    /// The id of a section that the deck has or may have.
    Section(Cow<'f, str>),
    /// The card is no part of the deck.
    LeftOut,
    /// A section of other games, which the format does not have.
    Absent,
}

/// Whether a word names a section of other programs that is no part of a deck.
pub fn is_left_out(word: &str) -> bool {
    LEFT_OUT.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether deck builders of many games call a section so.
pub fn is_common(word: &str) -> bool {
    let word = &*fold(word);
    [&MAIN[..], &SIDE, &EXTRA].concat().contains(&word) || word == "maybeboard"
}

/// Whether deck builders of many games call the sideboard so.
pub fn is_side(word: &str) -> bool {
    SIDE.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Where words may name a section: anywhere in a text, or first; the sideboard anywhere in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mention {
    Anywhere,
    First,
}

impl<'f> SectionNames<'f> {
    /// Returns the format's sideboard, by any of its usual names.
    pub fn side(&self) -> Option<&'f str> {
        SIDE.iter().find_map(|word| self.named(word))
    }

    /// Returns the section that is meant by a usual word, where the format has other words.
    pub(crate) fn usual(&self, word: &str) -> Option<&'f str> {
        let is_in = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
        if self.open {
            None
        } else if is_in(&MAIN) {
            Some(self.first)
        } else {
            is_in(&SIDE).then(|| self.side()).flatten()
        }
    }

    /// Returns the section that a mark around a name or a cell of a table names. `None`: the word
    /// is none that decks use for sections.
    pub fn board(&self, word: &str) -> Option<Board<'f>> {
        if let Some(id) = self.find(word) {
            return Some(Board::Section(Cow::Borrowed(id)));
        }
        let word = &*fold(word);
        let own = |word: &str| Some(Board::Section(Cow::Owned(word.to_owned())));
        let is_in = |words: &[&str]| words.contains(&word);
        if is_in(&COMMANDER) {
            let id = COMMANDER.iter().find_map(|word| self.find(word));
            return Some(id.map_or(Board::Absent, |id| Board::Section(Cow::Borrowed(id))));
        }
        if is_in(&SIDE) {
            let open = || own(if word == "sb" { "sideboard" } else { word });
            return if self.open { open() } else { Some(Board::Absent) };
        }
        if self.open {
            return is_common(word).then(|| own(word)).flatten();
        }
        let other = if is_in(&EXTRA) { Some(Board::Absent) } else { None };
        if is_in(&LEFT_OUT) { Some(Board::LeftOut) } else { other }
    }

    /// Whether some words of a text name another section than that of an id: `+1 side`, `2 in SB`.
    pub fn mentions_other(&self, text: &str, id: &str, mention: Mention) -> bool {
        /// No section has a longer name.
        const MOST_WORDS: usize = 3;
        let is_letter = |c: char| c.is_alphabetic();
        let mut words = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find(is_letter) {
            rest = &rest[start..];
            let end = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            let from = text.len() - rest.len();
            words.push((from, from + word.len()));
            rest = behind;
        }
        let is_other = |text: &str| match self.board(text) {
            Some(Board::Section(other)) => other != id,
            Some(Board::LeftOut) => true,
            Some(Board::Absent) => is_side(text),
            // `sideboarded`, `sideboards`
            None => {
                let start = text.get(..9).filter(|_| text.chars().all(char::is_alphabetic));
                start.is_some_and(|start| start.eq_ignore_ascii_case("sideboard"))
            }
        };
        words.iter().enumerate().any(|(at, (from, _))| {
            let is_any = at == 0 || mention == Mention::Anywhere;
            words.iter().skip(at).take(MOST_WORDS).any(|(_, end)| {
                let part = text.get(*from..*end).unwrap_or_default();
                (is_any || is_side(part)) && is_other(part)
            })
        })
    }

    /// Returns the section that a comment names if it says nothing else: one of the format, or one
    /// of the usual ones.
    pub fn in_comment<'t>(&self, line: &'t str) -> Option<&'t str> {
        /// No section's name is longer; most comments are.
        const LONGEST: usize = 80;
        let text = line.trim_matches(|c: char| c.is_whitespace() || "#/!-=*_~".contains(c));
        if text.is_empty() || text.len() > LONGEST {
            return None;
        }
        let word = heading(text).word;
        (self.find(word).is_some() || is_common(word)).then_some(word)
    }

    /// The error of a line that is no section: it may be a card.
    #[cold]
    pub fn no_section(&self, word: &str) -> Wrong {
        /// No card's name is longer.
        const LONGEST: usize = 100;
        if let Some((digits, name)) = in_letters(word) {
            let mut wrong = Wrong::form(word, digits, name);
            let whole = example("1", word);
            wrong.help.push_str(&format!(" If it is a name, write {whole}."));
            return wrong;
        }
        if self.pool.is_some_and(|pool| pool.look_up(word, NameField::Name).card().is_some()) {
            return Wrong::form(word, "1", word);
        }
        let mut wrong = self.unknown_section(word);
        let is_near = wrong.help.starts_with("Did you mean");
        let may_be_card = match self.pool.filter(|pool| !pool.is_empty()) {
            Some(pool) => word.len() <= LONGEST && pool.near(word, NameField::Name).is_certain,
            None => word.len() <= LONGEST && word.starts_with(char::is_alphanumeric),
        };
        if may_be_card {
            let card = example("1", word);
            wrong.help.push_str(&format!(" A card line needs a count: {card}."));
        } else if !is_near {
            wrong.help.push_str(" If the line is neither a section nor a card, begin it with `#`.");
        }
        wrong
    }

    /// The error of a word in the place of a section's name: lists the sections.
    #[cold]
    pub fn unknown_section(&self, word: &str) -> Wrong {
        let message = format!("{} is not a section of this format.", quoted(word));
        let known = self.names.iter().map(|(name, _)| name.as_str());
        let near = nearest(&fold(word), known);
        let near = near.first().map(|near| format!("Did you mean {}? ", quoted(near)));
        let sections = match self.ids {
            [] => "The format has no sections.".to_owned(),
            [one] => format!("The only section is {}.", quoted(one)),
            ids => {
                let ids: Vec<String> = ids.iter().map(|id| quoted(id)).collect();
                format!("The sections are {}.", listed(&ids, "and"))
            }
        };
        Wrong::new(message, near.unwrap_or_default() + &sections)
    }
}
