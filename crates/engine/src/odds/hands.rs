//! Hands by the number of cards of each atom.

use super::atoms::Atoms;
use super::diagram::{Budget, TooMuchWork};
use super::number::{Choices, Natural};

/// The most atoms that hands are enumerated for.
pub(super) const MOST_ATOMS: usize = 2000;

/// Every hand of one size; what its atoms leave open are cards of the rest.
#[derive(Debug, Clone)]
pub(crate) struct Hands {
    atoms: usize,
    size: u32,
    counts: Vec<u32>,
    len: usize,
}

impl Hands {
    pub(crate) fn new(atoms: &Atoms, size: u32, budget: &mut Budget) -> Result<Hands, TooMuchWork> {
        if atoms.len() > MOST_ATOMS {
            return Err(TooMuchWork);
        }
        let mut hands = Hands { atoms: atoms.len(), size, counts: Vec::new(), len: 0 };
        // The most cards of the atoms from here on and the rest.
        let mut room = vec![atoms.rest];
        for cards in atoms.sizes.iter().rev() {
            room.push(room[room.len() - 1] + cards);
        }
        room.reverse();
        let mut counts = vec![0; atoms.len()];
        hands.fill(&atoms.sizes, &room, 0, size, &mut counts, budget)?;
        Ok(hands)
    }

    fn fill(
        &mut self,
        sizes: &[u32],
        room: &[u32],
        atom: usize,
        left: u32,
        counts: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Result<(), TooMuchWork> {
        if atom == sizes.len() {
            budget.spend(1 + self.atoms as u64)?;
            budget.hold(4 * self.atoms as u64)?;
            self.counts.extend_from_slice(counts);
            self.len += 1;
            return Ok(());
        }
        let least = left.saturating_sub(room[atom + 1]);
        for taken in least..=left.min(sizes[atom]) {
            counts[atom] = taken;
            self.fill(sizes, room, atom + 1, left - taken, counts, budget)?;
        }
        Ok(())
    }

    /// The number of different hands.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The cards of each atom of a hand.
    pub(crate) fn counts(&self, hand: usize) -> &[u32] {
        &self.counts[hand * self.atoms..(hand + 1) * self.atoms]
    }

    /// The cards of the rest in a hand.
    pub(crate) fn rest(&self, hand: usize) -> u32 {
        self.size - self.counts(hand).iter().sum::<u32>()
    }

    /// The deck without a hand: writes the cards of each atom, and returns those of the rest.
    pub(crate) fn without(&self, atoms: &Atoms, hand: usize, deck: &mut Vec<u32>) -> u32 {
        deck.clear();
        let left = atoms.sizes.iter().zip(self.counts(hand));
        deck.extend(left.map(|(all, out)| all - out));
        atoms.rest - self.rest(hand)
    }

    /// The number of ways to draw this hand from a deck.
    pub(crate) fn ways<T: Natural>(
        &self,
        choices: &Choices<T>,
        deck: &[u32],
        rest: u32,
        hand: usize,
    ) -> T {
        let mut ways = choices.row(rest)[self.rest(hand) as usize].clone();
        for (all, taken) in deck.iter().zip(self.counts(hand)) {
            if ways.is_zero() {
                break;
            }
            if *taken > 0 {
                ways = ways.times(&choices.row(*all)[*taken as usize]);
            }
        }
        ways
    }
}
