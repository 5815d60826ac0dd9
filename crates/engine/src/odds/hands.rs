//! Hands by the number of cards of each atom.

use super::atoms::Atoms;
use super::budget::{Budget, Limit};
use super::number::{Choices, Natural};

/// The most atoms that hands are enumerated for.
pub(super) const MOST_ATOMS: usize = 2000;

/// How many hands of `left` cards there are; more than `most` are not counted to the end. `room`
/// has the most cards of the atoms from each on and the rest.
fn count(sizes: &[u32], room: &[u32], left: u32, most: u64) -> u64 {
    let [own, sizes @ ..] = sizes else {
        return 1;
    };
    let taken = left.saturating_sub(room[1])..=left.min(*own);
    if sizes.is_empty() {
        return taken.count() as u64;
    }
    let mut hands = 0;
    for taken in taken {
        hands += count(sizes, &room[1..], left - taken, most - hands);
        if hands > most {
            break;
        }
    }
    hands
}

/// Every hand of one size; what its atoms leave open are cards of the rest.
#[derive(Debug, Clone)]
pub(crate) struct Hands {
    atoms: usize,
    size: u32,
    counts: Vec<u32>,
    len: usize,
}

impl Hands {
    /// All hands, counted before the first is built. `more`: the bytes of what is kept of each of
    /// them later, for which there must be memory, too.
    pub(crate) fn new(
        atoms: &Atoms,
        size: u32,
        more: u64,
        budget: &mut Budget,
    ) -> Result<Hands, Limit> {
        let width = atoms.len();
        if width > MOST_ATOMS {
            return Err(Limit::Memory);
        }
        let mut hands = Hands { atoms: width, size, counts: Vec::new(), len: 0 };
        // The most cards of the atoms from here on and the rest.
        let mut room = vec![atoms.rest];
        for cards in atoms.sizes.iter().rev() {
            room.push(room[room.len() - 1] + cards);
        }
        room.reverse();
        let each = (size_of::<u32>() * width) as u64;
        let most = budget.room(each.saturating_add(more));
        let number = count(&atoms.sizes, &room, size, most);
        if number > most {
            return Err(Limit::Memory);
        }
        budget.hold(number * each)?;
        budget.spend(number.saturating_mul(1 + width as u64))?;
        hands.counts.reserve_exact(number as usize * width);
        hands.fill(&atoms.sizes, &room, size, &mut vec![0; width]);
        Ok(hands)
    }

    fn fill(&mut self, sizes: &[u32], room: &[u32], left: u32, counts: &mut [u32]) {
        let atom = self.atoms - sizes.len();
        let [own, sizes @ ..] = sizes else {
            self.counts.extend_from_slice(counts);
            self.len += 1;
            return;
        };
        for taken in left.saturating_sub(room[1])..=left.min(*own) {
            counts[atom] = taken;
            self.fill(sizes, &room[1..], left - taken, counts);
        }
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
