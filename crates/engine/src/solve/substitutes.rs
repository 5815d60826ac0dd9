//! Substitutes for cards of the banlist.

use super::taste::Taste;
use decklaw_cards::pool::CardId;
use decklaw_judge::resolve::{Change, Decklist};
use decklaw_rules::rules::Holding;
use decklaw_text::text::counted;
use serde::Serialize;
use std::fmt;

/// Cards that may stand in for a card of the banlist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Substitute {
    /// The section's id.
    pub section: String,
    /// The card that goes.
    pub card: String,
    /// Its copies.
    pub copies: i64,
    /// What may come in its place, the most similar first.
    pub instead: Vec<Instead>,
}

/// A card that may stand in for another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Instead {
    /// The card.
    pub card: String,
    /// Fields in which it differs.
    pub differs: Vec<String>,
}

impl fmt::Display for Substitute {
    /// `instead of 2 copies of Moss Sprite: Fern Sprite (mana); Reed Sprite`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "instead of {} of {}: ", counted(self.copies, "copy"), self.card)?;
        for (at, instead) in self.instead.iter().enumerate() {
            out.write_str(if at > 0 { "; " } else { "" })?;
            out.write_str(&instead.card)?;
            if !instead.differs.is_empty() {
                write!(out, " ({})", instead.differs.join(", "))?;
            }
        }
        Ok(())
    }
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
                let differs = taste.differences(pool, gone.card, card);
                instead.push(Instead { card: before.name(card).to_owned(), differs });
            }
            if instead.len() == SHOWN {
                break;
            }
        }
        found.push(Substitute {
            section: before.sections()[usize::from(gone.section)].clone(),
            card: before.name(gone.card).to_owned(),
            copies,
            instead,
        });
    }
    found
}
