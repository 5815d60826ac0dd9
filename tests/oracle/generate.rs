//! Random decks near the limits: a deck that keeps every rule, then none to six steps away from it.

pub(crate) mod pools;
mod shell;
mod small;
mod vanquishers;

use crate::judge::House;
use crate::model::{Deck, Pool};
use crate::random::Random;

/// Every constructed format of INTERFACE.
pub(crate) const FORMATS: [&str; 13] = [
    "shell",
    "vainqueur",
    "versus/fast",
    "versus/normal",
    "versus/vs",
    "versus/fast-shared",
    "versus/normal-shared",
    "versus/vs-shared",
    "vanquishers",
    "vanquishers/competitive",
    "vanquishers/advanced",
    "vanquishers/competitive-advanced",
    "vastrix",
];

/// The part of a format's id before the slash.
pub(crate) fn game(format: &str) -> &str {
    format.split('/').next().unwrap()
}

/// Sections of a game, by INTERFACE.
pub(crate) fn sections(game: &str) -> &'static [&'static str] {
    match game {
        "shell" => &["shells", "main", "extra", "side"],
        "vanquishers" => &["hero", "energy", "main"],
        _ => &["main"],
    }
}

/// Writes decks of one format from one pool.
pub(crate) struct Generator<'a> {
    pub(crate) format: &'a str,
    pub(crate) pool: &'a Pool,
    pub(crate) house: &'a House,
    pub(crate) random: &'a mut Random,
}

impl Generator<'_> {
    /// A deck near the limits: six in ten are legal or one step from it.
    pub(crate) fn deck(&mut self) -> Deck {
        let mut deck = self.legal();
        let steps = match self.random.below(10) {
            0..3 => 0,
            3..6 => 1,
            6..8 => 2,
            _ => 3 + self.random.below(4),
        };
        for _ in 0..steps {
            self.step(&mut deck);
        }
        deck
    }

    /// A deck that keeps every rule, as far as the pool has the cards for it.
    pub(crate) fn legal(&mut self) -> Deck {
        match game(self.format) {
            "shell" => self.legal_shell(),
            "vainqueur" => self.legal_vainqueur(),
            "versus" => self.legal_versus(),
            "vanquishers" => self.legal_vanquishers(),
            _ => self.legal_vastrix(),
        }
    }

    fn step(&mut self, deck: &mut Deck) {
        if self.random.percent(40) {
            self.general_step(deck);
            return;
        }
        match game(self.format) {
            "shell" => self.step_shell(deck),
            "vainqueur" => self.step_vainqueur(deck),
            "versus" => self.step_versus(deck),
            "vanquishers" => self.step_vanquishers(deck),
            _ => self.step_vastrix(deck),
        }
    }

    /// A change that any game knows.
    fn general_step(&mut self, deck: &mut Deck) {
        let section = *self.random.pick(sections(game(self.format)));
        let other = *self.random.pick(sections(game(self.format)));
        match self.random.below(10) {
            0 | 1 => self.change_count(deck, section, 1),
            2 | 3 => self.change_count(deck, section, -1),
            4 => {
                let name = self.any_name(|_| true);
                let count = self.random.between(1, 2);
                deck.add(section, count, &name);
            }
            5 => {
                // The same card in another section too.
                if let Some(name) = self.a_name_of(deck, section) {
                    deck.add(other, 1, &name);
                }
            }
            6 => {
                // A card goes to another section.
                if let Some(name) = self.a_name_of(deck, section) {
                    let copies = remove(deck, section, &name);
                    deck.add(other, copies, &name);
                }
            }
            7 => {
                // A card outside the pool, one time in three instead of another.
                let name = format!("Stranger {}", self.random.below(3));
                if self.random.percent(33) {
                    self.change_count(deck, section, -1);
                }
                let count = self.random.between(1, 5);
                deck.add(section, count, &name);
            }
            8 => {
                if let Some(name) = self.a_name_of(deck, section) {
                    remove(deck, section, &name);
                }
            }
            _ => {
                // Another card of the pool instead.
                if let Some(name) = self.a_name_of(deck, section) {
                    let copies = remove(deck, section, &name);
                    let name = self.any_name(|_| true);
                    deck.add(section, copies, &name);
                }
            }
        }
    }

    /// One copy more or fewer of some card of a section.
    fn change_count(&mut self, deck: &mut Deck, section: &str, by: i32) {
        let lines = deck.lines_mut(section);
        if lines.is_empty() {
            return;
        }
        let at = self.random.below(lines.len());
        lines[at].count = lines[at].count.saturating_add_signed(by);
        lines.retain(|line| line.count > 0);
    }

    fn a_name_of(&mut self, deck: &Deck, section: &str) -> Option<String> {
        let lines = deck.lines(section);
        (!lines.is_empty()).then(|| self.random.pick(lines).name.clone())
    }

    /// A card of the pool that answers to a description; any card where none does.
    fn any_name(&mut self, wanted: impl Fn(&crate::model::Card) -> bool) -> String {
        let mut names = self.pool.names(wanted);
        if names.is_empty() {
            names = self.pool.names(|_| true);
        }
        self.random.pick(&names).clone()
    }

    /// Names that answer to a description, in random order.
    fn shuffled(&mut self, wanted: impl Fn(&crate::model::Card) -> bool) -> Vec<String> {
        let mut names = self.pool.names(wanted);
        self.random.shuffle(&mut names);
        names
    }
}

/// Takes a card out of a section; how many copies there were.
fn remove(deck: &mut Deck, section: &str, name: &str) -> u32 {
    let lines = deck.lines_mut(section);
    let found = lines.iter().position(|line| line.name == name);
    found.map_or(0, |at| lines.remove(at).count)
}

/// Takes single copies out of a section until it has no more than so many cards.
fn shrink(deck: &mut Deck, section: &str, size: u32) {
    while deck.size(section) > size {
        let lines = deck.lines_mut(section);
        let last = lines.len() - 1;
        lines[last].count -= 1;
        if lines[last].count == 0 {
            lines.pop();
        }
    }
}
