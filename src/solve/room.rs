//! Room: how many more copies of a card a section of a deck has place for.

use super::Decklist;
use crate::deck::MOST_COPIES;
use crate::format::Rulebook;
use crate::pool::{CardId, CardSet};
use crate::rules::{Contents, Failing, Holding, Judgement, Severity};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How many more copies of a card may be added to a section, and what limits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Index of the section.
    pub section: u16,
    /// The card.
    pub card: CardId,
    /// Further copies; `None`: no rule limits them.
    pub more: Option<i64>,
    /// The rule that the next copy would break, an index into the rulebook's rules; `None`
    /// where nothing limits.
    pub rule: Option<usize>,
}

/// Asks for room in one deck. A copy has room when no error that adding cards could not mend
/// comes of it: points not yet spent are no obstacle, points spent twice are.
#[derive(Debug)]
pub struct Rooms<'d> {
    deck: &'d Decklist,
    rulebook: &'d Rulebook,
    /// The rules whose breach is an error; unknown cards are not looked up again.
    asked: Vec<usize>,
    held: Vec<Holding>,
    strangers: Contents<'d>,
    /// The errors as they stand, and how far each is over.
    before: FxHashMap<Excess, i64>,
}

/// What an error is about: the rule, the cards, the section.
type Excess = (usize, Vec<CardId>, Option<usize>);

impl<'d> Rooms<'d> {
    /// Looks at a deck as it stands.
    pub fn of(deck: &'d Decklist) -> Rooms<'d> {
        let rulebook: &Rulebook = deck.rulebook();
        let asked: Vec<usize> = (0..rulebook.rules().len())
            .filter(|rule| {
                let rule = &rulebook.rules()[*rule];
                rule.severity == Severity::Error && rule.kind != crate::rules::unknown::ID
            })
            .collect();
        let strangers = deck.contents();
        let mut rooms = Rooms {
            deck,
            rulebook,
            asked,
            held: deck.holdings().collect(),
            strangers,
            before: FxHashMap::default(),
        };
        for found in rooms.excesses(None) {
            let over = over(&found);
            let worst = rooms.before.entry(excess(found)).or_insert(over);
            *worst = over.max(*worst);
        }
        rooms
    }

    /// The room of a card that the pool knows in a section.
    pub fn room(&self, section: u16, card: CardId) -> Room {
        let most = i64::from(MOST_COPIES) - self.deck.copies(section, card);
        let (mut fits, mut step) = (0, 1);
        // Doubles until it is too much, then halves.
        let mut breach = loop {
            let tried = (fits + step).min(most);
            match self.breach(section, card, tried) {
                Some(breach) => break (tried, breach),
                None if tried == most || step > 4096 => {
                    return Room {
                        section,
                        card,
                        more: None,
                        rule: None,
                    };
                }
                None => (fits, step) = (tried, step * 2),
            }
        };
        while breach.0 - fits > 1 {
            let middle = fits + (breach.0 - fits) / 2;
            match self.breach(section, card, middle) {
                Some(nearer) => breach = (middle, nearer),
                None => fits = middle,
            }
        }
        Room {
            section,
            card,
            more: Some(fits),
            rule: Some(breach.1.rule),
        }
    }

    /// What would be wrong with one copy more than there is room for, a sentence.
    pub fn why(&self, room: &Room) -> Option<String> {
        let breach = self.breach(room.section, room.card, room.more? + 1)?;
        Some(breach.violation.message)
    }

    /// The room of some cards in every section that takes them, by section and folded name.
    /// Cards that a section never takes are left out.
    pub fn all(&self, cards: &CardSet) -> Vec<Room> {
        let mut rooms = Vec::new();
        let sections = u16::try_from(self.deck.sections().len()).unwrap_or(u16::MAX);
        let held: BTreeSet<CardId> = self.held.iter().map(|holding| holding.card).collect();
        let alike = super::alike_cards(self.rulebook);
        for section in 0..sections {
            // Cards that no rule tells apart have the same room where the deck has none.
            let mut known: Vec<Option<Room>> = vec![None; self.deck.pool().len()];
            for card in cards.iter() {
                if self.rulebook.refuses(&Holding {
                    card,
                    section,
                    copies: 1,
                }) {
                    continue;
                }
                if held.contains(&card) {
                    rooms.push(self.room(section, card));
                    continue;
                }
                let class = alike[card.index()] as usize;
                let room = known[class].get_or_insert_with(|| self.room(section, card));
                rooms.push(Room { card, ..*room });
            }
        }
        rooms
    }

    /// What some more copies of a card would break that is not broken yet, or break more.
    fn breach(&self, section: u16, card: CardId, more: i64) -> Option<Judgement> {
        let after = self.excesses(Some(Holding {
            card,
            section,
            copies: more,
        }));
        after
            .into_iter()
            .find(|found| found.violation.cards.contains(&card) || !self.stood(found))
    }

    /// Whether an error stood before, and no smaller.
    fn stood(&self, found: &Judgement) -> bool {
        let known = self.before.get(&excess(found.clone()));
        known.is_some_and(|worst| *worst >= over(found))
    }

    /// The errors, with some more copies, that adding cards could not mend.
    fn excesses(&self, more: Option<Holding>) -> Vec<Judgement> {
        let mut held = self.held.clone();
        held.extend(more);
        let contents = self.strangers.holding(held);
        let mut found = self
            .rulebook
            .judge_by(&contents, |rule| self.asked.contains(&rule));
        found.retain(|judgement| judgement.violation.failing == Failing::Excess);
        found
    }
}

fn excess(found: Judgement) -> Excess {
    let violation = found.violation;
    (found.rule, violation.cards, violation.section)
}

/// How far an error is over its limit.
fn over(found: &Judgement) -> i64 {
    let numbers = found.violation.actual.zip(found.violation.limit);
    numbers.map_or(0, |(actual, limit)| actual.saturating_sub(limit).abs())
}
