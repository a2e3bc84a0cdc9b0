//! Counting the leaves of the move tree: the proof of a move generator.

use crate::{MoveList, Position};

/// Number of leaves at `depth` plies. The last ply is counted, not listed
/// ([`Position::count_moves`]).
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let mut moves = MoveList::new();
            position.generate(&mut moves);
            moves.iter().map(|&m| perft(&position.play_unchecked(m), depth - 1)).sum()
        }
    }
}

/// As [`perft`], but every leaf's move is listed, as a search does.
pub fn perft_listing<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    position.generate(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&m| perft_listing(&position.play_unchecked(m), depth - 1)).sum()
}

/// The leaves below each legal move, in generation order. Empty at depth 0.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    moves.iter().map(|&m| (m, perft(&position.play_unchecked(m), depth - 1))).collect()
}
