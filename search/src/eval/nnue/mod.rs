//! Efficiently updatable neural networks.
//!
//! One hidden layer, seen by both players: `(inputs -> H) x 2 -> 1` of eight outputs. What a player
//! sees is defined by [`Features`], once for the trainer and the engine; a [`Network`] is the
//! quantised weights and their file.
//!
//! # Arithmetic
//!
//! All of it is integer arithmetic, so that every machine computes the same values. For each player
//! (*perspective*) the *accumulator* is the feature bias plus the weights of the active features,
//! `H` numbers of 16 bits at scale [`QA`]. An output takes the accumulator of the side to move
//! first, then the other's, both through the squared clipped ReLU:
//!
//! ```text
//! sum   = for i in 0..2H: clamp(accumulator[i], 0, QA)^2 * weight[bucket][i]
//! value = round((sum + QA * bias[bucket]) * SCALE / (QA * QA * QB))
//! ```
//!
//! `sum` is exact in 32 bits (the loader sees to that), everything after it is done in 64 bits with
//! one single division, and `round` goes to the nearest integer, halves away from zero. So there
//! is no other rounding, and negating an output's weights and bias negates its value. The value is
//! in centipawns from the mover's side.

mod accumulators;
mod embedded;
mod features;
mod format;
mod network;
pub(crate) mod random;
mod reference;
mod simd;

pub use accumulators::Accumulators;
pub use embedded::built_in;
pub use features::{Features, MAX_KINDS, Planes, Shape};
pub use format::FORMAT_VERSION;
pub use network::{Network, NetworkError, Parts};

/// The instruction set that networks are computed with on this processor.
pub fn instruction_set() -> &'static str {
    simd::Simd::best().name()
}

/// Scale of feature weights, feature biases and accumulators: an activation of 1 is 255.
pub const QA: i32 = 255;
/// Scale of output weights: fine, because they are small (mostly below 0.1), and rounding them is
/// what rounding costs most. Output biases are at `QA * QB`.
pub const QB: i32 = 256;
/// Centipawns of an output of 1.
pub const SCALE: i32 = 400;
/// The largest output weight, so that `QA` times a weight fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;
/// Outputs of a network, chosen by the number of men on the board.
pub const BUCKETS: usize = 8;
/// The hidden layer is a multiple of this: one cache line of weights.
pub const HIDDEN_UNIT: usize = 32;
/// The largest hidden layer.
pub const MAX_HIDDEN: usize = 1024;
