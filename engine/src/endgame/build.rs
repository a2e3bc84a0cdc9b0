//! `hanuman tables build`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration};
use movegen::{Removal, Variant};
use tables::file::TableFile;
use tables::{TableError, Tables, Watch, chess, makhos};

use super::EndgameError;
use super::args::BuildArgs;
use crate::progress::Progress;
use crate::workers::cores;

/// One table to be made.
enum Plan {
    Chess(chess::Plan),
    Makhos(makhos::Plan),
}

impl Plan {
    fn file_name(&self) -> String {
        match self {
            Self::Chess(plan) => plan.file_name(),
            Self::Makhos(plan) => plan.file_name(),
        }
    }

    fn memory(&self) -> u64 {
        match self {
            Self::Chess(plan) => plan.memory(),
            Self::Makhos(plan) => plan.memory(),
        }
    }

    /// Positions with either side to move.
    fn positions(&self) -> u64 {
        match self {
            Self::Chess(plan) => plan.positions(),
            Self::Makhos(plan) => plan.positions(),
        }
    }

    /// Roughly how long it takes.
    fn estimate(&self, threads: u64) -> Duration {
        let per_second = match self {
            Self::Chess(_) => CHESS_PER_SECOND,
            Self::Makhos(_) => MAKHOS_PER_SECOND,
        };
        Duration::from_secs_f64(self.positions() as f64 / (per_second * threads) as f64)
    }

    /// Roughly how large its file gets.
    fn disk(&self) -> u64 {
        match self {
            Self::Chess(_) => self.positions() / CHESS_PER_BYTE,
            Self::Makhos(_) => self.positions() / MAKHOS_PER_BYTE,
        }
    }
}

/// What a thread and a byte were good for, on an ordinary machine: positions solved in a second and
/// positions packed into a byte, for estimates.
const CHESS_PER_SECOND: u64 = 3_500_000;
const MAKHOS_PER_SECOND: u64 = 2_200_000;
const CHESS_PER_BYTE: u64 = 8;
const MAKHOS_PER_BYTE: u64 = 17;

/// The tables that the arguments ask for, and those that they are made from.
fn plans(args: &BuildArgs) -> Result<Vec<Plan>, EndgameError> {
    if args.removal.is_some() && args.variant != Variant::Makhos {
        return Err(EndgameError::Argument("--removal is a rule of Makhos".to_owned()));
    }
    if args.variant == Variant::Makhos {
        let classes = if args.classes.is_empty() {
            (2..=usize::from(args.men.unwrap_or(5))).flat_map(makhos::Class::all).collect()
        } else {
            args.classes.iter().map(|name| makhos::Class::parse(name)).collect::<Result<_, _>>()?
        };
        let wanted: Vec<_> = Vec::into_iter(classes)
            .map(|class| makhos::Plan {
                class,
                removal: args.removal.unwrap_or(Removal::Immediate),
            })
            .collect();
        return Ok(makhos::Plan::with_needs(&wanted).into_iter().map(Plan::Makhos).collect());
    }
    let classes: Vec<_> = if args.classes.is_empty() {
        (3..=usize::from(args.men.unwrap_or(4))).flat_map(chess::Class::all).collect()
    } else {
        args.classes.iter().map(|name| chess::Class::parse(name)).collect::<Result<_, _>>()?
    };
    let plans = classes.into_iter().map(|class| chess::Plan::new(class, args.variant));
    let wanted = plans.collect::<Result<Vec<_>, _>>()?;
    Ok(chess::Plan::with_needs(&wanted).into_iter().map(Plan::Chess).collect())
}

