//! AdamW: I. Loshchilov, F. Hutter, "Decoupled weight decay regularization".

use movegen::cpu::{self, Job, Level};
use rayon::prelude::*;

use crate::kernel::Shard;
use crate::model::{FEATURE_CLIP, Model, OUTPUT_CLIP};

const BETA1: f64 = 0.9;
const BETA2: f64 = 0.999;
const EPSILON: f32 = 1e-8;

/// Parameters that one thread updates at a time.
const CHUNK: usize = 4096;

/// The state of the optimiser.
#[derive(Clone, PartialEq, Debug)]
pub struct AdamW {
    /// Share of a weight that is lost at a learning rate of 1.
    decay: f32,
    steps: u64,
    /// Running means of the gradients and of their squares.
    first: Vec<f32>,
    second: Vec<f32>,
}

/// What all parameters of a step share.
#[derive(Clone, Copy)]
struct Step {
    rate: f32,
    /// Factor of every weight by the decay.
    kept: f32,
    /// Corrections for the running means that began at 0.
    scale_first: f32,
    scale_second: f32,
    clip: f32,
}

impl AdamW {
    /// The state before the first step.
    pub fn new(parameters: usize, decay: f32) -> Self {
        Self { decay, steps: 0, first: vec![0.0; parameters], second: vec![0.0; parameters] }
    }

    /// Continues from an earlier state. `None` if the lists differ in length.
    pub fn from_state(decay: f32, steps: u64, first: Vec<f32>, second: Vec<f32>) -> Option<Self> {
        (first.len() == second.len()).then_some(Self { decay, steps, first, second })
    }

    /// Steps done.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Running means of the gradients and of their squares.
    pub fn moments(&self) -> (&[f32], &[f32]) {
        (&self.first, &self.second)
    }

    /// Moves the model along the sum of the shards' gradients, added in the order of the shards.
    pub fn step(&mut self, model: &mut Model, shards: &[Shard], rate: f32) {
        self.steps += 1;
        let correction = |beta: f64| {
            let power = beta.powi(i32::try_from(self.steps).unwrap_or(i32::MAX));
            (1.0 / (1.0 - power)) as f32
        };
        let step = Step {
            rate,
            kept: 1.0 - rate * self.decay,
            scale_first: correction(BETA1),
            scale_second: correction(BETA2),
            clip: FEATURE_CLIP,
        };
        // Output biases are 32 bits wide in the engine and need no clipping.
        let features = model.layout().output_weight(0, 0);
        let outputs = model.layout().output_bias(0);
        model
            .values_mut()
            .par_chunks_mut(CHUNK)
            .zip(self.first.par_chunks_mut(CHUNK))
            .zip(self.second.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, ((values, first), second))| {
                let start = chunk * CHUNK;
                let length = values.len();
                let part = |end: usize| end.saturating_sub(start).min(length);
                let mut update = |range: std::ops::Range<usize>, step| {
                    cpu::dispatch_wide(Update {
                        start: start + range.start,
                        values: &mut values[range.clone()],
                        first: &mut first[range.clone()],
                        second: &mut second[range],
                        shards,
                        step,
                    });
                };
                update(0..part(features), step);
                update(part(features)..part(outputs), Step { clip: OUTPUT_CLIP, ..step });
                update(part(outputs)..length, Step { clip: f32::INFINITY, ..step });
            });
    }
}

/// One step of some parameters.
struct Update<'a> {
    /// The first parameter's place in the gradients.
    start: usize,
    values: &'a mut [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    shards: &'a [Shard],
    step: Step,
}

impl Job for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _: L) {
        let Self { start, values, first, second, shards, step } = self;
        let mut sums = [0.0; CHUNK];
        let sums = &mut sums[..values.len()];
        for shard in shards {
            for (sum, gradient) in sums.iter_mut().zip(&shard.gradient()[start..]) {
                *sum += gradient;
            }
        }
        let moments = first.iter_mut().zip(second);
        for ((value, gradient), (first, second)) in values.iter_mut().zip(sums).zip(moments) {
            *first = BETA1 as f32 * *first + (1.0 - BETA1) as f32 * *gradient;
            *second = BETA2 as f32 * *second + (1.0 - BETA2) as f32 * (*gradient * *gradient);
            let mean = *first * step.scale_first;
            let spread = (*second * step.scale_second).sqrt() + EPSILON;
            let moved = *value * step.kept - step.rate * mean / spread;
            *value = moved.clamp(-step.clip, step.clip);
        }
    }
}
