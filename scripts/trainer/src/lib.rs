//! Trains Hanuman's evaluation networks from self-play games.
//!
//! What a network sees and how its integers are computed is defined by `search::eval::nnue`, for
//! the engine and the trainer alike. Here are the floating-point model ([`model`]), its gradient
//! ([`kernel`]), the optimiser, the training positions ([`record`], [`dataset`]) and the way from
//! floating point to a network file ([`export`]).
//!
//! A run is reproducible bit for bit from its seed, whatever the number of threads: every batch is
//! cut into the same shards, and their gradients are added in the same order.

pub mod checkpoint;
pub mod cli;
pub mod dataset;
pub mod error;
pub mod export;
pub mod features;
pub mod games;
pub mod kernel;
pub mod material;
pub mod model;
pub mod optimizer;
pub mod plot;
pub mod record;
pub mod run;
pub mod stream;
pub mod synthetic;
pub mod trainer;
