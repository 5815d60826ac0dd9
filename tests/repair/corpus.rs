//! Illegal decks of games as people know them: a repair is found in every case, and what is proven
//! of it has a proof.

use super::known::{GAMES, edited, legal, rulebook};
use super::support::Random;
use crate::oracle::checker::{by_veripb, checked};
use decklaw::solve::{Repair, Wishes, certify, repair};

#[test]
fn decks_of_known_games_are_repaired_with_proof() {
    let folder = tempfile::tempdir().unwrap();
    let accepted = |what: &str, certificates: Vec<decklaw::solve::Certificate>| {
        for one in certificates {
            let says = checked(&one.instance, &one.proof);
            assert!(says.is_ok(), "{what}: {says:?} {}", one.claim);
            let by_veripb = by_veripb(folder.path(), &one.instance, &one.proof);
            assert_ne!(by_veripb, Some(false), "{what}: VeriPB, {}", one.claim);
        }
    };
    let mut fixes = 0;
    for game in GAMES {
        let mut random = Random::new(game.len() as u64);
        for seed in 0..1 {
            // Two decks of one clan need more.
            let cards = if game == "clans" { 200 } else { 110 };
            let rulebook = rulebook(game, cards, &mut random);
            let whole = legal(&rulebook, seed);
            assert!(whole.is_legal(), "{game} {seed}");
            for edits in [1, 4, 8] {
                let what = format!("{game} {seed} {edits}");
                let deck = edited(&whole, edits, &mut random);
                let wishes = Wishes::default();
                let repaired = repair(&deck, &wishes);
                let Repair::Found(found) = &repaired else {
                    panic!("{what}: {repaired:?}");
                };
                assert!(found.deck.is_legal() && found.optimal(), "{what}");
                fixes += usize::from(found.distance > 0);
                match certify(&deck, &wishes, &repaired) {
                    Ok(certificates) => accepted(&what, certificates),
                    Err(why) => panic!("{what}: {why}"),
                }
            }
        }
    }
    assert!(fixes > 15, "{fixes}");
}
