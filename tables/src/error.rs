use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// What can be wrong with a table, or with the wish for one.
#[derive(Debug, Error)]
pub enum TableError {
    /// The text names no class.
    #[error("'{text}' names no class of endgames; they are written like {example}")]
    ClassName {
        /// The text.
        text: String,
        /// A name of the same game.
        example: &'static str,
    },
    /// A class is too large to be made, or the game has no tables of its kind.
    #[error("{name}: {reason}")]
    NotMade {
        /// The class.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// A table that another one is made from is missing.
    #[error("{name} is made from {needed}, which is missing")]
    Needs {
        /// The class to be made.
        name: String,
        /// The class it leads to.
        needed: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not what its name says.
    #[error("{path}: {fault}")]
    Fault {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        fault: FileFault,
    },
    /// Whoever asked for the work has stopped it.
    #[error("interrupted")]
    Interrupted,
    /// A distance does not fit the byte it is kept in.
    #[error("{name}: a result {plies} plies away does not fit a table")]
    TooFar {
        /// The class.
        name: String,
        /// The distance.
        plies: u16,
    },
}

/// What can be wrong with the bytes of a table's file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FileFault {
    /// It does not begin like a table.
    #[error("not a table of Hanuman's")]
    Foreign,
    /// It is of a later format.
    #[error("a table of format {found}; this program reads format {known}")]
    Format {
        /// What the file says.
        found: u32,
        /// What is known.
        known: u32,
    },
    /// It ends too early.
    #[error("cut off")]
    Truncated,
    /// Bytes have changed.
    #[error("damaged ({what})")]
    Damaged {
        /// Which part.
        what: String,
    },
    /// It holds something else than its name says.
    #[error("holds {found}")]
    Misnamed {
        /// What the header says.
        found: String,
    },
}
