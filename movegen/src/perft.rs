//! Counting the leaves of the move tree: the proof of a move generator.
//!
//! [`perft`] is what to call; a game may have a faster way ([`Position::perft`]). The walks here use
//! nothing but the contract that a search uses too, so the two ways check each other.

use crate::{MoveList, Position};

/// Number of leaves at `depth` plies. The last ply is counted, not listed.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    position.perft(depth)
}

/// As [`perft`], but every leaf's move is listed, as a search does.
pub fn perft_listing<P: Position>(position: &P, depth: u32) -> u64 {
    position.perft_listing(depth)
}

/// Number of leaves at `depth` plies through [`Position::generate`], [`Position::play_unchecked`]
/// and, at the last ply, [`Position::count_moves`].
pub fn walk<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let mut moves = MoveList::new();
            position.generate(&mut moves);
            moves.iter().map(|&m| walk(&position.play_unchecked(m), depth - 1)).sum()
        }
    }
}

/// As [`walk`], but the moves of the last ply are listed too.
pub fn walk_listing<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    position.generate(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&m| walk_listing(&position.play_unchecked(m), depth - 1)).sum()
}

/// The leaves below each legal move, in generation order. Empty at depth 0.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    moves.iter().map(|&m| (m, position.play_unchecked(m).perft(depth - 1))).collect()
}
