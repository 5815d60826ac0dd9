//! Cards that the pool does not know, as reports say them.

#![allow(clippy::unwrap_used)]

use crate::Judge;
use decklaw_decks::Input;
use decklaw_rules::rules::Fault;

#[test]
fn names_beyond_those_that_are_looked_for_are_told_so() {
    let letters = || 'a'..='k';
    let pairs = letters().flat_map(|first| letters().map(move |second| (first, second)));
    let names = pairs.map(|(first, second)| format!("1 Moss Sp{first}{second}te\n"));
    let names: String = names.take(103).collect();
    let deck = format!("Format: shell\n\nMain\n1 Moss Sprite\n{names}");
    let judge = Judge::built_in("2026-06-01".parse().unwrap());
    let report = judge.judge("deck", deck.as_bytes(), Input::Text).unwrap();
    let unknown = report.findings.iter();
    let unknown = unknown.filter(|finding| finding.code.fault == Fault::NotInPool);
    let helps: Vec<&str> = unknown.map(|found| found.help.as_deref().unwrap()).collect();
    assert_eq!(helps.len(), 103);
    let (near, far) = helps.split_at(100);
    assert!(near.iter().all(|help| help.contains("`Moss Sprite`")));
    let only = "near names are looked for of 100 cards only";
    assert!(far.iter().all(|help| help.contains(only)), "{far:?}");
}
