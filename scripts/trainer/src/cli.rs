//! The command line.

use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Parser, Subcommand};
use engine::progress::Progress;
use movegen::Variant;
use search::eval::nnue::{HIDDEN_UNIT, MAX_HIDDEN, Network};

use crate::checkpoint;
use crate::dataset::{Builder, Dataset, Report};
use crate::error::TrainerError;
use crate::export::rounding_error;
use crate::games::{add_files, is_record_file, read_records, write_records};
use crate::kernel::Goal;
use crate::material::material;
use crate::model::{Layout, Model};
use crate::optimizer::AdamW;
use crate::run::{Folder, Run, Settings, model_of};
use crate::synthetic::random_records;
use crate::trainer::{SHARDS, Trainer};

/// Trains evaluation networks for Hanuman from self-play games.
///
/// Games come from 'hanuman datagen'. 'trainer train' makes a network of them;
/// it can be killed at any time and goes on where it was when it is run again.
#[derive(Parser, Debug)]
#[command(name = "trainer", version, verbatim_doc_comment)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Train(Box<TrainArgs>),
    Test(TestArgs),
    Records(RecordsArgs),
    Material(MaterialArgs),
    Speed(SpeedArgs),
}

/// Which games, and how many of them are held out.
#[derive(Args, Debug)]
struct DataArgs {
    /// makruk, asean or makhos
    #[arg(long, value_parser = parse_variant)]
    variant: Variant,
    /// Files of games, or one file of records. Of equal positions the first counts, so give the
    /// newest games first
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Share of the games that is not trained on
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = parse_share)]
    held_out: f64,
    /// Decides which games are held out, the order of the positions and the first weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Train a network
///
/// Writes into the folder: best.nnue (lowest held-out loss), last.nnue, curve.svg
/// and checkpoint.bin, from which the same command goes on after a kill. The same
/// data and settings give the same files, whatever the number of threads.
///
/// Example:
///   trainer train --variant makruk --hidden 256 --out makruk-run *.games
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
struct TrainArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Folder for the results
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Units of the hidden layer, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = parse_hidden)]
    hidden: usize,
    /// How often every position is visited
    #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = parse_positive)]
    epochs: f64,
    /// How often losses are measured and files written
    #[arg(long, value_name = "N", default_value_t = 40,
        value_parser = clap::value_parser!(u64).range(1..=100_000))]
    superbatches: u64,
    /// Positions of a step
    #[arg(long, value_name = "N", default_value_t = 16_384,
        value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    batch: u32,
    /// Learning rate at first
    #[arg(long, value_name = "RATE", default_value_t = 1e-3, value_parser = parse_positive)]
    rate: f64,
    /// Learning rate at last, reached by half a cosine
    #[arg(long, value_name = "RATE", default_value_t = 2.5e-5, value_parser = parse_positive)]
    final_rate: f64,
    /// Weight decay of AdamW
    #[arg(long, value_name = "X", default_value_t = 0.01, value_parser = parse_share)]
    decay: f64,
    /// Share of the game's result in the target during the first quarter; the rest is the search's
    /// score
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = parse_share)]
    lambda: f64,
    /// The same at last, reached by a straight line
    #[arg(long, value_name = "SHARE", default_value_t = 0.4, value_parser = parse_share)]
    final_lambda: f64,
    /// Begin with this network, of the same game or (chess games) its sister; it decides the size
    #[arg(long, value_name = "FILE.nnue", conflicts_with = "hidden")]
    init: Option<PathBuf>,
    /// Threads [default: one for each processor, at most 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=8))]
    threads: Option<u16>,
    /// Begin anew even if the folder has a checkpoint
    #[arg(long)]
    restart: bool,
}

/// Compare networks on held-out positions
///
/// Shows the mean squared error of each network's expected score against the
/// search's score (lambda 0), the game's result (lambda 1) and what is between.
/// Give the same seed and files as in training, or the networks may know the
/// positions.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
struct TestArgs {
    #[command(flatten)]
    data: DataArgs,
    /// A network; repeatable
    #[arg(long = "network", value_name = "FILE.nnue", required = true)]
    networks: Vec<PathBuf>,
    /// Threads [default: one for each processor, at most 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=8))]
    threads: Option<u16>,
}

