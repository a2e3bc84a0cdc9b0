//! Makruk and ASEAN Chess: one board, compiled once for each set of movement rules.

pub mod attacks;
mod bitboard;
mod board;
pub mod counting;
mod cycles;
mod draws;
mod fen;
mod generate;
mod keys;
mod men;
mod moves;
mod position;
mod rules;
mod side;
mod square;
mod text;
mod tree;

pub use bitboard::Bitboard;
pub use board::Board;
pub use counting::{Count, CountKind};
pub use moves::Move;
pub use rules::{Asean, Makruk, MakrukStraight, PieceType, Rules};
pub use square::Square;

/// Makruk with diagonal pawn captures.
pub type MakrukBoard = Board<Makruk>;
/// Makruk with straight pawn captures.
pub type MakrukStraightBoard = Board<MakrukStraight>;
/// ASEAN Chess.
pub type AseanBoard = Board<Asean>;
