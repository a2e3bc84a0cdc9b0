//! The command line of `hanuman tables`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use movegen::{Removal, Variant};
use tables::Tables;

use super::{EndgameError, build, info, path, probe, sample, verify};
use crate::game_args::{GameArgs, parse_variant};

/// Make, check and ask endgame tables
#[derive(Args, Debug)]
pub struct TablesArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Make tables; those that are there already are kept
    Build(BuildArgs),
    /// Check every file, and sample positions against the rules
    Verify(VerifyArgs),
    /// List tables
    Info(FolderArgs),
    /// The result of a position and of each of its moves
    Probe(ProbeArgs),
    /// Draw positions of a class that have a certain result
    Sample(SampleArgs),
}

/// Where tables are made, and looked for first.
pub(super) const DEFAULT_FOLDER: &str = "hanuman-tables";

/// Where tables are.
#[derive(Args, Debug)]
pub(super) struct FolderArgs {
    /// Folder of the tables
    #[arg(long, value_name = "FOLDER", default_value = DEFAULT_FOLDER)]
    pub(super) dir: PathBuf,
}

impl FolderArgs {
    /// That the folder can be read.
    pub(super) fn check(&self) -> Result<(), EndgameError> {
        let folder = self.dir.display();
        if !self.dir.exists() {
            let advice = "hanuman tables build makes tables";
            return Err(EndgameError::Argument(format!("there is no folder {folder}; {advice}")));
        }
        self.check_to_be_made()
    }

    /// That it is a folder, if it is there at all.
    pub(super) fn check_to_be_made(&self) -> Result<(), EndgameError> {
        if self.dir.is_file() {
            let folder = self.dir.display();
            return Err(EndgameError::Argument(format!("{folder} is a file, not a folder")));
        }
        Ok(())
    }
}

#[derive(Args, Debug)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    pub(super) folder: FolderArgs,
    /// makruk, asean or makhos
    #[arg(long, default_value = "makruk", value_parser = parse_variant)]
    pub(super) variant: Variant,
    /// Classes: KRMvKS (ASEAN: B and Q for khon and met); in
    /// Makhos KKMvKM, kings before men
    #[arg(value_name = "CLASS", verbatim_doc_comment)]
    pub(super) classes: Vec<String>,
    /// All classes with up to so many men, kings
    /// included [default: 4, in Makhos 5]
    #[arg(long, verbatim_doc_comment, value_name = "N", conflicts_with = "classes",
        value_parser = clap::value_parser!(u8).range(2..=7))]
    pub(super) men: Option<u8>,
    /// Makhos: when captured pieces leave the board,
    /// `immediate` or `after` the move [default: immediate]
    #[arg(long, verbatim_doc_comment, value_parser = parse_removal)]
    pub(super) removal: Option<Removal>,
    /// Threads that share the work [default: all]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(super) threads: Option<u16>,
    /// Leave out what takes more memory
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    pub(super) memory: u64,
    /// Only say what would be made, and what that takes
    #[arg(long)]
    pub(super) dry_run: bool,
}

#[derive(Args, Debug)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    pub(super) folder: FolderArgs,
    /// Positions of each table that are derived again
    /// from their moves
    #[arg(long, value_name = "N", default_value_t = 1000, verbatim_doc_comment)]
    pub(super) samples: u64,
    /// Seed of the choice of positions
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Derive every position of these classes instead
    #[arg(long = "all-of", value_name = "CLASS")]
    pub(super) all_of: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct ProbeArgs {
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// The position
    #[arg(long)]
    pub(super) fen: String,
    #[command(flatten)]
    pub(super) path: PathArgs,
    /// One JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Which tables are asked.
#[derive(Args, Debug)]
pub(super) struct PathArgs {
    /// `<built-in>`, `none`, or folders with :
    /// between them (on Windows ;)
    /// [default: hanuman-tables]
    #[arg(long, value_name = "FOLDERS", default_value = DEFAULT_FOLDER, verbatim_doc_comment,
        hide_default_value = true)]
    pub(super) dir: String,
}

impl PathArgs {
    /// Opens them, and names on standard error what could not be read.
    pub(super) fn open(&self) -> io::Result<Arc<Tables>> {
        // Without the folder that is looked for first, there is still what the program brings along.
        let missing = self.dir == DEFAULT_FOLDER && !Path::new(DEFAULT_FOLDER).exists();
        path::open_aloud(if missing { path::BUILT_IN } else { &self.dir })
    }
}

#[derive(Args, Debug)]
pub(super) struct SampleArgs {
    #[command(flatten)]
    pub(super) path: PathArgs,
    /// makruk, asean or makhos
    #[arg(long, default_value = "makruk", value_parser = parse_variant)]
    pub(super) variant: Variant,
    /// The class, such as KSSvK; the side named first moves
    #[arg(value_name = "CLASS")]
    pub(super) class: String,
    /// For the mover: win, draw or loss
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = Wanted::Win)]
    pub(super) result: Wanted,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 200,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) number: u32,
    /// Seed of the choice
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

/// A result for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Wanted {
    Win,
    Draw,
    Loss,
}

fn parse_removal(text: &str) -> Result<Removal, String> {
    Removal::parse(text).ok_or_else(|| "captured pieces leave immediate or after".to_owned())
}

/// Does what the arguments say.
///
/// # Errors
/// What went wrong.
pub fn run(args: &TablesArgs) -> Result<(), EndgameError> {
    match &args.command {
        Command::Build(args) => build::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Info(args) => info::run(args),
        Command::Probe(args) => probe::run(args),
        Command::Sample(args) => sample::run(args),
    }
}
