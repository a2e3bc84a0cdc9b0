//! What makes training impossible.

use std::io;
use std::path::{Path, PathBuf};

use engine::datagen::ReplayError;
use engine::datagen::games::GamesError;
use rayon::ThreadPoolBuildError;
use search::eval::nnue::NetworkError;
use thiserror::Error;

/// Why the trainer could not do its work.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainerError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A file of games cannot be read.
    #[error("{}: {error}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: GamesError,
    },
    /// A file of games names rules that do not exist.
    #[error("{}: its rules are unknown: {fault}", path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// A file of games contradicts the rules that it names.
    #[error("{}: {error}", path.display())]
    Replay {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: ReplayError,
    },
    /// A file of records or a checkpoint is damaged.
    #[error("{}: {fault}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: &'static str,
    },
    /// A file belongs to another game.
    #[error("{}: it is of {found}, not of {wanted}", path.display())]
    WrongGame {
        /// The file.
        path: PathBuf,
        /// Its game.
        found: String,
        /// The game that is trained.
        wanted: &'static str,
    },
    /// A network cannot be read or made.
    #[error("{}: {error}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: NetworkError,
    },
    /// Nothing to train on.
    #[error("of all games, no position is left to {0} on")]
    NoRecords(&'static str),
    /// The checkpoint was made with other settings or data.
    #[error(
        "{}: it belongs to a run with other {what}; give the run another folder, or begin anew \
         with --restart",
        path.display()
    )]
    OtherRun {
        /// The checkpoint.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// The loss is no number any more.
    #[error("the loss is not finite after {0} steps: the learning rate is too high")]
    Diverged(u64),
    /// The picture cannot be drawn.
    #[error("{}: {fault}", path.display())]
    Plot {
        /// The file.
        path: PathBuf,
        /// The cause.
        fault: String,
    },
    /// The threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(ThreadPoolBuildError),
}

impl TrainerError {
    /// For `map_err`: a fault of this file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::File { path: path.to_owned(), error }
    }
}
