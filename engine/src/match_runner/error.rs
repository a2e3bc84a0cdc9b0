//! What makes a match impossible.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a match could not be played, or not to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MatchError {
    /// An argument says something impossible.
    #[error("--{argument}: {fault}")]
    Argument {
        /// Name of the argument.
        argument: &'static str,
        /// What is wrong.
        fault: String,
    },
    /// An engine does not work or does not play the game.
    #[error("engine {name}: {fault}")]
    Engine {
        /// Its name or command.
        name: String,
        /// What is wrong.
        fault: String,
    },
    /// The opening file cannot be read.
    #[error("openings {path}: {error}")]
    Openings {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The opening file has faulty lines.
    #[error("openings {path}:\n  {faults}")]
    OpeningLines {
        /// The file.
        path: PathBuf,
        /// The faults, a line each.
        faults: String,
    },
    /// `--opening-plies` is too large.
    #[error("--opening-plies: there are too many positions after {plies} plies")]
    TooManyOpenings {
        /// Plies at which the limit was passed.
        plies: u32,
    },
    /// A file cannot be written.
    #[error("cannot write {path}: {error}")]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Ctrl-C.
    #[error("interrupted; games played to their end: {games}")]
    Interrupted {
        /// Games that were finished.
        games: u64,
    },
}
