//! Local search: a first answer where the exact search ended without one, step by step what `check`
//! would mend.
//!
//! Each step takes copies out, puts some in, or both, and is the one after which the deck breaks
//! least; it ends when no step makes the deck better. Nothing is claimed of what it finds but that
//! it is legal, so that a repair which is near is shown whatever the search came to.

use super::{Decklist, Floor, SolvedDeck, Wishes};
use decklaw_cards::pool::CardId;
use decklaw_rules::rules::{Failing, Holding};

/// The most steps.
const STEPS: usize = 200;
/// So many cards of the pool are tried for each place that lacks some.
const CARDS: usize = 400;

/// How far a deck is from legal: what is too much, what is missing, and how many demands it breaks.
/// What is too much comes first: what goes can be replaced, and what comes in then brings nothing
/// too much.
type LegalDistance = (i64, i64, usize);

/// Copies of a card that come into a section, or go.
type Move = (u16, CardId, i64);

/// Returns a legal deck that satisfies the wishes, if one is met on the way. The decks that are
/// judged are counted in `effort`.
pub(super) fn local_search(
    deck: &Decklist,
    wishes: &Wishes,
    effort: &mut u64,
) -> Option<SolvedDeck> {
    let mut now = deck.clone();
    let mut search = Search { deck, wishes, effort };
    let mut broken = search.broken(&now);
    for _ in 0..STEPS {
        if broken == (0, 0, 0) {
            return search.found(now);
        }
        let (better, next) = search.better(&now, broken)?;
        (now, broken) = (next, better);
    }
    None
}

struct Search<'s> {
    deck: &'s Decklist,
    wishes: &'s Wishes,
    effort: &'s mut u64,
}

impl Search<'_> {
    /// How far a deck is from what is asked for.
    fn broken(&mut self, deck: &Decklist) -> LegalDistance {
        /// The holdings that are judged in about the time of one step.
        const HOLDINGS: usize = 16;
        let steps = 2 + deck.holdings().count() / HOLDINGS + self.wishes.must.len();
        *self.effort = self.effort.saturating_sub(steps as u64);
        let errors = deck.broken();
        let (mut excess, mut missing) = (0, 0);
        for error in &errors {
            let far = error.violation.distance().max(1);
            match error.violation.failing {
                Failing::Shortfall => missing += far,
                Failing::Excess | Failing::Unverified => excess += far,
            }
        }
        let wished = self.wishes.must.iter();
        let unmet = wished.filter(|wish| !wish.holds(self.deck, deck)).count();
        (excess, missing + unmet as i64, errors.len() + unmet)
    }

    /// The best deck a step away, if it is better.
    fn better(
        &mut self,
        now: &Decklist,
        broken: LegalDistance,
    ) -> Option<(LegalDistance, Decklist)> {
        let mut best: Option<(LegalDistance, i64, Decklist)> = None;
        let moves = self.moves(now);
        let (out, into): (Vec<&Move>, Vec<&Move>) = moves.iter().partition(|(.., by)| *by < 0);
        let single = moves.iter().map(|one| vec![*one]);
        // An exchange keeps the size of a deck that is as large as it must be.
        let pairs = out.iter().take(12).flat_map(|gone| {
            let each = into.iter().take(CARDS / 4);
            each.filter(move |came| came.2 == -gone.2).map(move |came| vec![**gone, **came])
        });
        for step in single.chain(pairs) {
            if *self.effort == 0 {
                break;
            }
            let mut next = now.clone();
            for (section, card, by) in &step {
                next.add(*section, *card, *by);
            }
            let after = self.broken(&next);
            let size = step.iter().map(|(.., by)| by.abs()).sum();
            let known = best.as_ref().map(|(broken, size, _)| (*broken, *size));
            if after < broken && known.is_none_or(|known| (after, size) < known) {
                best = Some((after, size, next));
            }
        }
        best.map(|(broken, _, deck)| (broken, deck))
    }

    /// What might mend the deck: cards of what is too much go, cards come where some are missing.
    fn moves(&self, now: &Decklist) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        let rulebook = now.rulebook();
        let sections = u16::try_from(now.sections().len()).unwrap_or(u16::MAX);
        for error in now.broken() {
            let violation = &error.violation;
            let here =
                |section: &u16| violation.section.is_none_or(|at| at == usize::from(*section));
            let amounts = [1, error.violation.distance().max(1)];
            let amounts = &amounts[..if amounts[1] == 1 { 1 } else { 2 }];
            for held in now.holdings() {
                let named = violation.cards.is_empty() || violation.cards.contains(&held.card);
                if here(&held.section) && named {
                    let all = [held.copies];
                    let by = amounts.iter().chain(&all).map(|by| -by.min(&held.copies));
                    moves.extend(by.map(|by| (held.section, held.card, by)));
                }
            }
            if violation.failing != Failing::Shortfall {
                continue;
            }
            for section in (0..sections).filter(here) {
                let takes =
                    |card: &CardId| !rulebook.refuses(&Holding { card: *card, section, copies: 1 });
                // Those that the deck has first, since it is a deck of its kind.
                let own = now.holdings().map(|held| held.card);
                let own = own.filter(|card| now.knows(*card));
                let cards = own.chain(now.pool().ids()).filter(takes).take(CARDS);
                let each =
                    cards.flat_map(|card| amounts.iter().map(move |by| (section, card, *by)));
                moves.extend(each);
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    fn found(&self, deck: Decklist) -> Option<SolvedDeck> {
        let changes = self.deck.changes_to(&deck);
        let missed =
            |wishes: &[super::Wish]| wishes.iter().map(|wish| wish.missed(&deck)).collect();
        Some(SolvedDeck {
            distance: changes.iter().map(|change| (change.to - change.from).abs()).sum(),
            floor: Floor::UNKNOWN,
            settled: false,
            missed: missed(&self.wishes.prefer),
            aims: missed(&self.wishes.aims),
            deck,
        })
    }
}
