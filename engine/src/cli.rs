//! The command line.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use clap::{Args, CommandFactory, Parser, Subcommand};
use movegen::{FenError, Position, Variant};
use search::{Game, Signals};
use thiserror::Error;

use crate::analyse::{Analysis, Lines, Request};
use crate::annotate::{self, AnnotateArgs, AnnotateError};
use crate::bench;
use crate::book::{self, BookArgs, BookError};
use crate::command::BenchRequest;
use crate::controller;
use crate::datagen::{self, DatagenArgs, DatagenError};
use crate::dispatch::{GameRules, GameVisitor, PosOf, RulesOf, with_game};
use crate::doctor::{self, DoctorArgs, DoctorError};
use crate::endgame::{self, EndgameError, TablesArgs};
use crate::epd;
use crate::game_args::{GameArgs, parse_variant};
use crate::match_runner::{self, MatchArgs, MatchError};
use crate::networks::Networks;
use crate::perft::{self, PerftRequest, Watch};
use crate::play::{self, PlayArgs, PlayError};
use crate::progress::Progress;
use crate::protocol;
use crate::workers;

/// Hanuman plays Makruk (Thai chess), ASEAN Chess and Makhos (Thai draughts).
///
/// Without a command it speaks UCI, USI, XBoard or Hub on standard input and
/// output, for graphical interfaces and match runners: the one that the first
/// line greets in. For UCI, type 'help' there for its commands.
#[derive(Parser, Debug)]
#[command(name = "hanuman", version, verbatim_doc_comment, args_conflicts_with_subcommands = true)]
struct Cli {
    /// Protocol to speak: auto, uci, usi, xboard, hub
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = protocol::Name::Auto)]
    protocol: protocol::Name,
    #[command(subcommand)]
    command: Option<Sub>,
}

#[derive(Subcommand, Debug)]
enum Sub {
    /// Search fixed positions; the node counts identify the search
    Bench(BenchArgs),
    /// Count the leaves of the move tree of a position
    Perft(PerftArgs),
    /// Find the best moves of positions
    Analyse(AnalyseArgs),
    Annotate(Box<AnnotateArgs>),
    Play(Box<PlayArgs>),
    Match(Box<MatchArgs>),
    Datagen(Box<DatagenArgs>),
    Tables(Box<TablesArgs>),
    Book(Box<BookArgs>),
    /// Show what this installation has, and check that it works
    Doctor(DoctorArgs),
    /// Print a script that completes commands in a shell
    Completions {
        /// bash, elvish, fish, powershell or zsh
        #[arg(value_enum, hide_possible_values = true)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write those of all commands
    Man {
        /// Write the pages of all commands into this folder
        #[arg(long, value_name = "FOLDER")]
        dir: Option<PathBuf>,
    },
}

#[derive(Args, Debug)]
struct BenchArgs {
    /// Plies of every search; each game has its own default
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Only this game
    #[arg(long, value_parser = parse_variant)]
    variant: Option<Variant>,
}

#[derive(Args, Debug)]
struct PerftArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The position; the start position if left out
    #[arg(long)]
    fen: Option<String>,
    /// Plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// Show the leaves below each move
    #[arg(long)]
    divide: bool,
    /// Threads that share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// List the moves of the last ply, as a search does
    #[arg(long)]
    listing: bool,
}

#[derive(Args, Debug)]
struct AnalyseArgs {
    #[command(flatten)]
    game: GameArgs,
    /// One position; without any, the start position
    #[arg(long, conflicts_with_all = ["epd", "input"])]
    fen: Option<String>,
    /// A file of positions, one FEN or EPD a line
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    epd: Option<PathBuf>,
    /// A file of positions, as with --epd; '-' reads standard input
    #[arg(value_name = "FILE")]
    input: Option<PathBuf>,
    /// Search to this depth
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Search each position so long [default: 1000]
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Search this many nodes per position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of best moves to show
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: Option<u16>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Threads: all for one position, one each for several
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Transposition table of each search in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
}

