//! A whole training run: schedules, superbatches, what is kept on disk.

use std::f64::consts::PI;
use std::fmt;
use std::path::{Path, PathBuf};

use movegen::Variant;
use search::eval::nnue::{BUCKETS, Network, NetworkError};
use serde::{Deserialize, Serialize};

use crate::checkpoint::{self, Checkpoint, State, replace_file};
use crate::dataset::Dataset;
use crate::error::TrainerError;
use crate::export::{dequantised, quantised};
use crate::kernel::Goal;
use crate::model::{Layout, Model};
use crate::optimizer::AdamW;
use crate::plot;
use crate::stream::Stream;
use crate::trainer::Trainer;

/// What decides the result of a run, beside its data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Units of the hidden layer.
    pub hidden: usize,
    /// How often every record is visited.
    pub epochs: f64,
    /// Parts of the run: after each, losses are measured and files written.
    pub superbatches: u64,
    /// Records of a step.
    pub batch: usize,
    /// Learning rate at first.
    pub rate: f32,
    /// Learning rate at last; half a cosine in between.
    pub final_rate: f32,
    /// Weight decay.
    pub decay: f32,
    /// Share of the game's result in the target during the first quarter.
    pub lambda: f32,
    /// The same at last; a straight line in between.
    pub final_lambda: f32,
    /// Seed of the first weights and of the order of the records.
    pub seed: u64,
}

/// Losses of one superbatch: mean squared errors against the target with the final lambda, so that
/// all can be compared.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Records visited by its end.
    pub visited: u64,
    /// Over its batches, each before the step on it.
    pub training: f64,
    /// Over the held-out records, at its end. The same as `training` if nothing is held out.
    pub held_out: f64,
}

impl Settings {
    /// Steps of the run for so many records.
    pub fn steps(&self, records: usize) -> u64 {
        let steps = (self.epochs * records as f64 / self.batch.max(1) as f64).ceil();
        // A float beyond the range becomes the nearest integer.
        (steps as u64).max(1)
    }

    /// Step after which superbatch `i` is complete; the last ends with the last step.
    fn end_of_superbatch(&self, i: u64, steps: u64) -> u64 {
        let superbatches = self.superbatches.clamp(1, steps);
        let end = u128::from(steps) * u128::from(i + 1) / u128::from(superbatches);
        u64::try_from(end).unwrap_or(u64::MAX).min(steps)
    }

    /// Learning rate of a step, given the share of the run that is done.
    fn rate_at(&self, done: f64) -> f32 {
        let (first, last) = (f64::from(self.rate), f64::from(self.final_rate));
        (last + (first - last) * (1.0 + (PI * done).cos()) / 2.0) as f32
    }

    /// Lambda of a step, given the share of the run that is done.
    fn lambda_at(&self, done: f64) -> f32 {
        const CONSTANT: f64 = 0.25;
        let rise = ((done - CONSTANT) / (1.0 - CONSTANT)).max(0.0) as f32;
        self.lambda + (self.final_lambda - self.lambda) * rise
    }
}

/// What a superbatch reports.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Superbatch {
    /// Its number from 1 on, and how many there are.
    pub number: u64,
    /// How many there are.
    pub of: u64,
    /// Its losses.
    pub row: Row,
    /// Learning rate and lambda of its last step.
    pub rate: f32,
    /// Share of the game's result in the target in its last step.
    pub lambda: f32,
    /// Whether the held-out loss is the lowest so far.
    pub best: bool,
}

impl fmt::Display for Superbatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, of, row, rate, lambda, best } = self;
        write!(
            f,
            "superbatch {number:>3}/{of}  rate {rate:.2e}  lambda {lambda:.2}  training {:.6}  \
             held-out {:.6}{}",
            row.training,
            row.held_out,
            if *best { " *" } else { "  " }
        )
    }
}

