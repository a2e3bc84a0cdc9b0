use std::fmt;

use movegen::Variant;
use thiserror::Error;

use super::{BUCKETS, HIDDEN_UNIT, MAX_HIDDEN, MAX_OUTPUT_WEIGHT, QA, Shape};

/// The weights of a network in plain order, as a trainer makes them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The game.
    pub variant: Variant,
    /// `H`, the size of the hidden layer: a multiple of 32, at most 1,024.
    pub hidden: usize,
    /// How the network was trained, for people. At most 65,535 bytes.
    pub description: String,
    /// `inputs x H` weights at scale `QA`: the `H` weights of feature 0 first.
    pub feature_weights: Vec<i16>,
    /// `H` biases at scale `QA`.
    pub feature_bias: Vec<i16>,
    /// `8 x 2H` weights at scale `QB`, at most 127 in size: the `2H` weights of bucket 0 first,
    /// and of these the `H` for the side to move first.
    pub output_weights: Vec<i16>,
    /// 8 biases at scale `QA * QB`.
    pub output_bias: Vec<i32>,
}

/// What is wrong with a network or its file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// The file begins otherwise.
    #[error("this is no network file")]
    NotANetwork,
    /// A file of a version that this program does not read.
    #[error("network files of version {found} are unknown, only version {known} is read")]
    Version {
        /// The file's version.
        found: u8,
        /// The version that is read.
        known: u8,
    },
    /// A header that no network has.
    #[error("the header is damaged: {0}")]
    Header(&'static str),
    /// The file ends too early, or goes on.
    #[error("the file has {found} bytes instead of {expected}: it is truncated or damaged")]
    Length {
        /// Bytes that the header asks for.
        expected: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// The content has changed since it was written.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// A network of another game.
    #[error("the network plays {found}, not {wanted}")]
    WrongGame {
        /// The network's game.
        found: &'static str,
        /// The game that is played.
        wanted: &'static str,
    },
    /// A hidden layer of no possible size.
    #[error("the hidden layer cannot be {0} wide: multiples of 32 up to 1024 are possible")]
    Hidden(usize),
    /// Lists of weights whose lengths do not fit the hidden layer.
    #[error("there are {found} {what} instead of {expected}")]
    Count {
        /// Which list.
        what: &'static str,
        /// What it must have.
        expected: usize,
        /// What it has.
        found: usize,
    },
    /// A description too long for a file.
    #[error("the description has {0} bytes, more than 65535")]
    Description(usize),
    /// An output weight outside -127 to 127.
    #[error("output weight {0} is too large: at most 127 is possible")]
    OutputWeight(i16),
    /// A position might overflow 16 bits in the hidden layer.
    #[error("unit {unit} of the hidden layer may reach {reach}, which overflows 16 bits")]
    Accumulator {
        /// Index of the unit.
        unit: usize,
        /// The value that goes farthest beyond.
        reach: i32,
    },
    /// A position might overflow 32 bits in an output.
    #[error("output {bucket} may reach {reach}, which overflows 32 bits")]
    Output {
        /// Index of the output.
        bucket: usize,
        /// The value that goes farthest beyond.
        reach: i64,
    },
}

/// One cache line of 16-bit numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [i16; HIDDEN_UNIT]);

/// A network that cannot overflow, whatever the position.
///
/// Immutable; searching threads share it in an [`Arc`](std::sync::Arc).
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    variant: Variant,
    description: String,
    /// Lines of one accumulator.
    lines: usize,
    /// Rows of `lines` lines by feature.
    feature_weights: Box<[Line]>,
    feature_bias: Box<[Line]>,
    /// Rows of `2 * lines` lines by bucket.
    output_weights: Box<[Line]>,
    output_bias: [i32; BUCKETS],
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("variant", &self.variant)
            .field("hidden", &self.hidden())
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// Builds a network and checks it.
    ///
    /// # Errors
    /// If lengths do not fit, an output weight is too large, or some position could overflow the
    /// arithmetic.
    pub fn new(parts: Parts) -> Result<Self, NetworkError> {
        let Parts { variant, hidden, description, .. } = parts;
        if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(HIDDEN_UNIT) {
            return Err(NetworkError::Hidden(hidden));
        }
        if description.len() > usize::from(u16::MAX) {
            return Err(NetworkError::Description(description.len()));
        }
        let shape = Shape::of(variant);
        let count = |what, expected, found| {
            if found == expected {
                Ok(())
            } else {
                Err(NetworkError::Count { what, expected, found })
            }
        };
        count("feature weights", shape.inputs() * hidden, parts.feature_weights.len())?;
        count("feature biases", hidden, parts.feature_bias.len())?;
        count("output weights", BUCKETS * 2 * hidden, parts.output_weights.len())?;
        count("output biases", BUCKETS, parts.output_bias.len())?;
        check_accumulators(shape, &parts.feature_weights, &parts.feature_bias)?;
        for (bucket, weights) in parts.output_weights.chunks_exact(2 * hidden).enumerate() {
            check_output(bucket, weights)?;
        }
        let mut output_bias = [0; BUCKETS];
        output_bias.copy_from_slice(&parts.output_bias);
        Ok(Self {
            variant,
            description,
            lines: hidden / HIDDEN_UNIT,
            feature_weights: in_lines(&parts.feature_weights),
            feature_bias: in_lines(&parts.feature_bias),
            output_weights: in_lines(&parts.output_weights),
            output_bias,
        })
    }

    /// The weights in plain order; [`Network::new`] of them is the same network.
    pub fn parts(&self) -> Parts {
        Parts {
            variant: self.variant,
            hidden: self.hidden(),
            description: self.description.clone(),
            feature_weights: in_order(&self.feature_weights),
            feature_bias: in_order(&self.feature_bias),
            output_weights: in_order(&self.output_weights),
            output_bias: self.output_bias.to_vec(),
        }
    }

    /// The game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// `H`, the size of the hidden layer.
    pub fn hidden(&self) -> usize {
        self.lines * HIDDEN_UNIT
    }

    /// Number of features.
    pub fn inputs(&self) -> usize {
        Shape::of(self.variant).inputs()
    }

    /// How the network was trained, for people.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Lines of one accumulator.
    #[inline(always)]
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// Weights of a feature.
    #[inline(always)]
    pub(super) fn feature_weights(&self, feature: usize) -> &[Line] {
        row(&self.feature_weights, feature, self.lines)
    }

    #[inline(always)]
    pub(super) fn feature_bias(&self) -> &[Line] {
        &self.feature_bias
    }

    /// Weights of an output, for the side to move and then for the other.
    #[inline(always)]
    pub(super) fn output_weights(&self, bucket: usize) -> &[Line] {
        row(&self.output_weights, bucket, 2 * self.lines)
    }

    #[inline(always)]
    pub(super) fn output_bias(&self, bucket: usize) -> i32 {
        self.output_bias[bucket % BUCKETS]
    }

    /// Makes sure that the network plays this game.
    ///
    /// # Errors
    /// [`NetworkError::WrongGame`] if it plays another one.
    pub fn expect_game(&self, wanted: Variant) -> Result<(), NetworkError> {
        if self.variant == wanted {
            return Ok(());
        }
        Err(NetworkError::WrongGame { found: self.variant.name(), wanted: wanted.name() })
    }
}

