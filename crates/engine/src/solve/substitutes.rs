//! Substitutes for cards of the banlist.

use super::taste::Taste;
use decklaw_cards::pool::CardId;
use decklaw_judge::resolve::{Change, Decklist};
use decklaw_rules::rules::Holding;

/// The substitutes for copies of a card that the banlist takes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substitute {
    /// Index of the section.
    pub section: u16,
    /// The card that goes.
    pub card: CardId,
    /// How many copies of it go.
    pub copies: i64,
    /// The cards that may come instead, the most similar first, and the fields in which each
    /// differs.
    pub instead: Vec<(CardId, Vec<String>)>,
}

/// For each card of the banlist that a repair takes out, the most similar cards that may come
/// instead and leave the deck legal; none if the game does not say which cards are similar.
pub fn substitutes(before: &Decklist, after: &Decklist, taste: &Taste) -> Vec<Substitute> {
    /// The most substitutes of a card that are shown, and that are tried.
    const SHOWN: usize = 3;
    const TRIED: usize = 200;
    let list = before.rulebook().list();
    let Some(list) = list.filter(|_| !taste.like.is_empty()) else {
        return Vec::new();
    };
    let pool = before.pool();
    let names = list.entries.iter().filter(|entry| !entry.query);
    let listed: std::collections::BTreeSet<CardId> =
        names.flat_map(|entry| pool.look_up(&entry.name, list.names()).cards().to_vec()).collect();
    let changes = before.changes_to(after);
    let is_out = |change: &&Change| change.to < change.from && listed.contains(&change.card);
    let mut found = Vec::new();
    for gone in changes.iter().filter(is_out) {
        let copies = gone.from - gone.to;
        // The repair without what came into that place.
        let mut base = after.clone();
        let mut left = copies;
        for came in &changes {
            if came.section == gone.section && came.to > came.from {
                let taken = left.min(came.to - came.from);
                base.add(came.section, came.card, -taken);
                left -= taken;
            }
        }
        let mut similar: Vec<(i64, CardId)> = pool
            .ids()
            .filter(|card| *card != gone.card && !listed.contains(card))
            .filter(|card| {
                !before.rulebook().refuses(&Holding {
                    card: *card,
                    section: gone.section,
                    copies: 1,
                })
            })
            .map(|card| (taste.unlike(pool, gone.card, card), card))
            .collect();
        similar.sort_unstable();
        let mut instead = Vec::new();
        for (_, card) in similar.into_iter().take(TRIED) {
            let mut tried = base.clone();
            tried.add(gone.section, card, copies);
            if tried.is_legal() {
                instead.push((card, taste.differences(pool, gone.card, card)));
            }
            if instead.len() == SHOWN {
                break;
            }
        }
        found.push(Substitute { section: gone.section, card: gone.card, copies, instead });
    }
    found
}
