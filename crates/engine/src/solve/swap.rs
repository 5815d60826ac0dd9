//! Swaps with the side deck before a game: the smallest exchange that brings cards in and
//! keeps the deck legal. What can be swapped is in the format file, where matches read it.

use super::wish::{Cap, JointCopies, WishKind};
use super::{Decklist, Repair, SolvedDeck, Taste, Wish, Wishes, repair};
use decklaw_cards::pool::{CardId, NameField};
use decklaw_rules::rules::{Holding, SectionSet};
use decklaw_text::text::{escape_control, listed};
use std::sync::Arc;

/// Which sections swap cards with the side deck between games, as a game's setup has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The side deck's section.
    pub side: String,
    /// The sections with which it swaps.
    pub sections: Vec<String>,
}

/// Cards that are to come in from the side deck, and cards that are to go out.
#[derive(Debug, Clone)]
pub struct Swap {
    /// Index of the side deck's section.
    side: u16,
    /// Indices of the sections with which it swaps.
    groups: Vec<u16>,
    wishes: Vec<Wish>,
    taste: Arc<Taste>,
}

impl Swap {
    /// Reads `in: "Card" 2; out: "Other"`: copies that come in at least, or go out at least,
    /// 1 without a number. `exchange` is that of the deck's format, if it has one.
    ///
    /// # Errors
    /// A game without a side deck to swap with, a card that is not there, more copies than
    /// there are, or something else than `in` and `out`; in words.
    pub fn parse(text: &str, deck: &Decklist, exchange: Option<&Exchange>) -> Result<Swap, String> {
        let (side, groups) = sections(deck, exchange)?;
        let mut swap = Swap { side, groups, wishes: Vec::new(), taste: Arc::default() };
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let wish = swap.part(part, deck)?;
            swap.wishes.push(wish);
        }
        if swap.wishes.is_empty() {
            Err("the wish is empty; write `in: \"Card\" 2`".to_owned())
        } else {
            Ok(swap)
        }
    }

    /// The same with a taste that chooses among exchanges of as few cards.
    pub fn with_taste(self, taste: Arc<Taste>) -> Swap {
        Swap { taste, ..self }
    }

    fn part(&self, part: &str, deck: &Decklist) -> Result<Wish, String> {
        let shown = escape_control(part, false);
        let Some((way, rest)) = part.split_once(':') else {
            return Err(format!("`{shown}` must begin with `in:` or `out:`"));
        };
        let (name, copies) = card(rest.trim())?;
        let Some(card) = deck.find(name) else {
            let held = |near: &&str| {
                let card = deck.find(near);
                deck.holdings().any(|held| Some(held.card) == card)
            };
            let near = deck.pool().near(name, NameField::Name).names.into_iter().filter(held);
            let near: Vec<String> = near.map(|near| format!("`{near}`")).collect();
            let meant = match near.as_slice() {
                [] => String::new(),
                near => format!("; did you mean {}?", listed(near, "or")),
            };
            let name = escape_control(name, false);
            return Err(format!("the deck has no card `{name}`{meant}"));
        };
        let held: i64 = self.groups.iter().map(|group| deck.copies(*group, card)).sum();
        let (there, place) = match way.trim() {
            "in" => (deck.copies(self.side, card), "the side deck"),
            "out" => (held, "what can be swapped"),
            _ => return Err(format!("`{shown}` must begin with `in:` or `out:`")),
        };
        if there < copies {
            return Err(format!(
                "{place} has {there} of `{}`, and {copies} cannot be swapped",
                deck.name(card)
            ));
        }
        let wanted = match way.trim() {
            "in" => (Some(held + copies), None),
            _ => (None, Some(held - copies)),
        };
        Ok(Wish::copies(card, self.groups.clone(), wanted, format!("swap {shown}")))
    }

    /// Finds the exchange of the fewest cards. The deck that is swapped into must be legal;
    /// rules about the side deck are not asked again, since they hold as decks are
    /// registered.
    pub fn solve(&self, deck: &Decklist, effort: u64) -> Repair {
        let mut staged = Decklist::empty(Arc::clone(deck.rulebook()));
        let mut there = vec![0; deck.pool().len()];
        for held in deck.holdings().filter(|held| deck.knows(held.card)) {
            let swapped = self.groups.contains(&held.section);
            if swapped {
                staged.set(held.section, held.card, held.copies);
            }
            if swapped || held.section == self.side {
                there[held.card.index()] += held.copies;
            }
        }
        let wishes = Wishes { effort, ..self.asked(there.clone()) };
        match repair(&staged, &wishes) {
            Repair::Found(found) => Repair::Found(Box::new(self.swapped(deck, &there, *found))),
            other => other,
        }
    }

    /// The demands beyond the rules, in the order in which a conflict counts them.
    pub fn wishes(&self, deck: &Decklist) -> Wishes {
        self.asked(vec![0; deck.pool().len()])
    }

    /// The same with these copies of each card there.
    fn asked(&self, there: Vec<i64>) -> Wishes {
        let fixed = [
            Wish::own(there, "main deck and side deck together"),
            Wish::within(self.groups.clone()),
        ];
        Wishes {
            must: fixed.into_iter().chain(self.wishes.iter().cloned()).collect(),
            taste: Some(Arc::clone(&self.taste)),
            ..Wishes::default()
        }
    }

    /// What is wrong with a deck after the exchange apart from its side deck, which was asked
    /// about as the deck was registered: each error with its rule.
    pub fn wrong_besides(&self, after: &Decklist) -> Vec<String> {
        let besides = after.holdings().filter(|held| held.section != self.side);
        super::broken(&after.holding(besides))
    }

    /// The whole deck after the exchange: what is not in goes to the side. Its distance counts
    /// both ends of each move.
    fn swapped(&self, deck: &Decklist, there: &[i64], found: SolvedDeck) -> SolvedDeck {
        let mut after = deck.clone();
        let mut one_place = true;
        for card in deck.pool().ids().filter(|card| there[card.index()] > 0) {
            let mut rest = there[card.index()];
            let mut places = 0;
            for group in &self.groups {
                let copies = found.deck.copies(*group, card);
                after.set(*group, card, copies);
                rest -= copies;
                places += i32::from(!deck.rulebook().refuses(&Holding {
                    card,
                    section: *group,
                    copies: 1,
                }));
            }
            one_place &= places <= 1;
            after.set(self.side, card, rest);
        }
        let changes = deck.changes_to(&after);
        let distance = changes.iter().map(|change| (change.to - change.from).abs()).sum();
        // A card with one place outside the side deck is moved to or from there: what changes
        // in the one changes in the other, and the nearest is twice as far.
        let floor = if one_place { found.floor.plus(found.bound()) } else { found.floor };
        SolvedDeck { deck: after, distance, floor, ..found }
    }
}

