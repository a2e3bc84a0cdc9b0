//! Forward and backward passes: where all the time goes.
//!
//! The inner loops run over arrays of one tile's width, which the compiler turns into vector
//! instructions (wrapping the arrays in types of their own loses that, and a factor of 27). The order
//! of all additions is written down, so that every processor adds in the same order.

use movegen::cpu::{self, Job, Level};

use crate::features::{Active, Decoder};
use crate::model::Model;
use crate::record::Record;

/// Positions whose hidden units are kept between the passes.
const BLOCK: usize = 256;

/// Centipawns that one unit of the output is worth, and the scale of the expected score.
const SCALE: f32 = search::eval::nnue::SCALE as f32;

/// The expected score of a value: 1 won, 0 lost.
#[inline(always)]
pub fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// What the output is trained towards: `lambda * result + (1 - lambda) * sigmoid(score / 400)`.
#[inline(always)]
pub fn target(record: &Record, lambda: f32) -> f32 {
    let result = (f32::from(record.result()) + 1.0) / 2.0;
    lambda * result + (1.0 - lambda) * sigmoid(f32::from(record.score()) / SCALE)
}

/// What a step trains towards and what it reports.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// Lambda of the target that the gradient leads to.
    pub lambda: f32,
    /// Lambda of the target that the reported loss is measured against: losses can only be compared
    /// if it is the same.
    pub measured: f32,
}

impl Goal {
    /// The same target for both.
    pub fn of(lambda: f32) -> Self {
        Self { lambda, measured: lambda }
    }
}

/// Working memory for one shard of a batch, and what it found.
#[derive(Clone, Debug)]
pub struct Shard {
    decoder: Decoder,
    active: Vec<Active>,
    /// Sums of the hidden units before the activation, tile by tile, position by position, the
    /// mover's half first.
    hidden: Vec<f32>,
    /// Output of each position of the block, then the slope of the loss there.
    outputs: Vec<f32>,
    /// Gradient, in the order of the model's layout.
    gradient: Vec<f32>,
    loss: f64,
}

impl Shard {
    /// Memory for models of this size.
    pub fn new(model: &Model, decoder: Decoder) -> Self {
        let layout = model.layout();
        Self {
            decoder,
            active: vec![Active::NONE; BLOCK],
            hidden: vec![0.0; 2 * BLOCK * layout.hidden()],
            outputs: vec![0.0; BLOCK],
            gradient: vec![0.0; layout.parameters()],
            loss: 0.0,
        }
    }

    /// Sum of the gradients of the last [`Shard::learn`].
    pub fn gradient(&self) -> &[f32] {
        &self.gradient
    }

    /// Sum of the squared errors of the last [`Shard::learn`] or [`Shard::test`].
    pub fn loss(&self) -> f64 {
        self.loss
    }

    /// Computes the gradient of the sum of `weight * squared error` over the records, and the loss,
    /// which is not weighted.
    pub fn learn(&mut self, model: &Model, records: &[Record], goal: Goal, weight: f32) {
        match model.layout().tile() {
            128 => cpu::dispatch_wide(Learn::<128> { shard: self, model, records, goal, weight }),
            64 => cpu::dispatch_wide(Learn::<64> { shard: self, model, records, goal, weight }),
            _ => cpu::dispatch_wide(Learn::<32> { shard: self, model, records, goal, weight }),
        }
    }

    /// Computes the loss alone and shows each record's output.
    pub fn test(
        &mut self,
        model: &Model,
        records: &[Record],
        lambda: f32,
        mut show: impl FnMut(&Record, f32),
    ) {
        self.loss = 0.0;
        for block in records.chunks(BLOCK) {
            match model.layout().tile() {
                128 => cpu::dispatch_wide(Forward::<128> { shard: self, model, records: block }),
                64 => cpu::dispatch_wide(Forward::<64> { shard: self, model, records: block }),
                _ => cpu::dispatch_wide(Forward::<32> { shard: self, model, records: block }),
            }
            for (record, &output) in block.iter().zip(&self.outputs) {
                let error = sigmoid(output) - target(record, lambda);
                self.loss += f64::from(error * error);
                show(record, output);
            }
        }
    }

    /// Outputs of at most [`BLOCK`] records.
    #[inline(always)]
    fn forward<const T: usize>(&mut self, model: &Model, records: &[Record]) {
        let layout = model.layout();
        for (active, record) in self.active.iter_mut().zip(records) {
            *active = self.decoder.decode(record);
        }
        for (output, active) in self.outputs.iter_mut().zip(&self.active) {
            *output = model.values()[layout.output_bias(active.bucket())];
        }
        let (hidden, _) = self.hidden.as_chunks_mut::<T>();
        for tile in 0..layout.hidden() / T {
            let rows = tile_rows::<T>(model, tile);
            let halves = hidden[2 * BLOCK * tile..].chunks_exact_mut(2);
            let outputs = self.outputs.iter_mut().take(records.len());
            for ((active, output), halves) in self.active.iter().zip(outputs).zip(halves) {
                for (half, sums) in halves.iter_mut().enumerate() {
                    add_rows(rows, active.seen(half), sums);
                    let unit = half * layout.hidden() + tile * T;
                    *output += activated_dot(
                        sums,
                        tile_of(model.values(), layout.output_weight(active.bucket(), unit)),
                    );
                }
            }
        }
    }

