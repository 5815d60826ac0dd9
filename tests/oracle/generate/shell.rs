//! Decks of the Shell game.

use super::{Generator, remove, shrink};
use crate::model::{Card, Deck, Pool};

fn is_spell(card: &Card) -> bool {
    card.is("type", "spell")
}

fn is_coloured(card: &Card, colour: &str) -> bool {
    is_spell(card) && card.is("colour", colour)
}

fn mana(card: &Card) -> u32 {
    card.number("mana").unwrap_or(0)
}

/// Σ mana of one colour in main.
fn total(deck: &Deck, pool: &Pool, colour: &str) -> u32 {
    let lines = deck.lines("main").iter();
    let cards = lines.filter_map(|line| Some((line.count, pool.named(&line.name)?)));
    let priced = cards.filter(|(_, card)| is_coloured(card, colour));
    priced.map(|(count, card)| count * mana(card)).sum()
}

fn side_limit(deck: &Deck, pool: &Pool) -> u32 {
    10 + total(deck, pool, "red") / 12
}

impl Generator<'_> {
    pub(super) fn legal_shell(&mut self) -> Deck {
        let mut deck = Deck::new(self.format);
        for colour in ["red", "green", "blue"] {
            let name = self.any_name(|card| card.is("type", "shell") && card.is("colour", colour));
            deck.add("shells", 1, &name);
        }
        // Red mana on both sides of a multiple of twelve, where the side limit changes.
        let red = *self.random.pick(&[0, 0, 5, 11, 12, 13, 23, 24, 25, 35, 36]);
        self.spend(&mut deck, "red", red);
        let green = 100 + total(&deck, self.pool, "red");
        self.spend(&mut deck, "green", green);
        if self.random.percent(30) {
            let odd = self.shuffled(|card| {
                let priced = is_coloured(card, "green") || is_coloured(card, "red");
                is_spell(card) && (mana(card) == 0 || !priced && mana(card) <= 6)
            });
            for name in odd.iter().take(self.random.below(4)) {
                deck.add("main", 1, name);
            }
        }
        if self.random.percent(60) {
            self.add_apart(&mut deck, "extra", 15, 1);
        }
        let limit = side_limit(&deck, self.pool);
        let different = match self.random.below(4) {
            0 => 0,
            1 => self.random.between(0, limit),
            _ => limit,
        };
        self.add_apart(&mut deck, "side", different, 6);
        if self.random.percent(50) {
            self.add_side_shell(&mut deck);
        }
        deck
    }

    /// Spells of one colour worth exactly so much mana, six for each card at most.
    fn spend(&mut self, deck: &mut Deck, colour: &str, mut points: u32) {
        let names =
            self.shuffled(|card| is_coloured(card, colour) && (1..=6).contains(&mana(card)));
        let cheap_last = |name: &String| mana(self.pool.named(name).unwrap()) == 1;
        let (cheap, dear): (Vec<_>, Vec<_>) = names.into_iter().partition(cheap_last);
        // Single mana is kept for the rest, unless it is a cheap deck.
        let order = if self.random.percent(30) {
            [cheap, dear]
        } else {
            [dear, cheap]
        };
        for name in order.concat() {
            let price = mana(self.pool.named(&name).unwrap());
            let most = (6 / price).min(points / price);
            if most == 0 || deck.lines("main").iter().any(|line| line.name == name) {
                continue;
            }
            let copies = if self.random.percent(70) {
                most
            } else {
                self.random.between(1, most)
            };
            deck.add("main", copies, &name);
            points -= copies * price;
        }
    }

    /// So many different spells that stand in no other section.
    fn add_apart(&mut self, deck: &mut Deck, section: &str, different: u32, points: u32) {
        let used: Vec<_> = ["main", "extra", "side"].map(|id| deck.copies(id)).into();
        let free = self.shuffled(|card| {
            let apart = used.iter().all(|names| !names.contains_key(&card.folded));
            is_spell(card) && apart && (points == 1 || mana(card) <= 6)
        });
        for name in free.iter().take(different as usize) {
            let price = mana(self.pool.named(name).unwrap()).max(1);
            let most = (points / price).max(1);
            let copies = self.random.between(1, most);
            deck.add(section, copies, name);
        }
    }

    fn add_side_shell(&mut self, deck: &mut Deck) {
        let present = deck.copies("shells");
        let name =
            self.any_name(|card| card.is("type", "shell") && !present.contains_key(&card.folded));
        deck.add("side", 1, &name);
    }

    pub(super) fn step_shell(&mut self, deck: &mut Deck) {
        let pool = self.pool;
        match self.random.below(16) {
            // Extra decks of 14, 15 and 16 cards, and of one.
            0 | 1 => {
                let size = *self.random.pick(&[1, 14, 15, 15, 16]);
                shrink(deck, "extra", size);
                let missing = size.saturating_sub(deck.size("extra"));
                self.add_apart(deck, "extra", missing, 1);
            }
            // Side decks at the limit and one over.
            2..5 => {
                let limit = side_limit(deck, pool) + self.random.between(0, 1);
                let spells =
                    |line: &&crate::model::Line| pool.named(&line.name).is_some_and(is_spell);
                let different = deck.lines("side").iter().filter(spells).count();
                let missing = limit.saturating_sub(u32::try_from(different).unwrap());
                self.add_apart(deck, "side", missing, 6);
            }
            // A step of red mana with the green that pays for it: another side limit.
            5 | 6 => {
                let red = self.random.between(1, 6);
                self.spend(deck, "red", red);
                let spent = total(deck, pool, "green");
                let points = (100 + total(deck, pool, "red")).saturating_sub(spent);
                self.spend(deck, "green", points);
            }
            // The budget off by one or a little.
            7 => self.off_by_little(deck),
            8 => self.copy_over(deck, "main", "extra"),
            9 => {
                let from = *self.random.pick(&["main", "extra", "shells"]);
                self.copy_over(deck, from, "side");
            }
            10 => self.add_side_shell(deck),
            11 => {
                let name = self.any_name(|card| card.is("type", "shell"));
                let section = *self.random.pick(&["shells", "side", "main", "extra"]);
                deck.add(section, 1, &name);
            }
            12 => {
                let name = self.any_name(|card| card.is("type", "token"));
                let section = *self.random.pick(&["shells", "side", "main", "extra"]);
                deck.add(section, 1, &name);
            }
            // Copies up to six mana, or over.
            13 => {
                let section = *self.random.pick(&["main", "side"]);
                if let Some(name) = self.a_name_of(deck, section) {
                    let price = pool.named(&name).map_or(1, mana).max(1);
                    let copies = 6 / price + self.random.between(0, 1);
                    remove(deck, section, &name);
                    deck.add(section, copies, &name);
                }
            }
            14 => {
                let name = self.any_name(|card| is_spell(card) && mana(card) > 6);
                let section = *self.random.pick(&["main", "side", "extra"]);
                deck.add(section, 1, &name);
            }
            _ => {
                let unpriced =
                    |card: &Card| is_spell(card) && (mana(card) == 0 || is_coloured(card, "blue"));
                let name = self.any_name(unpriced);
                let copies = self.random.between(1, 8);
                deck.add("main", copies, &name);
            }
        }
    }

    /// One copy of a green or red spell goes, or another comes.
    fn off_by_little(&mut self, deck: &mut Deck) {
        let colour = *self.random.pick(&["green", "green", "red"]);
        let cheap = |card: &Card| is_coloured(card, colour) && mana(card) == 1;
        let name = self.any_name(cheap);
        if deck.lines("main").iter().any(|line| line.name == name) {
            let copies = remove(deck, "main", &name);
            let copies = if self.random.percent(50) {
                copies - 1
            } else {
                copies + 1
            };
            deck.add("main", copies, &name);
        } else {
            deck.add("main", 1, &name);
        }
    }

    fn copy_over(&mut self, deck: &mut Deck, from: &str, to: &str) {
        if let Some(name) = self.a_name_of(deck, from) {
            self.change_count(deck, to, -1);
            deck.add(to, 1, &name);
        }
    }
}
