//! Tables of Makruk and ASEAN Chess, which know the count.
//!
//! Three kinds, after what a distance in them means (see [`Value`](crate::Value)):
//!
//! - **Against a bare king, without pawns:** plies to mate. The limit of a count is fixed when it
//!   begins, so a position is won exactly if the mate comes before the count is over: one table
//!   serves both games, every rule set and every count.
//! - **Pieces on both sides, no pawns:** plies to mate or to a capture that bares a king and is won
//!   under the count that begins with it. In Makruk other captures leave the running count alone; in
//!   ASEAN every capture restarts the 50-move rule.
//! - **With pawns:** plies to mate, or to a pawn move, promotion or capture after which the position
//!   is won under whatever count then begins.
//!
//! The last two kinds hold under the rule set `standard`.

mod build;
mod class;
mod layout;
mod moves;
mod probe;
mod table;

pub use build::{Plan, build};
pub use class::{Class, MAX_MEN};
pub use table::{Family, file_name};

pub(crate) use probe::signatures;
pub(crate) use table::ChessTable;