/// Why a command failed.
#[derive(Debug, Error)]
enum CliError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{path}: {error}")]
    File { path: String, error: io::Error },
    #[error("bad FEN: {0}")]
    Fen(#[from] FenError),
    #[error("{0}")]
    Option(String),
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error(transparent)]
    Annotate(#[from] AnnotateError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Datagen(#[from] DatagenError),
    #[error(transparent)]
    Doctor(#[from] DoctorError),
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Endgame(#[from] EndgameError),
    #[error("{0} of the positions could not be read")]
    Unreadable(usize),
}

impl CliError {
    /// Whether nobody reads the output any more.
    fn is_broken_pipe(&self) -> bool {
        let (Self::Io(error)
        | Self::Endgame(EndgameError::Io(error))
        | Self::Annotate(AnnotateError::Io(error))
        | Self::Play(PlayError::Io(error))
        | Self::Book(BookError::Io(error))
        | Self::Doctor(DoctorError::Io(error))) = self
        else {
            return false;
        };
        error.kind() == io::ErrorKind::BrokenPipe
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let Some(command) = cli.command else { return speak(cli.protocol) };
    // Commands search on this thread too, and the first one of a program may have little stack.
    let thread = thread::Builder::new().stack_size(workers::STACK).spawn(|| run(command));
    match thread {
        Ok(thread) => thread.join().unwrap_or(ExitCode::FAILURE),
        Err(error) => fail(&error),
    }
}

fn run(command: Sub) -> ExitCode {
    let result = match command {
        Sub::Bench(args) => run_bench(&args),
        Sub::Perft(args) => run_perft(&args),
        Sub::Analyse(args) => run_analyse(&args),
        Sub::Annotate(args) => annotate::run(&args).map_err(CliError::from),
        Sub::Play(args) => play::run(&args).map_err(CliError::from),
        Sub::Match(args) => match_runner::run(&args).map_err(CliError::from),
        Sub::Datagen(args) => datagen::run(&args).map_err(CliError::from),
        Sub::Doctor(args) => doctor::run(&args).map_err(CliError::from),
        Sub::Completions { shell } => {
            // Written as a whole: a reader that has left is no fault.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "hanuman", &mut script);
            io::stdout().write_all(&script).map_err(CliError::from)
        }
        Sub::Man { dir } => write_manual(dir.as_deref()),
        Sub::Book(args) => book::run(&args).map_err(CliError::from),
        Sub::Tables(args) => endgame::run(&args).map_err(CliError::from),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &dyn std::fmt::Display) -> ExitCode {
    let _ = writeln!(io::stderr(), "hanuman: {error}");
    ExitCode::FAILURE
}

fn speak(protocol: protocol::Name) -> ExitCode {
    if io::stdin().is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        let _ = writeln!(
            io::stderr(),
            "Hanuman {version} speaks UCI. Try 'help', 'd', 'go movetime 1000', 'quit'."
        );
    }
    controller::run(protocol.open(), io::stdin(), Box::new(io::stdout()))
        .unwrap_or_else(|error| fail(&error))
}

fn write_manual(dir: Option<&Path>) -> Result<(), CliError> {
    let fault = |error| match dir {
        Some(path) => CliError::File { path: path.display().to_string(), error },
        None => CliError::Io(error),
    };
    let command = Cli::command();
    match dir {
        Some(dir) => std::fs::create_dir_all(dir)
            .and_then(|()| clap_mangen::generate_to(command, dir))
            .map_err(fault),
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).map_err(fault)?;
            io::stdout().write_all(&page).map_err(fault)
        }
    }
}

fn run_bench(args: &BenchArgs) -> Result<(), CliError> {
    let request = BenchRequest { depth: args.depth, variant: args.variant };
    let written = RefCell::new(Ok(()));
    let progress = Progress::new(0, "positions");
    let line = |line| {
        let mut written = written.borrow_mut();
        if written.is_ok() {
            *written = progress.suspend(|| writeln!(io::stdout(), "{line}"));
        }
    };
    let total =
        bench::run(request, &Signals::new(), &line, &|done, all| progress.set_of(done, all));
    progress.finish();
    written.into_inner()?;
    Ok(writeln!(io::stdout(), "{total}")?)
}

fn run_perft(args: &PerftArgs) -> Result<(), CliError> {
    let rules = args.game.settings().map_err(CliError::Option)?.game_rules();
    with_game(rules, PerftOf { args })
}

struct PerftOf<'a> {
    args: &'a PerftArgs,
}

