//! The trainer against an independent account of what it should do: `parity/parity.py` printed
//! these losses for the same records and first weights, in float64 and with a gradient of its own.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use movegen::Variant;
use trainer::games::read_records;
use trainer::kernel::Goal;
use trainer::model::{Layout, Model};
use trainer::optimizer::AdamW;
use trainer::trainer::Trainer;

const BATCH: usize = 64;

/// Losses of the first eight steps, each on records of its own.
fn losses(variant: Variant, hidden: usize, seed: u64, threads: usize) -> Vec<f64> {
    let file = format!("{}.records", variant.name());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let dataset = read_records(&path, variant).unwrap();
    let model = Model::random(Layout::new(variant, hidden), seed);
    let optimizer = AdamW::new(model.values().len(), 0.01);
    let mut trainer = Trainer::new(model, optimizer, threads).unwrap();
    let goal = Goal::of(0.3);
    dataset.training.chunks_exact(BATCH).map(|batch| trainer.step(batch, goal, 1e-3)).collect()
}

fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found / expected - 1.0).abs() < 5e-6, "{found:.9} instead of {expected:.9}");
    }
}

/// `parity.py tests/data/makruk.records makruk 64 64 1`
#[test]
fn makruk_losses_are_those_of_the_independent_program() {
    let expected = [
        0.055204772,
        0.062071538,
        0.047295782,
        0.045360609,
        0.062518071,
        0.038372933,
        0.038498397,
        0.024448045,
    ];
    assert_close(&losses(Variant::Makruk, 64, 1, 2), &expected);
}

/// `parity.py tests/data/makhos.records makhos 32 64 2`
#[test]
fn makhos_losses_are_those_of_the_independent_program() {
    let expected = [
        0.039383965,
        0.049911365,
        0.031634931,
        0.047047419,
        0.052004543,
        0.041640824,
        0.034750071,
        0.044593218,
    ];
    assert_close(&losses(Variant::Makhos, 32, 2, 1), &expected);
}