/// Row `index` of a table with rows of `lines` lines.
#[inline(always)]
fn row(table: &[Line], index: usize, lines: usize) -> &[Line] {
    &table[index * lines..][..lines]
}

fn in_lines(weights: &[i16]) -> Box<[Line]> {
    let (lines, _) = weights.as_chunks();
    lines.iter().copied().map(Line).collect()
}

fn in_order(lines: &[Line]) -> Vec<i16> {
    lines.iter().flat_map(|line| line.0).collect()
}

/// No position may bring a unit beyond 16 bits: the bias and, of the extreme weight of each square,
/// the most extreme of as many squares as there can be men. (Partial sums may wrap; that does no
/// harm if the whole sum fits.)
fn check_accumulators(shape: Shape, weights: &[i16], bias: &[i16]) -> Result<(), NetworkError> {
    let hidden = bias.len();
    let mut extremes = vec![0; shape.squares];
    for (unit, &bias) in bias.iter().enumerate() {
        for sign in [1, -1] {
            for (square, extreme) in extremes.iter_mut().enumerate() {
                let of_plane = |plane: usize| {
                    let feature = plane * shape.squares + square;
                    sign * i32::from(weights[feature * hidden + unit])
                };
                *extreme = (0..2 * shape.kinds).map(of_plane).fold(0, i32::max);
            }
            extremes.sort_unstable_by(|a, b| b.cmp(a));
            let reach = sign * i32::from(bias) + extremes.iter().take(shape.max_men).sum::<i32>();
            if i16::try_from(sign * reach).is_err() {
                return Err(NetworkError::Accumulator { unit, reach: sign * reach });
            }
        }
    }
    Ok(())
}

