//! Random numbers for sample deals, the same on every machine.

/// SplitMix64, seeded by a text. Good for sampling; not for the fairness of a match.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn seeded(text: &str) -> Dice {
        let digest = decklaw_core::digest::sha256(text.as_bytes());
        let first = digest.get(..16).unwrap_or("0");
        Dice(u64::from_str_radix(first, 16).unwrap_or(0))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, each equally likely; 0 if the bound is 0.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        let bound = u64::from(bound);
        let fair = u64::MAX - u64::MAX % bound;
        loop {
            let number = self.next();
            if number < fair {
                return (number % bound) as u32;
            }
        }
    }

    /// Puts `count` cards, picked at random, in front.
    pub(crate) fn deal<T>(&mut self, cards: &mut [T], count: usize) {
        for at in 0..count.min(cards.len()) {
            let other = at + self.below((cards.len() - at) as u32) as usize;
            cards.swap(at, other);
        }
    }
}
