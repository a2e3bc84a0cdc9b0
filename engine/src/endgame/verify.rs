//! `hanuman tables verify`.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tables::{Check, Difference, Tables};

use super::EndgameError;
use super::args::VerifyArgs;
use crate::progress::Progress;
use crate::random::Random;
use crate::report::plural;

/// Differences of one table that are shown.
const SHOWN: usize = 5;
/// How many empty places are tried for one position that is wanted.
const PATIENCE: u64 = 200;

pub(super) fn run(args: &VerifyArgs) -> Result<(), EndgameError> {
    args.folder.check()?;
    // The files alone: what is inside the program was checked when that was built.
    let (tables, faults) = Tables::open_files(std::slice::from_ref(&args.folder.dir));
    for name in &args.all_of {
        if !tables.files().any(|file| file.header().class == *name) {
            return Err(EndgameError::Argument(format!("there is no table of {name}")));
        }
    }
    let mut out = io::stdout();
    let mut wrong = faults.len();
    for fault in &faults {
        writeln!(out, "{fault}")?;
    }
    let (mut files, mut open) = (0, 0);
    for (number, file) in tables.files().enumerate() {
        files += 1;
        let name = file.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let broken = (0..file.blocks()).into_par_iter().find_map_any(|b| file.read_block(b).err());
        if let Some(error) = broken {
            writeln!(out, "{error}")?;
            wrong += 1;
            continue;
        }
        let all = args.all_of.contains(&file.header().class);
        let Report { checked, unknown, differences } =
            if all { check_all(&tables, number, &name) } else { sample(&tables, number, args) };
        // The files at fault are named when it is their turn.
        let _ = tables.take_faults();
        if !differences.is_empty() {
            wrong += 1;
            for Difference { fen, table, derived } in differences.iter().take(SHOWN) {
                writeln!(out, "{name}: {fen}: the table says {table}, its moves say {derived}")?;
            }
            writeln!(out, "{name}: WRONG at {} of {checked} positions", differences.len())?;
        } else if unknown > 0 {
            open += 1;
            let of = checked + unknown;
            writeln!(
                out,
                "{name}: not checked at {unknown} of {of} positions: tables that it leads to are missing"
            )?;
        } else {
            writeln!(out, "{name}: sound, {checked} positions derived again")?;
        }
    }
    writeln!(out, "{files} tables, {wrong} wrong, {open} not checked in full")?;
    if wrong > 0 {
        return Err(EndgameError::Faulty(format!("{} wrong", plural(wrong, "table"))));
    }
    if open > 0 {
        let advice = "hanuman tables build makes what is missing";
        return Err(EndgameError::Faulty(format!(
            "{} cannot be checked; {advice}",
            plural(open, "table")
        )));
    }
    Ok(())
}

/// What came of the positions of a table.
#[derive(Default)]
struct Report {
    /// Positions whose value could be derived.
    checked: u64,
    /// Others.
    unknown: u64,
    differences: Vec<Difference>,
}

impl Report {
    fn add(&mut self, check: Check) {
        match check {
            Check::Right => self.checked += 1,
            Check::Wrong(difference) => {
                self.checked += 1;
                self.differences.push(difference);
            }
            Check::Unknown => self.unknown += 1,
        }
    }

    fn merge(mut self, other: Self) -> Self {
        self.checked += other.checked;
        self.unknown += other.unknown;
        self.differences.extend(other.differences);
        self
    }
}

/// Checks positions drawn at random.
fn sample(tables: &Tables, number: usize, args: &VerifyArgs) -> Report {
    let places = usize::try_from(tables.positions(number)).unwrap_or(usize::MAX);
    let mut random = Random::new(args.seed ^ (number as u64) << 32);
    let mut report = Report::default();
    for _ in 0..args.samples.saturating_mul(PATIENCE) {
        if report.checked + report.unknown == args.samples || places == 0 {
            break;
        }
        if let Some(check) = tables.check(number, random.below(places) as u64) {
            report.add(check);
        }
    }
    report
}

/// Checks every position.
fn check_all(tables: &Tables, number: usize, name: &str) -> Report {
    let places = tables.positions(number);
    let thousands = usize::try_from(places / 1000).unwrap_or(usize::MAX);
    let progress = Progress::new(thousands, &format!("thousand positions of {name}"));
    let passed = AtomicU64::new(0);
    let report = (0..places)
        .into_par_iter()
        .fold(Report::default, |mut report, at| {
            if at % 1000 == 0 {
                let passed = passed.fetch_add(1, Ordering::Relaxed);
                progress.set(usize::try_from(passed).unwrap_or(usize::MAX));
            }
            if let Some(check) = tables.check(number, at) {
                report.add(check);
            }
            report
        })
        .reduce(Report::default, Report::merge);
    progress.finish();
    report
}