    /// Adds the gradients of the records of the last [`Shard::forward`], where `outputs` now holds
    /// the slopes.
    #[inline(always)]
    fn backward<const T: usize>(&mut self, model: &Model, records: usize) {
        let layout = model.layout();
        let (hidden_gradient, output_gradient) =
            self.gradient.split_at_mut(layout.hidden_parameters());
        for (active, &slope) in self.active.iter().zip(&self.outputs).take(records) {
            let place = layout.output_bias(active.bucket()) - layout.hidden_parameters();
            output_gradient[place] += slope;
        }
        let (hidden, _) = self.hidden.as_chunks::<T>();
        for tile in 0..layout.hidden() / T {
            let (rows, _) = hidden_gradient.as_chunks_mut::<T>();
            let rows = &mut rows[tile * (layout.inputs() + 1)..][..=layout.inputs()];
            let halves = hidden[2 * BLOCK * tile..].chunks_exact(2);
            let slopes = self.outputs.iter().take(records);
            for ((active, &slope), halves) in self.active.iter().zip(slopes).zip(halves) {
                for (half, sums) in halves.iter().enumerate() {
                    let unit = half * layout.hidden() + tile * T;
                    let place = layout.output_weight(active.bucket(), unit);
                    let weights = tile_of::<T>(model.values(), place);
                    let place = place - layout.hidden_parameters();
                    let Some(learnt) = output_gradient[place..].first_chunk_mut::<T>() else {
                        continue;
                    };
                    let slopes = through_activation(slope, sums, weights, learnt);
                    scatter(rows, active.seen(half), &slopes);
                }
            }
        }
    }
}

/// The weights of a tile by feature; the last row holds the biases.
#[inline(always)]
fn tile_rows<const T: usize>(model: &Model, tile: usize) -> &[[f32; T]] {
    let rows = model.layout().inputs() + 1;
    let (all, _) = model.values().as_chunks::<T>();
    &all[tile * rows..][..rows]
}

/// `T` numbers from a place on.
#[inline(always)]
fn tile_of<const T: usize>(values: &[f32], place: usize) -> &[f32; T] {
    values[place..].first_chunk().unwrap_or(&[0.0; T])
}

/// The biases and the rows of the features. Four rows at a time spare three of four loads and
/// stores of the sums.
#[inline(always)]
fn add_rows<const T: usize>(rows: &[[f32; T]], features: &[u16], sums: &mut [f32; T]) {
    *sums = rows[rows.len() - 1];
    let (fours, rest) = features.as_chunks::<4>();
    for four in fours {
        let [a, b, c, d] = four.map(|feature| &rows[usize::from(feature)]);
        for i in 0..T {
            sums[i] += (a[i] + b[i]) + (c[i] + d[i]);
        }
    }
    for &feature in rest {
        let row = &rows[usize::from(feature)];
        for i in 0..T {
            sums[i] += row[i];
        }
    }
}

/// The sum of `clamp(sum, 0, 1)^2 * weight`. Products first, then sums of halves: both are loops
/// that the compiler can turn into vector instructions without changing an order of additions.
#[inline(always)]
fn activated_dot<const T: usize>(sums: &[f32; T], weights: &[f32; T]) -> f32 {
    let mut products = [0.0; T];
    for i in 0..T {
        let unit = sums[i].clamp(0.0, 1.0);
        products[i] = unit * unit * weights[i];
    }
    let mut width = T / 2;
    while width > 0 {
        let (low, high) = products.split_at_mut(width);
        for (sum, other) in low.iter_mut().zip(high) {
            *sum += *other;
        }
        width /= 2;
    }
    products[0]
}

/// Adds the gradient of the output weights to `learnt` and returns the slopes of the loss at the
/// sums.
#[inline(always)]
fn through_activation<const T: usize>(
    slope: f32,
    sums: &[f32; T],
    weights: &[f32; T],
    learnt: &mut [f32; T],
) -> [f32; T] {
    let mut slopes = [0.0; T];
    for i in 0..T {
        let unit = sums[i].clamp(0.0, 1.0);
        learnt[i] += slope * (unit * unit);
        // Flat outside of 0 to 1; at 0 the slope is 0 anyway.
        let rise = if sums[i] < 1.0 { 2.0 * unit } else { 0.0 };
        slopes[i] = slope * weights[i] * rise;
    }
    slopes
}

/// Adds the slopes to the rows of the features and of the biases.
#[inline(always)]
fn scatter<const T: usize>(rows: &mut [[f32; T]], features: &[u16], slopes: &[f32; T]) {
    let bias = rows.len() - 1;
    for feature in features.iter().map(|&feature| usize::from(feature)).chain([bias]) {
        let row = &mut rows[feature];
        for i in 0..T {
            row[i] += slopes[i];
        }
    }
}

/// Loss and gradient of a shard.
struct Learn<'a, const T: usize> {
    shard: &'a mut Shard,
    model: &'a Model,
    records: &'a [Record],
    goal: Goal,
    weight: f32,
}

impl<const T: usize> Job for Learn<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _: L) {
        let Self { shard, model, records, goal, weight } = self;
        shard.gradient.fill(0.0);
        shard.loss = 0.0;
        for block in records.chunks(BLOCK) {
            shard.forward::<T>(model, block);
            for (output, record) in shard.outputs.iter_mut().zip(block) {
                let expected = sigmoid(*output);
                let measured = expected - target(record, goal.measured);
                shard.loss += f64::from(measured * measured);
                let error = expected - target(record, goal.lambda);
                *output = 2.0 * weight * error * expected * (1.0 - expected);
            }
            shard.backward::<T>(model, block.len());
        }
    }
}

/// Outputs of one block.
struct Forward<'a, const T: usize> {
    shard: &'a mut Shard,
    model: &'a Model,
    records: &'a [Record],
}

impl<const T: usize> Job for Forward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _: L) {
        self.shard.forward::<T>(self.model, self.records);
    }
}
