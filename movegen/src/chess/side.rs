//! Colors as types, so that everything that depends on the side to move is folded away.

use crate::Color;

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;

/// A color known to the compiler.
pub(super) trait Side: Copy {
    /// The other color.
    type Other: Side;
    /// Which color.
    const COLOR: Color;

    /// One step straight ahead.
    #[inline(always)]
    fn forward(set: u64) -> u64 {
        match Self::COLOR {
            Color::White => set << 8,
            Color::Black => set >> 8,
        }
    }

    /// The square that [`Side::forward`] came from.
    #[inline(always)]
    fn backward(square: u32) -> u32 {
        match Self::COLOR {
            Color::White => square.wrapping_sub(8),
            Color::Black => square.wrapping_add(8),
        }
    }

    /// One step ahead and towards the a-file.
    #[inline(always)]
    fn forward_west(set: u64) -> u64 {
        match Self::COLOR {
            Color::White => (set & !A_FILE) << 7,
            Color::Black => (set & !A_FILE) >> 9,
        }
    }

    /// One step ahead and towards the h-file.
    #[inline(always)]
    fn forward_east(set: u64) -> u64 {
        match Self::COLOR {
            Color::White => (set & !H_FILE) << 9,
            Color::Black => (set & !H_FILE) >> 7,
        }
    }

    /// The square that [`Side::forward_west`] came from.
    #[inline(always)]
    fn from_west(square: u32) -> u32 {
        Self::backward(square).wrapping_add(1)
    }

    /// The square that [`Side::forward_east`] came from.
    #[inline(always)]
    fn from_east(square: u32) -> u32 {
        Self::backward(square).wrapping_sub(1)
    }
}

#[derive(Clone, Copy)]
pub(super) struct White;
#[derive(Clone, Copy)]
pub(super) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
}

/// One step diagonally, every way.
#[inline(always)]
pub(super) fn diagonals(set: u64) -> u64 {
    let (west, east) = ((set & !A_FILE) >> 1, (set & !H_FILE) << 1);
    let sides = west | east;
    sides << 8 | sides >> 8
}
