use std::marker::PhantomData;

use super::{Bitboard, PieceType, Rules};
use crate::Color;

/// A position of Makruk or ASEAN Chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board<R: Rules> {
    pieces: [Bitboard; PieceType::COUNT],
    colors: [Bitboard; 2],
    rules: PhantomData<R>,
}

impl<R: Rules> Board<R> {
    /// All men of a kind, both colors.
    #[inline(always)]
    pub fn of_type(&self, piece: PieceType) -> Bitboard {
        self.pieces[piece.index()]
    }

    /// All men of a color.
    #[inline(always)]
    pub fn of_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All men of a kind and color.
    #[inline(always)]
    pub fn of(&self, color: Color, piece: PieceType) -> Bitboard {
        self.pieces[piece.index()] & self.colors[color.index()]
    }
}
