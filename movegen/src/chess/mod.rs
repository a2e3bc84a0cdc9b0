//! Makruk and ASEAN Chess: one board, compiled once for each set of movement rules.

mod bitboard;
mod board;
mod rules;
mod square;

pub use bitboard::Bitboard;
pub use board::Board;
pub use rules::{Asean, Makruk, MakrukStraight, PieceType, Rules};
pub use square::Square;

/// Makruk with diagonal pawn captures.
pub type MakrukBoard = Board<Makruk>;
/// Makruk with straight pawn captures.
pub type MakrukStraightBoard = Board<MakrukStraight>;
/// ASEAN Chess.
pub type AseanBoard = Board<Asean>;
