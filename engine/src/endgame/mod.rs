//! Endgame tables: the option `TablePath` and the commands `hanuman tables`.

mod args;
mod build;
mod info;
mod path;
mod probe;
mod sample;
mod verify;

use thiserror::Error;

pub use args::{TablesArgs, run};
pub use path::{BUILT_IN, NONE, open, open_aloud};

/// Why a command about tables failed.
#[derive(Debug, Error)]
pub enum EndgameError {
    /// A table is at fault.
    #[error(transparent)]
    Table(#[from] tables::TableError),
    /// Output or input failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The position cannot be read.
    #[error("bad FEN: {0}")]
    Fen(#[from] movegen::FenError),
    /// An argument has no meaning.
    #[error("{0}")]
    Argument(String),
    /// Tables are not what they should be; they have been named.
    #[error("{0}")]
    Faulty(String),
}
