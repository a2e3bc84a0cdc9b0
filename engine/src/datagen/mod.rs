//! Self-play for training data: `hanuman datagen`.
//!
//! | module | |
//! |---|---|
//! | `selfplay` | plays a game |
//! | `games` | the file that games are kept in |
//! | `replay`, `filter` | from games to positions worth training on |
//!
//! A game depends on the settings, its number and the engine alone, and games are written in the
//! order of their numbers: the same seed gives the same file, whatever the number of threads and
//! however often it was interrupted.

pub mod filter;
pub mod games;
mod replay;
mod selfplay;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use clap::Args;
use search::{Game, Signals};
use thiserror::Error;

pub use self::filter::keeps;
use self::games::{GameFile, GamesError, Origin, write_game, write_header};
pub use self::replay::{ReplayError, replay};
use self::selfplay::{Played, Player, Settings};
use crate::dispatch::{GameVisitor, RulesOf, with_game};
use crate::game_args::GameArgs;
use crate::progress::Progress;

/// Games that may be finished ahead of the one that is to be written next.
const AHEAD: usize = 64;
/// How often a line of progress is written where there is no terminal.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// Play games against itself, as data for training networks
///
/// Every game begins with random moves and is then played with a fixed number of
/// nodes a move. Whole games are written, with every score. The same settings and
/// the same program give the same file, whatever the number of threads. Interrupt
/// it with Ctrl-C and run it again to go on where it stopped.
///
/// Example:
///   hanuman datagen --variant makruk --games 50000 --nodes 1000 --threads 2
///     --seed 1 --out makruk.games
#[derive(Args, Clone, Debug)]
#[command(verbatim_doc_comment)]
pub struct DatagenArgs {
    /// Which game, by which rules.
    #[command(flatten)]
    pub game: GameArgs,
    /// Games that the file is to have in the end
    #[arg(long, value_name = "N")]
    pub games: u32,
    /// Nodes searched for each move
    #[arg(long, value_name = "N", default_value_t = 1000,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Random plies at the beginning; every second game has one more
    #[arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(0..=100))]
    pub random_plies: u32,
    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: u16,
    /// Decides the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file; if it exists with the same settings, games are appended
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Why games could not be made.
#[derive(Debug, Error)]
pub enum DatagenError {
    /// An option of the rules is wrong.
    #[error("{0}")]
    Option(String),
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: GamesError,
    },
    /// The file has games made with other settings.
    #[error("{}: its games were made with other settings: {found}", path.display())]
    OtherOrigin {
        /// The file.
        path: PathBuf,
        /// Its settings.
        found: String,
    },
    /// No thread could be started, or all have died.
    #[error("the threads that play have stopped")]
    NoThreads,
}

/// Makes games until the file has as many as it should, or Ctrl-C is pressed.
///
/// # Errors
/// If the file cannot be read or written, or belongs to other settings.
pub fn run(args: &DatagenArgs) -> Result<(), DatagenError> {
    let settings = args.game.settings().map_err(DatagenError::Option)?;
    let origin = Origin {
        variant: settings.variant.name().to_owned(),
        rule_set: settings.rule_set.name().to_owned(),
        options: args.game.options.clone(),
        nodes: args.nodes,
        random_plies: args.random_plies,
        seed: args.seed,
    };
    let fault = |error| DatagenError::File { path: args.out.clone(), error };
    let (file, done) = open(&args.out, &origin)?;
    let stop = Arc::new(Signals::new());
    let handler = Arc::clone(&stop);
    // Without a handler the run can still be killed; the next one mends the file.
    let _ = ctrlc::set_handler(move || handler.stop());
    let mut out = Output::new(file, done, args.games);
    let generator = Generator { args, done, stop: &stop, out: &mut out };
    let result = with_game(settings.game_rules(), generator);
    let summary = out.finish(stop.stopped());
    result.map_err(|error| match error {
        Fault::Write(error) => fault(GamesError::Io(error)),
        Fault::NoThreads => DatagenError::NoThreads,
    })?;
    let _ = writeln!(io::stderr(), "{summary}");
    Ok(())
}

/// Opens the file at its end, cuts off a broken record there, and counts its games.
fn open(path: &Path, origin: &Origin) -> Result<(File, u32), DatagenError> {
    let fault = |error| DatagenError::File { path: path.to_owned(), error };
    let io_fault = |error| fault(GamesError::Io(error));
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(io_fault)?;
    if file.metadata().map_err(io_fault)?.len() == 0 {
        write_header(&mut file, origin).map_err(io_fault)?;
        return Ok((file, 0));
    }
    let mut games = GameFile::open(BufReader::new(&file)).map_err(fault)?;
    if games.origin() != origin {
        let found = serde_json::to_string(games.origin()).unwrap_or_default();
        return Err(DatagenError::OtherOrigin { path: path.to_owned(), found });
    }
    let mut done = 0;
    loop {
        match games.next_game() {
            Ok(Some(_)) => done += 1,
            Ok(None) | Err(GamesError::Record { .. }) => break,
            Err(error) => return Err(fault(error)),
        }
    }
    let end = games.offset();
    file.set_len(end).map_err(io_fault)?;
    file.seek(SeekFrom::Start(end)).map_err(io_fault)?;
    Ok((file, done))
}

