//! Zobrist keys.

use super::Square;
use crate::{Color, zobrist};

const ALL: [u64; 129] = zobrist::keys(0x4D61_6B68_6F73_3332);

/// `PIECES[2 * color + is king][square]`.
static PIECES: [[u64; Square::COUNT]; 4] = {
    let mut keys = [[0; Square::COUNT]; 4];
    let mut i = 0;
    while i < 128 {
        keys[i / 32][i % 32] = ALL[i];
        i += 1;
    }
    keys
};

pub(super) const BLACK_TO_MOVE: u64 = ALL[128];

#[inline(always)]
pub(super) const fn piece(color: Color, is_king: bool, square: Square) -> u64 {
    PIECES[2 * color.index() + is_king as usize][square.index()]
}
