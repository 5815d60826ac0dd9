//! Decks of the four Vanquishers formats.

use super::{Generator, remove, shrink};
use crate::judge::{MAXIMUM, minimum};
use crate::model::{Card, Deck, Pool};
use crate::query::Query;

impl Generator<'_> {
    fn advanced(&self) -> bool {
        self.format.ends_with("advanced")
    }

    pub(super) fn legal_vanquishers(&mut self) -> Deck {
        let mut deck = Deck::new(self.format);
        let hero = self.any_name(|card| card.is("type", "hero"));
        deck.add("hero", 1, &hero);
        let hero = self.pool.named(&hero).unwrap().clone();
        if self.advanced() || self.random.percent(20) {
            let class = self.any_name(|card| matches_energy(&hero, card));
            deck.add("energy", 1, &class);
        }
        let minimum = minimum(self.format);
        let sizes = [minimum, minimum, minimum + 1, 50, MAXIMUM - 1, MAXIMUM];
        let size = *self.random.pick(&sizes);
        self.fill_main(&mut deck, &hero, size);
        deck
    }

    /// Cards that the Hero can use, within the copy limits, up to a size of main.
    fn fill_main(&mut self, deck: &mut Deck, hero: &Card, size: u32) {
        let advanced = self.advanced();
        let allows = Query::new(hero.value("allows"));
        let strays = self.random.percent(30);
        let names = self.shuffled(|card| {
            let class = card.is("type", "energy-class");
            let dead = !advanced && (class || card.is("type", "mod"));
            usable(&allows, card) && (strays || !dead && (!class || matches_energy(hero, card)))
        });
        let present = deck.clone();
        for name in names {
            let missing = size.saturating_sub(deck.size("main"));
            if missing == 0 {
                return;
            }
            if present.lines("main").iter().any(|line| line.name == name) {
                continue;
            }
            let most = match limit(self.pool, &name) {
                Some(limit) => limit,
                None if self.random.percent(20) => 12,
                None => 5,
            };
            let copies = self.random.between(1, most).min(missing);
            deck.add("main", copies, &name);
        }
    }

    pub(super) fn step_vanquishers(&mut self, deck: &mut Deck) {
        let hero = deck.lines("hero").first();
        let hero = hero.and_then(|line| self.pool.named(&line.name));
        let hero = hero.cloned();
        match self.random.below(13) {
            0..3 => self.change_size(deck, hero.as_ref()),
            3 => self.at_the_limit(deck, 0),
            4 => self.at_the_limit(deck, 1),
            5 => self.change_heroes(deck),
            // The same cards under another Hero.
            6 => {
                deck.lines_mut("hero").clear();
                let name = self.any_name(|card| card.is("type", "hero"));
                deck.add("hero", 1, &name);
            }
            7 => self.change_energy(deck, hero.as_ref()),
            8 => {
                let kind = *self.random.pick(&["energy-class", "mod", "ammunition"]);
                let name = self.any_name(|card| card.is("type", kind));
                let copies = self.random.between(1, 5);
                deck.add("main", copies, &name);
            }
            // A card that the Hero cannot use.
            9 => {
                let allows = hero.as_ref().map_or("", |hero| hero.value("allows"));
                let allows = Query::new(allows);
                let unusable = |card: &Card| !card.is("type", "hero") && !usable(&allows, card);
                let name = self.any_name(unusable);
                deck.add("main", 1, &name);
            }
            // One to start, and three to five in the deck.
            10 | 11 => {
                if let Some(name) = self.a_name_of(deck, "energy") {
                    let copies = self.random.between(3, 5);
                    remove(deck, "main", &name);
                    deck.add("main", copies, &name);
                }
            }
            _ => {
                let name = self.any_name(|card| card.is("type", "hero"));
                deck.add("main", 1, &name);
            }
        }
    }

    /// A size on or beside a limit.
    fn change_size(&mut self, deck: &mut Deck, hero: Option<&Card>) {
        let minimum = minimum(self.format);
        let sizes = [minimum - 1, minimum, 30, 44, 45, MAXIMUM, MAXIMUM + 1];
        let size = *self.random.pick(&sizes);
        shrink(deck, "main", size);
        if let Some(hero) = hero {
            self.fill_main(deck, hero, size);
        }
    }

    /// A card of the deck gets as many copies as it may have, or some over.
    fn at_the_limit(&mut self, deck: &mut Deck, over: u32) {
        let pool = self.pool;
        let unique = self.random.percent(50);
        let lines = deck.lines("main").iter();
        let names: Vec<String> = lines
            .map(|line| line.name.clone())
            .filter(|name| !unique || limit(pool, name) == Some(1))
            .collect();
        if names.is_empty() {
            return;
        }
        let name = self.random.pick(&names).clone();
        let copies = limit(self.pool, &name).unwrap_or(7) + over;
        remove(deck, "main", &name);
        deck.add("main", copies, &name);
    }

    fn change_heroes(&mut self, deck: &mut Deck) {
        match self.random.below(3) {
            0 => deck.lines_mut("hero").clear(),
            1 => self.change_count(deck, "hero", 1),
            _ => {
                let name = self.any_name(|card| card.is("type", "hero"));
                deck.add("hero", 1, &name);
            }
        }
    }

    fn change_energy(&mut self, deck: &mut Deck, hero: Option<&Card>) {
        if self.random.percent(60) {
            deck.lines_mut("energy").clear();
        }
        if self.random.percent(70) {
            let on_type = self.random.percent(40);
            let name = self.any_name(|card| {
                let class = card.is("type", "energy-class");
                class && hero.is_none_or(|hero| matches_energy(hero, card) == on_type)
            });
            deck.add("energy", 1, &name);
        }
    }
}

fn usable(allows: &Query, card: &Card) -> bool {
    !card.is("type", "hero") && allows.matches(card)
}

fn matches_energy(hero: &Card, card: &Card) -> bool {
    card.is("type", "energy-class") && hero.list("energies").contains(&card.value("energy"))
}

/// Most copies of a card in main; nothing where there is no limit.
fn limit(pool: &Pool, name: &str) -> Option<u32> {
    let card = pool.named(name)?;
    if card.is("unique", "true") {
        Some(1)
    } else if card.is("type", "ammunition") {
        None
    } else {
        Some(4)
    }
}
