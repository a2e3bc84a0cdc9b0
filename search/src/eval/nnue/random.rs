//! Networks with random weights, for tests and benchmarks.

use movegen::Variant;

use super::{BUCKETS, Network, Parts, Shape};

/// Numbers that look random and are the same everywhere.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Between `-limit` and `limit`.
    pub(super) fn within(&mut self, limit: i16) -> i16 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let limit = i64::from(limit);
        ((self.0 >> 33) as i64 % (2 * limit + 1) - limit) as i16
    }
}

/// Random weights that reach both ends of the clipping.
pub fn random_parts(variant: Variant, hidden: usize, seed: u64) -> Parts {
    let mut random = Random::new(seed);
    let mut list = |n: usize, limit: i16| (0..n).map(|_| random.within(limit)).collect();
    let inputs = Shape::of(variant).inputs();
    let largest = (33_000 / hidden.max(1)).min(127) as i16;
    Parts {
        variant,
        hidden,
        description: format!("random weights, seed {seed}"),
        feature_weights: list(inputs * hidden, 150),
        feature_bias: list(hidden, 200),
        output_weights: list(BUCKETS * 2 * hidden, largest),
        output_bias: vec![0, 1, -1, 16_320, -16_320, 40_000, -40_000, 77],
    }
}

/// A network of random weights, `None` if there is none of that size.
pub fn random_network(variant: Variant, hidden: usize, seed: u64) -> Option<Network> {
    Network::new(random_parts(variant, hidden, seed)).ok()
}