impl GameVisitor for PerftOf<'_> {
    type Output = Result<(), CliError>;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> Self::Output {
        let args = self.args;
        let position = match &args.fen {
            Some(fen) => PosOf::<G>::from_fen(fen, rules)?,
            None => PosOf::<G>::start(rules),
        };
        let request =
            PerftRequest { depth: args.depth, threads: args.threads.into(), listing: args.listing };
        let mut out = io::stdout();
        let written = RefCell::new(Ok(()));
        let progress = Progress::new(0, "parts");
        let begun = Instant::now();
        let watch = Watch { stopped: &|| false, progress: &|done, all| progress.set_of(done, all) };
        let leaves = perft::divide(&position, request, &watch, &|text, leaves| {
            let mut written = written.borrow_mut();
            if args.divide && written.is_ok() {
                *written = progress.suspend(|| writeln!(io::stdout(), "{text}: {leaves}"));
            }
        });
        let elapsed = begun.elapsed();
        progress.finish();
        written.into_inner()?;
        let leaves = leaves.unwrap_or(0);
        let nps = u128::from(leaves) * 1_000_000_000 / elapsed.as_nanos().max(1);
        if args.divide {
            writeln!(out)?;
        }
        writeln!(out, "Nodes searched: {leaves}")?;
        writeln!(out, "Time: {:.3} s", elapsed.as_secs_f64())?;
        writeln!(out, "Nodes per second: {nps}")?;
        Ok(())
    }
}

fn run_analyse(args: &AnalyseArgs) -> Result<(), CliError> {
    let mut settings = args.game.settings().map_err(CliError::Option)?;
    if let Some(threads) = args.threads {
        settings.search.threads = threads.into();
    }
    if let Some(hash) = args.hash {
        settings.search.hash_mib = usize::try_from(hash).unwrap_or(usize::MAX);
    }
    if let Some(multi_pv) = args.multipv {
        settings.search.multi_pv = multi_pv.into();
    }
    settings.search.analyse = true;
    let no_limit = args.depth.is_none() && args.nodes.is_none();
    let request = Request {
        depth: args.depth,
        nodes: args.nodes,
        move_time_ms: args.movetime.or(no_limit.then_some(1000)),
        options: settings.search_options(),
        json: args.json,
    };
    let rules = settings.game_rules();
    let (lines, single) = positions(args, rules)?;
    let mut out = io::stdout();
    let mut networks = Networks::default();
    let fault = |error| CliError::Option(format!("EvalFile {}: {error}", settings.eval_file));
    networks.choose(&settings.eval_file).map_err(fault)?;
    let tables = endgame::open_aloud(&settings.table_path)?;
    let analysis = Analysis {
        lines,
        single,
        request: &request,
        networks: &networks,
        tables: &tables,
        out: &mut out,
    };
    match with_game(rules, analysis)? {
        0 => Ok(()),
        unreadable => Err(CliError::Unreadable(unreadable)),
    }
}

/// The positions of the arguments, and whether there is but one.
fn positions(args: &AnalyseArgs, rules: GameRules) -> Result<(Lines, bool), CliError> {
    let Some(path) = args.epd.as_ref().or(args.input.as_ref()) else {
        let fen = args.fen.clone().unwrap_or_else(|| with_game(rules, StartFen));
        let line = epd::parse_line(&fen, None);
        let line = line.unwrap_or(epd::Line { fen, id: None, number: None });
        return Ok((Box::new(std::iter::once(Ok(line))), true));
    };
    let reader: Box<dyn BufRead + Send> = if path.as_os_str() == "-" {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let file = File::open(path)
            .map_err(|error| CliError::File { path: path.display().to_string(), error })?;
        Box::new(BufReader::new(file))
    };
    let lines = reader.split(b'\n').zip(1..).filter_map(|(line, number)| match line {
        Ok(line) => epd::parse_line(&String::from_utf8_lossy(&line), Some(number)).map(Ok),
        Err(error) => Some(Err(error)),
    });
    Ok((Box::new(lines), false))
}

struct StartFen;

impl GameVisitor for StartFen {
    type Output = String;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> String {
        PosOf::<G>::start(rules).fen()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
