//! The network in floating point.

use movegen::Variant;
use search::eval::nnue::{BUCKETS, MAX_OUTPUT_WEIGHT, QB, Shape};

use engine::random::Random;

/// Weights of features stay within this, so that a sum of 33 fits the engine's 16 bits at scale
/// 255.
pub const FEATURE_CLIP: f32 = 1.98;
/// Output weights stay within this: they are at most 127 at the engine's scale.
pub const OUTPUT_CLIP: f32 = MAX_OUTPUT_WEIGHT as f32 / QB as f32;

/// Which parameters there are and where they stand in one flat list.
///
/// The hidden layer is cut into *tiles* of as many units as keep a tile's weights within a
/// processor's second-level cache. The list holds, tile by tile, a row of weights for each feature
/// and then a row of biases; after the tiles, for each bucket, the weights of the mover's units and
/// then the other's; and last the buckets' biases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    variant: Variant,
    hidden: usize,
    tile: usize,
}

impl Layout {
    /// The layout for a hidden layer of `hidden` units, a multiple of 32.
    pub fn new(variant: Variant, hidden: usize) -> Self {
        let tile = [128, 64, 32].into_iter().find(|tile| hidden.is_multiple_of(*tile));
        Self { variant, hidden, tile: tile.unwrap_or(32) }
    }

    /// Which game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Units of the hidden layer.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Units of a tile: 128, 64 or 32.
    pub fn tile(&self) -> usize {
        self.tile
    }

    /// Number of features.
    pub fn inputs(&self) -> usize {
        Shape::of(self.variant).inputs()
    }

    /// Parameters of the hidden layer, which come first.
    pub fn hidden_parameters(&self) -> usize {
        (self.inputs() + 1) * self.hidden
    }

    /// All parameters.
    pub fn parameters(&self) -> usize {
        self.hidden_parameters() + BUCKETS * (2 * self.hidden + 1)
    }

    /// Where the weight of a feature for a hidden unit stands; feature `inputs` is the bias.
    pub fn feature_weight(&self, feature: usize, unit: usize) -> usize {
        let (tile, column) = (unit / self.tile, unit % self.tile);
        (tile * (self.inputs() + 1) + feature) * self.tile + column
    }

    /// Where a weight of a bucket stands; `unit` is below `2 * hidden`, the mover's first.
    pub fn output_weight(&self, bucket: usize, unit: usize) -> usize {
        self.hidden_parameters() + bucket * 2 * self.hidden + unit
    }

    /// Where the bias of a bucket stands.
    pub fn output_bias(&self, bucket: usize) -> usize {
        self.hidden_parameters() + BUCKETS * 2 * self.hidden + bucket
    }
}

/// A network in floating point: a hidden activation of 1 is the engine's 255, an output of 1 is
/// 400 centipawns.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    layout: Layout,
    values: Vec<f32>,
}

impl Model {
    /// All parameters zero.
    pub fn zero(layout: Layout) -> Self {
        Self { layout, values: vec![0.0; layout.parameters()] }
    }

    /// Uniformly random weights, small enough that no unit is saturated at first; biases zero. The
    /// values depend on the seed and on the size of the network, not on the tiles.
    pub fn random(layout: Layout, seed: u64) -> Self {
        let mut model = Self::zero(layout);
        let mut random = Random::new(seed);
        // 24 random bits are exact in f32, so that other programs can do the same.
        let mut uniform = |limit: f32| {
            let bits = (random.next() >> 40) as f32;
            (bits / 8_388_608.0 - 1.0) * limit
        };
        let limit = 2.0 / (layout.inputs() as f32).sqrt();
        for feature in 0..layout.inputs() {
            for unit in 0..layout.hidden {
                model.values[layout.feature_weight(feature, unit)] = uniform(limit);
            }
        }
        let limit = 1.0 / (layout.hidden as f32).sqrt();
        for bucket in 0..BUCKETS {
            for unit in 0..2 * layout.hidden {
                model.values[layout.output_weight(bucket, unit)] = uniform(limit);
            }
        }
        model
    }

    /// Takes over parameters in the order of the layout. `None` if their number is wrong.
    pub fn from_values(layout: Layout, values: Vec<f32>) -> Option<Self> {
        (values.len() == layout.parameters()).then_some(Self { layout, values })
    }

    /// Which parameters there are.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The parameters, in the order of the layout.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The parameters, in the order of the layout.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_its_own_place() {
        for (variant, hidden) in [
            (Variant::Makruk, 32),
            (Variant::Makhos, 96),
            (Variant::Asean, 64),
            (Variant::Makhos, 256),
        ] {
            let layout = Layout::new(variant, hidden);
            assert_eq!(hidden % layout.tile(), 0);
            let mut seen = vec![false; layout.parameters()];
            let mut visit = |place: usize| assert!(!std::mem::replace(&mut seen[place], true));
            for feature in 0..=layout.inputs() {
                (0..hidden).for_each(|unit| visit(layout.feature_weight(feature, unit)));
            }
            for bucket in 0..BUCKETS {
                (0..2 * hidden).for_each(|unit| visit(layout.output_weight(bucket, unit)));
                visit(layout.output_bias(bucket));
            }
            assert!(seen.into_iter().all(|seen| seen));
        }
    }

    #[test]
    fn random_weights_depend_on_the_seed_alone() {
        let layout = Layout::new(Variant::Makhos, 32);
        let model = Model::random(layout, 1);
        assert_eq!(model, Model::random(layout, 1));
        assert_ne!(model, Model::random(layout, 2));
        assert!(model.values().iter().all(|w| w.abs() < OUTPUT_CLIP));
    }
}
