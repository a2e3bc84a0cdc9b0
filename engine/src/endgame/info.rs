//! `hanuman tables info`.

use std::io::{self, Write};
use std::path::Path;

use indicatif::HumanBytes;
use tables::Tables;
use tables::file::{Header, SideSummary};

use super::EndgameError;
use crate::report::plural;

use super::args::{DEFAULT_FOLDER, FolderArgs};

pub(super) fn run(args: &FolderArgs) -> Result<(), EndgameError> {
    let (tables, faults) = if args.dir == Path::new(DEFAULT_FOLDER) && !args.dir.exists() {
        Tables::open(&[])
    } else {
        args.check()?;
        Tables::open(std::slice::from_ref(&args.dir))
    };
    let mut out = io::stdout();
    let width = tables.files().map(|f| f.header().class.len()).max().unwrap_or(0).max(5);
    writeln!(
        out,
        "{:width$}  {:<6} {:<8} {:>10}  {:<20} {:<20} {:>7}",
        "class", "game", "rules", "positions", "first side moves", "other side moves", "MiB"
    )?;
    let (mut bytes, mut number) = (0, 0);
    for file in tables.files() {
        let Header { class, game, rules, summary, .. } = file.header();
        let positions: u64 = summary.sides.iter().map(|side| side.positions).sum();
        let [first, other] = summary.sides.each_ref().map(describe);
        writeln!(
            out,
            "{class:width$}  {game:<6} {rules:<8} {positions:>10}  {first:<20} {other:<20} {:>7.2}",
            file.size() as f64 / f64::from(1 << 20),
        )?;
        bytes += file.size();
        number += 1;
    }
    writeln!(out, "won and lost positions in percent; in brackets the longest, in moves")?;
    writeln!(out, "{number} tables, {} with those inside the program", HumanBytes(bytes))?;
    for fault in &faults {
        writeln!(io::stderr(), "hanuman: {fault}")?;
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(EndgameError::Faulty(format!("{} cannot be read", plural(faults.len(), "file"))))
    }
}

/// How many positions the mover wins and loses, and the longest way in moves.
fn describe(side: &SideSummary) -> String {
    if side.positions == 0 {
        return "as the first".to_owned();
    }
    let percent = |n: u64| 100.0 * n as f64 / side.positions as f64;
    let longest = side.longest_win.max(side.longest_loss).div_ceil(2);
    format!("+{:.2} -{:.2} ({longest})", percent(side.wins), percent(side.losses))
}