/// No accumulator may bring an output beyond 32 bits.
fn check_output(bucket: usize, weights: &[i16]) -> Result<(), NetworkError> {
    if let Some(&weight) = weights.iter().find(|w| w.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16) {
        return Err(NetworkError::OutputWeight(weight));
    }
    for sign in [1, -1] {
        let sum: i64 = weights.iter().map(|&w| (sign * i64::from(w)).max(0)).sum();
        let reach = sign * sum * i64::from(QA * QA);
        if i32::try_from(reach).is_err() {
            return Err(NetworkError::Output { bucket, reach });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::random::{random_network, random_parts};
    use super::*;

    #[test]
    fn parts_come_back() {
        for (variant, hidden) in
            [(Variant::Makruk, 32), (Variant::Asean, 96), (Variant::Makhos, 1024)]
        {
            let parts = random_parts(variant, hidden, 1);
            let network = Network::new(parts.clone()).unwrap();
            assert_eq!(network.parts(), parts);
            assert_eq!((network.variant(), network.hidden()), (variant, hidden));
        }
    }

    fn fault(change: impl FnOnce(&mut Parts)) -> NetworkError {
        let mut parts = random_parts(Variant::Makhos, 32, 2);
        change(&mut parts);
        Network::new(parts).unwrap_err()
    }

    #[test]
    fn lengths_must_fit() {
        for hidden in [0, 31, 33, 1056, usize::MAX] {
            assert_eq!(fault(|p| p.hidden = hidden), NetworkError::Hidden(hidden));
        }
        let what = |error| match error {
            NetworkError::Count { what, .. } => what,
            other => panic!("{other}"),
        };
        assert_eq!(what(fault(|p| p.variant = Variant::Makruk)), "feature weights");
        assert_eq!(what(fault(|p| p.feature_bias.push(0))), "feature biases");
        assert_eq!(what(fault(|p| p.output_weights.truncate(9))), "output weights");
        assert_eq!(what(fault(|p| p.output_bias.clear())), "output biases");
        assert_eq!(
            fault(|p| p.description = "x".repeat(65_536)),
            NetworkError::Description(65_536)
        );
    }

    #[test]
    fn the_hidden_layer_may_use_16_bits_and_no_more() {
        // 24 men on squares of weight 1000 each, on the best plane of each square.
        let fill = |bias: i16, sign: i16| {
            let mut parts = random_parts(Variant::Makhos, 32, 3);
            parts.feature_weights.fill(0);
            parts.feature_bias.fill(0);
            for square in 0..32 {
                let plane = square % 4;
                parts.feature_weights[(plane * 32 + square) * 32 + 5] = sign * 1000;
            }
            parts.feature_bias[5] = bias;
            Network::new(parts)
        };
        assert!(fill(8767, 1).is_ok());
        assert!(fill(-8768, -1).is_ok());
        let over = NetworkError::Accumulator { unit: 5, reach: 32_768 };
        assert_eq!(fill(8768, 1).unwrap_err(), over);
        let under = NetworkError::Accumulator { unit: 5, reach: -32_769 };
        assert_eq!(fill(-8769, -1).unwrap_err(), under);
    }

    #[test]
    fn outputs_may_use_32_bits_and_no_more() {
        assert_eq!(fault(|p| p.output_weights[3] = 128), NetworkError::OutputWeight(128));
        assert_eq!(fault(|p| p.output_weights[3] = -128), NetworkError::OutputWeight(-128));
        assert_eq!(fault(|p| p.output_weights[3] = i16::MIN), NetworkError::OutputWeight(i16::MIN));
        // 33,025 = 260 * 127 + 5 is the largest sum of one sign.
        let fill = |last: i16, sign: i16| {
            let mut parts = random_parts(Variant::Makhos, 256, 4);
            parts.output_weights.fill(0);
            let second = &mut parts.output_weights[512..1024];
            second[..260].fill(sign * 127);
            second[260] = sign * last;
            second[261..].fill(sign * -80);
            Network::new(parts)
        };
        assert!(fill(5, 1).is_ok() && fill(5, -1).is_ok());
        for sign in [1, -1] {
            let reach = i64::from(sign) * 33_026 * 65_025;
            assert_eq!(fill(6, sign).unwrap_err(), NetworkError::Output { bucket: 1, reach });
        }
    }

    #[test]
    fn the_game_must_be_the_one_that_is_played() {
        let network = random_network(Variant::Makhos, 32, 5).unwrap();
        assert_eq!(network.expect_game(Variant::Makhos), Ok(()));
        let error = network.expect_game(Variant::Asean).unwrap_err();
        assert_eq!(error.to_string(), "the network plays makhos, not asean");
    }
}
