//! `hanuman tables verify`.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tables::{Difference, Tables};

use super::EndgameError;
use super::args::VerifyArgs;
use crate::progress::Progress;
use crate::random::Random;

/// Differences of one table that are shown.
const SHOWN: usize = 5;
/// How many empty places are tried for one position that is wanted.
const PATIENCE: u64 = 200;

pub(super) fn run(args: &VerifyArgs) -> Result<(), EndgameError> {
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
    let mut files = 0;
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
        let (checked, differences) =
            if all { check_all(&tables, number, &name) } else { sample(&tables, number, args) };
        let unread = tables.take_faults();
        for fault in &unread {
            writeln!(out, "{fault}")?;
        }
        if differences.is_empty() && unread.is_empty() {
            writeln!(out, "{name}: sound, {checked} positions derived again")?;
            continue;
        }
        wrong += 1;
        for Difference { fen, table, derived } in differences.iter().take(SHOWN) {
            let derived = derived.map_or_else(|| "nothing".to_owned(), |v| v.to_string());
            writeln!(out, "{name}: {fen}: the table says {table}, its moves say {derived}")?;
        }
        writeln!(out, "{name}: WRONG at {} of {checked} positions", differences.len())?;
    }
    writeln!(out, "{files} tables, {wrong} wrong")?;
    if wrong == 0 { Ok(()) } else { Err(EndgameError::Faulty(format!("{wrong} tables are wrong"))) }
}

/// Checks positions drawn at random: how many, and those that differ.
fn sample(tables: &Tables, number: usize, args: &VerifyArgs) -> (u64, Vec<Difference>) {
    let places = usize::try_from(tables.positions(number)).unwrap_or(usize::MAX);
    let mut random = Random::new(args.seed ^ (number as u64) << 32);
    let mut checked = 0;
    let mut differences = Vec::new();
    for _ in 0..args.samples.saturating_mul(PATIENCE) {
        if checked == args.samples || places == 0 {
            break;
        }
        match tables.check(number, random.below(places) as u64) {
            Some(Err(difference)) => {
                differences.push(difference);
                checked += 1;
            }
            Some(Ok(())) => checked += 1,
            None => {}
        }
    }
    (checked, differences)
}

/// Checks every position.
fn check_all(tables: &Tables, number: usize, name: &str) -> (u64, Vec<Difference>) {
    let places = tables.positions(number);
    let thousands = usize::try_from(places / 1000).unwrap_or(usize::MAX);
    let progress = Progress::new(thousands, &format!("thousand positions of {name}"));
    let (checked, passed) = (AtomicU64::new(0), AtomicU64::new(0));
    let differences = (0..places)
        .into_par_iter()
        .filter_map(|at| {
            if at % 1000 == 0 {
                let passed = passed.fetch_add(1, Ordering::Relaxed);
                progress.set(usize::try_from(passed).unwrap_or(usize::MAX));
            }
            let result = tables.check(number, at)?;
            checked.fetch_add(1, Ordering::Relaxed);
            result.err()
        })
        .collect();
    progress.finish();
    (checked.into_inner(), differences)
}
