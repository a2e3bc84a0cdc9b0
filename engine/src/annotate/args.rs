//! The command line of `hanuman annotate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::AnnotateError;
use super::review::Limit;
use crate::game_args::GameArgs;
use crate::settings::Settings;
use crate::workers::cores;

/// Nodes of each search, unless the arguments say otherwise.
const NODES: u64 = 100_000;

/// Add evaluations, better moves and counts to games
#[derive(Args, Clone, Debug)]
pub struct AnnotateArgs {
    /// A file of games, PGN or PDN; '-' reads standard input
    #[arg(value_name = "FILE")]
    pub(super) input: PathBuf,
    /// For games that do not say which game or rules they are
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// Add the games to this file instead of standard
    /// output; games that are there already are not
    /// looked at again
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    pub(super) out: Option<PathBuf>,
    /// One JSON object a game and line
    #[arg(long)]
    pub(super) json: bool,
    /// Draw the evaluation and the count of every game
    /// into this folder
    #[arg(long, value_name = "FOLDER", verbatim_doc_comment)]
    pub(super) svg: Option<PathBuf>,
    /// Nodes for every position [default: 100000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for every position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Time for every position
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Games at a time [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
}

impl AnnotateArgs {
    pub(super) fn settings(&self) -> Result<Settings, AnnotateError> {
        let mut settings = self.game.settings().map_err(AnnotateError::Argument)?;
        settings.search.analyse = true;
        settings.search.threads = 1;
        Ok(settings)
    }

    /// What the games come from, for the tag that says so.
    pub(super) fn source(&self) -> String {
        let name = self.input.file_name().unwrap_or(self.input.as_os_str());
        crate::report::one_line(&name.to_string_lossy().replace(['"', '\\'], "'"), 200)
    }

    pub(super) fn limit(&self) -> Limit {
        let none = self.depth.is_none() && self.movetime.is_none();
        Limit {
            nodes: self.nodes.or(none.then_some(NODES)),
            depth: self.depth,
            time: self.movetime.map(Duration::from_millis),
        }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}
