//! Perft over the pieces alone: no keys, no clocks, the color a constant, compiled for this
//! processor.

use super::generate::{ChainRules, Side};
use super::pieces::Pieces;
use super::{Board, Move};
use crate::cpu::{self, Job, Level};
use crate::{Color, MoveList};

/// Leaves below a position. With `listing` the moves of the last ply are listed, as a search does,
/// and not only counted.
pub(super) fn leaves(board: &Board, depth: u32, listing: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (pieces, rules) = (&board.pieces, ChainRules::of(&board.rules));
    match (board.side, listing) {
        (Color::White, false) => cpu::dispatch(Node::<true, false> { pieces, rules, depth }),
        (Color::White, true) => cpu::dispatch(Node::<true, true> { pieces, rules, depth }),
        (Color::Black, false) => cpu::dispatch(Node::<false, false> { pieces, rules, depth }),
        (Color::Black, true) => cpu::dispatch(Node::<false, true> { pieces, rules, depth }),
    }
}

/// One node of the tree, at least one ply above the leaves.
struct Node<'a, const WHITE: bool, const LISTING: bool> {
    pieces: &'a Pieces,
    rules: ChainRules,
    depth: u32,
}

impl<const WHITE: bool, const LISTING: bool> Node<'_, WHITE, LISTING> {
    /// Leaves below the moves of the list.
    #[inline(always)]
    fn below<L: Level>(&self, moves: &MoveList<Move>, level: L) -> u64 {
        let (rules, depth) = (self.rules, self.depth - 1);
        let mut leaves = 0;
        for &m in moves {
            let mut child = *self.pieces;
            child.play(Side::<WHITE>::COLOR, m);
            let pieces = &child;
            leaves += if WHITE {
                level.enter(Node::<false, LISTING> { pieces, rules, depth })
            } else {
                level.enter(Node::<true, LISTING> { pieces, rules, depth })
            };
        }
        leaves
    }
}

impl<const WHITE: bool, const LISTING: bool> Job for Node<'_, WHITE, LISTING> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Level>(self, level: L) -> u64 {
        let side = Side::<WHITE>::new(self.pieces, self.rules);
        if self.depth == 1 && !LISTING {
            return u64::from(side.count());
        }
        let mut moves = MoveList::new();
        side.moves(&mut moves);
        if self.depth == 1 { moves.len() as u64 } else { self.below(&moves, level) }
    }
}
