//! Makhos, Thai draughts, on its 32 squares.
//!
//! Source: the project's rule specification, Makhos. A move is one complete chain of captures, and
//! its identity is where it starts, where it ends and the set of pieces it takes.

mod board;
mod cycles;
mod fen;
mod generate;
mod keys;
mod lone_kings;
mod moves;
mod pieces;
mod position;
mod square;
mod text;
mod tree;

pub use board::Board;
pub use moves::Move;
pub use square::{
    Direction, FILE_A, FILE_H, RANK_1, RANK_8, Square, king_reach, man_steps, squares,
};
