//! Makruk and ASEAN Chess: slow pieces and one slider, so margins are wide and quiet threats take
//! two moves.

use movegen::chess::{
    Asean, AseanBoard, Bitboard, Board, Makruk, MakrukBoard, MakrukStraight, MakrukStraightBoard,
    Move, PieceType, Rules,
};
use movegen::{Color, Position};

use crate::eval::{ChessEval, Guided, attacked};
use crate::game::{AseanGame, Game, MakrukGame, MakrukStraightGame};
use crate::ordering::see::{VALUES, promotion_gain, see_ge};
use crate::params::{Params, ProbCut};
use crate::policy::SearchPolicy;

/// Quiet checks that lose no material are tried early.
const CHECK_BONUS: i32 = 10_000;
/// Exchange loss up to which a check counts as safe.
const CHECK_RISK: i32 = -70;

/// Moves of king and pawns up to which a piece beside them may be given away for a stalemate: the
/// man that takes it can guard as many squares.
const FEW_MOVES: usize = 3;

/// How the chess games are searched.
#[derive(Clone, Copy, Debug)]
pub enum ChessPolicy {}

/// Makruk's constants, and what ASEAN starts from.
const MAKRUK: Params = Params {
    null_move: true,
    null_at_all_nodes: false,
    hindsight: true,
    threat_history: true,
    null_margin: 90,
    null_per_ply: 8,
    null_base: 3,
    null_depth: 3,
    null_surplus: 200,
    rfp_depth: 8,
    rfp_per_ply: 75,
    razor_depth: 3,
    razor_base: 250,
    razor_per_ply: 200,
    futility_depth: 5,
    futility_base: 90,
    futility_per_ply: 80,
    lmp_depth: 7,
    lmp_base: 3,
    lmp_loss: 150,
    see_quiet: 55,
    check_replies: 2,
    see_tactical: 25,
    delta: 150,
    prob_cut: ProbCut::Tactical { from_depth: 5, margin: 180 },
    lmr_depth: 3,
    lmr_from: [2, 4],
    lmr_base: 820,
    lmr_divisor: 270,
    lmr_cut_node: 1024,
    lmr_not_improving: 512,
    lmr_table_tactical: 1024,
    lmr_pv: 1024,
    lmr_forcing: 1024,
    lmr_killer: 1024,
    lmr_history: 8_000,
    lmr_deeper: 60,
    reduce_forced: true,
    singular_depth: 6,
    singular_per_ply: 2,
    singular_double: 20,
    negative_extension: 2,
    single_reply_extension: false,
    staged: true,
    loose_above: u8::MAX,
    horizon: 45,
    ladder: &[
        (0, 600),
        (125, 815),
        (250, 995),
        (375, 1153),
        (450, 1512),
        (500, 1715),
        (550, 1970),
        (625, 2406),
        (675, 2610),
        (750, 3050),
        (800, 3340),
        (875, 3580),
        (1000, 3850),
    ],
    wdl: [220, 95],
};

const ASEAN: Params = Params {
    check_replies: 0,
    loose_above: 48,
    horizon: 40,
    ladder: &[
        (0, 600),
        (125, 780),
        (250, 982),
        (375, 1210),
        (450, 1529),
        (500, 1848),
        (550, 2149),
        (625, 2619),
        (675, 2920),
        (750, 3356),
        (800, 3694),
        (875, 3874),
        (1000, 4150),
    ],
    wdl: [180, 90],
    ..MAKRUK
};

/// The constants of each chess game.
trait Constants: Rules {
    const PARAMS: Params;
}

impl Constants for Makruk {
    const PARAMS: Params = MAKRUK;
}

impl Constants for MakrukStraight {
    const PARAMS: Params = MAKRUK;
}

impl Constants for Asean {
    const PARAMS: Params = ASEAN;
}

macro_rules! chess_games {
    ($($game:ident $board:ident),+) => {$(
        impl Game for $game {
            type Pos = $board;
            type Eval = Guided<$board, ChessEval>;
            type Policy = ChessPolicy;
        }
    )+};
}

chess_games!(MakrukGame MakrukBoard, MakrukStraightGame MakrukStraightBoard, AseanGame AseanBoard);

/// What a tactical move adds to the mover's material if nothing is taken back.
fn gain<R: Rules>(board: &Board<R>, m: Move) -> i32 {
    let victim = board.captured(m).map_or(0, |piece| VALUES[piece.index()]);
    victim + promotion_gain(m)
}

/// The mover's men that are neither king nor pawn.
fn pieces<R: Rules>(board: &Board<R>) -> Bitboard {
    let us = board.side_to_move();
    board.of_color(us) & !(board.of(us, PieceType::King) | board.of(us, PieceType::Pawn))
}

