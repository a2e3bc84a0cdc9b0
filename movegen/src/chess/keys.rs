//! Zobrist keys of the chess games. Makruk and ASEAN share them: no table ever holds both.

use super::{PieceType, Square};
use crate::{Color, zobrist};

const MEN: usize = 2 * PieceType::COUNT * 64;

static TABLE: [u64; MEN] = zobrist::keys(0x4861_6E75_6D61_6E01);

/// Black is to move.
pub(super) const SIDE: u64 = zobrist::keys::<1>(0x4861_6E75_6D61_6E02)[0];

/// A man on a square.
#[inline(always)]
pub(super) const fn man(color: Color, piece: PieceType, square: Square) -> u64 {
    TABLE[(color.index() * PieceType::COUNT + piece.index()) * 64 + square.index()]
}