/// The model of a network that was read from `path`, for this game or one with the same inputs.
///
/// # Errors
/// If the network's game has other inputs.
pub fn model_of(path: &Path, network: &Network, variant: Variant) -> Result<Model, TrainerError> {
    dequantised(network, variant).ok_or_else(|| TrainerError::WrongGame {
        path: path.to_owned(),
        found: network.variant().name().to_owned(),
        wanted: variant.name(),
    })
}

/// Where a run keeps its files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder, made if it does not exist.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn make(path: &Path) -> Result<Self, TrainerError> {
        std::fs::create_dir_all(path).map_err(TrainerError::file(path))?;
        Ok(Self(path.to_owned()))
    }

    /// The state from which the run goes on.
    pub fn checkpoint(&self) -> PathBuf {
        self.0.join("checkpoint.bin")
    }

    /// The network with the lowest held-out loss so far.
    pub fn best(&self) -> PathBuf {
        self.0.join("best.nnue")
    }

    /// The newest network.
    pub fn last(&self) -> PathBuf {
        self.0.join("last.nnue")
    }

    /// The learning curve.
    pub fn curve(&self) -> PathBuf {
        self.0.join("curve.svg")
    }
}

/// A training run in progress.
#[derive(Debug)]
pub struct Run<'a> {
    dataset: &'a Dataset,
    settings: Settings,
    trainer: Trainer,
    stream: Stream<'a>,
    state: State,
}

impl<'a> Run<'a> {
    /// Begins a run with random weights, or with those of a network (whose hidden layer then
    /// decides the size). `data` describes the dataset for people.
    ///
    /// # Errors
    /// If there is nothing to train on, the network does not fit the game, or threads cannot be
    /// started.
    pub fn begin(
        dataset: &'a Dataset,
        mut settings: Settings,
        init: Option<(&Path, &Network)>,
        data: String,
        threads: usize,
    ) -> Result<Self, TrainerError> {
        let variant = dataset.variant;
        if dataset.training.is_empty() {
            return Err(TrainerError::NoRecords("train"));
        }
        if let Some((_, network)) = init {
            settings.hidden = network.hidden();
        }
        let layout = Layout::new(variant, settings.hidden);
        let model = match init {
            None => Model::random(layout, settings.seed),
            Some((path, network)) => model_of(path, network, variant)?,
        };
        let state = State {
            variant: variant.name().to_owned(),
            settings: settings.clone(),
            dataset: dataset.fingerprint(),
            init: init.map(|(_, network)| crc32fast::hash(&network.to_bytes())),
            data,
            steps: 0,
            visited: 0,
            rows: Vec::new(),
        };
        let optimizer = AdamW::new(layout.parameters(), settings.decay);
        let trainer = Trainer::new(model, optimizer, threads)?;
        let stream = Stream::new(&dataset.training, settings.seed, 0);
        Ok(Self { dataset, settings, trainer, stream, state })
    }

    /// Replaces the state by that of a checkpoint of the same run.
    ///
    /// # Errors
    /// If the checkpoint is of another run, or threads cannot be started.
    pub fn resume(
        self,
        path: &Path,
        checkpoint: Checkpoint,
        threads: usize,
    ) -> Result<Self, TrainerError> {
        let Checkpoint { state, model, optimizer } = checkpoint;
        let other = |what| TrainerError::OtherRun { path: path.to_owned(), what };
        if state.variant != self.state.variant || state.settings != self.state.settings {
            return Err(other("settings"));
        }
        if state.dataset != self.state.dataset {
            return Err(other("data"));
        }
        if state.init != self.state.init {
            return Err(other("weights to begin with"));
        }
        let trainer = Trainer::new(model, optimizer, threads)?;
        let stream = Stream::new(&self.dataset.training, self.settings.seed, state.visited);
        Ok(Self { trainer, stream, state, ..self })
    }

    /// Steps of the whole run.
    pub fn steps(&self) -> u64 {
        self.settings.steps(self.dataset.training.len())
    }

    /// Steps done.
    pub fn done(&self) -> u64 {
        self.state.steps
    }

    /// Losses of the superbatches done.
    pub fn rows(&self) -> &[Row] {
        &self.state.rows
    }

