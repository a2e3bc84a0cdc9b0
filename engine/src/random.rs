//! A small random generator: the same seed gives the same numbers everywhere.

/// SplitMix64 (G. Steele, D. Lea, C. Flood).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    #[expect(clippy::should_implement_trait, reason = "the numbers never end")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if `n` is 0. The bias is below `n / 2^64`.
    pub fn below(&mut self, n: usize) -> usize {
        let product = u128::from(self.next()) * n as u128;
        usize::try_from(product >> 64).unwrap_or(0)
    }

    /// Brings the items into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // From the authors' reference program, seed 1234567.
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn shuffling_keeps_all_items() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..100).collect();
            Random::new(seed).shuffle(&mut items);
            items
        };
        let mut a = shuffled(7);
        assert_eq!(a, shuffled(7));
        assert_ne!(a, shuffled(8));
        a.sort_unstable();
        assert_eq!(a, (0..100).collect::<Vec<_>>());
        Random::new(1).shuffle::<u8>(&mut []);
    }
}
