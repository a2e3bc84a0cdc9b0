//! What the search does differently from game to game.

mod chess;
mod makhos;

pub use chess::ChessPolicy;
pub use makhos::MakhosPolicy;
