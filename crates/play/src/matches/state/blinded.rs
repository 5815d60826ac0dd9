//! Ids of cards while a game is played.
//!
//! A player who saw a card face up knows its id. Were it to keep that id in a hand or a pile, one
//! could know later which of several alike came back from there, what nobody could with cards
//! of paper. So the ids of a hidden zone are dealt anew among its cards whenever a card comes
//! to lie there, or the zone is shuffled: an id says only that a card was in that zone.

use super::State;
use crate::matches::log::moves::{Move, SeatMove};
use crate::matches::random::{Seed, Stream, shuffle};
use crate::matches::table::{Card, Visibility, ZoneId};
use std::collections::BTreeMap;

impl State {
    /// Deals the ids of every hidden zone anew: what the setup showed is forgotten.
    pub(in crate::matches) fn blind_all(&mut self, seed: &Seed) {
        for place in self.table.all_places() {
            self.blind(seed, place);
        }
    }

    /// The same for the zone in which a move hid cards, where it did.
    pub(super) fn blind_after(&mut self, seed: &Seed, done: &SeatMove) {
        let zone = match &done.what {
            Move::Draw { to, .. }
            | Move::Move { to, .. }
            | Move::Attach { to, .. }
            | Move::Give { to, .. }
            | Move::Random { to, .. } => to,
            Move::Shuffle { zone } => zone,
            Move::Mark { .. }
            | Move::Own { .. }
            | Move::Token { .. }
            | Move::Remove { .. }
            | Move::Flip { .. }
            | Move::Turn { .. }
            | Move::Count { .. }
            | Move::Look { .. }
            | Move::Roll { .. }
            | Move::Step { .. }
            | Move::Pass {}
            | Move::Undo {} => return,
        };
        if let Ok(place) = self.named(done.by, zone) {
            self.blind(seed, place);
        }
    }

    /// How many cards are of decks: tokens come behind them.
    pub(super) fn deck_cards(&self) -> usize {
        self.table.instances.len() - self.tokens as usize
    }

    /// Deals the ids of a hidden zone anew among its cards: of each owner's cards, in ascending
    /// order before. A token keeps its id.
    fn blind(&mut self, seed: &Seed, place: ZoneId) {
        let zone = self.table.zone(place);
        if !matches!(zone.seen, Visibility::ByNobody | Visibility::ByOwner) {
            return;
        }
        let of_decks = self.deck_cards();
        let mut owners: BTreeMap<char, Vec<Card>> = BTreeMap::new();
        for slot in &zone.slots {
            let owner = self.table.instance(slot.card).id.chars().next();
            if let Some(owner) = owner.filter(|_| usize::from(slot.card.0) < of_decks) {
                owners.entry(owner).or_default().push(slot.card);
            }
        }
        for (owner, cards) in owners {
            let ids = cards.iter().map(|card| self.table.instance(*card).id.clone());
            let mut ids: Vec<String> = ids.collect();
            ids.sort_unstable();
            let label = format!("ids/play/{}/{owner}", self.blinded);
            shuffle(&mut ids, &mut Stream::new(seed, &label));
            for (card, id) in cards.into_iter().zip(ids) {
                self.table.instances[usize::from(card.0)].id = id;
            }
        }
        self.blinded += 1;
    }
}
