//! Exact endgame tables: made once, kept in compressed files, looked up by the search.
//!
//! - [`chess`]: Makruk and ASEAN Chess, distances that know the count.
//! - [`makhos`]: Makhos, distances that know the quiet-move rule.
//!
//! [`Tables`] is a set of open tables. This crate knows rules (from `movegen`) and files, but no
//! search, no protocol and no words for people.

pub mod chess;
pub mod file;
pub mod makhos;

mod blocks;
mod embedded;
mod error;
mod exits;
mod store;
mod tabulated;
mod value;
mod verify;

pub use embedded::built_in;
pub use error::{FileFault, TableError};
pub use store::Tables;
pub use tabulated::{Tabulated, best_moves, distance_of_move, result_of, value_of_move};
pub use value::Value;
pub use verify::{Check, Difference, derived_value};

/// Who looks on while long work is done.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Whether the work is no longer wanted.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
    /// Told how much is done, and of how much.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

/// What the names of table files end with.
pub const EXTENSION: &str = "table";
