//! One model in training.

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::error::TrainerError;
use crate::features::Decoder;
use crate::kernel::{Goal, Shard};
use crate::model::Model;
use crate::optimizer::AdamW;
use crate::record::Record;

/// Parts of a batch whose gradients are computed apart and added in order. Fixed, so that results
/// do not depend on the number of threads; no more threads than this are of use.
pub const SHARDS: usize = 8;

/// A model, its optimiser and the threads that train it.
#[derive(Debug)]
pub struct Trainer {
    model: Model,
    optimizer: AdamW,
    shards: Vec<Shard>,
    pool: ThreadPool,
}

impl Trainer {
    /// Begins or goes on with a model.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(model: Model, optimizer: AdamW, threads: usize) -> Result<Self, TrainerError> {
        let decoder = Decoder::of(model.layout().variant());
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.clamp(1, SHARDS))
            .build()
            .map_err(TrainerError::Threads)?;
        let shards = vec![Shard::new(&model, decoder); SHARDS];
        Ok(Self { model, optimizer, shards, pool })
    }

    /// The model as it is now.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The optimiser as it is now.
    pub fn optimizer(&self) -> &AdamW {
        &self.optimizer
    }

    /// One step along the gradient of the mean squared error of the batch. Returns the error that is
    /// to be measured, before the step.
    pub fn step(&mut self, batch: &[Record], goal: Goal, rate: f32) -> f64 {
        let Self { model, optimizer, shards, pool } = self;
        let weight = 1.0 / batch.len().max(1) as f32;
        pool.install(|| {
            shards.par_iter_mut().enumerate().for_each(|(i, shard)| {
                shard.learn(model, part(batch, i), goal, weight);
            });
            optimizer.step(model, shards, rate);
        });
        mean_loss(shards, batch.len())
    }

    /// Mean squared error of the model over the records.
    pub fn loss(&mut self, records: &[Record], lambda: f32) -> f64 {
        let Self { model, shards, pool, .. } = self;
        pool.install(|| {
            shards.par_iter_mut().enumerate().for_each(|(i, shard)| {
                shard.test(model, part(records, i), lambda, |_, _| {});
            });
        });
        mean_loss(shards, records.len())
    }
}

/// The `i`-th of [`SHARDS`] parts.
fn part(records: &[Record], i: usize) -> &[Record] {
    &records[records.len() * i / SHARDS..records.len() * (i + 1) / SHARDS]
}

fn mean_loss(shards: &[Shard], records: usize) -> f64 {
    shards.iter().map(Shard::loss).sum::<f64>() / records.max(1) as f64
}
