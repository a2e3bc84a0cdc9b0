//! Opening books: the option `OwnBook` and the commands `hanuman book`.
//!
//! | module | what it does |
//! |---|---|
//! | `file` | the file: positions by their keys, and moves with weights |
//! | `choice` | which books are open: the option `BookFile` |
//! | `grow` | a book by searching |
//! | `gather` | a book from games |
//! | `args` | the command line |

mod args;
mod choice;
mod file;
mod gather;
mod grow;

use std::io;
use std::path::PathBuf;

use thiserror::Error;

pub use args::{BookArgs, run};
pub use choice::{BUILT_IN, Books, choose};
pub use file::{Book, BookFault, BookMove};

/// Why a command about books failed.
#[derive(Debug, Error)]
pub enum BookError {
    /// Output or input failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is no book.
    #[error("{path}: {fault}")]
    Fault {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        fault: BookFault,
    },
    /// The position cannot be read.
    #[error("bad FEN: {0}")]
    Fen(#[from] movegen::FenError),
    /// An argument has no meaning.
    #[error("{0}")]
    Argument(String),
}
