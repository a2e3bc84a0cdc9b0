//! Networks that count material and know nothing else: opponents to measure by.

use movegen::Variant;
use movegen::chess::PieceType;
use search::eval::nnue::{BUCKETS, HIDDEN_UNIT, Network, NetworkError, Parts, QA, Shape};

/// What a unit of the hidden layer stands at with equal material: the middle of its range.
const MIDDLE: i16 = (QA as i16 + 1) / 2;
/// Output weight of every unit. With 32 units a step is worth 25.2 centipawns.
const WEIGHT: i16 = 64;

/// Men's worth in steps of 25 centipawns, by kind.
const fn worth(variant: Variant) -> &'static [i16] {
    match variant {
        Variant::Makruk | Variant::Asean => {
            const WORTH: [i16; PieceType::COUNT] = {
                let mut worth = [0; PieceType::COUNT];
                worth[PieceType::Pawn.index()] = 4;
                worth[PieceType::Met.index()] = 7;
                worth[PieceType::Khon.index()] = 12;
                worth[PieceType::Knight.index()] = 15;
                worth[PieceType::Rook.index()] = 25;
                worth
            };
            &WORTH
        }
        Variant::Makhos => &[4, 12],
    }
}

/// A network whose value is the difference in material, 25 centipawns a step and within 1 % of
/// that, as far as no side is ahead by more than 127 steps.
///
/// A unit holds `MIDDLE + d` for the side that is `d` ahead and `MIDDLE - d` for the other; the
/// difference of their squares is `4 * MIDDLE * d`, linear in `d`.
///
/// # Errors
/// None with the values of this module; they are those of [`Network::new`].
pub fn material(variant: Variant) -> Result<Network, NetworkError> {
    let shape = Shape::of(variant);
    let hidden = HIDDEN_UNIT;
    let sides = [1, -1].into_iter();
    let kinds = sides.flat_map(|sign| worth(variant).iter().map(move |&worth| sign * worth));
    let outputs = [WEIGHT, -WEIGHT].map(|weight| vec![weight; hidden]).concat();
    Network::new(Parts {
        variant,
        hidden,
        description: "counts material".into(),
        feature_weights: kinds
            .flat_map(|w| std::iter::repeat_n(w, shape.squares * hidden))
            .collect(),
        feature_bias: vec![MIDDLE; hidden],
        output_weights: outputs.repeat(BUCKETS),
        output_bias: vec![0; BUCKETS],
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use movegen::chess::{AseanBoard, MakrukBoard};
    use movegen::{ChessRules, MakhosRules, makhos};
    use search::eval::nnue::{Accumulators, Features};

    use super::*;

    fn value<P: Features>(fen: &str, rules: P::Rules) -> i32 {
        let network = Arc::new(material(P::VARIANT).unwrap());
        let position = P::from_fen(fen, rules).unwrap();
        Accumulators::<P>::new(network).unwrap().value(&position)
    }

    #[test]
    fn material_is_counted_and_nothing_else() {
        let near = |value: i32, steps: i32| (value - 25 * steps).abs() * 100 <= 25 * steps.abs();
        for (fen, steps) in [
            ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", 0),
            ("1nsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", 25),
            ("1nsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR b - - 0 1", -25),
            ("4k3/8/8/3m4/8/8/2SN4/4K3 w - - 0 1", 20),
        ] {
            assert!(near(value::<MakrukBoard>(fen, ChessRules::STANDARD), steps), "{fen}");
        }
        let fen = "4k3/8/8/3q4/8/8/2RN4/4K3 b - - 0 1";
        assert!(near(value::<AseanBoard>(fen, ChessRules::STANDARD), -33));
        for (fen, steps) in [("W:W32,31:B1", 4), ("B:W32,31:B1", -4), ("W:WK32,31:BK1,2", 0)] {
            assert!(near(value::<makhos::Board>(fen, MakhosRules::STANDARD), steps), "{fen}");
        }
    }
}
