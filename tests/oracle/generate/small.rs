//! Decks of Vainqueur, Versus and VASTRIX.

use super::{Generator, remove, shrink};
use crate::judge::versus_table;
use crate::model::Deck;

impl Generator<'_> {
    pub(super) fn legal_vainqueur(&mut self) -> Deck {
        let mut deck = Deck::new(self.format);
        let house = self.house.clone();
        let low = house.min.unwrap_or(40);
        let high = house.max.unwrap_or(60);
        let size = *self.random.pick(&[low, low + 1, 50, 50, high - 1, high]);
        let most = house.copies.unwrap_or(4);
        let usable = self.shuffled(|card| !house.banned.contains(&card.folded));
        self.fill(&mut deck, &usable, size, most);
        deck
    }

    pub(super) fn step_vainqueur(&mut self, deck: &mut Deck) {
        let house = self.house.clone();
        match self.random.below(5) {
            0 => {
                let name = self.any_name(|card| house.banned.contains(&card.folded));
                deck.add("main", 1, &name);
            }
            1 => {
                let limit = house.copies.unwrap_or(3);
                self.set_copies(deck, limit);
            }
            2 => {
                let limit = house.copies.unwrap_or(3);
                self.set_copies(deck, limit + 1);
            }
            _ => {
                let (low, high) = (house.min.unwrap_or(50), house.max.unwrap_or(50));
                let size = *self
                    .random
                    .pick(&[low - 1, low, 49, 50, 51, high, high + 1]);
                let usable = self.shuffled(|_| true);
                self.fill(deck, &usable, size, 1);
                shrink(deck, "main", size);
            }
        }
    }

    /// Adds cards in the order given, one to `most` copies each, up to a size of main.
    fn fill(&mut self, deck: &mut Deck, names: &[String], size: u32, most: u32) {
        let present = deck.clone();
        for name in names {
            let missing = size.saturating_sub(deck.size("main"));
            if missing == 0 {
                return;
            }
            if present.lines("main").iter().all(|line| line.name != *name) {
                let copies = self.random.between(1, most).min(missing);
                deck.add("main", copies, name);
            }
        }
    }

    /// Gives some card of main a number of copies.
    pub(super) fn set_copies(&mut self, deck: &mut Deck, copies: u32) {
        if let Some(name) = self.a_name_of(deck, "main") {
            remove(deck, "main", &name);
            deck.add("main", copies, &name);
        }
    }

    pub(super) fn legal_versus(&mut self) -> Deck {
        let mut deck = Deck::new(self.format);
        let (_, [characters, items, traps]) = versus_table(self.format);
        // The table, or items and traps replaced by characters (VARIATIONS 2).
        let (fewer_items, fewer_traps) = match self.random.below(4) {
            0 => (self.random.between(0, items), self.random.between(0, traps)),
            _ => (0, 0),
        };
        let counts = [
            ("character", characters + fewer_items + fewer_traps),
            ("item", items - fewer_items),
            ("trap", traps - fewer_traps),
        ];
        for (kind, count) in counts {
            self.add_of_type(&mut deck, kind, count);
        }
        deck
    }

    fn add_of_type(&mut self, deck: &mut Deck, kind: &str, count: u32) {
        let names = self.shuffled(|card| card.is("type", kind));
        let mut missing = count;
        while missing > 0 {
            let copies = self.random.between(1, 3).min(missing);
            let name: &String = self.random.pick(&names);
            deck.add("main", copies, name);
            missing -= copies;
        }
    }

    pub(super) fn step_versus(&mut self, deck: &mut Deck) {
        let kind = *self.random.pick(&["character", "item", "trap"]);
        match self.random.below(4) {
            0 => self.add_of_type(deck, kind, 1),
            1 => self.change_count(deck, "main", -1),
            // One card of another type: composition off by one.
            2 => {
                self.change_count(deck, "main", -1);
                self.add_of_type(deck, kind, 1);
            }
            // The size of another mode.
            _ => {
                let size = *self.random.pick(&[20, 30, 40, 60, 80]);
                shrink(deck, "main", size);
                let missing = size.saturating_sub(deck.size("main"));
                self.add_of_type(deck, kind, missing);
            }
        }
    }

    pub(super) fn legal_vastrix(&mut self) -> Deck {
        let mut deck = Deck::new(self.format);
        for name in self.shuffled(|_| true) {
            let name = self.vastrix_spelling(&name);
            deck.add("main", 1, &name);
        }
        deck
    }

    /// The name or one of its aliases: `10♣`, `10C`, `TC`; `RJ`, `Red Joker`.
    fn vastrix_spelling(&mut self, name: &str) -> String {
        if self.random.percent(70) {
            return name.to_owned();
        }
        match name {
            "RJ" => return "Red Joker".to_owned(),
            "BJ" => return "Black Joker".to_owned(),
            _ => {}
        }
        let mut alias = name.to_owned();
        for (suit, letter) in [("♠", "S"), ("♥", "H"), ("♦", "D"), ("♣", "C")] {
            alias = alias.replace(suit, letter);
        }
        if self.random.percent(50) {
            alias = alias.replace("10", "T");
        }
        alias
    }

    pub(super) fn step_vastrix(&mut self, deck: &mut Deck) {
        let name = self.any_name(|_| true);
        let name = self.vastrix_spelling(&name);
        match self.random.below(4) {
            0 | 1 => self.change_count(deck, "main", -1),
            2 => deck.add("main", 1, &name),
            // Twice, so that adding cards cannot mend it.
            _ => {
                self.change_count(deck, "main", -1);
                deck.add("main", 1, &name);
            }
        }
    }
}
