//! Makhos: captures are compulsory and zugzwang is everywhere, so nothing is gained by passing,
//! and few moves are left to prune.

use movegen::Position;
use movegen::makhos::{Board, Move};

use crate::eval::{Guided, MakhosEval};
use crate::game::{Game, MakhosGame};
use crate::params::{Params, ProbCut};
use crate::policy::SearchPolicy;

impl Game for MakhosGame {
    type Pos = Board;
    type Eval = Guided<Board, MakhosEval>;
    type Policy = MakhosPolicy;
}

/// How Makhos is searched.
#[derive(Clone, Copy, Debug)]
pub enum MakhosPolicy {}

/// Worth of the captured pieces, in men; a king counts three.
fn captured_worth(board: &Board, m: Move) -> i32 {
    let kings = m.captured() & board.kings(!board.side_to_move());
    (m.captured().count_ones() + 2 * kings.count_ones()) as i32
}

/// Whether a move crowns a man.
fn crowns(board: &Board, m: Move) -> bool {
    let us = board.side_to_move();
    board.men(us) & m.from().bit() != 0 && m.to().bit() & Board::crown_rank(us) != 0
}

impl SearchPolicy<Board> for MakhosPolicy {
    const PARAMS: Params = Params {
        null_move: false,
        null_at_all_nodes: false,
        hindsight: false,
        threat_history: false,
        null_margin: 0,
        null_per_ply: 0,
        null_base: 3,
        null_depth: 3,
        null_surplus: 200,
        rfp_depth: 4,
        rfp_per_ply: 40,
        razor_depth: 0,
        razor_base: 250,
        razor_per_ply: 200,
        futility_depth: 2,
        futility_base: 80,
        futility_per_ply: 60,
        lmp_depth: 0,
        lmp_base: 3,
        lmp_loss: 0,
        see_quiet: 0,
        check_replies: 0,
        see_tactical: 0,
        delta: 0,
        prob_cut: ProbCut::SamePosition { from_depth: 3, per_ply: 10 },
        lmr_depth: 2,
        lmr_from: [2, 4],
        lmr_base: 0,
        lmr_divisor: 270,
        lmr_cut_node: 1024,
        lmr_not_improving: 512,
        lmr_table_tactical: 1024,
        lmr_pv: 1024,
        lmr_forcing: 1024,
        lmr_killer: 1024,
        lmr_history: 8_000,
        lmr_deeper: 60,
        reduce_forced: false,
        singular_depth: 8,
        singular_per_ply: 4,
        singular_double: 20,
        negative_extension: 1,
        single_reply_extension: true,
        staged: false,
        loose_above: u8::MAX,
        horizon: 25,
        ladder: &[
            (0, 600),
            (125, 689),
            (250, 847),
            (375, 1166),
            (500, 1525),
            (625, 1794),
            (750, 2049),
            (875, 2240),
            (1000, 2390),
        ],
        wdl: [110, 50],
    };

    fn tactical_score(board: &Board, m: Move) -> i32 {
        100 * captured_worth(board, m) + if crowns(board, m) { 150 } else { 0 }
    }

    fn tactical_class(board: &Board, m: Move) -> usize {
        captured_worth(board, m) as usize
    }

    fn tactical_gain(board: &Board, m: Move) -> i32 {
        100 * captured_worth(board, m) + if crowns(board, m) { 200 } else { 0 }
    }

    fn may_be_blocked(_: &Board) -> bool {
        true
    }

    fn threatened(board: &Board) -> bool {
        board.can_capture(!board.side_to_move())
    }

    fn is_critical(board: &Board, m: Move) -> bool {
        crowns(board, m)
    }

    /// One ply, two for moves after the fourth.
    fn reduction(_: &Params, depth: i32, number: usize) -> i32 {
        if depth < 2 || number < 2 {
            0
        } else if number <= 4 {
            1024
        } else {
            2048
        }
    }
}
