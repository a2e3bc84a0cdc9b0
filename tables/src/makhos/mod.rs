//! Databases of Makhos: who wins, and how many plies before the next capture or man move.
//!
//! A distance is that to the next event which restarts the quiet-move rule (or ends the game), so a
//! win that the rule would spoil is known as such. Positions in which the mover must capture are not
//! kept in the files: their captures lead to smaller classes.

mod build;
mod class;
mod library;
mod numbering;
mod probe;
mod table;

pub use build::{Builder, Plan};
pub use class::{Class, Force, MAX_PIECES};
pub use table::file_name;

pub(crate) use probe::Key;
pub(crate) use table::MakhosTable;

/// Quiet plies after which the standard rules draw a game.
const QUIET_PLIES: u32 = 50;