impl<R: Constants> SearchPolicy<Board<R>> for ChessPolicy
where
    Board<R>: Position<Move = Move>,
{
    const PARAMS: Params = R::PARAMS;

    fn tactical_score(board: &Board<R>, m: Move) -> i32 {
        gain(board, m)
    }

    /// The kind of man captured, or the last class for a mere promotion.
    fn tactical_class(board: &Board<R>, m: Move) -> usize {
        board.captured(m).map_or(PieceType::COUNT, PieceType::index)
    }

    fn tactical_gain(board: &Board<R>, m: Move) -> i32 {
        gain(board, m)
    }

    fn see_ge(board: &Board<R>, m: Move, threshold: i32) -> bool {
        see_ge(board, m, threshold)
    }

    fn quiet_bonus(board: &Board<R>, m: Move) -> i32 {
        if board.gives_check(m) && see_ge(board, m, CHECK_RISK) { CHECK_BONUS } else { 0 }
    }

    fn is_forcing(board: &Board<R>, m: Move) -> bool {
        board.gives_check(m)
    }

    fn corners(board: &Board<R>, m: Move, replies: i32) -> bool {
        replies > 0
            && board.gives_check(m)
            && board.play_unchecked(m).count_moves() <= u64::from(replies.unsigned_abs())
    }

    /// With a man that moves freely, zugzwang is rare.
    fn may_pass(board: &Board<R>) -> bool {
        let us = board.side_to_move();
        [PieceType::Rook, PieceType::Knight, PieceType::Khon]
            .into_iter()
            .any(|piece| !board.of(us, piece).is_empty())
    }

    fn may_be_blocked(board: &Board<R>) -> bool {
        pieces(board).is_empty()
    }

    fn has_desperado(board: &Board<R>) -> bool {
        let last = pieces(board);
        let others = || board.legal_moves().iter().filter(|m| !last.has(m.from())).count();
        last.len() == 1 && others() <= FEW_MOVES
    }

    fn offers_stalemate(board: &Board<R>, m: Move) -> bool {
        if !pieces(board).has(m.from()) {
            return false;
        }
        let child = board.play_unchecked(m);
        child
            .legal_moves()
            .into_iter()
            .any(|reply| reply.to() == m.to() && !child.play_unchecked(reply).has_legal_move())
    }

    fn cannot_win(board: &Board<R>, color: Color) -> bool {
        board.is_bare(color)
    }

    fn attacked(board: &Board<R>) -> u64 {
        attacked(board, !board.side_to_move()).0
    }

    /// A pawn about to promote.
    fn is_critical(board: &Board<R>, m: Move) -> bool {
        m.piece() == PieceType::Pawn
            && m.to().relative(board.side_to_move()).rank() + 1 >= R::PROMOTION_RANK
    }

    /// Linear in the logarithms of the depth and the move number.
    fn reduction(params: &Params, depth: i32, number: usize) -> i32 {
        if depth < 2 || number < 2 {
            return 0;
        }
        let logarithms = ln(depth.unsigned_abs()) * ln(number as u32);
        let divisor = u64::from(params.lmr_divisor.unsigned_abs().max(1));
        params.lmr_base + (logarithms * 100 / divisor / 1024) as i32
    }
}

/// 1024 times the natural logarithm, in integers, so that every machine reduces alike.
fn ln(n: u32) -> u64 {
    let n = n.max(1);
    let whole = n.ilog2();
    // The fraction of the binary logarithm, bit by bit: squaring doubles the logarithm.
    let mut mantissa = (u64::from(n) << 31) >> whole;
    let mut fraction = 0;
    for _ in 0..16 {
        mantissa = (mantissa * mantissa) >> 31;
        fraction <<= 1;
        if mantissa >> 32 != 0 {
            mantissa >>= 1;
            fraction |= 1;
        }
    }
    let binary = u64::from(whole) << 16 | fraction;
    // ln 2 = 0.693147
    (binary * 693_147 * 1024 / 1_000_000) >> 16
}

#[cfg(test)]
mod tests {
    use movegen::ChessRules;

    use super::*;

    #[test]
    fn desperados_are_recognised() {
        for (fen, has, offers) in [
            // Next to the king, who frees nobody by taking; not before the khon, who frees a pawn.
            ("6k1/6MR/6M1/4Mp1p/5S1P/1r4P1/K7/8 b - - 25 71", true, vec!["b3a3", "b3b1", "b3b2"]),
            // The rook that takes guards the other squares of the king.
            ("8/8/5m1k/5p1p/5P1K/3R4/8/1r6 w - - 0 1", true, vec!["d3b3"]),
            // Two pieces, or a king that walks about.
            ("6k1/6MR/6M1/4Mp1p/5S1P/1r2n1P1/K7/8 b - - 25 71", false, vec![]),
            ("8/3k4/8/8/3r4/8/K7/8 b - - 0 1", false, vec![]),
        ] {
            let board = MakrukBoard::from_fen(fen, ChessRules::STANDARD).unwrap();
            assert_eq!(ChessPolicy::has_desperado(&board), has, "{fen}");
            let mut found: Vec<String> = board
                .legal_moves()
                .into_iter()
                .filter(|&m| has && ChessPolicy::offers_stalemate(&board, m))
                .map(|m| board.move_text(m))
                .collect();
            found.sort();
            assert_eq!(found, offers, "{fen}");
        }
    }

    #[test]
    fn integer_logarithms_are_right() {
        for n in 1..200_u32 {
            let exact = f64::from(n).ln() * 1024.0;
            assert!((ln(n) as f64 - exact).abs() < 2.0, "{n}: {} {exact}", ln(n));
        }
    }

    #[test]
    fn reductions_grow() {
        let reduction = |depth, number| {
            <ChessPolicy as SearchPolicy<MakrukBoard>>::reduction(&MAKRUK, depth, number)
        };
        for depth in 2..40 {
            for number in 2..40 {
                assert!(reduction(depth, number) <= reduction(depth + 1, number));
                assert!(reduction(depth, number) <= reduction(depth, number + 1));
            }
        }
        assert!((1024..4096).contains(&reduction(10, 10)));
    }
}