/// The side deck's section and those with which it swaps, by their indices in a deck.
pub(super) fn sections(
    deck: &Decklist,
    exchange: Option<&Exchange>,
) -> Result<(u16, Vec<u16>), String> {
    let Some(Exchange { side, sections }) = exchange else {
        let game = &deck.rulebook().format().game().file.name;
        return Err(format!("no rule of {game} lets a deck swap with a side deck"));
    };
    let groups: Vec<u16> = sections.iter().filter_map(|id| deck.section(id)).collect();
    match deck.section(side) {
        Some(side) if groups.len() == sections.len() => Ok((side, groups)),
        _ => Err(format!("this deck has no sections {}", listed(sections, "and"))),
    }
}

/// A card's name, in quotation marks or not, and a number behind it.
fn card(text: &str) -> Result<(&str, i64), String> {
    let shown = escape_control(text, false);
    // Phones write curly ones.
    const QUOTES: [char; 6] = ['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}'];
    let (name, rest) = match text.strip_prefix(QUOTES) {
        Some(quoted) => quoted
            .split_once(QUOTES)
            .ok_or_else(|| format!("the quotation mark of `{shown}` is never closed"))?,
        None => match text.rsplit_once(char::is_whitespace) {
            Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                (name, number)
            }
            _ => (text, ""),
        },
    };
    let copies = match rest.trim() {
        "" => Ok(1),
        number => number.parse::<u32>().map(i64::from),
    };
    match copies {
        Ok(copies) if copies > 0 && !name.trim().is_empty() => Ok((name.trim(), copies)),
        _ => Err(format!("`{shown}` must be a card and a number of copies")),
    }
}

impl Wish {
    /// Copies of a card in some sections together, from one number to another.
    fn copies(
        card: CardId,
        sections: Vec<u16>,
        (low, high): (Option<i64>, Option<i64>),
        text: String,
    ) -> Wish {
        let sections = sections.iter().map(|section| 1 << section);
        let together = JointCopies { card, sections: SectionSet(sections.sum()), low, high };
        Wish::new(text, WishKind::Together(vec![together]))
    }

    /// No card in any other section.
    fn within(sections: Vec<u16>) -> Wish {
        let text = "only what can be swapped changes".to_owned();
        Wish::new(text, WishKind::AtMost(Cap::Within(sections)))
    }
}
