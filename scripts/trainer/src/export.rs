//! From floating point to the engine's integers and back.

use movegen::chess::{AseanBoard, MakrukBoard};
use movegen::{Variant, makhos};
use search::eval::nnue::{BUCKETS, Features, Network, NetworkError, Parts, QA, QB, SCALE};

use crate::features::Decoder;
use crate::kernel::Shard;
use crate::model::{Layout, Model};
use crate::record::Record;

/// Scales of feature weights, output weights and output biases.
const SCALES: [f64; 3] = [QA as f64, QB as f64, (QA * QB) as f64];

/// Rounds the model to the engine's integers.
///
/// # Errors
/// If some position could overflow the engine's arithmetic.
pub fn quantised(model: &Model, description: String) -> Result<Network, NetworkError> {
    let layout = model.layout();
    let rounded = |place: usize, scale: f64| (f64::from(model.values()[place]) * scale).round();
    let [feature, output, bias] = SCALES;
    let row = |f| (0..layout.hidden()).map(move |unit| layout.feature_weight(f, unit));
    let features = |f| row(f).map(|place| rounded(place, feature) as i16);
    let bucket = |b| (0..2 * layout.hidden()).map(move |unit| layout.output_weight(b, unit));
    Network::new(Parts {
        variant: layout.variant(),
        hidden: layout.hidden(),
        description,
        feature_weights: (0..layout.inputs()).flat_map(features).collect(),
        feature_bias: features(layout.inputs()).collect(),
        output_weights: (0..BUCKETS)
            .flat_map(bucket)
            .map(|place| rounded(place, output) as i16)
            .collect(),
        output_bias: (0..BUCKETS).map(|b| rounded(layout.output_bias(b), bias) as i32).collect(),
    })
}

/// The model that a network was rounded from, but for the rounding. `variant` may be another game
/// than the network's if it has the same inputs. `None` if it has not.
pub fn dequantised(network: &Network, variant: Variant) -> Option<Model> {
    let parts = network.parts();
    let layout = Layout::new(variant, parts.hidden);
    if layout.inputs() != Layout::new(parts.variant, parts.hidden).inputs() {
        return None;
    }
    let mut model = Model::zero(layout);
    let mut set = |place: usize, value: f64, scale: f64| {
        model.values_mut()[place] = (value / scale) as f32;
    };
    let [feature, output, bias] = SCALES;
    let rows = parts.feature_weights.chunks_exact(parts.hidden).chain([&parts.feature_bias[..]]);
    for (f, row) in rows.enumerate() {
        for (unit, &weight) in row.iter().enumerate() {
            set(layout.feature_weight(f, unit), weight.into(), feature);
        }
    }
    for (b, weights) in parts.output_weights.chunks_exact(2 * parts.hidden).enumerate() {
        for (unit, &weight) in weights.iter().enumerate() {
            set(layout.output_weight(b, unit), weight.into(), output);
        }
    }
    for (b, &value) in parts.output_bias.iter().enumerate() {
        set(layout.output_bias(b), value.into(), bias);
    }
    Some(model)
}

/// How far the rounded network is from the model.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RoundingError {
    /// Records compared.
    pub records: usize,
    /// Mean of the absolute differences, in centipawns.
    pub mean: f64,
    /// The largest absolute difference, in centipawns.
    pub max: f64,
}

/// Compares the rounded network with the model on records.
pub fn rounding_error(model: &Model, network: &Network, records: &[Record]) -> RoundingError {
    let value = match network.variant() {
        Variant::Makruk => value::<MakrukBoard>,
        Variant::Asean => value::<AseanBoard>,
        Variant::Makhos => value::<makhos::Board>,
    };
    let mut shard = Shard::new(model, Decoder::of(model.layout().variant()));
    let mut error = RoundingError { records: records.len(), ..RoundingError::default() };
    shard.test(model, records, 0.0, |record, output| {
        let exact = f64::from(output) * f64::from(SCALE);
        let difference = (exact - f64::from(value(network, record))).abs();
        error.mean += difference;
        error.max = error.max.max(difference);
    });
    error.mean /= records.len().max(1) as f64;
    error
}

fn value<P: Features>(network: &Network, record: &Record) -> i32
where
    P::Planes: AsMut<[u64]>,
{
    network.value_from_scratch::<P>(&record.planes(), record.mover())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::random_records;

    #[test]
    fn rounding_costs_little_and_coming_back_nothing() {
        for (variant, hidden) in [(Variant::Makruk, 64), (Variant::Makhos, 32)] {
            let model = Model::random(Layout::new(variant, hidden), 3);
            let network = quantised(&model, "a test".into()).unwrap();
            assert_eq!(network.description(), "a test");
            let records = random_records(variant, 500, 4);
            let error = rounding_error(&model, &network, &records);
            assert!(error.records == 500 && error.mean < 2.0 && error.max < 10.0, "{error:?}");
            let back = dequantised(&network, variant).unwrap();
            assert_eq!(quantised(&back, "a test".into()).unwrap(), network);
            // Without rounding, only the value itself is rounded.
            let error = rounding_error(&back, &network, &records);
            assert!(error.max < 0.51, "{error:?}");
        }
    }

    #[test]
    fn asean_networks_may_start_from_makruk_but_not_from_makhos() {
        let makruk = Model::random(Layout::new(Variant::Makruk, 32), 3);
        let network = quantised(&makruk, String::new()).unwrap();
        let asean = dequantised(&network, Variant::Asean).unwrap();
        assert_eq!(asean.layout().variant(), Variant::Asean);
        assert!(dequantised(&network, Variant::Makhos).is_none());
    }

    #[test]
    fn what_would_overflow_is_not_exported() {
        let mut model = Model::zero(Layout::new(Variant::Makhos, 32));
        let place = model.layout().output_weight(0, 0);
        model.values_mut()[place] = 0.525; // 134.4 at the scale of 256
        assert_eq!(quantised(&model, String::new()), Err(NetworkError::OutputWeight(134)));
    }
}