enum Fault {
    Write(io::Error),
    NoThreads,
}

/// The part that is compiled for its game.
struct Generator<'a> {
    args: &'a DatagenArgs,
    done: u32,
    stop: &'a Signals,
    out: &'a mut Output,
}

impl GameVisitor for Generator<'_> {
    type Output = Result<(), Fault>;

    fn visit<G: Game>(self, rules: RulesOf<G>) -> Self::Output {
        let args = self.args;
        let settings =
            Settings { rules, nodes: args.nodes, random_plies: args.random_plies, seed: args.seed };
        let (next, stop) = (AtomicU32::new(self.done), self.stop);
        let (sender, receiver) = mpsc::sync_channel::<Played>(AHEAD);
        std::thread::scope(|scope| {
            for _ in 0..args.threads {
                let (sender, next) = (sender.clone(), &next);
                let play = move || {
                    let mut player = Player::<G>::new(settings);
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= args.games {
                            break;
                        }
                        let Some(played) = player.play(number, stop) else { break };
                        if sender.send(played).is_err() {
                            break;
                        }
                    }
                };
                std::thread::Builder::new()
                    .spawn_scoped(scope, play)
                    .map_err(|_| Fault::NoThreads)?;
            }
            drop(sender);
            // Also on an error the receiver goes away here, and with it the threads.
            let result = self.out.write_in_order(receiver, self.done);
            if result.is_err() {
                stop.stop();
            }
            result
        })?;
        if self.out.written < args.games && !stop.stopped() {
            return Err(Fault::NoThreads);
        }
        Ok(())
    }
}

/// Writes games and shows how it goes.
struct Output {
    file: File,
    progress: Progress,
    begun: Instant,
    reported: Instant,
    /// Games in the file at the start and now.
    before: u32,
    written: u32,
    wanted: u32,
    /// Of this run.
    positions: usize,
    kept: usize,
    results: [u32; 3],
}

impl Output {
    fn new(file: File, before: u32, wanted: u32) -> Self {
        let progress = Progress::with_message(wanted as usize, "games");
        progress.begin_at(before as usize);
        Self {
            file,
            progress,
            begun: Instant::now(),
            reported: Instant::now(),
            before,
            written: before,
            wanted,
            positions: 0,
            kept: 0,
            results: [0; 3],
        }
    }

    /// Writes games in the order of their numbers until no more come.
    fn write_in_order(
        &mut self,
        games: mpsc::Receiver<Played>,
        mut next: u32,
    ) -> Result<(), Fault> {
        let mut waiting = BTreeMap::new();
        for played in games {
            waiting.insert(played.game.number, played);
            while let Some(played) = waiting.remove(&next) {
                write_game(&mut self.file, &played.game).map_err(Fault::Write)?;
                next += 1;
                self.count(&played);
            }
        }
        Ok(())
    }

    fn count(&mut self, played: &Played) {
        self.written += 1;
        self.positions += played.game.plies.len();
        self.kept += played.kept;
        self.results[usize::from((1 - played.game.result).unsigned_abs()).min(2)] += 1;
        self.progress.set(self.written as usize);
        self.progress.set_message(self.rates());
        if !io::stderr().is_terminal() && self.reported.elapsed() >= REPORT_EVERY {
            self.reported = Instant::now();
            let _ = writeln!(
                io::stderr(),
                "{} of {} games, {}",
                self.written,
                self.wanted,
                self.rates()
            );
        }
    }

    fn rates(&self) -> String {
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-3);
        let [white, draws, black] = self.results;
        format!(
            "{} positions ({:.0}/s), {} kept ({:.0}/s), White won {white}, drawn {draws}, Black won {black}",
            self.positions,
            self.positions as f64 / seconds,
            self.kept,
            self.kept as f64 / seconds
        )
    }

    /// Takes the progress bar away and sums up.
    fn finish(self, interrupted: bool) -> String {
        let rates = self.rates();
        self.progress.finish();
        let new = self.written - self.before;
        let rest =
            if interrupted && self.written < self.wanted { "; run it again to go on" } else { "" };
        format!("{} games, {new} new: {rates}{rest}", self.written)
    }
}