/// Make a file of records from games, or show what is in one
#[derive(Args, Debug)]
struct RecordsArgs {
    #[command(flatten)]
    data: DataArgs,
    /// File to write; without it, only counts are shown
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Write a network that counts material and knows nothing else
///
/// An opponent to measure by:
///   hanuman match --engine name=New
///     --engine cmd=self,name=Material,option.EvalFile=material.nnue,nodes=1000 ...
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
struct MaterialArgs {
    /// makruk, asean or makhos
    #[arg(long, value_parser = parse_variant)]
    variant: Variant,
    /// File to write
    #[arg(long, value_name = "FILE.nnue")]
    out: PathBuf,
}

/// Measure the speed of training on made-up positions
#[derive(Args, Debug)]
struct SpeedArgs {
    /// makruk, asean or makhos
    #[arg(long, default_value = "makruk", value_parser = parse_variant)]
    variant: Variant,
    /// Units of the hidden layer
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = parse_hidden)]
    hidden: usize,
    /// Steps of 16,384 positions
    #[arg(long, value_name = "N", default_value_t = 60,
        value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Threads [default: one for each processor, at most 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=8))]
    threads: Option<u16>,
}

fn parse_variant(text: &str) -> Result<Variant, String> {
    Variant::parse(text).ok_or_else(|| "the games are makruk, asean and makhos".to_owned())
}

fn parse_hidden(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|&n: &usize| n > 0 && n <= MAX_HIDDEN && n.is_multiple_of(HIDDEN_UNIT))
        .ok_or_else(|| format!("it must be a multiple of {HIDDEN_UNIT}, at most {MAX_HIDDEN}"))
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|x: &f64| (0.0..=1.0).contains(x));
    share.ok_or_else(|| "it must be a number from 0 to 1".to_owned())
}

fn parse_positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| x.is_finite() && *x > 0.0);
    number.ok_or_else(|| "it must be a number above 0".to_owned())
}

fn threads_or_default(threads: Option<u16>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, NonZero::get);
    threads.map_or_else(all, usize::from).min(SHARDS)
}

/// Runs the program.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Train(args) => train(&args),
        Command::Test(args) => test(&args),
        Command::Records(args) => records(&args),
        Command::Material(args) => write_material(&args),
        Command::Speed(args) => speed(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "trainer: {error}");
            ExitCode::FAILURE
        }
    }
}

fn say(text: impl std::fmt::Display) {
    // A closed pipe is no reason to stop training.
    let _ = writeln!(io::stdout(), "{text}");
}

/// The dataset that the arguments ask for, and what to say about it.
fn load(args: &DataArgs) -> Result<(Dataset, Report), TrainerError> {
    if let [file] = &args.files[..]
        && is_record_file(file)?
    {
        let dataset = read_records(file, args.variant)?;
        let mut report = Report::default();
        report.count(&dataset);
        return Ok((dataset, report));
    }
    let mut builder = Builder::new(args.variant, args.held_out, args.seed);
    for warning in add_files(&mut builder, args.variant, &args.files)? {
        let _ = writeln!(io::stderr(), "warning: {warning}");
    }
    Ok(builder.finish())
}

fn records(args: &RecordsArgs) -> Result<(), TrainerError> {
    let (dataset, report) = load(&args.data)?;
    say(report);
    args.out.as_ref().map_or(Ok(()), |path| write_records(path, &dataset))
}

fn write_material(args: &MaterialArgs) -> Result<(), TrainerError> {
    let path = &args.out;
    let network = material(args.variant)
        .map_err(|error| TrainerError::Network { path: path.clone(), error })?;
    fs::write(path, network.to_bytes()).map_err(TrainerError::file(path))
}

fn read_network(path: &Path) -> Result<Network, TrainerError> {
    let bytes = fs::read(path).map_err(TrainerError::file(path))?;
    Network::from_bytes(&bytes)
        .map_err(|error| TrainerError::Network { path: path.to_owned(), error })
}