pub(super) fn run(args: &BuildArgs) -> Result<(), EndgameError> {
    args.folder.check_to_be_made()?;
    let plans = plans(args)?;
    let threads = args.threads.map_or_else(cores, usize::from);
    if args.dry_run {
        return show_plans(&plans, args, threads as u64);
    }
    let folder = &args.folder.dir;
    fs::create_dir_all(folder).map_err(|error| TableError::File { path: folder.clone(), error })?;
    let stopped = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stopped);
    // Without a handler the half-made table is lost all the same, only less politely.
    let _ = ctrlc::set_handler(move || set.store(true, Ordering::Relaxed));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| EndgameError::Argument(format!("no threads: {error}")))?;
    let mut workshop = Workshop { tables: Tables::empty(), builder: makhos::Builder::default() };
    let mut out = io::stdout();
    let begun = Instant::now();
    let (mut made, mut bytes, mut left_out) = (0, 0, 0);
    for (number, plan) in plans.iter().enumerate() {
        let name = plan.file_name();
        let path = folder.join(&name);
        // What is cut off, or holds something else, is made again.
        if let Some(size) = workshop.find(&path) {
            bytes += size;
            continue;
        }
        if plan.memory() > args.memory << 20 {
            left_out += 1;
            writeln!(out, "{name}: {}", too_much_memory(plan))?;
            continue;
        }
        let begun = Instant::now();
        let file = pool.install(|| {
            let progress = Progress::new(0, &format!("({}/{}) {name}", number + 1, plans.len()));
            let watch = Watch {
                stopped: &|| stopped.load(Ordering::Relaxed),
                progress: &|done, all| {
                    let small = |n: u64| usize::try_from(n / 1000).unwrap_or(usize::MAX);
                    progress.set_of(small(done), small(all));
                },
            };
            let file = workshop.make(plan, folder, &watch);
            progress.finish();
            file
        })?;
        made += 1;
        bytes += file.size();
        let seconds = begun.elapsed().as_secs_f64();
        writeln!(out, "{name}: {}, {seconds:.1} s", HumanBytes(file.size()))?;
        workshop.take(file)?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let (kept, size) = (plans.len() - left_out - made, HumanBytes(bytes));
    writeln!(out, "{made} made, {kept} already there, {size} together, {seconds:.1} s")?;
    // Who names a class wants that one.
    if left_out > 0 && !args.classes.is_empty() {
        let what = format!("{left_out} tables were left out; --memory allows them");
        return Err(EndgameError::Argument(what));
    }
    Ok(())
}

fn too_much_memory(plan: &Plan) -> String {
    format!("left out, it takes {} of memory (--memory)", HumanBytes(plan.memory()))
}

/// What has been made so far.
struct Workshop {
    tables: Tables,
    builder: makhos::Builder,
}

impl Workshop {
    fn make(
        &mut self,
        plan: &Plan,
        folder: &Path,
        watch: &Watch<'_>,
    ) -> Result<TableFile, TableError> {
        match plan {
            Plan::Chess(plan) => chess::build(plan, &self.tables, folder, watch),
            Plan::Makhos(plan) => self.builder.build(plan, folder, watch),
        }
    }

    /// Takes the table of a file if it is sound, and gives its size.
    fn find(&mut self, path: &Path) -> Option<u64> {
        let file = TableFile::open(path).ok()?;
        let size = file.size();
        self.take(file).ok()?;
        Some(size)
    }

    /// Lets others be made from a table.
    fn take(&mut self, file: TableFile) -> Result<(), TableError> {
        self.tables.add(file)
    }
}

fn show_plans(plans: &[Plan], args: &BuildArgs, threads: u64) -> Result<(), EndgameError> {
    let mut out = io::stdout();
    let (mut time, mut disk, mut memory) = (Duration::ZERO, 0, 0);
    for plan in plans {
        let name = plan.file_name();
        if TableFile::open(&args.folder.dir.join(&name)).is_ok() {
            writeln!(out, "{name}: there")?;
            continue;
        }
        if plan.memory() > args.memory << 20 {
            writeln!(out, "{name}: {}", too_much_memory(plan))?;
            continue;
        }
        time += plan.estimate(threads);
        disk += plan.disk();
        memory = memory.max(plan.memory());
        writeln!(
            out,
            "{name}: {} positions, {} of memory, about {} on disk, about {:#}",
            plan.positions(),
            HumanBytes(plan.memory()),
            HumanBytes(plan.disk()),
            HumanDuration(plan.estimate(threads)),
        )?;
    }
    writeln!(
        out,
        "in all: {} of memory, about {} on disk, about {:#} with {threads} threads",
        HumanBytes(memory),
        HumanBytes(disk),
        HumanDuration(time),
    )?;
    Ok(())
}
