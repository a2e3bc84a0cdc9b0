use std::fmt;

use super::{PieceType, Square};
use crate::GameMove;

/// A move of a chess game in 16 bits: from (6), to (6), kind (4). The kind names the man that moves
/// (0-5) or, from 6 on, what a pawn becomes, so that playing a move looks nothing
/// up.
///
/// A value made from arbitrary bits is harmless; ask
/// [`Position::is_legal`](crate::Position::is_legal).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// Kinds from here on are promotions: to met, khon, knight, rook.
    const PROMOTION: u16 = 6;

    /// A move that is no promotion.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, piece: PieceType) -> Self {
        Self::pack(from.index() as u32, to.index() as u32, piece as u16)
    }

    /// A pawn's move that makes it a `piece`; `piece` must be met, khon, knight or rook.
    #[inline(always)]
    pub const fn promote(from: Square, to: Square, piece: PieceType) -> Self {
        Self::pack(from.index() as u32, to.index() as u32, Self::promotion_kind(piece))
    }

    /// The move with these bits.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The bits; 0 is no legal move.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    #[inline(always)]
    pub(super) const fn promotion_kind(piece: PieceType) -> u16 {
        Self::PROMOTION - 1 + piece as u16
    }

    #[inline(always)]
    pub(super) const fn pack(from: u32, to: u32, kind: u16) -> Self {
        Self((from as u16 & 63) | (to as u16 & 63) << 6 | kind << 12)
    }

    /// The square it leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as usize)
    }

    /// The square it ends on.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index(self.0 as usize >> 6)
    }

    /// The man that moves, as it is before the move.
    #[inline(always)]
    pub const fn piece(self) -> PieceType {
        match self.0 >> 12 {
            1 => PieceType::Met,
            2 => PieceType::Khon,
            3 => PieceType::Knight,
            4 => PieceType::Rook,
            5 => PieceType::King,
            _ => PieceType::Pawn,
        }
    }

    /// What a pawn becomes, if it becomes anything.
    #[inline(always)]
    pub const fn promotion(self) -> Option<PieceType> {
        match self.0 >> 12 {
            6 => Some(PieceType::Met),
            7 => Some(PieceType::Khon),
            8 => Some(PieceType::Knight),
            9 => Some(PieceType::Rook),
            _ => None,
        }
    }

    /// Whether it is a promotion.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0 >> 12 >= Self::PROMOTION
    }

    /// The man that stands on [`Move::to`] afterwards.
    #[inline(always)]
    pub const fn placed(self) -> PieceType {
        match self.promotion() {
            Some(piece) => piece,
            None => self.piece(),
        }
    }

    /// Whether the kind is one of the ten in use.
    #[inline(always)]
    pub(super) const fn is_well_formed(self) -> bool {
        self.0 >> 12 < Self::PROMOTION + 4
    }
}

impl GameMove for Move {
    #[inline(always)]
    fn tag(self) -> u16 {
        self.0
    }

    #[inline(always)]
    fn from_index(self) -> usize {
        self.from().index()
    }

    #[inline(always)]
    fn to_index(self) -> usize {
        self.to().index()
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}{}", self.piece(), self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |piece| write!(f, "={piece:?}"))
    }
}