fn train(args: &TrainArgs) -> Result<(), TrainerError> {
    let threads = threads_or_default(args.threads);
    let folder = Folder::make(&args.out)?;
    let init = args.init.as_deref().map(|path| Ok((path, read_network(path)?))).transpose()?;
    let (dataset, report) = load(&args.data)?;
    say(&report);
    let settings = Settings {
        hidden: args.hidden,
        epochs: args.epochs,
        superbatches: args.superbatches,
        batch: args.batch as usize,
        rate: args.rate as f32,
        final_rate: args.final_rate as f32,
        decay: args.decay as f32,
        lambda: args.lambda as f32,
        final_lambda: args.final_lambda as f32,
        seed: args.data.seed,
    };
    let data = format!("{} positions of {} games", dataset.training.len(), report.games);
    let init = init.as_ref().map(|(path, network)| (*path, network));
    let mut run = Run::begin(&dataset, settings, init, data, threads)?;
    let path = folder.checkpoint();
    if !args.restart && path.exists() {
        run = run.resume(&path, checkpoint::read(&path)?, threads)?;
        say(format_args!("going on after step {} of {}", run.done(), run.steps()));
    }
    train_to_the_end(&mut run, &folder, args.batch.into())?;
    let last = read_network(&folder.last())?;
    let error = rounding_error(run.model(), &last, &dataset.held_out);
    say(format_args!(
        "rounding to integers costs {:.2} cp on average, at most {:.2} cp ({} held-out records)",
        error.mean, error.max, error.records
    ));
    say(format_args!("networks: {}, {}", folder.best().display(), folder.last().display()));
    Ok(())
}

fn test(args: &TestArgs) -> Result<(), TrainerError> {
    const LAMBDAS: [f32; 5] = [0.0, 0.2, 0.4, 0.7, 1.0];
    let threads = threads_or_default(args.threads);
    let (dataset, _) = load(&args.data)?;
    if dataset.held_out.is_empty() {
        return Err(TrainerError::NoRecords("test"));
    }
    say(format_args!("{} held-out records; loss by lambda", dataset.held_out.len()));
    say(LAMBDAS.map(|lambda| format!("{lambda:<9}")).concat());
    for path in &args.networks {
        let network = read_network(path)?;
        let model = model_of(path, &network, dataset.variant)?;
        let optimizer = AdamW::new(model.values().len(), 0.0);
        let mut trainer = Trainer::new(model, optimizer, threads)?;
        let losses = LAMBDAS.map(|lambda| {
            let loss = trainer.loss(&dataset.held_out, lambda);
            format!("{loss:.6} ")
        });
        say(format_args!("{} {}", losses.concat(), path.display()));
    }
    Ok(())
}

fn train_to_the_end(run: &mut Run, folder: &Folder, batch: u64) -> Result<(), TrainerError> {
    let steps = run.steps();
    let (start, first) = (Instant::now(), run.done());
    let progress = Progress::new(steps as usize, "steps");
    loop {
        let before = (Instant::now(), run.done());
        let Some(superbatch) = run.superbatch(|done| progress.set(done as usize))? else { break };
        let rate = ((run.done() - before.1) * batch) as f64 / before.0.elapsed().as_secs_f64();
        run.save(folder, superbatch.best)?;
        let per_step = start.elapsed().as_secs_f64() / (run.done() - first).max(1) as f64;
        let left = per_step * (steps - run.done()) as f64;
        progress.suspend(|| {
            say(format_args!("{superbatch}  {:.0} k positions/s  {} left", rate / 1e3, time(left)));
        });
    }
    progress.finish();
    Ok(())
}

fn time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn speed(args: &SpeedArgs) -> Result<(), TrainerError> {
    const BATCH: usize = 16_384;
    let records = random_records(args.variant, 8 * BATCH, 1);
    let model = Model::random(Layout::new(args.variant, args.hidden), 1);
    let optimizer = AdamW::new(model.values().len(), 0.01);
    let mut trainer = Trainer::new(model, optimizer, threads_or_default(args.threads))?;
    let start = Instant::now();
    let mut loss = 0.0;
    for step in 0..args.steps as usize {
        let batch = &records[step % 8 * BATCH..][..BATCH];
        loss = trainer.step(batch, Goal::of(0.2), 1e-3);
    }
    let seconds = start.elapsed().as_secs_f64();
    let positions = args.steps as usize * BATCH;
    say(format_args!(
        "{positions} positions in {seconds:.2} s: {:.0} k positions/s; loss {loss:.6}",
        positions as f64 / seconds / 1e3
    ));
    Ok(())
}
