//! Chance without a clock: a small xorshift generator, the same on every run.

#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// Seeded by text, so that every test has a stream of its own.
    pub(crate) fn new(seed: &str) -> Self {
        let mixed = seed.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut random = Self(mixed | 1);
        for _ in 0..8 {
            random.below(1);
        }
        random
    }

    /// A number from 0 to `bound - 1`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let next = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16;
        usize::try_from(next % bound as u64).unwrap()
    }

    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// A number from 0 to 5 with this chance.
    pub(crate) fn maybe(&mut self, chance: usize) -> Option<i64> {
        let number = self.below(6) as i64;
        self.percent(chance).then_some(number)
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
