//! `hanuman annotate`: games in, the same games with evaluations, better moves and counts out.
//!
//! | module | what it does |
//! |---|---|
//! | `args` | the command line |
//! | `review` | what the search says about every position |
//! | `output` | the game with remarks, or JSON |
//! | `plot` | pictures of the evaluation and the count |
//! | `resume` | what an interrupted run has written already |

mod args;
mod output;
mod plot;
mod resume;
mod review;

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use search::{Game as SearchGame, Signals};
use tables::Tables;
use thiserror::Error;

pub use args::AnnotateArgs;

use crate::dispatch::{GameVisitor, PosOf, RulesOf, with_game};
use crate::endgame;
use crate::game_text::{Fault, Game, GameFile, Reader, Replayed, replay, rules_of, settings_of};
use crate::networks::{EvalFileError, Networks};
use crate::ordered::Ordered;
use crate::report::plural;
use crate::settings::Settings;
use crate::workers::on_threads;
use movegen::{Position as _, Variant};
use review::Limit;

/// Why games could not be annotated.
#[derive(Debug, Error)]
pub enum AnnotateError {
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
    /// An argument has no meaning.
    #[error("{0}")]
    Argument(String),
    /// The network that was asked for cannot be used.
    #[error("EvalFile {0}")]
    Network(#[from] EvalFileError),
    /// Some games were left out; they have been named.
    #[error("{0} of {1} games were left out")]
    LeftOut(usize, usize),
}

/// What all games share.
struct Job<'a> {
    args: &'a AnnotateArgs,
    settings: Settings,
    networks: Networks,
    tables: Arc<Tables>,
    limit: Limit,
    signals: Signals,
}

/// Annotates the games of a file.
///
/// # Errors
/// If files cannot be read or written, or games were left out.
pub fn run(args: &AnnotateArgs) -> Result<(), AnnotateError> {
    let settings = args.settings()?;
    let mut networks = Networks::default();
    networks.choose(&settings.eval_file)?;
    let tables = endgame::open_aloud(&settings.table_path)?;
    let games = read(args)?;
    let same = |path: &Path| {
        let whole = |path: &Path| path.canonicalize().ok();
        whole(path).is_some_and(|path| whole(&args.input) == Some(path))
    };
    let done = match &args.out {
        Some(path) if same(path) => {
            let text = format!("{} cannot be read and written at once", path.display());
            return Err(AnnotateError::Argument(text));
        }
        // What comes from standard input has no name to be known by.
        Some(path) if args.input.as_os_str() == "-" => {
            resume::last_line(path, "", args.json)?;
            0
        }
        Some(path) => resume::last_line(path, &args.source(), args.json)?,
        None => 0,
    };
    let skipped = games.iter().filter(|game| line_of(game) <= done).count();
    if skipped > 0 {
        let games = plural(skipped, "game");
        writeln!(io::stderr(), "hanuman: {games} of {} done before", args.input.display())?;
    }
    if let Some(folder) = &args.svg {
        std::fs::create_dir_all(folder)
            .map_err(|error| AnnotateError::File { path: folder.clone(), error })?;
    }
    let mut out: Box<dyn Write + Send> = match &args.out {
        Some(path) => {
            let fault = |error| AnnotateError::File { path: path.clone(), error };
            if !args.json {
                // A last line without an end gets one.
                GameFile::append(path).map_err(fault)?;
            }
            let file = OpenOptions::new().create(true).append(true).open(path);
            Box::new(file.map_err(fault)?)
        }
        None => Box::new(io::stdout()),
    };
    let limit = args.limit();
    let job = Job { args, settings, networks, tables, limit, signals: Signals::new() };
    let left_out = work(&job, &games[skipped..], skipped, &mut *out)?;
    if left_out > 0 { Err(AnnotateError::LeftOut(left_out, games.len())) } else { Ok(()) }
}

fn line_of(game: &Result<Game, Fault>) -> usize {
    match game {
        Ok(game) => game.line,
        Err(fault) => fault.line,
    }
}

/// All games of the input.
fn read(args: &AnnotateArgs) -> Result<Vec<Result<Game, Fault>>, AnnotateError> {
    let path = &args.input;
    let fault = |error| AnnotateError::File { path: path.clone(), error };
    let games: io::Result<Vec<_>> = if path.as_os_str() == "-" {
        Reader::new(io::stdin().lock()).collect()
    } else {
        Reader::new(BufReader::new(File::open(path).map_err(fault)?)).collect()
    };
    games.map_err(fault)
}

/// Annotates games and writes them in order; the number of those that were left out. `before` games
/// come before them in the file.
fn work(
    job: &Job<'_>,
    games: &[Result<Game, Fault>],
    before: usize,
    out: &mut (dyn Write + Send),
) -> Result<usize, AnnotateError> {
    let left_out = AtomicUsize::new(0);
    let next = AtomicUsize::new(0);
    let ordered = Ordered::new(out, "games").expect(games.len());
    let turn = || {
        while !job.signals.stopped() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = games.get(index) else { break };
            let number = before + index + 1;
            let annotated = game.clone().and_then(|game| annotate(job, game, number));
            let text = annotated.unwrap_or_else(|fault| {
                left_out.fetch_add(1, Ordering::Relaxed);
                // Nobody there to read it: the count of them is told at the end.
                let _ = writeln!(io::stderr(), "hanuman: game {number}, {fault}");
                String::new()
            });
            if !ordered.put(index, text) {
                job.signals.stop();
            }
        }
    };
    on_threads(job.args.threads(), turn)?;
    ordered.finish()?;
    Ok(left_out.into_inner())
}

/// One game with remarks, as text.
fn annotate(job: &Job<'_>, game: Game, number: usize) -> Result<String, Fault> {
    let line = game.line;
    let fault = |what: String| Fault { line, what };
    let settings = settings_of(&game, &job.settings).map_err(fault)?;
    with_game(rules_of(&settings), Annotate { job, game, number, settings: &settings })
        .map_err(fault)
}

struct Annotate<'a> {
    job: &'a Job<'a>,
    game: Game,
    number: usize,
    settings: &'a Settings,
}

impl GameVisitor for Annotate<'_> {
    type Output = Result<String, String>;

    fn visit<G: SearchGame>(self, rules: RulesOf<G>) -> Self::Output {
        let Self { job, game, number, settings } = self;
        let Replayed { start, moves, squares } = replay::<PosOf<G>>(&game, rules)?;
        let mut searcher = job.networks.searcher::<G>(settings.search_options(), &job.tables);
        let mut review = review::review(&mut searcher, &start, &moves, job.limit, &job.signals);
        review.without_count = match review.drawn_by_clock {
            true => review::without_clocks(settings).and_then(|rules| {
                with_game(rules, review::Unclocked { job, start: &start.fen(), review: &review })
            }),
            false => None,
        };
        if PosOf::<G>::VARIANT == Variant::Makhos {
            review.rewrite(|text| squares.translate(text));
        }
        if let Some(folder) = &job.args.svg {
            let path = folder.join(format!("game-{number}.svg"));
            let title = output::title(&game);
            plot::draw(&path, &title, &review)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(if job.args.json {
            output::json(&game, &job.args.source(), number, PosOf::<G>::VARIANT, &review)
        } else {
            output::text(game, &job.args.source(), &review)
        })
    }
}