    /// The model as it is now.
    pub fn model(&self) -> &Model {
        self.trainer.model()
    }

    /// Trains one superbatch, calling `watch` with the number of steps done after each. `None` if
    /// the run is over.
    ///
    /// # Errors
    /// If the loss is no number any more.
    pub fn superbatch(
        &mut self,
        mut watch: impl FnMut(u64),
    ) -> Result<Option<Superbatch>, TrainerError> {
        let steps = self.steps();
        if self.state.steps >= steps {
            return Ok(None);
        }
        let number = self.state.rows.len() as u64;
        let end = self.settings.end_of_superbatch(number, steps);
        let mut batch = Vec::with_capacity(self.settings.batch);
        let (mut sum, mut rate, mut lambda) = (0.0, 0.0, 0.0);
        let begun = self.state.steps;
        while self.state.steps < end {
            let done = self.state.steps as f64 / steps as f64;
            rate = self.settings.rate_at(done);
            lambda = self.settings.lambda_at(done);
            self.stream.next_batch(&mut batch, self.settings.batch);
            let goal = Goal { lambda, measured: self.settings.final_lambda };
            sum += self.trainer.step(&batch, goal, rate);
            self.state.steps += 1;
            watch(self.state.steps);
        }
        self.state.visited = self.stream.visited();
        let training = sum / (end - begun).max(1) as f64;
        let held_out = if self.dataset.held_out.is_empty() {
            training
        } else {
            self.trainer.loss(&self.dataset.held_out, self.settings.final_lambda)
        };
        if !training.is_finite() || !held_out.is_finite() {
            return Err(TrainerError::Diverged(self.state.steps));
        }
        let best = self.rows().iter().all(|row| held_out < row.held_out);
        let row = Row { visited: self.state.visited, training, held_out };
        self.state.rows.push(row);
        let of = self.settings.superbatches.clamp(1, steps);
        Ok(Some(Superbatch { number: number + 1, of, row, rate, lambda, best }))
    }

    /// The network as it is now, in the engine's integers.
    ///
    /// # Errors
    /// If some position could overflow the engine's arithmetic.
    pub fn network(&self) -> Result<Network, NetworkError> {
        let Settings {
            hidden, epochs, batch, rate, final_rate, decay, lambda, final_lambda, ..
        } = self.settings;
        let layout = self.model().layout();
        let loss = self.rows().last().map_or(f64::NAN, |row| row.held_out);
        let init = if self.state.init.is_some() { "another network" } else { "random weights" };
        let description = format!(
            "({} -> {hidden}) x 2 -> {BUCKETS}, trained from {init} with seed {}; {} of {} steps of \
             {batch} positions, {epochs} epochs in all; AdamW {rate:e} to {final_rate:e}, decay \
             {decay}; lambda {lambda} to {final_lambda}; held-out loss {loss:.6}; data: {}",
            layout.inputs(),
            self.settings.seed,
            self.done(),
            self.steps(),
            self.state.data,
        );
        quantised(self.model(), description)
    }

    /// Writes the checkpoint, the newest network, the learning curve and, if asked, the best
    /// network.
    ///
    /// # Errors
    /// If a file cannot be written, or the network would overflow the engine's arithmetic.
    pub fn save(&self, folder: &Folder, best: bool) -> Result<(), TrainerError> {
        // The checkpoint comes last: after a kill before it, the superbatch is trained again and
        // writes the same files.
        let path = folder.last();
        let network =
            self.network().map_err(|error| TrainerError::Network { path: path.clone(), error })?;
        let bytes = network.to_bytes();
        replace_file(&path, &bytes)?;
        if best {
            replace_file(&folder.best(), &bytes)?;
        }
        let records = self.dataset.training.len();
        let title = plot::title(&self.state.variant, self.settings.hidden, records);
        plot::learning_curve(&folder.curve(), &title, self.rows())?;
        let (model, optimizer) = (self.trainer.model(), self.trainer.optimizer());
        checkpoint::write(&folder.checkpoint(), &self.state, model, optimizer)
    }
}
