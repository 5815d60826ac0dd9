//! Vanquishers (SPEC 4; the rules text's Building Your Deck and Select An Energy Class Card).

use super::{Fault, Judgement, Section, sort};
use crate::model::{Card, Deck, Pool};
use crate::query::Query;

fn is_hero(card: &Card) -> bool {
    card.is("type", "hero")
}

fn is_energy_class(card: &Card) -> bool {
    card.is("type", "energy-class")
}

fn is_unique(card: &Card) -> bool {
    card.is("unique", "true")
}

/// Smallest deck of a format: Q1, and Q2 in competitive play.
pub(crate) fn minimum(format: &str) -> u32 {
    if format.contains("competitive") {
        45
    } else {
        30
    }
}

/// Most cards in a deck, everywhere (Q1, Q2).
pub(crate) const MAXIMUM: u32 = 70;

pub(super) fn judge(deck: &Deck, pool: &Pool) -> Judgement {
    let mut found = Judgement::default();
    let advanced = deck.format.ends_with("advanced");
    let hero = sort(deck, "hero", pool, is_hero, &mut found);
    let energy = sort(deck, "energy", pool, is_energy_class, &mut found);
    // 4.6 (7): a Hero cannot be played from the deck.
    let main = sort(deck, "main", pool, |card| !is_hero(card), &mut found);

    // Q1, Q2; 4.6 (1): neither the Hero nor the starting Energy Class counts.
    found.range("size", main.size(), minimum(&deck.format), MAXIMUM);
    judge_copies(&main, &mut found);
    // Q7: exactly one Hero.
    found.range("hero", hero.size(), 1, 1);
    let only_hero = match (hero.cards.as_slice(), hero.size()) {
        ([(card, 1)], 1) => Some(*card),
        _ => None,
    };
    // Known and unknown Heroes side by side: whether there is "exactly one" is open.
    if !hero.unknown.is_empty() && !hero.cards.is_empty() {
        for rule in ["hero-restriction", "energy-class", "energy-off-type"] {
            found.unsettle(rule);
        }
    }
    if let Some(hero) = only_hero {
        judge_restriction(hero, &main, &mut found);
    }
    if advanced {
        judge_energy(only_hero, &energy, &main, &mut found);
    } else {
        judge_dead_cards(&main, &mut found);
    }
    found
}

/// Q5 before Q4 before Q3 (4.1, Precedence): a unique card once, other ammunition freely, four of
/// anything else. For an unknown card none of the three can be told.
fn judge_copies(main: &Section<'_>, found: &mut Judgement) {
    for (card, copies) in &main.cards {
        if is_unique(card) {
            if *copies > 1 {
                found.error("unique", Fault::Excess);
            }
        } else if card.is("type", "ammunition") {
            // Q4: any number.
        } else if *copies > 4 {
            found.error("copies", Fault::Excess);
        }
    }
}

/// Q6: the Hero can use every card of the deck.
fn judge_restriction(hero: &Card, main: &Section<'_>, found: &mut Judgement) {
    let allows = Query::new(hero.value("allows"));
    for (card, _) in &main.cards {
        if !allows.matches(card) {
            found.error("hero-restriction", Fault::Excess);
        }
    }
}

/// Q8, in the advanced formats.
fn judge_energy(
    hero: Option<&Card>,
    energy: &Section<'_>,
    main: &Section<'_>,
    found: &mut Judgement,
) {
    // Exactly one to start with …
    found.range("energy-class", energy.size(), 1, 1);
    if let Some(hero) = hero {
        // … of one of the Hero's types …
        let types = hero.list("energies");
        let off_type = |card: &Card| !types.contains(&card.value("energy"));
        if energy.cards.iter().any(|(card, _)| off_type(card)) {
            found.error("energy-class", Fault::Excess);
        }
        // … and 4.6 (5): those in the deck are advised to be.
        if main.count(|card| is_energy_class(card) && off_type(card)) > 0 {
            found.warn("energy-off-type");
        }
    }
    // 4.6 (2): one to start and four in the deck are five.
    let in_main = main.names();
    for (card, copies) in &energy.cards {
        if copies + in_main.get(&card.folded).unwrap_or(&0) > 4 {
            found.warn("energy-copies");
        }
    }
    for (name, copies) in &energy.unknown {
        if copies + in_main.get(name).unwrap_or(&0) > 4 {
            found.unsettle("energy-copies");
        }
    }
}

/// 4.5: Energy Class cards and Weapon Mods do nothing outside the advanced formats.
fn judge_dead_cards(main: &Section<'_>, found: &mut Judgement) {
    if main.count(|card| is_energy_class(card) || card.is("type", "mod")) > 0 {
        found.warn("dead-card");
    }
}
