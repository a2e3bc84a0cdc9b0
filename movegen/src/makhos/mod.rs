//! Makhos, Thai draughts, on its 32 squares.

mod board;

pub use board::Board;
