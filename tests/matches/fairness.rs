//! The frozen shuffle is fair: statistics of fixed seeds, both tails.

use super::games::of_format;
use decklaw::matches::{Line, Match, MatchDeck, Randomness, RegisteredDeck, Seed, Stream, shuffle};
use std::collections::BTreeMap;

const CARDS: usize = 20;
const DEALS: usize = 20_000;

fn deals() -> Vec<Vec<usize>> {
    let seed = Seed::from_text("fairness");
    let deal = |k: usize| {
        let mut pile: Vec<usize> = (0..CARDS).collect();
        shuffle(&mut pile, &mut Stream::new(&seed, &format!("main/{k}")));
        pile
    };
    (0..DEALS).map(deal).collect()
}

/// Whether χ² is within what chance does, in either direction: about four standard
/// deviations of the normal that χ² with these degrees of freedom is close to.
fn assert_by_chance(chi: f64, freedom: f64) {
    let deviations = ((2.0 * chi).sqrt() - (2.0 * freedom - 1.0).sqrt()).abs();
    assert!(
        deviations < 4.0,
        "χ² = {chi} with {freedom} degrees of freedom: {deviations} off"
    );
}

fn chi_square(observed: &[usize], expected: f64) -> f64 {
    observed
        .iter()
        .map(|count| (*count as f64 - expected).powi(2) / expected)
        .sum()
}

#[test]
fn every_card_is_as_likely_at_every_position() {
    let mut observed = vec![0; CARDS * CARDS];
    for pile in deals() {
        pile.iter()
            .enumerate()
            .for_each(|(at, card)| observed[at * CARDS + card] += 1);
    }
    // Rows and columns add up to the number of deals, which scales the statistic.
    let n = CARDS as f64;
    let chi = chi_square(&observed, DEALS as f64 / n) * (n - 1.0) / n;
    assert_by_chance(chi, (n - 1.0).powi(2));
}

#[test]
fn every_pair_of_top_cards_is_as_likely() {
    let mut observed = vec![0; CARDS * CARDS];
    deals()
        .iter()
        .for_each(|pile| observed[pile[0] * CARDS + pile[1]] += 1);
    let pairs: Vec<usize> = (0..CARDS * CARDS)
        .filter(|at| at / CARDS != at % CARDS)
        .map(|at| observed[at])
        .collect();
    assert_by_chance(
        chi_square(&pairs, DEALS as f64 / pairs.len() as f64),
        pairs.len() as f64 - 1.0,
    );
}

#[test]
fn neighbours_do_not_stay_together() {
    let rising = |pile: &Vec<usize>| {
        pile.windows(2)
            .filter(|pair| pair[1] == pair[0] + 1)
            .count()
    };
    let total: usize = deals().iter().map(rising).sum();
    // Each of n − 1 pairs stays with probability 1/n; nearly independent of each other.
    let n = CARDS as f64;
    let (mean, deals) = ((n - 1.0) / n, DEALS as f64);
    let deviations = (total as f64 - deals * mean) / (deals * mean).sqrt();
    assert!(
        deviations.abs() < 4.0,
        "{deviations} standard deviations off"
    );
}

/// Every numbering of a deck's cards comes as often as any other, so that some ids with their
/// names reveal nothing of the rest.
#[test]
fn every_numbering_is_as_likely_as_any_other() {
    let mut mode = of_format("any");
    let line = |name: &str| {
        let (count, name) = (1, name.to_owned());
        let records = BTreeMap::new();
        (
            "main",
            Line {
                count,
                name,
                records,
            },
        )
    };
    let lines = ["Ash", "Birch", "Cedar", "Dogwood"].map(line);
    let deck = MatchDeck::register("any", "", lines);
    mode.wanted.decks = vec![RegisteredDeck::unjudged(deck); mode.wanted.decks.len()];
    mode.wanted.settings.insert("opening_hand".to_owned(), 1);
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for number in 0..2400 {
        let chance = Randomness::from_text(&format!("numbering {number}"));
        let made = Match::start(&mode.game(), mode.wanted.clone(), chance, vec![], None).unwrap();
        let cards = made.table.instances.iter().take(4);
        let ids: Vec<&str> = cards.map(|card| card.id.as_str()).collect();
        *found.entry(ids.join(" ")).or_default() += 1;
    }
    // 100 of each of the 24 are expected, with a standard deviation just below 10.
    assert_eq!(found.len(), 24);
    assert!(
        found.values().all(|times| (60..=140).contains(times)),
        "{found:?}"
    );
}
