//! `hanuman play`: a game between a person and the engine at a terminal.
//!
//! | module | what it does |
//! |---|---|
//! | `args` | the command line |
//! | `table` | the game: whose turn it is, what the person types |
//! | `opponent` | the engine's moves and hints |
//! | `draw` | the board |
//! | `words` | what is said, in English and Thai |

mod args;
mod draw;
mod opponent;
mod table;
mod words;

use std::io::{self, BufRead, IsTerminal, Write};

use movegen::FenError;
use thiserror::Error;

pub use args::PlayArgs;

use crate::networks::EvalFileError;

/// Why no game can be played.
#[derive(Debug, Error)]
pub enum PlayError {
    /// Input or output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An argument has no meaning.
    #[error("{0}")]
    Argument(String),
    /// The start position cannot be read.
    #[error("bad FEN: {0}")]
    Fen(#[from] FenError),
    /// The network that was asked for cannot be used.
    #[error("EvalFile {0}")]
    Network(#[from] EvalFileError),
}

/// Plays until the person has had enough.
///
/// # Errors
/// If it cannot begin, or nobody is there any more.
pub fn run(args: &PlayArgs) -> Result<(), PlayError> {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let color = io::stdout().is_terminal() && !refused && has_colors(std::env::var("TERM").ok());
    play(args, color, io::stdin().lock(), io::stdout())
}

/// Whether a terminal of this name (`TERM`; Windows gives none) shows the colors of the board.
fn has_colors(term: Option<String>) -> bool {
    term.is_none_or(|term| term != "dumb" && !term.starts_with("vt"))
}

/// Plays with a person who types into `input` and reads `out`.
///
/// # Errors
/// As [`run`].
pub fn play(
    args: &PlayArgs,
    color: bool,
    input: impl BufRead,
    out: impl Write,
) -> Result<(), PlayError> {
    table::Table::new(args, color, input, out)?.play()
}
