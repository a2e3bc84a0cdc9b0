//! The arithmetic of a network, written plainly: what every faster way is compared with.

use movegen::Color;

use super::network::Line;
use super::{Features, Network, QA, QB, SCALE};

/// What `sum + QA * bias` is divided by for `SCALE` times the output.
const DIVISOR: i64 = QA as i64 * QA as i64 * QB as i64;

/// The value, in centipawns, of an output whose products have this sum: see the
/// [module](super) for the rounding.
#[inline]
pub(super) fn centipawns(sum: i32, bias: i32) -> i32 {
    let scaled = (i64::from(sum) + i64::from(QA) * i64::from(bias)) * i64::from(SCALE);
    let half = if scaled < 0 { -DIVISOR / 2 } else { DIVISOR / 2 };
    // Below 2^31: the products are at most 2^31, the bias 2^31 times QA; divided by 10,404.
    ((scaled + half) / DIVISOR) as i32
}

impl Network {
    /// The value of the position with these men from the side of `mover`, in centipawns, computed
    /// from scratch and slowly. It is not bounded. 0 if the network plays another game.
    pub fn value_from_scratch<P: Features>(&self, planes: &P::Planes, mover: Color) -> i32 {
        if self.expect_game(P::VARIANT).is_err() {
            return 0;
        }
        let bucket = P::bucket(planes);
        let (own, other) = self.output_weights(bucket).split_at(self.lines());
        let sum = [(mover, own), (!mover, other)]
            .map(|(perspective, weights)| {
                let mut accumulator = self.feature_bias().to_vec();
                P::for_each_active(planes, perspective, |feature| {
                    add(&mut accumulator, self.feature_weights(feature));
                });
                dot(&accumulator, weights)
            })
            .into_iter()
            .fold(0, i32::wrapping_add);
        centipawns(sum, self.output_bias(bucket))
    }
}

fn add(accumulator: &mut [Line], weights: &[Line]) {
    for (line, weights) in accumulator.iter_mut().zip(weights) {
        for (sum, &weight) in line.0.iter_mut().zip(&weights.0) {
            *sum = sum.wrapping_add(weight);
        }
    }
}

fn dot(accumulator: &[Line], weights: &[Line]) -> i32 {
    let mut sum = 0_i32;
    for (line, weights) in accumulator.iter().zip(weights) {
        for (&unit, &weight) in line.0.iter().zip(&weights.0) {
            let clipped = i32::from(unit).clamp(0, QA);
            sum = sum.wrapping_add(clipped * clipped * i32::from(weight));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use movegen::chess::MakrukBoard;
    use movegen::makhos;
    use movegen::{ChessRules, MakhosRules, Position, Variant};

    use super::super::Parts;
    use super::super::random::random_network;
    use super::*;

    #[test]
    fn values_are_rounded_to_the_nearest() {
        let (unit, half) = (41_616, 20_808); // QA * QA * QB / SCALE of the sum is a centipawn.
        assert_eq!(DIVISOR / i64::from(SCALE), unit);
        for (sum, value) in [
            (0, 0),
            (half - 1, 0),
            (half, 1),
            (unit, 1),
            (unit + half - 1, 1),
            (unit + half, 2),
            (i64::from(i32::MAX), 51_602),
        ] {
            assert_eq!(centipawns(sum as i32, 0), value);
            assert_eq!(centipawns(-sum as i32, 0), -value);
        }
        // An output of 1 is 400 centipawns, 65,280 at the scale of biases.
        assert_eq!(centipawns(0, 65_280), 400);
        assert_eq!(centipawns(-unit as i32, 65_280), 399);
        assert_eq!(centipawns(i32::MAX, i32::MAX), 13_210_203);
        assert_eq!(centipawns(i32::MIN, i32::MIN), -13_210_203);
    }

    #[test]
    fn a_network_worked_out_by_hand() {
        // Unit 0 counts own men less enemy kings by 100, from 30; unit 1 is out of reach.
        let mut parts = Parts {
            variant: Variant::Makhos,
            hidden: 32,
            description: String::new(),
            feature_weights: vec![0; 128 * 32],
            feature_bias: vec![0; 32],
            output_weights: vec![0; 8 * 64],
            output_bias: vec![1000; 8],
        };
        parts.feature_bias[0] = 30;
        parts.feature_bias[1] = -1;
        for square in 0..32 {
            parts.feature_weights[square * 32] = 100;
            parts.feature_weights[(3 * 32 + square) * 32] = -100;
        }
        // Bucket 2: 5 or 6 men.
        parts.output_weights[128] = 50;
        parts.output_weights[129] = 127;
        parts.output_weights[128 + 32] = -20;
        let network = Network::new(parts).unwrap();
        // White sees 2 men and a king against: 130; Black sees 3 men: 330, clipped to 255.
        let fen = "W:W29,30:B1,2,3,K17";
        let board = makhos::Board::from_fen(fen, MakhosRules::STANDARD).unwrap();
        let white = centipawns(130 * 130 * 50 - 255 * 255 * 20, 1000);
        let black = centipawns(255 * 255 * 50 - 130 * 130 * 20, 1000);
        assert_eq!((white, black), (-5, 76));
        let planes = board.planes();
        let value = |mover| network.value_from_scratch::<makhos::Board>(&planes, mover);
        assert_eq!(value(Color::White), white);
        assert_eq!(value(Color::Black), black);
        let chess = MakrukBoard::start(ChessRules::STANDARD);
        assert_eq!(network.value_from_scratch::<MakrukBoard>(&chess.planes(), Color::White), 0);
    }

    #[test]
    fn both_players_judge_alike() {
        let network = random_network(Variant::Makruk, 64, 3).unwrap();
        let fen = "2r1k2r/3n4/1p1p1n2/P1P1P3/1p3p1p/P1N3P1/3S4/R2K3R w - - 0 1";
        let board = MakrukBoard::from_fen(fen, ChessRules::STANDARD).unwrap();
        let value = |board: &MakrukBoard| {
            network.value_from_scratch::<MakrukBoard>(&board.planes(), board.side_to_move())
        };
        assert_ne!(value(&board), 0);
        assert_eq!(value(&board), value(&board.flipped()));
        let planes = board.planes();
        let mirrored = planes.map(|set| set.reverse_bits().swap_bytes());
        for mover in Color::ALL {
            let value = |planes| network.value_from_scratch::<MakrukBoard>(planes, mover);
            assert_eq!(value(&planes), value(&mirrored));
        }
    }
}
